"""Figures and pages: `plot` and `make_report`."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Unpack

from inexlab.api.inputs import (
    Measures,
    Scoring,
    Several,
    chosen,
    files_of,
    judgements_and_runs,
    scoring,
    several,
)
from inexlab.display import Framed
from inexlab.errors import UsageError
from inexlab.experiments import choose_experiments
from inexlab.experiments.choices import chosen_manifest
from inexlab.frames import Columns
from inexlab.output import refuse_unwritable, write_file
from inexlab.report.content import ReportContent
from inexlab.report.drawing import Sketch
from inexlab.report.figure import Plot, figures, known_ending
from inexlab.report.gathering import report_content
from inexlab.report.page import write_page
from inexlab.statistics.procedure import Procedure
from inexlab.statistics.testing import Sampling


@scoring
def plot(
    kind: str,
    judgements: object = None,
    runs: object = None,
    measure: Measures = (),
    *,
    system: Several = (),
    vary: Several = (),
    condition: Several = (),
    topics_of: str = "common",
    test: str = "bootstrap",
    correction: str = "by",
    alpha: float = 0.05,
    resamples: int = 10_000,
    seed: int = 2006,
    out: str | Path = "",
    **options: Unpack[Scoring],
) -> Plot:
    """Draw one figure of the report, in the quality of a paper.

    The kinds are ranking, curves, heatmap, significance, differences, agreement, correlation, granularity,
    depth, topics, assessors and assessor-ranking. Agreement and correlation compare two conditions, the first
    of which is the x-axis: two measures, or two quantisations, judgements, tasks or tests (`vary`,
    `condition`). A notebook shows the figure; `out`, or its method `save`, writes it as .svg, .png, .pdf or
    .html.

    >>> import inexlab
    >>> from pathlib import Path
    >>> runs = sorted(Path("demo/runs").glob("focused-*.*"))
    >>> inexlab.plot(
    ...     "heatmap", "demo/judgements.qrels", runs, "MAiP", collection="demo/articles", out="map.svg"
    ... )
    Plot('heatmap', 24 cells)
    >>> Path("map.svg").exists()
    True
    """
    figures[kind]
    choices = chosen(measure, options)
    files, spelled_out = files_of(judgements, runs), several(condition)
    if not (files or spelled_out or choices.campaign_file or choices.config):
        raise UsageError("give judgements and runs (or scores), and `out=FIGURE.svg`, .png, .pdf or .html.")
    if str(out):
        known_ending(out)
        refuse_unwritable(out)
    procedure = Procedure(test, correction, alpha, Sampling(resamples, seed))
    systems, varied = several(system), several(vary)
    sketch = Sketch(files, choices, procedure, systems, varied, spelled_out, topics_of)
    drawn = sketch.draw(kind)
    if str(out):
        drawn.save(out)
    return drawn


@dataclass(frozen=True, eq=False, repr=False)
class Report(Framed):
    """A page about one or several tasks, which opens without a network; `save` writes it."""

    content: ReportContent
    html: str
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        size = len(self.html.encode()) / 1e6
        return f"Report({self.content.title!r}, {len(self.content.tasks)} tasks, {size:.1f} MB)"

    def _repr_html_(self) -> str:
        page = html.escape(self.html, quote=True)
        return f'<iframe srcdoc="{page}" width="100%" height="600" sandbox="allow-scripts"></iframe>'

    def as_columns(self) -> Columns:
        """Return the numbers that the page shows: task, run, topic, measure, value."""
        parts = [(task.name, task.evaluation.as_columns()) for task in self.content.tasks]
        names = ("run", "topic", "measure", "value")
        tasks: Sequence[str] = [name for name, part in parts for _ in part["run"]]
        return {"task": tasks, **{n: [value for _, part in parts for value in part[n]] for n in names}}

    def save(self, out: str | Path) -> None:
        """Write the page."""
        write_file(out, [self.html.encode()])


@scoring
def make_report(
    judgements: object = None,
    runs: object = None,
    measure: Measures = (),
    *,
    test: str = "bootstrap",
    correction: str = "by",
    alpha: float = 0.05,
    resamples: int = 10_000,
    seed: int = 2006,
    title: str = "",
    out: str | Path = "",
    **options: Unpack[Scoring],
) -> Report:
    """Make one page of a campaign, to open without a network: ranking, curves, topics, significance.

    This is `inexlab report`. `out` writes the page; a notebook shows it.

    >>> import inexlab
    >>> from pathlib import Path
    >>> runs = sorted(Path("demo/runs").glob("focused-*.*"))
    >>> page = inexlab.make_report(
    ...     "demo/judgements.qrels", runs, "MAiP", collection="demo/articles", test="t", title="Demo"
    ... )
    >>> page
    Report('Demo', 1 tasks, ... MB)
    >>> page.to_pandas()["run"].unique().tolist()
    ['articles', 'focused-chunks', 'paragraphs', 'sections']
    """
    if str(out):
        refuse_unwritable(out)
    procedure = Procedure(test, correction, alpha, Sampling(resamples, seed))
    files, choices = judgements_and_runs(judgements, runs), chosen(measure, options)
    experiments = choose_experiments(files, choices)
    manifest = chosen_manifest(files, choices) if choices.campaign_file else None
    called = title or (manifest.title if manifest else experiments[0].title) or "Evaluation of runs"
    content = report_content(called, experiments, procedure, manifest=manifest)
    several_tasks = len(content.tasks) > 1
    notes = (f"{t.name}: {note}" if several_tasks else note for t in content.tasks for note in t.notes)
    page = Report(content, write_page(content), tuple(notes))
    if str(out):
        page.save(out)
    return page
