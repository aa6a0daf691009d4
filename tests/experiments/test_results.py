"""Results files: what they hold, the same bytes for the same evaluation, and what changed between two."""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import inexlab
from inexlab import __version__
from inexlab.errors import InexlabError, InputError
from inexlab.experiments import Entry, Experiment, score
from inexlab.experiments.results import (
    FORMAT,
    ResultChange,
    causes,
    file_hash,
    read_results,
    results_of,
    score_changes,
    why,
    write_results,
)
from inexlab.measures import parse
from inexlab.policy import Policy
from inexlab.progress import ProgressStep
from tests.builders import AB_JUDGED, AB_RESULTS, a_run, judged

Results = dict[str, Any]


@pytest.fixture
def results(tmp_path: Path) -> Results:
    """The worked example as a results file."""
    (tmp_path / "q").write_text("judgements")
    (tmp_path / "r").write_text("run")
    judgements = replace(judged(*AB_JUDGED, "2:A 0:10"), file=str(tmp_path / "q"))
    run = replace(a_run(*AB_RESULTS), file=str(tmp_path / "r"))
    measures = (parse("MAiP"), parse("num_ret"))
    experiment = Experiment(judgements, (Entry(run),), measures, Policy(limit=7), name="focused")
    return results_of([score(experiment)])


def test_a_results_file_holds_all_that_scores_depend_on(results: Results) -> None:
    assert list(results) == ["format", "versions", "collection", "tasks"]
    assert results["format"] == FORMAT == "inexlab results 1"
    assert results["versions"]["inexlab"] == __version__
    assert {"python", "numpy", "numba", "scipy"} < set(results["versions"])
    assert results["collection"] is None
    [task] = results["tasks"]
    assert task["task"] == "focused"
    assert task["judgements"] == {"name": "q", "sha256": hashlib.sha256(b"judgements").hexdigest()}
    assert task["runs"] == {"run": {"name": "r", "sha256": hashlib.sha256(b"run").hexdigest()}}
    assert task["policy"]["limit"] == 7
    assert task["policy"]["seen_text"] == "skip"
    assert task["over"] == "judged"
    assert task["measures"] == ["MAiP", "num_ret"]
    assert task["notes"][0].startswith("means are over 2 judged topics")
    assert [tuple(row.values())[:3] for row in task["scores"]] == [
        ("run", topic, measure) for topic in ("1", "2", "all") for measure in ("MAiP", "num_ret")
    ]
    values = {(row["topic"], row["measure"]): row["value"] for row in task["scores"]}
    assert values["1", "MAiP"] == pytest.approx((51 + 40 * 0.36) / 101)
    assert (values["2", "MAiP"], values["all", "num_ret"]) == (0, 3)


def test_written_and_read_it_is_the_same(results: Results, tmp_path: Path) -> None:
    write_results(results, tmp_path / "out.json")
    assert read_results(tmp_path / "out.json") == results
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out.json", "q", "r"]  # nothing half is left


def test_what_cannot_be_written_leaves_nothing(results: Results, tmp_path: Path) -> None:
    with pytest.raises(InexlabError, match="cannot be written"):
        write_results(results, tmp_path / "none" / "out.json")
    with pytest.raises(InexlabError, match="is not a file"):
        write_results(results, tmp_path)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["q", "r"]


