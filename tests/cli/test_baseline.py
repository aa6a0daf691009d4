"""`inexlab baseline`: runs that no search engine made."""

from __future__ import annotations

from pathlib import Path

import pytest

from inexlab.runs import read_run
from tests.cli.conftest import HANDBOOK, Command

JUDGED = HANDBOOK / "judgements.qrels"
ARTICLES = HANDBOOK / "articles"


def test_ideal_passages_score_one(call: Command) -> None:
    done = call("baseline", "ideal-passages", JUDGED, "--out", "ideal.txt")
    assert (done.code, done.out) == (0, "")
    scores = call("evaluate", JUDGED, "ideal.txt", "-m", "iP@0", "-m", "iP@1", "-m", "MAiP", "-o", "csv")
    assert {line.rpartition(",")[2] for line in scores.out.splitlines()[1:]} == {"1.0"}


@pytest.mark.parametrize("kind", ["ideal-documents", "articles", "random"])
@pytest.mark.parametrize("run_format", ["2008", "2009-fol", "jsonl", "2009"])
def test_kinds_and_formats(call: Command, kind: str, run_format: str) -> None:
    given = (kind, JUDGED, "--out", "run", "--run-format", run_format, "--limit", "20")
    done = call("baseline", *given, "--collection", ARTICLES)
    assert done.code == 0, done.err
    assert len(read_run("run").topics) == 6


def test_what_xml_says_about_the_run(call: Command, tmp_path: Path) -> None:
    given = ("ideal-passages", JUDGED, "--out", "run.xml", "--run-format", "2005", "--collection", ARTICLES)
    lacking = call("baseline", *given)
    assert "--about participant=" in lacking.notes[-1]
    message = [
        pair for name in ("participant=7", "task=focused", "query=manual") for pair in ("--about", name)
    ]
    assert not any("not known" in note for note in call("baseline", *given, *message).notes)
    assert 'participant-id="7"' in (tmp_path / "run.xml").read_text()


def test_random_is_seeded(call: Command, tmp_path: Path) -> None:
    for name, seed in (("a", "1"), ("b", "1"), ("c", "2")):
        call("baseline", "random", JUDGED, "--out", name, "--collection", ARTICLES, "--seed", seed)
    a, b, c = ((tmp_path / name).read_text() for name in "abc")
    assert a == b != c


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["ideal", JUDGED], "unknown baseline 'ideal'"),
        (["random", JUDGED], "random needs the documents: give --collection DIR."),
        (["articles", "nowhere.qrels"], "nowhere.qrels"),
        (["articles", JUDGED, "--run-format", "xml"], "unknown run format 'xml'"),
    ],
)
def test_what_cannot_be_used(
    call: Command, tmp_path: Path, arguments: list[str | Path], complaint: str
) -> None:
    done = call("baseline", *arguments, "--out", "run.txt")
    assert done.code == 2
    assert complaint in done.err
    assert not (tmp_path / "run.txt").exists()
