"""The same options mean the same numbers in every verb that scores.

Each verb is run twice: on judgements and runs with the options, and on the scores that `evaluate` wrote with
these options. A verb that did not hear an option would differ; that the option changes the numbers at all is
tested too.
"""

from __future__ import annotations

import importlib
import inspect
import json
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from inexlab.experiments import Choices
from tests.cli import graded_campaign
from tests.cli.conftest import Command, Outcome, Write

TOPICS = [str(t) for t in range(1, 13)]
TEXT = "é" * 10 + "abcdefghij" * 9  # 100 characters, 110 bytes
MEASURES = ("SpanP@2", "SpanR@3")
MANIFEST = """\
collection = "docs"
[judgements]
all = "j.qrels"
[tasks.only]
measures = ["SpanP@2", "SpanR@3"]
policy = ["limit=2"]
runs = ["a.txt", "b.txt", "c.txt"]
[tasks.other]
measures = ["SpanP@2", "SpanR@3"]
runs = ["a.txt", "b.txt"]
"""
CONFIGURATION = """\
TASK: CO.Thorough
METRICS: nxCG
OVERLAP: off
QUANT_FUNCTIONS: gen
DCV: 1, 2
ASSESSMENTS_DIR: pool/
SUBMISSIONRUNS_DIR: submitted/
"""
GRADED = ("nxCG(quant=gen5,overlap=off)@1", "nxCG(quant=gen5,overlap=off)@2")

# what is given; whether scores differ from those without the options
HIGHLIGHTS = {
    "nothing": ((), False),
    "limit": (("--limit", "1"), True),
    "policy": (("--policy", "denominator=full"), True),
    "policies": (("--policy", "seen_text=again", "--policy", "limit=2"), True),
    "over run": (("--over", "run"), True),
    "over a file": (("--over", "topics.txt"), True),
    "unit": (("--unit", "byte", "--collection", "docs"), True),
    "unit of runs": (("--unit", "runs=byte", "--collection", "docs"), True),
    "format": (("--input-format", "text"), False),
    "names": (("--run-names", "file"), False),
    "year": (("--campaign", "inex2009", "--task", "focused"), False),
}


@pytest.fixture
def highlights(write: Write) -> tuple[str, ...]:
    """Three runs on twelve topics: overlapping results, one topic missing, offsets that could be bytes."""
    for doc in "AB":
        write(f"docs/{doc}.xml", f"<a>{TEXT}</a>")
    write("j.qrels", "".join(f"{t} Q0 A {20 + int(t)} 100 0 20:{20 + int(t)}\n" for t in TOPICS))
    write("topics.txt", "\n".join(TOPICS[3:]))
    write("c.toml", MANIFEST)
    for run, step in (("a", 1), ("b", 3), ("c", 5)):
        rows = [
            f"{t} Q0 {doc} {rank} {4 - rank}.0 id-{run} {start} {length}\n"
            for t in (TOPICS if run != "c" else TOPICS[1:])
            for rank, (doc, start, length) in enumerate(
                (("A", 15 + step * int(t) % 7, 12), ("A", 22, 10 + step), ("A", 30, 20)), start=1
            )
        ]
        write(f"{run}.txt", "".join(rows))
    return ("j.qrels", "a.txt", "b.txt", "c.txt")


@pytest.fixture
def graded(write: Write) -> tuple[str, ...]:
    """The campaign of graded assessments, its runs in a folder."""
    graded_campaign.write_campaign(write)
    for name in graded_campaign.RUNS:
        write(f"submitted/{name}", Path(name).read_text())
    write("evalj.prop", CONFIGURATION)
    return ("pool", "submitted")


def ok(done: Outcome) -> Outcome:
    assert done.code == 0, done.err
    return done


def named(measures: tuple[str, ...]) -> Iterator[str]:
    for measure in measures:
        yield from ("-m", measure)


def numbers(done: Outcome) -> list[object]:
    """The numbers of each row; what conditions are called differs."""
    return [v for row in json.loads(done.out) for v in row.values() if not isinstance(v, str)]


