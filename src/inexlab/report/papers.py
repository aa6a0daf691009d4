r"""Tables for papers: LaTeX with booktabs, the best in bold, significance marked and explained.

    \usepackage{booktabs}

An arrow marks systems found worse (or better) than one of them: than the best, or than a baseline.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from inexlab.measures import Evaluation, Measure, Scores
from inexlab.report.tables import latex_text, shown
from inexlab.statistics import Comparison

TESTS = {
    "bootstrap": "paired bootstrap test",
    "t": "Student's paired t-test",
    "wilcoxon": "Wilcoxon signed-rank test",
    "sign": "sign test",
    "randomisation": "paired randomisation test",
}
CORRECTIONS = {
    "by": "Benjamini–Yekutieli correction",
    "bh": "Benjamini–Hochberg correction",
    "holm": "Holm correction",
    "bonferroni": "Bonferroni correction",
    "none": "uncorrected",
}
WORSE, BETTER = r"$^{\downarrow}$", r"$^{\uparrow}$"


def scores_table(
    evaluation: Evaluation,
    comparisons: Sequence[Comparison | None],
    baseline: str = "",
    doubtful: Callable[[Measure], bool] = lambda _: False,
) -> str:
    """Return the means of all runs by all measures; a measure with a comparison gets marks.

    `comparisons` has an entry per measure, None where there is nothing to test; a `doubtful` measure
    carries a `?`.
    """
    scores = evaluation.scores
    header = [latex_text(f"{s.measure}{'?' if doubtful(s.measure) else ''}") for s in scores]
    columns = marked_columns(scores, comparisons, baseline)
    rows = [[latex_text(run), *cells] for run, *cells in zip(scores[0].systems, *columns, strict=True)]
    doubts = any(doubtful(s.measure) for s in scores)
    return latex_table(["run", *header], rows, caption(scores, comparisons, baseline, doubts=doubts))


def marked_columns(
    scores: Sequence[Scores], comparisons: Sequence[Comparison | None], baseline: str = ""
) -> list[list[str]]:
    """Return the means by each measure, a column of LaTeX for each: the best in bold, marks behind."""
    return [_marked(s, tested, baseline) for s, tested in zip(scores, comparisons, strict=True)]


def caption(
    scores: Sequence[Scores],
    comparisons: Sequence[Comparison | None],
    baseline: str,
    *,
    doubts: bool,
) -> str:
    """Say what a table of means holds, and what its marks mean."""
    first = next((c for c in comparisons if c is not None), None)
    said = [f"Means over {len(first.matrix.topics if first else scores[0].topics)} topics; the best in bold."]
    if first:
        said.append(_how(first, baseline))
    if doubts:
        said.append("No paper confirms a parameter of measures with a ?.")
    return " ".join(said)


def comparison_table(comparison: Comparison, order: Sequence[int], baseline: str = "") -> str:
    """Return the systems by mean with intervals and groups, marked against the best or a baseline."""
    baseline = baseline or _only_baseline(comparison)
    means, letters = comparison.matrix.means(), comparison.letters()
    place = {s: i for i, s in enumerate(comparison.order())}
    level = f"{100 * (1 - comparison.alpha):g}"
    header = ["system", latex_text(comparison.matrix.name or "mean"), rf"{level}\% interval"]
    header += ["group", "better than", "worse than"]
    rows = []
    for s in order:
        number = f"{means[s]:.4f}"
        interval = "--"
        if np.isfinite(comparison.mean_low[s]):
            interval = f"{comparison.mean_low[s]:.4f}--{comparison.mean_high[s]:.4f}"
        rows.append(
            [
                latex_text(comparison.matrix.systems[s]),
                _bold(number, bool(means[s] == means.max())) + _arrow(comparison, s, baseline),
                interval,
                letters[place[s]],
                str(int(comparison.better[s].sum())),
                str(int(comparison.better[:, s].sum())),
            ]
        )
    groups = " Systems that share a letter are not shown to differ." if any(letters) else ""
    said = f"Means over {len(comparison.matrix.topics)} topics; the best in bold."
    return latex_table(header, rows, f"{said} {_how(comparison, baseline)}{groups}")


def latex_table(header: Sequence[str], rows: Sequence[Sequence[str]], caption: str) -> str:
    """Return a floating table of cells that are LaTeX already."""
    lines = [" & ".join(cells) + r" \\" for cells in (header, *rows)]
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{caption}}}",
            rf"\begin{{tabular}}{{l{'r' * (len(header) - 1)}}}",
            r"\toprule",
            lines[0],
            r"\midrule",
            *lines[1:],
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
            "",
        ]
    )


def _marked(scores: Scores, comparison: Comparison | None, baseline: str) -> list[str]:
    """Return one measure's column."""
    totals = scores.totals()
    sums = scores.measure.definition.total == "sum"
    best = np.nanmax(totals) if not sums and np.isfinite(totals).any() else np.nan
    cells = []
    for s, total in enumerate(totals.tolist()):
        text = latex_text(shown(None if total != total else int(total) if sums else total))
        arrow = (
            _arrow(comparison, comparison.matrix.systems.index(scores.systems[s]), baseline)
            if comparison
            else ""
        )
        cells.append(_bold(text, total == best) + arrow)
    return cells


def _bold(text: str, best: bool) -> str:
    return rf"\textbf{{{text}}}" if best else text


def _arrow(comparison: Comparison, system: int, baseline: str) -> str:
    reference = comparison.matrix.systems.index(baseline) if baseline else comparison.order()[0]
    if comparison.better[reference, system]:
        return WORSE
    return BETTER if comparison.better[system, reference] else ""


def in_words(test: str, correction: str) -> tuple[str, str]:
    """Return the full names of a test and a correction; a plug-in's are as they are.

    >>> in_words("t", "by")
    ("Student's paired t-test", 'Benjamini–Yekutieli correction')
    """
    return TESTS.get(test, f"{test} test"), CORRECTIONS.get(correction, correction)


def _only_baseline(comparison: Comparison) -> str:
    """Return the system that all others were compared with, where not all pairs were."""
    everyone = comparison.tested.sum(axis=1) == len(comparison.matrix.systems) - 1
    if everyone.all() or everyone.sum() != 1:
        return ""
    return comparison.matrix.systems[int(everyone.argmax())]


def _how(comparison: Comparison, baseline: str) -> str:
    """Say what the marks mean and how they were found."""
    than = f"than {latex_text(baseline)}" if baseline else "than the best"
    marks = rf"{WORSE}\,worse" + (rf", {BETTER}\,better" if baseline else "")
    tails = "one-tailed" if comparison.tail == "one" else "two-tailed"
    test, correction = map(latex_text, in_words(comparison.test, comparison.correction))
    family = f"{len(comparison):,} hypotheses".replace(",", r"\,")
    return rf"{marks} {than} ({test}, {tails}, {correction} for {family}, $\alpha={comparison.alpha:g}$)."
