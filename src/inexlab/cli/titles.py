"""Titles of topics, for people who read a report."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


def topic_titles(paths: Iterable[str | Path]) -> dict[str, str]:
    """Return the title of each topic of some topic files, by id: its words, else its structured query."""
    from inexlab.topics import read_topics

    return {id: t.title or t.castitle for path in paths for id, t in read_topics(path).items()}
