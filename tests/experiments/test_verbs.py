"""Verbs as functions: what is given by path may be a Path or an object, and nothing is printed."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from inexlab.collection import open_collection
from inexlab.errors import UsageError
from inexlab.experiments import OffsetUnits
from inexlab.experiments.cas import cas_sets, make_strict_runs, write_cas_set
from inexlab.experiments.conversion import convert
from inexlab.experiments.inputs import opened
from inexlab.experiments.profile import profile_runs
from inexlab.experiments.recall_base import list_recall_base
from inexlab.experiments.topics import examine_topics, topic_ids
from inexlab.topics.description import describe_nexi

HANDBOOK = Path(str(files("inexlab") / "handbook"))
JUDGEMENTS, TOPICS, ARTICLES = (HANDBOOK / name for name in ("judgements.qrels", "topics.xml", "articles"))
RUN = HANDBOOK / "runs" / "focused-paragraphs.txt"


@pytest.fixture(autouse=True)
def silence(capsys: pytest.CaptureFixture[str]) -> object:
    yield
    assert capsys.readouterr() == ("", "")


def test_a_collection_is_opened_once() -> None:
    documents = opened(ARTICLES)
    assert documents is not None
    assert opened(documents) is documents
    assert opened(None) is opened("") is None


def test_units_other_than_characters_need_documents() -> None:
    OffsetUnits().require_documents(None)
    OffsetUnits("byte").require_documents(ARTICLES)
    with pytest.raises(UsageError, match="needs the texts"):
        OffsetUnits(judgements="byte").require_documents(None)


def test_topics() -> None:
    examined = examine_topics([TOPICS], statistics=True, selected=[TOPICS], assessed=[JUDGEMENTS])
    assert list(examined.parts) == [str(TOPICS)]
    assert examined.survival().selected == len(examined.together)
    assert examined.survival().assessed == len(topic_ids(JUDGEMENTS))
    assert examined.stage_notes == ()


def test_recall_base_of_an_open_collection() -> None:
    by_path = list_recall_base(JUDGEMENTS, collection=ARTICLES)
    opened_before = list_recall_base(str(JUDGEMENTS), collection=open_collection(ARTICLES))
    assert by_path.elements == opened_before.elements
    assert sum(by_path.by_topic.values()) == sum(by_path.by_tag.values()) == len(by_path.elements) > 0


def test_profiles_come_run_by_run() -> None:
    profiles = profile_runs([RUN, RUN.with_name("focused-sections.txt")], by="depth", collection=ARTICLES)
    assert [{row["run"] for row in profile.rows} for profile in profiles] == [{"paragraphs"}, {"sections"}]


def test_conversion_says_what_it_wrote(tmp_path: Path) -> None:
    notes = convert(RUN, to="jsonl", out=tmp_path / "run.jsonl")
    lines = (tmp_path / "run.jsonl").read_text().splitlines()
    assert f"{len(lines)} results" in notes[0]


def test_sets_and_strict_runs(tmp_path: Path) -> None:
    counted = cas_sets(JUDGEMENTS, topics=[TOPICS], collection=open_collection(ARTICLES))
    note = write_cas_set(counted.sets, "vcas", tmp_path / "set")
    assert "VVCAS sets" in note
    assert len(list((tmp_path / "set").iterdir())) == len(counted.counts)
    [strict] = make_strict_runs([RUN], out=tmp_path / "strict", topics=[TOPICS]).runs
    assert len((tmp_path / "strict" / RUN.name).read_text().splitlines()) == strict.conforming


def test_description_of_a_query() -> None:
    described = describe_nexi("//a[about(., x)]//b[about(., y) or about(.//c, z)] ")
    assert (described.type, described.target) == ("CAS", "//a//b")
    assert described.support == ("//a", "//a//b", "//a//b//c")
    assert described.combination == {"and": [0, {"or": [1, 2]}]}
    assert describe_nexi("x + y").notes == ("column 3: '+' stands alone and is ignored",)
