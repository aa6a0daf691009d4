"""Pools in and out: JSON Lines and X-Rai's XML."""

from __future__ import annotations

from pathlib import Path

import pytest

from inexlab.collection import open_collection
from inexlab.errors import InputError
from inexlab.pooling import Pool, PooledDocument, read_pool, write_pool
from inexlab.pooling.making import with_spans
from inexlab.pooling.table import Hint
from inexlab.spans import Span

POOL = Pool(
    (
        PooledDocument("2", "A", (Span(0, 3), Span(1, 3)), ("r", "s"), 1),
        PooledDocument("2", "B", (), ("s",), 2, (Hint("/a[1]/p[1]"), Hint("/a[1]/p[1]", "/a[1]/p[2]"))),
        PooledDocument("10", "A", runs=("r",), rank=1),
    ),
    {"2": ("anna", "bob"), "10": ()},
)


def test_json_lines_there_and_back(tmp_path: Path) -> None:
    assert write_pool(POOL, tmp_path / "p.jsonl") == ()
    assert (tmp_path / "p.jsonl").read_text().splitlines()[0] == (
        '{"topic": "2", "doc": "A", "hints": [[0, 3], [1, 3]], "runs": ["r", "s"], "rank": 1, '
        '"assessors": ["anna", "bob"]}'
    )
    back = read_pool(tmp_path / "p.jsonl")
    assert back.documents == POOL.documents
    assert back.assessors == POOL.assessors
    assert back.topics == ["2", "10"]


def test_xrai_there_and_back(tmp_path: Path) -> None:
    """An element is a path, other text a passage; spans without documents are left out, with a word."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "A.xml").write_text("<a>x<p>yz</p></a>")
    (tmp_path / "docs" / "B.xml").write_text("<a><p>1</p><p>2</p></a>")
    documents = open_collection(tmp_path / "docs")
    lost = write_pool(POOL, tmp_path / "out", "pool-xrai", collection=documents)
    assert lost == ("which runs returned a document is not kept",)
    text = (tmp_path / "out" / "topic-2.xml").read_text()
    assert '<assessor name="anna"/>\n<assessor name="bob"/>' in text
    assert '<file file="A"><path path="/a[1]"/><path path="/a[1]/p[1]"/></file>' in text
    assert "<latecomers/>" in (tmp_path / "out" / "topic-10.xml").read_text()
    back = read_pool(tmp_path / "out")
    assert back.assessors == POOL.assessors
    assert {(d.topic, d.doc) for d in back} == {(d.topic, d.doc) for d in POOL}
    located = {(d.topic, d.doc): d.hints for d in with_spans(back, documents)}
    assert located["2", "A"] == ((0, 3), (1, 3))
    assert located["2", "B"] == ((0, 1), (0, 2))
    alone = write_pool(POOL, tmp_path / "blind", "pool-xrai")
    assert alone[0] == "2 hints given by offsets left out: they need `collection=DIR` to be written as paths"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"topic": 1, "doc": "A", "hints": [[3, 1]]}', r"line 1: hint '\[3, 1\]' is not a span"),
        ('{"topic": 1, "doc": "A", "hints": 3}', "'hints' is '3', expected a list"),
        ('{"topic": 1, "doc": "A", "hints": [], "paths": [7]}', "'paths' has '7'"),
        ('{"topic": 1, "doc": "A", "hints": [], "runs": [7]}', "expected a list of names"),
        ('{"topic": 1, "doc": "A", "hints": []}\n{"topic": 1, "doc": "A", "hints": []}', "line 2: .* twice"),
        (
            '{"topic": 1, "doc": "A", "hints": [], "assessors": ["a"]}\n'
            '{"topic": 1, "doc": "B", "hints": [], "assessors": []}',
            "line 2: topic 1 has other assessors",
        ),
        ("<pool topic='1'></pool>", "holds no documents to judge"),
        ("<pool><file file='A'/></pool>", "line 1: <pool> without the attribute topic"),
        ("<pool topic='1'><file/></pool>", "<file> without the attribute file"),
        ("<pool topic='1'><file file='A'><passage start='/a'/></file></pool>", "without the attribute end"),
        ("1 Q0 A 1 2.0 r 0 5", "line 1: is not a pool in a known format"),
    ],
)
def test_bad_pools(content: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "p").write_text(content)
    with pytest.raises(InputError, match=message):
        read_pool(tmp_path / "p")
