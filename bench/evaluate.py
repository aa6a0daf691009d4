"""Claims: many times the lines per second of pytrec_eval; threads gain as processes do; 1 GiB; help at once.

Makes judgements like those of INEX 2009 (68 topics, about 730 judged and 70 relevant documents each) and 20
runs of 1,500 passages per topic, then times reading and scoring them with all focused measures. The peer
reads as many lines of TREC runs and evaluates all its measures, in the same process and the same minute, by
processor time. For measures of documents both read the same runs, and compute the same five. What two
processes gain, each with half of the runs, is measured next to what two threads do: for both kinds of
measures, and for runs of elements, whose paths are found in an index.
"""

from __future__ import annotations

import contextlib
import io
import multiprocessing
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from _timing import best_of, claim

TOPICS, RESULTS, RUNS = 68, 1500, 20
WHOLE_CAMPAIGN = 172
COLLECTION = 2_666_190
FOCUSED = [
    *("iP@0", "iP@0.01", "iP@0.05", "iP@0.1", "MAiP"),
    *("SpanP@5", "SpanP@10", "SpanR@5", "SpanR@10", "SpanP", "SpanR"),
    *("num_ret", "num_rel", "num_rel_ret", "ret_size", "rel_size", "rel_ret_size"),
]
# our name of a measure of documents, and that of pytrec_eval
DOCUMENTS = {"AP": "map", "nDCG@10": "ndcg_cut.10", "P@10": "P.10", "RR": "recip_rank", "R@100": "recall.100"}
ARTICLES = Path(__file__).resolve().parents[2] / "shared" / "data" / "elife-41.tar.xz"
Judged = dict[str, list[tuple[str, int]]]


