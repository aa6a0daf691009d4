"""Where sentences begin and end in a text, found in one pass when an index is built.

A sentence ends
    at the border of a block: of any element but inline mark-up and skipped parts;
    at a blank line; in plain text at every end of a line;
    after `。`, `।`, `؟`, `።` and the like of other scripts, with or without a space behind;
    after `.`, `!`, `?` and `…` with a space behind, unless the next word is in lower case. After `.` it goes
    on if the word before is an initial (`J. Smith`), an abbreviation (`et al.`, `Fig.`, `e.g.`), or if all so
    far is a number (`1. Introduction`); after `No.`, `May.` and the like, which are words as well, if a
    number follows.

Closing quotation marks and brackets belong to what they close. A sentence has no white space at its ends, and
every character that is neither white space nor skipped is in one sentence. Where this is in doubt a sentence
goes on: one that is too long does less harm than half of one.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from inexlab.accelerate import Kernel, LoopStep
from inexlab.index.bits import Words, next_place
from inexlab.index.characters import int64
from inexlab.index.postings import put
from inexlab.index.rows import BLOCK, Rows, character_at, is_marked, look_at, make_rows, mark, room_for_marks
from inexlab.spans import Span
from inexlab.tables import Bytes, Codes, Ints

Keys = npt.NDArray[np.uint64]

# what a character is to sentences
_OTHER, _SPACE, _NEWLINE, _STOP, _SOFT, _HARD, _CLOSER, _OPENER, _LOWER, _DIGIT, _LETTER = range(11)
_IN_NUMBERS = (_DIGIT, _STOP, _OPENER, _CLOSER)
_OF_NO_ACCOUNT = (_OTHER, _LOWER, _LETTER)  # in the midst of a sentence
_POINTS = 1 << 16  # code points that the table knows; those beyond end nothing

# After these a sentence goes on. What also ends sentences (etc., Inc., Jr.) is not here.
_ABBREVIATIONS = """
al approx assn bd bldg ca cap capt cf cfr chap cl cmdr co col comdr corp cpl dept dir dist div dr dra ed eds
eq eqn eqns eqs esp est ex ext fig figs fl fn ft gen gov hon hr hwy illus insp lat lit lt ltd maj md messrs
misc mlle mm mme mmes mons mr mrs ms msgr mt natl nos nr obj op orig para pg pl pp pref pres prof propr pt
pvt qtd ref refs rep repr resp rev rs sci sect sen sens ser sgt sp spp sr ss st ste subsp suppl supt tab
trans univ vgl viz vol vols vs
bzw evtl ggf hrsg inkl mio mrd str usw zzgl
"""
_BEFORE_NUMBERS = """
apr art aug bk ch dec feb jan jul jun mar max may min no nov oct sec sep sept
"""
_HARD_STOPS = (
    0x0589, 0x061F, 0x06D4, 0x0700, 0x0701, 0x0702, 0x07F9, 0x0964, 0x0965, 0x0DF4, 0x0F0D, 0x0F0E, 0x104B,
    0x1362, 0x1367, 0x1368, 0x166E, 0x1735, 0x1736, 0x17D4, 0x17D5, 0x1803, 0x1809, 0x1944, 0x1945, 0x1B5A,
    0x1B5B, 0x1B5E, 0x1B5F, 0x1C3B, 0x1C3C, 0x1C7E, 0x1C7F, 0x3002, 0xA4FF, 0xA60E, 0xA60F, 0xA6F3, 0xA6F7,
    0xA876, 0xA877, 0xA8CE, 0xA8CF, 0xA9C8, 0xA9C9, 0xAA5D, 0xAA5E, 0xAA5F, 0xAAF0, 0xAAF1, 0xABEB, 0xFE12,
    0xFF01, 0xFF0E, 0xFF1F, 0xFF61,
)  # fmt: skip
_LOOK = 24  # characters, or bytes, that are looked at before and after a full stop


@functools.cache
def sentence_tables() -> tuple[Bytes, Keys, Keys]:
    """Return what each character is, and both kinds of abbreviations, in order, as numbers."""
    kinds = np.zeros(_POINTS, dtype=np.uint8)
    for point in (*range(0xD800), *range(0xE000, _POINTS)):
        c = chr(point)
        if c.isspace():
            kinds[point] = _SPACE
        elif c.islower():
            kinds[point] = _LOWER
        elif c.isdecimal():
            kinds[point] = _DIGIT
        elif c.isalpha():
            kinds[point] = _LETTER
    for characters, kind in (
        ("\n\x0b\x0c\r\x85\u2028\u2029", _NEWLINE),
        (".", _STOP),
        ("!?…‽‼⁇⁈⁉", _SOFT),
        ("\"')]}»›”’」』）】》〉〕｝", _CLOSER),
        ("([{«‹“‘„‚「『（【《〈〔｛¿¡", _OPENER),
    ):
        for c in characters:
            kinds[ord(c)] = kind
    kinds[list(_HARD_STOPS)] = _HARD
    return kinds, _keys(_ABBREVIATIONS), _keys(_BEFORE_NUMBERS)


def _keys(words: str) -> Keys:
    """Return words of up to eight letters as numbers."""
    return np.array(sorted(int.from_bytes(word.encode(), "big") for word in words.split()), dtype=np.uint64)


def sentences(
    text: str,
    borders: Iterable[int] = (),
    *,
    skipped: Iterable[tuple[int, int]] = (),
    lines: bool = False,
) -> list[Span]:
    """Return the sentences of a text whose blocks begin or end at `borders`; `lines` where lines end them.

    Nothing ends a sentence in parts that are `skipped`, which come in order and do not overlap.

    >>> [(a, b) for a, b in sentences("As Smith et al. saw. So it was.")]
    [(0, 20), (21, 31)]
    """
    data = padded_text(text)
    marked = np.array(list(borders), dtype=np.int64)
    skips = np.array([place for span in skipped if span[0] < span[1] for place in span], dtype=np.int64)
    out = np.empty(room_for_sentences(len(text)), dtype=np.uint8)
    find = find_all.for_work(4 * len(data))
    size = find(data, len(data) - BLOCK, len(text), marked, skips, lines, *sentence_tables(), out)
    spans = np.empty(2 * size, dtype=np.int32)
    count = decode_spans.for_work(size)(out, 0, size, spans)
    return [Span(a, b) for a, b in spans[: 2 * count].reshape(-1, 2).tolist()]


def padded_text(text: str) -> Bytes:
    """Return a text in UTF-8, with a block of zeros behind it that loops over blocks may look at."""
    return np.frombuffer(bytearray(text.encode("utf-8", "surrogatepass") + bytes(BLOCK)), dtype=np.uint8)


def room_for_sentences(characters: int) -> int:
    """Return how many bytes the sentences of a text can take.

    A sentence has a character at least. The gap before it takes one byte, and one more for every seven bits,
    which is never more than one and the characters of the gap; its length no more than its characters. So
    all take at most two bytes to a character.
    """
    return 2 * characters + 2


@Kernel
def find_all(
    text: Bytes,
    size: int,
    characters: int,
    borders: Ints,
    skips: Ints,
    lines: bool,
    kinds: Bytes,
    abbreviations: Keys,
    before_numbers: Keys,
    out: Bytes,
) -> int:
    """Write the sentences of a text whose borders and skipped parts are known; return how many bytes."""
    marks = np.zeros(room_for_marks(characters), dtype=np.uint64)
    for k in range(len(borders)):
        mark(marks, borders[k])
    rows = make_rows(size)
    look_at(text, 0, size, marks, skips, rows)
    return find_sentences(text, 0, size, rows, skips, lines, kinds, abbreviations, before_numbers, out, 0)


@Kernel
def find_sentences(
    text: Bytes,
    begin: int,
    size: int,
    rows: Rows,
    skips: Ints,
    lines: bool,
    kinds: Bytes,
    abbreviations: Keys,
    before_numbers: Keys,
    out: Bytes,
    at: int,
) -> int:
    """Write the sentences of the text of `size` bytes that begins at a byte; return where they end in `out`.

    They are written from a place on, each as two numbers, as positions are: characters from the end of the
    last one to its beginning, and characters in it. `room_for_sentences` says why `out` has room for them.
    The text is UTF-8, and `look_at` has filled its rows. `skips` are the characters at which skipped parts
    begin and end.

    While a sentence is open and does not end, this goes from one byte that matters to the next.
    """
    _, _, borders, events = rows
    i = 0
    opened, last = -1, 0  # the bytes where this sentence begins, and behind its last character
    before = 0  # characters up to the end of the last sentence
    newlines, skip = 0, 0
    ending, skipping, number = False, False, True
    while True:
        if opened < 0 and skip == len(skips) and i < size and _is_plain(text, begin + i, kinds):
            j = next_place(events, i + 1)
            if is_marked(borders, j):  # as in most: nothing ends a sentence before its block does
                opened, last = i, j
                while text[begin + last - 1] == 32:
                    last -= 1
                before, at = _put_sentence(rows, opened, last, before, out, at)
                opened, newlines, i = -1, 0, j
                continue
        if opened >= 0 and not ending:
            j = _next_event(text, begin, i, skip < len(skips), kinds, borders, events)
            k = j
            while k > i and text[begin + k - 1] == 32:
                k -= 1
            if k > i:
                last, newlines = k, 0
                if number and not skipping:
                    number = _is_number(text, begin + i, begin + k, kinds)
            i = j
        if i >= size:
            break
        if opened >= 0 and is_marked(borders, i):
            before, at = _put_sentence(rows, opened, last, before, out, at)
            opened, ending = -1, False
            continue
        if skip < len(skips):
            character = character_at(rows, i)
            while skip < len(skips) and skips[skip] <= character:
                skipping = skip & 1 == 0
                skip += 1
        point, after = _point(text, begin + i)
        kind = kinds[point] if point < _POINTS else _OTHER
        if kind in (_SPACE, _NEWLINE):
            newlines += kind == _NEWLINE
            if opened >= 0 and (ending or (not skipping and (newlines > 1 or (lines and newlines)))):
                before, at = _put_sentence(rows, opened, last, before, out, at)
                opened, ending = -1, False
        else:
            if ending and not (kind == _CLOSER or (kind >= _STOP and kind <= _HARD)):
                before, at = _put_sentence(rows, opened, last, before, out, at)
                opened, ending = -1, False
                continue
            newlines = 0
            if opened < 0:
                opened, number = i, True
            last = after - begin
            if not skipping:
                if kind >= _STOP and kind <= _HARD and not ending:
                    ending = kind == _HARD or _ends(
                        text,
                        begin,
                        begin + i,
                        after,
                        begin + size,
                        kind,
                        number,
                        kinds,
                        abbreviations,
                        before_numbers,
                    )
                number = number and kind in _IN_NUMBERS
        i = after - begin
    if opened >= 0:
        _, at = _put_sentence(rows, opened, last, before, out, at)
    return at


@LoopStep
def _is_plain(text: Bytes, i: int, kinds: Bytes) -> bool:
    """Whether the character at a byte is ASCII, no white space, and nothing that ends sentences."""
    return bool(text[i] < 128 and (kinds[text[i]] == _OTHER or kinds[text[i]] > _HARD))


@LoopStep
def _next_event(
    text: Bytes, begin: int, i: int, skips: bool, kinds: Bytes, borders: Words, events: Words
) -> int:
    """Return the next byte of a text that matters to a sentence which is open, or where the text ends.

    Where there are skipped parts ahead, one of them may begin or end at any byte that matters.
    """
    while True:
        i = next_place(events, i)
        if skips or text[begin + i] < 128 or is_marked(borders, i):
            return i
        point, after = _point(text, begin + i)
        if point < _POINTS and kinds[point] not in _OF_NO_ACCOUNT:
            return i
        i = after - begin


@LoopStep
def _is_number(text: Bytes, i: int, stop: int, kinds: Bytes) -> bool:
    """Whether nothing between two bytes is other than in a number; there is no digit beyond ASCII there."""
    while i < stop and text[i] < 128 and (text[i] == 32 or kinds[text[i]] in _IN_NUMBERS):
        i += 1
    return i == stop


@LoopStep
def _put_sentence(rows: Rows, opened: int, last: int, before: int, out: Bytes, at: int) -> tuple[int, int]:
    """Write a sentence between two bytes; return the character where it ends, and where the next one goes.

    `room_for_sentences` says why there is room for it.
    """
    first, end = character_at(rows, opened), character_at(rows, last)
    return end, put(out, put(out, at, first - before), end - first)


@LoopStep
def _point(text: Bytes, i: int) -> tuple[int, int]:
    """Return the character at a byte of UTF-8, and where the next one is."""
    b = int64(text[i])
    if b < 128:
        return b, i + 1
    n = len(text)
    if b < 0xE0 and i + 1 < n:
        return ((b & 31) << 6) | int64(text[i + 1] & 63), i + 2
    if b < 0xF0 and i + 2 < n:
        return ((b & 15) << 12) | (int64(text[i + 1] & 63) << 6) | int64(text[i + 2] & 63), i + 3
    return _POINTS, min(i + 4, n)


@LoopStep
def _ends(
    text: Bytes,
    begin: int,
    i: int,
    after: int,
    stop: int,
    kind: int,
    number: bool,
    kinds: Bytes,
    abbreviations: Keys,
    before_numbers: Keys,
) -> bool:
    """Whether a sentence ends with the full stop, or the like, at a byte."""
    # what follows: closing marks, then space, then the first letter or digit
    j, looked, spaces = after, 0, 0
    ahead = _OTHER
    while j < stop and looked < _LOOK:
        point, beyond = _point(text, j)
        ahead = int64(kinds[point]) if point < _POINTS else _OTHER
        if ahead in (_SPACE, _NEWLINE):
            spaces += 1
        elif ahead == _CLOSER or (ahead >= _STOP and ahead <= _SOFT and spaces == 0):
            pass
        elif ahead != _OPENER or spaces == 0:
            break
        j = beyond
        looked += 1
    if j < stop and looked < _LOOK and (spaces == 0 or ahead == _LOWER):
        return False
    if kind != _STOP:
        return True
    if number:
        return False
    # what is before: the letters of a word, or of an abbreviation with stops in it
    k = i
    if k - 1 >= begin and text[k - 1] == 32:  # texts that were cut into words: St . Louis
        k -= 1
    key, letters, size = np.uint64(0), 0, 0
    while k > begin and size < _LOOK:
        b = text[k - 1]
        small = b | 32
        if not (b >= 128 or (small >= 97 and small <= 122)):
            break
        k -= 1
        if size < 8:
            key |= np.uint64(small) << np.uint64(8 * size)
        letters += b & 0xC0 != 0x80
        size += 1
    if letters == 0:
        return True
    dotted = k > begin and text[k - 1] == 46
    if letters == 1 or (dotted and letters <= 2):
        return False  # an initial, or the end of an abbreviation such as e.g.
    if size > 8:
        return True
    if ahead == _DIGIT and _has(before_numbers, key):
        return False
    return not _has(abbreviations, key)


@LoopStep
def _has(keys: Keys, key: np.uint64) -> bool:
    """Whether a key is among others, which are in order."""
    low, high = 0, len(keys)
    while low < high:
        middle = (low + high) >> 1
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low < len(keys) and keys[low] == key


@Kernel
def decode_spans(data: Bytes, first: int, last: int, out: Codes) -> int:
    """Write beginning and end of every sentence between two bytes to `out`; return how many there are.

    A sentence has two numbers, and a number one byte at least with its highest bit set: the caller
    makes `out` as long as there are such bytes, or longer.
    """
    count, place = 0, 0
    number, shift = int64(0), 0
    for k in range(first, last):
        b = int64(data[k])
        if b < 128:
            number |= b << shift
            shift += 7
        else:
            place += number | ((b & 127) << shift)
            out[count] = place
            count += 1
            number, shift = int64(0), 0
    return count >> 1
