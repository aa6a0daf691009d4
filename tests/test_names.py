"""Names in the package: one name, one thing."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import inexlab

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
