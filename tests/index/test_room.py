"""Arrays that loops write to: input that fills them to the last place, or is meant to overfill them.

In plain Python an index beyond an array is an error; compiled, it would write over other memory.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inexlab.errors import InputError
from inexlab.index import build as build_module
from inexlab.index import scanner as scanner_module
from inexlab.index import vocabulary as vocabulary_module
from inexlab.index.analysis.words import LONGEST
from inexlab.index.batch import Batch
from inexlab.index.build import build_index
from inexlab.index.guide import path_guide
from inexlab.index.index import open_index
from inexlab.index.scan import BORDERS, ELEMENTS, TEXT_BYTES
from inexlab.index.scanner import Scanner
from inexlab.index.store import files_folder, verify
from inexlab.index.vocabulary import Vocabulary
from tests.index.test_build import SETTINGS


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INEXLAB_COMPILED", "never")


def exact(size: int, before: Batch | None = None) -> Batch:
    """A batch with room for a document of a size, behind others, and not a byte more."""
    batch = before or Batch()
    kept = batch.size
    forest: tuple[npt.NDArray[Any], ...] = batch.forest
    old = [array.copy() for array in forest]
    batch._make_arrays(kept + size)
    made: tuple[npt.NDArray[Any], ...] = batch.forest
    for array, content in zip(made, old, strict=True):
        array[: min(len(array), len(content))] = content[: len(array)]
    return batch


def scan_in_exact_room(data: bytes, scanner: Scanner, before: Batch | None = None) -> Batch | None:
    batch = exact(len(data), before)
    made = batch.forest
    try:
        scanner.scan(data, "document", batch)
    except InputError:
        return None
    assert all(one is other for one, other in zip(batch.forest, made, strict=True)) or b"&" in data
    return batch


@pytest.mark.parametrize("count", [1, 2, 3, 49, 50, 51, 100])
def test_start_tags_alone(count: int) -> None:
    with pytest.raises(InputError, match="not well-formed"):
        Scanner().scan(b"<a>" * count, "document", Batch())
    assert scan_in_exact_room(b"<a>" * count, Scanner()) is None


@pytest.mark.parametrize("count", [1, 50, 1000])
def test_start_tags_alone_behind_other_documents(count: int) -> None:
    scanner = Scanner()
    before = scan_in_exact_room(b"<a><a/><a/><a/></a>", scanner)
    assert before is not None
    assert scan_in_exact_room(b"<a>" * count, scanner, before) is None
    assert len(before) == 1


CLOSEST = [
    b"<a>" + b"<a/>" * 60 + b"</a>",
    b"<a>" * 40 + b"</a>" * 40,
    b"<a>" + b"x " * 60 + b"</a>",  # a border at every byte
    b"<a>" + b" x" * 60 + b"</a>",
    b"<a>" + b"x]" * 60 + b"</a>",
    b"<b>x</b>",  # a token that goes on to the end
    b"<b>" + b"x" * 64 + b"</b>",
    b"<a>" + "é–".encode() * 40 + b"</a>",
    b"<a>" + "東".encode() * 40 + b"</a>",  # a token at every letter
    b"<a>" + "a東".encode() * 40 + b"</a>",
    b"<b>" + "東a".encode() * 40 + b"</b>",
    b"<b>" + "東".encode() * 40 + b"</b>",
    b"<a>" + "東<b>京</b>".encode() * 20 + b"</a>",
    b"<a>" + "ก\u0e48\u00ad".encode() * 40 + b"</a>",
    b"<a>" + "㎏".encode() * 40 + b"</a>",  # a token at every symbol
    b"<b>" + "㎏a東℃".encode() * 20 + b"</b>",
    b"<a>" + "ຫນ".encode() * 40 + b"</a>",
    b"<a>" + b"C++ " * 40 + b"</a>",
    b"<a>" + b"1.5," * 40 + b"</a>",
    b"<b>" + "1\u200b.\ufeff5,C+\u00ad+ ".encode() * 20 + b"</b>",
    b"<a lang='de'>" + b"<a lang='x'/>" * 20 + b"</a>",
    b"<a>" + "\U0001d4b3\U0010fffd".encode() * 40 + b"</a>",
    b"<a>" + b"&#x10000;&#9;&lt;x" * 20 + b"</a>",
    b"<a>" + b"x<b>y</b>" * 30 + b"</a>",
    *(b"<a>" + b"x" * n + b"</a>" for n in range(57, 73)),
]


@pytest.mark.parametrize("data", CLOSEST)
@pytest.mark.parametrize("cut", [0, 1, 2, 3, 4, 5])
def test_documents_that_fill_their_room(data: bytes, cut: int) -> None:
    scanner = Scanner({"b": "inline"})
    scan_in_exact_room(data[: len(data) - cut], scanner)
    batch = scan_in_exact_room(data, scanner)
    assert batch is not None
    twice = scan_in_exact_room(data, scanner, batch)
    assert twice is not None
    assert len(twice) == 2


MARKUP = b"<a> </a> <a/> <b> </b> <c> </c> <!----> <?p?> < > & &#9; &lt; x ] xxxxxxxxxxxxxxxxxxxx".split()
PIECES = st.sampled_from(
    [
        *MARKUP,
        "東".encode(),
        "ก\u0e48".encode(),
        "㎏".encode(),
        b"C++",
        b"<a lang='de'>",
        b"1,2",
        b" ",
        b"<a b=''>",
        "é".encode(),
        "\U0001d4b3".encode(),
    ]
)


@given(st.lists(st.lists(PIECES, max_size=30).map(b"".join), min_size=1, max_size=3))
@settings(deadline=None)
def test_any_row_of_documents(documents: list[bytes]) -> None:
    scanner, batch = Scanner({"b": "inline", "c": "skip"}), Batch()
    for middle in documents:
        for data in (b"<a>" + middle, b"<b>" + middle + b"</b>"):
            batch = scan_in_exact_room(data, scanner, batch) or batch
    assert batch.filled[TEXT_BYTES] <= batch.size
    assert batch.filled[ELEMENTS] <= len(batch.tag)
    assert batch.filled[BORDERS] <= len(batch.borders)


def test_tags_that_fill_the_table_and_the_pool() -> None:
    room = 1 << 9
    for size in (2, scanner_module._TAG_BYTES, scanner_module._TAG_BYTES + 1):
        names = [f"{k:x}".rjust(size - 1, "y") for k in range(room + 1)]
        data = "<a>" + "".join(f"<x{name}/>" for name in names) + "</a>"
        scanner = Scanner()
        scanner.scan(data.encode(), "document", Batch())
        assert scanner.tags == ["a", *(f"x{name}" for name in names)]


def test_too_many_tags_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scanner_module, "_MOST_TAGS", 1 << 9)
    scanner, batch = Scanner(), Batch()
    scanner.scan(b"<a><b/></a>", "first", batch)
    with pytest.raises(InputError, match="second: has too many different tags"):
        scanner.scan(("<a>" + "".join(f"<x{k}/>" for k in range(600)) + "</a>").encode(), "second", batch)
    scanner.scan(b"<a><c/></a>", "third", batch)
    assert scanner.tags == ["a", "b", "c"]
    assert len(batch) == 2


@pytest.mark.parametrize("size", [1, 8, 15, 16, 63, 64, 65, 250, 255, 256, 600])
def test_texts_that_fill_a_vocabulary(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    vocabulary = Vocabulary()
    vocabulary._table = np.zeros((16, 4), dtype=np.uint64)
    vocabulary._pool = np.zeros(LONGEST, dtype=np.uint64)
    vocabulary._text_from = np.zeros(2, dtype=np.int64)
    texts = [f"{k:02x}".encode() + "ⱥ".encode() * (size // 3) + b"z" * (size % 3) for k in range(200)]
    monkeypatch.setattr(vocabulary_module, "_AT_ONCE", 3)
    assert vocabulary.add(texts).tolist() == list(range(200))
    assert vocabulary.add(texts).tolist() == list(range(200))


def test_a_segment_that_is_full_to_the_last_token(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_module, "_SEGMENT", 4)
    monkeypatch.setattr(build_module, "_ELEMENTS", 2)
    monkeypatch.setattr(build_module, "_BATCH", 0)
    documents = [(f"d{k}", f"d{k}", b"<a><b>" + b"x " * k + b"</b></a>") for k in range(9)]
    build_index(documents, tmp_path / "index", SETTINGS)
    index = open_index(tmp_path / "index")
    assert verify(tmp_path / "index") == []
    assert index.positions(index.term("x")).tolist() == list(range(36))


def test_a_segment_of_more_elements_than_can_be_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build_module, "_BATCH", 0)
    documents = [(f"d{k}", f"d{k}", b"<a><b>x y</b></a>") for k in range(9)]
    build_index(documents, tmp_path / "one", SETTINGS)
    monkeypatch.setattr(build_module, "_MOST_ELEMENTS", 4)
    written: list[int] = []
    flush = build_module._Builder._flush

    def counted(self: build_module._Builder) -> None:
        written.append(1)
        flush(self)

    monkeypatch.setattr(build_module._Builder, "_flush", counted)
    build_index(documents, tmp_path / "several", SETTINGS)
    assert len(written) == 5
    for file in sorted(files_folder(tmp_path / "one").glob("*.bin")):
        assert (files_folder(tmp_path / "several") / file.name).read_bytes() == file.read_bytes(), file.name


@pytest.mark.parametrize("depth", [1, 12, 15, 16, 17, 40])
def test_terms_in_units_as_deep_as_their_path_has_room(tmp_path: Path, depth: int) -> None:
    data = b"<a>x " * depth + b"</a>" * depth
    build_index([("d", "d", data)], tmp_path / "index", SETTINGS)
    index = open_index(tmp_path / "index")
    assert index.term_elements.tolist() == [depth]
    assert index.columns["terms"].tolist() == [1] * depth


@pytest.mark.parametrize("paths", [4095, 4096, 4097])
def test_as_many_paths_as_a_guide_has_room_for(paths: int) -> None:
    tag, back = np.zeros(paths, dtype=np.uint8), np.ones(paths, dtype=np.uint8)
    back[0] = 0
    guide = path_guide(tag, back, ("a",))
    assert guide is not None
    assert guide.path.tolist() == list(range(paths))
