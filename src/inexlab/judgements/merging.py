"""Several assessors' judgements of one document made one: chosen by name, or merged by a rule.

A rule is one function in a file of `merges`. It gets what everybody judged of one topic, and gives one
judgement of each document.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from inexlab.collection.paths import WHOLE_DOCUMENT
from inexlab.errors import InputError, UnknownNameError
from inexlab.judgements.assessor import KINDS, Assessor, labels
from inexlab.judgements.rows import take_rows
from inexlab.judgements.table import UNGRADED, Judgements, JudgementsBuilder
from inexlab.registry import Registry
from inexlab.spans import Span
from inexlab.wording import counted

HOW_TO_CHOOSE = "Choose with `assessor=NAME` or `merge=RULE` (`inexlab convert` has both, too)."


@dataclass(frozen=True)
class Vote:
    """What one assessor said of a document: its highlights, best entry point, and grade where one is stated.

    `row` is its row in the judgements. A rule that keeps somebody's judgement returns their vote as it is.
    """

    row: int
    spans: tuple[Span, ...]
    bep: int | None
    grade: int | None


Choose = Callable[[Mapping[Assessor | None, Mapping[str, Vote]]], Mapping[str, Vote]]


@dataclass(frozen=True)
class MergeRule:
    """A named rule; `whole` says that it keeps whole judgements of somebody, and makes no new ones."""

    name: str
    choose: Choose
    doc: str
    whole: bool = False


merge_rules: Registry[MergeRule] = Registry("merge rule", "inexlab.judgements.merges")


def merge_rule(name: str, *, whole: bool = False) -> Callable[[Choose], Choose]:
    """Register the decorated function as a rule; its docstring is its page.

    It gets what each assessor judged of one topic, by assessor and document, and gives a vote for each
    document.
    """

    def register(choose: Choose) -> Choose:
        merge_rules.add(name, MergeRule(name, choose, inspect.cleandoc(choose.__doc__ or ""), whole))
        return choose

    return register


def judged_by_several(judgements: Judgements) -> int:
    """Return how many documents (of a topic) are judged by more than one assessor."""
    if judgements.assessor is None:
        return 0
    key = judgements.topic.astype(np.int64) * max(1, len(judgements.docs)) + judgements.doc
    _, counts = np.unique(key, return_counts=True)
    return int(np.count_nonzero(counts > 1))


def require_one_assessor(judgements: Judgements) -> None:
    """Refuse judgements of which a document has several: no score is defined by them."""
    several = judged_by_several(judgements)
    if several:
        names = ", ".join(labels(judgements.assessors))
        what = f"{counted(several, 'document')} judged by several assessors ({names})"
        raise InputError(what, file=judgements.file or "judgements", fix=HOW_TO_CHOOSE)


def choose_assessors(judgements: Judgements, names: Sequence[str]) -> Judgements:
    """Return what the named assessors judged: by `name`, `name/version`, or kind (`kind=model`)."""
    known = judgements.assessors
    chosen: set[int] = set()
    for name in names:
        kind = name.removeprefix("kind=") if name.startswith("kind=") else ""
        if kind and kind not in KINDS:
            raise UnknownNameError("kind of assessor", kind, KINDS)
        found = [
            i
            for i, (a, label) in enumerate(zip(known, labels(known), strict=True))
            if (a.kind == kind if kind else name in (a.name, str(a), label))
        ]
        if not found:
            if not known:
                what = f"names no assessors, and {name!r} is asked for"
                raise InputError(what, file=judgements.file or "judgements", fix="Leave out `assessor=`.")
            raise UnknownNameError("assessor", name, labels(known))
        chosen.update(found)
    if not names or judgements.assessor is None:
        return judgements
    return take_rows(judgements, np.isin(judgements.assessor, sorted(chosen)))


def merge(judgements: Judgements, rule: str) -> Judgements:
    """Return judgements with one row for each document, merged by a rule; what one assessor judged stays.

    Rules that make new judgements need highlights, or grades of documents: nobody can tell which characters
    of an element two assessors both highlighted from how many each did.
    """
    chosen = merge_rules[rule]
    if not judged_by_several(judgements):
        return judgements
    by_path = judgements.grade is None and (judgements.elements is not None or judgements.passages)
    if by_path and not chosen.whole and not len(judgements.span_start):
        whole = ", ".join(r.name for r in merge_rules.values() if r.whole)
        raise InputError(
            f"has no highlights by offset that {rule} could merge",
            file=judgements.file or "judgements",
            fix=f"Give `collection=DIR` where it has passages, or choose among {whole}.",
        )
    voted = _votes(judgements)
    if chosen.whole:
        kept = np.zeros(len(judgements), dtype=bool)
        for votes in voted.values():
            kept[[vote.row for vote in chosen.choose(votes).values()]] = True
        return take_rows(judgements, kept)
    builder = JudgementsBuilder()
    for topic, votes in voted.items():
        builder.add_topic(topic, judgements.pools.get(topic, ""))
        everybody: dict[str, list[int]] = {}
        for of_one in votes.values():
            for doc, vote in of_one.items():
                everybody.setdefault(doc, []).append(vote.row)
        for doc, vote in chosen.choose(votes).items():
            builder.by(_together(rule, [judgements.assessor_of(row) for row in everybody[doc]]))
            size = int(judgements.size[everybody[doc]].max())
            builder.add(
                topic,
                doc,
                vote.spans,
                size=size if size >= 0 else None,
                bep=vote.bep,
                grade=vote.grade,
            )
            if vote.grade is not None and vote.grade > 0:  # as the reader of TREC qrels has it
                builder.add_passage(topic, doc, WHOLE_DOCUMENT, WHOLE_DOCUMENT)
    merged = builder.build(judgements.file)
    lost = {
        "grades of elements not kept: they follow from merged highlights": judgements.elements is not None,
        "aspects not kept: what is merged has none": judgements.aspects is not None,
    }
    return replace(
        merged,
        warnings=judgements.warnings,
        not_kept=(*judgements.not_kept, *(what for what, there in lost.items() if there)),
    )


def _together(rule: str, assessors: Sequence[Assessor | None]) -> Assessor | None:
    """Return who stands for several assessors; one stands for oneself."""
    if len(assessors) == 1:
        return assessors[0]
    models = all(a is not None and a.kind == "model" for a in assessors)
    names = "+".join(str(a or "unnamed") for a in assessors)
    return Assessor("model" if models else "person", f"{rule}({names})")


def _votes(judgements: Judgements) -> dict[str, dict[Assessor | None, dict[str, Vote]]]:
    """Return by topic, assessor and document what was said; topics and documents in their order."""
    found: dict[str, dict[Assessor | None, dict[str, Vote]]] = {topic: {} for topic in judgements.topics}
    for row, judged in enumerate(judgements):
        stated = UNGRADED if judgements.grade is None else int(judgements.grade[row])
        vote = Vote(row, judged.spans, judged.bep, None if stated == UNGRADED else stated)
        found[judged.topic].setdefault(judged.assessor, {})[judged.doc] = vote
    return found


def one_judgement_each(judgements: Judgements, assessor: Sequence[str] = (), rule: str = "") -> Judgements:
    """Return the judgements of the assessors asked for, merged where a rule is given."""
    if rule:
        merge_rules[rule]
    chosen = choose_assessors(judgements, assessor)
    return merge(chosen, rule) if rule else chosen
