"""`inexlab ttest`: Student's paired t-test on a three-column file, as the script of INEX 2008-2009 did it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from inexlab.cli.scoring import print_notes, scoring, watched
from inexlab.wording import SUBMITTED, counted

if TYPE_CHECKING:
    from inexlab.experiments import Choices
    from inexlab.experiments.tables import ScoreTable

_FILES = typer.Argument(
    metavar="FILE | SCORES SCORES | JUDGEMENTS RUN RUN",
    help="Topic and two scores per line; or outputs of inex_eval -q; or judgements and two runs; with "
    "--campaign-file the ids of two runs.",
)
_OUT = typer.Option(metavar="FILE", help="Also write the three-column file.")
_COMPAT = typer.Option("--compat", help="Print as the script did: its s^2 is the sum of squared deviations.")
_COMMON = typer.Option("--common-topics", help="Where a system lacks topics, keep those that both have.")
_OUTPUT = typer.Option("-o", "--output", help="Format: table or json.")


@scoring
def ttest(
    files: Annotated[list[str] | None, _FILES] = None,
    out: Annotated[str, _OUT] = "",
    compat: Annotated[bool, _COMPAT] = False,
    common_topics: Annotated[bool, _COMMON] = False,
    output: Annotated[str, _OUTPUT] = "table",
    *,
    choices: Choices,
) -> None:
    """Test whether the third column is better than the second: difference = third - second, one-tailed.

    Example (after `inexlab demo --out demo`):
    `inexlab ttest demo/judgements.qrels demo/runs/focused-articles.txt demo/runs/focused-sections.txt
    -m MAiP`
    """
    from inexlab.errors import UnknownNameError
    from inexlab.output import refuse_unwritable, write_file
    from inexlab.statistics.caveats import few_topics_warning
    from inexlab.statistics.significance.t import t_test

    if output not in ("table", "json"):
        raise UnknownNameError("output format", output, ("table", "json"))
    if out:
        refuse_unwritable(out)
    table = _two_systems(files or [], choices, common_topics)
    print_notes(table.notes)
    scores = table.scores
    if out:
        rows = zip(scores.topics, *scores.values.tolist(), strict=True)
        text = "".join(f"{topic}\t{x!r}\t{y!r}\n" for topic, x, y in rows)
        write_file(out, [text.encode()])
    result = t_test(scores.values[0], scores.values[1])
    shown = {
        "n": result.n,
        "df": result.n - 1,
        "sum": result.sum,
        "mean": result.mean,
        "s^2": result.squares if compat else result.variance,
        "t": result.t,
        **({} if compat else {"p": result.p}),
    }
    if output == "json":
        print(json.dumps({k: v if math.isfinite(v) else None for k, v in shown.items()}))
    else:
        for label, value in shown.items():
            print(f"{label} : {value:.10g}")
    if not compat:
        if warning := few_topics_warning(result.n):
            print_notes([warning])
        first, second = (_with_task(system, table.submitted) for system in scores.systems)
        print_notes([f"{second} against {first}, one-tailed"])


def _with_task(system: str, submitted: Mapping[str, str]) -> str:
    """Return a system's name, and its task where the two are of different ones."""
    return f"{system} ({SUBMITTED} {submitted[system]})" if submitted.get(system) else system


def _two_systems(files: list[str], choices: Choices, common: bool) -> ScoreTable:
    """Return the scores of the two systems that are named, in that order."""
    from dataclasses import replace

    from inexlab.errors import UnknownNameError, UsageError
    from inexlab.experiments import choose_one
    from inexlab.experiments.tables import one_table
    from inexlab.statistics.score_files import holds_scores

    if choices.campaign_file:
        choose_one([], choices)
        if len(files) != 2:
            raise UsageError("with --campaign-file name the ids of two of its runs: inexlab ttest RUN RUN.")
        table = one_table([], choices, common=common, watch=watched)
        for name in files:
            if name not in table.scores.systems:
                raise UnknownNameError("run", name, table.scores.systems)
        return replace(table, scores=table.scores.choose(files))
    if len(files) not in (1, 2, 3) or (len(files) == 2 and not holds_scores(files[0])):
        raise UsageError("give one three-column file, two files of scores, or judgements and two runs.")
    table = one_table(files, choices, common=common, watch=watched)
    if len(table.scores.systems) != 2:
        raise UsageError(
            f"{files[0]} holds {counted(len(table.scores.systems), 'system')}; a t-test compares two."
        )
    return table
