"""Room that is used again: what someone has of it stays, and no query gets what others left in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.index.build import Settings
from inexlab.index.index import Index, open_index
from inexlab.retrieval import cut as cut_module
from inexlab.retrieval import pruning
from inexlab.retrieval.candidates import Candidates, candidates
from inexlab.retrieval.cut import flat_candidates
from inexlab.retrieval.engine import make_engine
from inexlab.retrieval.scratch import ReusedArrays
from inexlab.retrieval.terms import query_terms
from inexlab.retrieval.unit import FlatUnits, units_of
from inexlab.topics.nexi import parse_nexi
from tests.examples import examples
from tests.retrieval.test_pruning import MODELS, UNITS, structured
from tests.retrieval.test_sharded import Results, indexes, results
from tests.retrieval.trees import FREQUENT, PROFILE, indexed, queries, terms

VIEWS = (
    lambda array: array,
    lambda array: array[:1],
    lambda array: array[1:][::-1],
    lambda array: array.reshape(1, -1)[:, :0],
    lambda array: array.view(np.uint8)[3:4],
    lambda array: memoryview(array),
)


def place(array: Any) -> int:
    return int(array.__array_interface__["data"][0])


def test_room_is_used_again() -> None:
    scratch = ReusedArrays(np.int64, np.int32)
    places = {tuple(map(place, scratch.room(100, 50))) for _ in range(20)}
    assert len(places) == 1
    numbers, codes = scratch.room(7, 75)
    assert (numbers.dtype.name, codes.dtype.name) == ("int64", "int32")
    assert len(numbers) >= 7
    assert len(codes) >= 75
    assert (place(numbers), place(codes)) in places


@pytest.mark.parametrize("view", VIEWS)
def test_room_of_which_anyone_has_a_part_is_not(view: Any) -> None:
    scratch = ReusedArrays(np.int64, np.int32)
    first = place(scratch.room(100, 100)[1])
    kept = view(scratch.room(100, 100)[0])
    before = bytes(kept)
    for array in scratch.room(100, 100):
        array.fill(-7)
    del array
    assert bytes(kept) == before
    assert place(scratch.room(100, 100)[1]) == first  # nobody has this one


@given(
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40), st.sampled_from((0, 0, 1, 2))), max_size=20)
)
def test_whatever_is_kept_stays_as_it_was(rounds: Sequence[tuple[int, int, int]]) -> None:
    scratch = ReusedArrays(np.int64, np.int32)
    kept: list[tuple[Any, int]] = []
    for number, (one, other, keep) in enumerate(rounds):
        arrays = scratch.room(one, other)
        assert len(arrays[0]) >= one
        assert len(arrays[1]) >= other
        for array in arrays:
            array.fill(number)
        kept += [(array[1:], number) for array in arrays[:keep]]
        kept = kept[-6:]  # others are let go
        assert all((array == value).all() for array, value in kept)


@pytest.fixture(scope="module")
def both() -> Iterator[tuple[Index, Index]]:
    """Give an index of documents that have much in common, and the same in shards."""
    random = Random(7)

    def text(most: int) -> str:
        return " ".join(random.choices(FREQUENT, k=random.randint(0, most)))

    def part(tag: str, depth: int) -> str:
        inner = (part(random.choice("abppi"), depth - 1) for _ in range(random.randint(0, 3) if depth else 0))
        return f"<{tag}>{text(5)} {' '.join(inner)} {text(3)}</{tag}>"

    texts = [f"<r>bee {' '.join(part(tag, 3) for tag in 'abap')}</r>" for _ in range(12)]
    with indexes(texts, [3, 4, 9], Settings(profile=PROFILE, stop_words="english")) as pair:
        yield pair


def columns(found: Candidates) -> list[list[Any]]:
    names = ("element", "document", "frequency", "parent", "root", "length", "terms")
    return [getattr(found, name).tolist() for name in names]


@examples(30)
@given(many=st.lists(queries(), min_size=2, max_size=4))
def test_candidates_outlast_the_next_ones(both: tuple[Index, Index], many: list[str]) -> None:
    index = both[0]
    units = units_of(index, "windows:3w/1w")
    assert isinstance(units, FlatUnits)
    found, expected = [], []
    for query in map(terms, many):
        looked_up = query_terms(index, query)
        for some in (
            candidates(index, looked_up.positions),
            flat_candidates(index, units.cut, looked_up.positions, looked_up.reach)[0],
        ):
            found.append(some)
            expected.append(columns(some))
    assert list(map(columns, found)) == expected


def test_a_query_that_is_broken_off_spoils_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def for_work(self, _work: int) -> Any:
            def walk(*arguments: Any) -> int:
                arguments[7].fill(2)
                raise KeyboardInterrupt

            return walk

    monkeypatch.setattr(cut_module._walk, "numpy", None)  # which takes no places
    monkeypatch.setenv("INEXLAB_COMPILED", "never")
    with indexed("<r><p>bee wax bee</p><p>wax hive dance</p></r>") as index:
        engine = make_engine(index, "bm25", by="windows:1w")
        expected = results(engine, parse_nexi("bee wax"), "thorough", "correlation", 5)
        with monkeypatch.context() as patch:
            patch.setattr(cut_module, "_walk", Broken())
            with pytest.raises(KeyboardInterrupt):
                results(engine, parse_nexi("bee wax"), "thorough", "correlation", 5)
        assert results(engine, parse_nexi("bee wax"), "thorough", "correlation", 5) == expected != []


def alone(index: Index, query: str, options: Any, limit: int) -> Results:
    """Return the results of a query of an index that nobody asked before, in a thread that asked nothing."""
    with ThreadPoolExecutor(1) as pool:
        opened = open_index(index.folder)
        return pool.submit(asked, opened, query, options, limit).result()


def asked(index: Index, query: str, options: Any, limit: int) -> Results:
    return results(make_engine(index, **options), parse_nexi(query), "thorough", "correlation", limit)


GPX = {"model": "gpx", "by": "elements:*", "context": "section=0.3"}


def test_with_sections_and_unwanted_words_a_query_gets_what_it_gets_alone(both: tuple[Index, Index]) -> None:
    """All sections are scored after the units of such a query: what they took was written over these."""
    expected = alone(both[0], "bee -hive", GPX, 30)
    assert len(expected) == 30
    for index in both:
        asked(index, "wax hive dance queen", GPX, 30)
        assert asked(index, "bee -hive", GPX, 30) == expected


@examples(40)
@given(
    many=st.lists(queries() | structured(), min_size=2, max_size=4),
    model=st.sampled_from((*MODELS, "gpx", "gpx")),
    by=st.sampled_from((*UNITS, "elements:*", "elements:*")),
    context=st.sampled_from(("", "section=0.3", "article=0.2", "section=0.5,article=0.2")),
    signs=st.sampled_from(("hints", "demands")),
    limit=st.integers(1, 30),
    worth=st.sampled_from((0, 6000)),
)
def test_a_query_gets_what_it_gets_alone(
    both: tuple[Index, Index],
    many: list[str],
    model: str,
    by: str,
    context: str,
    signs: str,
    limit: int,
    worth: int,
) -> None:
    options = {"model": model, "by": by, "context": context, "signs": signs}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pruning, "WORTH", worth)
        for query in many:
            expected = alone(both[0], query, options, limit)
            for index in both:
                assert asked(index, query, options, limit) == expected
