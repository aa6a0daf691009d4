"""Elements: those that the profile calls answers, those with some tags, or all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from inexlab.collection.profile import names_tag
from inexlab.index.guide import Mask
from inexlab.index.index import LOOP_COLUMNS, Index
from inexlab.index.inference import inferred
from inexlab.index.tag_table import INLINE, UNIT
from inexlab.index.widths import as_bytes
from inexlab.retrieval.candidates import Candidates, candidates
from inexlab.retrieval.listing import elements_at, visit_listed
from inexlab.retrieval.offers import element_classes
from inexlab.retrieval.pruning import DocumentVisitor
from inexlab.retrieval.terms import QueryTerms
from inexlab.retrieval.unit import Units, UnitText, remembered_counts, unit_kind
from inexlab.retrieval.visiting import visit_elements
from inexlab.tables import Bytes, Floats, Ints


class ChosenElements(NamedTuple):
    """Some elements of an index, and what is known of them."""

    chosen: Mask
    units: int
    mean_length: float
    mean_terms: float


class ElementUnits(Units):
    """Elements that are not inline mark-up and have a word: all of them, or some."""

    are_elements = True

    def __init__(self, index: Index, name: str = "elements:*", choice: ChosenElements | None = None) -> None:
        """`choice` says which elements of the index are units; None stands for all."""
        self.index, self.name = index, name
        self._choice = choice
        self.chosen = choice.chosen if choice is not None else None
        self._with_all = False
        self._paths: Mask | None = None
        self.count, self.mean_length, self.mean_terms = (
            (choice.units, choice.mean_length, choice.mean_terms)
            if choice is not None
            else (index.units, index.mean_tokens, index.mean_terms)
        )

    def totals(self) -> tuple[int, int, int]:
        """Return how many elements there are, and how many tokens and different terms these have together."""
        if self.chosen is None:
            return self.index.units, self.index.manifest["unit_tokens"], self.index.manifest["unit_terms"]
        which = np.flatnonzero(self.chosen)
        columns = (self.index.columns[name][which] for name in ("tokens", "terms"))
        tokens, terms = (int(column.sum(dtype=np.int64)) for column in columns)
        return len(which), tokens, terms

    def candidates(self, terms: QueryTerms, documents: Ints | None = None) -> tuple[Candidates, Floats]:
        """Return the elements that hold a term, and how many of all hold each."""
        if self.chosen is None:
            return candidates(self.index, terms.positions, documents, terms.most_units), terms.units_with
        holding = self.units_with(terms)
        found = candidates(self.index, terms.positions, documents)
        return (found if self._with_all else found.only(self.chosen[found.element])), holding

    def units_with(self, terms: QueryTerms) -> Floats:
        """Return how many of these elements hold each term."""
        if self.chosen is None:
            return terms.units_with
        chosen = self.chosen
        return remembered_counts(
            self, terms, lambda t: int(np.count_nonzero(chosen[self._holding(terms.positions[t])]))
        )

    def _holding(self, positions: Ints) -> Ints:
        """Return the elements that hold some positions; where none but roots are chosen, these alone."""
        if self.name != "articles":
            return candidates(self.index, [positions]).element
        has_any = np.diff(np.searchsorted(positions, self.index.document_tokens)) > 0
        return self.index.document_elements[:-1][has_any]

    def visitor(self, terms: QueryTerms) -> DocumentVisitor | None:
        """Return how elements are found; None where some document's root is none of them."""
        index = self.index
        if not self.with_articles:
            return None
        some = None if self._paths is None else elements_at(index, self._paths, terms.total)
        if some is not None:
            visit_some = visit_listed.for_work(20 * terms.total)
            columns, widths = _loop_columns(index)
            return DocumentVisitor(
                visit_some,
                (columns[-1], widths[-1], index.checked, *some[:-1]),
                some.classes,
                index.check_documents,
            )
        visit = visit_elements.for_work(20 * terms.total)
        arguments = (index.document_elements, *_loop_columns(index), index.tag_kinds, index.checked)
        return DocumentVisitor(
            visit, arguments, element_classes(index.longest_document), index.check_documents
        )

    @property
    def with_articles(self) -> bool:
        """Whether the root of every document is a unit: where one is inline mark-up, there is no article."""
        return _roots_are_units(self.index)

    def among(self, _numbers: Ints) -> Mask | None:
        """Say which elements are chosen."""
        return None if self.chosen is None or self._with_all else self.chosen[_numbers]

    def intervals(self, units: Ints) -> tuple[Ints, Ints]:
        """Return where elements begin and end on the axis."""
        return self.index.intervals(units)

    def with_all(self) -> ElementUnits:
        """Return all elements, with the statistics of these."""
        same = ElementUnits(self.index, self.name, self._choice)
        same._with_all = True
        return same

    def at(self, paths: Mask) -> ElementUnits:
        """Return all elements that have one of some tag paths, with the statistics of these.

        A search may find others as well, while it is not worth while to list them.
        """
        same = self.with_all()
        same._paths = paths
        return same

    def all(self) -> Ints:
        """Return the numbers of all these elements."""
        chosen = self.chosen
        if chosen is None:
            columns = self.index.columns
            chosen = (self.index.tag_kinds[columns["tag"]] == UNIT) & (columns["tokens"] > 0)
        return np.flatnonzero(chosen)

    def documents(self, units: Ints) -> Ints:
        """Return the documents that elements are in."""
        return np.searchsorted(self.index.document_elements, units, side="right") - 1

    def spans(self, units: Ints) -> tuple[Ints, Ints]:
        """Return the characters where elements begin and end."""
        return self.index.spans(units)

    def elements(self, units: Ints) -> Ints:
        """Return the elements themselves."""
        return units


