"""`--collection`: opening it, and saying what was decided on the way."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from inexlab.errors import printable

if TYPE_CHECKING:
    from inexlab.collection import Collection


def opened(collection: str) -> Collection | None:
    """Open what was given as a collection, if anything was, and say if its ids are paths."""
    if not collection:
        return None
    from inexlab.collection import open_collection

    documents = open_collection(collection)
    for note in documents.notes:
        print(f"inexlab: {printable(note)}", file=sys.stderr)
    return documents
