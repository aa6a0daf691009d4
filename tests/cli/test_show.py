"""`inexlab show`: an element's text from the index alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inexlab.collection import open_collection
from tests.cli.conftest import HANDBOOK, Command, Write


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
        (["pooling", "/article[1]/body[2]"], "document pooling has /article[1], but no body[2] in it."),
        (
            ["pooling", "/article/body/section[9]/p[1]"],
            "document pooling has /article[1]/body[1], but no section[9] in it.",
        ),
        (
            ["pooling", "/book[1]/p[1]"],
            "document pooling has no element /book[1]/p[1]; its root is /article[1].",
        ),
        (
            ["pooling", "no path"],
            "'no path' is not the path of an element, such as /article[1]/body[1]/sec[2].",
        ),
        (["pooling", "//section"], "'//section' is not the path of an element"),
        (["pooling", "/article[1]/text()[1]"], "'/article[1]/text()[1]' is not the path of an element"),
        (["pooling", "-o", "xml"], "unknown output format 'xml'"),
    ],
)
def test_what_is_not_there(call: Command, handbook_index: Path, arguments: list[str], complaint: str) -> None:
    done = call("show", handbook_index, *arguments)
    assert (done.code, done.out) == (2, "")
    assert complaint in done.err


def test_what_only_tags_part_is_parted(call: Command, write: Write) -> None:
    section = "<sec><title>Wax</title><p>H<sub>2</sub>O (<b>x</b>), y.</p><p>End</p></sec>"
    write("bees.xml", f"<article><front><title>Bees</title></front><body>{section}</body></article>")
    for profile, shown in (
        ("jats", "Bees\nWax\nH2O (x), y.\nEnd\n"),
        ("plain", "Bees Wax H 2 O (x), y. End\n"),
    ):
        assert call("index", "bees.xml", "--profile", profile, "--out", profile).code == 0
        assert call("show", profile, "bees").out == shown
        assert json.loads(call("show", profile, "bees", "-o", "json").out)["text"] == "BeesWaxH2O (x), y.End"
