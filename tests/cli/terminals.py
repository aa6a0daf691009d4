"""A terminal in which a command runs, which shows its progress from the beginning and not after a while."""

from __future__ import annotations

import contextlib
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

_SCRIPT = """
import sys
import inexlab.cli.progress as progress
from inexlab.cli.main import main

class Now:
    def __init__(self, seconds, show):
        self.show = show
    def start(self):
        self.show()
    def cancel(self):
        pass

progress.Timer = Now
if __name__ == "__main__":
    sys.argv[0] = "inexlab"
    main()
"""


def in_terminal(*arguments: str, folder: Path, width: int = 100) -> tuple[int, bytes, bytes]:
    """Run a command whose standard error is a terminal; return code, standard output, and what was shown."""
    script = folder / "command.py"
    script.write_text(_SCRIPT)
    terminal, theirs = pty.openpty()
    with os.fdopen(theirs, "wb") as stderr, (folder / "stdout").open("wb+") as stdout:
        surroundings = {**os.environ, "TERM": "xterm", "COLUMNS": str(width)}
        command = [sys.executable, str(script), *arguments]
        child = subprocess.Popen(command, cwd=folder, stdout=stdout, stderr=stderr, env=surroundings)
        stderr.close()
        shown = b""
        with contextlib.suppress(OSError):  # how a terminal says that nobody writes to it any more
            while piece := os.read(terminal, 65536):
                shown += piece
        os.close(terminal)
        code = child.wait(timeout=60)
        stdout.seek(0)
        return code, stdout.read(), shown


def lines_of(shown: bytes) -> list[str]:
    """Return the lines that a terminal shows, one after the other."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode()).replace("\r", "\n").split("\n")
