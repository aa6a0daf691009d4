"""`inexlab index --look`: what there is to index, and what each tag is taken for, without indexing it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from inexlab.cli.terminal import harmless, print_notes, terminal_width, working
from inexlab.errors import printable
from inexlab.wording import counted

if TYPE_CHECKING:
    from inexlab.index.build import Settings
    from inexlab.index.look import Look
    from inexlab.report.tables import Cell

_LINES = 40  # of the document that is shown


def look_at(docs: list[str], settings: Settings, output: str) -> None:
    """Print which tags some documents have, what each is taken for, and what a document looks like."""
    from inexlab.index.look import look
    from inexlab.report.grids import write_grid
    from inexlab.report.tables import Grid

    with working("looking"):
        found = look(docs, settings)
    _say(found)
    rows: list[list[Cell]] = [
        [tag.tag, tag.count, tag.documents, tag.taken_for, printable(tag.example)]
        for tag in sorted(found.tags, key=lambda tag: (-tag.count, tag.tag))
    ]
    grid = Grid(["tag", "elements", "documents", "taken for", "example"], rows)
    sys.stdout.write(write_grid(grid, output, terminal_width()))
    if output == "table" and found.outline:
        lines = found.outline[:_LINES]
        more = [f"… {len(found.outline) - _LINES:,} more elements"] if len(found.outline) > _LINES else []
        width = terminal_width()
        print()
        print(harmless(f"{found.shown}:"))
        for line in (*lines, *more):
            print(harmless(line[: width - 1] + "…" if len(line) > width else line))


def _say(found: Look) -> None:
    read = f"{counted(found.documents, 'document')}" + (
        f" of {found.total:,}" if found.total > found.documents else ""
    )
    lines = [f"{read} looked at, profile {found.profile.name} ({found.profile.title})", *found.notes]
    lines += [f"left out: {line}" for line in found.skipped[:5]]
    if len(found.skipped) > 5:
        lines.append(f"left out: {len(found.skipped) - 5:,} more")
    for (kind, reason), count in found.left_alone.most_common():
        lines.append(f"left alone: {count:,} {kind} ({reason})")
    print_notes(lines)
