"""What the manifest of an index says, beside its arrays: whether it is what others rely on.

A checksum tells of damage, but anyone can write a manifest with a checksum that is right.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from inexlab.collection.profile import Profile

COUNTS = ("documents", "elements", "tokens", "characters", "units", "unit_tokens", "unit_terms", "depth")
_LARGEST = 1 << 62  # of counts, which add up in 64 bits
_KINDS = 255  # of tags, in a byte


def are_sound(content: Mapping[str, Any]) -> bool:
    """Whether all settings and counts are there, and are of the types that an index has."""
    try:
        profile = Profile.from_dict(content["profile"])
        stop, left_alone = content["stop_words"], content.get("left_alone", ())
        counts = [*(content[name] for name in COUNTS), *content["languages"].values()]
        return (
            all(is_count(count) for count in counts)
            and all(isinstance(content[name], str) for name in ("analysis", "language", "stemmer"))
            and (isinstance(stop, str) or _are_texts(stop))
            and _are_texts(content["tags"])
            and isinstance(content["tag_kinds"], list)
            and len(content["tag_kinds"]) == len(content["tags"])
            and all(is_count(kind) and kind <= _KINDS for kind in content["tag_kinds"])
            and all(_are_texts([kind, reason]) and is_count(often) for kind, reason, often in left_alone)
            and all(map(_is_setting, vars(Profile("", "")).values(), vars(profile).values()))
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        return False


def is_count(value: object) -> bool:
    """Whether a value is a number of things."""
    return type(value) is int and 0 <= value < _LARGEST


def _is_setting(usual: object, value: object) -> bool:
    """Whether a field of a profile has the type of what is usual there."""
    texts = _are_texts(list(value)) if isinstance(value, tuple) else True
    return texts and type(value) is type(usual)


def _are_texts(values: object) -> bool:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)
