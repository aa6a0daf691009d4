"""Systems compared: `compare` and `ttest`."""

from __future__ import annotations

import contextlib
import functools
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from inexlab.api.answers import Answer, notes_in_html
from inexlab.api.inputs import Measures, Scoring, Several, chosen, files_of, scoring, several
from inexlab.errors import UnknownNameError, UsageError
from inexlab.executors import Executor, SpreadTask, Threads, open_executor
from inexlab.experiments import Choices, choose_one
from inexlab.experiments.scoring import Watch
from inexlab.experiments.tables import Given, ScoreTable, are_scores, one_table, score_tables
from inexlab.frames import Columns
from inexlab.measures import Measure
from inexlab.output import refuse_unwritable, write_file
from inexlab.report.comparison import FORMATS, LARGEST_MATRIX, comparison_parts, systems_shown
from inexlab.report.tables import Grid
from inexlab.scores import Scores
from inexlab.statistics import Comparison
from inexlab.statistics.caveats import few_topics_warning
from inexlab.statistics.comparison import Tail
from inexlab.statistics.procedure import Procedure
from inexlab.statistics.significance.t import PairedT, t_test
from inexlab.statistics.testing import Progress, Sampling, unwatched
from inexlab.wording import SUBMITTED, counted

if TYPE_CHECKING:
    from inexlab.report.figure import Plot


@dataclass(frozen=True, eq=False, repr=False)
class ComparisonResult(Answer):
    """Systems compared by one or several measures, each of them with a title where there are several.

    `result["MAiP"]` is the comparison by a measure, and a result of one comparison has what that has:
    `better`, `letters()`, `p`.
    """

    comparisons: tuple[tuple[str, Comparison], ...]
    submitted: Mapping[str, str]
    notes: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Comparison]:
        return (comparison for _, comparison in self.comparisons)

    def __len__(self) -> int:
        return len(self.comparisons)

    def __getitem__(self, measure: str | Measure) -> Comparison:
        """Return the comparison by a measure, or of a title."""
        for title, comparison in self.comparisons:
            if str(measure) in (
                title,
                comparison.matrix.name,
                getattr(comparison.matrix.measure, "given", title),
            ):
                return comparison
        raise UnknownNameError("measure of the comparison", str(measure), self._titles)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "comparisons" or len(self.comparisons) != 1:
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}; see `comparisons`")
        return getattr(self.comparisons[0][1], name)

    @property
    def _titles(self) -> list[str]:
        return [title or comparison.matrix.name for title, comparison in self.comparisons]

    def __repr__(self) -> str:
        if len(self) == 1:
            return repr(self.comparisons[0][1])
        return f"Comparisons({len(self)}: {', '.join(self._titles)})"

    def _repr_html_(self) -> str:
        return "".join(comparison._repr_html_() for comparison in self) + notes_in_html(self.notes)

    def as_columns(self) -> Columns:
        """Return one row per pair of systems; of several comparisons, with their titles and measures."""
        parts = [(title, c.matrix.name, c.as_columns()) for title, c in self.comparisons]
        together: dict[str, Sequence[Any]] = {
            name: [value for _, _, part in parts for value in part[name]] for name in parts[0][2]
        }
        if len(parts) == 1:
            return together
        measures = [name for _, name, part in parts for _ in part["a"]]
        return {"measure": measures, **together}

    def text(self, output: str = "table", *, top: int | None = None, width: int = 100) -> str:
        """Return what the command line prints; tables show the best `top` systems (0: all).

        Unless `top` is given, all of up to 200 are shown, and 40 of more.
        """
        return "".join(self.parts(output, top=top, width=width))

    def parts(self, output: str = "table", *, top: int | None = None, width: int = 100) -> Iterator[str]:
        """Return the text part by part: that of all pairs of many systems may not fit into memory."""
        if output not in FORMATS:
            raise UnknownNameError("output format", output, FORMATS)
        return comparison_parts(self.comparisons, output, top=top, width=width, submitted=self.submitted)

    def unshown(self, output: str, top: int | None = None) -> list[str]:
        """Return what to say of a text that does not show all systems, or not who beats whom."""
        found = []
        for title, comparison in self.comparisons:
            systems = len(comparison.matrix.systems)
            if output not in ("table", "latex", "markdown"):
                continue
            of, shown = f"{title}: " if title else "", systems_shown(systems, top)
            if shown < systems and top is None:
                found.append(
                    f"{of}the best {shown} of {systems:,} systems are shown: see `top=`; CSV has all pairs"
                )
            if shown > LARGEST_MATRIX and not comparison.baselines:
                found.append(
                    f"{of}the matrix of pairs is shown for up to {LARGEST_MATRIX} systems: see `top=` and CSV"
                )
        return found

    def plot(
        self, kind: str = "ranking", measure: str | Measure = "", *, system: str | Sequence[str] = ()
    ) -> Plot:
        """Draw a figure of the first comparison, or of that by a measure: ranking, significance, heatmap."""
        comparison = self[measure] if measure else self.comparisons[0][1]
        return comparison.plot(kind, several(system))  # type: ignore[no-any-return]


