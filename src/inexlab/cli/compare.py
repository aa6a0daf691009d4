"""`inexlab compare`: which system is really better."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from inexlab.cli.options import (
    ALPHA,
    COMMON_TOPICS,
    CORRECTION,
    FILES_OR_SCORES,
    OUTPUT,
    RESAMPLES,
    SEED,
    TEST,
)
from inexlab.cli.scoring import print_notes, scoring, watched
from inexlab.cli.terminal import terminal_width, working

if TYPE_CHECKING:
    from inexlab.experiments import Choices
    from inexlab.statistics import Comparison
    from inexlab.statistics.procedure import Procedure

_TAIL = typer.Option(help="one: is a better than b; two: do they differ.")
_BASELINE = typer.Option(metavar="SYSTEM", help="Compare only this system with the others; repeatable.")
_BEST_PER = typer.Option(
    metavar="participant", help="Compare only the best run of each participant (XML runs)."
)
_TOP = typer.Option(min=0, help="Show the best so many systems (0: all); all are compared.")
_PLUS_ONE = typer.Option("--plus-one", help="Bootstrap p = (c + 1) / (b + 1), never 0.")


@scoring
def compare(
    files: Annotated[list[str] | None, FILES_OR_SCORES] = None,
    test: Annotated[str, TEST] = "bootstrap",
    correction: Annotated[str, CORRECTION] = "by",
    alpha: Annotated[float, ALPHA] = 0.05,
    tail: Annotated[str, _TAIL] = "one",
    baseline: Annotated[list[str] | None, _BASELINE] = None,
    best_per: Annotated[str, _BEST_PER] = "",
    top: Annotated[int, _TOP] = 0,
    resamples: Annotated[int, RESAMPLES] = 10_000,
    seed: Annotated[int, SEED] = 2006,
    plus_one: Annotated[bool, _PLUS_ONE] = False,
    common_topics: Annotated[bool, COMMON_TOPICS] = False,
    output: Annotated[str, OUTPUT] = "table",
    *,
    choices: Choices,
) -> None:
    """Say which systems are really better: significance over all pairs, corrected for their number.

    Examples (after `inexlab demo --out demo`):

    - `inexlab compare demo/judgements.qrels demo/runs/focused-*.* --collection demo/articles -m MAiP`

    - `inexlab compare demo/judgements.qrels demo/runs/focused-*.* --collection demo/articles -m iP@0.01
      -m MAiP --test t --baseline articles`

    - `inexlab compare --campaign-file demo/campaign.toml --task focused`
    """
    from inexlab.errors import UnknownNameError
    from inexlab.experiments.tables import score_tables
    from inexlab.report.comparison import FORMATS, write_comparisons
    from inexlab.statistics.comparison import Tail
    from inexlab.statistics.procedure import Procedure
    from inexlab.statistics.testing import Sampling

    allowed = (
        ("output format", output, FORMATS),
        ("tail", tail, ("one", "two")),
        ("value of --best-per", best_per, ("", "participant")),
    )
    for what, name, names in allowed:
        if name not in names:
            raise UnknownNameError(what, name, [n for n in names if n])
    tails: Tail = "one" if tail == "one" else "two"
    procedure = Procedure(test, correction, alpha, Sampling(resamples, seed, plus_one), tails)
    tables = score_tables(
        files or [],
        choices,
        common=common_topics,
        best_per=best_per,
        baselines=baseline or [],
        watch=watched,
    )
    comparisons = []
    for table in tables:
        print_notes(table.notes)
        with working("comparing"):
            comparison = procedure.compare(table.scores, baseline or [])
        comparisons.append((table.title, comparison))
        prefix = f"{table.title}: " if table.title else ""
        print_notes(f"{prefix}{note}" for note in _notes(comparison, procedure, top, output))
    submitted = {run: of for table in tables for run, of in table.submitted.items()}
    text = write_comparisons(comparisons, output, top=top, width=terminal_width(), submitted=submitted)
    sys.stdout.write(text)


def _notes(comparison: Comparison, procedure: Procedure, top: int, output: str) -> list[str]:
    """Return what stands beside a comparison: how it was made, and what to make of it."""
    from inexlab.report.comparison import LARGEST_MATRIX
    from inexlab.wording import counted

    found, systems = int(comparison.significant.sum()), len(comparison.matrix.systems)
    topics = len(comparison.matrix.topics)
    notes = [
        f"{counted(systems, 'system')} on {counted(topics, 'topic')}; {procedure.description()}",
        f"{found:,} of {counted(len(comparison), 'hypothesis', 'hypotheses')} rejected; intervals are "
        "two-sided and not corrected",
        *comparison.warnings,
    ]
    shown = min(top or systems, systems)
    if output in ("table", "latex", "markdown") and shown > LARGEST_MATRIX:
        notes.append(f"who beats whom is shown for up to {LARGEST_MATRIX} systems: see --top and -o csv")
    return notes
