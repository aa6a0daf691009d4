"""Gold: questions, and the text of the documents that answers them; spans, never numbers of chunks.

    JSON Lines      our judgements: topic, doc, spans, aspects; or rows with question, doc and quote
    CSV             Chroma's chunking evaluation (question, references, corpus_id); or question, doc, quote
    JSON            LegalBench-RAG (tests, each with query and snippets)
    frames, records a quote to a row: question, document, quote; start, end, topic and aspect where known

Quotes are looked for in the documents (`inexlab.align`); a stated offset holds if the quote is there. Offsets
count code points. Those of LegalBench-RAG, and of whoever reads files as text in Python, count a line that
ends in CR LF as ending in one character; where a document has such lines, offsets are counted on.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from inexlab.chunks.pieces import Piece, piece_of
from inexlab.chunks.placing import Placements, Sources
from inexlab.collection import Collection, open_collection
from inexlab.errors import InputError, UsageError
from inexlab.files import Source, read_source
from inexlab.frames import frame_rows, is_frame, is_missing
from inexlab.judgements import Judgements, read_judgements
from inexlab.judgements.table import JudgementsBuilder
from inexlab.wording import counted

_QUESTION = ("question", "query", "prompt")
_TOPIC = ("topic", "topic_id", "query_id", "qid", "q_id", "id")
_QUOTE = ("quote", "reference", "content", "text", "context", "passage", "answer_text", "snippet", "answer")
_ASPECT = ("aspect", "nugget", "facet")


@dataclass(frozen=True, eq=False)
class Gold:
    """What answers some questions. `questions` has them by topic, where they are known.

    `report` says how quotes were placed; topics of which no quote has a place are in no judgements, and in
    `lost`.
    """

    judgements: Judgements
    questions: Mapping[str, str] = field(default_factory=dict)
    report: Placements = field(default_factory=lambda: Placements("quote"))
    lost: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What is worth saying of how quotes were placed."""
        notes = list(self.report.notes("gold", "left out"))
        if self.lost:
            some = ", ".join(self.lost[:5]) + (" …" if len(self.lost) > 5 else "")
            notes.append(f"gold: {counted(len(self.lost), 'question')} without any place, left out: {some}")
        return tuple(notes)

    def topic_of(self, name: str) -> str:
        """Return the topic that somebody calls by its id, or by the question."""
        return self._by_question.get(name, name)

    @property
    def _by_question(self) -> dict[str, str]:
        known = set(self.judgements.topics)
        return {text: topic for topic, text in self.questions.items() if text not in known}


@dataclass(frozen=True)
class Reference:
    """One quote that answers a question."""

    question: str
    topic: str
    piece: Piece
    aspect: str = ""


def read_gold(gold: object, collection: Collection | str | Path | None = None) -> Gold:
    """Read gold from a file, a frame, records, or judgements; quotes need the documents.

    A dictionary is {topic: {doc: [[start, end], …]}}, or {question: [quotes]}.

    >>> import inexlab
    >>> gold = inexlab.read_gold({"When do two overlap?": "share at least one character"}, "demo/articles")
    >>> gold.judgements
    Judgements(1 topics, 1 documents, 1 highlights)
    """
    if isinstance(gold, Gold):
        return gold
    if isinstance(gold, Judgements):
        return Gold(gold)
    where = ""
    if isinstance(gold, str | Path):
        source = read_source(gold)
        where, rows = str(gold), _rows_of_file(source)
        if rows is None:
            return Gold(read_judgements(source))
    elif isinstance(gold, Mapping):
        if all(isinstance(inner, Mapping) for inner in gold.values()):
            return Gold(Judgements.of(gold))
        rows = [r for question, quotes in gold.items() for r in _quotes_of(str(question), quotes)]
    else:
        records = frame_rows(gold) if is_frame(gold) else list(gold) if isinstance(gold, Iterable) else None
        if records is None:
            what = type(gold).__name__
            raise UsageError(f"gold cannot be made of {what}; give a file, a frame or records.")
        if records and not _first(records[0], _QUOTE) and not _first(records[0], ("references",)):
            return Gold(Judgements.of(gold))
        rows = list(_rows_of_records(records, "gold"))
    if collection is None:
        raise UsageError("gold with quotes needs the documents: give the corpus.")
    documents = collection if isinstance(collection, Collection) else open_collection(collection)
    return _placed(rows, Sources(documents), where)


