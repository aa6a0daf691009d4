"""Laws of the character measures, for any run and any judgements."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import isnan
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from inexlab.collection import Collection, open_collection
from inexlab.judgements import Judgements
from inexlab.measures import evaluate
from inexlab.runs import Run
from inexlab.runs.table import RunBuilder
from inexlab.spans import length
from tests.builders import LENGTH, a_run, calm, judged, judgement_lines, results
from tests.examples import examples

TEXT_MEASURES = [
    *("iP@0", "iP@0.01", "iP@0.125", "iP@0.29", "iP@0.5", "iP@1", "MAiP"),
    *("SpanP@1", "SpanP@5", "SpanP", "SpanR@1", "SpanR@5", "SpanR"),
]
F_MEASURES = [
    *("gP@1", "gP@5", "gP(beta=0.25)@5", "MAgP", "MAgP(beta=0.25)", "igP@0.1"),
    *("gP(score=T2I,tolerance=5)@3", "MAgP(score=T2I,tolerance=5)", "gR@1", "gR@5"),
]
BEP_MEASURES = ["gP(score=BEP,n=10)@3", "MAgP(score=BEP,n=10)", "MAgP(score=BEP)", "igP(score=BEP)@0.5"]
HIXEVAL = ["HiXEvalP@5", "HiXEvalR@5", "HiXEvalF@5", "HiXEvalMAP"]
SCORES = [*TEXT_MEASURES, *F_MEASURES, *BEP_MEASURES, *HIXEVAL]
CHUNK_MEASURES = [
    *(f"{name}{cut}" for name in ("SpanIoU", "SpanF", "Density", "Redundancy") for cut in ("", "@3", "@90c")),
    *("Aspects@1", "Aspects@3"),
    *("Chunk(measure=nDCG@10,rel=0.5)", "Chunk(measure=AP,rel=0.1)", "Chunk(measure=R@3,rel=1)"),
]


def _topic_scores(measures: Sequence[str], judgements: Judgements, run: Run) -> dict[str, list[float]]:
    """Return the scores on every topic, by measure; all topics have relevant text."""
    evaluation = evaluate(judgements, [run], measures, need_judged_topics=False)
    return {name: evaluation[name].values[0].tolist() for name in measures}


@st.composite
def _perfect(draw: st.DrawFn) -> tuple[list[str], Judgements]:
    """Judgements, and a run that returns their highlights, document by document in any order."""
    judgements = judged(*draw(judgement_lines(relevant=True)))
    found: list[str] = []
    for row in draw(st.permutations([row for row in judgements if row.spans])):
        pieces = draw(st.permutations(row.spans))
        found += [f"{row.topic}:{row.doc}[{start},{end})" for start, end in pieces]
    return found, judgements


@calm
@given(_perfect(), st.integers(0, 3))
def test_a_run_of_the_highlights_themselves_is_perfect(
    perfect: tuple[list[str], Judgements], useless: int
) -> None:
    found, judgements = perfect
    whole_list = ["iP@0", "iP@0.01", "iP@0.5", "iP@0.995", "iP@1", "MAiP", "SpanP", "SpanR"]
    in_context = ["MAgP(score=F)", "MAgP(score=F,beta=0.25)", "MAgP(score=T2I,tolerance=0)", "igP@1"]
    hixeval = ["HiXEvalP", "HiXEvalR", "HiXEvalF", "HiXEvalMAP"]
    values = _topic_scores([*whole_list, *in_context, *hixeval], judgements, a_run(*found))
    for measure, by_topic in values.items():
        assert by_topic == [pytest.approx(1.0, abs=1e-12)] * len(by_topic), measure
    # what follows the last relevant text costs precision of the whole list, and nothing that is ranked
    tail = [f"{topic}:Z[{i},{i + 1})" for topic in judgements.topics for i in range(useless)]
    ranked = ["iP@1", "MAiP", "SpanR", *in_context]
    for measure, by_topic in _topic_scores(ranked, judgements, a_run(*found, *tail)).items():
        assert by_topic == [pytest.approx(1.0, abs=1e-12)] * len(by_topic), measure


@calm
@given(st.data())
def test_a_run_of_the_best_entry_points_is_perfect(data: st.DataObject) -> None:
    documents = data.draw(st.lists(st.sampled_from("ABCDEF"), min_size=1, unique=True))
    bep = {doc: data.draw(st.integers(0, 10_000), label=doc) for doc in documents}
    judgements = judged(*(f"{doc} {at}:7 bep={at}" for doc, at in bep.items()))
    found = a_run(*(f"{doc}[{bep[doc]},{bep[doc]})" for doc in data.draw(st.permutations(documents))))
    values = _topic_scores(["MAgP(score=BEP,n=1)", "MAgP(score=BEP,n=500)"], judgements, found)
    assert values == {"MAgP(score=BEP,n=1)": [1], "MAgP(score=BEP,n=500)": [1]}


@calm
@given(results(), judgement_lines(relevant=True))
def test_every_score_lies_between_0_and_1(found: list[str], lines: list[str]) -> None:
    for measure, by_topic in _topic_scores(SCORES, judged(*lines), a_run(*found)).items():
        assert all(0 <= value <= 1 for value in by_topic), (measure, by_topic)


@examples(15)
@given(results(), st.data(), judgement_lines(relevant=True))
def test_every_ratio_of_chunks_lies_between_0_and_1(
    found: list[str], data: st.DataObject, lines: list[str]
) -> None:
    again = data.draw(st.lists(st.sampled_from(found), max_size=6)) if found else []
    for measure, by_topic in _topic_scores(CHUNK_MEASURES, judged(*lines), a_run(*found, *again)).items():
        nothing = measure.startswith("Redundancy")  # only what was returned can repeat something
        assert all(0 <= value <= 1 or (nothing and isnan(value)) for value in by_topic), (measure, by_topic)


@calm
@given(results(), judgement_lines(relevant=True), st.data())
def test_irrelevant_documents_at_the_end_never_raise_a_score(
    found: list[str], lines: list[str], data: st.DataObject
) -> None:
    judgements = judged(*lines)
    relevant = {(row.topic, row.doc) for row in judgements if row.spans}
    tail = [
        result
        for result in data.draw(results(documents=("A", "B", "C", "Y", "Z")), label="tail")
        if (result[0], result[2]) not in relevant
    ]
    before = _topic_scores(SCORES, judgements, a_run(*found))
    after = _topic_scores(SCORES, judgements, a_run(*found, *tail))
    for measure in SCORES:
        for old, new in zip(before[measure], after[measure], strict=True):
            assert new <= old + 1e-12, measure


@calm
@given(results(), judgement_lines(relevant=True), st.data())
def test_irrelevant_text_at_the_end_never_raises_a_score_of_text(
    found: list[str], lines: list[str], data: st.DataObject
) -> None:
    """Also in relevant documents; there it may raise gR and MAgP, for which such a document is found."""
    judgements = judged(*lines)
    highlights = {(row.topic, row.doc): row.spans for row in judgements}
    tail = []
    for result in a_run(*data.draw(results(), label="tail")):
        shown = [(result.start or 0, result.end or 0)]
        spans = highlights.get((result.topic, result.doc), ())
        if length([*spans, *shown]) == length(spans) + length(shown):  # nothing in common
            tail.append(f"{result.topic}:{result.doc}[{shown[0][0]},{shown[0][1]})")
    before = _topic_scores(TEXT_MEASURES, judgements, a_run(*found))
    after = _topic_scores(TEXT_MEASURES, judgements, a_run(*found, *tail))
    for measure in TEXT_MEASURES:
        for old, new in zip(before[measure], after[measure], strict=True):
            assert new <= old, measure


@calm
@given(results(), judgement_lines(relevant=True), st.data())
def test_only_the_order_within_a_topic_matters(
    found: list[str], lines: list[str], data: st.DataObject
) -> None:
    """Topics may stand in any order in the file, even interleaved."""
    queues = {topic: [result for result in found if result[0] == topic] for topic in "123"}
    interleaved = []
    for topic in data.draw(st.permutations([result[0] for result in found]), label="order of topics"):
        interleaved.append(queues[topic].pop(0))
    grouped = sorted(found, key=lambda result: result[0], reverse=True)
    judgements = judged(*lines)
    expected = _topic_scores(SCORES, judgements, a_run(*found))
    assert _topic_scores(SCORES, judgements, a_run(*interleaved)) == expected
    assert _topic_scores(SCORES, judgements, a_run(*grouped)) == expected


@calm
@given(results(), judgement_lines(relevant=True), st.data())
def test_the_order_of_the_judgements_does_not_matter(
    found: list[str], lines: list[str], data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(lines), label="shuffled")
    expected = _topic_scores(SCORES, judged(*lines), a_run(*found))
    assert _topic_scores(SCORES, judged(*shuffled), a_run(*found)) == expected


@calm
@given(results(), judgement_lines(relevant=True))
def test_interpolated_precision_never_rises_with_recall(found: list[str], lines: list[str]) -> None:
    levels = [f"iP@{k / 200:.3f}" for k in range(0, 201, 3)]
    curves = zip(*_topic_scores(levels, judged(*lines), a_run(*found)).values(), strict=True)
    for curve in curves:
        assert list(curve) == sorted(curve, reverse=True)


@calm
@given(results(), judgement_lines(relevant=True))
def test_recall_of_text_never_falls_with_rank(found: list[str], lines: list[str]) -> None:
    measures = [f"SpanR@{k}" for k in range(1, 27)]
    curves = zip(*_topic_scores(measures, judged(*lines), a_run(*found)).values(), strict=True)
    for curve in curves:
        assert list(curve) == sorted(curve)


# Overlap.


@st.composite
def _unseen_parts(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    """Return results without overlap, and the same ones reaching back or on into text already seen.

    Each document is cut into pieces, returned in any order. A result may then grow over the pieces next to
    it that were returned before: what it shows anew stays the one piece.
    """
    pieces: list[tuple[str, int, int]] = []
    for doc in "AB":
        borders = sorted(draw(st.sets(st.integers(0, LENGTH), min_size=2, max_size=9)))
        pieces += [(doc, *pair) for pair in pairwise(borders)]
    apart, grown = [], []
    seen: dict[str, set[int]] = {"A": set(), "B": set()}
    for doc, start, end in draw(st.permutations(pieces)):
        first, last = start, end
        while first - 1 in seen[doc] and draw(st.booleans()):
            first -= 1
        while last in seen[doc] and draw(st.booleans()):
            last += 1
        seen[doc].update(range(start, end))
        apart.append(f"{doc}[{start},{end})")
        grown.append(f"{doc}[{first},{last})")
    return apart, grown


@calm
@given(_unseen_parts(), judgement_lines(topics=("1",), documents=("A", "B"), relevant=True))
def test_overlapping_results_score_as_their_unseen_parts(
    found: tuple[list[str], list[str]], lines: list[str]
) -> None:
    apart, grown = found
    measures = [*TEXT_MEASURES, *F_MEASURES]  # best entry points look at where a result begins
    judgements = judged(*lines)
    expected = _topic_scores(measures, judgements, a_run(*apart))
    assert _topic_scores(measures, judgements, a_run(*grown)) == expected


@calm
@given(results(), judgement_lines(relevant=True))
def test_a_list_returned_twice_scores_in_text_as_it_does_once(found: list[str], lines: list[str]) -> None:
    measures = ["iP@0", "iP@0.5", "iP@1", "MAiP", "SpanP", "SpanR", "MAgP", "MAgP(score=BEP)", "gP@5"]
    judgements = judged(*lines)
    once = _topic_scores(measures, judgements, a_run(*found))
    assert _topic_scores(measures, judgements, a_run(*found, *found)) == once


# Notations.

XML = {
    "A": "<article>\n<title>Caf&#233; &amp; bar</title><p>one <b>two</b> three</p>\n<p>four</p></article>",
    "B": "<?xml version='1.0'?><!-- no --><article><sec><p>𝔘nicode</p><p/>x<!-- no --><p>y&lt;z</p></sec>"
    "<sec><p>last</p></sec></article>",
    "C": "<article><p><![CDATA[a<b]]></p><?no no?><note>n</note><p>end</p></article>",
}


def _spans_of_elements(xml: str) -> dict[str, tuple[int, int]]:
    """Return the span of every element by its path, worked out from the standard library's tree."""
    found: dict[str, tuple[int, int]] = {}

    def walk(element: ElementTree.Element, path: str, start: int) -> int:
        at = start + len(element.text or "")
        counts: dict[str, int] = {}
        for child in element:
            counts[child.tag] = counts.get(child.tag, 0) + 1
            at = walk(child, f"{path}/{child.tag}[{counts[child.tag]}]", at) + len(child.tail or "")
        found[path] = (start, at)
        return at

    root = ElementTree.fromstring(xml)
    walk(root, f"/{root.tag}[1]", 0)
    return found


