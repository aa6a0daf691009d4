"""A Dask cluster of three worker processes, of which one is killed again and again: the same files."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import fsspec
import psutil
import pytest

import inexlab
from inexlab.errors import UsageError
from inexlab.executors import Executor, SpreadTask, Threads, WorkerLostError
from inexlab.executors import cluster as dask
from inexlab.executors.cluster import DaskCluster
from inexlab.index.build import Settings
from inexlab.index.index import open_index
from inexlab.index.indexing import index_documents
from inexlab.index.remote import local_copy
from inexlab.progress import ProgressStep, watching
from inexlab.retrieval.engine import make_engine
from inexlab.retrieval.runs import make_run
from inexlab.retrieval.sharded import ShardedEngine
from inexlab.topics import read_topics
from tests.cli.conftest import Command
from tests.executors.work import (
    KilledInTheMiddle,
    Murderous,
    allow_failures,
    deaths,
    fill_the_disk,
    mistake,
    square,
)


@pytest.fixture(scope="module")
def cluster() -> Iterator[DaskCluster]:
    """Three workers, whose environment is not that of this process."""
    before = environment()
    with DaskCluster("local:3") as started:
        yield started
    assert environment() == before


def environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}


@pytest.fixture(scope="module")
def address(cluster: DaskCluster) -> str:
    return str(cluster.address)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cluster")
    inexlab.demo(folder / "demo")
    inexlab.build_index(folder / "demo/articles", folder / "one")
    for count in (1, 4, 7):
        inexlab.build_index(folder / "demo/articles", folder / f"shards-{count}", shards=count)
    return folder


def files_of(folder: Path) -> dict[str, bytes]:
    found = {str(f.relative_to(folder)): f.read_bytes() for f in sorted(folder.rglob("*")) if f.is_file()}
    return {name: content for name, content in found.items() if "/units/" not in name}


def test_workers_listen_here_alone_and_show_nothing(cluster: DaskCluster, address: str) -> None:
    assert address.startswith("tcp://127.0.0.1:")
    here = psutil.Process()
    listening = {
        connection.laddr
        for process in (here, *here.children(recursive=True))
        for connection in process.net_connections(kind="tcp")
        if connection.status == psutil.CONN_LISTEN
    }
    assert len(listening) > 4
    assert {place.ip for place in listening} == {"127.0.0.1"}
    port = cluster.client.scheduler_info()["services"]["dashboard"]
    for page in ("status", "info/main/workers.html", "json/index.html", "individual-plots.json"):
        with pytest.raises(HTTPError, match="404"):
            urlopen(f"http://127.0.0.1:{port}/{page}")


@pytest.mark.parametrize("task", ["thorough", "relevant-in-context"])
def test_runs_are_the_same_on_any_number_of_shards_and_on_dask(
    demo: Path, tmp_path: Path, address: str, task: str
) -> None:
    runs = {}
    here = [(name, "") for name in ("one", "shards-1", "shards-4", "shards-7")]
    for name, where in (*here, *((name, address) for name, _ in here)):
        out = tmp_path / "run.txt"
        inexlab.make_run(demo / name, demo / "demo/topics.xml", out, task=task, cluster=where)
        runs[name, where] = out.read_bytes()
    assert len(set(runs.values())) == 1
    assert runs["one", ""].count(b"\n") > 100


def test_scores_and_comparisons_are_the_same(demo: Path, address: str, call: Command, tmp_path: Path) -> None:
    runs = sorted((demo / "demo/runs").glob("focused-*.txt"))
    judged, articles = demo / "demo/judgements.qrels", demo / "demo/articles"
    given: list[str | Path] = [judged, *runs, "--collection", articles]
    for verb, more in (("evaluate", ["-q", "-o", "csv"]), ("compare", ["--test", "t", "-o", "csv"])):
        asked: list[str | Path] = [verb, *given, "-m", "MAiP", "-m", "iP@0.01", *more]
        here, there = call(*asked), call(*asked, "--cluster", address)
        assert here.code == 0
        assert here.out.count("\n") > 6
        assert here == there
    call("evaluate", *given, "-m", "MAiP", "--out", "here.json")
    call("evaluate", *given, "-m", "MAiP", "--out", "there.json", "--cluster", address)
    assert (tmp_path / "here.json").read_text() == (tmp_path / "there.json").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("run", "none", "--topics", "topics.xml", "--out", "-"), "none: no such index"),
        (("index", "empty", "--out", "i"), "empty: holds no document"),
        (("index", "--merge", "one", "--out", "i"), "--shards and --cluster are for new indexes"),
        (("evaluate", "judgements.qrels", "no.run", "-m", "MAiP"), "no.run"),
    ],
    ids=["run", "index", "merge", "evaluate"],
)
def test_bad_input_is_one_line_on_a_cluster_too(
    arguments: tuple[str, ...],
    message: str,
    demo: Path,
    tmp_path: Path,
    address: str,
    call: Command,
) -> None:
    (tmp_path / "empty").mkdir()
    for name in ("topics.xml", "judgements.qrels"):
        shutil.copy(demo / "demo" / name, tmp_path)
    done = call(*arguments, "--cluster", address)
    assert done.code == 2
    assert message in done.err
    assert done.err.count("\n") == 1
    assert not done.out


def test_what_is_finished_is_not_done_again(demo: Path, tmp_path: Path) -> None:
    class Failing(Executor):
        """Loses the third part."""

        def completed(self, tasks: list[SpreadTask]) -> Iterator[tuple[int, object]]:  # type: ignore[override]
            for number, task in enumerate(tasks):
                if number == 2:
                    raise WorkerLostError(task.name, 4)
                yield number, task.function(*task.arguments)

    articles, out = demo / "demo/articles", tmp_path / "out"
    message = (
        r"^part 3 of 4 of .*out: 4 workers died.* 2 of 4 parts are done, in .*: the same command goes on"
    )
    with pytest.raises(WorkerLostError, match=message):
        index_documents([articles], out, shards=4, executor=Failing())
    parts = tmp_path / "out.parts"
    done = {name: next(parts.glob(f"{name}-{'[0-9a-f]' * 16}")) for name in ("0", "1")}
    before = {name: place.stat().st_mtime_ns for name, place in done.items()}
    (tmp_path / "other").mkdir()
    shutil.copytree(parts, tmp_path / "other/out.parts")
    index_documents([articles], out, shards=4)
    assert {name: (out / name).stat().st_mtime_ns for name in ("0", "1")} == before
    assert files_of(out) == files_of(demo / "shards-4")
    # merged they are one index
    index_documents([articles], tmp_path / "merged", executor=Threads(2))
    assert files_of(tmp_path / "merged") == files_of(demo / "one")
    # parts of another plan are not taken over
    index_documents([articles], tmp_path / "other/out", Settings(stemmer="none"), shards=4)
    assert inexlab.build_index(info=tmp_path / "other/out").facts["stemmer"] == "none"  # type: ignore[union-attr]


def test_a_run_is_the_same_though_workers_die(cluster: DaskCluster, demo: Path, tmp_path: Path) -> None:
    topics = list(read_topics([demo / "demo/topics.xml"]).values())
    expected = make_run(make_engine(open_index(demo / "one"), "bm25"), topics, "r").run
    engine = make_engine(open_index(demo / "shards-4"), "bm25")
    assert isinstance(engine, ShardedEngine)
    killing = Murderous(cluster, tmp_path, times=1, every=8)
    found = make_run(replace(engine, executor=killing), topics, "r").run
    assert found.to_pandas().equals(expected.to_pandas())
    assert deaths(tmp_path) == 2


def test_an_index_is_the_same_though_workers_die(cluster: DaskCluster, demo: Path, tmp_path: Path) -> None:
    killing = Murderous(cluster, tmp_path, times=1, every=4)
    out = tmp_path / "out"
    index_documents([demo / "demo/articles"], out, shards=4, executor=killing)
    assert files_of(out) == files_of(demo / "shards-4")
    assert deaths(tmp_path) == 2
    assert not list(tmp_path.glob("*.parts"))


def test_a_full_disk_of_a_worker_is_not_taken_for_a_lost_scheduler(cluster: DaskCluster) -> None:
    with pytest.raises(OSError, match=r"No space left on device: 'index\.bin'"):
        list(cluster.results([SpreadTask("a", fill_the_disk)]))


def test_of_several_mistakes_the_first_is_named_on_a_cluster_too(cluster: DaskCluster) -> None:
    tasks = [SpreadTask("a", mistake, ("a", 0.3)), SpreadTask("b", mistake, ("b", 0))]
    with pytest.raises(UsageError, match=r"^a: cannot be read"):
        list(cluster.results(tasks))


def test_a_cluster_is_an_executor(cluster: DaskCluster, tmp_path: Path) -> None:
    tasks = [SpreadTask(f"part {k}", square, (k,)) for k in range(8)]
    told: list[ProgressStep] = []
    killing = Murderous(cluster, tmp_path, times=3, every=8)
    with watching(told.append):
        assert list(killing.results(tasks, "squaring", "numbers")) == [k * k for k in range(8)]
    assert told == [ProgressStep("squaring", k, 8, "numbers") for k in range(9)]
    assert deaths(tmp_path) == 3
    with pytest.raises(UsageError, match=r"^numbers.txt, line 2: 13 brings bad luck"):
        list(cluster.results([SpreadTask("b", square, (13,))]))


def test_a_scheduler_that_gives_up_early_is_asked_again(
    cluster: DaskCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another scheduler may allow no death at all; in the end the task is named."""
    cluster.client.run_on_scheduler(allow_failures, count=0)
    try:
        killing = Murderous(cluster, tmp_path, times=1)
        assert list(killing.results([SpreadTask("part 3", square, (3,))])) == [9]
        monkeypatch.setattr(dask, "RETRIES", 0)
        with pytest.raises(WorkerLostError, match=r"^part 4: 1 worker died one after the other"):
            list(killing.results([SpreadTask("part 4", square, (4,))]))
        assert deaths(tmp_path) == 2
    finally:
        cluster.client.run_on_scheduler(allow_failures, count=5)


