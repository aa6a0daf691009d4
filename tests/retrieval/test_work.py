"""Documents made to be slow: twice as large, they take about twice as long, counted in lines that run."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from inexlab.index.index import Index
from inexlab.retrieval import candidates as candidates_module
from inexlab.retrieval import climbing, pruning, visiting
from inexlab.retrieval import phrases as phrases_module
from inexlab.retrieval import tasks as tasks_module
from inexlab.retrieval.candidates import candidates
from inexlab.retrieval.engine import make_engine
from inexlab.retrieval.phrases import phrase_positions
from inexlab.retrieval.ranking import Ranking
from inexlab.retrieval.tasks import OVERLAPS, without_overlap
from inexlab.topics.nexi import parse_nexi
from tests.retrieval.trees import indexed
from tests.work import lines_run


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INEXLAB_COMPILED", "never")


# `i` is inline; words behind what has ended, in what has not, and at every depth
SHAPES: dict[str, Callable[[int], str]] = {
    "words behind deep elements": lambda n: "<a>" + "<b>" * n + "</b>" * n + "bee wax " * n + "</a>",
    "words in deep mark-up": lambda n: "<a>" + "<i>" * n + "bee wax " * n + "</i>" * n + "</a>",
    "words at every depth": lambda n: "<a>" + "<b>bee wax " * n + "</b>" * n + "</a>",
    "words at every depth of mark-up": lambda n: "<a>" + "<i>bee wax " * n + "</i>" * n + "</a>",
    "words on the way out": lambda n: "<a>" + "<b>" * n + "bee wax </b>" * n + "</a>",
    "words on the way out of mark-up": lambda n: "<a>" + "<i>" * n + "bee wax </i>" * n + "</a>",
    "no unit at all": lambda n: "<i>" + "<i>bee wax " * n + "</i>" * n + "</i>",
    "small parts in deep mark-up": lambda n: "<i>" * n + "<b>bee wax</b>" * n + "</i>" * n,
}


def walk(index: Index) -> None:
    candidates(index, [index.positions(index.term(word)) for word in ("bee", "wax")])


def find_phrase(index: Index) -> None:
    phrase_positions(index, [[index.term("bee")], [index.term("wax")]])


def lines(shape: str, n: int, which: str) -> int:
    with indexed(SHAPES[shape](n)) as index:
        if which == "walk":
            return lines_run(lambda: walk(index), candidates_module._walk)
        return lines_run(lambda: find_phrase(index), phrases_module._innermost, climbing.element_above)


@pytest.mark.parametrize("which", ["walk", "phrase"])
@pytest.mark.parametrize("shape", SHAPES)
def test_twice_the_document_takes_twice_the_work(shape: str, which: str) -> None:
    # halves are searched: a logarithm is allowed for
    assert lines(shape, 240, which) < 2.5 * lines(shape, 120, which)


def test_what_ended_long_before_a_word_is_not_climbed_where_only_short_units_can_be_among_the_best(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A word by itself is among the best; around the others there is nothing but the whole document."""
    monkeypatch.setattr(pruning, "WORTH", 0)
    monkeypatch.setattr(pruning, "_FIRST", 1)

    def lines_of(depth: int) -> int:
        ended = "<b>" * depth + "wax" + "</b>" * depth
        text = f"<r><p>bee</p>{ended}{' hive' * 40} bee{' hive' * 40}</r>"
        with indexed(*[text] * 40) as index:
            engine = make_engine(index, "bm25")
            return lines_run(
                lambda: engine.answer(parse_nexi("bee"), "thorough", limit=1), visiting.visit_elements
            )

    assert lines_of(240) < 1.5 * lines_of(120)


@pytest.mark.parametrize("overlap", OVERLAPS)
def test_overlap_is_removed_in_time_that_grows_with_the_elements(overlap: str) -> None:
    def lines_of(n: int) -> int:
        with indexed("<a>" + "<b>" * n + "<c>bee</c>" * n + "</b>" * n + "</a>") as index:
            elements = np.arange(1, len(index.columns["tag"]), dtype=np.int64)
            score = np.where(elements == 2, 2.0, 1.0)  # all are in the second one from outside
            ranking = Ranking(elements, np.zeros(len(elements), dtype=np.int32), score)
            return lines_run(lambda: without_overlap(index, ranking, overlap), tasks_module._keep)

    assert lines_of(240) < 2.5 * lines_of(120)
