"""What people do on the judging page: open it, drag over text, press keys, wait until it is saved."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any

from tests.browser.laboratory import Laboratory

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

_NAMES = (f"assessor{i}" for i in count())

# the boxes of the first and the last character of a quoted text
_BOXES = """(quote) => {
  const walker = document.createTreeWalker(document.getElementById("text"), NodeFilter.SHOW_TEXT);
  const nodes = [];
  while (walker.nextNode()) nodes.push(walker.currentNode);
  const whole = nodes.map((node) => node.data).join("");
  const at = whole.indexOf(quote);
  const place = (offset) => {
    for (const node of nodes) {
      if (offset < node.length) return [node, offset];
      offset -= node.length;
    }
  };
  const box = (offset) => {
    const [node, begin] = place(offset);
    const range = document.createRange();
    range.setStart(node, begin);
    range.setEnd(node, begin + 1);
    const { left, right, top, bottom } = range.getBoundingClientRect();
    return { left, right, middle: (top + bottom) / 2 };
  };
  const [first] = place(at);
  first.parentElement.scrollIntoView({ block: "center" });
  return [box(at), box(at + quote.length - 1)];
}"""


@dataclass
class Desk:
    """Somebody at the judging page."""

    lab: Laboratory
    name: str
    context: BrowserContext
    page: Page
    complaints: list[str]

    def open(self, document: str = "pools", topic: str = "1") -> Page:
        """Open the page of a document, and wait until it is ready."""
        self.page.goto(f"{self.lab.address}/judge/{topic}/{document}")
        self.ready()
        return self.page

    def ready(self) -> None:
        """Wait until the page is ready."""
        self.page.locator("body[data-ready]").wait_for()

    def drag(self, quote: str, *, right_to_left: bool = False, page: Page | None = None) -> None:
        """Drag the mouse over a text, from its first character to its last."""
        page = page or self.page
        page.bring_to_front()
        first, last = page.evaluate(_BOXES, quote)
        begin, end = ("right", "left") if right_to_left else ("left", "right")
        inward = -1 if right_to_left else 1
        page.mouse.move(first[begin] + inward, first["middle"])
        page.mouse.down()
        page.mouse.move((first[begin] + last[end]) / 2, last["middle"], steps=3)
        page.mouse.move(last[end] - inward, last["middle"], steps=3)
        page.mouse.up()
        self.settled(page)

    def drag_to_the_panel(self, quote: str) -> None:
        """Drag the mouse from the first character of a text to the panel beside it."""
        first, _last = self.page.evaluate(_BOXES, quote)
        panel = self.page.locator(".panel").bounding_box()
        assert panel is not None
        self.page.mouse.move(first["left"] + 1, first["middle"])
        self.page.mouse.down()
        self.page.mouse.move(panel["x"] + panel["width"] / 2, first["middle"], steps=5)
        self.page.mouse.up()
        self.settled()

    def settled(self, page: Page | None = None) -> None:
        """Wait until the page has done what follows the last event."""
        (page or self.page).evaluate("() => new Promise((done) => setTimeout(done, 1))")

    def click_on(self, quote: str) -> None:
        """Click into a text."""
        _first, last = self.page.evaluate(_BOXES, quote)
        self.page.mouse.click((last["left"] + last["right"]) / 2, last["middle"])
        self.settled()

    def press(self, *keys: str) -> None:
        """Press keys one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    def saved(self, state: str = "saved") -> None:
        """Wait until all is saved, or until the page says something else."""
        self.page.locator(f"#saved[data-state={state}]").wait_for()

    def said(self, document: str = "pools", topic: str = "1") -> list[str]:
        """Return what is highlighted, by the server's record."""
        return self.lab.said(self.name, topic, document)

    def assessment(self, document: str = "pools", topic: str = "1") -> Any:
        """Return what the server has of a document."""
        assert self.lab.store is not None
        return self.lab.store.assessment(self.name, topic, document)

    def saves(self) -> list[Any]:
        """Return all that was ever saved."""
        assert self.lab.store is not None
        return [entry for entry in self.lab.store.log() if entry.assessor == self.name]


def a_desk(lab: Laboratory, browser: Browser, **options: Any) -> Desk:
    """Return the desk of a new assessor, who has signed in."""
    name = next(_NAMES)
    lab.join(name)
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
    context.add_cookies([lab.cookie(name)])  # type: ignore[list-item]
    return watched(lab, name, context)


def watched(lab: Laboratory, name: str, context: BrowserContext) -> Desk:
    """Return a desk in a browser; whatever the page complains of is kept."""
    complaints: list[str] = []
    page = context.new_page()
    page.on("pageerror", lambda error: complaints.append(str(error)))

    def hear(message: ConsoleMessage) -> None:
        away = "Failed to load resource" in message.text  # of a server that is away
        if message.type in ("error", "warning") and not away:
            complaints.append(message.text)

    page.on("console", hear)
    return Desk(lab, name, context, page, complaints)
