"""Building an index: documents one after the other, in memory that does not grow with their number.

Tokens are gathered until a segment is full, or there are too many different ones; then they are inverted and
written, terms and positions, as a stretch of the axis. In the end the stretches are joined, term by term.
Elements, texts and ids are written as they come.
"""

from __future__ import annotations

import contextlib
from array import array
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from inexlab.collection.archives import need_room_for
from inexlab.collection.documents import FileFilter, LeftAlone, same_id
from inexlab.collection.entities import Entities
from inexlab.collection.profile import Profile, guess_profile
from inexlab.collection.reader import Events, extension, reader_of
from inexlab.collection.seen import NamesFile, Seen
from inexlab.errors import InputError, UsageError
from inexlab.index.analysis.languages import AUTO, UNKNOWN
from inexlab.index.analysis.terms import Analyser, read_stop_words
from inexlab.index.assembly import BuiltPart, Counts, write_index
from inexlab.index.batch import Batch
from inexlab.index.halves import HALVED, HalvedFile
from inexlab.index.joining import SortedTexts, Stretch
from inexlab.index.numbers import TermNumbers
from inexlab.index.places import PlaceFiles
from inexlab.index.postings import invert
from inexlab.index.scan import BORDERS, CHARACTERS, ELEMENTS
from inexlab.index.scanner import Scanner
from inexlab.index.segment import (
    BYTES,
    DEPTH,
    ELEMENT_COLUMNS,
    FREQUENCY,
    LAST,
    ROW,
    UNIT_COUNT,
    UNIT_TERMS,
    UNIT_TOKENS,
    UNITS,
    add_documents,
)
from inexlab.index.spool import Spool
from inexlab.index.store import ArrayFile, BordersFile, TextFile, unfinished
from inexlab.index.titles import TitleTags, title_of
from inexlab.memory import keep_freed_memory
from inexlab.signals import ready_to_hold
from inexlab.tables import Codes, Ints

_SEGMENT = 3 << 23  # tokens held in memory
_ELEMENTS = 100_000  # and elements
_MOST_ELEMENTS = (1 << 31) - 1  # of a segment, so that 32 bits count those that hold a term
_BATCH = 1 << 23  # bytes of documents whose terms are counted at once
_AT_ONCE = 1 << 14  # names written
_TEXTS = 700_000  # different tokens and terms that are held in memory: tables for more take twice the room
_STEPS = 10  # of plain Python to a token

Content = bytes | Callable[[], bytes]


@dataclass(frozen=True)
class Settings:
    """How documents become an index; the profile is found out from the first document where it is None."""

    profile: Profile | None = None
    language: str = AUTO  # of all documents; `auto` takes each for what it says, or its words tell
    stemmer: str = AUTO  # of all languages; `auto` is that of each
    stop_words: str | frozenset[str] = AUTO  # so, too
    strict: bool = False
    ids: str = ""  # the rule for ids of documents, `name` or `path`; unless given, that of the profile
    keep_extension: frozenset[str] = frozenset()  # paths that several documents share
    file_filter: FileFilter = field(default_factory=FileFilter)
    entities: Entities = field(default_factory=Entities)

    @property
    def analyser(self) -> Analyser:
        """How words become terms."""
        stop = read_stop_words(self.stop_words) if isinstance(self.stop_words, str) else self.stop_words
        return Analyser(self.language, self.stemmer, stop)


@dataclass
class Summary(Counts):
    """What a build did; `left_alone` counts files that were not indexed, also those that cannot be read."""

    bytes_read: int = 0
    tags: int = 0
    terms: int = 0
    offered: int = 0  # documents that were to be indexed
    unreadable: int = 0  # and those of them that were left out
    skipped: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    languages: Counter[str] = field(default_factory=Counter)  # how many tokens of each there are
    left_alone: Counter[LeftAlone] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)  # references to entities, by name

    @property
    def mostly_left_out(self) -> bool:
        """Whether most of the documents were left out."""
        return 2 * self.unreadable > self.offered

    def leave_out(self, name: str, error: InputError) -> None:
        """Take note of a document that cannot be read."""
        self.unreadable += 1
        self.skipped.append(str(error))
        reason = "undeclared entity" if error.problem.startswith("the entity &") else error.problem
        kind = extension(name) or "no extension"
        self.left_alone[LeftAlone(kind, reason.partition(" (")[0].rstrip("."))] += 1


READING = "indexing"  # what is reported


class NothingToIndexError(UsageError):
    """None of the documents could be indexed."""

    def __init__(self, summary: Summary) -> None:
        self.summary = summary
        super().__init__(next(iter(summary.skipped), "there is no document to index."))


