"""What is counted, and how far: characters or words, down to a rank, or until a budget of text is used up.

A budget is filled in the order of the list. Every result takes its full length from it, text seen before
included, as it does in a prompt; the one that no longer fits is cut. Words are cut as in an index
(`inexlab.index.analysis.words`), but from the text alone, which knows no profile and so no borders of
elements; a word belongs to the text that holds its first character, as in units of retrieval: so places in
characters become places in words, and the same loops count both.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from inexlab.accelerate import Kernel
from inexlab.collection import Collection
from inexlab.errors import InputError, UsageError
from inexlab.index.analysis.words import cut, shapes
from inexlab.judgements import Judgements
from inexlab.measures.measure import Budget, Parameter
from inexlab.measures.reading import read_down_the_list
from inexlab.measures.results import Results
from inexlab.measures.spans import SpanEvidence, TopicEvidence
from inexlab.runs.order import Moves
from inexlab.runs.table import NO_SPAN
from inexlab.tables import Ints, Names

UNIT = Parameter(
    "unit", "char", "what text is counted in; words need the collection", ("char", "word"), quiet=True
)


class Shown(NamedTuple):
    """What a list shows of a topic: distinct text, all text with repeats, distinct relevant text.

    `total` is all relevant text of the topic, shown or not.
    """

    distinct: int
    returned: int
    relevant: int
    total: int


def shown(topic: TopicEvidence, cutoff: int | Budget | None, unit: str = "char") -> Shown:
    """Return what the results of a topic show down to a rank, or within a budget."""
    return all_shown(topic.evidence, cutoff, unit)[topic.number]


def all_shown(evidence: SpanEvidence, cutoff: int | Budget | None, unit: str = "char") -> list[Shown]:
    """Return what the results of each topic show down to a rank, or within a budget."""
    return evidence.once(_all_shown, cutoff, unit)


def _all_shown(evidence: SpanEvidence, cutoff: int | Budget | None, unit: str) -> list[Shown]:
    """Return what the results of each topic show: for many topics at once, which is quicker."""
    seen = evidence
    if isinstance(cutoff, Budget) or unit != "char":
        seen = evidence.once(_counted, cutoff if isinstance(cutoff, Budget) else None, unit)
    first, last = seen.results_from[:-1], seen.results_from[1:]
    if cutoff is not None and not isinstance(cutoff, Budget):
        last = np.minimum(last, first + cutoff)
    distinct = seen.full_size if seen.policy.denominator == "full" else seen.size
    add_up = _add_up.for_work(3 * int((last - first).sum()))
    sums = add_up(first, last, distinct, seen.full_size, seen.relevant)
    return [Shown(*row) for row in zip(*sums.tolist(), seen.total_relevant.tolist(), strict=True)]


@Kernel
def _add_up(first: Ints, last: Ints, distinct: Ints, returned: Ints, relevant: Ints) -> Ints:
    """Add up the text of the results of each topic; there are three places for every topic."""
    sums = np.zeros((3, len(first)), dtype=np.int64)
    for topic in range(len(first)):
        for i in range(first[topic], last[topic]):
            sums[0, topic] += distinct[i]
            sums[1, topic] += returned[i]
            sums[2, topic] += relevant[i]
    return sums


def counted(topic: TopicEvidence, cutoff: int | Budget | None, unit: str = "char") -> TopicEvidence:
    """Return a topic's evidence in characters or words; results beyond a budget have no length."""
    budget = cutoff if isinstance(cutoff, Budget) else None
    if budget is None and unit == "char":
        return topic
    return TopicEvidence(topic.evidence.once(_counted, budget, unit), topic.number)


def _counted(evidence: SpanEvidence, budget: Budget | None, unit: str) -> SpanEvidence:
    start, end = evidence.start, evidence.end
    if budget is not None:
        end = _within(evidence, budget)
    judgements = evidence.judgements
    totals = evidence.total_relevant
    if unit == "word":
        start, end = _in_words(evidence, start), _in_words(evidence, end)
        judgements = judgements_in_words(evidence)
        weights = judgements.relevant
        totals = np.bincount(judgements.topic, weights=weights, minlength=len(evidence.names))
    results = Results(
        evidence.results_from, evidence.kept, evidence.row, evidence.document, evidence.row, 0, 0, Moves()
    )
    size, relevant, full_relevant, lead = read_down_the_list(results, start, end, judgements)
    full_size = end - start
    if evidence.policy.seen_text == "again":
        size, relevant = full_size, full_relevant
    return replace(
        evidence,
        size=size,
        relevant=relevant,
        full_size=full_size,
        full_relevant=full_relevant,
        lead=lead,
        start=start,
        end=end,
        total_relevant=totals.astype(np.int64),
        judgements=judgements,
    )


