"""Traits of characters, asked of many words at once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from inexlab.index.analysis.traits import Trait, spelled

WORDS = st.lists(st.text(max_size=6).map(lambda word: word.replace("\n", "")), max_size=6)


def test_a_worked_example() -> None:
    words = spelled(["ab", "", "x1", "1𐐷1"])
    digits = Trait(str.isdecimal)
    assert words.lengths.tolist() == [2, 0, 2, 3]
    assert digits.words(words) == [2, 3]
    assert digits.characters(words) == ["1"]
    assert digits("7")
    assert not digits("x")


def test_a_character_is_asked_about_once() -> None:
    asked: list[str] = []

    def has(character: str) -> bool:
        asked.append(character)
        return False

    trait = Trait(has)
    for _ in range(2):
        assert trait.words(spelled(["abba", "b"])) == []
    assert asked == ["a", "b"]


@given(WORDS, st.characters())
def test_words_are_those_that_have_it(words: list[str], border: str) -> None:
    trait = Trait(lambda character: character >= border)
    found = spelled(words)
    assert found.lengths.tolist() == [len(word) for word in words]
    assert trait.words(found) == [k for k, word in enumerate(words) if any(c >= border for c in word)]
    assert trait.characters(found) == sorted({c for word in words for c in word if c >= border})
