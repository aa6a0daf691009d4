"""Folders and archives of documents."""

from __future__ import annotations

import gzip
import io
import random
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from inexlab.collection import open_collection, read_document, store
from inexlab.errors import InputError

FILES = {
    "one.xml": b"<a>one</a>",
    "deep/er/two.xml": b"<a>t<b>w</b>o</a>",
    "three.nxml": b"<a>three</a>",
    "packed.xml.gz": gzip.compress(b"<a>packed</a>"),
    "v1.5.xml": b"<a>dotted</a>",
    "CAPITALS.XML": b"<a>capitals</a>",
    "notes.txt": b"Some\n\ntext",
    "page.HTM": b"<title>T</title><p>page",
    "guide.md": b"# Guide\n",
    "play.tei": b"<TEI>play</TEI>",
    "unknown.ending": b"<?xml version='1.0'?><a>by content</a>",
    "setup.py": b"not a document",
    ".hidden.xml": b"<a>hidden</a>",
    "picture.png": b"\x89PNG",
}
TEXTS = {
    "one": "one",
    "two": "two",
    "three": "three",
    "packed": "packed",
    "v1.5": "dotted",
    "CAPITALS": "capitals",
    "notes": "Some\n\ntext",
    "page": "Tpage",
    "guide": "# Guide\n",
    "play": "play",
    "unknown": "by content",
}


def in_folder(path: Path, files: dict[str, bytes]) -> Path:
    for name, content in files.items():
        file = path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    path.mkdir(exist_ok=True)
    return path


