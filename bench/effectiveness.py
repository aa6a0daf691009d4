"""Claims: what `search` returns by default is no worse than any plain baseline, and often much better.

Two corpora with questions and marked answers become campaigns: wikitexts and state_of_the_union. Each
question is asked of one index with `--by auto`, all other parameters as they are by default, 100 results, no
cap per document. The baselines are BM25 by bm25s over lines, windows of 400 and of 1,000 characters and whole
articles, with the stemmer and stop words of the index, ties in text order. Measures are iP@0.01 and MAiP. No
baseline may be significantly better (paired bootstrap, two-sided, .05, uncorrected); iP@0.01 is held against
the best one.

Other kinds of units are shown beside these, but nothing is claimed of them, and nothing is tuned here.
"""

from __future__ import annotations

import contextlib
import io
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import bm25s
import numpy as np

from _timing import claim
from inexlab import evaluate, read_judgements, read_topics
from inexlab.index.analysis.terms import STOP
from inexlab.index.analysis.words import tokens
from inexlab.index.index import Index, open_index
from inexlab.index.indexing import index_documents
from inexlab.retrieval.engine import make_engine
from inexlab.retrieval.runs import make_run
from inexlab.runs import Run, RunBuilder

RAG = Path(__file__).resolve().parents[2] / "shared" / "data" / "rag"
CORPORA = {"wikitexts": 1.3, "state_of_the_union": 0.97}  # and what iP@0.01 is to be, times the best baseline
MEASURES = ("iP@0.01", "MAiP")
RESULTS = 100
SHOWN = (
    "elements",
    "elements:*",
    "passages:400c",
    "passages:1000c",
    "sentences:3",
    "windows:400c",
    "windows:80w/40w",
)
Chunk = tuple[int, int, int]  # document, start, end


def lines(number: int, text: str) -> Iterator[Chunk]:
    """Yield the lines of a document."""
    for found in re.finditer(r"[^\n]+\n?", text):
        if found[0].strip():
            yield number, *found.span()


def windows(number: int, text: str, size: int) -> Iterator[Chunk]:
    """Yield the windows of a document."""
    for start in range(0, len(text), size):
        yield number, start, min(start + size, len(text))


def baseline(index: Index, chunks: list[Chunk], questions: dict[str, str], name: str) -> Run:
    """Return the run of BM25 by bm25s over some chunks."""

    def terms(text: str) -> list[str]:
        return [term for term in index.analyser.terms(tokens(text), "en") if term[0] != STOP]

    peer = bm25s.BM25(k1=1.2, b=0.75, method="lucene", dtype="float64")
    with contextlib.redirect_stderr(io.StringIO()):
        peer.index([terms(index.text(d)[a:b]) or ["\x00"] for d, a, b in chunks], show_progress=False)
    builder = RunBuilder()
    for topic, question in questions.items():
        known = [term for term in terms(question) if term in peer.vocab_dict]
        scores = peer.get_scores(known) if known else np.zeros(len(chunks))
        order = np.argsort(-scores, kind="stable")[:RESULTS]
        for rank, k in enumerate(order[scores[order] > 0].tolist()):
            document, start, end = chunks[k]
            builder.add(topic, index.documents[document], float(RESULTS - rank), span=(start, end))
    return builder.build(name)


def better(one: np.ndarray, other: np.ndarray) -> float:
    """Return the two-sided p of a paired bootstrap that one is not better than the other."""
    random = np.random.default_rng(2006)
    differences = one - other
    means = differences[random.integers(len(differences), size=(10_000, len(differences)))].mean(axis=1)
    return min(1.0, 2 * float((means <= 0).mean()))


def campaign(name: str, bar: float, folder: Path) -> list[bool]:
    """Make the campaign of a corpus, ask and compare."""
    made = [sys.executable, str(RAG / "make_campaign.py"), name, str(folder)]
    subprocess.run(made, check=True, capture_output=True)
    index_documents([folder / "docs"], folder / "index")
    index = open_index(folder / "index")
    topics = list(read_topics([folder / "topics.jsonl"]).values())
    questions = {topic.id: topic.title for topic in topics}
    judgements = read_judgements(folder / "gold.jsonl")
    texts = [index.text(number) for number in range(len(index.documents))]
    chunked = {
        "bm25s, lines": [chunk for n, text in enumerate(texts) for chunk in lines(n, text)],
        "bm25s, windows of 400 characters": [
            c for n, text in enumerate(texts) for c in windows(n, text, 400)
        ],
        "bm25s, windows of 1,000 characters": [
            c for n, text in enumerate(texts) for c in windows(n, text, 1000)
        ],
        "bm25s, articles": [(n, 0, len(text)) for n, text in enumerate(texts)],
    }
    runs = [baseline(index, chunks, questions, system) for system, chunks in chunked.items()]
    for by in ("auto", *SHOWN):
        engine = make_engine(index, "bm25", by=by)
        made_run = make_run(engine, topics, by, task="focused", limit=RESULTS, notation="characters")
        runs.append(made_run.run)
    found = {scores.name: scores for scores in evaluate(judgements, runs, MEASURES).scores}
    print(f"\n{name}: {len(questions)} questions, {RESULTS} results\n")
    print(f"| run | {' | '.join(MEASURES)} |\n|---|---|---|")
    rows = {m: dict(zip(found[m].systems, found[m].values, strict=True)) for m in MEASURES}
    for run in runs:
        print(f"| {run.id} | {' | '.join(f'{rows[m][run.id].mean():.3f}' for m in MEASURES)} |")
    print()
    passed = []
    for measure in MEASURES:
        p = {system: better(rows[measure][system], rows[measure]["auto"]) for system in chunked}
        nearest = min(p, key=p.__getitem__)
        print(f"{measure}: the nearest baseline to being better is {nearest}, p = {p[nearest]:.3f}")
        passed.append(claim(f"effectiveness-{name}-{measure}-p", p[nearest], 0.05, p[nearest] >= 0.05))
    best = max(float(rows["iP@0.01"][system].mean()) for system in chunked)
    ratio = float(rows["iP@0.01"]["auto"].mean()) / best
    passed.append(claim(f"effectiveness-{name}", ratio, bar, ratio >= bar))
    return passed


def main() -> int:
    """Hold both corpora against their bars."""
    if not RAG.exists():
        print("skipped: effectiveness.py needs ../shared/data/rag")
        return 0
    passed = []
    for name, bar in CORPORA.items():
        with tempfile.TemporaryDirectory() as folder:
            passed += campaign(name, bar, Path(folder))
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
