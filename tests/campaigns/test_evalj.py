"""EvalJ's configuration: the listings of Kazai and Lalmas (2005) §6, and what else people may write."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from inexlab.campaigns import preset
from inexlab.campaigns.evalj import EvalJConfiguration, read_configurations
from inexlab.errors import InputError
from inexlab.measures import parse

# As printed, but for the folders: the paper writes both `../` and `.../`, with and without a slash before *.
POOLS = frozenset(
    map(str, (275, 297, 273, 353, 300, 283, 309, 327, 292, 319, 321, 325, 301, 315, 265, 361, 364, 349, 279))
)

CO_FOCUSSED = """\
TASK: CO.Focussed
METRICS: nxCG, ep/gr, q
ALPHA: 1.0
OVERLAP: on
QUANT_FUNCTIONS: gen, strict, genLifted
DCV: 10, 25, 50
ASSESSMENTS_DIR: ../adhoc2005/official/CO+S*/
QUERY_TYPE: CO+S
SUBMISSIONRUNS_DIR: ../inex2005_runs*/
"""
COS_FOCUSSED = """\
TASK: COS.Focussed
METRICS: nxCG, ep/gr, q
ALPHA: 1.0
OVERLAP: on
QUANT_FUNCTIONS: gen, strict, genLifted
DCV: 10, 25, 50
ASSESSMENTS_DIR: ../adhoc2005/official/CO+S/*/
QUERY_TYPE: CO+S
SUBMISSIONRUNS_DIR: ../inex2005_runs/*/
POOLS: 275,297,273,353,300,283,309,327,292,319,321, 325,301,315,265,361,
364,349,279
"""
CO_THOROUGH = """\
TASK: CO.Thorough
METRICS: nxCG, ep/gr, q
ALPHA: 1.0
OVERLAP: off
QUANT_FUNCTIONS: gen, strict, genLifted
DCV: 10, 25, 50
ASSESSMENTS_DIR: ../adhoc2005/official/CO+S/*/
QUERY_TYPE: CO+S
SUBMISSIONRUNS_DIR: ../inex2005_runs/*/
"""
COS_THOROUGH = """\
TASK: COS.Thorough
METRICS: nxCG, ep/gr, q
ALPHA: 1.0
OVERLAP: off
QUANT_FUNCTIONS: gen, strict, genLifted
DCV: 10, 25, 50
ASSESSMENTS_DIR: ../adhoc2005/official/CO+S/*/
QUERY_TYPE: CO+S
SUBMISSIONRUNS_DIR: ../inex2005_runs/*/
POOLS: 275,297,273,353,300,283,309,327,292,319,321,325,301,315,265,361,
364,349,279
"""
CO_FETCH_BROWSE = """\
TASK: CO.FetchBrowse
METRICS: ep/gr
ALPHA: 1.0
OVERLAP: on, off
QUANT_FUNCTIONS: gen, strict, genLifted
DCV: 10, 25, 50
ASSESSMENTS_DIR: ../adhoc2005/official/CO+S/*/
QUERY_TYPE: CO+S
SUBMISSIONRUNS_DIR: ../inex2005_runs/*/
"""
COS_FETCH_BROWSE = """\
TASK: COS.FetchBrowse
METRICS: ep/gr
ALPHA: 1.0
OVERLAP: on, off
QUANT_FUNCTIONS: gen, strict, genLifted
DCV: 10, 25, 50
ASSESSMENTS_DIR: ../adhoc2005/official/CO+S/*/
QUERY_TYPE: CO+S
SUBMISSIONRUNS_DIR: ../inex2005_runs/*/
POOLS: 275,297,273,353,300,283,309,327,292,319,321,325,301,315,265,361,
       364,349,279
