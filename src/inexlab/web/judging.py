"""The page to judge a document: its text to highlight, the topic beside it, and what the page has to know."""

from __future__ import annotations

import json
from typing import Any

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from inexlab.assess.record import FINISHED, Assessment
from inexlab.retrieval.answers import parse_question
from inexlab.retrieval.queries import wanted_terms
from inexlab.spans import union
from inexlab.topics import Topic
from inexlab.topics.query import Term
from inexlab.web.guard import visitor_of
from inexlab.web.lab import Lab
from inexlab.web.pages import page
from inexlab.web.shelf import Shelf, ShelvedPage

_BESIDE = ("description", "narrative", "castitle", "keywords")  # of a topic, beside its title


def routes(lab: Lab) -> list[BaseRoute]:
    """Return the page to judge a document; there is none in a reading room."""
    store, shelf = lab.store, Shelf(lab)
    if store is None:
        return []

    def judge(request: Request) -> Response:
        name = visitor_of(request).name
        topic, document = request.path_params["topic"], request.path_params["document"]
        if not store.may_judge(name, topic, document):
            raise HTTPException(403, f"Document {document} of topic {topic} is not yours to judge.")
        shelved = shelf.page(document)
        if shelved is None:
            raise HTTPException(404, f"The index has no document {document}.")
        said = store.assessment(name, topic, document)
        title = lab.document_title(document)
        if request.query_params.get("view") == "marks":
            return _with_marks(lab, request, shelved, said)
        known = _topic(lab, topic)
        documents = store.to_judge(name, topic)
        return page(
            lab,
            request,
            "judge.html",
            topic=topic,
            topic_title=known.title or known.castitle or topic,
            fields=[(field, text) for field in _BESIDE if (text := getattr(known, field))],
            document=document,
            title=title,
            headed=any(heading.level == 1 for heading in shelved.rendering.headings),
            source=lab.document(document).keeps_source,  # type: ignore[union-attr]
            body=Markup(shelved.html),  # of escaped text
            number=1 + next(i for i, d in enumerate(documents) if d.document == document),
            documents=len(documents),
            finished=sum(d.status in FINISHED for d in documents),
            next=store.next_document(name, topic, document),
            data=_for_scripts(_knowledge(lab, shelf, (name, topic, document), said)),
        )

    return [Route("/judge/{topic}/{document:path}", judge, name="judge")]


def _topic(lab: Lab, id: str) -> Topic:
    return lab.topics[id] if lab.topics is not None and id in lab.topics else Topic(id)


def _knowledge(lab: Lab, shelf: Shelf, key: tuple[str, str, str], said: Assessment) -> dict[str, Any]:
    """Return what the page has to know; places are counted in code points, as everywhere but in browsers."""
    account, topic, document = key
    pooled, shelved = lab.pooled(topic, document), shelf.page(document)
    assert lab.store is not None
    assert shelved is not None
    return {
        "laboratory": lab.store.name,
        "account": account,
        "topic": topic,
        "document": document,
        "version": said.version,
        "highlights": said.highlights,
        "best_entry": said.best_entry,
        "status": said.status,
        "hints": union(pooled.hints) if pooled else [],
        "terms": shelf.matches(document, _terms(_topic(lab, topic))),
        "sentences": shelved.sentences,
    }


def _terms(topic: Topic) -> tuple[Term, ...]:
    """Return the words that a topic's queries ask for."""
    queries = [parse_question(query).query for query in (topic.title, topic.castitle) if query]
    return tuple(term for query in queries for term in wanted_terms(query))


def _for_scripts(content: Any) -> Markup:
    """Return JSON that can stand in a page: nothing in it looks like the end of a script."""
    return Markup(json.dumps(content, separators=(",", ":")).replace("<", "\\u003c"))


def _with_marks(lab: Lab, request: Request, shelved: ShelvedPage, said: Assessment) -> Response:
    """Return the document with the highlights in its text, to be read only: screen readers tell of them."""
    document = request.path_params["document"]
    rendering = shelved.rendering
    return page(
        lab,
        request,
        "marked.html",
        topic=request.path_params["topic"],
        document=document,
        title=lab.document_title(document),
        headed=any(heading.level == 1 for heading in rendering.headings),
        source=lab.document(document).keeps_source,  # type: ignore[union-attr]
        status=said.status,
        count=len(said.highlights),
        body=Markup(rendering.html(said.highlights, "highlighted")),
    )
