"""Documents in, tokens out: holds the tables that the scan needs, and falls back to expat where it gives up."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from xml.sax.saxutils import escape

import numpy as np
import numpy.typing as npt

from inexlab import xml_parser
from inexlab.index.scan import (
    INLINE,
    NEW_TAG,
    NOT_PLAIN,
    SKIPPED,
    UNIT,
    Bytes,
    Scan,
    character_tables,
    scan,
)
from inexlab.tables import Codes, Ints

KINDS = {"unit": UNIT, "inline": INLINE, "skip": SKIPPED}

# a head that expat would take, too: a declaration of UTF-8 or none, a document type without inner declarations
_HEAD = re.compile(
    rb"""(?:\xef\xbb\xbf)?
    (?:<\?xml[ \t\n]+version[ \t\n]*=[ \t\n]*(?:"1\.[0-9]+"|'1\.[0-9]+')
       (?:[ \t\n]+encoding[ \t\n]*=[ \t\n]*(?:"(?:utf-8|us-ascii)"|'(?:utf-8|us-ascii)'))?
       (?:[ \t\n]+standalone[ \t\n]*=[ \t\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\n]*\?>)?
    (?:[ \t\n]|<!--(?:(?!--).)*-->|<\?(?![xX][mM][lL])(?:(?!\?>).)*\?>)*
    (?:<!DOCTYPE[ \t\n]+[A-Za-z_][A-Za-z0-9_.:\-]*
       (?:[ \t\n]+(?:SYSTEM|PUBLIC[ \t\n]+(?:"[ \n\-a-zA-Z0-9'()+,./:=?;!*\#@$_%]*"|'[ \n\-a-zA-Z0-9()+,./:=?;!*\#@$_%]*'))
          [ \t\n]+(?:"[^"]*"|'[^']*'))?[ \t\n]*>)?
    (?:[ \t\n]|<!--(?:(?!--).)*-->|<\?(?![xX][mM][lL])(?:(?!\?>).)*\?>)*
    <[A-Za-z_:]""",
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)


class Scanner:
    """Scans documents one after the other, with one table of tags."""

    def __init__(self, kinds: Mapping[str, str] | None = None) -> None:
        """`kinds` says which tags are inline or skipped; all others are units of retrieval."""
        self._kind_of = dict(kinds or {})
        self.tags: list[str] = []
        self._tag_slots: Codes = np.full(1 << 12, -1, dtype=np.int32)
        self._tag_from: Ints = np.zeros(1, dtype=np.int64)
        self._tag_pool: Bytes = np.zeros(0, dtype=np.uint8)
        self.tag_kinds: Bytes = np.zeros(0, dtype=np.uint8)
        self._tables = character_tables()
        self._buffers: list[npt.NDArray[Any]] = []
        self._room = 0

    def scan(self, data: bytes, name: str) -> Scan:
        """Scan one document; raises InputError where it is not well-formed XML."""
        found = self._fast(data, trusted=False) if _is_plain(data) else None
        if found is None:
            found = self._fast(_plain(data, name), trusted=True)
        if found is None:
            raise AssertionError(f"{name}: cannot scan what was just written")
        return found

    def _fast(self, data: bytes, *, trusted: bool) -> Scan | None:
        content = np.frombuffer(data, dtype=np.uint8)
        if data.startswith(b"\xef\xbb\xbf"):
            content = content[3:]
        if len(data) > self._room:
            self._make_room(len(data))
        text, tag, parent, start, end, first, tokens, words, token_from, leaf, name_from, name_to = (
            self._buffers
        )
        while True:
            size, characters, count, token_count = scan.compiled(
                content,
                *self._tables,
                trusted,
                self._tag_slots,
                self._tag_from,
                self._tag_pool,
                self.tag_kinds,
                *self._buffers,
            )
            if size > NEW_TAG:
                break
            e = NEW_TAG - size
            self._add_tag(content[name_from[e] : name_to[e]].tobytes())
        if size == NOT_PLAIN:
            return None
        return Scan(
            text[:size],
            characters,
            tag[:count],
            parent[:count],
            start[:count],
            end[:count],
            first[:count],
            tokens[:count],
            words,
            token_from[: token_count + 1],
            leaf[:token_count],
        )

    def _add_tag(self, name: bytes) -> None:
        code = len(self.tags)
        self.tags.append(name.decode())
        kind = KINDS[self._kind_of.get(self.tags[-1], "unit")]
        self.tag_kinds = np.append(self.tag_kinds, np.uint8(kind))
        self._tag_pool = np.append(self._tag_pool, np.frombuffer(name, dtype=np.uint8))
        self._tag_from = np.append(self._tag_from, self._tag_from[-1] + len(name))
        if 2 * len(self.tags) > len(self._tag_slots):
            self._tag_slots = np.full(2 * len(self._tag_slots), -1, dtype=np.int32)
            for other in range(code):
                self._place_tag(other)
        self._place_tag(code)

    def _place_tag(self, code: int) -> None:
        mask = len(self._tag_slots) - 1
        hashed = _hash(self._tag_pool[self._tag_from[code] : self._tag_from[code + 1]].tobytes())
        slot = (hashed ^ (hashed >> 29)) & mask
        while self._tag_slots[slot] >= 0:
            slot = (slot + 1) & mask
        self._tag_slots[slot] = code

    def _make_room(self, size: int) -> None:
        """Make the buffers large enough for the worst that a document of this size can hold."""
        self._room = size = size * 5 // 4
        elements = size // 4 + 2  # `<a/>`
        wide, narrow = np.int64, np.int32
        self._buffers = [
            np.empty(size + 8, dtype=np.uint8),
            *(np.empty(elements, dtype=kind) for kind in (narrow, narrow, wide, wide, wide, wide)),
            np.empty(size // 2 + size // 8 + 16, dtype=np.uint64),
            *(np.empty(size // 2 + 8, dtype=np.int32) for _ in range(2)),
            *(np.empty(elements, dtype=np.int64) for _ in range(2)),
        ]


def _is_plain(data: bytes) -> bool:
    """Whether a document's head and bytes are such that the fast scan may try it."""
    if _HEAD.match(data) is None:
        return False
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _plain(data: bytes, name: str) -> bytes:
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


def _hash(name: bytes) -> int:
    hashed = 1469598103934665603
    for byte in name:
        hashed = ((hashed ^ byte) * 1099511628211) & 0xFFFFFFFFFFFFFFFF
    return hashed