# The final ids of the documents with these numbers, the rule they follow, and what was left alone. Documents
# are counted from 0, those that cannot be read, too.
Settle = Callable[[Ints], tuple[Iterable[str], str, Counter[LeftAlone]]]


def build_index(
    documents: Iterable[tuple[str, str, Content]],
    out: Path,
    settings: Settings | None = None,
    *,
    settle: Settle | None = None,
    replace: bool = False,
) -> Summary:
    """Build an index of documents (id, name for messages, content) at `out`, which appears when complete.

    A document that cannot be read is left out and named in the summary, or raised where `strict`. Where it
    takes all documents to know their ids, `settle` is asked for them in the end. With `replace` the index
    takes the place of another.
    """
    settings = settings or Settings()
    with (
        ready_to_hold(),
        unfinished(out, replace=replace) as folder,
        contextlib.closing(_Builder(folder, settings, settle)) as builder,
    ):
        _add_all(builder, documents, check=settle is None)
        part = builder.complete()
        summary = builder.summary
        profile, terms = builder.profile, settings.analyser
        summary.tags, summary.terms = write_index(folder, [part], profile, terms, summary.left_alone)
        part.spool.remove()
    return summary


def build_part(
    documents: Iterable[tuple[str, str, Content]],
    folder: Path,
    settings: Settings,
) -> tuple[Summary, BuiltPart | None]:
    """Build a part of an index in a new folder: of documents that have ids of their own.

    There is none where no document can be read.
    """
    folder.mkdir()
    with ready_to_hold(), contextlib.closing(_Builder(folder, settings)) as builder:
        try:
            _add_all(builder, documents, check=False)
        except NothingToIndexError as nothing:
            return nothing.summary, None
        return builder.summary, builder.complete(spooled=True)


def _add_all(
    builder: _Builder,
    documents: Iterable[tuple[str, str, Content]],
    *,
    check: bool,
) -> None:
    summary, settings = builder.summary, builder.settings
    for id, name, content in documents:
        summary.offered += 1
        if check:
            builder.check_id(id, name)
        try:
            data = content if isinstance(content, bytes) else content()
            summary.bytes_read += len(data)
            builder.add(id, name, data)
        except InputError as error:
            if settings.strict:
                raise
            builder.left_out.append(summary.offered - 1)
            summary.leave_out(name, error)
    summary.dropped = settings.entities.dropped
    summary.notes += settings.entities.notes
    if not summary.documents:
        raise NothingToIndexError(summary)


