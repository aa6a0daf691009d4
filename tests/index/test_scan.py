"""The scan: what it accepts expat accepts, with the same text, elements and tokens."""

from __future__ import annotations

import random
import tarfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from lxml import etree

from inexlab.collection import read_document
from inexlab.collection.entities import Entities
from inexlab.collection.profile import read_profile
from inexlab.collection.reader import Reader
from inexlab.errors import InputError
from inexlab.index import scanner as scanner_module
from inexlab.index.analysis.words import composed
from inexlab.index.batch import Batch
from inexlab.index.scan import BORDERS, CHARACTERS, ELEMENTS
from inexlab.index.scanner import Scanner
from inexlab.index.vocabulary import Vocabulary
from tests.examples import examples
from tests.index.xml_documents import KINDS, documents
from tests.oracles import index as oracle

STRING = etree.XPath("string()")
DATA = Path(__file__).parents[3] / "shared" / "data"


def articles(archive: str) -> Iterator[tuple[str, bytes]]:
    """Yield the documents of an archive, by name."""
    path = DATA / archive
    if not path.exists():
        pytest.skip(f"the eLife articles (shared/data/{archive}) are not here")
    with tarfile.open(path) as files:
        for member in files:
            if member.name.endswith(".xml") and (content := files.extractfile(member)):
                yield member.name, content.read()


def scanned(scanner: Scanner, data: bytes, name: str = "document") -> Batch:
    batch = Batch()
    scanner.scan(data, name, batch)
    return batch


def tokens_of(scanner: Scanner, data: bytes) -> list[tuple[str, int]]:
    """The tokens that the scan finds, as the vocabulary knows them."""
    found = scanned(scanner, data)
    borders = found.borders[: found.filled[BORDERS]]
    vocabulary = Vocabulary()
    numbers = vocabulary.numbers(found.text, borders)
    texts = [text.decode() for text in vocabulary.texts(np.arange(len(vocabulary)))]
    leaves = found.leaf[: len(numbers)]
    return [
        (composed(texts[number]), leaf)
        for number, leaf in zip(numbers.tolist(), leaves.tolist(), strict=True)
    ]


def assert_as_expat(scanner: Scanner, data: bytes, name: str = "document") -> None:
    """The scan gives the text and elements that expat gives, or refuses as expat does."""
    try:
        expected = read_document(data, name)
    except InputError as error:
        refusal = str(error)
    else:
        refusal = ""
    batch = Batch()
    if refusal:
        with pytest.raises(InputError) as raised:
            scanner.scan(data, name, batch)
        assert str(raised.value) == refusal
        assert len(batch) == 0
        return
    scanner.scan(data, name, batch)
    size = batch.filled[ELEMENTS]
    assert batch.text_of(0).tobytes().decode() == expected.text
    assert batch.filled[CHARACTERS] == len(expected.text)
    table = expected.elements
    assert [scanner.tags[code] for code in batch.tag[:size]] == [table.tags[code] for code in table.tag]
    assert np.array_equal(batch.parent[:size], table.parent)
    assert np.array_equal(batch.start[:size], table.start)
    assert np.array_equal(batch.end[:size], table.end)


