"""Several indexes become one, which is the index of all their documents, built at once.

Documents, elements and texts follow one another; terms are renumbered, in the order of their texts; their
positions move by the tokens before. What is large is copied in blocks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from inexlab.collection.documents import LeftAlone
from inexlab.collection.seen import Seen
from inexlab.errors import InputError, UsageError
from inexlab.index.assembly import Counts, write_index
from inexlab.index.blocks import Array
from inexlab.index.index import Index, open_index
from inexlab.index.joining import SortedTexts, Stretch
from inexlab.index.store import need_new, unfinished

_BLOCK = 1 << 20  # numbers looked at at a time

_RULES = {"name": "names", "path": "paths"}
_SETTINGS = {
    "profile": "profile",
    "language": "language",
    "stemmer": "stemmer",
    "stop_words": "list of stop words",
}


def merge_indexes(
    shards: Sequence[str | Path],
    out: Path,
    *,
    replace: bool = False,
    trusted: bool = False,
    left_alone: Counter[LeftAlone] | None = None,
) -> Index:
    """Merge indexes into a new one at `out`, or in the place of the one that is there.

    `left_alone` counts files besides those that the indexes know of.

    All their files are checked before, or damage would get a checksum that says there is none; those of
    `trusted` indexes were written just now.
    """
    if not replace:
        need_new(out)
    indexes = [open_index(shard) for shard in shards]
    if not indexes:
        raise UsageError("no index to merge.")
    for other in indexes[1:]:
        _check_alike(indexes[0], other)
    _check_ids(indexes)
    for index in () if trusted else indexes:
        index.check()
    left_alone = sum((left_alone_of(index) for index in indexes), left_alone or Counter())
    first = indexes[0]
    with unfinished(out, replace=replace) as folder:
        parts = [_IndexPart(index) for index in indexes]
        write_index(folder, parts, first.profile, first.analyser, left_alone)
    return open_index(out)


def _check_alike(one: Index, other: Index) -> None:
    if one.profile.ids != other.profile.ids:
        raise InputError(
            f"has {_RULES[other.profile.ids]} as ids of documents, and {one.folder} has "
            f"{_RULES[one.profile.ids]}",
            file=str(other.folder),
            fix="Build both with the same `ids=`.",
        )
    for key, what in _SETTINGS.items():
        if one.manifest[key] != other.manifest[key]:
            raise InputError(
                f"has another {what} than {one.folder}",
                file=str(other.folder),
                fix="Build them with the same `profile=`, `language=`, `stemmer=` and `stopwords=`.",
            )


def _check_ids(indexes: Sequence[Index]) -> None:
    seen = Seen()
    for number, index in enumerate(indexes):
        for id in index.documents:
            if seen.add(id):
                for one in indexes[:number]:
                    if id in one.document_numbers:
                        raise InputError(
                            f"has a document {id!r}, as {one.folder}",
                            file=str(index.folder),
                            fix="Leave it out of one, or build both with `ids=path`.",
                        )


class _IndexPart:
    """An index as a part of another."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self.tags, self.kinds = index.tags, index.manifest["tag_kinds"]
        self.languages: Mapping[str, int] = index.languages
        self.counts = Counts(**{name: index.manifest[name] for name in Counts.__dataclass_fields__})

    def array(self, name: str) -> Array:
        """Return one of the arrays that documents have."""
        return self._index.array(name)

    def size(self, name: str) -> int:
        """Return how many bytes that is."""
        return int(self._index.blocks(name).values.nbytes)

    def stretches(self, shift: int) -> list[Stretch]:
        """Return what is known of terms; loops trust the borders between these."""
        index = self._index
        data, of_keys = index.array("positions"), index.array("variant-term")
        terms, keys = self._texts("term"), self._texts("variant-key")
        data_from, key_from = (
            index.borders(name, len(of_all))
            for name, of_all in (("positions-from", data), ("variant-from", of_keys))
        )
        frequency, units = index.array("term-frequency"), index.array("term-elements")
        if {len(data_from) - 1, len(frequency), len(units)} != {terms.size}:
            raise index.damaged("positions-from", "term-frequency", "term-elements", "term-from")
        if len(key_from) - 1 != keys.size or np.any(of_keys >= terms.size):
            raise index.damaged("variant-from", "variant-key-from", "variant-term")
        # the last byte of a number has its highest bit set: nothing is read or joined beyond a term's end
        if data.dtype != np.uint8 or not _end_numbers(data, data_from):
            raise index.damaged("positions", "positions-from")
        unknown = np.empty(0, dtype=np.int64)
        return [Stretch(terms, frequency, units, data, data_from, unknown, keys, key_from, of_keys, shift)]

    def _texts(self, name: str) -> SortedTexts:
        pool = self._index.array(f"{name}-bytes")
        return SortedTexts(pool, self._index.borders(f"{name}-from", len(pool)))


def _end_numbers(data: Array, borders: Array) -> bool:
    """Whether there is the end of a number before every border."""
    for k in range(0, len(borders), _BLOCK):
        some = borders[k : k + _BLOCK + 1]
        ends = some[1:][some[1:] > some[:-1]].astype(np.int64)
        if np.any(data[ends - 1] < 128):
            return False
    return True


def left_alone_of(index: Index) -> Counter[LeftAlone]:
    """Return what the builds of an index left alone."""
    counts = index.manifest.get("left_alone", ())
    return Counter({LeftAlone(kind, reason): count for kind, reason, count in counts})
