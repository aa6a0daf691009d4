"""Claim: what an index costs grows with the documents, so that five sizes tell what larger ones will cost.

Builds indexes of a quarter, a half, one, two and four times the 1,216 articles of eLife (245 MB), merges each
of two halves, and asks each ten queries, all in processes of their own. Lines are fitted to the processor
time of building, merging and a query, to the memory of its own that a build takes (RssAnon), and to the size
of the index. The claim is that the line is within a fifth of every build that takes more than a second, and
of the size of every index.

`docs/cluster.md` extrapolates from these lines.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from statistics import median

import numpy as np

from _articles import articles
from _timing import claim

SIZES = (0.25, 0.5, 1, 2, 4)
QUERIES = (
    "protein folding", "gene expression in mice", "neurons of the visual cortex", "membrane transport",
    "cell division", "evolution of bacteria", "dna repair", "memory and learning", "immune response",
    "zebrafish",
)  # fmt: skip
GB = 1e9


def main() -> None:
    """Measure, fit and print."""
    rows = []
    with tempfile.TemporaryDirectory() as space:
        folder = Path(space)
        for size in SIZES:
            rows.append(measured(folder / str(size), size))
            print("  ".join(f"{name} {value:.3g}" for name, value in rows[-1].items()), flush=True)
    gigabytes = np.array([row["GB"] for row in rows])
    worst = 0.0
    for name in rows[0]:
        if name == "GB":
            continue
        found = np.array([row[name] for row in rows])
        slope, constant = np.polyfit(gigabytes, found, 1)
        line = slope * gigabytes + constant
        off = float(np.max(np.abs(line - found) / found))
        print(f"{name}: {constant:.3g} + {slope:.4g} per GB, at most {off:.0%} off")
        if name in ("build s", "index GB"):
            large = found > 1 if name == "build s" else np.ones(len(found), dtype=np.bool_)
            worst = max(worst, float(np.max((np.abs(line - found) / found)[large])))
    sys.exit(0 if claim("furthest from the line", worst, 0.2, worst <= 0.2) else 1)


def measured(folder: Path, size: float) -> dict[str, float]:
    """Return what an index of so many times the articles costs."""
    docs = folder / "docs"
    halves = docs / "0", docs / "1"
    for half in halves:
        half.mkdir(parents=True)
    read = 0
    every = round(1 / size) if size < 1 else 1
    for number, (id, _, content) in enumerate(articles(max(1, int(size)))):
        if number % every == 0:
            (halves[number // every % 2] / f"{id}.xml").write_bytes(content)
            read += len(content)
    built = asked("build", str(docs), str(folder / "index"))
    for half in halves:
        asked("build", str(half), str(folder / f"index-{half.name}"))
    merged = asked("merge", str(folder / "index-0"), str(folder / "index-1"), str(folder / "merged"))
    searched = asked("search", str(folder / "index"))
    return {
        "GB": read / GB,
        "build s": built["seconds"],
        "build MB": built["own"] / 1e6,
        "index GB": built["bytes"] / GB,
        "texts GB": built["texts"] / GB,
        "merge s": merged["seconds"],
        "query ms": 1000 * searched["query"],
    }


def asked(*arguments: str) -> dict[str, float]:
    """Run a part of this in a process of its own."""
    done = subprocess.run([sys.executable, __file__, *arguments], capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def own_memory(most: list[int]) -> None:
    """Watch how much memory of its own this process has."""
    while True:
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
        most[0] = max(most[0], *(int(line.split()[1]) << 10 for line in lines if line.startswith("RssAnon")))
        time.sleep(0.02)


def part(doing: str, *places: str) -> dict[str, float]:
    """Build, merge or search, and say what it took."""
    from inexlab.index.index import open_index
    from inexlab.index.indexing import index_documents
    from inexlab.index.merge import merge_indexes
    from inexlab.index.store import files_folder, size_of
    from inexlab.retrieval.engine import make_engine
    from inexlab.topics.nexi import parse_nexi

    most = [0]
    threading.Thread(target=own_memory, args=(most,), daemon=True).start()
    if doing == "search":
        engine = make_engine(open_index(places[0]), "bm25")
        taken = []
        for _ in range(2):  # the first time files are read
            for query in QUERIES:
                before = time.process_time()
                engine.answer(parse_nexi(query), "thorough")
                taken.append(time.process_time() - before)
        return {"query": median(taken[len(QUERIES) :]), "own": most[0]}
    if doing == "merge":
        merge_indexes(places[:-1], Path(places[-1]), trusted=True)
    else:
        index_documents(places[:-1], places[-1])
    used = resource.getrusage(resource.RUSAGE_SELF)
    out = Path(places[-1])
    texts = (files_folder(out) / "text.bin").stat().st_size
    seconds = used.ru_utime + used.ru_stime
    return {"seconds": seconds, "own": most[0], "bytes": size_of(out), "texts": texts}


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.stdout.write(json.dumps(part(*sys.argv[1:])))
    else:
        main()
