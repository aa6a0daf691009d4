"""Profiles: what the mark-up of a collection means to an index.

A profile says which tags are inline (words run through them, they are not units of retrieval), which parts
are skipped, where titles are, and what can answer a question. Those of well-known vocabularies are data files
in `profiles`, or come with plug-ins (entry points of the group `inexlab.collection.profiles`); a custom is a
TOML file with the same keys, which may extend another: lists are added to those of the other, a tag with a
minus sign before it is taken out of them.

A tag without a prefix means the elements of that name whatever their prefix (`r` means `w:r`, too), one with
a prefix only those written so.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from inexlab.collection.paths import local_name
from inexlab.errors import InputError, UnknownNameError
from inexlab.files import read_source
from inexlab.registry import data_files

_LISTS = (
    *("roots", "signs", "inline", "skip", "titles", "document_titles"),
    *("answers", "no_answers", "outside", "sections"),
)
_IDS = ("name", "path")
_NUMBERS = ("least_answer", "least_passage")
_KEYS = ("title", "extends", *_LISTS, *_NUMBERS, "equivalence", "ids")
PLAIN = "plain"


@dataclass(frozen=True)
class Profile:
    """What tags mean; `roots` and `signs` are the tags by which a document is known to be of this kind.

    `titles` are tags of children, or paths down to the title (`front-stub/title-group/article-title`).

    `answers` are tags that can answer a question, all if there are none; `no_answers` never do so by
    themselves (titles, names, dates); what is in one of those `outside` (reference lists) is left out unless
    asked for; an answer has `least_answer` characters or more. Answers with fewer characters than
    `least_passage` make one passage with what comes next. `sections` are the parts around an answer.
    """

    name: str
    title: str
    roots: tuple[str, ...] = ()
    signs: tuple[str, ...] = ()
    inline: tuple[str, ...] = ()
    skip: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    document_titles: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    no_answers: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    least_answer: int = 0
    least_passage: int = 0
    equivalence: str = "none"
    ids: str = ""  # document ids: "name" or "path"; unless given, names where these are different

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> Profile:
        """Return the profile with these fields, which may have lists for tuples."""
        given: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in fields.items()
        }
        return cls(**given)

    @property
    def kinds(self) -> dict[str, str]:
        """What each tag is that is not a unit of retrieval."""
        return dict.fromkeys(self.inline, "inline") | dict.fromkeys(self.skip, "skip")

    def speaks_of(self, tag: str) -> bool:
        """Whether it is said anywhere what a tag is."""
        named = (
            *(self.roots, self.inline, self.skip, self.answers, self.no_answers, self.outside, self.sections),
            [path.rsplit("/", 1)[-1] for path in (*self.titles, *self.document_titles)],
        )
        return any(names_tag(tag, tags) for tags in named)

    def fits(self, root: str, tags: Iterable[str]) -> bool:
        """Whether a document with this root and these tags is of this kind."""
        if local_name(root) not in self.roots:
            return False
        return not self.signs or not {local_name(tag) for tag in tags}.isdisjoint(self.signs)


def kind_of_tag(tag: str, kinds: Mapping[str, Any], unless: Any) -> Any:
    """Return what a tag is: by its full name, else by its name without prefix."""
    return kinds.get(tag, kinds.get(local_name(tag), unless) if ":" in tag else unless)


def names_tag(tag: str, listed: Sequence[str]) -> bool:
    """Whether a tag is in a list of tags, by itself or without its prefix."""
    return tag in listed or (":" in tag and local_name(tag) in listed)


@functools.cache
def built_in_profiles() -> tuple[str, ...]:
    """Return the names of the profiles that come with inexlab or with a plug-in."""
    return tuple(_profile_files())


@functools.cache
def _profile_files() -> Mapping[str, Any]:
    return data_files("inexlab.collection", "profiles")


def profile_text(name: str) -> str:
    """Return the file of a built-in profile, to read or to start from."""
    if name not in built_in_profiles():
        raise UnknownNameError("profile", name, built_in_profiles())
    text: str = _profile_files()[name].read_text(encoding="utf-8")
    return text


def read_profile(name: str) -> Profile:
    """Return a built-in profile by its name, or read one from a TOML file (`name` ends in `.toml`)."""
    return _read(name, ())


def _read(name: str, above: tuple[str, ...]) -> Profile:
    """Read a profile that is extended by others, which are named."""
    import tomllib  # which a search needs not: an index has its profile

    if name in above:
        fix = "Let it extend another profile, or none."
        raise InputError(f"extends itself ({' → '.join((*above, name))})", file=above[0], fix=fix)
    if name.endswith(".toml"):
        text = read_source(name).data.decode(errors="replace")
    elif name in built_in_profiles():
        text = profile_text(name)
    else:
        raise UnknownNameError("profile", name, ["auto", *built_in_profiles(), "FILE.toml"])
    try:
        return _checked(name, tomllib.loads(text), above)
    except (ValueError, RecursionError) as error:  # of TOML, of numbers with too many digits
        raise InputError(f"is not TOML ({error})", file=name) from None


@functools.cache
def _all_built_in() -> tuple[Profile, ...]:
    return tuple(read_profile(name) for name in built_in_profiles())


def guess_profile(tags: Iterable[str], root: str) -> Profile:
    """Return the built-in profile whose root and signs a document has, else `plain`."""
    known = set(tags)
    return next((p for p in _all_built_in() if p.fits(root, known)), read_profile(PLAIN))


def chosen_profile(guessed: Iterable[Profile]) -> Profile:
    """Return the profile that most documents of one kind have; of several, the first."""
    counts = Counter(profile.name for profile in guessed)
    return read_profile(max(counts, key=counts.__getitem__) if counts else PLAIN)


def combined_profile(profiles: Sequence[Profile]) -> Profile:
    """Return the profile of documents of several kinds: what is inline in one kind is inline in all."""
    kept = [p for k, p in enumerate(profiles) if p.name not in {q.name for q in profiles[:k]}]
    kept = [p for p in kept if p.name != PLAIN] or kept
    if len(kept) == 1:
        return kept[0]
    lists: dict[str, Any] = {
        key: tuple(dict.fromkeys(tag for profile in kept for tag in getattr(profile, key))) for key in _LISTS
    }
    lists["inline"] = tuple(tag for tag in lists["inline"] if tag not in lists["skip"])
    if not all(profile.answers for profile in kept):  # one takes everything for an answer
        lists["answers"] = ()
    least = {key: min(getattr(profile, key) for profile in kept) for key in _NUMBERS}
    return replace(
        kept[0],
        name="+".join(profile.name for profile in kept),
        title=", ".join(profile.title for profile in kept),
        **least,
        **lists,
    )


def _checked(name: str, data: Mapping[str, Any], above: tuple[str, ...]) -> Profile:
    for key, value in data.items():
        if key not in _KEYS:
            raise InputError(f"the key {key!r} is not known", file=name, fix=f"Known: {', '.join(_KEYS)}.")
        texts = isinstance(value, list) and all(isinstance(item, str) for item in value)
        number = isinstance(value, int) and not isinstance(value, bool) and value >= 0
        right = texts if key in _LISTS else number if key in _NUMBERS else isinstance(value, str)
        if not right:
            what = "a list of tags" if key in _LISTS else "a number" if key in _NUMBERS else "a text"
            raise InputError(f"{key} is not {what}", file=name)
    own = {key: value for key, value in data.items() if key != "extends"}
    if both := sorted(set(own.get("inline", ())) & set(own.get("skip", ()))):
        raise InputError(f"inline and skip both have {both[0]!r}", file=name, fix="Leave it out of one.")
    if "extends" in data:
        base = _read(data["extends"], (*above, name))
        own = _extended(base, own, name)
    profile = Profile.from_dict({"title": name, **own, "name": Path(name).stem})
    if profile.ids and profile.ids not in _IDS:
        raise InputError(f"ids is {profile.ids!r}", file=name, fix=f"It can be {' or '.join(_IDS)}.")
    return profile


def _extended(base: Profile, own: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return the fields of a profile that extends another; of what both say of a tag, its own word counts."""
    fields: dict[str, Any] = {key: getattr(base, key) for key in _KEYS if key != "extends"}
    for key, value in own.items():
        if key not in _LISTS:
            fields[key] = value
            continue
        taken_out = {tag[1:] for tag in value if tag.startswith("-")}
        if unknown := sorted(taken_out - set(fields[key])):
            raise InputError(
                f"{key} takes out {unknown[0]!r}, which {base.name} does not have there",
                file=name,
                fix=f"`inexlab profiles {base.name}` shows what it has.",
            )
        added = [tag for tag in value if not tag.startswith("-")]
        first = added if key in ("titles", "document_titles") else []  # of several titles, the first counts
        kept = [tag for tag in fields[key] if tag not in taken_out]
        fields[key] = tuple(dict.fromkeys([*first, *kept, *added]))
    other: dict[str, str] = {"inline": "skip", "skip": "inline"}
    for key, against in other.items():
        mine = set(own.get(key, ()))
        fields[against] = tuple(tag for tag in fields[against] if tag not in mine)
    return fields
