"""The description of a run: who made it, for which task, from which part of topics."""

from __future__ import annotations

from collections.abc import Sequence

from inexlab.errors import UnknownNameError, UsageError

NAMES = (
    "participant",
    "task",
    "query",
    "description",
    "collections",
    "topic_fields",
    "topic_part",
    "submission_type",
)


def parse_about(settings: Sequence[str]) -> dict[str, str]:
    """Return what settings such as `participant=24` say about a run, by name."""
    about = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if name not in NAMES:
            raise UnknownNameError("name for `about=`", name, NAMES)
        if not equals:
            raise UsageError(f"`about={setting!r}` is not understood; write {name}= and a value.")
        about[name] = value.strip()
    return about
