"""Chunks beside the gold: how much of it each has, and what the best choice among them could reach.

The best choice is exact where chunks do not overlap. Where up to `depth` of them share a character, text of
several chunks is at least the sum of their lengths over `depth`, and relevant text at most the sum of what
each has: so the same search, with lengths divided by `depth`, gives an upper bound.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from inexlab.errors import UsageError
from inexlab.measures.counting import WordPlaces, judgements_in_words, words_of
from inexlab.measures.spans import SpanEvidence
from inexlab.runs.chunking import Chunking
from inexlab.tables import Floats, Ints

LARGEST_TABLE = 20_000_000  # steps of an exact search for what fits a budget; beyond that, a bound


class Pieces(NamedTuple):
    """The chunks that have relevant text of a topic, in characters or words, by the judged row.

    `relevant` counts it. `depth` is that of the chunking, `reachable` the relevant text that is in any chunk.
    """

    row: Ints
    start: Ints
    end: Ints
    relevant: Ints
    depth: int
    reachable: int
    total: int


def chunks_with_gold(evidence: SpanEvidence, unit: str) -> list[Pieces]:
    """Return by topic the chunks of a run's chunking that have relevant text."""
    chunking = evidence.run.chunking
    if chunking is None:
        raise UsageError(
            "Ceiling is about all chunks that a system could return, and the run does not tell them: use "
            "`inexlab chunks`, or in Python give them as chunking."
        )
    judged = evidence.judgements if unit == "char" else judgements_in_words(evidence)
    columns: list[list[tuple[Ints, Ints, Ints, Ints, int]]] = [[] for _ in evidence.names]
    totals = np.zeros(len(evidence.names), dtype=np.int64)
    for row in range(len(judged)):
        spans = slice(*judged.spans_from[row : row + 2].tolist())
        topic = int(judged.topic[row])
        totals[topic] += int(judged.relevant[row])
        doc = judged.docs[int(judged.doc[row])]
        start, end = _places(evidence, chunking, doc, unit)
        if not len(start) or spans.start == spans.stop:
            continue
        gold = judged.span_start[spans], judged.span_end[spans]
        inside = relevant_before(*gold, end) - relevant_before(*gold, start)
        some = np.flatnonzero(inside)
        reached = _covered(start[some], end[some], *gold)
        columns[topic].append((np.full(len(some), row), start[some], end[some], inside[some], reached))
    nothing = np.zeros(0, dtype=np.int64)
    made = []
    for parts, total in zip(columns, totals.tolist(), strict=True):
        row_of, start, end, relevant = (
            np.concatenate([nothing, *(part[k] for part in parts)]).astype(np.int64) for k in range(4)
        )
        reached = sum(part[4] for part in parts)
        made.append(Pieces(row_of, start, end, relevant, chunking.depth, reached, total))
    return made


def _places(evidence: SpanEvidence, chunking: Chunking, doc: str, unit: str) -> tuple[Ints, Ints]:
    """Return where the chunks of a document begin and end, in characters or words."""
    rows = chunking.rows_of(doc)
    start, end = chunking.start[rows], chunking.end[rows]
    if unit == "char" or not len(start):
        return start, end
    words: WordPlaces = words_of(evidence.collection)[doc]
    return words.before(start), words.before(end)


def relevant_before(gold_start: Ints, gold_end: Ints, at: Ints) -> Ints:
    """Return how many characters of sorted, disjoint spans come before each of some places."""
    covered = np.concatenate(([0], np.cumsum(gold_end - gold_start)))
    begun = np.searchsorted(gold_start, at)
    open_end = np.concatenate(([0], gold_end))[begun]
    found: Ints = covered[begun] - np.where(begun > 0, np.maximum(open_end - at, 0), 0)
    return found


def _covered(start: Ints, end: Ints, gold_start: Ints, gold_end: Ints) -> int:
    """Return how much of the gold the union of some chunks, sorted by their starts, has."""
    if not len(start):
        return 0
    reach = np.concatenate(([0], np.maximum.accumulate(end)[:-1]))
    left = np.minimum(np.maximum(start, reach), end)  # what no chunk before has
    fresh = relevant_before(gold_start, gold_end, end) - relevant_before(gold_start, gold_end, left)
    return int(fresh.sum())


