"""Assessments out: one file per topic, in the form of the year whose scale the grades have."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote
from xml.sax.saxutils import quoteattr

from inexlab.judgements.elements import COVERAGE, TOO_SMALL, GradedElements
from inexlab.judgements.table import Judgements


def write_assessments(judgements: Judgements, folder: Path) -> list[Path]:
    """Write the judged documents, assessed elements and passages of each topic to `folder/TOPIC.xml`."""
    files = []
    for code, topic in enumerate(judgements.topics):
        rows = range(int(judgements.rows_from[code]), int(judgements.rows_from[code + 1]))
        lines = (line for row in rows for line in _file(judgements, row))
        text = "\n".join([f"<assessments topic={quoteattr(topic)}>", *lines, "</assessments>", ""])
        files.append(folder / f"{quote(topic, safe=' ')}.xml")
        files[-1].write_text(f'<?xml version="1.0" encoding="UTF-8"?>\n{text}', encoding="utf-8")
    return files


def _file(judgements: Judgements, row: int) -> Iterator[str]:
    name = quoteattr(judgements.docs[int(judgements.doc[row])])
    attribute = "name" if judgements.elements is None or judgements.elements.scale == "2005" else "file"
    yield f"<file {attribute}={name}>"
    for at, start, end, _size in judgements.passages:
        if at == row and end is None:
            yield f"<best-entry-point path={quoteattr(start)}/>"
        elif at == row and end is not None:
            yield f"<passage start={quoteattr(start)} end={quoteattr(end)}/>"
    if judgements.elements is not None:
        first, last = judgements.elements.elements_from[row : row + 2].tolist()
        for e in range(first, last):
            yield _element(judgements.elements, e)
    yield "</file>"


def _element(elements: GradedElements, e: int) -> str:
    path = quoteattr(elements.paths[int(elements.path[e])])
    grade, second = int(elements.exhaustivity[e]), int(elements.specificity[e])
    if elements.scale == "2002":
        return f'<path path={path} topicalrelevance="{grade}" coverage="{COVERAGE[second]}"/>'
    if elements.scale == "2004":
        return f'<path path={path} exhaustiveness="{grade}" specificity="{second}"/>'
    shown = "?" if grade == TOO_SMALL else grade
    size, rsize = int(elements.size[e]), int(elements.rsize[e])
    return f'<element path={path} exhaustivity="{shown}" size="{size}" rsize="{rsize}"/>'
