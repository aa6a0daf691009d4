"""Columns in two halves: what is written is read, and parts follow one another as they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inexlab.errors import InputError
from inexlab.index.build import build_index
from inexlab.index.halves import HalvedFile, find_turns, number_of, turns_between, uppers_of
from inexlab.index.index import open_index
from inexlab.index.merge import merge_indexes
from inexlab.index.store import files_folder
from inexlab.retrieval.unit import units_of
from tests.index.test_build import SETTINGS
from tests.index.test_hand_made import Change, rewrite

numbers = st.integers(0, (1 << 18) - 1) | st.integers(0, 3).map(lambda upper: upper << 16)
collections = st.lists(st.lists(numbers, min_size=1, max_size=6), min_size=1, max_size=6)


def columns_of(documents: list[list[int]]) -> tuple[Any, Any]:
    column = np.array([number for document in documents for number in document], dtype=np.uint32)
    back = np.array([k for document in documents for k in range(len(document))], dtype=np.uint32)
    return column, back


def turns_of(documents: list[list[int]], way: str) -> tuple[Any, Any]:
    column, back = columns_of(documents)
    turns, uppers = (np.full(2 * len(column), -1, dtype=np.int64) for _ in range(2))
    count = getattr(find_turns, way)(column, back, turns, uppers)
    return turns[:count], uppers[:count]


@given(collections, st.sampled_from(["plain", "compiled"]))
@settings(deadline=None)  # compiling takes a while
def test_numbers_are_read_as_they_were_written(documents: list[list[int]], way: str) -> None:
    column, _ = columns_of(documents)
    turns, uppers = (part.astype(np.uint32) for part in turns_of(documents, way))
    upper = uppers_of(turns, uppers, len(column))
    assert upper is not None
    lower = (column & 0xFFFF).astype(np.uint16)
    assert np.array_equal(lower + upper.of(np.arange(len(column))), column)
    for first in range(len(column)):
        for last in range(first, len(column) + 1):
            assert np.array_equal(lower[first:last] + upper.between(first, last), column[first:last])
    at = 0
    for document in documents:
        near = getattr(turns_between, way)(upper.turns, at, at + len(document))
        found = [getattr(number_of, way)(lower, *upper, *near, e) for e in range(at, at + len(document))]
        assert found == document
        at += len(document)


@given(collections, collections)
def test_parts_follow_one_another_as_they_are(one: list[list[int]], other: list[list[int]]) -> None:
    (turns, uppers), (more, more_uppers) = turns_of(one, "plain"), turns_of(other, "plain")
    behind = more + sum(map(len, one))
    whole = turns_of(one + other, "plain")
    assert np.array_equal(whole[0], np.concatenate((turns, behind)))
    assert np.array_equal(whole[1], np.concatenate((uppers, more_uppers)))


def test_as_many_turns_as_there_is_room_for() -> None:
    documents = [[1 << 16]] * 5
    turns, uppers = turns_of(documents, "compiled")
    assert turns.tolist() == [0, 1, 1, 2, 2, 3, 3, 4, 4, 5]
    assert uppers.tolist() == [1, 0] * 5


def test_small_numbers_have_no_turns(tmp_path: Path) -> None:
    file = HalvedFile(tmp_path, "small")
    file.add(*columns_of([[0, 65535], [7]]))
    lower, turns, uppers = (one.close() for one in file.files)
    assert (lower["length"], turns["length"], uppers["length"]) == (3, 0, 0)


def long_document(number: int) -> bytes:
    """A document of 60,000 characters, and 40,000 more for every number."""
    text = "bees dance " * 1000
    parts = "".join(f"<sec><p>{text}<b>wax</b></p><p>{' ' * 20_000}ants {k}</p></sec>" for k in range(number))
    return f"<article><p>{' ' * 60_000}</p>{parts}<p>end</p></article>".encode()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("halves")
    sizes = (0, 3, 0, 5, 1)
    documents = [(f"d{k}", f"d{k}", long_document(size)) for k, size in enumerate(sizes)]
    build_index(documents, folder / "whole", SETTINGS)
    build_index(documents[:2], folder / "one", SETTINGS)
    build_index(documents[2:], folder / "other", SETTINGS)
    return folder


def test_spans_of_long_documents(folder: Path) -> None:
    index = open_index(folder / "whole")
    elements = np.arange(index.document_elements[-1])
    starts, ends = index.spans(elements)
    assert starts.max() > 1 << 17
    for element in elements.tolist():
        assert index.span(element) == (starts[element], ends[element])
        text = index.text(index.document_of(element))[starts[element] : ends[element]]
        if index.tag(element) == "b":
            assert text == "wax"
        elif index.parent(element) < 0:
            assert starts[element] == 0
            assert text == index.text(index.document_of(element))


def test_merged_indexes_are_one_built_at_once(folder: Path, tmp_path: Path) -> None:
    merge_indexes([folder / "one", folder / "other"], tmp_path / "merged")
    merged, whole = files_folder(tmp_path / "merged"), files_folder(folder / "whole")
    for file in whole.iterdir():
        assert (merged / file.name).read_bytes() == file.read_bytes(), file.name
    assert (whole / "element-start-turn.bin").stat().st_size > 0


def test_elements_around_passages_of_long_documents(folder: Path) -> None:
    index = open_index(folder / "whole")
    units = units_of(index, "windows:400w")
    some = units.all()
    starts, ends = units.spans(some)
    begin, end = index.spans(np.arange(index.document_elements[-1]))
    found = units.elements(some)
    assert len(set(found.tolist())) > 5
    for unit, element in enumerate(found.tolist()):
        document = int(units.documents(some[unit : unit + 1])[0])
        root, beyond = index.document_elements[document : document + 2].tolist()
        around = [
            e
            for e in range(root, beyond)
            if begin[e] <= starts[unit] and end[e] >= ends[unit] and index.tag(e) != "b"
        ]
        assert element == around[-1]


def test_no_half_is_taken_for_the_whole(folder: Path) -> None:
    index = open_index(folder / "whole")
    assert index.column("start", 0, len(index.columns["tag"])).max() > 1 << 17
    with pytest.raises(KeyError):
        index.columns["start"]


WRONG_TURNS: dict[str, tuple[str, Change]] = {
    "falling": ("turn", lambda array: array[::-1]),
    "beyond the end": ("turn", lambda array: np.append(array[:-1], array[-1:].astype(np.uint32) + 1000)),
    "fewer": ("turn", lambda array: array[:-1]),
    "with a sign": ("turn", lambda array: array.astype(np.int64)),
    "real numbers": ("upper", lambda array: array.astype(np.float64)),
}


@pytest.mark.parametrize("wrong", WRONG_TURNS)
def test_turns_that_cannot_be_are_refused(wrong: str, folder: Path, tmp_path: Path) -> None:
    merge_indexes([folder / "one"], tmp_path / "index")
    name, change = WRONG_TURNS[wrong]
    rewrite(tmp_path / "index", f"element-start-{name}", change)
    with pytest.raises(InputError, match=r"is damaged: element-start-turn\.bin or element-start-upper\.bin"):
        open_index(tmp_path / "index").span(0)
