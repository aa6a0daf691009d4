"""The room of retrieval: which elements of a collection answer a query, in which order, for which task."""

from typing import TYPE_CHECKING, Any

from inexlab.retrieval.engine import Engine, make_engine
from inexlab.retrieval.runs import make_run
from inexlab.retrieval.snippets import Hit

__all__ = ["Engine", "Hit", "make_engine", "make_run"]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        from inexlab import submodule

        return submodule(__name__, name)
