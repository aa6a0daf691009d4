"""The room of experiments: one value for what is scored and how, and one function that scores it.

Every verb that scores takes an experiment, so that the same options give the same numbers everywhere.
"""

from typing import TYPE_CHECKING, Any

from inexlab.experiments.choices import Choices, choose_experiments, choose_one
from inexlab.experiments.experiment import Entry, Experiment, OffsetUnits, TopicList
from inexlab.experiments.scoring import Scored, score

__all__ = [
    "Choices",
    "Entry",
    "Experiment",
    "OffsetUnits",
    "Scored",
    "TopicList",
    "choose_experiments",
    "choose_one",
    "score",
]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        from inexlab import submodule

        return submodule(__name__, name)
