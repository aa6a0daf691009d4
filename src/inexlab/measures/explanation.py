"""Explaining a score: one topic of one run by one measure, result by result, down to the number itself."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from inexlab.collection import Collection, open_collection
from inexlab.errors import UnknownNameError
from inexlab.judgements import Judgements, read_judgements
from inexlab.judgements.merging import require_one_assessor
from inexlab.measures.breakdown import Breakdown, Cell
from inexlab.measures.measure import Budget, Measure, parse
from inexlab.measures.notes import finding_notes
from inexlab.measures.scoring import completed
from inexlab.policy import Policy
from inexlab.runs import Run, locate, read_run


@dataclass(frozen=True)
class Explanation:
    """A topic's score taken apart: one row per result, or per document (`by`), best first.

    `columns` end with `score so far`: what the score would be had the list ended there, so that its last
    entry is the score. `steps` are the figures behind it that are not in the columns. `value` is what
    `evaluate` gives. `notes` say where the order of the results is not that of the file.
    """

    run: str
    topic: str
    measure: Measure
    by: str
    columns: Mapping[str, Sequence[Cell]]
    steps: Sequence[tuple[str, float]]
    value: float
    notes: tuple[str, ...] = ()

    @property
    def cut(self) -> int | None:
        """The last rank that the measure looks at, where it has a cut-off at a rank."""
        cutoff = self.measure.cutoff
        if "rank" in self.measure.definition.cutoff and cutoff is not None:
            return None if isinstance(cutoff, Budget) else int(cutoff)
        inner = re.search(r"@(\d+)$", str(self.measure.parameters.get("measure", "")))
        return int(inner[1]) if inner else None

    def __len__(self) -> int:
        return len(self.columns["rank"])

    def rows(self) -> list[dict[str, Cell]]:
        """Return the rows, each by column name."""
        return [{name: column[i] for name, column in self.columns.items()} for i in range(len(self))]


def explain(
    judgements: Judgements | str | Path,
    run: Run | str | Path,
    topic: str,
    measure: Measure | str,
    *,
    collection: Collection | str | Path | None = None,
    policy: Policy | None = None,
    first: int = 0,
) -> Explanation:
    """Take apart a run's score on a topic; `first` limits the rows (0: all), never the score."""
    if not isinstance(judgements, Judgements):
        judgements = read_judgements(judgements)
    require_one_assessor(judgements)
    if collection is not None and not isinstance(collection, Collection):
        collection = open_collection(collection)
    if not isinstance(run, Run):
        run = read_run(run)
    if isinstance(measure, str):
        measure = parse(measure)
    judgements = completed(judgements, collection, [measure])
    measure = measure.for_scale(judgements.elements.scale if judgements.elements is not None else None)
    if topic not in judgements.topics.codes:
        raise UnknownNameError("judged topic", topic, judgements.topics)
    if collection is not None:
        run = locate(run, collection, judgements.size_of)
    number = judgements.topics.codes[topic]
    definition = measure.definition
    evidence = definition.evidence(
        run=run, judgements=judgements, policy=policy or Policy(), collection=collection
    )
    seen = evidence.topics[number]
    taken_apart = (definition.breakdown or _nothing)(seen, **measure.arguments)
    count = len(np.unique(taken_apart.row))
    shown = min(first, count) if first else count
    columns: dict[str, Sequence[Cell]] = {"rank": list(range(1, shown + 1))}
    columns |= _identities(run, evidence, number, taken_apart, shown)
    columns |= {name: column[:shown] for name, column in taken_apart.columns.items()}
    if hasattr(evidence, "part"):
        heads = (evidence.part(number, taken_apart.row <= i).topics[number] for i in range(shown))
        columns["score so far"] = [_defined(measure.score(head)) for head in heads]
    value = float(measure.score(seen))
    order = Counter({kind: evidence.findings[kind] for kind in ("moved", "moved_topics", "unscored")})
    notes = tuple(finding_notes({run.id: order}, Policy()))
    return Explanation(run.id, topic, measure, taken_apart.by, columns, taken_apart.steps, value, notes)


def _nothing(topic: Any, **_arguments: Any) -> Breakdown:
    """Return the breakdown of a measure that brings none: the results alone."""
    return Breakdown("result", np.arange(len(topic)), {}, ())


def _identities(
    run: Run, evidence: Any, number: int, taken_apart: Breakdown, shown: int
) -> dict[str, list[Cell]]:
    """Return which document, and which part of it, each row is: of several results the first."""
    results = getattr(evidence, "results", evidence)
    kept = results.kept[slice(*results.results_from[number : number + 2])]
    _, first = np.unique(taken_apart.row, return_index=True)
    places = kept[first[:shown]]
    named: dict[str, list[Cell]] = {"document": [run.docs[d] for d in run.doc[places].tolist()]}
    if taken_apart.by == "document":
        counts = np.bincount(taken_apart.row, minlength=shown)[:shown]
        return named | {"results": counts.tolist()}
    if (run.path[places] >= 0).any():
        named["path"] = [run.paths[p] if p >= 0 else None for p in run.path[places].tolist()]
    if (run.start[places] >= 0).any():
        named["start"] = [s if s >= 0 else None for s in run.start[places].tolist()]
        named["end"] = [e if e >= 0 else None for e in run.end[places].tolist()]
    return named


def _defined(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
