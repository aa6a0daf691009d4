"""In a task, measures without parameters are as the task's own, whichever verb asks."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import Command, Write
from tests.cli.graded_campaign import rows

# A section is highly exhaustive and all relevant, and so is the paragraph in it. Run `one` returns the
# section only: of two relevant elements one (1/2), but all there is to find without overlap (1).
ASSESSED = """\
<assessments pool="{topic}0" topic="{topic}" version="2"><inex_topic topic_id="{topic}" query_type="CO+S"/>
<file collection="ieee" name="A">
<element path="/article[1]" exhaustivity="2" size="400" rsize="100"/>
<element path="/article[1]/sec[1]" exhaustivity="2" size="100" rsize="100"/>
<element path="/article[1]/sec[1]/p[1]" exhaustivity="2" size="100" rsize="100"/>
</file><file collection="ieee" name="x"/></assessments>
"""
RESULT = "<result><file>{}</file><path>{}</path><rank>{}</rank></result>"
MANIFEST = """\
campaign = "inex2005"
[judgements]
pool = "pool"
[tasks."CO.Thorough"]
runs = ["one.xml", "two.xml"]
[tasks."CO.Focussed"]
runs = ["one.xml", "two.xml"]
"""
NOTE = "overlap=on, as in its measures"
ASKED = ("-m", "nxCG(quant=strict5)@2")


@pytest.fixture
def nested(write: Write) -> str:
    for topic in "12":
        write(f"pool/{topic}.xml", ASSESSED.format(topic=topic))
    for id, results in {
        "one": [("A", "/article[1]/sec[1]")],
        "two": [("x", "/article[1]"), ("A", "/article[1]/sec[1]/p[1]")],
    }.items():
        listed = "".join(RESULT.format(doc, path, rank) for rank, (doc, path) in enumerate(results, 1))
        topics = "".join(f'<topic topic-id="{topic}">{listed}</topic>' for topic in "12")
        write(
            f"{id}.xml",
            f'<inex-submission participant-id="{id}" run-id="{id}" task="CO" query="automatic">'
            f"<description>d</description>{topics}</inex-submission>",
        )
    return write("c.toml", MANIFEST)


def test_evaluate_a_campaign_file(call: Command, nested: str) -> None:
    done = call("evaluate", "--campaign-file", nested, *ASKED, "-o", "json")
    assert {row["task"]: row["value"] for row in rows(done) if row["run"] == "one"} == {
        "CO.Thorough": 0.5,
        "CO.Focussed": 1,
    }
    assert f"CO.Focussed: {NOTE}" in done.notes
    assert not any("CO.Thorough" in note and "as in" in note for note in done.notes)


def test_what_the_name_states_stays(call: Command, nested: str) -> None:
    done = call(
        "evaluate", "--campaign-file", nested, "-m", "nxCG(quant=strict5,overlap=off)@2", "-o", "json"
    )
    assert {row["value"] for row in rows(done) if row["run"] == "one"} == {0.5}
    assert not any("as in" in note for note in done.notes)


@pytest.mark.parametrize(("task", "value"), [("CO.Thorough", 0.5), ("CO.Focussed", 1)])
def test_evaluate_and_explain_with_a_preset(call: Command, nested: str, task: str, value: float) -> None:
    preset = ("--campaign", "inex2005", "--task", task, *ASKED, "-o", "json")
    done = call("evaluate", "pool", "one.xml", *preset)
    assert [row["value"] for row in rows(done)] == [value]
    assert (f"inex2005 {task}: {NOTE}" in done.notes) == (value == 1)
    for explained in (
        call("explain", "pool", "one.xml", "--topic", "1", *preset),
        call(
            "explain", "one", "--campaign-file", nested, "--topic", "1", "--task", task, *ASKED, "-o", "json"
        ),
    ):
        assert explained.code == 0, explained.err
        assert f"overlap={'on' if value == 1 else 'off'}" in json.dumps(json.loads(explained.out))


def test_compare(call: Command, nested: str) -> None:
    made = json.loads(call("compare", "--campaign-file", nested, *ASKED, "--test", "t", "-o", "json").out)
    means = [{s["system"]: s["mean"] for s in part["systems"]} for part in made]
    assert [part["of"] for part in made] == [
        f"CO.{task}, nxCG(quant=strict5,overlap={overlap})@2"
        for task, overlap in (("Thorough", "off"), ("Focussed", "on"))
    ]
    assert [m["one"] for m in means] == [0.5, 1]


def test_correlate_keeps_the_names_and_means_what_the_task_means(call: Command, nested: str) -> None:
    vary = ("--vary", "measure=nxCG(quant=strict5)@1,nxCG(quant=strict5)@2")
    done = call("correlate", "--campaign-file", nested, *vary, "--difficulty", "-o", "json")
    best = {row["condition"]: row["best"] for row in rows(done)}
    assert best["CO.Thorough nxCG(quant=strict5)@2"] == 0.5
    assert best["CO.Focussed nxCG(quant=strict5)@2"] == 1
    assert done.notes[0] == f"CO.Focussed: {NOTE}"
    means = rows(call("correlate", "--campaign-file", nested, *vary, "-o", "json"))
    assert [row["tau"] for row in means] == ["nxCG(quant=strict5)@1", "nxCG(quant=strict5)@2"]


@pytest.mark.parametrize("verb", ["correlate", "agreement"])
def test_a_varied_parameter_is_no_part_of_the_measures_name(call: Command, nested: str, verb: str) -> None:
    """Thirty measures of the task are ten, each under two quantisations."""
    asked = (verb, "--campaign-file", nested, "--task", "CO.Focussed", "--vary", "quant=gen5,genLifted")
    done = call(*asked, "-o", "json")
    names = list(dict.fromkeys(str(row.get("tau", row.get("row"))) for row in rows(done)))
    assert len(names) == 20
    assert names[:2] == ["MAep(overlap=on) gen5", "MAep(overlap=on) genLifted"]
    assert not any("quant=" in name for name in names)
