"""An index on disk: arrays in files of their own, and manifests that say what they are.

    INDEX/manifest.json     format and version, and which folder has the files
    INDEX/1/index.json      settings, counts, type and length of every array
    INDEX/1/NAME.bin        one file of raw numbers per array
    INDEX/1/checksums.bin   of every block of 64 KiB of every array, in the order of their names

An index is written in a hidden folder and renamed when it is complete, and opened by mapping the files into
memory. To replace one takes one step: its files get the next folder, and then the manifest that says so takes
the place of the old one. Whoever reads sees all of the old files or all of the new ones; those who have the
old ones open keep them.

Manifests have checksums of their own. Those of arrays are compared when a block is first needed.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from inexlab import workspaces
from inexlab.errors import InputError, UsageError
from inexlab.index.blocks import BLOCK, Array, Blocks, Checksums, DamagedError
from inexlab.output import make_durable
from inexlab.workspaces import lock as lock

if TYPE_CHECKING:
    from typing_extensions import Buffer

VERSION = 5
MANIFEST = "manifest.json"
CONTENT = "index.json"
CHECKSUMS = "checksums.bin"
BESIDE = "units"  # the folder for what is worked out from an index; it may be deleted
_FORMAT = "inexlab index"
SHARDS = "inexlab shards"  # the format of a manifest that names indexes
_NAME = 200  # bytes of an index's name in that of a workspace: names end at 255 bytes
_TRIES = 1000  # to open an index that is replaced again and again in the meantime


def narrowest(largest: int) -> str:
    """Return the smallest type of unsigned numbers that holds a number.

    >>> narrowest(255), narrowest(256), narrowest(70_000)
    ('u1', 'u2', 'u4')
    """
    return "u1" if largest < 1 << 8 else "u2" if largest < 1 << 16 else "u4" if largest < 1 << 32 else "u8"


class ArrayFile:
    """An array of an index while it grows, in the smallest type of unsigned numbers that holds all so far.

    In any other type it stays.
    """

    def __init__(
        self, folder: Path, name: str, dtype: str = "u1", resumed: Mapping[str, Any] | None = None
    ) -> None:
        """A file that is there is `resumed`, at its end, where its entry in the manifest is given."""
        self.name, self._path = name, folder / f"{name}.bin"
        self._dtype, self._length, self._checksums = dtype, 0, Checksums()
        if resumed is not None:
            self._dtype, self._length = np.dtype(resumed["type"]).str[1:], int(resumed["length"])
            self._checksums = Checksums.resumed(resumed["checksums"], _size(resumed))
        self._file = self._path.open("wb" if resumed is None else "ab", buffering=1 << 18)

    @property
    def type(self) -> str:
        """The type so far, as the manifest says it."""
        return np.dtype(self._dtype).str

    def add(self, numbers: Array) -> None:
        """Write some more numbers."""
        if self._dtype[0] == "u":
            dtype = narrowest(int(numbers.max(initial=0)))
            if dtype > self._dtype:
                self._widen(dtype)
        self.add_bytes(np.ascontiguousarray(numbers, dtype=self._dtype).data)

    def add_bytes(self, data: Buffer) -> None:
        """Write some more bytes, as they are."""
        written = self._file.write(data)
        self._length += written // np.dtype(self._dtype).itemsize
        self._checksums.add(data)

    def close(self) -> dict[str, Any]:
        """Complete the file, once or again; return its entry in the manifest."""
        self._file.close()
        return {
            "type": self.type,
            "length": self._length,
            "checksums": self._checksums.all(),
        }

    def _widen(self, dtype: str) -> None:
        """Write all again with more bytes to a number."""
        self._file.close()
        narrow, old = self._path.with_suffix(".narrow"), self._dtype
        self._path.rename(narrow)
        self._file = self._path.open("wb", buffering=1 << 18)
        self._dtype, self._length, self._checksums = dtype, 0, Checksums()
        with narrow.open("rb") as source:
            while block := source.read(1 << 22):
                self.add_bytes(np.frombuffer(block, dtype=old).astype(dtype).data)
        narrow.unlink()


class BordersFile(ArrayFile):
    """Where what lies one behind the other begins and ends: borders from 0 on, while they grow."""

    def __init__(self, folder: Path, name: str, dtype: str = "i8") -> None:
        super().__init__(folder, name, dtype)
        self._last = 0
        self.add(np.zeros(1, dtype=np.int64))

    def add_sizes(self, sizes: Array) -> None:
        """Write the borders behind some more of these sizes."""
        if len(sizes):
            borders = np.cumsum(sizes, dtype=np.int64)
            borders += self._last
            self.add(borders)
            self._last = int(borders[-1])


class TextFile:
    """The texts of an index's documents while it grows, each packed by itself."""

    def __init__(self, folder: Path) -> None:
        import zstandard

        self._file, self._borders = ArrayFile(folder, "text"), BordersFile(folder, "document-text")
        # packs articles nearly as well as level 1, in a tenth less time: the table of matches stays near
        how = zstandard.ZstdCompressionParameters.from_level(1, min_match=7, hash_log=13)
        self._pack = zstandard.ZstdCompressor(compression_params=how).compress

    def add(self, text: bytes | memoryview) -> None:
        """Write one more text, in UTF-8."""
        self.add_all([text])

    def add_all(self, texts: Iterable[bytes | memoryview]) -> None:
        """Write some more texts."""
        packed = [self._pack(text) for text in texts]
        self._file.add_bytes(b"".join(packed))
        self._borders.add_sizes(np.array([len(text) for text in packed], dtype=np.int64))

    def close(self) -> None:
        """Close the files, also where they are not complete."""
        self._file.close()
        self._borders.close()

    def complete(self) -> dict[str, Any]:
        """Complete the files; return what the manifest says of them."""
        return {file.name: file.close() for file in (self._file, self._borders)}


