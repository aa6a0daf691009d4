"""`inexlab search`: find the right part of a document."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from inexlab.cli.options import INDEX, MODEL, OVERLAP, SEARCH_TASK

if TYPE_CHECKING:
    from inexlab.retrieval.snippets import Hit

_QUERY = typer.Argument(
    metavar="QUERY", help='Words, "phrases", +wanted, -unwanted; or NEXI such as //sec[about(., words)].'
)
_COUNT = typer.Option("-k", "--count", min=1, help="How many results.")
_INTERPRETATION = typer.Option(help="Structure of NEXI queries: VVCAS, SVCAS, VSCAS or SSCAS.")
_OUTPUT = typer.Option("-o", "--output", help="Format: table or json.")


def search(
    index: Annotated[str, INDEX],
    query: Annotated[str, _QUERY],
    count: Annotated[int, _COUNT] = 10,
    model: Annotated[str, MODEL] = "bm25",
    task: Annotated[str, SEARCH_TASK] = "focused",
    overlap: Annotated[str, OVERLAP] = "correlation",
    interpretation: Annotated[str, _INTERPRETATION] = "VVCAS",
    output: Annotated[str, _OUTPUT] = "table",
) -> None:
    """Search an index for the elements that answer a query.

    Examples (after `inexlab demo --out demo` and `inexlab index demo/articles --out demo/index`):

    - `inexlab search demo/index "overlap of elements"`

    - `inexlab search demo/index "//section[about(., pooling)]" --interpretation SVCAS -k 3 -o json`
    """
    import json

    from inexlab.errors import UnknownNameError
    from inexlab.index.index import open_index
    from inexlab.retrieval.engine import all_terms, make_engine
    from inexlab.retrieval.snippets import hits
    from inexlab.retrieval.terms import query_terms
    from inexlab.topics.nexi import parse_nexi

    if output not in ("table", "json"):
        raise UnknownNameError("output format", output, ("table", "json"))
    engine = make_engine(open_index(index), model, interpretation)
    asked = parse_nexi(query)
    found = hits(engine, asked, task, overlap, count)
    if output == "json":
        print(json.dumps([hit._asdict() for hit in found], indent=1, ensure_ascii=False))
    else:
        for hit in found:
            _print(hit)
    if not found:
        none = all_terms(asked) and not query_terms(engine.index, all_terms(asked))
        print(f"inexlab: nothing found{': the index has no word of the query' * bool(none)}", file=sys.stderr)


def _print(hit: Hit) -> None:
    bold, plain = ("\033[1m", "\033[0m") if sys.stdout.isatty() else ("*", "*")
    snippet, at = "", 0
    for start, end in hit.marks:
        snippet += f"{hit.snippet[at:start]}{bold}{hit.snippet[start:end]}{plain}"
        at = end
    snippet += hit.snippet[at:]
    where = f" › {hit.way}" if hit.way else ""
    print(f"{hit.rank:>3}  {hit.score:.3f}  {hit.title or hit.doc}{where}")
    print(f"     {hit.doc} {hit.path}")
    print(f"     {' '.join(snippet.split())}\n")
