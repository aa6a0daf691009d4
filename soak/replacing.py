"""An index that is replaced again and again, and opened all the while."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

from inexlab.index.build import build_index
from inexlab.index.index import open_index
from soak._trial import Result, attempt, some

_WRITER = """
import pathlib, sys
from inexlab.index.indexing import append_documents
print("going", flush=True)
for k in range(10**9):
    pathlib.Path("new.xml").write_text(f"<a>text {k}</a>")
    pathlib.Path(f"n{k % 5}.xml").write_bytes(pathlib.Path("new.xml").read_bytes())
    append_documents([f"n{k % 5}.xml"], "index")
"""


def readers_beside_writers(folder: Path, _chance: random.Random, share: float) -> Result:
    """Open the index, read all of it, and compare it with its checksums; count the versions seen."""
    build_index([("a", "a.xml", b"<a>one two <b>three</b></a>")], folder / "index")
    failures: list[str] = []
    versions: set[str] = set()

    def look() -> None:
        index = open_index(folder / "index")
        index.check()
        texts = [index.text(number) for number in range(len(index.documents))]
        assert texts[0] == "one two three"
        versions.add(texts[-1])

    count = some(10_000, share)
    with subprocess.Popen(
        [sys.executable, "-c", _WRITER], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        for number in range(count):
            attempt(look, f"open {number}", failures)
        if writer.poll() is not None:
            assert writer.stderr is not None
            failures.append(f"the writer ended: {writer.stderr.read().decode()[-500:]}")
        writer.kill()
    return f"{count:,} opens of an index that was replaced {len(versions):,} times or more", failures
