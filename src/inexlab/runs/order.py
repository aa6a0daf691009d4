"""The order of results: which row of a file is the first rank.

Runs of INEX (text with a path, an offset or both; XML) are ranked by their rows, as the official tool took
them. TREC files of whole documents (six columns) and JSON Lines are ranked by score, as everybody does who
writes and reads these formats: highest first, equal scores in the order of the file, results without a score
last. Where no result of a topic has a score, its rows are the ranking.
"""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from inexlab.runs.table import Run, take
from inexlab.tables import Codes, Floats, Ints
from inexlab.wording import counted

Rows = npt.NDArray[np.intp]


class Moves(NamedTuple):
    """How many results do not have the rank that the file's order gives them, and in how many topics.

    `unscored` counts results without a score, ranked after others of their topic that have one.
    """

    results: int = 0
    topics: int = 0
    unscored: int = 0


def by_score(run: Run) -> Run:
    """Return a run as read from a file, its results ranked by score."""
    rows = _falling(run.topic, run.score)
    if rows is None:
        return dataclasses.replace(run, order="score")
    return dataclasses.replace(take(run, rows), order="score", place=rows.astype(np.int64))


def ranked_rows(run: Run, order: str) -> Rows | None:
    """Return the rows of a run in an order: `file`, `score` or `format`; None if they stand in it."""
    if order in ("format", run.order):
        return None
    if order == "score":
        return _falling(run.topic, run.score)
    return None if run.place is None else _arranged(run.topic, run.place)


def moves(run: Run, rows: Rows, ordered_by: str) -> Moves:
    """Compare the order of some rows, topic after topic, with that of the file."""
    if ordered_by == "file":
        return Moves()
    topic, without = run.topic[rows], np.isnan(run.score[rows])
    scored = np.zeros(len(run.topics), dtype=np.bool_)
    scored[topic[~without]] = True
    unscored = int(np.count_nonzero(without & scored[topic]))
    if run.place is None and run.order == ordered_by:  # the file is in this order
        return Moves(unscored=unscored)
    place = rows if run.place is None else run.place[rows]
    group = np.cumsum(np.diff(topic, prepend=-1) != 0)
    moved = place != place[np.lexsort((place, group))]
    return Moves(int(np.count_nonzero(moved)), len(np.unique(topic[moved])), unscored)


def order_notes(run: Run) -> list[str]:
    """Say how many results of a run are not where the file has them, if any."""
    moved = moves(run, np.argsort(run.topic, kind="stable"), run.order)
    notes = []
    if moved.results:
        notes.append(
            f"{counted(moved.results, 'result')} in {counted(moved.topics, 'topic')} ranked by score, "
            "not in the order of the file"
        )
    if moved.unscored:
        notes.append(f"{counted(moved.unscored, 'result')} without a score, ranked last")
    return notes


def keeps_order(run: Run) -> bool:
    """Whether readers that rank by score would find the results in the order they have."""
    return _falling(run.topic, run.score) is None


def _falling(topic: Codes, score: Floats) -> Rows | None:
    """Return the rows by falling score in each topic, those without a score last; None if they are so."""
    return _arranged(topic, -score)


def _arranged(topic: Codes, key: Floats | Ints) -> Rows | None:
    """Return the rows by rising key in each topic; a topic's rows stay in the places that it has."""
    together = np.argsort(topic, kind="stable")
    same, ahead, behind = np.diff(topic[together]) == 0, key[together][:-1], key[together][1:]
    if not (same & ((ahead > behind) | (np.isnan(ahead) & ~np.isnan(behind)))).any():
        return None
    rows = np.empty(len(topic), dtype=np.intp)
    rows[together] = np.lexsort((key, topic))
    return rows
