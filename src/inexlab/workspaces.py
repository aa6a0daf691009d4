"""Hidden folders to work in, next to the output; those of killed processes are removed by the next one.

A workspace is locked as long as its process lives. A process that removes one has to lock it first, and
one that makes one tries again if another was quicker: so none is removed that is in use, and none
stays because its process was killed too early.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

ENDING = ".unfinished"
_LOCK = "lock"
_TRIES = 100


@contextlib.contextmanager
def workspace(parent: Path, prefix: str) -> Iterator[Path]:
    """Give a new folder in `parent`, which is removed in the end; `prefix` begins its name."""
    for _ in range(_TRIES):
        space = Path(tempfile.mkdtemp(prefix=prefix, suffix=ENDING, dir=parent))
        with contextlib.suppress(FileNotFoundError), (space / _LOCK).open("wb") as file:
            # False: another process took it for a left-over; None: locks are not supported, so nobody did
            if lock(file) is False or not _is_at(file, space / _LOCK):
                continue
            try:
                yield space
            finally:
                _remove(space)
            return
    raise OSError(f"cannot create a folder in {parent}")


def clean_up(parent: Path, prefix: str) -> None:
    """Remove the workspaces that killed processes left."""
    with contextlib.suppress(OSError), os.scandir(parent) as entries:
        left = [Path(entry.path) for entry in entries if is_workspace(entry.name, prefix)]
        for space in left:
            with contextlib.suppress(OSError), (space / _LOCK).open("ab") as file:
                if lock(file) and _is_at(file, space / _LOCK):
                    _remove(space)


def in_use(parent: Path, prefix: str) -> bool:
    """Whether a process works in such a workspace, as far as locks can tell."""
    with contextlib.suppress(OSError), os.scandir(parent) as entries:
        for space in [Path(entry.path) for entry in entries if is_workspace(entry.name, prefix)]:
            with contextlib.suppress(OSError), (space / _LOCK).open("ab") as file:
                if lock(file) is False:
                    return True
    return False


def is_workspace(name: str, prefix: str) -> bool:
    """Whether this is the name of a workspace that was made with a prefix."""
    middle = name.removeprefix(prefix).removesuffix(ENDING)
    return name == f"{prefix}{middle}{ENDING}" and len(middle) == 8 and "." not in middle


def lock(file: IO[bytes]) -> bool | None:
    """Lock a file while it is open; False if another process has it, None if locks are not supported."""
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except (ImportError, OSError):  # not on this system of computers or files
        return None
    return True


def _is_at(file: IO[bytes], path: Path) -> bool:
    """Whether an open file is still the one at a place."""
    return os.path.samestat(os.fstat(file.fileno()), path.stat())


def _remove(space: Path) -> None:
    with contextlib.suppress(OSError):
        for path in space.iterdir():
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            elif path.name != _LOCK:  # which is the last: as long as it is there, this is in use
                path.unlink()
    shutil.rmtree(space, ignore_errors=True)
