"""The room of runs: submissions in every INEX format in and out, one table of ranked results between."""

from inexlab.runs.locate import locate
from inexlab.runs.read import read_run
from inexlab.runs.table import Result, Run, RunBuilder
from inexlab.runs.write import write_run

__all__ = ["Result", "Run", "RunBuilder", "locate", "read_run", "write_run"]
