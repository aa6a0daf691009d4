"""Each reader of the package is fed 150 damaged files: it ends with 0, 1 or 2, and never with a traceback."""

from __future__ import annotations

import io
import re
import tarfile
import zipfile
from collections import Counter
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import pytest

from tests.mutations import mutated

from .conftest import WORKED_QRELS, WORKED_RUN, Command, Write

HANDBOOK = Path(str(files("inexlab") / "handbook"))

WHOLE = """\
<a><t>Wie</t>
<s><p>0123456789</p><p>abc &amp; déf</p></s></a>
"""
XML_RUN = """\
<?xml version="1.0" encoding="UTF-8"?>
<inex-submission participant-id="1" run-id="x" task="Focused" query="automatic">
<topic-fields title="yes"/><description>elements</description>
<topic topic-id="1">
<result><file>A</file><path>/a[1]/s[1]</path><rank>1</rank><rsv>0.9</rsv></result>
<result><file>B</file><fol offset="0" length="9"/><rank>2</rank><rsv>0.8</rsv></result>
<result><file>C</file><passage start="/a[1]/t[1]/text()[1].1" end="/a[1]/s[1]/p[1]"/></result>
</topic></inex-submission>
"""
JSON_RUN = """\
{"topic": "1", "doc": "A", "start": 0, "end": 9, "score": 3.5}
{"topic": "1", "doc": "B", "path": "/a[1]/s[1]", "score": 1e-3}
{"topic": "2", "doc": "C", "start": 4, "end": 9}
"""
JSON_QRELS = """\
{"topic": "1", "doc": "A", "spans": [[0, 9], [12, 14]], "bep": 0, "size": 25, "assessor": {"kind": "model"}}
{"topic": "1", "doc": "B", "spans": [], "size": 25}
{"topic": "2", "doc": "C", "spans": [[4, 9]]}
"""
OF_2002 = """\
<assessments topic="1"><file file="A">
<path path="/a[1]" topicalrelevance="2" coverage="L"/>
<path path="/a[1]/s[1]" topicalrelevance="3" coverage="E"/></file><file file="B"/></assessments>
"""
OF_2004 = """\
<assessments pool='12' query='1'><file file='A'>
<path exhaustiveness='2' specificity='1' path='/a[1]'/>
<path exhaustiveness='2' specificity='3' path='/a[1]/s[1]'/>
<path exhaustiveness='0' specificity='0' path='/a[1]/t[1]'/></file></assessments>
"""
OF_2006 = """\
<?xml version="1.0"?>
<!DOCTYPE assessments SYSTEM "../../assessments.dtd">
<assessments pool="350" topic="1" version="2"><inex_topic query_type="CO+S"/>
<file collection="ieee" name="A"><best-entry-point path="/a[1]/s[1]/p[1]"/>
<passage start="/a[1]/s[1]/p[1]" end="/a[1]/s[1]/p[2]/text()[1].4" size="14"/>
<element path="/a[1]" exhaustivity="2" size="25" rsize="14"/>
<element path="/a[1]/s[1]/p[2]" exhaustivity="?" size="10" rsize="4"/></file></assessments>
"""
SCORES_JSON = """\
[
{"run": "x", "topic": "1", "measure": "MAiP", "value": 0.5},
{"run": "x", "topic": "2", "measure": "MAiP", "value": 0.25},
{"run": "y", "topic": "1", "measure": "MAiP", "value": 0.75},
{"run": "y", "topic": "2", "measure": "MAiP", "value": 1}
]
"""
SCORES_CSV = "topic,x,y\n1,0.5,0.75\n2,0.25,0.5\n3,0.125,1\n"
TREC_EVAL = "map\t1\t0.5\nmap\t2\t0.25\nmap\t3\t0.75\nmap\tall\t0.5\n"
PAIRS = "1 0.5 0.75\n2 0.25 0.5\n3 0.125 1\n"
EVALJ = """\
# EvalJ
TASK: CO.Thorough
METRICS: nxCG, ep/gr, q
ALPHA: 1.0
OVERLAP: off
QUANT_FUNCTIONS: gen, strict
DCV: 10, 25
ASSESSMENTS_DIR: assessments
QUERY_TYPE: CO+S
SUBMISSIONRUNS_DIR: runs
POOLS: 350
"""
QUANTISATION = 'scale = "2005"\n[values]\n"2,1" = 1\n"1,1" = 0.5\n'


@dataclass(frozen=True)
class Reader:
    """A good file, and the command that reads it in the place of `@`."""

    good: str | bytes
    command: str


def _archive(kind: str) -> bytes:
    packed = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("A.xml", WHOLE)
    else:
        with tarfile.open(fileobj=packed, mode="w:xz") as tar:
            member = tarfile.TarInfo("A.xml")
            member.size = len(WHOLE.encode())
            tar.addfile(member, io.BytesIO(WHOLE.encode()))
    return packed.getvalue()


