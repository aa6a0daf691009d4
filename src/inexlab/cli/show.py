"""`inexlab show`: print a document, or an element of it, from an index."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from inexlab.cli.options import INDEX
from inexlab.cli.terminal import harmless

if TYPE_CHECKING:
    from inexlab.index.index import Index

_DOC = typer.Argument(metavar="DOC", help="The id of a document.")
_PATH = typer.Argument(metavar="PATH", help="The XPath of an element; the whole document unless given.")
_OUTPUT = typer.Option("-o", "--output", help="Format: text or json.")


def show(
    index: Annotated[str, INDEX],
    doc: Annotated[str, _DOC],
    path: Annotated[str, _PATH] = "/",
    output: Annotated[str, _OUTPUT] = "text",
) -> None:
    """Print the text of a document or of one of its elements.

    Tables are shown in rows and columns, formulas in one line. With -o json the text is as it is in the
    document, so that `start` and `end` are its borders.

    Example (after `inexlab demo --out demo` and `inexlab index demo/articles --out demo/index`):
    `inexlab show demo/index pooling "/article[1]/body[1]/section[1]"`
    """
    import json

    from inexlab.errors import UnknownNameError, UsageError, nearest_name
    from inexlab.index.index import open_index
    from inexlab.retrieval.snippets import text_with_breaks

    if output not in ("text", "json"):
        raise UnknownNameError("output format", output, ("text", "json"))
    opened = open_index(index)
    if doc not in opened.document_numbers:
        nearest = nearest_name(doc, opened.documents)
        raise UsageError(
            f"{index} has no document {doc!r}" + (f"; did you mean {nearest!r}?" if nearest else ".")
        )
    number = opened.document_numbers[doc]
    element = opened.find(number, path)
    if element < 0:
        raise UsageError(_missing(opened, number, path))
    if output == "json":
        start, end = opened.span(element)
        text = opened.text(number)[start:end]
        title, where = opened.titles[number], opened.path(element)
        found = {"doc": doc, "title": title, "path": where, "start": start, "end": end, "text": text}
        print(json.dumps(found, ensure_ascii=False, indent=1))
    else:
        # where every tag is a unit, it may be one in a sentence
        gap = "\n" if opened.profile.inline else " "
        instead = _written(opened, number, element)
        print(harmless(text_with_breaks(opened, element, gap, skipped=True, instead=instead)).strip())


def _written(index: Index, document: int, element: int) -> dict[tuple[int, int], str]:
    """Return the tables and formulas of an element as people read them, by their places."""
    from inexlab.collection.readable import TABLES, Reading
    from inexlab.index.collection import IndexedDocuments

    read = IndexedDocuments(index)[index.documents[document]]
    if read.keeps_source:  # which people read as it is
        return {}
    reading = Reading(read)
    found = {}
    for part in reading.special_parts(element - int(index.document_elements[document])):
        start, end = int(read.elements.start[part]), int(read.elements.end[part])
        if start < end:
            written = reading.written(part)
            found[start, end] = f"\n{written}\n" if reading.name(part) in TABLES else written
    return found


def _missing(index: Index, document: int, path: str) -> str:
    """Say how far a path leads that leads nowhere."""
    from inexlab.collection.paths import parse_place

    doc = index.documents[document]
    place = parse_place(path)
    if place is None or place.text_node is not None or place.offset is not None:
        return f"{path!r} is no path of an element, such as /article[1]/body[1]/sec[2]."
    steps = [f"/{tag}[{nth}]" for tag, nth in place.steps]
    for count in range(len(steps) - 1, 0, -1):
        above = "".join(steps[:count])
        if index.find(document, above) >= 0:
            return f"document {doc} has {above}, but no {steps[count][1:]} in it."
    root = index.path(int(index.document_elements[document]))
    return f"document {doc} has no element {path}; its root is {root}."
