"""Texts that went by, against sets and lists."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.collection import seen as seen_module
from inexlab.collection.documents import Documents
from inexlab.collection.seen import NamesFile, Seen
from inexlab.errors import InputError

NAMES = st.text(st.characters(exclude_characters="\0"))


@given(st.lists(st.text(max_size=3)))
def test_what_was_there_before(texts: list[str]) -> None:
    seen, before = Seen(), set[str]()
    for text in texts:
        assert seen.add(text) == (text in before)
        before.add(text)


def test_a_table_grows() -> None:
    seen = Seen()
    texts = [f"document-{k}" for k in range(5_000)]
    assert not any(map(seen.add, texts))
    assert all(map(seen.add, texts))


@given(st.lists(st.tuples(NAMES, NAMES)), st.integers(1, 20))
def test_names_come_back_as_they_were(names: list[tuple[str, str]], piece: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(seen_module, "_PIECE", piece)
        patch.setattr(seen_module, "_IN_MEMORY", 10)
        kept = NamesFile()
        for k, (path, name) in enumerate(names):
            kept.add(path, name)
            assert next(iter(kept)) == names[0]  # which does not disturb what is added
            if k % 7 == 0:
                assert list(kept) == names[: k + 1]
        assert list(kept) == names


@pytest.mark.parametrize("colliding", [False, True])
def test_texts_with_the_same_hash_are_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, colliding: bool
) -> None:
    if colliding:
        monkeypatch.setattr(seen_module, "hash", lambda _: 7, raising=False)
    for name in ("one/a.xml", "one/b.xml", "two/c.xml", "two/d.md", "two/d.xml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("<a/>")
    documents = Documents([tmp_path / "one"])
    assert [id for id, _, _ in documents] == ["a", "b"]
    assert documents.settle() == ""
    assert (documents.ids, list(documents.settled())) == ("name", ["a", "b"])
    documents = Documents([tmp_path])
    assert [id for id, _, _ in documents] == ["a", "b", "c", "d", "d"]
    assert "two/d.md and " in documents.settle()
    assert (documents.ids, documents.keep_extension) == ("path", frozenset({"two/d"}))
    assert list(documents.settled(np.array([1, 4]))) == ["one/b", "two/d.xml"]
    with pytest.raises(InputError, match=r"two/d\.xml: has the id 'd', as .*two/d\.md\."):
        list(Documents([tmp_path], "name"))
