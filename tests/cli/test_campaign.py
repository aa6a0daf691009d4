"""Campaign files on the command line: the results page, and the other verbs task by task."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import numpy as np
import pytest

from inexlab.judgements import read_judgements
from inexlab.measures import evaluate
from inexlab.runs import read_run
from inexlab.statistics.correlation import correlations
from tests.cli.conftest import Command, Write
from tests.cli.graded_campaign import RUNS, rows, submission, write_campaign

# Four runs on one document of 100 characters, all relevant: SpanR is the length of the result.
QRELS = "1 Q0 A 100 100 0 0:100\n2 Q0 A 100 100 0 0:100\n"
LENGTHS = {"a1": 90, "a2": 40, "b1": 70, "c1": 80}
MANIFEST = """\
title = "Small"
[judgements]
both = "q.qrels"
[tasks.focused]
title = "Focused task"
measures = ["SpanR", "num_ret"]
runs = [
  { file = "a1.txt", participant = "a", description = "the long one" },
  { file = "a2.txt", participant = "a" },
  { file = "b1.txt", participant = "b" },
  "c1.txt",
]
[tasks.short]
measures = ["SpanR"]
policy = ["limit=1"]
runs = ["a?.txt"]
"""


@pytest.fixture
def small(write: Write) -> str:
    write("q.qrels", QRELS)
    for id, length in LENGTHS.items():
        write(f"{id}.txt", "".join(f"{topic} Q0 A 1 1.0 {id} 0 {length}\n" for topic in (1, 2)))
    return write("c.toml", MANIFEST)


def _cells(table: str) -> list[list[str]]:
    return [re.split(r"\s{2,}", line.strip()) for line in table.splitlines()]


class TestResultsPage:
    def test_best_run_of_each_participant_best_first(self, call: Command, small: str) -> None:
        done = call("evaluate", "--campaign-file", small)
        assert done.code == 0, done.err
        first, second = done.out.split("\n\nshort")
        title, _, header, _, *ranked = _cells(first)
        assert title == ["Focused task: 4 runs, best run of each of 3 participants"]
        assert header == ["rank", "participant", "run", "SpanR", "num_ret", "description"]
        assert ranked == [
            ["1", "a", "a1", "0.9000", "2", "the long one"],
            ["2", "c1", "c1", "0.8000", "2"],
            ["3", "b", "b1", "0.7000", "2"],
        ]
        assert _cells(second)[0] == [": 2 runs"]
        assert _cells(second)[2] == ["rank", "run", "SpanR"]  # nobody is named, so each run stands
        assert done.notes == [
            "focused: means are over 2 judged topics",
            "short: means are over 2 judged topics",
            "short: policy: limit=1",
        ]

    def test_all_runs(self, call: Command, small: str) -> None:
        done = call("evaluate", "--campaign-file", small, "--all-runs", "--task", "focused")
        title, _, _, _, *ranked = _cells(done.out)
        assert title == ["Focused task: 4 runs"]
        assert [row[2] for row in ranked] == ["a1", "c1", "b1", "a2"]

    @pytest.mark.parametrize(("top", "shown"), [(1, ["a1"]), (2, ["a1", "c1"]), (0, ["a1", "c1", "b1"])])
    def test_top(self, call: Command, small: str, top: int, shown: list[str]) -> None:
        done = call("evaluate", "--campaign-file", small, "--task", "focused", "--top", str(top))
        assert [row[2] for row in _cells(done.out)[4:]] == shown
        assert _cells(done.out)[0] == ["Focused task: 4 runs, best run of each of 3 participants"]

    def test_ten_participants_unless_asked(self, call: Command, write: Write) -> None:
        write("q.qrels", QRELS)
        for n in range(12):
            write(f"r{n:02}.txt", f"1 Q0 A 1 1.0 r{n:02} 0 {50 + n}\n")
        manifest = write(
            "c.toml", MANIFEST.partition("[tasks")[0] + '[tasks.t]\nmeasures=["SpanR"]\nruns=["r*"]\n'
        )
        shown = [row[1] for row in _cells(call("evaluate", "--campaign-file", manifest).out)[4:]]
        assert shown == [f"r{n:02}" for n in range(11, 1, -1)]

    def test_the_participant_of_an_xml_run_is_its_own(self, call: Command, write: Write) -> None:
        write_campaign(write)
        manifest = write(
            "c.toml",
            '[judgements]\np = "pool"\n[tasks.t]\nmeasures = ["nxCG(quant=gen5)@1"]\nruns = ["?.xml"]\n',
        )
        done = call("evaluate", "--campaign-file", manifest)
        title, _, header, _, *ranked = _cells(done.out)
        assert title == ["t: 3 runs, best run of each of 1 participant"]
        assert header[:3] == ["rank", "participant", "run"]
        assert [row[:3] for row in ranked] == [["1", "24", "a"]]

    def test_other_measures(self, call: Command, small: str) -> None:
        done = call("evaluate", "--campaign-file", small, "-m", "ret_size", "--task", "short")
        assert _cells(done.out)[2] == ["rank", "run", "ret_size"]
        assert [row[1:] for row in _cells(done.out)[4:]] == [["a1", "180"], ["a2", "80"]]

    def test_json_and_csv_have_every_run_and_task(self, call: Command, small: str) -> None:
        found = rows(call("evaluate", "--campaign-file", small, "-o", "json"))
        assert [tuple(row.values())[:3] for row in found if row["measure"] == "SpanR"] == [
            *(("focused", p, r) for p, r in (("a", "a1"), ("a", "a2"), ("b", "b1"), ("c1", "c1"))),
            *(("short", r, r) for r in ("a1", "a2")),
        ]
        assert {row["run"]: row["value"] for row in found if row["measure"] == "SpanR"} == {
            run: length / 100 for run, length in LENGTHS.items()
        }
        separated = call("evaluate", "--campaign-file", small, "-o", "csv", "-q").out
        table = list(csv.DictReader(io.StringIO(separated)))
        assert list(table[0]) == ["task", "participant", "run", "topic", "measure", "value"]
        assert {row["topic"] for row in table} == {"1", "2", "all"}
        assert len(table) == (4 * 2 + 2) * 3

    def test_the_unjudged_share_stands_beside_scores(self, call: Command, write: Write, small: str) -> None:
        write(
            "b1.txt",
            "1 Q0 A 1 2.0 b1 0 70\n1 Q0 X 2 1.0 b1 0 9\n2 Q0 A 1 2.0 b1 0 70\n2 Q0 A 2 1.0 b1 70 1\n",
        )
        header, _, *ranked = _cells(call("evaluate", "--campaign-file", small, "--task", "focused").out)[2:]
        assert header == ["rank", "participant", "run", "SpanR", "num_ret", "unjudged", "description"]
        assert {row[2]: row[5] for row in ranked} == {"a1": "0%", "c1": "0%", "b1": "25%"}
        assert "25\\%" in call("evaluate", "--campaign-file", small, "-o", "latex").out

    def test_latex_has_a_table_for_a_paper_for_each_task(self, call: Command, write: Write) -> None:
        """Eight topics: a is better than b by 0.6 on each, c than a by 0.01 on one of them."""
        write("q.qrels", "".join(f"{topic} Q0 A 100 100 0 0:100\n" for topic in range(1, 9)))
        for id, length in {"a": 80, "b": 20, "c": 80}.items():
            lengths = [length + topic % 3 + (id == "c" and topic == 1) for topic in range(1, 9)]
            lines = [f"{t} Q0 A 1 1.0 {id} 0 {n}\n" for t, n in enumerate(lengths, start=1)]
            write(f"{id}.txt", "".join(lines))
        manifest = write("c.toml", '[judgements]\nq = "q.qrels"\n')
        with Path(manifest).open("a") as file:
            for task in ("one", "two_b"):
                file.write(f'[tasks.{task}]\nmeasures = ["SpanR", "num_ret"]\nruns = ["?.txt"]\n')
        asked = ("evaluate", "--campaign-file", manifest, "-o", "latex")
        done = call(*asked, "--test", "t")
        assert done.code == 0, done.err
        first, second = done.out.split("\n\n")
        assert first.count(r"\begin{table}") == second.count(r"\begin{table}") == 1
        assert r"\caption{one: 3 runs. Means over 8 topics; the best in bold. $^{\downarrow}$\,worse" in first
        assert "Student's paired t-test, one-tailed, Benjamini--Yekutieli correction" in first
        assert r"\caption{two\_b: 3 runs. " in second
        body = first.split("\\midrule\n")[1].split("\n\\bottomrule")[0].splitlines()
        assert body == [
            r"1 & c & \textbf{0.8125} & 8 \\",
            r"2 & a & 0.8113 & 8 \\",
            r"3 & b & 0.2112$^{\downarrow}$ & 8 \\",
        ]
        against = call(*asked, "--test", "t", "--baseline", "b", "--task", "one").out
        assert r"2 & a & 0.8113$^{\uparrow}$ & 8 \\" in against
        plain = call(*asked, "--test", "none", "--task", "one").out
        assert r"\textbf{0.8125}" in plain
        assert "arrow" not in plain
        assert call(*asked, "--baseline", "z").code == 2

    def test_a_doubtful_preset_is_marked_and_explained(self, call: Command, write: Write, small: str) -> None:
        official = MANIFEST.replace('measures = ["SpanR", "num_ret"]\n', "").replace(
            "focused]", "best-in-context]"
        )
        write("c.toml", f'campaign = "inex2007"\n{official}')
        named = ("--campaign", "inex2007", "--task", "best-in-context")
        alone = call("evaluate", "q.qrels", *(f"{run}.txt" for run in LENGTHS), *named, "-o", "markdown")
        done = call(
            "evaluate", "--campaign-file", small, "--task", "best-in-context", "-o", "markdown", "--all-runs"
        )
        assert done.code == 0, done.err
        measures = alone.out.splitlines()[0].split(" | ")[1:]
        assert any("?" in name for name in measures)
        assert all(name.strip(" |") in done.out for name in measures)
        assert [f"best-in-context: {note}" for note in alone.notes] == done.notes

    @pytest.mark.parametrize(
        "beside",
        [
            ("q.qrels", "a1.txt"),
            ("--collection", "docs"),
            ("--campaign", "inex2009"),
            ("--config", "x.prop"),
        ],
    )
    def test_nothing_stands_beside_it(self, call: Command, small: str, beside: tuple[str, ...]) -> None:
        done = call("evaluate", *beside, "--campaign-file", small)
        assert (done.code, done.out) == (2, "")
        assert done.notes == [
            "--campaign-file names collection, judgements and runs: do not give them as well."
        ]

    @pytest.mark.parametrize(
        ("manifest", "message"),
        [
            (MANIFEST.replace("SpanR", "SpamR"), "c.toml: tasks.focused.measures: unknown measure 'SpamR'"),
            (MANIFEST.replace("b1.txt", "b9.txt"), "c.toml: tasks.focused.runs: there is no b9.txt."),
            ("[tasks", "c.toml: is not TOML"),
            (
                MANIFEST.replace('"c1.txt"', '"./a1.txt"'),
                "c.toml: tasks.focused.runs: a1.txt is listed twice.",
            ),
            (
                MANIFEST.replace('["a?.txt"]', '["a1.txt", "a*.txt"]'),
                "c.toml: tasks.short.runs: a1.txt is listed twice.",
            ),
            (
                MANIFEST.replace('["a?.txt"]', '["../"]'),
                "c.toml: tasks.short.runs: .. is not a file. Name the runs, or write FOLDER/*.",
            ),
            (MANIFEST.replace('"c1.txt"', '"copy.txt"'), "copy.txt: has the run id 'a1', as a1.txt"),
            (MANIFEST.replace('"c1.txt"', '"q.qrels"'), "q.qrels, line 1: offset '0:100'"),
        ],
    )
    def test_mistakes_are_one_line(
        self, call: Command, write: Write, small: str, manifest: str, message: str
    ) -> None:
        write("c.toml", manifest)
        write("copy.txt", Path("a1.txt").read_text())
        of_manifest = message.startswith("c.toml")  # which every verb reads first
        for verb in ("evaluate", "compare", *(("correlate", "profile", "agreement") if of_manifest else ())):
            done = call(verb, "--campaign-file", small)
            assert (done.code, done.out) == (2, ""), verb
            assert done.notes[-1].startswith(message), verb

    def test_unknown_task(self, call: Command, small: str) -> None:
        done = call("evaluate", "--campaign-file", small, "--task", "focussed")
        assert (done.code, done.notes) == (
            2,
            ["unknown task of c.toml 'focussed'; did you mean 'focused'? Known: focused, short."],
        )


GRADED = """\
[judgements]
pool = "pool"
five = "five"
[tasks.first]
measures = ["nxCG(quant=gen5)@1", "nxCG(quant=gen5)@2"]
runs = ["a.xml", "b.xml", "c.xml"]
[tasks.second]
judgements = "five"
measures = ["nxCG(quant=gen5)@1", "nxCG(quant=gen5)@2"]
runs = ["a.xml", "b.xml", "d.xml", "c.xml"]
[tasks.cut]
policy = ["limit=1"]
measures = ["nxCG(quant=gen5)@1", "nxCG(quant=gen5)@2"]
runs = ["a.xml", "b.xml", "c.xml"]
"""
IN_TASK = {
    "first": ("pool", RUNS, 1500),
    "second": ("five", ("a.xml", "b.xml", "d.xml", "c.xml"), 1500),
    "cut": ("pool", RUNS, 1),
}
MEASURES = ("nxCG@1", "nxCG@2", "MAep")


@pytest.fixture
def graded(write: Write, tmp_path: Path) -> str:
    """Three tasks: other judgements, other runs, and the runs of the first under another policy."""
    write_campaign(write)
    write("d.xml", submission("d", "BC"))
    assert tmp_path.is_dir()
    return write("c.toml", GRADED)


def by_hand(task: str, quant: str, coefficient: str) -> np.ndarray:
    """Correlate the measures on one task under one quantisation, with functions alone."""
    from inexlab.policy import Policy

    judgements, runs, limit = IN_TASK[task]
    names = [f"{m.partition('@')[0]}(quant={quant}){''.join(m.partition('@')[1:])}" for m in MEASURES]
    scored = evaluate(
        read_judgements(judgements), [read_run(r) for r in runs], names, policy=Policy(limit=limit)
    )
    return correlations([s.complete(common=True) for s in scored.scores], coefficient)


class TestOtherVerbs:
    @pytest.mark.parametrize("coefficient", ["tau", "spearman", "pearson"])
    def test_correlations_are_means_over_tasks_and_quantisations(
        self, call: Command, graded: str, coefficient: str
    ) -> None:
        done = call(
            "correlate",
            *("--campaign-file", graded, "--vary", f"measure={','.join(MEASURES)}"),
            *("--vary", "quant=gen5,genLifted", "--average", "quant"),
            *("--coefficient", coefficient, "-o", "json"),
        )
        found = [list(row.values())[1:] for row in rows(done)]
        squares = [by_hand(task, quant, coefficient) for task in IN_TASK for quant in ("gen5", "genLifted")]
        expected = np.nanmean(squares, axis=0)
        assert np.array(found, dtype=float) == pytest.approx(expected, abs=1e-12)
        assert len({square.tobytes() for square in squares}) > 1  # the mean is one of different things
        assert f"{coefficient} over 3 to 4 systems, mean of 6" in done.notes[-1]

    @pytest.mark.parametrize("task", IN_TASK)
    def test_one_task_at_a_time_with_its_own_policy(self, call: Command, graded: str, task: str) -> None:
        asked = (
            "correlate",
            "--campaign-file",
            graded,
            "--vary",
            f"measure={','.join(MEASURES)}",
            "-o",
            "json",
        )
        expected = by_hand(task, "gen", "tau")
        one = call(*asked, "--task", task, "-m", "")
        found = [[None if v is None else float(v) for v in list(row.values())[1:]] for row in rows(one)]
        assert np.array(found, dtype=float) == pytest.approx(expected, abs=1e-12, nan_ok=True)
        each = rows(call(*asked, "--each", "task"))
        assert [row["group"] for row in each] == [name for name in IN_TASK for _ in MEASURES]
        mine = [list(row.values())[-3:] for row in each if row["group"] == task]
        assert mine == found

    def test_means_say_how_many_correlations_were_defined(
        self, call: Command, write: Write, graded: str
    ) -> None:
        """In the third task two runs begin alike, so that nxCG@1 ranks nothing and nxCG@2 does."""
        write("a2.xml", submission("a2", "AB"))
        head, cut, rest = GRADED.rpartition('runs = ["a.xml", "b.xml", "c.xml"]')
        assert cut
        write("c.toml", f'{head}runs = ["a.xml", "a2.xml"]{rest}'.replace('policy = ["limit=1"]\n', ""))
        vary = ("--vary", "measure=nxCG@1,nxCG@2,MAep")
        done = call("correlate", "--campaign-file", graded, *vary, "-o", "json")
        assert done.notes[-2:] == [
            "tau over 2 to 4 systems, mean of 3",
            "undefined correlations are left out of means, in 2 of 3 pairs; "
            "fewest defined: 2 of 3, nxCG@1 with nxCG@2",
        ]
        whole = call("correlate", "--campaign-file", graded, *vary, "--each", "task")
        assert not any("undefined" in note for note in whole.notes)

    def test_tasks_with_other_measures_have_no_mean(self, call: Command, write: Write, graded: str) -> None:
        write("c.toml", GRADED.replace("nxCG(quant=gen5)@2", "MAep(quant=gen5)", 1))
        done = call("correlate", "--campaign-file", graded)
        assert (done.code, done.out) == (2, "")
        assert done.notes == [
            "there is no mean over task: not all have the same conditions; "
            "name them with --vary measure=A,B, or see --each."
        ]
        assert call("correlate", "--campaign-file", graded, "--each", "task").code == 0

    def test_difficulty_lists_all_tasks(self, call: Command, graded: str) -> None:
        found = rows(call("correlate", "--campaign-file", graded, "--difficulty", "-o", "json"))
        assert [row["condition"] for row in found][::2] == [
            f"{t} nxCG(quant=gen5,overlap=off)@1" for t in IN_TASK
        ]

    def test_comparisons_are_those_of_each_task(self, call: Command, graded: str) -> None:
        asked = ("compare", "--campaign-file", graded, "--test", "t", "-o", "json")
        made = json.loads(call(*asked).out)
        title = "nxCG(quant=gen5,overlap=off)@1"
        assert [part["of"] for part in made] == [f"{task}, {title}" for task in IN_TASK]
        for part, (judgements, runs, _) in zip(made, IN_TASK.values(), strict=True):
            alone = json.loads(
                call(
                    "compare", judgements, *runs, "-m", "nxCG(quant=gen5)@1", "--test", "t", "-o", "json"
                ).out
            )
            for kind, records in alone.items():
                assert part[kind] == [{"measure": title, **record} for record in records]
            assert (part["measure"], part["tail"], part["test"]) == (title, "one", "t")
        one = call(*asked[:-1], "csv", "--task", "first", "-m", "MAep")
        assert one.out.splitlines()[1].startswith('"first, MAep(quant=gen5,overlap=off)",')

    def test_comparisons_follow_the_policy(self, call: Command, graded: str) -> None:
        made = json.loads(
            call(
                "compare", "--campaign-file", graded, "--test", "t", "-m", "nxCG(quant=gen5)@2", "-o", "json"
            ).out
        )
        means = [{s["system"]: s["mean"] for s in part["systems"]} for part in made]
        assert means[0]["c"] == pytest.approx((5 * (5 / 6) + 0.0) / 6)
        assert means[2]["c"] < means[0]["c"]

    def test_best_per_participant_of_a_campaign(self, call: Command, small: str) -> None:
        done = call(
            "compare",
            "--campaign-file",
            small,
            "--task",
            "focused",
            "--best-per",
            "participant",
            "-o",
            "json",
        )
        [part] = json.loads(done.out)
        assert [s["system"] for s in part["systems"]] == ["a1", "c1", "b1"]

    def test_agreement_is_by_task(self, call: Command, graded: str) -> None:
        done = call("agreement", "--campaign-file", graded, "--test", "t", "-o", "json")
        assert done.code == 0, done.err
        judgements, runs, _ = IN_TASK["second"]
        alone = call(
            *("agreement", judgements, *runs, "--test", "t", "-o", "json"),
            *("--vary", "measure=nxCG(quant=gen5)@1,nxCG(quant=gen5)@2"),
        )
        assert alone.code == 0, alone.err
        of_task = [
            {k: v for k, v in row.items() if k not in ("group", "task")}
            for row in rows(done)
            if "second" in json.dumps(row)
        ]
        numbers = [[v for v in row.values() if not isinstance(v, str)] for row in of_task]
        assert numbers == [[v for v in row.values() if not isinstance(v, str)] for row in rows(alone)]
        assert numbers

    def test_stability_takes_one_task(self, call: Command, graded: str) -> None:
        asked = ("stability", "--campaign-file", graded, "--test", "t", "--splits", "3", "-o", "json")
        several = call(*asked)
        assert (several.code, several.notes) == (
            2,
            ["choose a task of c.toml with --task: first, second, cut."],
        )
        one = call(*asked, "--task", "second")
        judgements, runs, _ = IN_TASK["second"]
        alone = call(
            *("stability", judgements, *runs, "-m", "nxCG(quant=gen5)@1"),
            *("--test", "t", "--splits", "3", "-o", "json"),
        )
        assert one.code == alone.code == 0, one.err + alone.err
        assert one.out == alone.out

    def test_ttest_of_two_runs_of_a_task(self, call: Command, graded: str) -> None:
        asked = ("ttest", "--campaign-file", graded, "--task", "first", "-o", "json")
        one = call(*asked, "b", "a")
        alone = call("ttest", "pool", "b.xml", "a.xml", "-m", "nxCG(quant=gen5)@1", "-o", "json")
        assert one.code == 0, one.err
        assert one.out == alone.out
        assert call(*asked, "b").notes == ["with --campaign-file give the ids of two of its runs."]
        assert call(*asked, "b", "z").notes[-1].startswith("unknown run 'z'")

    def test_recall_base_of_a_task(self, call: Command, graded: str) -> None:
        one = call(
            "recall-base", "--campaign-file", graded, "--task", "second", "--quant", "gen5", "-o", "csv"
        )
        assert one.code == 0, one.err
        assert one.out == call("recall-base", "five", "--quant", "gen5", "-o", "csv").out
        assert one.out != call("recall-base", "pool", "--quant", "gen5", "-o", "csv").out

    def test_a_task_is_named_only_where_there_is_a_choice(
        self, call: Command, write: Write, graded: str
    ) -> None:
        """Of judgements the tasks have two, so that the recall base is not settled; then one."""
        recall_base = ("recall-base", "--campaign-file", graded, "-o", "csv")
        explain = ("explain", "a", "--campaign-file", graded, "--topic", "1", "-o", "csv")
        choose = ["choose a task of c.toml with --task: first, second, cut."]
        assert [call(*asked).notes for asked in (recall_base, explain)] == [choose, choose]
        write("c.toml", GRADED.replace('judgements = "five"\n', ""))
        assert call(*recall_base).out == call("recall-base", "pool", "-o", "csv").out
        assert call(*explain).notes == choose
        write("c.toml", GRADED.partition("[tasks.second]")[0])
        assert call(*recall_base).code == call(*explain).code == 0

    @pytest.mark.parametrize(
        ("verb", "beside"),
        [
            ("compare", ("q", "r")),
            ("stability", ("q", "r")),
            ("agreement", ("--condition", "a=b:c")),
            ("correlate", ("--collection", "d")),
            ("recall-base", ("q",)),
            ("profile", ("r",)),
            ("ttest", ("--collection", "d")),
        ],
    )
    def test_nothing_stands_beside_it(
        self, call: Command, graded: str, verb: str, beside: tuple[str, ...]
    ) -> None:
        done = call(verb, *beside, "--campaign-file", graded)
        assert (done.code, done.out) == (2, "")
        assert done.notes == [
            "--campaign-file names collection, judgements and runs: do not give them as well."
        ]
