"""One structured query at work on some documents: what its clauses score and demand, and what results are.

What target, support, context and score mean, `structure` says.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from inexlab.accelerate import Kernel
from inexlab.index.guide import Mask
from inexlab.index.index import Index
from inexlab.index.tag_table import UNIT
from inexlab.retrieval.by_document import DocumentBounds
from inexlab.retrieval.clauses import (
    add_ancestors,
    add_scores,
    ask_clause,
    holds_by_scores,
    join_conditions,
    join_scores,
)
from inexlab.retrieval.comparison import meeting
from inexlab.retrieval.model import Weighting
from inexlab.retrieval.pruning import Fits, QueryProfile
from inexlab.retrieval.scoring import NO_ANSWER, document_scores, score_units
from inexlab.retrieval.searching import Addition, Asked, document_bounds, of_documents
from inexlab.retrieval.terms import QueryAnalyser, QueryTerms
from inexlab.retrieval.unit import Units
from inexlab.retrieval.units.elements import ElementUnits
from inexlab.retrieval.ways import Ways
from inexlab.tables import Codes, Floats, Ints, distinct
from inexlab.topics.decompose import atoms, target
from inexlab.topics.equivalence import Equivalence
from inexlab.topics.query import About, CASQuery, Clause, Compare, Path, Term


@dataclass(frozen=True)
class _Scores:
    """Elements with their scores, in the order of the collection; all others have none."""

    element: Ints
    score: Floats

    def at(self, elements: Ints) -> Floats:
        """Return the scores of some elements."""
        if not len(self.element):
            return np.full(len(elements), NO_ANSWER)
        place = np.minimum(np.searchsorted(self.element, elements), len(self.element) - 1)
        return np.where(self.element[place] == elements, self.score[place], NO_ANSWER)


class QueryEvaluation:
    """One query at work."""

    def __init__(
        self,
        analyser: QueryAnalyser,
        look_up: Callable[[tuple[Term, ...]], QueryTerms],
        units: Units,
        query: CASQuery,
        weighting: Weighting,
        strict_target: bool,
        strict_support: bool,
        equivalence: Equivalence,
        documents: Ints | None,
        *,
        demanding: bool,
        profile: QueryProfile,
    ) -> None:
        self._analyser, self._look_up, self._units, self._index = analyser, look_up, units, units.index
        self._query, self._weighting = query, weighting
        # all elements can support a result, whatever results are
        self._elements = units.with_all() if isinstance(units, ElementUnits) else ElementUnits(units.index)
        self._demanding, self._profile = demanding, profile
        self._strict_target, self._strict_support = strict_target, strict_support
        self._ways, self._documents = Ways(units.index, equivalence), documents
        self._all_strict = strict_target and strict_support
        self._path = target(query)
        self._abouts: dict[tuple[int, About], tuple[_Scores, _Scores]] = {}
        self._own_abouts: dict[About, _Scores] = {}
        self._asking: dict[About, bool] = {}

    @property
    def index(self) -> Index:
        """The index that is searched."""
        return self._index

    def exact_positions(self) -> Iterator[Ints]:
        """Yield positions of words that are as in the query, where there are others; those of a clause once.

        Which clauses it takes to score some documents makes no difference.
        """
        for _, about in dict.fromkeys(self._abouts_in_query()):
            yield from self._look_up(about.terms).exact

    def keywords(self) -> tuple[Asked, Units, Fits, Addition | None] | None:
        """Return what is asked of a result itself, the units that it ranks, and which can be results.

        And what documents add to that, by other clauses. None if there is more to a query.
        """
        clauses = self._clauses()
        if not clauses:
            return None
        *others, (step, clause) = clauses
        abouts = [one for one in atoms(clause) if isinstance(one, About)]
        if step != len(self._path) or not any(map(self._asks, abouts)):
            return None
        of_elements = isinstance(self._units, ElementUnits)
        if self._strict_support:
            on_path = any(about.path for _, about in self._abouts_in_query())
            if on_path or not (self._strict_target and of_elements and not self._demanding):
                return None
        joined = [one for _, one in others] if isinstance(clause, About) else [one for _, one in clauses]
        if joined and not self._scored_one_by_one(joined):
            return None
        added = None
        if others and (not self._strict_support or all(self._is_of_articles(step) for step, _ in others)):
            added = self._of_documents(others)
        elif others:
            added = add_ancestors(
                self._elements,
                others,
                functools.partial(self._ways.to_steps, self._path, [step for step, _ in others]),
                self._terms_of,
                self._asks,
                self._weighting,
                self._profile,
            )
        asked = ask_clause(
            clause,
            self._terms_of,
            self._asks,
            self._weighting,
            self._profile,
            demanding=self._demanding,
            strict=self._strict_support,
        )

        def fits(numbers: Ints) -> Mask:
            return self._can_be_results(numbers)[0]

        if not of_elements:
            return asked, self._units, fits, added
        ranked = self._elements
        at_target = ranked.at(self._ways.paths(self._path)) if self._strict_target else ranked
        return asked, at_target, fits, added

    def _scored_one_by_one(self, clauses: list[Clause]) -> bool:
        """Whether clauses have scores that an element has without looking at what is in it."""
        conditions = any(isinstance(one, Compare) for clause in clauses for one in atoms(clause))
        bounded = self._weighting.model.bound is not None  # so that each unit is scored by itself
        return bounded and not conditions and self._elements.with_articles

    def _is_of_articles(self, step: int) -> bool:
        """Whether only articles can be at a step."""
        guide = self._index.guide
        return bool(np.all(guide.above[self._ways.paths(self._path[:step])] < 0))

    def _of_documents(self, clauses: list[tuple[int, Clause]]) -> Addition:
        """Return what documents score by clauses of steps above the last; 0 if nothing.

        Where clauses are strict, and documents are what they are about, those in which one does not hold have
        no results.
        """
        known: dict[tuple[int, About], Floats] = {}
        exact: list[Ints] = []

        def score(step: int, about: About | Compare) -> Floats:
            assert isinstance(about, About)
            if (step, about) not in known:
                terms = self._look_up(about.terms)
                exact.extend(terms.exact)
                known[step, about] = document_scores(
                    self._elements,
                    terms,
                    self._weighting,
                    self._documents,
                    self._profile,
                    unwanted_alone=not self._asks(about),
                )
            return known[step, about]

        each = (join_scores(clause, functools.partial(score, step)) for step, clause in clauses)
        scores = functools.reduce(add_scores, each)
        added = np.where(scores > NO_ANSWER, scores, 0.0)
        if self._strict_support:
            for step, clause in clauses:
                matches = {about: known[step, about] for about in atoms(clause) if isinstance(about, About)}
                added[~join_conditions(clause, functools.partial(holds_by_scores, matches, self._asks))] = (
                    NO_ANSWER
                )
        return of_documents(added, tuple(exact))

    def bounds(self, documents: Ints | None, profile: QueryProfile) -> DocumentBounds | None:
        """Return what results in each document score at most; None if that is unknown.

        A score is the sum of those of `about` clauses, or less. Nothing is in a document without their words.
        """
        abouts = self._abouts_in_query()
        if not abouts:
            profile.everything = "no clause has a score"
            return None
        found, margin = np.full(len(self._index.documents), NO_ANSWER), 0.0
        positions: dict[tuple[Term, ...], Floats] = {}  # of words that several clauses may have
        ranked = [self._elements, *([] if isinstance(self._units, ElementUnits) else [self._units])]
        for about in dict.fromkeys(about for _, about in abouts):
            terms = self._look_up(about.terms)
            if not len(terms):
                continue
            highest = np.full(len(found), NO_ANSWER)
            for units in ranked:
                offered = document_bounds(units, terms, self._weighting, documents, profile)
                if offered is None:
                    return None
                has = offered.bound > NO_ANSWER
                highest[has] = np.maximum(highest[has], np.maximum(offered.bound[has], 0.0))
                margin += offered.margin
                positions[about.terms] = offered.positions
            times = sum(one == about for _, one in abouts)
            has = highest > NO_ANSWER
            found[has] = np.where(found[has] > NO_ANSWER, found[has], 0.0) + times * highest[has]
        profile.documents = int(np.count_nonzero(found > NO_ANSWER))
        words = functools.reduce(np.add, positions.values(), np.zeros(len(found)))
        profile.positions = int(words.sum())
        return DocumentBounds(found, len(abouts) * margin, words)

    def results(self) -> tuple[Ints, Ints, Floats]:
        """Return all units that answer the query, the elements they are or are in, and their scores."""
        results, elements = self._targets()
        clauses = self._clauses()
        conditions_alone = not self._abouts_in_query()
        found = np.full(len(results), NO_ANSWER)
        for contexts in self._contexts([step for step, _ in clauses], elements):
            scores = np.full(len(results), 0.0 if conditions_alone else NO_ANSWER)
            holds = np.ones(len(results), dtype=np.bool_)
            for (step, clause), context in zip(clauses, contexts, strict=True):
                scores = add_scores(scores, self._score(step, clause, results, context))
                holds &= self._holds(step, clause, context)
            found = np.maximum(found, np.where(holds, scores, NO_ANSWER))
        kept = found > NO_ANSWER
        return results[kept], elements[kept], found[kept]

    def _clauses(self) -> list[tuple[int, Clause]]:
        """Return the clauses of the query with the steps that carry them, counted from 1."""
        steps = enumerate(self._query.steps, start=1)
        return [(i, step.clause) for i, step in steps if step.clause is not None]

    def _abouts_in_query(self) -> list[tuple[int, About]]:
        """Return the `about`s of the query with the steps that carry them."""
        return [(i, one) for i, clause in self._clauses() for one in atoms(clause) if isinstance(one, About)]

    def _asks(self, about: About) -> bool:
        """Whether an `about` wants any word that an index can have."""
        if about not in self._asking:
            self._asking[about] = self._analyser.asks(term for term in about.terms if term.sign != "-")
        return self._asking[about]

    def _terms_of(self, about: About) -> QueryTerms:
        return self._look_up(about.terms)

    def _targets(self) -> tuple[Ints, Ints]:
        """Return all units that can be results, and the elements that they are or are in."""
        abouts = self._abouts_in_query()
        asking = [(i, about) for i, about in abouts if self._asks(about)]
        own = [self._own(about).element for i, about in asking if i == len(self._path)]
        if own:
            units = own[0] if len(own) == 1 else distinct(np.concatenate(own))
        elif abouts and not asking:
            units = np.zeros(0, dtype=np.int64)
        else:
            units = self._units_of_documents([self._about(i, about)[0] for i, about in asking])
        fits, elements = self._can_be_results(units)
        return units[fits], elements[fits]

    def _can_be_results(self, units: Ints) -> tuple[Mask, Ints]:
        """Say which units can be results by where they are, and return the elements they are or are in."""
        elements = self._units.elements(units)
        every = np.ones(len(units), dtype=np.bool_)
        if not isinstance(self._units, ElementUnits):
            if not self._strict_target:
                return every, elements
            inside, targets = self._ways.innermost_at(self._path, elements)
            elements = elements.copy()
            elements[inside] = targets
            return inside, elements
        fits = self._ways.conforming(self._path, elements)
        if not self._strict_target:
            chosen = self._units.chosen
            fits = every if chosen is None else fits | chosen[elements]
        return fits, elements

    def _own(self, about: About) -> _Scores:
        """Return the units that match an `about` on the last step."""
        if about not in self._own_abouts:
            if isinstance(self._units, ElementUnits) and not self._demanding:
                self._own_abouts[about] = self._about(len(self._path), about)[0]
            else:
                found, scores = score_units(
                    self._elements if isinstance(self._units, ElementUnits) else self._units,
                    self._look_up(about.terms),
                    self._weighting,
                    self._documents,
                    unwanted_alone=not self._asks(about),
                    demanding=self._demanding,
                )
                self._profile.scored += len(found)
                order = np.argsort(found.element)
                self._own_abouts[about] = _matching(found.element[order], scores[order])
        return self._own_abouts[about]

    def _units_of_documents(self, matches: list[_Scores]) -> Ints:
        """Return all units of the documents that have any of the matches; of all, if there are none."""
        index = self._index
        roots = index.document_elements[:-1]
        having = np.zeros(len(roots), dtype=np.bool_)
        having[slice(None) if self._documents is None else self._documents] = True
        if matches:
            having &= np.any([match.at(roots) > NO_ANSWER for match in matches], axis=0)
        if not isinstance(self._units, ElementUnits):
            return np.flatnonzero(having[self._units.documents(np.arange(self._units.count))])
        elements = np.flatnonzero(np.repeat(having, np.diff(index.document_elements)))
        units = index.tag_kinds[index.columns["tag"][elements]] == UNIT
        filled: Ints = elements[units & (index.columns["tokens"][elements] > 0)]
        return filled

    def _contexts(self, steps: list[int], results: Ints) -> Iterator[list[Ints]]:
        """Yield, for each division, where to look for the clauses of each result on some steps."""
        index = self._index
        if self._all_strict:
            yield from self._ways.to_steps(self._path, steps, results)
            return
        documents = np.searchsorted(index.document_elements, results, side="right") - 1
        yield [index.document_elements[documents]] * len(steps)

    def _about(self, step: int, about: About) -> tuple[_Scores, _Scores]:
        """Return the elements that match, and the best scores at the support path in each element."""
        if (step, about) not in self._abouts:
            found, scores = score_units(
                self._elements,
                self._look_up(about.terms),
                self._weighting,
                self._documents,
                unwanted_alone=not self._asks(about),
            )
            self._profile.scored += len(found)
            element = found.element
            if self._all_strict:
                inside = self._best_below(about.path, element, scores)
            else:
                there = self._ways.conforming(self._path[:step] + about.path, element)
                inside = np.where(there, scores, NO_ANSWER)
                _hand_up.for_work(4 * len(scores))(found.parent, inside)
            self._abouts[step, about] = _matching(element, scores), _matching(element, inside)
        return self._abouts[step, about]

    def _best_below(self, path: Path, elements: Ints, scores: Floats) -> Floats:
        """Return for each element the best score of those to which a path leads from it."""
        if not path:
            return scores
        best_scores = np.full(len(elements), NO_ANSWER)
        for upper, lower in self._ways.leading_to(path, elements):
            place = np.searchsorted(elements, upper)  # what is around a candidate is one, but for inline tags
            there = elements[place] == upper
            np.maximum.at(best_scores, place[there], scores[lower[there]])
        return best_scores

    def _score(self, step: int, clause: Clause, results: Ints, contexts: Ints) -> Floats:
        def score(one: About | Compare) -> Floats:
            if isinstance(one, Compare):
                return np.full(len(results), NO_ANSWER)
            of_elements = isinstance(self._units, ElementUnits)
            if step == len(self._path) and not (self._all_strict and of_elements):
                return self._own(one).at(results)
            own, inside = self._about(step, one)
            return (inside if self._strict_support else own).at(contexts)

        return join_scores(clause, score)

    def _holds(self, step: int, clause: Clause, contexts: Ints) -> Mask:
        def holds(one: About | Compare) -> Mask:
            if isinstance(one, Compare):
                return self._meets(step, one, contexts)
            if not (self._strict_support and self._asks(one)):
                return np.ones(len(contexts), dtype=np.bool_)
            matches: Mask = self._about(step, one)[1].at(contexts) > NO_ANSWER
            return matches

        return join_conditions(clause, holds)

    def _meets(self, step: int, comparison: Compare, contexts: Ints) -> Mask:
        """Say in which contexts some element meets a comparison; each element is looked at once."""
        index = self._index
        different, of_context = np.unique(contexts, return_inverse=True)
        if self._all_strict and not comparison.path:
            return meeting(index, different, comparison)[of_context]
        documents = np.unique(np.searchsorted(index.document_elements, different, side="right") - 1)
        borders = zip(index.document_elements[documents], index.document_elements[documents + 1], strict=True)
        elements = np.concatenate([np.arange(*border) for border in borders] or [different])
        if self._all_strict:
            led_to = [elements[lower] for _, lower in self._ways.leading_to(comparison.path, elements)]
            elements = functools.reduce(np.union1d, led_to, different[:0])
            elements = elements[meeting(index, elements, comparison)]
            around = [upper for upper, _ in self._ways.leading_to(comparison.path, elements)]
        else:
            elements = elements[self._ways.conforming(self._path[:step] + comparison.path, elements)]
            elements = elements[meeting(index, elements, comparison)]
            there = np.searchsorted(index.document_elements, elements, side="right") - 1
            around = [index.document_elements[there]]
        return np.isin(different, np.concatenate([different[:0], *around]))[of_context]


def _matching(element: Ints, score: Floats) -> _Scores:
    matches = score > NO_ANSWER
    return _Scores(element[matches], score[matches])


@Kernel
def _hand_up(parent: Codes, scores: Floats) -> None:
    """Give every candidate the best score of what is in it; candidates come after those above them.

    `parent` is a place among the candidates, or -1: `candidates` wrote it.
    """
    for c in range(len(scores) - 1, -1, -1):
        if parent[c] >= 0 and scores[c] > scores[parent[c]]:
            scores[parent[c]] = scores[c]
