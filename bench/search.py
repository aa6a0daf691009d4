"""Claims: ten results cost what the answer costs, not what the collection weighs, and are the same as before.

50 queries of two to four words of articles' titles and 20 natural questions, with bm25, on 1,216 articles and
on 16 times as many: copies under other ids, two words in a hundred changed in each. The peer is tantivy with
every element that has text as a document (English stemmer, positions), the ids of its results from a column.
Times are those of the process, one core each; a query's time is the median of its repeats, and no query is
remembered from one to the next. Where all units are scored, the best are kept as they are otherwise; both are
timed in turn. Threads are timed by the clock on the wall, against as many processes.

    python bench/search.py [COPIES]
"""

from __future__ import annotations

import random
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import tantivy

from _articles import articles
from _timing import best_of, claim
from inexlab.index.analysis.words import tokens
from inexlab.index.build import build_index
from inexlab.index.index import Index, open_index
from inexlab.retrieval import pruning
from inexlab.retrieval.engine import Engine, make_engine
from inexlab.retrieval.ranking import Ranking
from inexlab.retrieval.tasks import for_task
from inexlab.topics.nexi import parse_nexi
from inexlab.topics.query import COQuery, Query, Term

QUERIES, REPEATS, COPIES, COMPARED, LATER = 50, 7, 16, 500, 1000
AT_ONCE, ROUNDS = 2, 5  # threads or processes that search, and how often all do
# two clauses, and both of them in one query
CLAUSES = (
    ("//article[about(., {0})]", "//sec[about(., {1})]", "//article[about(., {0})]//sec[about(., {1})]"),
    ("//sec[about(., {0})]", "//sec[about(., {1})]", "//sec[about(., {0}) and about(., {1})]"),
    ("//sec[about(., {0})]", "//sec[about(., {1})]", "//sec[about(., {0}) or about(., {1})]"),
)
QUESTIONS = """
How do neurons in the visual cortex respond to motion?
What controls the size of a bacterial cell?
Which genes are needed for the development of the heart?
How does malaria escape the immune system?
What happens to memory during sleep?
How do plants sense light and temperature?
Why do cancer cells become resistant to drugs?
How is the folding of proteins helped by chaperones?
What is the role of dopamine in learning from rewards?
How do stem cells decide between fates?
Which proteins repair broken DNA?
How do microtubules pull chromosomes apart?
What limits the evolution of antibiotic resistance?
How do insects find their way home?
What is the structure of the ribosome during translation?
How does the gut microbiome affect its host?
How do viruses enter human cells?
What makes synapses stronger or weaker?
How does ageing change mitochondria?
How do birds learn their songs?
"""


def title_words(index: Index, count: int = QUERIES) -> list[list[str]]:
    """Return the words of each query: two to four of an article's title that are not stop words."""
    random_ = random.Random(2006)
    stop = index.analyser.stop_words("en")
    titles = [[t for t in tokens(title) if t not in stop] for title in index.titles]
    chosen = random_.sample([title for title in titles if len(title) >= 4], count)
    return [random_.sample(title, random_.randint(2, 4)) for title in chosen]


def keywords(words: Sequence[str]) -> COQuery:
    """Return a query of words."""
    return COQuery(tuple(Term((word,)) for word in words))


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


def medians(work: Sequence[Callable[[], object]], repeats: int = REPEATS) -> list[float]:
    """Return for each query the median time of the process over the repeats, in milliseconds."""
    taken: list[list[float]] = [[] for _ in work]
    for _ in range(repeats + 1):
        for times, once in zip(taken, work, strict=True):
            begin = time.process_time()
            once()
            times.append(1e3 * (time.process_time() - begin))
    return [statistics.median(times[1:]) for times in taken]  # the first round warms up


def everything(engine: Engine, query: Query, task: str, limit: int) -> Ranking:
    """Score all units, and return the results of a task."""
    return for_task(
        engine.index, engine.rank(query), task, "correlation", limit, units=engine.units_for(query)
    )


