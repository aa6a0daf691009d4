"""EvalJ's configuration files: what the official tool of 2005 evaluated.

    TASK: COS.Thorough
    METRICS: nxCG, ep/gr, q
    OVERLAP: off
    QUANT_FUNCTIONS: gen, strict, genLifted
    DCV: 10, 25, 50
    ASSESSMENTS_DIR: adhoc2005/official/CO+S/*/
    SUBMISSIONRUNS_DIR: inex2005_runs/*/
    POOLS: 275, 297, …

A file may hold several tasks, each beginning with its TASK. One `KEY: value` per line, `#` comments, comma
lists that may go on in the next line, `*` in folders, which are relative to the file. Kazai and Lalmas
(2005) §6; the key POOLS is also spelled POOL there.
"""

from __future__ import annotations

import errno
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from inexlab.errors import InputError, UnknownNameError
from inexlab.files import Source, read_source

_KEYS = (
    *("TASK", "METRICS", "ALPHA", "OVERLAP", "QUANT_FUNCTIONS", "DCV"),
    *("ASSESSMENTS_DIR", "QUERY_TYPE", "SUBMISSIONRUNS_DIR", "POOLS", "POOL"),
)
_METRICS = ("nxCG", "ep/gr", "q", "precall")


@dataclass(frozen=True)
class EvalJConfiguration:
    """What a configuration asks for: measures by name, folders of assessments and runs, pools, the task."""

    task: str
    measures: tuple[str, ...]
    assessments: tuple[Path, ...]
    runs: tuple[Path, ...]
    pools: frozenset[str]
    query_type: str


def read_configurations(path: str | Path) -> list[EvalJConfiguration]:
    """Read an EvalJ configuration file: a configuration for each TASK in it, in their order.

    What stands before the first TASK is the same for all.
    """
    source = read_source(path)
    blocks: list[dict[str, _Value]] = [{}]
    key = ""
    for number, raw in enumerate(source.data.decode(errors="replace").splitlines(), start=1):
        line = raw.partition("#")[0].strip()
        found = re.match(r"([A-Za-z_]+)\s*[:=]\s*(.*)", line)
        if found:
            key = found[1].upper()
            if key not in _KEYS:
                raise source.problem(str(UnknownNameError("key", found[1], _KEYS)), number)
            if key == "TASK":
                blocks.append({})
            if key in blocks[-1]:
                what = f"{key} is given twice for one TASK (first in line {blocks[-1][key].line})"
                raise source.problem(what, number, "Keep one; each task begins with its TASK.")
            blocks[-1][key] = _Value(found[2].strip(), number)
        elif line and key:
            before = blocks[-1][key]
            text = f"{before.text} {line}" if before.text.endswith(",") else f"{before.text}, {line}"
            blocks[-1][key] = _Value(text, before.line)
        elif line:
            raise source.problem(f"{line!r} is not KEY: value", number)
    shared, *tasks = blocks
    wanted = [_Block(source, str(path), {**shared, **task}).configuration() for task in tasks or [{}]]
    names = [configuration.task for configuration in wanted]
    if twice := [name for name in names if names.count(name) > 1]:
        raise source.problem(f"TASK {twice[0]} comes twice", fix="Give each task once.")
    return wanted


class _Value(NamedTuple):
    """What a key is set to, and the line on which it is."""

    text: str
    line: int


class _Block:
    """One task of a configuration; every error names the file and the line."""

    def __init__(self, source: Source, path: str, values: Mapping[str, _Value]) -> None:
        self._source, self._path, self._values = source, path, values

    def configuration(self) -> EvalJConfiguration:
        """Return what the task asks for."""
        task, metrics = self._text("TASK"), self._listed("METRICS")
        for name in ("TASK", "METRICS", *(["DCV"] if "nxCG" in metrics else [])):
            if not self._text(name):
                raise self._source.problem(
                    f"{name} is missing", fix="Kazai and Lalmas (2005) §6 lists the official files."
                )
        if not re.fullmatch(r"[0-9]*\.?[0-9]+", self._text("ALPHA") or "1"):
            what = f"ALPHA {self._text('ALPHA')!r} is not a number from 0 to 1"
            raise self._problem("ALPHA", what, "The official value is 1.0.")
        for key, kind, known in (("OVERLAP", "overlap", ("on", "off")), ("METRICS", "metric", _METRICS)):
            for name in self._listed(key):
                if name not in known:
                    raise self._problem(key, str(UnknownNameError(kind, name, known)))
        return EvalJConfiguration(
            task,
            tuple(self._measures(task, metrics)),
            self._folders("ASSESSMENTS_DIR"),
            self._folders("SUBMISSIONRUNS_DIR"),
            frozenset(self._listed("POOLS") + self._listed("POOL")),
            self._text("QUERY_TYPE"),
        )

    def _text(self, name: str) -> str:
        return self._values[name].text if name in self._values else ""

    def _listed(self, name: str) -> list[str]:
        return [part for part in re.split(r"[,\s]+", self._text(name)) if part]

    def _problem(self, name: str, what: str, fix: str = "") -> InputError:
        return self._source.problem(what, self._values[name].line, fix)

    def _folders(self, name: str) -> tuple[Path, ...]:
        if name not in self._values:
            raise self._source.problem(f"{name} is missing", fix="Name the folder, with * for any.")
        pattern = self._text(name).rstrip("/")
        base = Path(pattern).anchor or str(Path(self._path).resolve().parent)
        try:
            found = sorted(Path(base).glob(pattern.removeprefix(Path(pattern).anchor)) if pattern else [])
            if not found:
                _refuse_too_long(Path(base) / pattern)
        except (ValueError, NotImplementedError, OSError) as error:
            reason = getattr(error, "strerror", None) or error
            raise self._problem(name, f"{name} {self._text(name)} is not a folder ({reason})") from None
        if self._text(name).endswith("/"):
            found = [folder for folder in found if folder.is_dir()]
        if not found:
            raise self._problem(name, f"{name} {self._text(name)} matches nothing")
        return tuple(found)

    def _measures(self, task: str, metrics: Sequence[str]) -> Iterator[str]:
        """Spell out the measures of each metric, for every quantisation and overlap asked for."""
        alpha = self._text("ALPHA") or "1"
        for quant in self._listed("QUANT_FUNCTIONS") or ["gen"]:
            if "precall" in metrics:
                yield f"precall(quant={quant})"
            for overlap in self._listed("OVERLAP") or ["off"]:
                intolerance = f",alpha={alpha}" if overlap == "on" and float(alpha) != 1 else ""
                inner = f"quant={quant},overlap={overlap}{intolerance}"
                if "nxCG" in metrics:
                    yield from (f"{m}({inner})@{k}" for m in ("nxCG", "MAnxCG") for k in self._listed("DCV"))
                if "ep/gr" in metrics:
                    levels = (",level=article", ",level=element") if "FetchBrowse" in task else ("",)
                    yield from (f"{m}({inner}{level})" for level in levels for m in ("MAep", "iMAep"))
                if "q" in metrics:
                    yield from (f"Q({inner})", f"R({inner})")


def _refuse_too_long(path: Path) -> None:
    """Raise what the system says of a name that is too long for it, which a search may pass over."""
    try:
        path.lstat()
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            raise
