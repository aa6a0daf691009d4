"""Claims: every element of 1,216 articles is scored at least as fast as tantivy finds the best of them.

50 queries of two to four words of articles' titles, the best 1,500 of all elements with bm25, 20 repeats of
each. The peer is tantivy with every element that has text as a document (English stemmer, positions), the
ids of the results fetched. Times are those of the process, one core each; a query's time is the median of its
repeats. Opening is that of an index whose files are in memory.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import tantivy

from _articles import articles
from _timing import best_of, claim
from inexlab.index.analysis.words import tokens
from inexlab.index.build import build_index
from inexlab.index.index import Index, open_index
from inexlab.retrieval.model import parse_weighting
from inexlab.retrieval.ranking import search_elements
from inexlab.topics.query import Term

QUERIES, REPEATS, BEST = 50, 20, 1500


def title_words(index: Index) -> list[list[str]]:
    """Return the words of each query: two to four of an article's title that are not stop words."""
    random_ = random.Random(2006)
    stop = index.analyser.stop_words("en")
    titles = [[t for t in tokens(title) if t not in stop] for title in index.titles]
    chosen = random_.sample([title for title in titles if len(title) >= 4], QUERIES)
    return [random_.sample(title, random_.randint(2, 4)) for title in chosen]


def index_elements(index: Index, folder: Path) -> Any:
    """Index every element that has text as a document of its own."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", tokenizer_name="en_stem", index_option="position")
    builder.add_unsigned_field("id", stored=True, fast=True)
    peer = tantivy.Index(builder.build(), path=str(folder))
    writer = peer.writer(heap_size=1_000_000_000, num_threads=1)
    for document in range(len(index.documents)):
        text = index.text(document)
        for element in range(*index.document_elements[document : document + 2].tolist()):
            start, end = index.span(element)
            if start < end:
                one = tantivy.Document()
                one.add_text("text", text[start:end])
                one.add_unsigned("id", element)
                writer.add_document(one)
    writer.commit()
    writer.wait_merging_threads()
    peer.reload()
    return peer


def medians(work: list[Callable[[], object]]) -> list[float]:
    """Return for each query the median time of the process over the repeats, in milliseconds."""
    taken: list[list[float]] = [[] for _ in work]
    for _ in range(REPEATS + 1):
        for times, once in zip(taken, work, strict=True):
            begin = time.process_time()
            once()
            times.append(1e3 * (time.process_time() - begin))
    return [statistics.median(times[1:]) for times in taken]  # the first round warms up


def main() -> int:
    """Build both, ask both, compare."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        build_index(articles(), folder / "index")
        index = open_index(folder / "index")
        bm25 = parse_weighting("bm25")
        queries = title_words(index)
        (folder / "peer").mkdir()
        peer = index_elements(index, folder / "peer")
        searcher = peer.searcher()

        def ours(words: list[str]) -> object:
            return search_elements(index, tuple(Term((word,)) for word in words), bm25, limit=BEST)

        def theirs(words: list[str]) -> object:
            found = searcher.search(peer.parse_query(" ".join(words), ["text"]), BEST).hits
            return [searcher.doc(address).get_first("id") for _, address in found]

        def theirs_by_column(words: list[str]) -> object:
            found = searcher.search(peer.parse_query(" ".join(words), ["text"]), BEST).hits
            return searcher.fast_field_values("id", [address for _, address in found])

        mine = medians([lambda words=words: ours(words) for words in queries])  # type: ignore[misc]
        stored = medians([lambda words=words: theirs(words) for words in queries])  # type: ignore[misc]
        column = medians([lambda words=words: theirs_by_column(words) for words in queries])  # type: ignore[misc]
        opening = best_of(5, lambda: open_index(folder / "index"))
        elements = f"{index.units:,} elements with words, {searcher.num_docs:,} with text"
    middle, slowest, peer_middle = statistics.median(mine), max(mine), statistics.median(stored)
    print(f"{len(index.documents):,} articles, {elements}; {QUERIES} queries, best {BEST:,}")
    print(f"inexlab: median {middle:.1f} ms, slowest {slowest:.1f} ms; opening {1e3 * opening:.1f} ms")
    print(
        f"tantivy: median {peer_middle:.1f} ms with ids from stored documents, "
        f"{statistics.median(column):.1f} ms with ids from a column"
    )
    passed = [
        claim("search-speed", middle / peer_middle, 1, middle <= peer_middle),
        claim("search-slowest", slowest / middle, 5, slowest <= 5 * middle),
        claim("search-opening", opening / 0.3, 1, opening < 0.3),
    ]
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