@scoring
def compare(
    judgements: object = None,
    runs: object = None,
    measure: Measures = (),
    *,
    test: str = "bootstrap",
    correction: str = "by",
    alpha: float = 0.05,
    tail: str = "one",
    baseline: Several = (),
    best_per: str = "",
    resamples: int = 10_000,
    seed: int = 2006,
    plus_one: bool = False,
    intervals: bool = True,
    common_topics: bool = False,
    cluster: str = "",
    watch: Watch = iter,
    progress: Progress = unwatched,
    **options: Unpack[Scoring],
) -> ComparisonResult:
    """Say which systems are really better: significance over all pairs, corrected for their number.

    In the place of judgements and runs there may be scores: what `evaluate` returned, a table of scores, a
    frame with run, topic, measure and value, or a file. `cluster` is a Dask cluster whose workers score the
    runs and test, a measure each: `local:4`, `tls://HOST:PORT` or `tcp://HOST:PORT`.

    >>> import inexlab
    >>> from pathlib import Path
    >>> runs = sorted(Path("demo/runs").glob("focused-*.*"))
    >>> scores = inexlab.evaluate("demo/judgements.qrels", runs, "MAiP", collection="demo/articles")
    >>> found = inexlab.compare(scores, test="t", baseline="articles")
    >>> found["MAiP"].description
    "4 systems on 6 topics; Student's paired t-test, one-tailed, ... level 0.05"
    >>> frame = found.to_polars()
    >>> frame.columns[:4]
    ['a', 'b', 'mean_a', 'mean_b']
    """
    for what, name, names in (
        ("tail", tail, ("one", "two")),
        ("value of `best_per=`", best_per, ("", "participant")),
    ):
        if name not in names:
            raise UnknownNameError(what, name, [n for n in names if n])
    tails: Tail = "one" if tail == "one" else "two"
    procedure = Procedure(test, correction, alpha, Sampling(resamples, seed, plus_one, progress), tails)
    baselines = several(baseline)
    with contextlib.ExitStack() as started:
        executor = started.enter_context(open_executor(cluster)) if cluster else None
        tables = score_tables(
            files_of(judgements, runs),
            chosen(measure, options),
            common=common_topics,
            best_per=best_per,
            baselines=baselines,
            watch=watch,
            executor=executor,
        )
        # one comparison is not worth sending: it is as large as there are pairs
        tests: Executor = Threads(1)
        if executor is not None and len(tables) > 1:
            tests = executor
            unseen = replace(procedure.sampling, progress=unwatched)  # what watches stays here
            procedure = replace(procedure, sampling=unseen)
        named = [(f"comparing by {table.scores.name}", table.scores) for table in tables]
        test_all = functools.partial(procedure.compare, baselines=baselines, intervals=intervals)
        compared: list[Comparison] = list(
            tests.results([SpreadTask(name, test_all, (scores,), relative=False) for name, scores in named])
        )
    comparisons = []
    notes = list(executor.notes) if executor is not None else []
    for table, comparison in zip(tables, compared, strict=True):
        comparisons.append((table.title, comparison))
        prefix = f"{table.title}: " if table.title else ""
        notes += [*table.notes, *(f"{prefix}{note}" for note in _notes(comparison, procedure))]
    submitted = {run: of for table in tables for run, of in table.submitted.items()}
    return ComparisonResult(tuple(comparisons), submitted, tuple(notes))


def _notes(comparison: Comparison, procedure: Procedure) -> list[str]:
    """Return the notes of a comparison: how it was made, and how to read it."""
    found, systems = int(comparison.significant.sum()), len(comparison.matrix.systems)
    topics = len(comparison.matrix.topics)
    return [
        f"{counted(systems, 'system')} on {counted(topics, 'topic')}; {procedure.description()}",
        f"{found:,} of {counted(len(comparison), 'hypothesis', 'hypotheses')} rejected; intervals are "
        "two-sided and not corrected",
        *comparison.warnings,
    ]


