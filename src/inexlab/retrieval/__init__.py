"""The room of retrieval: which elements of a collection answer a query, in which order, for which task."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from inexlab.retrieval.engine import Engine, make_engine
    from inexlab.retrieval.runs import make_run
    from inexlab.retrieval.snippets import Hit

__all__ = ["Engine", "Hit", "make_engine", "make_run"]

# loaded when first used: most commands need few of them
_HOMES = {
    "Engine": "inexlab.retrieval.engine",
    "Hit": "inexlab.retrieval.snippets",
    "make_engine": "inexlab.retrieval.engine",
    "make_run": "inexlab.retrieval.runs",
}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        from inexlab import loaded

        return loaded(__name__, name, _HOMES)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
