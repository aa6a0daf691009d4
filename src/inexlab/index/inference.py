"""What tags are that a profile does not speak of, inferred from how the documents use them.

A tag is inline where most of its elements stand in mixed content, that is, beside text of their parent's own
or in an element that is inline, and most of them are short. Other tags whose elements are mostly short
(names, dates, cells, headings) can be no answers by themselves: their text belongs to what is around them.

This is worked out from the elements in the index alone, when it is asked for; it may be kept beside it. So it
is the same however the documents came into the index, and nothing in the index depends on it: words end at
these tags, which are elements that can be searched (`elements:*`) and named in queries.
"""

from __future__ import annotations

import contextlib
import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from inexlab.accelerate import Kernel
from inexlab.collection.profile import Profile, names_tag
from inexlab.errors import InputError
from inexlab.index.blocks import Array
from inexlab.index.guide import Mask, PathGuide, path_guide
from inexlab.index.index import Index
from inexlab.index.store import BESIDE, files_folder
from inexlab.index.tag_table import INLINE, UNIT
from inexlab.tables import Bytes, Codes, Ints

SHORT = 10  # words that no short element has
LEAST = 3  # elements with words, from which on a tag is judged
_NAMED = 12  # tags in a note
_VERSION = 1

# columns of counts: elements with words, those beside text of their parent's own, and short ones
_HELD, _BESIDE, _SHORT = range(3)


class Inferred(NamedTuple):
    """Tags that a profile does not speak of: inline mark-up, and those that are too short by themselves."""

    inline: frozenset[str] = frozenset()
    short: frozenset[str] = frozenset()


def inferred(index: Index) -> Inferred:
    """Return what the tags of an index are that its profile does not speak of."""
    if "inferred" not in index.kept:
        index.kept["inferred"] = _load(index) or _work_out(index)
    found: Inferred = index.kept["inferred"]
    return found


def _work_out(index: Index) -> Inferred:
    back, tokens = index.columns["parent"], index.columns["tokens"]
    counts = _counts(index.guide, back, tokens, index.document_elements)
    if counts is None:
        raise index.damaged("element-parent")
    return _judge(index.guide, counts, index.tag_kinds, index.profile)


def tag_path_counts(index: Index) -> dict[tuple[str, ...], tuple[int, ...]]:
    """Return the counts for every tag path of an index; those of several indexes add up."""
    guide = index.guide
    counts = _counts(guide, index.columns["parent"], index.columns["tokens"], index.document_elements)
    if counts is None:
        raise index.damaged("element-parent")
    return {tuple(guide.tag_path(path)): tuple(row) for path, row in enumerate(counts.tolist())}


def inferred_together(
    counts: Mapping[tuple[str, ...], Sequence[int]], kind_of: Mapping[str, int], profile: Profile
) -> Inferred:
    """Return what tags are, from the counts of all tag paths and the kinds of all tags."""
    tags = tuple(kind_of)
    code = {tag: number for number, tag in enumerate(tags)}
    paths = sorted(counts, key=len)  # what is above comes first
    number_of = {path: number for number, path in enumerate(paths)}
    guide = PathGuide(
        np.zeros(0, dtype=np.uint16),
        np.array([number_of.get(path[:-1], -1) for path in paths], dtype=np.int32),
        np.array([code[path[-1]] for path in paths], dtype=np.int32),
        tags,
    )
    rows = np.array([counts[path] for path in paths], dtype=np.int64).reshape(len(paths), 3)
    return _judge(guide, rows, np.array(list(kind_of.values()), dtype=np.uint8), profile)


def keep_inferred(index: Index) -> None:
    """Write what was inferred beside the index; where nothing can be written it is worked out anew."""
    if _load(index) is not None:
        return
    lists = {name: sorted(tags) for name, tags in inferred(index)._asdict().items()}
    with contextlib.suppress(OSError, InputError):
        file = _file(index)
        file.parent.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".", dir=file.parent) as space:
            written = Path(space) / file.name
            written.write_text(json.dumps({**_identity(index), **lists}), encoding="utf-8")
            written.replace(file)


def _load(index: Index) -> Inferred | None:
    """Return what is kept beside the index; None where that is nothing, or not of this index."""
    try:
        content = json.loads(_file(index).read_text(encoding="utf-8"))
        if any(content[key] != value for key, value in _identity(index).items()):
            return None
        return Inferred(*(frozenset(map(str, content[name])) for name in Inferred._fields))
    except (OSError, InputError, ValueError, KeyError, TypeError):
        return None


def _file(index: Index) -> Path:
    return files_folder(index.folder) / BESIDE / "inferred.json"


def _identity(index: Index) -> dict[str, int]:
    return {"version": _VERSION, "index": index.identity}


