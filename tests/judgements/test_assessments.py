"""Assessments of INEX 2002-2006 in XML, in all their spellings."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import NamedTuple

import pytest

from inexlab.errors import InputError, UnknownNameError
from inexlab.judgements import Judgement, Judgements, read_judgements
from inexlab.judgements.elements import COVERAGE, TOO_SMALL
from inexlab.judgements.table import Passage


class Assessed(NamedTuple):
    """One assessed element as the table has it."""

    topic: str
    doc: str
    path: str
    exhaustivity: int
    specificity: int
    size: int
    rsize: int


def assessed(judgements: Judgements) -> list[Assessed]:
    elements = judgements.elements
    assert elements is not None
    found = []
    for row, judged in enumerate(judgements):
        for e in range(int(elements.elements_from[row]), int(elements.elements_from[row + 1])):
            path = elements.paths[int(elements.path[e])]
            grades = (elements.exhaustivity, elements.specificity, elements.size, elements.rsize)
            found.append(Assessed(judged.topic, judged.doc, path, *(int(column[e]) for column in grades)))
    return found


def documents(judgements: Judgements) -> list[tuple[str, str]]:
    return [(judged.topic, judged.doc) for judged in judgements]


def from_text(text: str | bytes, folder: Path, **selection: str | list[str]) -> Judgements:
    file = folder / "assessments.xml"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    pools, query_type = selection.get("pools", ()), selection.get("query_type", "")
    assert not isinstance(query_type, list)
    return read_judgements(file, pools=pools, query_type=query_type)


# 2002: letters.

OF_2002 = """\
<assessments topic="31">
  <file file="an/1995/a1004">
    <path path="/article[1]/bdy[1]/sec[1]" topicalrelevance="2" coverage="E"/>
    <path path="/article[1]/bdy[1]" topicalrelevance="3" coverage="L"/>
    <path path="/article[1]/bdy[1]/sec[1]/p[1]" topicalrelevance="1" coverage="S"/>
    <path path="/article[1]/fm[1]" topicalrelevance="0" coverage="N"/>
  </file>
