"""A small campaign to serve: an index, topics, a pool with a plan, and people who are signed in."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from starlette.testclient import TestClient

from inexlab.assess.accounts import Account
from inexlab.assess.store import Store
from inexlab.index.build import build_index
from inexlab.web.guard import Visitor, cookie_name
from inexlab.web.lab import Lab

ARTICLES = {
    "bees": "<article><title>Bees</title><sec><p>Honey bees dance. They dance to tell.</p></sec></article>",
    "wasps": "<article><title>Wasps</title><p>Wasps &amp; bees: \N{HONEYBEE} café.</p></article>",
    "sub/ants": "<article><title>&lt;script>alert(1)&lt;/script></title><p>Ants march.</p></article>",
    "moths": "<article><p>Moths fly at night, and nobody pooled them.</p></article>",
}
TOPICS = """\
<inex-topics>
<topic id="1"><title>bees that dance</title><castitle>//p[about(., bees)]</castitle>
<description>How bees &lt;script&gt;dance&lt;/script&gt;.</description>
<narrative>All about dances.</narrative></topic>
<topic id="2"><title>insects</title><description>Any insect.</description>
<narrative>Six legs.</narrative></topic>
</inex-topics>
"""
POOLED = {"1": ("bees", "wasps", "sub/ants"), "2": ("wasps", "bees")}
PLAN = {"1": ("anna", "bob"), "2": ("anna",)}
PASSWORD = "a long enough password"


@dataclass(frozen=True)
class Files:
    """Where the files of a campaign are."""

    index: Path
    pool: Path
    topics: Path
    db: Path


def make_files(
    folder: Path,
    plan: Mapping[str, tuple[str, ...]] = PLAN,
    pooled: Mapping[str, tuple[str, ...]] = POOLED,
) -> Files:
    """Write a campaign into a folder; the database is not there yet."""
    found = Files(folder / "index", folder / "pool.jsonl", folder / "topics.xml", folder / "judged.db")
    build_index([(id, f"{id}.xml", text.encode()) for id, text in ARTICLES.items()], found.index)
    found.topics.write_text(TOPICS)
    rows = [
        {"topic": topic, "doc": doc, "hints": [[0, 4]], "runs": ["r"], "assessors": list(plan.get(topic, ()))}
        for topic, docs in pooled.items()
        for doc in docs
    ]
    found.pool.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return found


def add_account(store: Store, name: str, role: str = "assessor") -> Account:
    """Make an account with the usual password."""
    return store.accounts.join(store.accounts.invite(name, role), "", PASSWORD)


def sign_in(lab: Lab, client: TestClient, account: Account) -> str:
    """Sign a client in, without the form, and return the token for what it sends."""
    assert lab.store is not None
    token = lab.store.sessions.begin(account)
    client.cookies.set(cookie_name(lab), token)
    return Visitor(token).csrf()


def token_in(page: str) -> str:
    """Return the token that a page carries."""
    found = re.search(r'<meta name="csrf-token" content="([^"]+)">', page)
    assert found
    return found[1]
