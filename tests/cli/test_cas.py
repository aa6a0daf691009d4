"""`inexlab cas`: judgement sets and strict runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .conftest import Command, Outcome, Write

PARENT = "//article[about(., bees)]//sec[about(., dance)]"
TOPICS = f"""\
<inex-topic-file>
<topic id="1"><castitle>{PARENT}</castitle></topic>
<topic id="2"><castitle>//article[about(., bees)]</castitle><parent>{PARENT}</parent></topic>
<topic id="3"><castitle>//article//sec[about(., dance)]</castitle><parent>{PARENT}</parent></topic>
<topic id="4"><castitle>//article//p[about(., honey)]</castitle></topic>
<topic id="5"><castitle>//article[about(., wax) or about(.//p, honey)]</castitle></topic>
<topic id="6"><title>hives</title></topic>
</inex-topic-file>
"""
A, S, P = "/article[1]", "/article[1]/sec[1]", "/article[1]/sec[1]/p[1]"


def assessments(topic: str, **documents: dict[str, str]) -> str:
    def element(path: str, e: str) -> str:
        return f'<element path="{path}" exhaustivity="{e}" size="10" rsize="{0 if e == "0" else 10}"/>'

    files = (
        f'<file name="{name}">{"".join(element(path, e) for path, e in elements.items())}</file>'
        for name, elements in documents.items()
    )
    return f'<assessments topic="{topic}">{"".join(files)}</assessments>'


@pytest.fixture
def judged(write: Write) -> str:
    write("judged/1.xml", assessments("1", x={A: "2", S: "1"}, y={A: "1", S: "0", P: "2"}))
    write("judged/2.xml", assessments("2", x={A: "?"}, y={A: "1"}))
    write("judged/3.xml", assessments("3", x={S: "1"}, y={P: "1"}))
    write("judged/4.xml", assessments("4", x={P: "1", A: "2"}))
    write("judged/5.xml", assessments("5", x={A: "1"}))
    write("judged/6.xml", assessments("6", x={A: "1"}))
    write("topics.xml", TOPICS)
    return "judged"


def table(done: Outcome) -> dict[str, tuple[int | None, ...]]:
    assert done.code == 0, done.err
    names = ("SSCAS", "SVCAS", "VSCAS", "VVCAS")
    return {row["topic"]: tuple(row[name] for name in names) for row in json.loads(done.out)}


def test_the_table_counts_relevant_elements(call: Command, judged: str) -> None:
    done = call("cas", judged, "--topics", "topics.xml", "-o", "json")
    assert table(done) == {"1": (1, 1, 2, 4), "4": (1, 1, 2, 2), "5": (None, 1, None, 1)}
    assert done.notes == [
        "judged topics without a structured query, left out: 6",
        "topic 5 has no VSCAS and no SSCAS set: no child topic for its clause //article[about(., wax)]",
        "relevant elements are counted with gen5",
    ]
    strict = call("cas", judged, "--topics", "topics.xml", "-o", "json", "--quant", "strict")
    assert table(strict) == {"1": (0, 0, 1, 2), "4": (0, 0, 1, 1), "5": (None, 0, None, 0)}
    assert strict.notes[-1] == "relevant elements are counted with strict5"


def test_topics_in_several_files(call: Command, judged: str, write: Write) -> None:
    lines = TOPICS.splitlines()[1:-1]
    files = [write(f"topics/{i}.xml", line) for i, line in enumerate(lines[:3])]
    expected = {"1": (1, 1, 2, 4)}
    repeated = [word for file in files for word in ("--topics", file)]
    for arguments in (repeated, ["--topics", *files], ["--topics", "topics"]):
        done = call("cas", judged, *arguments, "-o", "json")
        assert table(done) == expected
        assert done.notes[0] == "judged topics not in the topic files, left out: 4, 5, 6"


def elements(folder: Path) -> dict[str, set[tuple[str, str, str]]]:
    import xml.etree.ElementTree as ET

    found = {}
    for file in sorted(folder.glob("*.xml")):
        root = ET.parse(file).getroot()
        found[root.attrib["topic"]] = {
            (doc.attrib["name"], element.attrib["path"], element.attrib["exhaustivity"])
            for doc in root.iter("file")
            for element in doc.iter("element")
        }
    return found


@pytest.mark.parametrize(
    ("name", "first", "others"),
    [
        ("VVCAS", {("x", A, "2"), ("x", S, "1"), ("y", A, "1"), ("y", S, "0"), ("y", P, "2")}, ["4", "5"]),
        ("SVCAS", {("x", S, "1"), ("y", S, "0")}, ["4", "5"]),
        ("VSCAS", {("x", A, "2"), ("x", S, "1")}, ["4"]),
        ("SSCAS", {("x", S, "1")}, ["4"]),
        ("SCAS", {("x", S, "1"), ("y", S, "0")}, ["4", "5"]),
        ("VCAS", {("x", A, "2"), ("x", S, "1"), ("y", A, "1"), ("y", S, "0"), ("y", P, "2")}, ["4", "5"]),
    ],
)
def test_sets_are_written_and_can_be_evaluated(
    name: str, first: set[Any], others: list[str], call: Command, judged: str, write: Write, tmp_path: Path
) -> None:
    done = call("cas", judged, "--topics", "topics.xml", "--interpretation", name, "--out", "out")
    assert done.code == 0, done.err
    written = elements(tmp_path / "out")
    assert written.pop("1") == first
    assert sorted(written) == others
    run = write("r.txt", f"1 Q0 x 1 2 run {S}\n1 Q0 x 2 1 run {A}\n4 Q0 x 1 1 run {P}\n")
    scored = call("evaluate", "out", run, "-m", "MAep(quant=gen5,overlap=off)", "-q", "-o", "json")
    assert scored.code == 0, scored.err
    assert {row["topic"] for row in json.loads(scored.out)} == {"1", *others, "all"}


def test_a_specification_in_place_of_topics(call: Command, judged: str, write: Write, tmp_path: Path) -> None:
    entry = {"target": "//sec", "children": ["2", "3"], "patterns": ["//article", "//p"], "combine": "and"}
    undefined = {"target": "//p", "children": ["77"], "patterns": ["//p"]}
    spec = write("cas.json", json.dumps({"1": entry, "4": undefined, "88": {"target": "//p"}}))
    (tmp_path / "out").mkdir()  # an empty folder is as good as none
    done = call("cas", judged, "--spec", spec, "--interpretation", "SSCAS", "--out", "out", "-o", "json")
    assert table(done) == {"1": (0, 1, 2, 4), "4": (None, 1, None, 2)}
    assert elements(tmp_path / "out") == {"1": {("y", S, "0")}}
    assert done.notes == [
        "topic 4 has no VSCAS and no SSCAS set: its children 77 are not judged",
        "topic 88 is not judged: it has no sets",
        "relevant elements are counted with gen5",
        "out: SSCAS sets of 1 topic",
    ]


def test_the_scale_of_2004(call: Command, write: Write, tmp_path: Path) -> None:
    inside = "".join(
        f'<path path="{path}" exhaustiveness="{e}" specificity="{s}"/>'
        for path, e, s in ((A, 3, 1), (S, 2, 3), (P, 0, 0))
    )
    write("a.xml", f'<assessments topic="1"><file file="x">{inside}</file></assessments>')
    write("topics.xml", '<inex_topic topic_id="1"><title>//sec[about(., x)]</title></inex_topic>')
    done = call("cas", "a.xml", "--topics", "topics.xml", "--interpretation", "SCAS", "--out", "out")
    assert done.code == 0, done.err
    written = (tmp_path / "out" / "topic-1.xml").read_text()
    assert f'<path exhaustiveness="2" specificity="3" path="{S}"/>' in written
    assert call("recall-base", "out", "--quant", "gen").out.count(S) == 1


def test_equivalent_tags(call: Command, write: Write) -> None:
    write("a.xml", assessments("1", x={"/article[1]/ss1[1]": "1", "/article[1]/ip1[1]": "1"}))
    spec = write("cas.json", '{"1": {"target": "//(sec|p)"}}')
    mine = write("mine.toml", '[groups]\na = ["p", "ip1"]\n')
    for name, count in (("sections", 1), ("none", 0), ("inex-ieee", 2), (mine, 1)):
        done = call("cas", "a.xml", "--spec", spec, "--equivalence", name, "-o", "json")
        assert table(done)["1"][1] == count
    unverified = call("cas", "a.xml", "--spec", spec, "--equivalence", "inex-ieee")
    assert unverified.notes[0].startswith("equivalence inex-ieee, unverified: ")


def test_highlights_become_elements(call: Command, handbook: Path, tmp_path: Path) -> None:
    done = call(
        *("cas", handbook / "judgements.qrels", "--topics", handbook / "topics.xml", "--quant", "spec6"),
        *("--collection", handbook / "articles", "--interpretation", "SVCAS", "--out", "out", "-o", "json"),
    )
    counts = table(done)
    assert counts["2026001"] == (8, 8, 68, 68)
    assert counts["2026005"][0] is None
    assert len(elements(tmp_path / "out")) == 6


# Strict runs.

RUN = f"""\
1 Q0 x 1 3.0 vague {A}
1 Q0 x 2 2.0 vague {S}
4 Q0 x 1 2.0 vague {P}
6 Q0 x 1 2.0 vague {A}
9 Q0 x 1 2.0 vague {A}
"""


@pytest.mark.usefixtures("judged")
def test_strict_runs_are_filtered_vague_ones(call: Command, write: Write, tmp_path: Path) -> None:
    one = write("runs/one.txt", RUN)
    two = write("runs/two.jsonl", json.dumps({"topic": "1", "doc": "x", "path": S, "score": 1}) + "\n")
    three = write("runs/three.txt", f"1 Q0 x 1 3.0 other {A}\n")
    done = call("cas", "--runs", one, two, three, "--topics", "topics.xml", "--out", "strict", "-o", "csv")
    assert done.code == 0, done.err
    assert done.out.splitlines() == [
        "run,results,conforming,topics,topics with results",
        "vague,5,3,4,3",
        "two,1,1,1,1",
        "other,1,0,1,0",
    ]
    assert done.notes == [
        "runs/one.txt: topics not in the topic files, left out: 9",
        "runs/three.txt: no result conforms, nothing is written",
    ]
    kept = (tmp_path / "strict" / "one.txt").read_text().splitlines()
    assert kept == [line for line in RUN.splitlines() if line.split()[0] != "9"][1:]
    assert sorted(file.name for file in (tmp_path / "strict").iterdir()) == ["one.txt", "two.jsonl"]


def test_runs_by_offset_need_the_collection(call: Command, write: Write, tmp_path: Path) -> None:
    write("docs/x.xml", "<article><sec>abc</sec>d</article>")
    run = write("r.txt", "1 Q0 x 1 3.0 fol 0 3\n1 Q0 x 2 2.0 fol 0 4\n")
    spec = write("cas.json", '{"1": {"target": "//sec"}}')
    refused = call("cas", "--runs", run, "--spec", spec, "--out", "strict")
    assert refused.code == 2
    assert refused.notes == [
        "r.txt: 2 results without the path of an element. "
        "Give --collection DIR to find the elements they are."
    ]
    assert not (tmp_path / "strict").exists()
    done = call("cas", "--runs", run, "--spec", spec, "--out", "strict", "--collection", "docs")
    assert done.code == 0, done.err
    assert (tmp_path / "strict" / "r.txt").read_text() == "1 Q0 x 1 3.0 fol 0 3\n"


# What cannot be done.


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("judged",), "give --topics FILE or --spec FILE.json."),
        (("judged", "--topics", "topics.xml", "--spec", "cas.json"), "give --topics FILE or"),
        (("judged", "judged", "--spec", "cas.json"), "give one file or folder of judgements"),
        (("judged", "judged", "--topics", "topics.xml"), "1.xml, line 1: is not topics in a known format."),
        (
            ("judged", "--topics", "topics.xml", "--out", "o"),
            "--interpretation selects the set that --out writes",
        ),
        (
            ("judged", "--topics", "topics.xml", "--interpretation", "SSCAS"),
            "--interpretation selects the set",
        ),
        (
            ("judged", "--topics", "topics.xml", "--interpretation", "TCAS", "--out", "o"),
            "unknown interpretation 'TCAS'",
        ),
        (
            ("judged", "--topics", "topics.xml", "--equivalence", "all"),
            "unknown table of equivalent tags 'all'",
        ),
        (("judged", "--topics", "topics.xml", "--quant", "all"), "unknown quantisation 'all'"),
        (
            ("judged", "--topics", "topics.xml", "--quant", "gen4"),
            "quantisation gen4 is for judgements of 2003",
        ),
        (("judged", "--topics", "none.xml"), "none.xml: no such file."),
        (("none", "--topics", "topics.xml"), "none: no such file."),
        (("judged", "--topics", "others.xml"), "judged: judges none of the topics with a structured query."),
        (
            ("judged", "--topics", "broken.xml"),
            "broken.xml, line 1: the castitle of topic 1 cannot be read as a",
        ),
        (
            ("--runs", "run", "--topics", "topics.xml"),
            "give the folder to write the strict runs to: --out DIR.",
        ),
        (("--runs", "run", "run", "--topics", "topics.xml", "--out", "o"), "give files with different names"),
        (("--runs", "-", "--topics", "topics.xml", "--out", "o"), "give files with different names"),
        (("--runs", "run", "--topics", "broken.xml", "--out", "o"), "the castitle of topic 1 cannot be read"),
        (
            ("--runs", "run", "--topics", "topics.xml", "--out", "judged"),
            "judged already exists; give a new or",
        ),
        (("judged", "--topics", "topics.xml", "-o", "yaml"), "unknown output format 'yaml'"),
    ],
)
@pytest.mark.usefixtures("judged")
def test_bad_input(
    arguments: tuple[str, ...], message: str, call: Command, write: Write, tmp_path: Path
) -> None:
    write("others.xml", TOPICS.replace('id="', 'id="2005'))
    write("broken.xml", TOPICS.replace("\n", "").replace("about(., bees)]", "about(., bees]"))
    write("cas.json", '{"1": {"target": "//p"}}')
    write("run", RUN)
    done = call("cas", *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.notes[-1]
    assert not (tmp_path / "o").exists()


def test_nothing_is_written_where_every_set_is_undefined(
    call: Command, judged: str, write: Write, tmp_path: Path
) -> None:
    spec = write("cas.json", '{"1": {"target": "//p", "children": ["77"]}}')
    done = call("cas", judged, "--spec", spec, "--interpretation", "VSCAS", "--out", "out")
    assert (done.code, done.out) == (2, "")
    assert done.notes[0] == "topic 1 has no VSCAS and no SSCAS set: its children 77 are not judged"
    assert done.notes[-1] == "no topic has a VSCAS set: nothing is written."
    assert not (tmp_path / "out").exists()


def test_a_failure_leaves_nothing_half(call: Command, judged: str, write: Write, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    arguments = ("cas", judged, "--topics", "topics.xml", "--interpretation", "VVCAS", "--out")
    assert "file already exists" in call(*arguments, "file").err
    assert "cannot be written" in call(*arguments, "file/below").err
    before = sorted(path.name for path in tmp_path.iterdir())
    write("run", RUN)
    bad = write("bad", "1 Q0 x\n")
    assert call("cas", "--runs", "run", bad, "--topics", "topics.xml", "--out", "out").code == 2
    after = sorted(path.name for path in tmp_path.iterdir())
    assert after == sorted([*before, "run", "bad"])
    assert (tmp_path / "file").read_text() == "mine"


def test_a_campaign_file_names_judgements_topics_and_runs(call: Command, judged: str, write: Write) -> None:
    run = write(
        "r.jsonl",
        f'{{"topic": "1", "doc": "x", "path": "{S}"}}\n{{"topic": "1", "doc": "x", "path": "{A}"}}\n',
    )
    manifest = write(
        "campaign.toml",
        f'topics = ["topics.xml"]\n[judgements]\na = "{judged}"\n'
        f'[tasks.one]\nmeasures = ["MAep"]\nruns = ["{Path(run).name}"]\n',
    )
    direct = call("cas", judged, "--topics", "topics.xml", "-o", "json")
    assert call("cas", "--campaign-file", manifest, "-o", "json").out == direct.out
    strict = call("cas", "--runs", "--campaign-file", manifest, "--out", "strict")
    assert strict.code == 0, strict.err
    assert "do not give them as well" in call("cas", judged, "--campaign-file", manifest).notes[-1]
    assert "give judgements" in call("cas", "--topics", "topics.xml").notes[-1]


def test_topics_of_2002_have_a_target(call: Command, write: Write) -> None:
    write("judged/1.xml", assessments("1", x={A: "2", S: "1", P: "1"}))
    title = "<Title><te>sec</te><cw>bees</cw></Title>"
    write("topics.xml", f'<INEX-Topic topic-id="1" query-type="CAS">{title}</INEX-Topic>')
    done = call("cas", "judged", "--topics", "topics.xml", "-o", "json")
    assert table(done) == {"1": (1, 1, 3, 3)}
