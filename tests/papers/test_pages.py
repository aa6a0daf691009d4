"""Every page is followed to its end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import PAGES


@pytest.mark.parametrize("page", sorted(p.stem for p in PAGES.glob("*.md") if p.stem != "README"))
def test_a_page_is_followed_to_its_end(followed: Callable[[str], Path], page: str) -> None:
    followed(page)
