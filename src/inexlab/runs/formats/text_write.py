"""Text runs out: the layouts that `text` reads, each a format of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from inexlab.collection import Collection
from inexlab.runs.convert import ConvertedRun, as_documents, as_paths, as_points, as_spans, ranks_of
from inexlab.runs.table import NO_SPAN, Run
from inexlab.runs.write import RunWriter, run_writers
from inexlab.text_columns import fit_for_columns

_AT_A_TIME = 1 << 16

Places = Callable[[Run, slice], Iterator[str]]


def _rows(run: Run, places: Places) -> Iterator[bytes]:
    """Write the first six columns of every result, then its place (with the space before it)."""
    file = run.file or run.id
    id = fit_for_columns("run id", [run.id], file, fix="Give another with `run_id=`.")[0]
    topics = fit_for_columns("topic", run.topics, file, leading=True)
    docs = fit_for_columns("document", run.docs, file)
    ranks = ranks_of(run)
    for first in range(0, len(run), _AT_A_TIME):
        part = slice(first, first + _AT_A_TIME)
        columns = (run.topic, run.doc, ranks, run.score)
        rows = zip(*(column[part].tolist() for column in columns), places(run, part), strict=True)
        lines = [
            f"{topics[topic]} Q0 {docs[doc]} {rank} {score!r} {id}{place}\n"
            for topic, doc, rank, score, place in rows
        ]
        yield "".join(lines).encode()


def _write_paths(run: Run) -> Iterator[bytes]:
    paths = [f" {path}" for path in fit_for_columns("path", run.paths, run.file or run.id)]
    paths.append(" X")  # for -1, a result without a path
    return _rows(run, lambda run, part: (paths[code] for code in run.path[part].tolist()))


def _write_spans(run: Run) -> Iterator[bytes]:
    def places(run: Run, part: slice) -> Iterator[str]:
        for start, end in zip(run.start[part].tolist(), run.end[part].tolist(), strict=True):
            yield f" {start} {end - start}" if start != NO_SPAN else " X 0"

    return _rows(run, places)


def _write_points(run: Run) -> Iterator[bytes]:
    return _rows(run, lambda run, part: (f" {s}" if s != NO_SPAN else " X" for s in run.start[part].tolist()))


def _write_documents(run: Run) -> Iterator[bytes]:
    return _rows(run, lambda run, part: ("" for _ in run.topic[part]))


def _writer(
    name: str,
    years: str,
    carries: str,
    convert: Callable[[Run, Collection | None], ConvertedRun],
    write: Callable[[Run], Iterator[bytes]],
    **more: Any,
) -> RunWriter:
    about = f"topic Q0 doc rank score run-id{carries}"
    return RunWriter(
        name, years, about, convert, write, read_by="text", missing_scores="written from ranks", **more
    )


run_writers.add(
    "2009", _writer("2009", "2009–2010", " xpath: elements", as_paths, _write_paths, notation="paths")
)
run_writers.add(
    "2009-fol",
    _writer(
        "2009-fol",
        "2009–2010",
        " offset length: passages",
        as_spans,
        _write_spans,
        notation="characters",
    ),
)
run_writers.add(
    "2009-bep",
    _writer(
        "2009-bep",
        "2009–2010",
        " offset: entry points",
        as_points,
        _write_points,
        notation="characters",
        entry_points=True,
    ),
)
run_writers.add(
    "trec", _writer("trec", "", ": whole documents", as_documents, _write_documents, ranked_by="score")
)