def make_judgements(folder: Path, random_: random.Random) -> tuple[Path, Path, Judged]:
    """Write INEX qrels and TREC qrels of the same documents; return them and what is judged."""
    inex: list[str] = []
    trec: list[str] = []
    judged: Judged = {}
    for t in range(1, TOPICS + 1):
        topic = f"2009{t:03d}"
        docs = [(str(d), random_.randint(500, 40_000)) for d in random_.sample(range(1, COLLECTION), 730)]
        judged[topic] = docs
        for i, (doc, size) in enumerate(docs):
            spans: list[tuple[int, int]] = []
            at = 0
            while i < 70 and at < size and len(spans) < random_.randint(1, 6):
                start = at + random_.randint(0, size // 3)
                end = min(size, start + random_.randint(20, 3000))
                if start < end:
                    spans.append((start, end))
                at = end + random_.randint(3, 25)
            spans = spans or ([(0, size)] if i < 70 else [])
            tail = f" {spans[0][0]} " + " ".join(f"{a}:{b - a}" for a, b in spans) if spans else ""
            inex.append(f"{topic} Q0 {doc} {sum(b - a for a, b in spans)} {size}{tail}")
            trec.append(f"{topic} 0 {doc} {int(bool(spans))}")
    (folder / "inex.qrels").write_text("\n".join(inex) + "\n")
    (folder / "trec.qrels").write_text("\n".join(trec) + "\n")
    return folder / "inex.qrels", folder / "trec.qrels", judged


def make_run(folder: Path, number: int, judged: Judged) -> tuple[Path, Path]:
    """Write one run twice: as passages for us, as documents for the peer, with as many lines."""
    random_ = random.Random(number)
    inex, trec = [], []
    for topic, docs in judged.items():
        names = [doc for doc, _ in random_.sample(docs, 500)] + [
            str(random_.randint(1, COLLECTION)) for _ in range(RESULTS)
        ]
        place = dict.fromkeys(names, 0)
        unique = list(place)[:RESULTS]
        random_.shuffle(unique)
        for i in range(RESULTS):
            doc = random_.choice(names[:700]) if i % 3 else unique[i]
            start = place[doc] + random_.randint(0, 800)
            length = random_.randint(20, 2500)
            place[doc] = start + length
            inex.append(
                f"{topic} Q0 {doc} {i + 1} {RESULTS - i + random_.random():.4f} run{number} {start} {length}"
            )
            trec.append(f"{topic} Q0 {unique[i]} {i + 1} {RESULTS - i + random_.random():.4f} run{number}")
    ours, theirs = folder / f"run{number}.inex", folder / f"run{number}.trec"
    ours.write_text("\n".join(inex) + "\n")
    theirs.write_text("\n".join(trec) + "\n")
    return ours, theirs


def speed(inex: Path, trec: Path, runs: list[tuple[Path, Path]]) -> bool:
    """Result lines read and scored per second of a core, against pytrec_eval; judgements are read before."""
    import pytrec_eval

    import inexlab

    judgements = inexlab.read_judgements(inex)
    with trec.open() as file:
        evaluator = pytrec_eval.RelevanceEvaluator(
            pytrec_eval.parse_qrel(file), pytrec_eval.supported_measures
        )

    def ours() -> None:
        inexlab.evaluate(judgements, [path for path, _ in runs], FOCUSED, jobs=1)

    def theirs() -> None:
        for _, path in runs:
            with path.open() as file:
                evaluator.evaluate(pytrec_eval.parse_run(file))

    ours()  # loads the compiled loops, as pytrec_eval's are loaded by importing it
    lines = TOPICS * RESULTS * len(runs)
    our_time, their_time = (best_of(5, work, time.process_time) for work in (ours, theirs))
    for name, taken in (("inexlab", our_time), ("pytrec_eval", their_time)):
        print(f"{name:11} {lines / taken / 1e6:6.2f} million lines/s, {taken / len(runs) * 1e3:.1f} ms a run")
    return claim("evaluate-speed", their_time / our_time, 6.5, their_time / our_time >= 6.5)


def speed_of_documents(trec: Path, runs: list[tuple[Path, Path]]) -> bool:
    """The same for five measures of documents, which both compute of the same runs."""
    import pytrec_eval

    import inexlab

    judgements = inexlab.read_judgements(trec)
    with trec.open() as file:
        evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(file), set(DOCUMENTS.values()))

    def ours() -> None:
        inexlab.evaluate(judgements, [path for _, path in runs], list(DOCUMENTS), jobs=1)

    def theirs() -> None:
        for _, path in runs:
            with path.open() as file:
                evaluator.evaluate(pytrec_eval.parse_run(file))

    ours()
    our_time, their_time = (best_of(3, work, time.process_time) for work in (ours, theirs))
    lines = TOPICS * RESULTS * len(runs)
    for name, taken in (("inexlab", our_time), ("pytrec_eval", their_time)):
        print(f"documents, {name:11} {lines / taken / 1e6:6.2f} million lines/s")
    return claim("evaluate-documents-speed", their_time / our_time, 5.5, their_time / our_time >= 5.5)


def _evaluate(judged: Path, paths: list[Path], measures: list[str], index: Path | None, jobs: int) -> None:
    import inexlab
    from inexlab.collection import open_collection

    if judged not in _read:
        _read[judged] = inexlab.read_judgements(judged)
        _read[index] = None if index is None else open_collection(index)
    inexlab.evaluate(_read[judged], paths, measures, collection=_read[index], jobs=jobs)


_read: dict[Path | None, Any] = {}  # once in each process


def cores(
    name: str,
    judged: Path,
    paths: list[Path],
    measures: list[str],
    index: Path | None = None,
    bar: float = 0.85,
) -> bool:
    """What two threads gain over one, against what two processes gain that have half of the runs each."""
    halves = [paths[::2], paths[1::2]]
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:

        def processes() -> None:
            for future in [pool.submit(_evaluate, judged, half, measures, index, 1) for half in halves]:
                future.result()

        def threads() -> None:
            _evaluate(judged, paths, measures, index, 2)

        def one() -> None:
            _evaluate(judged, paths, measures, index, 1)

        for _ in range(3):  # both processes load what they need
            processes()
        threads()
        times = [tuple(best_of(1, work) for work in (one, threads, processes)) for _ in range(7)]
    alone, by_threads, by_processes = (min(taken) for taken in zip(*times, strict=True))
    print(
        f"{name}: {alone:.2f} s on one core; two threads gain {alone / by_threads:.2f}, "
        f"two processes {alone / by_processes:.2f}"
    )
    ratio = by_processes / by_threads
    return claim(name, ratio, bar, ratio >= bar)


