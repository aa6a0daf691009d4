"""`--collection`: opening it, and saying what was decided on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inexlab.cli.terminal import print_notes

if TYPE_CHECKING:
    from inexlab.collection import Collection


def opened(collection: str) -> Collection | None:
    """Open what was given as a collection, if anything was, and say if its ids are paths."""
    if not collection:
        return None
    from inexlab.collection import open_collection

    documents = open_collection(collection)
    print_notes(documents.notes)
    return documents
