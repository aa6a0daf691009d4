"""Checking runs: every kind of defect planted in a good run and found, and nothing found in good ones."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.collection import Collection, open_collection
from inexlab.errors import InexlabError
from inexlab.problems import Problem
from inexlab.runs import read_run, validate, write_run
from inexlab.runs.read import run_formats
from inexlab.runs.tasks import TASKS, find_task
from inexlab.runs.validate import RunCheck, RunContext, run_rules
from inexlab.streams import open_stream
from tests.builders import calm, judged, results
from tests.mutations import mutated

# A has 26 characters: "Wie\n" and two paragraphs of ten and eleven; B has "ééé" (6 bytes) and an empty p.
DOCUMENTS = {
    "A": "<a><t>Wie\n</t><s><p>0123456789</p><p>abcdefghijk</p></s>\n</a>",
    "B": "<a><p>ééé</p><p/></a>",
}
HANDBOOK = Path(str(files("inexlab") / "handbook"))


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Collection:
    folder = tmp_path_factory.mktemp("documents")
    for name, content in DOCUMENTS.items():
        (folder / f"{name}.xml").write_text(content, encoding="utf-8")
    return open_collection(folder)


def found(file: Path, context: RunContext | None = None) -> list[Problem]:
    return list(RunCheck(open_stream(file), context or RunContext()).problems())


def kinds(file: Path, context: RunContext | None = None) -> list[tuple[int | None, str]]:
    return [(problem.line, problem.kind.name) for problem in found(file, context)]


def paths(*rows: str) -> str:
    """Rows `topic doc path` as a text run of elements, ranks rising and scores falling in each topic."""
    ranks: Counter[str] = Counter()
    lines = []
    for row in rows:
        topic, doc, path = row.split()
        ranks[topic] += 1
        lines.append(f"{topic} Q0 {doc} {ranks[topic]} {100 - ranks[topic]} run {path}\n")
    return "".join(lines)


def spans(*rows: str) -> str:
    """Rows `topic doc offset:length` as a text run of passages."""
    return paths(*(row.replace(":", ";") for row in rows)).replace(";", " ")


@dataclass(frozen=True)
class Planted:
    """A defect: the run that has it, its line, the task whose rules it breaks, what it is checked against."""

    run: str
    line: int | None
    task: str = ""
    collected: bool = False
    judged: bool = False
    limit: int = 1500
    asked: tuple[str, ...] | None = None


DEFECTS: dict[str, list[Planted]] = {
    "unreadable": [
        Planted("1 Q0 A 1 2 run 0 5\n1 Q0 A 2 1 run 5\n", 2),
        Planted("1 Q0 A 1 2 run 0 5\n1 Q0 A 2 1 other 5 5\n", 2),
        Planted("1 Q0 A 1 2 run 0 5\n1 Q0 A 2 x run 5 5\n", 2),
        Planted('{"topic": "1", "doc": "A", "start": 0, "end": 5}\n{"topic": "1", "doc": "A"}\n', 2),
        Planted(
            '<inex-submission run-id="r">\n<topic topic-id="1">\n<result/>\n</topic>\n</inex-submission>', 3
        ),
        Planted('<inex-submission run-id="r">\n<topic topic-id="1">\n', 3),
        Planted("# only a remark\n", None),
    ],
    "too-many-results": [
        Planted(spans("1 A 0:4", "1 A 5:4", "1 B 0:3", "1 B 0:2", "2 A 0:4"), 3, limit=2),
    ],
    "too-much-text": [
        Planted(spans("1 A 0:600", "1 A 600:400", "1 B 0:1", "1 B 2:1"), 3, task="restricted-focused"),
        Planted(spans("1 A 0:500", "1 B 0:499", "1 B 499:2"), 3, task="restricted-relevant-in-context"),
    ],
    "scattered-topic": [
        Planted(spans("1 A 0:4", "2 A 0:4", "1 B 0:3"), 3),
    ],
    "scattered-document": [
        Planted(spans("1 A 0:4", "1 B 0:3", "1 A 5:4", "1 A 10:4"), 3, task="relevant-in-context"),
        Planted(spans("1 A 0:4", "1 B 0:3", "1 A 5:4", "1 A 10:4"), 3, task="fetch-browse"),
    ],
    "rank-order": [
        Planted("1 Q0 A 1 9 run 0 5\n1 Q0 A 3 8 run 5 5\n1 Q0 A 2 7 run 10 5\n2 Q0 A 1 7 run 10 5\n", 3),
    ],
    "score-order": [
        Planted("1 Q0 A 1 9 run 0 5\n1 Q0 A 2 8 run 5 5\n1 Q0 A 3 8.5 run 10 5\n2 Q0 A 1 9 run 10 5\n", 3),
    ],
    "duplicate": [
        Planted(spans("1 A 0:4", "1 B 0:4", "1 A 0:4", "2 A 0:4"), 3),
        Planted(paths("1 A /a[1]/t[1]", "1 B /a[1]", "1 A /a/t", "2 A /a[1]/t[1]"), 3),
        Planted("1 Q0 A 1 2 run\n1 Q0 A 2 1 run\n", 2),
        Planted('{"topic": "1", "doc": "A", "start": 0, "end": 5}\n' * 2, 2),
    ],
    "second-result": [
        Planted(
            "1 Q0 A 1 9 run 0\n1 Q0 B 2 8 run 0\n1 Q0 A 3 7 run 9\n2 Q0 A 1 7 run 9\n",
            3,
            task="BestInContext",
        ),
    ],
    "overlap": [
        Planted(spans("1 A 0:4", "1 A 4:4", "1 A 3:2", "2 A 0:4"), 3, task="focused"),
        Planted(paths("1 A /a[1]/s[1]/p[1]", "1 A /a[1]/t[1]", "1 A /a[1]/s[1]"), 3, task="focused"),
        Planted(paths("1 A /a[1]/s[1]", "1 A /a[1]/t[1]", "1 A /a[1]/s[1]/p[2]"), 3, task="focused"),
        Planted(
            paths("1 A /a[1]/s[1]", "1 A /a[1]/s[1]/p[2]"), 2, task="relevant-in-context", collected=True
        ),
        Planted("1 Q0 A 1 2 run /\n1 Q0 A 2 1 run /a[1]\n", 2, task="focused", collected=True),
        # its text, though neither path contains the other
        Planted(
            '<inex-submission run-id="r" task="Focused"><topic topic-id="1">\n'
            "<result><file>A</file><path>/a[1]/s[1]/p[1]</path></result>\n"
            '<result><file>A</file><passage start="/a[1]/t[1]" end="/a[1]/s[1]/p[1]/text()[1].3"/></result>\n'
            "</topic></inex-submission>",
            3,
            collected=True,
        ),
    ],
    "unknown-document": [
        Planted(spans("1 A 0:4", "1 C 0:4"), 2, collected=True),
    ],
    "not-located": [
        Planted("1 Q0 A 1 2 run X 0\n1 Q0 B 2 1 run 0 3\n", 1),
        Planted("1 Q0 A 1 2 run 3\n1 Q0 B 2 1 run -1\n", 2),
    ],
    "bad-path": [
        Planted(paths("1 A /a[1]", "1 B /a[1]//p[1]"), 2),
        Planted(paths("1 A /a[1]", "1 B /a[x]"), 2, collected=True),
    ],
    "unknown-path": [
        Planted(paths("1 A /a[1]", "1 A /a[1]/s[2]"), 2, collected=True),
        Planted(
            '<inex-submission run-id="r"><topic topic-id="1">\n'
            '<result><file>A</file><passage start="/a[1]/s[1]/p[2]" end="/a[1]/t[1]"/></result>\n'
            "</topic></inex-submission>",
            2,
            collected=True,
        ),
    ],
    "outside-document": [
        Planted(spans("1 A 0:26", "1 A 20:7"), 2, collected=True),
        Planted(spans("1 A 0:26", "1 A 20:7"), 2, judged=True),
    ],
    "empty-result": [
        Planted(spans("1 A 0:4", "1 A 9:0"), 2),
        Planted(paths("1 B /a[1]/p[1]", "1 B /a[1]/p[2]"), 2, collected=True),
        Planted("1 Q0 A 1 2 run 3\n", 1, task="focused"),
    ],
    "no-judged-topic": [
        Planted(spans("7 A 0:4", "8 A 0:4"), None, judged=True),
    ],
    "unjudged-topic": [
        Planted(spans("1 A 0:4", "8 A 0:4"), None, judged=True),
    ],
    "missing-topic": [
        Planted(spans("1 A 0:4"), None, judged=True),
    ],
    "unknown-topic": [
        Planted(spans("1 A 0:4", "8 A 0:4", "8 A 4:4"), 2, asked=("1",)),
    ],
    "unanswered-topic": [
        Planted(spans("1 A 0:4"), None, asked=("1", "2")),
        Planted(spans("1 A 0:4"), None, judged=True, asked=("1", "2")),
    ],
}


def around_of(planted: Planted, collection: Collection, topics: tuple[str, ...] = ("1",)) -> RunContext:
    judgements = judged(*(f"{topic}:A 0:4 size=26" for topic in topics))
    return RunContext(
        TASKS.get(planted.task) or find_task(planted.task),
        planted.limit,
        collection if planted.collected else None,
        judgements.topics.codes if planted.judged else None,
        judgements.size_of if planted.judged else None,
        known_topics=planted.asked,
    )


@pytest.mark.parametrize(
    ("kind", "planted"), [(kind, planted) for kind, each in DEFECTS.items() for planted in each]
)
def test_a_planted_defect_is_found_where_it_is_and_nothing_else(
    tmp_path: Path, collection: Collection, kind: str, planted: Planted
) -> None:
    file = tmp_path / "run"
    file.write_text(planted.run, encoding="utf-8")
    topics = ("1", "2") if kind == "missing-topic" else ("1",)
    assert kinds(file, around_of(planted, collection, topics)) == [(planted.line, kind)]


def test_every_rule_has_a_planted_defect() -> None:
    of_several_files = {"same-run-id"}
    assert set(DEFECTS) == {"unreadable", *run_rules} - of_several_files


def test_a_run_id_of_another_file(tmp_path: Path) -> None:
    met: dict[str, str] = {}
    for name, expected in (("one", []), ("two", [(None, "same-run-id")]), ("one", [])):
        (tmp_path / name).write_text("1 Q0 A 1 1.0 r 0 5\n")
        assert kinds(tmp_path / name, RunContext(run_ids=met)) == expected


@pytest.mark.parametrize("name", list(run_rules))
def test_every_kind_says_what_it_means_and_what_to_do(name: str) -> None:
    kind = run_rules[name].kind
    assert kind.name == name
    assert kind.severity in ("error", "remark")
    assert len(kind.meaning) > 20
    assert kind.remedy.endswith(".")


CLEAN = {
    "focused-paragraphs.txt": "focused",
    "focused-sections.txt": "focused",
    "focused-articles.txt": "focused",
    "focused-chunks.jsonl": "thorough",  # of a window that moves by half its length
    "in-context.xml": "relevant-in-context",
    "best-in-context.txt": "best-in-context",
}


@pytest.mark.parametrize("name", CLEAN)
@pytest.mark.parametrize("with_task", [False, True])
def test_the_runs_of_the_handbook_are_clean(name: str, with_task: bool) -> None:
    task = TASKS[CLEAN[name]] if with_task else None
    context = RunContext(task, collection=open_collection(HANDBOOK / "articles"))
    assert found(HANDBOOK / "runs" / name, context) == []
    assert found(HANDBOOK / "runs" / name, RunContext(task)) == []


@pytest.mark.parametrize("format", ["text", "xml", "jsonl"])
def test_a_format_with_a_plain_reader_is_checked_alike(
    format: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a reader of rows the same problems are found in the same results; only lines are not known."""
    file, context = tmp_path / "run", RunContext(TASKS["relevant-in-context"])
    file.write_text(spans("1 A 0:4", "1 A 2:4", "1 B 0:1", "1 A 8:1", "2 A 0:9"))
    if format != "text":
        write_run(read_run(file), tmp_path / "other", {"xml": "2008", "jsonl": "jsonl"}[format])
        file = tmp_path / "other"
    expected = [(problem.kind, problem.message) for problem in found(file, context)]
    assert {kind.name for kind, _ in expected} >= {"overlap", "scattered-document"}
    monkeypatch.setitem(run_formats._entries, format, replace(run_formats[format], rows=None))
    problems = found(file, RunContext(TASKS["relevant-in-context"]))
    assert [(problem.kind, problem.message) for problem in problems] == expected
    assert {problem.line for problem in problems} == {None}


