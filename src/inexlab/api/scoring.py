"""Runs scored: `evaluate`, `explain`, and the built-in campaign (`demo`)."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from inexlab.api.answers import Answer, notes_in_html
from inexlab.api.inputs import (
    Measures,
    Scoring,
    chosen,
    files_of,
    scoring,
    several,
)
from inexlab.display import draw_from
from inexlab.errors import UnknownNameError, UsageError
from inexlab.executors import open_executor
from inexlab.experiments import Scored, choose_experiments, score
from inexlab.experiments.manifest import read_manifest
from inexlab.experiments.results import results_of, write_results
from inexlab.experiments.scoring import with_open_collections
from inexlab.experiments.tables import compare_measures, labelled
from inexlab.experiments.tables import judgements_and_runs as without_scores
from inexlab.frames import Columns, pandas_frame, polars_frame
from inexlab.measures import Evaluation, Measure
from inexlab.measures.scoring import ScoreRow
from inexlab.output import new_folder, refuse_unwritable
from inexlab.report.grids import known_format
from inexlab.report.results import write_results_page
from inexlab.report.scores import best_first, write_scores
from inexlab.scores import Scores, common_topics

if TYPE_CHECKING:
    import pandas
    import polars

    from inexlab.report.figure import Plot


@dataclass(frozen=True, eq=False, repr=False)
class EvaluationResult(Answer):
    """The scores of runs: of one task, or of several tasks of a campaign.

    `result["MAiP"]` are the scores by a measure, systems by topics; of several tasks `result["focused"]` is
    the result of one. `tasks` hold all that the numbers depend on.
    """

    tasks: tuple[Scored, ...]
    of_campaign: bool = False
    warnings: tuple[str, ...] = ()  # of where it was scored

    @property
    def evaluation(self) -> Evaluation:
        """The evaluation of the only task."""
        if len(self.tasks) > 1:
            names = ", ".join(repr(name) for name in self._names)
            raise UsageError(
                f"there are several tasks; choose one, such as result[{names.split(', ')[0]}]: {names}."
            )
        return self.tasks[0].evaluation

    @property
    def _names(self) -> list[str]:
        return [task.experiment.name for task in self.tasks]

    @property
    def scores(self) -> tuple[Scores, ...]:
        """The scores by each measure, of the only task."""
        return self.evaluation.scores

    @property
    def unjudged(self) -> Mapping[str, float]:
        """The share of each run's results in unjudged documents."""
        return self.evaluation.unjudged

    @property
    def notes(self) -> tuple[str, ...]:  # type: ignore[override]
        """What was assumed on the way to the numbers; of several tasks, with the name of each."""
        of_tasks = (note for task in self.tasks for note in labelled(task.experiment, task.notes))
        return (*self.warnings, *of_tasks)

    def __getitem__(self, key: str | Measure) -> Any:
        """Return the scores by a measure, given as it is or by its name; of several tasks, one of them."""
        if len(self.tasks) == 1 and key not in [name for name in self._names if name]:
            return self.evaluation[key]
        if key not in self._names:
            raise UnknownNameError("task", str(key), self._names)
        return EvaluationResult((self.tasks[self._names.index(str(key))],))

    def __repr__(self) -> str:
        if len(self.tasks) == 1:
            return repr(self.evaluation)
        return f"Evaluation({len(self.tasks)} tasks: {', '.join(self._names)})"

    def _repr_html_(self) -> str:
        tables = []
        for task in self.tasks:
            title = f"<p><b>{task.experiment.name}</b></p>" if len(self.tasks) > 1 else ""
            tables.append(title + best_first(task.evaluation)._repr_html_())
        return "".join(tables) + notes_in_html(self.notes)

    def means(self) -> dict[str, dict[str, float]]:
        """Return {run: {measure: mean over the topics}}, of the only task; counts are summed."""
        totals = [(scores.name, scores.totals()) for scores in self.scores]
        return {
            run: {name: float(total[s]) for name, total in totals}
            for s, run in enumerate(self.scores[0].systems)
        }

    def rows(self, per_topic: bool = True) -> Iterator[ScoreRow]:
        """Yield every number of the only task: each topic's if asked for, then the one over all topics."""
        return self.evaluation.rows(per_topic)

    def as_columns(self, per_topic: bool = True) -> Columns:
        """Return the numbers as columns: run, topic, measure, value; of several tasks, task first."""
        parts = [task.evaluation.as_columns(per_topic) for task in self.tasks]
        together: dict[str, Sequence[Any]] = {
            name: [value for part in parts for value in part[name]] for name in parts[0]
        }
        if len(parts) == 1:
            return together
        names = [name for name, part in zip(self._names, parts, strict=True) for _ in part["run"]]
        return {"task": names, **together}

    def to_pandas(self, per_topic: bool = True) -> pandas.DataFrame:
        """Return the numbers as a pandas frame: run, topic, measure, value; the topic `all` is the mean."""
        return pandas_frame(self.as_columns(per_topic))

    def to_polars(self, per_topic: bool = True) -> polars.DataFrame:
        """Return the numbers as a polars frame: run, topic, measure, value; the topic `all` is the mean."""
        return polars_frame(self.as_columns(per_topic))

    def save(self, out: str | Path) -> None:
        """Write a results file: scores with versions, policy and hashes, for `inexlab.diff`."""
        write_results(results_of(self.tasks), out)

    def text(
        self,
        output: str = "table",
        *,
        per_topic: bool = False,
        top: int = 10,
        all_runs: bool = False,
        test: str = "bootstrap",
        correction: str = "by",
        baseline: str = "",
        width: int = 100,
    ) -> str:
        """Return what the command line prints: table, json, csv, tsv, latex or markdown.

        `top` and `all_runs` are for campaigns: how many participants of each task, and whether with all of
        their runs. In LaTeX what a test finds better or worse than the best, or than a `baseline`, is marked.
        """
        known_format(output)
        tested: list[Sequence[Any]] = [[] for _ in self.tasks]
        for task in self.tasks:
            systems = task.evaluation.scores[0].systems
            if baseline and baseline not in systems:
                raise UnknownNameError("run", baseline, systems)
        if output == "latex" and test != "none" and not per_topic:
            from inexlab.statistics.procedure import Procedure

            procedure, against = Procedure(test, correction), [baseline] if baseline else []
            tested = [compare_measures(task.evaluation, procedure, against) for task in self.tasks]
        if self.of_campaign or len(self.tasks) > 1:
            return write_results_page(
                self.tasks,
                output,
                top=top,
                best=not all_runs,
                per_topic=per_topic,
                comparisons=tested,
                baseline=baseline,
            )
        [scored], [comparisons] = self.tasks, tested
        return write_scores(
            scored.evaluation,
            output,
            per_topic=per_topic,
            doubtful=scored.experiment.doubtful,
            width=width,
            comparisons=comparisons,
            baseline=baseline,
            submitted=scored.submitted,
        )

    def plot(
        self,
        kind: str = "ranking",
        measure: Measures = (),
        *,
        system: str | Sequence[str] = (),
        test: str = "bootstrap",
        correction: str = "by",
        alpha: float = 0.05,
        resamples: int = 10_000,
        seed: int = 2006,
    ) -> Plot:
        """Draw a figure (`inexlab.plot` lists them) by the first measure, or by the one named.

        `agreement` and `correlation` are of two measures: the first two, or those named. `system` names the
        two systems of `differences`, and those in colour of `curves`.
        """
        from inexlab.report.gathering import gather, topic_titles
        from inexlab.statistics.procedure import Procedure
        from inexlab.statistics.testing import Sampling

        self.evaluation  # noqa: B018 - says which tasks there are, where there are several
        [task], procedure = self.tasks, Procedure(test, correction, alpha, Sampling(resamples, seed))
        named, systems = several(measure), several(system)
        chosen_scores = [self[name] for name in named] or list(self.scores)
        first = chosen_scores[0]

        def two() -> list[Scores]:
            if len(chosen_scores) < 2:
                raise UsageError(f"{kind} compares two measures; give two of `measure=`.")
            return common_topics([scores.complete(common=True) for scores in chosen_scores[:2]])[0]

        def curve() -> list[Any]:
            by_first = replace(task.experiment, measures=(first.measure,))
            if not (found := gather(by_first, curves=True)[1]):
                raise UsageError(f"{first.name} has no curve; iP, gP, nxCG, ep and precall have.")
            return found[:1]

        titles = {"titles": topic_titles(task.experiment.topics)}
        return draw_from(  # type: ignore[no-any-return]
            kind,
            {
                "comparison": lambda: [procedure.compare(first.complete(common=True))],
                "two comparisons": lambda: [procedure.compare(s, intervals=False) for s in two()],
                "two matrices": two,
                "curve": curve,
                "profiles": lambda: [gather(task.experiment, profiles=True)[2]],
                **first.material(systems if kind == "differences" else ()),
            },
            "an evaluation",
            {
                "matrix": titles,
                "pair": titles,
                "curve": {"systems": systems},
                "profiles": {"order": best_first(self.evaluation).scores[0].systems},
            },
        )


