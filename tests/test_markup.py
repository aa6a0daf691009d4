"""What notebooks show: small tables, escaped and cut."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import numpy as np
import pytest

from inexlab.markup import MOST_ROWS, Markup, cell, interval, shade, table
from inexlab.measures import Evaluation, evaluate, parse
from inexlab.scores import Scores
from inexlab.statistics import compare
from tests.builders import AB_JUDGED, AB_RESULTS, a_run, judged

HOSTILE = '<script>alert(1)</script>&"'


class _Reader(HTMLParser):
    """Reads a table: its rows of texts, and every tag met."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.tags: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, _attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += data


def read(thing: object) -> list[list[str]]:
    """Return the rows of what a notebook shows of a thing."""
    text = thing._repr_html_()  # type: ignore[attr-defined]
    reader = _Reader(text)
    assert set(reader.tags) <= {"table", "caption", "thead", "tbody", "tr", "th", "td", "span", "i", "b"}
    return reader.rows


def test_cells() -> None:
    assert cell(0.5) == "0.5000"
    assert cell(3) == "3"
    assert cell(None) == cell(float("nan")) == "–"
    assert cell("<a>") == "&lt;a&gt;"
    assert cell(Markup("<a>")) == "<a>"


def test_a_long_table_is_cut_and_says_so() -> None:
    rows = _Reader(table("many", ["n"], ([i] for i in range(1000)), 1000)).rows
    assert len(rows) == 1 + MOST_ROWS + 1
    assert rows[-1] == ["… 980 more"]


def test_shade_grows_with_the_value() -> None:
    strengths = [float(re.findall(r"rgba\(0,114,178,([\d.]+)\)", shade(v, 2.0))[0]) for v in (0.0, 1.0, 2.0)]
    assert strengths == [0.0, 0.3, 0.6]
    assert shade(float("nan"), 1.0) == "–"
    assert "0.00" in shade(-1.0, 0.0)


def test_a_run_shows_its_first_results() -> None:
    rows = read(a_run(*AB_RESULTS, id=HOSTILE))
    assert rows[0][:3] == ["topic", "rank", "doc"]
    assert rows[1][:3] == ["1", "1", "A"]
    assert rows[1][4:6] == ["0", "50"]
    assert len(rows) == 4


def test_judgements_show_highlights() -> None:
    rows = read(judged(*AB_JUDGED))
    assert rows[0] == ["topic", "doc", "highlights", "characters", "size", "bep"]
    assert rows[1] == ["1", "A", "0–60", "60", "100", "0"]
    many = judged("A " + " ".join(f"{10 * i}:1" for i in range(7)))
    assert read(many)[1][2].endswith("40–41 …")


def test_an_evaluation_shows_a_row_per_run_and_a_column_per_measure() -> None:
    runs = [a_run(*AB_RESULTS, id=HOSTILE), a_run(*AB_RESULTS[:1], id="short")]
    rows = read(evaluate(judged(*AB_JUDGED), runs, ["SpanR", "num_ret"]))
    assert rows == [["run", "SpanR", "num_ret"], [HOSTILE, "0.9000", "3"], ["short", "0.5000", "1"]]
    assert read(Evaluation((), ())) == [["run"]]


def test_scores_show_the_best_system_first_and_every_topic() -> None:
    values = np.array([[0.1, np.nan], [0.5, 0.7], [np.nan, np.nan]])
    rows = read(parse("MAiP").tabulate(("low", "high", "none"), ("1", "2"), values))
    assert rows == [
        ["run", "all", "1", "2"],
        ["high", "0.6000", "0.5000", "0.7000"],
        ["low", "0.1000", "0.1000", "–"],
        ["none", "–", "–", "–"],
    ]


@pytest.mark.parametrize("topics", [5, 30])
def test_scores_on_many_topics_are_cut(topics: int) -> None:
    names = tuple(str(t) for t in range(topics))
    scores = parse("MAiP").tabulate(("a",), names, np.ones((1, topics)))
    assert len(read(scores)[0]) == 2 + min(topics, MOST_ROWS)
    assert ("10 more topics" in scores._repr_html_()) == (topics == 30)


def test_an_interval_is_drawn_between_its_bounds() -> None:
    drawn = interval(0.25, 0.5, 0.75, (0.0, 1.0))
    assert "left:25.0%;width:50.0%" in drawn
    assert "left:50.0%" in drawn
    assert 'title="0.2500 … 0.7500"' in drawn
    assert interval(float("nan"), 0.5, float("nan"), (0.0, 1.0)) == interval(0, 0, 0, (0.0, 0.0)) == "–"


def test_a_comparison_shows_the_best_system_first_with_groups() -> None:
    values = np.array([[0.1, 0.2, 0.1, 0.2, 0.1], [0.8, 0.9, 0.7, 0.9, 0.8]])
    rows = read(compare(Scores((HOSTILE, "good"), tuple("12345"), values, "MAiP"), test="t"))
    assert rows[0] == ["system", "mean", "95% interval", "group", "better than", "worse than"]
    assert rows[1] == ["good", "0.8200", "", "a", "1", "0"]
    assert rows[2] == [HOSTILE, "0.1400", "", "b", "0", "1"]
