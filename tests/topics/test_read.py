"""Topic files: every format that INEX and TREC used, and what real files do."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

import inexlab
from inexlab.errors import InputError, UnknownNameError
from inexlab.topics import Topic, Topics, read_topics
from inexlab.topics.problems import topic_problems
from inexlab.topics.read import topic_formats

# An example of INEX 2005.
OF_2005 = """\
<?xml version="1.0" encoding="ISO-8859-1"?>
<!DOCTYPE inex_topic SYSTEM "topic.dtd">
<inex_topic topic_id="901" query_type="CO+S" ct_no="7">
  <InitialTopicStatement>Why I search.</InitialTopicStatement>
  <title>bee navigation "waggle dance"</title>
  <castitle>
    //article[about(.,bees)]//sec[about(.,+"waggle dance")]
  </castitle>
  <description>How bees tell direction.</description>
  <narrative>Relevant text explains ...</narrative>
  <keywords>dance, sun compass</keywords>
</inex_topic>
"""
CHILD = """\
<inex_topic topic_id="903" query_type="CAS" ct_no="8">
  <castitle>//article//sec[about(.,"waggle dance")]</castitle>
  <parent>//article[about(.,bees)]//sec[about(.,"waggle dance")]</parent>
  <description/> <narrative/>
</inex_topic>
"""
OF_2009 = """\
<!DOCTYPE inex-topic-file [
<!ENTITY amp "ampersand">
<!ELEMENT topic (title,castitle,phrasetitle,description,narrative)>
]>
<inex-topic-file>
<topic id="2009901" ct_no="17">
  <title>bee dance -wasp</title>
  <castitle>//(sec|p)[about(., bee dance -wasp)]</castitle>
  <phrasetitle>"bee dance"</phrasetitle>
  <description>..</description><narrative>A &amp; B, H<sub>2</sub>O</narrative>
</topic>
<topic id="2009-Eff-228" ct_no="18" type="A"><title>honey</title><mmtitle>src:1</mmtitle></topic>
</inex-topic-file>
"""
OF_2003 = """\
<inex_topic topic_id="76" query_type="CAS">
<title>
  //article[(./fm//yr = '2000' OR ./fm//yr = '1999') AND about(.,
  '"intelligent transportation system"')]//sec[about(.,'automation
  +vehicle')]
</title>
<description>Automated vehicles.</description>
</inex_topic>
"""
OF_2002 = """\
<INEX-Topic topic-id="05" query-type="CAS" ct-no="102">
<Title>
<te>article/bm</te>
<cw>QBIC</cw><ce>bibl</ce>
<cw>image retrieval</cw>
</Title>
<Description>Images.</Description>
</INEX-Topic>
"""
OF_TREC = """\
<top>
<num> Number: 301
<title> International Organized Crime

<desc> Description:
Identify organizations that participate in R&D < crime.

<narr> Narrative:
A relevant document must
name them.
</top>

