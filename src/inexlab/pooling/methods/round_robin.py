"""Every run in turn until there are enough documents, as at INEX from 2005 on."""

from __future__ import annotations

from collections.abc import Sequence

from inexlab.pooling.method import Chosen, RankedDocuments, pooling_method


@pooling_method("round-robin", counts="documents")
def round_robin(rankings: Sequence[RankedDocuments], documents: int) -> Chosen:
    """The best document of each run in turn that is not pooled yet, until there are so many.

    Runs take turns in the order in which they are given.
    """
    chosen: dict[str, int] = {}
    at = [0] * len(rankings)
    left = [run for run, ranking in enumerate(rankings) if ranking.docs]
    while left and len(chosen) < documents:
        still = []
        for run in left:
            docs = rankings[run].docs
            while at[run] < len(docs) and docs[at[run]] in chosen:
                at[run] += 1
            if at[run] < len(docs) and len(chosen) < documents:
                chosen[docs[at[run]]] = run
                at[run] += 1
            if at[run] < len(docs):
                still.append(run)
        left = still
    return Chosen(chosen, at)
