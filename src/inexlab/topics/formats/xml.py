"""Topics of INEX in XML: one per file until 2005, all in one file from 2006.

    <inex_topic topic_id="258" query_type="CAS" ct_no="72"><castitle>…</castitle>…</inex_topic>
    <inex-topic-file><topic id="2009001" ct_no="186"><title>…</title><castitle>…</castitle>…</topic>…

The reader goes by what real files have, not by their DTDs: fields in any order, missing or new ones,
names in any case, `-` for `_`. A topic in a file of assessments is a topic. In 2002 a title was marked up
instead of written in a query language: its words (`cw`) are the title here, target elements (`te`) and
context elements (`ce`) are among the extra fields, and all of it is the castitle, as NEXI.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from inexlab import xml_parser
from inexlab.files import Source
from inexlab.topics.marked_up import structured_title
from inexlab.topics.read import TopicFormat, topic_formats
from inexlab.topics.table import FIELDS, Topic

_TOPICS = re.compile(r"<(inex[-_]topic|topic)\b", re.IGNORECASE)
_RUN = "<inex-submission"
_IDS = ("topic_id", "id", "number", "topicid")
_MARKED_UP = ("te", "cw", "ce")  # the parts of a title of 2002
_ALSO = {"query": "title", "question": "description", "desc": "description", "narr": "narrative"}


class _TopicReader:
    """Follows the parser through one file and gathers its topics."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.topics: list[Topic] = []
        self.attributes: dict[str, str] | None = None
        self.open: list[str] = []
        self.begun = 0
        self.pieces: dict[str, list[str]] = {}
        self.marked_up: list[tuple[str, list[str]]] = []
        self.lines: dict[str, int] = {}
        self.line: Callable[[], int] = lambda: 0

    def start(self, tag: str, attributes: xml_parser.Attributes) -> None:
        name = _folded(tag)
        if self.attributes is not None:
            self.open.append(_ALSO.get(name, name))
            field = self._field()
            self.lines.setdefault(field, self.line())
            pieces = self.pieces.setdefault(field, [])
            if len(self.open) == 1 or field in _MARKED_UP:  # a field that comes twice, not mark-up inside one
                pieces.append(" ")
            if field in _MARKED_UP:
                self.marked_up.append((field, []))
        elif name in ("inex_topic", "topic"):
            self.attributes = {_folded(key): value.strip() for key, value in attributes.items()}
            self.begun = self.line()

    def text(self, characters: str) -> None:
        if self.open:
            field = self._field()
            self.pieces[field].append(characters)
            if field in _MARKED_UP:
                self.marked_up[-1][1].append(characters)

    def end(self, _tag: str) -> None:
        if self.open:
            self.open.pop()
        elif self.attributes is not None:
            self._add(self.attributes)
            self.attributes, self.pieces, self.lines, self.marked_up = None, {}, {}, []

    def _field(self) -> str:
        """Return the field that text belongs to now: the child of the topic, or a part of a title of 2002."""
        inner = self.open[-1]
        return inner if self.open[0] == "title" and inner in _MARKED_UP else self.open[0]

    def _add(self, attributes: dict[str, str]) -> None:
        fields, lines = {}, {}
        for name, pieces in self.pieces.items():
            text = "".join(pieces)
            if content := text.strip():
                fields[name] = content
                lines[name] = self.lines[name] + text[: text.index(content)].count("\n")
        if "cw" in fields and not fields.get("title"):
            fields["title"], lines["title"] = fields.pop("cw"), lines["cw"]
            parts = [(name, "".join(pieces)) for name, pieces in self.marked_up]
            if "castitle" not in fields and (query := structured_title(parts)):
                fields["castitle"], lines["castitle"] = query, lines["title"]
        candidate = attributes.get("ct_no", "")
        id = next((attributes[name] for name in _IDS if attributes.get(name)), candidate)
        if not id:
            raise self.source.problem("a topic without an id", self.begun, fix="Give it a topic_id.")
        own = {name: text for name, text in fields.items() if name in FIELDS}
        self.topics.append(
            Topic(
                id,
                query_type=attributes.get("query_type", ""),
                candidate=candidate,
                extra={name: text for name, text in fields.items() if name not in FIELDS},
                file=self.source.name,
                line=self.begun,
                lines=lines,
                **own,
            )
        )


def _folded(name: str) -> str:
    return name.lower().replace("-", "_")


def _recognises(source: Source) -> bool:
    if not source.is_xml:
        return False
    head = xml_parser.beginning(source.data)
    return _TOPICS.search(head) is not None and _RUN not in head


def _read(source: Source) -> Iterator[Topic]:
    reader = _TopicReader(source)

    def watch(line: Callable[[], int]) -> None:
        reader.line = line

    xml_parser.parse(
        source.data, source.name, start=reader.start, end=reader.end, text=reader.text, watch=watch
    )
    return iter(reader.topics)


topic_formats.add("xml", TopicFormat("xml", _recognises, _read))
