"""The campaign manifest: all that belongs to a campaign in one file, so that its tables can be made again.

title = "Handbook campaign"
collection = "articles"            # a folder or archive; paths are relative to this file
topics = ["topics.xml"]
candidate_topics = ["candidates"]  # files of topics, or of ids; or ids themselves
selected_topics = ["2009001", "2009002"]
campaign = "inex2009"              # measures and policy of a year, where a task has none of its own
policy = ["limit=100"]             # what differs from that
pools = ["275", "297"]             # of assessments of 2005-2006: these pools only; a task may have its own
pool = "pool.jsonl"                # what was to be judged, and by whom, for `check`
runs_per_participant = 3           # how many each may submit to a task, for `check`; a task may have its own

[judgements]                       # one or several sets; a task takes the first unless it names one
assessor-a = "judgements.qrels"

[tasks.focused]
measures = ["iP@0.01", "MAiP"]     # the official one first
runs = [
  "runs/focused-*.txt",            # a file or a pattern
  { file = "runs/b.txt", participant = "24", description = "BM25 on paragraphs" },
]
"""

from __future__ import annotations

import glob
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from inexlab.campaigns.presets import Preset, preset
from inexlab.campaigns.presets import tasks as preset_tasks
from inexlab.errors import InexlabError, InputError, UnknownNameError, UsageError, nearest_name
from inexlab.experiments.experiment import Entry, Experiment
from inexlab.files import read_source
from inexlab.measures import expand
from inexlab.policy import Policy

T = TypeVar("T")


@dataclass(frozen=True)
class Manifest:
    """A campaign: its collection, topics, judgement sets and tasks.

    Candidate and selected topics are named by files (Path) or by their ids. `runs_per_participant` says by
    task how many runs a participant may submit; tasks that are not in it have no limit. `pool` is what was to
    be judged.
    """

    file: str
    title: str
    collection: Path | None
    topics: tuple[Path, ...]
    judgements: Mapping[str, Path]
    tasks: Mapping[str, Experiment]
    candidate_topics: tuple[Path | str, ...] = ()
    selected_topics: tuple[Path | str, ...] = ()
    runs_per_participant: Mapping[str, int] = field(default_factory=dict)
    pool: Path | None = None

    def task(self, name: str) -> Experiment:
        """Return a task by name."""
        if name not in self.tasks:
            raise UnknownNameError(f"task of {self.file}", name, self.tasks)
        return self.tasks[name]

    def chosen(self, name: str = "") -> list[Experiment]:
        """Return the task of that name, or all tasks."""
        return [self.task(name)] if name else list(self.tasks.values())

    def only(self, name: str = "") -> Experiment:
        """Return the task of that name, or the only one there is."""
        if not name and len(self.tasks) > 1:
            raise UsageError(f"choose a task of {self.file} with `task=`: {', '.join(self.tasks)}.")
        return self.chosen(name)[0]


def read_manifest(path: str | Path) -> Manifest:
    """Read a campaign manifest; what it names has to be there."""
    source = read_source(path)
    try:
        data = tomllib.loads(source.data.decode())
    except (ValueError, RecursionError) as error:  # of TOML, of UTF-8, of numbers with too many digits
        raise source.problem(f"is not TOML ({error})", fix="Check its syntax.") from None
    return _ManifestReader(str(path), data).manifest()


_STAGES = ("candidate_topics", "selected_topics")
_SHARED = ("campaign", "policy", "pools", "runs_per_participant")  # of all tasks, or of one
_KEYS = ("title", "collection", "topics", "pool", *_STAGES, *_SHARED, "judgements", "tasks")
_TASK_KEYS = ("title", "judgements", "task", *_SHARED, "measures", "runs")
_RUN_KEYS = ("file", "participant", "description")


