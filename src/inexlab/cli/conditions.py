"""Conditions on the command line: the same runs under several quantisations, measures or judgements."""

from __future__ import annotations

import itertools
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import typer

if TYPE_CHECKING:
    from inexlab.statistics import ScoreMatrix

FILES = typer.Argument(
    metavar="[JUDGEMENTS] RUN...", help="Judgements (unless conditions name theirs) and runs."
)
MEASURE = typer.Option("-m", "--measure", help="The measure that --vary varies.")
VARY = typer.Option(metavar="KEY=A,B,…", help="Vary a parameter of the measure, or measure=A,B; repeatable.")
CONDITION = typer.Option(
    metavar="NAME=JUDGEMENTS:MEASURE",
    help="A condition spelled out; repeatable. A file of scores may stand for judgements.",
)
COLLECTION = typer.Option(
    metavar="DIR", help="Folder or archive of the XML documents; XPath results need it."
)

_COMMA = re.compile(r",(?![^()]*\))")


class Condition(NamedTuple):
    """A named condition, and the level of each varied parameter it stands for."""

    name: str
    judgements: str
    measure: str
    levels: dict[str, str]


def read_conditions(
    files: Sequence[str], measure: str, vary: Sequence[str], spelled: Sequence[str]
) -> tuple[list[Condition], list[str]]:
    """Return the conditions asked for, and the runs."""
    from inexlab.errors import UsageError

    if spelled and (vary or measure):
        raise UsageError("give either --condition or -m with --vary.")
    if spelled:
        conditions = [_spelled(text) for text in spelled]
        return _distinct(conditions), list(files)
    if not vary or len(files) < 2:
        raise UsageError("give judgements, runs, -m and --vary KEY=A,B; or runs and --condition twice.")
    factors: dict[str, list[str]] = {}
    for text in vary:
        key, equals, values = text.partition("=")
        levels = [value.strip() for value in _COMMA.split(values) if value.strip()]
        if key.strip() in factors:
            raise UsageError(f"--vary {key.strip()} is given twice; list all its values in one.")
        if not equals or len(levels) < 2:
            raise UsageError(f"--vary {text!r} is not KEY=A,B with at least two values.")
        factors[key.strip()] = levels
    if not measure and "measure" not in factors:
        raise UsageError("name the measure to vary with -m, for example -m MAep.")
    conditions = []
    for combination in itertools.product(*factors.values()):
        level = dict(zip(factors, combination, strict=True))
        varied = level.get("measure", measure)
        for key, value in level.items():
            varied = varied if key == "measure" else _with_parameter(varied, key, value)
        conditions.append(Condition(" ".join(combination), files[0], varied, level))
    return _distinct(conditions), list(files[1:])


def _distinct(conditions: list[Condition]) -> list[Condition]:
    from inexlab.errors import UsageError

    names = [c.name for c in conditions]
    if twice := [name for name in names if names.count(name) > 1]:
        raise UsageError(f"two conditions are called {twice[0]!r}; give each a name of its own.")
    return conditions


def group_conditions(
    conditions: Sequence[Condition], keys: Sequence[str]
) -> list[tuple[str, list[int], tuple[str, ...]]]:
    """Group conditions by the values of some varied parameters.

    Return for each group its title, the places of its conditions, and their names without those values.
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
    if any(len(places) < 2 for places in groups.values()):
        raise UsageError(f"nothing is left to compare: all that varies is set apart ({', '.join(keys)}).")
    return [(" ".join(key), places, tuple(rest[i] for i in places)) for key, places in groups.items()]


def score_conditions(
    conditions: Sequence[Condition], runs: Sequence[str], collection: str
) -> list[ScoreMatrix]:
    """Score the runs under every condition, on the topics defined in all of them; say which are left out."""
    from inexlab.cli.terminal import working
    from inexlab.collection import open_collection
    from inexlab.errors import UsageError
    from inexlab.measures import evaluate
    from inexlab.runs import read_run
    from inexlab.statistics.agreement import common_topics
    from inexlab.statistics.score_files import holds_scores, read_scores, to_matrix

    documents = open_collection(collection) if collection else None
    read = [read_run(path) for path in runs]
    matrices, judged, notes = [], set(), dict[str, None]()
    for judgements, group in itertools.groupby(conditions, key=lambda c: c.judgements):
        members = list(group)
        if holds_scores(judgements):
            for c in members:
                matrices.append(replace(read_scores([judgements], c.measure, common=True), name=c.name))
                judged |= {*matrices[-1].topics, *matrices[-1].left_out}
            continue
        if not read:
            raise UsageError(f"give the runs to score against {judgements}.")
        with working(f"scoring {judgements}"):
            scored = evaluate(judgements, read, [c.measure for c in members], collection=documents)
        notes |= dict.fromkeys(scored.oddities)
        for condition, scores in zip(members, scored.scores, strict=True):
            judged |= set(scores.topics)
            matrices.append(to_matrix(scores.by_system(), condition.name, common=True))
    kept, _ = common_topics(matrices)
    left_out = sorted(judged - set(kept[0].topics))
    shown = f"; left out: {', '.join(left_out)}" if left_out else ""
    print(f"inexlab: {len(kept[0].topics)} topics defined in all conditions{shown}", file=sys.stderr)
    for note in notes:
        print(f"inexlab: {note}", file=sys.stderr)
    return kept


def _spelled(text: str) -> Condition:
    from inexlab.errors import UsageError

    name, equals, rest = text.partition("=")
    judgements, colon, measure = rest.rpartition(":")
    if not equals or not colon or not name or not judgements or not measure:
        raise UsageError(f"--condition {text!r} is not NAME=JUDGEMENTS:MEASURE.")
    return Condition(name, judgements, measure, {"condition": name})


def _with_parameter(measure: str, key: str, value: str) -> str:
    """Return the measure's name with one parameter set."""
    found = re.fullmatch(r"\s*(\w+)\s*(?:\((.*)\))?\s*(@.*)?", measure)
    if found is None:
        return measure  # its parser will say what is wrong
    inner = [part for part in _COMMA.split(found[2] or "") if part and part.partition("=")[0].strip() != key]
    return f"{found[1]}({','.join([*inner, f'{key}={value}'])}){found[3] or ''}"