@contextlib.contextmanager
def unfinished(out: Path, *, replace: bool = False) -> Iterator[Path]:
    """Give a folder for the files of an index that appears at `out` if all goes well, and is removed if not.

    Nothing takes it for an index before: it is in a hidden folder, and its manifest is written last. With
    `replace` it takes the place of the index that is there.
    """
    if not replace:
        need_new(out)
    target = out.resolve()
    with workspace(out) as space:
        before = _current(target) if replace else 0
        whole = space / "index"
        folder = whole / str(before + 1)
        folder.mkdir(parents=True)
        yield folder
        content = {"format": _FORMAT, "version": VERSION, "folder": folder.name}
        save_json(whole / MANIFEST, content)
        make_durable(*folder.iterdir(), folder, whole / MANIFEST, whole)
        if replace:
            _remove_others(target, before)  # what killed processes left
            folder.rename(target / folder.name)
            make_durable(target)
            (whole / MANIFEST).replace(target / MANIFEST)
            make_durable(target)
            _remove_others(target, before + 1)
        else:
            whole.rename(target)
            make_durable(target.parent)


def _remove_others(target: Path, current: int) -> None:
    """Remove the folders of an index that its manifest does not name."""
    for folder in target.iterdir():
        if folder.name.isdecimal() and folder.name != str(current):
            shutil.rmtree(folder, ignore_errors=True)


def need_new(out: Path) -> None:
    """Refuse to write an index where something is."""
    if is_index(out):
        raise UsageError(
            f"{out} is already an index; give a new folder as `out=`, or add to it with `append=True`."
        )
    if os.path.lexists(out):
        raise UsageError(f"{out} already exists; give a new folder as `out=`.")


@contextlib.contextmanager
def workspace(out: Path) -> Iterator[Path]:
    """Give a hidden folder beside `out` to work in, which is removed in the end."""
    target = out.resolve()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        prefix = _prefix(target)
        workspaces.clean_up(target.parent, prefix)
        with workspaces.workspace(target.parent, prefix) as space:
            yield space
    except OSError as error:
        where, what = _meant(target), error.strerror or error
        raise UsageError(f"{where} cannot be written ({what}); give another place as `out=`.") from None


