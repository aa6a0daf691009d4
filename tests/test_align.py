"""Quotes in their documents: by hand, and on texts with repeats, changed white space, Unicode and edits."""

from __future__ import annotations

import random
import time
import unicodedata

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from inexlab.align import HIGH, Placed, SourceText

few = settings(deadline=None, max_examples=40)
SOURCE = "The cat sat on the mat.\n\nThe dog  sat on the\tlog. The cat sat on the mat."


def test_an_exact_quote_is_sure() -> None:
    assert SourceText(SOURCE).place("dog  sat") == Placed(29, 37, 1.0, "exact")


def test_white_space_does_not_matter() -> None:
    assert SourceText(SOURCE).place("dog\nsat on the log") == Placed(29, 48, 0.95, "white space")


def test_a_text_that_is_there_twice_is_half_as_sure() -> None:
    assert SourceText(SOURCE).place("The cat sat on the mat.") == Placed(0, 23, 0.5, "exact")


def test_a_stated_place_holds_if_it_is_true() -> None:
    text = SourceText(SOURCE)
    assert text.place("The cat sat on the mat.", (50, None)) == Placed(50, 73, 1.0, "stated")
    assert text.place("The cat sat on the mat.", (50, 73)) == Placed(50, 73, 1.0, "stated")
    # else it only says which of several is meant, and is not sure
    assert text.place("The cat sat on the mat.", (48, None)) == Placed(50, 73, 0.5, "exact")
    assert text.place("dog  sat", (-1, None)) == Placed(29, 37, 1.0, "exact")


def test_words_are_found_whatever_their_case_accents_and_punctuation() -> None:
    text = SourceText("Où est le cafe\u0301 – «là-bas»? Nobody knows where it is, they say.")
    found = text.place("ou nobody knows where IT is")
    assert found is not None
    assert (found.start, found.end, found.how) == (28, 52, "words")
    found = text.place("le café, là bas nobody")
    assert found is not None
    assert (found.start, found.end) == (7, 34)


def test_of_repeated_words_those_are_taken_that_stand_together() -> None:
    for quote, start, end in (("the dog sat", 14, 25), ("the cat sat", 0, 11)):
        found = SourceText("The cat sat.  The dog sat.").place(quote)
        assert found is not None
        assert (found.start, found.end) == (start, end)


def test_what_is_not_there_has_no_place() -> None:
    for quote in ("a horse rode over the green hill", "", "  ", "the the the the the", "horse"):
        assert SourceText(SOURCE).place(quote) is None


def test_an_empty_document_has_no_places() -> None:
    assert SourceText("").place("a quote") is None
    assert SourceText("").place_in_order(["a", "b"]) == [None, None]


def test_order_tells_repeated_texts_apart() -> None:
    chunks = ["The cat sat on the mat.", "The dog  sat on the\tlog.", "The cat sat on the mat."]
    placed = SourceText(SOURCE).place_in_order(chunks)
    assert placed == [Placed(0, 23, 1.0, "exact"), Placed(25, 49, 1.0, "exact"), Placed(50, 73, 1.0, "exact")]


def test_out_of_order_each_is_placed_by_itself() -> None:
    placed = SourceText(SOURCE).place_in_order(["on the\tlog", "The dog"])
    assert [one and one[:3] for one in placed] == [(38, 48, 1.0), (25, 32, 1.0)]


def test_the_only_exact_place_is_not_sure_where_white_space_may_have_been_changed() -> None:
    found = SourceText("a b c\nd e f. a b c d e f.").place("a b c d e f.")
    assert found is not None
    assert found[:2] == (13, 25)
    assert found.confidence < HIGH


# Texts of few words, so that repeats are the rule.

WORDS = st.lists(
    st.sampled_from(["one", "two", "Three", "four,", "five.", "six", "é"]), min_size=4, max_size=60
)
GAPS = st.sampled_from([" ", "  ", "\n", "\n\n", "\t"])


@st.composite
def texts(draw: st.DrawFn) -> str:
    words = draw(WORDS)
    some = "".join(word + draw(GAPS) for word in words)
    return some + some[: draw(st.integers(0, len(some)))]  # with a long repeated passage


