"""`inexlab plot`: one figure alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("altair", reason="figures need the extra `figures`")
pytest.importorskip("vl_convert", reason="figures need the extra `figures`")

from inexlab.cli.listed import with_names
from inexlab.cli.plot import _KIND
from inexlab.report.figure import figures

from .conftest import Command, Write

SCORES = "topic,one,two,three\n" + "".join(
    f"{t},{t / 20},{t / 25 + 0.1},{(t * 7 % 20) / 20}\n" for t in range(1, 16)
)
TWO = {"agreement": ["-m", "iP@0.01"], "correlation": ["-m", "iP@0.01"]}


@pytest.mark.parametrize("kind", sorted(figures))
def test_every_kind_is_drawn_from_runs(call: Command, handbook: Path, tmp_path: Path, kind: str) -> None:
    runs = sorted((handbook / "runs").glob("focused-*"))
    options: list[str | Path] = [
        "--collection",
        handbook / "articles",
        "-m",
        "MAiP",
        *TWO.get(kind, []),
        "--test",
        "t",
    ]
    titles = ("--topics", handbook / "topics.xml")
    judgements = [handbook / "judgements.qrels"]
    of_assessors = figures[kind].needs == "assessors"
    if of_assessors:  # a second one, who judged alike
        judgements.append(tmp_path / "other.qrels")
        judgements[1].write_bytes(judgements[0].read_bytes())
    done = call("plot", kind, *judgements, *runs, *options, *titles, "--out", "f.svg")
    assert (done.code, done.out) == (0, "")
    assert "means are over 6 judged topics" in done.notes or kind == "curves" or of_assessors
    assert (tmp_path / "f.svg").read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.parametrize("kind", ["ranking", "curves", "heatmap", "correlation", "granularity"])
def test_a_task_of_a_campaign_is_drawn_as_its_files_are(
    call: Command, handbook: Path, tmp_path: Path, kind: str
) -> None:
    of_campaign = ("--campaign-file", handbook / "campaign.toml", "--task", "focused")
    files = [
        handbook / "runs" / name
        for name in (
            *("focused-paragraphs.txt", "focused-sections.txt"),
            *("focused-articles.txt", "focused-chunks.jsonl"),
        )
    ]
    alone: tuple[str | Path, ...] = (
        handbook / "judgements.qrels",
        *files,
        "--collection",
        handbook / "articles",
    )
    titles = ("--topics", handbook / "topics.xml")
    asked = ("-m", "iP@0.01", *(["-m", "MAiP"] if kind == "correlation" else []), "--test", "t", "--out")
    assert call("plot", kind, *of_campaign, *asked, "a.html").code == 0
    assert call("plot", kind, *alone, *titles, *asked, "b.html").code == 0
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


def test_of_a_campaign_one_task_is_drawn_with_its_own_measure(call: Command, handbook: Path) -> None:
    asked = ("plot", "ranking", "--campaign-file", handbook / "campaign.toml", "--test", "t")
    several = call(*asked, "--out", "f.svg")
    assert several.code == 2
    assert several.notes[0].endswith("with --task: focused, relevant-in-context, best-in-context.")
    assert call(*asked, "--task", "best-in-context", "--out", "f.svg").code == 0
    assert "MAgP(score=BEP,n=500)" in Path("f.svg").read_text(encoding="utf-8")
    beside = call(*asked, "--collection", "docs", "--task", "focused", "--out", "f.svg")
    assert beside.code == 2
    assert "do not give them as well" in beside.notes[0]


@pytest.mark.parametrize("kind", ["ranking", "heatmap", "significance", "differences", "topics"])
def test_scores_of_any_tool_can_be_drawn(call: Command, write: Write, tmp_path: Path, kind: str) -> None:
    done = call("plot", kind, write("s.csv", SCORES), "--test", "t", "--out", "f.svg")
    assert (done.code, done.out, done.err) == (0, "", "")
    text = (tmp_path / "f.svg").read_text(encoding="utf-8")
    assert "three" in text or kind in ("differences", "topics")


def test_the_two_systems_can_be_named(call: Command, write: Write, tmp_path: Path) -> None:
    scores = write("s.csv", SCORES)
    done = call("plot", "differences", scores, "--system", "three", "--system", "one", "--out", "f.svg")
    assert done.code == 0
    assert "three − one" in (tmp_path / "f.svg").read_text(encoding="utf-8")


def test_help_lists_every_kind(call: Command) -> None:
    named = re.split(r",\s|\sor\s", with_names(str(_KIND.help)).partition(";")[0])
    assert sorted(named) == sorted(figures)
    done = call("plot", "help")
    assert done.code == 0
    assert re.findall(r"^([\w-]+)$", done.out, re.MULTILINE) == list(figures)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rankng", "s.csv", "--out", "f.svg"], "unknown figure 'rankng'; did you mean 'ranking'?"),
        (["ranking", "s.csv"], "give judgements and runs (or scores), and --out FIGURE.svg"),
        (["ranking", "s.csv", "--out", "f.bmp"], "unknown format of figures 'bmp'"),
        (["ranking", "s.csv", "--out", "f"], "f has no extension"),
        (["ranking", "s.csv", "--alpha", "2", "--out", "f.svg"], "alpha is 2"),
        (
            ["correlation", "s.csv", "-m", "MAiP", "--out", "f.svg"],
            "compares two conditions, the x-axis first",
        ),
        (
            ["differences", "s.csv", "--system", "on", "--out", "f.svg"],
            "unknown system 'on'; did you mean 'one'",
        ),
        (["curves", "q", "r", "-m", "num_ret", "--out", "f.svg"], "num_ret has no curve"),
        (["curves", "q", "r", "-m", "iP@*", "--system", "x", "--out", "f.svg"], "unknown system 'x'"),
        (["granularity", "q", "--out", "f.svg"], "give judgements and at least one run"),
        (["ranking", "gone.csv", "--out", "f.svg"], "gone.csv: no such file."),
    ],
)
def test_what_cannot_be_drawn_is_said_in_one_line(
    call: Command, write: Write, tmp_path: Path, arguments: list[str], message: str
) -> None:
    write("s.csv", SCORES)
    write("q", "1 Q0 A 60 100 0 0:60\n")
    write("r", "1 Q0 A 1 3.0 worked 0 50\n")
    done = call("plot", *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.notes[-1]
    assert not list(tmp_path.glob("f*"))