def being_written(out: Path) -> bool:
    """Whether somebody is writing an index to `out`, as far as this system can tell."""
    target = out.resolve()
    return workspaces.in_use(target.parent, _prefix(target))


def _prefix(target: Path) -> str:
    """Return how the names of workspaces for an index begin."""
    return f".{os.fsdecode(os.fsencode(target.name)[:_NAME])}."


def _meant(path: Path) -> Path:
    """Return the place that something in a workspace is to become part of."""
    for folder in path.parents:
        if folder.name.startswith(".") and folder.name.endswith(workspaces.ENDING):
            name = folder.name[1:].removesuffix(workspaces.ENDING).rpartition(".")[0]
            return _meant(folder.parent / name)
    return path


def save_manifest(folder: Path, settings: Mapping[str, Any], arrays: Mapping[str, Any]) -> None:
    """Write the manifest of the arrays in a folder, and their checksums."""
    entries = {name: {**entry} for name, entry in sorted(arrays.items())}
    sums = np.concatenate([np.zeros(0, dtype=np.uint32), *(e.pop("checksums") for e in entries.values())])
    (folder / CHECKSUMS).write_bytes(sums.astype("<u4").data)
    content = {"version": VERSION, **settings, "checksums": zlib.crc32(sums.astype("<u4").data)}
    save_json(folder / CONTENT, {**content, "arrays": entries})


def save_json(path: Path, content: dict[str, Any]) -> None:
    """Write a manifest with its own checksum."""
    content["crc32"] = own_checksum(content)
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def own_checksum(content: Mapping[str, Any]) -> int:
    """Return the CRC-32 of a manifest's content, but for the one in it."""
    rest = {key: value for key, value in content.items() if key != "crc32"}
    return zlib.crc32(json.dumps(rest, sort_keys=True).encode())


def is_index(folder: Path) -> bool:
    """Whether a folder is an index, of whatever version and however damaged."""
    return has_format(folder, _FORMAT)


def has_format(folder: Path, format: str) -> bool:
    """Whether the manifest of a folder says that it is of a format."""
    with contextlib.suppress(OSError), (folder / MANIFEST).open("rb") as file:
        return f'"format": "{format}"'.encode() in file.read(64)
    return False


class Files(NamedTuple):
    """What is in an index: its settings and counts, and its arrays."""

    manifest: dict[str, Any]
    arrays: dict[str, Blocks]


def open_files(folder: Path) -> Files:
    """Map all files of an index into memory; its manifests and the sizes of all files are checked."""
    files = files_folder(folder)
    for _ in range(_TRIES):
        try:
            return _open_files(folder, files)
        except InputError:
            before, files = files, files_folder(folder)
            if before == files:
                raise
    raise InputError("is being replaced continuously", file=str(folder), fix="Try again.")


