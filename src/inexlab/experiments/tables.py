"""The tables that statistics and figures work on: runs scored here, or scores that files hold."""

from __future__ import annotations

from collections.abc import Collection as Several
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from inexlab.errors import UsageError
from inexlab.executors import Executor
from inexlab.experiments.choices import Choices, choose_experiments, choose_one
from inexlab.experiments.experiment import Experiment
from inexlab.experiments.scoring import Scored, score, with_open_collections
from inexlab.files import read_source
from inexlab.judgements import Judgements
from inexlab.judgements.read import judgement_formats
from inexlab.measures import Evaluation
from inexlab.runs import Run
from inexlab.scores import Scores, chosen_scores, joined
from inexlab.statistics import Comparison
from inexlab.statistics.procedure import Procedure
from inexlab.statistics.score_files import KNOWN, holds_scores, read_tables


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """Scores by one measure on the topics that count for all systems, with what was assumed.

    `title` tells it from others of the same call: the task and the measure. `submitted` has the task of each
    run, where runs of several are scored together.
    """

    title: str
    scores: Scores
    notes: tuple[str, ...] = ()
    submitted: Mapping[str, str] = field(default_factory=dict)


Given = Judgements | Run | Scores | str | Path  # what verbs that compare are given


def are_scores(files: Sequence[Given]) -> bool:
    """Whether scores are given, as tables or as files, not judgements and runs."""
    if not files or isinstance(files[0], Judgements | Run):
        return False
    return isinstance(files[0], Scores) or holds_scores(files[0])


def given_scores(files: Sequence[Given], choices: Choices) -> list[Scores]:
    """Return the scores that are given, a table for each measure asked for, or all there are of tables."""
    choices.refuse_for_scores()
    paths = [file for file in files if isinstance(file, str | Path)]
    if len(paths) == len(files):
        return read_tables(paths, [str(measure) for measure in choices.measure])
    by_measure: dict[str, list[Scores]] = {}
    for table in files:
        if not isinstance(table, Scores):
            raise UsageError("give scores alone, or judgements and runs.")
        by_measure.setdefault(table.name, []).append(table)
    tables = [joined(several) for several in by_measure.values()]
    return [chosen_scores(tables, measure) for measure in choices.measure] or tables


def score_tables(
    files: Sequence[Given],
    choices: Choices,
    *,
    common: bool = False,
    best_per: str = "",
    baselines: Several[str] = (),
    executor: Executor | None = None,
) -> list[ScoreTable]:
    """Return a table for each experiment and measure, or for each measure of files of scores.

    A campaign's task without a measure asked for has its official one. `common` leaves out topics that some
    systems lack; without it they are an error. `best_per` keeps the best run of each participant, and
    baselines, no matter who made them. An `executor` scores runs.
    """
    if "-" in files:
        raise UsageError("standard input cannot be compared; give a file.")
    named_elsewhere = choices.campaign_file or choices.config
    if not named_elsewhere and are_scores(files):
        if best_per:
            raise UsageError("`best_per=` needs runs that name their participant; these are scores.")
        read = given_scores(files, choices)
        titles = [table.name for table in read] if len(read) > 1 else [""]
        return [_table(title, table, common) for title, table in zip(titles, read, strict=True)]
    experiments = [_official(experiment, choices) for experiment in _chosen(files, choices)]
    return [
        _best(table, scored, baselines) if best_per else table
        for experiment in (with_open_collections(experiments) if executor is None else experiments)
        for scored in [score(experiment, executor=executor)]
        for table in _tables(scored, common, several=len(experiments) > 1)
    ]


def one_table(files: Sequence[Given], choices: Choices, *, common: bool = False) -> ScoreTable:
    """Return the one table that is asked for: of one task, by one measure."""
    if choices.campaign_file or choices.config:
        choose_one(judgements_and_runs(files), choices)
    if len(choices.measure) > 1:
        raise UsageError("only one measure can be used; give one `measure=`.")
    tables = score_tables(files, choices, common=common)
    if len(tables) > 1:
        names = ", ".join(table.scores.name for table in tables)
        raise UsageError(f"this is done by one measure; choose one of {names}.")
    return tables[0]


