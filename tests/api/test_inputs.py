"""What is given by path may be an object: frames, dictionaries, records, and tables of ours."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import polars as pl
import pytest

import inexlab
from inexlab import Judgements, Run
from inexlab.errors import InexlabError, UnknownNameError, UsageError
from inexlab.scores import Scores

pytestmark = pytest.mark.usefixtures("here")

FRAMES = pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, lambda d: pl.LazyFrame(d)])
Frame = Callable[[dict[str, list[Any]]], Any]


@FRAMES
@pytest.mark.parametrize(
    ("topic", "doc", "score"),
    [
        ("query_id", "doc_id", "score"),
        ("qid", "docno", "score"),
        ("q_id", "doc_id", "score"),
        ("topic", "doc", "sim"),
        ("topic_id", "document", "rsv"),
        ("query-id", "corpus-id", "score"),
        ("Query_ID", "Doc ID", "Score"),
    ],
)
def test_a_run_from_a_frame(frame: Frame, topic: str, doc: str, score: str) -> None:
    run = Run.of(frame({topic: [7, 7, 8], doc: ["a", "b", "c"], score: [0.1, 0.2, 0.3]}))
    assert [(r.topic, r.rank, r.doc, r.score) for r in run] == [
        ("7", 1, "b", 0.2),
        ("7", 2, "a", 0.1),
        ("8", 1, "c", 0.3),
    ]


@FRAMES
def test_places_in_documents(frame: Frame) -> None:
    columns: dict[str, list[Any]] = {
        "qid": ["1", "1", "1"],
        "docno": ["a", "a", "b"],
        "score": [3.0, 2.0, 1.0],
        "start": [0, 5, None],
        "end": [5, 9, None],
        "path": [None, None, "/a[1]/p[2]"],
    }
    run = Run.of(frame(columns), id="mine")
    assert run.id == "mine"
    assert [(r.start, r.end, r.path) for r in run] == [
        (0, 5, None),
        (5, 9, None),
        (None, None, "/a[1]/p[2]"),
    ]


def test_ranks_order_results_without_scores() -> None:
    run = Run.of([{"topic": 1, "doc": "b", "rank": 2}, {"topic": 1, "doc": "a", "rank": 1}])
    assert [r.doc for r in run] == ["a", "b"]


class Scored(NamedTuple):
    query_id: str
    doc_id: str
    score: float


def test_records_are_named_tuples_or_dictionaries() -> None:
    rows = [Scored("1", "a", 0.5), Scored("1", "b", 0.9)]
    assert [r.doc for r in Run.of(rows)] == ["b", "a"]
    assert [r.doc for r in Run.of(row._asdict() for row in rows)] == ["b", "a"]
    assert list(Run.of(list(Run.of(rows)))) == list(Run.of(rows))  # results of ours are records, too


def test_records_may_lack_fields() -> None:
    run = Run.of([{"topic": 1, "doc": "a", "start": 0, "end": 4}, {"topic": 1, "doc": "b", "path": "/a[1]"}])
    assert [(r.start, r.path) for r in run] == [(0, None), (None, "/a[1]")]


def test_several_runs_in_one_frame() -> None:
    frame = pd.DataFrame(
        {
            "system": ["x", "y", "x", "y"],
            "qid": ["1", "1", "2", "2"],
            "docno": ["a", "b", "a", "b"],
            "score": [1.0, 1.0, 1.0, 1.0],
        }
    )
    judged = {"1": {"a": 1}, "2": {"a": 1, "b": 1}}
    means = inexlab.evaluate(judged, frame, "P@1").means()
    assert means == {"x": {"P@1": 1.0}, "y": {"P@1": 0.5}}
    with pytest.raises(UsageError, match="there are 2 runs where one is expected: x, y"):
        Run.of(frame)


def test_runs_by_name() -> None:
    judged = {"1": {"a": 1, "b": 0}}
    runs = {
        "good": {"1": {"a": 2, "b": 1}},
        "bad": pd.DataFrame({"qid": ["1"], "docno": ["b"], "score": [1]}),
    }
    assert inexlab.evaluate(judged, runs, "RR").means() == {"good": {"RR": 1.0}, "bad": {"RR": 0.0}}
    listed = inexlab.evaluate(judged, list(runs.values()), "RR")
    assert listed.scores[0].systems == ("run1", "run2")


def test_one_run_needs_no_list() -> None:
    path = "demo/runs/focused-chunks.jsonl"
    one = inexlab.evaluate("demo/judgements.qrels", path, "MAiP")
    table = inexlab.evaluate("demo/judgements.qrels", inexlab.read_run(path), "MAiP")
    assert one.means() == table.means()


@FRAMES
def test_judgements_from_a_frame_keep_grades(frame: Frame) -> None:
    judged = Judgements.of(frame({"query_id": [1, 1, 2], "doc_id": ["a", "b", "c"], "relevance": [3, 0, -1]}))
    assert judged.to_dict() == {"1": {"a": 3, "b": 0}, "2": {"c": -1}}
    assert Judgements.of(judged.to_dict()).to_dict() == judged.to_dict()


def test_highlights_from_frames_and_dictionaries() -> None:
    by_row = pd.DataFrame({"qid": ["1", "1"], "docno": ["a", "a"], "start": [0, 7], "end": [5, 9]})
    spans = pl.DataFrame({"qid": ["1", "1"], "docno": ["a", "b"], "spans": [[[0, 5], [7, 9]], []]})
    nested = {"1": {"a": [[0, 5], [7, 9]], "b": []}}
    assert [tuple(j.spans) for j in Judgements.of(by_row)] == [((0, 5), (7, 9))]
    assert list(Judgements.of(spans)) == list(Judgements.of(nested))


def test_a_file_there_and_back() -> None:
    judged = inexlab.read_judgements("demo/judgements.qrels")
    run = inexlab.read_run("demo/runs/focused-sections.txt")
    original = inexlab.evaluate(judged, run, ["MAiP", "AP"], collection="demo/articles")
    for frames in ("to_pandas", "to_polars"):
        again = inexlab.evaluate(
            getattr(judged, frames)(), getattr(run, frames)(), ["MAiP", "AP"], collection="demo/articles"
        )
        assert again.to_pandas().equals(original.to_pandas())


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            pd.DataFrame({"a": [1], "docno": ["x"]}),
            r"no column for the topic \(topic, topic_id, .*\); the columns are: a, docno\.",
        ),
        ([{"qid": 1}], r"no column for the doc .*; the columns are: qid\."),
        ([{"qid": 1, "doc": "a", "score": "high"}], "row 1: score is 'high', expected a number"),
        ([{"qid": 1, "doc": "a", "start": 3, "end": 1}], r"row 1: \[3, 1\) is not a span"),
        ([{"qid": 1, "doc": "a", "start": 3.5, "end": 4}], "row 1: start is '3.5', expected a whole number"),
        ([{"qid": 1, "doc": "a", "start": 3}], "row 1: end is 'None', expected a whole number"),
        ([{"qid": None, "doc": "a"}], "row 1: the topic is missing"),
        ([{"qid": 1, "doc": " "}], "row 1: the document is missing"),
        ({"1": ["a", "b"]}, r"run run, topic 1: expected \{document: score\}, not list"),
        ({}, "holds no results"),
        (pd.DataFrame({"qid": [], "docno": []}), "the table is empty"),
        (7, "cannot be made from int"),
    ],
)
def test_what_is_no_run_says_why(data: object, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Run.of(data)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            pd.DataFrame({"qid": ["1"], "docno": ["x"]}),
            r"no column for grade \(.*\) or spans .* or start .*; the columns are: qid, docno",
        ),
        ({"1": {"a": 0.5}}, "row 1: grade is '0.5', expected a whole number"),
        ({"1": 3}, r"topic 1: expected \{document: grade\}, not int"),
        ({"1": {"a": [[3, 1]]}}, r"\[3, 1\) is not a span"),
        ({"1": {"a": [3]}}, "'3' is not a span"),
        ([{"qid": 1, "doc": "a", "rel": 1}, {"qid": 1, "doc": "a", "rel": 0}], "judged a second time"),
        ([{"qid": 1, "doc": "a", "rel": 1}, {"qid": 1, "doc": "b"}], "the grade is missing"),
        ({}, "the data holds no judgements"),
    ],
)
def test_what_is_no_judgements_says_why(data: object, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Judgements.of(data)


def test_scores_say_which_measures_there_are() -> None:
    scores = inexlab.evaluate({"1": {"a": 1}}, {"1": {"a": 1.0}}, ["RR", "P@1"])
    with pytest.raises(
        UnknownNameError, match=r"unknown measure of these scores 'P@2'; did you mean 'P@1'\?"
    ):
        scores["P@2"]
    with pytest.raises(KeyError):
        scores["nope"]
    with pytest.raises(InexlabError, match=r"Known: RR, P@1"):
        scores["nope"]
    measure = inexlab.measures.parse("P@1")
    assert scores[measure] is scores["P@1"]
    with pytest.raises(UnknownNameError, match="unknown system 'x'"):
        scores["RR"]["x"]
    assert scores["RR"]["run"] == {"1": 1.0}


def test_scores_from_frames() -> None:
    """What `evaluate` gives, and what pyterrier's Experiment and ir_measures give, can be compared."""
    runs = sorted(Path("demo/runs").glob("focused-*.*"))
    scores = inexlab.evaluate("demo/judgements.qrels", runs, "MAiP", collection="demo/articles")
    expected = inexlab.compare(scores, test="t").to_pandas()
    frame = scores.to_pandas()
    for given_as in (frame, scores.to_polars(), frame.to_dict("records"), scores["MAiP"], scores.scores):
        assert inexlab.compare(given_as, test="t").to_pandas().equals(expected)
    theirs = frame[frame["topic"] != "all"].rename(columns={"run": "name", "topic": "qid"})
    assert inexlab.compare(theirs, test="t").to_pandas().equals(expected)
    systems = [
        Scores((s,), scores["MAiP"].topics, scores["MAiP"].choose([s]).values, "MAiP") for s in scores.means()
    ]
    assert inexlab.compare(systems, test="t").to_pandas().equals(expected)


