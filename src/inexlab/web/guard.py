"""Who may see a page: visitors are known by a cookie, other sites are refused, headers are strict.

Every answer carries a content security policy without inline script or style. A request that changes
something has to come from a page of this server: browsers say where a request is from (`Sec-Fetch-Site`,
`Origin`), and it has to carry the token of the visitor's page, as the field `csrf` of a form or the header
`X-CSRF-Token`. The token is derived from the cookie, which no other site can read.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

from anyio import CapacityLimiter, to_thread
from starlette.datastructures import FormData, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

if TYPE_CHECKING:
    from inexlab.assess.accounts import Account
    from inexlab.assess.store import Store
    from inexlab.web.lab import Lab

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # with no-referrer forms of our own pages would name no origin
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
_THREADS = 8  # in which visitors are looked up
_LARGEST_FORM = 100_000
SAFE = ("GET", "HEAD")
OPEN = ("/static/", "/sign-in", "/join/")  # what is there for those who have not signed in
LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True)
class Visitor:
    """Who asks: `token` is the value of the cookie; nobody has signed in where `name` is empty."""

    token: str
    name: str = ""
    role: str = ""

    @property
    def is_administrator(self) -> bool:
        """Whether they may see what administrators see."""
        return self.role == "administrator"

    def csrf(self) -> str:
        """Return the token that forms and scripts of this visitor's pages send."""
        return hmac.new(self.token.encode(), b"csrf", hashlib.sha256).hexdigest()


def visitor_of(request: Request) -> Visitor:
    """Return who asks."""
    found: Visitor = request.state.visitor
    return found


def require_administrator(request: Request) -> Visitor:
    """Return who asks, an administrator; refuse everybody else."""
    visitor = visitor_of(request)
    if not visitor.is_administrator:
        raise HTTPException(403, "This page is for administrators.")
    return visitor


def check_token(request: Request, given: object) -> None:
    """Refuse a request without the token of the visitor's own page."""
    if not isinstance(given, str) or not hmac.compare_digest(
        given.encode(), visitor_of(request).csrf().encode()
    ):
        raise HTTPException(403, "This page is too old to be sent. Load it again, and try once more.")


async def form_of(request: Request, *, files: int = 0) -> FormData:
    """Return the form that was sent, if it comes from a page of this visitor."""
    length = request.headers.get("content-length", "")
    if not files and not (length.isdecimal() and int(length) <= _LARGEST_FORM):
        raise HTTPException(413, "This is too much for this form.")
    form = await request.form(max_files=files, max_fields=100)
    check_token(request, form.get("csrf"))
    return form


def safe_target(given: str | None, otherwise: str = "/") -> str:
    """Return where to go next, if that is a page of this server; `otherwise` for all else.

    >>> safe_target("/topics/1?all=yes"), safe_target("//evil.example/"), safe_target("https://evil.example/")
    ('/topics/1?all=yes', '/', '/')
    """
    if not given or not given.startswith("/") or given[1:2] in ("/", "\\"):
        return otherwise
    if any(ord(c) < 33 or c == "\\" for c in given):
        return otherwise
    parts = urlsplit(given)
    return otherwise if parts.scheme or parts.netloc else given


def comes_from_elsewhere(request: Request) -> bool:
    """Whether a browser says that a request was made by a page of another site."""
    site = request.headers.get("sec-fetch-site")
    if site is not None and site not in ("same-origin", "none"):
        return True
    origin = request.headers.get("origin")
    return origin is not None and urlsplit(origin).netloc != request.headers.get("host", "")


class Guard:
    """Lets requests through to the pages, with the visitor in `request.state`, and sets all headers."""

    def __init__(self, app: ASGIApp, lab: Lab, hosts: tuple[str, ...] = ()) -> None:
        self._app, self._lab, self._hosts = app, lab, hosts
        self._threads = CapacityLimiter(_THREADS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        visitor, is_new = await self._visitor(request)
        scope.setdefault("state", {})["visitor"] = visitor

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._set_headers(MutableHeaders(scope=message), visitor if is_new else None)
            await send(message)

        answer = self._refusal(request, visitor) or self._app
        await answer(scope, receive, send_with_headers)

    async def _visitor(self, request: Request) -> tuple[Visitor, bool]:
        """Return who asks, and whether they have no cookie yet."""
        store = self._lab.store
        if store is None or request.url.path.startswith("/static/"):
            return Visitor(""), False
        token = request.cookies.get(cookie_name(self._lab), "")
        account = await self._account(store, token) if token else None
        if account is not None:
            return Visitor(token, account.name, account.role), False
        return Visitor(token or secrets.token_urlsafe(32)), not token

    async def _account(self, store: Store, token: str) -> Account | None:
        return await to_thread.run_sync(store.sessions.account, token, limiter=self._threads)

    def _refusal(self, request: Request, visitor: Visitor) -> Response | None:
        """Return the answer to a request that does not get through."""
        if self._hosts and request.url.hostname not in self._hosts:
            # a page of another site whose name was made to point here would come with that name
            return Response("this server is not known by that name", 421)
        if request.method not in SAFE and comes_from_elsewhere(request):
            return Response("refused: this was sent by a page of another site", 403)
        if self._lab.store is None or visitor.name or request.url.path.startswith(OPEN):
            return None
        if request.url.path.startswith("/api/"):
            return JSONResponse({"error": "You are not signed in."}, 401)
        wanted = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        target = "/sign-in"
        if request.method == "GET" and wanted != "/":
            target += f"?next={quote(wanted, safe='/')}"
        return RedirectResponse(target, 303)

    def _set_headers(self, headers: MutableHeaders, newcomer: Visitor | None) -> None:
        for name, value in HEADERS.items():
            headers[name] = value
        headers.setdefault("Cache-Control", "no-store" if self._lab.store else "no-cache")
        if self._lab.secure:
            headers["Strict-Transport-Security"] = "max-age=31536000"
        if newcomer is not None:
            headers.append("Set-Cookie", cookie(self._lab, newcomer.token))


def cookie_name(lab: Lab) -> str:
    """Return the name of the cookie, one for each database: several laboratories may share a host."""
    assert lab.store is not None
    return f"{'__Host-' if lab.secure else ''}inexlab-{lab.store.name}"


def cookie(lab: Lab, token: str) -> str:
    """Return the header that sets the cookie; an empty token removes it."""
    parts = [f"{cookie_name(lab)}={token}", "Path=/", "HttpOnly", "SameSite=Lax"]
    if lab.secure:
        parts.append("Secure")
    if not token:
        parts.append("Max-Age=0")
    return "; ".join(parts)
