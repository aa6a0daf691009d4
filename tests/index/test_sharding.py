"""Documents indexed in parts: what a build has to say is the same, in however many parts it was made."""

from __future__ import annotations

import json
import shutil
import tarfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import inexlab
from inexlab.errors import UsageError
from inexlab.executors import Executor, SpreadTask, Threads, WorkerLostError
from inexlab.index.indexing import index_documents
from inexlab.progress import Step, watching


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    for k in range(6):
        text = f"<article><p>bee &hive; &queen;{' &hive;' * k} wax {k}</p></article>"
        (folder / f"d{k}.xml").write_text(f'<!DOCTYPE article SYSTEM "a.dtd">{text}')
    (folder / "broken.xml").write_text("<article>")
    (folder / "picture.png").write_bytes(b"\x89PNG")
    return folder


@pytest.mark.parametrize(("shards", "workers"), [(4, 1), (7, 2)])
def test_a_build_in_parts_says_what_one_build_does(
    docs: Path, tmp_path: Path, shards: int, workers: int
) -> None:
    one = inexlab.build_index(docs, tmp_path / "one", entities="drop")
    told: list[Step] = []
    settings = {"entities": "drop", "shards": shards, "jobs": workers}
    with watching(told.append):
        parts = inexlab.build_index(docs, tmp_path / "parts", **settings)  # type: ignore[arg-type]
    assert parts.notes == one.notes
    assert any("hive" in note for note in parts.notes)
    left = {"index", "terms", "shards", "bytes", "version"}
    facts = [{k: v for k, v in made.facts.items() if k not in left} for made in (one, parts)]  # type: ignore[union-attr]
    assert facts[0] == facts[1]
    read = [step for step in told if step.doing == "indexing"]
    assert read == sorted(read)
    assert read[-1] == ("indexing", 7, 7, "documents")
    merged = inexlab.build_index(tmp_path / "parts", tmp_path / "merged", merge=True)
    same = {"index"}
    facts = [{k: v for k, v in made.facts.items() if k not in same} for made in (one, merged)]  # type: ignore[union-attr]
    del facts[0]["left out"], facts[1]["left out"]
    assert facts[0] == facts[1]


def test_threads_do_not_mix_up_their_parts(docs: Path, tmp_path: Path) -> None:
    index_documents([docs], tmp_path / "one")
    index_documents([docs], tmp_path / "merged", executor=Threads(4))
    for file in sorted((tmp_path / "one/1").glob("*.bin")):
        assert file.read_bytes() == (tmp_path / "merged/1" / file.name).read_bytes(), file.name


def test_nothing_to_index_and_places_that_are_taken(docs: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"broken.xml, line 1"):
        inexlab.build_index(docs / "broken.xml", tmp_path / "out", shards=2)
    assert not list(tmp_path.glob("out*"))
    (tmp_path / "out.parts").mkdir()
    (tmp_path / "out.parts" / "mine.txt").write_text("precious")
    with pytest.raises(UsageError, match=r"out.parts is in the way"):
        inexlab.build_index(docs, tmp_path / "out", shards=2, entities="drop")
    assert (tmp_path / "out.parts" / "mine.txt").read_text() == "precious"
    with pytest.raises(UsageError, match=r"^`shards=-1` must be >= 0\.$"):
        inexlab.build_index(docs, tmp_path / "new", shards=-1)
    with pytest.raises(UsageError, match=r"^`jobs=0` must be >= 1\.$"):
        inexlab.build_index(docs, tmp_path / "new", jobs=0)
    inexlab.build_index(docs, tmp_path / "two", entities="drop")
    with pytest.raises(UsageError, match="is already an index"):
        inexlab.build_index(docs, tmp_path / "two", entities="drop", shards=2)


class LosesTheThird(Executor):
    """Builds two parts, and loses the worker of the third."""

    def completed(self, tasks: Sequence[SpreadTask]) -> Iterator[tuple[int, Any]]:
        for number, task in enumerate(tasks):
            if number == 2:
                raise WorkerLostError(task.name, 4)
            yield number, task.function(*task.arguments)


class WorksOn(Executor):
    """Says of the first part that it failed, and has a worker that has not begun with the second yet."""

    late: SpreadTask

    def completed(self, tasks: Sequence[SpreadTask]) -> Iterator[tuple[int, Any]]:
        self.late = tasks[1]
        for task in tasks[:1]:
            raise UsageError(f"{task.name} failed")
        yield from ()


