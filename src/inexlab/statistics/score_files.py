"""Scores from files: what inexlab, inex_eval, trec_eval or a spreadsheet wrote, as one matrix.

the JSON or CSV of `inexlab evaluate -q`
a CSV matrix: topic in the first column, one column per system
outputs of `inex_eval -q` or `trec_eval -q`, or folders of them: one system each
three columns, topic and two scores, as the t-test script of INEX 2008-2009 read
"""

from __future__ import annotations

import csv
import json
import math
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from inexlab.errors import InputError, UsageError, nearest_name
from inexlab.files import Source, read_source
from inexlab.statistics.matrix import ScoreMatrix

Table = dict[str, dict[str, dict[str, float]]]  # measure -> system -> topic -> score

_RUN_ID = re.compile(r'<eval run-id="([^"]*)"')


def holds_scores(path: str | Path) -> bool:
    """Whether a file or folder looks like scores, not like judgements."""
    if Path(path).is_dir():
        files = [file for file in sorted(Path(path).rglob("*")) if file.is_file()]
        return bool(files) and holds_scores(files[0])
    source = read_source(path)
    first = source.first_row[1]
    return _kind(source) is not None and not first.startswith(b"<assessments")


def read_scores(paths: Iterable[str | Path], measure: str = "", *, common: bool = False) -> ScoreMatrix:
    """Read files of scores into one matrix of the measure asked for, or of the only one there is.

    Topics without a score for any system are left out. Where systems have scores on different topics,
    `common` keeps those that all have; without it that is an error which names the topics.
    """
    table: Table = {}
    for path in paths:
        files = sorted(f for f in Path(path).rglob("*") if f.is_file()) if Path(path).is_dir() else [path]
        for file in files:
            _read(read_source(file), table)
    return to_matrix(_chosen(table, measure), measure, common=common)


def to_matrix(scores: dict[str, dict[str, float]], name: str, *, common: bool = False) -> ScoreMatrix:
    """Return the matrix of systems and their scores by topic, NaN or missing where undefined."""
    defined = {s: {t: v for t, v in topics.items() if not math.isnan(v)} for s, topics in scores.items()}
    everywhere = sorted({topic for topics in defined.values() for topic in topics})
    lacking = {s: [t for t in everywhere if t not in topics] for s, topics in defined.items()}
    lacking = {s: topics for s, topics in lacking.items() if topics}
    if lacking and not common:
        system, topics = next(iter(lacking.items()))
        shown = ", ".join(topics[:5]) + (" …" if len(topics) > 5 else "")
        raise UsageError(
            f"systems have scores on different topics: {system} has none on {shown} "
            f"({len(lacking)} systems lack some); --common-topics keeps those that all have."
        )
    topics = [t for t in everywhere if not any(t in missing for missing in lacking.values())]
    values = np.array([[row[t] for t in topics] for row in defined.values()], dtype=np.float64)
    return ScoreMatrix(tuple(defined), tuple(topics), values.reshape(len(defined), len(topics)), name)


def _chosen(table: Table, measure: str) -> dict[str, dict[str, float]]:
    """Return the scores by one measure; those of files that name none go with any."""
    named = {name: scores for name, scores in table.items() if name}
    if not measure and len(named) == 1:
        measure = next(iter(named))
    if measure in named or not named:
        chosen = {**named.get(measure, {}), **table.get("", {})}
        if len(chosen) < len(named.get(measure, {})) + len(table.get("", {})):
            raise UsageError("two files hold scores of a system of the same name.")
        if not chosen:
            raise UsageError("the files hold no scores of topics.")
        return chosen
    near = nearest_name(measure, named) if measure else None
    what = f"no scores by {measure!r}" if measure else f"scores by {len(named)} measures"
    hint = f"; did you mean {near!r}?" if near else ""
    known = ", ".join(list(named)[:12]) + " …" * (len(named) > 12)
    raise UsageError(f"{what}{hint}; choose one with -m: {known}.")


def _kind(source: Source) -> str | None:
    first = source.first_row[1].decode(errors="replace")
    if first.startswith("["):
        return "json"
    if first.startswith("<eval"):
        return "outputs"
    if "," in first and first.partition(",")[0].strip().lower() in ("topic", "run"):
        return "csv"
    columns = first.split()
    if len(columns) == 3:
        two_scores = _number(columns[1]) is not None and _number(columns[2]) is not None
        # `map 301 0.5` is a measure, a topic and a score; `301 0.5 0.6` a topic and two scores
        measure_first = _number(columns[0]) is None and columns[1].isdigit()
        return "pairs" if two_scores and not measure_first else "outputs"
    return None


