"""What a plug-in does wrong is said in one line that names it, with exit code 2."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.plug_ins.installing import Outcome, run_commands

GROUPS = {
    "measures.families": "bad_measure",
    "runs.formats": "bad_format",
    "judgements.formats": "bad_judged",
    "retrieval.models": "bad_model",
    "statistics.significance": "bad_test",
    "report.figures": "bad_figure",
    "collection.kinds": "bad_kind",
}
MODULES = {
    "bad_measure": """
from inexlab.measures.measure import measure
from inexlab.measures.spans import span_evidence

@measure("Bad", span_evidence)
def bad(topic):
    "Bad."
    return 1 / 0
""",
    "bad_format": """
from inexlab.runs.read import RunFormat, run_formats
from inexlab.runs.rows import Rows

def read(source):
    return {}["nothing"]

def each(stream):
    for line in stream.lines():
        yield line.nothing

run_formats.add("bad", RunFormat("bad", lambda source: source.data.startswith(b"#bad"), read))
worse = RunFormat("worse", lambda s: s.data.startswith(b"#worse"), read, lambda s: Rows(each(s)))
run_formats.add("worse", worse)
""",
    "bad_judged": """
from inexlab.judgements.read import JudgementFormat, judgement_formats

def read(source, builder, selection):
    raise RuntimeError("two\\nlines")

judgement_formats.add("bad", JudgementFormat("bad", lambda source: source.data.startswith(b"#bad"), read))
""",
    "bad_model": """
from inexlab.retrieval.model import model

@model("bad")
def bad(candidates, statistics):
    "Bad."
    return statistics.nothing
""",
    "bad_test": """
import numpy as np
from inexlab.statistics.testing import significance_test

@significance_test("bad")
def bad(left, right, sampling):
    "Bad."
    return np.linalg.inv(left)
""",
    "bad_figure": """
from inexlab.report.figure import figure

@figure("bad", "matrix", lambda words: None)
def bad(matrix, titles):
    "Bad."
    raise TypeError("bad rows")
""",
    "bad_kind": """
from inexlab.collection.store import collection_kinds

def open_bad(path):
    if path.name == "bad":
        raise OSError("bad box")

