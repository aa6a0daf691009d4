"""What the elements of a document are to its page: words in a line, blocks, tables, lists, titles."""

from __future__ import annotations

from collections.abc import Sequence

from inexlab.collection.document import Document
from inexlab.collection.paths import local_name
from inexlab.collection.profile import Profile, names_tag
from inexlab.collection.readable import CELLS, FORMULAS, ROWS, TABLES
from inexlab.web import appearance

_SPACE = " \t\n\f\r"  # what HTML takes for white space: it may stand in a table


class ElementRoles:
    """What the elements of a document are, by their numbers; what their tags are, by the codes of these."""

    def __init__(self, document: Document, profile: Profile, inline: frozenset[str]) -> None:
        table = document.elements
        self.text, self._profile = document.text, profile
        self.tags = table.tags
        self.names = [local_name(tag) for tag in table.tags]
        self.tag: list[int] = table.tag.tolist()
        self.parent: list[int] = table.parent.tolist()
        self.start: list[int] = table.start.tolist()
        self.end: list[int] = table.end.tolist()
        self.count = len(self.tag)
        self.source = document.keeps_source
        of_tag = [tag in inline or names_tag(tag, profile.inline) for tag in table.tags]
        self.skipped = [names_tag(tag, profile.skip) and not self.source for tag in table.tags]
        self.outside = [names_tag(tag, profile.outside) for tag in table.tags]
        self.children: list[list[int]] = [[] for _ in range(self.count)]
        for number in range(1, self.count):
            self.children[self.parent[number]].append(number)
        self.speaks = self._with_own_text()
        self.inline = self._inline_elements(of_tag)
        self.holds_block = self._with_blocks()
        self.size = [1] * self.count
        for number in range(self.count - 1, 0, -1):
            self.size[self.parent[number]] += self.size[number]
        self.title_paths = [path.split("/")[::-1] for path in profile.titles]
        self.main_title = self._find_main_title()

    def name(self, number: int) -> str:
        """Return the name of an element without its prefix."""
        return self.names[self.tag[number]]

    def _with_own_text(self) -> bytearray:
        """Say which elements have words of their own between their parts."""
        speaks = bytearray(self.count)
        for number, children in enumerate(self.children):
            at = self.start[number]
            for child in children:
                if at < self.start[child] and self.text[at : self.start[child]].strip(_SPACE):
                    speaks[number] = 1
                    break
                at = self.end[child]
            else:
                speaks[number] = bool(self.text[at : self.end[number]].strip(_SPACE))
        return speaks

    def _inline_elements(self, of_tag: Sequence[bool]) -> bytearray:
        """Say which elements run in a line: by the profile, or because there are words around them."""
        inline, formula = bytearray(self.count), bytearray(self.count)
        for number in range(1, self.count):
            name, parent = self.name(number), self.parent[number]
            formula[number] = formula[parent] or name in FORMULAS
            by_look = name in appearance.INLINE and name not in appearance.BOXES
            block = name in appearance.BOXES or name in appearance.LISTS or name in TABLES or name in CELLS
            inline[number] = (
                of_tag[self.tag[number]]
                or formula[number]
                or by_look
                or bool(self.speaks[parent] and not block and not self.source)
            )
        return inline

    def _with_blocks(self) -> bytearray:
        """Say which elements hold one that does not run in a line."""
        holds = bytearray(self.count)
        for number in range(self.count - 1, 0, -1):
            if holds[number] or not self.inline[number]:
                holds[self.parent[number]] = 1
        return holds

    def _find_main_title(self) -> int:
        """Return the element with the title of the document, -1 where it has none."""
        first = -1
        hidden_until = 0  # the end of a part outside
        for number in range(1, self.count):
            tag = self.tags[self.tag[number]]
            if self.outside[self.tag[number]] and self.start[number] >= hidden_until:
                hidden_until = self.end[number]
            if (
                names_tag(tag, self._profile.document_titles)
                and not self.inline[number]
                and self.says_something(number)
            ):
                if self.start[number] >= hidden_until:
                    return number
                first = number if first < 0 else first
        return first

    def says_something(self, number: int) -> bool:
        """Whether an element holds more than white space."""
        return bool(self.text[self.start[number] : self.end[number]].strip())

    def titled_part(self, number: int) -> int:
        """Return the section whose title an element is, -1 where it is none."""
        for path in self.title_paths:
            at = number
            for step in path:
                if at < 0 or not names_tag(self.tags[self.tag[at]], (step,)):
                    break
                at = self.parent[at]
            else:
                if at >= 0 and (
                    self.name(at) in appearance.SECTIONS
                    or names_tag(self.tags[self.tag[at]], self._profile.sections)
                ):
                    return at
        return -1

    def is_table(self, number: int) -> bool:
        """Whether an element is a table of rows of cells, with nothing else in between."""
        if self.name(number) not in TABLES:
            return False
        rows = 0
        waiting = [number]
        while waiting:
            part = waiting.pop()
            if self.speaks[part]:
                return False
            for child in self.children[part]:
                name = self.name(child)
                if part != number and self.name(part) in ROWS:
                    if name not in CELLS:
                        return False
                elif name in ROWS:
                    rows += 1
                    waiting.append(child)
                elif name in appearance.ROW_GROUPS and part == number:
                    waiting.append(child)
                elif self.start[child] < self.end[child]:
                    return False
        return rows > 0

    def is_list(self, number: int) -> bool:
        """Whether an element holds items, and nothing else."""
        children = [c for c in self.children[number] if self.start[c] < self.end[c]]
        return (
            not self.speaks[number]
            and bool(children)
            and all(self.name(child) in appearance.ITEMS for child in children)
        )
