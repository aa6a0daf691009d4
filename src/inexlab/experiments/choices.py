"""From the options that all verbs share to the experiments that they describe."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

from inexlab.campaigns import Preset, preset, tasks
from inexlab.campaigns.evalj import EvalJConfiguration, read_configurations
from inexlab.collection import Collection
from inexlab.contents import refuse_swapped
from inexlab.errors import InexlabError, InputError, UnknownNameError, UsageError
from inexlab.experiments.experiment import (
    Entry,
    Experiment,
    OffsetUnits,
    TopicList,
    entries_by_file_name,
    read_topic_list,
)
from inexlab.experiments.manifest import Manifest, read_manifest
from inexlab.files import files_in
from inexlab.judgements import Judgements
from inexlab.measures import Measure, expand
from inexlab.measures.scoring import DEFAULT_MEASURES
from inexlab.policy import Policy
from inexlab.runs import Run, read_run
from inexlab.topics import Topics

RUN_NAMES = ("id", "file")
CAMPAIGN_ALONE = "`campaign_file=` names collection, judgements and runs: do not give them as well."


@dataclass(frozen=True, eq=False)
class Choices:
    """The options of a verb that scores, besides judgements and runs; each means the same in all verbs."""

    measure: Sequence[str | Measure] = ()
    campaign: str = ""
    task: str = ""
    campaign_file: str | Path = ""
    config: str | Path = ""
    collection: Collection | str | Path | None = None
    topics: Sequence[str | Path | Topics] = ()
    over: str | TopicList = "judged"
    limit: int | None = None
    policy: Policy | Sequence[str] = ()
    pool: Sequence[str] = ()
    assessor: Sequence[str] = ()
    merge: str = ""
    unit: Sequence[str] = ()
    input_format: str = ""
    run_names: str = "id"
    jobs: int = 0

    def measures(self) -> list[Measure]:
        """Return the measures asked for, curves as their points."""
        return [m for name in self.measure for m in (expand(name) if isinstance(name, str) else [name])]

    def refuse_for_scores(self) -> None:
        """Refuse what says how to score if there are scores already."""
        for choice in fields(self):
            if choice.name in ("measure", "topics", "jobs"):
                continue
            given = getattr(self, choice.name)
            if given is not None and given not in (choice.default, [], ""):
                raise UsageError(f"`{choice.name}=` says how runs are scored, and these are scores already.")


def choose_experiments(
    files: Sequence[Judgements | Run | str | Path], choices: Choices | None = None
) -> list[Experiment]:
    """Return the experiments asked for: of judgements and runs, of a campaign's tasks, or of a configuration.

    `files` are judgements, then runs; a folder of runs stands for the files in it. A campaign file or a
    configuration names them itself.
    """
    choices = choices or Choices()
    if choices.run_names not in RUN_NAMES:
        raise UnknownNameError("value of `run_names=`", choices.run_names, RUN_NAMES)
    if choices.jobs < 0:
        raise UsageError(f"`jobs={choices.jobs}` must be 0 (all cores) or more.")
    if choices.campaign_file:
        found = [e.by(choices.measures()) for e in chosen_manifest(files, choices).chosen(choices.task)]
    elif choices.config:
        found = _configured(files, choices)
    else:
        found = [_given(files, choices)]
    return [_adjusted(experiment, choices) for experiment in found]


def choose_one(files: Sequence[Judgements | Run | str | Path], choices: Choices | None = None) -> Experiment:
    """Return the one experiment asked for; of several tasks one has to be chosen."""
    experiments = choose_experiments(files, choices)
    if len(experiments) > 1 and choices:
        names = ", ".join(experiment.name for experiment in experiments)
        raise UsageError(f"choose a task of {choices.campaign_file or choices.config} with `task=`: {names}.")
    return experiments[0]


def open_manifest(campaign_file: str | Path, also_given: object) -> Manifest:
    """Read a campaign manifest; what it names itself may not be `also_given`."""
    if also_given:
        raise UsageError(CAMPAIGN_ALONE)
    return read_manifest(campaign_file)


def chosen_manifest(files: Sequence[object], choices: Choices) -> Manifest:
    """Return the campaign manifest asked for; nothing that it names itself may be given with it."""
    also_given = files or choices.campaign or choices.collection or choices.config
    return open_manifest(choices.campaign_file, also_given)


def chosen_preset(campaign: str, task: str) -> Preset | None:
    """Return the preset of a campaign's task, where one is named."""
    if not campaign and not task:
        return None
    if not campaign:
        raise UsageError("`task=` needs `campaign=`, for example `campaign=inex2009`.")
    if not task:
        raise UsageError(f"`campaign={campaign}` needs `task=`: {', '.join(tasks(campaign))}.")
    return preset(campaign, task)


