"""The table of scores: one measure, systems by topics. Measures make it; statistics and reports take it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from inexlab.display import Framed, draw_from
from inexlab.errors import UnknownNameError, UsageError
from inexlab.frames import Columns, name_of, number, read_columns
from inexlab.markup import MOST_ROWS, shade, table
from inexlab.tables import Floats, by_number_and_name
from inexlab.wording import counted

_LARGEST = 1e100  # the squares of larger scores cannot be added up


@dataclass(frozen=True, eq=False)
class Scores(Framed):
    """Scores by one measure: `values[s, t]` of system s on topic t, NaN if undefined or left out.

    `measure` is a measure, or the name that a file or a condition gives the scores. `total` says how topics
    are put together. `left_out` are topics of which `complete` found no score of every system.
    """

    systems: tuple[str, ...]
    topics: tuple[str, ...]
    values: Floats
    measure: Any = ""
    total: Literal["mean", "sum"] = "mean"
    left_out: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.values.shape != (len(self.systems), len(self.topics)):
            raise ValueError("the table does not have a row per system and a column per topic")
        for kind, names in (("system", self.systems), ("topic", self.topics)):
            if len(set(names)) < len(names):
                twice = min(name for name in set(names) if names.count(name) > 1)
                raise UsageError(f"two {kind}s are called {twice}; give each a name of its own.")

    @classmethod
    def of(cls, by_system: Mapping[str, Mapping[str, float]], measure: Any) -> Scores:
        """Make the table from each system's scores by topic; NaN, or missing, where undefined."""
        topics = tuple(dict.fromkeys(topic for scores in by_system.values() for topic in scores))
        rows = [[scores.get(topic, np.nan) for topic in topics] for scores in by_system.values()]
        values = np.array(rows, dtype=np.float64).reshape(len(by_system), len(topics))
        return cls(tuple(by_system), topics, values, measure)

    def __repr__(self) -> str:
        size = f"{counted(len(self.systems), 'system')}, {counted(len(self.topics), 'topic')}"
        return f"Scores({self.name!r}, {size})"

    @property
    def name(self) -> str:
        """What the scores are by, in words."""
        return str(self.measure)

    def totals(self) -> Floats:
        """Return each system's mean over its defined topics (the counts: the sum); NaN if none is."""
        defined = ~np.isnan(self.values)
        # added up in topic order, as the official tool does; numpy's own sum differs in the last digit
        counted = np.column_stack((np.zeros(len(self.systems)), np.where(defined, self.values, 0.0)))
        sums: Floats = np.cumsum(counted, axis=1)[:, -1]
        if self.total == "sum":
            return sums
        counts = defined.sum(axis=1)
        means: Floats = np.divide(sums, counts, out=np.full(len(sums), np.nan), where=counts > 0)
        return means

    def complete(self, *, common: bool = False) -> Scores:
        """Return the table of the topics on which every system has a score, sorted: what statistics need.

        A topic on which no system has a score is left out. Where only some systems lack one, `common`
        leaves it out too; without it that is an error which names systems and topics. The order of topics
        decides what a seed draws, so that the same scores give the same p-values wherever they come from.
        """
        undefined = np.isnan(self.values)
        nowhere = undefined.all(axis=0)
        partly = undefined.any(axis=0) & ~nowhere
        if partly.any() and not common:
            raise UsageError(self._lacking(undefined & partly))
        kept = [self.topics[t] for t in np.flatnonzero(~nowhere & ~partly).tolist()]
        if not kept:
            raise UsageError("there is no topic on which all systems have a score.")
        found = self.on(by_number_and_name(kept))
        if not np.isfinite(found.values).all():
            s, t = (int(i[0]) for i in np.nonzero(~np.isfinite(found.values)))
            raise UsageError(f"system {self.systems[s]} has no finite score on topic {found.topics[t]}.")
        if found.values.size and np.abs(found.values).max() > _LARGEST:
            raise UsageError(f"there are scores beyond {_LARGEST:g}, too large to add up their squares.")
        left_out = {*self.left_out, *self.topics} - set(found.topics)
        return replace(found, left_out=tuple(by_number_and_name(left_out)))

    def _lacking(self, lacking: np.ndarray[tuple[int, int], np.dtype[np.bool_]]) -> str:
        """Say which systems have no score on which topics."""
        rows = np.flatnonzero(lacking.any(axis=1)).tolist()
        shown = [
            f"{self.systems[s]} has none on "
            + _some(by_number_and_name(self.topics[t] for t in np.flatnonzero(lacking[s]).tolist()), 5)
            for s in rows[:3]
        ]
        more = f"; {len(rows) - 3} more systems lack some" if len(rows) > 3 else ""
        return (
            f"systems have scores on different topics: {'; '.join(shown)}{more}. "
            "`common_topics=True` keeps those that all have."
        )

    def __getitem__(self, system: str) -> dict[str, float]:
        """Return a system's score by topic."""
        if system not in self.systems:
            raise UnknownNameError("system", system, self.systems)
        return dict(zip(self.topics, self.values[self.systems.index(system)].tolist(), strict=True))

    def as_columns(self) -> Columns:
        """Return one row per score: system, topic, measure, value; None if a score is undefined."""
        rows = [(s, t) for s in range(len(self.systems)) for t in range(len(self.topics))]
        return {
            "run": [self.systems[s] for s, _ in rows],
            "topic": [self.topics[t] for _, t in rows],
            "measure": [self.name] * len(rows),
            "value": [None if (v := float(self.values[s, t])) != v else v for s, t in rows],
        }

    def plot(self, kind: str = "heatmap", system: Sequence[str] = ()) -> Any:
        """Draw a figure of the scores: heatmap, topics or, of two systems, differences."""
        return draw_from(kind, self.material(system), "a table of scores")

    def material(self, system: Sequence[str] = ()) -> dict[str, list[Any]]:
        """Return what figures can be drawn of: the scores, and the two systems named, else the two best."""
        complete = self.complete(common=True)
        if len(system) > 2:
            raise UsageError("differences are between two systems; name two.")
        best = [complete.systems[i] for i in (-complete.totals()).argsort(kind="stable")]
        two = [*system, *(name for name in best if name not in system)][:2]
        return {"matrix": [complete], **({"pair": [complete, *two]} if len(two) == 2 else {})}

    def choose(self, systems: Sequence[str]) -> Scores:
        """Return the table of some of the systems, in the order given."""
        rows = [self.systems.index(name) for name in systems]
        return replace(self, systems=tuple(systems), values=self.values[rows])

    def on(self, topics: Iterable[str]) -> Scores:
        """Return the table of some of the topics, in the order given."""
        place = {topic: t for t, topic in enumerate(self.topics)}
        chosen = tuple(topics)
        return replace(self, topics=chosen, values=self.values[:, [place[topic] for topic in chosen]])

    def _repr_html_(self) -> str:
        """Show the best systems and the first topics, darker where the score is higher."""
        totals = self.totals()
        order = np.argsort(-np.nan_to_num(totals, nan=-np.inf), kind="stable")
        most = float(np.nan_to_num(self.values).max(initial=0.0))
        topics = self.topics[:MOST_ROWS]
        further = (
            f", {len(self.topics) - len(topics):,} more topics" if len(self.topics) > len(topics) else ""
        )
        runs, number = counted(len(self.systems), "run"), counted(len(self.topics), "topic")
        what = f"{self.name}: {runs}, {number}{further}"
        rows = (
            (
                self.systems[s],
                float(totals[s]),
                *(shade(float(v), most) for v in self.values[s, : len(topics)]),
            )
            for s in order
        )
        return table(what, ("run", "all", *topics), rows, len(self.systems))


