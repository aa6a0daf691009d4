"""What a figure is: named tables of plain rows, and a chart of them that Altair draws.

Each file in `figures` holds one figure. A new one is a new file there, or an entry point of the group
`inexlab.report.figures` in another distribution. The page of `inexlab report` shows all of them, in sections
that are made of this registry: a figure as it is, below all others, unless it says where (`OnPage`).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import Any, cast

from inexlab import display
from inexlab.display import Framed
from inexlab.errors import UnknownNameError, UsageError
from inexlab.frames import Columns
from inexlab.output import write_file
from inexlab.registry import Registry
from inexlab.report.tables import Cell
from inexlab.scores import Scores

FigureRow = Mapping[str, Cell]
Rows = Sequence[FigureRow]
ENDINGS = ("svg", "png", "pdf", "html")

# Okabe and Ito's colours that can be told apart with any colour vision, on light and on dark paper.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
GREY = "#888888"
GREYS = ("#8884", "#8888")


@dataclass(frozen=True)
class Data:
    """The rows of a figure by the name of their table, and the words on it by place (`x`, `y`, `title`)."""

    tables: Mapping[str, Rows]
    words: Mapping[str, str]
    height: int = 0  # of a figure that grows with its rows; 0: as the chart has it
    title: str = ""
    note: str = ""  # a warning shown next to the figure


NEEDS = ("comparison", "matrix", "pair", "curve", "two comparisons", "two matrices", "profiles", "assessors")


@dataclass(frozen=True)
class OnPage:
    """The section of a report's page in which its own script shows a figure, and the section's place.

    `short` is the section's name in the list of contents. `charts` are the charts that the script draws, with
    the words that are known before the data are. The rows are those of `data` where `rows_of_figure`; else
    the script makes them, since they depend on what a reader chooses.
    """

    section: str
    short: str
    place: int
    charts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    rows_of_figure: bool = False


@dataclass(frozen=True)
class Figure:
    """A kind of figure.

    `needs` names what `data` makes the rows of: a comparison, a matrix, a pair, a curve, two comparisons,
    two matrices, or profiles. `chart` draws tables that come later, with words for the axes. A figure that is
    not `on_page` in a section of its own is shown there as it is.
    """

    name: str
    needs: str
    data: Callable[..., Data]
    chart: Callable[[Mapping[str, str]], Any]
    doc: str
    on_page: OnPage | None = None

    @property
    def summary(self) -> str:
        """The first line of what it is."""
        return self.doc.partition("\n")[0]

    def plot(self, *material: Any, **options: Any) -> Plot:
        """Return the figure of some material."""
        data = self.data(*material, **options)
        return Plot(self.name, drawn(self, data), data)


@dataclass(frozen=True, eq=False, repr=False)
class Plot(Framed):
    """A figure that is drawn: notebooks show it, `save` writes it, `chart` is Altair's.

    `notes` say what was assumed on the way.
    """

    kind: str
    chart: Any
    data: Data
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        rows = ", ".join(f"{len(rows)} {name}" for name, rows in self.data.tables.items())
        return f"Plot({self.kind!r}, {rows})"

    def _repr_mimebundle_(self, *given: Any, **named: Any) -> Any:
        return self.chart._repr_mimebundle_(*given, **named)

    def _repr_html_(self) -> str:
        from inexlab.report.figures import rendered

        return rendered(self.chart, "svg").decode()

    def save(self, path: str | Path) -> None:
        """Write the figure in the format of the file's ending: .svg, .png, .pdf or .html."""
        write_figure(self.chart, path)

    def as_columns(self) -> Columns:
        """Return the rows that are drawn; of several tables the first."""
        rows = next(iter(self.data.tables.values()), [])
        return {
            name: [row.get(name) for row in rows]
            for name in dict.fromkeys(key for row in rows for key in row)
        }


def number(value: float) -> float | None:
    """Return a number as a chart takes it: None if it is undefined."""
    return float(value) if isfinite(value) else None


def axis_name(matrix: Scores) -> str:
    """Return what an axis of scores is called: the measure, or plain score where a file names none."""
    return matrix.name or "score"


figures = cast(Registry[Figure], display.figures)
figures.returns = {"data": Data}


def figure(
    name: str, needs: str, chart: Callable[[Mapping[str, str]], Any], *, on_page: OnPage | None = None
) -> Callable[[Callable[..., Data]], Callable[..., Data]]:
    """Register a figure: the decorated function makes its data, and its docstring says what one sees."""
    if needs not in NEEDS:
        raise ValueError(f"the figure {name} needs {needs!r}; known: {', '.join(NEEDS)}")

    def register(data: Callable[..., Data]) -> Callable[..., Data]:
        doc = inspect.cleandoc(data.__doc__ or "")
        figures.add(name, Figure(name, needs, data, chart, doc, on_page))
        return data

    return register


def draw(kind: str, *material: Any, **options: Any) -> Any:
    """Return a figure as an Altair chart, which notebooks show: `draw("ranking", comparison)`."""
    return figures[kind].plot(*material, **options).chart


def drawn(found: Figure, data: Data) -> Any:
    """Return the chart of a figure's data."""
    from inexlab.report.figures import finish

    return finish(found.chart(data.words), data)


def known_ending(path: str | Path) -> str:
    """Return the format that a file's name asks for."""
    ending = Path(path).suffix.removeprefix(".").lower()
    if not ending:
        raise UsageError(f"{path} has no extension; call the figure FIGURE.{' or FIGURE.'.join(ENDINGS)}.")
    if ending not in ENDINGS:
        raise UnknownNameError("format of figures", ending, ENDINGS)
    return ending


def write_figure(chart: Any, path: str | Path) -> None:
    """Write a chart in the format of the file's ending; an HTML file needs no network."""
    from inexlab.report.figures import rendered

    write_file(path, [rendered(chart, known_ending(path))])
