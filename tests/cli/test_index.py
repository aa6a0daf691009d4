"""`inexlab index`: build, append, merge, describe and check indexes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from inexlab.index.store import files_folder
from tests.processes import hearing_signals

from .conftest import Command, Write


@pytest.fixture
def docs(write: Write, tmp_path: Path) -> str:
    (tmp_path / "docs").mkdir()
    write("docs/a.xml", "<article><title>Bees</title><p>Bees dance.</p></article>")
    write("docs/b.xml", "<article><p>Ants\n<p></article>")
    write("docs/c.xml", "<article><p>Ants build <b>nests</b></p></article>")
    return "docs"


def facts(text: str) -> dict[str, object]:
    (found,) = json.loads(text)
    assert isinstance(found, dict)
    return found


def test_build(call: Command, docs: str) -> None:
    done = call("index", docs, "--out", "index", "-o", "json")
    assert done.code == 0
    assert done.notes == ["left out: docs/b.xml, line 2: not well-formed XML (mismatched tag)."]
    printed_text = facts(done.out)
    counts = {"documents": 2, "elements": 6, "tags": 4, "depth": 3, "tokens": 6, "terms": 5, "left out": 1}
    assert {name: printed_text[name] for name in counts} == counts
    assert (printed_text["profile"], printed_text["stemmer"]) == ("plain", "auto")


def test_the_table_for_people(call: Command, docs: str) -> None:
    done = call("index", docs, "--out", "index")
    assert [line.split() for line in done.out.splitlines()[2:5]] == [
        ["documents", "2"],
        ["elements", "6"],
        ["units", "6"],
    ]


def test_info_and_verify(call: Command, docs: str, tmp_path: Path) -> None:
    built = facts(call("index", docs, "--out", "index", "-o", "json").out)
    info = call("index", "--info", "index", "-o", "json")
    assert (info.code, info.err) == (0, "")
    assert facts(info.out) == {name: fact for name, fact in built.items() if name != "left out"}
    sound = call("index", "--verify", "index", "-o", "json")
    assert (sound.code, sound.out) == (0, info.out)
    assert sound.notes == ["index: all files match their checksums."]
    file = files_folder(tmp_path / "index") / "term-bytes.bin"
    file.write_bytes(file.read_bytes()[::-1])
    damaged = call("index", "--verify", "index")
    assert (damaged.code, damaged.out) == (1, "")
    assert damaged.notes == ["index: term-bytes.bin is damaged; build the index again."]
    file.write_bytes(b"")
    assert call("index", "--verify", "index") == damaged


def test_strict(call: Command, docs: str, tmp_path: Path) -> None:
    done = call("index", docs, "--out", "index", "--strict")
    assert (done.code, done.out) == (2, "")
    assert done.notes == ["docs/b.xml, line 2: not well-formed XML (mismatched tag)."]
    assert [path.name for path in tmp_path.iterdir()] == ["docs"]


def test_append_merge_and_jobs_are_as_building_at_once(call: Command, docs: str, tmp_path: Path) -> None:
    def files(name: str) -> dict[str, bytes]:
        return {file.name: file.read_bytes() for file in files_folder(tmp_path / name).iterdir()}

    assert call("index", docs, "--out", "whole").code == 0
    assert call("index", "docs/a.xml", "--out", "first").code == 0
    assert call("index", "docs/b.xml", "docs/c.xml", "--out", "second").code == 0
    assert call("index", "--merge", "first", "second", "--out", "merged").code == 0
    assert call("index", "docs/b.xml", "docs/c.xml", "--append", "--out", "first").code == 0
    assert call("index", docs, "--jobs", "2", "--out", "jobs").code == 0
    assert files("merged") == files("first") == files("jobs") == files("whole")


@pytest.mark.usefixtures("docs")
def test_a_profile_of_ones_own(call: Command, write: Write) -> None:
    write("mine.toml", 'title = "Mine"\ninline = ["b"]\nskip = ["title"]\nids = "path"\n')
    choices = ("--profile", "mine.toml", "--stemmer", "none")
    done = call("index", "docs/a.xml", "--out", "i", *choices, "-o", "json")
    printed_text = facts(done.out)
    assert (printed_text["profile"], printed_text["stemmer"], printed_text["tokens"]) == ("mine", "none", 2)


def test_two_documents_with_one_id(call: Command, docs: str, tmp_path: Path) -> None:
    (tmp_path / "docs" / "more").mkdir()
    (tmp_path / "docs" / "more" / "a.xml").write_text("<article/>")
    done = call("index", docs, "--out", "index", "-o", "json")
    assert done.code == 0
    assert done.notes[0].startswith(
        "note: docs/a.xml and docs/more/a.xml are both called 'a': ids of documents"
    )
    assert facts(done.out)["ids"] == "path"
    assert call("show", "index", "more/a").code == 0
    done = call("index", docs, "--ids", "name", "--out", "other")
    assert done.code == 2
    assert done.notes[0].startswith("docs/more/a.xml: has the id 'a', as docs/a.xml. Ids are file names")
    assert call("index", docs, "--out", "other", "--profile", "inex-ieee").code == 0
    assert call("index", docs, "--out", "third", "--ids", "names").notes[0].startswith("unknown rule for ids")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("docs",), "give the documents, and the index to write: --out INDEX."),
        (("--out", "x"), "give the documents, and the index to write: --out INDEX."),
        (("nothing", "--out", "x"), "nothing: no such file or folder. Check the name."),
        (("docs/b.xml", "--out", "x"), "docs/b.xml, line 2: not well-formed XML (mismatched tag)."),
        (("docs", "--out", "docs"), "docs already exists; give a new folder as --out."),
        (("docs", "--out", "x", "--append"), "x: no such index."),
        (("docs", "--merge", "--out", "x"), "docs: is not an index: it has no manifest."),
        (("docs", "--append", "--merge", "--out", "x"), "give only one of --append, --merge."),
        (
            ("docs", "--append", "--stemmer", "none", "--out", "x"),
            "--profile, --language, --stemmer, --stopwords and --ids are those of the index; leave them out.",
        ),
        (("--info", "x", "--verify", "x"), "give either --info or --verify"),
        (("docs", "--info", "x"), "--info and --verify take an index and no other arguments."),
        (("--info", "docs"), "docs: is not an index: it has no manifest."),
        (("docs", "--out", "x", "--profile", "jast"), "unknown profile 'jast'; did you mean 'jats'?"),
        (
            ("docs", "--out", "x", "--stemmer", "englisch"),
            "unknown stemmer 'englisch'",
        ),
        (("docs", "--out", "x", "--stopwords", "nein"), "unknown list of stop words 'nein'"),
        (("docs", "--out", "x", "-o", "yaml"), "unknown output format 'yaml'"),
    ],
)
@pytest.mark.usefixtures("docs")
def test_what_cannot_be_done(call: Command, arguments: tuple[str, ...], message: str) -> None:
    done = call("index", *arguments)
    assert (done.code, done.out) == (2, "")
    assert done.notes[0].startswith(message)
    assert len(done.notes) == 1


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)]
)
def test_asked_to_end(tmp_path: Path, number: signal.Signals, code: int) -> None:
    os.mkfifo(tmp_path / "never.xml")  # reading it waits for a writer
    command = [str(Path(sys.executable).with_name("inexlab")), "index", "never.xml", "--out", "index"]
    with hearing_signals():
        started = subprocess.Popen(
            [*command, "--profile", "plain"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
    with started as child:
        while not list(tmp_path.glob(".index.*/index")) and child.poll() is None:
            time.sleep(0.01)
        child.send_signal(number)
        try:
            out, err = child.communicate(timeout=60)
        finally:
            child.kill()  # where it did not hear, it would be waited for
    printed_text = b"inexlab: interrupted.\n" if number == signal.SIGINT else b""
    assert (child.returncode, out, err) == (code, b"", printed_text)
    assert [path.name for path in tmp_path.iterdir()] == ["never.xml"]
