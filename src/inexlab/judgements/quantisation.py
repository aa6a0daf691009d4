"""Quantisations: how two grades, exhaustivity and specificity, become one value.

A quantisation is a value with a name that parses back: `gen5`, `binExh(min_size=50)`, or the name of a
TOML file that holds a custom. `gen` and `strict` alone mean the one for the judgements' scale.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from inexlab.errors import InputError, UnknownNameError, UsageError
from inexlab.files import read_bytes
from inexlab.judgements.elements import COVERAGE, TOO_SMALL, GradedElements, Scale
from inexlab.registry import Registry
from inexlab.tables import Floats

YEARS = {"2002": "2002", "2004": "2003-2004", "2005": "2005-2006"}

# the short names, by scale
_SHORT = {
    "strict": {"2002": "strict2", "2004": "strict4", "2005": "strict5"},
    "gen": {"2002": "gen2", "2004": "gen4", "2005": "gen5"},
}


@dataclass(frozen=True)
class QuantisationKind:
    """A registered quantisation: its scale, its formula over columns, and its options with their defaults.

    `binary` ones tell relevant from not relevant and nothing more.
    """

    name: str
    scale: Scale
    values: Callable[..., Floats]
    options: Mapping[str, int | tuple[str, ...]]
    binary: bool
    doc: str


quantisations: Registry[QuantisationKind] = Registry("quantisation", "inexlab.judgements.quantisations")


def quantisation(
    name: str, scale: Scale, *, binary: bool = False, **options: int | tuple[str, ...]
) -> Callable[[Callable[..., Floats]], Callable[..., Floats]]:
    """Register the decorated function `(elements, **options) -> values`; options are numbers or words."""

    def register(values: Callable[..., Floats]) -> Callable[..., Floats]:
        doc = (values.__doc__ or "").strip()
        quantisations.add(name, QuantisationKind(name, scale, values, options, binary, doc))
        return values

    return register


@dataclass(frozen=True)
class Quantisation:
    """A quantisation with its options set; equal names are equal quantisations."""

    name: str

    def __str__(self) -> str:
        return self.name

    def for_scale(self, scale: Scale) -> Quantisation:
        """Return the quantisation meant on this scale, or say that there is none."""
        found = Quantisation(_SHORT.get(self.name, {}).get(scale, self.name))
        if found.kind.scale != scale:
            same = [k.name for k in quantisations.values() if k.scale == scale]
            raise UsageError(
                f"quantisation {self.name} is for judgements of {YEARS[found.kind.scale]}, "
                f"these are of {YEARS[scale]}; for them: {', '.join(same)}."
            )
        return found

    @property
    def kind(self) -> QuantisationKind:
        """The registered kind, or the one that the TOML file describes."""
        if self.name.endswith(".toml"):
            return _from_file(self.name, _changed(self.name))
        return quantisations[self.name.partition("(")[0]]

    def values(self, elements: GradedElements) -> Floats:
        """Return each element's value."""
        options = {} if self.name.endswith(".toml") else _options(self.kind, self.name)
        return elements.once(("values", self.name), lambda: self.kind.values(elements, **options))


def parse_quantisation(text: str) -> Quantisation:
    """Return the quantisation of a name; unknown names and options are refused here.

    >>> str(parse_quantisation("binExh( min_size=50 )")), str(parse_quantisation("gen"))
    ('binExh(min_size=50)', 'gen')
    """
    text = text.strip()
    if text in _SHORT:
        return Quantisation(text)
    if text.endswith(".toml"):
        _from_file(text, _changed(text))
        return Quantisation(text)
    found = re.fullmatch(r"([\w+]+)\s*(?:\((.*)\))?", text)
    if found is None or (found[1] not in quantisations):
        raise UnknownNameError("quantisation", text, [*_SHORT, *quantisations])
    kind = quantisations[found[1]]
    inner = ",".join(f"{key}={value}" for key, value in _options(kind, text).items())
    return Quantisation(f"{kind.name}({inner})" if found[2] else kind.name)


def _options(kind: QuantisationKind, text: str) -> dict[str, int | str]:
    inner = text.partition("(")[2].rstrip().removesuffix(")")
    options: dict[str, int | str] = {}
    for part in inner.split(",") if inner.strip() else []:
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if key not in kind.options:
            raise UnknownNameError(f"option of quantisation {kind.name}", key, kind.options)
        if key in options:
            raise UsageError(f"quantisation {kind.name} is given {key} twice.")
        allowed = kind.options[key]
        if isinstance(allowed, tuple):
            if value not in allowed:
                raise UnknownNameError(f"{key} of quantisation {kind.name}", value, allowed)
            options[key] = value
        elif not equals or not re.fullmatch(r"[0-9]{1,15}", value):
            raise UsageError(
                f"{part.strip()!r} of quantisation {kind.name} is not understood; write {key}=NUMBER."
            )
        else:
            options[key] = int(value)
    return options


