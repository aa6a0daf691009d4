"""The package of `docs/extending.md`, built and installed: what it adds shows up wherever ours does."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

pytest.importorskip("altair", reason="figures need the extra `figures`")
pytest.importorskip("vl_convert", reason="figures need the extra `figures`")

from tests.plug_ins.installing import ROOT, Outcome, files_of_page, install, run_commands

RUN = "#run\n1,A,0,50,2.5\n1,C,0,100,1\n"
OVERLAPPING = "#run\n1,A,0,50,2.5\n1,A,40,60,1\n"
JUDGED = "#judged\n1,A,0,60,100\n"
SCORES = "topic,a,b\n" + "".join(f"{t},{0.5 + t % 4 / 10},{0.4 + t % 3 / 10}\n" for t in range(12))
MINUTES = "<minutes><subject>Pooling of runs</subject><p>We judged the pool.</p></minutes>"
CAMPAIGN = str(ROOT / "src/inexlab/handbook/campaign.toml")
SEARCH = ("search", "index", "judged pool", "--by", "elements:*", "-o", "json")

COMMANDS: dict[str, tuple[str, ...]] = {
    "measures": ("measures",),
    "manual page": ("measures", "SpanG"),
    "formats": ("formats", "-o", "csv"),
    "profiles": ("profiles",),
    "help of evaluate": ("evaluate", "--help"),
    "help of check": ("check", "--help"),
    "help of compare": ("compare", "--help"),
    "help of plot": ("plot", "--help"),
    "help of search": ("search", "--help"),
    "help of index": ("index", "--help"),
    "explained tests": ("compare", "--test", "help"),
    "explained models": ("search", "index", "x", "--model", "help"),
    "explained figures": ("plot", "help"),
    "check": ("check", "mine.csv", "mine.judged", "--judgements", "mine.judged", "-o", "csv"),
    "check a bad run": ("check", "bad.csv", "--task", "focused", "-o", "csv"),
    "evaluate": ("evaluate", "mine.judged", "mine.csv", "-m", "SpanG", "-m", "SpanG@1", "-o", "json"),
    "forced": ("evaluate", "mine.judged", "mine.csv", "-m", "SpanG", "--input-format", "csv-run"),
    "convert": ("convert", "mine.csv", "--to", "jsonl", "--out", "-"),
    "convert judgements": ("convert", "mine.judged", "--to", "qrels", "--out", "-"),
    "compare": ("compare", "scores.csv", "--test", "z", "--baseline", "a"),
    "stability": ("stability", "scores.csv", "--splits", "2", "--resamples", "50", "-o", "csv"),
    "report": (
        *("report", "--campaign-file", CAMPAIGN, "--task", "focused"),
        *("--test", "z", "--resamples", "50", "--out", "report.html"),
    ),
    "plot": ("plot", "spread", "scores.csv", "--out", "spread.svg"),
    "index": ("index", "minutes", "--out", "index"),
    "search": (*SEARCH, "--model", "matching"),
    "run": (*("run", "index", "--topics", "topics.jsonl"), "--model", "matching(bonus=0.5)", "--out", "-"),
    "collection": (
        "evaluate",
        "q.jsonl",
        "r.jsonl",
        "--collection",
        "all.boxed",
        "-m",
        "SpanG",
        "-o",
        "json",
    ),
}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the installed package."""
    target = tmp_path_factory.mktemp("installed")
    install(files_of_page("extending.md"), tmp_path_factory.mktemp("project"), target)
    return target


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that commands run in."""
    return tmp_path_factory.mktemp("work")


@pytest.fixture(scope="module")
def outcomes(installed: Path, work: Path) -> Mapping[str, Outcome]:
    """How every command ended, where the package is installed."""
    result = {"topic": "1", "doc": "A", "path": "/minutes[1]/p[1]", "score": 1}
    spans = {"topic": "1", "doc": "A", "spans": [[15, 24]], "bep": None, "size": 34}
    for name, content in {
        "mine.csv": RUN,
        "bad.csv": OVERLAPPING,
        "mine.judged": JUDGED,
        "scores.csv": SCORES,
        "minutes/A.xml": MINUTES,
        "all.boxed": f"A\t{MINUTES}\n",
        "topics.jsonl": json.dumps({"id": "1", "title": "judged pool"}) + "\n",
        "q.jsonl": json.dumps(spans) + "\n",
        "r.jsonl": json.dumps(result) + "\n",
    }.items():
        (work / name).parent.mkdir(exist_ok=True)
        (work / name).write_text(content, encoding="utf-8")
    ended = run_commands(list(COMMANDS.values()), installed, work)
    assert (work / "spread.svg").exists(), ended[list(COMMANDS).index("plot")]
    return dict(zip(COMMANDS, ended, strict=True))


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_works(outcomes: Mapping[str, Outcome], command: str) -> None:
    done = outcomes[command]
    assert done.code == (1 if command == "check a bad run" else 0), done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("measures", "SpanG[@10]"),
        ("manual page", "Harmonic mean of SpanP and SpanR"),
        ("formats", "runs,csv-run,csv-run,no"),
        ("formats", "judgements,csv-judged,csv-judged,no"),
        ("profiles", "minutes"),
        ("help of evaluate", "csv-run"),
        ("help of check", "csv-run"),
        ("help of check", "csv-judged"),
        ("help of compare", " or z;"),
        ("help of plot", "spread"),
        ("help of search", "matching"),
        ("help of index", "minutes"),
        ("explained tests", "The mean difference over its standard error"),
        ("explained models", "How many words of the query"),
        ("explained figures", "From the lowest to the highest"),
    ],
)
def test_the_name_is_shown(outcomes: Mapping[str, Outcome], command: str, name: str) -> None:
    assert name in re.sub(r"[\s│]+", " ", outcomes[command].out)


def test_runs_and_judgements_are_checked(outcomes: Mapping[str, Outcome]) -> None:
    assert "2 files checked" in outcomes["check"].err
    _header, problem = outcomes["check a bad run"].out.splitlines()
    assert problem.startswith('bad.csv,,overlap,error,"topic 1, result 2: ')


def test_scores_are_the_measure_s(outcomes: Mapping[str, Outcome]) -> None:
    found = {r["measure"]: r["value"] for r in json.loads(outcomes["evaluate"].out) if r["topic"] == "all"}
    p, r = 50 / 150, 50 / 60
    assert found == {"SpanG": pytest.approx((p * r) ** 0.5), "SpanG@1": pytest.approx(r**0.5)}


def test_files_are_converted(outcomes: Mapping[str, Outcome]) -> None:
    first = json.loads(outcomes["convert"].out.splitlines()[0])
    assert first == {"topic": "1", "doc": "A", "start": 0, "end": 50, "score": 2.5}
    assert outcomes["convert judgements"].out.split()[:2] == ["1", "Q0"]


def test_systems_are_compared_by_the_test(outcomes: Mapping[str, Outcome]) -> None:
    assert "paired z-test, one-tailed" in outcomes["compare"].out
    assert re.search(r"\bz\b.*\badjusted p\b", outcomes["compare"].out)
    assert "z,none" in outcomes["stability"].out


def test_the_model_ranks(outcomes: Mapping[str, Outcome]) -> None:
    best = json.loads(outcomes["search"].out)[0]
    # both words, of which one is there twice (pooling and pool have one stem)
    assert (best["path"], best["score"]) == ("/minutes[1]", pytest.approx(2 + 3 * 0.001))
    assert "matching(bonus=0.5)" in outcomes["run"].out


def test_the_profile_is_found_by_the_root(outcomes: Mapping[str, Outcome]) -> None:
    assert "minutes" in outcomes["index"].err + outcomes["index"].out


def test_a_collection_is_opened(outcomes: Mapping[str, Outcome]) -> None:
    (found,) = (r["value"] for r in json.loads(outcomes["collection"].out) if r["topic"] == "all")
    assert found == pytest.approx(2 * (9 / 19) / (1 + 9 / 19))


def test_the_figure_is_on_the_page(outcomes: Mapping[str, Outcome], work: Path) -> None:
    assert outcomes["report"].code == 0
    page = (work / "report.html").read_text(encoding="utf-8")
    assert '"id":"figure-spread","short":"Spread","heading":"From the lowest to the highest score' in page


def test_help_loads_neither_plug_ins_nor_numpy(installed: Path, tmp_path: Path) -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(installed)!r})\n"
        "from inexlab.cli.listed import LISTS, names_of\n"
        "names = [name for listed in (*LISTS, 'profiles') for name in names_of(listed)]\n"
        "assert {'z', 'matching', 'spread', 'csv-run', 'minutes'} <= set(names), names\n"
        "loaded = {m.partition('.')[0] for m in sys.modules}\n"
        "assert not loaded & {'numpy', 'mylab'}, loaded\n"
    )
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, timeout=60)
