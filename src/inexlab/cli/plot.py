"""`inexlab plot`: one figure alone, for a paper or a slide."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from inexlab.cli.campaign import CAMPAIGN_FILE, one_task, open_manifest
from inexlab.cli.options import (
    ALPHA,
    CAMPAIGN,
    COLLECTION,
    CORRECTION,
    FILES_OR_SCORES,
    LIMIT,
    POLICY,
    RESAMPLES,
    SEED,
)
from inexlab.cli.report import MEASURE, TASK, TEST, TOPICS, given, of_manifest
from inexlab.cli.terminal import working

if TYPE_CHECKING:
    from inexlab.cli.gather import Gathered, Material
    from inexlab.collection import Collection
    from inexlab.measures import Measure
    from inexlab.report.content import Procedure
    from inexlab.statistics import ScoreMatrix

Texts = list[str] | None

_KIND = typer.Argument(
    metavar="KIND",
    help="ranking, curves, heatmap, significance, differences, agreement, correlation, granularity, depth or "
    "topics; `inexlab plot help` says what each shows.",
)
_SYSTEM = typer.Option(metavar="ID", help="Of differences: the two systems; of curves: those in colour.")
_OUT = typer.Option(metavar="FIGURE", help="The file to write: .svg, .png, .pdf or .html.")


def plot(
    kind: Annotated[str, _KIND],
    files: Annotated[Texts, FILES_OR_SCORES] = None,
    measure: Annotated[Texts, MEASURE] = None,
    system: Annotated[Texts, _SYSTEM] = None,
    campaign: Annotated[str, CAMPAIGN] = "",
    task: Annotated[str, TASK] = "",
    topics: Annotated[Texts, TOPICS] = None,
    collection: Annotated[str, COLLECTION] = "",
    test: Annotated[str, TEST] = "bootstrap",
    correction: Annotated[str, CORRECTION] = "by",
    alpha: Annotated[float, ALPHA] = 0.05,
    resamples: Annotated[int, RESAMPLES] = 10_000,
    seed: Annotated[int, SEED] = 2006,
    limit: Annotated[int | None, LIMIT] = None,
    policy: Annotated[Texts, POLICY] = None,
    campaign_file: Annotated[str, CAMPAIGN_FILE] = "",
    out: Annotated[str, _OUT] = "",
) -> None:
    """Draw one figure of the report, in the quality of a paper.

    Agreement and correlation compare two measures: the first -m is the x-axis, the second the y-axis.

    Examples (after `inexlab demo --out demo`):

    - `inexlab plot ranking demo/judgements.qrels demo/runs/focused-*.* --collection demo/articles -m MAiP
      --out ranking.svg`

    - `inexlab plot curves demo/judgements.qrels demo/runs/focused-*.* --collection demo/articles -m iP@*
      --out curves.pdf`

    - `inexlab plot correlation demo/judgements.qrels demo/runs/focused-*.* --collection demo/articles
      -m MAiP -m iP@0.01 --out correlation.png`

    - `inexlab plot ranking --campaign-file demo/campaign.toml --task focused --out focused.svg`
    """
    from inexlab.errors import UsageError
    from inexlab.report.content import Procedure
    from inexlab.report.figure import drawn, figures, known_ending, write_figure
    from inexlab.statistics.comparison import check_choices
    from inexlab.statistics.testing import Sampling

    if kind == "help":
        for figure in figures.values():
            print(f"{figure.name}\n    {figure.doc.replace(chr(10), chr(10) + '    ')}")
        return
    chosen = figures[kind]
    if not (files or campaign_file) or not out:
        raise UsageError("give judgements and runs (or scores), and --out FIGURE.svg, .png, .pdf or .html.")
    known_ending(out)
    check_choices(test, correction, alpha)
    if campaign_file:
        beside = files or campaign or collection or policy or limit is not None
        manifest = open_manifest(campaign_file, beside)
        [of_campaign] = manifest.chosen(one_task(manifest, task))
        collection = str(manifest.collection or "")
        topics = [*map(str, manifest.topics), *(topics or [])]

    def make(measures: Sequence[Measure]) -> Material:
        if campaign_file:
            return of_manifest(of_campaign, measures)
        named = files or []
        return given(named[0], named[1:], measures, campaign, task, limit, policy or [])

    asked = _Asked(
        files or [],
        measure or [],
        system or [],
        topics or [],
        collection,
        Procedure(test, correction, alpha, Sampling(resamples, seed)),
        make,
    )
    material, options = asked.material(chosen.needs)
    with working("drawing"):
        chart = drawn(chosen, chosen.data(*material, **options))
        write_figure(chart, out)


class _Asked:
    """What the command line names, turned into what a figure needs."""

    def __init__(
        self,
        files: Sequence[str],
        measures: Sequence[str],
        systems: Sequence[str],
        topics: Sequence[str],
        collection: str,
        testing: Procedure,
        make: Callable[[Sequence[Measure]], Material],
    ) -> None:
        self._files, self._measures, self._systems = files, measures, systems
        self._topics, self._collection, self._testing, self._make = topics, collection, testing, make

    def material(self, needs: str) -> tuple[list[Any], dict[str, Any]]:
        """Return the arguments and options of a figure's data."""
        from inexlab.cli.titles import topic_titles
        from inexlab.errors import UsageError

        if needs == "profiles":
            return [self._gathered(curves=False, profiles=True).profiles], {}
        if needs == "curve":
            return [self._curve()], {"systems": self._systems}
        if needs in ("two comparisons", "two matrices"):
            pair = self._two()
            if needs == "two matrices":
                return [*pair], {}
            return [self._testing.compare(matrix, intervals=False) for matrix in pair], {}
        matrix = self._matrix()
        if needs == "comparison":
            return [self._testing.compare(matrix)], {}
        titles = {"titles": topic_titles(self._topics)}
        if needs == "matrix":
            return [matrix], titles
        best = [matrix.systems[i] for i in (-matrix.means()).argsort(kind="stable")]
        two = [*self._systems, *(s for s in best if s not in self._systems)][:2]
        if len(self._systems) > 2 or len(two) < 2:
            raise UsageError("differences are between two systems: give --system twice.")
        return [matrix, *two], titles

    def _gathered(self, *, curves: bool = False, profiles: bool = False) -> Gathered:
        from inexlab.cli.gather import gather

        gathered = gather(self._task(), self._documents(), curves=curves, profiles=profiles)
        for note in gathered.evaluation.notes:
            print(f"inexlab: {note}", file=sys.stderr)
        return gathered

    def _task(self) -> Material:
        from inexlab.measures import expand

        return self._make([m for name in self._measures for m in expand(name)])

    def _documents(self) -> Collection | None:
        from inexlab.collection import open_collection

        return open_collection(self._collection) if self._collection else None

    def _curve(self) -> Any:
        """Return the first curve of the first measure."""
        from dataclasses import replace

        from inexlab.cli.gather import gather
        from inexlab.errors import UnknownNameError, UsageError
        from inexlab.measures import parse

        names = [f"{name.removesuffix('@*')}@1" if name.endswith("@*") else name for name in self._measures]
        task = self._make([parse(name) for name in names])
        found = gather(replace(task, measures=task.measures[:1]), self._documents(), profiles=False).curves
        if not found:
            raise UsageError(
                f"{task.measures[0]} has no curve; try -m iP@*, gP@*, nxCG@*, ep@* or precall@*."
            )
        for name in self._systems:
            if name not in found[0].systems:
                raise UnknownNameError("system", name, found[0].systems)
        return found[0]

    def _matrix(self) -> ScoreMatrix:
        """Return the scores by the first measure, of topics that all systems have."""
        from inexlab.statistics.score_files import holds_scores, read_scores, to_matrix

        if self._files and holds_scores(self._files[0]):
            return read_scores(self._files, "".join(self._measures[:1]), common=True)
        scores = self._gathered().evaluation.scores[0]
        return to_matrix(scores.by_system(), str(scores.measure), common=True)

    def _two(self) -> list[ScoreMatrix]:
        """Return the scores by two measures on the topics that both have."""
        from inexlab.errors import UsageError
        from inexlab.statistics.agreement import common_topics
        from inexlab.statistics.score_files import holds_scores, read_scores, to_matrix

        if len(self._measures) != 2:
            raise UsageError("this figure compares two measures: give -m twice, the x-axis first.")
        if self._files and holds_scores(self._files[0]):
            pair = [read_scores(self._files, measure, common=True) for measure in self._measures]
        else:
            scores = self._gathered().evaluation.scores
            pair = [to_matrix(s.by_system(), str(s.measure), common=True) for s in scores]
        return common_topics(pair)[0]
