"""Markdown (CommonMark with tables): the canonical text is the text of the file, mark-up included.

So every offset into the file is one into the text. Elements have the names of HTML's: `section` (a heading
and what follows it, down to the next heading of its level), `h1` … `h6` (with what they say as `title`), `p`,
`ul`, `ol`, `li`, `blockquote`, `table`, `thead`, `tbody`, `tr`, `th`, `td`, `pre` (code), `hr`. What readers
do not see is in elements of its own, which the profile skips: `link-target` (where a link leads),
`raw-html` (tags), `link-definition` and `frontmatter`; a block of HTML is an `html-block`. The root is
`markdown`.

markdown-it-py tells the lines of every block; where in its first line a block begins is found here, as is
where links lead.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from inexlab.collection.entities import Entities
from inexlab.collection.reader import Events, Reader, TaggedSpan, decoded, document_readers, send_events

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

ROOT = "markdown"
_LINE_END = re.compile(r"\r\n?|\n")
_FRONT_MATTER = re.compile(
    r"---[ \t]*(?:\r\n?|\n)(?:.*?(?:\r\n?|\n))??(?:---|\.\.\.)[ \t]*(?=[\r\n]|$)", re.DOTALL
)
_MARKER = re.compile(r"[-+*]|\d{1,9}[.)]|>")
_LEAVES = {"fence": "pre", "code_block": "pre", "html_block": "html-block", "hr": "hr"}
_LONGEST_INLINE = 20_000  # characters of a block in which links are looked for: it takes time


def read_markdown(data: bytes, name: str, events: Events, _entities: Entities) -> None:
    """Tell the sections and blocks of a Markdown document."""
    text = decoded(data, name)
    send_events(text, _Reading(text).parts(), events)


class _Reading:
    """One document: its lines, and the blocks that are open."""

    def __init__(self, text: str) -> None:
        self._text = text
        ends = [found.span() for found in _LINE_END.finditer(text)]
        self._begins = [0, *(after for _, after in ends)]
        self._stops = [*(before for before, _ in ends), len(text)]
        self._parts: list[TaggedSpan] = []
        self._headings: list[tuple[int, int]] = []  # levels, and where they begin
        self._shift = 0  # lines before those that the parser sees
        self._quotes = 0  # open block quotes
        self._line, self._at = -1, 0  # how far the current line is used up by markers

    def parts(self) -> list[TaggedSpan]:
        """Return all elements, each before those inside it."""
        blocks = self._blocks()
        parts = [TaggedSpan(0, len(self._text), ROOT), *self._sections(), *blocks]
        # of those that begin together, the longest holds the others; else they come as they were found
        order = sorted(range(len(parts)), key=lambda k: (parts[k].start, -parts[k].end, k))
        return list(_nested(parts[k] for k in order))

    def _sections(self) -> Iterator[TaggedSpan]:
        """Return the sections that headings open, but for those in lists and quotations."""
        for k, (level, start) in enumerate(self._headings):
            end = next((at for other, at in self._headings[k + 1 :] if other <= level), len(self._text))
            yield TaggedSpan(start, start + len(self._text[start:end].rstrip()), "section")

    def _blocks(self) -> list[TaggedSpan]:
        source = self._text
        if found := _FRONT_MATTER.match(source):
            self._parts.append(TaggedSpan(0, found.end(), "frontmatter"))
            self._shift = sum(1 for _ in _LINE_END.finditer(found[0]))
            source = source[found.end() :]
        environment: dict[str, Any] = {}
        tokens = _parser().parse(source, environment)
        for definition in (
            *environment.get("references", {}).values(),
            *environment.get("duplicate_refs", ()),
        ):
            first, last = definition["map"]
            self._add("link-definition", first, last, self._first(first))
        self._line = -1
        self._walk(tokens)
        return self._parts

    def _walk(self, tokens: Sequence[Token]) -> None:
        cells: Iterator[tuple[int, int]] = iter(())
        opened: list[str] = []
        for token, following in zip(tokens, (*tokens, None)[1:], strict=True):
            if token.nesting < 0:
                self._quotes -= opened.pop() == "blockquote"
                continue
            inline = following if following is not None and following.type == "inline" else None
            tag = _LEAVES.get(token.type, token.tag)
            if tag in ("th", "td"):
                start, end = next(cells, (self._at, self._at))
                self._parts.append(TaggedSpan(start, end, tag))
                self._look_inside(inline, [(start, end)])
            elif tag and token.map is not None:
                first, last = token.map
                start = self._first(first)
                self._add(tag, first, last, start)
                if tag == "tr":
                    cells = self._cells(first, start)
                    self._at = self._parts[-1].end  # where cells are that nobody wrote
                elif tag in ("blockquote", "li"):
                    self._use_marker(start)
                elif not opened and token.type == "heading_open":
                    self._headings.append((int(tag[1]), start))
                lines = self._inline_lines(inline, first, last)
                if lines and token.type == "heading_open":
                    self._parts.append(TaggedSpan(lines[0][0], lines[-1][1], "title"))
                self._look_inside(inline, lines)
            if token.nesting > 0:
                self._quotes += tag == "blockquote"
                opened.append(tag)

    def _first(self, line: int) -> int:
        """Return where the block that begins in a line begins, after the markers of those around it."""
        line = min(line + self._shift, len(self._begins) - 1)
        stop = self._stops[line]
        if self._line != line:
            self._line, self._at = line, self._begins[line]
            for _ in range(self._quotes):
                at = self._skip_space(self._at, stop)
                if at < stop and self._text[at] == ">":
                    self._at = at + 1
        return self._skip_space(self._at, stop)

    def _skip_space(self, at: int, stop: int) -> int:
        while at < stop and self._text[at] in " \t":
            at += 1
        return at

    def _use_marker(self, start: int) -> None:
        if found := _MARKER.match(self._text, start, self._stops[self._line]):
            self._at = found.end()

    def _add(self, tag: str, first: int, last: int, start: int) -> None:
        """Add an element of some lines, without white space at its end."""
        last = min(max(last, first + 1) + self._shift, len(self._stops))
        end = self._stops[last - 1]
        self._parts.append(TaggedSpan(start, start + len(self._text[start:end].rstrip()), tag))

    def _cells(self, line: int, start: int) -> Iterator[tuple[int, int]]:
        """Return where the cells of a table's row are: between bars without a backslash before them."""
        stop = self._stops[min(line + self._shift, len(self._stops) - 1)]
        row = self._text[start:stop].rstrip()
        bars = [k for k, c in enumerate(row) if c == "|" and (k == 0 or row[k - 1] != "\\")]
        borders = [-1, *bars, len(row)]
        for k, (before, after) in enumerate(pairwise(borders)):
            piece = row[before + 1 : after]
            if (k == 0 or k == len(borders) - 2) and not piece.strip():
                continue  # outside the first or the last bar
            begin = before + 1 + len(piece) - len(piece.lstrip())
            yield start + begin, start + max(begin, before + 1 + len(piece.rstrip()))

    def _inline_lines(self, inline: Token | None, first: int, last: int) -> list[tuple[int, int]]:
        """Return where the lines of what a block says are in the text; nothing if that is not sure."""
        if inline is None or not inline.content:
            return []
        found = []
        for line, line_text in enumerate(inline.content.split("\n"), start=first + self._shift):
            if line >= min(last + self._shift, len(self._begins)):
                return []
            begin, stop = self._begins[line], self._stops[line]
            at = self._text.rfind(line_text.strip(), begin, stop)
            if at < 0:
                return []
            at -= len(line_text) - len(line_text.lstrip())
            found.append((at, at + len(line_text)))
        return found

    def _look_inside(self, inline: Token | None, lines: Sequence[tuple[int, int]]) -> None:
        """Add where links lead, and tags of HTML, in what a block says."""
        if inline is None or not lines or not _MAY_HIDE.search(inline.content):
            return
        if (
            len(inline.content) > _LONGEST_INLINE
            or "\n".join(self._text[a:b] for a, b in lines) != inline.content
        ):
            return
        begins = []  # of the lines in what the block says
        at = 0
        for start, end in lines:
            begins.append(at)
            at += end - start + 1

        def place(offset: int) -> int:
            line = max(k for k, begin in enumerate(begins) if begin <= offset)
            return lines[line][0] + offset - begins[line]

        for start, end, tag in _hidden(inline.content):
            self._parts.append(TaggedSpan(place(start), place(end), tag))


