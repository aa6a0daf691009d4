"""How far assessors agree: the numbers of each document, and the statistics that are made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from inexlab.judgements import Judgements
from inexlab.judgements.elements import GradedElements
from inexlab.judgements.overlap import Covered, Shared, SizeOf, covered_documents, shared_documents
from inexlab.statistics.chance import cohen_kappa, kappa_of_table, krippendorff_alpha, share
from inexlab.statistics.summaries import Estimate, Statistic, Sums, estimates, values_by_topic
from inexlab.statistics.testing import Sampling
from inexlab.tables import Floats

GRADES = 5  # of exhaustivity: 0 (not assessed as relevant), 1, 2, 3 and ? (too small)

_DOCUMENTS = (
    Statistic(
        "documents",
        "kappa",
        lambda s: cohen_kappa(s["both"], s["a"] - s["both"], s["b"] - s["both"], s["n"] - s["either"]),
    ),
    Statistic("documents", "Jaccard", lambda s: share(s["both"], s["either"])),
)
_TEXT = (
    Statistic("text", "precision", mean="precision", over="either"),
    Statistic("text", "recall", mean="recall", over="either"),
    Statistic("text", "F1", mean="F1", over="either"),
    Statistic("text", "Jaccard", mean="Jaccard", over="either"),
    Statistic(
        "text",
        "kappa",
        lambda s: cohen_kappa(
            s["text both"],
            s["text a"] - s["text both"],
            s["text b"] - s["text both"],
            s["text"] - s["text a"] - s["text b"] + s["text both"],
        ),
    ),
    Statistic("text", "right document, wrong text", lambda s: share(s["wrong text"], s["both"])),
    Statistic("text", "length ratio", lambda s: share(s["length a"], s["length b"])),
    Statistic("text", "distance of edges", mean="edges", over="with edges"),
    Statistic("text", "distance of entry points", mean="entries", over="with entries"),
)
_ELEMENTS = (
    Statistic("elements", "Jaccard", lambda s: share(s["elements both"], s["elements either"])),
    Statistic("elements", "same exhaustivity", lambda s: share(s["same grade"], s["elements both"])),
    Statistic("elements", "kappa of exhaustivity", lambda s: kappa_of_table(_table(s))),
    Statistic(
        "elements", "difference of specificity", lambda s: share(s["specificity"], s["elements either"])
    ),
)
_SEVERAL = (
    Statistic(
        "documents",
        "alpha",
        lambda s: krippendorff_alpha(s["relevant"], s["judges"] - s["relevant"], s["apart"]),
    ),
    Statistic("text", "alpha", lambda s: krippendorff_alpha(s["ones"], s["zeros"], s["disagreement"])),
)


@dataclass(frozen=True, eq=False)
class Agreeing:
    """How far two assessors agree (of more than two, `b` is empty): estimates, and values by topic.

    `statistics` name the columns of `by_topic`, whose rows are `topics`; `f1` is the character F1 of each of
    the `documents` compared.
    """

    a: str
    b: str
    documents: int
    topics: tuple[str, ...]
    estimates: tuple[Estimate, ...]
    statistics: tuple[tuple[str, str], ...]
    by_topic: Floats
    unknown_lengths: int = 0

    def __getitem__(self, key: tuple[str, str] | tuple[str, str, str]) -> Estimate:
        """Return an estimate by group and name, and by its average, which is macro unless given."""
        for found in self.estimates:
            if (found.group, found.name) == key[:2] and found.average in ("", *(key[2:] or ("macro",))):
                return found
        raise KeyError(key)


def agree(
    a: tuple[str, Judgements],
    b: tuple[str, Judgements],
    *,
    size_of: SizeOf | None = None,
    text: bool = True,
    alpha: float = 0.05,
    sampling: Sampling | None = None,
) -> Agreeing:
    """Return how far two assessors agree on the documents that both judged.

    Precision is the share of what A highlighted that B did, too, recall the share of what B did. Without
    `text` the highlights of one are not known, and documents (and elements) are all there is.
    """
    shared = shared_documents(a[1], b[1], size_of)
    columns = document_columns(shared)
    statistics = [*_DOCUMENTS, *(_TEXT if text else ())]
    of_elements = (a[1].elements, b[1].elements)
    if of_elements[0] is not None and of_elements[1] is not None:
        columns |= _element_columns(shared, of_elements[0], of_elements[1])
        statistics += _ELEMENTS
    unknown = int(np.count_nonzero(shared.size < 0)) if text else 0
    return _agreeing(a[0], b[0], shared, columns, statistics, alpha, sampling, unknown)


def agree_together(
    judgements: Judgements,
    names: Sequence[str],
    *,
    size_of: SizeOf | None = None,
    text: bool = True,
    alpha: float = 0.05,
    sampling: Sampling | None = None,
) -> Agreeing:
    """Return Krippendorff's alpha of all assessors on documents that at least two of them judged."""
    covered = covered_documents(judgements, size_of)
    columns = {
        "relevant": covered.relevant.astype(np.float64),
        "judges": covered.judges.astype(np.float64),
        "apart": covered.relevant * (covered.judges - covered.relevant) / (covered.judges - 1),
        "ones": covered.ones,
        "zeros": covered.zeros,
        "disagreement": covered.disagreement,
    }
    statistics = _SEVERAL if text else _SEVERAL[:1]
    return _agreeing(", ".join(names), "", covered, columns, statistics, alpha, sampling, 0)


