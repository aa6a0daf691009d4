"""Judgements in and out of the laboratory, in all formats that `convert` has."""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from inexlab.assess.exchange import Imported, add_judgements, judgements_of
from inexlab.errors import InputError, UsageError
from inexlab.experiments.conversion import convert
from inexlab.index.collection import IndexedDocuments
from inexlab.judgements import read_judgements
from inexlab.judgements.convert import as_highlights
from inexlab.judgements.write import judgement_writers
from inexlab.web.lab import Lab
from inexlab.wording import counted

_LARGEST = 2**30  # bytes of unpacked files


class GivenFile(NamedTuple):
    """A file that somebody sent."""

    name: str
    content: bytes


def export(
    lab: Lab,
    out: str | Path,
    *,
    to: str = "jsonl",
    assessor: Sequence[str] = (),
    merge: str = "",
    unfinished: bool = False,
) -> list[str]:
    """Write what was judged; return what was written and left out, in words."""
    assert lab.store is not None
    judgement_writers[to]
    judgements, left_out = judgements_of(lab.store, lab.length, unfinished=unfinished)
    if not len(judgements):
        raise UsageError("there is nothing to export yet: no document is finished.")
    notes = convert(
        judgements,
        to=to,
        out=out,
        collection=IndexedDocuments(lab.index),
        assessor=assessor,
        merge=merge,
    )
    if left_out:
        notes.append(f"{counted(left_out, 'judgement')} left out, in progress still")
    return notes


def exported(
    lab: Lab, to: str, assessor: str = "", merge: str = "", *, unfinished: bool = False
) -> GivenFile:
    """Return what was judged as one file; a folder of files is packed."""
    names = [assessor] if assessor else []
    with tempfile.TemporaryDirectory(prefix="inexlab-") as folder:
        out = Path(folder) / "judgements"
        export(lab, out, to=to, assessor=names, merge=merge, unfinished=unfinished)
        stem = "-".join(filter(None, ("judgements", assessor or merge, to)))
        if out.is_file():
            ending = {"jsonl": ".jsonl", "web-annotation": ".jsonld"}.get(to, ".txt")
            return GivenFile(stem + ending, out.read_bytes())
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(out.rglob("*")):
                archive.write(file, PurePosixPath(stem) / file.relative_to(out).as_posix())
        return GivenFile(f"{stem}.zip", packed.getvalue())


def bring_in(
    lab: Lab, files: Sequence[GivenFile], *, author: str, unnamed: str = "", replace: bool = False
) -> tuple[Imported, list[str]]:
    """Read judgements and keep them, all or none; return how many, and what could not be kept, in words."""
    assert lab.store is not None
    if not any(file.content for file in files):
        raise UsageError("Choose a file of judgements first.")
    with tempfile.TemporaryDirectory(prefix="inexlab-") as name:
        folder = Path(name)
        try:
            for file in files:
                _unpack(file, folder)
            judgements = read_judgements(folder)
            converted = as_highlights(judgements, IndexedDocuments(lab.index))
            found = add_judgements(
                lab.store,
                converted.judgements,
                author=author,
                size_of=lab.length,
                digest_of=lab.digest,
                unnamed=unnamed,
                replace=replace,
            )
        except InputError as error:  # as the sender calls the file
            shown = str(error).replace(f"{folder}/", "").replace(str(folder), files[0].name)
            raise UsageError(shown) from None
    return found, [*judgements.warnings, *converted.notes]


def _unpack(file: GivenFile, folder: Path) -> None:
    """Write a file, or the files that are packed in it, into a folder."""
    if not file.content.startswith(b"PK\x03\x04"):
        _place(folder, file.name).write_bytes(file.content)
        return
    try:
        with zipfile.ZipFile(io.BytesIO(file.content)) as archive:
            members = [member for member in archive.infolist() if not member.is_dir()]
            if sum(member.file_size for member in members) > _LARGEST:
                raise UsageError(f"{file.name} holds more than 1 GiB.")
            for member in members:
                _place(folder, member.filename).write_bytes(archive.read(member))
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        raise UsageError(f"{file.name} cannot be unpacked ({error}).") from None


def _place(folder: Path, name: str) -> Path:
    """Return a new place in a folder for a file of this name, whatever folders it names."""
    stem = "".join(c if c.isalnum() or c in "._- " else "_" for c in PurePosixPath(name).name)[-80:]
    place, number = folder / (stem.lstrip(".") or "file"), 1
    while place.exists():
        number += 1
        place = folder / f"{number}-{stem}"
    return place
