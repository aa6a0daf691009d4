"""A sharded index: a folder with a manifest that names indexes, each of some documents, in their order.

    INDEX/manifest.json   format and version, the shards, and what is known of all documents together
    INDEX/0, INDEX/1 …    the shards, each an index

It answers as one index of all documents would: a shard that is searched knows the whole it is a part of. What
needs the arrays of all documents at once takes one index, which `merge` makes.
"""

from __future__ import annotations

import functools
import json
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from inexlab.collection.documents import LeftAlone
from inexlab.collection.profile import Profile
from inexlab.errors import InputError, UsageError
from inexlab.index.index import Index, open_index
from inexlab.index.inference import Inferred, inferred, inferred_together, tag_path_counts
from inexlab.index.remote import is_url, join_url, local_copy, manifest_folder
from inexlab.index.settings import are_sound, is_count
from inexlab.index.store import (
    MANIFEST,
    SHARDS,
    damaged,
    has_format,
    own_checksum,
    readable,
    save_json,
    size_of,
)
from inexlab.index.whole import ROOTS, Whole

_VERSION = 1


def is_sharded(place: str | Path) -> bool:
    """Whether there is a sharded index at a place, however damaged."""
    return has_format(manifest_folder(place), SHARDS)


class ShardFacts(NamedTuple):
    """What a shard contributes to the whole."""

    identity: int
    settings: dict[str, Any]
    counts: dict[str, int]
    root_tokens: int
    root_terms: int
    tag_paths: dict[tuple[str, ...], tuple[int, ...]]


def shard_facts(index: Index) -> ShardFacts:
    """Return what a shard contributes to the whole."""
    from inexlab.index.assembly import Counts

    settings = {key: value for key, value in index.manifest.items() if key != "arrays"}
    return ShardFacts(
        index.identity,
        settings,
        {name: index.manifest[name] for name in Counts.__dataclass_fields__},
        *_roots(index),
        tag_path_counts(index),
    )


def _roots(index: Index) -> tuple[int, int]:
    """Return how many tokens the roots of all documents have, and how many different terms."""
    roots = index.document_elements[:-1]
    tokens, terms = (int(index.columns[name][roots].sum(dtype=np.int64)) for name in ("tokens", "terms"))
    return tokens, terms


def facts_of(folder: str) -> ShardFacts:
    """Return what the shard in a folder contributes to the whole."""
    return shard_facts(open_index(folder))


def write_manifest(
    folder: Path, places: Sequence[str], facts: Sequence[ShardFacts], left_alone: Counter[LeftAlone]
) -> None:
    """Write the manifest of a sharded index, whose shards have the same settings."""
    from inexlab.index.analysis.languages import AUTO
    from inexlab.index.analysis.terms import Analyser
    from inexlab.index.assembly import Counts, index_settings  # which takes all that builds

    first = facts[0].settings
    kind_of: dict[str, int] = {}
    tag_paths: dict[tuple[str, ...], tuple[int, ...]] = {}
    languages: Counter[str] = Counter()
    for shard in facts:
        kind_of |= zip(shard.settings["tags"], shard.settings["tag_kinds"], strict=True)
        languages += Counter(shard.settings["languages"])
        for kind, reason, count in shard.settings["left_alone"]:
            left_alone[LeftAlone(kind, reason)] += count
        for path, row in shard.tag_paths.items():
            before = tag_paths.get(path, (0,) * len(row))
            tag_paths[path] = tuple(a + b for a, b in zip(before, row, strict=True))
    counts = Counts()
    for name in Counts.__dataclass_fields__:
        values = [shard.counts[name] for shard in facts]
        setattr(counts, name, max(values) if name == "depth" else sum(values))
    profile = Profile.from_dict(first["profile"])
    guess = inferred_together(tag_paths, kind_of, profile)
    stop = first["stop_words"]
    analyser = Analyser(first["language"], first["stemmer"], None if stop == AUTO else frozenset(stop))
    settings = index_settings(
        profile, analyser, languages, list(kind_of), list(kind_of.values()), counts, left_alone
    )
    settings["analysis"] = first["analysis"]
    save_json(
        folder / MANIFEST,
        {
            "format": SHARDS,
            "version": _VERSION,
            **settings,
            "shards": [
                {"place": place, "identity": shard.identity, "documents": shard.counts["documents"]}
                for place, shard in zip(places, facts, strict=True)
            ],
            "roots": [sum(shard.root_tokens for shard in facts), sum(shard.root_terms for shard in facts)],
            "inferred": {name: sorted(tags) for name, tags in guess._asdict().items()},
        },
    )


