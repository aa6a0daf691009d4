"""A look at documents before they are indexed: their tags, what each is taken for, and how one is built."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from inexlab.collection.document import Document, read_document
from inexlab.collection.documents import Documents, LeftAlone
from inexlab.collection.entities import Entities
from inexlab.collection.profile import Profile, kind_of_tag, names_tag
from inexlab.errors import InputError
from inexlab.index.batch import Batch
from inexlab.index.build import Settings
from inexlab.index.found_profile import find_profile, with_files_among
from inexlab.index.inference import Inferred, infer, inference_notes
from inexlab.index.scan import ELEMENTS
from inexlab.index.scanner import Scanner
from inexlab.progress import report
from inexlab.tables import Codes

_MOST = 1_000  # documents that are read
_EXAMPLE = 50  # characters


@dataclass
class TagFacts:
    """What is known of a tag."""

    tag: str
    taken_for: str
    count: int = 0
    documents: int = 0
    example: str = ""


@dataclass
class Look:
    """What was seen; `outline` are the elements of the document `shown`, one in a line."""

    profile: Profile
    documents: int = 0
    total: int = 0
    shown: str = ""
    outline: list[str] = field(default_factory=list)
    facts: dict[str, TagFacts] = field(default_factory=dict)
    skipped: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    left_alone: Counter[LeftAlone] = field(default_factory=Counter)

    @property
    def tags(self) -> list[TagFacts]:
        """All tags, in the order of their appearance."""
        return list(self.facts.values())


def look(places: Sequence[str | Path], settings: Settings) -> Look:
    """Read the first thousand documents at some places, and return what there is in them."""
    entities = with_files_among(places, settings.entities)
    profile = settings.profile or find_profile(places, settings)
    documents = Documents(places, settings.ids or profile.ids, file_filter=settings.file_filter)
    found, uses = Look(profile), _Uses(profile, entities)
    for _, name, fetch in documents:
        found.total += 1
        report("looking at documents", found.total, 0, "documents")
        if found.documents + len(found.skipped) >= _MOST:
            continue
        try:
            data = fetch()
            document = read_document(data, name, name, entities=entities)
            uses.add(data, name)
        except InputError as error:
            found.skipped.append(str(error))
            continue
        found.documents += 1
        _count(found, document)
        if not found.outline:
            found.shown, found.outline = name, _outline(document)
    guess = uses.inferred()
    for tag in found.tags:
        if tag.tag in guess.inline | guess.short:
            tag.taken_for = "inline, by inference" if tag.tag in guess.inline else "unit, too short alone"
    found.left_alone = documents.left_alone
    note = documents.settle()
    found.profile = replace(profile, ids=documents.ids)
    found.notes = [line for line in (note, *entities.notes, *inference_notes(guess, profile)) if line]
    return found


class _Uses:
    """How documents use their tags, as an index would know it."""

    def __init__(self, profile: Profile, entities: Entities) -> None:
        self._profile, self._scanner, self._batch = profile, Scanner(profile.kinds, entities), Batch()
        self._columns: list[tuple[Codes, Codes, Codes]] = []
        self._borders = [0]

    def add(self, data: bytes, name: str) -> None:
        """Add a document."""
        self._batch.clear()
        self._scanner.scan(data, name, self._batch)
        size = int(self._batch.filled[ELEMENTS])
        batch = self._batch
        tag, parent, tokens = (column[:size].copy() for column in (batch.tag, batch.parent, batch.tokens))
        back = np.where(parent >= 0, np.arange(size, dtype=np.int32) - parent, 0).astype(np.int32)
        self._columns.append((tag, back, tokens))
        self._borders.append(self._borders[-1] + size)

    def inferred(self) -> Inferred:
        """Return what follows for tags that the profile does not speak of."""
        if not self._columns:
            return Inferred()
        tag, back, tokens = (np.concatenate(column) for column in zip(*self._columns, strict=True))
        tags, kinds = self._scanner.tags, self._scanner.tag_kinds
        return infer(self._profile, tags, kinds, tag, back, tokens, np.array(self._borders))


def _count(found: Look, document: Document) -> None:
    table = document.elements
    here: Counter[int] = Counter(table.tag.tolist())
    for code, count in here.items():
        tag = table.tags[code]
        facts = found.facts.get(tag)
        if facts is None:
            facts = found.facts[tag] = TagFacts(tag, taken_for(tag, found.profile))
        facts.count += count
        facts.documents += 1
    for tag_code, start, end in zip(
        table.tag.tolist(), table.start.tolist(), table.end.tolist(), strict=True
    ):
        facts = found.facts[table.tags[tag_code]]
        if not facts.example and end > start:
            facts.example = _shortened(document.text[start : min(end, start + 4 * _EXAMPLE)])


def taken_for(tag: str, profile: Profile) -> str:
    """Return what a tag is to an index with a profile."""
    kind: str = kind_of_tag(tag, profile.kinds, "unit")
    if kind == "skip":
        return "skipped"
    title = names_tag(tag, [path.rsplit("/", 1)[-1] for path in (*profile.titles, *profile.document_titles)])
    return f"{kind}, title" if title else kind


def _outline(document: Document) -> list[str]:
    """Return the elements of a document, indented, with the beginnings of their own texts."""
    table = document.elements
    depths: list[int] = []
    lines = []
    for number, element in enumerate(table):
        depths.append(depths[element.parent] + 1 if element.parent >= 0 else 0)
        inner = int(table.start[number + 1]) if number + 1 < len(table) else element.end
        own = _shortened(document.text[element.start : min(max(inner, element.start), element.end)])
        lines.append(f"{'  ' * depths[-1]}{element.tag}" + (f": {own}" if own else ""))
    return lines


def _shortened(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _EXAMPLE else f"{words[: _EXAMPLE - 1]}…"
