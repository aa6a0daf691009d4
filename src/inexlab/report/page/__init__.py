"""The report as one page: a file of HTML that opens from disk, with all it needs inside.

The scores are in it once, as JSON; the page's own script (the `.js` files here, in the order of `_SCRIPTS`)
makes tables, grids and the rows of those charts from them that depend on what a reader chooses. Its sections
are those of the registry of figures. Vega, which draws the charts, comes from the installed plotting library.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Callable
from importlib.resources import files
from typing import Any

from inexlab.progress import reporting
from inexlab.report.content import ReportContent
from inexlab.report.figure import figures
from inexlab.report.figures import browser_library, specification
from inexlab.report.page.data import page_data

_SCRIPTS = ("tools.js", "tables.js", "grids.js", "rows.js", "charts.js", "sections.js", "cuts.js", "page.js")


def write_page(content: ReportContent) -> str:
    """Return the page."""
    makers: dict[str, Callable[[], str]] = {
        "title": lambda: html.escape(content.title),
        "style": lambda: _lines(_file("page.css")),
        "data": lambda: _inside_script(page_data(content)),
        "charts": lambda: _inside_script(_specifications()),
        # as a browser reads them, with line feeds alone: that is what hashes are of
        "library": lambda: _lines(browser_library().replace("</script", "<\\/script")),
        "script": lambda: _lines("\n".join(_file(name) for name in _SCRIPTS)),
    }
    parts = {name: makers[name]() for name in reporting(list(makers), "making the page", "parts")}
    parts["policy"] = _policy(parts)
    pieces = _file("page.html").split("@@")  # text, the name of a part, text, …
    return "".join(parts[piece] if i % 2 else piece for i, piece in enumerate(pieces))


def _policy(parts: dict[str, str]) -> str:
    """Allow the page's own scripts and style, known by their hashes, and nothing else."""

    def known(name: str) -> str:
        return f"'sha256-{base64.b64encode(hashlib.sha256(parts[name].encode()).digest()).decode()}'"

    scripts = f"{known('library')} {known('script')}"
    return f"default-src 'none'; script-src {scripts}; style-src {known('style')}; img-src data: blob:"


def _specifications() -> dict[str, Any]:
    """Return the charts that the page's script draws; words that are not known yet are `{place}`."""
    places = {place: f"{{{place}}}" for place in ("x", "y", "title")}
    return {
        name: specification(figure.chart({**places, **words}))
        for figure in figures.values()
        if figure.on_page is not None
        for name, words in figure.on_page.charts.items()
    }


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _file(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _inside_script(data: Any) -> str:
    """Write JSON that no name of a run or topic can end before its time."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
