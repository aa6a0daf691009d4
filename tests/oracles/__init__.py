"""Oracles for the graded measures, and the small campaigns of assessed elements they are asked about.

    graded("A/article[1] 2 60/100", "2:B/sec[1] ? 5/5")     2005: exhaustivity, relevant / all characters
    graded("A/article[1] 3,2")                              2004: exhaustivity, specificity
    graded("A/article[1] 3E", "B")                          2002: relevance, coverage; B judged, no more
    ranked("A/sec[1]", "2:B/sec[2] 0.5")                    results, best first, perhaps with a score

"2:" names the topic, else it is "1".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import pytest
from hypothesis import strategies as st

from inexlab.judgements import Judgements
from inexlab.judgements.elements import COVERAGE, TOO_SMALL, Scale, full_path
from inexlab.judgements.table import ElementGrade, JudgementsBuilder
from inexlab.measures import evaluate
from inexlab.runs import Run
from inexlab.runs.table import RunBuilder
from tests.oracles.xcg import Element, Sizes, Values, full_recall_base, ideal_recall_base, value_2005

both_ways = pytest.mark.parametrize("compiled", ["never", pytest.param("always", marks=pytest.mark.compiled)])

_ASSESSED = re.compile(r"(?:(\w+):)?([A-Za-z]\w*)(?:(/\S+) (?:([012?]) (\d+)/(\d+)|(\d),(\d)|(\d)([NSLE])))?")
_RESULT = re.compile(r"(?:(\w+):)?([A-Za-z]\w*)(/\S*)(?: (-?[\d.]+))?")


def graded(*elements: str) -> Judgements:
    """Make judgements of elements such as `A/article[1] 2 60/100`."""
    builder = JudgementsBuilder()
    documents = set()
    for element in elements:
        found = _ASSESSED.fullmatch(element)
        assert found is not None, element
        topic, doc, path, exhaustivity, rsize, size, e4, s4, e2, coverage = found.groups()
        topic = topic or "1"
        if (topic, doc) not in documents:
            documents.add((topic, doc))
            builder.add(topic, doc)
        if path is None:
            continue
        scale: Scale
        if exhaustivity is not None:
            e = TOO_SMALL if exhaustivity == "?" else int(exhaustivity)
            scale, grade = "2005", ElementGrade(full_path(path), e, -1, int(size), int(rsize))
        elif e4 is not None:
            scale, grade = "2004", ElementGrade(full_path(path), int(e4), int(s4), 0, 0)
        else:
            scale, grade = "2002", ElementGrade(full_path(path), int(e2), COVERAGE.index(coverage), 0, 0)
        assert builder.add_element(topic, doc, grade, scale) is None, element
    return builder.build()


def ranked(*results: str, id: str = "run") -> Run:
    """Make a run of elements such as `A/sec[1]` or, with an rsv, `A/sec[1] 0.5`."""
    builder = RunBuilder()
    for result in results:
        found = _RESULT.fullmatch(result)
        assert found is not None, result
        topic, doc, path, score = found.groups()
        builder.add(topic or "1", doc, float("nan" if score is None else score), path=path)
    return builder.build(id)


def topic_scores(measures: Sequence[str], judgements: Judgements, run: Run) -> dict[str, list[float]]:
    """Return the scores on every topic, by the name of the measure as given; NaN where undefined."""
    evaluation = evaluate(judgements, [run], measures, need_judged_topics=False)
    return {scores.measure.given: scores.values[0].tolist() for scores in evaluation.scores}


# Campaigns: two topics and three documents of which two are judged, with paths chosen so that unassessed
# elements lie above and below assessed ones. `s[1]` and `s[10]` share a beginning but nothing else.

TOPICS = ("1", "2")
JUDGED_DOCUMENTS = ("A", "B")
DOCUMENTS = ("A", "B", "Z")
PATHS = (
    "/a[1]",
    "/a[1]/s[1]",
    "/a[1]/s[1]/p[1]",
    "/a[1]/s[1]/p[1]/i[1]",
    "/a[1]/s[1]/p[2]",
    "/a[1]/s[1]/p[2]/i[1]",
    "/a[1]/s[1]/p[2]/i[2]",
    "/a[1]/s[10]",
    "/a[1]/s[10]/p[1]",
    "/a[1]/s[2]",
    "/a[1]/s[2]/p[1]",
)
# never assessed: below, between and beside the others, and in a document of another kind
ELSEWHERE = (
    "/a[1]/s[1]/p[1]/i[1]/b[1]",
    "/a[1]/s[2]/p[1]/i[7]",
    "/a[1]/s[3]",
    "/a[1]/s[1]/p[9]/i[1]",
    "/b[1]",
)

Grade = tuple[str, int, int]  # exhaustivity, characters, relevant characters


@dataclass(frozen=True)
class Campaign:
    """Assessed elements by topic, and a ranking for each topic that the run has."""

    assessed: Mapping[str, Mapping[Element, Grade]]
    ranking: Mapping[str, Sequence[Element]]

    def values(self, topic: str, quant: str) -> Values:
        """The value of every assessed element of a topic."""
        return {element: value_2005(quant, *grade) for element, grade in self.assessed[topic].items()}

    def sizes(self, topic: str) -> Sizes:
        """The characters of every assessed element of a topic."""
        return {element: size for element, (_, size, _) in self.assessed[topic].items()}

    @property
    def judgements(self) -> Judgements:
        """The package's table."""
        return graded(
            *(
                f"{topic}:{doc}{path} {e} {rsize}/{size}"
                for topic, elements in self.assessed.items()
                for (doc, path), (e, size, rsize) in elements.items()
            )
        )

    @property
    def run(self) -> Run:
        """The package's table."""
        return ranked(*(f"{t}:{doc}{path}" for t, elements in self.ranking.items() for doc, path in elements))


