"""`inexlab report`: a campaign as one page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from inexlab.cli.options import ALPHA, CORRECTION, JUDGEMENTS_AND_RUNS, RESAMPLES, SEED, TEST
from inexlab.cli.scoring import print_notes, scoring, watched
from inexlab.cli.terminal import working

if TYPE_CHECKING:
    from inexlab.experiments import Choices

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
    choices: Choices,
) -> None:
    """Make one page of a campaign, to open without a network: ranking, curves, topics, significance.

    Examples (after `inexlab demo --out demo`):

    - `inexlab report --campaign-file demo/campaign.toml --out demo-report.html`

    - `inexlab report demo/judgements.qrels demo/runs/focused-*.* --collection demo/articles
      --topics demo/topics.xml -m MAiP -m iP@0.01 --test t --out demo-focused.html`
    """
    from inexlab.errors import UsageError
    from inexlab.experiments import choose_experiments
    from inexlab.experiments.choices import chosen_manifest
    from inexlab.output import refuse_unwritable, write_file
    from inexlab.report.gathering import report_content
    from inexlab.report.page import write_page
    from inexlab.statistics.procedure import Procedure
    from inexlab.statistics.testing import Sampling

    if not out:
        raise UsageError("name the page to write, for example --out report.html.")
    refuse_unwritable(out)
    procedure = Procedure(test, correction, alpha, Sampling(resamples, seed))
    experiments = choose_experiments(files or [], choices)
    manifest = chosen_manifest(files or [], choices) if choices.campaign_file else None
    title = title or (manifest.title if manifest else experiments[0].title) or "Evaluation of runs"
    content = report_content(title, experiments, procedure, watch=watched)
    with working("writing the page"):
        page = write_page(content).encode()
    write_file(out, [page])
    several = len(content.tasks) > 1
    print_notes(f"{t.name}: {note}" if several else note for t in content.tasks for note in t.notes)
    print_notes([f"{out}: {len(page) / 1e6:.1f} MB, opens without a network"])
