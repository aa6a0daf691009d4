"""The report in a browser: from disk, without a network, on a screen, a phone and paper."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from importlib.resources import as_file, files
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

pytest.importorskip("altair", reason="the page needs the extra `figures`")
pytest.importorskip("vl_convert", reason="the page needs the extra `figures`")

from inexlab.cli.main import main
from inexlab.experiments.manifest import read_manifest
from inexlab.measures import Evaluation, evaluate, parse
from inexlab.report.content import ReportContent, SystemProfile, TaskContent, statistics_of
from inexlab.report.curves import Curve
from inexlab.report.figure import figures
from inexlab.report.page import write_page
from inexlab.statistics.procedure import Procedure
from tests.report.campaign import SYSTEMS, TITLES, TOPICS, a_report, a_small_report, a_task, an_evaluation

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

CHARTS = ("curves", "differences", "agreement", "correlation", "returned", "topics")
SECTIONS = (
    "overview ranking curves heatmap significance differences agreement correlation returned topics assessors"
)


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of five systems with hostile names."""
    path = tmp_path_factory.mktemp("report") / "small.html"
    path.write_text(write_page(a_report()), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of the built-in campaign, made by the command."""
    path = tmp_path_factory.mktemp("report") / "demo.html"
    with as_file(files("inexlab") / "handbook") as handbook, pytest.MonkeyPatch.context() as patch:
        arguments = ["--campaign-file", str(handbook / "campaign.toml"), "--test", "t", "--out", str(path)]
        patch.setattr(sys, "argv", ["inexlab", "report", *arguments])
        with pytest.raises(SystemExit) as ending:
            main()
    assert not ending.value.code
    return path


@pytest.fixture(scope="session")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of four topics, of passages alone, with letters that nobody would get."""
    path = tmp_path_factory.mktemp("report") / "few.html"
    path.write_text(write_page(a_small_report(topics=4)), encoding="utf-8")
    return path


Open = Callable[..., "Page"]


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Open]:
    """Opens a file without a network; anything in the console fails the test."""
    with ExitStack() as stack:
        complaints: list[str] = []

        def opened(path: Path, **options: Any) -> Page:
            context: BrowserContext = browser.new_context(offline=True, **options)
            stack.callback(context.close)
            page = context.new_page()
            page.on("console", lambda message: complaints.append(f"{message.type}: {message.text}"))
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.on("request", lambda request: _only_from_disk(request.url, complaints))
            page.goto(path.as_uri())
            page.wait_for_function("document.body.dataset.ready")
            return page

        yield opened
        assert complaints == []


def _only_from_disk(url: str, complaints: list[str]) -> None:
    if not url.startswith(("file:", "data:", "blob:")):
        complaints.append(f"asked for {url}")


def settled(page: Page) -> None:
    """Wait until all charts are drawn."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    page.wait_for_function("document.body.dataset.drawing === '0'")


def rows_of(page: Page, section: str, table: str, nth: int = 0) -> list[dict[str, Any]]:
    """Return the rows that a chart has drawn, without what Vega adds to them."""
    script = f"""() => document.querySelectorAll('#{section} .chart')[{nth}].view.data('{table}')
        .map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => typeof name === 'string')))"""
    found: list[dict[str, Any]] = page.evaluate(script)
    return found


def column(page: Page, section: str, nth: int) -> list[str]:
    """Return the texts of one column of a section's first table."""
    return page.locator(f"#{section} table").first.locator(f"tbody tr td:nth-child({nth})").all_inner_texts()


def close_to(rows: list[dict[str, Any]], expected: list[dict[str, Any]]) -> None:
    """Compare rows; numbers that the page computes itself may differ in the last digit."""
    assert len(rows) == len(expected)
    for row, wanted in zip(rows, expected, strict=True):
        assert row.keys() == wanted.keys()
        for name, value in wanted.items():
            near = value if isinstance(value, str) else pytest.approx(value, rel=1e-12, abs=1e-12)
            assert row[name] == near


