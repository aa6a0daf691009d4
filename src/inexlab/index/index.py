"""An open index: terms, their positions on one axis, and elements as intervals on it."""

from __future__ import annotations

import functools
from bisect import bisect_left
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from inexlab.collection.profile import Profile
from inexlab.index.characters import Bytes
from inexlab.index.guide import PathGuide, path_guide
from inexlab.index.postings import decode
from inexlab.index.segment import ELEMENT_COLUMNS
from inexlab.index.store import Array, map_array, read_manifest
from inexlab.index.words import Terms
from inexlab.spans import Span
from inexlab.tables import Ints


class _Texts(Sequence[str]):
    """Texts in one row of bytes, decoded when asked for."""

    def __init__(self, pool: Bytes, borders: Array) -> None:
        self._pool, self._borders = pool, borders

    def __len__(self) -> int:
        return len(self._borders) - 1

    def __getitem__(self, k: Any) -> Any:
        if isinstance(k, slice):
            return [self[i] for i in range(*k.indices(len(self)))]
        k = range(len(self))[k]
        return self._pool[int(self._borders[k]) : int(self._borders[k + 1])].tobytes().decode()


class Index:
    """An index on disk, mapped into memory; `open_index` opens one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.manifest = read_manifest(folder)
        self._arrays: dict[str, Any] = self.manifest["arrays"]
        self.profile = Profile.from_dict(self.manifest["profile"])
        self.tags: list[str] = self.manifest["tags"]
        self.tag_kinds: Bytes = np.array(self.manifest["tag_kinds"], dtype=np.uint8)
        self.columns: dict[str, Array] = {name: self.array(f"element-{name}") for name in ELEMENT_COLUMNS}
        self.document_elements: Ints = self.array("document-elements")
        self.document_tokens: Ints = self.array("document-tokens")
        self.documents = _Texts(self.array("document-id-bytes"), self.array("document-id-from"))
        self.titles = _Texts(self.array("document-title-bytes"), self.array("document-title-from"))
        self.terms = _Texts(self.array("term-bytes"), self.array("term-from"))
        self.term_elements: Array = self.array("term-elements")
        self.term_frequency: Array = self.array("term-frequency")
        self._positions: Bytes = self.array("positions")
        self._positions_from: Array = self.array("positions-from")
        self.largest_document = int(np.diff(self.document_elements).max(initial=0))
        self.units: int = self.manifest["units"]
        self.mean_tokens: float = self.manifest["unit_tokens"] / max(1, self.units)
        self.mean_terms: float = self.manifest["unit_terms"] / max(1, self.units)
        self.tokens: int = self.manifest["tokens"]
        self._last_text = (-1, "")

    def __repr__(self) -> str:
        elements = len(self.columns["tag"])
        return f"Index({str(self.folder)!r}, {len(self.documents)} documents, {elements} elements)"

    def array(self, name: str) -> Array:
        """Map one of the index's arrays into memory."""
        return map_array(self.folder, name, self._arrays[name])

    @functools.cached_property
    def words(self) -> Terms:
        """How words become terms, as they did when the index was built."""
        return Terms(self.manifest["stemmer"], self.manifest["stop_words"])

    def term(self, text: str) -> int:
        """Return the number of a term, -1 where no document has it."""
        found = bisect_left(self.terms, text)
        return found if found < len(self.terms) and self.terms[found] == text else -1

    def positions(self, term: int) -> Ints:
        """Return where a term is, on the axis of all tokens."""
        out = np.empty(int(self.term_frequency[term]), dtype=np.int64)
        first, last = int(self._positions_from[term]), int(self._positions_from[term + 1])
        decode.for_work(2 * (last - first))(self._positions, first, last, out)
        return out

    @functools.cached_property
    def guide(self) -> PathGuide:
        """The tag path of every element."""
        return path_guide(self.columns["tag"], self.columns["parent"], tuple(self.tags))

    @functools.cached_property
    def document_numbers(self) -> dict[str, int]:
        """The number of each document, by id."""
        return {id: number for number, id in enumerate(self.documents)}

    def document_of(self, element: int) -> int:
        """Return the number of the document that an element is in."""
        return int(np.searchsorted(self.document_elements, element, side="right")) - 1

    def text(self, document: int) -> str:
        """Return the canonical text of a document."""
        import zstandard

        if self._last_text[0] != document:
            borders = self.array("document-text")
            packed = self.array("text")[int(borders[document]) : int(borders[document + 1])].tobytes()
            self._last_text = document, zstandard.ZstdDecompressor().decompress(packed).decode()
        return self._last_text[1]

    def span(self, element: int) -> Span:
        """Return the characters of an element in its document."""
        start = int(self.columns["start"][element])
        return Span(start, start + int(self.columns["length"][element]))

    def parent(self, element: int) -> int:
        """Return the element that an element is in, -1 for a root."""
        back = int(self.columns["parent"][element])
        return element - back if back else -1

    def tag(self, element: int) -> str:
        """Return an element's tag."""
        return self.tags[int(self.columns["tag"][element])]

    def path(self, element: int) -> str:
        """Return the XPath of an element, every step counted among same-named siblings."""
        root = int(self.document_elements[self.document_of(element)])
        steps = []
        while element >= 0:
            above = self.parent(element)
            nth = 1
            if above >= 0:
                # siblings before this one: same parent, same tag
                between = np.arange(above + 1, element)
                back = self.columns["parent"][above + 1 : element].astype(np.int64)
                same = self.columns["tag"][above + 1 : element] == self.columns["tag"][element]
                nth += int(np.count_nonzero(same & (between - back == above) & (back > 0)))
            steps.append(f"/{self.tag(element)}[{nth}]")
            element = above if above >= root else -1
        return "".join(reversed(steps))

    def find(self, document: int, path: str) -> int:
        """Return the element of a document at an XPath, -1 where there is none."""
        from inexlab.collection.paths import parse_place

        place = parse_place(path)
        first, last = (int(e) for e in self.document_elements[document : document + 2])
        if place is None or place.text_node is not None or place.offset is not None:
            return -1
        if not place.steps:
            return first
        tags = self.columns["tag"][first:last]
        numbers = np.arange(first, last)
        back = self.columns["parent"][first:last].astype(np.int64)
        parents = np.where(back > 0, numbers - back, -1)
        here = -1
        for tag, nth in place.steps:
            if tag not in self.tags:
                return -1
            found = numbers[(parents == here) & (tags == self.tags.index(tag))]
            if not 0 < nth <= len(found):
                return -1
            here = int(found[nth - 1])
        return here


def open_index(path: str | Path) -> Index:
    """Open an index that `inexlab index` built: its files are mapped into memory, not read."""
    return Index(Path(path))
