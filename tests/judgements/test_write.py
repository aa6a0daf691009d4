"""Writing judgements: each format by a hand-written file, each change of terms by its counts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

import inexlab
from inexlab.collection import Collection, open_collection
from inexlab.errors import InputError, UnknownNameError, UsageError
from inexlab.judgements import Judgements, JudgementsBuilder, read_judgements, write_judgements
from inexlab.judgements.elements import COVERAGE, TOO_SMALL, Scale
from inexlab.judgements.table import ElementGrade
from tests.builders import judged

# Ten characters: `ab`, then a section `cdefgh` (paragraphs `cde` and `fg`, then `h`), then `ij`.
ARTICLE = "<article>ab<sec><p>cde</p><p>fg</p>h</sec>ij</article>"
SEC, P1, P2 = "/article[1]/sec[1]", "/article[1]/sec[1]/p[1]", "/article[1]/sec[1]/p[2]"


@pytest.fixture
def articles(tmp_path: Path) -> Collection:
    folder = tmp_path / "articles"
    folder.mkdir()
    for name in "ABC":
        (folder / f"{name}.xml").write_text(ARTICLE)
    return open_collection(folder)


def graded(scale: Scale, *rows: tuple[str, str, Sequence[ElementGrade]]) -> Judgements:
    builder = JudgementsBuilder()
    for topic, doc, grades in rows:
        builder.add(topic, doc)
        for grade in grades:
            assert builder.add_element(topic, doc, grade, scale) is None
    return builder.build("graded")


def sized(path: str, exhaustivity: int, size: int, rsize: int) -> ElementGrade:
    return ElementGrade(path, exhaustivity, -1, size, rsize)


def written(
    judgements: Judgements, folder: Path, format: str, collection: Collection | None = None
) -> tuple[list[str], list[str]]:
    """Return the lines of the file, or of all files of the folder, and the notes."""
    out = folder / "out"
    notes = list(write_judgements(judgements, out, format, collection=collection))
    files = sorted(out.iterdir()) if out.is_dir() else [out]
    return [line for file in files for line in file.read_text(encoding="utf-8").splitlines()], notes


# Each format by hand.

HIGHLIGHTS = judged(
    "1:A 2:3 5:1 9:1 bep=2 size=10", "1:B size=10", "2:A 0:2 bep=5 size=10 stated=7", "2:C 4:2 size=10"
)


def test_qrels(tmp_path: Path) -> None:
    lines, notes = written(HIGHLIGHTS, tmp_path, "qrels")
    assert lines == [
        "1 Q0 A 5 10 2 2:4 9:1",
        "1 Q0 B 0 10",
        "2 Q0 A 7 10 5 0:2",
        "2 Q0 C 2 10 4 4:2",
    ]
    assert notes == [
        "1 relevant document without a best entry point: written as the start of the first highlight",
        "1 highlight joined with its neighbour",
    ]


def test_qrels_without_entry_points(tmp_path: Path) -> None:
    lines, notes = written(HIGHLIGHTS, tmp_path, "qrels-nobep")
    assert lines == ["1 Q0 A 5 10 2:4 9:1", "1 Q0 B 0 10", "2 Q0 A 7 10 0:2", "2 Q0 C 2 10 4:2"]
    assert notes == ["2 best entry points not kept", "1 highlight joined with its neighbour"]
    assert [row.bep for row in read_judgements(tmp_path / "out")] == [None] * 4


def test_an_entry_point_without_highlights_does_not_fit_in_qrels(tmp_path: Path) -> None:
    lines, notes = written(judged("A bep=3 size=10"), tmp_path, "qrels")
    assert lines == ["1 Q0 A 0 10"]
    assert notes == ["1 entry point in documents without highlights left out"]


def test_jsonl(tmp_path: Path) -> None:
    lines, notes = written(HIGHLIGHTS, tmp_path, "jsonl")
    assert lines == [
        '{"topic": "1", "doc": "A", "spans": [[2, 6], [9, 10]], "bep": 2, "size": 10}',
        '{"topic": "1", "doc": "B", "spans": [], "size": 10}',
        '{"topic": "2", "doc": "A", "spans": [[0, 2]], "bep": 5, "size": 10}',
        '{"topic": "2", "doc": "C", "spans": [[4, 6]], "size": 10}',
    ]
    assert notes == [
        "1 document whose stated amount of relevant text is not what is highlighted: "
        "only the highlights are kept",
        "1 highlight joined with its neighbour",
    ]


def test_trec_qrels_of_highlights(tmp_path: Path) -> None:
    lines, notes = written(HIGHLIGHTS, tmp_path, "trec-qrels")
    assert lines == ["1 0 A 1", "1 0 B 0", "2 0 A 1", "2 0 C 1"]
    assert notes == [
        "highlights reduced to documents: 1 where any text is highlighted",
        "1 highlight joined with its neighbour",
    ]


OF_2005 = graded(
    "2005",
    (
        "1",
        'A & "B"',
        [sized("/article[1]", 2, 10, 5), sized(P1, 1, 3, 3), sized(P2, TOO_SMALL, 2, 2), sized(SEC, 0, 6, 0)],
    ),
    ("1", "B", []),
    ("2", "C", [sized(P1, TOO_SMALL, 3, 3)]),
)


def test_assessments_of_2005(tmp_path: Path) -> None:
    lines, notes = written(OF_2005, tmp_path, "assessments-2005")
    assert lines == [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<assessments pool="" topic="1">',
        "<file name='A &amp; \"B\"'>",
        '<element path="/article[1]" exhaustivity="2" size="10" rsize="5"/>',
        f'<element path="{SEC}" exhaustivity="0" size="6" rsize="0"/>',
        f'<element path="{P1}" exhaustivity="1" size="3" rsize="3"/>',
        f'<element path="{P2}" exhaustivity="?" size="2" rsize="2"/>',
        "</file>",
        '<file name="B"/>',
        "</assessments>",
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<assessments pool="" topic="2">',
        '<file name="C">',
        f'<element path="{P1}" exhaustivity="?" size="3" rsize="3"/>',
        "</file>",
        "</assessments>",
    ]
    assert notes == []
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == ["topic-1.xml", "topic-2.xml"]


def test_trec_qrels_of_graded_elements(tmp_path: Path) -> None:
    renamed = graded("2005", ("1", "A", [sized(SEC, 2, 9, 5), sized(P1, 1, 3, 3)]), ("1", "B", []))
    assert written(renamed, tmp_path, "trec-qrels")[0] == ["1 0 A 2", "1 0 B 0"]
    small = graded("2005", ("1", "A", [sized(SEC, 0, 9, 0), sized(P1, TOO_SMALL, 3, 3)]))
    lines, notes = written(small, tmp_path, "trec-qrels")
    assert lines == ["1 0 A 1"]
    assert notes[0].startswith(
        "2 assessed elements reduced to documents: the grade is the greatest exhaustivity"
    )


def test_assessments_of_2004(tmp_path: Path) -> None:
    judgements = graded("2004", ("162", "an/1995/a1004", [ElementGrade(SEC, 2, 3, 0, 0)]))
    lines, notes = written(judgements, tmp_path, "assessments-2004")
    assert lines[1:] == [
        '<assessments pool="" query="162">',
        '<file file="an/1995/a1004">',
        f'<path exhaustiveness="2" specificity="3" path="{SEC}"/>',
        "</file>",
        "</assessments>",
    ]
    assert notes == []


def test_assessments_of_2002(tmp_path: Path) -> None:
    grades = [ElementGrade(f"/a[{i + 1}]", i, i, 0, 0) for i in range(4)]
    lines, notes = written(graded("2002", ("31", "A", grades)), tmp_path, "assessments-2002")
    assert lines[1:3] == ['<assessments topic="31" pool="">', '<file file="A">']
    assert lines[3:-2] == [
        f'<path path="/a[{i + 1}]" topicalrelevance="{i}" coverage="{COVERAGE[i]}"/>' for i in range(4)
    ]
    assert notes == []


def test_assessments_of_2006_as_they_were_read(tmp_path: Path) -> None:
    file = tmp_path / "topic-261.xml"
    file.write_text(
        f"""<?xml version="1.0" encoding="UTF-8"?>
