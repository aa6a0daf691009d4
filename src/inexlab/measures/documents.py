"""The evidence of the measures of documents: a run reduced to its documents, and how relevant each is.

INEX runs return parts of articles. Seen from afar they are rankings of articles, and what trec_eval and its
successors measure applies: whether the right articles come first, wherever one lands in them. Nothing here
needs the text of a document, or its length.
"""

from __future__ import annotations

import ast
import functools
import re
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import nan
from typing import Any

import numpy as np

from inexlab.collection import Collection
from inexlab.errors import UsageError
from inexlab.judgements import Judgements
from inexlab.measures.breakdown import Breakdown
from inexlab.measures.rankings import computation_of, count_from, ranked_rows
from inexlab.measures.results import Mask, Results, judged_results
from inexlab.policy import Policy
from inexlab.runs import Run
from inexlab.tables import Codes, Floats, Ints

INSTALL = "pip install inexlab[articles]"


@dataclass(frozen=True)
class DocumentEvidence:
    """The results of a run by document, and how relevant the judged documents are to their topics."""

    names: Sequence[str]
    results: Results
    grades: Ints
    rows_from: Ints
    findings: Counter[str]
    _done: dict[str, Floats] = field(default_factory=dict)

    @property
    def topics(self) -> Sequence[DocumentTopic]:
        """The evidence of each topic."""
        return [DocumentTopic(self, number) for number in range(len(self.names))]

    def part(self, topic: int, chosen: Mask) -> DocumentEvidence:
        """Return the evidence of some of one topic's results, as if the run had no others."""
        results = self.results.part(topic, chosen)
        return DocumentEvidence(self.names, results, self.grades, self.rows_from, self.findings)

    def scores(self, name: str) -> Floats:
        """Return the score of every topic by a measure of ir_measures, NaN without a relevant document."""
        if name not in self._done:
            self._done[name] = self._scored(name)
        return self._done[name]

    def _scored(self, name: str) -> Floats:
        import ir_measures

        found = _parsed(ir_measures, name)
        # A document is relevant from this grade on. A topic without any has no score; one with grades below
        # 0 alone would make trec_eval read memory that is not its own.
        level = max(0, found.params.get("rel", 1))
        defined = count_from(self.grades, self.rows_from[:-1], self.rows_from[1:], level) > 0
        own = computation_of(found.NAME, found.params)
        if own is not None:
            scores = own.scores(*self._ranked, self.grades, self.rows_from)
            return np.where(defined, scores, nan)
        with _one_at_a_time:
            return self._scored_by_library(ir_measures, name, found, defined)

    @functools.cached_property
    def _ranked(self) -> tuple[Codes, Ints]:
        """The judged rows of the documents of each topic, best first, and where each topic's begin."""
        return ranked_rows(self.results.results_from, self.results.document, self.results.row)

    @functools.cached_property
    def _judged(self) -> list[dict[str, int]]:
        """By topic, the grade of each judged document, called by the number of its row."""
        return [
            {str(row): int(self.grades[row]) for row in range(*self.rows_from[t : t + 2])}
            for t in range(len(self.names))
        ]

    @functools.cached_property
    def _ranking(self) -> dict[str, dict[str, float]]:
        ranking: dict[str, dict[str, float]] = {}
        for t in range(len(self.names)):
            part = slice(*self.results.results_from[t : t + 2])
            places: dict[int, int] = {}  # documents are numbered as they first appear
            both = zip(self.results.document[part].tolist(), self.results.row[part].tolist(), strict=True)
            for document, row in both:
                places.setdefault(document, row)
            ranked = {f"{row}" if row >= 0 else f"unjudged {d}": -float(d) for d, row in places.items()}
            ranking[str(t)] = ranked or {"nothing": 0.0}
        return ranking

    def _scored_by_library(self, library: Any, name: str, found: Any, defined: Mask) -> Floats:
        qrels = {str(t): self._judged[t] for t in np.flatnonzero(defined).tolist()}
        scores = np.full(len(self.names), nan)
        try:
            for metric in library.iter_calc([found], qrels, self._ranking):
                scores[int(metric.query_id)] = metric.value
        except (ValueError, TypeError, ZeroDivisionError) as error:  # as of Accuracy where all is relevant
            raise UsageError(f"ir_measures cannot compute {name!r} here ({error}).") from None
        return scores


# the library is not made for several threads, which score runs
_one_at_a_time = threading.Lock()


