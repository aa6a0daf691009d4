"""Entities that documents refer to and other files declare.

Declarations come in the form of document types (`<!ENTITY name "…">`, with parameter entities inside the same
file) or in that of php's manual (`<entities><entity name="…">…</entity></entities>`). A replacement may hold
mark-up. Nothing outside the files is read. A cycle, or a name that stands for more than a million characters,
is refused when the file is read; expat's own limit holds when documents are.

Names of HTML and of the ISO sets are known without a declaration.
"""

from __future__ import annotations

import contextlib
import functools
import html.entities
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from inexlab import xml_parser
from inexlab.errors import InputError, printable
from inexlab.files import read_bytes
from inexlab.wording import counted

LARGEST = 1_000_000  # characters that a name may stand for
_REFERENCE = re.compile(r"&([^\s&;#<>'\"]+);")
_PREDEFINED = frozenset(("lt", "gt", "amp", "apos", "quot"))
_PHP = re.compile(rb"(?:\s|<!--(?:(?!-->).)*+-->|<\?(?:(?!\?>).)*+\?>)*+<entities[\s>]", re.DOTALL)
_DECLARATION = re.compile(r"\s*<\?xml\s[^>]*\?>")

Declared = dict[str, str]


@dataclass
class Entities:
    """What names stand for.

    `declared` come first; `more` is asked for others, and notes about them, when a name is not among these.
    Where `drop`, references to names that are not declared are left out of the text, and counted.
    """

    declared: Declared = field(default_factory=dict)
    drop: bool = False
    more: Callable[[], tuple[Declared, list[str]]] | None = None
    dropped: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)

    def value(self, name: str) -> str | None:
        """Return the replacement of a name, which may hold mark-up and references; None if undeclared."""
        if name in self.declared:
            return self.declared[name]
        if name in _PREDEFINED or character_of(name) is not None or self.more is None:
            return None
        (found, notes), self.more = self.more(), None
        self.notes += notes
        # what has a name of its own keeps it, whenever the others came to be known
        self.declared = {n: v for n, v in found.items() if character_of(n) is None} | self.declared
        return self.declared.get(name)

    def needed(self, names: Iterable[str]) -> Declared:
        """Return what is declared of some names, and of those that their replacements refer to."""
        found: Declared = {}
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name not in found and (value := self.value(name)) is not None:
                found[name] = value
                waiting += _REFERENCE.findall(value)
        return found

    def declarations(self, names: Iterable[str]) -> bytes:
        """Return declarations of what is needed for some names, as a document type has them."""
        lines = (f'<!ENTITY {name} "{_literal(value)}">' for name, value in self.needed(names).items())
        return "\n".join(lines).encode()

    def unknown(self, name: str, external: bool) -> str | None:
        """Return what stands for a reference to an undeclared name; None if that is an error.

        `external` says that a document type may declare it that is not read.
        """
        if (character := character_of(name)) is not None:
            return character
        if self.drop:
            self.dropped[name] += 1
            return ""
        return "\ufffd" if external else None


def given_entities(given: Sequence[str | Path]) -> Entities:
    """Return the entities that some files declare; `drop` among them leaves out what nobody declares."""
    files = [name for name in map(str, given) if name != "drop"]
    return Entities(combined([(name, read_bytes(name)) for name in files]), drop=len(files) < len(given))


_in_use: ContextVar[Entities | None] = ContextVar("entities", default=None)


def entities_in_use() -> Entities:
    """Return the entities that documents may refer to, unless others are given: none but their own."""
    return _in_use.get() or Entities()


@contextlib.contextmanager
def using_entities(entities: Entities) -> Iterator[None]:
    """Let documents of collections that are opened now refer to entities."""
    before = _in_use.set(entities)
    try:
        yield
    finally:
        _in_use.reset(before)


