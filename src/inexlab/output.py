"""Files out: written under another name and renamed when complete, so that a failure leaves nothing half.

They are on the disk before they are renamed, so that a loss of power does not, either.

`-` is standard output, and a name that ends in `.gz` is compressed.
"""

from __future__ import annotations

import contextlib
import errno
import gzip
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from inexlab.errors import UsageError, sanitised
from inexlab.workspaces import clean_up, workspace

_PREFIX = ".inexlab-"


def write_file(path: str | Path, pieces: Iterable[bytes]) -> None:
    """Write the pieces to a file, replacing one that is there, or to standard output for `-`."""
    if str(path) == "-":
        for piece in pieces:
            in_terminal = sys.stdout.isatty()  # where some characters are commands
            sys.stdout.buffer.write(
                sanitised(piece.decode(errors="replace")).encode() if in_terminal else piece
            )
        sys.stdout.buffer.flush()
        return
    with _renamed(Path(path)) as unfinished, unfinished.open("wb") as file:
        if not str(path).endswith(".gz"):
            file.writelines(pieces)
            return
        # without name and time, so that the same content gives the same file
        with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
            packed.writelines(pieces)


def make_durable(*paths: Path) -> None:
    """Flush files, and the names in folders, to the disk: what is reported as written survives a crash."""
    for path in paths:
        try:
            opened = os.open(path, os.O_RDONLY)
        except OSError:  # some systems open no folder
            continue
        try:
            os.fsync(opened)
        except OSError as error:
            if error.errno in (errno.EIO, errno.ENOSPC, errno.EDQUOT):
                raise
            # others do not know how: not every file system does
        finally:
            os.close(opened)


def refuse_unwritable(path: str | Path, *, folder: bool = False) -> None:
    """Say that a file or folder cannot be written before the work that it is for, not after."""
    if str(path) == "-":
        if folder:
            raise UsageError(_NOT_A_STREAM)
        return
    with explain_failure(Path(path)):
        _refuse_taken(Path(path), folder=folder)
        above = Path(path).resolve().parent
        while folder and not os.path.lexists(above):  # folders are made with those around them
            above = above.parent
        with tempfile.TemporaryFile(dir=above):
            pass


_NOT_A_STREAM = "a folder cannot be written to standard output; give a folder as `out=`."


def _refuse_taken(path: Path, *, folder: bool) -> None:
    """Refuse a place if there is something that must not be replaced."""
    if folder and os.path.lexists(path) and (not path.is_dir() or any(path.iterdir())):
        raise UsageError(f"{path} already exists; give a new or an empty folder as `out=`.")
    if not folder and path.resolve().exists() and not path.resolve().is_file():
        raise UsageError(f"{path} is not a file; give a file as `out=`.")


def write_folder(path: str | Path, files: Iterable[tuple[str, Iterable[bytes]]]) -> None:
    """Write a folder of files, given by name and content."""
    with new_folder(path) as folder:
        for name, pieces in files:
            with (folder / name).open("wb") as file:
                file.writelines(pieces)


@contextlib.contextmanager
def new_folder(path: str | Path) -> Iterator[Path]:
    """Give a folder to write to, which becomes `path` at the end; that has to be new, or an empty folder."""
    if str(path) == "-":
        raise UsageError(_NOT_A_STREAM)
    with _renamed(Path(path), folder=True) as unfinished:
        unfinished.mkdir()
        yield unfinished


@contextlib.contextmanager
def _renamed(path: Path, *, folder: bool = False) -> Iterator[Path]:
    """Give a name in a temporary folder next to `path`, and rename it to `path` if all went well."""
    with explain_failure(path):
        _refuse_taken(path, folder=folder)
        real = path.resolve()  # a link stays a link
        if folder and not real.parent.exists():
            real.parent.mkdir(parents=True)
        clean_up(real.parent, _PREFIX)
        with workspace(real.parent, _PREFIX) as temporary:
            yield temporary / "unfinished"
            make_durable(*(temporary / "unfinished").rglob("*"), temporary / "unfinished")
            if folder and real.exists():
                real.rmdir()  # an empty one: not every system renames over it
            (temporary / "unfinished").replace(real)
            make_durable(real.parent)


@contextlib.contextmanager
def explain_failure(path: Path) -> Iterator[None]:
    """Turn an error of the operating system into a message that says how to fix it."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise UsageError(f"{path} cannot be written ({reason}); give another place as `out=`.") from None
