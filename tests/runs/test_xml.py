"""XML runs of INEX 2005-2008."""

from __future__ import annotations

import gzip
import math
from pathlib import Path

import pytest

from inexlab.errors import InputError
from inexlab.runs import Result, Run, read_run


@pytest.fixture(params=["always", "never"], autouse=True)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INEXLAB_COMPILED", request.param)


def run_of(content: str | bytes, folder: Path, input_format: str | None = None) -> Run:
    file = folder / "run.xml"
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_run(file, input_format)


def submission(results: str, attributes: str = "") -> str:
    """One topic of a submission; its results begin in line 3."""
    head = f'<inex-submission run-id="r" {attributes}>\n<topic topic-id="7">\n'
    return f"{head}{results}\n</topic>\n</inex-submission>\n"


def path_result(body: str) -> str:
    return f"<result><file>d</file><path>/a[1]</path>{body}</result>"


RUN_2005 = """<inex-submission participant-id="24" run-id="my.run" task="COS.Thorough" query="automatic"
    submission-type="adhoc">
  <topic-fields title="yes" castitle="no" description="no" narrative="no" ontopic_keywords="no"/>
  <description>one line</description>
  <collections><collection>ieee</collection></collections>
  <topic topic-id="202">
    <result><file>cg/1998/g1016</file><path>/article[1]/bdy[1]/sec[2]</path><rank>1</rank><rsv>0.67</rsv></result>
  </topic>
</inex-submission>
"""


def test_2005(tmp_path: Path) -> None:
    """The submission format of INEX 2005."""
    run = run_of(RUN_2005, tmp_path)
    assert run.id == "my.run"
    assert run.file == str(tmp_path / "run.xml")
    assert list(run) == [
        Result("202", 1, "cg/1998/g1016", 0.67, None, None, "/article[1]/bdy[1]/sec[2]", None)
    ]
    assert run.about == {
        "participant": "24",
        "task": "COS.Thorough",
        "query": "automatic",
        "submission_type": "adhoc",
        "topic_fields": "title=yes castitle=no description=no narrative=no ontopic_keywords=no",
        "description": "one line",
        "collections": "ieee",
    }


def test_2005_as_indri_wrote_it(tmp_path: Path) -> None:
    """`topic-part` for `topic-fields`, and <collections> inside every topic."""
    indri = """<inex-submission participant-id="1" run-id="indri" task="CO.Thorough" topic-part="T">
<description></description>
<topic topic-id="202"><collections><collection>ieee</collection></collections>
<result><file>an/1995/a1004</file><path>/article[1]</path><rsv>-5.5</rsv></result></topic>
<topic topic-id="203"><collections><collection>ieee</collection></collections>
<result><file>an/1995/a1004</file><path>/article[1]/fm[1]</path><rsv>-4</rsv></result></topic>
</inex-submission>"""
    run = run_of(indri, tmp_path)
    assert [(r.topic, r.rank, r.path, r.score) for r in run] == [
        ("202", 1, "/article[1]", -5.5),
        ("203", 1, "/article[1]/fm[1]", -4.0),
    ]
    assert (run.about["topic_part"], run.about["collections"]) == ("T", "ieee")


def test_2007_three_bodies(tmp_path: Path) -> None:
    """The submission format of INEX 2008: element, file-offset-length, and passage between two points."""
    results = """<result><file>996</file><path>/article[1]/body[1]/p[1]</path><rsv>3.1</rsv></result>
<result><file>996</file><fol offset="120" length="45"/></result>
<result><file>996</file><passage start="/article[1]/body[1]/p[1]/text()[1].10"
                                 end="/article[1]/body[1]/p[2]/text()[1].40"/></result>"""
    run = run_of(submission(results, 'task="Focused" result-type="passage"'), tmp_path)
    assert run.about == {"task": "Focused", "result_type": "passage"}
    element, fol, passage = run
    assert element == Result("7", 1, "996", 3.1, None, None, "/article[1]/body[1]/p[1]", None)
    assert fol[:3] + fol[4:] == ("7", 2, "996", 120, 165, None, None)
    assert passage[:3] + passage[4:] == (
        "7",
        3,
        "996",
        None,
        None,
        "/article[1]/body[1]/p[1]/text()[1].10",
        "/article[1]/body[1]/p[2]/text()[1].40",
    )


@pytest.mark.parametrize(
    ("body", "score"),
    [
        pytest.param("<rank>3</rank><rsv>0.5</rsv>", 0.5, id="both"),
        pytest.param("<rsv> 1e-3\n</rsv>", 1e-3, id="no rank"),
        pytest.param("<rank>3</rank>", -3.0, id="no rsv"),
        pytest.param("<rank>0</rank>", 0.0, id="ranks from 0"),
    ],
)
def test_either_rank_or_rsv_suffices(body: str, score: float, tmp_path: Path) -> None:
    (result,) = run_of(submission(path_result(body)), tmp_path)
    assert result.score == score


def test_without_rank_and_rsv_file_order_is_all_there_is(tmp_path: Path) -> None:
    run = run_of(submission(path_result("") + path_result("")), tmp_path)
    assert [r.rank for r in run] == [1, 2]
    assert all(math.isnan(r.score) for r in run)


