"""Judgements in JSON: what the judging page reads and saves.

`GET /api/judgements/{topic}/{document}` answers with what the visitor has said of a document so far:

    {"version": 3, "highlights": [[120, 348], …], "best_entry": 120, "status": "in progress"}

Offsets count code points of the canonical text; `best_entry` may be null; a status is "unassessed", "in
progress", "done" or "irrelevant". Version 0 is before anything was saved.

`POST` to the same address saves. It has the header `X-CSRF-Token`, from `<meta name="csrf-token">` of the
page, and the body

    {"save": "…", "base": 3, "highlights": [{"start": 120, "end": 348, "quote": "…"}, …],
     "best_entry": 120, "status": "done", "seconds": 12.5}

`save` is a key that the page makes (a UUID), `base` the version it began from, `quote` the text of the
highlight as the page shows it, `seconds` the time of work since the last save. The answers are

    200 {"version": 4}  it is on the disk; the same `save` sent again has the same answer, and is kept once
    401 {"error"}       the session has ended: sign in, and send it again
    403 {"error"}       the token is not that of this visitor, or the document is not theirs to judge
    409 {"version", "highlights", "best_entry", "status"}  `base` is not the newest version, which this is
    422 {"error"}       a quote is not the text at its place, highlights overlap or lie outside the text, a
                        document that is irrelevant or unassessed has marks, or a field is missing
"""

from __future__ import annotations

import json
from typing import Any

from anyio import CapacityLimiter, to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from inexlab.assess.record import Assessment, OutdatedSaveError, RefusedSaveError, Save, checked
from inexlab.web.guard import check_token, visitor_of
from inexlab.web.lab import Lab

_THREADS = 50  # of their own: no save waits until others have searched or signed in
_LARGEST = 64 * 2**20  # bytes of a save: the longest articles, quoted whole, have a few million characters


def routes(lab: Lab) -> list[BaseRoute]:
    """Return where judgements are read and saved."""
    store = lab.store
    if store is None:
        return []

    saving = CapacityLimiter(_THREADS)

    def key_of(request: Request) -> tuple[str, str, str]:
        """Return whose judgement of what is asked for; only of what the visitor was given."""
        name = visitor_of(request).name
        topic, document = request.path_params["topic"], request.path_params["document"]
        if not store.may_judge(name, topic, document):
            raise HTTPException(403, "This document is not yours to judge.")
        return name, topic, document

    def read(request: Request) -> Response:
        return JSONResponse(_shown(store.assessment(*key_of(request))))

    async def save(request: Request) -> Response:
        check_token(request, request.headers.get("x-csrf-token"))
        body = await _body(request)
        return await to_thread.run_sync(keep, request, body, limiter=saving)

    def keep(request: Request, body: bytes) -> Response:
        key = key_of(request)
        document = lab.document(key[2])
        assert document is not None  # the pool was compared with the index
        try:
            given, quotes = _parsed(body)
            version = store.save(key, checked(given, document.text, quotes), digest=lab.digest(key[2]) or "")
        except RefusedSaveError as refused:
            return JSONResponse({"error": str(refused)}, 422)
        except OutdatedSaveError as outdated:
            return JSONResponse(_shown(outdated.newest), 409)
        return JSONResponse({"version": version})

    place = "/api/judgements/{topic}/{document:path}"
    return [Route(place, read, methods=["GET"]), Route(place, save, methods=["POST"])]


def _shown(assessment: Assessment) -> dict[str, Any]:
    return {
        "version": assessment.version,
        "highlights": [list(span) for span in assessment.highlights],
        "best_entry": assessment.best_entry,
        "status": assessment.status,
    }


async def _body(request: Request) -> bytes:
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > _LARGEST:
            raise HTTPException(413, "This is too much for one judgement.")
        parts.append(part)
    return b"".join(parts)


def _parsed(body: bytes) -> tuple[Save, list[str]]:
    """Return a save and the quotes of its highlights."""
    try:
        given = json.loads(body)
        highlights = [(_whole(h["start"]), _whole(h["end"])) for h in given["highlights"]]
        quotes = [_text(h["quote"]) for h in given["highlights"]]
        best = given["best_entry"]
        seconds = given.get("seconds", 0)
        if isinstance(seconds, bool) or not isinstance(seconds, int | float):
            raise TypeError("seconds")
        save = Save(
            _text(given["save"]),
            _whole(given["base"]),
            tuple(highlights),
            None if best is None else _whole(best),
            _text(given["status"]),
            float(seconds),
        )
    except KeyError as missing:
        raise RefusedSaveError(f"the field {missing} is missing") from None
    except (TypeError, ValueError, AttributeError, RecursionError, OverflowError):
        raise RefusedSaveError("this is not a judgement in JSON") from None
    return save, quotes


def _whole(given: object) -> int:
    if type(given) is not int or not 0 <= given <= 2**53:
        raise TypeError("not a whole number")
    return given


def _text(given: object) -> str:
    if not isinstance(given, str):
        raise TypeError("not a text")
    return given
