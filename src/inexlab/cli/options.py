"""Options and arguments that several commands share: one wording for one thing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

import typer


class _Page(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def doc(self) -> str: ...


def print_pages(pages: Iterable[_Page]) -> None:
    """Print what there is to say of each, where `help` was asked for."""
    for page in pages:
        print(f"{page.name}\n\n{page.doc}\n\n")


def _explain_tests(name: str) -> str:
    if name != "help":
        return name
    from inexlab.statistics.testing import significance_tests

    print_pages(significance_tests.values())
    raise typer.Exit


def _explain_models(name: str) -> str:
    if name != "help":
        return name
    from inexlab.retrieval.model import models

    print_pages(models.values())
    raise typer.Exit


OUTPUT = typer.Option("-o", "--output", help="Format: {outputs}.")
COLLECTION = typer.Option(
    metavar="DIR", help="Folder, archive or index of the XML documents; XPath results need it."
)
JUDGEMENTS = typer.Argument(
    metavar="JUDGEMENTS", help="Judgements: qrels, assessments (file or folder), JSON Lines."
)
RUNS = typer.Argument(metavar="RUN...", help="Runs: INEX text or XML, TREC, JSON Lines, also gzipped.")
JUDGEMENTS_AND_RUNS = typer.Argument(
    metavar="JUDGEMENTS RUN...",
    help="Judgements, then runs (files or folders): INEX text or XML, TREC, JSON Lines; also packed.",
)
FILES_OR_SCORES = typer.Argument(
    metavar="JUDGEMENTS RUN... | SCORES...",
    help="Judgements and runs; or scores: JSON of evaluate -q, a CSV matrix, inex_eval or trec_eval -q.",
)
POOL = typer.Option(metavar="ID", help="Only assessments of this pool (2005-2006); repeatable.")
ASSESSOR = typer.Option(
    metavar="NAME", help="Only what this assessor judged: a name, or kind=person, kind=model; repeatable."
)
MERGE = typer.Option(metavar="RULE", help="Make one judgement of several assessors': {merges}.")
EXACT = typer.Option("--exact", help="Accents and ligatures must be as they are in the query.")
QUERY_LANGUAGE = typer.Option(
    "--language",
    metavar="CODE",
    help="Language of the query, such as en or de; any of the index's unless given.",
)
LIMIT = typer.Option(min=0, help="Results kept per topic (0: all); 1500 unless the policy says otherwise.")
POLICY = typer.Option(
    metavar="NAME=VALUE", help="Change a policy setting (`inexlab evaluate --policy help`)."
)
TEST = typer.Option(
    callback=_explain_tests,
    is_eager=True,
    help="{tests}; `--test help` explains them.",
)
CORRECTION = typer.Option(help="For many hypotheses: {corrections}.")
ALPHA = typer.Option(help="Level of the test, and of the intervals.")
RESAMPLES = typer.Option(min=1, help="Resamples of bootstrap and randomisation.")
SEED = typer.Option(min=0, help="Seed of the resamples.")
FILES_OF_CONDITIONS = typer.Argument(
    metavar="[JUDGEMENTS] RUN...", help="Judgements (unless conditions name theirs) and runs."
)
VARY = typer.Option(
    metavar="KEY=A,B,…",
    help="Vary a parameter of the measure, or measure=A,B, or task=A,B of a campaign; repeatable.",
)
VARY_DECISIONS = typer.Option(
    metavar="KEY=A,B,…",
    help="Vary a parameter of the measure, or measure=A,B, test=A,B, correction=A,B, or task=A,B of a "
    "campaign; repeatable.",
)
CONDITION = typer.Option(
    metavar="NAME=JUDGEMENTS:MEASURE",
    help="A condition spelled out; repeatable. A file of scores may stand for judgements, without a measure "
    "if it holds one only.",
)
COMMON_TOPICS = typer.Option("--common-topics", help="Keep only the topics that all systems have.")
EACH = typer.Option(metavar="KEY", help="A table for each value of this varied parameter; repeatable.")
TOPICS_OF = typer.Option(
    metavar="common|own", help="Topics of each condition: those defined in all of them, or its own."
)
INDEX = typer.Argument(metavar="INDEX", help="An index that `inexlab index` built.")
SEARCH_TASK = typer.Option(help="{search_tasks}.")
OVERLAP = typer.Option(help="Which of overlapping elements to keep: {overlaps}.")
MODEL = typer.Option(
    callback=_explain_models,
    is_eager=True,
    help="{models}, with parameters in brackets: `bm25(k1=0.9)`; `--model help` explains them.",
)


def _explain_units(text: str) -> str:
    if text != "help":
        return text
    from inexlab.retrieval.unit import unit_kinds

    for kind in unit_kinds.values():
        print(f"{kind.example:<20} {kind.doc}")
    raise typer.Exit


BY = typer.Option(
    callback=_explain_units,
    is_eager=True,
    metavar="UNITS",
    help="Unit of retrieval: auto, elements, elements:p,sec, elements:*, passages:400c, sentences:3, "
    "windows:200w/100w, windows:400c or articles; `--by help` explains them.",
)
SIGNS = typer.Option(metavar="demands|hints", help="Meaning of + and - before a term.")
CONTEXT = typer.Option(
    metavar="section=W,article=W",
    help="Add a share of the scores of the section and article around a result.",
)
WITHIN = typer.Option(metavar="PATTERN", help="Only results inside elements at a path: //sec; repeatable.")
WITHOUT = typer.Option(
    "--exclude", metavar="PATTERN", help="No results inside elements at a path: //fig; repeatable."
)
TAGS = typer.Option(
    metavar="A,B", help="Only results that are, or are directly in, elements with these tags."
)
CLUSTER = typer.Option(
    metavar="ADDRESS",
    help="Work on a Dask cluster: local:N starts N workers here, tls://HOST:PORT or tcp://HOST:PORT is a "
    "scheduler. Takes the extra inexlab[cluster].",
)
RUN_OUT = typer.Option(metavar="FILE", help="The run to write; - for standard output.")
RESULTS_LIMIT = typer.Option(min=1, help="Results per topic.")
RUN_ABOUT = typer.Option(
    metavar="NAME=VALUE", help="Description of the run in XML: participant, description, …; repeatable."
)
