"""From runs over real articles to a pool, to assessors with a known error, and back to that error."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from inexlab.collection import Collection, open_collection
from inexlab.experiments.assessors import compare_assessors
from inexlab.experiments.choices import Choices
from inexlab.judgements import Judgements, JudgementsBuilder, read_judgements, write_judgements
from inexlab.judgements.assessor import Assessor
from inexlab.pooling import make_pool, read_pool, write_pool
from inexlab.runs import Run
from inexlab.runs.table import RunBuilder
from inexlab.statistics.procedure import Procedure
from inexlab.statistics.testing import Sampling

ARTICLES = Path(__file__).parents[3] / "shared" / "data" / "elife-41.tar.xz"
TOPICS = [f"t{n}" for n in range(12)]
MISSED, WRONG = 0.2, 0.1  # the share of paragraphs the second assessor misses, and of others marked instead


@pytest.fixture(scope="module")
def articles() -> Collection:
    if not ARTICLES.exists():
        pytest.skip("the eLife articles (shared/data/elife-41.tar.xz) are not here")
    return open_collection(ARTICLES)


def three_runs(articles: Collection) -> list[tuple[Run, str]]:
    """Return three runs of paragraphs, each over other articles; neighbours share some of them."""
    ids = sorted(articles)[:12]
    paths = {}
    for id in ids:
        elements = articles.elements(id)
        assert elements is not None
        numbers = [n for n in range(len(elements)) if elements.path(n).rpartition("/")[2].startswith("p[")]
        paths[id] = [elements.path(n) for n in numbers[:12]]
    made = []
    for number in range(3):
        generator = random.Random(number)
        builder = RunBuilder()
        for topic in TOPICS:
            for id in generator.sample(ids[2 * number : 2 * number + 8], 6):
                builder.add(topic, id, path=generator.choice(paths[id]))
        made.append((builder.build(f"run{number}"), f"group{number}"))
    return made


def test_the_error_of_an_assessor_is_found_again(articles: Collection, tmp_path: Path) -> None:
    """One assessor marks paragraphs, the other misses a fifth of them and marks some others as well.

    All marks are of the same length, so the expected share of what the first marked that the second did, too,
    is 0.8, and what the first marked is 1 / 0.9 as much.
    """
    pool = make_pool(three_runs(articles), "round-robin", 12, collection=articles)
    write_pool(pool, tmp_path / "pool.jsonl")
    pool = read_pool(tmp_path / "pool.jsonl")
    assert len(pool.topics) == 12
    assert all(document.hints for document in pool)
    generator = random.Random(2005)
    truth, other = JudgementsBuilder(), JudgementsBuilder()
    truth.by(Assessor("person", "anna"))
    other.by(Assessor("model", "judge", "1"))
    for document in pool:
        elements = articles.elements(document.doc)
        assert elements is not None
        size = int(elements.end[0])
        right = [(n * 100, n * 100 + 60) for n in range(10)]
        wrong = [(5000 + n * 100, 5000 + n * 100 + 60) for n in range(10)]
        truth.add(document.topic, document.doc, right, size=size, bep=0)
        said = [span for span in right if generator.random() >= MISSED]
        said += [span for span in wrong if generator.random() < WRONG]
        other.add(document.topic, document.doc, said, size=size, bep=said[0][0] if said else None)
    sets: list[Judgements] = []
    for name, builder in (("anna", truth), ("judge", other)):
        for format in ("jsonl", "web-annotation"):
            write_judgements(builder.build(), tmp_path / f"{name}.{format}", format)
        assert list(read_judgements(tmp_path / f"{name}.web-annotation")) == list(
            read_judgements(tmp_path / f"{name}.jsonl")
        )
        sets.append(read_judgements(tmp_path / f"{name}.jsonl"))
    procedure = Procedure("t", sampling=Sampling(resamples=1000))
    found = compare_assessors(sets, [], Choices(), procedure=procedure)
    [pair] = found.pairs
    kept = pair["text", "precision"]  # the share of what anna marked that the judge did, too
    assert kept.low <= 1 - MISSED <= kept.high
    assert kept.high - kept.low < 0.1
    assert pair["documents", "kappa"].value != pair["documents", "kappa"].value  # all documents are relevant
    length = pair["text", "length ratio"]
    assert length.low <= 1 / (1 - MISSED + WRONG) <= length.high
    assert "over topics" in found.notes[-1]
