"""What is known of a whole collection whose documents lie in several shards.

Scores depend on the collection: how many units there are, how many of them hold a word, how long they are.
All of that is whole numbers, which add up over shards. Some are the same for every query and kept in the
manifest; the others answer questions that a query raises. A question is asked of every shard, and the sum of
what they say is what one index of all documents would say.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from inexlab.index.inference import Inferred

Languages = tuple[str, ...]
Words = tuple[
    tuple[str, ...], tuple[str, ...]
]  # all terms that a word stands for, and those as it is written
Row = tuple[Words, ...]  # a word, or the words of a phrase


class WordQuestion(NamedTuple):
    """Which terms a word of a query stands for."""

    languages: Languages
    exact: bool
    token: str
    in_phrase: bool


class OutsideQuestion(NamedTuple):
    """Whether what a query asks for can lie in what the profile leaves outside."""

    query: Any
    equivalence: frozenset[tuple[str, str]]


class SizeQuestion(NamedTuple):
    """How many units of a kind there are, and how many tokens and different terms these have."""

    units: str


class FrequencyQuestion(NamedTuple):
    """How often a word or a phrase occurs."""

    row: Row


class HoldingQuestion(NamedTuple):
    """How many units of a kind hold a word or a phrase."""

    units: str
    row: Row


Question = WordQuestion | OutsideQuestion | SizeQuestion | FrequencyQuestion | HoldingQuestion
Answers = dict[Question, Any]

ROOTS = "roots"  # the units of a search for whole documents


def together(question: Question, answers: Iterable[Any]) -> Any:
    """Return what a collection answers to a question, from the answers of its shards."""
    given = list(answers)
    if isinstance(question, WordQuestion):
        every, as_written = (set().union(*texts) for texts in zip(*given, strict=True))
        return tuple(sorted(every)), tuple(sorted(as_written))
    if isinstance(question, OutsideQuestion):
        return any(given)
    if isinstance(question, SizeQuestion):
        return tuple(map(sum, zip(*given, strict=True)))
    return sum(given)


@dataclass(frozen=True)
class Whole:
    """A collection in shards: what is the same for every query, and the answers to questions so far."""

    identity: int
    tokens: int
    sizes: Mapping[str, tuple[int, int, int]]
    languages: Mapping[str, int]
    inferred: Inferred
    shards: int
    answers: Answers = field(default_factory=dict, compare=False)

    def __getitem__(self, question: Question) -> Any:
        if isinstance(question, SizeQuestion) and question.units in self.sizes:
            return self.sizes[question.units]
        return self.answers[question]

    def knows(self, question: Question) -> bool:
        """Whether the answer to a question is known."""
        return question in self.answers or (
            isinstance(question, SizeQuestion) and question.units in self.sizes
        )
