"""Claims: the report of 172 systems on 68 topics is under 10 MB, and answers every interaction within 200 ms.

Makes scores like those of INEX 2009 (all measures of its Focused task, a curve, six conditions), writes the
page and opens it in Chromium without a network. An interaction is timed from the event to the frame after all
that it draws is there; each is done several times, and the median counts. The bars are absolute, since no
other tool makes such a page.
"""

from __future__ import annotations

import os
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

import numpy as np

from _timing import claim
from inexlab.campaigns import preset
from inexlab.measures import Evaluation
from inexlab.report.content import ReportContent, SystemProfile, TaskContent, statistics_of
from inexlab.report.curves import Curve
from inexlab.report.page import write_page
from inexlab.statistics.procedure import Procedure

SYSTEMS, TOPICS = 172, 68
LARGEST, SLOWEST = 10.0, 200.0  # MB, ms
TIMES = 5

# What a reader does, as a function of the page that fires the event.
INTERACTIONS = {
    "sort the ranking": "() => document.querySelectorAll('#ranking thead button')[1].click()",
    "find a system": "() => { const box = document.querySelector('#ranking input[type=search]');"
    " box.value = box.value ? '' : '1'; box.dispatchEvent(new Event('input')); }",
    "draw another system": "() => document.querySelectorAll('#ranking tbody input')[40].click()",
    "another measure in the heat map": "() => choose('#heatmap select', 0)",
    "sort the heat map's topics": "() => choose('#heatmap select', 1)",
    "size of the significance matrix": "() => choose('#significance select', 0)",
    "other two systems": "() => choose('#differences select', 0)",
    "other two conditions": "() => choose('#agreement select', 1)",
    "other two measures": "() => choose('#correlation select', 1)",
    "point at a cell": "() => { const grid = document.querySelector('#heatmap canvas');"
    " grid.dispatchEvent(new PointerEvent('pointermove', {clientX: 300, clientY: 300, bubbles: true})); }",
}
TIMED = """async (act) => {
  window.choose = (where, nth) => {
    const select = document.querySelectorAll(where)[nth];
    select.selectedIndex = (select.selectedIndex + 1) % select.options.length;
    select.dispatchEvent(new Event('change'));
  };
  const begin = performance.now();
  eval(act)();
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  do { await frame(); } while (document.body.dataset.drawing !== '0');
  await new Promise((done) => setTimeout(done, 0));
  return performance.now() - begin;
}"""


def make_content() -> ReportContent:
    """Return a report on scores that look like INEX 2009's."""
    random = np.random.default_rng(2009)
    official = preset("inex2009", "focused")
    difficulty = random.normal(size=TOPICS)
    quality = np.linspace(-1, 1, SYSTEMS)[:, None]
    systems = tuple(f"participant-{s % 55}-run-{s:03d}" for s in range(SYSTEMS))
    topics = tuple(str(2009001 + t) for t in range(TOPICS))
    scores = []
    for measure in official.measures:
        values = 1 / (1 + np.exp(-difficulty - quality - random.normal(size=(SYSTEMS, TOPICS))))
        values = np.rint(values * 1000) if measure.definition.total == "sum" else values
        scores.append(measure.tabulate(systems, topics, values))
    evaluation = Evaluation(tuple(scores), ("synthetic scores",))
    testing = Procedure()
    points = tuple(k / 100 for k in range(101))
    falling = scores[0].totals()[:, None] * (1 - np.array(points))[None, :] ** 2
    profiles = [
        SystemProfile(
            s, {"run": s, "results": 1500}, {"p": 900, "section": 500, "article": 100}, {1: 100, 4: 1400}
        )
        for s in systems
    ]
    titles = {t: f"what is known of topic {t}" for t in topics}
    matrices, comparison, decisions = statistics_of(evaluation, testing)
    curve = Curve("iP", "recall", points, systems, falling)
    task = TaskContent(
        "focused", official.title, evaluation, matrices, comparison, decisions, [curve], profiles
    )
    return ReportContent(official.title, [task], testing, titles)


def interactions(page: Path, chromium: str) -> dict[str, float]:
    """Return the median time of each interaction, in milliseconds."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        context = browser.new_context(viewport={"width": 1280, "height": 900}, offline=True)
        tab = context.new_page()
        tab.goto(page.as_uri())
        tab.wait_for_function("document.body.dataset.ready")
        taken = {}
        for name, act in INTERACTIONS.items():
            # eval in the page is the test's, with the function as text
            taken[name] = statistics.median(tab.evaluate(TIMED, act) for _ in range(TIMES))
        print(f"first drawn after {tab.evaluate('document.body.dataset.ready')} ms")
        browser.close()
    return taken


def main() -> int:
    """Measure the size and all interactions."""
    os.environ.pop("INEXLAB_COMPILED", None)
    page = write_page(make_content()).encode()
    size = len(page) / 1e6
    print(f"{SYSTEMS} systems × {TOPICS} topics: {size:.2f} MB")
    passed = [claim("report-size-10MB", LARGEST / size, 1, size < LARGEST)]
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        print("report-interaction: no Chromium on this machine; FAIL")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "report.html"
        file.write_bytes(page)
        taken = interactions(file, chromium)
    for name, time in taken.items():
        print(f"  {name}: {time:.0f} ms")
    slowest = max(taken.values())
    passed.append(claim("report-interaction-200ms", SLOWEST / slowest, 1, slowest < SLOWEST))
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
