"""`inexlab search`: what people and programs see, and what is said where nothing can be found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Command


def test_for_people(call: Command, handbook_index: Path) -> None:
    done = call("search", handbook_index, "pooling documents nobody read -overlap", "-k", "2")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0].startswith("  1  ")
    assert "Pooling and the documents nobody read" in lines[0]
    assert lines[1].split() == ["pooling", "/article[1]/header[1]/title[1]"]
    assert "*Pooling* and the *documents* *nobody* *read*" in lines[2]
    assert lines[4].startswith("  2  ")
    assert len(lines) == 8
    assert not done.err


def test_the_way_to_a_section(call: Command, handbook_index: Path) -> None:
    done = call("search", handbook_index, "round robin target", "-k", "1")
    assert " › Building a pool" in done.out


def test_for_programs(call: Command, handbook_index: Path) -> None:
    query = "//section[about(., pooling)]"
    done = call("search", handbook_index, query, "--interpretation", "SVCAS", "-k", "3", "-o", "json")
    found = json.loads(done.out)
    assert [hit["rank"] for hit in found] == [1, 2, 3]
    assert all("/section[" in hit["path"].rpartition("/")[2] or "/section[" in hit["path"] for hit in found)
    assert {"rank", "score", "doc", "title", "path", "way", "start", "end", "snippet", "marks"} == set(
        found[0]
    )
    for hit in found:
        shown = call("show", handbook_index, hit["doc"], hit["path"], "-o", "json")
        assert json.loads(shown.out)["start"] == hit["start"]


@pytest.mark.parametrize(
    "task", ["thorough", "focused", "fetch-browse", "relevant-in-context", "best-in-context"]
)
def test_tasks(call: Command, handbook_index: Path, task: str) -> None:
    done = call("search", handbook_index, "assessor", "--task", task, "--model", "lm-jm", "-o", "json")
    assert 0 < len(json.loads(done.out)) <= 10


@pytest.mark.parametrize(
    ("query", "note"),
    [
        ("xylophone", "nothing found: the index has no word of the query"),
        ("the of", "nothing found: the index has no word of the query"),
        ("-pooling", "nothing found"),
        ("//nothing[about(., pooling)]", "nothing found"),
    ],
)
@pytest.mark.parametrize("output", ["table", "json"])
def test_nothing_found(call: Command, handbook_index: Path, query: str, note: str, output: str) -> None:
    done = call("search", handbook_index, "--interpretation", "SSCAS", "-o", output, "--", query)
    assert done.code == 0
    assert done.out.strip() == ("[]" if output == "json" else "")
    assert done.notes == [note]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["x", "--model", "bm52"], "unknown retrieval model 'bm52'; did you mean 'bm25'?"),
        (["x", "--model", "bm25(k=1)"], "unknown parameter of bm25 'k'"),
        (["pool", "--model", "bm25(b=3)"], "bm25 wants k1 from 0 on and b from 0 to 1"),
        (["x", "--task", "focussed"], "unknown task 'focussed'; did you mean 'focused'?"),
        (["x", "--overlap", "parent"], "unknown way to remove overlap 'parent'"),
        (["//a[about(., x)]", "--interpretation", "SS"], "unknown interpretation 'SS'"),
        (["x", "-o", "xml"], "unknown output format 'xml'"),
        (["x", "-k", "0"], "--count"),
    ],
)
def test_what_cannot_be_used(
    call: Command, handbook_index: Path, arguments: list[str], complaint: str
) -> None:
    done = call("search", handbook_index, *arguments)
    assert done.code == 2
    assert complaint in done.err
    assert not done.out


def test_a_mistake_in_nexi_is_pointed_at(call: Command, handbook_index: Path) -> None:
    done = call("search", handbook_index, "//a[about(., x)")
    assert done.code == 2
    assert done.err.splitlines()[1:] == ["  //a[about(., x)", "                 ^"]


def test_no_index(call: Command, tmp_path: Path) -> None:
    done = call("search", "nowhere", "x")
    assert (done.code, "no such index" in done.err) == (2, True)
    done = call("search", tmp_path, "x")
    assert (done.code, "it has no manifest" in done.err) == (2, True)
