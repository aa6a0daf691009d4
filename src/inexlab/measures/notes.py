"""What an evaluation assumed, in sentences: topics averaged over and missing, odd results and their fate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from inexlab.judgements import Judgements
from inexlab.policy import Policy
from inexlab.scores import Scores


def coverage_notes(
    judgements: Judgements,
    over: str | Sequence[str],
    chosen: Collection[str] | None,
    missing: Mapping[str, Sequence[str]],
) -> Iterator[str]:
    """Say which topics the means are over, and which topics runs do not have."""
    topics = [t for t in judgements.topics if chosen is None or t in chosen]
    if over == "run":
        yield f"means are over the topics of each run, out of {_count(len(topics), 'judged topic')}"
    else:
        which = "listed" if chosen is not None else "judged"
        yield f"means are over {_count(len(topics), which + ' topic')}"
    if chosen is not None and not isinstance(over, str) and (unjudged := sorted(set(over) - set(chosen))):
        yield f"{_count(len(unjudged), 'listed topic')} without judgements left out: {_some(unjudged)}"
    incomplete = {run: topics for run, topics in missing.items() if topics}
    if incomplete:
        fate = "left out" if over == "run" else "scored 0"
        shown = [f"{run} ({_some(topics, 3)})" for run, topics in incomplete.items()]
        yield f"{_count(len(incomplete), 'run')} without some topics, {fate}: {_some(shown)}"


def undefined_notes(scores: Sequence[Scores], counted: npt.NDArray[np.bool_]) -> Iterator[str]:
    """Say which topics that count have nothing relevant, and so no score, by the measures that find it so."""
    without: dict[tuple[str, ...], list[str]] = {}
    for of_measure in scores:
        undefined = np.flatnonzero(np.isnan(of_measure.values).all(axis=0) & counted)
        topics = tuple(of_measure.topics[t] for t in undefined.tolist())
        if of_measure.total == "mean":
            without.setdefault(topics, []).append(str(of_measure.measure))
    for topics, measures in without.items():
        if topics:
            whose = f" for {_some(measures, 3)}" if len(without) > 1 else ""
            yield f"{_count(len(topics), 'topic')} without anything relevant{whose}: {_some(topics)}"


def finding_notes(findings: Mapping[str, Counter[str]], policy: Policy) -> Iterator[str]:
    """Say what was odd about the results, how often, in which runs, and what became of it."""
    again = "again" if policy.seen_text == "again" else "once"
    in_topics = _count(sum(found["moved_topics"] for found in findings.values()), "topic")
    fates = {
        "moved": f"in {in_topics} ranked by score, not in the order of the file",
        "unscored": "without a score, ranked last",
        "tied": "with the score of the one before, ranked as in the file (trec_eval: by document id)",
        "cut": f"beyond rank {policy.limit} of the topic, cut",
        "overlapping": f"overlapping earlier ones, shared text counted {again}",
        "unjudged": "in documents without judgement for the topic, taken as not relevant",
        "unlocatable": f"in no known document or element, counted as {policy.unlocatable} characters",
        "empty": "of no length",
        "overlapping_elements": "overlapping earlier ones (elements), scored as the measure's overlap says",
        "no_path": "whose path is no path of an element, taken as not relevant",
    }
    for kind, fate in fates.items():
        hit = {run: found[kind] for run, found in findings.items() if found[kind]}
        if hit:
            where = _some([f"{run} ({count:,})" for run, count in hit.items()], 3)
            yield f"{_count(sum(hit.values()), 'result')} {fate}: {where}"
    unjudged = {run: found["unjudged_topics"] for run, found in findings.items() if found["unjudged_topics"]}
    if unjudged:
        where = _some([f"{run} ({count:,})" for run, count in unjudged.items()], 3)
        yield f"topics without judgements, ignored: {where}"
    if differences := policy.differences():
        yield f"policy: {', '.join(differences)}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def _some(names: Sequence[str], most: int = 5) -> str:
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more:,} more" if more > 0 else "")
