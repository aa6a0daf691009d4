"""Documents indexed in parts: what a build has to say is the same, in however many parts it was made."""

from __future__ import annotations

from pathlib import Path

import pytest

import inexlab
from inexlab.errors import UsageError
from inexlab.executors import Threads
from inexlab.index.indexing import index_documents


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    for k in range(6):
        text = f"<article><p>bee &hive; &queen;{' &hive;' * k} wax {k}</p></article>"
        (folder / f"d{k}.xml").write_text(f'<!DOCTYPE article SYSTEM "a.dtd">{text}')
    (folder / "broken.xml").write_text("<article>")
    (folder / "picture.png").write_bytes(b"\x89PNG")
    return folder


@pytest.mark.parametrize(("shards", "workers"), [(4, 1), (7, 2)])
def test_a_build_in_parts_says_what_one_build_does(
    docs: Path, tmp_path: Path, shards: int, workers: int
) -> None:
    one = inexlab.build_index(docs, tmp_path / "one", entities="drop")
    told: list[float] = []
    settings = {"entities": "drop", "shards": shards, "jobs": workers}
    parts = inexlab.build_index(
        docs,
        tmp_path / "parts",
        progress=lambda part, _: told.append(part),
        **settings,  # type: ignore[arg-type]
    )
    assert parts.notes == one.notes
    assert any("hive" in note for note in parts.notes)
    left = {"index", "terms", "shards", "bytes", "version"}
    facts = [{k: v for k, v in made.facts.items() if k not in left} for made in (one, parts)]  # type: ignore[union-attr]
    assert facts[0] == facts[1]
    assert told[-1] == 1
    merged = inexlab.build_index(tmp_path / "parts", tmp_path / "merged", merge=True)
    same = {"index"}
    facts = [{k: v for k, v in made.facts.items() if k not in same} for made in (one, merged)]  # type: ignore[union-attr]
    del facts[0]["left out"], facts[1]["left out"]
    assert facts[0] == facts[1]


def test_threads_do_not_mix_up_their_parts(docs: Path, tmp_path: Path) -> None:
    index_documents([docs], tmp_path / "one")
    index_documents([docs], tmp_path / "merged", executor=Threads(4))
    for file in sorted((tmp_path / "one/1").glob("*.bin")):
        assert file.read_bytes() == (tmp_path / "merged/1" / file.name).read_bytes(), file.name


def test_nothing_to_index_and_places_that_are_taken(docs: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"broken.xml, line 1"):
        inexlab.build_index(docs / "broken.xml", tmp_path / "out", shards=2)
    assert not list(tmp_path.glob("out*"))
    (tmp_path / "out.parts").mkdir()
    (tmp_path / "out.parts" / "mine.txt").write_text("precious")
    with pytest.raises(UsageError, match=r"out.parts is in the way"):
        inexlab.build_index(docs, tmp_path / "out", shards=2, entities="drop")
    assert (tmp_path / "out.parts" / "mine.txt").read_text() == "precious"
    inexlab.build_index(docs, tmp_path / "two", entities="drop")
    with pytest.raises(UsageError, match="is already an index"):
        inexlab.build_index(docs, tmp_path / "two", entities="drop", shards=2)
