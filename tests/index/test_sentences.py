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
from inexlab.index.sentences import (
    decode_spans,
    find_sentences,
    room_for_sentences,
    sentence_tables,
    sentences,
)
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


@examples(40)
@given(text=TEXTS)
def test_compiled_or_not_sentences_are_the_same(text: str) -> None:
    data = np.frombuffer(text.encode(), dtype=np.uint8)
    marks = np.zeros(len(text) + 1, dtype=np.uint8)
    found = []
    for find in (find_sentences.plain, find_sentences.compiled):
        out = np.zeros(room_for_sentences(len(text)), dtype=np.uint8)
        size = find(data, 0, len(data), marks, False, *sentence_tables(), out, 0)
        found.append(out[:size].tolist())
    assert found[0] == found[1]


@pytest.mark.parametrize(
    "text", ["", "a", "。" * 50, "a。" * 40, "a" * 300, " " * 300 + "a", "a\n\n" * 30, "𝒳。" * 9]
)
def test_there_is_room_for_the_worst(text: str) -> None:
    """In plain Python writing beyond an array is an error."""
    marks = np.ones(len(text) + 1, dtype=np.uint8)  # a border at every character
    data = np.frombuffer(text.encode(), dtype=np.uint8)
    out = np.empty(room_for_sentences(len(text)), dtype=np.uint8)
    size = find_sentences(data, 0, len(data), marks, True, *sentence_tables(), out, 0)
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
