"""Small runs and judgements for tests, in the notation of the measures' own manual pages.

    a_run("A[0,50)", "C[0,100)", "2:B[0,100)")        results, best first; "2:" names the topic, else "1"
    judged("A 0:60 bep=0 size=100", "2:B 50:40")      highlights as offset:length

A result `A?` was not located, `A/article[1]` is given by its path.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from inexlab.judgements import Judgements
from inexlab.judgements.table import JudgementsBuilder
from inexlab.measures import evaluate
from inexlab.policy import Policy
from inexlab.runs import Run
from inexlab.runs.table import RunBuilder

_RESULT = re.compile(r"(?:(\w+):)?([A-Za-z]\w*)(?:\[(\d+),(\d+)\)|(\?)|(/.*))")
_JUDGED = re.compile(r"(?:(\w+):)?([A-Za-z]\w*)((?: \S+)*)")

# Hypothesis without a clock: the first use of a compiled loop loads the compiler.
calm = settings(deadline=None)

# Table 6 of Cherukuri (2010): two systems' scores on seven topics.
TABLE_6 = """\
2009001	0.9990198480764518	0.9990198480764518
2009002	0.0	0.0
2009003	0.0	0.5120564388754344
2009004	0.34397119086054884	0.5815299446401611
2009005	0.12936590721932473	0.12024428931579069
2009006	0.0	0.0
2009010	0.06138073065902579	0.04249008051157595
"""

# The worked example of the manual pages: 100 relevant characters in two documents.
AB_RESULTS = ("A[0,50)", "C[0,100)", "B[0,100)")
AB_JUDGED = ("A 0:60 bep=0 size=100", "B 50:40 bep=50 size=100")


def a_run(*results: str, id: str = "run", file: str = "") -> Run:
    """Make a run of results such as `A[0,50)`."""
    builder = RunBuilder()
    for result in results:
        found = _RESULT.fullmatch(result)
        assert found is not None, result
        topic, doc, start, end, _unlocated, path = found.groups()
        span = None if start is None else (int(start), int(end))
        builder.add(topic or "1", doc, span=span, path=path)
    return builder.build(id, file)


def judged(*documents: str, file: str = "") -> Judgements:
    """Make judgements of documents such as `A 0:60 bep=0 size=100 stated=60`."""
    builder = JudgementsBuilder()
    for document in documents:
        found = _JUDGED.fullmatch(document)
        assert found is not None, document
        numbers: dict[str, int] = {}
        spans: list[tuple[int, int]] = []
        for word in found[3].split():
            if "=" in word:
                name, _, value = word.partition("=")
                numbers[name] = int(value)
            else:
                offset, _, length = word.partition(":")
                spans.append((int(offset), int(offset) + int(length)))
        assert builder.add(found[1] or "1", found[2], spans, **numbers), document
    return builder.build(file)


def score(measure: str, judgements: Judgements, run: Run, **policy: str | int) -> float:
    """Return one run's score by one measure over all judged topics, NaN where undefined."""
    return scores([measure], judgements, run, **policy)[0]


def scores(measures: Sequence[str], judgements: Judgements, run: Run, **policy: str | int) -> list[float]:
    """Return one run's scores by several measures."""
    chosen = Policy().with_settings(f"{name}={value}" for name, value in policy.items())
    evaluation = evaluate(judgements, [run], measures, policy=chosen, need_judged_topics=False)
    return [float(of_measure.totals()[0]) for of_measure in evaluation.scores]


def ab_score(measure: str, **policy: str | int) -> float:
    """Return a score of the worked example."""
    return score(measure, judged(*AB_JUDGED), a_run(*AB_RESULTS), **policy)


# Strategies: few topics, few documents and short texts, so that overlap is the rule.

TOPICS = ("1", "2", "3")
DOCUMENTS = ("A", "B", "C", "D")
LENGTH = 40


def spans(smallest: int = 0) -> st.SearchStrategy[tuple[int, int]]:
    """Spans of a text of `LENGTH` characters."""
    starts = st.integers(0, LENGTH - smallest)
    return starts.flatmap(lambda start: st.tuples(st.just(start), st.integers(start + smallest, LENGTH)))


def results(
    topics: Sequence[str] = TOPICS, documents: Sequence[str] = DOCUMENTS, most: int = 25
) -> st.SearchStrategy[list[str]]:
    """Results in any order of topics, overlapping, empty or not located."""
    spanned = st.builds(
        lambda topic, doc, span: f"{topic}:{doc}[{span[0]},{span[1]})",
        st.sampled_from(topics),
        st.sampled_from(documents),
        spans(),
    )
    nowhere = st.builds(lambda t, d: f"{t}:{d}?", st.sampled_from(topics), st.sampled_from(documents))
    found = st.lists(st.one_of(spanned, spanned, spanned, spanned, nowhere), max_size=most)
    # runs without a judged topic are refused; judgements are of the first two
    return found.filter(lambda rows: not rows or any(row.partition(":")[0] in topics[:2] for row in rows))


@st.composite
def judgement_lines(
    draw: st.DrawFn,
    topics: Sequence[str] = TOPICS[:2],
    documents: Sequence[str] = DOCUMENTS[:3],
    *,
    relevant: bool = False,
) -> list[str]:
    """Judged documents of `LENGTH` characters; with `relevant`, each topic has some highlighted text."""
    lines = []
    for topic in topics:
        chosen = draw(st.lists(st.sampled_from(documents), min_size=1, unique=True))
        for place, doc in enumerate(chosen):
            needed = 1 if relevant and place == 0 else 0
            highlights = draw(st.lists(spans(smallest=1), min_size=needed, max_size=4))
            passages = "".join(f" {start}:{end - start}" for start, end in highlights)
            bep = draw(st.none() | st.integers(0, LENGTH)) if highlights else None
            entry = "" if bep is None else f" bep={bep}"
            lines.append(f"{topic}:{doc}{passages}{entry} size={LENGTH}")
    return lines


def assert_same_run(one: Run, other: Run) -> None:
    """Compare two runs column by column."""
    for field in dataclasses.fields(Run):
        left, right = getattr(one, field.name), getattr(other, field.name)
        if isinstance(left, np.ndarray):
            assert left.dtype == right.dtype
            assert np.array_equal(left, right, equal_nan=True)
        else:
            assert left == right
