"""Building an index: documents one after the other, in memory that does not grow with their number.

Tokens are gathered until a segment is full, then inverted and written; in the end the segments' positions are
joined term by term. Elements and texts are written as they come.
"""

from __future__ import annotations

import contextlib
import functools
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from inexlab.collection.documents import FileFilter, LeftAlone, same_id
from inexlab.collection.entities import Entities
from inexlab.collection.profile import Profile, guess_profile, names_tag
from inexlab.collection.reader import extension
from inexlab.errors import InputError, UsageError
from inexlab.index.analysis import analysis_name
from inexlab.index.analysis.languages import AUTO, UNKNOWN
from inexlab.index.analysis.terms import Analyser, read_stop_words
from inexlab.index.batch import Batch
from inexlab.index.blocks import Array
from inexlab.index.numbers import TermNumbers
from inexlab.index.places import PlaceFiles
from inexlab.index.postings import PostingsPart, invert, join_parts
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
from inexlab.index.store import (
    ArrayFile,
    TextFile,
    save_array,
    save_manifest,
    save_narrow,
    save_texts,
    unfinished,
)
from inexlab.index.vocabulary import Vocabulary
from inexlab.tables import Codes, Ints

_SEGMENT = 3 << 23  # tokens held in memory
_ELEMENTS = 100_000  # and elements
_MOST_ELEMENTS = (1 << 31) - 1  # of a segment, so that 32 bits count those that hold a term
_BATCH = 1 << 23  # bytes of documents whose terms are counted at once
_STEPS = 10  # of plain Python to a token
_PARTS = ("data", "from", "last")  # of a segment on disk

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
class Counts:
    """How much an index holds; units are the elements that are retrieved: not inline, not empty."""

    documents: int = 0
    elements: int = 0
    tokens: int = 0
    characters: int = 0
    units: int = 0
    unit_tokens: int = 0
    unit_terms: int = 0
    depth: int = 0


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


class NothingToIndexError(UsageError):
    """None of the documents could be indexed."""

    def __init__(self, summary: Summary) -> None:
        self.summary = summary
        super().__init__(next(iter(summary.skipped), "there is no document to index."))


# the final ids of documents by their names for messages, the rule they follow, and what was left alone
Settle = Callable[[Sequence[str]], tuple[Sequence[str], str, Counter[LeftAlone]]]


def build_index(
    documents: Iterable[tuple[str, str, Content]],
    out: Path,
    settings: Settings | None = None,
    progress: Callable[[Summary], object] = lambda _: None,
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
        unfinished(out, replace=replace) as folder,
        contextlib.closing(_Builder(folder, settings)) as builder,
    ):
        for id, name, content in documents:
            builder.summary.offered += 1
            if settle is None:
                builder.check_id(id, name)
            try:
                data = content if isinstance(content, bytes) else content()
                builder.summary.bytes_read += len(data)
                builder.add(id, name, data)
            except InputError as error:
                if settings.strict:
                    raise
                builder.summary.leave_out(name, error)
            progress(builder.summary)
        if not builder.summary.documents:
            raise NothingToIndexError(builder.summary)
        builder.finish(settle)
    builder.summary.dropped = settings.entities.dropped
    builder.summary.notes += settings.entities.notes
    return builder.summary


def index_settings(
    profile: Profile,
    terms: Analyser,
    languages: Mapping[str, int],
    tags: list[str],
    kinds: list[int],
    counts: Counts,
    left_alone: Mapping[LeftAlone, int],
) -> dict[str, Any]:
    """Return what the manifest says of an index, beside its arrays."""
    return {
        "profile": asdict(profile),
        "left_alone": sorted([*what, count] for what, count in left_alone.items()),
        "analysis": analysis_name(),
        "language": terms.language,
        "stemmer": terms.stemmer,
        "stop_words": AUTO if terms.given_stop is None else sorted(terms.given_stop),
        "languages": dict(sorted(languages.items(), key=lambda row: (-row[1], row[0]))),
        "tags": tags,
        "tag_kinds": kinds,
        **{name: getattr(counts, name) for name in Counts.__dataclass_fields__},
    }


