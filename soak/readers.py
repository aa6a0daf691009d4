"""Damaged files for every reader, documents for the scanner beside expat and lxml, and odd queries."""

from __future__ import annotations

import contextlib
import functools
import random
from collections import Counter
from pathlib import Path

import numpy as np
from lxml import etree
from tests.cli.conftest import WORKED_QRELS, WORKED_RUN
from tests.cli.test_mutations import OF_2006, READERS, TREC_EVAL, WHOLE, XML_RUN
from tests.index.test_scan import DATA, assert_as_expat, assert_as_lxml
from tests.index.test_scan import articles as articles_of
from tests.mutations import MUTATIONS

from inexlab.collection import read_document
from inexlab.collection.profile import read_profile
from inexlab.errors import InexlabError, QueryError
from inexlab.index.batch import Batch
from inexlab.index.scan import ELEMENTS
from inexlab.index.scanner import Scanner
from inexlab.topics.nexi import parse_nexi
from soak._trial import Result, attempt, in_process, some

ARTICLES = DATA / "elife-1216.tar.xz"
_KINDS = {"b": "inline", "sub": "inline", "x:note": "skip"}


def _mutated(data: bytes, chance: random.Random) -> bytes:
    damaged = chance.choice(MUTATIONS)(data, chance)
    while damaged and chance.random() < 0.4:
        damaged = chance.choice(MUTATIONS)(damaged, chance)
    return damaged


def readers(folder: Path, chance: random.Random, share: float) -> Result:
    """Give damaged files to the commands: they end with 0 or 2, and 2 says why in one line."""
    failures: list[str] = []
    endings: Counter[int] = Counter()
    (folder / "docs").mkdir()
    for name in "ABC":
        (folder / "docs" / f"{name}.xml").write_text(WHOLE)
    for name, content in {
        "worked.qrels": WORKED_QRELS,
        "worked.txt": WORKED_RUN,
        "elements.xml": XML_RUN.split("<result><file>B")[0] + "</topic></inex-submission>",
        "graded": OF_2006,
        "other": TREC_EVAL.replace("0.5", "0.7"),
    }.items():
        (folder / name).write_text(content)
    with contextlib.chdir(folder):
        for _ in range(some(60_000, share)):
            name = chance.choice([name for name in READERS if "EvalJ" not in name])
            reader = READERS[name]
            good = reader.good.encode() if isinstance(reader.good, str) else reader.good
            damaged = _mutated(good, chance)
            file = (
                "bad.toml" if "@.toml" in reader.command else "bad" if "@" in reader.command else "docs/A.xml"
            )
            Path(file).write_bytes(damaged)
            arguments = reader.command.replace("@", "bad").split()
            done = attempt(functools.partial(in_process, arguments), f"{name} {damaged[:200]!r}", failures)
            if file == "docs/A.xml":
                Path(file).write_text(WHOLE)
            if done is not None:
                endings[done.code] += 1
                if done.code not in (0, 2) or (done.code == 2 and done.err.count("\n") != 1):
                    failures.append(f"{name} {damaged[:200]!r}: {done}")
    return f"{endings.total():,} damaged files, {endings[2]:,} refused", failures


_TEXTS = (
    *(b"word ", b"W\xc3\xa9", b"\xf0\x9d\x92\xb3", b"]", b"]]", b" ", b"\n", b"x" * 70, b"H<sub>2</sub>O"),
    *(b"&amp;", b"&#65;", b"&#x10FFFF;", b"<!-- x -->", b"<!---->", b"<?p q?>", b"<![CDATA[x<]]>", b"\r\n"),
)
_HARM = (
    *(b"]]>", b"&nope;", b"<!-- -- -->", b"<?xml?>", b"\0", b"\xff", b"<", b">", b"&", b"<a>", b"</a>"),
    *(b"<a b=1>", b"<a b='1' b='2'>", b"<a b='<'>", b"&#0;", b"&#xD800;", b"<1>", b"</a", b"<!DOCTYPE a>"),
)
_TAGS = (b"a", b"p", b"b", b"x:note", b"t" * 17, b"t" * 40, b"_1")
_ATTRIBUTES = (b"", b"", b" n='1'", b" n=\"&lt;\" m=''", b" ", b"".join(b" n%d='1'" % k for k in range(66)))


