"""The measures of documents that most people ask for: the numbers of trec_eval, to the last bit.

ir_measures has them computed under Python's lock, document by document in dictionaries. Here they are loops
over arrays, which run on all cores. What is added and divided, and in what order, is what trec_eval does;
names and parameters are those of ir_measures, and whatever is not here is left to it.

A document has a level: its grade, or one of two below 0 where it has none or a negative one, which trec_eval
takes for "not judged".
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from inexlab.accelerate import Kernel
from inexlab.tables import Codes, Floats, Ints

BELOW_0, NOT_JUDGED = -1, -2
_LARGEST = 1 << 31  # a parameter beyond it is left to the library, and to whatever it makes of it


class RankedLevels(NamedTuple):
    """The levels of the documents of a run, best first, and the grades of all that are judged, by topic."""

    level: Ints
    level_from: Ints
    grade: Ints
    grade_from: Ints

    def down_to(self, rank: int | Ints | None) -> tuple[Ints, Ints]:
        """Return where each topic's documents begin, and where they end within a rank."""
        first, last = self.level_from[:-1], self.level_from[1:]
        return first, last if rank is None else np.minimum(last, first + rank)

    def found(self, rel: int, rank: int | Ints | None = None) -> Ints:
        """Return how many documents of a level each topic has within a rank."""
        return count_from(self.level, *self.down_to(rank), rel)

    def relevant(self, rel: int) -> Ints:
        """Return how many documents of a grade there are for each topic, returned or not."""
        return count_from(self.grade, self.grade_from[:-1], self.grade_from[1:], rel)

    def judged_only(self) -> RankedLevels:
        """Leave out the documents that nobody judged, or below 0."""
        kept = self.level >= 0
        before = np.concatenate(([0], np.cumsum(kept)))
        return self._replace(level=self.level[kept], level_from=before[self.level_from])


def ranked_rows(results_from: Ints, document: Codes, row: Codes) -> tuple[Codes, Ints]:
    """Return the judged row of each document of each topic, in the order of their numbers, and the borders.

    >>> ranked_rows(np.array([0, 4, 4]), np.array([0, 1, 0, 3]), np.array([7, -1, 7, 2]))[0].tolist()
    [7, -1, 2]
    """
    documents = int(document.max(initial=-1)) + 1
    return _rows_by_document.for_work(4 * len(row))(results_from, document, row, documents)


def make_rankings(rows: Codes, borders: Ints, grades: Ints, grades_from: Ints) -> RankedLevels:
    """Return rankings of documents of which the judged rows are known, -1 for none."""
    graded = np.append(grades, 0)[rows]  # of -1, what is behind the last
    level = np.where(rows < 0, NOT_JUDGED, np.maximum(graded, BELOW_0))
    return RankedLevels(level, borders, grades, grades_from)


@Kernel
def _rows_by_document(results_from: Ints, document: Codes, row: Codes, documents: int) -> tuple[Codes, Ints]:
    """Take each document once: there is a place for every result, and no topic has more documents.

    Documents have numbers below `documents`.
    """
    rows = np.empty(len(row), dtype=np.int32)
    borders = np.zeros(len(results_from), dtype=np.int64)
    topic_of = np.full(documents, -1, dtype=np.int64)  # that a document was met in last
    row_of = np.empty(documents, dtype=np.int32)
    count = 0
    for topic in range(len(results_from) - 1):
        last = -1
        for i in range(results_from[topic], results_from[topic + 1]):
            d = document[i]
            if topic_of[d] != topic:
                topic_of[d] = topic
                row_of[d] = row[i]
                last = max(last, d)
        for d in range(last + 1):
            if topic_of[d] == topic:
                rows[count] = row_of[d]
                count += 1
        borders[topic + 1] = count
    return rows[:count], borders


def count_from(numbers: Ints, first: Ints, last: Ints, least: int) -> Ints:
    """Return how many of the numbers from each `first` to before its `last` are `least` or more."""
    return _count_from.for_work(len(numbers))(numbers, first, last, least)


@Kernel
def _count_from(numbers: Ints, first: Ints, last: Ints, least: int) -> Ints:
    """Count the numbers of each topic that are `least` or more; there is a place for every topic."""
    counts = np.zeros(len(first), dtype=np.int64)
    for topic in range(len(first)):
        for i in range(first[topic], last[topic]):
            counts[topic] += numbers[i] >= least
    return counts


def average_precision(given: RankedLevels, rel: int, cutoff: int | None) -> Floats:
    """The mean precision at the ranks of the relevant documents, 0 for those not returned."""
    add_up = _precisions.for_work(2 * len(given.level))
    return _ratio(add_up(given.level, *given.down_to(cutoff), rel), given.relevant(rel))


