"""Where chunkings cut the gold: highlights with the text around them, as a report shows them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inexlab.experiments.chunks import CutSpan

AROUND = 80  # characters shown before and behind a highlight
LONGEST = 1500  # characters of a highlight that are shown
MOST = 400  # highlights on a page


@dataclass(frozen=True)
class ShownCut:
    """A highlight as it is shown: places count from the beginning of `text`."""

    topic: str
    doc: str
    text: str
    start: int
    end: int
    share: Sequence[float]
    borders: Sequence[Sequence[int]]


@dataclass(frozen=True)
class Cuts:
    """What chunkings make of the gold: in all, and of the highlights that are shown.

    `whole` counts highlights that are in one chunk, `best` is the mean share that the best chunk has, `cut`
    the mean number of borders inside a highlight.
    """

    systems: Sequence[str]
    whole: Sequence[int]
    best: Sequence[float]
    cut: Sequence[float]
    total: int
    shown: Sequence[ShownCut]
    questions: Mapping[str, str]


def cuts_of(
    spans: Sequence[CutSpan], text_of: Callable[[str], str], questions: Mapping[str, str]
) -> Cuts | None:
    """Return what a report shows of cuts; None where no chunking is known."""
    systems = list(spans[0].share) if spans else []
    if not systems:
        return None
    texts: dict[str, str] = {}
    shown = []
    for span in spans[:MOST]:
        if span.doc not in texts:
            texts[span.doc] = text_of(span.doc)
        low, high = max(0, span.start - AROUND), min(span.end, span.start + LONGEST) + AROUND
        text = texts[span.doc][low:high]
        borders = [[at - low for at in span.borders[name] if at < high] for name in systems]
        shares = [span.share[name] for name in systems]
        end = min(span.end - low, len(text))
        shown.append(ShownCut(span.topic, span.doc, text, span.start - low, end, shares, borders))
    count = len(spans)
    return Cuts(
        systems,
        [sum(span.share[name] >= 1 for span in spans) for name in systems],
        [_mean(span.share[name] for span in spans) for name in systems],
        [_mean(len(span.borders[name]) for span in spans) for name in systems],
        count,
        shown,
        {topic: questions.get(topic, "") for topic in dict.fromkeys(one.topic for one in shown)},
    )


def _mean(values: Iterable[float]) -> float:
    some = list(values)
    return sum(some) / len(some) if some else 0.0
