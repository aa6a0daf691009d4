"""Campaign manifests: what they hold, and every mistake in one line that names the file and the key."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest

from inexlab.campaigns import preset
from inexlab.errors import InexlabError, InputError, UnknownNameError
from inexlab.experiments import Entry
from inexlab.experiments.manifest import Manifest, read_manifest
from inexlab.measures import parse

GOOD = """\
[judgements]
a = "a.qrels"
b = "b.qrels"
[tasks.focused]
measures = ["MAiP"]
runs = ["r1.txt"]
"""

Read = Callable[[str], Manifest]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Reads a manifest in a folder with two judgement sets, three runs and a collection."""
    for name in ("a.qrels", "b.qrels", "r1.txt", "r2.txt", "runs/r3.txt", "runs/.hidden.txt", "docs/A.xml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")

    def of(text: str) -> Manifest:
        (tmp_path / "c.toml").write_text(text)
        return read_manifest(tmp_path / "c.toml")

    return of


def test_the_smallest(read: Read, tmp_path: Path) -> None:
    found = read(GOOD)
    assert (found.title, found.collection, found.topics) == ("c", None, ())
    assert found.judgements == {"a": tmp_path / "a.qrels", "b": tmp_path / "b.qrels"}
    task = found.task("focused")
    assert found.chosen() == found.chosen("focused") == [task]
    assert (task.name, task.title, task.judgements) == ("focused", "focused", tmp_path / "a.qrels")
    assert task.runs == (Entry(tmp_path / "r1.txt"),)
    assert [str(m) for m in task.measures] == ["MAiP"]
    assert task.preset is None


def test_all_that_a_manifest_may_say(read: Read, tmp_path: Path) -> None:
    found = read(
        """\
title = "All"
collection = "docs"
topics = ["a.qrels", "b.qrels"]
policy = ["limit=100"]
[judgements]
a = "a.qrels"
b = "b.qrels"
[tasks.one]
title = "The first"
judgements = "b"
policy = ["seen_text=again"]
measures = ["iP@0.01", "MAiP"]
runs = [
  "*.txt",
  { file = "runs/r3.txt", participant = 24, description = "BM25" },
]
[tasks.two]
policy = ["limit=7"]
measures = ["ep(overlap=off)@*"]
runs = [{ file = "**/*.txt", participant = "all" }]
"""
    )
    assert (found.title, found.collection) == ("All", tmp_path / "docs")
    assert found.topics == (tmp_path / "a.qrels", tmp_path / "b.qrels")
    one, two = found.chosen()
    assert (one.title, one.judgements) == ("The first", tmp_path / "b.qrels")
    assert (one.policy.limit, one.policy.seen_text) == (100, "again")
    assert one.runs == (
        Entry(tmp_path / "r1.txt"),
        Entry(tmp_path / "r2.txt"),
        Entry(tmp_path / "runs/r3.txt", "24", "BM25"),
    )
    assert (two.policy.limit, two.policy.seen_text) == (7, "skip")
    assert len(two.measures) == 100  # a whole curve
    assert two.runs == tuple(Entry(tmp_path / f, "all") for f in ("r1.txt", "r2.txt", "runs/r3.txt"))


def test_paths_are_relative_to_the_manifest_wherever_one_stands(
    read: Read, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path / "docs")
    read(GOOD.replace("r1.txt", "r?.txt"))
    monkeypatch.chdir(tmp_path)
    assert read_manifest("c.toml").task("focused").runs == (Entry(Path("r1.txt")), Entry(Path("r2.txt")))


def test_absolute_patterns(read: Read, tmp_path: Path) -> None:
    found = read(GOOD.replace("r1.txt", f"{tmp_path}/runs/*"))
    assert found.task("focused").runs == (Entry(tmp_path / "runs/r3.txt"),)