</assessments>
"""


def test_letters_of_2002(tmp_path: Path) -> None:
    judgements = from_text(OF_2002, tmp_path)
    assert judgements.elements is not None
    assert judgements.elements.scale == "2002"
    assert [(a.path, a.exhaustivity, COVERAGE[a.specificity]) for a in assessed(judgements)] == [
        ("/article[1]/bdy[1]", 3, "L"),
        ("/article[1]/bdy[1]/sec[1]", 2, "E"),
        ("/article[1]/bdy[1]/sec[1]/p[1]", 1, "S"),
        ("/article[1]/fm[1]", 0, "N"),
    ]
    assert documents(judgements) == [("31", "an/1995/a1004")]


@pytest.mark.parametrize(
    "attributes",
    [
        'path="/article[1]" topicalrelevance="3" coverage="E"',
        'coverage="E" topicalrelevance="3" path="/article[1]"',
        'path="/article[1]" topical-relevance="3" coverage="E"',
        'path="/article[1]" relevance="3" coverage="e"',
        'path="/article[1]" topicalrelevance="3" coverage="Exact"',
    ],
)
def test_spellings_of_2002_that_nobody_could_verify(attributes: str, tmp_path: Path) -> None:
    text = f'<assessments topic="1"><file file="d"><x {attributes}/></file></assessments>'
    assert assessed(from_text(text, tmp_path)) == [
        Assessed("1", "d", "/article[1]", 3, COVERAGE.index("E"), 0, 0)
    ]


# 2003 and 2004: two grades.

OF_2004 = (
    "<assessments pool='12' query='162'><file file='an/1995/a1004'>"
    "<path exhaustiveness='2' specificity='3' path='/article[1]/bdy[1]/sec[1]'/>"
    "<path exhaustiveness='0' specificity='0' path='/article[1]/bdy[1]/sec[2]'/>"
    "</file></assessments>"
)


def test_grades_of_2004_in_single_quotes(tmp_path: Path) -> None:
    judgements = from_text(OF_2004, tmp_path)
    assert judgements.elements is not None
    assert judgements.elements.scale == "2004"
    assert assessed(judgements) == [
        Assessed("162", "an/1995/a1004", "/article[1]/bdy[1]/sec[1]", 2, 3, 0, 0),
        Assessed("162", "an/1995/a1004", "/article[1]/bdy[1]/sec[2]", 0, 0, 0, 0),
    ]


def test_grades_of_2004_in_double_quotes(tmp_path: Path) -> None:
    assert assessed(from_text(OF_2004.replace("'", '"'), tmp_path)) == assessed(from_text(OF_2004, tmp_path))


@pytest.mark.parametrize(
    ("attributes", "topic"),
    [
        ('topic="31"', "31"),
        ("query='162'", "162"),
        ("pool='12' query='162'", "162"),
        ("query='162' pool='12'", "162"),
        ("topic='CO-7'", "CO-7"),
        ('topic_id="9"', "9"),
        ('file="topic-66.xml"', "66"),
        ("a='12' b='162'", "162"),
        ("pool='12' b='162'", "162"),
        ('topic="261" pool="350" version="2"', "261"),
    ],
)
def test_where_the_topic_stands(attributes: str, topic: str, tmp_path: Path) -> None:
    """`topic` from 2005 on, before that the first number, or the second of two attributes."""
    assert documents(from_text(f"<assessments {attributes}><file name='d'/></assessments>", tmp_path)) == [
        (topic, "d")
    ]


@pytest.mark.parametrize(
    "attributes",
    [
        'name="an/1995/a1004"',
        "file='an/1995/a1004'",
        'id="an/1995/a1004"',
        'collection="ieee" name="an/1995/a1004"',
    ],
)
def test_where_the_document_stands(attributes: str, tmp_path: Path) -> None:
    text = f'<assessments topic="1"><file {attributes}/></assessments>'
    assert documents(from_text(text, tmp_path)) == [("1", "an/1995/a1004")]


# 2005 and 2006: exhaustivity, characters, passages, best entry points.

OF_2006 = """\
<?xml version="1.0"?>
<!DOCTYPE assessments SYSTEM "../../assessments.dtd">
<assessments pool="350" topic="261" version="2">
  <inex_topic topic_id="999" query_type="CO+S" ct_no="7">
    <title>a title</title>
  </inex_topic>
  <file collection="ieee" name="an/1995/a1004">
    <best-entry-point path="/article[1]/bdy[1]/sec[1]/p[1]"/>
    <passage start="/article[1]/bdy[1]/sec[1]/p[1]"
             end="/article[1]/bdy[1]/sec[1]/p[2]/text()[1].40" size="321"/>
    <element path="/article[1]/bdy[1]/sec[1]" exhaustivity="1" size="900" rsize="321"/>
    <element path="/article[1]/bdy[1]/sec[1]/p[1]" exhaustivity="?" size="281" rsize="281"/>
    <element path="/article[1]" exhaustivity="2" size="9000" rsize="321"/>
    <element path="/article[1]/bm[1]" exhaustivity="0" size="10" rsize="0"/>
  </file>
  <file collection="ieee" name="an/1995/a1005"/>
  <file collection="ieee" name="an/1995/a1006">
  </file>
