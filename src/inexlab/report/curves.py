"""Curves: which ones belong to the measures that were asked for, and their values averaged over topics."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from inexlab.measures import Measure, Scores, parse
from inexlab.measures.measure import Budget, definitions
from inexlab.tables import Floats

RANKS = (1, 2, 3, 5, 7, 10, 15, 20, 25, 30, 40, 50, 75, 100, 150, 200, 300, 500, 750, 1000, 1500)

# The curves that say more about a measure's number.
_CURVES_OF = {
    "iP": ("iP",),
    "MAiP": ("iP",),
    "SpanP": ("iP",),
    "SpanR": ("iP",),
    "gP": ("gP",),
    "MAgP": ("gP",),
    "precall": ("precall",),
    "nxCG": ("nxCG",),
    "MAnxCG": ("nxCG",),
    "Q": ("nxCG",),
    "R": ("nxCG",),
    "MAep": ("ep", "nxCG"),
    "iMAep": ("ep", "nxCG"),
    "ep": ("ep",),
}
_INNER = re.compile(r"\w+\((.*)\)(?:@.*)?")
_COMMA = re.compile(r",(?![^()]*\))")


@dataclass(frozen=True)
class Curve:
    """One curve per system: `values[s, p]` is the mean over topics of system s at point p."""

    name: str
    axis: str  # recall or rank
    points: tuple[float, ...]
    systems: tuple[str, ...]
    values: Floats


def curves_of(measures: Sequence[Measure], most: int = 4) -> dict[str, list[Measure]]:
    """Return the points of the curves that belong to some measures, by the curve's name.

    >>> [(name, len(points)) for name, points in curves_of([parse("MAiP"), parse("gP@10")]).items()]
    [('iP', 101), ('gP(score=F,beta=1)', 21)]
    """
    found: dict[str, list[Measure]] = {}
    for measure in measures:
        for name in _CURVES_OF.get(measure.definition.name, ()):
            stem = _with_parameters_of(measure, name)
            if stem is not None and len(found) < most:
                found.setdefault(stem, _points(stem))
    return found


def _with_parameters_of(measure: Measure, name: str) -> str | None:
    """Return the curve's name with the measure's parameters; None if it cannot have one of them."""
    known = {parameter.name for parameter in definitions[name].parameters}
    inner = _INNER.fullmatch(str(measure))
    parameters = _COMMA.split(inner[1]) if inner else []
    if any(parameter.partition("=")[0] not in known for parameter in parameters):
        return None
    return str(parse(f"{name}({','.join(parameters)})@1")).rpartition("@")[0]


def _points(stem: str) -> list[Measure]:
    definition = definitions[stem.partition("(")[0]]
    if definition.cutoff == "rank":
        return [parse(f"{stem}@{rank}") for rank in RANKS]
    return [parse(f"{stem}@{float(point):g}") for point in definition.curve]


def averaged(points: Mapping[str, Sequence[Measure]], scores: Sequence[Scores]) -> list[Curve]:
    """Return the curves, given the scores at all their points in order."""
    import numpy as np

    found, at = [], 0
    for points_of_curve in points.values():
        here = scores[at : at + len(points_of_curve)]
        at += len(points_of_curve)
        name = str(here[0].measure).rpartition("@")[0]  # with its quantisation resolved
        recall = points_of_curve[0].definition.cutoff.endswith("recall")
        cutoffs = tuple(
            float(Fraction(m.cutoff or 0)) for m in points_of_curve if not isinstance(m.cutoff, Budget)
        )
        values = np.array([s.totals() for s in here]).T
        found.append(Curve(name, "recall" if recall else "rank", cutoffs, here[0].systems, values))
    return found
