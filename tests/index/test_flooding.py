"""Names and words meant to collide: tables stay as fast as with usual ones."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from inexlab.collection.profile import read_profile
from inexlab.index.batch import Batch
from inexlab.index.build import Settings, build_index
from inexlab.index.index import open_index
from inexlab.index.keys import hash_of_key
from inexlab.index.scanner import Scanner
from inexlab.index.vocabulary import Vocabulary, key_of
from inexlab.tables import SECRET, Hashes, Names, hash_of


def secret(seed: int) -> Hashes:
    return np.random.default_rng(seed).integers(0, 2**64, 4, dtype=np.uint64)


def of_names(numbers: range, known: Hashes) -> list[int]:
    hashed = hash_of.compiled
    texts = [np.frombuffer(b"document%012d" % k, dtype=np.uint8) for k in numbers]
    return [int(hashed(text, 0, len(text), known)) for text in texts]


def of_keys(numbers: range, known: Hashes) -> list[int]:
    hashed = hash_of_key.compiled
    return [int(hashed(np.uint64(k), np.uint64(k % 7), known)) for k in numbers]


def of_long_texts(numbers: range, known: Hashes) -> list[int]:
    keys = key_of.compiled
    texts = [np.array([k, 255 << 56, 77, k % 5], dtype=np.uint64) for k in numbers]
    return [int(keys(text, 4, known)[0]) for text in texts]


@pytest.mark.compiled
@pytest.mark.parametrize("hashes", [of_names, of_keys, of_long_texts])
def test_who_does_not_know_the_secret_finds_no_names_that_collide(
    hashes: Callable[[range, Hashes], list[int]],
) -> None:
    found = [k for k, hash in enumerate(hashes(range(60_000), secret(1))) if hash % 64 == 0]
    assert len(found) > 700
    elsewhere = hashes(range(60_000), secret(2))
    slots = np.bincount([elsewhere[k] % 64 for k in found], minlength=64)
    assert slots.max() < 3 * len(found) / 64
    assert len(set(elsewhere)) == 60_000


def test_the_secret_is_one_of_this_process() -> None:
    assert len(set(SECRET.tolist())) == 4
    names = Names(b"abc", np.array([0, 1]), np.array([1, 3]), np.array([7, 8], dtype=np.uint64))
    moved = pickle.loads(pickle.dumps(names))
    assert list(moved) == ["a", "bc"]
    assert moved._known_hashes is None


def seconds(work: Callable[[], object], times: int = 3) -> float:
    taken = []
    for _ in range(times):
        begin = time.process_time()
        work()
        taken.append(time.process_time() - begin)
    return min(taken)


def tags(count: int, shape: str) -> bytes:
    names = [shape % k for k in range(count)]
    return ("<a>" + "".join(f"<{name}/>" for name in names) + "</a>").encode()


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INEXLAB_COMPILED", "always")
    Scanner().scan(tags(600, "x%d"), "warm", Batch())


@pytest.mark.compiled
@pytest.mark.usefixtures("compiled")
def test_tags_that_begin_alike() -> None:
    """Their first 16 bytes are the same."""

    def scan(count: int, shape: str) -> float:
        data = tags(count, shape)
        return seconds(lambda: Scanner().scan(data, "document", Batch()))

    alike = "section-of-part-%09d"
    assert scan(60_000, alike) < 2.5 * scan(30_000, alike) + 0.05
    assert scan(30_000, alike) < 10 * scan(30_000, "x%019d") + 0.05


@pytest.mark.compiled
@pytest.mark.usefixtures("compiled")
def test_documents_that_are_given_up_cost_what_they_are() -> None:
    """One that the scan leaves to expat takes back its own tags, not all that were known before."""
    scanner, batch = Scanner(), Batch()
    scanner.scan(tags(30_000, "x%d"), "document", batch)

    def given_up(k: int = 0) -> None:
        for number in range(100):
            scanner.scan(f"<a><new{k}-{number}/>\r</a>".encode(), "document", batch)

    assert seconds(given_up, 1) < 1
    assert len(scanner.tags) == 30_101
    assert scanner.tags[30_100] == "new0-99"


@pytest.mark.compiled
@pytest.mark.usefixtures("compiled")
def test_words_that_begin_or_end_alike() -> None:
    def add(count: int, shape: bytes) -> float:
        texts = [shape % k for k in range(count)]
        return seconds(lambda: Vocabulary().add(texts))

    usual = add(50_000, b"%d")
    for shape in (b"beginningbeginning%d", b"%09dendendendendend", b"%08d\0\0\0\0\0\0\0x"):
        assert add(100_000, shape) < 2.5 * add(50_000, shape) + 0.05
        assert add(50_000, shape) < 10 * usual + 0.05


def test_titles_are_found_among_many_tags(tmp_path: Path) -> None:
    many = tags(2_000, "x%d").replace(b"</a>", b"<title>Here</title></a>")
    documents = [("d", "d", many), ("e", "e", b"<a><title>There</title></a>")]
    build_index(documents, tmp_path / "index", Settings(read_profile("tei")))
    assert list(open_index(tmp_path / "index").titles) == ["Here", "There"]
