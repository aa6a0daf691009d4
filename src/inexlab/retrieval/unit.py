"""What a unit of retrieval is: the grammar of `by`, and what ranking asks of units of any kind.

    elements        what the profile calls answers
    elements:p,sec  elements with these tags; elements:* all
    articles        whole documents
    passages:400c   whole sentences, packed up to N characters, inside a block
    sentences:3     groups of N sentences, inside a block
    windows:200w/100w, windows:400c   words or characters, through elements; the step after a slash
    auto            passages within what the profile calls answers

Each kind is a file in `units`, which registers itself. Elements are numbered as in the index, units of a cut
from 0; both in the order of the collection.
"""

from __future__ import annotations

import functools
import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np

from inexlab.accelerate import Kernel
from inexlab.errors import UsageError
from inexlab.index.blocks import Array
from inexlab.index.guide import Mask
from inexlab.index.halves import HALVED, Halved, number_of, turns_between
from inexlab.index.index import Index
from inexlab.index.inference import kinds_with_inferred
from inexlab.index.tag_table import INLINE
from inexlab.registry import Registry
from inexlab.retrieval.candidates import Candidates, within
from inexlab.retrieval.cut import Cut, Places, cut_key, cut_of, flat_candidates
from inexlab.retrieval.layout import Layout, LayoutRules
from inexlab.retrieval.pruning import DocumentVisitor
from inexlab.retrieval.visiting import visit_cut
from inexlab.spans import Span
from inexlab.tables import Bytes, Floats, Ints

if TYPE_CHECKING:
    from inexlab.retrieval.terms import QueryTerms

LARGEST = 10_000_000  # number in `by`
_REMEMBERED = 10_000  # terms, of which it is known how many units hold them


class Units(ABC):
    """The units that a query ranks, of one index."""

    index: Index
    name: str
    count: int
    mean_length: float
    mean_terms: float
    are_elements = False

    @property
    def key(self) -> str:
        """What tells these units from others of one index; `units_by_key` finds them by it."""
        return self.name

    def totals(self) -> tuple[int, int, int]:
        """Return how many units there are, and how many tokens and different terms these have together."""
        return self.count, round(self.count * self.mean_length), round(self.count * self.mean_terms)

    @abstractmethod
    def candidates(self, terms: QueryTerms, documents: Ints | None = None) -> tuple[Candidates, Floats]:
        """Return the units that hold a term, of some documents only, and how many of all hold each."""

    @abstractmethod
    def units_with(self, terms: QueryTerms) -> Floats:
        """Return how many units hold each term."""

    @abstractmethod
    def visitor(self, terms: QueryTerms) -> DocumentVisitor | None:
        """Return how units are found that may be among the best; None if all have to be scored."""

    def among(self, _numbers: Ints) -> Mask | None:
        """Say which of the units that a visitor finds are some of these; None if all are."""
        return None

    @abstractmethod
    def intervals(self, units: Ints) -> tuple[Ints, Ints]:
        """Return where units begin and end on the axis."""

    def words(self, units: Ints) -> Ints:
        """Return how many words units have, those that are not searched for included."""
        first, last = self.intervals(units)
        return last.astype(np.int64) - first

    @abstractmethod
    def spans(self, units: Ints) -> tuple[Ints, Ints]:
        """Return the characters where units begin and end."""

    @abstractmethod
    def elements(self, units: Ints) -> Ints:
        """Return the innermost element, but for inline mark-up, around each unit; an element itself."""

    @abstractmethod
    def documents(self, units: Ints) -> Ints:
        """Return the documents that units are in."""

    @property
    def overlapping(self) -> bool:
        """Whether two units may have text in common."""
        return True

    def all(self) -> Ints:
        """Return the numbers of all units."""
        return np.arange(self.count, dtype=np.int64)

    def span(self, unit: int) -> Span:
        """Return the characters of a unit."""
        start, end = self.spans(np.array([unit]))
        return Span(int(start[0]), int(end[0]))

    def element(self, unit: int) -> int:
        """Return the element that a unit is, or is in."""
        return int(self.elements(np.array([unit]))[0])


