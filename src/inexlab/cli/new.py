"""`inexlab new`: the file of a measure, format or model to start from, and its test."""

from __future__ import annotations

from typing import Annotated

import typer

from inexlab.cli.scoring import print_notes

_KIND = typer.Argument(metavar="measure|format|model", help="What to start: a run format is a format.")
_NAME = typer.Argument(metavar="NAME", help="Its name, such as SpanG, my-csv or tf-idf.")
_OUT = typer.Option(metavar="DIR", help="Folder to write to.")


def new(
    kind: Annotated[str, _KIND],
    name: Annotated[str, _NAME],
    out: Annotated[str, _OUT] = ".",
) -> None:
    """Write the file of a new measure, run format or retrieval model and its test, to start from.

    Both work as they are, in inexlab's own folder for such files or in a package of yours; how inexlab finds
    the file is printed on standard error.

    Examples: `inexlab new measure SpanG --out mine`, `inexlab new format my-csv`, `inexlab new model tf-idf`
    """
    from inexlab.templates import TEMPLATES, module_name
    from inexlab.templates import new as write_templates

    for path in write_templates(kind, name, out):
        print(path)
    package, module = TEMPLATES[kind].package, module_name(name)
    folder = package.replace(".", "/")
    print_notes(
        [
            f"to make it part of inexlab, put {module}.py into src/{folder}/",
            "to make it a plug-in, name it in the pyproject.toml of your package and install that:",
        ]
    )
    typer.echo(f'\n    [project.entry-points."{package}"]\n    {name} = "{module}"\n', err=True)