def from_table(table: Mapping[tuple[int, int], str | int | Fraction]) -> Callable[..., Floats]:
    """Return the formula that looks up (exhaustivity, specificity) in a table; missing pairs are 0."""

    def values(elements: GradedElements) -> Floats:
        found = np.zeros(len(elements))
        for (e, s), value in table.items():
            found[(elements.exhaustivity == e) & (elements.specificity == s)] = float(Fraction(value))
        return found

    return values


def _changed(name: str) -> float:
    """When the file was last written: as long as that stays, it is not read again."""
    return Path(name).stat().st_mtime if Path(name).exists() else 0.0


@functools.lru_cache(maxsize=64)
def _from_file(name: str, _changed: float) -> QuantisationKind:
    """Read a custom quantisation.

    `scale = "2002" | "2004" | "2005"` and a table `[values]`: on the scales of grades from "e,s" (2002:
    "3,E") to a value; on that of 2005 from "e" (0, 1, 2 or ?) to a factor of the specificity, or from
    "e,1" to the value of an element that is relevant throughout.
    """

    def wrong(what: str) -> InputError:
        return InputError(
            what, file=name, fix='Write scale = "2004" and [values] with entries such as "3,3" = 1.'
        )

    try:
        data: dict[str, Any] = tomllib.loads(read_bytes(Path(name)).decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:  # of TOML, of UTF-8, of numbers with too many digits
        raise wrong(f"is not TOML ({error})") from None
    scale, table = data.get("scale"), data.get("values")
    if not isinstance(scale, str) or scale not in YEARS or not isinstance(table, dict) or not table:
        raise wrong("does not hold a quantisation")
    entries: dict[tuple[int, int], Fraction] = {}
    for key, value in table.items():
        pair = _read_pair(scale, key.replace(" ", ""))
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if pair is None or not number or not 0 <= value <= _LARGEST:
            shown = "a large number" if number and abs(value) > _LARGEST else repr(value)
            raise wrong(f"the entry {key!r} = {shown} is not understood")
        entries[pair] = Fraction(str(value))
    graded = scale == "2005" and any(s != 1 for _, s in entries)
    binary = not graded and all(value in (0, 1) for value in entries.values())
    values = _by_factor(entries) if scale == "2005" else from_table(entries)
    return QuantisationKind(name, cast(Scale, scale), values, {}, binary, f"custom, from {name}")


_LARGEST = 10**6  # value of a quantisation
_FINEST = 10**6  # denominator that can be multiplied with the length of a document

_PAIRS = {"2002": rf"([0-3]),([{COVERAGE}])", "2004": "([0-3]),([0-3])", "2005": "([012?])(?:,(1))?"}


def _read_pair(scale: str, text: str) -> tuple[int, int] | None:
    """Return the grades that a key of a table stands for; on that of 2005 the second may be missing, -1."""
    found = re.fullmatch(_PAIRS[scale], text)
    if found is None:
        return None
    first = TOO_SMALL if found[1] == "?" else int(found[1])
    if scale == "2002":
        return first, COVERAGE.index(found[2])
    return first, -1 if found[2] is None else int(found[2])


def _by_factor(entries: Mapping[tuple[int, int], Fraction]) -> Callable[..., Floats]:
    def values(elements: GradedElements) -> Floats:
        found = np.zeros(len(elements))
        whole = (elements.rsize == elements.size) & (elements.size > 0)
        for (e, s), value in sorted(entries.items(), key=lambda entry: entry[0][1]):
            chosen = elements.exhaustivity == e
            if s == 1:
                found[chosen & whole] = float(value)
            else:
                exact = value.denominator <= _FINEST
                factor = (value.numerator, value.denominator) if exact else (float(value), 1)
                found[chosen] = times_specificity(elements, *factor)[chosen]
        return found

    return values


def times_specificity(elements: GradedElements, factor: npt.ArrayLike, divisor: int = 1) -> Floats:
    """Return factor / divisor × rsize / size, rounded once so that equal values are equal numbers."""
    product, size = np.multiply(elements.rsize, factor), elements.size * divisor
    value: Floats = np.divide(product, size, out=np.zeros(len(elements)), where=size > 0)
    return value
