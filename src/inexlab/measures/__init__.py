"""The room of measures: a measure is a value with a parseable name; scores come out as matrices.

Each file in `families` holds one family of measures. A new measure is a new file there, or an entry point
of the group `inexlab.measures.families` in another distribution.
"""

from typing import TYPE_CHECKING, Any

from inexlab.measures.explanation import Explanation, explain
from inexlab.measures.measure import Definition, Measure, Parameter, expand, measure, parse
from inexlab.measures.scoring import Evaluation, evaluate
from inexlab.scores import Scores

__all__ = [
    "Definition",
    "Evaluation",
    "Explanation",
    "Measure",
    "Parameter",
    "Scores",
    "evaluate",
    "expand",
    "explain",
    "measure",
    "parse",
]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        from inexlab import submodule

        return submodule(__name__, name)