def _content(chance: random.Random, depth: int) -> bytes:
    found = b""
    for _ in range(chance.randrange(6)):
        if depth and chance.random() < 0.5:
            tag, attributes = chance.choice(_TAGS), chance.choice(_ATTRIBUTES)
            inner = _content(chance, depth - 1)
            found += (
                b"<%s%s>%s</%s>" % (tag, attributes, inner, tag) if inner else b"<%s%s/>" % (tag, attributes)
            )
        else:
            found += chance.choice(_TEXTS)
    return found


def odd_document(chance: random.Random) -> bytes:
    """Return a document that is well-formed, or was so before some harm was done to it."""
    head = chance.choice((b"", b'<?xml version="1.0"?>', b"\xef\xbb\xbf", b"<!DOCTYPE a SYSTEM 'x'>", b" "))
    whole = head + b"<a>" + _content(chance, 4) + b"</a>"
    if chance.random() < 0.25:
        at = chance.randrange(len(whole))
        whole = whole[:at] + chance.choice(_HARM) + whole[at:]
    return _mutated(whole, chance) if chance.random() < 0.15 else whole


def _by_lxml(data: bytes) -> str:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
    return "".join(str(piece) for piece in etree.fromstring(data, parser).itertext())


def scanner(_folder: Path, chance: random.Random, share: float) -> Result:
    """Scan odd documents: what is accepted is as expat and lxml read it, what is refused they refuse."""
    failures: list[str] = []
    accepted = refused = by_lxml = 0
    one = Scanner(_KINDS)
    for _ in range(some(150_000, share)):
        data = odd_document(chance)
        batch = Batch()
        before = len(failures)
        expected = attempt(
            functools.partial(read_document, data, "d"), f"expat {data!r}", failures, InexlabError
        )
        attempt(
            functools.partial(one.scan, data, "d", batch),
            f"scan {data!r}",
            failures,
            InexlabError,
        )
        if len(failures) > before:
            continue
        if (expected is None) != (len(batch) == 0):
            failures.append(f"scan and expat do not agree on {data!r}")
        if expected is None or not len(batch):
            refused += 1
            continue
        accepted += 1
        size = int(batch.filled[ELEMENTS])
        same = (
            batch.text_of(0).tobytes().decode() == expected.text
            and [one.tags[code] for code in batch.tag[:size]]
            == [expected.elements.tags[code] for code in expected.elements.tag]
            and np.array_equal(batch.start[:size], expected.elements.start)
            and np.array_equal(batch.end[:size], expected.elements.end)
        )
        if not same:
            failures.append(f"another reading than expat's of {data!r}")
        if b"<!" not in data and b"<?" not in data and b"encoding" not in data:
            by_lxml += 1
            text = attempt(
                functools.partial(_by_lxml, data),
                "lxml",
                [],
            )
            if text is not None and text != expected.text:
                failures.append(f"another reading than lxml's of {data!r}")
    return f"{accepted + refused:,} documents, {refused:,} refused, {by_lxml:,} beside lxml", failures


QUERIES = (
    "//article[about(., xml retrieval)]//sec[about(.//p, +index -tree)]",
    '"gene expression" yeast -mouse +cell',
    "//(sec|p)[about(., x) and .//yr > 1998 or (about(.//t, y))]",
    "//*[about(.//author, 'smith') AND .//@id = 12]",
)


def articles(_folder: Path, chance: random.Random, share: float) -> Result:
    """Read real articles with the scanner, with expat and with lxml."""
    if not ARTICLES.exists():
        return f"left out: ../shared/data/{ARTICLES.name} is not here", []
    scan, read, failures = Scanner(read_profile("jats").kinds), 0, []
    for name, data in articles_of(ARTICLES.name):
        if chance.random() < share:
            read += 1
            try:
                assert_as_expat(scan, data, name)
                assert_as_lxml(scan, data, name)
            except (AssertionError, InexlabError) as error:
                failures.append(f"{name}: {error!r}")
    return f"{read} articles read as expat and lxml read them", failures


def queries(_folder: Path, chance: random.Random, share: float) -> Result:
    """Parse odd queries: they are read, and read again from what they print, or refused."""
    failures: list[str] = []
    read = 0
    count = some(100_000, share)
    for _ in range(count):
        text = _mutated(chance.choice(QUERIES).encode(), chance).decode(errors="replace")
        parsed = attempt(functools.partial(parse_nexi, text), repr(text[:200]), failures, QueryError)
        if parsed is not None:
            read += 1
            again = attempt(functools.partial(parse_nexi, str(parsed)), repr(text[:200]), failures)
            if str(again) != str(parsed):
                failures.append(f"{text[:200]!r} is not the same when read again")
    return f"{count:,} queries, {read:,} read", failures