def in_zip(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def in_tar(path: Path, files: dict[str, bytes]) -> Path:
    return _tar(tarfile.open(path, "w"), path, files)


def in_tar_gz(path: Path, files: dict[str, bytes]) -> Path:
    return _tar(tarfile.open(path, "w:gz"), path, files)


def in_tar_bz2(path: Path, files: dict[str, bytes]) -> Path:
    return _tar(tarfile.open(path, "w:bz2"), path, files)


def in_tar_xz(path: Path, files: dict[str, bytes]) -> Path:
    return _tar(tarfile.open(path, "w:xz"), path, files)


def _tar(archive: tarfile.TarFile, path: Path, files: dict[str, bytes]) -> Path:
    with archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return path


Pack = Callable[[Path, dict[str, bytes]], Path]
COMPRESSED: list[Pack] = [in_zip, in_tar_gz, in_tar_bz2, in_tar_xz]
HOMES: list[Pack] = [in_folder, in_tar, *COMPRESSED]
every_home = pytest.mark.parametrize("pack", HOMES)


@every_home
def test_documents_by_id(pack: Pack, tmp_path: Path) -> None:
    collection = open_collection(pack(tmp_path / "home", FILES))
    assert {id: document.text for id, document in collection.items()} == TEXTS
    assert len(collection) == len(TEXTS)
    assert "one" in collection
    assert "setup" not in collection
    assert collection["two"].elements.find("/a[1]/b[1]") == (1, 2)
    assert collection["two"].id == "two"


@every_home
def test_element_tables_by_id(pack: Pack, tmp_path: Path) -> None:
    collection = open_collection(pack(tmp_path / "home", FILES))
    for _ in range(2):  # parsed, then kept
        elements = collection.elements("two")
        assert elements is not None
        assert list(elements) == list(read_document(FILES["deep/er/two.xml"], "two").elements)
    assert collection.elements("nobody") is None


@every_home
def test_an_unknown_document_is_a_missing_key(pack: Pack, tmp_path: Path) -> None:
    collection = open_collection(pack(tmp_path / "home", FILES))
    with pytest.raises(KeyError):
        collection["nobody"]


@every_home
def test_where_two_documents_share_a_name_all_ids_are_paths(pack: Pack, tmp_path: Path) -> None:
    files = {"x/same.xml": b"<a/>", "y/same.xml.gz": gzip.compress(b"<a/>"), "z/other.xml": b"<a/>"}
    home = pack(tmp_path / "home", files)
    collection = open_collection(home)
    assert list(collection) == ["x/same", "y/same", "z/other"]
    (note,) = collection.notes
    assert "x/same.xml and " in note
    assert "are both called 'same': ids of documents are relative paths" in note
    with pytest.raises(InputError) as caught:
        open_collection(home, ids="name")
    assert caught.value.problem == f"has the id 'same', as {home}/x/same.xml"
    assert caught.value.file == f"{home}/y/same.xml.gz"
    assert "`ids=path`" in caught.value.fix


@every_home
def test_documents_that_share_a_path_keep_their_extensions(pack: Pack, tmp_path: Path) -> None:
    files = {"x/a.dita": b"<a/>", "x/a.ditamap": b"<a/>", "x/b.dita": b"<a/>", "y/b.dita": b"<a/>"}
    collection = open_collection(pack(tmp_path / "home", files))
    assert list(collection) == ["x/a.dita", "x/a.ditamap", "x/b", "y/b"]


@every_home
def test_no_documents(pack: Pack, tmp_path: Path) -> None:
    for number, files in enumerate([{}, {"setup.py": b"hello"}]):
        home = pack(tmp_path / str(number), files)
        with pytest.raises(InputError) as caught:
            open_collection(home)
        assert str(caught.value) == (
            f"{home}: holds no documents (XML, HTML, Markdown or text). Give the folder that has them."
        )


@every_home
def test_a_broken_document_is_named_when_it_is_asked_for(pack: Pack, tmp_path: Path) -> None:
    home = pack(tmp_path / "home", {"good.xml": b"<a>x</a>", "bad.xml": b"<a>\n<b></a>"})
    collection = open_collection(home)
    assert collection["good"].text == "x"
    with pytest.raises(InputError) as caught:
        collection["bad"]
    assert str(caught.value) == f"{home}/bad.xml, line 2: not well-formed XML (mismatched tag)."


@every_home
def test_a_damaged_gz_document_is_refused_when_it_is_asked_for(pack: Pack, tmp_path: Path) -> None:
    cut = gzip.compress(b"<a>x</a>")[:-6]
    collection = open_collection(pack(tmp_path / "home", {"cut.xml.gz": cut}))
    with pytest.raises(InputError, match=r"damaged gzip|cannot be unpacked"):
        collection["cut"]


def test_neither_folder_nor_archive(tmp_path: Path) -> None:
    file = tmp_path / "run.txt"
    file.write_text("1 Q0 d 1 1 r\n")
    with pytest.raises(InputError) as caught:
        open_collection(file)
    assert str(caught.value) == (
        f"{file}: is neither a folder nor a zip or tar archive. Give the folder of the documents."
    )


def test_no_such_folder(tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    with pytest.raises(InputError) as caught:
        open_collection(missing)
    assert str(caught.value) == (
        f"{missing}: no such folder or archive. Check the name given as the collection."
    )


@pytest.mark.parametrize("pack", COMPRESSED)
def test_an_archive_cut_in_half_is_refused(pack: Pack, tmp_path: Path) -> None:
    noise = random.Random(7)
    files = {f"{i}.xml": f"<a>{noise.randbytes(4000).hex()}</a>".encode() for i in range(4)}
    home = pack(tmp_path / "home", files)
    content = home.read_bytes()
    home.write_bytes(content[: len(content) // 2])
    with pytest.raises(InputError) as caught:
        open_collection(home)
    assert caught.value.file == str(home)
    assert "cannot be unpacked" in caught.value.problem or "is neither" in caught.value.problem
    assert caught.value.fix


def test_a_tar_cut_inside_a_document_is_refused(tmp_path: Path) -> None:
    home = in_tar(tmp_path / "home.tar", {"one.xml": b"<a>" + b"x" * 5000 + b"</a>"})
    home.write_bytes(home.read_bytes()[:2000])
    with pytest.raises(InputError, match=r"cannot be unpacked .* Download or create it again"):
        open_collection(home)


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_damaged_member_of_a_zip_is_refused_and_the_others_are_read(method: int, tmp_path: Path) -> None:
    home = tmp_path / "home.zip"
    with zipfile.ZipFile(home, "w", method) as archive:
        archive.writestr("bad.xml", "<a>" + "".join(map(str, range(500))) + "</a>")
        archive.writestr("good.xml", "<a>x</a>")
    content = bytearray(home.read_bytes())
    content[200:210] = bytes(10)  # in the middle of the first member
    home.write_bytes(content)
    collection = open_collection(home)
    assert collection["good"].text == "x"
    with pytest.raises(InputError) as caught:
        collection["bad"]
    assert caught.value.file == f"{home}/bad.xml"
    assert "cannot be unpacked" in caught.value.problem


def test_a_tar_cannot_write_outside_its_folder(tmp_path: Path) -> None:
    inside = tmp_path / "some" / "where"
    inside.mkdir(parents=True)
    home = in_tar(inside / "home.tar", {"../../evil.xml": b"<a>e</a>", "/abs/olute.xml": b"<a>o</a>"})
    collection = open_collection(home)
    assert {id: document.text for id, document in collection.items()} == {"evil": "e", "olute": "o"}
    assert not list(tmp_path.rglob("evil.xml"))
    assert not Path("/abs").exists()


def test_the_element_tables_asked_for_last_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "_ELEMENTS_KEPT", 5)
    collection = open_collection(in_folder(tmp_path / "home", {f"{i}.xml": b"<a/>" for i in range(9)}))
    tables = {id: collection.elements(id) for id in "012345678"}
    assert collection.elements("4") is tables["4"]
    assert collection.elements("3") is not tables["3"]  # takes the place of 5, 4 having been asked for since
    assert collection.elements("4") is tables["4"]
    assert collection.elements("5") is not tables["5"]


def test_only_some_element_tables_are_kept_and_all_stay_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "_ELEMENTS_KEPT", 5)
    files = {f"{i}.xml": b"<a>" + b"<b/>" * i + b"</a>" for i in range(8)}
    collection = open_collection(in_folder(tmp_path / "home", files))
    for id in "0123456776543210":
        elements = collection.elements(id)
        assert elements is not None
        assert len(elements) == int(id) + 1


@pytest.mark.parametrize("pack", [in_tar_gz, in_tar_xz])
@pytest.mark.parametrize("kept", [100, 300, 1000])
def test_a_compressed_tar_cut_early_is_refused_as_cut(pack: Pack, kept: int, tmp_path: Path) -> None:
    """Before its first document has come to an end, and so before Python takes it for a tar."""
    noise = random.Random(7)
    home = pack(tmp_path / "home", {"1.xml": f"<a>{noise.randbytes(4000).hex()}</a>".encode()})
    home.write_bytes(home.read_bytes()[:kept])
    with pytest.raises(InputError) as caught:
        open_collection(home)
    assert caught.value.problem.startswith("cannot be unpacked (Compressed file ended")
    assert caught.value.fix == "Download or create it again."


def test_a_damaged_directory_of_a_zip_is_refused_or_does_no_harm(tmp_path: Path) -> None:
    home = in_zip(tmp_path / "home.zip", {f"{i}.xml": f"<a>{i}</a>".encode() for i in range(4)})
    whole = home.read_bytes()
    directory = whole.index(b"PK\x01\x02")
    chance, endings = random.Random(3), {"read": 0, "refused": 0}
    for _ in range(300):
        damaged = bytearray(whole)
        for _ in range(chance.randint(1, 4)):
            damaged[chance.randrange(directory, len(damaged))] ^= 1 << chance.randrange(8)
        home.write_bytes(damaged)
        refused: InputError | None = None
        texts: set[str] = set()
        try:
            texts = {document.text for document in open_collection(home).values()}
        except InputError as error:
            refused = error
        assert texts <= {"0", "1", "2", "3"}
        assert refused is None or (refused.file.startswith(str(home)) and refused.fix)
        endings["read" if refused is None else "refused"] += 1
    assert min(endings.values()) >= 30, "the damage is too mild or too hard to test anything"


@every_home
def test_a_folder_named_like_a_document_is_none(pack: Pack, tmp_path: Path) -> None:
    home = pack(tmp_path / "home", {"corpus.xml/one.xml": b"<a>one</a>", "corpus.xml/notes.css": b"x"})
    if pack is in_folder:
        (home / "empty.xml").mkdir()
    assert {id: document.text for id, document in open_collection(home).items()} == {"one": "one"}


def test_archives_list_their_folders_and_those_are_no_documents(tmp_path: Path) -> None:
    folder = in_folder(tmp_path / "corpus.xml", {"one.xml": b"<a>one</a>"})
    with tarfile.open(tmp_path / "home.tar", "w") as tar:
        tar.add(folder, "corpus.xml")
    with zipfile.ZipFile(tmp_path / "home.zip", "w") as packed:
        packed.mkdir("corpus.xml")
        packed.write(folder / "one.xml", "corpus.xml/one.xml")
    for home in ("home.tar", "home.zip"):
        assert list(open_collection(tmp_path / home)) == ["one"]


@every_home
@pytest.mark.parametrize("ending", [".xml.GZ", ".XML.GZ", ".nxml.Gz"])
def test_gz_may_be_in_capitals(pack: Pack, ending: str, tmp_path: Path) -> None:
    home = pack(tmp_path / "home", {f"packed{ending}": gzip.compress(b"<a>packed</a>")})
    assert {id: document.text for id, document in open_collection(home).items()} == {"packed": "packed"}


@every_home
def test_only_the_extensions_of_documents_are_cut_from_an_id(pack: Pack, tmp_path: Path) -> None:
    home = pack(tmp_path / "home", {"a.gz.xml": b"<a>1</a>", "b.xml.xml": b"<a>2</a>", "c..xml": b"<a>3</a>"})
    assert sorted(open_collection(home)) == ["a.gz", "b.xml", "c."]
