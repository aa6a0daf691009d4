"""Compiled loops against the plain definition: for every code point there is, and any row of them."""

from __future__ import annotations

import sys
from xml.sax.saxutils import escape

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.index.analysis.character_classes import (
    IGNORED,
    character_classes,
    class_of,
    lower_case,
    lower_case_characters,
)
from inexlab.index.analysis.languages import code_of, language_of, number_of
from inexlab.index.analysis.terms import Analyser
from inexlab.index.analysis.words import cut, normalised, shapes, words
from inexlab.index.batch import Batch
from inexlab.index.numbers import TermNumbers
from inexlab.index.scan import BORDERS, ELEMENTS
from inexlab.index.scanner import Scanner
from tests.examples import examples

# all that is part of words, and what is not where there is some of both; the tables tell of all others
POINTS = [
    point
    for point in range(0x20, sys.maxunicode + 1)
    if character_classes()[point] or (point < 0x3100 and not 0x7F <= point < 0xA0)
]


def terms_of(batch: Batch) -> list[str]:
    """The terms of all tokens of a batch, neither stemmed nor stopped."""
    numbers = TermNumbers(Analyser("none"))
    found = numbers.numbers(batch)
    order, data, borders = numbers.in_order()
    texts = {
        int(n): data[a:b].tobytes().decode() for n, a, b in zip(order, borders, borders[1:], strict=False)
    }
    return [texts[number] for number in found.tolist()]


def raw_tokens(batch: Batch) -> list[str]:
    """The characters that tokens came from."""
    borders = batch.borders[: batch.filled[BORDERS]].reshape(-1, 2)
    return [batch.text[a:b].tobytes().decode() for a, b in borders.tolist()]


def scanned(text: str) -> Batch:
    batch = Batch()
    Scanner().scan(f"<a>{escape(text)}</a>".encode(), "document", batch)
    return batch


def test_tables_are_the_definition() -> None:
    kinds, lower = character_classes(), lower_case_characters()
    for point in range(sys.maxunicode + 1):
        if not 0xD800 <= point < 0xE000:
            assert kinds[point] == class_of(chr(point)), hex(point)
            if kinds[point] == IGNORED:
                assert lower[point] == -1
            elif kinds[point]:
                assert lower[point] == ord(lower_case(chr(point))), hex(point)


@pytest.mark.compiled
@pytest.mark.parametrize("shape", ["{} ", "x{}y ", "{0}{0} ", "東{}京 ", "1.{}5 ", "{}C++ "])
def test_every_code_point_is_cut_as_defined(shape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By itself, and of the large blocks some beside others."""
    monkeypatch.setenv("INEXLAB_COMPILED", "always")
    some = [point for point in POINTS if point < 0x3100 or point % 16 == 0]
    text = "".join(shape.format(chr(point)) for point in (POINTS if shape == "{} " else some))
    expected = [text[a:b] for a, b in cut(shapes(text))]
    batch = scanned(text)
    assert raw_tokens(batch) == expected
    forms = {raw: normalised(raw) for raw in set(expected)}
    assert terms_of(batch) == [forms[raw] for raw in expected]


@given(st.text(st.one_of(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"),
    st.sampled_from("aZ09.,+# é\u0301\u00ad\u200b東京カﾊﾟไท\u0e48กำຫນ⽇㎏\u200d”")), max_size=40))  # fmt: skip
@examples(100)
@pytest.mark.parametrize("way", ["always", "never"])
def test_any_text_is_cut_as_defined(way: str, text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("INEXLAB_COMPILED", way)
        batch = scanned(text)
        assert raw_tokens(batch) == [text[word.start : word.end] for word in words(text)]
        assert terms_of(batch) == [word.token for word in words(text)]


TAGS = st.one_of(
    st.sampled_from(
        ["de", "de-AT", "DEU", "ger", "fr_FR", "", "x", "und", "zxx", "en3", "english", " it", "grc"]
    ),
    st.text(st.sampled_from("abdefnrZ-_3 é"), max_size=6),
)


@given(TAGS, st.sampled_from(["xml:lang", "lang"]), st.sampled_from(["'", '"']))
@examples(100)
@pytest.mark.parametrize("way", ["always", "never"])
def test_languages_are_read_from_attributes(way: str, tag: str, name: str, quote: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("INEXLAB_COMPILED", way)
        for end in ("", "\r"):  # which the scan leaves to expat
            data = f"<a><b x='fr' {name} = {quote}{tag}{quote}><c/>{end}</b><c/></a>"
            batch = Batch()
            Scanner().scan(data.encode(), "document", batch)
            codes = [code_of(int(number)) for number in batch.language[: batch.filled[ELEMENTS]]]
            assert codes == ["", language_of(tag), language_of(tag), ""]


def test_xml_lang_counts_more_than_lang(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INEXLAB_COMPILED", "never")
    for data in (
        b"<a lang='de' xml:lang='fr'/>",
        b"<a xml:lang='fr' lang='de'/>",
        b"<a lang='de' xml:lang='fr'>\r</a>",
    ):
        batch = Batch()
        Scanner().scan(data, "document", batch)
        assert batch.language[0] == number_of("fr")


def test_html_says_its_language() -> None:
    batch = Batch()
    Scanner().scan(b"<html lang=de-AT><p lang=en>x</p></html>", "d.html", batch)
    spoken = {code_of(int(number)) for number in np.unique(batch.language[: batch.filled[ELEMENTS]])}
    assert spoken == {"de", "en"}
