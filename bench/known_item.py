"""What the engine is good for: how often a section is found by the words of two titles.

500 queries, each the words of an article's title and of the title of one of its sections. The section is
found where one of the first ten results is the section itself or a part of it (`found`), or just the section
(`itself`); `touched` also counts results around it, such as the whole article. The baseline returns whole
articles. No claim: the table shows what each model returns, and, with bm25, what each kind of unit does.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
from pathlib import Path

from _articles import articles
from inexlab.index.analysis.words import tokens
from inexlab.index.build import build_index
from inexlab.index.index import Index, open_index
from inexlab.retrieval.engine import make_engine
from inexlab.retrieval.model import models
from inexlab.retrieval.ranking import Ranking
from inexlab.retrieval.searching import search_articles
from inexlab.retrieval.tasks import for_task
from inexlab.retrieval.unit import Units
from inexlab.spans import Span
from inexlab.topics.query import About, CASQuery, COQuery, Step, Term

QUERIES, BEST = 500, 10
ENOUGH = 2000  # of a ranking, to keep ten elements without overlap
UNITS = (
    "auto",
    "elements",
    "elements:sec,p",
    "passages:400c",
    "passages:1000c",
    "sentences:3",
    "windows:200w/100w",
)
Item = tuple[int, COQuery]


def known_items(index: Index) -> list[Item]:
    """Return sections at random, with the words of their titles and of their articles' titles."""
    random_ = random.Random(2006)
    items: list[Item] = []
    sections, titles = index.tags.index("sec"), index.tags.index("title")
    tag = index.columns["tag"]
    while len(items) < QUERIES:
        document = random_.randrange(len(index.documents))
        first, last = index.document_elements[document : document + 2].tolist()
        within = [e for e in range(first, last - 1) if tag[e] == sections and tag[e + 1] == titles]
        if not within:
            continue
        section = random_.choice(within)
        start, end = index.span(section + 1)
        words = tokens(index.text(document)[start:end])
        if not index.analyser.stop_words("en").issuperset(words):
            everything = [*tokens(index.titles[document]), *words]
            items.append((section, COQuery(tuple(Term((word,)) for word in everything))))
    return items


class Row:
    """One line of the table: what happened to the sections."""

    def __init__(self) -> None:
        self.itself = self.found = self.touched = 0
        self.lengths: list[int] = []

    def add(self, units: Units, section: int, ranking: Ranking) -> None:
        """Look for a section among results."""
        index = units.index
        mine, document = index.span(section), index.document_of(section)
        results = zip(ranking.element.tolist(), ranking.document.tolist(), strict=True)
        spans = [units.span(unit) for unit, of in results if of == document]
        self.itself += mine in spans
        self.found += any(mine.start <= start and end <= mine.end for start, end in spans)
        touching = [span for span in spans if _overlap(mine, span)]
        self.touched += bool(touching)
        if touching:
            self.lengths.append(touching[0].end - touching[0].start)

    def print(self, name: str, task: str) -> None:
        """Print the line, in Markdown."""
        shares = " | ".join(
            f"{100 * count / QUERIES:.1f} %" for count in (self.found, self.itself, self.touched)
        )
        length = statistics.median(self.lengths) if self.lengths else 0
        print(f"| {name} | {task} | {shares} | {length:,.0f} |")


def _overlap(one: Span, other: Span) -> bool:
    return max(one.start, other.start) < min(one.end, other.end)


def main() -> int:
    """Build the index, ask every model, print the table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "index"
        build_index(articles(), folder)
        index = open_index(folder)
        items = known_items(index)
        print("| model | task | found | itself | touched | characters |")
        print("|---|---|---|---|---|---|")
        row = Row()
        engine = make_engine(index, "bm25")
        for section, query in items:
            best = search_articles(index, query.terms, engine.weighting, limit=BEST)
            row.add(engine.units, section, best)
        row.print("bm25", "whole articles")
        for model in sorted(models):
            engine = make_engine(index, model)
            thorough, focused = Row(), Row()
            for section, query in items:
                ranking = engine.rank(query, ENOUGH)
                for row, task in ((thorough, "thorough"), (focused, "focused")):
                    row.add(engine.units, section, for_task(index, ranking, task, limit=BEST))
            thorough.print(model, "thorough")
            focused.print(model, "focused")
        strict = make_engine(index, "bm25", "SVCAS")
        row = Row()
        for section, query in items:
            sections = CASQuery((Step("//", ("sec",), About((), query.terms)),))
            ranking = strict.rank(sections, ENOUGH)
            row.add(strict.units, section, for_task(index, ranking, "focused", limit=BEST))
        row.print("bm25, `//sec[about(., …)]`", "focused")
        for by in UNITS:
            engine = make_engine(index, "bm25", by=by)
            row = Row()
            for section, query in items:
                row.add(engine.units, section, engine.answer(query, "focused", limit=BEST))
            row.print(f"bm25, `--by {by}`", "focused")
    return 0


if __name__ == "__main__":
    sys.exit(main())
