"""Units: runs and judgements whose offsets count bytes, or merge white space, turned into code points."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.collection import Collection, open_collection
from inexlab.judgements import units as judgement_units
from inexlab.runs import units as run_units
from inexlab.spans import UNITS, code_points_from, length_in
from tests.builders import a_run, calm, judged

TEXTS = st.text(st.sampled_from("ab é漢😀 \n\t\u00a0"), max_size=30)


@calm
@given(TEXTS)
def test_bytes_are_those_of_utf8(text: str) -> None:
    convert = code_points_from("byte", text)
    encoded = text.encode()
    for offset in range(len(encoded) + 1):
        assert convert(offset) == len(encoded[:offset].decode(errors="ignore"))
    assert convert(len(encoded) + 7) == len(text) + 7
    assert length_in("byte", text) == len(encoded)


@calm
@given(TEXTS)
def test_merged_white_space_is_counted_once(text: str) -> None:
    convert = code_points_from("merged", text)
    merged = re.sub(r"[ \t\n]+", " ", text)
    assert length_in("merged", text) == len(merged)
    assert convert(len(merged)) == len(text)
    for offset, character in enumerate(merged):
        assert text[convert(offset)] == character or text[convert(offset)] in " \t\n"
        assert re.sub(r"[ \t\n]+", " ", text[: convert(offset)]) == merged[:offset]


@calm
@given(TEXTS)
def test_bytes_of_merged_white_space(text: str) -> None:
    """As merging first and counting bytes after that."""
    convert = code_points_from("merged-byte", text)
    merged = re.sub(r"[ \t\n]+", " ", text)
    in_merged, from_merged = code_points_from("byte", merged), code_points_from("merged", text)
    assert length_in("merged-byte", text) == len(merged.encode())
    for offset in range(len(merged.encode()) + 1):
        assert convert(offset) == from_merged(in_merged(offset))


@calm
@given(TEXTS, st.sampled_from(list(UNITS)), st.integers(0, 60), st.integers(0, 60))
def test_order_is_kept(text: str, unit: str, a: int, b: int) -> None:
    convert = code_points_from(unit, text)
    assert (a <= b) <= (convert(a) <= convert(b))


@pytest.fixture
def collection(tmp_path: Path) -> Collection:
    (tmp_path / "A.xml").write_text("<a>ééé abc</a>", encoding="utf-8")
    (tmp_path / "B.xml").write_text("<a>plain   text</a>", encoding="utf-8")
    return open_collection(tmp_path)


def test_a_run_in_bytes(collection: Collection) -> None:
    run = a_run("A[7,10)", "B[0,4)", "C[3,9)", "A[0,2)", "A?", "A/a[1]")
    found = [(r.doc, r.start, r.end) for r in run_units.in_characters(run, collection, "byte")]
    assert found == [("A", 4, 7), ("B", 0, 4), ("C", 3, 9), ("A", 0, 1), ("A", None, None), ("A", None, None)]
    assert run_units.in_characters(run, collection, "char") is run


def test_a_run_with_merged_white_space(collection: Collection) -> None:
    run = run_units.in_characters(a_run("B[6,10)", "B[0,10)"), collection, "merged")
    assert [(r.start, r.end) for r in run] == [(8, 12), (0, 12)]


def test_judgements_in_bytes(collection: Collection) -> None:
    given_ = judged("A 0:6 7:3 bep=7 size=10 stated=9", "B 0:5 size=12", "2:A 0:2 size=10", "2:C 3:3 size=9")
    found = judgement_units.in_characters(given_, collection, "byte")
    assert [(j.topic, j.doc, *(tuple(s) for s in j.spans), j.size, j.bep) for j in found] == [
        ("1", "A", (0, 3), (4, 7), 7, 4),
        ("1", "B", (0, 5), 12, None),
        ("2", "A", (0, 1), 7, None),
        ("2", "C", (3, 6), 9, None),
    ]
    assert found.stated.tolist() == [6, 5, 1, 3]
    assert judgement_units.in_characters(given_, collection, "char") is given_
