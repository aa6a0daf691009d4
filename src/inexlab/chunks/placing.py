"""Chunks placed in their documents: where each is, how sure that is, and what becomes of those without one.

A stated offset is a hint that holds if the text is there. Else the chunk is looked for (`inexlab.align`): all
chunks of a document in their order, results one by one. A document that is not named, or has another name
than in the collection, is found by the text.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from inexlab.align import HIGH, Placed, SourceText
from inexlab.chunks.pieces import Piece
from inexlab.collection import Collection, Document, read_document
from inexlab.collection.document import Elements
from inexlab.runs import Run, RunBuilder
from inexlab.runs.chunking import Chunking
from inexlab.runs.order import by_score
from inexlab.wording import counted

UNPLACED = "unplaced-"  # begins the ids of documents that hold one text without a place each


@dataclass
class Placements:
    """How many chunks, or quotes, were placed and how; texts without a place by the ids they were given.

    `doubtful` ones have a place that is not sure: their text is there more than once, or only alike.
    """

    what: str = "chunk"
    how: Counter[str] = field(default_factory=Counter)
    false_offsets: int = 0
    doubtful: int = 0
    unplaced: dict[str, str] = field(default_factory=dict)
    unplaced_count: int = 0

    @property
    def total(self) -> int:
        """All that were to be placed."""
        return self.how.total() + self.unplaced_count

    def add(self, piece: Piece, placed: Placed | None) -> None:
        """Count one."""
        if placed is None:
            self.unplaced_count += 1
        else:
            self.how[placed.how] += 1
            self.doubtful += placed.confidence < HIGH
        if piece.start is not None and piece.text is not None and (not placed or placed.how != "stated"):
            self.false_offsets += 1

    def notes(self, whose: str, fate: str) -> Iterator[str]:
        """Say what is worth saying; `fate` is what becomes of those without a place."""
        if self.false_offsets:
            yield f"{whose}: {self._of(self.false_offsets)} not at the stated offset, placed by the text"
        for kind, meaning in (("white space", "white space"), ("words", "words, which are not all the same")):
            if self.how[kind]:
                yield f"{whose}: {self._of(self.how[kind])} placed by {meaning}"
        if self.doubtful:
            doubtful = self._of(self.doubtful)
            yield f"{whose}: {doubtful} with a place that is not sure (repeated or changed text)"
        if self.unplaced_count:
            size = sum(map(len, self.unplaced.values()))
            characters = f" ({counted(size, 'character')})" if size else ""
            yield f"{whose}: {self._of(self.unplaced_count)} in no document{characters}, {fate}"

    def _of(self, count: int) -> str:
        return f"{count:,} of {counted(self.total, self.what)}"


class Sources:
    """The documents that chunks are of, by the names that other programs have for them."""

    def __init__(self, collection: Collection) -> None:
        self.collection = collection
        self._texts: dict[str, SourceText] = {}
        self._by_name: dict[str, str] = {}
        for id in collection:
            name = PurePath(id).name
            self._by_name[name] = "" if name in self._by_name else id

    def text(self, id: str) -> SourceText:
        """Return a document's text."""
        if id not in self._texts:
            self._texts[id] = SourceText(self.collection[id].text)
        return self._texts[id]

    def find(self, doc: str) -> str | None:
        """Return the id of a document that another program names by its id, file name or path."""
        if doc in self.collection:
            return doc
        path = PurePath(doc.replace("\\", "/"))
        parts = path.with_suffix("").parts if path.name else ()
        for begin in range(len(parts)):  # a path may have more folders above than ours
            if (id := "/".join(parts[begin:])) in self.collection:
                return id
        return self._by_name.get(path.stem) or self._by_name.get(path.name) or None

    def place(self, piece: Piece) -> tuple[str, Placed] | None:
        """Return the document and the place of a chunk; None where it has none."""
        stated = None if piece.start is None else (piece.start, piece.end)
        id = self.find(piece.doc) if piece.doc else None
        if piece.text is None:
            if id is None or piece.start is None or piece.end is None or not 0 <= piece.start <= piece.end:
                return None
            return id, Placed(piece.start, piece.end, 1.0, "stated")
        if id is not None:
            found = self.text(id).place(piece.text, stated)
            return None if found is None else (id, found)
        return self._anywhere(piece.text, stated)

    def _anywhere(self, text: str, stated: tuple[int, int | None] | None) -> tuple[str, Placed] | None:
        """Return the best place of a text in any document; in several alike it is as unsure."""
        found = [(id, placed) for id in self.collection if (placed := self.text(id).place(text, stated))]
        if not found:
            return None
        best = max(placed.confidence for _, placed in found)
        alike = [(id, placed) for id, placed in found if placed.confidence >= best / 2]
        id, placed = next((id, placed) for id, placed in alike if placed.confidence == best)
        return id, placed._replace(confidence=placed.confidence / len(alike))


