"""Element retrieval by brute force: every element has a vector, and every question looks at all of them.

Nothing here is shared with the package but the query tree: documents are read with lxml, cut into tokens by
walking the tree, and scored by formulas written down again from their sources.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf, log

from lxml import etree

from inexlab.topics.query import About, And, CASQuery, Clause, Compare, Or, Path, Step, Term

Row = tuple[str, ...]  # a word, or the words of a phrase
Vector = Mapping[Row, float]


@dataclass(eq=False)
class Element:
    """An element: its place in the tree, and the tokens that begin in it."""

    document: int
    tag: str
    parent: Element | None
    inline: bool
    path: str
    text: str = ""
    start: int = 0
    tokens: list[int] = field(default_factory=list)  # numbers of tokens on the document's row
    children: list[Element] = field(default_factory=list)

    def ancestors(self) -> list[Element]:
        """All elements around this one, the innermost first."""
        return [] if self.parent is None else [self.parent, *self.parent.ancestors()]

    def tags(self) -> list[str]:
        """The tags from the root down to this element."""
        return [*([] if self.parent is None else self.parent.tags()), self.tag]

    def inside(self) -> list[Element]:
        """This element and all that are in it, in document order."""
        return [self, *(e for child in self.children for e in child.inside())]


class Corpus:
    """All elements of some documents, in order; `units` are those that can be retrieved."""

    def __init__(
        self,
        documents: Iterable[str],
        inline: Iterable[str] = (),
        skip: Iterable[str] = (),
    ) -> None:
        self._inline, self._skip = set(inline), set(skip)
        self.elements: list[Element] = []
        self.rows: list[list[tuple[str, Element]]] = []  # of each document: token, innermost unit around it
        self.starts: list[list[int]] = []  # and the first character of each token
        for document in documents:
            self._read(etree.fromstring(document.encode()))
        self.units = [e for e in self.elements if not e.inline and e.tokens]

    def _read(self, root: etree._Element) -> None:
        row: list[tuple[str, Element]] = []
        starts: list[int] = []
        begins = 0
        token: list[str] = []
        around: list[Element] = []  # the element that the token begins in, and what that is in
        at = 0

        def end_token() -> None:
            word = "".join(token)
            if word:
                starts.append(begins)
                for e in around:
                    e.tokens.append(len(row))
                row.append((word, next(e for e in around if not e.inline)))
            token.clear()

        def read(text: str | None, here: Element, skipped: bool) -> None:
            nonlocal at, begins
            for character in text or "":
                at += 1
                if skipped or not character.isalnum():
                    end_token()
                    continue
                if not token:
                    begins = at - 1
                    around[:] = [here, *here.ancestors()]
                token.append(character.lower())

        def walk(node: etree._Element, parent: Element | None, skipped: bool, nth: int) -> None:
            tag = str(node.tag)
            path = f"{parent.path if parent else ''}/{tag}[{nth}]"
            inline = tag in self._inline
            element = Element(len(self.rows), tag, parent, inline, path, start=at)
            element.text = "".join(str(piece) for piece in node.itertext())
            self.elements.append(element)
            if parent:
                parent.children.append(element)
            skipped = skipped or tag in self._skip
            if not inline:
                end_token()
            read(node.text, element, skipped)
            seen: Counter[str] = Counter()
            for child in node:
                seen[str(child.tag)] += 1
                walk(child, element, skipped, seen[str(child.tag)])
                read(child.tail, element, skipped)
            if not inline:
                end_token()

        walk(root, None, False, 1)
        self.rows.append(row)
        self.starts.append(starts)

    def frequency(self, element: Element, row: Row) -> int:
        """Count a row of words in an element: they begin in it, and have one innermost unit around them."""
        held = set(element.tokens)
        return sum(
            at + len(row) - 1 in held and self._begins(element.document, at, row) for at in element.tokens
        )

    def _begins(self, document: int, at: int, row: Row) -> bool:
        found = self.rows[document][at : at + len(row)]
        return tuple(token for token, _ in found) == row and len({id(unit) for _, unit in found}) == 1


def weights(terms: Iterable[Term], stop: Iterable[str] = ()) -> dict[Row, float]:
    """Return the words and phrases of a query with their weights; stop words are only in phrases."""
    found: dict[Row, float] = {}
    for term in terms:
        words = tuple(w for text in term.words for w in re.findall(r"[^\W_]+", text.lower()))
        rows: list[Row] = [(word,) for word in words if word not in stop]
        if len(words) > 1:
            rows = [words] if term.sign == "-" else [*rows, words]
        for row in rows:
            found[row] = found.get(row, 0.0) + {"": 1, "+": 2, "-": -1}[term.sign]
    return found


@dataclass
class View:
    """Some units of a corpus: what models see."""

    units: list[Element]
    rows: list[list[tuple[str, Element]]]


def score_units(
    of: Corpus,
    terms: Vector,
    model: str,
    any_term: bool = False,
    units: list[Element] | None = None,
    /,
    **parameters: float,
) -> dict[Element, float]:
    """Score every unit that holds a wanted term, or any at all; of all elements, or of other units."""
    corpus = View(of.units if units is None else units, of.rows)
    roots = [e for e in of.elements if e.parent is None]
    tf = {e: {row: of.frequency(e, row) for row in terms} for e in (*roots, *corpus.units)}
    collection = {row: sum(tf[e][row] for e in roots) for row in terms}
    terms = {row: weight for row, weight in terms.items() if collection[row]}
    with_term = {row: sum(tf[e][row] > 0 for e in corpus.units) for row in terms}
    tokens = sum(map(len, corpus.rows))
    if not corpus.units:
        return {}
    scored = _MODELS[model](corpus, terms, tf, with_term, collection, tokens, **parameters)
    return {
        e: s for e, s in scored.items() if any(tf[e][row] for row, w in terms.items() if w > 0 or any_term)
    }


Frequencies = Mapping[Element, Mapping[Row, int]]
Counts = Mapping[Row, int]


def _different(corpus: View, e: Element) -> int:
    return len({corpus.rows[e.document][at][0] for at in e.tokens})


def _bm25(
    corpus: View,
    terms: Vector,
    tf: Frequencies,
    n: Counts,
    _f: Counts,
    _t: int,
    k1: float = 1.2,
    b: float = 0.75,
) -> dict[Element, float]:
    units = corpus.units
    mean = sum(len(e.tokens) for e in units) / len(units)
    return {
        e: sum(
            w
            * log(1 + (len(units) - n[t] + 0.5) / (n[t] + 0.5))
            * tf[e][t]
            / (tf[e][t] + k1 * (1 - b + b * len(e.tokens) / mean))
            for t, w in terms.items()
            if tf[e][t]
        )
        for e in units
    }


def _lnu_ltu(
    corpus: View,
    terms: Vector,
    tf: Frequencies,
    n: Counts,
    _f: Counts,
    _t: int,
    slope: float = 0.2,
    pivot: float = 0.0,
) -> dict[Element, float]:
    units = corpus.units
    unique = {e: _different(corpus, e) for e in units}
    pivot = pivot or sum(unique.values()) / len(units)
    scores = {}
    for e in units:
        mean = len(e.tokens) / unique[e]
        scores[e] = 0.0
        for t, w in terms.items():
            if tf[e][t] and w:
                lnu = (1 + log(tf[e][t])) / (1 + log(mean)) / ((1 - slope) * pivot + slope * unique[e])
                qtf = (1 + log(max(abs(w), 1))) * (1 if w > 0 else -1)
                scores[e] += lnu * qtf * log(len(units) / n[t]) / ((1 - slope) * pivot + slope * len(terms))
    return scores


def _root(e: Element) -> Element:
    return e if e.parent is None else _root(e.parent)


def _dirichlet(
    corpus: View,
    terms: Vector,
    tf: Frequencies,
    _n: Counts,
    f: Counts,
    total: int,
    mu: float = 2500,
    article: float = 0.0,
) -> dict[Element, float]:
    scores = {}
    for e in corpus.units:
        root = _root(e)
        scores[e] = 0.0
        for t, w in terms.items():
            p = f[t] / total
            smoothed = (1 - article) * p + article * tf[root][t] / len(root.tokens)
            scores[e] += w * log((tf[e][t] + mu * smoothed) / (mu * p)) if w else 0.0
            scores[e] -= max(w, 0) * log((len(e.tokens) + mu) / mu)
    return scores


def _jelinek_mercer(
    corpus: View,
    terms: Vector,
    tf: Frequencies,
    _n: Counts,
    f: Counts,
    total: int,
    element: float = 0.4,
    article: float = 0.2,
) -> dict[Element, float]:
    scores = {}
    for e in corpus.units:
        root = _root(e)
        scores[e] = 0.0
        for t, w in terms.items():
            mixed = element * tf[e][t] / len(e.tokens) + article * tf[root][t] / len(root.tokens)
            scores[e] += w * log(1 + mixed / ((1 - element - article) * f[t] / total))
    return scores


def _gpx(
    corpus: View,
    terms: Vector,
    tf: Frequencies,
    _n: Counts,
    f: Counts,
    _t: int,
    k: float = 5,
    one: float = 0.49,
    many: float = 0.99,
) -> dict[Element, float]:
    units = set(corpus.units)

    def parts(e: Element) -> list[Element]:
        return [u for child in e.children for u in ([child] if child in units else parts(child))]

    scores: dict[Element, float] = {}

    def score(e: Element) -> float:
        own = {t: tf[e][t] - sum(tf[part][t] for part in parts(e)) for t in terms}
        matched = sum(own[t] > 0 for t, w in terms.items() if w > 0)
        value = sum(w * own[t] / f[t] for t, w in terms.items()) * (k ** (matched - 1) if matched else 1)
        scoring = [s for part in parts(e) if (s := score(part)) != 0]
        scores[e] = value + (one if len(scoring) == 1 else many) * sum(scoring)
        return scores[e]

    for e in corpus.units:
        if not units & set(e.ancestors()):
            score(e)
    return scores


_MODELS = {
    "bm25": _bm25,
    "lnu-ltu": _lnu_ltu,
    "lm-dirichlet": _dirichlet,
    "lm-jm": _jelinek_mercer,
    "gpx": _gpx,
}
MODELS = tuple(_MODELS)


# --- structure ---------------------------------------------------------------------------------------


def conforms(tags: Sequence[str], path: Sequence[Step], equal: Mapping[str, str]) -> bool:
    """Whether tags, from the root down, satisfy a path to its end."""
    if not path:
        return not tags
    step, rest = path[0], path[1:]
    wanted = {equal.get(tag, tag) for tag in step.tags}
    reach = range(len(tags)) if step.axis == "//" else range(min(1, len(tags)))
    return any(
        ("*" in step.tags or equal.get(tags[i], tags[i]) in wanted) and conforms(tags[i + 1 :], rest, equal)
        for i in reach
    )


class Structure:
    """One structured query, answered by looking at everything."""

    def __init__(
        self,
        corpus: Corpus,
        query: CASQuery,
        interpretation: str,
        equal: Mapping[str, str] | None = None,
        stop: Iterable[str] = (),
        model: str = "bm25",
    ) -> None:
        self.corpus, self.query, self.equal, self.stop = corpus, query, equal or {}, stop
        self.model = model
        self.strict_target, self.strict_support = (letter == "S" for letter in interpretation[:2])
        self.all_strict = self.strict_target and self.strict_support
        self.path: Path = tuple(step.bare for step in query.steps)

    def results(self) -> dict[Element, float]:
        """Return all results with their scores."""
        return {e: s for e in self.corpus.units if (s := self._result(e)) > -inf}

    def _result(self, e: Element) -> float:
        if self.strict_target and not conforms(e.tags(), self.path, self.equal):
            return -inf
        clauses = [(i, step.clause) for i, step in enumerate(self.query.steps, 1) if step.clause is not None]
        abouts = [(i, about) for i, clause in clauses for about in _abouts(clause)]
        asking = [(i, about) for i, about in abouts if self._asks(about)]
        own = [about for i, about in asking if i == len(self.path)]
        asked = [(about, e) for about in own] or [(about, _root(e)) for _, about in asking]
        if abouts and not any(place in self._scores(about) for about, place in asked):
            return -inf
        if self.all_strict:
            ways = [[chain[i - 1] for i, _ in clauses] for chain in self._chains(e, len(self.path))]
        else:
            ways = [[_root(e)] * len(clauses)]
        return max(self._total(clauses, e, way, bool(abouts)) for way in ways)

    def _chains(self, e: Element, steps: int) -> list[list[Element]]:
        """Return the ways to lead the first steps of the path to an element: one element for each."""
        step = self.path[steps - 1]
        if not conforms([e.tag], [Step("/", step.tags)], self.equal):
            return []
        if steps == 1:
            return [[e]] if step.axis == "//" or e.parent is None else []
        above = e.ancestors() if step.axis == "//" else e.ancestors()[:1]
        return [[*chain, e] for a in above for chain in self._chains(a, steps - 1)]

    def _total(
        self, clauses: list[tuple[int, Clause]], e: Element, contexts: list[Element], asks: bool
    ) -> float:
        """Add up the scores of clauses, looked at in the given elements."""
        placed = [(i, clause, context) for (i, clause), context in zip(clauses, contexts, strict=True)]
        if not all(self._holds(*one) for one in placed):
            return -inf
        found = [s for i, clause, context in placed if (s := self._score(i, clause, e, context)) > -inf]
        return sum(found) if found else (-inf if asks else 0.0)

    def _scores(self, about: About) -> dict[Element, float]:
        terms = weights(about.terms, self.stop)
        return score_units(self.corpus, terms, self.model, not self._asks(about))

    def _asks(self, about: About) -> bool:
        return bool(weights((term for term in about.terms if term.sign != "-"), self.stop))

    def _places(self, step: int, path: Path, context: Element) -> list[Element]:
        """Return the elements in a context at the path of a clause."""
        if not self.all_strict:
            return [e for e in context.inside() if conforms(e.tags(), self.path[:step] + path, self.equal)]
        above = len(context.tags())
        return [e for e in context.inside() if conforms(e.tags()[above:], path, self.equal)]

    def _supports(self, step: int, about: About, context: Element) -> list[float]:
        scores = self._scores(about)
        return [scores[e] for e in self._places(step, about.path, context) if e in scores]

    def _holds(self, step: int, clause: Clause, context: Element) -> bool:
        if isinstance(clause, And):
            return all(self._holds(step, part, context) for part in clause.parts)
        if isinstance(clause, Or):
            return any(self._holds(step, part, context) for part in clause.parts)
        if isinstance(clause, About):
            if not (self.strict_support and self._asks(clause)):
                return True
            return bool(self._supports(step, clause, context))
        return any(_meets(e.text, clause) for e in self._places(step, clause.path, context))

    def _score(self, step: int, clause: Clause, e: Element, context: Element) -> float:
        if isinstance(clause, Compare):
            return -inf
        if isinstance(clause, About):
            if self.strict_support and (step < len(self.path) or self.strict_target):
                return max(self._supports(step, clause, context), default=-inf)
            return self._scores(clause).get(e if step == len(self.path) else context, -inf)
        found = [s for part in clause.parts if (s := self._score(step, part, e, context)) > -inf]
        return -inf if not found else sum(found) if isinstance(clause, And) else max(found)


def _abouts(clause: Clause) -> list[About]:
    if isinstance(clause, About):
        return [clause]
    return [] if isinstance(clause, Compare) else [about for part in clause.parts for about in _abouts(part)]


def _meets(text: str, comparison: Compare) -> bool:
    left: str | float = " ".join(text.lower().split())
    right: str | float = " ".join(comparison.value.lower().split())
    number = r"((?<!\w)-)?([0-9]+(\.[0-9]+)?|\.[0-9]+)"
    if not comparison.quoted:
        found = re.search(number, text)
        if found is None:
            return False
        left, right = float(found[0]), float(right)
    elif re.fullmatch(number, str(left)) and re.fullmatch(number, str(right)):
        left, right = float(left), float(right)
    if comparison.operator == "=":
        return left == right
    if comparison.operator == "<":
        return left < right  # type: ignore[operator]
    if comparison.operator == ">":
        return left > right  # type: ignore[operator]
    return left == right or (left < right) == (comparison.operator == "<=")  # type: ignore[operator]
