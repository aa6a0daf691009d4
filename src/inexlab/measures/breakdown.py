"""Scores taken apart: for each result of a topic what a measure saw in it, and how the number comes about.

A breakdown is made by the measure's own function, called as the measure is, from the same evidence. The
functions here serve the families of this package; a new measure may bring its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from inexlab.judgements.quantisation import Quantisation
from inexlab.measures.effort import Effort, article_ranking, cluster_rankings, effort_of
from inexlab.measures.elements import ElementTopic
from inexlab.measures.gains import base_of, gains_in_parts
from inexlab.measures.results import Mask
from inexlab.measures.spans import TopicEvidence
from inexlab.tables import Floats, Ints

Cell = float | int | str | None


@dataclass(frozen=True)
class Breakdown:
    """What a measure saw, as columns with one row per result or, where `by` says so, per document.

    `row` is the row that each of the topic's results belongs to. `steps` are the figures behind the final
    number that are not in the columns, such as the size of the recall base.
    """

    by: str
    row: Ints
    columns: Mapping[str, Sequence[Cell]]
    steps: Sequence[tuple[str, float]]


def by_result(topic: TopicEvidence, **_parameters: Any) -> Breakdown:
    """Follow a reader down the results: text, new text, relevant text, precision and recall so far."""
    read, found = topic.retrieved_so_far, topic.relevant_so_far
    columns = {
        "length": topic.full_size,
        "new": topic.size,
        "relevant": topic.full_relevant,
        "new relevant": topic.relevant,
        "read so far": read,
        "relevant so far": found,
        "P": _ratio(found, read),
        "R": _ratio(found, np.full(len(found), topic.total_relevant)),
    }
    steps = [("relevant characters of the topic", topic.total_relevant)]
    return Breakdown("result", np.arange(len(topic)), _cells(columns), steps)


def by_document(
    topic: TopicEvidence,
    scores: Floats,
    score: str,
    **_parameters: Any,
) -> Breakdown:
    """Go down the documents, by first result: what is returned of each, its score S, gP and gR so far."""
    documents = topic.documents
    relevant = documents.relevant > 0
    ranks = np.arange(1, len(documents) + 1)
    columns: dict[str, Any] = {
        "returned": documents.retrieved,
        "relevant": documents.relevant,
        "both": documents.hit,
    }
    if score == "F":
        columns |= {
            "P": _ratio(documents.hit, documents.retrieved),
            "R": _ratio(documents.hit, documents.relevant),
        }
    elif score == "BEP":
        columns |= {"entry": documents.entry, "best entry point": documents.bep}
    elif score == "T2I":
        columns |= {"non-relevant read first": documents.lead}
    if score:
        columns |= {"S": scores, "gP": np.cumsum(scores) / ranks}
    columns["gR"] = np.cumsum(relevant) / max(1, topic.relevant_documents)
    row = topic.document_of_result
    return Breakdown("document", row, _cells(columns), [("relevant documents", topic.relevant_documents)])


def by_gain(
    topic: ElementTopic,
    quant: Quantisation,
    overlap: str,
    *,
    level: str = "run",
    score: str = "auto",
    **options: Any,
) -> Breakdown:
    """Go down the results and the ideal ranking: grades, value, gain, cumulated and ideal gain, ep, gr."""
    for name in ("clusters", "cutoff"):  # they say how the columns are summed up
        options.pop(name, None)
    if level == "article":
        return _by_article(topic, quant, score, options)
    if level == "element":
        return _by_cluster(topic, quant, overlap, options)
    evidence, part = topic.evidence, _part(topic)
    effort = effort_of(evidence, quant, overlap, **options)
    base = base_of(evidence, quant, overlap, options.get("ideal", "official"))
    columns = _grades(topic, base.value)
    if overlap != "off":
        numbers: dict[str, Any] = {
            k: float(v) if isinstance(v, Fraction) else v for k, v in options.items() if k != "divisor"
        }
        _, fresh, room = gains_in_parts(evidence, quant, overlap, **numbers)
        columns |= {"new value": fresh[part], "room": np.where(np.isinf(room), np.nan, room)[part]}
    columns |= _ranking(effort, topic.number)
    steps = _base_steps(effort, topic.number)
    return Breakdown("result", np.arange(len(topic)), _cells(columns), steps)


def by_tied_rank(
    topic: ElementTopic, value: Floats, gain: Floats, rank: Ints, dropped: Mask, total: float
) -> Breakdown:
    """Go down the results of a run with ties: grades, value, and recall and elements without value so far.

    `gain` and `rank` are those of the topic's results; `rank` numbers the classes of equal score. What is
    `dropped` has no rank.
    """
    before = (rank[None, :] <= rank[:, None]) & ~dropped[None, :]
    columns = _grades(topic, value) | {
        "score": topic.evidence.score[_part(topic)],
        "tied rank": [None if out else int(r) + 1 for r, out in zip(rank, dropped, strict=True)],
        "counted": gain,
        "recall": _where(~dropped, (before * gain[None, :]).sum(axis=1) / total if total else np.nan),
        "without value": _where(~dropped, (before & (gain[None, :] <= 0)).sum(axis=1)),
    }
    return Breakdown(
        "result", np.arange(len(topic)), _cells(columns), [("value of all relevant elements", total)]
    )


def _part(topic: ElementTopic) -> slice:
    return slice(*topic.evidence.results.results_from[topic.number : topic.number + 2])


def _grades(topic: ElementTopic, value: Floats) -> dict[str, Any]:
    """Return the grades (e, s) of each result's element, empty if nobody assessed it, and its value."""
    elements = topic.evidence.elements
    element = topic.evidence.element[_part(topic)].tolist()
    grades = [elements.grades(e) if e >= 0 else (None, None) for e in element]
    return {
        "e": [e for e, _ in grades],
        "s": [s for _, s in grades],
        "value": [float(value[e]) if e >= 0 else 0.0 for e in element],
    }


