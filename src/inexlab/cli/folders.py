"""Folders to write: made under another name and renamed when complete, so that a failure leaves nothing."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def new_folder(out: str) -> Iterator[Path]:
    """Give a folder to write to, which becomes `out` at the end; `out` must be new, or an empty folder."""
    from inexlab.errors import UsageError

    target = Path(out)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise UsageError(f"{out} is there already; name a new or an empty folder for --out.")
    try:
        target.absolute().parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.absolute().parent))
    except OSError as error:
        raise UsageError(f"{out} cannot be written ({error.strerror}).") from None
    try:
        yield made
        made.chmod(0o755)
        if target.exists():
            target.rmdir()
        made.rename(target)
    except OSError as error:
        raise UsageError(f"{out} cannot be written ({error.strerror}).") from None
    finally:
        shutil.rmtree(made, ignore_errors=True)
