"""Parts of a collection become one index: what documents hold follows one another, and terms are joined.

A part is what one process has built of documents that follow one another, or an index that is merged. Files
of the first part are taken over where they may be, so that a build writes its columns once.

Threads write columns beside the one that joins terms, and that has help of its own: two kinds of work at the
same time. An executor goes through tasks of one kind and gives their results, so there is a pool here.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from inexlab.collection.documents import LeftAlone
from inexlab.collection.profile import Profile
from inexlab.index.analysis import analysis_name
from inexlab.index.analysis.languages import AUTO
from inexlab.index.analysis.terms import Analyser
from inexlab.index.blocks import Array
from inexlab.index.halves import HALVED, TURN, UPPER
from inexlab.index.joining import Stretch, save_terms
from inexlab.index.places import PLACE_BORDERS
from inexlab.index.segment import ELEMENT_COLUMNS
from inexlab.index.spool import Spool
from inexlab.index.store import ArrayFile, map_array, narrowest, save_manifest
from inexlab.output import make_durable
from inexlab.progress import BYTES, report

_BLOCK = 1 << 20  # numbers, or bytes as they are, copied at a time

_NUMBERS = (
    *(f"element-{name}" for name in ELEMENT_COLUMNS),
    *(f"element-{name}-{part}" for name in HALVED for part in (TURN, UPPER)),
    "language-element",
    "language-number",
)
_ELEMENTS = ("language-element", *(f"element-{name}-{TURN}" for name in HALVED))  # numbers of elements
_BYTES = ("text", "document-id-bytes", "document-title-bytes", "token-starts", "sentences")
_BORDERS = ("document-elements", "document-tokens", "document-text", *PLACE_BORDERS)
_ALL_BORDERS = (*_BORDERS, "document-id-from", "document-title-from")


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


class Part(Protocol):
    """What is known of a part."""

    @property
    def tags(self) -> Sequence[str]:
        """All tags, by their codes."""

    @property
    def kinds(self) -> Sequence[int]:
        """What each tag is."""

    @property
    def languages(self) -> Mapping[str, int]:
        """How many tokens there are of each language."""

    @property
    def counts(self) -> Counts:
        """How much there is."""

    def array(self, name: str) -> Array:
        """Return one of the arrays that documents have."""

    def size(self, name: str) -> int:
        """Return how many bytes that is."""

    def stretches(self, shift: int) -> Sequence[Stretch]:
        """Return what is known of terms, behind so many tokens of other parts."""


@dataclass
class BuiltPart:
    """What a process has built: files in a folder that nobody else needs."""

    folder: Path
    entries: dict[str, Any]  # of arrays, as in the manifest
    spool: Spool
    tags: list[str]
    kinds: list[int]
    languages: Counter[str]
    counts: Counts
    held: list[Stretch] = field(default_factory=list)  # in memory: all, or none

    def array(self, name: str) -> Array:
        """Return one of the arrays that documents have."""
        entry = self.entries[name]
        return map_array(self._path(name), entry["type"], entry["length"])

    def size(self, name: str) -> int:
        """Return how many bytes that is."""
        return int(self.entries[name]["length"] * np.dtype(self.entries[name]["type"]).itemsize)

    def pieces(self, name: str) -> Iterator[memoryview]:
        """Read the bytes of an array, piece by piece into one place: each is there until the next one comes.

        To map the file would take longer than to copy it, as every page of a mapping is asked for by itself.
        """
        room = memoryview(bytearray(_BLOCK))
        with self._path(name).open("rb", buffering=0) as file:
            while size := file.readinto(room):
                yield room[:size]

    def stretches(self, shift: int) -> Sequence[Stretch]:
        """Return what is known of terms, behind so many tokens of other parts."""
        return self.held or self.spool.load(shift)

    def remove(self, name: str) -> None:
        """Delete an array that was copied: what is written next takes its room in memory.

        Memory that nobody had before takes the system longer to give than the copying takes.
        """
        self._path(name).unlink()

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.bin"


def write_index(
    folder: Path,
    parts: Sequence[Part],
    profile: Profile,
    analyser: Analyser,
    left_alone: Mapping[LeftAlone, int],
    threads: int = 1,
) -> tuple[int, int]:
    """Write all files of an index that parts become, into a folder; return how many tags and terms it has.

    The files of a first part that was built for this are moved there. Threads write columns while terms are
    joined.
    """
    kind_of: dict[str, int] = {}
    for part in parts:
        kind_of |= zip(part.tags, part.kinds, strict=True)
    code_of = {tag: code for code, tag in enumerate(kind_of)}
    stretches, shift = list[Stretch](), 0
    for part in parts:
        stretches += part.stretches(shift)
        shift += part.counts.tokens

    names = (*_BYTES, *_NUMBERS, *_ALL_BORDERS)
    copied = _Copied(parts, names)

    def write(name: str) -> dict[str, Any]:
        return _write_array(folder, name, parts, code_of, copied)

    def write_through(name: str) -> dict[str, Any]:
        entry = write(name)
        make_durable(folder / f"{name}.bin")  # while others compute: in the end everybody would wait for it
        return entry

    if threads == 1:
        entries = [write(name) for name in names]
        arrays = dict(zip(names, entries, strict=True)) | save_terms(folder, stretches)
    else:
        with ThreadPoolExecutor(threads) as pool:
            futures = [pool.submit(write_through, name) for name in names]
            try:
                arrays = save_terms(folder, stretches, threads)
                arrays |= {name: future.result() for name, future in zip(names, futures, strict=True)}
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
    languages: Counter[str] = sum((Counter(part.languages) for part in parts), Counter())
    tags, kinds = list(kind_of), list(kind_of.values())
    counts = _summed([part.counts for part in parts])
    settings = index_settings(profile, analyser, languages, tags, kinds, counts, left_alone)
    save_manifest(folder, settings, arrays)
    return len(tags), int(arrays["term-frequency"]["length"])


class _Copied:
    """How much of the columns of parts was copied: reported by the thread that somebody watches."""

    def __init__(self, parts: Sequence[Part], names: Sequence[str]) -> None:
        copied = parts[1:] if isinstance(parts[0], BuiltPart) else parts  # files of the first are moved
        self._done, self._of = 0, sum(part.size(name) for part in copied for name in names)

    def add(self, size: int) -> None:
        """Report that so many bytes more were copied."""
        self._done += size
        report("copying columns", self._done, self._of, BYTES)


def _write_array(
    folder: Path, name: str, parts: Sequence[Part], code_of: Mapping[str, int], copied: _Copied
) -> dict[str, Any]:
    """Write an array of the whole; return its entry in the manifest."""
    shifts, first = _shifts(name, parts), parts[0]
    taken, rest = None, list(zip(parts, shifts, strict=True))
    if isinstance(first, BuiltPart):
        (first.folder / f"{name}.bin").replace(folder / f"{name}.bin")
        taken = first.entries[name]
        del rest[0]
    begin = 1 if name in _ALL_BORDERS else 0  # which begin with the end of the part before
    file = ArrayFile(folder, name, "i8" if name in _BORDERS else "u1", taken)
    with contextlib.closing(file):
        if taken is None:
            file.add(np.zeros(begin, dtype=np.int64))
        for part, shift in rest:
            codes = np.array([code_of[tag] for tag in part.tags], dtype=narrowest(len(code_of)))
            if isinstance(part, BuiltPart) and _as_it_is(name, part, codes, shift, file):
                for piece in part.pieces(name):
                    file.add_bytes(piece)
                    copied.add(len(piece))
                part.remove(name)
                continue
            array = part.array(name)
            copied.add(array[:begin].nbytes)
            for block in _blocks(array[begin:]):
                if name in _BYTES:
                    file.add_bytes(np.ascontiguousarray(block).data)
                elif name == "element-tag":
                    file.add(codes[block])
                else:
                    file.add(block.astype(np.int64) + shift if shift else block)
                copied.add(block.nbytes)
        return file.close()


def _as_it_is(name: str, part: BuiltPart, codes: Array, shift: int, file: ArrayFile) -> bool:
    """Whether the bytes of a part's array are those that it has in the whole."""
    if name in _ALL_BORDERS or shift or (name == "element-tag" and np.any(codes != np.arange(len(codes)))):
        return False
    return name in _BYTES or part.entries[name]["type"] == file.type


def _shifts(name: str, parts: Sequence[Part]) -> list[int]:
    """Return what is added to the numbers of each part, as others are before it."""
    sizes = [0 for _ in parts]
    if name in _ALL_BORDERS:
        sizes = [int(part.array(name)[-1]) for part in parts]
    elif name in _ELEMENTS:
        sizes = [part.counts.elements for part in parts]
    return [0, *accumulate(sizes[:-1])]


def _blocks(array: Array) -> Iterator[Array]:
    return (array[k : k + _BLOCK] for k in range(0, len(array), _BLOCK))


def _summed(parts: Sequence[Counts]) -> Counts:
    counts = Counts()
    for name in Counts.__dataclass_fields__:
        values = [getattr(part, name) for part in parts]
        setattr(counts, name, max(values) if name == "depth" else sum(values))
    return counts


def index_settings(
    profile: Profile,
    terms: Analyser,
    languages: Mapping[str, int],
    tags: Sequence[str],
    kinds: Sequence[int],
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
        "tags": list(tags),
        "tag_kinds": list(kinds),
        **{name: getattr(counts, name) for name in Counts.__dataclass_fields__},
    }