def kinds_with_inferred(index: Index) -> Bytes:
    """Return what each tag is, with those that are inline by inference."""
    if "kinds with inferred" not in index.kept:
        kinds = index.tag_kinds.copy()
        kinds[[code for code, tag in enumerate(index.tags) if tag in inferred(index).inline]] = INLINE
        index.kept["kinds with inferred"] = kinds
    known: Bytes = index.kept["kinds with inferred"]
    return known


def infer(
    profile: Profile, tags: Sequence[str], kinds: Bytes, tag: Codes, back: Codes, tokens: Codes, borders: Ints
) -> Inferred:
    """Return what tags are in documents that were scanned: elements by document, as an index has them."""
    guide = path_guide(tag, back, tuple(tags))
    counts = None if guide is None else _counts(guide, back, tokens, borders)
    if guide is None or counts is None:
        raise AssertionError("a scan has elements that are before their parents")
    return _judge(guide, counts, kinds, profile)


def _counts(guide: PathGuide, back: Array, tokens: Array, borders: Ints) -> Ints | None:
    """Return the counts for every tag path; None for elements that cannot be."""
    counts = np.zeros((len(guide.tag), 3), dtype=np.int64)
    own = np.empty(int(np.diff(borders).max(initial=0)), dtype=np.int64)
    sound = _count.for_work(6 * len(back))(guide.path, back, tokens, borders, SHORT, own, counts)
    return counts if sound else None


@Kernel
def _count(
    kind: Codes, back: Array, tokens: Array, borders: Ints, short: int, own: Ints, counts: Ints
) -> bool:
    """Count elements with words by their tag paths; False where one is before its parent.

    `own` has a place for every element of the largest document, and no way back leads out of a document;
    `counts` has a row for every tag path that `kind` can name.
    """
    for d in range(len(borders) - 1):
        root = borders[d]
        for e in range(root, borders[d + 1]):
            own[e - root] = np.int64(tokens[e])
            up = np.int64(back[e])
            if up > e - root:
                return False
            if up > 0:
                own[e - up - root] -= np.int64(tokens[e])
        for e in range(root, borders[d + 1]):
            up = np.int64(back[e])
            if up > 0 and tokens[e] > 0:
                row = kind[e]
                counts[row, _HELD] += 1
                counts[row, _BESIDE] += own[e - up - root] > 0
                counts[row, _SHORT] += tokens[e] < short
    return True


def _judge(guide: PathGuide, counts: Ints, kinds: Bytes, profile: Profile) -> Inferred:
    """Say of each tag what it is; once a tag is inline, so may be those in it.

    What lies outside by the profile is not looked at.
    """
    size = len(guide.tags)
    outside = _outside(guide, profile)
    counts = np.where(outside[:, np.newaxis], 0, counts)
    of_tag = np.zeros((size, 3), dtype=np.int64)
    np.add.at(of_tag, guide.tag, counts)
    open_to_doubt = np.array(
        [kinds[code] == UNIT and not profile.speaks_of(tag) for code, tag in enumerate(guide.tags)],
        dtype=np.bool_,
    )
    held = of_tag[:, _HELD]
    short = open_to_doubt & (held >= LEAST) & (2 * of_tag[:, _SHORT] > held)
    inline = kinds[:size] == INLINE
    has_parent = guide.above >= 0
    parent_tag = guide.tag[np.maximum(guide.above, 0)]
    while True:
        in_inline = has_parent & inline[parent_tag]
        mixed = np.zeros(size, dtype=np.int64)
        np.add.at(mixed, guide.tag, np.where(in_inline, counts[:, _HELD], counts[:, _BESIDE]))
        more = short & ~inline & (2 * mixed > held)
        if not more.any():
            break
        inline |= more
    inline &= open_to_doubt
    return Inferred(*(frozenset(np.array(guide.tags)[which].tolist()) for which in (inline, short & ~inline)))


def _outside(guide: PathGuide, profile: Profile) -> Mask:
    """Say of each tag path whether the profile leaves it outside."""
    named = np.array([names_tag(tag, profile.outside) for tag in guide.tags], dtype=np.bool_)
    outside: Mask = named[guide.tag]
    for kind, above in enumerate(guide.above.tolist()):  # what is above comes first
        if above >= 0 and outside[above]:
            outside[kind] = True
    return outside


def inference_notes(found: Inferred, profile: Profile) -> list[str]:
    """Say what was inferred, and how to say it oneself."""
    said = []
    if found.inline:
        said.append(f"taken for inline mark-up: {_listed(found.inline)}")
    if found.short and not profile.answers:
        said.append(f"too short to be answers by themselves: {_listed(found.short)}")
    if not said:
        return []
    return [
        f"the profile {profile.name} does not say what some tags are; {'; '.join(said)}. "
        f"Where that is wrong, say it in a profile: `inexlab profiles {profile.name.partition('+')[0]}`."
    ]


def _listed(tags: frozenset[str]) -> str:
    names = sorted(tags)
    return ", ".join(names[:_NAMED]) + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")
