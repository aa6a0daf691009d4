"""From paths to spans."""

from __future__ import annotations

from pathlib import Path

import pytest

from inexlab.collection import Collection, open_collection
from inexlab.errors import InputError
from inexlab.runs import Run, RunBuilder, locate

# /a[1] 0:14   /a[1]/p[1] 1:6 ("first ")   /a[1]/p[2] 7:6 ("second")
DOCUMENT = "<a>\n<p>first </p><p>second</p>\n</a>"


@pytest.fixture
def collection(tmp_path: Path) -> Collection:
    (tmp_path / "d.xml").write_text(DOCUMENT)
    (tmp_path / "e.xml").write_text("<a>e</a>")
    return open_collection(tmp_path)


def run_of(*places: tuple[str, str] | tuple[str, str, str] | tuple[str, int, int]) -> Run:
    """A run of (document, path), (document, path, until) or (document, start, end)."""
    builder = RunBuilder()
    for doc, place, *until in places:
        if isinstance(place, int):
            assert isinstance(until[0], int)
            builder.add("t", doc, 0.5, span=(place, until[0]))
        else:
            builder.add("t", doc, 0.5, path=place, until=str(until[0]) if until else None)
    return builder.build("mine", "folder/run.txt")


def spans(run: Run) -> list[tuple[int | None, int | None]]:
    return [(result.start, result.end) for result in run]


def test_paths_become_spans(collection: Collection) -> None:
    run = run_of(
        ("d", "/a[1]/p[2]"),
        ("e", "/a[1]"),
        ("d", "/a/p"),
        ("d", "/a[1]/p[2]"),
        ("d", "/a[1]/p[1]/text()[1].2"),
    )
    assert spans(locate(run, collection)) == [(7, 13), (0, 1), (1, 7), (7, 13), (3, 3)]


def test_everything_else_stays(collection: Collection) -> None:
    run = run_of(("d", "/a[1]/p[2]"), ("d", 3, 5))
    located = locate(run, collection)
    assert [r._replace(start=None, end=None) for r in located] == [
        r._replace(start=None, end=None) for r in run
    ]
    assert spans(located) == [(7, 13), (3, 5)]
    assert spans(run) == [(None, None), (3, 5)], "the run given is not changed"


def test_a_run_of_spans_needs_nothing() -> None:
    run = run_of(("anything", 3, 5))
    assert locate(run) is run


def test_results_that_were_not_located_stay_so() -> None:
    builder = RunBuilder()
    builder.add("t", "d")
    assert spans(locate(builder.build("r"))) == [(None, None)]


@pytest.mark.parametrize(
    "place", [("nobody", "/a[1]"), ("d", "/a[1]/p[3]"), ("d", "nonsense"), ("nobody", "/")]
)
def test_what_the_collection_does_not_have_stays_without_span(
    place: tuple[str, str], collection: Collection
) -> None:
    run = run_of(("d", "/a[1]/p[1]"), place)
    assert spans(locate(run, collection)) == [(1, 7), (None, None)]


@pytest.mark.parametrize(
    ("start", "end", "span"),
    [
        pytest.param("/a[1]/p[1]/text()[1].2", "/a[1]/p[2]/text()[1].3", (3, 10), id="two points"),
        pytest.param("/a[1]/p[1]", "/a[1]/p[2]", (1, 13), id="a range of elements"),
        pytest.param("/a[1]/p[1]/text()[1].2", "/a[1]/p[2]", (3, 13), id="from a point to an element's end"),
        pytest.param(
            "/a[1]/p[2]", "/a[1]/p[2]/text()[1].3", (7, 10), id="from an element's begin to a point"
        ),
        pytest.param("/a[1]/p[1]", "/a[1]/p[1]", (1, 7), id="one element"),
        pytest.param("/a[1]/p[1]/text()[1].2", "/a[1]/p[1]/text()[1].2", (3, 3), id="an empty passage"),
        pytest.param("/a[1]/p[2]/text()[1].3", "/a[1]/p[1]/text()[1].2", (None, None), id="backwards"),
        pytest.param("/a[1]/p[1]", "/a[1]/p[9]", (None, None), id="no such end"),
        pytest.param("/a[1]/p[9]", "/a[1]/p[1]", (None, None), id="no such start"),
    ],
)
def test_passages_with_two_paths(
    start: str, end: str, span: tuple[int | None, int | None], collection: Collection
) -> None:
    assert spans(locate(run_of(("d", start, end)), collection)) == [span]


def test_whole_documents_by_the_judgements_size() -> None:
    sizes = {"d": 14, "e": 1}
    assert spans(locate(run_of(("d", "/"), ("e", "/")), size_of=sizes.get)) == [(0, 14), (0, 1)]


def test_whole_documents_by_the_collection(collection: Collection) -> None:
    assert spans(locate(run_of(("d", "/"), ("e", "/")), collection)) == [(0, 14), (0, 1)]


def test_the_judgements_size_comes_first_and_the_collection_helps_out(collection: Collection) -> None:
    sizes = {"d": 99}
    assert spans(locate(run_of(("d", "/"), ("e", "/")), collection, sizes.get)) == [(0, 99), (0, 1)]


def test_whole_documents_of_unknown_length_ask_for_the_collection() -> None:
    with pytest.raises(InputError) as caught:
        locate(run_of(("d", "/"), ("e", "/")), size_of={"d": 14}.get)
    assert str(caught.value) == (
        "folder/run.txt: returns whole documents, and the length of document e is not known. "
        "Give `collection=DIR`, or ask for measures of documents such as AP, P@10 or nDCG@10."
    )


def test_paths_without_a_collection_ask_for_it() -> None:
    with pytest.raises(InputError) as caught:
        locate(run_of(("d", "/a[1]/p[1]")), size_of={"d": 14}.get)
    assert str(caught.value) == (
        "folder/run.txt: returns paths such as /a[1]/p[1], and the text of document d is not known. "
        "Give `collection=DIR`."
    )


def test_a_broken_document_is_named(collection: Collection, tmp_path: Path) -> None:
    (tmp_path / "e.xml").write_text("<a>\n</b>")
    with pytest.raises(InputError, match=r"e\.xml, line 2: not well-formed XML"):
        locate(run_of(("d", "/a[1]"), ("e", "/a[1]")), collection)
