"""Tables for notebooks: what `_repr_html_` shows of runs, judgements, scores and comparisons.

Small and self-contained: no script, no style sheet, text escaped, colours that suit light and dark.
"""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Sequence
from itertools import islice

MOST_ROWS = 20


class Markup(str):
    """Text that is HTML already."""


def cell(value: object) -> str:
    """Return a cell's content: numbers with four digits, text escaped, a dash where there is nothing."""
    if isinstance(value, Markup):
        return value
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "–"
    return f"{value:.4f}" if isinstance(value, float) else html.escape(str(value))


def table(caption: str, header: Sequence[str], rows: Iterable[Sequence[object]], total: int) -> str:
    """Return a table of the first rows of `total`.

    >>> table("", ["run"], [["<a>"]], 1).partition("<tbody>")[2]
    '<tr><td>&lt;a&gt;</td></tr></tbody></table>'
    """
    head = "".join(f"<th>{html.escape(name)}</th>" for name in header)
    shown = list(islice(rows, MOST_ROWS))
    body = "".join("<tr>" + "".join(f"<td>{cell(value)}</td>" for value in row) + "</tr>" for row in shown)
    more = total - len(shown)
    if more > 0:
        body += f'<tr><td colspan="{len(header)}">… {more:,} more</td></tr>'
    title = f"<caption>{html.escape(caption)}</caption>"
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def shade(value: float, most: float) -> Markup:
    """Return a number on a background that is the stronger the larger it is."""
    if math.isnan(value):
        return Markup("–")
    strength = 0.6 * value / most if most > 0 and value > 0 else 0.0
    return Markup(
        f'<span style="display:block;background:rgba(0,114,178,{strength:.2f})">{cell(float(value))}</span>'
    )


def interval(low: float, mean: float, high: float, bounds: tuple[float, float]) -> Markup:
    """Return an interval as a small drawing: a bar, and a mark at the mean."""
    size = bounds[1] - bounds[0]
    if not size > 0 or math.isnan(low):
        return Markup("–")
    left, mark, right = (100 * (value - bounds[0]) / size for value in (low, mean, high))
    words = html.escape(f"{low:.4f} … {high:.4f}")
    bar = (
        f"position:absolute;top:35%;height:30%;left:{left:.1f}%;width:{right - left:.1f}%;background:#56B4E9"
    )
    tick = f"position:absolute;top:10%;height:80%;left:{mark:.1f}%;width:2px;background:#0072B2"
    return Markup(
        f'<span title="{words}" style="display:block;position:relative;width:10em;height:1em">'
        f'<i style="{bar}"></i><b style="{tick}"></b></span>'
    )
