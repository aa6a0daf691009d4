"""`inexlab index`: documents become an index, in which every element can be found."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from inexlab.cli.collections import ENTITIES
from inexlab.cli.look import print_outline
from inexlab.cli.options import CLUSTER, OUTPUT
from inexlab.cli.progress import showing_progress
from inexlab.cli.scoring import print_notes
from inexlab.cli.terminal import terminal_width

_DOCS = typer.Argument(
    metavar="DOCS...",
    help="Documents (XML, HTML, Markdown, text): files, folders, zip or tar archives; with --merge, indexes; "
    "with --remove, ids of documents.",
)
_OUT = typer.Option(
    metavar="INDEX", help="The index to write: a new folder, or with --append or --remove an existing index."
)
_PROFILE = typer.Option(
    metavar="NAME|FILE.toml",
    help="What tags mean: auto, {profiles}, or your own file (`inexlab profiles`).",
)
_LANGUAGE = typer.Option(
    metavar="auto|CODE|none",
    help="Language of the documents, for stemmer and stop words: auto (what xml:lang or lang says, else a "
    "guess for each document), a code such as en or de, or none.",
)
_STEMMER = typer.Option(
    metavar="NAME", help="One Snowball stemmer for all languages, such as english or porter, or none."
)
_STOP_WORDS = typer.Option(
    "--stopwords",
    metavar="CODE|FILE|none",
    help="One list of words for all languages that count in phrases alone: that of a language, none, or a "
    "file (# comments).",
)
_INCLUDE = typer.Option(metavar="GLOB", help="Only files whose name, path or folder matches; repeatable.")
_EXCLUDE = typer.Option(metavar="GLOB", help="Exclude files whose name, path or folder matches; repeatable.")
_IDS = typer.Option(
    metavar="name|path",
    help="Ids of documents: file names, or paths, without extension. By default names, or paths for all "
    "where two documents have the same name.",
)
_JOBS = typer.Option(min=1, help="Number of processes; a compressed tar is first unpacked next to INDEX.")
_SHARDS = typer.Option(
    min=0, help="Keep the index in so many parts, which are searched as one (0: one index)."
)
_STRICT = typer.Option("--strict", help="Stop at a document that cannot be read, instead of leaving it out.")
_APPEND = typer.Option(
    "--append",
    help="Add documents to the index --out, with its settings; those whose ids are there are replaced.",
)
_REMOVE = typer.Option("--remove", help="Remove documents, named by their ids, from the index --out.")
_MERGE = typer.Option(
    "--merge", help="Make one index of several that have the same settings, in their order."
)
_LOOK = typer.Option(
    "--look", help="Do not index: show which tags there are, what each is taken for, and a document."
)
_INFO = typer.Option(metavar="INDEX", help="Describe an index.")
_VERIFY = typer.Option(metavar="INDEX", help="Check all files of an index; exit with 1 if one is damaged.")


def index(
    docs: Annotated[list[str] | None, _DOCS] = None,
    out: Annotated[str, _OUT] = "",
    profile: Annotated[str, _PROFILE] = "",
    language: Annotated[str, _LANGUAGE] = "",
    stemmer: Annotated[str, _STEMMER] = "",
    stop_words: Annotated[str, _STOP_WORDS] = "",
    include: Annotated[list[str] | None, _INCLUDE] = None,
    exclude: Annotated[list[str] | None, _EXCLUDE] = None,
    ids: Annotated[str, _IDS] = "",
    entities: Annotated[list[str] | None, ENTITIES] = None,
    jobs: Annotated[int, _JOBS] = 1,
    shards: Annotated[int, _SHARDS] = 0,
    cluster: Annotated[str, CLUSTER] = "",
    strict: Annotated[bool, _STRICT] = False,
    append: Annotated[bool, _APPEND] = False,
    remove: Annotated[bool, _REMOVE] = False,
    merge: Annotated[bool, _MERGE] = False,
    look: Annotated[bool, _LOOK] = False,
    info: Annotated[str, _INFO] = "",
    verify: Annotated[str, _VERIFY] = "",
    output: Annotated[str, OUTPUT] = "table",
) -> None:
    """Index documents, to search inside them.

    XML and HTML are known by their content, whatever their extension, Markdown (.md, .markdown) and plain
    text (.txt) by their names. Every element becomes findable, but for inline mark-up, through which words
    run. The text is kept in the index, so that results can be shown without the documents. A document that
    cannot be read is named and left out; where that is most of them, the exit code is 1. By default the
    profile is the built-in one that fits the documents, stemmer and stop words are those of their languages.

    Examples (after `inexlab demo --out demo`):
    `inexlab index --look demo/articles`,
    `inexlab index demo/articles --out demo-index`,
    `inexlab index --info demo-index`,
    `inexlab index --verify demo-index`
    """
    from inexlab.api.indexing import DamagedIndexError, LookResult, build_index
    from inexlab.report.grids import known_format

    known_format(output)
    try:
        with showing_progress():
            result = build_index(
                docs or [],
                out,
                profile=profile,
                language=language,
                stemmer=stemmer,
                stopwords=stop_words,
                include=include or [],
                exclude=exclude or [],
                ids=ids,
                entities=entities or [],
                jobs=jobs,
                shards=shards,
                cluster=cluster,
                strict=strict,
                append=append,
                remove=remove,
                merge=merge,
                look=look,
                info=info,
                verify=verify,
            )
    except DamagedIndexError as error:
        print_notes(error.notes)
        raise typer.Exit(1) from None
    print_notes(result.notes)
    sys.stdout.write(result.text(output, width=terminal_width()))
    if isinstance(result, LookResult):
        if output == "table" and result.found is not None:
            print_outline(result.found)
    elif result.failed:
        raise typer.Exit(1)
