"""The first results of every run, as at INEX 2002 to 2004."""

from __future__ import annotations

from collections.abc import Sequence

from inexlab.pooling.method import Chosen, RankedDocuments, pooling_method


@pooling_method("depth", counts="results")
def depth(rankings: Sequence[RankedDocuments], results: int) -> Chosen:
    """The documents of the first so many results of each run; best ranks first, ties by the order of runs."""
    found = sorted(
        (rank, run, doc)
        for run, ranking in enumerate(rankings)
        for doc, rank in zip(ranking.docs, ranking.ranks, strict=True)
        if rank <= results
    )
    documents: dict[str, int] = {}
    for _, run, doc in found:
        documents.setdefault(doc, run)
    return Chosen(documents, [sum(rank <= results for rank in ranking.ranks) for ranking in rankings])
