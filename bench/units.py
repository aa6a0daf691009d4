"""Claims: passages cost what elements cost, and one index answers for twenty chunkings.

50 questions of wikitexts and 50 queries of the words of titles of 1,216 articles of eLife: a warm query over
`passages:400c`, best 10, against the same query over all elements. Twenty chunkings of wikitexts and of 41
articles are cut from one index each and asked all questions, against tokenising, building and asking twenty
indexes of bm25s (numpy, float64) over the same chunks; scores are equal. The first cut of each chunking is
told apart, with the ratio that counts it. Times are those of the process, the median of repeats.

An index remembers where the terms of the last hundred queries are, so whoever asks the same questions of
twenty chunkings has them looked up once. What it takes to look them up for every chunking is printed beside.
"""

from __future__ import annotations

import contextlib
import io
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import bm25s
import numpy as np

from _articles import articles
from _timing import claim
from inexlab import read_topics
from inexlab.index.analysis.words import tokens
from inexlab.index.build import build_index
from inexlab.index.index import Index, open_index
from inexlab.index.indexing import index_documents
from inexlab.retrieval.model import parse_weighting
from inexlab.retrieval.searching import search_units
from inexlab.retrieval.terms import query_terms
from inexlab.retrieval.unit import FlatUnits, units_of
from inexlab.topics.query import Term

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
QUERIES, REPEATS, BEST = 50, 7, 10
CHUNKINGS = (
    *(f"passages:{size}c" for size in (100, 200, 300, 400, 600, 800, 1000)),
    *(f"sentences:{number}" for number in (1, 2, 3, 5)),
    *(f"windows:{size}c" for size in (200, 400, 800, 1000)),
    *("windows:50w", "windows:100w", "windows:200w", "windows:100w/50w", "windows:200w/100w"),
)
BM25 = parse_weighting("bm25")
Query = tuple[Term, ...]


