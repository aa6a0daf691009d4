"""Where the measures coincide with those of trec_eval, by its Python peer.

A run of whole documents, over judgements in which every relevant document is highlighted from end to end, is
a run in the sense of TREC: each relevant document has precision 1 and recall 1 in its own text, so its score
S(d) is 1 and the generalised measures are the plain ones. When moreover all documents have one length,
characters are documents times that length, and the measures of text coincide as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil

import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from inexlab.judgements.table import JudgementsBuilder
from inexlab.measures import evaluate
from inexlab.runs.table import RunBuilder
from tests.builders import calm

RANKS = (1, 2, 3, 5, 10, 20)
DOCUMENTS = tuple(f"d{number}" for number in range(12))


@dataclass
class Campaign:
    """Whole documents: their lengths, what is relevant to each topic, and a ranking for each topic."""

    length: dict[str, int]
    relevant: dict[str, dict[str, bool]]
    ranking: dict[str, list[str]]

    def by_inexlab(self, measures: list[str]) -> dict[str, dict[str, float]]:
        judgements, run = JudgementsBuilder(), RunBuilder()
        for topic, documents in self.relevant.items():
            for doc, relevant in documents.items():
                size = self.length[doc]
                judgements.add(topic, doc, [(0, size)] if relevant else [], size=size)
        for topic, ranked in self.ranking.items():
            for doc in ranked:
                run.add(topic, doc, span=(0, self.length[doc]))
        evaluation = evaluate(judgements.build(), [run.build("run")], measures)
        return {
            topic: {name: evaluation[name].values[0, t] for name in measures}
            for t, topic in enumerate(evaluation.scores[0].topics)
        }

    def by_trec_eval(self, measures: set[str]) -> dict[str, dict[str, float]]:
        qrels = {t: {doc: int(yes) for doc, yes in docs.items()} for t, docs in self.relevant.items()}
        # trec_eval sorts by score: give strictly falling ones
        run = {
            t: {doc: float(len(ranked) - place) for place, doc in enumerate(ranked)}
            for t, ranked in self.ranking.items()
        }
        scores: dict[str, dict[str, float]] = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(run)
        return scores


@st.composite
def campaigns(draw: st.DrawFn, *, one_length: bool = False) -> Campaign:
    """Draw two topics, each with some relevant document and some ranked one; others are unjudged."""
    lengths = st.just(draw(st.integers(1, 500))) if one_length else st.integers(1, 500)
    relevant: dict[str, dict[str, bool]] = {}
    ranking: dict[str, list[str]] = {}
    for topic in ("1", "2"):
        some = draw(st.sampled_from(DOCUMENTS))
        relevant[topic] = draw(st.dictionaries(st.sampled_from(DOCUMENTS), st.booleans())) | {some: True}
        ranking[topic] = draw(st.lists(st.sampled_from(DOCUMENTS), min_size=1, unique=True))
    return Campaign({doc: draw(lengths) for doc in DOCUMENTS}, relevant, ranking)


def assert_coincide(campaign: Campaign, pairs: dict[str, str], asked: set[str]) -> None:
    """Check pairs of our measure and theirs on every topic."""
    ours, theirs = campaign.by_inexlab(list(pairs)), campaign.by_trec_eval(asked)
    assert ours.keys() == theirs.keys()
    for topic, values in ours.items():
        for measure, peer in pairs.items():
            assert values[measure] == pytest.approx(theirs[topic][peer], abs=1e-12), (topic, measure)


AT_RANKS = ",".join(map(str, RANKS))


@calm
@given(campaigns())
def test_generalised_precision_of_whole_documents_is_precision(campaign: Campaign) -> None:
    """Also beyond the end of the list, where the default policy divides by the rank as trec_eval does."""
    assert_coincide(campaign, {f"gP(score=F,beta=1)@{k}": f"P_{k}" for k in RANKS}, {f"P.{AT_RANKS}"})


@calm
@given(campaigns())
def test_the_weight_of_recall_is_without_effect_on_whole_documents(campaign: Campaign) -> None:
    assert_coincide(campaign, {f"gP(score=F,beta=0.25)@{k}": f"P_{k}" for k in RANKS}, {f"P.{AT_RANKS}"})


@calm
@given(campaigns())
def test_generalised_recall_is_recall(campaign: Campaign) -> None:
    assert_coincide(campaign, {f"gR@{k}": f"recall_{k}" for k in RANKS}, {f"recall.{AT_RANKS}"})


@calm
@given(campaigns())
def test_average_generalised_precision_of_whole_documents_is_average_precision(campaign: Campaign) -> None:
    assert_coincide(campaign, {"MAgP(score=F)": "map", "MAgP(score=T2I)": "map"}, {"map"})


@calm
@given(campaigns())
def test_counts_of_documents_agree(campaign: Campaign) -> None:
    counts = {name: name for name in ("num_ret", "num_rel", "num_rel_ret")}
    assert_coincide(campaign, counts, set(counts))


@calm
@given(campaigns(one_length=True))
def test_recall_of_text_in_documents_of_one_length_is_recall(campaign: Campaign) -> None:
    assert_coincide(campaign, {f"SpanR@{k}": f"recall_{k}" for k in RANKS}, {f"recall.{AT_RANKS}"})


@calm
@given(campaigns(one_length=True))
def test_precision_of_text_in_documents_of_one_length_is_precision_within_the_list(
    campaign: Campaign,
) -> None:
    """Beyond its end they part: SpanP takes a shorter list as it is, trec_eval divides by the rank."""
    shortest = min(len(ranked) for ranked in campaign.ranking.values())
    pairs = {f"SpanP@{k}": f"P_{k}" for k in RANKS if k <= shortest}
    assert_coincide(campaign, pairs | {"SpanP": "set_P"}, {f"P.{AT_RANKS}", "set_P"})


def _levels(relevant: int) -> list[int]:
    """Tenths of recall for which trec_eval asks for as many relevant documents as the definition does.

    It takes int(level × relevant + 0.9) in floating point. For 7 tenths of 3 documents that is 2 documents,
    a recall of .67, where the definition (recall of at least .7) asks for 3.
    """
    return [k for k in range(11) if int(k / 10 * relevant + 0.9) == ceil(Fraction(k, 10) * relevant)]


def test_trec_eval_departs_from_the_definition_only_at_7_tenths_of_3_documents() -> None:
    departures = {n: sorted({*range(11)} - {*_levels(n)}) for n in range(1, len(DOCUMENTS) + 1)}
    assert {n: levels for n, levels in departures.items() if levels} == {3: [7]}
    three = Campaign(
        dict.fromkeys("abcd", 10), {"1": dict.fromkeys("abc", True)}, {"1": ["a", "b", "d", "c"]}
    )
    assert three.by_trec_eval({"iprec_at_recall"})["1"]["iprec_at_recall_0.70"] == 1
    assert three.by_inexlab(["iP@0.7"]) == {"1": {"iP@0.7": 0.75}}


@calm
@given(campaigns(one_length=True))
def test_interpolated_precision_in_documents_of_one_length_is_that_of_trec_eval(campaign: Campaign) -> None:
    """Both take the best precision at a rank that has reached the level, or 0 where none has."""
    levels = {*range(11)}.intersection(*(_levels(sum(docs.values())) for docs in campaign.relevant.values()))
    pairs = {f"iP@{k / 10}": f"iprec_at_recall_{k / 10:.2f}" for k in sorted(levels)}
    assert_coincide(campaign, pairs, {"iprec_at_recall"})


@calm
@given(campaigns())
def test_interpolated_generalised_precision_is_that_of_trec_eval(campaign: Campaign) -> None:
    """Documents of any length: recall and precision are of documents."""
    levels = {*range(11)}.intersection(*(_levels(sum(docs.values())) for docs in campaign.relevant.values()))
    pairs = {f"igP@{k / 10}": f"iprec_at_recall_{k / 10:.2f}" for k in sorted(levels)}
    assert_coincide(campaign, pairs, {"iprec_at_recall"})
