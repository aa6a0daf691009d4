"""Checking a run: every row looked at once, as it is read, by every rule that applies.

The rules are in `inexlab.runs.rules`, one function each. What they remember of a topic is forgotten when
too many results are remembered, oldest topics first, so that a file of any size is checked in bounded
memory; a topic's results stand together in nearly every run, and the check says so where they do not.
"""

from __future__ import annotations

import functools
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterator
from collections.abc import Collection as Container
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from inexlab.collection import Collection
from inexlab.collection.paths import WHOLE_DOCUMENT
from inexlab.errors import InputError
from inexlab.problems import Problem, ProblemKind, Severity, unreadable
from inexlab.registry import Registry
from inexlab.runs.read import format_of
from inexlab.runs.rows import Rows, RunRow
from inexlab.runs.table import NO_SPAN
from inexlab.runs.tasks import TASKS, Task, find_task
from inexlab.spans import code_points_from
from inexlab.streams import Stream, open_stream

T = TypeVar("T")

# A rule about the runs of a campaign, not about one of them.
TOO_MANY_RUNS = ProblemKind(
    "too-many-runs",
    "error",
    "a participant has more runs in a task than the campaign allows (runs_per_participant)",
    "Withdraw a run, or allow more in the campaign file.",
)
_REMEMBERED = 200_000  # results; more than the largest run that INEX accepted


@dataclass
class RunContext:
    """What a run is checked against: all of it may be unknown.

    `topics` are the judged ones, `known_topics` those of the topic files, `size_of` tells the length of a
    document as the judgements state it, and `unit` is what offsets count. `run_id` and `file` are those of
    the run itself, `run_ids` has the file in which each id was met first. `memories` are what the rules
    remember by topic.
    """

    task: Task | None = None
    limit: int = 1500
    collection: Collection | None = None
    topics: Container[str] | None = None
    size_of: Callable[[str], int | None] | None = None
    unit: str = "char"
    known_topics: Container[str] | None = None
    run_id: str = ""
    file: str = ""
    run_ids: dict[str, str] = field(default_factory=dict)
    memories: list[dict[str, Any]] = field(default_factory=list)

    def by_topic(self, make: Callable[[], T]) -> dict[str, T]:
        """Return a memory that starts empty for every topic and may forget old topics."""
        memory: defaultdict[str, T] = defaultdict(make)
        self.memories.append(memory)
        return memory

    def length_of(self, doc: str) -> int | None:
        """Return a document's length in characters, from the collection or else from the judgements."""
        elements = self.collection.elements(doc) if self.collection is not None else None
        if elements is not None:
            return int(elements.end[0])
        return self.size_of(doc) if self.size_of is not None else None


Look = Callable[[RunRow], str | None]


@dataclass(frozen=True)
class RunRule:
    """A rule for runs: `rows` makes the look at one row (None if the rule does not apply).

    `whole` is asked once at the end, with the number of results of every topic. A rule that looks `beyond`
    the limit of results sees all rows, others see only those that count.
    """

    kind: ProblemKind
    rows: Callable[[RunContext], Look | None] | None = None
    whole: Callable[[RunContext, dict[str, int]], Iterator[str]] | None = None
    beyond: bool = False


run_rules: Registry[RunRule] = Registry("rule for runs", "inexlab.runs.rules")
RowRule = Callable[[RunContext], Look | None]
WholeRule = Callable[[RunContext, dict[str, int]], Iterator[str]]


def row_rule(
    name: str, severity: Severity, meaning: str, remedy: str, *, beyond: bool = False
) -> Callable[[RowRule], RowRule]:
    """Register a rule that looks at every row and returns what is wrong with it, if anything."""

    def register(rule: RowRule) -> RowRule:
        run_rules.add(name, RunRule(ProblemKind(name, severity, meaning, remedy), rows=rule, beyond=beyond))
        return rule

    return register


def whole_rule(name: str, severity: Severity, meaning: str, remedy: str) -> Callable[[WholeRule], WholeRule]:
    """Register a rule that looks at the whole run, when its rows have been seen."""

    def register(rule: WholeRule) -> WholeRule:
        run_rules.add(name, RunRule(ProblemKind(name, severity, meaning, remedy), whole=rule))
        return rule

    return register


