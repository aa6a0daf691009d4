"""What two assessors have in common, from the lengths of spans, against characters one by one."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from inexlab.judgements import Judgements, JudgementsBuilder
from inexlab.judgements.assessor import Assessor
from inexlab.judgements.overlap import covered_documents, shared_documents
from inexlab.spans import union
from tests.builders import LENGTH, judged, spans

few = settings(deadline=None, max_examples=50)
Votes = dict[tuple[str, str], list[tuple[int, int]]]
votes = st.dictionaries(
    st.tuples(st.sampled_from(["1", "2", "10"]), st.sampled_from("ABCD")), st.lists(spans(1), max_size=4)
)


def made(given_votes: Votes, size: int | None = LENGTH) -> Judgements:
    builder = JudgementsBuilder()
    for (topic, doc), highlights in given_votes.items():
        builder.add(topic, doc, highlights, size=size, bep=highlights[0][0] if highlights else None)
    return builder.build()


def characters(highlights: list[tuple[int, int]]) -> set[int]:
    return {c for start, end in highlights for c in range(start, end)}


def test_by_hand() -> None:
    """A: [0, 6) and [2, 8) share 4 characters; starts and ends are 2 apart each, entry points 3."""
    a = judged("A 0:6 bep=0 size=10", "B 0:2 5:1 size=10", "2:C size=4")
    b = judged("2:C 0:4 size=4", "A 2:6 bep=3 size=10", "B 7:2 size=10", "2:D size=3")
    shared = shared_documents(a, b)
    assert (shared.topics, shared.docs) == (("1", "2"), ("A", "B", "C"))
    assert (shared.a.tolist(), shared.b.tolist(), shared.both.tolist()) == ([6, 3, 0], [6, 2, 4], [4, 0, 0])
    assert (shared.a_relevant.tolist(), shared.b_relevant.tolist()) == ([1, 1, 0], [1, 1, 1])
    # B: starts 0 and 5 are 7 and 2 from 7, which is 2 from 5; ends 2 and 6 are 7 and 3 from 9, which is 3
    assert shared.edge_distance[:2].tolist() == [2, (7 + 2 + 2 + 7 + 3 + 3) / 6]
    assert shared.entry_distance[0] == 3
    assert np.isnan([shared.edge_distance[2], *shared.entry_distance[1:]]).all()
    assert shared.size.tolist() == [10, 10, 4]


def test_sizes_are_looked_up_and_reach_as_far_as_highlights() -> None:
    a, b = judged("A 0:6", "B 0:6", "C 0:9 size=5"), judged("A 0:2", "B", "C size=5")
    assert shared_documents(a, b).size.tolist() == [-1, -1, 9]
    assert shared_documents(a, b, {"A": 20}.get).size.tolist() == [20, -1, 9]


def test_nothing_in_common() -> None:
    shared = shared_documents(judged("A 0:6"), judged("2:A 0:6"))
    assert (len(shared), shared.topics) == (0, ())


@few
@given(votes, votes)
def test_characters_one_by_one(a: Votes, b: Votes) -> None:
    shared = shared_documents(made(a), made(b))
    mirrored = shared_documents(made(b), made(a))
    found = {
        (shared.topics[t], doc): (x, y, both)
        for t, doc, x, y, both in zip(
            shared.topic.tolist(),
            shared.docs,
            shared.a.tolist(),
            shared.b.tolist(),
            shared.both.tolist(),
            strict=True,
        )
    }
    expected = {}
    for key in a.keys() & b.keys():
        ours, theirs = characters(a[key]), characters(b[key])
        expected[key] = len(ours), len(theirs), len(ours & theirs)
    assert found == expected
    assert sorted(shared.both.tolist()) == sorted(mirrored.both.tolist())
    assert np.allclose(np.sort(shared.edge_distance), np.sort(mirrored.edge_distance), equal_nan=True)
    for i, (t, doc) in enumerate(zip(shared.topic.tolist(), shared.docs, strict=True)):
        key = shared.topics[t], doc
        one, other = union(a[key]), union(b[key])
        if one and other:
            apart = [
                min(abs(p - q) for q in theirs)
                for mine, theirs in (
                    ([s.start for s in one], [s.start for s in other]),
                    ([s.end for s in one], [s.end for s in other]),
                    ([s.start for s in other], [s.start for s in one]),
                    ([s.end for s in other], [s.end for s in one]),
                )
                for p in mine
            ]
            assert np.isclose(shared.edge_distance[i], np.mean(apart))


@few
@given(st.lists(votes, min_size=1, max_size=4))
def test_several_assessors_character_by_character(sets: list[Votes]) -> None:
    builder = JudgementsBuilder()
    for number, one in enumerate(sets):
        builder.by(Assessor("person", str(number)))
        for (topic, doc), highlights in one.items():
            builder.add(topic, doc, highlights, size=LENGTH)
    covered = covered_documents(builder.build())
    keys = sorted({key for one in sets for key in one if sum(key in other for other in sets) > 1})
    ones = zeros = apart = 0.0
    for key in keys:
        everybody = [characters(one[key]) for one in sets if key in one]
        for c in range(LENGTH):
            said = sum(c in one for one in everybody)
            ones, zeros = ones + said, zeros + len(everybody) - said
            apart += said * (len(everybody) - said) / (len(everybody) - 1)
    assert len(covered.topic) == len(keys)
    assert np.isclose(covered.ones.sum(), ones)
    assert np.isclose(covered.zeros.sum(), zeros)
    assert np.isclose(covered.disagreement.sum(), apart)
    relevant = [sum(bool(characters(one[key])) for one in sets if key in one) for key in keys]
    assert sorted(covered.relevant.tolist()) == sorted(relevant)