def test_topics_from_objects() -> None:
    frame = pd.DataFrame({"qid": ["q1"], "query": ["overlap of elements"]})
    for given_as in (
        {"q1": "overlap of elements"},
        frame,
        pl.DataFrame(frame.to_dict("list")),
        inexlab.read_topics(frame),
    ):
        run = inexlab.make_run("demo/index", given_as, limit=3)
        assert (len(run), list(run.topics)) == (3, ["q1"])
    asked = inexlab.list_topics({"q1": "//sec[about(., bees)]"})
    assert asked.to_pandas()["target"].tolist() == ["//sec"]


def test_collections_and_indexes_as_objects() -> None:
    run = "demo/runs/focused-sections.txt"
    documents = inexlab.open_collection("demo/articles")
    index = inexlab.open_index("demo/index")
    values = {
        inexlab.evaluate("demo/judgements.qrels", run, "MAiP", collection=given_as)["MAiP"].totals()[0]
        for given_as in ("demo/articles", documents, index)
    }
    assert len(values) == 1
    with pytest.raises(UsageError, match="collection is int"):
        inexlab.evaluate("demo/judgements.qrels", run, "MAiP", collection=3)


def test_tags_in_a_list() -> None:
    how = {"by": "elements", "task": "thorough"}
    for one, other in (("p,title", ["p", "title"]), ("p", ("p",)), ("", [])):
        found = [inexlab.search("demo/index", "pooling", 9, tags=tags, **how) for tags in (one, other)]  # type: ignore[arg-type]
        assert [hit.path for hit in found[0]] == [hit.path for hit in found[1]] != []
        runs = [inexlab.make_run("demo/index", {"q": "pooling"}, limit=9, tags=tags) for tags in (one, other)]
        assert list(runs[0]) == list(runs[1])


def test_policies_and_lists_of_topics_as_objects() -> None:
    given_as = ("demo/judgements.qrels", "demo/runs/focused-chunks.jsonl", "MAiP")
    policy = inexlab.Policy(limit=5)
    results = [
        inexlab.evaluate(*given_as, policy=choice).means()
        for choice in (policy, {"limit": 5}, "limit=5", ["limit=5"])
    ]
    assert all(result == results[0] for result in results)
    assert results[0] == inexlab.evaluate(*given_as, limit=5).means() != inexlab.evaluate(*given_as).means()
    some = inexlab.evaluate(*given_as, over=["2026001", "2026002"])
    assert sum(value == value for value in some["MAiP"].values[0]) == 2


def test_runs_and_judgements_of_ranx() -> None:
    ranx = pytest.importorskip("ranx", reason="ranx is not installed")
    qrels = ranx.Qrels({"1": {"a": 1, "b": 0}})
    run = ranx.Run({"1": {"a": 0.2, "b": 0.9}}, name="theirs")
    assert inexlab.evaluate(qrels, run, "RR").means() == {"theirs": {"RR": 0.5}}
