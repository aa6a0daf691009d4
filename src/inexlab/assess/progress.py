"""How far assessors are: documents done and left, the time they took, and the time that is left."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from inexlab.assess.record import FINISHED

_FINISHED = ", ".join(f"'{status}'" for status in FINISHED)


class TopicProgress(NamedTuple):
    """How far an assessor is with a topic; `seconds_left` is None where nothing is known of it."""

    assessor: str
    topic: str
    documents: int
    finished: int
    in_progress: int
    relevant: int
    seconds: float
    seconds_left: float | None = None

    @property
    def left(self) -> int:
        """How many documents are not finished."""
        return self.documents - self.finished


def progress(rows: sqlite3.Connection, assessor: str | None = None) -> list[TopicProgress]:
    """Return how far everybody is with all topics that they were given, or one assessor is.

    The time left is that of a mean document so far: of this assessor, else of all.
    """
    pace = _paces(rows)
    found = rows.execute(
        f"""
        SELECT a.assessor, a.topic, count(p.document), count(j.status IN ({_FINISHED}) OR NULL),
          count(j.status = 'in progress' OR NULL), count(j.status = 'done' AND j.highlights != '[]' OR NULL),
          coalesce(sum(j.seconds), 0)
        FROM assignments a LEFT JOIN pooled p ON p.topic = a.topic
        LEFT JOIN judgements j ON j.assessor = a.assessor AND j.topic = p.topic AND j.document = p.document
        WHERE :assessor IS NULL OR a.assessor = :assessor
        GROUP BY a.assessor, a.topic
        """,
        {"assessor": assessor},
    ).fetchall()
    result = []
    for row in found:
        one = TopicProgress(*row)
        each = pace.get(one.assessor, pace.get(None))
        result.append(one._replace(seconds_left=None if each is None else each * one.left))
    return result


def _paces(rows: sqlite3.Connection) -> dict[str | None, float]:
    """Return the mean seconds that a finished document took each assessor, and all of them (None)."""
    found = rows.execute(
        "SELECT assessor, count(*), sum(seconds) FROM judgements "
        f"WHERE status IN ({_FINISHED}) AND seconds > 0 GROUP BY assessor"
    ).fetchall()
    paces: dict[str | None, float] = {who: seconds / count for who, count, seconds in found}
    if found:
        paces[None] = sum(seconds for *_, seconds in found) / sum(count for _, count, _ in found)
    return paces
