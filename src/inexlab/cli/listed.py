"""Lists of names in the help of options: made when help is printed, so that plug-ins are in them.

A help text holds `{tests}`, say. The names are read from the source files of what registers, since loading
these would cost a second.
"""

from __future__ import annotations

import re
from typing import Any

from typer.core import TyperCommand, TyperGroup

from inexlab.cli.flags import use_flags_of

_RUNS, _JUDGEMENTS, _TASKS = "inexlab.runs.formats", "inexlab.judgements.formats", "inexlab.retrieval.tasks"

# what is listed: the package or module, what registers there, and what registers something else there
LISTS: dict[str, tuple[str, str, str]] = {
    "tests": ("inexlab.statistics.significance", "significance_test", ""),
    "corrections": ("inexlab.statistics.corrections", "correction", ""),
    "models": ("inexlab.retrieval.models", "model", ""),
    "search_tasks": (_TASKS, "search_task", "overlap_removal"),
    "overlaps": (_TASKS, "overlap_removal", "search_task"),
    "rules": ("inexlab.runs.tasks", "add_task", ""),
    "figures": ("inexlab.report.figures", "figure", ""),
    "run_formats": (_RUNS, "run_formats.add", "run_writers.add"),
    "run_writers": (_RUNS, "run_writers.add", "run_formats.add"),
    "judgement_formats": (_JUDGEMENTS, "judgement_formats.add", "judgement_writers.add"),
    "merges": ("inexlab.judgements.merges", "merge_rule", ""),
    "poolings": ("inexlab.pooling.methods", "pooling_method", ""),
    "pool_writers": ("inexlab.pooling.formats", "pool_writers.add", "pool_formats.add"),
    "topic_formats": ("inexlab.topics.formats", "topic_formats.add", ""),
    "ideals": ("inexlab.judgements.ideals", "ideal_constructions.add", ""),
    "outputs": ("inexlab.report.grids", "grid_format", ""),
}


def names_of(listed: str) -> list[str]:
    """Return the names of one list."""
    from inexlab.registry import data_files, names_in  # which only help needs

    if listed == "profiles":
        return list(data_files("inexlab.collection", "profiles"))
    package, adder, other = LISTS[listed]
    return names_in(package, adder, except_by=(other,) if other else ())


def with_names(help: str) -> str:
    """Return a help text with the names that it asks for.

    >>> with_names("Corrections: {corrections}.")
    'Corrections: by, bh, holm, bonferroni or none.'
    """
    return re.sub(r"\{(\w+)\}", lambda asked: _listed(names_of(asked[1])), help)


def _listed(names: list[str]) -> str:
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))


class Verb(TyperCommand):
    """A verb, whose help speaks plainly and knows the plug-ins."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, as the help shows them."""
        return _set_plain_metavars(super().get_params(ctx))

    def invoke(self, ctx: Any) -> Any:
        """Run the verb, whose messages name its flags."""
        use_flags_of(self.params)
        return super().invoke(ctx)

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
        return _set_plain_metavars(super().get_params(ctx))


def _fill(parameters: list[Any]) -> None:
    for parameter in parameters:
        if getattr(parameter, "help", None):
            parameter.help = with_names(parameter.help)


def _set_plain_metavars(parameters: list[Any]) -> list[Any]:
    """Say what an option takes as people do: nothing, N, X, TEXT or PATH, not `<bool>` or `<int range>`."""
    names = {"int": "N", "float": "X", "str": "TEXT", "path": "PATH"}
    for parameter in parameters:
        if getattr(parameter, "is_flag", False):
            parameter.metavar = ""
        elif parameter.metavar is None:
            parameter.metavar = names.get(parameter.type.name.removesuffix(" range"))
    return parameters