def _quotes_of(question: str, quotes: Any) -> Iterator[Reference]:
    given = [quotes] if isinstance(quotes, str | Mapping) else quotes
    for quote in given:
        yield Reference(question, "", piece_of(quote))


def _placed(rows: Iterable[Reference], sources: Sources, where: str) -> Gold:
    """Return the gold of quotes, placed in their documents."""
    report, questions = Placements("quote"), dict[str, str]()
    by_question: dict[str, str] = {}
    spans: dict[tuple[str, str], list[tuple[int, int]]] = {}
    aspects: dict[tuple[str, str], dict[str, list[tuple[int, int]]]] = {}
    for row in rows:
        topic = row.topic or by_question.setdefault(row.question, f"q{len(by_question) + 1}")
        questions.setdefault(topic, row.question)
        piece = _counted_on(row.piece, sources)
        found = sources.place(piece)
        report.add(piece, None if found is None else found[1])
        if found is not None:
            span = (found[1].start, found[1].end)
            spans.setdefault((topic, found[0]), []).append(span)
            if row.aspect:
                aspects.setdefault((topic, found[0]), {}).setdefault(row.aspect, []).append(span)
        elif piece.text:
            report.unplaced.setdefault(piece.text[:40], piece.text)
    if not spans:
        raise InputError(
            "no quote is in any document of the corpus" if questions else "holds no gold",
            file=where or "gold",
            fix="Give the corpus that the questions are about.",
        )
    builder = JudgementsBuilder()
    for (topic, doc), some in spans.items():
        builder.add(topic, doc, some, size=len(sources.text(doc).text))
        builder.add_aspects(topic, doc, aspects.get((topic, doc), {}))
    judgements = builder.build(where or "gold")
    lost = tuple(topic for topic in questions if topic not in judgements.topics.codes)
    return Gold(replace(judgements, warnings=()), questions, report, lost)


def _counted_on(piece: Piece, sources: Sources) -> Piece:
    """Return a piece whose offsets count CR LF as two characters, where its document has such line ends."""
    id = sources.find(piece.doc) if piece.doc else None
    if id is None or piece.start is None or "\r\n" not in (text := sources.text(id).text):
        return piece
    if piece.text is not None and sources.text(id).as_stated(piece.text, (piece.start, piece.end)):
        return piece  # whoever stated it counted both
    start, end = _in_file(text, piece.start), None if piece.end is None else _in_file(text, piece.end)
    quote = piece.text
    if quote is not None and end is not None and text[start:end].replace("\r\n", "\n") == quote:
        quote = text[start:end]
    return replace(piece, start=start, end=end, text=quote)


def _in_file(text: str, offset: int) -> int:
    r"""Return an offset of a text with single line ends as one of the text as it is.

    >>> [_in_file("a\r\nb\r\nc", offset) for offset in range(6)]
    [0, 1, 3, 4, 6, 7]
    """
    at = count = 0
    while (found := text.find("\r\n", at)) >= 0 and found - count < offset:
        at, count = found + 2, count + 1
    return offset + count


# --- files ---------------------------------------------------------------------------------------------


def _rows_of_file(source: Source) -> list[Reference] | None:
    """Return the quotes of a file; None where it holds judgements in one of their own formats."""
    head = source.data[:4096].lstrip(b"\xef\xbb\xbf \t\r\n")
    name = source.name
    if head.startswith(b"{") and (content := _whole_json(source)) is not None:
        return list(_legalbench(content, name))
    if head.startswith((b"[", b"{")):
        return _json_rows(source)
    if name.lower().removesuffix(".gz").endswith(".csv"):
        csv.field_size_limit(10**9)
        records = list(csv.DictReader(io.StringIO(source.data.decode("utf-8-sig"), newline="")))
        return list(_rows_of_records(records, name, first_line=2))
    return None


