"""`inexlab topics`: what is asked, how complex it is, and what is wrong with it."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from inexlab.cli.campaign import CAMPAIGN_FILE, open_manifest
from inexlab.cli.options import OUTPUT

if TYPE_CHECKING:
    from inexlab.experiments.manifest import Manifest
    from inexlab.report.tables import Grid
    from inexlab.topics import Topic, Topics

_FILES = typer.Argument(metavar="FILE...", help="Topic files, or folders of them.")
_COLLECTION = typer.Option(
    metavar="DIR", help="Folder, archive or index of the documents, to check tags against."
)
_STATISTICS = typer.Option("--statistics", help="Write counts of kinds and clauses, one row for each FILE.")
_PROBLEMS = typer.Option("--problems", help="Write the problems, and end with 1 if there are any.")
_LIST = typer.Option(
    metavar="FILE",
    help="With --statistics: topics, judgements or ids of this stage, to be counted; repeatable.",
)
_EQUIVALENCE = typer.Option(metavar="NAME|FILE", help="Tags that count as equal, with --collection.")
_INPUT_FORMAT = typer.Option(metavar="NAME", help="Read topics as xml, trec or jsonl.")


def topics(
    files: Annotated[list[str] | None, _FILES] = None,
    collection: Annotated[str, _COLLECTION] = "",
    statistics: Annotated[bool, _STATISTICS] = False,
    problems: Annotated[bool, _PROBLEMS] = False,
    candidate: Annotated[list[str] | None, _LIST] = None,
    selected: Annotated[list[str] | None, _LIST] = None,
    assessed: Annotated[list[str] | None, _LIST] = None,
    campaign_file: Annotated[str, CAMPAIGN_FILE] = "",
    equivalence: Annotated[str, _EQUIVALENCE] = "sections",
    input_format: Annotated[str, _INPUT_FORMAT] = "",
    output: Annotated[str, OUTPUT] = "table",
) -> None:
    """List topics, count them, or check them.

    Problems, always named with file and line: queries that cannot be read, signs and symbols that mean
    nothing where they stand, tags that the collection does not have, children that are no clause of their
    parent, near-duplicates. With --campaign-file topics, documents (for --problems) and the stages to be
    counted are those of the manifest.

    Examples (after `inexlab demo --out demo`):
    `inexlab topics demo/topics.xml`,
    `inexlab topics demo/topics.xml --statistics --assessed demo/judgements.qrels`,
    `inexlab topics --campaign-file demo/campaign.toml --statistics`,
    `inexlab topics demo/topics.xml --problems --collection demo/articles -o json`
    """
    from inexlab.errors import UsageError
    from inexlab.report.grids import known_format, write_grid
    from inexlab.topics import read_topics

    known_format(output)
    if statistics and problems:
        raise UsageError("give either --statistics or --problems.")
    if campaign_file:
        beside = files or collection or candidate or selected or assessed or input_format
        manifest = open_manifest(campaign_file, beside)
        if not manifest.topics:
            raise UsageError(f'{campaign_file} names no topics: add topics = ["FILE"].')
        given = {manifest.title: read_topics(manifest.topics)}
        stages = _stages_of(manifest) if statistics else {}
        collection = str(manifest.collection or "") if problems else ""
    else:
        if not files:
            raise UsageError("give at least one file of topics, or --campaign-file FILE.")
        named = {"candidate": candidate, "selected": selected, "assessed": assessed}
        if any(named.values()) and not statistics:
            raise UsageError("--candidate, --selected and --assessed are counted with --statistics.")
        given = {file: read_topics(file, input_format or None) for file in files}
        stages = {
            stage: list(dict.fromkeys(id for path in paths for id in _ids(path)))
            for stage, paths in named.items()
            if paths
        }
    together = (
        next(iter(given.values())) if len(given) == 1 else read_topics(list(given), input_format or None)
    )
    found = _found(together, collection, equivalence)
    for_programs = output in ("json", "csv", "tsv")
    if statistics:
        grid = _statistics(given, together, stages, for_programs)
    elif problems:
        grid = _problem_grid(found)
    else:
        grid = _list(list(together.values()), for_programs)
    if not problems:
        for file, line, topic, _kind, what in found:
            print(f"inexlab: {file}, line {line}: topic {topic}: {what}.", file=sys.stderr)
    sys.stdout.write(write_grid(grid, output))
    if problems and found:
        raise typer.Exit(1)


def _found(topics: Topics, collection: str, equivalence: str) -> Sequence[tuple[str, int, str, str, str]]:
    from inexlab.cli.terminal import working
    from inexlab.collection import open_collection
    from inexlab.topics.equivalence import read_equivalence
    from inexlab.topics.problems import topic_problems

    equal = read_equivalence(equivalence)
    if not collection:
        return topic_problems(topics)
    documents = open_collection(collection)
    with working(f"reading {collection}"):
        tags = documents.tags()
    return topic_problems(topics, tags, equal)


def _problem_grid(found: Sequence[tuple[str, int, str, str, str]]) -> Grid:
    from inexlab.report.tables import Grid

    return Grid(("file", "line", "topic", "kind", "problem"), found)


def _list(topics: Sequence[Topic], everything: bool) -> Grid:
    """One row for each topic: for people what fits on a line, for programs every field."""
    from inexlab.report.tables import Cell, Grid
    from inexlab.topics.decompose import single_clauses, target
    from inexlab.topics.families import parents, structured_query
    from inexlab.topics.query import path_text
    from inexlab.topics.table import FIELDS

    above = parents({topic.id: topic for topic in topics})
    rows: list[list[Cell]] = []
    for topic in topics:
        query = structured_query(topic)
        parent = above.get(topic.id)
        row: list[Cell] = [
            topic.id,
            topic.kind,
            None if query is None else len(single_clauses(query)),
            None if query is None else path_text(target(query)),
            None if parent is None else parent.id,
        ]
        if everything:
            row += [topic.candidate, topic.file, topic.line, *(getattr(topic, name) for name in FIELDS)]
        else:
            row.append(_shortened(topic.plain or topic.structured))
        rows.append(row)
    header = ["topic", "type", "clauses", "target", "child of"]
    return Grid([*header, *(["candidate", "file", "line", *FIELDS] if everything else ["query"])], rows)


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else f"{line[:59]}…"


def _statistics(
    given: Mapping[str, Topics], together: Topics, stages: Mapping[str, list[str]], for_programs: bool
) -> Grid:
    from inexlab.report.tables import Cell, Grid
    from inexlab.topics.statistics import survival, topic_statistics

    kinds = sorted({topic.kind for topics in given.values() for topic in topics.values()})
    header = ["topics in", "topics", *kinds, "children"]
    header += [f"{count} clause{'' if count == '1' else 's'}" for count in ("1", "2", "3", "4+")]
    rows: list[list[Cell]] = []
    parts = {name: list(topics.values()) for name, topics in given.items()}
    if len(parts) > 1:
        parts["total"] = list(together.values())
    for name, of_part in parts.items():
        counted = topic_statistics(of_part)
        row: list[Cell] = [name, counted.topics, *(counted.kinds.get(kind, 0) for kind in kinds)]
        row.append(counted.children)
        if for_programs:
            row += counted.clauses
        else:  # as in print
            row += [f"{n} ({p}%)" for n, p in zip(counted.clauses, counted.percentages, strict=True)]
        rows.append(row)
    if stages:
        counts = survival(*(stages.get(stage, []) for stage in ("candidate", "selected", "assessed")))
        header += stages
        of_all: list[Cell] = [getattr(counts, stage) for stage in stages]
        nothing: list[Cell] = [None] * len(stages)  # stages are of the campaign, not of one of its files
        rows = [[*row, *(of_all if row is rows[-1] else nothing)] for row in rows]
        if "selected" in stages and counts.strangers:
            shown = ", ".join(counts.strangers)
            print(f"inexlab: assessed but not selected: {shown}", file=sys.stderr)
    return Grid(header, rows)


def _stages_of(manifest: Manifest) -> dict[str, list[str]]:
    """Return the topics of each stage that a manifest tells of; assessed are those judged in any set."""
    from inexlab.judgements import read_judgements

    told = {"candidate": manifest.candidate_topics, "selected": manifest.selected_topics}
    stages = {
        stage: [id for one in named for id in ([one] if isinstance(one, str) else _ids(str(one)))]
        for stage, named in told.items()
        if named
    }
    judged = [topic for path in manifest.judgements.values() for topic in read_judgements(path).topics]
    return {**stages, "assessed": list(dict.fromkeys(judged))}


def _ids(path: str) -> list[str]:
    """Return the ids of topics in a file or folder: judgements, topics, or one id per line."""
    from inexlab.files import files_in, read_source
    from inexlab.judgements import read_judgements
    from inexlab.kinds import kind_of
    from inexlab.topics import read_topics
    from inexlab.topics.read import topic_formats

    source = read_source(files_in(path, "topic")[0])
    if kind_of(source) == "judgements":
        return list(read_judgements(path).topics)
    if source.is_xml or any(known.recognises(source) for known in topic_formats.values()):
        return list(read_topics(path))
    lines = source.data.decode(errors="replace").splitlines()
    return [line.split()[0] for line in lines if line.strip() and not line.strip().startswith("#")]
