"""Runs described without their scores: size, overlap, granularity, and how much of them is judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np

from inexlab.collection import Collection
from inexlab.judgements import Judgements
from inexlab.measures.results import Mask, judged_results
from inexlab.policy import Policy
from inexlab.runs import Run
from inexlab.runs.profile import overlapping, tags_and_depths
from inexlab.tables import Ints

ProfileRow = dict[str, str | int | float | None]
BORDERS = (10, 50, 100, 500, 1500)  # ranges of ranks


def by_run(run: Run, judgements: Judgements | None, _collection: Collection | None) -> Iterator[ProfileRow]:
    """Yield one row for the run as a whole."""
    documents = len(np.unique(run.topic.astype(np.int64) * len(run.docs) + run.doc))
    spans = run.start >= 0
    row: ProfileRow = {
        "run": run.id,
        "topics": len(run.topics),
        "results": len(run),
        "results per topic": len(run) / len(run.topics),
        "documents per topic": documents / len(run.topics),
        "% overlapping": _percent(overlapping(run)),
        "mean length": float((run.end - run.start)[spans].mean()) if spans.any() else None,
    }
    if judgements is not None:
        unjudged, rank = _unjudged(run, judgements)
        row["% unjudged in first 10"] = _percent(unjudged[rank <= 10])
        row["% unjudged"] = _percent(unjudged)
    yield row


def by_tag(run: Run, _judgements: Judgements | None, collection: Collection | None) -> Iterator[ProfileRow]:
    """Yield a row for each tag, the most frequent first."""
    for tag, count in Counter(tags_and_depths(run, collection)[0]).most_common():
        yield {"run": run.id, "tag": tag, "results": count, "%": 100 * count / len(run)}


def by_depth(run: Run, _judgements: Judgements | None, collection: Collection | None) -> Iterator[ProfileRow]:
    """Yield a row for each depth in the tree; 0 stands for passages."""
    depths, counts = np.unique(tags_and_depths(run, collection)[1], return_counts=True)
    for depth, count in zip(depths.tolist(), counts.tolist(), strict=True):
        yield {"run": run.id, "depth": depth, "results": count, "%": 100 * count / len(run)}


def by_rank(run: Run, judgements: Judgements | None, _collection: Collection | None) -> Iterator[ProfileRow]:
    """Yield a row for each range of ranks, over the judged topics where there are judgements."""
    overlaps = overlapping(run)
    if judgements is not None:
        kept = judged_results(run, judgements, Policy(limit=0)).kept
        unjudged, rank = _unjudged(run, judgements)
        overlaps = overlaps[kept]
    else:
        unjudged, rank = np.zeros(0, dtype=np.bool_), _ranks(run)
    first = 1
    for last in (*BORDERS, int(rank.max(initial=0))):
        here = (rank >= first) & (rank <= last)
        if here.any():
            row: ProfileRow = {"run": run.id, "ranks": f"{first}-{last}", "results": int(here.sum())}
            row["% overlapping"] = _percent(overlaps[here])
            if judgements is not None:
                row["% unjudged"] = _percent(unjudged[here])
            yield row
        first = max(first, last + 1)


VIEWS: dict[str, Callable[[Run, Judgements | None, Collection | None], Iterator[ProfileRow]]] = {
    "run": by_run,
    "tag": by_tag,
    "depth": by_depth,
    "rank": by_rank,
}


def _unjudged(run: Run, judgements: Judgements) -> tuple[Mask, Ints]:
    """Return of each result on a judged topic whether its document is unjudged there, and its rank."""
    results = judged_results(run, judgements, Policy(limit=0))
    lengths = np.diff(results.results_from)
    rank = np.arange(len(results.row)) - np.repeat(results.results_from[:-1], lengths) + 1
    return results.row < 0, rank.astype(np.int64)


def _ranks(run: Run) -> Ints:
    order = np.argsort(run.topic, kind="stable")
    borders = np.searchsorted(run.topic[order], np.arange(len(run.topics)))
    rank = np.empty(len(run), dtype=np.int64)
    rank[order] = np.arange(len(run)) - borders[run.topic[order]] + 1
    return rank


def _percent(marks: Mask) -> float | None:
    return 100 * float(marks.mean()) if len(marks) else None