class Shard(Index):
    """An index that is part of a whole: it reads queries and scores as the whole does."""

    def __init__(self, folder: Path, whole: Whole) -> None:
        super().__init__(folder)
        self.whole: Whole = whole
        self.kept["inferred"] = whole.inferred

    def __reduce__(self) -> tuple[Any, ...]:
        return Shard, (self._place, self.whole)

    @property
    def identity(self) -> int:
        """A number that tells this shard, and what is worked out from it, from others and other wholes."""
        own = int(self.manifest["crc32"])
        return own if self.whole.shards == 1 else zlib.crc32(b"%d" % self.whole.identity, own)

    @property
    def languages(self) -> dict[str, int]:
        """How many words there are of each language in the whole."""
        return dict(self.whole.languages)


class _JoinedTexts(Sequence[str]):
    """The texts of one shard after those of another."""

    def __init__(self, parts: Sequence[Sequence[str]]) -> None:
        self._parts = parts
        self._first = np.cumsum([0, *map(len, parts)])

    def __len__(self) -> int:
        return int(self._first[-1])

    def __getitem__(self, k: Any) -> Any:
        if isinstance(k, slice):
            return [self[i] for i in range(*k.indices(len(self)))]
        number = range(len(self))[k]
        part = int(np.searchsorted(self._first, number, side="right")) - 1
        return self._parts[part][number - int(self._first[part])]

    def __iter__(self) -> Iterator[str]:
        for part in self._parts:
            yield from part


class ShardedIndex(Index):
    """A sharded index; a plain index can be taken for one with a single shard.

    Documents are numbered on from shard to shard. It has no arrays of its own: who needs these is told so.
    """

    is_sharded = True

    def __init__(self, place: str | Path) -> None:
        """`place` may be a URL: then the shards that are needed are copied here."""
        self.origin = str(place) if is_url(place) else ""
        self.folder = folder = manifest_folder(place)
        self._place = folder.absolute()
        self.kept: dict[str, Any] = {}
        if not has_format(folder, SHARDS):
            self._take(Index(local_copy(place)))
            return
        self.manifest = _read(folder)
        self.profile = Profile.from_dict(self.manifest["profile"])
        self.tags: list[str] = self.manifest["tags"]
        self.places: tuple[str, ...] = tuple(shard["place"] for shard in self.manifest["shards"])
        guess = Inferred(*(frozenset(self.manifest["inferred"][name]) for name in Inferred._fields))
        self._know(guess, tuple(self.manifest["roots"]))

    def _take(self, index: Index) -> None:
        """Be a plain index with a single shard."""
        self.manifest, self.profile, self.tags, self.places = index.manifest, index.profile, index.tags, ("",)
        self._know(inferred(index), _roots(index))

    def _know(self, guess: Inferred, roots: tuple[int, ...]) -> None:
        counts: Mapping[str, Any] = self.manifest
        self.units, self.tokens = counts["units"], counts["tokens"]
        every = (counts["units"], counts["unit_tokens"], counts["unit_terms"])
        self.whole: Whole = Whole(
            int(self.manifest["crc32"]),
            counts["tokens"],
            {"elements:*": every, ROOTS: (counts["documents"], roots[0], roots[1])},
            counts["languages"],
            guess,
            len(self.places),
        )
        self.kept["inferred"] = guess
        self._open: dict[int, Shard] = {}

    def __repr__(self) -> str:
        documents, elements = self.manifest["documents"], self.manifest["elements"]
        name = repr(self.origin or str(self.folder))
        return f"ShardedIndex({name}, {len(self)} shards, {documents} documents, {elements} elements)"

    def __reduce__(self) -> tuple[Any, ...]:
        return _opened_again, (self.origin or str(self._place), self.whole.identity)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") and name != "_arrays":
            raise AttributeError(name)
        if self.__dict__.get("closed"):
            raise UsageError(f"the index {self.folder} is closed; open it again.")
        raise self.refusal()

    def refusal(self) -> UsageError:
        """Return the error for what takes the arrays of all documents at once."""
        return UsageError(
            f"{self.origin or self.folder} is an index in shards, and this takes one index; "
            "make one of them with `inexlab index` and `merge=True`."
        )

    def __len__(self) -> int:
        return len(self.places)

    def shard(self, number: int) -> Shard:
        """Return a shard, opened when it is first asked for."""
        if number not in self._open:
            self._open[number] = self._opened(number)
        return self._open[number]

    def _opened(self, number: int) -> Shard:
        place, here = self.places[number], self.origin or str(self.folder)
        shard = Shard(local_copy(join_url(here, place) if place else here), self.whole)
        said = self.manifest["shards"][number] if place else None
        if said and (shard.manifest["crc32"], len(shard.documents)) != (said["identity"], said["documents"]):
            raise damaged(self.folder, f"shard {place} is not the one that the manifest names")
        return shard

    @property
    def shards(self) -> list[Shard]:
        """All shards, opened."""
        return [self.shard(number) for number in range(len(self.places))]

    @property
    def document_from(self) -> list[int]:
        """The number of the first document of each shard, and how many documents there are."""
        entries = self.manifest.get("shards") or [{"documents": self.manifest["documents"]}]
        found = [0]
        for entry in entries:
            found.append(found[-1] + int(entry["documents"]))
        return found

    def place_of(self, document: int) -> tuple[int, int]:
        """Return the shard that a document is in, and its number there."""
        number = int(np.searchsorted(self.document_from, document, side="right")) - 1
        return number, document - self.document_from[number]

    def holding(self, id: str) -> Index:
        """Return the shard that a document is in; the first one where no shard has it."""
        found = (shard for shard in self.shards if id in shard.document_numbers)
        return next(found, self.shard(0))

    @property
    def documents(self) -> Sequence[str]:  # type: ignore[override]
        """The ids of all documents."""
        return _JoinedTexts([shard.documents for shard in self.shards])

    @property
    def titles(self) -> Sequence[str]:  # type: ignore[override]
        """The titles of all documents."""
        return _JoinedTexts([shard.titles for shard in self.shards])

    def text(self, document: int) -> str:
        """Return the canonical text of a document."""
        shard, number = self.place_of(document)
        return self.shard(shard).text(number)

    def term(self, text: str) -> int:  # noqa: ARG002 - terms have numbers in shards alone
        """Return the number of a term: there is none."""
        return -1

    def check(self) -> None:
        """Compare all files of all shards with their checksums."""
        for shard in self.shards:
            shard.check()

    def close(self) -> None:
        """Let go of the files of all shards."""
        for shard in self.__dict__.get("_open", {}).values():
            shard.close()
        super().close()