"""
SSCAS = """\
TASK: SSCAS #or SVCAS, VSCAS, VVCAS
METRICS: nxCG, ep/gr, q
ALPHA: 1.0
OVERLAP: off
QUANT_FUNCTIONS: gen, strict, genLifted
DCV: 10, 25, 50
ASSESSMENTS_DIR: ../official/SSCAS/ #or .../SVCAS/, .../VSCAS/, .../VVCAS/
QUERY_TYPE: CAS
SUBMISSIONRUNS_DIR: ../inex2005_runs*/
"""
LISTINGS = {
    "CO.Focussed": CO_FOCUSSED,
    "COS.Focussed": COS_FOCUSSED,
    "CO.Thorough": CO_THOROUGH,
    "COS.Thorough": COS_THOROUGH,
    "CO.FetchBrowse": CO_FETCH_BROWSE,
    "COS.FetchBrowse": COS_FETCH_BROWSE,
    "SSCAS": SSCAS,
}

XCG = """\
nxCG(quant=QUANT,overlap=O)@10 nxCG(quant=QUANT,overlap=O)@25 nxCG(quant=QUANT,overlap=O)@50
MAnxCG(quant=QUANT,overlap=O)@10 MAnxCG(quant=QUANT,overlap=O)@25 MAnxCG(quant=QUANT,overlap=O)@50
MAep(quant=QUANT,overlap=O) iMAep(quant=QUANT,overlap=O)
Q(quant=QUANT,overlap=O) R(quant=QUANT,overlap=O)
"""
BROWSING = """\
MAep(quant=QUANT,overlap=on,level=article) iMAep(quant=QUANT,overlap=on,level=article)
MAep(quant=QUANT,overlap=on,level=element) iMAep(quant=QUANT,overlap=on,level=element)
MAep(quant=QUANT,overlap=off,level=article) iMAep(quant=QUANT,overlap=off,level=article)
MAep(quant=QUANT,overlap=off,level=element) iMAep(quant=QUANT,overlap=off,level=element)
"""
MEASURES = {
    "CO.Focussed": XCG.replace("overlap=O", "overlap=on"),
    "COS.Focussed": XCG.replace("overlap=O", "overlap=on"),
    "CO.Thorough": XCG.replace("overlap=O", "overlap=off"),
    "COS.Thorough": XCG.replace("overlap=O", "overlap=off"),
    "CO.FetchBrowse": BROWSING,
    "COS.FetchBrowse": BROWSING,
    "SSCAS": XCG.replace("overlap=O", "overlap=off"),
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The folders that the listings name, and the one beside them that holds the configuration."""
    for name in (
        *("configurations", "adhoc2005/official/CO+S/main", "adhoc2005/official/CO+S/others"),
        *("official/SSCAS", "inex2005_runs/p1", "inex2005_runs/p2", "elsewhere"),
    ):
        (tmp_path / name).mkdir(parents=True)
    return tmp_path


def configuration(home: Path, text: str | bytes) -> EvalJConfiguration:
    file = home / "configurations/evalj.prop"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    [only] = read_configurations(file)
    return only


# The listings.


@pytest.mark.parametrize("task", LISTINGS)
def test_the_measures_of_a_listing(task: str, home: Path) -> None:
    read = configuration(home, LISTINGS[task])
    wanted = [
        name.replace("QUANT", quant)
        for quant in ("gen", "strict", "genLifted")
        for name in MEASURES[task].split()
    ]
    assert read.task == task
    assert sorted(read.measures) == sorted(wanted)


@pytest.mark.parametrize("task", LISTINGS)
def test_a_listing_and_the_preset_of_2005_ask_for_the_same(task: str, home: Path) -> None:
    measures = [parse(name).for_scale("2005") for name in configuration(home, LISTINGS[task]).measures]
    assert sorted(map(str, measures)) == sorted(map(str, preset("inex2005", task).measures))


@pytest.mark.parametrize("task", LISTINGS)
def test_the_topics_of_a_listing(task: str, home: Path) -> None:
    read = configuration(home, LISTINGS[task])
    assert read.pools == (POOLS if task.startswith("COS") else frozenset())
    assert read.query_type == ("CAS" if task == "SSCAS" else "CO+S")


@pytest.mark.parametrize(
    ("task", "assessments", "runs"),
    [
        ("CO.Focussed", ["adhoc2005/official/CO+S"], ["inex2005_runs"]),
        (
            "COS.Focussed",
            ["adhoc2005/official/CO+S/main", "adhoc2005/official/CO+S/others"],
            ["inex2005_runs/p1", "inex2005_runs/p2"],
        ),
        ("SSCAS", ["official/SSCAS"], ["inex2005_runs"]),
    ],
)
def test_the_folders_of_a_listing(task: str, assessments: list[str], runs: list[str], home: Path) -> None:
    read = configuration(home, LISTINGS[task])
    assert [folder.resolve() for folder in read.assessments] == [home / name for name in assessments]
    assert [folder.resolve() for folder in read.runs] == [home / name for name in runs]


# How a file may be written.

SHORT = """\
TASK: SSCAS
METRICS: q
ASSESSMENTS_DIR: ../official/SSCAS
SUBMISSIONRUNS_DIR: ../inex2005_runs
"""


def test_what_is_left_out_takes_its_default(home: Path) -> None:
    read = configuration(home, SHORT)
    assert read.measures == ("Q(quant=gen,overlap=off)", "R(quant=gen,overlap=off)")
    assert (read.pools, read.query_type) == (frozenset(), "")


@pytest.mark.parametrize("key", ["POOLS", "POOL", "pools", "Pool"])
def test_pools_have_two_names_in_the_paper(key: str, home: Path) -> None:
    assert configuration(home, f"{SHORT}{key}: 275, 297\n").pools == {"275", "297"}


