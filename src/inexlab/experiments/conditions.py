"""Conditions: the same runs under several quantisations, measures, judgements or tasks."""

from __future__ import annotations

import itertools
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from inexlab.collection import Collection
from inexlab.errors import UnknownNameError, UsageError
from inexlab.experiments.choices import CAMPAIGN_ALONE, Choices, choose_experiments
from inexlab.experiments.experiment import Experiment
from inexlab.experiments.inputs import notes_of
from inexlab.experiments.scoring import score, with_open_collections
from inexlab.judgements import Judgements
from inexlab.measures import parse
from inexlab.progress import reporting
from inexlab.runs import Run
from inexlab.scores import Scores, common_topics
from inexlab.statistics.procedure import Procedure
from inexlab.statistics.score_files import holds_scores, read_tables
from inexlab.tables import by_number_and_name
from inexlab.wording import counted

TOPICS_OF = ("common", "own")
DECISIONS = ("test", "correction")  # what can vary in how systems are compared, with the same scores
_COMMA = re.compile(r",(?![^()]*\))")
_MEASURE = re.compile(r"\s*(\w+)\s*(?:\((.*)\))?\s*(@.*)?")


@dataclass(frozen=True, eq=False)
class Condition:
    """An experiment by one measure (or a file of scores), and the level of each varied parameter.

    Conditions that share an experiment are scored together.
    """

    levels: Mapping[str, str]
    measure: str
    experiment: Experiment | None = None
    scores_file: str = ""

    @property
    def name(self) -> str:
        """The levels, which tell it from other conditions."""
        return " ".join(self.levels.values())

    @property
    def task(self) -> str:
        """The campaign's task that it belongs to, if any."""
        return self.levels.get("task", "")

    def procedure(self, usual: Procedure) -> Procedure:
        """Return how its systems are compared: as usual but for what varies."""
        test = self.levels.get("test", usual.test)
        return replace(usual, test=test, correction=self.levels.get("correction", usual.correction))

    def runs(self) -> tuple[str, ...]:
        """Return the files of the runs: conditions with the same ones can be compared."""
        return tuple(str(e.file) for e in self.experiment.runs) if self.experiment else ()


class Group(NamedTuple):
    """Conditions to compare: what they have in common, their places, and their names without that."""

    title: str
    places: list[int]
    names: tuple[str, ...]


def choose_conditions(
    files: Sequence[Judgements | Run | str | Path],
    choices: Choices,
    vary: Sequence[str],
    spelled_out: Sequence[str],
) -> list[Condition]:
    """Return the conditions asked for.

    `vary` are texts such as `quant=gen5,strict5`, `measure=MAiP,iP@0.01` or `test=t,bootstrap`. In a campaign
    and in a configuration of several tasks these vary too (`task=A,B` chooses some), and without a measure
    asked for each task's measures. `spelled_out` are conditions such as `assessor-b=b.qrels:MAiP` or
    `theirs=scores.csv`.
    """
    if choices.campaign_file or choices.config:
        if spelled_out:
            raise UsageError(CAMPAIGN_ALONE)
        return _distinct(list(_of_tasks(files, choices, vary)))
    if spelled_out:
        if vary or choices.measure:
            raise UsageError("give either `condition=` or `measure=` with `vary=`.")
        return _distinct(list(_spelled_out(files, choices, spelled_out)))
    if not vary or len(files) < 2:
        raise UsageError(
            "give judgements, runs, `measure=` and `vary='KEY=A,B'`; or runs and two of `condition=`."
        )
    factors = _factors(vary)
    if not choices.measure and "measure" not in factors:
        raise UsageError("give the measure to vary, for example `measure=MAep`.")
    [experiment] = choose_experiments(files, replace(choices, measure=()))
    return _distinct(
        [
            Condition(level, varied, experiment)
            for level, varied in _combinations(factors, _one_measure(choices))
        ]
    )


def _of_tasks(
    files: Sequence[Judgements | Run | str | Path], choices: Choices, vary: Sequence[str]
) -> Iterator[Condition]:
    """Yield the conditions of a campaign: its tasks, and what is varied (else each task's measures)."""
    factors, measure = _factors(vary), _one_measure(choices)
    experiments = choose_experiments(files, replace(choices, measure=()))
    if "task" in factors:
        known = {experiment.name: experiment for experiment in experiments}
        for name in factors["task"]:
            if name not in known:
                raise UnknownNameError(f"task of {choices.campaign_file or choices.config}", name, known)
        experiments = [known[name] for name in factors.pop("task")]
    for experiment in experiments:
        inner = factors
        if not measure and "measure" not in factors:
            names = [str(m) for m in experiment.measures]
            inner = {"measure": _without_parameters(names, factors), **factors}
        for level, varied in _combinations(inner, measure):
            task = {"task": experiment.name} if experiment.name else {}  # of a single task there is no name
            yield Condition({**task, **level}, varied, experiment)


