"""`inexlab ttest`: Student's paired t-test on a three-column file, as the script of INEX 2008-2009 did it."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from inexlab.cli.progress import showing_progress
from inexlab.cli.scoring import judgements_and_runs, print_notes, scoring

_FILES = typer.Argument(
    metavar="FILE | SCORES SCORES | JUDGEMENTS RUN RUN",
    help="Topic and two scores per line; or outputs of inex_eval -q; or judgements and two runs; with "
    "--campaign-file the ids of two runs.",
)
_OUT = typer.Option(metavar="FILE", help="Also write the three-column file.")
_COMPAT = typer.Option("--compat", help="Print as the script did: its s^2 is the sum of squared deviations.")
_COMMON = typer.Option("--common-topics", help="Keep only the topics that both systems have.")
_OUTPUT = typer.Option("-o", "--output", help="Format: table or json.")


@scoring
def ttest(
    files: Annotated[list[str] | None, _FILES] = None,
    out: Annotated[str, _OUT] = "",
    compat: Annotated[bool, _COMPAT] = False,
    common_topics: Annotated[bool, _COMMON] = False,
    output: Annotated[str, _OUTPUT] = "table",
    *,
    options: dict[str, Any],
) -> None:
    """Test whether the third column is better than the second: difference = third - second, one-tailed.

    Example (after `inexlab demo --out demo`):
    `inexlab ttest demo/judgements.qrels demo/runs/focused-articles.txt demo/runs/focused-sections.txt
    -m MAiP`
    """
    from inexlab.api.comparing import ttest as test_two
    from inexlab.errors import UnknownNameError

    if output not in ("table", "json"):
        raise UnknownNameError("output format", output, ("table", "json"))
    given, runs = judgements_and_runs(files)
    with showing_progress():
        result = test_two(given, runs, **options, out=out, compat=compat, common_topics=common_topics)
    print_notes(result.notes)
    sys.stdout.write(result.text(output))
