"""The qrels of INEX 2008-2010."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.errors import InputError, UnknownNameError
from inexlab.files import Source
from inexlab.judgements import Judgement, Judgements, JudgementsBuilder, read_judgements
from inexlab.judgements.read import Selection, judgement_formats
from inexlab.spans import Span, length, union


def judgements_of(content: str | bytes, folder: Path, input_format: str | None = None) -> Judgements:
    file = folder / "inex.qrels"
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_judgements(file, input_format)


def test_passages_may_follow_without_a_best_entry_point(tmp_path: Path) -> None:
    file = tmp_path / "nobep.qrels"
    file.write_text("1 Q0 d 5 9 2:3 7:2\n1 Q0 e 3 9 0:3\n")
    assert [(row.spans, row.bep) for row in read_judgements(file)] == [
        (((2, 5), (7, 9)), None),
        (((0, 3),), None),
    ]


def test_relevant_and_not_relevant_documents(tmp_path: Path) -> None:
    judgements = judgements_of("2009001 Q0 7 12 90 5 5:10 20:2\n2009001 Q0 8 0 400\n", tmp_path)
    assert list(judgements) == [
        Judgement("2009001", "7", (Span(5, 15), Span(20, 22)), 90, 5),
        Judgement("2009001", "8", (), 400, None),
    ]
    assert judgements.file == str(tmp_path / "inex.qrels")
    assert judgements.warnings == ()
    assert judgements.relevant.tolist() == [12, 0]
    assert judgements.stated.tolist() == [12, 0]


@pytest.mark.parametrize(
    ("rsize", "lengths"),
    [
        (4213, [4213]),
        (24903, [542, 1871, 2506, 19984]),
        (23232, [2085, 21147]),
        (16901, [2150, 14751]),
        (22899, [11553, 11346]),
    ],
)
def test_the_published_lines_add_up(rsize: int, lengths: list[int], tmp_path: Path) -> None:
    """Cherukuri (2010), Table 3: the lengths are published, the gaps of 25 characters are ours."""
    offset, passages = 144, []
    for size in lengths:
        passages.append(f"{offset}:{size}")
        offset += size + 25
    judgements = judgements_of(f"2009006 Q0 3260094 {rsize} {offset} 144 {' '.join(passages)}\n", tmp_path)
    assert judgements.relevant.tolist() == [rsize]
    assert len(judgements.span_start) == len(lengths)
    assert judgements.warnings == ()


def test_topics_come_in_the_order_of_their_numbers_and_documents_in_file_order(tmp_path: Path) -> None:
    judgements = judgements_of("9 Q0 b 0 1\n10 Q0 z 0 1\n9 Q0 a 0 1\n10 Q0 b 1 2 0 0:1\n", tmp_path)
    assert [(j.topic, j.doc) for j in judgements] == [("9", "b"), ("9", "a"), ("10", "z"), ("10", "b")]
    assert list(judgements.topics) == ["9", "10"]
    assert judgements.rows_from.tolist() == [0, 2, 4]
    assert repr(judgements) == "Judgements(2 topics, 4 documents, 1 highlights)"


def test_sizes_of_documents_are_known_across_topics(tmp_path: Path) -> None:
    judgements = judgements_of("1 Q0 a 0 100\n2 Q0 b 1 200 0 0:1\n", tmp_path)
    assert [judgements.size_of(doc) for doc in ("a", "b", "c")] == [100, 200, None]


PLAIN = "1 Q0 d 3 9 2 2:3\n1 Q0 é 0 7\n"


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(PLAIN.encode(), id="plain"),
        pytest.param(PLAIN.replace("\n", "\r\n").encode(), id="CRLF"),
        pytest.param(PLAIN.replace(" ", "\t").encode(), id="tabs"),
        pytest.param(PLAIN.replace(" ", "  \t ").encode(), id="several spaces"),
        pytest.param(PLAIN.replace("\n", " \n").encode(), id="trailing spaces"),
        pytest.param(PLAIN.rstrip().encode(), id="no final newline"),
        pytest.param(f"\n# head\n{PLAIN}\n# foot\n".encode(), id="blank lines and comments"),
        pytest.param(PLAIN.encode("utf-8-sig"), id="byte-order mark"),
        pytest.param(PLAIN.encode("utf-16"), id="UTF-16"),
        pytest.param(gzip.compress(PLAIN.encode()), id="gzip"),
        pytest.param(PLAIN.replace("2:3", "2:1 3:2").encode(), id="touching passages"),
        pytest.param(PLAIN.replace("2:3", "4:1 2:2").encode(), id="passages out of order"),
    ],
)
def test_the_look_of_a_file_does_not_matter(content: bytes, tmp_path: Path) -> None:
    judgements = judgements_of(content, tmp_path)
    assert list(judgements) == [Judgement("1", "d", (Span(2, 5),), 9, 2), Judgement("1", "é", (), 7, None)]
    assert judgements.warnings == ()


def test_overlapping_highlights_count_once_with_a_warning(tmp_path: Path) -> None:
    judgements = judgements_of("1 Q0 d 8 20 0 0:5 3:5\n2 Q0 d 4 20 0 0:4 1:2\n2 Q0 e 1 20 0 0:1\n", tmp_path)
    assert [j.spans for j in judgements] == [(Span(0, 8),), (Span(0, 4),), (Span(0, 1),)]
    assert judgements.relevant.tolist() == [8, 4, 1]
    assert judgements.warnings == (
        "2 judged documents with overlapping highlights, each character counted once",
    )


def test_an_rsize_that_does_not_add_up_is_kept_but_does_not_count(tmp_path: Path) -> None:
    judgements = judgements_of("1 Q0 d 9 20 0 0:5\n1 Q0 e 0 20 0 0:5\n1 Q0 f 5 20 0 0:5\n", tmp_path)
    assert judgements.relevant.tolist() == [5, 5, 5]
    assert judgements.stated.tolist() == [9, 0, 5]
    (warning,) = judgements.warnings
    assert warning.startswith("2 judged documents whose highlights do not add up to the stated amount")


def test_highlights_beyond_the_end_of_the_document_count_as_stated(tmp_path: Path) -> None:
    judgements = judgements_of("1 Q0 d 5 20 16 16:5\n1 Q0 e 5 20 15 15:5\n", tmp_path)
    assert judgements.relevant.tolist() == [5, 5]
    (warning,) = judgements.warnings
    assert warning.startswith("1 judged document with highlights beyond the stated end")


def test_an_empty_passage_highlights_nothing(tmp_path: Path) -> None:
    (judgement,) = judgements_of("1 Q0 d 0 20 7 7:0\n", tmp_path)
    assert judgement == Judgement("1", "d", (), 20, 7)


# (bad line, problem, way out)
MISTAKES = {
    "four columns": (
        "1 Q0 d 0",
        "4 columns, expected 5 (not relevant) or at least 7",
        "Columns are: topic Q0 doc",
    ),
    "six columns": ("1 Q0 d 3 9 2", "6 columns, expected 5", "Columns are: topic Q0 doc"),
    "rsize without passages": (
        "1 Q0 d 3 9",
        "rsize is 3 but no passages follow",
        "Add bep and offset:length",
    ),
    "rsize no number": ("1 Q0 d x 9", "rsize 'x' is not a whole number", "Columns are: topic Q0 doc"),
    "rsize negative": ("1 Q0 d -3 9", "rsize '-3' is not a whole number", ""),
    "docsize no number": ("1 Q0 d 0 9.5", "docsize '9.5' is not a whole number", ""),
    "bep no number": ("1 Q0 d 3 9 X 2:3", "best entry point 'X' is not a whole number", ""),
    "bep negative": ("1 Q0 d 3 9 -1 2:3", "best entry point '-1' is not a whole number", ""),
    "passage without colon": (
        "1 Q0 d 3 9 2 2-3",
        "passage '2-3' is not offset:length",
        "Columns are: topic Q0 doc",
    ),
    "offset no number": ("1 Q0 d 3 9 2 a:3", "offset 'a' is not a whole number", ""),
    "offset negative": ("1 Q0 d 3 9 2 -2:3", "offset '-2' is not a whole number", ""),
    "length no number": ("1 Q0 d 3 9 2 2:", "length '' is not a whole number", ""),
    "length negative": ("1 Q0 d 3 9 2 2:-3", "length '-3' is not a whole number", ""),
    "length enormous": ("1 Q0 d 3 9 2 2:" + "9" * 5000, "is not a whole number", ""),
    "judged twice": ("1 Q0 g 0 9", "document g is judged a second time for topic 1", "Keep one line."),
}


@pytest.mark.parametrize(("bad", "problem", "fix"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_named_with_file_and_line(bad: str, problem: str, fix: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        judgements_of(f"# head\n1 Q0 g 3 9 2 2:3\n\n{bad}\n", tmp_path)
    assert str(caught.value).startswith(f"{tmp_path / 'inex.qrels'}, line 4: ")
    assert problem in caught.value.problem
    assert caught.value.fix.startswith(fix)


def test_one_document_may_be_judged_for_two_topics(tmp_path: Path) -> None:
    assert len(judgements_of("1 Q0 d 0 9\n2 Q0 d 0 9\n", tmp_path)) == 2


def test_invalid_utf8(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        judgements_of(b"1 Q0 d 0 9\n1 Q0 caf\xe9 0 9\n", tmp_path)
    assert caught.value.line == 2
    assert caught.value.problem.startswith("is not UTF-8")
    assert caught.value.fix == "Convert the file."


@pytest.mark.parametrize(
    "content",
    ["1 Q0 d 0\n", "1 Q0 d -1 9\n", "1 Q0 d 1 0.5 r 3 4\n", "hello\n", "# only\n", "<assessments/>", "[]"],
)
def test_what_is_no_judgements_is_answered_with_the_known_formats(content: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        judgements_of(content, tmp_path)
    assert caught.value.problem == "is not judgements in a known format"
    assert all(name in caught.value.fix for name in judgement_formats)
    assert "topic Q0 doc rsize docsize" in caught.value.fix


def test_a_forced_format_explains_itself(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"line 1: 4 columns, expected 5"):
        judgements_of("1 Q0 d 0\n", tmp_path, "qrels")
    with pytest.raises(InputError, match=r"holds no judgements\. The file may be truncated"):
        judgements_of("# only\n", tmp_path, "qrels")
    with pytest.raises(UnknownNameError, match=r"unknown judgement format 'qrel'; did you mean 'qrels'\?"):
        judgements_of(PLAIN, tmp_path, "qrel")
    assert len(judgements_of(PLAIN, tmp_path, "qrels")) == 2


passages = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 20)), min_size=1, max_size=6)


@given(st.dictionaries(st.tuples(st.sampled_from("123"), st.sampled_from("abc")), passages, min_size=1))
def test_highlights_are_the_union_of_the_passages(
    written: dict[tuple[str, str], list[tuple[int, int]]],
) -> None:
    lines = [
        f"{topic} Q0 {doc} 7 100 0 " + " ".join(f"{offset}:{size}" for offset, size in rows)
        for (topic, doc), rows in written.items()
    ]
    builder = JudgementsBuilder()
    judgement_formats["qrels"].read(
        Source("q", "\n".join(lines).encode(), is_xml=False), builder, Selection()
    )
    judgements = builder.build()
    spans = {key: [(offset, offset + size) for offset, size in rows] for key, rows in written.items()}
    assert {(j.topic, j.doc): list(j.spans) for j in judgements} == {k: union(v) for k, v in spans.items()}
    assert judgements.relevant.tolist() == [length(spans[j.topic, j.doc]) for j in judgements]
    overlapping = sum(sum(size for _, size in rows) > length(spans[key]) for key, rows in written.items())
    assert any(w.startswith(f"{overlapping} ") and "overlapping" in w for w in judgements.warnings) == (
        overlapping > 0
    )


def test_the_builder_says_whether_a_document_is_new() -> None:
    builder = JudgementsBuilder()
    assert builder.add("1", "d", [(0, 3)])
    assert builder.add("2", "d")
    assert not builder.add("1", "d")


# A folder of files.


def test_a_folder_stands_for_all_files_in_it_and_below(tmp_path: Path) -> None:
    (tmp_path / "deeper").mkdir()
    (tmp_path / "1.qrels").write_text("1 Q0 d 3 9 2 2:3\n")
    (tmp_path / "deeper" / "2.jsonl").write_text('{"topic": 2, "doc": "d", "spans": [[0, 4]]}\n')
    (tmp_path / "3.qrels.gz").write_bytes(gzip.compress(b"1 Q0 e 0 7\n"))
    (tmp_path / ".DS_Store").write_bytes(bytes(20))
    judgements = read_judgements(tmp_path)
    assert list(judgements) == [
        Judgement("1", "d", (Span(2, 5),), 9, 2),
        Judgement("1", "e", (), 7, None),
        Judgement("2", "d", (Span(0, 4),), None, None),
    ]
    assert judgements.file == str(tmp_path)


def test_a_document_judged_in_two_files_of_a_folder_is_judged_twice(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1 Q0 d 0 9\n")
    (tmp_path / "b").write_text("2 Q0 d 0 9\n1 Q0 d 0 9\n")
    with pytest.raises(InputError) as caught:
        read_judgements(tmp_path)
    assert (caught.value.file, caught.value.line) == (str(tmp_path / "b"), 2)
    assert caught.value.problem == "document d is judged a second time for topic 1"


def test_a_stranger_in_a_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1 Q0 d 0 9\n")
    (tmp_path / "readme").write_text("# About\n\nthese judgements\n")
    with pytest.raises(InputError) as caught:
        read_judgements(tmp_path)
    assert (caught.value.file, caught.value.line) == (str(tmp_path / "readme"), 3)
    assert caught.value.problem == "is not judgements in a known format"


def test_several_files_are_read_into_one_table(tmp_path: Path) -> None:
    for topic in "12":
        (tmp_path / topic).write_text(f"{topic} Q0 d 0 9\n")
    assert list(read_judgements([tmp_path / "2", tmp_path / "1"]).topics) == ["1", "2"]


def test_pools_cannot_be_chosen_where_there_are_none(tmp_path: Path) -> None:
    file = tmp_path / "x.qrels"
    file.write_text("1 Q0 A 0 10\n")
    with pytest.raises(InputError, match=r"x\.qrels: has no pools to choose from.*`pool=`"):
        read_judgements(file, pools=["3"])


def test_topics_are_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    file = tmp_path / "qrels"
    file.write_text("q10 Q0 d 0 9\nq2 Q0 d 5 9 0 0:5\nq1 Q0 d 0 9\n")
    judgements = read_judgements(file)
    assert list(judgements.topics) == ["q1", "q2", "q10"]
    assert [(judged.topic, judged.spans) for judged in judgements] == [
        ("q1", ()),
        ("q2", ((0, 5),)),
        ("q10", ()),
    ]
