"""`inexlab measures`: the list, and the manual page of one measure."""

from __future__ import annotations

import json
import re

import pytest

from inexlab.measures.measure import definitions, parse

from .conftest import Command


def test_the_list_shows_every_measure_once(inexlab: Command) -> None:
    done = inexlab("measures")
    assert (done.code, done.err) == (0, "")
    table, _, advice = done.out.partition("\n\n")
    shown = [re.split(r"[\s(@\[]", line)[0] for line in table.splitlines() if not line.startswith(" ")]
    assert shown == list(definitions)
    assert {"iP", "MAiP", "gP", "gR", "MAgP", "SpanP", "SpanR", "num_ret", "HiXEvalP"} <= set(shown)
    assert advice.startswith("`inexlab measures NAME`")


def test_a_page_has_formula_source_parameters_and_example(inexlab: Command) -> None:
    done = inexlab("measures", "MAgP")
    assert (done.code, done.err) == (0, "")
    for part in (
        "AgP  = sum of gP@r over the ranks r with a relevant document",
        "Source: INEX 2007-2010; Cherukuri (2010)",
        "Cherukuri (2010): R. Cherukuri. Significance Testing",
        "  beta: weight of recall in F, with score=F; default 1\n",
        "  n: characters from the best entry point where the score reaches 0, with score=BEP; default 500\n",
        "Example: ",
        "Over all topics: the mean over topics.\n",
    ):
        assert part in done.out


@pytest.mark.parametrize("name", list(definitions))
def test_every_page_is_complete(call: Command, name: str) -> None:
    page = call("measures", name).out
    assert page.startswith(name)
    assert "\nSource: " in page
    assert "\nExample: " in page
    assert ("Over all topics: the sum" in page) == (
        name in ("num_ret", "num_rel", "num_rel_ret") or "_size" in name
    )


@pytest.mark.parametrize("form", ["gP@10", "gP(score=BEP,n=500)@10"])
def test_a_full_name_leads_to_the_same_page(call: Command, form: str) -> None:
    assert call("measures", form) == call("measures", "gP")


def test_json_lists_what_the_pages_say(inexlab: Command) -> None:
    done = inexlab("measures", "-o", "json")
    assert (done.code, done.err) == (0, "")
    rows = json.loads(done.out)
    assert [row["name"] for row in rows] == list(definitions)
    by_name = {row["name"]: row for row in rows}
    assert by_name["MAgP"]["parameters"]["n"]["default"] == "500"
    assert by_name["MAgP"]["total"] == "mean"
    assert by_name["ret_size"]["total"] == "sum"
    assert all(row["doc"].startswith(row["summary"]) for row in rows)


def test_json_of_one_measure(call: Command) -> None:
    (row,) = json.loads(call("measures", "iP", "-o", "json").out)
    assert row["name"] == "iP"
    assert str(parse(row["form"])) == row["form"] == "iP@0.01"


@pytest.mark.parametrize(
    ("asked", "nearest"), [("MAIP", "MAiP"), ("MagP", "MAgP"), ("spanp", "SpanP"), ("num_rell", "num_rel")]
)
def test_an_unknown_name_gets_the_nearest_one(inexlab: Command, asked: str, nearest: str) -> None:
    done = inexlab("measures", asked)
    assert (done.code, done.out) == (2, "")
    assert len(done.notes) == 1
    assert done.notes[0].startswith(
        f"unknown measure {asked!r}; did you mean {nearest!r}? Known: Article, Aspects, Ceiling, "
    )


def test_an_unknown_output_format_is_refused(call: Command) -> None:
    done = call("measures", "-o", "jsn")
    assert (done.code, done.out) == (2, "")
    assert done.notes == ["unknown output format 'jsn'; did you mean 'json'? Known: table, json."]
