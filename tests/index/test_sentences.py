"""Sentences: a table of cases, what must hold of any text, and room for the worst of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.index.build import build_index
from inexlab.index.index import open_index
from inexlab.index.rows import (
    _ASCII,
    _BEYOND,
    BLOCK,
    character_at,
    is_marked,
    look_at,
    make_rows,
    mark,
    room_for_marks,
)
from inexlab.index.sentences import (
    _OF_NO_ACCOUNT,
    _ends,
    decode_spans,
    find_all,
    room_for_sentences,
    sentence_tables,
    sentences,
)
from tests.bounds import checked_bounds
from tests.examples import examples


def cut(text: str, borders: Sequence[int] = (), *, lines: bool = False) -> list[str]:
    return [text[start:end] for start, end in sentences(text, borders, lines=lines)]


CASES = [
    "Bees dance.| They do so.",
    "Is it so?| Yes!| “It is.”| (So be it.)| He left.",
    "As Smith et al. (2001) saw.| So it was.",
    "See Fig. 3 and Figs. 4–5, e.g. in the U.S. Army, i.e. there.| Then go.",
    "Dr. J. R. Smith paid $3.14 to Mrs. Jones at 5 p.m. yesterday.",
    "1. Introduction to bees.| 2. Methods.",
    "It was No. 5.| No.| He said no.| They met in Jan. 2009.| It rained.",
    "Wait... what?| Hmm…| No way.",
    "the end. of a sentence in lower case goes on",
    "He asked “why?” and left.| She stayed.",
    "one two, three; four: five",
    "東京は大きい。|「そうだ。」|はい！|いいえ",
    "यह है।| वह है।",
    "هل هذا؟| نعم.",
    "ሰላም።| እንዴት ነህ፧",
    "Это дом.| Там кот.| А. С. Пушкин жил.",
    "Das kostet z.B. 5 Euro.| Vgl. Seite 3.| Ende.",
    "The game ended .| The St . Louis team won 3 @.@ 5 .",
    "One.\n\n|Two goes\non.",
]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("compiled", ["always", "never"])
def test_sentences(case: str, compiled: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INEXLAB_COMPILED", compiled)
    assert cut(case.replace("|", "")) == [part.strip() for part in case.split("|")]


def test_borders_of_blocks_end_sentences() -> None:
    assert cut("on bees and wax", [3, 7]) == ["on", "bees", "and wax"]
    assert cut("BeesWax", [4]) == ["Bees", "Wax"]


def test_lines_end_sentences_in_plain_text() -> None:
    assert cut("one\ntwo three\n") == ["one\ntwo three"]
    assert cut("one\ntwo three\n", lines=True) == ["one", "two three"]


def test_skipped_parts_end_nothing() -> None:
    text = "See bees <A. B. Ce! Dd> there. Then."
    assert [text[a:b] for a, b in sentences(text, skipped=[(9, 23)])] == [
        "See bees <A. B. Ce! Dd> there.",
        "Then.",
    ]


TEXTS = st.text(
    st.one_of(st.sampled_from(" \n.!?aAé1()“”。।…\u3000"), st.characters(exclude_categories=["Cs"])),
    max_size=60,
)


@examples(100)
@given(text=TEXTS, data=st.data())
def test_every_character_but_space_is_in_one_sentence(text: str, data: st.DataObject) -> None:
    borders = data.draw(st.lists(st.integers(0, len(text)), max_size=4))
    found = sentences(text, borders)
    inside = "".join(text[start:end] for start, end in found)
    assert [c for c in inside if not c.isspace()] == [c for c in text if not c.isspace()]
    assert all(text[a:b].strip() == text[a:b] != "" for a, b in found)
    assert all(one.end <= other.start for one, other in pairwise(found))
    for border in borders:
        assert not any(start < border < end for start, end in found)


SPACE, NEWLINE, STOP, HARD, CLOSER, OPENER, DIGIT = 1, 2, 3, 5, 6, 7, 9


def one_by_one(text: str, borders: Sequence[int], skips: Sequence[int], lines: bool) -> list[tuple[int, int]]:
    """The same sentences, by looking at every character."""
    tables = sentence_tables()
    data = np.frombuffer(text.encode() + bytes(64), dtype=np.uint8)
    places = np.cumsum([0, *(len(c.encode()) for c in text)]).tolist()
    found: list[tuple[int, int]] = []
    opened, last, newlines = -1, 0, 0
    ending, skipping, number = False, False, True

    def close() -> None:
        nonlocal opened, ending
        if opened >= 0:
            found.append((opened, last))
        opened, ending = -1, False

    for c, character in enumerate(text):
        if c in borders:
            close()
        for k, skip in enumerate(skips):
            if skip == c:
                skipping = k % 2 == 0
        kind = int(tables[0][ord(character)]) if ord(character) < 1 << 16 else 0
        if kind in (SPACE, NEWLINE):
            newlines += kind == NEWLINE
            if ending or (not skipping and (newlines > 1 or (lines and newlines))):
                close()
            continue
        if ending and kind != CLOSER and not STOP <= kind <= HARD:
            close()
        newlines = 0
        if opened < 0:
            opened, number = c, True
        last = c + 1
        if not skipping:
            if STOP <= kind <= HARD and not ending:
                ending = kind == HARD or _ends(
                    data, 0, places[c], places[c + 1], places[-1], kind, number, *tables
                )
            number = number and kind in (DIGIT, STOP, OPENER, CLOSER)
    close()
    return found


LONG_TEXTS = st.lists(
    st.one_of(
        st.sampled_from(
            ["a", "Bee ", "été ", "1", ". ", ".", " ", "\n", "\n\n", "!", "”", "“", "。", "७", "\xa0"]
        ),
        st.text(max_size=3),
        st.sampled_from(["wax " * 17, "é" * 40, "京" * 25, "ж𝒳 " * 15, " " * 70, "J. ", "et al. ", "(1). "]),
    ),
    max_size=30,
).map(lambda parts: "".join(parts).encode(errors="ignore").decode())


@examples(300)
@given(text=LONG_TEXTS, lines=st.booleans(), data=st.data())
def test_sentences_are_those_found_character_by_character(
    text: str, lines: bool, data: st.DataObject
) -> None:
    places = st.lists(st.integers(0, len(text)), max_size=6)
    borders = data.draw(places)
    skips = sorted(set(data.draw(places)))
    skips = skips[: len(skips) // 2 * 2]
    parts = list(zip(skips[::2], skips[1::2], strict=True))
    expected = one_by_one(text, borders, skips, lines)
    for compiled in ("always", "never"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("INEXLAB_COMPILED", compiled)
            assert sentences(text, borders, skipped=parts, lines=lines) == expected


def test_bytes_that_do_not_matter_begin_no_character_that_does() -> None:
    """Those are left out of the rows: all that they begin is a letter, or of no account."""
    kinds, ranges = sentence_tables()[0], (*_ASCII, *_BEYOND)
    for point in (*range(0xD800), *range(0xE000, 1 << 16)):
        first = chr(point).encode()[0]
        if point != 32 and not any(low <= first <= high for low, high in ranges):
            allowed = _OF_NO_ACCOUNT if point > 127 else (*_OF_NO_ACCOUNT, DIGIT, CLOSER, OPENER)
            assert kinds[point] in allowed, hex(point)


@pytest.mark.parametrize("size", [0, 1, 62, 63, 64, 65, 127, 128])
@pytest.mark.parametrize("character", ["a", "é", "京", "𝒳"])
def test_characters_and_bytes(size: int, character: str) -> None:
    text = ("a" * size + character) * 3
    data = text.encode()
    marks = np.zeros(room_for_marks(len(text)), dtype=np.uint64)
    places = [k for k in range(len(text)) if k % 7 < 2]
    for k in (*places, len(text)):
        mark(marks, k)
    rows = make_rows(len(data))
    with checked_bounds():
        padded = np.frombuffer(data + "é".encode() * (BLOCK // 2), dtype=np.uint8)
        look_at(padded, 0, len(data), marks, np.array(places[::3]), rows)
        starts = [len(text[:k].encode()) for k in range(len(text) + 1)]
        assert [character_at(rows, start) for start in starts] == list(range(len(text) + 1))
        borders = [k for k in range(len(data) + 1) if is_marked(rows[2], k)]
    assert borders == [starts[k] for k in (*places, len(text))]


@pytest.mark.parametrize(
    "text", ["", "a", "。" * 50, "a。" * 40, "a" * 300, " " * 300 + "a", "a\n\n" * 30, "𝒳。" * 9]
)
def test_there_is_room_for_the_worst(text: str) -> None:
    """In plain Python writing beyond an array is an error."""
    borders = np.arange(len(text) + 1)  # at every character
    data = np.frombuffer(text.encode() + bytes(BLOCK), dtype=np.uint8)
    out = np.empty(room_for_sentences(len(text)), dtype=np.uint8)
    none = np.empty(0, dtype=np.int64)
    with checked_bounds():
        size = find_all(data, len(data) - BLOCK, len(text), borders, none, True, *sentence_tables(), out)
    spans = np.empty(int(np.count_nonzero(out[:size] > 127)), dtype=np.int32)
    assert decode_spans(out, 0, size, spans) == sum(not c.isspace() for c in text)


def test_an_index_knows_where_tokens_and_sentences_are(tmp_path: Path) -> None:
    documents = {
        "a.xml": "<r><p>É bee. Wax!</p><p>é <b>x</b>y</p></r>",
        "b.txt": "One two\nthree\n",
        "c.xml": "<r/>",
    }
    build_index([(name[0], name, text.encode()) for name, text in documents.items()], tmp_path / "index")
    index = open_index(tmp_path / "index")
    starts_from, sentences_from = (
        index.array(f"document-{n}").tolist() for n in ("token-starts", "sentences")
    )
    found = []
    for d in range(3):
        spans = np.empty(100, dtype=np.int32)
        count = decode_spans(index.array("sentences"), sentences_from[d], sentences_from[d + 1], spans)
        text = index.text(d)
        found.append([text[a:b] for a, b in spans[: 2 * count].reshape(-1, 2).tolist()])
    assert found == [["É bee.", "Wax!", "é", "x", "y"], ["One two", "three"], []]
    distances = index.array("token-starts")[: starts_from[1]] & 127
    assert [index.text(0)[at] for at in np.cumsum(distances).tolist()] == ["É", "b", "W", "é", "x", "y"]


@pytest.mark.parametrize("text", ["", "a", "a b c d", "é é é", "東京都", "a" + " " * 400 + "b"])
def test_there_is_room_for_all_tokens(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INEXLAB_COMPILED", "never")
    build_index([("d", "d.xml", f"<r>{text}</r>".encode())], tmp_path / "index")
    starts = open_index(tmp_path / "index").array("token-starts")
    assert len(starts) <= len(text) + 1
