"""Files and tables are two forms of the same: what is written is read again, and written again alike."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.collection import Collection, open_collection
from inexlab.judgements import Judgements, JudgementsBuilder, read_judgements, write_judgements
from inexlab.judgements.elements import Scale
from inexlab.judgements.table import ElementGrade
from inexlab.runs import Result, Run, RunBuilder, read_run, write_run
from tests.builders import calm

# Any names: letters and signs of all scripts, with none that a column or XML could not hold.
_CHARACTERS = st.characters(exclude_categories=("C", "Z"), exclude_characters="\ufeff")
NAMES = st.text(_CHARACTERS, min_size=1, max_size=6).filter(lambda name: name[0] not in "#{<")
TAGS = st.text(st.characters(categories=["L"]), min_size=1, max_size=3)
STEPS = st.builds(lambda tag, number: f"/{tag}[{number}]", TAGS, st.integers(1, 99))
PATHS = st.lists(STEPS, min_size=1, max_size=4).map("".join)
POINTS = st.builds(
    lambda path, k, n: f"{path}/text()[{k}].{n}", PATHS, st.integers(1, 9), st.integers(0, 999)
)
SPANS = st.builds(lambda start, length: (start, start + length), *[st.integers(0, 2**40)] * 2)
SCORES = st.floats(allow_nan=False)

PLACES: dict[str, st.SearchStrategy[dict[str, Any]]] = {
    "path": st.builds(lambda path: {"path": path}, PATHS),
    "place": st.builds(lambda path: {"path": path}, PATHS | POINTS),
    "passage": st.builds(lambda path, until: {"path": path, "until": until}, PATHS | POINTS, PATHS | POINTS),
    "span": st.builds(lambda span: {"span": span}, SPANS),
    "both": st.builds(lambda path, span: {"path": path, "span": span}, PATHS, SPANS),
    "point": st.builds(lambda start: {"span": (start, start)}, st.integers(0, 2**40)),
    "document": st.just({"path": "/"}),
    "nowhere": st.just({}),
}
# What each format holds without loss.
HOLDS = {
    "2005": ("path",),
    "2008": ("place", "passage", "span"),
    "2009": ("place", "nowhere"),
    "2009-fol": ("span", "nowhere"),
    "2009-bep": ("point", "nowhere"),
    "trec": ("document",),
    "jsonl": ("place", "passage", "span", "both", "document", "nowhere"),
}


@st.composite
def runs(draw: st.DrawFn, format: str) -> Run:
    places = st.one_of(*(PLACES[kind] for kind in HOLDS[format]))
    scores = SCORES | st.just(math.nan) if format == "jsonl" else SCORES
    topics, docs = (
        draw(st.lists(NAMES, min_size=1, max_size=3)),
        draw(st.lists(NAMES, min_size=1, max_size=3)),
    )
    rows = st.tuples(st.sampled_from(topics), st.sampled_from(docs), scores, places)
    key = (lambda row: row[:2]) if format == "trec" else None
    found = draw(st.lists(rows, min_size=1, max_size=12, unique_by=key))
    if format in ("trec", "jsonl"):  # these are read by score
        found.sort(key=lambda row: (math.isnan(row[2]), -row[2]))
    builder = RunBuilder()
    for topic, doc, score, place in found:
        builder.add(topic, doc, score, **place)
    return builder.build(draw(NAMES))


def by_topic(run: Run) -> dict[str, list[tuple[object, ...]]]:
    """Return the results of each topic; the order of topics is not part of a ranking."""
    found: dict[str, list[tuple[object, ...]]] = {}
    for result in run:
        plain = result._replace(score=0) if math.isnan(result.score) else result
        found.setdefault(result.topic, []).append((math.isnan(result.score), *plain))
    return found


@pytest.mark.parametrize("format", HOLDS)
@calm
@given(data=st.data())
def test_a_run_is_read_as_it_was_written_and_written_alike(format: str, data: st.DataObject) -> None:
    run = data.draw(runs(format))
    with tempfile.TemporaryDirectory() as folder:
        first, again = Path(folder) / "first", Path(folder) / "again"
        notes = write_run(run, first, format)
        read = read_run(first)
        write_run(read, again, format)
        assert by_topic(read) == by_topic(run)
        assert again.read_bytes() == first.read_bytes()
        assert read.id == ("first" if format == "jsonl" else run.id)
        assert not [note for note in notes if not note.startswith(("not known", "the run id"))]


@pytest.mark.parametrize("format", ["trec", "jsonl"])
@calm
@given(data=st.data())
def test_the_ranking_outlives_formats_that_are_read_by_score(format: str, data: st.DataObject) -> None:
    """Whatever the scores are: where they would change the ranking, they are not written."""
    builder = RunBuilder()
    for number, score in enumerate(data.draw(st.lists(SCORES | st.just(math.nan), min_size=1, max_size=9))):
        builder.add("1", f"d{number}", score, path="/")
    run = builder.build("run")
    with tempfile.TemporaryDirectory() as folder:
        write_run(run, Path(folder) / "run", format)
        read = read_run(Path(folder) / "run")
        assert [result.doc for result in read] == [result.doc for result in run]
        assert read.place is None


@calm
@given(
    about=st.fixed_dictionaries(
        {},
        optional=dict.fromkeys(("participant", "task", "query", "submission_type", "topic_part"), NAMES),
    ),
    run=runs("2005"),
)
def test_what_xml_says_about_a_run_is_kept(about: dict[str, str], run: Run) -> None:
    object.__setattr__(run, "about", about)
    with tempfile.TemporaryDirectory() as folder:
        write_run(run, Path(folder) / "out", "2005")
        assert read_run(Path(folder) / "out").about == about


# Judgements.


@st.composite
def highlights(draw: st.DrawFn, bep: st.SearchStrategy[int | None], size: bool) -> Judgements:
    builder = JudgementsBuilder()
    for topic in draw(st.lists(NAMES, min_size=1, max_size=3, unique=True)):
        for doc in draw(st.lists(NAMES, min_size=1, max_size=3, unique=True)):
            spans = draw(st.lists(st.builds(lambda a, b: (a, a + b), *[st.integers(0, 99)] * 2), max_size=4))
            spans = [span for span in spans if span[0] < span[1]]
            length = 200 if size else draw(st.none() | st.integers(0, 200))
            builder.add(topic, doc, spans, size=length, bep=draw(bep) if spans else None)
    return builder.build()


@pytest.mark.parametrize(
    ("format", "bep", "size"),
    [
        ("qrels", st.integers(0, 200), True),
        ("qrels-nobep", st.none(), True),
        ("jsonl", st.none() | st.integers(0, 200), False),
    ],
)
@calm
@given(data=st.data())
def test_highlights_are_read_as_they_were_written_and_written_alike(
    format: str, bep: st.SearchStrategy[int | None], size: bool, data: st.DataObject
) -> None:
    judgements = data.draw(highlights(bep, size))
    with tempfile.TemporaryDirectory() as folder:
        first, again = Path(folder) / "first", Path(folder) / "again"
        assert write_judgements(judgements, first, format) == judgements.not_kept
        read = read_judgements(first)
        write_judgements(read, again, format)
        assert list(read) == list(judgements)
        assert again.read_bytes() == first.read_bytes()


@st.composite
def graded(draw: st.DrawFn, scale: Scale) -> Judgements:
    grades = {
        "2002": st.builds(lambda p, e, s: ElementGrade(p, e, s, 0, 0), PATHS, *[st.integers(0, 3)] * 2),
        "2004": st.builds(
            lambda p, e, s: ElementGrade(p, e, s if e else 0, 0, 0),
            PATHS,
            st.integers(0, 3),
            st.integers(1, 3),
        ),
        "2005": st.builds(
            lambda p, e, size, more: ElementGrade(p, e, -1, size + more, size),
            PATHS,
            st.integers(-1, 2),
            st.integers(0, 99),
            st.integers(0, 99),
        ),
    }[scale]
    builder = JudgementsBuilder()
    topics = draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))
    for topic in topics:
        builder.add_topic(topic, draw(st.just("") | NAMES))
        for doc in draw(st.lists(NAMES, max_size=3, unique=True)):
            builder.add(topic, doc)
            for grade in draw(st.lists(grades, min_size=1, max_size=5, unique_by=lambda grade: grade.path)):
                builder.add_element(topic, doc, grade, scale)
    builder.add(topics[0], "a document")
    builder.add_element(topics[0], "a document", draw(grades), scale)
    return builder.build()


def rows(judgements: Judgements) -> Iterator[tuple[object, ...]]:
    elements = judgements.elements
    assert elements is not None
    yield tuple(judgements.topics), elements.scale, dict(judgements.pools)
    for row, judged in enumerate(judgements):
        mine = slice(*elements.elements_from[row : row + 2].tolist())
        paths = [elements.paths[code] for code in elements.path[mine].tolist()]
        columns = (elements.exhaustivity, elements.specificity, elements.size, elements.rsize)
        yield judged, paths, *(column[mine].tolist() for column in columns)
    yield judgements.passages


@pytest.mark.parametrize(
    ("format", "scale"),
    [
        ("assessments-2002", "2002"),
        ("assessments-2004", "2004"),
        ("assessments-2005", "2005"),
        ("assessments-2006", "2005"),
    ],
)
@calm
@given(data=st.data())
def test_assessments_are_read_as_they_were_written_and_written_alike(
    format: str, scale: Scale, data: st.DataObject
) -> None:
    judgements = data.draw(graded(scale))
    with tempfile.TemporaryDirectory() as folder:
        first, again = Path(folder) / "first", Path(folder) / "again"
        write_judgements(judgements, first, format)
        read = read_judgements(first)
        write_judgements(read, again, format)
        assert list(rows(read)) == list(rows(judgements))
        for file in first.iterdir():
            assert (again / file.name).read_bytes() == file.read_bytes()


# Through the collection.

NESTED = "<a>one <b>two <c>three</c> four</b><b><c/>five</b> six<d><e>seven</e></d></a>"
LENGTH = len("one two three fourfive sixseven")


@pytest.fixture(scope="module")
def nested(tmp_path_factory: pytest.TempPathFactory) -> Collection:
    folder = tmp_path_factory.mktemp("nested")
    (folder / "d.xml").write_text(NESTED)
    return open_collection(folder)


IN_NESTED = st.integers(0, LENGTH).flatmap(
    lambda start: st.tuples(st.just(start), st.integers(start, LENGTH))
)


@calm
@given(spans=st.lists(IN_NESTED, min_size=1, max_size=8), bep=st.integers(0, LENGTH))
def test_highlights_through_paths_are_the_same_highlights(
    spans: list[tuple[int, int]], bep: int, nested: Collection
) -> None:
    builder = JudgementsBuilder()
    builder.add("1", "d", [*spans, (0, 1)], size=LENGTH, bep=bep)
    judgements = builder.build()
    with tempfile.TemporaryDirectory() as folder:
        write_judgements(judgements, Path(folder) / "2006", "assessments-2006", collection=nested)
        paths = read_judgements(Path(folder) / "2006")
        write_judgements(paths, Path(folder) / "qrels", "qrels", collection=nested)
        assert list(read_judgements(Path(folder) / "qrels")) == list(judgements)


@calm
@given(numbers=st.lists(st.integers(0, 6), min_size=1, max_size=8))
def test_elements_through_offsets_are_elements_with_the_same_text(
    numbers: list[int], nested: Collection
) -> None:
    elements = nested.elements("d")
    assert elements is not None
    builder = RunBuilder()
    for number in numbers:
        builder.add("1", "d", 1.0, path=elements.path(number))
    with tempfile.TemporaryDirectory() as folder:
        write_run(builder.build("r"), Path(folder) / "fol", "2009-fol", collection=nested)
        there = read_run(Path(folder) / "fol")
        notes = write_run(there, Path(folder) / "path", "2009", collection=nested)
        back = [_path(result) for result in read_run(Path(folder) / "path")]
    assert [elements.find(path) for path in back] == [elements[n][3:] for n in numbers]
    assert not any("widened" in note for note in notes)
    # <d> and <e> share their text, and the empty <c> is a point: all others are found by name
    plain = [(elements.path(n), path) for n, path in zip(numbers, back, strict=True) if n not in (4, 6)]
    assert all(there == again for there, again in plain)


def _path(result: Result) -> str:
    assert result.path is not None
    return result.path
