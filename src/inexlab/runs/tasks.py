"""The tasks of INEX, as rules for result lists.

    Thorough              elements by score, overlap allowed (CAS tasks of 2005 as well)
    Focused               ranked, no overlap
    Fetch & Browse        documents ranked, in each its elements ranked, overlap allowed (2005)
    Relevant in Context   documents ranked, in each a set of elements without overlap
    Best in Context       documents ranked, one entry point in each

The limits on text of 2010 are recalled; no paper at hand confirms them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from inexlab.errors import UnknownNameError


@dataclass(frozen=True)
class Task:
    """What a result list of the task may look like; the limits are characters of distinct text (0: none)."""

    name: str
    overlap: bool = False
    by_document: bool = False
    entry_points: bool = False
    characters_per_topic: int = 0
    characters_per_document: int = 0


TASKS = {
    task.name: task
    for task in (
        Task("thorough", overlap=True),
        Task("focused"),
        Task("fetch-browse", overlap=True, by_document=True),
        Task("relevant-in-context", by_document=True),
        Task("best-in-context", overlap=True, by_document=True, entry_points=True),
        Task("restricted-focused", characters_per_topic=1000),
        Task("restricted-relevant-in-context", by_document=True, characters_per_document=500),
    )
}
# names that files use, in small letters without punctuation and without the prefixes CO and COS
_OTHER_NAMES = {
    "focussed": "focused",
    "fetchandbrowse": "fetch-browse",
    "allincontext": "relevant-in-context",
    "restrictedfocussed": "restricted-focused",
    **dict.fromkeys(("sscas", "svcas", "vscas", "vvcas"), "thorough"),
}


def find_task(name: str) -> Task | None:
    """Return the task that a name means, in any spelling that INEX used; None for one we do not know.

    >>> find_task("COS.FetchBrowse").name, find_task("RelevantInContext").name, find_task("SVCAS").name
    ('fetch-browse', 'relevant-in-context', 'thorough')
    """
    bare = re.sub(r"[^a-z]", "", re.sub(r"^cos?\W", "", name.lower()))
    known = {re.sub(r"[^a-z]", "", task): task for task in TASKS} | _OTHER_NAMES
    return TASKS[known[bare]] if bare in known else None


def task_named(name: str) -> Task:
    """Return the task of a name given by the user."""
    task = find_task(name)
    if task is None:
        raise UnknownNameError("task", name, TASKS)
    return task