@pytest.fixture(params=["always", "never"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run compiled, and as plain Python, where numpy checks every index."""
    monkeypatch.setenv("INEXLAB_COMPILED", request.param)
    return str(request.param)


@pytest.fixture
def by_expat(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The documents that the scan gave up."""
    given_up: list[str] = []
    plainest = scanner_module._plainest

    def watched(data: bytes, name: str, reader: Reader, entities: Entities) -> scanner_module.Plainest:
        given_up.append(name)
        return plainest(data, name, reader, entities)

    monkeypatch.setattr(scanner_module, "_plainest", watched)
    return given_up


def assert_as_lxml(scanner: Scanner, data: bytes, name: str) -> None:
    """Every element has the text that lxml gives it."""
    found = scanned(scanner, data, name)
    text, size = found.text_of(0).tobytes().decode(), found.filled[ELEMENTS]
    spans = zip(found.start[:size].tolist(), found.end[:size].tolist(), strict=True)
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
    values = (STRING(node) for node in etree.fromstring(data, parser).iter(etree.Element))
    assert all(text[a:b] == value for (a, b), value in zip(spans, values, strict=True)), name


def test_articles_are_as_expat_and_lxml_read_them(by_expat: list[str]) -> None:
    """Some of them; `make soak` reads all."""
    scanner = Scanner(read_profile("jats").kinds)
    elements = 0
    for name, data in articles("elife-41.tar.xz"):
        assert_as_expat(scanner, data, name)
        assert_as_lxml(scanner, data, name)
        elements += len(read_document(data, name).elements.tag)
    assert elements == 148_242
    assert by_expat == []  # none of them needs the slow way


def test_tokens_of_articles() -> None:
    kinds = read_profile("jats").kinds
    scanner = Scanner(kinds)
    for name, data in list(articles("elife-41.tar.xz"))[:3]:
        assert tokens_of(scanner, data) == oracle.read(data, kinds).tokens, name


@given(documents())
@example("<article><p>H<sub>2</sub>O</p><p>x<b>y</b></p>z<x:note>no <b>way</b></x:note>t</article>")
@example("<p>" + "é" * 40 + " " + "a" * 61 + " " + "a" * 60 + "é" + "b</p>")
@examples(50)
def test_any_document(xml: str) -> None:
    scanner = Scanner(KINDS)
    data = xml.encode()
    assert_as_expat(scanner, data)
    try:
        expected = oracle.read(data, KINDS)
    except InputError:
        return
    assert tokens_of(scanner, data) == expected.tokens


ASIDES = ("", "<!--a-->", "<!--a--><!--b-->", "<?p?><!--b-->", "<?p?><?p?><?p?>")
SPLIT = "3.|14 3|.14 C|++ C+|+ C++|a x|C++ C#|8 &#xe9;|C++ é|C++ ຫ|ນາ &#xEAB;|ນາ 東|C++"


@pytest.mark.parametrize("text", SPLIT.split())
@pytest.mark.usefixtures("way")
def test_asides_do_not_part_words(text: str, by_expat: list[str]) -> None:
    """However many there are in a row: what the scan is not sure of, expat reads."""
    for aside in ASIDES:
        data = f"<a>{text.replace('|', aside)} x</a>".encode()
        assert tokens_of(Scanner(), data) == oracle.read(data, {}).tokens, data
    assert len(by_expat) >= len(ASIDES) - 1


@pytest.mark.parametrize(
    "text",
    [
        *("infor&#173;mation &#8203;x&#xFEFF; Pr&#xfc;&#173;fung.", "a&#x200b;-b (&#173;) x&#x301;y"),
        *("é\u200b. C\u200b# 3.\u200b14", "é\u200b<!-- a --> x"),
    ],
)
def test_what_is_ignored_needs_expat_only_next_to_signs(text: str, by_expat: list[str]) -> None:
    data = f"<a>{text}</a>".encode()
    assert tokens_of(Scanner(), data) == oracle.read(data, {}).tokens
    assert by_expat == []


@given(documents())
@examples(25)
@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "latin-1", "shift_jis"])
def test_any_encoding(encoding: str, xml: str) -> None:
    if xml.lstrip().startswith("<?xml"):
        xml = xml[xml.index("?>") + 2 :]
    declared = "" if encoding.startswith("utf") else f'<?xml version="1.0" encoding="{encoding}"?>'
    data = (declared + xml.strip()).encode(encoding, errors="xmlcharrefreplace")
    assert_as_expat(Scanner(KINDS), data)


BASE = [
    '<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE article PUBLIC "-//N//D" "a.dtd"><!-- c -->'
    "<article id=\"a1\" xml:lang='en'><p>One <b>two</b>&amp;three &#xe1;é<sub/>中𝒳</p >"
    '<sec n="&lt;">]] > <?pi x?>x</sec\n></article>\n',
    "<a><b c='1' d=\"2\">t&gt;e</b><!-- - --><b/>e\u0301 ]]&gt;</a><!-- end -->",
    "\ufeff<x:y>&quot;&apos;&#10;<z.-1/></x:y>",
]
PIECES = [
    *(b"<", b">", b"/", b"&", b";", b"]]>", b"--", b"<!--", b"?>", b"<?", b"=", b'"', b"'", b" ", b"x", b"1"),
    *(b"\0", b"\r", b"\xff", b"\xc3", b"\xc0\x80", b"\xed\xa0\x80", b"\xef\xbf\xbe", b"\xf4\x90\x80\x80"),
    *(b"<?x?>", b"<?x?l ?>", b"<?x ?y?>", b"<?1?>"),
    *(b"&#0;", b"&#xD800;", b"&e;", b"<a", b"</a>", b"<![CDATA[", b"<!DOCTYPE a>", b"<?xml?>"),
]


