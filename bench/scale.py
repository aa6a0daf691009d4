"""Claims: an index is built at one rate and in one amount of memory, whatever the size, and by two cores.

1,216 articles of eLife (245 MB), four and sixteen times as many: copies under other ids, two words in a
hundred changed in each. Processor time is that of user and system, of all processes, compiled loops loaded
before; memory is what a process has of its own (RssAnon), the most that it ever had. Two processes are
compared with two builds of half the documents at the same time, each from the start of Python to its end;
together they may take a quarter more processor time than one.
Last, documents with five million different words, every fifth of them with an accent.

    python bench/scale.py [rate|jobs|terms] …
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from _articles import articles
from _timing import claim
from inexlab.index.build import Settings, Summary, build_index
from inexlab.index.indexing import index_documents

TIMES = (1, 4, 16)
ROUNDS = 2
TERMS, WORDS = 5_000_000, 1_000  # different words, and those of a document
WARM = 20  # documents
DEARER = 1.25  # times the processor time of one process that two may take together
_LETTERS = "bcdfghjklmnpqrtvwxz"  # of which no stemmer takes any away
_EVERY = 0.01  # seconds between two looks at the memory


class Memory:
    """The most memory that this process has of its own, while it is looked at."""

    def __enter__(self) -> Memory:
        self.peak, self._done = 0, threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._done.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._done.wait(_EVERY):
            status = Path("/proc/self/status").read_text(encoding="utf-8")
            self.peak = max(self.peak, 1024 * int(re.findall(r"RssAnon:\s+(\d+)", status)[0]))


def measured(work: str, *given: str) -> dict[str, Any]:
    """Do some work in a process of its own; return what it says of itself, and the seconds it took."""
    return finished(started(work, *given))


def started(work: str, *given: str) -> tuple[float, subprocess.Popen[str]]:
    """Start some work in a process of its own."""
    command = [sys.executable, __file__, f"--{work}", *given]
    return time.perf_counter(), subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def finished(work: tuple[float, subprocess.Popen[str]]) -> dict[str, Any]:
    """Wait for work that was started; return what it says of itself, and the seconds it took."""
    begin, process = work
    said, _ = process.communicate()
    if process.returncode:
        sys.exit(f"scale: {process.args!r} failed")
    return {**json.loads(said), "seconds": time.perf_counter() - begin}


def build(folder: str, out: str) -> dict[str, Any]:
    """Build an index of a folder, compiled loops loaded."""
    with tempfile.TemporaryDirectory() as name:
        for file in sorted(Path(folder).iterdir())[:WARM]:
            (Path(name) / file.name).write_bytes(file.read_bytes())
        index_documents([name], Path(name) / "warm")
    before = os.times()
    with Memory() as memory:
        summary = index_documents([folder], out)
    taken = sum(os.times()[:4]) - sum(before[:4])
    return {"processor": taken, "memory": memory.peak, "bytes": summary.bytes_read}


def build_many_terms(out: str) -> dict[str, Any]:
    """Build an index of very many different words."""
    with Memory() as memory:
        summary: Summary = build_index(many_terms(), Path(out), Settings(language="en"))
    return {"terms": summary.terms, "memory": memory.peak}


def many_terms() -> Iterator[tuple[str, str, bytes]]:
    """Yield documents: in each as many words that no other has, in an order that is not that of texts."""
    base, steps = len(_LETTERS), 1_234_577  # which no number of letters divides: all numbers come once
    size = base**6
    for document in range(TERMS // WORDS):
        words = []
        for k in range(document * WORDS, (document + 1) * WORDS):
            number, letters = k * steps % size, []
            for _ in range(6):
                number, letter = divmod(number, base)
                letters.append(_LETTERS[letter])
            words.append("".join(letters[:3]) + ("é" if k % 5 == 0 else "") + "".join(letters[3:]))
        yield f"d{document}", f"d{document}.xml", f"<a><p>{' '.join(words)}</p></a>".encode()


def unpack(folder: Path) -> None:
    """Write the articles and copies of them: a folder for every size, and two with half of the largest."""
    for times in TIMES:
        (folder / str(times)).mkdir()
    largest = folder / str(TIMES[-1])
    for number, (id, _, content) in enumerate(articles(TIMES[-1])):
        (largest / f"{id}.xml").write_bytes(content)
        for times in TIMES[:-1]:
            if number % TIMES[-1] < times:  # an article is followed by its copies
                (folder / str(times) / f"{id}.xml").hardlink_to(largest / f"{id}.xml")
    files = sorted(largest.iterdir())
    for half, some in (("first", files[: len(files) // 2]), ("second", files[len(files) // 2 :])):
        (folder / half).mkdir()
        for file in some:
            (folder / half / file.name).hardlink_to(file)


def rate(folder: Path) -> list[bool]:
    """Compare processor time to a byte and memory at all sizes."""
    rounds = []
    for _ in range(ROUNDS):  # in turn, so that a machine that is slow for a while is slow for all
        rounds.append([_build(folder, str(times)) for times in TIMES])
    nanoseconds, memory = [], []
    for times, of_size in zip(TIMES, zip(*rounds, strict=True), strict=True):
        taken = min(one["processor"] for one in of_size)
        nanoseconds.append(1e9 * taken / of_size[0]["bytes"])
        memory.append(min(one["memory"] for one in of_size))
        own = f"{memory[-1] / 1e6:.0f} MB of its own"
        print(f"{times}x: {taken:.1f} s of the processor, {nanoseconds[-1]:.2f} ns to a byte, {own}")
    slower, larger = nanoseconds[-1] / nanoseconds[0], memory[-1] / memory[0]
    return [
        claim("scale-rate", slower, 1.15, slower <= 1.15),
        claim("scale-memory", larger, 1.25, larger <= 1.25),
    ]


def _build(folder: Path, name: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(dir=folder) as out:
        return measured("build", str(folder / name), f"{out}/index")


def jobs(folder: Path) -> bool:
    """Compare two processes with two builds of half the documents."""
    together, apart = [], []
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory(dir=folder) as out:
            together.append(measured("jobs", str(folder / str(TIMES[-1])), f"{out}/index", "2"))
        with tempfile.TemporaryDirectory(dir=folder) as out:
            halves = ("first", "second")
            both = [started("jobs", str(folder / half), f"{out}/{half}", "1") for half in halves]
            apart.append(max((finished(one) for one in both), key=lambda one: one["seconds"]))
    ours, theirs = (min(one["seconds"] for one in some) for some in (together, apart))
    print(f"two processes {ours:.1f} s ({together[0]['processor']:.1f} s of the processor), ", end="")
    print(f"two builds of half the documents {theirs:.1f} s")
    quick = claim("scale-jobs", theirs / ours, 0.85, theirs >= 0.85 * ours)
    with tempfile.TemporaryDirectory(dir=folder) as out:
        alone = measured("jobs", str(folder / str(TIMES[-1])), f"{out}/index", "1")["processor"]
    spent = min(one["processor"] for one in together) / alone
    print(f"one process {alone:.1f} s of the processor, system included")
    return claim("scale-jobs-processor", spent, DEARER, spent <= DEARER) and quick


def terms(folder: Path) -> bool:
    """Look at the memory that very many different words take."""
    done = measured("terms", str(folder / "terms"))
    print(f"{done['terms']:,} terms: {done['memory'] / 1e6:.0f} MB, {done['seconds']:.0f} s")
    enough = done["terms"] >= TERMS
    return claim("scale-terms-1GiB", done["memory"] / (1 << 30), 1, enough and done["memory"] <= 1 << 30)


def work(kind: str, *given: str) -> int:
    """Do what a process was started for, and print what it took."""
    if kind == "--build":
        said = build(*given)
    elif kind == "--terms":
        said = build_many_terms(*given)
    else:
        index_documents([given[0]], given[1], jobs=int(given[2]))
        said = {"processor": sum(os.times()[:4])}
    print(json.dumps(said))
    return 0


def main(parts: list[str]) -> int:
    """Check the claims, or some of them."""
    passed = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if not parts or "terms" in parts:
            passed.append(terms(folder))
        if not parts or {"rate", "jobs"} & set(parts):
            unpack(folder)
        if not parts or "rate" in parts:
            passed += rate(folder)
        if not parts or "jobs" in parts:
            passed.append(jobs(folder))
    return 0 if all(passed) else 1


if __name__ == "__main__":
    given = sys.argv[1:]
    sys.exit(work(*given) if given and given[0].startswith("--") else main(given))
