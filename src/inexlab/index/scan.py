"""One pass over a document's bytes: its canonical text, its elements and its tokens.

Building an index reads every byte of a collection, so this loop is compiled. It is strict: it takes only
plain XML in UTF-8 that it is sure of (no internal DTD subset, no entities beyond the predefined ones, no
carriage returns, ASCII names) and gives everything else up, to be parsed by expat (`slow_scan`), which also
has the last word on what is well-formed. What this loop accepts expat accepts, with the same result.

A token is a run of letters, digits and combining marks, in lower case. It ends at the border of an
element, but not at inline mark-up: `H<sub>2</sub>O` is one token. It belongs to the elements that contain its
first character.
"""

from __future__ import annotations

import functools
import sys
import unicodedata
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from inexlab.accelerate import Kernel
from inexlab.tables import Codes, Ints

Bytes = npt.NDArray[np.uint8]
Words = npt.NDArray[np.uint64]

LONGEST_TOKEN = 64  # bytes; what is longer is known by its beginning

# what the kernel returns where it does not come to the end of a document
NOT_PLAIN, NEW_TAG = -1, -2

# what a tag is to the index
UNIT, INLINE, SKIPPED = 0, 1, 2


class Scan(NamedTuple):
    """What a document holds; arrays are views that the next document overwrites.

    `start` and `end` count characters of the text, `first` and `tokens` the document's tokens. Token k is
    `words[token_from[k]:token_from[k + 1]]`, `leaf` the innermost element that holds its first character.
    """

    text: Bytes
    characters: int
    tag: Codes
    parent: Codes
    start: Ints
    end: Ints
    first: Ints
    tokens: Ints
    words: Words
    token_from: Codes
    leaf: Codes


@functools.cache
def character_tables() -> tuple[Bytes, npt.NDArray[np.int32], Bytes]:
    """Return which code points are part of words, what each is in lower case, and a class for each byte.

    A byte ends a stretch of plain ASCII text (0), is part of a word (1) or of what is between words (2).
    """
    points = range(sys.maxunicode + 1)
    word = np.zeros(len(points), dtype=np.uint8)
    lower = np.arange(len(points), dtype=np.int32)
    for point in points:
        character = chr(point)
        if character.isalnum() or unicodedata.category(character)[0] == "M":
            word[point] = 1
            small = character.lower()
            if small != character and len(small) == 1:
                lower[point] = ord(small)
    plain = np.zeros(256, dtype=np.uint8)
    plain[[9, 10, *range(32, 128)]] = 2
    plain[:128][word[:128] == 1] = 1
    plain[[ord(c) for c in "<&]"]] = 0
    return word, lower, plain


