"""`inexlab nexi`: what a query says."""

from __future__ import annotations

import json

import pytest

from .conftest import Command

QUERY = "//article[about(.,bees)]//(sec|p)[about(.//st, +'x y') and (.//yr>=1999 or .//au='Smith')]"


def test_for_people(call: Command) -> None:
    done = call("nexi", QUERY)
    assert (done.code, done.err) == (0, "")
    rows = [line.strip().split(maxsplit=1) for line in done.out.splitlines()[2:]]
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
        ["child", "//article[about(., bees)]"],
        ["child", "//article//(sec|p)[about(.//st, x y)]"],
        ["child", "//article//(sec|p)[.//yr >= 1999]"],
        ["child", "//article//(sec|p)[.//au = 'Smith']"],
    ]


def test_for_programs(call: Command) -> None:
    said = json.loads(call("nexi", QUERY, "-o", "json").out)
    assert said["target"] == "//article//(sec|p)"
    assert said["support"][1] == "//article//(sec|p)//st"
    assert len(said["children"]) == 4
    assert said["or"] is True
    assert said["tree"]["steps"][0] == {
        "axis": "//",
        "tags": ["article"],
        "clause": {"about": ".", "terms": [{"words": ["bees"], "sign": "", "phrase": False}]},
    }
    one, other = said["tree"]["steps"][1]["clause"]["and"][1]["or"]
    assert one == {"compare": "//yr", "operator": ">=", "value": "1999", "string": False}
    assert other == {"compare": "//au", "operator": "=", "value": "Smith", "string": True}


def test_a_single_clause_has_no_children(call: Command) -> None:
    said = json.loads(call("nexi", "//a//b[about(., x)]", "-o", "json").out)
    assert (said["children"], said["or"], said["support"]) == ([], False, ["//a//b"])
    assert said["tree"]["steps"][0] == {"axis": "//", "tags": ["a"], "clause": None}


def test_keywords(call: Command) -> None:
    said = json.loads(call("nexi", 'bee +"waggle dance" -wasp', "-o", "json").out)
    assert said == {
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
