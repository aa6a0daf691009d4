"""`inexlab stability`: how far a test's conclusions hold on other topics."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from inexlab.cli.campaign import CAMPAIGN_FILE, TASK, one_task, open_manifest
from inexlab.cli.options import COLLECTION, COMMON_TOPICS, MEASURE_TO_COMPARE, OUTPUT, RESAMPLES

_FILES = typer.Argument(metavar="JUDGEMENTS RUN... | SCORES...", help="As for compare.")
_TEST = typer.Option(help="A test; repeatable. All five unless given.")
_CORRECTION = typer.Option(help="A correction; repeatable. none and by unless given.")
_ALPHA = typer.Option(help="Level of the tests.")
_SPLITS = typer.Option(min=1, help="Random halvings of the topics.")
_SEED = typer.Option(min=0, help="Seed of splits and resamples.")
_GROWTH = typer.Option("--growth", help="Print how the share of significant pairs grows with topics instead.")
_EACH_SPLIT = typer.Option(
    "--mean-of-splits", help="Average the rates of the splits; else pool their counts."
)

_ALL_FIVE = ("bootstrap", "t", "wilcoxon", "sign", "randomisation")


def stability(
    files: Annotated[list[str] | None, _FILES] = None,
    measure: Annotated[str, MEASURE_TO_COMPARE] = "",
    test: Annotated[list[str] | None, _TEST] = None,
    correction: Annotated[list[str] | None, _CORRECTION] = None,
    alpha: Annotated[float, _ALPHA] = 0.05,
    splits: Annotated[int, _SPLITS] = 50,
    resamples: Annotated[int, RESAMPLES] = 10_000,
    seed: Annotated[int, _SEED] = 2006,
    growth: Annotated[bool, _GROWTH] = False,
    collection: Annotated[str, COLLECTION] = "",
    each_split: Annotated[bool, _EACH_SPLIT] = False,
    common_topics: Annotated[bool, COMMON_TOPICS] = False,
    campaign_file: Annotated[str, CAMPAIGN_FILE] = "",
    task: Annotated[str, TASK] = "",
    output: Annotated[str, OUTPUT] = "table",
) -> None:
    """Check tests against other topics: what they conclude on one half of the topics, on the other half.

    Example (after `inexlab demo --out demo`):
    `inexlab stability demo/judgements.qrels demo/runs/focused-*.* --collection demo/articles -m MAiP`
    """
    from inexlab.cli.compare import campaign_matrices, score_matrix
    from inexlab.cli.terminal import working
    from inexlab.report.grids import known_format, write_grid
    from inexlab.report.tables import Cell, Grid
    from inexlab.statistics.comparison import check_choices, resolution_warnings
    from inexlab.statistics.stability import Stability
    from inexlab.statistics.stability import growth as grow
    from inexlab.statistics.stability import stability as check
    from inexlab.statistics.testing import Sampling

    tests, corrections = (
        list(dict.fromkeys(given)) for given in (test or _ALL_FIVE, correction or ("none", "by"))
    )
    known_format(output)
    for name in tests:
        for of_family in corrections:
            check_choices(name, of_family, alpha)
    if campaign_file:
        manifest = open_manifest(campaign_file, files or collection)
        chosen = one_task(manifest, task)
        [(_, matrix)] = campaign_matrices(manifest, chosen, measure, common_topics, "")
    else:
        matrix = score_matrix(files or [], measure, collection, common_topics)
    sampling = Sampling(resamples, seed)
    rows: list[list[Cell]]
    with working("splitting topics"):
        if growth:
            header = ["test", "correction", "topics", "% significant"]
            rows = [
                [t, c, size, share]
                for t in tests
                for c in corrections
                for size, share in grow(matrix, t, c, alpha=alpha, sampling=sampling)
            ]
        else:
            header = list(Stability._fields)
            found = check(
                matrix,
                tests,
                corrections,
                splits=splits,
                alpha=alpha,
                sampling=sampling,
                pooled=not each_split,
            )
            rows = [[None if cell != cell else cell for cell in row] for row in found]
    how = "20 samples of each size" if growth else f"{splits} splits"
    summed = "" if growth else ", rates are means over splits" if each_split else ", counts pooled"
    counts = f"{len(matrix.systems)} systems on {len(matrix.topics)} topics"
    print(f"inexlab: {how}, {counts}, level {alpha:g}, seed {seed}{summed}", file=sys.stderr)
    tested = len(matrix.topics) if growth else (len(matrix.topics) + 1) // 2
    for warning in resolution_warnings(matrix, tests, corrections, alpha, sampling, topics=tested):
        print(f"inexlab: {warning}", file=sys.stderr)
    sys.stdout.write(write_grid(Grid(header, rows), output))
