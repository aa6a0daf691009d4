"""Reading judgements: find out from the content which format they are in, and let that reader read them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from inexlab.errors import InputError
from inexlab.files import Source, read_source
from inexlab.judgements.table import Judgements
from inexlab.registry import Registry


@dataclass(frozen=True)
class JudgementFormat:
    """A format of judgements: how to know it by its content, and how to read it."""

    name: str
    recognises: Callable[[Source], bool]
    read: Callable[[Source], Judgements]


judgement_formats: Registry[JudgementFormat] = Registry("judgement format", "inexlab.judgements.formats")


def read_judgements(path: str | Path, input_format: str | None = None) -> Judgements:
    """Read judgements in any format: INEX 2008-2010 qrels, JSON Lines.

    The format is detected from the content unless `input_format` names it.
    """
    source = read_source(path)
    if input_format is not None:
        judgements = judgement_formats[input_format].read(source)
    else:
        known = judgement_formats.values()
        reader = next((f for f in known if f.recognises(source)), None)
        if reader is None:
            raise source.problem(
                "is not judgements in a known format",
                line=1,
                fix=f"Known formats: {', '.join(f.name for f in known)}; a qrels line is "
                "`topic Q0 doc rsize docsize [bep offset:length …]`.",
            )
        judgements = reader.read(source)
    if not len(judgements):
        raise InputError("holds no judgements", file=source.name, fix="Check that it was written to the end.")
    return judgements
