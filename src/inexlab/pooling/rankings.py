"""The rankings that a pool is made of: one run after the other is read, and what may come into the pool kept.

Of most runs only the beginning is ever looked at, so what is kept are columns: names are decoded, and places
looked up in documents, for what comes into the pool alone.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Collection as Several
from dataclasses import dataclass, replace
from typing import overload

import numpy as np

from inexlab.collection import Collection
from inexlab.errors import UsageError
from inexlab.pooling.method import RankedDocuments, pooling_methods
from inexlab.runs import Run
from inexlab.runs.table import take
from inexlab.tables import Codes, Ints, Names, by_number_and_name


class _Docs(Sequence[str]):
    """Documents in the order of a ranking, decoded when somebody looks at them, and once."""

    def __init__(self, decode: Callable[[Codes], list[str]], codes: Codes) -> None:
        self._decode, self.codes = decode, codes
        self._known: list[str] = []

    def __len__(self) -> int:
        return len(self.codes)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        known = self._known
        if isinstance(index, slice):
            places = range(len(self.codes))[index]
            self._know(max(places, default=-1))
            if places.step > 0:
                return known[places.start : places.stop : places.step]
            return [known[place] for place in places]
        if index < 0:  # what is known may end before the last one
            index = range(len(self.codes))[index]
        self._know(index)
        return known[index]

    def _know(self, last: int) -> None:
        known = self._known
        if last >= len(known):  # those that come next are decoded with it
            known += self._decode(self.codes[len(known) : max(last + 1, 2 * len(known), 8)])

    def __iter__(self) -> Iterator[str]:
        return iter(self[:])


def _decoder(names: Names) -> Callable[[Codes], list[str]]:
    """Return what decodes some names at once: of ASCII alone, parts of one text."""
    if not names.data.isascii():
        return lambda codes: [names[code] for code in codes.tolist()]
    text = names.data.decode("ascii")

    def decode(codes: Codes) -> list[str]:
        both = zip(names.starts[codes].tolist(), names.ends[codes].tolist(), strict=True)
        return [text[start:end] for start, end in both]

    return decode


@dataclass(frozen=True)
class RankedRun:
    """What may come into a pool of one run, rows grouped by topic: those of topic t from `rows_from[t]` on.

    `rankings` has each document once, with the rank of its first result.
    """

    run: Run
    rows_from: Ints
    rankings: Mapping[str, RankedDocuments]

    def rows(self, topic: str, documents: int) -> range:
        """Return the rows of a topic that are in its first so many documents, up to where the next begins."""
        code, ranks = self.run.topics.codes[topic], self.rankings[topic].ranks
        first, last = int(self.rows_from[code]), int(self.rows_from[code + 1])
        return range(first, last if documents == len(ranks) else first + ranks[documents] - 1)

    def codes(self, topic: str, documents: int) -> Codes:
        """Return the numbers of the first so many documents of a topic."""
        docs = self.rankings[topic].docs
        assert isinstance(docs, _Docs)
        return docs.codes[:documents]


@dataclass(frozen=True)
class Rankings:
    """What may come into a pool, of all runs, in their order; the topics, and who made each run."""

    topics: Sequence[str]
    parts: Sequence[RankedRun]
    participants: Mapping[str, str]
    collection: Collection | None = None

    def of(self, topic: str) -> list[RankedDocuments]:
        """Return the ranking of each run on a topic."""
        nothing = RankedDocuments((), ())
        return [part.rankings.get(topic, nothing) for part in self.parts]


def read_rankings(
    runs: Iterable[tuple[Run, str]],
    method: str,
    number: int,
    *,
    collection: Collection | None = None,
    topics: Several[str] | None = None,
) -> Rankings:
    """Read what a pool may be made of from runs, each with its participant; one is in memory at a time.

    `topics` are those that count, all unless given. With a collection paths become spans.
    """
    counts = pooling_methods[method].counts
    if number < 1:
        raise UsageError(f"a pool of {number} {counts} is none; give 1 or more.")
    parts: list[RankedRun] = []
    participants: dict[str, str] = {}
    for run, participant in runs:
        if run.id in participants:
            raise UsageError(f"two runs are called {run.id!r}; give each an id of its own.")
        participants[run.id] = participant
        parts.append(_part(run, counts, number))
    if not parts:
        raise UsageError("a pool is made of runs: give at least one.")
    known = {topic for part in parts for topic in part.rankings if topics is None or topic in topics}
    if not known:
        raise UsageError("no run returns anything for these topics.")
    named = {run: who for run, who in participants.items() if who}
    return Rankings(by_number_and_name(known), parts, named, collection)


def _part(run: Run, counts: str, number: int) -> RankedRun:
    """Return what may come into a pool: so many results of each topic, or results in so many documents."""
    in_order = bool(np.all(run.topic[1:] >= run.topic[:-1]))
    order = np.arange(len(run)) if in_order else np.argsort(run.topic, kind="stable")
    begins = np.searchsorted(run.topic[order], np.arange(len(run.topics) + 1)).tolist()
    doc = run.doc[order]
    kept, firsts = [], []
    place = np.empty(len(run.docs), dtype=np.int64)  # of documents in the topic at hand
    for begin, end in itertools.pairwise(begins):
        last = min(end, begin + number) if counts == "results" else end
        of_topic, places = doc[begin:last], np.arange(last - begin)
        place[of_topic[::-1]] = places[::-1]  # of several the one that is written last stays: the first
        first = np.flatnonzero(place[of_topic] == places)
        if len(first) > number:  # results end where the next document would begin
            last, first = begin + int(first[number]), first[:number]
        kept.append(order[begin:last])
        firsts.append(first)
    part = _compact(take(run, np.concatenate(kept)))
    rows_from = np.cumsum([0, *map(len, kept)])
    decode = _decoder(part.docs)
    rankings = {
        topic: RankedDocuments(_Docs(decode, part.doc[begin + first]), (first + 1).tolist())
        for topic, begin, first in zip(run.topics, rows_from[:-1], firsts, strict=True)
        if len(first)
    }
    return RankedRun(part, rows_from, rankings)


def _compact(run: Run) -> Run:
    """Return a run that holds no more names than its results have, and no scores."""
    docs, (doc,) = _used(len(run.docs), run.doc)
    paths, (path, until) = _used(len(run.paths), run.path, run.until)
    return replace(
        run,
        docs=_some(run.docs, docs),
        doc=doc,
        paths=_some(run.paths, paths),
        path=path,
        until=until,
        score=np.broadcast_to(np.float64(0), len(doc)),
        place=None,
    )


def _used(names: int, *columns: Codes) -> tuple[Codes, list[Codes]]:
    """Return which of so many names there are in columns, and these columns with the names renumbered."""
    number = np.full(names + 1, -1, dtype=np.int32)  # the last is for places without a name, which are -1
    for column in columns:
        number[column] = 0
    number[-1] = -1
    used = np.flatnonzero(number >= 0).astype(np.int32)
    number[used] = np.arange(len(used))
    return used, [number[column] for column in columns]


def _some(names: Names, codes: Codes) -> Names:
    """Return some names of a column as one of their own."""
    starts, lengths = names.starts[codes], (names.ends - names.starts)[codes]
    ends = np.cumsum(lengths)
    data = np.frombuffer(names.data, dtype=np.uint8)
    places = np.repeat(starts - (ends - lengths), lengths) + np.arange(int(lengths.sum()))
    return Names(data[places].tobytes(), ends - lengths, ends)
