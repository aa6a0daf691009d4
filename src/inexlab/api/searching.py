"""Documents searched: `search` and `show`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inexlab.api.answers import Answer
from inexlab.api.several import Several, need_at_least, several
from inexlab.errors import UsageError, nearest_name
from inexlab.index.index import Index, open_index
from inexlab.report.tables import Grid
from inexlab.retrieval.answers import Question, answers, parse_question
from inexlab.retrieval.engine import Engine, make_engine
from inexlab.retrieval.queries import all_terms
from inexlab.retrieval.snippets import Hit, grouped_by_document, hits, text_with_breaks
from inexlab.topics.query import Query


@dataclass(frozen=True, eq=False, repr=False)
class Hits(Answer, Sequence[Hit]):
    """The results of a search, best first; a list of them."""

    query: str
    results: tuple[Hit, ...]
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.results)

    def __getitem__(self, place: Any) -> Any:
        return self.results[place]

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Iterable) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Hits({len(self)} results for {self.query!r})"

    def grid(self, *, for_programs: bool = False) -> Grid:
        """Return one row per result."""
        if for_programs:
            every: list[list[Any]] = [[*hit[:-1], [list(mark) for mark in hit.marks]] for hit in self]
            return Grid(Hit._fields, every)
        rows = [(hit.rank, hit.score, hit.title or hit.doc, hit.path, hit.snippet) for hit in self]
        return Grid(("rank", "score", "title", "path", "snippet"), rows, f"{len(self)} results")

    def text(self, output: str = "table", *, width: int = 100) -> str:
        """Return the results as text; JSON has all of each."""
        if output == "json":
            return json.dumps([hit._asdict() for hit in self], indent=1, ensure_ascii=False) + "\n"
        return super().text(output, width=width)


def search(
    index: Index | str | Path,
    query: Query | str,
    count: int = 10,
    *,
    model: str = "bm25",
    task: str = "focused",
    overlap: str = "correlation",
    interpretation: str = "SVCAS",
    equivalence: str = "",
    by: str = "auto",
    begin: int = 1,
    per_document: int | str = "",
    group: bool = False,
    signs: str = "demands",
    within: Several = (),
    exclude: Several = (),
    tags: Several = (),
    context: str = "",
    exact: bool = False,
    language: str = "",
    profile_query: bool = False,
) -> Hits:
    """Search an index for the parts of documents that answer a query, keywords or NEXI.

    `by` says what a part is. A structured query demands its target; so do `+` and `-`. A query that is
    not NEXI is a bag of words. There are at most three results per document, unless `per_document` says
    otherwise (a number, or "all"); the first one has rank `begin`. A word without accents finds its forms
    with them, unless `exact`; `language` is that of the query, where it is not to be read in all languages of
    the index. With `profile_query` a note says what the query visited and scored.

    >>> import inexlab
    >>> found = inexlab.search("demo/index", "pooling", 3)
    >>> found[0].rank, found[0].doc
    (1, 'pooling')
    >>> found.to_pandas()["rank"].tolist()
    [1, 2, 3]
    """
    need_at_least(1, count=count, begin=begin)
    engine = make_engine(
        open_index(index),
        model,
        interpretation,
        equivalence,
        by=by,
        signs=signs,
        within=several(within),
        exclude=several(exclude),
        tags=",".join(several(tags)),
        context=context,
        exact=exact,
        language=language,
    )
    asked, problem = parse_question(query) if isinstance(query, str) else Question(query)
    most = _most(per_document)
    answered = answers(engine, asked, task, overlap, count, begin=begin, per_document=most)
    found = hits(answered, asked, begin)
    if group:
        found = grouped_by_document(found)
    notes = []
    if problem:
        notes.append(f"the query is not NEXI ({problem}): searched for its words")
    if answered.engine.by != engine.by:
        notes.append("no passage has these words, but elements such as titles do")
    if not found and begin > 1:
        notes.append(f"there are fewer than {begin:,} results")
    elif not found:
        notes.append(f"nothing found{_reason(engine, asked)}")
    if profile_query:
        notes.append(f"profile: {answered.profile}")
    return Hits(str(query), tuple(found), tuple(notes))


def _most(per_document: int | str) -> int | None:
    """Return how many results of a document are shown at most: 0 for all, None for what is usual."""
    given = str(per_document)
    if not given:
        return None
    if given == "all":
        return 0
    if not given.isdecimal() or not int(given):
        raise UsageError(f"`per_document={given!r}` must be a number >= 1, or all.")
    return int(given)


def _reason(engine: Engine, query: Query) -> str:
    """Say why nothing can be found, where the words of a query tell."""
    terms = all_terms(query)
    wanted = [term for term in terms if term.sign != "-"]
    if not terms:
        return ""
    if not wanted:
        return ": the query says only what is unwanted"
    if not engine.analyser.asks(wanted):
        return ": the query has stop words only; in quotes they are found as a phrase"
    return "" if engine.has_any(wanted) else ": the index has no word of the query"


@dataclass(frozen=True, eq=False, repr=False)
class ShownElement(Answer):
    """An element of a document: `content` is its text as it is, `readable` as people read it."""

    doc: str
    title: str
    path: str
    start: int
    end: int
    content: str
    readable: str

    def __repr__(self) -> str:
        return f"Element({self.doc!r}, {self.path!r}, {self.end - self.start} characters)"

    def grid(self, *, for_programs: bool = False) -> Grid:  # noqa: ARG002 - one for both
        """Return the element in one row."""
        names = ("doc", "title", "path", "start", "end")
        return Grid((*names, "text"), [[*(getattr(self, name) for name in names), self.content]])

    def text(self, output: str = "text", *, width: int = 100) -> str:
        """Return what the command line prints: text, or json with the text as it is in the document."""
        if output == "json":
            [row], header = self.grid().rows, self.grid().header
            return json.dumps(dict(zip(header, row, strict=True)), ensure_ascii=False, indent=1) + "\n"
        return f"{self.readable}\n" if output == "text" else super().text(output, width=width)

    def _repr_html_(self) -> str:
        import html

        return f"<p><b>{html.escape(self.title or self.doc)}</b></p><pre>{html.escape(self.readable)}</pre>"


def show(index: Index | str | Path, doc: str, path: str = "/") -> ShownElement:
    """Return the text of a document, or of one of its elements, from an index.

    Tables are shown in rows and columns, formulas in one line.

    >>> import inexlab
    >>> inexlab.show("demo/index", "pooling", "/article[1]/body[1]/section[1]")
    Element('pooling', '/article[1]/body[1]/section[1]', 1140 characters)
    """
    whole = open_index(index)
    opened_index = whole.holding(doc)
    if doc not in opened_index.document_numbers:
        nearest = nearest_name(doc, whole.documents)
        name = whole.folder if isinstance(index, Index) else index
        raise UsageError(
            f"{name} has no document {doc!r}" + (f"; did you mean {nearest!r}?" if nearest else ".")
        )
    number = opened_index.document_numbers[doc]
    element = opened_index.find(number, path)
    if element < 0:
        raise UsageError(_missing(opened_index, number, path))
    start, end = opened_index.span(element)
    # where every tag is a unit, it may be one in a sentence
    gap = "\n" if opened_index.profile.inline else " "
    written = _written(opened_index, number, element)
    readable = text_with_breaks(opened_index, element, gap, skipped=True, instead=written)
    content = opened_index.text(number)[start:end]
    title, where = opened_index.titles[number], opened_index.path(element)
    return ShownElement(doc, title, where, start, end, content, readable.strip())


def _written(index: Index, document: int, element: int) -> dict[tuple[int, int], str]:
    """Return the tables and formulas of an element as people read them, by their places."""
    from inexlab.collection.readable import TABLES, ReadableDocument
    from inexlab.index.collection import IndexedDocuments

    read = IndexedDocuments(index)[index.documents[document]]
    if read.keeps_source:  # which people read as it is
        return {}
    document_text = ReadableDocument(read)
    found = {}
    for part in document_text.special_parts(element - int(index.document_elements[document])):
        start, end = int(read.elements.start[part]), int(read.elements.end[part])
        if start < end:
            written = document_text.written(part)
            found[start, end] = f"\n{written}\n" if document_text.name(part) in TABLES else written
    return found


def _missing(index: Index, document: int, path: str) -> str:
    """Say how far a path leads that leads nowhere."""
    from inexlab.collection.paths import parse_place

    doc = index.documents[document]
    place = parse_place(path)
    if place is None or place.text_node is not None or place.offset is not None:
        return f"{path!r} is not the path of an element, such as /article[1]/body[1]/sec[2]."
    steps = [f"/{tag}[{nth}]" for tag, nth in place.steps]
    for count in range(len(steps) - 1, 0, -1):
        above = "".join(steps[:count])
        if index.find(document, above) >= 0:
            return f"document {doc} has {above}, but no {steps[count][1:]} in it."
    root = index.path(int(index.document_elements[document]))
    return f"document {doc} has no element {path}; its root is {root}."
