"""Campaign manifests on the command line: the option that all verbs share, and what it stands for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from inexlab.cli.terminal import working

if TYPE_CHECKING:
    from inexlab.collection import Collection
    from inexlab.experiments.manifest import Manifest

CAMPAIGN_FILE = typer.Option(
    "--campaign-file",
    metavar="FILE",
    help="A campaign manifest (TOML), which names collection, judgements, tasks, runs and measures.",
)

TASK = typer.Option("--task", help="With --campaign-file: only this task.")


def open_documents(manifest: Manifest) -> Collection | None:
    """Open the collection of a manifest, if it names one."""
    from inexlab.collection import open_collection

    with working("opening the collection"):
        return open_collection(manifest.collection) if manifest.collection else None
