"""The same job on whole documents in ranx, ir_measures and inexlab: equal numbers, and no more lines here."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

NAMES = ("AP", "nDCG@10", "RR", "P@10")
FROM_FILES = {
    "ranx": """\
from ranx import Qrels, Run, evaluate
qrels = Qrels.from_file("qrels.trec", kind="trec")
run = Run.from_file("run.trec", kind="trec")
means = evaluate(qrels, run, ["map", "ndcg@10", "mrr", "precision@10"])
""",
    "ir_measures": """\
import ir_measures
from ir_measures import AP, RR, P, nDCG
qrels = ir_measures.read_trec_qrels("qrels.trec")
run = ir_measures.read_trec_run("run.trec")
means = ir_measures.calc_aggregate([AP, nDCG @ 10, RR, P @ 10], qrels, run)
""",
    "inexlab": """\
import inexlab
means = inexlab.evaluate("qrels.trec", "run.trec", ["AP", "nDCG@10", "RR", "P@10"]).means()
""",
}
FROM_DICTIONARIES = {
    "ranx": """\
from ranx import Qrels, Run, evaluate
means = evaluate(Qrels(judged), Run(scored), ["map", "ndcg@10", "mrr", "precision@10"])
""",
    "ir_measures": """\
import ir_measures
from ir_measures import AP, RR, P, nDCG
means = ir_measures.calc_aggregate([AP, nDCG @ 10, RR, P @ 10], judged, scored)
""",
    "inexlab": """\
import inexlab
means = inexlab.evaluate(judged, scored, ["AP", "nDCG@10", "RR", "P@10"]).means()
""",
}


def job() -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Return judgements with grades from 0 to 3, and a run without ties, of 20 topics."""
    chance = random.Random(2006)
    judged, scored = {}, {}
    for topic in map(str, range(1, 21)):
        documents = [f"d{n}" for n in range(60)]
        judged[topic] = {"d0": 1, **{doc: chance.randint(0, 3) for doc in chance.sample(documents[1:], 25)}}
        found = chance.sample(documents, 40)
        scored[topic] = {doc: place + chance.random() / 2 for place, doc in enumerate(found)}
    return judged, scored


def means_of(code: str, judged: object, scored: object) -> list[float]:
    """Run some code; return the means by the four measures, in their order."""
    variables: dict[str, Any] = {"judged": judged, "scored": scored}
    exec(code, variables)  # the code is what the test is about
    means = {str(name): value for name, value in variables["means"].items()}
    if len(means) == 1:  # of inexlab, by run
        [means] = means.values()
    theirs = dict(zip(("map", "ndcg@10", "mrr", "precision@10"), NAMES, strict=True))  # names of ranx
    ours = {theirs.get(name, name): float(value) for name, value in means.items()}
    return [ours[name] for name in NAMES]


@pytest.mark.filterwarnings("ignore")  # which compiling ranx, and ir_measures on newer Pythons, give
@pytest.mark.parametrize("peer", ["ranx", "ir_measures"])
@pytest.mark.parametrize("codes", [FROM_FILES, FROM_DICTIONARIES], ids=["files", "dictionaries"])
def test_equal_numbers_and_no_more_lines(
    peer: str, codes: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip(peer, reason=f"{peer} is not installed: pip install 'inexlab[peers]'")
    monkeypatch.chdir(tmp_path)
    judged, scored = job()
    qrels = [f"{topic} 0 {doc} {grade}\n" for topic, docs in judged.items() for doc, grade in docs.items()]
    run = [f"{topic} Q0 {doc} 1 {s!r} r\n" for topic, docs in scored.items() for doc, s in docs.items()]
    Path("qrels.trec").write_text("".join(qrels))
    Path("run.trec").write_text("".join(run))
    ours, theirs = (means_of(codes[library], judged, scored) for library in ("inexlab", peer))
    assert ours == pytest.approx(theirs, abs=1e-12)
    assert len(codes["inexlab"].splitlines()) <= len(codes[peer].splitlines())
