"""Judgements know who judged; several assessors' judgements are chosen among, or merged."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inexlab.errors import InputError, UnknownNameError
from inexlab.judgements import Judgements, JudgementsBuilder, read_judgements, write_judgements
from inexlab.judgements.assessor import Assessor, labels
from inexlab.judgements.merging import choose_assessors, merge, merge_rules, require_one_assessor
from inexlab.judgements.rows import take_rows
from inexlab.measures import evaluate
from inexlab.spans import covered_by, intersection, length, union
from tests.builders import LENGTH, a_run, spans

ANNA, BOB, MODEL = Assessor("person", "anna"), Assessor("person", "bob"), Assessor("model", "judge", "2")
Said = tuple[str, str, Assessor | None, list[tuple[int, int]]]


def judged_by(*said: Said, size: int = LENGTH) -> Judgements:
    builder = JudgementsBuilder()
    for topic, doc, assessor, highlights in said:
        builder.by(assessor)
        bep = highlights[0][0] if highlights else None
        assert builder.add(topic, doc, highlights, size=size, bep=bep)
    return builder.build("both.jsonl")


THREE = judged_by(
    ("1", "A", ANNA, [(0, 6)]),
    ("1", "A", BOB, [(2, 8)]),
    ("1", "A", MODEL, [(4, 9)]),
    ("1", "B", ANNA, []),
    ("2", "A", BOB, [(1, 3)]),
)


def test_rows_know_their_assessor() -> None:
    assert [judged.assessor for judged in THREE] == [ANNA, BOB, MODEL, ANNA, BOB]
    assert THREE.assessors == (ANNA, BOB, MODEL)
    assert labels(THREE.assessors) == ["anna", "bob", "judge"]
    assert THREE.to_pandas()["assessor"].tolist() == ["anna", "bob", "judge", "anna", "bob"]
    assert next(iter(Judgements.of(THREE.to_pandas()))).assessor == ANNA


def test_names_that_are_the_same_are_told_apart() -> None:
    other = Assessor("person", "judge", "2")
    assert labels([MODEL, Assessor("model", "judge", "3")]) == ["judge/2", "judge/3"]
    assert labels([MODEL, other]) == ["judge/2 (model)", "judge/2 (person)"]


@pytest.mark.parametrize(
    ("rule", "highlights", "bep"),
    [
        ("union", [(0, 9)], 0),
        ("majority", [(2, 8)], 0),
        ("intersection", [(4, 6)], 0),
        ("set-a", [(0, 6)], 0),  # anna judged two documents of the topic
        ("set-b", [(2, 8)], 2),  # bob and the model are equally complete; bob comes first
    ],
)
def test_rules_by_hand(rule: str, highlights: list[tuple[int, int]], bep: int) -> None:
    merged = merge(THREE, rule)
    require_one_assessor(merged)
    [first] = [judged for judged in merged if (judged.topic, judged.doc) == ("1", "A")]
    assert (list(first.spans), first.bep, first.size) == (highlights, bep, LENGTH)
    # what one assessor judged stays, by whom it was
    assert [(j.spans, j.assessor) for j in merged if j.topic == "2"] == [(((1, 3),), BOB)]


def test_a_merged_judgement_says_whose_it_is() -> None:
    assert next(iter(merge(THREE, "union"))).assessor == Assessor("person", "union(anna+bob+judge/2)")
    models = judged_by(("1", "A", MODEL, []), ("1", "A", MODEL._replace(version="3"), [(0, 1)]))
    assert next(iter(merge(models, "union"))).assessor == Assessor("model", "union(judge/2+judge/3)")


def test_grades_of_documents_are_merged_too() -> None:
    frame = [
        {"topic": 1, "doc": "A", "grade": grade, "assessor": name}
        for name, grade in (("a", 0), ("b", 1), ("c", 3))
    ]
    both = Judgements.of(frame)
    found = {rule: merge(both, rule).to_dict()["1"]["A"] for rule in ("union", "majority", "intersection")}
    assert found == {"union": 3, "majority": 1, "intersection": 0}
    assert evaluate(merge(both, "union"), [a_run("A?")], "P@1").scores[0].totals()[0] == 1


def test_elements_without_highlights_are_merged_as_a_whole_only(tmp_path: Path) -> None:
    for pool, documents in (("10", "A"), ("11", "AB")):
        files = "".join(
            f'<file name="{doc}"><element path="/a[1]" exhaustivity="1" size="{pool}" rsize="3"/></file>'
            for doc in documents
        )
        text = f'<assessments pool="{pool}" topic="1">{files}</assessments>'
        (tmp_path / f"{pool}.xml").write_text(text)
    with pytest.raises(InputError, match=r"judged a second time.*`merge=`"):
        read_judgements(tmp_path)
    apart = read_judgements(tmp_path, apart=True)
    assert [str(a) for a in apart.assessors] == ["pool-10", "pool-11"]
    complete = read_judgements(tmp_path, merge="set-a")
    assert complete.elements is not None
    assert complete.elements.size.tolist() == [11, 11]
    other = read_judgements(tmp_path, merge="set-b")
    assert other.elements is not None
    assert (other.elements.size.tolist(), len(other)) == ([10], 1)
    with pytest.raises(InputError, match=r"no highlights by offset that union could merge.*set-a, set-b"):
        read_judgements(tmp_path, merge="union")


def test_assessors_are_chosen_by_name_version_and_kind() -> None:
    assert [j.spans for j in choose_assessors(THREE, ["bob"])] == [((2, 8),), ((1, 3),)]
    assert len(choose_assessors(THREE, ["judge/2"])) == len(choose_assessors(THREE, ["kind=model"])) == 1
    assert list(choose_assessors(THREE, ["anna"]).topics) == ["1"]
    assert len(choose_assessors(THREE, ["anna", "bob"])) == 4
    with pytest.raises(UnknownNameError, match="unknown assessor 'ana'; did you mean 'anna'"):
        choose_assessors(THREE, ["ana"])
    with pytest.raises(UnknownNameError, match="kind of assessor"):
        choose_assessors(THREE, ["kind=robot"])
    with pytest.raises(InputError, match="names no assessors"):
        choose_assessors(judged_by(("1", "A", None, [])), ["anna"])


def test_whatever_scores_asks_for_one() -> None:
    with pytest.raises(InputError, match=r"1 document judged by several assessors \(anna, bob, judge\)"):
        evaluate(THREE, [a_run("A[0,4)")], "SpanP")
    with pytest.raises(InputError, match="several assessors"):
        THREE.to_dict()
    score = evaluate(choose_assessors(THREE, ["anna"]), [a_run("A[0,4)")], "SpanP").scores[0].totals()
    assert score[0] == 1


def test_several_assessors_there_and_back(tmp_path: Path) -> None:
    write_judgements(THREE, tmp_path / "j.jsonl", "jsonl")
    assert list(read_judgements(tmp_path / "j.jsonl")) == list(THREE)
    with pytest.raises(InputError, match="several assessors"):
        write_judgements(THREE, tmp_path / "j.qrels", "qrels")
    (tmp_path / "docs").mkdir()
    for doc in "AB":
        (tmp_path / "docs" / f"{doc}.xml").write_text(f"<a><p>{'x' * LENGTH}</p></a>")
    write_judgements(THREE, tmp_path / "out", "assessments-2006", collection=tmp_path / "docs")
    names = sorted(file.name for file in (tmp_path / "out").iterdir())
    assert names == ["topic-1-anna.xml", "topic-1-bob.xml", "topic-1-judge%2F2.xml", "topic-2.xml"]
    back = tmp_path / "back.jsonl"
    write_judgements(read_judgements(tmp_path / "out"), back, "jsonl", collection=tmp_path / "docs")
    again = read_judgements(back)

    def content(judgements: Judgements) -> set[tuple[object, ...]]:
        return {(j.topic, j.doc, j.spans, j.bep, j.assessor) for j in judgements}

    assert content(again) == content(THREE)


@pytest.mark.parametrize(
    ("assessor", "found"),
    [
        ('"x"', Assessor("person", "x")),
        ('{"kind": "model"}', Assessor("model", "model")),
        ('{"kind": "model", "name": "m", "version": 3}', Assessor("model", "m", "3")),
        ('{"kind": "robot", "name": "m"}', None),
        ('{"name": []}', None),
        ("[1]", None),
        ('{"kind": {}}', None),
    ],
)
def test_what_may_stand_for_an_assessor(assessor: str, found: Assessor | None, tmp_path: Path) -> None:
    file = tmp_path / "j.jsonl"
    file.write_text(f'{{"topic": 1, "doc": "A", "spans": [], "assessor": {assessor}}}\n')
    if found is not None:
        assert read_judgements(file).assessors == (found,)
    else:
        with pytest.raises(InputError, match=r"j\.jsonl, line 1: 'assessor' is .*\"name\""):
            read_judgements(file)


def test_one_assessor_judges_a_document_once(tmp_path: Path) -> None:
    file = tmp_path / "j.jsonl"
    row = {"topic": 1, "doc": "A", "spans": [], "assessor": "x"}
    file.write_text(f"{json.dumps(row)}\n{json.dumps(row)}\n")
    with pytest.raises(InputError, match="line 2: document A is judged a second time for topic 1 by x"):
        read_judgements(file)


def test_files_without_names_are_told_apart_by_their_names(tmp_path: Path) -> None:
    for name, passage in (("anna", "0:4"), ("bob", "2:4")):
        (tmp_path / f"{name}.qrels").write_text(f"1 Q0 A 4 10 0 {passage}\n")
    with pytest.raises(InputError, match="second time"):
        read_judgements(tmp_path)
    assert [j.spans for j in read_judgements(tmp_path, merge="union")] == [((0, 6),)]
    assert [j.spans for j in read_judgements(tmp_path, assessor="bob")] == [((2, 6),)]


few = settings(deadline=None, max_examples=40)
people = st.sampled_from([ANNA, BOB, MODEL])
votes = st.dictionaries(
    st.tuples(st.sampled_from("12"), st.sampled_from("AB"), people),
    st.lists(spans(1), max_size=3),
    min_size=1,
)


@few
@given(votes)
def test_laws_of_merging(given_votes: dict[tuple[str, str, Assessor], list[tuple[int, int]]]) -> None:
    """What all highlighted is in what most did, and that in what any did; order and names do not matter."""
    said = [(topic, doc, who, highlights) for (topic, doc, who), highlights in given_votes.items()]
    made = judged_by(*said)
    by_rule = {rule: {(j.topic, j.doc): j.spans for j in merge(made, rule)} for rule in merge_rules}
    for key in {(topic, doc) for topic, doc, _ in given_votes}:
        everybody = [v for (t, d, _), v in given_votes.items() if (t, d) == key]
        chain = [by_rule[rule][key] for rule in ("intersection", "majority", "union")]
        for small, large in itertools.pairwise(chain):
            assert length(intersection(small, large)) == length(small)
        assert list(chain[2]) == union(span for one in everybody for span in one)
        flags = np.array([[any(a <= c < b for a, b in v) for c in range(LENGTH)] for v in everybody])
        needed = len(everybody) // 2 + 1
        assert length(chain[1]) == int((flags.sum(axis=0) >= needed).sum())
    renamed = judged_by(*((t, d, w._replace(name=w.name[::-1]), v) for t, d, w, v in reversed(said)))
    for rule in ("union", "majority", "intersection"):
        assert {(j.topic, j.doc): j.spans for j in merge(renamed, rule)} == by_rule[rule]


@few
@given(st.lists(st.lists(spans(), max_size=4), max_size=4), st.integers(1, 4))
def test_text_that_several_cover(sets: list[list[tuple[int, int]]], at_least: int) -> None:
    found = covered_by(sets, at_least)
    expected = [c for c in range(LENGTH) if sum(any(a <= c < b for a, b in one) for one in sets) >= at_least]
    assert [c for a, b in found for c in range(a, b)] == expected
    assert found == union(found)


@few
@given(votes, st.data())
def test_rows_are_taken_whole(
    given_votes: dict[tuple[str, str, Assessor], list[tuple[int, int]]], data: st.DataObject
) -> None:
    made = judged_by(*((t, d, w, v) for (t, d, w), v in given_votes.items()))
    keep = np.array(data.draw(st.lists(st.booleans(), min_size=len(made), max_size=len(made))), dtype=bool)
    taken = take_rows(made, keep)
    assert list(taken) == [judged for judged, kept in zip(made, keep, strict=True) if kept]