def test_entry_points_of_a_plain_reader_are_no_empty_spans(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(run_formats._entries, "text", replace(run_formats["text"], rows=None))
    for task in (None, TASKS["best-in-context"]):
        assert found(HANDBOOK / "runs/best-in-context.txt", RunContext(task)) == []


def test_touching_results_do_not_overlap(tmp_path: Path) -> None:
    file = tmp_path / "run"
    file.write_text(spans("1 A 0:4", "1 A 4:4", "1 A 8:1", "1 B 0:9"))
    assert found(file, RunContext(TASKS["focused"])) == []


def test_the_published_focused_sample_overlaps(tmp_path: Path) -> None:
    """Cherukuri (2010), Table 4: rank 10 contains ranks 5 and 9."""
    rows = ["1 3260094 /article[1]/bdy[1]/p[2]", "1 52497 /article[1]/bdy[1]/sec[1]/p[1]"]
    rows += ["1 52497 /article[1]/bdy[1]/sec[1]/p[6]", "1 52497 /article[1]/bdy[1]/sec[1]"]
    file = tmp_path / "run"
    file.write_text(paths(*rows))
    assert kinds(file, RunContext(TASKS["focused"])) == [(4, "overlap")]
    assert found(file, RunContext(TASKS["thorough"])) == []


def test_a_message_names_topic_result_and_the_other_one(tmp_path: Path) -> None:
    file = tmp_path / "run"
    file.write_text(spans("7 A 0:4", "7 B 0:4", "7 A 2:4"))
    (problem,) = found(file, RunContext(TASKS["focused"]))
    assert problem.where == f"{file}:3"
    assert problem.message == "topic 7, result 3: 2:4 of document A overlaps result 1"


def test_a_run_on_one_line_of_xml_is_told_apart_by_results(tmp_path: Path) -> None:
    file = tmp_path / "run.xml"
    result = "<result><file>A</file><path>/a[1]</path></result>"
    file.write_text(f'<inex-submission run-id="r"><topic topic-id="1">{result * 2}</topic></inex-submission>')
    (problem,) = found(file)
    assert (problem.line, problem.kind.name) == (1, "duplicate")
    assert problem.message.startswith("topic 1, result 2: ")


def test_the_task_is_taken_from_the_run_unless_given(tmp_path: Path) -> None:
    file = tmp_path / "run.xml"
    two = "".join(f"<result><file>A</file><path>{p}</path></result>" for p in ("/a[1]", "/a[1]/p[1]"))
    for stated, expected in (("CO.Focussed", ["overlap"]), ("CO.Thorough", []), ("Guessing", [])):
        topic = f'<topic topic-id="1">{two}</topic>'
        file.write_text(f'<inex-submission run-id="r" task="{stated}">{topic}</inex-submission>')
        check = RunCheck(open_stream(file), RunContext())
        assert [problem.kind.name for problem in check.problems()] == expected
        assert check.stated_task == stated
    assert check.task is None
    given_task = RunCheck(open_stream(file), RunContext(TASKS["focused"]))
    assert [problem.kind.name for problem in given_task.problems()] == ["overlap"]


def test_offsets_in_bytes_are_suspected_and_read(tmp_path: Path, collection: Collection) -> None:
    file = tmp_path / "run"
    file.write_text(spans("1 B 0:6"))
    (problem,) = found(file, RunContext(collection=collection))
    assert problem.kind.name == "outside-document"
    assert "try `unit=byte`" in problem.message
    assert found(file, RunContext(collection=collection, unit="byte")) == []
    file.write_text(spans("1 B 0:7"))
    (problem,) = found(file, RunContext(collection=collection))
    assert "try `unit=byte`" not in problem.message
    assert kinds(file, RunContext(collection=collection, unit="byte")) == [(1, "outside-document")]


def test_every_unreadable_row_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "run"
    file.write_text(
        "1 Q0 A 1 2 run 0 5\n1 Q0 A 2\n1 Q0 A 2 x run 0 5\n1 Q0 B 4 1 run 0 5\n1 Q0 B 5 1 run 0 5\n"
    )
    assert kinds(file) == [(2, "unreadable"), (3, "unreadable"), (5, "duplicate")]


# --- laws ---------------------------------------------------------------------------------------------------


@calm
@given(results(topics=("1", "2"), most=20))
def test_overlap_and_duplicates_are_what_a_plain_comparison_finds(
    tmp_path_factory: pytest.TempPathFactory, rows: list[str]
) -> None:
    lines, expected = [], Counter[str]()
    before: list[tuple[str, int, int]] = []
    latest = ""
    for row in sorted(rows, key=lambda row: row.partition(":")[0]):
        topic, _, place = row.partition(":")
        before, latest = (before if topic == latest else []), topic
        if place.endswith("?"):
            continue
        doc, _, span = place.rstrip(")").partition("[")
        start, end = (int(number) for number in span.split(","))
        lines.append(f"{topic} Q0 {doc} {len(before) + 1} 1 run {start} {end - start}\n")
        if (doc, start, end) in before:
            expected["duplicate"] += 1
        elif any(d == doc and max(s, start) < min(e, end) for d, s, e in before):
            expected["overlap"] += 1
        expected["empty-result"] += start == end
        before.append((doc, start, end))
    if lines:
        file = tmp_path_factory.getbasetemp() / "law"
        file.write_text("".join(lines))
        assert Counter(kind for _, kind in kinds(file, RunContext(TASKS["focused"]))) == +expected


@calm
@given(st.lists(st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=4), max_size=12))
def test_overlap_of_paths_is_containment(
    tmp_path_factory: pytest.TempPathFactory, steps: list[list[str]]
) -> None:
    expected = Counter[str]()
    before: list[list[str]] = []
    for path in steps:
        if path in before:
            expected["duplicate"] += 1
        elif any(path[: len(other)] == other or other[: len(path)] == path for other in before):
            expected["overlap"] += 1
        before.append(path)
    if steps:
        file = tmp_path_factory.getbasetemp() / "law"
        file.write_text(paths(*(f"1 A /{'/'.join(f'{step}[1]' for step in path)}" for path in steps)))
        assert Counter(kind for _, kind in kinds(file, RunContext(TASKS["focused"]))) == expected


