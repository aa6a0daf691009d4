"""Writing a run: bring its results into the notation of the format, say what is lost, and write the file.

A format to write is more definite than one to read: one reader understands every text layout, a writer
makes one of them. `inexlab formats` lists both.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from inexlab.collection import Collection, open_collection
from inexlab.errors import InputError
from inexlab.files import file_stem
from inexlab.output import write_file
from inexlab.registry import Registry
from inexlab.runs.convert import ConvertedRun, ranks_of
from inexlab.runs.order import keeps_order, order_notes
from inexlab.runs.table import FROM_RANKS, Run

# Where some results have no score: each is left out alone; the format has a column that cannot be empty, so
# all scores are written from ranks; readers of the format take the ranks of all.
MissingScores = Literal["left out", "written from ranks", "read from ranks"]


@dataclass(frozen=True)
class RunWriter:
    """A format of runs to write.

    `convert` brings results into its notation and says what that costs, `write` gives the file in pieces.
    `carries` is its line in the list of formats, `read_by` the reader that understands it, `keeps` what
    it keeps of the run's `about`, `wants` what of that its readers expect, `ranked_by` what they rank by.
    `notation` is how it says where a result is, by its path or by characters (`both`: as the run has it); one
    of `entry_points` has places without a length.
    """

    name: str
    years: str
    carries: str
    convert: Callable[[Run, Collection | None], ConvertedRun]
    write: Callable[[Run], Iterator[bytes]]
    read_by: str = ""
    keeps: tuple[str, ...] = ()
    wants: tuple[str, ...] = ()
    keeps_id: bool = True
    missing_scores: MissingScores = "left out"
    ranked_by: Literal["file", "score"] = "file"
    notation: Literal["paths", "characters", "both"] = "both"
    entry_points: bool = False


run_writers: Registry[RunWriter] = Registry("run format", "inexlab.runs.formats")

_NOT_LOST = ("columns", "result_type", "scores")  # facts about the file rather than the run


def write_run(
    run: Run, path: str | Path, format: str, *, collection: Collection | str | Path | None = None
) -> tuple[str, ...]:
    """Write a run in a format such as 2005, 2009-fol or jsonl, and return what was lost, in words.

    Paths become offsets and offsets paths with the help of the collection. The file appears when it is
    complete; `-` is standard output.
    """
    writer = run_writers[format]
    if collection is not None and not isinstance(collection, Collection):
        collection = open_collection(collection)
    converted = writer.convert(run, collection)
    if not len(converted.run):
        raise InputError(
            f"has no result that format {format} can hold",
            file=run.file or run.id,
            fix="; ".join(converted.notes).capitalize() + ".",
        )
    scored, about_scores = _with_scores(converted.run, writer)
    write_file(path, writer.write(scored))
    return (*order_notes(run), *converted.notes, *about_scores, *_about_the_run(run, writer, path))


def _with_scores(run: Run, writer: RunWriter) -> tuple[Run, list[str]]:
    if run.about.get("scores") == FROM_RANKS:
        order = np.argsort(run.topic, kind="stable")
        rises = np.diff(run.score[order]) >= 0
        if (rises & (np.diff(run.topic[order]) == 0)).any():
            return run, [
                "the results have no score, and ranks in another order: scores are written from ranks"
            ]
        # the order of the results says it all
        run = dataclasses.replace(run, score=np.full(len(run), np.nan))
    missing = int(np.count_nonzero(np.isnan(run.score)))
    if writer.ranked_by == "score" and not keeps_order(run):
        why = "the scores do not fall from rank to rank, and readers of the format rank by score"
        if writer.missing_scores == "left out":
            return dataclasses.replace(run, score=np.full(len(run), np.nan)), [f"{why}: they are left out"]
        return _countdown(run), [f"{why}: every score is written as a countdown of the ranks of its topic"]
    if not missing:
        return run, []
    some = f"{missing:,} of {len(run):,} results have" if missing < len(run) else "the results have"
    if writer.missing_scores == "written from ranks":
        note = f"{some} no score: every score is written as a countdown of the ranks of its topic"
        return _countdown(run), [note]
    if writer.missing_scores == "read from ranks" and missing < len(run):
        return run, [f"{some} no score: readers will take the ranks of all in place of scores"]
    return run, []


def _countdown(run: Run) -> Run:
    """Return the run with scores that count the ranks of each topic down to 1."""
    countdown = np.bincount(run.topic, minlength=len(run.topics))[run.topic] + 1 - ranks_of(run)
    return dataclasses.replace(run, score=countdown.astype(np.float64))


def _about_the_run(run: Run, writer: RunWriter, path: str | Path) -> Iterator[str]:
    lost = [name for name in run.about if name not in (*writer.keeps, *_NOT_LOST) and run.about[name]]
    if lost:
        yield f"not kept by format {writer.name}: {', '.join(lost)}"
    wanted = [name for name in writer.wants if not run.about.get(name)]
    if wanted:
        yield f"not known and left out: {', '.join(wanted)} (`about={wanted[0]}=…` gives it)"
    if not writer.keeps_id and str(path) != "-" and file_stem(str(path)) != run.id:
        yield f"the run id {run.id!r} is not kept: readers call the run {file_stem(str(path))!r}, as the file"
