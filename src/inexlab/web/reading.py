"""Pages to search and to read: results with their places in words, and documents with what was found."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple
from urllib.parse import urlencode

import numpy as np
from markupsafe import Markup
from starlette.datastructures import QueryParams
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from inexlab.api.searching import Hits, search
from inexlab.collection.document import Document
from inexlab.collection.paths import local_name, parse_place
from inexlab.collection.pointing import smallest_element
from inexlab.errors import InexlabError, nearest_name
from inexlab.retrieval.answers import answers, parse_question
from inexlab.retrieval.engine import Engine, make_engine
from inexlab.retrieval.model import models
from inexlab.retrieval.snippets import Hit, hits
from inexlab.retrieval.unit import unit_kinds
from inexlab.spans import Span
from inexlab.tables import Ints
from inexlab.topics.query import Query
from inexlab.web.lab import Lab
from inexlab.web.pages import address, page
from inexlab.web.shelf import Shelf

_COUNT = 10  # results on a page
_MOST = 100
_IN_DOCUMENT = 12  # results of one document
_OPTIONS = ("by", "model", "within", "exclude", "tags", "context", "language", "per_document")
_NAMES = {
    **dict.fromkeys(("p", "para", "simpara"), "paragraph"),
    **dict.fromkeys(("sec", "section", "ss1", "ss2", "ss3", "sect1", "sect2", "sect3", "div"), "section"),
    **dict.fromkeys(("fig", "figure", "image"), "figure"),
    **dict.fromkeys(("table", "table-wrap", "informaltable", "simpletable"), "table"),
    **dict.fromkeys(("list", "ul", "ol", "itemizedlist", "orderedlist"), "list"),
    **dict.fromkeys(("li", "item", "list-item", "listitem"), "list item"),
    **dict.fromkeys(("td", "cell", "entry"), "cell"),
    **dict.fromkeys(("title", "st", "article-title", "atl", "head"), "title"),
    **dict.fromkeys(("bdy", "body"), "body"),
    **dict.fromkeys(("abs", "abstract"), "abstract"),
    **dict.fromkeys(("ref", "bb"), "reference"),
    **dict.fromkeys(("app",), "appendix"),
    **dict.fromkeys(("caption", "figcaption"), "caption"),
}


class DocumentResults(NamedTuple):
    """The results of one document on a page of results."""

    doc: str
    title: str
    hits: tuple[Hit, ...]


@dataclass(frozen=True)
class _EngineOfDocument(Engine):
    """An engine that looks into one document only."""

    document: int = 0

    def seeds(self, query: Query) -> Ints:  # noqa: ARG002 - whatever the query
        return np.array([self.document], dtype=np.int64)


def routes(lab: Lab) -> list[BaseRoute]:
    """Return the pages to search and to read."""
    shelf, one_at_a_time = Shelf(lab), threading.Lock()

    def find(request: Request) -> Response:
        return _search_page(lab, request, one_at_a_time)

    def read(request: Request) -> Response:
        return _document_page(lab, shelf, request, one_at_a_time)

    def to_document(request: Request) -> Response:
        return RedirectResponse(address("read", request.query_params.get("id", "").strip()), 303)

    found: list[BaseRoute] = [
        Route("/search", find, name="search"),
        Route("/read", to_document),
        Route("/read/{document:path}", read, name="read"),
    ]
    return [Route("/", find), *found] if lab.store is None else found


def _search_page(lab: Lab, request: Request, one_at_a_time: threading.Lock) -> Response:
    given = request.query_params
    query = given.get("q", "").strip()
    found: Hits | None = None
    problem, begin = "", max(1, _number(given.get("from"), 1))
    count = min(_MOST, max(1, _number(given.get("count"), _COUNT)))
    if query:
        try:
            with one_at_a_time:  # an index keeps what it computed, for one at a time
                found = search(
                    lab.index, query, count + 1, begin=begin, **_chosen(given), exact="exact" in given
                )
        except InexlabError as error:
            problem = str(error)
    shown = list(found or ())[:count]
    return page(
        lab,
        request,
        "search.html",
        400 if problem else 200,
        query=query,
        given={name: given.get(name, "") for name in _OPTIONS} | {"exact": "exact" in given},
        models=list(models),
        units=[kind.example for kind in unit_kinds.values()],
        results=_by_document(shown),
        searched=found is not None,
        notes=found.notes if found is not None else (),
        problem=problem,
        begin=begin,
        before=_with(given, {"from": str(max(1, begin - count))}) if begin > 1 else "",
        after=_with(given, {"from": str(begin + count)}) if found is not None and len(found) > count else "",
        documents=len(lab.index.documents),
        options=urlencode([(name, given[name]) for name in _OPTIONS if given.get(name)]),
        in_words=path_in_words,
        marked=marked,
        link=read_link,
    )


def _chosen(given: QueryParams) -> dict[str, Any]:
    return {name: given[name].strip() for name in _OPTIONS if given.get(name, "").strip()}


def _number(text: str | None, otherwise: int) -> int:
    return int(text) if text and re.fullmatch(r"[0-9]{1,9}", text) else otherwise


def _with(given: QueryParams, changes: dict[str, str]) -> str:
    """Return the address of this search with other choices."""
    kept = [(name, value) for name, value in given.multi_items() if name not in changes and value]
    return f"/search?{urlencode([*kept, *changes.items()])}"


def _by_document(found: Sequence[Hit]) -> list[DocumentResults]:
    """Return results of one document together, documents in the order of their best results."""
    place: dict[str, int] = {}
    for hit in found:
        place.setdefault(hit.doc, len(place))
    together = sorted(found, key=lambda hit: place[hit.doc])
    groups = ((doc, tuple(of)) for doc, of in groupby(together, lambda hit: hit.doc))
    return [DocumentResults(doc, of[0].title or doc, of) for doc, of in groups]


def path_in_words(path: str) -> str:
    """Return what an element is, in words; nothing for a whole document.

    >>> path_in_words("/article[1]/body[1]/sec[2]/p[3]"), path_in_words("/article[1]")
    ('paragraph 3', '')
    """
    place = parse_place(path)
    if place is None or len(place.steps) < 2:
        return ""
    tag, nth = place.steps[-1]
    name = _NAMES.get(local_name(tag), tag)
    return name if name in ("title", "body", "abstract") else f"{name} {nth}"


def marked(snippet: str, marks: Sequence[tuple[int, int]]) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a snippet, and whether they match the query."""
    at = 0
    for start, end in marks:
        yield snippet[at:start], False
        yield snippet[start:end], True
        at = end
    yield snippet[at:], False


