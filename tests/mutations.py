"""Damaged files for tests: mutations of good ones, from slips of the keyboard to the worst of all worlds."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator

Mutation = Callable[[bytes, random.Random], bytes]

# What turns up in the place of a number or a name: too large, no number, foreign digits, half a character,
# what Python would take for a number and nobody else, what XML or JSON take for something else.
ODD_WORDS = [
    b"",
    b"-1",
    b"0",
    b"X",
    b"nan",
    b"inf",
    b"1e999",
    b"1_0",
    b"0x10",
    b"3.5",
    b"?",
    b"null",
    b"true",
    b"[]",
    b"{}",
    b'"',
    b"'",
    b"#",
    b"/",
    b"//",
    b"/a[0]",
    b"/a[99999999999999999999]",
    b"/text()[1].5",
    b"<",
    b"]]>",
    b"&amp;",
    b"&nosuch;",
    b"&#0;",
    b"&#xD800;",
    b"<!--",
    b"<![CDATA[",
    b"\x00",
    b"\x1b",
    b"\x85",
    b"\xff\xfe",
    b"\xed\xa0\x80",
    b"\xf0\x9f\x98\x80",
    b"\\ud800",
    b"9223372036854775808",
    b"99999999999999999999999",
    b"1" * 5000,
    b"[" * 3000,
    "٣".encode(),
    "２".encode(),
    "é".encode("latin-1"),
    "\u2028".encode(),
    "\u00a0".encode(),
]
ENCODINGS = [
    b"utf-8",
    b"latin-1",
    b"utf-16",
    b"shift_jis",
    b"base64",
    b"idna",
    b"punycode",
    b"nosuch",
    b"utf-7",
]


def _truncate(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data))]


def _flip_bits(data: bytes, chance: random.Random) -> bytes:
    damaged = bytearray(data)
    for _ in range(chance.randint(1, 5)):
        damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
    return bytes(damaged)


def _odd_word(data: bytes, chance: random.Random) -> bytes:
    """Put an odd word in the place of a number or a name."""
    words = list(re.finditer(rb"[^\s<>\"'=:,{}]+", data))
    if not words:
        return _odd_insertion(data, chance)
    word = chance.choice(words)
    return data[: word.start()] + chance.choice(ODD_WORDS) + data[word.end() :]


def _odd_insertion(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data))
    return data[:at] + chance.choice(ODD_WORDS) + data[at:]


def _repeat_piece(data: bytes, chance: random.Random) -> bytes:
    start = chance.randrange(len(data))
    piece = data[start : start + chance.choice((1, 10, 100))]
    return data[:start] + piece * chance.choice((2, 3, 50)) + data[start:]


def _delete_piece(data: bytes, chance: random.Random) -> bytes:
    start = chance.randrange(len(data))
    return data[:start] + data[start + chance.choice((1, 2, 10, 100)) :]


def _move_line(data: bytes, chance: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    line = lines.pop(chance.randrange(len(lines)))
    lines.insert(chance.randrange(len(lines) + 1), line)
    return b"".join(lines)


def _delete_column(data: bytes, chance: random.Random) -> bytes:
    lines = data.splitlines()
    at = chance.randrange(len(lines))
    columns = lines[at].split() or [b""]
    del columns[chance.randrange(len(columns))]
    return b"\n".join([*lines[:at], b" ".join(columns), *lines[at + 1 :]])


def _other_encoding(data: bytes, chance: random.Random) -> bytes:
    """Declare another encoding, write in another encoding, or both."""
    text = data.decode("utf-8", errors="replace")
    name = chance.choice(ENCODINGS)
    declared = re.sub(r"^<\?xml[^>]*\?>", "", text)
    if chance.random() < 0.5:
        declared = f"<?xml version='1.0' encoding='{name.decode()}'?>{declared}"
    written = chance.choice(("utf-8", "utf-8-sig", "utf-16", "utf-32", "latin-1"))
    return declared.encode(written, errors="replace")


MUTATIONS: list[Mutation] = [
    _truncate,
    _flip_bits,
    _odd_word,
    _odd_word,
    _odd_insertion,
    _repeat_piece,
    _delete_piece,
    _move_line,
    _delete_column,
    _other_encoding,
]


def mutated(data: bytes, seed: str, count: int = 150) -> Iterator[bytes]:
    """Yield damaged versions of a file, the same ones for the same seed."""
    chance = random.Random(seed)
    for number in range(count):
        damaged = MUTATIONS[number % len(MUTATIONS)](data, chance)
        if chance.random() < 0.2 and damaged:
            damaged = chance.choice(MUTATIONS)(damaged, chance)
        yield damaged
