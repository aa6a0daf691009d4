"""Runs of several tasks scored together: the task of each stands beside it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from .conftest import Command, Write
from .graded_campaign import RUNS, submission, write_campaign

BY = ("-m", "nxCG(quant=gen5)@1")


@pytest.fixture(autouse=True)
def campaign(write: Write) -> None:
    write_campaign(write)
    write("b.xml", submission("b", "Bx").replace('task="CO.Thorough"', 'task="CO.Focussed"'))


def test_evaluate_names_the_task_of_each_run(call: Command) -> None:
    rows = csv.DictReader(io.StringIO(call("evaluate", "pool", *RUNS, *BY, "-o", "csv").out))
    assert [(row["run"], row["submitted to"]) for row in rows] == [
        ("a", "CO.Thorough"),
        ("b", "CO.Focussed"),
        ("c", "CO.Thorough"),
    ]
    records = json.loads(call("evaluate", "pool", *RUNS, *BY, "-q", "-o", "json").out)
    assert {(r["run"], r["submitted to"]) for r in records} >= {("b", "CO.Focussed"), ("c", "CO.Thorough")}
    for output in ("table", "markdown", "latex"):
        text = call("evaluate", "pool", *RUNS, *BY, "-o", output, env={"COLUMNS": "150"}).out
        assert "submitted to" in text
        [line] = [line for line in text.splitlines() if "CO.Focussed" in line]
        assert line.strip("| ").startswith("b")


def test_compare_names_the_task_of_each_system(call: Command) -> None:
    for output in ("table", "markdown", "latex"):
        asked = ("compare", "pool", *RUNS, *BY, "--test", "t", "-o", output)
        text = call(*asked, env={"COLUMNS": "150"}).out
        assert text.count("CO.Focussed") == 1
    found = json.loads(call("compare", "pool", *RUNS, *BY, "--test", "t", "-o", "json").out)
    assert {s["system"]: s["submitted to"] for s in found["systems"]}["b"] == "CO.Focussed"


def test_pairs_for_programs_name_the_tasks_of_both(call: Command) -> None:
    asked = ("compare", "pool", *RUNS, *BY, "--test", "t")
    tasks = {"a": "CO.Thorough", "b": "CO.Focussed", "c": "CO.Thorough"}
    for output, separator in (("csv", ","), ("tsv", "\t")):
        rows = list(csv.DictReader(io.StringIO(call(*asked, "-o", output).out), delimiter=separator))
        assert len(rows) == 6
        for row in rows:
            assert (row["a submitted to"], row["b submitted to"]) == (tasks[row["a"]], tasks[row["b"]])
    for pair in json.loads(call(*asked, "-o", "json").out)["pairs"]:
        assert (pair["a submitted to"], pair["b submitted to"]) == (tasks[pair["a"]], tasks[pair["b"]])
    against = call(*asked, "--baseline", "a", "-o", "markdown").out
    assert against.count("| b | CO.Focussed |") == 2  # among the systems, and against the baseline


def test_other_verbs_that_list_runs_name_their_tasks(call: Command, tmp_path: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(call("profile", *RUNS, "-o", "csv").out)))
    assert [(row["run"], row["submitted to"]) for row in rows][1] == ("b", "CO.Focussed")
    assert "submitted to" not in call("profile", "a.xml", "c.xml", "-o", "csv").out
    notes = call("ttest", "pool", "a.xml", "b.xml", *BY).notes
    assert "b (submitted to CO.Focussed) against a (submitted to CO.Thorough), one-tailed" in notes
    assert "c against a, one-tailed" in call("ttest", "pool", "a.xml", "c.xml", *BY).notes
    assert call("report", "pool", *RUNS, *BY, "--resamples", "20", "--out", "r.html").code == 0
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert '"submitted":["CO.Thorough","CO.Focussed","CO.Thorough"]' in page.replace(", ", ",").replace(
        ": ", ":"
    )


def test_the_results_of_a_campaign_name_it_where_tasks_are_mixed(call: Command, write: Write) -> None:
    judgements = '[judgements]\nall = "pool"\n'
    task = '[tasks.{}]\nmeasures = ["nxCG(quant=gen5)@1"]\nruns = [{}]\n'
    write(
        "c.toml",
        judgements + task.format("mixed", '"a.xml", "b.xml"') + task.format("one", '"a.xml", "c.xml"'),
    )
    table = call("evaluate", "--campaign-file", "c.toml", "--all-runs", "-o", "markdown").out
    mixed, one = table.split("**one")
    assert "submitted to" in mixed
    assert "submitted to" not in one
    rows = csv.DictReader(io.StringIO(call("evaluate", "--campaign-file", "c.toml", "-o", "csv").out))
    assert {(row["task"], row["run"]): row["submitted to"] for row in rows} == {
        ("mixed", "a"): "CO.Thorough",
        ("mixed", "b"): "CO.Focussed",
        ("one", "a"): "CO.Thorough",
        ("one", "c"): "CO.Thorough",
    }
    latex = call("evaluate", "--campaign-file", "c.toml", "--all-runs", "-o", "latex", "--test", "none").out
    assert r"b & CO.Focussed & 0.5833" in latex


def test_runs_of_one_task_have_no_such_column(call: Command) -> None:
    out = call("evaluate", "pool", "a.xml", "c.xml", *BY, "-o", "csv").out
    assert out.startswith("run,topic,measure,value\n")
