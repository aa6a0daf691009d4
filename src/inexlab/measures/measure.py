"""What a measure is: a definition, and values of it that parse from and print to a name.

The name is `NAME[(key=value,…)][@cutoff]`, as in `iP@0.01`, `MAgP(score=F,beta=0.25)`,
`gP(score=BEP,n=500)@10`.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal, localcontext
from fractions import Fraction
from math import nan
from numbers import Real
from typing import Any, Literal, NamedTuple, TypeVar

from inexlab.errors import UnknownNameError, UsageError
from inexlab.registry import Registry
from inexlab.scores import Scores
from inexlab.tables import Floats

Value = str | int | Fraction | Hashable
Cutoff = Literal["none", "rank", "optional rank", "optional rank or budget", "recall", "optional recall"]


class Budget(NamedTuple):
    """So much text that a reader has time for, or a prompt room: `1000c` characters, `512w` words."""

    size: int
    unit: str

    def __str__(self) -> str:
        return f"{self.size}{self.unit}"


@dataclass(frozen=True)
class Parameter:
    """One named parameter of a measure.

    A parameter with `choices` is a word, one with a `reader` whatever that makes of the text, else a
    number, whole or not after its default. One that only matters for some value of another (`beta` for
    `score=F`) says so in `when`. A `quiet` one is part of the name only if it is not the default.
    """

    name: str
    default: Value
    help: str
    choices: tuple[str, ...] = ()
    minimum: int = 0
    maximum: int | None = None
    when: tuple[str, str] | None = None
    quiet: bool = False
    reader: Callable[[str], Hashable] | None = None

    def read(self, measure: str, text: str) -> Value:
        """Turn the text after `=` into a value."""
        if self.choices:
            if text not in self.choices:
                raise UnknownNameError(f"{self.name} of {measure}", text, self.choices)
            return text
        if self.reader is not None:
            return self.reader(text)
        if isinstance(self.default, str):
            return text
        value = _number(text)
        whole = isinstance(self.default, int)
        in_range = value is not None and self.minimum <= value <= (self.maximum or value)
        if value is None or not in_range or (whole and value.denominator != 1):
            kind = "whole number" if whole else "number"
            most = f" and at most {self.maximum}" if self.maximum else ""
            raise UsageError(
                f"{self.name}={text} of {measure} is not a {kind} of at least {self.minimum}{most}."
            )
        return int(value) if whole else value


@dataclass(frozen=True)
class Definition:
    """A named kind of measure: its parameters, how it is computed, and its own manual page (`doc`).

    `compute(topic, cutoff=…, **parameters)` gives one topic's score from that topic's evidence, NaN
    where the score is undefined; `evidence` makes the evidence of all topics from a run and the
    judgements. `total` says how topics are put together: by their mean, or by their sum. `breakdown`,
    called as `compute` is, takes a topic's score apart (`inexlab.measures.breakdown`). One that is of
    `documents` asks of the judgements only which documents are relevant, and so needs no text. A topic
    without what the measure `needs` has no score. `at_once(evidence, cutoff=…, **parameters)`, where there is
    one, gives the scores of all topics, the same numbers as `compute` gives, in less time.
    """

    name: str
    compute: Callable[..., float]
    evidence: Callable[..., Any]
    cutoff: Cutoff
    parameters: tuple[Parameter, ...]
    total: Literal["mean", "sum"]
    doc: str
    curve: tuple[int | Fraction, ...] = ()
    breakdown: Callable[..., Any] | None = None
    documents: bool = False
    needs: Literal["anything relevant", "results"] = "anything relevant"
    at_once: Callable[..., Sequence[float]] | None = None

    @property
    def summary(self) -> str:
        """The first line of the manual page."""
        return self.doc.partition("\n")[0]


@dataclass(frozen=True)
class Library:
    """Another library of measures, asked for the names that are not ours.

    `find` returns the measure of a name, None if it has none such, and raises a UsageError where the name
    is one of its own but cannot be used. `names` are suggested for a mistyped one.
    """

    find: Callable[[str], Measure | None]
    names: Callable[[], Iterable[str]]


definitions: Registry[Definition] = Registry("measure", "inexlab.measures.families", {"compute": Real})
libraries: Registry[Library] = Registry("library of measures", "inexlab.measures.libraries")

F = TypeVar("F", bound=Callable[..., float])


def measure(
    name: str,
    evidence: Callable[..., Any],
    *parameters: Parameter,
    cutoff: Cutoff = "none",
    total: Literal["mean", "sum"] = "mean",
    curve: Iterable[int | Fraction] = (),
    breakdown: Callable[..., Any] | None = None,
    documents: bool = False,
    needs: Literal["anything relevant", "results"] = "anything relevant",
    at_once: Callable[..., Sequence[float]] | None = None,
) -> Callable[[F], F]:
    """Register the decorated function as the measure `name`; its docstring becomes the manual page."""

    def register(compute: F) -> F:
        doc = inspect.cleandoc(compute.__doc__ or "")
        points = tuple(curve)
        definition = Definition(
            name,
            compute,
            evidence,
            cutoff,
            parameters,
            total,
            doc,
            points,
            breakdown,
            documents,
            needs,
            at_once,
        )
        definitions.add(name, definition)
        return compute

    return register


@dataclass(frozen=True, repr=False)
class Measure:
    """One measure with all its parameters set. `str` gives its full name, `given` is how it was asked for."""

    definition: Definition
    parameters: Mapping[str, Value]
    cutoff: int | Fraction | Budget | None
    given: str = field(compare=False)

    def __str__(self) -> str:
        quiet = {p.name: p.default for p in self.definition.parameters if p.quiet}
        shown = {n: v for n, v in self.parameters.items() if n not in quiet or v != quiet[n]}
        inner = ",".join(f"{name}={_text(value)}" for name, value in shown.items())
        at = "" if self.cutoff is None else f"@{_text(self.cutoff)}"
        return self.definition.name + (f"({inner})" if inner else "") + at

    def __hash__(self) -> int:
        return hash(str(self))

    def __repr__(self) -> str:
        return f"Measure({str(self)!r})"

    def for_scale(self, scale: str | None) -> Measure:
        """Return the measure with short names of quantisations resolved for a scale of judgements."""
        if scale is None:
            return self
        resolved = {
            n: v.for_scale(scale) if hasattr(v, "for_scale") else v for n, v in self.parameters.items()
        }
        return replace(self, parameters=resolved)

    @functools.cached_property
    def score(self) -> Callable[[Any], float]:
        """The function that gives one topic's score from its evidence."""
        return functools.partial(self.definition.compute, **self.arguments)

    def scores(self, evidence: Any, topics: Sequence[Any], counted: Sequence[bool]) -> list[float]:
        """Return the scores of all topics, of which evidence is given; NaN for those that do not count."""
        if self.definition.at_once is None:
            pairs = zip(topics, counted, strict=True)
            return [self.score(topic) if counts else nan for topic, counts in pairs]
        found = self.definition.at_once(evidence, **self.arguments)
        return [score if counts else nan for score, counts in zip(found, counted, strict=True)]

    def tabulate(self, systems: Sequence[str], topics: Sequence[str], values: Floats) -> Scores:
        """Return scores by this measure as a table."""
        return Scores(tuple(systems), tuple(topics), values, self, self.definition.total)

    @property
    def arguments(self) -> dict[str, Any]:
        """What the functions of the definition are called with, besides the evidence."""
        cutoff = {} if self.definition.cutoff == "none" else {"cutoff": self.cutoff}
        return {**self.parameters, **cutoff}


