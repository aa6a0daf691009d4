"""`inexlab evaluate`: score runs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from inexlab.cli.options import CORRECTION, JUDGEMENTS_AND_RUNS, OUTPUT, TEST
from inexlab.cli.scoring import print_notes, scoring, watched
from inexlab.cli.terminal import terminal_width, working

if TYPE_CHECKING:
    from inexlab.experiments import Choices

_PER_TOPIC = typer.Option("-q", "--per-topic", help="Print every topic's score too.")
_OUT = typer.Option(
    metavar="FILE",
    help="Also write a results file: scores with versions, policy and hashes, for inexlab diff.",
)
_TOP = typer.Option(min=0, help="With --campaign-file: participants shown for each task (0: all).")
_ALL_RUNS = typer.Option("--all-runs", help="With --campaign-file: every run, not each participant's best.")
_BASELINE = typer.Option(metavar="RUN-ID", help="With -o latex: mark against this run, not against the best.")


@scoring
def evaluate(
    files: Annotated[list[str] | None, JUDGEMENTS_AND_RUNS] = None,
    per_topic: Annotated[bool, _PER_TOPIC] = False,
    output: Annotated[str, OUTPUT] = "table",
    top: Annotated[int, _TOP] = 10,
    all_runs: Annotated[bool, _ALL_RUNS] = False,
    out: Annotated[str, _OUT] = "",
    test: Annotated[str, TEST] = "bootstrap",
    correction: Annotated[str, CORRECTION] = "by",
    baseline: Annotated[str, _BASELINE] = "",
    *,
    choices: Choices,
) -> None:
    """Score runs against judgements.

    Numbers go to standard output, what was assumed to standard error. Tables have the best run by the
    first measure on top.

    Examples (on the built-in campaign, after `inexlab demo --out demo`):

    - `inexlab evaluate demo/judgements.qrels demo/runs/focused-sections.txt -m iP@0.01 -m MAiP`

    - `inexlab evaluate demo/judgements.qrels demo/runs/*.txt --collection demo/articles
      --campaign inex2009 --task focused`

    - `inexlab evaluate demo/judgements.qrels demo/runs/focused-chunks.jsonl -m SpanP@5 -m SpanR@5 -q -o csv`

    - `inexlab evaluate demo/judgements.qrels demo/runs/focused-paragraphs.txt --collection demo/articles
      --campaign inex2006 --task focused`

    - `inexlab evaluate --campaign-file demo/campaign.toml`
    """
    from inexlab.errors import UnknownNameError, UsageError
    from inexlab.experiments import choose_experiments, score
    from inexlab.experiments.results import results_of, write_results
    from inexlab.experiments.scoring import with_open_collections
    from inexlab.experiments.tables import compare_measures, labelled
    from inexlab.output import refuse_unwritable
    from inexlab.report.results import write_results_page
    from inexlab.report.scores import FORMATS, write_scores
    from inexlab.statistics.procedure import Procedure

    if output not in FORMATS:
        raise UnknownNameError("output format", output, FORMATS)
    if baseline and output != "latex":
        raise UsageError("--baseline marks a table of -o latex; to test against a run: inexlab compare.")
    marked = output == "latex" and test != "none" and not per_topic
    procedure = Procedure(test, correction) if marked else None
    if out:
        refuse_unwritable(out)
    chosen = choose_experiments(files or [], choices)
    with working("opening the collection"):
        experiments = with_open_collections(chosen)
    parts = []
    for experiment in experiments:
        scored = score(experiment, watch=watched)
        parts.append(scored)
        print_notes(labelled(experiment, scored.notes))
        systems = scored.evaluation.scores[0].systems
        if baseline and baseline not in systems:
            raise UnknownNameError("run", baseline, systems)
    tested = [
        compare_measures(part.evaluation, procedure, [baseline] if baseline else []) if procedure else []
        for part in parts
    ]
    if choices.campaign_file or len(parts) > 1:
        text = write_results_page(
            parts,
            output,
            top=top,
            best=not all_runs,
            per_topic=per_topic,
            comparisons=tested,
            baseline=baseline,
        )
    else:
        [scored], [comparisons] = parts, tested
        text = write_scores(
            scored.evaluation,
            output,
            per_topic=per_topic,
            doubtful=scored.experiment.doubtful,
            width=terminal_width(),
            comparisons=comparisons,
            baseline=baseline,
            submitted=scored.submitted,
        )
    sys.stdout.write(text)
    if out:
        write_results(results_of(parts), out)
