"""Bad input: one message that names file, line and way out, exit code 2, and never a traceback."""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import WORKED_QRELS, WORKED_RUN, Command, Outcome, Write


def refusal(done: Outcome) -> str:
    """Return the one line that a refused command says."""
    assert done.code == 2, done
    assert done.out == ""
    assert "Traceback" not in done.err
    assert len(done.notes) == 1, done.err
    return done.notes[0]


XML_RUN = """\
<inex-submission participant-id="1" run-id="x" task="Focused">
<topic topic-id="1">
<result><file>A</file><fol offset="0" length="50"/><rsv>1</rsv></result>
</topic>
</inex-submission>
"""
JSON_ROW = '{"topic": "1", "doc": "A", "start": 0, "end": 50}\n'
BINARY = bytes(range(256)) * 4

# What is wrong with the run → content, how the message begins, and the way out it names
BAD_RUNS: dict[str, tuple[str | bytes, str, str]] = {
    "truncated XML": (XML_RUN[:150], "bad, line 3: not well-formed XML", "The file may be truncated."),
    "XML cut before its first element": (
        "<?xml version='1.0'?>\n",
        "bad: is not a run in a known format",
        "Known formats",
    ),
    "mismatched tags": (
        XML_RUN.replace("</topic>", "</tpc>"),
        "bad, line 4: not well-formed XML",
        "mismatched tag",
    ),
    "XML of another kind": (
        "<article>text</article>",
        "bad: is not a run in a known format",
        "Known formats",
    ),
    "XML without run-id": (
        XML_RUN.replace('run-id="x" ', ""),
        "bad, line 1: <inex-submission> without the attribute run-id",
        "Give the run a name.",
    ),
    "XML result without file": (
        XML_RUN.replace("<file>A</file>", ""),
        "bad, line 3: a <result> without <file>",
        "A result is <result><file>, then",
    ),
    "XML result without place": (
        re.sub("<fol.*?/>", "", XML_RUN),
        "bad, line 3: a <result> without <path>, <fol> or <passage>",
        "A result is <result><file>, then",
    ),
    "XML result outside a topic": (
        re.sub("</?topic.*?>", "", XML_RUN),
        "bad, line 3: <result> outside a <topic>",
        "inside <topic topic-id>.",
    ),
    "XML topic without id": (
        XML_RUN.replace('topic-id="1"', ""),
        "bad, line 2: <topic> without the attribute",
        "topic-id",
    ),
    "XML offset not a number": (
        XML_RUN.replace('"0"', '"0x1"'),
        "bad, line 3: offset '0x1' is not a whole number",
        "",
    ),
    "XML offset negative": (
        XML_RUN.replace('"0"', '"-4"'),
        "bad, line 3: offset '-4' is not a whole number",
        "",
    ),
    "XML score not a number": (
        XML_RUN.replace("<rsv>1<", "<rsv>best<"),
        "bad, line 3: <rsv> 'best' is not a number",
        "",
    ),
    "XML without results": (
        re.sub("<result>.*</result>", "", XML_RUN),
        "bad: holds no results",
        "may be truncated",
    ),
    "five columns": ("1 Q0 A 1 3.0\n", "bad, line 1: 5 columns, expected 6, 7 or 8", "Columns are: topic Q0"),
    "nine columns": (
        "# a remark\n\n1 Q0 A 1 3.0 r 0 50 9\n",
        "bad, line 3: 9 columns, expected 6, 7 or 8",
        "Columns are: topic Q0",
    ),
    "a line with fewer columns": (
        WORKED_RUN + "1 Q0 A 4 1 worked 9\n",
        "bad, line 4: 7 columns, expected 8",
        "Columns are:",
    ),
    "a line with more columns": (
        WORKED_RUN + "1 Q0 A 4 1 worked 9 9 9\n",
        "bad, line 4: 9 columns, expected 8",
        "Columns are:",
    ),
    "offset not a number": (
        "1 Q0 A 1 3 r O 50\n",
        "bad, line 1: offset 'O' is not a whole number",
        "Columns 7 and 8",
    ),
    "offset with a point": (
        "\n1 Q0 A 1 3 r 1.5 50\n",
        "bad, line 2: offset '1.5' is not a whole number",
        "Columns 7 and 8",
    ),
    "offset negative": ("1 Q0 A 1 3 r -2 50\n", "bad, line 1: offset '-2' is negative", "Columns 7 and 8"),
    "length not a number": (
        WORKED_RUN + "1 Q0 A 4 1 worked 9 x\n",
        "bad, line 4: length 'x' is not a whole",
        "Columns 7 and 8",
    ),
    "length negative": (
        WORKED_RUN + "1 Q0 A 4 1 worked 9 -9\n",
        "bad, line 4: length '-9' is negative",
        "Columns 7 and 8",
    ),
    "length too large": (f"1 Q0 A 1 3 r 0 {10**20}\n", "bad, line 1: length", "Columns 7 and 8"),
    "path without slash": (
        "1 Q0 A 1 3 r article[1]\n",
        "bad, line 1: offset 'article[1]'",
        "Column 7 is an XPath",
    ),
    "score not a number": (
        "1 Q0 A 1 high r 0 50\n",
        "bad, line 1: score 'high' in column 5 is not a number",
        "Columns are: topic Q0 doc rank score run-id",
    ),
    "two run ids": (
        WORKED_RUN + "1 Q0 A 4 1 other 90 9\n",
        "bad, line 4: run id 'other' after 'worked'",
        "split it",
    ),
    "not UTF-8": (
        b"1 Q0 A 1 1 r 0 9\n1 Q0 \xff 2 1 r 0 9\n",
        "bad, line 2: is not UTF-8",
        "Convert the file",
    ),
    "JSON cut off": (JSON_ROW + JSON_ROW[:20], "bad, line 2: is not JSON", "One object per line."),
    "JSON that is not an object": (
        JSON_ROW + "[1, 2]\n",
        "bad, line 2: is not a JSON object",
        "One object per line.",
    ),
    "JSON without doc": (
        '{"topic": "1", "start": 0}\n',
        "bad, line 1: 'doc' is missing",
        "Found: topic, start.",
    ),
    "JSON offset as text": (
        JSON_ROW.replace("0,", '"0",'),
        "bad, line 1: 'start' is '0', expected a whole number of characters.",
        "",
    ),
    "JSON offset negative": (
        JSON_ROW.replace("0,", "-1,"),
        "bad, line 1: 'start' is '-1', expected a whole number of characters.",
        "",
    ),
    "JSON lone surrogate": (
        JSON_ROW.replace('"A"', '"\\ud800"'),
        "bad, line 1: 'doc' is '\\ud800', which contains a lone surrogate.",
        "",
    ),
    "JSON number of 5,000 digits": (JSON_ROW.replace("50", "9" * 5000), "bad, line 1: is not JSON (", ""),
    "offset of 5,000 digits": (
        f"1 Q0 A 1 3 r {'9' * 5000} 5\n",
        "bad, line 1: offset '999",
        "Columns 7 and 8",
    ),
    "two submissions": (
        f"<runs>{XML_RUN}{XML_RUN}</runs>",
        "bad, line 6: a second <inex-submission>.",
        "One file holds one run: split it.",
    ),
    "XML in an encoding of another planet": (
        "<?xml version='1.0' encoding='klingon'?>" + XML_RUN,
        "bad, line 1: declares the unknown encoding 'klingon'.",
        "Correct the encoding",
    ),
    "JSON end before start": (
        JSON_ROW.replace("0,", "60,"),
        "bad, line 1: [60, 50) is not a span",
        "0 <= start <= end",
    ),
    "JSON score as text": (
        JSON_ROW.replace("}", ', "score": "x"}'),
        "bad, line 1: 'score' is 'x'",
        "expected a number",
    ),
    "empty": ("", "bad: is empty", "may be truncated"),
    "blank": (" \n\n\t\n", "bad: is empty", "may be truncated"),
    "comments only": ("# nothing\n# here\n", "bad: holds no results", "may be truncated"),
    "binary": (BINARY, "bad: is binary, not text", "Give the text file"),
    "binary, zipped": (gzip.compress(BINARY), "bad: is binary, not text", "Give the text file"),
    "gzip cut off": (
        gzip.compress(WORKED_RUN.encode())[:-12],
        "bad: damaged gzip file",
        "Download or create it again.",
    ),
    "gzip flipped": (
        gzip.compress(WORKED_RUN.encode())[:10] + b"\xff\xff\xff\xff",
        "bad: damaged gzip file",
        "Download",
    ),
}


