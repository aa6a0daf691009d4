"""`inexlab run`: runs for every task in every format, valid by the rules of their task."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from inexlab.cli.main import application
from inexlab.collection import open_collection
from inexlab.retrieval.tasks import OVERLAPS, TASKS
from inexlab.runs import read_run
from inexlab.runs.locate import locate
from tests.cli.conftest import HANDBOOK, Command, Write

TOPICS = HANDBOOK / "topics.xml"
FORMATS = ["2005", "2008", "2009", "2009-fol", "jsonl"]
CAN_CHECK = "check" in [
    getattr(command.callback, "__name__", "") for command in application().registered_commands
]


def valid(call: Command, file: str, task: str) -> None:
    """Check a run by the rules of its task."""
    if CAN_CHECK:
        given = ("--task", task, "--collection", HANDBOOK / "articles", "--topics", TOPICS)
        done = call("check", file, *given)
        assert done.code == 0, done.out + done.err


@pytest.mark.parametrize("query", ["title", "castitle"])
@pytest.mark.parametrize(
    ("task", "run_format"),
    [(task, f) for task in TASKS for f in FORMATS] + [("best-in-context", "2009-bep")],
)
def test_every_task_in_every_format(
    call: Command, handbook_index: Path, task: str, run_format: str, query: str
) -> None:
    options = ("--task", task, "--run-format", run_format, "--query", query, "--about", "participant=1")
    extra = options if run_format in ("2005", "2008") else options[:-2]
    done = call("run", handbook_index, "--topics", TOPICS, "--out", "run", *extra)
    assert done.code == 0, done.err
    run = read_run("run")
    located = locate(run, open_collection(HANDBOOK / "articles"))
    assert len(run.topics) == 6
    assert (located.start >= 0).all()
    shown = [note for note in done.notes if "run id" not in note]
    assert shown == [f"{len(run):,} results for 6 topics"]
    valid(call, "run", task)


@pytest.mark.parametrize("overlap", OVERLAPS)
@pytest.mark.parametrize("task", ["focused", "relevant-in-context"])
def test_no_overlap_is_left(call: Command, handbook_index: Path, task: str, overlap: str) -> None:
    given = ("--topics", TOPICS, "--out", "run.jsonl", "--run-format", "jsonl", "--task", task)
    assert call("run", handbook_index, *given, "--overlap", overlap).code == 0
    rows = [(r.topic, r.doc, r.start or 0, r.end or 0) for r in read_run("run.jsonl")]
    ordered = sorted(rows)
    for one, other in pairwise(ordered):
        assert one[:2] != other[:2] or one[3] <= other[2]
    valid(call, "run.jsonl", task)


def test_options_make_a_difference(call: Command, handbook_index: Path) -> None:
    def run(*options: str) -> list[tuple[str, str | None]]:
        done = call("run", handbook_index, "--topics", TOPICS, "--out", "run.txt", *options)
        assert done.code == 0, done.err
        return [(r.doc, r.path) for r in read_run("run.txt")]

    plain = run()
    for options in (
        ["--model", "lnu-ltu"],
        ["--query", "castitle"],
        ["--query", "castitle", "--interpretation", "SSCAS"],
        ["--query", "phrasetitle"],
        ["--query", "description"],
        ["--task", "focused"],
        ["--task", "focused", "--overlap", "child"],
        ["--limit", "7"],
    ):
        other = run(*options)
        assert other != plain
        plain = other
    assert len(run("--limit", "7")) == 42


def test_run_ids(call: Command, handbook_index: Path) -> None:
    given = ("run", handbook_index, "--topics", TOPICS, "--out", "run.txt")
    call(*given, "--model", "bm25(k1=0.9, b=0.75)")
    assert read_run("run.txt").id == "bm25(k1=0.9)-thorough"
    call(*given, "--run-id", "mine")
    assert read_run("run.txt").id == "mine"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--out", "nosuch/run.txt"], "nosuch/run.txt cannot be written (No such file or directory)"),
        (["--out", "."], ". is not a file; give a file as --out."),
        (["--out", "run.txt", "--run-id", "a b"], "run id 'a b' has white space"),
        (["--out", "run.xml", "--run-id", "a\x01", "--run-format", "2005"], "run id 'a\\x01'"),
    ],
)
def test_what_cannot_be_written_is_told_before_the_search(
    call: Command, handbook_index: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], message: str
) -> None:
    monkeypatch.setattr("inexlab.api.making.search_all", None)
    done = call("run", handbook_index, "--topics", TOPICS, *options)
    assert (done.code, message in done.err) == (2, True), done.err


def test_standard_output(inexlab: Command, handbook_index: Path) -> None:
    done = inexlab("run", handbook_index, "--topics", TOPICS, "--out", "-", "--limit", "1")
    assert done.code == 0
    assert len(done.out.splitlines()) == 6


def test_seeding_says_what_it_changes(call: Command, handbook_index: Path) -> None:
    given = ("run", handbook_index, "--topics", TOPICS, "--out", "run.txt", "--seed-documents")
    assert call(*given, "8").notes[-1] == (
        "8 trees a topic instead of all changed the best 1500 results of 0 of 6 topics"
    )
    few = call(*given, "1").notes[-1]
    assert few.startswith(
        "1 tree a topic instead of all changed the best 1500 results of 6 of 6 topics, from rank"
    )
    assert len(call(*given, "all").notes) == 1


@pytest.mark.parametrize("task", list(TASKS))
def test_what_seeding_is_said_to_change_is_what_it_changes(
    call: Command, handbook_index: Path, task: str
) -> None:
    def results(*options: str) -> tuple[dict[str, list[tuple[str, str | None]]], str]:
        given = (
            "--topics",
            TOPICS,
            "--out",
            "run.txt",
            "--run-format",
            "2009",
            "--limit",
            "9",
            "--task",
            task,
        )
        done = call("run", handbook_index, *given, *options)
        found: dict[str, list[tuple[str, str | None]]] = {}
        for result in read_run("run.txt"):
            found.setdefault(result.topic, []).append((result.doc, result.path))
        return found, done.notes[-1]

    every, _ = results()
    for seeds in ("1", "2", "4"):
        some, shown = results("--seed-documents", seeds)
        changed = sum(some[topic] != every[topic] for topic in every)
        assert f"changed the best 9 results of {changed} of 6 topics" in shown


def test_topics_without_a_query_or_results(call: Command, handbook_index: Path, write: Write) -> None:
    rows = ['{"topic": "1", "title": "pooling"}', '{"topic": "2", "title": "xylophone"}']
    rows.append('{"topic": "3", "castitle": "//p[about(., pooling)]"}')
    topics = write("topics.jsonl", "\n".join(rows))
    done = call("run", handbook_index, "--topics", topics, "--out", "run.txt")
    assert done.code == 0
    assert done.notes[1:] == ["1 topic has no title: 3", "1 topic has no results: 2"]


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--task", "focussed"], "unknown task 'focussed'; did you mean 'focused'?"),
        (["--overlap", "parent"], "unknown method of overlap removal 'parent'"),
        (["--model", "bm52"], "unknown retrieval model 'bm52'"),
        (["--query", "titel"], "unknown field of topics 'titel'; did you mean 'title'?"),
        (["--query", "keywords"], "no topic has a keywords; --query names another field"),
        (["--run-format", "2010"], "unknown run format '2010'"),
        (["--run-format", "2009-bep"], "format 2009-bep holds entry points"),
        (["--interpretation", "CAS"], "unknown interpretation 'CAS'"),
        (["--equivalence", "nothing"], "unknown table of equivalent tags 'nothing'"),
        (["--seed-documents", "some"], "--seed-documents some must be a number >= 1, or all"),
        (["--seed-documents", "0"], "--seed-documents 0 must be a number >= 1, or all"),
        (["--about", "colour=red"], "unknown name for --about 'colour'"),
        (["--topics", "nowhere.xml"], "nowhere.xml"),
    ],
)
def test_what_cannot_be_used(
    call: Command, handbook_index: Path, tmp_path: Path, options: list[str], complaint: str
) -> None:
    done = call("run", handbook_index, "--topics", TOPICS, "--out", "run.txt", *options)
    assert done.code == 2
    assert complaint in done.err
    assert not (tmp_path / "run.txt").exists()


def test_a_mistake_in_a_topic_is_pointed_at(call: Command, handbook_index: Path, write: Write) -> None:
    topics = write("topics.jsonl", '\n{"topic": "7", "castitle": "//a[about(., x)"}')
    done = call("run", handbook_index, "--topics", topics, "--out", "run.txt", "--query", "castitle")
    assert done.code == 2
    assert "topics.jsonl, line 2: castitle of topic 7, column 16: expected" in done.err
    assert done.err.splitlines()[1:] == ["  //a[about(., x)", "                 ^"]


def test_all_mistakes_are_told_before_anything_is_searched(
    call: Command, handbook_index: Path, write: Write
) -> None:
    rows = [
        '{"topic": "1", "castitle": "//p[about(., pooling)]"}',
        '{"topic": "2", "castitle": "//p[about(., x)"}',
    ]
    rows += [f'{{"topic": "{k}", "castitle": "//p[about(x)]"}}' for k in (3, 4)]
    topics = write("topics.jsonl", "\n".join(rows))
    done = call("run", handbook_index, "--topics", topics, "--out", "run.txt", "--query", "castitle")
    assert done.code == 2
    assert "line 2: castitle of topic 2, column 16: expected" in done.err
    assert "there is a mistake in topics 3, 4 as well." in done.err
    assert not Path("run.txt").exists()


def test_unbalanced_quotation_marks_are_noted(call: Command, handbook_index: Path, write: Write) -> None:
    rows = [{"topic": "1", "title": "pooling"}, {"topic": "2", "title": 'documents" "best entry point"'}]
    topics = write("topics.jsonl", "\n".join(map(json.dumps, rows)))
    done = call("run", handbook_index, "--topics", topics, "--out", "run.txt")
    assert done.code == 0
    assert done.notes[1:] == [
        "1 topic has unbalanced quotation marks in the title, ignored where they enclose no phrase: 2"
    ]
    assert len(read_run("run.txt").topics) == 2


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        (["--interpretation", "SSCAS"], "--interpretation has no effect: no query has structure"),
        (["--equivalence", "sections"], "--equivalence has no effect: no query has structure"),
        (["--overlap", "child"], "--overlap has no effect: task thorough does not remove overlap"),
        (["--interpretation", "SSCAS", "--query", "castitle"], ""),
        (["--overlap", "child", "--task", "focused"], ""),
    ],
)
def test_options_without_effect_are_told(
    call: Command, handbook_index: Path, options: list[str], shown: str
) -> None:
    done = call("run", handbook_index, "--topics", TOPICS, "--out", "run.txt", *options)
    assert done.code == 0
    assert len(done.notes) == 1 + bool(shown)
    assert shown in done.notes[-1]


def test_default_ids_tell_runs_apart(call: Command, handbook_index: Path) -> None:
    """Runs of every model, task, query and strategy can be compared in one call without naming them."""
    choices = [
        (),
        ("--model", "lm-jm"),
        ("--task", "focused"),
        ("--task", "focused", "--overlap", "child"),
        ("--task", "focused", "--overlap", "section"),
        ("--query", "narrative"),
        ("--query", "castitle"),
        ("--query", "castitle", "--interpretation", "SVCAS"),
        ("--seed-documents", "2"),
    ]
    ids = []
    for options in choices:
        assert call("run", handbook_index, "--topics", TOPICS, "--out", "run", *options).code == 0
        ids.append(read_run("run").id)
    assert len(set(ids)) == len(choices), ids
    assert ids[0] == "bm25-thorough"


def test_a_narrative_is_read_as_words(call: Command, write: Write, handbook_index: Path) -> None:
    """Whatever its punctuation would mean in a query."""
    write(
        "topics.xml",
        '<topics><topic id="1"><title>x</title>'
        '<narrative>Relevant: (overlap) of elements, -not "pools".</narrative></topic></topics>',
    )
    asked = ("run", handbook_index, "--topics", "topics.xml", "--query", "narrative", "--out", "n.jsonl")
    assert call(*asked, "--run-format", "jsonl").code == 0
    assert len(read_run("n.jsonl")) > 0


@pytest.mark.parametrize(
    ("run_format", "widened"),
    [("2009-fol", False), ("2008", False), ("jsonl", False), ("2009", True), ("2005", True)],
)
def test_passages_in_every_format(
    call: Command, handbook_index: Path, tmp_path: Path, run_format: str, widened: bool
) -> None:
    out = tmp_path / "run.any"
    options = ("--by", "passages:200c", "--task", "focused", "--run-format", run_format, "--limit", "20")
    done = call("run", handbook_index, "--topics", TOPICS, "--out", out, *options)
    assert done.code == 0, done.err
    assert ("can only name elements" in done.err) is widened
    made = read_run(out)
    if widened:
        assert (made.path >= 0).all()
    else:
        assert (made.end - made.start <= 200).mean() > 0.9  # a word may be longer than the limit
        assert (made.end > made.start).all()


def test_units_are_part_of_the_id(call: Command, handbook_index: Path, tmp_path: Path) -> None:
    for by, part in (("elements", "bm25-thorough"), ("windows:80w/40w", "bm25-thorough-windows-80w-40w")):
        out = tmp_path / "run.txt"
        call("run", handbook_index, "--topics", TOPICS, "--out", out, "--by", by)
        assert out.read_text().split()[5] == part
