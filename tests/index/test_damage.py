"""A damaged index: whatever its files hold, searching it ends, and with a message where it fails.

Compiled loops do not check what they index, so this runs in a process of its own.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from inexlab.errors import InputError
from inexlab.index.build import build_index
from inexlab.index.index import open_index
from inexlab.index.store import files_folder
from tests.index.damage import answers, damaged_answers

_QUERIES = (
    "bees",
    "ete",
    '"bees dance"',
    "//sec[about(.//p, bees)]",
    "//sec[about(., ants) and .//yr > 1990]",
)

_SCRIPT = f"""
import sys, inexlab
from pathlib import Path
from inexlab.collection import open_collection
from inexlab.errors import InexlabError

for folder in sorted(Path(sys.argv[1]).iterdir()):
    try:
        index = inexlab.open_index(folder)
        for query in {_QUERIES!r}:
            for task in ("thorough", "focused"):
                try:
                    inexlab.search(index, query, 20, task=task)
                except InexlabError as error:
                    assert "is damaged: " in str(error), error
        documents = open_collection(folder)
        for id in documents:
            elements = documents[id].elements
            paths = [elements.path(number) for number in range(len(elements))]
    except InexlabError as error:
        assert "is damaged: " in str(error), error
    print(folder.name, flush=True)
"""


def article(number: int) -> bytes:
    sections = "".join(
        f"<sec><yr>{1980 + k}</yr><p>Bees dance <b>here</b> and {k} ants</p>"
        f"<p xml:lang='fr'>été w{k}</p></sec>"
        for k in range(number % 5)
    )
    long = "<p>wax" + " " * (1 << 16) + "wax</p>" if number == 9 else ""  # so that no file is empty
    return f"<article><title>Bees {number}</title>{long}{sections}</article>".encode()


def damages(content: bytes) -> dict[str, bytes]:
    third = len(content) // 3
    return {
        "bit": content[:third] + bytes([content[third] ^ 64]) + content[third + 1 :],
        "last": content[:-1] + bytes([content[-1] ^ 255]),
        "zeros": bytes(len(content)),
        "ones": b"\xff" * len(content),
        "half": content[:third] + b"\xff" * (len(content) - third),
        "numbers": bytes(128 + k % 128 for k in range(len(content))),
        "backwards": content[::-1],
    }


@pytest.mark.parametrize("way", ["always", pytest.param("never", marks=pytest.mark.soak)])
def test_no_damage_ends_a_search_badly(tmp_path: Path, way: str) -> None:
    build_index(((f"d{k}", f"d{k}.xml", article(k)) for k in range(12)), tmp_path / "sound")
    made = []
    for file in sorted(files_folder(tmp_path / "sound").glob("*.bin")):
        for name, content in damages(file.read_bytes()).items():
            made.append(f"{file.stem}-{name}")
            shutil.copytree(tmp_path / "sound", tmp_path / "damaged" / made[-1])
            (tmp_path / "damaged" / made[-1] / "1" / file.name).write_bytes(content)
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT, str(tmp_path / "damaged")],
        env={**os.environ, "INEXLAB_COMPILED": way},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.stdout.split() == sorted(made), done.stderr[-1000:]


@pytest.mark.parametrize(
    ("file", "content", "what"),
    [
        ("document-elements", b"\xff", "document-elements"),
        ("document-tokens", b"\xff", "document-tokens"),
        ("document-id-from", b"\xff", "document-id-from"),
    ],
)
def test_what_is_seen_at_once(tmp_path: Path, file: str, content: bytes, what: str) -> None:
    build_index(((f"d{k}", f"d{k}.xml", article(k)) for k in range(3)), tmp_path / "index")
    path = tmp_path / "index" / "1" / f"{file}.bin"
    path.write_bytes(content * path.stat().st_size)
    with pytest.raises(InputError, match=rf"index: is damaged: {what}\.bin does not match its checksum\."):
        open_index(tmp_path / "index")


@pytest.mark.parametrize("way", ["always", pytest.param("never", marks=pytest.mark.soak)])
def test_no_single_byte_changes_an_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    monkeypatch.setenv("INEXLAB_COMPILED", way)
    build_index(((f"d{k}", f"d{k}.xml", article(k)) for k in range(12)), tmp_path / "index")
    sound = answers(tmp_path / "index")
    assert len(sound) > 20
    counted = Counter(damaged_answers(tmp_path / "index", random.Random(seed), sound) for seed in range(80))
    assert counted["wrong"] == 0
    assert counted["refused"] > 50
