"""Who gets through: headers, sessions, tokens, roles, other sites and other hosts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.routing import Route
from starlette.testclient import TestClient

from inexlab.web.app import application
from inexlab.web.guard import POLICY, safe_target
from inexlab.web.opening import open_lab
from inexlab.web.serving import LOOPBACK
from tests.web.campaign import PASSWORD, Files, add_account
from tests.web.conftest import Served

TEMPLATES = sorted((Path(__file__).parents[2] / "src" / "inexlab" / "web" / "templates").glob("*.html"))
# data in JSON is no script: no browser runs it
INLINE = r"<script(?![^>]*(\ssrc=|type=\"application/json\"))|<style|\sstyle=|\son[a-z]+=|javascript:"
PAGES = ("/sign-in", "/topics", "/topics/1", "/account", "/search", "/read/bees", "/judge/1/bees", "/nothing")
ADMIN = ("/admin", "/admin/topics/1", "/admin/accounts", "/admin/assignments", "/admin/exchange")


def test_every_answer_has_strict_headers(served: Served) -> None:
    root = served.person("root", "administrator")
    served.store.assign("1", "root")
    seen = {}
    for path in (*PAGES, *ADMIN, "/static/x/base.css", "/static/x/nothing", "/api/judgements/1/bees"):
        answer = root.get(path)
        assert answer.status_code < 500, path
        assert answer.headers["content-security-policy"] == POLICY
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["referrer-policy"] == "same-origin"
        seen[path] = answer
    assert "'unsafe" not in POLICY
    assert POLICY.startswith("default-src 'none'")
    assert seen["/topics"].headers["cache-control"] == "no-store"
    for answer in seen.values():  # nothing that the policy would have to allow
        if answer.headers.get("content-type", "").startswith("text/html"):
            assert not re.search(INLINE, answer.text)


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda file: file.name)
def test_no_template_has_inline_script_or_style(template: Path) -> None:
    text = template.read_text(encoding="utf-8")
    assert not re.search(INLINE, text)
    assert "http:" not in text
    for form in re.findall(r"<form[^>]*post.*?</form>", text, re.DOTALL):
        assert 'name="csrf"' in form or "token(csrf)" in form


def test_files_are_kept_by_the_digest_of_their_content(served: Served) -> None:
    nobody = served.visitor()
    [style] = re.findall(r'href="(/static/\w{16}/base.css)"', nobody.get("/sign-in").text)
    kept = nobody.get(style)
    assert (kept.status_code, kept.headers["content-type"]) == (200, "text/css; charset=utf-8")
    assert "immutable" in kept.headers["cache-control"]
    assert "set-cookie" not in kept.headers
    old = nobody.get("/static/0000000000000000/base.css")
    assert (old.content, old.headers["cache-control"]) == (kept.content, "no-cache")
    for path in ("/static/x/..%2fguard.py", "/static/x/%2e%2e/guard.py", "/static/base.css"):
        assert nobody.get(path).status_code == 404


def test_without_signing_in_there_is_only_the_entrance(served: Served) -> None:
    nobody = served.visitor()
    for path in (*PAGES[1:], *ADMIN, "/", "/admin/export", "/admin/backup"):
        answer = nobody.get(path)
        assert answer.status_code == 303, path
        assert answer.headers["location"].startswith("/sign-in")
    assert (
        nobody.get("/topics/1?status=done").headers["location"] == "/sign-in?next=/topics/1%3Fstatus%3Ddone"
    )


def test_signing_in_gives_a_cookie_that_nobody_had_before(served: Served) -> None:
    add_account(served.store, "anna")
    anna = served.visitor()
    anna.load("/sign-in?next=/topics/1")
    before = dict(anna.client.cookies)
    answer = anna.send("/sign-in", name="anna", password=PASSWORD, next="/topics/1")
    assert (answer.status_code, answer.headers["location"]) == (303, "/topics/1")
    cookie = answer.headers["set-cookie"]
    assert cookie.endswith("; Path=/; HttpOnly; SameSite=Lax")
    after = dict(anna.client.cookies)
    assert before.keys() == after.keys()
    assert before != after
    assert anna.get("/topics/1").status_code == 200
    # who had put a cookie of their own there beforehand is not signed in with it
    other = served.visitor()
    other.client.cookies.update(before)
    assert other.get("/topics/1").status_code == 303


def test_signing_out_ends_the_session_at_the_server(served: Served) -> None:
    anna = served.person("anna")
    cookies = dict(anna.client.cookies)
    answer = anna.send("/sign-out")
    assert "Max-Age=0" in answer.headers["set-cookie"]
    thief = served.visitor()
    thief.client.cookies.update(cookies)
    assert thief.get("/topics").status_code == 303


def test_wrong_passwords_are_told_nothing_and_then_stopped(served: Served) -> None:
    add_account(served.store, "anna")
    thief = served.visitor()
    thief.load("/sign-in")
    said = {
        re.sub(r'value="(anna|nobody)"', "", thief.send("/sign-in", name=name, password="wrong").text)
        for name in ("anna", "nobody")
    }
    assert len(said) == 1  # the same of names that there are and are not
    assert [thief.send("/sign-in", name="anna", password="wrong").status_code for _ in range(5)] == [
        *(403, 403, 403, 403),
        429,
    ]
    stopped = thief.send("/sign-in", name="anna", password=PASSWORD)
    assert (stopped.status_code, stopped.headers["retry-after"]) == (429, "900")
    assert "Wait 15 minutes" in stopped.text


@pytest.mark.parametrize(
    "target",
    [
        *("//evil.example", "https://evil.example", "/\\evil.example", "\\\\evil.example", "evil.example"),
        *("javascript:alert(1)", "/%0d%0aSet-Cookie:x", "/\r\nX: y", " //evil.example", "/\t/evil.example"),
    ],
)
def test_nobody_is_sent_to_another_site(served: Served, target: str) -> None:
    add_account(served.store, "anna")
    anna = served.visitor()
    anna.load("/sign-in")
    location = anna.send("/sign-in", name="anna", password=PASSWORD, next=target).headers["location"]
    assert location in ("/", "/%0d%0aSet-Cookie:x")
    assert safe_target(target) == location


def _posts(served: Served) -> list[str]:
    """Return an address of every route that takes a form or JSON."""
    places = [
        route.path
        for route in application(served.lab).routes
        if isinstance(route, Route) and "POST" in (route.methods or ())
    ]
    values = {"{token}": "t", "{topic}": "1", "{document:path}": "bees"}
    return [re.sub(r"\{[^}]+\}", lambda found: values[found[0]], place) for place in places]


def test_everything_that_changes_something_needs_the_token(served: Served) -> None:
    root, other = served.person("root", "administrator"), served.person("bob")
    served.store.assign("1", "root")
    places = _posts(served)
    assert len(places) >= 9
    for place in places:
        for token in ("", "wrong", other.csrf):
            form = {"csrf": token, "name": "anna", "what": "close"}
            sent = root.client.post(place, data=form, follow_redirects=False)
            sent_as_json = root.client.post(place, headers={"X-CSRF-Token": token}, json={})
            assert {sent.status_code, sent_as_json.status_code} <= {400, 403}, place
    assert served.store.log() == []
    assert served.store.accounts.find("root") is not None


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://testserver.evil.example"},
    ],
)
def test_forms_of_other_sites_are_refused_even_with_a_token(served: Served, headers: dict[str, str]) -> None:
    anna = served.person("anna")
    for place in _posts(served):
        assert anna.client.post(place, data={"csrf": anna.csrf}, headers=headers).status_code == 403
    fine = {"Sec-Fetch-Site": "same-origin", "Origin": "http://testserver"}
    sent = anna.client.post("/sign-out", data={"csrf": anna.csrf}, headers=fine, follow_redirects=False)
    assert sent.status_code == 303


def test_assessors_see_nothing_of_administrators(served: Served) -> None:
    anna = served.person("anna")
    for path in (*ADMIN, "/admin/export", "/admin/backup"):
        assert anna.get(path).status_code == 403
    for place in ("/admin/accounts", "/admin/invitations", "/admin/assignments", "/admin/exchange"):
        sent = anna.send(place, name="anna", what="administrator", role="administrator", topic="1")
        assert sent.status_code == 403
    assert served.store.accounts.find("anna") == ("anna", "assessor", True)
    assert "/admin" not in anna.get("/topics").text


def test_topics_and_documents_of_others_are_refused(served: Served) -> None:
    bob = served.person("bob")
    assert bob.get("/topics/1").status_code == 200
    assert bob.get("/topics/2").status_code == 403
    assert bob.get("/judge/2/bees").status_code in (403, 404)


def test_a_name_that_points_here_is_not_ours(campaign: Files) -> None:
    """A page of another site whose name was made to point to this computer must not read what is here."""
    app = application(open_lab(campaign.index), hosts=LOOPBACK)
    for host, status in (
        ("127.0.0.1:8000", 200),
        ("localhost:8000", 200),
        ("[::1]:8000", 200),
        ("evil.example", 421),
        ("127.0.0.1.evil.example:8000", 421),
        ("", 421),
    ):
        answer = TestClient(app).get("/search", headers={"Host": host})
        assert answer.status_code == status, host


def test_behind_tls_cookies_are_for_tls(make_served: Callable[..., Served]) -> None:
    served = make_served(secure=True)
    add_account(served.store, "anna")
    anna = served.visitor()
    anna.client = TestClient(application(served.lab), base_url="https://lab.example")
    assert "max-age=" in anna.load("/sign-in").headers["strict-transport-security"]
    answer = anna.send("/sign-in", name="anna", password=PASSWORD)
    assert re.match(
        r"__Host-inexlab-\w+=[\w-]+; Path=/; HttpOnly; SameSite=Lax; Secure$", answer.headers["set-cookie"]
    )
    assert anna.get("/topics").status_code == 200


def test_forms_have_a_size(served: Served) -> None:
    nobody = served.visitor()
    nobody.load("/sign-in")
    assert nobody.send("/sign-in", name="x" * 200_000, password="y").status_code == 413

    def endless() -> Iterator[bytes]:
        yield from [b"name=x&"] * 10

    sent = nobody.client.post(
        "/sign-in", content=endless(), headers={"Content-Type": "application/x-www-form-urlencoded"}
    )
    assert sent.status_code == 413


def test_without_a_database_there_is_nothing_to_sign_in_to(campaign: Files) -> None:
    client = TestClient(application(open_lab(campaign.index)))
    assert client.get("/search").status_code == 200
    for path in ("/sign-in", "/topics", "/admin", "/account", "/api/judgements/1/bees", "/judge/1/bees"):
        assert client.get(path).status_code == 404, path
    assert client.post("/sign-out").status_code in (404, 405)
    assert not client.cookies


def test_what_went_wrong_is_not_told(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = served.person("anna")

    def fail(*_: object) -> None:
        raise RuntimeError("a secret of the server")

    monkeypatch.setattr(served.store, "progress", fail)
    anna.client = TestClient(
        application(served.lab), raise_server_exceptions=False, cookies=anna.client.cookies
    )
    answer = anna.get("/topics")
    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert "What was saved is safe" in answer.text
    assert answer.headers["content-security-policy"] == POLICY