@Kernel
def scan(
    data: Bytes,
    word: Bytes,
    lower: npt.NDArray[np.int32],
    plain: Bytes,
    trusted: bool,
    tag_slots: Codes,
    tag_from: Ints,
    tag_pool: Bytes,
    tag_kinds: Bytes,
    text: Bytes,
    tag: Codes,
    parent: Codes,
    start: Ints,
    end: Ints,
    first: Ints,
    tokens: Ints,
    words: Words,
    token_from: Codes,
    token_leaf: Codes,
    name_from: Ints,
    name_to: Ints,
) -> tuple[int, int, int, int]:
    """Scan one document; return the numbers of text bytes, characters, elements and tokens.

    The first number is NOT_PLAIN where the document is given up, and NEW_TAG - e where the tag of element
    e, between `name_from` and `name_to`, is not known. Tags live in an open hash table (`tag_slots`) with
    their names in `tag_pool`, at `tag_from`. Tokens are written to `words`, eight bytes to a word, the last
    one filled up with at least one zero; `token_from` says where each begins. `trusted` documents may have
    any names.
    """
    n = len(data)
    i = 0
    at, beyond, elements, started = 0, 0, 0, 0  # `beyond`: bytes of the text that are no first byte
    here = -1
    skipping = 0  # how many open elements are skipped parts
    in_token = False
    token = words.view(np.uint8)  # the same, byte by byte
    at_word, size = 0, 0
    seen_root = False
    tag_mask = np.uint64(len(tag_slots) - 1)
    attribute_from = np.empty(64, dtype=np.int64)
    attribute_to = np.empty(64, dtype=np.int64)
    while i < n:
        if here >= 0:  # plain ASCII text, the usual case
            b = data[i]
            kind = plain[b]
            while kind:
                text[at] = b
                at += 1
                if kind == 1 and skipping == 0:
                    if not in_token:
                        in_token = True
                        at_word += (size >> 3) + (started > 0)
                        token_from[started] = at_word
                        token_leaf[started] = here
                        started += 1
                        size = 0
                        words[at_word] = 0
                    if size < LONGEST_TOKEN:
                        token[8 * at_word + size] = lower[b]
                        size += 1
                        if size & 7 == 0:
                            words[at_word + (size >> 3)] = 0
                else:
                    in_token = False
                i += 1
                if i == n:
                    return NOT_PLAIN, 0, 0, 0
                b = data[i]
                kind = plain[b]
        b = data[i]
        if b == 60:  # <
            if i + 2 >= n:
                return NOT_PLAIN, 0, 0, 0
            c = data[i + 1]
            if c == 47:  # </name>
                if here < 0:
                    return NOT_PLAIN, 0, 0, 0
                j = i + 2
                for k in range(name_from[here], name_to[here]):
                    if j >= n or data[j] != data[k]:
                        return NOT_PLAIN, 0, 0, 0
                    j += 1
                while j < n and _is_space(data[j]):
                    j += 1
                if j >= n or data[j] != 62:
                    return NOT_PLAIN, 0, 0, 0
                i = j + 1
                kind = tag_kinds[tag[here]]
                in_token = in_token and kind == INLINE
                end[here] = at - beyond
                tokens[here] = started - first[here]
                skipping -= kind == SKIPPED
                here = parent[here]
                continue
            if c == 33 or c == 63:  # <!-- comment -->, <!DOCTYPE …>, <? processing instruction ?>
                i = _beside(data, i, here < 0 and not seen_root)
                if i < 0:
                    return NOT_PLAIN, 0, 0, 0
                continue
            # a start tag
            if (here < 0 and seen_root) or not (_begins_name(c) or (trusted and c >= 128)):
                return NOT_PLAIN, 0, 0, 0
            j = i + 1
            hashed = np.uint64(1469598103934665603)
            while j < n and (_in_name(data[j]) or (trusted and data[j] >= 128)):
                hashed = (hashed ^ np.uint64(data[j])) * np.uint64(1099511628211)
                j += 1
            e = elements
            elements += 1
            name_from[e], name_to[e] = i + 1, j
            slot = (hashed ^ (hashed >> np.uint64(29))) & tag_mask
            code = tag_slots[slot]
            while code >= 0 and not _same(data, i + 1, j, tag_pool, tag_from[code], tag_from[code + 1]):
                slot = (slot + np.uint64(1)) & tag_mask
                code = tag_slots[slot]
            if code < 0:
                return NEW_TAG - e, 0, 0, 0
            attributes = 0
            while True:
                k = j
                while j < n and _is_space(data[j]):
                    j += 1
                if j + 1 >= n:
                    if j >= n or data[j] != 62:
                        return NOT_PLAIN, 0, 0, 0
                    break
                if data[j] == 62 or data[j] == 47:
                    break
                if k == j or not _begins_name(data[j]) or attributes == 64:
                    return NOT_PLAIN, 0, 0, 0
                attribute_from[attributes] = j
                while j < n and _in_name(data[j]):
                    j += 1
                attribute_to[attributes] = j
                for other in range(attributes):
                    if _same(
                        data, attribute_from[attributes], j, data, attribute_from[other], attribute_to[other]
                    ):
                        return NOT_PLAIN, 0, 0, 0
                attributes += 1
                j = _after_value(data, j)
                if j < 0:
                    return NOT_PLAIN, 0, 0, 0
            empty = data[j] == 47
            if empty:
                j += 1
                if data[j] != 62:
                    return NOT_PLAIN, 0, 0, 0
            i = j + 1
            kind = tag_kinds[code]
            in_token = in_token and kind == INLINE
            seen_root = True
            tag[e] = code
            parent[e] = here
            start[e] = at - beyond
            first[e] = started
            if empty:
                end[e] = at - beyond
                tokens[e] = 0
            else:
                here = e
                skipping += kind == SKIPPED
            continue
        if here < 0:
            if not _is_space(b):
                return NOT_PLAIN, 0, 0, 0
            i += 1
            continue
        # a reference, a bracket, or a character beyond ASCII
        if b == 38:
            point, i = _reference(data, i)
            if point < 0:
                return NOT_PLAIN, 0, 0, 0
        elif b == 93:
            if i + 2 < n and data[i + 1] == 93 and data[i + 2] == 62:
                return NOT_PLAIN, 0, 0, 0
            point = 93
            i += 1
        elif b < 128:
            return NOT_PLAIN, 0, 0, 0
        else:
            point, i = _decode(data, i)
            if point == 0xFFFE or point == 0xFFFF:
                return NOT_PLAIN, 0, 0, 0
        before = at
        at = _write(text, at, point)
        beyond += at - before - 1
        if word[point] and skipping == 0:
            if not in_token:
                in_token = True
                at_word += (size >> 3) + (started > 0)
                token_from[started] = at_word
                token_leaf[started] = here
                started += 1
                size = 0
                words[at_word] = 0
            if size + 4 <= LONGEST_TOKEN:
                words[at_word + (size >> 3) + 1] = 0
                size = _write(token, 8 * at_word + size, lower[point]) - 8 * at_word
        else:
            in_token = False
    if here >= 0 or not seen_root:
        return NOT_PLAIN, 0, 0, 0
    token_from[started] = at_word + (size >> 3) + 1
    return at, at - beyond, elements, started


