"""Scoring runs: the one function behind `inexlab evaluate`, `inex_eval` and the Python interface."""

from __future__ import annotations

import contextlib
import functools
import os
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

import numpy as np

from inexlab.collection import Collection, open_collection
from inexlab.errors import InputError, UsageError
from inexlab.executors import Threads
from inexlab.frames import Columns, pandas_frame, polars_frame
from inexlab.judgements import Judgements, read_judgements
from inexlab.judgements.derive import grade_elements, locate_passages
from inexlab.judgements.merging import require_one_assessor
from inexlab.markup import table
from inexlab.measures.elements import element_evidence
from inexlab.measures.measure import Measure, expand
from inexlab.measures.notes import (
    coverage_notes,
    finding_notes,
    topics_averaged,
    undefined_notes,
    unjudged_run,
)
from inexlab.measures.spans import span_evidence
from inexlab.memory import keep_freed_memory
from inexlab.policy import Policy
from inexlab.runs import Run, read_run
from inexlab.scores import Scores, chosen_scores
from inexlab.wording import counted

if TYPE_CHECKING:
    import pandas
    import polars

Over = Literal["judged", "run"] | Sequence[str]
GivenRun = Run | str | Path | Callable[[], Run]

# A sensible look at any run if not declared which measures to take.
DEFAULT_MEASURES = ("iP@0.01", "MAiP", "SpanP@10", "SpanR@10", "MAgP(score=F,beta=1)")


class ScoreRow(NamedTuple):
    """One number: a run's score on a topic, or over all (`topic` is "all")."""

    run: str
    topic: str
    measure: str
    value: float | None


@dataclass(frozen=True, repr=False)
class Evaluation:
    """The scores of some runs by some measures, and what was assumed on the way.

    `oddities` are those of the notes that speak of odd results and judgements, whatever topics count.
    `unjudged` is the share of each run's results in unjudged documents.
    """

    scores: tuple[Scores, ...]
    notes: tuple[str, ...]
    oddities: tuple[str, ...] = ()
    unjudged: Mapping[str, float] = field(default_factory=dict)

    def __repr__(self) -> str:
        measures = ", ".join(str(s.measure) for s in self.scores[:3]) + (" …" if len(self.scores) > 3 else "")
        runs, topics = (len(self.scores[0].systems), len(self.scores[0].topics)) if self.scores else (0, 0)
        size = f"{counted(runs, 'run')}, {counted(topics, 'topic')}, {counted(len(self.scores), 'measure')}"
        return f"Evaluation({size}: {measures})"

    def _repr_html_(self) -> str:
        if not self.scores:
            return table("no scores", ("run",), [], 0)
        systems = self.scores[0].systems
        totals = [scores.totals() for scores in self.scores]
        what = f"{counted(len(systems), 'run')}, {counted(len(self.scores[0].topics), 'topic')}"
        rows = (
            (run, *(_value(scores, total[s]) for scores, total in zip(self.scores, totals, strict=True)))
            for s, run in enumerate(systems)
        )
        return table(what, ("run", *(str(scores.measure) for scores in self.scores)), rows, len(systems))

    def averaged_over(self) -> dict[str, list[int]]:
        """Return for each measure how many topics the mean (of a count: the sum) of each run is over."""
        return {str(scores.measure): topics_averaged(scores).tolist() for scores in self.scores}

    def rows(self, per_topic: bool = True) -> Iterator[ScoreRow]:
        """Yield every number, run by run: each topic's if asked for, then the one over all topics."""
        if not self.scores:
            return
        totals = [scores.totals() for scores in self.scores]
        for s, run in enumerate(self.scores[0].systems):
            if per_topic:
                for t, topic in enumerate(self.scores[0].topics):
                    for scores in self.scores:
                        yield ScoreRow(run, topic, scores.measure.given, _value(scores, scores.values[s, t]))
            for scores, total in zip(self.scores, totals, strict=True):
                yield ScoreRow(run, "all", scores.measure.given, _value(scores, total[s]))

    def as_columns(self, per_topic: bool = True) -> Columns:
        """Return the numbers as columns: run, topic, measure, value."""
        rows = list(self.rows(per_topic))
        values = [None if row.value is None else float(row.value) for row in rows]
        return {
            "run": [row.run for row in rows],
            "topic": [row.topic for row in rows],
            "measure": [row.measure for row in rows],
            "value": values if any(value is not None for value in values) else [float("nan")] * len(rows),
        }

    def to_pandas(self, per_topic: bool = True) -> pandas.DataFrame:
        """Return the numbers as a pandas frame with the columns run, topic, measure, value."""
        return pandas_frame(self.as_columns(per_topic))

    def to_polars(self, per_topic: bool = True) -> polars.DataFrame:
        """Return the numbers as a polars frame with the columns run, topic, measure, value."""
        return polars_frame(self.as_columns(per_topic))

    def __getitem__(self, measure: Measure | str) -> Scores:
        """Return the scores by a measure, given as it is or by its name."""
        return chosen_scores(self.scores, measure)


