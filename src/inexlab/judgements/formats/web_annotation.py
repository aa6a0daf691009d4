"""Judgements as W3C Web Annotations: a collection of annotations in JSON-LD, or one annotation per line.

    {"type": "Annotation", "motivation": "highlighting", "creator": {"type": "Person", "name": "anna"},
     "body": {"type": "TextualBody", "purpose": "classifying", "value": "2009001"},
     "target": {"source": "3260094", "selector": {"type": "TextPositionSelector", "start": 144, "end": 4357}}}

The body with the purpose `classifying` names the topic, the creator the assessor (`Software` is a model).
What is highlighted is `highlighting`; a best entry point is `bookmarking`, of no length; `assessing` a whole
document says that it was judged, and from 0 to which length; `assessing` an element (XPathSelector) with a
body of that purpose says how exhaustive it is. Positions count code points, as the recommendation demands. A
highlight may also be given by an XPathSelector, or by a RangeSelector of two.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from inexlab.files import Source
from inexlab.judgements.assessor import Assessor
from inexlab.judgements.convert import as_lines
from inexlab.judgements.elements import TOO_SMALL, full_path
from inexlab.judgements.read import JudgementFormat, Selection, judgement_formats
from inexlab.judgements.table import Judgements, JudgementsBuilder
from inexlab.judgements.write import JudgementWriter, judgement_writers

_CONTEXT = "http://www.w3.org/ns/anno.jsonld"
_GRADES = {"?": TOO_SMALL, "1": 1, "2": 2}


def _recognises(source: Source) -> bool:
    return (
        not source.is_xml
        and source.first_row[1][:1] in (b"{", b"[")
        and (b"anno.jsonld" in source.data[:2000] or b'"Annotation' in source.data[:2000])
    )


def _read(source: Source, builder: JudgementsBuilder, _selection: Selection) -> None:
    found: dict[tuple[str, str, Assessor | None], _Document] = {}
    for line, annotation in _annotations(source):
        try:
            _take(annotation, found, line)
        except _OddError as error:
            builder.refuse(source.problem(str(error), line, "See docs/formats.md for what is understood."))
    for (topic, doc, assessor), document in found.items():
        builder.at(document.line)
        builder.by(assessor)
        builder.add(topic, doc, document.spans, size=document.size, bep=document.bep)
        for start, end in document.passages:
            builder.add_passage(topic, doc, start, end)
        if document.exhaustivity:
            builder.add_exhaustivity(topic, doc, document.exhaustivity)


class _OddError(Exception):
    """What is wrong with an annotation."""


class _Document:
    """What one assessor's annotations say of a document."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.spans: list[tuple[int, int]] = []
        self.passages: list[tuple[str, str]] = []
        self.size: int | None = None
        self.bep: int | None = None
        self.exhaustivity: dict[str, int] = {}


def _annotations(source: Source) -> Iterator[tuple[int, Any]]:
    """Yield annotations with their lines: of a page or collection, of a list, or one per line."""
    try:
        whole = json.loads(source.data)
    except (ValueError, RecursionError):
        whole = None
    if whole is not None:
        first = source.first_row[0]
        page = whole.get("first", whole) if isinstance(whole, dict) else {"items": whole}
        items = page.get("items") if isinstance(page, dict) else None
        if isinstance(whole, dict) and whole.get("type") == "Annotation":
            items = [whole]
        if not isinstance(items, list):
            what = "is a collection of annotations without its items"
            raise source.problem(what, first, "Write its first page with the items.")
        yield from ((first, item) for item in items)
        return
    for number, line in enumerate(source.data.split(b"\n"), start=1):
        content = line.strip()
        if content and not content.startswith(b"#"):
            try:
                yield number, json.loads(content)
            except (ValueError, RecursionError):
                raise source.problem(
                    "is not JSON", number, "One annotation per line, or one collection in the file."
                ) from None


def _take(annotation: Any, found: dict[tuple[str, str, Assessor | None], _Document], line: int) -> None:
    if not isinstance(annotation, dict) or annotation.get("type") not in ("Annotation", ["Annotation"]):
        raise _OddError("is not an annotation")
    bodies = _list(annotation.get("body"))
    topic = _value(bodies, "classifying") or _value(bodies, "tagging")
    if not topic:
        raise _OddError("an annotation names no topic: its body has no purpose classifying")
    target = annotation.get("target")
    source = target.get("source") if isinstance(target, dict) else target
    if not isinstance(source, str) or not source.strip():
        raise _OddError("an annotation has no target with a source")
    document = found.setdefault((topic, source, _creator(annotation.get("creator"))), _Document(line))
    selectors = _list(target.get("selector")) if isinstance(target, dict) else []
    motivation = annotation.get("motivation", "highlighting")
    if motivation == "assessing":
        _assessed(document, selectors, _value(bodies, "assessing"))
    elif motivation == "bookmarking":
        document.bep = _position(selectors)[0]
    elif motivation in ("highlighting", "tagging", "classifying", "commenting"):
        _highlighted(document, selectors, source)
    else:
        raise _OddError(f"motivation {str(motivation)[:40]!r} is not highlighting, bookmarking or assessing")


