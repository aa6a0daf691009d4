"""The judging page in Chromium: marks by mouse and by key, what it tells, and what it saves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

pytest.importorskip("uvicorn", reason="pages need the extra `web`")

from tests.browser.judging import Desk, a_desk
from tests.browser.laboratory import Laboratory

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def test_the_text_of_the_page_is_the_canonical_text(desk: Desk) -> None:
    page = desk.open()
    assert page.evaluate("document.getElementById('text').textContent") == desk.lab.text("pools")
    assert page.title().startswith("pool assessor: Of pools")  # and not what the script in the text says
    assert page.locator("#text script").count() == 0


def test_text_is_highlighted_by_dragging_across_elements(desk: Desk) -> None:
    page = desk.open()
    before = page.evaluate("document.getElementById('text').outerHTML")
    for quote in (
        "of a topic is what is shown to the assessor.\nIt is",  # through nested inline mark-up
        "pool of a topic is what is shown to the assessor.\nIt is small.\nA second paragraph",
        "two sentences, and a link.\nFirst item of a list.\nSecond item",
        "score\none0.5two0.25",  # cells of a table
    ):
        desk.drag(quote)
        desk.saved()
        assert desk.said() == [quote]
        assert page.evaluate("getSelection().isCollapsed")
        desk.press("u")
    desk.drag_to_the_panel("second paragraph")  # beside the text, what is nearest is the end
    desk.saved()
    assert desk.said() == ["second paragraph says more. It has two sentences, and a link."]
    assert page.evaluate("document.getElementById('text').outerHTML") == before


def test_text_is_highlighted_on_a_touch_screen(lab: Laboratory, browser: Browser) -> None:
    """What is selected there is highlighted by a button; a tap on a highlight chooses it."""
    desk = a_desk(lab, browser, has_touch=True, is_mobile=True)
    page = desk.open()
    page.evaluate(
        """() => {
          const node = document.querySelector("#text p:nth-of-type(2)").firstChild;
          getSelection().setBaseAndExtent(node, 2, node, 18);
        }"""
    )
    page.locator("body.selecting #highlight").tap()
    desk.saved()
    assert desk.said() == ["second paragraph"]
    box = page.locator("#text p:nth-of-type(2)").first.bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + 60, box["y"] + 10)
    page.get_by_role("toolbar", name="Chosen highlight").wait_for()
    desk.context.close()
    assert desk.complaints == []


def test_signs_of_all_scripts_are_highlighted_as_they_are(desk: Desk) -> None:
    desk.open()
    quotes = ["😀😃", "cafe\u0301 and nai\u0308ve", '<script>document.title = "hacked"</script> &amp;']
    for quote in quotes:
        desk.drag(quote)
    desk.drag("הבאים אל", right_to_left=True)
    desk.saved()
    assert desk.said() == [*quotes, "הבאים אל"]
    desk.open()  # what was saved is painted where it was
    painted = desk.page.evaluate(
        """[...CSS.highlights.get("mine")].map((range) => {
          const live = document.createRange();
          live.setStart(range.startContainer, range.startOffset);
          live.setEnd(range.endContainer, range.endOffset);
          return live.toString();
        })"""
    )
    assert sorted(painted) == sorted([*quotes, "הבאים אל"])


def test_a_highlight_is_chosen_changed_and_removed_by_mouse(desk: Desk) -> None:
    page = desk.open()
    desk.drag("second paragraph")
    assert page.locator("#tools").is_hidden()  # it covers text, so it has to be asked for
    desk.click_on("second par")
    page.get_by_role("toolbar", name="Chosen highlight").wait_for()
    page.get_by_role("button", name="End later").click()
    page.locator("#step").select_option("word")
    page.get_by_role("button", name="Start earlier").click()
    desk.saved()
    assert desk.said() == ["A second paragraph says more."]
    handle = page.locator("#handle-end").bounding_box()
    assert handle is not None
    page.mouse.move(handle["x"] + 12, handle["y"] + 10)
    page.mouse.down()
    page.mouse.move(handle["x"] + 60, handle["y"], steps=4)
    page.mouse.up()
    desk.saved()
    [longer] = desk.said()
    assert longer.startswith("A second paragraph says more. It")
    page.get_by_role("button", name="Remove", exact=True).click()
    desk.saved()
    assert desk.said() == []
    assert page.locator("#tools").is_hidden()


def test_selected_text_is_taken_out_of_a_highlight(desk: Desk) -> None:
    desk.open()
    desk.drag("A second paragraph says more.")
    desk.press("Escape")
    desk.drag("paragraph")
    desk.press("r")
    desk.saved()
    assert desk.said() == ["A second ", " says more."]


def test_everything_can_be_done_by_key(desk: Desk) -> None:
    page = desk.open()
    page.keyboard.press("Tab")
    page.locator("#text").focus()
    desk.press("j", "j", "j")  # the title of the document, that of the section, the first sentence
    assert page.locator("#live").inner_text().startswith("The pool of a topic")
    desk.press("h")
    desk.saved()
    assert desk.said() == ["The pool of a topic is what is shown to the assessor."]
    desk.press("e", "ArrowRight", "1", "ArrowLeft", "ArrowLeft")
    desk.saved()
    assert desk.said() == ["The pool of a topic is what is shown to the assessor.\nIt is"]
    desk.press("s", "ArrowRight", "3", "e", "ArrowRight", "ArrowRight")
    desk.saved()
    [said] = desk.said()
    assert said.startswith("pool of a topic")
    assert said.endswith("and a link.")
    desk.press("w")
    desk.saved()
    [said] = desk.said()
    assert said.startswith("Building a pool\nThe pool")
    assert said.endswith("Second item of a list.")
    desk.press("b", "d")
    desk.saved()
    done = desk.assessment()
    assert (done.status, done.best_entry) == ("done", desk.lab.place("pools", "Building")[0])
    desk.press("r", "Shift+b")
    desk.saved()
    assert (desk.said(), desk.assessment().best_entry) == ([], None)
    desk.press("Escape", "2", "j", "Shift+ArrowRight", "h")
    desk.saved()
    assert len(desk.said()) == 1
    desk.press("x")
    desk.saved()
    irrelevant = desk.assessment()
    assert (irrelevant.status, irrelevant.highlights) == ("irrelevant", ())
    desk.press("n")
    page.wait_for_url("**/judge/1/empty")


def test_what_is_done_is_undone_and_done_again(desk: Desk) -> None:
    page = desk.open()
    desk.drag("second paragraph")
    desk.drag("First item")
    desk.press("x", "u")
    desk.saved()
    assert desk.said() == ["second paragraph", "First item"]
    desk.press("Control+z", "u", "u")
    desk.saved()
    assert desk.said() == []
    assert desk.assessment().status == "unassessed"
    assert page.locator("#undo").is_disabled()
    desk.press("Shift+u", "Control+y")
    desk.saved()
    assert desk.said() == ["second paragraph", "First item"]


def test_single_keys_can_be_switched_off(desk: Desk) -> None:
    page = desk.open()
    desk.press("?")
    page.get_by_role("dialog", name="Keys").wait_for()
    page.get_by_label("Single keys are on").uncheck()
    page.get_by_role("button", name="Close").click()
    desk.press("x")
    assert page.locator("#status").inner_text() == "unassessed"
    page.reload()
    desk.ready()
    desk.press("x")
    assert page.locator("#status").inner_text() == "unassessed"


def test_query_words_and_hints_are_painted_and_switched_off(desk: Desk) -> None:
    page = desk.open()
    page.wait_for_timeout(100)
    sizes = "['term', 'hint'].map((kind) => CSS.highlights.get(kind).size)"
    assert page.evaluate(sizes) == [4, 1]  # pools, pool, pool, assessor
    desk.press("t")
    assert page.evaluate(sizes) == [0, 0]
    page.reload()
    desk.ready()
    assert page.evaluate(sizes) == [0, 0]
    desk.press("t", "p")
    assert "what is shown" in page.locator("#live").inner_text()


def test_the_accessibility_tree_names_every_highlight(desk: Desk) -> None:
    page = desk.open()
    for quote in ("second paragraph", "First item", "😀😃"):
        desk.drag(quote)
    tree = page.locator("body").aria_snapshot()
    for line in (
        'button "Highlight 1: second paragraph"',
        'button "Highlight 2: First item"',
        'button "Highlight 3: 😀😃"',
    ):
        assert line in tree
    assert "Highlighted: 😀😃. 3 highlights." in tree  # told as it happens
    desk.saved()
    page.get_by_role("link", name="Read with highlights as marks").click()
    page.wait_for_url("**/judge/1/pools?view=marks")
    assert page.locator("article mark").all_text_contents() == ["second paragraph", "First item", "😀😃"]


def test_a_page_of_somebody_else_is_not_shown(desk: Desk, lab: Laboratory) -> None:
    lab.join("stranger", topics=["2"])
    desk.context.clear_cookies()
    desk.context.add_cookies([lab.cookie("stranger")])  # type: ignore[list-item]
    answer = desk.page.goto(f"{lab.address}/judge/1/pools")
    assert answer is not None
    assert answer.status == 403


def test_two_hundred_marks_leave_the_dom_as_it_was(desk: Desk) -> None:
    page = desk.open("third")
    before = page.evaluate("document.getElementById('text').outerHTML")
    page.evaluate(
        """() => {
          const event = (key) => new KeyboardEvent("keydown", { key, bubbles: true });
          const press = (key) => document.body.dispatchEvent(event(key));
          press("1");
          press("j");
          for (let i = 0; i < 200; i += 1) ["h", "Escape", "j", "j"].forEach(press);
        }"""
    )
    desk.saved()
    assert len(desk.said("third")) == 200
    assert page.evaluate("document.getElementById('text').outerHTML") == before
