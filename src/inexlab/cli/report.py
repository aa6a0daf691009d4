"""`inexlab report`: a campaign as one page."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from inexlab.cli.options import ALPHA, CORRECTION, JUDGEMENTS_AND_RUNS, RESAMPLES, SEED, TEST
from inexlab.cli.progress import showing_progress
from inexlab.cli.scoring import judgements_and_runs, print_notes, scoring

_TITLE = typer.Option(help="Title of the page.")
_OUT = typer.Option(metavar="FILE", help="The page to write, such as report.html.")


@scoring
def report(
    files: Annotated[list[str] | None, JUDGEMENTS_AND_RUNS] = None,
    test: Annotated[str, TEST] = "bootstrap",
    correction: Annotated[str, CORRECTION] = "by",
    alpha: Annotated[float, ALPHA] = 0.05,
    resamples: Annotated[int, RESAMPLES] = 10_000,
    seed: Annotated[int, SEED] = 2006,
    title: Annotated[str, _TITLE] = "",
    out: Annotated[str, _OUT] = "",
    *,
    options: dict[str, Any],
) -> None:
    """Make one page of a campaign, to open without a network: ranking, curves, topics, significance.

    Examples (after `inexlab demo --out demo`):

    - `inexlab report --campaign-file demo/campaign.toml --out demo-report.html`

    - `inexlab report demo/judgements.qrels demo/runs/focused-*.* --collection demo/articles
      --topics demo/topics.xml -m MAiP -m iP@0.01 --test t --out demo-focused.html`
    """
    from inexlab.api.figures import make_report
    from inexlab.errors import UsageError

    if not out:
        raise UsageError("give the page to write, for example --out report.html.")
    given, runs = judgements_and_runs(files)
    with showing_progress():
        page = make_report(
            given,
            runs,
            **options,
            test=test,
            correction=correction,
            alpha=alpha,
            resamples=resamples,
            seed=seed,
            title=title,
            out=out,
        )
    size = len(page.html.encode()) / 1e6
    print_notes([*page.notes, f"{out}: {size:.1f} MB, opens without a network"])
