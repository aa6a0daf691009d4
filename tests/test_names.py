"""Names in the package: one name, one thing."""

from __future__ import annotations

import ast
import inspect
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.main import get_command

import inexlab
from inexlab.cli.flags import use_flags_of, with_flags
from inexlab.cli.main import application

PACKAGE = Path(inexlab.__file__).parent
SOURCES = sorted(PACKAGE.rglob("*.py"))


def test_no_two_classes_have_the_same_name() -> None:
    places = defaultdict(list)
    for source in SOURCES:
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(str(source.relative_to(PACKAGE)))
    assert len(places) > 100
    assert {name: files for name, files in places.items() if len(files) > 1} == {}


def strings(source: Path, *, docstrings: bool = True) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of every string in a module."""
    tree = ast.parse(source.read_text(encoding="utf-8"))
    docs = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if node in docs and not docstrings:
            continue
        if isinstance(node, ast.JoinedStr):
            parts = (v.value if isinstance(v, ast.Constant) else "{}" for v in node.values)
            yield node.lineno, "".join(map(str, parts))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


LIBRARY = [source for source in SOURCES if "cli" not in source.relative_to(PACKAGE).parts]
ARGUMENT = re.compile(r"`([a-z_]+)=[^`]*`")


def test_the_library_names_arguments_and_not_flags() -> None:
    found = [
        f"{source.relative_to(PACKAGE)}:{line}: {flag[0]}"
        for source in LIBRARY
        for line, text in strings(source)
        for flag in re.finditer(r"(?<![\w-])--[a-z][a-z-]*", text)
    ]
    assert found == []


def test_arguments_that_messages_name_are_those_of_some_verb() -> None:
    verbs = filter(inspect.isfunction, (getattr(inexlab, name) for name in inexlab.__all__))
    known = {name for verb in verbs for name in inspect.signature(verb).parameters}
    named = {
        (name, str(source.relative_to(PACKAGE)))
        for source in LIBRARY
        for _, text in strings(source, docstrings=False)
        for name in ARGUMENT.findall(text)
    }
    assert len(named) > 50
    assert {(name, file) for name, file in named if name not in known} == set()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Give `collection=DIR`.", "Give --collection DIR."),
        ("give one `measure=`; see `common_topics=True`", "give one -m; see --common-topics"),
        ("`vary='measure=A,B'`, not `by='two words'`", "--vary measure=A,B, not --by 'two words'"),
        ("the file `a=b.txt", "the file `a=b.txt"),
    ],
)
def test_the_command_line_names_the_flags_of_the_verb(text: str, shown: str) -> None:
    evaluate = get_command(application()).commands["evaluate"]  # type: ignore[attr-defined]
    use_flags_of(evaluate.params)
    assert with_flags(text) == shown
