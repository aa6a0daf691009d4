"""Assessors compared: `assessors`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from inexlab.api.answers import Tables
from inexlab.api.inputs import Measures, Scoring, chosen, given_judgements, scoring
from inexlab.display import draw_from
from inexlab.experiments.agreeing import Agreeing
from inexlab.experiments.assessors import AssessorAgreement, compare_assessors
from inexlab.experiments.judged_sets import split_files
from inexlab.judgements import Judgements
from inexlab.report.assessors import assessor_grids, topic_grids, verdict
from inexlab.report.tables import Grid
from inexlab.runs.objects import runs_of
from inexlab.statistics.procedure import Procedure
from inexlab.statistics.testing import Sampling

if TYPE_CHECKING:
    from inexlab.report.figure import Plot


@dataclass(frozen=True, eq=False, repr=False)
class AssessorsResult(Tables):
    """How far assessors agree: `found` has every pair, all together, rankings and the test of a candidate."""

    found: AssessorAgreement
    per_topic: bool = False
    notes: tuple[str, ...] = ()

    @property
    def pairs(self) -> Sequence[Agreeing]:
        """The pairs of assessors, with their estimates."""
        return self.found.pairs

    def grids(self, *, for_programs: bool = False) -> list[Grid]:
        """Return a table for each pair, and those of all together, of rankings and of a candidate."""
        if self.per_topic:
            return topic_grids(self.found)
        return assessor_grids(self.found, for_programs=for_programs)

    def __repr__(self) -> str:
        return f"Assessors({', '.join(self.found.names)})"

    def plot(self, kind: str = "assessors") -> Plot:
        """Draw the agreement of all pairs, topic by topic."""
        return draw_from(kind, {"assessors": [self.found]}, "a comparison of assessors")  # type: ignore[no-any-return]


@scoring
def assessors(
    judgements: object = None,
    measure: Measures = (),
    *,
    runs: object = (),
    per_topic: bool = False,
    top: int = 10,
    candidate: str = "",
    epsilon: float = 0.2,
    test: str = "bootstrap",
    correction: str = "by",
    alpha: float = 0.05,
    resamples: int = 10_000,
    seed: int = 2006,
    **options: Unpack[Scoring],
) -> AssessorsResult:
    """Say how far assessors agree: on documents, on text, on elements, and on which system is better.

    `judgements` are files, or judgements, of one assessor each or of several. Given `runs` and a measure, the
    systems are ranked by each assessor: tau, tau-AP, tau of the best `top`, and pairs of systems that are
    found different by both in opposite directions. `candidate` names an assessor who is to stand for people:
    the alternative annotator test, with `epsilon` as what the candidate may be worse.

    >>> import inexlab
    >>> anna = {"1": {"a": [[0, 60]], "b": []}, "2": {"a": [[5, 9]]}}
    >>> bob = {"1": {"a": [[30, 90]], "b": []}, "2": {"a": [[5, 9]]}}
    >>> found = inexlab.assessors([inexlab.Judgements.of(anna), inexlab.Judgements.of(bob)])
    >>> found
    Assessors(assessor 1, assessor 2)
    >>> found.pairs[0]["text", "F1"].value
    0.75
    """
    choices = chosen(measure, options)
    procedure = Procedure(test, correction, alpha, Sampling(resamples, seed))
    given, among = _given(judgements)
    found = compare_assessors(
        given,
        [*among, *runs_of(runs)],
        choices,
        candidate=candidate,
        epsilon=epsilon,
        top=top,
        procedure=procedure,
    )
    outcome = [verdict(found.test)] if found.test else []
    return AssessorsResult(found, per_topic, (*found.notes, *outcome))


def _given(judgements: object) -> tuple[list[Judgements | str | Path], list[str | Path]]:
    """Return sets of judgements, and runs that a shell's wildcard left among their files."""
    if judgements is None:
        return [], []
    if not isinstance(judgements, list | tuple):
        return [given_judgements(judgements)], []
    files = [one for one in judgements if isinstance(one, str | Path)]
    if len(files) == len(judgements):
        found, runs = split_files(files)
        return list(found), runs
    if all(isinstance(one, dict) and not isinstance(one.get("topic"), dict | None) for one in judgements):
        return [given_judgements(judgements)], []  # the records of one table
    return [given_judgements(one) for one in judgements], []
