"""`inexlab show`: print a document, or an element of it, from an index."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from inexlab.cli.options import INDEX
from inexlab.cli.terminal import sanitised

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
    from inexlab.api.searching import show as find_element
    from inexlab.errors import UnknownNameError

    if output not in ("text", "json"):
        raise UnknownNameError("output format", output, ("text", "json"))
    element = find_element(index, doc, path)
    text = element.text(output)
    sys.stdout.write(text if output == "json" else sanitised(text))
