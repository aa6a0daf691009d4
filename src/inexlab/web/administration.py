"""The pages of administrators: how far everybody is, accounts, who judges what, files in and out."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from inexlab.assess.accounts import ROLES
from inexlab.errors import InexlabError, UsageError
from inexlab.judgements.merging import merge_rules
from inexlab.judgements.write import judgement_writers
from inexlab.web.exchange import GivenFile, bring_in, exported
from inexlab.web.guard import form_of, require_administrator
from inexlab.web.lab import Lab
from inexlab.web.my_topics import title_of, together
from inexlab.web.pages import page
from inexlab.wording import counted

_MOST_FILES, _LARGEST_IMPORT = 1000, 2**30


def routes(lab: Lab) -> list[BaseRoute]:
    """Return the pages of administrators."""
    store = lab.store
    if store is None:
        return []

    def overview(request: Request) -> Response:
        require_administrator(request)
        everything = store.progress()
        titles = {one.topic: title_of(lab, one.topic) for one in everything}
        unassigned = [topic for topic, names in store.assignments().items() if not names]
        return page(
            lab,
            request,
            "admin.html",
            rows=everything,
            titles=titles,
            all=together(everything),
            unassigned=unassigned,
        )

    def one_topic(request: Request) -> Response:
        require_administrator(request)
        topic = request.path_params["topic"]
        given = store.assignments().get(topic)
        if given is None:
            raise HTTPException(404, "There is no such topic in the pool.")
        columns = {name: store.to_judge(name, topic) for name in given}
        documents = [document.doc for document in lab.pool.by_topic.get(topic, ())] if lab.pool else []
        rows = [
            {
                "document": document,
                "title": lab.document_title(document),
                "said": [columns[name][i] for name in given],
            }
            for i, document in enumerate(documents)
        ]
        return page(
            lab, request, "admin_topic.html", topic=topic, title=title_of(lab, topic), names=given, rows=rows
        )

    def accounts_page(request: Request, status: int = 200, **more: Any) -> Response:
        require_administrator(request)
        accounts = store.accounts.all()
        known = {account.name.lower() for account in accounts}
        invited = store.accounts.invited()
        asked = {name.lower() for name, *_ in invited}
        planned = {name for names in store.assignments().values() for name in names}
        return page(
            lab,
            request,
            "accounts.html",
            status,
            accounts=accounts,
            invited=invited,
            planned=sorted(name for name in planned if name.lower() not in known | asked),
            roles=ROLES,
            **{"problem": "", "done": "", "link": "", "linked": "", **more},
        )

    def invite(request: Request, form: FormData) -> Response:
        name, role = str(form.get("name", "")).strip(), str(form.get("role", "assessor"))
        if not name:
            raise UsageError("Say who is invited: a name.")
        if form.get("new") and store.accounts.find(name):
            raise UsageError(f"There is an account {name} already. A new link for it is in the list.")
        token = store.accounts.invite(name, role)
        return accounts_page(request, link=_link(lab, request, token), linked=name)

    def change_account(_request: Request, form: FormData) -> Response:
        name, what = str(form.get("name", "")), str(form.get("what", ""))
        if what in ROLES:
            store.accounts.change(name, role=what)
        elif what in ("close", "open"):
            store.accounts.change(name, active=what == "open")
        else:
            raise HTTPException(400, "There is no such change.")
        return RedirectResponse("/admin/accounts", 303)

    def assignments_page(request: Request, status: int = 200, problem: str = "") -> Response:
        require_administrator(request)
        given = store.assignments()
        finished = {(one.topic, one.assessor): one for one in store.progress()}
        names = {account.name for account in store.accounts.all() if account.active}
        names |= {name for of_topic in given.values() for name in of_topic}
        return page(
            lab,
            request,
            "assignments.html",
            status,
            assignments=given,
            titles={topic: title_of(lab, topic) for topic in given},
            progress=finished,
            names=sorted(names, key=str.lower),
            problem=problem,
        )

    def assign(_request: Request, form: FormData) -> Response:
        topic, name = str(form.get("topic", "")), str(form.get("name", "")).strip()
        if topic not in store.assignments() or not name:
            raise UsageError("Choose a topic and an assessor.")
        (store.unassign if form.get("what") == "remove" else store.assign)(topic, name)
        return RedirectResponse(f"/admin/assignments#topic-{quote(topic)}", 303)

    def exchange_page(request: Request, status: int = 200, problem: str = "", done: str = "") -> Response:
        require_administrator(request)
        return page(
            lab,
            request,
            "exchange.html",
            status,
            formats=[(name, judgement_writers[name].carries) for name in judgement_writers],
            rules=[(name, merge_rules[name].doc.partition("\n")[0]) for name in merge_rules],
            names=store.assessors(),
            accounts=[account.name for account in store.accounts.all()],
            problem=problem,
            done=done,
        )

    def give_out(request: Request) -> Response:
        require_administrator(request)
        asked = request.query_params
        try:
            file = exported(
                lab,
                asked.get("format", "jsonl"),
                asked.get("assessor", ""),
                asked.get("merge", ""),
                unfinished=asked.get("unfinished") == "yes",
            )
        except InexlabError as error:
            return exchange_page(request, 400, str(error))
        return _download(file)

    def take_in(request: Request, form: FormData) -> Response:
        sent = [file for file in form.getlist("files") if isinstance(file, UploadFile)]
        if sum(file.size or 0 for file in sent) > _LARGEST_IMPORT:
            raise UsageError("These files are more than 1 GiB together; bring them in one by one.")
        files = [GivenFile(file.filename or "file", file.file.read()) for file in sent]
        found, notes = bring_in(
            lab,
            files,
            author=require_administrator(request).name,
            unnamed=str(form.get("assessor", "")),
            replace=form.get("replace") == "yes",
        )
        said = [f"{counted(found.new, 'judgement')} brought in"]
        for count, what in (
            (found.same, "here already"),
            (found.replaced, "put in the place of what was here"),
            (found.kept, "left out, as something else is here"),
            (found.beside_pool, "beside the pool"),
        ):
            said += [f"{count} {what}"] if count else []
        return exchange_page(request, done="; ".join([*said, *notes]) + ".")

    def give_backup(request: Request) -> Response:
        require_administrator(request)
        with tempfile.TemporaryDirectory(prefix="inexlab-") as folder:
            store.backup(Path(folder) / "backup.db")
            return _download(GivenFile("assessments-backup.db", (Path(folder) / "backup.db").read_bytes()))

    def form_for(
        work: Callable[[Request, FormData], Response], shown: Callable[..., Response], files: int = 0
    ) -> Callable[[Request], Any]:
        """Return what answers a form of administrators; a problem is shown on its page."""

        async def answer(request: Request) -> Response:
            require_administrator(request)
            form = await form_of(request, files=files)
            try:
                return await run_in_threadpool(attempt, request, form)
            finally:
                await form.close()

        def attempt(request: Request, form: FormData) -> Response:
            try:
                return work(request, form)
            except InexlabError as error:
                return shown(request, 400, problem=str(error))

        return answer

    return [
        Route("/admin", overview),
        Route("/admin/topics/{topic}", one_topic),
        Route("/admin/accounts", accounts_page, methods=["GET"]),
        Route("/admin/accounts", form_for(change_account, accounts_page), methods=["POST"]),
        Route("/admin/invitations", form_for(invite, accounts_page), methods=["POST"]),
        Route("/admin/assignments", assignments_page, methods=["GET"]),
        Route("/admin/assignments", form_for(assign, assignments_page), methods=["POST"]),
        Route("/admin/exchange", exchange_page, methods=["GET"]),
        Route("/admin/exchange", form_for(take_in, exchange_page, _MOST_FILES), methods=["POST"]),
        Route("/admin/export", give_out),
        Route("/admin/backup", give_backup),
    ]


def _link(lab: Lab, request: Request, token: str) -> str:
    """Return the address at which somebody opens an account."""
    here = request.base_url.replace(scheme="https") if lab.secure else request.base_url
    return f"{here}join/{token}"


def _download(file: GivenFile) -> Response:
    name = "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "_" for c in file.name)
    return Response(
        file.content,
        media_type="application/octet-stream",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