@pytest.mark.parametrize("name", CLEAN)
def test_check_and_reader_agree_about_what_can_be_read(tmp_path: Path, name: str) -> None:
    original = (HANDBOOK / "runs" / name).read_bytes()
    file = tmp_path / "damaged"
    refused = 0
    for number, content in enumerate(mutated(original, name, 300)):
        file.write_bytes(content)
        try:
            read_run(file)
            readable = True
        except InexlabError:
            readable = False
        try:
            unreadable = any(problem.kind.severity == "unreadable" for problem in found(file))
        except InexlabError:  # not even the beginning can be read
            unreadable = True
        assert unreadable != readable, f"mutation {number}"
        refused += unreadable
    assert 30 < refused < 270, "the damage is too mild or too hard to test anything"


# --- memory -------------------------------------------------------------------------------------------------


def _large(topics: int) -> str:
    places = [f"D{r // 3} {r} {2000 - r} run {r % 3 * 50} 40\n" for r in range(1, 301)]
    return "".join(f"{topic:05d} Q0 {place}" for topic in range(topics) for place in places)


def _as_xml(text: str) -> str:
    rows = [line.split() for line in text.splitlines()]
    body = "".join(
        f'<topic topic-id="{t}"><result><file>{doc}</file><fol offset="{o}" length="{n}"/></result></topic>\n'
        for t, _q0, doc, _rank, _score, _tag, o, n in rows
    )
    return f'<inex-submission run-id="r">{body}</inex-submission>'