def test_presets(read: Read) -> None:
    """A campaign gives measures and policy to tasks with names of its own; a task may differ."""
    found = read(
        'campaign = "inex2009"\npolicy = ["limit=9"]\n[judgements]\na = "a.qrels"\n'
        '[tasks.focused]\nruns = ["r1.txt"]\n'
        '[tasks.mine]\nmeasures = ["MAiP"]\nruns = ["r1.txt"]\n'
        '[tasks.second]\ntask = "relevant-in-context"\nruns = ["r1.txt"]\n'
        '[tasks.graded]\ncampaign = "inex2005"\ntask = "CO.Thorough"\n'
        'measures = ["MAep"]\nruns = ["r1.txt"]\n'
    )
    official = preset("inex2009", "focused")
    focused, mine, second, graded = found.chosen()
    assert focused.preset == official
    assert (focused.measures, focused.title) == (official.measures, official.title)
    assert focused.policy == official.policy.with_settings(["limit=9"])
    assert (mine.preset, mine.policy.limit) == (None, 9)
    assert second.measures == preset("inex2009", "relevant-in-context").measures
    assert graded.preset == preset("inex2005", "CO.Thorough")
    assert graded.measures == (parse("MAep"),)


def test_the_built_in_campaign(tmp_path: Path) -> None:
    shutil.copytree(str(files("inexlab") / "handbook"), tmp_path / "demo")
    found = read_manifest(tmp_path / "demo/campaign.toml")
    assert list(found.tasks) == ["focused", "relevant-in-context", "best-in-context"]
    assert [len(task.runs) for task in found.chosen()] == [4, 4, 3]
    assert all(entry.read().id for task in found.chosen() for entry in task.runs)


MISTAKES = {
    "[judgements": "c.toml: is not TOML (",
    "\x00": "c.toml: is binary, not text.",
    "": "c.toml: is empty.",
    "title = 'x'": "c.toml: judgements is missing",
    "[judgements]\n": "c.toml: names no judgements. [judgements] with a line NAME = FILE is missing.",
    'judgements = "a.qrels"\n': "c.toml: judgements is not a table",
    "[judgements]\na = 7\n": "c.toml: judgements.a is not the name of a file. Write it in quotes.",
    '[judgements]\na = "no.qrels"\n': "no.qrels. Paths are relative to the manifest.",
    '[judgements]\na = "a.qrels"\n': "c.toml: tasks is missing",
    '[judgements]\na = "a.qrels"\n[tasks]\n': "c.toml: has no task. A table such as [tasks.f",
    '[judgements]\na = "a.qrels"\n[tasks]\nfocused = 7\n': "c.toml: tasks.focused is not a table. ",
    f"titel = 1\n{GOOD}": "c.toml: titel is not known. Did you mean 'title'?",
    f"qqq = 1\n{GOOD}": "c.toml: qqq is not known. Known: title, collection, topics, ",
    f"title = 7\n{GOOD}": "c.toml: title is not a text",
    f"collection = 7\n{GOOD}": "c.toml: collection is not a text",
    f'collection = "nodocs"\n{GOOD}': "c.toml: collection: there is no ",
    f'topics = "a.qrels"\n{GOOD}': "c.toml: topics is not a list of texts",
    f"topics = [7]\n{GOOD}": "c.toml: topics is not a list of texts",
    f'topics = ["t.xml"]\n{GOOD}': "c.toml: topics: there is no ",
    f'campaign = "inex1999"\n{GOOD}': "c.toml: tasks.focused.campaign: unknown campaign 'inex1999'",
    f'policy = "limit=1"\n{GOOD}': "c.toml: policy is not a list of texts",
    f'policy = ["limt=1"]\n{GOOD}': "c.toml: tasks.focused.policy: ",
    f'policy = ["limit=x"]\n{GOOD}': "c.toml: tasks.focused.policy: ",
    f"{GOOD}mesures = []\n": "c.toml: tasks.focused.mesures is not known. Did you mean 'measures'?",
    f'{GOOD}judgements = "c"\n': "c.toml: tasks.focused.judgements is not known",
    f'{GOOD}task = "focussed"\ncampaign = "inex2009"\n': "c.toml: tasks.focused: ",
    f'{GOOD}policy = ["seen_text=never"]\n': "c.toml: tasks.focused.policy: ",
    GOOD.replace('["MAiP"]', '"MAiP"'): "c.toml: tasks.focused.measures is not a list of texts",
    GOOD.replace(
        "MAiP", "MAIP"
    ): "c.toml: tasks.focused.measures: unknown measure 'MAIP'; did you mean 'MAiP'?",
    GOOD.replace("MAiP", "iP@x"): "c.toml: tasks.focused.measures: ",
    GOOD.replace('measures = ["MAiP"]\n', ""): "c.toml: tasks.focused has no measures. Write measures = [",
    GOOD.replace('runs = ["r1.txt"]\n', ""): "c.toml: tasks.focused.runs is missing",
    GOOD.replace(
        '["r1.txt"]', "[]"
    ): "c.toml: tasks.focused.runs is empty. List the files of the task's runs.",
    GOOD.replace('["r1.txt"]', '"r1.txt"'): "c.toml: tasks.focused.runs is not a list",
    GOOD.replace('"r1.txt"', "7"): 'c.toml: tasks.focused.runs: 7 is not a run. Write "FILE" or ',
    GOOD.replace(
        '"r1.txt"', "{ participant = 7 }"
    ): "c.toml: tasks.focused.runs: {'participant': 7} is not a run",
    GOOD.replace('"r1.txt"', '{ file = "r1.txt", who = 7 }'): "c.toml: tasks.focused.runs.who is not known",
    GOOD.replace("r1.txt", "r9.txt"): "r9.txt. Paths are relative to the manifest.",
    GOOD.replace(
        "r1.txt", "x*.txt"
    ): "c.toml: tasks.focused.runs: no file is called x*.txt. Check the pattern.",
    GOOD.replace("r1.txt", "doc*"): "c.toml: tasks.focused.runs: no file is called doc*",  # a folder
    GOOD.replace("r1.txt", "x**y["): "c.toml: tasks.focused.runs: no file is called x**y[",
}


