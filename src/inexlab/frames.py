"""Frames and records in and out: pandas and polars frames, dictionaries, named tuples.

A frame is read by narwhals, which knows pandas, polars, pyarrow and others. Columns are found by the names
that they have in other tools: `topic`, `query_id` and `qid` are one thing.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from inexlab.errors import UsageError

if TYPE_CHECKING:
    import pandas
    import polars

Columns = Mapping[str, Sequence[Any]]

# What other tools call the columns of runs, judgements, topics and scores; of several the first is taken.
ALIASES: Mapping[str, tuple[str, ...]] = {
    "topic": ("topic", "topic_id", "query_id", "qid", "q_id", "queryid"),
    "doc": ("doc", "doc_id", "docno", "docid", "document", "document_id", "corpus_id", "d_id"),
    "score": ("score", "sim", "rsv", "similarity"),
    "rank": ("rank", "position"),
    "start": ("start", "begin", "start_char"),
    "end": ("end", "stop", "end_char"),
    "path": ("path", "xpath"),
    "until": ("until", "end_path"),
    "run": ("run", "run_id", "run_name", "system", "name", "tag"),
    "grade": ("grade", "relevance", "rel", "label", "relevance_grade", "score"),
    "spans": ("spans", "highlights"),
    "size": ("size", "docsize", "doc_size"),
    "bep": ("bep", "best_entry_point"),
    "query": ("query", "title", "text"),
    "measure": ("measure", "metric"),
    "value": ("value", "score"),
}

# What columns are called in frames for other tools.
NAMES: Mapping[str, Mapping[str, str]] = {
    "inexlab": {},
    "ir_measures": {"topic": "query_id", "doc": "doc_id", "grade": "relevance"},
    "pyterrier": {"topic": "qid", "doc": "docno", "grade": "label", "run": "name"},
    "ranx": {"topic": "q_id", "doc": "doc_id", "grade": "score"},
}


def aliases(column: str) -> tuple[str, ...]:
    """Return the names that a column may have, our own first."""
    return ALIASES.get(column, (column,))


def is_record(value: object) -> bool:
    """Whether a value is one row: a named tuple, a dataclass, or a dictionary of plain values."""
    if isinstance(value, Mapping):
        return bool(value) and not any(isinstance(inner, Mapping) for inner in value.values())
    return hasattr(value, "_asdict") or (dataclasses.is_dataclass(value) and not isinstance(value, type))


def is_frame(value: object) -> bool:
    """Whether a value is a frame of a library that narwhals knows."""
    return _frame(value) is not None


def _frame(value: object) -> Any:
    if isinstance(value, str | bytes | Mapping | list | tuple | set) or not hasattr(type(value), "columns"):
        return None
    import narwhals

    found = narwhals.from_native(value, pass_through=True)
    if isinstance(found, narwhals.LazyFrame):
        found = found.collect()
    return found if isinstance(found, narwhals.DataFrame) else None


def column_names(data: object) -> set[str]:
    """Return which columns a frame or a list of records has, by our names for them."""
    frame = _frame(data)
    if frame is not None:
        given: Iterable[object] = frame.columns
    else:
        first = data[0] if isinstance(data, list | tuple) and data else None
        given = dict(_fields(first)) if is_record(first) else ()
    plain = {_plain(name) for name in given}
    return {ours for ours, names in ALIASES.items() if plain & set(names)}


def read_columns(
    data: object, wanted: Iterable[str], needed: Iterable[str], what: str, any_of: Sequence[str] = ()
) -> dict[str, list[Any]]:
    """Return the columns of a frame or of records by our names for them; None if a value is missing.

    `wanted` are our names of columns that are read where they are there, `needed` those that have to be, and
    `any_of` those of which one has to be.
    """
    frame = _frame(data)
    given = (
        {name: frame.get_column(name) for name in frame.columns}
        if frame is not None
        else _gathered(data, what)
    )
    names = {_plain(name): name for name in reversed(list(given))}
    found: dict[str, list[Any]] = {}
    taken: set[str] = set()
    for ours in wanted:
        name = next((names[alias] for alias in aliases(ours) if alias in names), None)
        if name is not None and name not in taken:
            taken.add(name)
            column = given[name]
            values = column if isinstance(column, list) else column.to_list()
            found[ours] = [None if is_missing(value) else value for value in values]
    there = f"the columns are: {', '.join(map(str, given)) or 'none'}"
    for ours in needed:
        if ours not in found:
            raise UsageError(f"{what}: no column for the {ours} ({', '.join(aliases(ours))}); {there}.")
    if any_of and not set(any_of) & set(found):
        either = " or ".join(f"{ours} ({', '.join(aliases(ours))})" for ours in any_of)
        raise UsageError(f"{what}: no column for {either}; {there}.")
    return found


def frame_rows(data: object) -> list[dict[str, Any]]:
    """Return the rows of a frame as dictionaries; names of columns in lower case, without blanks."""
    frame = _frame(data)
    columns = {_plain(name): frame.get_column(name).to_list() for name in frame.columns}
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _plain(name: object) -> str:
    return str(name).strip().lower().replace("-", "_").replace(" ", "_")


def _gathered(data: object, what: str) -> dict[str, list[Any]]:
    """Return the columns of an iterable of records."""
    if isinstance(data, str | bytes) or not isinstance(data, Iterable):
        raise UsageError(
            f"{what} cannot be made from {type(data).__name__}; give a path, a pandas or polars frame, "
            "a dictionary or records."
        )
    columns: dict[str, list[Any]] = {}
    count = 0
    for count, item in enumerate(data, start=1):
        if not is_record(item):
            raise UsageError(
                f"{what}, row {count}: {str(item)[:40]!r} is not a record; give dictionaries or named tuples."
            )
        for name, value in _fields(item):
            column = columns.setdefault(name, [])
            column.extend([None] * (count - 1 - len(column)))
            column.append(value)
    for column in columns.values():
        column.extend([None] * (count - len(column)))
    return columns


def _fields(record: Any) -> Iterable[tuple[str, Any]]:
    if isinstance(record, Mapping):
        return record.items()
    if hasattr(record, "_asdict"):
        return record._asdict().items()  # type: ignore[no-any-return]
    return ((field.name, getattr(record, field.name)) for field in dataclasses.fields(record))


def is_missing(value: Any) -> bool:
    """Whether a value stands for none: None, NaN, or what pandas has for it."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float) and value != value