_NAME = re.compile(r"\s*([A-Za-z]\w*)\s*(?:\((.*)\))?\s*(?:@\s*([^\s()]+))?\s*")
_COMMA = re.compile(r",(?![^()]*\))")  # one that is not inside a quantisation's own brackets


def parse(name: str) -> Measure:
    """Return the measure that a name stands for; parameters left out take their defaults.

    A name that is not ours, or has a cut-off where ours takes none (`R@10`), is one of another library.

    >>> str(parse("MAgP")), str(parse("gP(score=BEP)@10")), str(parse("iP@0.01"))
    ('MAgP(score=F,beta=1)', 'gP(score=BEP,n=500)@10', 'iP@0.01')
    """
    found = _NAME.fullmatch(name)
    if found is None:
        raise UsageError(f"{name!r} is not a measure; write NAME, NAME@cutoff or NAME(key=value,…)@cutoff.")
    ours = found[1] in definitions
    if not ours or _is_foreign(definitions[found[1]], name, found[3]):
        for library in libraries.values():
            if (theirs := library.find(name)) is not None:
                return theirs
    if not ours:
        others = (other for library in libraries.values() for other in library.names())
        raise UnknownNameError("measure", found[1], dict.fromkeys([*definitions, *others]))
    definition = definitions[found[1]]
    return Measure(definition, _parameters(definition, found[2]), _cutoff(definition, name, found[3]), name)