def rankings(elements: Iterable[Element] = (), most: int = 12) -> st.SearchStrategy[list[Element]]:
    """Mostly the given elements, some more than once; others nobody assessed, or not in a judged document."""
    anything = st.tuples(st.sampled_from(DOCUMENTS), st.sampled_from((*PATHS, *ELSEWHERE)))
    known = st.sampled_from(sorted(elements)) if elements else anything
    return st.lists(st.one_of(known, known, known, anything), max_size=most)


@st.composite
def campaigns(draw: st.DrawFn, sizes: Sequence[int] = (0, 1, 2, 4, 8, 16, 32)) -> Campaign:
    """Any grades on any elements, as no assessor would give them; the second topic may be missing in the run.

    With sizes that are powers of 2 every value and gain is exact in floating point too.
    """
    assessed: dict[str, dict[Element, Grade]] = {}
    for topic in TOPICS:
        assessed[topic] = {}
        for doc, most in zip(draw(st.permutations(JUDGED_DOCUMENTS)), (len(PATHS), 3), strict=True):
            for path in draw(st.lists(st.sampled_from(PATHS), min_size=1, max_size=most, unique=True)):
                size = draw(st.sampled_from(sizes))
                rsize = draw(st.one_of(st.just(size), st.integers(0, size)))
                assessed[topic][doc, path] = (draw(st.sampled_from("0?11222")), size, rsize)
    topics = draw(st.sampled_from([TOPICS, TOPICS[:1], TOPICS[::-1]]))
    return Campaign(assessed, {topic: draw(rankings(assessed[topic])) for topic in topics})


_ORDER = "0?12"
_WHOLLY_RELEVANT = "/a[1]/s[1]/p[1]/i[1]"


@st.composite
def highlighted(draw: st.DrawFn, topics: Sequence[str] = TOPICS) -> Campaign:
    """Grades as INEX got them: text is highlighted, so an element has what its parts have and perhaps more.

    Every topic has an element of exhaustivity 2, all of it relevant.
    """
    assessed: dict[str, dict[Element, Grade]] = {}
    for topic in topics:
        assessed[topic] = {}
        for place, doc in enumerate(draw(st.permutations(JUDGED_DOCUMENTS))):
            chosen = draw(st.lists(st.sampled_from(PATHS), min_size=1, unique=True))
            own = {path: _own_text(draw) for path in chosen}
            if place == 0:
                own[_WHOLLY_RELEVANT] = ("2", 7, 7)
            assessed[topic] |= {(doc, path): grade for path, grade in _propagated(own).items()}
    return Campaign(assessed, {topic: draw(rankings(assessed[topic])) for topic in topics})


def _own_text(draw: st.DrawFn) -> Grade:
    size = draw(st.integers(1, 30))
    rsize = draw(st.sampled_from((0, size, size // 2, size // 3)))
    return (draw(st.sampled_from("?12")) if rsize else "0", size, rsize)


def _propagated(own: Mapping[str, Grade]) -> dict[str, Grade]:
    """Add to every element what is inside it, and grade it no lower than that."""
    whole = {}
    paths = {path[: step.end()] for path in own for step in re.finditer(r"\]", path)}
    for path in sorted(paths):
        inside = [grade for other, grade in own.items() if f"{other}/".startswith(f"{path}/")]
        exhaustivity = max((e for e, _, _ in inside), key=_ORDER.index)
        whole[path] = (exhaustivity, sum(g[1] for g in inside), sum(g[2] for g in inside))
    return whole


def perfect_ranking(value: Values, overlap: str) -> list[Element]:
    """Return the recall base in order: the full one, or the ideal one where overlap matters."""
    return full_recall_base(value) if overlap == "off" else ideal_recall_base(value)