def _given(files: Sequence[Judgements | Run | str | Path], choices: Choices) -> Experiment:
    if len(files) < 2:
        raise UsageError("give judgements and at least one run, or a `campaign_file=`.")
    judgements, *runs = files
    if isinstance(judgements, Run):
        raise UsageError("judgements come first, then runs; the first is a run.")
    if isinstance(judgements, str | Path):
        refuse_swapped(judgements, [run for run in runs if isinstance(run, str | Path)])
    found = chosen_preset(choices.campaign, choices.task)
    usual = found.measures if found else tuple(m for name in DEFAULT_MEASURES for m in expand(name))
    experiment = Experiment(
        judgements,
        tuple(Entry(run) for run in _runs(runs)),
        usual,
        found.policy if found else Policy(),
        preset=found,
        title=found.title if found else "",
    )
    return experiment.by(choices.measures())


def _runs(given: Iterable[Judgements | Run | str | Path]) -> Iterable[Run | str | Path]:
    """Yield runs and files of runs; a folder stands for the files in it and below."""
    for run in given:
        if isinstance(run, Judgements):
            raise UsageError("judgements come first, then runs; there are two sets of judgements.")
        if isinstance(run, Run):
            yield run
        else:
            yield from files_in(run, "run")


def _configured(files: Sequence[object], choices: Choices) -> list[Experiment]:
    """Return the experiments that an EvalJ configuration stands for, one for each task in it."""
    if files or choices.measure or choices.pool or choices.campaign:
        raise UsageError("`config=` names judgements, runs, pools and measures: do not give them as well.")
    configurations = read_configurations(choices.config)
    tasks = [configuration.task for configuration in configurations]
    if choices.task and choices.task not in tasks:
        raise UnknownNameError(f"task of {choices.config}", choices.task, tasks)
    several = len(tasks) > 1 and not choices.task
    known: dict[Path, Run] = {}  # tasks take theirs from the same folders of runs
    return [
        _of_configuration(wanted, choices, known, name=wanted.task if several else "")
        for wanted in configurations
        if choices.task in ("", wanted.task)
    ]


def _of_configuration(
    wanted: EvalJConfiguration, choices: Choices, known: dict[Path, Run], *, name: str
) -> Experiment:
    """Return the experiment of one task of an EvalJ configuration."""
    config = str(choices.config)
    try:
        measures = [m for measure in wanted.measures for m in expand(measure)]
    except InexlabError as error:
        raise InputError(str(error), file=config) from None
    inside = (file for folder in wanted.runs for file in [folder, *folder.rglob("*")])
    files = sorted(file for file in inside if file.is_file() and not file.name.startswith("."))
    for file in files:
        if file not in known:
            known[file] = read_run(file, choices.input_format or None)
    of_task = [known[file] for file in files if known[file].about.get("task", "") in ("", wanted.task)]
    if not of_task:
        raise InputError(f"names no run of the task {wanted.task}", file=config)
    note = f"{config}: {len(of_task)} of {len(files)} runs are of task {wanted.task}"
    return Experiment(
        wanted.assessments,
        tuple(Entry(run) for run in of_task),
        tuple(measures),
        pools=tuple(sorted(wanted.pools)),
        query_type=wanted.query_type,
        name=name,
        title=wanted.task,
        notes=(note,),
    )


def _adjusted(experiment: Experiment, choices: Choices) -> Experiment:
    """Return the experiment with what is chosen whatever names its judgements and runs."""
    limit = [] if choices.limit is None else [f"limit={choices.limit}"]
    runs = experiment.runs
    if choices.run_names == "file":
        named = entries_by_file_name([entry.file for entry in runs])
        runs = tuple(replace(e, name=n.name) for e, n in zip(runs, named, strict=True))
    over = choices.over
    if isinstance(choices.policy, Policy):
        policy = choices.policy.with_settings(limit)
    else:
        policy = experiment.policy.with_settings([*choices.policy, *limit])
    return replace(
        experiment,
        runs=runs,
        policy=policy,
        topics=(*experiment.topics, *choices.topics),
        collection=experiment.collection if choices.collection is None else choices.collection,
        over=read_topic_list(over) if isinstance(over, str) else over,
        pools=experiment.pools or tuple(choices.pool),
        assessors=tuple(choices.assessor),
        merge=choices.merge,
        units=OffsetUnits.of(choices.unit),
        input_format=choices.input_format,
        jobs=choices.jobs,
    )
