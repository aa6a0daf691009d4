"""Making a pool of runs: one after the other is read, and what may come into the pool is kept of each."""

from __future__ import annotations

from collections.abc import Collection as Several
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from inexlab.collection import Collection
from inexlab.collection.paths import WHOLE_DOCUMENT
from inexlab.errors import UsageError
from inexlab.pooling.method import Chosen, RankedDocuments, pooling_methods
from inexlab.pooling.table import Hint, Pool, PooledDocument
from inexlab.runs import Run, locate
from inexlab.runs.table import NO_SPAN, take
from inexlab.spans import Span
from inexlab.tables import Codes, by_number_and_name
from inexlab.wording import counted


class _Results(NamedTuple):
    """What a run returned for a topic: its documents, and of every result which of them it is in, where."""

    ranking: RankedDocuments
    doc: list[int]
    where: list[Span | Hint | None]


@dataclass(frozen=True)
class Rankings:
    """What may come into a pool, of all runs: by topic and by the place of the run; who made each run."""

    topics: Mapping[str, Mapping[int, _Results]]
    runs: list[str]
    participants: Mapping[str, str]

    def of(self, topic: str) -> list[RankedDocuments]:
        """Return the ranking of each run on a topic."""
        found = self.topics[topic]
        nothing = RankedDocuments((), ())
        return [found[run].ranking if run in found else nothing for run in range(len(self.runs))]


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
    by_topic: dict[str, dict[int, _Results]] = {}
    participants: dict[str, str] = {}
    for place, (run, participant) in enumerate(runs):
        if run.id in participants:
            raise UsageError(f"two runs are called {run.id!r}; give each an id of its own.")
        participants[run.id] = participant
        for topic, results in _first(run, counts, number, collection):
            if topics is None or topic in topics:
                by_topic.setdefault(topic, {})[place] = results
    if not participants:
        raise UsageError("a pool is made of runs: give at least one.")
    if not by_topic:
        raise UsageError("no run returns anything for these topics.")
    ordered = {topic: by_topic[topic] for topic in by_number_and_name(by_topic)}
    named = {run: who for run, who in participants.items() if who}
    return Rankings(ordered, list(participants), named)


def _first(
    run: Run, counts: str, number: int, collection: Collection | None
) -> Iterable[tuple[str, _Results]]:
    """Yield the results of each topic that may come into a pool: so many results, or so many documents."""
    order = np.argsort(run.topic, kind="stable")
    topic = run.topic[order]
    begins = np.searchsorted(topic, np.arange(len(run.topics) + 1))
    kept = [
        order[first : first + number] if counts == "results" else order[first:last]
        for first, last in zip(begins[:-1].tolist(), begins[1:].tolist(), strict=True)
    ]
    if counts != "results":
        kept = [rows[: _until_documents(run.doc[rows], number)] for rows in kept]
    rows = np.concatenate(kept) if kept else order
    part = take(run, rows)
    if collection is not None:
        part = locate(part, collection)
    codes, doc = np.unique(part.doc, return_inverse=True)
    names = [run.docs[code] for code in codes.tolist()]
    where = _places(part)
    ends = np.cumsum([len(one) for one in kept])
    for number_of_topic, (end, one) in enumerate(zip(ends.tolist(), kept, strict=True)):
        mine = doc[end - len(one) : end].tolist()
        known: dict[int, int] = {}
        ranks: list[int] = []
        places = []
        for rank, code in enumerate(mine, start=1):
            if code not in known:
                known[code] = len(known)
                ranks.append(rank)
            places.append(known[code])
        if mine:
            ranking = RankedDocuments([names[code] for code in known], ranks)
            yield run.topics[number_of_topic], _Results(ranking, places, where[end - len(one) : end])


def _until_documents(docs: Codes, number: int) -> int:
    """Return how many results it takes until there are so many documents."""
    _, first = np.unique(docs, return_index=True)
    return len(docs) if len(first) <= number else int(np.sort(first)[number])


def _places(run: Run) -> list[Span | Hint | None]:
    """Return where each result lies in its document; None for a whole document, or one that is nowhere."""
    whole = run.paths.codes.get(WHOLE_DOCUMENT, -2)
    paths: dict[int, str] = {}
    found: list[Span | Hint | None] = []
    columns = (run.start.tolist(), run.end.tolist(), run.path.tolist(), run.until.tolist())
    for start, end, path, until in zip(*columns, strict=True):
        if path == whole:
            found.append(None)
        elif start != NO_SPAN:
            found.append(Span(start, end))
        elif path < 0:
            found.append(None)
        else:
            for code in (path, until):
                if code >= 0 and code not in paths:
                    paths[code] = run.paths[code]
            found.append(Hint(paths[path], paths[until] if until >= 0 else None))
    return found


def choose(rankings: Rankings, method: str, number: int) -> dict[str, Chosen]:
    """Return the documents of each topic, by a method and how many."""
    chosen = pooling_methods[method].choose
    return {topic: chosen(rankings.of(topic), number) for topic in rankings.topics}


def pool_of(rankings: Rankings, method: str, number: int) -> Pool:
    """Return the pool of some rankings: the documents, who returned them, and what as hints."""
    documents: list[PooledDocument] = []
    for topic, (found, reached) in choose(rankings, method, number).items():
        runs: dict[str, list[int]] = {doc: [run] for doc, run in found.items()}
        ranks: dict[str, int] = {}
        hints: dict[str, dict[Span | Hint, None]] = {doc: {} for doc in found}
        for run, results in rankings.topics[topic].items():
            docs, first = results.ranking
            for doc, rank in zip(docs[: reached[run]], first, strict=False):
                if found.get(doc) == run:
                    ranks[doc] = rank
                elif doc in found:
                    runs[doc].append(run)
            looked_at = first[reached[run]] - 1 if reached[run] < len(first) else len(results.doc)
            for place, where in zip(results.doc[:looked_at], results.where, strict=False):
                if where is not None and docs[place] in hints:
                    hints[docs[place]][where] = None
        for doc, whose in runs.items():
            spans = sorted(hint for hint in hints[doc] if isinstance(hint, Span))
            paths = [hint for hint in hints[doc] if isinstance(hint, Hint)]
            names = tuple(rankings.runs[run] for run in whose)
            documents.append(PooledDocument(topic, doc, tuple(spans), names, ranks.get(doc), tuple(paths)))
    return Pool(tuple(documents), participants=dict(rankings.participants))


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
