"""Compiled loops with every index checked: indexes of odd documents, searches, odd runs measured and tested.

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
    documents = chance.choice((1, 12))  # of one, many are returned, which are read in another way
    rows = [
        f"{t} Q0 d{chance.randrange(documents)} {k + 1} {900 - k}.5 r {chance.randrange(100)} "
        f"{chance.randrange(60)}"
        for t in range(4)
        for k in range(chance.randrange(1, 200))
    ]
    (folder / "q").write_text("\n".join(line for line in qrels if ":" in line) + "\n")
    (folder / "r").write_text("\n".join(rows) + "\n")
    policies = [
        inexlab.Policy(),
        inexlab.Policy(seen_text="again", denominator="full", recall_levels="floor"),
        inexlab.Policy(relevant_size="stated", outside="clip", unlocatable=9),
    ]
    inexlab.evaluate(folder / "q", [folder / "r"], _OF_CHARACTERS, policy=chance.choice(policies))


_OF_CHARACTERS = [
    *("MAiP", "MAgP", "iP@0.01", "iP@0.995", "gP@5", "gR@5", "igP@0.1", "SpanP", "SpanR", "SpanR@3"),
    *("MAgP(score=BEP)", "MAgP(score=T2I)", "HiXEvalMAP", "HiXEvalF@5", "Overlap@5"),
]
_OF_ELEMENTS = [
    *(
        f"{name}(quant={quant},overlap={overlap}{ideal}){cut}"
        for name, cut in (("nxCG", "@5"), ("MAep", ""), ("iMAep", ""), ("ep", "@0.5"), ("Q", ""), ("R", ""))
        for quant in ("gen5", "strict5")
        for overlap, ideal in (("off", ""), ("on", ""), ("on", ",ideal=best-first"), ("2006", ""))
    ),
    *(f"MAep(quant=gen5,overlap=on,ancestors={how})" for how in ("max", "min", "none")),
    *(f"MAep(quant=gen5,overlap=on,level={level})" for level in ("article", "element")),
    *("precall(quant=gen5)", "precall(quant=strict5)"),
]


def _odd_elements(folder: Path, chance: random.Random) -> None:
    """Assessments of trees that no assessor would leave behind, and runs of what is in and around them."""
    import inexlab

    def path() -> str:
        steps = chance.randrange(1, 6)
        return "".join(f"/{chance.choice('ab')}[{chance.randrange(1, 4)}]" for _ in range(steps))

    assessed = folder / "assessed"
    shutil.rmtree(assessed, ignore_errors=True)
    assessed.mkdir()
    for topic in range(1, 4):
        files = ""
        for doc in range(chance.randrange(1, 5)):
            elements = ""
            for one in {path() for _ in range(chance.randrange(1, 30))}:
                size = chance.randrange(0, 50)
                elements += (
                    f'<element path="{one}" exhaustivity="{chance.choice("?0122")}" size="{size}" '
                    f'rsize="{chance.randrange(size + 1)}"/>'
                )
            files += f'<file collection="c" name="d{doc}">{elements}</file>'
        head = f'<assessments pool="{topic}" topic="{topic}" version="2">'
        (assessed / f"{topic}.xml").write_text(f"{head}{files}</assessments>")
    rows = [
        f"{t} Q0 d{chance.randrange(6)} {k + 1} {900 - k}.5 r {chance.choice(('/', path()))}"
        for t in range(1, 5)
        for k in range(chance.randrange(1, 80))
    ]
    (folder / "e").write_text("\n".join(rows) + "\n")
    inexlab.evaluate(assessed, [folder / "e"], _OF_ELEMENTS)


def _odd_scores(chance: random.Random) -> None:
    """Scores with many ties, few topics and numbers of all sizes, through every test."""
    import numpy as np

    from inexlab.scores import Scores
    from inexlab.statistics import compare
    from inexlab.statistics.testing import Sampling, significance_tests

    topics, systems = chance.choice((1, 2, 3, 13, 14, 50, 200, 201)), chance.randrange(2, 6)
    values = chance.choice(((0.0, 0.5, 1.0), (0.0,), (0.0, 1e-300, 1e300), tuple(k / 97 for k in range(98))))
    table = {f"s{s}": {str(t): chance.choice(values) for t in range(topics)} for s in range(systems)}
    scores = Scores.of(table, "m")
    with np.errstate(all="ignore"):
        for test in significance_tests:
            alpha = chance.choice((0.001, 0.05, 0.999))
            compare(scores, test=test, alpha=alpha, sampling=Sampling(chance.choice((1, 7, 100)), 1))


def _work(folder: Path, chance: random.Random, count: int) -> Result:
    from inexlab.errors import InexlabError

    failures: list[str] = []
    for number in range(count):
        attempt(lambda: _odd_index(folder / "index", chance), f"index {number}", failures)
        shutil.rmtree(folder / "index", ignore_errors=True)
        attempt(lambda: _odd_run(folder, chance), f"run {number}", failures, InexlabError)
        attempt(lambda: _odd_elements(folder, chance), f"elements {number}", failures, InexlabError)
        attempt(lambda: _odd_scores(chance), f"scores {number}", failures)
    figures = f"{count:,} indexes with 80 searches each, {count:,} runs of characters and of elements, "
    return f"{figures}{count:,} sets of scores, every index of a loop checked", failures


if __name__ == "__main__":
    print(json.dumps(_work(Path(sys.argv[1]), random.Random(sys.argv[2]), int(sys.argv[3]))))
