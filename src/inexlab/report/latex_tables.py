r"""Tables for papers: LaTeX with booktabs, the best in bold, significance marked and explained.

    \usepackage{booktabs}

An arrow marks systems found worse (or better) than one of them: than the best, or than a baseline.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from inexlab.measures import Evaluation, Measure, Scores
from inexlab.report.latex import Tex, latex_text, to_latex
from inexlab.report.tables import Cell, Grid, shortened, shown, with_tasks
from inexlab.statistics import Comparison
from inexlab.statistics.corrections import corrections
from inexlab.statistics.names import name_of_correction, name_of_test
from inexlab.statistics.testing import significance_tests
from inexlab.wording import counted

WORSE, BETTER = r"$^{\downarrow}$", r"$^{\uparrow}$"


def scores_table(
    evaluation: Evaluation,
    comparisons: Sequence[Comparison | None],
    baseline: str = "",
    doubtful: Callable[[Measure], bool] = lambda _: False,
    submitted: Mapping[str, str] | None = None,
) -> str:
    """Return the means of all runs by all measures; a measure with a comparison gets marks.

    `comparisons` has an entry per measure, None if there is nothing to test; a `doubtful` measure
    carries a `?`.
    """
    scores = evaluation.scores
    header = [f"{s.measure}{'?' if doubtful(s.measure) else ''}" for s in scores]
    columns = marked_columns(scores, comparisons, baseline)
    rows: list[list[Cell]] = [list(row) for row in zip(scores[0].systems, *columns, strict=True)]
    doubts = any(doubtful(s.measure) for s in scores)
    grid = Grid(["run", *header], rows, caption(scores, comparisons, baseline, doubts=doubts))
    return to_latex(with_tasks(grid, submitted) if submitted else grid)


def marked_columns(
    scores: Sequence[Scores], comparisons: Sequence[Comparison | None], baseline: str = ""
) -> list[list[Tex]]:
    """Return the means by each measure, a column of LaTeX for each: the best in bold, marks behind."""
    return [_marked(s, tested, baseline) for s, tested in zip(scores, comparisons, strict=True)]


def caption(
    scores: Sequence[Scores],
    comparisons: Sequence[Comparison | None],
    baseline: str,
    *,
    doubts: bool,
) -> Tex:
    """Say what a table of means holds, each over how many topics, and what its marks mean."""
    tested = [c for c in comparisons if c is not None]
    sentences = [latex_text(f"{_over(scores)}; the best in bold.")]
    if tested:
        sentences.append(_how(tested, baseline))
    if doubts:
        sentences.append(Tex("No paper confirms a parameter of measures with a ?."))
    return Tex(" ".join(sentences))


def _over(scores: Sequence[Scores]) -> str:
    """Say over how many topics the means are: of each measure its own, where they differ.

    A mean is over the topics with something relevant to the measure, which a strict quantisation has fewer
    of; and over those of each system, if systems have different ones.
    """
    means = [s for s in scores if s.measure.definition.total == "mean"]
    if not means:
        return f"Sums over {counted(len(scores[0].topics), 'topic')}"
    counts = {str(s.measure): _topics(s) for s in means}
    if len(set(counts.values())) == 1:
        return f"Means over {_range(*next(iter(counts.values())))}"
    each = ", ".join(f"{_range(*count)} ({name})" for name, count in counts.items())
    return f"Means over {each}"


def _topics(scores: Scores) -> tuple[int, int]:
    """Return the smallest and the largest number of topics in the mean of a system."""
    counts = (~np.isnan(scores.values)).sum(axis=1)
    return int(counts.min(initial=len(scores.topics))), int(counts.max(initial=0))


def _range(fewest: int, most: int) -> str:
    return counted(most, "topic") if fewest == most else f"{fewest:,} to {counted(most, 'topic')}"


def comparison_table(
    comparison: Comparison,
    order: Sequence[int],
    baseline: str = "",
    *,
    of: str = "",
    submitted: Mapping[str, str] | None = None,
) -> str:
    """Return the systems by mean with intervals and groups, marked against the best or a baseline.

    `of` begins the caption: the task, say, and the measure.
    """
    if not baseline and len(comparison.baselines) == 1:
        baseline = comparison.matrix.systems[comparison.baselines[0]]
    means, letters = comparison.matrix.totals(), comparison.letters()
    place = {s: i for i, s in enumerate(comparison.order())}
    level = f"{100 * (1 - comparison.alpha):g}"
    grouped = any(letters)
    header = ["system", comparison.matrix.name or "mean", f"{level}% interval"]
    header += [*(["group"] if grouped else []), "better than", "worse than"]
    rows: list[list[Cell]] = []
    for s in order:
        interval = None
        if np.isfinite(comparison.mean_low[s]):
            interval = f"{comparison.mean_low[s]:.4f}–{comparison.mean_high[s]:.4f}"
        rows.append(
            [
                comparison.matrix.systems[s],
                _bold(f"{means[s]:.4f}", bool(means[s] == means.max()), _arrow(comparison, s, baseline)),
                interval,
                *([shortened(letters[place[s]])] if grouped else []),
                int(comparison.better[s].sum()),
                int(comparison.better[:, s].sum()),
            ]
        )
    groups = " Systems that share a letter are not shown to differ." if grouped else ""
    title = f"{latex_text(of)}. " if of else ""
    title += f"Means over {counted(len(comparison.matrix.topics), 'topic')}; the best in bold."
    critical = "" if comparison.baselines else "".join(f" {n}" for n in critical_value_note(comparison))
    grid = Grid(header, rows, Tex(f"{title} {_how([comparison], baseline)}{critical}{groups}"))
    return to_latex(with_tasks(grid, submitted) if submitted else grid)


def critical_value_note(comparison: Comparison) -> list[str]:
    """Say what the statistic has to exceed, where the test has such a bound."""
    critical, freedom = comparison.critical_value, len(comparison.matrix.topics) - 1
    symbol = significance_tests[comparison.test].symbol or "the statistic"
    if np.isnan(critical):
        return []
    how = f"{counted(freedom, 'degree')} of freedom, {comparison.tail}-tailed, alpha {comparison.alpha:g}"
    before = ", before correction" if corrections[comparison.correction].corrects else ""
    return [f"The critical value of {symbol} is {critical:.4f} ({how}){before}."]


def _marked(scores: Scores, comparison: Comparison | None, baseline: str) -> list[Tex]:
    """Return one measure's column."""
    totals = scores.totals()
    sums = scores.measure.definition.total == "sum"
    best = np.nanmax(totals) if not sums and np.isfinite(totals).any() else np.nan
    cells = []
    for system, total in zip(scores.systems, totals.tolist(), strict=True):
        text = shown(None if total != total else int(total) if sums else total)
        arrow = _arrow(comparison, comparison.matrix.systems.index(system), baseline) if comparison else ""
        cells.append(_bold(text, total == best, arrow))
    return cells


