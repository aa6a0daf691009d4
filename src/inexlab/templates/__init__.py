"""Files to start from: a measure, a run format or a retrieval model, each with its test.

A template is Python with `@@name@@` (what is registered), `@@function@@` (its function) and `@@module@@` (its
file). What is written works as it is, in the folder of inexlab that `TEMPLATES` names or as a plug-in.
"""

from __future__ import annotations

import keyword
import re
import sys
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from inexlab.errors import UnknownNameError, UsageError
from inexlab.output import explain_failure, write_file


@dataclass(frozen=True)
class Template:
    """A kind of thing to start: its folder in inexlab, and what its names look like."""

    package: str
    name: re.Pattern[str]
    like: str


TEMPLATES = {
    "measure": Template("inexlab.measures.families", re.compile(r"[A-Za-z][A-Za-z0-9]*"), "SpanG"),
    "format": Template("inexlab.runs.formats", re.compile(r"[a-z][a-z0-9-]*"), "my-csv"),
    "model": Template("inexlab.retrieval.models", re.compile(r"[a-z][a-z0-9-]*"), "tf-idf"),
}


def module_name(name: str) -> str:
    """Return the name of the file of something called so.

    >>> module_name("tf-idf"), module_name("SpanG")
    ('tf_idf', 'spang')
    """
    return name.lower().replace("-", "_")


def new(kind: str, name: str, out: str | Path = ".") -> list[Path]:
    """Write the file of a new measure, format or model and its test into a folder; return the two.

    Nothing is replaced: files that are there already are refused.

    >>> import inexlab
    >>> [path.name for path in inexlab.new("model", "tf-idf", "mine")]
    ['tf_idf.py', 'test_tf_idf.py']
    """
    if kind not in TEMPLATES:
        raise UnknownNameError("kind of extension", kind, TEMPLATES)
    module = module_name(name)
    taken = keyword.iskeyword(module) or module in (*sys.stdlib_module_names, "inexlab", "numpy", "pytest")
    if not TEMPLATES[kind].name.fullmatch(name) or taken:
        raise UsageError(f"{name!r} cannot be the name of a {kind}; choose one like {TEMPLATES[kind].like}.")
    _refuse_taken(kind, name)
    written = {Path(out) / f"{module}.py": kind, Path(out) / f"test_{module}.py": f"test_{kind}"}
    for path in written:
        if path.exists():
            raise UsageError(f"{path} already exists; choose another name or another folder as `out=`.")
    with explain_failure(Path(out)):
        Path(out).mkdir(parents=True, exist_ok=True)
    for path, template in written.items():
        text = (files(__package__) / f"{template}.txt").read_text(encoding="utf-8")
        for place, word in (("name", name), ("function", module), ("module", module)):
            text = text.replace(f"@@{place}@@", word)
        write_file(path, [text.encode()])
    return list(written)


def _refuse_taken(kind: str, name: str) -> None:
    from inexlab.measures.measure import definitions
    from inexlab.retrieval.model import models
    from inexlab.runs.read import run_formats

    registries = {"measure": definitions, "format": run_formats, "model": models}
    if name in registries[kind]:  # type: ignore[operator]
        raise UsageError(f"there is a {kind} called {name} already; choose another name.")
