"""The topic table: what people wanted to know, and the queries they wrote for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from inexlab.display import Framed
from inexlab.frames import Columns
from inexlab.markup import table
from inexlab.wording import counted

FIELDS = ("title", "castitle", "phrasetitle", "description", "narrative", "keywords", "parent")


@dataclass(frozen=True)
class Topic:
    """One topic; fields that its file does not have are empty.

    `parent` is the castitle of the topic that this one is a clause of (INEX 2005), `candidate` the number
    it had before selection, `extra` holds whatever else the file says, `lines` where each field begins.
    """

    id: str
    title: str = ""
    castitle: str = ""
    phrasetitle: str = ""
    description: str = ""
    narrative: str = ""
    keywords: str = ""
    parent: str = ""
    query_type: str = ""
    candidate: str = ""
    extra: Mapping[str, str] = field(default_factory=dict, hash=False)
    file: str = field(default="", compare=False)
    line: int = field(default=0, compare=False)
    lines: Mapping[str, int] = field(default_factory=dict, compare=False)

    @property
    def structured(self) -> str:
        """The structured query: the castitle or, as in 2003, a title that is one; empty if there is none."""
        return self.castitle or (self.title if self.title.startswith("/") else "")

    @property
    def plain(self) -> str:
        """The keyword query: the title, unless that is a structured query."""
        return "" if self.title.startswith("/") else self.title

    @property
    def kind(self) -> str:
        """The query type as the file says it, else by what queries there are: CO, CAS or CO+S."""
        if self.query_type:
            return self.query_type
        return "CO" if not self.structured else "CO+S" if self.plain else "CAS"

    def line_of(self, name: str) -> int:
        """Return the line on which a field begins."""
        return self.lines.get(name, self.line)


class Topics(Framed, Mapping[str, Topic]):
    """Topics by id, in the order of their files."""

    def __init__(self, topics: Iterable[Topic]) -> None:
        self._topics = {topic.id: topic for topic in topics}

    def __getitem__(self, id: str) -> Topic:
        return self._topics[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._topics)

    def __len__(self) -> int:
        return len(self._topics)

    def __repr__(self) -> str:
        return f"Topics({counted(len(self), 'topic')})"

    def _repr_html_(self) -> str:
        rows = ((topic.id, topic.kind, topic.plain or topic.structured) for topic in self.values())
        return table(counted(len(self), "topic"), ("topic", "kind", "query"), rows, len(self))

    def as_columns(self) -> Columns:
        """Return the topics as columns: id, kind, and the fields that any of them has."""
        from inexlab.topics.objects import columns_of

        return columns_of(self)
