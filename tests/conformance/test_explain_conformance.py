"""Explain gives the number of evaluate on the conformance cases."""

from __future__ import annotations

from math import isnan
from pathlib import Path
from typing import Any

import pytest

from inexlab.collection import open_collection
from inexlab.judgements import read_judgements
from inexlab.measures import evaluate, explain
from inexlab.runs import read_run
from tests.conformance import CASES

OF_TEXT = (
    *("iP@0", "iP@0.01", "iP@0.1", "MAiP", "SpanP@10", "SpanR"),
    *("gP(score=F,beta=0.25)@5", "gP(score=BEP,n=500)@10", "gP(score=T2I)@5", "gR@5", "igP(score=F)@0.5"),
    *("MAgP(score=F,beta=1)", "MAgP(score=BEP,n=500)", "MAgP(score=T2I)"),
    *("HiXEvalP(alpha=1)@10", "HiXEvalR@10", "HiXEvalF(alpha=0.5)@10", "HiXEvalMAP"),
    *("num_ret", "num_rel", "num_rel_ret", "ret_size", "rel_size", "rel_ret_size"),
    *("Article(measure=AP)", "Article(measure=P@5)", "Unjudged@10", "Unjudged", "Overlap@10", "Overlap"),
)
TIED = (
    "precall(quant=gen4)",
    "precall(quant=strict4)@0.5",
    "precall(quant=sog,duplicates=drop)",
    "precall(quant=gen4,duplicates=keep)",
    "precall(quant=gen4,nnr=mass)",
    "Article(measure=AP)",
    "Overlap",
)
EFFORT = (
    *(f"nxCG(quant={q},overlap={o})@10" for q in ("gen5", "strict5") for o in ("off", "on", "2006")),
    *(f"{m}(quant=gen5,overlap={o})" for m in ("MAep", "iMAep", "Q", "R") for o in ("off", "on", "2006")),
    *(
        "MAnxCG(quant=genLifted,overlap=on)@25",
        "ep(quant=gen5,overlap=off)@0.5",
        "ep(quant=spec6,overlap=on)@1",
    ),
    *("MAep(quant=gen5,overlap=on,alpha=0.5)", "nxCG(quant=binExh,overlap=on,alpha=0.5)@10"),
    *(
        f"{m}(quant={q},overlap={o},level={level})"
        for m in ("MAep", "iMAep")
        for q in ("gen5", "strict5")
        for o in ("off", "on")
        for level in ("article", "element")
    ),
    "MAep(quant=gen5,overlap=on,level=element,clusters=relevant)",
    "Unjudged@10",
)
KINDS = {
    "passages": ("qrels2009.txt", "runs2009fol", None, OF_TEXT),
    "paths": (
        "qrels2009.txt",
        "runs2009",
        "docs",
        ("MAiP", "SpanP@5", "MAgP(score=F)", "Overlap", "Unjudged"),
    ),
    "paths, graded": ("qrels2009.txt", "runs2009", "docs", ("MAep(quant=spec6,overlap=on)", "Overlap")),
    "grades of 2004": ("assessments2004", "runs2005", None, TIED),
    "grades of 2005": ("assessments2005", "runs2005", None, EFFORT),
}


def _cases() -> list[Any]:
    folders = CASES
    return [pytest.param(f, kind, id=f"case {f.name}, {kind}") for f in folders for kind in KINDS]


@pytest.mark.parametrize(("case", "kind"), _cases())
def test_explain_ends_with_the_number_of_evaluate(case: Path, kind: str) -> None:
    """Each measure on one run, in turn: every result of a run is scored with those above it."""
    judgements_file, runs_folder, documents, measures = KINDS[kind]
    judgements = read_judgements(case / judgements_file)
    collection = open_collection(case / documents) if documents else None
    runs = [read_run(file) for file in sorted((case / runs_folder).iterdir())]
    scored = evaluate(judgements, runs, measures, collection=collection)
    explained = 0
    for m, scores in enumerate(scored.scores):
        s = m % len(runs)
        for t, topic in enumerate(scores.topics):
            made = explain(judgements, runs[s], topic, scores.measure, collection=collection)
            where = (runs[s].id, topic, str(scores.measure))
            expected = float(scores.values[s, t])
            last = made.columns["score so far"][-1] if len(made) else made.value
            last = float("nan") if last is None else last
            assert isinstance(last, float | int), where
            for found in (made.value, last):
                assert found == expected or (isnan(found) and isnan(expected)), where
            explained += 1
    assert len(runs) >= 5
    assert explained == len(judgements.topics) * len(measures)


@pytest.mark.parametrize(("case", "kind"), _cases())
def test_plain_and_compiled_loops_give_the_same_numbers(
    case: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bit for bit."""
    judgements_file, runs_folder, documents, measures = KINDS[kind]
    judgements = read_judgements(case / judgements_file)
    collection = open_collection(case / documents) if documents else None
    runs = [read_run(file) for file in sorted((case / runs_folder).iterdir())]
    found = []
    for way in ("never", "always"):
        monkeypatch.setenv("INEXLAB_COMPILED", way)
        scored = evaluate(judgements, runs, measures, collection=collection)
        found.append({str(scores.measure): scores.values.tobytes() for scores in scored.scores})
    assert found[0] == found[1]


def test_the_cases_are_all_there() -> None:
    assert len(_cases()) == 6 * len(KINDS)
