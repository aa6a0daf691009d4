"""Kinds of documents: how a file is recognised, and how it becomes canonical text and elements.

A reader is one file in `readers`. It says by which name or first bytes it knows its documents, and tells what
is in one as events: an element begins, an element ends, some characters. Canonical text and element table are
made of these events in one place, so that all kinds of documents look the same afterwards.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from inexlab.collection.entities import Entities
from inexlab.errors import InputError
from inexlab.files import encoding_mark, need_text
from inexlab.registry import Registry

HEAD = 4096  # bytes that are enough to recognise a document

_GZIPPED = ".gz"
_BEYOND_XML = {0xFFFE: "\ufffd", 0xFFFF: "\ufffd"}


class Events(NamedTuple):
    """What a reader calls while it goes through a document, in document order.

    `language` is called right after the start of an element that says which language it is in.
    """

    start: Callable[[str], object]
    end: Callable[[str], object]
    text: Callable[[str], object]
    language: Callable[[str], object] = lambda _tag: None


@dataclass(frozen=True)
class Reader:
    """One kind of documents.

    `extensions` are those by which a file is known without a look into it; `recognise` looks at the first
    bytes of any other file, which come with its extension. `read` tells what is in a document (content, name
    for messages, entities that other files declare) to the events, and raises InputError if it cannot be
    read. Where `keeps_source`, the canonical text is the text of the file, with this tag as its root.
    """

    name: str
    title: str
    extensions: tuple[str, ...]
    recognise: Callable[[bytes, str], bool]
    read: Callable[[bytes, str, Events, Entities], None]
    keeps_source: str = ""


document_readers: Registry[Reader] = Registry("kind of document", "inexlab.collection.readers")


def extension(name: str) -> str:
    """Return the extension of a file's name, in lower case, whether or not the file is gzipped.

    >>> extension("a.b/Guide.XML.gz"), extension("README")
    ('.xml', '')
    """
    return _extension_of(name[name.rfind("/") + 1 :])


@functools.lru_cache(16)  # the same file is asked about several times, one after the other
def _extension_of(file: str) -> str:
    return file[_extension_at(file) :].lower().removesuffix(_GZIPPED)


def without_extension(name: str) -> str:
    """Return a file's name or path without its extension.

    >>> without_extension("an/v1.5.xml.gz"), without_extension("an.old/README")
    ('an/v1.5', 'an.old/README')
    """
    at = name.rfind("/") + 1
    return name[: at + _extension_at(name[at:])]


def _extension_at(file: str) -> int:
    """Return where a file's name has its extension; `.gz` goes with it, or is all of it."""
    end = len(file) - len(_GZIPPED) if file[-len(_GZIPPED) :].lower() == _GZIPPED else len(file)
    at = file.rfind(".", 0, end)
    # an extension has a name before it, and some characters
    return at if 0 < at < end - 1 and "\\" not in file[at:end] else end


def reader_by_name(name: str) -> Reader | None:
    """Return the reader for a file with such a name, None if only a look into it can tell."""
    ending = extension(name)
    for reader in document_readers.values():  # asked of every file, and a generator takes longer
        if ending in reader.extensions:
            return reader
    return None


def recognise(name: str, head: bytes) -> Reader | None:
    """Return the reader for a file with such a name and such first bytes, None if it is not a document."""
    by_name = reader_by_name(name)
    if by_name is not None:
        return by_name
    ending = extension(name)
    return next((reader for reader in document_readers.values() if reader.recognise(head, ending)), None)


def reader_of(name: str, data: bytes) -> Reader:
    """Return the reader for a document, which is taken for XML where nothing tells what it is."""
    return recognise(name, data[:HEAD]) or document_readers["xml"]


def decoded(data: bytes, name: str) -> str:
    """Return the characters of a text without mark-up: in UTF-8 or as its first bytes say, else Windows-1252.

    A byte-order mark is not part of the text. What no text may hold (U+FFFE and U+FFFF) becomes U+FFFD.
    """
    encoding = encoding_mark(data)
    if encoding is None:
        need_text(data, name)
        try:
            text = data.decode()
        except UnicodeDecodeError:
            text = data.decode("cp1252", errors="replace")
    else:
        try:
            text = data.decode(encoding).removeprefix("\ufeff")
        except UnicodeDecodeError as error:
            what = f"begins like {encoding} but is not ({error.reason})"
            raise InputError(what, file=name, fix="Download or create it again.") from None
    return possible(text)


def possible(text: str) -> str:
    """Return a text without the two code points that are not characters anywhere."""
    return text.translate(_BEYOND_XML) if "\ufffe" in text or "\uffff" in text else text


class TaggedSpan(NamedTuple):
    """An element of a text that is kept as it is: where it begins and ends."""

    start: int
    end: int
    tag: str


def send_events(text: str, parts: Iterable[TaggedSpan], events: Events) -> None:
    """Tell of a text and the elements in it, which come in document order, each before those inside it."""
    at = 0
    inside: list[TaggedSpan] = []
    for part in parts:
        while inside and inside[-1].end <= part.start:
            at = _leave(text, inside.pop(), at, events)
        if at < part.start:
            events.text(text[at : part.start])
            at = part.start
        events.start(part.tag)
        inside.append(part)
    while inside:
        at = _leave(text, inside.pop(), at, events)


def _leave(text: str, part: TaggedSpan, at: int, events: Events) -> int:
    if at < part.end:
        events.text(text[at : part.end])
    events.end(part.tag)
    return max(at, part.end)
