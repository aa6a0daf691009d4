"""`inexlab formats`: what can be read and written."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

from inexlab.cli.options import OUTPUT

if TYPE_CHECKING:
    from inexlab.judgements.write import JudgementWriter
    from inexlab.report.tables import Cell
    from inexlab.runs.write import RunWriter


def formats(output: Annotated[str, OUTPUT] = "table") -> None:
    """List the formats of runs and judgements: what each carries, its years, who reads and writes it.

    `read as` is the name for `--input-format`, `format` the name that the verb convert takes as `--to`.

    Examples: `inexlab formats`, `inexlab formats -o json`
    """
    from inexlab.judgements.read import judgement_formats
    from inexlab.judgements.write import judgement_writers
    from inexlab.report.grids import known_format, write_grid
    from inexlab.report.tables import Grid
    from inexlab.runs.read import run_formats
    from inexlab.runs.write import run_writers

    known_format(output)
    rows = [
        *_rows("runs", list(run_formats), run_writers.values()),
        *_rows("judgements", list(judgement_formats), judgement_writers.values()),
    ]
    grid = Grid(("of", "format", "read as", "written", "years", "carries"), rows)
    sys.stdout.write(write_grid(grid, output))


def _rows(
    kind: str, readers: Sequence[str], writers: Sequence[RunWriter | JudgementWriter]
) -> Iterator[Sequence[Cell]]:
    for writer in sorted(writers, key=lambda writer: (writer.years or "later", writer.name)):
        yield kind, writer.name, writer.read_by or None, "yes", writer.years or None, writer.carries
    written = {writer.read_by for writer in writers}
    for name in readers:
        if name not in written:  # a plug-in that only reads
            yield kind, name, name, "no", None, None
