"""The names of runs that are checked together."""

from __future__ import annotations

from collections.abc import Iterator

from inexlab.runs.validate import Surroundings, whole_rule


@whole_rule(
    "same-run-id",
    "error",
    "two files have the same run id: scores of the two cannot be told apart",
    "Give each run its own id.",
)
def same_run_id(around: Surroundings, topics: dict[str, int]) -> Iterator[str]:  # noqa: ARG001
    """A run id that another file has as well."""
    if around.run_id:
        first = around.run_ids.setdefault(around.run_id, around.file)
        if first != around.file:
            yield f"the run id {around.run_id!r} is that of {first} as well"
