"""Exhaustivity of elements that follows from what an assessor gave, and sizes that follow from highlights."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inexlab.collection import open_collection, read_document
from inexlab.judgements import Judgements, read_judgements, write_judgements
from inexlab.judgements.derive import grade_elements, inherited
from inexlab.judgements.elements import TOO_SMALL

CASES = Path(__file__).parents[1] / "conformance" / "cases"
DOCUMENT = b"<a><s><p>x</p><p>y</p></s><s><p>z</p></s></a>"
ELEMENTS = read_document(DOCUMENT, "d").elements
PATHS = [ELEMENTS.path(n) for n in range(len(ELEMENTS))]
ORDER = [TOO_SMALL, 1, 2]


def derived(relevant: list[int], values: dict[str, int]) -> dict[str, int]:
    return {PATHS[n]: e for n, e in inherited(ELEMENTS, relevant, values).items()}


def test_by_hand() -> None:
    """A parent has the greatest value below it; what nobody spoke of has that of the nearest above."""
    everything = list(range(len(ELEMENTS)))
    assert derived(everything, {}) == {}
    assert derived(everything, {"/a[1]/s[1]/p[1]": 1}) == {
        "/a[1]": 1,
        "/a[1]/s[1]": 1,
        "/a[1]/s[1]/p[1]": 1,
        "/a[1]/s[1]/p[2]": 1,
        "/a[1]/s[2]": 1,
        "/a[1]/s[2]/p[1]": 1,
    }
    found = derived(everything, {"/a[1]": 1, "/a[1]/s[1]/p[1]": 2, "/a[1]/s[2]": TOO_SMALL})
    assert (found["/a[1]"], found["/a[1]/s[1]"], found["/a[1]/s[1]/p[2]"]) == (2, 2, 2)
    assert (found["/a[1]/s[2]"], found["/a[1]/s[2]/p[1]"]) == (TOO_SMALL, TOO_SMALL)


@settings(deadline=None, max_examples=60)
@given(st.sets(st.sampled_from([2, 3, 5]), min_size=1), st.data())
def test_laws(leaves: set[int], data: st.DataObject) -> None:
    """All relevant elements have a value, no less than given and no less than any child's."""
    relevant = {0}
    for leaf in leaves:
        while leaf >= 0:
            relevant.add(leaf)
            leaf = int(ELEMENTS.parent[leaf])  # noqa: PLW2901 - up to the root
    numbers = sorted(relevant)
    values = data.draw(
        st.dictionaries(st.sampled_from([PATHS[n] for n in numbers]), st.sampled_from(ORDER), min_size=1)
    )
    found = inherited(ELEMENTS, numbers, values)
    assert set(found) == relevant
    for number, e in found.items():
        assert ORDER.index(e) >= ORDER.index(values.get(PATHS[number], TOO_SMALL))
        parent = int(ELEMENTS.parent[number])
        if parent >= 0:
            assert ORDER.index(found[parent]) >= ORDER.index(e)


@pytest.mark.parametrize("case", sorted(path.name for path in CASES.iterdir()))
def test_sizes_of_2005_follow_from_highlights(case: str) -> None:
    """Every element that is relevant, with its size and how much of it is highlighted, and no other."""
    folder = CASES / case
    stated = read_judgements(folder / "assessments2005")
    made = grade_elements(read_judgements(folder / "qrels2009.txt"), open_collection(folder / "docs"))
    found = [{key: sizes[1:] for key, sizes in _relevant(one).items()} for one in (stated, made)]
    assert found[0] == found[1]
    assert found[0]


def test_exhaustivity_of_2005_survives_json_lines(tmp_path: Path) -> None:
    folder = CASES / sorted(path.name for path in CASES.iterdir())[0]
    documents = open_collection(folder / "docs")
    stated = read_judgements(folder / "assessments2005")
    # highlights are known from the qrels, exhaustivity from the assessments
    write_judgements(read_judgements(folder / "qrels2009.txt"), tmp_path / "q.jsonl", "jsonl")
    write_judgements(stated, tmp_path / "e.jsonl", "jsonl", collection=documents)
    both = []
    given_by_document = {}
    for line in (tmp_path / "e.jsonl").read_text().splitlines():
        row = json.loads(line)
        given_by_document[row["topic"], row["doc"]] = row.get("exhaustivity")
    for line in (tmp_path / "q.jsonl").read_text().splitlines():
        row = json.loads(line)
        row["exhaustivity"] = given_by_document.get((row["topic"], row["doc"]))
        both.append(json.dumps(row))
    (tmp_path / "both.jsonl").write_text("\n".join(both))
    write_judgements(
        read_judgements(tmp_path / "both.jsonl"), tmp_path / "out", "assessments-2005", collection=documents
    )
    assert _relevant(read_judgements(tmp_path / "out")) == _relevant(stated)


def _relevant(judgements: Judgements) -> dict[tuple[str, str, str], tuple[int, int, int]]:
    """Return exhaustivity, size and highlighted size of each relevant element."""
    elements = judgements.elements
    assert elements is not None
    rows = {}
    for row, judged in enumerate(judgements):
        for e in range(int(elements.elements_from[row]), int(elements.elements_from[row + 1])):
            if elements.exhaustivity[e]:
                key = judged.topic, judged.doc, elements.paths[int(elements.path[e])]
                rows[key] = int(elements.exhaustivity[e]), int(elements.size[e]), int(elements.rsize[e])
    return rows
