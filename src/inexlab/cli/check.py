"""`inexlab check`: whether runs and judgements are what they should be."""

from __future__ import annotations

import sys
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from inexlab.cli.campaign import CAMPAIGN_FILE, open_documents, open_manifest
from inexlab.cli.options import POOL
from inexlab.cli.terminal import Watch, bytes_read, working
from inexlab.cli.units import UNIT, units_of

if TYPE_CHECKING:
    from inexlab.collection import Collection
    from inexlab.experiments import Experiment
    from inexlab.judgements import Judgements
    from inexlab.problems import Problem
    from inexlab.runs.tasks import Task
    from inexlab.runs.validate import RunCheck
    from inexlab.streams import Stream

Texts = list[str] | None

_FILES = typer.Argument(metavar="FILE", help="Runs and judgements, mixed; a folder is one set of judgements.")
_TASK = typer.Option(
    help="Rules of this task: thorough, focused, relevant-in-context, best-in-context, "
    "fetch-browse, restricted-focused, restricted-relevant-in-context. With --campaign-file: only this task."
)
_JUDGEMENTS = typer.Option(metavar="J", help="Check runs against the topics and document lengths of these.")
_COLLECTION = typer.Option(metavar="DIR", help="Check against the documents in this folder or archive.")
_TOPICS = typer.Option(metavar="FILE", help="Check against the topics in these files; repeatable.")
_LIMIT = typer.Option(min=0, help="Results allowed per topic (0: any number).")
_FIRST = typer.Option(min=0, help="Show so many problems of each kind and file (0: all); all are counted.")
_ALL = typer.Option("--all", hidden=True, help="Show every problem, as without --first.")
_KINDS = typer.Option("--kinds", help="List the kinds of problems, with meaning and remedy.")
_OUTPUT = typer.Option("-o", "--output", help="Format: table, json, csv, tsv or markdown.")


def check(
    files: Annotated[Texts, _FILES] = None,
    task: Annotated[str, _TASK] = "",
    judgements: Annotated[str, _JUDGEMENTS] = "",
    collection: Annotated[str, _COLLECTION] = "",
    topics: Annotated[Texts, _TOPICS] = None,
    campaign_file: Annotated[str, CAMPAIGN_FILE] = "",
    unit: Annotated[Texts, UNIT] = None,
    limit: Annotated[int, _LIMIT] = 1500,
    pool: Annotated[Texts, POOL] = None,
    first: Annotated[int, _FIRST] = 0,
    every: Annotated[bool, _ALL] = False,
    kinds: Annotated[bool, _KINDS] = False,
    output: Annotated[str, _OUTPUT] = "table",
) -> None:
    """Check runs and judgements: every problem with file and line, and a count of each kind.

    Exit codes: 0 nothing wrong (remarks do not count), 1 problems, 2 something cannot be read. What the
    rules of the task forbid is looked for with --task, or where a run names its task. With --campaign-file
    all judgements are checked, and all runs by the rules of each of their tasks.

    Examples (on the built-in campaign, after `inexlab demo --out demo`):

    - `inexlab check demo/runs/focused-sections.txt --task focused`

    - `inexlab check demo/runs/*.txt demo/judgements.qrels --judgements demo/judgements.qrels
      --collection demo/articles`

    - `inexlab check --campaign-file demo/campaign.toml --task focused`

    - `inexlab check --kinds`
    """
    from inexlab.collection import open_collection
    from inexlab.errors import UsageError
    from inexlab.judgements import read_judgements
    from inexlab.report.problems import Tally, known_format, write_problems
    from inexlab.runs.tasks import task_named
    from inexlab.topics import read_topics

    known_format(output)
    if kinds:
        _list_kinds(output)
        return
    manifest = None
    if campaign_file:
        manifest = open_manifest(campaign_file, files or judgements or collection or topics or pool)
        documents = open_documents(manifest)
        topics = [str(path) for path in manifest.topics]
        tasks = manifest.chosen(task)
        sets = [tasks[0].judgements_file] if task else list(manifest.judgements.values())
    elif files:
        with working(f"opening {collection}"):
            documents = open_collection(collection) if collection else None
    else:
        raise UsageError("give at least one file: inexlab check FILE...")
    chosen = task_named(task) if task and manifest is None else None
    units = units_of(unit or [], documents)
    judged = read_judgements(judgements, pools=pool or ()) if judgements else None
    known = list(read_topics(topics)) if topics else None
    tally = Tally()
    # in a terminal, problems wait until the bar is gone; all of them may be too many to wait
    most = 0 if every else first
    waits, waiting = sys.stdout.isatty() and bool(most), list[str]()
    with bytes_read(shown=waits or not sys.stdout.isatty()) as progress:
        checking = _Checking(documents, known, units, limit, pool or [], progress)
        if manifest is not None:
            problems = _campaign_problems(sets, tasks, checking, manifest.runs_per_participant)
        else:
            problems = (p for file in files or [] for p in checking.problems(file, chosen, judged))
        for piece in write_problems(problems, output, most, tally):
            if waits:
                waiting.append(piece)
            else:
                sys.stdout.write(piece)
    sys.stdout.writelines(waiting)
    counted = [f"{count:,} × {kind.name}" for kind, count in tally.sorted() if output in ("csv", "tsv")]
    conclusion = _conclusion(tally.counts.total(), tally.exit_code, checking.files)
    for note in [*checking.notes, *counted, conclusion]:
        print(f"inexlab: {note}", file=sys.stderr)
    if tally.exit_code:
        raise typer.Exit(tally.exit_code)


