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


class RecentAnswers:
    """Answers to questions, but for those that nobody asked for lately.

    There are two generations of them. A new one begins when there are so many answers in the last; whatever
    is asked for again goes along. So a query that is being answered finds its own, whatever others ask.
    """

    most = 20_000  # in a generation

    def __init__(self) -> None:
        self._generations: tuple[Answers, Answers] = {}, {}

    def __len__(self) -> int:
        new, old = self._generations
        return len(new.keys() | old.keys())

    def __contains__(self, question: Question) -> bool:
        new, old = self._generations
        if question not in new and question in old:
            new[question] = old[question]
        return question in new

    def __getitem__(self, question: Question) -> Any:
        new, old = self._generations
        return new[question] if question in new else old[question]

    def update(self, answers: Answers) -> None:
        """Take note of answers."""
        if all(question in self for question in answers):
            return
        if len(self._generations[0]) > self.most:
            self._generations = {}, self._generations[0]
        self._generations[0].update(answers)


@dataclass(frozen=True)
class Whole:
    """A collection in shards: what is the same for every query, and the answers to questions so far."""

    identity: int
    tokens: int
    sizes: Mapping[str, tuple[int, int, int]]
    languages: Mapping[str, int]
    inferred: Inferred
    shards: int
    answers: RecentAnswers = field(default_factory=RecentAnswers, compare=False)

    def __getitem__(self, question: Question) -> Any:
        if isinstance(question, SizeQuestion) and question.units in self.sizes:
            return self.sizes[question.units]
        return self.answers[question]

    def knows(self, question: Question) -> bool:
        """Whether the answer to a question is known."""
        return question in self.answers or (
            isinstance(question, SizeQuestion) and question.units in self.sizes
        )
