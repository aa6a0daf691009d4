"""`inexlab demo`: the laboratory on the built-in campaign."""

from __future__ import annotations

import sys
from typing import Annotated

import typer


def demo(
    out: Annotated[
        str, typer.Option(metavar="DIR", help="Copy the built-in campaign there, to try commands on.")
    ] = "",
    serve: Annotated[
        bool, typer.Option("--serve", help="Open it in a browser instead: search, read and judge.")
    ] = False,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The port of --serve; 0 takes a free one.")
    ] = 8000,
) -> None:
    """Score the built-in campaign: eight articles about evaluation, six topics, nine runs.

    Examples: `inexlab demo`, `inexlab demo --out demo`
    """
    from inexlab.api.scoring import copy_demo
    from inexlab.api.scoring import demo as score_demo

    if serve:
        from inexlab.cli.terminal import print_notes
        from inexlab.web.serving import serve_demo

        serve_demo(
            port=port,
            announce=lambda line: print(line, flush=True),
            note=lambda line: print_notes([line]),
        )
        return
    if out:
        copy_demo(out)
        print(f"The built-in campaign is in {out}. Try:\n")
        print(f"  inexlab evaluate {out}/judgements.qrels {out}/runs/focused-sections.txt -m MAiP -q")
        print(f"  inexlab evaluate --campaign-file {out}/campaign.toml")
        return
    sys.stdout.write(score_demo().text(top=0, all_runs=True))
    print()
    print("`inexlab demo --out DIR` copies this campaign; `inexlab measures` explains the measures.")
