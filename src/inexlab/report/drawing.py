"""From the options of a figure to the figure itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from inexlab.errors import UnknownNameError, UsageError
from inexlab.experiments.assessors import AssessorAgreement, compare_assessors
from inexlab.experiments.choices import Choices, choose_one
from inexlab.experiments.conditions import DECISIONS, Condition, choose_conditions, score_conditions
from inexlab.experiments.judged_sets import split_files
from inexlab.experiments.tables import Given, are_scores, given_scores, judgements_and_runs
from inexlab.judgements import Judgements
from inexlab.measures import parse
from inexlab.report.curves import Curve
from inexlab.report.figure import Plot, figures
from inexlab.report.gathering import gather, topic_titles
from inexlab.report.scores import best_first
from inexlab.runs import Run
from inexlab.scores import Scores, common_topics
from inexlab.statistics.procedure import Procedure
from inexlab.topics import Topics

_TWO = (
    "this figure compares two conditions, the x-axis first: give two of `measure=` or `condition=`, or "
    "`vary='KEY=A,B'`."
)


@dataclass(frozen=True, eq=False)
class Sketch:
    """What a figure is to show: scores (of runs or of files), compared how, and which systems stand out.

    A figure of two conditions has them in what varies, in conditions spelled out, or in two measures.
    """

    files: Sequence[Given]
    choices: Choices
    procedure: Procedure
    systems: Sequence[str] = ()
    vary: Sequence[str] = ()
    spelled_out: Sequence[str] = ()
    topics_of: str = "common"

    def draw(self, kind: str) -> Plot:
        """Return the figure, with what was assumed on the way."""
        notes: list[str] = []
        figure = figures[kind]
        if not figure.needs.startswith("two ") and (self.vary or self.spelled_out):
            of_two = ", ".join(known.name for known in figures.values() if known.needs.startswith("two "))
            raise UsageError(f"`vary=` and `condition=` are for figures of two conditions: {of_two}.")
        material, options = self._material(figure.needs, notes)
        return replace(figure.plot(*material, **options), notes=tuple(notes))

    def _material(self, needs: str, notes: list[str]) -> tuple[list[Any], dict[str, Any]]:
        """Return the arguments and options of a figure's data."""
        if needs == "assessors":
            found = self._assessors()
            notes += found.notes
            return [found], {}
        if needs == "profiles":
            scored, _, profiles = gather(self._experiment(), profiles=True)
            notes += scored.notes
            return [profiles], {"order": best_first(scored.evaluation).scores[0].systems}
        if needs == "curve":
            return [self._curve(notes)], {"systems": self.systems}
        if needs in ("two comparisons", "two matrices"):
            pair = self._two(notes)
            if needs == "two matrices":
                return [scores for scores, _ in pair], {}
            return [procedure.compare(scores, intervals=False) for scores, procedure in pair], {}
        scores = self._tables(notes)[0].complete(common=True)
        if needs == "comparison":
            return [self.procedure.compare(scores)], {}
        titles = {"titles": topic_titles(self._topics())}
        if needs == "matrix":
            return [scores], titles
        best = [scores.systems[i] for i in (-scores.totals()).argsort(kind="stable")]
        two = [*self.systems, *(s for s in best if s not in self.systems)][:2]
        if len(self.systems) > 2 or len(two) < 2:
            raise UsageError("differences are between two systems: give two of `system=`.")
        return [scores, *two], titles

    def _assessors(self) -> AssessorAgreement:
        """Return how far those agree who judged: files of judgements, and perhaps runs."""
        paths = [file for file in self.files if isinstance(file, str | Path)]
        judged, runs = split_files(paths)
        tables = [file for file in self.files if isinstance(file, Judgements)]
        others = [file for file in self.files if isinstance(file, Run)]
        return compare_assessors([*tables, *judged], [*others, *runs], self.choices, procedure=self.procedure)

    def _topics(self) -> Sequence[str | Path | Topics]:
        """Return the files of topics: those given and, of a campaign, its own."""
        return self._experiment().topics if self.choices.campaign_file else self.choices.topics

    def _experiment(self) -> Any:
        return choose_one(judgements_and_runs(self.files), self.choices)

    def _tables(self, notes: list[str]) -> Sequence[Scores]:
        """Return the scores by each measure."""
        if are_scores(self.files):
            return given_scores(self.files, self.choices)
        scored, _, _ = gather(self._experiment())
        notes += scored.notes
        return scored.evaluation.scores

    def _two(self, notes: list[str]) -> list[tuple[Scores, Procedure]]:
        """Return the scores under two conditions, and how systems are compared under each."""
        if len(self.choices.measure) == 2 and not self.vary and not self.spelled_out:
            pair, _ = common_topics([scores.complete(common=True) for scores in self._tables(notes)])
            return [(scores, self.procedure) for scores in pair]
        if not (self.vary or self.spelled_out or self.choices.campaign_file or self.choices.config):
            raise UsageError(_TWO)
        conditions = choose_conditions(
            judgements_and_runs(self.files), self.choices, self.vary, self.spelled_out
        )
        if len(conditions) != 2:
            raise UsageError(f"{_TWO[:-1]}; these are {len(conditions)}: {_listed(conditions)}.")
        tables, found_notes = score_conditions(conditions, topics_of=self.topics_of, across_runs=True)
        notes += found_notes
        return [
            (replace(table, measure=_axis(c, conditions)), c.procedure(self.procedure))
            for table, c in zip(tables, conditions, strict=True)
        ]

    def _curve(self, notes: list[str]) -> Curve:
        """Return the first curve of the first measure."""
        names = [str(name) for name in self.choices.measure]
        points = [f"{name.removesuffix('@*')}@1" if name.endswith("@*") else name for name in names]
        choices = replace(self.choices, measure=[parse(name) for name in points[:1]])
        experiment = choose_one(judgements_and_runs(self.files), choices)
        experiment = replace(experiment, measures=experiment.measures[:1])
        scored, found, _ = gather(experiment, curves=True)
        notes += scored.notes
        if not found:
            raise UsageError(
                f"{experiment.measures[0]} has no curve; try `measure=iP@*`, gP@*, nxCG@*, ep@* or precall@*."
            )
        for name in self.systems:
            if name not in found[0].systems:
                raise UnknownNameError("system", name, found[0].systems)
        return found[0]


def _axis(condition: Condition, conditions: Sequence[Condition]) -> str:
    """Return what the axis of a condition is called: its measure, and what else sets it apart."""
    apart = [
        level
        for key, level in condition.levels.items()
        if key in ("condition", "task", *DECISIONS) and len({c.levels[key] for c in conditions}) > 1
    ]
    return ", ".join(filter(None, (condition.measure, *apart)))


def _listed(conditions: Sequence[Condition], most: int = 6) -> str:
    names = [condition.name for condition in conditions]
    return ", ".join(names[:most]) + (", …" if len(names) > most else "")