def open_one_index(index: Index | str | Path) -> Index:
    """Open an index for what needs all of it at once: one in shards is refused."""
    opened = open_index(index)
    if isinstance(opened, ShardedIndex):
        raise opened.refusal()
    return opened


def sharded(index: Index) -> ShardedIndex:
    """Return an index as one in shards; a plain one has a single shard."""
    return index if isinstance(index, ShardedIndex) else ShardedIndex(index.origin or index.folder)


@functools.lru_cache(maxsize=4)
def _opened_again(place: str, identity: int) -> ShardedIndex:
    """Return an index that was sent to this process; it is opened once, unless another took its place."""
    index = ShardedIndex(place)
    if index.whole.identity != identity:
        raise InputError("was replaced while it was being read", file=place, fix="Repeat the command.")
    return index


def size_of_shards(index: ShardedIndex) -> int:
    """Return how many bytes the files of all shards have."""
    return sum(size_of(shard.folder) for shard in index.shards)


def shard_folders(places: Sequence[str | Path]) -> tuple[list[str | Path], Counter[LeftAlone]]:
    """Return the indexes at some places, with the shards of those that have some; and what these know of."""
    found: list[str | Path] = []
    beyond: Counter[LeftAlone] = Counter()
    for place in places:
        index = open_index(place)
        if not isinstance(index, ShardedIndex):
            found.append(place)
            continue
        found += [shard.folder for shard in index.shards]
        beyond += _left_alone(index.manifest)
        for shard in index.shards:
            beyond -= _left_alone(shard.manifest)
    return found, beyond


def _left_alone(manifest: Mapping[str, Any]) -> Counter[LeftAlone]:
    return Counter({LeftAlone(kind, reason): count for kind, reason, count in manifest["left_alone"]})


def _read(folder: Path) -> dict[str, Any]:
    """Read the manifest of a sharded index and check it."""
    try:
        with readable(folder):
            content: dict[str, Any] = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        if content["version"] != _VERSION:
            raise InputError(
                f"is an index in shards of version {content['version']}, and this is inexlab for version "
                f"{_VERSION}",
                file=str(folder),
                fix="Build it again.",
            )
        if content["crc32"] != own_checksum(content) or not _is_sound(content):
            raise KeyError("crc32")
    except FileNotFoundError:
        raise damaged(folder, f"{MANIFEST} is missing") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise InputError(
            "is not an index: its manifest is damaged", file=str(folder), fix="Build it again."
        ) from None
    return content


def _is_sound(content: Mapping[str, Any]) -> bool:
    """Whether a manifest says what others rely on; a shard is in the folder, and nowhere else."""
    shards, guess = content["shards"], content["inferred"]
    numbers = [*content["roots"], *(shard[key] for shard in shards for key in ("identity", "documents"))]
    names = [tag for name in Inferred._fields for tag in guess[name]]
    places = [shard["place"] for shard in shards]
    return (
        bool(shards)
        and are_sound(content)
        and all(map(is_count, numbers))
        and all(isinstance(name, str) for name in names)
        and all(isinstance(place, str) and place.isdecimal() for place in places)
        and len(set(places)) == len(places)
        and len(content["roots"]) == 2
        and sum(shard["documents"] for shard in shards) == content["documents"]
    )
