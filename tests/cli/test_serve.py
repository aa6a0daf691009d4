"""`inexlab serve` and `inexlab demo --serve`: how they start, what they refuse, files while they run."""

from __future__ import annotations

import contextlib
import http.client
import os
import re
import shutil
import signal
import socket
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import inexlab
from inexlab.assess.record import Save
from inexlab.assess.store import open_store
from inexlab.progress import ProgressStep
from tests.forks import Server
from tests.web.campaign import TOPICS, Files, add_account, make_files

from .conftest import Command


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Files:
    return make_files(tmp_path_factory.mktemp("campaign"))


@pytest.fixture
def files(made: Files, tmp_path: Path) -> Files:
    """A campaign in the test's own folder."""
    shutil.copytree(made.index.parent, tmp_path, dirs_exist_ok=True)
    return Files(Path("index"), Path("pool.jsonl"), Path("topics.xml"), Path("judged.db"))


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What would be served: nobody asks, and it ends at once."""
    found: list[Any] = []
    monkeypatch.setattr("uvicorn.Server.run", lambda self, _sockets: found.append(self.config))
    return found


def options(files: Files) -> tuple[str | Path, ...]:
    return (files.index, "--pool", files.pool, "--topics", files.topics, "--db", files.db, "--port", "0")


def test_the_address_and_the_first_link_are_printed(call: Command, files: Files, served: list[Any]) -> None:
    done = call("serve", *options(files))
    assert (done.code, done.err) == (0, "")
    address, link = done.out.splitlines()
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", address)
    found = re.fullmatch(rf"The first administrator .*: {address}join/(\S+)", link)
    assert found
    store = open_store("judged.db", cheap_passwords=True)
    assert store.accounts.join(found[1], "root", "a long enough password").role == "administrator"
    assert store.assignments() == {"1": ["anna", "bob"], "2": ["anna"]}
    store.close()
    assert len(call("serve", *options(files)).out.splitlines()) == 1  # there is an administrator now
    assert len(served) == 2
    assert not served[0].proxy_headers


def test_who_has_the_file_can_let_somebody_in(call: Command, files: Files, served: list[Any]) -> None:
    """As when the only administrator has forgotten the password."""
    call("serve", *options(files))
    store = open_store("judged.db", cheap_passwords=True)
    add_account(store, "root", "administrator")
    add_account(store, "anna")
    for name, said, role in (
        ("ANNA", "A new password for anna", "assessor"),
        ("boss", "An account for boss, administrator", "administrator"),
    ):
        done = call("serve", "--db", files.db, "--link", name)
        found = re.fullmatch(rf"{said}, once: http://127\.0\.0\.1:8000/join/(\S+)\n", done.out)
        assert found, done
        assert store.accounts.join(found[1], "", "quite another password").role == role
    store.close()
    assert len(served) == 1


def test_each_start_ends_the_link_before(call: Command, files: Files, served: list[Any]) -> None:
    links = [call("serve", *options(files)).out.split("/join/")[1].strip() for _ in range(2)]
    store = open_store("judged.db")
    assert [store.accounts.invitation(link) is not None for link in links] == [False, True]
    store.close()
    assert len(served) == 2


def test_without_a_database_it_is_a_reading_room(call: Command, files: Files, served: list[Any]) -> None:
    done = call("serve", files.index, "--port", "0")
    assert (done.code, done.err, len(done.out.splitlines())) == (0, "", 1)
    done = call("serve", files.index, "--pool", files.pool, "--topics", files.topics, "--port", "0")
    assert done.notes == ["nothing can be judged without a database: give --db FILE"]
    assert len(served) == 2


def test_a_campaign_names_pool_and_topics(call: Command, files: Files, served: list[Any]) -> None:
    manifest = (
        'title = "Insects"\npool = "pool.jsonl"\ntopics = ["topics.xml"]\n[judgements]\na = "a.qrels"\n'
        '[tasks.focused]\nmeasures = ["MAiP"]\nruns = ["run.txt"]\n'
    )
    Path("a.qrels").write_text("1 Q0 bees 0 41\n")
    Path("run.txt").write_text("1 Q0 bees 1 1.0 r 0 4\n")
    Path("campaign.toml").write_text(manifest)
    command = ("serve", files.index, "--campaign-file", "campaign.toml", "--db", files.db, "--port", "0")
    done = call(*command)
    assert (done.code, done.err) == (0, "")
    assert len(served) == 1
    Path("campaign.toml").write_text(manifest.replace('pool = "pool.jsonl"\n', ""))
    assert call(*command).err == (
        "inexlab: a database is for judging what a pool has, and there is none: campaign.toml names no pool; "
        "add `pool = FILE` to it.\n"
    )
    both = call(*command, "--pool", files.pool)
    assert both.code == 2
    assert "campaign" in both.err


def test_beyond_loopback_there_is_a_warning(call: Command, files: Files, served: list[Any]) -> None:
    assert call("serve", files.index, "--port", "0", "--host", "0.0.0.0").notes == [
        "other computers can reach 0.0.0.0, and all that is sent travels in the clear: "
        "put a server with TLS in front, and say --behind-tls"
    ]
    done = call("serve", files.index, "--port", "0", "--host", "0.0.0.0", "--behind-tls")
    assert done.err == ""
    assert served[1].proxy_headers
    [note] = call("serve", *options(files), "--host", "0.0.0.0").notes
    assert "passwords too" in note


def _no_web(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)


def _other_pool(_: pytest.MonkeyPatch) -> None:
    Path("pool.jsonl").write_text('{"topic": "1", "doc": "elsewhere", "hints": []}\n')


def _no_text(_: pytest.MonkeyPatch) -> None:
    Path("topics.xml").write_text(TOPICS.replace('id="2"', 'id="3"'))


def _other_text(_: pytest.MonkeyPatch) -> None:
    store = open_store("judged.db")
    store.save(("anna", "1", "bees"), Save("k", 0, (), None, "irrelevant"), digest="of another text")
    store.close()


def _no_database(_: pytest.MonkeyPatch) -> None:
    Path("judged.db").write_text("something else" * 1000)


@pytest.mark.parametrize(
    ("prepare", "arguments", "reason"),
    [
        (_no_web, (), "pages need the packages starlette, uvicorn, jinja2 and argon2-cffi: pip install"),
        (_other_pool, (), r"pool\.jsonl: document elsewhere of topic 1 is not in the index index"),
        (_no_text, (), "the pool has topic 2, of which no text is given: give --topics FILE with it"),
        (_no_database, (), r"judged\.db: cannot be used as a database \(file is not a database\)"),
        (_other_text, (), r"judged\.db: document bees was judged with another text than the index index has"),
        (_other_text, ("--export", "out"), r"judged\.db: document bees was judged with another text"),
        (None, ("--topics", "nothing.xml"), r"nothing\.xml"),
        (None, ("--pool", "nothing.jsonl"), r"nothing\.jsonl"),
        (None, ("--db", "nowhere/judged.db"), "cannot be used as a database"),
        (None, ("--host", "192.0.2.1"), r"port 0 of 192\.0\.2\.1 cannot be used"),
        (None, ("--port", "70000"), "65535"),
        (None, ("--backup", "copy.db"), r"judged\.db is no database; --db names the one that was served"),
        (None, ("--export", "out"), r"judged\.db is no database; --db names the one that was served"),
    ],
)
def test_what_does_not_fit_is_one_line(
    call: Command,
    files: Files,
    served: list[Any],
    monkeypatch: pytest.MonkeyPatch,
    prepare: Any,
    arguments: tuple[str, ...],
    reason: str,
) -> None:
    if prepare:
        prepare(monkeypatch)
    done = call("serve", *options(files), *arguments)
    assert (done.code, done.out, served) == (2, "", [])
    [line] = done.notes
    assert re.search(reason, line), line


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("nothing",), "nothing"),
        ((), "give the index of the documents: inexlab serve INDEX"),
        (("index", "--db", "x.db"), "there is none: give --pool FILE"),
        (("--backup", "copy.db"), "--backup is of a database: give --db FILE"),
        (("--link", "root"), "--link is of a database: give --db FILE"),
        (("index", "--export", "out"), "--export is of a database: give --db FILE"),
    ],
)
def test_what_is_missing_is_named(
    call: Command, files: Files, served: list[Any], arguments: tuple[str, ...], reason: str
) -> None:
    assert files.index.exists()
    done = call("serve", *arguments)
    assert (done.code, done.out, served) == (2, "", [])
    [line] = done.notes
    assert reason in line
    assert not Path("x.db").exists()


def test_a_port_that_is_taken(call: Command, files: Files, served: list[Any]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = call("serve", files.index, "--port", str(port))
    assert (done.code, served) == (2, [])
    assert done.notes == [
        f"port {port} of 127.0.0.1 cannot be used (Address already in use); choose another: --port 8001."
    ]


@contextlib.contextmanager
def running(
    forks: Server, folder: Path, *words: str | Path, target: str = "inexlab"
) -> Iterator[tuple[str, int, list[int]]]:
    """Run a server in a process of its own; give its address and id, and a list for its exit code."""
    reading, out = os.pipe()
    nothing = os.open(os.devnull, os.O_RDWR)
    forked = forks.start(target, list(map(str, words)), folder, os.environ, (nothing, out, nothing))
    os.close(out)
    os.close(nothing)
    ended: list[int] = []
    with open(reading) as said:  # noqa: PTH123 - a number
        lines = iter(said.readline, "")
        address = next(line for line in lines if line.startswith("http://"))
        try:
            yield address.strip(), forked.pid, ended
            ended.append(forked.wait())
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.kill(forked.pid, signal.SIGKILL)


def _ask(address: str, path: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection(address.removeprefix("http://").rstrip("/"), timeout=20)
    with contextlib.closing(connection):
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


# everything that Python does to reach another computer is announced to such a hook
WATCHED = """
import os, sys
def hook(event, arguments):
    other = event.startswith(("urllib.", "http.", "ftplib.", "smtplib."))
    if other or event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"):
        os._exit(99)
