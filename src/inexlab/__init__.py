"""inexlab: the laboratory of INEX in one package.

    >>> import inexlab
    >>> judgements = {"q1": {"d1": 1, "d2": 0}}
    >>> run = {"q1": {"d2": 0.9, "d1": 0.5}}
    >>> inexlab.evaluate(judgements, run, ["RR", "P@1"]).means()
    {'run': {'RR': 0.5, 'P@1': 0.0}}

What `inexlab VERB` does on the command line, a function of the same name does here, with the same names of
options: `evaluate`, `compare`, `explain`, `check`, `convert`, `plot` and so on. Where a package has the name
of the verb, the function is `build_index`, `make_run`, `make_report`, `list_measures` or `list_topics`. What
is given by a path may be a pandas or polars frame, a dictionary, records, or a table of ours.

`read_run`, `read_judgements` and `read_topics` read files in every INEX format, `write_run` and
`write_judgements` write them, `open_collection` opens a folder or archive of documents, `open_index` what
`build_index` built, `preset` gives the official measures of a campaign.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"

if TYPE_CHECKING:
    from inexlab import (
        api,
        campaigns,
        chunks,
        collection,
        experiments,
        index,
        judgements,
        measures,
        pooling,
        report,
        retrieval,
        runs,
        statistics,
        topics,
    )
    from inexlab.api.assessing import assessors
    from inexlab.api.checking import check, diff, problem_kinds
    from inexlab.api.chunking import compare_chunks, score_chunks
    from inexlab.api.comparing import compare, ttest
    from inexlab.api.conditions import agreement, correlate, stability
    from inexlab.api.explaining import explain
    from inexlab.api.figures import make_report, plot
    from inexlab.api.files import cas, convert, list_topics, profile, recall_base
    from inexlab.api.indexing import build_index
    from inexlab.api.lists import formats, list_measures, nexi, profiles
    from inexlab.api.making import baseline, make_run
    from inexlab.api.official import inex_eval
    from inexlab.api.pooling import pool
    from inexlab.api.scoring import demo, evaluate
    from inexlab.api.searching import search, show
    from inexlab.campaigns import preset
    from inexlab.chunks import Gold, read_gold
    from inexlab.collection import Collection, open_collection
    from inexlab.errors import InexlabError
    from inexlab.index.index import Index, open_index
    from inexlab.interop.datasets import dataset
    from inexlab.interop.measures import to_ir_measures
    from inexlab.interop.pyterrier import terrier_retriever
    from inexlab.judgements import Judgements, read_judgements, write_judgements
    from inexlab.measures import Evaluation, Explanation, Measure
    from inexlab.policy import Policy
    from inexlab.progress import watching
    from inexlab.retrieval import Hit
    from inexlab.runs import Run, read_run, write_run
    from inexlab.scores import Scores
    from inexlab.statistics import Comparison
    from inexlab.templates import new
    from inexlab.topics import Topic, Topics, parse_nexi, read_topics
    from inexlab.web.serving import serve, serve_demo

# Where each public name lives; loaded when first used, so that `import inexlab` costs nothing.
_HOMES = {
    "Collection": "inexlab.collection",
    "Comparison": "inexlab.statistics",
    "Evaluation": "inexlab.measures",
    "Gold": "inexlab.chunks",
    "Explanation": "inexlab.measures",
    "Hit": "inexlab.retrieval",
    "Index": "inexlab.index.index",
    "InexlabError": "inexlab.errors",
    "Judgements": "inexlab.judgements",
    "Measure": "inexlab.measures",
    "Policy": "inexlab.policy",
    "Run": "inexlab.runs",
    "Scores": "inexlab.scores",
    "Topic": "inexlab.topics",
    "Topics": "inexlab.topics",
    "agreement": "inexlab.api.conditions",
    "assessors": "inexlab.api.assessing",
    "baseline": "inexlab.api.making",
    "build_index": "inexlab.api.indexing",
    "cas": "inexlab.api.files",
    "check": "inexlab.api.checking",
    "compare": "inexlab.api.comparing",
    "compare_chunks": "inexlab.api.chunking",
    "convert": "inexlab.api.files",
    "correlate": "inexlab.api.conditions",
    "dataset": "inexlab.interop.datasets",
    "demo": "inexlab.api.scoring",
    "diff": "inexlab.api.checking",
    "evaluate": "inexlab.api.scoring",
    "explain": "inexlab.api.explaining",
    "formats": "inexlab.api.lists",
    "inex_eval": "inexlab.api.official",
    "list_measures": "inexlab.api.lists",
    "list_topics": "inexlab.api.files",
    "make_report": "inexlab.api.figures",
    "make_run": "inexlab.api.making",
    "new": "inexlab.templates",
    "nexi": "inexlab.api.lists",
    "open_collection": "inexlab.collection",
    "open_index": "inexlab.index.index",
    "parse_nexi": "inexlab.topics",
    "plot": "inexlab.api.figures",
    "pool": "inexlab.api.pooling",
    "preset": "inexlab.campaigns",
    "problem_kinds": "inexlab.api.checking",
    "profile": "inexlab.api.files",
    "profiles": "inexlab.api.lists",
    "read_gold": "inexlab.chunks",
    "read_judgements": "inexlab.judgements",
    "read_run": "inexlab.runs",
    "read_topics": "inexlab.topics",
    "recall_base": "inexlab.api.files",
    "score_chunks": "inexlab.api.chunking",
    "search": "inexlab.api.searching",
    "serve": "inexlab.web.serving",
    "serve_demo": "inexlab.web.serving",
    "show": "inexlab.api.searching",
    "stability": "inexlab.api.conditions",
    "terrier_retriever": "inexlab.interop.pyterrier",
    "to_ir_measures": "inexlab.interop.measures",
    "ttest": "inexlab.api.comparing",
    "watching": "inexlab.progress",
    "write_judgements": "inexlab.judgements",
    "write_run": "inexlab.runs",
}

__all__ = [
    "Collection",
    "Comparison",
    "Evaluation",
    "Explanation",
    "Gold",
    "Hit",
    "Index",
    "InexlabError",
    "Judgements",
    "Measure",
    "Policy",
    "Run",
    "Scores",
    "Topic",
    "Topics",
    "__version__",
    "agreement",
    "api",
    "assessors",
    "baseline",
    "build_index",
    "campaigns",
    "cas",
    "check",
    "chunks",
    "collection",
    "compare",
    "compare_chunks",
    "convert",
    "correlate",
    "dataset",
    "demo",
    "diff",
    "evaluate",
    "experiments",
    "explain",
    "formats",
    "index",
    "inex_eval",
    "interop",
    "judgements",
    "list_measures",
    "list_topics",
    "make_report",
    "make_run",
    "measures",
    "new",
    "nexi",
    "open_collection",
    "open_index",
    "parse_nexi",
    "plot",
    "pool",
    "pooling",
    "preset",
    "problem_kinds",
    "profile",
    "profiles",
    "read_gold",
    "read_judgements",
    "read_run",
    "read_topics",
    "recall_base",
    "report",
    "retrieval",
    "runs",
    "score_chunks",
    "search",
    "serve",
    "serve_demo",
    "show",
    "stability",
    "statistics",
    "terrier_retriever",
    "to_ir_measures",
    "topics",
    "ttest",
    "watching",
    "write_judgements",
    "write_run",
]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        return loaded(__name__, name, _HOMES)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def loaded(package: str, name: str, homes: Mapping[str, str]) -> Any:
    """Return what a package offers under a name, loaded when first asked for, or a module of it.

    Packages ask here for names that they have not met; `homes` has the module where each lives.
    """
    if name not in homes:
        return submodule(package, name)
    found = getattr(importlib.import_module(homes[name]), name)
    setattr(sys.modules[package], name, found)  # the next time it is found at once
    return found


def submodule(package: str, name: str) -> Any:
    """Return a module of a package, loaded when first asked for; what packages answer for unknown names."""
    if not name.startswith("_"):
        try:
            return importlib.import_module(f"{package}.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"{package}.{name}":
                raise
    raise AttributeError(f"module {package!r} has no attribute {name!r}")
