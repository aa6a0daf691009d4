"""A comparison in print: letters in ranges, and stars for as many systems as fit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from inexlab.report.comparison import LARGEST_MATRIX, _shortened, write_comparison
from inexlab.statistics import Comparison, ScoreMatrix, compare


def neighbours(systems: int, reach: int) -> Comparison:
    """Systems of which each is better than those from so many places on, and no others."""
    means = np.arange(systems, 0, -1.0)[:, None] + np.zeros((1, 12))
    matrix = ScoreMatrix(tuple(f"s{i}" for i in range(systems)), tuple(map(str, range(12))), means)
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
    assert _shortened(letters) == shown


def test_the_table_writes_ranges_and_the_json_every_letter() -> None:
    """Of ten systems each differs from those five places on: six groups of five, s4 and s5 in five each."""
    comparison = neighbours(10, 5)
    expected = ["a", "ab", "abc", "abcd", "abcde", "bcdef", "cdef", "def", "ef", "f"]
    assert comparison.letters() == expected
    lines = write_comparison(comparison, "markdown").splitlines()[2:12]
    groups = [line.split("|")[4].strip() for line in lines]
    assert groups == ["a", "ab", "abc", "a–d", "a–e", "b–f", "c–f", "def", "ef", "f"]
    assert '"letters": "abcde"' in write_comparison(comparison, "json")


def test_one_topic_has_no_intervals() -> None:
    matrix = ScoreMatrix(("x", "y"), ("1",), np.array([[0.5], [0.25]]))
    found = compare(matrix, test="t")
    assert [line.split()[2] for line in write_comparison(found, "table").splitlines()[2:4]] == ["–", "–"]
    assert write_comparison(found, "csv").splitlines()[1] == "x,y,0.5,0.25,0.25,,,0.0,1.0,1.0,false"


@pytest.mark.parametrize("output", ["table", "latex", "markdown"])
def test_stars_for_as_many_systems_as_fit(output: str) -> None:
    for systems, top, shown in ((LARGEST_MATRIX, 0, True), (41, 0, False), (41, 40, True)):
        text = write_comparison(neighbours(systems, 5), output, top=top)
        assert ("row better than column" in text) is shown
