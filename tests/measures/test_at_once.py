"""Measures that score all topics at once give the numbers that they give topic by topic."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from inexlab.judgements import read_judgements
from inexlab.measures.measure import definitions, parse
from inexlab.measures.scoring import evaluate
from inexlab.measures.spans import span_evidence
from inexlab.policy import Policy
from inexlab.runs import read_run

NAMES = [
    *("iP@0", "iP@0.01", "iP@0.29", "iP@0.123", "iP@1", "MAiP"),
    *("SpanP", "SpanP@2", "SpanP@100c", "SpanR", "SpanR@3", "SpanR@100c"),
    *("num_ret", "num_rel", "num_rel_ret", "ret_size", "rel_size", "rel_ret_size"),
]
POLICIES = [
    Policy(),
    Policy(denominator="full"),
    Policy(seen_text="again"),
    Policy(relevant_size="stated"),
    Policy(empty_topics="zero"),
    Policy(outside="clip"),
    Policy(unlocatable=7),
    Policy(limit=2),
]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Topics with and without results and highlights; results again, outside, empty and nowhere."""
    folder = tmp_path_factory.mktemp("at_once")
    random = np.random.default_rng(4)
    judged = [
        f"{t} Q0 d{d} 60 {random.integers(200, 900)} 10 10:{random.integers(1, 90)} 120:30"
        if t != 3 and random.random() < 0.5
        else f"{t} Q0 d{d} 0 500"
        for t in range(1, 7)
        for d in range(9)
    ]
    (folder / "qrels").write_text("\n".join(judged) + "\n")
    rows = [
        f"{t} Q0 d{random.integers(0, 14)} {i + 1} {40 - i} r "
        + ("X 0" if random.random() < 0.1 else f"{random.integers(0, 700)} {random.integers(0, 200)}")
        for t in (6, 1, 2, 3, 5, 9)
        for i in range(random.integers(1, 30))
    ]
    (folder / "run").write_text("\n".join(rows) + "\n")
    return folder / "qrels", folder / "run"


def test_every_such_measure_is_here() -> None:
    assert {d.name for d in definitions.values() if d.at_once} == {parse(n).definition.name for n in NAMES}


@pytest.mark.parametrize("way", ["never", pytest.param("always", marks=pytest.mark.compiled)])
@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: str(policy)[-40:])
def test_the_same_numbers(
    files: tuple[Path, Path], policy: Policy, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INEXLAB_COMPILED", way)
    evidence = span_evidence(read_run(files[1]), read_judgements(files[0]), policy)
    for name in NAMES:
        measure = parse(name)
        by_topic = [float(measure.score(topic)) for topic in evidence.topics]
        at_once = measure.scores(evidence, (), [True] * len(by_topic))
        assert list(map(repr, map(float, at_once))) == list(map(repr, by_topic)), name


def test_topics_that_do_not_count_have_no_score(files: tuple[Path, Path]) -> None:
    found = evaluate(files[0], [files[1]], NAMES, over=["2", "5"])
    for scores in found.scores:
        defined = {topic for t, topic in enumerate(scores.topics) if not np.isnan(scores.values[0, t])}
        assert defined == {"2", "5"}
