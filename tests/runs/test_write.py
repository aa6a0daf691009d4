"""Writing runs: each format by a hand-written file, each change of notation by its counts."""

from __future__ import annotations

from pathlib import Path

import pytest

import inexlab
from inexlab.collection import Collection, open_collection
from inexlab.errors import InputError, UnknownNameError
from inexlab.runs import Run, read_run, write_run
from inexlab.runs.table import RunBuilder

# Ten characters: `ab`, then a section `cdefgh` (paragraphs `cde` and `fg`, then `h`), then `ij`.
ARTICLE = "<article>ab<sec><p>cde</p><p><b>fg</b></p>h</sec>ij<fig/></article>"
WIDENED = "widened to the smallest enclosing element, which changes scores"
LOST = "1 of 2 results cannot be found in the collection: written without a place in the text"
LEFT_OUT = (
    "1 result without a place in the text left out, which the format cannot hold: those after them move up"
)
SEC, P1, P2 = "/article[1]/sec[1]", "/article[1]/sec[1]/p[1]", "/article[1]/sec[1]/p[2]"
B = "/article[1]/sec[1]/p[2]/b[1]"


@pytest.fixture
def articles(tmp_path: Path) -> Collection:
    folder = tmp_path / "articles"
    folder.mkdir()
    (folder / "d.xml").write_text(ARTICLE)
    (folder / "e.xml").write_text(ARTICLE)
    return open_collection(folder)


def a_run(*results: str | tuple[int, int], score: bool = True) -> Run:
    """Make a run of one document from paths (`a…b`: between two) and spans, scored 9.5, 8.5, 7.5."""
    builder = RunBuilder()
    for i, place in enumerate(results):
        number = 9.5 - i if score else float("nan")
        if isinstance(place, str):
            path, _, until = place.partition("…")
            builder.add("1", "d", number, path=path or None, until=until or None)
        else:
            builder.add("1", "d", number, span=place)
    return builder.build("mine")


def written(
    run: Run, folder: Path, format: str, collection: Collection | None = None
) -> tuple[list[str], list[str]]:
    """Return the lines of the file, and the notes."""
    out = folder / "out"
    notes = write_run(run, out, format, collection=collection)
    return out.read_text(encoding="utf-8").splitlines(), list(notes)


def places(run: Run, folder: Path, format: str, collection: Collection | None = None) -> list[str]:
    """Return what the lines of a text format say after the run id."""
    lines, _ = written(run, folder, format, collection)
    return [line.partition(" mine")[2].strip() for line in lines]


# Each format by hand.

TWO_TOPICS = RunBuilder()
TWO_TOPICS.add("t2", "d", 2.0, path=SEC)
TWO_TOPICS.add("t1", "é", 0.1, path="/article[1]")
TWO_TOPICS.add("t2", "d", 1.5, path=P1)
ABOUT = {
    "participant": "24",
    "task": "CO.Thorough",
    "query": "automatic",
    "topic_fields": "title=yes castitle=no",
    "description": 'Lnu < "ltu" & more',
    "collections": "ieee more",
}
ELEMENTS = TWO_TOPICS.build("my<run", about=ABOUT)

OF_2005 = """\
<?xml version="1.0" encoding="UTF-8"?>
<inex-submission participant-id="24" run-id="my&lt;run" task="CO.Thorough" query="automatic">
<topic-fields title="yes" castitle="no"/>
<description>Lnu &lt; "ltu" &amp; more</description>
<collections><collection>ieee</collection><collection>more</collection></collections>
<topic topic-id="t2">
<result><file>d</file><path>/article[1]/sec[1]</path><rank>1</rank><rsv>2.0</rsv></result>
<result><file>d</file><path>/article[1]/sec[1]/p[1]</path><rank>2</rank><rsv>1.5</rsv></result>
</topic>
<topic topic-id="t1">
<result><file>é</file><path>/article[1]</path><rank>1</rank><rsv>0.1</rsv></result>
</topic>
</inex-submission>
"""


