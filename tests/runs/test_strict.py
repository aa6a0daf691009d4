"""Strict runs: vague runs without what does not conform to the target."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.collection import open_collection
from inexlab.errors import InputError
from inexlab.runs import Run, read_run
from inexlab.runs.strict import conforming, write_rows
from inexlab.topics.equivalence import read_equivalence
from inexlab.topics.patterns import PathPattern, pattern
from tests.builders import a_run, calm

SECTIONS = read_equivalence()
TARGETS: dict[str, PathPattern | None] = {"1": pattern("//article//sec", SECTIONS), "2": None}


def kept(run: Run, targets: dict[str, PathPattern | None] = TARGETS, folder: Path | None = None) -> list[int]:
    found = conforming(run, targets, open_collection(folder) if folder else None)
    return np.flatnonzero(found).tolist()


def test_elements_are_kept_by_their_path() -> None:
    run = a_run("A/article[1]/sec[1]", "A/article[1]", "B/article[1]/ss1[2]", "A/article[1]/sec[1]/p[1]")
    assert kept(run) == [0, 2]


def test_every_topic_has_its_own_target() -> None:
    run = a_run("1:A/article[1]", "2:A/article[1]", "3:A/article[1]/sec[1]")
    assert kept(run) == [1]  # topic 2 asks for no structure, topic 3 is not known
    assert kept(run, {**TARGETS, "1": pattern("//*", SECTIONS)}) == [0, 1]


@calm
@given(st.lists(st.sampled_from(["/article[1]", "/article[1]/sec[1]", "/article[1]/p[1]"]), min_size=1))
def test_filtering_twice_is_filtering_once(paths: list[str]) -> None:
    strict = [paths[row] for row in kept(a_run(*(f"A{path}" for path in paths)))]
    assert strict == [path for path in paths if path.endswith("sec[1]")]
    if strict:
        assert len(kept(a_run(*(f"A{path}" for path in strict)))) == len(strict)


def test_results_by_offset_need_the_collection(tmp_path: Path) -> None:
    (tmp_path / "A.xml").write_text("<article><sec><p>abc</p></sec><sec>d</sec></article>")
    run = a_run("A[0,3)", "A[0,4)", "A[3,4)", "A[1,3)", "B[0,3)", "A?", "A/article[1]/sec[2]")
    assert kept(run, folder=tmp_path) == [0, 2, 6]
    assert kept(run, {"1": pattern("//article", SECTIONS)}, tmp_path) == [1]
    with pytest.raises(InputError, match=r"5 results without the path of an element.*`collection=DIR`"):
        kept(run)
    assert kept(run, {"1": None}) == [0, 1, 2, 3, 4, 5, 6]


def test_whole_documents_are_their_root_element(tmp_path: Path) -> None:
    (tmp_path / "A.xml").write_text("<article>x</article>")
    file = tmp_path / "run.txt"
    file.write_text("1 Q0 A 1 2.5 trec\n1 Q0 B 2 1.5 trec\n")
    run = read_run(file)
    assert kept(run, {"1": pattern("//article", SECTIONS)}, tmp_path) == [0]
    assert kept(run, TARGETS, tmp_path) == []
    with pytest.raises(InputError, match="2 results without the path"):
        kept(run)


# Written again.

XML = """\
<inex-submission participant-id="9" run-id="r&amp;d" task="VVCAS" query="automatic" result-type="element">
<description>A &lt; B</description>
<topic topic-id="1">
<result><file>A</file><path>/article[1]</path><rsv>3.5</rsv></result>
<result><file>A</file><path>/article[1]/sec[2]</path><rsv>2</rsv></result>
<result><file>A</file><passage start="/article[1]/sec[1]" end="/article[1]/sec[2]"/><rsv>1</rsv></result>
</topic>
<topic topic-id="2">
<result><file>A</file><fol offset="5" length="7"/><rsv>1</rsv></result>
<result><file>B</file><passage start="/article[1]/sec[1]" end="/article[1]/sec[2]"/><rsv>0</rsv></result>
</topic></inex-submission>
"""
TEXT = """\
# a comment
1 Q0 A 1 3.5 run /article[1]
1 Q0 A 2 2.5 run /article[1]/sec[2]\r

2 Q0 A 1 2.5 run /article[1]
"""
JSON = """\
{"topic": "1", "doc": "A", "path": "/article[1]", "score": 2}
{"topic": "2", "doc": "A", "path": "/article[1]", "score": 1, "more": "é"}
"""


@pytest.mark.parametrize(("name", "content"), [("r.xml", XML), ("r.txt", TEXT), ("r.jsonl", JSON)])
def test_rows_are_written_in_the_format_they_came_in(name: str, content: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_bytes(content.encode())
    run = read_run(file)
    out = tmp_path / "out"
    out.mkdir()
    for rows in (range(len(run)), range(1, len(run)), [0]):
        write_rows(run, np.array(rows, dtype=np.int64), str(file), out / name)
        again = read_run(out / name)
        assert (again.id, again.about) == (run.id, run.about)
        everything = list(run)
        ranks = [result._replace(rank=0) for result in again]
        assert ranks == [everything[row]._replace(rank=0) for row in rows]


def test_lines_stay_as_they_are(tmp_path: Path) -> None:
    file = tmp_path / "r.txt"
    file.write_bytes(TEXT.encode())
    write_rows(read_run(file), np.array([1]), str(file), tmp_path / "out.txt")
    assert (tmp_path / "out.txt").read_bytes() == b"1 Q0 A 2 2.5 run /article[1]/sec[2]\n"


def test_results_without_a_score_have_none(tmp_path: Path) -> None:
    file = tmp_path / "r.xml"
    file.write_text(XML.replace("<rsv>3.5</rsv>", ""))
    write_rows(read_run(file), np.array([0]), str(file), tmp_path / "out.xml")
    assert "rsv" not in (tmp_path / "out.xml").read_text()


def test_a_run_that_changed_meanwhile_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "r.txt"
    file.write_text(TEXT)
    run = read_run(file)
    file.write_text("1 Q0 A 1 3.5 run /article[1]\n")
    with pytest.raises(InputError, match="does not have one result per line"):
        write_rows(run, np.array([0]), str(file), tmp_path / "out.txt")
