"""The shell and Python have the same verbs and the same names of options."""

from __future__ import annotations

import inspect
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
import typer.main

import inexlab
from inexlab.api.explaining import ExplainedScore
from inexlab.api.inputs import Scoring
from inexlab.cli.inex_eval import _parser
from inexlab.cli.main import application

# where a package has the name of the verb
OTHER_NAMES = {
    "chunks": "compare_chunks",
    "index": "build_index",
    "measures": "list_measures",
    "recall-base": "recall_base",
    "report": "make_report",
    "run": "make_run",
    "topics": "list_topics",
}
# where the name of an option means something in Python
OTHER_ARGUMENTS = {"from": "begin"}
# files that stand in the place of judgements and runs, or of one run
FILES = {"files": ("judgements", "runs")}
# how something is printed, which is an argument of `text` of what the function returns
PRINTED = {
    "evaluate": ("per_topic", "top", "all_runs", "test", "correction", "baseline"),
    "compare": ("top",),
    "check": ("first",),
}
# what another function does: `serve_demo`
ELSEWHERE = {"demo": {"serve", "port"}}
# what only a terminal needs: the format, help of its own, and a list that has a function (`problem_kinds`)
TERMINAL = {"output", "help", "all", "kinds"}
COMMANDS = typer.main.get_command(application()).commands  # type: ignore[attr-defined]


def function_of(verb: str) -> Callable[..., Any]:
    found: Callable[..., Any] = getattr(inexlab, OTHER_NAMES.get(verb, verb))
    return found


def options_of(verb: str) -> set[str]:
    """Return the options of a verb as its help has them, with underscores; arguments by their own names."""
    names = set()
    for parameter in COMMANDS[verb].params:
        flags = [flag for flag in parameter.opts if flag.startswith("--")]
        name = (flags[-1].removeprefix("--") if flags else parameter.name).replace("-", "_")
        names.add(OTHER_ARGUMENTS.get(name, name))
    return names


@pytest.mark.parametrize("verb", list(COMMANDS))
def test_every_option_is_an_argument(verb: str) -> None:
    function = function_of(verb)
    arguments = set(inspect.signature(function).parameters)
    printed = set(PRINTED.get(verb, ()))
    missing = options_of(verb) - arguments - TERMINAL - printed - ELSEWHERE.get(verb, set())
    if missing and "files" in missing:
        wanted = ("judgements", "run") if verb == "explain" else FILES["files"]
        assert set(wanted) <= arguments
        missing -= {"files"}
    assert missing == set()
    if printed:
        returned = inspect.signature(function).return_annotation
        text = getattr(sys.modules[function.__module__], str(returned).partition(" ")[0]).text
        assert printed <= set(inspect.signature(text).parameters)


@pytest.mark.parametrize("verb", list(COMMANDS))
def test_defaults_are_the_same(verb: str) -> None:
    """An option that is not given means the same in both; empty and none are alike."""
    arguments = inspect.signature(function_of(verb)).parameters
    for parameter in COMMANDS[verb].params:
        flags = [flag for flag in parameter.opts if flag.startswith("--")]
        name = (flags[-1].removeprefix("--") if flags else parameter.name).replace("-", "_")
        if name not in arguments or arguments[name].default is inspect.Parameter.empty:
            continue
        ours, theirs = arguments[name].default, parameter.default
        assert (ours or None) == (theirs or None) or (verb, name) == ("explain", "first"), name


def test_verbs_that_score_take_all_options_of_scoring() -> None:
    for verb in ("evaluate", "explain", "compare", "ttest", "agreement", "stability", "correlate", "plot"):
        assert set(Scoring.__annotations__) <= set(inspect.signature(function_of(verb)).parameters)


def test_inex_eval_takes_the_options_of_the_tool() -> None:
    options = {action.dest for action in _parser()._actions} - {"help"}
    assert options <= set(inspect.signature(inexlab.inex_eval).parameters)


def test_an_option_that_there_is_not_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="mesure"):
        inexlab.evaluate("q", "r", mesure="MAiP")  # type: ignore[call-arg]


def test_the_explanation_of_a_score_is_an_explanation() -> None:
    assert issubclass(ExplainedScore, inexlab.Explanation)


def test_public_names_are_there_and_listed() -> None:
    for name in inexlab.__all__:
        assert getattr(inexlab, name) is not None
        assert name in dir(inexlab)
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        inexlab.nothing  # type: ignore[attr-defined] # noqa: B018


def test_submodules_are_reachable_after_one_import() -> None:
    code = (
        "import inexlab\n"
        "assert callable(inexlab.report.figure.draw)\n"
        "assert callable(inexlab.statistics.stability.growth)\n"
        "import inexlab.report\n"
        "assert inexlab.report.latex\n"
        "assert not hasattr(inexlab.report, 'nothing')\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
