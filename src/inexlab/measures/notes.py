"""What an evaluation assumed, in sentences: topics averaged over and missing, odd results and their fate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from inexlab.errors import InputError
from inexlab.judgements import Judgements
from inexlab.policy import Policy
from inexlab.runs import Run
from inexlab.scores import Scores
from inexlab.tables import Ints, by_number_and_name
from inexlab.wording import counted


def topics_averaged(scores: Scores) -> Ints:
    """Return for each system how many topics its mean (of a count: its sum) is over."""
    counts: Ints = (~np.isnan(scores.values)).sum(axis=1, dtype=np.int64)
    return counts


def coverage_notes(
    judgements: Judgements,
    over: str | Sequence[str],
    chosen: Collection[str] | None,
    missing: Mapping[str, Sequence[str]],
    scores: Sequence[Scores],
) -> Iterator[str]:
    """Say which topics the means are over, measure by measure, and which topics runs do not have."""
    topics = [t for t in judgements.topics if chosen is None or t in chosen]
    means = [s for s in scores if s.measure.definition.total == "mean"]
    if over == "run":
        yield f"means are over the topics of each run, out of {counted(len(topics), 'judged topic')}"
    else:
        yield _means_over(means, "listed" if chosen is not None else "judged", len(topics))
    if chosen is not None and not isinstance(over, str):
        unjudged = by_number_and_name(set(over) - set(chosen))
        if unjudged:
            yield f"{counted(len(unjudged), 'listed topic')} without judgements left out: {_some(unjudged)}"
    if over == "run" or not means:
        yield from _missing(missing, ", left out" if means else "")
        return
    scored, undefined = (
        _grouped((str(s.measure), _missing_topics(s, missing, defined)) for s in means)
        for defined in (True, False)
    )
    for fate, groups in (("scored 0", scored), ("left out", undefined)):
        everywhere = len(groups) == 1 and len(groups[0][1]) == len(means)
        for found, measures in groups:
            yield from _missing(found, f", {fate}" + ("" if everywhere else f" by {_some(measures, 3)}"))


def _means_over(means: Sequence[Scores], which: str, topics: int) -> str:
    noun = counted(topics, f"{which} topic")
    if not means:
        return f"counts are over {noun}"
    counts: dict[str, list[str]] = {}
    for scores in means:
        over = topics_averaged(scores)
        fewest, most = int(over.min()), int(over.max())
        number = f"{most:,}" if fewest == most else f"{fewest:,} to {most:,}"
        counts.setdefault(number, []).append(str(scores.measure))
    first, *more = ((number, _some(measures, 3)) for number, measures in counts.items())
    if not more:
        return (
            f"means are over {noun}" if first[0] == f"{topics:,}" else f"means are over {first[0]} of {noun}"
        )
    others = (f", {number} of them ({measures})" for number, measures in more)
    return f"means are over {first[0]} of {noun} ({first[1]})" + "".join(others)


def _missing_topics(
    scores: Scores, missing: Mapping[str, Sequence[str]], defined: bool
) -> dict[str, tuple[str, ...]]:
    """Return by run the topics it lacks, those that a measure scores or those that it therefore cannot."""
    if not defined and scores.measure.definition.needs != "results":
        return {}
    place = {topic: t for t, topic in enumerate(scores.topics)}
    found = {}
    for s, run in enumerate(scores.systems):
        found[run] = tuple(t for t in missing[run] if np.isnan(scores.values[s, place[t]]) != defined)
    return found


def _missing(found: Mapping[str, Sequence[str]], fate: str) -> Iterator[str]:
    incomplete = {run: topics for run, topics in found.items() if topics}
    if incomplete:
        shown = [f"{run} ({_some(topics, 3)})" for run, topics in incomplete.items()]
        yield f"{counted(len(incomplete), 'run')} without some topics{fate}: {_some(shown)}"


def _grouped(
    found: Iterable[tuple[str, dict[str, tuple[str, ...]]]],
) -> list[tuple[dict[str, tuple[str, ...]], list[str]]]:
    """Return what was found by each measure, measures with the same finding together."""
    groups: list[tuple[dict[str, tuple[str, ...]], list[str]]] = []
    for measure, topics in found:
        incomplete = {run: some for run, some in topics.items() if some}
        if not incomplete:
            continue
        group = next((measures for same, measures in groups if same == incomplete), None)
        if group is None:
            groups.append((incomplete, [measure]))
        else:
            group.append(measure)
    return groups


def undefined_notes(scores: Sequence[Scores], averaged: npt.NDArray[np.bool_]) -> Iterator[str]:
    """Say which topics that count have nothing relevant, and so no score, by the measures that find it so."""
    without: dict[tuple[str, ...], list[str]] = {}
    means = [s for s in scores if s.measure.definition.total == "mean"]
    for of_measure in means:
        if of_measure.measure.definition.needs != "anything relevant":
            continue
        undefined = np.flatnonzero(np.isnan(of_measure.values).all(axis=0) & averaged)
        topics = tuple(of_measure.topics[t] for t in undefined.tolist())
        without.setdefault(topics, []).append(str(of_measure.measure))
    for topics, measures in without.items():
        if topics:
            whose = f" for {_some(measures, 3)}" if len(measures) < len(means) else ""
            yield f"{counted(len(topics), 'topic')} without anything relevant{whose}: {_some(topics)}"


def unjudged_run(run: Run, judgements: Judgements) -> InputError:
    """Return the error for a run that has none of the judged topics."""
    first, second = (_some(by_number_and_name(topics), 3) for topics in (run.topics, judgements.topics))
    return InputError(
        f"has no judged topic: its topics are {first}; those of {judgements.file or 'the judgements'} are "
        f"{second}",
        file=run.file or run.id,
        fix="Give the judgements of its topics.",
    )


def finding_notes(findings: Mapping[str, Counter[str]], policy: Policy) -> Iterator[str]:
    """Say what was odd about the results, how often, in which runs, and what became of it."""
    again = "again" if policy.seen_text == "again" else "once"
    outside = "cut there" if policy.outside == "clip" else "taken as stated"
    in_topics = counted(sum(found["moved_topics"] for found in findings.values()), "topic")
    fates = {
        "moved": f"in {in_topics} ranked by score, not in the order of the file",
        "unscored": "without a score, ranked last",
        "tied": "with the score of the one before, ranked as in the file (trec_eval: by document id)",
        "cut": f"beyond rank {policy.limit} of the topic, cut",
        "overlapping": f"overlapping earlier ones, shared text counted {again}",
        "unjudged": "in documents without judgement for the topic, taken as not relevant",
        "unlocatable": f"in no known document or element, counted as {policy.unlocatable} characters",
        "empty": "of no length",
        "outside": f"past the stated end of the document, {outside}",
        "overlapping_elements": "overlapping earlier ones (elements), scored as the measure's overlap says",
        "no_path": "whose path is not that of an element, taken as not relevant",
    }
    for kind, fate in fates.items():
        hit = {run: found[kind] for run, found in findings.items() if found[kind]}
        if hit:
            where = _some([f"{run} ({count:,})" for run, count in hit.items()], 3)
            yield f"{counted(sum(hit.values()), 'result')} {fate}: {where}"
    unjudged = {run: found["unjudged_topics"] for run, found in findings.items() if found["unjudged_topics"]}
    if unjudged:
        where = _some([f"{run} ({count:,})" for run, count in unjudged.items()], 3)
        yield f"topics without judgements, ignored: {where}"
    if differences := policy.differences():
        yield f"policy: {', '.join(differences)}"


def _some(names: Sequence[str], most: int = 5) -> str:
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more:,} more" if more > 0 else "")
