"""What a check found, written as it is found: lines for a person, or rows for a program."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from inexlab.errors import UnknownNameError, printable
from inexlab.problems import Problem, ProblemKind
from inexlab.report.tables import separated_line
from inexlab.wording import counted

FORMATS = ("table", "json", "csv", "tsv", "markdown")
COLUMNS = ("file", "line", "kind", "severity", "message")
_GRAVITY = ("unreadable", "error", "remark")


@dataclass
class Tally:
    """How many problems of each kind there were, and how many of them were shown."""

    counts: Counter[ProblemKind] = field(default_factory=Counter)
    shown: Counter[ProblemKind] = field(default_factory=Counter)
    files: set[str] = field(default_factory=set)

    @property
    def exit_code(self) -> int:
        """2 where something could not be read, 1 where a rule was broken, else 0."""
        severities = {kind.severity for kind in self.counts}
        return 2 if "unreadable" in severities else 1 if "error" in severities else 0

    def conclusion(self, files: int) -> str:
        """Return in words what came of checking so many files."""
        ending = ("no errors", "errors", "not all of it can be read")[self.exit_code]
        problems = self.counts.total()
        found = f"{counted(problems, 'finding')}, {ending}" if problems else "nothing found"
        return f"{counted(files, 'file')} checked: {found}"

    def sorted(self) -> list[tuple[ProblemKind, int]]:
        """Return the counts, most severe and most frequent kinds first."""
        return sorted(
            self.counts.items(), key=lambda kc: (_GRAVITY.index(kc[0].severity), -kc[1], kc[0].name)
        )


def known_format(output: str) -> None:
    """Refuse an unknown format before anything is read."""
    if output not in FORMATS:
        raise UnknownNameError("output format", output, FORMATS)


def write_problems(problems: Iterable[Problem], output: str, most: int, tally: Tally) -> Iterator[str]:
    """Yield, piece by piece, the first `most` problems of each kind and file (0: all), then the counts."""
    shown = _first(problems, most, tally)
    if output == "json":
        yield '{"problems": ['
        for i, problem in enumerate(shown):
            yield (",\n " if i else "\n ") + json.dumps(dict(zip(COLUMNS, problem_row(problem), strict=True)))
        counts = [
            {"kind": k.name, "severity": k.severity, "count": n, "meaning": k.meaning, "remedy": k.remedy}
            for k, n in tally.sorted()
        ]
        yield "\n],\n" + f'"counts": {json.dumps(counts, indent=1)}' + "}\n"
    elif output in ("csv", "tsv"):
        separator = "," if output == "csv" else "\t"
        yield separated_line(COLUMNS, separator)
        yield from (separated_line(problem_row(problem), separator) for problem in shown)
    elif output == "markdown":
        yield "| file | line | kind | message |\n| --- | ---: | --- | --- |\n"
        for problem in shown:
            cells = (problem.file, problem.line or "–", _kind(problem.kind), problem.message)
            yield f"| {' | '.join(printable(str(cell)).replace('|', chr(92) + '|') for cell in cells)} |\n"
        yield from ("\n" + line for line in _summary(tally))
    else:
        yield from (
            printable(f"{problem.where}: {_kind(problem.kind)}: {problem.message}") + "\n"
            for problem in shown
        )
        yield from ["\n"] if tally.counts else []
        yield from _summary(tally)


def _first(problems: Iterable[Problem], most: int, tally: Tally) -> Iterator[Problem]:
    """Count all problems, and yield the first ones of each kind in each file."""
    shown: Counter[tuple[str, ProblemKind]] = Counter()
    for problem in problems:
        key = problem.file, problem.kind
        tally.counts[problem.kind] += 1
        tally.files.add(problem.file)
        if not most or shown[key] < most:
            shown[key] += 1
            tally.shown[problem.kind] += 1
            yield problem


def problem_row(problem: Problem) -> tuple[str, int | None, str, str, str]:
    """Return file, line, kind, severity and message of a problem."""
    """Return file, line, kind, severity and message of a problem."""
    return problem.file, problem.line, problem.kind.name, problem.kind.severity, problem.message


def _kind(kind: ProblemKind) -> str:
    return f"remark: {kind.name}" if kind.severity == "remark" else kind.name


def _summary(tally: Tally) -> Iterator[str]:
    for kind, count in tally.sorted():
        hidden = count - tally.shown[kind]
        more = f" ({hidden:,} not shown)" if hidden else ""
        yield f"{count:,} × {_kind(kind)}{more}: {kind.meaning}. {kind.remedy}\n"
