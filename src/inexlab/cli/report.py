"""`inexlab report`: a campaign as one page."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from inexlab.cli.campaign import CAMPAIGN_FILE, fitted, open_manifest
from inexlab.cli.options import (
    ALPHA,
    CAMPAIGN,
    COLLECTION,
    CORRECTION,
    JUDGEMENTS,
    LIMIT,
    POLICY,
    RESAMPLES,
    RUNS,
    SEED,
)
from inexlab.cli.terminal import working

if TYPE_CHECKING:
    from inexlab.campaigns.manifest import Task
    from inexlab.cli.gather import Material
    from inexlab.measures import Measure
    from inexlab.report.content import Procedure, ReportContent

Texts = list[str] | None

MEASURE = typer.Option("-m", "--measure", help="A measure; repeatable. Systems are ranked by the first.")
TASK = typer.Option(help="With --campaign or --campaign-file: the task.")
TOPICS = typer.Option(metavar="FILE", help="A topic file, for the titles of topics; repeatable.")
TEST = typer.Option(help="bootstrap, t, wilcoxon, sign or randomisation (`inexlab compare --test help`).")
_TITLE = typer.Option(help="Title of the page.")
_OUT = typer.Option(metavar="FILE", help="The page to write, such as report.html.")


def report(
    judgements: Annotated[str, JUDGEMENTS] = "",
    runs: Annotated[Texts, RUNS] = None,
    measure: Annotated[Texts, MEASURE] = None,
    campaign: Annotated[str, CAMPAIGN] = "",
    task: Annotated[str, TASK] = "",
    campaign_file: Annotated[str, CAMPAIGN_FILE] = "",
    topics: Annotated[Texts, TOPICS] = None,
    collection: Annotated[str, COLLECTION] = "",
    test: Annotated[str, TEST] = "bootstrap",
    correction: Annotated[str, CORRECTION] = "by",
    alpha: Annotated[float, ALPHA] = 0.05,
    resamples: Annotated[int, RESAMPLES] = 10_000,
    seed: Annotated[int, SEED] = 2006,
    limit: Annotated[int | None, LIMIT] = None,
    policy: Annotated[Texts, POLICY] = None,
    title: Annotated[str, _TITLE] = "",
    out: Annotated[str, _OUT] = "",
) -> None:
    """Make one page of a campaign, to open without a network: ranking, curves, topics, significance.

    Examples (after `inexlab demo --out demo`):

    - `inexlab report --campaign-file demo/campaign.toml --out demo-report.html`

    - `inexlab report demo/judgements.qrels demo/runs/focused-*.* --collection demo/articles
      --topics demo/topics.xml -m MAiP -m iP@0.01 --test t --out demo-focused.html`
    """
    from inexlab.errors import UsageError
    from inexlab.measures import expand
    from inexlab.output import write_file
    from inexlab.report.content import Procedure
    from inexlab.report.page import write_page
    from inexlab.statistics.comparison import check_choices
    from inexlab.statistics.testing import Sampling

    if not out:
        raise UsageError("name the page to write, for example --out report.html.")
    check_choices(test, correction, alpha)
    testing = Procedure(test, correction, alpha, Sampling(resamples, seed))
    asked = [m for name in measure or [] for m in expand(name)]
    if campaign_file:
        beside = judgements or runs or campaign or collection or policy or limit is not None
        manifest = open_manifest(campaign_file, beside)
        title = title or manifest.title
        collection = str(manifest.collection or "")
        topic_files = [*map(str, manifest.topics), *(topics or [])]
        materials = [of_manifest(t, asked) for t in manifest.chosen(task)]
    else:
        materials = [given(judgements, runs or [], asked, campaign, task, limit, policy or [])]
        topic_files = list(topics or [])
        title = title or materials[0].title or "Evaluation of runs"
    content, notes = _content(title, materials, collection, topic_files, testing)
    with working("writing the page"):
        page = write_page(content)
    write_file(out, [page.encode()])
    for note in notes:
        print(f"inexlab: {note}", file=sys.stderr)
    print(f"inexlab: {out}: {len(page.encode()) / 1e6:.1f} MB, opens without a network", file=sys.stderr)


def given(
    judgements: str,
    runs: Sequence[str],
    measures: Sequence[Measure],
    campaign: str,
    task: str,
    limit: int | None,
    policy: Sequence[str],
) -> Material:
    """Return what the command line names as the one task there is."""
    from inexlab.cli.evaluate import chosen_policy, chosen_preset
    from inexlab.cli.gather import Material
    from inexlab.errors import UsageError
    from inexlab.measures import expand
    from inexlab.measures.scoring import DEFAULT_MEASURES

    if not judgements or not runs:
        raise UsageError("give judgements and at least one run, or a --campaign-file.")
    preset = chosen_preset(campaign, task)
    usual = preset.measures if preset else tuple(m for name in DEFAULT_MEASURES for m in expand(name))
    if preset:
        measures = fitted(measures, preset.measures, f"{campaign} {task}")
    listed = [(run, "", "") for run in runs]
    applied = chosen_policy(preset, limit, policy)
    return Material(
        task, preset.title if preset else "", judgements, listed, list(measures or usual), applied, preset
    )


def of_manifest(task: Task, asked: Sequence[Measure]) -> Material:
    """Return a task of a campaign, with the measures asked for in place of its own."""
    from inexlab.cli.gather import Material

    listed = [(str(entry.file), entry.participant, entry.description) for entry in task.runs]
    measures = fitted(asked, task.measures, task.name) or list(task.measures)
    return Material(task.name, task.title, str(task.judgements), listed, measures, task.policy, task.preset)


def _content(
    title: str,
    materials: Sequence[Material],
    collection: str,
    topics: Sequence[str],
    testing: Procedure,
) -> tuple[ReportContent, list[str]]:
    """Return the report's content, and what was assumed on the way."""
    from inexlab.campaigns.results import file_hash, versions
    from inexlab.cli.gather import gather, task_content
    from inexlab.cli.titles import topic_titles
    from inexlab.collection import open_collection
    from inexlab.report.content import ReportContent

    titles = topic_titles(topics)
    with working("opening the collection"):
        documents = open_collection(collection) if collection else None
    tasks, notes = [], []
    named = {("collection", collection)} if collection else set()
    named |= {("topics", file) for file in topics}
    for material in materials:
        gathered = gather(material, documents)
        tasks.append(task_content(material, gathered, testing))
        named |= {("judgements", material.judgements)}
        named |= {(f"run {run}", file) for run, file in gathered.files.items()}
        where = f"{material.name}: " if len(materials) > 1 else ""
        notes += [f"{where}{note}" for note in tasks[-1].notes]
    with working("hashing files"):
        hashes = [(what, file_hash(file)) for what, file in sorted(named)]
    files = [(what, made["name"], made["sha256"]) for what, made in hashes]
    return ReportContent(title, tasks, testing, titles, versions(), files), notes
