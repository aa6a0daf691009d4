"""A small campaign of graded assessments for the commands that compare conditions.

Three systems on assessments of 2005. On topics 1 to 5 article A is highly exhaustive, B and C are not,
and half of C is relevant; on topic 6 there is B alone, so that it is undefined where strict.

    first result   gen5   genLifted   strict5        nxCG@2   gen5   strict5
    A              1      1           1              A x      2/3    1
    B              1/2    2/3         0              B x      1/3    0
    C              1/4    1/3         0              C A      5/6    1
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from tests.cli.conftest import Outcome, Write

Grades = Mapping[str, tuple[int, int]]  # document -> exhaustivity, quarters that are relevant

GRADES: Grades = {"A": (2, 4), "B": (1, 4), "C": (1, 2)}
RUNS = ("a.xml", "b.xml", "c.xml")
GEN_STRICT = ("--vary", "quant=gen5,strict5")
TWICE = ("--vary", "measure=nxCG@1,nxCG@2", *GEN_STRICT)
UNJUDGED = "3 results in documents without judgement for the topic, taken as not relevant: a (1), c (2)"


def assessments(topic: str, grades: Grades) -> str:
    """Assessments of one topic of 2005."""
    files = "".join(
        f'<file collection="ieee" name="{doc}"><element path="/article[1]" exhaustivity="{exhaustivity}" '
        f'size="400" rsize="{100 * quarters}"/></file>\n'
        for doc, (exhaustivity, quarters) in grades.items()
    )
    return (
        f'<assessments pool="{topic}0" topic="{topic}" version="2">\n'
        f'<inex_topic topic_id="{topic}" query_type="CO+S"/>\n{files}'
        '<file collection="ieee" name="x"/></assessments>\n'
    )


def submission(id: str, documents: str, topics: str = "123456") -> str:
    """A run of 2005 that returns the same articles on each topic."""
    results = "".join(
        f"<result><file>{doc}</file><path>/article[1]</path><rank>{rank}</rank></result>"
        for rank, doc in enumerate(documents, start=1)
    )
    return (
        f'<inex-submission participant-id="24" run-id="{id}" task="CO.Thorough" query="automatic">'
        '<topic-fields title="yes" castitle="no" description="no" narrative="no"/>'
        "<description>d</description><collections><collection>ieee</collection></collections>"
        + "".join(f'<topic topic-id="{topic}">{results}</topic>\n' for topic in topics)
        + "</inex-submission>\n"
    )


def write_campaign(write: Write) -> None:
    """Write the assessments of all six topics as `pool`, of the first five as `five`, and three runs."""
    for topic in "12345":
        for folder in ("pool", "five"):
            write(f"{folder}/{topic}.xml", assessments(topic, GRADES))
    write("pool/6.xml", assessments("6", {"B": (1, 4)}))
    for id, documents in {"a": "Ax", "b": "Bx", "c": "CA"}.items():
        write(f"{id}.xml", submission(id, documents))


def rows(done: Outcome) -> list[dict[str, Any]]:
    """The JSON printed."""
    assert done.code == 0, done.err
    found: list[dict[str, Any]] = json.loads(done.out, parse_constant=pytest.fail)
    return found


def square(done: Outcome) -> list[list[float | None]]:
    """The numbers of a table with a row and a column for each condition."""
    return [list(row.values())[1:] for row in rows(done)]


def scores(*rows: str) -> str:
    """A CSV matrix of the systems A and B."""
    return "topic,A,B\n" + "".join(f"{topic},{row}\n" for topic, row in enumerate(rows))
