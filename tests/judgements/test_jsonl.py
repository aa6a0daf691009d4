"""JSON Lines judgements."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.errors import InputError
from inexlab.files import Source
from inexlab.judgements import Judgement, Judgements, JudgementsBuilder, read_judgements
from inexlab.judgements.assessor import Assessor
from inexlab.judgements.read import Selection, judgement_formats
from inexlab.spans import Span


def judgements_of(content: str | bytes, folder: Path, input_format: str | None = None) -> Judgements:
    file = folder / "judgements.jsonl"
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_judgements(file, input_format)


def table_of(name: str, content: str) -> Judgements:
    builder = JudgementsBuilder()
    judgement_formats[name].read(Source(name, content.encode(), is_xml=False), builder, Selection())
    return builder.build()


ROW = '{"topic": "t", "doc": "d", "spans": [[2, 5], [7, 9]], "bep": 2, "size": 40}\n'


def test_a_full_row(tmp_path: Path) -> None:
    assessor = {"kind": "person", "name": "A. N. Other", "version": "1"}
    row = {"topic": 1, "doc": "d", "spans": [[2, 5], [7, 9]], "bep": 2, "size": 40, "assessor": assessor}
    judgements = judgements_of(json.dumps(row), tmp_path)
    by = Assessor("person", "A. N. Other", "1")
    assert list(judgements) == [Judgement("1", "d", (Span(2, 5), Span(7, 9)), 40, 2, by)]
    assert judgements.relevant.tolist() == [5]
    assert judgements.stated.tolist() == [5]
    assert judgements.warnings == ()
    assert judgements.file == str(tmp_path / "judgements.jsonl")


@pytest.mark.parametrize("rest", ["", ', "bep": null, "size": null'])
def test_judged_nothing_relevant_and_nothing_else_known(rest: str, tmp_path: Path) -> None:
    judgements = judgements_of(f'{{"topic": "t", "doc": "d", "spans": []{rest}}}', tmp_path)
    assert list(judgements) == [Judgement("t", "d", (), None, None)]
    assert judgements.size_of("d") is None


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(ROW.replace("\n", "\r\n").encode(), id="CRLF"),
        pytest.param(ROW.rstrip().encode(), id="no final newline"),
        pytest.param(f"\n{ROW}\n# done\n".encode(), id="blank lines and a comment"),
        pytest.param(f"# made by\n\n# hand\n{ROW}".encode(), id="comments before"),
        pytest.param(ROW.encode("utf-8-sig"), id="byte-order mark"),
        pytest.param(ROW.encode("utf-16"), id="UTF-16"),
        pytest.param(gzip.compress(ROW.encode()), id="gzip"),
    ],
)
def test_the_look_of_a_file_does_not_matter(content: bytes, tmp_path: Path) -> None:
    assert list(judgements_of(content, tmp_path)) == [Judgement("t", "d", (Span(2, 5), Span(7, 9)), 40, 2)]


def test_overlapping_highlights_count_once_with_a_warning(tmp_path: Path) -> None:
    judgements = judgements_of('{"topic": 1, "doc": "d", "spans": [[4, 9], [0, 5]]}', tmp_path)
    assert [j.spans for j in judgements] == [(Span(0, 9),)]
    assert judgements.warnings == (
        "1 judged document with overlapping highlights, each character counted once",
    )


def test_touching_highlights_become_one_without_a_warning(tmp_path: Path) -> None:
    judgements = judgements_of('{"topic": 1, "doc": "d", "spans": [[4, 9], [0, 4], [9, 9]]}', tmp_path)
    assert [j.spans for j in judgements] == [(Span(0, 9),)]
    assert judgements.warnings == ()


def test_highlights_beyond_the_end_of_the_document_are_warned_about(tmp_path: Path) -> None:
    judgements = judgements_of('{"topic": 1, "doc": "d", "spans": [[0, 41]], "size": 40}', tmp_path)
    assert judgements.relevant.tolist() == [41]
    (warning,) = judgements.warnings
    assert warning.startswith("1 judged document with highlights beyond the stated end")


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        ('{"doc": "e", "spans": []}', "'topic' is missing. Found: doc, spans."),
        ('{"topic": 1, "spans": []}', "'doc' is missing. Found: topic, spans."),
        ('{"topic": 1, "doc": "e"}', "'spans' is missing or not a list. [] means judged, nothing relevant."),
        ('{"topic": 1, "doc": "e", "spans": "0:5"}', "'spans' is missing or not a list."),
        ('{"topic": 1, "doc": "e", "spans": [[-1, 3]]}', "[-1, 3] is not a span. A span is [start, end]"),
        ('{"topic": 1, "doc": "e", "spans": [[3, 1]]}', "[3, 1] is not a span. A span is [start, end]"),
        ('{"topic": 1, "doc": "e", "spans": [[1, 2, 3]]}', "[1, 2, 3] is not a span. A span is [start, end]"),
        ('{"topic": 1, "doc": "e", "spans": [[0, 1.5]]}', "[0, 1.5] is not a span. A span is [start, end]"),
        (
            '{"topic": 1, "doc": "e", "spans": [["0", "5"]]}',
            "['0', '5'] is not a span. A span is [start, end]",
        ),
        (
            '{"topic": 1, "doc": "e", "spans": [[false, true]]}',
            "[False, True] is not a span. A span is [start, end]",
        ),
        ('{"topic": 1, "doc": "e", "spans": [5]}', "5 is not a span. A span is [start, end]"),
        (f'{{"topic": 1, "doc": "e", "spans": [[0, {2**60}]]}}', f"[0, {2**60}] is not a span."),
        (
            '{"topic": 1, "doc": "e", "spans": [], "size": "x"}',
            "'size' is 'x', expected a whole number of characters.",
        ),
        (
            '{"topic": 1, "doc": "e", "spans": [], "bep": 1.5}',
            "'bep' is '1.5', expected a whole number of characters.",
        ),
        (
            '{"topic": 1, "doc": "e", "spans": [], "bep": -1}',
            "'bep' is '-1', expected a whole number of characters.",
        ),
        (
            '{"topic": 1, "doc": "e", "spans": [], "size": -9}',
            "'size' is '-9', expected a whole number of characters.",
        ),
        (
            '{"topic": 1, "doc": "e", "spans": [], "size": true}',
            "'size' is 'True', expected a whole number of",
        ),
        (f'{{"topic": 1, "doc": "e", "spans": [], "bep": {2**60}}}', f"'bep' is '{2**60}', expected a whole"),
        (f'{{"topic": 1, "doc": "e", "spans": [[0, {"9" * 5000}]]}}', "is not JSON ("),
        (
            '{"topic": 1, "doc": "\\ud800", "spans": []}',
            "'doc' is '\\ud800', which contains a lone surrogate.",
        ),
        (
            '{"topic": "t", "doc": "d", "spans": []}',
            "document d is judged a second time for topic t. Keep one line.",
        ),
        ('{"topic": 1, "doc":', "is not JSON (Expecting value). One object per line."),
        ("1 Q0 d 0 9", "is not JSON (Extra data). One object per line."),
        ("[]", "is not a JSON object. One object per line."),
    ],
)
def test_a_mistake_is_named_with_file_and_line(bad: str, problem: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        judgements_of(f"{ROW}\n{bad}\n", tmp_path)
    assert str(caught.value).startswith(f"{tmp_path / 'judgements.jsonl'}, line 3: {problem}")


def test_invalid_utf8(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"judgements\.jsonl, line 2: is not JSON \(invalid continuation byte\)"
    ):
        judgements_of(ROW.encode() + ROW.replace('"d"', '"d\xe9"').encode("latin-1"), tmp_path)


def test_a_file_of_comments_holds_no_judgements(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"holds no judgements\. The file may be truncated"):
        judgements_of("# nothing\n", tmp_path, "jsonl")


highlights = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 20)), min_size=1, max_size=5)


@given(st.dictionaries(st.tuples(st.sampled_from("123"), st.sampled_from("abc")), highlights, min_size=1))
def test_both_formats_say_the_same(written: dict[tuple[str, str], list[tuple[int, int]]]) -> None:
    """The same highlights as JSON Lines and as qrels give the same table."""
    rows = [(topic, doc, passages) for (topic, doc), passages in written.items()]
    as_json = "\n".join(
        json.dumps({"topic": t, "doc": d, "spans": [[o, o + n] for o, n in p], "bep": p[0][0], "size": 99})
        for t, d, p in rows
    )
    as_qrels = "\n".join(
        f"{t} Q0 {d} 1 99 {p[0][0]} " + " ".join(f"{o}:{n}" for o, n in p) for t, d, p in rows
    )
    one, other = table_of("jsonl", as_json), table_of("qrels", as_qrels)
    assert list(one) == list(other)
    assert one.relevant.tolist() == other.relevant.tolist()
