"""Conditions on the command line: the same runs under several quantisations, measures or judgements."""

from __future__ import annotations

import itertools
import re
import sys
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import typer

if TYPE_CHECKING:
    from inexlab.campaigns.manifest import Manifest
    from inexlab.collection import Collection
    from inexlab.policy import Policy
    from inexlab.statistics import ScoreMatrix

K = TypeVar("K", bound=Hashable)

FILES = typer.Argument(
    metavar="[JUDGEMENTS] RUN...", help="Judgements (unless conditions name theirs) and runs."
)
MEASURE = typer.Option("-m", "--measure", help="The measure that --vary varies.")
VARY = typer.Option(metavar="KEY=A,B,…", help="Vary a parameter of the measure, or measure=A,B; repeatable.")
CONDITION = typer.Option(
    metavar="NAME=JUDGEMENTS:MEASURE",
    help="A condition spelled out; repeatable. A file of scores may stand for judgements.",
)

_COMMA = re.compile(r",(?![^()]*\))")
_MEASURE = re.compile(r"\s*(\w+)\s*(?:\((.*)\))?\s*(@.*)?")


class Condition(NamedTuple):
    """A named condition, and the level of each varied parameter it stands for."""

    name: str
    judgements: str
    measure: str
    levels: dict[str, str]
    runs: tuple[str, ...]
    policy: Policy | None = None


def read_conditions(
    files: Sequence[str], measure: str, vary: Sequence[str], spelled: Sequence[str]
) -> list[Condition]:
    """Return the conditions asked for, each with its runs."""
    from inexlab.errors import UsageError

    if spelled and (vary or measure):
        raise UsageError("give either --condition or -m with --vary.")
    if spelled:
        return _distinct([_spelled(text, files) for text in spelled])
    if not vary or len(files) < 2:
        raise UsageError("give judgements, runs, -m and --vary KEY=A,B; or runs and --condition twice.")
    factors = _factors(vary)
    if not measure and "measure" not in factors:
        raise UsageError("name the measure to vary with -m, for example -m MAep.")
    return _distinct(
        [
            Condition(" ".join(level.values()), files[0], varied, level, tuple(files[1:]))
            for level, varied in _combinations(factors, measure)
        ]
    )


def campaign_conditions(
    manifest: Manifest, task_name: str, measure: str, vary: Sequence[str]
) -> list[Condition]:
    """Return the conditions of a campaign: its tasks, and what is varied (else each task's measures).

    Parameters that measures leave out are as in the task's own.
    """
    from inexlab.cli.campaign import fitted
    from inexlab.measures import parse

    factors = _factors(vary)
    conditions = []
    for task in manifest.chosen(task_name):
        inner = factors
        if not measure and "measure" not in factors:
            inner = {"measure": _without_parameters([str(m) for m in task.measures], factors), **factors}
        combined = list(_combinations(inner, measure))
        meant = fitted([parse(varied) for _, varied in combined], task.measures, task.name)
        runs = tuple(str(entry.file) for entry in task.runs)
        for (level, _), varied in zip(combined, meant, strict=True):
            levels = {"task": task.name, **level}
            name = " ".join(levels.values())
            conditions.append(Condition(name, str(task.judgements), str(varied), levels, runs, task.policy))
    return _distinct(conditions)


def _factors(vary: Sequence[str]) -> dict[str, list[str]]:
    from inexlab.errors import UsageError

    factors: dict[str, list[str]] = {}
    for text in vary:
        key, equals, values = text.partition("=")
        levels = [value.strip() for value in _COMMA.split(values) if value.strip()]
        if key.strip() in factors:
            raise UsageError(f"--vary {key.strip()} is given twice; list all its values in one.")
        if not equals or len(levels) < 2:
            raise UsageError(f"--vary {text!r} is not KEY=A,B with at least two values.")
        factors[key.strip()] = levels
    if "measure" in factors:
        factors["measure"] = _without_parameters(factors["measure"], factors)
    return factors


def _combinations(factors: dict[str, list[str]], measure: str) -> Iterator[tuple[dict[str, str], str]]:
    """Yield every combination of levels, and the measure it stands for."""
    for combination in itertools.product(*factors.values()):
        level = dict(zip(factors, combination, strict=True))
        varied = level.get("measure", measure)
        for key, value in level.items():
            varied = varied if key == "measure" else _with_parameter(varied, key, value)
        yield level, varied


def _distinct(conditions: list[Condition]) -> list[Condition]:
    from inexlab.errors import UsageError

    names = [c.name for c in conditions]
    if twice := [name for name in names if names.count(name) > 1]:
        raise UsageError(f"two conditions are called {twice[0]!r}; give each a name of its own.")
    return conditions


