"""The article-level view against ir_measures and pytrec_eval, given the documents of a run directly."""

from __future__ import annotations

import tempfile
from math import isnan
from pathlib import Path
from typing import Any

import ir_measures
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from inexlab.measures import evaluate
from tests.builders import a_run, calm, judged, judgement_lines, results

MEASURES = ("AP", "P@1", "P@5", "RR", "nDCG@3", "Rprec", "Judged@2", "R@2", "AP@2")
library: Any = ir_measures
# newer versions of Python warn of what its `parse_measure` takes from `ast`
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


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


# Files of TREC, with grades, in any order of lines: ours is the order that both libraries take.

DOCUMENTS = tuple(f"d{number}" for number in range(8))
PAIRS = {
    "AP": "map",
    "P@3": "P_3",
    "R@3": "recall_3",
    "RR": "recip_rank",
    "nDCG@10": "ndcg_cut_10",
    "nDCG": "ndcg",
    "Rprec": "Rprec",
}


@calm
@given(
    st.dictionaries(
        st.sampled_from(("1", "2", "10")),
        st.tuples(
            st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(-1, 3), min_size=1),
            st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(-50, 50), min_size=1).filter(
                lambda scores: len({*scores.values()}) == len(scores)  # ties are another matter
            ),
        ),
        min_size=1,
    )
)
def test_files_of_trec_score_as_in_the_libraries(
    topics: dict[str, tuple[dict[str, int], dict[str, int]]],
) -> None:
    qrels = {topic: grades for topic, (grades, _) in topics.items()}
    ranking = {t: {doc: float(s) for doc, s in scores.items()} for t, (_, scores) in topics.items()}
    with tempfile.TemporaryDirectory() as folder:
        judgements, run = Path(folder) / "qrels", Path(folder) / "run"
        judgements.write_text("".join(f"{t} 0 {d} {g}\n" for t in qrels for d, g in qrels[t].items()))
        run.write_text("".join(f"{t} Q0 {d} 1 {s} r\n" for t in ranking for d, s in ranking[t].items()))
        evaluation = evaluate(judgements, [run], list(PAIRS))
    measures = [library.parse_measure(name) for name in PAIRS]
    # given grades below 0 alone, pytrec_eval reads memory that is not its own, and may never return
    judged_topics = {topic: grades for topic, grades in qrels.items() if max(grades.values()) >= 0}
    by_library = {
        (metric.query_id, str(metric.measure)): metric.value
        for metric in library.iter_calc(measures, judged_topics, ranking)
    }
    asked = {"map", "P.3", "recall.3", "recip_rank", "ndcg_cut.10", "ndcg", "Rprec"}
    by_trec = pytrec_eval.RelevanceEvaluator(judged_topics, asked).evaluate(ranking)
    for scores in evaluation.scores:
        name = str(scores.measure)
        for topic, value in zip(scores.topics, scores.values[0].tolist(), strict=True):
            if max(qrels[topic].values()) < 1:
                assert isnan(value)
                continue
            assert value == pytest.approx(by_library[topic, name], abs=1e-12), (topic, name)
            assert value == pytest.approx(by_trec[topic][PAIRS[name]], abs=1e-12), (topic, name)


def test_a_file_in_ascending_order_of_scores(tmp_path: Path) -> None:
    """What trec_eval makes of it: the score counts, neither the rank column nor the order of lines."""
    (tmp_path / "qrels").write_text("1 0 A 1\n1 0 B 0\n1 0 C 1\n")
    (tmp_path / "run").write_text("1 Q0 B 1 0.1 r\n1 Q0 C 2 0.2 r\n1 Q0 X 3 0.3 r\n1 Q0 A 4 0.4 r\n")
    evaluation = evaluate(tmp_path / "qrels", [tmp_path / "run"], ["AP"])
    ranking = {"1": {"B": 0.1, "C": 0.2, "X": 0.3, "A": 0.4}}
    by_trec = pytrec_eval.RelevanceEvaluator({"1": {"A": 1, "B": 0, "C": 1}}, {"map"}).evaluate(ranking)
    assert evaluation.scores[0].totals()[0] == pytest.approx(by_trec["1"]["map"]) == pytest.approx(5 / 6)
