"""The first results of every run, as at INEX 2002 to 2004."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import chain

import numpy as np

from inexlab.pooling.method import Chosen, RankedDocuments, pooling_method


@pooling_method("depth", counts="results")
def depth(rankings: Sequence[RankedDocuments], results: int) -> Chosen:
    """The documents of the first so many results of each run; best ranks first, ties by the order of runs."""
    reached = [bisect_right(ranking.ranks, results) for ranking in rankings]
    of_all = list(zip(rankings, reached, strict=True))
    docs = list(chain.from_iterable(ranking.docs[:number] for ranking, number in of_all))
    ranks = np.fromiter(
        chain.from_iterable(ranking.ranks[:number] for ranking, number in of_all), dtype=np.int64
    )
    runs = np.repeat(np.arange(len(rankings)), reached)
    order = np.argsort(ranks, kind="stable")  # runs are in their order
    ordered = [docs[place] for place in order.tolist()]
    brought_by = dict(zip(reversed(ordered), reversed(runs[order].tolist()), strict=True))  # the first stays
    return Chosen({doc: brought_by[doc] for doc in dict.fromkeys(ordered)}, reached)