def read_link(doc: str, start: int, end: int, query: str = "") -> str:
    """Return the address of a part of a document, which can be shared."""
    asked = {"q": query} if query else {}
    return f"{address('read', doc)}?{urlencode({**asked, 'start': start, 'end': end})}#found"


def _document_page(lab: Lab, shelf: Shelf, request: Request, one_at_a_time: threading.Lock) -> Response:
    id, given = request.path_params["document"], request.query_params
    document, shelved = lab.document(id), shelf.page(id)
    if document is None or shelved is None:
        nearest = nearest_name(id, lab.index.documents)
        raise HTTPException(
            404, f"There is no document {id!r}." + (f" Did you mean {nearest!r}?" if nearest else "")
        )
    found = _span(document, given)
    query = given.get("q", "").strip()
    here: list[Hit] = []
    if query:
        try:
            with one_at_a_time:
                here = _hits_in(lab, id, query)
        except InexlabError:  # a link that was changed by hand still shows the document
            query = ""
    rendering = shelved.rendering
    element_path = ""
    if found:
        element_path = document.elements.path(smallest_element(document.elements, *found))
    return page(
        lab,
        request,
        "document.html",
        id=id,
        title=lab.document_title(id),
        body=Markup(rendering.html([found]) if found else shelved.html),  # of escaped text
        source=document.keeps_source,
        headed=any(heading.level == 1 for heading in rendering.headings),
        headings=[heading for heading in rendering.headings if heading.level > 1],
        found=found,
        element_path=element_path,
        query=query,
        here=here,
        in_words=path_in_words,
        marked=marked,
        link=read_link,
    )


def _span(document: Document, given: QueryParams) -> Span | None:
    """Return the part of a document that a link points to."""
    if path := given.get("path"):
        return document.elements.find(path)
    start, end = _number(given.get("start"), -1), _number(given.get("end"), -1)
    return Span(start, end) if 0 <= start < end <= len(document.text) else None


def _hits_in(lab: Lab, id: str, query: str) -> list[Hit]:
    """Return the best parts of one document for a query."""
    made = make_engine(lab.index, "bm25", "SVCAS", by="auto", signs="demands")
    fields = {name: getattr(made, name) for name in Engine.__dataclass_fields__}
    number = lab.index.document_numbers[id]
    engine = _EngineOfDocument(**fields | {"seed_documents": 1}, document=number)
    asked = parse_question(query).query
    return hits(answers(engine, asked, count=_IN_DOCUMENT, per_document=0), asked)
