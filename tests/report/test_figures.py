"""Every figure: its rows are the numbers, and it can be drawn in every format."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("altair", reason="figures need the extra `figures`")
pytest.importorskip("vl_convert", reason="figures need the extra `figures`")

from inexlab.errors import UnknownNameError, UsageError
from inexlab.report.content import SystemProfile
from inexlab.report.curves import Curve
from inexlab.report.figure import ENDINGS, PALETTE, Data, draw, figures, known_ending, write_figure
from inexlab.report.figures import rendered
from inexlab.scores import Scores
from inexlab.statistics import compare

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
    "assessors": [TASK.assessors],
}
STARTS = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF", "html": b"<!DOCTYPE html"}


def data(kind: str, *material: Any, **options: Any) -> Data:
    return figures[kind].data(*(material or MATERIAL[figures[kind].needs]), **options)


def rows(kind: str, table: str, *material: Any, **options: Any) -> list[dict[str, Any]]:
    return [dict(row) for row in data(kind, *material, **options).tables[table]]


def test_all_figures_of_the_papers_are_there() -> None:
    names = "agreement correlation curves depth differences granularity heatmap ranking significance topics"
    assert sorted(figures) == sorted([*names.split(), "assessors", "assessor-ranking"])
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
    with pytest.raises(UsageError, match="figure has no extension"):
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
            MATRIX.totals()[s],
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
                assert found[a, b]["x"] == x.matrix.totals()[i] - x.matrix.totals()[j]
                assert found[a, b]["y"] == y.matrix.totals()[i] - y.matrix.totals()[j]
    with pytest.raises(UsageError, match="different systems"):
        data("agreement", x, _of_fewer())


def _of_fewer() -> Any:
    from inexlab.statistics import compare

    return compare(MATRIX.choose(SYSTEMS[:3]), test="t")


def test_correlation_has_a_dot_per_system_and_tau() -> None:
    x, y = TASK.matrices[:2]
    found = rows("correlation", "systems")
    assert [(r["system"], r["x"], r["y"]) for r in found] == list(
        zip(SYSTEMS, x.totals(), y.totals(), strict=True)
    )
    assert [r["after"] + r["before"] for r in found] == list(SYSTEMS)
    middle = (min(x.totals()) + max(x.totals())) / 2
    assert all(bool(r["before"]) == (r["x"] > middle) for r in found)  # so that no name leaves the chart
    ends = rows("correlation", "diagonal")
    low, high = (f(*x.totals(), *y.totals()) for f in (min, max))
    assert ends == [{"x": low, "y": low}, {"x": high, "y": high}]
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
    from inexlab.report.content import SystemProfile

    profile = SystemProfile("s", {}, {}, {3: 1, 0: 2, 1: 1})
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


def _matrix(values: Any, name: str = "", topics: int = 0) -> Scores:
    """A table of scores without a measure's name, as a CSV file gives it."""
    table = np.asarray(values, dtype=float)
    table = np.repeat(table[:, None], topics, axis=1) if topics else table
    names = tuple(f"s{i}" for i in range(len(table)))
    return Scores(names, tuple(map(str, range(table.shape[1]))), table, name)


def titles_of(chart: dict[str, Any], channel: str) -> list[Any]:
    """Return the title of an axis in each layer that has it."""
    parts = chart.get("layer", chart.get("hconcat", [chart]))
    return [p["encoding"][channel].get("title", "none given") for p in parts if channel in p["encoding"]]


def test_every_layer_names_its_axes() -> None:
    """Vega takes the name of the field, such as y, from a layer without a title."""
    for kind, axes in (("curves", "xy"), ("topics", "xy"), ("ranking", "x"), ("correlation", "xy")):
        chart = draw(kind, *MATERIAL[figures[kind].needs]).to_dict()
        for axis in axes:
            assert set(titles_of(chart, axis)) == {data(kind).words[axis]}, kind


