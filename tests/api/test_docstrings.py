"""Every public function has a docstring with an example, and the example does what it says."""

from __future__ import annotations

import doctest
import inspect

import pytest

import inexlab
from inexlab.judgements import Judgements
from inexlab.runs import Run

pytestmark = pytest.mark.usefixtures("here")

FUNCTIONS = [name for name in inexlab.__all__ if inspect.isfunction(getattr(inexlab, name))]
# what reads and writes files alone, and is described where it is, or runs until somebody ends it
PLAIN = {
    "open_collection",
    "open_index",
    "parse_nexi",
    "preset",
    "read_judgements",
    "read_run",
    "read_topics",
    "serve",
    "serve_demo",
    "write_judgements",
    "write_run",
}


def run_examples(thing: object, name: str) -> int:
    """Run the examples of a docstring; return how many there are."""
    globs = {} if name not in PLAIN else {name: thing}
    examples = doctest.DocTestFinder(recurse=False).find(thing, name, globs=globs)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    message: list[str] = []
    for example in examples:
        runner.run(example, out=message.append)
    assert not runner.failures, "".join(message)
    return runner.tries


@pytest.mark.parametrize("name", FUNCTIONS)
def test_examples_of_functions(name: str) -> None:
    ran = run_examples(getattr(inexlab, name), name)
    assert ran or name in PLAIN


@pytest.mark.parametrize("thing", [inexlab, Run.of, Judgements.of], ids=["inexlab", "Run", "Judgements"])
def test_other_examples(thing: object) -> None:
    assert run_examples(thing, "it")