def _open_files(folder: Path, files: Path) -> Files:
    manifest = _read_json(folder, files / CONTENT)
    entries: dict[str, Any] = manifest["arrays"]
    counts = [-(-_size(entry) // BLOCK) for entry in entries.values()]
    sums = _map(folder, files / CHECKSUMS, "<u4", sum(counts))
    if zlib.crc32(sums.data if len(sums) else b"") != manifest["checksums"]:
        raise damaged(folder, f"{CHECKSUMS} does not match its checksum")
    parts = np.split(sums, np.cumsum(counts)[:-1]) if counts else []
    arrays = {
        name: Blocks(_map(folder, files / f"{name}.bin", entry["type"], entry["length"]), part)
        for (name, entry), part in zip(entries.items(), parts, strict=True)
    }
    return Files(manifest, arrays)


def files_folder(folder: Path) -> Path:
    """Return the folder with the files of an index as it is now."""
    with readable(folder):
        if not folder.is_dir():
            raise InputError("no such index", file=str(folder), fix="Build one with `inexlab index`.")
        if not (folder / MANIFEST).exists():
            raise InputError(
                "is not an index: it has no manifest",
                file=str(folder),
                fix="Give the folder that the index was written to.",
            )
    name = str(_read_json(folder, folder / MANIFEST)["folder"])
    if not name.isdecimal():
        raise damaged(folder, f"{MANIFEST} names the folder {name!r}")
    return folder / name


def _current(folder: Path) -> int:
    return int(files_folder(folder).name)


def _read_json(folder: Path, path: Path) -> dict[str, Any]:
    """Read a manifest and check it."""
    name = str(folder)
    try:
        with readable(folder):
            content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if path.name == MANIFEST and content["format"] != _FORMAT:
            raise KeyError("format")
        if content["version"] != VERSION:
            raise InputError(
                f"is an index of version {content['version']}, and this is inexlab for version {VERSION}",
                file=name,
                fix="Build it again.",
            )
        if content["crc32"] != own_checksum(content):
            raise KeyError("crc32")
    except FileNotFoundError:
        raise damaged(folder, f"{path.name} is missing") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise InputError(
            "is not an index: its manifest is damaged", file=name, fix="Build it again."
        ) from None
    return content


def damaged(folder: Path, what: str) -> InputError:
    """Return the error for an index with a file that is not as it was written."""
    fix = f"Build it again (`verify={folder}` checks all files)."
    return InputError(f"is damaged: {what}", file=str(folder), fix=fix)


@contextlib.contextmanager
def readable(folder: Path) -> Iterator[None]:
    """Say of an index that it cannot be read where the operating system says so of a file in it."""
    try:
        yield
    except FileNotFoundError:
        raise
    except OSError as error:
        what = f"cannot be read ({error.strerror or error})"
        raise InputError(what, file=str(error.filename or folder), fix="Check its permissions.") from None


def _map(folder: Path, path: Path, dtype: str, length: int) -> Array:
    """Map a file of an index into memory, to be read."""
    size = np.dtype(dtype).itemsize * length
    with readable(folder):
        try:
            right = path.stat().st_size == size
            if right:
                return map_array(path, dtype, length)
        except FileNotFoundError:
            right = False
    raise damaged(folder, f"{path.name} is not {size:,} bytes long")


def map_array(path: Path, dtype: str, length: int) -> Array:
    """Map a file of numbers into memory, to be read."""
    if not length:
        return np.zeros(0, dtype=dtype)
    return np.asarray(np.memmap(path, dtype=dtype, mode="r", shape=(length,)))


def verify(folder: Path) -> list[str]:
    """Return the names of the files whose content is not what the manifest says."""
    files = files_folder(folder)
    manifest = _read_json(folder, files / CONTENT)
    try:
        sums = np.fromfile(files / CHECKSUMS, dtype="<u4")
    except FileNotFoundError:
        return [CHECKSUMS]
    if zlib.crc32(sums.data) != manifest["checksums"]:
        return [CHECKSUMS]
    wrong, at, before = [], 0, 0
    of = sum(map(_size, manifest["arrays"].values()))
    for name, entry in manifest["arrays"].items():
        path, blocks = files / f"{name}.bin", -(-_size(entry) // BLOCK)
        try:
            array = _map(folder, path, entry["type"], int(entry["length"]))
            Blocks(array, sums[at : at + blocks]).all(before, of)
        except (InputError, DamagedError):
            wrong.append(path.name)
        at += blocks
        before += _size(entry)
    return wrong


def size_of(folder: Path) -> int:
    """Return how many bytes the files of an index have."""
    return sum(file.stat().st_size for file in files_folder(folder).iterdir() if file.is_file())


def _size(entry: Mapping[str, Any]) -> int:
    return int(np.dtype(entry["type"]).itemsize) * int(entry["length"])
