"""The text of HTML pages is what a browser has: 30 pages of documentation packages of Debian."""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from inexlab.collection import read_document

if TYPE_CHECKING:
    from playwright.sync_api import Browser

DOCUMENTATION = Path("/usr/share/doc")
PAGES = 30
TEXT = """() => {
  const page = document.documentElement.cloneNode(true);
  for (const left_out of page.querySelectorAll("script, style, template")) left_out.remove();
  return page.textContent;
}"""


def pages() -> list[Path]:
    """Pages of as many packages as there are, one of each in turn, not the tiniest."""
    by_package: dict[str, list[Path]] = {}
    for page in sorted(DOCUMENTATION.glob("**/*.html")):
        if page.is_file() and page.stat().st_size > 1000:
            by_package.setdefault(page.relative_to(DOCUMENTATION).parts[0], []).append(page)
    in_turn = [page for group in zip_longest(*by_package.values()) for page in group if page is not None]
    return in_turn[:PAGES]


def test_the_text_is_what_chromium_has(browser: Browser) -> None:
    chosen = pages()
    if len(chosen) < PAGES:
        pytest.skip(f"there are only {len(chosen)} pages of documentation packages (such as git-doc) here")
    context = browser.new_context(java_script_enabled=False)
    different = []
    for path in chosen:
        page = context.new_page()
        page.goto(path.as_uri(), wait_until="domcontentloaded")
        expected = page.evaluate(TEXT)
        page.close()
        if read_document(path.read_bytes(), path.stem, path.name).text != expected:
            different.append(str(path))
    context.close()
    assert different == []
