"""Text runs in every layout, by the plain reader and the compiled one."""

from __future__ import annotations

import gzip
import math
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from inexlab.errors import InputError, UnknownNameError
from inexlab.files import Source
from inexlab.runs import Result, Run, read_run
from inexlab.runs.read import run_formats
from tests.examples import examples


@pytest.fixture(
    params=["never", pytest.param("always", marks=pytest.mark.compiled)], ids=["plain", "compiled"]
)
def folder(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A place for a file, which is then read both ways."""
    monkeypatch.setenv("INEXLAB_COMPILED", request.param)
    return tmp_path


def run_of(content: str | bytes, folder: Path) -> Run:
    file = folder / "run.txt"
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_run(file)


def element(topic: str, rank: int, doc: str, score: float, path: str) -> Result:
    return Result(topic, rank, doc, score, None, None, path, None)


def passage(topic: str, rank: int, doc: str, score: float, start: int | None, end: int | None) -> Result:
    return Result(topic, rank, doc, score, start, end, None, None)


def test_six_columns_are_whole_documents(folder: Path) -> None:
    run = run_of("1 Q0 d7 1 2.5 trec\n1 Q0 d8 2 2.25 trec\n2 Q0 d7 1 9 trec\n", folder)
    assert run.id == "trec"
    assert run.file == str(folder / "run.txt")
    assert run.about == {"columns": "6"}
    assert list(run) == [
        element("1", 1, "d7", 2.5, "/"),
        element("1", 2, "d8", 2.25, "/"),
        element("2", 1, "d7", 9.0, "/"),
    ]


def test_seven_columns_with_a_path_are_elements(folder: Path) -> None:
    """The layout of INEX 2009-2010."""
    run = run_of("2009901 Q0 3260094 1 1500 myrun /article[1]/bdy[1]/p[2]\n", folder)
    assert list(run) == [element("2009901", 1, "3260094", 1500.0, "/article[1]/bdy[1]/p[2]")]


def test_seven_columns_with_an_offset_are_entry_points(folder: Path) -> None:
    assert list(run_of("1 Q0 d 1 0.5 bep 144\n", folder)) == [passage("1", 1, "d", 0.5, 144, 144)]


def test_seven_columns_may_mix_paths_and_offsets(folder: Path) -> None:
    run = run_of("1 Q0 d 1 3 r /a[1]\n1 Q0 d 2 2 r 7\n1 Q0 e 3 1 r /a[1]\n", folder)
    assert list(run) == [
        element("1", 1, "d", 3.0, "/a[1]"),
        passage("1", 2, "d", 2.0, 7, 7),
        element("1", 3, "e", 1.0, "/a[1]"),
    ]
    assert list(run.paths) == ["/a[1]"]
    assert run.about == {"columns": "7"}


def test_eight_columns_are_passages(folder: Path) -> None:
    run = run_of("2009901 Q0 3260094 1 1500 myrun 144 4213\n", folder)
    assert list(run) == [passage("2009901", 1, "3260094", 1500.0, 144, 4357)]
    assert run.about == {"columns": "8"}


@pytest.mark.parametrize("mark", ["X", "-1"])
@pytest.mark.parametrize("length", ["", " 0", " 18", " X", " -1"])
def test_results_that_were_not_located(mark: str, length: str, folder: Path) -> None:
    run = run_of(f"1 Q0 d 1 2 r {mark}{length}\n1 Q0 d 2 1 r 5{' 6' if length else ''}\n", folder)
    assert list(run) == [
        passage("1", 1, "d", 2.0, None, None),
        passage("1", 2, "d", 1.0, 5, 11 if length else 5),
    ]


def test_the_order_of_lines_is_the_ranking(folder: Path) -> None:
    """Rank and score columns are unreliable; topics may be interleaved."""
    run = run_of("2 Q0 a 9 0.1 r 0 1\n1 Q0 b 0 0.5 r 0 1\n2 Q0 c 1 0.9 r 0 1\n", folder)
    assert [(r.topic, r.rank, r.doc) for r in run] == [("2", 1, "a"), ("1", 1, "b"), ("2", 2, "c")]
    assert list(run.topics) == ["2", "1"]


PLAIN = "1 Q0 d 1 0.5 r 3 4\n1 Q0 é 2 0.25 r 9 1\n"


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(PLAIN.encode(), id="plain"),
        pytest.param(PLAIN.replace("\n", "\r\n").encode(), id="CRLF"),
        pytest.param(PLAIN.replace(" ", "\t").encode(), id="tabs"),
        pytest.param(PLAIN.replace(" ", "  \t ").encode(), id="several spaces"),
        pytest.param(PLAIN.replace("\n", " \n ").rstrip(" ").encode(), id="spaces around lines"),
        pytest.param(PLAIN.rstrip().encode(), id="no final newline"),
        pytest.param(PLAIN.replace("\n", "\n\n").encode(), id="blank lines"),
        pytest.param(f"\n\n{PLAIN}\n \n".encode(), id="blank lines at both ends"),
        pytest.param(("# made by hand\n" + PLAIN.replace("\n", "\n# x y\n")).encode(), id="comments"),
        pytest.param(("  #indented\n" + PLAIN).encode(), id="indented comment"),
        pytest.param(PLAIN.encode("utf-8-sig"), id="byte-order mark"),
        pytest.param(PLAIN.encode("utf-16"), id="UTF-16"),
        pytest.param(gzip.compress(PLAIN.encode()), id="gzip"),
        pytest.param(
            gzip.compress(PLAIN.replace("\n", "\r\n").encode("utf-8-sig")), id="gzip, mark and CRLF"
        ),
    ],
)
def test_the_look_of_a_file_does_not_matter(content: bytes, folder: Path) -> None:
    assert list(run_of(content, folder)) == [
        passage("1", 1, "d", 0.5, 3, 7),
        passage("1", 2, "é", 0.25, 9, 10),
    ]


def test_a_result_can_be_commented_out(folder: Path) -> None:
    run = run_of("1 Q0 d 1 1 r 0 1\n#1 Q0 e 2 1 r 0 1\n1 Q0 f 3 1 r 0 1\n", folder)
    assert [(r.rank, r.doc) for r in run] == [(1, "d"), (2, "f")]


def test_a_hash_inside_a_line_is_no_comment(folder: Path) -> None:
    assert [r.doc for r in run_of("1 Q0 #d 1 1 r#1 0 1\n", folder)] == ["#d"]


@pytest.mark.parametrize(
    "score",
    [
        "0",
        "-0.0",
        "1e-3",
        "1E5",
        "+2.5",
        ".5",
        "5.",
        "-.25",
        "inf",
        "-inf",
        "0.12345678901234567",
        "123456789012345",
        "1234567890123456",
        "99999999999999999999",
        "0.1",
        "0.3",
        "2.675",
        "1e400",
        "4.9e-324",
        "000000000000000001.5",
        "0." + "0" * 500 + "5",
        "1" * 1000 + "e-1000",
    ],
)
def test_scores_are_read_to_the_last_digit(score: str, folder: Path) -> None:
    (result,) = run_of(f"1 Q0 d 1 {score} r 0 1\n", folder)
    assert repr(result.score) == repr(float(score))  # repr tells -0.0 from 0.0


def test_a_score_may_be_nan(folder: Path) -> None:
    (result,) = run_of("1 Q0 d 1 nan r 0 1\n", folder)
    assert math.isnan(result.score)


@pytest.mark.parametrize("number", ["0", "007", "999999999999999", "9007199254740992", "0" * 40 + "5"])
def test_offsets_are_read_to_the_last_digit(number: str, folder: Path) -> None:
    (result,) = run_of(f"1 Q0 d 1 1 r {number} 1\n", folder)
    assert (result.start, result.end) == (int(number), int(number) + 1)


# (bad line, what the message says, how the message ends)
MISTAKES = {
    "too few columns": ("1 Q0 d 1 1 r 5", "7 columns, expected 8", "Columns are: topic Q0 doc"),
    "too many columns": ("1 Q0 d 1 1 r 5 6 7", "9 columns, expected 8", "Columns are: topic Q0 doc"),
    "one column": ("oops", "1 column, expected 8", "Columns are: topic Q0 doc"),
    "second run id": (
        "1 Q0 d 1 1 other 5 6",
        "run id 'other' after 'r'",
        "One file holds one run: split it.",
    ),
    "offset no number": ("1 Q0 d 1 1 r five 6", "offset 'five' is not a whole number", "Columns 7 and 8 are"),
    "offset a path": ("1 Q0 d 1 1 r /a[1] 6", "offset '/a[1]' is not a whole number", "Columns 7 and 8 are"),
    "offset a fraction": ("1 Q0 d 1 1 r 5.0 6", "offset '5.0' is not a whole number", "Columns 7 and 8 are"),
    "offset with sign": ("1 Q0 d 1 1 r +5 6", "offset '+5' is not a whole number", "Columns 7 and 8 are"),
    "offset negative": ("1 Q0 d 1 1 r -5 6", "offset '-5' is negative", "Columns 7 and 8 are"),
    "offset enormous": (
        "1 Q0 d 1 1 r 9007199254740993 6",
        "offset '9007199254740993'",
        "Columns 7 and 8 are",
    ),
    "offset of 5,000 digits": (
        f"1 Q0 d 1 1 r {'9' * 5000} 6",
        "is not a whole number",
        "Columns 7 and 8 are",
    ),
    "length of 5,000 digits": (
        f"1 Q0 d 1 1 r 5 {'9' * 5000}",
        "is not a whole number",
        "Columns 7 and 8 are",
    ),
    "length no number": ("1 Q0 d 1 1 r 5 six", "length 'six' is not a whole number", "Columns 7 and 8 are"),
    "length negative": ("1 Q0 d 1 1 r 5 -6", "length '-6' is negative", "Columns 7 and 8 are"),
    "length unlocated": ("1 Q0 d 1 1 r 5 X", "length 'X' is not a whole number", "Columns 7 and 8 are"),
    "length minus one": ("1 Q0 d 1 1 r 5 -1", "length '-1' is negative", "Columns 7 and 8 are"),
    "score no number": ("1 Q0 d 1 high r 5 6", "score 'high' in column 5 is not a number", ""),
    "score two points": ("1 Q0 d 1 1.2.3 r 5 6", "score '1.2.3' in column 5 is not a number", ""),
    "score a sign": ("1 Q0 d 1 - r 5 6", "score '-' in column 5 is not a number", ""),
    "score underlined": ("1 Q0 d 1 1_0 r 5 6", "score '1_0' in column 5 is not a number", ""),
}


@pytest.mark.parametrize(("bad", "problem", "fix"), MISTAKES.values(), ids=MISTAKES)
@pytest.mark.parametrize("before", [1, 3])
def test_a_mistake_is_named_with_file_and_line(
    bad: str, problem: str, fix: str, before: int, folder: Path
) -> None:
    good = "1 Q0 d 1 1 r 5 6\n" * before
    with pytest.raises(InputError) as caught:
        run_of(f"# a comment\n{good}\n{bad}\n1 Q0 d 1 1 r 5 6\n", folder)
    assert str(caught.value).startswith(f"{folder / 'run.txt'}, line {before + 3}: ")
    assert problem in caught.value.problem
    assert caught.value.fix.startswith(fix)


def test_column_seven_that_is_neither_path_nor_offset(folder: Path) -> None:
    with pytest.raises(InputError) as caught:
        run_of("1 Q0 d 1 1 r article[1]\n", folder)
    assert str(caught.value) == (
        f"{folder / 'run.txt'}, line 1: offset 'article[1]' is not a whole number. "
        "Column 7 is an XPath (/article[1]/…) or an offset in characters."
    )


@pytest.mark.parametrize(
    "bad",
    [
        *("1 Q0 d\xe9 1 1 r 5 6", "\xe9 Q0 d 1 1 r 5 6", "1 Q0 d 1 1 r\xe9 5 6", "1 Q\xe9 d 1 1 r 5 6"),
        "# caf\xe9",
    ],
    ids=["document", "topic", "run id", "second column", "comment"],
)
def test_invalid_utf8_is_named_with_its_line(bad: str, folder: Path) -> None:
    with pytest.raises(InputError) as caught:
        run_of(b"1 Q0 d 1 1 r 5 6\n" + bad.encode("latin-1") + b"\n", folder)
    assert caught.value.line == 2
    assert caught.value.problem.startswith("is not UTF-8")
    assert caught.value.fix == "Convert the file, for example with iconv."


def test_invalid_utf8_in_a_path(folder: Path) -> None:
    with pytest.raises(InputError, match=r"line 1: is not UTF-8"):
        run_of(b"1 Q0 d 1 1 r /a\xe9[1]\n", folder)


@pytest.mark.parametrize(
    ("content", "line", "columns"),
    [
        ("a b c\n", 1, 3),
        ("a b c d e f g h i\n", 1, 9),
        ("hello\n", 1, 1),
        ("[1, 2]", 1, 2),
        ("# a remark\n\n \t\n# another\na b c\n", 5, 3),
        ("\r\n\r\na b c\r\n", 3, 3),
    ],
)
def test_text_that_is_no_run_is_answered_with_the_columns_of_one(
    content: str, line: int, columns: int, folder: Path
) -> None:
    with pytest.raises(InputError) as caught:
        run_of(content, folder)
    assert (caught.value.line, caught.value.problem) == (
        line,
        f"{columns} column{'s' * (columns != 1)}, expected 6, 7 or 8",
    )
    assert caught.value.fix.startswith("Columns are: topic Q0 doc rank score run-id")


def test_a_file_of_comments_holds_no_results(folder: Path) -> None:
    with pytest.raises(InputError, match=r"run\.txt: holds no results\. The file may be truncated"):
        run_of("# only\n# comments\n", folder)


def test_xml_of_another_kind_is_answered_with_the_known_formats(folder: Path) -> None:
    with pytest.raises(InputError) as caught:
        run_of("<article/>", folder)
    assert caught.value.problem == "is not a run in a known format"
    assert all(name in caught.value.fix for name in run_formats)
    assert "`input_format=` forces one" in caught.value.fix


def test_a_forced_format_explains_itself(folder: Path) -> None:
    file = folder / "run.txt"
    file.write_text("a b c\n")
    with pytest.raises(
        InputError, match=r"line 1: 3 columns, expected 6, 7 or 8\. Columns are: topic Q0 doc"
    ):
        read_run(file, "text")
    file.write_text("# nothing\n")
    with pytest.raises(InputError, match=r"holds no results\. The file may be truncated"):
        read_run(file, "text")


def test_an_unknown_format_is_answered_with_the_nearest(folder: Path) -> None:
    file = folder / "run.txt"
    file.write_text(PLAIN)
    with pytest.raises(UnknownNameError, match=r"unknown run format 'txt'; did you mean 'text'\?"):
        read_run(file, "txt")
    assert list(read_run(file, "text")) == list(read_run(file))


# Generated files: rows of odd but possible columns, joined by odd white space, with a mistake now and then.
topics = st.sampled_from(["1", "2009001", "2009-Eff-228", "té"])
docs = st.sampled_from(["d", "3260094", "cg/1998/g1016", "中文", "#5", "a" * 70])
ranks = st.sampled_from(["1", "0", "-", "1500"])
scores = st.one_of(
    st.floats().map(repr),
    st.decimals(allow_nan=False, allow_infinity=False, places=3).map(str),
    st.integers().map(str),
    st.sampled_from(["1e-3", "-0.0", "nan", "inf", "0.12345678901234567", ".5", "5.", "+1", "1E2"]),
)
offsets = st.one_of(
    st.integers(0, 2**53).map(str), st.integers(0, 99).map(str), st.sampled_from(["X", "-1", "00"])
)
lengths = st.one_of(st.integers(0, 2**53).map(str), st.integers(0, 99).map(str))
paths = st.sampled_from(["/", "/a", "/article[1]/bdy[1]/sec[3]", "/é[1]", "/a[1]/text()[2].7"])
oddities = st.sampled_from(
    ["", "#", "x", "-", "-7", "1_0", "1.5.2", "r2", "\x01", "\x0b", "\x0c", "\xa0", "9" * 20]
)
separators = st.sampled_from([" ", " ", " ", "\t", "  ", " \t "])
line_ends = st.sampled_from(["\n", "\n", "\n", "\r\n", "\n\n", " \n", "\n# note\n", "\n \t\n"])
places = {
    6: st.just(()),
    7: st.tuples(st.one_of(paths, offsets)),
    8: st.tuples(offsets, lengths),
}


@st.composite
def files(draw: st.DrawFn, mistakes: bool) -> bytes:
    """Draw the content of a text run."""
    width = draw(st.sampled_from(sorted(places)))
    tidy = draw(st.booleans())
    content = draw(st.sampled_from(["", "", "\n", "# head\n"]))
    for _ in range(draw(st.integers(1, 8))):
        row = [draw(topics), "Q0", draw(docs), draw(ranks), draw(scores), "r", *draw(places[width])]
        if mistakes and draw(st.integers(0, 3)) == 0:
            at = draw(st.integers(0, width - 1))
            row[at : at + draw(st.integers(0, 1))] = [draw(oddities)]
        separator = " " if tidy else draw(separators)
        content += separator.join(row) + ("\n" if tidy else draw(line_ends))
    return (content if draw(st.booleans()) else content.rstrip()).encode()


def outcome(content: bytes, compiled: str) -> str:
    """Everything there is to know about a run, or the message that refused it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("INEXLAB_COMPILED", compiled)
        try:
            run = run_formats["text"].read(Source("run.txt", content, is_xml=False))
        except InputError as error:
            return str(error)
    columns = (run.topic, run.doc, run.path, run.until, run.start, run.end)
    assert run.about == {"columns": str(len(Source("run.txt", content, is_xml=False).first_row[1].split()))}
    names = (list(run.topics), list(run.docs), list(run.paths))
    return repr((run.id, list(run), names, [(column.dtype, column.tolist()) for column in columns]))


@pytest.mark.compiled
@examples(100)
@given(files(mistakes=False))
def test_both_readers_read_the_same(content: bytes) -> None:
    plain = outcome(content, "never")
    assert plain.startswith("('r', [Result(")
    assert outcome(content, "always") == plain


@pytest.mark.compiled
@examples(150)
@given(files(mistakes=True))
@example(b"1 Q0 d 1 1 r 5 6\n1 Q0 d 1 1 r 5\n1 Q0 d 1 1 r 5 6 7\n")  # as many columns as three good rows
@example(b"1 Q0 d 1 1 r 5 6\n1 Q0\nd 1 1 r 5 6\n")  # a row broken in two, run id in the right place
@example(b"1 Q0 d 1 1 r 5 6\n1 Q0 d\x011 1 r 5 6\n")  # a control character is not a separator
@example(b"1 Q0 d 1 1 r 5 6\n1 Q0  1 1 r 5 6\n")  # an empty document id
@example(b"1 Q0 d 1 1 r 5 6\n#1 Q0 d 1 1 r 5 6\n")  # a result commented out
@example(b"1 Q0 d 1 1 r 5 6\n\n1 Q0 d 1 1 r 5 -6\n")
@example(b"1 Q0 d\xff 1 1 r 5 6\n")
@example(b"1 Q0 d 1 1 r 5 6\n1 Q0 d 1 0." + b"1" * 450 + b" r 5 6\n")  # a score longer than any window
@example(b"1 Q0 d 1 1 r 5 " + b"0" * 4999 + b"6\n")
def test_both_readers_refuse_the_same_with_the_same_words(content: bytes) -> None:
    assert outcome(content, "always") == outcome(content, "never")


@pytest.mark.compiled
@settings(deadline=None)
@given(st.binary(max_size=60))
def test_both_readers_agree_on_anything(content: bytes) -> None:
    assert outcome(content, "always") == outcome(content, "never")


@pytest.mark.compiled
def test_both_readers_agree_on_a_long_run() -> None:
    """Enough distinct names that slots of the scanner's hash tables collide."""
    rows = [
        f"{i % 50} Q0 d{i * 7919 % 10007} {i} {1 / (i + 1)!r} r /a[1]/s[{i % 97}]\n" for i in range(20_000)
    ]
    content = "".join(rows).encode()
    assert outcome(content, "always") == outcome(content, "never")
