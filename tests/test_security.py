"""What SECURITY.md promises of connections and licences."""

from __future__ import annotations

import importlib.metadata
import os
import re
import shlex
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

HANDBOOK = Path(str(files("inexlab") / "handbook"))
ROOT = Path(__file__).parents[1]

# everything that Python does to reach another computer is announced to such a hook
WATCHED = """
import os, sys
said = os.dup(2)
def hook(event, arguments):
    if event.startswith(("socket.", "urllib.", "http.", "ftplib.", "smtplib.")) and event != "socket.__new__":
        os.write(said, f"CONNECTION {event} {arguments}\\n".encode())
        os._exit(99)
sys.addaudithook(hook)
from inexlab.cli.start import inexlab
inexlab()
"""
OUTSIDE = """\
<?xml version="1.0"?>
<!DOCTYPE a PUBLIC "-//X//DTD//EN" "http://example.org/x.dtd" [
<!ENTITY e SYSTEM "http://example.org/e.xml"> <!ENTITY % p SYSTEM "http://example.org/p.dtd"> ]>
<?xml-stylesheet href="http://example.org/s.xsl"?>
<a xmlns:xi="http://www.w3.org/2001/XInclude" xmlns="http://example.org/ns">
<xi:include href="http://example.org/i.xml"/>text &eacute; <img src="http://example.org/x.png"/></a>
"""
COMMANDS = (
    "demo --out demo",
    "evaluate demo/judgements.qrels {run} -o json",
    "report --campaign-file demo/campaign.toml --out report.html",
    "index docs --out index",
    "search index text",
    "index docs --out index2 --jobs 2",
    "check {run} --collection docs",
    "topics outside.xml",
    "evaluate outside.xml {run}",
    "evaluate demo/judgements.qrels outside.xml",
    "plot ranking demo/judgements.qrels {run} --out figure.svg",
)


def test_no_connection_is_ever_opened(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "outside.xml").write_text(OUTSIDE)
    (tmp_path / "docs" / "outside.xml").write_text(OUTSIDE)
    (tmp_path / "docs" / "plain.xml").write_text("<a>some text</a>")
    (tmp_path / "docs" / "page.html").write_text("<script src='http://example.org/x.js'></script><p>text</p>")
    run = sorted((HANDBOOK / "runs").glob("focused-*"))[0]
    for command in COMMANDS:
        done = subprocess.run(
            [sys.executable, "-c", WATCHED, *shlex.split(command.format(run=run))],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        )
        assert "CONNECTION" not in done.stderr, command
        assert done.returncode in (0, 1, 2), (command, done.stderr)
        assert "Traceback" not in done.stderr, (command, done.stderr)
    assert (tmp_path / "report.html").exists()


def test_the_hook_would_notice(tmp_path: Path) -> None:
    script = WATCHED.replace(
        "from inexlab.cli.start import inexlab\ninexlab()",
        "import urllib.request\nurllib.request.urlopen('http://127.0.0.1:9/')",
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 99
    assert "CONNECTION" in done.stderr


def _needed(name: str, found: set[str]) -> None:
    """Gather a package and all that it needs, without extras."""
    normal = re.sub(r"[-_.]+", "-", name).lower()
    if normal in found:
        return
    try:
        distribution = importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        return
    found.add(normal)
    for requirement in distribution.requires or []:
        needed, _, marker = requirement.partition(";")
        if "extra" not in marker:
            _needed(re.split(r"[^A-Za-z0-9._-]", needed.strip(), maxsplit=1)[0], found)


@pytest.mark.skipif(not (ROOT / "SECURITY.md").exists(), reason="not in a checkout")
def test_every_dependency_is_listed_with_its_licence() -> None:
    listed = (ROOT / "SECURITY.md").read_text(encoding="utf-8").partition("## Licences")[2].lower()
    found: set[str] = set()
    for requirement in importlib.metadata.requires("inexlab") or []:
        if not re.search(r'extra == "(dev|integrations)"', requirement):  # those are for tests
            _needed(re.split(r"[^A-Za-z0-9._-]", requirement, maxsplit=1)[0], found)
    assert found
    named = set(re.findall(r"[a-z0-9]+(?:-[a-z0-9]+)*", listed.replace("_", "-").replace(".", "-")))
    assert sorted(found - named - {"inexlab", "polars-runtime-32", "polars-runtime-64"}) == []
