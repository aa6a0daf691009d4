"""`inexlab cas`: judgements, or runs, under the four interpretations of structure."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from inexlab.cli.campaign import CAMPAIGN_FILE, TASK, one_task, open_manifest
from inexlab.cli.options import OUTPUT
from inexlab.cli.units import UNIT, judgements_in_characters, run_in_characters

if TYPE_CHECKING:
    from inexlab.judgements import Judgements
    from inexlab.judgements.cas import CasSets, CasTopic
    from inexlab.tables import Floats
    from inexlab.topics.equivalence import Equivalence
    from inexlab.topics.patterns import PathPattern

_FILES = typer.Argument(metavar="JUDGEMENTS | --runs RUN...", help="Judgements; with --runs, runs.")
_RUNS = typer.Option("--runs", help="Filter runs by the target path in place of judgements.")
_TOPICS = typer.Option(metavar="FILE", help="Topics, parents and children; repeatable.")
_SPEC = typer.Option(metavar="FILE.json", help="{topic: {target, children, patterns, combine}}.")
_INTERPRETATION = typer.Option(help="SSCAS, SVCAS, VSCAS or VVCAS; SCAS and VCAS of 2003-2004.")
_EQUIVALENCE = typer.Option(
    metavar="NAME|FILE", help="Tags that count as equal: sections, inex-ieee, none, or a TOML file."
)
_QUANT = typer.Option(help="Quantisation that decides what the table counts as relevant.")
_COLLECTION = typer.Option(metavar="DIR", help="The documents, for highlights and for results by offset.")
_POOL = typer.Option(metavar="ID", help="Only assessments of this pool; repeatable.")
_OUT = typer.Option(metavar="DIR", help="Folder to write the assessments, or the strict runs, to.")


def cas(
    files: Annotated[list[str] | None, _FILES] = None,
    runs: Annotated[bool, _RUNS] = False,
    topics: Annotated[list[str] | None, _TOPICS] = None,
    spec: Annotated[str, _SPEC] = "",
    interpretation: Annotated[str, _INTERPRETATION] = "",
    equivalence: Annotated[str, _EQUIVALENCE] = "sections",
    quant: Annotated[str, _QUANT] = "gen",
    collection: Annotated[str, _COLLECTION] = "",
    unit: Annotated[list[str] | None, UNIT] = None,
    pool: Annotated[list[str] | None, _POOL] = None,
    campaign_file: Annotated[str, CAMPAIGN_FILE] = "",
    task: Annotated[str, TASK] = "",
    out: Annotated[str, _OUT] = "",
    output: Annotated[str, OUTPUT] = "table",
) -> None:
    """Make the judgement sets of content-and-structure topics, or strict runs from vague ones.

    The first letter is for the target element, the second for the support elements: S strict, V vague.
    The table counts the relevant elements of each topic in all four sets; a set is undefined where the
    children of a topic are not judged. Strict runs keep the lines of their files; those in XML are written
    anew.

    Examples (after `inexlab demo --out demo`):
    `inexlab cas demo/judgements.qrels --topics demo/topics.xml --collection demo/articles --quant spec6
    --interpretation SVCAS --out svcas`,
    `inexlab cas --runs demo/runs/focused-paragraphs.txt --topics demo/topics.xml --out strict`
    """
    from inexlab.errors import UsageError
    from inexlab.judgements.cas import known_interpretation
    from inexlab.judgements.quantisation import parse_quantisation
    from inexlab.report.grids import known_format
    from inexlab.topics.equivalence import read_equivalence

    known_format(output)
    if campaign_file:
        manifest = open_manifest(campaign_file, files or topics or collection)
        chosen = manifest.chosen(one_task(manifest, task))[0]
        files = [str(entry.file) for entry in chosen.runs] if runs else [str(chosen.judgements_file)]
        topics = [] if spec else [str(file) for file in manifest.topics]
        collection = str(manifest.collection or "")
    if not files:
        raise UsageError("name the judgements, or with --runs the runs; or a --campaign-file.")
    if bool(topics) == bool(spec):
        raise UsageError("give --topics FILE (repeatable), or --spec FILE.json.")
    equal = read_equivalence(equivalence)
    if equal.unverified:
        print(f"inexlab: equivalence {equivalence}, unverified: {equal.unverified}", file=sys.stderr)
    if runs:
        _filter_runs(files, _targets(topics or [], spec, equal), collection, unit or [], out, output)
        return
    judgements, *more = files  # a wildcard after --topics leaves all but its first file among the arguments
    if more and spec:
        raise UsageError("give one file or folder of judgements; with --runs, any number of runs.")
    if bool(interpretation) != bool(out):
        raise UsageError("--interpretation says which set --out writes: give both, or neither for the table.")
    wanted = known_interpretation(interpretation) if interpretation else ""
    quantisation = parse_quantisation(quant)
    sets = _sets(
        _judged(judgements, collection, unit or [], pool or []), [*(topics or []), *more], spec, equal
    )
    resolved = quantisation.for_scale(sets.elements.scale)
    print(f"inexlab: relevant elements are counted with {resolved}", file=sys.stderr)
    if wanted:
        _write_set(sets, wanted, out)
    _print_counts(sets, resolved.values(sets.elements), output)


def _judged(path: str, collection: str, unit: Sequence[str], pools: Sequence[str]) -> Judgements:
    """Read judgements of elements; those of highlights are made so with the collection."""
    from inexlab.cli.collections import opened
    from inexlab.judgements import read_judgements
    from inexlab.judgements.derive import grade_elements

    documents = opened(collection)
    judged = judgements_in_characters(read_judgements(path, pools=pools), documents, unit)
    if judged.elements is None:
        judged = grade_elements(judged, documents)
    for warning in judged.warnings:
        print(f"inexlab: {path}: {warning}", file=sys.stderr)
    return judged


def _sets(judged: Judgements, topics: Sequence[str], spec: str, equal: Equivalence) -> CasSets:
    """Return the sets of all topics that are judged; say which are not, and which sets are undefined."""
    from inexlab.errors import InputError
    from inexlab.judgements.cas import CasSets
    from inexlab.judgements.cas_topics import from_specification, from_topics
    from inexlab.topics import read_topics

    demanded: Mapping[str, CasTopic]
    notes: list[str] = []
    if spec:
        demanded = from_specification(spec, equal)
    else:
        demanded, notes = from_topics(read_topics(topics), judged.topics.codes, equal)
    assert judged.elements is not None
    sets = CasSets(judged, judged.elements, demanded)
    if not sets.topics:
        fix = "Check that topics and judgements are of the same year."
        raise InputError("judges none of the topics with a structured query", file=judged.file, fix=fix)
    for id in demanded:
        if id not in sets.topics:
            notes.append(f"topic {id} is not judged: it has no sets")
        elif why := sets.undefined(id):
            notes.append(f"topic {id} has no VSCAS and no SSCAS set: {why}")
    for note in notes:
        print(f"inexlab: {note}", file=sys.stderr)
    return sets


def _write_set(sets: CasSets, interpretation: str, out: str) -> None:
    from inexlab.errors import UsageError
    from inexlab.judgements.write import write_as_they_are

    if all(sets.chosen(id, interpretation) is None for id in sets.topics):
        raise UsageError(f"no topic has a {interpretation} set: nothing is written.")
    chosen = sets.judgements_of(interpretation)
    write_as_they_are(chosen, out, f"assessments-{'2006' if chosen.passages else sets.elements.scale}")
    noun = "topic" if len(chosen.topics) == 1 else "topics"
    print(f"inexlab: {out}: {interpretation} sets of {len(chosen.topics)} {noun}", file=sys.stderr)


def _print_counts(sets: CasSets, value: Floats, output: str) -> None:
    from inexlab.judgements.cas import INTERPRETATIONS
    from inexlab.report.grids import write_grid
    from inexlab.report.tables import Cell, Grid

    rows: list[list[Cell]] = []
    for id in sorted(sets.topics):
        counts = sets.counts(id, value)
        rows.append([id, *(counts[name] for name in INTERPRETATIONS)])
    sys.stdout.write(write_grid(Grid(("topic", *INTERPRETATIONS), rows), output))


def _targets(topics: Sequence[str], spec: str, equal: Equivalence) -> dict[str, PathPattern | None]:
    """Return the target path of each topic; None where it asks for no structure."""
    from inexlab.judgements.cas_topics import from_specification
    from inexlab.topics import read_topics
    from inexlab.topics.decompose import target
    from inexlab.topics.families import required_query
    from inexlab.topics.patterns import PathPattern

    if spec:
        return {id: topic.target for id, topic in from_specification(spec, equal).items()}
    found: dict[str, PathPattern | None] = {}
    for id, topic in read_topics(topics).items():
        found[id] = PathPattern(target(required_query(topic)), equal) if topic.structured else None
    return found


def _filter_runs(
    files: Sequence[str],
    targets: Mapping[str, PathPattern | None],
    collection: str,
    unit: Sequence[str],
    out: str,
    output: str,
) -> None:
    from pathlib import Path

    import numpy as np

    from inexlab.cli.collections import opened
    from inexlab.errors import UsageError
    from inexlab.output import new_folder
    from inexlab.report.grids import write_grid
    from inexlab.report.tables import Cell, Grid
    from inexlab.runs import read_run
    from inexlab.runs.strict import conforming, write_rows

    names = [Path(file).name.removesuffix(".gz") for file in files]
    if not out:
        raise UsageError("give --out DIR, the folder to write the strict runs to.")
    if "-" in files or len(set(names)) < len(names):
        raise UsageError("strict runs keep the names of their files: give files with different names.")
    documents = opened(collection)
    rows: list[list[Cell]] = []
    with new_folder(out) as folder:
        for file, name in zip(files, names, strict=True):
            run = run_in_characters(read_run(file), documents, unit)
            keep = np.flatnonzero(conforming(run, targets, documents))
            unknown = [topic for topic in run.topics if topic not in targets]
            if unknown:
                shown = ", ".join(unknown[:5]) + (" …" if len(unknown) > 5 else "")
                print(f"inexlab: {file}: topics not in the topic files, left out: {shown}", file=sys.stderr)
            if len(keep):
                write_rows(run, keep, file, folder / name)
            else:
                print(f"inexlab: {file}: no result conforms, nothing is written", file=sys.stderr)
            rows.append([run.id, len(run), len(keep), len(run.topics), len(np.unique(run.topic[keep]))])
    header = ("run", "results", "conforming", "topics", "topics with results")
    sys.stdout.write(write_grid(Grid(header, rows), output))
