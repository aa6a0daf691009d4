"""Measures of sets of text: worked examples, known faults of other tools, and brute force over characters."""

from __future__ import annotations

from functools import partial
from math import isnan

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inexlab.collection import Collection
from inexlab.errors import UsageError
from inexlab.measures import evaluate, explain, parse
from tests.builders import a_run, judged, judgement_lines, results, score, scores
from tests.oracles.text import Lists, Result, characters, in_words, within, within_words

SETS = ("SpanP", "SpanR", "SpanF", "SpanIoU", "Density", "Redundancy")
few = settings(deadline=None, max_examples=60)

# The examples of the manual pages.


def test_the_examples_of_budgets() -> None:
    assert score("SpanP@70c", judged("A 0:60"), a_run("A[0,50)", "C[0,100)")) == 50 / 70
    found, gold = a_run("A[0,50)", "C[0,100)", "B[0,100)"), judged("A 0:60", "B 50:40")
    assert scores(["SpanR@150c", "SpanR@210c", "SpanR@1000c"], gold, found) == [0.5, 0.6, 0.9]


def test_the_examples_of_SpanF_and_SpanIoU() -> None:
    found, gold = a_run("A[0,50)", "C[0,100)"), judged("A 0:60")
    assert scores(["SpanF@1", "SpanF@2"], gold, found) == [10 / 11, 100 / 210]
    assert scores(["SpanIoU@1", "SpanIoU@2"], gold, found) == [50 / 60, 50 / 160]


def test_the_example_of_Density_and_Redundancy() -> None:
    found, gold = a_run("A[0,50)", "A[40,90)"), judged("A 0:60")
    assert scores(["Density@2", "SpanP@2"], gold, found) == [0.6, 60 / 90]
    assert score("Redundancy@2", gold, found) == pytest.approx(0.1)


# What other tools get wrong, with the right answer by hand.


def test_results_that_only_touch_the_gold_have_nothing_of_it() -> None:
    found = a_run("A[0,10)", "A[20,30)")
    assert scores(["SpanR", "SpanP", "SpanIoU", "Aspects"], judged("A 10:10"), found) == [0, 0, 0, 0]


def test_overlapping_gold_that_is_wholly_retrieved_has_recall_1() -> None:
    assert score("SpanR", judged("A 0:60 40:60"), a_run("A[0,100)")) == 1


def test_overlapping_chunks_that_cover_the_gold_exactly_have_an_overlap_of_1() -> None:
    found = a_run("A[0,60)", "A[40,100)")
    assert scores(["SpanIoU", "SpanP", "SpanR", "SpanF"], judged("A 0:100"), found) == [1, 1, 1, 1]


def test_overlapping_snippets_have_a_recall_of_1_at_most() -> None:
    found = a_run("A[0,100)", "A[0,100)", "A[50,100)")
    assert scores(["SpanR", "SpanP"], judged("A 0:50 50:50"), found) == [1, 1]
    assert score("Redundancy", judged("A 0:100"), found) == pytest.approx(150 / 250)


def test_the_same_words_at_another_place_are_other_text() -> None:
    # not strings are compared, but places: "the cat" returned from elsewhere is not the gold
    assert score("SpanR", judged("A 0:7"), a_run("A[20,27)")) == 0


def test_a_chunk_with_exactly_the_share_that_is_asked_for_is_relevant() -> None:
    assert score("Chunk(measure=RR,rel=0.5)", judged("A 0:60"), a_run("A[30,90)")) == 1
    assert score("Chunk(measure=RR,rel=0.5)", judged("A 0:60"), a_run("A[31,90)")) == 0


def test_overlap_of_chunks_costs_density_and_not_precision() -> None:
    found = a_run("A[0,60)", "A[40,100)")
    assert scores(["SpanP", "Density"], judged("A 0:100"), found) == [1, 100 / 120]


# Brute force.


def _scored(names: list[str], gold: list[str], found: list[str], collection: object = None) -> list[float]:
    done = evaluate(judged(*gold), [a_run(*found)], names, collection=collection, need_judged_topics=False)  # type: ignore[arg-type]
    return [float(s.values[0, 0]) for s in done.scores]


def _results(found: list[str]) -> list[Result]:
    return [(r.doc, r.start, r.end) for r in a_run(*found) if r.start is not None and r.end is not None]


def _gold(lines: list[str]) -> list[Result]:
    return [(row.doc, start, end) for row in judged(*lines) for start, end in row.spans]