@Kernel
def _precisions(level: Ints, first: Ints, last: Ints, rel: int) -> Floats:
    """Add up the precisions at relevant documents of each topic, for which there is a place."""
    sums = np.zeros(len(first), dtype=np.float64)
    for topic in range(len(first)):
        found = 0
        for i in range(first[topic], last[topic]):
            if level[i] >= rel:
                found += 1
                sums[topic] += found / (i - first[topic] + 1)
    return sums


def precision(given: RankedLevels, rel: int, cutoff: int) -> Floats:
    """The share of relevant documents, of as many as asked for."""
    return given.found(rel, cutoff) / cutoff


def recall(given: RankedLevels, rel: int, cutoff: int) -> Floats:
    """The share of the relevant documents that are returned."""
    return _ratio(given.found(rel, cutoff), given.relevant(rel))


def r_precision(given: RankedLevels, rel: int) -> Floats:
    """The precision at the rank that is the number of relevant documents."""
    relevant = given.relevant(rel)
    return _ratio(given.found(rel, relevant), relevant)


def success(given: RankedLevels, rel: int, cutoff: int) -> Floats:
    """1 where a relevant document is returned, else 0."""
    return (given.found(rel, cutoff) > 0).astype(np.float64)


def reciprocal_rank(given: RankedLevels, rel: int, cutoff: int | None) -> Floats:
    """1 / the rank of the first relevant document, 0 without one."""
    rank = _first_rank.for_work(len(given.level))(given.level, *given.down_to(cutoff), rel)
    return _ratio(np.minimum(rank, 1), rank)


@Kernel
def _first_rank(level: Ints, first: Ints, last: Ints, rel: int) -> Ints:
    """Return the rank of the first relevant document of each topic, for which there is a place, or 0."""
    ranks = np.zeros(len(first), dtype=np.int64)
    for topic in range(len(first)):
        for i in range(first[topic], last[topic]):
            if level[i] >= rel:
                ranks[topic] = i - first[topic] + 1
                break
    return ranks


def normalised_gain(given: RankedLevels, cutoff: int | None) -> Floats:
    """Grades discounted by the logarithm of the rank, as a share of what the best order would have."""
    positive = np.flatnonzero(given.grade > 0)
    topic = np.searchsorted(given.grade_from, positive, side="right") - 1
    best = positive[np.lexsort((-given.grade[positive], topic))]
    borders = np.searchsorted(positive, given.grade_from)
    ideal = given._replace(level=given.grade[best], level_from=borders)
    return _ratio(_gain(given, cutoff), _gain(ideal, cutoff))


def _gain(given: RankedLevels, cutoff: int | None) -> Floats:
    first, last = given.down_to(cutoff)
    logarithms = _logarithms(max(1, int((last - first).max(initial=0)) - 1).bit_length())
    return _discounted.for_work(2 * len(given.level))(given.level, first, last, logarithms)


@functools.cache
def _logarithms(bits: int) -> Floats:
    """Return log2(rank + 1) of so many ranks as that number of bits can count, by the C library, as there."""
    return np.array([math.log2(rank + 1) for rank in range(1, (1 << bits) + 1)])


@Kernel
def _discounted(level: Ints, first: Ints, last: Ints, logarithms: Floats) -> Floats:
    """Add up the gains of each topic, for which there is a place; no topic has more ranks than logarithms."""
    sums = np.zeros(len(first), dtype=np.float64)
    for topic in range(len(first)):
        for i in range(first[topic], last[topic]):
            if level[i] > 0:
                sums[topic] += level[i] / logarithms[i - first[topic]]
    return sums


def binary_preference(given: RankedLevels, rel: int) -> Floats:
    """How seldom judged documents that are not relevant come before relevant ones."""
    relevant = given.relevant(rel)
    others = given.relevant(0) - relevant
    add_up = _preferences.for_work(3 * len(given.level))
    return _ratio(add_up(given.level, given.level_from, rel, relevant, others), relevant)


@Kernel
def _preferences(level: Ints, level_from: Ints, rel: int, relevant: Ints, others: Ints) -> Floats:
    """Add up the preferences that hold for the relevant documents of each topic, which has a place."""
    sums = np.zeros(len(relevant), dtype=np.float64)
    for topic in range(len(relevant)):
        before = 0  # documents judged not relevant
        for i in range(level_from[topic], level_from[topic + 1]):
            if level[i] >= rel:
                if before:
                    most = min(others[topic], relevant[topic])
                    sums[topic] += 1.0 - min(before, relevant[topic]) / most
                else:
                    sums[topic] += 1.0
            elif level[i] >= 0:
                before += 1
    return sums


def precision_of_all(given: RankedLevels, rel: int) -> Floats:
    """The share of relevant documents of those returned."""
    return _ratio(given.found(rel), np.diff(given.level_from))