class Timed:
    """An index, and what queries to it take."""

    def __init__(self, index: Index, queries: Sequence[Query]) -> None:
        self.index, self.queries = index, queries
        self.elements = make_engine(index, "bm25", "SVCAS")
        self.strict = make_engine(index, "bm25", "SSCAS")
        self.passages = make_engine(index, "bm25", by="auto")

    def best(
        self, task: str, limit: int, *, engine: Engine | None = None, of: Sequence[Query] = ()
    ) -> list[float]:
        """Return what the best results of each query take."""
        asked = engine or self.elements
        return self._timed(lambda query: asked.answer(query, task, limit=limit), of or self.queries)

    def clauses(self, words: Sequence[Sequence[str]]) -> float:
        """Return how much two clauses in one query take at most, of what both take by themselves."""
        ratios = []
        for engine in (self.elements, self.strict):
            for texts in CLAUSES:
                asked = [
                    [parse_nexi(text.format(row[0], " ".join(row[1:]))) for row in words] for text in texts
                ]
                one, other, both = (
                    statistics.median(self.best("focused", 10, engine=engine, of=of)) for of in asked
                )
                ratios.append(both / (one + other))
                print(f"{texts[-1]} {engine.interpretation}: {both:.2f} of {one:.2f} + {other:.2f} ms")
        return max(ratios)

    def against_all(self, task: str, limit: int, repeats: int = REPEATS) -> tuple[list[float], list[float]]:
        """Return what the best results of each query take, and what it takes to score everything, in turn."""
        worths = pruning.WORTH, sys.maxsize  # positions that no query has
        taken: dict[int, list[list[float]]] = {worth: [[] for _ in self.queries] for worth in worths}
        for turn in range(repeats + 1):
            for number, query in enumerate(self.queries):
                for worth in worths[:: 1 if turn % 2 else -1]:  # the later one finds memory warm
                    self.index.kept.pop("queries", None)
                    pruning.WORTH = worth
                    begin = time.process_time()
                    self.elements.answer(query, task, limit=limit)
                    taken[worth][number].append(1e3 * (time.process_time() - begin))
        pruning.WORTH = worths[0]
        # the least, as many queries are compared, and what is measured beside the work only adds to it
        some, every = (list(map(min, taken[worth])) for worth in worths)
        return some, every

    def leaves_out(self, query: Query) -> bool:
        """Whether not all units are scored; where they are, there is nothing to compare."""
        profile = pruning.QueryProfile()
        self.elements.answer(query, "thorough", limit=10, profile=profile)
        return not profile.everything

    def ask_all(self) -> None:
        """Ask every query."""
        for query in self.queries:
            self.index.kept.pop("queries", None)
            self.elements.answer(query, "focused", limit=10)

    def _timed(
        self, work: Callable[[Query], object], queries: Sequence[Query], repeats: int = REPEATS
    ) -> list[float]:
        def once(query: Query) -> None:
            self.index.kept.pop("queries", None)
            work(query)

        return medians([lambda query=query: once(query) for query in queries], repeats)  # type: ignore[misc]


def sections(words: Sequence[str]) -> Query:
    """Return a query for sections about some words."""
    return parse_nexi(f"//sec[about(., {' '.join(words)})]")


def memory(folder: str) -> int:
    """Search an index; print how much memory this process has of its own, in bytes.

    After queries of every kind, after those with structure, and after a thousand others.
    """
    index = open_index(folder)
    words = title_words(index, QUERIES + LATER)
    first, later = words[:QUERIES], words[QUERIES:]
    engines = make_engine(index, "bm25", "SVCAS"), make_engine(index, "bm25", by="auto")
    questions = map(parse_nexi, QUESTIONS.strip().split("\n"))
    for queries in ([*map(keywords, first), *questions], map(sections, first), map(keywords, later)):
        for query in queries:
            for engine in engines:
                for task in ("thorough", "focused"):
                    engine.answer(query, task, limit=10)
        status = Path("/proc/self/status").read_text(encoding="utf-8")
        print(1024 * int(re.findall(r"RssAnon:\s+(\d+)", status)[0]), flush=True)
    return 0


