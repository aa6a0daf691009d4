"""`--entities`, which goes with `--collection`: what documents may refer to, and what was left out."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Annotated, Any, get_type_hints

import typer

from inexlab.cli.terminal import print_notes

ENTITIES = typer.Option(
    metavar="FILE|drop",
    help="A file that declares entities (`<!ENTITY …>` or `<entities>`); drop leaves out "
    "undeclared references; repeatable.",
)


def with_entities(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command that takes `--collection` the option `--entities`, as `index` has it."""
    signature = inspect.signature(command)
    if "collection" not in signature.parameters:
        return command

    @functools.wraps(command)
    def run(*args: Any, entities: list[str] | None = None, **kwargs: Any) -> None:
        from inexlab.collection.entities import dropped_notes, given_entities, using_entities

        known = given_entities(entities or [])
        with using_entities(known):
            try:
                command(*args, **kwargs)
            finally:
                print_notes([*dict.fromkeys(known.notes), *dropped_notes(known.dropped)])

    hints = get_type_hints(command, include_extras=True)
    option = Annotated[list[str] | None, ENTITIES]
    added = inspect.Parameter("entities", inspect.Parameter.KEYWORD_ONLY, annotation=option, default=None)
    own = [p.replace(annotation=hints[p.name]) for p in signature.parameters.values()]
    run.__signature__ = signature.replace(parameters=[*own, added])  # type: ignore[attr-defined]
    run.__annotations__ = {p.name: p.annotation for p in [*own, added]}
    del run.__wrapped__  # typer would look at its signature
    return run
