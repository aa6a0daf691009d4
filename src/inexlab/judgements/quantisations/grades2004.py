"""The scale of 2003-2004: exhaustivity and specificity, each 0-3. Ogilvie and Lalmas (2006), Table 1."""

from __future__ import annotations

from inexlab.judgements.elements import GradedElements
from inexlab.judgements.quantisation import from_table, quantisation
from inexlab.tables import Floats

_strict = from_table({(3, 3): 1})
_gen = from_table(
    {
        (3, 3): 1,
        **dict.fromkeys(((2, 3), (3, 2), (3, 1)), ".75"),
        **dict.fromkeys(((1, 3), (2, 2), (2, 1)), ".5"),
        **dict.fromkeys(((1, 2), (1, 1)), ".25"),
    }
)
_sog = from_table(
    {
        (3, 3): 1,
        (2, 3): ".9",
        **dict.fromkeys(((1, 3), (3, 2)), ".75"),
        (2, 2): ".5",
        **dict.fromkeys(((1, 2), (3, 1)), ".25"),
        **dict.fromkeys(((2, 1), (1, 1)), ".1"),
    }
)
_any = from_table({(e, s): 1 for e in (1, 2, 3) for s in (1, 2, 3)})


@quantisation("strict4", "2004", binary=True)
def strict4(elements: GradedElements) -> Floats:
    """1 for (3, 3), else 0."""
    return _strict(elements)


@quantisation("gen4", "2004")
def gen4(elements: GradedElements) -> Floats:
    """1 for (3,3); .75 for (2,3) (3,2) (3,1); .5 for (1,3) (2,2) (2,1); .25 for (1,2) (1,1); 0 for (0,0)."""
    return _gen(elements)


@quantisation("sog", "2004")
def sog(elements: GradedElements) -> Floats:
    """Specificity-oriented: 1 (3,3); .9 (2,3); .75 (1,3) (3,2); .5 (2,2); .25 (1,2) (3,1); .1 (2,1) (1,1)."""
    return _sog(elements)


@quantisation("anyrel", "2004", binary=True)
def anyrel(elements: GradedElements) -> Floats:
    """1 for every relevant element."""
    return _any(elements)


def _register_strict_in_one_dimension() -> None:
    """The unofficial ones of 2004: strict in one dimension, with a choice of grades in the other."""
    for first, second in (("s", "e"), ("e", "s")):
        for grades in ((3, 2, 1), (3, 2)):
            pairs = [(other, 3) if first == "s" else (3, other) for other in grades]
            name = f"{first}3_{second}{''.join(map(str, grades))}"
            table = from_table(dict.fromkeys(pairs, 1))
            table.__doc__ = f"1 if {first} is 3 and {second} is one of {', '.join(map(str, grades))}, else 0."
            quantisation(name, "2004", binary=True)(table)


_register_strict_in_one_dimension()
