"""The room of judgements: assessments in every INEX format in, one table of judged text out."""

from inexlab.judgements.read import read_judgements
from inexlab.judgements.table import Judgement, Judgements, JudgementsBuilder

__all__ = ["Judgement", "Judgements", "JudgementsBuilder", "read_judgements"]
