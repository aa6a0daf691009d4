"""The room of documents: XML in; canonical text, element table and places in them out."""

from typing import TYPE_CHECKING, Any

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

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        from inexlab import submodule

        return submodule(__name__, name)
