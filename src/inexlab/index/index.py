"""An open index: terms, their positions on one axis, and elements as intervals on it."""

from __future__ import annotations

import functools
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from inexlab.collection.profile import Profile
from inexlab.errors import InputError, UsageError
from inexlab.index import guide_file
from inexlab.index.analysis import analysis_name
from inexlab.index.analysis.languages import AUTO, code_of
from inexlab.index.analysis.terms import Analyser
from inexlab.index.blocks import BLOCK, Array, Blocks, DamagedError
from inexlab.index.guide import PathGuide, path_guide
from inexlab.index.halves import HALVED, TURN, UPPER, Uppers, uppers_of
from inexlab.index.postings import decode_each
from inexlab.index.segment import ELEMENT_COLUMNS
from inexlab.index.settings import are_sound
from inexlab.index.store import SHARDS, damaged, has_format, open_files
from inexlab.limits import LARGEST_DOCUMENT
from inexlab.spans import Span
from inexlab.tables import Bytes, Codes, Ints, distinct

if TYPE_CHECKING:
    from inexlab.index.whole import Whole

# what is known of the elements of a document, in `Index.checked`
UNKNOWN, SOUND, GONE_THROUGH = range(3)

# the columns that loops go through
LOOP_COLUMNS = ("tag", "parent", "first", "tokens", "terms")

_MET = 8192  # texts about that are kept in memory, so that others are found sooner
_NEAR = 64  # texts that are read together


class _Texts(Sequence[str]):
    """Texts in one row of bytes, decoded when asked for."""

    def __init__(self, index: Index, name: str) -> None:
        self._damaged, self._name = functools.partial(damaged_arrays, index.folder), name
        self._pool, self._borders = index.blocks(f"{name}-bytes"), index.blocks(f"{name}-from")
        self._met: dict[int, bytes] = {}  # those in the middle, where every search by halves begins

    def __len__(self) -> int:
        return len(self._borders.values) - 1

    def __getitem__(self, k: Any) -> Any:
        if isinstance(k, slice):
            return [self[i] for i in range(*k.indices(len(self)))]
        try:
            return self._bytes(range(len(self))[k]).decode()
        except UnicodeDecodeError:
            raise self._damaged(f"{self._name}-bytes", f"{self._name}-from") from None

    def _bytes(self, k: int) -> bytes:
        return self._together(k, k + 1)[1]

    def _together(self, low: int, high: int) -> tuple[list[int], bytes]:
        """Return the texts from `low` to before `high` in one row of bytes, and their borders in the pool."""
        try:
            self._borders.need(low, high + 1)
            borders = self._borders.values[low : high + 1].tolist()
            self._pool.need(borders[0], borders[-1])
            return borders, self._pool.values[borders[0] : borders[-1]].tobytes()
        except DamagedError:
            raise self._damaged(f"{self._name}-bytes", f"{self._name}-from") from None

    def place(self, text: str) -> int:
        """Return the first of these texts, which are in order, that does not come before a text.

        The order of code points is that of their bytes.
        """
        wanted = text.encode(errors="surrogatepass")
        low, high = 0, len(self)
        far, met = high // _MET, self._met
        near = min(far, _NEAR)
        while high - low > near:
            middle = (low + high) // 2
            here = met.get(middle)
            if here is None:
                here = self._bytes(middle)
                if high - low > far:
                    met[middle] = here
            if here < wanted:
                low = middle + 1
            else:
                high = middle
        borders, texts = self._together(low, high)
        first = borders[0]
        return low + bisect_left(
            range(high - low), wanted, key=lambda k: texts[borders[k] - first : borders[k + 1] - first]
        )

    def find(self, text: str) -> int:
        """Return the number of a text among these, which are in order; -1 if it is none of them."""
        place = self.place(text)
        found = place < len(self) and self._bytes(place) == text.encode(errors="surrogatepass")
        return place if found else -1


def damaged_arrays(folder: Path, *names: str) -> InputError:
    """Return the error for an array of an index, one of these, that does not match its checksum."""
    files = " or ".join(f"{name}.bin" for name in names)
    return damaged(folder, f"{files} does not match its checksum")


def _whole(folder: Path, arrays: Mapping[str, Blocks], name: str, before: int = 0, of: int = 0) -> Array:
    """Return an array of an index, compared with its checksums."""
    try:
        return arrays[name].all(before, of)
    except DamagedError:
        raise damaged_arrays(folder, name) from None


