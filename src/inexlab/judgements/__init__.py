"""The room of judgements: assessments in every INEX format in and out, one table of judged text between."""

from inexlab.judgements.read import read_judgements
from inexlab.judgements.table import Judgement, Judgements, JudgementsBuilder
from inexlab.judgements.write import write_judgements

__all__ = ["Judgement", "Judgements", "JudgementsBuilder", "read_judgements", "write_judgements"]
