r"""Tables in LaTeX: any grid as a floating table with a caption, that `pdflatex` takes as it is.

    \usepackage{booktabs}

Columns of text begin in line, numbers end in line; a table too wide for a page is turned.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from inexlab.report.tables import Cell, Grid, numeric, shown

PAGE_WIDTH = 84  # characters of a table on a page of one column, at the usual sizes
_NAMES_IN_CAPTION = 6

_ESCAPED = {c: rf"\{c}" for c in "&%$#_{}"} | {
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
    "|": r"\textbar{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    '"': r"\char34{}",
    "`": r"\textasciigrave{}",
    "–": "--",
    "—": "---",
    "…": r"\ldots{}",
    "−": "$-$",
    "·": r"$\cdot$",
    "×": r"$\times$",
    "∞": r"$\infty$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "α": r"$\alpha$",
    "β": r"$\beta$",
    "τ": r"$\tau$",
}
_HYPHENS = re.compile(r"-(?=-)")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_COMMAND = re.compile(r"\\[a-zA-Z]+|[{}$^\\]")


class Tex(str):
    """Text that is LaTeX already."""


def latex_text(text: str) -> Tex:
    r"""Return text with the special characters and ligatures of LaTeX escaped; what is LaTeX already stays.

    >>> latex_text("a_b <50%>"), latex_text("a--b"), latex_text(Tex(r"\alpha"))
    ('a\\_b \\textless{}50\\%\\textgreater{}', 'a-{}-b', '\\alpha')
    """
    if isinstance(text, Tex):
        return text
    whole = _HYPHENS.sub("-\0", _CONTROL.sub(" ", text))
    return Tex("".join(_ESCAPED.get(c, "{}" if c == "\0" else c) for c in whole))


def to_latex(grid: Grid, width: int = PAGE_WIDTH) -> str:
    """Write a floating table; its caption is the title with the notes, else what the columns are."""
    upright, turned = grid, grid.transposed()
    if _width(upright) > width and grid.rows and _width(turned) < _width(upright):
        grid = turned
    caption = " ".join(
        latex_text(part) for part in (_sentence(grid.title or _contents(upright)), *grid.notes)
    )
    plain = _plain(grid)
    columns = "".join("r" if numeric(plain, i) else "l" for i in range(len(grid.header)))
    small = [r"\footnotesize", r"\setlength{\tabcolsep}{3pt}"] if _width(grid) > width else []
    lines = [
        r"\begin{table}",
        r"\centering",
        *small,
        rf"\caption{{{caption}}}",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        _line(grid.header),
        r"\midrule",
        *map(_line, grid.rows),
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _line(cells: Sequence[Cell]) -> str:
    texts = [latex_text(shown(cell)) for cell in cells]
    if texts and texts[0].startswith("["):
        texts[0] = Tex(f"{{}}{texts[0]}")  # after \\ a bracket would be the height of the line
    return " & ".join(texts) + r" \\"


def _sentence(text: str) -> str:
    ended = text if text.endswith((".", "!", "?")) else f"{text}."
    return Tex(ended) if isinstance(text, Tex) else ended


def _contents(grid: Grid) -> str:
    """Say what is in a table without a title: its columns."""
    names = [name for name in grid.header[1:] if name]
    more = " …" if len(names) > _NAMES_IN_CAPTION else ""
    columns = ", ".join(names[:_NAMES_IN_CAPTION]) + more
    return f"{columns} by {grid.header[0]}" if columns and grid.header[0] else columns or grid.header[0]


def _plain(grid: Grid) -> Grid:
    """Return the table without commands of LaTeX."""

    def plain(cell: Cell) -> Cell:
        return _COMMAND.sub("", cell) if isinstance(cell, Tex) else cell

    return Grid(
        [str(plain(name)) for name in grid.header], [[plain(cell) for cell in row] for row in grid.rows]
    )


def _width(grid: Grid) -> int:
    """Return about how many characters wide the table is."""
    plain = _plain(grid)
    rows = [[shown(cell) for cell in row] for row in (plain.header, *plain.rows)]
    return sum(max(map(len, column)) + 2 for column in zip(*rows, strict=True))
