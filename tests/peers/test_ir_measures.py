"""The article-level view against ir_measures and pytrec_eval, given the documents of a run directly."""

from __future__ import annotations

from math import isnan
from typing import Any

import ir_measures
import pytest
import pytrec_eval
from hypothesis import given

from inexlab.measures import evaluate
from tests.builders import a_run, calm, judged, judgement_lines, results

MEASURES = ("AP", "P@1", "P@5", "RR", "nDCG@3", "Rprec", "Judged@2", "R@2", "AP@2")
library: Any = ir_measures


def reduced(
    found: list[str], lines: list[str]
) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Return judgements and a run of documents, read off the notation of the tests."""
    qrels: dict[str, dict[str, int]] = {}
    for line in lines:
        place, *rest = line.split()
        topic, _, doc = place.partition(":")
        qrels.setdefault(topic, {})[doc] = int(any(":" in word for word in rest))
    ranking: dict[str, dict[str, float]] = {topic: {} for topic in qrels}
    for result in found:
        topic, _, place = result.partition(":")
        if topic in ranking:
            ranking[topic].setdefault(place[0], float(-len(ranking[topic])))
    return qrels, ranking


@calm
@given(results(), judgement_lines())
def test_equal_to_the_libraries_on_the_documents(found: list[str], lines: list[str]) -> None:
    qrels, ranking = reduced(found, lines)
    names = [f"Article(measure={name})" for name in MEASURES]
    evaluation = evaluate(judged(*lines), [a_run(*found)], names)
    relevant = {topic: docs for topic, docs in qrels.items() if any(docs.values())}
    shown = {topic: docs for topic, docs in ranking.items() if docs}
    by_library = {
        (metric.query_id, str(metric.measure)): metric.value
        for metric in library.iter_calc([library.parse_measure(n) for n in MEASURES], relevant, shown)
    }
    trec = pytrec_eval.RelevanceEvaluator(relevant, {"map", "recip_rank"}).evaluate(shown) if relevant else {}
    for scores in evaluation.scores:
        name = str(scores.measure.parameters["measure"])
        for topic, value in zip(scores.topics, scores.values[0].tolist(), strict=True):
            if topic not in relevant:
                assert isnan(value)
                continue
            if topic not in shown:
                assert value == 0
                continue
            assert value == pytest.approx(by_library[topic, name], abs=1e-12)
            if name in ("AP", "RR"):
                expected = trec[topic]["map" if name == "AP" else "recip_rank"]
                assert value == pytest.approx(expected, abs=1e-12)
