"""Documents replaced and removed, as if the index had been built so; indexes closed, sent and reopened."""

from __future__ import annotations

import copy
import gc
import multiprocessing
import os
import pickle
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.collection.documents import FileFilter
from inexlab.collection.profile import read_profile
from inexlab.errors import InputError, UsageError
from inexlab.index.build import Settings, build_index
from inexlab.index.index import Index, open_index
from inexlab.index.indexing import append_documents, index_documents, remove_documents
from inexlab.index.store import files_folder, workspace
from tests.examples import examples

SETTINGS = Settings(read_profile("markdown"), stemmer="none")
WORDS = ["bee", "waggle", "dance", "hive", "café", "東京", "\r\n", "&<>", "\f"]


def document(seed: int) -> str:
    chance = random.Random(seed)
    lines = [" ".join(chance.choices(WORDS, k=5)) for _ in range(4)]
    listed = f"- {lines[1]}\n- {lines[2]}\n\n{lines[3]}x\n"
    return f"# Title {seed}\n\n{lines[0]} [link](http://{seed})\n\n## More\n\n{listed}"


def write(folder: Path, ids: dict[str, int]) -> list[Path]:
    folder.mkdir(exist_ok=True)
    for id, seed in ids.items():
        (folder / f"{id}.md").write_bytes(document(seed).encode())
    return [folder / f"{id}.md" for id in ids]


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in files_folder(folder).iterdir()}


def built(ids: dict[str, int], out: Path) -> dict[str, bytes]:
    documents = [(id, f"{id}.md", document(seed).encode()) for id, seed in ids.items()]
    build_index(documents, out, Settings(read_profile("markdown"), stemmer="none", ids="name"))
    return contents(out)


IDS = st.lists(st.sampled_from("abcdef"), unique=True, min_size=1, max_size=6)


@examples(10)
@given(IDS, IDS, st.sets(st.sampled_from("abcdef")), st.integers(0, 99))
def test_changed_as_built_of_those_documents(
    tmp_path_factory: pytest.TempPathFactory, first: list[str], second: list[str], gone: set[str], seed: int
) -> None:
    tmp_path = tmp_path_factory.mktemp("change")
    now = {id: seed + k for k, id in enumerate(first)}
    index_documents(write(tmp_path / "one", now), tmp_path / "index", SETTINGS)
    new = {id: seed + 50 + k for k, id in enumerate(second)}
    summary = append_documents(write(tmp_path / "two", new), tmp_path / "index")
    replaced = [id for id in second if id in now]
    assert [f"replaced {len(replaced)} document" in note for note in summary.notes] == [True] * bool(replaced)
    now |= new  # in their old places, the others behind
    assert contents(tmp_path / "index") == built(now, tmp_path / "expected")
    removed = [id for id in now if id in gone]
    if removed and len(removed) < len(now):
        summary = remove_documents(removed, tmp_path / "index")
        assert summary.documents == len(now) - len(removed)
        kept = {id: seed for id, seed in now.items() if id not in gone}
        assert contents(tmp_path / "index") == built(kept, tmp_path / "without")


def test_what_cannot_be_removed(tmp_path: Path) -> None:
    index_documents(write(tmp_path / "docs", {"apple": 1, "pear": 2}), tmp_path / "index", SETTINGS)
    before = contents(tmp_path / "index")
    with pytest.raises(UsageError, match=r"has no document 'aple'; did you mean 'apple'\?"):
        remove_documents(["pear", "aple"], tmp_path / "index")
    with pytest.raises(UsageError, match=r"cannot remove all documents of .*; an index has at least one\."):
        remove_documents(["pear", "apple", "pear"], tmp_path / "index")
    assert contents(tmp_path / "index") == before