@pytest.mark.parametrize("kind", BAD_RUNS)
def test_bad_run(call: Command, write: Write, kind: str) -> None:
    content, beginning, way_out = BAD_RUNS[kind]
    shown = refusal(call("evaluate", write("q", WORKED_QRELS), write("bad", content), "-o", "json"))
    assert shown.startswith(beginning)
    assert way_out in shown


JSON_JUDGEMENT = '{"topic": "1", "doc": "A", "spans": [[0, 60]], "bep": 0, "size": 100}\n'

BAD_JUDGEMENTS: dict[str, tuple[str | bytes, str, str]] = {
    "duplicate": (
        WORKED_QRELS + "1 Q0 B 9 100 0 0:9\n",
        "bad, line 4: document B is judged a second time for topic 1",
        "Keep one line.",
    ),
    "four columns": (
        "1 Q0 A 0\n",
        "bad, line 1: is not judgements in a known format",
        "topic Q0 doc rsize docsize",
    ),
    "a line with four columns": (
        WORKED_QRELS + "1 Q0 D 0\n",
        "bad, line 4: 4 columns, expected 5",
        "Columns are:",
    ),
    "a line with six columns": (
        WORKED_QRELS + "1 Q0 D 9 100 0\n",
        "bad, line 4: 6 columns, expected 5",
        "Columns are:",
    ),
    "rsize not a number": (
        WORKED_QRELS + "1 Q0 D nine 100\n",
        "bad, line 4: rsize 'nine' is not a whole number",
        "Columns are: topic Q0 doc rsize docsize",
    ),
    "docsize not a number": (
        WORKED_QRELS + "1 Q0 D 0 1e3\n",
        "bad, line 4: docsize '1e3' is not a whole number",
        "",
    ),
    "bep not a number": (
        WORKED_QRELS + "1 Q0 D 9 100 - 0:9\n",
        "bad, line 4: best entry point '-' is not a whole number",
        "",
    ),
    "passage offset": (
        WORKED_QRELS + "1 Q0 D 9 100 0 x:9\n",
        "bad, line 4: offset 'x' is not a whole number",
        "",
    ),
    "passage length": (
        WORKED_QRELS + "1 Q0 D 9 100 0 0:-9\n",
        "bad, line 4: length '-9' is not a whole number",
        "",
    ),
    "passage without colon": (
        WORKED_QRELS + "1 Q0 D 9 100 0 0-9\n",
        "bad, line 4: passage '0-9' is not offset:length",
        "bep offset:length",
    ),
    "relevant without passages": (
        WORKED_QRELS + "1 Q0 D 9 100\n",
        "bad, line 4: rsize is 9 but no passages follow",
        "or write rsize 0",
    ),
    "not UTF-8": (
        WORKED_QRELS.encode() + b"1 Q0 \xe9 0 100\n",
        "bad, line 4: is not UTF-8",
        "Convert the file.",
    ),
    "XML": ("<assessments/>", "bad, line 1: is not judgements in a known format", "Known formats"),
    "a run": (WORKED_RUN, "bad, line 1: is not judgements in a known format", "Known formats"),
    "JSON twice": (
        JSON_JUDGEMENT * 2,
        "bad, line 2: document A is judged a second time for topic 1",
        "Keep one line.",
    ),
    "JSON without spans": (
        '{"topic": "1", "doc": "A"}\n',
        "bad, line 1: 'spans' is missing",
        "[] means judged",
    ),
    "JSON span backwards": (
        JSON_JUDGEMENT.replace("0, 60", "60, 0"),
        "bad, line 1: [60, 0] is not a span",
        "0 <= start <= end",
    ),
    "JSON bep as text": (
        JSON_JUDGEMENT.replace('"bep": 0', '"bep": "0"'),
        "bad, line 1: 'bep' is '0'",
        "whole number",
    ),
    "empty": ("", "bad: is empty", "may be truncated"),
    "comments only": ("# nothing\n", "bad, line 1: is not judgements in a known format", "Known formats"),
    "binary": (BINARY, "bad: is binary, not text", "Give the text file"),
}


