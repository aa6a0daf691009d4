"""Indexes on other file systems, by fsspec: copied to a folder here, then opened as any other.

A place is a path, or a URL such as `s3://bucket/index`, of any file system that fsspec knows. A copy is kept
in a cache, under the name of its content: an index that was replaced is copied anew, one that was not is not.
`INEXLAB_CACHE` names another folder for the cache. An index for a URL is built there, too: who repeats a
command that failed finds its finished parts.
"""

from __future__ import annotations

import contextlib
import os
import platform
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from inexlab import workspaces
from inexlab.errors import InexlabError, InputError, UsageError
from inexlab.progress import reporting

MANIFEST = "manifest.json"  # which every index has
_CONTENT = (MANIFEST, "index.json")  # small files that tell an index from all others
_TIMES = ("mtime", "created", "lastmodified", "last-modified", "last_modified", "date_time")
_STAMPS = frozenset(("size", *_TIMES, "etag", "md5", "content-md5", "digest", "crc"))  # in lower case
_UPLOADING = "unfinished"  # a file that says who uploads the others, until all are there
_COPYING = ".copy."
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
    protocol, _, path = place.partition("://")
    inside = f"{path.rstrip('/')}/{name}" if path else name
    return f"{protocol}://{inside}{chain}{rest}"


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
        if _is_local(system):
            return Path(root)
        system.invalidate_cache()  # what was there when this process looked last does not count
        root = root.rstrip("/")
        found = {file[len(root) :].lstrip("/"): file for file in sorted(system.find(root))}
        files = {name: file for name, file in found.items() if not only or name == only}
        if not files:
            raise InputError("no such index", file=url, fix="Build one with `inexlab index`.")
        stamps = [(name, _stamp(system, file)) for name, file in files.items()]
        target = cache_folder() / _digest(url, stamps)
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            workspaces.clean_up(target.parent, _COPYING)
            with workspaces.workspace(target.parent, _COPYING) as space:
                copy = space / "copy"
                for name, file in reporting(list(files.items()), f"downloading {url}", "files"):
                    here = copy / _inside(name, url)
                    here.parent.mkdir(parents=True, exist_ok=True)
                    system.get_file(file, str(here))
                _rename(copy, target)
        return target
    except (InexlabError, MemoryError, RecursionError):
        raise
    except Exception as error:  # every file system has errors of its own
        what = f"cannot be read ({_reason(error)})"
        raise InputError(
            what, file=url, fix="Check the address, the permissions and what is there."
        ) from None


def _reason(error: Exception) -> str:
    """Return what is wrong, as a file system says it."""
    said = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return str(said).splitlines()[0].rstrip(".")


def _is_local(system: Any) -> bool:
    """Whether a file system is that of this machine."""
    return isinstance(system.protocol, str | tuple) and "file" in system.protocol


def _digest(*what: object) -> str:
    import hashlib  # which takes long to load, and only this needs it

    return hashlib.sha256(repr(what).encode(errors="surrogateescape")).hexdigest()[:24]


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
    """Give a place here for an index, which is copied to a URL if all goes well.

    It is the same for the same URL, so that who repeats a command finds what is finished. Whether the URL can
    be written to is seen before anything is built.
    """
    system, root = _file_system(url)
    if _is_local(system):
        yield Path(root)
        return
    root, space = root.rstrip("/"), cache_folder().absolute() / f"building-{_digest(url)}"
    folder, who = space / "index", f"{platform.node()}:{space}"
    with contextlib.ExitStack() as open_files:
        _need_free(system, root, url, who)
        try:
            space.mkdir(parents=True, exist_ok=True)
            file = open_files.enter_context((space / "lock").open("ab"))
            if workspaces.lock(file) is False:
                raise UsageError(f"{url} is being written by another process; wait until it finishes.")
            shutil.rmtree(folder, ignore_errors=True)  # one that could not be copied
        except OSError as error:
            raise UsageError(
                f"{space} cannot be written ({error.strerror or error}); "
                "INEXLAB_CACHE names another folder to build in."
            ) from None
        try:
            _claim(system, root, url, who)
            yield folder
        except BaseException:
            if not (space / "index.parts").exists():
                shutil.rmtree(space, ignore_errors=True)
            with contextlib.suppress(Exception):  # what there is to say is on its way
                if _uploader(system, root) == who:
                    system.rm(root, recursive=True)
            raise
        _upload(folder, system, root, url)
        shutil.rmtree(space, ignore_errors=True)


