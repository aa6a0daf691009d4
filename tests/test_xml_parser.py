"""XML in, safely: encodings, entities, bombs, broken documents."""

from __future__ import annotations

import codecs
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from inexlab.errors import InputError
from inexlab.xml_parser import Attributes, beginning, parse


def events(data: bytes) -> list[str]:
    """Parse and return what was called, one line each, neighbouring text joined."""
    seen: list[str] = []

    def text(characters: str) -> None:
        if seen and seen[-1].startswith("text "):
            seen[-1] += characters
        else:
            seen.append(f"text {characters}")

    def start(tag: str, attributes: Attributes) -> None:
        seen.append(" ".join([f"start {tag}", *(f"{k}={v}" for k, v in attributes.items())]))

    parse(data, "d.xml", start=start, end=lambda tag: seen.append(f"end {tag}"), text=text)
    return seen


def text_of(data: bytes) -> str:
    """Return all character data of a document."""
    return "".join(event.removeprefix("text ") for event in events(data) if event.startswith("text "))


def refusal(data: bytes) -> InputError:
    with pytest.raises(InputError) as caught:
        events(data)
    assert caught.value.file == "d.xml"
    return caught.value


def test_elements_attributes_and_text_come_in_document_order() -> None:
    assert events(b'<a x="1" y="2">p<b/>q<m:c>r</m:c></a>') == [
        "start a x=1 y=2",
        "text p",
        "start b",
        "end b",
        "text q",
        "start m:c",
        "text r",
        "end m:c",
        "end a",
    ]


@pytest.mark.parametrize(
    ("declared", "codec", "text"),
    [
        ("UTF-8", "utf-8", "Café 中 😀"),
        ("UTF-8", "utf-8-sig", "Café 中 😀"),
        ("utf8", "utf-8", "Café 中 😀"),
        ("UTF8", "utf-8-sig", "Café 中 😀"),
        ("UTF-16", "utf-16", "Café 中 😀"),
        ("UTF-16", "utf-16-le", "Café 中 😀"),
        ("UTF-16", "utf-16-be", "Café 中 😀"),
        ("UTF-32", "utf-32", "Café 中 😀"),
        ("UTF-32", "utf-32-le", "Café 中 😀"),
        ("UTF-32", "utf-32-be", "Café 中 😀"),
        ("ISO-8859-1", "iso-8859-1", "Café ¿"),
        ("ISO-8859-15", "iso-8859-15", "Café €"),
        ("US-ASCII", "ascii", "Cafe"),
        ("windows-1252", "cp1252", "“Café” €"),
        ("Shift_JIS", "shift_jis", "日本語テスト"),
        ("EUC-JP", "euc-jp", "日本語テスト"),
        ("GB18030", "gb18030", "中文 é 😀"),
        ("Big5", "big5", "中文"),
        ("KOI8-R", "koi8-r", "Привет"),
        ("cp037", "cp037", "Café ¿"),
        ("IBM037", "cp037", "Café ¿"),
        ("ebcdic-cp-us", "cp037", "Café ¿"),
        ("IBM500", "cp500", "Café [!]"),
    ],
)
def test_any_encoding_is_read(declared: str, codec: str, text: str) -> None:
    document = f'<?xml version="1.0" encoding="{declared}"?><a>{text}</a>'.encode(codec)
    assert text_of(document) == text


def test_an_undeclared_encoding_is_utf8_or_known_by_its_mark() -> None:
    assert text_of("<a>é</a>".encode()) == "é"
    assert text_of("<a>é</a>".encode("utf-16")) == "é"
    assert text_of(codecs.BOM_UTF32_BE + "<a>é</a>".encode("utf-32-be")) == "é"
    assert text_of('<?xml version="1.0"?><a>é</a>'.encode("cp037")) == "é"


def test_a_single_quoted_declaration_is_read() -> None:
    assert text_of("<?xml version='1.0' encoding='windows-1252'?><a>“</a>".encode("cp1252")) == "“"


