"""The graded measures in exact fractions, written from the papers by brute force.

Nothing here is shared with the package: elements are pairs (document, path), containment is a prefix of
paths, and every question is answered by looking at all elements again.

Sources: Kazai and Lalmas (2005) for XCG, Lalmas and Tombros (2007) for the focused gains of 2006, Ogilvie and
Lalmas (2006) for precall. Where they are silent or misprinted, the readings taken are named where they apply.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby, pairwise, permutations
from math import ceil

Element = tuple[str, str]  # document, path
Values = Mapping[Element, Fraction]
Sizes = Mapping[Element, int]
ZERO, ONE = Fraction(0), Fraction(1)

# --- quantisations ---------------------------------------------------------------------------------

QUANTISATIONS_2005 = ("strict5", "gen5", "genLifted", "binExh", "binExhNoSmall", "fullySpec", "spec6")
BINARY = ("strict5", "fullySpec")

_GEN4 = {
    **{"33": "1", "23": ".75", "32": ".75", "31": ".75", "13": ".5", "22": ".5", "21": ".5"},
    **{"12": ".25", "11": ".25"},
}
_SOG = {
    **{"33": "1", "23": ".9", "13": ".75", "32": ".75", "22": ".5", "12": ".25", "31": ".25"},
    **{"21": ".1", "11": ".1"},
}


def value_2005(quant: str, exhaustivity: str, size: int, rsize: int) -> Fraction:
    """Return the value of an element of 2005: exhaustivity 0, 1, 2 or ?, specificity rsize / size."""
    s = Fraction(rsize, size) if size else ZERO
    e = {"0": 0, "?": 0, "1": 1, "2": 2}[exhaustivity]
    relevant = int(exhaustivity != "0")
    return {
        "strict5": Fraction(e == 2 and s == 1),
        "gen5": e * s,
        "genLifted": relevant * (e + 1) * s,
        "binExh": relevant * s,
        "binExhNoSmall": (e > 0) * s,
        "fullySpec": Fraction(s == 1),
        "spec6": s,
    }[quant]


def value_2004(quant: str, e: int, s: int) -> Fraction:
    """Return the value of an element of 2003-2004: exhaustivity and specificity 0-3."""
    pair = f"{e}{s}"
    if quant == "gen4":
        return Fraction(_GEN4.get(pair, "0"))
    if quant == "sog":
        return Fraction(_SOG.get(pair, "0"))
    return {"strict4": Fraction(pair == "33"), "anyrel": Fraction(pair != "00")}[quant]


# --- elements and recall bases ---------------------------------------------------------------------


def contains(outer: Element, inner: Element) -> bool:
    """Whether an element holds another one (itself not counted)."""
    return outer[0] == inner[0] and inner[1].startswith(f"{outer[1]}/")


def at_or_inside(inner: Element, outer: Element) -> bool:
    """Whether an element is another one, or inside it."""
    return inner == outer or contains(outer, inner)


def full_recall_base(value: Values) -> list[Element]:
    """Return all relevant elements, best first."""
    return sorted((e for e in value if value[e] > 0), key=lambda e: -value[e])


def ideal_recall_base(value: Values) -> list[Element]:
    """Return the ideal elements, best first.

    On every relevant path (root to a relevant element with no relevant one inside) the highest value is
    chosen, the higher element where values tie; of chosen elements that overlap the shorter path stays.
    """
    relevant = full_recall_base(value)
    chosen = set()
    for leaf in relevant:
        if not any(contains(leaf, other) for other in relevant):
            on_path = [e for e in relevant if at_or_inside(leaf, e)]
            chosen.add(max(on_path, key=lambda e: (value[e], -e[1].count("/"))))
    return sorted((e for e in chosen if not any(contains(c, e) for c in chosen)), key=lambda e: -value[e])


# --- gains -----------------------------------------------------------------------------------------


def gains_off(ranking: Sequence[Element], value: Values, *, keep: bool = False) -> list[Fraction]:
    """Equation 10; an element returned again gains nothing, unless such results are kept."""
    return [
        ZERO if element in ranking[:i] and not keep else value.get(element, ZERO)
        for i, element in enumerate(ranking)
    ]


def relevance_value(
    element: Element, before: Sequence[Element], value: Values, size: Sizes, alpha: Fraction
) -> Fraction:
    """Equation 7: what an element is worth to somebody who has read the elements returned before.

    Worth nothing where its own value is 0. Children are the assessed ones: others are worth nothing.
    """
    own = value.get(element, ZERO)
    if own == 0:
        return ZERO
    if any(at_or_inside(element, seen) for seen in before):
        return (1 - alpha) * own
    if not any(contains(element, seen) for seen in before):
        return own
    children = [c for c in value if contains(element, c) and c[1].count("/") == element[1].count("/") + 1]
    of_children = sum((relevance_value(c, before, value, size, alpha) * size[c] for c in children), ZERO)
    rest = of_children / size[element] if size[element] else ZERO
    return alpha * rest + (1 - alpha) * own


def bound(
    element: Element,
    ideal: Iterable[Element],
    value: Values,
    given: Mapping[Element, Fraction],
    ancestors: str,
) -> Fraction | None:
    """Equation 8: what may still be gained around the ideal element on the same relevant path.

    An element above several ideal ones may gain the sum of what they have left (`ancestors=sum`), the largest
    or the smallest of these, or is not bound at all (None).
    """
    room = {i: max(ZERO, value[i] - given[i]) for i in ideal}
    for i, left in room.items():
        if at_or_inside(element, i):
            return left
    below = [left for i, left in room.items() if contains(element, i)]
    combined = {"sum": sum(below, ZERO), "max": max(below), "min": min(below), "none": None}
    return combined[ancestors]


def gains_focussed(
    ranking: Sequence[Element],
    value: Values,
    size: Sizes,
    year: str = "on",
    *,
    alpha: Fraction = ONE,
    ancestors: str = "sum",
) -> list[Fraction]:
    """`on`: equations 7-9 of 2005. `2006`: equation 13 there, raw values, S also holds elements above.

    What is subtracted in equation 8 are the gains credited before; the result is never negative.
    """
    ideal = ideal_recall_base(value)
    gains: list[Fraction] = []
    for rank, element in enumerate(ranking):
        if value.get(element, ZERO) == 0:
            gains.append(ZERO)
            continue
        before = ranking[:rank]
        given = {
            i: sum(
                (
                    gain
                    for other, gain in zip(before, gains, strict=True)
                    if at_or_inside(other, i) or (year == "2006" and contains(other, i))
                ),
                ZERO,
            )
            for i in ideal
        }
        new = (
            value[element]
            if year == "2006"
            else relevance_value(element, before, value, size, Fraction(alpha))
        )
        most = bound(element, ideal, value, given, ancestors)
        gains.append(new if most is None else min(new, most))
    return gains


# --- measures of a gain vector beside the ideal one ------------------------------------------------


def total(gains: Sequence[Fraction], rank: int) -> Fraction:
    """Return the cumulated gain at a rank; flat after the last."""
    return sum(gains[:rank], ZERO)


def nxcg(gains: Sequence[Fraction], ideal: Sequence[Fraction], rank: int) -> Fraction:
    """Equation 5."""
    return total(gains, rank) / total(ideal, rank)


def manxcg(gains: Sequence[Fraction], ideal: Sequence[Fraction], rank: int) -> Fraction:
    """Equation 6."""
    return sum((nxcg(gains, ideal, j) for j in range(1, rank + 1)), ZERO) / rank


def ideal_rank(ideal: Sequence[Fraction], gain: Fraction) -> Fraction:
    """Return where the ideal curve, straight from (0, 0) and between ranks, reaches a gain, or its end."""
    for rank, here in enumerate(ideal, 1):
        if total(ideal, rank) >= gain:
            return rank - 1 + (gain - total(ideal, rank - 1)) / here
    return Fraction(len(ideal))


def natural_points(gains: Sequence[Fraction], ideal: Sequence[Fraction]) -> list[tuple[Fraction, Fraction]]:
    """Return gain-recall and effort-precision (equations 11-12) at every rank that gains something."""
    return [
        (total(gains, rank) / sum(ideal), ideal_rank(ideal, total(gains, rank)) / rank)
        for rank, gain in enumerate(gains, 1)
        if gain > 0
    ]


def maep(gains: Sequence[Fraction], ideal: Sequence[Fraction], divisor: str = "max") -> Fraction:
    """Section 3.3; relevant elements that are not returned count 0."""
    efforts = [effort for _, effort in natural_points(gains, ideal)]
    return sum(efforts, ZERO) / (max(len(ideal), len(efforts)) if divisor == "max" else len(ideal))


def ep(gains: Sequence[Fraction], ideal: Sequence[Fraction], recall: Fraction) -> Fraction:
    """Effort-precision at any gain-recall: straight lines, flat before the first point, 0 after the last."""
    points = natural_points(gains, ideal)
    if not points or recall > points[-1][0]:
        return ZERO
    if recall <= points[0][0]:
        return points[0][1]
    lines = ((left, right) for left, right in pairwise(points) if left[0] <= recall <= right[0])
    (x0, y0), (x1, y1) = next(lines)
    return y0 + (y1 - y0) * (recall - x0) / (x1 - x0)


def imaep(gains: Sequence[Fraction], ideal: Sequence[Fraction]) -> Fraction:
    """Section 3.3: the mean over gain-recall .01 to 1."""
    return sum((ep(gains, ideal, Fraction(k, 100)) for k in range(1, 101)), ZERO) / 100


def bonused(gains: Sequence[Fraction]) -> list[Fraction]:
    """Section 3.4: bg(i) = g(i) + 1 where something is gained."""
    return [gain + 1 if gain > 0 else ZERO for gain in gains]


def q_measure(gains: Sequence[Fraction], ideal: Sequence[Fraction], *, bonused_cig: bool = False) -> Fraction:
    """Equation 13 with Sakai's plain cig, or with the bonus that the text gives it."""
    cig = bonused(ideal) if bonused_cig else ideal
    terms = [total(bonused(gains), j) / (total(cig, j) + j) for j, gain in enumerate(gains, 1) if gain > 0]
    return sum(terms, ZERO) / max(len(ideal), len(terms))


