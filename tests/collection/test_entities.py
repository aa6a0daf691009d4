"""Entities that other files declare: both forms, mark-up in replacements, and what is refused."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from inexlab.collection import read_document
from inexlab.collection.entities import LARGEST, Entities, character_of, combined, read_entities
from inexlab.errors import InputError

DTD = b"""<?xml version="1.0" encoding="utf-8"?>
<!-- declarations -->
<!ENTITY name "Caf&#233;">
<!ENTITY name "the second one does not count">
<!ENTITY % part "inner">
<!ENTITY nested "a &name; with %part; text">
<!ENTITY marked '<b role="x">bold &amp; &name;</b>'>
<!ENTITY escaped "&#38;lt; 100&#37;">
<!ELEMENT a (#PCDATA)>
<!ATTLIST a b CDATA #IMPLIED>
"""
PHP = b"""<?xml version="1.0" encoding="utf-8"?>
<!-- php's form -->
<entities xmlns="http://docbook.org/ns/docbook">
<entity name="name">Caf\xc3\xa9</entity>
<entity name="marked"><b role="x &quot;y&quot;">bold &amp; &name;</b></entity>
<entity name="nested">a &name; with <i/>text &unknown.one;</entity>
</entities>
"""


def text_and_tags(document: bytes, entities: Entities) -> tuple[str, list[str]]:
    read = read_document(document, "d", entities=entities)
    return read.text, [element.tag for element in read.elements]


def test_declarations_as_in_a_document_type() -> None:
    entities = Entities(read_entities(DTD, "x.ent"))
    assert text_and_tags(b"<a>&name;|&nested;|&marked;|&escaped;</a>", entities) == (
        "Café|a Café with inner text|bold & Café|< 100%",
        ["a", "b"],
    )


def test_declarations_as_in_the_manual_of_php() -> None:
    entities = Entities(read_entities(PHP, "x.ent"), drop=True)
    assert text_and_tags(b"<a>&name;|&marked;|&nested;</a>", entities) == (
        "Café|bold & Café|a Café with text ",
        ["a", "b", "i"],
    )
    assert entities.dropped == {"unknown.one": 1}


def test_as_lxml_reads_the_same_declarations_in_the_document() -> None:
    body = b"<a>&name;|&nested;|&marked;|&escaped;&#233;</a>"
    inner = DTD.partition(b"?>")[2].replace(b"%part;", b"inner")  # XML allows no such reference inside
    whole = etree.fromstring(b"<!DOCTYPE a [" + inner + b"]>" + body)
    assert read_document(body, "d", entities=Entities(read_entities(DTD, "x.ent"))).text == whole.xpath(
        "string()"
    )


def test_a_document_s_own_declarations_come_first() -> None:
    document = b'<!DOCTYPE a [<!ENTITY name "own">]><a>&name; &nested;</a>'
    assert text_and_tags(document, Entities(read_entities(DTD, "x.ent")))[0] == "own a own with inner text"


def test_a_document_with_a_document_type_of_its_own_elsewhere() -> None:
    document = b'<!DOCTYPE a SYSTEM "book.dtd"><a>&name; &eacute; &other;</a>'
    assert text_and_tags(document, Entities(read_entities(DTD, "x.ent")))[0] == "Café é \ufffd"
    assert text_and_tags(document, Entities(drop=True))[0] == " é "


@pytest.mark.parametrize(
    ("name", "character"),
    [
        ("eacute", "é"),
        ("nbsp", "\xa0"),
        ("agr", "α"),
        ("OHacgr", "Ώ"),
        ("b.Omega", "𝛀"),
        ("sfgr", "ς"),
        ("x", None),
    ],
)
def test_names_of_html_and_iso_are_known(name: str, character: str | None) -> None:
    assert character_of(name) == character
    if character:
        assert text_and_tags(f"<a>&{name};</a>".encode(), Entities())[0] == character


def test_a_name_that_nobody_declares() -> None:
    with pytest.raises(InputError) as caught:
        read_document(b"<a>\n<b>&no.such;</b></a>", "d", "dir/d.xml", entities=Entities())
    assert str(caught.value) == (
        "dir/d.xml, line 2: the entity &no.such; is not declared. Name the file that declares it with "
        "`entities=FILE`, or leave such references out with `entities=drop`."
    )
    entities = Entities(drop=True)
    document = b'<a x="&no.such;">1&no.such;2<b>&other;</b>&no.such;3</a>'
    assert text_and_tags(document, entities)[0] == "123"
    assert entities.dropped == {"no.such": 2, "other": 1}


def test_more_are_asked_for_when_a_name_is_not_known() -> None:
    asked = []

    def more() -> tuple[dict[str, str], list[str]]:
        asked.append(1)
        return {"late.one": "L", "name": "not this", "eacute": "not this either"}, ["a note"]

    entities = Entities({"name": "N"}, more=more)
    assert text_and_tags(b"<a>&name;&eacute;</a>", entities)[0] == "Né"
    assert not asked
    assert text_and_tags(b"<a>&late.one;&name;&eacute;</a>", entities)[0] == "LNé"
    assert text_and_tags(b"<a>&late.one;</a>", entities)[0] == "L"
    assert (asked, entities.notes) == ([1], ["a note"])


LAUGHS = "".join(f'<!ENTITY l{k} "{f"&l{k - 1};" * 10}">' for k in range(1, 12))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('<!ENTITY a "&b;"><!ENTITY b "&a;">', r"the entity '[ab]' refers to itself"),
        ('<!ENTITY a "&a;">', r"the entity 'a' refers to itself"),
        ('<!ENTITY x "1"><!ENTITY a "&x;&b;"><!ENTITY b "&c;"><!ENTITY c "&x;&a;">', "refers to itself"),
        (f'<!ENTITY l0 "ha">{LAUGHS}', f"expands to more than {LARGEST:,} characters"),
        (f'<!ENTITY a "{"x" * LARGEST}y">', f"the entity 'a' expands to more than {LARGEST:,}"),
        ('<!ENTITY a SYSTEM "/etc/passwd">', r"the entity 'a' is another file \(/etc/passwd\)"),
        ('<!ENTITY % a SYSTEM "other.ent"> %a;', r"the entity 'a' is another file \(other.ent\)"),
        ('<!ENTITY a PUBLIC "-//X//Y" "http://localhost/x">', "the entity 'a' is another file"),
        ('<!ENTITY % a "&#37;b;"><!ENTITY % b "&#37;a;"> %a;', "cannot be read as declarations"),
        ("<!ENTITY a", "cannot be read as declarations"),
        ("no declarations", "cannot be read as declarations"),
        ("<entities><entity>x</entity></entities>", "an entity has no name"),
        ("<entities><entity name='a'>&a;</entity></entities>", "refers to itself"),
        ("<entities><entity name='a'></entities>", "not well-formed"),
    ],
)
def test_what_is_refused(content: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read_entities(content.encode(), "x.ent")
    assert caught.value.file == "x.ent"


def test_a_cycle_through_two_files() -> None:
    files = [("one.ent", b'<!ENTITY a "&b;">'), ("two.ent", b'<!ENTITY b "&a;">')]
    for file in files:
        assert combined([file])
    with pytest.raises(InputError, match=r"two\.ent: the entity '[ab]' refers to itself"):
        combined(files)


def test_a_parameter_entity_that_is_a_bomb() -> None:
    levels = "".join(f"<!ENTITY % p{k} '{f'%p{k - 1};' * 10}'>" for k in range(1, 12))
    with pytest.raises(InputError, match=r"cannot be read as declarations|characters"):
        read_entities(f"<!ENTITY % p0 'ha'>{levels}<!ENTITY a '%p11;'>".encode(), "x.ent")


def test_a_document_that_refers_to_much_again_and_again() -> None:
    entities = Entities(read_entities(f'<!ENTITY a "{"x" * 900_000}">'.encode(), "x.ent"))
    with pytest.raises(InputError, match="amplification"):
        read_document(b"<a>" + b"&a;" * 1000 + b"</a>", "d", entities=entities)


@settings(deadline=None)
@given(st.dictionaries(st.from_regex(r"[a-z]{1,3}", fullmatch=True), st.text("ab<>&;%\"'é\n", max_size=12)))
def test_any_text_comes_out_as_it_was_declared(values: dict[str, str]) -> None:
    escaped = {
        n: "".join(f"&#{ord(c)};" for c in v.replace("&", "&amp;").replace("<", "&lt;"))
        for n, v in values.items()
    }
    file = "".join(f'<!ENTITY z{name} "{value}">' for name, value in escaped.items()).encode()
    document = "<a>" + "".join(f"<b>&z{name};</b>" for name in values) + "</a>"
    read = read_document(document.encode(), "d", entities=Entities(read_entities(file or b"<!-- -->", "x")))
    assert read.text == "".join(values.values())


def mutated(content: bytes, chance: random.Random) -> bytes:
    data = bytearray(content)
    for _ in range(chance.randint(1, 6)):
        at, what = chance.randrange(len(data) or 1), chance.randrange(4)
        if what == 0 and data:
            data[at] = chance.randrange(256)
        elif what == 1:
            del data[at : at + chance.randint(1, 30)]
        elif what == 2:
            data[at:at] = data[at : at + chance.randint(1, 60)]
        else:
            data[at:at] = chance.choice(
                (b"&a;", b"%part;", b"<!ENTITY", b"<entity name='a'>", b"]]>", b'"', b"\0")
            )
    return bytes(data)


def fuzz_entities(count: int, seed: int = 1) -> tuple[int, int]:
    """Read damaged files of entities; return how many were read and how many refused."""
    chance, read, refused = random.Random(seed), 0, 0
    for _ in range(count):
        content = mutated(chance.choice((DTD, PHP)), chance)
        try:
            entities = Entities(read_entities(content, "x.ent"), drop=True)
            read_document(b"<a>&name;&nested;&marked;&escaped;</a>", "d", entities=entities)
            read += 1
        except InputError:
            refused += 1
    return read, refused


def test_damaged_files_are_read_or_refused() -> None:
    read, refused = fuzz_entities(1500)
    assert read > 30
    assert refused > 100
