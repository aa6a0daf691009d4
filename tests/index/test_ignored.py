"""What is ignored is not seen, also where signs belong to words: in texts and in documents."""

from __future__ import annotations

import re
import unicodedata
from xml.sax.saxutils import escape

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from inexlab.errors import InputError
from inexlab.index.analysis.character_classes import IGNORED, class_of
from inexlab.index.analysis.words import tokens
from inexlab.index.scanner import Scanner
from inexlab.retrieval.terms import tokens_of as tokens_of_term
from inexlab.topics.nexi import UNSEEN, WORD, parse_nexi
from inexlab.topics.query import COQuery
from tests.examples import examples
from tests.index.test_scan import tokens_of
from tests.oracles import index as oracle

KINDS = {"b": "inline", "n": "skip"}
EXAMPLES = [
    ("\u200eC#", ["c#"]),
    ("\u200fC++", ["c++"]),
    ("3\u200b.14", ["3.14"]),
    ("3.\u200b14", ["3.14"]),
    ("3\u00ad.\u200b\ufe0f14", ["3.14"]),
    ("3.\u200b 14", ["3", "14"]),
    ("1,\u2060000\u200d,\u200d5", ["1,000,5"]),
    ("C\u200b#", ["c#"]),
    ("C+\u200b+", ["c++"]),
    ("C\u200b+\u200b+\u200b11", ["c++11"]),
    ("C++\u200bb", ["c", "b"]),
    ("C#\u200b\u200b8", ["c", "8"]),
    ("x\u200bC#", ["xc"]),
    ("x\u200b\u200bC\u200b\u200b#", ["xc"]),
    ("-\u200bC\u200b\u200b#\u200b-", ["c#"]),
    ("東\u200bC+\U000e0001+", ["東", "c++"]),
    ("3\u200b\u0301.5", ["3\u0301", "5"]),
    ("C\u200b+\u200b+\u200b+", ["c++"]),
    ("C+\u200b-+", ["c"]),
    ("C" + "\u200b" * 50 + "+" + "\u00ad" * 50 + "+", ["c++"]),
    ("3" + "\u200b" * 43 + ".14", ["3.14"]),
]


