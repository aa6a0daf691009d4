"""Strict runs: a vague run without the results whose structure does not conform.

Trotman and Lalmas (2005) §6.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt

from inexlab.collection import Collection
from inexlab.errors import InputError
from inexlab.files import read_source
from inexlab.output import write_file
from inexlab.runs.table import NO_SPAN, Run, take
from inexlab.runs.write import run_writers
from inexlab.tables import Ints
from inexlab.topics.patterns import PathPattern
from inexlab.wording import counted


def conforming(
    run: Run, targets: Mapping[str, PathPattern | None], collection: Collection | None
) -> npt.NDArray[np.bool_]:
    """Return which results are elements that conform to the target of their topic.

    Topics with the target None ask for no structure and keep all their results, topics without an entry
    keep none. Results given by their place in the text need the collection: they conform where an element
    that does has exactly that text.
    """
    if collection is None and any(target is not None for target in targets.values()):
        bare = np.flatnonzero(_needs_text(run))
        if len(bare):
            raise InputError(
                f"{counted(len(bare), 'result')} without the path of an element",
                file=run.file or run.id,
                fix="Give `collection=DIR` to find the elements they are.",
            )
    keep = np.zeros(len(run), dtype=bool)
    for topic, name in enumerate(run.topics):
        rows = np.flatnonzero(run.topic == topic)
        target = targets.get(name)
        if target is None:
            keep[rows] = name in targets
            continue
        fits = np.array([target.matches(path) for path in run.paths], dtype=bool)
        given = rows[(run.path[rows] >= 0) & (run.until[rows] < 0)]
        keep[given] = fits[run.path[given]]
        for row in rows[_needs_text(run)[rows]] if collection is not None else ():
            keep[row] = _is_conforming_text(run, int(row), target, collection)
    return keep


def _needs_text(run: Run) -> npt.NDArray[np.bool_]:
    """Which results are given by offsets alone, or are whole documents."""
    whole = run.paths.codes.get("/", -2)
    bare: npt.NDArray[np.bool_] = ((run.path < 0) & (run.start != NO_SPAN)) | (run.path == whole)
    return bare


def _is_conforming_text(run: Run, row: int, target: PathPattern, collection: Collection | None) -> bool:
    elements = collection.elements(run.docs[int(run.doc[row])]) if collection is not None else None
    if elements is None:
        return False
    if run.path[row] >= 0:
        return target.matches(elements.path(0))
    same = (elements.start == run.start[row]) & (elements.end == run.end[row])
    return any(target.matches(elements.path(number)) for number in np.flatnonzero(same).tolist())


def write_rows(run: Run, keep: Ints, source: str, path: Path) -> None:
    """Write some rows of a run that was read from `source`: its own lines or, if XML, as in 2008."""
    given = read_source(source)
    if given.is_xml:
        write_file(path, run_writers["2008"].write(take(run, keep)))
        return
    rows = [line.strip() for line in given.data.split(b"\n")]
    rows = [line for line in rows if line and not line.startswith(b"#")]
    if len(rows) != len(run):
        fix = "Only text, JSON Lines and XML can be filtered."
        raise given.problem("does not have one result per line", fix=fix)
    lines = keep if run.place is None else np.sort(run.place[keep])
    write_file(path, (rows[i] + b"\n" for i in lines.tolist()))
