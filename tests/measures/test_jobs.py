"""Runs scored by several threads: the numbers, notes, order and errors of one."""

from __future__ import annotations

import shutil
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from inexlab.collection import Collection, open_collection, store
from inexlab.collection.document import Document, read_document
from inexlab.errors import InexlabError, InputError
from inexlab.index.indexing import index_documents
from inexlab.judgements import read_judgements
from inexlab.measures.scoring import ScoredRun, Scorer, evaluate
from inexlab.runs import Run, read_run

MEASURES = ["iP@0.01", "MAiP", "SpanP@5", "num_ret"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Judgements, and runs of which some have odd results."""
    random = np.random.default_rng(1)
    judged = [f"{t} Q0 d{d} 50 1000 10 10:50" for t in (1, 2, 3) for d in range(9)]
    (tmp_path / "qrels").write_text("\n".join(judged) + "\n")
    for number in range(12):
        lines = [
            f"{t} Q0 d{random.integers(0, 12)} {i + 1} {9 - i} run{number} {random.integers(0, 200)} 40"
            for t in ((1, 2, 3) if number % 4 else (1, 2))
            for i in range(8)
        ]
        (tmp_path / f"run{number:02d}.txt").write_text("\n".join(lines) + "\n")
    return tmp_path


def runs_in(folder: Path) -> list[Path]:
    return sorted(folder.glob("run*.txt"))


@pytest.mark.parametrize("way", ["never", "always"])
def test_any_number_of_threads_gives_the_same(
    folder: Path, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INEXLAB_COMPILED", way)
    judgements = read_judgements(folder / "qrels")
    expected = None
    for jobs in (1, 2, 5, 40):
        order: list[str] = []

        def scored(run: Run, order: list[str] = order) -> None:
            order.append(run.id)

        found = evaluate(judgements, runs_in(folder), MEASURES, jobs=jobs, scored=scored)
        everything = (list(found.rows()), found.notes, found.oddities, dict(found.unjudged), order)
        expected = expected or everything
        assert everything == expected
    assert order == [f"run{n}" for n in range(12)]


@pytest.mark.parametrize(
    "broken", [{3: "no columns", 7: "no columns"}, {2: "same", 3: "no columns"}, {4: "x"}]
)
@pytest.mark.parametrize("jobs", [1, 4])
def test_the_first_error_in_order_is_raised(folder: Path, broken: dict[int, str], jobs: int) -> None:
    files = runs_in(folder)
    for number, what in broken.items():
        text = files[0].read_text() if what == "same" else f"{what}\n"
        files[number].write_text(text if what != "x" else "9 Q0 d1 1 1 other 0 9\n")
    with pytest.raises(InexlabError) as one:
        evaluate(folder / "qrels", files, MEASURES, jobs=1)
    with pytest.raises(InexlabError) as several:
        evaluate(folder / "qrels", files, MEASURES, jobs=jobs)
    assert str(several.value) == str(one.value)
    assert files[min(broken)].name in str(one.value)


def test_an_early_error_waits_for_the_error_of_a_slower_run_before(folder: Path) -> None:
    files = runs_in(folder)

    def slow() -> Run:
        time.sleep(0.2)
        raise InputError("is slow and bad", file="slow")

    def quick() -> Run:
        raise InputError("is quick and bad", file="quick")

    with pytest.raises(InputError, match="is slow and bad"):
        evaluate(folder / "qrels", [files[0], slow, quick], MEASURES, jobs=3)


@pytest.mark.parametrize("jobs", [1, 3])
def test_few_runs_are_in_memory(folder: Path, jobs: int) -> None:
    """No more runs are read than there are threads, and one, before the first is done with."""
    lock, alive, most = threading.Lock(), 0, 0

    def reading(file: Path) -> Run:
        nonlocal alive, most
        with lock:
            alive += 1
            most = max(most, alive)
        return read_run(file)

    def done(_run: Run) -> None:
        nonlocal alive
        time.sleep(0.01)
        with lock:
            alive -= 1

    readers = [lambda file=file: reading(file) for file in runs_in(folder)]
    evaluate(folder / "qrels", readers, MEASURES, jobs=jobs, scored=done)
    assert alive == 0
    assert most <= jobs + 1


@pytest.fixture(params=["folder", "zip", "tar", "index"])
def documents(request: pytest.FixtureRequest, tmp_path: Path) -> Collection:
    """Documents whose tables of elements do not all fit in memory at once."""
    (tmp_path / "docs").mkdir()
    for d in range(9):
        paragraphs = "".join(f"<p>Words {d} and {p}, written here.</p>" for p in range(d + 3))
        (tmp_path / "docs" / f"d{d}.xml").write_text(f"<a><s>{paragraphs}</s></a>")
    if request.param == "folder":
        return open_collection(tmp_path / "docs")
    if request.param == "index":
        index_documents([tmp_path / "docs"], tmp_path / "i")
        return open_collection(tmp_path / "i")
    made = shutil.make_archive(str(tmp_path / "packed"), request.param, tmp_path / "docs")
    return open_collection(made)


@pytest.fixture
def by_paths(folder: Path) -> list[Path]:
    """Runs whose results are given by paths, some of which lead nowhere."""
    random = np.random.default_rng(2)
    for number in range(12):
        lines = [
            f"{t} Q0 d{d} {i + 1} {99 - i} paths{number} /a[1]/s[1]/p[{random.integers(1, 14)}]"
            for t in (1, 2, 3)
            for i, d in enumerate(random.integers(0, 11, 40))
        ]
        (folder / f"paths{number:02d}.txt").write_text("\n".join(lines) + "\n")
    return sorted(folder.glob("paths*.txt"))


@pytest.mark.parametrize("way", ["never", pytest.param("always", marks=pytest.mark.compiled)])
def test_documents_are_found_by_several_threads(
    folder: Path, by_paths: list[Path], documents: Collection, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INEXLAB_COMPILED", way)
    monkeypatch.setattr(store, "_ELEMENTS_KEPT", 20)
    measures = [*MEASURES, "SpanR@20w"]
    expected = list(evaluate(folder / "qrels", by_paths, measures, collection=documents).rows())
    together = threading.Barrier(2)
    score = Scorer.score

    def at_the_same_time(scorer: Scorer, run: Run) -> ScoredRun:
        together.wait(timeout=30)  # which breaks if there is but one
        return score(scorer, run)

    monkeypatch.setattr(Scorer, "score", at_the_same_time)
    found = evaluate(folder / "qrels", by_paths, measures, collection=documents, jobs=2)
    assert list(found.rows()) == expected


def test_what_other_packages_read_is_asked_for_by_one_thread(folder: Path, by_paths: list[Path]) -> None:
    """A plug-in's documents; measures of documents may be computed by several."""
    threads = set()

    class Foreign(Collection):
        def __getitem__(self, id: str) -> Document:
            threads.add(threading.get_ident())
            return read_document(b"<a><s><p>Words, written here.</p></s></a>", id, id)

        def __contains__(self, id: object) -> bool:
            return True

    evaluate(folder / "qrels", by_paths, MEASURES, collection=Foreign("foreign", {}), jobs=4)
    assert threads == {threading.get_ident()}
    one, four = (list(evaluate(folder / "qrels", by_paths, ["AP", "P@5"], jobs=n).rows()) for n in (1, 4))
    assert one == four
