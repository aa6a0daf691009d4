"""`inexlab pool`: what to judge, by whom, and whether a pool can be used again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Command, Write

# A, B and C are judged, D is not; only r3 returns C, which is relevant
QRELS = "1 Q0 A 10 20 0 0:10\n1 Q0 B 0 20\n1 Q0 C 5 20 0 0:5\n2 Q0 A 4 20 0 0:4\n2 Q0 C 20 20 0 0:20\n"
RUNS = {
    "r1": ["1 A 0 10", "1 B 0 10", "2 A 0 10"],
    "r2": ["1 B 0 10", "1 A 0 10", "2 A 0 4"],
    "r3": ["1 C 0 5", "1 A 0 10", "1 D 0 3", "2 C 0 20"],
}


@pytest.fixture
def campaign(write: Write) -> list[str]:
    write("q", QRELS)
    for name, rows in RUNS.items():
        lines = []
        for rank, row in enumerate(rows, start=1):
            topic, doc, start, length = row.split()
            lines.append(f"{topic} Q0 {doc} {rank} {9 - rank} {name} {start} {length}\n")
        write(f"{name}.txt", "".join(lines))
    return [f"{name}.txt" for name in RUNS]


def test_a_pool_and_what_each_run_contributed(call: Command, campaign: list[str], tmp_path: Path) -> None:
    done = call("pool", *campaign, "--depth", "2", "--out", "p", "--judgements", "q", "-o", "csv")
    assert done.code == 0
    assert done.out == ("run,documents,alone,relevant,relevant alone\nr1,3,0,2,0\nr2,3,0,2,0\nr3,3,2,3,2\n")
    assert done.notes == [
        "5 documents of 2 topics to judge: the first 2 results of each run, 3 runs",
        "no run names its participant: each stands for itself",
    ]
    rows = [json.loads(line) for line in (tmp_path / "p").read_text().splitlines()]
    assert [(row["topic"], row["doc"], row["runs"]) for row in rows] == [
        ("1", "A", ["r1", "r2", "r3"]),
        ("1", "B", ["r2", "r1"]),
        ("1", "C", ["r3"]),
        ("2", "A", ["r1", "r2"]),
        ("2", "C", ["r3"]),
    ]


def test_the_same_pool_in_xml_and_back(
    call: Command, campaign: list[str], write: Write, tmp_path: Path
) -> None:
    for doc in "ABCD":
        write(f"docs/{doc}.xml", f"<a>{'x' * 20}</a>")
    who = write("who", "anna 1 2\nbob 2 2\n")  # both asked for 2
    asked = [*campaign, "--documents", "2", "--assessors", who, "--double", "0.5", "--collection", "docs"]
    assert call("pool", *asked, "--out", "p.jsonl").code == 0
    assert call("pool", *asked, "--out", "folder", "--to", "pool-xrai").code == 0
    back = call("convert", "folder", "--to", "pool-jsonl", "--out", "back", "--collection", "docs")
    assert back.notes == ["folder: 4 documents of 2 topics written as pool-jsonl to back"]
    first, second = (
        [json.loads(line) for line in (tmp_path / name).read_text().splitlines()]
        for name in ("p.jsonl", "back")
    )
    for row in first:
        del row["runs"], row["rank"]
    assert first == second
    assert (first[0]["assessors"], first[-1]["assessors"]) == (["bob"], ["anna", "bob"])


def test_each_participant_left_out(call: Command, campaign: list[str]) -> None:
    """Without C, which r3 alone returned, r3 loses all it had on topic 2, and the others gain."""
    done = call(
        "pool", *campaign, "--judgements", "q", "--depth", "2", "-m", "SpanR", "--leave-one-out", "-o", "json"
    )
    assert done.code == 0
    rows = json.loads(done.out)
    runs = {row["run"]: row for row in rows if row["group"] == "each participant left out"}
    # r1: 10 of 15 and 4 of 24 characters; nothing of theirs is theirs alone
    assert runs["r1"]["score"] == runs["r1"]["without"] == pytest.approx((10 / 15 + 4 / 24) / 2)
    assert (runs["r1"]["alone"], runs["r1"]["change"]) == (0, 0)
    # r3: all of topic 1, C of topic 2; without C A of topic 1, and nothing of topic 2
    assert runs["r3"]["score"] == pytest.approx((1 + 20 / 24) / 2)
    assert runs["r3"]["without"] == pytest.approx((1 + 0) / 2)
    assert (runs["r3"]["alone"], runs["r3"]["relevant_alone"]) == (2, 2)
    assert (runs["r3"]["rank"], runs["r3"]["rank_without"]) == (1, 3)
    unjudged = [row for row in rows if row["group"] == "unjudged results"]
    # of ten results D alone is not judged; without what is theirs alone r3's C is not, on both topics
    assert (unjudged[0]["results"], unjudged[0]["unjudged"], unjudged[0]["without"]) == (10, 0.1, 0.3)
    pools = {row["number"]: row for row in rows if row["group"] == "shallower pools"}
    assert list(pools) == [1, 2]
    assert (pools[1]["documents"], pools[2]["documents"]) == (5, 5)
    assert pools[2]["tau"] == pytest.approx(1)


def test_participants_of_a_campaign(call: Command, campaign: list[str], write: Write) -> None:
    runs = ", ".join(
        f'{{ file = "{file}", participant = "{who}" }}' for file, who in zip(campaign, "xyy", strict=True)
    )
    write("docs/A.xml", "<a>x</a>")
    write("pool.jsonl", '{"topic": "1", "doc": "A", "hints": []}\n{"topic": "1", "doc": "Z", "hints": []}\n')
    manifest = write(
        "c.toml",
        f'pool = "pool.jsonl"\n[judgements]\nq = "q"\n[tasks.t]\nmeasures = ["SpanR"]\nruns = [{runs}]\n',
    )
    done = call("pool", "--campaign-file", manifest, "-o", "csv")
    assert done.out.splitlines()[-2:] == ["participants,,3,0,x", "participants,,6,3,y"]
    assert call("pool", "--campaign-file", manifest, "--leave-one-out").code == 0
    checked = call("check", "--campaign-file", manifest)
    assert any("1 of 2 documents of the pool judged; 4 documents beside it" in note for note in checked.notes)
    gone = call("check", "--campaign-file", write("d.toml", 'pool = "nowhere"\n[judgements]\nq = "q"\n'))
    assert (gone.code, gone.notes[-1].startswith("d.toml: ")) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "a pool is made of runs: give at least one, or a --campaign-file."),
        (("r1.txt", "--depth", "1", "--documents", "2"), "give either --depth (results of each run)"),
        (("r1.txt", "--method", "round-robin"), "round-robin needs --documents N"),
        (("r1.txt", "--method", "depth", "--documents", "2"), "depth counts results: give --depth N"),
        (("r1.txt", "--method", "robin"), "unknown pooling method 'robin'"),
        (("r1.txt", "--to", "qrels", "--out", "x"), "unknown pool format 'qrels'"),
        (("r1.txt", "--double", "0.5"), "--double and --reserve say who judges what"),
        (("r1.txt", "-m", "MAiP"), "-m says how to score: it is for --leave-one-out"),
        (("r1.txt", "--leave-one-out", "-m", "MAiP"), "--leave-one-out needs --judgements FILE"),
        (("r1.txt", "r2.txt", "--judgements", "q", "--leave-one-out"), "name the measure to score by"),
        (("r1.txt", "--judgements", "q", "--leave-one-out", "-m", "SpanR"), "one participant made all runs"),
        (("r1.txt", "--out", "p", "--assessors", "nobody"), "nobody: no such file"),
        (("q", "--out", "p"), "q, line 1: "),
    ],
)
def test_what_cannot_be_pooled(
    arguments: tuple[str, ...], message: str, call: Command, campaign: list[str], tmp_path: Path
) -> None:
    assert campaign
    done = call("pool", *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert done.err.count("\n") == 1
    assert not (tmp_path / "p").exists()
