"""Progress on a terminal: what is done, how fast, and how long the rest will take; nothing elsewhere."""

from __future__ import annotations

import io
import re
import shutil
import sys
import tarfile
import time
from pathlib import Path

import numpy as np
import pytest

from inexlab.cli import progress as shown_progress
from inexlab.cli.progress import Bars, Line, showing_progress
from inexlab.progress import BYTES, ProgressStep, report, reporting, watching
from inexlab.scores import Scores
from inexlab.statistics import compare
from inexlab.statistics.testing import Sampling
from tests.cli.test_start_up import VERBS

from .conftest import Command
from .terminals import in_terminal, lines_of


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


class Clock:
    """A clock that somebody sets."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def told(*steps: tuple[float, ProgressStep]) -> list[Line]:
    """Return the lines that are shown after steps that were told at some times."""
    clock = Clock()
    bars = Bars(clock)
    for clock.now, step in steps:
        bars.tell(step)
    return bars.lines()


def test_a_line_has_what_is_done_the_rate_and_the_time_left() -> None:
    begun = ProgressStep("scoring", 0, 172, "runs")
    assert told((0, begun), (10, ProgressStep("scoring", 40, 172, "runs"))) == [
        Line("scoring", 40 / 172, "40/172 runs", "4 runs/s", "0:00:33")
    ]
    assert told((0, begun), (100, ProgressStep("scoring", 1, 172, "runs")))[0][3:] == (
        "0.01 runs/s",
        "4:45:00",
    )
    read = (
        ProgressStep("indexing", 0, 3_900_000_000, BYTES),
        ProgressStep("indexing", 600_000_000, 3_900_000_000, BYTES),
    )
    assert told((5, read[0]), (15, read[1]))[0][2:] == ("600/3,900 MB", "60 MB/s", "0:00:55")


def test_where_the_total_is_unknown_there_are_count_and_rate() -> None:
    steps = (
        (0, ProgressStep("listing", 1, 0, "documents")),
        (2, ProgressStep("listing", 2001, 0, "documents")),
    )
    assert told(*steps) == [Line("listing", None, "2,001 documents", "1,000 documents/s", "")]


def test_steps_in_steps_have_lines_of_their_own_and_what_is_finished_goes() -> None:
    listing, outer = ProgressStep("listing", 5, 0, "files"), ProgressStep("conditions", 1, 4, "conditions")
    inner = [ProgressStep("scoring", done, 2, "runs") for done in (0, 1, 2)]
    steps = enumerate([listing, ProgressStep("conditions", 0, 4, "conditions"), outer, *inner[:2]])
    assert [line.doing for line in told(*steps)] == ["conditions", "scoring"]
    steps = enumerate([outer, *inner, ProgressStep("drawing", 0, 1, "figures")])
    assert [line.doing for line in told(*steps)] == ["conditions", "drawing"]


def test_what_begins_again_has_a_rate_of_its_own() -> None:
    steps = [(0, 0), (1, 100), (50, 0), (51, 10)]
    shown = told(*((at, ProgressStep("scoring", done, 100, "runs")) for at, done in steps))
    assert [line.rate for line in shown] == ["10 runs/s"]


def test_what_is_quick_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    with showing_progress():
        report("comparing", 1, 2, "pairs")
    assert stream.getvalue() == ""


def test_nothing_is_shown_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with showing_progress():
        report("comparing", 1, 2, "pairs")
    assert capsys.readouterr() == ("", "")


def test_what_says_nothing_for_a_while_is_shown_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(shown_progress, "AFTER", 0.0)
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    with showing_progress():
        report("drawing", 0, 3, "figures")
        for _ in range(500):
            if "drawing" in stream.getvalue():
                break
            time.sleep(0.01)
    assert "0/3 figures" in stream.getvalue()


def test_a_terminal_shows_bars_and_clears_them(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    for k in range(3):
        (tmp_path / "docs" / f"d{k}.xml").write_text(f"<a>bee {k}</a>")
    code, out, shown = in_terminal("index", "docs", "--out", "i", "--jobs", "2", folder=tmp_path, width=80)
    assert (code, b"documents" in out) == (0, True)
    lines = lines_of(shown)
    assert max(map(len, lines)) <= 80
    assert any(re.match(r"indexing +\S+ 0/0 kB", line) for line in lines), lines
    assert shown.rfind(b"\x1b[?25h") > shown.rfind(b"\x1b[?25l") >= 0  # the cursor is shown again


def test_a_comparison_tells_how_far_it_is_up_to_the_end() -> None:
    steps: list[ProgressStep] = []
    values = np.random.default_rng(1).random((6, 12))
    scores = Scores(tuple("abcdef"), tuple(map(str, range(12))), values)
    with watching(steps.append):
        found = compare(scores, sampling=Sampling(1000))
    for doing, of in (("comparing", 36), ("intervals", 15)):
        counts = [step.done for step in steps if step.doing == doing]
        assert counts == sorted(counts)
        assert counts[-1] == of
    unwatched = compare(scores, sampling=Sampling(1000))
    np.testing.assert_array_equal(found.p, unwatched.p)


def test_only_who_watches_is_told() -> None:
    outer: list[int] = []
    inner: list[int] = []
    report("a", 0)
    with watching(lambda step: outer.append(step.done)):
        report("a", 1)
        with watching(lambda step: inner.append(step.done)):
            assert list(reporting("xy", "a", "letters")) == ["x", "y"]
        report("a", 2)
    report("a", 3)
    assert (outer, inner) == ([1, 2], [0, 1, 2])


# --- every verb that may take more than two seconds says how far it is --------------------------------------

ARTICLES, QRELS, TOPICS = "demo/articles", "demo/judgements.qrels", "demo/topics.xml"
RUNS = [f"demo/runs/focused-{name}.txt" for name in ("articles", "paragraphs", "sections")]
SCORED = (QRELS, *RUNS, "--collection", ARTICLES, "-m", "MAiP")
SCORING = {"scoring", "opening demo/articles"}

LONG: dict[str, tuple[tuple[str, ...], set[str]]] = {
    "index": (("index", ARTICLES, "--out", "i"), {"indexing", "joining terms"}),
    "index packed": (("index", "a.tar.xz", "--out", "i"), {"indexing"}),
    "index --jobs": (
        ("index", "a.tar.xz", "--out", "i", "--jobs", "2"),
        {"unpacking a.tar.xz", "listing documents", "indexing", "joining terms"},
    ),
    "index --shards": (
        ("index", ARTICLES, "--out", "i", "--shards", "2"),
        {"listing documents", "indexing"},
    ),
    "index --shards --jobs": (
        ("index", ARTICLES, "--out", "i", "--shards", "2", "--jobs", "2"),
        {"listing documents", "indexing"},
    ),
    "index --append": (
        ("index", ARTICLES, "--out", "demo/index", "--append"),
        {"indexing", "writing documents again", "joining terms"},
    ),
    "index --remove": (
        ("index", "pooling", "--out", "demo/index", "--remove"),
        {"writing documents again", "joining terms"},
    ),
    "index --merge": (
        ("index", "demo/index", "--out", "i", "--merge"),
        {"checking files", "copying columns", "joining terms"},
    ),
    "index --verify": (("index", "--verify", "demo/index"), {"checking files"}),
    "index --look": (("index", "--look", ARTICLES), {"looking at documents"}),
    "run": (("run", "demo/index", "--topics", TOPICS, "--out", "r"), {"searching"}),
    "run on shards": (
        ("run", "demo/shards", "--topics", TOPICS, "--out", "r"),
        {"searching", "searching shards"},
    ),
    "search": (("search", "demo/shards", "overlap"), {"searching shards"}),
    "evaluate": (("evaluate", *SCORED), SCORING),
    "compare": (("compare", *SCORED), SCORING | {"comparing", "intervals"}),
    "compare by t": (("compare", *SCORED, "--test", "t"), SCORING | {"comparing"}),
    "ttest": (("ttest", *SCORED[:3], *SCORED[4:]), SCORING),
    "stability": (("stability", *SCORED, "--test", "t"), SCORING | {"splitting topics"}),
    "stability --growth": (
        ("stability", *SCORED, "--test", "t", "--growth"),
        SCORING | {"drawing topics"},
    ),
    "correlate": (
        ("correlate", *SCORED[:-2], "--vary", "measure=MAiP,iP@0.01"),
        {"scoring conditions", "scoring"},
    ),
    "agreement": (
        ("agreement", *SCORED[:-2], "--vary", "measure=MAiP,iP@0.01"),
        {"scoring conditions", "scoring", "testing conditions"},
    ),
    "plot": (("plot", "ranking", *SCORED, "--out", "f.svg"), SCORING | {"comparing"}),
    "report": (("report", *SCORED, "--out", "r.html"), SCORING | {"comparing", "making the page"}),
    "pool": (("pool", *RUNS, "--collection", ARTICLES, "--out", "p.jsonl"), {"reading runs"}),
    "pool --leave-one-out": (
        ("pool", *RUNS, "--judgements", *SCORED[:1], *SCORED[4:], "--leave-one-out"),
        {"leaving out", "scoring"},
    ),
    "chunks": (
        ("chunks", ARTICLES, "--gold", QRELS, "--topics", TOPICS, "--chunker", "sentences:5"),
        {"indexing", "ranking chunks", "scoring"},
    ),
    "profile": (("profile", *RUNS, "--collection", ARTICLES), {"reading runs"}),
    "check": (("check", *RUNS, QRELS), {f"reading {RUNS[0]}", f"reading {QRELS}"}),
    "cas": (
        ("cas", "--runs", RUNS[1], "--topics", TOPICS, "--out", "strict"),
        {"writing strict runs"},
    ),
    "recall-base": (
        ("recall-base", QRELS, "--collection", ARTICLES),
        {"opening demo/articles", "grading elements"},
    ),
    "convert": (
        ("convert", RUNS[1], "--to", "2009-fol", "--collection", ARTICLES, "--out", "c"),
        {"locating results of paragraphs"},
    ),
    "baseline": (
        ("baseline", "random", QRELS, "--collection", ARTICLES, "--out", "b"),
        {"making random"},
    ),
    "topics": (
        ("topics", TOPICS, "--collection", ARTICLES),
        {"opening demo/articles", "reading demo/articles"},
    ),
    "explain": (
        ("explain", *SCORED[:2], *SCORED[4:], "--topic", "2026001"),
        {"opening demo/articles"},
    ),
    "assessors": (
        ("assessors", QRELS, "other.qrels", "--runs", *RUNS, "--collection", ARTICLES, "-m", "MAiP"),
        {"comparing assessors", "scoring by assessors"},
    ),
}
# These read what is small, or wait for somebody.
QUICK = {
    *("demo", "diff", "formats", "measures", "new", "nexi", "profiles", "serve", "show"),
}


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built-in campaign with an index, one in shards, and its articles packed."""
    import inexlab

    folder = tmp_path_factory.mktemp("campaign")
    demo = folder / "demo"
    inexlab.demo(demo)
    inexlab.build_index(demo / "articles", demo / "index")
    inexlab.build_index(demo / "articles", demo / "shards", shards=2)
    with tarfile.open(folder / "a.tar.xz", "w:xz") as packed:
        packed.add(demo / "articles", "articles")
    shutil.copy(demo / "judgements.qrels", folder / "other.qrels")
    return folder


