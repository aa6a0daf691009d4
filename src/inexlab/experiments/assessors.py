"""Assessors compared: how far they agree, what that does to rankings, whether one may stand for others."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from inexlab.collection import Collection
from inexlab.errors import InputError, UnknownNameError, UsageError
from inexlab.experiments.agreeing import Agreeing, agree, agree_together, item_f1
from inexlab.experiments.choices import Choices, open_manifest
from inexlab.experiments.experiment import Experiment
from inexlab.experiments.inputs import notes_of, opened
from inexlab.experiments.judged_sets import JudgedSet, Sizes, joined_sets, read_sets
from inexlab.experiments.manifest import Manifest
from inexlab.experiments.ranking_effect import (
    RankingEffect,
    experiment_of,
    ranking_effect,
    score_by_assessor,
)
from inexlab.judgements import Judgements, read_judgements
from inexlab.judgements.overlap import shared_documents
from inexlab.progress import reporting
from inexlab.runs import Run
from inexlab.scores import Scores
from inexlab.statistics.alternative import AlternativeTest, alternative_test
from inexlab.statistics.procedure import Procedure
from inexlab.statistics.summaries import FEWEST_TOPICS
from inexlab.statistics.testing import Sampling
from inexlab.tables import Floats
from inexlab.wording import counted


@dataclass(frozen=True, eq=False)
class AssessorAgreement:
    """How far assessors agree: each pair, all together, and what it does to the ranking of systems."""

    names: tuple[str, ...]
    pairs: tuple[Agreeing, ...]
    together: Agreeing | None
    effects: tuple[RankingEffect, ...] = ()
    scores: Mapping[str, Scores] | None = None
    measure: str = ""
    test: AlternativeTest | None = None
    notes: tuple[str, ...] = ()


def compare_assessors(
    given: Sequence[Judgements | str | Path],
    runs: Sequence[Run | str | Path],
    choices: Choices,
    *,
    candidate: str = "",
    epsilon: float = 0.2,
    top: int = 10,
    procedure: Procedure,
) -> AssessorAgreement:
    """Return how far assessors agree and, given runs and a measure, what that does to the ranking."""
    if choices.merge:
        raise UsageError("`merge=` makes one of several assessors, and here they are compared.")
    if choices.campaign_file:
        manifest = open_manifest(choices.campaign_file, list(given) or list(runs) or choices.collection)
        given = _of_manifest(manifest, choices.pool)
        choices = replace(choices, collection=manifest.collection)
    if not given:
        raise UsageError("give the judgements of two assessors or more: inexlab assessors A B.")
    documents = opened(choices.collection)
    sets = read_sets(given, choices, documents)
    experiment = None
    if runs or choices.campaign_file:
        experiment = experiment_of(sets[0].judgements if sets else "", runs, choices, documents)
    elif choices.measure:
        raise UsageError("`measure=` scores runs: give them with `runs=`.")
    return compare_sets(
        sets,
        documents,
        procedure,
        experiment=experiment,
        candidate=candidate,
        epsilon=epsilon,
        top=top,
    )


def _of_manifest(manifest: Manifest, pools: Sequence[str]) -> list[Judgements]:
    """Return the sets of judgements of a campaign; one that names no assessor is by its own name."""
    named = manifest.judgements.items()
    return [read_judgements(path, pools=pools, unnamed=name) for name, path in named]


def compare_sets(
    sets: Sequence[JudgedSet],
    documents: Collection | None,
    procedure: Procedure,
    *,
    experiment: Experiment | None = None,
    candidate: str = "",
    epsilon: float = 0.2,
    top: int = 10,
) -> AssessorAgreement:
    """Compare what assessors judged; an experiment's runs are ranked by each of them."""
    if len(sets) < 2:
        only = f"{sets[0].name} is the only assessor" if sets else "nobody is named as assessor"
        raise UsageError(f"{only}; to compare takes two: give their files, or one that names both.")
    sampling, alpha = procedure.sampling, procedure.alpha
    sizes = Sizes(sets, documents)
    pairs = [
        agree(
            (x.name, x.judgements),
            (y.name, y.judgements),
            size_of=sizes,
            text=x.text and y.text,
            alpha=alpha,
            sampling=sampling,
        )
        for x, y in reporting(list(itertools.combinations(sets, 2)), "comparing assessors", "pairs")
    ]
    pairs = [pair for pair in pairs if pair.documents]
    if not pairs:
        raise UsageError("no document is judged by two of the assessors: there is nothing to compare.")
    together = None
    if len(sets) > 2:
        together = agree_together(
            joined_sets(sets),
            [one.name for one in sets],
            size_of=sizes,
            text=all(one.text for one in sets),
            alpha=alpha,
            sampling=sampling,
        )
    test = _alternative(sets, candidate, epsilon, alpha) if candidate else None
    scores = score_by_assessor(sets, experiment, documents) if experiment else {}
    found = (ranking_effect(pair.a, pair.b, scores, top, procedure) for pair in pairs if scores)
    return AssessorAgreement(
        tuple(one.name for one in sets),
        tuple(pairs),
        together,
        tuple(effect for effect in found if effect is not None),
        scores,
        next(iter(scores.values())).name if scores else "",
        test,
        (
            *notes_of(documents),
            *_notes(sets, pairs, alpha, sampling),
            *(experiment.notes if experiment else ()),
        ),
    )