def _conclusion(problems: int, code: int, files: int) -> str:
    noun = "file" if files == 1 else "files"
    ending = ("no errors", "errors", "not all of it can be read")[code]
    found = (
        "nothing found" if not problems else f"{problems:,} finding{'' if problems == 1 else 's'}, {ending}"
    )
    return f"{files:,} {noun} checked: {found}"


def _campaign_problems(
    judgements: Iterable[Path],
    tasks: Sequence[Experiment],
    checking: _Checking,
    allowed: Mapping[str, int],
) -> Iterator[Problem]:
    """Yield what is wrong with sets of judgements, and with runs by the rules of each of their tasks.

    `allowed` says by task how many runs a participant may submit.
    """
    from inexlab.errors import InputError
    from inexlab.judgements import read_judgements
    from inexlab.runs.tasks import find_task

    for path in judgements:
        yield from checking.judgements(str(path))
    judged: dict[Path, Judgements | None] = {}
    for path in dict.fromkeys(task.judgements_file for task in tasks):
        try:
            judged[path] = read_judgements(path)
        except InputError:  # found a moment ago
            judged[path] = None
    for file in dict.fromkeys(entry.file for task in tasks for entry in task.runs):
        mine = [task for task in tasks if any(entry.file == file for entry in task.runs)]
        said: set[Problem] = set()  # what all tasks forbid is said once
        for task in mine:
            rules = find_task(task.preset.task if task.preset else task.name)
            for problem in checking.run(str(file), rules, judged[task.judgements_file]):
                if problem not in said:
                    yield problem
                if len(mine) > 1:
                    said.add(problem)
        checking.files -= len(mine) - 1
    for task in tasks:
        if task.name in allowed:
            yield from _too_many_runs(task, allowed[task.name], checking.participants)


def _too_many_runs(task: Experiment, most: int, stated: Mapping[str, str]) -> Iterator[Problem]:
    """Yield the runs that a participant submitted to a task beyond the number allowed, in their order."""
    from inexlab.problems import Problem
    from inexlab.runs.validate import TOO_MANY_RUNS

    counts: Counter[str] = Counter()
    for entry in task.runs:
        participant = entry.participant or stated.get(str(entry.file), "")
        if participant:
            counts[participant] += 1
            if counts[participant] > most:
                which = f"run {counts[participant]} of participant {participant} for {task.name}"
                yield Problem(str(entry.file), None, TOO_MANY_RUNS, f"{which}; {most} allowed")


