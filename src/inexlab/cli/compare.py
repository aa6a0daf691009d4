"""`inexlab compare`: which system is really better."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from inexlab.cli.campaign import CAMPAIGN_FILE, TASK, evaluate_task, open_documents, open_manifest
from inexlab.cli.options import (
    ALPHA,
    COLLECTION,
    COMMON_TOPICS,
    CORRECTION,
    FILES_OR_SCORES,
    MEASURE_TO_COMPARE,
    OUTPUT,
    RESAMPLES,
    SEED,
    print_pages,
)
from inexlab.cli.terminal import terminal_width, working

if TYPE_CHECKING:
    from inexlab.campaigns.manifest import Manifest
    from inexlab.runs import Run
    from inexlab.statistics import ScoreMatrix


def _explain_tests(name: str) -> str:
    if name != "help":
        return name
    from inexlab.statistics.testing import significance_tests

    print_pages(significance_tests.values())
    raise typer.Exit


_TEST = typer.Option(
    callback=_explain_tests,
    is_eager=True,
    help="bootstrap, t, wilcoxon, sign, randomisation, or wilcoxon-normal, sign-normal; `--test help` "
    "explains them.",
)
_TAIL = typer.Option(help="one: is a better than b; two: do they differ.")
_BASELINE = typer.Option(metavar="SYSTEM", help="Compare only this system with the others; repeatable.")
_BEST_PER = typer.Option(
    metavar="participant", help="Compare only the best run of each participant (XML runs)."
)
_TOP = typer.Option(min=0, help="Show the best so many systems (0: all); all are compared.")
_PLUS_ONE = typer.Option("--plus-one", help="Bootstrap p = (c + 1) / (b + 1), never 0.")


def compare(
    files: Annotated[list[str] | None, FILES_OR_SCORES] = None,
    measure: Annotated[str, MEASURE_TO_COMPARE] = "",
    test: Annotated[str, _TEST] = "bootstrap",
    correction: Annotated[str, CORRECTION] = "by",
    alpha: Annotated[float, ALPHA] = 0.05,
    tail: Annotated[str, _TAIL] = "one",
    baseline: Annotated[list[str] | None, _BASELINE] = None,
    best_per: Annotated[str, _BEST_PER] = "",
    top: Annotated[int, _TOP] = 0,
    resamples: Annotated[int, RESAMPLES] = 10_000,
    seed: Annotated[int, SEED] = 2006,
    plus_one: Annotated[bool, _PLUS_ONE] = False,
    collection: Annotated[str, COLLECTION] = "",
    common_topics: Annotated[bool, COMMON_TOPICS] = False,
    campaign_file: Annotated[str, CAMPAIGN_FILE] = "",
    task: Annotated[str, TASK] = "",
    output: Annotated[str, OUTPUT] = "table",
) -> None:
    """Say which systems are really better: significance over all pairs, corrected for their number.

    Examples (after `inexlab demo --out demo`):

    - `inexlab compare demo/judgements.qrels demo/runs/focused-*.* --collection demo/articles -m MAiP`

    - `inexlab compare demo/judgements.qrels demo/runs/focused-*.* --collection demo/articles -m iP@0.01
      --test t --baseline articles`

    - `inexlab compare --campaign-file demo/campaign.toml --task focused`
    """
    from inexlab.errors import UnknownNameError
    from inexlab.report.comparison import FORMATS, LARGEST_MATRIX, write_comparisons
    from inexlab.statistics import compare as decide
    from inexlab.statistics.testing import Sampling

    allowed = (
        ("output format", output, FORMATS),
        ("tail", tail, ("one", "two")),
        ("value of --best-per", best_per, ("", "participant")),
    )
    for kind, name, names in allowed:
        if name not in names:
            raise UnknownNameError(kind, name, [n for n in names if n])
    if campaign_file:
        manifest = open_manifest(campaign_file, files or collection)
        named = list(campaign_matrices(manifest, task, measure, common_topics, best_per))
    else:
        with working("scoring"):
            named = [("", score_matrix(files or [], measure, collection, common_topics, best_per=best_per))]
    comparisons = []
    for title, matrix in named:
        with working("comparing"):
            comparison = decide(
                matrix,
                test=test,
                correction=correction,
                alpha=alpha,
                tail="one" if tail == "one" else "two",
                baselines=baseline or (),
                sampling=Sampling(resamples, seed, plus_one),
            )
        comparisons.append((title, comparison))
        found = int(comparison.significant.sum())
        what = f"{test} test, {tail}-tailed, {named_correction(correction)}, level {alpha:g}"
        seeded = f", {resamples:,} resamples, seed {seed}" if test in ("bootstrap", "randomisation") else ""
        plural = "" if len(matrix.topics) == 1 else "s"
        notes = [
            f"{len(matrix.systems)} systems on {len(matrix.topics)} topic{plural}; {what}{seeded}",
            f"{found:,} of {len(comparison):,} hypotheses rejected; "
            "intervals are two-sided and not corrected",
            *comparison.warnings,
        ]
        shown = min(top, len(matrix.systems)) if top else len(matrix.systems)
        if output in ("table", "latex", "markdown") and shown > LARGEST_MATRIX:
            notes.append(f"who beats whom is shown for up to {LARGEST_MATRIX} systems: see --top and -o csv")
        for note in notes:
            print(f"inexlab: {title}{': ' if title else ''}{note}", file=sys.stderr)
    sys.stdout.write(write_comparisons(comparisons, output, top=top, width=terminal_width()))


def named_correction(correction: str) -> str:
    """Return how notes speak of a correction."""
    return "no correction" if correction == "none" else f"{correction} correction"


def said(matrix: ScoreMatrix) -> ScoreMatrix:
    """Return the matrix, having said which topics it leaves out."""
    if matrix.left_out:
        topics = ", ".join(matrix.left_out)
        print(f"inexlab: topics without a score for every system, left out: {topics}", file=sys.stderr)
    return matrix


def campaign_matrices(
    manifest: Manifest, task_name: str, measure: str, common: bool, best_per: str
) -> Iterator[tuple[str, ScoreMatrix]]:
    """Yield each task of a campaign with its scores by a measure: the task's official one unless named."""
    from inexlab.measures import parse
    from inexlab.statistics.score_files import to_matrix

    documents = open_documents(manifest)
    for task in manifest.chosen(task_name):
        wanted = [parse(measure)] if measure else task.measures[:1]
        evaluation, _, participants, _ = evaluate_task(task, documents, wanted)
        for note in evaluation.notes:
            print(f"inexlab: {task.name}: {note}", file=sys.stderr)
        name = str(evaluation.scores[0].measure)
        matrix = said(to_matrix(evaluation.scores[0].by_system(), name, common=common))
        yield f"{task.name}, {name}", _best(matrix, participants) if best_per else matrix


