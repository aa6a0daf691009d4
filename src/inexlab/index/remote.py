"""Indexes on other file systems, by fsspec: copied to a folder here, then opened as any other.

A place is a path, or a URL such as `s3://bucket/index`, of any file system that fsspec knows. A copy is kept
in a cache, under the name of its content: an index that was replaced is copied anew, one that was not is not.
`INEXLAB_CACHE` names another folder for the cache.
"""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from inexlab.errors import InputError, UsageError
from inexlab.progress import reporting

MANIFEST = "manifest.json"  # which every index has
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://.*", re.DOTALL)


def is_url(place: object) -> bool:
    """Whether a place is a URL."""
    return isinstance(place, str) and _URL.fullmatch(place) is not None


def join_url(folder: str | Path, name: str) -> str:
    """Return the place of something in a folder, which may be at a URL.

    >>> join_url("s3://bucket/index", "0"), join_url("zip://index::s3://bucket/all.zip", "0")
    ('s3://bucket/index/0', 'zip://index/0::s3://bucket/all.zip')
    """
    if not is_url(str(folder)):
        return str(Path(folder) / name)
    place, chain, rest = str(folder).partition("::")  # what is in something else comes first
    return f"{place.rstrip('/')}/{name}{chain}{rest}"


def cache_folder() -> Path:
    """Return the folder of copies."""
    given = os.environ.get("INEXLAB_CACHE")
    if given:
        return Path(given)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "inexlab"


def local_copy(place: str | Path) -> Path:
    """Return a folder with what is at a place: the place itself, or a copy of what a URL names.

    The copy is made under another name and renamed, so that nobody sees half of one.
    """
    return _copy(place, "")


def manifest_folder(place: str | Path) -> Path:
    """Return a folder with the manifest of what is at a place, and maybe more."""
    return _copy(place, MANIFEST)


def _copy(place: str | Path, only: str) -> Path:
    if not is_url(place):
        return Path(place)
    url = str(place)
    system, root = _file_system(url)
    try:
        if isinstance(system.protocol, str | tuple) and "file" in system.protocol:
            return Path(root)
        root = root.rstrip("/")
        files = [file for file in sorted(system.find(root)) if not only or file == f"{root}/{only}"]
        if not files:
            raise InputError("no such index", file=url, fix="Build one with `inexlab index`.")
        import hashlib  # which takes long to load, and only this needs it

        described = [(file, str(_stamp(system, file))) for file in files]
        target = cache_folder() / hashlib.sha256(repr((url, described)).encode()).hexdigest()[:24]
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(prefix=".", dir=target.parent) as space:
                copy = Path(space) / "copy"
                for file in reporting(files, f"downloading {url}", "files"):
                    here = copy / _inside(file[len(root) :].lstrip("/"), url)
                    here.parent.mkdir(parents=True, exist_ok=True)
                    system.get_file(file, str(here))
                _rename(copy, target)
        return target
    except OSError as error:
        what = f"cannot be read ({error.strerror or error})"
        raise InputError(what, file=url, fix="Check the address and the permissions.") from None


def _inside(name: str, url: str) -> str:
    """Return the name of a file in a folder; refuse one that leads out of it, as an archive's may."""
    parts = re.split(r"[/\\]", name)
    if ".." in parts or Path(name).is_absolute() or Path(name).drive:
        raise InputError(f"holds a file that lies elsewhere ({name})", file=url, fix="Do not trust it.")
    return name


def _rename(copy: Path, target: Path) -> None:
    try:
        copy.rename(target)
    except OSError:
        if not target.exists():  # another process was quicker
            raise


@contextlib.contextmanager
def uploaded(url: str) -> Iterator[Path]:
    """Give a place here for an index, which is copied to a URL if all goes well."""
    system, root = _file_system(url)
    if system.exists(root):
        raise UsageError(f"{url} already exists; give a new place as `out=`.")
    with tempfile.TemporaryDirectory(prefix="inexlab-") as space:
        folder = Path(space) / "index"
        yield folder
        upload(folder, url)


def upload(folder: Path, url: str) -> None:
    """Copy a folder to a place that a URL names, manifests last: before, nothing there is an index."""
    system, root = _file_system(url)
    files = sorted((file for file in folder.rglob("*") if file.is_file()), key=_manifests_last(folder))
    try:
        for file in reporting(files, f"uploading {url}", "files"):
            there = f"{root.rstrip('/')}/{file.relative_to(folder).as_posix()}"
            system.makedirs(there.rpartition("/")[0], exist_ok=True)
            system.put_file(str(file), there)
    except OSError as error:
        raise UsageError(
            f"{url} cannot be written ({error.strerror or error}); give another place as `out=`."
        ) from None


def _manifests_last(folder: Path) -> Any:
    def key(file: Path) -> tuple[bool, int, str]:
        inside = file.relative_to(folder)
        return file.name == MANIFEST, -len(inside.parts), inside.as_posix()

    return key


def _stamp(system: Any, file: str) -> tuple[Any, ...]:
    """Return what tells a file from another that was there before."""
    about = system.info(file)
    return tuple(
        about.get(key) for key in ("size", "ETag", "etag", "mtime", "LastModified", "created", "md5")
    )


def _file_system(url: str) -> tuple[Any, str]:
    """Return the file system that a URL names, and the place in it."""
    try:
        import fsspec
    except ImportError:
        raise UsageError(f"{url} takes the package fsspec: pip install 'inexlab[cluster]'.") from None
    try:
        system, root = fsspec.core.url_to_fs(url)
    except (ValueError, ImportError, OSError) as error:
        raise UsageError(f"{url} cannot be opened ({str(error).rstrip('.')}).") from None
    return system, str(root)