def test_an_unknown_encoding_is_refused() -> None:
    error = refusal(b'<?xml version="1.0" encoding="klingon"?><a/>')
    assert str(error) == (
        "d.xml, line 1: declares the unknown encoding 'klingon'. Correct the encoding in the XML declaration."
    )


def test_bytes_that_are_not_the_declared_encoding_are_refused_with_their_line() -> None:
    error = refusal(b'<?xml version="1.0" encoding="windows-1252"?>\n<a>\n\x81</a>')
    assert error.line == 3
    assert "is not windows-1252 as it declares" in error.problem


def test_bytes_that_are_not_utf8_are_refused_with_their_line() -> None:
    error = refusal(b"<a>\n\xe9</a>")
    assert error.line == 2
    assert "not well-formed" in error.problem


def test_cdata_counts_and_comments_instructions_and_declarations_do_not() -> None:
    document = b"""<!DOCTYPE a [<!ELEMENT a ANY>]><?before x?><!-- no -->
<a>p<!-- no --><![CDATA[<q> & ]]><?inside no?>r</a><!-- no -->
"""
    assert text_of(document) == "p<q> & r"


def test_line_ends_become_newlines_but_references_stay() -> None:
    assert text_of(b"<a>1\r\n2\r3\n4&#13;5</a>") == "1\n2\n3\n4\r5"


def test_predefined_character_and_internal_entities_are_expanded() -> None:
    document = b'<!DOCTYPE a [<!ENTITY n "two words"><!ENTITY e "<b>deep</b>">]>'
    assert text_of(document + b"<a>&lt;&amp;&#233;&#x1F600;&n;</a>") == "<&é😀two words"
    assert events(document + b"<a>&e;</a>") == ["start a", "start b", "text deep", "end b", "end a"]


@pytest.mark.parametrize(
    ("entity", "character"),
    [("eacute", "é"), ("alpha", "α"), ("nbsp", "\xa0"), ("my-own", "\ufffd"), ("bne", "=")],
)
def test_an_entity_known_only_from_an_external_dtd_counts_one_character(entity: str, character: str) -> None:
    document = f'<!DOCTYPE a SYSTEM "nowhere.dtd"><a>1&{entity};2<b>3&{entity};</b></a>'.encode()
    assert events(document) == [
        "start a",
        f"text 1{character}2",
        "start b",
        f"text 3{character}",
        "end b",
        "end a",
    ]


def test_an_entity_that_nobody_can_have_declared_is_refused() -> None:
    error = refusal(b"<a>\n&eacute;</a>")
    assert error.line == 2
    assert "undefined entity" in error.problem


@pytest.mark.parametrize(
    ("doctype", "body"),
    [
        pytest.param('<!DOCTYPE a [<!ENTITY x SYSTEM "{uri}">]>', "<a>1&x;2</a>", id="general entity"),
        pytest.param(
            '<!DOCTYPE a [<!ENTITY % x SYSTEM "{uri}"> %x;]>', "<a>1&y;2</a>", id="parameter entity"
        ),
        pytest.param('<!DOCTYPE a SYSTEM "{uri}">', "<a>1&y;2</a>", id="external DTD"),
    ],
)
def test_files_named_in_a_document_are_never_read(doctype: str, body: str, tmp_path: Path) -> None:
    """The file would define `y`, so that the secret would show whichever way it were read."""
    secret = tmp_path / "secret.dtd"
    secret.write_text('<!ENTITY y "the secret">')
    for uri in (secret.as_uri(), str(secret)):
        text = text_of((doctype.format(uri=uri) + body).encode())
        assert "secret" not in text
        assert text[0] + text[-1] == "12"


def laughs() -> str:
    levels = [f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 12)]
    return f'<!DOCTYPE a [<!ENTITY l0 "lol">{"".join(levels)}]>'


