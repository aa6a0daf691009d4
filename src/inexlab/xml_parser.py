"""XML in, safely: the one way any part of inexlab parses XML, and what can be written as XML.

expat does the work, with nothing fetched: no external entity, no DTD, no network. Entity bombs are
stopped by expat's own limit on amplification, and by an absolute one on what entities add. Encodings that
expat does not know (Shift_JIS, GB18030, UTF-32, EBCDIC, …) are decoded by Python first, so that any encoding
XML allows is read.

A reference to an entity that only an external DTD declares (`&eacute;` in the IEEE collection of INEX)
counts as one character: the one that the name stands for in the standard sets, else U+FFFD. Whoever reads
documents can say what other names stand for: such declarations are given to expat as if they were in the
document's DTD, so that replacements with mark-up are parsed, within expat's limits.
"""

from __future__ import annotations

import codecs
import html.entities
import itertools
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol
from xml.parsers import expat

from inexlab.errors import InputError

Attributes = dict[str, str]
MOST_FROM_ENTITIES = 1 << 26  # characters of a document that entities add

_EXPAT_KNOWS = {"utf-8", "us-ascii", "ascii", "iso-8859-1", "latin-1", "utf-16"}
_DECLARED = re.compile(rb"""<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z][A-Za-z0-9._\-]*)["']""")
_FOUR_BYTE_MARKS = ((codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"))
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_UNMARKED_STARTS = (
    (b"<\0\0\0", "utf-32-le"),
    (b"\0\0\0<", "utf-32-be"),
    (b"<\0?\0", "utf-16-le"),
    (b"\0<\0?", "utf-16-be"),
)
_EBCDIC = b"\x4c\x6f\xa7\x94"  # `<?xm` in every EBCDIC code page
_REFERENCE = re.compile(rb"&([^\s&;#<>'\"]+);")
_PREDEFINED = frozenset((b"lt", b"gt", b"amp", b"apos", b"quot"))


class EntitySource(Protocol):
    """What names of entities stand for that a document does not declare itself."""

    def declarations(self, names: Iterable[str], /) -> bytes:
        """Return declarations, as a DTD has them, of what is known of some names."""

    def unknown(self, name: str, /, external: bool) -> str | None:
        """Return what stands for a name without a declaration, None to refuse the document.

        `external` says that a DTD may declare it that is not read.
        """


def parse(
    data: bytes | Iterable[bytes],
    name: str,
    *,
    start: Callable[[str, Attributes], object],
    end: Callable[[str], object],
    text: Callable[[str], object],
    watch: Callable[[Callable[[], int]], object] | None = None,
    entities: EntitySource | None = None,
) -> None:
    """Parse one document and call `start(tag, attributes)`, `end(tag)`, `text(characters)` as it goes.

    The document may come in pieces. `watch` is given a function that tells the current line, for the
    reader's own error messages. `entities` are those that the document may refer to without declaring them.
    Raises InputError with file and line where the document is not well-formed.
    """
    for _piece in parsing(data, name, start=start, end=end, text=text, watch=watch, entities=entities):
        pass


def parsing(
    data: bytes | Iterable[bytes],
    name: str,
    *,
    start: Callable[[str, Attributes], object],
    end: Callable[[str], object],
    text: Callable[[str], object],
    watch: Callable[[Callable[[], int]], object] | None = None,
    entities: EntitySource | None = None,
) -> Iterator[None]:
    """Do as `parse` does, and yield after every piece, so that what it gave rise to can be passed on."""
    pieces, encoding = _readable([data] if isinstance(data, bytes) else data, name)
    parser = expat.ParserCreate(encoding)
    parser.buffer_text = True
    parser.buffer_size = 1 << 16
    parser.specified_attributes = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text
    # expat splits text at a skipped entity; the handler runs in document order, so the text stays whole.
    parser.SkippedEntityHandler = lambda entity, is_parameter: (
        None if is_parameter else text(_stand_in(entity))
    )
    fed = [0]  # bytes given to expat
    parser.EntityDeclHandler = lambda *_: _limit(parser, name, start, text, fed)
    if watch is not None:
        watch(lambda: parser.CurrentLineNumber)
    if entities is not None and isinstance(data, bytes) and (names := _references(data)):
        _declare(parser, entities, names, name, text)
    try:
        for piece in pieces:
            fed[0] += len(piece)
            parser.Parse(piece, False)
            yield
        parser.Parse(b"", True)
        yield
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code).removeprefix("not well-formed ").strip("()")
        fix = "The file may be truncated." if error.code == _NO_ELEMENTS or "unclosed" in reason else ""
        raise InputError(f"not well-formed XML ({reason})", file=name, line=error.lineno, fix=fix) from None
    except (LookupError, ValueError) as error:
        raise InputError(f"cannot be decoded ({error})", file=name) from None


def _limit(
    parser: expat.XMLParserType,
    name: str,
    start: Callable[[str, Attributes], object],
    text: Callable[[str], object],
    fed: list[int],
) -> None:
    """Count the characters that a document with entities stands for: they are its own, and some more."""
    parser.EntityDeclHandler = None
    characters = 0

    def count(more: int) -> None:
        nonlocal characters
        characters += more
        if characters > fed[0] + MOST_FROM_ENTITIES:
            raise InputError(
                f"its entities expand to more than {MOST_FROM_ENTITIES:,} characters",
                file=name,
                line=parser.CurrentLineNumber,
                fix="Check that it is a document.",
            )

    def counted_start(tag: str, attributes: Attributes) -> None:
        count(len(tag) + sum(map(len, attributes.values())))
        start(tag, attributes)

    def counted_text(characters: str) -> None:
        count(len(characters))
        text(characters)

    parser.StartElementHandler = counted_start
    parser.CharacterDataHandler = counted_text


def beginning(data: bytes) -> str:
    """Return the first characters of a document, for finding out what it is."""
    head = data[:65536]
    encoding = _foreign_encoding(head) or ("utf-16" if head[:2] in _UTF16_MARKS else "utf-8")
    try:
        return head.decode(encoding, errors="ignore")
    except (LookupError, UnicodeError):  # the parser will say so
        return head.decode("latin-1")


def is_ascii(data: bytes) -> bool:
    """Whether every byte of a document is the character that ASCII says, whatever encoding it declares."""
    return data.isascii() and _foreign_encoding(data) is None


def text_of(data: bytes, name: str) -> str:
    """Return the characters of a file in any encoding that XML allows, for one that is not a document."""
    encoding = _foreign_encoding(data) or ("utf-16" if data[:2] in _UTF16_MARKS else None)
    declared = _DECLARED.match(data[:256])
    encoding = encoding or (declared[1].decode() if declared else "utf-8")
    try:
        return data.decode(encoding).removeprefix("\ufeff")
    except (LookupError, UnicodeError) as error:
        raise InputError(f"is not {encoding} ({error})", file=name, fix="Correct its encoding.") from None


def _references(data: bytes) -> set[str]:
    """Return the names of the entities that a document refers to, but for those of XML itself."""
    if data[:2] in _UTF16_MARKS or b"\0" in data[:4]:
        data = data.replace(b"\0", b"")  # names as they would be in ASCII
    return {found.decode(errors="replace") for found in set(_REFERENCE.findall(data)) - _PREDEFINED}


def _declare(
    parser: expat.XMLParserType,
    entities: EntitySource,
    names: set[str],
    file: str,
    text: Callable[[str], object],
) -> None:
    """Let a parser take declarations for part of the document's DTD, and ask what nobody declares."""
    own_dtd: list[str | None] = []  # the document's external DTD, if it has one

    def doctype(_name: str, system: str | None, _public: str | None, _internal: bool) -> None:
        own_dtd[:] = [system] if system is not None else []

    def subset(context: str | None, _base: str | None, system: str | None, _public: str | None) -> int:
        if context is None and system in (None, *own_dtd):  # no other file is read
            inner = parser.ExternalEntityParserCreate(context, "utf-8")
            inner.Parse(entities.declarations(names), True)
        return 1

    def skipped(entity: str, is_parameter: bool) -> None:
        if is_parameter:
            return
        stands = entities.unknown(entity, external=bool(own_dtd))
        if stands is None:
            raise unknown_entity(entity, file, parser.CurrentLineNumber)
        text(stands)

    parser.UseForeignDTD(True)
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_ALWAYS)
    parser.StartDoctypeDeclHandler = doctype
    parser.ExternalEntityRefHandler = subset
    parser.SkippedEntityHandler = skipped


