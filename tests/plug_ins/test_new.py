"""What `inexlab new` writes works as it is: as a plug-in, and in inexlab's own folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from inexlab.errors import UnknownNameError, UsageError
from inexlab.templates import TEMPLATES, module_name, new
from tests.plug_ins.installing import ROOT, install

NAMES = {"measure": "SpanX", "format": "my-csv", "model": "tf-idf"}


def run_tests(folder: Path, *paths: Path) -> None:
    """Run the written tests in a process of their own, by the settings of a package of somebody else."""
    options = ["-q", "-p", "no:cacheprovider", "-W", "error", "--rootdir", str(folder)]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, folder],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ROOT / "src", *paths)))},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_as_a_plug_in(tmp_path: Path) -> None:
    groups = []
    for kind, name in NAMES.items():
        new(kind, name, tmp_path / "written")
        groups.append(
            f'[project.entry-points."{TEMPLATES[kind].package}"]\n{name} = "mylab.{module_name(name)}"\n'
        )
    project = '[build-system]\nrequires = []\nbuild-backend = "x"\n[project]\nname = "mylab"\nversion = "1"\n'
    modules = [p for p in (tmp_path / "written").glob("*.py") if not p.name.startswith("test_")]
    assert len(modules) == len(NAMES)
    files = {path.name: path.read_text(encoding="utf-8") for path in modules}
    install(
        {"pyproject.toml": project + "".join(groups), **files}, tmp_path / "project", tmp_path / "installed"
    )
    for path in modules:
        path.unlink()  # only the installed ones are there
    run_tests(tmp_path / "written", tmp_path / "installed")


def test_in_the_folders_of_inexlab(tmp_path: Path) -> None:
    """Each file in a folder that counts as one of inexlab's own."""
    lines = ["import importlib"]
    for kind, name in NAMES.items():
        made, test = new(kind, name, tmp_path / kind)
        test.rename(tmp_path / test.name)
        assert made.name == f"{module_name(name)}.py"
        lines.append(
            f"importlib.import_module({TEMPLATES[kind].package!r}).__path__.append({str(made.parent)!r})"
        )
    (tmp_path / "conftest.py").write_text("\n".join(lines) + "\n", encoding="utf-8")
    run_tests(tmp_path)


@pytest.mark.parametrize(
    ("kind", "name", "why"),
    [
        ("measure", "MAiP", "there is a measure called MAiP already"),
        ("model", "BM25", "'BM25' cannot be the name of a model; choose one like tf-idf"),
        ("format", "a b", "'a b' cannot be the name of a format"),
        ("measure", "../x", "cannot be the name"),
        ("model", "class", "cannot be the name"),
        ("measure", "Math", "cannot be the name"),
    ],
)
def test_names_that_cannot_be(tmp_path: Path, kind: str, name: str, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        new(kind, name, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "test_spanx.py").write_text("mine\n")
    with pytest.raises(UsageError, match="already exists; choose another name"):
        new("measure", "SpanX", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["test_spanx.py"]


def test_an_unknown_kind(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'measure'"):
        new("measures", "SpanX", tmp_path)
