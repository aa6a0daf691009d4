"""`inexlab serve`: the laboratory in a browser."""

from __future__ import annotations

from typing import Annotated

import typer

from inexlab.cli.options import INDEX
from inexlab.cli.terminal import print_notes

_POOL = typer.Option(metavar="POOL", help="The documents to judge, as `inexlab pool` wrote them.")
_TOPICS = typer.Option(metavar="FILE", help="A topic file; repeatable.")
_CAMPAIGN = typer.Option(metavar="FILE", help="A campaign manifest (TOML), which names pool and topics.")
_DB = typer.Option(
    metavar="FILE", help="Where accounts and judgements are kept; without it nothing is judged, only read."
)
_HOST = typer.Option(help="The address to listen at; other computers cannot reach 127.0.0.1.")
_PORT = typer.Option(min=0, max=65535, help="The port to listen at; 0 takes a free one.")
_BEHIND_TLS = typer.Option("--behind-tls", help="A server in front of this one speaks TLS with browsers.")


def serve(
    index: Annotated[str, INDEX],
    pool: Annotated[str, _POOL] = "",
    topics: Annotated[list[str] | None, _TOPICS] = None,
    campaign_file: Annotated[str, _CAMPAIGN] = "",
    db: Annotated[str, _DB] = "",
    host: Annotated[str, _HOST] = "127.0.0.1",
    port: Annotated[int, _PORT] = 8000,
    behind_tls: Annotated[bool, _BEHIND_TLS] = False,
) -> None:
    """Open the laboratory in a browser: search, read, and judge by highlighting.

    Without --db it is a reading room. With --db, --pool and --topics (or --campaign-file), people sign in and
    judge; the address and a link for the first administrator are printed.

    Examples (after `inexlab demo --out demo` and `inexlab index demo/articles --out demo/index`):

    - `inexlab serve demo/index`
    """
    from inexlab.web.serving import serve as open_pages

    open_pages(
        index,
        pool=pool,
        topics=topics or (),
        campaign_file=campaign_file,
        db=db,
        host=host,
        port=port,
        behind_tls=behind_tls,
        announce=lambda line: print(line, flush=True),
        warn=lambda line: print_notes([line]),
    )
