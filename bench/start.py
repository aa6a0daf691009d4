"""Claim: a small search from the shell takes at most 1.6 times the processor time of loading the compiler.

Builds an index of the built-in collection, and times `inexlab search` of it, start-up included, against a
process that only imports numpy and numba, in turns: processor time (user and system), best of several.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from _timing import claim

BAR, TIMES = 1.6, 9


def processor_time(command: Sequence[str]) -> float:
    """Return the user and system time of a process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    """Run the claim."""
    os.environ.pop("INEXLAB_COMPILED", None)
    script = str(Path(sys.executable).with_name("inexlab"))
    with tempfile.TemporaryDirectory() as name:
        processor_time([script, "demo", "--out", f"{name}/demo"])
        processor_time([script, "index", f"{name}/demo/articles", "--out", f"{name}/index"])
        search = [script, "search", f"{name}/index", "structured retrieval"]
        loading = [sys.executable, "-c", "import numpy, numba"]
        processor_time(search)  # keeps the units that it cuts
        taken = [(processor_time(search), processor_time(loading)) for _ in range(TIMES)]
    ours, theirs = (min(times) for times in zip(*taken, strict=True))
    print(f"inexlab search {ours * 1e3:.0f} ms of processor time, import numpy, numba {theirs * 1e3:.0f} ms")
    return 0 if claim("search-start-up", ours / theirs, BAR, ours <= BAR * theirs) else 1


if __name__ == "__main__":
    sys.exit(main())