@Kernel
def _beside(data: Bytes, i: int, before_root: bool) -> int:
    """Return where a comment, processing instruction or document type ends, -1 where it is none."""
    n = len(data)
    if data[i + 1] == 33 and data[i + 2] == 45:
        if i + 3 >= n or data[i + 3] != 45:
            return -1
        j = i + 4
        while j + 2 < n and not (data[j] == 45 and data[j + 1] == 45):
            if not _is_legal(data, j):
                return -1
            j += 1
        return j + 3 if j + 2 < n and data[j + 2] == 62 else -1
    if data[i + 1] == 33:  # the head was checked before: this can only be the document type
        if not before_root or data[i + 2] != 68:
            return -1
        j = i + 2
        quote = 0
        while j < n and (quote or data[j] != 62):
            c = data[j]
            if quote:
                quote = 0 if c == quote else quote
            elif c == 34 or c == 39:
                quote = np.int64(c)
            j += 1
        return j + 1 if j < n else -1
    j = i + 2
    if not _begins_name(data[j]):
        return -1
    while j < n and _in_name(data[j]):
        j += 1
    reserved = (
        j - i == 5 and (data[i + 2] | 32) == 120 and (data[i + 3] | 32) == 109 and (data[i + 4] | 32) == 108
    )
    if (reserved and i > 0) or j >= n or not (_is_space(data[j]) or data[j] == 63):
        return -1
    while j + 1 < n and not (data[j] == 63 and data[j + 1] == 62):
        if not _is_legal(data, j):
            return -1
        j += 1
    return j + 2 if j + 1 < n else -1


@Kernel
def _after_value(data: Bytes, j: int) -> int:
    """Return where an attribute's `= "value"` ends, -1 where there is none."""
    n = len(data)
    while j < n and _is_space(data[j]):
        j += 1
    if j >= n or data[j] != 61:
        return -1
    j += 1
    while j < n and _is_space(data[j]):
        j += 1
    if j >= n or (data[j] != 34 and data[j] != 39):
        return -1
    quote = data[j]
    j += 1
    while j < n and data[j] != quote:
        if data[j] == 38:
            point, j = _reference(data, j)
            if point < 0:
                return -1
        else:
            if data[j] == 60 or not _is_legal(data, j):
                return -1
            j += 1
    return j + 1 if j < n else -1


@Kernel
def _is_legal(data: Bytes, j: int) -> bool:
    """Whether the character at a byte may be in XML; a carriage return is left to expat, which removes it."""
    b = data[j]
    if b < 32:
        return b == 9 or b == 10
    return not (b == 239 and j + 2 < len(data) and data[j + 1] == 191 and data[j + 2] >= 190)


