"""The names of runs that are checked together."""

from __future__ import annotations

from collections.abc import Iterator

from inexlab.runs.validate import RunContext, whole_rule


@whole_rule(
    "same-run-id",
    "error",
    "two files have the same run id: scores of the two cannot be distinguished",
    "Give each run its own id.",
)
def same_run_id(context: RunContext, topics: dict[str, int]) -> Iterator[str]:  # noqa: ARG001
    """A run id that another file has as well."""
    if context.run_id:
        first = context.run_ids.setdefault(context.run_id, context.file)
        if first != context.file:
            yield f"the run id {context.run_id!r} is that of {first} as well"
