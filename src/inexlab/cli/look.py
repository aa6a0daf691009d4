"""`inexlab index --look`: the outline of a document, with the table of its tags."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inexlab.cli.terminal import sanitised, terminal_width

if TYPE_CHECKING:
    from inexlab.index.look import Look

_LINES = 40  # of the document that is shown


def print_outline(found: Look) -> None:
    """Print the elements of one document, each on its line."""
    if not found.outline:
        return
    lines = found.outline[:_LINES]
    more = [f"… {len(found.outline) - _LINES:,} more elements"] if len(found.outline) > _LINES else []
    width = terminal_width()
    print()
    print(sanitised(f"{found.shown}:"))
    for line in (*lines, *more):
        print(sanitised(line[: width - 1] + "…" if len(line) > width else line))
