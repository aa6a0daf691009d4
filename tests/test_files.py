"""Opening what users give us; and what no reader of runs or judgements may choke on."""

from __future__ import annotations

import bz2
import functools
import gzip
import lzma
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from inexlab.errors import InputError
from inexlab.files import Source, file_stem, read_bytes, read_source
from inexlab.judgements import read_judgements
from inexlab.runs import read_run
from inexlab.streams import open_stream

RUN_READERS: dict[str, Callable[[Path], object]] = {
    "run, format detected": read_run,
    **{
        f"run, --input-format {name}": functools.partial(read_run, input_format=name)
        for name in ("text", "xml", "jsonl")
    },
}
JUDGEMENT_READERS: dict[str, Callable[[Path], object]] = {
    "judgements, format detected": read_judgements,
    **{
        f"judgements, --input-format {name}": functools.partial(read_judgements, input_format=name)
        for name in ("qrels", "jsonl", "assessments")
    },
}
READERS = {**RUN_READERS, **JUDGEMENT_READERS}
every_reader = pytest.mark.parametrize("read", READERS.values(), ids=READERS)

ROW = b"1 Q0 d 1 0.5 r 3 4\n"


@every_reader
@pytest.mark.parametrize(
    ("content", "problem", "way_out"),
    [
        pytest.param(b"", "is empty", "may be truncated", id="empty"),
        pytest.param(b" \r\n\t\n", "is empty", "may be truncated", id="white space"),
        pytest.param(gzip.compress(b""), "is empty", "may be truncated", id="gzip of nothing"),
        pytest.param(b"\xef\xbb\xbf", "is empty", "may be truncated", id="byte-order mark alone"),
        pytest.param("\n\n".encode("utf-16"), "is empty", "may be truncated", id="white space in UTF-16"),
        pytest.param(b"\x7fELF\x02\0\0\0", "is binary", "Give the text file", id="binary"),
        pytest.param(bz2.compress(b""), "is empty", "may be truncated", id="bzip2 of nothing"),
        pytest.param(lzma.compress(b""), "is empty", "may be truncated", id="xz of nothing"),
        pytest.param(bz2.compress(ROW * 9)[:-9], "damaged bzip2", "create it again", id="bzip2 cut off"),
        pytest.param(
            bz2.compress(ROW)[:-9] + bytes(9), "damaged bzip2", "create it again", id="bzip2 checksum wrong"
        ),
        pytest.param(lzma.compress(ROW * 9)[:-9], "damaged xz", "create it again", id="xz cut off"),
        pytest.param(
            lzma.compress(ROW)[:-9] + bytes(9), "damaged xz", "create it again", id="xz checksum wrong"
        ),
        pytest.param(gzip.compress(ROW * 9)[:-9], "damaged gzip", "create it again", id="gzip cut off"),
        pytest.param(b"\x1f\x8b\x08" + bytes(20), "damaged gzip", "create it again", id="gzip overwritten"),
        pytest.param(
            gzip.compress(ROW)[:-8] + bytes(8), "damaged gzip", "create it again", id="gzip checksum wrong"
        ),
    ],
)
def test_unusable_content_is_refused(
    read: Callable[[Path], object], content: bytes, problem: str, way_out: str, tmp_path: Path
) -> None:
    file = tmp_path / "given.txt"
    file.write_bytes(content)
    with pytest.raises(InputError) as caught:
        read(file)
    assert str(caught.value).startswith(f"{file}: ")
    assert problem in caught.value.problem
    assert way_out in caught.value.fix


@every_reader
def test_a_missing_file_is_refused(read: Callable[[Path], object], tmp_path: Path) -> None:
    missing = tmp_path / "missing.txt"
    with pytest.raises(InputError) as caught:
        read(missing)
    assert str(caught.value) == f"{missing}: no such file. Check the name and the folder."


@pytest.mark.parametrize("read", RUN_READERS.values(), ids=RUN_READERS)
def test_a_folder_is_no_run(read: Callable[[Path], object], tmp_path: Path) -> None:
    (tmp_path / "run.txt").write_bytes(ROW)
    with pytest.raises(InputError) as caught:
        read(tmp_path)
    assert str(caught.value) == f"{tmp_path}: is a folder where a file is expected. Give a file in it."


@pytest.mark.parametrize("read", JUDGEMENT_READERS.values(), ids=JUDGEMENT_READERS)
def test_a_folder_without_files_holds_no_judgements(read: Callable[[Path], object], tmp_path: Path) -> None:
    (tmp_path / "deeper").mkdir()
    (tmp_path / ".hidden").write_bytes(b"1 Q0 d 0 9\n")
    with pytest.raises(InputError) as caught:
        read(tmp_path)
    assert str(caught.value) == f"{tmp_path}: is an empty folder. Give the folder of the assessment files."


