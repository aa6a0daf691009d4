"""One pass over a document's bytes: its canonical text, its elements and its tokens.

Building an index reads every byte of a collection, so this loop is compiled. It is strict: it takes only
plain XML in UTF-8 that it is sure of (no internal DTD subset, no entities beyond the predefined ones, no
carriage returns, ASCII names) and gives everything else up, to be parsed by expat, which also has the last
word on what is well-formed. What this loop accepts expat accepts, with the same result.

A token is a run of letters, digits and combining marks, in lower case. It ends at the border of an
element, but not at inline mark-up: `H<sub>2</sub>O` is one token. It belongs to the elements that contain its
first character.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from inexlab.accelerate import Kernel
from inexlab.index.characters import (
    BEGINS_NAME,
    IN_NAME,
    IN_VALUE,
    IN_WORD,
    TEXT,
    after_character,
    is_space,
    read_character,
    read_reference,
    same_bytes,
    write_character,
)
from inexlab.index.characters import (
    Bytes as Bytes,
)
from inexlab.index.characters import (
    character_tables as character_tables,
)
from inexlab.tables import Codes

# what the kernel returns where it does not come to the end of a document
NOT_PLAIN, NO_ROOM = -1, -2

# what a tag is to the index
UNIT, INLINE, SKIPPED = 0, 1, 2


class Scan(NamedTuple):
    """What a document holds; arrays are views that the next document overwrites.

    `start` and `end` count characters of the text, `first` and `tokens` the document's tokens. Token k is
    `text[token_from[k]:token_to[k]]`, in lower case; `leaf` is the innermost element that holds its first
    character. `padded` is the text with room behind it.
    """

    text: Bytes
    padded: Bytes
    characters: int
    tag: Codes
    parent: Codes
    start: Codes
    end: Codes
    first: Codes
    tokens: Codes
    token_from: Codes
    token_to: Codes
    leaf: Codes


@Kernel
def scan(
    data: Bytes,
    word: Bytes,
    classes: Bytes,
    trusted: bool,
    tag_slots: Codes,
    tag_from: Codes,
    tag_pool: Bytes,
    tag_kinds: Bytes,
    tag_count: Codes,
    text: Bytes,
    tag: Codes,
    parent: Codes,
    start: Codes,
    end: Codes,
    first: Codes,
    tokens: Codes,
    token_from: Codes,
    token_to: Codes,
    token_leaf: Codes,
    name_from: Codes,
    name_to: Codes,
) -> tuple[int, int, int, int]:
    """Scan one document; return the numbers of text bytes, characters, elements and tokens.

    The first number is NOT_PLAIN where the document is given up, and NO_ROOM where there are more tags than
    the tables hold. Tags live in an open hash table (`tag_slots`) with their names in `tag_pool`, at
    `tag_from`; a new one is added as a unit of retrieval. `word` and `classes` say what code points and
    bytes are. `trusted` documents may have any names.

    In turn: plain ASCII text, which is most of a document; end tags; what is beside the text (comments,
    processing instructions, the document type); start tags with their attributes; all other characters.
    """
    n = len(data)
    i = 0
    at, beyond, elements, started = 0, 0, 0, 0  # `beyond`: bytes of the text that are no first byte
    here = -1
    skipping = 0  # how many open elements are skipped parts
    in_token = False
    seen_root = False
    tag_mask = np.uint64(len(tag_slots) - 1)
    attribute_from = np.empty(64, dtype=np.int64)
    attribute_to = np.empty(64, dtype=np.int64)
    while i < n:
        if here >= 0:  # plain ASCII text, the usual case
            b = data[i]
            kind = classes[b] & TEXT
            while kind:
                if kind == IN_WORD:
                    if not in_token and skipping == 0:
                        in_token = True
                        token_from[started] = at
                        token_leaf[started] = here
                        started += 1
                elif in_token:
                    in_token = False
                    token_to[started - 1] = at
                same = kind
                while kind == same:  # a word, or what is between words
                    text[at] = b
                    at += 1
                    i += 1
                    if i == n:
                        return NOT_PLAIN, 0, 0, 0
                    b = data[i]
                    kind = classes[b] & TEXT
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
                while j < n and is_space(data[j]):
                    j += 1
                if j >= n or data[j] != 62:
                    return NOT_PLAIN, 0, 0, 0
                i = j + 1
                kind = tag_kinds[tag[here]]
                if in_token and kind != INLINE:
                    in_token = False
                    token_to[started - 1] = at
                end[here] = at - beyond
                tokens[here] = started - first[here]
                skipping -= kind == SKIPPED
                here = parent[here]
                continue
            if c == 33 or c == 63:  # <!-- comment -->, <!DOCTYPE …>, <? processing instruction ?>
                i = _beside(data, i, classes, here < 0 and not seen_root)
                if i < 0:
                    return NOT_PLAIN, 0, 0, 0
                continue
            # a start tag
            if (here < 0 and seen_root) or not (classes[c] & BEGINS_NAME or (trusted and c >= 128)):
                return NOT_PLAIN, 0, 0, 0
            j = i + 1
            hashed = np.uint64(1469598103934665603)
            while j < n and (classes[data[j]] & IN_NAME or (trusted and data[j] >= 128)):
                hashed = (hashed ^ np.uint64(data[j])) * np.uint64(1099511628211)
                j += 1
            e = elements
            elements += 1
            name_from[e], name_to[e] = i + 1, j
            slot = (hashed ^ (hashed >> np.uint64(29))) & tag_mask
            code = tag_slots[slot]
            while code >= 0 and not same_bytes(data, i + 1, j, tag_pool, tag_from[code], tag_from[code + 1]):
                slot = (slot + np.uint64(1)) & tag_mask
                code = tag_slots[slot]
            if code < 0:
                code = tag_count[0]
                begin = tag_from[code]
                if code + 2 > len(tag_from) or begin + j - i - 1 > len(tag_pool):
                    return NO_ROOM, 0, 0, 0
                for k in range(j - i - 1):
                    tag_pool[begin + k] = data[i + 1 + k]
                tag_from[code + 1] = begin + j - i - 1
                tag_kinds[code] = UNIT
                tag_slots[slot] = code
                tag_count[0] = code + 1
            attributes = 0
            while True:
                k = j
                while j < n and is_space(data[j]):
                    j += 1
                if j + 1 >= n:
                    if j >= n or data[j] != 62:
                        return NOT_PLAIN, 0, 0, 0
                    break
                if data[j] == 62 or data[j] == 47:
                    break
                if k == j or not classes[data[j]] & BEGINS_NAME or attributes == 64:
                    return NOT_PLAIN, 0, 0, 0
                attribute_from[attributes] = j
                while j < n and classes[data[j]] & IN_NAME:
                    j += 1
                attribute_to[attributes] = j
                for other in range(attributes):
                    if same_bytes(
                        data, attribute_from[attributes], j, data, attribute_from[other], attribute_to[other]
                    ):
                        return NOT_PLAIN, 0, 0, 0
                attributes += 1
                j = _after_value(data, j, classes)
                if j < 0:
                    return NOT_PLAIN, 0, 0, 0
            empty = data[j] == 47
            if empty:
                j += 1
                if data[j] != 62:
                    return NOT_PLAIN, 0, 0, 0
            i = j + 1
            kind = tag_kinds[code]
            if in_token and kind != INLINE:
                in_token = False
                token_to[started - 1] = at
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
            if not is_space(b):
                return NOT_PLAIN, 0, 0, 0
            i += 1
            continue
        # a reference, a bracket, or a character beyond ASCII
        if b == 38:
            point, i = read_reference(data, i)
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
            point, i = read_character(data, i)
            if point < 0:
                return NOT_PLAIN, 0, 0, 0
        if word[point] and skipping == 0:
            if not in_token:
                in_token = True
                token_from[started] = at
                token_leaf[started] = here
                started += 1
        elif in_token:
            in_token = False
            token_to[started - 1] = at
        before = at
        at = write_character(text, at, point)
        beyond += at - before - 1
    if here >= 0 or not seen_root:
        return NOT_PLAIN, 0, 0, 0
    if in_token:  # in a root that is inline mark-up
        token_to[started - 1] = at
    return at, at - beyond, elements, started


@Kernel
def _beside(data: Bytes, i: int, classes: Bytes, before_root: bool) -> int:
    """Return where a comment, processing instruction or document type ends, -1 where it is none."""
    n = len(data)
    if data[i + 1] == 33 and data[i + 2] == 45:
        if i + 3 >= n or data[i + 3] != 45:
            return -1
        j = i + 4
        while j + 2 < n and not (data[j] == 45 and data[j + 1] == 45):
            j = after_character(data, j)
            if j < 0:
                return -1
        return j + 3 if j + 2 < n and data[j + 2] == 62 else -1
    if data[i + 1] == 33:  # the head was checked before: this can only be the document type, in ASCII
        if not before_root or data[i + 2] != 68:
            return -1
        j = i + 2
        quote = np.uint8(0)
        while j < n and (quote or data[j] != 62):
            c = data[j]
            if quote:
                quote = np.uint8(0) if c == quote else quote
            elif c == 34 or c == 39:
                quote = c
            j += 1
        return j + 1 if j < n else -1
    j = i + 2
    if not classes[data[j]] & BEGINS_NAME:
        return -1
    while j < n and classes[data[j]] & IN_NAME:
        j += 1
    reserved = (
        j - i == 5 and (data[i + 2] | 32) == 120 and (data[i + 3] | 32) == 109 and (data[i + 4] | 32) == 108
    )
    if (reserved and i > 0) or j >= n or not (is_space(data[j]) or data[j] == 63):
        return -1
    while j + 1 < n and not (data[j] == 63 and data[j + 1] == 62):
        j = after_character(data, j)
        if j < 0:
            return -1
    return j + 2 if j + 1 < n else -1


@Kernel
def _after_value(data: Bytes, j: int, classes: Bytes) -> int:
    """Return where an attribute's `= "value"` ends, -1 where there is none."""
    n = len(data)
    while j < n and is_space(data[j]):
        j += 1
    if j >= n or data[j] != 61:
        return -1
    j += 1
    while j < n and is_space(data[j]):
        j += 1
    if j >= n or (data[j] != 34 and data[j] != 39):
        return -1
    quote = data[j]
    j += 1
    while j < n and data[j] != quote:
        if classes[data[j]] & IN_VALUE:
            j += 1
        elif data[j] == 38:
            point, j = read_reference(data, j)
            if point < 0:
                return -1
        else:
            if data[j] == 60:
                return -1
            j = after_character(data, j)
            if j < 0:
                return -1
    return j + 1 if j < n else -1