def _need_same_analysis(folder: Path, built_with: object) -> None:
    """Refuse an index whose words were made in another way: queries would not find them."""
    if built_with != analysis_name():
        raise InputError(
            f"was built with another analysis of words ({built_with}; this is {analysis_name()})",
            file=str(folder),
            fix="Build it again with `inexlab index`, or search it with the version that built it.",
        )


class _Columns(Mapping[str, Array]):
    """The columns of the element table that loops go through, compared as a whole when first asked for."""

    def __init__(self, folder: Path, arrays: Mapping[str, Blocks]) -> None:
        self._folder, self._arrays = folder, arrays

    def __getitem__(self, name: str) -> Array:
        if name not in LOOP_COLUMNS:  # those that are halved `Index.column` puts together
            raise KeyError(name)
        return _whole(self._folder, self._arrays, f"element-{name}")

    def __iter__(self) -> Iterator[str]:
        return iter(LOOP_COLUMNS)

    def __len__(self) -> int:
        return len(LOOP_COLUMNS)


class Index:
    """An index on disk, mapped into memory; `open_index` opens one.

    Whatever is asked for is compared with its checksums before it is given, block by block. Only the
    `unchecked_columns` are not: loops that go through elements of some documents say of which in `checked`,
    and `check_documents` is called before their results are used.

    It holds its files until `close`, the end of a `with`, or until nobody refers to it any more: nothing that
    belongs to an index refers back to it. Sent to another process, it is opened there.

    `whole` is what is known of the collection that a shard is a part of; None for an index of its own.
    """

    whole: Whole | None = None
    origin: str = ""  # the URL that it was copied from
    is_sharded = False

    def __init__(self, folder: Path) -> None:
        self.folder, self._place = folder, folder.absolute()
        self.manifest, self._arrays = open_files(folder)
        if not are_sound(self.manifest):
            raise damaged(folder, "its settings are not those of an index")
        _need_same_analysis(folder, self.manifest["analysis"])
        self.profile = Profile.from_dict(self.manifest["profile"])
        self.tags: list[str] = self.manifest["tags"]
        self.columns = _Columns(folder, self._arrays)
        self.unchecked_columns = {name: self.blocks(f"element-{name}").values for name in LOOP_COLUMNS}
        self.tag_kinds = self._tag_kinds()
        self.document_elements: Ints = self.borders("document-elements", len(self.unchecked_columns["tag"]))
        if np.any(self.document_elements[1:] == self.document_elements[:-1]):  # each has a root
            raise self.damaged("document-elements")
        # what is known of the elements of each document, for loops that go through them
        self.checked: Bytes = np.zeros(len(self.document_elements) - 1, dtype=np.uint8)
        self.tokens: int = self.manifest["tokens"]
        self.document_tokens: Ints = self.borders("document-tokens", self.tokens)
        self.documents, self.titles = _Texts(self, "document-id"), _Texts(self, "document-title")
        self.terms, self.variant_keys = _Texts(self, "term"), _Texts(self, "variant-key")
        self._texts_from: Ints = self.borders("document-text", len(self.blocks("text").values))
        self._need_columns_that_fit()
        for name in ("document-id", "document-title"):
            self.borders(f"{name}-from", len(self.blocks(f"{name}-bytes").values))
        self.largest_document = int(np.diff(self.document_elements).max(initial=0))
        self.longest_document = int(np.diff(self.document_tokens).max(initial=0))
        self.units: int = self.manifest["units"]
        self.mean_tokens: float = self.manifest["unit_tokens"] / max(1, self.units)
        self.mean_terms: float = self.manifest["unit_terms"] / max(1, self.units)
        self._last_text = (-1, "")
        self.kept: dict[str, Any] = {}  # what was computed from the index and may be needed again

    def __repr__(self) -> str:
        if self.__dict__.get("closed"):
            return f"Index({str(self.folder)!r}, closed)"
        elements = len(self.unchecked_columns["tag"])
        return f"Index({str(self.folder)!r}, {len(self.documents)} documents, {elements} elements)"

    def close(self) -> None:
        """Let go of the files; the index can then not be used any more."""
        folder, place = self.folder, self._place
        self.__dict__.clear()
        self.folder, self._place, self.closed = folder, place, True

    def __enter__(self) -> Index:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def __getattr__(self, name: str) -> Any:
        if self.__dict__.get("closed"):
            raise UsageError(f"the index {self.folder} is closed; open it again.")
        raise AttributeError(f"an index has no {name!r}")

    def __reduce__(self) -> tuple[Any, ...]:
        return open_index, (self._place,)

    @property
    def identity(self) -> int:
        """A number that tells this index, and what is worked out from it, from others."""
        return int(self.manifest["crc32"])

    def holding(self, _id: str) -> Index:
        """Return the index that a document is in: this one, or one of its shards."""
        return self

    def blocks(self, name: str) -> Blocks:
        """Return one of the index's arrays in blocks."""
        return self._arrays[name]

    def array(self, name: str) -> Array:
        """Return one of the index's arrays."""
        return _whole(self.folder, self._arrays, name)

    def part(self, name: str, first: int, last: int) -> Array:
        """Return a part of one of the index's arrays."""
        blocks = self._arrays[name]
        try:
            blocks.need(first, last)
        except DamagedError:
            raise self.damaged(name) from None
        return blocks.values[first:last]

    def column(self, name: str, first: int, last: int) -> Array:
        """Return a part of a column of the element table."""
        numbers = self.part(f"element-{name}", first, last)
        return numbers + self.uppers(name).between(first, last) if name in HALVED else numbers

    def uppers(self, name: str) -> Uppers:
        """Return the upper bits of the numbers in a column of the element table that is halved."""
        known: dict[str, Uppers] = self.kept
        key = f"{UPPER} {name}"
        if key not in known:
            names = [f"element-{name}-{part}" for part in (TURN, UPPER)]
            made = uppers_of(self.array(names[0]), self.array(names[1]), len(self.unchecked_columns["tag"]))
            if made is None:
                raise self.damaged(*names)
            known[key] = made
        return known[key]

    def check(self) -> None:
        """Compare all files with their checksums."""
        before, of = 0, sum(blocks.values.nbytes for blocks in self._arrays.values())
        for name, blocks in self._arrays.items():
            _whole(self.folder, self._arrays, name, before, of)
            before += blocks.values.nbytes

    def check_documents(self) -> None:
        """Compare the elements of documents that loops went through, but nobody has compared before.

        Loops mark these in `checked` with GONE_THROUGH; damaged ones keep the mark.
        """
        documents = np.flatnonzero(self.checked == GONE_THROUGH)
        self._need_elements(documents, LOOP_COLUMNS)
        self.checked[documents] = SOUND

    def columns_within(self, documents: Ints, *names: str) -> list[Array]:
        """Return columns of which the elements of some documents are compared with their checksums.

        Of those that are halved, these are the lower bits.
        """
        self._need_elements(distinct(documents), names)
        return [self.blocks(f"element-{name}").values for name in names]

    def _need_elements(self, documents: Ints, names: Iterable[str]) -> None:
        first, last = self.document_elements[documents], self.document_elements[documents + 1] - 1
        for name in names:
            blocks = self._arrays[f"element-{name}"]
            try:
                # the blocks between the first and the last one of a document, too
                long = np.flatnonzero((last - first) * blocks.values.itemsize >= BLOCK)
                blocks.need_each(np.concatenate((first, last)))
                for k in long.tolist():
                    blocks.need(int(first[k]), int(last[k]) + 1)
            except DamagedError:
                raise self.damaged(f"element-{name}") from None

    def damaged(self, *names: str) -> InputError:
        """Return the error for an array, one of these, that does not match its checksum."""
        return damaged_arrays(self.folder, *names)

    def borders(self, name: str, last: int) -> Ints:
        """Map an array of ascending numbers from 0 to `last`; compiled loops trust that they are."""
        borders = self.array(name)
        if not len(borders) or borders[0] != 0 or borders[-1] != last or np.any(borders[1:] < borders[:-1]):
            raise self.damaged(name)
        return borders

    def _need_columns_that_fit(self) -> None:
        """Refuse columns of other lengths or types than an index has: a hand-made index can have any.

        Compiled loops trust that a number of an element or a document is in every column, and that none is
        negative.
        """
        for name in ELEMENT_COLUMNS:
            column = self.blocks(f"element-{name}").values
            unsigned = column.dtype.kind == "u" and column.itemsize <= 4 and column.dtype.isnative
            if not unsigned or len(column) != self.document_elements[-1]:
                raise self.damaged(f"element-{name}")
        for name in ("document-tokens", "document-text", "document-id-from", "document-title-from"):
            if len(self.blocks(name).values) != len(self.document_elements):
                raise self.damaged(name)
        for name, more in (("term-frequency", 0), ("term-elements", 0), ("positions-from", 1)):
            if len(self.blocks(name).values) != len(self.terms) + more:
                raise self.damaged(name)

    def _tag_kinds(self) -> Bytes:
        """Return what each tag is, with room for whatever a damaged column may hold."""
        tag = self.unchecked_columns["tag"]
        if tag.itemsize > 2 and int(self.columns["tag"].max(initial=0)) >= len(self.tags):
            raise self.damaged("element-tag")
        kinds = np.zeros(max(len(self.tags), 1 << 8 * min(tag.itemsize, 2)), dtype=np.uint8)
        kinds[: len(self.tags)] = self.manifest["tag_kinds"]
        return kinds

    @functools.cached_property
    def analyser(self) -> Analyser:
        """How words become terms, as they did when the index was built."""
        stop = self.manifest["stop_words"]
        return Analyser(
            self.manifest["language"], self.manifest["stemmer"], None if stop == AUTO else frozenset(stop)
        )

    @property
    def languages(self) -> dict[str, int]:
        """How many words there are of each language, the most first; "" where it is none or not known."""
        languages: dict[str, int] = self.manifest["languages"]
        return languages

    def term(self, text: str) -> int:
        """Return the number of a term, -1 where no document has it."""
        return self.terms.find(text)

    def terms_beginning(self, text: str) -> range:
        """Return the numbers of all terms that begin with a text."""
        first = self.terms.place(text)
        return range(first, bisect_left(self.terms, True, lo=first, key=lambda t: not t.startswith(text)))

    def variants(self, key: str, itself: int | None = None) -> list[int]:
        """Return the numbers of the terms of words that are `key` without accents and ligatures.

        That of `key` `itself` may be known already.
        """
        itself = self.term(key) if itself is None else itself
        found = [] if itself < 0 else [itself]
        place = self.variant_keys.find(key)
        if place >= 0:
            first, last = (int(border) for border in self.part("variant-from", place, place + 2))
            found += self.part("variant-term", first, last).tolist()
            if max(found) >= len(self.terms):
                raise self.damaged("variant-from", "variant-term")
        return found

    def declared_languages(self, document: int) -> dict[int, str]:
        """Return the languages that elements of a document say they are in, by their numbers in it.

        Only where it is another one than around them; empty if an element says that it is in none.
        """
        elements = self.array("language-element")
        root, beyond = (int(e) for e in self.document_elements[document : document + 2])
        first, last = (int(place) for place in np.searchsorted(elements, (root, beyond)))
        numbers = self.part("language-number", first, last).tolist()
        declared = zip(elements[first:last].tolist(), numbers, strict=True)
        return {element - root: code_of(number) for element, number in declared}

    def positions(self, term: int) -> Ints:
        """Return where a term is, on the axis of all tokens."""
        return self.positions_of([term])[0]

    def positions_of(self, terms: Sequence[int]) -> tuple[Ints, Ints]:
        """Return where some terms are, one after the other, and the borders between them in that row."""
        counts = [int(self.part("term-frequency", term, term + 1)[0]) for term in terms]
        ranges = [self.part("positions-from", term, term + 2).tolist() for term in terms]
        data = self.blocks("positions").values
        total = 0
        for count, (first, last) in zip(counts, ranges, strict=True):
            # a position takes a byte or more
            if min(first, count) < 0 or not first + count <= last <= len(data):
                raise self.damaged("positions", "positions-from", "term-frequency")
            self.part("positions", first, last)
            total += last - first
        borders = np.array([0, *accumulate(counts)], dtype=np.int64)
        out = np.empty(borders[-1], dtype=np.int64)
        begin, end = np.array(ranges, dtype=np.int64).reshape(-1, 2).T.copy()
        if not decode_each.for_work(2 * total)(data, begin, end, borders, out):
            raise self.damaged("positions", "positions-from", "term-frequency")
        return out, borders

    @property
    def term_frequency(self) -> Array:
        """How often each term occurs."""
        return self.array("term-frequency")

    @property
    def term_elements(self) -> Array:
        """How many units of retrieval hold each term."""
        return self.array("term-elements")

    def units_with(self, term: int) -> int:
        """Return how many units of retrieval hold a term."""
        return int(self.part("term-elements", term, term + 1)[0])

    @functools.cached_property
    def guide(self) -> PathGuide:
        """The tag path of every element; kept beside a large index."""
        elements, tags = len(self.unchecked_columns["tag"]), tuple(self.tags)
        large = elements >= guide_file.LEAST
        kept = guide_file.kept_guide(self.folder, self.identity, elements, tags) if large else None
        if kept is not None:
            return kept
        made = path_guide(self.columns["tag"], self.columns["parent"], tags)
        if made is None:
            raise self.damaged("element-parent", "element-tag")
        if not large:
            return made
        guide_file.keep_guide(self.folder, self.identity, made)
        return guide_file.kept_guide(self.folder, self.identity, elements, tags) or made

    @functools.cached_property
    def document_lengths(self) -> Codes:
        """How many tokens each document has."""
        return self.columns["tokens"][self.document_elements[:-1]].astype(np.int32)

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

        number, text = self._last_text  # both at once: another thread may ask for another document
        if number != document:
            first, last = int(self._texts_from[document]), int(self._texts_from[document + 1])
            packed = self.part("text", first, last).tobytes()
            try:
                # a character has four bytes at most
                if zstandard.frame_content_size(packed) > 4 * LARGEST_DOCUMENT:
                    raise zstandard.ZstdError("too large")
                text = zstandard.ZstdDecompressor().decompress(packed).decode()
            except (zstandard.ZstdError, UnicodeDecodeError, MemoryError):
                raise self.damaged("text") from None
            self._last_text = document, text
        return text

    def span(self, element: int) -> Span:
        """Return the characters of an element in its document."""
        start = int(self.column("start", element, element + 1)[0])
        return Span(start, start + int(self.column("length", element, element + 1)[0]))

    def spans(self, elements: Ints) -> tuple[Ints, Ints]:
        """Return the characters where elements begin and end in their documents."""
        start, length = (self._whole_numbers(name, elements) for name in HALVED)
        return start, start + length

    def _whole_numbers(self, name: str, elements: Ints) -> Ints:
        """Return the numbers of some elements in a column that is halved."""
        lower = self.blocks(f"element-{name}")
        try:
            lower.need_each(elements)
        except DamagedError:
            raise self.damaged(f"element-{name}") from None
        return lower.values[elements] + self.uppers(name).of(elements).astype(np.int64)

    def intervals(self, elements: Ints) -> tuple[Ints, Ints]:
        """Return where elements begin and end on the axis; of documents that loops went through."""
        document = np.searchsorted(self.document_elements, elements, side="right") - 1
        first = self.document_tokens[document] + self.unchecked_columns["first"][elements]
        return first, first + self.unchecked_columns["tokens"][elements]

    def parent(self, element: int) -> int:
        """Return the element that an element is in, -1 for a root."""
        back = int(self.column("parent", element, element + 1)[0])
        return element - back if back else -1

    def tag(self, element: int) -> str:
        """Return an element's tag."""
        code = int(self.column("tag", element, element + 1)[0])
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
                back = self.column("parent", above + 1, element).astype(np.int64)
                tags = self.column("tag", above + 1, element + 1)
                same = tags[:-1] == tags[-1]
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
        tags = self.column("tag", first, last)
        numbers = np.arange(first, last)
        back = self.column("parent", first, last).astype(np.int64)
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


def open_index(index: Index | str | Path) -> Index:
    """Open an index that `inexlab index` built, if it is not open already: its files are mapped, not read.

    One with shards is opened with all of them. One on another file system is copied to this one first.
    """
    if isinstance(index, Index):
        return index
    from inexlab.index.remote import is_url, local_copy, manifest_folder

    if has_format(manifest_folder(index), SHARDS):
        from inexlab.index.sharded import ShardedIndex

        return ShardedIndex(index)
    opened = Index(local_copy(index))
    opened.origin = str(index) if is_url(index) else ""
    return opened