def unknown_entity(entity: str, file: str, line: int) -> InputError:
    """Return the error for a reference to an undeclared entity."""
    return InputError(
        f"the entity &{entity}; is not declared",
        file=file,
        line=line,
        fix="Name the file that declares it with `entities=FILE`, or leave such references out with "
        "`entities=drop`.",
    )


_NO_ELEMENTS = expat.errors.codes[expat.errors.XML_ERROR_NO_ELEMENTS]


def _stand_in(entity: str) -> str:
    return html.entities.html5.get(f"{entity};", "\ufffd")[:1]


def _readable(pieces: Iterable[bytes], name: str) -> tuple[Iterable[bytes], str | None]:
    """Return the document as bytes that expat can read, and the encoding to impose on it, if any."""
    rest = iter(pieces)
    first = next(rest, b"")
    encoding = _foreign_encoding(first)
    whole = itertools.chain([first], rest)
    if encoding is None:
        return whole, None
    try:
        b"<a/>".decode(encoding)
    except LookupError:
        fix = "Correct the encoding in the XML declaration."
        raise InputError(f"declares the unknown encoding {encoding!r}", file=name, line=1, fix=fix) from None
    except UnicodeError:
        pass  # it is known, and four bytes are not enough to be anything in it
    return _decoded(whole, encoding, name), "utf-8"