@pytest.mark.parametrize("text", MISTAKES)
def test_mistakes_are_one_line_with_file_and_key(read: Read, tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError) as raised:
        read(text)
    message = str(raised.value)
    assert message.startswith(f"{tmp_path}/c.toml: ")
    assert MISTAKES[text] in message
    assert "\n" not in message


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InexlabError, match=r"none\.toml: no such file"):
        read_manifest(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes(b'title = "\xe9"\n')
    with pytest.raises(InputError, match=r"latin\.toml: is not TOML"):
        read_manifest(tmp_path / "latin.toml")


def test_an_unknown_task_is_named_with_those_there_are(read: Read) -> None:
    with pytest.raises(
        UnknownNameError, match=r"unknown task of .*c\.toml 'focussed'; did you mean 'focused'"
    ):
        read(GOOD).task("focussed")


def test_runs_per_participant_are_of_all_tasks_or_of_one(read: Read) -> None:
    two = GOOD + '[tasks.other]\nmeasures = ["MAiP"]\nruns = ["r2.txt"]\n'
    assert read(two).runs_per_participant == {}
    assert read(f"runs_per_participant = 3\n{two}").runs_per_participant == {"focused": 3, "other": 3}
    own = f"runs_per_participant = 3\n{two}runs_per_participant = 1\n"
    assert read(own).runs_per_participant == {"focused": 3, "other": 1}
    assert read(f"{two}runs_per_participant = 1\n").runs_per_participant == {"other": 1}


@pytest.mark.parametrize("value", ["0", "-1", "true", '"three"', "2.5"])
def test_a_number_of_runs_is_a_whole_one(read: Read, value: str) -> None:
    with pytest.raises(InputError, match="runs_per_participant"):
        read(f"runs_per_participant = {value}\n{GOOD}")