def test_hashes_of_folders_see_names_and_contents(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    (folder / "deep").mkdir(parents=True)
    (folder / "deep/a").write_text("one")
    first = file_hash(folder)
    assert first["name"] == "docs"
    assert file_hash(folder) == first
    (folder / "deep/a").write_text("two")
    assert file_hash(folder) != first
    (folder / "deep/a").write_text("one")
    assert file_hash(folder) == first
    (folder / "deep/a").rename(folder / "deep/b")
    assert file_hash(folder) != first
    assert file_hash("-") == {"name": "-", "sha256": ""}


Edit = Callable[[Results], object]


def _edit(path: str, value: object) -> Edit:
    """Return an edit of one value, named by its path such as `tasks/0/policy/limit`."""

    def edit(results: Results) -> None:
        *above, last = path.split("/")
        place: Any = results
        for step in above:
            place = place[int(step) if isinstance(place, list) else step]
        place[last] = value

    return edit


def _score(results: Results, row: int) -> dict[str, Any]:
    scores: dict[str, Any] = results["tasks"][0]["scores"][row]
    return scores


OTHER = {"name": "new", "sha256": "f" * 64}
CHANGES: dict[str, tuple[Edit, tuple[str, str], str]] = {
    "judgements": (_edit("tasks/0/judgements", OTHER), ("focused: judgements", ""), "other judgements"),
    "run": (_edit("tasks/0/runs/run", OTHER), ("focused: run", "run"), "other run"),
    "policy": (
        _edit("tasks/0/policy/limit", 9),
        ("focused: policy", "limit"),
        "policy limit=9 (was 7)",
    ),
    "topics": (_edit("tasks/0/over", "run"), ("focused: topics", ""), "other topics"),
    "pools": (_edit("tasks/0/pools", ["7"]), ("focused: pools", ""), "other pools"),
    "unit": (
        _edit("tasks/0/unit/judgements", "byte"),
        ("focused: unit of", "judgements"),
        "unit of judgements byte (was char)",
    ),
    "collection": (_edit("collection", OTHER), ("collection", ""), "other collection"),
    "version": (
        _edit("versions/inexlab", "9.9"),
        ("version", "inexlab"),
        f"inexlab 9.9 (was {__version__})",
    ),
}


@pytest.mark.parametrize("kind", CHANGES)
def test_each_cause_is_found_and_explains_a_score(results: Results, kind: str) -> None:
    edit, (named, what), reason = CHANGES[kind]
    after = copy.deepcopy(results)
    edit(after)
    [change] = causes(results, after)
    assert (change.kind, change.what) == (named, what)
    assert why(("focused", "run", "1", "MAiP"), [change]) == [reason]
    assert causes(after, results)[0] == ResultChange(named, what, change.after, change.before)


def test_a_cause_elsewhere_explains_nothing() -> None:
    mine = ("focused", "run", "1", "MAiP")
    assert why(mine, [ResultChange("focused: run", "other", "a", "b")]) == []
    assert (
        why(
            mine,
            [ResultChange("thorough: policy", "limit", 1, 2), ResultChange("thorough: judgements", "", 1, 2)],
        )
        == []
    )
    assert why(mine, [ResultChange("focused: measure", "iP@0", None, "there")]) == []
    assert why(mine, [ResultChange("focused: quantisation", "my.toml", "a", "b")]) == []


def test_the_same_file_by_another_name_is_no_cause(results: Results) -> None:
    after = copy.deepcopy(results)
    after["tasks"][0]["runs"]["run"]["name"] = "renamed.txt"
    assert causes(results, after) == []


def test_measures_runs_and_tasks_that_only_one_side_has(results: Results) -> None:
    after = copy.deepcopy(results)
    after["tasks"][0]["measures"] = ["MAiP", "SpanR"]
    after["tasks"][0]["runs"]["second"] = OTHER
    after["tasks"].append({**copy.deepcopy(after["tasks"][0]), "task": "thorough"})
    assert causes(results, after) == [
        ResultChange("focused: run", "second", None, "new (ffffffffffff)"),
        ResultChange("focused: measure", "num_ret", "there", None),
        ResultChange("focused: measure", "SpanR", None, "there"),
        ResultChange("task", "thorough", None, "there"),
    ]
    assert score_changes(results, after) == []  # only what both have is compared


def test_scores_that_differ_by_more_than_the_tolerance(results: Results) -> None:
    after = copy.deepcopy(results)
    _score(after, 0)["value"] += 0.01
    _score(after, 2)["value"] = None
    (key, a, b), (second, c, d) = score_changes(results, after)
    assert key == ("focused", "run", "1", "MAiP")
    assert (a, b) == (_score(results, 0)["value"], _score(after, 0)["value"])
    assert (second, c, d) == (("focused", "run", "2", "MAiP"), 0, None)
    assert [k for k, _, _ in score_changes(results, after, 0.1)] == [second]  # undefined is always a change
    assert score_changes(results, results) == []


def _without(path: str) -> Edit:
    def edit(results: Results) -> None:
        *above, last = path.split("/")
        place: Any = results
        for step in above:
            place = place[int(step) if isinstance(place, list) else step]
        del place[last]

    return edit


DAMAGES: dict[str, Edit] = {
    **{
        f"without {path}": _without(path)
        for path in (
            *("format", "versions", "collection", "tasks", "tasks/0/task", "tasks/0/judgements"),
            *(
                "tasks/0/judgements/sha256",
                "tasks/0/judgements/name",
                "tasks/0/runs",
                "tasks/0/runs/run/sha256",
            ),
            *(
                "tasks/0/runs/run/name",
                "tasks/0/policy",
                "tasks/0/over",
                "tasks/0/measures",
                "tasks/0/scores",
            ),
            *("tasks/0/scores/0/run", "tasks/0/scores/0/value", "tasks/0/scores/0/topic"),
        )
    },
    **{
        f"{path} is {value!r}": _edit(path, value)
        for path, value in (
            *(("versions", 7), ("collection", "docs"), ("tasks", {"a": 1}), ("tasks", None)),
            *(("tasks/0/task", []), ("tasks/0/runs", []), ("tasks/0/runs/run", "r"), ("tasks/0/policy", "x")),
            *(("tasks/0/judgements/sha256", 7), ("tasks/0/measures", 7), ("tasks/0/measures", [{}])),
            *(("tasks/0/pools", 7), ("tasks/0/pools", [7]), ("tasks/0/unit", []), ("tasks/0/topics", [])),
            *(("tasks/0/topics", {"ids": ["1"]}), ("tasks/0/quantisations", {"q": "r"})),
            *(("tasks/0/scores/0/value", "high"), ("tasks/0/scores", 7), ("tasks/0/scores", [7])),
        )
    },
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_files_are_refused_when_read(results: Results, tmp_path: Path, damage: str) -> None:
    DAMAGES[damage](results)
    (tmp_path / "bad.json").write_text(json.dumps(results))
    with pytest.raises(InputError, match=r"bad\.json: is not a results file\. `inexlab evaluate` writes one"):
        read_results(tmp_path / "bad.json")


@pytest.mark.parametrize("text", ["{", "[]", "7", "null", '"x"', "[" * 100_000, "{}", "a,b\n1,2\n"])
def test_other_files_are_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "bad.json").write_text(text)
    with pytest.raises(InputError, match=r"bad\.json: is not a results file"):
        read_results(tmp_path / "bad.json")


def test_another_format_says_so(results: Results, tmp_path: Path) -> None:
    results["format"] = "inexlab results 2"
    (tmp_path / "new.json").write_text(json.dumps(results))
    with pytest.raises(
        InputError, match=r"is of the format 'inexlab results 2'\. This version reads 'inexlab results 1'"
    ):
        read_results(tmp_path / "new.json")


def test_a_comparison_reports_how_far_it_is(tmp_path: Path) -> None:
    """A million scores take seconds."""
    (tmp_path / "qrels").write_text("1 Q0 A 5 9 0 0:5\n")
    (tmp_path / "run").write_text("1 Q0 A 1 0.5 r 0 5\n")
    for name in ("a.json", "b.json"):
        inexlab.evaluate(tmp_path / "qrels", tmp_path / "run", "MAiP", out=tmp_path / name)
    told: list[ProgressStep] = []
    with inexlab.watching(told.append):
        inexlab.diff(tmp_path / "a.json", tmp_path / "b.json")
    assert ProgressStep("reading results", 1, 2, "files") in told
    assert told[-1] == ProgressStep("comparing", 2, 2, "scores")
