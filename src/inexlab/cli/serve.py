"""`inexlab serve`: the laboratory in a browser."""

from __future__ import annotations

from typing import Annotated

import typer

from inexlab.cli.progress import showing_progress
from inexlab.cli.terminal import print_notes

_INDEX = typer.Argument(metavar="INDEX", help="What `inexlab index` built of the documents.")
_POOL = typer.Option(metavar="POOL", help="The documents to judge, as `inexlab pool` wrote them.")
_TOPICS = typer.Option(metavar="FILE", help="A topic file; repeatable.")
_CAMPAIGN = typer.Option(metavar="FILE", help="A campaign manifest (TOML), which names pool and topics.")
_DB = typer.Option(
    metavar="FILE", help="Where accounts and judgements are kept; without it nothing is judged, only read."
)
_HOST = typer.Option(help="The address to listen at; other computers cannot reach 127.0.0.1.")
_PORT = typer.Option(min=0, max=65535, help="The port to listen at; 0 takes a free one.")
_BEHIND_TLS = typer.Option("--behind-tls", help="A server in front of this one speaks TLS with browsers.")
_FILES = "Beside it, while it is served"
_EXPORT = typer.Option(metavar="OUT", help="Write what was judged, and end.", rich_help_panel=_FILES)
_TO = typer.Option(
    metavar="FORMAT", help="Format of --export; `inexlab formats` lists them.", rich_help_panel=_FILES
)
_ASSESSOR = typer.Option(
    metavar="NAME", help="Export only what this assessor judged; repeatable.", rich_help_panel=_FILES
)
_MERGE = typer.Option(
    metavar="RULE", help="Make one judgement of several assessors': {merges}.", rich_help_panel=_FILES
)
_UNFINISHED = typer.Option("--unfinished", help="Export what is in progress, too.", rich_help_panel=_FILES)
_BACKUP = typer.Option(metavar="FILE", help="Copy the database of --db, and end.", rich_help_panel=_FILES)
_LINK = typer.Option(
    metavar="NAME",
    help="Print a link for a new password of this account, or for a new administrator, and end.",
    rich_help_panel=_FILES,
)


def serve(
    index: Annotated[str, _INDEX] = "",
    pool: Annotated[str, _POOL] = "",
    topics: Annotated[list[str] | None, _TOPICS] = None,
    campaign_file: Annotated[str, _CAMPAIGN] = "",
    db: Annotated[str, _DB] = "",
    host: Annotated[str, _HOST] = "127.0.0.1",
    port: Annotated[int, _PORT] = 8000,
    behind_tls: Annotated[bool, _BEHIND_TLS] = False,
    export: Annotated[str, _EXPORT] = "",
    to: Annotated[str, _TO] = "jsonl",
    assessor: Annotated[list[str] | None, _ASSESSOR] = None,
    merge: Annotated[str, _MERGE] = "",
    unfinished: Annotated[bool, _UNFINISHED] = False,
    backup: Annotated[str, _BACKUP] = "",
    link: Annotated[str, _LINK] = "",
) -> None:
    """Open the laboratory in a browser: search, read, and judge by highlighting.

    Without --db it is a reading room. With --db, --pool and --topics (or --campaign-file), people sign in and
    judge; the address and a link for the first administrator are printed. Ctrl-C ends it.

    Examples (after `inexlab demo --out demo` and `inexlab index demo/articles --out demo/index`):

    - `inexlab serve demo/index`

    - `inexlab pool demo/runs/focused-*.* --depth 5 --collection demo/articles --out pool.jsonl`

    - `inexlab serve demo/index --pool pool.jsonl --topics demo/topics.xml --db judged.db`

    - `inexlab serve --db judged.db --backup copy.db`
    """
    from inexlab.web.serving import serve as open_pages

    notes: list[str] = []  # of an export, told when no progress is shown any more
    try:
        with showing_progress(bool(export)):  # a server does not come to an end
            open_pages(
                index,
                pool=pool,
                topics=topics or (),
                campaign_file=campaign_file,
                db=db,
                host=host,
                port=port,
                behind_tls=behind_tls,
                export=export,
                to=to,
                assessor=assessor or (),
                merge=merge,
                unfinished=unfinished,
                backup=backup,
                link=link,
                announce=lambda line: print(line, flush=True),
                note=notes.append if export else lambda line: print_notes([line]),
            )
    finally:
        print_notes(notes)
