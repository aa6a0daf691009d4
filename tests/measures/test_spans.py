"""The evidence of the character measures, against an oracle that reads character by character."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.judgements import Judgements
from inexlab.measures.spans import SpanEvidence, span_evidence
from inexlab.policy import Policy
from inexlab.runs import Run
from tests.builders import a_run, calm, judged, judgement_lines, results

both_ways = pytest.mark.parametrize("compiled", ["never", pytest.param("always", marks=pytest.mark.compiled)])


def _evidence(
    run: Run, judgements: Judgements, compiled: str = "never", /, **policy: str | int
) -> SpanEvidence:
    chosen = Policy().with_settings(f"{name}={value}" for name, value in policy.items())
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("INEXLAB_COMPILED", compiled)
        return span_evidence(run, judgements, chosen)


@dataclass
class Reading:
    """What one result shows, as a person with a marker would count it."""

    topic: str
    document: int
    judged: bool
    start: int = -1
    size: int = 0
    relevant: int = 0
    full_size: int = 0
    full_relevant: int = 0
    lead: int = 0


@dataclass
class _Page:
    """A document as the reader of one topic knows it."""

    number: int
    seen: set[int] = field(default_factory=set)
    found: bool = False


def read_by_hand(run: Run, judgements: Judgements, limit: int = 1500) -> list[Reading]:
    """Read every judged topic's results one character at a time."""
    highlighted = {
        (row.topic, row.doc): {at for span in row.spans for at in range(span.start, span.end)}
        for row in judgements
    }
    readings = []
    for topic in sorted({row.topic for row in judgements}):
        pages: dict[str, _Page] = {}
        for result in [result for result in run if result.topic == topic][:limit]:
            page = pages.setdefault(result.doc, _Page(len(pages)))
            reading = Reading(topic, page.number, (topic, result.doc) in highlighted)
            readings.append(reading)
            if result.start is None or result.end is None:
                continue
            reading.start = result.start
            for at in range(result.start, result.end):
                relevant = at in highlighted.get((topic, result.doc), ())
                reading.full_size += 1
                reading.full_relevant += relevant
                if at in page.seen:
                    continue
                page.seen.add(at)
                page.found = page.found or relevant
                reading.size += 1
                reading.relevant += relevant
                reading.lead += not page.found
    return readings


def assert_as_read_by_hand(evidence: SpanEvidence, readings: list[Reading]) -> None:
    counts = Counter(reading.topic for reading in readings)
    assert np.diff(evidence.results_from).tolist() == [counts[topic] for topic in evidence.names]
    for column in ("document", "start", "size", "relevant", "full_size", "full_relevant", "lead"):
        by_hand = [getattr(reading, column) for reading in readings]
        assert getattr(evidence, column).tolist() == by_hand, column
    assert (evidence.row >= 0).tolist() == [reading.judged for reading in readings]


@both_ways
@calm
@given(results(), judgement_lines())
def test_evidence_is_what_a_reader_with_a_marker_counts(
    compiled: str, found: list[str], lines: list[str]
) -> None:
    run, judgements = a_run(*found), judged(*lines)
    assert_as_read_by_hand(_evidence(run, judgements, compiled), read_by_hand(run, judgements))


@both_ways
@calm
@given(results(topics=("1",), documents=("A",), most=40), judgement_lines(topics=("1",), documents=("A",)))
def test_evidence_of_one_document_returned_over_and_over(
    compiled: str, found: list[str], lines: list[str]
) -> None:
    run, judgements = a_run(*found), judged(*lines)
    assert_as_read_by_hand(_evidence(run, judgements, compiled), read_by_hand(run, judgements))


@both_ways
@calm
@given(results(), judgement_lines(), st.integers(1, 6))
def test_the_limit_cuts_each_topic_before_anything_is_read(
    compiled: str, found: list[str], lines: list[str], limit: int
) -> None:
    run, judgements = a_run(*found), judged(*lines)
    evidence = _evidence(run, judgements, compiled, limit=limit)
    readings = read_by_hand(run, judgements, limit)
    assert_as_read_by_hand(evidence, readings)
    assert evidence.findings["cut"] == len(read_by_hand(run, judgements)) - len(readings)


@calm
@given(results(), judgement_lines())
def test_each_result_knows_its_judgement(found: list[str], lines: list[str]) -> None:
    run, judgements = a_run(*found), judged(*lines)
    evidence = _evidence(run, judgements)
    rows = list(judgements)
    in_order = [result for topic in judgements.topics for result in run if result.topic == topic]
    for result, row in zip(in_order, evidence.row.tolist(), strict=True):
        if row >= 0:
            assert (rows[row].topic, rows[row].doc) == (result.topic, result.doc)


