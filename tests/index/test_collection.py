"""An index stands for the documents it was made of."""

from __future__ import annotations

from collections import Counter
from importlib.resources import as_file, files
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.collection import open_collection
from inexlab.collection.documents import Documents
from inexlab.errors import InputError
from inexlab.index.build import build_index
from inexlab.index.collection import IndexedDocuments, _places_among_siblings
from inexlab.measures import evaluate


def test_the_documents_of_an_index_are_those_of_its_sources(tmp_path: Path) -> None:
    with as_file(files("inexlab") / "handbook") as handbook:
        build_index(Documents([handbook / "articles"]), tmp_path / "index")
        indexed, read = open_collection(tmp_path / "index"), open_collection(handbook / "articles")
        assert isinstance(indexed, IndexedDocuments)
        assert list(indexed) == list(read)
        assert indexed.tags() == read.tags()
        for id in read:
            a, b = indexed[id], read[id]
            assert a.text == b.text
            assert [tuple(e) for e in a.elements] == [tuple(e) for e in b.elements]
            assert np.array_equal(a.elements.nth, b.elements.nth)
        assert indexed.elements("no such document") is None
        scores = [
            evaluate(
                handbook / "judgements.qrels",
                [handbook / "runs" / "focused-paragraphs.txt"],
                ["MAiP", "MAep(quant=gen5,overlap=on)"],
                collection=documents,
            )
            for documents in (indexed, read)
        ]
        assert list(scores[0].rows()) == list(scores[1].rows())


def test_another_folder_with_a_manifest_is_no_index(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text('{"name": "something else"}')
    (tmp_path / "a.xml").write_text("<a>one</a>")
    assert open_collection(tmp_path)["a"].text == "one"


def test_a_damaged_index_is_no_collection(tmp_path: Path) -> None:
    build_index([("a", "a.xml", b"<a>one</a>")], tmp_path / "index")
    manifest = tmp_path / "index" / "manifest.json"
    manifest.write_text(manifest.read_text()[:-30])
    with pytest.raises(InputError, match="manifest is damaged"):
        open_collection(tmp_path / "index")


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 2)), max_size=30))
def test_places_among_siblings_are_counted(drawn: list[tuple[int, int]]) -> None:
    """An element is inside one of those before it; its place counts the siblings of its name."""
    parent = np.array([min(at, number - 1) for number, (at, _) in enumerate(drawn)], dtype=np.int64)
    tag = np.array([code for _, code in drawn], dtype=np.int64)
    known: Counter[tuple[int, int]] = Counter()
    expected = []
    for key in zip(parent.tolist(), tag.tolist(), strict=True):
        known[key] += 1
        expected.append(known[key])
    assert _places_among_siblings(parent, tag).tolist() == expected