class _Builder:
    def __init__(self, folder: Path, settings: Settings, settle: Settle | None = None) -> None:
        self._folder, self.settings, self._settle = folder, settings, settle
        keep_freed_memory()  # of a batch for the next one
        self.summary = Summary()
        self._profile = settings.profile
        self._scanner = Scanner(settings.profile.kinds, settings.entities) if settings.profile else None
        self._title_tags: TitleTags | None = None
        self._batch = Batch()
        self._numbers = TermNumbers(settings.analyser)
        # elements that are in another language than those around them, and which one
        self._languages = [ArrayFile(folder, f"language-{name}") for name in ("element", "number")]
        self._halved = {name: HalvedFile(folder, f"element-{name}") for name in HALVED}
        self._columns = {
            name: ArrayFile(folder, f"element-{name}") for name in ELEMENT_COLUMNS if name not in HALVED
        }
        self._document_columns = [BordersFile(folder, f"document-{name}") for name in ("elements", "tokens")]
        self._texts, self._titles = TextFile(folder), _NamesColumn(folder, "document-title")
        self._ids, self._places = _NamesColumn(folder, "document-id"), PlaceFiles(folder)
        self._batch_ids: list[str] = []
        self._known_ids, self._known_names = Seen(), NamesFile()
        self.left_out = array("q")  # numbers of documents that cannot be read
        self._segment: Codes = np.empty(_SEGMENT, dtype=np.int32)
        self._filled = 0  # tokens in it
        self._elements: npt.NDArray[np.uint32] = np.empty((len(ELEMENT_COLUMNS), _ELEMENTS), dtype=np.uint32)
        self._elements_filled = 0
        self._segment_elements = 0  # elements of the documents in the segment
        self._base = 0  # where the segment begins on the axis
        self._spool = Spool(folder)  # those before
        self._rows: Codes = np.zeros((1 << 16, ROW), dtype=np.int32)

    @property
    def profile(self) -> Profile:
        """What tags mean, found out from the first document where it was not given."""
        if self._profile is None:
            raise AssertionError("documents were added without a profile")
        return self._profile

    def close(self) -> None:
        """Close all files, also where the part was not finished."""
        for file in self._array_files():
            file.close()
        for files in (self._texts, self._places, self._titles, self._ids):
            files.close()

    def _array_files(self) -> list[ArrayFile]:
        halved = [file for column in self._halved.values() for file in column.files]
        return [*self._columns.values(), *halved, *self._languages, *self._document_columns]

    def check_id(self, id: str, name: str) -> None:
        """Refuse a second document with an id."""
        if self._known_ids.add(id):
            for known, one in self._known_names:
                if known == id:
                    raise same_id(id, one, name, self._profile.ids if self._profile else "")
        self._known_names.add(id, name)

    def add(self, id: str, name: str, data: bytes) -> None:
        """Add a document; where it is not well-formed, nothing is."""
        scanner = self._scanner or self._first_scanner(data, name)
        scanner.scan(data, name, self._batch)
        self._batch_ids.append(id)
        self.summary.documents += 1
        if self._batch.size > _BATCH:
            self._index_batch(scanner)

    def _index_batch(self, scanner: Scanner) -> None:
        """Number and count the terms of the documents scanned so far; write their elements and texts."""
        batch = self._batch
        ends = np.array(batch.ends)
        elements, borders = int(batch.filled[ELEMENTS]), int(batch.filled[BORDERS])
        self._make_room(borders // 2, elements)
        terms = self._numbers.numbers(batch)
        self._grow_rows()
        facts = np.empty(DEPTH + 1, dtype=np.int64)
        add_documents.for_work(_STEPS * len(terms))(
            terms,
            batch.forest,
            ends[:, ELEMENTS],
            ends[:, BORDERS] // 2,
            scanner.tag_kinds,
            self._rows,
            self._segment,
            self._filled,
            self._elements,
            self._elements_filled,
            facts,
        )
        self._add_languages(batch, elements)
        for file, column in zip(self._document_columns, (ELEMENTS, BORDERS), strict=True):
            counts = np.diff(ends[:, column])
            file.add_sizes(counts // 2 if column == BORDERS else counts)
        self._elements_filled += elements
        self._filled += len(terms)
        if self._title_tags is None:
            self._title_tags = TitleTags(self.profile.document_titles)
        title_codes = self._title_tags.codes(scanner.tags)
        self._places.add(batch, scanner)
        self._texts.add_all(batch.text_of(document).data for document in range(len(batch)))
        self._titles.add(title_of(batch, document, title_codes) for document in range(len(batch)))
        if self._settle is None:
            self._ids.add(self._batch_ids)
        self._batch_ids.clear()
        self._count(batch, len(terms), facts)
        batch.clear()
        if len(self._numbers) > _TEXTS:
            self._flush()
            self._numbers.forget()

    def _add_languages(self, batch: Batch, elements: int) -> None:
        """Write which elements of a batch say that they are in another language than what is around them."""
        spoken, parent = batch.language[:elements], batch.parent[:elements]
        if spoken.any():
            differ = np.flatnonzero(spoken != np.where(parent < 0, UNKNOWN, spoken[parent]))
            self._languages[0].add(self.summary.elements + differ)
            self._languages[1].add(spoken[differ])

    def _count(self, batch: Batch, tokens: int, facts: Ints) -> None:
        s = self.summary
        s.elements += int(batch.filled[ELEMENTS])
        s.characters += int(batch.filled[CHARACTERS])
        s.tokens += tokens
        s.units += int(facts[UNIT_COUNT])
        s.unit_tokens += int(facts[UNIT_TOKENS])
        s.unit_terms += int(facts[UNIT_TERMS])
        s.depth = max(s.depth, int(facts[DEPTH]))

    def _first_scanner(self, data: bytes, name: str) -> Scanner:
        """Find out the profile from the first document that can be read."""
        self._profile = profile_of(data, name, self.settings.entities)
        self._scanner = Scanner(self._profile.kinds, self.settings.entities)
        return self._scanner

    def _make_room(self, tokens: int, elements: int) -> None:
        """See that there is room for a document's tokens and elements."""
        too_many = self._segment_elements + elements > _MOST_ELEMENTS
        if self._filled + tokens > len(self._segment) or too_many:
            self._flush()
            if tokens > len(self._segment):
                self._segment = np.empty(2 * tokens, dtype=np.int32)
        if self._elements_filled + elements > self._elements.shape[1]:
            self._flush_elements()
            if elements > self._elements.shape[1]:
                self._elements = np.empty((len(ELEMENT_COLUMNS), 2 * elements), dtype=np.uint32)
        self._segment_elements += elements

    def _flush_elements(self) -> None:
        """Write the elements gathered so far."""
        filled = dict(zip(ELEMENT_COLUMNS, self._elements[:, : self._elements_filled], strict=True))
        for name, file in self._columns.items():
            file.add(filled[name])
        for name, halved in self._halved.items():
            halved.add(filled[name], filled["parent"])
        self._elements_filled = 0

    def _grow_rows(self) -> None:
        if len(self._numbers) > len(self._rows):
            new = np.zeros((len(self._numbers), ROW), dtype=np.int32)
            self._rows = np.concatenate((self._rows, new))

    def _flush(self) -> None:
        """Invert the segment and write it."""
        if self._filled:
            self._spool.add(self._stretch())
            self._base += self._filled
            self._filled = 0
        self._segment_elements = 0

    def _stretch(self) -> Stretch:
        """Return what is known of the terms in the segment."""
        rows = self._rows[: len(self._numbers)]
        order, words, words_from = self._numbers.in_order(np.flatnonzero(rows[:, FREQUENCY]))
        chosen = rows.take(order, axis=0)
        data, data_from = invert(self._segment[: self._filled], len(rows), order, chosen[:, BYTES])
        place = np.empty(len(rows), dtype=np.int64)
        place[order] = np.arange(len(order))
        keys, pairs = self._numbers.take_variants()
        key_order, key_words, keys_from = keys.in_order()
        key_place = np.argsort(key_order)
        of_key, key_terms = np.divmod(np.unique(key_place[pairs[:, 0]] << 32 | place[pairs[:, 1]]), 1 << 32)
        counts = np.bincount(of_key, minlength=len(keys))
        units, frequency, last = (chosen[:, column] for column in (UNITS, FREQUENCY, LAST))
        rows[:] = 0
        return Stretch(
            SortedTexts(words, words_from),
            frequency,
            units,
            data,
            data_from,
            last - 1,
            SortedTexts(key_words, keys_from),
            np.concatenate(([0], np.cumsum(counts))),
            key_terms,
            self._base,
        )

    def complete(self, *, spooled: bool = False) -> BuiltPart:
        """Write all that is left, but for the terms of an only segment unless they are to be `spooled`."""
        scanner, rule = self._scanner, self.profile.ids or "name"
        if scanner is None:
            raise AssertionError("documents were added without a scanner")
        if self._settle is not None:
            numbers = np.delete(np.arange(self.summary.offered), self.left_out)
            ids, rule, left_alone = self._settle(numbers)
            self.summary.left_alone += left_alone
            self._ids.add_many(ids)
        self._index_batch(scanner)
        self._profile = replace(self.profile, ids=rule)
        self._flush_elements()
        if spooled or len(self._spool):
            self._flush()
        held = [] if len(self._spool) else [self._stretch()]
        self._segment = np.empty(0, dtype=np.int32)  # its room is needed now
        entries = {file.name: file.close() for file in self._array_files()}
        for files in (self._texts, self._places, self._titles, self._ids):
            entries |= files.complete()
        self.summary.languages = self._numbers.languages
        counts = Counts(**{name: getattr(self.summary, name) for name in Counts.__dataclass_fields__})
        kinds = scanner.tag_kinds.tolist()
        return BuiltPart(
            self._folder, entries, self._spool, scanner.tags, kinds, self.summary.languages, counts, held
        )


class _NamesColumn:
    """Texts of documents while they grow: one row of bytes, and where each begins."""

    def __init__(self, folder: Path, name: str) -> None:
        self._bytes, self._borders = (
            ArrayFile(folder, f"{name}-bytes"),
            BordersFile(folder, f"{name}-from", "u1"),
        )

    def add(self, texts: Iterable[str]) -> None:
        """Write some more."""
        encoded = [text.encode() for text in texts]
        self._bytes.add_bytes(b"".join(encoded))
        self._borders.add_sizes(np.array([len(text) for text in encoded], dtype=np.int64))

    def add_many(self, texts: Iterable[str]) -> None:
        """Write any number more."""
        rest = iter(texts)
        while some := list(islice(rest, _AT_ONCE)):
            self.add(some)

    def close(self) -> None:
        """Close the files, also where they are not complete."""
        self.complete()

    def complete(self) -> dict[str, Any]:
        """Complete the files; return what the manifest says of them."""
        return {file.name: file.close() for file in (self._bytes, self._borders)}


def profile_of(data: bytes, name: str, entities: Entities | None = None) -> Profile:
    """Return the built-in profile that fits a document; raises InputError where it cannot be read."""
    need_room_for(len(data), name)
    tags: dict[str, bool] = {}
    events = Events(lambda tag: tags.setdefault(tag, True), lambda _: None, lambda _: None)
    # of the few documents that are asked about, this takes less time than loading compiled loops
    reader_of(name, data).read(data, name, events, entities or Entities())
    return guess_profile(set(tags), next(iter(tags)))
