"""Telling words of documents, against their definition; both ways of running give the same."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.index import numbers
from inexlab.index.analysis.languages import UNKNOWN
from inexlab.index.numbers import count_indicative
from tests.examples import examples

TELLING = [0b001, 0b110, 0b100]  # of which of three languages each of the first words is
OTHER_LANGUAGE = UNKNOWN + 1
TOKENS = st.lists(st.tuples(st.integers(0, 5), st.booleans()), max_size=12)


@pytest.fixture(params=["always", "never"], autouse=True)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INEXLAB_COMPILED", request.param)


def expected(document: list[tuple[int, bool]]) -> list[int]:
    """How many telling words of each language are among the first that are in no language."""
    looked_at = [word for word, unknown in document if unknown][: numbers._LOOKED_AT]
    return [sum(TELLING[w] >> k & 1 for w in looked_at if w < len(TELLING)) for k in range(3)]


def counted(documents: list[list[tuple[int, bool]]]) -> list[list[int]]:
    rows = [row for document in documents for row in document]
    tokens = np.array([word for word, _ in rows], dtype=np.int32)
    leaf = np.array([int(unknown) for _, unknown in rows], dtype=np.int32)
    spoken = np.array([OTHER_LANGUAGE, UNKNOWN], dtype=np.uint16)
    token_from = np.cumsum([0, *map(len, documents)])
    counts = np.zeros((len(documents), 3), dtype=np.int64)
    telling = np.array(TELLING, dtype=np.uint64)
    with np.errstate(over="ignore"):
        count_indicative.for_work(1)(tokens, leaf, spoken, token_from, telling, counts)
    return counts.tolist()


@given(st.lists(TOKENS, min_size=1, max_size=4))
@examples(25)
def test_telling_words_are_counted(documents: list[list[tuple[int, bool]]]) -> None:
    assert counted(documents) == [expected(document) for document in documents]


def test_only_the_first_words_are_counted() -> None:
    """As many as are looked at, those in a known language aside; the next document begins anew."""
    long = [(0, False)] * 3 + [(0, True)] * (numbers._LOOKED_AT + 5)
    assert counted([long, [(1, True)]]) == [[numbers._LOOKED_AT, 0, 0], [0, 1, 1]]
