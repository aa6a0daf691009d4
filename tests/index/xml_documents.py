"""XML that hypothesis makes: mixed content with all that can be in it."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from hypothesis import strategies as st

TAGS = ("article", "sec", "p", "b", "sub", "x:note", "_1")
KINDS = {"b": "inline", "sub": "inline", "x:note": "skip"}

_CHARACTERS = st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff")
_WORDS = st.sampled_from(
    [
        *("word", "Word", "WORDS", "H", "2", "O", "a_b", "12", "x2", "the", "running"),
        *("été", "ÉTÉ", "ǅ", "İ", "ß", "e\u0301", "naïve", "中文", "𝒳"),
        *("東京都", "ไทย", "ກ", "ﾊﾟﾝ", "हिन्दी", "infor\u00admation", "\u200b", "\u0301x", "한국어", "ῷ"),
        *("ຫນັງ", "ຫ", "ນ", "⽇本", "㎏", "℃", "น้ำ", "\u1112\u1161\u11ab" * 9, "=\u0338b", "C", "++", "#"),
        *("C++", "C#", "3.14", "1,000", "don't", "x++", ".5", "7.", "3.C++", "é.5", "٣٫١"),
        *("abcdefg", "abcdefgh", "abcdefghi", "x" * 70, "é" * 40, "Ⱥ" * 40, "a" * 60 + "é"),
    ]
)
_TEXT = st.one_of(
    _WORDS,
    st.sampled_from([" ", "\n", "\t", "-", ". ", "]", "]]", "'", '"', " > "]),
    st.text(_CHARACTERS, max_size=5),
).map(escape)
_ASIDE = st.sampled_from(
    [
        *("<!-- a comment <b> & -->", "<!---->", "<?pi?>", "<?pi some <b> é?>", "<!--a--><!--b-->"),
        *("<![CDATA[<b>&amp;]]>", "<![CDATA[]]>", "\r\n", "\r", "<?p?><!---->"),
        *("&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&#65;", "&#x1D4B3;", "&#xe9;", "&#13;"),
        *("&#xEAB;", "&#xE99;"),
    ]
)
_NAMES = st.sampled_from(["id", "n", "_a"])
_LANGUAGES = st.sampled_from(["de", "en-GB", "DEU", "ger", "", "x", "ja", "english", " fr", "d&e", "gré"])
_ATTRIBUTES = st.builds(
    lambda plain, spoken: "".join(f" {name}={quoteattr(value)}" for name, value in (plain | spoken).items()),
    st.dictionaries(_NAMES, st.text(_CHARACTERS, max_size=4), max_size=3),
    st.dictionaries(st.sampled_from(["xml:lang", "lang"]), _LANGUAGES, max_size=2),
)


def _element(children: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    def make(tag: str, attributes: str, inside: list[str], space: str) -> str:
        content = "".join(inside)
        if not content and space:
            return f"<{tag}{attributes}{space}/>"
        return f"<{tag}{attributes}{space}>{content}</{tag}{space}>"

    return st.builds(
        make,
        st.sampled_from(TAGS),
        _ATTRIBUTES,
        st.lists(children, max_size=5),
        st.sampled_from(["", "", " ", "\n"]),
    )


_CONTENT = st.recursive(st.one_of(_TEXT, _TEXT, _ASIDE), lambda inside: st.one_of(inside, _element(inside)))
_HEADS = st.sampled_from(
    [
        *("", "\n", '<?xml version="1.0"?>', "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\n"),
        *('<!DOCTYPE article PUBLIC "-//X//DTD 1.0//EN" "x.dtd">', '<!DOCTYPE article SYSTEM "x">\n'),
        *('<!DOCTYPE article [<!ENTITY e "entity">]>', "<!-- x --><?y z?>", '<?xml version="1.0"?>\r\n'),
    ]
)


def _document(head: str, root: str, tail: str) -> str:
    return f"{head}{root}{tail}"


def documents() -> st.SearchStrategy[str]:
    """Whole documents, as text without an encoding declaration but UTF-8."""
    return st.builds(
        _document, _HEADS, _element(_CONTENT), st.sampled_from(["", "\n", "<!-- end -->\n", "<?end?>"])
    )
