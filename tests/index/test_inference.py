"""What tags are that no profile speaks of: inferred from the elements of an index, whatever way they came."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import inexlab
from inexlab.api.indexing import IndexResult
from inexlab.collection.profile import read_profile
from inexlab.index import inference
from inexlab.index.build import Settings, build_index
from inexlab.index.guide import path_guide
from inexlab.index.index import Index, open_index
from inexlab.index.indexing import append_documents, index_documents
from inexlab.index.inference import Inferred, inference_notes, inferred, keep_inferred
from inexlab.index.look import look
from inexlab.index.merge import merge_indexes
from inexlab.index.store import files_folder
from inexlab.retrieval.unit import units_of

LONG = "The hive of these bees stands in a meadow near the river, and it is old."


def document(k: int) -> str:
    """Return a document in a vocabulary of its own."""
    return (
        f"<piece><kop>Bees, part {k}</kop><by><who>Ada Bee</who><when>1815</when></by>"
        f"<al>{LONG} See <go><nr>hive {k}</nr></go> there. <so>Much</so> wax is made of it.</al>"
        f"<al>{LONG} It has <so>very</so> much wax.</al><aside><al>{LONG}</al></aside></piece>"
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    docs = tmp_path / "docs"
    docs.mkdir()
    for k in range(4):
        (docs / f"d{k}.xml").write_text(document(k))
    return docs


# `nr` is never beside text of its parent's own, but always in what is inline
EXPECTED = Inferred(frozenset({"so", "go", "nr"}), frozenset({"kop", "by", "who", "when"}))


def build(documents: list[Path], out: Path) -> Index:
    index_documents(documents, out)
    return open_index(out)


def test_inline_and_short_tags(folder: Path, tmp_path: Path) -> None:
    index = build([folder], tmp_path / "index")
    assert index.profile.name == "plain"
    assert inferred(index) == EXPECTED
    # what is said of a tag is not inferred
    build_index(
        [(f"d{k}", f"d{k}.xml", document(k).encode()) for k in range(4)],
        tmp_path / "said",
        Settings(profile=read_profile(str(_profile(tmp_path)))),
    )
    assert inferred(open_index(tmp_path / "said")) == Inferred(frozenset({"so"}), frozenset({"when", "by"}))


def _profile(folder: Path) -> Path:
    file = folder / "mine.toml"
    file.write_text('inline = ["nr"]\noutside = ["out"]\nsections = ["go"]\ntitles = ["top/kop", "who"]\n')
    return file


def test_the_same_however_documents_came(folder: Path, tmp_path: Path) -> None:
    files = sorted(folder.iterdir())
    index_documents([files[0]], tmp_path / "one")
    assert inferred(open_index(tmp_path / "one")) == Inferred()  # which tells too little
    index_documents(files[1:], tmp_path / "others")
    merged = merge_indexes([tmp_path / "one", tmp_path / "others"], tmp_path / "merged")
    append_documents(files[1:], tmp_path / "one")
    index_documents([folder], tmp_path / "at once")
    contents = [
        {file.name: file.read_bytes() for file in files_folder(tmp_path / name).iterdir() if file.is_file()}
        for name in ("merged", "one", "at once")
    ]
    assert contents[0] == contents[1] == contents[2]
    assert inferred(merged) == inferred(open_index(tmp_path / "one")) == EXPECTED


def test_it_is_kept_beside_the_index(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build([folder], tmp_path / "index")
    keep_inferred(open_index(tmp_path / "index"))
    [file] = (files_folder(tmp_path / "index") / "units").iterdir()
    kept = file.read_bytes()
    for damage in (b"", b"{}", b"[]", kept.replace(b'"index": ', b'"index": 1')):
        file.write_bytes(damage)
        keep_inferred(open_index(tmp_path / "index"))
        assert file.read_bytes() == kept
    monkeypatch.setattr(inference, "_work_out", None)  # as it is not called
    assert inferred(open_index(tmp_path / "index")) == EXPECTED


def test_it_is_said(folder: Path, tmp_path: Path) -> None:
    note = (
        "the profile plain does not say what some tags are; taken for inline mark-up: go, nr, so; "
        "too short to be answers by themselves: by, kop, when, who. Where that is wrong, say it "
        "in a profile: `inexlab profiles plain`."
    )
    made = inexlab.build_index(folder, tmp_path / "index")
    assert f"note: {note}" in made.notes
    described = inexlab.build_index(info=tmp_path / "index")
    assert described.notes == (f"note: {note}",)
    assert isinstance(described, IndexResult)
    assert described.facts["inline by inference"] == "go nr so"
    assert described.facts["short by inference"] == "by kop when who"
    found = look([folder], Settings())
    assert found.notes == [note]
    assert {tag.tag: tag.taken_for for tag in found.tags} == {
        "piece": "unit",
        "al": "unit",
        "aside": "unit",
        **dict.fromkeys(EXPECTED.inline, "inline, by inference"),
        **dict.fromkeys(EXPECTED.short, "unit, too short alone"),
    }
    # where a profile says what answers are, what is too short makes no difference
    assert inference_notes(EXPECTED._replace(inline=frozenset()), read_profile("jats")) == []


def test_blocks_and_sentences_go_through_what_is_inline(folder: Path, tmp_path: Path) -> None:
    index = build([folder], tmp_path / "index")
    texts = {}
    for by in ("sentences:1", "passages:400c", "auto"):
        units = units_of(index, by)
        spans = [units.span(unit) for unit in range(units.count) if units.documents(np.array([unit])) == 0]
        texts[by] = [index.text(0)[start:end] for start, end in spans]
    whole = f"{LONG} See hive 0 there. Much wax is made of it."
    assert texts["passages:400c"][:5] == [
        "Bees, part 0",
        "Ada Bee",
        "1815",
        whole,
        f"{LONG} It has very much wax.",
    ]
    assert texts["sentences:1"][3:6] == [LONG, "See hive 0 there.", "Much wax is made of it."]
    # names and headings are no answers by themselves
    assert texts["auto"] == [f"Bees, part 0Ada Bee1815{whole}", f"{LONG} It has very much wax.", LONG]
    # a passage in what is inline lies in the element around
    units = units_of(index, "windows:1w")
    paths = {index.path(e) for e in units.elements(np.arange(units.count)).tolist()}
    assert not any(f"/{tag}[" in path for tag in EXPECTED.inline for path in paths)


def test_elements_that_cannot_be(monkeypatch: pytest.MonkeyPatch) -> None:
    """No element may have a parent in the document before; the loop would write there."""
    monkeypatch.setenv("INEXLAB_COMPILED", "never")  # plain Python tells of what is written beyond an array
    tag, tokens = np.array([0, 1, 0, 1]), np.array([2, 1, 2, 1])
    borders = np.array([0, 2, 4])
    for back, sound in (([0, 1, 0, 1], True), ([0, 1, 2, 1], False), ([0, 1, 0, 3], False)):
        guide = path_guide(tag, np.array(back), ("r", "p"))
        assert guide is not None
        counts = inference._counts(guide, np.array(back), tokens, borders)
        assert (counts is not None) == sound
        if counts is not None:  # elements with words, beside text of their parents' own, short ones
            assert counts.tolist() == [[0, 0, 0], [2, 2, 2]]
