"""Structured queries: NEXI over an index, with the structure taken strictly or as a hint.

The target of a query is what its path says to return, a support is where a clause says to look: the elements
at the path of its step and its own together. Each is taken strictly or vaguely: the four interpretations of
INEX 2005, named by target, then support.

Target      strict: the tag path of a result conforms to that of the query; vague: any unit will do.
Context     where a clause is looked at: both strict, the element at the clause's step, which is the result
            itself or an ancestor from which the rest of the path leads to it; else the document. Where
            several ancestors will do, the one with the best score is meant.
about       matches elements that hold a wanted term. Strict supports have to be there: an element at the
            support path, in the context, with a match; vague ones need not be. Both strict, the clause's own
            path leads from the context to its support: `.` is the context itself, `.//p` a part of it. One
            of unwanted terms or stop words alone asks for nothing: it holds, and can but lower scores.
Score       `about` on the last step: the result's own score, or, both strict, that of the best support. On a
            step above: that of the best support; vaguely, the document's own.
            `and` and the steps of a path add scores up, `or` takes the best.
Comparison  a condition on the data that has no score: some element at its path in the context meets it.

A result has to match an `about` of the last step, or, where that has none, be in a document that matches one.

Units that are not elements, such as passages, are results where they lie in elements that could be: the
innermost one that conforms to the target, or, vaguely, any. Their own score is that of an `about` on the last
step; whatever else is asked of that element and of those around it. Of chosen elements (`elements:p,sec`) and
those that the target names all are results, with the statistics of the chosen ones.
"""

from __future__ import annotations

import functools

import numpy as np

from inexlab.errors import UnknownNameError
from inexlab.index.index import Index
from inexlab.retrieval.by_document import Results, best_documents
from inexlab.retrieval.counting import Counting, counts_of
from inexlab.retrieval.evaluation import QueryEvaluation
from inexlab.retrieval.model import Weighting
from inexlab.retrieval.pruning import Fits, QueryProfile
from inexlab.retrieval.ranking import Ranking, best, exact_words
from inexlab.retrieval.searching import Addition, search_asked
from inexlab.retrieval.terms import QueryAnalyser, as_analyser, query_terms
from inexlab.retrieval.unit import Units
from inexlab.retrieval.units.elements import ElementUnits
from inexlab.tables import Ints
from inexlab.topics.equivalence import Equivalence
from inexlab.topics.query import CASQuery

# strict target, strict support
INTERPRETATIONS = {
    "VVCAS": (False, False),
    "SVCAS": (True, False),
    "VSCAS": (False, True),
    "SSCAS": (True, True),
}


def search_structure(
    analyser: QueryAnalyser | Index,
    query: CASQuery,
    weighting: Weighting,
    interpretation: str = "VVCAS",
    equivalence: Equivalence | None = None,
    *,
    limit: int = 0,
    documents: Ints | None = None,
    units: Units | None = None,
    demanding: bool = False,
    counted: Counting | None = None,
    fits: Fits | None = None,
    added: Addition | None = None,
    profile: QueryProfile | None = None,
) -> Ranking:
    """Rank the units, elements unless given, that answer a structured query, of listed documents only.

    Who is `demanding` takes `+` and `-` on the last step for demands. What is `counted`, what `fits` and what
    is `added`, and what a `profile` is for, `search_asked` says.
    """
    if interpretation not in INTERPRETATIONS:
        raise UnknownNameError("interpretation", interpretation, INTERPRETATIONS)
    analyser = as_analyser(analyser)
    units = units or ElementUnits(analyser.index)
    profile = profile if profile is not None else QueryProfile()

    look_up = functools.cache(functools.partial(query_terms, analyser))

    def evaluate(documents: Ints | None) -> QueryEvaluation:
        return QueryEvaluation(
            analyser,
            look_up,
            units,
            query,
            weighting,
            *INTERPRETATIONS[interpretation],
            equivalence or Equivalence(),
            documents,
            demanding=demanding,
            profile=profile,
        )

    everything = evaluate(documents)
    alone = everything.keywords() if limit else None
    if alone is not None:
        asked, ranked, may_be, of_others = alone
        return search_asked(
            ranked,
            asked,
            weighting,
            limit=limit,
            documents=documents,
            counted=counted,
            fits=may_be if fits is None else lambda numbers: may_be(numbers) & fits(numbers),
            added=added if of_others is None else of_others.then(added),
            profile=profile,
        )

    def results(some: Ints) -> Results:
        """Evaluate the query for some documents: a result and all that supports it are in one."""
        return _results(evaluate(some), fits, added)

    exact_positions = (*everything.exact_positions(), *(() if added is None else added.exact))
    exact = functools.partial(exact_words, units, exact_positions)
    bounds = everything.bounds(documents, profile) if limit else None
    if bounds is not None and added is not None:
        bounds = None if added.most is None else bounds.with_added(added.most)
        profile.everything = "what is around units has no bound" if bounds is None else ""
    if bounds is None:
        unit, document, score = _results(everything, fits, added)
    else:
        unit, document, score = best_documents(
            bounds,
            limit,
            results,
            counts_of(counted, exact),
            profile,
            whole=counted is not None and counted.whole,
        )
    return best(unit, document, score, 0 if counted is not None else limit, exact(unit))


def _results(evaluation: QueryEvaluation, fits: Fits | None, added: Addition | None) -> Results:
    """Return all units that answer a query, their documents and scores."""
    unit, element, score = evaluation.results()
    if fits is not None:
        right = fits(unit)
        unit, element, score = unit[right], element[right], score[right]
    documents = np.searchsorted(evaluation.index.document_elements, element, side="right") - 1
    document = documents.astype(np.int32)
    return unit, document, score if added is None else added.to(unit, document, score)
