"""Documents in, tokens out: holds the tables of the scan, and asks the reader where the scan gives up."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from inexlab.collection.archives import need_room_for
from inexlab.collection.entities import Entities
from inexlab.collection.profile import kind_of_tag
from inexlab.collection.reader import Events, Reader, reader_of
from inexlab.errors import InputError
from inexlab.index.analysis.character_classes import character_classes
from inexlab.index.analysis.languages import language_of, numbers_of_tags
from inexlab.index.batch import Batch
from inexlab.index.bits import blocks_of, rooms
from inexlab.index.characters import byte_classes
from inexlab.index.scan import NO_ROOM, NOT_PLAIN, scan
from inexlab.index.tag_table import INLINE, SKIPPED, UNIT, Tags, forget_tags, rehash_tags
from inexlab.tables import SECRET, Bytes, Codes, Ints

KINDS = {"unit": UNIT, "inline": INLINE, "skip": SKIPPED}
_TAG_BYTES = 64  # for which there is room, to a tag
_MOST_TAGS = 1 << 24  # that a table may be made for: 32 bits count the bytes of them
_TAG_STEPS = 20  # of plain Python to a tag
_STEPS = 8  # of plain Python to a byte: what the scan costs where it is not compiled

# A head that expat would take, too: UTF-8, a document type without inner declarations, also white
# space, comments and processing instructions. Quantifiers are possessive: what does not match is known soon.
_NAME = rb"[A-Za-z_:][A-Za-z0-9_.:\-]*+"
_MISC = (
    rb"(?:[ \t\n]|<!--(?:(?!--).)*+-->|<\?(?!(?i:xml)[ \t\n?])%(name)s(?:[ \t\n](?:(?!\?>).)*+)?+\?>)*+"
) % {b"name": _NAME}
_HEAD = re.compile(
    rb"""(?:\xef\xbb\xbf)?
    (?:<\?xml[ \t\n]++version[ \t\n]*+=[ \t\n]*+(?:"1\.0"|'1\.0')
       (?:[ \t\n]++encoding[ \t\n]*+=[ \t\n]*+(?:"(?i:utf-8)"|'(?i:utf-8)'))?+
       (?:[ \t\n]++standalone[ \t\n]*+=[ \t\n]*+(?:"(?:yes|no)"|'(?:yes|no)'))?+[ \t\n]*+\?>)?+
    %(misc)s
    (?:<!DOCTYPE[ \t\n]++%(name)s
       (?:[ \t\n]++(?:SYSTEM|PUBLIC[ \t\n]++(?:"[ \n\-a-zA-Z0-9'()+,./:=?;!*\#@$_%%]*+"
                                            |'[ \n\-a-zA-Z0-9()+,./:=?;!*\#@$_%%]*+'))
          [ \t\n]++(?:"[ !\#-~]*+"|'[ -&(-~]*+'))?+[ \t\n]*+>)?+
    %(misc)s
    <[A-Za-z_:]"""
    % {b"name": _NAME, b"misc": _MISC},
    re.VERBOSE | re.DOTALL,
)


class Plainest(bytes):
    """A document in XML without comments and the like, which is known to be well-formed.

    It has no attributes but `xml:lang`.
    """


class Scanner:
    """Scans documents one after the other, with one table of tags."""

    def __init__(self, kinds: Mapping[str, str] | None = None, entities: Entities | None = None) -> None:
        """`kinds` says which tags are inline or skipped; all others are units of retrieval."""
        self._entities = entities or Entities()
        self._kind_of = {tag: KINDS[kind] for tag, kind in (kinds or {}).items()}
        self.tags: list[str] = []
        self._kinds, self._languages, self._classes = character_classes(), numbers_of_tags(), byte_classes()
        self._tag_tables = self._make_tag_tables(1 << 9)
        self._room, self._bits = rooms(0)

    @property
    def tag_kinds(self) -> Bytes:
        """What each tag is: UNIT, INLINE or SKIPPED."""
        return self._tag_kinds[: len(self.tags)]

    def scan(self, data: bytes, name: str, batch: Batch) -> None:
        """Add a document to a batch; raises InputError if it cannot be read."""
        need_room_for(len(data), name)
        plainest = data
        if not isinstance(data, Plainest):
            reader = reader_of(name, data)
            if reader.name == "xml" and _HEAD.match(data) and self._fast(data, name, batch, trusted=False):
                return
            plainest = _plainest(data, name, reader, self._entities)
        need_room_for(len(plainest), name)
        if not self._fast(plainest, name, batch, trusted=True):
            raise AssertionError(f"{name}: cannot scan what was just written")

    def _fast(self, data: bytes, name: str, batch: Batch, *, trusted: bool) -> bool:
        """Scan a document; False if it is not plain, which leaves no trace."""
        begin = 3 if data.startswith(b"\xef\xbb\xbf") else 0
        content = np.frombuffer(data, dtype=np.uint8, offset=begin)
        size = len(content)
        batch.make_room(size)
        if blocks_of(size) * 64 > len(self._room):
            self._room, self._bits = rooms(size * 5 // 4)
        with np.errstate(over="ignore"):  # bits run over, and plain Python would say so
            while True:
                filled = batch.filled.copy()
                result = self._run(content, batch, filled, trusted)
                if result == NO_ROOM:
                    self._grow_tag_tables(name)
                elif result == NOT_PLAIN:
                    self._take_back_tags()
                    return False
                elif not self._learn_tags():
                    batch.complete(size, filled)
                    return True

    def _run(self, content: Bytes, batch: Batch, filled: Ints, trusted: bool) -> int:
        return scan.for_work(_STEPS * len(content))(
            content,
            self._room,
            self._bits,
            self._kinds,
            self._languages,
            self._classes,
            trusted,
            self._tag_tables,
            batch.forest,
            filled,
        )

    def _learn_tags(self) -> bool:
        """Record the tags that the scan added; return whether it took one for what it is not."""
        known, count = len(self.tags), int(self._tag_count[0])
        if known == count:
            return False
        for code in range(known, count):
            name = self._tag_pool[self._tag_from[code] : self._tag_from[code + 1]].tobytes().decode()
            self.tags.append(name)
            self._tag_kinds[code] = kind_of_tag(name, self._kind_of, UNIT)
        return bool(self._tag_kinds[known : len(self.tags)].any())

    def _take_back_tags(self) -> None:
        """Forget the tags of a document that was given up."""
        new = int(self._tag_count[0]) - len(self.tags)
        if new:
            forget_tags.for_work(_TAG_STEPS * new)(self._tag_tables, len(self.tags))

    def _make_tag_tables(self, room: int) -> Tags:
        """Make empty tables for tags."""
        self._tag_from: Codes = np.zeros(room, dtype=np.int32)
        self._tag_pool: Bytes = np.zeros(_TAG_BYTES * room, dtype=np.uint8)
        self._tag_kinds: Bytes = np.zeros(room, dtype=np.uint8)
        self._tag_count: Codes = np.zeros(1, dtype=np.int32)
        return (
            np.full(4 * room, -1, dtype=np.int32),
            np.zeros((room, 2), dtype=np.uint64),
            self._tag_from,
            self._tag_pool,
            self._tag_kinds,
            self._tag_count,
            SECRET,
        )

    def _grow_tag_tables(self, name: str) -> None:
        """Make tables for twice as many tags, with those that are known."""
        room = 2 * len(self._tag_from)
        self._take_back_tags()
        if room > _MOST_TAGS:
            raise InputError(
                f"has too many different tags: with those before, more than {_MOST_TAGS // 2:,}, or "
                f"{_TAG_BYTES * _MOST_TAGS // 2:,} bytes of them",
                file=name,
                fix="Check that it is a document.",
            )
        before = self._tag_tables
        self._tag_tables = self._make_tag_tables(room)
        rehash_tags.for_work(_TAG_STEPS * len(self.tags))(before, self._tag_tables)


def _plainest(data: bytes, name: str, reader: Reader, entities: Entities) -> Plainest:
    """Write a document in the plainest XML, as its reader sees it."""
    from xml.sax.saxutils import escape  # loads what reads from the web, which a search does without

    pieces: list[str] = []

    def speak(tag: str) -> None:
        pieces[-1] = f'{pieces[-1][:-1]} xml:lang="{language_of(tag)}">'

    events = Events(
        start=lambda tag: pieces.append(f"<{tag}>"),
        end=lambda tag: pieces.append(f"</{tag}>"),
        text=lambda characters: pieces.append(escape(characters, {"\r": "&#13;"})),
        language=speak,
    )
    reader.read(data, name, events, entities)
    return Plainest("".join(pieces).encode())
