"""Statistics of topics: how complex their queries are, how many survive each stage of a campaign.

Trotman and Lalmas (2005), Table 1; Lalmas and Tombros (2007), Table 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from inexlab.topics.decompose import single_clauses
from inexlab.topics.families import structured_query
from inexlab.topics.table import Topic


@dataclass(frozen=True)
class TopicStatistics:
    """Topics, those of each kind and children among them; structured queries by number of clauses.

    `clauses` has the number of queries with 1, 2, 3, and 4 or more clauses; children are not counted,
    since they have one clause by definition. Clauses are abouts and comparisons.
    """

    topics: int
    kinds: dict[str, int]
    children: int
    clauses: tuple[int, int, int, int]

    @property
    def percentages(self) -> tuple[int, ...]:
        """The share of each number of clauses, rounded as in print."""
        total = sum(self.clauses)
        return tuple((200 * count + total) // (2 * total) if total else 0 for count in self.clauses)


def topic_statistics(topics: Iterable[Topic]) -> TopicStatistics:
    """Count topics by kind, and the structured queries of those that are not children by their clauses."""
    given = list(topics)
    counts: Counter[int] = Counter()
    for topic in given:
        query = None if topic.parent else structured_query(topic)
        if query is not None:
            counts[min(4, len(single_clauses(query)))] += 1
    return TopicStatistics(
        len(given),
        dict(sorted(Counter(topic.kind for topic in given).items())),
        sum(bool(topic.parent) for topic in given),
        (counts[1], counts[2], counts[3], counts[4]),
    )


@dataclass(frozen=True)
class Survival:
    """How many topics were proposed, chosen and judged; and which were judged without being chosen."""

    candidate: int
    selected: int
    assessed: int
    unexpected: tuple[str, ...]


def survival(candidate: Collection[str], selected: Collection[str], assessed: Collection[str]) -> Survival:
    """Count the topics of a campaign from the ids of those proposed, chosen and judged.

    Candidates have numbers of their own, so nothing is compared with them; what is assessed should have
    been selected.
    """
    chosen, judged = set(selected), set(assessed)
    return Survival(len(set(candidate)), len(chosen), len(judged), tuple(sorted(judged - chosen)))
