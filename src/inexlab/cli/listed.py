"""Lists of names in the help of options: made when help is printed, so that plug-ins are in them.

A help text holds `{tests}`, say. The names are read from the source files of what registers, since loading
these would cost a second.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from typer.core import TyperCommand, TyperGroup

from inexlab.registry import data_files, names_in

_RUNS, _JUDGEMENTS = "inexlab.runs.formats", "inexlab.judgements.formats"
_TASKS = "inexlab.retrieval.tasks"
_READERS, _WRITERS = ("run_formats.add",), ("run_writers.add",)

LISTS: dict[str, Callable[[], list[str]]] = {
    "tests": lambda: names_in("inexlab.statistics.significance", "significance_test"),
    "corrections": lambda: names_in("inexlab.statistics.corrections", "correction"),
    "models": lambda: names_in("inexlab.retrieval.models", "model"),
    "search_tasks": lambda: names_in(_TASKS, "search_task", beside=("overlap_removal",)),
    "overlaps": lambda: names_in(_TASKS, "overlap_removal", beside=("search_task",)),
    "rules": lambda: names_in("inexlab.runs.tasks", "add_task"),
    "figures": lambda: names_in("inexlab.report.figures", "figure"),
    "run_formats": lambda: names_in(_RUNS, *_READERS, beside=_WRITERS),
    "run_writers": lambda: names_in(_RUNS, *_WRITERS, beside=_READERS),
    "judgement_formats": lambda: names_in(
        _JUDGEMENTS, "judgement_formats.add", beside=("judgement_writers.add",)
    ),
    "topic_formats": lambda: names_in("inexlab.topics.formats", "topic_formats.add"),
    "ideals": lambda: names_in("inexlab.judgements.ideals", "ideal_constructions.add"),
    "outputs": lambda: names_in("inexlab.report.grids", "grid_format"),
    "profiles": lambda: list(data_files("inexlab.collection", "profiles")),
}


def with_names(help: str) -> str:
    """Return a help text with the names that it asks for.

    >>> with_names("Corrections: {corrections}.")
    'Corrections: by, bh, holm, bonferroni or none.'
    """
    return re.sub(r"\{(\w+)\}", lambda asked: _listed(LISTS[asked[1]]()), help)


def _listed(names: list[str]) -> str:
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))


class Verb(TyperCommand):
    """A verb, whose help speaks plainly and knows the plug-ins."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, as the help shows them."""
        return _in_plain_words(super().get_params(ctx))

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help, with the names of what is registered."""
        _fill(self.params)
        super().format_help(ctx, formatter)

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """Return how the shell may complete a word, which some shells show with the help."""
        _fill(self.params)
        return super().shell_complete(ctx, incomplete)


class Verbs(TyperGroup):
    """The verbs together; their help is like that of each."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, as the help shows them."""
        return _in_plain_words(super().get_params(ctx))


def _fill(parameters: list[Any]) -> None:
    for parameter in parameters:
        if getattr(parameter, "help", None):
            parameter.help = with_names(parameter.help)


def _in_plain_words(parameters: list[Any]) -> list[Any]:
    """Say what an option takes as people do: nothing, N, X, TEXT or PATH, not `<bool>` or `<int range>`."""
    names = {"int": "N", "float": "X", "str": "TEXT", "Path": "PATH"}
    for parameter in parameters:
        if getattr(parameter, "is_flag", False):
            parameter.metavar = ""
        elif parameter.metavar is None:
            kind = parameter.bare_type().removeprefix("list[").removesuffix("]")
            parameter.metavar = names.get(kind)
    return parameters
