"""The room of documents: XML in; canonical text, element table and places in them out."""

from inexlab.collection.document import Document, Element, Elements, read_document
from inexlab.collection.pointing import pointer, smallest_element
from inexlab.collection.store import Collection, open_collection

__all__ = [
    "Collection",
    "Document",
    "Element",
    "Elements",
    "open_collection",
    "pointer",
    "read_document",
    "smallest_element",
]