@dataclass(frozen=True, eq=False, repr=False)
class TTest(Answer):
    """Student's t-test of two systems: difference = second - first, one-tailed.

    `compat` shows it as the script of INEX did, whose s^2 is the sum of squared deviations.
    """

    scores: Scores
    result: PairedT
    compat: bool = False
    notes: tuple[str, ...] = ()

    @property
    def t(self) -> float:
        """The statistic."""
        return self.result.t

    @property
    def p(self) -> float:
        """The probability of such a statistic, or a greater one, by chance."""
        return self.result.p

    def figures(self) -> dict[str, float]:
        """Return the numbers by their names."""
        result = self.result
        return {
            "n": result.n,
            "df": result.n - 1,
            "sum": result.sum,
            "mean": result.mean,
            "s^2": result.squares if self.compat else result.variance,
            "t": result.t,
            **({} if self.compat else {"p": result.p}),
        }

    def grid(self, *, for_programs: bool = False) -> Grid:  # noqa: ARG002 - one row for both
        """Return the numbers in one row."""
        return Grid(list(self.figures()), [list(self.figures().values())])

    def text(self, output: str = "table", *, width: int = 100) -> str:
        """Return what the command line prints; `table` has a number to a line."""
        if output == "json":
            shown = {k: v if math.isfinite(v) else None for k, v in self.figures().items()}
            return json.dumps(shown) + "\n"
        if output != "table":
            return super().text(output, width=width)
        return "".join(f"{label} : {value:.10g}\n" for label, value in self.figures().items())

    def __repr__(self) -> str:
        first, second = self.scores.systems
        return f"TTest({second} against {first}: n={self.result.n}, t={self.t:.4f}, p={self.p:.4f})"

    def plot(self, kind: str = "differences") -> Plot:
        """Draw the two systems: differences, heatmap or topics."""
        return self.scores.plot(kind, self.scores.systems)  # type: ignore[no-any-return]


@scoring
def ttest(
    judgements: object = None,
    runs: object = None,
    measure: Measures = (),
    *,
    out: str | Path = "",
    compat: bool = False,
    common_topics: bool = False,
    watch: Watch = iter,
    **options: Unpack[Scoring],
) -> TTest:
    """Test whether the second system is better than the first: difference = second - first, one-tailed.

    In the place of judgements and two runs there may be scores of two systems. With a campaign file `runs`
    are the ids of two of its runs. `out` writes the three-column file: topic and two scores.

    >>> import inexlab
    >>> runs = ["demo/runs/focused-articles.txt", "demo/runs/focused-sections.txt"]
    >>> inexlab.ttest("demo/judgements.qrels", runs, "MAiP", collection="demo/articles")
    TTest(sections against articles: n=6, t=1.6516, p=0.0798)
    """
    if str(out):
        refuse_unwritable(out)
    table = _two_systems(judgements, runs, chosen(measure, options), common_topics, watch)
    scores = table.scores
    if str(out):
        rows = zip(scores.topics, *scores.values.tolist(), strict=True)
        text = "".join(f"{topic}\t{x!r}\t{y!r}\n" for topic, x, y in rows)
        write_file(out, [text.encode()])
    result = t_test(scores.values[0], scores.values[1])
    first, second = (_with_task(system, table.submitted) for system in scores.systems)
    notes = [] if compat else [f"{second} against {first}, one-tailed"]
    if not compat and (warning := few_topics_warning(result.n)):
        notes.insert(0, warning)
    return TTest(scores, result, compat, (*table.notes, *notes))


def _with_task(system: str, submitted: Mapping[str, str]) -> str:
    """Return a system's name, and its task where the two are of different ones."""
    return f"{system} ({SUBMITTED} {submitted[system]})" if submitted.get(system) else system


def _two_systems(
    judgements: object, runs: object, choices: Choices, common: bool, watch: Watch
) -> ScoreTable:
    """Return the scores of the two systems that are named, in that order."""
    if choices.campaign_file:
        choose_one([], choices)
        names = [str(name) for name in [*several(judgements), *several(runs)]]
        if len(names) != 2:
            raise UsageError("with `campaign_file=` give the ids of two of its runs.")
        table = one_table([], choices, common=common, watch=watch)
        for name in names:
            if name not in table.scores.systems:
                raise UnknownNameError("run", name, table.scores.systems)
        return replace(table, scores=table.scores.choose(names))
    files: list[Given] = files_of(judgements, runs)
    if len(files) not in (1, 2, 3) or (len(files) == 2 and not are_scores(files)):
        raise UsageError("give one three-column file, two files of scores, or judgements and two runs.")
    table = one_table(files, choices, common=common, watch=watch)
    if len(table.scores.systems) != 2:
        whose = files[0] if isinstance(files[0], str | Path) else "the table"
        raise UsageError(
            f"{whose} holds {counted(len(table.scores.systems), 'system')}; a t-test compares two."
        )
    return table
