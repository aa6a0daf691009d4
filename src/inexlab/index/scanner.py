"""Documents in, tokens out: holds the tables of the scan, and asks expat where the scan gives up."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from xml.sax.saxutils import escape

import numpy as np
import numpy.typing as npt

from inexlab import xml_parser
from inexlab.errors import InputError
from inexlab.index.characters import character_tables
from inexlab.index.scan import INLINE, NO_ROOM, NOT_PLAIN, SKIPPED, UNIT, Bytes, Scan, scan
from inexlab.index.vocabulary import padded
from inexlab.tables import Codes

KINDS = {"unit": UNIT, "inline": INLINE, "skip": SKIPPED}
_LARGEST = 1 << 30  # bytes of a document, so that 32 bits count whatever is in it
_STEPS = 4  # of plain Python to a byte: what the scan costs where it is not compiled

# A head that expat would take, too: UTF-8, a document type without inner declarations.
# Quantifiers are possessive: what does not match is known at once.
_HEAD = re.compile(
    rb"""(?:\xef\xbb\xbf)?
    (?:<\?xml[ \t\n]++version[ \t\n]*+=[ \t\n]*+(?:"1\.0"|'1\.0')
       (?:[ \t\n]++encoding[ \t\n]*+=[ \t\n]*+(?:"(?i:utf-8)"|'(?i:utf-8)'))?+
       (?:[ \t\n]++standalone[ \t\n]*+=[ \t\n]*+(?:"(?:yes|no)"|'(?:yes|no)'))?+[ \t\n]*+\?>)?+
    (?:[ \t\n]|<!--(?:(?!--).)*+-->|<\?(?!(?i:xml))(?:(?!\?>).)*+\?>)*+
    (?:<!DOCTYPE[ \t\n]++[A-Za-z_:][A-Za-z0-9_.:\-]*+
       (?:[ \t\n]++(?:SYSTEM|PUBLIC[ \t\n]++(?:"[ \n\-a-zA-Z0-9'()+,./:=?;!*\#@$_%]*+"
                                            |'[ \n\-a-zA-Z0-9()+,./:=?;!*\#@$_%]*+'))
          [ \t\n]++(?:"[ !\#-~]*+"|'[ -&(-~]*+'))?+[ \t\n]*+>)?+
    (?:[ \t\n]|<!--(?:(?!--).)*+-->|<\?(?!(?i:xml))(?:(?!\?>).)*+\?>)*+
    <[A-Za-z_:]""",
    re.VERBOSE | re.DOTALL,
)


class Scanner:
    """Scans documents one after the other, with one table of tags."""

    def __init__(self, kinds: Mapping[str, str] | None = None) -> None:
        """`kinds` says which tags are inline or skipped; all others are units of retrieval."""
        self._kind_of = {tag: KINDS[kind] for tag, kind in (kinds or {}).items()}
        self.tags: list[str] = []
        self._word, _, self._classes = character_tables()
        self._make_tag_tables(1 << 11)
        self._buffers: list[npt.NDArray[Any]] = []
        self._room = -1

    @property
    def tag_kinds(self) -> Bytes:
        """What each tag is: UNIT, INLINE or SKIPPED."""
        return self._tag_kinds[: len(self.tags)]

    def scan(self, data: bytes, name: str) -> Scan:
        """Scan one document; raises InputError where it is not well-formed XML."""
        if len(data) > _LARGEST:
            raise InputError("is larger than 1 GiB", file=name, fix="Split it into documents.")
        found = self._fast(data, trusted=False) if _HEAD.match(data) else None
        if found is None:
            plainest = _plainest(data, name)
            if len(plainest) > _LARGEST:
                raise InputError("is larger than 1 GiB", file=name, fix="Split it into documents.")
            found = self._fast(plainest, trusted=True)
        if found is None:
            raise AssertionError(f"{name}: cannot scan what was just written")
        return found

    def _fast(self, data: bytes, *, trusted: bool) -> Scan | None:
        """Scan a document; None where it is not plain, which leaves no trace."""
        content = np.frombuffer(data, dtype=np.uint8)
        if data.startswith(b"\xef\xbb\xbf"):
            content = content[3:]
        if len(data) > self._room:
            self._make_buffers(len(data))
        while True:
            size, characters, count, tokens = self._run(content, trusted)
            if size == NO_ROOM:
                self._make_tag_tables(2 * len(self._tag_from))
            elif size == NOT_PLAIN:
                self._take_back_tags()
                return None
            elif not self._learn_tags():
                break
        text, tag, parent, start, end, first, token_count, token_from, token_to, leaf, *_ = self._buffers
        return Scan(
            text[:size],
            text,
            characters,
            tag[:count],
            parent[:count],
            start[:count],
            end[:count],
            first[:count],
            token_count[:count],
            token_from[:tokens],
            token_to[:tokens],
            leaf[:tokens],
        )

    def _run(self, content: Bytes, trusted: bool) -> tuple[int, int, int, int]:
        with np.errstate(over="ignore"):  # hashes run over, and plain Python would say so
            return scan.for_work(_STEPS * len(content))(
                content,
                self._word,
                self._classes,
                trusted,
                self._tag_slots,
                self._tag_from,
                self._tag_pool,
                self._tag_kinds,
                self._tag_count,
                *self._buffers,
            )

    def _learn_tags(self) -> bool:
        """Take note of the tags that the scan added; return whether it took one for what it is not."""
        known = len(self.tags)
        for code in range(known, int(self._tag_count[0])):
            name = self._tag_pool[self._tag_from[code] : self._tag_from[code + 1]].tobytes().decode()
            self.tags.append(name)
            self._tag_kinds[code] = self._kind_of.get(name, UNIT)
        return bool(self._tag_kinds[known : len(self.tags)].any())

    def _take_back_tags(self) -> None:
        """Forget the tags of a document that was given up."""
        if int(self._tag_count[0]) > len(self.tags):
            self._make_tag_tables(len(self._tag_from))

    def _make_tag_tables(self, room: int) -> None:
        """Make tables for tags, with those that are known."""
        self._tag_slots: Codes = np.full(4 * room, -1, dtype=np.int32)
        self._tag_from: Codes = np.zeros(room, dtype=np.int32)
        self._tag_pool: Bytes = np.zeros(64 * room, dtype=np.uint8)
        self._tag_kinds: Bytes = np.zeros(room, dtype=np.uint8)
        self._tag_count: Codes = np.array([len(self.tags)], dtype=np.int32)
        end = 0
        for code, tag in enumerate(self.tags):
            name = tag.encode()
            self._tag_pool[end : end + len(name)] = np.frombuffer(name, dtype=np.uint8)
            end += len(name)
            self._tag_from[code + 1] = end
            self._tag_kinds[code] = self._kind_of.get(tag, UNIT)
            slot = _slot(name) % len(self._tag_slots)
            while self._tag_slots[slot] >= 0:
                slot = (slot + 1) % len(self._tag_slots)
            self._tag_slots[slot] = code

    def _make_buffers(self, size: int) -> None:
        """Make the buffers large enough for the worst that a document of this size can hold."""
        self._room = size = size * 5 // 4
        elements = size // 4 + 2  # `<a/>`
        tokens = size // 2 + 8  # a letter and what is no letter
        small = np.int32
        self._buffers = [
            padded(size),
            *(np.empty(elements, dtype=small) for _ in range(6)),
            *(np.empty(tokens, dtype=small) for _ in range(3)),
            *(np.empty(elements, dtype=small) for _ in range(2)),
        ]


def _plainest(data: bytes, name: str) -> bytes:
    """Write a document again in the plainest form, without attributes, as expat sees it."""
    pieces: list[str] = []
    xml_parser.parse(
        data,
        name,
        start=lambda tag, _attributes: pieces.append(f"<{tag}>"),
        end=lambda tag: pieces.append(f"</{tag}>"),
        text=lambda characters: pieces.append(escape(characters, {"\r": "&#13;"})),
    )
    return "".join(pieces).encode()


def _slot(name: bytes) -> int:
    """Hash a name as the scan does."""
    hashed = 1469598103934665603
    for byte in name:
        hashed = ((hashed ^ byte) * 1099511628211) & 0xFFFFFFFFFFFFFFFF
    return hashed ^ (hashed >> 29)
