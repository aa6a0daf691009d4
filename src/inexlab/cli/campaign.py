"""Campaign manifests on the command line: the option that all verbs share, and what it stands for."""

from __future__ import annotations

import typer

CAMPAIGN_FILE = typer.Option(
    "--campaign-file",
    metavar="FILE",
    help="A campaign manifest (TOML), which names collection, judgements, tasks, runs and measures.",
)

TASK = typer.Option("--task", help="With --campaign-file: only this task.")
