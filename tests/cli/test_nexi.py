"""`inexlab nexi`: what a query says."""

from __future__ import annotations

import json
import re
import sys

import pytest

from .conftest import Command

QUERY = "//article[about(.,bees)]//(sec|p)[about(.//st, +'x y') and (.//yr>=1999 or .//au='Smith')]"


def test_for_people(call: Command) -> None:
    done = call("nexi", QUERY)
    assert done.code == 0
    assert done.notes == ["column 48: '+' stands alone and is ignored"]  # apostrophes are not quotes
    rows = [re.split(" {2,}", line.strip(), maxsplit=1) for line in done.out.splitlines()[2:]]
    assert rows == [
        [
            "query",
            "//article[about(., bees)]//(sec|p)[about(.//st, x y) and (.//yr >= 1999 or .//au = 'Smith')]",
        ],
        ["type", "CAS"],
        ["tree", "//article"],
        ["tree", "about(., bees)"],
        ["tree", "//(sec|p)"],
        ["tree", "and"],
        ["tree", "about(.//st, x y)"],
        ["tree", "or"],
        ["tree", ".//yr >= 1999"],
        ["tree", ".//au = 'Smith'"],
        ["target", "//article//(sec|p)"],
        ["support", "//article"],
        ["support", "//article//(sec|p)//st"],
        ["support", "//article//(sec|p)//yr"],
        ["support", "//article//(sec|p)//au"],
        ["child 1", "//article[about(., bees)]"],
        ["child 2", "//article//(sec|p)[about(.//st, x y)]"],
        ["child 3", "//article//(sec|p)[.//yr >= 1999]"],
        ["child 4", "//article//(sec|p)[.//au = 'Smith']"],
        ["combination", "1 and 2 and (3 or 4)"],
    ]


@pytest.mark.parametrize("output", ["table", "json", "csv", "markdown", "latex"])
def test_the_work_grows_with_the_query(call: Command, output: str) -> None:
    def calls(clauses: int) -> int:
        counted = 0

        def count(*_: object) -> None:
            nonlocal counted
            counted += 1

        query = " or ".join(f"about(.//p, w{i})" for i in range(clauses))
        sys.setprofile(count)
        try:
            assert call("nexi", f"//a[{query}]", "-o", output).code == 0
        finally:
            sys.setprofile(None)
        return counted

    calls(1)  # imports are not work on the query
    few, more, most = calls(50), calls(100), calls(200)
    assert most - more < 2.5 * (more - few)


def test_no_line_is_filled_to_the_width_of_the_query(call: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawing such tables is quadratic in the length of a query, in characters rather than calls."""
    monkeypatch.setitem(sys.modules, "rich.table", None)
    assert call("nexi", QUERY).code == 0


@pytest.mark.parametrize(
    ("query", "columns"),
    [
        ("x +", [3]),
        ("//a[about(., x + y)]", [16]),
        ("x &amp; y", [3]),
        ("x &amp; y - z", [3, 11]),
        ('"x & y" --z', [4, 9]),
        ("x) y", [2]),
        ("x, y; 'z'. (C++ C#) a/b +c -d e-f", []),
    ],
)
def test_a_symbol_that_means_nothing_is_named(call: Command, query: str, columns: list[int]) -> None:
    done = call("nexi", query)
    assert done.code == 0
    assert [int(note.split()[1].rstrip(":")) for note in done.notes] == columns


def test_for_programs(call: Command) -> None:
    message = json.loads(call("nexi", QUERY, "-o", "json").out)
    assert message["target"] == "//article//(sec|p)"
    assert message["support"][1] == "//article//(sec|p)//st"
    assert len(message["children"]) == 4
    assert message["combination"] == {"and": [0, 1, {"or": [2, 3]}]}
    assert message["tree"]["steps"][0] == {
        "axis": "//",
        "tags": ["article"],
        "clause": {"about": ".", "terms": [{"words": ["bees"], "sign": "", "phrase": False}]},
    }
    one, other = message["tree"]["steps"][1]["clause"]["and"][1]["or"]
    assert one == {"compare": "//yr", "operator": ">=", "value": "1999", "string": False}
    assert other == {"compare": "//au", "operator": "=", "value": "Smith", "string": True}


def test_a_single_clause_has_no_children(call: Command) -> None:
    message = json.loads(call("nexi", "//a//b[about(., x)]", "-o", "json").out)
    assert (message["children"], message["combination"], message["support"]) == ([], None, ["//a//b"])
    assert message["tree"]["steps"][0] == {"axis": "//", "tags": ["a"], "clause": None}


def test_keywords(call: Command) -> None:
    message = json.loads(call("nexi", 'bee +"waggle dance" -wasp', "-o", "json").out)
    assert message == {
        "query": 'bee +"waggle dance" -wasp',
        "type": "CO",
        "tree": {
            "terms": [
                {"words": ["bee"], "sign": "", "phrase": False},
                {"words": ["waggle", "dance"], "sign": "+", "phrase": True},
                {"words": ["wasp"], "sign": "-", "phrase": False},
            ]
        },
    }
    assert "tree    -wasp" in call("nexi", "bee -wasp").out


@pytest.mark.parametrize("output", ["csv", "tsv", "latex", "markdown"])
def test_other_formats(output: str, call: Command) -> None:
    done = call("nexi", "//a[about(., x)]", "-o", output)
    assert done.code == 0
    assert "target" in done.out


def test_a_mistake_is_pointed_at(call: Command) -> None:
    done = call("nexi", "//a[about(., x]//b")
    assert (done.code, done.out) == (2, "")
    assert done.err.splitlines() == [
        "inexlab: column 15: expected a term or ')', found ']'.",
        "  //a[about(., x]//b",
        "                ^",
    ]


def test_a_query_in_another_encoding(inexlab: Command) -> None:
    done = inexlab("nexi", "//a[about(., caf\udce9s)]")
    assert (done.code, done.err) == (0, "")
    assert "about(., caf\ufffds)" in done.out


def test_a_query_that_begins_with_a_sign(call: Command) -> None:
    assert json.loads(call("nexi", "-o", "json", "--", "-wasp").out)["tree"]["terms"][0]["sign"] == "-"


def test_an_unknown_format(call: Command) -> None:
    done = call("nexi", "bees", "-o", "yaml")
    assert (done.code, done.out) == (2, "")
    assert "unknown output format 'yaml'" in done.err