@dataclass(frozen=True)
class DocumentTopic:
    """One topic's share of the evidence."""

    evidence: DocumentEvidence
    number: int

    def __len__(self) -> int:
        first, last = self.evidence.results.results_from[self.number : self.number + 2]
        return int(last - first)


def document_evidence(
    run: Run,
    judgements: Judgements,
    policy: Policy,
    collection: Collection | None = None,  # noqa: ARG001
) -> DocumentEvidence:
    """Reduce a run to documents, each at the place of its first result."""
    results = judged_results(run, judgements, policy)
    findings = results.findings
    if (run.order if policy.order == "format" else policy.order) == "score":
        findings["tied"] = _tied(run, results)
    return DocumentEvidence(
        judgements.topics, results, judgements.document_grades, judgements.rows_from, findings
    )


def _tied(run: Run, results: Results) -> int:
    """Count the results with the score of the one before, which is of another document."""
    score, doc = run.score[results.kept], run.doc[results.kept]
    tied = np.zeros(len(score), dtype=np.bool_)
    tied[1:] = (score[1:] == score[:-1]) & (doc[1:] != doc[:-1])
    first = results.results_from[:-1]
    tied[first[first < len(tied)]] = False
    return int(np.count_nonzero(tied))


def known_measure(name: str) -> Any:
    """Return a measure of ir_measures by its name, or say why it cannot be used."""
    try:
        import ir_measures
    except ImportError:
        raise UsageError(f"measures of documents need ir_measures: {INSTALL}.") from None
    library: Any = ir_measures  # without types of its own
    try:
        found = _parsed(library, name)
        found.validate_params()
    except (NameError, ValueError, AssertionError, SyntaxError, KeyError, TypeError) as error:
        reason = re.sub("<object object at [^>]*>", "nothing", str(error))
        raise UsageError(
            f"{name!r} is not a measure of ir_measures, such as AP, P@10 or nDCG@10 ({reason})."
        ) from None
    if found.params.get("cutoff", 1) in (0, False):  # trec_eval ends the whole process there
        raise UsageError(f"the cutoff of {name!r} is 0, expected 1 or more.")
    if not library.DefaultPipeline.supports(found):
        raise UsageError(f"ir_measures cannot compute {name!r} with the packages that are installed.")
    return found


def _parsed(library: Any, name: str) -> Any:
    """Return the measure of a name such as `nDCG(dcg='exp-log2')@10`.

    The library's own `parse_measure` asks for parts of `ast` that newer versions of Python warn of or lack.
    """
    tree = ast.parse(name, mode="eval").body
    parameters: dict[str, Any] = {}
    at = None
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.MatMult):
        at, tree = _constant(tree.right), tree.left
    if isinstance(tree, ast.Call):
        if tree.args:
            raise ValueError("parameters have to be named")
        parameters = {str(given.arg): _constant(given.value) for given in tree.keywords}
        tree = tree.func
    if not isinstance(tree, ast.Name):
        raise ValueError("unexpected expression")
    if tree.id not in library.measures.registry:
        raise NameError(f"measure not found: {tree.id}")
    definition = library.measures.registry[tree.id]
    return definition(**parameters, **({} if at is None else {definition.AT_PARAM: at}))


def _constant(tree: ast.expr | None) -> Any:
    """Return the value of a parameter: a number, a text, or a dictionary of these."""
    if isinstance(tree, ast.Dict):
        return dict(zip(map(_constant, tree.keys), map(_constant, tree.values), strict=True))
    if not isinstance(tree, ast.Constant):
        raise ValueError(f"{ast.unparse(tree) if tree else 'nothing'} is not a value")
    return tree.value


def by_document(topic: DocumentTopic, **_parameters: Any) -> Breakdown:
    """List the documents in order, and which are relevant."""
    results, grades = topic.evidence.results, topic.evidence.grades
    part = slice(*results.results_from[topic.number : topic.number + 2])
    row = results.document[part].astype(np.int64)
    _, first = np.unique(row, return_index=True)
    judged = results.row[part][first].tolist()
    columns: dict[str, list[float | int | str | None]] = {
        "relevant": ["unjudged" if r < 0 else "yes" if grades[r] > 0 else "no" for r in judged]
    }
    if grades.max(initial=0) > 1:
        columns["grade"] = [None if r < 0 else int(grades[r]) for r in judged]
    rows = slice(topic.evidence.rows_from[topic.number], topic.evidence.rows_from[topic.number + 1])
    steps = [("relevant documents", int(np.count_nonzero(grades[rows] > 0)))]
    return Breakdown("document", row, columns, steps)
