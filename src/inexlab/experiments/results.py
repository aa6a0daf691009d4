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
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple

from inexlab import __version__
from inexlab.experiments.experiment import TopicList
from inexlab.experiments.scoring import Scored
from inexlab.files import read_source
from inexlab.output import write_file
from inexlab.progress import report

FORMAT = "inexlab results 1"
_CHARACTERS = {"runs": "char", "judgements": "char"}
_LIBRARIES = ("numpy", "numba", "scipy")
_AT_ONCE = 10_000  # scores compared between two reports
Key = tuple[str, str, str, str]  # task, run, topic, measure


class ResultChange(NamedTuple):
    """Something that two results do not have in common: a setting, a file, or a score."""

    kind: str
    what: str
    before: Any
    after: Any


def results_of(scored: Sequence[Scored]) -> dict[str, Any]:
    """Return the content of a results file."""
    collections = [s.experiment.collection for s in scored if s.experiment.collection is not None]
    collection = next((str(getattr(c, "name", c)) for c in collections), "")
    return {
        "format": FORMAT,
        "versions": versions(),
        "collection": file_hash(collection) if collection else None,
        "tasks": [_task(part) for part in scored],
    }


def _task(scored: Scored) -> dict[str, Any]:
    experiment, evaluation = scored.experiment, scored.evaluation
    measures = [scores.measure for scores in evaluation.scores]
    values = [str(value) for measure in measures for value in measure.parameters.values()]
    over = experiment.over
    return {
        "task": experiment.name or (experiment.preset.task if experiment.preset else ""),
        "judgements": file_hash(scored.judgements.file),
        "pools": sorted(experiment.pools),
        "runs": {run: file_hash(file) for run, file in scored.files.items()},
        "unit": experiment.units._asdict(),
        "policy": dataclasses.asdict(experiment.policy),
        "over": Path(over.file).name if isinstance(over, TopicList) else over,
        "topics": {**file_hash(over.file), "ids": list(over.ids)} if isinstance(over, TopicList) else None,
        "measures": [str(measure) for measure in measures],
        "quantisations": {name: file_hash(name) for name in values if name.endswith(".toml")},
        "notes": list(evaluation.notes),
        "scores": [row._asdict() for row in evaluation.rows()],
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
            "is not a results file", fix="`inexlab evaluate` writes one with `out=results.json`."
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
        # Files of earlier versions lack what follows.
        tables += [part.get("unit", {}), part.get("quantisations", {})]
        files += part.get("quantisations", {}).values()
        texts += [*part.get("pools", []), *part.get("unit", {}).values()]
        if (topics := part.get("topics")) is not None:
            files.append(topics)
            texts += topics["ids"]
    texts += [file[key] for file in files for key in ("name", "sha256")]
    if not all(isinstance(t, dict) for t in tables) or not all(isinstance(t, str) for t in texts):
        raise TypeError
    list(_scores(results))


def file_hash(name: str | Path) -> dict[str, str]:
    """Return the name of a file (a folder) and the SHA-256 of its content (of all files in it)."""
    path = Path(name)
    if not str(name) or not path.exists():
        return {"name": path.name, "sha256": ""}  # standard input, or what was given as an object
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


def causes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[ResultChange]:
    """Return what may explain other scores: versions, files, pools, units, policy, topics, measures."""
    found = list(_settings("version", before["versions"], after["versions"]))
    found += _files("collection", {"": before["collection"]}, {"": after["collection"]})
    tasks = [{part["task"]: part for part in results["tasks"]} for results in (before, after)]
    for name in dict.fromkeys((*tasks[0], *tasks[1])):
        old, new = (side.get(name) for side in tasks)
        where = f"{name}: " if name else ""
        if old is None or new is None:
            found.append(ResultChange("task", name, old and "there", new and "there"))
            continue
        found += _files(f"{where}judgements", {"": old["judgements"]}, {"": new["judgements"]})
        found += _settings(f"{where}pools", *({"": part.get("pools") or None} for part in (old, new)))
        found += _files(f"{where}run", old["runs"], new["runs"])
        found += _settings(f"{where}unit of", *(part.get("unit", _CHARACTERS) for part in (old, new)))
        found += _settings(f"{where}policy", old["policy"], new["policy"])
        found += _settings(f"{where}topics", *({"": _topics(part)} for part in (old, new)))
        found += _files(f"{where}quantisation", *(part.get("quantisations", {}) for part in (old, new)))
        measures = (dict.fromkeys(part["measures"], "there") for part in (old, new))
        found += _settings(f"{where}measure", *measures)
    return found


def _topics(part: Mapping[str, Any]) -> str:
    """Return the topics that means are over; a list is what it holds, whatever its file is called."""
    if part.get("topics") is None:
        return str(part["over"])
    return f"those listed ({', '.join(sorted(set(part['topics']['ids'])))})"


def _settings(kind: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[ResultChange]:
    for name in dict.fromkeys((*before, *after)):
        if before.get(name) != after.get(name):
            yield ResultChange(kind, name, before.get(name), after.get(name))


def _files(kind: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[ResultChange]:
    """Yield the files with another content; another name for the same content is not a change."""
    for name in dict.fromkeys((*before, *after)):
        old, new = before.get(name) or {}, after.get(name) or {}
        if old.get("sha256") != new.get("sha256"):
            shown = (f"{file['name']} ({file['sha256'][:12]})" if file else None for file in (old, new))
            yield ResultChange(kind, name, *shown)


def common_scores(before: Mapping[str, Any], after: Mapping[str, Any]) -> int:
    """Return how many scores both have: of the same task, run, topic and measure."""
    return len(dict(_scores(before)).keys() & dict(_scores(after)).keys())


def score_changes(
    before: Mapping[str, Any], after: Mapping[str, Any], tolerance: float = 0.0
) -> list[tuple[Key, float | None, float | None]]:
    """Return the scores that both have and that differ by more than the tolerance."""
    old, new = dict(_scores(before)), dict(_scores(after))
    changed = []
    for done, key in enumerate(old):
        if done % _AT_ONCE == 0:
            report("comparing", done, len(old), "scores")
        if key in new and old[key] != new[key]:
            a, b = old[key], new[key]
            if a is None or b is None or abs(a - b) > tolerance:
                changed.append((key, a, b))
    report("comparing", len(old), len(old), "scores")
    return changed


def why(key: Key, changes: Sequence[ResultChange]) -> list[str]:
    """Return the causes that can have changed a score: those of its run and task, and of everything."""
    task, run, _, measure = key
    prefix = f"{task}: " if task else ""
    reasons = []
    for change in changes:
        kind = change.kind.removeprefix(prefix)
        if kind == "run" and change.what == run:
            reasons.append("other run")
        elif kind in ("judgements", "pools", "topics", "collection"):
            reasons.append(f"other {kind}")
        elif kind == "quantisation" and change.what in measure:
            reasons.append(f"other quantisation {change.what}")
        elif kind == "unit of":
            reasons.append(f"unit of {change.what} {change.after} (was {change.before})")
        elif kind == "policy":
            reasons.append(f"policy {change.what}={change.after} (was {change.before})")
        elif kind == "version":
            reasons.append(f"{change.what} {change.after} (was {change.before})")
    return reasons
