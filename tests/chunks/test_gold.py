"""Gold from files, frames and records; quotes are placed, and what has no place is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

from inexlab.chunks.gold import Gold, read_gold
from inexlab.errors import InexlabError, InputError, UsageError
from tests.chunks.test_placing import A, B, texts

CORPUS = texts(a=A, b=B)
ROWS = [
    {"question": "What sat?", "document": "a", "quote": "The dog sat on the log."},
    {"question": "What sat?", "document": "b.txt", "quote": "about  birds"},
    {"question": "Why?", "document": "a", "quote": "nobody knows why"},
]
SPANS = {("q1", "a"): ((24, 47),), ("q1", "b"): ((13, 24),), ("q2", "a"): ((72, 88),)}


def spans_of(gold: Gold) -> dict[tuple[str, str], Any]:
    return {(row.topic, row.doc): tuple(map(tuple, row.spans)) for row in gold.judgements}


@pytest.mark.parametrize("made", [list, pd.DataFrame, pl.DataFrame])
def test_quotes_in_frames_and_records(made: Any) -> None:
    gold = read_gold(made(ROWS), CORPUS)
    assert spans_of(gold) == SPANS
    assert gold.questions == {"q1": "What sat?", "q2": "Why?"}
    assert gold.notes == (
        "gold: 1 of 3 quotes placed by white space",
        "gold: 1 of 3 quotes placed by words, which are not all the same",
    )


def test_quotes_in_files(tmp_path: Path) -> None:
    lines = tmp_path / "gold.jsonl"
    lines.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    table = tmp_path / "gold.csv"
    pd.DataFrame(ROWS).to_csv(table, index=False)
    whole = tmp_path / "gold.json"
    whole.write_text(json.dumps(ROWS))
    for file in (lines, table, whole):
        assert spans_of(read_gold(file, CORPUS)) == SPANS


def test_a_dictionary_of_quotes() -> None:
    gold = read_gold({"Why?": ["Nobody knows why."], "What?": {"doc": "b", "text": "birds"}}, CORPUS)
    assert spans_of(gold) == {("q1", "a"): ((72, 89),), ("q2", "b"): ((19, 24),)}
    assert gold.topic_of("Why?") == "q1"
    assert gold.topic_of("q1") == "q1"


def test_judgements_are_gold(tmp_path: Path) -> None:
    file = tmp_path / "gold.jsonl"
    file.write_text('{"topic": "q1", "doc": "a", "spans": [[0, 5]]}\n')
    assert spans_of(read_gold(file, CORPUS)) == {("q1", "a"): ((0, 5),)}
    assert spans_of(read_gold({"q1": {"a": [[0, 5]]}}, CORPUS)) == {("q1", "a"): ((0, 5),)}
    frame = pd.DataFrame({"topic": ["q1"], "doc": ["a"], "start": [0], "end": [5]})
    assert spans_of(read_gold(frame, CORPUS)) == {("q1", "a"): ((0, 5),)}


def test_topics_and_aspects_of_records() -> None:
    rows = [
        {"topic": "t7", "question": "What?", "doc": "a", "quote": "The dog", "aspect": "animal"},
        {"topic": "t7", "question": "What?", "doc": "a", "quote": "the log", "aspect": "place"},
    ]
    gold = read_gold(rows, CORPUS)
    assert gold.judgements.aspects is not None
    assert gold.judgements.aspects.of_row(0) == {"animal": [(24, 31)], "place": [(39, 46)]}


def test_chroma_s_table(tmp_path: Path) -> None:
    references = [{"content": "The dog sat", "start_index": 24, "end_index": 35}]
    references += [{"content": "The cat sat", "start_index": 48, "end_index": 59}]
    file = tmp_path / "questions.csv"
    row = {"question": "What sat?", "references": json.dumps(references), "corpus_id": "a"}
    pd.DataFrame([row]).to_csv(file, index=False)
    gold = read_gold(file, CORPUS)
    assert spans_of(gold) == {("q1", "a"): ((24, 35), (48, 59))}  # the second cat, as stated
    assert gold.report.how == {"stated": 2}


def legalbench(spans: list[tuple[int, int]], file: str = "corpus/c.txt") -> dict[str, Any]:
    return {"tests": [{"query": "What?", "snippets": [{"file_path": file, "span": s} for s in spans]}]}


def test_offsets_of_legalbench_count_a_line_end_once(tmp_path: Path) -> None:
    # as Python reads the file, "two" is at 4; in the file it is behind \r\n, at 5
    corpus, file = texts(c="one\r\ntwo\r\nthree"), tmp_path / "benchmark.json"
    file.write_text(json.dumps(legalbench([(4, 7), (8, 13)])))
    assert spans_of(read_gold(file, corpus)) == {("q1", "c"): ((5, 8), (10, 15))}


def test_legalbench_with_answers(tmp_path: Path) -> None:
    content = legalbench([(4, 11)])
    content["tests"][0]["snippets"][0]["answer"] = "two\nthr"
    file = tmp_path / "benchmark.json"
    file.write_text(json.dumps(content))
    gold = read_gold(file, texts(c="one\r\ntwo\r\nthree"))
    assert spans_of(gold) == {("q1", "c"): ((5, 13),)}
    assert gold.notes == ()


def test_what_has_no_place_is_told() -> None:
    gold = read_gold([*ROWS, {"question": "Who?", "document": "a", "quote": "a horse rode by there"}], CORPUS)
    assert "q3" not in list(gold.judgements.topics)
    assert gold.notes[-2:] == (
        "gold: 1 of 4 quotes in no document (21 characters), left out",
        "gold: 1 question without any place, left out: q3",
    )


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("g.csv", "question,answers\nwhy?,x\n", "line 2: has no quote"),
        ("g.csv", "doc,quote\na,The dog\n", "line 2: has no question"),
        ("g.csv", "question,references,corpus_id\nwhy?,none,a\n", "line 2: the references are no list"),
        ("g.json", '{"tests": [{"query": "why?"}]}', "test 1 is not written"),
        ("g.csv", "question,doc,quote\nwhy?,a,there is nothing like it\n", "no quote is in any document"),
    ],
)
def test_bad_files_are_named(tmp_path: Path, name: str, content: str, message: str) -> None:
    file = tmp_path / name
    file.write_text(content)
    with pytest.raises(InexlabError, match=message) as error:
        read_gold(file, CORPUS)
    assert isinstance(error.value, InputError)
    assert name in str(error.value)


def test_quotes_need_documents() -> None:
    with pytest.raises(UsageError, match="give the corpus"):
        read_gold(ROWS)
    with pytest.raises(UsageError, match="cannot be made of int"):
        read_gold(7)
