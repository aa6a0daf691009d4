"""Every example of the documentation runs, page by page, in a folder of its own (papers: `tests/papers`).

Blocks `sh` and `python` have to succeed; in a block `console`, what follows a line that begins with `$` is
what that command prints, on standard output and error alike.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests import forks as fork
from tests.forks import Server

DOCS = Path(__file__).parents[2] / "docs"
FORK = fork.__file__
# a server that is asked for nothing: it would run until somebody ends it
UNASKED = "import uvicorn, inexlab.cli.start as s; uvicorn.Server.run = lambda *_: None; s.inexlab()"
BLOCK = re.compile(r"^```(sh|console|python)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@pytest.fixture
def environment(forks: Server, tmp_path: Path) -> dict[str, str]:
    """Commands that run this inexlab, forked from what is loaded already."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for name, target in (("inexlab", "inexlab"), ("code", "-c")):
        command = tools / name
        forked = f"exec {sys.executable} -IS {FORK} {forks.path}"
        serve = f'[ "$1" = serve ] && {forked} -c \'{UNASKED}\' "$@"\n' if name == "inexlab" else ""
        command.write_text(f'#!/bin/sh\n{serve}{forked} {target} "$@"\n')
        command.chmod(0o755)
    path = os.pathsep.join([str(tools), os.environ["PATH"]])
    return {**os.environ, "PATH": path, "COLUMNS": "100"}


def run(arguments: list[str], environment: dict[str, str], folder: Path) -> str:
    done = subprocess.run(
        arguments,
        cwd=folder,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    assert done.returncode == 0, f"{arguments[-1]}\n{done.stdout}"
    return done.stdout


@pytest.mark.parametrize(
    "page", [DOCS.parent / "README.md", *sorted(DOCS.glob("*.md"))], ids=lambda page: page.stem
)
def test_page(page: Path, environment: dict[str, str], tmp_path: Path) -> None:
    folder = tmp_path / "here"
    folder.mkdir()
    blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
    assert blocks
    for kind, content in blocks:
        if kind == "python":
            run([str(tmp_path / "tools" / "code"), content], environment, folder)
        elif kind == "sh":
            run(["bash", "-euo", "pipefail", "-c", content], environment, folder)
        else:
            for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", content, re.MULTILINE):
                printed = run(["bash", "-euo", "pipefail", "-c", command], environment, folder)
                assert printed.rstrip("\n") == expected.rstrip("\n"), command