def _whole_json(source: Source) -> Any:
    """Return the content of a file that is one JSON object with tests; None where it is not."""
    if b'"tests"' not in source.data:
        return None
    try:
        content = json.loads(source.data)
    except ValueError:
        return None
    return content if isinstance(content, dict) and isinstance(content.get("tests"), list) else None


def _json_rows(source: Source) -> list[Reference] | None:
    """Return the quotes of JSON Lines, or of a list; None where the lines are judgements of ours."""
    try:
        if source.data.lstrip()[:1] == b"[":
            records = json.loads(source.data)
        else:
            lines = (line for line in source.data.splitlines() if line.strip() and not line.startswith(b"#"))
            records = [json.loads(line) for line in lines]
    except ValueError:
        return None  # the reader of judgements says which line is wrong
    if not records or not isinstance(records[0], Mapping) or not _first(records[0], _QUOTE):
        return None
    return list(_rows_of_records(records, source.name))


def _legalbench(content: Mapping[str, Any], where: str) -> Iterator[Reference]:
    for number, test in enumerate(content["tests"], start=1):
        try:
            question = str(test["query"])
            for snippet in test["snippets"]:
                start, end = snippet["span"]
                text = snippet.get("answer") or snippet.get("text")
                yield Reference(question, "", Piece(text, str(snippet["file_path"]), int(start), int(end)))
        except (KeyError, TypeError, ValueError):
            raise InputError(
                f"test {number} is not written as LegalBench-RAG's are",
                file=where,
                fix="Each has a query and snippets with file_path and span [start, end].",
            ) from None


def _rows_of_records(records: Iterable[Any], where: str, first_line: int = 1) -> Iterator[Reference]:
    for number, record in enumerate(records, start=first_line):
        if not isinstance(record, Mapping):
            record = record._asdict() if hasattr(record, "_asdict") else vars(record)  # noqa: PLW2901
        record = {str(key).strip().lower(): value for key, value in record.items() if key}  # noqa: PLW2901
        question, topic = _first(record, _QUESTION), _first(record, _TOPIC)
        if question is None and topic is None:
            raise InputError(
                "has no question", file=where, line=number, fix=f"Name the column {' or '.join(_QUESTION)}."
            )
        question, topic = str(question or topic), str(topic or "")
        aspect = str(_first(record, _ASPECT) or "")
        if (references := record.get("references")) is not None:  # Chroma's
            for reference in _references(references, where, number):
                doc = str(record.get("corpus_id") or reference.get("corpus_id") or "")
                piece = piece_of({"doc": doc, **reference}, number)
                yield Reference(question, topic, piece, aspect)
            continue
        quote = _first(record, _QUOTE)
        if quote is None:
            raise InputError(
                "has no quote", file=where, line=number, fix=f"Name the column {' or '.join(_QUOTE[:3])}."
            )
        plain = {key: value for key, value in record.items() if key not in (*_QUOTE, *_QUESTION, *_TOPIC)}
        offsets = {k: int(v) for k, v in plain.items() if isinstance(v, str) and v.strip().isdigit()}
        yield Reference(question, topic, piece_of({**plain, **offsets, "text": str(quote)}, number), aspect)


def _references(given: Any, where: str, line: int) -> list[dict[str, Any]]:
    try:
        found = json.loads(given) if isinstance(given, str) else list(given)
        return [dict(reference) for reference in found]
    except (ValueError, TypeError):
        raise InputError(
            "the references are no list of objects",
            file=where,
            line=line,
            fix='Each is {"content": …, "start_index": …, "end_index": …}.',
        ) from None


def _first(record: Any, names: tuple[str, ...]) -> Any:
    """Return the first of some fields that a record has a value for."""
    if not isinstance(record, Mapping):
        record = record._asdict() if hasattr(record, "_asdict") else getattr(record, "__dict__", {})
    for name in names:
        value = record.get(name)
        if value is not None and not is_missing(value) and value != "":
            return value
    return None
