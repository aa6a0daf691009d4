"""inexlab: the laboratory of INEX in one package.

    >>> import inexlab
    >>> inexlab.measures.parse("MAgP")        # doctest: +ELLIPSIS
    Measure(...)

`evaluate` scores runs, `explain` takes a score apart, `read_run`, `read_judgements` and `read_topics` read
files in every INEX format, `write_run` and `write_judgements` write them, `parse_nexi` reads a query,
`open_collection` opens a folder or archive of XML documents, `preset` gives the official measures of a
campaign. `open_index` opens what `inexlab index` built, and `search` finds in it the elements that answer a
query.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from inexlab import measures
    from inexlab.campaigns import preset
    from inexlab.collection import open_collection
    from inexlab.errors import InexlabError
    from inexlab.index.index import Index, open_index
    from inexlab.judgements import Judgements, read_judgements, write_judgements
    from inexlab.measures import Evaluation, Explanation, Scores, evaluate, explain
    from inexlab.policy import Policy
    from inexlab.retrieval import Hit, search
    from inexlab.runs import Run, read_run, write_run
    from inexlab.topics import Topic, Topics, parse_nexi, read_topics

__all__ = [
    "Evaluation",
    "Explanation",
    "Hit",
    "Index",
    "InexlabError",
    "Judgements",
    "Policy",
    "Run",
    "Scores",
    "Topic",
    "Topics",
    "evaluate",
    "explain",
    "measures",
    "open_collection",
    "open_index",
    "parse_nexi",
    "preset",
    "read_judgements",
    "read_run",
    "read_topics",
    "search",
    "write_judgements",
    "write_run",
]

# Where each public name lives; loaded when first used, so that `import inexlab` costs nothing.
_HOMES = {
    "Evaluation": "inexlab.measures",
    "Explanation": "inexlab.measures",
    "Hit": "inexlab.retrieval",
    "Index": "inexlab.index.index",
    "InexlabError": "inexlab.errors",
    "Judgements": "inexlab.judgements",
    "Policy": "inexlab.policy",
    "Run": "inexlab.runs",
    "Scores": "inexlab.measures",
    "Topic": "inexlab.topics",
    "Topics": "inexlab.topics",
    "evaluate": "inexlab.measures",
    "explain": "inexlab.measures",
    "open_collection": "inexlab.collection",
    "open_index": "inexlab.index.index",
    "parse_nexi": "inexlab.topics",
    "preset": "inexlab.campaigns",
    "read_judgements": "inexlab.judgements",
    "read_run": "inexlab.runs",
    "search": "inexlab.retrieval",
    "write_judgements": "inexlab.judgements",
    "write_run": "inexlab.runs",
    "read_topics": "inexlab.topics",
}


def __getattr__(name: str) -> Any:
    if name == "measures":
        return importlib.import_module("inexlab.measures")
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'inexlab' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
