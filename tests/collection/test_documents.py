"""Documents as a stream: files, folders and archives, in a fixed order, with the ids of both kinds."""

from __future__ import annotations

import gzip
import io
import random
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pytest

from inexlab.collection import archives
from inexlab.collection.documents import Documents, FileFilter
from inexlab.errors import InputError

FILES = {
    "an/1995/a1004.xml": b"<a>one</a>",
    "an/1996/a2000.nxml": b"<a>two</a>",
    "b.XML": b"<a>three</a>",
    "c.xml.gz": gzip.compress(b"<a>four</a>"),
    "readme": b"no document",
    "large.bin": random.Random(7).randbytes(
        200_000
    ),  # so that an archive that is cut off is so behind documents
}
CONTENTS = [b"<a>one</a>", b"<a>two</a>", b"<a>three</a>", b"<a>four</a>"]
NAMES = ["a1004", "a2000", "b", "c"]
PATHS = ["an/1995/a1004", "an/1996/a2000", "b", "c"]


def folder(tmp_path: Path) -> Path:
    for name, content in reversed(FILES.items()):
        (tmp_path / "docs" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "docs" / name).write_bytes(content)
    return tmp_path / "docs"


def zipped(tmp_path: Path) -> Path:
    with zipfile.ZipFile(tmp_path / "docs.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in reversed(FILES.items()):
            archive.writestr(name, content)
    return tmp_path / "docs.zip"


def tarred(tmp_path: Path, ending: str) -> Path:
    path = tmp_path / f"docs.tar{ending}"
    mode = f"w:{ending[1:]}"
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
        for name, content in FILES.items():
            member = tarfile.TarInfo(f"./{name}")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return path


@pytest.mark.parametrize("kind", ["folder", "zip", "", ".gz", ".bz2", ".xz"])
def test_places(tmp_path: Path, kind: str) -> None:
    makers = {"folder": folder, "zip": zipped}
    place = makers[kind](tmp_path) if kind in makers else tarred(tmp_path, kind)
    documents = Documents([place])
    found = [(id, name, fetch()) for id, name, fetch in documents]
    assert [id for id, _, _ in found] == NAMES
    assert [content for _, _, content in found] == CONTENTS
    assert all(str(place) in name for _, name, _ in found)
    assert 0 < documents.done <= documents.total
    assert [id for id, _, _ in Documents([place], "path")] == PATHS
    assert [id for id, _, _ in documents] == NAMES  # again, from the beginning


def test_files_and_places_in_their_order(tmp_path: Path) -> None:
    docs = folder(tmp_path)
    (tmp_path / "z.tei").write_bytes(b"<TEI/>")
    found = Documents([tmp_path / "z.tei", docs / "c.xml.gz", docs / "an"])
    assert [(id, fetch()) for id, _, fetch in found] == [
        ("z", b"<TEI/>"),
        ("c", b"<a>four</a>"),
        ("a1004", b"<a>one</a>"),
        ("a2000", b"<a>two</a>"),
    ]


def test_no_such_place(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nothing: no such file or folder\. Check the name\."):
        Documents([tmp_path / "nothing"])


@pytest.mark.parametrize("ending", [".gz", ".xz", ".bz2"])
def test_an_archive_that_is_cut_off(tmp_path: Path, ending: str) -> None:
    path = tarred(tmp_path, ending)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(InputError, match="cannot be unpacked"):
        list(Documents([path]))


@pytest.mark.parametrize("kind", ["folder", "zip", "", ".xz"])
def test_what_is_too_large_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    makers = {"folder": folder, "zip": zipped}
    bomb = gzip.compress(bytes(100_000))
    monkeypatch.setitem(FILES, "bomb.xml.gz", bomb)
    monkeypatch.setitem(FILES, "large.xml", bytes(2_000))
    place = makers[kind](tmp_path) if kind in makers else tarred(tmp_path, kind)
    monkeypatch.setattr(archives, "LARGEST_DOCUMENT", 1_000)
    assert len(bomb) < 1_000
    refused = []
    for id, _, fetch in Documents([place]):
        if id in NAMES:
            fetch()
        else:
            with pytest.raises(InputError, match=rf"/{id}\.xml(\.gz)?: is larger than 1,000 bytes\. Split"):
                fetch()
            refused.append(id)
    assert sorted(refused) == ["bomb", "large"]


def test_single_files_with_one_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("one/a.xml", "two/a.xml", ".hidden.xml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"<a/>")
    monkeypatch.chdir(tmp_path)
    documents = Documents(["one/a.xml", tmp_path / "two/a.xml", "./.hidden.xml"])
    assert len(list(documents)) == 3
    assert list(documents.settled()) == ["one/a", "two/a", ".hidden"]
    assert list(documents.settled(np.array([0, 2]))) == ["one/a", ".hidden"]
    assert documents.ids == "path"
    monkeypatch.chdir(tmp_path / "one")
    documents = Documents(["a.xml", "../two/a.xml"])
    assert len(list(documents)) == 2
    with pytest.raises(
        InputError, match=r"two/a\.xml: has the id 'a.xml', as a.xml\. Give one folder that holds"
    ):
        documents.settled()
    with pytest.raises(InputError, match=r"a\.xml: is given twice"):
        list(Documents(["a.xml", "./a.xml"]))


def test_what_is_left_alone_is_counted(tmp_path: Path) -> None:
    docs = folder(tmp_path)
    (docs / "x.ent").write_text("<!ENTITY a 'b'>")
    (docs / "away").symlink_to(tmp_path / "nowhere")
    documents = Documents([docs], file_filter=FileFilter(exclude=("1996",)))
    assert [id for id, _, _ in documents] == ["a1004", "b", "c"]
    assert documents.left_alone == {
        (".nxml", "excluded"): 1,
        ("no extension", "not a document"): 1,
        (".bin", "not a document"): 1,
        (".ent", "entity declarations"): 1,
        ("no extension", "link"): 1,
    }


def test_links_in_an_archive_lead_to_its_files_or_are_left_alone(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "docs.tar", "w") as archive:
        for name, kind, target in (
            ("a.xml", tarfile.REGTYPE, ""),
            ("b.xml", tarfile.LNKTYPE, "a.xml"),
            ("c.xml", tarfile.SYMTYPE, "/etc/passwd"),
            ("d.xml", tarfile.FIFOTYPE, ""),
        ):
            member = tarfile.TarInfo(name)
            member.type, member.linkname, member.size = kind, target, 4 * (kind == tarfile.REGTYPE)
            archive.addfile(member, io.BytesIO(b"<a/>"))
    documents = Documents([tmp_path / "docs.tar"])
    assert [id for id, _, _ in documents] == ["a", "b"]
    assert documents.left_alone == {(".xml", "link"): 1, (".xml", "special file"): 1}