def test_2005(tmp_path: Path) -> None:
    lines, notes = written(ELEMENTS, tmp_path, "2005")
    assert lines == OF_2005.splitlines()
    assert notes == []


def test_2008_with_all_three_bodies(tmp_path: Path) -> None:
    run = a_run(P1, (2, 5), f'{P1}/text()[1].1…{P2}"<')
    lines, notes = written(run, tmp_path, "2008")
    assert lines[1:-2] == [
        '<inex-submission run-id="mine" result-type="passage">',
        '<topic topic-id="1">',
        f"<result><file>d</file><path>{P1}</path><rank>1</rank><rsv>9.5</rsv></result>",
        '<result><file>d</file><fol offset="2" length="3"/><rank>2</rank><rsv>8.5</rsv></result>',
        f'<result><file>d</file><passage start="{P1}/text()[1].1" end="{P2}&quot;&lt;"/>'
        "<rank>3</rank><rsv>7.5</rsv></result>",
    ]
    assert notes == ["not known and left out: participant, task, query (`about=participant=…` gives it)"]


@pytest.mark.parametrize(
    ("results", "kind"),
    [([P1], "element"), ([(1, 2)], "fol"), ([P1, (1, 2)], "fol"), ([f"{P1}…{P2}"], "passage")],
)
def test_2008_says_what_kind_of_results_it_has(
    results: list[str | tuple[int, int]], kind: str, tmp_path: Path
) -> None:
    lines, _ = written(a_run(*results), tmp_path, "2008")
    assert f'result-type="{kind}"' in lines[1]


def test_2009(tmp_path: Path) -> None:
    lines, notes = written(ELEMENTS, tmp_path, "2009")
    assert lines == [
        "t2 Q0 d 1 2.0 my<run /article[1]/sec[1]",
        "t1 Q0 é 1 0.1 my<run /article[1]",
        "t2 Q0 d 2 1.5 my<run /article[1]/sec[1]/p[1]",
    ]
    assert notes == ["not kept by format 2009: " + ", ".join(ABOUT)]


def test_2009_fol(tmp_path: Path) -> None:
    lines, notes = written(a_run((0, 10), (3, 3), ""), tmp_path, "2009-fol")
    assert lines == ["1 Q0 d 1 9.5 mine 0 10", "1 Q0 d 2 8.5 mine 3 0", "1 Q0 d 3 7.5 mine X 0"]
    assert notes == []


def test_2009_bep(tmp_path: Path) -> None:
    lines, notes = written(a_run((4, 4), (3, 8), ""), tmp_path, "2009-bep")
    assert lines == ["1 Q0 d 1 9.5 mine 4", "1 Q0 d 2 8.5 mine 3", "1 Q0 d 3 7.5 mine X"]
    assert notes == ["1 result reduced to where it begins"]


def test_trec(tmp_path: Path) -> None:
    builder = RunBuilder()
    for topic, doc, path in (
        ("1", "a", P1),
        ("1", "b", P1),
        ("1", "a", P2),
        ("2", "a", "/"),
        ("2", "a", SEC),
    ):
        builder.add(topic, doc, -float(len(builder)), path=path)
    lines, notes = written(builder.build("mine"), tmp_path, "trec")
    assert lines == ["1 Q0 a 1 -0.0 mine", "1 Q0 b 2 -1.0 mine", "2 Q0 a 1 -3.0 mine"]
    assert notes == ["5 results reduced to 3 documents, each at the place of its first result"]


def test_scores_that_would_change_the_ranking_are_not_written(tmp_path: Path) -> None:
    """A run of INEX may have rising scores, such as distances; whoever reads the file ranks by score."""
    builder = RunBuilder()
    for doc, score in (("near", 0.5), ("far", 2.5), ("further", 9.0)):
        builder.add("1", doc, score, path="/")
    why = "the scores do not fall from rank to rank, and readers of the format rank by score"
    lines, notes = written(builder.build("mine"), tmp_path, "trec")
    assert lines == ["1 Q0 near 1 3.0 mine", "1 Q0 far 2 2.0 mine", "1 Q0 further 3 1.0 mine"]
    assert notes == [f"{why}: every score is written as a countdown of the ranks of its topic"]
    lines, notes = written(builder.build("out"), tmp_path, "jsonl")
    assert lines[0] == '{"topic": "1", "doc": "near", "path": "/"}'
    assert notes == [f"{why}: they are left out"]
    for format in ("trec", "jsonl"):
        write_run(builder.build("mine"), tmp_path / "again", format)
        assert [result.doc for result in read_run(tmp_path / "again")] == ["near", "far", "further"]