def _bold(text: str, best: bool, arrow: str) -> Tex:
    written = latex_text(text)
    return Tex((rf"\textbf{{{written}}}" if best else written) + arrow)


def _arrow(comparison: Comparison, system: int, baseline: str) -> str:
    reference = comparison.matrix.systems.index(baseline) if baseline else comparison.order()[0]
    if comparison.better[reference, system]:
        return WORSE
    return BETTER if comparison.better[system, reference] else ""


def in_words(test: str, correction: str) -> tuple[str, str]:
    """Return the full names of a test and a correction.

    >>> in_words("t", "by")
    ("Student's paired t-test", 'Benjamini–Yekutieli correction')
    """
    return name_of_test(test), name_of_correction(correction)


def _how(comparisons: Sequence[Comparison], baseline: str) -> Tex:
    """Say what the marks mean, how they were found, and warn of few topics."""
    first = comparisons[0]
    than = f"than {latex_text(baseline)}" if baseline else "than the best"
    marks = rf"{WORSE}\,worse" + (rf", {BETTER}\,better" if baseline else "")
    test = latex_text(name_of_test(first.test))
    family = latex_text(name_of_correction(first.correction, len(first)))
    sentences = [rf"{marks} {than} ({test}, {first.tail}-tailed, {family}, $\alpha={first.alpha:g}$)."]
    few = dict.fromkeys(c.few_topics for c in comparisons if c.few_topics)
    return Tex(
        " ".join([*sentences, *(latex_text(f"{warning[0].upper()}{warning[1:]}.") for warning in few)])
    )
