"""Sizes at the border of what can be counted: sums are exact, or refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from inexlab import evaluate
from inexlab.errors import InputError

LARGE = 9 * 10**14  # characters; ten of them are just below 2^53


def scored(folder: Path, qrels: str, run: str, measure: str = "SpanP") -> float:
    (folder / "q").write_text(qrels)
    (folder / "r").write_text(run)
    evaluation = evaluate(folder / "q", [folder / "r"], [measure])
    return float(evaluation.scores[0].values[0, 0])


def lines(count: int, size: int) -> str:
    return "".join(f"1 Q0 d{k} {k + 1} {9999 - k}.0 run 0 {size}\n" for k in range(count))


@pytest.mark.parametrize("way", ["always", "never"])
def test_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    monkeypatch.setenv("INEXLAB_COMPILED", way)
    qrels = f"1 Q0 d0 {LARGE} {LARGE} 0 0:{LARGE}\n"
    assert scored(tmp_path, qrels, lines(10, LARGE)) == 0.1
    for count, size in ((11, LARGE), (2, 2**53), (2000, 2**53)):
        with pytest.raises(InputError, match=r"r: the results of a topic have more than 2\^53 characters"):
            scored(tmp_path, qrels, lines(count, size))


def test_judgements(tmp_path: Path) -> None:
    def qrels(count: int) -> str:
        return "".join(f"1 Q0 d{k} {LARGE} {LARGE} 0 0:{LARGE}\n" for k in range(count))

    assert scored(tmp_path, qrels(10), lines(1, LARGE), "SpanR") == 0.1
    with pytest.raises(InputError, match=r"q: the judgements of a topic have more than 2\^53 characters"):
        scored(tmp_path, qrels(11), lines(1, LARGE), "SpanR")
