"""Scores from files: what inexlab, inex_eval, trec_eval or a spreadsheet wrote, as one matrix.

the JSON, CSV or TSV of `inexlab evaluate -q`
a matrix in CSV or TSV: topic in the first column, one column per system, named in the first line (or
    system in the first column, called `run` or `system`, and one column per topic)
outputs of `inex_eval -q` or `trec_eval -q`, or folders of them: one system each
three columns, topic and two scores, as the t-test script of INEX 2008-2009 read, with or without a header

Rows of summaries (`all`, `mean`, …) are not topics and left out.
"""

from __future__ import annotations

import csv
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from inexlab.errors import InputError, UsageError, nearest_name
from inexlab.files import Source, read_source
from inexlab.scores import Scores
from inexlab.wording import counted

KNOWN = "Known scores: JSON or CSV of `inexlab evaluate -q`, a CSV matrix, inex_eval -q, trec_eval -q."
Table = dict[str, dict[str, dict[str, float]]]  # measure -> system -> topic -> score
FileRow = tuple[int, list[str]]  # line number and columns

# what spreadsheets and data frames call the column of topics, or leave empty
_TOPICS = ("topic", "", "topic_id", "query", "query_id", "qid", "id")
_SYSTEMS = ("run", "system")
_SUMMARIES = ("all", "mean", "average", "avg", "total", "amean")
_RUN_ID = re.compile(r'<eval run-id="([^"]*)"')


def holds_scores(path: str | Path) -> bool:
    """Whether a file or folder looks like scores, not like judgements."""
    files = _files(path)
    return bool(files) and _kind(read_source(files[0])) is not None


def read_scores(paths: Iterable[str | Path], measure: str = "", *, common: bool = False) -> Scores:
    """Read files of scores into one table of the measure asked for, or of the only one there is.

    Topics without a score for any system are left out. Where systems have scores on different topics,
    `common` keeps those that all have; without it that is an error which names the topics.
    """
    return read_tables(paths, [measure] if measure else [])[0].complete(common=common)


def read_tables(paths: Iterable[str | Path], measures: Sequence[str] = ()) -> list[Scores]:
    """Read files of scores into a table for each measure asked for, or for the only one there is.

    Where outputs in several files carry the same run id, the files' names tell the systems apart.
    """
    table: Table = {}
    sources = [read_source(file) for path in paths for file in _files(path)]
    ids = Counter(_run_id(source) for source in sources if _kind(source) == "outputs")
    for source in sources:
        kind = _kind(source)
        if kind is None:
            raise source.problem("is not scores in a known format", source.first_row[0], fix=KNOWN)
        if kind == "outputs":
            named = _run_id(source)
            _read_outputs(source, table, source.stem if ids[named] > 1 else named)
        else:
            _READERS[kind](source, table)
    return [_chosen(table, measure) for measure in measures or [""]]


def _files(path: str | Path) -> list[str | Path]:
    if not Path(path).is_dir():
        return [path]
    files = (f for f in Path(path).rglob("*") if f.is_file())
    return sorted(f for f in files if not any(part.startswith(".") for part in f.relative_to(path).parts))


def _chosen(table: Table, measure: str) -> Scores:
    """Return the scores by one measure; those of files that name none go with any."""
    named = {name: scores for name, scores in table.items() if name}
    if not measure and len(named) == 1:
        measure = next(iter(named))
    # inex_eval writes iP[0.01] for what is iP@0.01 here
    measure = next((name for name in named if _plain(name) == _plain(measure)), measure)
    if measure in named or not named:
        chosen = {**named.get(measure, {}), **table.get("", {})}
        if len(chosen) < len(named.get(measure, {})) + len(table.get("", {})):
            raise UsageError("two files hold scores of a system of the same name.")
        if not chosen:
            raise UsageError("the files hold no scores of topics.")
        return Scores.of(chosen, measure)
    near = nearest_name(measure, named) if measure else None
    what = f"no scores by {measure!r}" if measure else f"scores by {counted(len(named), 'measure')}"
    hint = f" (did you mean {near!r}?)" if near else ""
    raise UsageError(f"{what}{hint}; choose one with `measure=`: {_some(list(named), 12)}.")


def _plain(measure: str) -> str:
    return measure.replace("[", "@").replace("]", "")


def _some(names: Sequence[str], most: int) -> str:
    return ", ".join(names[:most]) + " …" * (len(names) > most)


def _kind(source: Source) -> str | None:
    first = source.first_row[1].decode(errors="replace")
    if first.startswith("["):
        return "json"
    if first.startswith(("<", "{")):
        return "outputs" if first.startswith("<eval") else None
    columns = first.split()
    header = _first_line(source)
    separator = _separator(header)
    named = header.partition(separator)[0].strip('" ').lower() in (*_TOPICS, *_SYSTEMS)
    judged = len(columns) > 3 and columns[3].isdigit()  # qrels whose ids hold commas
    if (separator != " " and named) or (separator == "," and not judged):
        return "csv"
    if len(columns) == 3:
        return _kind_of_three_columns(source)
    return None


def _kind_of_three_columns(source: Source) -> str | None:
    """Tell `map 301 0.5` (measure, topic, score; the measure or `all` comes again) from `301 0.5 0.6`."""
    rows = [columns for _, columns in _rows(source) if len(columns) == 3]
    scores = [row for row in rows if row[0] != "runid"]
    if not rows:  # the first line falls apart at a form feed or the like
        return None
    if rows[0][0].lower() in _TOPICS or all(_is_number(row[0]) for row in scores):
        return "pairs"
    measures = {row[0] for row in scores}
    if len(measures) < len(scores) or any(row[1] == "all" for row in scores):
        return "outputs" if _number(scores[0][2]) is not None else None
    return "pairs" if all(_number(cell) is not None for cell in scores[0][1:]) else None


