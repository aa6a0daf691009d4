"""`inexlab check`: whether runs and judgements are what they should be."""

from __future__ import annotations

import sys
import textwrap
from typing import Annotated

import typer

from inexlab.cli.campaign import CAMPAIGN_FILE
from inexlab.cli.flags import with_flags
from inexlab.cli.options import POOL
from inexlab.cli.progress import showing_progress
from inexlab.cli.scoring import print_notes
from inexlab.cli.units import UNIT

Texts = list[str] | None

_FILES = typer.Argument(
    metavar="FILE...",
    help="Runs ({run_formats}) and judgements ({judgement_formats}), mixed; a folder is one set of "
    "judgements.",
)
_TASK = typer.Option(help="Rules of this task: {rules}. With --campaign-file: only this task.")
_JUDGEMENTS = typer.Option(metavar="J", help="Check runs against the topics and document lengths of these.")
_COLLECTION = typer.Option(metavar="DIR", help="Check against the documents in this folder or archive.")
_TOPICS = typer.Option(metavar="FILE", help="Check against the topics in these files; repeatable.")
_LIMIT = typer.Option(min=0, help="Results allowed per topic (0: any number).")
_FIRST = typer.Option(min=0, help="Show at most N problems of each kind and file (0: all); all are counted.")
_ALL = typer.Option("--all", hidden=True, help="Show every problem, as without --first.")
_KINDS = typer.Option("--kinds", help="List the kinds of problems, with meaning and remedy.")
_OUTPUT = typer.Option("-o", "--output", help="Format: table, json, csv, tsv or markdown.")


def check(
    files: Annotated[Texts, _FILES] = None,
    task: Annotated[str, _TASK] = "",
    judgements: Annotated[str, _JUDGEMENTS] = "",
    collection: Annotated[str, _COLLECTION] = "",
    topics: Annotated[Texts, _TOPICS] = None,
    campaign_file: Annotated[str, CAMPAIGN_FILE] = "",
    unit: Annotated[Texts, UNIT] = None,
    limit: Annotated[int, _LIMIT] = 1500,
    pool: Annotated[Texts, POOL] = None,
    first: Annotated[int, _FIRST] = 0,
    every: Annotated[bool, _ALL] = False,
    kinds: Annotated[bool, _KINDS] = False,
    output: Annotated[str, _OUTPUT] = "table",
) -> None:
    """Check runs and judgements: every problem with file and line, and a count of each kind.

    Exit codes: 0 nothing wrong (remarks do not count), 1 problems, 2 something cannot be read. What the
    rules of the task forbid is looked for with --task, or where a run names its task. With --campaign-file
    all judgements are checked, and all runs by the rules of each of their tasks.

    Examples (on the built-in campaign, after `inexlab demo --out demo`):

    - `inexlab check demo/runs/focused-sections.txt --task focused`

    - `inexlab check demo/runs/*.txt demo/judgements.qrels --judgements demo/judgements.qrels
      --collection demo/articles`

    - `inexlab check --campaign-file demo/campaign.toml --task focused`

    - `inexlab check --kinds`
    """
    from inexlab.api.checking import check as find_problems
    from inexlab.report.problems import known_format

    known_format(output)
    if kinds:
        _list_kinds(output)
        return
    # in a terminal, problems wait until the bar is gone; all of them may be too many to wait
    most = 0 if every else first
    waits, waiting = sys.stdout.isatty() and bool(most), list[str]()
    with showing_progress(waits or not sys.stdout.isatty()):
        found = find_problems(
            files or [],
            task=task,
            judgements=judgements or None,
            collection=collection,
            topics=topics or [],
            campaign_file=campaign_file,
            unit=unit or [],
            limit=limit,
            pool=pool or [],
        )
        for piece in found.pieces(output, first=most):
            if waits:
                waiting.append(with_flags(piece))
            else:
                sys.stdout.write(with_flags(piece))
    sys.stdout.writelines(waiting)
    kinds_found = found.tally.sorted() if output in ("csv", "tsv") else []
    counted = [f"{count:,} × {kind.name}" for kind, count in kinds_found]
    print_notes([*found.notes, *counted, found.conclusion()])
    if found.tally.exit_code:
        raise typer.Exit(found.tally.exit_code)


def _list_kinds(output: str) -> None:
    """Print every kind of problem, what it means and what to do about it."""
    from inexlab.api.checking import problem_kinds
    from inexlab.cli.terminal import terminal_width

    kinds = problem_kinds()
    if output != "table":
        sys.stdout.write(with_flags(kinds.text(output, width=10_000)))
        return
    for name, where, severity, *texts in kinds.people.rows:
        print(f"{name} ({severity}, {where})")
        for text in texts:
            filled = textwrap.fill(
                with_flags(str(text)), terminal_width(), initial_indent="    ", subsequent_indent="    "
            )
            print(filled)