def test_the_order_in_the_file_is_the_ranking(tmp_path: Path) -> None:
    """ATIRE counted ranks from 0; others were wrong in other ways."""
    ranks = [1, 0, 0, 7]
    run = run_of(submission("".join(path_result(f"<rank>{rank}</rank>") for rank in ranks)), tmp_path)
    assert [r.rank for r in run] == [1, 2, 3, 4]
    assert [-r.score for r in run] == ranks


def test_a_topic_may_come_back(tmp_path: Path) -> None:
    one, two = (f'<topic topic-id="{t}">{path_result("")}</topic>' for t in "12")
    run = run_of(f'<inex-submission run-id="r">{one}{two}{one}</inex-submission>', tmp_path)
    assert [(r.topic, r.rank) for r in run] == [("1", 1), ("2", 1), ("1", 2)]


def test_a_range_of_elements(tmp_path: Path) -> None:
    body = '<result><file>d</file><passage start="/a[1]/p[1]" end="/a[1]/p[3]"/></result>'
    (result,) = run_of(submission(body), tmp_path)
    assert (result.path, result.until) == ("/a[1]/p[1]", "/a[1]/p[3]")


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(RUN_2005.replace("\n", "\r\n").encode(), id="CRLF"),
        pytest.param(RUN_2005.encode("utf-8-sig"), id="byte-order mark"),
        pytest.param(('<?xml version="1.0" encoding="UTF-16"?>\n' + RUN_2005).encode("utf-16"), id="UTF-16"),
        pytest.param(RUN_2005.encode("utf-32"), id="UTF-32"),
        pytest.param(b"\0\0\xfe\xff" + RUN_2005.encode("utf-32-be"), id="UTF-32, big end first"),
        pytest.param(
            ('<?xml version="1.0" encoding="UTF-32"?>\n' + RUN_2005).encode("utf-32-le"), id="UTF-32 unmarked"
        ),
        pytest.param(b'<?xml version="1.0" encoding="utf8"?>\n' + RUN_2005.encode(), id="utf8"),
        pytest.param(b"\n" * 200 + RUN_2005.encode(), id="blank lines before"),
        pytest.param(b'<?xml version="1.0" encoding="Shift_JIS"?>\n' + RUN_2005.encode(), id="Shift_JIS"),
        pytest.param(('<!DOCTYPE inex-submission SYSTEM "x.dtd">\n' + RUN_2005).encode(), id="DOCTYPE"),
        pytest.param(gzip.compress(RUN_2005.encode()), id="gzip"),
        pytest.param(RUN_2005.replace("<result>", "<!-- x --><result>").encode(), id="comments"),
        pytest.param(RUN_2005.replace("cg/1998", "cg/<![CDATA[1998]]>").encode(), id="CDATA"),
        pytest.param(RUN_2005.replace("<path>", "<path>\n\t").encode(), id="white space in fields"),
    ],
)
def test_the_look_of_a_file_does_not_matter(content: bytes, tmp_path: Path) -> None:
    plain = run_of(RUN_2005, tmp_path)
    run = run_of(content, tmp_path)
    assert (run.id, run.about, list(run)) == (plain.id, plain.about, list(plain))


@pytest.mark.parametrize("forced", [None, "xml"], ids=["format detected", "format forced"])
@pytest.mark.parametrize("codec", ["cp037", "cp500"])
def test_ebcdic(codec: str, forced: str | None, tmp_path: Path) -> None:
    plain = run_of(RUN_2005, tmp_path)
    run = run_of(f'<?xml version="1.0" encoding="{codec}"?>{RUN_2005}'.encode(codec), tmp_path, forced)
    assert (run.id, run.about, list(run)) == (plain.id, plain.about, list(plain))


def test_ids_keep_their_characters(tmp_path: Path) -> None:
    content = '<?xml version="1.0" encoding="ISO-8859-1"?>\n' + submission(
        path_result("").replace(">d<", ">caf\xe9<")
    )
    (result,) = run_of(content.encode("iso-8859-1"), tmp_path)
    assert result.doc == "café"


MISTAKES = {
    "offset negative": (
        '<result><file>d</file><fol offset="-1" length="2"/></result>',
        "offset '-1' is not a whole",
    ),
    "offset no number": (
        '<result><file>d</file><fol offset="x" length="2"/></result>',
        "offset 'x' is not a whole",
    ),
    "length negative": (
        '<result><file>d</file><fol offset="1" length="-2"/></result>',
        "length '-2' is not a whole",
    ),
    "no length": ('<result><file>d</file><fol offset="1"/></result>', "<fol> without the attribute length"),
    "no end": ('<result><file>d</file><passage start="/a"/></result>', "<passage> without the attribute end"),
    "no file": ("<result><path>/a[1]</path></result>", "a <result> without <file>"),
    "empty file": ("<result><file> </file><path>/a[1]</path></result>", "a <result> without <file>"),
    "no place": ("<result><file>d</file><rsv>1</rsv></result>", "without <path>, <fol> or <passage>"),
    "rsv no number": (path_result("<rsv>high</rsv>"), "<rsv> 'high' is not a number"),
    "rsv underlined": (path_result("<rsv>1_0</rsv>"), "<rsv> '1_0' is not a number"),
    "offset of 5,000 digits": (
        f'<result><file>d</file><fol offset="{"9" * 5000}" length="2"/></result>',
        "is not a whole number of characters",
    ),
    "rank no number": (path_result("<rank>first</rank>"), "<rank> 'first' is not a number"),
    "mismatched tag": ("<result><file>d</path></result>", "not well-formed XML (mismatched tag)"),
    "undefined entity": ("<result><file>&nobody;</file></result>", "not well-formed XML (undefined entity)"),
}