<top>
<num>302</num>
<title>Topic: polio</title>
<dom> Domain: Health
<con> Concept(s):
1. polio
</top>
"""
OF_JSON = """\
# one object per line
{"topic": "q1", "title": " bees ", "castitle": "//p[about(., bees)]", "year": 2026}
{"_id": 7, "text": "honey", "metadata": {"a": [1]}}
"""


def topics_of(content: str | bytes, folder: Path, input_format: str | None = None) -> Topics:
    file = folder / "topics"
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_topics(file, input_format)


def only(content: str, folder: Path) -> Topic:
    topics = topics_of(content, folder)
    assert len(topics) == 1
    return next(iter(topics.values()))


def test_one_topic_per_file(tmp_path: Path) -> None:
    topic = only(OF_2005, tmp_path)
    assert topic == Topic(
        "901",
        title='bee navigation "waggle dance"',
        castitle='//article[about(.,bees)]//sec[about(.,+"waggle dance")]',
        description="How bees tell direction.",
        narrative="Relevant text explains ...",
        keywords="dance, sun compass",
        query_type="CO+S",
        candidate="7",
        extra={"initialtopicstatement": "Why I search."},
    )
    assert (topic.file, topic.line, topic.line_of("title"), topic.line_of("castitle")) == (
        str(tmp_path / "topics"),
        3,
        5,
        7,
    )
    assert topic.line_of("parent") == 3
    assert (topic.kind, topic.structured, topic.plain) == ("CO+S", topic.castitle, topic.title)


def test_a_child(tmp_path: Path) -> None:
    topic = only(CHILD, tmp_path)
    assert topic.parent == '//article[about(.,bees)]//sec[about(.,"waggle dance")]'
    assert (topic.title, topic.description, topic.kind) == ("", "", "CAS")


def test_all_topics_in_one_file(tmp_path: Path) -> None:
    topics = topics_of(OF_2009.replace("\n", "\r\n"), tmp_path)
    assert list(topics) == ["2009901", "2009-Eff-228"]
    first, second = topics.values()
    assert first.castitle == "//(sec|p)[about(., bee dance -wasp)]"
    assert first.phrasetitle == '"bee dance"'
    assert first.narrative == "A & B, H2O"
    assert (first.candidate, first.line, first.line_of("narrative")) == ("17", 6, 10)
    assert (first.kind, second.kind) == ("CO+S", "CO")
    assert (second.extra, second.line) == ({"mmtitle": "src:1"}, 12)
    assert repr(topics) == "Topics(2 topics)"


def test_a_structured_title_of_2003(tmp_path: Path) -> None:
    topic = only(OF_2003, tmp_path)
    assert topic.structured.startswith("//article[(./fm//yr")
    assert (topic.plain, topic.kind, topic.line_of("title")) == ("", "CAS", 3)


def test_a_title_marked_up_as_in_2002(tmp_path: Path) -> None:
    topic = only(OF_2002, tmp_path)
    assert (topic.id, topic.candidate, topic.query_type) == ("05", "102", "CAS")
    assert topic.title == "QBIC image retrieval"
    assert topic.extra == {"te": "article/bm", "ce": "bibl"}
    assert topic.structured == "//article[about(.//bibl, QBIC)]//bm[about(., image retrieval)]"
    assert (topic.kind, topic.line_of("castitle")) == ("CAS", 4)


def test_a_title_of_2002_with_words_alone_has_no_structure(tmp_path: Path) -> None:
    topic = only('<INEX-Topic topic-id="31"><Title><cw>bees</cw></Title></INEX-Topic>', tmp_path)
    assert (topic.title, topic.structured, topic.kind) == ("bees", "", "CO")


def test_a_topic_in_a_file_of_assessments(tmp_path: Path) -> None:
    inside = f'<assessments topic="903" pool="1">{CHILD}<file name="a"/></assessments>'
    assert only(inside, tmp_path).id == "903"


def test_a_candidate_has_the_number_it_was_given(tmp_path: Path) -> None:
    assert only('<inex_topic ct_no="12"><title>x</title></inex_topic>', tmp_path).id == "12"


def test_topics_in_the_xml_of_others(tmp_path: Path) -> None:
    given = '<topics><topic number="1"><query>virus</query><question>Where?</question></topic></topics>'
    topic = only(given, tmp_path)
    assert (topic.id, topic.title, topic.description) == ("1", "virus", "Where?")


def test_trec(tmp_path: Path) -> None:
    first, second = topics_of(OF_TREC, tmp_path).values()
    assert first == Topic(
        "301",
        title="International Organized Crime",
        description="Identify organizations that participate in R&D < crime.",
        narrative="A relevant document must\nname them.",
    )
    assert (first.line, first.line_of("title"), first.line_of("description")) == (1, 3, 6)
    assert second == Topic("302", title="polio", keywords="1. polio", extra={"dom": "Health"})
    assert (second.line, second.kind) == (13, "CO")


def test_trec_in_latin_1(tmp_path: Path) -> None:
    given = "<top>\n<num> Number: 1\n<title> café\n</top>\n"
    assert topics_of(given.encode("latin-1"), tmp_path)["1"].title == "café"


def test_json_lines(tmp_path: Path) -> None:
    first, second = topics_of(OF_JSON, tmp_path).values()
    assert first == Topic("q1", title="bees", castitle="//p[about(., bees)]", extra={"year": "2026"})
    assert first.line == first.line_of("castitle") == 2
    assert second == Topic("7", title="honey", extra={"metadata": '{"a": [1]}'})


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(gzip.compress(OF_2005.encode()), id="gzip"),
        pytest.param(OF_2005.replace("\n", "\r\n").encode(), id="CRLF"),
        pytest.param(OF_2005.replace("ISO-8859-1", "UTF-8").encode("utf-8-sig"), id="byte-order mark"),
        pytest.param(OF_2005.replace("ISO-8859-1", "UTF-16").encode("utf-16"), id="UTF-16"),
    ],
)
def test_the_look_of_a_file_does_not_matter(content: bytes, tmp_path: Path) -> None:
    assert topics_of(content, tmp_path)["901"].description == "How bees tell direction."


def test_a_folder_and_several_files(tmp_path: Path) -> None:
    folder = tmp_path / "2005"
    folder.mkdir()
    (folder / "901.xml").write_text(OF_2005)
    (folder / "903.xml").write_text(CHILD)
    (folder / "topic.dtd").write_text("<!ELEMENT inex_topic ANY>")
    (tmp_path / "q.jsonl").write_text(OF_JSON)
    assert list(inexlab.read_topics(folder)) == ["901", "903"]
    assert list(read_topics([tmp_path / "q.jsonl", folder])) == ["q1", "7", "901", "903"]
    assert list(read_topics([str(folder), folder])) == ["901", "903"]  # the same topics twice are the same


def test_the_format_can_be_forced(tmp_path: Path) -> None:
    assert {"xml", "trec", "jsonl"} <= set(topic_formats)
    assert list(topics_of(OF_TREC, tmp_path, "trec")) == ["301", "302"]
    with pytest.raises(UnknownNameError, match="unknown topic format 'trek'; did you mean 'trec'"):
        topics_of(OF_TREC, tmp_path, "trek")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("<article/>", "is not topics in a known format. Known formats: jsonl, trec, xml"),
        ("topic 1\n", "is not topics in a known format"),
        ("<inex-topic-file><topic", "not well-formed XML"),
        ("<inex-topic-file/>", "holds no topics"),
        ("<topics>\n<topic><title>x</title></topic></topics>", "line 2: a topic without an id. Give it a"),
        ('<inex-submission run-id="x"><topic topic-id="1"/></inex-submission>', "is not topics in a known"),
        (
            '<topics><topic id="1"><title>x</title></topic>\n<topic id="1"><title>y</title></topic></topics>',
            "line 2: topic 1 is another one than in",
        ),
        ("<top>\n<title> x\n</top>", "line 1: a topic without <num>"),
        ("<top>\n<num> 1\n<title> x\n", "line 3: <top> and </top> do not match. The file may be truncated."),
        ("<top>\n<num> 1\n<top>\n<num> 2\n</top>", "line 3: <top> and </top> do not match"),
        ('{"title": "x"}', "line 1: 'topic' is missing. Found: title."),
        ('{"topic": "1", "title": 5}', "line 1: 'title' is '5', expected text."),
        ('{"topic": "1", "title": "\\ud800"}', "line 1: 'title' is"),
        ("", "is empty"),
    ],
)
def test_what_cannot_be_read_is_named(content: str, problem: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        topics_of(content, tmp_path)
    assert str(caught.value).startswith(str(tmp_path / "topics"))
    assert problem in str(caught.value)


def test_no_file_and_no_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_topics(tmp_path / "nowhere")
    with pytest.raises(InputError, match="is an empty folder"):
        read_topics(tmp_path)


def test_a_title_of_2002_says_what_query_is_made_of_it(tmp_path: Path) -> None:
    [of_2002] = topic_problems(topics_of(OF_2002, tmp_path))
    made = only(OF_2002, tmp_path).castitle
    assert made
    assert of_2002.problem == f"the title is marked up as in 2002 (<te>, <ce>): {made} is made of it"
    without = OF_2002.replace("<te>article/bm</te>", "<te>fm/au, bm/vt</te>")
    [words] = topic_problems(topics_of(without, tmp_path))
    assert words.problem.endswith(": only its words are used as a query")