@calm
@given(judgement_lines())
def test_totals_of_a_topic_come_from_its_highlights(lines: list[str]) -> None:
    judgements = judged(*lines)
    evidence = _evidence(a_run(), judgements)
    for number, topic in enumerate(judgements.topics):
        lengths = [sum(end - start for start, end in row.spans) for row in judgements if row.topic == topic]
        assert evidence.total_relevant[number] == sum(lengths)
        assert evidence.relevant_documents[number] == sum(length > 0 for length in lengths)


@calm
@given(results(), judgement_lines())
def test_findings_count_the_odd_results_of_judged_topics(found: list[str], lines: list[str]) -> None:
    run, judgements = a_run(*found), judged(*lines)
    readings = read_by_hand(run, judgements)
    topics = {row.topic for row in judgements}
    expected = {
        "cut": 0,
        "overlapping": sum(reading.size < reading.full_size for reading in readings),
        "unjudged": sum(not reading.judged for reading in readings),
        "unlocatable": sum(reading.start == -1 for reading in readings),
        "empty": sum(reading.start != -1 and reading.full_size == 0 for reading in readings),
        "unjudged_topics": len({result.topic for result in run} - topics),
    }
    findings = _evidence(run, judgements).findings
    assert {kind: findings[kind] for kind in expected} == expected
    assert not {kind for kind in findings if kind not in expected and findings[kind]}


@calm
@given(results(), judgement_lines())
def test_documents_gather_their_results_wherever_they_stand(found: list[str], lines: list[str]) -> None:
    run, judgements = a_run(*found), judged(*lines)
    evidence = _evidence(run, judgements)
    readings = read_by_hand(run, judgements)
    for topic, share in zip(judgements.topics, evidence.topics, strict=True):
        by_document: dict[int, list[Reading]] = {}
        for reading in readings:
            if reading.topic == topic:
                by_document.setdefault(reading.document, []).append(reading)
        parts = list(by_document.values())
        documents = share.documents
        assert len(documents) == len(parts)
        assert documents.retrieved.tolist() == [sum(r.size for r in part) for part in parts]
        assert documents.hit.tolist() == [sum(r.relevant for r in part) for part in parts]
        assert documents.lead.tolist() == [sum(r.lead for r in part) for part in parts]
        assert documents.entry.tolist() == [part[0].start for part in parts]


def test_documents_are_numbered_afresh_in_each_topic_by_first_appearance() -> None:
    run = a_run("2:B[0,1)", "1:A[0,1)", "2:A[0,1)", "1:A[1,2)", "1:B[0,1)", "2:B[1,2)")
    evidence = _evidence(run, judged("1:A 0:5", "2:A 0:5"))
    assert list(evidence.names) == ["1", "2"]
    assert evidence.results_from.tolist() == [0, 3, 6]
    assert evidence.document.tolist() == [0, 0, 1, 0, 1, 0]


def test_text_shown_for_one_topic_is_new_for_another() -> None:
    run = a_run("1:A[0,10)", "2:A[0,10)", "1:A[0,10)")
    evidence = _evidence(run, judged("1:A 0:5", "2:A 5:3"))
    assert evidence.size.tolist() == [10, 0, 10]
    assert evidence.relevant.tolist() == [5, 0, 3]


def test_a_result_across_several_seen_stretches_shows_only_the_gaps() -> None:
    run = a_run("A[10,20)", "A[30,40)", "A[0,50)", "A[0,60)")
    evidence = _evidence(run, judged("A 15:30"))
    assert evidence.size.tolist() == [10, 10, 30, 10]
    assert evidence.relevant.tolist() == [5, 10, 15, 0]
    assert evidence.full_relevant.tolist() == [5, 10, 30, 30]


def test_lead_stops_at_the_documents_first_relevant_character() -> None:
    # 20 characters in vain, 5 seen already and 10 new before the highlight at 30, then nothing more
    run = a_run("A[0,20)", "A[15,40)", "A[50,90)")
    assert _evidence(run, judged("A 30:5")).lead.tolist() == [20, 10, 0]


