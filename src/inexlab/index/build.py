"""Building an index: documents one after the other, in memory that does not grow with their number.

Tokens are gathered until a segment is full, then inverted and written; in the end the segments' postings are
joined term by term. Elements and texts are written as they come.
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

import numpy as np

from inexlab.collection.profile import Profile, guess_profile
from inexlab.errors import InputError, UsageError
from inexlab.index.postings import encode, join, joined_sizes
from inexlab.index.scan import INLINE, Scan
from inexlab.index.scanner import Scanner
from inexlab.index.segment import ELEMENT_COLUMNS, count_terms, keep_indexed, narrowest
from inexlab.index.store import Array, file_entry, save_array, save_manifest
from inexlab.index.vocabulary import Vocabulary
from inexlab.index.words import Terms
from inexlab.tables import Ints

_SEGMENT = 6_000_000  # tokens held in memory


@dataclass
class Summary:
    """What a build did."""

    documents: int = 0
    elements: int = 0
    tokens: int = 0
    characters: int = 0
    bytes_read: int = 0
    deepest: int = 0
    skipped: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Settings:
    """How documents become an index."""

    profile: Profile | None = None  # None: by the first document
    stemmer: str = "english"
    stop_words: str = "english"
    strict: bool = False


def build_index(
    documents: Iterable[tuple[str, str, bytes]],
    out: Path,
    settings: Settings | None = None,
    progress: Callable[[Summary], object] = lambda _: None,
) -> Summary:
    """Build an index of documents (id, name for messages, content) at `out`, which appears when it is complete.

    A document that is not well-formed is left out and named in the summary, or raised where `strict`.
    """
    settings = settings or Settings()
    with unfinished(out) as folder:
        builder = _Builder(folder, settings)
        for id, name, data in documents:
            try:
                builder.add(id, name, data)
            except InputError as error:
                if settings.strict:
                    raise
                builder.summary.skipped.append(str(error))
            builder.summary.bytes_read += len(data)
            progress(builder.summary)
        if not builder.summary.documents:
            raise UsageError(
                "there is no document to index."
                if not builder.summary.skipped
                else builder.summary.skipped[0]
            )
        builder.finish()
    return builder.summary


@contextlib.contextmanager
def unfinished(out: Path) -> Iterator[Path]:
    """Give a folder that becomes `out` if all goes well, and is removed if not."""
    if out.exists():
        raise UsageError(f"{out} is there already; name a new folder for --out.")
    try:
        folder = Path(tempfile.mkdtemp(prefix=f".{out.name}.", dir=out.parent))
    except OSError as error:
        raise UsageError(f"{out} cannot be written ({error.strerror}).") from None
    try:
        yield folder
        folder.chmod(0o755)
        folder.rename(out)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


class _Builder:
    def __init__(self, folder: Path, settings: Settings) -> None:
        import zstandard

        self._folder, self._settings = folder, settings
        self.summary = Summary()
        self._profile = settings.profile
        self._scanner = Scanner(self._profile.kinds) if self._profile else None
        self._vocabulary = Vocabulary()
        self._terms = Terms(settings.stemmer, settings.stop_words)
        self._compress = zstandard.ZstdCompressor(level=1).compress
        self._files: dict[str, IO[bytes]] = {
            name: (folder / f"{name}.bin").open("wb")
            for name in ("text", *(f"element-{c}" for c in ELEMENT_COLUMNS))
        }
        self._kinds = dict.fromkeys(ELEMENT_COLUMNS, "u1")
        self._ids: list[str] = []
        self._known: set[str] = set()
        self._titles: list[str] = []
        self._elements_from, self._tokens_from, self._text_from = [0], [0], [0]
        self._segment = np.empty(_SEGMENT, dtype=np.int32)
        self._filled = 0
        self._base = 0  # where the segment begins on the axis
        self._segments = 0
        self._last: Ints = np.full(1 << 16, -1, dtype=np.int64)
        self._frequency: Ints = np.zeros(1 << 16, dtype=np.int64)
        self._elements_with: Ints = np.zeros(1 << 16, dtype=np.int64)
        self._units = self._unit_tokens = self._unit_terms = 0

    def add(self, id: str, name: str, data: bytes) -> None:
        if id in self._known:
            raise InputError(
                f"another document has the id {id!r}", file=name, fix="Ids are file names without extension."
            )
        scanner = self._scanner or self._first_scanner(data, name)
        scan = scanner.scan(data, name)
        known_types, types = len(self._vocabulary), np.empty(len(scan.leaf), dtype=np.int32)
        self._vocabulary.types(scan.words, scan.token_from, types)
        self._terms.learn(self._vocabulary.texts(known_types))
        if len(self._terms) > len(self._last):
            self._grow_terms()
        term, leaf = np.empty(len(types), np.int32), np.empty(len(types), np.int32)
        count = keep_indexed.compiled(
            types, scan.leaf, self._terms.of_type, scan.first, scan.tokens, term, leaf
        )
        axis = self._base + self._filled
        terms = np.zeros(len(scan.tag), dtype=np.int64)
        count_terms.compiled(
            term[:count],
            leaf[:count],
            axis,
            scan.tag,
            scan.parent,
            scan.first,
            scanner.tag_kinds,
            self._last,
            self._frequency,
            self._elements_with,
            terms,
        )
        self._write_elements(scan, terms, scanner)
        self._write_text(scan, scanner)
        self._ids.append(id)
        self._known.add(id)
        self._elements_from.append(self._elements_from[-1] + len(scan.tag))
        self._tokens_from.append(axis + count)
        done = 0
        while done < count:  # a document may be longer than what is left of the segment
            part = min(count - done, _SEGMENT - self._filled)
            self._segment[self._filled : self._filled + part] = term[done : done + part]
            self._filled += part
            done += part
            if self._filled == _SEGMENT:
                self._flush()
        self.summary.documents += 1
        self.summary.elements += len(scan.tag)
        self.summary.tokens += count
        self.summary.characters += scan.characters

    def _first_scanner(self, data: bytes, name: str) -> Scanner:
        """Find out the profile from the first document that can be read."""
        looked = Scanner()
        looked.scan(data, name)
        self._profile = guess_profile(set(looked.tags), looked.tags[0])
        self._scanner = Scanner(self._profile.kinds)
        return self._scanner

    def _grow_terms(self) -> None:
        size = 2 * len(self._terms)
        for name, empty in (("_last", -1), ("_frequency", 0), ("_elements_with", 0)):
            old = getattr(self, name)
            new = np.full(size, empty, dtype=np.int64)
            new[: len(old)] = old
            setattr(self, name, new)

    def _write_elements(self, scan: Scan, terms: Ints, scanner: Scanner) -> None:
        numbers = np.arange(len(scan.tag), dtype=np.int32)
        columns = {
            "tag": scan.tag,
            "parent": np.where(scan.parent >= 0, numbers - scan.parent, 0),
            "start": scan.start,
            "length": scan.end - scan.start,
            "first": scan.first,
            "tokens": scan.tokens,
            "terms": terms,
        }
        for name, column in columns.items():
            kind = narrowest(int(column.max()))
            if kind > self._kinds[name]:
                self._widen(name, kind)
            self._files[f"element-{name}"].write(column.astype(self._kinds[name]).data)
        unit = (scanner.tag_kinds[scan.tag] != INLINE) & (scan.tokens > 0)
        self._units += int(np.count_nonzero(unit))
        self._unit_tokens += int(scan.tokens[unit].sum())
        self._unit_terms += int(terms[unit].sum())

    def _write_text(self, scan: Scan, scanner: Scanner) -> None:
        text = scan.text.tobytes()
        self._text_from.append(self._text_from[-1] + self._files["text"].write(self._compress(text)))
        self._titles.append(_title(scan, scanner, self._profile, text))

    def _flush(self) -> None:
        """Invert the segment and write it."""
        terms = len(self._terms)
        counts = np.bincount(self._segment[: self._filled], minlength=terms)
        out = np.empty(10 * self._filled + 16, dtype=np.uint8)
        out_from, last = np.empty(terms + 1, dtype=np.int64), np.empty(terms, dtype=np.int64)
        size = encode.compiled(self._segment[: self._filled], self._base, counts, out, out_from, last)
        name = f"segment-{self._segments}"
        for part, array in (("data", out[:size]), ("from", out_from), ("last", last)):
            save_array(self._folder, f"{name}-{part}", array)
        self._segments += 1
        self._base += self._filled
        self._filled = 0

    def finish(self) -> None:
        """Join the segments and write all that is left."""
        if self._filled or not self._segments:
            self._flush()
        for file in self._files.values():
            file.close()
        arrays: dict[str, Any] = {"text": file_entry(self._folder, "text", "u1")}
        for name in ELEMENT_COLUMNS:
            arrays[f"element-{name}"] = file_entry(self._folder, f"element-{name}", self._kinds[name])
        words = list(self._terms.numbers)
        used = np.flatnonzero(self._frequency[: len(words)]).tolist()
        order = sorted(used, key=words.__getitem__)  # the order of code points is that of their bytes
        remap = np.full(len(words), -1, dtype=np.int32)
        remap[order] = np.arange(len(order), dtype=np.int32)
        arrays |= _save_postings(self._folder, self._segments, remap, len(order))
        arrays |= save_words(self._folder, "term", [words[t] for t in order])
        arrays["term-frequency"] = _save_narrow(self._folder, "term-frequency", self._frequency[order])
        arrays["term-elements"] = _save_narrow(self._folder, "term-elements", self._elements_with[order])
        arrays |= save_words(self._folder, "document-id", self._ids)
        arrays |= save_words(self._folder, "document-title", self._titles)
        for name, borders in (
            ("document-elements", self._elements_from),
            ("document-tokens", self._tokens_from),
            ("document-text", self._text_from),
        ):
            arrays[name] = save_array(self._folder, name, np.array(borders, dtype=np.int64))
        scanner, profile = self._scanner, self._profile
        if scanner is None or profile is None:
            raise AssertionError("documents were added without a scanner")
        settings = {
            "profile": asdict(profile),
            "stemmer": self._settings.stemmer,
            "stop_words": self._settings.stop_words,
            "tags": scanner.tags,
            "tag_kinds": scanner.tag_kinds.tolist(),
            "documents": self.summary.documents,
            "elements": self.summary.elements,
            "tokens": self.summary.tokens,
            "characters": self.summary.characters,
            "units": self._units,
            "unit_tokens": self._unit_tokens,
            "unit_terms": self._unit_terms,
        }
        save_manifest(self._folder, settings, arrays)

    def _widen(self, name: str, kind: str) -> None:
        """Write a column of the element table again with more bytes to a number."""
        path = self._folder / f"element-{name}.bin"
        self._files[f"element-{name}"].close()
        narrow = self._folder / "narrow.bin"
        path.rename(narrow)
        target = path.open("wb")
        with narrow.open("rb") as source:
            while block := source.read(1 << 22):
                target.write(np.frombuffer(block, dtype=self._kinds[name]).astype(kind).data)
        narrow.unlink()
        self._files[f"element-{name}"], self._kinds[name] = target, kind


def _title(scan: Scan, scanner: Scanner, profile: Profile | None, text: bytes) -> str:
    """Return a document's title: the first element, in document order, with a tag that titles have."""
    for tag in profile.document_titles if profile else ():
        if tag in scanner.tags:
            found = np.flatnonzero(scan.tag == scanner.tags.index(tag))
            if len(found):
                whole = text.decode()
                return " ".join(whole[int(scan.start[found[0]]) : int(scan.end[found[0]])].split())
    return ""