@Kernel
def _is_space(b: int) -> bool:
    return b == 32 or b == 10 or b == 9


@Kernel
def _same(a: Bytes, a_from: int, a_to: int, b: Bytes, b_from: int, b_to: int) -> bool:
    """Whether two stretches of bytes are equal."""
    if a_to - a_from != b_to - b_from:
        return False
    for k in range(a_to - a_from):
        if a[a_from + k] != b[b_from + k]:
            return False
    return True


@Kernel
def _begins_name(b: int) -> bool:
    return (b >= 97 and b <= 122) or (b >= 65 and b <= 90) or b == 95 or b == 58


@Kernel
def _in_name(b: int) -> bool:
    return (
        (b >= 97 and b <= 122)
        or (b >= 65 and b <= 90)
        or (b >= 48 and b <= 58)
        or b == 95
        or b == 45
        or b == 46
    )


@Kernel
def _decode(data: Bytes, i: int) -> tuple[int, int]:
    """Return the code point beyond ASCII at a byte of valid UTF-8, and where the next one is."""
    b = np.int64(data[i])
    if b < 224:
        return ((b & 31) << 6) | (data[i + 1] & 63), i + 2
    if b < 240:
        return ((b & 15) << 12) | (np.int64(data[i + 1] & 63) << 6) | (data[i + 2] & 63), i + 3
    high = ((b & 7) << 18) | (np.int64(data[i + 1] & 63) << 12)
    return high | (np.int64(data[i + 2] & 63) << 6) | (data[i + 3] & 63), i + 4


@Kernel
def _write(buffer: Bytes, at: int, point: int) -> int:
    """Append a code point in UTF-8; return where the next one goes."""
    if point < 128:
        buffer[at] = point
        return at + 1
    if point < 0x800:
        buffer[at] = 192 | (point >> 6)
        buffer[at + 1] = 128 | (point & 63)
        return at + 2
    if point < 0x10000:
        buffer[at] = 224 | (point >> 12)
        buffer[at + 1] = 128 | ((point >> 6) & 63)
        buffer[at + 2] = 128 | (point & 63)
        return at + 3
    buffer[at] = 240 | (point >> 18)
    buffer[at + 1] = 128 | ((point >> 12) & 63)
    buffer[at + 2] = 128 | ((point >> 6) & 63)
    buffer[at + 3] = 128 | (point & 63)
    return at + 4


@Kernel
def _reference(data: Bytes, i: int) -> tuple[int, int]:
    """Read a reference to a character or a predefined entity; return its code point (-1: give up) and its end."""
    n = len(data)
    if i + 2 < n and data[i + 1] == 35:
        j = i + 2
        base = 10
        if data[j] == 120:
            base = 16
            j += 1
        begin = j
        point = 0
        while j < n and data[j] != 59:
            c = data[j]
            digit = 99
            if c >= 48 and c <= 57:
                digit = c - 48
            elif c >= 97 and c <= 102:
                digit = c - 87
            elif c >= 65 and c <= 70:
                digit = c - 55
            if digit >= base:
                return -1, i
            point = point * base + digit
            if point > 0x10FFFF:
                return -1, i
            j += 1
        if j >= n or j == begin:
            return -1, i
        legal = (
            point == 9
            or point == 10
            or point == 13
            or (point >= 32 and point < 0xD800)
            or (point >= 0xE000 and point < 0xFFFE)
            or point >= 0x10000
        )
        return (point if legal else -1), j + 1
    if i + 3 < n and data[i + 2] == 116 and data[i + 3] == 59:
        if data[i + 1] == 108:
            return 60, i + 4
        if data[i + 1] == 103:
            return 62, i + 4
    if i + 4 < n and data[i + 1] == 97 and data[i + 2] == 109 and data[i + 3] == 112 and data[i + 4] == 59:
        return 38, i + 5
    if i + 5 < n and data[i + 5] == 59:
        if data[i + 1] == 113 and data[i + 2] == 117 and data[i + 3] == 111 and data[i + 4] == 116:
            return 34, i + 6
        if data[i + 1] == 97 and data[i + 2] == 112 and data[i + 3] == 111 and data[i + 4] == 115:
            return 39, i + 6
    return -1, i
