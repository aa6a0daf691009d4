"""The room of statistics: what a matrix of scores, systems by topics, allows one to conclude.

It knows nothing of documents or measures: any tool's scores can be used.
"""

from inexlab.scores import Scores
from inexlab.statistics.comparison import Comparison, Pair, compare
from inexlab.statistics.corrections import adjust

__all__ = ["Comparison", "Pair", "Scores", "adjust", "compare"]
