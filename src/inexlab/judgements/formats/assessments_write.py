"""Assessments out: one XML file for each topic, in the terms of 2002, 2003-2004, 2005 or 2006.

A topic that several assessed has a file for each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from urllib.parse import quote
from xml.sax.saxutils import quoteattr

from inexlab.collection import Collection
from inexlab.judgements.assessor import Assessor
from inexlab.judgements.convert import as_elements, as_grades, as_passages
from inexlab.judgements.elements import COVERAGE, TOO_SMALL, GradedElements
from inexlab.judgements.table import Judgements, Passage
from inexlab.judgements.write import ConvertedJudgements, JudgementWriter, judgement_writers
from inexlab.xml_parser import fit_for_xml

ElementLine = Callable[[GradedElements, int, str], str]


def _of_2002(elements: GradedElements, e: int, path: str) -> str:
    coverage = COVERAGE[elements.specificity[e]]
    return f'<path path={path} topicalrelevance="{elements.exhaustivity[e]}" coverage="{coverage}"/>\n'


def _of_2004(elements: GradedElements, e: int, path: str) -> str:
    grades = f'exhaustiveness="{elements.exhaustivity[e]}" specificity="{elements.specificity[e]}"'
    return f"<path {grades} path={path}/>\n"


def _of_2005(elements: GradedElements, e: int, path: str) -> str:
    exhaustivity = "?" if elements.exhaustivity[e] == TOO_SMALL else elements.exhaustivity[e]
    return (
        f'<element path={path} exhaustivity="{exhaustivity}" '
        f'size="{elements.size[e]}" rsize="{elements.rsize[e]}"/>\n'
    )


def _passage(passage: Passage) -> str:
    if passage.end is None:
        return f"<best-entry-point path={quoteattr(passage.start)}/>\n"
    size = "" if passage.size is None else f' size="{passage.size}"'
    return f"<passage start={quoteattr(passage.start)} end={quoteattr(passage.end)}{size}/>\n"


def _topics(
    judgements: Judgements, attributes: Sequence[str], file_attribute: str, line: ElementLine
) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Give the files of all topics by name; `attributes` of <assessments> are `pool`, and the topic's."""
    where = judgements.file or "judgements"
    docs = [quoteattr(doc) for doc in fit_for_xml("document", judgements.docs, where)]
    names = judgements.elements.paths if judgements.elements is not None else ()
    paths = [quoteattr(path) for path in fit_for_xml("path", names, where)]
    passages: dict[int, list[Passage]] = {}
    for passage in sorted(judgements.passages, key=lambda passage: passage.end is not None):
        fit_for_xml("path", [passage.start, passage.end or passage.start], where)
        passages.setdefault(passage.row, []).append(passage)

    def content(rows: Sequence[int], topic: str, assessor: Assessor | None) -> Iterator[bytes]:
        given = {name: judgements.pools.get(topic, "") if name == "pool" else topic for name in attributes}
        given |= _who(assessor, given)
        shown = "".join(f" {name}={quoteattr(value)}" for name, value in given.items())
        yield f'<?xml version="1.0" encoding="UTF-8"?>\n<assessments{shown}>\n'.encode()
        for row in rows:
            lines = [_passage(passage) for passage in passages.get(row, ())]
            if (elements := judgements.elements) is not None:
                mine = range(*map(int, elements.elements_from[row : row + 2]))
                lines += [line(elements, e, paths[elements.path[e]]) for e in mine]
            file = f"<file {file_attribute}={docs[int(judgements.doc[row])]}"
            yield f"{file}>\n{''.join(lines)}</file>\n".encode() if lines else f"{file}/>\n".encode()
        yield b"</assessments>\n"

    fit_for_xml("assessor", [text for assessor in judgements.assessors for text in assessor if text], where)
    for number, topic in enumerate(fit_for_xml("topic", judgements.topics, where)):
        by: dict[Assessor | None, list[int]] = {}
        for row in range(*map(int, judgements.rows_from[number : number + 2])):
            by.setdefault(judgements.assessor_of(row), []).append(row)
        for assessor, rows in by.items() or [(None, [])]:
            name = topic if len(by) < 2 else f"{topic}-{assessor or 'unnamed'}"
            yield f"topic-{quote(name, safe='')}.xml", content(rows, topic, assessor)


def _who(assessor: Assessor | None, given: Mapping[str, str]) -> dict[str, str]:
    """Return the attributes that say who judged; one who is known by a pool is named by it."""
    if assessor is None:
        return {}
    if assessor.name.startswith("pool-") and "pool" in given:
        return {"pool": assessor.name.removeprefix("pool-")}
    named = {"assessor": assessor.name, "assessor-version": assessor.version}
    named["assessor-kind"] = assessor.kind if assessor.kind != "person" else ""
    return {name: value for name, value in named.items() if value}


def _add(
    year: str,
    years: str,
    carries: str,
    convert: Callable[[Judgements, Collection | None], ConvertedJudgements],
    attributes: Sequence[str],
    file_attribute: str,
    line: ElementLine,
) -> None:
    judgement_writers.add(
        f"assessments-{year}",
        JudgementWriter(
            name=f"assessments-{year}",
            years=years,
            carries=f"XML folder: {carries}",
            convert=convert,
            write_topics=partial(_topics, attributes=attributes, file_attribute=file_attribute, line=line),
            read_by="assessments",
            assessors=True,
        ),
    )


_LETTERS, _GRADES = "elements with relevance and coverage", "elements with grades of two dimensions, 0-3"
_SIZES, _BOTH = "elements with exhaustivity and sizes", "as 2005, and highlights and entry points by paths"
# before 2005 readers took the first number (2004: the second) of <assessments> for the topic
_add("2002", "2002", _LETTERS, as_grades("2002"), ["topic", "pool"], "file", _of_2002)
_add("2004", "2003–2004", _GRADES, as_grades("2004"), ["pool", "query"], "file", _of_2004)
_add("2005", "2005", _SIZES, as_elements, ["pool", "topic"], "name", _of_2005)
_add("2006", "2006", _BOTH, as_passages, ["pool", "topic"], "name", _of_2005)