def parts_left(docs: Path, out: Path) -> Path:
    """Build two parts of four, and lose the others."""
    with pytest.raises(WorkerLostError):
        index_documents([docs], out, shards=4, executor=LosesTheThird())
    return out.with_name(f"{out.name}.parts")


def test_a_part_that_was_moved_away_before_a_command_was_ended_is_built_again(
    docs: Path, tmp_path: Path
) -> None:
    parts = parts_left(docs, tmp_path / "out")
    shutil.rmtree(parts / "1")
    assert index_documents([docs], tmp_path / "out", shards=4).documents == 6
    assert not parts.exists()


@pytest.mark.parametrize("said", [{"skipped": 5}, {"documents": "x"}, {"languages": 3}, {"more": 1}])
def test_what_a_part_said_is_not_trusted_where_it_is_damaged(
    docs: Path, tmp_path: Path, said: dict[str, Any]
) -> None:
    done = parts_left(docs, tmp_path / "out") / "0.done"
    done.write_text(json.dumps(json.loads(done.read_text()) | said))
    assert index_documents([docs], tmp_path / "out", shards=4).documents == 6


@pytest.mark.parametrize("content", ["", "5", "[" * 100_000, '{"plan": "holidays"}'])
@pytest.mark.parametrize("name", ["plan", "plan.json"])
def test_what_somebody_else_keeps_is_not_removed(docs: Path, tmp_path: Path, name: str, content: str) -> None:
    parts = tmp_path / "out.parts"
    parts.mkdir()
    (parts / name).write_text(content)
    (parts / "mine.txt").write_text("precious")
    with pytest.raises(UsageError, match=r"out.parts is in the way"):
        index_documents([docs], tmp_path / "out", shards=2)
    assert (parts / "mine.txt").read_text() == "precious"
    assert (parts / name).read_text() == content


def test_a_link_to_parts_is_in_the_way(docs: Path, tmp_path: Path) -> None:
    parts = parts_left(docs, tmp_path / "out")
    parts.rename(tmp_path / "elsewhere")
    parts.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match=r"out.parts is in the way"):
        index_documents([docs], tmp_path / "out", shards=4)


def test_a_plan_that_was_not_written_to_its_end_begins_anew(docs: Path, tmp_path: Path) -> None:
    (parts_left(docs, tmp_path / "out") / "plan").write_text("")
    assert index_documents([docs], tmp_path / "out", shards=4).documents == 6


def test_parts_of_an_archive_that_has_changed_are_built_again(tmp_path: Path) -> None:
    archive = tmp_path / "docs.tar"
    for word in ("bee", "wax"):
        with tarfile.open(archive, "w") as tar:
            for k in range(4):
                (tmp_path / f"{k}.xml").write_text(f"<article><p>{word} {k}</p></article>")
                tar.add(tmp_path / f"{k}.xml", f"{k}.xml")
        if word == "bee":
            parts_left(archive, tmp_path / "out")
    index_documents([archive], tmp_path / "out", shards=4)
    assert [len(inexlab.search(tmp_path / "out", word)) for word in ("bee", "wax")] == [0, 4]


def test_parts_of_another_version_are_built_again(
    docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = parts_left(docs, tmp_path / "out")
    about = (parts / "1").stat()  # the first one has no document that can be read
    before = about.st_ino, about.st_mtime_ns
    monkeypatch.setattr(inexlab, "__version__", "0.0.another")
    index_documents([docs], tmp_path / "out", shards=4)
    about = (tmp_path / "out/0").stat()
    assert (about.st_ino, about.st_mtime_ns) != before


def test_two_commands_do_not_build_the_same_parts(docs: Path, tmp_path: Path) -> None:
    class Another(Executor):
        """Before it builds, another command begins that came through all checks at the same time."""

        def completed(self, tasks: Sequence[SpreadTask]) -> Iterator[tuple[int, Any]]:
            (workspace,) = tmp_path.glob(".out.*")
            workspace.rename(tmp_path / "hidden")
            with pytest.raises(UsageError, match="out is being written by another process"):
                index_documents([docs], tmp_path / "out", shards=3)
            (tmp_path / "hidden").rename(workspace)
            yield from Threads(1).completed(tasks)

    assert index_documents([docs], tmp_path / "out", shards=4, executor=Another()).documents == 6


def test_a_worker_that_comes_late_leaves_nothing(docs: Path, tmp_path: Path) -> None:
    executor = WorksOn()
    with pytest.raises(UsageError, match=r"part 1 of 4 of .* failed"):
        index_documents([docs], tmp_path / "out", shards=4, executor=executor)
    executor.late.function(*executor.late.arguments)
    assert not list(tmp_path.glob("out*"))