def _spelled_out(
    files: Sequence[Judgements | Run | str | Path], choices: Choices, texts: Sequence[str]
) -> Iterator[Condition]:
    made: dict[str, Experiment] = {}
    for text in texts:
        name, equals, rest = text.partition("=")
        judgements, _, measure = rest.rpartition(":")
        if rest and Path(rest).exists():  # a name that holds a colon, or scores by one measure
            judgements, measure = rest, ""
        if not equals or not name or not judgements:
            raise UsageError(f"`condition={text!r}` is not NAME=JUDGEMENTS:MEASURE or NAME=SCORES.")
        level = {"condition": name}
        if holds_scores(judgements):
            yield Condition(level, measure, scores_file=judgements)
            continue
        if not measure:
            raise UsageError(f"`condition={text!r}` names no measure: {name}={judgements}:MEASURE.")
        if not files:
            raise UsageError(f"give the runs to score against {judgements}.")
        if judgements not in made:
            [made[judgements]] = choose_experiments([judgements, *files], choices)
        yield Condition(level, measure, made[judgements])


def _one_measure(choices: Choices) -> str:
    if len(choices.measure) > 1:
        raise UsageError("only one measure can be varied; to vary the measure itself: `vary='measure=A,B'`.")
    return str(choices.measure[0]) if choices.measure else ""


def _factors(vary: Sequence[str]) -> dict[str, list[str]]:
    factors: dict[str, list[str]] = {}
    for text in vary:
        key, equals, values = text.partition("=")
        levels = [value.strip() for value in _COMMA.split(values) if value.strip()]
        if key.strip() in factors:
            raise UsageError(f"`vary={key.strip()}` is given twice; list all its values in one.")
        if not equals or not levels:
            raise UsageError(f"`vary={text!r}` is not KEY=A,B.")
        factors[key.strip()] = levels
    if "measure" in factors:
        factors["measure"] = _without_parameters(factors["measure"], factors)
    return factors


def _combinations(factors: Mapping[str, Sequence[str]], measure: str) -> Iterator[tuple[dict[str, str], str]]:
    """Yield every combination of levels, and the measure it stands for."""
    for combination in itertools.product(*factors.values()):
        level = dict(zip(factors, combination, strict=True))
        varied = level.get("measure", measure)
        for key, value in level.items():
            varied = varied if key in ("measure", *DECISIONS) else _with_parameter(varied, key, value)
        yield level, varied


def _distinct(conditions: list[Condition]) -> list[Condition]:
    names = [c.name for c in conditions]
    if twice := [name for name in names if names.count(name) > 1]:
        raise UsageError(f"two conditions are called {twice[0]!r}; give each a name of its own.")
    return conditions


def group_conditions(
    conditions: Sequence[Condition], keys: Sequence[str], *, average: bool = False
) -> list[Group]:
    """Group conditions by the values of some varied parameters.

    For an `average` over the groups the rest of their names has to be the same in all.
    """
    for key in keys:
        if key not in conditions[0].levels:
            raise UnknownNameError("varied parameter", key, conditions[0].levels)
    groups: dict[tuple[str, ...], list[int]] = {}
    for i, condition in enumerate(conditions):
        groups.setdefault(tuple(condition.levels[key] for key in keys), []).append(i)
    rest = [" ".join(v for k, v in c.levels.items() if k not in keys) for c in conditions]
    if len(conditions) < 2:
        raise UsageError("there is only one condition; give at least two.")
    names = {tuple(rest[i] for i in places) for places in groups.values()}
    if average and len(names) > 1:
        raise UsageError(
            f"there is no mean over {', '.join(keys)}: not all have the same conditions; "
            "name them with `vary='measure=A,B'`, or see `each=`."
        )
    if any(len(places) < 2 for places in groups.values()):
        raise UsageError(f"nothing is left to compare: all that varies is set apart ({', '.join(keys)}).")
    return [Group(" ".join(key), places, tuple(rest[i] for i in places)) for key, places in groups.items()]


