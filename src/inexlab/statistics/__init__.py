"""The room of statistics: what a matrix of scores, systems by topics, allows one to conclude.

It knows nothing of documents or measures: any tool's scores can be used.
"""

from typing import TYPE_CHECKING, Any

from inexlab.scores import Scores
from inexlab.statistics.comparison import Comparison, Pair, compare
from inexlab.statistics.corrections import adjust

__all__ = ["Comparison", "Pair", "Scores", "adjust", "compare"]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        from inexlab import submodule

        return submodule(__name__, name)