def _tables(scored: Scored, common: bool, *, several: bool) -> Iterator[ScoreTable]:
    """Yield a table for each measure; the first has the notes of all."""
    experiment = scored.experiment
    prefix = f"{experiment.name}, " if experiment.name else ""
    notes = labelled(experiment, scored.notes)
    for scores in scored.evaluation.scores:
        titled = several or experiment.name or len(experiment.measures) > 1
        table = _table(f"{prefix}{scores.name}" if titled else "", scores, common, notes)
        yield replace(table, submitted=scored.submitted)
        notes = ()


def labelled(experiment: Experiment, notes: Sequence[str]) -> tuple[str, ...]:
    """Return notes that say which task they are of, where it has a name."""
    return tuple(f"{experiment.name}: {note}" if experiment.name else note for note in notes)


def compare_measures(
    evaluation: Evaluation, procedure: Procedure, baselines: Sequence[str] = ()
) -> list[Comparison | None]:
    """Compare all systems by each measure, on the topics that all have; None if there is nothing to test.

    A measure that is summed up, and one with fewer than two common topics, is not tested.
    """
    found: list[Comparison | None] = []
    for scores in evaluation.scores:
        defined = int((scores.values == scores.values).all(axis=0).sum())  # NaN is not equal to itself
        if scores.total == "sum" or len(scores.systems) < 2 or defined < 2:
            found.append(None)
            continue
        found.append(procedure.compare(scores.complete(common=True), baselines, intervals=False))
    return found


def _chosen(files: Sequence[Given], choices: Choices) -> list[Experiment]:
    """Return the experiments; where the first file is neither judgements nor scores, say what is known."""
    if not choices.campaign_file and not choices.config:
        if not files:
            raise UsageError("give judgements and at least two runs, files of scores, or a `campaign_file=`.")
        _refuse_unknown(files[0])
        if len(files) < 2:
            raise UsageError("give judgements and at least two runs, or files of scores.")
    return choose_experiments(judgements_and_runs(files), choices)


def judgements_and_runs(files: Sequence[Given]) -> list[Judgements | Run | str | Path]:
    """Return what is given, which has to be judgements and runs."""
    found: list[Judgements | Run | str | Path] = []
    for file in files:
        if isinstance(file, Scores):
            raise UsageError("give judgements and runs; there are scores among them.")
        found.append(file)
    return found


def _refuse_unknown(file: Given) -> None:
    """Refuse a first file that is neither judgements nor scores, before runs are looked at."""
    if not isinstance(file, str | Path) or Path(file).is_dir():
        return
    source = read_source(file)
    if not any(known.recognises(source) for known in judgement_formats.values()):
        what = "is neither judgements nor scores in a known format"
        raise source.problem(what, source.first_row[0], fix=KNOWN)


def _official(experiment: Experiment, choices: Choices) -> Experiment:
    """Return the experiment with the measures asked for, else with the official one of its task."""
    if choices.measure or choices.config:
        return experiment
    if not experiment.preset and not experiment.name:
        raise UsageError("give the measure to compare by, for example `measure=MAiP`.")
    return replace(experiment, measures=experiment.measures[:1])


def _table(title: str, scores: Scores, common: bool, notes: tuple[str, ...] = ()) -> ScoreTable:
    complete = scores.complete(common=common)
    if complete.left_out:
        topics = ", ".join(complete.left_out)
        notes = (*notes, f"topics without a score for every system, left out: {topics}")
    return ScoreTable(title, complete, notes=notes)


def _best(table: ScoreTable, scored: Scored, baselines: Several[str]) -> ScoreTable:
    """Return the table of each participant's best run, and of the baselines."""
    scores = table.scores
    best: dict[str, str] = {}
    ranked = sorted(zip(scores.systems, scores.totals(), strict=True), key=lambda pair: -pair[1])
    for system, _ in ranked:
        best.setdefault(scored.participant(system), system)
    kept = {*best.values(), *baselines}
    return replace(table, scores=scores.choose([s for s in scores.systems if s in kept]))