def test_scores_without_a_measure_are_called_scores() -> None:
    matrix = _matrix(np.random.default_rng(1).random((3, 12)))
    compared = compare(matrix, test="t")
    assert data("ranking", compared).words["x"] == "score, mean and 95% interval"
    assert data("topics", matrix).words["y"] == data("heatmap", matrix).words["title"] == "score"
    assert data("differences", matrix, "s0", "s1").words["y"] == "score: s0 − s1"
    assert data("correlation", matrix, matrix).words["x"] == "score"
    assert data("agreement", compared, compared).words["y"] == "difference in score"
    assert data("significance", compared).title.startswith("score: 3 systems on 12 topics; Student's")


def test_procedures_have_their_full_names() -> None:
    assert "Benjamini–Yekutieli correction for 20 hypotheses" in data("significance").title
    title = draw("significance", *MATERIAL["comparison"]).to_dict()["title"]
    assert "; ".join(title["text"]) == data("significance").title


@pytest.mark.parametrize("kind", ["ranking", "significance", "agreement"])
def test_few_topics_are_warned_of_in_the_figure(kind: str) -> None:
    needs = 2 if kind == "agreement" else 1
    for topics, expected in ((4, "4 topics: too few to conclude"), (9, "9 topics: too few"), (10, "")):
        compared = compare(_matrix([0.9, 0.5, 0.1], "MAiP", topics), test="t")
        found = data(kind, *[compared] * needs)
        assert found.note == compared.few_topics
        assert found.note.startswith(expected)
        shown = json.dumps(draw(kind, *[compared] * needs).to_dict().get("title"))
        assert ("too few" in shown) is bool(expected)


def test_nothing_is_found_in_a_figure_of_four_topics() -> None:
    compared = compare(_matrix([0.9, 0.5, 0.1], "MAiP", 4), test="t")
    assert {r["group"] for r in rows("ranking", "systems", compared)} == {""}
    assert {r["outcome"] for r in rows("significance", "pairs", compared)} == {"no difference shown"}
    assert rows("agreement", "pairs", compared, compared) == []


def test_letters_are_compressed() -> None:
    means = np.arange(10, 0, -1.0)
    compared = compare(_matrix(means, "MAiP", 12), test="t")
    near = replace(compared, significant=compared.b - compared.a >= 5)
    groups = [r["group"] for r in rows("ranking", "systems", near)]
    assert groups == ["a", "ab", "abc", "a–d", "a–e", "b–f", "c–f", "def", "ef", "f"]


def test_a_density_is_drawn_of_many_pairs_only() -> None:
    def drawn_of(systems: int) -> tuple[Data, str]:
        compared = compare(_matrix(np.arange(systems, 0, -1.0), "MAiP", 12), test="t")
        found = data("agreement", compared, compared)
        return found, json.dumps(draw("agreement", compared, compared).to_dict()["hconcat"][1])

    few, few_chart = drawn_of(8)  # 28 pairs
    assert len(few.tables["pairs"]) == 28
    assert "density" not in few_chart
    assert '"bin"' in few_chart
    assert "datum.value % 1" in few_chart  # no half pairs on the axis
    many, many_chart = drawn_of(9)
    assert len(many.tables["pairs"]) == 36
    assert '"density": "x"' in many_chart


def test_systems_come_best_first_in_what_they_return() -> None:
    order = list(SYSTEMS[::-1])
    for kind in ("granularity", "depth"):
        found = rows(kind, "shares", TASK.profiles, order)
        assert list(dict.fromkeys(r["system"] for r in found)) == order
        as_given = rows(kind, "shares", TASK.profiles)
        assert list(dict.fromkeys(r["system"] for r in as_given)) == [p.system for p in TASK.profiles]


def test_one_kind_alone_has_no_shares_to_draw() -> None:
    passages = [SystemProfile(s, {}, {"(passage)": 5}, {0: 5}) for s in "ab"]
    with pytest.raises(UsageError, match=r"all results are of one element, \(passage\)"):
        data("granularity", passages)
    with pytest.raises(UsageError, match="all results are of one depth, passage"):
        data("depth", passages)


