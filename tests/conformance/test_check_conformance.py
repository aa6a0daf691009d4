"""The conformance cases through the checks: everything that was planted is found, and nothing else.

The cases hold, on purpose, duplicates, unknown documents (`ghost…`), paths that do not exist (`sec[99]`),
results without text and, in case 21, a list beyond 1,500. Their assessments on the scale of 2004 were drawn
at random, so that not every parent, child and sibling of a relevant element is judged.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from inexlab.collection import Collection, open_collection
from inexlab.judgements import read_judgements
from inexlab.judgements.validate import JudgementContext, check_judgements
from inexlab.problems import Problem
from inexlab.runs.tasks import TASKS
from inexlab.runs.validate import RunCheck, RunContext
from inexlab.streams import open_stream
from tests.conformance import CASES, OFFICIAL

# What is known of the judgements: relevant elements of 2004 with unjudged relatives (with the collection,
# and by the numbers of siblings alone). One topic of each case has nothing relevant.
INCOMPLETE = {"3": (8, 2), "5": (33, 9), "8": (23, 5), "13": (7, 1), "17": (29, 13), "21": (26, 9)}


def checked(file: Path, context: RunContext) -> list[Problem]:
    return list(RunCheck(open_stream(file), context).problems())


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"case {case.name}")
@pytest.mark.parametrize("form", ["runs2005", "runs2009", "runs2009fol"])
def test_runs_have_what_was_planted(case: Path, form: str) -> None:
    collection = open_collection(case / "docs")
    files = sorted((case / form).iterdir())
    assert len(files) >= 5
    for file in files:
        problems = checked(file, RunContext(collection=collection))
        found = Counter(problem.kind.name for problem in problems)
        assert found == _planted(file, collection), file
        if file.stem == "run_clean":
            assert set(found) <= {"empty-result"}


def _planted(file: Path, documents: Collection) -> Counter[str]:
    """Find the planted rows by a plain reading of the files."""
    planted: Counter[str] = Counter()
    seen: set[tuple[str, ...]] = set()
    ranks: Counter[str] = Counter()
    for topic, doc, place in _rows(file):
        ranks[topic] += 1
        if ranks[topic] > 1500:
            planted["too-many-results"] += ranks[topic] == 1501
            continue
        planted["duplicate"] += (topic, doc, place) in seen
        seen.add((topic, doc, place))
        planted["unknown-document"] += doc.startswith("ghost")
        planted["unknown-path"] += "sec[99]" in place and not doc.startswith("ghost")
        elements = documents.elements(doc)
        if place.startswith("/"):
            span = elements.find(place) if elements is not None else None
            planted["empty-result"] += span is not None and span.start == span.end
        else:
            planted["empty-result"] += place.endswith(" 0")
    return +planted


def _rows(file: Path) -> list[tuple[str, str, str]]:
    text = file.read_text(encoding="utf-8")
    if file.suffix != ".xml":
        rows = [line.split() for line in text.splitlines()]
        return [(row[0], row[2], " ".join(row[6:])) for row in rows]
    found = []
    for topic in re.findall(r'<topic topic-id="(\w+)">(.*?)</topic>', text, re.DOTALL):
        for result in re.findall(r"<file>(.*?)</file><path>(.*?)</path>", topic[1]):
            found.append((topic[0], result[0], result[1]))
    return found


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"case {case.name}")
def test_judgements_have_what_is_known(case: Path) -> None:
    collection = open_collection(case / "docs")
    for number, context in enumerate((JudgementContext(collection), JudgementContext())):
        for name in ("qrels2009.txt", "assessments2005"):
            problems = list(check_judgements(case / name, context))
            assert [problem.kind.name for problem in problems] == ["nothing-relevant"]
        found = Counter(problem.kind.name for problem in check_judgements(case / "assessments2004", context))
        assert found == {"nothing-relevant": 1, "incomplete": INCOMPLETE[case.name][number]}


TASK_OF = {"focused": "focused", "ric": "relevant-in-context", "bic": "best-in-context"}


@pytest.mark.parametrize("folder", TASK_OF)
def test_the_official_campaign_is_clean(folder: str) -> None:
    """The official tool refuses runs that break the rules of a task: it took all of these."""
    judgements = read_judgements(OFFICIAL / "qrels.txt")
    files = sorted((OFFICIAL / "runs" / folder).iterdir())
    assert len(files) == 3
    for file in files:
        context = RunContext(TASKS[TASK_OF[folder]], size_of=judgements.size_of)
        assert checked(file, context) == []
    assert list(check_judgements(OFFICIAL / "qrels.txt", JudgementContext())) == []