def test_every_verb_is_long_or_quick() -> None:
    assert {arguments[0] for arguments, _ in LONG.values()} | QUICK == set(VERBS)
    assert not {arguments[0] for arguments, _ in LONG.values()} & QUICK


@pytest.mark.parametrize("name", LONG)
def test_long_work_says_how_far_it_is(call: Command, campaign: Path, tmp_path: Path, name: str) -> None:
    shutil.copytree(campaign, tmp_path, dirs_exist_ok=True)
    arguments, expected = LONG[name]
    steps: list[ProgressStep] = []
    with watching(steps.append):
        done = call(*arguments)
    assert done.code == 0, done.err
    assert {step.doing for step in steps} >= expected
    for step in steps:
        assert 0 <= step.done <= step.of or not step.of, step
        assert step.what, step
    for doing in expected - {"opening demo/articles", "scoring conditions"}:
        [*_, last] = [step for step in steps if step.doing == doing]
        assert last.done == last.of or not last.of, last  # to the end


@pytest.mark.parametrize("verb", sorted({arguments[0] for arguments, _ in LONG.values()}))
def test_the_command_shows_what_is_reported(verb: str) -> None:
    """What every long verb calls is in a `with showing_progress()`, and no verb has a bar of its own."""
    source = Path(shown_progress.__file__).with_name(f"{verb.replace('-', '_')}.py").read_text()
    assert "with showing_progress(" in source
    assert "rich" not in source.replace("rich_help_panel", "")
