"""Judgements as they stand in the file, with their lines: what a check looks at.

The readers of the formats fill a recorder as they fill a table, so that a check and a reader never disagree
about what a file says; but a recorder merges nothing, corrects nothing and goes on after an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from inexlab.errors import InputError
from inexlab.judgements.assessor import Assessor
from inexlab.judgements.elements import Scale
from inexlab.judgements.table import ElementGrade, JudgementsBuilder
from inexlab.problems import Problem, unreadable


class Assessed(NamedTuple):
    """An assessed element and its line."""

    line: int
    grade: ElementGrade


class Marked(NamedTuple):
    """A passage or, without an end, a best entry point, given by paths, with the size the file claims."""

    line: int
    start: str
    end: str | None
    size: int | None


@dataclass
class JudgedDocument:
    """One judged document as the file has it; `stated` is its rsize, where the format has one."""

    file: str
    line: int
    topic: str
    doc: str
    spans: list[tuple[int, int]]
    size: int | None
    bep: int | None
    stated: int | None
    assessor: Assessor | None = None
    scale: Scale | None = None
    elements: list[Assessed] = field(default_factory=list)
    passages: list[Marked] = field(default_factory=list)


class Recorder(JudgementsBuilder):
    """Collects what readers find, and what they cannot read."""

    def __init__(self) -> None:
        super().__init__()
        self.file = ""
        self.documents: list[JudgedDocument] = []
        self.topics: dict[str, str] = {}
        self.refused: list[Problem] = []
        self._line = 1
        self._latest: dict[tuple[str, str], JudgedDocument] = {}

    def at(self, line: int) -> None:
        """Remember the line that what is added next stands on."""
        self._line = line

    def refuse(self, error: InputError) -> None:
        """Note what cannot be read."""
        self.refused.append(unreadable(error))

    def add(
        self,
        topic: str,
        doc: str,
        spans: Sequence[tuple[int, int]] = (),
        *,
        size: int | None = None,
        bep: int | None = None,
        stated: int | None = None,
        grade: int | None = None,  # noqa: ARG002 - no rule looks at it
    ) -> bool:
        """Record a judged document; one that comes twice is recorded twice."""
        document = JudgedDocument(self.file, self._line, topic, doc, list(spans), size, bep, stated)
        document.assessor = self._assessor
        self.documents.append(document)
        self._latest[topic, doc] = document
        self.topics.setdefault(topic, self.file)
        return True

    def add_topic(self, topic: str, pool: str) -> bool:
        """Record a topic that may turn out to have no judged document."""
        self.topics.setdefault(topic, self.file)
        return super().add_topic(topic, pool)

    def add_element(self, topic: str, doc: str, grade: ElementGrade, scale: Scale) -> str | None:
        """Record an assessed element."""
        if self._scale not in (None, scale):
            return f"grades on the scale of {scale} after grades on that of {self._scale}"
        self._scale = scale
        document = self._latest[topic, doc]
        document.scale = scale
        document.elements.append(Assessed(self._line, grade))
        return None

    def add_passage(self, topic: str, doc: str, start: str, end: str | None, size: int | None = None) -> None:
        """Record a highlight or a best entry point given by paths."""
        self._latest[topic, doc].passages.append(Marked(self._line, start, end, size))
