"""Compiled loops with every index checked: indexes of odd documents, searches, and odd runs measured.

Compiling again with checks takes minutes, so this is done once, in a process of its own.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

from soak._trial import Result, attempt, some


def kernels(folder: Path, chance: random.Random, share: float) -> Result:
    """Do the work in a process whose compiled loops check every index."""
    done = subprocess.run(
        [sys.executable, "-m", "soak.kernels", str(folder), str(chance.random()), str(some(400, share))],
        env={
            **os.environ,
            "NUMBA_BOUNDSCHECK": "1",
            "NUMBA_CACHE_DIR": str(folder / "compiled"),
            "INEXLAB_COMPILED": "always",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        return "ended early", [f"{done.returncode} {done.stderr[-1000:]}"]
    figures, failures = json.loads(done.stdout)
    return figures, failures


def _odd_index(folder: Path, chance: random.Random) -> None:
    import inexlab
    from inexlab.collection.profile import read_profile
    from inexlab.index.build import Settings, build_index
    from soak.readers import odd_document

    profile = read_profile("plain")
    documents = [(f"d{k}", f"d{k}", odd_document(chance)) for k in range(chance.randrange(1, 30))]
    documents += [("deep", "deep", b"<a>x " * 40 + b"</a>" * 40), ("start", "start", b"<a>" * 99)]
    documents += [("last", "last", b"<a>word x <b>y</b></a>")]
    build_index(documents, folder, Settings(profile))
    index = inexlab.open_index(folder)
    for query in ("word", "x y", '"word x"', "//a[about(., x)]", "//a//b[about(., word)]"):
        for model in ("bm25", "gpx", "lm-dirichlet", "lm-jm", "lnu-ltu"):
            for task in ("thorough", "focused", "relevant-in-context"):
                inexlab.search(index, query, 5, model=model, task=task)
        inexlab.search(index, query, 5, interpretation="SSCAS")


def _odd_run(folder: Path, chance: random.Random) -> None:
    import inexlab

    def spans() -> str:
        return " ".join(
            f"{chance.randrange(90)}:{chance.randrange(1, 40)}" for _ in range(chance.randrange(4))
        )

    qrels = [f"{t} Q0 d{d} 10 100 0 {spans()}" for t in range(3) for d in range(8)]
    rows = [
        f"{t} Q0 d{chance.randrange(12)} {k + 1} {900 - k}.5 r {chance.randrange(100)} {chance.randrange(60)}"
        for t in range(4)
        for k in range(chance.randrange(1, 60))
    ]
    (folder / "q").write_text("\n".join(line for line in qrels if ":" in line) + "\n")
    (folder / "r").write_text("\n".join(rows) + "\n")
    inexlab.evaluate(folder / "q", [folder / "r"], ["MAiP", "MAgP", "iP@0.01", "gP@5", "SpanP", "SpanR"])


def _work(folder: Path, chance: random.Random, count: int) -> Result:
    from inexlab.errors import InexlabError

    failures: list[str] = []
    for number in range(count):
        attempt(lambda: _odd_index(folder / "index", chance), f"index {number}", failures)
        shutil.rmtree(folder / "index", ignore_errors=True)
        attempt(lambda: _odd_run(folder, chance), f"run {number}", failures, InexlabError)
    return f"{count:,} indexes with 80 searches each, {count:,} runs, every index of a loop checked", failures


if __name__ == "__main__":
    print(json.dumps(_work(Path(sys.argv[1]), random.Random(sys.argv[2]), int(sys.argv[3]))))