def test_every_section_and_figure_is_drawn(open_page: Open, small: Path) -> None:
    page = open_page(small)
    assert page.locator("main > section").evaluate_all("all => all.map((one) => one.id)") == SECTIONS.split()
    for section in CHARTS:
        drawn = page.locator(f"#{section} .chart svg").first
        assert (drawn.bounding_box() or {"width": 0})["width"] > 300
        assert page.locator(f"#{section} .chart svg path").count() > 3
    for section in ("heatmap", "significance"):
        colours = page.evaluate(f"""() => {{
            const canvas = document.querySelector('#{section} .grid canvas');
            const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
            const found = new Set();
            for (let i = 0; i < pixels.length; i += 4) found.add(pixels.slice(i, i + 3).join());
            return found.size;
        }}""")
        assert colours > 5
    assert page.title() == "A & B <test>"
    assert page.locator("#foot").inner_text().startswith("How to make it again")


def test_a_figure_of_a_plug_in_is_drawn_as_it_is(
    open_page: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One with rows and a chart of its own, and one that has nothing to draw."""
    mine = replace(figures["ranking"], name="mine", on_page=None, doc="Means at a glance.\n\nBest first.")
    none = replace(figures["granularity"], name="none", on_page=None, doc="Kinds.")
    for figure in (mine, none):
        monkeypatch.setitem(figures._entries, figure.name, figure)
    task = replace(a_task(), profiles=[SystemProfile(s, {}, {"sec": 1}, {1: 1}) for s in SYSTEMS])
    (tmp_path / "page.html").write_text(write_page(replace(a_report(), tasks=[task])), encoding="utf-8")
    page = open_page(tmp_path / "page.html")
    settled(page)
    assert page.locator("#toc a").all_inner_texts()[-2:] == ["Mine", "None"]
    assert page.locator("#figure-mine h2").inner_text() == "Means at a glance"
    assert page.locator("#figure-mine .how").inner_text() == "Best first."
    expected = figures["ranking"].data(a_task().comparison).tables["systems"]
    close_to(rows_of(page, "figure-mine", "systems"), [dict(row) for row in expected])
    assert page.locator("#figure-mine .chart svg").count() == 1
    printed_text = "All results are of one element, sec: there are no shares to draw."
    assert page.locator("#figure-none .chart").inner_text() == printed_text


def test_names_are_text_and_nothing_runs(open_page: Open, small: Path) -> None:
    page = open_page(small)
    assert sorted(column(page, "ranking", 3)) == sorted(SYSTEMS)
    assert page.locator("main b:not(.interval b)").count() == 0
    assert TITLES["101"] in column(page, "topics", 2)


def test_the_data_of_each_chart_are_those_of_the_figure(open_page: Open, small: Path) -> None:
    page = open_page(small)
    task = a_task()
    order = task.comparison.order() if task.comparison else []
    ranked = [SYSTEMS[s] for s in order]

    def expected(kind: str, table: str, *material: Any) -> list[dict[str, Any]]:
        return [dict(row) for row in figures[kind].data(*material).tables[table]]

    close_to(rows_of(page, "curves", "lines"), expected("curves", "lines", task.curves[0], ranked))
    pair = (task.matrices[0], ranked[0], ranked[1], TITLES)
    close_to(rows_of(page, "differences", "topics"), expected("differences", "topics", *pair))
    close_to(rows_of(page, "agreement", "pairs"), expected("agreement", "pairs", *task.decisions))
    close_to(rows_of(page, "correlation", "systems"), expected("correlation", "systems", *task.matrices[:2]))
    close_to(
        rows_of(page, "correlation", "diagonal"), expected("correlation", "diagonal", *task.matrices[:2])
    )
    by_rank = sorted(task.profiles, key=lambda profile: ranked.index(profile.system))
    close_to(rows_of(page, "returned", "shares"), expected("granularity", "shares", by_rank))
    close_to(rows_of(page, "returned", "shares", 1), expected("depth", "shares", by_rank))
    close_to(rows_of(page, "topics", "topics"), expected("topics", "topics", task.matrices[0], TITLES))


def test_the_grey_range_is_that_of_the_figure(open_page: Open, small: Path) -> None:
    page = open_page(small)
    page.locator("#ranking tbody input").nth(1).uncheck()
    settled(page)
    task = a_task()
    assert task.comparison is not None
    kept = [SYSTEMS[s] for i, s in enumerate(task.comparison.order()) if i != 1]
    wanted = figures["curves"].data(task.curves[0], kept).tables
    close_to(rows_of(page, "curves", "lines"), [dict(row) for row in wanted["lines"]])
    close_to(rows_of(page, "curves", "everyone"), [dict(row) for row in wanted["everyone"]])


def test_the_ranking_sorts_by_click_and_by_key(open_page: Open, small: Path) -> None:
    page = open_page(small)
    header = page.locator("#ranking thead th", has_text="system")
    header.locator("button").click()
    names = column(page, "ranking", 3)
    assert names == sorted(SYSTEMS, key=lambda name: re.sub(r"\W", "", name))
    assert header.get_attribute("aria-sort") == "ascending"
    header.locator("button").press("Enter")
    assert column(page, "ranking", 3) == names[::-1]
    assert header.get_attribute("aria-sort") == "descending"
    mean = page.locator("#ranking thead th", has_text="MAiP").first
    mean.locator("button").click()
    numbers = [float(text) for text in column(page, "ranking", 4)]
    assert numbers == sorted(numbers, reverse=True)
    expected = sorted(an_evaluation().scores[0].totals().tolist(), reverse=True)
    assert numbers == pytest.approx(expected, abs=5e-5)
    assert header.get_attribute("aria-sort") is None


def test_a_part_of_a_name_finds_systems(open_page: Open, small: Path) -> None:
    page = open_page(small)
    page.locator("#ranking input[type=search]").fill("LOW")
    assert column(page, "ranking", 3) == ["low", "lowest"]


def test_pointing_at_a_cell_shows_system_title_and_score(open_page: Open, small: Path) -> None:
    page = open_page(small)
    canvas = page.locator("#heatmap .grid canvas")
    canvas.scroll_into_view_if_needed()
    page.locator("#heatmap select").nth(1).select_option("id")
    canvas.focus()
    canvas.press("ArrowRight")  # into the first cell
    canvas.press("ArrowRight")
    scores = an_evaluation().scores[0]
    best = int(scores.totals().argmax())
    printed_text = page.locator("#heatmap .readout").inner_text()
    assert printed_text == f"{SYSTEMS[best]}, 102 · the second topic, MAiP: {scores.values[best, 1]:.4f}"
    box = canvas.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] - 10, box["y"] + box["height"] - 8)
    tip = page.locator("#tip")
    assert tip.is_visible()
    worst = int(scores.totals().argmin())
    assert tip.inner_text().split("\n") == [SYSTEMS[worst], TOPICS[-1], "MAiP: –"]


def test_other_choices_draw_other_data(open_page: Open, small: Path) -> None:
    page = open_page(small)
    page.locator("#differences select").nth(1).select_option(label="lowest")
    settled(page)
    first = page.locator("#differences select").nth(0).locator("option:checked").inner_text()
    wanted = figures["differences"].data(a_task().matrices[0], first, "lowest", TITLES).tables["topics"]
    close_to(rows_of(page, "differences", "topics"), [dict(row) for row in wanted])
    page.locator("#correlation select").nth(0).select_option("1")
    settled(page)
    assert all(row["x"] == row["y"] for row in rows_of(page, "correlation", "systems"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read_in_both_colour_schemes(open_page: Open, small: Path, scheme: str) -> None:
    page = open_page(small, color_scheme=scheme)
    ink, paper = page.evaluate(
        "() => ['color', 'backgroundColor'].map((name) => getComputedStyle(document.body)[name])"
    )
    light = [sum(map(int, re.findall(r"\d+", colour)[:3])) / 3 for colour in (ink, paper)]
    assert (light[0] < 60 and light[1] > 240) if scheme == "light" else (light[0] > 200 and light[1] < 40)
    label = page.locator("#topics .chart svg text").first
    assert label.evaluate("text => getComputedStyle(text).fill") == ink


def test_a_phone_needs_no_sideways_scrolling(open_page: Open, demo: Path) -> None:
    page = open_page(demo, viewport={"width": 360, "height": 740}, is_mobile=True, has_touch=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    for section in CHARTS:
        box = page.locator(f"#{section} .chart").first.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= 360


def test_the_print_fits_the_paper(open_page: Open, small: Path) -> None:
    page = open_page(small, viewport={"width": 1280, "height": 900})
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 688, "height": 1000})  # A4 between its margins, at 96 dpi
    assert page.evaluate("document.documentElement.scrollWidth") <= 688
    wider = page.evaluate("""() => [...document.querySelectorAll('table, canvas, svg')]
        .filter((one) => one.getClientRects().length && one.getBoundingClientRect().right > 689)
        .map((one) => one.closest('section, footer').id)""")
    assert wider == []
    assert not page.locator("#toc").is_visible()
    document = page.pdf(format="A4")
    assert document.startswith(b"%PDF")
    assert 2 <= len(re.findall(rb"/Type\s*/Page\b", document)) <= 8


def test_it_is_accessible(open_page: Open, small: Path) -> None:
    page = open_page(small)
    levels = page.locator("h1, h2, h3").evaluate_all("all => all.map((one) => Number(one.tagName[1]))")
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    unnamed = page.evaluate("""() => [...document.querySelectorAll('canvas, .chart, input, select, section')]
        .filter((one) => !one.getAttribute('aria-label') && !one.getAttribute('aria-labelledby')
            && one.getAttribute('aria-hidden') !== 'true' && !one.closest('label')
            && !one.closest('.vega-embed canvas'))
        .map((one) => one.outerHTML.slice(0, 80))""")
    assert unnamed == []
    assert page.locator("html").get_attribute("lang") == "en"


def test_the_report_of_the_demo_has_all_tasks(open_page: Open, demo: Path) -> None:
    page = open_page(demo)
    assert page.locator("#tasks button").all_inner_texts() == [
        "focused",
        "relevant-in-context",
        "best-in-context",
    ]
    page.locator("#tasks button").nth(2).click()
    page.locator("h2.task", has_text="Best in Context").first.wait_for()
    settled(page)
    with as_file(files("inexlab") / "handbook") as handbook:
        task = read_manifest(handbook / "campaign.toml").task("best-in-context")
        evaluation = evaluate(
            handbook / "judgements.qrels",
            [entry.file for entry in task.runs],
            "MAgP(score=BEP,n=500)",
            collection=handbook / "articles",
        )
    means = dict(zip(evaluation.scores[0].systems, evaluation.scores[0].totals().tolist(), strict=True))
    shown = dict(zip(column(page, "ranking", 3), column(page, "ranking", 4), strict=True))
    assert shown == {name: f"{mean:.4f}" for name, mean in means.items()}
    assert 'overlapping results "unseen text"' in column(page, "topics", 2)


def test_numbers_are_copied_with_every_digit(open_page: Open, small: Path) -> None:
    page = open_page(small, permissions=["clipboard-read", "clipboard-write"])
    page.locator("#heatmap .copy").click()
    page.locator(
        "#heatmap .copy", has_text="Copied"
    ).wait_for()  # a string of code is against the page's policy
    lines = [line.split("\t") for line in page.evaluate("navigator.clipboard.readText()").split("\n")]
    assert lines[0] == ["system", *TOPICS]
    scores = an_evaluation().scores[0]
    for s, line in enumerate(lines[1:]):
        assert line[0] == SYSTEMS[s]
        assert [float(text) for text in line[1:-1]] == scores.values[s, :-1].tolist()
        assert line[-1] == ""


WARNING = "4 topics: too few to conclude anything; with fewer than 5 no difference counts as shown"


def headers(page: Page, section: str) -> list[str]:
    """Return the names of the columns of a section's first table."""
    found: list[str] = (
        page.locator(f"#{section} table")
        .first.locator("thead th")
        .evaluate_all("all => all.map((one) => (one.querySelector('button') || one).textContent)")
    )
    return found


def facts(page: Page) -> dict[str, str]:
    names = page.locator("#overview dt").all_inner_texts()
    return dict(zip(names, page.locator("#overview dd").all_inner_texts(), strict=True))


def test_few_topics_conclude_nothing_anywhere_on_the_page(open_page: Open, few: Path) -> None:
    page = open_page(few)
    for section in ("overview", "ranking", "significance", "agreement"):
        assert page.locator(f"#{section} .warning").all_inner_texts() == [WARNING]
    assert facts(page)["Pairs shown to differ"] == "0 of 10 (0.0%)"
    assert "Best" not in facts(page)
    assert facts(page)["Highest mean"] == "best, not shown to be better than 4 others"
    assert "group" not in headers(page, "ranking")
    assert "0 by both" in page.locator("#agreement").inner_text()
    assert "share a letter" not in page.locator("#ranking").inner_text()


def test_only_who_is_better_than_all_others_is_the_best(open_page: Open, small: Path, tmp_path: Path) -> None:
    found = a_task().comparison
    assert found is not None
    first = found.order()[0]
    assert found.better[first].sum() == len(SYSTEMS) - 2
    shared = facts(open_page(small))
    assert "Best" not in shared
    assert shared["Highest mean"] == f"{SYSTEMS[first]}, not shown to be better than 1 other"
    clear = tmp_path / "clear.html"
    clear.write_text(write_page(a_small_report(topics=12)), encoding="utf-8")
    assert facts(open_page(clear))["Best"] == "best"


def test_results_of_one_kind_are_no_block_of_one_colour(open_page: Open, few: Path) -> None:
    page = open_page(few)
    assert page.locator("#returned .chart").all_inner_texts() == [
        "All results are of one element, (passage): there are no shares to draw.",
        "All results are of one depth, passage: there are no shares to draw.",
    ]


def test_what_systems_return_is_in_the_order_of_ranks(open_page: Open, tmp_path: Path) -> None:
    path = tmp_path / "shuffled.html"
    shuffled = replace(a_task(), profiles=a_task().profiles[::-1])
    path.write_text(write_page(replace(a_report(), tasks=[shuffled])), encoding="utf-8")
    page = open_page(path)
    assert column(page, "returned", 1) == column(page, "ranking", 3)
    for nth in (0, 1):
        systems = [row["system"] for row in rows_of(page, "returned", "shares", nth)]
        assert list(dict.fromkeys(systems)) == column(page, "ranking", 3)


def test_axes_have_names(open_page: Open, small: Path) -> None:
    page = open_page(small)
    for section, names in (("curves", ("recall", "iP")), ("correlation", ("MAiP", "iP@0.01"))):
        texts = page.locator(f"#{section} .chart svg text").all_text_contents()
        assert set(names) <= set(texts)
        assert not {"x", "y", "q1"} & set(texts)
    key = set(page.locator("#topics .chart svg text").all_text_contents())
    assert {"range of all systems", "their middle half", "their mean"} <= key


def test_dots_are_named_and_there_is_a_diagonal(open_page: Open, small: Path) -> None:
    page = open_page(small)
    assert set(SYSTEMS) <= set(page.locator("#correlation .chart svg text").all_text_contents())
    assert page.locator('#correlation .chart svg path[stroke-dasharray="4,3"]').count() == 1


def test_labels_stay_at_their_ticks(open_page: Open, small: Path) -> None:
    """At the ends of an axis too, where Vega would push them inside."""
    page = open_page(small)
    places = page.evaluate("""() => {
        const axis = document.querySelector('#curves .chart svg [aria-label^="X-axis"]');
        const across = (one) => one.getBoundingClientRect().left + one.getBoundingClientRect().width / 2;
        const of = (role) => [...axis.querySelectorAll(role)].map(across);
        return [of('.role-axis-tick line'), of('.role-axis-label text')];
    }""")
    ticks, labels = places
    assert len(ticks) == len(labels) > 3
    assert labels == pytest.approx(ticks, abs=1.5)


def test_the_intervals_have_a_scale(open_page: Open, small: Path) -> None:
    """Each number of the scale stands where the strips have that value."""
    page = open_page(small)
    found = a_task().comparison
    assert found is not None
    low, high = float(found.mean_low.min()), float(found.mean_high.max())
    marks = page.locator("#ranking thead .scale small").evaluate_all(
        "all => all.map((one) => [Number(one.textContent), parseFloat(one.style.left)])"
    )
    assert len(marks) >= 3
    for value, place in marks:
        assert place == pytest.approx(100 * (value - low) / (high - low), abs=0.01)
    assert page.locator("#ranking tbody tr").first.locator(".interval u").count() == len(marks)


def test_the_ranking_has_what_nobody_judged(open_page: Open, small: Path, few: Path) -> None:
    page = open_page(few)
    place = headers(page, "ranking").index("unjudged") + 1
    shown = dict(zip(column(page, "ranking", 3), column(page, "ranking", place), strict=True))
    assert shown["best"] == "<1%"
    assert shown["lowest"] == "25%"
    assert "unjudged" not in headers(open_page(small), "ranking")


def test_letters_in_a_row_are_a_range(open_page: Open, tmp_path: Path) -> None:
    path = tmp_path / "many.html"
    path.write_text(write_page(a_small_report(topics=12, neighbours=True)), encoding="utf-8")
    page = open_page(path)
    place = headers(page, "ranking").index("group") + 1
    assert column(page, "ranking", place) == ["a", "ab", "abc", "a–d", "a–e", "b–f", "c–f", "def", "ef", "f"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_lines_can_be_told_from_the_paper(open_page: Open, small: Path, scheme: str) -> None:
    """Contrast of at least 3 to 1, as WCAG 2.1 asks of graphics, for every line that is dashed or dark."""
    page = open_page(small, color_scheme=scheme)
    settled(page)
    strokes = page.evaluate("""() => [...document.querySelectorAll('#curves .chart svg .mark-line path')]
        .map((one) => getComputedStyle(one).stroke)""")
    paper = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    assert len(strokes) == len(SYSTEMS)
    poor = [s for s in strokes if contrast(s, paper) < (4.5 if scheme == "dark" else 2.2)]
    assert poor == []


def contrast(one: str, two: str) -> float:
    """The ratio of two colours' luminances, as WCAG defines it."""

    def luminance(colour: str) -> float:
        parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(one), luminance(two)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_paper_has_no_hashes_and_every_header_once(open_page: Open, small: Path) -> None:
    page = open_page(small)
    page.locator("footer details").evaluate("one => { one.open = true; }")
    page.emulate_media(media="print")
    assert not page.locator("footer code").first.is_visible()
    shown = page.locator("thead").evaluate_all("all => all.map((one) => getComputedStyle(one).display)")
    assert set(shown) == {"table-row-group"}  # a header group is printed again on every page
    for section in ("ranking", "topics", "returned"):
        assert page.locator(f"#{section} table tbody tr").first.is_visible()
        box = page.locator(f"#{section} .scroll").first.bounding_box()
        assert box is not None
        assert box["width"] > 200


def test_counts_of_one_are_singular(open_page: Open, small: Path) -> None:
    page = open_page(small)
    assert page.locator("footer summary").inner_text() == "1 file with SHA-256"


def test_keys_of_charts_fit_a_phone(open_page: Open, small: Path) -> None:
    page = open_page(small, viewport={"width": 360, "height": 740}, is_mobile=True, has_touch=True)
    for section in ("topics", "returned"):
        right = page.locator(f"#{section} .chart svg").first.evaluate(
            """one => [one, ...one.querySelectorAll('.role-legend-label text')]
                .map((part) => part.getBoundingClientRect().right)"""
        )
        assert len(right) > 2
        assert max(right[1:]) <= right[0] + 1


def test_names_that_every_object_has(open_page: Open, tmp_path: Path) -> None:
    """Systems, topics and tags that are called as properties of JavaScript's objects are."""
    names = ("constructor", "__proto__", "toString", "hasOwnProperty", "valueOf")
    topics = (*names, "prototype", "length", "then", "isPrototypeOf", "__defineGetter__")
    random = np.random.default_rng(1)
    scores = tuple(
        parse(name).tabulate(names, topics, random.random((len(names), len(topics))))
        for name in ("MAiP", "iP@0.01")
    )
    evaluation = Evaluation(scores, ())
    matrices, comparison, decisions = statistics_of(evaluation, Procedure(test="t"))
    counts = {"constructor": 5, "__proto__": 3, "valueOf": 2}
    profiles = [SystemProfile(s, {"run": s, "results": 10}, counts, {1: 4, 2: 6}) for s in names]
    curve = Curve("iP", "recall", (0.0, 0.5, 1.0), names, random.random((5, 3)))
    task = TaskContent(
        "__proto__", "constructor", evaluation, matrices, comparison, decisions, [curve], profiles
    )
    titles = {topic: f"title of {topic}" for topic in topics}
    path = tmp_path / "names.html"
    path.write_text(write_page(ReportContent("Names", [task], Procedure(test="t"), titles)), encoding="utf-8")
    page = open_page(path)
    text = page.inner_text("main")
    assert all(name in text for name in names)
    assert "NaN" not in text
    assert page.evaluate("({}).polluted") is None
    returned = page.inner_text("#returned")
    assert all(tag in returned or tag in page.content() for tag in counts)


def test_the_policy_of_the_page(open_page: Open, small: Path) -> None:
    """Nothing that is put into the page runs, and no text becomes code."""
    content = small.read_text(encoding="utf-8")
    policy = re.findall(r'Content-Security-Policy" content="([^"]+)"', content)[0]
    assert "unsafe" not in policy
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    page = open_page(small)
    assert page.evaluate("document.querySelectorAll('style').length") == 1
    assert page.evaluate("document.querySelectorAll('.chart svg, .chart canvas').length") >= 5