def _within(evidence: SpanEvidence, budget: Budget) -> Ints:
    """Return where each result ends if a topic's results may have so much text together."""
    start, end = evidence.start, evidence.end
    places = (start, end) if budget.unit == "c" else (_in_words(evidence, start), _in_words(evidence, end))
    length = np.maximum(places[1] - places[0], 0)
    used = np.concatenate(([0], np.cumsum(length)))
    before = used[:-1] - np.repeat(used[evidence.results_from[:-1]], np.diff(evidence.results_from))
    room = np.clip(budget.size - before, 0, length)
    if budget.unit == "c":
        return np.where(room < length, start + room, end)
    # after the result that was cut comes nothing, not even text in which no word begins
    cut_at = np.where((room < length) | (before > budget.size), start, end)
    some = np.flatnonzero((room < length) & (room > 0))
    for doc, at in _by_document(evidence, some):
        last = _known_words(evidence)[doc].end[places[0][at] + room[at] - 1]
        cut_at[at] = np.minimum(last, end[at])  # the last word that fits, up to its end
    return cut_at


class WordPlaces(NamedTuple):
    """Where the words of a text begin and end."""

    start: Ints
    end: Ints

    @classmethod
    def of(cls, text: str) -> WordPlaces:
        """Return the places of the words of a text."""
        places = np.array(list(cut(shapes(text))), dtype=np.int64).reshape(-1, 2)
        return cls(places[:, 0].copy(), places[:, 1].copy())

    def before(self, offsets: Ints) -> Ints:
        """Return how many words begin before each place of the text."""
        return np.searchsorted(self.start, offsets).astype(np.int64)


class _Words(dict[str, WordPlaces]):
    """The words of documents, looked up when they are first asked for."""

    def __init__(self, collection: Collection) -> None:
        self._collection = weakref.ref(collection)

    def of(self, collection: object) -> bool:
        return self._collection() is collection

    def __missing__(self, doc: str) -> WordPlaces:
        collection = self._collection()
        assert collection is not None
        if doc not in collection:
            raise InputError(
                f"has no document {doc}, whose words are to be counted",
                file=collection.name,
                fix="Give the collection of the run, or count characters.",
            )
        self[doc] = WordPlaces.of(collection[doc].text)
        return self[doc]


_latest: list[_Words] = []  # of the collection that was asked for last: runs are scored one after the other


def words_of(collection: Collection | None) -> _Words:
    """Return the words of a collection's documents by their ids."""
    if collection is None:
        raise UsageError(
            "unit=word and budgets of words (@512w) need the texts of the documents: give `collection=DIR`."
        )
    if not _latest or not _latest[0].of(collection):
        _latest[:] = [_Words(collection)]
    return _latest[0]


def _known_words(evidence: SpanEvidence) -> _Words:
    return words_of(evidence.collection)


def _by_document(evidence: SpanEvidence, places: Ints) -> Iterator[tuple[str, Ints]]:
    """Yield the results at some places, document by document."""
    return by_document(evidence.run.docs, evidence.run.doc[evidence.kept[places]].astype(np.int64), places)


def by_document(names: Names, doc: Ints, places: Ints) -> Iterator[tuple[str, Ints]]:
    """Yield those of some places that are in a document, document after document."""
    order = np.argsort(doc, kind="stable")
    borders = np.flatnonzero(np.diff(doc[order])) + 1
    for group in np.split(order, borders) if len(order) else ():
        yield names[int(doc[group[0]])], places[group]


def _in_words(evidence: SpanEvidence, offsets: Ints) -> Ints:
    """Return places of results as places among the words of their documents; nowhere stays nowhere."""
    converted = np.full(len(offsets), NO_SPAN, dtype=np.int64)
    for doc, at in _by_document(evidence, np.flatnonzero(evidence.start != NO_SPAN)):
        converted[at] = _known_words(evidence)[doc].before(offsets[at])
    return converted


def judgements_in_words(evidence: SpanEvidence) -> Judgements:
    """Return judgements whose highlights count words; what holds no word's beginning is not there."""
    if "words" not in evidence.shared:
        judged = evidence.judgements
        row = np.repeat(np.arange(len(judged)), np.diff(judged.spans_from))
        start, end = np.zeros_like(judged.span_start), np.zeros_like(judged.span_end)
        for doc, at in by_document(judged.docs, judged.doc[row].astype(np.int64), np.arange(len(row))):
            words = _known_words(evidence)[doc]
            start[at], end[at] = words.before(judged.span_start[at]), words.before(judged.span_end[at])
        kept = start < end
        counts = np.bincount(row[kept], minlength=len(judged))
        evidence.shared["words"] = replace(
            judged,
            spans_from=np.concatenate(([0], np.cumsum(counts))).astype(np.int64),
            span_start=start[kept],
            span_end=end[kept],
        )
    found: Judgements = evidence.shared["words"]
    return found