def test_topics_have_a_key() -> None:
    layers = draw("topics", MATRIX).to_dict()["layer"]
    named = [layer["transform"][0]["calculate"].strip("'") for layer in layers]
    assert named == ["range of all systems", "their middle half", "their mean"]
    for layer in layers:
        assert layer["encoding"]["color"]["field"] == layer["transform"][0]["as"]
        assert layer["encoding"]["color"]["scale"]["domain"] == named


def test_labels_stay_at_their_ticks() -> None:
    assert draw("correlation", *MATERIAL["two matrices"]).to_dict()["config"]["axis"]["labelFlush"] is False


def test_no_line_is_of_dots_alone() -> None:
    from inexlab.report.figures.curves import DASHES

    assert len(DASHES) == len(PALETTE)
    assert len({tuple(dash) for dash in DASHES}) == len(DASHES)
    assert all(max(dash[::2]) > max(dash[1::2]) for dash in DASHES)


def test_of_many_systems_those_are_named_that_change_places() -> None:
    means = np.arange(25, 0, -1.0)
    other = means.copy()
    other[[0, 24]] = other[[24, 0]]  # the first and the last change places
    found = rows("correlation", "systems", _matrix(means, "a", 3), _matrix(other, "b", 3))
    named = [r["after"] + r["before"] for r in found if r["after"] or r["before"]]
    assert len(named) == 8
    assert {"s0", "s24"} <= set(named)


def test_axes_without_a_common_scale_have_no_diagonal() -> None:
    wide, narrow = _matrix([0.1, 0.5, 0.9], "a", 3), _matrix([0.01, 0.02, 0.03], "b", 3)
    assert rows("correlation", "diagonal", wide, narrow) == []
    flat = _matrix([0.5, 0.5, 0.5], "a", 3)
    found = data("correlation", flat, flat)
    assert (found.tables["diagonal"], found.words["title"]) == ([], "")


@pytest.mark.parametrize("kind", ["curves", "ranking", "granularity"])
def test_systems_called_as_properties_of_javascript_objects(kind: str) -> None:
    names = ("constructor", "__proto__", "valueOf")
    values = np.random.default_rng(1).random((3, 12))
    matrix = Scores(names, tuple(map(str, range(12))), values, "MAiP")
    material: dict[str, list[Any]] = {
        "curves": [Curve("iP", "recall", (0.0, 0.5, 1.0), names, values[:, :3])],
        "ranking": [compare(matrix, test="t")],
        "granularity": [
            [SystemProfile(s, {"run": s, "results": 5}, {"__proto__": 5, "p": 2}, {1: 7}) for s in names]
        ],
    }
    assert figures[kind].needs in MATERIAL
    svg = rendered(draw(kind, *material[kind]), "svg").decode()
    assert all(name in svg for name in (names if kind != "granularity" else ("__proto__",)))


def test_agreement_of_assessors_has_a_dot_for_each_topic_and_the_mean() -> None:
    assert TASK.assessors is not None
    [pair] = TASK.assessors.pairs
    topics, [mean] = rows("assessors", "topics"), rows("assessors", "pairs")
    # 30 characters against 30 + 5n: F1 = 60 / (60 + 5n)
    assert [row["f1"] for row in topics] == pytest.approx([60 / (60 + 5 * n) for n in range(12)])
    assert mean["mean"] == pytest.approx(np.mean([row["f1"] for row in topics]))
    assert (mean["low"], mean["high"]) == (pair["text", "F1"].low, pair["text", "F1"].high)


def test_systems_ranked_by_two_assessors() -> None:
    assert TASK.assessors is not None
    found = rows("assessor-ranking", "systems")
    assert [row["x"] for row in found] == TASK.matrices[0].totals().tolist()
    assert found[0]["label"] == "best"
    assert data("assessor-ranking").words == {"x": "MAiP by anna", "y": "MAiP by bob"}
    with pytest.raises(UsageError, match="give runs and a measure"):
        data("assessor-ranking", replace(TASK.assessors, effects=()))