def _notes(
    sets: Sequence[JudgedSet], pairs: Sequence[Agreeing], alpha: float, sampling: Sampling
) -> list[str]:
    counts = [len(pair.topics) for pair in pairs]
    over = "topics" if min(counts) >= FEWEST_TOPICS else "documents"
    if min(counts) < FEWEST_TOPICS <= max(counts):
        over = "topics, of pairs with fewer than ten over documents"
    compared = sum(pair.documents for pair in pairs)
    found = [
        f"{', '.join(one.name for one in sets)}: {counted(compared, 'document')} judged by two, "
        f"on {counted(len({t for p in pairs for t in p.topics}), 'topic')}",
        f"{100 * (1 - alpha):g}% intervals by bootstrap over {over}, "
        f"{counted(sampling.resamples, 'resample')}, seed {sampling.seed}",
    ]
    if over == "documents":
        found.append("fewer than ten topics: the intervals say nothing of other topics")
    blind = [one.name for one in sets if not one.text]
    if blind:
        found.append(f"which text is highlighted is not known of {', '.join(blind)}: give `collection=DIR`")
    unknown = sum(pair.unknown_lengths for pair in pairs)
    if unknown:
        found.append(
            f"{counted(unknown, 'document')} of unknown length left out of kappa and alpha over characters: "
            "give `collection=DIR`"
        )
    return found


def _alternative(sets: Sequence[JudgedSet], candidate: str, epsilon: float, alpha: float) -> AlternativeTest:
    """Test whether a candidate may stand for the people among the assessors."""
    known = {one.name: one for one in sets}
    by_label = {str(one.assessor): one for one in sets}
    chosen = known.get(candidate) or by_label.get(candidate)
    if chosen is None:
        raise UnknownNameError("assessor", candidate, known)
    people = [one for one in sets if one is not chosen and one.assessor.kind == "person"]
    if any(not one.text for one in (chosen, *people)):
        raise UsageError(
            "the test compares text, and which is highlighted is not known of all: give `collection=DIR`."
        )
    f1: dict[tuple[str, str], dict[tuple[str, str], float]] = {}
    for x, y in itertools.combinations([chosen, *people], 2):
        shared = shared_documents(x.judgements, y.judgements)
        keys = [(shared.topics[t], doc) for t, doc in zip(shared.topic.tolist(), shared.docs, strict=True)]
        f1[x.name, y.name] = f1[y.name, x.name] = dict(zip(keys, item_f1(shared).tolist(), strict=True))
    agreement: dict[str, tuple[Floats, Floats]] = {}
    for held_out in people:
        others = [one for one in people if one is not held_out]
        ours, theirs = [], []
        for item in f1[chosen.name, held_out.name]:
            both = [
                (f1[chosen.name, other.name][item], f1[held_out.name, other.name][item])
                for other in others
                if item in f1[chosen.name, other.name] and item in f1[held_out.name, other.name]
            ]
            if both:
                ours.append(sum(x for x, _ in both) / len(both))
                theirs.append(sum(y for _, y in both) / len(both))
        agreement[held_out.name] = np.array(ours), np.array(theirs)
    return alternative_test(chosen.name, agreement, epsilon=epsilon, alpha=alpha)


def agreement_of(
    experiment: Experiment, procedure: Procedure, manifest: Manifest | None = None
) -> AssessorAgreement | None:
    """Return how far the assessors of an experiment agree, or those of its campaign; None where one judged.

    Its runs are ranked by each assessor, by its first measure.
    """
    given: list[Judgements | str | Path] = []
    if manifest is not None and len(manifest.judgements) > 1:
        given += _of_manifest(manifest, experiment.pools)
    elif isinstance(experiment.judgements, Judgements | str | Path):
        given.append(experiment.judgements)
    documents = opened(experiment.collection)
    sets = read_sets(given, Choices(pool=experiment.pools), documents) if given else []
    pairs = itertools.combinations(sets, 2)
    if not any(len(shared_documents(x.judgements, y.judgements)) for x, y in pairs):
        return None
    ranked = replace(experiment.by(experiment.measures[:1]), notes=())
    try:
        return compare_sets(sets, documents, procedure, experiment=ranked)
    except InputError:  # a run without any topic that somebody judged
        return compare_sets(sets, documents, procedure)