def _is_foreign(definition: Definition, name: str, cutoff: str | None) -> bool:
    """Whether a name has a cut-off where our measure takes none, and no parameter that only ours has."""
    mine = {parameter.name for parameter in definition.parameters}
    return definition.cutoff == "none" and cutoff is not None and not mine & given_parameters(name)


def expand(name: str) -> list[Measure]:
    """Return the measures that a name stands for: one, or with the cut-off `*` those of its curve."""
    stem, at, cutoff = name.rpartition("@")
    if not at or cutoff.strip() != "*":
        return [parse(name)]
    base = stem.partition("(")[0].strip()
    definition = definitions[base] if base in definitions else parse(f"{stem}@10").definition
    if not definition.curve:
        known = [d.name for d in definitions.values() if d.curve]
        raise UsageError(
            f"{definition.name} has no curve, so not {name!r}; those with one: {', '.join(known)}."
        )
    return [parse(f"{stem}@{_text(point)}") for point in definition.curve]


def given_parameters(name: str) -> set[str]:
    """Return the parameters that a measure's name states, whatever their values.

    >>> sorted(given_parameters("gP(score=BEP,n=500)@10")), given_parameters("MAep")
    (['n', 'score'], set())
    """
    found = _NAME.fullmatch(name)
    inner = (found[2] if found else "") or ""
    return {part.partition("=")[0].strip() for part in _COMMA.split(inner) if part.strip()}


def _parameters(definition: Definition, text: str | None) -> dict[str, Value]:
    given: dict[str, str] = {}
    known = {parameter.name: parameter for parameter in definition.parameters}
    for part in _COMMA.split(text) if text and text.strip() else []:
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if key not in known:
            raise UnknownNameError(f"parameter of {definition.name}", key, known)
        if not equals or not value or key in given:
            raise UsageError(
                f"{part.strip()!r} of {definition.name} is not understood; write each as key=value, once."
            )
        given[key] = value
    values: dict[str, Value] = {}
    for parameter in definition.parameters:
        if parameter.when is not None and values.get(parameter.when[0]) != parameter.when[1]:
            if parameter.name in given:
                raise UsageError(f"{parameter.name} of {definition.name} needs {'='.join(parameter.when)}.")
            continue
        text = given.get(parameter.name)
        values[parameter.name] = parameter.default if text is None else parameter.read(definition.name, text)
    return values


def _cutoff(definition: Definition, name: str, text: str | None) -> int | Fraction | Budget | None:
    if definition.cutoff == "none" and text is not None:
        raise UsageError(f"{definition.name} takes no cut-off, so not {name!r}.")
    if text is None:
        if definition.cutoff in ("rank", "recall"):
            example = "0.01" if definition.cutoff == "recall" else "10"
            raise UsageError(f"{name} needs a cut-off, for example {name}@{example}.")
        return None
    if definition.cutoff.endswith("budget") and text[-1] in "cw":
        size = _number(text[:-1])
        if size is None or size.denominator != 1 or not 1 <= size <= _LARGEST_BUDGET:
            raise UsageError(
                f"the budget of {name} is not a whole number of characters (1000c) or words (512w), from 1 "
                f"to {_LARGEST_BUDGET:,}."
            )
        return Budget(int(size), text[-1])
    value = _number(text)
    if definition.cutoff.endswith("recall"):
        if value is None or not 0 <= value <= 1:
            raise UsageError(f"the recall level of {name} is not a number from 0 to 1.")
        return value
    if value is None or value.denominator != 1 or not 1 <= value <= _LAST_RANK:
        raise UsageError(f"the rank of {name} is not a whole number from 1 to {_LAST_RANK:,}.")
    return int(value)


_LARGEST_BUDGET = 1_000_000_000
_LAST_RANK = 1_000_000  # nobody reads further; curves up to a rank are arrays of that length


def _number(text: str) -> Fraction | None:
    """Read a decimal number exactly."""
    return Fraction(text) if re.fullmatch(r"\d{1,18}(\.\d{0,18})?|\.\d{1,18}", text) else None


def _text(value: Value) -> str:
    """Write a value as `parse` reads it, decimals without trailing zeros."""
    if isinstance(value, Fraction):
        with localcontext(prec=60):  # exact: the value was read from at most 36 digits
            text = format(Decimal(value.numerator) / value.denominator, "f")
        return text.rstrip("0").rstrip(".") if "." in text else text
    return str(value)
