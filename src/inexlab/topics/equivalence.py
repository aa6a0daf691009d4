"""Tag equivalence: tags that a collection uses alike, such as `sec`, `ss1`, `ss2` and `ss3`.

A table is a TOML file of groups; those of the INEX collections are in `equivalences/`:

    title = "what the table is for"
    [groups]
    sections = ["sec", "ss1", "ss2", "ss3"]
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from inexlab.errors import InputError, UnknownNameError
from inexlab.files import read_bytes

DEFAULT = "sections"


@dataclass(frozen=True)
class Equivalence:
    """For every tag in a group, the first tag of the group."""

    first: Mapping[str, str] = field(default_factory=dict)
    unverified: str = ""

    @functools.cached_property
    def groups(self) -> frozenset[tuple[str, str]]:
        """What tells this table from others: two that say the same are one."""
        return frozenset(self.first.items())

    def of(self, tag: str) -> str:
        """Return the tag that stands for all that are equal to this one."""
        return self.first.get(tag, tag)


def built_in_tables() -> dict[str, str]:
    """Return the built-in tables by name, with what each is for."""
    found = (files(__package__) / "equivalences").iterdir()
    names = sorted(file.name.removesuffix(".toml") for file in found if file.name.endswith(".toml"))
    return {name: tomllib.loads(_built_in(name))["title"] for name in names}


def read_equivalence(name: str = DEFAULT) -> Equivalence:
    """Read a built-in table by its name, or a TOML file (`name` ends in `.toml`)."""
    if name.endswith(".toml"):
        try:
            text = read_bytes(name).decode("utf-8-sig")
        except UnicodeDecodeError:
            raise _wrong(name, "is not UTF-8") from None
        return _parse(name, text)
    return _read_built_in(name)


@functools.cache  # every search asks for one
def _read_built_in(name: str) -> Equivalence:
    if name not in (known := built_in_tables()):
        raise UnknownNameError("table of equivalent tags", name, [*known, "FILE.toml"])
    return _parse(name, _built_in(name))


def _parse(name: str, text: str) -> Equivalence:
    try:
        data: dict[str, Any] = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # of TOML, of numbers with too many digits
        raise _wrong(name, f"is not TOML ({error})") from None
    groups = data.get("groups")
    if not isinstance(groups, dict):
        raise _wrong(name, "has no [groups]")
    first: dict[str, str] = {}
    for group, tags in groups.items():
        if not isinstance(tags, list) or not tags or not all(isinstance(tag, str) and tag for tag in tags):
            raise _wrong(name, f"group {group!r} is not a list of tags")
        for tag in tags:
            if tag in first:
                raise _wrong(name, f"tag {tag!r} is in two groups, or twice in one")
            first[tag] = tags[0]
    return Equivalence(first, str(data.get("unverified", "")))


def _built_in(name: str) -> str:
    return (files(__package__) / "equivalences" / f"{name}.toml").read_text(encoding="utf-8")


def _wrong(name: str, what: str) -> InputError:
    fix = 'Write [groups] with lists of tags such as sections = ["sec", "ss1"].'
    return InputError(what, file=name, fix=fix)
