"""Several threads that ask one index: each gets what it would get alone."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import inexlab
from inexlab.index import guide as guide_module
from inexlab.retrieval import listing, pruning, terms, unit
from tests.retrieval.trees import indexed

WORDS = ("bee", "wax", "hive")


@pytest.fixture(autouse=True)
def switching_often(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let threads take turns all the time, and let them forget nearly all that they know."""
    monkeypatch.setattr(pruning, "WORTH", 0)
    monkeypatch.setattr(terms, "_REMEMBERED", 2)
    monkeypatch.setattr(unit, "_REMEMBERED", 2)
    monkeypatch.setattr(guide_module, "_REMEMBERED", 2)
    monkeypatch.setattr(listing, "PASS", 1 << 40)
    monkeypatch.setattr(listing, "_LARGEST", 4)
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_results_do_not_depend_on_other_threads() -> None:
    texts = [
        f"<r><a><p>{one} {other} {k}</p></a><b>{other} {one} {one}</b><p>{one} of d{k}</p></r>"
        for k, (one, other) in enumerate((a, b) for a in WORDS for b in WORDS)
    ]
    asked = [
        (f"//{tag}[about(., {one} {other})]" if tag else f"{one} {other}", by)
        for tag in ("", "a", "p", "b")
        for one in WORDS
        for other in WORDS
        for by in ("elements:a,p", "auto")
    ]
    with indexed(*texts) as index:

        def ask(number: int) -> list[list[tuple[object, ...]]]:
            turned = asked[number * 18 :] + asked[: number * 18]
            found = {
                one: [tuple(hit) for hit in inexlab.search(index, one[0], 3, by=one[1])] for one in turned
            }
            return [found[one] for one in asked]

        alone = ask(0)
        with ThreadPoolExecutor(4) as pool:
            for together in pool.map(ask, range(4)):
                assert together == alone


class Forgetful(dict[Any, Any]):
    """What is known, of which another thread leaves out whatever was just found to be there."""

    def __contains__(self, key: object) -> bool:
        return self.pop(key, None) is not None


def test_what_another_thread_leaves_out_is_looked_up_again() -> None:
    with indexed("<r><a>bee wax</a> bee</r>") as index:
        index.kept.update(queries=Forgetful(), **{"units with": Forgetful(), "listed": Forgetful()})
        found = [list(inexlab.search(index, "//a[about(., bee)]", by="elements:a,r")) for _ in range(3)]
        assert found[0]
        assert found[0] == found[1] == found[2]
