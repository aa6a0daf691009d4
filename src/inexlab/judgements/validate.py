"""Checking judgements: every judged document looked at by every rule, against itself and the collection.

The rules are in `inexlab.judgements.rules`, one function each.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from collections.abc import Collection as Container
from dataclasses import dataclass
from pathlib import Path

from inexlab.collection import Collection, Document
from inexlab.errors import InputError
from inexlab.files import Source, read_source
from inexlab.judgements.read import Selection, read_into, sources_in
from inexlab.judgements.recorder import JudgedDocument, Recorder
from inexlab.problems import Problem, ProblemKind, Severity, unreadable
from inexlab.registry import Registry


@dataclass(frozen=True)
class JudgementContext:
    """What judgements are checked against, as far as it is known; `unit` is what offsets count."""

    collection: Collection | None = None
    unit: str = "char"
    known_topics: Container[str] | None = None

    def document(self, doc: str) -> Document | None:
        """Return a document's text and elements, where the collection has it."""
        return self._document(doc)

    @functools.cached_property
    def _document(self) -> Callable[[str], Document | None]:
        collection = self.collection

        @functools.lru_cache(maxsize=64)
        def parsed(doc: str) -> Document | None:
            return collection[doc] if collection is not None and doc in collection else None

        return parsed


Found = Iterator[tuple[int, str]]
DocumentRule = Callable[[JudgedDocument, JudgementContext], Found]
WholeRule = Callable[[Recorder, JudgementContext], Iterator[tuple[str, int | None, str]]]


@dataclass(frozen=True)
class JudgementRule:
    """A rule for judgements: about one judged document (line and message), or about all of them together."""

    kind: ProblemKind
    document: DocumentRule | None = None
    whole: WholeRule | None = None


judgement_rules: Registry[JudgementRule] = Registry("rule for judgements", "inexlab.judgements.rules")


def document_rule(
    name: str, severity: Severity, meaning: str, remedy: str
) -> Callable[[DocumentRule], DocumentRule]:
    """Register a rule that looks at every judged document."""

    def register(rule: DocumentRule) -> DocumentRule:
        judgement_rules.add(name, JudgementRule(ProblemKind(name, severity, meaning, remedy), document=rule))
        return rule

    return register


def whole_rule(name: str, severity: Severity, meaning: str, remedy: str) -> Callable[[WholeRule], WholeRule]:
    """Register a rule that looks at all judgements together, and names the file and the line itself."""

    def register(rule: WholeRule) -> WholeRule:
        judgement_rules.add(name, JudgementRule(ProblemKind(name, severity, meaning, remedy), whole=rule))
        return rule

    return register


def check_judgements(
    judgements: str | Path | Source, context: JudgementContext, selection: Selection | None = None
) -> Iterator[Problem]:
    """Yield what is wrong with the judgements in a file, or in all files of a folder taken together."""
    recorder = Recorder()
    for file in sources_in(judgements):
        recorder.file = file.name if isinstance(file, Source) else str(file)
        try:
            source = file if isinstance(file, Source) else read_source(file)
            read_into(recorder, source, selection or Selection())
        except InputError as error:
            recorder.refuse(error)
    yield from recorder.refused
    if not recorder.topics and not recorder.refused:
        what = InputError("holds no judgements", file=recorder.file, fix="Check the file, and the pools.")
        yield unreadable(what)
    rules = judgement_rules.values()
    for judged in recorder.documents:
        in_characters(judged, context)
        for rule in rules:
            if rule.document is not None:
                for line, message in rule.document(judged, context):
                    what_is = f"topic {judged.topic}, document {judged.doc}: {message}"
                    yield Problem(judged.file, line, rule.kind, what_is)
    for rule in rules:
        if rule.whole is not None:
            yield from (Problem(name, line, rule.kind, m) for name, line, m in rule.whole(recorder, context))


def in_characters(judged: JudgedDocument, context: JudgementContext) -> None:
    """Turn the offsets of a judged document into code points, where they count something else."""
    document = context.document(judged.doc) if context.unit != "char" else None
    if document is None:
        return
    convert = document.code_points_from(context.unit)
    before = sum(end - start for start, end in judged.spans)
    judged.spans = [(convert(start), convert(end)) for start, end in judged.spans]
    judged.size = None if judged.size is None else convert(judged.size)
    judged.bep = None if judged.bep is None else convert(judged.bep)
    if judged.stated is not None:
        judged.stated += sum(end - start for start, end in judged.spans) - before
