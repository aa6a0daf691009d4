"""`inexlab check`: whether runs and judgements are what they should be."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from inexlab.cli.terminal import Watch, bytes_read, working
from inexlab.cli.units import UNIT, units_of

if TYPE_CHECKING:
    from inexlab.collection import Collection
    from inexlab.files import Source
    from inexlab.judgements import Judgements
    from inexlab.problems import Problem
    from inexlab.runs.tasks import Task
    from inexlab.streams import Stream

Texts = list[str] | None

_FILES = typer.Argument(metavar="FILE", help="Runs and judgements, mixed; a folder is one set of judgements.")
_TASK = typer.Option(
    help="Rules of this task: thorough, focused, relevant-in-context, best-in-context, "
    "fetch-browse, restricted-focused, restricted-relevant-in-context."
)
_JUDGEMENTS = typer.Option(metavar="J", help="Check runs against the topics and document lengths of these.")
_COLLECTION = typer.Option(metavar="DIR", help="Check against the documents in this folder or archive.")
_LIMIT = typer.Option(min=0, help="Results allowed per topic (0: any number).")
_POOL = typer.Option(metavar="ID", help="Only assessments of this pool (2005-2006); repeatable.")
_ALL = typer.Option("--all", help="Show every problem, not the first ten of each kind and file.")
_KINDS = typer.Option("--kinds", help="List the kinds of problems, with meaning and remedy.")
_OUTPUT = typer.Option("-o", "--output", help="Format: table, json, csv, tsv or markdown.")


def check(
    files: Annotated[Texts, _FILES] = None,
    task: Annotated[str, _TASK] = "",
    judgements: Annotated[str, _JUDGEMENTS] = "",
    collection: Annotated[str, _COLLECTION] = "",
    unit: Annotated[Texts, UNIT] = None,
    limit: Annotated[int, _LIMIT] = 1500,
    pool: Annotated[Texts, _POOL] = None,
    every: Annotated[bool, _ALL] = False,
    kinds: Annotated[bool, _KINDS] = False,
    output: Annotated[str, _OUTPUT] = "table",
) -> None:
    """Check runs and judgements: every problem with file and line, and a count of each kind.

    Exit codes: 0 nothing wrong (remarks do not count), 1 problems, 2 something cannot be read. What the
    rules of the task forbid is looked for with --task, or where a run names its task.

    Examples (on the built-in campaign, after `inexlab demo --out demo`):

    - `inexlab check demo/runs/focused-sections.txt --task focused`

    - `inexlab check demo/runs/*.txt demo/judgements.qrels --judgements demo/judgements.qrels
      --collection demo/articles`

    - `inexlab check --kinds`
    """
    from inexlab.collection import open_collection
    from inexlab.errors import UsageError
    from inexlab.judgements import read_judgements
    from inexlab.report.problems import Tally, known_format, write_problems
    from inexlab.runs.tasks import task_named

    known_format(output)
    if kinds:
        _list_kinds(output)
        return
    if not files:
        raise UsageError("give at least one file: inexlab check FILE...")
    chosen = task_named(task) if task else None
    with working(f"opening {collection}"):
        documents = open_collection(collection) if collection else None
    units = units_of(unit or [], documents)
    judged = read_judgements(judgements, pools=pool or ()) if judgements else None
    tally = Tally()
    # in a terminal, problems wait until the bar is gone; all of them may be too many to wait
    waits, waiting = sys.stdout.isatty() and not every, list[str]()
    with bytes_read(shown=waits or not sys.stdout.isatty()) as progress:
        checking = _Checking(chosen, judged, documents, units, limit, pool or [], progress)
        problems = (problem for file in files for problem in checking.problems(file))
        for piece in write_problems(problems, output, 0 if every else 10, tally):
            if waits:
                waiting.append(piece)
            else:
                sys.stdout.write(piece)
    sys.stdout.writelines(waiting)
    counted = [f"{count:,} × {kind.name}" for kind, count in tally.sorted() if output in ("csv", "tsv")]
    conclusion = _conclusion(tally.counts.total(), tally.exit_code, len(files))
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


class _Checking:
    """What all files of one command are checked with, and what was assumed about them."""

    def __init__(
        self,
        task: Task | None,
        judged: Judgements | None,
        collection: Collection | None,
        units: tuple[str, str],
        limit: int,
        pools: Sequence[str],
        watch: Callable[[str], Watch],
    ) -> None:
        self.task, self.judged, self.collection, self.units = task, judged, collection, units
        self.limit, self.pools, self.watch = limit, pools, watch
        self._assumed: dict[str, list[str]] = {}

    def problems(self, path: str) -> Iterator[Problem]:
        """Yield the problems of one file, a run or judgements."""
        from inexlab.cli.kinds import kind_of
        from inexlab.errors import InputError
        from inexlab.problems import unreadable
        from inexlab.streams import open_stream

        try:
            if Path(path).is_dir():
                yield from self._judgements(path)
                return
            stream = open_stream(path, self.watch(path))
            if kind_of(stream.head) == "judgements":
                yield from self._judgements(stream.source())
            else:
                yield from self._run(stream)
        except InputError as error:
            yield unreadable(error)

    def _judgements(self, given: str | Source) -> Iterator[Problem]:
        from inexlab.judgements.read import Selection
        from inexlab.judgements.validate import Surroundings, check_judgements

        around = Surroundings(self.collection, self.units[1])
        yield from check_judgements(given, around, Selection(frozenset(self.pools)))

    def _run(self, stream: Stream) -> Iterator[Problem]:
        from inexlab.runs.validate import RunCheck, Surroundings

        around = Surroundings(self.task, self.limit, self.collection, unit=self.units[0])
        if self.judged is not None:
            around.topics, around.size_of = self.judged.topics.codes, self.judged.size_of
        checked = RunCheck(stream, around)
        yield from checked.problems()
        name = stream.head.name
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
        self._assumed.setdefault(note, []).append(file)

    @property
    def notes(self) -> list[str]:
        """What was assumed, and of which files."""
        return [
            f"{note}: {', '.join(files[:3])}" + (f" and {len(files) - 3:,} more" if len(files) > 3 else "")
            for note, files in self._assumed.items()
        ]


def _list_kinds(output: str) -> None:
    """Print every kind of problem, what it means and what to do about it."""
    from inexlab.cli.terminal import terminal_width
    from inexlab.judgements.validate import judgement_rules
    from inexlab.problems import UNREADABLE
    from inexlab.report.grids import write_grid
    from inexlab.report.tables import Grid
    from inexlab.runs.validate import run_rules

    kinds = [("both", UNREADABLE)]
    kinds += [("runs", rule.kind) for rule in run_rules.values()]
    kinds += [("judgements", rule.kind) for rule in judgement_rules.values()]
    if output == "table":
        for where, kind in kinds:
            print(f"{kind.name} ({kind.severity}, {where})")
            for text in (kind.meaning, kind.remedy):
                print(textwrap.fill(text, terminal_width(), initial_indent="    ", subsequent_indent="    "))
        return
    rows = [(k.name, where, k.severity, k.meaning, k.remedy) for where, k in kinds]
    sys.stdout.write(write_grid(Grid(("kind", "in", "severity", "meaning", "remedy"), rows), output))