def _assessed(document: _Document, selectors: list[Any], grade: str) -> None:
    if not selectors:
        return
    if isinstance(selectors[0], dict) and selectors[0].get("type") == "XPathSelector":
        path = full_path(str(selectors[0].get("value", "")))
        if not path or grade not in _GRADES:
            raise _OddError("an assessed element needs its path, and a body assessing with 2, 1 or ?")
        document.exhaustivity[path] = _GRADES[grade]
    else:
        document.size = _position(selectors)[1]


def _highlighted(document: _Document, selectors: list[Any], source: str) -> None:
    kinds = {selector.get("type"): selector for selector in selectors if isinstance(selector, dict)}
    if "TextPositionSelector" in kinds:
        start, end = _position(selectors)
        if start == end:
            raise _OddError(f"a highlight of document {source} is empty")
        document.spans.append((start, end))
        return
    if "XPathSelector" in kinds:
        path = kinds["XPathSelector"].get("value")
        document.passages.append((_path(path), _path(path)))
        return
    if "RangeSelector" in kinds:
        ends = [kinds["RangeSelector"].get(name) for name in ("startSelector", "endSelector")]
        first, last = (end.get("value") if isinstance(end, dict) else None for end in ends)
        document.passages.append((_path(first), _path(last)))
        return
    known = ", ".join(str(kind) for kind in kinds) or "nothing"
    raise _OddError(
        f"a highlight of document {source} is given by {known}, not by a TextPositionSelector, "
        "an XPathSelector or a RangeSelector of two"
    )


def _position(selectors: list[Any]) -> tuple[int, int]:
    for selector in selectors:
        if isinstance(selector, dict) and selector.get("type") == "TextPositionSelector":
            start, end = selector.get("start"), selector.get("end")
            if type(start) is int and type(end) is int and 0 <= start <= end <= 2**53:
                return start, end
            raise _OddError(f"[{start}, {end}) is not a span; 0 <= start <= end")
    raise _OddError("a position is given by no TextPositionSelector")


def _path(value: object) -> str:
    if not isinstance(value, str) or not value.startswith("/"):
        raise _OddError(f"{str(value)[:40]!r} is no path such as /article[1]/p[2]")
    return value


def _creator(given: Any) -> Assessor | None:
    if given is None:
        return None
    if isinstance(given, str):
        return Assessor("person", given)
    if not isinstance(given, dict) or not isinstance(given.get("name", given.get("id")), str):
        raise _OddError("a creator has no name")
    kind = "model" if given.get("type") in ("Software", "SoftwareApplication") else "person"
    name = str(given.get("name") or given.get("id"))
    return Assessor(kind, name, str(given.get("schema:softwareVersion", given.get("version", ""))))


def _value(bodies: list[Any], purpose: str) -> str:
    for body in bodies:
        if isinstance(body, dict) and body.get("purpose") == purpose:
            return str(body.get("value", "")).strip()
    return ""


def _list(given: Any) -> list[Any]:
    return given if isinstance(given, list) else [] if given is None else [given]


def _write(judgements: Judgements) -> Iterator[bytes]:
    """Write one collection, an annotation to a line, so that it is read and compared as easily as lines."""
    yield (
        f'{{"@context": "{_CONTEXT}", "type": "AnnotationCollection", "label": "relevance judgements",\n'
        f'"first": {{"type": "AnnotationPage", "items": [\n'
    ).encode()
    before = ""
    for row, judged in enumerate(judgements):
        for annotation in _of_document(judgements, row, judged):
            yield f"{before}{json.dumps(annotation, ensure_ascii=False)}".encode()
            before = ",\n"
    yield b"\n]}}\n"


def _of_document(judgements: Judgements, row: int, judged: Any) -> Iterator[dict[str, Any]]:
    about: dict[str, Any] = {"type": "Annotation"}
    if judged.assessor is not None:
        kind = "Person" if judged.assessor.kind == "person" else "Software"
        about["creator"] = {"type": kind, "name": judged.assessor.name}
        if judged.assessor.version:
            about["creator"]["schema:softwareVersion"] = judged.assessor.version
    topic = {"type": "TextualBody", "purpose": "classifying", "value": judged.topic}

    def annotation(motivation: str, selector: Mapping[str, Any] | None, *bodies: Any) -> dict[str, Any]:
        target: dict[str, Any] = {"source": judged.doc}
        if selector is not None:
            target["selector"] = selector
        body = [topic, *bodies] if bodies else topic
        return {**about, "motivation": motivation, "body": body, "target": target}

    def text(start: int, end: int) -> dict[str, Any]:
        return {"type": "TextPositionSelector", "start": start, "end": end}

    yield annotation("assessing", None if judged.size is None else text(0, judged.size))
    for start, end in judged.spans:
        yield annotation("highlighting", text(start, end))
    if judged.bep is not None:
        yield annotation("bookmarking", text(judged.bep, judged.bep))
    for path, e in judgements.exhaustivity.get(row, {}).items():
        grade = {"type": "TextualBody", "purpose": "assessing", "value": "?" if e == TOO_SMALL else str(e)}
        yield annotation("assessing", {"type": "XPathSelector", "value": path}, grade)


judgement_formats.add("web-annotation", JudgementFormat("web-annotation", _recognises, _read, certain=True))
judgement_writers.add(
    "web-annotation",
    JudgementWriter(
        name="web-annotation",
        years="",
        carries="W3C Web Annotation: highlights, best entry points, document lengths, assessors",
        convert=as_lines,
        write=_write,
        read_by="web-annotation",
        assessors=True,
    ),
)
