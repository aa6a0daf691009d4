"""The room of topics: topic files in every INEX format in; topics, query trees and path patterns out."""

from typing import TYPE_CHECKING, Any

from inexlab.topics.nexi import parse_nexi
from inexlab.topics.query import CASQuery, COQuery, Query
from inexlab.topics.read import read_topics
from inexlab.topics.table import Topic, Topics

__all__ = ["CASQuery", "COQuery", "Query", "Topic", "Topics", "parse_nexi", "read_topics"]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        from inexlab import submodule

        return submodule(__name__, name)