ELEMENTS = [(doc, path, span) for doc, xml in XML.items() for path, span in _spans_of_elements(xml).items()]


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Collection:
    folder: Path = tmp_path_factory.mktemp("articles")
    for doc, xml in XML.items():
        (folder / f"{doc}.xml").write_text(xml, encoding="utf-8")
    return open_collection(folder)


@calm
@example(chosen=ELEMENTS, lines=["1:A 0:12 bep=1", "2:B 3:9"])
@given(
    chosen=st.lists(st.sampled_from(ELEMENTS), min_size=1, max_size=12),
    lines=judgement_lines(relevant=True),
)
def test_paths_score_as_the_spans_they_stand_for(
    collection: Collection, chosen: list[tuple[str, str, tuple[int, int]]], lines: list[str]
) -> None:
    paths, offsets = RunBuilder(), RunBuilder()
    for place, (doc, path, span) in enumerate(chosen):
        topic = "12"[place % 2]
        paths.add(topic, doc, path=path)
        offsets.add(topic, doc, span=span)
    evaluation = evaluate(
        judged(*lines),
        [paths.build("paths"), offsets.build("offsets")],
        SCORES,
        collection=collection,
        need_judged_topics=False,
    )
    for scores in evaluation.scores:
        by_path, by_offset = scores.values.tolist()
        assert by_path == by_offset, str(scores.measure)


@calm
@given(results(topics=("1",)), judgement_lines(topics=("1",), relevant=True), st.integers(1, 1000))
def test_texts_stretched_alike_score_alike(found: list[str], lines: list[str], factor: int) -> None:
    """Character measures are ratios: the same shares of longer texts give the same scores."""
    judgements, run = judged(*lines), a_run(*found)
    assume(len(run))
    longer = RunBuilder()
    for result in run:
        longer.add(
            result.topic,
            result.doc,
            span=None if result.start is None else (factor * result.start, factor * (result.end or 0)),
        )
    stretched = judged(
        *(
            f"{row.topic}:{row.doc}"
            + "".join(f" {factor * start}:{factor * (end - start)}" for start, end in row.spans)
            for row in judgements
        )
    )
    measures = [*TEXT_MEASURES, "gP@5", "MAgP", "MAgP(beta=0.25)", "gR@2", *HIXEVAL]
    expected = _topic_scores(measures, judgements, run)
    for measure, values in _topic_scores(measures, stretched, longer.build("run")).items():
        assert values == pytest.approx(expected[measure], abs=1e-12), measure