def recall_of_all(given: RankedLevels, rel: int) -> Floats:
    """The share of the relevant documents that are returned at any rank."""
    return _ratio(given.found(rel), given.relevant(rel))


def balance_of_all(given: RankedLevels, rel: int) -> Floats:
    """The harmonic mean of precision and recall of all documents returned."""
    precise, complete = precision_of_all(given, rel), recall_of_all(given, rel)
    return _ratio(2.0 * precise * complete, precise + complete)


def number_returned(given: RankedLevels, rel: int | None) -> Floats:
    """How many documents are returned, or how many of a level."""
    counts = np.diff(given.level_from) if rel is None else given.found(rel)
    return counts.astype(np.float64)


def number_relevant(given: RankedLevels) -> Floats:
    """How many documents are relevant, returned or not."""
    return given.relevant(1).astype(np.float64)


def share_judged(given: RankedLevels, cutoff: int | None) -> Floats:
    """The share of judged documents, also of those below 0, of those returned."""
    first, last = given.down_to(cutoff)
    return _ratio(given.found(BELOW_0, cutoff), last - first)


def _ratio(part: Ints | Floats, of: Ints | Floats) -> Floats:
    """Divide, where there is something to divide by; 0 is what trec_eval says elsewhere."""
    return np.divide(part, of, out=np.zeros(len(of)), where=of != 0)


class Computation(NamedTuple):
    """How a measure is computed: on which documents, with which grades, by which function."""

    compute: Callable[[RankedLevels], Floats]
    judged_only: bool
    gains: Mapping[int, int]

    def scores(self, rows: Codes, borders: Ints, grades: Ints, grades_from: Ints) -> Floats:
        """Return the score of each topic, whatever is relevant to it."""
        gained = grades.copy() if self.gains else grades
        for grade, gain in self.gains.items():
            gained[grades == grade] = gain
        given = make_rankings(rows, borders, gained, grades_from)
        return self.compute(given.judged_only() if self.judged_only else given)


class _Own(NamedTuple):
    """A function, and the whole numbers that it takes, with what they are if not given.

    `neutral` are values of other parameters that change nothing. Only where the measure may look at
    `judged_only` documents does the library let it.
    """

    compute: Callable[..., Floats]
    numbers: Mapping[str, int | None] = {}
    judged_only: bool = True
    neutral: Mapping[str, Any] = {}


_REL: Mapping[str, int | None] = {"rel": 1}
_CUT: Mapping[str, int | None] = {"cutoff": None}
_MEASURES: Mapping[str, _Own] = {
    "AP": _Own(average_precision, {**_REL, **_CUT}),
    "P": _Own(precision, {**_REL, **_CUT}),
    "R": _Own(recall, {**_REL, **_CUT}),
    "RR": _Own(reciprocal_rank, {**_REL, **_CUT}),
    "nDCG": _Own(normalised_gain, _CUT, neutral={"dcg": "log2"}),
    "Rprec": _Own(r_precision, _REL),
    "Success": _Own(success, {**_REL, **_CUT}),
    "Bpref": _Own(binary_preference, _REL, judged_only=False),
    "SetP": _Own(precision_of_all, _REL, neutral={"relative": False}),
    "SetR": _Own(recall_of_all, _REL, judged_only=False),
    "SetF": _Own(balance_of_all, _REL, neutral={"beta": 1.0}),
    "NumRet": _Own(number_returned, {"rel": None}, judged_only=False),
    "NumRel": _Own(number_relevant, judged_only=False, neutral={"rel": 1}),
    "Judged": _Own(share_judged, _CUT, judged_only=False),
}


def computation_of(name: str, given: Mapping[str, Any]) -> Computation | None:
    """Return how a measure of ir_measures with these parameters is computed; None if that is left to it.

    >>> computation_of("P", {"cutoff": 10}) is None, computation_of("nDCG", {"dcg": "exp-log2"}) is None
    (False, True)
    """
    own = _MEASURES.get(name)
    if own is None:
        return None
    numbers = dict(own.numbers)
    judged_only, gains = False, {}
    for key, value in given.items():
        if key in own.numbers and _is_number(value) and value > 0:
            numbers[key] = value
        elif key == "judged_only" and own.judged_only:
            judged_only = bool(value)
        elif key == "gains" and name == "nDCG" and all(map(_is_number, (*value, *value.values()))):
            gains = value
        elif key not in own.neutral or own.neutral[key] != value:
            return None
    return Computation(functools.partial(own.compute, **numbers), judged_only, gains)


def _is_number(value: Any) -> bool:
    """Whether a value is a whole number, and not too large."""
    return type(value) is int and abs(value) < _LARGEST