_MAY_HIDE = re.compile(r"[\[<]")


def _nested(parts: Iterator[TaggedSpan]) -> Iterator[TaggedSpan]:
    """Cut elements to what is around them, so that they nest whatever the source."""
    inside: list[TaggedSpan] = []
    for part in parts:
        while len(inside) > 1 and inside[-1].end <= part.start:
            inside.pop()
        end = min(part.end, inside[-1].end) if inside else part.end
        inside.append(part._replace(end=max(part.start, end)))
        yield inside[-1]


def _hidden(content: str) -> list[tuple[int, int, str]]:
    """Return what readers of some Markdown do not see: where it begins and ends, and its tag."""
    found: list[tuple[int, int, str]] = []
    parser = _parser()
    parser.inline.parse(content, parser, {"content": content, "found": found}, [])
    return found


@functools.cache
def _parser() -> MarkdownIt:
    """Return a parser of blocks, whose rules for links and tags say where these are."""
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import html_inline, image, link

    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    parser.inline.ruler.at("link", _recording(link, "link-target"))
    parser.inline.ruler.at("image", _recording(image, "link-target"))
    parser.inline.ruler.at("html_inline", _recording(html_inline, "raw-html"))
    return parser


Rule = Callable[["StateInline", bool], bool]


def _recording(rule: Rule, tag: str) -> Rule:
    """Return a rule that does as another, and records where it found something."""

    def record(state: StateInline, silent: bool) -> bool:
        start = state.pos
        found = state.env.get("found") if state.src == state.env.get("content") and not silent else None
        if found is None or tag == "raw-html":
            done = rule(state, silent)
            if done and found is not None:
                found.append((start, state.pos, tag))
            return done
        bracket = start + (state.src[start] == "!")
        label_end = -1
        if bracket < state.posMax and state.src[bracket] == "[":
            label_end = state.md.helpers.parseLinkLabel(state, bracket, bracket == start)
        done = rule(state, silent)
        if done and label_end >= 0:
            found.append((label_end, state.pos, tag))
        return done

    return record


document_readers.add(
    "markdown",
    Reader(
        "markdown",
        "Markdown",
        (".md", ".markdown"),
        lambda _head, _ending: False,
        read_markdown,
        ROOT,
    ),
)
