"""What is known of a whole collection whose documents lie in several shards.

Scores depend on the collection: how many units there are, how many of them hold a word, how long they are.
All of that is whole numbers, which add up over shards. Some are the same for every query and kept in the
manifest; the others answer questions that a query raises. A question is asked of every shard, and the sum of
what they say is what one index of all documents would say.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

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


class Known:
    """An answer, which is known at least as long as anyone has this."""

    __slots__ = ("__weakref__", "answer")

    def __init__(self, answer: Any) -> None:
        self.answer = answer


Held = dict[Question, Known]  # what someone needs, and so keeps


class RecentAnswers:
    """Answers to questions: those that anyone holds, and those that were asked for last.

    What searches holds all that it needs before it begins, and lets go of it in the end. So it finds its own,
    however many there are, and whatever other threads ask; and no more is kept than they need, and `most`.
    """

    most = 40_000  # that are kept though nobody holds them

    def __init__(self, known: Answers | None = None) -> None:
        self._known: WeakValueDictionary[Question, Known] = WeakValueDictionary()
        self._last: OrderedDict[Known, None] = OrderedDict()  # those asked for last come last
        self._lock = threading.Lock()
        self.take(known or {})

    def __reduce__(self) -> tuple[Any, ...]:
        with self._lock:
            return RecentAnswers, ({question: known.answer for question, known in self._known.items()},)

    def __len__(self) -> int:
        return len(self._known)

    def __getitem__(self, question: Question) -> Any:
        return self._known[question].answer

    def hold(self, questions: Iterable[Question]) -> Held:
        """Return the answers to those of some questions that are known."""
        with self._lock:
            found = {
                question: known for question in questions if (known := self._known.get(question)) is not None
            }
            self._asked_for(found)
        return found

    def take(self, answers: Answers) -> Held:
        """Take note of answers, and return them."""
        with self._lock:
            # where another thread has asked the same, there must not be two of them, of which one is let go
            found = {
                question: self._known.setdefault(question, Known(answer))
                for question, answer in answers.items()
            }
            self._asked_for(found)
        return found

    def _asked_for(self, found: Held) -> None:
        for known in found.values():
            self._last[known] = None
            self._last.move_to_end(known)
        while len(self._last) > self.most:
            self._last.popitem(last=False)


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