SCORE = "evaluate worked.qrels @ --collection docs -m MAiP -m MAgP(score=BEP,n=500)"
GRADED = "evaluate @ elements.xml --collection docs -m MAep -m precall(quant=gen)"
READERS = {
    "text runs of passages": Reader(WORKED_RUN, SCORE),
    "text runs of elements": Reader("1 Q0 A 1 2 r /a[1]/s[1]\n1 Q0 B 2 1 r /a[1]\n", SCORE),
    "TREC runs": Reader("1 Q0 A 1 2 r\n1 Q0 B 2 1.5 r\n2 Q0 C 1 9 r\n", SCORE),
    "XML runs": Reader(XML_RUN, SCORE),
    "JSON Lines runs": Reader(JSON_RUN, SCORE),
    "qrels": Reader(WORKED_QRELS, "evaluate @ worked.txt -m MAiP -m MAgP(score=BEP,n=500)"),
    "JSON Lines judgements": Reader(JSON_QRELS, "evaluate @ worked.txt -m MAiP"),
    "assessments of 2002": Reader(
        OF_2002, "evaluate @ elements.xml --collection docs -m precall(quant=gen2)"
    ),
    "assessments of 2004": Reader(OF_2004, GRADED),
    "assessments of 2006": Reader(OF_2006, GRADED),
    "documents": Reader(WHOLE, "evaluate worked.qrels elements.xml --collection docs -m MAiP"),
    "zip archives": Reader(_archive("zip"), "evaluate worked.qrels elements.xml --collection @ -m MAiP"),
    "tar archives": Reader(_archive("tar"), "evaluate worked.qrels elements.xml --collection @ -m MAiP"),
    "lists of topics": Reader("1\n2\n# remark\n", "evaluate worked.qrels worked.txt -m MAiP --over @"),
    "quantisations": Reader(QUANTISATION, "evaluate graded elements.xml -m MAep(quant=@.toml,overlap=off)"),
    "EvalJ configurations": Reader(EVALJ, "evaluate --config @"),
    "scores in JSON": Reader(SCORES_JSON, "compare @ --test t"),
    "scores in CSV": Reader(SCORES_CSV, "compare @ --test t"),
    "outputs of trec_eval": Reader(TREC_EVAL, "compare @ other --test t"),
    "pairs of scores": Reader(PAIRS, "ttest @"),
}
CHECKED = ("text runs of elements", "XML runs", "qrels", "assessments of 2006")


@pytest.fixture
def surroundings(write: Write, worked: tuple[str, str]) -> None:
    """What the commands need beside the damaged file."""
    assert worked
    for name in "ABC":
        write(f"docs/{name}.xml", WHOLE)
    write("elements.xml", re.sub("<result>.*(fol|passage).*</result>", "", XML_RUN))
    write("graded", OF_2006)
    write("assessments/pool-350.xml", OF_2006)
    write("runs/run.xml", XML_RUN.replace("Focused", "CO.Thorough"))
    write("other", TREC_EVAL.replace("0.5", "0.7"))


def _place(reader: Reader) -> tuple[str, list[str]]:
    """Return where the damaged file goes, and the command that reads it there."""
    name = "docs/A.xml" if "@" not in reader.command else "bad.toml" if "@.toml" in reader.command else "bad"
    return name, reader.command.replace("@", "bad").split()


@pytest.mark.usefixtures("surroundings")
@pytest.mark.parametrize("name", READERS)
def test_the_undamaged_file_is_read(call: Command, write: Write, name: str) -> None:
    file, command = _place(READERS[name])
    write(file, READERS[name].good)
    done = call(*command)
    assert done.code == 0, done.err


@pytest.mark.usefixtures("surroundings")
@pytest.mark.parametrize("name", READERS)
def test_a_damaged_file_is_read_or_refused(call: Command, write: Write, name: str) -> None:
    good = READERS[name].good
    file, command = _place(READERS[name])
    endings: Counter[int] = Counter()
    for number, content in enumerate(mutated(good.encode() if isinstance(good, str) else good, name)):
        write(file, content)
        done = call(*command)  # an exception that nobody expected would come through here
        assert done.code in (0, 2), f"mutation {number}: {done}"
        if done.code == 2:
            assert done.out == "", f"mutation {number}"
            assert len(done.notes) == 1, f"mutation {number}: {done.err}"
        endings[done.code] += 1
    assert endings.total() == 150
    assert min(endings[0], endings[2]) >= 3, f"too mild or too hard to test anything: {endings}"


@pytest.mark.usefixtures("surroundings")
@pytest.mark.parametrize("name", CHECKED)
def test_a_damaged_file_is_checked(call: Command, write: Write, name: str) -> None:
    good = READERS[name].good
    assert isinstance(good, str)
    endings: Counter[int] = Counter()
    for number, content in enumerate(mutated(good.encode(), name)):
        write("bad", content)
        done = call("check", "bad", "--task", "focused", "--collection", "docs")
        assert done.code in (0, 1, 2), f"mutation {number}: {done}"
        assert (done.code == 2) == ("unreadable: " in done.out), f"mutation {number}"
        endings[done.code] += 1
    assert endings[1] + endings[2] >= 15