def _best(matrix: ScoreMatrix, participants: Mapping[str, str]) -> ScoreMatrix:
    """Return the matrix of each participant's best run."""
    best: dict[str, str] = {}
    for system, _ in sorted(zip(matrix.systems, matrix.means(), strict=True), key=lambda pair: -pair[1]):
        best.setdefault(participants[system], system)
    return matrix.choose([s for s in matrix.systems if s in best.values()])


def score_matrix(
    files: list[str], measure: str, collection: str, common: bool, best_per: str = ""
) -> ScoreMatrix:
    """Return the matrix of files of scores, or of runs scored against judgements."""
    from inexlab.collection import open_collection
    from inexlab.errors import InputError, UsageError
    from inexlab.judgements import read_judgements
    from inexlab.measures import evaluate
    from inexlab.runs import read_run
    from inexlab.statistics.score_files import KNOWN, holds_scores, read_scores, to_matrix

    if not files:
        raise UsageError("give judgements and at least two runs, files of scores, or a --campaign-file.")
    if "-" in files:
        raise UsageError("standard input cannot be compared; name a file.")
    if holds_scores(files[0]):
        if best_per:
            raise UsageError("--best-per needs runs that name their participant; these are scores.")
        return said(read_scores(files, measure, common=common))
    try:
        judgements = read_judgements(files[0])
    except InputError as error:
        if "known format" not in str(error):
            raise
        what = "is neither judgements nor scores in a known format"
        raise InputError(what, file=error.file, line=error.line, fix=KNOWN) from None
    if not measure:
        raise UsageError("name the measure to compare by, for example -m MAiP.")
    if len(files) < 2:
        raise UsageError("give judgements and at least two runs, or files of scores.")
    participants: dict[str, str] = {}

    def noted() -> Iterator[Run]:
        for path in files[1:]:
            run = read_run(path)
            participants[run.id] = run.about.get("participant", run.id)
            yield run

    documents = open_collection(collection) if collection else None
    evaluation = evaluate(judgements, noted(), [measure], collection=documents)
    for note in evaluation.notes:
        print(f"inexlab: {note}", file=sys.stderr)
    name = str(evaluation.scores[0].measure)
    matrix = said(to_matrix(evaluation.scores[0].by_system(), name, common=common))
    return _best(matrix, participants) if best_per else matrix