def name_of(value: Any, what: str, column: str, row: int) -> str:
    """Return an id as text; a whole number is taken as its digits, however a frame keeps it."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if is_missing(value) or isinstance(value, bool) or not str(value).strip():
        raise UsageError(f"{what}, row {row}: the {column} is missing.")
    return str(value)


def whole(value: Any, what: str, column: str, row: int) -> int:
    """Return a whole number, which a frame may keep as a float."""
    try:
        number = int(value)
        if isinstance(value, bool | str) or number != value:
            raise ValueError
    except (TypeError, ValueError, OverflowError):
        raise UsageError(
            f"{what}, row {row}: {column} is {str(value)[:40]!r}, expected a whole number."
        ) from None
    return number


def number(value: Any, what: str, column: str, row: int) -> float:
    """Return a number; NaN if it is missing."""
    if is_missing(value):
        return float("nan")
    try:
        if isinstance(value, bool | str):
            raise ValueError
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise UsageError(f"{what}, row {row}: {column} is {str(value)[:40]!r}, expected a number.") from None


def renamed(columns: Columns, names: str) -> Columns:
    """Return columns called as another tool calls them: ir_measures, pyterrier or ranx."""
    if names not in NAMES:
        from inexlab.errors import UnknownNameError

        raise UnknownNameError("names of columns", names, NAMES)
    return {NAMES[names].get(name, name): column for name, column in columns.items()}


def pandas_frame(columns: Columns) -> pandas.DataFrame:
    """Return columns as a pandas frame: whole numbers stay whole where some are missing."""
    try:
        import pandas as pd
    except ImportError:
        raise UsageError("to_pandas() needs pandas: pip install 'inexlab[pandas]'.") from None
    made: dict[Any, Any] = {}
    for name, column in columns.items():
        dtype = _dtype(column)
        values = list(column)
        if dtype == "int" and None in values:
            made[name] = pd.array(values, dtype="Int64")
        elif dtype == "float":
            made[name] = pd.Series(values, dtype="float64")
        else:
            made[name] = pd.Series(values, dtype=None if dtype in ("int", "bool") else dtype)
    return pd.DataFrame(made)


def polars_frame(columns: Columns) -> polars.DataFrame:
    """Return columns as a polars frame."""
    try:
        import polars as pl
    except ImportError:
        raise UsageError("to_polars() needs polars: pip install 'inexlab[polars]'.") from None
    types: dict[str, Any] = {"int": pl.Int64, "float": pl.Float64, "bool": pl.Boolean, "str": pl.String}
    return pl.DataFrame(
        [
            pl.Series(name, list(column), dtype=types.get(_dtype(column)), strict=False)
            for name, column in columns.items()
        ]
    )


def _dtype(column: Sequence[Any]) -> str:
    """Return what the values of a column are: bool, int, float, str or object."""
    types = {type(value) for value in column if value is not None}
    if types <= {bool} and types:
        return "bool"
    if types <= {int} and types:
        return "int"
    if types and all(issubclass(one, int | float) for one in types) and bool not in types:
        return "float"
    return "str" if not types or types == {str} else "object"
