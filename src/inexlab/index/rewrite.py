"""An index written again: some documents removed, others in the place of old ones, new ones behind.

An index holds the texts and elements of its documents, so it can be built again of itself: it is then the
same, byte for byte, as one that was built of those documents in that order.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from inexlab.collection.document import Document
from inexlab.collection.documents import LeftAlone
from inexlab.index.analysis.languages import AUTO
from inexlab.index.build import Content, Settings, build_index
from inexlab.index.collection import IndexedDocuments
from inexlab.index.index import Index
from inexlab.index.merge import left_alone_of
from inexlab.index.scanner import Plainest
from inexlab.progress import report
from inexlab.tables import Ints


def settings_of(index: Index) -> Settings:
    """Return the settings that an index was built with."""
    words = index.analyser
    stop = AUTO if words.given_stop is None else words.given_stop
    return Settings(index.profile, words.language, words.stemmer, stop, ids=index.profile.ids)


def rewrite(
    target: Path, index: Index, new: Index | None = None, without: frozenset[str] = frozenset()
) -> None:
    """Write the index at `target` again, with the documents of a new one and without some of its own."""
    ids = [id for id in index.documents if id not in without]
    sources = [new if new is not None and id in new.document_numbers else index for id in ids]
    if new is not None:
        added = [id for id in new.documents if id not in index.document_numbers]
        ids += added
        sources += [new] * len(added)
    left_alone = left_alone_of(index) + (left_alone_of(new) if new is not None else Counter())

    def settle(_numbers: Ints) -> tuple[Sequence[str], str, Counter[LeftAlone]]:
        return ids, index.profile.ids, left_alone

    documents = _documents(ids, sources)
    build_index(documents, target, settings_of(index), settle=settle, replace=True)


def _documents(ids: Sequence[str], sources: Sequence[Index]) -> Iterator[tuple[str, str, Content]]:
    for done, (id, source) in enumerate(zip(ids, sources, strict=True), start=1):
        yield id, f"{source.folder}/{id}", functools.partial(_content, source, id)
        report("writing documents again", done, len(ids), "documents")


def _content(source: Index, id: str) -> Plainest:
    languages = source.declared_languages(source.document_numbers[id])
    return plainest(IndexedDocuments(source)[id], languages)


def plainest(document: Document, languages: Mapping[int, str]) -> Plainest:
    """Return a document in the plainest XML, with the languages that some of its elements say."""
    from xml.sax.saxutils import escape  # loads what reads from the web, which a search does without

    table, text = document.elements, document.text
    pieces: list[str] = []
    open_elements: list[tuple[str, int]] = []
    at = 0
    depths: list[int] = []  # of every element
    for tag, parent, start, end in zip(
        (table.tags[code] for code in table.tag.tolist()),
        table.parent.tolist(),
        table.start.tolist(),
        table.end.tolist(),
        strict=True,
    ):
        depth = depths[parent] + 1 if parent >= 0 else 0
        depths.append(depth)
        while len(open_elements) > depth:
            ended, stop = open_elements.pop()
            pieces += (escape(text[at:stop], _RETURN), f"</{ended}>")
            at = stop
        declared = languages.get(len(depths) - 1)
        language = "" if declared is None else f' xml:lang="{declared}"'
        pieces += (escape(text[at:start], _RETURN), f"<{tag}{language}>")
        at = start
        open_elements.append((tag, end))
    while open_elements:
        ended, stop = open_elements.pop()
        pieces += (escape(text[at:stop], _RETURN), f"</{ended}>")
        at = stop
    return Plainest("".join(pieces).encode())


_RETURN = {"\r": "&#13;"}
