"""Search for PyTerrier: a transformer, frames in, frames out.

PyTerrier is not needed for it: where it is installed, what it gets is one of its transformers, so that
pipelines can be made with `>>` and `%`; where it is not, it is a function of frames all the same.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from inexlab.api.making import make_run
from inexlab.errors import UsageError
from inexlab.index.index import Index
from inexlab.index.sharded import open_one_index

if TYPE_CHECKING:
    import pandas

COLUMNS = ("qid", "docno", "score", "rank", "path", "start", "end")


def terrier_retriever(
    index: Index | str | Path,
    *,
    model: str = "bm25",
    task: str = "focused",
    overlap: str = "correlation",
    interpretation: str = "VVCAS",
    by: str = "elements",
    limit: int = 1000,
) -> Any:
    """Return a transformer that searches an index of inexlab: queries (qid, query) in, results out.

    Results have qid, docno, score, rank (from 0), and their place: path, start and end. Queries are words or
    NEXI; `by` says what a result is, as in `make_run`.

    >>> import inexlab, pandas
    >>> search = inexlab.terrier_retriever("demo/index", limit=3)
    >>> found = search.transform(pandas.DataFrame({"qid": ["1"], "query": ["pooling"]}))
    >>> found.columns.tolist()
    ['qid', 'query', 'docno', 'score', 'rank', 'path', 'start', 'end']
    >>> found["rank"].tolist()
    [0, 1, 2]
    """
    opened = open_one_index(index)
    options: dict[str, Any] = {
        "model": model,
        "task": task,
        "overlap": overlap,
        "interpretation": interpretation,
        "by": by,
        "limit": limit,
    }

    def transform(queries: pandas.DataFrame) -> pandas.DataFrame:
        return _results(opened, queries, options)

    return _transformer_class()(transform)


def _results(index: Index, queries: pandas.DataFrame, options: dict[str, Any]) -> pandas.DataFrame:
    """Search for every query of a frame; the columns of the queries stay, as PyTerrier has it."""
    for name in ("qid", "query"):
        if name not in queries.columns:
            there = ", ".join(map(str, queries.columns)) or "none"
            raise UsageError(f"queries: no column {name}; the columns are: {there}.")
    import pandas as pd

    kept = [str(name) for name in queries.columns if name not in COLUMNS or name == "qid"]
    if not len(queries):
        return pd.DataFrame({name: [] for name in (*kept, *COLUMNS[1:])})
    texts = dict(zip(queries["qid"].astype(str), queries["query"].astype(str), strict=True))
    structured = {qid: query for qid, query in texts.items() if query.lstrip().startswith("/")}
    plain = {qid: query for qid, query in texts.items() if qid not in structured}
    found = []
    for asked, field in ((plain, "title"), (structured, "castitle")):
        if asked:
            try:
                found.append(make_run(index, asked, query=field, **options).to_pandas(names="pyterrier"))
            except UsageError as error:
                if "nothing was found" not in str(error):
                    raise
    if not found:
        return pd.DataFrame({name: [] for name in (*kept, *COLUMNS[1:])})
    results = pd.concat(found, ignore_index=True)
    results["rank"] -= 1  # PyTerrier counts from 0
    for name in COLUMNS:
        if name not in results:
            results[name] = None
    of_queries = queries[kept].assign(qid=queries["qid"].astype(str))
    return of_queries.merge(results[list(COLUMNS)], on="qid", how="inner")


def _transformer_class() -> type[Any]:
    """Return a transformer of PyTerrier's where it is installed, else a class that does the same alone."""
    try:
        import pyterrier
    except ImportError:
        return _Alone
    base: Any = pyterrier.Transformer

    class Retriever(_Alone, base):  # type: ignore[misc]
        """Search in an index of inexlab, as a transformer of PyTerrier."""

    return Retriever


class _Alone:
    """A transformer without PyTerrier: it is called with a frame, and returns one."""

    def __init__(self, function: Any) -> None:
        self._function = function

    def transform(self, queries: pandas.DataFrame) -> pandas.DataFrame:
        """Return the results of some queries."""
        found: pandas.DataFrame = self._function(queries)
        return found

    def __call__(self, queries: Any) -> pandas.DataFrame:
        """Search for queries: a frame, a list of records, or one query."""
        import pandas as pd

        if isinstance(queries, str):
            queries = [{"qid": "1", "query": queries}]
        return self.transform(queries if isinstance(queries, pd.DataFrame) else pd.DataFrame(queries))

    def search(self, query: str, qid: str = "1") -> pandas.DataFrame:
        """Return the results of one query."""
        return self([{"qid": qid, "query": query}])

    def __repr__(self) -> str:
        return "inexlab.terrier_retriever()"
