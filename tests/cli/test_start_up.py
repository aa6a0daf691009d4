"""Starting up: nothing heavy is loaded before it is needed, and every command explains itself by examples."""

from __future__ import annotations

import inspect
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from inexlab import __version__
from inexlab.cli.main import application

from .conftest import WORKED_QRELS, WORKED_RUN, Command, Write

VERBS: dict[str, Callable[..., object]] = {
    command.name or command.callback.__name__: command.callback
    for command in application().registered_commands
    if command.callback is not None
}
HEAVY = {"numpy", "numba", "scipy", "pandas", "polars", "rich.table", "altair", "vl_convert", "starlette"}


def loaded(code: str, folder: Path) -> set[str]:
    """Return which of the heavy modules a fresh interpreter has loaded after some code."""
    script = f"import sys\n{code}\nprint(*sys.modules, file=sys.stderr, sep='\\n')"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=folder, capture_output=True, text=True, check=True, timeout=60
    )
    return HEAVY & set(done.stderr.splitlines())


def command(*arguments: str) -> str:
    """Return code that runs the command in its interpreter."""
    return (
        "from inexlab.cli.main import main\n"
        f"sys.argv = ['inexlab', *{list(arguments)!r}]\n"
        "try:\n    main()\nexcept SystemExit as ending:\n    assert not ending.code, ending.code"
    )


def test_importing_the_package_loads_nothing_heavy(tmp_path: Path) -> None:
    assert loaded("import inexlab\nassert inexlab.__version__", tmp_path) == set()


def test_public_names_are_loaded_when_used(tmp_path: Path) -> None:
    assert "numpy" in loaded("import inexlab\ninexlab.evaluate", tmp_path)


def test_help_does_not_load_the_calculators(tmp_path: Path) -> None:
    """Neither that of the command nor that of any verb, one after the other."""
    lines = []
    for name in ("", *VERBS):
        lines += [
            command(*filter(None, (name, "--help"))),
            f"found = {HEAVY!r} & sys.modules.keys()",
            f"assert found <= {{'rich.table'}}, ({name!r}, found)",  # which draws the help itself
        ]
    loaded("\n".join(lines), tmp_path)


@pytest.mark.parametrize(
    "arguments", [("--version",), ("evaluate", "--policy", "help"), ("nexi", "bees", "-o", "json")]
)
def test_short_answers_load_nothing_heavy(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    assert loaded(command(*arguments), tmp_path) == set()


def test_a_small_evaluation_loads_neither_compiler_nor_tables(
    tmp_path: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("INEXLAB_COMPILED", raising=False)
    write("q", WORKED_QRELS)
    write("r", WORKED_RUN)
    assert loaded(command("evaluate", "q", "r", "-o", "json"), tmp_path) == {"numpy"}
    assert loaded(command("evaluate", "q", "r"), tmp_path) == {"numpy", "rich.table"}


def test_a_small_search_loads_neither_compiler_nor_tables(
    tmp_path: Path, handbook_index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("INEXLAB_COMPILED", raising=False)
    found = loaded(command("search", str(handbook_index), "overlap of elements"), tmp_path)
    assert found == {"numpy"}


def test_version(script: Command) -> None:
    assert script("inexlab", "--version") == (0, f"inexlab {__version__}\n", "")


@pytest.mark.parametrize("name", VERBS)
def test_help_holds_an_example(call: Command, name: str) -> None:
    done = call(name, "--help")
    assert (done.code, done.err) == (0, "")
    assert re.search(rf"Examples?\b.*inexlab {name}", done.out, re.DOTALL)
    assert "<bool>" not in done.out  # which is no help with options that take no value
    assert call(name, "-h") == done


def test_help_of_inex_eval_holds_an_example(script: Command) -> None:
    done = script("inex_eval", "--help")
    assert (done.code, done.err) == (0, "")
    assert "Example: inex_eval -f -q " in done.out


def test_help_lists_the_commands(script: Command) -> None:
    done = script("inexlab", "--help")
    assert done.code == 0
    for name in VERBS:
        assert re.search(rf"^\W+{name} ", done.out, re.MULTILINE)


def test_the_shell_completes_verbs_and_options(script: Command) -> None:
    typed = {"inexlab eval": "evaluate", "inexlab evaluate --campaign-": "--campaign-file"}
    for words, completed in typed.items():
        shell = {
            "_INEXLAB_COMPLETE": "complete_bash",
            "COMP_WORDS": words,
            "COMP_CWORD": str(words.count(" ")),
        }
        done = script("inexlab", env=shell)
        assert (done.code, done.out.split()) == (0, [completed])


def test_without_a_command_there_is_help(script: Command) -> None:
    done = script("inexlab")
    assert done.code == 2
    assert "Usage: inexlab" in done.out + done.err


def examples(verb: Callable[..., object]) -> list[str]:
    """Return the commands in the docstring of a verb, without those that only make the folder `demo`."""
    text = inspect.cleandoc(verb.__doc__ or "")
    found = [" ".join(example.split()) for example in re.findall(r"`(inexlab [^`]+)`", text)]
    return [example for example in found if example != "inexlab demo --out demo"]


def test_every_verb_is_there_once_and_has_an_example() -> None:
    assert len(VERBS) == len(application().registered_commands)
    assert [name for name, verb in VERBS.items() if not examples(verb)] == []


@pytest.mark.parametrize("name", VERBS)
def test_examples_in_the_help_run(
    call: Command, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All examples of a verb one after the other: later ones may read what earlier ones wrote."""
    # a server that is asked for nothing: it would run until somebody ends it
    monkeypatch.setattr("uvicorn.Server.run", lambda *_: None)
    assert call("demo", "--out", "demo").code == 0
    for example in examples(VERBS[name]):
        arguments: list[str] = []
        for word in shlex.split(example)[1:]:  # with the wildcards that a shell would fill in
            arguments += (
                sorted(str(path.relative_to(tmp_path)) for path in tmp_path.glob(word))
                if "/*" in word or "-*" in word
                else [word]
            )
        done = call(*arguments)
        changed = arguments[0] == "diff"  # its example shows two results that differ, which is exit code 1
        assert done.code == (1 if changed else 0), (example, done.err)
        written = re.search(r"--(?:out|backup|export) ([^\s-]\S*)", example)
        message = done.out or arguments[0] == "check"  # which has nothing to say of clean files
        assert (tmp_path / written[1]).exists() if written else message
        assert "Traceback" not in done.err
