"""Units of any kind, cut slowly and plainly from the oracle's documents: elements with their tokens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from inexlab.collection.profile import Profile
from inexlab.index.sentences import sentences
from tests.oracles.elements import Corpus, Element


def cut(corpus: Corpus, by: str, profile: Profile) -> list[Element]:
    """Return the units that `by` names."""
    kind, _, argument = by.partition(":")
    if kind == "articles":
        return [e for e in corpus.units if e.parent is None]
    if kind == "elements":
        if argument == "*":
            return corpus.units
        if argument:
            return [e for e in corpus.units if e.tag in argument.split(",")]
        return [e for e in corpus.units if _is_answer(e, profile)]
    return [unit for d in range(len(corpus.rows)) for unit in _flat(corpus, d, kind, argument, profile)]


def _is_answer(e: Element, profile: Profile) -> bool:
    if set(e.tags()) & set(profile.outside) or e.tag in profile.no_answers:
        return False
    return (not profile.answers or e.tag in profile.answers) and len(e.text) >= profile.least_answer


def _flat(corpus: Corpus, d: int, kind: str, argument: str, profile: Profile) -> Iterator[Element]:
    elements = [e for e in corpus.elements if e.document == d]
    root = elements[0]
    found = sentences_of(elements, profile)
    starts = corpus.starts[d]
    block_of = {"windows": _document, "auto": _answer}.get(kind, _innermost)
    blocks = [block_of(unit, profile) for _, unit in corpus.rows[d]]
    for block, group in groupby(range(len(starts)), key=lambda t: id(blocks[t]) if blocks[t] else 0):
        tokens = list(group)
        if not block:
            continue
        inside = [s for s in found if any(s[0] <= starts[t] < s[1] for t in tokens)]
        if kind == "passages":
            places = list(_pack(inside, tokens, starts, int(argument[:-1])))
        elif kind == "auto":
            places = _long_enough(list(_pack(inside, tokens, starts, 400)), profile.least_answer)
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


def sentences_of(elements: Sequence[Element], profile: Profile) -> list[tuple[int, int]]:
    """Return the sentences of a document."""
    borders, skipped = set(), []
    for e in elements:
        span = e.start, e.start + len(e.text)
        if e.tag in profile.skip:
            if not any(a.tag in profile.skip for a in e.ancestors()):
                skipped.append(span)
        elif not e.inline:
            borders |= set(span)
    return [(s.start, s.end) for s in sentences(elements[0].text, borders, skipped=skipped)]


def _innermost(e: Element, profile: Profile) -> Element | None:
    return None if set(e.tags()) & set(profile.outside) else e


def _document(e: Element, profile: Profile) -> Element | None:
    return None if set(e.tags()) & set(profile.outside) else [e, *e.ancestors()][-1]


def _answer(e: Element, profile: Profile) -> Element | None:
    if set(e.tags()) & set(profile.outside):
        return None
    way = [a for a in (e, *e.ancestors()) if not a.inline]
    for a in way:
        if a.tag in profile.answers:
            return a
        if a.tag in profile.no_answers:
            return None
    return e


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


def _long_enough(places: list[tuple[int, int]], least: int) -> list[tuple[int, int]]:
    if places and places[-1][1] - places[-1][0] < least:
        *places, (_, end) = places
        if places:
            places[-1] = places[-1][0], end
    return places


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