@pytest.mark.parametrize("kind", BAD_JUDGEMENTS)
def test_bad_judgements(call: Command, write: Write, kind: str) -> None:
    content, beginning, way_out = BAD_JUDGEMENTS[kind]
    shown = refusal(call("evaluate", write("bad", content), write("r", WORKED_RUN), "-o", "json"))
    assert shown.startswith(beginning)
    assert way_out in shown


A_FOLDER = "folder: is a folder where a file is expected. Give a file in it."
NOWHERE = "nowhere: no such file. Check the name and the folder."


@pytest.mark.parametrize(
    ("place", "name", "problem"),
    [
        ("run", "folder", "folder/file: is empty. The file may be truncated."),
        ("run", "empty", "empty: is an empty folder. Give the folder of the run files."),
        ("topics", "folder", A_FOLDER),
        ("judgements", "empty", "empty: is an empty folder. Give the folder of the assessment files."),
        ("judgements", "folder", "folder/file: is empty. The file may be truncated."),
        ("judgements", "nowhere", NOWHERE),
        ("run", "nowhere", NOWHERE),
        ("topics", "nowhere", "--over nowhere must be judged, run or a file of topic ids."),
    ],
)
def test_no_such_file(
    inexlab: Command, write: Write, tmp_path: Path, place: str, name: str, problem: str
) -> None:
    write("folder/file", "")
    (tmp_path / "empty").mkdir()
    files = {"judgements": write("q", WORKED_QRELS), "run": write("r", WORKED_RUN), "topics": "judged"}
    files[place] = name
    done = inexlab("evaluate", files["judgements"], files["run"], "--over", files["topics"])
    assert refusal(done) == problem


