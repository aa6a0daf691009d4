"""`inexlab stability`: how far a test's conclusions hold on other topics."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from inexlab.cli.options import COMMON_TOPICS, FILES_OR_SCORES, OUTPUT, RESAMPLES
from inexlab.cli.scoring import print_notes, scoring, watched
from inexlab.cli.terminal import working

if TYPE_CHECKING:
    from inexlab.experiments import Choices

_TEST = typer.Option(
    help="A test: {tests}; repeatable. All unless given, but not those that approximate another."
)
_CORRECTION = typer.Option(help="A correction: {corrections}; repeatable. none and by unless given.")
_ALPHA = typer.Option(help="Level of the tests.")
_SPLITS = typer.Option(min=1, help="Random halvings of the topics.")
_SEED = typer.Option(min=0, help="Seed of splits and resamples.")
_GROWTH = typer.Option("--growth", help="Print how the share of significant pairs grows with topics instead.")
_EACH_SPLIT = typer.Option(
    "--mean-of-splits", help="Average the rates of the splits; else pool their counts."
)


@scoring
def stability(
    files: Annotated[list[str] | None, FILES_OR_SCORES] = None,
    test: Annotated[list[str] | None, _TEST] = None,
    correction: Annotated[list[str] | None, _CORRECTION] = None,
    alpha: Annotated[float, _ALPHA] = 0.05,
    splits: Annotated[int, _SPLITS] = 50,
    resamples: Annotated[int, RESAMPLES] = 10_000,
    seed: Annotated[int, _SEED] = 2006,
    growth: Annotated[bool, _GROWTH] = False,
    each_split: Annotated[bool, _EACH_SPLIT] = False,
    common_topics: Annotated[bool, COMMON_TOPICS] = False,
    output: Annotated[str, OUTPUT] = "table",
    *,
    choices: Choices,
) -> None:
    """Check tests against other topics: what they conclude on one half of the topics, on the other half.

    Example (after `inexlab demo --out demo`):
    `inexlab stability demo/judgements.qrels demo/runs/focused-*.* --collection demo/articles -m MAiP`
    """
    from inexlab.experiments.tables import one_table
    from inexlab.report.grids import known_format, write_grid
    from inexlab.report.tables import Cell, Grid
    from inexlab.statistics.caveats import resolution_warnings
    from inexlab.statistics.comparison import check_choices
    from inexlab.statistics.stability import COLUMNS, GROWTH_COLUMNS, Stability, halves_warning
    from inexlab.statistics.stability import growth as grow
    from inexlab.statistics.stability import stability as check
    from inexlab.statistics.testing import Sampling, usual_tests
    from inexlab.wording import counted

    tests, corrections = (
        list(dict.fromkeys(given)) for given in (test or usual_tests(), correction or ("none", "by"))
    )
    known_format(output)
    for name in tests:
        for of_family in corrections:
            check_choices(name, of_family, alpha)
    table = one_table(files or [], choices, common=common_topics, watch=watched)
    scores, sampling = table.scores, Sampling(resamples, seed)
    print_notes(table.notes)
    rows: list[list[Cell]]
    with working("splitting topics"):
        if growth:
            header = ["test", "correction", "topics", "% significant"]
            rows = [
                [t, c, size, share]
                for t in tests
                for c in corrections
                for size, share in grow(scores, t, c, alpha=alpha, sampling=sampling)
            ]
        else:
            header = list(Stability._fields)
            found = check(
                scores,
                tests,
                corrections,
                splits=splits,
                alpha=alpha,
                sampling=sampling,
                pooled=not each_split,
            )
            rows = [[None if cell != cell else cell for cell in row] for row in found]
    if output in ("table", "markdown"):
        explained = GROWTH_COLUMNS if growth else COLUMNS
        print_notes(f"{name}: {meaning}" for name, meaning in explained.items())
    how = "20 samples of each size" if growth else f"{splits} splits"
    summed = "" if growth else ", rates are means over splits" if each_split else ", counts pooled"
    counts = f"{counted(len(scores.systems), 'system')} on {counted(len(scores.topics), 'topic')}"
    print_notes([f"{how}, {counts}, level {alpha:g}, seed {seed}{summed}"])
    tested = len(scores.topics) if growth else (len(scores.topics) + 1) // 2
    print_notes(resolution_warnings(scores, tests, corrections, alpha, sampling, topics=tested))
    warning = "" if growth else halves_warning(len(scores.topics))
    print_notes([warning] if warning else [])
    title = "Conclusions of tests, checked on other topics" if output == "latex" else ""
    sys.stdout.write(write_grid(Grid(header, rows, title), output))
