"""The room of runs: submissions in every INEX format in, one table of ranked results out."""

from inexlab.runs.locate import locate
from inexlab.runs.read import read_run
from inexlab.runs.table import Result, Run, RunBuilder

__all__ = ["Result", "Run", "RunBuilder", "locate", "read_run"]
