"""Claims: sets of text are scored at least 50 times faster than by nested loops over ranges, in linear time.

100,000 chunks against 10,000 gold spans in 1,000 questions: recall, precision and intersection over union of
all chunks returned, by `evaluate`, against loops in Python as in chunking_evaluation (each chunk with each
span; what is common, what is returned and what is left as lists of ranges, merged anew for every chunk). The
loops are written so that their numbers are right, and they are the same. Twice the chunks, in twice the
questions, may take 2.4 times as long. Times are those of the process, the best of repeats.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np

from _timing import claim
from inexlab.judgements.table import Judgements, JudgementsBuilder
from inexlab.measures import evaluate
from inexlab.policy import Policy
from inexlab.runs import Run, RunBuilder

QUESTIONS, CHUNKS, SPANS, DOCUMENTS, LENGTH = 1000, 100, 10, 5, 20_000
MEASURES = ("SpanR", "SpanP", "SpanIoU")
Range = tuple[int, int]
Placed = tuple[str, int, int]
Question = tuple[list[Placed], list[Placed]]  # what is returned, and what is relevant


def questions(count: int) -> list[Question]:
    """Make questions, each with chunks that overlap and come again, and with spans that overlap."""
    random = np.random.default_rng(2026)
    made = []
    for _ in range(count):
        starts = random.integers(0, LENGTH, size=(2, CHUNKS)).tolist()
        docs = random.integers(0, DOCUMENTS, size=(2, CHUNKS)).tolist()
        sizes = random.integers(100, 800, size=(2, CHUNKS)).tolist()
        chunks = [(f"d{d}", s, s + n) for d, s, n in zip(docs[0], starts[0], sizes[0], strict=True)]
        gold = [(f"d{d}", s, s + n) for d, s, n in zip(docs[1], starts[1], sizes[1], strict=True)]
        made.append((chunks, gold[:SPANS]))
    return made


def tables(asked: list[Question]) -> tuple[Judgements, Run]:
    """Return the same as judgements and a run."""
    judged, results = JudgementsBuilder(), RunBuilder()
    for number, (chunks, gold) in enumerate(asked):
        by_document: dict[str, list[Range]] = {}
        for doc, start, end in gold:
            by_document.setdefault(doc, []).append((start, end))
        for doc, spans in by_document.items():
            judged.add(f"q{number}", doc, spans)
        for doc, start, end in chunks:
            results.add(f"q{number}", doc, span=(start, end))
    return judged.build(), results.build("chunks")


def union_ranges(ranges: list[Placed]) -> list[Placed]:
    """Return ranges of documents, those that meet joined."""
    in_order = sorted(ranges, key=lambda one: (one[0], one[1]))
    merged = [in_order[0]]
    for doc, start, end in in_order[1:]:
        last_doc, last_start, last_end = merged[-1]
        if doc == last_doc and start <= last_end:
            merged[-1] = (doc, last_start, max(end, last_end))
        else:
            merged.append((doc, start, end))
    return merged


def intersect_two_ranges(one: Placed, other: Placed) -> Placed | None:
    """Return what two ranges have in common; those that only touch have nothing."""
    if one[0] != other[0]:
        return None
    start, end = max(one[1], other[1]), min(one[2], other[2])
    return (one[0], start, end) if start < end else None


def difference(ranges: list[Placed], target: Placed) -> list[Placed]:
    """Return ranges without what another has."""
    left = []
    for doc, start, end in ranges:
        if doc != target[0] or end <= target[1] or start >= target[2]:
            left.append((doc, start, end))
            continue
        if start < target[1]:
            left.append((doc, start, target[1]))
        if end > target[2]:
            left.append((doc, target[2], end))
    return left


def sum_of_ranges(ranges: list[Placed]) -> int:
    """Return how many characters disjoint ranges have."""
    return sum(end - start for _, start, end in ranges)


def by_loops(asked: list[Question]) -> list[tuple[float, float, float]]:
    """Return recall, precision and intersection over union of every question, range by range."""
    scores = []
    for chunks, gold in asked:
        common: list[Placed] = []
        returned: list[Placed] = []
        references = union_ranges(gold)
        unused = references
        for chunk in chunks:
            for reference in references:
                found = intersect_two_ranges(chunk, reference)
                if found is not None:
                    unused = difference(unused, found)
                    common = union_ranges([found, *common])
            returned = union_ranges([chunk, *returned])
        hit, shown = sum_of_ranges(common), sum_of_ranges(returned)
        recall = hit / sum_of_ranges(references)
        scores.append((recall, hit / shown, hit / (shown + sum_of_ranges(unused))))
    return scores


def seconds(work: Callable[[], object], repeats: int) -> float:
    """Return the shortest processor time of some work."""
    taken = []
    for _ in range(repeats):
        begin = time.process_time()
        work()
        taken.append(time.process_time() - begin)
    return min(taken)


def main() -> int:
    """Score both ways, then twice as much."""
    few, many = questions(QUESTIONS), questions(2 * QUESTIONS)
    (judged, run), (more_judged, more) = tables(few), tables(many)

    def ours(judgements: Judgements, results: Run) -> list[np.ndarray]:
        return [s.values[0] for s in evaluate(judgements, [results], MEASURES, policy=Policy(limit=0)).scores]

    order = [int(topic[1:]) for topic in judged.topics]
    found = np.stack(ours(judged, run), axis=1)  # which compiles what it needs
    expected = np.array(by_loops(few))[order]
    assert np.allclose(found, expected, atol=1e-12)
    assert ((found >= 0) & (found <= 1)).all()
    mine, twice = seconds(lambda: ours(judged, run), 7), seconds(lambda: ours(more_judged, more), 7)
    loops = seconds(lambda: by_loops(few), 2)
    print(
        f"{len(run):,} chunks: {mine * 1e3:.0f} ms, loops {loops:.2f} s; twice as many {twice * 1e3:.0f} ms"
    )
    passed = [claim("chunks-loops", loops / mine, 50, loops >= 50 * mine)]
    passed.append(claim("chunks-linear", twice / mine, 2.4, twice <= 2.4 * mine))
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