def score_conditions(
    conditions: Sequence[Condition],
    *,
    topics_of: str = "common",
    across_runs: bool = False,
) -> tuple[list[Scores], list[str]]:
    """Return every condition's scores, called by its name, and what was assumed.

    Conditions with the same runs (of a campaign, in the same task) are compared with each other, on the
    topics defined in all of them. With `topics_of="own"` each has all topics that are defined in it, as in
    Ogilvie and Lalmas (2006), where strict quantisations had fewer. With `across_runs` common topics are
    those of all conditions, whatever their runs.
    """
    if topics_of not in TOPICS_OF:
        raise UnknownNameError("value of `topics_of=`", topics_of, TOPICS_OF)
    found, judged, condition_notes = _scored(conditions)
    tables: dict[str, Scores] = {}
    notes = [
        f"{c.task}: {note}" if c.task else note for c in conditions for note in condition_notes[c.name].made
    ]
    keys = [((), "") if across_runs else (c.runs(), c.task) for c in conditions]
    for key in dict.fromkeys(keys):
        members = [c for c, of_condition in zip(conditions, keys, strict=True) if of_condition == key]
        kept = [found[c.name] for c in members]
        if topics_of == "common":
            kept, _ = common_topics(kept)
        tables |= {c.name: table for c, table in zip(members, kept, strict=True)}
        where = f"{key[1]}: " if key[1] else ""
        if topics_of == "common":
            left_out = by_number_and_name(
                set().union(*(judged[c.name] for c in members)) - set(kept[0].topics)
            )
            shown = f"; left out: {', '.join(left_out)}" if left_out else ""
            notes.append(f"{where}{counted(len(kept[0].topics), 'topic')} defined in all conditions{shown}")
        else:
            counts = ", ".join(f"{table.name} {len(table.topics):,}" for table in kept)
            notes.append(f"{where}topics of each condition: {counts}")
        odd = dict.fromkeys(note for c in members for note in condition_notes[c.name].odd)
        notes += [f"{where}{note}" for note in odd]
    return [tables[c.name] for c in conditions], list(dict.fromkeys(notes))


class _Notes(NamedTuple):
    """What was assumed in making an experiment, and what was odd about its results."""

    made: Sequence[str] = ()
    odd: Sequence[str] = ()


def _scored(
    conditions: Sequence[Condition],
) -> tuple[dict[str, Scores], dict[str, set[str]], dict[str, _Notes]]:
    """Return by condition the scores, all topics there are, and what was odd about results."""
    tables: dict[str, Scores] = {}
    judged: dict[str, set[str]] = {}
    condition_notes: dict[str, _Notes] = {}
    experiments = list({id(c.experiment): c.experiment for c in conditions if c.experiment}.values())
    opened = with_open_collections(experiments)
    ready_to_score = list(zip(experiments, opened, strict=True))
    for experiment, ready in reporting(ready_to_score, "scoring conditions", "experiments"):
        members = [c for c in conditions if c.experiment is experiment]
        measures = list(dict.fromkeys(c.measure for c in members))  # conditions may differ in the test alone
        documents = notes_of(ready.collection if isinstance(ready.collection, Collection) else None)
        varied = ready.by([parse(measure) for measure in measures])
        scored = score(varied)
        of_measure = dict(zip(measures, scored.evaluation.scores, strict=True))
        for condition in members:
            scores = of_measure[condition.measure]
            judged[condition.name] = set(scores.topics)
            condition_notes[condition.name] = _Notes((*documents, *varied.notes), scored.evaluation.oddities)
            tables[condition.name] = replace(scores.complete(common=True), measure=condition.name)
    for c in conditions:
        if c.experiment is None:
            [read] = read_tables([c.scores_file], [c.measure] if c.measure else [])
            judged[c.name], condition_notes[c.name] = set(read.topics), _Notes()
            tables[c.name] = replace(read.complete(common=True), measure=c.name)
    return tables, judged, condition_notes


def _with_parameter(measure: str, key: str, value: str) -> str:
    """Return the measure's name with one parameter set."""
    found = _MEASURE.fullmatch(measure)
    if found is None:
        return measure  # its parser will say what is wrong
    return f"{found[1]}({','.join([*_others(found[2], [key]), f'{key}={value}'])}){found[3] or ''}"


def _without_parameters(measures: Sequence[str], keys: Iterable[str]) -> list[str]:
    """Return measures without the parameters that are varied; those that then are the same count once."""
    if not set(keys) - {"measure", *DECISIONS}:
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