# What is asked for → the options, and the message
UNKNOWN = {
    "measure": (("-m", "MAiQ"), "unknown measure 'MAiQ'; did you mean 'MAiP'? Known: "),
    "measure in other letters": (("-m", "magp"), "unknown measure 'magp'; did you mean 'MAgP'? Known: "),
    "measure like no other": (("-m", "qqqq"), "unknown measure 'qqqq'. Known: "),
    "parameter": (
        ("-m", "MAgP(bta=1)"),
        "unknown parameter of MAgP 'bta'; did you mean 'beta'? Known: score, beta",
    ),
    "parameter of a plain measure": (("-m", "MAiP(beta=1)"), "unknown parameter of MAiP 'beta'."),
    "parameter value": (
        ("-m", "MAgP(score=BPE)"),
        "unknown score of MAgP 'BPE'; did you mean 'BEP'? Known: F, BEP, T2I.",
    ),
    "parameter of another score": (("-m", "MAgP(score=F,n=500)"), "n of MAgP needs score=BEP."),
    "parameter twice": (("-m", "MAgP(beta=1,beta=2)"), "'beta=2' of MAgP is not understood"),
    "parameter not a number": (("-m", "MAgP(beta=x)"), "beta=x of MAgP is not a number of at least 0."),
    "parameter too small": (
        ("-m", "MAgP(score=BEP,n=0)"),
        "n=0 of MAgP is not a whole number of at least 1.",
    ),
    "alpha above 1": (
        ("-m", "HiXEvalP(alpha=2)"),
        "alpha=2 of HiXEvalP is not a number of at least 0 and at most 1.",
    ),
    "cut-off missing": (("-m", "iP"), "iP needs a cut-off, for example iP@0.01."),
    "cut-off too many": (("-m", "MAiP@10"), "MAiP takes no cut-off, so not 'MAiP@10'."),
    "recall level": (("-m", "iP@1.5"), "the recall level of iP@1.5 is not a number from 0 to 1."),
    "rank": (("-m", "gR@0"), "the rank of gR@0 is not a whole number from 1 to 1,000,000."),
    "no name at all": (("-m", "@10"), "'@10' is not a measure; write NAME"),
    "output format": (("-o", "jsn"), "unknown output format 'jsn'; did you mean 'json'? Known: table, json"),
    "input format": (("--input-format", "txt"), "unknown run format 'txt'; did you mean 'text'? Known: "),
    "campaign": (
        ("--campaign", "inex209", "--task", "focused"),
        "unknown campaign 'inex209'; did you mean 'inex2009'?",
    ),
    "task": (
        ("--campaign", "inex2009", "--task", "focussed"),
        "unknown task of inex2009 'focussed'; did you mean 'focused'?",
    ),
    "task alone": (("--task", "focused"), "--task needs --campaign, for example --campaign inex2009."),
    "policy": (
        ("--policy", "limits=5"),
        "unknown policy 'limits'; did you mean 'limit'? Known: limit, order, seen_text",
    ),
    "policy value": (
        ("--policy", "beyond=lst"),
        "unknown value for policy beyond 'lst'; did you mean 'last'? Known: rank, last.",
    ),
    "policy number": (
        ("--policy", "limit=many"),
        "policy 'limit=many' is not understood; write limit= and a whole number.",
    ),
    "policy number with a little 2": (
        ("--policy", "limit=²"),
        "policy 'limit=²' is not understood; write limit= and a whole number.",
    ),
    "policy number of 5,000 digits": (("--policy", f"limit={'9' * 5000}"), "policy 'limit=999"),
    "quantisation": (("-m", "nxCG(quant=gne)@10"), "unknown quantisation 'gne'; did you mean 'gen'?"),
    "quantisation option": (
        ("-m", "nxCG(quant=binExh(min_size=²))@10"),
        "'min_size=²' of quantisation binExh is not understood; write min_size=NUMBER.",
    ),
    "curve of a measure without one": (
        ("-m", "MAiP@*"),
        "MAiP has no curve, so not 'MAiP@*'; those with one: ",
    ),
    "policy without value": (
        ("--policy", "beyond"),
        "policy 'beyond' is not understood; write beyond= and rank or last.",
    ),
    "collection": (("--collection", "nowhere"), "nowhere: no such folder or archive. Check the name"),
    "collection of another kind": (("--collection", "r"), "r: is neither a folder nor a zip or tar archive."),
    "collection without documents": (
        ("--collection", "empty"),
        "empty: holds no documents (XML, HTML, Markdown or text). Give the folder that has them.",
    ),
}


