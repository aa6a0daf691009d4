"""What `inexlab convert` says about what it changes, where that is easily overlooked."""

from __future__ import annotations

import pytest

from .conftest import Command, Write

BY_RANK = """<inex-submission run-id="r" participant-id="1" task="F" query="q"><topic topic-id="1">
<result><file>A</file><path>/a[1]/e[1]</path><rank>{}</rank></result>
<result><file>A</file><path>/a[1]/b[1]</path><rank>{}</rank></result>
</topic></inex-submission>
"""


@pytest.mark.parametrize(
    ("passages", "notes"),
    [
        ("0:4 4:9", ["1 highlight joined with its neighbour"]),
        ("0:4 6:7 4:2", ["2 highlights joined with their neighbours"]),
        ("0:4 5:9", []),
        ("0:13 4:0", []),
    ],
)
def test_joined_highlights_are_counted(call: Command, write: Write, passages: str, notes: list[str]) -> None:
    file = write("q", f"1 Q0 A 13 20 0 {passages}\n")
    done = call("convert", file, "--to", "jsonl", "--out", "-")
    assert [note for note in done.notes if "joined" in note] == notes


def test_the_collection_of_assessments_is_missed(call: Command, write: Write) -> None:
    element = '<path path="/a[1]" exhaustiveness="2" specificity="3"/>'
    file = f'<file collection="ieee" file="A">{element}</file><file file="B"/>'
    given = write("j.xml", f'<assessments topic="1">{file}</assessments>')
    done = call("convert", given, "--to", "assessments-2004", "--out", "new")
    assert done.notes[1:] == ["the collection named for 1 judged document not kept"]


def test_scores_are_not_made_of_ranks(call: Command, write: Write) -> None:
    done = call("convert", write("r.xml", BY_RANK.format(1, 2)), "--to", "2008", "--out", "-")
    assert done.code == 0
    assert "<rank>2</rank>" in done.out
    assert "rsv" not in done.out
    done = call("convert", "r.xml", "--to", "2009", "--out", "-")
    assert done.out == "1 Q0 A 1 2.0 r /a[1]/e[1]\n1 Q0 A 2 1.0 r /a[1]/b[1]\n"
    assert any("written as a countdown of the ranks" in note for note in done.notes)


def test_ranks_in_another_order_are_written_as_scores(call: Command, write: Write) -> None:
    done = call("convert", write("r.xml", BY_RANK.format(2, 1)), "--to", "2009", "--out", "-")
    assert done.out == "1 Q0 A 1 -2.0 r /a[1]/e[1]\n1 Q0 A 2 -1.0 r /a[1]/b[1]\n"
    assert any("scores are written from ranks" in note for note in done.notes)


def test_a_point_that_may_have_been_an_empty_element(call: Command, write: Write) -> None:
    write("docs/A.xml", "<a>abc<e/><b>def</b></a>")
    file = write("r", "1 Q0 A 1 2.0 r 3 0\n1 Q0 A 2 1.0 r 4 0\n")
    done = call("convert", file, "--to", "2009", "--collection", "docs", "--out", "-")
    assert done.notes[1:] == ["1 of 2 results may be an empty element: written as a point in the text"]
