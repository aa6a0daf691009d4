"""Whether a pool can be trusted for a system that did not help to make it.

Each participant is left out in turn: what only they contributed counts as not judged, and all runs are scored
again (Zobel 1998). The same is done with shallower pools of all runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from inexlab.errors import UsageError
from inexlab.experiments.experiment import Entry, Experiment, OffsetUnits
from inexlab.experiments.pooling import Pooling
from inexlab.experiments.scoring import opened_collection, read_judged, read_run_of, score
from inexlab.judgements import Judgements
from inexlab.judgements.rows import take_rows
from inexlab.pooling.making import choose, pool_of
from inexlab.pooling.rankings import Rankings, read_rankings
from inexlab.progress import reporting
from inexlab.runs import Run
from inexlab.scores import Scores, common_topics
from inexlab.statistics.correlation import correlations
from inexlab.statistics.procedure import Procedure
from inexlab.tables import Codes, Ints
from inexlab.wording import counted

Mask = npt.NDArray[np.bool_]
_BORDERS = (10, 20, 50, 100, 200, 500, 1000)  # the last rank of each range


class LeftOut(NamedTuple):
    """A run scored with all judgements, and without those of documents that only its participant returned."""

    run: str
    participant: str
    alone: int
    relevant_alone: int
    score: float
    without: float
    change: float
    rank: int
    rank_without: int
    significant: int
    significant_without: int


class Unjudged(NamedTuple):
    """The share of results in documents nobody judged, by rank; `without` each participant's own."""

    ranks: str
    results: int
    unjudged: float
    without: float


class Shallower(NamedTuple):
    """All runs scored by the documents of a shallower pool, against all judgements."""

    number: int
    documents: int
    relevant: int
    topics: int
    mean: float
    mean_of_full: float
    tau: float
    tau_ap: float


@dataclass(frozen=True, eq=False)
class Reusability:
    """What leaving out participants, and shallower pools, change."""

    runs: Sequence[LeftOut]
    unjudged: Sequence[Unjudged]
    shallower: Sequence[Shallower]
    measure: str
    notes: tuple[str, ...] = ()


def check_reusability(experiment: Experiment, pooling: Pooling, procedure: Procedure) -> Reusability:
    """Score the runs of an experiment with and without what only each participant contributed to its pool."""
    if len(experiment.measures) != 1:
        raise UsageError("this is done by one measure; give one, for example `measure='MAiP'`.")
    documents = opened_collection(experiment)
    judged = read_judged(experiment, documents)
    runs: list[tuple[Run, str]] = []
    for entry in reporting(experiment.runs, "reading runs", "runs"):
        run = read_run_of(experiment, entry, documents)
        runs.append((run, entry.participant or run.about.get("participant", "")))
    rankings = read_rankings(runs, pooling.method, pooling.number)
    who = {run.id: rankings.participants.get(run.id) or run.id for run, _ in runs}
    if len(set(who.values())) < 2:
        raise UsageError("one participant made all runs: nobody is left when they are left out.")
    same = replace(
        experiment,
        collection=documents,
        runs=tuple(Entry(run) for run, _ in runs),
        units=OffsetUnits(),
        pools=(),
        query_type="",
        assessors=(),
        merge="",
    )

    def scored(judgements: Judgements) -> Scores:
        found = score(replace(same, judgements=judgements)).evaluation.scores[0]
        return found.complete(common=True)

    full = scored(judged)
    alone = _alone(rankings, pooling, who)
    keys = _keys(judged, judged)
    left_out: list[LeftOut] = []
    removed: dict[str, Mask] = {}
    for participant in reporting(list(dict.fromkeys(who.values())), "leaving out", "participants"):
        only = np.array(
            [_key(judged, topic, doc) for topic, doc in alone.get(participant, ())], dtype=np.int64
        )
        removed[participant] = np.isin(keys, only[only >= 0])
        mine = [run for run in full.systems if who[run] == participant]
        left_out += _without(participant, mine, judged, removed[participant], full, scored, procedure)
    shallower = [
        _shallower(judged, keys, rankings, pooling, number, full, scored)
        for number in reporting([*pooling.shallower(), pooling.number], "shallower pools", "pools")
    ]
    notes = (
        f"{counted(len(runs), 'run')} of {counted(len(set(who.values())), 'participant')}, {pooling}; "
        f"{full.name} on {counted(len(full.topics), 'topic')}",
        procedure.description(),
    )
    unjudged = list(_unjudged([run for run, _ in runs], who, judged, keys, removed))
    return Reusability(left_out, unjudged, shallower, full.name, notes)