def _ranking(effort: Effort, ranking: int) -> dict[str, Any]:
    """Return the columns of one ranking and of the ideal one."""
    part = slice(effort.ranks_from[ranking], effort.ranks_from[ranking + 1])
    gain, reached = effort.gain[part], effort.reached[part]
    ideal = effort.ideal[effort.ideal_from[ranking] : effort.ideal_from[ranking + 1]]
    ranks = np.arange(1, len(gain) + 1)
    if not len(ideal):
        return {"gain": gain}
    best = np.cumsum(ideal)[np.minimum(ranks, len(ideal)) - 1] if len(gain) else np.zeros(0)
    return {
        "gain": gain,
        "cumulated": reached,
        "ideal": best,
        "nxCG": reached / best,
        "gr": reached / ideal.sum(),
        "ep": np.where(gain > 0, effort.effort[part], np.nan),
    }


def _base_steps(effort: Effort, ranking: int) -> list[tuple[str, float]]:
    ideal = effort.ideal[effort.ideal_from[ranking] : effort.ideal_from[ranking + 1]]
    part = slice(effort.ranks_from[ranking], effort.ranks_from[ranking + 1])
    gaining = effort.gain[part] > 0
    return [
        ("elements in the recall base", len(ideal)),
        ("gain of the recall base", float(ideal.sum())),
        ("ranks with a gain", int(gaining.sum())),
        ("sum of ep over these ranks", float(effort.effort[part][gaining].sum())),
    ]


def _by_article(topic: ElementTopic, quant: Quantisation, score: str, options: dict[str, Any]) -> Breakdown:
    effort = article_ranking(topic.evidence, quant, score, options.get("divisor", "max"))
    row = topic.evidence.results.document[_part(topic)].astype(np.int64)
    steps = [
        (name.replace("elements", "articles"), value) for name, value in _base_steps(effort, topic.number)
    ]
    return Breakdown("document", row, _cells(_ranking(effort, topic.number)), steps)


def _by_cluster(topic: ElementTopic, quant: Quantisation, overlap: str, options: dict[str, Any]) -> Breakdown:
    """List the articles of the run: what each one's own ranking gains, and its MAep."""
    rankings, effort = cluster_rankings(topic, quant, overlap, options)
    part = [slice(effort.ranks_from[r], effort.ranks_from[r + 1]) for r in rankings]
    columns = {
        "results": [int(p.stop - p.start) for p in part],
        "gain": [float(effort.gain[p].sum()) for p in part],
        "ideal": [
            float(effort.ideal[effort.ideal_from[r] : effort.ideal_from[r + 1]].sum()) for r in rankings
        ],
        "MAep": [0.0 if np.isnan(effort.mean[r]) else float(effort.mean[r]) for r in rankings],
    }
    row = topic.evidence.results.document[_part(topic)].astype(np.int64)
    return Breakdown("document", row, _cells(columns), [("articles of the run", len(rankings))])


def _ratio(part: Any, whole: Any) -> Floats:
    ratio: Floats = np.divide(part, whole, out=np.zeros(len(part)), where=np.asarray(whole) > 0)
    return ratio


def _where(shown: Mask, column: Any) -> list[Cell]:
    """Return a column, empty if it is not to be shown."""
    cells = np.broadcast_to(column, shown.shape).tolist()
    return [cell if mark else None for cell, mark in zip(cells, shown.tolist(), strict=True)]


def _cells(columns: Mapping[str, Any]) -> dict[str, list[Cell]]:
    """Return columns of plain numbers, None if undefined."""
    plain = {
        name: column.tolist() if isinstance(column, np.ndarray) else column
        for name, column in columns.items()
    }
    return {name: [None if cell != cell else cell for cell in column] for name, column in plain.items()}
