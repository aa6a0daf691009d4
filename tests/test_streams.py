"""Files piece by piece: the same content, and the same refusals, as files read at once."""

from __future__ import annotations

import gzip
import io
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab import streams
from inexlab.errors import InputError
from inexlab.files import read_source
from inexlab.progress import BYTES, ProgressStep, watching
from inexlab.streams import open_stream
from tests.builders import calm

TEXT = "# a remark\n\n1 Q0 é 1 2 run\r\n" + "2 Q0 B 1 2 run\n" * 50
XML = "<?xml version='1.0'?>\n<a>é</a>\n"
CONTENTS = {
    "text": TEXT.encode(),
    "text without a last line end": TEXT.encode().rstrip(),
    "gzip": gzip.compress(TEXT.encode()),
    "gzip in two parts": gzip.compress(TEXT.encode()[:50]) + gzip.compress(TEXT.encode()[50:]),
    "utf-8 with a mark": TEXT.encode("utf-8-sig"),
    "utf-16": TEXT.encode("utf-16"),
    "utf-32": TEXT.encode("utf-32"),
    "XML": XML.encode(),
    "XML in utf-16": XML.encode("utf-16"),
    "XML, zipped": gzip.compress(XML.encode()),
    "many remarks first": b"# remark\n" * 100 + b"1 Q0 A 1 2 run\n",
    "one row": b"1 Q0 A 1 2 run",
}
REFUSED = {
    "nothing": b"",
    "blank": b" \n\t\n" * 30,
    "binary": b"1 Q0 A\0\0",
    "half of utf-16": TEXT.encode("utf-16")[:-1],
    "not the utf-8 of its mark": b"\xef\xbb\xbf1 Q0 \xff\n",
    "gzip cut off": gzip.compress(TEXT.encode())[:-9],
    "not gzip": b"\x1f\x8bnot at all",
}


@pytest.mark.parametrize("chunk", [64, 1 << 20])
@pytest.mark.parametrize("name", CONTENTS)
def test_as_if_read_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, chunk: int) -> None:
    monkeypatch.setattr(streams, "_CHUNK", chunk)
    file = tmp_path / "file"
    file.write_bytes(CONTENTS[name])
    expected = read_source(file)
    stream = open_stream(file)
    assert (stream.head.name, stream.head.is_xml) == (expected.name, expected.is_xml)
    assert stream.head.first_row == expected.first_row
    assert open_stream(file).source() == expected
    assert list(stream.lines()) == expected.data.split(b"\n")


@pytest.mark.parametrize("chunk", [64, 1 << 20])
@pytest.mark.parametrize("name", REFUSED)
def test_refused_as_if_read_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, chunk: int
) -> None:
    monkeypatch.setattr(streams, "_CHUNK", chunk)
    file = tmp_path / "file"
    file.write_bytes(REFUSED[name])
    with pytest.raises(InputError) as at_once:
        read_source(file)
    with pytest.raises(InputError) as in_pieces:
        list(open_stream(file).chunks())
    assert str(in_pieces.value) == str(at_once.value)


@calm
@given(st.binary(max_size=60), st.integers(1, 20))
def test_whatever_the_pieces(tmp_path_factory: pytest.TempPathFactory, content: bytes, chunk: int) -> None:
    content = b"a row of text\n" + content.translate(None, bytes(range(9)) + bytes(range(14, 32)))
    file = tmp_path_factory.getbasetemp() / "pieces"
    file.write_bytes(content)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(streams, "_CHUNK", chunk)
        assert list(open_stream(file).lines()) == content.split(b"\n")


def test_files_that_are_not_there(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nosuch", tmp_path / "nosuch" / "file"):
        with pytest.raises(InputError) as at_once:
            read_source(path)
        with pytest.raises(InputError) as in_pieces:
            open_stream(path)
        assert str(in_pieces.value) == str(at_once.value)


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(b"1 2\n3"))))
    stream = open_stream("-")
    assert stream.head.name == "standard input"
    assert list(stream.lines()) == [b"1 2", b"3"]


def test_who_watches_is_told_the_position_in_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "_CHUNK", 40)
    file = tmp_path / "file"
    file.write_bytes(b"x" * 9 + b"\n" + b"y" * 90)
    told: list[ProgressStep] = []
    with watching(told.append):
        for _line in open_stream(file).lines():
            pass
    assert told == [ProgressStep(f"reading {file}", at, 100, BYTES) for at in (40, 80, 100)]


def test_a_line_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "_CHUNK", 64)
    monkeypatch.setattr(streams, "_LONGEST", 1000)
    file = tmp_path / "file"
    file.write_bytes(b"1\n2\n" + b"3" * 5000)
    with pytest.raises(InputError, match="line 3: a line of more than 1,000 bytes"):
        list(open_stream(file).lines())
