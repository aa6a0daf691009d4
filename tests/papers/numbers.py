"""The numbers of the campaign computed in another way: plain numpy over what the campaign keeps of itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from lxml import etree

from tests.oracles import xcg

from .campaign import Campaign, Element, Grade, coverage_2002, graded_2004

Floats = npt.NDArray[np.float64]
ScoreOf = Callable[[Floats, Floats], float]  # of gains and ideal gains
Spans = dict[str, list[tuple[str, int, int]]]

_GEN_2002 = {"3E": 1, "2E": 0.75, "3L": 0.75, "1E": 0.5, "2L": 0.5, "2S": 0.5, "1S": 0.25, "1L": 0.25}
CAS_TAGS = ("sec", "ss1", "ss2", "ss3")  # the tags that count as sections


_KNOWN: dict[tuple[frozenset[tuple[Element, Grade]], str], dict[Element, float]] = {}


def values(grades: Mapping[Element, Grade], quant: str) -> dict[Element, float]:
    """Return what every assessed element is worth under a quantisation of 2002, 2004, 2005 or 2006."""
    key = frozenset(grades.items()), quant
    if key not in _KNOWN:
        _KNOWN[key] = _values(grades, quant)
    return _KNOWN[key]


def _values(grades: Mapping[Element, Grade], quant: str) -> dict[Element, float]:
    if quant in ("strict4", "gen4", "sog", "anyrel"):
        return {e: float(xcg.value_2004(quant, *graded_2004(grade))) for e, grade in grades.items()}
    if quant in ("strict2", "gen2"):
        pairs = {element: graded_2004(grade) for element, grade in grades.items()}
        letters = {element: f"{e}{coverage_2002(e, s)}" for element, (e, s) in pairs.items()}
        if quant == "strict2":
            return {e: float(pair == "3E") for e, pair in letters.items()}
        return {e: _GEN_2002[pair] for e, pair in letters.items()}
    return {e: float(xcg.value_2005(quant, *grade)) for e, grade in grades.items()}


def gains(results: Sequence[Element], value: Mapping[Element, float]) -> Floats:
    """Return what every result gains, overlap aside."""
    return np.array([value.get(element, 0.0) for element in results])


def ideal(value: Mapping[Element, float]) -> Floats:
    """Return the gains of all relevant elements, best first."""
    return np.array(sorted((v for v in value.values() if v > 0), reverse=True))


def _at(cumulated: Floats, rank: int) -> float:
    return float(cumulated[min(rank, len(cumulated)) - 1])


def _curve(values: Floats, ranks: int) -> Floats:
    """Return cumulated gains at so many ranks, flat behind the last."""
    return np.cumsum(np.concatenate((values, np.zeros(ranks))))[:ranks]


def nxcg(rank: int) -> ScoreOf:
    """Normalised cumulated gain at a rank."""
    return lambda g, i: _at(np.cumsum(g), rank) / _at(np.cumsum(i), rank)


def manxcg(rank: int) -> ScoreOf:
    """Its mean over ranks."""
    return lambda g, i: float((_curve(g, rank) / _curve(i, rank)).mean())


def _points(g: Floats, i: Floats) -> tuple[Floats, Floats]:
    """Return gain-recall and effort-precision wherever something is gained."""
    ideal_curve = np.concatenate(([0.0], np.cumsum(i)))
    ranks = np.flatnonzero(g) + 1
    reached = np.minimum(np.cumsum(g)[ranks - 1], ideal_curve[-1])
    return reached / ideal_curve[-1], np.interp(reached, ideal_curve, np.arange(len(ideal_curve))) / ranks


def maep(g: Floats, i: Floats) -> float:
    """Mean average effort-precision."""
    _, effort = _points(g, i)
    return float(effort.sum() / max(len(i), len(effort)))


def imaep(g: Floats, i: Floats) -> float:
    """The same at 100 levels of gain-recall."""
    recall, effort = _points(g, i)
    if not len(recall):
        return 0.0
    levels = np.arange(1, 101) / 100 - 1e-12
    return float(np.interp(levels, recall, effort, left=effort[0], right=0.0).mean())


def q(g: Floats, i: Floats) -> float:
    """Sakai's Q."""
    bonus, ranks = np.cumsum(np.where(g > 0, g + 1, 0)), np.arange(1, len(g) + 1)
    terms = (bonus / (_curve(i, len(g)) + ranks))[g > 0]
    return float(terms.sum() / max(len(i), len(terms)))


def r(g: Floats, i: Floats) -> float:
    """Sakai's R."""
    return _at(np.cumsum(np.where(g > 0, g + 1, 0)), len(i)) / (float(i.sum()) + len(i))


def precall(g: Floats, i: Floats) -> float:
    """Mean over 100 recall points of x n / (x n + what was met in vain), of a ranking without ties."""
    reached, in_vain = np.cumsum(g), np.cumsum(g == 0)
    found = []
    for point in range(1, 101):
        wanted = point * i.sum() / 100
        rank = int(np.searchsorted(reached, wanted - 1e-9))
        found.append(wanted / (wanted + in_vain[rank]) if rank < len(g) else 0.0)
    return float(np.mean(found))


