"""Documents indexed in parts: what a build has to say is the same, in however many parts it was made."""

from __future__ import annotations

import json
import shutil
import tarfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import inexlab
from inexlab.errors import InputError, UsageError
from inexlab.executors import Executor, SpreadTask, Threads, WorkerLostError
from inexlab.index import sharding
from inexlab.index.build import Settings, build_index
from inexlab.index.indexing import index_documents
from inexlab.index.sharding import build_shard
from inexlab.progress import ProgressStep, watching


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
    told: list[ProgressStep] = []
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


def parts_left(docs: Path, out: Path, **settings: Any) -> Path:
    """Build two parts of four, and lose the others."""
    with pytest.raises(WorkerLostError):
        index_documents([docs], out, Settings(**settings), shards=4, executor=LosesTheThird())
    return out.with_name(f"{out.name}.parts")


def part(parts: Path, number: int) -> Path:
    """Return the folder of a part, which has documents, or what it said."""
    return next(place for place in sorted(parts.glob(f"{number}-*")))


class Building(Threads):
    """Builds parts in this thread, and counts those that were not done yet; `before` is called for each."""

    def __init__(self, before: Callable[[int], object] = lambda _number: None, workers: int = 1) -> None:
        super().__init__(workers)
        self.before, self.built = before, 0

    def completed(self, tasks: Sequence[SpreadTask]) -> Iterator[tuple[int, Any]]:
        for number, task in enumerate(tasks):
            self.before(number)
            if task.function is build_shard:
                place = Path(task.arguments[2])
                self.built += not place.with_name(f"{place.name}.done").exists()
            yield number, task.function(*task.arguments)


def test_a_part_that_was_moved_away_before_a_command_was_ended_is_built_again(
    docs: Path, tmp_path: Path
) -> None:
    parts = parts_left(docs, tmp_path / "out")
    shutil.rmtree(part(parts, 1))
    assert index_documents([docs], tmp_path / "out", shards=4).documents == 6
    assert not parts.exists()


@pytest.mark.parametrize("said", [{"skipped": 5}, {"documents": "x"}, {"languages": 3}, {"more": 1}])
def test_what_a_part_said_is_not_trusted_where_it_is_damaged(
    docs: Path, tmp_path: Path, said: dict[str, Any]
) -> None:
    done = part(parts_left(docs, tmp_path / "out"), 0)
    assert done.suffix == ".done"  # the first part has no document that can be read
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
    about = part(parts, 1).stat()
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
    with pytest.raises(UsageError, match=r"^a worker does not see the folder .*out\.parts; workers have to"):
        executor.late.function(*executor.late.arguments)
    assert not list(tmp_path.glob("out*"))


def bees(folder: Path, count: int = 8) -> Path:
    """Write documents with one word each that no other has."""
    folder.mkdir()
    for k in range(count):
        (folder / f"d{k}.xml").write_text(f"<article><p>bee the w{k}</p></article>")
    return folder


@pytest.mark.parametrize("seen", ["nothing", "another plan"])
def test_a_worker_that_writes_to_another_disk_loses_no_documents(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seen: str
) -> None:
    docs, disk = bees(tmp_path / "docs"), tmp_path / "disk"
    monkeypatch.setattr(sharding, "_LAG", 0.0)
    if seen == "another plan":  # of another command, on a disk of its own
        disk.mkdir()
        (disk / "plan").write_text("")

    class Elsewhere(Executor):
        """Has a worker that finds another disk under the name of this one."""

        def completed(self, tasks: Sequence[SpreadTask]) -> Iterator[tuple[int, Any]]:
            for number, task in enumerate(tasks):
                documents, part, place, settings = task.arguments
                place = str(disk / Path(place).name) if number == 1 else place
                yield number, task.function(documents, part, place, settings)

    message = r"^a worker does not see .*; workers have to share its file system\. 1 of 4 parts are done, in "
    with pytest.raises(UsageError, match=message):
        index_documents([docs], tmp_path / "out", shards=4, executor=Elsewhere())
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (
            UsageError("the scheduler is gone."),
            r"^the scheduler is gone\. 2 of 4 parts are done, in .*out\.parts:",
        ),
        (
            OSError(28, "No space left on device"),
            r"out cannot be written \(No space left on device\)\. 2 of 4 ",
        ),
    ],
    ids=["scheduler", "disk"],
)
def test_what_is_finished_stays_whatever_fails(tmp_path: Path, error: Exception, message: str) -> None:
    docs, out = bees(tmp_path / "docs"), tmp_path / "out"

    def fail(number: int) -> None:
        if number == 2:
            raise error

    with pytest.raises(UsageError, match=message):
        index_documents([docs], out, shards=4, executor=Building(fail))
    again = Building()
    assert index_documents([docs], out, shards=4, executor=again).documents == 8
    assert again.built == 2
    assert not (tmp_path / "out.parts").exists()


