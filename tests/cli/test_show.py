"""`inexlab show`: an element's text from the index alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inexlab.collection import open_collection
from tests.cli.conftest import HANDBOOK, Command


def test_a_document_and_an_element(call: Command, handbook_index: Path) -> None:
    text = open_collection(HANDBOOK / "articles")["pooling"].text
    assert call("show", handbook_index, "pooling").out.strip() == text.strip()
    done = call("show", handbook_index, "pooling", "/article[1]/body[1]/section[1]/title[1]")
    assert (done.code, done.out, done.err) == (0, "Building a pool\n", "")
    assert call("show", handbook_index, "pooling", "/article/body/section/title").out == "Building a pool\n"


def test_for_programs(call: Command, handbook_index: Path) -> None:
    text = open_collection(HANDBOOK / "articles")["pooling"].text
    done = call("show", handbook_index, "pooling", "/article[1]/body[1]/section[2]", "-o", "json")
    found = json.loads(done.out)
    assert found["title"] == "Pooling and the documents nobody read"
    assert found["path"] == "/article[1]/body[1]/section[2]"
    assert text[found["start"] : found["end"]] == found["text"]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["poolin"], "has no document 'poolin'; did you mean 'pooling'?"),
        (["pooling", "/article[1]/body[2]"], "document pooling has no element /article[1]/body[2]."),
        (["pooling", "no path"], "document pooling has no element no path."),
        (["pooling", "-o", "xml"], "unknown output format 'xml'"),
    ],
)
def test_what_is_not_there(call: Command, handbook_index: Path, arguments: list[str], complaint: str) -> None:
    done = call("show", handbook_index, *arguments)
    assert (done.code, done.out) == (2, "")
    assert complaint in done.err
