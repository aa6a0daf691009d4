"""XML runs out: the submissions of 2005, elements only, and of 2006-2008, with passages as well."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from inexlab.collection import Collection
from inexlab.runs.convert import ConvertedRun, as_elements, one_notation, ranks_of, without_lost
from inexlab.runs.formats.xml import ABOUT
from inexlab.runs.table import Run
from inexlab.runs.write import RunWriter, run_writers
from inexlab.xml_parser import fit_for_xml

_AT_A_TIME = 1 << 14
_OF_2005 = ("participant", "task", "query", "submission_type", "topic_part")


def _write_2005(run: Run) -> Iterator[bytes]:
    return _submission(run, _OF_2005, "")


def _write_2008(run: Run) -> Iterator[bytes]:
    return _submission(run, (*_OF_2005, "result_type"), run.about.get("result_type", "") or _result_type(run))


def _result_type(run: Run) -> str:
    if (run.until >= 0).any():
        return "passage"
    return "fol" if (run.path < 0).any() else "element"


def _submission(run: Run, known: Sequence[str], result_type: str) -> Iterator[bytes]:
    file = run.file or run.id
    id = fit_for_xml("run id", [run.id], file)[0]
    topics = fit_for_xml("topic", run.topics, file)
    docs, paths = (
        [escape(name) for name in fit_for_xml(kind, names, file)]
        for kind, names in (("document", run.docs), ("path", run.paths))
    )
    attributes = {**run.about, "result_type": result_type}
    given = {theirs: attributes.get(ours, "") for theirs, ours in ABOUT.items() if ours in known}
    fit_for_xml("the description of the run, such as", filter(None, given.values()), file)
    given = {"participant-id": given.pop("participant-id"), "run-id": id, **given}
    yield b'<?xml version="1.0" encoding="UTF-8"?>\n<inex-submission'
    yield "".join(f" {name}={quoteattr(value)}" for name, value in given.items() if value).encode()
    yield f">\n{_description(run)}".encode()
    ranks = ranks_of(run)
    order = np.argsort(run.topic, kind="stable")
    for rows in filter(len, np.split(order, np.flatnonzero(np.diff(run.topic[order])) + 1)):
        yield f"<topic topic-id={quoteattr(topics[int(run.topic[rows[0]])])}>\n".encode()
        for first in range(0, len(rows), _AT_A_TIME):
            yield "".join(_results(run, rows[first : first + _AT_A_TIME], docs, paths, ranks)).encode()
        yield b"</topic>\n"
    yield b"</inex-submission>\n"


def _description(run: Run) -> str:
    about = run.about
    lines = []
    if fields := [pair.partition("=") for pair in about.get("topic_fields", "").split()]:
        lines.append(f"<topic-fields {' '.join(f'{name}={quoteattr(value)}' for name, _, value in fields)}/>")
    if about.get("description"):
        fit_for_xml("the description", [" ".join(about["description"].split())], run.file or run.id)
        lines.append(f"<description>{escape(about['description'])}</description>")
    if names := about.get("collections", "").split():
        inner = "".join(f"<collection>{escape(name)}</collection>" for name in names)
        lines.append(f"<collections>{inner}</collections>")
    return "".join(f"{line}\n" for line in lines)


def _results(
    run: Run, rows: np.ndarray, docs: Sequence[str], paths: Sequence[str], ranks: np.ndarray
) -> Iterator[str]:
    columns = (run.doc, run.path, run.until, run.start, run.end, ranks, run.score)
    for doc, path, until, start, end, rank, score in zip(*(c[rows].tolist() for c in columns), strict=True):
        if path < 0:
            place = f'<fol offset="{start}" length="{end - start}"/>'
        elif until < 0:
            place = f"<path>{paths[path]}</path>"
        else:
            place = f'<passage start="{_quoted(paths[path])}" end="{_quoted(paths[until])}"/>'
        rsv = "" if score != score else f"<rsv>{score!r}</rsv>"
        yield f"<result><file>{docs[doc]}</file>{place}<rank>{rank}</rank>{rsv}</result>\n"


def _quoted(escaped: str) -> str:
    return escaped.replace('"', "&quot;")


def _elements(run: Run, collection: Collection | None) -> ConvertedRun:
    return without_lost(as_elements(run, collection))


def _write_unchanged(run: Run, collection: Collection | None) -> ConvertedRun:
    return without_lost(one_notation(run, collection))


_DESCRIBED = (*_OF_2005, "topic_fields", "description", "collections")
_WANTED = ("participant", "task", "query")
run_writers.add(
    "2005",
    RunWriter(
        name="2005",
        years="2005",
        carries="XML submission: elements by XPath; scores, participant, task, description",
        convert=_elements,
        write=_write_2005,
        read_by="xml",
        keeps=_DESCRIBED,
        wants=_WANTED,
        missing_scores="read from ranks",
        notation="paths",
    ),
)
run_writers.add(
    "2008",
    RunWriter(
        name="2008",
        years="2006–2008",
        carries="XML submission: elements, passages between two paths, offset and length, as given; as 2005",
        convert=_write_unchanged,
        write=_write_2008,
        read_by="xml",
        keeps=_DESCRIBED,
        wants=_WANTED,
        missing_scores="read from ranks",
        notation="paths",
    ),
)