def best_at_rank(pieces: Pieces, rank: int | None, extra: int) -> float:
    """Return the greatest hit / (length + extra) of at most `rank` chunks; extra -1 asks for hit / total.

    A ratio of sums is found by Dinkelbach's method: the chunks that are worth more than the best ratio so
    far costs, until there is no better ratio.
    """
    hit, size = pieces.relevant.astype(np.float64), (pieces.end - pieces.start) / pieces.depth
    if not len(hit):
        return 0.0
    if extra < 0:
        most = np.sort(hit)[::-1][:rank].sum()
        return float(min(most, pieces.reachable) / pieces.total)
    ratio = 0.0
    while True:
        worth = hit - ratio * size
        chosen = np.argsort(-worth, kind="stable")[:rank]
        chosen = chosen[worth[chosen] > 0]
        hits, length = float(hit[chosen].sum()), float(size[chosen].sum()) + extra
        better = hits / length if length else 0.0
        if better <= ratio:
            return ratio
        ratio = better


def best_in_budget(pieces: Pieces, budget: int, extra: int, gold: tuple[Ints, Ints, Ints]) -> float:
    """Return the same of chunks that fill a budget, of which the last may be cut.

    `gold` are the judgements' `spans_from`, `span_start` and `span_end`.
    """
    if not len(pieces.relevant):
        return 0.0
    size = pieces.end - pieces.start
    if int(size.sum()) <= budget:
        return best_at_rank(pieces, None, extra)
    if len(size) * max(1, len(size).bit_length()) * budget > LARGEST_TABLE:
        return _bound(pieces, budget, extra)
    best = np.full(budget + 1, -1.0)  # by length used: the most relevant text; -1 where no choice is as long
    with_cut = -1.0
    nothing = np.full(budget + 1, -1.0)
    nothing[0] = 0.0
    prefix = [_prefixes(pieces, k, budget, gold) for k in range(len(size))]
    # leave each out in turn: the tables of one half are filled before the other half is looked at
    waiting: list[tuple[int, int, Floats]] = [(0, len(size), nothing)]
    while waiting:
        low, high, table = waiting.pop()
        if high - low > 1:
            middle = (low + high) // 2
            waiting.append((low, middle, _filled(table, pieces, range(middle, high))))
            waiting.append((middle, high, _filled(table, pieces, range(low, middle))))
            continue
        # the chunk `low` is the last one: whole, where it fits, or cut where the budget ends
        np.maximum(best, _filled(table, pieces, range(low, high)), out=best)
        used = np.flatnonzero(table >= 0)
        used = used[(used < budget) & (budget - used < size[low])]
        if len(used):
            with_cut = max(with_cut, float((table[used] + prefix[low][budget - used]).max()))
    best[budget] = max(best[budget], with_cut)
    some = np.flatnonzero(best > 0)
    if not len(some):
        return 0.0
    if extra < 0:
        return float(min(best.max(), pieces.reachable) / pieces.total)
    return float((best[some] / (some / pieces.depth + extra)).max())


def _filled(table: Floats, pieces: Pieces, chunks: range) -> Floats:
    """Return the table with some more chunks to choose from."""
    table = table.copy()
    for k in chunks:
        size = int(pieces.end[k] - pieces.start[k])
        if size < len(table):
            before = table[: len(table) - size]
            table[size:] = np.maximum(table[size:], np.where(before >= 0, before + pieces.relevant[k], -1.0))
    return table


def _prefixes(pieces: Pieces, k: int, budget: int, gold: tuple[Ints, Ints, Ints]) -> Floats:
    """Return how much relevant text the first 0, 1, 2 … characters of a chunk have."""
    spans_from, starts, ends = gold
    spans = slice(*spans_from[pieces.row[k] : pieces.row[k] + 2].tolist())
    here = starts[spans], ends[spans]
    at = pieces.start[k] + np.minimum(np.arange(budget + 1), pieces.end[k] - pieces.start[k])
    found = relevant_before(*here, at)
    prefixes: Floats = (found - found[0]).astype(np.float64)
    return prefixes


def _bound(pieces: Pieces, budget: int, extra: int) -> float:
    """Return an upper bound where there is too much to try: text of chunks may be taken in any parts."""
    size = (pieces.end - pieces.start).astype(np.float64)
    order = np.argsort(-(pieces.relevant / size), kind="stable")
    used = np.minimum(np.cumsum(size[order]), budget)
    taken = np.diff(np.concatenate(([0.0], used)))
    # whoever cuts a chunk may get more of its relevant text than its share
    most = float((taken * (pieces.relevant / size)[order]).sum() + pieces.relevant.max())
    most = min(most, float(budget), float(pieces.reachable))
    if extra < 0:
        return most / pieces.total
    return min(1.0, most / extra) if extra else 1.0
