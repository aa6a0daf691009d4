"""NamedPlaces found all at once are those that are found one by one, whatever is asked for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import inexlab
from inexlab.collection import Collection, open_collection, read_document
from inexlab.collection.finding import NamedPlaces, spans_in
from inexlab.collection.path_tree import Paths
from inexlab.errors import InputError
from inexlab.index.collection import IndexedDocuments
from inexlab.spans import Span
from inexlab.tables import Names
from tests.bounds import checked_bounds
from tests.examples import examples
from tests.retrieval.trees import documents, indexed

# every kind of step and of ending, as files have them, and some that nobody should write
STEPS = st.builds(
    "/{}{}".format,
    st.sampled_from(["r", "a", "b", "p", "i", "none", "w:p"]),
    st.sampled_from(["[1]", "[1]", "[1]", "[2]", "[3]", "[01]", "", "[0]", "[999999999]"]),
)
ENDINGS = [
    *("", "", "", "/text()", "/text()[1]", "/text()[2]", "/text()[0]", "/text()[1].0", "/text()[1].2"),
    *(".0", ".1", ".99", "/text()[2].1", "/", "//p[1]", "/@id", "/text()[1]/p[1]", "[2]", "[x]", "/[1]"),
    *("/text()[1].x", "/text()[1].2.3", "\n", "[1234567890]"),
]
ODD = ["", "/", "//", "r[1]", "/text()", "/text()[1].2", "/.1", "/r[1].1/a[1]", "/ r[1]", "/r [1]", "/ä[1]"]
PATHS = st.one_of(
    st.builds(lambda steps, end: "".join(["/r[1]", *steps]) + end, st.lists(STEPS), st.sampled_from(ENDINGS)),
    st.builds("{}{}".format, STEPS, st.sampled_from(ENDINGS)),
    st.sampled_from(ODD),
)


def asked_of(places: list[tuple[str, str]]) -> NamedPlaces:
    """Return (document, path) pairs as they are asked for."""
    docs, paths = (list(dict.fromkeys(column)) for column in zip(*places, strict=True))
    return NamedPlaces(
        Names.of(docs),
        Paths(Names.of(paths)),
        np.array([docs.index(doc) for doc, _ in places], dtype=np.int32),
        np.array([paths.index(path) for _, path in places], dtype=np.int32),
    )


def one_by_one(collection: Collection, places: list[tuple[str, str]]) -> list[Span]:
    """Return what each document says of each path."""
    tables = [(collection.elements(doc), path) for doc, path in places]
    return [(table.find(path) if table is not None else None) or Span(-1, -1) for table, path in tables]


def all_at_once(collection: Collection, places: list[tuple[str, str]]) -> list[Span]:
    """Return the same by the loops, whose every index is checked."""
    with checked_bounds():
        start, end = collection.spans(asked_of(places))
    return [Span(*span) for span in zip(start.tolist(), end.tolist(), strict=True)]


@examples(40)
@example(texts=["<r/>"], paths=["/r[1]", "/", "/r[1]/text()[1]"])
@example(texts=["<r>x<a/>y<a>z</a></r>"], paths=["/r[1]/text()[2]", "/r/text()[1].1", "/r[1]/a[2].1", "/r.2"])
@example(texts=["<r><a/><b/><a><a/></a></r>", "<a/>"], paths=["/r[1]/a[2]/a[1]", "/r[1]/a[1]/a[1]", "/a[1]"])
@example(
    texts=["<r>x<p>y</p></r>"],
    paths=["/r[1]/text()[1]/p[1]", "/r[1].1/p[1]", "/r[1]/", "/r[1]//p[1]", "/r/p/"],
)
@example(texts=["<r><x><p>y</p></x></r>"], paths=["/r[1]/p[1]"])  # in an element that is on no path
@example(texts=["<r>x<a>y</a>z</r>"], paths=["/r[1]/text()[2]"])  # as many pieces as there is room for
@example(texts=["<r>x<a>y</a></r>"], paths=["/r[1]/text()[1]", "/r[1]/a[1]/text()[0]"])
@given(documents(), st.lists(PATHS, min_size=1, max_size=30))
def test_what_an_index_finds(texts: list[str], paths: list[str]) -> None:
    with indexed(*texts) as index:
        collection = IndexedDocuments(index)
        places = [(f"d{k}", path) for path in paths for k in range(len(texts) + 1)]  # the last is not there
        assert all_at_once(collection, places) == one_by_one(collection, places)


@examples(40)
@given(documents(), st.lists(PATHS, min_size=1, max_size=30))
def test_what_a_document_has(texts: list[str], paths: list[str]) -> None:
    elements = read_document(texts[0].encode(), "d").elements
    with checked_bounds():
        start, end = spans_in(elements, asked_of([("d", path) for path in paths]))
    expected = [elements.find(path) or Span(-1, -1) for path in paths]
    assert [Span(*span) for span in zip(start.tolist(), end.tolist(), strict=True)] == expected


@examples(15)
@given(documents())
def test_every_element_is_found_by_its_path(texts: list[str]) -> None:
    with indexed(*texts) as index:
        collection = IndexedDocuments(index)
        elements = [(id, collection[id].elements) for id in collection]
        places = [(id, table.path(e)) for id, table in elements for e in range(len(table))]
        expected = [Span(e.start, e.end) for _, table in elements for e in table]
        assert all_at_once(collection, places) == expected


TEXTS = {f"d{k}": f"<r>{'<p>bee</p>' * k}<a>wax <i>x</i> y</a>{'<a>z</a>' * k}</r>" for k in range(6)}
SOME = [
    (f"d{k}", path)
    for path in ("/r[1]/p[3]", "/r[1]/a[1]/text()[2]", "/r[1]/a[2]", "/", "/r[1]/a[1]/i", "/r[1]/b[1]", "x")
    for k in (5, 0, 7, 3, 2)
]


@pytest.mark.parametrize("way", ["never", pytest.param("always", marks=pytest.mark.compiled)])
@pytest.mark.parametrize("kind", ["folder", "index", "shards"])
def test_every_kind_of_collection(
    kind: str, way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INEXLAB_COMPILED", way)
    home = tmp_path / "documents"
    home.mkdir()
    for id, text in TEXTS.items():
        (home / f"{id}.xml").write_text(text)
    if kind != "folder":
        inexlab.build_index(home, tmp_path / "index", shards=3 if kind == "shards" else 0)
        home = tmp_path / "index"
    collection = open_collection(home)
    start, end = collection.spans(asked_of(SOME))
    found = [Span(*span) for span in zip(start.tolist(), end.tolist(), strict=True)]
    assert found == one_by_one(collection, SOME)
    assert len({*found}) > 12


@pytest.mark.parametrize(
    ("column", "number", "value", "file"),
    [
        ("parent", 2, 3, "element-parent"),  # before the document
        ("parent", 2, 0, "element-parent"),  # a second root
        ("parent", 0, 1, "element-parent"),
        ("tag", 2, 99, "element-tag"),
        ("length", 2, 99, "element-start.bin or element-length"),
    ],
)
def test_elements_that_cannot_be_are_refused(column: str, number: int, value: int, file: str) -> None:
    """Whoever makes an index by hand can write them, with checksums that fit."""
    with indexed("<r>bee <a>wax <b>hive</b></a></r>") as index:
        values = index.blocks(f"element-{column}").values.copy()
        values[number] = value
        index.blocks(f"element-{column}").values = values
        with pytest.raises(InputError, match=f"{file}.bin does not match"):
            all_at_once(IndexedDocuments(index), [("d0", "/r[1]/a[1]/b[1]")])
