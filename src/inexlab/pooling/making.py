"""Making a pool of runs: one after the other is read, and what may come into the pool is kept of each.

Of most runs only the beginning is ever looked at, so what is kept are columns: names are decoded, and places
looked up in documents, for what comes into the pool alone.
"""

from __future__ import annotations

import contextlib
import gc
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Collection as Several
from dataclasses import dataclass, replace
from typing import overload

import numpy as np

from inexlab.collection import Collection
from inexlab.collection.paths import WHOLE_DOCUMENT
from inexlab.errors import UsageError
from inexlab.pooling.method import Chosen, RankedDocuments, pooling_methods
from inexlab.pooling.table import Hint, Pool, PooledDocument
from inexlab.runs import Run, locate
from inexlab.runs.table import NO_SPAN, take
from inexlab.spans import Span
from inexlab.tables import Codes, Ints, Names, by_number_and_name
from inexlab.wording import counted


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
        last = index if isinstance(index, int) else index.indices(len(self.codes))[1] - 1
        if last >= len(known):  # those that come next are decoded with it
            known += self._decode(self.codes[len(known) : max(last + 1, 2 * len(known), 8)])
        return known[index]

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
class _Part:
    """What may come into a pool of one run, rows grouped by topic: those of topic t from `rows_from[t]` on.

    `rankings` has each document once, with the rank of its first result.
    """

    run: Run
    rows_from: Ints
    rankings: Mapping[str, RankedDocuments]

    def rows(self, topic: str, results: int) -> range:
        """Return the first so many rows of a topic."""
        first = int(self.rows_from[self.run.topics.codes[topic]])
        return range(first, first + results)

    def codes(self, topic: str, documents: int) -> list[int]:
        """Return the numbers of the first so many documents of a topic."""
        docs = self.rankings[topic].docs
        assert isinstance(docs, _Docs)
        found: list[int] = docs.codes[:documents].tolist()
        return found

    def results(self, topic: str) -> int:
        """Return how many rows a topic has."""
        code = self.run.topics.codes[topic]
        return int(self.rows_from[code + 1] - self.rows_from[code])


@dataclass(frozen=True)
class Rankings:
    """What may come into a pool, of all runs, in their order; the topics, and who made each run."""

    topics: Sequence[str]
    parts: Sequence[_Part]
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
    parts: list[_Part] = []
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


def _part(run: Run, counts: str, number: int) -> _Part:
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
    return _Part(part, rows_from, rankings)


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


def choose(rankings: Rankings, method: str, number: int) -> dict[str, Chosen]:
    """Return the documents of each topic, by a method and how many."""
    chosen = pooling_methods[method].choose
    return {topic: chosen(rankings.of(topic), number) for topic in rankings.topics}


def pool_of(rankings: Rankings, method: str, number: int) -> Pool:
    """Return the pool of some rankings: the documents, who returned them, and what as hints."""
    with _without_collecting():
        return _pool(rankings, choose(rankings, method, number))


