"""However a word is written, it is found: runs of letters, symbols, marks, what Unicode calls the same."""

from __future__ import annotations

import unicodedata
from typing import Literal
from xml.sax.saxutils import escape

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from inexlab.api.searching import search
from inexlab.errors import UnknownNameError
from inexlab.index.analysis.character_classes import LETTER, RUN, SYMBOL, character_classes
from inexlab.index.analysis.languages import LANGUAGES
from inexlab.index.analysis.words import words
from inexlab.index.build import Settings
from inexlab.retrieval.terms import query_analyser, query_terms
from tests.examples import examples
from tests.retrieval.test_languages import found, indexed
from tests.retrieval.trees import PROFILE, terms


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("東京2020大会", "東京2020"),
        ("東京2020大会", "東京2020大会"),
        ("東京、大阪", "東京、大阪"),
        ("東京大会", '"東京 大会"'),
        ("東京 大会", '"東京 大会"'),
        ("東京の大会 in 東京", '"in 東京"'),
        ("ภาษาไทย 2", '"ไทย 2"'),
    ],
)
def test_a_run_inside_a_phrase(text: str, query: str) -> None:
    """The letter that ends a run has a place of its own in an index."""
    with indexed(f"<a>{text}</a>", "<a>東京</a>") as index:
        assert found(index, f"+{query}") == ["d0"]
        assert "d0" not in found(index, f"東京 ไทย -{query}")


def test_the_last_letter_of_a_run_is_no_word_of_a_query() -> None:
    with indexed("<a>東京2020</a>", "<a>京</a>") as index:
        assert query_terms(index, terms("東京2020")).names == ("東京", "2020", "東京 京 2020")
        assert found(index, "東京2020") == ["d0"]
        [hit] = search(index, "東京2020")
        assert [hit.snippet[a:b] for a, b in hit.marks] == ["東京", "2020"]


def test_of_a_pair_the_letter_is_marked_that_was_asked_for() -> None:
    with indexed("<a>東京都に住む 都合 น้ำใจ</a>") as index:
        expected = {"都": ["都", "都"], "東 京都": ["東", "京都"], "น้": ["น้"], "都合": ["都合"]}
        for query, marked in expected.items():
            [hit] = search(index, query)
            assert [hit.snippet[a:b] for a, b in hit.marks] == marked, query


SAME = [
    ("⽇本", "日本"),
    ("5 ㎏", "kg"),
    ("5㎏", "㎏"),
    ("ໜັງສື", "ຫນັງສື"),
    ("ຫນັງສື", "ໜັງສື"),
    ("ໜັງສື", "ສື"),
    ("น้ำ", "น้\u0e4d\u0e32"),
    ("น้\u0e4d\u0e32", "น้ำ"),
    ("ถ้ำมอง", "\u0e32มอง"),
    ("20℃", "20 °C"),
    ("㈱日立", "日立"),
    ("㈱日立", "(株)日立"),
    ("Ⓚ", "k"),
    ("№ 5", "No 5"),
    ("1\ufe0f\u20e3", "1"),
    ("x =\u0338b", "b"),
    ("\u093eab", "ab"),
    ("Hawaiʻi", "hawaii"),
    ("é" * 25, unicodedata.normalize("NFD", "é" * 25)),
    ("대한민국헌법재판소", unicodedata.normalize("NFD", "대한민국헌법재판소")),
    (unicodedata.normalize("NFD", "대한민국헌법재판소"), "대한민국헌법재판소"),
]


@pytest.mark.parametrize(("text", "query"), SAME)
def test_what_is_the_same_is_found(text: str, query: str) -> None:
    with indexed("<a>other words</a>", f"<a xml:lang='zxx'>{text}</a>") as index:
        assert found(index, f'+"{query}"') == ["d1"]


def test_texts_that_differ_in_vowels_are_no_duplicates() -> None:
    with indexed("<a>किला पक्का</a>", "<a>केला पक्का</a>", "<a>㎏</a>", "<a>㎏㎝</a>", "<a>㎏!</a>") as index:
        assert set(found(index, "पक्का")) == {"d0", "d1"}
        assert set(found(index, "kg")) == {"d2", "d3"}


def test_symbols_of_letters_in_any_query() -> None:
    """Also in one that cannot be parsed."""
    with indexed("<a>⽇本</a>", "<a>本</a>") as index:
        assert found(index, "[⽇本") == found(index, "日本") == ["d0"]


