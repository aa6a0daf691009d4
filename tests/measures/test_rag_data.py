"""Real questions about real texts: all set measures equal brute force over sets of characters and words."""

from __future__ import annotations

import random
from functools import cache
from math import isnan
from pathlib import Path

import pytest

from inexlab.chunks.gold import Gold, read_gold
from inexlab.collection import Collection, open_collection
from inexlab.measures import evaluate
from inexlab.runs import RunBuilder
from tests.oracles.text import Lists, Result, characters, within

RAG = Path(__file__).resolve().parents[3] / "shared" / "data" / "rag"
pytestmark = pytest.mark.skipif(not RAG.exists(), reason="needs ../shared/data/rag")
SETS = ("SpanP", "SpanR", "SpanF", "SpanIoU", "Density", "Redundancy")
CUTS = ("1", "3", "10", "500c", "1000c", "3333c")


@cache
def corpus() -> tuple[Collection, Gold]:
    documents = open_collection(RAG)
    return documents, read_gold(RAG / "questions.csv", documents)


def some_results(gold: Gold, topic: str, chance: random.Random) -> list[Result]:
    """Windows near the gold and elsewhere: overlapping, one in another, and the same again."""
    spans = [(row.doc, *span) for row in gold.judgements if row.topic == topic for span in row.spans]
    found: list[Result] = []
    for _ in range(10):
        doc, start, end = chance.choice(spans)
        begin = max(0, start + chance.randrange(-400, 300))
        found.append((doc, begin, begin + chance.choice((50, 200, 400, end - start))))
        if chance.random() < 0.3:
            found.append(chance.choice(found))
    found.append((spans[0][0], spans[0][1], spans[0][2]))
    chance.shuffle(found)
    return found


def test_quotes_are_where_they_are_said_to_be() -> None:
    _, gold = corpus()
    assert gold.report.how == {"stated": 344}
    assert len(gold.judgements.topics) == 220


def test_quotes_without_their_offsets_are_found_there_or_in_doubt() -> None:
    documents, gold = corpus()
    rows = [
        {"question": row.topic, "document": row.doc, "quote": documents[row.doc].text[start:end]}
        for row in list(gold.judgements)[::4]
        for start, end in row.spans
    ]
    again = read_gold(rows, documents)
    assert again.report.unplaced_count == 0
    before = {(row.topic, row.doc): row.spans for row in gold.judgements}
    asked = again.questions
    wrong = sum(before[asked[row.topic], row.doc] != row.spans for row in again.judgements)
    assert wrong <= again.report.doubtful


def test_sets_at_ranks_and_budgets_equal_brute_force() -> None:
    documents, gold = corpus()
    chance = random.Random(2026)
    topics = list(gold.judgements.topics)
    lists = {topic: some_results(gold, topic, chance) for topic in topics}
    builder = RunBuilder()
    for topic, results in lists.items():
        for doc, start, end in results:
            builder.add(topic, doc, span=(start, end))
    names = [f"{name}@{cut}" for cut in CUTS for name in SETS]
    done = evaluate(gold.judgements, [builder.build("run")], names, collection=documents, over=topics)
    for topic in topics:
        spans = [(row.doc, *span) for row in gold.judgements if row.topic == topic for span in row.spans]
        relevant = set(characters(spans))
        place = list(done.scores[0].topics).index(topic)
        for name, scores in zip(names, done.scores, strict=True):
            base, _, cut = name.partition("@")
            results = lists[topic]
            kept = within(results, int(cut[:-1])) if cut[-1] == "c" else characters(results[: int(cut)])
            expected = Lists(kept, relevant).scores()[base]
            value = float(scores.values[0, place])
            assert not isnan(value)
            assert 0 <= value <= 1
            assert value == pytest.approx(expected, abs=1e-12), (topic, name)
