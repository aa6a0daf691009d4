"""Tasks of 2005 as they were evaluated: several in one configuration, kinds of topics, castitles."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.cli import graded_campaign
from tests.cli.conftest import Command, Outcome, Write

CONFIGURATION = """\
METRICS: nxCG
DCV: 1
QUANT_FUNCTIONS: gen
ASSESSMENTS_DIR: pool/
SUBMISSIONRUNS_DIR: runs/
TASK: CO.Thorough
OVERLAP: off
TASK: COS.Thorough
OVERLAP: off
QUERY_TYPE: CO+S
POOLS: 10, 20
"""
TOPICS = "<topics>{}</topics>"
TOPIC = '<inex_topic topic_id="{}" query_type="{}"><title>t{}</title>{}</inex_topic>'


@pytest.fixture(autouse=True)
def _campaign(write: Write) -> None:
    graded_campaign.write_campaign(write)
    for name, task in (("a", "CO.Thorough"), ("b", "CO.Thorough"), ("c", "COS.Thorough")):
        documents = {"a": "Ax", "b": "Bx", "c": "CA"}[name]
        write(f"runs/{name}.xml", graded_campaign.submission(name, documents).replace("CO.Thorough", task))
    write("evalj.prop", CONFIGURATION)


def rows(done: Outcome) -> list[dict[str, Any]]:
    assert done.code == 0, done.err
    found: list[dict[str, Any]] = json.loads(done.out)
    return found


def topics(*with_castitle: int, kind: str = "CO+S") -> str:
    castitle = "<castitle>//p[about(., x)]</castitle>"
    return TOPICS.format(
        "".join(TOPIC.format(t, kind, t, castitle if t in with_castitle else "") for t in range(1, 7))
    )


def test_all_tasks_of_a_configuration_are_scored_in_order(call: Command) -> None:
    done = call("evaluate", "--config", "evalj.prop", "-q", "-o", "json")
    found = rows(done)
    assert list(dict.fromkeys((row["task"], row["run"]) for row in found)) == [
        ("CO.Thorough", "a"),
        ("CO.Thorough", "b"),
        ("COS.Thorough", "c"),
    ]
    assert {row["topic"] for row in found if row["task"] == "COS.Thorough"} == {"1", "2", "all"}
    assert "CO.Thorough: evalj.prop: 2 of 3 runs are of task CO.Thorough" in done.notes
    alone = rows(call("evaluate", "--config", "evalj.prop", "--task", "COS.Thorough", "-q", "-o", "json"))
    assert [row["value"] for row in alone] == [r["value"] for r in found if r["task"] == "COS.Thorough"]


def test_one_task_is_chosen_where_one_is_needed(call: Command) -> None:
    done = call("stability", "--config", "evalj.prop")
    assert done.code == 2
    assert done.notes == ["choose a task of evalj.prop with --task: CO.Thorough, COS.Thorough."]
    unknown = call("evaluate", "--config", "evalj.prop", "--task", "CO.Thoroug")
    assert "did you mean 'CO.Thorough'?" in unknown.notes[-1]


def test_the_query_type_comes_from_the_topics_where_assessments_do_not_carry_it(
    call: Command, write: Write
) -> None:
    for t in range(1, 7):
        bare = graded_campaign.assessments(str(t), graded_campaign.GRADES)
        write(f"pool/{t}.xml", bare.replace(f'<inex_topic topic_id="{t}" query_type="CO+S"/>\n', ""))
    asked = ("evaluate", "--config", "evalj.prop", "--task", "COS.Thorough", "-q", "-o", "json")
    refused = call(*asked)
    assert (refused.code, refused.out) == (2, "")
    assert "does not say the query type of topic 1, but CO+S is required" in refused.notes[-1]
    assert "--topics FILE" in refused.notes[-1]
    write("topics.xml", topics(1).replace('topic_id="2" query_type="CO+S"', 'topic_id="2" query_type="CAS"'))
    assert {row["topic"] for row in rows(call(*asked, "--topics", "topics.xml"))} == {"1", "all"}


def test_cos_means_are_over_topics_with_a_castitle(call: Command, write: Write) -> None:
    write("topics.xml", topics(1, 6))
    asked = ("evaluate", "pool", "a.xml", "b.xml", "-m", "nxCG(quant=gen)@1", "-o", "json")
    preset = ("--campaign", "inex2005", "--task", "COS.Thorough")
    known = call(*asked, *preset, "--topics", "topics.xml")
    write("listed", "1\n6\n")
    listed = rows(call(*asked, "--over", "listed"))
    assert [row["value"] for row in rows(known)] == [row["value"] for row in listed]
    assert "inex2005 COS.Thorough: 2 judged topics with a castitle" in known.notes
    unknown = call(*asked, *preset)
    everything = rows(call(*asked))
    assert (
        [row["value"] for row in rows(unknown)]
        == [row["value"] for row in everything]
        != [row["value"] for row in listed]
    )
    assert any("topics with a castitle, which are not known: give --topics FILE" in n for n in unknown.notes)
    explicit = rows(call(*asked, *preset, "--topics", "topics.xml", "--over", "judged"))
    assert [row["value"] for row in explicit] == [row["value"] for row in listed]


def test_a_manifest_brings_topics_and_pools(call: Command, write: Write) -> None:
    write("topics.xml", topics(1, 2, 3))
    manifest = """\
    topics = ["topics.xml"]
    pools = ["10", "20", "60"]
    campaign = "inex2005"
    [judgements]
    all = "pool"
    [tasks."COS.Thorough"]
    measures = ["nxCG(quant=gen)@1"]
    runs = ["a.xml", "b.xml"]
    [tasks."CO.Thorough"]
    pools = ["30"]
    measures = ["nxCG(quant=gen)@1"]
    runs = ["a.xml"]
    """
    write("c.toml", manifest)
    found = rows(call("evaluate", "--campaign-file", "c.toml", "-q", "-o", "json"))
    topics_of = {
        task: {row["topic"] for row in found if row["task"] == task and row["value"] is not None} - {"all"}
        for task in ("COS.Thorough", "CO.Thorough")
    }
    assert topics_of == {"COS.Thorough": {"1", "2"}, "CO.Thorough": {"3"}}


@pytest.mark.parametrize("verb", ["agreement", "correlate"])
def test_topics_of_conditions_are_common_or_their_own(call: Command, verb: str) -> None:
    """Topic 6 is undefined where strict: it counts for gen5 alone if each condition has its own topics."""
    asked = (verb, "pool", "a.xml", "b.xml", "c.xml", "-m", "nxCG@1", "--vary", "quant=gen5,strict5")
    common, own = (call(*asked, "--topics-of", which, "-o", "json") for which in ("common", "own"))
    assert common.notes[0] == "5 topics defined in all conditions; left out: 6"
    assert own.notes[0] == "topics of each condition: gen5 6, strict5 5"
    if verb == "correlate":
        difficulty = (*asked, "--difficulty", "-o", "json")
        means = [
            [row["mean"] for row in rows(call(*difficulty, "--topics-of", w))] for w in ("common", "own")
        ]
        assert means[0][1] == means[1][1]
        assert means[0][0] != means[1][0]
    refused = call(*asked, "--topics-of", "mine")
    assert (refused.code, refused.out) == (2, "")
    assert "unknown value of --topics-of 'mine'" in refused.notes[-1]