def test_whole_documents_lose_nothing_in_trec(tmp_path: Path) -> None:
    assert written(a_run("/"), tmp_path, "trec") == (["1 Q0 d 1 9.5 mine"], [])


def test_jsonl(tmp_path: Path) -> None:
    builder = RunBuilder()
    builder.add("1", "d", 0.5, span=(2, 5))
    builder.add("1", "d", 0.5, span=(2, 5), path=P1)
    builder.add("1", 'quo"te é', float("-inf"), path=P1)
    builder.add("1", "d", path=P1, until=P2)
    builder.add("1", "d")
    lines, notes = written(builder.build("out"), tmp_path, "jsonl")
    assert lines == [
        '{"topic": "1", "doc": "d", "start": 2, "end": 5, "score": 0.5}',
        f'{{"topic": "1", "doc": "d", "path": "{P1}", "start": 2, "end": 5, "score": 0.5}}',
        f'{{"topic": "1", "doc": "quo\\"te é", "path": "{P1}", "score": -1e999}}',
        f'{{"topic": "1", "doc": "d", "path": "{P1}", "until": "{P2}"}}',
        '{"topic": "1", "doc": "d", "start": null, "end": null}',
    ]
    assert notes == []


def test_jsonl_is_called_by_its_file(tmp_path: Path) -> None:
    assert write_run(a_run(P1), tmp_path / "other.jsonl.gz", "jsonl") == (
        "the run id 'mine' is not kept: readers call the run 'other', as the file",
    )
    assert write_run(a_run(P1), tmp_path / "mine.jsonl.gz", "jsonl") == ()
    assert read_run(tmp_path / "other.jsonl.gz").id == "other"


def test_jsonl_with_a_collection_has_offsets_for_paths(tmp_path: Path, articles: Collection) -> None:
    lines, notes = written(a_run(P1, f"{P1}…{SEC}", "/nowhere[1]"), tmp_path, "jsonl", articles)
    assert [line.partition('"doc": "d", ')[2].partition(', "score"')[0] for line in lines] == [
        f'"path": "{P1}", "start": 2, "end": 5',
        f'"path": "{P1}", "until": "{SEC}", "start": 2, "end": 8',
        '"path": "/nowhere[1]"',
    ]
    assert notes[0] == "1 result cannot be found in the collection: written as given"


# Paths to offsets, and back.


def test_paths_become_offsets(tmp_path: Path, articles: Collection) -> None:
    run = a_run("/", SEC, f"{P1}/text()[1].1", f"{P1}…{P2}", "/article[1]/sec[9]", "/article[1]/fig[1]")
    assert places(run, tmp_path, "2009-fol", articles) == ["0 10", "2 6", "3 0", "2 5", "X 0", "10 0"]
    assert written(run, tmp_path, "2009-fol", articles)[1] == [
        "6 results given by paths are written as text positions: "
        "of nested elements with the same text, which one was meant is lost",
        "1 result cannot be found in the collection: written without a place in the text",
    ]


def test_offsets_become_paths(tmp_path: Path, articles: Collection) -> None:
    run = a_run((0, 10), (2, 8), (2, 5), (5, 7), (3, 3), (3, 6), (10, 10), (8, 99))
    assert places(run, tmp_path, "2009", articles) == [
        "/article[1]",
        SEC,
        P1,
        P2,  # and not its <b>, which has the same text
        f"{P1}/text()[1].1",
        SEC,
        "/article[1]/text()[2].2",
        "/article[1]",
    ]
    assert written(run, tmp_path, "2009", articles)[1] == [
        "1 of 8 results is the text of several nested elements: written as the outermost",
        f"2 of 8 results {WIDENED}",
        "1 of 8 results may be an empty element: written as a point in the text",
    ]