def _agreeing(
    a: str,
    b: str,
    compared: Shared | Covered,
    columns: Mapping[str, Floats],
    statistics: Sequence[Statistic],
    alpha: float,
    sampling: Sampling | None,
    unknown: int,
) -> Agreeing:
    found = estimates(columns, compared.topic, statistics, alpha=alpha, sampling=sampling)
    named = tuple((s.group, s.name) for s in statistics)
    by_topic = values_by_topic(columns, compared.topic, statistics)
    return Agreeing(a, b, len(compared.topic), compared.topics, tuple(found), named, by_topic, unknown)


def document_columns(shared: Shared) -> dict[str, Floats]:
    """Return the numbers of each document that the statistics of documents and text are made of.

    An empty side scores 0 in precision, recall and F1.
    """
    a, b, both = (column.astype(np.float64) for column in (shared.a, shared.b, shared.both))
    relevant = shared.a_relevant * shared.b_relevant
    either = np.maximum(shared.a_relevant, shared.b_relevant)
    known = shared.size >= 0
    zero = np.zeros(len(shared))

    def of(x: Floats, y: Floats) -> Floats:
        return np.divide(x, y, out=zero.copy(), where=y > 0)

    edges, entries = shared.edge_distance, shared.entry_distance
    return {
        "n": np.ones(len(shared)),
        "a": shared.a_relevant.astype(np.float64),
        "b": shared.b_relevant.astype(np.float64),
        "both": relevant.astype(np.float64),
        "either": either.astype(np.float64),
        "precision": of(both, a),
        "recall": of(both, b),
        "F1": of(2 * both, a + b),
        "Jaccard": of(both, a + b - both),
        "text": np.where(known, shared.size, 0).astype(np.float64),
        "text a": np.where(known, a, 0.0),
        "text b": np.where(known, b, 0.0),
        "text both": np.where(known, both, 0.0),
        "wrong text": ((relevant > 0) & (both == 0)).astype(np.float64),
        "length a": np.where(relevant > 0, a, 0.0),
        "length b": np.where(relevant > 0, b, 0.0),
        "edges": np.nan_to_num(edges),
        "with edges": np.isfinite(edges).astype(np.float64),
        "entries": np.nan_to_num(entries),
        "with entries": np.isfinite(entries).astype(np.float64),
    }


def item_f1(shared: Shared) -> Floats:
    """Return the character F1 of each document; 1 where neither highlighted anything."""
    total = (shared.a + shared.b).astype(np.float64)
    found: Floats = np.divide(2.0 * shared.both, total, out=np.ones(len(shared)), where=total > 0)
    return found


def _element_columns(shared: Shared, a: GradedElements, b: GradedElements) -> dict[str, Floats]:
    """Return the numbers of each document that the statistics of elements are made of."""
    names = ["elements both", "elements either", "same grade", "specificity"]
    names += [f"grade {i} {j}" for i in range(GRADES) for j in range(GRADES)]
    columns = {name: np.zeros(len(shared)) for name in names}
    for place in range(len(shared)):
        ours, theirs = (
            _graded(elements, int(rows[place])) for elements, rows in ((a, shared.a_rows), (b, shared.b_rows))
        )
        for path in ours.keys() | theirs.keys():
            (e, s), (f, t) = ours.get(path, (0, 0.0)), theirs.get(path, (0, 0.0))
            columns["elements either"][place] += 1
            columns["specificity"][place] += abs(s - t)
            if e and f:
                columns["elements both"][place] += 1
                columns["same grade"][place] += e == f
                columns[f"grade {e % GRADES} {f % GRADES}"][place] += 1
    return columns


def _graded(elements: GradedElements, row: int) -> dict[str, tuple[int, float]]:
    """Return exhaustivity (`?` as -1) and specificity (0 to 1) of the relevant elements of a row, by path."""
    found = {}
    for e in range(int(elements.elements_from[row]), int(elements.elements_from[row + 1])):
        grade = int(elements.exhaustivity[e])
        if not grade:
            continue
        if elements.scale == "2005":
            size = int(elements.size[e])
            specificity = int(elements.rsize[e]) / size if size else 0.0
        else:
            specificity = int(elements.specificity[e]) / 3
        found[elements.paths[int(elements.path[e])]] = grade, specificity
    return found


def _table(sums: Sums) -> Floats:
    rows = [np.stack([sums[f"grade {i} {j}"] for j in range(GRADES)], axis=-1) for i in range(GRADES)]
    return np.stack(rows, axis=-2)
