"""Units of any kind, cut slowly and plainly from the oracle's documents: elements with their tokens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import inf

from inexlab.collection.profile import Profile
from inexlab.index.sentences import sentences
from inexlab.topics.query import About, Clause
from tests.oracles.elements import Corpus, Element, Structure, conforms, score_units, weights

LEAST, SHORT = 3, 10  # elements that tell what a tag is; words that a short one does not have


@dataclass(frozen=True)
class Guess:
    """Tags that a profile does not speak of: inline ones, and those whose elements are too short."""

    inline: frozenset[str] = frozenset()
    short: frozenset[str] = frozenset()

    def block(self, e: Element, *, answer: bool = False) -> Element:
        """Return the innermost element around one, or itself, that its tag allows to be a block."""
        passed = self.inline | self.short if answer else self.inline
        while e.parent is not None and (e.inline or e.tag in passed):
            e = e.parent
        return e


def guess(corpus: Corpus, profile: Profile) -> Guess:
    """Look at every element whose tag the profile does not speak of."""
    lists = (profile.roots, profile.inline, profile.skip, profile.answers, profile.no_answers)
    titles = [title.split("/")[-1] for title in (*profile.titles, *profile.document_titles)]
    spoken_of = {tag for tags in (*lists, profile.outside, profile.sections, titles) for tag in tags}
    seen: dict[str, list[Element]] = {}
    for e in corpus.elements:
        if e.parent and e.tokens and not set(e.tags()) & set(profile.outside) and e.tag not in spoken_of:
            seen.setdefault(e.tag, []).append(e)
    short = {
        tag
        for tag, found in seen.items()
        if len(found) >= LEAST and sum(len(e.tokens) < SHORT for e in found) > len(found) / 2
    }
    inline: set[str] = set()
    while True:
        more = {
            tag for tag in short - inline if sum(_in_mixed(e, inline) for e in seen[tag]) > len(seen[tag]) / 2
        }
        if not more:
            return Guess(frozenset(inline), frozenset(short - inline))
        inline |= more


def _in_mixed(e: Element, inline: set[str]) -> bool:
    assert e.parent is not None
    of_children = {token for child in e.parent.children for token in child.tokens}
    return e.parent.inline or e.parent.tag in inline or not set(e.parent.tokens) <= of_children


def cut(corpus: Corpus, by: str, profile: Profile) -> list[Element]:
    """Return the units that `by` names."""
    kind, _, argument = by.partition(":")
    found = guess(corpus, profile)
    if kind == "articles":
        return [e for e in corpus.units if e.parent is None]
    if kind == "elements":
        if argument == "*":
            return corpus.units
        if argument:
            return [e for e in corpus.units if e.tag in argument.split(",")]
        return [e for e in corpus.units if _is_answer(e, profile, found)]
    return [u for d in range(len(corpus.rows)) for u in _flat(corpus, d, kind, argument, profile, found)]


def _is_answer(e: Element, profile: Profile, found: Guess) -> bool:
    if set(e.tags()) & set(profile.outside) or e.tag in profile.no_answers:
        return False
    if len(e.text) < profile.least_answer:
        return False
    if profile.answers:
        return e.tag in profile.answers
    return e.parent is None or e.tag not in found.inline | found.short


def _flat(
    corpus: Corpus, d: int, kind: str, argument: str, profile: Profile, found: Guess
) -> Iterator[Element]:
    elements = [e for e in corpus.elements if e.document == d]
    root = elements[0]
    borders = sentences_of(elements, profile, found)
    starts = corpus.starts[d]
    block_of = {"windows": _document, "auto": _answer}.get(kind, _innermost)
    blocks = [block_of(unit, profile, found) for _, unit in corpus.rows[d]]
    groups = groupby(range(len(starts)), key=lambda t: id(blocks[t]) if blocks[t] else 0)
    runs = [list(group) for block, group in groups if block]
    sentences_in = [[s for s in borders if any(s[0] <= starts[t] < s[1] for t in run)] for run in runs]
    if kind == "auto":
        least = profile.least_answer, profile.least_passage
        limit = int(argument or 400)  # which the package has no name for
        for start, stop in _pack_answers(runs, sentences_in, starts, limit, *least):
            held = [t for t in range(len(starts)) if start <= starts[t] < stop]
            yield Element(d, "#", root, False, "", root.text[start:stop], start, held)
        return
    for tokens, inside in zip(runs, sentences_in, strict=True):
        if kind == "passages":
            places = list(_pack(inside, tokens, starts, int(argument[:-1])))
        elif kind == "sentences":
            n = int(argument)
            places = [(s[0][0], s[-1][1]) for s in (inside[k : k + n] for k in range(0, len(inside), n))]
        else:
            begin = 0 if tokens[0] == 0 else inside[0][0]
            end = len(root.text) if tokens[-1] == len(starts) - 1 else inside[-1][1]
            size, _, step = argument.partition("/")
            windows = _words if size[-1] == "w" else _characters
            places = list(windows(tokens, starts, begin, end, int(size[:-1]), int((step or size)[:-1])))
        for start, stop in places:
            held = [t for t in tokens if start <= starts[t] < stop]
            if held:
                yield Element(d, "#", root, False, "", root.text[start:stop], start, held)


def sentences_of(elements: Sequence[Element], profile: Profile, found: Guess) -> list[tuple[int, int]]:
    """Return the sentences of a document."""
    borders, skipped = set(), []
    for e in elements:
        span = e.start, e.start + len(e.text)
        if e.tag in profile.skip:
            if not any(a.tag in profile.skip for a in e.ancestors()):
                skipped.append(span)
        elif not e.inline and e.tag not in found.inline:
            borders |= set(span)
    return [(s.start, s.end) for s in sentences(elements[0].text, borders, skipped=skipped)]


def _innermost(e: Element, profile: Profile, found: Guess) -> Element | None:
    return None if set(e.tags()) & set(profile.outside) else found.block(e)


def _document(e: Element, profile: Profile, _found: Guess) -> Element | None:
    return None if set(e.tags()) & set(profile.outside) else [e, *e.ancestors()][-1]


def _answer(e: Element, profile: Profile, found: Guess) -> Element | None:
    if set(e.tags()) & set(profile.outside):
        return None
    way = [a for a in (e, *e.ancestors()) if not a.inline]
    for a in way:
        if a.tag in profile.answers:
            return a
        if a.tag in profile.no_answers:
            return None
    return found.block(e, answer=True)


Passage = tuple[int, int]


def _pack_answers(
    runs: Sequence[Sequence[int]],
    sentences_in: Sequence[Sequence[Passage]],
    starts: Sequence[int],
    limit: int,
    least: int,
    least_passage: int,
) -> list[Passage]:
    """Pack the answers of a document: one row of runs after the other."""
    rows: list[list[Passage]] = []
    for k, (tokens, inside) in enumerate(zip(runs, sentences_in, strict=True)):
        if not k or runs[k - 1][-1] + 1 != tokens[0]:
            rows.append([])
        row = rows[-1]
        after_short = k > 0 and _whole(sentences_in[k - 1]) < least_passage
        mine = [row.pop()] if row and (after_short or _size(row[-1]) < least_passage) else []
        for sentence, end in inside:
            brief = bool(mine) and _size(mine[-1]) < max(least, least_passage)
            goes_on = brief or (mine and end - mine[-1][0] <= limit)
            begin = mine.pop()[0] if goes_on else sentence
            room = limit + max(least, least_passage) if brief else limit
            words = [starts[t] for t in range(len(starts)) if begin <= starts[t] < end]
            while end - begin > room and len(words) > 1:
                border = max([w for w in words[1:] if w - begin <= limit], default=words[1])
                mine.append((begin, border))
                begin, words, room = border, [w for w in words if w >= border], limit
            mine.append((begin, end))
        if _size(mine[-1]) < max(least, least_passage):
            if len(mine) > 1:
                _, end = mine.pop()
                mine[-1] = mine[-1][0], end
            elif _size(mine[-1]) < least:
                mine.pop()
        row += mine
    for row in rows:
        if len(row) > 1 and _size(row[-1]) < least_passage:
            _, end = row.pop()
            row[-1] = row[-1][0], end
    found = [passage for row in rows for passage in row]
    return [passage for passage in found if _size(passage) >= least_passage // 2] or found


def _whole(inside: Sequence[Passage]) -> int:
    return inside[-1][1] - inside[0][0]


def _size(passage: Passage) -> int:
    return passage[1] - passage[0]


def _pack(
    inside: Iterable[tuple[int, int]], tokens: Sequence[int], starts: Sequence[int], limit: int
) -> Iterator[tuple[int, int]]:
    opened: tuple[int, int] | None = None
    for begin, end in inside:
        start = begin
        if opened and end - opened[0] <= limit:
            opened = opened[0], end
            continue
        if opened:
            yield opened
        words = [starts[t] for t in tokens if start <= starts[t] < end]
        while end - start > limit and len(words) > 1:
            fits = [w for w in words[1:] if w - start <= limit]
            border = fits[-1] if fits else words[1]
            yield start, border
            start, words = border, [w for w in words if w >= border]
        opened = start, end
    if opened:
        yield opened


def _words(
    tokens: Sequence[int], starts: Sequence[int], begin: int, end: int, size: int, step: int
) -> Iterator[tuple[int, int]]:
    borders = [begin, *(starts[t] for t in tokens[1:]), end]
    for k in range(0, len(tokens), step):
        yield borders[k], borders[min(k + size, len(tokens))]
        if k + size >= len(tokens):
            return


def _characters(
    _tokens: Sequence[int], _starts: Sequence[int], begin: int, end: int, size: int, step: int
) -> Iterator[tuple[int, int]]:
    for start in range(begin, end, step):
        yield start, min(start + size, end)
        if start + size >= end:
            return


class StructureOnUnits(Structure):
    """A structured query whose results are units of another kind than elements.

    A unit stands for the innermost element around it that is no inline mark-up; where the target is strict,
    for the innermost one that conforms to it. An `about` on the last step asks the unit itself; everything
    else is asked of the element that it stands for, and of those around that one.
    """

    units: Sequence[Element] = ()
    found: Guess = Guess()

    def results(self) -> dict[Element, float]:
        """Return all units that are results, with their scores."""
        return {u: s for u in self.units if (s := self._of_unit(u)) > -inf}

    def _of_unit(self, u: Element) -> float:
        e = self._stands_for(u)
        clauses = [(i, step.clause) for i, step in enumerate(self.query.steps, 1) if step.clause is not None]
        abouts = [(i, about) for i, clause in clauses for about in self._abouts(clause)]
        asking = [(i, about) for i, about in abouts if self._asks(about)]
        own = [about for i, about in asking if i == len(self.path)]
        if e is None:
            return -inf
        root = [e, *e.ancestors()][-1]
        if own:
            answers = any(u in self._unit_scores(about) for about in own)
        else:
            answers = not abouts or any(root in self._scores(about) for _, about in asking)
        if not answers:
            return -inf
        ways = [[root] * len(clauses)]
        if self.all_strict:
            ways = [[chain[i - 1] for i, _ in clauses] for chain in self._chains(e, len(self.path))]
        return max(self._total(clauses, u, way, bool(abouts)) for way in ways)

    def _stands_for(self, u: Element) -> Element | None:
        around = [
            e
            for e in self.corpus.elements
            if e.document == u.document
            and e.start <= u.start
            and e.start + len(e.text) >= u.start + len(u.text)
        ]
        e = self.found.block(max(around, key=lambda one: len(one.tags())))
        if not self.strict_target:
            return e
        return next((a for a in (e, *e.ancestors()) if conforms(a.tags(), self.path, self.equal)), None)

    def _unit_scores(self, about: About) -> dict[Element, float]:
        asked = weights(about.terms, self.stop)
        return score_units(self.corpus, asked, self.model, not self._asks(about), list(self.units))

    def _score(self, step: int, clause: Clause, e: Element, context: Element) -> float:
        if isinstance(clause, About) and step == len(self.path):
            return self._unit_scores(clause).get(e, -inf)
        return super()._score(step, clause, e, context)

    def _abouts(self, clause: Clause) -> list[About]:
        return (
            [clause]
            if isinstance(clause, About)
            else [about for part in getattr(clause, "parts", ()) for about in self._abouts(part)]
        )
