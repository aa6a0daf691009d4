"""Indexing what users name, in one process and several: what is empty, taken, damaged or something else."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import numpy as np
import pytest

from inexlab.errors import InputError, UsageError
from inexlab.executors import Processes
from inexlab.index import indexing
from inexlab.index.build import Settings, build_index
from inexlab.index.index import open_index
from inexlab.index.indexing import append_documents, index_documents
from inexlab.index.merge import merge_indexes
from inexlab.index.store import files_folder, verify
from inexlab.progress import ProgressStep, watching
from tests.index import dying
from tests.index.test_build import PROFILE, SETTINGS


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    for k in range(8):
        (tmp_path / "docs" / f"d{k}.xml").write_text(f"<a><t{k}>bee {k}</t{k}> ants</a>")
    return tmp_path / "docs"


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in files_folder(folder).iterdir()}


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("ending", ["tar", "tar.gz", "tar.xz", "tar.bz2"])
def test_an_archive_in_several_processes_is_as_in_one(docs: Path, tmp_path: Path, ending: str) -> None:
    (docs / "broken.xml").write_text("<a>")
    (docs / "other.txt").write_text("no document")
    archive = tmp_path / f"docs.{ending}"
    with tarfile.open(archive, f"w:{ending.partition('.')[2]}") as packed:  # type: ignore[call-overload]
        packed.add(docs, "docs")
    one = index_documents([archive], tmp_path / "one", SETTINGS)
    three = index_documents([archive], tmp_path / "three", SETTINGS, jobs=3)
    assert contents(tmp_path / "one") == contents(tmp_path / "three")
    assert one == three
    (left_out,) = one.skipped
    assert left_out.startswith(f"{archive}/docs/broken.xml, line 1: not well-formed XML")


def test_an_archive_that_is_cut_off_in_several_processes(docs: Path, tmp_path: Path) -> None:
    archive = tmp_path / "docs.tar.xz"
    with tarfile.open(archive, "w:xz") as packed:
        packed.add(docs, "docs")
    archive.write_bytes(archive.read_bytes()[:-40])
    before = names(tmp_path)
    with pytest.raises(InputError, match=r"docs\.tar\.xz: cannot be unpacked"):
        index_documents([archive], tmp_path / "index", SETTINGS, jobs=2)
    assert names(tmp_path) == before


@pytest.mark.parametrize("jobs", [1, 2])
def test_places_without_documents_are_named(docs: Path, tmp_path: Path, jobs: int) -> None:
    (tmp_path / "none").mkdir()
    with zipfile.ZipFile(tmp_path / "none.zip", "w") as archive:
        archive.writestr("a.css", "text")
    nothing = [tmp_path / "none", tmp_path / "none.zip"]
    summary = index_documents([nothing[0], docs, nothing[1]], tmp_path / "index", jobs=jobs)
    message = [f"{place}: holds no documents (XML, HTML, Markdown or text)." for place in nothing]
    assert (summary.documents, summary.skipped) == (8, message)
    with pytest.raises(UsageError, match=r"none: holds no documents .* \(1 more cannot be indexed either\)"):
        index_documents(nothing, tmp_path / "other", jobs=jobs)
    assert names(tmp_path) == ["docs", "index", "none", "none.zip"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_index_is_no_documents(docs: Path, tmp_path: Path, jobs: int) -> None:
    index_documents([docs], tmp_path / "index")
    with pytest.raises(
        InputError, match=r"index: is an index, not documents\. Indexes are for `merge=True`\."
    ):
        index_documents([docs, tmp_path / "index"], tmp_path / "other", jobs=jobs)
    assert names(tmp_path) == ["docs", "index"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_place_that_is_taken_is_refused_before_any_work(docs: Path, tmp_path: Path, jobs: int) -> None:
    index_documents([docs], tmp_path / "index")
    (docs / "d0.xml").unlink()
    told: list[ProgressStep] = []
    with pytest.raises(UsageError, match="is already an index; give a new folder"), watching(told.append):
        index_documents([docs], tmp_path / "index", jobs=jobs)
    with pytest.raises(UsageError, match="docs already exists; give a new folder"):
        merge_indexes([tmp_path / "index"], docs)
    assert told == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_place_that_cannot_be_written(docs: Path, jobs: int) -> None:
    with pytest.raises(UsageError, match=r"d0\.xml/index cannot be written \(.*\); give another place"):
        index_documents([docs], docs / "d0.xml" / "index", jobs=jobs)


def test_strict_in_several_processes_leaves_nothing(docs: Path, tmp_path: Path) -> None:
    (docs / "d7.xml").write_text("<a>\n")
    with pytest.raises(UsageError, match=r"d7\.xml, line 2: not well-formed"):
        index_documents([docs], tmp_path / "index", Settings(PROFILE, strict=True), jobs=2)
    assert names(tmp_path) == ["docs"]


@pytest.mark.parametrize(
    ("doing", "how"),
    [
        ("_build_part", "_build_part"),
        ("_join_parts", "_join_parts"),
        ("_join_parts", "_join_parts_and_die"),
    ],
)
def test_an_index_is_the_same_though_processes_are_killed(
    docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, doing: str, how: str
) -> None:
    """One dies in the middle of building a part, or of joining them, when its files are half written."""
    index_documents([docs], tmp_path / "one", SETTINGS)
    monkeypatch.setenv(dying.COUNT, str(tmp_path / "deaths"))
    monkeypatch.setattr(indexing, doing, getattr(dying, how))
    summary = index_documents([docs], tmp_path / "three", SETTINGS, jobs=3)
    assert (summary.documents, summary.skipped) == (8, [])
    assert contents(tmp_path / "one") == contents(tmp_path / "three")
    assert (tmp_path / "deaths").read_text() == "xx"
    assert names(tmp_path) == ["deaths", "docs", "one", "three"]


def test_a_process_that_dies_while_documents_are_listed(
    docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Processes.start

    def start_and_kill(executor: Processes, work: Callable[..., object]) -> None:
        real(executor, work)
        killed = executor._idle[-1].submit(os.getpid).result()
        os.kill(killed, signal.SIGKILL)
        with contextlib.suppress(BrokenProcessPool):
            while True:  # until its death is known
                executor._idle[-1].submit(os.getpid).result()

    monkeypatch.setattr(Processes, "start", start_and_kill)
    summary = index_documents([docs / "d0.xml", docs / "d1.xml"], tmp_path / "index", SETTINGS, jobs=2)
    assert summary.documents == 2


def test_processes_that_cannot_be_started_are_one_message(docs: Path, tmp_path: Path) -> None:
    """A script from standard input has no file that another process could begin with."""
    script = f"import inexlab\ninexlab.build_index({str(docs)!r}, 'index', jobs=2)\n"
    done = subprocess.run(
        [sys.executable, "-"], input=script, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    *_, said = done.stderr.splitlines()
    assert said.startswith("inexlab.errors.UsageError: processes cannot be started from here; use one (`jobs")
    assert names(tmp_path) == ["docs"]


def test_no_more_processes_than_documents(
    docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[object] = []
    monkeypatch.setattr(Processes, "start", lambda _, work: started.append(work))
    index_documents([docs / "d0.xml", docs / "d1.xml"], tmp_path / "index", SETTINGS, jobs=64)
    assert len(started) == 2


@pytest.mark.parametrize(("much", "prepared"), [(0, "_prepare_for_much"), (1 << 30, "_prepare")])
def test_processes_load_the_compiler_where_there_is_much_to_do(
    docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, much: int, prepared: str
) -> None:
    started: list[Callable[..., object]] = []
    monkeypatch.setattr(Processes, "start", lambda _, work: started.append(work))
    monkeypatch.setattr(indexing, "_MUCH", much)
    index_documents([docs], tmp_path / "index", SETTINGS, jobs=2)
    assert [work.__name__ for work in started] == [prepared, prepared]


@pytest.mark.parametrize("order", [1, -1])
def test_columns_of_parts_that_differ(tmp_path: Path, order: int) -> None:
    """One has larger numbers than the other, and tags in another order: they cannot be copied as they are."""
    (tmp_path / "docs").mkdir()
    large = f"<a><p>{'bee ' * 70_000}</p><b>sea</b>{'<i>gnu</i>' * 300}</a>"
    small = "<b><a>bee</a><p>sea</p></b>"
    for name, text in zip("xy", (large, small)[::order], strict=True):
        (tmp_path / "docs" / f"{name}.xml").write_text(text)
    for jobs in (1, 2):
        index_documents([tmp_path / "docs"], tmp_path / str(jobs), SETTINGS, jobs=jobs)
    assert contents(tmp_path / "1") == contents(tmp_path / "2")


def test_who_ends_a_build_does_not_wait_for_whole_parts(docs: Path, tmp_path: Path) -> None:
    """A part stops where it reports, and leaves nothing."""
    for k in range(1000):
        (docs / f"more{k}.xml").write_text("<a>bee</a>")

    def end(step: ProgressStep) -> None:
        if step.doing == "indexing":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), watching(end):
        index_documents([docs], tmp_path / "index", SETTINGS, jobs=2)
    assert names(tmp_path) == ["docs"]


def test_parts_have_about_as_many_bytes() -> None:
    assert indexing._borders(np.array([10, 20, 30, 40]), 2) == [0, 2, 4]
    assert indexing._borders(np.array([10, 20, 30, 40]), 4) == [0, 1, 2, 3, 4]
    assert indexing._borders(np.array([90, 91, 92]), 2) == [0, 1, 3]
    assert indexing._borders(np.array([1, 2, 92]), 3) == [0, 2, 3, 3]
    assert indexing._borders(np.array([], dtype=np.int64), 1) == [0, 0]


def test_a_name_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    name = os.fsencode(tmp_path / "docs") + b"/caf\xe9.xml"
    try:
        Path(os.fsdecode(name)).write_text("<a>bee</a>")
    except OSError:
        pytest.skip("this system has no such names")
    index_documents([tmp_path / "docs"], tmp_path / "index")
    assert list(open_index(tmp_path / "index").documents) == ["caf\ufffd"]


@pytest.mark.parametrize("place", ["", "x" * 300])
def test_names_that_nothing_has(docs: Path, tmp_path: Path, place: str) -> None:
    with pytest.raises(InputError, match=r"no such file or folder|cannot be read \(File name too long\)"):
        index_documents([docs, place], tmp_path / "index")


def test_an_index_through_a_link(docs: Path, tmp_path: Path) -> None:
    index_documents([docs / "d0.xml"], tmp_path / "index")
    (tmp_path / "link").symlink_to("index")
    append_documents([docs / "d1.xml"], tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert list(open_index(tmp_path / "index").documents) == ["d0", "d1"]
    assert names(tmp_path) == ["docs", "index", "link"]


def test_many_tags_merge(tmp_path: Path) -> None:
    def many(prefix: str) -> bytes:
        return ("<a>" + "".join(f"<{prefix}{k}>x</{prefix}{k}>" for k in range(20_000)) + "</a>").encode()

    shards = [tmp_path / "x", tmp_path / "y"]
    for shard in shards:
        build_index([(shard.name, f"{shard.name}.xml", many(shard.name))], shard, SETTINGS)
    merged = merge_indexes(shards, tmp_path / "merged")
    assert len(merged.tags) == 40_001
    assert [merged.tag(e) for e in (0, 20_000, 20_001, 40_001)] == ["a", "x19999", "a", "y19999"]
    assert verify(tmp_path / "merged") == []


def test_a_compiler_that_is_switched_off_is_not_asked(docs: Path, tmp_path: Path) -> None:
    index_documents([docs], tmp_path / "index")
    build = "import sys; from inexlab.index.indexing import *; index_documents(sys.argv[1:2], sys.argv[2])"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "INEXLAB_COMPILED": "always"}
    command = [sys.executable, "-c", build, str(docs), str(tmp_path / "plain")]
    subprocess.run(command, check=True, env=environment)
    assert contents(tmp_path / "index") == contents(tmp_path / "plain")
