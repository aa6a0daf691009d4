"""A document as a page that people read; the text nodes of the page, in order, are its canonical text.

So a place in the text is a place in the page: browsers and we count the same characters. Nothing is added to
the text, nothing is left out: what a reader need not see (a LaTeX preamble, an index term) is hidden, and
what looks like a bullet or a quotation mark is drawn by the style sheet.

HTML has rules about what may be in what, by which a parser closes or moves elements: a table in a paragraph
ends it, text in a row of a table is put before the table. So tags with such rules are used only where they
hold; a `div` or a `span` stands for anything else. Elements that hold no text are left out, but for line
breaks, cells of tables and parts of formulas. A parser also changes some characters, which are written in a
way that it does not.

Parts of the page carry the class `lazy`: browsers lay them out when they come near the screen.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import NamedTuple

from inexlab.collection.document import Document
from inexlab.collection.profile import Profile, names_tag
from inexlab.collection.readable import CELLS, FORMULAS, ROWS, TABLES
from inexlab.spans import Span, union
from inexlab.web import appearance
from inexlab.web.roles import ElementRoles

_DEEPEST = 200  # elements in one another that a page has; browsers stop at 512
_LAZY_ELEMENTS, _LAZY_CHARACTERS = 400, 8_000  # of a part that is laid out by itself, at most
_LAZY_SIZES = (300, 1_200, 4_000)  # characters of lazy parts of a size
_RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")
_OUTLINE = 4  # levels of headings in the outline
_TEX = re.compile(r"\\begin\{document\}\s*(?:\$\$?|\\\[)?(.*?)(?:\$\$?|\\\])?\s*\\end\{document\}", re.DOTALL)

_PHRASE, _FLOW, _MATH, _TABLE, _ROW, _LIST = range(6)  # what may stand in an open element


class Heading(NamedTuple):
    """A heading of a document: its level, what it says, and the number of its element."""

    level: int
    text: str
    number: int


@dataclass(frozen=True)
class Rendering:
    """A page of a document: mark-up and pieces of text in turn, first and last mark-up."""

    text: str
    markup: tuple[str, ...]
    borders: tuple[int, ...]  # of the pieces of text
    unmarked: frozenset[int]  # pieces that no mark may stand around
    headings: tuple[Heading, ...]

    def html(self, marks: Iterable[tuple[int, int]] = (), name: str = "found") -> str:
        """Return the page, parts of the text in `mark` elements of a class; the first has its name as id."""
        spans = union(marks)
        out, at, begun = [], 0, False
        for piece, (start, end) in enumerate(pairwise(self.borders)):
            out.append(self.markup[piece])
            while at < len(spans) and spans[at].end <= start:
                at += 1
            if at == len(spans) or spans[at].start >= end or piece in self.unmarked:
                out.append(_escaped(self.text[start:end]))
                continue
            place, k = start, at
            while k < len(spans) and spans[k].start < end:
                first, last = max(spans[k].start, start), min(spans[k].end, end)
                id = "" if begun else f' id="{name}"'
                begun = True
                out += [_escaped(self.text[place:first]), f'<mark class="{name}"{id}>']
                out += [_escaped(self.text[first:last]), "</mark>"]
                place, k = last, k + 1
            out.append(_escaped(self.text[place:end]))
        out.append(self.markup[-1])
        return "".join(out)


def render(
    document: Document,
    profile: Profile,
    *,
    inline: Collection[str] = (),
    languages: Mapping[int, str] | None = None,
) -> Rendering:
    """Return the page of a document.

    `inline` are tags of inline mark-up beside those of the profile; `languages` those that elements say they
    are in, by their numbers.
    """
    roles = ElementRoles(document, profile, frozenset(inline))
    return _PageMaker(roles, profile, languages or {}).rendering()


def _escaped(text: str) -> str:
    """Return text as a parser of HTML will have it: a carriage return stays one."""
    text = escape(text, quote=False)
    if "\r" in text:
        text = text.replace("\r", "&#13;")
    return text.replace("\0", "\ufffd") if "\0" in text else text


class _Open(NamedTuple):
    """An open element: its number, what closes it, what may stand in it, and what kind of part it is in."""

    number: int
    close: str
    content: int
    outside: bool
    lazy: bool


class _PageMaker:
    """One document on its way to a page."""

    def __init__(self, roles: ElementRoles, profile: Profile, languages: Mapping[int, str]) -> None:
        self._roles, self._profile, self._languages = roles, profile, languages
        self._level: dict[int, int] = {}  # of the headings of parts
        self._last_level = 0
        self._right_to_left = _RIGHT_TO_LEFT.search(roles.text) is not None
        self._markup: list[str] = []
        self._borders = [0]
        self._unmarked: set[int] = set()
        self._headings: list[Heading] = []
        self._pending: list[str] = []  # mark-up since the last piece of text

    def _heading_level(self, number: int, outside: bool) -> int:
        """Return the level of a heading, 0 where an element is none."""
        name = self._roles.name(number)
        if not self._roles.says_something(number):
            return 0
        if number == self._roles.main_title:
            level = 1
        elif name in appearance.HEADINGS:
            level = max(2, int(name[1]))
        elif self._roles.inline[number] or (
            outside and self._roles.name(self._roles.parent[number]) != "ref-list"
        ):
            return 0
        else:
            part = self._roles.titled_part(number)
            if part < 0:
                return 0
            above = self._roles.parent[part]
            while above >= 0 and above not in self._level:
                above = self._roles.parent[above]
            level = self._level.get(above, 1) + 1
            self._level[part] = level
        self._last_level = level = min(level, 6, self._last_level + 1)
        return level

    def rendering(self) -> Rendering:
        """Go through all elements, in document order."""
        stack: list[_Open] = []
        left_out_until = -1  # number of the first element beyond one that is left out
        for number in range(self._roles.count):
            if number < left_out_until:
                continue
            while stack and stack[-1].number != self._roles.parent[number]:
                self._leave(stack.pop())
            self._put_text(stack[-1] if stack else None, self._roles.start[number])
            context = stack[-1] if stack else _Open(-1, "", _FLOW, False, True)
            opened = self._opened(number, context, len(stack))
            if opened is None:
                left_out_until = number + self._roles.size[number]
            elif isinstance(opened, str):
                self._pending.append(opened)
                left_out_until = number + self._roles.size[number]
                self._put_text(stack[-1], self._roles.end[number])
            else:
                stack.append(opened)
        while stack:
            self._leave(stack.pop())
        self._markup.append("".join(self._pending))
        return Rendering(
            self._roles.text,
            tuple(self._markup),
            tuple(self._borders),
            frozenset(self._unmarked),
            tuple(self._headings),
        )

    def _leave(self, opened: _Open) -> None:
        self._put_text(opened, self._roles.end[opened.number])
        self._pending.append(opened.close)

    def _put_text(self, opened: _Open | None, end: int) -> None:
        """Write the text up to a place, which is in an open element."""
        if self._borders[-1] < end:
            self._markup.append("".join(self._pending))
            self._pending.clear()
            if opened and (opened.content in (_TABLE, _ROW, _LIST) or self._in_formula(opened)):
                self._unmarked.add(len(self._borders) - 1)
            self._borders.append(end)

    def _in_formula(self, opened: _Open) -> bool:
        """Whether text is in a formula, but in none of its letters."""
        return opened.content == _MATH and self._roles.name(opened.number) not in appearance.MATHML_TOKENS

    def _opened(self, number: int, context: _Open, depth: int) -> _Open | str | None:
        """Write the beginning of an element; None where it is left out, with all that is in it.

        Text that is returned stands for the element and all mark-up in it.
        """
        name = self._roles.name(number)
        outside = context.outside or self._roles.outside[self._roles.tag[number]]
        empty = self._roles.start[number] == self._roles.end[number]
        if depth >= _DEEPEST and context.content in (_PHRASE, _FLOW, _MATH):
            return ""
        if context.content == _MATH:
            tag = name if name in appearance.MATHML else "mrow"
            return self._put(number, tag, "", _MATH, context, outside)
        if empty and not (context.content == _ROW and name in CELLS):
            if name in appearance.LINE_BREAKS and context.content in (_PHRASE, _FLOW):
                return "<br>"
            return None
        if self._roles.skipped[self._roles.tag[number]]:
            return self._put(number, "span", " hidden", _PHRASE, context, outside)
        if name in FORMULAS:
            return self._formula(number, context, outside)
        if context.content == _TABLE:
            return self._in_table(number, name, context)
        if context.content == _ROW:
            return self._cell(number, name, context)
        if context.content == _LIST:
            labelled = ' class="labelled"' if self._has_label(number) else ""
            return self._put(number, "li", labelled, _FLOW, context, outside)
        if context.content == _PHRASE or (self._roles.inline[number] and not self._roles.holds_block[number]):
            tag, look = appearance.inline_look(name)
            return self._put(number, tag, f' class="{look}"' if look else "", _PHRASE, context, outside)
        return self._block(number, name, context, outside)

    def _block(self, number: int, name: str, context: _Open, outside: bool) -> _Open:
        if level := self._heading_level(number, outside):
            said = " ".join(self._roles.text[self._roles.start[number] : self._roles.end[number]].split())
            if self._roles.source:
                said = said.strip("# ")
            if level <= _OUTLINE:
                self._headings.append(Heading(level, said, number))
            return self._put(number, f"h{level}", f' id="h{number}"', _PHRASE, context, outside)
        if self._roles.is_table(number):
            scroll = '<div class="scroll" role="group" aria-label="Table" tabindex="0">'
            return self._put(number, "table", "", _TABLE, context, outside, before=scroll, after="</div>")
        if name in appearance.LISTS and self._roles.is_list(number):
            return self._put(number, appearance.LISTS[name], "", _LIST, context, outside)
        look = appearance.BOXES.get(name, "")
        if not look and name in appearance.ITEMS:
            look = "item"
        if name in TABLES and self._roles.source:  # a table that is drawn with signs
            return self._put(number, "div", ' class="code"', _PHRASE, context, outside)
        if not look and any(
            names_tag(self._roles.tags[self._roles.tag[number]], (p[0],)) for p in self._roles.title_paths
        ):
            look = "title"
        told_apart = not look and not outside and not self._roles.holds_block[number]
        if told_apart and names_tag(self._roles.tags[self._roles.tag[number]], self._profile.no_answers):
            look = "meta"
        if outside and not context.outside:
            look = f"{look} outside".strip()
        more = ' tabindex="0"' if look == "formula" else ""
        classes = f' class="{look}"' if look else ""
        if not self._roles.holds_block[number] and look not in ("code", "formula"):
            return self._put(number, "p", classes + more, _PHRASE, context, outside)
        return self._put(number, "div", classes + more, _FLOW, context, outside)

    def _put(
        self,
        number: int,
        tag: str,
        attributes: str,
        content: int,
        context: _Open,
        outside: bool,
        before: str = "",
        after: str = "",
    ) -> _Open:
        lazy = context.lazy and content in (_FLOW, _PHRASE, _LIST, _TABLE) and tag not in ("span", "li")
        if lazy:
            characters = self._roles.end[number] - self._roles.start[number]
            small = self._roles.size[number] <= _LAZY_ELEMENTS and characters <= _LAZY_CHARACTERS
            if number and (small or content in (_PHRASE, _TABLE)):
                before, attributes = _with_class(before, attributes, _lazy_class(characters))
                lazy = False
        if self._right_to_left and content == _PHRASE and tag != "span":
            attributes += ' dir="auto"'
        language = self._languages.get(number)
        if language and _LANGUAGE.fullmatch(language):
            attributes += f' lang="{language}"'
        self._pending.append(f"{before}<{tag}{attributes}>")
        return _Open(number, f"</{tag}>{after}", content, outside, lazy)

    def _in_table(self, number: int, name: str, context: _Open) -> _Open:
        if name in ROWS:
            return self._put(number, "tr", "", _ROW, context, False)
        return self._put(number, appearance.ROW_GROUPS[name], "", _TABLE, context, False)

    def _cell(self, number: int, name: str, context: _Open) -> _Open:
        row = self._roles.parent[number]
        above = {self._roles.name(row), self._roles.name(self._roles.parent[row])}
        header = name in appearance.HEADER_CELLS or not above.isdisjoint(appearance.HEADER_ROWS)
        tag = "th" if header and self._roles.says_something(number) else "td"
        return self._put(number, tag, "", _FLOW, context, False)

    def _has_label(self, number: int) -> bool:
        children = self._roles.children[number]
        return bool(children) and self._roles.name(children[0]) == "label"

    def _formula(self, number: int, context: _Open, outside: bool) -> _Open | str:
        """Write a formula: MathML as such, LaTeX as its source without what only a printer needs."""
        name = self._roles.name(number)
        if name == "math" and any(
            self._roles.name(c) in appearance.MATHML for c in self._roles.children[number]
        ):
            return self._put(number, "math", "", _MATH, context, outside)
        siblings = self._roles.children[self._roles.parent[number]] if number else []
        if name == "tex-math" and any(self._roles.name(other) == "math" for other in siblings):
            return self._put(number, "span", " hidden", _PHRASE, context, outside)
        start, end = self._roles.start[number], self._roles.end[number]
        inside = _TEX.search(self._roles.text, start, end)
        if inside is None or inside.start(1) == inside.end(1):
            return self._put(number, "span", ' class="tex"', _PHRASE, context, outside)
        shown = Span(*inside.span(1))
        for opening, stop, closing in (
            ("<span hidden>", shown.start, "</span>"),
            ('<span class="tex">', shown.end, "</span>"),
            ("<span hidden>", end, "</span>"),
        ):
            self._pending.append(opening)
            self._put_text(None, stop)
            self._pending.append(closing)
        return ""


def _lazy_class(characters: int) -> str:
    """Return the class of a part that is laid out by itself: how high it may be follows from its length."""
    size = sum(characters > border for border in _LAZY_SIZES)
    return f"lazy lazy-{size}"


def _with_class(before: str, attributes: str, name: str) -> tuple[str, str]:
    """Add a class to the outermost tag that is written."""
    if before:
        return before.replace(' class="', f' class="{name} ', 1), attributes
    if ' class="' in attributes:
        return before, attributes.replace(' class="', f' class="{name} ', 1)
    return before, f'{attributes} class="{name}"'
