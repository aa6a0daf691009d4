"""The run table and its builder."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.runs import Result, Run, RunBuilder


def example() -> Run:
    builder = RunBuilder()
    builder.add("t2", "d1", 3.0, span=(5, 9))
    builder.add("t1", "d2", 2.0, path="/a[1]")
    builder.add("t2", "d2", 1.0, path="/a[1]/b[1]", until="/a[1]")
    builder.add("t2", "d1")
    assert len(builder) == 4
    return builder.build("mine", "folder/run.txt", {"task": "Focused"})


def test_rows_come_back_in_order_with_ranks_counted_per_topic() -> None:
    run = example()
    assert list(run)[:3] == [
        Result("t2", 1, "d1", 3.0, 5, 9, None, None),
        Result("t1", 1, "d2", 2.0, None, None, "/a[1]", None),
        Result("t2", 2, "d2", 1.0, None, None, "/a[1]/b[1]", "/a[1]"),
    ]
    last = list(run)[3]
    assert (last.rank, last.start, last.end, last.path, last.until) == (3, None, None, None, None)
    assert math.isnan(last.score)


def test_columns_share_their_names() -> None:
    run = example()
    assert list(run.topics) == ["t2", "t1"]
    assert list(run.docs) == ["d1", "d2"]
    assert list(run.paths) == ["/a[1]", "/a[1]/b[1]"]
    assert run.path.tolist() == [-1, 0, 1, -1]
    assert run.until.tolist() == [-1, -1, 0, -1]
    assert [column.dtype for column in (run.topic, run.doc, run.path, run.until)] == [np.int32] * 4
    assert [column.dtype for column in (run.start, run.end, run.score)] == [np.int64, np.int64, np.float64]


def test_a_run_knows_where_it_came_from_and_shows_itself() -> None:
    run = example()
    assert (run.id, run.file, run.about) == ("mine", "folder/run.txt", {"task": "Focused"})
    assert repr(run) == "Run('mine', 4 results, 2 topics)"


def test_an_empty_run() -> None:
    run = RunBuilder().build("none")
    assert len(run) == 0
    assert list(run) == []
    assert run.about == {}


def test_an_empty_span_is_a_span() -> None:
    builder = RunBuilder()
    builder.add("t", "d", span=(0, 0))
    (result,) = builder.build("r")
    assert (result.start, result.end) == (0, 0)


def test_a_run_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        example().id = "other"  # type: ignore[misc]


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xyz"), st.integers(0, 9), st.integers(0, 9)))
)
def test_whatever_is_added_comes_back(rows: list[tuple[str, str, int, int]]) -> None:
    builder = RunBuilder()
    for topic, doc, start, length in rows:
        builder.add(topic, doc, 0.0, span=(start, start + length))
    results = list(builder.build("r"))
    assert [(r.topic, r.doc, r.start, r.end) for r in results] == [(t, d, s, s + n) for t, d, s, n in rows]
    seen = [row[0] for row in rows]
    assert [r.rank for r in results] == [seen[: i + 1].count(topic) for i, topic in enumerate(seen)]
