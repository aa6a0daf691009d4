"""Files out: written under another name and renamed when complete, so that a failure leaves nothing half.

`-` is standard output, and a name that ends in `.gz` is compressed.
"""

from __future__ import annotations

import contextlib
import gzip
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from inexlab.errors import UsageError


def write_file(path: str | Path, pieces: Iterable[bytes]) -> None:
    """Write the pieces to a file, replacing one that is there, or to standard output for `-`."""
    if str(path) == "-":
        for piece in pieces:
            sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()
        return
    with _renamed(Path(path)) as unfinished, unfinished.open("wb") as file:
        if not str(path).endswith(".gz"):
            file.writelines(pieces)
            return
        # without name and time, so that the same content gives the same file
        with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
            packed.writelines(pieces)


def write_folder(path: str | Path, files: Iterable[tuple[str, Iterable[bytes]]]) -> None:
    """Write a new folder of files, given by name and content."""
    if str(path) == "-":
        raise UsageError("a folder cannot be written to standard output; name it with --out.")
    if os.path.lexists(path):
        raise UsageError(f"{path} is there already; name a new folder for --out.")
    with _renamed(Path(path)) as unfinished:
        unfinished.mkdir()
        for name, pieces in files:
            with (unfinished / name).open("wb") as file:
                file.writelines(pieces)


@contextlib.contextmanager
def _renamed(path: Path) -> Iterator[Path]:
    """Give a name in a temporary folder beside `path`, and rename it to `path` if all went well."""
    try:
        path = path.resolve()  # a link stays a link
        if path.exists() and not path.is_file():
            raise UsageError(f"{path} is no file; name a file for --out.")
        folder = Path(tempfile.mkdtemp(prefix=".inexlab-", dir=path.parent))
        try:
            yield folder / "unfinished"
            (folder / "unfinished").replace(path)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise UsageError(f"{path} cannot be written ({reason}); name another place for --out.") from None