@st.composite
def quoted(draw: st.DrawFn) -> tuple[str, int, int]:
    """A text, and a stretch of it that begins and ends with a character."""
    text = draw(texts())
    start = draw(st.integers(0, len(text) - 1))
    end = draw(st.integers(start + 1, len(text)))
    core = text[start:end].strip()
    assume(core)
    start = text.index(core, start)
    return text, start, start + len(core)


def _right_or_unsure(found: Placed | None, start: int, end: int) -> None:
    if found is not None and found.confidence >= HIGH:
        # words are whole: one that the quote has a part of may be missing
        cut = 5 if found.how == "words" else 0
        assert abs(found.start - start) <= cut
        assert abs(found.end - end) <= cut


@few
@given(quoted())
def test_a_quote_is_placed_right_or_in_doubt(case: tuple[str, int, int]) -> None:
    text, start, end = case
    found = SourceText(text).place(text[start:end])
    assert found is not None
    assert text[found.start : found.end] == text[start:end]
    _right_or_unsure(found, start, end)


@few
@given(quoted(), st.data())
def test_changed_white_space_is_placed_right_or_in_doubt(
    case: tuple[str, int, int], data: st.DataObject
) -> None:
    text, start, end = case
    quote = data.draw(GAPS).join(text[start:end].split())
    found = SourceText(text).place(quote)
    assert found is not None
    assert text[found.start : found.end].split() == quote.split()
    _right_or_unsure(found, start, end)


@few
@given(quoted(), st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]))
def test_another_encoding_of_accents_is_placed_right_or_in_doubt(
    case: tuple[str, int, int], form: str
) -> None:
    text, start, end = case
    quote = unicodedata.normalize(form, text[start:end])  # type: ignore[arg-type]
    _right_or_unsure(SourceText(text).place(quote), start, end)


VOCABULARY = [f"w{k}" for k in range(400)]


@few
@given(st.integers(0, 10**6), st.integers(8, 40), st.integers(0, 3))
def test_edited_quotes_are_placed_near_the_right_place_or_in_doubt(seed: int, size: int, edits: int) -> None:
    """A passage is in the text three times, with one word changed in each; the quote is edited, too."""
    chance = random.Random(seed)
    passage = [chance.choice(VOCABULARY) for _ in range(size)]
    text, begins = "", []
    for _ in range(3):
        copy = list(passage)
        copy[chance.randrange(size)] = "other"
        text += " ".join(chance.choice(VOCABULARY) for _ in range(chance.randrange(30))) + " "
        begins.append((len(text), len(text) + len(" ".join(copy))))
        text += " ".join(copy) + " "
    start, end = begins[chance.randrange(3)]
    words = text[start:end].split()
    for _ in range(edits):
        words[chance.randrange(len(words))] = f"edited{chance.randrange(9)}"
    quote = " ".join(words)
    assume(edits or text.count(quote) == 1)
    found = SourceText(text).place(quote)
    if found is not None and found.confidence >= HIGH:
        assert abs(found.start - start) < 40
        assert abs(found.end - end) < 40


@few
@given(texts(), st.integers(3, 30), st.integers(1, 30))
def test_chunks_in_order_are_placed_right_or_in_doubt(text: str, size: int, step: int) -> None:
    places = [(at, min(at + size, len(text))) for at in range(0, len(text), min(step, size))]
    places = [(a, b) for a, b in places if text[a:b].strip()]
    placed = SourceText(text).place_in_order([text[a:b] for a, b in places])
    for found, (start, end) in zip(placed, places, strict=True):
        assert found is not None
        assert text[found.start : found.end] == text[start:end]
        _right_or_unsure(found, start, end)


@pytest.mark.parametrize("word", ["x" * 10 + " ", "lorem ipsum dolor sit amet "])
def test_a_text_that_repeats_itself_takes_no_long_time(word: str) -> None:
    text = word * (200_000 // len(word))
    begin = time.process_time()
    placed = SourceText(text).place_in_order([text[at : at + 400] for at in range(0, 40_000, 400)])
    assert all(placed)
    assert time.process_time() - begin < 5
