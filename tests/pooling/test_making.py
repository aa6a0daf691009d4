"""Pools made of runs: by depth, in turn, with hints and contributions."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inexlab.collection import open_collection
from inexlab.errors import UsageError
from inexlab.pooling import make_pool
from inexlab.pooling.method import RankedDocuments, pooling_methods
from inexlab.pooling.rankings import read_rankings
from inexlab.pooling.table import Contribution, Pool, contributions
from inexlab.runs import Run
from tests.builders import a_run

few = settings(deadline=None, max_examples=50)


def runs(*lists: str) -> list[tuple[Run, str]]:
    """Return runs of documents in a string, one letter each: `AAB` has two results in A."""
    return [
        (a_run(*(f"{doc}[{10 * i},{10 * i + 5})" for i, doc in enumerate(docs)), id=f"r{n}"), "")
        for n, docs in enumerate(lists, start=1)
    ]


def documents(pool: Pool) -> dict[str, tuple[str, ...]]:
    return {document.doc: document.runs for document in pool}


def test_depth_takes_the_first_results_of_each_run() -> None:
    """Two results of r1 are in A alone; B is beyond its depth."""
    pool = make_pool(runs("AAB", "CAD"), "depth", 2)
    assert documents(pool) == {"A": ("r1", "r2"), "C": ("r2",)}
    assert [document.rank for document in pool] == [1, 1]
    assert [document.hints for document in pool] == [((0, 5), (10, 15)), ((0, 5),)]


def test_in_turn_each_run_gives_its_best_new_document() -> None:
    """r1: A, then B; r2: A is pooled, so C; r3: D; then r1 gives B, and that is enough."""
    pool = make_pool(runs("ABE", "AC", "AD"), "round-robin", 4)
    assert [document.doc for document in pool] == ["A", "C", "D", "B"]
    assert documents(pool)["A"] == ("r1", "r2", "r3")
    assert [document.rank for document in pool] == [1, 2, 2, 2]


def test_what_lies_below_where_a_run_was_looked_at_counts_for_nothing() -> None:
    pool = make_pool(runs("AB", "CA"), "round-robin", 2)
    assert documents(pool) == {"A": ("r1",), "C": ("r2",)}
    assert [document.hints for document in pool] == [((0, 5),), ((0, 5),)]


def test_contributions_alone() -> None:
    given_runs = [(run, who) for (run, _), who in zip(runs("AB", "AC", "D"), ("x", "x", "y"), strict=True)]
    pool = make_pool(given_runs, "depth", 10)
    by_run = contributions(pool, {r: r for r in pool.runs}, {("1", "C")})
    assert by_run == [
        Contribution("r1", 2, 1, 0, 0),
        Contribution("r2", 2, 1, 1, 1),
        Contribution("r3", 1, 1, 0, 0),
    ]
    by_participant = contributions(pool, {run: pool.participant(run) for run in pool.runs}, {("1", "C")})
    assert by_participant == [Contribution("x", 3, 3, 1, 1), Contribution("y", 1, 1, 0, 0)]


def test_paths_are_hints_as_they_are_or_as_spans(tmp_path: Path) -> None:
    (tmp_path / "A.xml").write_text("<a>x<p>yz</p></a>")
    run = a_run("A/a[1]/p[1]", "A/a[1]/p[9]", "A/")
    [plain] = make_pool([(run, "")])
    assert [hint.path for hint in plain.paths] == ["/a[1]/p[1]", "/a[1]/p[9]"]
    [located] = make_pool([(run, "")], collection=open_collection(tmp_path))
    assert located.hints == ((1, 3),)
    assert [hint.path for hint in located.paths] == ["/a[1]/p[9]"]  # which the document does not have


def test_what_no_pool_can_be_made_of() -> None:
    with pytest.raises(UsageError, match="a pool is made of runs: give at least one"):
        make_pool([])
    with pytest.raises(UsageError, match="two runs are called 'r1'"):
        make_pool([*runs("A"), *runs("B")])
    with pytest.raises(UsageError, match="no run returns anything for these topics"):
        make_pool(runs("A"), topics=["7"])
    with pytest.raises(UsageError, match="a pool of 0 results is none"):
        make_pool(runs("A"), "depth", 0)


rankings = st.lists(st.lists(st.sampled_from("ABCDEFGH"), max_size=12), min_size=1, max_size=4)


@few
@given(rankings, st.integers(1, 9))
def test_laws_of_both_methods(lists: list[list[str]], number: int) -> None:
    """Depth is the union of beginnings; in turn the pool is filled, and a larger one continues it."""
    made = [
        RankedDocuments(list(dict.fromkeys(docs)), [docs.index(d) + 1 for d in dict.fromkeys(docs)])
        for docs in lists
    ]
    deep = pooling_methods["depth"].choose(made, number)
    assert set(deep.documents) == {doc for docs in lists for doc in docs[:number]}
    turn = pooling_methods["round-robin"].choose(made, number)
    everything = {doc for docs in lists for doc in docs}
    assert len(turn.documents) == min(number, len(everything))
    more = pooling_methods["round-robin"].choose(made, number + 1)
    assert list(more.documents)[: len(turn.documents)] == list(turn.documents)
    for doc, run in turn.documents.items():
        assert doc in made[run].docs[: turn.reached[run]]


@few
@given(st.lists(st.text("ABCDEFGH", min_size=1, max_size=12), min_size=1, max_size=4), st.integers(1, 9))
def test_a_pool_by_depth_by_its_definition(lists: list[str], number: int) -> None:
    """Of each document: who returned it so far up, the best first, with its rank, and all spans."""
    best = sorted({(docs[:number].index(d), n, d) for n, docs in enumerate(lists) for d in docs[:number]})
    expected: dict[str, tuple[list[str], int, set[tuple[int, int]]]] = {}
    for place, n, doc in best:
        finders, _, spans = expected.setdefault(doc, ([f"r{n + 1}"], place + 1, set()))
        spans.update((10 * i, 10 * i + 5) for i, d in enumerate(lists[n][:number]) if d == doc)
        if f"r{n + 1}" not in finders:
            finders.append(f"r{n + 1}")
    pool = make_pool(runs(*lists), "depth", number)
    assert [(d.doc, d.rank, d.hints) for d in pool] == [
        (doc, rank, tuple(sorted(spans))) for doc, (_, rank, spans) in expected.items()
    ]
    for document in pool:
        first, *others = document.runs
        assert first == expected[document.doc][0][0]
        assert others == sorted(expected[document.doc][0][1:])


def test_documents_of_a_ranking_are_a_list_whichever_of_them_are_asked_for() -> None:
    """Those at the beginning are decoded first: a method may ask for the last ones before."""
    names = "".join(chr(ord("A") + k) for k in range(20))
    for asked in (-1, -20, 19, slice(None, None, -1), slice(-3, None), slice(15, 2, -4), slice(5, 5)):
        (part,) = read_rankings(runs(names), "depth", 20).parts
        (ranking,) = part.rankings.values()
        assert "".join(ranking.docs[asked]) == names[asked]
    for beyond in (-21, 20):
        with pytest.raises(IndexError):
            ranking.docs[beyond]
