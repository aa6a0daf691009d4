"""The room of retrieval: which elements of a collection answer a query, in which order, for which task."""

from inexlab.retrieval.engine import Engine, make_engine, make_run
from inexlab.retrieval.snippets import Hit, search

__all__ = ["Engine", "Hit", "make_engine", "make_run", "search"]
