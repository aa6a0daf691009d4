"""`inexlab evaluate`: score runs."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from inexlab.campaigns import Preset
    from inexlab.measures.scoring import Over
    from inexlab.policy import Policy
    from inexlab.runs import Run

Texts = list[str] | None


def _explain_policy(settings: Texts) -> Texts:
    """Print every choice of the policy, where that is asked for."""
    from inexlab.policy import Policy

    if not settings or "help" not in settings:
        return settings
    for name, choice in Policy.choices().items():
        print(f"{name}={choice.default}\n    {choice.metadata['meaning']}")
        for value, meaning in choice.metadata["values"].items():
            print(f"      {value}: {meaning}")
    raise typer.Exit


_JUDGEMENTS = typer.Argument(metavar="JUDGEMENTS", help="Judgements: INEX 2008-2010 qrels or JSON Lines.")
_RUNS = typer.Argument(metavar="RUN", help="Runs: INEX text or XML, TREC, JSON Lines, also gzipped.")
_MEASURE = typer.Option("-m", "--measure", help="A measure such as iP@0.01; repeatable (`inexlab measures`).")
_CAMPAIGN = typer.Option(help="Official measures and policy of a year: inex2007 … inex2010.")
_TASK = typer.Option(help="With --campaign: thorough, focused, relevant-in-context or best-in-context.")
_COLLECTION = typer.Option(
    metavar="DIR", help="Folder or archive of the XML documents; XPath results need it."
)
_PER_TOPIC = typer.Option("-q", "--per-topic", help="Print every topic's score too.")
_OUTPUT = typer.Option("-o", "--output", help="Format: table, json, csv, tsv, latex or markdown.")
_OVER = typer.Option(metavar="judged|run|FILE", help="Topics to average over; FILE lists ids, one per line.")
_LIMIT = typer.Option(min=0, help="Results kept per topic (0: all); 1500 unless the policy says otherwise.")
_POLICY = typer.Option(
    metavar="NAME=VALUE",
    callback=_explain_policy,
    is_eager=True,
    help="Another reading of an open question; `--policy help` lists them.",
)
_INPUT_FORMAT = typer.Option(metavar="NAME", help="Force the format of the runs: text, xml or jsonl.")


def evaluate(
    judgements: Annotated[str, _JUDGEMENTS],
    runs: Annotated[list[str], _RUNS],
    measure: Annotated[Texts, _MEASURE] = None,
    campaign: Annotated[str, _CAMPAIGN] = "",
    task: Annotated[str, _TASK] = "",
    collection: Annotated[str, _COLLECTION] = "",
    per_topic: Annotated[bool, _PER_TOPIC] = False,
    output: Annotated[str, _OUTPUT] = "table",
    over: Annotated[str, _OVER] = "judged",
    limit: Annotated[int | None, _LIMIT] = None,
    policy: Annotated[Texts, _POLICY] = None,
    input_format: Annotated[str, _INPUT_FORMAT] = "",
) -> None:
    """Score runs against judgements.

    Numbers go to standard output, what was assumed to standard error.

    Examples (on the built-in campaign, after `inexlab demo --out demo`):

    - `inexlab evaluate demo/judgements.qrels demo/runs/focused-sections.txt -m iP@0.01 -m MAiP`

    - `inexlab evaluate demo/judgements.qrels demo/runs/*.txt --collection demo/articles
      --campaign inex2009 --task focused`

    - `inexlab evaluate demo/judgements.qrels demo/runs/focused-chunks.jsonl -m SpanP@5 -m SpanR@5 -q -o csv`
    """
    from inexlab.collection import open_collection
    from inexlab.errors import UnknownNameError
    from inexlab.judgements import read_judgements
    from inexlab.measures import evaluate as score
    from inexlab.measures import parse
    from inexlab.measures.scoring import DEFAULT_MEASURES
    from inexlab.report.scores import FORMATS, write_scores

    if output not in FORMATS:
        raise UnknownNameError("output format", output, FORMATS)
    preset = _preset(campaign, task)
    wanted = [parse(name) for name in measure or []] or list(preset.measures if preset else ())
    evaluation = score(
        read_judgements(judgements),
        _read(runs, input_format),
        wanted or DEFAULT_MEASURES,
        collection=open_collection(collection) if collection else None,
        policy=_policy(preset, limit, policy or []),
        over=_over(over),
    )
    for note in (*evaluation.notes, *(preset.notes() if preset else [])):
        print(f"inexlab: {note}", file=sys.stderr)
    text = write_scores(
        evaluation,
        output,
        per_topic=per_topic,
        doubtful=lambda m: bool(preset and preset.doubts(m)),
        width=_terminal_width(),
    )
    sys.stdout.write(text)


def _preset(campaign: str, task: str) -> Preset | None:
    from inexlab.campaigns import preset
    from inexlab.errors import UsageError

    if not campaign and not task:
        return None
    if not campaign:
        raise UsageError("--task needs --campaign, for example --campaign inex2009.")
    return preset(campaign, task)


def _policy(preset: Preset | None, limit: int | None, settings: Sequence[str]) -> Policy:
    from inexlab.policy import Policy

    start = preset.policy if preset else Policy()
    return start.with_settings([*settings, *([] if limit is None else [f"limit={limit}"])])


def _over(over: str) -> Over:
    from inexlab.files import read_source

    if over == "judged" or over == "run":
        return over
    lines = read_source(Path(over)).data.decode(errors="replace").splitlines()
    return [line.split()[0] for line in lines if line.strip() and not line.startswith("#")]


def _read(runs: Sequence[str], input_format: str) -> Iterator[Run]:
    """Read the runs one by one, with a progress bar where somebody watches many of them."""
    from inexlab.runs import read_run

    if len(runs) < 5 or not sys.stderr.isatty():
        yield from (read_run(path, input_format or None) for path in runs)
        return
    from rich.console import Console
    from rich.progress import track

    for path in track(runs, "scoring", console=Console(stderr=True), transient=True):
        yield read_run(path, input_format or None)


def _terminal_width() -> int:
    import shutil

    return shutil.get_terminal_size((100, 24)).columns
