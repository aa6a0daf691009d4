"""What is known of a whole in shards stays known to whoever needs it, however much that is, and no longer."""

from __future__ import annotations

import gc
import pickle
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import inexlab
from inexlab.executors import Threads
from inexlab.index.build import Settings
from inexlab.index.index import Index
from inexlab.index.sharded import ShardedIndex
from inexlab.index.whole import Answers, Question, RecentAnswers, SizeQuestion
from inexlab.retrieval.engine import make_engine
from inexlab.retrieval.sharded import ShardedEngine
from inexlab.topics.nexi import parse_nexi
from tests.retrieval.test_sharded import Results, indexes, results
from tests.retrieval.trees import PROFILE

TEXTS = [
    f"<r><title>No {k}</title><a><p>bee w{k} w{k + 1}</p><p>queen w{k % 5} bee</p></a>"
    f"<b>w{k % 7} v{k} bee</b></r>"
    for k in range(20)
]
SETTINGS = Settings(profile=replace(PROFILE, outside=("b",)), stemmer="none")
# each has words of those before and after it
QUERIES = [f'w{k} w{k + 1} bee v{k} "queen w{k % 5}" -w{k + 2} x{k} bee' for k in range(19)]
STRUCTURED = [f"//a[about(., w{k} bee)]//p[about(., w{k + 1} -queen)]" for k in range(19)]
OPTIONS = (
    {"by": "elements:*", "context": "section=0.5,article=0.2"},
    {"by": "auto", "interpretation": "SVCAS", "document_order": "article"},
    {"by": "passages:40c", "seed_documents": 3},
)


@pytest.fixture(scope="module")
def both() -> Iterator[tuple[Index, Index]]:
    with indexes(TEXTS, [3, 9, 12], SETTINGS) as pair:
        yield pair


def run_of(
    index: Index, queries: list[str], options: Mapping[str, object], threads: int = 1
) -> list[Results]:
    """Return the results of queries that are asked together."""
    engine = make_engine(index, "bm25", **options)  # type: ignore[arg-type]
    parsed = [parse_nexi(query) for query in queries]
    if not isinstance(engine, ShardedEngine):
        return [results(engine, query, "thorough", "correlation", 20) for query in parsed]
    engine = replace(engine, executor=Threads(threads))
    return list(engine.results(parsed, "thorough", "correlation", 20))


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: str(options["by"]))
@pytest.mark.parametrize("most", [0, 60])
def test_a_batch_knows_all_that_it_needs(
    both: tuple[Index, Index],
    most: int,
    options: Mapping[str, object],
    threads: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one, shards = both
    assert isinstance(shards, ShardedIndex)
    monkeypatch.setattr(RecentAnswers, "most", most)
    for queries in (QUERIES[:9], QUERIES[5:], STRUCTURED, QUERIES):
        expected = run_of(one, queries, options)
        assert any(expected)
        assert run_of(shards, queries, options, threads) == expected
    gc.collect()
    assert len(shards.whole.answers) <= most


@pytest.mark.parametrize("most", [0, 7])
def test_threads_do_not_take_from_each_other_what_they_need(
    both: tuple[Index, Index], most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, shards = both
    assert isinstance(shards, ShardedIndex)
    monkeypatch.setattr(RecentAnswers, "most", most)
    turns = [QUERIES[:12], QUERIES[6:]]
    expected = [run_of(one, turn, OPTIONS[0]) for turn in turns]
    shown = [[list(inexlab.search(one, query, 3)) for query in turn] for turn in turns]

    def ask(number: int) -> tuple[list[Results], list[list[inexlab.Hit]]]:
        turn = turns[number]
        found = [run_of(shards, turn, OPTIONS[0], 2) for _ in range(3)]
        assert found[0] == found[1] == found[2]
        return found[0], [list(inexlab.search(shards, query, 3)) for query in turn]

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(2) as pool:
            assert list(pool.map(ask, range(2))) == list(zip(expected, shown, strict=True))
    finally:
        sys.setswitchinterval(before)
    gc.collect()
    assert len(shards.whole.answers) <= most


def test_results_are_described_after_others_were_asked_for(
    both: tuple[Index, Index], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RecentAnswers, "most", 0)
    engine = make_engine(both[1], "bm25")
    assert isinstance(engine, ShardedEngine)
    query = parse_nexi(QUERIES[4])
    ranking = engine.answer(query, "thorough", limit=5)
    assert engine.has_any(query.terms)  # type: ignore[union-attr]
    parts = [part for part, _ in engine.parts(ranking, query)]
    run_of(both[1], QUERIES, OPTIONS[0])
    assert [part.analyser.variants("w4").known for part in parts] == [True] * 5


def question(number: int) -> Question:
    return SizeQuestion(f"u{number}")


ANSWERS: Answers = {question(k): k for k in range(13)}


@given(
    most=st.integers(0, 6),
    asked=st.lists(
        st.tuples(st.lists(st.integers(0, 12), max_size=8), st.integers(0, 2), st.booleans()), max_size=12
    ),
)
def test_what_is_held_is_known(most: int, asked: list[tuple[list[int], int, bool]]) -> None:
    answers = RecentAnswers()
    answers.most = most
    held = [answers.hold([]) for _ in range(3)]  # what three have
    for numbers, who, new in asked:
        questions = list(map(question, numbers))
        if new:
            held[who] = answers.take({one: ANSWERS[one] for one in questions})
            assert held[who].keys() == set(questions)
        else:
            held[who] = answers.hold(questions)
        needed = {one for of_one in held for one in of_one}
        assert all(answers[one] == ANSWERS[one] for one in needed)
        assert len(needed) <= len(answers) <= len(needed) + most
        assert all(answers.hold(of_one) == of_one for of_one in held)  # there is one of each
        sent = pickle.loads(pickle.dumps(answers))
        assert all(sent[one] == ANSWERS[one] for one in needed)


def test_what_is_asked_for_again_outlasts_the_rest() -> None:
    answers = RecentAnswers()
    answers.most = 2
    answers.take({question(k): k for k in range(2)})
    answers.hold([question(0)])
    answers.take({question(2): 2})
    assert [bool(answers.hold([question(k)])) for k in range(3)] == [True, False, True]
