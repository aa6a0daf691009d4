"""`inexlab profile`: size, overlap, granularity and coverage of runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Command, Write
from tests.cli.graded_campaign import rows

QRELS = "1 Q0 A 6 12 0 0:6\n2 Q0 A 6 12 0 0:6\n"
RUN = (
    "1 Q0 A 1 4 r 0 6\n1 Q0 A 2 3 r 3 9\n1 Q0 X 3 2 r 0 3\n1 Q0 A 4 1 r 11 1\n"
    "2 Q0 A 1 4 r 0 12\n9 Q0 X 1 4 r 0 5\n"
)


@pytest.fixture
def run(write: Write) -> str:
    """Six results on three topics: two overlap, one is in an unjudged document, one topic is not judged."""
    write("docs/A.xml", "<a><b>123456</b><c>789012</c></a>")
    write("q.qrels", QRELS)
    return write("r.txt", RUN)


def test_one_line_per_run(call: Command, run: str) -> None:
    """A[0,6) and A[3,12) overlap, and A[11,12) lies in the latter."""
    done = call("profile", run, "--judgements", "q.qrels", "-o", "json")
    assert done.err == ""
    assert rows(done) == [
        {
            "run": "r",
            "topics": 3,
            "results": 6,
            "results per topic": 2,
            "documents per topic": pytest.approx(4 / 3),
            "% overlapping": 50,
            "mean length": pytest.approx((6 + 9 + 3 + 1 + 12 + 5) / 6),
            "% unjudged in first 10": 20,
            "% unjudged": 20,
        }
    ]
    [without] = rows(call("profile", run, "-o", "json"))
    assert "% unjudged" not in without


def test_by_tag_and_depth(call: Command, run: str) -> None:
    asked = ("profile", run, "--collection", "docs", "-o", "json", "--by")
    assert rows(call(*asked, "tag")) == [
        {"run": "r", "tag": "(passage)", "results": 4, "%": pytest.approx(400 / 6)},
        {"run": "r", "tag": "b", "results": 1, "%": pytest.approx(100 / 6)},
        {"run": "r", "tag": "a", "results": 1, "%": pytest.approx(100 / 6)},
    ]
    assert [(row["depth"], row["results"]) for row in rows(call(*asked, "depth"))] == [(0, 4), (1, 1), (2, 1)]


def test_by_rank(call: Command, run: str, write: Write) -> None:
    asked = ("profile", run, "-o", "json", "--by", "rank")
    assert rows(call(*asked)) == [{"run": "r", "ranks": "1-10", "results": 6, "% overlapping": 50}]
    assert rows(call(*asked, "--judgements", "q.qrels")) == [
        {"run": "r", "ranks": "1-10", "results": 5, "% overlapping": 60, "% unjudged": 20}
    ]
    long = write(
        "long.txt", "".join(f"1 Q0 {'X' if i > 12 else 'A'} {i} {99 - i} l {i} 1\n" for i in range(1, 61))
    )
    found = rows(call("profile", long, "--by", "rank", "--judgements", "q.qrels", "-o", "json"))
    assert [(row["ranks"], row["results"], row["% unjudged"]) for row in found] == [
        ("1-10", 10, 0),
        ("11-50", 40, 95),
        ("51-100", 10, 100),
    ]


def test_runs_of_paths_have_no_length_without_a_collection(call: Command, write: Write, run: str) -> None:
    paths = write("p.txt", "1 Q0 A 1 2 p /a[1]\n1 Q0 A 2 1 p /a[1]/b[1]\n1 Q0 A 3 1 p /a[1]/b[1]\n")
    assert run
    [bare] = rows(call("profile", paths, "-o", "json"))
    assert (bare["mean length"], bare["% overlapping"]) == (None, 100)
    [located] = rows(call("profile", paths, "--collection", "docs", "-o", "json"))
    assert located["mean length"] == (12 + 6 + 6) / 3
    table = call("profile", paths, run)
    assert table.code == 0, table.err


def test_a_campaign(call: Command, handbook: Path) -> None:
    found = rows(call("profile", "--campaign-file", handbook / "campaign.toml", "-o", "json"))
    assert [row["run"] for row in found] == [
        *("paragraphs", "sections", "articles", "focused-chunks"),
        *("in-context", "paragraphs-in-context", "sections-in-context", "entry-points", "section-starts"),
    ]
    by_run = {row["run"]: row for row in found}
    assert by_run["articles"]["results per topic"] == by_run["articles"]["documents per topic"]
    assert by_run["entry-points"]["mean length"] == 0
    of_task = rows(
        call(
            "profile",
            "--campaign-file",
            handbook / "campaign.toml",
            "--task",
            "best-in-context",
            "-o",
            "json",
        )
    )
    assert [row["run"] for row in of_task] == ["entry-points", "section-starts", "articles"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "give at least one run, or a --campaign-file."),
        (("r.txt", "--by", "tags"), "unknown value of --by 'tags'; did you mean 'tag'?"),
        (("r.txt", "-o", "xml"), "unknown output format 'xml'"),
        (("none.txt",), "none.txt: no such file"),
        (("r.txt", "--judgements", "none"), "none: no such file"),
        (("r.txt", "--collection", "none"), "none"),
        (("q.qrels",), "q.qrels, line 1: "),
    ],
)
@pytest.mark.usefixtures("run")
def test_mistakes_are_one_line(call: Command, arguments: tuple[str, ...], message: str) -> None:
    done = call("profile", *arguments)
    assert (done.code, done.out) == (2, "")
    [line] = done.notes
    assert message in line


def test_tables_have_one_decimal_and_data_have_all(call: Command, run: str) -> None:
    asked = ("profile", run, "--judgements", "q.qrels", "-o")
    assert "| r | 3 | 6 | 2.0 | 1.3 | 50.0 | 6.0 | 20.0 | 20.0 |" in call(*asked, "markdown").out
    assert "1.3333333333333333" in call(*asked, "csv").out


def test_an_order_that_is_not_the_file_s_is_said(call: Command, write: Write) -> None:
    row = '{{"topic": 1, "doc": "A", "start": 0, "end": 9, "score": {}}}\n'
    done = call("profile", write("r.jsonl", row.format(1) + row.format(2)), "-o", "json")
    assert done.notes == ["r: 2 results in 1 topic ranked by score, not in the order of the file"]
