"""The laboratory in a browser: the whole life of a topic, pages that everybody can use, texts as they are."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given

pytest.importorskip("uvicorn", reason="pages need the extra `web`")

from inexlab.collection.document import Document
from inexlab.collection.profile import guess_profile
from inexlab.web.rendering import render
from tests.browser.conftest import missing
from tests.browser.judging import watched
from tests.browser.laboratory import DOCUMENTS, PASSWORD, Laboratory
from tests.examples import examples
from tests.web.documents import documents

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

AXE = Path(sys.prefix) / "axe" / "node_modules" / "axe-core" / "axe.min.js"


@pytest.fixture(scope="module")
def reading_room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Laboratory]:
    """A reading room: nobody signs in, nothing is judged."""
    made = Laboratory(tmp_path_factory.mktemp("reading room"), DOCUMENTS, None)
    yield made
    made.close()


def test_the_life_of_a_topic_from_the_invitation_to_the_export(lab: Laboratory, browser: Browser) -> None:
    lab.join("chief", topics=[], role="administrator")
    with browser.new_context() as context:
        context.add_cookies([lab.cookie("chief")])  # type: ignore[list-item]
        chief = context.new_page()
        chief.goto(f"{lab.address}/admin/accounts")
        chief.get_by_label("Name").first.fill("grace")
        chief.get_by_role("button", name="Make a link").click()
        link = chief.locator("code", has_text="/join/").inner_text()
        chief.goto(f"{lab.address}/admin/assignments")
        with browser.new_context() as other:
            desk = watched(lab, "grace", other)
            page = desk.page
            page.goto(link)
            page.get_by_label("Password", exact=True).fill(PASSWORD)
            page.get_by_label("Password again").fill(PASSWORD)
            page.get_by_role("button", name="Open the account").click()
            page.get_by_role("heading", name="My topics").wait_for()
            chief.reload()
            chief.get_by_label("Assessor to add to topic 1").select_option("grace")
            chief.get_by_role("button", name="Add to topic 1").click()
            chief.get_by_role("button", name="take off grace from topic 1").wait_for()
            page.get_by_role("button", name="Sign out").click()
            page.get_by_label("Name").fill("grace")
            page.get_by_label("Password").fill(PASSWORD)
            page.get_by_role("button", name="Sign in").click()
            page.get_by_role("link", name="Begin topic 1").click()
            desk.ready()
            assert page.url.endswith("/judge/1/pools")
            desk.drag("shown to the assessor")
            desk.press("b", "d")
            desk.saved()
            desk.press("n")
            page.wait_for_url("**/judge/1/empty")
            desk.ready()
            desk.press("x")
            desk.saved()
            desk.press("n")
            page.wait_for_url("**/judge/1/third")
            desk.ready()
            desk.press("j", "j", "h", "d")
            desk.saved()
            page.get_by_role("link", name="Back to the topic").click()
            page.get_by_text("All documents of this topic are finished").wait_for()
            assert desk.complaints == []
        chief.goto(f"{lab.address}/admin/exchange")
        with chief.expect_download() as exported:
            chief.get_by_role("button", name="Export").click()
        lines = [json.loads(line) for line in exported.value.path().read_text(encoding="utf-8").splitlines()]
    judged = {line["doc"]: line for line in lines if line["topic"] == "1"}
    start, end = lab.place("pools", "shown to the assessor")
    assert judged["pools"]["spans"] == [[start, end]]
    assert judged["pools"]["bep"] == start
    assert judged["empty"]["spans"] == []
    assert len(judged["third"]["spans"]) == 1
    assert {line["assessor"]["name"] for line in judged.values()} == {"grace"}


def test_a_reader_searches_and_reads(reading_room: Laboratory, browser: Browser) -> None:
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        page = context.new_page()
        page.goto(reading_room.address)
        page.get_by_role("searchbox").fill("second paragraph")
        page.keyboard.press("Enter")
        page.get_by_role("heading", name="Of pools").wait_for()
        page.get_by_role("link", name="Building a pool › paragraph 2").click()
        page.wait_for_url("**/read/pools?*#found")  # a click does not wait for the page that it asks for
        assert "".join(page.locator("mark.found").all_text_contents()).startswith("A second paragraph")
        assert page.locator("mark.found").first.evaluate(
            """(mark) => {
              const { top, bottom } = mark.getBoundingClientRect();
              return top >= 0 && bottom <= innerHeight;
            }"""
        )
        assert "#found" in page.url
        page.get_by_role("navigation", name="Outline").get_by_role("link", name="Signs").click()
        assert page.locator("#text math mfrac").count() == 1
        assert page.evaluate("document.getElementById('text').textContent") == reading_room.text("pools")
        page.goto(f"{reading_room.address}/search?q=pool&by=nonsense")
        assert "nonsense" in page.get_by_role("alert").inner_text()
        page.goto(f"{reading_room.address}/read/nowhere")
        assert "There is no document" in page.get_by_role("alert").inner_text()


def violations(page: Page) -> list[str]:
    """Return what axe-core finds wrong with a page."""
    page.evaluate(AXE.read_text(encoding="utf-8") + "\n;0")
    found = page.evaluate('async () => (await axe.run({ resultTypes: ["violations"] })).violations')
    return [f"{page.url}: {v['id']}: {v['nodes'][0]['html'][:200]}" for v in found]


def test_axe_finds_nothing_wrong_with_any_page(
    lab: Laboratory, reading_room: Laboratory, browser: Browser
) -> None:
    if not AXE.exists():
        missing("needs axe-core: `make axe` installs it by npm")
    lab.join("boss", role="administrator")
    assert lab.store is not None
    wrong: list[str] = []
    start, end = lab.place("pools", "second paragraph")
    read = f"/read/pools?q=pool&start={start}&end={end}#found"
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        page = context.new_page()

        def look(*addresses: str) -> None:
            for address in addresses:
                page.goto(address)
                wrong.extend(violations(page))

        look(*(reading_room.address + path for path in ("/search", "/search?q=pool", read, "/read/nowhere")))
        invitation = lab.store.accounts.invite("", "assessor")
        look(f"{lab.address}/sign-in", f"{lab.address}/join/{invitation}")
        context.add_cookies([lab.cookie("boss")])  # type: ignore[list-item]
        desk = watched(lab, "boss", context)
        desk.open()
        for quote in ("second paragraph", "First item", "Faces"):
            desk.drag(quote)
        desk.press("b", "Escape")
        desk.click_on("second par")
        wrong += violations(desk.page)
        desk.press("Escape", "?")
        wrong += violations(desk.page)
        desk.press("Escape")
        desk.saved()
        mine = ("/judge/1/pools?view=marks", "/topics", "/topics/1", "/account")
        look(*(f"{lab.address}{path}" for path in mine))
        admin = ("", "/accounts", "/assignments", "/exchange", "/topics/1")
        look(*(f"{lab.address}/admin{path}" for path in admin))
        page.set_viewport_size({"width": 390, "height": 844})
        look(f"{lab.address}/judge/1/pools")
        page.emulate_media(color_scheme="dark")
        dark = ("/judge/1/pools", "/judge/1/pools?view=marks", "/topics/1", "/search?q=pool", read)
        look(*(f"{lab.address}{path}" for path in dark))
    assert wrong == []


IN_THE_PAGE = """async ([html, offsets]) => {
  const { PageText } = await import("/static/any/text.js");
  const root = document.createElement("div");
  root.innerHTML = html;
  document.body.append(root);
  const page = new PageText(root);
  const there = offsets.map((points) => {
    const place = page.range(page.fromPoints(points), page.fromPoints(points + 1));
    const back = (node, offset) => page.toPoints(page.offsetOf(node, offset));
    return [back(place.startContainer, place.startOffset), back(place.endContainer, place.endOffset)];
  });
  const whole = page.toPoints(page.offsetOf(root, root.childNodes.length));
  root.remove();
  return { text: page.text, there, whole };
}"""


def test_random_documents_are_in_chromium_what_they_are_here(
    reading_room: Laboratory, browser: Browser
) -> None:
    """The text of the page is the canonical text, and places in it are there and back the same."""
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{reading_room.address}/search")

        @examples(40)
        @given(documents())
        def check(document: Document) -> None:
            tags = document.elements.tags
            html = render(document, guess_profile(tags, tags[document.elements.tag[0]])).html()
            offsets = list(range(len(document.text)))
            found = page.evaluate(IN_THE_PAGE, [html, offsets])
            assert found["text"] == document.text
            assert found["there"] == [[offset, offset + 1] for offset in offsets]
            assert found["whole"] == len(document.text)

        check()
