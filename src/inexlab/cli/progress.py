"""Progress on a terminal: what is done, how much of how much, how fast, and how long the rest will take.

All verbs show it in the same way, on standard error, where that is a terminal and the work takes more than a
second. What is shown is drawn a few times a second from what was told last, so that telling costs nothing.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from threading import Lock, Timer
from typing import TYPE_CHECKING, Any, NamedTuple

from inexlab.cli.terminal import progress_console
from inexlab.errors import printable
from inexlab.progress import BYTES, ProgressStep, watching

if TYPE_CHECKING:
    from rich.table import Table

AFTER = 1.0  # seconds that work may take unseen


@contextlib.contextmanager
def showing_progress(shown: bool = True) -> Iterator[None]:
    """Show how far the work in this `with` is, if standard error is a terminal."""
    if not shown or not sys.stderr.isatty():
        yield
        return
    bars = Bars()
    timer = Timer(AFTER, bars.show)  # also what reports nothing for a while is shown then
    timer.daemon = True
    timer.start()
    try:
        with watching(bars.tell):
            yield
    finally:
        timer.cancel()
        bars.close()


class Line(NamedTuple):
    """What is shown of a step; `part` is None where nobody knows how much there is to do."""

    doing: str
    part: float | None
    amount: str
    rate: str
    left: str


class Bars:
    """What was told of the steps of some work, and a line for each that goes on."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._steps: dict[str, tuple[ProgressStep, int, float]] = {}  # with what was done at first, and when
        self._lock, self._closed = Lock(), False
        self._live: Any = None

    def tell(self, step: ProgressStep) -> None:
        """Take note of how far a step is."""
        known = self._steps.get(step.doing)
        if known is None or step.done < known[0].done:  # it begins, for the first time or again
            going = {doing: one for doing, one in self._steps.items() if 0 < one[0].done < one[0].of}
            self._steps = {**going, step.doing: (step, step.done, self._clock())}
        else:
            self._steps[step.doing] = (step, *known[1:])

    def lines(self) -> list[Line]:
        """Return what there is to show now."""
        return [
            _line(step, first, self._clock() - begin) for step, first, begin in self._steps.copy().values()
        ]

    def show(self) -> None:
        """Begin to show it."""
        from rich.live import Live

        with self._lock:
            if not self._closed:
                self._live = Live(
                    console=progress_console(),
                    get_renderable=self._drawn,
                    refresh_per_second=5,
                    transient=True,
                    redirect_stdout=False,
                    redirect_stderr=False,
                )
                self._live.start(refresh=True)

    def close(self) -> None:
        """Take away what is shown."""
        with self._lock:
            self._closed = True
            if self._live is not None:
                self._live.stop()

    def _drawn(self) -> Table:
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        table = Table.grid(padding=(0, 1))
        table.add_column(no_wrap=True, overflow="ellipsis", max_width=48)
        for line in self.lines():
            bar = ProgressBar(total=1.0, completed=line.part or 0.0, width=30, pulse=line.part is None)
            table.add_row(Text(line.doing), bar, *map(Text, (line.amount, line.rate, line.left)))
        return table


def _line(step: ProgressStep, first: int, seconds: float) -> Line:
    rate = (step.done - first) / seconds if seconds > 0 else 0.0
    scale, what = 1.0, step.what
    if what == BYTES:
        scale, what = (1e6, "MB") if max(step.done, step.of) >= 1e7 else (1e3, "kB")
    of = f"/{step.of / scale:,.0f}" if step.of else ""
    speed = f"{rate / scale:,.0f}" if rate >= 10 * scale else f"{rate / scale:.2g}"
    left = _time((step.of - step.done) / rate) if rate and step.of else ""
    part = min(1.0, step.done / step.of) if step.of else None
    amount = f"{step.done / scale:,.0f}{of} {what}"
    return Line(printable(step.doing), part, amount, f"{speed} {what}/s" if rate else "", left)


def _time(seconds: float) -> str:
    """Return how long something takes.

    >>> _time(59.6), _time(3725)
    ('0:01:00', '1:02:05')
    """
    minutes, seconds = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
