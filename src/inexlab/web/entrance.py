"""Who comes in: signing in and out, links that invite, and one's own account."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from anyio import CapacityLimiter, to_thread
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from inexlab.assess.accounts import SHORTEST_PASSWORD, Account, TooManyAttemptsError
from inexlab.errors import UsageError
from inexlab.web.guard import cookie, form_of, safe_target, visitor_of
from inexlab.web.lab import Lab
from inexlab.web.pages import page
from inexlab.wording import counted

_THREADS = 2  # in which passwords are hashed


def routes(lab: Lab) -> list[BaseRoute]:
    """Return the pages of the entrance."""
    store = lab.store
    if store is None:
        return []

    passwords = CapacityLimiter(_THREADS)

    async def in_turn(work: Callable[..., Response], *given: Any) -> Response:
        """Do what takes a look at a password, a few at a time, so that nobody else waits for it."""
        return await to_thread.run_sync(work, *given, limiter=passwords)

    def signed_in(account: Account, target: str) -> Response:
        """Begin a session with a cookie that nobody has had before, and go on."""
        answer = RedirectResponse(target, 303)
        answer.headers.append("Set-Cookie", cookie(lab, store.sessions.begin(account)))
        return answer

    def sign_in_page(request: Request, status: int = 200, problem: str = "", name: str = "") -> Response:
        target = safe_target(request.query_params.get("next"))
        return page(lab, request, "sign_in.html", status, problem=problem, name=name, target=target)

    def show_sign_in(request: Request) -> Response:
        if visitor_of(request).name:
            return RedirectResponse(safe_target(request.query_params.get("next")), 303)
        return sign_in_page(request)

    async def sign_in(request: Request) -> Response:
        form = await form_of(request)
        name, password = str(form.get("name", "")).strip(), str(form.get("password", ""))
        return await in_turn(try_password, request, name, password, str(form.get("next", "")))

    def try_password(request: Request, name: str, password: str, target: str) -> Response:
        address = request.client.host if request.client else ""
        try:
            account = store.accounts.sign_in(name, password, address)
        except TooManyAttemptsError as refused:
            minutes = counted(math.ceil(refused.wait / 60), "minute")
            problem = f"There were too many attempts. Wait {minutes}, then try again."
            answer = sign_in_page(request, 429, problem, name)
            answer.headers["Retry-After"] = str(math.ceil(refused.wait))
            return answer
        if account is None:
            return sign_in_page(request, 403, "There is no account with this name and password.", name)
        store.sessions.end(visitor_of(request).token)
        return signed_in(account, safe_target(target))

    async def sign_out(request: Request) -> Response:
        await form_of(request)
        await run_in_threadpool(store.sessions.end, visitor_of(request).token)
        answer = RedirectResponse("/sign-in", 303)
        answer.headers.append("Set-Cookie", cookie(lab, ""))
        return answer

    def join_page(request: Request, status: int = 200, problem: str = "", name: str = "") -> Response:
        invitation = store.accounts.invitation(request.path_params["token"])
        if invitation is None:
            return page(lab, request, "join.html", 404, invitation=None, problem="", shortest=0, name="")
        return page(
            lab,
            request,
            "join.html",
            status,
            invitation=invitation,
            problem=problem,
            shortest=SHORTEST_PASSWORD,
            name=name,
        )

    async def join(request: Request) -> Response:
        form = await form_of(request)
        given = {key: str(form.get(key, "")) for key in ("name", "password", "again")}
        return await in_turn(use_link, request, given)

    def use_link(request: Request, given: dict[str, str]) -> Response:
        try:
            _same(given["password"], given["again"])
            token, name = request.path_params["token"], given["name"].strip()
            account = store.accounts.join(token, name, given["password"])
        except UsageError as problem:
            return join_page(request, 400, str(problem), given["name"])
        return signed_in(account, "/")

    def account_page(request: Request, status: int = 200, problem: str = "", done: str = "") -> Response:
        return page(
            lab, request, "account.html", status, problem=problem, done=done, shortest=SHORTEST_PASSWORD
        )

    async def change_password(request: Request) -> Response:
        form = await form_of(request)
        given = {key: str(form.get(key, "")) for key in ("old", "password", "again")}
        return await in_turn(use_new_password, request, given)

    def use_new_password(request: Request, given: dict[str, str]) -> Response:
        visitor = visitor_of(request)
        try:
            _same(given["password"], given["again"])
            store.accounts.change_password(visitor.name, given["old"], given["password"])
        except UsageError as problem:
            return account_page(request, 400, str(problem))
        return signed_in(Account(visitor.name, visitor.role), "/account?changed=yes")

    def account(request: Request) -> Response:
        changed = request.query_params.get("changed")
        return account_page(request, done="The password is changed." if changed else "")

    return [
        Route("/sign-in", show_sign_in, methods=["GET"]),
        Route("/sign-in", sign_in, methods=["POST"]),
        Route("/sign-out", sign_out, methods=["POST"]),
        Route("/join/{token}", join_page, methods=["GET"]),
        Route("/join/{token}", join, methods=["POST"]),
        Route("/account", account, methods=["GET"]),
        Route("/account", change_password, methods=["POST"]),
    ]


def _same(password: str, again: str) -> None:
    if password != again:
        raise UsageError("The two passwords are not the same.")