def test_an_index_is_merged_on_a_cluster_as_here(
    demo: Path, address: str, call: Command, tmp_path: Path
) -> None:
    done = call("index", demo / "demo/articles", "--out", "merged", "--cluster", address)
    assert done.code == 0
    assert files_of(tmp_path / "merged") == files_of(demo / "one")
    assert [path.name for path in tmp_path.iterdir()] == ["merged"]


def test_an_index_is_the_same_though_the_workers_of_a_part_are_killed_in_the_middle_of_it(
    cluster: DaskCluster, demo: Path, tmp_path: Path
) -> None:
    killing = KilledInTheMiddle(cluster, tmp_path, times=3, number=1)
    index_documents([demo / "demo/articles"], tmp_path / "out", shards=4, executor=killing)
    assert files_of(tmp_path / "out") == files_of(demo / "shards-4")
    assert deaths(tmp_path) == 3
    assert sorted(path.name for path in tmp_path.iterdir()) == ["deaths-0", "out"]


def test_an_index_at_a_url_is_built_on_a_cluster(
    demo: Path, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INEXLAB_CACHE", str(tmp_path / "cache"))
    try:
        inexlab.build_index(demo / "demo/articles", "memory://cluster/index", shards=4, cluster=address)
        assert files_of(local_copy("memory://cluster/index/2")) == files_of(demo / "shards-4/2")
    finally:
        fsspec.filesystem("memory").rm("/", recursive=True)


def test_judgements_that_have_changed_are_read_again(address: str, tmp_path: Path) -> None:
    """A worker keeps what it has read, and lives longer than a command."""
    judged, run = tmp_path / "judged", tmp_path / "run"
    run.write_text("1 Q0 d 1 9 r 10 50\n")
    for at in (10, 500):
        judged.write_text(f"1 Q0 d 50 1000 {at} {at}:50\n")
        here, there = (
            inexlab.evaluate(judged, run, "MAiP", cluster=where).means() for where in ("", address)
        )
        assert here == there


def test_what_reads_no_relative_names_needs_no_current_folder(
    cluster: DaskCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for relative in (False, True):
        [folder] = cluster.results([SpreadTask("a", os.getcwd, relative=relative)])
        assert (folder == str(tmp_path)) is relative


def test_workers_of_another_version_are_refused(
    cluster: DaskCluster, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = inexlab.__version__
    monkeypatch.setattr(inexlab, "__version__", "0.0.other")
    with pytest.raises(
        UsageError, match=rf"^the workers of {address} have another inexlab \({version}\) than "
    ):
        DaskCluster(address)
    with pytest.raises(
        UsageError, match=rf"^a worker has another inexlab \({version}\) than this \(0.0.other\)"
    ):
        list(cluster.results([SpreadTask("a", square, (3,))]))
