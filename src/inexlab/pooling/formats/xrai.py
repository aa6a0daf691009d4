"""The pools of X-Rai in XML.

    <pool topic="N"><file file="ID"><path path="…"/><passage start="…" end="…"/></file></pool>

Hints by paths come first; spans become passages with the help of the collection. Who is to judge stands in
`<assessor name="…"/>` before the files, which X-Rai did not have.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from urllib.parse import quote
from xml.sax.saxutils import quoteattr

from inexlab import xml_parser
from inexlab.collection import Collection, pointer
from inexlab.errors import InputError
from inexlab.files import Source
from inexlab.pooling.files import PoolBuilder, PoolFormat, PoolWriter, pool_formats, pool_writers
from inexlab.pooling.table import Hint, Pool, PooledDocument
from inexlab.wording import counted
from inexlab.xml_parser import fit_for_xml

_ROOT = re.compile(r"<pool[\s>]")


def _recognises(source: Source) -> bool:
    return source.is_xml and _ROOT.search(xml_parser.beginning(source.data)) is not None


class _Reader:
    """Follows the parser through one pool."""

    def __init__(self, source: Source, builder: PoolBuilder) -> None:
        self.source, self.builder = source, builder
        self.topic, self.doc = "", ""
        self.hints: list[Hint] = []
        self.assessors: list[str] | None = None
        self.line: Callable[[], int] = lambda: 0

    def start(self, tag: str, attributes: xml_parser.Attributes) -> None:
        if tag == "pool":
            self.topic = self._need(tag, attributes, "topic")
            self.assessors = None
        elif tag in ("assessor", "latecomers"):
            self.assessors = self.assessors or []
            if tag == "assessor":
                self.assessors.append(self._need(tag, attributes, "name"))
        elif tag == "file":
            named = attributes.get("file") or attributes.get("name") or ""
            self.doc = named or self._need(tag, attributes, "file")
            if not self.topic:
                raise self._problem("<file> outside <pool>")
            self.hints = []
        elif tag == "path":
            self.hints.append(Hint(self._need(tag, attributes, "path")))
        elif tag == "passage":
            self.hints.append(Hint(*(self._need(tag, attributes, name) for name in ("start", "end"))))

    def end(self, tag: str) -> None:
        if tag == "file":
            document = PooledDocument(self.topic, self.doc, paths=tuple(self.hints))
            if not self.builder.add(document):
                raise self._problem(f"document {self.doc} is in the pool of topic {self.topic} twice")
        elif tag == "pool" and self.assessors is not None:
            self.builder.assign(self.topic, self.assessors)

    def _need(self, tag: str, attributes: xml_parser.Attributes, name: str) -> str:
        if not attributes.get(name, "").strip():
            raise self._problem(f"<{tag}> without the attribute {name}")
        return attributes[name].strip()

    def _problem(self, what: str) -> InputError:
        return self.source.problem(what, self.line())


def _read(source: Source, builder: PoolBuilder) -> None:
    reader = _Reader(source, builder)

    def watch(line: Callable[[], int]) -> None:
        reader.line = line

    def ignore_text(_text: str) -> None:
        pass

    xml_parser.parse(
        source.data, source.name, start=reader.start, end=reader.end, text=ignore_text, watch=watch
    )


def _topics(
    pool: Pool, collection: Collection | None, lost: list[str]
) -> Iterator[tuple[str, Iterable[bytes]]]:
    where = pool.file or "the pool"
    missing = 0

    def content(topic: str) -> Iterator[bytes]:
        nonlocal missing
        yield f'<?xml version="1.0" encoding="UTF-8"?>\n<pool topic={quoteattr(topic)}>\n'.encode()
        names = pool.assessors.get(topic, ())
        if pool.assessors and not names:
            yield b"<latecomers/>\n"
        for name in fit_for_xml("assessor", names, where):
            yield f"<assessor name={quoteattr(name)}/>\n".encode()
        for document in pool.by_topic.get(topic, ()):
            hints, unplaced = _by_paths(document, collection)
            missing += unplaced
            [name] = fit_for_xml("document", [document.doc], where)
            lines = []
            for hint in hints:
                fit_for_xml("path", [hint.path, hint.until or hint.path], where)
                ends = f"start={quoteattr(hint.path)} end={quoteattr(hint.until or '')}"
                lines.append(
                    f"<path path={quoteattr(hint.path)}/>" if hint.until is None else f"<passage {ends}/>"
                )
            yield f"<file file={quoteattr(name)}>{''.join(lines)}</file>\n".encode()
        yield b"</pool>\n"

    for topic in fit_for_xml("topic", pool.topics, where):
        yield f"topic-{quote(topic, safe='')}.xml", content(topic)
    if missing:
        why = "need `collection=DIR`" if collection is None else "are not in the collection"
        lost.append(
            f"{counted(missing, 'hint')} given by offsets left out: they {why} to be written as paths"
        )
    if pool.runs:
        lost.append("which runs returned a document is not kept")


def _by_paths(document: PooledDocument, collection: Collection | None) -> tuple[list[Hint], int]:
    """Return the hints of a document by paths, and how many of them cannot be given so."""
    hints = list(document.paths)
    if not document.hints:
        return hints, 0
    elements = collection.elements(document.doc) if collection is not None else None
    if elements is None:
        return hints, len(document.hints)
    whole = {
        (int(start), int(end)): number
        for number, (start, end) in reversed(
            list(enumerate(zip(elements.start.tolist(), elements.end.tolist(), strict=True)))
        )
    }
    unplaced = 0
    for start, end in document.hints:
        if (number := whole.get((start, end))) is not None:  # the outermost of elements with the same text
            hints.append(Hint(elements.path(number)))
        elif end <= elements.end[0]:
            hints.append(Hint(pointer(elements, start), pointer(elements, end, closing=True)))
        else:
            unplaced += 1
    return hints, unplaced


pool_formats.add("pool-xrai", PoolFormat("pool-xrai", _recognises, _read))
pool_writers.add(
    "pool-xrai",
    PoolWriter("pool-xrai", "XML folder of X-Rai: documents to judge, hints by paths", write_topics=_topics),
)
