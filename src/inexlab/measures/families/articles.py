"""The article-level view: a run reduced to its documents, scored by the measures of document retrieval.

INEX runs return parts of articles. Seen from afar they are rankings of articles, and what trec_eval and its
successors measure applies: whether the right articles come first, wherever one lands in them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from math import nan
from typing import Any

import numpy as np

from inexlab.collection import Collection
from inexlab.errors import UsageError
from inexlab.judgements import Judgements
from inexlab.measures.breakdown import Breakdown
from inexlab.measures.measure import Parameter, measure
from inexlab.measures.results import Mask, Results, judged_results
from inexlab.policy import Policy
from inexlab.runs import Run
from inexlab.tables import Floats


@dataclass(frozen=True)
class ArticleEvidence:
    """The results of a run by document, and which documents are relevant to which topic."""

    names: Sequence[str]
    results: Results
    relevant: Mask
    rows_from: Sequence[int]
    findings: Counter[str]
    _done: dict[str, Floats] = field(default_factory=dict)

    @property
    def topics(self) -> Sequence[ArticleTopic]:
        """The evidence of each topic."""
        return [ArticleTopic(self, number) for number in range(len(self.names))]

    def part(self, topic: int, chosen: Mask) -> ArticleEvidence:
        """Return the evidence of some of one topic's results, as if the run had no others."""
        results = self.results.part(topic, chosen)
        return ArticleEvidence(self.names, results, self.relevant, self.rows_from, self.findings)

    def scores(self, name: str) -> Floats:
        """Return the score of every topic by a measure of ir_measures, NaN without a relevant document."""
        if name not in self._done:
            self._done[name] = _scored(self, name)
        return self._done[name]


@dataclass(frozen=True)
class ArticleTopic:
    """One topic's share of the evidence."""

    evidence: ArticleEvidence
    number: int

    def __len__(self) -> int:
        first, last = self.evidence.results.results_from[self.number : self.number + 2]
        return int(last - first)


def article_evidence(
    run: Run,
    judgements: Judgements,
    policy: Policy,
    collection: Collection | None = None,  # noqa: ARG001
) -> ArticleEvidence:
    """Reduce a run to documents; one is relevant if any of its text, or any of its elements, is."""
    results = judged_results(run, judgements, policy)
    relevant = judgements.relevant > 0
    if judgements.elements is not None:
        elements = judgements.elements
        row = np.repeat(np.arange(len(judgements)), np.diff(elements.elements_from))
        relevant = relevant | (np.bincount(row[elements.exhaustivity != 0], minlength=len(relevant)) > 0)
    return ArticleEvidence(
        judgements.topics, results, relevant, judgements.rows_from.tolist(), results.findings
    )


def _scored(evidence: ArticleEvidence, name: str) -> Floats:
    import ir_measures

    qrels: dict[str, dict[str, int]] = {}
    ranking: dict[str, dict[str, float]] = {}
    results = evidence.results
    for t in range(len(evidence.names)):
        rows = range(evidence.rows_from[t], evidence.rows_from[t + 1])
        if any(evidence.relevant[r] for r in rows):
            qrels[str(t)] = {str(r): int(evidence.relevant[r]) for r in rows}
        part = slice(*results.results_from[t : t + 2])
        places: dict[int, int] = {}  # documents are numbered as they first appear
        for document, row in zip(results.document[part].tolist(), results.row[part].tolist(), strict=True):
            places.setdefault(document, row)
        ranked = {f"{row}" if row >= 0 else f"unjudged {d}": -float(d) for d, row in places.items()}
        ranking[str(t)] = ranked or {"nothing": 0.0}
    scores = np.full(len(evidence.names), nan)
    try:
        for metric in ir_measures.iter_calc([ir_measures.parse_measure(name)], qrels, ranking):
            scores[int(metric.query_id)] = metric.value
    except (ValueError, TypeError, ZeroDivisionError) as error:  # as of Accuracy where all is relevant
        raise UsageError(f"ir_measures cannot compute {name!r} here ({error}).") from None
    return scores


def _known(name: str) -> Hashable:
    """Return the full name of a measure of ir_measures."""
    try:
        import ir_measures
    except ImportError:
        raise UsageError("measures of articles need ir_measures: pip install inexlab[articles].") from None
    library: Any = ir_measures  # without types of its own
    try:
        found = library.parse_measure(name)
        found.validate_params()
    except (NameError, ValueError, AssertionError, SyntaxError, KeyError, TypeError) as error:
        reason = re.sub("<object object at [^>]*>", "nothing", str(error))
        raise UsageError(
            f"{name!r} is no measure of ir_measures, such as AP, P@10 or nDCG@10 ({reason})."
        ) from None
    if found.params.get("cutoff", 1) in (0, False):  # trec_eval ends the whole process there
        raise UsageError(f"the cutoff of {name!r} is 0, expected 1 or more.")
    if not library.DefaultPipeline.supports(found):
        raise UsageError(f"ir_measures cannot compute {name!r} with the packages that are installed.")
    return str(found)


def _breakdown(topic: ArticleTopic, **_parameters: Any) -> Breakdown:
    """List the documents in order, and which are relevant."""
    results = topic.evidence.results
    part = slice(*results.results_from[topic.number : topic.number + 2])
    row = results.document[part].astype(np.int64)
    _, first = np.unique(row, return_index=True)
    judged = results.row[part][first]
    marks = ["unjudged" if r < 0 else "yes" if topic.evidence.relevant[r] else "no" for r in judged.tolist()]
    rows = slice(topic.evidence.rows_from[topic.number], topic.evidence.rows_from[topic.number + 1])
    steps = [("relevant documents", int(np.count_nonzero(topic.evidence.relevant[rows])))]
    return Breakdown("document", row, {"relevant": marks}, steps)


@measure(
    "Article",
    article_evidence,
    Parameter("measure", "AP", "a measure of ir_measures, over documents", reader=_known),
    breakdown=_breakdown,
)
def article(topic: ArticleTopic, measure: str) -> float:
    """A measure of document retrieval on the run's documents: `Article(measure=AP)`, `Article(measure=P@10)`.

    The run is reduced to its documents in order of their first result. A document is relevant if any of
    its text is highlighted or any of its elements has an exhaustivity above 0 (`?` counts). Any measure
    of ir_measures serves: AP (whose mean is MAP), P@5, RR, nDCG@10, Judged@10.

    Source: the ir_measures library (MacAvaney, Macdonald and Ounis, 2022), which computes it.

    Example: A and B are relevant; results A[0,50), C[0,100), A[60,80), B[0,100) are the documents A, C,
    B: AP = (1 + 2/3) / 2 = .833333.
    """
    return float(topic.evidence.scores(measure)[topic.number])
