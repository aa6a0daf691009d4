"""`--out` in every verb that has it: what cannot be written is told before anything is read."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer

from inexlab.cli.main import application

from .conftest import Command, Write

# arguments but for --out; none of the files that they name is there, so whoever reads first says so
VERBS: dict[str, list[str]] = {
    "evaluate": ["no.qrels", "no.txt", "-m", "MAiP"],
    "report": ["no.qrels", "no.txt"],
    "plot": ["ranking", "no.qrels", "no.txt"],
    "convert": ["no.txt", "--to", "2009"],
    "run": ["no-index", "--topics", "no.xml"],
    "baseline": ["ideal-passages", "no.qrels"],
    "ttest": ["no.qrels", "no.txt", "other.txt"],
    "cas": ["no.qrels", "--topics", "no.xml", "--interpretation", "SVCAS"],
    "index": ["no-documents"],
    "demo": [],
    "new": ["measure", "SpanX"],
    "pool": ["no.txt"],
    "chunks": ["no-documents", "--gold", "no.jsonl", "--chunker", "windows:400c"],
}
FOLDERS = {
    "cas": VERBS["cas"],
    "cas --runs": ["--runs", "no.txt", "--topics", "no.xml"],
    "convert": ["no.qrels", "--to", "assessments-2005"],
    "index": VERBS["index"],
    "demo": [],
    "new": VERBS["new"],
}


def test_no_verb_with_out_is_missing() -> None:
    group = typer.main.get_command(application())
    commands: dict[str, typer.core.TyperCommand] = group.commands  # type: ignore[attr-defined]
    have = {name for name, command in commands.items() for p in command.params if "--out" in p.opts}
    assert have == set(VERBS)


@pytest.mark.parametrize("verb", sorted(set(VERBS) - {"cas", "index", "demo", "new"}))
def test_a_file_in_a_folder_that_is_not_there(verb: str, call: Command) -> None:
    out = "nowhere/out.svg" if verb == "plot" else "nowhere/out"
    done = call(verb, *VERBS[verb], "--out", out)
    assert (done.code, done.notes) == (
        2,
        [f"{out} cannot be written (No such file or directory); give another place as --out."],
    )


@pytest.mark.parametrize("verb", sorted(FOLDERS))
def test_a_folder_below_a_file(verb: str, call: Command, write: Write) -> None:
    write("file", "")
    done = call(verb.split()[0], *FOLDERS[verb], "--out", "file/below/out")
    assert done.code == 2
    assert "cannot be written (Not a directory); give another place as --out." in done.notes[-1]


@pytest.mark.parametrize("verb", sorted(set(FOLDERS) - {"new"}))
def test_a_folder_where_something_is(verb: str, call: Command, write: Write, tmp_path: Path) -> None:
    write("there/file", "")
    done = call(verb.split()[0], *FOLDERS[verb], "--out", "there")
    assert done.code == 2
    assert done.notes[-1].startswith("there already exists; give a new")
    assert [path.name for path in (tmp_path / "there").iterdir()] == ["file"]
