"""`inexlab topics`: list, statistics and problems."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .conftest import Command, Outcome, Write

PARENT = "//article[about(., bees)]//sec[about(., dance)]"
TOPICS = f"""\
<inex-topic-file>
<topic id="1" ct_no="7"><title>bee dance</title><castitle>{PARENT}</castitle></topic>
<topic id="2"><castitle>//article[about(., bees)]</castitle>
<parent>{PARENT}</parent></topic>
<topic id="3"><title>honey</title></topic>
</inex-topic-file>
"""
BAD = """\
<inex-topic-file>
<topic id="1"><title>bee dance</title>
<castitle>//artcle[about(., bees]</castitle></topic>
<topic id="2"><title>dance bee</title><castitle>//p[about(., bees)]//sction</castitle></topic>
</inex-topic-file>
"""


def rows(done: Outcome) -> list[dict[str, Any]]:
    assert done.code == 0, done.err
    found: list[dict[str, Any]] = json.loads(done.out)
    return found


@pytest.fixture
def good(write: Write) -> str:
    return write("topics.xml", TOPICS)


@pytest.fixture
def bad(write: Write) -> str:
    write("docs/a.xml", "<article><section>x</section><p/></article>")
    return write("bad.xml", BAD)


def test_the_list_for_people(call: Command, good: str) -> None:
    done = call("topics", good)
    assert (done.code, done.err) == (0, "")
    assert [line.split() for line in done.out.splitlines()[2:]] == [
        ["1", "CO+S", "2", "//article//sec", "–", "bee", "dance"],
        ["2", "CAS", "1", "//article", "1", "//article[about(.,", "bees)]"],
        ["3", "CO", "–", "–", "–", "honey"],
    ]


def test_the_list_for_programs(call: Command, good: str) -> None:
    first, second, third = rows(call("topics", good, "-o", "json"))
    assert first == {
        "topic": "1",
        "type": "CO+S",
        "clauses": 2,
        "target": "//article//sec",
        "child of": None,
        "candidate": "7",
        "file": "topics.xml",
        "line": 2,
        "title": "bee dance",
        "castitle": PARENT,
        "phrasetitle": "",
        "description": "",
        "narrative": "",
        "keywords": "",
        "parent": "",
    }
    assert (second["child of"], second["parent"]) == ("1", PARENT)
    assert (third["clauses"], third["target"]) == (None, None)


def test_long_queries_are_shortened_for_people_only(call: Command, write: Write) -> None:
    write("t.jsonl", json.dumps({"topic": "1", "title": "word " * 40}))
    assert max(map(len, call("topics", "t.jsonl").out.splitlines())) < 120
    assert rows(call("topics", "t.jsonl", "-o", "json"))[0]["title"] == ("word " * 40).strip()


def test_statistics(call: Command, good: str, write: Write) -> None:
    other = write("more.jsonl", '{"topic": "9", "title": "bees"}\n')
    done = call("topics", good, other, "--statistics")
    assert done.err == ""
    assert [line.split() for line in done.out.splitlines()[2:]] == [
        ["topics.xml", "3", "1", "1", "1", "1", "0", "(0%)", "1", "(100%)", "0", "(0%)", "0", "(0%)"],
        ["more.jsonl", "1", "0", "1", "0", "0", "0", "(0%)", "0", "(0%)", "0", "(0%)", "0", "(0%)"],
        ["total", "4", "1", "2", "1", "1", "0", "(0%)", "1", "(100%)", "0", "(0%)", "0", "(0%)"],
    ]
    assert rows(call("topics", good, "--statistics", "-o", "json")) == [
        {
            "topics in": "topics.xml",
            "topics": 3,
            "CAS": 1,
            "CO": 1,
            "CO+S": 1,
            "children": 1,
            "1 clause": 0,
            "2 clauses": 1,
            "3 clauses": 0,
            "4+ clauses": 0,
        }
    ]


def test_the_stages_of_a_campaign(call: Command, good: str, write: Write) -> None:
    """Each stage is a list of ids, a file or folder of topics, or judgements."""
    ids = write("candidates.txt", "# proposed\nc1\nc2 withdrawn\nc3\nc4\n")
    qrels = write("judged.qrels", "1 Q0 a 0 10\n5 Q0 a 0 10\n1 Q0 b 0 10\n")
    stages = ("--candidate", ids, "--selected", good, "--assessed", qrels)
    done = call("topics", good, "--statistics", *stages, "-o", "json")
    (row,) = rows(done)
    assert (row["candidate"], row["selected"], row["assessed"]) == (4, 3, 2)
    assert done.notes == ["assessed but not selected: 5"]
    (row,) = rows(call("topics", good, "--statistics", "--assessed", qrels, "-o", "json"))
    assert "selected" not in row
    write("folder/1.xml", '<assessments topic="1"><file name="a"/></assessments>')
    write("folder/topic.dtd", "<!ELEMENT x ANY>")
    write("more.jsonl", '{"topic": "8", "title": "x"}\n')
    write(
        "judged.jsonl", '{"topic": "8", "doc": "a", "spans": []}\n{"topic": "9", "doc": "a", "spans": []}\n'
    )
    stages = ("--candidate", "judged.jsonl", "--selected", "more.jsonl", "--assessed", "folder")
    (row,) = rows(call("topics", good, "--statistics", *stages, "-o", "json"))
    assert (row["candidate"], row["selected"], row["assessed"]) == (2, 1, 1)


def test_problems_are_noted_beside_the_list(call: Command, bad: str) -> None:
    done = call("topics", bad)
    assert done.code == 0
    assert done.out
    assert done.notes == [
        "bad.xml, line 3: topic 1: castitle, column 23: expected a term or ')', found ']'.",
        "bad.xml, line 4: topic 2: nearly topic 1: 2 of 2 words of their queries are the same.",
    ]


def test_problems_as_data_end_with_1(call: Command, bad: str) -> None:
    done = call("topics", bad, "--problems", "--collection", "docs", "-o", "json")
    assert (done.code, done.err) == (1, "")
    found = [(row["line"], row["topic"], row["kind"]) for row in json.loads(done.out)]
    assert found == [(3, "1", "syntax"), (4, "2", "tag"), (4, "2", "duplicate")]
    assert "did you mean 'section'" in done.out


def test_no_problems(call: Command, good: str, write: Write) -> None:
    done = call("topics", good, "--problems", "-o", "csv")
    assert done == (0, "file,line,topic,kind,problem\n", "")
    write("docs/a.xml", "<article><ss1/></article>")  # a section of another name
    assert call("topics", good, "--problems", "--collection", "docs").code == 0
    strictly = call("topics", good, "--problems", "--collection", "docs", "--equivalence", "none")
    assert strictly.code == 1
    assert "the collection has no <sec>" in strictly.out


def test_the_built_in_topics_are_good(call: Command, handbook: Path) -> None:
    done = call("topics", handbook / "topics.xml", "--problems", "--collection", handbook / "articles")
    assert (done.code, done.err) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere.xml",), "nowhere.xml: no such file."),
        (("topics.xml", "--statistics", "--problems"), "give either --statistics or --problems."),
        (("topics.xml", "--assessed", "x"), "need --statistics"),
        (("topics.xml", "--statistics", "--assessed", "nowhere"), "nowhere: no such file."),
        (
            ("topics.xml", "--statistics", "--assessed", "docs"),
            "a.xml, line 1: is not topics in a known format.",
        ),
        (("topics.xml", "bad.xml"), "bad.xml, line 2: topic 1 is another one than in topics.xml, line 2."),
        (("topics.xml", "--equivalence", "nothing"), "unknown table of equivalent tags 'nothing'"),
        (("topics.xml", "--collection", "nowhere"), "nowhere: no such folder or archive."),
        (("topics.xml", "--input-format", "trec2"), "unknown topic format 'trec2'; did you mean 'trec'?"),
        (("topics.xml", "-o", "yaml"), "unknown output format 'yaml'"),
        ((), "give at least one file of topics, or a --campaign-file."),
        (("topics.xml", "--campaign-file", "c.toml"), "do not give them as well."),
    ],
)
@pytest.mark.usefixtures("good", "bad")
def test_bad_input(arguments: tuple[str, ...], message: str, call: Command) -> None:
    done = call("topics", *arguments)
    assert (done.code, done.out) == (2, "")
    assert len(done.notes) == 1
    assert message in done.notes[0]


CAMPAIGN = """\
title = "Bees"
topics = ["topics.xml"]
collection = "docs"
[judgements]
a = "a.qrels"
b = "b.qrels"
[tasks.focused]
measures = ["MAiP"]
runs = ["run"]
"""


@pytest.fixture
def campaign(good: str, write: Write) -> str:
    write("docs/a.xml", "<article><p/></article>")
    write("a.qrels", "1 Q0 a 0 5\n3 Q0 a 0 5\n")
    write("b.qrels", "3 Q0 a 0 5\n4 Q0 a 0 5\n")
    write("run", "")
    assert good == "topics.xml"
    return write("c.toml", CAMPAIGN)


class TestCampaign:
    def test_the_list_is_that_of_the_topics(self, call: Command, campaign: str) -> None:
        assert call("topics", "--campaign-file", campaign) == call("topics", "topics.xml")

    def test_problems_know_the_collection(self, call: Command, campaign: str) -> None:
        done = call("topics", "--campaign-file", campaign, "--problems")
        assert done == call("topics", "topics.xml", "--problems", "--collection", "docs")
        assert done.code == 1

    def test_assessed_are_the_topics_of_all_judgements(self, call: Command, campaign: str) -> None:
        (row,) = rows(call("topics", "--campaign-file", campaign, "--statistics", "-o", "json"))
        assert (row["topics in"], row["topics"], row["assessed"]) == ("Bees", 3, 3)
        assert "candidate" not in row
        assert "selected" not in row

    def test_stages_are_files_or_ids(self, call: Command, campaign: str, write: Write) -> None:
        write("ids.txt", "11\n12\n")
        stages = 'candidate_topics = ["topics.xml", "ids.txt", "13"]\nselected_topics = ["1", "3"]\n'
        write(campaign, stages + CAMPAIGN)
        done = call("topics", "--campaign-file", campaign, "--statistics", "-o", "json")
        (row,) = rows(done)
        assert [row[stage] for stage in ("candidate", "selected", "assessed")] == [6, 2, 3]
        assert done.notes == ["assessed but not selected: 4"]

    @pytest.mark.parametrize(
        ("manifest", "message"),
        [
            ('selected_topics = ["other.xml"]\n' + CAMPAIGN, "selected_topics: there is no other.xml."),
            ("candidate_topics = [1]\n" + CAMPAIGN, "candidate_topics is not a list of texts"),
            (CAMPAIGN.replace('topics = ["topics.xml"]\n', ""), "c.toml names no topics"),
        ],
    )
    def test_mistakes(self, call: Command, campaign: str, write: Write, manifest: str, message: str) -> None:
        write(campaign, manifest)
        done = call("topics", "--campaign-file", campaign)
        assert (done.code, done.out) == (2, "")
        assert message in done.notes[0]


def test_statistics_of_several_files_have_a_total(call: Command, write: Write) -> None:
    """As in Table 1 of the overview of INEX 2006, stage by stage: a stage may be in several files."""
    one = '<inex_topic topic_id="{}" query_type="{}"><title>words of {}</title></inex_topic>'
    write("co.xml", f"<topics>{one.format(1, 'CO', 1)}{one.format(2, 'CO', 2)}</topics>")
    write("cas.xml", f"<topics>{one.format(3, 'CAS', 3)}</topics>")
    write("early", "c1\nc2\n")
    write("late", "c2\nc3\n")
    asked = ("topics", "co.xml", "cas.xml", "--statistics", "--candidate", "early", "--candidate", "late")
    rows = json.loads(call(*asked, "-o", "json").out)
    assert [(row["topics in"], row["topics"], row["CO"], row["CAS"]) for row in rows] == [
        ("co.xml", 2, 2, 0),
        ("cas.xml", 1, 0, 1),
        ("total", 3, 2, 1),
    ]
    assert [row["candidate"] for row in rows] == [None, None, 3]