def test_a_trade_mark_is_not_part_of_a_name() -> None:
    with indexed("<a>Lipofectamine™ 2000</a>") as index:
        assert found(index, '+"lipofectamine 2000"') == found(index, "Lipofectamine™") == ["d0"]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("el", "της τους τις ως μας σας"),
        ("fr", "été à été à été"),
        ("yi", "פֿאַר דאָס האָט אַן"),
    ],
)
def test_the_language_is_guessed_however_it_is_written(
    form: Literal["NFC", "NFD"], code: str, text: str
) -> None:
    with indexed(f"<a>{unicodedata.normalize(form, text)}</a>") as index:
        assert list(index.languages) == [code]


def test_the_language_is_guessed_from_letters_that_are_composed_no_more() -> None:
    with indexed("<a>נ\ufb2fך ד\ufb2fס \ufb2eן</a>") as index:
        assert list(index.languages) == ["yi"]


def test_given_stop_words_may_have_digits_and_signs() -> None:
    given = Settings(PROFILE, "en", stop_words=frozenset({"2nd", "C#", "the"}))
    with indexed("<a>the 2nd house of C# code</a>", given=given) as index:
        assert set(index.terms) == {"\x01the", "\x012nd", "hous", "of", "\x01c#", "code"}
        assert found(index, '+"2nd house"') == found(index, '+"C# code"') == ["d0"]
        assert found(index, "2nd") == []


def test_a_query_is_in_any_language_that_the_index_has() -> None:
    """With a stemmer or without."""
    with indexed("<a xml:lang='grc'>μῆνιν</a>", "<a xml:lang='de'>Gifte</a>") as index:
        assert found(index, "μηνιν", language="grc") == ["d0"]
        assert found(index, "μηνιν", language="grc-x-old") == ["d0"]
        assert found(index, "Gift", language="German") == ["d1"]
        assert found(index, "Gifte", language="grc") == []  # not stemmed
        for unknown in ("klingon", "und", "none", "fr"):
            with pytest.raises(UnknownNameError, match=f"unknown language of this index '{unknown}'"):
                found(index, "gift", language=unknown)


def test_the_language_of_inline_mark_up() -> None:
    with indexed("<a xml:lang='en'>the <i xml:lang='de'>Häuser</i> houses</a>") as index:
        assert index.languages == {"en": 2, "de": 1}
        assert set(index.terms) == {"\x01the", "haus\x021ä", "hous"}


# --- any word ------------------------------------------------------------------------------------------


def scripts() -> dict[str, str]:
    """Letters, digits and symbols that are words, of every script, by the first word of their names."""
    letters: dict[str, list[str]] = {}
    classes = character_classes()
    for point in np.flatnonzero((classes == LETTER) | (classes == RUN) | (classes == SYMBOL)).tolist():
        letters.setdefault(unicodedata.name(chr(point), "?").split()[0], []).append(chr(point))
    return {name: "".join(some[:: max(1, len(some) // 12)][:12]) for name, some in letters.items()}


def test_a_word_of_every_script_finds_its_document() -> None:
    """For all scripts at once: each document has the letters of one, as a word."""
    known = scripts()
    assert len(known) > 200
    with indexed(*(f"<a>{escape(letters)}</a>" for letters in known.values())) as index:
        for number, letters in enumerate(known.values()):
            for word in words(letters):
                text = letters[word.start : word.end]
                if any(word.token in index.analyser.stop_words(code) for code in index.languages):
                    continue
                assert f"d{number}" in found(index, text), text


TEXT = st.text(
    st.one_of(
        st.characters(categories=["L", "M", "N", "P", "S", "Z"], exclude_characters="\ufffe\uffff"),
        st.sampled_from("aC+#3., e\u0301\u00ad東ไำຫນ\u0e48⽇㎏⑴"),
    ),
    max_size=8,
)


@examples(15)
@given(TEXT, TEXT, TEXT, st.sampled_from(["", *LANGUAGES]))
@example("x =\u0338", "b", "⽇本 5㎏", "")
@example("น้ำ ", "ໜັງ", "C++", "")
def test_any_word_of_a_document_finds_it(before: str, inside: str, behind: str, language: str) -> None:
    """Copied from the document into a query, whatever mark-up there is."""
    text = before + inside + behind
    tags = (len(before), len(before) + len(inside))
    content = f"{escape(before)}<i>{escape(inside)}</i><!-- c -->{escape(behind)}"
    with indexed("<a>other</a>", f"<a xml:lang='{language}'>{content}</a>") as index:
        how = query_analyser(index)
        for word in words(text, tags=tags):
            spoken = {*how.languages, language}
            # the signs of C#8 are in a word where mark-up parts them, and copied they are not
            parted = any(word.start < tag < word.end for tag in tags)
            if not parted and not any(word.token in index.analyser.stop_words(code) for code in spoken):
                assert "d1" in found(index, text[word.start : word.end]), word