def _value(scores: Scores, value: float) -> float | None:
    """Return a score as JSON wants it: None for undefined, whole numbers for counts."""
    if np.isnan(value):
        return None
    whole = scores.total == "sum" and float(value).is_integer()
    return int(value) if whole else float(value)


class _Topic(Protocol):
    def __len__(self) -> int: ...


class _Evidence(Protocol):
    topics: Sequence[_Topic]
    findings: Counter[str]


def evaluate(
    judgements: Judgements | str | Path | object,
    runs: Iterable[GivenRun],
    measures: Iterable[Measure | str] | Measure | str = DEFAULT_MEASURES,
    *,
    collection: Collection | str | Path | None = None,
    policy: Policy | None = None,
    over: Over = "judged",
    need_judged_topics: bool = True,
    jobs: int = 1,
    scored: Callable[[Run], object] = lambda _run: None,
) -> Evaluation:
    """Score runs against judgements; files are read, tables are taken as they are, functions are called.

    `over` says which topics count: all judged ones (one missing from a run scores 0), those of each
    run, or the ones listed. The collection is needed only for results given as paths. A run without any
    judged topic is refused unless `need_judged_topics` is False.

    Up to `jobs` threads (0: one per core) read and score runs; numbers and the first error are those of one.
    Only one run more than there are threads is in memory. `scored` is told of each run, in order.
    """
    if not isinstance(judgements, Judgements):
        judgements = read_judgements(judgements)
    require_one_assessor(judgements)
    if collection is not None and not isinstance(collection, Collection):
        collection = open_collection(collection)
    if isinstance(runs, str | Path | Run):
        raise UsageError("runs is one run; give a list of runs.")
    scorer = make_scorer(
        judgements,
        measures,
        collection=collection,
        policy=policy,
        over=over,
        need_judged_topics=need_judged_topics,
    )
    with contextlib.closing(_score_all(scorer, runs, jobs, scored)) as made:  # its threads end here
        return scorer.evaluation(made)


def _score_all(
    scorer: Scorer, runs: Iterable[GivenRun], jobs: int, scored: Callable[[Run], object]
) -> Generator[ScoredRun, None, None]:
    """Yield what scoring gave, in the order of the runs."""

    def read(given: GivenRun) -> Run:
        return given if isinstance(given, Run) else given() if callable(given) else read_run(given)

    def score(run: Run) -> tuple[Run, ScoredRun | Exception]:
        try:
            return run, scorer.score(run)
        except Exception as error:  # raised in its turn, behind those of runs before it
            return run, error

    keep_freed_memory()  # of a run for the next one
    threads, documents = Threads(jobs or cores()), scorer.collection
    with contextlib.ExitStack() as ends:
        results: Iterable[tuple[Run, ScoredRun | Exception]]
        if documents is not None and not documents.for_threads:
            results = (score(read(given)) for given in runs)
        else:
            scored_runs = threads.map(lambda given: score(read(given)), runs)
            results = ends.enter_context(contextlib.closing(scored_runs))
        for run, result in results:
            if isinstance(result, Exception):
                raise result
            yield result
            scored(run)


class ScoredRun(NamedTuple):
    """What scoring a run gave: small, whatever the size of the run.

    `values` are by measure and topic; `counts` says which topics count. `findings` are odd results, of so
    many `results`; `missing` are topics that the run lacks.
    """

    id: str
    file: str
    values: list[list[float]]
    counts: list[bool]
    findings: Counter[str]
    results: int
    missing: list[str]