def check_all_verbs(
    call: Command,
    asked: tuple[str, ...],
    measures: tuple[str, ...],
    ttest: tuple[str, ...] | None = None,
    *,
    shown: bool = True,
) -> list[dict[str, object]]:
    """Compare every verb on `asked` (files and options) with the verb on scores that evaluate wrote.

    What is `shown` as well, a figure and a page, takes a second.
    """
    chosen = () if "--config" in asked else tuple(named(measures))
    written = ok(call("evaluate", *asked, *chosen, "-q", "-o", "json")).out
    Path("scores.json").write_text(written)
    rows: list[dict[str, object]] = [row for row in json.loads(written) if row["topic"] != "all"]
    one, both = ("-m", measures[0]), tuple(named(measures))
    t = ("--test", "t", "--correction", "none", "--common-topics", "-o", "json")
    one_of = () if "--config" in asked else one
    if one_of:
        assert ok(call("compare", *asked, *one, *t)).out == ok(call("compare", "scores.json", *one, *t)).out
        splits = ("--splits", "4", "--test", "sign", "--common-topics", "-o", "json")
        stable = [ok(call("stability", *on, *one, *splits)).out for on in (asked, ("scores.json",))]
        assert stable[0] == stable[1]
    direct = ok(call("compare", *asked, *(both if one_of else ()), *t)).out
    assert direct == ok(call("compare", "scores.json", *both, *t)).out

    if ttest is not None:
        pair = [ok(call("ttest", *ttest, *one, "-o", "json")).out]
        systems = [row["run"] for row in rows if row["topic"] == rows[0]["topic"]][:: len(measures)][:2]
        values = {(row["run"], row["topic"]): row["value"] for row in rows if row["measure"] == measures[0]}
        topics = list(dict.fromkeys(row["topic"] for row in rows))
        lines = [
            f"{topic} {values[systems[0], topic]!r} {values[systems[1], topic]!r}\n"
            for topic in topics
            if None not in (values[systems[0], topic], values[systems[1], topic])
        ]
        Path("pairs.txt").write_text("".join(lines))
        assert pair[0] == ok(call("ttest", "pairs.txt", "-o", "json")).out

    if one_of:
        vary = ("--vary", f"measure={','.join(measures)}")
        of_scores = [f"condition{i}=scores.json:{m}" for i, m in enumerate(measures)]
        spelled = tuple(text for condition in of_scores for text in ("--condition", condition))
        for verb, *options in (
            ("correlate",),
            ("correlate", "--difficulty"),
            ("agreement", "--test", "t", "--differences", "--correction", "none", "--alpha", "0.9"),
        ):
            told = numbers(ok(call(verb, *asked, *vary, *options, "-o", "json")))
            assert told == numbers(ok(call(verb, *spelled, *options, "-o", "json"))), verb
            assert told

    if not shown:
        return rows
    figure = ("ranking", "--test", "t", "--out", "figure.svg")
    drawn = []
    for on in ((*asked, *one_of), ("scores.json", *one)):
        ok(call("plot", figure[0], *on, *figure[1:]))
        drawn.append(Path("figure.svg").read_text())
    assert drawn[0] == drawn[1]

    ok(call("report", *asked, *chosen, "--test", "t", "--out", "report.html"))
    found = re.search(r'id="data">(.*?)</script', Path("report.html").read_text(), re.DOTALL)
    assert found is not None
    [task] = json.loads(found[1])["tasks"]
    of_page = {
        (run, topic, measure["name"]): value
        for measure in task["measures"]
        for run, values in zip(task["systems"], measure["scores"], strict=True)
        for topic, value in zip(task["topics"], values, strict=True)
    }
    assert of_page == {(row["run"], row["topic"], row["measure"]): row["value"] for row in rows}
    return rows


@pytest.mark.parametrize("choice", HIGHLIGHTS)
def test_highlights(call: Command, highlights: tuple[str, ...], choice: str) -> None:
    options, changes = HIGHLIGHTS[choice]
    plain = json.loads(ok(call("evaluate", *highlights, *named(MEASURES), "-q", "-o", "json")).out)
    asked = (*highlights, *options)
    shown = choice in ("policies", "over a file", "unit", "names")  # each option that a page could miss
    rows = check_all_verbs(call, asked, MEASURES, (*highlights[:3], *options), shown=shown)
    values = [row["value"] for row in rows]
    assert (values != [row["value"] for row in plain if row["topic"] != "all"]) == changes
    row = next(row for row in rows if row["value"] is not None and row["measure"] == MEASURES[0])
    explain = ("explain", "j.qrels", f"{str(row['run'])[-1]}.txt", *options, "--topic", str(row["topic"]))
    explained = json.loads(ok(call(*explain, "-m", MEASURES[0], "-o", "json")).out)
    assert explained["value"] == pytest.approx(row["value"], abs=1e-12)


