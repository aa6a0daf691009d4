"""What verbs return: values that show themselves as text, in notebooks, and as frames."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass

from inexlab.display import Framed
from inexlab.frames import Columns
from inexlab.markup import table
from inexlab.report.grids import known_format, together, write_grid, write_grids
from inexlab.report.tables import Grid

FOR_PROGRAMS = ("json", "csv", "tsv")
_NAMED = 4  # columns that a line names


class Answer(Framed):
    """What a verb found. `notes` say what was assumed; `print` shows what the command line prints."""

    notes: tuple[str, ...] = ()

    def grid(self, *, for_programs: bool = False) -> Grid:
        """Return the answer as a table: for people, or for programs with full precision and all columns."""
        raise NotImplementedError

    def text(self, output: str = "table", *, width: int = 100) -> str:
        """Return what the command line prints: table, json, csv, tsv, latex or markdown."""
        known_format(output)
        return write_grid(self.grid(for_programs=output in FOR_PROGRAMS), output, width)

    def as_columns(self) -> Columns:
        """Return the table for programs as columns."""
        grid = self.grid(for_programs=True)
        return {name: [row[i] for row in grid.rows] for i, name in enumerate(grid.header)}

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        grid = self.grid()
        return table(grid.title, grid.header, grid.rows, len(grid.rows)) + notes_in_html(self.notes)


@dataclass(frozen=True, eq=False, repr=False)
class Table(Answer):
    """An answer that is a table: `people` is what people read, `programs` has full precision."""

    name: str
    people: Grid
    programs: Grid | None = None
    notes: tuple[str, ...] = ()

    def grid(self, *, for_programs: bool = False) -> Grid:
        """Return the table for people or for programs."""
        return self.programs if for_programs and self.programs is not None else self.people

    def __len__(self) -> int:
        return len(self.grid(for_programs=True).rows)

    def __repr__(self) -> str:
        header = self.grid(for_programs=True).header
        more = " …" if len(header) > _NAMED else ""
        return f"{self.name}({len(self)} rows: {', '.join(header[:_NAMED])}{more})"


class Tables(Answer):
    """An answer of several tables."""

    def grids(self, *, for_programs: bool = False) -> list[Grid]:
        """Return the tables."""
        raise NotImplementedError

    def grid(self, *, for_programs: bool = False) -> Grid:
        """Return all tables as one, with the title of each in the first column."""
        return together(self.grids(for_programs=for_programs))

    def text(self, output: str = "table", *, width: int = 100) -> str:
        """Return what the command line prints."""
        known_format(output)
        return write_grids(self.grids(for_programs=output in FOR_PROGRAMS), output, width)

    def _repr_html_(self) -> str:
        tables = (table(grid.title, grid.header, grid.rows, len(grid.rows)) for grid in self.grids())
        return "".join(tables) + notes_in_html(self.notes)


@dataclass(frozen=True, eq=False, repr=False)
class Text(Answer):
    """An answer that is a text of its own form."""

    name: str
    content: str
    notes: tuple[str, ...] = ()

    def grid(self, *, for_programs: bool = False) -> Grid:  # noqa: ARG002 - a line is a line
        """Return one row per line."""
        return Grid(["line"], [[line] for line in self.content.splitlines()])

    def text(self, output: str = "table", *, width: int = 100) -> str:
        """Return the text itself; in another format than `table`, its lines."""
        return self.content if output in ("table", "text") else super().text(output, width=width)

    def __repr__(self) -> str:
        return f"{self.name}({len(self.content.splitlines())} lines)"

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.content)}</pre>" + notes_in_html(self.notes)


def notes_in_html(notes: Sequence[str]) -> str:
    """Return notes as a list that opens on demand; nothing if there are none."""
    if not notes:
        return ""
    items = "".join(f"<li>{html.escape(note)}</li>" for note in notes)
    return f"<details><summary>{len(notes):,} notes</summary><ul>{items}</ul></details>"