def _decoded(pieces: Iterable[bytes], encoding: str, name: str) -> Iterator[bytes]:
    """Yield in UTF-8, without a byte-order mark, what comes in an encoding that expat does not know."""
    line, mark = 1, "\ufeff"
    decoder = codecs.getincrementaldecoder(encoding)()
    piece = b""
    try:
        for piece in pieces:
            decoded = decoder.decode(piece).lstrip(mark)
            mark = "" if decoded else mark
            yield decoded.encode()
            line += decoded.count("\n")
        piece = b""
        yield decoder.decode(b"", final=True).encode()
    except UnicodeError as error:
        line += piece.count(b"\n", 0, getattr(error, "start", 0))
        reason = getattr(error, "reason", "it cannot be decoded")
        fix = "Correct the encoding in the XML declaration."
        raise InputError(
            f"is not {encoding} as it declares ({reason})", file=name, line=line, fix=fix
        ) from None


def _foreign_encoding(data: bytes) -> str | None:
    """Return the encoding that Python has to decode, or None if expat reads the document itself."""
    for mark, encoding in _FOUR_BYTE_MARKS:
        if data.startswith(mark):
            return encoding
    if data.startswith(_UTF16_MARKS):
        return None
    if data.startswith(codecs.BOM_UTF8):  # it says more than a declaration could
        return "utf-8-sig"
    for beginning, encoding in _UNMARKED_STARTS:
        if data.startswith(beginning):
            return encoding
    head = data[:256]
    if data.startswith(_EBCDIC):
        head = head.decode("cp037", errors="replace").encode("ascii", errors="replace")
    declared = _DECLARED.match(head)
    if declared is None:
        return "cp037" if data.startswith(_EBCDIC) else None
    encoding = declared[1].decode()
    return None if encoding.lower() in _EXPAT_KNOWS else encoding


_NOT_XML = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\ud800-\\udfff\\ufffe\\uffff]")


def fit_for_xml(kind: str, names: Iterable[str], file: str) -> list[str]:
    """Return names that are to be written as XML, or refuse one that would not be read as it is."""
    checked = list(names)
    for name in checked:
        if not name or name != name.strip() or _NOT_XML.search(name):
            raise InputError(
                f"{kind} {name!r} is empty, begins or ends with white space, or has a control character "
                "in it, which XML cannot hold",
                file=file,
                fix="Rename it, or choose the format jsonl.",
            )
    return checked
