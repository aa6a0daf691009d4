"""A registry fills itself from a package and from the entry points of other distributions."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from inexlab.cli.listed import LISTS, names_of, with_names
from inexlab.collection.profile import built_in_profiles
from inexlab.errors import PlugInError, UnknownNameError, UsageError
from inexlab.judgements.merging import merge_rules
from inexlab.judgements.read import judgement_formats
from inexlab.judgements.recall_base import ideal_constructions
from inexlab.pooling.files import pool_writers
from inexlab.pooling.method import pooling_methods
from inexlab.registry import Registry, data_files, names_in
from inexlab.report.figure import figures
from inexlab.report.grids import FORMATS
from inexlab.retrieval.model import models
from inexlab.retrieval.tasks import OVERLAPS, TASKS
from inexlab.runs.read import run_formats
from inexlab.runs.tasks import TASKS as RULES
from inexlab.runs.write import run_writers
from inexlab.statistics.corrections import corrections
from inexlab.statistics.testing import significance_tests
from inexlab.topics.read import topic_formats

LISTED: dict[str, Registry[Any]] = {
    "tests": significance_tests,
    "corrections": corrections,
    "models": models,
    "search_tasks": TASKS,
    "overlaps": OVERLAPS,
    "rules": RULES,
    "figures": figures,
    "run_formats": run_formats,
    "run_writers": run_writers,
    "judgement_formats": judgement_formats,
    "merges": merge_rules,
    "poolings": pooling_methods,
    "pool_writers": pool_writers,
    "topic_formats": topic_formats,
    "ideals": ideal_constructions,
    "outputs": FORMATS,
}

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


def test_a_thread_waits_while_another_loads(animals: Registry[str], tmp_path: Path) -> None:
    slow = "import time\ntime.sleep(0.2)\n"
    (tmp_path / "menagerie/kinds/cat.py").write_text(slow + FILES["menagerie/kinds/cat.py"])
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: list(animals), range(4)))
    assert found == [["cat", "cow", "dog"]] * 4


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


@pytest.mark.parametrize("listed", LISTS)
def test_help_lists_what_is_registered(listed: str) -> None:
    assert sorted(names_of(listed)) == sorted(LISTED[listed])


def test_help_lists_profiles() -> None:
    assert tuple(names_of("profiles")) == built_in_profiles()
    assert with_names("none, {corrections}") == "none, by, bh, holm, bonferroni or none"


def test_names_are_read_without_an_import(animals: Registry[str], tmp_path: Path) -> None:
    for module in [name for name in sys.modules if name.split(".")[0] == "menagerie"]:
        del sys.modules[module]
    assert names_in("menagerie.kinds", "animals.add") == ["cat", "cow", "dog"]
    assert not {"menagerie", "kennel"} & set(sys.modules)
    # a source that does not tell: the entry point's name; unless it is known to register something else
    (tmp_path / "kennel.py").write_text("for name in 'ab':\n    animals.add(name, 1)\nplants.add('oak', 2)\n")
    assert names_in("menagerie.kinds", "animals.add") == ["cat", "cow", "dog"]
    assert names_in("menagerie.kinds", "animals.add", except_by=("plants.add",)) == ["cat", "cow"]
    (tmp_path / "kennel.py").write_text("def (:\n")
    assert names_in("menagerie.kinds", "animals.add") == ["cat", "cow", "dog"]
    assert animals.kind == "animal"


def test_plug_ins_come_last_and_are_known(animals: Registry[str]) -> None:
    assert animals.of_plug_ins() == ["woof"]
    assert (len(animals), animals.get("dog"), animals.get("ant")) == (3, "woof", None)


def test_what_a_script_adds_comes_last_too(animals: Registry[str]) -> None:
    """Added before anybody asked, it is asked as plug-ins are: before our own."""
    animals.add("ant", "…")
    assert list(animals) == ["cat", "cow", "ant", "dog"]
    assert animals.of_plug_ins() == ["…", "woof"]


def test_a_plug_in_that_takes_a_name_leaves_nothing_behind(animals: Registry[str], tmp_path: Path) -> None:
    (tmp_path / "kennel.py").write_text(
        "from menagerie import animals\nanimals.add('dog', 'woof')\nanimals.add('cat', 'woof')\n"
    )
    for _ in range(2):
        with pytest.raises(PlugInError, match=r"of kennel .* \(ValueError: two animals are called 'cat'\)"):
            list(animals)


def test_functions_of_a_plug_in_are_guarded_where_they_are_called(
    animals: Registry[Any], tmp_path: Path
) -> None:
    (tmp_path / "kennel.py").write_text(
        "from menagerie import animals\n"
        "def bark(times):\n"
        "    if times < 0:\n"
        "        raise ValueError('no barks')\n"
        "    return (1 / (times - i) for i in range(times + 1))\n"
        "def later(times):\n"
        "    return lambda: bark(times)\n"
        "animals.add('dog', bark)\n"
        "animals.add('pup', later)\n"
    )
    failed = "the plug-in kennel of kennel failed "
    with pytest.raises(PlugInError) as caught:
        animals["dog"](-1)
    assert str(caught.value).startswith(f"{failed}(ValueError: no barks; kennel.py, line 4)")
    assert isinstance(caught.value.__cause__, ValueError)
    barks = animals["dog"](2)
    assert [next(barks), next(barks)] == [0.5, 1.0]
    with pytest.raises(PlugInError, match=r"ZeroDivisionError: division by zero; kennel\.py, line 5"):
        next(barks)
    with pytest.raises(PlugInError, match="no barks"):
        animals["pup"](-1)()
    assert animals["dog"].__name__ == "bark"


def test_what_a_plug_in_imports_of_ours_is_not_its_own(animals: Registry[Any], tmp_path: Path) -> None:
    (tmp_path / "menagerie/wild.py").write_text(
        "import functools\nfrom menagerie import animals\nanimals.add('fox', functools.partial(int, 'x'))\n"
    )
    (tmp_path / "kennel.py").write_text("import menagerie.wild\n")
    with pytest.raises(ValueError, match="invalid literal"):
        animals["fox"]()
    assert animals.of_plug_ins() == []


def test_data_files_of_plug_ins(animals: Registry[str], tmp_path: Path) -> None:
    (tmp_path / "menagerie/food").mkdir()
    (tmp_path / "menagerie/food/hay.toml").write_text("")
    points = tmp_path / "kennel-1.0.dist-info/entry_points.txt"
    points.write_text("[menagerie.food]\nbone = kennel\n")
    with pytest.raises(PlugInError, match=r"kennel of kennel cannot be loaded .*it has no bone.toml"):
        data_files("menagerie", "food")
    (tmp_path / "bone.toml").write_text("")
    assert list(data_files("menagerie", "food")) == ["hay", "bone"]
    (tmp_path / "menagerie/food/bone.toml").write_text("")
    with pytest.raises(PlugInError, match=r"there is bone.toml already"):
        data_files("menagerie", "food")
    assert animals.kind == "animal"


def test_a_place_of_modules_that_cannot_be_looked_at(
    animals: Registry[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As of a folder that only others may enter; here its name is too long for any."""
    monkeypatch.setattr(sys, "path", [*sys.path, f"/{'x' * 5000}"])
    assert list(animals) == ["cat", "cow", "dog"]
