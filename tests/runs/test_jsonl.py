"""JSON Lines runs: chunks, passages and elements of any system."""

from __future__ import annotations

import gzip
import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.errors import InputError
from inexlab.files import Source
from inexlab.runs import Result, Run, read_run
from inexlab.runs.formats import jsonl, jsonl_columns
from inexlab.runs.read import run_formats
from tests.builders import assert_same_run
from tests.examples import examples

Values = st.SearchStrategy[Any]


def run_of(content: str | bytes, folder: Path, input_format: str | None = None) -> Run:
    file = folder / "chunks.jsonl"
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_run(file, input_format)


SPAN = '{"topic": "t1", "doc": "d", "start": 3, "end": 9, "score": 0.5}\n'
PATH = '{"topic": "t1", "doc": "d", "path": "/a[1]/b[2]", "score": 1e-3}\n'


def test_spans_and_paths(tmp_path: Path) -> None:
    run = run_of(SPAN + PATH, tmp_path)
    assert run.id == "chunks"
    assert run.file == str(tmp_path / "chunks.jsonl")
    assert list(run) == [
        Result("t1", 1, "d", 0.5, 3, 9, None, None),
        Result("t1", 2, "d", 1e-3, None, None, "/a[1]/b[2]", None),
    ]


def test_numbers_name_topics_and_documents_too(tmp_path: Path) -> None:
    (result,) = run_of('{"topic": 2009001, "doc": 12, "start": 0, "end": 0}', tmp_path)
    assert (result.topic, result.doc) == ("2009001", "12")
    assert math.isnan(result.score)


def test_equal_scores_are_ranked_in_the_order_of_lines(tmp_path: Path) -> None:
    rows = [
        {"topic": t, "doc": d, "start": 0, "end": 1, "score": s} for t, d, s in [(1, "a", 1), (2, "b", 5)]
    ]
    content = "\n".join(json.dumps(row) for row in [*rows, *rows])
    assert [(r.topic, r.rank, r.doc) for r in run_of(content, tmp_path)] == [
        ("1", 1, "a"),
        ("2", 1, "b"),
        ("1", 2, "a"),
        ("2", 2, "b"),
    ]


def test_a_null_path_is_no_path_and_other_fields_are_ignored(tmp_path: Path) -> None:
    (result,) = run_of('{"topic": 1, "doc": "d", "path": null, "start": 1, "end": 2, "model": "x"}', tmp_path)
    assert (result.path, result.start, result.end) == (None, 1, 2)


def test_a_passage_between_two_paths(tmp_path: Path) -> None:
    (result,) = run_of('{"topic": 1, "doc": "d", "path": "/a[1]", "until": "/a[2]"}', tmp_path)
    assert (result.path, result.until, result.start) == ("/a[1]", "/a[2]", None)


def test_a_result_that_was_not_located(tmp_path: Path) -> None:
    (result,) = run_of('{"topic": 1, "doc": "d", "start": null, "end": null}', tmp_path)
    assert (result.doc, result.path, result.start, result.end) == ("d", None, None, None)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(SPAN.replace("\n", "\r\n").encode(), id="CRLF"),
        pytest.param(SPAN.rstrip().encode(), id="no final newline"),
        pytest.param(f"\n{SPAN}\n \n# done\n".encode(), id="blank lines and a comment"),
        pytest.param(f"# made by\n\n  # a chunker\n{SPAN}".encode(), id="comments before"),
        pytest.param(f"# made by\r\n{SPAN}".encode("utf-8-sig"), id="mark, then a comment"),
        pytest.param(SPAN.encode("utf-8-sig"), id="byte-order mark"),
        pytest.param(SPAN.encode("utf-16"), id="UTF-16"),
        pytest.param(gzip.compress(SPAN.encode()), id="gzip"),
    ],
)
def test_the_look_of_a_file_does_not_matter(content: bytes, tmp_path: Path) -> None:
    assert list(run_of(content, tmp_path)) == [Result("t1", 1, "d", 0.5, 3, 9, None, None)]


