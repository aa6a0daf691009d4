"""`inexlab demo`: the laboratory on the built-in campaign."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from .conftest import Command, Write

TITLES = [
    "Focused: which passages first? (INEX 2009 measures)",
    "Relevant in Context: which documents, and which parts of them?",
    "Best in Context: where to begin reading?",
]


def _tables(out: str) -> dict[str, dict[str, dict[str, str]]]:
    """Return title → run → measure → number as printed."""
    tables: dict[str, dict[str, dict[str, str]]] = {}
    for title in TITLES:
        found = re.search(rf"^{re.escape(title)}: (\d+) runs\n\n((?:.+\n)+)", out, re.MULTILINE)
        assert found is not None, title
        header, _, *rows = (re.split(r"\s{2,}", line.strip()) for line in found[2].splitlines())
        assert header[:2] == ["rank", "run"]
        assert [row[0] for row in rows] == [str(place + 1) for place in range(int(found[1]))]
        tables[title] = {row[1]: dict(zip(header[2:], row[2:], strict=True)) for row in rows}
    return tables


def _scores(tables: dict[str, dict[str, dict[str, str]]]) -> dict[tuple[str, str], str]:
    """Return the numbers by run and measure, without what tables say beside them."""
    beside = ("unjudged", "description")
    return {
        (run, measure): number
        for runs in tables.values()
        for run, row in runs.items()
        for measure, number in row.items()
        if measure not in beside
    }


def test_demo_shows_three_tables_and_the_way_on(inexlab: Command) -> None:
    done = inexlab("demo")
    assert (done.code, done.err) == (0, "")
    tables = _tables(done.out)
    assert [list(runs) for runs in tables.values()] == [
        ["focused-chunks", "sections", "paragraphs", "articles"],
        ["in-context", "paragraphs-in-context", "sections-in-context", "articles"],
        ["section-starts", "entry-points", "articles"],
    ]
    for runs in tables.values():  # best first by the first measure
        first = [float(next(iter(row.values()))) for row in runs.values()]
        assert first == sorted(first, reverse=True)
    assert tables[TITLES[0]]["sections"]["description"] == "BM25 over sections"
    assert done.out.endswith(
        "`inexlab demo --out DIR` copies this campaign; `inexlab measures` explains the measures.\n"
    )


def test_demo_prints_what_evaluate_computes(
    call: Command, handbook: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    tables = _tables(call("demo").out)
    printed = _scores(tables)
    measures = {measure for _, measure in printed}
    asked = [part for measure in sorted(measures) for part in ("-m", measure)]
    runs = sorted((handbook / "runs").iterdir())
    done = call(
        "evaluate",
        handbook / "judgements.qrels",
        *runs,
        "--collection",
        handbook / "articles",
        *asked,
        "-o",
        "json",
    )
    computed = {(row["run"], row["measure"]): f"{row['value']:.4f}" for row in json.loads(done.out)}
    assert len(printed) == 4 * 5 + 4 * 4 + 3 * 3
    assert printed == {key: computed[key] for key in printed}


def test_the_runs_obey_the_rules_of_their_tasks(call: Command, handbook: Path) -> None:
    done = call("check", "--campaign-file", handbook / "campaign.toml")
    assert (done.code, done.notes) == (0, ["10 files checked: nothing found"])


def test_out_copies_the_campaign(inexlab: Command, handbook: Path, tmp_path: Path) -> None:
    done = inexlab("demo", "--out", "new/demo")
    assert (done.code, done.err) == (0, "")
    originals = {
        path.relative_to(handbook): path.read_bytes()
        for path in handbook.rglob("*")
        if path.is_file() and path.suffix not in (".py", ".pyc")
    }
    copies = {
        path.relative_to(tmp_path / "new/demo"): path.read_bytes()
        for path in (tmp_path / "new/demo").rglob("*")
        if path.is_file()
    }
    assert len(copies) == 21  # eight articles, nine runs, topics, judgements, manifest, README
    assert copies == originals


def test_the_suggested_commands_run(inexlab: Command) -> None:
    suggestions = re.findall(r"^  inexlab (.+)$", inexlab("demo", "--out", "demo").out, re.MULTILINE)
    expected = [r"^ sections +2026001 +0\.\d{4}$", r"^Focused: which passages first\?.*: 4 runs$"]
    for suggestion, line in zip(suggestions, expected, strict=True):
        done = inexlab(*shlex.split(suggestion))
        assert done.code == 0, done.err
        assert re.search(line, done.out, re.MULTILINE)


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_out_never_overwrites(inexlab: Command, write: Write, tmp_path: Path, kind: str) -> None:
    write("there" if kind == "file" else "there/inside", "mine")
    done = inexlab("demo", "--out", "there")
    assert (done.code, done.out) == (2, "")
    assert done.notes == ["there already exists; give a new or an empty folder as --out."]
    assert [path.read_text() for path in tmp_path.rglob("*") if path.is_file()] == ["mine"]


def test_out_where_nothing_can_be_written(inexlab: Command, write: Write) -> None:
    for out in ("/dev/null/x", f"{write('file', 'mine')}/x"):
        done = inexlab("demo", "--out", out)
        assert (done.code, done.out) == (2, "")
        assert done.notes == [f"{out} cannot be written (Not a directory); give another place as --out."]


def test_out_does_not_follow_a_link_to_nowhere(inexlab: Command, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    done = inexlab("demo", "--out", "link")
    assert (done.code, done.out) == (2, "")
    assert done.notes == ["link already exists; give a new or an empty folder as --out."]
    assert not (tmp_path / "nowhere").exists()