def dropped_notes(dropped: Counter[str]) -> list[str]:
    """Say which references were left out, if any, the most frequent names first."""
    if not dropped:
        return []
    shown = ", ".join(f"&{name}; {times:,}" for name, times in dropped.most_common(_NAMED))
    shown += ", …" if len(dropped) > _NAMED else ""
    count = counted(dropped.total(), "reference")
    return [f"note: {count} to undeclared entities left out: {shown}"]


_NAMED = 20  # names of entities that are listed one by one


def read_entities(data: bytes, name: str) -> Declared:
    """Read the declarations of a file, and refuse what no document could use safely."""
    found = _from_php(data, name) if _PHP.match(data.removeprefix(b"\xef\xbb\xbf")) else _from_dtd(data, name)
    _check_sizes(found, name)
    return found


def _literal(value: str) -> str:
    """Return a replacement as it has to be written to be read as it is."""
    return value.replace("&", "&#38;").replace("%", "&#37;").replace('"', "&#34;")


def _from_dtd(data: bytes, name: str) -> Declared:
    found: Declared = {}
    problems: list[InputError] = []
    text = xml_parser.text_of(data, name)
    body = _DECLARATION.sub("", text, count=1)

    def declare(
        entity: str, is_parameter: bool, value: str | None, _base: object, system: str | None, *_rest: object
    ) -> None:
        if value is None:
            problems.append(
                InputError(
                    f"the entity {entity!r} is another file ({system})",
                    file=name,
                    fix="Only what a file itself declares is read: give the other file as well.",
                )
            )
        elif not is_parameter:
            found.setdefault(entity, value)

    parser = expat.ParserCreate()
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_ALWAYS)
    parser.EntityDeclHandler = declare

    def subset(context: str | None, _base: str | None, system: str | None, _public: str | None) -> int:
        if system == "declarations":
            parser.ExternalEntityParserCreate(context, "utf-8").Parse(body.encode(), True)
        return 1

    parser.ExternalEntityRefHandler = subset
    try:
        parser.Parse(b'<!DOCTYPE x SYSTEM "declarations"><x/>', True)
    except expat.ExpatError as error:
        if problems:
            raise problems[0] from None
        reason = expat.ErrorString(error.code)
        fix = 'Write <!ENTITY name "text">, or <entities><entity name="…">…</entity></entities>.'
        raise InputError(f"cannot be read as declarations ({reason})", file=name, fix=fix) from None
    if problems:
        raise problems[0]
    return found


def _from_php(data: bytes, name: str) -> Declared:
    from xml.sax.saxutils import (
        escape,
        quoteattr,
    )  # loads what reads from the web, which a search does without

    found: Declared = {}
    pieces: list[str] = []
    current: list[str] = []  # the entity that is being read, and the elements that are open in it
    depth = 0

    def start(tag: str, attributes: xml_parser.Attributes) -> None:
        nonlocal depth
        depth += 1
        if depth == 2 and tag == "entity":
            if not (entity := attributes.get("name")):
                raise InputError(
                    "an entity has no name", file=name, line=line(), fix='Write <entity name="…">.'
                )
            current.append(entity)
            pieces.clear()
        elif current:
            given = "".join(f" {key}={quoteattr(value)}" for key, value in attributes.items())
            pieces.append(f"<{tag}{given}>")

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        if depth == 1 and current:
            found.setdefault(current.pop(), "".join(pieces))
        elif current:
            pieces.append(f"</{tag}>")

    def text(characters: str) -> None:
        if current:
            pieces.append(escape(characters))

    def reference(entity: str) -> None:
        if current:
            pieces.append(f"&{entity};")

    line: Callable[[], int] = lambda: 0  # noqa: E731 - replaced at once

    def watch(tell: Callable[[], int]) -> None:
        nonlocal line
        line = tell

    xml_parser.parse(
        data, name, start=start, end=end, text=text, watch=watch, entities=_References(reference)
    )
    return found


