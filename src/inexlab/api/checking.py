"""Runs and judgements checked, results compared: `check`, `problem_kinds` and `diff`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from inexlab.api.answers import Answer, Table
from inexlab.api.inputs import (
    Documents,
    Several,
    given_collection,
    given_judgements,
    given_topics,
    several,
    with_entities,
)
from inexlab.errors import UsageError
from inexlab.experiments.checking import Checking, check_campaign, check_files
from inexlab.experiments.choices import open_manifest
from inexlab.experiments.inputs import notes_of, opened
from inexlab.experiments.results import ResultChange, causes, common_scores, read_results, score_changes, why
from inexlab.judgements import Judgements
from inexlab.judgements.validate import judgement_rules
from inexlab.problems import UNREADABLE, Problem
from inexlab.progress import reporting
from inexlab.report.problems import COLUMNS as PROBLEM_COLUMNS
from inexlab.report.problems import Tally, known_format, problem_row, write_problems
from inexlab.report.tables import Cell, Grid
from inexlab.runs import Run
from inexlab.runs.objects import runs_of
from inexlab.runs.validate import TOO_MANY_RUNS, run_rules
from inexlab.wording import counted


@dataclass(eq=False, repr=False)
class CheckResult(Answer):
    """What a check found: problems, each with file, line, kind and message.

    Problems are looked for when they are first asked for. `stream` yields them as they are found, without
    keeping them, for files with more problems than fit in memory.
    """

    _checking: Checking
    _opening: tuple[str, ...] = ()
    tally: Tally = field(default_factory=Tally)
    _problems: list[Problem] | None = None

    @property
    def problems(self) -> list[Problem]:
        """All problems."""
        if self._problems is None:
            found = list(self.stream())
            for problem in found:
                self.tally.counts[problem.kind] += 1
                self.tally.files.add(problem.file)
            self._problems = found
        return self._problems

    def stream(self) -> Iterator[Problem]:
        """Yield the problems as they are found, once."""
        if self._problems is not None:
            yield from self._problems
            return
        yield from self._checking.problems

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong; remarks do not count."""
        return self.code == 0

    @property
    def code(self) -> int:
        """The exit code of the command: 0 nothing wrong, 1 problems, 2 something cannot be read."""
        return self._tallied().exit_code

    @property
    def files(self) -> int:
        """How many files, runs or sets of judgements were checked."""
        return self._checking.files

    def _tallied(self) -> Tally:
        if not self.tally.counts:
            self.problems  # noqa: B018 - counts them
        return self.tally

    @property
    def notes(self) -> tuple[str, ...]:  # type: ignore[override]
        """What was assumed, and of which files."""
        return (*self._opening, *self._checking.notes)

    def conclusion(self) -> str:
        """Say in one line how many files were checked, and what was found."""
        return self.tally.conclusion(self.files)

    def __len__(self) -> int:
        return len(self.problems)

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        self.problems  # noqa: B018 - counts them
        return f"Check({self.conclusion()})"

    def grid(self, *, for_programs: bool = False) -> Grid:  # noqa: ARG002 - one for both
        """Return one row per problem."""
        return Grid(PROBLEM_COLUMNS, [problem_row(problem) for problem in self.problems])

    def text(self, output: str = "table", *, first: int = 0, width: int = 100) -> str:  # noqa: ARG002
        """Return what the command line prints; the `first` problems of each kind and file (0: all)."""
        self.problems  # noqa: B018 - so that they are kept
        return "".join(self.pieces(output, first=first))

    def pieces(self, output: str = "table", *, first: int = 0) -> Iterator[str]:
        """Yield the text piece by piece as problems are found, and count them."""
        known_format(output)
        self.tally = Tally()
        yield from write_problems(self.stream(), output, first, self.tally)


@with_entities
def check(
    files: object = (),
    *,
    task: str = "",
    judgements: object = None,
    collection: Documents = None,
    topics: object = (),
    campaign_file: str | Path = "",
    unit: Several = (),
    limit: int = 1500,
    pool: Several = (),
) -> CheckResult:
    """Check runs and judgements: every problem with file and line, and a count of each kind.

    `files` are runs and judgements, paths or tables. What the rules of the task forbid is looked for with
    `task`, or where a run names its task. With a campaign file all judgements are checked, and all runs by
    the rules of each of their tasks.

    >>> import inexlab
    >>> found = inexlab.check("demo/runs/focused-sections.txt", task="focused")
    >>> found
    Check(1 file checked: nothing found)
    >>> inexlab.check(inexlab.Run.of({"1": {"a": 0.5, "b": 0.2}}), limit=1).to_pandas()["kind"].tolist()
    ['too-many-results']
    """
    given, pools, units = _files(files), several(pool), several(unit)
    if campaign_file:
        also_given = given or judgements is not None or collection or given_topics(topics) or pools
        manifest = open_manifest(campaign_file, also_given)
        documents = opened(manifest.collection)
        checking = check_campaign(manifest, task, collection=documents, units=units, limit=limit)
    else:
        documents = opened(given_collection(collection)) if given else None
        checking = check_files(
            given,
            task=task,
            judgements=given_judgements(judgements),
            collection=documents,
            topics=given_topics(topics),
            units=units,
            limit=limit,
            pools=pools,
        )
    return CheckResult(checking, () if campaign_file else tuple(notes_of(documents)))


