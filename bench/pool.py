"""Claims: pooling a whole INEX 2009 takes no longer than reading it; agreement no longer than reading both.

Writes runs like those of INEX 2009 (68 topics, 1,500 passages each) and reads and pools as many as there
were, 172, by depth and in turn; what is read is timed apart from what is pooled. Then two sets of judgements
of 50,000 documents: reading both, and all statistics of `inexlab assessors` with their intervals.
"""

from __future__ import annotations

import dataclasses
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from _timing import best_of, claim
from inexlab.experiments.agreeing import agree
from inexlab.judgements import read_judgements
from inexlab.pooling.making import pool_of
from inexlab.pooling.rankings import read_rankings
from inexlab.runs import Run, read_run

TOPICS, RESULTS, RUNS, FILES = 68, 1500, 172, 8
DOCUMENTS = 50_000
COLLECTION = 2_666_190
TOP = 100  # ranks at which runs agree more than below


def make_run(folder: Path, number: int) -> Path:
    """Write one run of passages; documents that many runs find come first in it."""
    random_ = random.Random(number)
    lines = []
    for topic in range(TOPICS):
        for rank in range(1, RESULTS + 1):
            popular = random_.random() < (0.97 if rank <= TOP else 0.6)
            doc = int(2500 * random_.random() ** 2) if popular else random_.randint(2500, COLLECTION)
            start = random_.randint(0, 20_000)
            lines.append(f"2009{topic:03d} Q0 {doc} {rank} {RESULTS - rank} run{number} {start} 400\n")
    path = folder / f"run{number}.txt"
    path.write_text("".join(lines))
    return path


def pooling(folder: Path) -> bool:
    """Time to pool 172 runs against the time to read them; a few files stand for all, each time shuffled."""
    files = [make_run(folder, number) for number in range(FILES)]
    reading = shuffling = 0.0
    generator = np.random.default_rng(2009)

    def runs() -> Iterator[tuple[Run, str]]:
        nonlocal reading, shuffling
        for number in range(RUNS):
            begin = time.perf_counter()
            run = read_run(files[number % FILES])
            read = time.perf_counter()
            reading += read - begin
            doc, top = run.doc.copy(), np.arange(len(run)) % RESULTS < TOP
            for rows in (top, ~top):  # a run of its own, with as many popular documents at the top
                doc[rows] = generator.permutation(doc[rows])
            shuffling += time.perf_counter() - read
            yield dataclasses.replace(run, id=f"run{number}", doc=doc), f"group{number // 3}"

    read_run(files[0])  # loads what is compiled
    passed = []
    for method, count in (("depth", 100), ("round-robin", 500)):
        reading = shuffling = 0.0
        begin = time.perf_counter()
        pool = pool_of(read_rankings(runs(), method, count), method, count)
        pooled = time.perf_counter() - begin - reading - shuffling
        print(f"{method}: {len(pool):,} documents; read in {reading:.1f} s, pooled in {pooled:.1f} s")
        passed.append(claim(f"pool-{method}", reading / pooled, 1, pooled <= reading))
    return all(passed)


def make_judgements(folder: Path, name: str, seed: int) -> Path:
    """Write judgements of 50,000 documents as JSON Lines, a third of them with up to five highlights."""
    random_ = random.Random(seed)
    lines = []
    for number in range(DOCUMENTS):
        size, spans, at = 20_000, [], 0
        for _ in range(random_.randint(1, 5) if number % 3 == 0 else 0):
            start = at + random_.randint(1, 1500)
            at = start + random_.randint(20, 2000)
            spans.append(f"[{start}, {at}]")
        about = f'"topic": "{number % TOPICS}", "doc": "{number}", "size": {size}'
        lines.append(f'{{{about}, "spans": [{", ".join(spans)}]}}\n')
    path = folder / name
    path.write_text("".join(lines))
    return path


def agreement(folder: Path) -> bool:
    """Time of all statistics of two assessors against the time to read what they judged."""
    paths = [make_judgements(folder, f"{name}.jsonl", seed) for seed, name in enumerate(("anna", "bob"))]
    reading = best_of(3, lambda: [read_judgements(path) for path in paths])
    anna, bob = (read_judgements(path) for path in paths)
    comparing = best_of(3, lambda: agree(("anna", anna), ("bob", bob)))
    print(f"2 × {DOCUMENTS:,} documents: read in {reading:.2f} s, compared in {comparing:.2f} s")
    return claim("assessors-agreement", reading / comparing, 1, comparing <= reading)


def main() -> int:
    """Measure both."""
    os.environ.pop("INEXLAB_COMPILED", None)
    with tempfile.TemporaryDirectory() as name:
        passed = [pooling(Path(name)), agreement(Path(name))]
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