@pytest.fixture(params=["always", "never"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run compiled, and as plain Python."""
    monkeypatch.setenv("INEXLAB_COMPILED", request.param)


def with_all(text: str, form: str) -> str:
    """Write what is ignored in a text in another form: `{0}` is the character, `{1}` its code point."""
    return "".join(form.format(c, ord(c)) if class_of(c) == IGNORED else escape(c) for c in text)


@pytest.mark.parametrize(("text", "expected"), EXAMPLES)
def test_signs_belong_to_what_is_seen(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected
    assert tokens(text + " C#") == [*expected, "c#"]
    assert tokens("".join(c for c in text if class_of(c) != IGNORED)) == expected


@pytest.mark.parametrize(("text", "expected"), EXAMPLES)
def test_queries_have_the_words_of_texts(text: str, expected: list[str]) -> None:
    """Read by the parser of queries, which lies below, and as the bag of words of a query it refuses."""
    for query in (text, f'"{text}"', f"+{text} x"):
        parsed = parse_nexi(query)
        assert isinstance(parsed, COQuery)
        found = [token for term in parsed.terms for token in tokens_of_term(term).row]
        assert found in (expected, [*expected, "x"]), query
    assert [token for word in WORD.findall(text) for token in tokens(word)] == expected


def test_the_parser_of_queries_knows_what_is_ignored() -> None:
    unseen = re.compile(f"[{UNSEEN}]")
    known = {chr(point) for point in range(0x110000) if unseen.match(chr(point))}
    assert all(class_of(c) == IGNORED for c in known)
    # others are letters, or marks, of a few scripts
    others = {
        chr(p) for p in range(0x3000) if class_of(chr(p)) == IGNORED and unicodedata.category(chr(p)) == "Cf"
    }
    assert others <= known


FORMS = [
    *("{0}", "&#{1};", "&#x{1:x};", "{0}&#{1};", "&#{1};{0}", "{0}&#173;{0}", "&#173;{0}&#173;"),
    *("<!-- c -->{0}", "{0}<!-- c -->", "<?p?>&#{1};", "&#{1};<!----><?p?>", "{0}<![CDATA[{0}]]>{0}"),
    *("<!-- --><!-- -->{0}<?p?>{0}<!---->", "<!---->", "&#173;<!---->{0}"),
]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.usefixtures("way")
def test_documents_have_the_words_of_their_texts(form: str) -> None:
    """However what is ignored is written, and where between blocks of 64 bytes."""
    scanner = Scanner(KINDS)
    for text, expected in EXAMPLES:  # each by itself, or expat would read all for the sake of one
        for shift in (0, 51, 57, *range(59, 64)):
            data = f"<a>{' ' * shift}<p>\ufeff{with_all(text, form)}<b>-</b></p></a>".encode()
            assert [token for token, _ in tokens_of(scanner, data)] == expected, data


@pytest.mark.parametrize(
    ("xml", "expected"),
    [
        ("<b>C</b>\u200b++ <b>C\u200b</b>#", ["c", "c"]),  # tags end what signs look at
        ("3<b>\u200b</b>.14 3<b>\u200b.</b>14", ["3", "14", "3", "14"]),
        ("<b>\ufeffC#</b>\ufeff<b>C+\ufeff</b>+", ["c#c"]),
        ("x<b>\u200bC#</b> x\u200b<b>&#173;C\u200b#</b>", ["xc#", "xc#"]),
        ("<n>3\u200b.14</n>3\u200b.14", ["3.14"]),
        ("&#xe9;\u200bC#", ["éc"]),
        ("&#xe9;C\u200b#", ["éc"]),
        ("é&#173;C#", ["éc"]),
        ("é&#173;C\u200b#", ["éc"]),
        ("é&#173;\u200bC\u200b#", ["éc"]),
        ("é<!---->\u200bC#", ["éc"]),
        ("3.<!---->&#173;14", ["3.14"]),
        ("&#x6771;\u200bC#", ["東", "c#"]),
        ("&#x301;&#173;C#", ["c"]),
        ("&amp;\u200bC#&amp;", ["c#"]),
        ("&#8211;&#173;C\u200b#&#8211;", ["c#"]),
        ("in&#173;for\u200bmation. é\u200b.é \u200b.5", ["information", "é", "é", "5"]),
    ],
)
@pytest.mark.usefixtures("way")
def test_tags_and_references_beside_what_is_ignored(xml: str, expected: list[str]) -> None:
    data = f"<a>{xml}</a>".encode()
    found = tokens_of(Scanner(KINDS), data)
    assert [token for token, _ in found] == expected
    assert found == oracle.read(data, KINDS).tokens


SEEN = st.characters(exclude_categories=["Cs"], exclude_characters="ຫ")
HIDDEN = st.text(st.sampled_from("\u00ad\u200b\u200d\u200e\u2060\ufe0f\ufeff\U000e0100"), max_size=2)


@given(st.lists(st.tuples(st.one_of(st.sampled_from("aCZ09.,+# -é\u0301東ก㎏"), SEEN), HIDDEN), max_size=20))
@examples(150)
def test_what_is_ignored_changes_no_word(row: list[tuple[str, str]]) -> None:
    plain = "".join(character for character, _ in row)
    assert tokens("\u200b" + "".join(character + hidden for character, hidden in row)) == tokens(plain)


PIECES = st.sampled_from(
    [
        *"aC09.,+#.,+# ;é\u0301東ຫນ㎏\u00ad\u200b\u200e\ufeff\u200b\u00ad",
        *("3.", ".14", "C+", "C#", "++", "\u200b\u200b", "&amp;", "&#173;", "&#x200b;", "&#173;\u200b"),
        *("&#xe9;", "&#67;", "&#x6771;", "&#x301;", "&#46;", "&#43;", "&#10;", "&#13;", "<![CDATA[.]]>"),
        *("<!---->", "<!-- C -->", "<?p?>", "<b>", "</b>", "<b/>", "<p/>", "<n>1</n>", "]", "\ue000"),
    ]
)


@given(st.lists(PIECES, max_size=30).map("".join), st.integers(0, 64))
@example("<b>&#xe9;\u200bC#</b>", 0)
@examples(200)
@pytest.mark.parametrize("choice", ["always", "never"])
def test_any_document_is_cut_as_defined(choice: str, xml: str, shift: int) -> None:
    opened = xml.count("<b>") - xml.count("</b>")
    data = f"<a>{' ' * shift}{'<b>' * max(0, -opened)}{xml}{'</b>' * max(0, opened)}</a>"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("INEXLAB_COMPILED", choice)
        try:
            expected = oracle.read(data.encode(), KINDS).tokens
        except InputError:
            return
        assert tokens_of(Scanner(KINDS), data.encode()) == expected