def _alone(rankings: Rankings, pooling: Pooling, who: dict[str, str]) -> dict[str, list[tuple[str, str]]]:
    """Return by participant the topics and documents that only their runs returned."""
    found: dict[str, list[tuple[str, str]]] = {}
    for document in pool_of(rankings, pooling.method, pooling.number):
        names = {who[run] for run in document.runs}
        if len(names) == 1:
            found.setdefault(names.pop(), []).append((document.topic, document.doc))
    return found


def _without(
    participant: str,
    runs: Sequence[str],
    judged: Judgements,
    removed: Mask,
    full: Scores,
    scored: Callable[[Judgements], Scores],
    procedure: Procedure,
) -> Iterator[LeftOut]:
    reduced = scored(take_rows(judged, ~removed)) if removed.any() else full
    [with_all, without], _ = common_topics([full, reduced])
    found = [procedure.compare(scores, intervals=False).better for scores in (with_all, without)]
    relevant = int(np.count_nonzero(judged.document_grades[removed] > 0))
    means = [scores.totals() for scores in (with_all, without)]
    for run in runs:
        i = with_all.systems.index(run)
        ranks = [1 + int(np.count_nonzero(of_all > of_all[i])) for of_all in means]
        pairs = [int(better[i].sum() + better[:, i].sum()) for better in found]
        before, after = float(means[0][i]), float(means[1][i])
        yield LeftOut(
            run,
            participant,
            int(np.count_nonzero(removed)),
            relevant,
            before,
            after,
            after - before,
            ranks[0],
            ranks[1],
            pairs[0],
            pairs[1],
        )


def _shallower(
    judged: Judgements,
    keys: Ints,
    rankings: Rankings,
    pooling: Pooling,
    number: int,
    full: Scores,
    scored: Callable[[Judgements], Scores],
) -> Shallower:
    chosen = choose(rankings, pooling.method, number)
    kept = np.array(
        [_key(judged, topic, doc) for topic, found in chosen.items() for doc in found.documents],
        dtype=np.int64,
    )
    inside = np.isin(keys, kept[kept >= 0])
    relevant = int(np.count_nonzero(judged.document_grades[inside] > 0))
    nan = float("nan")
    if not relevant:
        return Shallower(number, int(inside.sum()), 0, 0, nan, nan, nan, nan)
    [with_all, of_pool], _ = common_topics([full, scored(take_rows(judged, inside))])
    taus = [float(correlations([with_all, of_pool], name)[0, 1]) for name in ("tau", "tau-ap")]
    means = [float(scores.totals().mean()) for scores in (of_pool, with_all)]
    return Shallower(number, int(inside.sum()), relevant, len(of_pool.topics), *means, *taus)


def _unjudged(
    runs: Sequence[Run], who: dict[str, str], judged: Judgements, keys: Ints, removed: dict[str, Mask]
) -> Iterator[Unjudged]:
    counts = np.zeros((len(_BORDERS) + 1, 3), dtype=np.int64)
    for run in runs:
        of_results = _keys(run, judged)
        known_topic = run.topics.codes_in(judged.topics)[run.topic] >= 0
        own = keys[~removed[who[run.id]]]
        unknown = [~np.isin(of_results, judged_keys) for judged_keys in (keys, own)]
        place = np.searchsorted(_BORDERS, _ranks(run.topic))
        for column, mask in enumerate((np.ones_like(known_topic), *unknown)):
            counts[:, column] += np.bincount(place[mask & known_topic], minlength=len(counts))
    first = 1
    for (results, unjudged, without), last in zip(counts.tolist(), (*_BORDERS, None), strict=True):
        if results:
            ranks = f"{first}–{last}" if last else f"{first} and more"
            yield Unjudged(ranks, results, unjudged / results, without / results)
        first = (last or 0) + 1


def _ranks(topic: Codes) -> Ints:
    """Return the rank of each result among those of its topic, from 1."""
    order = np.argsort(topic, kind="stable")
    grouped = topic[order]
    first = np.searchsorted(grouped, grouped)
    ranks = np.empty(len(topic), dtype=np.int64)
    ranks[order] = np.arange(len(topic)) - first + 1
    return ranks


def _keys(table: Run | Judgements, judged: Judgements) -> Ints:
    """Return a number for the topic and document of each row; negative where the judgements know neither."""
    topic = table.topics.codes_in(judged.topics)[table.topic].astype(np.int64)
    doc = table.docs.codes_in(judged.docs)[table.doc].astype(np.int64)
    return np.where((topic < 0) | (doc < 0), -1, topic * len(judged.docs) + doc)


def _key(judged: Judgements, topic: str, doc: str) -> int:
    t, d = judged.topics.codes.get(topic, -1), judged.docs.codes.get(doc, -1)
    return -1 if t < 0 or d < 0 else t * len(judged.docs) + d
