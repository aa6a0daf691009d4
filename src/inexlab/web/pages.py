"""How pages are made: templates with everything escaped, and what all of them need."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import jinja2
from starlette.requests import Request
from starlette.responses import HTMLResponse

from inexlab.web.static_files import StaticFiles

if TYPE_CHECKING:
    from inexlab.web.guard import Visitor
    from inexlab.web.lab import Lab


def address(*parts: str) -> str:
    """Return the address of a page; slashes and signs in names of topics and documents are escaped.

    >>> address("judge", "2026001", "2005/a b")
    '/judge/2026001/2005/a%20b'
    """
    return "/" + "/".join(quote(part, safe="/") for part in parts)


def duration(seconds: float | None) -> str:
    """Return a time in words.

    >>> duration(40), duration(130), duration(7500), duration(None)
    ('40 s', '2 min', '2 h 5 min', '–')
    """
    if seconds is None:
        return "–"
    if seconds < 60:
        return f"{round(seconds)} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


@functools.cache
def _templates() -> jinja2.Environment:
    folder = Path(__file__).parent / "templates"
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(address=address, duration=duration, static=static_files().url)
    return made


@functools.cache
def static_files() -> StaticFiles:
    """Return the style sheets and scripts."""
    return StaticFiles()


def page(lab: Lab, request: Request, template: str, status: int = 200, /, **content: Any) -> HTMLResponse:
    """Return a page: a template filled in; it also gets `lab`, `visitor`, `csrf` and the `path` asked for."""
    visitor: Visitor = request.state.visitor
    text = (
        _templates()
        .get_template(template)
        .render(lab=lab, visitor=visitor, csrf=visitor.csrf(), path=request.url.path, **content)
    )
    return HTMLResponse(text, status)