@dataclass
class RunCheck:
    """One run being checked; at the end it knows its task, how many results it has, and whether paths."""

    stream: Stream
    context: RunContext
    task: Task | None = None
    stated_task: str = ""
    participant: str = ""
    results: int = 0
    paths: bool = False

    def problems(self) -> Iterator[Problem]:
        """Yield what is wrong with the run, in the order of the file."""
        name = self.stream.head.name
        try:
            reader = format_of(self.stream.head)
            yield from self._rows(name, reader.rows_of(self.stream))
            if not self.results:
                raise InputError("holds no results", file=name, fix="The file may be truncated.")
        except InputError as error:
            yield unreadable(error)

    def _rows(self, name: str, rows: Rows) -> Iterator[Problem]:
        topics: dict[str, int] = {}
        memory = _Memory(self.context.memories)
        locate = _locator(self.context)
        looks: list[tuple[ProblemKind, Look]] | None = None
        latest = ""
        for row in rows:
            if isinstance(row, InputError):
                yield unreadable(row)
                self.results += 1  # there was one, though nobody can read it
                continue
            if looks is None:
                looks = self._looks(rows.about)
                beyond = [(kind, look) for kind, look in looks if run_rules[kind.name].beyond]
            row.place = topics[row.topic] = topics.get(row.topic, 0) + 1
            self.results += 1
            self.paths = self.paths or row.path is not None
            inside = not self.context.limit or row.place <= self.context.limit
            if row.topic != latest:
                latest = row.topic
                memory.turn_to(latest, topics)
            if inside:
                locate(row)
            for kind, look in looks if inside else beyond:
                message = look(row)
                if message is not None:
                    what = f"topic {row.topic}, result {row.place:,}: {message}"
                    yield Problem(name, row.line or None, kind, what)
        for rule in run_rules.values() if topics else []:
            if rule.whole is not None:
                yield from (Problem(name, None, rule.kind, m) for m in rule.whole(self.context, topics))

    def _looks(self, about: dict[str, str]) -> list[tuple[ProblemKind, Look]]:
        """Return the looks to take at every row, now that the file has said which task it is for."""
        if self.context.task is None and about.get("task"):
            self.stated_task = about["task"]
            self.context.task = find_task(self.stated_task)
        self.task, self.participant = self.context.task, about.get("participant", "")
        self.context.run_id, self.context.file = about.get("run_id", ""), self.stream.head.name
        made = ((rule.kind, rule.rows(self.context)) for rule in run_rules.values() if rule.rows is not None)
        return [(kind, look) for kind, look in made if look is not None]


def tasks_without_errors(file: str, context: RunContext) -> list[str]:
    """Return the tasks by whose rules a run has no error, where it has some by those of its own."""

    def is_right(task: Task) -> bool:
        other = replace(context, task=task, run_ids={}, memories=[])
        problems = RunCheck(open_stream(file), other).problems()
        return all(problem.kind.severity == "remark" for problem in problems)

    return [name for name, task in TASKS.items() if task != context.task and is_right(task)]


class _Memory:
    """Forgets what the rules remember of the oldest topics when it is too much."""

    def __init__(self, memories: list[dict[str, Any]]) -> None:
        self._memories = memories
        self._kept: OrderedDict[str, int] = OrderedDict()
        self._total = 0
        self._latest = ""

    def turn_to(self, topic: str, results: dict[str, int]) -> None:
        """Note that results of another topic follow; `results` counts those of every topic so far."""
        if self._latest:
            self._total += results[self._latest] - self._kept[self._latest]
            self._kept[self._latest] = results[self._latest]
        self._latest = topic
        self._kept.setdefault(topic, 0)
        self._kept.move_to_end(topic)
        while self._total > _REMEMBERED and len(self._kept) > 1:
            oldest, count = self._kept.popitem(last=False)
            self._total -= count
            for memory in self._memories:
                memory.pop(oldest, None)


def _locator(context: RunContext) -> Callable[[RunRow], None]:
    """Return what gives a row its span in code points, as far as that is known."""
    collection = context.collection

    @functools.lru_cache(maxsize=64)
    def converter(doc: str) -> Callable[[int], int]:
        assert collection is not None
        if doc in collection:
            return collection[doc].code_points_from(context.unit)
        return code_points_from(context.unit, "")

    def locate(row: RunRow) -> None:
        if row.start != NO_SPAN:
            if context.unit != "char" and collection is not None and row.doc in collection:
                convert = converter(row.doc)
                row.start, row.end = convert(row.start), convert(row.end)
        elif row.path == WHOLE_DOCUMENT:
            size = context.length_of(row.doc)
            if size is not None:
                row.start, row.end = 0, size
        elif row.path is not None and collection is not None:
            elements = collection.elements(row.doc)
            first = elements.find(row.path) if elements is not None else None
            last = elements.find(row.until) if elements is not None and row.until is not None else first
            if first is not None and last is not None and last.end >= first.start:
                row.start, row.end = first.start, last.end

    return locate