def place_chunking(name: str, pieces: Sequence[Piece], sources: Sources) -> tuple[Chunking, Placements]:
    """Place all chunks of a chunking, which come in the order of their documents."""
    report = Placements()
    by_document: dict[str, list[int]] = {}
    placed: list[tuple[str, Placed] | None] = [None] * len(pieces)
    only = next(iter(sources.collection)) if len(sources.collection) == 1 else None
    for k, piece in enumerate(pieces):
        id = (sources.find(piece.doc) if piece.doc else None) or only
        if id is None or piece.text is None:
            placed[k] = sources.place(piece)
        else:
            by_document.setdefault(id, []).append(k)
    for id, numbers in by_document.items():
        for k, one in zip(numbers, _in_order([pieces[k] for k in numbers], sources.text(id)), strict=True):
            placed[k] = None if one is None else (id, one)
    for piece, found in zip(pieces, placed, strict=True):
        report.add(piece, None if found is None else found[1])
        if found is None and piece.text:
            report.unplaced[_unplaced_id(piece.text)] = piece.text
    chunks = ((id, one.start, one.end) for id, one in filter(None, placed))
    return Chunking.of(name, chunks), report


def _in_order(pieces: Sequence[Piece], text: SourceText) -> list[Placed | None]:
    stated = [text.as_stated(p.text or "", None if p.start is None else (p.start, p.end)) for p in pieces]
    if all(stated):
        return stated
    in_order = text.place_in_order([piece.text or "" for piece in pieces])
    return [one or other for one, other in zip(stated, in_order, strict=True)]


def place_results(
    id: str, results: Mapping[str, Sequence[Piece]], sources: Sources, chunking: Chunking | None = None
) -> tuple[Run, Placements]:
    """Place the chunks that were returned for each topic, best first, and make a run of them.

    What has no place is a result all the same: in a document of its own, which is not relevant. With scores,
    these rank.
    """
    from dataclasses import replace

    report, builder, scored = Placements(), RunBuilder(), True
    for topic, pieces in results.items():
        for piece in pieces:
            found = sources.place(piece)
            report.add(piece, None if found is None else found[1])
            score = float("nan") if piece.score is None else piece.score
            scored = scored and piece.score is not None
            if found is not None:
                builder.add(topic, found[0], score, span=(found[1].start, found[1].end))
                continue
            text = piece.text or ""
            doc = _unplaced_id(text or f"{piece.doc} {piece.start} {piece.end}")
            report.unplaced[doc] = text
            size = len(text) if text else max(0, (piece.end or 0) - (piece.start or 0))
            builder.add(topic, doc, score, span=(0, size))
    run = replace(builder.build(id), chunking=chunking)
    return by_score(run) if scored and len(run) else run, report


def _unplaced_id(text: str) -> str:
    return UNPLACED + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


class WithTexts(Collection):
    """A collection, and texts without a place as documents beside its own, so that their words are known."""

    def __init__(self, collection: Collection, texts: Mapping[str, str]) -> None:
        super().__init__(collection.name, {}, notes=collection.notes)
        self._collection, self._texts = collection, dict(texts)

    def __len__(self) -> int:
        return len(self._collection) + len(self._texts)

    def __iter__(self) -> Iterator[str]:
        yield from self._collection
        yield from self._texts

    def __contains__(self, id: object) -> bool:
        return id in self._texts or id in self._collection

    def __getitem__(self, id: str) -> Document:
        if id in self._texts:
            return read_document(self._texts[id].encode("utf-8", "replace"), id, f"{id}.txt")
        return self._collection[id]

    def elements(self, id: str) -> Elements | None:
        """Return a document's element table, or None where there is no such document."""
        return self[id].elements if id in self._texts else self._collection.elements(id)
