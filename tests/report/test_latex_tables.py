"""Tables for papers: the best in bold, marks, and a caption that says how."""

from __future__ import annotations

import re

import numpy as np
import pytest

from inexlab.measures import Evaluation, parse
from inexlab.report.comparison import write_comparison
from inexlab.report.latex_tables import BETTER, WORSE, comparison_table, scores_table
from inexlab.scores import Scores
from inexlab.statistics import Comparison, compare

# good is better than bad on every topic, so is fair; good and fair differ by chance
TOPICS = tuple("12345678")
GOOD = np.array([0.9, 0.8, 0.7, 0.9, 0.8, 0.7, 0.9, 0.8])
FAIR = GOOD + np.array([0.05, -0.06, 0.05, -0.06, 0.05, -0.06, 0.05, -0.06])
BAD = GOOD - np.array([0.4, 0.5, 0.4, 0.5, 0.4, 0.5, 0.4, 0.5])
VALUES = np.array([GOOD, FAIR, BAD])
SYSTEMS = ("good_one", "fair", "bad")
MATRIX = Scores(SYSTEMS, TOPICS, VALUES, "iP@0.01")


def comparison(*baselines: str) -> Comparison:
    return compare(MATRIX, test="t", baselines=baselines)


def body(latex: str) -> dict[str, list[str]]:
    """Return the cells of each row by its first cell."""
    lines = latex.split(r"\midrule")[1].split(r"\bottomrule")[0].strip().splitlines()
    cells = [line.removesuffix(r" \\").split(" & ") for line in lines]
    return {row[0]: row[1:] for row in cells}


def evaluation() -> Evaluation:
    counts = np.full(VALUES.shape, 5.0)
    scores = [
        parse("iP@0.01").tabulate(SYSTEMS, TOPICS, VALUES),
        parse("num_ret").tabulate(SYSTEMS, TOPICS, counts),
    ]
    return Evaluation(tuple(scores), ())


def test_the_best_is_bold_and_what_is_worse_is_marked() -> None:
    latex = scores_table(evaluation(), [comparison(), None])
    assert body(latex) == {
        r"good\_one": [r"\textbf{0.8125}", "40"],
        "fair": ["0.8075", "40"],
        "bad": [f"0.3625{WORSE}", "40"],
    }


def test_against_a_baseline_both_directions_are_marked() -> None:
    latex = scores_table(evaluation(), [comparison("fair"), None], baseline="fair")
    assert body(latex)["bad"] == [f"0.3625{WORSE}", "40"]
    assert body(latex)["fair"] == ["0.8075", "40"]
    latex = scores_table(evaluation(), [comparison("bad"), None], baseline="bad")
    assert body(latex)[r"good\_one"] == [rf"\textbf{{0.8125}}{BETTER}", "40"]
    assert body(latex)["fair"] == [f"0.8075{BETTER}", "40"]


def test_the_caption_says_test_correction_and_level() -> None:
    (caption,) = re.findall(r"\\caption\{(.*)\}\n", scores_table(evaluation(), [comparison(), None]))
    assert caption == (
        r"Means over 8 topics; the best in bold. $^{\downarrow}$\,worse than the best (Student's paired "
        r"t-test, one-tailed, Benjamini--Yekutieli correction for 6 hypotheses, $\alpha=0.05$). "
        "8 topics: too few for any test to say much."
    )


def test_without_a_test_there_are_no_marks() -> None:
    latex = scores_table(evaluation(), [None, None])
    assert WORSE not in latex
    assert r"\caption{Means over 8 topics; the best in bold.}" in latex


def test_an_undefined_mean_is_neither_bold_nor_a_number() -> None:
    values = np.array([[np.nan, np.nan], [0.5, 0.5]])
    table = scores_table(Evaluation((parse("MAiP").tabulate(("a", "b"), ("1", "2"), values),), ()), [None])
    assert body(table) == {"a": ["--"], "b": [r"\textbf{0.5000}"]}


def test_equal_bests_are_all_bold() -> None:
    values = np.array([[0.5], [0.5], [0.1]])
    table = scores_table(Evaluation((parse("MAiP").tabulate(SYSTEMS, ("1",), values),), ()), [None])
    assert table.count(r"\textbf") == 2


def test_a_comparison_has_intervals_groups_and_marks() -> None:
    found = comparison()
    latex = comparison_table(found, found.order())
    rows = body(latex)
    assert list(rows) == [r"good\_one", "fair", "bad"]
    assert rows[r"good\_one"][0] == r"\textbf{0.8125}"
    assert rows["bad"][0] == f"0.3625{WORSE}"
    assert rows["bad"][1] == f"{found.mean_low[2]:.4f}--{found.mean_high[2]:.4f}"
    assert [row[2] for row in rows.values()] == found.letters() == ["a", "a", "b"]
    assert [row[3:] for row in rows.values()] == [["1", "0"], ["1", "0"], ["0", "2"]]
    assert "Systems that share a letter are not shown to differ." in latex


def test_a_comparison_with_one_baseline_is_marked_against_it() -> None:
    latex = write_comparison(comparison("bad"), "latex")
    assert rf"\textbf{{0.8125}}{BETTER}" in latex
    assert r"better than bad (" in latex
    assert "share a letter" not in latex  # not all pairs were compared


@pytest.mark.parametrize("top", [0, 1])
def test_a_comparison_in_latex_is_a_table_and_the_matrix(top: int) -> None:
    latex = write_comparison(comparison(), "latex", top=top)
    assert latex.count(r"\begin{table}") == latex.count(r"\end{table}") == latex.count(r"\caption{") == 2
    assert latex.count(r"\begin{tabular}") == latex.count(r"\end{tabular}") == 2
    assert latex.count(r"\toprule") == latex.count(r"\bottomrule") == 2
