"""The alternative annotator test: whether a candidate may take the place of people who judge.

Each person is held out in turn, and the candidate is compared with them by how well each agrees with all
others (Calderon, Reichart and Dror 2025, arXiv 2501.10970).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from inexlab.errors import UsageError
from inexlab.statistics.corrections import adjust
from inexlab.tables import Floats

FEWEST_ITEMS = 50
FEWEST_PEOPLE = 2


class HeldOut(NamedTuple):
    """One person against the candidate: on how many items each agreed with the others at least as well.

    `advantage` is that share of the candidate, `advantage_of_person` of the person (ties count for both);
    `p` is that of "the candidate is worse by epsilon or more", `won` whether that is rejected.
    """

    person: str
    items: int
    advantage: float
    advantage_of_person: float
    p: float
    p_adjusted: float
    won: bool


@dataclass(frozen=True)
class AlternativeTest:
    """The outcome: `winning_rate` is the share of people the candidate stands against; half is enough."""

    candidate: str
    epsilon: float
    alpha: float
    people: Sequence[HeldOut]

    @property
    def winning_rate(self) -> float:
        """The share of people against whom the candidate is found to be no worse than epsilon."""
        return sum(person.won for person in self.people) / len(self.people)

    @property
    def advantage(self) -> float:
        """The mean share of items on which the candidate agrees with the others at least as well."""
        return float(np.mean([person.advantage for person in self.people]))

    @property
    def passed(self) -> bool:
        """Whether the candidate may take the place of the people."""
        return self.winning_rate >= 0.5


def alternative_test(
    candidate: str,
    agreement: Mapping[str, tuple[Floats, Floats]],
    *,
    epsilon: float = 0.2,
    alpha: float = 0.05,
) -> AlternativeTest:
    """Test a candidate against each person: how well the two agree with the others, item by item.

    With d = 1 where the person agrees better, -1 where the candidate does, and 0 where they are equal, a
    paired t-test rejects mean(d) >= epsilon; p is corrected after Benjamini and Yekutieli over the people.

    On 100 items the candidate is better on 40, the person on 30: mean(d) = -0.1, s = 0.8348, and with epsilon
    0.2 t = -0.3 / (0.8348 / 10) = -3.594, p = 0.00026 with 99 degrees of freedom.

    >>> ours, theirs = np.array([1.0] * 40 + [0.0] * 60), np.array([0.0] * 70 + [1.0] * 30)
    >>> result = alternative_test("model", {"anna": (ours, theirs), "bob": (ours, theirs)})
    >>> [round(person.p, 5) for person in result.people], result.winning_rate
    ([0.00026, 0.00026], 1.0)
    """
    if not 0 <= epsilon < 1:
        raise UsageError(f"`epsilon=` is {epsilon:g}, expected a number from 0 to 1.")
    if not 0 < alpha < 1:
        raise UsageError(f"`alpha=` is {alpha:g}, expected a number between 0 and 1.")
    few = {person: len(scores[0]) for person, scores in agreement.items() if len(scores[0]) < FEWEST_ITEMS}
    enough = [person for person in agreement if person not in few]
    if len(enough) < FEWEST_PEOPLE:
        why = ", ".join(f"{person} {count}" for person, count in few.items())
        of_few = f" (items judged with {candidate} and somebody else: {why})" if few else ""
        raise UsageError(
            f"the test of {candidate} needs {FEWEST_PEOPLE} people with {FEWEST_ITEMS} items each; "
            f"there are {len(enough)}{of_few}."
        )
    shares = []
    for person in enough:
        ours, theirs = agreement[person]
        shares.append((float((ours >= theirs).mean()), float((theirs >= ours).mean())))
    apart = [np.sign(agreement[person][1] - agreement[person][0]) for person in enough]
    p = np.array([_p_value(d, epsilon) for d in apart])
    found = [
        HeldOut(person, len(d), *of_both, float(raw), float(corrected), bool(corrected <= alpha))
        for person, d, of_both, raw, corrected in zip(enough, apart, shares, p, adjust(p, "by"), strict=True)
    ]
    return AlternativeTest(candidate, epsilon, alpha, found)


def _p_value(d: Floats, epsilon: float) -> float:
    """Return p of "the mean of d is epsilon or more"."""
    from scipy.special import stdtr

    mean, deviation = float(d.mean()), float(d.std(ddof=1))
    if not deviation:
        return 0.0 if mean < epsilon else 1.0
    return float(stdtr(len(d) - 1, (mean - epsilon) / (deviation / np.sqrt(len(d)))))
