"""What it does to the ranking of systems to take one assessor's judgements for another's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from inexlab.collection import Collection
from inexlab.errors import UsageError
from inexlab.experiments.choices import Choices, choose_one
from inexlab.experiments.experiment import Entry, Experiment, OffsetUnits
from inexlab.experiments.judged_sets import JudgedSet
from inexlab.experiments.scoring import read_run_of, score
from inexlab.judgements import Judgements
from inexlab.progress import reporting
from inexlab.runs import Run
from inexlab.scores import Scores, common_topics
from inexlab.statistics.correlation import correlations
from inexlab.statistics.procedure import Procedure


class RankingEffect(NamedTuple):
    """What it does to the ranking of systems to take one assessor's judgements for another's.

    `tau_top` is tau of the systems that are among the best `top` of either. `significant_a` and
    `significant_b` count pairs of systems found different by each, `both` those found by both in the same
    direction, `swaps` those found by both in opposite directions.
    """

    a: str
    b: str
    topics: int
    systems: int
    tau: float
    tau_ap: float
    tau_top: float
    significant_a: int
    significant_b: int
    both: int
    swaps: int


def experiment_of(
    judgements: Judgements | str,
    runs: Sequence[Run | str | Path],
    choices: Choices,
    documents: Collection | None,
) -> Experiment:
    """Return the experiment that ranks runs by the one measure asked for, with whosever judgements."""
    plain = replace(choices, assessor=(), pool=())
    if choices.campaign_file:
        experiment = choose_one([], replace(plain, collection=None))
    else:
        experiment = choose_one([judgements, *runs], replace(plain, collection=documents))
    if not choices.measure and not experiment.name and experiment.preset is None:
        raise UsageError("name the measure to rank systems by, for example `measure='MAiP'`.")
    if len(choices.measure) > 1:
        raise UsageError("systems are ranked by one measure; give one.")
    return experiment if choices.measure else experiment.by(experiment.measures[:1])


def score_by_assessor(
    sets: Sequence[JudgedSet], experiment: Experiment, documents: Collection | None
) -> dict[str, Scores]:
    """Return the scores of an experiment's runs by each assessor's judgements."""
    read = tuple(Entry(read_run_of(experiment, entry, documents)) for entry in experiment.runs)
    same = replace(
        experiment,
        runs=read,
        collection=documents,
        units=OffsetUnits(),
        pools=(),
        query_type="",
        assessors=(),
        merge="",
    )
    found = {}
    for judged in reporting(sets, "scoring by assessors", "assessors"):
        scored = score(replace(same, judgements=judged.judgements))
        found[judged.name] = scored.evaluation.scores[0].complete(common=True)
    return found


def ranking_effect(
    a: str, b: str, scores: Mapping[str, Scores], top: int, procedure: Procedure
) -> RankingEffect | None:
    """Return what it does to rank systems by one assessor or by the other, on the topics both judged."""
    if len(set(scores[a].topics) & set(scores[b].topics)) < 2 or len(scores[a].systems) < 2:
        return None
    pair, _ = common_topics([scores[a], scores[b]])
    tau, tau_ap = (float(correlations(pair, name)[0, 1]) for name in ("tau", "tau-ap"))
    best = sorted(
        {int(i) for one in pair for i in np.argsort(-one.totals(), kind="stable")[: max(2, top)].tolist()}
    )
    names = [pair[0].systems[i] for i in best]
    tau_top = float(correlations([one.choose(names) for one in pair])[0, 1])
    first, second = (procedure.compare(one, intervals=False).better for one in pair)
    return RankingEffect(
        a,
        b,
        len(pair[0].topics),
        len(pair[0].systems),
        tau,
        tau_ap,
        tau_top,
        int(first.sum()),
        int(second.sum()),
        int((first & second).sum()),
        int((first & second.T).sum()),
    )