one_topic = {"topics": ("1",)}
RUNS = results(topics=("1",), documents=("A", "B", "C"), most=12)
GOLD = judgement_lines(topics=("1",), documents=("A", "B"), relevant=True)


def _same(names: list[str], got: list[float], expected: Lists) -> None:
    by_name = expected.scores()
    for name, value in zip(names, got, strict=True):
        base = name.partition("(")[0].partition("@")[0]
        if base in by_name:
            assert value == pytest.approx(by_name[base], abs=1e-12), name
            assert 0 <= value <= 1
        else:
            assert isnan(value), name


@few
@given(RUNS, GOLD, st.integers(1, 14), st.integers(1, 300))
def test_sets_at_ranks_and_budgets_equal_brute_force(
    found: list[str], lines: list[str], rank: int, budget: int
) -> None:
    ranked, gold = _results(found), set(characters(_gold(lines)))
    names = [f"{name}@{rank}" for name in SETS] + [f"{name}@{budget}c" for name in SETS] + list(SETS)
    got = _scored(names, lines, found)
    _same(names[:6], got[:6], Lists(characters(_at(found, rank)), gold))
    _same(names[6:12], got[6:12], Lists(within(ranked, budget), gold))
    _same(names[12:], got[12:], Lists(characters(ranked), gold))


def _at(found: list[str], rank: int) -> list[Result]:
    return _results(found[:rank])


TEXT = "Now is the time, for all good men & women to come. " * 4


def _collection(*docs: str) -> Collection:
    data = TEXT.encode()
    return Collection("texts", {doc: (f"{doc}.txt", partial(bytes, data)) for doc in docs})


@few
@given(RUNS, GOLD, st.integers(1, 14), st.integers(1, 60))
def test_words_at_ranks_and_budgets_equal_brute_force(
    found: list[str], lines: list[str], rank: int, budget: int
) -> None:
    texts = dict.fromkeys("ABC", TEXT)
    gold = {word for words in in_words(_gold(lines), texts) for word in words}
    names = [f"{name}(unit=word)@{rank}" for name in SETS] + [f"{name}@{budget}w" for name in SETS]
    got = _scored(names, lines, found, _collection("A", "B", "C"))
    if gold:
        listed = [word for words in in_words(_at(found, rank), texts) for word in words]
        _same(names[:6], got[:6], Lists(listed, gold))
    kept = within_words(_results(found), texts, budget)
    _same(names[6:], got[6:], Lists(kept, set(characters(_gold(lines)))))


def test_after_the_word_that_was_cut_off_comes_nothing() -> None:
    # "Now is": one word fits, and no word begins in the second result
    found = _scored(["Density@1w"], ["A 0:1"], ["A[0,5)", "A[1,2)"], _collection("A"))
    assert found == [1 / 3]


def test_words_need_the_documents() -> None:
    for name in ("SpanP(unit=word)@1", "SpanR@20w"):
        with pytest.raises(UsageError, match="collection="):
            score(name, judged("A 0:60"), a_run("A[0,50)"))


# Names.


@pytest.mark.parametrize("name", ["SpanP@1000c", "SpanR(unit=word)@512w", "SpanF", "Density@3", "Aspects@1c"])
def test_names_parse_and_print(name: str) -> None:
    assert str(parse(name)) == name


def test_characters_are_not_named() -> None:
    assert str(parse("SpanP(unit=char)@10")) == "SpanP@10"


@pytest.mark.parametrize("name", ["SpanP@0c", "SpanP@1.5c", "SpanP@c", "SpanP@-3w"])
def test_budgets_are_whole_numbers(name: str) -> None:
    with pytest.raises(UsageError, match="budget"):
        parse(name)


def test_measures_without_budgets_take_none() -> None:
    with pytest.raises(UsageError, match="rank"):
        parse("gP@10c")


def test_an_explanation_ends_with_the_score_and_shows_what_a_budget_leaves() -> None:
    gold, found = judged("A 0:60", "B 50:40"), a_run("A[0,50)", "C[0,100)", "B[0,100)")
    taken_apart = explain(gold, found, "1", "SpanR@210c")
    assert taken_apart.columns["length"] == [50, 100, 60]
    assert taken_apart.columns["score so far"] == [0.5, 0.5, 0.6]
    assert taken_apart.value == 0.6
    assert taken_apart.cut is None
