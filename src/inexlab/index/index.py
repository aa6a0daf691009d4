"""An open index: terms, their positions on one axis, and elements as intervals on it."""

from __future__ import annotations

import functools
from bisect import bisect_left
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from inexlab.collection.profile import Profile
from inexlab.errors import InputError
from inexlab.index.guide import PathGuide, path_guide
from inexlab.index.postings import decode
from inexlab.index.segment import ELEMENT_COLUMNS
from inexlab.index.store import Array, damaged, map_array, read_manifest
from inexlab.index.words import Terms
from inexlab.spans import Span
from inexlab.tables import Bytes, Ints


class _Texts(Sequence[str]):
    """Texts in one row of bytes, decoded when asked for."""

    def __init__(self, index: Index, name: str) -> None:
        self._index, self._name = index, name
        self._pool = index.array(f"{name}-bytes")
        self._borders = index.array(f"{name}-from")

    def __len__(self) -> int:
        return len(self._borders) - 1

    def __getitem__(self, k: Any) -> Any:
        if isinstance(k, slice):
            return [self[i] for i in range(*k.indices(len(self)))]
        k = range(len(self))[k]
        content = self._pool[int(self._borders[k]) : int(self._borders[k + 1])].tobytes()
        try:
            return content.decode()
        except UnicodeDecodeError:
            raise self._index.damaged(f"{self._name}-bytes", f"{self._name}-from") from None


class Index:
    """An index on disk, mapped into memory; `open_index` opens one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.manifest = read_manifest(folder)
        self._arrays: dict[str, Any] = self.manifest["arrays"]
        self.profile = Profile.from_dict(self.manifest["profile"])
        self.tags: list[str] = self.manifest["tags"]
        self.columns: dict[str, Array] = {name: self.array(f"element-{name}") for name in ELEMENT_COLUMNS}
        self.tag_kinds = self._tag_kinds()
        self.document_elements: Ints = self.borders("document-elements", len(self.columns["tag"]))
        if np.any(self.document_elements[1:] == self.document_elements[:-1]):  # each has a root
            raise self.damaged("document-elements")
        self.tokens: int = self.manifest["tokens"]
        self.document_tokens: Ints = self.borders("document-tokens", self.tokens)
        self.documents, self.titles = _Texts(self, "document-id"), _Texts(self, "document-title")
        self.terms = _Texts(self, "term")
        self.term_elements: Array = self.array("term-elements")
        self.term_frequency: Array = self.array("term-frequency")
        self._positions: Bytes = self.array("positions")
        self._positions_from: Array = self.array("positions-from")
        self._texts: Bytes = self.array("text")
        self._texts_from: Ints = self.borders("document-text", len(self._texts))
        for name in ("document-id", "document-title"):
            self.borders(f"{name}-from", len(self.array(f"{name}-bytes")))
        self.largest_document = int(np.diff(self.document_elements).max(initial=0))
        self.units: int = self.manifest["units"]
        self.mean_tokens: float = self.manifest["unit_tokens"] / max(1, self.units)
        self.mean_terms: float = self.manifest["unit_terms"] / max(1, self.units)
        self._last_text = (-1, "")

    def __repr__(self) -> str:
        elements = len(self.columns["tag"])
        return f"Index({str(self.folder)!r}, {len(self.documents)} documents, {elements} elements)"

    def array(self, name: str) -> Array:
        """Map one of the index's arrays into memory."""
        return map_array(self.folder, name, self._arrays[name])

    def damaged(self, *names: str) -> InputError:
        """Return the error for an array, one of these, that is not as it was written."""
        files = " or ".join(f"{name}.bin" for name in names)
        return damaged(self.folder, f"{files} is not as it was written")

    def borders(self, name: str, last: int) -> Ints:
        """Map an array of ascending numbers from 0 to `last`; compiled loops trust that they are."""
        borders = self.array(name)
        if not len(borders) or borders[0] != 0 or borders[-1] != last or np.any(borders[1:] < borders[:-1]):
            raise self.damaged(name)
        return borders

    def _tag_kinds(self) -> Bytes:
        """Return what each tag is, with room for whatever a damaged column may hold."""
        tag = self.columns["tag"]
        if tag.itemsize > 2 and int(tag.max(initial=0)) >= len(self.tags):
            raise self.damaged("element-tag")
        kinds = np.zeros(max(len(self.tags), 1 << 8 * min(tag.itemsize, 2)), dtype=np.uint8)
        kinds[: len(self.tags)] = self.manifest["tag_kinds"]
        return kinds

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
        count = int(self.term_frequency[term])
        first, last = int(self._positions_from[term]), int(self._positions_from[term + 1])
        # every position ends with a byte of 128 or more: decoding must not write beyond the array
        if np.count_nonzero(self._positions[first:last] > 127) != count or last > len(self._positions):
            raise self.damaged("positions", "positions-from", "term-frequency")
        out = np.empty(count, dtype=np.int64)
        decode.for_work(2 * (last - first))(self._positions, first, last, out)
        return out

    @functools.cached_property
    def guide(self) -> PathGuide:
        """The tag path of every element."""
        made = path_guide(self.columns["tag"], self.columns["parent"], tuple(self.tags))
        if made is None:
            raise self.damaged("element-parent", "element-tag")
        return made

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
            first, last = int(self._texts_from[document]), int(self._texts_from[document + 1])
            packed = self._texts[first:last].tobytes()
            try:
                text = zstandard.ZstdDecompressor().decompress(packed).decode()
            except (zstandard.ZstdError, UnicodeDecodeError, MemoryError):
                raise self.damaged("text") from None
            self._last_text = document, text
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
        code = int(self.columns["tag"][element])
        if code >= len(self.tags):
            raise self.damaged("element-tag")
        return self.tags[code]

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
