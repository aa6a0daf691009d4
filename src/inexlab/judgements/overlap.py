"""What assessors have in common, document by document, counted from the lengths of spans.

The documents that are compared are laid out one after the other on one axis, so that the highlights of an
assessor are one sorted list of spans, and everything is found by looking places up in such lists: no
character is ever looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from inexlab.judgements.rows import parts_of
from inexlab.judgements.table import Judgements
from inexlab.tables import Floats, Ints, by_number_and_name

SizeOf = Callable[[str], int | None]


@dataclass(frozen=True)
class Shared:
    """Documents that two assessors judged, grouped by topic; a row is a topic and a document.

    `topic` numbers `topics`. `a_rows` and `b_rows` are their rows in the two judgements. Of each document
    `size` is its length (-1: unknown), `a` and `b` the characters each highlighted, `both` those that both
    did. `edge_distance` is the mean distance of an edge of a highlight to the nearest edge of the same kind
    by the other, `entry_distance` that of the two best entry points; NaN where one of them has none.
    """

    topics: tuple[str, ...]
    topic: Ints
    docs: tuple[str, ...]
    a_rows: Ints
    b_rows: Ints
    a_relevant: Ints
    b_relevant: Ints
    size: Ints
    a: Ints
    b: Ints
    both: Ints
    edge_distance: Floats
    entry_distance: Floats

    def __len__(self) -> int:
        return len(self.topic)


def shared_documents(a: Judgements, b: Judgements, size_of: SizeOf | None = None) -> Shared:
    """Compare what two assessors highlighted in the documents both judged; each has one row of a document.

    `size_of` knows lengths that the judgements do not state.
    """
    common = [topic for topic in by_number_and_name(a.topics) if topic in b.topics.codes]
    in_b = a.docs.codes_in(b.docs).astype(np.int64), np.arange(len(b.docs))
    keys = [_keys(judgements, common, codes) for judgements, codes in zip((a, b), in_b, strict=True)]
    _, a_rows, b_rows = np.intersect1d(keys[0], keys[1], assume_unique=False, return_indices=True)
    inside = keys[0][a_rows] >= 0
    a_rows, b_rows = a_rows[inside], b_rows[inside]
    topic = keys[0][a_rows] // _WIDTH
    # only topics with a document that both judged
    used, topic = np.unique(topic, return_inverse=True)
    docs = tuple(a.docs[code] for code in a.doc[a_rows].tolist())
    size = np.maximum(a.size[a_rows], b.size[b_rows])
    if size_of is not None:
        for place in np.flatnonzero(size < 0).tolist():
            known = size_of(docs[place])
            size[place] = -1 if known is None else known
    spans = [_gathered(judgements, rows) for judgements, rows in ((a, a_rows), (b, b_rows))]
    extent = np.maximum(size, 0)
    for item, _, end in spans:
        np.maximum.at(extent, item, end)
    size = np.where(size < 0, size, extent)  # a highlight beyond the stated end belongs to the text
    base = np.concatenate(([0], np.cumsum(extent + 1)))[:-1]
    on_axis = [(item, start + base[item], end + base[item]) for item, start, end in spans]
    lengths = [np.bincount(i, e - s, len(size)).astype(np.int64) for i, s, e in on_axis]
    return Shared(
        tuple(common[code] for code in used.tolist()),
        topic.astype(np.int64),
        docs,
        a_rows.astype(np.int64),
        b_rows.astype(np.int64),
        (a.document_grades[a_rows] > 0).astype(np.int64),
        (b.document_grades[b_rows] > 0).astype(np.int64),
        size,
        lengths[0],
        lengths[1],
        _common(on_axis[0], on_axis[1], len(size)),
        _edge_distances(on_axis[0], on_axis[1], len(size)),
        _entry_distances(a.bep[a_rows], b.bep[b_rows]),
    )


_Spans = tuple[Ints, Ints, Ints]  # the item that each span is in, its start and its end


def _keys(judgements: Judgements, topics: Sequence[str], codes: Ints) -> Ints:
    """Return a number for the topic and document of each row, the same in both; -1 where not in both."""
    place = {topic: i for i, topic in enumerate(topics)}
    of_topic = np.array([place.get(topic, -1) for topic in judgements.topics], dtype=np.int64)
    topic = of_topic[judgements.topic]
    doc = codes[judgements.doc]
    return np.where((topic < 0) | (doc < 0), -1, topic * _WIDTH + doc)


_WIDTH = 1 << 32  # more than there are documents


def _gathered(judgements: Judgements, rows: Ints) -> _Spans:
    """Return the spans of some rows, in their order, and the place of the row of each."""
    begins, chosen = parts_of(judgements.spans_from, rows)
    item = np.repeat(np.arange(len(rows)), np.diff(begins))
    return item, judgements.span_start[chosen], judgements.span_end[chosen]


def _common(a: _Spans, b: _Spans, items: int) -> Ints:
    """Return how many characters of each item both cover: what `a` covers up to ends of `b`, less starts."""
    covered = np.concatenate(([0], np.cumsum(a[2] - a[1])))

    def before(places: Ints) -> Ints:
        index = np.searchsorted(a[1], places, side="right") - 1
        known = np.maximum(index, 0)
        inside = np.minimum(places - a[1][known], a[2][known] - a[1][known])
        return np.where(index < 0, 0, covered[known] + inside)

    if not len(a[1]) or not len(b[1]):
        return np.zeros(items, dtype=np.int64)
    return np.bincount(b[0], before(b[2]) - before(b[1]), items).astype(np.int64)


def _edge_distances(a: _Spans, b: _Spans, items: int) -> Floats:
    """Return the mean distance of the edges of each item to the nearest ones of the other side."""
    total, count = np.zeros(items), np.zeros(items)
    for ours, theirs in ((a, b), (b, a)):
        for edge in (1, 2):
            near = _nearest(ours[0], ours[edge], theirs[0], theirs[edge])
            total += np.bincount(ours[0], near, items)
            count += np.bincount(ours[0], np.isfinite(near), items)
    with np.errstate(invalid="ignore"):
        return np.where(np.isfinite(total) & (count > 0), total / count, np.nan)


def _nearest(item: Ints, places: Ints, other_item: Ints, others: Ints) -> Floats:
    """Return how far each place is from the nearest other one of its item; infinite where there is none."""
    found = np.full(len(places), np.inf)
    if not len(others):
        return found
    after = np.searchsorted(others, places)
    for index in (after - 1, after):
        known = np.clip(index, 0, len(others) - 1)
        fits = (index == known) & (other_item[known] == item)
        distance = np.abs(others[known] - places).astype(np.float64)
        found = np.where(fits, np.minimum(found, distance), found)
    return found


def _entry_distances(a: Ints, b: Ints) -> Floats:
    return np.where((a >= 0) & (b >= 0), np.abs(a - b).astype(np.float64), np.nan)


@dataclass(frozen=True)
class Covered:
    """Documents that two or more assessors judged, with what they agree on, by topic.

    Of each document: how many judged it, how many of them found it relevant, and over its characters how
    often it was highlighted, how often not, and how far that disagrees: the sum of c (m - c) / (m - 1) over
    characters that c of m assessors highlighted. A document of unknown length has no characters.
    """

    topics: tuple[str, ...]
    topic: Ints
    judges: Ints
    relevant: Ints
    ones: Floats
    zeros: Floats
    disagreement: Floats


def covered_documents(judgements: Judgements, size_of: SizeOf | None = None) -> Covered:
    """Count for every document judged by several how its characters are covered."""
    key = judgements.topic.astype(np.int64) * _WIDTH + judgements.doc
    _, item, judges = np.unique(key, return_inverse=True, return_counts=True)
    several = np.flatnonzero(judges[item] > 1)
    kept, item = np.unique(item[several], return_inverse=True)
    judges = judges[kept]
    items = len(kept)
    first = np.full(items, -1, dtype=np.int64)
    first[item[::-1]] = several[::-1]
    size = np.full(items, -1, dtype=np.int64)
    np.maximum.at(size, item, judgements.size[several])
    if size_of is not None:
        for place in np.flatnonzero(size < 0).tolist():
            known = size_of(judgements.docs[int(judgements.doc[first[place]])])
            size[place] = -1 if known is None else known
    row, start, end = _gathered(judgements, several)
    of_span = item[row]
    extent = np.maximum(size, 0)
    np.maximum.at(extent, of_span, end)
    base = np.concatenate(([0], np.cumsum(extent + 1)))[:-1]
    edges = np.concatenate((start + base[of_span], end + base[of_span]))
    change = np.repeat(np.array([1, -1]), len(start))
    whose = np.concatenate((of_span, of_span))
    order = np.argsort(edges, kind="stable")
    edges, whose = edges[order], whose[order]
    covering = np.cumsum(change[order])[:-1]
    lengths = np.diff(edges).astype(np.float64)
    m = judges[whose[:-1]] if len(whose) else judges[:0]
    ones = np.bincount(whose[:-1], lengths * covering, items)
    apart = np.bincount(whose[:-1], lengths * covering * (m - covering) / np.maximum(1, m - 1), items)
    known_size = size >= 0
    relevant = np.bincount(item, judgements.document_grades[several] > 0, items)
    used, topic = np.unique(judgements.topic[first], return_inverse=True)
    return Covered(
        tuple(judgements.topics[code] for code in used.tolist()),
        topic.astype(np.int64),
        judges.astype(np.int64),
        relevant.astype(np.int64),
        np.where(known_size, ones, 0.0),
        np.where(known_size, extent * judges - ones, 0.0),
        np.where(known_size, apart, 0.0),
    )