def test_a_comment_at_the_head_with_the_format_forced(tmp_path: Path) -> None:
    assert len(run_of(f"# head\n{SPAN}", tmp_path, "jsonl")) == 1


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        ('{"doc": "d", "start": 0, "end": 1}', "'topic' is missing. Found: doc, start, end."),
        ('{"topic": 1, "start": 0, "end": 1}', "'doc' is missing. Found: topic, start, end."),
        ('{"topic": 1, "doc": "d"}', "'start' is missing. Found: topic, doc."),
        ('{"topic": 1, "doc": "d", "start": 0}', "'end' is missing. Found: topic, doc, start."),
        ('{"topic": 1, "doc": "d", "start": null}', "'start' is missing. Found: topic, doc, start."),
        ("{}", "'topic' is missing. Found: nothing."),
        (
            '{"topic": 1, "doc": "d", "start": -1, "end": 1}',
            "'start' is '-1', expected a whole number of characters.",
        ),
        (
            '{"topic": 1, "doc": "d", "start": 5, "end": 4}',
            "[5, 4) is not a span. A span has 0 <= start <= end.",
        ),
        (
            '{"topic": 1, "doc": "d", "start": "0", "end": 1}',
            "'start' is '0', expected a whole number of characters.",
        ),
        (
            '{"topic": 1, "doc": "d", "start": 0.0, "end": 1}',
            "'start' is '0.0', expected a whole number of characters.",
        ),
        (
            '{"topic": 1, "doc": "d", "start": true, "end": 1}',
            "'start' is 'True', expected a whole number of characters.",
        ),
        (
            f'{{"topic": 1, "doc": "d", "start": 0, "end": {2**60}}}',
            f"'end' is '{2**60}', expected a whole number of characters.",
        ),
        (
            '{"topic": 1, "doc": "d", "start": 0, "end": 1, "score": "x"}',
            "'score' is 'x', expected a number.",
        ),
        (
            f'{{"topic": 1, "doc": "d", "start": 0, "end": 1, "score": {10**400}}}',
            f"'score' is '{str(10**400)[:40]}', expected a number.",
        ),
        (f'{{"topic": 1, "doc": "d", "start": 0, "end": {"9" * 5000}}}', "is not JSON ("),
        (
            '{"topic": "a\\ud800", "doc": "d", "start": 0, "end": 1}',
            "'topic' is 'a\\ud800', which contains a lone",
        ),
        ('{"topic": 1, "doc": "\\udfff", "start": 0, "end": 1}', "'doc' is '\\udfff', which contains a lone"),
        ('{"topic": 1, "doc": "d", "path": "/a\\ud83d"}', "'path' is '/a\\ud83d', which contains a lone"),
        ('{"topic": [1], "doc": "d", "start": 0, "end": 1}', "'topic' is [1], expected a name."),
        ('{"topic": false, "doc": "d", "start": 0, "end": 1}', "'topic' is False, expected a name."),
        ('{"topic": " ", "doc": "d", "start": 0, "end": 1}', "'topic' is ' ', expected a name."),
        ('{"topic": 1, "doc": "d", "path": 7.5}', "'path' is 7.5, expected a name."),
        ('{"topic": 1, "doc": "d", "start": 0,', "is not JSON (Expecting property name"),
        ("1 Q0 d 1 1 r 5 6", "is not JSON (Extra data). One object per line."),
        ("[1, 2]", "is not a JSON object. One object per line."),
        ('"text"', "is not a JSON object. One object per line."),
        ('{"topic": ' + "[" * 100_000, "is not JSON (nested too deeply). One object per line."),
    ],
)
def test_a_mistake_is_named_with_file_and_line(bad: str, problem: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        run_of(f"{SPAN}\n{bad}\n{SPAN}", tmp_path)
    assert str(caught.value).startswith(f"{tmp_path / 'chunks.jsonl'}, line 3: {problem}")


def test_invalid_utf8(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"chunks\.jsonl, line 2: is not JSON \(invalid continuation byte\)"):
        run_of(SPAN.encode() + SPAN.replace('"d"', '"d\xe9"').encode("latin-1"), tmp_path)


def test_a_file_of_comments_holds_no_results(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"holds no results\. The file may be truncated"):
        run_of("# nothing\n", tmp_path, "jsonl")


names = st.text(st.characters(codec="utf-8"), min_size=1, max_size=5).filter(lambda name: name.strip())
rows = st.lists(
    st.fixed_dictionaries(
        {
            "topic": names,
            "doc": names,
            "start": st.integers(0, 10**6),
            "length": st.integers(0, 10**6),
            "score": st.floats(allow_nan=False),
        }
    ),
    min_size=1,
    max_size=10,
)


@given(rows, st.booleans())
def test_what_was_written_is_read_back(written: list[dict[str, Any]], ascii_only: bool) -> None:
    for row in written:
        row["end"] = row["start"] + row.pop("length")
    content = "".join(json.dumps(row, ensure_ascii=ascii_only) + "\n" for row in written).encode()
    run = run_formats["jsonl"].read(Source("run.jsonl", content, is_xml=False))
    for topic in {row["topic"] for row in written}:
        ranked = sorted((row for row in written if row["topic"] == topic), key=lambda row: -row["score"])
        assert [(r.doc, r.start, r.end, r.score) for r in run if r.topic == topic] == [
            (row["doc"], row["start"], row["end"], row["score"]) for row in ranked
        ]


def test_a_character_written_as_two_halves_is_one(tmp_path: Path) -> None:
    (result,) = run_of('{"topic": 1, "doc": "\\ud83d\\ude00", "start": 0, "end": 1}', tmp_path)
    assert result.doc == "😀"


WORDS = ["1", "a b", "é", "/a[1]", "{", "\\", '"', " ", "", "\ud800"]
NAMES: Values = st.sampled_from([*WORDS, 7, 10**400, 1.5, True, None, [], {}])
WHOLE: Values = st.sampled_from([0, 1, 5, 2**53, 2**53 + 1, -1, 1.0, "3", True, None])
NUMBERS = [1, 0.25, -3.5, float("nan"), float("inf"), 10**400, 2**60 + 1]
SCORES: Values = st.sampled_from([*NUMBERS, "1", True, None, []])
FIELDS = {
    **dict.fromkeys(("topic", "doc", "path", "until"), NAMES),
    **dict.fromkeys(("start", "end"), WHOLE),
    "score": SCORES,
}
GOOD: dict[str, list[Any]] = {
    "topic": ["1", "2"],
    "doc": ["a", "é", "b c"],
    "path": ["/a[1]", "/a[2]"],
    "score": [1, 0.5, None],
}
BROKEN = ["", "# x", "{}", "{", "}", "[", "]", '{"a": [', "]}", '{"a": "', '"}', ",", "{},{}", '{"a":[{}']
SPANS = st.tuples(st.integers(0, 9), st.integers(0, 9)).map(lambda ab: {"start": min(ab), "end": max(ab)})


def plain_row(keys: set[str]) -> st.SearchStrategy[dict[str, Any]]:
    fields = st.fixed_dictionaries({key: st.sampled_from(GOOD[key]) for key in GOOD if key in keys})
    spans = SPANS if "span" in keys else st.just({})
    return st.tuples(fields, spans).map(lambda drawn: {**drawn[0], **drawn[1]})


@given(
    st.sampled_from([{"path"}, {"span"}, {"path", "span"}]).flatmap(
        lambda places: st.lists(plain_row({"topic", "doc", "score", *places}), min_size=1, max_size=8)
    ),
    st.sampled_from(["", "\n"]),
)
@examples(40)
def test_plain_rows_are_read_at_once(rows: list[dict[str, Any]], end: str) -> None:
    assert read_both_ways("\n".join(json.dumps(row) for row in rows) + end) is not None


@given(
    st.lists(
        st.one_of(
            plain_row({"topic", "doc", "span"}).map(json.dumps),
            st.tuples(
                plain_row({"topic", "doc", "path"}),
                st.sampled_from(sorted(FIELDS)).flatmap(lambda key: st.tuples(st.just(key), FIELDS[key])),
            ).map(lambda drawn: json.dumps(drawn[0] | dict([drawn[1]]))),
            st.fixed_dictionaries({}, optional=FIELDS).map(json.dumps),
            st.sampled_from(
                [
                    "",
                    "# x",
                    "{}",
                    "{",
                    "}",
                    "[",
                    "]",
                    '{"a": [',
                    "]}",
                    '{"a": "',
                    '"}',
                    ",",
                    "{},{}",
                    '{"a":[{}',
                ]
            ),
        ),
        max_size=5,
    ),
    st.sampled_from(["\n", "\r\n", " \n", ",\n"]),
)
@examples(150)
def test_odd_rows_are_left_to_the_reader_that_explains(lines: list[str], end: str) -> None:
    read_both_ways("".join(line + end for line in lines))


def read_both_ways(content: str) -> Run | None:
    """Read a run at once: None where that gives up, else it is what reading row by row gives."""
    source = Source("run.jsonl", content.encode(), is_xml=False)
    run = jsonl_columns.read_columns(source)
    if run is not None:
        assert_same_run(run, jsonl._read_slowly(source))
    return run


def test_many_rows_are_read_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonl_columns, "_AT_ONCE", 3)
    rows = [{"topic": str(k % 2), "doc": f"d{k}", "start": k, "end": 2 * k} for k in range(10)]
    assert read_both_ways("\n".join(map(json.dumps, rows))) is not None
