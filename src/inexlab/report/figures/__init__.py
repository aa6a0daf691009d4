"""The room of figures: one file each, and all that the plotting library has to do with them.

Nothing outside this package imports Altair or vl-convert.
"""

from __future__ import annotations

import functools
import io
from typing import TYPE_CHECKING, Any

from inexlab.errors import UsageError

if TYPE_CHECKING:
    from inexlab.report.figure import Data

_MISSING = "figures need the packages altair and vl-convert-python: pip install 'inexlab[figures]'."
_WARNING = "#a33333"
_LOOK = {
    "font": "Helvetica, Arial, sans-serif",
    "view": {"stroke": None},
    "axis": {
        "gridColor": "#8883",
        "domainColor": "#888",
        "tickColor": "#888",
        "titleFontWeight": "normal",
        "labelFlush": False,  # labels stay at their ticks, at the ends too
    },
    "title": {"fontWeight": "normal", "fontSize": 12, "anchor": "start"},
    "legend": {"titleFontWeight": "normal"},
}


def plotting() -> Any:
    """Return the module altair, or say how to get it."""
    try:
        import altair
        import vl_convert  # noqa: F401 - altair's own message would come late
    except ImportError:
        raise UsageError(_MISSING) from None
    return altair


def finish(chart: Any, data: Data) -> Any:
    """Return the chart with its rows, its title and what is to be warned of."""
    if data.title or data.note:
        lines = data.title.split("; ")  # a line each: a chart is as wide as its title
        subtitle = {"subtitle": data.note, "subtitleColor": _WARNING} if data.title and data.note else {}
        look = subtitle if data.title else {"color": _WARNING}
        chart = chart.properties(title=plotting().TitleParams(lines if data.title else data.note, **look))
    if data.height:
        chart = chart.properties(height=data.height)
    tables = {
        name: [{key: _sanitised(value) for key, value in row.items()} for row in rows]
        for name, rows in data.tables.items()
    }
    return chart.properties(datasets=tables, background="white").configure(**_LOOK)


# what every object of JavaScript has: Vega would take these names for its own
_TAKEN = frozenset(
    [
        "constructor",
        "hasOwnProperty",
        "isPrototypeOf",
        "propertyIsEnumerable",
        "toLocaleString",
        "toString",
        "valueOf",
        "__proto__",
        "__defineGetter__",
        "__defineSetter__",
        "__lookupGetter__",
        "__lookupSetter__",
    ]
)


def _sanitised(value: Any) -> Any:
    return f"\u2060{value}" if isinstance(value, str) and value in _TAKEN else value


def specification(chart: Any) -> dict[str, Any]:
    """Return a chart without its rows as Vega-Lite, for a page that brings them."""
    made: dict[str, Any] = chart.to_dict(validate=False)
    made.pop("datasets", None)
    made.pop("config", None)
    return made


def rendered(chart: Any, ending: str) -> bytes:
    """Return the chart as the content of a file."""
    plotting()
    if ending in ("svg", "html"):
        text = io.StringIO()
        chart.save(text, format=ending, **({"inline": True} if ending == "html" else {}))
        return text.getvalue().encode()
    content = io.BytesIO()
    chart.save(content, format=ending, **({"ppi": 300} if ending == "png" else {}))
    return content.getvalue()


@functools.cache  # putting it together takes a second or two, more than all the rest of a page
def browser_library() -> str:
    """Return the JavaScript that draws charts in a browser: Vega, Vega-Lite and Vega-Embed in one."""
    plotting()
    import vl_convert

    bundle: str = vl_convert.javascript_bundle(snippet="window.vegaEmbed = vegaEmbed;")
    return bundle
