"""The room of retrieval: which elements of a collection answer a query, in which order, for which task."""

from inexlab.retrieval.search import Ranking, search

__all__ = ["Ranking", "search"]
