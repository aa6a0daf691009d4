"""From what somebody asks for to the figure that shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from inexlab.errors import UnknownNameError, UsageError
from inexlab.experiments.choices import Choices, choose_one
from inexlab.experiments.scoring import Watch
from inexlab.measures import parse
from inexlab.report.curves import Curve
from inexlab.report.figure import drawn, figures
from inexlab.report.gathering import gather, topic_titles
from inexlab.report.scores import best_first
from inexlab.scores import Scores, common_topics
from inexlab.statistics.procedure import Procedure
from inexlab.statistics.score_files import holds_scores, read_tables


@dataclass(frozen=True, eq=False)
class Sketch:
    """What a figure is to show: scores (of runs or of files), compared how, and which systems stand out.

    `notes` fills with what was assumed in scoring.
    """

    files: Sequence[str]
    choices: Choices
    procedure: Procedure
    systems: Sequence[str] = ()
    watch: Watch = iter

    def draw(self, kind: str) -> tuple[Any, list[str]]:
        """Return the figure as a chart, and what was assumed on the way."""
        notes: list[str] = []
        figure = figures[kind]
        material, options = self._material(figure.needs, notes)
        return drawn(figure, figure.data(*material, **options)), notes

    def _material(self, needs: str, notes: list[str]) -> tuple[list[Any], dict[str, Any]]:
        """Return the arguments and options of a figure's data."""
        if needs == "profiles":
            scored, _, profiles = gather(self._experiment(), profiles=True, watch=self.watch)
            notes += scored.notes
            return [profiles], {"order": best_first(scored.evaluation).scores[0].systems}
        if needs == "curve":
            return [self._curve(notes)], {"systems": self.systems}
        if needs in ("two comparisons", "two matrices"):
            pair = self._two(notes)
            if needs == "two matrices":
                return [*pair], {}
            return [self.procedure.compare(scores, intervals=False) for scores in pair], {}
        scores = self._tables(notes)[0].complete(common=True)
        if needs == "comparison":
            return [self.procedure.compare(scores)], {}
        titles = {"titles": topic_titles(self._topics())}
        if needs == "matrix":
            return [scores], titles
        best = [scores.systems[i] for i in (-scores.totals()).argsort(kind="stable")]
        two = [*self.systems, *(s for s in best if s not in self.systems)][:2]
        if len(self.systems) > 2 or len(two) < 2:
            raise UsageError("differences are between two systems: give --system twice.")
        return [scores, *two], titles

    def _topics(self) -> Sequence[str | Path]:
        """Return the files of topics: those given and, of a campaign, its own."""
        return self._experiment().topics if self.choices.campaign_file else self.choices.topics

    def _experiment(self) -> Any:
        return choose_one(self.files, self.choices)

    def _tables(self, notes: list[str]) -> Sequence[Scores]:
        """Return the scores by each measure."""
        if self.files and holds_scores(self.files[0]):
            self.choices.refuse_for_scores()
            return read_tables(self.files, [str(measure) for measure in self.choices.measure])
        scored, _, _ = gather(self._experiment(), watch=self.watch)
        notes += scored.notes
        return scored.evaluation.scores

    def _two(self, notes: list[str]) -> list[Scores]:
        """Return the scores by two measures on the topics that both have."""
        if len(self.choices.measure) != 2:
            raise UsageError("this figure compares two measures: give -m twice, the x-axis first.")
        return common_topics([scores.complete(common=True) for scores in self._tables(notes)])[0]

    def _curve(self, notes: list[str]) -> Curve:
        """Return the first curve of the first measure."""
        names = [str(name) for name in self.choices.measure]
        points = [f"{name.removesuffix('@*')}@1" if name.endswith("@*") else name for name in names]
        choices = replace(self.choices, measure=[parse(name) for name in points[:1]])
        experiment = choose_one(self.files, choices)
        experiment = replace(experiment, measures=experiment.measures[:1])
        scored, found, _ = gather(experiment, curves=True, watch=self.watch)
        notes += scored.notes
        if not found:
            raise UsageError(
                f"{experiment.measures[0]} has no curve; try -m iP@*, gP@*, nxCG@*, ep@* or precall@*."
            )
        for name in self.systems:
            if name not in found[0].systems:
                raise UnknownNameError("system", name, found[0].systems)
        return found[0]