def scores_of(data: object) -> list[Scores]:
    """Return the tables in a frame or in records of scores, by measure: run, topic, measure, value.

    These are what `evaluate(…).to_pandas()` gives, ir_measures' `iter_calc` and pyterrier's `Experiment`.
    """
    what = "scores"
    columns = read_columns(data, ("run", "topic", "measure", "value"), ("topic", "value"), what)
    count = len(columns["topic"])
    systems, measures = (columns.get(name, [None] * count) for name in ("run", "measure"))
    found: dict[str, dict[str, dict[str, float]]] = {}
    for place in range(count):
        row = place + 1
        topic = name_of(columns["topic"][place], what, "topic", row)
        if topic == "all":  # the mean, which is not a topic
            continue
        of_measure = found.setdefault("" if measures[place] is None else str(measures[place]), {})
        of_system = of_measure.setdefault("run" if systems[place] is None else str(systems[place]), {})
        if topic in of_system:
            raise UsageError(f"{what}, row {row}: a second score of the same run, topic and measure.")
        of_system[topic] = number(columns["value"][place], what, "value", row)
    if not found:
        raise UsageError("the data holds no scores.")
    return [Scores.of(by_system, measure) for measure, by_system in found.items()]


def chosen_scores(tables: Sequence[Scores], measure: object) -> Scores:
    """Return the scores by a measure, given as a measure or by its name; say which there are."""
    for scores in tables:
        if measure == scores.measure or str(measure) in (
            str(scores.measure),
            getattr(scores.measure, "given", ""),
        ):
            return scores
    raise UnknownScoresError(str(measure), [scores.name for scores in tables])


def joined(tables: Sequence[Scores]) -> Scores:
    """Return one table of the systems of several, which are by the same measure."""
    if len(tables) == 1:
        return tables[0]
    by_system: dict[str, dict[str, float]] = {}
    for scores in tables:
        for system in scores.systems:
            if system in by_system:
                raise UsageError(f"two systems are called {system}; give each a name of its own.")
            by_system[system] = scores[system]
    return replace(Scores.of(by_system, tables[0].measure), total=tables[0].total)


class UnknownScoresError(UnknownNameError, KeyError):
    """Scores by a measure that was not asked for; a KeyError, as of a dictionary."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        super().__init__("measure of these scores", name, known)

    def __str__(self) -> str:
        return Exception.__str__(self)


def common_topics(tables: Sequence[Scores]) -> tuple[list[Scores], list[str]]:
    """Return tables on the topics that all have, and the topics left out."""
    others = [set(table.topics) for table in tables]
    shared = [topic for topic in tables[0].topics if all(topic in other for other in others)]
    if not shared:
        raise UsageError("the conditions have no topic in common.")
    return [table.on(shared) for table in tables], by_number_and_name(set().union(*others) - set(shared))


def _some(names: Sequence[str], most: int) -> str:
    return ", ".join(names[:most]) + " …" * (len(names) > most)