@pytest.mark.parametrize(
    "bomb",
    [
        pytest.param(laughs() + "<a>&l11;</a>", id="billion laughs"),
        pytest.param(laughs() + '<a x="&l11;"/>', id="billion laughs in an attribute"),
        pytest.param(
            f'<!DOCTYPE a [<!ENTITY x "{"x" * 100_000}">]><a>{"&x;" * 20_000}</a>', id="quadratic blow-up"
        ),
        pytest.param('<!DOCTYPE a [<!ENTITY x "&y;"><!ENTITY y "&x;">]><a>&x;</a>', id="endless recursion"),
    ],
)
def test_entity_bombs_are_refused_at_once(bomb: str) -> None:
    began = time.perf_counter()
    error = refusal(bomb.encode())
    assert time.perf_counter() - began < 5
    assert "amplification" in error.problem or "recursive entity" in error.problem


@pytest.mark.parametrize(
    "document",
    [b"<a><b>text</b>\n", b"<a>\n<b", b"<a>\n</", b"<!-- never closed\n", b"<a>\n<![CDATA[x"],
)
def test_a_document_cut_off_is_refused_and_says_so(document: bytes) -> None:
    error = refusal(document)
    assert error.line is not None
    assert "not well-formed XML" in error.problem


def test_a_document_cut_between_tags_suggests_that_it_was_cut() -> None:
    error = refusal(b"<a>\n<b>text</b>\n")
    assert (error.line, error.fix) == (3, "The file may be truncated.")


@pytest.mark.parametrize(
    ("document", "line", "problem"),
    [
        (b"<a>\n</b>", 2, "mismatched tag"),
        (b"<a/>\n<b/>", 2, "junk after document element"),
        (b"<a>\n<b x='1' x='2'/></a>", 2, "duplicate attribute"),
        (b"<a>\n & </a>", 2, "invalid token"),
        (b"", 1, "no element found"),
    ],
)
def test_broken_documents_are_refused_with_their_line(document: bytes, line: int, problem: str) -> None:
    error = refusal(document)
    assert error.line == line
    assert problem in error.problem


def test_a_reader_can_ask_for_the_current_line() -> None:
    lines: list[tuple[str, int]] = []
    asked: list[Callable[[], int]] = []
    parse(
        b"<a>\n<b/>\n\n<c/></a>",
        "d.xml",
        start=lambda tag, _: lines.append((tag, asked[0]())),
        end=lambda _: None,
        text=lambda _: None,
        watch=asked.append,
    )
    assert lines == [("a", 1), ("b", 2), ("c", 4)]


def test_a_codec_that_is_no_encoding_of_text_is_refused() -> None:
    for name in ("hex", "rot13", "undefined"):
        error = refusal(f'<?xml version="1.0" encoding="{name}"?><a>x</a>'.encode())
        assert error.fix == "Correct the encoding in the XML declaration."


@pytest.mark.parametrize("encoding", ["idna", "punycode", "base64", "undefined"])
def test_the_beginning_of_a_document_in_an_encoding_for_other_purposes(encoding: str) -> None:
    data = f"<?xml version='1.0' encoding='{encoding}'?><a>é</a>".encode()
    assert isinstance(beginning(data), str)
    with pytest.raises(InputError):
        parse(data, "d.xml", start=lambda *_: None, end=lambda _: None, text=lambda _: None)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "shift_jis", "iso-8859-1"])
@pytest.mark.parametrize("size", [300, 1000])
def test_a_document_in_pieces_is_read_as_a_whole(encoding: str, size: int) -> None:
    declared = encoding.removesuffix("-sig")
    body = (
        "<p>wörter</p>\n"
        if encoding == "iso-8859-1"
        else "<p>語 words</p>\n"
        if "jis" in encoding
        else "<p>é漢</p>\n"
    )
    data = f"<?xml version='1.0' encoding='{declared}'?>\n<a>{body * 200}</a>".encode(encoding)

    def events(document: bytes | list[bytes]) -> list[object]:
        seen: list[object] = []
        text: list[str] = []
        parse(document, "d", start=lambda tag, _: seen.append(tag), end=seen.append, text=text.append)
        return [*seen, "".join(text)]

    assert events([data[i : i + size] for i in range(0, len(data), size)]) == events(data)