@contextlib.contextmanager
def _without_collecting() -> Iterator[None]:
    """Keep Python from looking for cycles, of which a pool has none, among a million new objects."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _pool(rankings: Rankings, chosen: Mapping[str, Chosen]) -> Pool:
    names = [part.run.id for part in rankings.parts]
    runs = {t: {doc: [names[run]] for doc, run in found.documents.items()} for t, found in chosen.items()}
    spans: dict[str, _Places] = {t: {doc: {} for doc in found.documents} for t, found in chosen.items()}
    paths: dict[tuple[str, str], dict[Hint, None]] = {}
    ranks: dict[str, dict[str, int]] = {topic: {} for topic in chosen}
    for number_of_run, part in enumerate(rankings.parts):
        looked_at: dict[str, range] = {}
        decoded: dict[int, str] = {}
        name = names[number_of_run]
        for topic, ranking in part.rankings.items():
            if topic not in chosen:
                continue
            found, reached = chosen[topic].documents, chosen[topic].reached[number_of_run]
            docs, whose, first = ranking.docs[:reached], runs[topic], ranks[topic]
            decoded |= zip(part.codes(topic, reached), docs, strict=True)
            for doc, rank in zip(docs, ranking.ranks, strict=False):
                brought_by = found.get(doc)
                if brought_by == number_of_run:
                    first[doc] = rank
                elif brought_by is not None:
                    whose[doc].append(name)
            whole = reached == len(ranking.ranks)
            results = part.results(topic) if whole else ranking.ranks[reached] - 1
            looked_at[topic] = part.rows(topic, results)
        _add_hints(part.run, looked_at, decoded, spans, paths, rankings.collection)
    documents = []
    for topic, of_topic in runs.items():
        places, first = spans[topic], ranks[topic]
        for doc, finders in of_topic.items():
            found_at = tuple(places[doc])
            hints = found_at if len(found_at) < 2 else tuple(sorted(found_at))
            by_path = tuple(paths.get((topic, doc), ())) if paths else ()
            documents.append(PooledDocument(topic, doc, hints, tuple(finders), first.get(doc), by_path))
    return Pool(tuple(documents), participants=dict(rankings.participants))


_Places = dict[str, dict[tuple[int, int], None]]  # by document, the spans that runs returned of it


def _add_hints(
    run: Run,
    looked_at: Mapping[str, range],
    decoded: Mapping[int, str],
    spans: Mapping[str, _Places],
    paths: dict[tuple[str, str], dict[Hint, None]],
    collection: Collection | None,
) -> None:
    """Add where the results of a run lie in documents of the pool; whole documents need no hint."""
    rows = np.concatenate([np.arange(of.start, of.stop) for of in looked_at.values()] or [np.arange(0)])
    part = take(run, rows)
    if collection is not None:
        part = locate(part, collection)
    whole = part.paths.codes.get(WHOLE_DOCUMENT, -2) if len(part.paths) else -2
    topics = np.repeat(np.arange(len(looked_at)), [len(of) for of in looked_at.values()])
    listed = list(looked_at)
    placed = (part.start != NO_SPAN) & (part.path != whole)
    ends = np.searchsorted(topics[placed], np.arange(len(listed) + 1)).tolist()
    docs, starts, stops = (column[placed].tolist() for column in (part.doc, part.start, part.end))
    for number, topic in enumerate(listed):
        mine, of_topic = spans[topic], slice(ends[number], ends[number + 1])
        for code, start, stop in zip(docs[of_topic], starts[of_topic], stops[of_topic], strict=True):
            if (found := mine.get(decoded[code])) is not None:
                found[start, stop] = None
    for row in np.flatnonzero((part.start == NO_SPAN) & (part.path >= 0) & (part.path != whole)).tolist():
        key = listed[int(topics[row])], decoded[int(part.doc[row])]
        if key[1] in spans[key[0]]:
            until = int(part.until[row])
            hint = Hint(part.paths[int(part.path[row])], part.paths[until] if until >= 0 else None)
            paths.setdefault(key, {})[hint] = None


def make_pool(
    runs: Iterable[tuple[Run, str]],
    method: str = "depth",
    number: int = 100,
    *,
    collection: Collection | None = None,
    topics: Several[str] | None = None,
) -> Pool:
    """Pool runs, each given with its participant: the documents to judge for each topic.

    `depth` takes the first `number` results of each run, `round-robin` fills up to `number` documents.
    """
    return pool_of(read_rankings(runs, method, number, collection=collection, topics=topics), method, number)


def with_spans(pool: Pool, collection: Collection) -> Pool:
    """Return a pool whose hints by paths are spans, those of them that the collection has."""
    documents = []
    for document in pool:
        elements = collection.elements(document.doc) if document.paths else None
        if elements is None:
            documents.append(document)
            continue
        spans, paths = set(document.hints), []
        for hint in document.paths:
            first, last = elements.find(hint.path), elements.find(hint.until or hint.path)
            if first is None or last is None or last.end < first.start:
                paths.append(hint)
            else:
                spans.add(Span(first.start, last.end))
        documents.append(replace(document, hints=tuple(sorted(spans)), paths=tuple(paths)))
    return replace(pool, documents=tuple(documents))


def in_words(method: str, number: int) -> str:
    """Say how a pool was made."""
    what = pooling_methods[method].counts
    if what == "results":
        return f"the first {counted(number, 'result')} of each run"
    return f"up to {counted(number, 'document')} for each topic, runs in turn"
