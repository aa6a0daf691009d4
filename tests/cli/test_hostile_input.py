"""Input that is meant to do harm: every command ends with one line that says what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import HANDBOOK, Command, Write

QRELS, RUN = str(HANDBOOK / "judgements.qrels"), str(sorted((HANDBOOK / "runs").glob("focused-*"))[0])
ARTICLES, TOPICS = str(HANDBOOK / "articles"), str(HANDBOOK / "topics.xml")
DEEP, LONG, NAME = "[" * 100_000 + "]" * 100_000, "9" * 10_000, "n" * 300


@pytest.mark.parametrize("content", [f"a = {DEEP}", f"a = {LONG}", "a = " + "{b=" * 100_000])
@pytest.mark.parametrize(
    "arguments",
    [
        ("evaluate", "--campaign-file", "bad.toml"),
        ("index", ARTICLES, "--out", "index", "--profile", "bad.toml"),
        ("evaluate", QRELS, RUN, "-m", "MAep(quant=./bad.toml)"),
        ("run", "INDEX", "--topics", TOPICS, "--equivalence", "bad.toml", "--out", "run"),
    ],
)
def test_toml_that_is_deep_or_has_long_numbers(
    call: Command, write: Write, handbook_index: Path, arguments: tuple[str, ...], content: str
) -> None:
    write("bad.toml", content)
    done = call(*(str(handbook_index) if word == "INDEX" else word for word in arguments))
    assert (done.code, done.out) == (2, "")
    (note,) = done.notes
    assert "bad.toml" in note.partition(": ")[0]
    assert "is not TOML" in note


@pytest.mark.parametrize(
    "arguments",
    [
        ("evaluate", NAME, NAME),
        ("evaluate", QRELS, RUN, "--out", NAME),
        ("evaluate", QRELS, RUN, "--collection", NAME),
        ("check", RUN, "--collection", NAME),
        ("convert", RUN, "--to", "jsonl", "--out", NAME),
        ("index", NAME, "--out", "index"),
        ("index", ARTICLES, "--out", NAME),
        ("index", ARTICLES, "--out", "index", "--stopwords", NAME),
        ("index", "--info", NAME),
        ("search", NAME, "bees"),
        ("topics", NAME),
        ("diff", NAME, NAME),
        ("demo", "--out", NAME),
    ],
)
def test_names_that_no_file_can_have(call: Command, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = call(*arguments)
    assert (done.code, done.out) == (2, "")
    (note,) = done.notes
    assert "File name too long" in note
    assert "Traceback" not in done.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("bracket", ["(", "[", "{", "(a=", "((", "@("])
@pytest.mark.parametrize("before", ["", "MAgP", "P", "nDCG(gain=", "Article("])
def test_deep_brackets_in_the_names_of_measures(call: Command, before: str, bracket: str) -> None:
    done = call("evaluate", QRELS, RUN, "-m", before + bracket * 20_000)
    assert (done.code, done.out) == (2, "")
    assert len(done.notes) == 1


@pytest.mark.parametrize(
    "query", ["(" * 50_000, "//a[" * 20_000, "//a[" + "(" * 50_000, "-" * 50_000, '"' * 49_999]
)
def test_deep_brackets_in_queries(call: Command, query: str) -> None:
    done = call("nexi", "--", query)
    assert done.code in (0, 2)
    assert "Traceback" not in done.err