@pytest.mark.parametrize("kind", UNKNOWN)
def test_unknown_names_and_values(call: Command, write: Write, kind: str) -> None:
    options, beginning = UNKNOWN[kind]
    write("empty/style.css", "no documents")
    shown = refusal(call("evaluate", write("q", WORKED_QRELS), write("r", WORKED_RUN), *options))
    assert shown.startswith(beginning)


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (("evaluate", "q", "r", "--limit", "few"), "Invalid value for '--limit'"),
        (("evaluate", "q", "r", "--limit", "²"), "Invalid value for '--limit'"),
        (("evaluate", "q", "r", "--limit", "-1"), "Invalid value for '--limit'"),
        (("evaluate", "q", "r", "-m"), "Option '-m' requires an argument"),
        (("evalute",), "No such command 'evalute'. Did you mean 'evaluate'?"),
        (("demo", "--output", "x"), "No such option: --output"),
        (("explain",), "Missing argument 'JUDGEMENTS RUN'"),
    ],
)
def test_a_command_that_cannot_be_used_exits_2(
    inexlab: Command, arguments: tuple[str, ...], shown: str
) -> None:
    message = refusal(inexlab(*arguments))
    assert message.startswith(shown)
    assert message.endswith(" Try --help.")


@pytest.mark.parametrize("arguments", [(), ("q",)])
def test_evaluate_without_judgements_or_runs_says_what_to_give(
    inexlab: Command, arguments: tuple[str, ...]
) -> None:
    assert refusal(inexlab("evaluate", *arguments)) == (
        "give judgements and at least one run, or a --campaign-file."
    )


def test_paths_need_the_collection(inexlab: Command, write: Write) -> None:
    run = write("bad", "1 Q0 A 1 1 r /article[1]/p[2]\n")
    shown = refusal(inexlab("evaluate", write("q", WORKED_QRELS), run))
    assert shown == (
        "bad: returns paths such as /article[1]/p[2], and the text of document A is not known. "
        "Give --collection DIR."
    )


def test_whole_documents_need_a_length(inexlab: Command, write: Write) -> None:
    shown = refusal(inexlab("evaluate", write("q", WORKED_QRELS), write("bad", "1 Q0 Z 1 1 r\n")))
    assert shown.startswith("bad: returns whole documents, and the length of document Z is not known.")


def test_a_document_that_is_not_xml(inexlab: Command, write: Write) -> None:
    write("docs/A.xml", "<article>\n<p>text</article>")
    run = write("r", "1 Q0 A 1 1 r /article[1]\n")
    shown = refusal(inexlab("evaluate", write("q", WORKED_QRELS), run, "--collection", "docs"))
    assert shown == "docs/A.xml, line 2: not well-formed XML (mismatched tag)."


def test_two_documents_with_one_id(inexlab: Command, write: Write) -> None:
    write("docs/1/A.xml", "<a/>")
    write("docs/2/A.xml", "<a/>")
    done = inexlab("evaluate", write("q", WORKED_QRELS), write("r", WORKED_RUN), "--collection", "docs")
    assert done.code == 0
    assert done.notes[0].startswith("docs/1/A.xml and docs/2/A.xml are both called 'A': ids of documents are")


def test_a_good_run_before_a_bad_one_prints_nothing(inexlab: Command, write: Write) -> None:
    runs = write("good", WORKED_RUN), write("bad", "1 Q0 A 1 3 r O 50\n")
    assert refusal(inexlab("evaluate", write("q", WORKED_QRELS), *runs)).startswith("bad, line 1: ")