@pytest.mark.parametrize(
    "pools",
    [
        "275,297,273",
        "275 297 273",
        "275,297,\n273",
        "275,297\n273",
        "275,\n  297,\n  273",
        "\n275, 297, 273",
        "275, 297, 273 # the first three",
        "275, # the first\n297,\n# and\n\n273",
    ],
)
def test_lists_may_go_on_in_the_next_line(pools: str, home: Path) -> None:
    read = configuration(home, f"POOLS: {pools}\n{SHORT}")
    assert read.pools == {"275", "297", "273"}
    assert read.task == "SSCAS"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(SHORT.replace("\n", "\r\n").encode(), id="CRLF"),
        pytest.param(SHORT.encode("utf-8-sig"), id="byte-order mark"),
        pytest.param(SHORT.replace(": ", " = ").encode(), id="equals signs"),
        pytest.param(SHORT.replace(": ", ":").encode(), id="no space"),
        pytest.param(f"# {SHORT.splitlines()[0]}\n\n{SHORT}# the end".encode(), id="comments"),
        pytest.param(SHORT.replace("TASK", "Task").encode(), id="lower case"),
        pytest.param(SHORT.replace("runs\n", "runs/\n").encode(), id="final slash"),
    ],
)
def test_the_look_of_a_file_does_not_matter(text: bytes, home: Path) -> None:
    assert configuration(home, text) == configuration(home, SHORT)


def test_folders_are_relative_to_the_file_not_to_where_we_are(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home / "configurations")
    Path("evalj.prop").write_text(SHORT)
    [here] = read_configurations("evalj.prop")
    monkeypatch.chdir(home / "elsewhere")
    [there] = read_configurations("../configurations/evalj.prop")
    assert [folder.resolve() for folder in here.runs] == [home / "inex2005_runs"]
    assert [folder.resolve() for folder in there.runs] == [home / "inex2005_runs"]


def test_folders_may_be_absolute(home: Path) -> None:
    text = SHORT.replace("../inex2005_runs", str(home / "inex2005_runs" / "p*"))
    assert configuration(home, text).runs == (home / "inex2005_runs/p1", home / "inex2005_runs/p2")


def test_precall_is_asked_for_once_whatever_the_overlap(home: Path) -> None:
    text = SHORT.replace(
        "METRICS: q", "METRICS: precall\nQUANT_FUNCTIONS: strict, gen, sog\nOVERLAP: on, off"
    )
    assert configuration(home, text).measures == (
        "precall(quant=strict)",
        "precall(quant=gen)",
        "precall(quant=sog)",
    )


@pytest.mark.parametrize(
    ("alpha", "overlap", "measures"),
    [
        ("1.0", "on", {"Q(quant=gen,overlap=on)", "R(quant=gen,overlap=on)"}),
        ("1", "on", {"Q(quant=gen,overlap=on)", "R(quant=gen,overlap=on)"}),
        ("0.8", "on", {"Q(quant=gen,overlap=on,alpha=0.8)", "R(quant=gen,overlap=on,alpha=0.8)"}),
        ("0.8", "off", {"Q(quant=gen,overlap=off)", "R(quant=gen,overlap=off)"}),
    ],
)
def test_alpha_matters_where_overlap_does(alpha: str, overlap: str, measures: set[str], home: Path) -> None:
    read = configuration(home, f"{SHORT}ALPHA: {alpha}\nOVERLAP: {overlap}\n")
    assert {str(parse(name)) for name in read.measures} == measures


def test_every_measure_asked_for_exists(home: Path) -> None:
    text = SHORT.replace(
        "METRICS: q", "METRICS: nxCG, ep/gr, q, precall\nDCV: 1, 1500\nOVERLAP: on, off\nALPHA: .5"
    )
    assert len([parse(name) for name in configuration(home, text).measures]) == 1 + 2 * (4 + 2 + 2)


# Mistakes.


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("TASK: SSCAS\nMETRIC: q\n", 2, "unknown key 'METRIC'; did you mean 'METRICS'?"),
        ("TASK: SSCAS\n\n# x\nDEPTH: 10\n", 4, "unknown key 'DEPTH'"),
        ("just words\n", 1, "'just words' is not KEY: value"),
        (
            SHORT.replace("METRICS: q", "METRICS: ep/gr, nxcg"),
            2,
            "unknown metric 'nxcg'; did you mean 'nxCG'?",
        ),
        (SHORT.replace("METRICS: q", "METRICS: ep"), 2, "unknown metric 'ep'"),
        (
            SHORT.replace("../official/SSCAS", "../official/XSCAS"),
            3,
            "ASSESSMENTS_DIR ../official/XSCAS matches",
        ),
        (SHORT.replace("../inex2005_runs", "*/nowhere/"), 4, "SUBMISSIONRUNS_DIR */nowhere/ matches nothing"),
        (SHORT.replace("../inex2005_runs", ""), 4, "SUBMISSIONRUNS_DIR"),
    ],
)
def test_mistakes_are_said_with_file_and_line(text: str, line: int, problem: str, home: Path) -> None:
    with pytest.raises(InputError) as refusal:
        configuration(home, text)
    assert refusal.value.file == str(home / "configurations/evalj.prop")
    assert refusal.value.line == line
    assert refusal.value.problem.startswith(problem)


