"""The pool: the documents to judge for each topic, with what runs returned of them as hints."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from inexlab.tables import by_number_and_name


class Hint(NamedTuple):
    """What a run returned of a document, given by a path or, of a passage, by the two it lies between."""

    path: str
    until: str | None = None


@dataclass(frozen=True, slots=True)  # there are hundreds of thousands
class PooledDocument:
    """A document to judge for a topic; `runs` returned it, and the first of them brought it in, at `rank`.

    `hints` are what they returned of it, as spans; `paths` where there was no collection to find them in.
    """

    topic: str
    doc: str
    hints: tuple[tuple[int, int], ...] = ()
    runs: tuple[str, ...] = ()
    rank: int | None = None
    paths: tuple[Hint, ...] = ()


@dataclass(frozen=True, eq=False)
class Pool:
    """Documents to judge, grouped by topic; `assessors` says by topic who is to judge it.

    A topic without assessors in a pool that has a plan is kept back for latecomers. `participants` has who
    made each run; one that is not in it stands for itself.
    """

    documents: tuple[PooledDocument, ...]
    assessors: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    participants: Mapping[str, str] = field(default_factory=dict)
    file: str = ""
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.documents)

    def __iter__(self) -> Iterator[PooledDocument]:
        return iter(self.documents)

    def __repr__(self) -> str:
        return f"Pool({len(self.topics)} topics, {len(self)} documents)"

    @functools.cached_property
    def by_topic(self) -> dict[str, list[PooledDocument]]:
        """The documents of each topic, in the order in which they came in."""
        found: dict[str, list[PooledDocument]] = {}
        for document in self.documents:
            found.setdefault(document.topic, []).append(document)
        return found

    @property
    def topics(self) -> list[str]:
        """The topics, in the order of their names."""
        return by_number_and_name({*self.by_topic, *self.assessors})

    @property
    def runs(self) -> list[str]:
        """The runs that returned any of the documents."""
        return list(dict.fromkeys(run for document in self.documents for run in document.runs))

    def participant(self, run: str) -> str:
        """Return who made a run."""
        return self.participants.get(run) or run


class Contribution(NamedTuple):
    """How many documents of a pool a run, or a participant, returned, and how many nobody else did."""

    name: str
    documents: int
    alone: int
    relevant: int = 0
    relevant_alone: int = 0


def contributions(
    pool: Pool, names: Mapping[str, str], relevant: Sequence[tuple[str, str]] | set[tuple[str, str]] = ()
) -> list[Contribution]:
    """Return what each contributed, by the name that its runs have in `names`.

    `relevant` are topics and documents with relevant text. A document is contributed alone where all runs
    that returned it have the same name: `{run: run}` counts for runs, `{run: participant}` for participants.
    """
    known = set(relevant)
    counts: dict[str, Counter[str]] = {name: Counter() for name in names.values()}
    for document in pool:
        who = {names[run] for run in document.runs}
        hit = (document.topic, document.doc) in known
        for name in who:
            counts[name]["documents"] += 1
            counts[name]["relevant"] += hit
            if len(who) == 1:
                counts[name]["alone"] += 1
                counts[name]["relevant_alone"] += hit
    fields = Contribution._fields[1:]
    return [Contribution(name, *(count[key] for key in fields)) for name, count in counts.items()]
