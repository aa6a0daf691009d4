"""Grades of elements of 2002-2006, against one another: the rules that assessors had to keep.

An element is no less exhaustive than what it contains; in 2003 and 2004 a relevant element's parent, children
and siblings had to be judged as well (Ogilvie and Lalmas 2006, section 2.4); in 2005 an element is graded if
and only if it meets a highlight.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from inexlab.judgements.elements import COVERAGE, TOO_SMALL
from inexlab.judgements.recorder import Assessed, JudgedDocument
from inexlab.judgements.validate import Found, JudgementContext, document_rule

# "Hundreds of words" were marked too small in 2005 (Ogilvie and Lalmas 2006, section 4.2.1): 200 of six
# characters each.
_LARGE = 1200
_MOST_SIBLINGS = 1000  # looked for without a collection, where a number may be a slip


def _by_path(judged: JudgedDocument) -> dict[str, Assessed]:
    found: dict[str, Assessed] = {}
    for assessed in judged.elements:
        found.setdefault(assessed.grade.path, assessed)
    return found


def _above(path: str) -> Iterator[str]:
    while path := path.rpartition("/")[0]:
        yield path


def _degree(exhaustivity: int) -> float:
    """The order of exhaustivity: 0, too small, 1, 2, 3."""
    return 0.5 if exhaustivity == TOO_SMALL else exhaustivity


def _nested(judged: JudgedDocument) -> Iterator[tuple[Assessed, Assessed]]:
    """Yield every assessed element with the nearest assessed one above it."""
    elements = _by_path(judged)
    for path, assessed in elements.items():
        outer = next((elements[above] for above in _above(path) if above in elements), None)
        if outer is not None:
            yield assessed, outer


@document_rule("assessed-twice", "error", "an element is assessed twice", "Keep one of the assessments.")
def assessed_twice(judged: JudgedDocument, _context: JudgementContext) -> Found:
    """The same path again."""
    first = _by_path(judged)
    for assessed in judged.elements:
        if first[assessed.grade.path] is not assessed:
            yield assessed.line, f"{assessed.grade.path} was assessed before"


@document_rule(
    "grade-falls",
    "error",
    "an element is less exhaustive than one inside it",
    "Raise the outer element to the most exhaustive one inside it.",
)
def grade_falls(judged: JudgedDocument, _context: JudgementContext) -> Found:
    """Exhaustivity that decreases going up; of 2002 no such rule is known."""
    if judged.scale == "2002":
        return
    for inner, outer in _nested(judged):
        if _degree(outer.grade.exhaustivity) < _degree(inner.grade.exhaustivity):
            e, less = _grade(inner.grade.exhaustivity), _grade(outer.grade.exhaustivity)
            message = f"{outer.grade.path} has exhaustivity {less}, {inner.grade.path} inside it {e}"
            yield outer.line, message


def _grade(exhaustivity: int) -> str:
    return "?" if exhaustivity == TOO_SMALL else str(exhaustivity)


@document_rule(
    "missing-ancestor",
    "error",
    "an element is relevant and one above it is not assessed (2005-2006)",
    "Add the element above, with its own size and rsize.",
)
def missing_ancestor(judged: JudgedDocument, _context: JudgementContext) -> Found:
    """Relevance that does not reach the root."""
    if judged.scale != "2005":
        return
    elements = _by_path(judged)
    missing: set[str] = set()
    for path, assessed in elements.items():
        if assessed.grade.exhaustivity:
            for above in _above(path):
                if above not in elements and above not in missing:
                    missing.add(above)
                    yield assessed.line, f"{above} is not assessed, {path} inside it is relevant"


@document_rule(
    "incomplete",
    "error",
    "an element is relevant, and its parent, a child or a sibling is not judged (2003-2004)",
    "Judge it, if only as (0, 0).",
)
def incomplete(judged: JudgedDocument, context: JudgementContext) -> Found:
    """What had to be judged and was not; without a collection, what the numbers of siblings give away."""
    if judged.scale != "2004":
        return
    elements = _by_path(judged)
    children = _children(judged, context)
    missing: set[str] = set()
    for path, assessed in elements.items():
        if not assessed.grade.exhaustivity:
            continue
        parent = path.rpartition("/")[0]
        family = {
            "parent": [parent] if parent else [],
            "child": children(path),
            "sibling": children(parent) if parent else [],
        }
        for role, paths in family.items():
            for wanted in paths:
                if wanted not in elements and wanted not in missing:
                    missing.add(wanted)
                    yield assessed.line, f"{wanted} is not judged, though {role} of {path}, which is relevant"


class _children:  # noqa: N801 - used as a function
    """The children of an element: as the collection has them, else as far as assessed paths tell."""

    def __init__(self, judged: JudgedDocument, context: JudgementContext) -> None:
        self.document = context.document(judged.doc)
        self.known: dict[str, dict[str, int]] = {}
        for assessed in judged.elements:
            for path in (assessed.grade.path, *_above(assessed.grade.path)):
                parent, _, step = path.rpartition("/")
                found = re.fullmatch(r"(.*)\[(\d+)\]", step)
                if found is not None:
                    tags = self.known.setdefault(parent, {})
                    tags[found[1]] = max(tags.get(found[1], 0), min(int(found[2]), _MOST_SIBLINGS))

    def __call__(self, parent: str) -> list[str]:
        if self.document is not None:
            elements = self.document.elements
            number = elements.number_of(parent)
            return [elements.path(child) for child in elements.children(number)] if number is not None else []
        tags = self.known.get(parent, {})
        return [f"{parent}/{tag}[{n}]" for tag, last in tags.items() for n in range(1, last + 1)]


@document_rule(
    "specificity-range",
    "remark",
    "an element without text of its own is more, or less, specific than all its children (2003-2004)",
    "Look at the element again.",
)
def specificity_range(judged: JudgedDocument, context: JudgementContext) -> Found:
    """A specificity outside the range of the children's, where all of them are judged."""
    document = context.document(judged.doc) if judged.scale == "2004" else None
    if document is None:
        return
    elements, by_path = document.elements, _by_path(judged)
    for path, assessed in by_path.items():
        number = elements.number_of(path)
        children = elements.children(number) if number is not None else []
        paths = [elements.path(child) for child in children]
        if number is None or not children or any(child not in by_path for child in paths):
            continue
        inside = sum(int(elements.end[c] - elements.start[c]) for c in children)
        grades = [by_path[child].grade.specificity for child in paths]
        own = int(elements.end[number] - elements.start[number]) - inside
        s = assessed.grade.specificity
        if not own and not min(grades) <= s <= max(grades):
            yield assessed.line, f"{path} has specificity {s}, its children {min(grades)} to {max(grades)}"


