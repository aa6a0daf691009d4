"""`inexlab formats`: what can be read and written."""

from __future__ import annotations

import sys
from typing import Annotated

from inexlab.cli.flags import with_flags
from inexlab.cli.options import OUTPUT


def formats(output: Annotated[str, OUTPUT] = "table") -> None:
    """List the formats of runs and judgements: what each carries, its years, who reads and writes it.

    `read as` is the name for `--input-format`, `format` the name that the verb convert takes as `--to`.

    Examples: `inexlab formats`, `inexlab formats -o json`
    """
    from inexlab.api.lists import formats as list_formats
    from inexlab.report.grids import known_format

    known_format(output)
    sys.stdout.write(with_flags(list_formats().text(output, width=10_000)))
