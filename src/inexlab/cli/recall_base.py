"""`inexlab recall-base`: the relevant elements of each topic, or the ideal ones."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from inexlab.cli.campaign import CAMPAIGN_FILE, TASK, one_task, open_manifest
from inexlab.cli.units import UNIT, judgements_in_characters

_JUDGEMENTS = typer.Argument(
    metavar="JUDGEMENTS", help="Assessments of 2002-2006 (file or folder), or highlights."
)
_QUANT = typer.Option(help="Quantisation, such as gen, strict5, spec6(links=out), or a TOML file.")
_IDEAL = typer.Option("--ideal", help="The ideal recall base, without overlap, in place of the full one.")
_CONSTRUCTION = typer.Option(metavar="NAME", help="Construction of the ideal recall base.")
_TOPIC = typer.Option(metavar="T", help="One topic only; repeatable.")
_COLLECTION = typer.Option(
    metavar="DIR", help="Folder or archive of the documents, for judgements by highlights."
)
_POOL = typer.Option(metavar="ID", help="Only assessments of this pool; repeatable.")
_OUTPUT = typer.Option("-o", "--output", help="Format: table, json, csv, tsv or markdown.")


def recall_base(
    judgements: Annotated[str, _JUDGEMENTS] = "",
    quant: Annotated[str, _QUANT] = "gen",
    ideal: Annotated[bool, _IDEAL] = False,
    construction: Annotated[str, _CONSTRUCTION] = "official",
    topic: Annotated[list[str] | None, _TOPIC] = None,
    collection: Annotated[str, _COLLECTION] = "",
    pool: Annotated[list[str] | None, _POOL] = None,
    unit: Annotated[list[str] | None, UNIT] = None,
    campaign_file: Annotated[str, CAMPAIGN_FILE] = "",
    task: Annotated[str, TASK] = "",
    output: Annotated[str, _OUTPUT] = "table",
) -> None:
    """Write the recall base: topic, document, path and value of every element that counts.

    How many elements each topic and each tag has goes to standard error.

    Example (after `inexlab demo --out demo`):
    `inexlab recall-base demo/judgements.qrels --collection demo/articles --quant spec6 --ideal`
    """
    import json
    from collections import Counter

    import numpy as np

    from inexlab.cli.collections import opened
    from inexlab.errors import UnknownNameError, UsageError
    from inexlab.judgements import read_judgements
    from inexlab.judgements.derive import grade_elements
    from inexlab.judgements.quantisation import parse_quantisation
    from inexlab.judgements.recall_base import known_ideal
    from inexlab.judgements.recall_base import recall_base as build
    from inexlab.report.tables import Cell, Grid, to_markdown, to_separated, to_terminal

    formats = ("table", "json", "csv", "tsv", "markdown")
    if output not in formats:
        raise UnknownNameError("output format", output, formats)
    if campaign_file:
        manifest = open_manifest(campaign_file, judgements or collection or unit)
        alike = len({t.judgements_file for t in manifest.tasks.values()}) == 1
        chosen = manifest.chosen(task if alike else one_task(manifest, task))
        judgements = str(chosen[0].judgements_file)
        collection = str(manifest.collection or "")
    if not judgements:
        raise UsageError("name the judgements, or a --campaign-file.")
    judged = read_judgements(judgements, pools=pool or ())
    documents = opened(collection)
    judged = judgements_in_characters(judged, documents, unit or [])
    if judged.elements is None:
        judged = grade_elements(judged, documents)
    elements = judged.elements
    assert elements is not None
    for name in topic or []:
        if name not in judged.topics.codes:
            raise UnknownNameError("topic", name, judged.topics)
    resolved = parse_quantisation(quant).for_scale(elements.scale)
    base = build(judged, elements, resolved, known_ideal(construction), ideal)
    row_of = np.repeat(np.arange(len(judged)), np.diff(elements.elements_from))
    rows: list[list[Cell]] = []
    by_topic: Counter[str] = Counter({name: 0 for name in judged.topics if not topic or name in topic})
    by_tag: Counter[str] = Counter()
    for e in np.flatnonzero(base.ideal).tolist():
        name = judged.topics[int(judged.topic[row_of[e]])]
        if topic and name not in topic:
            continue
        path = elements.paths[int(elements.path[e])]
        by_topic[name] += 1
        by_tag[path.rpartition("/")[2].partition("[")[0]] += 1
        rows.append([name, judged.docs[int(judged.doc[row_of[e]])], path, float(base.value[e])])
    kind = "ideal" if ideal else "full"
    for warning in judged.warnings:
        print(f"inexlab: {judgements}: {warning}", file=sys.stderr)
    noun = "element" if len(rows) == 1 else "elements"
    print(f"inexlab: {kind} recall base with {resolved}: {len(rows):,} {noun}", file=sys.stderr)
    for what, counts in (("topic", by_topic.items()), ("tag", by_tag.most_common())):
        print(f"inexlab: by {what}: {', '.join(f'{n} {c:,}' for n, c in counts) or 'none'}", file=sys.stderr)
    header = ("topic", "doc", "path", "value")
    if output == "json":
        print(json.dumps([dict(zip(header, row, strict=True)) for row in rows], ensure_ascii=False, indent=1))
    elif output in ("csv", "tsv"):
        sys.stdout.write(to_separated(iter(rows), header, "," if output == "csv" else "\t"))
    else:
        grid = Grid(header, rows)
        sys.stdout.write(to_markdown(grid) if output == "markdown" else to_terminal(grid, 10_000))
