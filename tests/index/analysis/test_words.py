"""Words: the plain definition by a table, by properties, and against ICU's word borders."""

from __future__ import annotations

import json
import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from inexlab.index.analysis.character_classes import (
    IGNORED,
    LETTER,
    MARK,
    NOTHING,
    RUN,
    SYMBOL,
    class_of,
)
from inexlab.index.analysis.folding import all_folded, folded
from inexlab.index.analysis.words import (
    LONGEST,
    all_composed,
    composed,
    cut,
    normalised,
    shapes,
    tokens,
    words,
)
from inexlab.topics.nexi import SYMBOLS_OF_LETTERS
from tests.examples import examples

TABLE = Path(__file__).parent / "scripts.txt"
BORDERS = Path(__file__).parent / "icu_words.json"
TEXT = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cs"]),
        st.sampled_from("aZ09.,+#'-_ éß\u0301\u00ad\u200bΣςᾳ東京カﾊﾟไท\u0e48กำຫນໜ⽇㎏⑴हिन्दीİıＡ１ﬁﷺ½Ꭰꭰ"),
    ),
    max_size=30,
)


def rows() -> list[tuple[str, str, str, str]]:
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    found = [line.split("|") for line in lines if line and not line.startswith("#")]
    return [
        (script.strip(), text.strip(), words.strip(), plain.strip()) for script, text, words, plain in found
    ]


def test_the_table_has_a_hundred_words_of_twenty_scripts() -> None:
    assert len(rows()) >= 100
    assert len({script for script, *_ in rows()}) >= 20


@pytest.mark.parametrize(("script", "text", "expected", "plain"), rows())
def test_words_of_many_scripts(script: str, text: str, expected: str, plain: str) -> None:
    text = re.sub(r"\\u(....)", lambda found: chr(int(found[1], 16)), text)
    assert tokens(text) == expected.split(), script
    assert [folded(token) for token in tokens(text)] == (plain or expected).split(), script


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("don't", ["don", "t"]),
        ("e.g.", ["e", "g"]),
        ("C++", ["c++"]),
        ("C++11 and C#.", ["c++11", "and", "c#"]),
        ("a++b /c#d C#8", ["a", "b", "c", "d", "c", "8"]),
        ("(C++)", ["c++"]),
        ("xC++, é++, a+b", ["xc", "é", "a", "b"]),
        ("東C++", ["東", "c++"]),
        ("3.14", ["3.14"]),
        ("1,000,000.5, 7. .5", ["1,000,000.5", "7", "5"]),
        ("α-helix", ["α", "helix"]),
        ("p53", ["p53"]),
        ("state-of-the-art", ["state", "of", "the", "art"]),
        ("10.7554/eLife.00003", ["10.7554", "elife", "00003"]),
        ("infor\u00admation", ["information"]),
        ("zero\u200bwidth\u200djoined\ufeff", ["zerowidthjoined"]),
        ("cafe\u0301 CAFÉ", ["café", "café"]),
        ("Straße STRASSE", ["strasse", "strasse"]),
        ("東京都に", ["東京", "京都", "都に", "に"]),
        ("東", ["東"]),
        ("e\u00ad\u00ad \u00ad \u200b", ["e"]),
        # signs that Unicode joins to letters and digits
        ('1;2 צה"ל a׳b a־b', ["1", "2", "צה", "ל", "a", "b", "a", "b"]),
        ("a\u202fb \u060012 x\u06dd3 x\u070fy", ["a", "b", "12", "x", "3", "x", "y"]),
        ("x˒y a꞉b", ["x", "y", "a", "b"]),
        # characters that stand for several words
        ("㍿ ½ coŀlecció ﷺ ℀ ㎧", ["株式会社", "1⁄2", "col·lecció", "صلى الله عليه وسلم"]),
        ("\u0301a \u093ea", ["a", "a"]),  # a mark belongs to what is before it
        ("x =\u0338b a\u0338", ["x", "b", "a\u0338"]),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


@given(TEXT)
@example("ﷺ" * 20)
@example("ΐ" * 40)
@examples(150)
def test_any_text(text: str) -> None:
    found = words(text)
    assert found == words(text)
    covered = set()
    for word in found:
        raw = text[word.start : word.end]
        assert word.token == normalised(raw)  # offsets point at the characters it came from
        assert word.token == composed(word.token) == normalised(word.token)  # once is enough
        assert 0 < len(word.token.encode()) <= LONGEST
        assert folded(folded(word.token)) == folded(word.token)
        covered |= set(range(word.start, word.end))
    for place, character in enumerate(text):
        if class_of(character) not in (NOTHING, IGNORED, MARK):
            assert place in covered  # no letter is lost
        if class_of(character) == MARK and place - 1 in covered and class_of(text[place - 1]) != SYMBOL:
            assert place in covered
    starts = [word.start for word in found]
    assert starts == sorted(set(starts))


