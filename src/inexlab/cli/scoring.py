"""What all verbs that score have in common: their options, declared once, and what they say on the way.

A verb that takes an argument `options` gets an option for each of them from `scoring`, and all of them in it,
`measure` too.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Annotated, Any, get_type_hints

import typer

from inexlab.cli.terminal import print_notes as print_notes

Texts = list[str] | None
_PANEL = "Scoring"


def _explain_policy(settings: Texts) -> Texts:
    """Print every choice of the policy, where that is asked for."""
    if not settings or "help" not in settings:
        return settings
    from inexlab.policy import Policy

    for name, choice in Policy.choices().items():
        print(f"{name}={choice.default}\n    {choice.metadata['meaning']}")
        for value, meaning in choice.metadata["values"].items():
            print(f"      {value}: {meaning}")
    raise typer.Exit


def _option(*names: str, help: str, **settings: Any) -> Any:
    return typer.Option(*names, help=help, rich_help_panel=_PANEL, **settings)


# one entry per option of the functions that score: its type, its typer.Option, its default
_OPTIONS: dict[str, tuple[Any, Any, Any]] = {
    "measure": (
        Texts,
        _option("-m", "--measure", help="A measure such as iP@0.01; repeatable (`inexlab measures`)."),
        None,
    ),
    "campaign": (str, _option(help="Official measures and policy of a year: inex2002 … inex2010."), ""),
    "task": (
        str,
        _option(help="With --campaign or --campaign-file: the task, such as focused or CO.Thorough."),
        "",
    ),
    "campaign_file": (
        str,
        _option(
            metavar="FILE",
            help="A campaign manifest (TOML), which names collection, judgements, tasks, runs and measures.",
        ),
        "",
    ),
    "config": (
        str,
        _option(metavar="FILE", help="EvalJ's configuration, in place of judgements, runs and measures."),
        "",
    ),
    "collection": (
        str,
        _option(metavar="DIR", help="Folder, archive or index of the documents; XPath results need it."),
        "",
    ),
    "topics": (
        Texts,
        _option(
            metavar="FILE",
            help="A topic file: for titles, and for tasks that were averaged over some kind of topic; "
            "repeatable.",
        ),
        None,
    ),
    "over": (
        str,
        _option(metavar="judged|run|FILE", help="Topics to average over; FILE lists ids, one per line."),
        "judged",
    ),
    "limit": (
        int | None,
        _option(min=0, help="Results kept per topic (0: all); 1500 unless the policy says otherwise."),
        None,
    ),
    "policy": (
        Texts,
        _option(
            metavar="NAME=VALUE",
            callback=_explain_policy,
            is_eager=True,
            help="Change a policy setting; `--policy help` lists them.",
        ),
        None,
    ),
    "pool": (
        Texts,
        _option(metavar="ID", help="Only assessments of this pool (2005-2006); repeatable."),
        None,
    ),
    "assessor": (
        Texts,
        _option(
            metavar="NAME",
            help="Only what this assessor judged: a name, or kind=person, kind=model; repeatable.",
        ),
        None,
    ),
    "merge": (
        str,
        _option(metavar="RULE", help="Make one judgement of several assessors': {merges}."),
        "",
    ),
    "unit": (
        Texts,
        _option(
            metavar="byte|char|merged|merged-byte",
            help="What offsets count (char unless given); runs=byte or judgements=byte for one of them; "
            "repeatable.",
        ),
        None,
    ),
    "input_format": (
        str,
        _option(metavar="NAME", help="Force the format of the runs: {run_formats}."),
        "",
    ),
    "run_names": (
        str,
        _option(metavar="id|file", help="Name runs by the id in them, or by their file names."),
        "id",
    ),
    "jobs": (
        int,
        _option(min=0, metavar="N", help="Threads that read and score runs (0: one per core)."),
        0,
    ),
}


def scoring(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of scoring, gathered in its argument `options`."""
    signature = inspect.signature(command)
    own = [p for name, p in signature.parameters.items() if name != "options"]
    shared = [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, annotation=Annotated[kind, option], default=default
        )
        for name, (kind, option, default) in _OPTIONS.items()
    ]

    @functools.wraps(command)
    def run(**given: Any) -> None:
        values = {name: given.pop(name) for name in _OPTIONS}
        command(**given, options={name: _library_value(name, value) for name, value in values.items()})

    hints = get_type_hints(command, include_extras=True)
    own = [p.replace(annotation=hints[p.name], kind=inspect.Parameter.KEYWORD_ONLY) for p in own]
    run.__signature__ = signature.replace(parameters=[*own, *shared])  # type: ignore[attr-defined]
    run.__annotations__ = {p.name: p.annotation for p in [*own, *shared]}
    del run.__wrapped__  # typer would look at its signature
    return run


def _library_value(name: str, value: Any) -> Any:
    """Return an option as the library takes it: an option that is not given is the field's default."""
    if value is None and name != "limit":
        return ()
    return None if name == "collection" and not value else value


def judgements_and_runs(files: list[str] | None) -> tuple[str | None, list[str] | None]:
    """Return the first of some files, which are judgements or scores, and the others; None if none is."""
    return (files[0] if files else None), (files[1:] if files and len(files) > 1 else None)
