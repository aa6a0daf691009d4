"""Damage to an index, one byte at a time, and what becomes of answers."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import inexlab
from inexlab.collection import open_collection
from inexlab.errors import InexlabError
from inexlab.index.blocks import Checksums
from inexlab.index.store import files_folder

QUERIES = (
    "bees",
    '"bees dance"',
    "//sec[about(.//p, bees)]",
    "//sec[about(., ants) and .//yr > 1990]",
    "w1",
    "ete",
)


def checksums_of(array: npt.NDArray[Any]) -> npt.NDArray[np.uint32]:
    """Return the checksums of all blocks of an array."""
    made = Checksums()
    made.add(array.data)
    return made.all()


def answers(folder: Path) -> list[object]:
    """Return what an index says: results of queries, and documents as a collection."""
    index = inexlab.open_index(folder)
    message: list[object] = [
        inexlab.search(index, query, 20, task=task)
        for query in QUERIES
        for task in ("thorough", "focused", "best-in-context")
    ]
    documents = open_collection(folder)
    for id in documents:
        document = documents[id]
        paths = [document.elements.path(number) for number in range(len(document.elements))]
        message.append((id, document.text, paths, document.elements.start.tolist()))
    return message


def damaged_answers(folder: Path, chance: random.Random, sound: list[object]) -> str:
    """Change one byte, ask again, and put it back; return whether that was `refused`, `right` or `wrong`."""
    file = chance.choice(sorted(path for path in files_folder(folder).glob("*.*") if path.stat().st_size))
    at, change = chance.randrange(file.stat().st_size), chance.randrange(1, 256)
    with file.open("r+b") as opened:
        opened.seek(at)
        before = opened.read(1)
        opened.seek(at)
        opened.write(bytes([before[0] ^ change]))
    try:
        return "right" if answers(folder) == sound else "wrong"
    except InexlabError as error:
        return "refused" if "damaged" in str(error) or "version" in str(error) else "wrong"
    finally:
        with file.open("r+b") as opened:
            opened.seek(at)
            opened.write(before)