@scoring
def evaluate(
    judgements: object = None,
    runs: object = None,
    measure: Measures = (),
    *,
    out: str | Path = "",
    cluster: str = "",
    **options: Unpack[Scoring],
) -> EvaluationResult:
    """Score runs against judgements.

    Judgements and runs are paths, tables, pandas or polars frames, dictionaries {topic: {doc: grade}} and
    {topic: {doc: score}}, or records. Several runs are a list, a dictionary by name, or a frame with a column
    `run`. `out` writes a results file for `inexlab.diff`. `cluster` is a Dask cluster whose
    workers score, each some of the runs: `local:4`, `tls://HOST:PORT` or `tcp://HOST:PORT`.

    >>> import inexlab
    >>> runs = ["demo/runs/focused-sections.txt", "demo/runs/focused-articles.txt"]
    >>> measures = ["MAiP", "iP@0.01"]
    >>> scores = inexlab.evaluate("demo/judgements.qrels", runs, measures, collection="demo/articles")
    >>> scores
    Evaluation(2 runs, 6 topics, 2 measures: MAiP, iP@0.01)
    >>> scores["MAiP"].totals().round(4)
    array([0.6536, 0.44  ])
    >>> scores.to_pandas(per_topic=False)["run"].tolist()
    ['sections', 'sections', 'articles', 'articles']
    >>> scores.plot("ranking")
    Plot('ranking', 2 systems)
    >>> judged = {"q1": {"d1": 1, "d2": 0}}
    >>> inexlab.evaluate(judged, {"q1": {"d1": 0.5, "d2": 0.9}}, "RR").means()
    {'run': {'RR': 0.5}}
    """
    if str(out):
        refuse_unwritable(out)
    choices = chosen(measure, options)
    experiments = choose_experiments(without_scores(files_of(judgements, runs)), choices)
    if cluster:
        with open_executor(cluster) as executor:
            tasks = tuple(score(e, executor=executor) for e in experiments)
            warnings = executor.notes
    else:
        tasks = tuple(score(e) for e in with_open_collections(experiments))
        warnings = ()
    result = EvaluationResult(tasks, bool(choices.campaign_file), warnings)
    if str(out):
        result.save(out)
    return result


def demo(out: str | Path = "") -> EvaluationResult:
    """Score the built-in campaign: eight articles about evaluation, six topics, nine runs.

    `out` names a new folder to copy the campaign to, to try things on.

    >>> import inexlab
    >>> inexlab.demo()
    Evaluation(3 tasks: focused, relevant-in-context, best-in-context)
    """
    if str(out):
        copy_demo(out)
    with as_file(files("inexlab") / "handbook") as handbook:
        tasks = with_open_collections(read_manifest(handbook / "campaign.toml").chosen())
        return EvaluationResult(tuple(score(task) for task in tasks), of_campaign=True)


def copy_demo(out: str | Path) -> None:
    """Copy the built-in campaign to a new folder."""
    ignored = shutil.ignore_patterns("__pycache__", "*.py")
    with as_file(files("inexlab") / "handbook") as handbook, new_folder(out) as folder:
        shutil.copytree(handbook, folder, ignore=ignored, dirs_exist_ok=True)