def seconds(work: Callable[[], object]) -> float:
    """Return the processor time of some work."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


def warm(index: Index, queries: list[Query], by: str) -> float:
    """Return the median time of a query, in milliseconds."""
    units = units_of(index, by)
    taken = []
    for _ in range(REPEATS + 1):
        taken.append([seconds(lambda q=q: search_units(units, q, BM25, limit=BEST)) for q in queries])  # type: ignore[misc]
    middle: float = statistics.median(statistics.median(times) for times in zip(*taken[1:], strict=True))
    return 1e3 * middle


def compare(name: str, index: Index, queries: list[Query]) -> bool:
    """Hold warm queries over passages against those over elements."""
    first = seconds(lambda: units_of(index, "passages:400c"))
    elements, passages = (warm(index, queries, by) for by in ("elements:*", "passages:400c"))
    units = units_of(index, "passages:400c").count
    print(
        f"{name}: elements {elements:.2f} ms, {units:,} passages {passages:.2f} ms; first cut {first:.2f} s"
    )
    return claim(f"units-{name}", passages / elements, 1.5, passages <= 1.5 * elements)


def ask_peer(
    index: Index, texts: list[str], chunks: list[list[str]], queries: list[list[str]]
) -> list[np.ndarray]:
    """Tokenise, build and ask an index of bm25s.

    Tokens are those of the index, as a word that the border of an element or of a window parts is another
    word in the texts alone; these are tokenised all the same.
    """
    for text in texts:
        index.analyser.terms(tokens(text), "en")
    peer = bm25s.BM25(k1=1.2, b=0.75, method="lucene", dtype="float64")
    with contextlib.redirect_stderr(io.StringIO()):
        peer.index(chunks, show_progress=False)
    asked = [[t for t in terms if t in peer.vocab_dict] for terms in queries]
    return [peer.get_scores(terms) if terms else np.zeros(len(chunks)) for terms in asked]


def _terms(index: Index, query: Query) -> tuple[list[str], bool]:
    """Return the terms of a query, as often as they count, and whether all are words of one form each."""
    looked_up = query_terms(index, query)
    rows = zip(looked_up.rows, looked_up.weight.astype(int).tolist(), strict=True)
    simple = all(len(row) == 1 and len(row[0].all) == 1 for row in looked_up.rows)
    return [index.terms[row[0].all[0]] for row, weight in rows for _ in range(weight)], simple


def twenty(name: str, index: Index, queries: list[Query]) -> bool:
    """Hold twenty chunkings on one index against twenty indexes."""
    mine = theirs = cuts = looking_up = worst = 0.0
    names, simple = zip(*(_terms(index, query) for query in queries), strict=True)
    for query in queries[:2]:
        for by in ("passages:50c", "sentences:9", "windows:50c", "windows:9w/7w"):  # so that all is compiled
            search_units(units_of(index, by), query, BM25)
    row = np.empty(index.tokens, dtype=np.int64)
    for number in range(len(index.terms)):
        row[index.positions(number)] = number
    terms = index.terms[:]
    index.kept.pop("queries", None)  # so that the first chunking has to look them up
    for by in CHUNKINGS:
        cuts += seconds(lambda by=by: units_of(index, by))  # type: ignore[misc]
        units = units_of(index, by)
        assert isinstance(units, FlatUnits)
        begin = time.process_time()
        found = [search_units(units, query, BM25) for query in queries]
        mine += time.process_time() - begin
        index.kept.pop("queries", None)
        looking_up += seconds(lambda: [query_terms(index, query) for query in queries])
        documents = units.documents(np.arange(units.count)).tolist()
        start, end = units.spans(np.arange(units.count))
        places = zip(documents, start.tolist(), end.tolist(), strict=True)
        texts = [index.text(document)[a:b] for document, a, b in places]
        chunks = [
            [terms[t] for t in row[a:b].tolist()]
            for a, b in zip(units.cut.first, units.cut.last, strict=True)
        ]
        begin = time.process_time()
        expected = ask_peer(index, texts, chunks, list(names))
        theirs += time.process_time() - begin
        for ranking, scores, comparable in zip(found, expected, simple, strict=True):
            if not comparable:  # the peer has no words of several forms, and no phrases
                continue
            got = np.zeros(units.count)
            got[ranking.element] = ranking.score
            worst = max(worst, float(np.abs(got - scores).max(initial=0.0)))
    print(f"{name}: 20 chunkings {mine:.2f} s, first cuts {cuts:.2f} s; bm25s {theirs:.2f} s")
    print(f"{name}: with the first cuts {(mine + cuts) / theirs:.2f} of bm25s")
    again = mine + looking_up * (len(CHUNKINGS) - 1) / len(CHUNKINGS)
    print(f"{name}: with the {len(queries)} queries looked up for every chunking {again:.2f} s")
    print(f"{name}: largest difference of scores {worst:.1e}, of {sum(simple)} queries of plain words")
    return claim(f"units-twenty-{name}", mine / theirs, 0.2, mine <= 0.2 * theirs and worst < 1e-6)


def main() -> int:
    """Ask both collections."""
    rag = DATA / "rag"
    if not rag.exists():
        print("skipped: units.py needs ../shared/data/rag")
        return 0
    passed = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made = [sys.executable, str(rag / "make_campaign.py"), "wikitexts", str(folder / "wiki")]
        subprocess.run(made, check=True, capture_output=True)
        index_documents([folder / "wiki" / "docs"], folder / "wiki" / "index")
        wiki = open_index(folder / "wiki" / "index")
        topics = list(read_topics([folder / "wiki" / "topics.jsonl"]).values())[:QUERIES]
        questions = [tuple(Term((word,)) for word in topic.title.split()) for topic in topics]
        passed.append(compare("wikitexts", wiki, questions))
        passed.append(twenty("wikitexts", wiki, questions))
        build_index(articles(), folder / "articles")
        elife = open_index(folder / "articles")
        titles = [
            tuple(Term((word,)) for word in tokens(title))
            for title in elife.titles[:: len(elife.titles) // QUERIES]
        ]
        passed.append(compare("elife", elife, titles[:QUERIES]))
        few = [(Path(m.name).stem, m.name, f.read()) for m, f in _members(DATA / "elife-41.tar.xz")]
        build_index(few, folder / "few")
        some = open_index(folder / "few")
        passed.append(twenty("elife-41", some, [tuple(Term((w,)) for w in tokens(t)) for t in some.titles]))
    return 0 if all(passed) else 1


def _members(archive: Path) -> list[tuple[tarfile.TarInfo, io.BytesIO]]:
    with tarfile.open(archive) as opened:
        return [
            (member, io.BytesIO(file.read()))
            for member in opened
            if member.name.endswith(".xml") and (file := opened.extractfile(member))
        ]


if __name__ == "__main__":
    sys.exit(main())