def elements(folder: Path) -> bool:
    """What two threads gain where results are elements, whose paths are found in an index of 41 articles."""
    if not ARTICLES.exists():
        print(f"skipped: runs of elements need ../shared/data/{ARTICLES.name}")
        return True
    import inexlab
    from inexlab.collection import open_collection

    index, random_ = folder / "index", random.Random(41)
    with contextlib.redirect_stderr(io.StringIO()):
        inexlab.build_index(ARTICLES, index)
    collection = open_collection(index)
    tables = {id: collection[id].elements for id in collection}
    judged, runs = [], []
    for t in range(TOPICS):
        for id in random_.sample(list(tables), 20):
            size = int(tables[id].end[0])
            start = random_.randrange(size // 2)
            judged.append(f"{t} Q0 {id} 900 {size} {start} {start}:900")
    (folder / "elements.qrels").write_text("\n".join(judged) + "\n")
    for number in range(8):
        lines = []
        for t in range(TOPICS):
            for i in range(RESULTS):
                id = random_.choice(list(tables))
                path = tables[id].path(random_.randrange(len(tables[id])))
                lines.append(f"{t} Q0 {id} {i + 1} {RESULTS - i} run{number} {path}")
        runs.append(folder / f"elements{number}.txt")
        runs[-1].write_text("\n".join(lines) + "\n")
    measures = ["iP@0.01", "MAiP", "SpanP@10"]
    # the different steps of paths are read in Python, which threads do one at a time
    return cores("evaluate-elements-two-cores", folder / "elements.qrels", runs, measures, index, bar=0.75)


def memory(inex: Path, runs: list[tuple[Path, Path]]) -> bool:
    """Peak memory of scoring as many runs as INEX 2009 had, from the shell, against 1 GiB."""
    folder = inex.parent / "campaign"
    folder.mkdir()
    for number in range(WHOLE_CAMPAIGN):
        (folder / f"run{number}.txt").hardlink_to(runs[number % len(runs)][0])
    script = str(Path(sys.executable).with_name("inexlab"))
    measures = [option for name in FOCUSED for option in ("-m", name)]
    begin = time.perf_counter()
    table = subprocess.run(
        [script, "evaluate", str(inex), str(folder), *measures, "--run-names", "file", "-o", "csv"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert table.count("MAiP") == WHOLE_CAMPAIGN
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"{WHOLE_CAMPAIGN} runs: {time.perf_counter() - begin:.1f} s, peak {peak:.0f} MiB")
    return claim("evaluate-memory-1GiB", 1024 / peak, 1, peak < 1024)


def start_up() -> bool:
    """Time to the help text against importing numpy."""
    script = Path(sys.executable).with_name("inexlab")

    def ours() -> None:
        subprocess.run([str(script), "--help"], stdout=subprocess.DEVNULL, check=True)

    def floor() -> None:
        subprocess.run([sys.executable, "-c", "import numpy"], check=True)

    ours()
    floor()
    our_time, floor_time = best_of(9, ours), best_of(9, floor)
    print(f"inexlab --help {our_time * 1e3:.0f} ms, import numpy {floor_time * 1e3:.0f} ms")
    return claim("help-start-up", our_time / floor_time, 2.5, our_time <= 2.5 * floor_time)


def main() -> int:
    """Run all of them."""
    os.environ.pop("INEXLAB_COMPILED", None)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        inex, trec, judged = make_judgements(folder, random.Random(2009))
        runs = [make_run(folder, number, judged) for number in range(RUNS)]
        # memory first: the peak of child processes is the largest of all so far
        passed = [
            memory(inex, runs),
            speed(inex, trec, runs),
            speed_of_documents(trec, runs),
            cores("evaluate-two-cores", inex, [path for path, _ in runs], FOCUSED),
            cores("evaluate-documents-two-cores", trec, [path for _, path in runs], list(DOCUMENTS)),
            elements(folder),
            start_up(),
        ]
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
