"""Several indexes become one, which is the index of all their documents, built at once.

Documents, elements and texts follow one another; terms are renumbered, in the order of their texts; their
positions move by the tokens before. What is large is copied in blocks.
"""

from __future__ import annotations

import contextlib
import functools
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from inexlab.accelerate import blocks
from inexlab.collection.documents import LeftAlone
from inexlab.errors import InputError, UsageError
from inexlab.index.blocks import Array
from inexlab.index.build import Counts, index_settings, save_positions, save_variants
from inexlab.index.index import Index, open_index
from inexlab.index.places import PLACE_BORDERS
from inexlab.index.postings import PostingsPart, join_parts, last_positions
from inexlab.index.segment import ELEMENT_COLUMNS
from inexlab.index.store import (
    ArrayFile,
    need_new,
    save_array,
    save_manifest,
    save_narrow,
    unfinished,
)
from inexlab.index.vocabulary import Vocabulary
from inexlab.tables import Codes, Ints

_BLOCK = 1 << 20  # numbers copied at a time

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
    with unfinished(out, replace=replace) as folder:
        _write(indexes, folder, left_alone or Counter())
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
    owner: dict[str, Index] = {}
    for index in indexes:
        for id in index.documents:
            if id in owner:
                raise InputError(
                    f"has a document {id!r}, as {owner[id].folder}",
                    file=str(index.folder),
                    fix="Leave it out of one, or build both with `ids=path`.",
                )
            owner[id] = index


def _write(indexes: Sequence[Index], folder: Path, left_alone: Counter[LeftAlone]) -> None:
    kind_of: dict[str, int] = {}
    for index in indexes:
        kind_of |= zip(index.tags, index.manifest["tag_kinds"], strict=True)
    code_of = {tag: code for code, tag in enumerate(kind_of)}
    arrays: dict[str, Any] = {}
    for name in ELEMENT_COLUMNS:
        with contextlib.closing(ArrayFile(folder, f"element-{name}")) as file:
            for index in indexes:
                code = np.array([code_of[tag] for tag in index.tags], dtype=np.uint32)
                for block in _blocks(index.columns[name]):
                    file.add(code[block] if name == "tag" else block)
            arrays[file.name] = file.close()
    for name in ("language-element", "language-number"):
        with contextlib.closing(ArrayFile(folder, name)) as file:
            before = 0
            for index in indexes:
                file.add(index.array(name).astype(np.int64) + (before if name == "language-element" else 0))
                before += len(index.unchecked_columns["tag"])
            arrays[name] = file.close()
    for name in ("text", "document-id-bytes", "document-title-bytes", "token-starts", "sentences"):
        with contextlib.closing(ArrayFile(folder, name)) as file:
            for index in indexes:
                for block in _blocks(index.array(name)):
                    file.add_bytes(block.tobytes())
            arrays[name] = file.close()
    for name in ("document-elements", "document-tokens", "document-text", *PLACE_BORDERS):
        arrays[name] = save_array(folder, name, _borders(indexes, name))
    for name in ("document-id-from", "document-title-from"):
        arrays[name] = save_narrow(folder, name, _borders(indexes, name))
    arrays |= _write_terms(indexes, folder)
    save_manifest(
        folder,
        index_settings(
            indexes[0].profile,
            indexes[0].analyser,
            sum((Counter(index.languages) for index in indexes), Counter()),
            list(kind_of),
            list(kind_of.values()),
            _counts(indexes),
            sum((left_alone_of(index) for index in indexes), left_alone),
        ),
        arrays,
    )


def _write_terms(indexes: Sequence[Index], folder: Path) -> dict[str, Any]:
    vocabulary = Vocabulary()
    numbers = [vocabulary.add([term.encode() for term in index.terms]) for index in indexes]
    order, words, borders = vocabulary.in_order()
    place = np.empty(len(order), dtype=np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    terms = [place[of_shard] for of_shard in numbers]
    shifts = np.cumsum([0, *(index.tokens for index in indexes)]).tolist()
    loads = [  # made once, as joining asks for them again and again; what is large in them is only mapped
        functools.cache(functools.partial(_part, index, term, shift))
        for index, term, shift in zip(indexes, terms, shifts, strict=False)
    ]
    keys, pairs = Vocabulary(), [np.empty((0, 2), dtype=np.int64)]
    for index, of_shard in zip(indexes, numbers, strict=True):
        of_keys = keys.add([key.encode() for key in index.variant_keys])
        of_terms = index.array("variant-term")
        counts = np.diff(index.borders("variant-from", len(of_terms)))
        pairs.append(np.column_stack((np.repeat(of_keys, counts), of_shard[of_terms])))
    arrays = save_variants(folder, order, keys, np.concatenate(pairs))
    arrays |= {"term-bytes": save_array(folder, "term-bytes", words)}
    arrays["term-from"] = save_narrow(folder, "term-from", borders)
    arrays |= save_positions(folder, *join_parts(loads, len(order)))
    for name in ("term-frequency", "term-elements"):
        total = np.zeros(len(order), dtype=np.int64)
        for index, term in zip(indexes, terms, strict=True):
            total[term] += index.array(name)
        arrays[name] = save_narrow(folder, name, total)
    return arrays


def _part(index: Index, term: Codes, shift: int) -> PostingsPart:
    data = index.array("positions")
    data_from = index.borders("positions-from", len(data)).astype(np.int64)
    ends = data_from[1:][np.diff(data_from) > 0]
    # the last byte of a number has its highest bit set: nothing is read or joined beyond the end of a term's
    if len(data_from) != len(term) + 1 or data.dtype != np.uint8 or np.any(data[ends - 1] < 128):
        raise index.damaged("positions", "positions-from")
    last = np.empty(len(term), dtype=np.int64)
    work = last_positions.for_work(5 * len(data))
    for part in blocks(len(term)):
        work(data, data_from[part.start : part.stop + 1], last[part])
    return PostingsPart(data, data_from, last, term, shift)


def _blocks(array: Array) -> list[Array]:
    return [array[k : k + _BLOCK] for k in range(0, len(array), _BLOCK)]


def _borders(indexes: Sequence[Index], name: str) -> Ints:
    """Put borders behind one another, each counting on from the last one before."""
    out: list[Ints] = [np.zeros(1, dtype=np.int64)]
    for index in indexes:
        out.append(out[-1][-1] + index.array(name)[1:].astype(np.int64))
    return np.concatenate(out)


def left_alone_of(index: Index) -> Counter[LeftAlone]:
    """Return what the builds of an index left alone."""
    counts = index.manifest.get("left_alone", ())
    return Counter({LeftAlone(kind, reason): count for kind, reason, count in counts})


def _counts(indexes: Sequence[Index]) -> Counts:
    counts = Counts()
    for name in Counts.__dataclass_fields__:
        values = [index.manifest[name] for index in indexes]
        setattr(counts, name, max(values) if name == "depth" else sum(values))
    return counts