sys.addaudithook(hook)
from inexlab.cli.start import inexlab
inexlab()
"""


def test_it_opens_no_connection_of_its_own(forks: Server, files: Files, tmp_path: Path) -> None:
    words = (WATCHED, "serve", *options(files))
    with running(forks, tmp_path, *words, target="-c") as (address, pid, ended):
        for path in ("/sign-in", "/join/x", "/search"):
            assert _ask(address, path)[0] in (200, 303, 404)
        os.kill(pid, signal.SIGTERM)
    assert ended == [0]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_answers_until_it_is_ended(forks: Server, files: Files, tmp_path: Path, number: int) -> None:
    with running(forks, tmp_path, "serve", *options(files)) as (address, pid, ended):
        assert _ask(address, "/topics")[0] == 303
        status, page = _ask(address, "/sign-in")
        assert (status, "<h1>Sign in</h1>" in page) == (200, True)
        os.kill(pid, number)
    assert ended == [0]
    assert sorted(p.name for p in tmp_path.glob("judged.db*")) == ["judged.db"]  # closed, nothing beside it


def test_the_demo_is_served_and_leaves_nothing(forks: Server, tmp_path: Path) -> None:
    with running(forks, tmp_path, "demo", "--serve", "--port", "0") as (address, pid, ended):
        assert "Sign in" in _ask(address, "/sign-in")[1]
        os.kill(pid, signal.SIGINT)
    assert ended == [0]
    assert list(tmp_path.iterdir()) == []


def test_export_and_backup_while_it_runs(forks: Server, files: Files, call: Command, tmp_path: Path) -> None:
    with running(forks, tmp_path, "serve", *options(files)) as (_, pid, _ended):
        store = open_store(tmp_path / "judged.db", cheap_passwords=True)  # as the server writes
        for name, spans in (("anna", ((0, 10),)), ("bob", ((4, 12),))):
            add_account(store, name)
            store.save((name, "1", "bees"), Save("k", 0, spans, None, "done"))
        store.save(("anna", "1", "wasps"), Save("k2", 0, ((0, 3),), None, "in progress"))
        store.close()
        here = ("serve", "index", "--db", "judged.db")
        code, out, err = call(*here, "--export", "-", "--to", "qrels", "--merge", "intersection")
        assert (code, out) == (0, "1 Q0 bees 6 41 4 4:6\n")
        assert "1 judgement left out, in progress still" in err
        code, out, _ = call(*here, "--export", "-", "--to", "qrels", "--assessor", "bob")
        assert (code, out) == (0, "1 Q0 bees 8 41 4 4:8\n")
        code, _, err = call(*here, "--export", "all.jsonl")
        assert code == 0
        assert "2 judged documents of 1 topic written as jsonl to all.jsonl" in err
        assert len((tmp_path / "all.jsonl").read_text().splitlines()) == 2
        code, _, _ = call(*here, "--export", "folder", "--to", "assessments-2006", "--merge", "union")
        assert (code, (tmp_path / "folder").is_dir()) == (0, True)
        code, _, err = call(*here, "--export", "x", "--to", "qrels")
        assert (code, "judged by several assessors" in err) == (2, True)
        code, _, err = call(*here, "--export", "x", "--to", "quels")
        assert (code, "did you mean 'qrels'?" in err) == (2, True)
        code, _, err = call("serve", "--db", "judged.db", "--backup", "copy.db")
        assert (code, err) == (0, "inexlab: judged.db copied to copy.db\n")
        told: list[ProgressStep] = []
        with inexlab.watching(told.append):
            inexlab.serve(tmp_path / "index", db=tmp_path / "judged.db", export=tmp_path / "again.jsonl")
        assert ("gathering", 3, 3, "judgements") in told
        assert "comparing texts with those that were judged" in {step.doing for step in told}
        os.kill(pid, signal.SIGTERM)
    with contextlib.closing(sqlite3.connect(tmp_path / "copy.db")) as rows:
        assert rows.execute("SELECT count(*) FROM log").fetchone() == (3,)