@both_ways
def test_places_far_into_a_text_are_counted_as_any_other(compiled: str) -> None:
    far = 2**52
    run = a_run(f"A[{far},{far + 10})", f"A[{far + 5},{far + 30})")
    evidence = _evidence(run, judged(f"A {far + 8}:4"), compiled)
    assert evidence.size.tolist() == [10, 20]
    assert evidence.relevant.tolist() == [2, 2]


@both_ways
def test_a_run_without_results_leaves_every_topic_empty(compiled: str) -> None:
    evidence = _evidence(a_run(), judged("1:A 0:5", "2:B 0:5"), compiled)
    assert [len(topic) for topic in evidence.topics] == [0, 0]
    assert [len(topic.documents) for topic in evidence.topics] == [0, 0]


# The policy: each choice changes what it says, and nothing else.


def _columns(evidence: SpanEvidence) -> dict[str, list[int]]:
    names = ("size", "relevant", "full_size", "full_relevant", "document", "row", "lead", "start")
    totals = ("results_from", "judged_relevant", "judged_bep", "total_relevant", "relevant_documents")
    return {name: getattr(evidence, name).tolist() for name in (*names, *totals)}


def _changed(run: Run, judgements: Judgements, **policy: str | int) -> dict[str, list[int]]:
    """Return the columns of evidence that a choice changes, as it makes them."""
    before = _columns(_evidence(run, judgements))
    after = _columns(_evidence(run, judgements, **policy))
    return {name: column for name, column in after.items() if column != before[name]}


ODD = a_run("A[0,50)", "A[40,70)", "A?", "X?", "A[90,130)", "A[200,210)", "B[5,5)", "B[0,100)")
ODDLY_JUDGED = judged("A 0:60 size=100 bep=3 stated=70", "B 50:40 size=100 stated=0")


def test_seen_text_again_counts_all_text_of_every_result() -> None:
    assert _changed(ODD, ODDLY_JUDGED, seen_text="again") == {
        "size": [50, 30, 0, 0, 40, 10, 0, 100],
        "relevant": [50, 20, 0, 0, 0, 0, 0, 40],
    }


def test_unlocatable_charges_results_that_no_document_contains() -> None:
    assert _changed(ODD, ODDLY_JUDGED, unlocatable=18) == {
        "size": [50, 20, 18, 18, 40, 10, 0, 100],
        "full_size": [50, 30, 18, 18, 40, 10, 0, 100],
    }


def test_unlocatable_is_charged_as_often_as_text_counts_again() -> None:
    evidence = _evidence(a_run("X?", "X?"), judged("A 0:5"), unlocatable=18, seen_text="again")
    assert evidence.size.tolist() == [18, 18]


def test_outside_clip_cuts_results_at_the_end_that_judgements_state() -> None:
    assert _changed(ODD, ODDLY_JUDGED, outside="clip") == {
        "size": [50, 20, 0, 0, 10, 0, 0, 100],
        "full_size": [50, 30, 0, 0, 10, 0, 0, 100],
        "start": [0, 40, -1, -1, 90, 100, 5, 0],
    }


def test_outside_clip_leaves_documents_of_unknown_length_alone() -> None:
    run = a_run("A[0,5000)", "Unjudged[0,5000)")
    assert _evidence(run, judged("A 0:60"), outside="clip").size.tolist() == [5000, 5000]


def test_a_document_judged_for_another_topic_only_is_clipped_too() -> None:
    run = a_run("1:B[0,5000)")
    assert _evidence(run, judged("1:A 0:60", "2:B 0:5 size=100"), outside="clip").size.tolist() == [100]


def test_relevant_size_stated_believes_the_judgements() -> None:
    assert _changed(ODD, ODDLY_JUDGED, relevant_size="stated") == {
        "judged_relevant": [70, 0],
        "total_relevant": [70],
        "relevant_documents": [1],
    }


@pytest.mark.parametrize(
    "policy",
    [{"denominator": "full"}, {"recall_levels": "floor"}, {"empty_topics": "zero"}, {"beyond": "last"}],
)
def test_choices_of_the_arithmetic_leave_the_evidence_alone(policy: dict[str, str | int]) -> None:
    assert _changed(ODD, ODDLY_JUDGED, **policy) == {}


def test_outside_clip_leaves_nothing_of_a_document_stated_to_be_empty() -> None:
    run = a_run("A[0,50)", "A[10,20)", "B[0,50)")
    assert _changed(run, judged("A size=0", "B 0:5"), outside="clip") == {
        "size": [0, 0, 50],
        "full_size": [0, 0, 50],
        "lead": [0, 0, 0],
        "start": [0, 0, 0],
    }