def test_2005_has_no_points(tmp_path: Path, articles: Collection) -> None:
    run = a_run((3, 3), f"{P1}/text()[1].1", "/", f"{P1}…{P2}")
    lines, notes = written(run, tmp_path, "2005", articles)
    found = [line.partition("<path>")[2].partition("</path>")[0] for line in lines if "<path>" in line]
    assert found == [P1, P1, "/article[1]", SEC]
    assert notes[0] == f"3 of 4 results {WIDENED}"


def test_what_the_collection_lacks_is_not_located(tmp_path: Path, articles: Collection) -> None:
    builder = RunBuilder()
    builder.add("1", "ghost", 1.0, span=(0, 5))
    builder.add("1", "d", 0.5, span=(2, 5))
    run = builder.build("mine")
    assert places(run, tmp_path, "2009", articles) == ["X", P1]
    assert written(run, tmp_path, "2009", articles)[1] == [LOST]
    lines, notes = written(run, tmp_path, "2005", articles)
    assert sum("<result>" in line for line in lines) == 1
    assert notes[:2] == [
        LOST,
        LEFT_OUT,
    ]


def test_paths_are_spelled_in_full(tmp_path: Path) -> None:
    run = a_run("/article/sec[01]", SEC, "/article[1]/sec[1]/p", "no path at[")
    assert places(a_run("/article/sec[01]", SEC, "/article/sec/p"), tmp_path, "2009") == [SEC, SEC, P1]
    lines, notes = written(run, tmp_path, "2005")
    assert lines[6].count("no path at[") == 1
    assert notes[0] == (
        "2 of 4 results had paths with steps without a number, or zeros before one: written in full"
    )


@pytest.mark.parametrize(
    ("result", "format", "message"),
    [
        ((2, 5), "2009", "gives results by offset, and the elements of document d are not known"),
        ("/", "2009", "returns whole documents, and the elements of document d"),
        (f"{P1}…{P2}", "2005", "gives passages by two paths"),
        (f"{P1}/text()[1].1", "2005", "gives results such as"),
        (P1, "2009-fol", "returns paths such as"),
        (P1, "2009-bep", "returns paths such as"),
    ],
)
def test_what_needs_the_collection(
    result: str | tuple[int, int], format: str, message: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError) as caught:
        write_run(a_run(result), tmp_path / "out", format)
    assert message in str(caught.value)
    assert str(caught.value).endswith("Give `collection=DIR`.")
    assert list(tmp_path.iterdir()) == []


def test_of_a_path_and_offsets_that_differ_the_offsets_count(tmp_path: Path, articles: Collection) -> None:
    builder = RunBuilder()
    builder.add("1", "d", 2.0, path=B, span=(5, 7))  # its own, though <p> around it has the same text
    builder.add("1", "d", 1.0, path=SEC, span=(2, 5))
    run = builder.build("mine")
    assert places(run, tmp_path, "2009", articles) == [B, P1]
    assert written(run, tmp_path, "2009", articles)[1] == [
        "1 result with a path that is not where the offsets are: taken by the offsets"
    ]
    assert places(run, tmp_path, "2009") == [B, SEC]
    assert written(run, tmp_path, "2009")[1] == [
        "2 results with a path and offsets: the path is written, which changes scores where the two differ"
    ]
    assert places(run, tmp_path, "2009-fol") == ["5 2", "2 3"]
    lines, notes = written(run, tmp_path, "2008", articles)
    assert (f"<path>{B}</path>" in lines[3], '<fol offset="2" length="3"/>' in lines[4]) == (True, True)
    assert notes[0] == "1 result with a path that is not where the offsets are: taken by the offsets"


# Scores.


