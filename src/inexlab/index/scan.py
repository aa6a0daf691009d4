"""One pass over a document: its canonical text, its elements and its tokens.

Building an index reads every byte of a collection, so this loop is compiled. It is strict: it takes only
plain XML in UTF-8 that it is sure of (no internal DTD subset, no entities beyond the predefined ones, no
carriage returns, ASCII names) and gives everything else up, to be parsed by expat, which also has the last
word on what is well-formed. What this loop accepts expat accepts, with the same result.

Tokens are the words that `analysis.words` defines. One ends at the border of an element, but not at inline
mark-up: `H<sub>2</sub>O` is one token. It belongs to the elements that contain its first character. The text
between two tags is one piece: signs belong to adjacent letters and digits in it, but not to those beyond a
tag, or the references in `<sup>1</sup>,<sup>2</sup>` would be a number.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from inexlab.accelerate import Kernel, LoopStep
from inexlab.index.analysis.character_classes import IGNORED, LETTER, NOTHING, RUN, SYMBOL
from inexlab.index.bits import (
    NO_NAME,
    NO_TEXT,
    NO_VALUE,
    SECOND,
    WORD,
    Words,
    blocks_of,
    classify,
    count_between,
    is_letter,
    next_place,
    seen_before,
    seen_behind,
)
from inexlab.index.characters import (
    BEGINS_NAME,
    IN_NAME,
    after_character,
    copy_rows,
    int64,
    is_space,
    read_character,
    read_reference,
    write_character,
)
from inexlab.index.keys import KEY_BYTES, hash_of_key, key_at
from inexlab.index.tag_table import INLINE, SKIPPED, Tags, find_tag
from inexlab.instructions import count_bits, lowest_bit
from inexlab.tables import Bytes, Codes, Ints, same_bytes

# what the kernel returns where it does not come to the end of a document
NOT_PLAIN, NO_ROOM = -1, -2

# how much there is so far of a row of documents: bytes of text, characters, elements, borders of tokens
TEXT_BYTES, CHARACTERS, ELEMENTS, BORDERS = range(4)

# What documents hold: their text; of elements tag, parent, start, end, first token, number of tokens and
# language; of tokens two borders each, and the innermost element.
Numbers16 = npt.NDArray[np.uint16]
Forest = tuple[Bytes, Codes, Codes, Codes, Codes, Codes, Codes, Numbers16, Codes, Codes]

_QUOTE, _HASH, _AMPERSAND, _APOSTROPHE, _PLUS, _COMMA, _SEMICOLON = map(ord, "\"#&'+,;")
_HYPHEN, _POINT, _SLASH, _LESS, _EQUALS, _MORE = (ord(character) for character in "-./<=>")
_EXCLAMATION, _QUESTION, _BRACKET, _ZERO, _NINE = (ord(character) for character in "!?]09")
_UPPER_A, _UPPER_D, _LOWER_A, _LOWER_L, _LOWER_M, _LOWER_X, _LOWER_Z = map(ord, "ADalmxz")
_LAO_HO, _LAO_NO, _LAO_MO = map(ord, "ຫນມ")  # the first and one of the others are one letter
_LAO_HO_BYTES = int.from_bytes("ຫ".encode())
_LOWER = 32  # the bit by which a lower-case letter differs from its upper-case one

# names of attributes as numbers
_XML_LANG, _LANG = (np.uint64(int.from_bytes(name, "little")) for name in (b"xml:lang", b"lang"))


@Kernel
def scan(
    content: Bytes,
    room: Bytes,
    bits: Words,
    kinds: Bytes,
    languages: Numbers16,
    classes: Bytes,
    trusted: bool,
    tags: Tags,
    forest: Forest,
    filled: Ints,
) -> int:
    """Scan one document, and write what it holds behind others; return 0.

    `filled` says how much there is, and is brought up to date, but not where the document is given up
    (NOT_PLAIN) or there are more tags than the tables hold (NO_ROOM). `room` is for the content with zeros
    behind it, and `bits` for rows that say what its bytes are: `rooms` made them. `kinds` says what code
    points are, `languages` which language the first part of a tag names. `trusted` documents may have any
    names, and control characters.

    Token k is between two of the `borders`, 2 k and 2 k + 1: where there is an odd number of them, a token is
    not at its end. `leaf` is the innermost element that holds its first character. In a run, of a script
    without spaces, every letter begins a token, and the end of the next letter is its end: it is written
    when the letter itself ends, and again with the next one. A mark goes on with a token, and begins none.

    Why it writes nowhere else: `Batch.make_room` made room for the worst that `n` bytes can hold. What is
    read ends at the zeros behind the document, of which there are more than a key has bytes.

    In turn: plain text, which is most of a document; end tags; what is not part of the text (comments,
    processing instructions, the document type); start tags with their attributes; all other characters.
    """
    n, blocks = len(content), blocks_of(len(content))
    data = room[: 64 * blocks]
    for k in range(np.uint64(n)):  # by hand, as the compiler makes less of slices
        data[k] = content[k]
    data[n:] = 0
    in_word, no_text, no_name = bits[WORD, :blocks], bits[NO_TEXT, :blocks], bits[NO_NAME, :blocks]
    no_value, second = bits[NO_VALUE, :blocks], bits[SECOND, :blocks]
    classify(data, kinds, in_word, no_text, no_name, no_value, second)
    tag_slots, tag_keys, tag_from, tag_pool, tag_kinds, _, secret = tags
    text, tag, parent, start, end, first, tokens, language, borders, leaf = forest
    i = 0
    at, elements, border = filled[TEXT_BYTES], filled[ELEMENTS], filled[BORDERS]
    beyond = at  # bytes of the text that do not begin a character of this document
    here = -1
    skipping = 0  # how many open elements are skipped parts
    run = 0  # whether the open token is a letter of a run: 1 for the first, 2 for others
    seen_root = False
    attribute_from = np.empty(64, dtype=np.int64)
    attribute_to = np.empty(64, dtype=np.int64)
    while i < n:
        if here >= 0:
            stop = next_place(no_text, i)
            if stop > i:
                if run:  # which no character of plain text goes on with
                    border = _end_run(borders, border, at, run)
                    run = 0
                copy_rows(data, i, stop, text, at)
                if skipping == 0:
                    border = _mark_tokens(in_word, i, stop, at - i, here, borders, leaf, border)
                at += stop - i
                beyond += count_between(second, i, stop)
                i = stop
        b = data[i]
        if b == _LESS:  # <
            c = data[i + 1]
            if c == _SLASH:  # </name>
                if here < 0:
                    return NOT_PLAIN
                e = np.uint64(here)
                ended = np.uint64(tag[e])
                length = tag_from[ended + np.uint64(1)] - tag_from[ended]
                low, high = key_at(data, i + 2, length)
                if low != tag_keys[ended, 0] or high != tag_keys[ended, 1]:
                    return NOT_PLAIN
                j = i + 2 + length
                if length > KEY_BYTES and not same_bytes(
                    data, i + 2, j, tag_pool, tag_from[ended], tag_from[ended] + length
                ):
                    return NOT_PLAIN
                while is_space(data[j]):
                    j += 1
                if data[j] != _MORE:
                    return NOT_PLAIN
                i = j + 1
                kind = tag_kinds[ended]
                if run and kind != INLINE:
                    border = _end_run(borders, border, at, run)
                    run = 0
                borders[border] = at
                border += (border & 1) & (kind != INLINE)
                end[e] = at - beyond
                tokens[e] = ((border + 1) >> 1) - first[e]
                skipping -= kind == SKIPPED
                here = parent[e]
                continue
            if _is_misc(c):
                j = _after_misc(data, n, i, classes, here < 0 and not seen_root)
                while here >= 0 and j >= 0 and data[j] == _LESS and _is_misc(data[j + 1]):
                    j = _after_misc(data, n, j, classes, False)
                if j < 0 or (here >= 0 and _continues(data[i - 1]) and _goes_on(data[j])):
                    return NOT_PLAIN
                i = j
                continue
            # a start tag
            if (here < 0 and seen_root) or not (classes[c] & BEGINS_NAME or (trusted and c >= 128)):
                return NOT_PLAIN
            j = next_place(no_name, i + 1)
            while trusted and data[j] >= 128:
                j = next_place(no_name, j + 1)
            length = j - i - 1
            low, high = key_at(data, i + 1, length)
            code = int64(tag_slots[hash_of_key(low, high, secret) & np.uint64(len(tag_slots) - 1)])
            if (
                code < 0
                or low != tag_keys[code, 0]
                or high != tag_keys[code, 1]
                or length > KEY_BYTES
                or length != tag_from[code + 1] - tag_from[code]
            ):  # nearly never
                code = find_tag(data, i + 1, j, tags)
                if code < 0:
                    return NO_ROOM
            attributes = 0
            spoken = -1  # the language that the tag names
            while data[j] != _MORE and data[j] != _SLASH:
                k = j
                while is_space(data[j]):
                    j += 1
                if data[j] == _MORE or data[j] == _SLASH:
                    break
                if k == j or not classes[data[j]] & BEGINS_NAME or attributes == 64:
                    return NOT_PLAIN
                attribute_from[attributes] = j
                j = next_place(no_name, j)
                attribute_to[attributes] = j
                for other in range(attributes):
                    if same_bytes(
                        data, attribute_from[attributes], j, data, attribute_from[other], attribute_to[other]
                    ):
                        return NOT_PLAIN
                begin, length = attribute_from[attributes], j - attribute_from[attributes]
                attributes += 1
                j = _after_value(data, j, no_value)
                if j < 0:
                    return NOT_PLAIN
                if length == 8 or length == 4:
                    low, _ = key_at(data, begin, length)
                    # where there are both, xml:lang counts
                    if low == _XML_LANG or (low == _LANG and spoken < 0):
                        spoken = _language(data, begin + length, j, languages)
                        if spoken < 0:
                            return NOT_PLAIN
            empty = data[j] == _SLASH
            j += empty
            if data[j] != _MORE:
                return NOT_PLAIN
            i = j + 1
            kind = tag_kinds[code]
            if run and kind != INLINE:
                border = _end_run(borders, border, at, run)
                run = 0
            borders[border] = at
            border += (border & 1) & (kind != INLINE)
            seen_root = True
            e = np.uint64(elements)
            tag[e] = code
            parent[e] = here
            start[e] = at - beyond
            first[e] = (border + 1) >> 1
            if spoken >= 0:
                language[e] = spoken
            else:
                language[e] = language[np.uint64(here)] if here >= 0 else np.uint16(0)
            if empty:
                end[e] = at - beyond
                tokens[e] = 0
            else:
                here = elements
                skipping += kind == SKIPPED
            elements += 1
            continue
        if here < 0:
            if not is_space(b):
                return NOT_PLAIN
            i += 1
            continue
        # a reference, a bracket, or a character beyond ASCII
        if b == _AMPERSAND:
            numeric = data[i + 1] == _HASH
            begin = i
            point, i = read_reference(data, i)
            # in the text there is no reference, but signs, letters and digits next to one another
            if numeric and not trusted and point >= 0 and _may_matter(data, begin, i, point, kinds):
                return NOT_PLAIN
        elif b == _BRACKET:
            if data[i + 1] == _BRACKET and data[i + 2] == _MORE:
                return NOT_PLAIN
            point = _BRACKET
            i += 1
        elif b < 128:
            if not trusted:
                return NOT_PLAIN
            point = int64(b)  # a control character, which texts may have and XML may not
            i += 1
        else:
            point, i = read_character(data, i)
        if point < 0:
            return NOT_PLAIN
        kind = kinds[point] if skipping == 0 else np.uint8(NOTHING)
        if kind == LETTER:
            ends, begins = run > 0, run > 0 or border & 1 == 0
        elif kind == RUN:
            begins = not _is_second(data, i, point)
            ends = begins and border & 1 == 1
        elif kind == SYMBOL:
            ends, begins = border & 1 == 1, True
        else:
            ends, begins = kind == NOTHING and border & 1 == 1, False
        if ends:
            border = _end_run(borders, border, at, run)
        if begins:
            borders[border] = at
            leaf[border >> 1] = here
            border += 1
        if ends or begins:
            run = (2 if ends and run > 0 else 1) if kind == RUN else 0
        before = at
        at = write_character(text, at, point)
        beyond += at - before - 1
        if kind == SYMBOL:
            border = _end_run(borders, border, at, 0)
    if here >= 0 or not seen_root:
        return NOT_PLAIN
    if border & 1:  # a token may go on to the end in a root that is inline mark-up
        border = _end_run(borders, border, at, run)
    filled[TEXT_BYTES], filled[CHARACTERS] = at, filled[CHARACTERS] + at - beyond
    filled[ELEMENTS], filled[BORDERS] = elements, border
    return 0


@LoopStep
def _end_run(borders: Codes, border: int, at: int, run: int) -> int:
    """End the open token, and with it the one before where both are letters of one run.

    A token that is open has begun at the border before, and there is room for its end; in a run of two there
    is one before it.
    """
    borders[border] = at
    if run == 2:
        borders[border - 2] = at
    return border + 1


@LoopStep
def _is_sign(b: int) -> bool:
    """Whether a byte is a sign that may belong to a word."""
    return b == _HASH or b == _PLUS or b == _COMMA or b == _POINT  # compiled: no `in`


@LoopStep
def _may_join(point: int) -> bool:
    """Whether a character is ASCII, and may be part of a word together with adjacent signs."""
    return _is_sign(point) or (point >= _ZERO and point <= _NINE) or (point >= _UPPER_A and point <= _LOWER_Z)


@LoopStep
def _may_matter(data: Bytes, begin: int, end: int, point: int, kinds: Bytes) -> bool:
    """Whether what a reference between two places stands for may matter to signs, or to a letter in Lao.

    It may be next to a sign, or to a single letter with a sign, also where ignored characters are between.
    """
    if _may_join(point) or (point >= _LAO_NO and point <= _LAO_HO):
        return True
    behind, after = seen_behind(data, end, kinds)
    if kinds[point] == IGNORED:
        before, _ = seen_before(data, begin, kinds)
        if _is_sign(before) or _is_sign(behind):
            return True
    if not is_letter(behind):
        return False
    behind, _ = seen_behind(data, after, kinds)
    return _is_sign(behind)


@LoopStep
def _continues(b: int) -> bool:
    """Whether a byte is the last of a character that one behind it may belong to, or of a reference to it."""
    return _may_join(b) or b >= 128 or b == _SEMICOLON


@LoopStep
def _goes_on(b: int) -> bool:
    """Whether a byte is the first of a character that one before it may belong to, or of a reference.

    What is not ASCII may be ignored, or be the second part of a letter in Lao.
    """
    return _may_join(b) or b >= 128 or b == _AMPERSAND


@LoopStep
def _is_misc(b: int) -> bool:
    """Whether a byte behind a `<` begins a comment, a processing instruction or the like."""
    return b == _EXCLAMATION or b == _QUESTION  # compiled: no `in`


@LoopStep
def _is_second(data: Bytes, end: int, point: int) -> bool:
    """Whether the character that ends before a byte is the second part of a letter in Lao."""
    if point != _LAO_NO and point != _LAO_MO:
        return False
    before = int64(data[end - 6]) << 16 | int64(data[end - 5]) << 8 | int64(data[end - 4])
    return before == _LAO_HO_BYTES


@LoopStep
def _language(data: Bytes, j: int, stop: int, languages: Numbers16) -> int:
    """Return the language that the value of an attribute names, before `stop`, -1 if nothing is sure."""
    while data[j] != _QUOTE and data[j] != _APOSTROPHE:
        j += 1
    j += 1
    while is_space(data[j]):
        j += 1
    number = 0
    letters = 0
    while j < stop - 1:
        b = int64(data[j]) | _LOWER
        if data[j] == _AMPERSAND or data[j] >= 128 or letters == 4:
            break
        if b < _LOWER_A or b > _LOWER_Z or data[j] < _UPPER_A:
            if data[j] >= _ZERO and data[j] <= _NINE:
                letters = 4
            break
        letters += 1
        number = number * 27 + b - _LOWER_A + 1 if letters < 4 else 0
        j += 1
    for k in range(j, stop - 1):
        if data[k] == _AMPERSAND:
            return -1
    if letters < 2 or letters > 3:
        return 0
    return int64(languages[number * 27 if letters == 2 else number])


@LoopStep
def _mark_tokens(
    in_word: Words, i: int, stop: int, shift: int, here: int, borders: Codes, leaf: Codes, border: int
) -> int:
    """Write the borders of tokens between two bytes of plain text; return how many there are now.

    At most one at each byte, for which there is room. Eight are written at once, as how many there are no
    processor can guess; what is too many is written again, and there is room for as many behind the last.
    """
    one, six = np.uint64(1), np.uint64(6)
    block, last = np.uint64(i) >> six, np.uint64(stop - 1) >> six
    low = np.uint64(i & 63)
    before = np.uint64(border & 1)  # whether the byte before is part of a token
    from_low = ~np.uint64(0) << low
    place = np.uint64(border)
    while True:
        bits = in_word[block]
        changes = (bits ^ (((bits << one) & (from_low << one)) | (before << low))) & from_low
        if block == last:
            changes &= ~np.uint64(0) >> np.uint64(63 - ((stop - 1) & 63))
        from_block = np.uint64(int64(block << six) + shift)
        behind = place + count_bits(changes)
        while place < behind:
            for k in range(np.uint64(8)):
                borders[place + k] = from_block + lowest_bit(changes)
                leaf[(place + k + one) >> one] = here
                changes &= changes - one
            place += np.uint64(8)
        place = behind
        if block == last:
            return int64(place)
        before = bits >> np.uint64(63)
        low = np.uint64(0)
        from_low = ~np.uint64(0)
        block += one


@LoopStep
def _after_misc(data: Bytes, n: int, i: int, classes: Bytes, before_root: bool) -> int:
    """Return where a comment, processing instruction or document type ends, -1 if it is none."""
    if data[i + 1] == _EXCLAMATION and data[i + 2] == _HYPHEN:
        if i + 3 >= n or data[i + 3] != _HYPHEN:
            return -1
        j = i + 4
        while j + 2 < n and not (data[j] == _HYPHEN and data[j + 1] == _HYPHEN):
            j = after_character(data, j)
            if j < 0:
                return -1
        return j + 3 if j + 2 < n and data[j + 2] == _MORE else -1
    if data[i + 1] == _EXCLAMATION:  # the head was checked before: only the document type, in ASCII
        if not before_root or data[i + 2] != _UPPER_D:
            return -1
        j = i + 2
        quote = np.uint8(0)
        while j < n and (quote or data[j] != _MORE):
            c = data[j]
            if quote:
                quote = np.uint8(0) if c == quote else quote
            elif c == _QUOTE or c == _APOSTROPHE:  # noqa: SIM109 - compiled
                quote = c
            j += 1
        return j + 1 if j < n else -1
    j = i + 2
    if not classes[data[j]] & BEGINS_NAME:
        return -1
    while j < n and classes[data[j]] & IN_NAME:
        j += 1
    reserved = (
        j - i == 5
        and (data[i + 2] | _LOWER) == _LOWER_X
        and (data[i + 3] | _LOWER) == _LOWER_M
        and (data[i + 4] | _LOWER) == _LOWER_L
    )
    ends = data[j] == _QUESTION and data[j + 1] == _MORE
    if (reserved and i > 0) or j >= n or not (is_space(data[j]) or ends):
        return -1
    while j + 1 < n and not (data[j] == _QUESTION and data[j + 1] == _MORE):
        j = after_character(data, j)
        if j < 0:
            return -1
    return j + 2 if j + 1 < n else -1


@LoopStep
def _after_value(data: Bytes, j: int, no_value: Words) -> int:
    """Return where an attribute's `= "value"` ends, -1 if there is none."""
    while is_space(data[j]):
        j += 1
    if data[j] != _EQUALS:
        return -1
    j += 1
    while is_space(data[j]):
        j += 1
    quote = data[j]
    if quote != _QUOTE and quote != _APOSTROPHE:
        return -1
    j = next_place(no_value, j + 1)
    while data[j] != quote:
        if data[j] == _AMPERSAND:
            point, j = read_reference(data, j)
            if point < 0:
                return -1
        else:
            if data[j] == _LESS:
                return -1
            j = after_character(data, j)
            if j < 0:
                return -1
        j = next_place(no_value, j)
    return j + 1
