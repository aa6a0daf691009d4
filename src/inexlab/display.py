"""What values have in common that users see: they turn into frames, and draw themselves.

A value with columns has `to_pandas` and `to_polars`; one that can be drawn has `plot`. Figures are
found through their registry, so that tables of numbers need not know the room that draws them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from inexlab.errors import UsageError
from inexlab.frames import Columns, pandas_frame, polars_frame
from inexlab.registry import Registry

if TYPE_CHECKING:
    import pandas
    import polars


class Drawable(Protocol):
    """A kind of figure: what it needs, and how to draw it."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def needs(self) -> str:
        """What it is drawn of."""

    def plot(self, *material: Any, **options: Any) -> Any:
        """Return the figure of some material."""


figures: Registry[Drawable] = Registry("figure", "inexlab.report.figures")


class Framed:
    """A value with columns, which turns into frames."""

    def as_columns(self) -> Columns:
        """Return the columns by name, all of the same length."""
        raise NotImplementedError

    def to_pandas(self) -> pandas.DataFrame:
        """Return the columns as a pandas frame."""
        return pandas_frame(self.as_columns())

    def to_polars(self) -> polars.DataFrame:
        """Return the columns as a polars frame."""
        return polars_frame(self.as_columns())


def draw_from(
    kind: str, material: Mapping[str, Any], what: str, options: Mapping[str, Mapping[str, Any]] | None = None
) -> Any:
    """Return a figure of the material that there is, by what figures need; refuse those that need more.

    A function among the material is called only for a figure that needs what it returns. `options` are for
    figures with the same needs.
    """
    figure = figures[kind]
    if figure.needs not in material:
        possible = [known.name for known in figures.values() if known.needs in material]
        raise UsageError(f"{what} cannot draw {kind!r}; it draws {', '.join(possible)}.")
    found = material[figure.needs]
    given = (options or {}).get(figure.needs, {})
    return figure.plot(*(found() if callable(found) else found), **given)
