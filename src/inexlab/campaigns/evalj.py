"""EvalJ's configuration: what the official tool of 2005 was told to evaluate, read as it was written.

    TASK: COS.Thorough
    METRICS: nxCG, ep/gr, q
    OVERLAP: off
    QUANT_FUNCTIONS: gen, strict, genLifted
    DCV: 10, 25, 50
    ASSESSMENTS_DIR: adhoc2005/official/CO+S/*/
    SUBMISSIONRUNS_DIR: inex2005_runs/*/
    POOLS: 275, 297, …

One `KEY: value` per line, `#` comments, comma lists that may go on in the next line, `*` in folders, which
are relative to the file. Kazai and Lalmas (2005) §6; the key POOLS is also spelled POOL there.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from inexlab.errors import InputError, UnknownNameError
from inexlab.files import read_source

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


def read_configuration(path: str | Path) -> EvalJConfiguration:
    """Read an EvalJ configuration file."""
    source = read_source(path)
    values: dict[str, str] = {}
    lines: dict[str, int] = {}
    key = ""
    for number, raw in enumerate(source.data.decode(errors="replace").splitlines(), start=1):
        line = raw.partition("#")[0].strip()
        found = re.match(r"([A-Za-z_]+)\s*[:=]\s*(.*)", line)
        if found:
            key = found[1].upper()
            if key not in _KEYS:
                raise source.problem(str(UnknownNameError("key", found[1], _KEYS)), number)
            values[key], lines[key] = found[2].strip(), number
        elif line and key:
            values[key] += f" {line}" if values[key].endswith(",") else f", {line}"
        elif line:
            raise source.problem(f"{line!r} is not KEY: value", number)

    def listed(name: str) -> list[str]:
        return [part for part in re.split(r"[,\s]+", values.get(name, "")) if part]

    def folders(name: str) -> tuple[Path, ...]:
        if name not in values:
            raise source.problem(f"{name} is missing", fix="Name the folder, with * for any.")
        here = Path(str(path)).resolve().parent
        pattern = values[name].rstrip("/")
        base = Path(pattern).anchor or str(here)
        try:
            found = sorted(Path(base).glob(pattern.removeprefix(Path(pattern).anchor)) if pattern else [])
        except (ValueError, NotImplementedError, OSError) as error:
            raise source.problem(
                f"{name} {values[name]} is no folder ({getattr(error, 'strerror', None) or error})",
                lines[name],
            ) from None
        if values[name].endswith("/"):
            found = [folder for folder in found if folder.is_dir()]
        if not found:
            raise InputError(f"{name} {values[name]} matches nothing", file=source.name, line=lines[name])
        return tuple(found)

    task = values.get("TASK", "")
    needed = ["TASK", "METRICS", *(["DCV"] if "nxCG" in listed("METRICS") else [])]
    for name in needed:
        if not values.get(name):
            raise source.problem(
                f"{name} is missing", fix="Kazai and Lalmas (2005) §6 lists the official files."
            )
    if not re.fullmatch(r"[0-9]*\.?[0-9]+", values.get("ALPHA", "1")):
        what = f"ALPHA {values['ALPHA']!r} is not a number from 0 to 1"
        raise source.problem(what, lines["ALPHA"], "The official value is 1.0.")
    for overlap in listed("OVERLAP"):
        if overlap not in ("on", "off"):
            raise source.problem(str(UnknownNameError("overlap", overlap, ("on", "off"))), lines["OVERLAP"])
    for metric in listed("METRICS"):
        if metric not in _METRICS:
            raise source.problem(str(UnknownNameError("metric", metric, _METRICS)), lines["METRICS"])
    return EvalJConfiguration(
        task,
        tuple(_measures(task, listed("METRICS"), values, listed)),
        folders("ASSESSMENTS_DIR"),
        folders("SUBMISSIONRUNS_DIR"),
        frozenset(listed("POOLS") + listed("POOL")),
        values.get("QUERY_TYPE", ""),
    )


def _measures(
    task: str, metrics: list[str], values: dict[str, str], listed: Callable[[str], list[str]]
) -> list[str]:
    """Spell out the measures of each metric, for every quantisation and overlap asked for."""
    alpha = values.get("ALPHA", "1").strip()
    names = []
    for quant in listed("QUANT_FUNCTIONS") or ["gen"]:
        if "precall" in metrics:
            names.append(f"precall(quant={quant})")
        for overlap in listed("OVERLAP") or ["off"]:
            intolerance = f",alpha={alpha}" if overlap == "on" and float(alpha) != 1 else ""
            inner = f"quant={quant},overlap={overlap}{intolerance}"
            ranks = listed("DCV") if "nxCG" in metrics else []
            names += [f"{m}({inner})@{k}" for m in ("nxCG", "MAnxCG") for k in ranks]
            if "ep/gr" in metrics:
                levels = (",level=article", ",level=element") if "FetchBrowse" in task else ("",)
                names += [f"{m}({inner}{level})" for level in levels for m in ("MAep", "iMAep")]
            if "q" in metrics:
                names += [f"Q({inner})", f"R({inner})"]
    return names