<assessments pool="350" topic="261">
<file name="A">
<best-entry-point path="{P1}"/>
<passage start="{P1}" end="{P2}/text()[1].1" size="4"/>
<element path="{SEC}" exhaustivity="2" size="6" rsize="4"/>
</file>
</assessments>
"""
    )
    lines, notes = written(read_judgements(file), tmp_path, "assessments-2006")
    assert lines == file.read_text().splitlines()
    assert notes == []
    assert (tmp_path / "out" / "topic-261.xml").read_bytes() == file.read_bytes()


def test_the_name_of_a_topic_is_not_a_path(tmp_path: Path) -> None:
    write_judgements(graded("2004", ("../x", "A", [])), tmp_path / "none", "trec-qrels")
    judgements = graded("2004", ("../x", "A", [ElementGrade(SEC, 1, 1, 0, 0)]))
    write_judgements(judgements, tmp_path / "out", "assessments-2004")
    assert [file.name for file in (tmp_path / "out").iterdir()] == ["topic-..%2Fx.xml"]
    assert list(read_judgements(tmp_path / "out").topics) == ["../x"]


# From highlights to elements, and back.


def test_highlights_become_elements(tmp_path: Path, articles: Collection) -> None:
    lines, notes = written(judged("A 2:3 bep=2 size=10", "B size=10"), tmp_path, "assessments-2005", articles)
    assert lines[2:-1] == [
        '<file name="A">',
        '<element path="/article[1]" exhaustivity="2" size="10" rsize="3"/>',
        f'<element path="{SEC}" exhaustivity="2" size="6" rsize="3"/>',
        f'<element path="{P1}" exhaustivity="2" size="3" rsize="3"/>',
        "</file>",
        '<file name="B"/>',
    ]
    assert notes == [
        "exhaustivity is not known from highlights: written as 2 for every element",
        "1 highlight not kept, only what they make of elements",
        "1 best entry point not kept, only what they make of elements",
        "the length of 2 judged documents not kept",
    ]


def test_highlights_become_passages_between_points(tmp_path: Path, articles: Collection) -> None:
    lines, notes = written(judged("A 3:4 0:1 bep=0 size=10"), tmp_path, "assessments-2006", articles)
    assert [line for line in lines if "point" in line or "passage" in line] == [
        '<best-entry-point path="/article[1]/text()[1].0"/>',
        '<passage start="/article[1]/text()[1].0" end="/article[1]/text()[1].1" size="1"/>',
        f'<passage start="{P1}/text()[1].1" end="{P2}/text()[1].2" size="4"/>',
    ]
    assert notes == [
        "exhaustivity is not known from highlights: written as 2 for every element",
        "the length of 1 judged document not kept",
    ]


def test_highlights_that_the_collection_lacks(tmp_path: Path, articles: Collection) -> None:
    judgements = judged("A 2:3 size=10", "B 5:20 size=25", "ghost 0:1 size=1")
    lines, notes = written(judgements, tmp_path, "assessments-2006", articles)
    assert sum("<passage" in line for line in lines) == 1
    assert notes == [
        "1 judged document with highlights not in the collection, left out",
        "exhaustivity is not known from highlights: written as 2 for every element",
        "the length of 3 judged documents not kept",
        "highlights of 2 documents that the collection lacks, or shorter, left out",
    ]


def test_passages_by_paths_become_highlights(tmp_path: Path, articles: Collection) -> None:
    builder = JudgementsBuilder()
    builder.add("1", "A")
    builder.add("1", "B")
    builder.add_passage("1", "A", f"{P1}/text()[1].1", P2)
    builder.add_passage("1", "A", SEC, None)
    builder.add_element("1", "A", sized(SEC, 2, 6, 4), "2005")
    lines, notes = written(builder.build(), tmp_path, "qrels", articles)
    assert lines == ["1 Q0 A 4 10 2 3:4", "1 Q0 B 0 10"]
    assert notes == ["exhaustivity and size of 1 assessed element not kept"]


def test_wholly_highlighted_elements_become_highlights(tmp_path: Path, articles: Collection) -> None:
    judgements = graded(
        "2005",
        (
            "1",
            "A",
            [sized("/article[1]", 2, 11, 5), sized(P1, 1, 4, 4), sized(P2, 1, 2, 1), sized(SEC, 2, 6, 5)],
        ),
        ("1", "B", []),
        ("1", "C", [sized(P1, 1, 3, 1)]),
    )
    lines, notes = written(judgements, tmp_path, "qrels", articles)
    assert lines == ["1 Q0 A 3 10 2 2:3", "1 Q0 B 0 10", "1 Q0 C 0 10"]
    assert notes == [
        "highlights are taken to be the wholly highlighted elements",
        "3 highlighted characters of elements highlighted in part left out, as their position is unknown, "
        "which changes scores",
        "1 relevant document left without highlights, as if not relevant",
        "exhaustivity and size of 5 assessed elements not kept",
        "1 relevant document without a best entry point: written as the start of the first highlight",
    ]


def test_2009_to_2005_and_back_is_the_identity_where_highlights_are_elements(
    tmp_path: Path, articles: Collection
) -> None:
    there = judged("A 2:6 bep=2 size=10", "B size=10", "2:C 2:3 bep=2 size=10")
    write_judgements(there, tmp_path / "2005", "assessments-2005", collection=articles)
    write_judgements(read_judgements(tmp_path / "2005"), tmp_path / "back", "qrels", collection=articles)
    assert list(read_judgements(tmp_path / "back")) == list(there)


def test_sizes_come_from_other_topics_or_the_collection(tmp_path: Path, articles: Collection) -> None:
    assert written(judged("A 0:1 bep=0 size=10", "2:A bep=0"), tmp_path, "qrels")[0][1] == "2 Q0 A 0 10"
    assert written(judged("A 0:1 bep=0"), tmp_path, "qrels", articles)[0] == ["1 Q0 A 1 10 0 0:1"]


# What would have to be invented.

GRADES = graded("2004", ("1", "A", [ElementGrade(SEC, 2, 3, 0, 0)]))


@pytest.mark.parametrize(
    ("judgements", "format", "message"),
    [
        (HIGHLIGHTS, "assessments-2004", "holds highlights, which cannot be turned into grades from 0 to 3"),
        (HIGHLIGHTS, "assessments-2002", "holds highlights, which cannot be turned into letters"),
        (
            OF_2005,
            "assessments-2004",
            "holds sizes and highlighted sizes, which cannot be turned into grades",
        ),
        (GRADES, "qrels", "grades elements by grades from 0 to 3, which do not say which text is relevant"),
        (GRADES, "jsonl", "Choose assessments-2004, or trec-qrels for whole documents."),
        (GRADES, "assessments-2005", "without the sizes that 2005 and 2006 have"),
        (GRADES, "assessments-2002", "which cannot be turned into letters"),
        (HIGHLIGHTS, "assessments-2005", "holds highlights and no assessed elements. Give `collection=DIR`."),
        (OF_2005, "qrels", "has graded elements and no highlights. Give `collection=DIR`."),
        (
            judged("A 0:1"),
            "qrels",
            "the length of 1 judged document is not known (the first is A), and qrels",
        ),
        (judged("A 0:1 size=3"), "assessments-2006", "Give `collection=DIR`."),
    ],
)
def test_refused(judgements: Judgements, format: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        write_judgements(judgements, tmp_path / "out", format)
    assert message in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_a_document_whose_length_nobody_knows(tmp_path: Path, articles: Collection) -> None:
    with pytest.raises(InputError, match=r"is not in the collection \(the first is ghost\)"):
        write_judgements(judged("ghost 0:1"), tmp_path / "out", "qrels", collection=articles)


def test_an_element_that_the_collection_lacks(tmp_path: Path, articles: Collection) -> None:
    judgements = graded("2005", ("1", "A", [sized("/article[1]/sec[9]", 1, 3, 3)]))
    with pytest.raises(InputError, match=r"/article\[1\]/sec\[9\] of document A is not in the collection"):
        write_judgements(judgements, tmp_path / "out", "qrels", collection=articles)


def test_topics_without_documents(tmp_path: Path) -> None:
    builder = JudgementsBuilder()
    builder.add_topic("2", "77")
    empty = builder.build("empty")
    for format in ("jsonl", "trec-qrels", "qrels"):
        with pytest.raises(InputError, match="empty: holds no judged documents"):
            write_judgements(empty, tmp_path / "out", format)
    builder.add("1", "A", [(0, 1)], size=3, bep=0)
    _, notes = written(builder.build(), tmp_path, "qrels")
    assert notes == ["1 topic without judged documents left out"]
    builder.add_element("1", "A", ElementGrade(SEC, 1, 1, 0, 0), "2004")
    write_judgements(builder.build(), tmp_path / "folder", "assessments-2004")
    assert list(read_judgements(tmp_path / "folder").topics) == ["1", "2"]
    assert read_judgements(tmp_path / "folder").pools == {"2": "77"}


@pytest.mark.parametrize("format", ["qrels", "trec-qrels"])
def test_names_that_columns_cannot_hold(format: str, tmp_path: Path) -> None:
    builder = JudgementsBuilder()
    builder.add("1", "a b", [(0, 1)], size=2, bep=0)
    with pytest.raises(InputError, match="document 'a b' has white space"):
        write_judgements(builder.build(), tmp_path / "out", format)
    assert list(tmp_path.iterdir()) == []


def test_assessments_are_a_new_folder(tmp_path: Path) -> None:
    write_judgements(GRADES, tmp_path, "assessments-2004")
    with pytest.raises(UsageError, match="already exists; give a new or an empty folder"):
        write_judgements(GRADES, tmp_path, "assessments-2004")
    with pytest.raises(UsageError, match="a folder cannot be written to standard output"):
        write_judgements(GRADES, "-", "assessments-2004")


def test_an_unknown_format(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="unknown judgement format 'qrel'; did you mean 'qrels'"):
        inexlab.write_judgements(GRADES, tmp_path / "out", "qrel")
