"""Results that can be made again: scores with all they depend on, in one file, and what changed between two.

A results file holds the scores, the versions, the policy and the parameters, and a hash of every file that
was read. It holds no dates and no machine's paths: the same evaluation gives the same file.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple

from inexlab import __version__
from inexlab.files import read_source
from inexlab.measures import Evaluation
from inexlab.output import write_file
from inexlab.policy import Policy

FORMAT = "inexlab results 1"
_LIBRARIES = ("numpy", "numba", "scipy")
Key = tuple[str, str, str, str]  # task, run, topic, measure


class Change(NamedTuple):
    """Something that two results do not have in common: a setting, a file, or a score."""

    kind: str
    what: str
    before: Any
    after: Any


@dataclass(frozen=True)
class Part:
    """The evaluation of one task (or of all there is), with what went in."""

    task: str
    evaluation: Evaluation
    judgements: str
    runs: Mapping[str, str]  # run id -> file
    policy: Policy
    over: str = "judged"


def results_of(parts: Sequence[Part], collection: str = "") -> dict[str, Any]:
    """Return the content of a results file."""
    return {
        "format": FORMAT,
        "versions": versions(),
        "collection": file_hash(collection) if collection else None,
        "tasks": [
            {
                "task": part.task,
                "judgements": file_hash(part.judgements),
                "runs": {run: file_hash(file) for run, file in part.runs.items()},
                "policy": dataclasses.asdict(part.policy),
                "over": part.over,
                "measures": [str(scores.measure) for scores in part.evaluation.scores],
                "notes": list(part.evaluation.notes),
                "scores": [row._asdict() for row in part.evaluation.rows()],
            }
            for part in parts
        ],
    }


def write_results(results: Mapping[str, Any], path: str | Path) -> None:
    """Write a results file; it is complete or not there."""
    write_file(path, [json.dumps(results, indent=1, ensure_ascii=False).encode(), b"\n"])


def read_results(path: str | Path) -> dict[str, Any]:
    """Read a results file."""
    source = read_source(path)
    try:
        results = json.loads(source.data)
        if results["format"] != FORMAT:
            raise source.problem(
                f"is of the format {results['format']!r}", fix=f"This version reads {FORMAT!r}."
            )
        _check(results)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise source.problem(
            "is not a results file", fix="Write one with `inexlab evaluate … --out results.json`."
        ) from None
    found: dict[str, Any] = results
    return found


def _check(results: Mapping[str, Any]) -> None:
    """Look at all that a comparison needs, and raise an error of some kind where it is not there."""
    tables, texts = [results["versions"]], []
    files = [results["collection"]] if results["collection"] is not None else []
    for part in results["tasks"]:
        tables += [part["policy"], part["runs"]]
        files += [part["judgements"], *part["runs"].values()]
        texts += [part["task"], part["over"], *part["measures"]]
    texts += [file[key] for file in files for key in ("name", "sha256")]
    if not all(isinstance(t, dict) for t in tables) or not all(isinstance(t, str) for t in texts):
        raise TypeError
    list(_scores(results))


def file_hash(name: str | Path) -> dict[str, str]:
    """Return the name of a file (a folder) and the SHA-256 of its content (of all files in it)."""
    path = Path(name)
    if not path.exists():
        return {"name": path.name, "sha256": ""}  # standard input
    digest = hashlib.sha256()
    for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
        if file.is_file():
            if path.is_dir():
                digest.update(file.relative_to(path).as_posix().encode() + b"\0")
            with file.open("rb") as content:
                while block := content.read(1 << 20):
                    digest.update(block)
    return {"name": path.name, "sha256": digest.hexdigest()}


def versions() -> dict[str, str]:
    """Return the versions that scores depend on."""
    found = {"inexlab": __version__, "python": platform.python_version()}
    for library in _LIBRARIES:
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            found[library] = ""
    return found


def _scores(results: Mapping[str, Any]) -> Iterator[tuple[Key, float | None]]:
    for part in results["tasks"]:
        for row in part["scores"]:
            value = row["value"]
            if value is not None and not isinstance(value, int | float):
                raise TypeError
            yield (part["task"], str(row["run"]), str(row["topic"]), str(row["measure"])), value


def causes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Change]:
    """Return what may explain other scores: versions, files, policy, topics averaged over, measures."""
    found = list(_settings("version", before["versions"], after["versions"]))
    found += _files("collection", {"": before["collection"]}, {"": after["collection"]})
    tasks = [{part["task"]: part for part in results["tasks"]} for results in (before, after)]
    for name in dict.fromkeys((*tasks[0], *tasks[1])):
        old, new = (side.get(name) for side in tasks)
        where = f"{name}: " if name else ""
        if old is None or new is None:
            found.append(Change("task", name, old and "there", new and "there"))
            continue
        found += _files(f"{where}judgements", {"": old["judgements"]}, {"": new["judgements"]})
        found += _files(f"{where}run", old["runs"], new["runs"])
        found += _settings(f"{where}policy", old["policy"], new["policy"])
        found += _settings(f"{where}topics", {"": old["over"]}, {"": new["over"]})
        measures = (dict.fromkeys(part["measures"], "there") for part in (old, new))
        found += _settings(f"{where}measure", *measures)
    return found


def _settings(kind: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Change]:
    for name in dict.fromkeys((*before, *after)):
        if before.get(name) != after.get(name):
            yield Change(kind, name, before.get(name), after.get(name))


def _files(kind: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Change]:
    """Yield the files with another content; another name for the same content is no change."""
    for name in dict.fromkeys((*before, *after)):
        old, new = before.get(name) or {}, after.get(name) or {}
        if old.get("sha256") != new.get("sha256"):
            shown = (f"{file['name']} ({file['sha256'][:12]})" if file else None for file in (old, new))
            yield Change(kind, name, *shown)


def score_changes(
    before: Mapping[str, Any], after: Mapping[str, Any], tolerance: float = 0.0
) -> list[tuple[Key, float | None, float | None]]:
    """Return the scores that both have and that differ by more than the tolerance."""
    old, new = dict(_scores(before)), dict(_scores(after))
    changed = []
    for key in old:
        if key in new and old[key] != new[key]:
            a, b = old[key], new[key]
            if a is None or b is None or abs(a - b) > tolerance:
                changed.append((key, a, b))
    return changed


def why(key: Key, changes: Sequence[Change]) -> list[str]:
    """Return the causes that can have changed a score: those of its run and task, and of everything."""
    task, run, _, _ = key
    prefix = f"{task}: " if task else ""
    reasons = []
    for change in changes:
        kind = change.kind.removeprefix(prefix)
        if kind == "run" and change.what == run:
            reasons.append("other run")
        elif kind in ("judgements", "topics", "collection"):
            reasons.append(f"other {kind}")
        elif kind == "policy":
            reasons.append(f"policy {change.what}={change.after} (was {change.before})")
        elif kind == "version":
            reasons.append(f"{change.what} {change.after} (was {change.before})")
    return reasons
