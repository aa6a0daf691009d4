"""`inexlab report`: the page, and what is said when it cannot be made."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("altair", reason="reports need the extra `figures`")
pytest.importorskip("vl_convert", reason="reports need the extra `figures`")

from inexlab.measures import evaluate

from .conftest import Command, Write


def data_in(page: Path) -> dict[str, Any]:
    """Return the JSON inside a report."""
    text = page.read_text(encoding="utf-8")
    found = re.search(r'<script type="application/json" id="data">(.*?)</script', text, re.DOTALL)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def runs_in(handbook: Path) -> list[str]:
    return sorted(str(path) for path in (handbook / "runs").glob("focused-*"))


def test_the_numbers_are_those_of_evaluate(call: Command, handbook: Path, tmp_path: Path) -> None:
    judgements, articles = handbook / "judgements.qrels", handbook / "articles"
    measures = ["MAiP", "gP@1", "num_ret"]
    asked = [part for name in measures for part in ("-m", name)]
    files: list[str | Path] = [
        judgements,
        *runs_in(handbook),
        "--collection",
        articles,
        "--topics",
        handbook / "topics.xml",
    ]
    done = call("report", *files, *asked, "--test", "t", "--out", "r.html")
    assert (done.code, done.out) == (0, "")
    assert re.fullmatch(r"r\.html: \d\.\d MB, opens without a network", done.notes[-1])
    data = data_in(tmp_path / "r.html")
    (task,) = data["tasks"]
    evaluation = evaluate(judgements, runs_in(handbook), measures, collection=articles)
    for written, scores in zip(task["measures"], evaluation.scores, strict=True):
        assert written["name"] == str(scores.measure)
        assert written["scores"] == scores.values.tolist()
        assert written["means"] == scores.totals().tolist()
    assert [curve["name"] for curve in task["curves"]] == ["iP", "gP(score=F,beta=1)"]
    curve = evaluate(judgements, runs_in(handbook), "iP@*", collection=articles)
    assert list(map(list, zip(*task["curves"][0]["values"], strict=True))) == [
        s.totals().tolist() for s in curve.scores
    ]
    assert data["titles"]["2026002"] == "best entry point choice and score"
    assert task["notes"] == list(evaluation.notes)


def test_files_are_named_with_their_hashes(call: Command, handbook: Path, tmp_path: Path) -> None:
    done = call(
        "report", handbook / "judgements.qrels", *runs_in(handbook)[1:2], "-m", "MAiP", "--out", "r.html"
    )
    assert done.code == 0
    files = {what: (name, digest) for what, name, digest in data_in(tmp_path / "r.html")["files"]}
    content = (handbook / "judgements.qrels").read_bytes()
    assert files["judgements"] == ("judgements.qrels", hashlib.sha256(content).hexdigest())
    assert files["run focused-chunks"][0] == "focused-chunks.jsonl"
    assert str(handbook) not in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_a_campaign_file_gives_all_tasks_or_one(call: Command, handbook: Path, tmp_path: Path) -> None:
    manifest = handbook / "campaign.toml"
    assert call("report", "--campaign-file", manifest, "--test", "t", "--out", "all.html").code == 0
    data = data_in(tmp_path / "all.html")
    assert [task["name"] for task in data["tasks"]] == ["focused", "relevant-in-context", "best-in-context"]
    assert data["title"] == "Handbook of XML retrieval evaluation"
    assert data["tasks"][0]["descriptions"][0] == "BM25 over paragraphs"
    assert data["titles"]["2026001"] == 'overlapping results "unseen text"'
    options = ("--campaign-file", manifest, "--task", "focused", "--test", "t", "--out", "one.html")
    assert call("report", *options).code == 0
    assert [task["name"] for task in data_in(tmp_path / "one.html")["tasks"]] == ["focused"]


def test_a_preset_brings_measures_policy_and_doubts(call: Command, handbook: Path, tmp_path: Path) -> None:
    files: list[str | Path] = [
        handbook / "judgements.qrels",
        *runs_in(handbook),
        "--collection",
        handbook / "articles",
    ]
    preset = ("--campaign", "inex2009", "--task", "relevant-in-context", "--test", "t")
    assert call("report", *files, *preset, "--out", "r.html").code == 0
    (task,) = data_in(tmp_path / "r.html")["tasks"]
    assert task["measures"][0]["name"] == "MAgP(score=F,beta=0.25)"
    assert task["measures"][0]["doubtful"]
    assert any(line.startswith("relevant_size=stated (") for line in task["policy"])


def test_the_same_command_makes_the_same_page(call: Command, handbook: Path, tmp_path: Path) -> None:
    for name in ("a.html", "b.html"):
        done = call(
            "report", handbook / "judgements.qrels", *runs_in(handbook)[:2], "-m", "SpanR", "--out", name
        )
        assert done.code == 0
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["worked.qrels", "worked.txt"], "give the page to write, for example --out report.html."),
        (["worked.qrels", "--out", "r.html"], "give judgements and at least one run, or a --campaign-file."),
        (["worked.qrels", "worked.txt", "--test", "tt", "--out", "r.html"], "unknown significance test 'tt'"),
        (["worked.qrels", "gone.txt", "--out", "r.html"], "gone.txt: no such file."),
        (
            ["worked.qrels", "worked.txt", "--topics", "worked.txt", "--out", "r.html"],
            "is not topics in a known format",
        ),
        (["worked.qrels", "worked.txt", "--task", "focused", "--out", "r.html"], "--task needs --campaign"),
        (["worked.qrels", "worked.txt", "--out", "gone/r.html"], "cannot be written"),
        (
            ["--campaign-file", "c.toml", "--collection", "x", "--out", "r.html"],
            "names collection, judgements",
        ),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    call: Command, worked: tuple[str, str], tmp_path: Path, arguments: list[str], message: str
) -> None:
    assert worked
    done = call("report", *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.notes[-1]
    assert not (tmp_path / "r.html").exists()


def test_topics_without_ids_are_refused(call: Command, worked: tuple[str, str], write: Write) -> None:
    topics = write("t.xml", "<topics><title>x</title></topics>")
    done = call("report", *worked, "--topics", topics, "--out", "r.html")
    assert done.code == 2
    assert "t.xml, line 1: is not topics in a known format" in done.notes[-1]


def test_one_run_makes_a_page(call: Command, worked: tuple[str, str], tmp_path: Path) -> None:
    assert call("report", *worked, "--out", "r.html").code == 0
    (task,) = data_in(tmp_path / "r.html")["tasks"]
    assert task["comparison"] is None


def _graded(write: Write) -> list[str]:
    """Write assessments of 2005 on three topics, and two runs; a has the better article first."""
    for topic in "123":
        elements = "".join(
            f'<file collection="ieee" name="{doc}"><element path="/article[1]" exhaustivity="{grade}" '
            f'size="400" rsize="400"/></file>'
            for doc, grade in (("A", 2), ("B", 1))
        )
        text = f'<assessments pool="{topic}0" topic="{topic}" version="2">{elements}</assessments>'
        write(f"assessments/{topic}.xml", text)
    names = ["assessments"]
    for run, documents in (("a", "AB"), ("b", "BA")):
        results = "".join(
            f"<result><file>{doc}</file><path>/article[1]</path><rank>{rank}</rank></result>"
            for rank, doc in enumerate(documents, start=1)
        )
        topics = "".join(f'<topic topic-id="{topic}">{results}</topic>' for topic in "123")
        about = f'participant-id="7" run-id="{run}" task="CO.Thorough" query="automatic"'
        names.append(write(f"{run}.xml", f"<inex-submission {about}>{topics}</inex-submission>"))
    return names


def test_graded_judgements_have_their_curves_and_quantisations(
    call: Command, write: Write, tmp_path: Path
) -> None:
    measures = [f"MAep(quant={quant},overlap=off)" for quant in ("gen5", "strict5")]
    asked = [part for name in measures for part in ("-m", name)]
    done = call("report", *_graded(write), *asked, "--test", "t", "--out", "r.html")
    assert done.code == 0, done.err
    (task,) = data_in(tmp_path / "r.html")["tasks"]
    assert [(curve["name"], curve["axis"]) for curve in task["curves"]] == [
        ("ep(quant=gen5,overlap=off)", "recall"),
        ("nxCG(quant=gen5,overlap=off)", "rank"),
        ("ep(quant=strict5,overlap=off)", "recall"),
        ("nxCG(quant=strict5,overlap=off)", "rank"),
    ]
    # nxCG of gen5 at ranks 1 and 2: the ideal gains 1, 1.5; a gains the same, b 0.5, 1.5
    assert [row[:2] for row in task["curves"][1]["values"]] == [[1, 1], [0.5, 1]]
    assert [d["name"] for d in task["conditions"]["decisions"]] == measures
    assert task["participants"] == ["7", "7"]
    assert task["figures"]["granularity"]["message"].startswith("all results are of one element, article:")
