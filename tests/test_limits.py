"""Little that stands for much: refused before it is in memory, wherever something is unpacked."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from inexlab import limits, read_judgements, read_run, xml_parser
from inexlab.collection import open_collection
from inexlab.collection.documents import Documents
from inexlab.errors import InputError
from inexlab.files import read_bytes
from inexlab.index.indexing import index_documents
from inexlab.limits import TooLargeError, need_limits
from inexlab.streams import open_stream

PACK: dict[str, Callable[[bytes], bytes]] = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}
BOMB = b" " * (1 << 25)


@pytest.fixture(autouse=True)
def usual(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(limits.ANY_SIZE, raising=False)


def test_the_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    need_limits(1 << 24, 1)
    need_limits(200 << 20, 1 << 20)
    need_limits(1 << 40, 1 << 38, in_memory=False)
    need_limits(1 << 32, None)
    for unpacked, packed in (((200 << 20) + 1, 1 << 20), ((1 << 32) + 1, 1 << 31), ((1 << 32) + 1, None)):
        with pytest.raises(TooLargeError):
            need_limits(unpacked, packed)
    monkeypatch.setenv(limits.ANY_SIZE, "yes")
    need_limits(1 << 50, 1)


@pytest.mark.parametrize("ending", PACK)
@pytest.mark.parametrize(
    "read", [read_bytes, read_run, read_judgements, lambda path: open_stream(path).source()]
)
def test_files(tmp_path: Path, ending: str, read: Callable[[Path], object]) -> None:
    path = tmp_path / f"bomb.{ending}"
    path.write_bytes(PACK[ending](b"1 Q0 a 1 1.0 run 0 1\n" + BOMB))
    assert path.stat().st_size < len(BOMB) / 300
    with pytest.raises(
        InputError, match=r"bomb\.\w+: grows more than 200-fold when unpacked.*INEXLAB_ANY_SIZE=yes"
    ):
        read(path)


def test_what_is_meant_to_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(limits.ANY_SIZE, "yes")
    (tmp_path / "large.gz").write_bytes(gzip.compress(BOMB))
    assert read_bytes(tmp_path / "large.gz") == BOMB


def test_as_much_as_fits_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_IN_MEMORY", 1 << 24)
    monkeypatch.setattr(limits, "TIMES", 10**6)
    (tmp_path / "large.gz").write_bytes(gzip.compress(b"1 Q0 a 1 1.0 run 0 1\n" + BOMB))
    for read in (read_bytes, read_run):
        with pytest.raises(InputError, match=r"large\.gz: is larger than 16,777,216 bytes when unpacked"):
            read(tmp_path / "large.gz")
    assert sum(map(len, open_stream(tmp_path / "large.gz").chunks())) == len(BOMB) + 21  # piece by piece


def bomb_document() -> bytes:
    return b"<a>" + BOMB + b"</a>"


def contents(place: Path) -> dict[str, str]:
    """What became of each document at a place."""
    found = {}
    for _, name, fetch in Documents([place]):
        try:
            found[Path(name).name] = str(len(fetch()))
        except InputError as error:
            found[Path(name).name] = error.problem
    return found


def test_members_of_folders_and_archives(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "a.xml.gz").write_bytes(gzip.compress(bomb_document()))
    (tmp_path / "folder" / "b.xml").write_bytes(b"<a/>")
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.xml", bomb_document())
        archive.write(tmp_path / "folder" / "a.xml.gz", "a2.xml.gz")
        archive.writestr("b.xml", b"<a/>")
    with tarfile.open(tmp_path / "a.tar", "w") as tar:
        tar.add(tmp_path / "folder", "folder")
    for place in ("folder", "a.zip", "a.tar"):
        found = contents(tmp_path / place)
        assert found.pop("b.xml") == "4"
        assert found
        assert all("grows more than 200-fold" in problem for problem in found.values()), found


@pytest.mark.parametrize("ending", PACK)
def test_a_packed_tar_for_a_collection(tmp_path: Path, ending: str) -> None:
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as tar:
        member = tarfile.TarInfo("a.xml")
        member.size = len(bomb_document())
        tar.addfile(member, io.BytesIO(bomb_document()))
    path = tmp_path / f"a.tar.{ending}"
    path.write_bytes(PACK[ending](plain.getvalue()))
    with pytest.raises(InputError, match="grows more than 200-fold"):
        open_collection(path)


def entities(count: int, size: int) -> bytes:
    declared = f'<!DOCTYPE a [<!ENTITY e "{"x" * size}">]>'
    return f"{declared}<a>{'&e;' * count}</a>".encode()


def parse(data: bytes) -> int:
    got = [0]

    def text(characters: str) -> None:
        got[0] += len(characters)

    xml_parser.parse(data, "d.xml", start=lambda *_: None, end=lambda _: None, text=text)
    return got[0]


def test_entities(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xml_parser, "MOST_FROM_ENTITIES", 100_000)
    assert parse(entities(90, 1000)) == 90_000
    with pytest.raises(InputError, match=r"d\.xml, line 1: its entities expand to more than 100,000 char"):
        parse(entities(110, 1000))
    in_attributes = entities(1, 1000).replace(b"<a>", b"<a>" + b'<b c="&e;&e;&e;&e;"/>' * 40)
    with pytest.raises(InputError, match="its entities expand to more"):
        parse(in_attributes)
    assert parse(b"<a>" + b"x" * 200_000 + b"</a>") == 200_000


def test_entities_by_their_true_limit() -> None:
    with pytest.raises(InputError, match="its entities expand to more than 67,108,864 characters"):
        parse(entities(1200, 60_000).replace(b"<a>", b"<a>" + b"y" * (1 << 20)))


def with_links(path: Path, mode: str) -> None:
    with tarfile.open(path, mode) as tar:  # type: ignore[call-overload]

        def add(name: str, kind: bytes, target: str = "", content: bytes = b"") -> None:
            member = tarfile.TarInfo(name)
            member.type, member.linkname, member.size = kind, target, len(content)
            tar.addfile(member, io.BytesIO(content))

        add("d/one.xml", tarfile.REGTYPE, content=b"<a>one</a>")
        add("d/two.xml", tarfile.LNKTYPE, "d/one.xml")
        add("d/three.xml", tarfile.LNKTYPE, "./d/two.xml")
        add("d/nowhere.xml", tarfile.LNKTYPE, "d/none.xml")
        add("d/round.xml", tarfile.LNKTYPE, "d/about.xml")
        add("d/about.xml", tarfile.LNKTYPE, "d/round.xml")
        add("d/four.xml", tarfile.REGTYPE, content=b"<a>four</a>")


@pytest.mark.parametrize("ending", ["tar", "tar.gz", "tar.xz", "tar.bz2"])
def test_hard_links_are_documents_and_bad_ones_cost_themselves(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"a.{ending}"
    with_links(path, f"w:{ending.partition('.')[2]}" if "." in ending else "w")
    found = contents(path)
    good = {"one.xml": "10", "two.xml": "10", "three.xml": "10", "four.xml": "11"}
    bad = {name: found.pop(name) for name in ("nowhere.xml", "round.xml", "about.xml")}
    assert found == good
    assert bad["nowhere.xml"] == "is a link to 'd/none.xml', which is not in the archive"
    assert "points to itself" in bad["round.xml"]
    for jobs in (1, 2):
        summary = index_documents([path], tmp_path / f"index{jobs}", jobs=jobs)
        assert summary.documents == 4
        assert len(summary.skipped) == 3
    documents = open_collection(path)
    assert documents["two"].text == documents["three"].text == "one"
    with pytest.raises(InputError, match="is a link"):
        documents["nowhere"]