def _need_free(system: Any, root: str, url: str, who: str) -> None:
    """Refuse a place where something is, but for what an upload of this place here left."""
    with _writing(url):
        if not system.exists(root):
            return
        other = _uploader(system, root)
        if not other:
            raise UsageError(f"{url} already exists; give a new place as `out=`.")
        if other != who:
            raise UsageError(
                f"{url} is being uploaded from {other}, or was until that failed; "
                "remove what is there, or give a new place as `out=`."
            )


def _uploader(system: Any, root: str) -> str:
    """Return who uploads to a place, or did until that failed; empty if nobody does."""
    mark = f"{root}/{_UPLOADING}"
    if system.exists(f"{root}/{MANIFEST}") or not system.exists(mark):
        return ""
    return str(system.cat_file(mark).decode(errors="replace"))


def _claim(system: Any, root: str, url: str, who: str) -> None:
    """Say at a URL who uploads to it; remove what an earlier upload left."""
    with _writing(url):
        if system.exists(root):
            system.rm(root, recursive=True)
        system.makedirs(root, exist_ok=True)
        system.pipe_file(f"{root}/{_UPLOADING}", who.encode(errors="replace"))


def _upload(folder: Path, system: Any, root: str, url: str) -> None:
    """Copy a folder to a place that a URL names, manifests last: before, nothing there is an index."""
    files = sorted((file for file in folder.rglob("*") if file.is_file()), key=_manifests_last(folder))
    with _writing(url, f"; the index is complete in {folder}"):
        for file in reporting(files, f"uploading {url}", "files"):
            there = f"{root}/{file.relative_to(folder).as_posix()}"
            system.makedirs(there.rpartition("/")[0], exist_ok=True)
            system.put_file(str(file), there)
        system.rm_file(f"{root}/{_UPLOADING}")


@contextlib.contextmanager
def _writing(url: str, done: str = "") -> Iterator[None]:
    """Explain what goes wrong on the way to a URL; `done` says what is not lost."""
    try:
        yield
    except (InexlabError, MemoryError, RecursionError):
        raise
    except Exception as error:
        read_only = isinstance(error, NotImplementedError) and not str(error)
        why = "this file system is only read" if read_only else _reason(error)
        raise UsageError(f"{url} cannot be written ({why}); give another place as `out=`{done}.") from None


def _manifests_last(folder: Path) -> Any:
    def key(file: Path) -> tuple[bool, int, str]:
        inside = file.relative_to(folder)
        return file.name == MANIFEST, -len(inside.parts), inside.as_posix()

    return key


def _stamp(system: Any, file: str) -> str:
    """Return what tells a file from another that was there before.

    File systems tell more or less: some no more than sizes, so that what says what is in all others is read.
    """
    told = sorted((key, str(value)) for key, value in system.info(file).items() if key.lower() in _STAMPS)
    content = system.cat_file(file) if file.rpartition("/")[2] in _CONTENT else b""
    return repr((told, content))


def _file_system(url: str) -> tuple[Any, str]:
    """Return the file system that a URL names, and the place in it."""
    try:
        import fsspec
    except ImportError:
        raise UsageError(f"{url} takes the package fsspec: pip install 'inexlab[cluster]'.") from None
    try:
        system, root = fsspec.core.url_to_fs(url)
    except (MemoryError, RecursionError):
        raise
    except Exception as error:  # of an archive that is damaged, or a library without passwords, say
        raise UsageError(f"{url} cannot be opened ({_reason(error)}).") from None
    return system, str(root)
