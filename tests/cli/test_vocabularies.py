"""Samples of real collections in other vocabularies are indexed in full, as a newcomer would do it."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path

import pytest
from lxml import etree

from inexlab.collection import open_collection
from tests.cli.conftest import Command

SAMPLES = Path(__file__).parents[3] / "shared" / "data" / "vocabularies"


@pytest.fixture
def sample(request: pytest.FixtureRequest) -> Path:
    path = SAMPLES / f"{request.param}.tar.xz"
    if not path.exists():
        pytest.skip(f"the sample (shared/data/vocabularies/{path.name}) is not here")
    return path


def indexed(call: Command, *arguments: str) -> dict[str, object]:
    done = call("index", *arguments, "--out", "index", "-o", "json")
    assert done.code == 0, done.notes
    (facts,) = json.loads(done.out)
    return dict(facts)


@pytest.mark.parametrize(
    ("sample", "options", "facts"),
    [
        ("gerdracor", (), {"documents": 48, "profile": "tei", "ids": "name", "ignored": 0}),
        ("perseus", (), {"documents": 30, "profile": "tei", "ids": "name", "ignored": 0}),
        ("php", ("--entities", "drop"), {"documents": 1211, "profile": "docbook", "ignored": 7}),
        ("dita", (), {"documents": 386, "profile": "dita+markdown", "ids": "path", "left out": 0}),
    ],
    indirect=["sample"],
)
@pytest.mark.parametrize("unpacked", [True, False])
def test_indexed_in_full(
    call: Command,
    sample: Path,
    options: tuple[str, ...],
    facts: dict[str, object],
    unpacked: bool,
    tmp_path: Path,
) -> None:
    place = sample
    if unpacked:
        place = tmp_path / "docs"
        with tarfile.open(sample) as archive:
            archive.extractall(place, filter="data")
    found = indexed(call, str(place), *options)
    if not unpacked and found["profile"] == "dita":
        found["profile"] = "dita+markdown"  # which kinds there are is not known before it is unpacked
    assert {name: found[name] for name in facts} == facts


@pytest.mark.parametrize("sample", ["php"], indirect=True)
def test_entities_that_no_file_declares(call: Command, sample: Path) -> None:
    done = call("index", str(sample), "--out", "index", "-o", "json")
    (facts,) = json.loads(done.out)
    assert (done.code, facts["documents"], facts["left out"]) == (0, 1099, 112)
    assert facts["ignored: .xml, undeclared entity"] == 112
    assert facts["ignored: .ent, entity declarations"] == 7
    assert any("entities are declared by 7 files among the documents" in note for note in done.notes)


@pytest.mark.parametrize("sample", ["gerdracor", "perseus", "dita"], indirect=True)
def test_text_and_spans_are_those_of_lxml(sample: Path) -> None:
    collection = open_collection(sample)
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True, load_dtd=False)
    string = etree.XPath("string()")
    compared = 0
    for id in collection:
        document = collection[id]
        if document.elements.tags[0] in ("markdown", "html"):
            continue
        root = etree.fromstring(collection._files[id][1](), parser)
        values = [string(node) for node in root.iter(etree.Element)]
        spans = zip(document.elements.start.tolist(), document.elements.end.tolist(), strict=True)
        assert [document.text[a:b] for a, b in spans] == values
        compared += 1
    assert compared >= 30


@pytest.mark.parametrize("sample", ["gerdracor"], indirect=True)
def test_what_a_speech_is_called(call: Command, sample: Path) -> None:
    indexed(call, str(sample))
    asked = ("//sp[about(., Ungeheuer)]", "--interpretation", "SSCAS", "--by", "elements:*")
    done = call("search", "index", *asked, "-k", "1", "-o", "json")
    (hit,) = json.loads(done.out)
    shown = call("show", "index", hit["doc"], hit["path"]).out
    speaker = shown.split("\n")[0].rstrip(".")
    assert hit["breadcrumb"].rsplit(" › ", 1)[-1].rstrip(".") == speaker != ""