def all_queries(index: Index) -> tuple[list[list[str]], list[Query]]:
    """Return the words of the queries of title words, and all queries."""
    words = title_words(index)
    return words, [*map(keywords, words), *map(parse_nexi, QUESTIONS.strip().split("\n"))]


def serve(folder: str, once: str) -> int:
    """Ask every query for each line that is read, and say when that is done."""
    timed = Timed(open_index(folder), all_queries(open_index(once))[1])
    timed.ask_all()
    print("ready", flush=True)
    for _ in sys.stdin:
        timed.ask_all()
        print("done", flush=True)
    return 0


def at_once(timed: Timed, once: Path) -> tuple[float, float, float]:
    """Return the seconds that one thread takes, several threads, and as many processes, at best."""
    command = [sys.executable, __file__, "--serve", str(timed.index.folder), str(once)]
    pipe = subprocess.PIPE
    others = [subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) for _ in range(AT_ONCE)]

    def wait_for_all() -> None:
        for other in others:
            assert other.stdout is not None
            other.stdout.readline()

    def in_processes() -> None:
        for other in others:
            assert other.stdin is not None
            other.stdin.write("again\n")
            other.stdin.flush()
        wait_for_all()

    def in_threads(count: int) -> None:
        threads = [threading.Thread(target=timed.ask_all) for _ in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    wait_for_all()
    works = (lambda: in_threads(1), lambda: in_threads(AT_ONCE), in_processes)
    rounds = [[best_of(1, work) for work in works] for _ in range(ROUNDS)]
    for other in others:
        other.communicate()  # which ends it
    one, threads, processes = (min(times) for times in zip(*rounds, strict=True))
    return one, threads, processes


def differing(timed: Timed) -> tuple[int, float]:
    """Return for how many queries the best results are not those of scoring everything, to the last digit.

    And the share of queries that leave nothing out. All are bounded, also those that would not be; some of
    them by other models, and for passages.
    """
    wrong = asked = left_nothing_out = 0
    queries = [*map(keywords, title_words(timed.index, COMPARED))]
    others = [make_engine(timed.index, model) for model in ("lm-jm", "lm-dirichlet", "lnu-ltu")]
    worth, pruning.WORTH = pruning.WORTH, 0
    for engine, some_of in (
        (timed.elements, queries),
        *((engine, queries[: COMPARED // 10]) for engine in (timed.passages, *others)),
    ):
        for query in some_of:
            for task in ("thorough", "focused"):
                profile = pruning.QueryProfile()
                some = engine.answer(query, task, limit=10, profile=profile)
                every = everything(engine, query, task, 10)
                same = some.element.tolist() == every.element.tolist()
                wrong += not (same and some.score.tolist() == every.score.tolist())
                asked += 1
                left_nothing_out += profile.passed == profile.positions or bool(profile.everything)
    pruning.WORTH = worth
    return wrong, left_nothing_out / asked


def main(copies: int) -> int:
    """Build all, ask all, compare."""
    middle = statistics.median
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        build_index(articles(), folder / "once")
        build_index(articles(copies), folder / "often")
        once, often = open_index(folder / "once"), open_index(folder / "often")
        words, queries = all_queries(once)
        questions = QUESTIONS.strip().split("\n")
        stop = once.analyser.stop_words("en")  # which the peer would look for
        texts = [*map(" ".join, words), *(" ".join(t for t in tokens(q) if t not in stop) for q in questions)]
        (folder / "peer").mkdir()
        peer = index_elements(once, folder / "peer")
        searcher = peer.searcher()

        def theirs(text: str, limit: int) -> object:
            found = searcher.search(peer.parse_query(text, ["text"]), limit).hits
            return searcher.fast_field_values("id", [address for _, address in found])

        small, large = Timed(once, queries), Timed(often, queries)
        peer_work = [lambda text=text: theirs(text, 10) for text in texts]
        of_peer = middle(medians(peer_work))
        thorough, focused = small.best("thorough", 10), small.best("focused", 10)
        passages = small.best("focused", 10, engine=small.passages)
        structured = list(map(sections, words))
        of_sections = [timed.best("focused", 10, of=structured) for timed in (small, large)]
        of_sum = [timed.clauses(words) for timed in (small, large)]
        large_thorough, large_focused = large.best("thorough", 10), large.best("focused", 10)
        # queries that take two milliseconds are repeated more often, as clocks differ by a tenth of that
        of_small, of_large = small.against_all("thorough", 10, 4 * REPEATS), large.against_all("thorough", 10)
        worst = max(
            some / every
            for timed, pair in ((small, of_small), (large, of_large))
            for query, some, every in zip(queries, *pair, strict=True)
            if timed.leaves_out(query)
        )
        many, all_many = small.against_all("thorough", 1500)
        large_many, large_all_many = large.against_all("thorough", 1500)
        scaling = [at_once(timed, folder / "once") for timed in (small, large)]
        opening = best_of(5, lambda: open_index(folder / "once"))
        wrong, left_nothing_out = differing(small)
        large.passages.units  # noqa: B018 - which are cut once, not by the process whose memory is measured
        command = [sys.executable, __file__, "--memory", str(folder / "often")]
        searched = subprocess.run(command, capture_output=True, text=True, check=True)
        own, with_structure, in_the_end = (int(line) / 1e6 for line in searched.stdout.split())
    print(f"{len(once.documents):,} and {len(often.documents):,} articles; {len(queries)} queries")
    both = f"thorough {middle(thorough):.2f}, focused {middle(focused):.2f}"
    print(f"best 10 at 1x: tantivy {of_peer:.2f} ms, {both}")
    print(f"passages {middle(passages):.2f} ms, //sec[about(., x)] {middle(of_sections[0]):.2f} ms")
    print(
        f"best 10 at {copies}x: thorough {middle(large_thorough):.2f}, focused {middle(large_focused):.2f} ms"
    )
    print(f"all units at {copies}x: {middle(of_large[1]):.2f} ms; best 1,500: {middle(large_many):.2f} ms")
    slowest = max(max(t) / middle(t) for t in (thorough, focused, large_thorough, large_focused))
    growth = max(middle(large_thorough) / middle(thorough), middle(large_focused) / middle(focused))
    by_keywords = [middle(times[: len(words)]) for times in (focused, large_focused)]
    structure = [middle(times) / one for times, one in zip(of_sections, by_keywords, strict=True)]
    for timed, (one, threads, processes) in zip((small, large), scaling, strict=True):
        gains = f"threads {AT_ONCE * one / threads:.2f}, processes {AT_ONCE * one / processes:.2f}"
        print(f"{len(timed.index.documents):,} articles, {AT_ONCE} at once, times as much as one: {gains}")
    print(f"{own:.0f} MB of its own; {with_structure:.0f} with structure, {in_the_end:.0f} in the end")
    claims = (
        ("search-thorough", middle(thorough) / of_peer, 3),
        ("search-focused", middle(focused) / of_peer, 5),
        ("search-growth", growth, 5),
        ("search-slowest", slowest, 15),
        ("search-no-slower", worst, 1.1),
        ("search-1500", middle(many) / middle(all_many), 1.05),  # all are scored either way
        ("search-1500-large", middle(large_many) / middle(large_all_many), 0.5),
        ("search-passages", middle(passages) / middle(focused), 1),
        ("search-structure", structure[0], 2),
        ("search-structure-large", structure[1], 2),
        ("search-abouts", of_sum[0], 1),
        ("search-abouts-large", of_sum[1], 1),
        ("search-identity", wrong, 0),
        ("search-left-nothing-out", left_nothing_out, 0.1),
        ("search-memory", max(own, with_structure, in_the_end) / 300, 1),
        ("search-thousand", in_the_end / with_structure, 1.1),
        ("search-opening", opening / 0.3, 1),
        ("search-threads", scaling[1][1] / scaling[1][2], 1.2),  # of short queries half is plain Python
    )
    passed = [claim(name, ratio, bar, ratio <= bar) for name, ratio, bar in claims]
    return 0 if all(passed) else 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["--memory"]:
        sys.exit(memory(sys.argv[2]))
    if sys.argv[1:2] == ["--serve"]:
        sys.exit(serve(*sys.argv[2:4]))
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else COPIES))
