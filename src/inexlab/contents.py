"""What a file holds, runs or judgements, where both may be given, or one in the place of the other."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from inexlab.errors import InputError, UnknownNameError
from inexlab.files import Source
from inexlab.judgements.read import judgement_formats
from inexlab.runs.read import run_formats
from inexlab.streams import open_stream

Contents = Literal["runs", "judgements"]

_HIGHLIGHT = re.compile(rb"[0-9]+:[0-9]+")
_GRADE = re.compile(rb"[+-]?[0-9]{1,9}")
_LIKE_HIGHLIGHT = re.compile(rb"[^/]*:")  # and no path


def contents_of(source: Source) -> Contents | None:
    """Return what a file holds, by its beginning; None if that does not tell.

    XML, and what plug-ins read, is known by the formats. Our own text formats look alike, and rows may be
    damaged: most rows decide.
    """
    run, judged = (
        any(f.recognises(source) for f in r.of_plug_ins()) for r in (run_formats, judgement_formats)
    )
    if run != judged:
        return "runs" if run else "judgements"
    if source.is_xml:
        run, judged = (
            any(f.recognises(source) for f in r.values()) for r in (run_formats, judgement_formats)
        )
        return None if run == judged else "runs" if run else "judgements"
    if any(f.certain and f.recognises(source) for f in judgement_formats.values()):
        return "judgements"
    lines = (line.strip() for line in source.data.split(b"\n", 1000)[:1000])
    rows = itertools.islice((line for line in lines if line and not line.startswith(b"#")), 100)
    votes = [vote for row in rows if (vote := _is_judged(row)) is not None]
    return None if not votes else "judgements" if 2 * sum(votes) > len(votes) else "runs"


def _is_judged(row: bytes) -> bool | None:
    """Whether a row is of judgements and not of a run; None if it may be either."""
    if row.startswith(b"{"):
        try:
            return "spans" in json.loads(row)
        except (ValueError, RecursionError):  # the reader will say what is wrong
            return None
    columns = row.split()
    if len(columns) == 4:  # TREC's qrels of whole documents
        return True if columns[1] != b"Q0" and _GRADE.fullmatch(columns[3]) else None
    if len(columns) < 6:  # too few for a run; the fifth is a size or, where something is missing, a score
        return True if len(columns) == 5 and columns[3].isdigit() and columns[4].isdigit() else None
    # qrels go on with a best entry point, which may be missing, and highlights
    return bool(_HIGHLIGHT.fullmatch(columns[5]) or (len(columns) > 6 and _LIKE_HIGHLIGHT.match(columns[6])))


def contents_of_format(input_format: str) -> Contents | None:
    """Return what a reader reads; None if one of each kind has the name, or none is forced."""
    runs, judgements = list(run_formats), list(judgement_formats)
    if input_format and input_format not in (*runs, *judgements):
        raise UnknownNameError("input format", input_format, dict.fromkeys([*runs, *judgements]))
    if (input_format in runs) == (input_format in judgements):
        return None
    return "runs" if input_format in runs else "judgements"


def refuse_swapped(judgements: str | Path, runs: Iterable[str | Path]) -> None:
    """Raise if the file of judgements looks like a run, and one of the runs like judgements.

    Standard input, folders and files that cannot be read are left to the readers.
    """
    if _contents_of_file(judgements) != "runs":
        return
    for run in runs:
        if _contents_of_file(run) == "judgements":
            raise InputError(
                f"looks like a run, and {run} like judgements",
                file=str(judgements),
                fix="Judgements come first, then runs.",
            )


def _contents_of_file(path: str | Path) -> Contents | None:
    if str(path) == "-" or not Path(path).is_file():
        return None
    try:
        return contents_of(open_stream(path).head)
    except InputError:
        return None
