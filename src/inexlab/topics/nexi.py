"""NEXI text in, query tree out: the query language of INEX, 2003 to 2010.

    query   = step {step} | terms          a structured query begins with `//`
    step    = ('//' | '/') tags ['[' clause ']']
    tags    = tag | '(' tag {'|' tag} ')'  a tag is a name, `*`, `@name` or `@*`
    clause  = conjunction {'or' conjunction};  conjunction = atom {'and' atom}
    atom    = '(' clause ')' | 'about' '(' place ',' terms ')' | place operator value
    place   = '.' {('//' | '/') tags}
    terms   = term {term};  term = ['+' | '-'] (word | '"' words '"')

White space counts only between terms. Lenient where real topics are: `and` and `or` in any case (inside
an `about` they are ordinary words), curly quotes, XML entities, the apostrophes around all terms of an
`about` in 2003, child steps, punctuation among terms. The parser descends through the text once, from
left to right, and never goes back.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import NoReturn, TypeVar, cast

from inexlab.errors import QueryError
from inexlab.topics.query import (
    ENTITY,
    About,
    And,
    Axis,
    CASQuery,
    Clause,
    Compare,
    COQuery,
    Or,
    Path,
    Query,
    Sign,
    Step,
    Term,
)

T = TypeVar("T")

_DEEPEST = 50  # groups in groups; nobody means more, and the interpreter's stack is not endless
_SPACE = re.compile(r"\s*")
_NAME = re.compile(r"[^\W\d][\w.:\-]*")
# Symbols that stand for letters, such as ㎏ and ⽇, of the blocks that have them; trade marks are none.
_BLOCKS = ((0x2100, 0x214F), (0x249C, 0x24E9), (0x2E80, 0x2FDF), (0x3190, 0x33FF), (0x1F110, 0x1F2FF))
SYMBOLS_OF_LETTERS = "₨﷼" + "".join(
    character
    for first, last in _BLOCKS
    for character in map(chr, range(first, last + 1))
    if unicodedata.category(character) == "So"
    and re.fullmatch(r"[\W_]*[^\W_]+[\W_]*", unicodedata.normalize("NFKC", character))
    and character not in "℠™🅪🅫🅬"
)
# what is not seen in a word, as no index sees it: soft hyphens, characters without width, marks of direction
UNSEEN = (
    "\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff"
)
# a word begins with a letter or digit and may hold anything up to white space, quotes or brackets, and a
# comma between digits; what is at its end and does not belong to it is taken off
WORD = re.compile(
    rf'(?:[^\W_]|[{SYMBOLS_OF_LETTERS}])(?:[^\s"()\[\],;|<>]|(?<=[0-9{UNSEEN}]),(?=[{UNSEEN}]*+[0-9]))*+'
)
_SIGNS = re.compile(rf"[{UNSEEN}]*+(?:\+[{UNSEEN}]*+\+|#)")  # of C++ and C#
_IN_SIGNS = re.compile(rf"[+{UNSEEN}]")
_PARTS = ("Mn", "Mc", "Me", "Cf")
_FILLER = re.compile(rf'(?:[^\w"()\[\]+\-{SYMBOLS_OF_LETTERS}]|_)+')
_SYMBOLS = frozenset("+-)&@#%*\\")  # besides those that Unicode calls symbols
_ABOUT = re.compile(r"about\s*\(", re.IGNORECASE)
_AND = re.compile(r"and\b", re.IGNORECASE)
_OR = re.compile(r"or\b", re.IGNORECASE)
_OPERATOR = re.compile(r"<=|>=|<|>|=")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_QUOTES = str.maketrans("“”„‟‘’‚‛", "\"\"\"\"''''")
_ENTITIES = {"quot": '"', "apos": "'", "amp": "&", "lt": "<", "gt": ">"}


def parse_nexi(text: str) -> Query:
    r"""Return the tree of a NEXI query, or raise a QueryError that points at what is wrong with it.

    >>> print(parse_nexi("//article [about(.,bees)] //sec[ about(.//st, '+dance \"in the dark\"') ]"))
    //article[about(., bees)]//sec[about(.//st, +dance "in the dark")]
    >>> parse_nexi("bee dance -wasp").terms[2]
    Term(words=('wasp',), sign='-', phrase=False)
    """
    return _Parser(text).query()


def ignored_symbols(text: str) -> list[tuple[int, str]]:
    """Return the columns (from 1) and symbols among the terms of a query that mean nothing where they stand.

    Ordinary punctuation is not counted; a sign without its term and a stray `&` are: whoever wrote them
    meant something by it.

    >>> ignored_symbols("bee + dance, wasp -")
    [(5, '+'), (19, '-')]
    """
    parser = _Parser(text)
    parser.query()
    return parser.ignored


def parse_path(text: str) -> Path:
    """Return the steps of a path such as `//article//(sec|p)` or `/article/bdy`."""
    return _Parser(text).path()


class _Parser:
    """One query and the place in it that is read next."""

    def __init__(self, text: str) -> None:
        self.given = text
        self.text, self.origin = _folded(text)
        self.at = 0
        self.depth = 0
        self.ignored: list[tuple[int, str]] = []

    def query(self) -> Query:
        if not self._next():
            self._fail("the query is empty")
        if not self.text.startswith("/", self.at):
            return COQuery(self._terms(inside_about=False))
        if not self.text.startswith("//", self.at):
            self._expected("'//' (structured queries begin with it) or a term")
        steps = []
        while self._next():
            steps.append(self._step("'//' or the end of the query"))
        return CASQuery(tuple(steps))

    def path(self) -> Path:
        steps: list[Step] = []
        while self._next() or not steps:
            steps.append(Step(self._axis("'//' or '/'"), self._tags()))
        return tuple(steps)

    # structure

    def _step(self, expected: str) -> Step:
        axis, tags = self._axis(expected), self._tags()
        if self._next() != "[":
            return Step(axis, tags)
        self.at += 1
        clause = self._clause()
        self._need("]", "'and', 'or' or ']'")
        return Step(axis, tags, clause)

    def _axis(self, expected: str) -> Axis:
        if self._next() != "/":
            self._expected(expected)
        axis: Axis = "//" if self.text.startswith("//", self.at) else "/"
        self.at += len(axis)
        return axis

    def _tags(self) -> tuple[str, ...]:
        if self._next() != "(":
            return (self._tag(),)
        self.at += 1
        tags = [*self._deeper(self._tags)]
        while self._next() == "|":
            self.at += 1
            tags += self._deeper(self._tags)
        self._need(")", "'|' or ')'")
        return tuple(tags)

    def _tag(self) -> str:
        mark = "@" if self._next() == "@" else ""
        self.at += len(mark)
        if self._next() == "*":
            self.at += 1
            return f"{mark}*"
        name = self._match(_NAME)
        return f"{mark}{name}" if name else self._expected("a tag name, '*' or '('")

    def _clause(self) -> Clause:
        parts = [self._conjunction()]
        while self._match(_OR):
            parts.append(self._conjunction())
        return parts[0] if len(parts) == 1 else Or(tuple(parts))

    def _conjunction(self) -> Clause:
        parts = [self._atom()]
        while self._match(_AND):
            parts.append(self._atom())
        return parts[0] if len(parts) == 1 else And(tuple(parts))

    def _atom(self) -> Clause:
        first = self._next()
        if first == ".":
            return self._compare()
        if first == "(":
            self.at += 1
            clause = self._deeper(self._clause)
            self._need(")", "'and', 'or' or ')'")
            return clause
        if not self._match(_ABOUT):
            self._expected("about(…), a comparison such as .//yr > 1999, or '('")
        place = self._place()
        self._need(",", "',' and the terms")
        terms = self._terms(inside_about=True)
        self._need(")", "')'")
        return About(place, terms)

    def _compare(self) -> Compare:
        place = self._place()
        operator = self._match(_OPERATOR) or self._expected("'<', '>', '=', '<=' or '>='")
        mark = self._next()
        if mark in ("'", '"'):
            value, quoted = self._quoted(mark), True
        else:
            value, quoted = self._match(_NUMBER) or self._expected("a number or a quoted string"), False
        return Compare(place, operator, value, quoted)  # type: ignore[arg-type]

    def _place(self) -> Path:
        if self._next() != ".":
            self._expected("'.', where to look, such as . or .//p")
        self.at += 1
        steps = []
        while self._next() == "/":
            steps.append(Step(self._axis("'//'"), self._tags()))
        return tuple(steps)

    # terms

    def _terms(self, *, inside_about: bool) -> tuple[Term, ...]:
        """Read terms to the parenthesis that closes the `about`, or to the end of a plain query."""
        terms: list[Term] = []
        opened = 0
        while (character := self._next_term()) and (character != ")" or opened or not inside_about):
            if character in "[]":
                plain = "a term (structured queries begin with //)"
                self._expected("a term or ')'" if inside_about else plain)
            elif character == "(":
                self._not_about(terms, inside_about)
                opened += 1
                self.at += 1
            elif character == ")":
                if not opened:
                    self._ignore(self.at, self.at + 1)
                opened = max(0, opened - 1)
                self.at += 1
            elif character in "+-" and not self._is_sign():
                self._ignore(self.at, self.at + 1)
                self.at += 1
            else:
                terms.append(self._term())
        if not terms:
            self._expected("a term")
        return tuple(terms)

    def _term(self) -> Term:
        character = self.text[self.at]
        sign = cast(Sign, character if character in "+-" else "")
        self.at += len(sign)
        if self.text[self.at] != '"':
            word = self._word(self.at, len(self.text))
            self.at += len(word)
            return Term((word,), sign)
        begin = self.at
        self._quoted('"')
        words, at, end = [], begin + 1, self.at - 1
        while at < end:
            word = self._word(at, end)
            if word:
                words.append(word)
            else:
                self._ignore(at, at + 1)
            at += len(word) or 1
        if not words:
            self.at = begin
            self._fail("there is no word between the quotation marks")
        return Term(tuple(words), sign, phrase=True)

    def _word(self, at: int, end: int) -> str:
        """Return the word at a place; empty if there is none.

        It ends with a letter or digit, or what belongs to one: combining marks, which many scripts write
        vowels with, characters without width, and the signs of C++ and C#.
        """
        found = WORD.match(self.text, at, end)
        if found is None:
            return ""
        size = len(found[0])
        while not _belongs(found[0][size - 1]):
            size -= 1
        letters = size
        while _IN_SIGNS.match(found[0], letters - 1):
            letters -= 1
        signs = _SIGNS.match(found[0], letters)
        return found[0][: max(size, signs.end() if signs else 0)]

    def _is_sign(self) -> bool:
        """Whether the `+` or `-` here is a sign: it follows no word, and a term follows it."""
        after = self.at + 1
        follows_word = self.at > 0 and self.text[self.at - 1].isalnum()
        return not follows_word and (
            self.text.startswith('"', after) or WORD.match(self.text, after) is not None
        )

    def _not_about(self, terms: list[Term], inside_about: bool) -> None:
        """Refuse `about(` among terms: a parenthesis is missing, or the `//` of a structured query."""
        if terms and terms[-1].words[-1].lower() == "about" and self.text[self.at - 1].isalpha():
            self.at -= len("about")
            found = "about(…) among the terms"
            self._fail(
                f"{found} of another; a ')' may be missing before it"
                if inside_about
                else f"{found}; structured queries begin with //"
            )

    def _next_term(self) -> str:
        """Skip filler and return the character after it."""
        begin = self.at
        character = self._next(_FILLER)
        self._ignore(begin, self.at)
        return character

    def _ignore(self, begin: int, end: int) -> None:
        """Note the symbols of a part of the text that is not read; ordinary punctuation is none."""
        for at in range(begin, end):
            if (symbol := self.text[at]) in _SYMBOLS or unicodedata.category(symbol)[0] == "S":
                self.ignored.append((self._column(at), symbol))

    # characters

    def _next(self, skipped: re.Pattern[str] = _SPACE) -> str:
        """Skip white space, or filler among terms, and return the character after it; empty at the end."""
        if found := skipped.match(self.text, self.at):
            self.at = found.end()
        return self.text[self.at : self.at + 1]

    def _match(self, pattern: re.Pattern[str]) -> str:
        """Read what the pattern matches after white space; empty if it does not."""
        self._next()
        found = pattern.match(self.text, self.at)
        if found is None:
            return ""
        self.at = found.end()
        return found[0]

    def _quoted(self, mark: str) -> str:
        end = self.text.find(mark, self.at + 1)
        if end < 0:
            self._fail(f"this {mark} is never closed")
        content = self.text[self.at + 1 : end]
        self.at = end + 1
        return content

    def _need(self, character: str, expected: str) -> None:
        if self._next() != character:
            self._expected(expected)
        self.at += 1

    def _deeper(self, read: Callable[[], T]) -> T:
        if self.depth == _DEEPEST:
            self._fail(f"more than {_DEEPEST} nested groups")
        self.depth += 1
        result = read()
        self.depth -= 1
        return result

    def _expected(self, what: str) -> NoReturn:
        found = self._next()
        self._fail(f"expected {what}, found {repr(found) if found else 'the end'}")

    def _fail(self, problem: str) -> NoReturn:
        raise QueryError(problem, query=self.given, column=self._column(self.at))

    def _column(self, at: int) -> int:
        return (self.origin[at] if self.origin else at) + 1


def _folded(text: str) -> tuple[str, list[int]]:
    """Return the text with plain quotes and without entities, and where its characters come from.

    The second is empty if every character is in its old place.
    """
    text = text.translate(_QUOTES)
    if not ENTITY.search(text):
        return text, []
    pieces: list[str] = []
    origin: list[int] = []
    at = 0
    for found in ENTITY.finditer(text):
        pieces += [text[at : found.start()], _ENTITIES[found[1]]]
        origin += range(at, found.start() + 1)
        at = found.end()
    return "".join([*pieces, text[at:]]), [*origin, *range(at, len(text) + 1)]


def _belongs(character: str) -> bool:
    """Whether a character at the end of a word is part of it."""
    return (
        character.isalnum()
        or character == "_"
        or character in SYMBOLS_OF_LETTERS
        or unicodedata.category(character) in _PARTS
    )
