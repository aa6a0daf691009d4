"""Requests to end: heard in time, never in the midst of a compiled loop, and in order."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from inexlab.accelerate import blocks
from inexlab.signals import (
    DeferringHandler,
    Terminated,
    holding_signals,
    ignoring_ctrl_c_in_children,
    raising_terminated,
    ready_to_hold,
    until_terminated,
)
from tests.processes import hearing_signals


def me(number: int = signal.SIGINT) -> None:
    os.kill(os.getpid(), number)
    time.sleep(0.01)  # a handler runs between two steps


def test_a_signal_waits_for_the_end_of_a_function() -> None:
    steps = []

    @holding_signals
    def work() -> str:
        me()
        steps.append("done")
        return "result"

    with hearing_signals():
        signal.signal(signal.SIGINT, signal.default_int_handler)
        with pytest.raises(KeyboardInterrupt):
            work()
        assert steps == ["done"]
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        with pytest.raises(KeyboardInterrupt):
            me()


def test_functions_in_functions_and_no_signal_at_all() -> None:
    heard: list[int] = []

    @holding_signals
    def inner() -> int:
        me()
        return 1

    @holding_signals
    def outer() -> int:
        found = inner()
        assert not heard
        return found + 1

    with hearing_signals():
        signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
        assert outer() == 2
        assert heard == [signal.SIGINT]


def test_an_exception_in_the_function_and_other_threads() -> None:
    @holding_signals
    def fails() -> None:
        raise ValueError("why")

    with pytest.raises(ValueError, match="why"):
        fails()
    found = []
    thread = threading.Thread(target=lambda: found.append(holding_signals(lambda: 7)()))
    thread.start()
    thread.join()
    assert found == [7]


def test_handlers_are_replaced_once_where_signals_are_held_often() -> None:
    heard: list[str] = []

    @holding_signals
    def work() -> None:
        me()
        assert not heard

    def handler(number: int, _frame: object) -> None:
        heard.append(f"first {number}")

    with hearing_signals():
        signal.signal(signal.SIGINT, handler)
        with ready_to_hold():
            ready = signal.getsignal(signal.SIGINT)
            work()
            assert heard == [f"first {signal.SIGINT}"]
            assert signal.getsignal(signal.SIGINT) is ready
            me()  # nothing is held
            assert len(heard) == 2
        assert signal.getsignal(signal.SIGINT) is handler
        with ready_to_hold():  # somebody sets another one, which stays
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
        signal.signal(signal.SIGINT, handler)
        with pytest.raises(ValueError, match="why"), ready_to_hold():
            raise ValueError("why")
        assert signal.getsignal(signal.SIGINT) is handler


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_the_first_request_ends_and_nothing_disturbs_the_clearing_away(number: int) -> None:
    cleared = []

    def work() -> None:
        with raising_terminated():
            assert isinstance(signal.getsignal(number), DeferringHandler)
            try:
                me(number)
            finally:
                me(number)
                me(signal.SIGTERM)
                cleared.append("all")

    with hearing_signals():
        signal.signal(signal.SIGINT, signal.default_int_handler)
        with pytest.raises(Terminated) as ended:
            work()
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert ended.value.code == 128 + number
    assert cleared == ["all"]


def test_processes_are_not_started_by_halves() -> None:
    """Ctrl-C may reach another thread, but is handled in this one: not before all of them are started."""
    ended = threading.Event()
    other = threading.Thread(target=ended.wait)
    other.start()
    assert other.ident is not None
    started = []

    @ignoring_ctrl_c_in_children()
    def start(number_of_thread: int) -> None:
        signal.pthread_kill(number_of_thread, signal.SIGINT)
        time.sleep(0.05)
        started.append("all")

    with hearing_signals(), pytest.raises(Terminated), raising_terminated():
        start(other.ident)
    ended.set()
    other.join()
    assert started == ["all"]


def test_who_ignores_a_signal_goes_on() -> None:
    with hearing_signals():
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        with raising_terminated():
            me(signal.SIGHUP)
            assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN


def test_blocks_grow_while_they_are_quick_and_hold_everything_once(monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(blocks(0)) == []
    parts = list(blocks(1000))
    assert [k for part in parts for k in range(part.start, part.stop)] == list(range(1000))
    assert len(parts) == 10
    now = iter(np.arange(0, 1000, 0.3))  # a clock on which every block takes longer than it should
    monkeypatch.setattr(time, "perf_counter", lambda: next(now))
    assert [part.stop - part.start for part in blocks(5)] == [1] * 5


LOOPS = {
    "bootstrap": "compare(matrix, test='bootstrap', correction='none')",
    "wilcoxon with ties": "compare(ties, test='wilcoxon', correction='none')",
    "wilcoxon-normal": "compare(matrix, test='wilcoxon-normal', correction='none')",
}

LOOP = """
import sys
import numpy as np
from inexlab.cli.terminal import run_and_exit
from inexlab.statistics.comparison import compare
from inexlab.scores import Scores
values = np.random.default_rng(1).random((1500, 60))
names = tuple(map(str, range(1500))), tuple(map(str, range(60)))
matrix, ties = Scores(*names, values, "m"), Scores(*names, values.round(1), "m")
small = Scores(names[0][:3], names[1], values[:3], "m")
def work():
    global matrix, ties
    wanted = matrix, ties
    matrix, ties = small, Scores(names[0][:3], names[1], values[:3].round(1), "m")
    {loop}  # compiles
    matrix, ties = wanted
    print("going", flush=True)
    while True:
        {loop}