def _first_line(source: Source) -> str:
    """Return the first row as it stands in the file: a data frame's index has an empty name, then a tab."""
    return source.data.splitlines()[source.first_row[0] - 1].decode(errors="replace")


def _separator(first: str) -> str:
    return next((separator for separator in (",", "\t", ";") if separator in first), " ")


def _rows(source: Source) -> Iterable[FileRow]:
    """Yield the lines of a text of columns, without comments, blank lines and tags."""
    for number, line in enumerate(source.data.decode(errors="replace").splitlines(), start=1):
        columns = line.split()
        if columns and not columns[0].startswith(("#", "<")):
            yield number, columns


def _add(
    source: Source, table: Table, line: int | None, row: tuple[str, str, str], value: float | None
) -> None:
    measure, system, topic = row
    if topic.lower() in _SUMMARIES:
        return
    if not system:
        raise source.problem(f"a system without a name has a score on topic {topic}", line, fix="Name it.")
    topics = table.setdefault(measure, {}).setdefault(system, {})
    if topic in topics:
        raise source.problem(
            f"a second score of {system} on topic {topic}",
            line,
            fix="Keep one of them; if these are two systems, give each a name of its own.",
        )
    topics[topic] = math.nan if value is None else value


def _read_json(source: Source, table: Table) -> None:
    try:
        rows = json.loads(source.data)
        entries = [(str(r["measure"]), str(r["run"]), str(r["topic"]), r["value"]) for r in rows]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise source.problem(
            "is not the JSON of `inexlab evaluate -q`", fix="It is an array of run, topic, measure, value."
        ) from None
    for measure, system, topic, value in entries:
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
            raise source.problem(f"the score {value!r} of {system} on topic {topic} is not a number")
        try:
            score = None if value is None else float(value)
        except OverflowError:
            raise source.problem(f"the score of {system} on topic {topic} is too large a number") from None
        _add(source, table, None, (measure, system, topic), score)
    if not table:
        raise source.problem("holds no scores of topics", fix="Write it with `inexlab evaluate -q -o json`.")


def _read_csv(source: Source, table: Table) -> None:
    at, separator = source.first_row[0], _separator(_first_line(source))
    lines = source.data.decode(errors="replace").splitlines()[at - 1 :]
    try:
        header, *rows = csv.reader(lines, delimiter=separator)
    except csv.Error as error:
        raise source.problem(f"is not CSV ({error})") from None
    header = [name.strip() for name in header]
    if len(header) < 2 or (_number(header[0]) is not None and all(map(_is_number, header[1:]))):
        raise source.problem(
            "has no header", at, fix="The first line names the systems: topic,SYSTEM,SYSTEM."
        )
    if twice := sorted({name for name in header if header.count(name) > 1}):
        raise source.problem(f"two columns are called {twice[0]!r}", at, fix="Name each.")
    long = header == ["run", "topic", "measure", "value"]
    turned = header[0].lower() in _SYSTEMS
    for number, row in enumerate(rows, start=at + 1):
        if not row or row[0].startswith("#"):
            continue
        if len(row) != len(header):
            raise source.problem(f"{len(row)} fields, expected {len(header)} as in the header", number)
        if long:
            _add(source, table, number, (row[2], row[0], row[1]), _score(source, number, row[3]))
            continue
        for name, text in zip(header[1:], row[1:], strict=True):
            system, topic = (row[0], name) if turned else (name, row[0])
            _add(source, table, number, ("", system, topic), _score(source, number, text))


def _run_id(source: Source) -> str:
    """Return the name of the system that an output is of."""
    for line in source.data.decode(errors="replace").splitlines():
        if found := _RUN_ID.match(line):
            return found[1]
        columns = line.split()
        if columns and columns[0] == "runid":
            return columns[-1]
    return source.stem


def _read_outputs(source: Source, table: Table, system: str) -> None:
    rows = [row for row in _rows(source) if row[1][0] != "runid"]
    for number, columns in rows:
        if len(columns) != 3:
            raise source.problem(
                f"{counted(len(columns), 'column')}, expected measure, topic and value", number
            )
    if all(topic.lower() in _SUMMARIES for _, (_, topic, _) in rows):
        raise source.problem("holds no scores of topics", fix="Write it with the option -q.")
    for number, (measure, topic, text) in rows:
        _add(source, table, number, (measure, system, topic), _score(source, number, text))


def _read_pairs(source: Source, table: Table) -> None:
    systems = ["second column", "third column"]
    for number, columns in _rows(source):
        if len(columns) != 3:
            raise source.problem(f"{counted(len(columns), 'column')}, expected topic and two scores", number)
        if number == source.first_row[0] and columns[0].lower() in _TOPICS:
            systems = columns[1:]
            continue
        for system, text in zip(systems, columns[1:], strict=True):
            _add(source, table, number, ("", system, columns[0]), _score(source, number, text))


_READERS: dict[str, Callable[[Source, Table], None]] = {
    "json": _read_json,
    "csv": _read_csv,
    "pairs": _read_pairs,
}


def _score(source: Source, line: int, text: str) -> float | None:
    if not text.strip():
        return None
    value = _number(text)
    if value is None:
        raise InputError(f"the score {text.strip()!r} is not a number", file=source.name, line=line)
    return value


def _is_number(text: str) -> bool:
    return _number(text) is not None


def _number(text: str) -> float | None:
    try:
        return float(text) if "_" not in text else None
    except ValueError:
        return None
