"""`inexlab demo`: the laboratory on the built-in campaign."""

from __future__ import annotations

import shutil
import sys
from typing import Annotated

import typer


def demo(
    out: Annotated[
        str, typer.Option(metavar="DIR", help="Copy the built-in campaign there, to try commands on.")
    ] = "",
) -> None:
    """Score the built-in campaign: eight articles about evaluation, six topics, nine runs.

    Examples: `inexlab demo`, `inexlab demo --out demo`
    """
    from importlib.resources import as_file, files

    from inexlab.experiments import score
    from inexlab.experiments.manifest import read_manifest
    from inexlab.experiments.scoring import with_open_collections
    from inexlab.output import new_folder
    from inexlab.report.results import write_results_page

    with as_file(files("inexlab") / "handbook") as handbook:
        if out:
            ignored = shutil.ignore_patterns("__pycache__", "*.py")
            with new_folder(out) as folder:
                shutil.copytree(handbook, folder, ignore=ignored, dirs_exist_ok=True)
            print(f"The built-in campaign is in {out}. Try:\n")
            print(f"  inexlab evaluate {out}/judgements.qrels {out}/runs/focused-sections.txt -m MAiP -q")
            print(f"  inexlab evaluate --campaign-file {out}/campaign.toml")
            return
        tasks = with_open_collections(read_manifest(handbook / "campaign.toml").chosen())
        scored = [score(task) for task in tasks]
    sys.stdout.write(write_results_page(scored, "table", top=0, best=False))
    print()
    print("`inexlab demo --out DIR` copies this campaign; `inexlab measures` explains the measures.")