def test_a_campaign_file(call: Command, highlights: tuple[str, ...]) -> None:
    """A task of a manifest, and a choice on top of it."""
    campaign = ("--campaign-file", "c.toml", "--task", "only")
    for options in ((), ("--over", "topics.txt"), ("--policy", "denominator=full"), ("--limit", "1")):
        by_hand = (*highlights, *(() if "--limit" in options else ("--limit", "2")), *options)
        expected = check_all_verbs(call, by_hand, MEASURES, shown=False)
        for verb in ("evaluate", "compare"):
            more = ("-q",) if verb == "evaluate" else ("--test", "t", "--common-topics")
            of_task = json.loads(
                ok(call(verb, *campaign, *options, *named(MEASURES), *more, "-o", "json")).out
            )
            files = json.loads(ok(call(verb, *by_hand, *named(MEASURES), *more, "-o", "json")).out)
            if verb == "evaluate":
                assert [row["value"] for row in of_task] == [row["value"] for row in files]
                assert [row["value"] for row in of_task if row["topic"] != "all"] == [
                    row["value"] for row in expected
                ]
            else:
                assert [c["pairs"] for c in of_task] == [c["pairs"] for c in files]


def test_pools(call: Command, graded: tuple[str, ...]) -> None:
    everything = check_all_verbs(call, graded, GRADED)
    some = check_all_verbs(call, (*graded, *(f"--pool={pool}" for pool in (10, 20, 30, 40, 60))), GRADED)
    assert {row["topic"] for row in some} == {"1", "2", "3", "4", "6"} < {row["topic"] for row in everything}


def test_a_configuration_of_evalj(call: Command, graded: tuple[str, ...]) -> None:
    assert graded
    ranks = [f"nxCG(quant=gen,overlap=off)@{k}" for k in (1, 2)]
    means = [f"MAnxCG(quant=gen,overlap=off)@{k}" for k in (1, 2)]
    written = json.loads(ok(call("evaluate", "--config", "evalj.prop", "-q", "-o", "json")).out)
    assert list(dict.fromkeys(row["measure"] for row in written)) == [*ranks, *means]
    compared = json.loads(ok(call("compare", "--config", "evalj.prop", "--test", "t", "-o", "json")).out)
    assert len(compared) == 4
    for table, measure in zip(compared, (*ranks, *means), strict=True):
        means_of = {s["system"]: s["mean"] for s in table["systems"]}
        assert means_of == {
            row["run"]: row["value"] for row in written if row["topic"] == "all" and row["measure"] == measure
        }


def test_every_choice_is_an_option_of_every_verb_that_scores() -> None:
    verbs = (
        "evaluate",
        "explain",
        "compare",
        "ttest",
        "agreement",
        "stability",
        "correlate",
        "report",
        "plot",
    )
    names = {field.name for field in fields(Choices)}
    for verb in verbs:
        function = getattr(importlib.import_module(f"inexlab.cli.{verb}"), verb)
        assert names <= set(inspect.signature(function).parameters), verb


@pytest.mark.parametrize("option", [("--limit", "1"), ("--policy", "beyond=last"), ("--over", "run")])
def test_scores_are_not_scored_again(
    call: Command, write: Write, highlights: tuple[str, ...], option: tuple[str, ...]
) -> None:
    assert highlights
    write("s.csv", "topic,x,y\n1,0.5,0.25\n2,0.5,0.75\n")
    for verb in (("compare",), ("stability",), ("ttest",), ("plot", "ranking", "--out", "f.svg")):
        done = call(*verb, "s.csv", *option)
        assert (done.code, done.notes) == (
            2,
            [f"{option[0]} says how runs are scored, and these are scores already."],
        )
