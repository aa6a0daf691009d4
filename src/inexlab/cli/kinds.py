"""What a file holds, runs or judgements, where a command takes both."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Literal

from inexlab.errors import UnknownNameError

if TYPE_CHECKING:
    from inexlab.files import Source

Kind = Literal["runs", "judgements"]

_HIGHLIGHT = re.compile(rb"[0-9]+:[0-9]+")


def kind_of(source: Source) -> Kind | None:
    """Return what a file holds by its first row or root element; None where that does not tell."""
    if source.is_xml:
        from inexlab.xml_parser import beginning

        found = re.search(r"<(inex-submission|assessments)[\s>]", beginning(source.data))
        return None if found is None else "runs" if found[1] == "inex-submission" else "judgements"
    row = source.first_row[1]
    if row.startswith(b"{"):
        try:
            return "judgements" if "spans" in json.loads(row) else "runs"
        except (ValueError, RecursionError):  # the reader will say what is wrong
            return None
    columns = row.split()
    # a line of qrels stops after five columns or ends with a highlight; one of a run does neither
    return "judgements" if len(columns) < 6 or _HIGHLIGHT.fullmatch(columns[-1]) else "runs"


def kind_of_reader(input_format: str) -> Kind | None:
    """Return what a reader reads; None where one of each kind has the name, or none is forced."""
    from inexlab.judgements.read import judgement_formats
    from inexlab.runs.read import run_formats

    runs, judgements = list(run_formats), list(judgement_formats)
    if input_format and input_format not in (*runs, *judgements):
        raise UnknownNameError("input format", input_format, dict.fromkeys([*runs, *judgements]))
    if (input_format in runs) == (input_format in judgements):
        return None
    return "runs" if input_format in runs else "judgements"