def test_ids_stay_what_they_are_in_an_index(tmp_path: Path) -> None:
    write(tmp_path / "docs", {"a": 1, "b": 2})
    index_documents([tmp_path / "docs"], tmp_path / "index", SETTINGS)
    write(tmp_path / "x", {})
    for name in ("one", "two"):
        write(tmp_path / "x" / name, {"c": 3})
    with pytest.raises(
        InputError, match=r"two/c\.md: has the id 'c', as .*one/c\.md\. .* choose `ids=path`\."
    ):
        append_documents([tmp_path / "x"], tmp_path / "index")
    index_documents([tmp_path / "x"], tmp_path / "paths", SETTINGS)
    assert list(open_index(tmp_path / "paths").documents) == ["one/c", "two/c"]
    append_documents([tmp_path / "docs"], tmp_path / "paths")
    assert list(open_index(tmp_path / "paths").documents) == ["one/c", "two/c", "a", "b"]


def test_documents_that_keep_their_extensions_are_found_again(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    for name in ("x/a.md", "x/a.txt", "y/a.md"):
        (docs / name).parent.mkdir(parents=True, exist_ok=True)
        (docs / name).write_text(f"words of {name}")
    index_documents([docs], tmp_path / "index", SETTINGS)
    assert list(open_index(tmp_path / "index").documents) == ["x/a.md", "x/a.txt", "y/a"]
    (docs / "x/a.md").write_text("new words")
    append_documents([docs], tmp_path / "index", file_filter=FileFilter(include=("x/a.md", "y")))
    index = open_index(tmp_path / "index")
    assert list(index.documents) == ["x/a.md", "x/a.txt", "y/a"]
    assert index.text(0) == "new words"


def test_a_second_build_to_the_same_place_is_refused_at_its_beginning(tmp_path: Path) -> None:
    files = write(tmp_path / "docs", {"a": 1})
    with workspace(tmp_path / "index"), pytest.raises(UsageError, match=r"index is being written by another"):
        index_documents(files, tmp_path / "index", SETTINGS)
    index_documents(files, tmp_path / "index", SETTINGS)
    with pytest.raises(UsageError, match="is already an index"):
        index_documents(files, tmp_path / "index", SETTINGS)


@pytest.fixture
def index(tmp_path: Path) -> Path:
    index_documents(write(tmp_path / "docs", {"a": 1, "b": 2}), tmp_path / "index", SETTINGS)
    return tmp_path / "index"


def test_closed(index: Path) -> None:
    with open_index(index) as opened:
        assert opened.text(0) == document(1)
        documents = opened.documents
    assert list(documents) == ["a", "b"]  # what was taken from it stays
    with pytest.raises(UsageError, match=r"the index .*index is closed; open it again\."):
        opened.text(0)
    assert repr(opened) == f"Index({str(index)!r}, closed)"
    opened.close()
    assert open_index(index).text(0) == document(1)
    with pytest.raises(AttributeError, match="an index has no 'nonsense'"):
        open_index(index).nonsense  # noqa: B018


def _titles(index: Index) -> list[str]:
    return list(index.titles)


def test_sent_to_another_process(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(index.parent)
    opened = open_index("index")
    assert list(opened.guide.tags)  # which is not sent
    assert list(pickle.loads(pickle.dumps(opened)).documents) == ["a", "b"]
    assert list(copy.copy(opened).documents) == ["a", "b"]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        monkeypatch.chdir(index)
        assert pool.apply(_titles, (pickle.loads(pickle.dumps(opened)),)) == ["Title 1", "Title 2"]


def test_opened_many_times(index: Path) -> None:
    def handles() -> int:
        return len(os.listdir("/proc/self/fd"))  # noqa: PTH208

    def maps() -> int:
        return sum("index" in line for line in Path("/proc/self/maps").read_text().splitlines())

    if not Path("/proc/self/maps").exists():
        pytest.skip("this system does not tell which files are open")
    gc.collect()
    gc.disable()  # nothing may wait for it
    try:
        before = handles(), maps()
        for _ in range(300):
            opened = open_index(index)
            assert opened.text(1) == document(2)
            assert opened.guide is not None
        del opened
        assert (handles(), maps()) == before
    finally:
        gc.enable()