collection_kinds.add("bad", open_bad)
""",
}
FILES = {
    "q": "1 Q0 A 60 100 0 0:60\n",
    "r": "1 Q0 A 1 1 mine 0 50\n",
    "bad.run": "#worse\n",
    "a.xml": "<a>x</a>",
    "scores.csv": "topic,a,b\n" + "".join(f"{t},0.{t + 1},0.2\n" for t in range(6)),
}
INDEX = ("index", "a.xml", "--out", "index")
COMMANDS = {
    "bad_measure": ("evaluate", "q", "r", "-m", "Bad"),
    "bad_format": ("evaluate", "q", "r", "--input-format", "bad"),
    "rows": ("check", "bad.run"),
    "bad_judged": ("convert", "q", "--to", "jsonl", "--input-format", "bad", "--out", "-"),
    "bad_model": ("search", "index", "x", "--model", "bad"),
    "bad_test": ("compare", "scores.csv", "--test", "bad"),
    "bad_figure": ("plot", "bad", "scores.csv", "--out", "bad.svg"),
    "bad_kind": ("evaluate", "q", "r", "--collection", "bad"),
}
SAID = {
    "bad_measure": "(ZeroDivisionError: division by zero; bad_measure.py, line 8)",
    "bad_format": "(KeyError: 'nothing'; bad_format.py, line 6)",
    "rows": "(AttributeError: 'bytes' object has no attribute 'nothing'; bad_format.py, line 10)",
    "bad_judged": "(RuntimeError: two lines; bad_judged.py, line 5)",
    "bad_model": "(AttributeError: 'Statistics' object has no attribute 'nothing'; bad_model.py, line 7)",
    "bad_test": "bad_test.py, line 8)",
    "bad_figure": "(TypeError: bad rows; bad_figure.py, line 7)",
    "bad_kind": "(OSError: bad box; bad_kind.py, line 6)",
}


def write_distribution(folder: Path, modules: dict[str, str]) -> None:
    """Write what pip leaves of a package whose modules are all plug-ins."""
    about = folder / "badlab-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: badlab\nVersion: 1.0\n")
    points = "".join(f"[inexlab.{group}]\nbad = {module}\n" for group, module in GROUPS.items())
    (about / "entry_points.txt").write_text(points)
    for name, source in modules.items():
        (folder / f"{name}.py").write_text(source)


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outcome]:
    """How each command ended, with a plug-in of each kind that fails when it is used."""
    target, folder = tmp_path_factory.mktemp("installed"), tmp_path_factory.mktemp("work")
    write_distribution(target, MODULES)
    for name, content in FILES.items():
        (folder / name).write_text(content)
    _, *ended = run_commands([INDEX, *COMMANDS.values()], target, folder)
    return dict(zip(COMMANDS, ended, strict=True))


@pytest.mark.parametrize("command", COMMANDS)
def test_a_plug_in_that_fails_is_named(outcomes: dict[str, Outcome], command: str) -> None:
    done = outcomes[command]
    module = "bad_format" if command == "rows" else command
    assert (done.code, done.out) == (2, "")
    (line,) = (line for line in done.err.splitlines() if "plug-in" in line)
    assert line.startswith(f"inexlab: the plug-in {module} of badlab failed (")
    assert line.endswith(f"{SAID[command]}; report that to its authors, or uninstall it.")
    assert "Traceback" not in done.err


WRONG = {
    "bad_measure": "returned str where Real is expected (function bad)",
    "bad_format": "returned NoneType where Run is expected (function read)",
    "bad_model": "returned list where ndarray is expected (function bad)",
    "bad_test": "returned float where Outcome is expected (function bad)",
    "bad_figure": "returned dict where Data is expected (function bad)",
    "bad_kind": "returned dict where Collection or NoneType is expected (function open_bad)",
}


def test_a_plug_in_that_returns_something_else_is_named(tmp_path: Path) -> None:
    """The same modules, with other last lines of their functions."""
    returned = {
        "return 1 / 0": "return 'much'",
        'return {}["nothing"]': "return None",
        "return statistics.nothing": "return [1.0]",
        "return np.linalg.inv(left)": "return 1.0",
        'raise TypeError("bad rows")': "return {}",
        'raise OSError("bad box")': "return {}",
    }
    modules = dict(MODULES)
    for module in modules:
        for before, after in returned.items():
            modules[module] = modules[module].replace(before, after)
    write_distribution(tmp_path / "installed", modules)
    for name, content in FILES.items():
        (tmp_path / name).write_text(content)
    commands = [INDEX, *(COMMANDS[name] for name in WRONG)]
    _, *outcomes = run_commands(commands, tmp_path / "installed", tmp_path)
    for (module, wrong), done in zip(WRONG.items(), outcomes, strict=True):
        assert done.code == 2
        assert done.err.splitlines()[-1] == (
            f"inexlab: the plug-in {module} of badlab {wrong}; report that to its authors, or uninstall it."
        )


def test_a_plug_in_that_cannot_be_loaded_is_named_and_help_works(tmp_path: Path) -> None:
    write_distribution(tmp_path / "installed", dict.fromkeys(MODULES, "import no_such_module\n"))
    for name, content in FILES.items():
        (tmp_path / name).write_text(content)
    commands = [INDEX, *COMMANDS.values(), ("compare", "--help")]
    _, *outcomes, shown = run_commands(commands, tmp_path / "installed", tmp_path)
    why = "of badlab cannot be loaded (ModuleNotFoundError: No module named 'no_such_module')"
    for done in outcomes:
        assert done.code == 2
        assert why in done.err
        assert "Traceback" not in done.err
    assert (shown.code, shown.err) == (0, "")
    assert "or bad;" in " ".join(shown.out.split())