def test_a_column_of_scores_counts_down_where_scores_are_missing(tmp_path: Path) -> None:
    builder = RunBuilder()
    for topic, score in (("1", 0.5), ("2", 1.0), ("1", float("nan"))):
        builder.add(topic, "d", score, span=(0, 1))
    lines, notes = written(builder.build("mine"), tmp_path, "2009-fol")
    assert [line.split()[3:5] for line in lines] == [["1", "2.0"], ["1", "1.0"], ["2", "1.0"]]
    assert notes == [
        "1 of 3 results have no score: every score is written as a countdown of the ranks of its topic"
    ]
    _, notes = written(a_run((0, 1), score=False), tmp_path, "2009-fol")
    assert notes == [
        "the results have no score: every score is written as a countdown of the ranks of its topic"
    ]


def test_xml_and_json_leave_missing_scores_out(tmp_path: Path) -> None:
    lines, notes = written(a_run(P1, score=False), tmp_path, "2005")
    assert lines[3].endswith("</path><rank>1</rank></result>")
    assert not any("score" in note for note in notes)
    builder = RunBuilder()
    builder.add("1", "d", 1.0, path=P1)
    builder.add("1", "d", path=P2)
    _, notes = written(builder.build("mine"), tmp_path, "2005")
    assert notes[0] == "1 of 2 results have no score: readers will take the ranks of all in place of scores"
    assert [result.score for result in read_run(tmp_path / "out")] == [-1, -2]


# What does not fit.


@pytest.mark.parametrize("format", ["2009", "trec"])
@pytest.mark.parametrize(
    ("topic", "doc", "id", "message"),
    [
        ("a b", "d", "r", "topic 'a b' has white space or a control character in it"),
        ("1", "d\t", "r", "document 'd\\t' has white space"),
        ("1", "d", "my run", "run id 'my run' has white space"),
        ("1", "", "r", "document '' is empty"),
        ("#1", "d", "r", "topic '#1' begins with #"),
        ("{", "d", "r", "topic '{' begins with {"),
        ("<1", "d", "r", "topic '<1' begins with <"),
    ],
)
def test_names_that_columns_cannot_hold(
    topic: str, doc: str, id: str, message: str, format: str, tmp_path: Path
) -> None:
    builder = RunBuilder()
    builder.add(topic, doc, 1.0, path=P1)
    with pytest.raises(InputError) as caught:
        write_run(builder.build(id, "in.jsonl"), tmp_path / "out", format)
    assert str(caught.value).startswith(f"in.jsonl: {message}")
    assert ("run_id=" if "run id" in message else "jsonl") in caught.value.fix
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["d\x01", " d", "d\n", "", "\ufffe"])
def test_names_that_xml_cannot_hold(name: str, tmp_path: Path) -> None:
    for topic, doc, path in ((name, "d", P1), ("1", name, P1), ("1", "d", name)):
        builder = RunBuilder()
        builder.add(topic, doc, path=path)
        with pytest.raises(InputError, match="which XML cannot hold"):
            write_run(builder.build("mine"), tmp_path / "out", "2008")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("about", [{"task": "a\x01"}, {"description": "a\x01"}])
def test_what_is_said_about_a_run_is_checked_too(about: dict[str, str], tmp_path: Path) -> None:
    builder = RunBuilder()
    builder.add("1", "d", 1.0, path=P1)
    with pytest.raises(InputError, match="which XML cannot hold"):
        write_run(builder.build("mine", about=about), tmp_path / "out", "2005")


def test_a_description_may_have_several_lines(tmp_path: Path) -> None:
    builder = RunBuilder()
    builder.add("1", "d", 1.0, path=P1)
    write_run(builder.build("mine", about={"description": "one\ntwo"}), tmp_path / "out", "2005")
    assert read_run(tmp_path / "out").about["description"] == "one\ntwo"


def test_a_run_of_nothing_but_lost_results_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no result that format 2005 can hold"):
        write_run(a_run(""), tmp_path / "out", "2005")


def test_an_unknown_format(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match=r"unknown run format '2009fol'; did you mean '2009-fol'\?"):
        inexlab.write_run(a_run(P1), tmp_path / "out", "2009fol")