</assessments>
"""


def test_elements_of_2005(tmp_path: Path) -> None:
    judgements = from_text(OF_2006, tmp_path)
    assert judgements.elements is not None
    assert judgements.elements.scale == "2005"
    doc = ("261", "an/1995/a1004")
    assert assessed(judgements) == [
        Assessed(*doc, "/article[1]", 2, -1, 9000, 321),
        Assessed(*doc, "/article[1]/bdy[1]/sec[1]", 1, -1, 900, 321),
        Assessed(*doc, "/article[1]/bdy[1]/sec[1]/p[1]", TOO_SMALL, -1, 281, 281),
        Assessed(*doc, "/article[1]/bm[1]", 0, -1, 10, 0),
    ]
    assert judgements.warnings == ()


def test_a_file_without_children_was_judged_and_holds_nothing(tmp_path: Path) -> None:
    judgements = from_text(OF_2006, tmp_path)
    assert [judged.doc for judged in judgements] == ["an/1995/a1004", "an/1995/a1005", "an/1995/a1006"]
    assert judgements.elements is not None
    assert judgements.elements.elements_from.tolist() == [0, 4, 4, 4]


def test_passages_and_best_entry_points_wait_for_the_collection(tmp_path: Path) -> None:
    judgements = from_text(OF_2006, tmp_path)
    p1 = "/article[1]/bdy[1]/sec[1]/p[1]"
    assert judgements.passages == (
        Passage(0, p1, None),
        Passage(0, p1, "/article[1]/bdy[1]/sec[1]/p[2]/text()[1].40", 321),
    )
    assert [judged.spans for judged in judgements] == [(), (), ()]


def test_passages_name_their_row_whatever_the_order_of_topics(tmp_path: Path) -> None:
    for topic, doc in (("9", "a"), ("10", "b")):
        text = (
            f'<assessments topic="{topic}"><file name="none"/><file name="{doc}">'
            f'<passage start="/{doc}[1]" end="/{doc}[1]"/>'
            f'<element path="/{doc}[1]" exhaustivity="2" size="4" rsize="4"/></file></assessments>'
        )
        (tmp_path / f"{topic}.xml").write_text(text)
    judgements = read_judgements(tmp_path)
    assert documents(judgements) == [("9", "none"), ("9", "a"), ("10", "none"), ("10", "b")]
    assert set(judgements.passages) == {Passage(3, "/b[1]", "/b[1]"), Passage(1, "/a[1]", "/a[1]")}


def test_a_topic_in_which_nothing_was_judged_is_a_topic(tmp_path: Path) -> None:
    judgements = from_text('<assessments topic="5"></assessments>', tmp_path)
    assert list(judgements.topics) == ["5"]
    assert len(judgements) == 0


def test_other_elements_are_passed_over(tmp_path: Path) -> None:
    text = (
        '<assessments topic="1"><note path="/x[1]" exhaustivity="2" size="1" rsize="1"/><file name="d">'
        '<comment path="/y[1]"/><remark>nothing</remark>'
        '<element path="/article[1]" exhaustivity="1" size="2" rsize="1"/></file></assessments>'
    )
    assert assessed(from_text(text, tmp_path)) == [Assessed("1", "d", "/article[1]", 1, -1, 2, 1)]


def test_steps_without_a_number_mean_the_first(tmp_path: Path) -> None:
    text = (
        '<assessments topic="1"><file name="d">'
        '<element path="/article/bdy/sec[2]/p" exhaustivity="1" size="2" rsize="1"/></file></assessments>'
    )
    assert [a.path for a in assessed(from_text(text, tmp_path))] == ["/article[1]/bdy[1]/sec[2]/p[1]"]


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(OF_2004.encode("utf-8-sig"), id="byte-order mark"),
        pytest.param(OF_2004.encode("utf-16"), id="UTF-16"),
        pytest.param(gzip.compress(OF_2004.encode()), id="gzip"),
        pytest.param(OF_2004.replace("><", ">\r\n<").encode(), id="CRLF"),
        pytest.param(
            f'<?xml version="1.0" encoding="ISO-8859-1"?><!-- é -->{OF_2004}'.encode("latin-1"), id="Latin-1"
        ),
    ],
)
def test_the_look_of_a_file_does_not_matter(content: bytes, tmp_path: Path) -> None:
    assert assessed(from_text(content, tmp_path)) == assessed(from_text(OF_2004, tmp_path))


def test_the_format_can_be_named(tmp_path: Path) -> None:
    file = tmp_path / "a.xml"
    file.write_text(OF_2004)
    assert documents(read_judgements(file, "assessments")) == [("162", "an/1995/a1004")]
    with pytest.raises(
        UnknownNameError, match="unknown judgement format 'assessment'; did you mean 'assessments'"
    ):
        read_judgements(file, "assessment")


# More relevant text than text.


def test_more_relevant_text_than_text_is_clamped_with_a_warning(tmp_path: Path) -> None:
    text = (
        '<assessments topic="1"><file name="d">'
        '<element path="/a[1]" exhaustivity="2" size="100" rsize="101"/></file><file name="e">'
        '<element path="/a[1]" exhaustivity="2" size="100" rsize="100"/></file></assessments>'
    )
    judgements = from_text(text, tmp_path)
    assert [(a.size, a.rsize) for a in assessed(judgements)] == [(100, 100), (100, 100)]
    (warning,) = judgements.warnings
    assert warning.startswith("1 judged element ")
    assert "more relevant text than text" in warning


# Folders and pools.


def pool_file(topic: str, pool: str, doc: str, exhaustivity: str = "1", kind: str = "CO+S") -> str:
    return (
        f'<assessments pool="{pool}" topic="{topic}"><inex_topic topic_id="{topic}" query_type="{kind}"/>'
        f'<file name="{doc}"><element path="/article[1]" exhaustivity="{exhaustivity}" size="9" rsize="3"/>'
        "</file></assessments>"
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Topic 1 with two pools, topic 2 with one, topic 3 of another kind, as X-Rai laid them out."""
    files = {
        "main/topic-1/pool-10.xml": pool_file("1", "10", "d"),
        "main/topic-2/pool-20.xml": pool_file("2", "20", "d"),
        "main/topic-3/pool-30.xml": pool_file("3", "30", "d", kind="CAS"),
        "others/topic-1/pool-11.xml": pool_file("1", "11", "d", exhaustivity="2"),
        "others/topic-1/.hidden": "not assessments",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_a_folder_stands_for_all_files_below_it(folder: Path) -> None:
    judgements = read_judgements(folder / "main")
    assert documents(judgements) == [("1", "d"), ("2", "d"), ("3", "d")]
    assert judgements.file == str(folder / "main")


def test_several_files_and_folders_are_read_together(folder: Path) -> None:
    judgements = read_judgements(
        [folder / "others", folder / "main/topic-2", folder / "main/topic-3/pool-30.xml"]
    )
    assert [(a.topic, a.exhaustivity) for a in assessed(judgements)] == [("1", 2), ("2", 1), ("3", 1)]


def test_two_pools_of_one_topic_cannot_be_mixed(folder: Path) -> None:
    with pytest.raises(InputError) as refusal:
        read_judgements(folder)
    assert refusal.value.file == str(folder / "others/topic-1/pool-11.xml")
    assert refusal.value.line == 1
    assert refusal.value.problem == "document d is judged a second time for topic 1"
    assert "pool=" in refusal.value.fix


def test_a_file_names_a_document_once(tmp_path: Path) -> None:
    text = '<assessments topic="1">\n<file name="d"/>\n<file name="d"/>\n</assessments>'
    with pytest.raises(InputError, match="line 3: document d is judged a second time for topic 1"):
        from_text(text, tmp_path)


@pytest.mark.parametrize(
    ("pools", "found"),
    [
        (["10"], [("1", 1)]),
        (["11"], [("1", 2)]),
        (["11", "20"], [("1", 2), ("2", 1)]),
        (["30", "20", "10", "77"], [("1", 1), ("2", 1), ("3", 1)]),
    ],
)
def test_only_the_pools_asked_for_are_read(
    pools: list[str], found: list[tuple[str, int]], folder: Path
) -> None:
    judgements = read_judgements(folder, pools=pools)
    assert [(a.topic, a.exhaustivity) for a in assessed(judgements)] == found
    assert list(judgements.topics) == [topic for topic, _ in found]


def test_pools_that_are_not_there_are_said(folder: Path) -> None:
    with pytest.raises(InputError, match=r"holds no judgements\. Check the pools asked for"):
        read_judgements(folder, pools=["12"])


@pytest.mark.parametrize(("kind", "topics"), [("CO+S", ["1", "2"]), ("CAS", ["3"])])
def test_only_topics_of_the_kind_asked_for_are_read(kind: str, topics: list[str], folder: Path) -> None:
    judgements = read_judgements(folder / "main", query_type=kind)
    assert list(judgements.topics) == topics
    assert [topic for topic, _ in documents(judgements)] == topics


def test_of_assessments_that_do_not_say_their_kind_the_topics_decide(tmp_path: Path) -> None:
    bare = pool_file("1", "10", "d").replace(' query_type="CO+S"', "")
    file = tmp_path / "assessments.xml"
    for text, topic in ((bare, "1"), (OF_2004, "162")):
        file.write_text(text)
        with pytest.raises(
            InputError, match=f"does not say the query type of topic {topic}, but CAS is required"
        ):
            read_judgements(file, query_type="CAS")
        kept = read_judgements(file, query_type="CAS", query_types={topic: "CAS"})
        assert list(kept.topics) == [topic]
        with pytest.raises(InputError, match="holds no judgements"):
            read_judgements(file, query_type="CAS", query_types={topic: "CO"})


def test_pool_and_kind_go_together(folder: Path) -> None:
    assert documents(read_judgements(folder, pools=["11", "30"], query_type="CO+S")) == [("1", "d")]


def test_what_a_skipped_pool_holds_is_not_even_looked_at(tmp_path: Path) -> None:
    (tmp_path / "good.xml").write_text(pool_file("1", "10", "d"))
    (tmp_path / "bad.xml").write_text(pool_file("1", "11", "d", exhaustivity="nonsense"))
    assert documents(read_judgements(tmp_path, pools=["10"])) == [("1", "d")]
    with pytest.raises(InputError, match="exhaustivity is 'nonsense'"):
        read_judgements(tmp_path, pools=["11"])


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is an empty folder"):
        read_judgements(tmp_path)


# Mistakes.


def test_an_element_is_assessed_once(tmp_path: Path) -> None:
    text = (
        '<assessments topic="1"><file name="d">\n'
        '<element path="/article[1]/p[1]" exhaustivity="1" size="2" rsize="1"/>\n'
        '<element path="/article/p" exhaustivity="2" size="2" rsize="1"/>\n</file></assessments>'
    )
    with pytest.raises(InputError) as refusal:
        from_text(text, tmp_path)
    assert refusal.value.line == 3
    assert refusal.value.problem == "/article[1]/p[1] of document d is assessed a second time for topic 1"


def test_one_element_may_be_assessed_for_two_topics_and_in_two_documents(tmp_path: Path) -> None:
    for name, text in {
        "a.xml": pool_file("1", "10", "d"),
        "b.xml": pool_file("2", "20", "d"),
        "c.xml": pool_file("1", "10", "e"),
    }.items():
        (tmp_path / name).write_text(text)
    assert documents(read_judgements(tmp_path)) == [("1", "d"), ("1", "e"), ("2", "d")]


@pytest.mark.parametrize(
    ("second", "scales"),
    [
        ('topicalrelevance="2" coverage="E"', "grades on the scale of 2002 after grades on that of 2005"),
        ('exhaustiveness="2" specificity="1"', "grades on the scale of 2004 after grades on that of 2005"),
    ],
)
def test_scales_are_not_mixed(second: str, scales: str, tmp_path: Path) -> None:
    first = '<element path="/a[1]" exhaustivity="1" size="2" rsize="1"/>'
    other = f'<path path="/a[1]/p[1]" {second}/>'

    def of_topic(topic: str, *inside: str) -> str:
        lines = "\n".join(inside)
        return f'<assessments topic="{topic}"><file name="d">\n{lines}</file></assessments>'

    with pytest.raises(InputError, match=f"line 3: {scales}"):
        from_text(of_topic("1", first, other), tmp_path)
    (tmp_path / "assessments.xml").write_text(of_topic("1", first))
    (tmp_path / "later.xml").write_text(of_topic("2", other))
    with pytest.raises(InputError, match=rf"later\.xml, line 2: {scales}"):
        read_judgements(tmp_path)


@pytest.mark.parametrize(("e", "s"), [(0, 1), (0, 3), (1, 0), (3, 0)])
def test_pairs_outside_the_tables_are_refused(e: int, s: int, tmp_path: Path) -> None:
    """Exhaustivity is 0 if and only if specificity is."""
    text = (
        '<assessments topic="1"><file name="d">'
        f'<path path="/a[1]" exhaustiveness="{e}" specificity="{s}"/></file></assessments>'
    )
    with pytest.raises(InputError, match=rf"line 1: \({e}, {s}\) is not a valid grade"):
        from_text(text, tmp_path)


def an_element(**changes: str | None) -> str:
    """An element of 2005 with some attributes changed or (None) left out."""
    attributes = {"path": "/article[1]", "exhaustivity": "1", "size": "20", "rsize": "10", **changes}
    written = (f'{name}="{value}"' for name, value in attributes.items() if value is not None)
    return f"<element {' '.join(written)}/>"


@pytest.mark.parametrize(
    ("inside", "problem"),
    [
        (an_element(exhaustivity="3"), "exhaustivity is '3', expected a grade from 0 to 2"),
        (an_element(exhaustivity=""), "exhaustivity is '', expected a grade from 0 to 2"),
        (an_element(exhaustivity="-1"), "exhaustivity is '-1', expected a grade from 0 to 2"),
        (an_element(exhaustivity="??"), "exhaustivity is '??', expected a grade from 0 to 2"),
        (an_element(exhaustivity="²"), "exhaustivity is '²', expected a grade from 0 to 2"),
        (an_element(size=None), "size is '', expected a number of characters"),
        (an_element(rsize=None), "rsize is '', expected a number of characters"),
        (an_element(size="many"), "size is 'many', expected a number of characters"),
        (an_element(rsize="-5"), "rsize is '-5', expected a number of characters"),
        (an_element(rsize="5.5"), "rsize is '5.5', expected a number of characters"),
        (an_element(size="9" * 17), f"size is '{'9' * 17}', expected a number of characters"),
        (an_element(size="٣"), "size is '٣', expected a number of characters"),
        (an_element(path=""), "path '' is not the path of an element"),
        (an_element(path=" /article[1]"), "path ' /article[1]' is not the path of an element"),
        (
            '<path path="/a[1]" exhaustiveness="4" specificity="1"/>',
            "exhaustiveness is '4', expected a grade from 0 to 3",
        ),
        (
            '<path path="/a[1]" exhaustiveness="1" specificity="high"/>',
            "specificity is 'high', expected a grade",
        ),
        ('<path path="/a[1]" exhaustiveness="1"/>', "specificity is '', expected a grade from 0 to 3"),
        (
            '<path path="/a[1]" exhaustiveness="?" specificity="1"/>',
            "exhaustiveness is '?', expected a grade",
        ),
        (
            '<path path="/a[1]" topicalrelevance="4" coverage="E"/>',
            "topicalrelevance is '4', expected a grade from 0 to 3",
        ),
        (
            '<path path="/a[1]" topicalrelevance="E" coverage="3"/>',
            "coverage is '3', expected one of N, S, L, E",
        ),
        (
            '<path path="/a[1]" topicalrelevance="2" coverage="X"/>',
            "coverage is 'X', expected one of N, S, L, E",
        ),
        ('<passage start="/a[1]"/>', "<passage> without the attribute end"),
        ('<passage end="/a[1]"/>', "<passage> without the attribute start"),
        ("<best-entry-point/>", "<best-entry-point> without the attribute path"),
    ],
)
def test_what_is_wrong_with_an_element_is_said_with_file_and_line(
    inside: str, problem: str, tmp_path: Path
) -> None:
    text = f'<assessments topic="1">\n<file name="d">\n{inside}\n</file>\n</assessments>'
    with pytest.raises(InputError) as refusal:
        from_text(text, tmp_path)
    assert refusal.value.file == str(tmp_path / "assessments.xml")
    assert refusal.value.line == 3
    assert refusal.value.problem.startswith(problem)


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ('<assessments>\n<file name="d"/></assessments>', 1, "<assessments> without a topic"),
        ('<assessments pool="12" version="2"/>', 1, "<assessments> without a topic"),
        ('\n<assessments name="none"/>', 2, "<assessments> without a topic"),
        ('<assessments topic="1">\n\n<file/></assessments>', 3, "<file> without a name"),
        ('<assessments topic="1">\n<file name=""/></assessments>', 2, "<file> without a name"),
        ('<x>\n<file name="d"/><assessments topic="1"/></x>', 2, "<file> outside <assessments>"),
        ('<assessments topic="1">\n<file name="d"></assessments>', 2, "not well-formed XML (mismatched tag)"),
        ('<assessments topic="1">\n<file name="d">', 2, "not well-formed XML"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_with_its_line(
    text: str, line: int, problem: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError) as refusal:
        from_text(text, tmp_path)
    assert refusal.value.file == str(tmp_path / "assessments.xml")
    assert refusal.value.line == line
    assert refusal.value.problem.startswith(problem)


def test_xml_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"is not judgements in a known format\. Known formats: .*assessments"
    ):
        from_text("<article><p>assessments</p></article>", tmp_path)
    file = tmp_path / "assessments.xml"
    with pytest.raises(InputError, match="has no <assessments>"):
        read_judgements(file, "assessments")


def test_judgements_of_elements_are_judgements_like_others(tmp_path: Path) -> None:
    judgements = from_text(OF_2004, tmp_path)
    assert list(judgements) == [Judgement("162", "an/1995/a1004", (), None, None)]
    assert judgements.rows_from.tolist() == [0, 1]


def test_passages_alone_are_judgements_too(tmp_path: Path) -> None:
    file = tmp_path / "a.xml"
    file.write_text(
        '<assessments topic="1"><file name="A"><passage start="/a[1]" end="/a[1]"/></file></assessments>'
    )
    judgements = read_judgements(file)
    assert judgements.elements is None
    assert judgements.passages == (Passage(0, "/a[1]", "/a[1]"),)


@pytest.mark.parametrize(
    ("inside", "problem"),
    [
        (
            '<path path="article[1]/bdy[1]" exhaustiveness="1" specificity="1"/>',
            "is not the path of an element",
        ),
        ('<path path="/a[1]" topicalrelevance="3" coverage=""/>', "coverage is '', expected one of"),
        ('<path path="/a[1]" topicalrelevance="3"/>', "coverage is '', expected one of"),
    ],
    ids=["relative path", "empty coverage", "no coverage"],
)
def test_half_given_grades_are_refused(inside: str, problem: str, tmp_path: Path) -> None:
    file = tmp_path / "a.xml"
    file.write_text(f'<assessments topic="1"><file name="A">{inside}</file></assessments>')
    with pytest.raises(InputError, match=re.escape(problem)):
        read_judgements(file)


def test_two_pools_of_a_topic_are_not_mixed_even_without_a_common_document(tmp_path: Path) -> None:
    for pool, doc in (("1", "A"), ("2", "B")):
        text = f'<assessments pool="{pool}" topic="1"><file name="{doc}"/></assessments>'
        (tmp_path / f"{pool}.xml").write_text(text)
    with pytest.raises(InputError, match=r"topic 1 was judged in another pool as well.*`pool=`"):
        read_judgements(tmp_path)
    assert len(read_judgements(tmp_path, pools=["2"])) == 1


def test_a_dtd_beside_the_assessments_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "assessments.dtd").write_text("<!ELEMENT assessments ANY>")
    (tmp_path / "1.xml").write_text('<assessments topic="1"><file name="A"/></assessments>')
    assert list(read_judgements(tmp_path).topics) == ["1"]


@pytest.mark.parametrize("root", ["<assessments topic=''>", "<assessments pool='3'>"])
def test_assessments_of_no_topic_are_refused(root: str, tmp_path: Path) -> None:
    (tmp_path / "1.xml").write_text(f"{root}</assessments>")
    with pytest.raises(InputError, match="<assessments> without a topic"):
        read_judgements(tmp_path / "1.xml")
