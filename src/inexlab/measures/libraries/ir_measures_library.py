"""The measures of documents of ir_measures, by their own names: `AP`, `P@10`, `nDCG(dcg='exp-log2')@10`."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from inexlab.errors import UsageError
from inexlab.measures.documents import (
    INSTALL,
    DocumentEvidence,
    DocumentTopic,
    by_document,
    document_evidence,
    known_measure,
)
from inexlab.measures.measure import Definition, Library, Measure, libraries

# What users ask for most, to know it for a measure of documents where the library is not installed.
_COMMON = (
    *("AP", "P", "R", "RR", "nDCG", "Rprec", "Bpref", "ERR", "RBP", "Success", "Judged", "IPrec", "infAP"),
    *("SetP", "SetR", "SetF", "SetAP"),
)
_ALIASES = ("MAP", "MRR", "NDCG", "Precision", "Recall")


@dataclass(frozen=True)
class _AtOnce:
    """Computes the measure of a name, which may lack its cut-off, for all topics."""

    name: str

    def __call__(self, evidence: DocumentEvidence, cutoff: int | None = None) -> list[float]:
        full = self.name if cutoff is None else f"{self.name}@{cutoff}"
        scores: list[float] = evidence.scores(full).tolist()
        return scores


@dataclass(frozen=True)
class _Score:
    """Computes the same for one topic."""

    name: str

    def __call__(self, topic: DocumentTopic, cutoff: int | None = None) -> float:
        return _AtOnce(self.name)(topic.evidence, cutoff)[topic.number]


def _find(name: str) -> Measure | None:
    base = re.split(r"[(@]", name)[0].strip()
    library = _installed()
    if library is None:
        if base in (*_COMMON, *_ALIASES):
            raise UsageError(f"{name} is a measure of documents, which ir_measures computes: {INSTALL}.")
        return None
    if base not in library.measures.registry:
        return None
    found = _known(re.sub(r"\s", "", name))
    stem, at, cutoff = str(found).rpartition("@")
    if not at or not cutoff.isdigit():  # recall levels stay part of the name
        return Measure(_definition(str(found)), {}, None, name)
    return Measure(_definition(stem, ranked=True), {}, int(cutoff), name)


def _known(name: str) -> Any:
    try:
        return known_measure(name)
    except UsageError:
        if "@" not in name and _usable(f"{name}@10"):
            raise UsageError(f"{name} needs a cut-off, for example {name}@10.") from None
        raise


def _usable(name: str) -> bool:
    try:
        known_measure(name)
    except UsageError:
        return False
    return True


@functools.cache
def _definition(name: str, ranked: bool = False) -> Definition:
    """Return the definition of a name; the same one each time, as measures are compared by it."""
    found = known_measure(f"{name}@10" if ranked else name)
    about = inspect.cleandoc(type(found).__doc__ or "")
    summed = type(found.aggregator()).__name__ == "SumAgg"
    doc = (
        f"The measure {found.NAME} of document retrieval, on the run's documents.\n\n"
        "The run is reduced to its documents in order of their first result (`inexlab measures Article`).\n\n"
        f"From ir_measures (MacAvaney, Macdonald and Ounis, 2022), which computes it:\n\n{about}"
    )
    return Definition(
        name,
        _Score(name),
        document_evidence,
        "rank" if ranked else "none",
        (),
        "sum" if summed else "mean",
        doc,
        breakdown=by_document,
        documents=True,
        at_once=_AtOnce(name),
    )


def _installed() -> Any:
    try:
        import ir_measures
    except ImportError:
        return None
    return ir_measures


def _names() -> Iterable[str]:
    library = _installed()
    if library is None:
        return _COMMON
    names = dict.fromkeys(m.NAME for m in library.measures.registry.values())
    return [name for name in names if _usable(name) or _usable(f"{name}@10")]


libraries.add("ir_measures", Library(_find, _names))
