"""Who judged: a person or a model, by name and version, and what to do where several judged one document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

KINDS = ("person", "model")


class Assessor(NamedTuple):
    """Who judged a document.

    >>> str(Assessor("model", "judge", "3")), str(Assessor("person", "anna"))
    ('judge/3', 'anna')
    """

    kind: str
    name: str
    version: str = ""

    def __str__(self) -> str:
        return f"{self.name}/{self.version}" if self.version else self.name


def labels(assessors: Sequence[Assessor]) -> list[str]:
    """Return what to call assessors: by name, or by name and version (and kind) where names are the same.

    >>> labels([Assessor("person", "anna"), Assessor("model", "m", "1"), Assessor("model", "m", "2")])
    ['anna', 'm/1', 'm/2']
    """
    names = Counter(assessor.name for assessor in assessors)
    full = Counter(str(assessor) for assessor in assessors)
    return [
        a.name if names[a.name] == 1 else str(a) if full[str(a)] == 1 else f"{a} ({a.kind})"
        for a in assessors
    ]