def _roots_are_units(index: Index) -> bool:
    """Whether the root of every document is a unit: where one is inline mark-up, there is no article."""
    known: dict[str, bool] = index.kept
    if "roots are units" not in known:
        tags = index.unchecked_columns["tag"][index.document_elements[:-1]]
        known["roots are units"] = bool(np.all(index.tag_kinds[tags] != INLINE))
    return known["roots are units"]


def _loop_columns(index: Index) -> tuple[tuple[Bytes, ...], tuple[int, ...]]:
    """Return the columns that loops over elements go through, as bytes, and the bytes of a number."""
    known: dict[str, tuple[tuple[Bytes, ...], tuple[int, ...]]] = index.kept
    if "columns" not in known:
        columns = [index.unchecked_columns[name] for name in LOOP_COLUMNS]
        known["columns"] = tuple(map(as_bytes, columns)), tuple(column.itemsize for column in columns)
    return known["columns"]


@dataclass(frozen=True)
class ElementUnitSpec:
    """A kind of unit that chooses elements, by their tag paths and by the length that they have at least."""

    name: str
    paths: Callable[[Index], Mask] | None = None
    least: Callable[[Index], int] = lambda _index: 0

    def units(self, index: Index) -> ElementUnits:
        """Return these elements of an index."""
        if self.paths is None:
            return ElementUnits(index)
        known: dict[str, ChosenElements] = index.kept.setdefault("elements", {})
        if self.name not in known:
            known[self.name] = self._choose(index, self.paths(index))
        return ElementUnits(index, self.name, known[self.name])

    def _choose(self, index: Index, paths: Mask) -> ChosenElements:
        guide = index.guide
        inline = index.tag_kinds[guide.tag] != UNIT
        chosen = (paths & ~inline)[guide.path] & (index.columns["tokens"] > 0)
        if least := self.least(index):
            chosen &= index.column("length", 0, len(chosen)) >= least
        which = np.flatnonzero(chosen)
        means = [index.columns[column][which].mean() if len(which) else 0.0 for column in ("tokens", "terms")]
        return ChosenElements(chosen, len(which), *map(float, means))


def answer_paths(index: Index) -> Mask:
    """Say of each tag path whether the profile calls elements that have it answers.

    One that names none takes all but those that can be none by inference.
    """
    profile, guide = index.profile, index.guide
    if profile.answers:
        answers = _ending_with(index, profile.answers)
    else:
        guess = inferred(index)
        none = np.array([tag in guess.inline | guess.short for tag in guide.tags], dtype=np.bool_)
        answers = ~none[guide.tag] | (guide.above < 0)
    outside = guide.beneath(_ending_with(index, profile.outside))
    return answers & ~outside & ~_ending_with(index, profile.no_answers)


def _ending_with(index: Index, tags: Sequence[str]) -> Mask:
    """Say of each tag path whether its last tag is one of some."""
    guide = index.guide
    return np.array([names_tag(tag, tags) for tag in guide.tags], dtype=np.bool_)[guide.tag]


@unit_kind(
    "elements", "elements:p,sec", "answers of the profile; with tags, elements that have them; * for all"
)
def elements(written: UnitText) -> ElementUnitSpec:
    """Parse `elements`, `elements:*` or `elements:p,sec`."""
    if not written.argument:
        return ElementUnitSpec("elements", answer_paths, lambda index: index.profile.least_answer)
    tags = tuple(sorted({tag.strip() for tag in written.argument.split(",")}))
    if "*" in tags:
        return ElementUnitSpec("elements:*")
    if not all(tags):
        raise written.wrong()
    return ElementUnitSpec(f"elements:{','.join(tags)}", lambda index: _ending_with(index, tags))
