"""Packages that plug in: written to disk, built and installed by pip into a folder, without a network."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
_FILE = re.compile(r"^`([\w/]+\.\w+)`\n\n```\w+\n(.*?)^```$", re.DOTALL | re.MULTILINE)

# What builds the wheel: setuptools is not everywhere, and cannot be fetched without a network.
_BACKEND = """
import tomllib, zipfile
from pathlib import Path

def build_wheel(folder, config_settings=None, metadata_directory=None):
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    stem = f"{project['name']}-{project['version']}"
    about = f"Metadata-Version: 2.1\\nName: {project['name']}\\nVersion: {project['version']}\\n"
    groups = project["entry-points"].items()
    points = "".join(f"[{g}]\\n" + "".join(f"{n} = {v}\\n" for n, v in e.items()) for g, e in groups)
    name = f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(Path(folder) / name, "w") as wheel:
        for file in Path(project["name"]).iterdir():
            wheel.write(file, file.as_posix())
        tags = "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n"
        made = {"METADATA": about, "WHEEL": tags, "entry_points.txt": points, "RECORD": ""}
        for file, text in made.items():
            wheel.writestr(f"{stem}.dist-info/{file}", text)
    return name
"""


def files_of_page(page: str) -> dict[str, str]:
    """Return the files that a page of the documentation shows, by name."""
    return dict(_FILE.findall((ROOT / "docs" / page).read_text(encoding="utf-8")))


def install(files: Mapping[str, str], project: Path, target: Path) -> None:
    """Write a project, and have pip build and install it."""
    for name, content in {"__init__.py": "", **files}.items():
        file = project / (name if "/" in name or name == "pyproject.toml" else f"mylab/{name}")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, encoding="utf-8")
    (project / "backend.py").write_text(_BACKEND, encoding="utf-8")
    settings = (project / "pyproject.toml").read_text(encoding="utf-8")
    settings = re.sub(r"requires = .*", "requires = []", settings)
    settings = re.sub(r"build-backend = .*", 'build-backend = "backend"\nbackend-path = ["."]', settings)
    (project / "pyproject.toml").write_text(settings, encoding="utf-8")
    options = ["--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check", "--quiet"]
    subprocess.run(
        [sys.executable, "-m", "pip", "install", *options, "--target", target, project],
        check=True,
        timeout=300,
    )


class Outcome(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str


_COMMANDS = """
import io, json, sys
from inexlab.cli.main import main

for arguments in json.load(sys.stdin):
    sys.argv = ["inexlab", *arguments]
    kept = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in kept)
    code = 0
    try:
        main()
    except SystemExit as ending:
        code = ending.code or 0
    texts = []
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode())
    sys.stdout, sys.stderr = kept
    print(json.dumps([code, *texts]))
"""


def run_commands(commands: Sequence[Sequence[str]], target: Path, folder: Path) -> list[Outcome]:
    """Run several commands one after the other in one process that has the packages in a folder."""
    paths = os.pathsep.join([str(ROOT / "src"), str(target)])
    done = subprocess.run(
        [sys.executable, "-c", _COMMANDS],
        input=json.dumps(commands),
        cwd=folder,
        env={**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1", "COLUMNS": "200"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [Outcome(*json.loads(line)) for line in done.stdout.splitlines()]
