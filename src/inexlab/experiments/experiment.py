"""What is scored, and how: everything that a number depends on, in one value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from inexlab.campaigns import Preset
from inexlab.campaigns.fitting import fit_measures
from inexlab.collection import Collection
from inexlab.errors import UnknownNameError, UsageError
from inexlab.files import file_stem, read_source
from inexlab.judgements import Judgements
from inexlab.judgements import units as judgement_units
from inexlab.measures import Measure, expand
from inexlab.measures.scoring import DEFAULT_MEASURES
from inexlab.policy import Policy
from inexlab.runs import Run, read_run
from inexlab.runs import units as run_units
from inexlab.spans import UNITS
from inexlab.topics import Topics


@dataclass(frozen=True)
class Entry:
    """One run of an experiment: the run or its file, with what is known of it. `name` replaces its id."""

    run: Run | str | Path
    participant: str = ""
    description: str = ""
    name: str = ""

    @property
    def file(self) -> Path:
        """The run's file."""
        return Path((self.run.file or self.run.id) if isinstance(self.run, Run) else self.run)

    def read(self, input_format: str = "") -> Run:
        """Return the run, read where it is given by its file."""
        run = self.run if isinstance(self.run, Run) else read_run(self.run, input_format or None)
        return replace(run, id=self.name) if self.name else run


class TopicList(NamedTuple):
    """Topics that a mean is over, and the file that lists them, if one does."""

    ids: tuple[str, ...]
    file: str = ""


class OffsetUnits(NamedTuple):
    """What the offsets of runs and of judgements count."""

    runs: str = "char"
    judgements: str = "char"

    @classmethod
    def of(cls, settings: Iterable[str]) -> OffsetUnits:
        """Return the units that settings such as `byte` or `runs=byte` ask for.

        >>> OffsetUnits.of(["byte", "judgements=char"])
        OffsetUnits(runs='byte', judgements='char')
        """
        chosen = cls()
        for setting in settings:
            whose, equals, unit = setting.rpartition("=")
            if equals and whose not in cls._fields:
                raise UnknownNameError("part of `unit=`", whose, cls._fields)
            if unit not in UNITS:
                raise UnknownNameError("unit", unit, UNITS)
            chosen = chosen._replace(**dict.fromkeys([whose] if equals else cls._fields, unit))
        return chosen

    def require_documents(self, collection: Collection | str | Path | None) -> None:
        """Refuse units other than characters if there are no documents to count them in."""
        if collection is None and set(self) != {"char"}:
            raise UsageError("`unit=` needs the texts of the documents: give `collection=DIR`.")

    def run_in_characters(self, run: Run, collection: Collection | None) -> Run:
        """Return a run with offsets that count characters."""
        self.require_documents(collection)
        return run if collection is None else run_units.in_characters(run, collection, self.runs)

    def judgements_in_characters(self, judged: Judgements, collection: Collection | None) -> Judgements:
        """Return judgements with offsets that count characters."""
        self.require_documents(collection)
        if collection is None:
            return judged
        return judgement_units.in_characters(judged, collection, self.judgements)


@dataclass(frozen=True, eq=False)
class Experiment:
    """Judgements, runs, measures, and every choice that changes a number.

    What is given by path is read when the experiment is scored. `topics` are topic files: for titles,
    and for tasks that are averaged over some kind of topic. `over` says which topics a mean is over: all
    judged ones, those of each run, or the ones listed. Of judgements by several assessors `assessors` names
    those that count, and `merge` the rule that makes one judgement of several. `notes` say what was assumed
    in making it. `jobs` threads score (0: one per core), which changes no number.
    """

    judgements: Judgements | str | Path | Sequence[Path]
    runs: tuple[Entry, ...]
    measures: tuple[Measure, ...] = field(
        default_factory=lambda: tuple(m for name in DEFAULT_MEASURES for m in expand(name))
    )
    policy: Policy = field(default_factory=Policy)
    collection: Collection | str | Path | None = None
    topics: tuple[str | Path | Topics, ...] = ()
    over: str | TopicList = "judged"
    pools: tuple[str, ...] = ()
    query_type: str = ""
    assessors: tuple[str, ...] = ()
    merge: str = ""
    units: OffsetUnits = field(default_factory=OffsetUnits)
    input_format: str = ""
    preset: Preset | None = None
    name: str = ""
    title: str = ""
    notes: tuple[str, ...] = ()
    jobs: int = 0

    @property
    def judgements_file(self) -> Path:
        """The file or folder of the judgements, of an experiment that names one."""
        if not isinstance(self.judgements, str | Path):
            raise TypeError("the judgements are not given by one path")
        return Path(self.judgements)

    def by(self, measures: Sequence[Measure]) -> Experiment:
        """Return the experiment with other measures, of which parameters left out are as in its own."""
        if not measures:
            return self
        own = self.measures if self.preset or self.name else ()
        fitted, taken = fit_measures(measures, own)
        if not taken:
            return replace(self, measures=tuple(fitted))
        whose = f"{self.preset.campaign} {self.preset.task}: " if self.preset and not self.name else ""
        values = ", ".join(f"{name}={value}" for name, value in taken.items())
        note = f"{whose}{values}, as in its measures"
        return replace(self, measures=tuple(fitted), notes=(*self.notes, note))

    def doubtful(self, measure: Measure) -> bool:
        """Whether a value of the measure rests on what no paper at hand confirms."""
        return bool(self.preset and self.preset.doubts(measure))


def read_topic_list(over: str) -> str | TopicList:
    """Return what `over` stands for: `judged`, `run`, or the topics that a file lists, one per line."""
    if over in ("judged", "run"):
        return over
    if over != "-" and not Path(over).exists():
        raise UsageError(f"`over={over!r}` must be judged, run or a file of topic ids.")
    lines = read_source(Path(over)).data.decode(errors="replace").splitlines()
    ids = (line.split()[0] for line in lines if line.strip() and not line.strip().startswith("#"))
    return TopicList(tuple(ids), over)


def entries_by_file_name(files: Sequence[str | Path]) -> tuple[Entry, ...]:
    """Return runs that are called by their files' names, by their paths where names are not distinct."""
    stems = [file_stem(str(file)) for file in files]
    distinct = len(set(stems)) == len(stems)
    names = stems if distinct else [str(file) for file in files]
    return tuple(Entry(file, name=name) for file, name in zip(files, names, strict=True))


def unusual_choices(policy: Policy) -> list[str]:
    """Return the choices of a policy that differ from the default, in words."""
    found = []
    for name, choice in Policy.choices().items():
        value = getattr(policy, name)
        if value != choice.default:
            values: Mapping[str, str] = choice.metadata["values"]
            meaning = f": {values[value]}" if value in values else ""
            found.append(f"{name}={value} ({choice.metadata['meaning']}{meaning})")
    return found
