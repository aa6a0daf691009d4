"""Files converted and described: `convert`, `profile`, `recall_base`, `cas` and `list_topics`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inexlab.api.answers import Answer, Table
from inexlab.api.inputs import (
    Documents,
    Several,
    given_collection,
    given_judgements,
    given_topics,
    several,
    with_entities,
)
from inexlab.errors import UsageError
from inexlab.experiments.cas import CountedSets, cas_sets, make_strict_runs, write_cas_set
from inexlab.experiments.conversion import convert as write_in_another_format
from inexlab.experiments.profile import profile_runs
from inexlab.experiments.recall_base import ListedRecallBase, list_recall_base
from inexlab.experiments.topics import ExaminedTopics, examine_topics
from inexlab.frames import column_names
from inexlab.judgements import Judgements
from inexlab.judgements.cas import known_interpretation
from inexlab.judgements.recall_base import RelevantElement
from inexlab.judgements.write import judgement_writers
from inexlab.output import refuse_unwritable
from inexlab.report.cas import counts_grid, strict_runs_grid
from inexlab.report.profile import profile_grid
from inexlab.report.recall_base import write_recall_base
from inexlab.report.tables import Grid
from inexlab.report.topics import problem_grid, statistics_grid, topic_grid
from inexlab.runs import Run
from inexlab.runs.objects import runs_of
from inexlab.runs.write import run_writers


@dataclass(frozen=True, eq=False, repr=False)
class Conversion(Answer):
    """What was written where, and what was lost on the way."""

    out: str
    to: str
    notes: tuple[str, ...] = ()

    def grid(self, *, for_programs: bool = False) -> Grid:  # noqa: ARG002 - one for both
        """Return one row per note."""
        return Grid(["note"], [[note] for note in self.notes])

    def __repr__(self) -> str:
        return f"Conversion({self.out!r}, {self.to})"


@with_entities
def convert(
    file: object,
    to: str,
    out: str | Path,
    *,
    collection: Documents = None,
    input_format: str = "",
    unit: Several = (),
    pool: Several = (),
    assessor: Several = (),
    merge: str = "",
    run_id: str = "",
    about: Several = (),
) -> Conversion:
    """Write a run or judgements in another format, and return what was lost.

    What would have to be invented is refused: grades from highlights, offsets without documents. Offsets are
    written in characters; `unit` says what those of the file count. Of judgements by several assessors
    `assessor` keeps those of some; `merge` makes one of several: union, intersection, majority, set-a, set-b.

    >>> import inexlab
    >>> inexlab.convert("demo/runs/focused-chunks.jsonl", "trec", "chunks.trec")
    Conversion('chunks.trec', trec)
    >>> inexlab.convert({"1": {"a": 2, "b": 0}}, "trec-qrels", "mine.qrels").notes[-1]
    'judgements: 2 judged documents of 1 topic written as trec-qrels to mine.qrels'
    """
    notes = write_in_another_format(
        _run_or_judgements(file, to),
        to=to,
        out=out,
        collection=given_collection(collection),
        input_format=input_format,
        unit=several(unit),
        pool=several(pool),
        assessor=several(assessor),
        merge=merge,
        run_id=run_id,
        about=several(about),
    )
    return Conversion(str(out), to, tuple(notes))


def _run_or_judgements(given: object, to: str) -> Run | Judgements | str | Path:
    """Return what is given: by the format that is asked for, and where that is of both, by its columns."""
    if isinstance(given, Run | Judgements | str | Path):
        return given
    judged = to not in run_writers or {"grade", "spans"} & (column_names(given) - {"score"})
    if to in judgement_writers and judged and not {"score", "rank", "path"} & column_names(given):
        return Judgements.of(given)
    return Run.of(given)


@with_entities
def profile(
    runs: object = (),
    *,
    by: str = "run",
    judgements: object = None,
    collection: Documents = None,
    unit: Several = (),
    campaign_file: str | Path = "",
    task: str = "",
) -> Table:
    """Describe runs: how much they return, how much of it overlaps, which elements, how deep, what is judged.

    `by` is run, tag, depth or rank: one line per run, or per tag, depth or range of ranks of it.

    >>> import inexlab
    >>> found = inexlab.profile("demo/runs/focused-sections.txt", collection="demo/articles")
    >>> found.to_pandas()["run"].tolist()
    ['sections']
    """
    profiles = profile_runs(
        runs_of(runs),
        by=by,
        judgements=given_judgements(judgements),
        collection=given_collection(collection),
        unit=several(unit),
        campaign_file=campaign_file,
        task=task,
    )
    notes = tuple(note for one in profiles for note in one.notes)
    return Table("Profile", profile_grid(profiles), profile_grid(profiles, for_programs=True), notes)


@dataclass(frozen=True, eq=False, repr=False)
class RecallBaseResult(Answer):
    """The elements of a recall base: topic, document, path and value of each."""

    listed: ListedRecallBase

    @property
    def notes(self) -> tuple[str, ...]:  # type: ignore[override]
        """The warnings, and how many elements each topic and each tag has."""
        return self.listed.notes

    @property
    def elements(self) -> Sequence[RelevantElement]:
        """The elements."""
        return self.listed.elements

    def __len__(self) -> int:
        return len(self.elements)

    def __repr__(self) -> str:
        kind = "ideal" if self.listed.ideal else "full"
        topics = len(self.listed.by_topic)
        return f"RecallBase({kind}, {self.listed.quantisation}: {len(self)} elements of {topics} topics)"

    def grid(self, *, for_programs: bool = False) -> Grid:  # noqa: ARG002 - one for both
        """Return one row per element."""
        return Grid(RelevantElement._fields, self.elements)

    def text(self, output: str = "table", *, width: int = 100) -> str:  # noqa: ARG002
        """Return what the command line prints: table, json, csv, tsv or markdown."""
        return write_recall_base(self.elements, output)


@with_entities
def recall_base(
    judgements: object = None,
    *,
    quant: str = "gen",
    ideal: bool = False,
    construction: str = "official",
    topic: Several = (),
    collection: Documents = None,
    pool: Several = (),
    assessor: Several = (),
    merge: str = "",
    unit: Several = (),
    campaign_file: str | Path = "",
    task: str = "",
) -> RecallBaseResult:
    """Return the recall base: topic, document, path and value of every element that counts.

    >>> import inexlab
    >>> inexlab.recall_base("demo/judgements.qrels", quant="spec6", collection="demo/articles", ideal=True)
    RecallBase(ideal, spec6: 66 elements of 6 topics)
    """
    return RecallBaseResult(
        list_recall_base(
            given_judgements(judgements),
            quant=quant,
            ideal=ideal,
            construction=construction,
            topic=several(topic),
            collection=given_collection(collection),
            pool=several(pool),
            assessor=several(assessor),
            merge=merge,
            unit=several(unit),
            campaign_file=campaign_file,
            task=task,
        )
    )


@dataclass(frozen=True, eq=False, repr=False)
class CasResult(Table):
    """How many relevant elements each topic has under the four interpretations; `counted` has the sets."""

    counted: CountedSets | None = None


@with_entities
def cas(
    files: object = (),
    *,
    runs: bool = False,
    topics: object = (),
    spec: str = "",
    interpretation: str = "",
    equivalence: str = "sections",
    quant: str = "gen",
    collection: Documents = None,
    unit: Several = (),
    pool: Several = (),
    assessor: Several = (),
    merge: str = "",
    campaign_file: str | Path = "",
    task: str = "",
    out: str | Path = "",
) -> CasResult:
    """Make the judgement sets of content-and-structure topics, or strict runs from vague ones.

    `files` are judgements or, with `runs`, runs, whose strict forms are written to the folder `out`. The
    first letter of an interpretation is for the target element, the second for the support elements: S
    strict, V vague. The table counts the relevant elements of each topic in all four sets.

    >>> import inexlab
    >>> inexlab.cas(
    ...     "demo/judgements.qrels", topics="demo/topics.xml", collection="demo/articles", quant="spec6"
    ... )
    Cas(6 rows: topic, SSCAS, SVCAS, VSCAS …)
    """
    asked, documents = given_topics(topics), given_collection(collection)
    if runs:
        strict = make_strict_runs(
            [one for one in several(files) if isinstance(one, str | Path)],
            out=out,
            topics=asked,
            spec=spec,
            equivalence=equivalence,
            collection=documents,
            unit=several(unit),
            campaign_file=campaign_file,
            task=task,
        )
        return CasResult("StrictRuns", strict_runs_grid(strict), notes=strict.notes)
    if bool(interpretation) != bool(str(out)):
        raise UsageError(
            "`interpretation=` selects the set that `out=` writes: give both, or neither for the table."
        )
    wanted = known_interpretation(interpretation) if interpretation else ""
    if str(out):
        refuse_unwritable(out, folder=True)
    listed = list(files) if isinstance(files, list | tuple) else [files]
    more = [str(one) for one in listed[1:]]  # a wildcard after --topics leaves all but its first file here
    if more and spec:
        raise UsageError("give one file or folder of judgements; with `runs=True`, any number of runs.")
    counted = cas_sets(
        given_judgements(listed[0]) if listed else "",
        topics=[*asked, *more] if asked else [],
        spec=spec,
        equivalence=equivalence,
        quant=quant,
        collection=documents,
        unit=several(unit),
        pool=several(pool),
        assessor=several(assessor),
        merge=merge,
        campaign_file=campaign_file,
        task=task,
    )
    written = []
    if wanted:
        try:
            written.append(write_cas_set(counted.sets, wanted, out))
        except UsageError as error:
            for note in counted.notes:  # which say why there is nothing to write
                error.add_note(note)
            raise
    return CasResult("Cas", counts_grid(counted), notes=(*counted.notes, *written), counted=counted)


@dataclass(frozen=True, eq=False, repr=False)
class TopicsResult(Answer):
    """Topics that were looked at: a list of them, counts (`statistics`), or what is wrong (`problems`)."""

    examined: ExaminedTopics
    shows: str = "topics"

    @property
    def topics(self) -> Any:
        """The topics themselves."""
        return self.examined.together

    @property
    def problems(self) -> Sequence[Any]:
        """What is wrong with them, with file and line."""
        return self.examined.problems

    @property
    def notes(self) -> tuple[str, ...]:  # type: ignore[override]
        """What does not fit between the stages, and the problems, unless they are what is asked for."""
        stages = self.examined.stage_notes if self.shows == "statistics" else ()
        return (
            *self.examined.notes,
            *stages,
            *(() if self.shows == "problems" else self.examined.problem_notes),
        )

    def __len__(self) -> int:
        return len(self.examined.together)

    def __repr__(self) -> str:
        return f"Topics({len(self)} topics, {len(self.problems)} problems)"

    def grid(self, *, for_programs: bool = False) -> Grid:
        """Return one row per topic, per file or per problem."""
        if self.shows == "problems":
            return problem_grid(self.examined)
        if self.shows == "statistics":
            return statistics_grid(self.examined, for_programs=for_programs)
        return topic_grid(self.examined.together.values(), for_programs=for_programs)

    def text(self, output: str = "table", *, width: int = 10_000) -> str:
        """Return what the command line prints."""
        return super().text(output, width=width)


@with_entities
def list_topics(
    files: object = (),
    *,
    collection: Documents = None,
    statistics: bool = False,
    problems: bool = False,
    candidate: Several = (),
    selected: Several = (),
    assessed: Several = (),
    campaign_file: str | Path = "",
    equivalence: str = "sections",
    input_format: str = "",
) -> TopicsResult:
    """List topics, count them, or check them.

    This is `inexlab topics`. Problems are queries that cannot be read, signs and symbols that mean nothing
    where they stand, tags that the collection does not have, children that are not clauses of their parent,
    near-duplicates.

    >>> import inexlab
    >>> found = inexlab.list_topics("demo/topics.xml")
    >>> found
    Topics(6 topics, 0 problems)
    >>> found.to_pandas()["topic"].tolist()[:2]
    ['2026001', '2026002']
    """
    examined = examine_topics(
        given_topics(files),
        collection=given_collection(collection),
        statistics=statistics,
        problems=problems,
        candidate=several(candidate),
        selected=several(selected),
        assessed=several(assessed),
        campaign_file=campaign_file,
        equivalence=equivalence,
        input_format=input_format,
    )
    return TopicsResult(examined, "problems" if problems else "statistics" if statistics else "topics")