class _References:
    """Entities in a file of entities: references stay what they are."""

    def __init__(self, tell: Callable[[str], object]) -> None:
        self._tell = tell

    def declarations(self, _names: Iterable[str]) -> bytes:
        return b""

    def unknown(self, name: str, external: bool) -> str:  # noqa: ARG002 - the same wherever it is declared
        self._tell(name)
        return ""


def _check_sizes(found: Declared, name: str) -> None:
    """Refuse cycles, and names that stand for too much."""
    sizes: dict[str, int] = {}
    for first in found:
        waiting = [first]
        above: list[str] = []  # from the first name down to the one that is looked at
        while waiting:
            entity = waiting[-1]
            inner = [other for other in _REFERENCE.findall(found[entity]) if other in found]
            missing = [other for other in inner if other not in sizes]
            if entity in sizes:
                waiting.pop()
            elif missing and (not above or above[-1] != entity):
                above.append(entity)
                if set(missing) & set(above):
                    loop = next(other for other in missing if other in above)
                    raise _refused(name, loop, "refers to itself, directly or through others")
                waiting += missing
            else:
                sizes[entity] = len(found[entity]) + sum(sizes[other] for other in inner)
                if sizes[entity] > LARGEST:
                    raise _refused(name, entity, f"expands to more than {LARGEST:,} characters")
                if above and above[-1] == entity:
                    above.pop()
                waiting.pop()


def _refused(name: str, entity: str, what: str) -> InputError:
    return InputError(f"the entity {printable(entity)!r} {what}", file=name, fix="Correct its declaration.")


def character_of(name: str) -> str | None:
    """Return the character that a name stands for in HTML or in an ISO set, None if it is in none."""
    return html.entities.html5.get(f"{name};", "")[:1] or iso_names().get(name)


@functools.cache
def iso_names() -> dict[str, str]:
    """Return the names of ISO 8879's Greek sets, which HTML does not have."""
    letters = zip(_GREEK.split(), "αβγδεζηθικλμνξοπρςστυφχψω", strict=True)
    names = {f"{name}gr": letter for name, letter in letters}
    names |= {f"{n[:-2].upper()}gr": c.upper() for n, c in names.items() if c != "ς"}
    accented = zip(_ACCENTED.split(), "άέήίόύώϊϋΐΰ", strict=True)
    names |= {f"{name}gr": letter for name, letter in accented}
    capital = zip(_CAPITAL_ACCENTED.split(), "ΆΈΉΊΌΎΏΪΫ", strict=True)
    names |= {f"{name}gr": letter for name, letter in capital}
    for name in _BOLD.split():
        case = "CAPITAL" if name[0].isupper() else "SMALL"
        names[f"b.{name}"] = unicodedata.lookup(f"MATHEMATICAL BOLD {case} {_LONG.get(name, name).upper()}")
    return names


_GREEK = "a b g d e z ee th i k l m n x o p r sf s t u ph kh ps oh"
_ACCENTED = "aac eac eeac iac oac uac ohac idi udi idia udia"
_BOLD = (
    "alpha beta gamma Gamma delta Delta epsi zeta eta thetas Theta iota kappa lambda Lambda mu nu xi Xi pi "
    "Pi rho sigma Sigma tau upsi Upsi phis Phi chi psi Psi omega Omega"
)
_LONG = {"epsi": "epsilon", "thetas": "theta", "upsi": "upsilon", "Upsi": "upsilon", "phis": "phi"} | {
    "lambda": "lamda",
    "Lambda": "lamda",  # as Unicode spells it
}
_CAPITAL_ACCENTED = "Aac Eac EEac Iac Oac Uac OHac Idi Udi"


def combined(files: Sequence[tuple[str, bytes]]) -> Declared:
    """Return the declarations of several files; of a name that several declare, the first counts."""
    found: Declared = {}
    for name, data in files:
        found = read_entities(data, name) | found
    # what refers to a name of another file may be a cycle, too
    if len(files) > 1:
        _check_sizes(found, files[-1][0])
    return found
