"""`inexlab evaluate --out` and `inexlab diff`: results that can be made again, and what changed and why."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from inexlab.cli.demo import demo
from tests.cli.conftest import WORKED_QRELS, WORKED_RUN, Command, Write
from tests.cli.graded_campaign import assessments, submission

Worked = tuple[str, str]


def test_the_same_evaluation_gives_the_same_bytes(
    call: Command, inexlab: Command, write: Write, worked: Worked, tmp_path: Path
) -> None:
    asked = ("-m", "MAiP", "-m", "SpanP@2", "--out")
    printed = call("evaluate", *worked, *asked, "a.json")
    assert printed.code == 0
    assert printed.out == call("evaluate", *worked, *asked[:-1]).out  # the table is printed as ever
    for name, content in zip(worked, (WORKED_QRELS, WORKED_RUN), strict=True):
        write(f"elsewhere/{name}", content)
    moved = [f"elsewhere/{name}" for name in worked]
    assert inexlab("evaluate", *moved, *asked, "b.json").code == 0  # a process of its own, another folder
    first, second = (tmp_path / name for name in ("a.json", "b.json"))
    assert first.read_bytes() == second.read_bytes()
    assert str(tmp_path) not in first.read_text()


def test_what_is_printed_is_what_is_stored(call: Command, worked: Worked, tmp_path: Path) -> None:
    done = call("evaluate", *worked, "-q", "-o", "json", "--limit", "2", "--over", "run", "--out", "a.json")
    stored = json.loads((tmp_path / "a.json").read_text())
    [part] = stored["tasks"]
    assert part["scores"] == json.loads(done.out)
    assert (part["policy"]["limit"], part["over"]) == (2, "run")
    assert part["runs"]["worked"]["name"] == "worked.txt"


def test_a_campaign_is_one_file(call: Command, handbook: Path, tmp_path: Path) -> None:
    assert call("evaluate", "--campaign-file", handbook / "campaign.toml", "--out", "a.json").code == 0
    stored = json.loads((tmp_path / "a.json").read_text())
    assert [part["task"] for part in stored["tasks"]] == ["focused", "relevant-in-context", "best-in-context"]
    assert stored["collection"]["name"] == "articles"
    assert len(stored["tasks"][0]["scores"]) == 4 * 5 * 7
    assert call("diff", "a.json", "a.json").code == 0


class TestDiff:
    @pytest.fixture
    def before(self, call: Command, worked: Worked) -> str:
        assert call("evaluate", *worked, "-m", "MAiP", "-m", "SpanP", "--out", "a.json").code == 0
        return "a.json"

    def test_nothing_changed(self, call: Command, before: str) -> None:
        done = call("diff", before, before)
        assert (done.code, done.out, done.notes) == (0, "", ["no score changed"])
        assert json.loads(call("diff", before, before, "-o", "json").out) == []

    def test_other_judgements(self, call: Command, write: Write, worked: Worked, before: str) -> None:
        write("worked.qrels", WORKED_QRELS.replace("1 Q0 C 0 100\n", "1 Q0 C 100 100 0 0:100\n"))
        call("evaluate", *worked, "-m", "MAiP", "-m", "SpanP", "--out", "b.json")
        done = call("diff", before, "b.json", "-o", "json")
        assert done.code == 1
        found = json.loads(done.out)
        assert [(row["run"], row["topic"], row["measure"]) for row in found] == [
            ("worked", "all", "MAiP"),
            ("worked", "all", "SpanP"),
        ]
        assert {row["because of"] for row in found} == {"other judgements"}
        assert found[1]["before"] == 90 / 250
        assert found[1]["after"] == 190 / 250
        assert found[1]["difference"] == pytest.approx(100 / 250)
        assert done.notes[0].startswith("judgements: worked.qrels (")
        assert done.notes[-1] == "4 scores changed, of 1 run on 1 topic"

    def test_other_run(self, call: Command, write: Write, worked: Worked, before: str) -> None:
        second = write("second.txt", WORKED_RUN.replace("worked", "second"))
        call("evaluate", *worked, second, "-m", "SpanP", "--out", "a.json")
        write("second.txt", WORKED_RUN.replace("worked", "second").replace("0 50", "0 60"))
        call("evaluate", *worked, second, "-m", "SpanP", "--out", "b.json")
        done = call("diff", before, "b.json", "-o", "csv")
        [row] = csv.DictReader(io.StringIO(done.out))
        assert (row["run"], row["because of"]) == ("second", "other run")
        assert len(done.notes) == 2

    def test_other_policy_by_topic(self, call: Command, worked: Worked, before: str) -> None:
        call("evaluate", *worked, "-m", "MAiP", "-m", "SpanP", "--limit", "1", "--out", "b.json")
        done = call("diff", before, "b.json", "-q", "-o", "json")
        assert [row["topic"] for row in json.loads(done.out)] == ["1", "1", "all", "all"]
        assert {row["because of"] for row in json.loads(done.out)} == {"policy limit=1 (was 1500)"}
        assert done.notes[0] == "policy limit: 1500 -> 1"
        table = call("diff", before, "b.json")
        assert table.code == 1
        assert "policy limit=1 (was 1500)" in table.out
        assert call("diff", "b.json", before).notes[0] == "policy limit: 1 -> 1500"

    def test_other_topics(self, call: Command, write: Write, worked: Worked) -> None:
        more = write("more.qrels", f"{WORKED_QRELS}2 Q0 A 5 100 0 0:5\n")
        call("evaluate", more, worked[1], "-m", "SpanP", "--out", "a.json")
        call("evaluate", more, worked[1], "-m", "SpanP", "--over", "run", "--out", "b.json")
        done = call("diff", "a.json", "b.json", "-o", "json")
        assert [row["because of"] for row in json.loads(done.out)] == ["other topics"]
        assert done.notes[0] == "topics: judged -> run"

    def test_other_measures_are_told_and_no_change(self, call: Command, worked: Worked, before: str) -> None:
        call("evaluate", *worked, "-m", "MAiP", "-m", "SpanR", "--out", "b.json")
        done = call("diff", before, "b.json")
        assert (done.code, done.out) == (0, "")
        assert done.notes == [
            "measure SpanP: there -> nothing",
            "measure SpanR: nothing -> there",
            "no score changed",
        ]

    def test_other_unit(self, call: Command, write: Write) -> None:
        write("docs/A.xml", "<a>éé345</a>")
        qrels, run = write("q", "1 Q0 A 2 5 0 0:2\n"), write("r", "1 Q0 A 1 1 r 0 2\n")
        asked = ("evaluate", qrels, run, "-m", "SpanR", "--collection", "docs", "--out")
        call(*asked, "a.json")
        call(*asked, "b.json", "--unit", "runs=byte")  # two bytes are one é
        done = call("diff", "a.json", "b.json", "-o", "json")
        [row] = json.loads(done.out)
        assert (row["before"], row["after"]) == (1, 0.5)
        assert row["because of"] == "unit of runs byte (was char)"
        assert done.notes[0] == "unit of runs: char -> byte"

    def test_other_pool(self, call: Command, write: Write) -> None:
        first = assessments("1", {"A": (2, 4)})
        write("pool/1.xml", first)
        write("pool/2.xml", assessments("2", {"B": (2, 4)}))
        run = write("r.xml", submission("r", "A", "12"))
        asked = ("evaluate", "pool", run, "-m", "nxCG@1", "--out")
        call(*asked, "a.json")
        assert call(*asked, "b.json", "--pool", "10").code == 0
        done = call("diff", "a.json", "b.json", "-o", "json")
        [row] = json.loads(done.out)
        assert (row["before"], row["after"], row["because of"]) == (0.5, 1, "other pools")
        assert done.notes[0] == "pools: nothing -> ['10']"

    def test_other_list_of_topics(self, call: Command, write: Write) -> None:
        qrels = write("q", "".join(f"{t} Q0 A 10 10 0 0:10\n" for t in "12"))
        run = write("r", "1 Q0 A 1 1 r 0 10\n2 Q0 A 1 1 r 0 5\n")
        asked = ("evaluate", qrels, run, "-m", "SpanR", "--over")
        write("t", "1\n")
        call(*asked, "t", "--out", "a.json")
        write("t", "2\n1\n")
        call(*asked, "t", "--out", "b.json")
        write("u", "# both\n1\n2\n")
        call(*asked, "u", "--out", "c.json")
        done = call("diff", "a.json", "b.json", "-o", "json")
        [row] = json.loads(done.out)
        assert (row["before"], row["after"], row["because of"]) == (1, 0.75, "other topics")
        assert done.notes[0] == "topics: those listed (1) -> those listed (1, 2)"
        assert call("diff", "b.json", "c.json").notes == ["no score changed"]  # the same list, another file
        [part] = json.loads(Path("b.json").read_text())["tasks"]
        assert (part["over"], part["topics"]["ids"], len(part["topics"]["sha256"])) == ("t", ["2", "1"], 64)

    def test_other_quantisation_of_the_same_name(self, call: Command, write: Write) -> None:
        write("pool/1.xml", assessments("1", {"A": (2, 4), "B": (1, 4)}))
        run = write("r.xml", submission("r", "B", "1"))
        both = ("-m", "nxCG(quant=mine.toml)@1", "-m", "nxCG(quant=gen5)@1")
        asked = ("evaluate", "pool", run, *both, "--out")
        table = 'scale = "2005"\n[values]\n"2" = 1\n"1" = {}\n'
        write("mine.toml", table.format("0.25"))
        assert call(*asked, "a.json").code == 0
        write("mine.toml", table.format("0.75"))
        assert call(*asked, "b.json").code == 0
        done = call("diff", "a.json", "b.json", "-o", "json")
        [row] = json.loads(done.out)
        assert (row["measure"], row["before"], row["after"]) == ("nxCG(quant=mine.toml)@1", 0.25, 0.75)
        assert row["because of"] == "other quantisation mine.toml"

    def test_files_of_an_earlier_version_can_be_compared(
        self, call: Command, write: Write, before: str
    ) -> None:
        stored = json.loads(Path(before).read_text())
        for key in ("pools", "unit", "topics", "quantisations"):
            del stored["tasks"][0][key]
        write("old.json", json.dumps(stored))
        assert call("diff", "old.json", before).notes == ["no score changed"]

    @pytest.mark.parametrize(("what", "other"), [("run", "second"), ("measure", "SpanR"), ("task", "x")])
    def test_nothing_in_common_is_not_nothing_changed(
        self, call: Command, write: Write, before: str, what: str, other: str
    ) -> None:
        stored = json.loads(Path(before).read_text())
        stored["tasks"][0].update({"task": other} if what == "task" else {})
        for row in stored["tasks"][0]["scores"]:
            row.update({} if what == "task" else {what: other})
        write("b.json", json.dumps(stored))
        done = call("diff", before, "b.json", "-o", "json")
        assert (done.code, done.out) == (2, "")
        assert done.notes[-1].startswith("nothing could be compared: a.json and b.json have no score of")

    def test_other_collection_and_version(self, call: Command, write: Write) -> None:
        write("docs/A.xml", "<a><b>12345</b>67890</a>")
        qrels, run = write("q", "1 Q0 A 5 10 0 0:5\n"), write("r", "1 Q0 A 1 1 r /a[1]/b[1]\n")
        asked = ("evaluate", qrels, run, "-m", "SpanR", "--collection", "docs", "--out")
        call(*asked, "a.json")
        write("docs/A.xml", "<a><b>1234</b>567890</a>")
        call(*asked, "b.json")
        stored = json.loads(Path("b.json").read_text())
        stored["versions"]["numpy"] = "0.1"
        write("b.json", json.dumps(stored))
        done = call("diff", "a.json", "b.json", "-o", "json")
        [row] = json.loads(done.out)
        assert row["because of"].startswith("numpy 0.1 (was ")
        assert row["because of"].endswith("; other collection")
        assert done.notes[1].startswith("collection: docs (")

    def test_a_change_without_a_cause(self, call: Command, write: Write, before: str) -> None:
        stored = json.loads(Path(before).read_text())
        for row in stored["tasks"][0]["scores"]:
            row["value"] += 0.0001
        write("b.json", json.dumps(stored))
        done = call("diff", before, "b.json", "-o", "json")
        assert done.code == 1
        assert {row["because of"] for row in json.loads(done.out)} == {"unknown"}
        assert call("diff", before, "b.json", "--tolerance", "0.001").code == 0
        assert call("diff", before, "b.json", "--tolerance", "-1").code == 2

    @pytest.mark.parametrize(
        "content", ["", "{", "[]", '{"format": "inexlab results 1"}', "1 Q0 A 1 1.0 r 0 5\n"]
    )
    def test_what_is_no_results_file_ends_with_2(
        self, call: Command, write: Write, before: str, content: str
    ) -> None:
        bad = write("bad.json", content)
        for pair in ((before, bad), (bad, before)):
            done = call("diff", *pair)
            assert (done.code, done.out) == (2, "")
            [line] = done.notes
            assert line.startswith("bad.json: is ")
        missing = call("diff", before, "none.json")
        assert (missing.code, missing.notes[0].startswith("none.json: no such file")) == (2, True)

    def test_mistakes(self, call: Command, worked: Worked, before: str, tmp_path: Path) -> None:
        assert call("diff", before, before, "-o", "xml").code == 2
        done = call("evaluate", *worked, "--out", "none/a.json")
        assert done.code == 2
        assert done.notes[-1].endswith(
            "cannot be written (No such file or directory); give another place as --out."
        )
        assert not (tmp_path / "none").exists()


def test_the_example_of_the_help_runs(call: Command) -> None:
    demo("demo")
    sections = ("demo/judgements.qrels", "demo/runs/focused-sections.txt", "-m", "MAiP")
    assert call("evaluate", *sections, "--out", "a.json").code == 0
    assert call("evaluate", *sections, "--limit", "5", "--out", "b.json").code == 0
    assert call("diff", "a.json", "b.json").code == 1
