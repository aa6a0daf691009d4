"""Measures of documents as loops: worked numbers, and those of ir_measures to the last bit."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isnan, log2
from typing import Any

import ir_measures
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.judgements import Judgements
from inexlab.judgements.table import JudgementsBuilder
from inexlab.measures import documents, evaluate
from inexlab.measures.documents import DocumentEvidence, document_evidence
from inexlab.measures.rankings import computation_of
from inexlab.policy import Policy
from inexlab.runs import Run
from inexlab.runs.table import RunBuilder
from tests.builders import calm

OWN = [
    *("AP", "AP(rel=2)", "AP@3", "AP(rel=2)@2", "AP(judged_only=True)", "AP(judged_only=True)@2"),
    *("P@1", "P@5", "P(rel=2)@3", "P(judged_only=True)@3", "R@1", "R@3", "R(rel=2)@3"),
    *("RR", "RR(rel=2)", "RR@3", "RR(rel=2)@2", "RR(judged_only=True)"),
    *("nDCG", "nDCG@1", "nDCG@3", "nDCG@20", "nDCG(dcg='log2')@2", "nDCG(judged_only=True)@3"),
    *("nDCG(gains={1:5,2:1,3:2})", "nDCG(gains={0:1,2:7})@4", "nDCG(gains={1:0,2:0,3:0})"),
    *("Rprec", "Rprec(rel=2)", "Rprec(judged_only=True)", "Success@1", "Success(rel=2)@3"),
    *("Bpref", "Bpref(rel=2)", "Bpref(rel=3)", "SetP", "SetP(rel=2)", "SetP(judged_only=True)"),
    *("SetR", "SetR(rel=2)", "SetF", "SetF(rel=2)", "SetF(judged_only=True)", "SetF(beta=1.0)"),
    *("NumRelRet", "NumRet(rel=2)", "NumRel", "Judged", "Judged@1", "Judged@3"),
]
Grades = Mapping[str, Mapping[str, int]]
Ranking = Mapping[str, Sequence[str]]


def a_campaign(grades: Grades, ranking: Ranking) -> tuple[Judgements, Run]:
    """Return judgements with grades, and a run of documents, of which some come again."""
    judgements, run = JudgementsBuilder(), RunBuilder()
    for topic, by_document in grades.items():
        for doc, grade in by_document.items():
            judgements.add(topic, doc, grade=grade)
    for topic, ranked in ranking.items():
        for doc in ranked:
            run.add(topic, doc)
    return judgements.build(), run.build("run")


# --- worked numbers --------------------------------------------------------------------------------------

# in order: not relevant, A (3), not judged, B (1), judged below 0; C (2) is not returned
WORKED = {"1": {"N": 0, "A": 3, "B": 1, "C": 2, "L": -1, "M": 0}}
ORDER = {"1": ["N", "A", "X", "B", "L"]}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("AP", (1 / 2 + 2 / 4) / 3),
        ("AP(rel=2)", (1 / 2) / 2),
        ("AP@2", (1 / 2) / 3),
        ("AP(judged_only=True)", (1 / 2 + 2 / 3) / 3),
        ("P@4", 2 / 4),
        ("P@10", 2 / 10),
        ("R@3", 1 / 3),
        ("RR", 1 / 2),
        ("RR(rel=4)", None),
        ("RR@1", 0),
        ("nDCG", (3 / log2(3) + 1 / log2(5)) / (3 + 2 / log2(3) + 1 / 2)),
        ("nDCG@2", (3 / log2(3)) / (3 + 2 / log2(3))),
        ("nDCG(gains={3:7,2:3})@2", (7 / log2(3)) / (7 + 3 / log2(3))),
        ("Rprec", 1 / 3),
        ("Success@1", 0),
        ("Success@2", 1),
        ("Bpref", (1 - 1 / 2 + 1 - 1 / 2) / 3),  # one of two judged not relevant is before each
        ("SetP", 2 / 5),
        ("SetR", 2 / 3),
        ("SetF", 2 * 2 / 5 * 2 / 3 / (2 / 5 + 2 / 3)),
        ("NumRet", 5),
        ("NumRelRet", 2),
        ("NumRet(rel=2)", 1),
        ("NumRel", 3),
        ("Judged@3", 2 / 3),
        ("Judged", 4 / 5),
    ],
)
@pytest.mark.parametrize("way", ["never", pytest.param("always", marks=pytest.mark.compiled)])
def test_worked_numbers(name: str, value: float | None, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INEXLAB_COMPILED", way)
    judgements, run = a_campaign(WORKED, ORDER)
    found = evaluate(judgements, [run], [name]).scores[0].values[0, 0]
    assert isnan(found) if value is None else found == pytest.approx(value, rel=1e-15)


def test_a_document_counts_where_it_comes_first() -> None:
    judgements, run = a_campaign(WORKED, {"1": ["N", "A", "N", "A", "B"]})
    assert evaluate(judgements, [run], ["P@3"]).scores[0].values[0, 0] == 2 / 3


def test_a_topic_without_results_returns_nothing() -> None:
    """To the library a document is given that nobody judged, as it takes no empty ranking."""
    judgements, run = a_campaign({**WORKED, "2": {"A": 1}}, ORDER)
    counts = [scores.values[0, 1] for scores in evaluate(judgements, [run], ["NumRet", "AP", "SetP"]).scores]
    assert counts == [0, 0, 0]


# --- the numbers of the library --------------------------------------------------------------------------

DOCUMENTS = tuple(f"d{number}" for number in range(12))
graded = st.dictionaries(
    st.sampled_from(DOCUMENTS), st.sampled_from([-2, -1, 0, 0, 1, 1, 2, 3, 7]), min_size=1
)
topics = st.sampled_from(["1", "2", "3"])
campaigns = st.tuples(
    st.dictionaries(topics, graded, min_size=1),
    st.dictionaries(topics, st.lists(st.sampled_from(DOCUMENTS), min_size=1), min_size=1),
)


def evidence_of(grades: Grades, ranking: Ranking) -> DocumentEvidence:
    judgements, run = a_campaign(grades, ranking)
    return document_evidence(run, judgements, Policy())


def assert_same(evidence: DocumentEvidence) -> None:
    """Check that our loops give what the library gives for the same evidence."""
    for name in OWN:
        ours = evidence.scores(name).tolist()
        evidence._done.clear()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(documents, "computation_of", lambda _name, _parameters: None)
            theirs = evidence.scores(name).tolist()
        evidence._done.clear()
        assert list(map(repr, ours)) == list(map(repr, theirs)), name


@calm
@given(campaigns)
def test_the_numbers_of_the_library(campaign: tuple[Grades, Ranking]) -> None:
    assert_same(evidence_of(*campaign))


@calm
@given(campaigns, st.data())
def test_those_of_some_results(campaign: tuple[Grades, Ranking], data: st.DataObject) -> None:
    """Of one topic, as whoever explains a score leaves some out."""
    evidence = evidence_of(*campaign)
    topic = data.draw(st.integers(0, len(evidence.names) - 1))
    size = len(evidence.topics[topic])
    chosen = np.array(data.draw(st.lists(st.booleans(), min_size=size, max_size=size)), dtype=np.bool_)
    assert_same(evidence.part(topic, chosen))


@pytest.mark.compiled
def test_many_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INEXLAB_COMPILED", "always")
    random = np.random.default_rng(3)
    grades = {str(t): {f"d{d}": int(g) for d, g in enumerate(random.integers(-1, 4, 900))} for t in range(9)}
    ranking = {str(t): [f"d{d}" for d in random.permutation(1500 + 7 * t)] for t in range(9)}
    assert_same(evidence_of(grades, ranking))


def test_every_one_of_them_is_ours() -> None:
    for name in OWN:
        found = documents.known_measure(name)
        assert computation_of(found.NAME, found.params) is not None, name


@pytest.mark.parametrize(
    "name",
    [
        *("nDCG(dcg='exp-log2')@10", "ERR@10", "infAP", "IPrec@0.1", "SetAP", "SetP(relative=True)"),
        *("SetF(beta=2.0)", "AP(rel=0)", "P@True", "P@9999999999", "RBP", "Accuracy", "NumQ"),
        "nDCG(gains={1:0.5})",
    ],
)
def test_all_others_are_the_library_s(name: str) -> None:
    found = documents._parsed(ir_measures, name)
    assert computation_of(found.NAME, found.params) is None


def test_the_library_is_asked_by_one_thread_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    judgements, run = a_campaign(WORKED, ORDER)
    inside: list[int] = []
    most: list[int] = []
    ask, lock = ir_measures.iter_calc, threading.Lock()

    def slow(*arguments: Any) -> list[Any]:
        with lock:
            inside.append(1)
            most.append(len(inside))
        time.sleep(0.02)
        found = list(ask(*arguments))
        with lock:
            inside.pop()
        return found

    monkeypatch.setattr(ir_measures, "iter_calc", slow)
    evaluate(judgements, [replace(run, id=f"r{k}") for k in range(6)], ["infAP"], jobs=3)
    assert most == [1] * 6
