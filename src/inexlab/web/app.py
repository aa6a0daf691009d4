"""The application: pages put together from the modules that have them, behind the guard."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute
from starlette.types import ASGIApp

from inexlab.errors import InexlabError
from inexlab.index.index import Index
from inexlab.pooling import Pool
from inexlab.topics import Topics
from inexlab.web import administration, entrance, judgement_api, judging, my_topics, reading
from inexlab.web.guard import Guard
from inexlab.web.lab import Lab
from inexlab.web.opening import open_lab
from inexlab.web.pages import page, static_files


def application(lab: Lab, *, hosts: tuple[str, ...] = ()) -> Starlette:
    """Return the application; `hosts` are the names it answers to, all unless given."""
    routes: list[BaseRoute] = list(static_files().routes())
    for pages in (entrance, my_topics, administration, reading, judging, judgement_api):
        routes += pages.routes(lab)
    answer = _problem(lab)
    return _GuardedPages(lab, hosts, routes, {HTTPException: answer, InexlabError: answer, 500: answer})


class _GuardedPages(Starlette):
    """Pages behind the guard, that of an unforeseen error too."""

    def __init__(
        self, lab: Lab, hosts: tuple[str, ...], routes: Sequence[BaseRoute], handlers: Mapping[Any, Any]
    ) -> None:
        self._lab, self._hosts = lab, hosts
        super().__init__(routes=routes, exception_handlers=handlers)

    def build_middleware_stack(self) -> ASGIApp:
        """Return all that a request goes through."""
        return Guard(super().build_middleware_stack(), self._lab, self._hosts)


def make_app(
    index: Index | str | Path,
    *,
    database: str | Path = "",
    pool: Pool | str | Path = "",
    topics: Topics | Sequence[str | Path] = (),
) -> Starlette:
    """Open an index, and perhaps a database for what a pool has, and return the application."""
    return application(open_lab(index, pool=pool, topics=topics, db=database))


def _problem(lab: Lab) -> Callable[[Request, Exception], Response]:
    """Return what answers where a page cannot be shown."""

    def answer(request: Request, error: Exception) -> Response:
        status, reason = 500, "Something went wrong. What was saved is safe; try again."
        if isinstance(error, HTTPException):
            status, reason = error.status_code, error.detail
            if status == 404 and reason == "Not Found":
                reason = "There is no such page."
        elif isinstance(error, InexlabError):
            status, reason = 400, str(error)
        headers = getattr(error, "headers", None)
        if request.url.path.startswith("/api/"):
            return JSONResponse({"error": reason}, status, headers=headers)
        made = page(lab, request, "problem.html", status, reason=reason)
        made.headers.update(headers or {})
        return made

    return answer
