"""The room of topics: topic files in every INEX format in; topics, query trees and path patterns out."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from inexlab.topics.nexi import parse_nexi
    from inexlab.topics.query import CASQuery, COQuery, Query
    from inexlab.topics.read import read_topics
    from inexlab.topics.table import Topic, Topics

__all__ = ["CASQuery", "COQuery", "Query", "Topic", "Topics", "parse_nexi", "read_topics"]

# loaded when first used: most commands need few of them
_HOMES = {
    "CASQuery": "inexlab.topics.query",
    "COQuery": "inexlab.topics.query",
    "Query": "inexlab.topics.query",
    "Topic": "inexlab.topics.table",
    "Topics": "inexlab.topics.table",
    "parse_nexi": "inexlab.topics.nexi",
    "read_topics": "inexlab.topics.read",
}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        from inexlab import loaded

        return loaded(__name__, name, _HOMES)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
