"""Every verb that takes `--collection` reads documents by one rule: which entities, and which ids."""

from __future__ import annotations

import pytest
import typer

from inexlab.cli.main import application

from .conftest import Command, Write

RUN = "1 Q0 a/x 1 2 r /a[1]\n1 Q0 b/x 2 1 r /a[1]\n"
OTHER = RUN.replace(" r ", " s ").replace("b/x 2 1", "b/x 2 3")
QRELS = "1 Q0 a/x 3 10 0 0:3\n1 Q0 b/x 2 10 0 4:2\n"
TOPICS = '<inex_topic topic_id="1" query_type="CAS"><castitle>//a[about(., bee)]</castitle></inex_topic>'
MEASURED = ["-m", "SpanR"]
QUICK = ["--resamples", "20"]
# arguments but for --collection; `plot correlation` and the like are the same options
VERBS: dict[str, list[str]] = {
    "agreement": ["q", "r", "s", "--vary", "measure=SpanR,SpanP", *QUICK],
    "assessors": ["q", "p", *QUICK],
    "baseline": ["random", "q", "--out", "-"],
    "cas": ["q", "--topics", "t.xml", "--quant", "spec6"],
    "check": ["r"],
    "compare": ["q", "r", "s", *MEASURED, *QUICK],
    "convert": ["r", "--to", "2009-fol", "--out", "-"],
    "correlate": ["q", "r", "s", "--vary", "measure=SpanR,SpanP"],
    "evaluate": ["q", "r", *MEASURED],
    "explain": ["q", "r", *MEASURED, "--topic", "1"],
    "plot": ["ranking", "q", "r", "s", *MEASURED, *QUICK, "--out", "p.svg"],
    "pool": ["r", "--out", "-"],
    "profile": ["r"],
    "recall-base": ["q", "--quant", "spec6"],
    "report": ["q", "r", "s", *MEASURED, *QUICK, "--out", "report.html"],
    "stability": ["q", "r", "s", *MEASURED, "--splits", "2", *QUICK],
    "topics": ["t.xml"],
    "ttest": ["q", "r", "s", *MEASURED],
}


@pytest.fixture
def files(write: Write) -> None:
    for name, content in {"r": RUN, "s": OTHER, "q": QRELS, "p": QRELS, "t.xml": TOPICS}.items():
        write(name, content)
    write("docs/a/x.xml", "<a>bee &hive; wax</a>")
    write("docs/b/x.xml", "<a>&hive; bee wax</a>")


def test_no_verb_is_missing() -> None:
    commands = typer.main.get_command(application()).commands  # type: ignore[attr-defined]
    options = {name: {o for p in command.params for o in p.opts} for name, command in commands.items()}
    assert {name for name, has in options.items() if "--collection" in has} == set(VERBS)
    assert {name for name, has in options.items() if "--entities" in has} == {*VERBS, "index"}


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("verb", VERBS)
def test_entities_and_ids(verb: str, call: Command) -> None:
    refused = call(verb, *VERBS[verb], "--collection", "docs")
    assert refused.code == 2
    fix = "the entity &hive; is not declared. Name the file that declares it with --entities"
    assert fix in (refused.out if verb == "check" else refused.err)
    dropped = call(verb, *VERBS[verb], "--collection", "docs", "--entities", "drop")
    assert dropped.code == (2 if verb == "stability" else 0), dropped.err  # which needs more topics
    assert "note: 2 references to undeclared entities left out: &hive; 2" in dropped.notes
    if dropped.code == 0:
        ids = [note for note in dropped.notes if "ids of documents are relative paths" in note]
        assert len(ids) == 1, dropped.notes


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("verb", ["evaluate", "topics", "check"])
def test_declared_entities(verb: str, call: Command, write: Write) -> None:
    write("names", '<!ENTITY hive "honey">')
    named = call(verb, *VERBS[verb], "--collection", "docs", "--entities", "names")
    assert (named.code, "hive" in named.err) == (0, False)
    write("docs/names.ent", '<!ENTITY hive "honey">')
    among = call(verb, *VERBS[verb], "--collection", "docs")
    assert (among.code, among.out) == (0, named.out)
    assert "entities are declared by a file among the documents (docs/names.ent)." in among.notes


@pytest.mark.usefixtures("files")
def test_a_campaign_file_names_the_collection(call: Command, write: Write) -> None:
    manifest = 'collection = "docs"\n[judgements]\nall = "q"\n[tasks.focused]\njudgements = "all"\n'
    write("c.toml", f'title = "t"\n{manifest}measures = ["SpanR"]\nruns = ["r"]\n')
    done = call("evaluate", "--campaign-file", "c.toml", "--entities", "drop")
    assert done.code == 0, done.err
    assert "note: 2 references to undeclared entities left out: &hive; 2" in done.notes
