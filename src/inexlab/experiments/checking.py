"""Runs and judgements gone through, file by file, for what is wrong with them and what was assumed."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from inexlab.collection import Collection
from inexlab.contents import contents_of
from inexlab.errors import InputError, UsageError
from inexlab.experiments.experiment import Experiment, OffsetUnits
from inexlab.experiments.inputs import is_given
from inexlab.experiments.manifest import Manifest
from inexlab.files import Source
from inexlab.judgements import Judgements, read_judgements
from inexlab.judgements import validate as judgement_rules
from inexlab.judgements.read import Selection
from inexlab.judgements.write import judgement_writers
from inexlab.pooling import Pool, read_pool
from inexlab.problems import Problem, unreadable
from inexlab.runs import Run
from inexlab.runs.tasks import Task, find_task, task_named
from inexlab.runs.validate import TOO_MANY_RUNS, RunCheck, RunContext, tasks_without_errors
from inexlab.runs.write import run_writers
from inexlab.streams import Stream, open_stream
from inexlab.topics import Topics, read_topics
from inexlab.wording import counted

_SHORT = 1 << 26  # bytes; a file that may be read once for every task


def check_files(
    files: Sequence[Run | Judgements | str],
    *,
    task: str = "",
    judgements: Judgements | str | Path = "",
    collection: Collection | None = None,
    topics: Sequence[str | Path | Topics] = (),
    units: Sequence[str] = (),
    limit: int = 1500,
    pools: Sequence[str] = (),
) -> Checking:
    """Check runs and judgements, by the rules of a task, against judgements, documents and topic files."""
    if not files:
        raise UsageError("give at least one file.")
    rules = task_named(task) if task else None
    checking = Checking(collection, topics, units, limit, pools)
    judged = read_judgements(judgements, pools=pools) if is_given(judgements) else None
    checking.problems = (p for file in files for p in checking.file(file, rules, judged))
    return checking


def check_campaign(
    manifest: Manifest,
    task: str = "",
    *,
    collection: Collection | None = None,
    units: Sequence[str] = (),
    limit: int = 1500,
) -> Checking:
    """Check all judgements and runs of a campaign, or those of one task alone."""
    tasks = manifest.chosen(task)
    sets = [tasks[0].judgements_file] if task else list(manifest.judgements.values())
    checking = Checking(collection, [str(path) for path in manifest.topics], units, limit, ())
    checking.problems = _campaign_problems(
        sets, tasks, checking, manifest.runs_per_participant, manifest.pool
    )
    return checking


class Checking:
    """What files are checked with, how many they are, and what was assumed of them.

    `problems` are found while they are asked for.
    """

    def __init__(
        self,
        collection: Collection | None,
        topics: Sequence[str | Path | Topics],
        units: Sequence[str],
        limit: int,
        pools: Sequence[str],
    ) -> None:
        self.collection, self.units, self.limit, self.pools = collection, OffsetUnits.of(units), limit, pools
        self.units.require_documents(collection)
        self.topics = dict.fromkeys(read_topics(list(topics))) if topics else None
        self.problems: Iterator[Problem] = iter(())
        self.files = 0
        self.participants: dict[str, str] = {}  # by file, as the runs state them
        self._run_ids: dict[str, str] = {}
        self._assumed: dict[str, list[str]] = {}

    def file(
        self, path: Run | Judgements | str, task: Task | None, judged: Judgements | None
    ) -> Iterator[Problem]:
        """Yield the problems of one file, a run or judgements; a folder is judgements.

        What is given as a table is looked at as if written: a row is a line.
        """
        if isinstance(path, Run):
            yield from self.run(_run_as_stream(path), task, judged)
            return
        if isinstance(path, Judgements):
            name = path.file or "judgements"
            write = judgement_writers["trec-qrels" if path.grade is not None else "jsonl"].write
            assert write is not None
            yield from self.judgements(_as_stream(name, write(path)))
            return
        if Path(path).is_dir():
            yield from self.judgements(path)
            return
        try:
            stream = open_stream(path)
        except InputError as error:
            self.files += 1
            yield unreadable(error)
            return
        if contents_of(stream.head) == "judgements":
            yield from self.judgements(stream)
        else:
            yield from self.run(stream, task, judged)

    def judgements(self, given: str | Stream) -> Iterator[Problem]:
        """Yield the problems of a set of judgements."""
        self.files += 1
        context = judgement_rules.JudgementContext(self.collection, self.units.judgements, self.topics)
        try:
            source = given if isinstance(given, str) else given.source()
            yield from judgement_rules.check_judgements(source, context, Selection(frozenset(self.pools)))
        except InputError as error:
            yield unreadable(error)

    def run(self, given: str | Stream, task: Task | None, judged: Judgements | None) -> Iterator[Problem]:
        """Yield the problems of a run."""
        self.files += 1
        context = RunContext(task, self.limit, self.collection, unit=self.units.runs)
        context.known_topics, context.run_ids = self.topics, self._run_ids
        if judged is not None:
            context.topics, context.size_of = judged.topics.codes, judged.size_of
        errors = False
        try:
            stream = open_stream(given) if isinstance(given, str) else given
            checked = RunCheck(stream, context)
            for problem in checked.problems():
                errors = errors or problem.kind.severity == "error"
                yield problem
        except InputError as error:
            yield unreadable(error)
            return
        self.participants[stream.head.name] = checked.participant
        self._note_assumptions(checked, stream.head.name)
        if errors and checked.task is not None and _is_short(stream.head.name):
            fitting = tasks_without_errors(stream.head.name, context)
            if fitting:
                others = " or ".join(f"`task={name}`" for name in fitting)
                self._note(f"every error would vanish under another task; try {others}", stream.head.name)

    def _note_assumptions(self, checked: RunCheck, name: str) -> None:
        if checked.stated_task and checked.task is not None:
            named = f"named the task {checked.stated_task}"
            self._note(f"{named}, checked by the rules of {checked.task.name}", name)
        elif checked.stated_task:
            self._note(f"named the unknown task {checked.stated_task}; `task=` selects the rules", name)
        elif checked.task is None and checked.results:
            self._note("checked by the rules that all tasks share; `task=` adds those of one", name)
        if self.collection is None and checked.paths:
            self._note("paths not looked up; `collection=DIR` does that", name)

    def compare_with_pool(self, pool: Pool, judged: Judgements | None, name: str) -> None:
        """Note how much of a pool is judged, what is judged beside it, and by whom it was not planned."""
        assert judged is not None
        wanted = {(document.topic, document.doc) for document in pool}
        found = {(row.topic, row.doc) for row in judged}
        beside = f"; {counted(len(found - wanted), 'document')} beside it" if found - wanted else ""
        share = f"{len(found & wanted):,} of {counted(len(wanted), 'document')} of the pool judged{beside}"
        self._note(share, name)
        strangers = {
            (row.assessor.name, row.topic)
            for row in judged
            if row.assessor and row.assessor.name not in pool.assessors.get(row.topic, (row.assessor.name,))
        }
        for who, topic in sorted(strangers)[:5]:
            self._note(f"topic {topic} judged by {who}, to whom the pool does not give it", name)

    def _note(self, note: str, file: str) -> None:
        files = self._assumed.setdefault(note, [])
        if file not in files:
            files.append(file)

    @property
    def notes(self) -> list[str]:
        """What was assumed, and of which files."""
        return [
            f"{note}: {', '.join(files[:3])}" + (f" and {len(files) - 3:,} more" if len(files) > 3 else "")
            for note, files in self._assumed.items()
        ]


def _campaign_problems(
    judgements: Iterable[Path],
    tasks: Sequence[Experiment],
    checking: Checking,
    allowed: Mapping[str, int],
    pool: Path | None = None,
) -> Iterator[Problem]:
    """Yield what is wrong with sets of judgements, and with runs by the rules of each of their tasks.

    `allowed` says by task how many runs a participant may submit. What of the pool is judged is a note.
    """
    for path in judgements:
        yield from checking.judgements(str(path))
    judged: dict[Path, Judgements | None] = {}
    for path in dict.fromkeys(task.judgements_file for task in tasks):
        try:
            judged[path] = read_judgements(path)
        except InputError:  # found a moment ago
            judged[path] = None
            continue
        if pool is not None:
            checking.compare_with_pool(read_pool(pool), judged[path], str(path))
    for file in dict.fromkeys(entry.file for task in tasks for entry in task.runs):
        mine = [task for task in tasks if any(entry.file == file for entry in task.runs)]
        reported: set[Problem] = set()  # what all tasks forbid is reported once
        for task in mine:
            rules = find_task(task.preset.task if task.preset else task.name)
            for problem in checking.run(str(file), rules, judged[task.judgements_file]):
                if problem not in reported:
                    yield problem
                if len(mine) > 1:
                    reported.add(problem)
        checking.files -= len(mine) - 1
    for task in tasks:
        if task.name in allowed:
            yield from _too_many_runs(task, allowed[task.name], checking.participants)


def _too_many_runs(task: Experiment, most: int, stated: Mapping[str, str]) -> Iterator[Problem]:
    """Yield the runs that a participant submitted to a task beyond the number allowed, in their order."""
    counts: Counter[str] = Counter()
    for entry in task.runs:
        participant = entry.participant or stated.get(str(entry.file), "")
        if participant:
            counts[participant] += 1
            if counts[participant] > most:
                which = f"run {counts[participant]} of participant {participant} for {task.name}"
                yield Problem(str(entry.file), None, TOO_MANY_RUNS, f"{which}; {most} allowed")


def _run_as_stream(run: Run) -> Stream:
    """Return a run as if read from a file: of whole documents as TREC has them, unless ids have blanks."""
    if bool((run.start < 0).all() and (run.path < 0).all()):
        with contextlib.suppress(InputError):
            return _as_stream(run.id, run_writers["trec"].write(run))
    return _as_stream(run.id, run_writers["jsonl"].write(run))


def _as_stream(name: str, pieces: Iterable[bytes]) -> Stream:
    return Stream(Source(name, b"".join(pieces), is_xml=False), iter(()))


def _is_short(file: str) -> bool:
    return Path(file).is_file() and Path(file).stat().st_size <= _SHORT