def _as_json(text: str) -> str:
    rows = [line.split() for line in text.splitlines()]
    return "".join(
        f'{{"topic": "{t}", "doc": "{doc}", "start": {o}, "end": {int(o) + int(n)}}}\n'
        for t, _q0, doc, _rank, _score, _tag, o, n in rows
    )


@pytest.mark.parametrize("form", [str, _as_xml, _as_json])
def test_a_large_run_needs_no_more_memory_than_a_small_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: Callable[[str], str]
) -> None:
    monkeypatch.setattr(validate, "_REMEMBERED", 1000)
    monkeypatch.setattr("inexlab.streams._CHUNK", 1 << 14)

    def peak(topics: int) -> int:
        file = tmp_path / f"run{topics}"
        file.write_text(form(_large(topics)))
        context = RunContext(TASKS["focused"])
        tracemalloc.start()
        try:
            assert not [p for p in found(file, context) if p.kind.name != "scattered-topic"]
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(5)  # so that everything is loaded
    assert peak(120) < 2 * peak(15)


def test_a_topic_that_was_forgotten_is_said_to_be_scattered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [f"{topic} A {50 * n}:4" for topic in (1, 2, 3, 1) for n in range(10)]
    file = tmp_path / "run"
    file.write_text(spans(*rows))
    repeated = [(line, "duplicate") for line in range(31, 41)]
    assert sorted(kinds(file)) == sorted([(31, "scattered-topic"), *repeated])
    monkeypatch.setattr(validate, "_REMEMBERED", 15)
    assert kinds(file) == [(31, "scattered-topic")]


def test_results_beyond_the_limit_are_not_looked_at(tmp_path: Path) -> None:
    file = tmp_path / "run"
    file.write_text(spans(*["1 A 0:4"] * 5))
    assert kinds(file, RunContext(limit=2)) == [(2, "duplicate"), (3, "too-many-results")]
    assert len(found(file, RunContext(limit=0))) == 4
