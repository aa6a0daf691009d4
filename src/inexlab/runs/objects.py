"""Runs from and to what other programs have in memory: frames, dictionaries, records, runs of ranx."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from inexlab.errors import UsageError
from inexlab.frames import Columns, is_frame, is_missing, is_record, name_of, number, read_columns, whole
from inexlab.runs.order import by_score
from inexlab.runs.table import NO_SPAN, Run, RunBuilder

_COLUMNS = ("topic", "doc", "score", "rank", "start", "end", "path", "until", "run")
_NEEDED = ("topic", "doc")
UNNAMED = "run"


def run_of(data: object, id: str = "") -> Run:
    """Return one run from a frame, a dictionary {topic: {doc: score}}, records, or a run of ranx.

    A frame of several runs, distinguished by a column such as `run` or `system`, is refused.
    """
    runs = list(_runs_in(data, id))
    if len(runs) != 1:
        names = ", ".join(run.id for run in runs[:5])
        raise UsageError(f"there are {len(runs)} runs where one is expected: {names}.")
    return runs[0]


def runs_of(data: object) -> list[Run | str | Path]:
    """Return all runs in what is given: paths as they are, everything else as tables.

    A list holds runs or paths, or the records of a table. A dictionary is a run {topic: {doc: score}}, or has
    runs by their names.
    """
    if data is None:
        return []
    if isinstance(data, str | Path | Run):
        return [data]
    if isinstance(data, Mapping):
        return list(_runs_by_name(data))
    if is_frame(data) or hasattr(data, "to_dict"):
        return list(_runs_in(data, ""))
    if not isinstance(data, Iterable):
        raise UsageError(
            f"runs cannot be made from {type(data).__name__}; give paths, frames or dictionaries."
        )
    items = list(data)
    if items and all(is_record(item) and not isinstance(item, Run) for item in items):
        return list(_runs_in(items, ""))
    found: list[Run | str | Path] = []
    for place, item in enumerate(items, start=1):
        of_item = runs_of(item)
        named = f"{UNNAMED}{place}" if len(items) > 1 else UNNAMED
        found += [
            _called(run, named) if isinstance(run, Run) and run.id == UNNAMED and not run.file else run
            for run in of_item
        ]
    return found


def _called(run: Run, name: str) -> Run:
    return replace(run, id=name)


def _runs_by_name(data: Mapping[Any, Any]) -> Iterator[Run | str | Path]:
    """Yield the runs of a dictionary: the run that it is, or those that it has."""
    if _is_ranking(data):
        yield from _runs_in(data, "")
        return
    for name, given in data.items():
        if isinstance(given, str | Path):
            from inexlab.runs.read import read_run

            yield _called(read_run(given), str(name))
        elif isinstance(given, Run):
            yield _called(given, str(name))
        else:
            yield run_of(given, str(name))


def _is_ranking(data: Mapping[Any, Any]) -> bool:
    """Whether a dictionary has the scores of documents by topic, not runs by name."""
    for inner in data.values():
        if not isinstance(inner, Mapping):
            return False
        for value in inner.values():
            return not isinstance(value, Mapping)
    return True


def _runs_in(data: object, id: str) -> Iterator[Run]:
    """Yield the runs of a table or of a dictionary of documents, in the order in which they appear."""
    if isinstance(data, Run):
        yield data
        return
    if isinstance(data, Mapping):
        yield _from_dictionary(data, id or UNNAMED)
        return
    if not is_frame(data) and hasattr(data, "to_dict"):  # a run of ranx
        yield _from_dictionary(data.to_dict(), id or str(getattr(data, "name", "") or UNNAMED))
        return
    columns = read_columns(data, _COLUMNS, _NEEDED, "a run")
    count = len(columns["topic"])
    if not count:
        raise UsageError("a run needs results; the table is empty.")
    names = columns.get("run", [None] * count)
    rows: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        rows.setdefault(UNNAMED if is_missing(name) else str(name), []).append(place)
    if id and len(rows) > 1:
        raise UsageError(f"run {id} holds {len(rows)} runs: {', '.join(list(rows)[:5])}.")
    for name, places in rows.items():
        yield _from_columns(columns, places, id or name)


def _from_dictionary(data: Mapping[Any, Any], id: str) -> Run:
    builder = RunBuilder()
    for topic, docs in data.items():
        if not isinstance(docs, Mapping):
            raise UsageError(
                f"run {id}, topic {topic}: expected {{document: score}}, not {type(docs).__name__}."
            )
        for row, (doc, score) in enumerate(docs.items(), start=1):
            builder.add(str(topic), str(doc), number(score, f"run {id}, topic {topic}", "score", row))
    if not len(builder):
        raise UsageError(f"run {id} holds no results.")
    return by_score(builder.build(id))


def _from_columns(columns: Mapping[str, list[Any]], places: list[int], id: str) -> Run:
    what = f"run {id}"
    if "score" not in columns and "rank" in columns:
        ranks = {place: number(columns["rank"][place], what, "rank", place + 1) for place in places}
        places = sorted(places, key=lambda place: (np.isnan(ranks[place]), ranks[place]))
    builder = RunBuilder()
    nothing = [None] * len(columns["topic"])
    start, end, path, until, score = (
        columns.get(name, nothing) for name in ("start", "end", "path", "until", "score")
    )
    for place in places:
        row = place + 1
        span = None
        if start[place] is not None or end[place] is not None:
            span = whole(start[place], what, "start", row), whole(end[place], what, "end", row)
            if not 0 <= span[0] <= span[1]:
                raise UsageError(
                    f"{what}, row {row}: [{span[0]}, {span[1]}) is not a span; it must be 0 <= start <= end."
                )
        builder.add(
            name_of(columns["topic"][place], what, "topic", row),
            name_of(columns["doc"][place], what, "document", row),
            number(score[place], what, "score", row),
            span=span,
            path=None if path[place] is None else str(path[place]),
            until=None if until[place] is None else str(until[place]),
        )
    made = builder.build(id)
    return by_score(made) if "score" in columns else made


def columns_of(run: Run) -> Columns:
    """Return a run as columns; a column without any value is left out."""
    topics, docs, paths = list(run.topics), list(run.docs), list(run.paths)
    ranks = np.zeros(len(run.topics), dtype=np.int64)
    rank = []
    for topic in run.topic.tolist():
        ranks[topic] += 1
        rank.append(int(ranks[topic]))
    columns: dict[str, list[Any]] = {
        "run": [run.id] * len(run),
        "topic": [topics[t] for t in run.topic.tolist()],
        "doc": [docs[d] for d in run.doc.tolist()],
        "rank": rank,
        "score": [None if s != s else s for s in run.score.tolist()],
        "start": [None if s == NO_SPAN else s for s in run.start.tolist()],
        "end": [None if s == NO_SPAN else s for s in run.end.tolist()],
        "path": [None if p < 0 else paths[p] for p in run.path.tolist()],
        "until": [None if p < 0 else paths[p] for p in run.until.tolist()],
    }
    always = ("run", "topic", "doc", "rank", "score")
    return {n: c for n, c in columns.items() if n in always or any(v is not None for v in c)}


def dictionary_of(run: Run) -> dict[str, dict[str, float]]:
    """Return a run as {topic: {doc: score}}, each document with its best result; by rank without scores."""
    best: dict[str, dict[str, float]] = {topic: {} for topic in run.topics}
    for result in run:
        score = -float(result.rank) if result.score != result.score else result.score
        best[result.topic].setdefault(result.doc, score)
    return best