def matrix(
    campaign: Campaign, task: str, quant: str, measure: ScoreOf, topics: Iterable[str], overlap: str = "off"
) -> Floats:
    """Return the scores of all runs of a task: a row each, NaN where nothing is relevant."""
    columns = []
    for topic in topics:
        value = values(campaign.grades[topic], quant)
        column = []
        for run in campaign.runs[task].values():
            if overlap == "off":
                both = gains(run[topic], value), ideal(value)
            else:
                both = focussed_gains(campaign, run[topic], topic, quant, overlap)
            column.append(measure(*both) if len(both[1]) else np.nan)
        columns.append(column)
    return np.array(columns).T


_FOCUSSED: dict[tuple[tuple[Element, ...], str, str], tuple[Floats, Floats]] = {}


def focussed_gains(
    campaign: Campaign, results: Sequence[Element], topic: str, quant: str, overlap: str
) -> tuple[Floats, Floats]:
    """Return the gains of results and those of an ideal ranking by the brute-force oracle."""
    key = (tuple(results), topic, f"{quant} {overlap}")
    if key not in _FOCUSSED:
        exact = {e: xcg.value_2005(quant, *grade) for e, grade in campaign.grades[topic].items()}
        sizes = {e: size for e, (_, size, _) in campaign.grades[topic].items()}
        best = [exact[e] for e in xcg.ideal_recall_base(exact)]
        found = xcg.gains_focussed(results, exact, sizes, overlap) if best else []
        _FOCUSSED[key] = np.array(found, dtype=float), np.array(best, dtype=float)
    return _FOCUSSED[key]


def defined(scores: Floats) -> Floats:
    """Return the scores without topics of which nothing is defined."""
    return scores[:, ~np.isnan(scores).any(axis=0)]


def benjamini_yekutieli(p: Floats, alpha: float = 0.05) -> npt.NDArray[np.bool_]:
    """Return which hypotheses are rejected."""
    order = np.sort(p)
    m = len(p)
    level = alpha * np.arange(1, m + 1) / (m * (1 / np.arange(1, m + 1)).sum())
    below = np.flatnonzero(order <= level)
    return p <= order[below[-1]] if len(below) else np.zeros(m, dtype=bool)


# --- highlights ------------------------------------------------------------------------------------------


def spans_of(campaign: Campaign, file: Path) -> Spans:
    """Return the results of an XML run by topic, as document, begin and end."""
    found: Spans = {}
    for topic in etree.parse(file).getroot().iter("topic"):
        results = []
        for result in topic.iter("result"):
            doc = str(result.findtext("file"))
            begin, end = campaign.documents[doc].spans[str(result.findtext("path"))]
            results.append((doc, begin, end))
        found[str(topic.get("topic-id"))] = results
    return found


def _unseen(campaign: Campaign, topic: str, results: Sequence[tuple[str, int, int]]) -> list[tuple[int, int]]:
    """Return for each result how much text nobody has seen yet, and how much of that is relevant."""
    seen: dict[str, set[int]] = {}
    relevant = {
        doc: {c for a, b in spans for c in range(a, b)} for doc, spans in campaign.highlights[topic].items()
    }
    counts = []
    for doc, begin, end in results:
        new = set(range(begin, end)) - seen.setdefault(doc, set())
        seen[doc] |= new
        counts.append((len(new), len(new & relevant.get(doc, set()))))
    return counts


def interpolated(campaign: Campaign, topic: str, results: Sequence[tuple[str, int, int]]) -> Floats:
    """Return interpolated precision at recall 0, .01, … 1."""
    total = sum(b - a for spans in campaign.highlights[topic].values() for a, b in spans)
    counts = np.array(_unseen(campaign, topic, results))
    if not len(counts):
        return np.zeros(101)
    read, hit = np.cumsum(counts[:, 0]), np.cumsum(counts[:, 1])
    precision = hit / np.maximum(read, 1)
    return np.array([max(precision[100 * hit >= k * total], default=0.0) for k in range(101)])


def agp(campaign: Campaign, topic: str, results: Sequence[tuple[str, int, int]], beta: float) -> float:
    """Return average generalised precision of documents, scored by F of their text."""
    highlights = campaign.highlights[topic]
    order = list(dict.fromkeys(doc for doc, _, _ in results))
    scores = []
    for doc in order:
        counts = _unseen(campaign, topic, [result for result in results if result[0] == doc])
        read, hit = (sum(column) for column in zip(*counts, strict=True))
        relevant = sum(b - a for a, b in highlights.get(doc, []))
        p, recall = (hit / read, hit / relevant) if hit else (0.0, 0.0)
        scores.append((1 + beta**2) * p * recall / (beta**2 * p + recall) if hit else 0.0)
    at = [sum(scores[: rank + 1]) / (rank + 1) for rank, doc in enumerate(order) if doc in highlights]
    return sum(at) / len(highlights)
