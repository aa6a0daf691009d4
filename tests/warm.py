"""Compile the loops that most tests need, once, before several processes would each compile them.

`python -m tests.warm` is a step of `make test`, beside the checks of the sources, which need one core.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import inexlab


def forget_stale_loops() -> None:
    """Forget compiled loops that are older than a source of loops.

    Numba compiles a loop again when its file has changed, but not when the file of one that it calls has.
    """
    package = Path(inexlab.__file__).parent
    sources = [file for file in package.rglob("*.py") if "accelerate" in file.read_text(encoding="utf-8")]
    newest = max(file.stat().st_mtime for file in [package / "accelerate.py", *sources])
    compiled = [file for file in package.rglob("*.nb[ci]") if file.parent.name == "__pycache__"]
    if any(file.stat().st_mtime < newest for file in compiled):
        for file in compiled:
            file.unlink()


def use_loops(folder: Path) -> None:
    """Score, index and search as users do, compiled."""
    demo, index = folder / "demo", folder / "index"
    inexlab.demo(demo)
    inexlab.evaluate(
        demo / "judgements.qrels",
        demo / "runs" / "focused-paragraphs.txt",
        [
            *("nxCG(quant=spec6,overlap=off)@10", "nxCG(quant=spec6,overlap=on)@10", "Overlap", "Unjudged"),
            *("MAep(quant=spec6,overlap=2006)", "MAep(quant=spec6,overlap=on,alpha=0.5)", "SpanP@5"),
            *("AP", "P@10", "RR", "nDCG@10", "Bpref"),
        ],
        collection=demo / "articles",
    )
    inexlab.build_index(demo / "articles", index)
    for query in (
        "overlap of elements",
        "+overlap -pooling",
        "//article[about(., overlap)]//p[about(., pool)]",
    ):
        inexlab.search(index, query)
    for model in ("gpx", "lm-jm", "lm-dirichlet", "lnu-ltu"):
        inexlab.search(index, "overlap of elements", model=model, per_document="all")
    for unit in ("elements:p", "sentences:2", "windows:20w", "windows:200c"):
        inexlab.search(index, '"overlap of elements"', by=unit)
    inexlab.make_run(index, demo / "topics.xml", limit=3)
    runs = sorted((demo / "runs").glob("focused-*.txt"))
    for test in ("bootstrap", "wilcoxon"):
        inexlab.compare(demo / "judgements.qrels", runs, "MAiP", test=test, collection=demo / "articles")


if __name__ == "__main__":
    forget_stale_loops()
    os.environ["INEXLAB_COMPILED"] = "always"
    with tempfile.TemporaryDirectory() as name:
        use_loops(Path(name))