def save_words(folder: Path, name: str, words: list[str]) -> dict[str, Any]:
    """Write texts as one row of bytes, and where each begins."""
    encoded = [word.encode() for word in words]
    borders = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
    pool = np.frombuffer(b"".join(encoded), dtype=np.uint8)
    return {
        f"{name}-bytes": save_array(folder, f"{name}-bytes", pool),
        f"{name}-from": _save_narrow(folder, f"{name}-from", borders),
    }


def _save_narrow(folder: Path, name: str, array: Array) -> dict[str, Any]:
    return save_array(folder, name, array.astype(narrowest(int(array.max(initial=0)))))


def _save_postings(folder: Path, segments: int, remap: Array, terms: int) -> dict[str, Any]:
    """Join the postings of segments of one axis into one file."""
    ends, sizes = np.full(terms, -1, dtype=np.int64), np.zeros(terms, dtype=np.int64)
    for k in range(segments):
        data, data_from, last = _segment(folder, k)
        joined_sizes.compiled(data, data_from, last, remap[: len(last)], 0, ends, sizes)
    borders = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    out = np.empty(int(borders[-1]), dtype=np.uint8)
    ends[:] = -1
    cursor = borders[:-1].copy()
    for k in range(segments):
        data, data_from, last = _segment(folder, k)
        join.compiled(data, data_from, last, remap[: len(last)], 0, ends, cursor, out)
        for part in ("data", "from", "last"):
            (folder / f"segment-{k}-{part}.bin").unlink()
    return {
        "positions": save_array(folder, "positions", out),
        "positions-from": _save_narrow(folder, "positions-from", borders),
    }


def _segment(folder: Path, k: int) -> tuple[Array, Array, Array]:
    data = np.fromfile(folder / f"segment-{k}-data.bin", dtype=np.uint8)
    data_from = np.fromfile(folder / f"segment-{k}-from.bin", dtype=np.int64)
    return data, data_from, np.fromfile(folder / f"segment-{k}-last.bin", dtype=np.int64)