def problem_kinds() -> Table:
    """List the kinds of problems that `check` finds, with meaning and remedy.

    `inexlab check` lists them, too.

    >>> import inexlab
    >>> inexlab.problem_kinds().to_pandas()["severity"].unique().tolist()
    ['unreadable', 'error', 'remark']
    """
    kinds = [("both", UNREADABLE)]
    kinds += [("runs", rule.kind) for rule in run_rules.values()]
    kinds += [("runs", TOO_MANY_RUNS)]
    kinds += [("judgements", rule.kind) for rule in judgement_rules.values()]
    rows = [(k.name, where, k.severity, k.meaning, k.remedy) for where, k in kinds]
    return Table("ProblemKinds", Grid(("kind", "in", "severity", "meaning", "remedy"), rows))


def _files(given: object) -> list[Run | Judgements | str]:
    """Return runs and judgements, mixed: paths and tables as they are, frames and dictionaries as runs."""
    if isinstance(given, Judgements):
        return [given]
    if isinstance(given, list | tuple) and any(isinstance(one, Judgements) for one in given):
        return [found for one in given for found in _files(one)]
    return [run if isinstance(run, Run) else str(run) for run in runs_of(given)]


@dataclass(frozen=True, eq=False, repr=False)
class DiffResult(Answer):
    """The scores that changed between two results, and what can have changed them."""

    scores: tuple[tuple[tuple[str, str, str, str], float | None, float | None], ...]
    causes: tuple[ResultChange, ...]
    per_topic: bool = False

    @property
    def notes(self) -> tuple[str, ...]:  # type: ignore[override]
        """What can have changed the scores."""
        return tuple(
            f"{f'{cause.kind} {cause.what}'.strip()}: {_shown(cause.before)} -> {_shown(cause.after)}"
            for cause in self.causes
        )

    def conclusion(self) -> str:
        """Say in one line how many scores changed."""
        if not self.scores:
            return "no score changed"
        runs, topics = {key[:2] for key, _, _ in self.scores}, {key[2] for key, _, _ in self.scores} - {"all"}
        of = f"of {counted(len(runs), 'run')} on {counted(len(topics), 'topic')}"
        return f"{counted(len(self.scores), 'score')} changed, {of}"

    def __len__(self) -> int:
        return len(self.scores)

    def __bool__(self) -> bool:
        return bool(self.scores)

    def __repr__(self) -> str:
        return f"Diff({self.conclusion()})"

    def grid(self, *, for_programs: bool = False) -> Grid:  # noqa: ARG002 - one for both
        """Return one row per changed score, with why."""
        rows: list[list[Cell]] = []
        for key, a, b in self.scores:
            if self.per_topic or key[2] == "all":
                difference = b - a if a is not None and b is not None else None
                rows.append([*key, a, b, difference, "; ".join(why(key, self.causes)) or "unknown"])
        header = ["task", "run", "topic", "measure", "before", "after", "difference", "because of"]
        return Grid(header, rows)


def _shown(value: object) -> str:
    return "nothing" if value is None else str(value)


def diff(
    before: str | Path, after: str | Path, *, tolerance: float = 0.0, per_topic: bool = False
) -> DiffResult:
    """Say which scores changed between two results files, and what can have changed them.

    The files are those that `evaluate(…, out=…)` writes.

    >>> import inexlab
    >>> for name, limit in (("a.json", 1500), ("b.json", 5)):
    ...     _ = inexlab.evaluate(
    ...         "demo/judgements.qrels", "demo/runs/focused-chunks.jsonl", "MAiP", limit=limit, out=name
    ...     )
    >>> inexlab.diff("a.json", "b.json").notes
    ('policy limit: 1500 -> 5',)
    """
    old, new = (read_results(file) for file in reporting([before, after], "reading results", "files"))
    changes = causes(old, new)
    if not common_scores(old, new):
        raise UsageError(
            f"nothing could be compared: {before} and {after} have no score of the same task, run, topic and "
            "measure."
        )
    return DiffResult(tuple(score_changes(old, new, tolerance)), tuple(changes), per_topic)