def remembered_counts(units: Units, terms: QueryTerms, count: Callable[[int], int]) -> Floats:
    """Return how many units hold each term; `count` says it, by the term's number, where it is not known."""
    known: dict[tuple[str, object], int] = units.index.kept.setdefault("units with", {})
    found = []
    for t, row in enumerate(terms.rows):
        key = units.key, row
        number = known.get(key)  # other threads may add some, and leave out this one
        if number is None:
            if len(known) >= _REMEMBERED:
                for old in list(known)[: _REMEMBERED // 2]:
                    known.pop(old, None)
            number = known[key] = count(t)
        found.append(number)
    return np.array(found, dtype=np.float64)


class FlatUnits(Units):
    """Units of a cut."""

    def __init__(self, index: Index, name: str, cut: Cut, key: str = "") -> None:
        self.index, self.name, self.cut, self._key = index, name, cut, key or name
        self.count = len(cut)
        self.mean_length = float(cut.length.mean()) if len(cut) else 0.0
        self.mean_terms = float(cut.terms.mean()) if len(cut) else 0.0

    @property
    def key(self) -> str:
        """What tells these units from others of one index."""
        return self._key

    def totals(self) -> tuple[int, int, int]:
        """Return how many units there are, and how many tokens and different terms these have together."""
        lengths, terms = (int(column.sum(dtype=np.int64)) for column in (self.cut.length, self.cut.terms))
        return self.count, lengths, terms

    def candidates(self, terms: QueryTerms, documents: Ints | None = None) -> tuple[Candidates, Floats]:
        """Return the units that hold a term, and how many of all hold each."""
        if documents is None:
            found, holding = flat_candidates(self.index, self.cut, terms.positions, terms.reach)
            return found, holding.astype(np.float64)
        positions = [within(self.index, places, documents) for places in terms.positions]
        found, _ = flat_candidates(self.index, self.cut, positions, terms.reach)
        return found.only(np.isin(found.document, documents)), self.units_with(terms)

    def units_with(self, terms: QueryTerms) -> Floats:
        """Return how many units hold each term."""

        def count(t: int) -> int:
            row = terms.rows[t]
            if len(row) == 1 and len(row[0].all) == 1:
                return int(self.cut.holding[row[0].all[0]])
            return int(flat_candidates(self.index, self.cut, [terms.positions[t]], [len(row) - 1])[1][0])

        return remembered_counts(self, terms, count)

    def visitor(self, terms: QueryTerms) -> DocumentVisitor | None:
        """Return how units of the cut are found."""
        cut = self.cut
        columns = (cut.first, cut.last, cut.length, cut.terms, cut.near)
        reach = np.array(terms.reach, dtype=np.int64)
        visit = visit_cut.for_work(20 * terms.total)
        return DocumentVisitor(visit, (reach, *columns), cut.classes, lambda: None)

    def intervals(self, units: Ints) -> tuple[Ints, Ints]:
        """Return where units begin and end on the axis."""
        return self.cut.first[units], self.cut.last[units]

    def spans(self, units: Ints) -> tuple[Ints, Ints]:
        """Return the characters where units begin and end."""
        return self.cut.start[units].astype(np.int64), self.cut.end[units].astype(np.int64)

    def documents(self, units: Ints) -> Ints:
        """Return the documents that units are in."""
        return np.searchsorted(self.index.document_tokens, self.cut.first[units], side="right") - 1

    def elements(self, units: Ints) -> Ints:
        """Return the innermost element around each unit."""
        index, documents = self.index, self.documents(units)
        tag, back, begin, length = index.columns_within(documents, "tag", "parent", *HALVED)
        start, end = self.spans(units)
        return _around.for_work(40 * len(units))(
            start,
            end,
            documents,
            index.document_elements,
            tag,
            back,
            (begin, *index.uppers("start")),
            (length, *index.uppers("length")),
            kinds_with_inferred(index),
        )

    @property
    def overlapping(self) -> bool:
        """Whether two units may have text in common."""
        return self.cut.most > 1


@Kernel
def _around(
    start: Ints,
    end: Ints,
    document: Ints,
    document_elements: Ints,
    tag: Array,
    back: Array,
    begin: Halved,
    length: Halved,
    kinds: Bytes,
) -> Ints:
    """Return the innermost element around each stretch of characters; the root, where there is no other.

    Each stretch has its place; the way up ends at the root of its document, however far an element reaches.
    """
    found = np.empty(len(start), dtype=np.int64)
    lower, turns, uppers = begin
    lower_length, length_turns, length_uppers = length
    for k in range(len(start)):
        root, beyond = document_elements[document[k]], document_elements[document[k] + 1]
        first, last = turns_between(turns, root, beyond)
        first_length, last_length = turns_between(length_turns, root, beyond)
        e = root
        while beyond - e > 1:  # the last element that begins at or before it
            middle = (e + beyond) >> 1
            if number_of(lower, turns, uppers, first, last, middle) <= start[k]:
                e = middle
            else:
                beyond = middle
        while back[e] != 0 and np.int64(back[e]) <= e - root:
            if kinds[tag[e]] != INLINE:
                at = number_of(lower, turns, uppers, first, last, e)
                size = number_of(lower_length, length_turns, length_uppers, first_length, last_length, e)
                if at + size >= end[k]:
                    break
            e -= np.int64(back[e])
        found[k] = e
    return found


class UnitSpec(Protocol):
    """A unit of retrieval as `by` specifies it."""

    @property
    def name(self) -> str:
        """The name in its shortest form."""

    def units(self, index: Index) -> Units:
        """Return these units of an index."""


@dataclass(frozen=True)
class FlatUnitSpec:
    """A kind of unit that cuts the axis."""

    name: str
    rules: LayoutRules
    cut: Callable[[Layout], Places]

    def units(self, index: Index) -> FlatUnits:
        """Return these units of an index."""
        return FlatUnits(index, self.name, cut_of(index, self.name, self.rules, self.cut), key_of(self))

    def for_target(self, index: Index, *, outside: bool) -> FlatUnitSpec:
        """Return the same kind, for a query that names the elements that results are in.

        Answers do not share a passage: it would be in neither. `outside` is what the profile leaves there.
        """
        apart = self.rules.runs == "answers" and index.profile.least_passage > 0
        return replace(self, rules=self.rules._replace(outside=outside, apart=apart))


@dataclass(frozen=True)
class UnitText:
    """What is written behind the name of a kind."""

    text: str
    argument: str
    example: str

    def wrong(self) -> UsageError:
        """Return the error for what cannot be understood."""
        return UsageError(f"`by={self.text!r}` is not written as {self.example!r}.")

    def nothing_more(self) -> None:
        """Refuse an argument."""
        if self.argument:
            raise self.wrong()

    def size(self, unit: str, default: str) -> int:
        """Return the number in `400c`, where the unit is `c`."""
        found = re.fullmatch(rf"(\d{{1,9}}){unit}", self.argument or default)
        return self._checked(int(found[1])) if found else self._checked(0)

    def size_and_step(self, units: str, default: str) -> tuple[int, int, str]:
        """Return the numbers in `200w/100w` or `200w`, and what they count."""
        found = re.fullmatch(rf"(\d{{1,9}})([{units}])(?:/(\d{{1,9}})\2)?", self.argument or default)
        if found is None:
            raise self.wrong()
        size = self._checked(int(found[1]))
        return size, self._checked(int(found[3])) if found[3] else size, found[2]

    def _checked(self, number: int) -> int:
        if not 1 <= number <= LARGEST:
            raise self.wrong()
        return number


@dataclass(frozen=True)
class UnitKind:
    """A registered kind: how it is written, what it is, and how what is written becomes one."""

    name: str
    example: str
    doc: str
    parse: Callable[[UnitText], UnitSpec]


unit_kinds: Registry[UnitKind] = Registry("kind of unit", "inexlab.retrieval.units")


def unit_kind(
    name: str, example: str, doc: str
) -> Callable[[Callable[[UnitText], UnitSpec]], Callable[[UnitText], UnitSpec]]:
    """Register the decorated function `(what is written) -> kind` under a name."""

    def register(parse: Callable[[UnitText], UnitSpec]) -> Callable[[UnitText], UnitSpec]:
        unit_kinds.add(name, UnitKind(name, example, doc, parse))
        return parse

    return register


@functools.cache
def parse_unit(text: str) -> UnitSpec:
    """Return the unit of retrieval that `by` specifies.

    >>> parse_unit("windows:200w/200w").name
    'windows:200w'
    """
    name, colon, argument = text.strip().partition(":")
    found = unit_kinds[name]
    written = UnitText(text, argument.strip(), found.example)
    if colon and not written.argument:
        raise written.wrong()
    return found.parse(written)


def units_of(index: Index, by: str) -> Units:
    """Return the units of an index that `by` specifies."""
    return parse_unit(by).units(index)


def key_of(spec: UnitSpec) -> str:
    """Return what tells these units from others of one index."""
    return cut_key(spec.name, spec.rules) if isinstance(spec, FlatUnitSpec) else spec.name


def units_by_key(index: Index, key: str) -> Units:
    """Return the units of an index that have a key."""
    name, *marks = key.split("+")
    spec = parse_unit(name)
    if isinstance(spec, FlatUnitSpec):
        rules = spec.rules._replace(outside="outside" in marks, apart="apart" in marks)
        return replace(spec, rules=rules).units(index)
    return parse_unit(key).units(index)
