"""`inexlab evaluate`: score runs."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from inexlab.cli.campaign import CAMPAIGN_FILE, evaluate_campaign, fitted, open_manifest
from inexlab.cli.options import CAMPAIGN, COLLECTION, JUDGEMENTS, LIMIT, OUTPUT, POOL, RUNS
from inexlab.cli.terminal import terminal_width, working
from inexlab.cli.units import UNIT, in_characters, units_of

if TYPE_CHECKING:
    from inexlab.campaigns import Preset
    from inexlab.campaigns.results import Part
    from inexlab.judgements import Judgements
    from inexlab.measures import Evaluation
    from inexlab.measures.scoring import Over
    from inexlab.policy import Policy
    from inexlab.runs import Run
    from inexlab.statistics import Comparison

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


_MEASURE = typer.Option("-m", "--measure", help="A measure such as iP@0.01; repeatable (`inexlab measures`).")
_TASK = typer.Option(help="With --campaign: its task, such as focused, relevant-in-context or CO.Thorough.")
_PER_TOPIC = typer.Option("-q", "--per-topic", help="Print every topic's score too.")
_OVER = typer.Option(metavar="judged|run|FILE", help="Topics to average over; FILE lists ids, one per line.")
_POLICY = typer.Option(
    metavar="NAME=VALUE",
    callback=_explain_policy,
    is_eager=True,
    help="Another reading of an open question; `--policy help` lists them.",
)
_CONFIG = typer.Option(
    metavar="FILE", help="EvalJ's configuration, in place of judgements, runs and measures."
)
_OUT = typer.Option(
    metavar="FILE",
    help="Also write a results file: scores with versions, policy and hashes, for inexlab diff.",
)
_TOP = typer.Option(min=0, help="With --campaign-file: participants shown for each task (0: all).")
_ALL_RUNS = typer.Option("--all-runs", help="With --campaign-file: every run, not each participant's best.")
_TEST = typer.Option(
    help="With -o latex: the test behind its marks (bootstrap, t, wilcoxon, sign, randomisation; none)."
)
_CORRECTION = typer.Option(help="With -o latex: by, bh, holm, bonferroni or none.")
_BASELINE = typer.Option(metavar="RUN-ID", help="With -o latex: mark against this run, not against the best.")
_INPUT_FORMAT = typer.Option(metavar="NAME", help="Force the format of the runs: text, xml or jsonl.")


def evaluate(
    judgements: Annotated[str, JUDGEMENTS] = "",
    runs: Annotated[list[str] | None, RUNS] = None,
    measure: Annotated[Texts, _MEASURE] = None,
    campaign: Annotated[str, CAMPAIGN] = "",
    task: Annotated[str, _TASK] = "",
    collection: Annotated[str, COLLECTION] = "",
    per_topic: Annotated[bool, _PER_TOPIC] = False,
    output: Annotated[str, OUTPUT] = "table",
    over: Annotated[str, _OVER] = "judged",
    limit: Annotated[int | None, LIMIT] = None,
    policy: Annotated[Texts, _POLICY] = None,
    pool: Annotated[Texts, POOL] = None,
    config: Annotated[str, _CONFIG] = "",
    input_format: Annotated[str, _INPUT_FORMAT] = "",
    unit: Annotated[Texts, UNIT] = None,
    campaign_file: Annotated[str, CAMPAIGN_FILE] = "",
    top: Annotated[int, _TOP] = 10,
    all_runs: Annotated[bool, _ALL_RUNS] = False,
    out: Annotated[str, _OUT] = "",
    test: Annotated[str, _TEST] = "bootstrap",
    correction: Annotated[str, _CORRECTION] = "by",
    baseline: Annotated[str, _BASELINE] = "",
) -> None:
    """Score runs against judgements.

    Numbers go to standard output, what was assumed to standard error.

    Examples (on the built-in campaign, after `inexlab demo --out demo`):

    - `inexlab evaluate demo/judgements.qrels demo/runs/focused-sections.txt -m iP@0.01 -m MAiP`

    - `inexlab evaluate demo/judgements.qrels demo/runs/*.txt --collection demo/articles
      --campaign inex2009 --task focused`

    - `inexlab evaluate demo/judgements.qrels demo/runs/focused-chunks.jsonl -m SpanP@5 -m SpanR@5 -q -o csv`

    - `inexlab evaluate demo/judgements.qrels demo/runs/focused-paragraphs.txt --collection demo/articles
      --campaign inex2006 --task focused`

    - `inexlab evaluate --campaign-file demo/campaign.toml`
    """
    from inexlab.collection import open_collection
    from inexlab.errors import UnknownNameError
    from inexlab.measures import evaluate as score
    from inexlab.measures import expand
    from inexlab.measures.scoring import DEFAULT_MEASURES
    from inexlab.report.scores import FORMATS, write_scores

    if output not in FORMATS:
        raise UnknownNameError("output format", output, FORMATS)
    if output == "latex" and test != "none":
        from inexlab.statistics.comparison import check_choices

        check_choices(test, correction, 0.05)
    if campaign_file:
        beside = (
            (judgements or runs or campaign or collection or config or pool or policy or input_format or unit)
            or limit is not None
            or over != "judged"
        )
        manifest = open_manifest(campaign_file, beside)
        asked_for = [m for name in measure or [] for m in expand(name)]
        marked = output == "latex" and test != "none"
        parts = evaluate_campaign(
            manifest,
            task,
            asked_for,
            output,
            top=top,
            best=not all_runs,
            per_topic=per_topic,
            compared=lambda scored: _compared(scored, test, correction, baseline) if marked else (),
            baseline=baseline if marked else "",
        )
        _write_results(out, parts, str(manifest.collection or ""))
        return
    preset = chosen_preset(campaign, task)
    wanted = [m for name in measure or [] for m in expand(name)]
    if preset:
        wanted = fitted(wanted, preset.measures, f"{campaign} {task}") or list(preset.measures)
    if config:
        beside = judgements or runs or measure or pool or campaign or task
        judged, read, asked, pool = _configured(config, beside)
        wanted = wanted or [m for name in asked for m in expand(name)]
    else:
        judged, read = _given(judgements, runs or [], pool or [], input_format)
    with working(f"opening {collection}"):
        documents = open_collection(collection) if collection else None
    judged, read = in_characters(judged, read, documents, unit or [])
    applied = chosen_policy(preset, limit, policy or [])
    averaged = _over(over)
    files: dict[str, str] = {}
    evaluation = score(
        judged,
        _noted(read, files),
        wanted or DEFAULT_MEASURES,
        collection=documents,
        policy=applied,
        over=averaged,
    )
    for note in (*evaluation.notes, *(preset.notes() if preset else [])):
        print(f"inexlab: {note}", file=sys.stderr)
    marked = output == "latex" and not per_topic and test != "none"
    text = write_scores(
        evaluation,
        output,
        per_topic=per_topic,
        doubtful=lambda m: bool(preset and preset.doubts(m)),
        width=terminal_width(),
        comparisons=_compared(evaluation, test, correction, baseline) if marked else (),
        baseline=baseline if marked else "",
    )
    sys.stdout.write(text)
    if out:
        from inexlab.campaigns.results import Part

        topics = None if isinstance(averaged, str) else [*averaged]
        units = dict(zip(("runs", "judgements"), units_of(unit or [], documents), strict=True))
        part = Part(task, evaluation, judged.file, files, applied, over, topics, pool or [], units)
        _write_results(out, [part], collection)


def _compared(evaluation: Evaluation, test: str, correction: str, baseline: str) -> list[Comparison | None]:
    """Test all pairs of runs (or all against a baseline) by each measure that has a mean over topics."""
    from inexlab.errors import UnknownNameError
    from inexlab.statistics import compare
    from inexlab.statistics.score_files import to_matrix

    systems = evaluation.scores[0].systems
    if baseline and baseline not in systems:
        raise UnknownNameError("run", baseline, systems)
    found: list[Comparison | None] = []
    for scores in evaluation.scores:
        defined = (scores.values == scores.values).all(axis=0).sum()  # NaN is not equal to itself
        if scores.measure.definition.total == "sum" or len(systems) < 2 or defined < 2:
            found.append(None)
            continue
        matrix = to_matrix(scores.by_system(), str(scores.measure), common=True)
        baselines = [baseline] if baseline else []
        with working(f"comparing by {scores.measure}"):
            found.append(
                compare(matrix, test=test, correction=correction, baselines=baselines, intervals=False)
            )
    return found


def _write_results(out: str, parts: Sequence[Part], collection: str) -> None:
    from inexlab.campaigns.results import results_of, write_results

    if out:
        write_results(results_of(parts, collection), out)


def _noted(runs: Iterator[Run], files: dict[str, str]) -> Iterator[Run]:
    """Pass runs on, noting the file of each."""
    for run in runs:
        files[run.id] = run.file
        yield run


def _given(
    judgements: str, runs: Sequence[str], pools: Sequence[str], input_format: str
) -> tuple[Judgements, Iterator[Run]]:
    from inexlab.errors import UsageError
    from inexlab.judgements import read_judgements

    if not judgements or not runs:
        raise UsageError("give judgements and at least one run: inexlab evaluate JUDGEMENTS RUN...")
    return read_judgements(judgements, pools=pools), _read(runs, input_format)


def _configured(config: str, others: object) -> tuple[Judgements, Iterator[Run], Sequence[str], list[str]]:
    """Return judgements, runs of the task, measures and pools as an EvalJ configuration has them."""
    from inexlab.campaigns.evalj import read_configuration
    from inexlab.errors import InexlabError, InputError, UsageError
    from inexlab.judgements import read_judgements
    from inexlab.measures import expand

    if others:
        raise UsageError(
            "--config names judgements, runs, pools and measures itself: give nothing beside it."
        )
    wanted = read_configuration(config)
    for name in wanted.measures:
        try:
            expand(name)
        except InexlabError as error:
            raise InputError(str(error), file=config) from None
    judged = read_judgements(wanted.assessments, pools=wanted.pools, query_type=wanted.query_type)
    inside = (file for folder in wanted.runs for file in [folder, *folder.rglob("*")])
    files = sorted(file for file in inside if file.is_file() and not file.name.startswith("."))
    runs = [
        run
        for run in _read([str(file) for file in files], "")
        if run.about.get("task", "") in ("", wanted.task)
    ]
    if not runs:
        raise InputError(f"names no run of the task {wanted.task}", file=config)
    print(f"inexlab: {config}: {len(runs)} of {len(files)} runs are of task {wanted.task}", file=sys.stderr)
    return judged, iter(runs), wanted.measures, sorted(wanted.pools)


def chosen_preset(campaign: str, task: str) -> Preset | None:
    """Return the preset of a campaign's task, where one is named."""
    from inexlab.campaigns import preset, tasks
    from inexlab.errors import UsageError

    if not campaign and not task:
        return None
    if not campaign:
        raise UsageError("--task needs --campaign, for example --campaign inex2009.")
    if not task:
        raise UsageError(f"--campaign {campaign} needs --task: {', '.join(tasks(campaign))}.")
    return preset(campaign, task)


def chosen_policy(preset: Preset | None, limit: int | None, settings: Sequence[str]) -> Policy:
    """Return the policy of the preset, or the usual one, with what the command line sets."""
    from inexlab.policy import Policy

    start = preset.policy if preset else Policy()
    return start.with_settings([*settings, *([] if limit is None else [f"limit={limit}"])])


def _over(over: str) -> Over:
    from inexlab.errors import UsageError
    from inexlab.files import read_source

    if over == "judged" or over == "run":
        return over
    if over != "-" and not Path(over).exists():
        raise UsageError(f"--over {over!r} is neither judged, run nor a file of topic ids.")
    lines = read_source(Path(over)).data.decode(errors="replace").splitlines()
    return [line.split()[0] for line in lines if line.strip() and not line.strip().startswith("#")]


def _read(runs: Sequence[str], input_format: str) -> Iterator[Run]:
    """Read the runs one by one, with a progress bar where somebody watches."""
    from inexlab.runs import read_run

    if not sys.stderr.isatty():
        yield from (read_run(path, input_format or None) for path in runs)
        return
    from rich.console import Console
    from rich.progress import track

    for path in track(runs, "scoring", console=Console(stderr=True), transient=True):
        yield read_run(path, input_format or None)