def _read(source: Source, table: Table) -> None:
    kind = _kind(source)
    if kind is None:
        raise source.problem(
            "is not scores in a known format",
            source.first_row[0],
            fix="Known: JSON or CSV of `inexlab evaluate -q`, a CSV matrix, inex_eval -q, trec_eval -q.",
        )
    reader = {"json": _read_json, "csv": _read_csv, "outputs": _read_outputs, "pairs": _read_pairs}[kind]
    reader(source, table)


def _add(source: Source, table: Table, line: int | None, row: Sequence[str], value: float) -> None:
    measure, system, topic = row
    topics = table.setdefault(measure, {}).setdefault(system, {})
    if topic in topics:
        raise source.problem(
            f"a second score of {system} on topic {topic}", line, fix="Give each system a name."
        )
    topics[topic] = value


def _read_json(source: Source, table: Table) -> None:
    try:
        rows = json.loads(source.data)
        entries = [(str(r["measure"]), str(r["run"]), str(r["topic"]), r["value"]) for r in rows]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise source.problem(
            "is not the JSON of `inexlab evaluate -q`", fix="It is an array of run, topic, measure, value."
        ) from None
    for measure, system, topic, value in entries:
        if topic == "all":
            continue
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
            raise source.problem(f"the score {value!r} of {system} on topic {topic} is not a number")
        try:
            score = math.nan if value is None else float(value)
        except OverflowError:
            raise source.problem(f"the score of {system} on topic {topic} is too large a number") from None
        _add(source, table, None, (measure, system, topic), score)
    if not table:
        raise source.problem("holds no scores of topics", fix="Write it with `inexlab evaluate -q -o json`.")


def _read_csv(source: Source, table: Table) -> None:
    lines = source.data.decode(errors="replace").splitlines()
    try:
        rows = list(csv.reader(lines[source.first_row[0] - 1 :]))
    except csv.Error as error:
        raise source.problem(f"is not CSV ({error})") from None
    header = [name.strip() for name in rows[0]]
    long = header == ["run", "topic", "measure", "value"]
    for number, row in enumerate(rows[1:], start=source.first_row[0] + 1):
        if not row or row[0].startswith("#"):
            continue
        if len(row) != len(header):
            raise source.problem(f"{len(row)} fields, expected {len(header)} as in the header", number)
        if long:
            if row[1] != "all":
                _add(source, table, number, (row[2], row[0], row[1]), _score(source, number, row[3]))
            continue
        for system, text in zip(header[1:], row[1:], strict=True):
            _add(source, table, number, ("", system, row[0]), _score(source, number, text))


def _read_outputs(source: Source, table: Table) -> None:
    system = source.stem
    rows: list[tuple[int, str, str, str]] = []
    for number, line in enumerate(source.data.decode(errors="replace").splitlines(), start=1):
        if found := _RUN_ID.match(line):
            system = found[1]
        columns = line.split()
        if line.startswith("<") or not columns:
            continue
        if len(columns) != 3:
            raise source.problem(f"{len(columns)} columns, expected measure, topic and value", number)
        if columns[0] == "runid":
            system = columns[2]
        elif columns[1] != "all":
            rows.append((number, *columns))  # type: ignore[arg-type]
    if not rows:
        raise source.problem("holds no scores of topics", fix="Write it with the option -q.")
    for number, measure, topic, text in rows:
        _add(source, table, number, (measure, system, topic), _score(source, number, text))


def _read_pairs(source: Source, table: Table) -> None:
    for number, line in enumerate(source.data.decode(errors="replace").splitlines(), start=1):
        columns = line.split()
        if not columns or columns[0].startswith("#"):
            continue
        if len(columns) != 3:
            raise source.problem(f"{len(columns)} columns, expected topic and two scores", number)
        for system, text in zip(("second column", "third column"), columns[1:], strict=True):
            _add(source, table, number, ("", system, columns[0]), _score(source, number, text))


def _score(source: Source, line: int, text: str) -> float:
    if not text.strip():
        return math.nan
    value = _number(text)
    if value is None:
        raise InputError(f"the score {text.strip()!r} is not a number", file=source.name, line=line)
    return value


def _number(text: str) -> float | None:
    try:
        return float(text) if "_" not in text else None
    except ValueError:
        return None