@every_reader
def test_a_file_used_as_a_folder_is_refused(read: Callable[[Path], object], tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(ROW)
    inside = tmp_path / "file" / "run.txt"
    with pytest.raises(InputError) as caught:
        read(inside)
    assert str(caught.value) == f"{inside}: no such file. Check the name and the folder."


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(ROW, id="plain"),
        pytest.param(gzip.compress(ROW), id="gzip"),
        pytest.param(gzip.compress(ROW[:9]) + gzip.compress(ROW[9:]), id="gzip in two members"),
        pytest.param(b"\xef\xbb\xbf" + ROW, id="UTF-8 with byte-order mark"),
        pytest.param(gzip.compress(b"\xef\xbb\xbf" + ROW), id="gzip with byte-order mark"),
        pytest.param(bz2.compress(ROW), id="bzip2"),
        pytest.param(bz2.compress(ROW[:9]) + bz2.compress(ROW[9:]), id="bzip2 in two streams"),
        pytest.param(lzma.compress(ROW), id="xz"),
        pytest.param(lzma.compress(ROW[:9]) + lzma.compress(ROW[9:]), id="xz in two streams"),
        pytest.param(lzma.compress(ROW.decode().encode("utf-16")), id="xz of UTF-16"),
        pytest.param(ROW.decode().encode("utf-16"), id="UTF-16"),
        pytest.param(b"\xfe\xff" + ROW.decode().encode("utf-16-be"), id="UTF-16, big end first"),
        pytest.param(ROW.decode().encode("utf-32"), id="UTF-32"),
        pytest.param(b"\0\0\xfe\xff" + ROW.decode().encode("utf-32-be"), id="UTF-32, big end first"),
    ],
)
def test_text_comes_out_as_utf8_without_mark(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "run.txt"
    file.write_bytes(content)
    assert read_source(file) == Source(str(file), ROW, is_xml=False)


def test_gzip_is_known_by_content_not_by_name(tmp_path: Path) -> None:
    named = tmp_path / "run.txt.gz"
    named.write_bytes(ROW)
    assert read_bytes(named) == ROW


@pytest.mark.parametrize(
    "content",
    [
        b'<?xml version="1.0"?><a/>',
        b"\n  <a/>",
        b"\xef\xbb\xbf<a/>",
        "<a>é</a>".encode("utf-16"),
        '<?xml version="1.0" encoding="UTF-16"?><a/>'.encode("utf-16-le"),
        "<a>\xe9</a>".encode("latin-1"),
        "<a>é</a>".encode("utf-32"),
        b"\0\0\xfe\xff" + "<a>é</a>".encode("utf-32-be"),
        '<?xml version="1.0" encoding="UTF-32"?><a/>'.encode("utf-32-le"),
        '<?xml version="1.0" encoding="cp037"?><a/>'.encode("cp037"),
        b"\n" * 1000 + b"<a/>",
        b"\xef\xbb\xbf" + b" " * 1000 + b"<a/>",
    ],
)
def test_xml_is_passed_on_as_it_came(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "run.xml"
    file.write_bytes(content)
    assert read_source(file) == Source(str(file), content, is_xml=True)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_half_a_character_is_refused(encoding: str, tmp_path: Path) -> None:
    file = tmp_path / "run.txt"
    file.write_bytes(ROW.decode().encode(encoding)[:-1])
    with pytest.raises(
        InputError, match=rf"begins like {encoding} but is not .*Download or create it again\."
    ):
        read_source(file)


def test_standard_input_is_a_file_called_minus() -> None:
    program = "from inexlab.files import read_source; s = read_source('-'); print(s.name, s.data)"
    answer = subprocess.run(
        [sys.executable, "-c", program], input=gzip.compress(ROW), capture_output=True, check=True
    )
    assert answer.stdout.decode().strip() == f"standard input {ROW!r}"


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("runs/chunks.jsonl", "chunks"),
        ("chunks.jsonl.gz", "chunks"),
        ("my.best.run", "my.best"),
        ("run.txt", "run"),
        ("no-extension", "no-extension"),
        ("v1.2", "v1.2"),
    ],
)
def test_stem_is_the_name_without_folder_and_extensions(name: str, stem: str) -> None:
    assert Source(name, b"", is_xml=False).stem == stem


def test_a_problem_names_the_source() -> None:
    problem = Source("run.txt", b"", is_xml=False).problem("is odd", 7, fix="Even it out.")
    assert str(problem) == "run.txt, line 7: is odd. Even it out."


@pytest.mark.parametrize(
    ("content", "row"),
    [
        (b"a b\nc\n", (1, b"a b")),
        (b"\n \t\n# note\n  # indented\n  a b  \nc\n", (5, b"a b")),
        (b"\r\n# note\r\na\r\n", (3, b"a")),
        (b"# only\n", (1, b"")),
        (b"#" + b"x" * 100_000 + b"\na\n", (2, b"a")),
    ],
)
def test_the_first_row_is_neither_blank_nor_a_comment(content: bytes, row: tuple[int, bytes]) -> None:
    assert Source("f", content, is_xml=False).first_row == row


@pytest.mark.parametrize("ending", ["gz", "bz2", "xz"])
def test_the_ending_of_a_packed_file_is_no_part_of_its_name(ending: str) -> None:
    assert file_stem(f"runs/mine.jsonl.{ending}") == "mine"


def test_a_topic_that_begins_as_a_packed_file_is_text(tmp_path: Path) -> None:
    (tmp_path / "run").write_bytes(b"BZh9 Q0 d 1 0.5 r 3 4\n")
    assert list(read_run(tmp_path / "run").topics) == ["BZh9"]


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_runs_and_judgements_are_read_packed(pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    plain, packed = tmp_path / "plain", tmp_path / "packed"
    content = {
        "text": ROW,
        "xml": b'<inex-submission run-id="r"><topic topic-id="1"><result><file>d</file><path>/a[1]</path>'
        b"<rsv>1</rsv></result></topic></inex-submission>",
        "jsonl": b'{"topic": "1", "doc": "d", "start": 0, "end": 1, "score": 1}\n',
    }
    for name, data in content.items():
        plain.write_bytes(data)
        packed.write_bytes(pack(data))
        assert list(read_run(packed)) == list(read_run(plain)), name
        assert open_stream(packed).source().data == data, name
    packed.write_bytes(pack(b"1 Q0 d 5 9 0 0:5\n"))
    assert [judged.spans for judged in read_judgements(packed)] == [((0, 5),)]