def r_measure(gains: Sequence[Fraction], ideal: Sequence[Fraction], *, printed: bool = False) -> Fraction:
    """Equation 14 with cig in the denominator, or with cbg as printed."""
    n = len(ideal)
    cbg = total(bonused(gains), n)
    return cbg / ((cbg if printed else sum(ideal)) + n)


# --- Fetch & Browse --------------------------------------------------------------------------------


def article_gains(
    ranking: Sequence[Element], value: Values, score: str
) -> tuple[list[Fraction], list[Fraction]]:
    """Section 6.3: gains of the articles by first occurrence, and the ideal ones."""
    worth: dict[str, Fraction] = {}
    for (doc, path), v in value.items():
        if score == "max" or path.count("/") == 1:
            worth[doc] = max(v, worth.get(doc, ZERO))
    articles = list(dict.fromkeys(doc for doc, _ in ranking))
    return [worth.get(doc, ZERO) for doc in articles], sorted((v for v in worth.values() if v), reverse=True)


# --- precall ---------------------------------------------------------------------------------------


def precall(
    results: Sequence[tuple[float, Fraction]], n: Fraction, recall: Fraction, nnr: str = "whole"
) -> Fraction:
    """Equations 1-5: expected precision at a recall above 0, of results given as rsv and value.

    Equation 5 divides by the number of the rank, a misprint for what is in the rank.
    """
    wanted = recall * n
    got, others = ZERO, ZERO
    for _, tied in groupby(sorted(results, key=lambda result: -result[0]), key=lambda result: result[0]):
        values = [value for _, value in tied]
        mass, count = sum(values, ZERO), sum(value > 0 for value in values)
        nonrel = len(values) - count
        if got + mass >= wanted:
            others += _others_taken(nnr, wanted - got, mass, count, nonrel)
            return wanted / (wanted + others)
        got += mass
        others += nonrel
    return ZERO


def _others_taken(nnr: str, left: Fraction, mass: Fraction, count: int, nonrel: int) -> Fraction:
    """Return what equation 5 adds for the last rank, in the four readings of its divisor."""
    if nnr == "whole":
        return Fraction(ceil(left * count / mass) * nonrel, count + 1)
    return left * nonrel / {"count": Fraction(count + 1), "mass": mass, "mass+1": mass + 1}[nnr]


def others_met(rank: str, wanted: int) -> Fraction:
    """Return how many N stand on average before the wanted-th R, over all orders of a tied rank like RRNN."""
    orders = list(permutations(rank))
    met = 0
    for order in orders:
        place = [i for i, one in enumerate(order) if one == "R"][wanted - 1]
        met += order[:place].count("N")
    return Fraction(met, len(orders))
