"""Titles of 2002, which marked up what later years wrote in a query language.

    <title><te>article/bm</te><cw>QBIC</cw><ce>bibl</ce><cw>image retrieval</cw></title>

asks for elements on the path `te` (several, separated by commas: any of them). The words of a `cw` are about
the elements `ce` behind it, in any article that holds the target; without one, about the target itself. What
that means in NEXI is written here as one:

    //article[about(.//bibl, QBIC)]//bm[about(., image retrieval)]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_ROOT = "article"  # of every document of 2002
_NAME = re.compile(r"[\w.-]+|\*")
_NO_WORD = re.compile(r"[^\w\"'+\-\s]")


def structured_title(parts: Sequence[tuple[str, str]]) -> str:
    """Return the query in NEXI for the parts of a title (`te`, `cw` or `ce`, and the text) in their order.

    It is empty if there is no target and no context, and where a target cannot be written in NEXI:
    several paths that are the same but for their last step can, others cannot; nor can a context of a target
    that may be the article itself.

    >>> structured_title([("te", "article/bm"), ("cw", "QBIC"), ("ce", "bibl"), ("cw", "image retrieval")])
    '//article[about(.//bibl, QBIC)]//bm[about(., image retrieval)]'
    """
    targets = [path for name, text in parts if name == "te" for path in _paths(text)]
    clauses = _clauses(parts)
    if not targets and not any(context for _, context in clauses):
        return ""
    steps = _joined(targets) if targets else [_ROOT, "*"]
    if steps is None:
        return ""
    around, inside = [], []
    for words, context in clauses:
        if context and context != targets:
            around.append(_about(context, words))
        else:
            inside.append(f"about(., {words})")
    if [_ROOT] in targets and len(targets) > 1:  # the article or something in it: no step is around both
        return "" if around else f"//{steps[0]}{_predicate(inside)}"
    if steps[0] != _ROOT:
        steps = [_ROOT, *steps]
    if len(steps) == 1:
        return f"//{_ROOT}{_predicate([*around, *inside])}"
    return f"//{_ROOT}{_predicate(around)}//{'//'.join(steps[1:])}{_predicate(inside)}"


def _clauses(parts: Sequence[tuple[str, str]]) -> list[tuple[str, list[list[str]]]]:
    """Return the words of every clause with the paths that they are about."""
    found: list[tuple[str, list[list[str]]]] = []
    for name, text in parts:
        if name == "cw" and (words := " ".join(_NO_WORD.sub(" ", text).split())):
            found.append((words, []))
        elif name == "ce" and found:
            found[-1][1].extend(_paths(text))
    return found


def _paths(text: str) -> Iterable[list[str]]:
    """Yield the paths of a list, each as its steps."""
    for path in text.split(","):
        if steps := _NAME.findall(path):
            yield steps


def _joined(paths: Sequence[list[str]]) -> list[str] | None:
    """Return paths that differ in their last step as one path; None if they differ elsewhere."""
    if len({tuple(path[:-1]) for path in paths}) > 1:
        return None
    names = list(dict.fromkeys(path[-1] for path in paths))
    return [*paths[0][:-1], names[0] if len(names) == 1 else f"({'|'.join(names)})"]


def _about(context: Sequence[list[str]], words: str) -> str:
    """Return a clause about any of some paths, which begin in the article."""
    inner = [path[1:] if path[0] == _ROOT else path for path in context]
    joined = _joined(inner) if all(inner) else None
    choices = [joined] if joined is not None else inner
    abouts = [f"about(.{''.join(f'//{step}' for step in steps)}, {words})" for steps in choices]
    return abouts[0] if len(abouts) == 1 else f"({' or '.join(abouts)})"


def _predicate(clauses: Sequence[str]) -> str:
    return f"[{' and '.join(clauses)}]" if clauses else ""
