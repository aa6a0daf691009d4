"""Recall bases in print: one line for each element."""

from __future__ import annotations

import json
from collections.abc import Sequence

from inexlab.errors import UnknownNameError
from inexlab.judgements.recall_base import RelevantElement
from inexlab.report.grids import write_grid
from inexlab.report.tables import Grid

FORMATS = ("table", "json", "csv", "tsv", "markdown")


def known_format(output: str) -> None:
    """Refuse an unknown format before anything is read."""
    if output not in FORMATS:
        raise UnknownNameError("output format", output, FORMATS)


def write_recall_base(elements: Sequence[RelevantElement], output: str) -> str:
    """Return the elements as text."""
    known_format(output)
    if output == "json":
        return json.dumps([e._asdict() for e in elements], ensure_ascii=False, indent=1) + "\n"
    return write_grid(Grid(RelevantElement._fields, elements), output)
