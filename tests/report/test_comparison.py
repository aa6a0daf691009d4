"""A comparison in print: letters in ranges, marks for as many systems as fit, baselines, few topics."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import scipy.stats

from inexlab.report.comparison import (
    LARGEST_MATRIX,
    LARGEST_TABLE,
    systems_shown,
    write_comparison,
    write_comparisons,
)
from inexlab.report.tables import shortened
from inexlab.scores import Scores
from inexlab.statistics import Comparison, compare


def neighbours(systems: int, reach: int) -> Comparison:
    """Systems of which each is better than those from so many places on, and no others."""
    means = np.arange(systems, 0, -1.0)[:, None] + np.zeros((1, 12))
    matrix = Scores(tuple(f"s{i}" for i in range(systems)), tuple(map(str, range(12))), means)
    found = compare(matrix, test="t")
    return replace(found, significant=found.b - found.a >= reach)


@pytest.mark.parametrize(
    ("letters", "shown"),
    [
        ("", ""),
        ("a", "a"),
        ("abc", "abc"),
        ("abcd", "a–d"),
        ("abcdefz", "a–fz"),
        ("acegik", "acegik"),
        ("abcdfghi", "a–df–i"),
        ("wxyzABCD", "w–zA–D"),
        ("yzAB(aa)(ab)", "yzAB(aa)(ab)"),
    ],
)
def test_four_letters_in_a_row_are_a_range(letters: str, shown: str) -> None:
    assert shortened(letters) == shown


def test_the_table_writes_ranges_and_the_json_every_letter() -> None:
    """Of ten systems each differs from those five places on: six groups of five, s4 and s5 in five each."""
    comparison = neighbours(10, 5)
    expected = ["a", "ab", "abc", "abcd", "abcde", "bcdef", "cdef", "def", "ef", "f"]
    assert comparison.letters() == expected
    lines = write_comparison(comparison, "markdown").splitlines()[4:14]
    groups = [line.split("|")[4].strip() for line in lines]
    assert groups == ["a", "ab", "abc", "a–d", "a–e", "b–f", "c–f", "def", "ef", "f"]
    assert '"letters": "abcde"' in write_comparison(comparison, "json")


def test_one_topic_has_no_intervals() -> None:
    matrix = Scores(("x", "y"), ("1",), np.array([[0.5], [0.25]]))
    found = compare(matrix, test="t")
    assert [line.split()[2] for line in write_comparison(found, "table").splitlines()[4:6]] == ["–", "–"]
    assert write_comparison(found, "csv").splitlines()[1] == "x,y,0.5,0.25,0.25,,,0.0,1.0,1.0,false"


@pytest.mark.parametrize("output", ["table", "latex", "markdown"])
def test_marks_for_as_many_systems_as_fit(output: str) -> None:
    for systems, top, shown in ((LARGEST_MATRIX, 0, True), (41, 0, False), (41, 40, True)):
        text = write_comparison(neighbours(systems, 5), output, top=top)
        assert ("row against the column" in text) is shown


def three(topics: int = 12, name: str = "MAiP", **options: Any) -> Comparison:
    """A system better than two others, which do not differ."""
    noise = np.resize([0.01, -0.01], topics)
    rows = np.array([np.full(topics, 0.8), np.full(topics, 0.3) + noise, np.full(topics, 0.301) - noise / 2])
    topic_names = tuple(map(str, range(topics)))
    return compare(Scores(("good", "fair", "base"), topic_names, rows, name), test="t", **options)


def test_the_first_line_says_what_was_compared_and_how() -> None:
    for tail in ("one", "two"):
        hypotheses = 6 if tail == "one" else 3
        for output in ("table", "markdown"):
            first = write_comparison(three(tail=tail, correction="holm"), output).splitlines()[0].strip("* ")
            assert first == (
                f"MAiP: 3 systems on 12 topics; Student's paired t-test, {tail}-tailed, "
                f"Holm correction for {hypotheses} hypotheses, level 0.05"
            )


def test_marks_tell_better_from_worse_from_no_difference() -> None:
    """A dash stands for what is undefined, and for nothing else."""
    text = write_comparison(three(), "table")
    assert "> better, < worse, · not shown to differ" in text
    matrix = [line.split() for line in text.split("not shown to differ")[1].splitlines() if line.strip()][2:]
    assert matrix == [["1", "good", ">", ">"], ["2", "base", "<", "·"], ["3", "fair", "<", "·"]]
    assert "–" not in text.split()
    assert "-" not in text.split()


@pytest.mark.parametrize("tail", ["one", "two"])
def test_against_a_baseline_there_are_differences_intervals_and_p(tail: str) -> None:
    found = three(tail=tail, baselines=["base"])
    text = write_comparison(found, "table", width=120)
    assert "row against the column" not in text
    table = text.split(f"MAiP: against base (mean {found.matrix.totals()[2]:.4f}), {tail}-tailed")[1]
    good, fair = (line for line in table.splitlines() if line.strip().startswith(("good", "fair")))
    pairs = {(pair.a, pair.b): pair for pair in found.pairs()}
    for name, line, outcome in (("good", good, "better"), ("fair", fair, "not shown to differ")):
        one = pairs.get((name, "base"))
        other = pairs["base", name]
        cells = line.split()
        sign = "+" if other.difference < 0 else "−"
        assert cells[2] == f"{sign}{abs(other.difference):.4f}"
        assert [float(cells[3]), float(cells[5])] == pytest.approx([-other.high, -other.low], abs=5e-5)
        assert cells[6] == f"{-other.statistic:.4f}".replace("-", "−")
        for shown, key in zip(cells[7:9], ("p", "p_adjusted"), strict=True):
            p = min(getattr(pair, key) for pair in (one, other) if pair)
            assert shown == ("<0.0001" if p < 0.0001 else f"{p:.4f}")
        assert line.rstrip().endswith(outcome)


def test_each_of_several_baselines_has_its_table() -> None:
    text = write_comparison(neighbours_of_baselines(), "markdown")
    assert text.count("**against s") == 2
    assert len([line for line in text.splitlines() if "| better |" in line or "| worse |" in line]) > 0


def neighbours_of_baselines() -> Comparison:
    means = np.arange(5, 0, -1.0)[:, None] + np.zeros((1, 12))
    matrix = Scores(tuple(f"s{i}" for i in range(5)), tuple(map(str, range(12))), means)
    found = compare(matrix, test="t", baselines=["s1", "s3"])
    assert found.baselines == (1, 3)
    return found


def test_records_name_their_measure() -> None:
    both = [("", three(name="MAiP")), ("", three(name="iP@0.01"))]
    header, *rows = csv.reader(io.StringIO(write_comparisons(both, "csv")))
    assert header[:3] == ["measure", "a", "b"]
    assert {row[0] for row in rows} == {"MAiP", "iP@0.01"}
    assert len(rows) == 12
    records = json.loads(write_comparisons(both, "json"))
    assert [record["measure"] for record in records] == ["MAiP", "iP@0.01"]
    assert [record["tail"] for record in records] == ["one", "one"]
    assert {pair["measure"] for pair in records[1]["pairs"]} == {"iP@0.01"}
    titled = [("focused", three(name="MAiP")), ("MAiP", three(name="MAiP"))]
    assert write_comparisons(titled, "csv").startswith("of,measure,a,b,")
    single = json.loads(write_comparisons([("focused", three())], "json"))
    assert (single[0]["of"], single[0]["measure"], single[0]["systems"][0]["measure"]) == (
        "focused",
        "MAiP",
        "MAiP",
    )
    assert set(json.loads(write_comparison(three(), "json"))) == {"systems", "pairs"}


@pytest.mark.parametrize("output", ["table", "markdown", "latex"])
def test_several_measures_are_told_apart(output: str) -> None:
    text = write_comparisons([("", three(name="MAiP")), ("focused", three(name="iP@0.01"))], output)
    assert text.index("MAiP") < text.index("focused") < text.rindex("iP@0.01")


@pytest.mark.parametrize("output", ["table", "markdown", "latex"])
def test_few_topics_are_warned_of_beside_the_table(output: str) -> None:
    none, some, enough = (write_comparison(three(topics), output) for topics in (4, 9, 10))
    assert "4 topics: too few to conclude anything; with fewer than 5 no difference counts as shown" in none
    assert "9 topics: too few for any test to say much" in some
    assert "too few" not in enough
    assert "group" not in none
    assert "group" in some
    assert "downarrow" not in none.partition("midrule")[2]


# Table 6 of Cherukuri (2010): seven topics, t = 1.3505724 of the second column against the first
_X = (0.9990198480764518, 0.0, 0.0, 0.34397119086054884, 0.12936590721932473, 0.0, 0.06138073065902579)
_Y = (0.9990198480764518, 0.0, 0.5120564388754344, 0.5815299446401611, 0.12024428931579069, 0.0)
_SEVEN = Scores(("x", "y"), tuple("1234567"), np.array([_X, (*_Y, 0.04249008051157595)]))


@pytest.mark.parametrize("output", ["table", "latex", "markdown"])
def test_t_and_its_critical_value_stand_beside_a_baseline(output: str) -> None:
    """t(.95; 6) = 1.9432: tables of the t distribution."""
    found = compare(_SEVEN, test="t", correction="none", baselines=["x"])
    text = write_comparison(found, output)
    assert "1.3506" in text
    assert "The critical value of t is 1.9432 (6 degrees of freedom, one-tailed, alpha 0.05)." in text
    assert found.critical_value == pytest.approx(scipy.stats.t.ppf(0.95, 6), abs=1e-12)
    against_y = write_comparison(compare(_SEVEN, test="t", baselines=["y"]), output)
    assert ("$-$1.3506" if output == "latex" else "−1.3506") in against_y
    assert "before correction" in against_y


def test_the_two_tailed_critical_value_leaves_half_at_each_end() -> None:
    found = compare(_SEVEN, test="t", tail="two", correction="none", baselines=["x"])
    assert "is 2.4469 (6 degrees of freedom, two-tailed" in write_comparison(found, "table")
    assert "1.3506" in write_comparison(found, "table")


@pytest.mark.parametrize("output", ["table", "latex", "markdown"])
def test_all_pairs_have_the_critical_value_of_t_alone(output: str) -> None:
    critical = "The critical value of t is 1.9432 (6 degrees of freedom"
    assert write_comparison(compare(_SEVEN, test="t"), output).count(critical) == 1
    other = compare(_SEVEN, test="sign")
    assert "critical" not in write_comparison(other, output)
    assert np.isnan(other.critical_value)


def test_a_difference_without_variance_has_no_bound() -> None:
    matrix = Scores(("x", "y"), tuple("12345"), np.array([[0.5] * 5, [0.25] * 5]))
    text = write_comparison(compare(matrix, test="t", baselines=["x"]), "latex")
    assert r"$-$$\infty$" in text


@pytest.mark.parametrize("output", ["table", "latex", "markdown"])
def test_of_many_systems_the_pairs_of_the_best_are_shown(output: str) -> None:
    """Two hundred systems are all shown; of more, forty, and numbers for the rest."""
    for systems, shown in ((41, 41), (LARGEST_TABLE, LARGEST_TABLE), (LARGEST_TABLE + 1, LARGEST_MATRIX)):
        comparison = neighbours(systems, 12)
        text = write_comparison(comparison, output)
        best, last = (comparison.matrix.systems[comparison.order()[place]] for place in (0, shown - 1))
        assert f"against {best}" in text.replace("\\", "")
        assert last in text
        if output != "latex":  # whose caption is for papers
            assert ("pairs of systems are shown to differ" in text) is (systems > LARGEST_TABLE)
        assert systems_shown(systems, None) == shown
    assert write_comparison(comparison, output, top=0).count("\n") > LARGEST_TABLE


def test_the_numbers_of_many_systems_are_those_of_the_pairs() -> None:
    comparison = neighbours(LARGEST_TABLE + 5, 12)
    order, count = comparison.order(), len(comparison.matrix.systems)
    pairs = [(a, b) for a in range(count) for b in range(a)]
    differ = sum(bool(comparison.better[a, b] or comparison.better[b, a]) for a, b in pairs)
    alike = sum(not comparison.better[order[0], s] for s in order[1:])
    text = write_comparison(comparison, "markdown")
    assert f"{differ:,} of {len(pairs):,} pairs of systems are shown to differ" in text
    assert f"not shown to be better than {alike:,} of the {count - 1:,} others" in text
    assert 0 < differ < len(pairs)


def test_json_is_what_the_library_writes() -> None:
    """The pairs are written one by one, into a frame that is written at once."""
    one, two = three(), three(12, 'says "pairs": null, {and} more\n')
    for named in ([("", one)], [("a", one), ("b", two)]):
        for submitted in ({}, {"s0": "Focused"}):
            text = write_comparisons(named, "json", submitted=submitted)
            assert json.dumps(json.loads(text), indent=1) + "\n" == text
            found = json.loads(text)
            for record, (_, c) in zip(found if len(named) > 1 else [found], named, strict=True):
                assert [r["p"] for r in record["pairs"]] == c.p.tolist()
