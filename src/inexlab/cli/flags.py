"""Arguments as flags: the library names an argument (`collection=DIR`), the command line its flag.

Messages of the library hold arguments in backticks. Whatever the command line prints of them goes through
`with_flags`, which knows the options of the verb that runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from inexlab.limits import ALLOW_ANY_SIZE

_ARGUMENT = re.compile(r"`([a-z_]+)=([^`]*)`")

_flags: dict[str, str] = {}  # of the verb that runs, by the names of its parameters


def use_flags_of(parameters: Iterable[Any]) -> None:
    """Take the flags from the parameters of a verb; a positional one is called as its help calls it."""
    _flags.clear()
    for parameter in parameters:
        is_option = parameter.param_type_name == "option"
        _flags[parameter.name] = (
            parameter.opts[0] if is_option else parameter.metavar or parameter.name.upper()
        )


def with_flags(text: str, dashes: str = "--") -> str:
    """Return a message with flags in place of arguments.

    >>> with_flags("Give `collection=DIR`, or `common_topics=True`; not `by='a b'` or `task=`.")
    "Give --collection DIR, or --common-topics; not --by 'a b' or --task."
    """

    def flag(found: re.Match[str]) -> str:
        name, value = found.groups()
        shown = _flags.get(name) or dashes + name.replace("_", "-")
        if re.fullmatch(r"'[^ ']*'", value):
            value = value[1:-1]
        return shown if value in ("", "True") else f"{shown} {value}"

    return _ARGUMENT.sub(flag, text).replace(ALLOW_ANY_SIZE, "give --any-size before the command")