def test_a_document_that_is_mended_costs_its_own_part_alone(tmp_path: Path) -> None:
    docs, out = bees(tmp_path / "docs"), tmp_path / "out"
    (docs / "d5.xml").write_text("<article>")
    with pytest.raises(InputError, match=r"d5\.xml, line 1: .* 2 of 4 parts are done"):
        index_documents([docs], out, Settings(strict=True), shards=4, executor=Building())
    (docs / "d5.xml").write_text("<article><p>bee</p></article>")
    again = Building()
    assert index_documents([docs], out, Settings(strict=True), shards=4, executor=again).documents == 8
    assert again.built == 2


def test_another_number_of_workers_goes_on_with_the_same_parts(tmp_path: Path) -> None:
    docs, out = bees(tmp_path / "docs"), tmp_path / "out"

    class Four(LosesTheThird):
        workers = 4

    with pytest.raises(WorkerLostError, match=r"of 8 of .* fewer workers\. 2 of 8 parts are done"):
        index_documents([docs], out, executor=Four())
    fewer = Building(workers=1)
    assert index_documents([docs], out, executor=fewer).documents == 8
    assert fewer.built == 6
    index_documents([docs], tmp_path / "one")
    for file in sorted((tmp_path / "one/1").glob("*.bin")):
        assert file.read_bytes() == (tmp_path / "out/1" / file.name).read_bytes(), file.name


@pytest.mark.parametrize("said", [True, False], ids=["done", "not said yet"])
def test_two_workers_build_one_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: bool) -> None:
    """One was taken for dead, and finishes first."""
    docs = bees(tmp_path / "docs")

    class Orphan(Executor):
        """Builds the first part while another worker is about to."""

        def completed(self, tasks: Sequence[SpreadTask]) -> Iterator[tuple[int, Any]]:
            first = tasks[0]

            def late(documents: Any, place: Path, settings: Settings) -> Any:
                monkeypatch.undo()
                first.function(*first.arguments)
                if not said:
                    Path(f"{first.arguments[2]}.done").unlink()
                return build_index(documents, place, settings)

            if first.function is build_shard:
                monkeypatch.setattr(sharding, "build_index", late)
            yield from Threads(1).completed(tasks)

    assert index_documents([docs], tmp_path / "out", shards=4, executor=Orphan()).documents == 8
    assert sorted(path.name for path in tmp_path.iterdir()) == ["docs", "out"]


def test_parts_of_another_command_are_not_taken_however_late_they_come(tmp_path: Path) -> None:
    docs, out = bees(tmp_path / "docs"), tmp_path / "out"
    orphans: list[SpreadTask] = []

    class Ended(LosesTheThird):
        def completed(self, tasks: Sequence[SpreadTask]) -> Iterator[tuple[int, Any]]:
            orphans.extend(tasks)
            yield from super().completed(tasks)

    with pytest.raises(WorkerLostError):
        index_documents([docs], out, Settings(stop_words="none"), shards=4, executor=Ended())

    def finish(number: int) -> None:
        if number == 3 and orphans:
            orphans.pop().function(*orphans[-1].arguments)

    summary = index_documents(
        [docs], out, Settings(stop_words="english"), shards=4, executor=Building(finish)
    )
    assert summary.documents == 8
    assert len(inexlab.search(out, "the")) == 0


