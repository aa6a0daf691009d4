"""What an assessor has to do: their topics with progress and time left, and the documents of each."""

from __future__ import annotations

import re

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from inexlab.assess.progress import TopicProgress
from inexlab.assess.record import STATUSES
from inexlab.topics import Topic
from inexlab.web.guard import visitor_of
from inexlab.web.lab import Lab
from inexlab.web.pages import page

_FIELDS = ("castitle", "phrasetitle", "description", "narrative", "keywords")


def routes(lab: Lab) -> list[BaseRoute]:
    """Return the pages of assessors, and the way in."""
    store = lab.store
    if store is None:
        return []

    def home(_request: Request) -> Response:
        return RedirectResponse("/topics", 303)

    def my_topics(request: Request) -> Response:
        name = visitor_of(request).name
        mine = store.progress(name)
        rows = [
            {
                "progress": one,
                "title": title_of(lab, one.topic),
                "next": store.next_document(name, one.topic) if one.left else None,
            }
            for one in mine
        ]
        return page(lab, request, "topics.html", rows=rows, all=together(mine))

    def one_topic(request: Request) -> Response:
        name, topic = visitor_of(request).name, request.path_params["topic"]
        if not store.has_topic(name, topic):
            raise HTTPException(403, "This topic is not yours to judge.")
        documents = store.to_judge(name, topic)
        wanted = request.query_params.get("status", "")
        counts = {status: sum(d.status == status for d in documents) for status in STATUSES}
        shown = [
            {"document": d, "title": lab.document_title(d.document)}
            for d in documents
            if not wanted or d.status == wanted
        ]
        [progress] = [p for p in store.progress(name) if p.topic == topic]
        return page(
            lab,
            request,
            "topic.html",
            topic=topic,
            title=title_of(lab, topic),
            fields=fields_of(lab, topic),
            documents=shown,
            counts=counts,
            wanted=wanted,
            progress=progress,
            next=store.next_document(name, topic),
        )

    return [
        Route("/", home),
        Route("/topics", my_topics),
        Route("/topics/{topic}", one_topic),
    ]


def _topic(lab: Lab, topic: str) -> Topic:
    return lab.topics[topic] if lab.topics and topic in lab.topics else Topic(topic)


def title_of(lab: Lab, topic: str) -> str:
    """Return what a topic is called: its title, or its structured query where it has none."""
    known = _topic(lab, topic)
    return known.title or known.castitle or known.description or topic


def fields_of(lab: Lab, topic: str) -> list[tuple[str, list[str]]]:
    """Return the other fields of a topic that are not empty: their names, and their paragraphs."""
    known, title = _topic(lab, topic), title_of(lab, topic)
    texts = {name: getattr(known, name) for name in _FIELDS}
    return [(name, _paragraphs(text)) for name, text in texts.items() if text and text != title]


def _paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a text, whose lines are broken where its file has them."""
    return [" ".join(part.split()) for part in re.split(r"\n\s*\n", text) if part.strip()]


def together(topics: list[TopicProgress]) -> TopicProgress:
    """Return how far an assessor is with all topics."""
    left = [one.seconds_left for one in topics]
    known = [seconds for seconds in left if seconds is not None]
    return TopicProgress(
        "",
        "",
        sum(one.documents for one in topics),
        sum(one.finished for one in topics),
        sum(one.in_progress for one in topics),
        sum(one.relevant for one in topics),
        sum(one.seconds for one in topics),
        sum(known) if known and len(known) == len(left) else None,
    )