run_and_exit("inexlab", work)
"""


@pytest.mark.compiled
@pytest.mark.parametrize("loop", LOOPS)
def test_ctrl_c_in_a_long_comparison(loop: str, tmp_path: Path) -> None:
    with hearing_signals():
        child = subprocess.Popen(
            [sys.executable, "-c", LOOP.format(loop=LOOPS[loop])],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=tmp_path,
            env={**os.environ, "INEXLAB_COMPILED": "always", "OPENBLAS_NUM_THREADS": "2"},
        )
    with child:
        assert child.stdout is not None
        assert child.stderr is not None
        assert child.stdout.readline() == b"going\n"
        time.sleep(0.7)
        begin = time.monotonic()
        child.send_signal(signal.SIGINT)
        assert child.wait(timeout=60) == 130
        assert time.monotonic() - begin < 5  # on a busy machine; a block is a fifth of a second
        assert child.stderr.read() == b"inexlab: interrupted.\n"


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="this system has no masks of signals")
def test_what_starts_first_does_not_make_children_hear_ctrl_c() -> None:
    """Python's tracker of resources, started in between, lets a thread and its children hear it again."""
    script = """if True:
        import multiprocessing, signal, threading
        from inexlab.signals import ignoring_ctrl_c_in_children

        def start():
            multiprocessing.get_context("spawn").Lock()
            print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))

        with ignoring_ctrl_c_in_children():
            thread = threading.Thread(target=start)
            thread.start()
            thread.join()
    """
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"


DROPPED = {
    "collector": """
def collected(phase, info):
    if phase == "start" and not asked:
        ask()
gc.callbacks.append(collected)
gc.collect()
""",
    "finaliser": """
class Last:
    def __del__(self):
        ask()
Last()
""",
    "weak reference": """
class Last: pass
last = Last()
reference = weakref.ref(last, lambda _: ask())
del last
""",
    "caught": """
try:
    ask()
except:
    pass
""",
    "again and again": """
class Last:
    def __del__(self):
        ask()
        time.sleep(.3)
for _ in range(3):
    Last()
""",
}

ENDS_ALL_THE_SAME = """
import gc, os, signal, sys, time, weakref
from inexlab.cli.terminal import run_and_exit
asked = []
def ask():
    asked.append(1)
    os.kill(os.getpid(), signal.{signal})
    for _ in range(1000):
        pass
def work():
    try:
        {steps}
        print("deaf", flush=True)
        time.sleep({rest})
    finally:
        print("cleared away", flush=True)
run_and_exit("inexlab", work)
"""


@pytest.mark.parametrize("where", DROPPED)
@pytest.mark.parametrize(("number", "rest"), [(signal.SIGINT, 60), (signal.SIGTERM, 0)])
def test_a_request_that_came_where_nothing_can_be_raised(
    where: str, number: signal.Signals, rest: int
) -> None:
    """Python drops the exception there; the process ends all the same, soon and as it should."""
    steps = DROPPED[where].replace("\n", "\n        ")
    script = ENDS_ALL_THE_SAME.format(steps=steps, signal=number.name, rest=rest)
    with hearing_signals():
        done = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=50
        )
    said = "inexlab: interrupted.\n" if number == signal.SIGINT else ""
    assert (done.returncode, done.stderr) == (128 + number, said)
    assert done.stdout.endswith("cleared away\n")


def test_other_exceptions_that_are_dropped_are_told_as_before() -> None:
    class Last:
        def __del__(self) -> None:
            raise ValueError("why")

    told: list[object] = []
    before, sys.unraisablehook = sys.unraisablehook, lambda dropped: told.append(dropped.exc_value)
    try:
        with raising_terminated():
            Last()
    finally:
        sys.unraisablehook = before
    assert [str(error) for error in told] == ["why"]


def test_who_is_meant_to_be_ended_is_not_ended_twice() -> None:
    steps = []

    def work() -> None:
        with raising_terminated():
            with until_terminated():
                me(signal.SIGTERM)
                steps.append("deaf")
            time.sleep(0.2)
            steps.append("after")
            me(signal.SIGTERM)

    with hearing_signals(), pytest.raises(Terminated):
        work()
    assert steps == ["after"]