class _Checking:
    """What all files of one command are checked with, how many there are, and what was assumed of them."""

    def __init__(
        self,
        collection: Collection | None,
        topics: Sequence[str] | None,
        units: tuple[str, str],
        limit: int,
        pools: Sequence[str],
        watch: Callable[[str], Watch],
    ) -> None:
        self.collection, self.units, self.limit = collection, units, limit
        self.pools, self.watch = pools, watch
        self.topics = None if topics is None else dict.fromkeys(topics)
        self.files = 0
        self.participants: dict[str, str] = {}  # by file, as the runs state them
        self._run_ids: dict[str, str] = {}
        self._assumed: dict[str, list[str]] = {}

    def problems(self, path: str, task: Task | None, judged: Judgements | None) -> Iterator[Problem]:
        """Yield the problems of one file, a run or judgements; a folder is judgements."""
        from inexlab.errors import InputError
        from inexlab.kinds import kind_of
        from inexlab.problems import unreadable
        from inexlab.streams import open_stream

        if Path(path).is_dir():
            yield from self.judgements(path)
            return
        try:
            stream = open_stream(path, self.watch(path))
        except InputError as error:
            self.files += 1
            yield unreadable(error)
            return
        if kind_of(stream.head) == "judgements":
            yield from self.judgements(stream)
        else:
            yield from self.run(stream, task, judged)

    def judgements(self, given: str | Stream) -> Iterator[Problem]:
        """Yield the problems of a set of judgements."""
        from inexlab.errors import InputError
        from inexlab.judgements.read import Selection
        from inexlab.judgements.validate import Surroundings, check_judgements
        from inexlab.problems import unreadable

        self.files += 1
        around = Surroundings(self.collection, self.units[1], self.topics)
        try:
            source = given if isinstance(given, str) else given.source()
            yield from check_judgements(source, around, Selection(frozenset(self.pools)))
        except InputError as error:
            yield unreadable(error)

    def run(self, given: str | Stream, task: Task | None, judged: Judgements | None) -> Iterator[Problem]:
        """Yield the problems of a run."""
        from inexlab.errors import InputError
        from inexlab.problems import unreadable
        from inexlab.runs.validate import RunCheck, Surroundings, tasks_without_errors
        from inexlab.streams import open_stream

        self.files += 1
        around = Surroundings(task, self.limit, self.collection, unit=self.units[0])
        around.known_topics, around.run_ids = self.topics, self._run_ids
        if judged is not None:
            around.topics, around.size_of = judged.topics.codes, judged.size_of
        errors = False
        try:
            stream = open_stream(given, self.watch(given)) if isinstance(given, str) else given
            checked = RunCheck(stream, around)
            for problem in checked.problems():
                errors = errors or problem.kind.severity == "error"
                yield problem
        except InputError as error:
            yield unreadable(error)
            return
        self.participants[stream.head.name] = checked.participant
        self._note_assumptions(checked, stream.head.name)
        if errors and checked.task is not None and _is_short(stream.head.name):
            fitting = tasks_without_errors(stream.head.name, around)
            if fitting:
                others = " or ".join(f"--task {name}" for name in fitting)
                self._note(f"every error would vanish under another task; try {others}", stream.head.name)

    def _note_assumptions(self, checked: RunCheck, name: str) -> None:
        if checked.stated_task and checked.task is not None:
            named = f"named the task {checked.stated_task}"
            self._note(f"{named}, checked by the rules of {checked.task.name}", name)
        elif checked.stated_task:
            self._note(f"named the unknown task {checked.stated_task}; --task chooses the rules", name)
        elif checked.task is None and checked.results:
            self._note("checked by the rules that all tasks share; --task adds those of one", name)
        if self.collection is None and checked.paths:
            self._note("paths not looked up; --collection DIR does", name)

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


_SHORT = 1 << 26  # bytes; a file that may be read once for every task


def _is_short(file: str) -> bool:
    return Path(file).is_file() and Path(file).stat().st_size <= _SHORT


def _list_kinds(output: str) -> None:
    """Print every kind of problem, what it means and what to do about it."""
    from inexlab.cli.terminal import terminal_width
    from inexlab.judgements.validate import judgement_rules
    from inexlab.problems import UNREADABLE
    from inexlab.report.grids import write_grid
    from inexlab.report.tables import Grid
    from inexlab.runs.validate import TOO_MANY_RUNS, run_rules

    kinds = [("both", UNREADABLE)]
    kinds += [("runs", rule.kind) for rule in run_rules.values()]
    kinds += [("runs", TOO_MANY_RUNS)]
    kinds += [("judgements", rule.kind) for rule in judgement_rules.values()]
    if output == "table":
        for where, kind in kinds:
            print(f"{kind.name} ({kind.severity}, {where})")
            for text in (kind.meaning, kind.remedy):
                print(textwrap.fill(text, terminal_width(), initial_indent="    ", subsequent_indent="    "))
        return
    rows = [(k.name, where, k.severity, k.meaning, k.remedy) for where, k in kinds]
    sys.stdout.write(write_grid(Grid(("kind", "in", "severity", "meaning", "remedy"), rows), output))
