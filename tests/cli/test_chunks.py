"""`inexlab chunks`: chunkers and chunks of other programs compared, for people and programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import inexlab
from inexlab.index.index import open_index
from tests.cli.conftest import Command, Write

ROWS = [
    (
        "When do two results overlap?",
        "overlap",
        "belong to the same document and share at least one character",
    ),
    ("What is a chunk?", "passages-and-chunks", "A chunk is a span"),
    ("Which labels survive?", "passages-and-chunks", "Labels attached to ranges of the source text\nsurvive"),
    ("What does highlighting provide?", "passages-and-chunks", "no chunker has taken part"),
    ("How large was overlap in 2004?", "overlap", "some 70% to 80% of the elements"),
]
GOLD = [dict(zip(("question", "doc", "quote"), row, strict=True)) for row in ROWS]


@pytest.fixture
def gold(write: Write) -> str:
    return write("gold.jsonl", "".join(json.dumps(row) + "\n" for row in GOLD))


def windows(index: Path, size: int = 300) -> list[dict[str, Any]]:
    """All windows of the articles, as a chunker that knows no offsets would write them."""
    opened = open_index(index)
    return [
        {"doc": doc, "text": text[at : at + size]}
        for number, doc in enumerate(opened.documents)
        for text in [opened.text(number)]
        for at in range(0, len(text), size)
    ]


def lines(rows: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def test_for_people(call: Command, handbook_index: Path, gold: str) -> None:
    done = call(
        *("chunks", handbook_index, "--gold", gold, "--chunker", "windows:300c", "--chunker", "sentences:3"),
        *("--test", "t", "-o", "markdown"),
    )
    assert done.code == 0
    first, second = done.out.split("**nDCG@10 of chunks")
    header, _, *rows = [line for line in first.splitlines() if line.startswith("|")]
    assert header.startswith(
        "| chunks | number | mean length | gold in one chunk | SpanR@1000c | 95% interval"
    )
    assert "| ceiling | SpanP@1000c | SpanIoU@1000c | iP@0.01 |" in header
    assert {row.split(" | ")[0] for row in rows} == {"| windows:300c", "| sentences:3"}
    assert "| chunks | 0.1 | 0.25 | 0.5 | 0.75 | 1 |" in second
    assert "gold: 1 of 5 quotes placed by white space" in done.notes


def test_chunks_of_another_program_are_ranked_as_those_of_ours(
    call: Command, handbook_index: Path, gold: str, write: Write
) -> None:
    """The same windows, as texts without offsets, have the same scores."""
    write("theirs.jsonl", lines(windows(handbook_index)))
    done = call(
        *("chunks", handbook_index, "--gold", gold, "--chunker", "windows:300c", "--chunks", "theirs.jsonl"),
        *("-m", "SpanR@600c", "-m", "SpanIoU@2", "-m", "Aspects@3", "-o", "json", "--test", "t"),
    )
    assert done.code == 0, done.err
    ours, theirs = sorted(json.loads(done.out), key=lambda row: row["chunks"], reverse=True)
    assert (ours.pop("chunks"), theirs.pop("chunks")) == ("windows:300c", "theirs")
    ours.pop("number"), theirs.pop("number")  # windows without a word are no units of ours
    ours.pop("mean length"), theirs.pop("mean length")
    assert ours == theirs
    assert ours["SpanR@600c"] > 0.3


def test_what_another_program_returned_is_scored_as_it_is(
    call: Command, handbook_index: Path, gold: str, write: Write
) -> None:
    write(
        "returned.jsonl",
        lines(
            [
                {"question": ROWS[0][0], "text": ROWS[0][2], "source": "articles/overlap.xml"},
                {"question": ROWS[1][0], "text": "this was never written in any of the articles at all"},
            ]
        ),
    )
    arguments = ("chunks", handbook_index, "--gold", gold, "--chunks", "returned.jsonl", "-m", "SpanR", "-m")
    done = call(*arguments, "SpanP(unit=word)", "-o", "json")
    assert done.code == 0, done.err
    [row] = json.loads(done.out)
    assert row["SpanR"] == 0.2
    assert row["SpanP(unit=word)"] == 0.2
    assert row["number"] is None
    unplaced = "returned: 1 of 2 chunks in no document (52 characters), counted as returned and not relevant"
    assert unplaced in done.notes


def test_a_report_shows_what_is_cut(call: Command, handbook_index: Path, gold: str, tmp_path: Path) -> None:
    pytest.importorskip("altair", reason="the page needs the extra `figures`")
    done = call(
        *("chunks", handbook_index, "--gold", gold, "--chunker", "windows:300c", "--chunker", "sentences:3"),
        *("--test", "t", "--title", "Chunks & cuts", "--out", "page.html"),
    )
    assert done.code == 0, done.err
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    data = json.loads(page.split('id="data">')[1].split("</script>")[0])
    assert [section["id"] for section in data["sections"]][:2] == ["overview", "cuts"]
    cuts = data["tasks"][0]["cuts"]
    assert cuts["systems"] == ["windows:300c", "sentences:3"]
    assert cuts["total"] == 5
    for span in cuts["shown"]:
        quote = span["text"][span["start"] : span["end"]]
        assert " ".join(quote.split()) in {" ".join(row[2].split()) for row in ROWS}
        for share, borders in zip(span["share"], span["borders"], strict=True):
            assert (share < 1) == bool(borders)
            assert all(span["start"] < border < span["end"] for border in borders)


def test_questions_of_a_topic_file(call: Command, handbook_index: Path, write: Write) -> None:
    write("gold.jsonl", '{"topic": "7", "doc": "overlap", "spans": [[200, 300]]}\n')
    arguments = ("chunks", handbook_index, "--gold", "gold.jsonl", "--chunker", "articles", "-m", "SpanR@1")
    done = call(*arguments)
    assert done.code == 2
    assert done.notes == ["the gold does not tell the questions (7): give --topics FILE."]
    write("questions.jsonl", '{"id": "7", "title": "overlap"}\n')
    done = call(*arguments, "--topics", "questions.jsonl", "-o", "json")
    assert done.code == 0, done.err
    assert json.loads(done.out)[0]["chunks"] == "articles"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--chunker", "windows:0c"), "windows:0c"),
        (("--chunks", "bad.jsonl"), "bad.jsonl, line 2"),
        (("--chunks", "empty.jsonl"), "empty.jsonl: is empty"),
        (("--chunks", "mixed.jsonl"), "no topic, where others have one"),
        (("-m", "Ceiling(measure=MAiP)"), "Ceiling is known of"),
        (("--test", "nothing"), "nothing"),
    ],
)
def test_bad_input(
    call: Command, handbook_index: Path, gold: str, write: Write, arguments: tuple[str, ...], message: str
) -> None:
    write("bad.jsonl", '{"doc": "overlap", "text": "one"}\n{"doc": "overlap"}\n')
    write("empty.jsonl", "\n")
    write("mixed.jsonl", '{"topic": "q1", "text": "one"}\n{"text": "two"}\n')
    done = call("chunks", handbook_index, "--gold", gold, *arguments)
    assert done.code == 2
    assert len(done.notes) == 1
    assert message in done.err
    assert not done.out


def test_documents_are_indexed_where_there_is_no_index(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "birds.md").write_text("# Birds\n\nOwls hunt at night. Larks sing in the morning.\n")
    (tmp_path / "docs" / "fish.txt").write_text("Trout live in cold rivers. Carp live in warm ponds.\n")
    gold = [{"question": "When do owls hunt?", "document": "birds.md", "quote": "Owls hunt at night."}]
    found = inexlab.compare_chunks(tmp_path / "docs", gold, ["sentences:1", "articles"], measure="SpanIoU@1")
    assert dict(zip(found.scores[0].systems, found["SpanIoU@1"].totals().tolist(), strict=True)) == {
        "sentences:1": 1.0,
        "articles": pytest.approx(19 / 56),
    }
    assert found.to_pandas()["ceiling"].tolist() == [1.0, pytest.approx(19 / 56)]
    assert [span.share for span in found.cuts] == [{"sentences:1": 1.0, "articles": 1.0}]


def test_three_lines_of_python(tmp_path: Path) -> None:
    (tmp_path / "fish.txt").write_text("Trout live in cold rivers. Carp live in warm ponds.\n")
    gold = [{"question": "Where do carp live?", "quote": "Carp live in warm ponds."}]
    chunks = {"Where do carp live?": ["Carp live in warm", "nothing that anybody has ever written there"]}
    scores = inexlab.score_chunks(
        tmp_path, gold, chunks, ["SpanR@1", "SpanP", "SpanR@10c", "SpanP(unit=word)"]
    )
    assert scores.means() == {
        "chunks": {"SpanR@1": 17 / 24, "SpanP": 17 / 60, "SpanR@10c": 10 / 24, "SpanP(unit=word)": 4 / 11}
    }
    assert any("1 of 2 chunks in no document (43 characters)" in note for note in scores.notes)
    both = inexlab.score_chunks(tmp_path, gold, {"old": chunks, "new": {"q1": ["ponds."]}}, "SpanR@1")
    assert list(both.means()) == ["old", "new"]
    every = [{"text": "Trout live in cold rivers. "}, {"text": "Carp live in warm ponds."}]
    ceiling = inexlab.score_chunks(tmp_path, gold, chunks, "Ceiling(measure=SpanR@1)", chunking=every)
    assert ceiling.means() == {"chunks": {"Ceiling(measure=SpanR@1)": 1.0}}
