"""The tasks of INEX, as rules for result lists.

    Thorough              elements by score, overlap allowed (CAS tasks of 2005 as well)
    Focused               ranked, no overlap
    Fetch & Browse        documents ranked, in each its elements ranked, overlap allowed (2005)
    Relevant in Context   documents ranked, in each a set of elements without overlap
    Best in Context       documents ranked, one entry point in each

The limits on text of 2010 are recalled; no paper at hand confirms them. Tasks of other packages come as
plug-ins (entry points of the group `inexlab.runs.tasks`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from inexlab.errors import UnknownNameError
from inexlab.registry import Registry


@dataclass(frozen=True)
class Task:
    """What a result list of the task may look like; the limits are characters of distinct text (0: none).

    `other_names` are those that files use, in small letters without punctuation and without the prefixes CO
    and COS.
    """

    name: str
    overlap: bool = False
    by_document: bool = False
    entry_points: bool = False
    characters_per_topic: int = 0
    characters_per_document: int = 0
    other_names: tuple[str, ...] = ()


TASKS: Registry[Task] = Registry("task", "inexlab.runs.tasks")


def add_task(name: str, *other_names: str, **rules: Any) -> None:
    """Register a task; `rules` are the fields of `Task`."""
    TASKS.add(name, Task(name, **rules, other_names=other_names))


add_task("thorough", "sscas", "svcas", "vscas", "vvcas", overlap=True)
add_task("focused", "focussed")
add_task("fetch-browse", "fetchandbrowse", overlap=True, by_document=True)
add_task("relevant-in-context", "allincontext", by_document=True)
add_task("best-in-context", overlap=True, by_document=True, entry_points=True)
add_task("restricted-focused", "restrictedfocussed", characters_per_topic=1000)
add_task("restricted-relevant-in-context", by_document=True, characters_per_document=500)


def find_task(name: str) -> Task | None:
    """Return the task that a name means, in any spelling that INEX used; None for one we do not know.

    >>> find_task("COS.FetchBrowse").name, find_task("RelevantInContext").name, find_task("SVCAS").name
    ('fetch-browse', 'relevant-in-context', 'thorough')
    """
    bare = re.sub(r"[^a-z]", "", re.sub(r"^cos?\W", "", name.lower()))
    spellings = ((re.sub(r"[^a-z]", "", task.name), *task.other_names) for task in TASKS.values())
    known = zip(spellings, TASKS.values(), strict=True)
    return next((task for names, task in known if bare in names), None)


def task_named(name: str) -> Task:
    """Return the task of a name given by the user."""
    task = find_task(name)
    if task is None:
        raise UnknownNameError("task", name, TASKS)
    return task
