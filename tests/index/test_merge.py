"""Merging: the same files, byte by byte, as those of an index built at once."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.errors import InputError
from inexlab.index import joining as joining_module
from inexlab.index.build import Settings, build_index
from inexlab.index.indexing import append_documents, index_documents
from inexlab.index.merge import merge_indexes
from inexlab.index.store import files_folder
from tests.examples import examples
from tests.index.test_build import PROFILE, SETTINGS
from tests.index.xml_documents import documents


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in files_folder(folder).iterdir()}


def build(folder: Path, name: str, given: Sequence[tuple[int, str]], how: Settings = SETTINGS) -> Path:
    build_index(((f"d{k}", f"d{k}.xml", xml.encode()) for k, xml in given), folder / name, how)
    return folder / name


def large(number: int) -> str:
    """A document with many tags, words and elements, so that columns need wider numbers."""
    inner = "".join(f"<t{k}>w{k * number} w{k}</t{k}>" for k in range(300))
    return f"<article>{inner}{'<p>x</p>' * 40}{' long' * 70_000 if number == 2 else ''}</article>"


def well_formed(xml: str) -> bool:
    from inexlab.collection import read_document

    try:
        read_document(xml.encode(), "x")
    except InputError:
        return False
    return True


@given(st.lists(documents().filter(well_formed), min_size=2, max_size=6), st.data())
@examples(25)
def test_merged_as_built_at_once(given: list[str], data: st.DataObject) -> None:
    numbered = list(enumerate(given))
    cuts = data.draw(st.sets(st.integers(1, len(given) - 1), min_size=1))
    borders = [0, *sorted(cuts), len(given)]
    with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        patch.setattr(joining_module, "_BYTES", data.draw(st.integers(1, 40)))
        patch.setattr(joining_module, "_AT_ONCE", data.draw(st.integers(1, 40)))
        folder = Path(name)
        whole = build(folder, "whole", numbered)
        pairs = itertools.pairwise(borders)
        shards = [build(folder, f"shard{a}", numbered[a:b]) for a, b in pairs]
        merge_indexes(shards, folder / "merged")
        assert contents(folder / "merged") == contents(whole)


def test_wider_numbers_after_the_first_shard(tmp_path: Path) -> None:
    numbered = [(0, "<article>x</article>"), (1, large(1)), (2, large(2)), (3, "<other>w9</other>")]
    whole = build(tmp_path, "whole", numbered)
    shards = [build(tmp_path, f"s{k}", numbered[k : k + 1]) for k in range(4)]
    merge_indexes(shards, tmp_path / "merged")
    assert contents(tmp_path / "merged") == contents(whole)


def test_appended_as_built_at_once(tmp_path: Path) -> None:
    for k in range(5):
        (tmp_path / f"d{k}.xml").write_text(large(k))
    files = [tmp_path / f"d{k}.xml" for k in range(5)]
    index_documents(files, tmp_path / "whole", SETTINGS)
    index_documents(files[:2], tmp_path / "index", SETTINGS)
    summary = append_documents(files[2:4], tmp_path / "index")
    assert summary.documents == 4
    append_documents(files[4:], tmp_path / "index")
    assert contents(tmp_path / "index") == contents(tmp_path / "whole")
    append_documents(files[3:4], tmp_path / "index")  # takes its own place
    assert contents(tmp_path / "index") == contents(tmp_path / "whole")
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_dir()) == ["index", "whole"]


def test_several_processes_as_one(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    for k in range(7):
        (folder / f"d{k}.xml").write_text(large(k) if k % 2 else f"<article><p>bee {k}</p></article>")
    (folder / "d3.xml").write_text("<broken>")
    one = index_documents([folder], tmp_path / "one", Settings(stemmer="none"))
    three = index_documents([folder], tmp_path / "three", Settings(stemmer="none"), jobs=3)
    assert contents(tmp_path / "one") == contents(tmp_path / "three")
    assert one == three
    assert len(one.skipped) == 1


@pytest.mark.parametrize(
    ("other", "what"),
    [
        (replace(SETTINGS, stemmer="none"), "stemmer"),
        (replace(SETTINGS, stop_words="none"), "list of stop words"),
        (replace(SETTINGS, profile=replace(PROFILE, inline=())), "profile"),
    ],
)
def test_indexes_that_are_not_alike(tmp_path: Path, other: Settings, what: str) -> None:
    shards = [build(tmp_path, "a", [(0, "<a>x</a>")]), build(tmp_path, "b", [(1, "<a>y</a>")], other)]
    with pytest.raises(InputError, match=rf"b: has another {what} than .*a\. Build them with the same"):
        merge_indexes(shards, tmp_path / "merged")
    assert not (tmp_path / "merged").exists()


def test_a_document_in_two_indexes(tmp_path: Path) -> None:
    shards = [build(tmp_path, "a", [(0, "<a>x</a>")]), build(tmp_path, "b", [(0, "<a>y</a>")])]
    with pytest.raises(InputError, match=r"b: has a document 'd0', as .*a\."):
        merge_indexes(shards, tmp_path / "merged")