def test_parts_are_built_again_where_the_words_to_leave_out_or_entities_have_changed(tmp_path: Path) -> None:
    docs, words = bees(tmp_path / "docs"), tmp_path / "words.txt"
    words.write_text("bee\n")
    parts_left(docs, tmp_path / "out", stop_words=str(words))
    words.write_text("wax\n")
    again = Building()
    index_documents([docs], tmp_path / "out", Settings(stop_words=str(words)), shards=4, executor=again)
    assert again.built == 4
    (docs / "names.ent").write_text('<!ENTITY hive "home">')
    for k in range(8):
        (docs / f"d{k}.xml").write_text(f"<article><p>bee &hive; w{k}</p></article>")
    parts_left(docs, tmp_path / "more")
    (docs / "names.ent").write_text('<!ENTITY hive "house">')
    index_documents([docs], tmp_path / "more", shards=4)
    assert [len(inexlab.search(tmp_path / "more", word)) for word in ("home", "house")] == [0, 8]


@pytest.mark.parametrize("added", [True, False])
def test_documents_that_change_while_they_are_indexed_are_one_message(tmp_path: Path, added: bool) -> None:
    docs, out = bees(tmp_path / "docs"), tmp_path / "out"

    def change(number: int) -> None:
        if number == 1 and added:
            (docs / "a.xml").write_text("<article><p>first</p></article>")
        elif number == 1:
            (docs / "d1.xml").unlink(missing_ok=True)

    message = r"^documents were added, removed or renamed while .*\. 1 of 4 parts are done"
    with pytest.raises(UsageError, match=message):
        index_documents([docs], out, shards=4, executor=Building(change))
    assert not out.exists()
    assert index_documents([docs], out, shards=4).documents == (9 if added else 7)
    found = [len(inexlab.search(out, f"w{k}")) for k in range(8)]
    assert found == [1, int(added), 1, 1, 1, 1, 1, 1]


def test_workers_have_to_see_the_current_folder_only_for_relative_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    docs, seen = bees(tmp_path / "docs"), []

    class Looks(Threads):
        def completed(self, tasks: Sequence[SpreadTask]) -> Iterator[tuple[int, Any]]:
            seen.append({task.relative for task in tasks})
            yield from super().completed(tasks)

    monkeypatch.chdir(tmp_path)
    (tmp_path / "words").write_text("bee")
    settings = Settings(stop_words="words")  # it is read here
    index_documents([docs], "one", settings, shards=2, executor=Looks(1))
    index_documents(["docs"], "other", settings, shards=2, executor=Looks(1))
    assert seen == [{False}, {False}, {True}, {False}]


@pytest.mark.parametrize("shards", [0, 4])
def test_a_place_that_is_taken_in_the_meantime_costs_no_part(tmp_path: Path, shards: int) -> None:
    docs, out = bees(tmp_path / "docs"), tmp_path / "out"
    number = shards or 2

    def take(done: int) -> None:
        if done == number - 1:
            out.mkdir(exist_ok=True)
            (out / "mine.txt").write_text("precious")

    message = rf"out was made by somebody else .*; move it away\. {number} of {number} parts are done, in "
    with pytest.raises(UsageError, match=message):
        index_documents([docs], out, shards=shards, executor=Building(take))
    assert [path.name for path in out.iterdir()] == ["mine.txt"]
    out.rename(tmp_path / "elsewhere")
    again = Building()
    assert index_documents([docs], out, shards=shards, executor=again).documents == 8
    assert again.built == 0
    assert not (tmp_path / "out.parts").exists()


@pytest.mark.parametrize("names", ["", "[", "5", '["../../docs"]', '[{"a": 1}]'])
def test_what_moved_parts_were_called_is_not_trusted(tmp_path: Path, names: str) -> None:
    docs = bees(tmp_path / "docs")
    parts = parts_left(docs, tmp_path / "out")
    (parts / ".joined").mkdir()
    part(parts, 0).rename(parts / ".joined" / "0")
    (parts / ".joined.names").write_text(names)
    assert index_documents([docs], tmp_path / "out", shards=4).documents == 8
    assert sorted(path.name for path in tmp_path.iterdir()) == ["docs", "out"]