def group_conditions(
    conditions: Sequence[Condition], keys: Sequence[str], *, average: bool = False
) -> list[tuple[str, list[int], tuple[str, ...]]]:
    """Group conditions by the values of some varied parameters.

    Return for each group its title, the places of its conditions, and their names without those values,
    which for an `average` over the groups have to be the same in all.
    """
    from inexlab.errors import UnknownNameError, UsageError

    for key in keys:
        if key not in conditions[0].levels:
            raise UnknownNameError("varied parameter", key, conditions[0].levels)
    groups: dict[tuple[str, ...], list[int]] = {}
    for i, condition in enumerate(conditions):
        groups.setdefault(tuple(condition.levels[key] for key in keys), []).append(i)
    rest = [" ".join(v for k, v in c.levels.items() if k not in keys) for c in conditions]
    if len(conditions) < 2:
        raise UsageError("there is one condition only; give at least two.")
    names = {tuple(rest[i] for i in places) for places in groups.values()}
    if average and len(names) > 1:
        raise UsageError(
            f"there is no mean over {', '.join(keys)}: not all have the same conditions; "
            "name them with --vary measure=A,B, or see --each."
        )
    if any(len(places) < 2 for places in groups.values()):
        raise UsageError(f"nothing is left to compare: all that varies is set apart ({', '.join(keys)}).")
    return [(" ".join(key), places, tuple(rest[i] for i in places)) for key, places in groups.items()]


def score_conditions(conditions: Sequence[Condition], collection: Collection | None) -> list[ScoreMatrix]:
    """Score every condition's runs; say which topics are left out.

    Conditions with the same runs (of a campaign, in the same task) are compared with each other, on the
    topics defined in all of them.
    """
    from inexlab.statistics.agreement import common_topics

    matrices: dict[str, ScoreMatrix] = {}
    for (runs, _), group in _groups(conditions, lambda c: (c.runs, c.levels.get("task"))):
        found, judged, notes = _scored(group, runs, collection)
        kept, _ = common_topics(list(found.values()))
        matrices |= dict(zip(found, kept, strict=True))
        left_out = sorted(judged - set(kept[0].topics))
        where = f"{group[0].levels['task']}: " if "task" in group[0].levels else ""
        shown = f"; left out: {', '.join(left_out)}" if left_out else ""
        print(
            f"inexlab: {where}{len(kept[0].topics)} topics defined in all conditions{shown}", file=sys.stderr
        )
        for note in notes:
            print(f"inexlab: {where}{note}", file=sys.stderr)
    return [matrices[c.name] for c in conditions]


def _scored(
    conditions: Sequence[Condition], runs: Sequence[str], collection: Collection | None
) -> tuple[dict[str, ScoreMatrix], set[str], dict[str, None]]:
    """Return the matrices by condition, all topics there are, and what was odd about results."""
    from inexlab.cli.terminal import working
    from inexlab.errors import UsageError
    from inexlab.measures import evaluate
    from inexlab.runs import read_run
    from inexlab.statistics.score_files import holds_scores, read_scores, to_matrix

    matrices: dict[str, ScoreMatrix] = {}
    judged: set[str] = set()
    notes: dict[str, None] = {}
    read = [read_run(path) for path in runs]
    for judgements, members in _groups(conditions, lambda c: c.judgements):
        if holds_scores(judgements):
            for c in members:
                matrices[c.name] = replace(read_scores([judgements], c.measure, common=True), measure=c.name)
                judged |= {*matrices[c.name].topics, *matrices[c.name].left_out}
            continue
        if not read:
            raise UsageError(f"give the runs to score against {judgements}.")
        measures = [c.measure for c in members]
        with working(f"scoring {judgements}"):
            scored = evaluate(judgements, read, measures, collection=collection, policy=members[0].policy)
        notes |= dict.fromkeys(scored.oddities)
        for condition, scores in zip(members, scored.scores, strict=True):
            judged |= set(scores.topics)
            matrices[condition.name] = to_matrix(scores.by_system(), condition.name, common=True)
    return matrices, judged, notes


def _groups(
    conditions: Sequence[Condition], key: Callable[[Condition], K]
) -> list[tuple[K, list[Condition]]]:
    groups: dict[K, list[Condition]] = {}
    for condition in conditions:
        groups.setdefault(key(condition), []).append(condition)
    return list(groups.items())


def _spelled(text: str, runs: Sequence[str]) -> Condition:
    from inexlab.errors import UsageError

    name, equals, rest = text.partition("=")
    judgements, colon, measure = rest.rpartition(":")
    if not equals or not colon or not name or not judgements or not measure:
        raise UsageError(f"--condition {text!r} is not NAME=JUDGEMENTS:MEASURE.")
    return Condition(name, judgements, measure, {"condition": name}, tuple(runs))


def _with_parameter(measure: str, key: str, value: str) -> str:
    """Return the measure's name with one parameter set."""
    found = _MEASURE.fullmatch(measure)
    if found is None:
        return measure  # its parser will say what is wrong
    return f"{found[1]}({','.join([*_others(found[2], [key]), f'{key}={value}'])}){found[3] or ''}"


def _without_parameters(measures: Sequence[str], keys: Iterable[str]) -> list[str]:
    """Return measures without the parameters that are varied; those that then are the same count once."""
    if not set(keys) - {"measure"}:
        return list(measures)  # a measure given twice is a mistake that others report
    names = []
    for measure in measures:
        found = _MEASURE.fullmatch(measure)
        if found is None:
            names.append(measure)  # its parser will say what is wrong
            continue
        rest = ",".join(_others(found[2], tuple(keys)))
        names.append(f"{found[1]}{f'({rest})' if rest else ''}{found[3] or ''}")
    return list(dict.fromkeys(names))


def _others(inner: str | None, keys: Container[str]) -> list[str]:
    """Return the parameters of a name but for some."""
    return [p for p in _COMMA.split(inner or "") if p and p.partition("=")[0].strip() not in keys]
