"""Profiles: what the mark-up of a collection means to an index.

A profile says which tags are inline (words run through them, they are no units of retrieval), which parts
are skipped, and where titles are. Those of well-known vocabularies are data files in `profiles`; one's own
is a TOML file with the same keys.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from inexlab.errors import InputError, UnknownNameError
from inexlab.files import read_source

_LISTS = ("roots", "signs", "inline", "skip", "titles", "document_titles")
_IDS = ("name", "path")
_KEYS = ("title", *_LISTS, "equivalence", "ids")


@dataclass(frozen=True)
class Profile:
    """What tags mean; `roots` and `signs` are the tags by which a document is known to be of this kind."""

    name: str
    title: str
    roots: tuple[str, ...] = ()
    signs: tuple[str, ...] = ()
    inline: tuple[str, ...] = ()
    skip: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    document_titles: tuple[str, ...] = ()
    equivalence: str = "none"
    ids: str = "name"  # document ids: file names without extension, or "path", with folders

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> Profile:
        """Return the profile with these fields, which may have lists for tuples."""
        given: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in fields.items()
        }
        return cls(**given)

    @property
    def kinds(self) -> dict[str, str]:
        """What each tag is that is no unit of retrieval."""
        return dict.fromkeys(self.inline, "inline") | dict.fromkeys(self.skip, "skip")


def built_in_profiles() -> list[str]:
    """Return the names of the built-in profiles."""
    found = (files(__package__) / "profiles").iterdir()
    return sorted(file.name.removesuffix(".toml") for file in found if file.name.endswith(".toml"))


def read_profile(name: str) -> Profile:
    """Return a built-in profile by its name, or read one from a TOML file (`name` ends in `.toml`)."""
    if name.endswith(".toml"):
        text = read_source(name).data.decode(errors="replace")
    elif name in built_in_profiles():
        text = (files(__package__) / "profiles" / f"{name}.toml").read_text(encoding="utf-8")
    else:
        raise UnknownNameError("profile", name, ["auto", *built_in_profiles(), "FILE.toml"])
    try:
        return _checked(name, tomllib.loads(text))
    except (ValueError, RecursionError) as error:  # of TOML, of numbers with too many digits
        raise InputError(f"is not TOML ({error})", file=name) from None


def guess_profile(tags: Mapping[str, Any] | set[str], root: str) -> Profile:
    """Return the built-in profile whose root and signs a document has, else `plain`."""
    for name in built_in_profiles():
        profile = read_profile(name)
        if root in profile.roots and any(sign in tags for sign in profile.signs):
            return profile
    return read_profile("plain")


def _checked(name: str, data: Mapping[str, Any]) -> Profile:
    for key, value in data.items():
        if key not in _KEYS:
            raise InputError(f"the key {key!r} is not known", file=name, fix=f"Known: {', '.join(_KEYS)}.")
        texts = isinstance(value, list) and all(isinstance(item, str) for item in value)
        if not (texts if key in _LISTS else isinstance(value, str)):
            what = "a list of tags" if key in _LISTS else "a text"
            raise InputError(f"{key} is not {what}", file=name)
    profile = Profile.from_dict({"title": name, **data, "name": Path(name).stem})
    if profile.ids not in _IDS:
        raise InputError(f"ids is {profile.ids!r}", file=name, fix=f"It can be {' or '.join(_IDS)}.")
    if both := sorted(set(profile.inline) & set(profile.skip)):
        raise InputError(f"inline and skip both have {both[0]!r}", file=name, fix="Leave it out of one.")
    return profile