@given(st.text(st.characters(categories=["L", "M", "Zs"]), max_size=30))
@example("대한민국헌법재판소")
@example("é" * 25)
@example("\U0001d6ca\u0308\u0301" * 40)
@example("a" * 60 + "é")
@examples(100)
def test_how_letters_are_written_does_not_matter(text: str) -> None:
    composed_text = unicodedata.normalize("NFC", text)
    assert tokens(unicodedata.normalize("NFD", text)) == tokens(composed_text)


def test_what_compatibility_composition_makes_the_same_is_the_same() -> None:
    """For every character, between letters and spaces, but for those that stand for several."""
    for point in range(0xA0, 0x33FF):
        character = chr(point)
        form = unicodedata.normalize("NFKC", character)
        if form == character or class_of(character) in (NOTHING, IGNORED, MARK):
            continue
        for text in (f"{character} ", f"a {character}a", f"東{character}京", f"a{character} "):
            same = tokens(text) == tokens(text.replace(character, form))
            assert same or len(form) > 1, (hex(point), text)


@pytest.mark.parametrize("character", ["℗", "℠", "™", "℀", "½", "㏂", "☎"])
def test_symbols_that_are_no_words(character: str) -> None:
    assert class_of(character) == (LETTER if character == "½" else NOTHING)


def test_queries_may_begin_with_symbols_of_letters() -> None:
    """The parser of queries, which lies below, knows the same symbols."""
    for point in range(0xA0, 0x20000):
        character = chr(point)
        if unicodedata.category(character)[0] == "S":
            is_word = class_of(character) in (LETTER, RUN, SYMBOL)
            assert is_word == (character in SYMBOLS_OF_LETTERS), hex(point)


@given(st.lists(TEXT.map(lambda text: text.replace("\n", "")), max_size=8))
@example([])
@example(["a", "\u0301", "e\u0301e\u0301", "ﬁﬁ", "ʼ", "zé"])
def test_many_words_at_once_are_as_each_by_itself(raw: list[str]) -> None:
    assert all_composed(raw) == [composed(word) for word in raw]
    forms = [normalised(word) for word in raw]
    assert all_folded(forms) == [folded(form) for form in forms]


def test_what_is_left_of_a_letter_stays() -> None:
    letters = [chr(point) for point in range(0x2000) if chr(point).isalpha()]
    left = [folded(letter) for letter in letters]
    assert sum(a != b for a, b in zip(letters, left, strict=True)) > 800
    assert all_folded(left) == left


@given(st.lists(st.sampled_from("東京都に住むカタไทยก"), min_size=1, max_size=12).map("".join))
def test_every_letter_of_a_run_begins_a_word(run: str) -> None:
    found = words(run)
    assert [word.start for word in found] == list(range(len(run)))
    assert [word.end for word in found] == [min(k + 2, len(run)) for k in range(len(run))]


# Where we part from ICU, by the characters: signs inside words, which ICU joins to letters, digits and one
# another; digits that are not decimal digits; marks without a letter; and signs that we join to a letter.
JOINED_BY_ICU = set("'’.:·_,;᛫־׳״᾽·\"")


@pytest.mark.parametrize(
    "known", json.loads(BORDERS.read_text(encoding="utf-8"))["texts"], ids=lambda known: known["text"][:20]
)
def test_borders_are_those_of_icu(known: dict[str, object]) -> None:
    """But for signs, all of which end words here: what ICU sees as one word is cut there."""
    text = str(known["text"])
    shape = shapes(text)
    expected = []
    for start, end in known["words"]:  # type: ignore[attr-defined]
        inside = {text[k] for k in range(start, end) if shape[k] == " "}
        assert inside <= JOINED_BY_ICU
        expected += [(start + a, start + b) for a, b in cut(shape[start:end])]
    ours = [(a, b) for a, b in cut(shape)]
    assert [_trimmed(text, *span) for span in ours] == [_trimmed(text, *span) for span in expected]


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Leave out what is ignored at the end of a word."""
    while end > start and unicodedata.category(text[end - 1]) == "Cf":
        end -= 1
    return start, end