@dataclass(frozen=True)
class Scorer:
    """Judgements and measures, ready to score runs one by one."""

    judgements: Judgements
    measures: tuple[Measure, ...]
    collection: Collection | None
    policy: Policy
    over: Over
    chosen: frozenset[str] | None
    need_judged_topics: bool = True

    @functools.cached_property
    def topics(self) -> tuple[str, ...]:
        """The judged topics."""
        return tuple(self.judgements.topics)

    def score(self, run: Run) -> ScoredRun:
        """Score a run."""
        judgements, chosen = self.judgements, self.chosen
        material = {
            "run": run,
            "judgements": judgements,
            "policy": self.policy,
            "collection": self.collection,
        }
        in_run, topics = set(run.topics), self.topics
        known = in_run and len(topics)
        if self.need_judged_topics and known and in_run.isdisjoint(topics):
            raise unjudged_run(run, judgements)
        missing = [t for t in topics if t not in in_run and (chosen is None or t in chosen)]
        counted = [_counts(topic, in_run, chosen, self.over) for topic in topics]
        findings: Counter[str] = Counter()
        shared: dict[Callable[..., _Evidence], tuple[_Evidence, Sequence[_Topic]]] = {}
        by_topic: Sequence[_Topic] = ()
        scored: list[list[float]] = []
        for measure in self.measures:
            build = measure.definition.evidence
            if build not in shared:
                evidence = build(**material)
                shared[build] = evidence, evidence.topics
                findings |= evidence.findings
            evidence, by_topic = shared[build]
            scored.append(measure.scores(evidence, by_topic, counted))
        results = sum(map(len, by_topic))
        return ScoredRun(run.id, run.file, scored, counted, findings, results, missing)

    def evaluation(self, scored: Iterable[ScoredRun]) -> Evaluation:
        """Put the scores of runs together."""
        judgements, collection = self.judgements, self.collection
        runs: dict[str, ScoredRun] = {}
        for run in scored:
            _unique(runs, run)
        if not runs:
            raise UsageError("no run to score.")
        topics = self.topics
        values = np.array([run.values for run in runs.values()], dtype=np.float64)
        matrix = values.reshape(len(runs), len(self.measures), len(topics))
        scores = tuple(m.tabulate(tuple(runs), topics, matrix[:, i]) for i, m in enumerate(self.measures))
        about_judgements = [f"{judgements.file or 'judgements'}: {note}" for note in judgements.warnings]
        findings = {id: run.findings for id, run in runs.items()}
        about_results = list(finding_notes(findings, self.policy))
        missing = {id: run.missing for id, run in runs.items()}
        chosen = None if self.chosen is None else set(self.chosen)
        counts = [run.counts for run in runs.values()]
        notes = (
            *(collection.notes if collection is not None else ()),
            *about_judgements,
            *coverage_notes(judgements, self.over, chosen, missing, scores),
            *undefined_notes(scores, np.logical_or.reduce(counts, axis=0)),
            *about_results,
        )
        unjudged = {id: run.findings["unjudged"] / max(1, run.results) for id, run in runs.items()}
        return Evaluation(scores, notes, (*about_judgements, *about_results), unjudged)


def make_scorer(
    judgements: Judgements,
    measures: Iterable[Measure | str] | Measure | str = DEFAULT_MEASURES,
    *,
    collection: Collection | None = None,
    policy: Policy | None = None,
    over: Over = "judged",
    need_judged_topics: bool = True,
) -> Scorer:
    """Return what scores runs against judgements."""
    if isinstance(measures, str | Measure):
        measures = [measures]
    given = [m for name in measures for m in (expand(name) if isinstance(name, str) else [name])]
    judgements = completed(judgements, collection, given)
    scale = judgements.elements.scale if judgements.elements is not None else None
    wanted = tuple(m.for_scale(scale) for m in given)
    chosen = _chosen_topics(judgements, over)
    return Scorer(
        judgements,
        wanted,
        collection,
        policy or Policy(),
        over,
        None if chosen is None else frozenset(chosen),
        need_judged_topics,
    )


def completed(
    judgements: Judgements, collection: Collection | None, measures: Sequence[Measure]
) -> Judgements:
    """Return the judgements with what the collection adds: highlights from paths, grades of elements.

    Measures of documents alone need neither.
    """
    if all(m.definition.documents for m in measures):
        return judgements
    if judgements.passages and collection is not None:
        judgements = locate_passages(judgements, collection)
    elif judgements.passages and judgements.elements is None:
        raise InputError(
            "gives relevance by documents or paths, whose text is not known",
            file=judgements.file or "judgements",
            fix="Give `collection=DIR`, or ask for measures of documents such as AP, P@10 or nDCG@10.",
        )
    graded = any(m.definition.evidence is not span_evidence for m in measures)
    if collection is None and not any(m.definition.evidence is element_evidence for m in measures):
        graded = False  # a plug-in's evidence may need neither
    return grade_elements(judgements, collection) if graded and judgements.elements is None else judgements


def cores() -> int:
    """Return how many processors this process may use."""
    may = getattr(os, "sched_getaffinity", None)
    return len(may(0)) if may is not None else os.cpu_count() or 1


def _counts(topic: str, in_run: set[str], chosen: frozenset[str] | None, over: Over) -> bool:
    return topic in in_run if over == "run" else chosen is None or topic in chosen


def _chosen_topics(judgements: Judgements, over: Over) -> set[str] | None:
    """Return the listed topics that are judged; None if no list was given."""
    if isinstance(over, str):
        if over not in ("judged", "run"):
            raise UsageError(f"over is {over!r}, expected 'judged', 'run' or a list of topics.")
        return None
    chosen = set(over) & set(judgements.topics)
    if not chosen:
        raise UsageError("none of the listed topics is judged; check the list of topics.")
    return chosen


def _unique(runs: dict[str, ScoredRun], run: ScoredRun) -> None:
    """Add a run to others, of which none may have its id."""
    if run.id in runs:
        raise InputError(
            f"has the run id {run.id!r}, as {runs[run.id].file or 'another run'}",
            file=run.file or run.id,
            fix="Give each run an id of its own, or call runs by their files: `run_names=file`.",
        )
    runs[run.id] = run
