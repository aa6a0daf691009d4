"""`inexlab search`: find the right part of a document."""

from __future__ import annotations

import sys
import textwrap
from typing import TYPE_CHECKING, Annotated

import typer

from inexlab.cli.options import (
    BY,
    CONTEXT,
    EXACT,
    INDEX,
    MODEL,
    OVERLAP,
    QUERY_LANGUAGE,
    SEARCH_TASK,
    SIGNS,
    TAGS,
    WITHIN,
    WITHOUT,
)
from inexlab.cli.progress import showing_progress
from inexlab.cli.scoring import print_notes
from inexlab.cli.terminal import BOLD, PLAIN, sanitised, terminal_width

if TYPE_CHECKING:
    from inexlab.retrieval.snippets import Hit

_QUERY = typer.Argument(
    metavar="QUERY",
    help='Words, "phrases", +wanted, -unwanted; or NEXI such as //sec[about(., words)]. One that begins with '
    "- comes last, after --.",
)
_BEGIN, _END = "\x02", "\x03"  # around what matches, while lines are made: no XML has these characters
_COUNT = typer.Option("-k", "--count", min=1, help="How many results.")
_FROM = typer.Option("--from", min=1, metavar="RANK", help="The first result to show.")
_PER_DOCUMENT = typer.Option(metavar="N|all", help="Results of one document at most; 3 of tasks by score.")
_GROUP = typer.Option("--group", help="Show the results of one document together.")
_INTERPRETATION = typer.Option(help="Structure of NEXI queries: VVCAS, SVCAS, VSCAS or SSCAS.")
_PROFILE_QUERY = typer.Option("--profile-query", help="Say what the query visited, left out and scored.")
_OUTPUT = typer.Option("-o", "--output", help="Format: table or json.")


def search(
    index: Annotated[str, INDEX],
    query: Annotated[str, _QUERY],
    count: Annotated[int, _COUNT] = 10,
    model: Annotated[str, MODEL] = "bm25",
    task: Annotated[str, SEARCH_TASK] = "focused",
    overlap: Annotated[str, OVERLAP] = "correlation",
    interpretation: Annotated[str, _INTERPRETATION] = "SVCAS",
    by: Annotated[str, BY] = "auto",
    begin: Annotated[int, _FROM] = 1,
    per_document: Annotated[str, _PER_DOCUMENT] = "",
    group: Annotated[bool, _GROUP] = False,
    signs: Annotated[str, SIGNS] = "demands",
    within: Annotated[list[str] | None, WITHIN] = None,
    exclude: Annotated[list[str] | None, WITHOUT] = None,
    tags: Annotated[str, TAGS] = "",
    context: Annotated[str, CONTEXT] = "",
    exact: Annotated[bool, EXACT] = False,
    language: Annotated[str, QUERY_LANGUAGE] = "",
    profile_query: Annotated[bool, _PROFILE_QUERY] = False,
    output: Annotated[str, _OUTPUT] = "table",
) -> None:
    """Search an index for the parts of documents that answer a query.

    By default these are passages: whole sentences of what can be an answer, no two with the same text, three
    of a document at most. A query that is not NEXI is a bag of words.

    Examples (after `inexlab demo --out demo` and `inexlab index demo/articles --out demo/index`):

    - `inexlab search demo/index "overlap of elements"`

    - `inexlab search demo/index "//section[about(., pooling)]" -k 3 -o json`

    - `inexlab search demo/index "pooling +depth" --by elements:section,p --per-document all`
    """
    options = {
        name: value for name, value in locals().items() if name != "output"
    }  # as the library calls them
    from inexlab.api.searching import search as find
    from inexlab.errors import UnknownNameError

    if output not in ("table", "json"):
        raise UnknownNameError("output format", output, ("table", "json"))
    with showing_progress():
        found = find(**options)
    if output == "json":
        sys.stdout.write(found.text("json"))
    else:
        for hit in found:
            _print(hit)
    print_notes(found.notes)


def _print(hit: Hit) -> None:
    in_terminal = sys.stdout.isatty()
    plain = sanitised(hit.snippet)  # character for character
    snippet, at = "", 0
    for start, end in hit.marks:
        snippet += f"{plain[at:start]}{_BEGIN}{plain[start:end]}{_END}"
        at = end
    snippet = " ".join((snippet + plain[at:]).split())
    where = f" › {hit.breadcrumb}" if hit.breadcrumb else ""
    head = f"{hit.rank:>3}  {hit.score:.4g}  "
    names = (f"{head}{hit.title or hit.doc}{where}", f"     {hit.doc} {hit.path}")
    lines = [*map(sanitised, names), f"     {snippet}"]
    if in_terminal:
        # a path is left in one piece, to be copied
        lines[0] = _wrapped(lines[0], len(head))
        lines[2] = _wrapped(lines[2], 5)
    for mark, shown in ((_BEGIN, BOLD), (_END, PLAIN)) if in_terminal else ((_BEGIN, "*"), (_END, "*")):
        lines[2] = lines[2].replace(mark, shown)
    print("\n".join(lines), end="\n\n")


def _wrapped(line: str, indent: int) -> str:
    return textwrap.fill(
        line, terminal_width(), subsequent_indent=" " * indent, break_long_words=False, drop_whitespace=True
    )
