"""What the collection adds: grades of elements from highlights, and highlights from passages given by paths.

The oracle writes a small document and knows which characters of it are inside which element.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.collection import Collection, open_collection
from inexlab.errors import InputError
from inexlab.judgements import Judgement, Judgements, read_judgements, write_judgements
from inexlab.judgements.derive import grade_elements, locate_passages
from inexlab.measures import evaluate
from inexlab.spans import Span
from tests.builders import a_run, calm, judged

# The text is "abcdefgh!xyz": p[1] is 0-4, p[2] 4-8, sec 0-9 (with a `!` of its own), the article 0-12.
SMALL = "<article><sec><p>abcd</p><p>ef<i>gh</i></p>!</sec><empty/>xyz</article>"
GRADED = {
    "/article[1]": 12,
    "/article[1]/sec[1]": 9,
    "/article[1]/sec[1]/p[1]": 4,
    "/article[1]/sec[1]/p[2]": 4,
    "/article[1]/sec[1]/p[2]/i[1]": 2,
}


def collection_of(folder: Path, **documents: str) -> Collection:
    for name, text in documents.items():
        (folder / f"{name}.xml").write_text(text, encoding="utf-8")
    return open_collection(folder)


def sizes(judgements: Judgements, row: int = 0) -> dict[str, tuple[int, int]]:
    """The (relevant characters, characters) of each assessed element of a row."""
    elements = judgements.elements
    assert elements is not None
    rows = range(int(elements.elements_from[row]), int(elements.elements_from[row + 1]))
    return {
        elements.paths[int(elements.path[e])]: (int(elements.rsize[e]), int(elements.size[e])) for e in rows
    }


# From highlights to graded elements.


@pytest.mark.parametrize(
    ("highlights", "relevant"),
    [
        ("0:12", (12, 9, 4, 4, 2)),
        ("2:4", (4, 4, 2, 2, 0)),
        ("6:1", (1, 1, 0, 1, 1)),
        ("0:1 3:2 7:3", (6, 5, 2, 2, 1)),
        ("8:1", (1, 1, 0, 0, 0)),
        ("9:3", (3, 0, 0, 0, 0)),
    ],
)
def test_specificity_is_the_highlighted_share(
    highlights: str, relevant: tuple[int, ...], tmp_path: Path
) -> None:
    graded = grade_elements(judged(f"A {highlights}"), collection_of(tmp_path, A=SMALL))
    everything = zip(GRADED.items(), relevant, strict=True)
    assert sizes(graded) == {path: (met, size) for (path, size), met in everything if met}


def test_exhaustivity_is_2_for_all_as_in_2006(tmp_path: Path) -> None:
    graded = grade_elements(judged("A 0:1"), collection_of(tmp_path, A=SMALL))
    assert graded.elements is not None
    assert graded.elements.scale == "2005"
    assert graded.elements.exhaustivity.tolist() == [2, 2, 2]


def test_highlights_and_documents_stay_as_they_are(tmp_path: Path) -> None:
    given_ones = judged("1:A 0:3 bep=1 size=12", "1:B size=2", "2:A 5:1", file="x.qrels")
    graded = grade_elements(given_ones, collection_of(tmp_path, A=SMALL, B="<b>no</b>"))
    assert list(graded) == list(given_ones)
    assert graded.file == "x.qrels"
    assert [list(sizes(graded, row)) for row in (0, 1)] == [
        ["/article[1]", "/article[1]/sec[1]", "/article[1]/sec[1]/p[1]"],
        [],
    ]


def test_characters_are_counted_not_bytes(tmp_path: Path) -> None:
    graded = grade_elements(
        judged("A 0:2"), collection_of(tmp_path, A="<a><p>é&#x1F600;</p><p>&amp;z</p></a>")
    )
    assert sizes(graded) == {"/a[1]": (2, 4), "/a[1]/p[1]": (2, 2)}


def test_warnings_are_kept(tmp_path: Path) -> None:
    odd = judged("A 0:3 2:3")
    assert len(odd.warnings) == 1
    assert grade_elements(odd, collection_of(tmp_path, A=SMALL)).warnings == odd.warnings


def test_without_a_collection_the_way_out_is_said() -> None:
    with pytest.raises(InputError, match=r"x\.qrels: holds no assessed elements.*Give `collection=DIR`"):
        grade_elements(judged("A 0:3", file="x.qrels"), None)


def test_a_collection_of_other_documents_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no document in common with the collection"):
        grade_elements(judged("B 0:3"), collection_of(tmp_path, A=SMALL))


# Random documents.

Node = tuple[str, list["Node | str"]]


def nodes(depth: int) -> st.SearchStrategy[Node]:
    words = st.text("abé\n", max_size=3)
    inner = words if depth == 0 else words | nodes(depth - 1)
    return st.tuples(st.sampled_from(("s", "p", "p1")), st.lists(inner, max_size=4))


def write(node: Node, path: str, at: int, spans: dict[str, range]) -> tuple[str, int]:
    """Return a node as XML and where its text ends; put the characters of each element into `spans`."""
    tag, children = node
    text, start, count = "", at, Counter[str]()
    for child in children:
        if isinstance(child, str):
            text, at = text + child, at + len(child)
        else:
            count[child[0]] += 1
            inner, at = write(child, f"{path}/{child[0]}[{count[child[0]]}]", at, spans)
            text += inner
    spans[path] = range(start, at)
    return f"<{tag}>{text}</{tag}>", at


@calm
@given(root=nodes(3), data=st.data())
def test_specificity_is_that_of_sets_of_characters(
    tmp_path_factory: pytest.TempPathFactory, root: Node, data: st.DataObject
) -> None:
    spans: dict[str, range] = {}
    text, length = write(root, f"/{root[0]}[1]", 0, spans)
    starts = st.integers(0, length)
    offset = st.tuples(starts, st.integers(1, 5))
    chosen = data.draw(st.lists(offset, min_size=1, max_size=3))
    marked = {at for start, size in chosen for at in range(start, start + size)}
    expected = {
        path: (len(marked.intersection(span)), len(span))
        for path, span in spans.items()
        if marked.intersection(span)
    }
    collection = collection_of(tmp_path_factory.mktemp("derive", numbered=True), A=text, B="<b>b</b>")
    highlights = " ".join(f"{start}:{size}" for start, size in chosen)
    graded = grade_elements(judged(f"A {highlights}", "B 0:1"), collection)
    assert sizes(graded) == expected


# From passages given by paths to highlights.


def assessments_of(folder: Path, *inside: str, doc: str = "A") -> Judgements:
    """Assessments of 2006 of one document, with a graded element as they always have."""
    element = '<element path="/article[1]" exhaustivity="2" size="12" rsize="3"/>'
    file = folder / "assessments-of-2006"
    file.write_text(
        f'<assessments topic="1"><file name="{doc}">{"".join(inside)}{element}</file></assessments>'
    )
    return read_judgements(file)


def passage(start: str, end: str) -> str:
    return f'<passage start="/article[1]{start}" end="/article[1]{end}"/>'


@pytest.mark.parametrize(
    ("start", "end", "span"),
    [
        ("/sec[1]/p[1]", "/sec[1]/p[1]", (0, 4)),
        ("/sec[1]/p[1]", "/sec[1]/p[2]", (0, 8)),
        ("/sec[1]/p[1]/text()[1].1", "/sec[1]/p[2]/text()[1].1", (1, 5)),
        ("/sec[1]/p[2]/i[1]/text()[1].0", "/sec[1]/text()[1]", (6, 9)),
        ("/sec[1]/p[2]/text()[1].2", "/text()[1].3", (6, 12)),
        ("/sec", "/sec/p", (0, 4)),
        ("", "", (0, 12)),
    ],
)
def test_a_passage_goes_from_the_start_of_one_place_to_the_end_of_another(
    start: str, end: str, span: tuple[int, int], tmp_path: Path
) -> None:
    found = locate_passages(assessments_of(tmp_path, passage(start, end)), collection_of(tmp_path, A=SMALL))
    assert list(found) == [Judgement("1", "A", (Span(*span),), 12, None)]
    assert found.relevant.tolist() == found.stated.tolist() == [span[1] - span[0]]
    assert found.passages == ()


def test_passages_that_touch_or_overlap_become_one_highlight(tmp_path: Path) -> None:
    p1, p2, text = "/sec[1]/p[1]", "/sec[1]/p[2]", "/text()[1].1"
    assessments = assessments_of(tmp_path, passage(text, text), passage(p2, p2), passage(f"{p1}{text}", p1))
    (found,) = locate_passages(assessments, collection_of(tmp_path, A=SMALL))
    assert found.spans == (Span(1, 8),)


@pytest.mark.parametrize(
    ("place", "offset"), [("/sec[1]/p[2]", 4), ("/sec[1]/p[2]/i[1]/text()[1].1", 7), ("", 0), ("/sec/p", 0)]
)
def test_a_best_entry_point_is_where_its_place_begins(place: str, offset: int, tmp_path: Path) -> None:
    p = "/sec[1]/p[1]"
    entry = f'<best-entry-point path="/article[1]{place}"/>'
    assessments = assessments_of(tmp_path, entry, passage(p, p))
    found = locate_passages(assessments, collection_of(tmp_path, A=SMALL))
    assert list(found) == [Judgement("1", "A", (Span(0, 4),), 12, offset)]


def test_the_grades_are_those_of_the_file(tmp_path: Path) -> None:
    assessments = assessments_of(tmp_path, passage("/sec[1]", "/sec[1]"))
    found = locate_passages(assessments, collection_of(tmp_path, A=SMALL))
    assert sizes(found) == {"/article[1]": (3, 12)}


@pytest.mark.parametrize(
    "inside",
    [
        passage("/sec[2]", "/sec[1]"),
        passage("/sec[1]", "/sec[2]"),
        passage("/sec[1]/p[1]/text()[1].5", "/sec[1]"),
        '<best-entry-point path="/article[1]/p[1]"/>',
    ],
)
def test_a_place_that_is_not_in_the_document_is_left_out(inside: str, tmp_path: Path) -> None:
    p = "/sec[1]/p[1]"
    assessments = assessments_of(tmp_path, inside, passage(p, p), inside)
    found = locate_passages(assessments, collection_of(tmp_path, A=SMALL))
    assert list(found) == [Judgement("1", "A", (Span(0, 4),), 12, None)]
    noun = "passages" if "passage" in inside else "best entry points"
    assert found.warnings == (f"2 {noun} not in the collection, left out",)


def test_where_nothing_is_in_the_collection_it_is_another_one(tmp_path: Path) -> None:
    assessments = assessments_of(tmp_path, passage("/sec[1]", "/sec[1]"), doc="Z")
    with pytest.raises(InputError, match="marks passages, none of which is in the collection") as refusal:
        locate_passages(assessments, collection_of(tmp_path, A=SMALL))
    assert refusal.value.file == str(tmp_path / "assessments-of-2006")


def test_evaluate_and_convert_say_what_is_left_out(tmp_path: Path) -> None:
    p = "/sec[1]/p[1]"
    assessments = assessments_of(tmp_path, passage("/sec[9]", "/sec[9]"), passage(p, p))
    collection = collection_of(tmp_path, A=SMALL)
    message = "1 passage not in the collection, left out"
    evaluation = evaluate(assessments, [a_run("A[0,4)")], ["MAiP"], collection=collection)
    assert f"{assessments.file}: {message}" in evaluation.notes
    assert [row.value for row in evaluation.rows()] == [1.0, 1.0]
    assert message in write_judgements(assessments, tmp_path / "out", "qrels", collection=collection)


@calm
@given(root=nodes(2), data=st.data())
def test_passages_are_the_characters_between_their_ends(
    tmp_path_factory: pytest.TempPathFactory, root: Node, data: st.DataObject
) -> None:
    spans: dict[str, range] = {}
    text, length = write(("article", [root]), "/article[1]", 0, spans)
    pairs = data.draw(st.lists(st.tuples(*[st.sampled_from(sorted(spans))] * 2), max_size=3))
    forward = [(a, b) for a, b in pairs if spans[a].start <= spans[b].stop]
    marked = {at for a, b in forward for at in range(spans[a].start, spans[b].stop)}
    folder = tmp_path_factory.mktemp("passages", numbered=True)
    entry = '<best-entry-point path="/article[1]"/>'
    inside = [f'<passage start="{a}" end="{b}"/>' for a, b in forward]
    (found,) = locate_passages(assessments_of(folder, entry, *inside), collection_of(folder, A=text))
    assert {at for span in found.spans for at in range(span.start, span.end)} == marked
    assert (found.size, found.bep) == (length, 0)


# Both, seen from a measure.


def test_assessments_of_2006_serve_the_measures_of_characters_too(tmp_path: Path) -> None:
    p1, p2 = "/sec[1]/p[1]", "/sec[1]/p[2]"
    assessments = assessments_of(
        tmp_path, f'<best-entry-point path="/article[1]{p2}"/>', passage(p1, p2), doc="A"
    )
    documents = collection_of(tmp_path, A=SMALL)
    measures = ["MAiP", "MAgP(score=BEP,n=10)", "nxCG(quant=spec6)@1"]
    perfect = a_run(f"A/article[1]{p1}", f"A/article[1]{p2}", id="perfect")
    entry = a_run(f"A/article[1]{p2}", f"A/article[1]{p1}", id="entry")
    found = evaluate(assessments, [perfect, entry], measures, collection=documents)
    assert found["MAiP"].totals().tolist() == [1, 1]
    assert found["MAgP(score=BEP,n=10)"].totals().tolist() == pytest.approx([0.6, 1])
    assert found["nxCG(quant=spec6)@1"].totals().tolist() == [0, 0]  # the file grades the article alone


def test_highlights_serve_the_measures_of_elements_too(tmp_path: Path) -> None:
    run = a_run("A/article[1]/sec[1]/p[1]", "A/article[1]/sec[1]", "A/article[1]")
    found = evaluate(
        judged("A 0:4"), [run], ["nxCG(quant=spec6)@3"], collection=collection_of(tmp_path, A=SMALL)
    )
    assert found.scores[0].totals().tolist() == [1]