def mutated(random_: random.Random) -> bytes:
    data = bytearray(random_.choice(BASE).encode())
    for _ in range(random_.randint(1, 3)):
        at = random_.randrange(len(data) + 1)
        length = random_.choice((0, 0, 1, 1, 2, 8))
        what = random_.random()
        if what < 0.35:
            data[at : at + length] = random_.choice(PIECES)
        elif what < 0.6:
            data[at : at + max(1, length)] = b""
        elif what < 0.75:
            data[at : at + length] = bytes([random_.randrange(256)])
        elif what < 0.9:
            other = random_.randrange(len(data) + 1)
            data[at:at] = data[other : other + length + 3]
        else:
            data = data[:at]
        if not data:
            data = bytearray(b"<")
    return bytes(data)


def test_damaged_documents(way: str, by_expat: list[str]) -> None:
    random_ = random.Random(7)
    scanner = Scanner({"b": "inline", "sec": "skip"})
    count = 8_000 if way == "always" else 2_000  # `make soak` tries many more
    accepted = 0
    for _ in range(count):
        data = mutated(random_)
        before = len(by_expat)
        assert_as_expat(scanner, data)
        accepted += len(by_expat) == before
    assert accepted > count / 20  # the fast way was taken, too


@pytest.mark.parametrize("size", range(1, 200, 7))
@pytest.mark.usefixtures("way")
def test_a_document_that_is_cut_off(size: int) -> None:
    assert_as_expat(Scanner(), BASE[0].encode()[:size])


@pytest.mark.usefixtures("way")
def test_processing_instructions(by_expat: list[str]) -> None:
    for one in ("<?x?>", "<?x y?>", "<?x ?y?>", "<?xml-stylesheet href='a'?>", "<?XMLs?>"):
        for xml in (f"{one}<a>x</a>", f"<a>x{one}</a>", f"<!DOCTYPE a>{one}<a/>{one}"):
            assert_as_expat(Scanner(), xml.encode())
    assert by_expat == []
    for one in ("<?x?l ?>", "<?xml ?>", "<?XmL?>", "<??>", "<? x?>", "<?1?>", "<?x", "<?x?", "<?x >"):
        for xml in (f"<!-- -->{one}<a>x</a>", f"<a>x{one}</a>", f"<a/>{one}"):
            assert_as_expat(Scanner(), xml.encode())


def test_a_head_of_white_space_is_read_at_once() -> None:
    assert_as_expat(Scanner(), b" " * 300_000 + b"<a>")
    assert_as_expat(Scanner(), b"<!-- x -->" * 50_000 + b"<a/")


def test_a_broken_document_leaves_no_tags_behind() -> None:
    scanner = Scanner({"new": "inline"})
    scanned(scanner, b"<a><b/></a>")
    for broken in (b"<a><new></a>", b"<c><d/>", b"<a><b/><e>&x;</e></a>"):
        with pytest.raises(InputError):
            scanned(scanner, broken)
    assert scanner.tags == ["a", "b"]
    scanned(scanner, b"<a>x<new>y</new></a>")
    assert (scanner.tags, scanner.tag_kinds.tolist()) == (["a", "b", "new"], [0, 0, 1])


def test_many_and_long_tags() -> None:
    names = [f"t{number}" for number in range(5_000)] + ["n" * 200_000]
    data = "<r>" + "".join(f"<{name}>x</{name}>" for name in names) + "</r>"
    scanner = Scanner({"t4999": "inline"})
    assert_as_expat(scanner, data.encode())
    assert scanner.tags == ["r", *names]
    assert int(scanner.tag_kinds.sum()) == 1
