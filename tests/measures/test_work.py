"""Runs made to be slow: twice as large, they take about twice as long; and both ways of reading agree."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.judgements import read_judgements
from inexlab.measures import reading
from inexlab.measures.spans import SpanEvidence, span_evidence
from inexlab.policy import Policy
from inexlab.runs import read_run
from tests.work import lines_run

KERNELS = (
    reading._read_down,
    reading._paint,
    reading._relevant_before,
    reading._until_relevant,
    reading._first_span_from,
)
COLUMNS = ("size", "relevant", "full_relevant", "lead")


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INEXLAB_COMPILED", "never")


def evidence(
    folder: Path, results: list[tuple[str, int, int]], highlights: list[tuple[int, int]]
) -> SpanEvidence:
    spans = " ".join(f"{start}:{length}" for start, length in highlights)
    (folder / "q").write_text(f"1 Q0 d {sum(length for _, length in highlights)} 100000 0 {spans}\n")
    rows = [
        f"1 Q0 {doc} {k + 1} {len(results) - k} r {start} {length}"
        for k, (doc, start, length) in enumerate(results)
    ]
    (folder / "r").write_text("\n".join(rows) + "\n")
    return span_evidence(read_run(folder / "r"), read_judgements(folder / "q"), Policy())


def shuffled(n: int) -> list[int]:
    return random.Random(n).sample(range(n), n)


RUNS: dict[str, Callable[[int], list[tuple[str, int, int]]]] = {
    "apart, from the end": lambda n: [("d", 4 * k, 2) for k in range(n, 0, -1)],
    "apart, in any order": lambda n: [("d", 4 * k, 2) for k in shuffled(n)],
    "the same again": lambda n: [("d", 0, 4 * n)] * n,
    "one in another": lambda n: [("d", k, 8 * n - 2 * k) for k in range(n)],
    "one around another": lambda n: [("d", 4 * n - k, 2 * k + 1) for k in range(n)],
    "apart, then all": lambda n: [("d", 4 * k, 2) for k in range(n)] + [("d", 0, 4 * n)] * n,
}


@pytest.mark.parametrize("shape", RUNS)
def test_twice_the_results_and_highlights_take_twice_the_work(shape: str, tmp_path: Path) -> None:
    def lines_of(n: int) -> int:
        results, highlights = RUNS[shape](n), [(3 * k, 2) for k in range(n)]
        return lines_run(lambda: evidence(tmp_path, results, highlights), *KERNELS)

    assert lines_of(600) < 2.5 * lines_of(300)


PLACES = st.tuples(st.sampled_from("de"), st.integers(0, 30), st.integers(0, 20))
HIGHLIGHTS = st.lists(st.tuples(st.integers(0, 40), st.integers(1, 9)), min_size=1, max_size=6)


@given(st.lists(PLACES, min_size=1, max_size=25), HIGHLIGHTS)
def test_crowded_documents_are_read_as_others_are(
    tmp_path_factory: pytest.TempPathFactory,
    results: list[tuple[str, int, int]],
    highlights: list[tuple[int, int]],
) -> None:
    folder = tmp_path_factory.mktemp("run")
    with pytest.MonkeyPatch.context() as patch:
        found = []
        for crowd in (0, 3, 1000):
            patch.setattr(reading, "_CROWD", crowd)
            found.append(evidence(folder, results, highlights))
    for column in COLUMNS:
        for other in found[1:]:
            assert getattr(found[0], column).tolist() == getattr(other, column).tolist(), column
    assert np.all(found[0].size <= found[0].full_size)