@pytest.mark.parametrize("key", ["ASSESSMENTS_DIR", "SUBMISSIONRUNS_DIR"])
def test_a_folder_that_is_not_named_is_missed(key: str, home: Path) -> None:
    lines = [line for line in SHORT.splitlines() if not line.startswith(key)]
    with pytest.raises(InputError, match=rf"evalj\.prop: {key} is missing"):
        configuration(home, "\n".join(lines))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_configurations(tmp_path / "evalj.prop")


@pytest.mark.parametrize(
    ("key", "value", "problem"),
    [
        ("ALPHA", "abc", "ALPHA 'abc' is not a number"),
        ("OVERLAP", "maybe", "unknown overlap 'maybe'"),
        ("METRICS", "", "METRICS is missing"),
        ("DCV", "", "DCV is missing"),
        ("TASK", "", "TASK is missing"),
        ("ASSESSMENTS_DIR", "../w/**x**", "ASSESSMENTS_DIR"),
    ],
)
def test_a_value_that_makes_no_sense_is_refused(key: str, value: str, problem: str, tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    values = {
        "TASK": "CO.Thorough",
        "METRICS": "nxCG",
        "OVERLAP": "on",
        "DCV": "10",
        "ASSESSMENTS_DIR": "runs/",
        "SUBMISSIONRUNS_DIR": "runs/",
        key: value,
    }
    file = tmp_path / "x.prop"
    file.write_text("".join(f"{name}: {given}\n" for name, given in values.items()))
    with pytest.raises(InputError) as caught:
        read_configurations(file)
    assert problem in str(caught.value)


def test_a_pattern_with_a_final_slash_matches_folders_only(tmp_path: Path) -> None:
    for folder in ("assessed", "runs/a", "runs/b"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "runs" / "README.txt").write_text("no run")
    file = tmp_path / "x.prop"
    file.write_text("TASK: T\nMETRICS: q\nASSESSMENTS_DIR: assessed/\nSUBMISSIONRUNS_DIR: runs/*/\n")
    assert [folder.name for folder in read_configurations(file)[0].runs] == ["a", "b"]


def test_a_folder_whose_name_is_too_long_for_the_system_is_said_so(home: Path) -> None:
    text = LISTINGS["CO.Thorough"].replace("ASSESSMENTS_DIR:", f"ASSESSMENTS_DIR: {'x' * 5000}/")
    with pytest.raises(InputError, match=r"ASSESSMENTS_DIR .* is not a folder"):
        configuration(home, text)


def test_a_file_of_several_tasks_is_several_configurations(tmp_path: Path) -> None:
    for folder in ("a", "b", "runs"):
        (tmp_path / folder).mkdir()
    file = tmp_path / "evalj.prop"
    file.write_text(
        "METRICS: nxCG  # the same for all\nSUBMISSIONRUNS_DIR: runs/\nDCV: 10\n"
        "TASK: CO.Thorough\nOVERLAP: off\nASSESSMENTS_DIR: a/\n\n"
        "TASK: CO.Focussed\nOVERLAP: on\nASSESSMENTS_DIR: b/\nDCV: 5,\n  25\n"
    )
    thorough, focussed = read_configurations(file)
    assert (thorough.task, focussed.task) == ("CO.Thorough", "CO.Focussed")
    assert [f.name for c in (thorough, focussed) for f in (*c.assessments, *c.runs)] == [
        "a", "runs", "b", "runs",
    ]  # fmt: skip
    assert thorough.measures == ("nxCG(quant=gen,overlap=off)@10", "MAnxCG(quant=gen,overlap=off)@10")
    assert focussed.measures[:2] == ("nxCG(quant=gen,overlap=on)@5", "nxCG(quant=gen,overlap=on)@25")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "TASK: A\nMETRICS: q\nMETRICS: q\n",
            "line 3: METRICS is given twice for one TASK",
        ),
        ("METRICS: q\nASSESSMENTS_DIR: a/\nSUBMISSIONRUNS_DIR: a/\nTASK: A\nTASK: A\n", "TASK A comes twice"),
        ("METRICS: q\n", "TASK is missing"),
    ],
)
def test_mistakes_of_several_tasks(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "evalj.prop").write_text(text)
    with pytest.raises(InputError, match=re.escape(message)):
        read_configurations(tmp_path / "evalj.prop")
