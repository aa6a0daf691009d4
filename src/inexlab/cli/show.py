"""`inexlab show`: print a document, or an element of it, from an index."""

from __future__ import annotations

from typing import Annotated

import typer

from inexlab.cli.options import INDEX

_DOC = typer.Argument(metavar="DOC", help="The id of a document.")
_PATH = typer.Argument(metavar="[PATH]", help="The XPath of an element; the whole document unless given.")
_OUTPUT = typer.Option("-o", "--output", help="Format: text or json.")


def show(
    index: Annotated[str, INDEX],
    doc: Annotated[str, _DOC],
    path: Annotated[str, _PATH] = "/",
    output: Annotated[str, _OUTPUT] = "text",
) -> None:
    """Print the text of a document or of one of its elements.

    Example (after `inexlab demo --out demo` and `inexlab index demo/articles --out demo/index`):
    `inexlab show demo/index pooling "/article[1]/body[1]/section[1]"`
    """
    import json

    from inexlab.errors import UnknownNameError, UsageError, nearest_name
    from inexlab.index.index import open_index

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
        raise UsageError(f"document {doc} has no element {path}.")
    start, end = opened.span(element)
    text = opened.text(number)[start:end]
    if output == "json":
        title, where = opened.titles[number], opened.path(element)
        found = {"doc": doc, "title": title, "path": where, "start": start, "end": end, "text": text}
        print(json.dumps(found, ensure_ascii=False, indent=1))
    else:
        print(text.strip())
