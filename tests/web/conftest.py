"""A laboratory that is open for a test, in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from httpx2 import Response
from starlette.testclient import TestClient

from inexlab.assess.store import Store, open_store
from inexlab.web.app import application
from inexlab.web.lab import Lab
from inexlab.web.opening import open_lab
from tests.web.campaign import Files, add_account, make_files, sign_in, token_in


@dataclass
class Person:
    """Somebody with a browser, who may be signed in."""

    client: TestClient
    csrf: str = ""

    def get(self, path: str, **options: Any) -> Response:
        return self.client.get(path, **{"follow_redirects": False, **options})

    def send(self, path: str, **fields: Any) -> Response:
        """Send a form."""
        return self.client.post(path, data={"csrf": self.csrf, **fields}, follow_redirects=False)

    def save(self, topic: str, document: str, **given: Any) -> Response:
        """Save a judgement, of nothing unless said otherwise."""
        body = {"save": "k", "base": 0, "highlights": [], "best_entry": None, "status": "in progress"} | given
        headers = {"X-CSRF-Token": self.csrf}
        return self.client.post(f"/api/judgements/{topic}/{document}", json=body, headers=headers)

    def load(self, path: str) -> Response:
        """Open a page as somebody who has not signed in, and keep its token."""
        found = self.get(path)
        self.csrf = token_in(found.text)
        return found


@dataclass
class Served:
    """An open laboratory, whose clock stands still unless a test moves it."""

    lab: Lab
    store: Store
    now: list[float]

    def visitor(self) -> Person:
        """Return somebody who has not signed in."""
        return Person(TestClient(application(self.lab)))

    def person(self, name: str, role: str = "assessor") -> Person:
        """Return somebody who is signed in."""
        account = self.store.accounts.find(name) or add_account(self.store, name, role)
        person = self.visitor()
        person.csrf = sign_in(self.lab, person.client, account)
        return person

    def text(self, document: str) -> str:
        found = self.lab.document(document)
        assert found is not None
        return found.text

    def highlight(self, document: str, start: int, end: int) -> dict[str, Any]:
        return {"start": start, "end": end, "quote": self.text(document)[start:end]}


@pytest.fixture(scope="session")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """The files of a campaign, for all tests of a process."""
    return make_files(tmp_path_factory.mktemp("campaign"))


@pytest.fixture(scope="session")
def reading_room(campaign: Files) -> Lab:
    """What there is to show, without a database."""
    return open_lab(campaign.index, pool=campaign.pool, topics=[campaign.topics])


@pytest.fixture
def make_served(reading_room: Lab, tmp_path: Path) -> Iterator[Callable[..., Served]]:
    opened: list[Store] = []

    def make(**options: Any) -> Served:
        lab = replace(reading_room, **options)
        now = [1_000_000.0]
        store = open_store(tmp_path / "judged.db", lab.pool, clock=lambda: now[0], cheap_passwords=True)
        opened.append(store)
        return Served(replace(lab, store=store), store, now)

    yield make
    for store in opened:
        store.close()


@pytest.fixture
def served(make_served: Callable[..., Served]) -> Served:
    """A laboratory with a new database."""
    return make_served()
