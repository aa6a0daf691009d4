"""Assessments that are written are read again as they were."""

from __future__ import annotations

from pathlib import Path

import pytest

from inexlab.judgements import Judgements, read_judgements
from inexlab.judgements.formats.write_assessments import write_assessments
from tests.judgements.test_assessments import assessed, documents

OF_2002 = '<path path="/a[1]" topicalrelevance="2" coverage="L"/>'
OF_2004 = """\
<path path="/a[1]" exhaustiveness="2" specificity="3"/>
<path path="/a[1]/b[2]" exhaustiveness="0" specificity="0"/>
"""
OF_2005 = """\
<best-entry-point path="/a[1]/b[1]"/><passage start="/a[1]" end="/a[1]/b[2]/text()[1].7" size="9"/>
<element path="/a[1]" exhaustivity="2" size="90" rsize="30"/>
<element path="/a[1]/b[1]" exhaustivity="?" size="9" rsize="9"/>
<element path="/a[1]/b[2]" exhaustivity="0" size="5" rsize="0"/>
"""


def read(folder: Path, *topics: str) -> Judgements:
    folder.mkdir()
    for number, topic in enumerate(topics):
        (folder / f"{number}.xml").write_text(topic)
    return read_judgements(folder)


@pytest.mark.parametrize("elements", [OF_2002, OF_2004, OF_2005], ids=["2002", "2004", "2005"])
def test_every_scale(elements: str, tmp_path: Path) -> None:
    one = f'<assessments topic="1"><file name="x/y &amp; z">{elements}</file><file name="w"/></assessments>'
    two = f'<assessments topic="a/b"><file name="w">{elements}</file></assessments>'
    judged = read(tmp_path / "in", one, two, '<assessments topic="3"></assessments>')
    out = tmp_path / "out"
    out.mkdir()
    files = write_assessments(judged, out)
    assert [file.name for file in files] == ["1.xml", "3.xml", "a%2Fb.xml"]
    again = read_judgements(out)
    assert assessed(again) == assessed(judged)
    assert documents(again) == documents(judged)
    assert again.passages == judged.passages
    assert list(again.topics) == ["1", "3", "a/b"]
    assert again.elements is not None
    assert judged.elements is not None
    assert again.elements.scale == judged.elements.scale


def test_judgements_without_elements(tmp_path: Path) -> None:
    judged = read(tmp_path / "in", '<assessments topic="1"><file name="w"/></assessments>')
    (file,) = write_assessments(judged, tmp_path)
    assert documents(read_judgements(file)) == [("1", "w")]