@pytest.mark.parametrize(("bad", "problem"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_named_with_file_and_line(bad: str, problem: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        run_of(submission(f"{path_result('')}\n{bad}"), tmp_path)
    assert str(caught.value).startswith(f"{tmp_path / 'run.xml'}, line 4: ")
    assert problem in caught.value.problem


def test_a_mistake_does_not_leak_into_the_next_result(tmp_path: Path) -> None:
    """A second result without <rsv> must not inherit the first one's."""
    first, second = run_of(submission(path_result("<rsv>5</rsv>") + path_result("")), tmp_path)
    assert first.score == 5
    assert math.isnan(second.score)


def test_a_result_outside_a_topic(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        run_of(f'<inex-submission run-id="r">\n\n{path_result("")}</inex-submission>', tmp_path)
    assert str(caught.value) == (
        f"{tmp_path / 'run.xml'}, line 3: <result> outside a <topic>. "
        "A result is <result><file>, then <path>, <fol> or <passage>, inside <topic topic-id>."
    )


def test_a_result_after_the_end_of_a_topic(tmp_path: Path) -> None:
    topic = f'<topic topic-id="1">{path_result("")}</topic>'
    with pytest.raises(InputError, match=r"line 2: <result> outside a <topic>"):
        run_of(f'<inex-submission run-id="r">{topic}\n{path_result("")}</inex-submission>', tmp_path)


def test_a_topic_without_id(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"line 2: <topic> without the attribute topic-id"):
        run_of('<inex-submission run-id="r">\n<topic/></inex-submission>', tmp_path)


def test_a_submission_without_run_id(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"run\.xml, line 2: <inex-submission> without the attribute run-id"):
        run_of('<?xml version="1.0"?>\n<inex-submission><topic topic-id="1"/></inex-submission>', tmp_path)


def test_a_submission_without_results(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"run\.xml: holds no results\. The file may be truncated"):
        run_of(submission(""), tmp_path)


@pytest.mark.parametrize("kept", [0.3, 0.5, 0.7, 0.9, 0.99])
def test_a_truncated_file_is_refused_with_a_line(kept: float, tmp_path: Path) -> None:
    content = submission("\n".join([path_result("<rsv>1</rsv>")] * 20)).strip()
    with pytest.raises(InputError) as caught:
        run_of(content[: int(len(content) * kept)], tmp_path)
    assert caught.value.file == str(tmp_path / "run.xml")
    assert caught.value.line == content[: int(len(content) * kept)].count("\n") + 1
    assert "not well-formed XML" in caught.value.problem


def test_invalid_utf8(tmp_path: Path) -> None:
    content = submission(path_result("").replace(">d<", ">caf\xe9<")).encode("latin-1")
    with pytest.raises(InputError, match=r"run\.xml, line 3: not well-formed XML"):
        run_of(content, tmp_path)


def test_other_xml_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"is not a run in a known format\. Known formats: .*xml"):
        run_of("<article><topic/></article>", tmp_path)
    with pytest.raises(InputError, match=r"run\.xml: has no <inex-submission>\. Check that it is a run"):
        run_of("<article/>", tmp_path, "xml")


def test_a_forced_xml_reader_on_text_says_that_it_is_not_xml(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"line 1: not well-formed XML"):
        run_of("1 Q0 d 1 1 r 5 6\n", tmp_path, "xml")


def test_an_external_entity_is_not_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret")
    doctype = f'<!DOCTYPE inex-submission [<!ENTITY x SYSTEM "{secret.as_uri()}">]>\n'
    (result,) = run_of(doctype + submission(path_result("").replace(">d<", ">d&x;<")), tmp_path)
    assert result.doc == "d"


def test_two_submissions_in_one_file_are_two_runs_and_refused(tmp_path: Path) -> None:
    one, two = (
        f'<inex-submission run-id="{id}">\n<topic topic-id="1">{path_result("")}</topic></inex-submission>\n'
        for id in "ab"
    )
    with pytest.raises(InputError) as caught:
        run_of(f"<runs>{one}{two}</runs>", tmp_path)
    assert str(caught.value) == (
        f"{tmp_path / 'run.xml'}, line 3: a second <inex-submission>. One file holds one run: split it."
    )
    assert run_of(f"<runs>{one}</runs>", tmp_path).id == "a"
