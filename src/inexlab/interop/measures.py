"""Measures of inexlab for ir_measures: any of ours, by its name, wherever ir_measures are taken."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Any

from inexlab.api.inputs import Documents, given_collection
from inexlab.errors import UsageError
from inexlab.experiments.inputs import opened
from inexlab.judgements import Judgements
from inexlab.measures import Measure, evaluate
from inexlab.measures.documents import INSTALL
from inexlab.measures.measure import parse
from inexlab.policy import Policy
from inexlab.runs import Run

if TYPE_CHECKING:
    import pandas


def to_ir_measures(
    measure: str | Measure, *, collection: Documents = None, policy: Policy | None = None
) -> Any:
    """Return a measure of ours as a measure of ir_measures, made with its `define_byquery`.

    Qrels and runs are the frames of ir_measures: query_id, doc_id, relevance or score. Measures of text need
    more columns: `start` and `end` in runs, `spans` (or `start` and `end`) in qrels. A query without a score
    counts 0, as in ir_measures.

    >>> import inexlab, ir_measures
    >>> rr = inexlab.to_ir_measures("RR")
    >>> ir_measures.calc_aggregate([rr], {"q": {"d1": 1, "d2": 0}}, {"q": {"d1": 0.5, "d2": 0.9}})
    {RR: 0.5}
    """
    try:
        import ir_measures
    except ImportError:
        raise UsageError(f"measures for ir_measures need ir_measures: {INSTALL}.") from None
    ours = parse(measure) if isinstance(measure, str) else measure
    documents = opened(given_collection(collection))

    def score(qrels: pandas.DataFrame, run: pandas.DataFrame) -> float:
        """Score the results of one query."""
        if not len(qrels):
            return 0.0
        made = Run.of(run.drop(columns=[name for name in ("run", "name", "system") if name in run]))
        scores = evaluate(Judgements.of(qrels), [made], [ours], collection=documents, policy=policy)
        value = float(scores.scores[0].values[0, 0])
        return 0.0 if isnan(value) else value

    needs = [] if ours.definition.documents else ["start", "end"]
    library: Any = ir_measures  # without types of its own
    return library.define_byquery(
        score,
        name=str(ours),
        support_cutoff=False,
        run_inputs=["query_id", "doc_id", "score", *needs],
        qrel_inputs=["query_id", "doc_id", *(["spans"] if needs else ["relevance"])],
        short_desc=ours.definition.summary,
    )
