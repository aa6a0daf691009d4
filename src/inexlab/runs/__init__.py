"""The room of runs: submissions in every INEX format in and out, one table of ranked results between."""

from typing import TYPE_CHECKING, Any

from inexlab.runs.locate import locate
from inexlab.runs.read import read_run
from inexlab.runs.table import Result, Run, RunBuilder
from inexlab.runs.write import write_run

__all__ = ["Result", "Run", "RunBuilder", "locate", "read_run", "write_run"]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        from inexlab import submodule

        return submodule(__name__, name)
