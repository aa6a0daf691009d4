"""The results that count: those of judged topics, in their order, each with its document and judgement."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from inexlab.accelerate import Kernel
from inexlab.judgements import Judgements
from inexlab.policy import Policy
from inexlab.runs import Run
from inexlab.runs.order import Moves, moves, ranked_rows
from inexlab.tables import Codes, Ints

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Results:
    """Topic t's results are `results_from[t]` to `results_from[t + 1]`.

    `kept` is the result's place in the run, `row` its judged document (-1: not judged for the topic),
    `document` the place of its document among the topic's, by first appearance. `judged_doc` numbers the
    run's documents as the judgements do (-1: judged for no topic). `cut` results beyond the limit are left
    out; `moves` says how far the order is not that of the file.
    """

    results_from: Ints
    kept: Ints
    row: Codes
    document: Codes
    judged_doc: Codes
    cut: int
    unjudged_topics: int
    moves: Moves

    @property
    def findings(self) -> Counter[str]:
        """What is odd about the results, whatever measure looks at them."""
        return Counter(
            cut=self.cut,
            unjudged_topics=self.unjudged_topics,
            unjudged=int(np.count_nonzero(self.row < 0)),
            moved=self.moves.results,
            moved_topics=self.moves.topics,
            unscored=self.moves.unscored,
        )

    def part(self, topic: int, chosen: Mask) -> Results:
        """Return some of one topic's results, as if the run had no others."""
        places = self.results_from[topic] + np.flatnonzero(chosen)
        return replace(
            self,
            results_from=borders_of_one_topic(len(self.results_from) - 1, topic, len(places)),
            kept=self.kept[places],
            row=self.row[places],
            document=self.document[places],
        )


def borders_of_one_topic(topics: int, topic: int, results: int) -> Ints:
    """Return the borders of topics of which one has all the results."""
    return np.where(np.arange(topics + 1) > topic, results, 0).astype(np.int64)


def judged_results(run: Run, judgements: Judgements, policy: Policy) -> Results:
    """Return the results of a run that count under the policy, grouped by judged topic."""
    topic_code = run.topics.codes_in(judgements.topics)
    topic = topic_code[run.topic]
    rows = ranked_rows(run, policy.order)
    if rows is not None:
        topic = topic[rows]
    kept = np.arange(len(topic)) if rows is None else rows
    if topic.min(initial=0) < 0:
        kept, topic = kept[topic >= 0], topic[topic >= 0]
    if np.any(topic[1:] < topic[:-1]):
        order = np.argsort(topic, kind="stable")
        kept, topic = kept[order], topic[order]
    moved = moves(run, kept, run.order if policy.order == "format" else policy.order)
    borders = np.arange(len(judgements.topics) + 1)
    results_from = np.searchsorted(topic, borders)
    cut = 0
    if policy.limit and np.diff(results_from).max(initial=0) > policy.limit:
        within = np.arange(len(kept)) - results_from[topic] < policy.limit
        cut = int(len(kept) - np.count_nonzero(within))
        kept, topic = kept[within], topic[within]
        results_from = np.searchsorted(topic, borders)
    results_from = results_from.astype(np.int64)
    judged_doc = run.docs.codes_in(judgements.docs)
    join = _join.for_work(6 * len(kept) + len(judgements))
    row, document = join(
        results_from,
        run.doc[kept],
        judged_doc,
        len(judgements.docs),
        judgements.rows_from,
        judgements.doc,
    )
    unjudged_topics = int(np.count_nonzero(topic_code < 0))
    return Results(results_from, kept, row, document, judged_doc, cut, unjudged_topics, moved)


@Kernel
def _join(
    results_from: Ints, doc: Codes, judged_doc: Codes, judged_docs: int, rows_from: Ints, row_doc: Codes
) -> tuple[Codes, Codes]:
    """Find each result's judged document, and number the documents of each topic as they appear.

    There is a place for every judged document, every document of the run and every result; all that is looked
    up is a number of one of them, or -1, which is looked at before.
    """
    row = np.empty(len(doc), dtype=np.int32)
    document = np.empty(len(doc), dtype=np.int32)
    row_of = np.full(judged_docs + 1, -1, dtype=np.int32)  # of a document that nobody judged in the end
    place_of = np.full(len(judged_doc), -1, dtype=np.int32)  # how many results and documents come before
    for topic in range(len(results_from) - 1):
        first, rows = results_from[topic], rows_from[topic]
        for r in range(rows, rows_from[topic + 1]):
            row_of[row_doc[r]] = r
        place = first
        for i in range(np.uint64(first), np.uint64(results_from[topic + 1])):
            # without a branch: a processor would guess wrong too often
            d = np.uint64(doc[i])
            judged = np.int64(judged_doc[d])
            new = place_of[d] < first  # not yet, or in a topic before
            place_of[d] = place if new else place_of[d]
            place += new
            document[i] = place_of[d] - first
            found = np.int64(row_of[np.uint64(judged + (judged_docs + 1) * (judged < 0))])
            row[i] = (found + 1) * (found >= rows) - 1  # the row of a topic before is none
    return row, document