class _ManifestReader:
    """Reads one manifest; every error names the file and the place in it."""

    def __init__(self, file: str, data: Mapping[str, Any]) -> None:
        self._file, self._data = file, data
        self._folder = Path(file).parent

    def manifest(self) -> Manifest:
        data = self._data
        self._only(data, _KEYS, "")
        named = self._get(data, "judgements", dict, "")
        judgements = {name: self._existing(where, f"judgements.{name}") for name, where in named.items()}
        if not judgements:
            raise self._problem("names no judgements", "[judgements] with a line NAME = FILE is missing.")
        tasks = self._get(data, "tasks", dict, "")
        if not tasks:
            raise self._problem("has no task", "A table such as [tasks.focused] is missing.")
        return Manifest(
            self._file,
            self._get(data, "title", str, "", Path(self._file).stem),
            self._collection(),
            tuple(self._topics()),
            judgements,
            {name: self._task(name, table, judgements) for name, table in tasks.items()},
            tuple(self._stage("candidate_topics")),
            tuple(self._stage("selected_topics")),
            dict(self._allowances(tasks)),
            self._existing(pool, "pool") if (pool := self._get(data, "pool", str, "", "")) else None,
        )

    def _allowances(self, tasks: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
        """Yield the tasks with a limit on how many runs a participant may submit, and that number."""
        key = "runs_per_participant"
        for name, table in tasks.items():
            limit = self._get(table, key, int, f"tasks.{name}", self._get(self._data, key, int, "", 0))
            stated = key in table or key in self._data
            if stated and (isinstance(limit, bool) or limit < 1):
                raise self._problem(f"{key} is {limit}", "Write how many runs, 1 or more.")
            if stated:
                yield name, limit

    def _stage(self, key: str) -> Iterator[Path | str]:
        """Yield the topics of a stage: what is there, or looks like a file, is a file; the rest are ids."""
        for name in self._get(self._data, key, list, "", []):
            is_file = "/" in name or "." in name or (self._folder / name).exists()
            yield self._existing(name, key) if is_file else name

    def _task(self, name: str, table: Any, judgements: Mapping[str, Path]) -> Experiment:
        where = f"tasks.{name}"
        if not isinstance(table, dict):
            raise self._problem(f"{where} is not a table", f"Write [{where}].")
        self._only(table, _TASK_KEYS, where)
        chosen = self._get(table, "judgements", str, where, next(iter(judgements)))
        if chosen not in judgements:
            raise self._unknown(f"{where}.judgements", chosen, judgements)
        found = self._preset(name, table, where)
        names = self._get(table, "measures", list, where, [])
        measures = [
            m
            for given in names
            for m in self._checked(lambda given=given: expand(given), f"{where}.measures")
        ]
        if not measures and found is None:
            raise self._problem(
                f"{where} has no measures", 'Write measures = ["MAiP"], or campaign = "inex2009".'
            )
        settings = [
            *self._get(self._data, "policy", list, "", []),
            *self._get(table, "policy", list, where, []),
        ]
        start = found.policy if found else Policy()
        return Experiment(
            judgements[chosen],
            tuple(self._runs(self._get(table, "runs", list, where), f"{where}.runs")),
            tuple(measures) or (found.measures if found else ()),
            self._checked(lambda: start.with_settings(settings), f"{where}.policy"),
            self._collection(),
            tuple(self._topics()),
            pools=tuple(self._get(table, "pools", list, where, self._get(self._data, "pools", list, "", []))),
            preset=found,
            name=name,
            title=self._get(table, "title", str, where, found.title if found else name),
        )

    def _topics(self) -> Iterator[Path]:
        for file in self._get(self._data, "topics", list, "", []):
            yield self._existing(file, "topics")

    def _collection(self) -> Path | None:
        name = self._get(self._data, "collection", str, "", "")
        return self._existing(name, "collection") if name else None

    def _preset(self, name: str, table: Mapping[str, Any], where: str) -> Preset | None:
        """Return the preset that the task names, or that the campaign has for a task of this name."""
        year = self._get(table, "campaign", str, where, self._get(self._data, "campaign", str, "", ""))
        task = self._get(table, "task", str, where, name)
        if not year:
            return None
        stated = "task" in table or "campaign" in table or not table.get("measures")
        known = self._checked(lambda: preset_tasks(year), f"{where}.campaign")
        if task not in known and not stated:
            return None  # a custom task, with measures of its own
        found: Preset = self._checked(lambda: preset(year, task), where)
        return found

    def _runs(self, listed: Sequence[Any], where: str) -> Iterator[Entry]:
        if not listed:
            raise self._problem(f"{where} is empty", "List the files of the task's runs.")
        seen: set[Path] = set()
        for given in listed:
            entry = {"file": given} if isinstance(given, str) else given
            if not isinstance(entry, dict) or not isinstance(entry.get("file"), str):
                raise self._problem(f"{where}: {given!r} is not a run", 'Write "FILE" or { file = "FILE" }.')
            self._only(entry, _RUN_KEYS, where)
            about = {key: str(entry.get(key, "")) for key in ("participant", "description")}
            pattern = any(sign in entry["file"] for sign in "*?[")
            files = self._matching(entry["file"]) if pattern else [self._existing(entry["file"], where)]
            if not files:
                raise self._problem(f"{where}: no file is called {entry['file']}", "Check the pattern.")
            for file in files:
                if not file.is_file():
                    raise self._problem(f"{where}: {file} is not a file", "Name the runs, or write FOLDER/*.")
                if file.resolve() in seen:
                    raise self._problem(f"{where}: {file} is listed twice", "Leave one out.")
                seen.add(file.resolve())
                yield Entry(file, **about)

    def _matching(self, pattern: str) -> list[Path]:
        """Return the files of a pattern, which may be absolute; hidden ones do not match."""
        found = glob.glob(pattern, root_dir=self._folder, recursive=True)  # noqa: PTH207 - Path has no absolute ones
        return sorted(path for name in found if (path := self._folder / name).is_file())

    def _existing(self, name: Any, where: str) -> Path:
        if not isinstance(name, str):
            raise self._problem(f"{where} is not the name of a file", "Write it in quotes.")
        path = self._folder / name
        if not path.exists():
            raise self._problem(f"{where}: there is no {path}", "Paths are relative to the manifest.")
        return path

    def _get(
        self, table: Mapping[str, Any], key: str, kind: type[T], where: str, default: T | None = None
    ) -> T:
        full = f"{where}.{key}" if where else key
        if key not in table:
            if default is None:
                raise self._problem(f"{full} is missing", "")
            return default
        value = table[key]
        strings = kind is list and key != "runs"
        texts = isinstance(value, list) and all(isinstance(item, str) for item in value)
        if not isinstance(value, kind) or (strings and not texts):
            expected = "a text" if kind is str else "a list" if kind is list else "a table"
            raise self._problem(f"{full} is not {expected}{' of texts' if strings else ''}", "")
        return value

    def _only(self, table: Mapping[str, Any], known: Sequence[str], where: str) -> None:
        for key in table:
            if key not in known:
                raise self._unknown(f"{where}.{key}" if where else key, key, known)

    def _unknown(self, where: str, name: str, known: Sequence[str] | Mapping[str, Any]) -> InputError:
        near = nearest_name(name, known)
        hint = f"Did you mean {near!r}?" if near else f"Known: {', '.join(known)}."
        return self._problem(f"{where} is not known", hint)

    def _checked(self, work: Any, where: str) -> Any:
        try:
            return work()
        except InexlabError as error:
            raise self._problem(f"{where}: {str(error).rstrip('.')}", "") from None

    def _problem(self, what: str, fix: str) -> InputError:
        return InputError(what, file=self._file, fix=fix)
