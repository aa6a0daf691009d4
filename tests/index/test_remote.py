"""Indexes on other file systems: copied to a cache here, then opened; in memory and on disk."""

from __future__ import annotations

import re
import sys
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import fsspec
import pytest

import inexlab
from inexlab.errors import InexlabError, InputError, UsageError
from inexlab.executors import Executor, SpreadTask, Threads, WorkerLostError
from inexlab.index.index import open_index
from inexlab.index.indexing import index_documents
from inexlab.index.remote import is_url, join_url, local_copy, uploaded
from inexlab.index.sharded import ShardedIndex

DOCUMENTS = {
    f"{word}.xml": f"<article><title>{word}</title><body><p>bee {word} wax</p><p>{word}</p></body></article>"
    for word in ("dance", "hive", "queen")
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Documents, a cache of our own, and nothing in memory."""
    monkeypatch.setenv("INEXLAB_CACHE", str(tmp_path / "cache"))
    (tmp_path / "docs").mkdir()
    for name, text in DOCUMENTS.items():
        (tmp_path / "docs" / name).write_text(text)
    yield tmp_path
    fsspec.filesystem("memory").rm("/", recursive=True)


def run_of(index: object, out: Path) -> bytes:
    inexlab.make_run(index, {"1": "bee queen", "2": "wax"}, out, by="elements:*")  # type: ignore[arg-type]
    return out.read_bytes()


@pytest.mark.parametrize("shards", [0, 2])
def test_an_index_in_memory_answers_as_one_here_does(folder: Path, shards: int) -> None:
    docs, out = folder / "docs", folder / "run.txt"
    inexlab.build_index(docs, folder / "here")
    made = inexlab.build_index(docs, "memory://there/index", shards=shards)
    assert repr(made) == "Index('memory://there/index', 3 documents, 15 elements)"
    assert run_of("memory://there/index", out) == run_of(folder / "here", out)
    assert isinstance(open_index("memory://there/index"), ShardedIndex) is bool(shards)
    found = inexlab.search("memory://there/index", "queen", by="elements")
    assert list(found) == list(inexlab.search(folder / "here", "queen", by="elements"))
    if shards:  # merged from there, too
        inexlab.build_index("memory://there/index", folder / "merged", merge=True)
        assert run_of(folder / "merged", out) == run_of(folder / "here", out)


def test_a_copy_is_made_once_for_each_content(folder: Path) -> None:
    docs, cache, url = folder / "docs", folder / "cache", "memory://index"
    inexlab.build_index(docs, url)
    first = local_copy(url)
    before = len(list(cache.iterdir()))
    assert local_copy(url) == first
    assert len(list(cache.iterdir())) == before
    fsspec.filesystem("memory").rm("/index", recursive=True)
    (docs / "drone.xml").write_text("<article><p>drone</p></article>")
    inexlab.build_index(docs, url)
    assert local_copy(url) != first
    assert len(open_index(url).documents) == 4
    assert len(open_index(first).documents) == 3  # whoever had the old one open keeps it


def test_files_on_disk_are_not_copied(folder: Path) -> None:
    inexlab.build_index(folder / "docs", f"file://{folder}/index", shards=3)
    assert local_copy(f"file://{folder}/index") == folder / "index"
    out = folder / "run.txt"
    assert run_of(f"file://{folder}/index", out) == run_of(folder / "index", out)
    assert not (folder / "cache").exists()


def test_what_is_wrong_with_a_url_is_one_message(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    docs = folder / "docs"
    with pytest.raises(InputError, match=r"^memory://nothing: no such index"):
        inexlab.search("memory://nothing", "bee")
    with pytest.raises(UsageError, match=r"^nosuch://x cannot be opened \(Protocol not known: nosuch\)"):
        inexlab.search("nosuch://x", "bee")
    inexlab.build_index(docs, "memory://index")
    with pytest.raises(UsageError, match=r"^memory://index already exists; give a new place"):
        inexlab.build_index(docs, "memory://index")
    with pytest.raises(UsageError, match="takes an index on this file system"):
        inexlab.build_index(docs, "memory://index", append=True)
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(UsageError, match=r"takes the package fsspec: pip install 'inexlab\[cluster\]'"):
        inexlab.search("memory://index", "bee")


def test_an_upload_that_was_interrupted_is_begun_anew(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    memory, put = type(fsspec.filesystem("memory")), type(fsspec.filesystem("memory")).put_file
    sent: list[str] = []

    def lose(self: object, here: str, there: str, **options: object) -> None:
        if len(sent) == 3:
            raise OSError("the connection is lost")
        sent.append(there)
        put(self, here, there, **options)

    monkeypatch.setattr(memory, "put_file", lose)
    message = (
        r"^memory://index cannot be written \(the connection is lost\); .*; the index is complete in (.*)\.$"
    )
    with pytest.raises(UsageError, match=message) as caught:
        inexlab.build_index(folder / "docs", "memory://index")
    monkeypatch.undo()
    monkeypatch.setenv("INEXLAB_CACHE", str(folder / "cache"))
    complete = re.search(message, str(caught.value))
    assert complete is not None
    assert len(open_index(complete[1]).documents) == 3
    with pytest.raises(InputError, match="memory://index"):
        inexlab.search("memory://index", "bee")
    fsspec.filesystem("memory").pipe_file("/index/left", b"of the other")
    inexlab.build_index(folder / "docs", "memory://index")
    assert len(open_index("memory://index").documents) == 3
    left = {Path(name).name for name in fsspec.filesystem("memory").find("/index")}
    assert not left & {"left", "unfinished"}
    assert not list((folder / "cache").glob("building-*"))


def test_a_place_is_not_taken_from_another_that_uploads_to_it(folder: Path) -> None:
    memory = fsspec.filesystem("memory")
    memory.pipe_file("/index/unfinished", b"node-3:/home/bee/.cache")
    with pytest.raises(
        UsageError, match=r"^memory://index is being uploaded from node-3:/home/bee/\.cache, or"
    ):
        inexlab.build_index(folder / "docs", "memory://index")
    assert memory.find("/index") == ["/index/unfinished"]


def test_a_place_that_cannot_be_written_is_refused_before_anything_is_built(folder: Path) -> None:
    with zipfile.ZipFile(folder / "full.zip", "w") as made:
        made.writestr("other", "")
    url = f"zip://index::{folder}/full.zip"
    with pytest.raises(
        UsageError, match=r"^zip://index::.*full\.zip cannot be written \(.*\); give another place"
    ):
        inexlab.build_index(folder / "nothing", url)
    assert not list((folder / "cache").iterdir())


def test_parts_of_an_index_for_a_url_are_kept(folder: Path) -> None:
    class LosesTheSecond(Executor):
        def completed(self, tasks: Sequence[SpreadTask]) -> Iterator[tuple[int, Any]]:
            yield 0, tasks[0].function(*tasks[0].arguments)
            raise WorkerLostError(tasks[1].name, 6)

    def build(executor: Executor) -> None:
        with uploaded("memory://index") as out:
            index_documents([folder / "docs"], out, shards=3, executor=executor)

    with pytest.raises(WorkerLostError, match=r"1 of 3 parts are done, in .*cache"):
        build(LosesTheSecond())
    (part,) = (folder / "cache").glob("building-*/index.parts/0-*.done")
    before = part.stat().st_mtime_ns
    changed: list[int] = []

    class Looks(Threads):
        def completed(self, tasks: Sequence[SpreadTask]) -> Iterator[tuple[int, Any]]:
            changed.append(part.stat().st_mtime_ns)
            with pytest.raises(
                UsageError, match=r"^memory://index is being written by another process; wait"
            ):
                build(Threads(1))
            yield from super().completed(tasks)

    build(Looks(1))
    assert changed == [before, before]
    assert len(open_index("memory://index").documents) == 3


def test_copies_that_a_killed_process_left_are_removed(folder: Path) -> None:
    left = folder / "cache/.copy.abcd1234.unfinished"
    (left / "copy").mkdir(parents=True)
    (left / "lock").touch()
    inexlab.build_index(folder / "docs", "memory://index")
    assert not left.exists()


def test_urls() -> None:
    assert is_url("s3://bucket/index")
    assert not is_url("C:\\index")
    assert not is_url("a/b://c" if sys.platform == "win32" else "index")
    assert not is_url(Path("s3:/x"))
    assert join_url("s3://bucket/index/", "3") == "s3://bucket/index/3"
    assert join_url("/index", "3") == "/index/3"


def zipped(folder: Path, archive: Path, *more: str, inside: str = "index/") -> str:
    """Put an index into an archive, with more files; return its URL."""
    with zipfile.ZipFile(archive, "w") as made:
        for file in sorted(file for file in folder.rglob("*") if file.is_file()):
            content = file.read_bytes()
            if file.suffix == ".json":  # numbers in it have more digits or fewer
                content = content.ljust(-(-len(content) // 1024) * 1024)
            made.writestr(zipfile.ZipInfo(f"{inside}{file.relative_to(folder).as_posix()}"), content)
        for name in more:
            made.writestr(name, "owned")
    return f"zip://{inside.rstrip('/')}::{archive}"


@pytest.mark.parametrize("inside", ["index/", ""])
@pytest.mark.parametrize("shards", [0, 2])
def test_an_index_in_an_archive(folder: Path, shards: int, inside: str) -> None:
    inexlab.build_index(folder / "docs", folder / "here", shards=shards)
    url = zipped(folder / "here", folder / "index.zip", inside=inside)
    assert run_of(url, folder / "run.txt") == run_of(folder / "here", folder / "run.txt")


@pytest.mark.parametrize("shards", [0, 2])
def test_an_index_of_the_same_sizes_is_copied_anew(folder: Path, shards: int) -> None:
    """Some file systems tell no more of a file than its size."""
    found, sizes = [], []
    for word, other in (("hive", "comb"), ("comb", "hive")):
        docs = folder / f"docs-{word}"
        docs.mkdir()
        for k in range(2):
            (docs / f"{k}.xml").write_text(f"<article><p>{word} bee number {k}</p></article>")
        inexlab.build_index(docs, folder / word, shards=shards)
        url = zipped(folder / word, folder / "index.zip")
        found += [len(inexlab.search(url, word)), len(inexlab.search(url, other))]
        with zipfile.ZipFile(folder / "index.zip") as made:
            sizes.append([(about.filename, about.file_size) for about in made.infolist()])
    assert sizes[0] == sizes[1]
    assert found == [2, 0, 2, 0]


@pytest.mark.parametrize(
    "name", ["index/../../owned.txt", "index/1/../../../owned.txt", r"index/..\owned.txt"]
)
def test_no_file_is_written_outside_the_cache(folder: Path, name: str) -> None:
    inexlab.build_index(folder / "docs", folder / "here")
    url = zipped(folder / "here", folder / "hostile.zip", name)
    with pytest.raises(
        InputError, match=r"^zip://index::.*hostile\.zip: holds a file that lies elsewhere \("
    ):
        inexlab.search(url, "bee")
    assert not [file for file in folder.rglob("*") if "owned" in file.name]
    assert {file.name for file in (folder / "cache").rglob("*") if file.is_file()} <= {"manifest.json"}


@pytest.mark.parametrize("damage", ["no archive", "cut", "content"])
def test_a_damaged_archive_is_one_message(folder: Path, damage: str) -> None:
    inexlab.build_index(folder / "docs", folder / "index")
    archive = folder / "index.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for file in sorted((folder / "index").rglob("*")):
            packed.write(file, f"index/{file.relative_to(folder / 'index')}")
    content = archive.read_bytes()
    half = len(content) // 2
    middle = content[: half - 500] + b"\xff" * 500 + content[half:]
    archive.write_bytes({"no archive": b"garbage", "cut": content[:half], "content": middle}[damage])
    url = f"zip://index::file://{archive}"
    with pytest.raises(InexlabError, match=rf"^{re.escape(url)}:? cannot be (opened|read) \(.+\)") as caught:
        inexlab.search(url, "bee")
    assert "\n" not in str(caught.value)
    assert damage != "no archive" or "File is not a zip file" in str(caught.value)
    with pytest.raises(InexlabError, match=re.escape(url)):
        inexlab.build_index(folder / "docs", url)
