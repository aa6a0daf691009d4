"""Conditions compared: `agreement`, `correlate` and `stability`."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Unpack

from inexlab.api.answers import Answer, Table, notes_in_html
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
from inexlab.display import draw_from
from inexlab.errors import UnknownNameError, UsageError
from inexlab.experiments.conditions import DECISIONS, choose_conditions, group_conditions, score_conditions
from inexlab.experiments.tables import one_table
from inexlab.markup import table as html_table
from inexlab.progress import reporting
from inexlab.report.agreement import agreement_records, write_agreement
from inexlab.report.correlation import correlation_grid, counts_note, undefined_note
from inexlab.report.grids import known_format, together, write_grids
from inexlab.report.tables import Cell, Grid
from inexlab.scores import Scores
from inexlab.statistics import Comparison
from inexlab.statistics.agreement import Agreement, Difference
from inexlab.statistics.agreement import agreement as agree
from inexlab.statistics.agreement import differences as differences_of
from inexlab.statistics.caveats import resolution_warnings
from inexlab.statistics.comparison import check_choices
from inexlab.statistics.correlation import COEFFICIENTS, Difficulty, correlations
from inexlab.statistics.correlation import difficulty as summarise
from inexlab.statistics.procedure import Procedure
from inexlab.statistics.stability import Stability, halves_warning
from inexlab.statistics.stability import growth as grow
from inexlab.statistics.stability import stability as check_tests
from inexlab.statistics.testing import Sampling, usual_tests
from inexlab.wording import counted

if TYPE_CHECKING:
    from inexlab.report.figure import Plot


@dataclass(frozen=True, eq=False, repr=False)
class AgreementResult(Answer):
    """How far conditions find the same differences: a table for each group of conditions, with its title.

    `decisions` are the comparisons of all conditions.
    """

    groups: tuple[tuple[str, Agreement], ...]
    decisions: tuple[Comparison, ...]
    notes: tuple[str, ...] = ()

    def grid(self, *, for_programs: bool = False) -> Grid:  # noqa: ARG002 - the squares are in `text`
        """Return one row per pair of conditions: recall, precision and F1."""
        return agreement_records(self.groups)

    def text(self, output: str = "table", *, width: int = 100) -> str:
        """Return what the command line prints: for people recall and F1 as squares of conditions."""
        known_format(output)
        return write_agreement(self.groups, output, width)

    def __repr__(self) -> str:
        conditions = [name for _, group in self.groups for name in group.conditions]
        shown = ", ".join(dict.fromkeys(conditions))
        return f"Agreement({counted(len(conditions), 'condition')}: {shown})"

    def plot(self, kind: str = "agreement", conditions: Sequence[str] = ()) -> Plot:
        """Draw two conditions, the x-axis first; the first two unless named."""
        known = {comparison.matrix.name: comparison for comparison in self.decisions}
        two = _two(list(conditions), list(known))
        chosen_ones = [known[name] for name in two]
        return draw_from(  # type: ignore[no-any-return]
            kind,
            {"two comparisons": chosen_ones, "two matrices": [c.matrix for c in chosen_ones]},
            "an agreement",
        )


def _two(named: list[str], known: list[str]) -> list[str]:
    for name in named:
        if name not in known:
            raise UnknownNameError("condition", name, known)
    if len(named) not in (0, 2):
        raise UsageError(f"this figure is of two conditions; choose two of {', '.join(known)}.")
    return named or known[:2]


@scoring
def agreement(
    judgements: object = None,
    runs: object = None,
    measure: Measures = (),
    *,
    vary: Several = (),
    condition: Several = (),
    test: str = "bootstrap",
    correction: str = "by",
    alpha: float = 0.05,
    each: Several = (),
    min_difference: float = 0.0,
    differences: bool = False,
    resamples: int = 10_000,
    seed: int = 2006,
    topics_of: str = "common",
    **options: Unpack[Scoring],
) -> AgreementResult | Table:
    """Compare the decisions of conditions: recall, precision and F1 of one's differences against another's.

    Rows predict columns, as in Tables 3 and 4 of Ogilvie and Lalmas (2006). `differences` asks for the pairs
    of systems instead: both differences, and hit, miss or false alarm.

    >>> import inexlab
    >>> from pathlib import Path
    >>> runs = sorted(Path("demo/runs").glob("focused-*.*"))
    >>> inexlab.agreement(
    ...     "demo/judgements.qrels", runs, collection="demo/articles", vary="measure=MAiP,iP@0.01", test="t"
    ... )
    Agreement(2 conditions: MAiP, iP@0.01)
    """
    procedure = Procedure(test, correction, alpha, Sampling(resamples, seed))
    if not min_difference >= 0:
        raise UsageError(f"`min_difference={min_difference:g}` must be >= 0.")
    conditions = choose_conditions(
        judgements_and_runs(judgements, runs), chosen(measure, options), several(vary), several(condition)
    )
    of_campaign = ["task"] if any(c.task for c in conditions) else []
    grouped = group_conditions(conditions, list(dict.fromkeys([*of_campaign, *several(each)])))
    tables, scoring_notes = score_conditions(conditions, topics_of=topics_of)
    decided = [
        c.procedure(procedure).compare(table, intervals=False)
        for c, table in reporting(
            list(zip(conditions, tables, strict=True)), "testing conditions", "conditions"
        )
    ]
    warnings = dict.fromkeys(warning for comparison in decided for warning in comparison.warnings)
    procedures = dict.fromkeys(c.procedure(procedure).description() for c in conditions)
    notes = (*scoring_notes, *procedures, *warnings)
    if not differences:
        groups = [
            (
                title,
                replace(agree([decided[i] for i in places], min_difference=min_difference), conditions=names),
            )
            for title, places, names in grouped
        ]
        return AgreementResult(tuple(groups), tuple(decided), notes)
    rows: list[list[Cell]] = []
    for _, places, _ in grouped:
        for row, column in itertools.permutations((decided[i] for i in places), 2):
            both = [row.matrix.name, column.matrix.name]
            rows += [[*both, *pair] for pair in differences_of(row, column, min_difference=min_difference)]
    grid = Grid(["predictor", "truth", *Difference._fields], rows)
    return Table("Differences", grid, notes=notes)


@dataclass(frozen=True, eq=False, repr=False)
class CorrelationResult(Answer):
    """How far conditions rank systems alike: a square of conditions for each group, with its title.

    `scores` are those of all conditions.
    """

    coefficient: str
    grids: tuple[Grid, ...]
    scores: tuple[Scores, ...]
    notes: tuple[str, ...] = ()

    def grid(self, *, for_programs: bool = False) -> Grid:  # noqa: ARG002 - one for both
        """Return a square of conditions; of several groups, with the title of each."""
        return together(self.grids)

    def text(self, output: str = "table", *, width: int = 100) -> str:
        """Return what the command line prints."""
        known_format(output)
        return write_grids(self.grids, output, width)

    def __repr__(self) -> str:
        names = ", ".join(dict.fromkeys(name for grid in self.grids for name in grid.header[1:]))
        return f"Correlation({self.coefficient}: {names})"

    def _repr_html_(self) -> str:
        tables = (html_table(grid.title, grid.header, grid.rows, len(grid.rows)) for grid in self.grids)
        return "".join(tables) + notes_in_html(self.notes)

    def plot(self, kind: str = "correlation", conditions: Sequence[str] = ()) -> Plot:
        """Draw two conditions, the x-axis first; the first two unless named."""
        known = {table.name: table for table in self.scores}
        pair = [known[name] for name in _two(list(conditions), list(known))]
        return draw_from(kind, {"two matrices": pair}, "a correlation")  # type: ignore[no-any-return]


@scoring
def correlate(
    judgements: object = None,
    runs: object = None,
    measure: Measures = (),
    *,
    vary: Several = (),
    condition: Several = (),
    coefficient: str = "tau",
    average: Several = (),
    difficulty: bool = False,
    top: int = 0,
    each: Several = (),
    topics_of: str = "common",
    **options: Unpack[Scoring],
) -> CorrelationResult | Table:
    """Correlate the rankings of systems under different conditions.

    With a campaign file correlations are means over its tasks, unless `each="task"` separates them.
    `difficulty` asks for mean, deviation, best and worst score of each condition instead.

    >>> import inexlab
    >>> from pathlib import Path
    >>> runs = sorted(Path("demo/runs").glob("focused-*.*"))
    >>> found = inexlab.correlate(
    ...     "demo/judgements.qrels", runs, collection="demo/articles", vary="measure=MAiP,iP@0.01,SpanP@5"
    ... )
    >>> found
    Correlation(tau: MAiP, iP@0.01, SpanP@5)
    >>> found.to_pandas().shape
    (3, 4)
    """
    if coefficient not in COEFFICIENTS:
        raise UnknownNameError("coefficient", coefficient, COEFFICIENTS)
    conditions = choose_conditions(
        judgements_and_runs(judgements, runs), chosen(measure, options), several(vary), several(condition)
    )
    if varied := set(DECISIONS) & set(conditions[0].levels):
        raise UsageError(f"{varied.pop()} changes no score: see `inexlab agreement`.")
    apart, averaged = several(each), several(average)
    if any(c.task for c in conditions) and not difficulty and "task" not in (*averaged, *apart):
        averaged = ["task", *averaged]
    groups = []
    if not difficulty:  # which looks at each condition alone
        grouped = group_conditions(conditions, apart)
        groups = [(group.title, [conditions[i] for i in group.places]) for group in grouped]
        for _, members in groups:
            group_conditions(members, [*apart, *averaged], average=True)  # before hours of work
    scored, notes = score_conditions(conditions, topics_of=topics_of, across_runs=difficulty)
    scores = {table.name: table for table in scored}
    if difficulty:
        rows: list[list[Cell]] = [[None if c != c else c for c in row] for row in summarise(scored, top)]
        return Table("Difficulty", Grid(list(Difficulty._fields), rows), notes=tuple(notes))
    grids = []
    for title, members in groups:
        inner = group_conditions(members, [*apart, *averaged], average=True)
        squares = [
            correlations([scores[members[i].name] for i in group.places], coefficient) for group in inner
        ]
        grids.append(correlation_grid(title, coefficient, inner[0].names, squares))
        counts = [len(scores[c.name].systems) for c in members]
        more = (counts_note(coefficient, counts, len(squares)), undefined_note(inner[0].names, squares))
        notes += [f"{title}: {note}" if title else note for note in more if note]
    return CorrelationResult(coefficient, tuple(grids), tuple(scored), tuple(notes))


@scoring
def stability(
    judgements: object = None,
    runs: object = None,
    measure: Measures = (),
    *,
    test: Several = (),
    correction: Several = (),
    alpha: float = 0.05,
    splits: int = 50,
    resamples: int = 10_000,
    seed: int = 2006,
    growth: bool = False,
    mean_of_splits: bool = False,
    common_topics: bool = False,
    **options: Unpack[Scoring],
) -> Table:
    """Check tests against other topics: what they conclude on one half of the topics, on the other half.

    `test` and `correction` are one or several; all five tests, and none and by, unless given. `growth` asks
    how the share of significant pairs grows with topics instead.

    >>> import inexlab
    >>> from pathlib import Path
    >>> runs = sorted(Path("demo/runs").glob("focused-*.*"))
    >>> scores = inexlab.evaluate("demo/judgements.qrels", runs, "MAiP", collection="demo/articles")
    >>> inexlab.stability(scores, test="t", splits=5)
    Stability(2 rows: test, correction, rejections, errors …)
    """
    tests, corrections = (
        list(dict.fromkeys(several(given) or usual))
        for given, usual in ((test, usual_tests()), (correction, ("none", "by")))
    )
    for name in tests:
        for of_family in corrections:
            check_choices(name, of_family, alpha)
    table = one_table(files_of(judgements, runs), chosen(measure, options), common=common_topics)
    scores, sampling = table.scores, Sampling(resamples, seed)
    rows: list[list[Cell]]
    if growth:
        header = ["test", "correction", "topics", "% significant"]
        rows = [
            [t, c, size, share]
            for t in tests
            for c in corrections
            for size, share in grow(scores, t, c, alpha=alpha, sampling=sampling)
        ]
    else:
        header = list(Stability._fields)
        found = check_tests(
            scores,
            tests,
            corrections,
            splits=splits,
            alpha=alpha,
            sampling=sampling,
            pooled=not mean_of_splits,
        )
        rows = [[None if cell != cell else cell for cell in row] for row in found]
    how = "20 samples of each size" if growth else f"{splits} splits"
    summed = "" if growth else ", rates are means over splits" if mean_of_splits else ", counts pooled"
    counts = f"{counted(len(scores.systems), 'system')} on {counted(len(scores.topics), 'topic')}"
    tested = len(scores.topics) if growth else (len(scores.topics) + 1) // 2
    warning = "" if growth else halves_warning(len(scores.topics))
    notes = (
        *table.notes,
        f"{how}, {counts}, level {alpha:g}, seed {seed}{summed}",
        *resolution_warnings(scores, tests, corrections, alpha, sampling, topics=tested),
        *([warning] if warning else []),
    )
    return Table("Stability", Grid(header, rows), notes=notes)
