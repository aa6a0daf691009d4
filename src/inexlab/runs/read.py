"""Reading a run: find out from its content which format it is in, and let that reader read it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from inexlab.errors import InputError
from inexlab.files import Source, read_source
from inexlab.registry import Registry
from inexlab.runs.rows import Rows, rows_of_run
from inexlab.runs.table import Run
from inexlab.streams import Stream


@dataclass(frozen=True)
class RunFormat:
    """A format of runs: how to know it by its content, and how to read it; that is enough everywhere.

    With `rows`, which goes through a file row by row, a check names the line of each problem and needs little
    memory; without, it reads the run, and names results by topic and place.
    """

    name: str
    recognises: Callable[[Source], bool]
    read: Callable[[Source], Run]
    rows: Callable[[Stream], Rows] | None = None

    def rows_of(self, stream: Stream) -> Rows:
        """Return the rows of a file as they stand in it."""
        return self.rows(stream) if self.rows is not None else rows_of_run(self.read(stream.source()))


run_formats: Registry[RunFormat] = Registry("run format", "inexlab.runs.formats", {"read": Run})


def read_run(path: str | Path | Source | object, input_format: str | None = None) -> Run:
    """Read a run in any format: INEX text (2009-2010), INEX XML (2005-2008), TREC, JSON Lines.

    The format is detected from the content unless `input_format` names it. A Source is a file read before. A
    run is returned as it is; a frame, a dictionary {topic: {doc: score}} or records are made one.
    """
    if not isinstance(path, str | Path | Source):
        return path if isinstance(path, Run) else Run.of(path)
    source = path if isinstance(path, Source) else read_source(path)
    reader = run_formats[input_format] if input_format is not None else format_of(source)
    run = reader.read(source)
    if not len(run):
        raise InputError("holds no results", file=source.name, fix="The file may be truncated.")
    return run


def format_of(source: Source) -> RunFormat:
    """Return the format that a file, or its beginning, is in."""
    known = run_formats.values()
    # plug-ins come last in the registry and are asked first: `text` takes whatever nobody else wants
    reader = next((f for f in reversed(known) if f.recognises(source)), None)
    if reader is None:
        raise source.problem(
            "is not a run in a known format",
            fix=f"Known formats: {', '.join(f.name for f in known)}; `input_format=` forces one.",
        )
    return reader
