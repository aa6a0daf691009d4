"""`inexlab explain`: why a score is what it is."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from inexlab.cli.terminal import working

if TYPE_CHECKING:
    from inexlab.collection import Collection
    from inexlab.judgements import Judgements
    from inexlab.measures import Explanation

_JUDGEMENTS = typer.Argument(
    metavar="JUDGEMENTS", help="Judgements: qrels, assessments (file or folder), JSON Lines."
)
_RUN = typer.Argument(metavar="RUN", help="The run.")
_TOPIC = typer.Option(metavar="ID", help="The topic.")
_MEASURE = typer.Option("-m", "--measure", help="The measure, such as MAiP or MAep(quant=gen5,overlap=on).")
_RANK = typer.Option(min=1, help="Only this rank, in full, with its text where there is a collection.")
_FIRST = typer.Option(min=0, help="Show so many ranks (0: all). JSON, CSV and TSV have all unless given.")
_COLLECTION = typer.Option(
    metavar="DIR", help="Folder or archive of the XML documents: for paths, and to show text."
)
_CAMPAIGN = typer.Option(help="Take the policy of a year: inex2002 … inex2010.")
_TASK = typer.Option(help="With --campaign: its task.")
_LIMIT = typer.Option(min=0, help="Results kept per topic (0: all); 1500 unless the policy says otherwise.")
_POLICY = typer.Option(
    metavar="NAME=VALUE", help="Another reading of an open question (`inexlab evaluate --policy help`)."
)
_POOL = typer.Option(metavar="ID", help="Only assessments of this pool (2005-2006); repeatable.")
_OUTPUT = typer.Option("-o", "--output", help="Format: table, json, csv, tsv or markdown.")

_FIRST_IN_TABLES = 30


def explain(
    judgements: Annotated[str, _JUDGEMENTS],
    run: Annotated[str, _RUN],
    topic: Annotated[str, _TOPIC] = "",
    measure: Annotated[str, _MEASURE] = "",
    rank: Annotated[int | None, _RANK] = None,
    first: Annotated[int | None, _FIRST] = None,
    collection: Annotated[str, _COLLECTION] = "",
    campaign: Annotated[str, _CAMPAIGN] = "",
    task: Annotated[str, _TASK] = "",
    limit: Annotated[int | None, _LIMIT] = None,
    policy: Annotated[list[str] | None, _POLICY] = None,
    pool: Annotated[list[str] | None, _POOL] = None,
    output: Annotated[str, _OUTPUT] = "table",
) -> None:
    """Take a score apart: what each result of a topic adds, down to the number that evaluate prints.

    The last column is what the score would be had the list ended there.

    Examples (after `inexlab demo --out demo`):

    - `inexlab explain demo/judgements.qrels demo/runs/focused-paragraphs.txt --collection demo/articles
      --topic 2026001 -m MAiP`

    - `inexlab explain demo/judgements.qrels demo/runs/focused-paragraphs.txt --collection demo/articles
      --topic 2026001 -m "MAep(quant=gen5,overlap=on)" --rank 2`
    """
    from inexlab.cli.evaluate import chosen_policy, chosen_preset
    from inexlab.collection import open_collection
    from inexlab.errors import UnknownNameError, UsageError
    from inexlab.judgements import read_judgements
    from inexlab.measures import explain as take_apart
    from inexlab.report.explanation import FORMATS, write_explanation

    if output not in FORMATS:
        raise UnknownNameError("output format", output, FORMATS)
    if not topic or not measure:
        raise UsageError("name the topic and the measure: --topic ID -m MEASURE.")
    preset = chosen_preset(campaign, task)
    judged = read_judgements(judgements, pools=pool or [])
    with working(f"opening {collection}"):
        documents = open_collection(collection) if collection else None
    people = output in ("table", "markdown")
    most = _FIRST_IN_TABLES if first is None and people else first or 0
    with working("scoring"):
        explanation = take_apart(
            judged,
            run,
            topic,
            measure,
            collection=documents,
            policy=chosen_policy(preset, limit, policy or []),
            first=max(most, rank or 0) if most else 0,
        )
    if rank and rank > len(explanation):
        raise UsageError(
            f"{explanation.run} has {len(explanation)} ranks on topic {topic}; --rank is {rank}."
        )
    if not rank and most and len(explanation) == most and first is None:
        print(f"inexlab: the first {most} ranks; --first 0 shows all", file=sys.stderr)
    sys.stdout.write(write_explanation(explanation, output, rank=rank or 0))
    if rank and documents is not None and people:
        sys.stdout.write(_text(explanation, rank, judged, documents))


def _text(explanation: Explanation, rank: int, judged: Judgements, documents: Collection) -> str:
    """Return the text of one result, what assessors highlighted in it marked."""
    from inexlab.report.explanation import marked_text
    from inexlab.spans import Span

    row = explanation.rows()[rank - 1]
    doc, start, end = row["document"], row.get("start"), row.get("end")
    if not isinstance(start, int) or not isinstance(end, int) or doc not in documents:
        return ""
    spans = [j.spans for j in judged if (j.topic, j.doc) == (explanation.topic, doc)]
    marks = ("\033[1;4m", "\033[0m") if sys.stdout.isatty() else ("[[", "]]")
    return (
        "\n"
        + marked_text(documents[str(doc)].text, Span(start, end), spans[0] if spans else [], marks)
        + "\n"
    )