class _Builder:
    def __init__(self, folder: Path, settings: Settings) -> None:
        self._folder, self._settings = folder, settings
        self.summary = Summary()
        self._profile = settings.profile
        self._scanner = Scanner(settings.profile.kinds, settings.entities) if settings.profile else None
        self._title_tags: _TitleTags | None = None
        self._batch = Batch()
        self._terms = settings.analyser
        self._numbers = TermNumbers(self._terms)
        # elements that are in another language than those around them, and which one
        self._languages = [ArrayFile(folder, f"language-{name}") for name in ("element", "number")]
        self._columns = [ArrayFile(folder, f"element-{name}") for name in ELEMENT_COLUMNS]
        self._texts, self._titles = TextFile(folder), ArrayFile(folder, "document-title-bytes")
        self._places = PlaceFiles(folder)
        self._ids: list[str] = []
        self._indexed: list[str] = []  # their names for messages
        self._names: dict[str, str] = {}  # of all documents, by id
        self._elements_from, self._tokens_from = array("q", [0]), array("q", [0])
        self._titles_from = array("q", [0])
        self._segment: Codes = np.empty(_SEGMENT, dtype=np.int32)
        self._filled = 0  # tokens in it
        self._elements: npt.NDArray[np.uint32] = np.empty((len(ELEMENT_COLUMNS), _ELEMENTS), dtype=np.uint32)
        self._elements_filled = 0
        self._segment_elements = 0  # elements of the documents in the segment
        self._segments: list[int] = []  # where they begin on the axis
        self._base = 0  # and where this one does
        self._rows: Codes = np.zeros((1 << 16, ROW), dtype=np.int32)
        self._totals: Ints = np.zeros((0, 2), dtype=np.int64)  # units and frequency of terms in all segments

    def close(self) -> None:
        """Close all files, also where the index was not finished."""
        self._texts.close()
        self._places.close()
        for file in (*self._columns, *self._languages, self._titles):
            file.close()

    def check_id(self, id: str, name: str) -> None:
        """Refuse a second document with an id."""
        if id in self._names:
            raise same_id(id, self._names[id], name, self._profile.ids if self._profile else "")
        self._names[id] = name

    def add(self, id: str, name: str, data: bytes) -> None:
        """Add a document; where it is not well-formed, nothing is."""
        scanner = self._scanner or self._first_scanner(data, name)
        scanner.scan(data, name, self._batch)
        self._ids.append(id)
        self._indexed.append(name)
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
        self._elements_from.extend((self._elements_from[-1] + ends[1:, ELEMENTS]).tolist())
        self._tokens_from.extend((self._tokens_from[-1] + ends[1:, BORDERS] // 2).tolist())
        self._elements_filled += elements
        self._filled += len(terms)
        if self._title_tags is None:
            self._title_tags = _TitleTags(self._profile.document_titles if self._profile else ())
        title_codes = self._title_tags.codes(scanner.tags)
        self._places.add(batch, scanner)
        for document in range(len(batch)):
            self._texts.add(batch.text_of(document).data)
            self._add_title(_title(batch, document, title_codes).encode())
        self._count(batch, len(terms), facts)
        batch.clear()

    def _add_languages(self, batch: Batch, elements: int) -> None:
        """Write which elements of a batch say that they are in another language than what is around them."""
        spoken, parent = batch.language[:elements], batch.parent[:elements]
        if spoken.any():
            differ = np.flatnonzero(spoken != np.where(parent < 0, UNKNOWN, spoken[parent]))
            self._languages[0].add(self._elements_from[-1] + differ)
            self._languages[1].add(spoken[differ])

    def _add_title(self, title: bytes) -> None:
        self._titles.add_bytes(title)
        self._titles_from.append(self._titles_from[-1] + len(title))

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
        self._profile = profile_of(data, name, self._settings.entities)
        self._scanner = Scanner(self._profile.kinds, self._settings.entities)
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
        for file, column in zip(self._columns, self._elements, strict=True):
            file.add(column[: self._elements_filled])
        self._elements_filled = 0

    def _grow_rows(self) -> None:
        if len(self._numbers) > len(self._rows):
            new = np.zeros((len(self._numbers), ROW), dtype=np.int32)
            self._rows = np.concatenate((self._rows, new))

    def _flush(self) -> None:
        """Invert the segment and write it."""
        if self._filled:
            last = self._rows[: len(self._numbers), LAST].astype(np.int64) - 1
            for name, array_ in zip(_PARTS, (*self._invert(np.arange(len(last))), last), strict=True):
                save_array(self._folder, f"segment-{len(self._segments)}-{name}", array_)
            self._segments.append(self._base)
            self._base += self._filled
            self._filled = 0
        self._segment_elements = 0

    def _invert(self, order: Ints) -> tuple[Array, Ints]:
        """Return the positions of terms in the segment, and add what these count to the totals."""
        rows = self._rows[: len(self._numbers)]
        inverted = invert(self._segment[: self._filled], rows[:, BYTES], order)
        totals = rows[:, [UNITS, FREQUENCY]].astype(np.int64)
        totals[: len(self._totals)] += self._totals
        self._totals = totals
        rows[:] = 0
        return inverted

    def _save_positions(self, order: Ints) -> dict[str, Any]:
        """Write the positions of all terms: those of the only segment, or of all segments joined."""
        if not self._segments:
            data, borders = self._invert(order)
            return save_positions(self._folder, borders, [data])
        self._flush()
        self._segment = np.empty(0, dtype=np.int32)  # its room is needed now
        place = np.empty(len(order), dtype=np.int32)
        place[order] = np.arange(len(order), dtype=np.int32)
        loads = [functools.partial(_segment, self._folder, k, place, b) for k, b in enumerate(self._segments)]
        arrays = save_positions(self._folder, *join_parts(loads, len(order)))
        for k in range(len(self._segments)):
            for part in _PARTS:
                (self._folder / f"segment-{k}-{part}.bin").unlink()
        return arrays

    def finish(self, settle: Settle | None) -> None:
        """Write all that is left."""
        scanner, profile = self._scanner, self._profile
        if scanner is None or profile is None:
            raise AssertionError("documents were added without a scanner")
        ids: Sequence[str] = self._ids
        rule = profile.ids or "name"
        if settle is not None:
            ids, rule, left_alone = settle(self._indexed)
            self.summary.left_alone += left_alone
        self._index_batch(scanner)
        self._flush_elements()
        folder = self._folder
        files = (*self._columns, *self._languages, self._titles)
        arrays = {file.name: file.close() for file in files} | self._texts.complete()
        arrays |= self._places.complete()
        order, words, borders = self._numbers.in_order()
        arrays |= self._save_positions(order)
        arrays |= save_variants(folder, order, *self._numbers.variants)
        arrays["term-bytes"] = save_array(folder, "term-bytes", words)
        arrays["term-from"] = save_narrow(folder, "term-from", borders)
        arrays["term-frequency"] = save_narrow(folder, "term-frequency", self._totals[order, 1])
        arrays["term-elements"] = save_narrow(folder, "term-elements", self._totals[order, 0])
        arrays |= save_texts(folder, "document-id", ids)
        titles_from = np.array(self._titles_from, dtype=np.int64)
        arrays["document-title-from"] = save_narrow(folder, "document-title-from", titles_from)
        for name, numbers in (
            ("document-elements", self._elements_from),
            ("document-tokens", self._tokens_from),
        ):
            arrays[name] = save_array(folder, name, np.array(numbers, dtype=np.int64))
        self.summary.tags, self.summary.terms = len(scanner.tags), len(order)
        kinds = scanner.tag_kinds.tolist()
        self.summary.languages = self._numbers.languages
        save_manifest(
            folder,
            index_settings(
                replace(profile, ids=rule),
                self._terms,
                self.summary.languages,
                scanner.tags,
                kinds,
                self.summary,
                self.summary.left_alone,
            ),
            arrays,
        )


def profile_of(data: bytes, name: str, entities: Entities | None = None) -> Profile:
    """Return the built-in profile that fits a document; raises InputError where it cannot be read."""
    looked = Scanner(entities=entities)
    looked.scan(data, name, Batch())
    return guess_profile(set(looked.tags), looked.tags[0])


def save_variants(folder: Path, order: Ints, keys: Vocabulary, pairs: Ints) -> dict[str, Any]:
    """Write which terms there are for words without accents, other than themselves, in the words' order.

    A pair is the number of such a word, and the one that a term had, maybe more than once; `order` are these
    in the order of the terms. Of each of the words there is a pair.
    """
    key_order, words, borders = keys.in_order()
    key_place, term_place = np.argsort(key_order), np.argsort(order)
    found = np.unique(key_place[pairs[:, 0]] * len(order) + term_place[pairs[:, 1]])
    of_key, term = np.divmod(found, max(1, len(order)))
    counts = np.bincount(of_key, minlength=len(keys))
    return {
        "variant-key-bytes": save_array(folder, "variant-key-bytes", words),
        "variant-key-from": save_narrow(folder, "variant-key-from", borders),
        "variant-from": save_narrow(folder, "variant-from", np.cumsum([0, *counts])),
        "variant-term": save_narrow(folder, "variant-term", term),
    }


def save_positions(folder: Path, borders: Ints, pieces: Iterable[Array]) -> dict[str, Any]:
    """Write the positions of all terms."""
    with contextlib.closing(ArrayFile(folder, "positions")) as file:
        for piece in pieces:
            file.add_bytes(piece.data)
        return {"positions": file.close(), "positions-from": save_narrow(folder, "positions-from", borders)}


def _segment(folder: Path, k: int, place: Codes, base: int) -> PostingsPart:
    data, borders, last = (folder / f"segment-{k}-{part}.bin" for part in _PARTS)
    ends = np.fromfile(last, dtype=np.int64)
    return PostingsPart(
        np.fromfile(data, dtype=np.uint8),
        np.fromfile(borders, dtype=np.int64),
        ends,
        place[: len(ends)],
        base,
    )


class _TitleTags:
    """Which of the tags so far are those of titles, for each kind of title that a profile names."""

    def __init__(self, wanted: Sequence[str]) -> None:
        self._wanted, self._seen = wanted, 0
        self._codes: list[list[int]] = [[] for _ in wanted]

    def codes(self, tags: Sequence[str]) -> list[list[int]]:
        """Return the codes of the tags of titles, in the order of the profile."""
        for code in range(self._seen, len(tags)):
            for wanted, codes in zip(self._wanted, self._codes, strict=True):
                if names_tag(tags[code], (wanted,)):
                    codes.append(code)
        self._seen = len(tags)
        return self._codes


def _title(batch: Batch, document: int, title_codes: list[list[int]]) -> str:
    """Return a document's title: the first element, in document order, with a tag that titles have."""
    first, last = (int(end[ELEMENTS]) for end in batch.ends[document : document + 2])
    for codes in title_codes:
        if codes:
            tags = batch.tag[first:last]
            is_title = tags == codes[0] if len(codes) == 1 else np.isin(tags, codes)
            element = first + int(is_title.argmax())
            if is_title[element - first]:
                start, end = int(batch.start[element]), int(batch.end[element])
                beginning = batch.text_of(document)[: 4 * end].tobytes().decode(errors="ignore")
                return " ".join(beginning[start:end].split())
    return ""
