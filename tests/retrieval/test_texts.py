"""Results with the same text: which are the same, whose texts are read, and what a search does about them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from inexlab.api.searching import search
from inexlab.index.index import Index
from inexlab.retrieval import by_document, pruning
from inexlab.retrieval.answers import answers
from inexlab.retrieval.engine import make_engine
from inexlab.retrieval.pruning import CountingScores, QueryProfile
from inexlab.retrieval.texts import Texts, shown
from inexlab.tables import Codes, Floats, Ints
from inexlab.topics.nexi import parse_nexi
from tests.retrieval.trees import PROFILE, indexed

ANSWERS = replace(PROFILE, answers=("p",))


def snippets(index: Index, query: str = "bees", **options: object) -> list[tuple[str, str]]:
    """Return documents and texts of what a person is shown."""
    found = search(index, query, by="elements:p", **{"per_document": "all", **options})  # type: ignore[arg-type]
    return [(hit.doc, hit.snippet) for hit in found]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Bees dance. Bees sing!", "bees dance; bees sing"),
        ("Bienen der Straße", "BIENEN DER STRASSE"),
        ("bees in<i>form</i>ation", "bees infor\u00admation"),
    ],
)
def test_case_punctuation_and_inline_tags_make_no_difference(one: str, other: str) -> None:
    with indexed(f"<r><p>{one}</p></r>", f"<r><p>{other}</p></r>", profile=ANSWERS) as index:
        assert [document for document, _ in snippets(index, "bees bienen")] == ["d0"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("bees 1", "bees 12"),
        ("bees wax", "bees-wax3"),
        ("bees हिन्दी", "bees हिन्द"),
        ("bees be eswax", "bees beeswax"),
    ],
)
def test_letters_digits_marks_and_the_number_of_words_do(one: str, other: str) -> None:
    with indexed(f"<r><p>{one}</p></r>", f"<r><p>{other}</p></r>", profile=ANSWERS) as index:
        assert len(snippets(index)) == 2


def test_texts_are_read_of_results_with_as_many_words(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"<r><p>bees {'wax ' * k}</p></r>" for k in range(6)]
    read, text_of = [], Index.text

    def text(index: Index, document: int) -> str:
        read.append(document)
        return text_of(index, document)

    with indexed(*texts, texts[2], profile=ANSWERS) as index:
        engine = make_engine(index, "bm25", by="elements:p")
        monkeypatch.setattr(Index, "text", text)
        page = answers(engine, parse_nexi("bees"), "focused", count=10)
    assert len(page.ranking) == 6
    assert set(read) == {2, 6}


def test_a_text_counts_as_that_of_its_best_unit() -> None:
    """Also where there is no more room for results of that document: others do not take its place."""
    many = "<r><p>bees</p><p>bees wax</p></r>"
    with indexed(many, "<r><p>bees wax</p><p>bees wax hive</p></r>", profile=ANSWERS) as index:
        assert snippets(index, per_document=1) == [("d0", "bees"), ("d1", "bees wax hive")]


def around(count: int) -> list[str]:
    """Return documents with one paragraph in common, ever fewer words about it, and one of their own."""
    common = "<p>bees dance in the hive</p>"
    return [f"<r>{common}<p>bees {'wax ' * (k + 9)}of d{k}</p></r>" for k in range(count)]


@pytest.mark.parametrize("task", ["focused", "thorough"])
@pytest.mark.parametrize(("context", "most"), [("", 1), ("article=3", 4)])
def test_a_page_takes_few_searches_however_many_copies_there_are(
    task: str, context: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One where copies score the same, and more where they do not."""
    searches, visit = [], pruning._visit_by_bounds

    def visit_by_bounds(*more: Any) -> None:
        searches.append(more)
        visit(*more)

    monkeypatch.setattr(pruning, "_visit_by_bounds", visit_by_bounds)
    monkeypatch.setattr(pruning, "WORTH", 0)
    with indexed(*around(200), profile=ANSWERS) as index:
        engine = make_engine(index, "bm25", by="elements:p", context=context)
        page = answers(engine, parse_nexi("bees dance"), task, count=5)
    assert len(page.ranking) == 5
    assert len(set(page.ranking.score.tolist())) == 5
    assert not page.profile.everything
    assert page.profile.border == page.ranking.score[-1]
    assert 1 <= len(searches) <= most


@pytest.mark.parametrize(
    ("query", "interpretation"),
    [
        ("bees", "SVCAS"),
        ("//p[about(., bees)]", "SVCAS"),
        ("//r[about(., hive)]//p[about(., bees)]", "SVCAS"),
        ("//r[about(./p, hive)]//p[about(., bees)]", "VSCAS"),  # which is asked document by document
    ],
)
def test_copies_that_score_differently_are_found_out_in_the_end(
    query: str, interpretation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The border is a guess while a search goes on; where too few are left, it begins again."""
    for name, number in {"WORTH": 0, "_FIRST": 1, "_STEP": 1, "_GROWTH": 1}.items():
        monkeypatch.setattr(pruning, name, number)
    for name in ("_FIRST", "_GROWTH"):
        monkeypatch.setattr(by_document, name, 1)
    with indexed(*around(60), profile=ANSWERS) as index:
        engine = make_engine(index, "bm25", interpretation, by="elements:p", context="article=1,section=0.5")
        whole = engine.answer(parse_nexi(query), "thorough", limit=1000)
        assert len(set(whole.score.tolist())) > 60  # the copies do not score the same
        for wanted in (1, 2, 5, 40):
            expected = whole.at(shown(Texts(engine.units), 2).first(whole, wanted))
            found, profile = engine.page(parse_nexi(query), "thorough", "correlation", wanted, 2)
            assert found.element.tolist() == expected.element.tolist()
            assert found.score.tolist() == expected.score.tolist()
            assert not profile.everything


def test_what_is_found_later_may_take_away_from_what_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two texts are better in a third document, of which one better result is shown; so another is needed."""
    for name in ("_FIRST", "_GROWTH"):
        monkeypatch.setattr(by_document, name, 1)
    document = np.array([0, 1, 2, 2, 2, 3, 4], dtype=np.int32)
    score = np.array([5.0, 4.0, 8.0, 7.0, 6.0, 3.0, 0.5])
    text = np.array([0, 1, 2, 0, 1, 3, 4])

    def results(some: Ints) -> tuple[Ints, Codes, Floats]:
        units = np.flatnonzero(np.isin(document, some))
        return units, document[units], score[units]

    def count(units: Ints, documents: Codes, scores: Floats, _limit: int) -> Floats:
        order = np.argsort(-scores)
        first_of_text = order[np.sort(np.unique(text[units[order]], return_index=True)[1])]
        return scores[first_of_text[np.sort(np.unique(documents[first_of_text], return_index=True)[1])]]

    bounds = by_document.DocumentBounds(np.array([9.0, 8.5, 8.2, 3.1, 0.6]), 0.0, np.ones(5))
    found = by_document.best_documents(bounds, 2, results, CountingScores(count, count), QueryProfile())
    assert count(*found, 2).tolist() == [8.0, 3.0]
