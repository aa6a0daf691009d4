"""The room of documents: XML in; canonical text, element table and places in them out."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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

# loaded when first used: most commands need few of them
_HOMES = {
    "Collection": "inexlab.collection.store",
    "Document": "inexlab.collection.document",
    "Element": "inexlab.collection.document",
    "Elements": "inexlab.collection.document",
    "open_collection": "inexlab.collection.store",
    "pointer": "inexlab.collection.pointing",
    "read_document": "inexlab.collection.document",
    "smallest_element": "inexlab.collection.pointing",
}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        from inexlab import loaded

        return loaded(__name__, name, _HOMES)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
