"""Every answer shows itself: in one line, as HTML, as text, and as a frame of pandas and of polars."""

from __future__ import annotations

from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import inexlab

pytestmark = pytest.mark.usefixtures("here")

QRELS, RUNS, DOCS = (
    "demo/judgements.qrels",
    ["demo/runs/focused-articles.txt", "demo/runs/focused-sections.txt"],
    "demo/articles",
)
SCORED: dict[str, Any] = {"collection": DOCS}

ANSWERS: dict[str, Callable[[], Any]] = {
    "evaluate": lambda: inexlab.evaluate(QRELS, RUNS, ["MAiP", "iP@0.01"], **SCORED),
    "demo": inexlab.demo,
    "explain": lambda: inexlab.explain(QRELS, RUNS[0], "2026001", "MAiP", **SCORED),
    "compare": lambda: inexlab.compare(QRELS, RUNS, ["MAiP", "iP@0.01"], test="t", **SCORED),
    "ttest": lambda: inexlab.ttest(QRELS, RUNS, "MAiP", **SCORED),
    "agreement": lambda: inexlab.agreement(QRELS, RUNS, vary="measure=MAiP,iP@0.01", test="t", **SCORED),
    "differences": lambda: inexlab.agreement(
        QRELS, RUNS, vary="measure=MAiP,iP@0.01", test="t", differences=True, **SCORED
    ),
    "correlate": lambda: inexlab.correlate(QRELS, RUNS, vary="measure=MAiP,iP@0.01", **SCORED),
    "stability": lambda: inexlab.stability(QRELS, RUNS, "MAiP", test="t", splits=3, **SCORED),
    "check": lambda: inexlab.check(RUNS[0], limit=1),
    "problem_kinds": inexlab.problem_kinds,
    "convert": lambda: inexlab.convert("demo/runs/focused-chunks.jsonl", "trec", "chunks.trec"),
    "profile": lambda: inexlab.profile(RUNS, **SCORED),
    "recall_base": lambda: inexlab.recall_base(QRELS, quant="spec6", **SCORED),
    "cas": lambda: inexlab.cas(QRELS, topics="demo/topics.xml", quant="spec6", **SCORED),
    "list_topics": lambda: inexlab.list_topics("demo/topics.xml"),
    "topic statistics": lambda: inexlab.list_topics("demo/topics.xml", statistics=True),
    "list_measures": inexlab.list_measures,
    "one measure": lambda: inexlab.list_measures("MAgP"),
    "formats": inexlab.formats,
    "profiles": inexlab.profiles,
    "one profile": lambda: inexlab.profiles("jats"),
    "nexi": lambda: inexlab.nexi("//article[about(., bees)]//sec[about(., dance)]"),
    "build_index": lambda: inexlab.build_index(info="demo/index"),
    "look": lambda: inexlab.build_index(DOCS, look=True),
    "search": lambda: inexlab.search("demo/index", "overlap of elements", 3),
    "show": lambda: inexlab.show("demo/index", "pooling"),
    "make_run": lambda: inexlab.make_run("demo/index", "demo/topics.xml", limit=3),
    "baseline": lambda: inexlab.baseline("ideal-passages", QRELS),
    "inex_eval": lambda: inexlab.inex_eval(QRELS, RUNS[0], collection=DOCS),
    "run": lambda: inexlab.read_run(RUNS[0]),
    "judgements": lambda: inexlab.read_judgements(QRELS),
    "topics": lambda: inexlab.read_topics("demo/topics.xml"),
    "scores": lambda: inexlab.evaluate(QRELS, RUNS, "MAiP", **SCORED)["MAiP"],
}
TABLES_OF_OURS = ("make_run", "baseline", "run", "judgements", "topics", "scores")


class Balanced(HTMLParser):
    """Counts open elements, so that what is shown leaves none open."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("name", ANSWERS)
def test_it_shows_itself(name: str) -> None:
    answer = ANSWERS[name]()
    assert len(repr(answer).splitlines()) == 1
    assert len(repr(answer)) < 200
    balanced = Balanced()
    balanced.feed(answer._repr_html_())
    assert balanced.open == []
    in_pandas, in_polars = answer.to_pandas(), answer.to_polars()
    assert list(in_pandas.columns) == in_polars.columns
    assert len(in_pandas) == len(in_polars)
    if name not in ("differences",):  # of which these two systems have none
        assert len(in_pandas) > 0
    if name not in TABLES_OF_OURS:
        assert str(answer) == answer.text()
        assert isinstance(answer.notes, tuple)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        *(("compare", "significance"), ("ttest", "differences"), ("agreement", "agreement")),
        *(("correlate", "correlation"), ("scores", "heatmap"), ("evaluate", "ranking")),
    ],
)
def test_it_draws_itself(name: str, kind: str) -> None:
    pytest.importorskip("altair", reason="figures need the extra `figures`")
    assert ANSWERS[name]().plot(kind).kind == kind


def test_several_tasks_are_chosen_by_name() -> None:
    result = inexlab.evaluate(campaign_file="demo/campaign.toml")
    names = list(dict.fromkeys(result.to_pandas()["task"]))
    assert len(names) > 1
    one = result[names[0]]
    assert one.scores[0].systems
    with pytest.raises(inexlab.InexlabError, match="there are several tasks; choose one"):
        result.scores  # noqa: B018
    with pytest.raises(inexlab.InexlabError, match="unknown task 'nope'"):
        result["nope"]


def test_a_check_that_is_streamed_counts_what_it_shows() -> None:
    found = inexlab.check(RUNS[0], limit=1)
    text = "".join(found.pieces("table", first=1))
    assert found.tally.counts.total() > 1
    assert "not shown" in text
    again = inexlab.check(RUNS[0], limit=1)
    assert (len(again), again.ok, again.code) == (found.tally.counts.total(), False, 1)
    assert again.text("table", first=1) == text
    assert again.ok is False


def test_a_results_file_of_objects_has_no_hashes() -> None:
    """What is given as an object has no file, and the folder one is in is not hashed in its place."""
    inexlab.evaluate({"1": {"a": 1}}, {"1": {"a": 1.0}}, "RR", out="a.json")
    inexlab.evaluate({"1": {"a": 1}}, {"1": {"b": 1.0, "a": 0.5}}, "RR", out="b.json")
    changed = inexlab.diff("a.json", "b.json")
    assert changed.to_pandas()[["before", "after"]].values.tolist() == [[1.0, 0.5]]
    assert changed.notes == ()


def test_notes_of_a_failure_go_with_it(here: Path) -> None:
    Path(here / "spec.json").write_text('{"2026001": {"target": "//p", "children": ["77"]}}')
    with pytest.raises(inexlab.InexlabError) as failure:
        inexlab.cas(QRELS, spec="spec.json", interpretation="VSCAS", out="sets", quant="spec6", **SCORED)
    assert any("are not judged" in note for note in failure.value.__notes__)
