"""A registry fills itself from a package and from the entry points of other distributions."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from inexlab.errors import UnknownNameError, UsageError
from inexlab.judgements.read import judgement_formats
from inexlab.registry import Registry
from inexlab.runs.read import run_formats

FILES = {
    "menagerie/__init__.py": """
from inexlab.registry import Registry
animals: Registry[str] = Registry("animal", "menagerie.kinds")
""",
    "menagerie/kinds/__init__.py": "",
    "menagerie/kinds/cat.py": "from menagerie import animals\nanimals.add('cat', 'meow')\n",
    "menagerie/kinds/cow.py": "from menagerie import animals\nanimals.add('cow', 'moo')\n",
    "kennel.py": "from menagerie import animals\nanimals.add('dog', 'woof')\n",
    "kennel-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: kennel\nVersion: 1.0\n",
    "kennel-1.0.dist-info/entry_points.txt": "[menagerie.kinds]\ndog = kennel\n",
}


@pytest.fixture
def animals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Registry[str]]:
    """A registry of a real package `menagerie`, with a real plug-in `kennel`, both on disk."""
    for name, content in FILES.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
    monkeypatch.syspath_prepend(tmp_path)
    registry: Registry[str] = importlib.import_module("menagerie").animals
    yield registry
    for module in [name for name in sys.modules if name.split(".")[0] in ("menagerie", "kennel")]:
        del sys.modules[module]


def test_modules_of_the_package_and_plug_ins_register_themselves(animals: Registry[str]) -> None:
    assert list(animals) == ["cat", "cow", "dog"]
    assert animals.values() == ["meow", "moo", "woof"]
    assert animals["dog"] == "woof"


def test_nothing_is_imported_before_somebody_asks(animals: Registry[str]) -> None:
    assert "menagerie.kinds.cat" not in sys.modules
    assert "kennel" not in sys.modules
    assert animals["cat"] == "meow"
    assert "menagerie.kinds.cow" in sys.modules
    assert "kennel" in sys.modules


def test_an_unknown_name_is_answered_with_the_nearest(animals: Registry[str]) -> None:
    with pytest.raises(UnknownNameError) as caught:
        animals["dogs"]
    assert str(caught.value) == "unknown animal 'dogs'; did you mean 'dog'? Known: cat, cow, dog."


def test_two_things_with_one_name_are_a_mistake_in_the_program(animals: Registry[str]) -> None:
    assert animals.add("ant", "…") == "…"
    with pytest.raises(ValueError, match="two animals are called 'ant'"):
        animals.add("ant", "!")
    assert animals["ant"] == "…"


def test_the_formats_of_inexlab_are_found() -> None:
    assert {"text", "xml", "jsonl"} <= set(run_formats)
    assert {"qrels", "jsonl"} <= set(judgement_formats)
    assert [run_formats[name].name for name in run_formats] == list(run_formats)


def test_a_broken_plug_in_is_named_every_time(animals: Registry[str], tmp_path: Path) -> None:
    (tmp_path / "kennel.py").write_text("raise ImportError('no bones')\n")
    for _ in range(2):
        with pytest.raises(UsageError, match=r"plug-in kennel of kennel cannot be loaded.*no bones"):
            animals.values()
