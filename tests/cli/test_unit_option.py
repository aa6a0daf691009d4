"""`--unit` wherever offsets are read: a file in another unit gives what the same file in characters gives."""

from __future__ import annotations

import pytest

from .conftest import Command, Write

TEXT = "ééé abc  dé"
# the text has 11 characters; "abc" is 4:3, in bytes 7:3; what follows it is 7:4, in merged bytes 10:4
FILES = {
    "char": ("1 Q0 A 3 11 4 4:3\n", "1 Q0 A 1 2.0 r 4 3\n1 Q0 A 2 1.0 r 7 4\n"),
    "byte": ("1 Q0 A 3 15 7 7:3\n", "1 Q0 A 1 2.0 r 7 3\n1 Q0 A 2 1.0 r 10 5\n"),
    "merged": ("1 Q0 A 3 10 4 4:3\n", "1 Q0 A 1 2.0 r 4 3\n1 Q0 A 2 1.0 r 7 3\n"),
    "merged-byte": ("1 Q0 A 3 14 7 7:3\n", "1 Q0 A 1 2.0 r 7 3\n1 Q0 A 2 1.0 r 10 4\n"),
}
VERBS = {
    "evaluate": ("evaluate", "J", "R", "-m", "iP@0.00", "-o", "json"),
    "explain": ("explain", "J", "R", "--topic", "1", "-m", "MAiP", "-o", "json"),
    "profile": ("profile", "R", "--judgements", "J", "-o", "json"),
    "recall-base": ("recall-base", "J", "--quant", "spec6", "-o", "json"),
    "cas": ("cas", "J", "--spec", "spec.json", "--quant", "spec6", "-o", "json"),
    "cas-runs": ("cas", "--runs", "R", "--spec", "spec.json", "-o", "json"),
    "convert-run": ("convert", "R", "--to", "jsonl", "--out", "-"),
    "convert-judgements": ("convert", "J", "--to", "qrels", "--out", "-"),
}


@pytest.fixture(autouse=True)
def _documents(write: Write) -> None:
    first, last = TEXT[:4], TEXT[4:]
    write("docs/A.xml", f"<a>{first}<p>{last[:3]}</p><q>{last[3:]}</q></a>")
    write("spec.json", '{"1": {"target": "//a//p"}}')


@pytest.mark.parametrize("unit", [unit for unit in FILES if unit != "char"])
@pytest.mark.parametrize("verb", VERBS)
def test_another_unit_makes_no_difference(call: Command, write: Write, verb: str, unit: str) -> None:
    def told(files: str, *options: str) -> str:
        for name, content in zip(("J", "R"), FILES[files], strict=True):
            write(name, content)
        out = ("--out", f"strict-{files}-{len(options)}") if verb == "cas-runs" else ()
        done = call(*VERBS[verb], "--collection", "docs", *out, *options)
        assert done.code == 0, done.err
        return done.out

    right = told("char")
    assert told(unit, "--unit", unit) == right
    if unit == "byte" and verb != "evaluate":  # what is wrong in the same way on both sides scores the same
        assert told(unit) != right


def test_convert_says_that_offsets_are_turned(call: Command, write: Write) -> None:
    done = call(
        "convert", write("R", FILES["byte"][1]), "--to", "jsonl", "--out", "-",
        "--collection", "docs", "--unit", "byte",
    )  # fmt: skip
    assert "offsets are turned from bytes of its UTF-8 into characters" in done.notes


@pytest.mark.parametrize("verb", VERBS)
def test_a_unit_needs_the_documents(call: Command, write: Write, verb: str) -> None:
    for name, content in zip(("J", "R"), FILES["byte"], strict=True):
        write(name, content)
    out = ("--out", "strict") if verb == "cas-runs" else ()
    done = call(*VERBS[verb], *out, "--unit", "byte")
    assert (done.code, done.notes) == (2, ["--unit needs the texts of the documents: give --collection DIR."])


def test_check_knows_bytes_with_white_space_merged(call: Command, write: Write) -> None:
    done = call("check", write("J", FILES["merged-byte"][0]), "--collection", "docs")
    assert done.code == 1
    assert "merges white space and counts bytes: try --unit merged-byte" in done.out
    assert call("check", "J", "--collection", "docs", "--unit", "merged-byte").code == 0


@pytest.mark.parametrize("home", ["docs", "index"])
def test_offsets_into_source_files(call: Command, write: Write, home: str) -> None:
    source = "# Bees\r\n\r\nThe *dance*.\r\n"
    write("docs/B.md", source)
    if home == "index":
        assert call("index", "docs", "--out", "index").code == 0
    at = source.index("dance")
    write("J", f"1 Q0 B 5 {len(source)} {at} {at}:5\n")
    write("R", f"1 Q0 B 1 2.0 r {at} 5\n")
    arguments = ("evaluate", "J", "R", "-m", "iP@0.00", "--collection", home, "-o", "json")
    done = call(*arguments, "--unit", "source")
    assert done.code == 0, done.err
    assert done.out == call(*arguments).out
    assert '"value": 1.0' in done.out
    write("R", "1 Q0 A 1 2.0 r 4 3\n")
    done = call(*arguments, "--unit", "source")
    assert done.code == 2
    assert "A: its text is not that of its source file, as in Markdown and plain text." in done.err
