"""Chunkers compared: runs of one ranking over several chunkings of the same documents, all on one index.

A chunker of ours is a kind of unit, cut when a query runs. Chunks of other programs are placed in the
documents, and ranked on the same index; what another program returned for each question is scored as it is.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from inexlab.chunks.files import read_pieces
from inexlab.chunks.gold import Gold
from inexlab.chunks.pieces import Piece
from inexlab.chunks.placing import Sources, WithTexts, place_chunking, place_results
from inexlab.collection import Collection
from inexlab.errors import UsageError
from inexlab.files import file_stem
from inexlab.index.collection import IndexedDocuments
from inexlab.index.index import Index, open_index
from inexlab.index.indexing import index_documents
from inexlab.index.sharded import open_one_index
from inexlab.index.store import is_index
from inexlab.progress import reporting
from inexlab.retrieval.engine import Engine, make_engine
from inexlab.retrieval.given import chunking_of, given_units
from inexlab.runs import Run, RunBuilder
from inexlab.runs.chunking import Chunking
from inexlab.topics.query import COQuery, Term
from inexlab.wording import counted


@contextmanager
def indexed(corpus: Index | str | Path) -> Iterator[Index]:
    """Give the index of a corpus: the one that it is, or a new one for as long as it is needed."""
    if isinstance(corpus, Index):
        yield corpus
        return
    if Path(corpus).is_dir() and is_index(Path(corpus)):
        yield open_one_index(corpus)
        return
    with tempfile.TemporaryDirectory(prefix="inexlab-") as folder:
        index_documents([Path(corpus)], Path(folder) / "index")
        yield open_index(Path(folder) / "index")


@dataclass(frozen=True, eq=False)
class ChunkRuns:
    """A run for each chunking, in the order asked for, with the documents that they are of."""

    runs: tuple[Run, ...]
    collection: Collection
    notes: tuple[str, ...]


def chunk_runs(
    index: Index,
    gold: Gold,
    chunkers: Sequence[str],
    foreign: Mapping[str, object],
    *,
    model: str = "bm25",
    limit: int = 100,
) -> ChunkRuns:
    """Rank the chunks of every chunker for every question.

    `foreign` are chunks of other programs by their names: files, frames, or objects.
    """
    documents = IndexedDocuments(index)
    sources, notes, texts = Sources(documents), list[str](), dict[str, str]()
    queries = queries_of(gold)
    runs = []
    for name in reporting([*dict.fromkeys(chunkers), *foreign], "ranking chunks", "chunkers"):
        if name not in foreign:
            engine = make_engine(index, model, by=name)
            run = _ranked(engine, queries, name, limit)
            runs.append(replace(run, chunking=chunking_of(engine.units, name)))
            continue
        pieces = read_pieces(foreign[name])
        if any(piece.topic for piece in pieces):
            run, placements = place_results(name, by_topic(pieces, gold, name), sources)
            notes += placements.notes(name, "counted as returned and not relevant")
            texts |= placements.unplaced
        else:
            chunking, placements = place_chunking(name, pieces, sources)
            notes += placements.notes(name, "not ranked")
            units, lost = given_units(index, chunking)
            if lost:
                notes.append(
                    f"{name}: {lost:,} of {counted(len(chunking), 'chunk')} inside others, not ranked"
                )
            engine = replace(make_engine(index, model, by="articles"), given=units)
            run = replace(_ranked(engine, queries, name, limit), chunking=chunking)
        runs.append(run)
    return ChunkRuns(tuple(runs), WithTexts(documents, texts) if texts else documents, tuple(notes))


def _ranked(engine: Engine, queries: Mapping[str, COQuery], name: str, limit: int) -> Run:
    """Return the best chunks for every question, overlapping ones included, as a retriever returns them."""
    engine, builder = replace(engine, distinct_texts=True), RunBuilder()
    documents = engine.index.documents
    for topic, query in queries.items():
        ranking = engine.answer(query, "thorough", limit=limit)
        spans = zip(*(column.tolist() for column in engine.units.spans(ranking.element)), strict=True)
        rows = zip(ranking.document.tolist(), ranking.score.tolist(), spans, strict=True)
        for document, score, span in rows:
            builder.add(topic, documents[document], score, span=span)
    if not len(builder):
        raise UsageError(f"{name}: nothing was found for any question.")
    return builder.build(name)


def queries_of(gold: Gold) -> dict[str, COQuery]:
    """Return the questions as queries: their words, whatever punctuation would mean in a query."""
    missing = [topic for topic in gold.judgements.topics if not gold.questions.get(topic, "").strip()]
    if missing:
        raise UsageError(
            f"the gold does not tell the questions ({', '.join(missing[:3])}{' …' * (len(missing) > 3)}): "
            "give `topics=FILE`."
        )
    return {
        topic: COQuery(tuple(Term((word,)) for word in re.findall(r"[^\W_]+", gold.questions[topic])))
        for topic in gold.judgements.topics
    }


def by_topic(pieces: Iterable[Piece], gold: Gold, name: str) -> dict[str, list[Piece]]:
    """Return what was returned for each topic; topics may be named by their questions."""
    results: dict[str, list[Piece]] = {}
    for place, piece in enumerate(pieces, start=1):
        if not piece.topic:
            raise UsageError(f"{name}, chunk {place}: no topic, where others have one.")
        results.setdefault(gold.topic_of(piece.topic), []).append(piece)
    return results


def foreign_chunks(chunks: object) -> dict[str, object]:
    """Return chunks of other programs by their names: those of a dictionary, or files by their stems."""
    if isinstance(chunks, Mapping):
        return {str(name): given for name, given in chunks.items()}
    if isinstance(chunks, str | Path):
        chunks = [chunks]
    files = list(chunks) if isinstance(chunks, Iterable) else []
    if not all(isinstance(file, str | Path) for file in files):
        return {"chunks": files}
    stems = [file_stem(str(file)) for file in files]
    distinct = len(set(stems)) == len(stems)
    return {stem if distinct else str(file): file for stem, file in zip(stems, files, strict=True)}


# --- where chunks cut the gold -------------------------------------------------------------------------


@dataclass(frozen=True)
class CutSpan:
    """A highlight, and by chunking how much of it the best chunk has, and where borders cut it."""

    topic: str
    doc: str
    start: int
    end: int
    share: Mapping[str, float]
    borders: Mapping[str, Sequence[int]]


def cut_spans(gold: Gold, chunkings: Sequence[Chunking]) -> list[CutSpan]:
    """Return every highlight with what each chunking makes of it."""
    found = []
    for row in gold.judgements:
        by_name: list[tuple[str, Any, Any, Any, Any]] = []
        for chunking in chunkings:
            rows = chunking.rows_of(row.doc)
            start, end = chunking.start[rows], chunking.end[rows]
            reach = np.maximum.accumulate(end) if len(end) else end
            by_name.append((chunking.name, start, end, reach, np.unique(np.concatenate((start, end)))))
        for a, b in row.spans:
            shares, borders = {}, {}
            for name, start, end, reach, edges in by_name:
                low, high = np.searchsorted(reach, a, side="right"), np.searchsorted(start, b)
                common = np.minimum(end[low:high], b) - np.maximum(start[low:high], a)
                shares[name] = max(0, int(common.max(initial=0))) / (b - a)
                inside = slice(np.searchsorted(edges, a, side="right"), np.searchsorted(edges, b))
                borders[name] = edges[inside].tolist()
            found.append(CutSpan(row.topic, row.doc, a, b, shares, borders))
    return found
