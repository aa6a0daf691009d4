"""Every figure: its rows are the numbers, and it can be drawn in every format."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("altair", reason="figures need the extra `figures`")
pytest.importorskip("vl_convert", reason="figures need the extra `figures`")

from inexlab.errors import UnknownNameError, UsageError
from inexlab.report.curves import Curve
from inexlab.report.figure import ENDINGS, PALETTE, Data, draw, figures, known_ending, write_figure

from .campaign import SYSTEMS, TITLES, a_task

TASK = a_task()
assert TASK.comparison is not None
MATRIX = TASK.matrices[0]
MATERIAL: dict[str, list[Any]] = {
    "comparison": [TASK.comparison],
    "matrix": [MATRIX],
    "pair": [MATRIX, "best", "low"],
    "curve": [TASK.curves[0]],
    "two comparisons": list(TASK.decisions),
    "two matrices": list(TASK.matrices[:2]),
    "profiles": [TASK.profiles],
}
STARTS = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF", "html": b"<!DOCTYPE html"}


def data(kind: str, *material: Any, **options: Any) -> Data:
    return figures[kind].data(*(material or MATERIAL[figures[kind].needs]), **options)


def rows(kind: str, table: str, *material: Any, **options: Any) -> list[dict[str, Any]]:
    return [dict(row) for row in data(kind, *material, **options).tables[table]]


def test_all_figures_of_the_papers_are_there() -> None:
    names = "agreement correlation curves depth differences granularity heatmap ranking significance topics"
    assert sorted(figures) == names.split()
    assert {figures[kind].needs for kind in figures} == set(MATERIAL)


@pytest.mark.parametrize("kind", sorted(figures))
def test_every_figure_is_a_valid_chart_with_its_rows(kind: str) -> None:
    found = figures[kind]
    chart = draw(kind, *MATERIAL[found.needs])
    specification = chart.to_dict()  # validates
    tables = data(kind).tables
    assert specification["datasets"] == {name: [dict(r) for r in t] for name, t in tables.items()}
    assert found.summary


@pytest.mark.parametrize("kind", sorted(figures))
def test_every_figure_is_drawn(kind: str, tmp_path: Path) -> None:
    write_figure(draw(kind, *MATERIAL[figures[kind].needs]), tmp_path / "figure.svg")
    text = (tmp_path / "figure.svg").read_text(encoding="utf-8")
    assert text.startswith("<svg")
    assert text.count("<path") > 5
    assert "NaN" not in text


@pytest.mark.parametrize("ending", ENDINGS)
def test_every_format_is_written(ending: str, tmp_path: Path) -> None:
    write_figure(draw("correlation", *MATERIAL["two matrices"]), tmp_path / f"figure.{ending}")
    content = (tmp_path / f"figure.{ending}").read_bytes()
    assert content.lstrip().startswith(STARTS[ending])
    assert [path.name for path in tmp_path.iterdir()] == [f"figure.{ending}"]
    if ending == "html":
        assert b"https://cdn" not in content
        assert b"<script src" not in content


def test_an_unknown_ending_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="unknown format of figures 'jpg'"):
        known_ending("figure.jpg")
    with pytest.raises(UsageError, match="figure has no ending"):
        known_ending("figure")
    assert known_ending("Figure.SVG") == "svg"


def test_ranking_has_means_and_intervals_best_first() -> None:
    comparison = TASK.comparison
    assert comparison is not None
    found = rows("ranking", "systems")
    assert [row["system"] for row in found] == [SYSTEMS[s] for s in comparison.order()]
    assert [row["group"] for row in found] == comparison.letters()
    for row in found:
        s = SYSTEMS.index(row["system"])
        assert (row["mean"], row["low"], row["high"]) == (
            MATRIX.means()[s],
            comparison.mean_low[s],
            comparison.mean_high[s],
        )


def test_the_heat_map_has_every_score_once() -> None:
    found = rows("heatmap", "cells", MATRIX, TITLES)
    assert {(r["system"], r["topic"]): r["score"] for r in found} == {
        (s, t): MATRIX.values[i, j] for i, s in enumerate(MATRIX.systems) for j, t in enumerate(MATRIX.topics)
    }
    assert len(found) == MATRIX.values.size
    assert {r["title"] for r in found if r["topic"] == "102"} == {"the second topic"}


def test_significance_says_who_beats_whom() -> None:
    comparison = TASK.comparison
    assert comparison is not None
    found = rows("significance", "pairs")
    assert len(found) == len(SYSTEMS) ** 2
    for row in found:
        a, b = SYSTEMS.index(row["a"]), SYSTEMS.index(row["b"])
        assert (row["outcome"] == "better") == bool(comparison.better[a, b]) == (row["mark"] == "*")
        assert (row["outcome"] == "worse") == bool(comparison.better[b, a])
    by_pair = {(p.a, p.b): p.p_adjusted for p in comparison.pairs()}
    assert all(r["p"] == by_pair[r["a"], r["b"]] for r in found if r["outcome"] == "better")
    assert all(r["p"] == by_pair[r["b"], r["a"]] for r in found if r["outcome"] == "worse")
    assert {r["outcome"] for r in found} == {"better", "worse", "no difference shown"}
    # columns in the order of rows: Vega takes names as they come
    assert list(dict.fromkeys(r["b"] for r in found)) == list(dict.fromkeys(r["a"] for r in found))


def test_differences_fall_from_one_system_s_best_to_the_other_s() -> None:
    found = rows("differences", "topics", MATRIX, "best", "low", TITLES)
    one, two = (MATRIX.values[SYSTEMS.index(name)] for name in ("best", "low"))
    assert {r["topic"]: r["difference"] for r in found} == dict(zip(MATRIX.topics, one - two, strict=True))
    assert [r["difference"] for r in found] == sorted((one - two).tolist(), reverse=True)
    with pytest.raises(UnknownNameError, match="unknown system 'bset'; did you mean 'best'"):
        data("differences", MATRIX, "bset", "low")


def test_agreement_tells_hits_misses_and_false_alarms() -> None:
    x, y = TASK.decisions
    found = {(r["a"], r["b"]): r for r in rows("agreement", "pairs")}
    for i, a in enumerate(SYSTEMS):
        for j, b in enumerate(SYSTEMS):
            by_x, by_y = bool(x.better[i, j]), bool(y.better[i, j])
            assert ((a, b) in found) == (by_x or by_y)
            if by_x or by_y:
                kind = "hit" if by_x and by_y else "miss" if by_y else "false alarm"
                assert found[a, b]["found"] == kind
                assert found[a, b]["x"] == x.matrix.means()[i] - x.matrix.means()[j]
                assert found[a, b]["y"] == y.matrix.means()[i] - y.matrix.means()[j]
    with pytest.raises(UsageError, match="different systems"):
        data("agreement", x, _of_fewer())


def _of_fewer() -> Any:
    from inexlab.statistics import compare

    return compare(MATRIX.choose(SYSTEMS[:3]), test="t")


def test_correlation_has_a_dot_per_system_and_tau() -> None:
    x, y = TASK.matrices[:2]
    found = rows("correlation", "systems")
    assert [(r["system"], r["x"], r["y"]) for r in found] == list(
        zip(SYSTEMS, x.means(), y.means(), strict=True)
    )
    assert "τ = 1.000" in data("correlation").words["title"]


def test_curves_show_the_chosen_systems_and_the_range_of_all() -> None:
    points = (0.0, 1.0)
    many = Curve("iP", "recall", points, tuple("abcdefgh"), np.outer(np.arange(8) / 8, [1, 0.5]))
    lines = rows("curves", "lines", many)
    assert list(dict.fromkeys(r["system"] for r in lines)) == list("hgfedc")  # the six best
    assert len(PALETTE) == 6
    assert [(r["x"], r["y"]) for r in lines if r["system"] == "h"] == [(0, 0.875), (1, 0.4375)]
    band = rows("curves", "everyone", many)
    assert band[0] == {"x": 0, "low": 0, "q1": 0.21875, "q3": 0.65625, "high": 0.875}
    assert [r["system"] for r in rows("curves", "lines", many, systems=["b"])] == ["b", "b"]
    assert rows("curves", "everyone") == []  # all five systems are drawn


def test_what_is_undefined_is_left_out() -> None:
    values = np.array([[1.0, 0.5], [np.nan, np.nan], [0.5, 0.25]])
    curve = Curve("iP", "recall", (0.0, 1.0), ("a", "none", "b"), values)
    assert [r["y"] for r in rows("curves", "lines", curve, systems=["none"])] == [None, None]
    band = rows("curves", "everyone", curve, systems=["none"])
    assert [(r["low"], r["high"]) for r in band] == [(0.5, 1.0), (0.25, 0.5)]
    from inexlab.statistics import compare

    without = compare(MATRIX, test="t", intervals=False)
    assert {r["low"] for r in rows("ranking", "systems", without)} == {None}


def test_shares_add_up_and_the_rarest_kinds_go_together() -> None:
    from inexlab.report.figures.granularity import shares

    counts = {kind: 10 - i for i, kind in enumerate("abcdefghi")}
    found = shares([("s", counts), ("nothing", {})], list("abcdefghi"), "element").tables["shares"]
    of_s = [row for row in found if row["system"] == "s"]
    assert [row["kind"] for row in of_s] == [*"abcdef", "other"]
    assert of_s[-1]["results"] == 4 + 3 + 2
    assert sum(float(row["share"] or 0) for row in of_s) == pytest.approx(1)
    assert {row["share"] for row in found if row["system"] == "nothing"} == {0.0}


def test_depths_are_in_order_and_passages_first() -> None:
    from inexlab.report.content import Profile

    profile = Profile("s", {}, {}, {3: 1, 0: 2, 1: 1})
    found = rows("depth", "shares", [profile])
    assert [(r["kind"], r["share"]) for r in found] == [("passage", 0.5), ("1", 0.25), ("3", 0.25)]


def test_topics_come_hardest_first_with_their_quartiles() -> None:
    found = rows("topics", "topics", MATRIX, TITLES)
    assert [r["mean"] for r in found] == sorted(MATRIX.values.mean(axis=0))
    row = next(r for r in found if r["topic"] == "101")
    column = MATRIX.values[:, 0]
    assert [row[k] for k in ("low", "q1", "median", "q3", "high")] == np.sort(column).tolist()  # five systems
    assert row["best"] == SYSTEMS[int(column.argmax())]
    assert row["title"] == TITLES["101"]


def test_rows_are_plain_json() -> None:
    for kind in figures:
        for table in data(kind).tables.values():
            json.dumps([dict(row) for row in table], allow_nan=False)
