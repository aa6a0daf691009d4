"""The room of judgements: assessments in every INEX format in and out, one table of judged text between."""

from typing import TYPE_CHECKING, Any

from inexlab.judgements.read import read_judgements
from inexlab.judgements.table import Judgement, Judgements, JudgementsBuilder
from inexlab.judgements.write import write_judgements

__all__ = ["Judgement", "Judgements", "JudgementsBuilder", "read_judgements", "write_judgements"]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        from inexlab import submodule

        return submodule(__name__, name)
