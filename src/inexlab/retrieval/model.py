"""What a retrieval model is: a function from candidates and statistics to scores, with named parameters.

Each file in `models` holds one. A model sees how often each term is in each candidate, how long that is, and
what the collection says of the terms; it knows neither XML nor the index.
"""

from __future__ import annotations

import functools
import inspect
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from inexlab.errors import UnknownNameError, UsageError
from inexlab.registry import Registry
from inexlab.retrieval.candidates import Candidates
from inexlab.tables import Floats


@dataclass(frozen=True)
class Statistics:
    """What is known of the units of a collection, and of a query's terms in it (columns by term).

    `weight` is how much a term counts in the query: its frequency there, doubled where it is wanted (`+`),
    negative where it is unwanted (`-`).
    """

    units: int
    mean_length: float
    mean_terms: float
    tokens: int
    units_with: Floats
    frequency: Floats
    weight: Floats

    def copy(self) -> Statistics:
        """Return the same statistics in arrays of their own."""
        return replace(
            self,
            units_with=self.units_with.copy(),
            frequency=self.frequency.copy(),
            weight=self.weight.copy(),
        )


Score = Callable[..., Floats]


@dataclass(frozen=True)
class Model:
    """A named model with its parameters' defaults and its manual page."""

    name: str
    score: Score
    parameters: Mapping[str, float] = field(default_factory=dict)
    doc: str = ""
    bound: Score | None = None

    @functools.cached_property
    def is_own(self) -> bool:
        """Whether it is one of this package: another may keep or change what it gets."""
        return self.score.__module__.startswith("inexlab.")


models: Registry[Model] = Registry("retrieval model", "inexlab.retrieval.models", {"score": np.ndarray})


def model(name: str, *, bound: Score | bool | None = None) -> Callable[[Score], Score]:
    """Register the decorated function `(candidates, statistics, **parameters) -> scores` as a model.

    A model may offer a `bound`, a function with the same arguments, so that units that cannot be among the
    best need not be scored. It is asked for one term at a time, for units that are made up, which may have
    the term more often than they have tokens: what it returns no unit may exceed that has the term at most as
    often, in an article that has it in at most as large a share, and is at least as long; and the score of a
    unit may not exceed the sum of the bounds of the terms, those that it does not have included. For a term
    of negative weight, that is its score in a unit and an article without it. It may not use `terms`. True
    stands for the model itself: a score is a sum over terms, each of which rises with the frequency and the
    share, and falls with the length.

    A model with a bound scores each unit by itself: some candidates at a time, in no order, without those
    around them, and with -1 for every `parent`.
    """

    def register(score: Score) -> Score:
        defaults = {
            p.name: p.default
            for p in inspect.signature(score).parameters.values()
            if p.default is not p.empty
        }
        offered = score if bound is True else bound or None
        models.add(name, Model(name, score, defaults, inspect.cleandoc(score.__doc__ or ""), offered))
        return score

    return register


@dataclass(frozen=True)
class Weighting:
    """A model with its parameters set; parses from and prints to `NAME[(key=value,…)]`."""

    model: Model
    parameters: Mapping[str, float]

    def __str__(self) -> str:
        changed = {k: v for k, v in self.parameters.items() if v != self.model.parameters[k]}
        inner = ",".join(f"{k}={v:.15g}" for k, v in changed.items())
        return self.model.name + (f"({inner})" if inner else "")

    def __call__(self, found: Candidates, statistics: Statistics) -> Floats:
        """Return the scores of candidates; parameters that give scores that are not finite are refused.

        Some of the candidates' columns and of the statistics are shared by several queries, and others are
        parts of larger arrays. A model from outside the package gets copies, which it may keep or change.
        """
        if not self.model.is_own:
            found, statistics = found.copy(), statistics.copy()
        try:
            with np.errstate(all="ignore"):
                scores = self.model.score(found, statistics, **self.parameters)
        except ZeroDivisionError:  # which compiled code raises
            raise self._endless() from None
        if scores.shape != (len(found),):
            raise UsageError(f"{self} gives scores of shape {scores.shape} to {len(found)} candidates.")
        if not np.isfinite(scores).all():
            raise self._endless()
        return scores

    def _endless(self) -> UsageError:
        return UsageError(f"{self} gives scores that are not finite; choose less extreme parameters.")


_NONE = np.zeros(0, dtype=np.int32)
_NO_CANDIDATES = Candidates(
    _NONE.astype(np.int64), _NONE, np.zeros((0, 0), dtype=np.int32), _NONE, _NONE, _NONE, _NONE
)
_NO_TERMS = Statistics(1, 1.0, 1.0, 1, np.zeros(0), np.zeros(0), np.zeros(0))


def parse_weighting(text: str) -> Weighting:
    """Return the model that a name such as `bm25(k1=0.9,b=0.4)` stands for.

    >>> str(parse_weighting("bm25( k1 = 0.90, b = 0.75 )"))
    'bm25(k1=0.9)'
    """
    written = re.fullmatch(r"\s*([^()\s]+)\s*(?:\(([^()]*)\))?\s*", text)
    if written is None:
        raise UsageError(f"the model {text!r} is not NAME or NAME(key=value,…).")
    found = models[written[1]]
    parameters = dict(found.parameters)
    for part in (written[2] or "").split(",") if (written[2] or "").strip() else []:
        key, _, value = (piece.strip() for piece in part.partition("="))
        if key not in parameters:
            raise UnknownNameError(f"parameter of {found.name}", key, parameters)
        try:
            parameters[key] = float(value)
        except ValueError:
            parameters[key] = math.nan
        if not math.isfinite(parameters[key]):
            raise UsageError(f"{part.strip()!r} of {found.name} is not key=number.")
    made = Weighting(found, parameters)
    made(_NO_CANDIDATES, _NO_TERMS)  # so that a model refuses its parameters before anything is searched
    return made
