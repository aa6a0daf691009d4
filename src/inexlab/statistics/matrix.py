"""The table of scores under its former name."""

from inexlab.scores import Scores as ScoreMatrix

__all__ = ["ScoreMatrix"]