@document_rule(
    "grade-mismatch",
    "error",
    "a grade without relevant text, or relevant text without a grade",
    "Grade an element if and only if it has relevant text (2002: coverage N means relevance 0).",
)
def grade_mismatch(judged: JudgedDocument, _context: JudgementContext) -> Found:
    """Relevant text with exhaustivity 0, coverage with relevance 0 (2002), or the reverse."""
    for line, grade in judged.elements:
        if judged.scale == "2005" and (grade.exhaustivity == 0) != (grade.rsize == 0):
            e = _grade(grade.exhaustivity)
            yield line, f"{grade.path} has exhaustivity {e} and {grade.rsize:,} relevant characters"
        if judged.scale == "2002" and (grade.exhaustivity == 0) != (COVERAGE[grade.specificity] == "N"):
            letter = COVERAGE[grade.specificity]
            yield line, f"{grade.path} has topical relevance {grade.exhaustivity} and coverage {letter}"


@document_rule(
    "more-relevant-than-text",
    "error",
    "rsize is larger than size; inexlab takes the element as wholly relevant",
    "Correct one of them.",
)
def more_relevant(judged: JudgedDocument, _context: JudgementContext) -> Found:
    """More relevant text than text."""
    for line, grade in judged.elements:
        if grade.rsize > grade.size:
            yield line, f"{grade.path} has rsize {grade.rsize:,} and size {grade.size:,}"


@document_rule(
    "larger-than-parent",
    "error",
    "an element has more text, or more relevant text, than one that contains it",
    "Correct the sizes.",
)
def larger_than_parent(judged: JudgedDocument, _context: JudgementContext) -> Found:
    """Sizes that do not nest."""
    for inner, outer in _nested(judged):
        for name in ("size", "rsize"):
            a, b = getattr(inner.grade, name), getattr(outer.grade, name)
            if a > b:
                yield inner.line, f"{inner.grade.path} has {name} {a:,}, {outer.grade.path} around it {b:,}"


@document_rule(
    "large-too-small",
    "remark",
    f"an element of {_LARGE:,} characters or more is marked as too small (?)",
    "Grade it 1 or 2; or score with genLifted, which counts elements marked as too small.",
)
def large_too_small(judged: JudgedDocument, _context: JudgementContext) -> Found:
    """A question mark on hundreds of words."""
    for line, grade in judged.elements:
        if grade.exhaustivity == TOO_SMALL and grade.size >= _LARGE:
            yield line, f"{grade.path} has {grade.size:,} characters and is marked as too small"
