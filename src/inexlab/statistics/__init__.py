"""The room of statistics: what a matrix of scores, systems by topics, allows one to conclude.

It knows nothing of documents or measures: any tool's scores can be used.
"""

from inexlab.statistics.comparison import Comparison, Pair, compare
from inexlab.statistics.corrections import adjust
from inexlab.statistics.matrix import ScoreMatrix

__all__ = ["Comparison", "Pair", "ScoreMatrix", "adjust", "compare"]