def test_an_external_entity_is_not_fetched(inexlab: Command, write: Write, tmp_path: Path) -> None:
    write("secret.txt", "s" * 500)
    entity = f'<!DOCTYPE a [<!ENTITY x SYSTEM "{(tmp_path / "secret.txt").as_uri()}">]>'
    write("docs/A.xml", f"{entity}<a>12345&x;</a>")
    run = write("r", "1 Q0 A 1 1 r /a[1]\n")
    done = inexlab(
        "evaluate", write("q", WORKED_QRELS), run, "--collection", "docs", "-m", "ret_size", "-o", "json"
    )
    assert done.code == 0
    assert json.loads(done.out)[0]["value"] <= 6  # the text around the reference, not the 500 characters


def test_an_entity_bomb_is_refused(inexlab: Command, write: Write) -> None:
    levels = "".join(f'<!ENTITY e{i} "{f"&e{i - 1};" * 10}">' for i in range(1, 12))
    write("docs/A.xml", f'<!DOCTYPE a [<!ENTITY e0 "{"x" * 100}">{levels}]><a>&e11;</a>')
    run = write("r", "1 Q0 A 1 1 r /a[1]\n")
    shown = refusal(inexlab("evaluate", write("q", WORKED_QRELS), run, "--collection", "docs"))
    assert shown.startswith("docs/A.xml")


# --- damaged files: 60 mutations of each file of the handbook ---------------------------------------------


def _truncate(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data))]


def _flip(data: bytes, chance: random.Random) -> bytes:
    damaged = bytearray(data)
    for _ in range(chance.randint(1, 5)):
        damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
    return bytes(damaged)


def _nul(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data))
    return data[:at] + b"\0" * chance.randint(1, 3) + data[at:]


def _repeat_line(data: bytes, chance: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    at = chance.randrange(len(lines))
    return b"".join([*lines[:at], lines[at], *lines[at:]])


def _delete_line(data: bytes, chance: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    del lines[chance.randrange(len(lines))]
    return b"".join(lines)


def _swap_columns(data: bytes, chance: random.Random) -> bytes:
    lines = data.splitlines()
    at = chance.randrange(len(lines))
    columns = lines[at].split() or [b""]
    i, j = chance.randrange(len(columns)), chance.randrange(len(columns))
    columns[i], columns[j] = columns[j], columns[i]
    return b"\n".join([*lines[:at], b" ".join(columns), *lines[at + 1 :]])


MUTATIONS: list[Callable[[bytes, random.Random], bytes]] = [
    _truncate,
    _flip,
    _nul,
    _repeat_line,
    _delete_line,
    _swap_columns,
]
HANDBOOK_FILES = [
    "judgements.qrels",
    "runs/best-in-context.txt",
    "runs/focused-articles.txt",
    "runs/focused-chunks.jsonl",
    "runs/focused-paragraphs.txt",
    "runs/focused-sections.txt",
    "runs/in-context.xml",
]


@pytest.mark.compiled
@pytest.mark.parametrize("file", HANDBOOK_FILES)
def test_damaged_files_are_scored_or_refused(call: Command, write: Write, handbook: Path, file: str) -> None:
    """A damaged file is either scored with numbers in range or refused by name, compiled or not."""
    chance = random.Random(file)
    original = (handbook / file).read_bytes()
    judgements = "damaged" if file.endswith("qrels") else handbook / "judgements.qrels"
    run = handbook / "runs/focused-sections.txt" if file.endswith("qrels") else "damaged"
    arguments = ("evaluate", judgements, run, "-m", "MAiP", "-m", "MAgP(score=BEP,n=500)", "-o", "json")
    endings = {0: 0, 2: 0}
    for number in range(60):
        write("damaged", MUTATIONS[number % len(MUTATIONS)](original, chance))
        done = call(*arguments, "--collection", handbook / "articles", env={"INEXLAB_COMPILED": "never"})
        compiled = call(*arguments, "--collection", handbook / "articles", env={"INEXLAB_COMPILED": "always"})
        assert compiled == done, f"mutation {number}"
        assert done.code in endings, f"mutation {number}: {done}"
        endings[done.code] += 1
        if done.code == 0:
            values = [row["value"] for row in json.loads(done.out)]
            assert len(values) == 2
            assert all(value is None or 0 <= value <= 1 for value in values), f"mutation {number}"
        else:
            assert refusal(done).startswith("damaged"), f"mutation {number}"
    assert min(endings.values()) >= 10, "the damage is too mild or too hard to test anything"
