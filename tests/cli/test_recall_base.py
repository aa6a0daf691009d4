"""`inexlab recall-base`: the relevant elements of each topic, or the ideal ones."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.cli.conftest import Command, Outcome, Write

# By hand: the section is worth .6, its paragraphs 1 and .5; the ideal recall base is the section alone.
TOPIC_1 = """\
<assessments pool="10" topic="1"><file name="A">
  <element path="/sec[1]" exhaustivity="2" size="100" rsize="60"/>
  <element path="/sec[1]/p[1]" exhaustivity="1" size="40" rsize="40"/>
  <element path="/sec[1]/p[2]" exhaustivity="?" size="60" rsize="30"/>
</file><file name="B"/></assessments>
"""
TOPIC_2 = """\
<assessments pool="20" topic="2"><file name="B">
  <element path="/article[1]" exhaustivity="1" size="80" rsize="20"/>
  <element path="/article[1]/sec[2]" exhaustivity="1" size="20" rsize="20"/>
</file></assessments>
"""
SECTION, P1, P2 = "/sec[1]", "/sec[1]/p[1]", "/sec[1]/p[2]"


@pytest.fixture
def folder(write: Write) -> str:
    write("assessments/topic-1/pool-10.xml", TOPIC_1)
    write("assessments/topic-2/pool-20.xml", TOPIC_2)
    return "assessments"


def rows(done: Outcome) -> list[tuple[str, str, str, float]]:
    assert done.code == 0, done.err
    return [(row["topic"], row["doc"], row["path"], row["value"]) for row in json.loads(done.out)]


# What is written.


def test_the_full_recall_base_has_every_element_of_value(call: Command, folder: str) -> None:
    assert rows(call("recall-base", folder, "--quant", "binExh", "-o", "json")) == [
        ("1", "A", SECTION, 0.6),
        ("1", "A", P1, 1),
        ("1", "A", P2, 0.5),
        ("2", "B", "/article[1]", 0.25),
        ("2", "B", "/article[1]/sec[2]", 1),
    ]


def test_the_ideal_one_has_no_overlap(call: Command, folder: str) -> None:
    assert rows(call("recall-base", folder, "--quant", "binExh", "--ideal", "-o", "json")) == [
        ("1", "A", SECTION, 0.6),
        ("2", "B", "/article[1]/sec[2]", 1),
    ]


@pytest.mark.parametrize(
    ("quant", "expected"),
    [
        ("gen", [(SECTION, 1.2), (P1, 1)]),
        ("gen5", [(SECTION, 1.2), (P1, 1)]),
        ("genLifted", [(SECTION, 1.8), (P1, 2), (P2, 0.5)]),
        ("binExh(min_size=50)", [(SECTION, 0.6), (P2, 0.5)]),
        ("binExhNoSmall", [(SECTION, 0.6), (P1, 1)]),
        ("fullySpec", [(P1, 1)]),
        ("strict", []),
    ],
)
def test_the_quantisation_decides_what_counts(
    quant: str, expected: list[tuple[str, float]], call: Command, folder: str
) -> None:
    done = call("recall-base", folder, "--topic", "1", "--quant", quant, "-o", "json")
    assert [(path, value) for _, _, path, value in rows(done)] == expected


def test_without_a_quantisation_it_is_the_generalised_one(call: Command, folder: str) -> None:
    default = call("recall-base", folder, "-o", "json")
    assert default == call("recall-base", folder, "--quant", "gen5", "-o", "json")


def test_ones_own_quantisation(call: Command, folder: str, write: Write) -> None:
    mine = write("mine.toml", 'scale = "2005"\n[values]\n"?" = 8\n')
    done = call("recall-base", folder, "--quant", mine, "-o", "json")
    assert rows(done) == [("1", "A", P2, 4)]
    assert done.notes[0] == "full recall base with mine.toml: 1 element"


@pytest.mark.parametrize(
    ("topics", "kept"), [(["1"], {"1"}), (["2"], {"2"}), (["1", "2"], {"1", "2"}), ([], {"1", "2"})]
)
def test_topics_can_be_chosen(topics: list[str], kept: set[str], call: Command, folder: str) -> None:
    asked = [word for topic in topics for word in ("--topic", topic)]
    found = rows(call("recall-base", folder, *asked, "-o", "json"))
    assert {topic for topic, *_ in found} == kept


def test_pools_can_be_chosen(call: Command, folder: str, write: Write) -> None:
    write("assessments/others/pool-11.xml", TOPIC_1.replace('pool="10"', 'pool="11"').replace('"?"', '"2"'))
    mixed = call("recall-base", folder)
    assert (mixed.code, mixed.out) == (2, "")
    assert "--pool" in mixed.err
    one = call("recall-base", folder, "--pool", "11", "-o", "json")
    assert rows(one) == [("1", "A", SECTION, 1.2), ("1", "A", P1, 1), ("1", "A", P2, 1)]
    two = call("recall-base", folder, "--pool", "10", "--pool", "20", "--topic", "1", "-o", "json")
    assert rows(two) == [("1", "A", SECTION, 1.2), ("1", "A", P1, 1)]


@pytest.mark.parametrize(
    ("judgements", "quant", "value"),
    [
        ('<path path="/a[1]" topicalrelevance="2" coverage="L"/>', "gen", 0.5),
        ('<path path="/a[1]" exhaustiveness="2" specificity="3"/>', "gen", 0.75),
        ('<path path="/a[1]" exhaustiveness="2" specificity="3"/>', "sog", 0.9),
        ('<path path="/a[1]" exhaustiveness="2" specificity="3"/>', "s3_e32", 1),
    ],
)
def test_judgements_of_earlier_years(
    judgements: str, quant: str, value: float, call: Command, write: Write
) -> None:
    file = write("a.xml", f'<assessments topic="1"><file file="A">{judgements}</file></assessments>')
    assert rows(call("recall-base", file, "--quant", quant, "-o", "json")) == [("1", "A", "/a[1]", value)]


# Counts.


def test_counts_by_topic_and_tag_go_to_standard_error(call: Command, folder: str) -> None:
    assert call("recall-base", folder, "--quant", "binExh").notes == [
        "full recall base with binExh: 5 elements",
        "by topic: 1 3, 2 2",
        "by tag: sec 2, p 2, article 1",
    ]
    assert call("recall-base", folder, "--quant", "binExh", "--ideal", "--topic", "2").notes == [
        "ideal recall base with binExh: 1 element",
        "by topic: 2 1",
        "by tag: sec 1",
    ]


def test_a_topic_without_anything_relevant_is_counted_too(call: Command, folder: str) -> None:
    done = call("recall-base", folder, "--quant", "fullySpec", "-o", "json")
    assert done.notes[1] == "by topic: 1 1, 2 1"
    none = call("recall-base", folder, "--quant", "strict", "-o", "json")
    assert json.loads(none.out) == []
    assert none.notes == [
        "full recall base with strict5: 0 elements",
        "by topic: 1 0, 2 0",
        "by tag: none",
    ]


# Formats.


@pytest.mark.parametrize(("output", "separator"), [("csv", ","), ("tsv", "\t")])
def test_separated_values_have_every_digit(output: str, separator: str, call: Command, write: Write) -> None:
    file = write(
        "a.xml",
        '<assessments topic="1"><file name="A"><element path="/a[1]" exhaustivity="1" size="3" rsize="1"/>'
        "</file></assessments>",
    )
    done = call("recall-base", file, "-o", output)
    assert list(csv.reader(io.StringIO(done.out), delimiter=separator)) == [
        ["topic", "doc", "path", "value"],
        ["1", "A", "/a[1]", repr(1 / 3)],
    ]


def test_markdown(call: Command, folder: str) -> None:
    done = call("recall-base", folder, "--quant", "fullySpec", "-o", "markdown")
    assert done.out.splitlines() == [
        "| topic | doc | path | value |",
        "| --- | --- | --- | ---: |",
        "| 1 | A | /sec[1]/p[1] | 1.0000 |",
        "| 2 | B | /article[1]/sec[2] | 1.0000 |",
    ]


def test_a_table_for_people(call: Command, folder: str) -> None:
    lines = [line.split() for line in call("recall-base", folder, "--topic", "1").out.splitlines()]
    assert lines[0] == ["topic", "doc", "path", "value"]
    assert lines[2:] == [["1", "A", SECTION, "1.2000"], ["1", "A", P1, "1.0000"]]


# Highlights.


def test_highlights_need_the_collection(call: Command, write: Write) -> None:
    file = write("a.qrels", "1 Q0 A 2 4 0 0:2\n")
    done = call("recall-base", file)
    assert (done.code, done.out) == (2, "")
    assert done.notes == [
        "a.qrels: holds no assessed elements, which these measures need. "
        "Give --collection DIR to derive them from highlights."
    ]


def test_highlights_with_the_collection(call: Command, write: Write) -> None:
    file = write("a.qrels", "1 Q0 A 2 4 0 0:2\n")
    write("documents/A.xml", "<a><p>xy</p><p>z</p>!</a>")
    done = call("recall-base", file, "--collection", "documents", "--quant", "spec6", "-o", "json")
    assert rows(done) == [("1", "A", "/a[1]", 0.5), ("1", "A", "/a[1]/p[1]", 1)]


def test_the_example_of_the_manual_page(inexlab: Command, handbook: Path) -> None:
    done = inexlab(
        *("recall-base", handbook / "judgements.qrels", "--collection", handbook / "articles"),
        *("--quant", "spec6", "--ideal", "-o", "csv"),
    )
    assert done.code == 0
    listed = list(csv.DictReader(io.StringIO(done.out)))
    assert done.notes[0] == f"ideal recall base with spec6: {len(listed)} elements"
    assert all(0 < float(row["value"]) <= 1 for row in listed)
    paths = {(row["topic"], row["doc"], row["path"]) for row in listed}
    assert len(paths) == len(listed) > 0
    for topic, doc, path in paths:
        assert not any(t == topic and d == doc and p.startswith(f"{path}/") for t, d, p in paths)


# Mistakes.


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("assessments", "--quant", "gen6"), "unknown quantisation 'gen6'"),
        (
            ("assessments", "--quant", "sog"),
            "quantisation sog is for judgements of 2003-2004, these are of 2005-2006",
        ),
        (("assessments", "--quant", "own.toml"), "own.toml: no such file"),
        (("assessments", "--topic", "7"), "unknown topic '7'. Known: 1, 2"),
        (("assessments", "--pool", "77"), "assessments: holds no judgements. Check the pools asked for"),
        (("assessments", "-o", "latex"), "unknown output format 'latex'"),
        (
            ("assessments", "--ideal", "--construction", "offical"),
            "unknown construction of the ideal recall base 'offical'; did you mean 'official'",
        ),
        (("nowhere",), "nowhere: no such file"),
        ((), "give judgements, or a --campaign-file."),
    ],
)
def test_what_cannot_be_used_ends_with_2_and_one_line(
    arguments: tuple[str, ...], message: str, call: Command, folder: str
) -> None:
    assert folder == "assessments"
    done = call("recall-base", *arguments)
    assert (done.code, done.out) == (2, "")
    assert len(done.notes) == 1
    assert message in done.notes[0]
