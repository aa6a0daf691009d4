"""Progress on a terminal: what is done, how fast, and how long the rest will take; nothing elsewhere."""

from __future__ import annotations

import io
import sys

import numpy as np
import pytest

from inexlab.cli.terminal import progress_reporter, with_progress_bar
from inexlab.scores import Scores
from inexlab.statistics import compare
from inexlab.statistics.testing import Sampling


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_bar_has_a_rate_and_the_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    assert list(with_progress_bar(["a", "b", "c"], "scoring", "runs")) == ["a", "b", "c"]
    shown = stream.getvalue()
    assert "scoring" in shown
    assert "runs/s" in shown
    assert "2/3" in shown


def test_what_is_quick_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    with progress_reporter("pairs") as tell:
        tell("comparing", 1, 2)
    assert stream.getvalue() == ""


def test_nothing_is_shown_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_reporter("pairs") as tell:
        tell("comparing", 1, 2)
    assert capsys.readouterr() == ("", "")


def test_a_comparison_tells_how_far_it_is_up_to_the_end() -> None:
    told: list[tuple[str, int, int]] = []
    values = np.random.default_rng(1).random((6, 12))
    scores = Scores(tuple("abcdef"), tuple(map(str, range(12))), values)
    sampling = Sampling(1000, progress=lambda *so_far: told.append(so_far))
    found = compare(scores, sampling=sampling)
    for doing, of in (("comparing", 36), ("intervals", 15)):
        counts = [done for what, done, _ in told if what == doing]
        assert counts == sorted(counts)
        assert counts[-1] == of
    unwatched = compare(scores, sampling=Sampling(1000))
    np.testing.assert_array_equal(found.p, unwatched.p)
