"""The laboratory served: `serve` opens it, and answers browsers until it is ended."""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from pathlib import Path

from inexlab.errors import UsageError
from inexlab.index.index import Index
from inexlab.pooling import Pool
from inexlab.topics import Topics

LOOPBACK = ("127.0.0.1", "localhost", "::1")
_MISSING = "pages need the packages starlette, uvicorn, jinja2 and argon2-cffi: pip install 'inexlab[web]'."


def serve(
    index: Index | str | Path,
    *,
    pool: Pool | str | Path = "",
    topics: Topics | Sequence[str | Path] = (),
    campaign_file: str | Path = "",
    db: str | Path = "",
    host: str = "127.0.0.1",
    port: int = 8000,
    behind_tls: bool = False,
    announce: Callable[[str], object] = lambda _line: None,
    warn: Callable[[str], object] = lambda _line: None,
) -> None:
    """Serve the laboratory in a browser until it is ended: search, read and judge.

    Without `db` it is a reading room, where nobody signs in. With `db`, the pool is judged, and everything is
    kept in that file. `announce` gets the lines that say where it is.
    """
    try:
        import uvicorn

        from inexlab.web.app import application
        from inexlab.web.opening import open_lab
    except ImportError:
        raise UsageError(_MISSING) from None
    lab = open_lab(index, pool=pool, topics=topics, campaign_file=campaign_file, db=db, secure=behind_tls)
    local = host in LOOPBACK
    if not local and not behind_tls:
        warn(
            f"{host} can be reached from other computers, and passwords and judgements travel in the clear: "
            "put a server with TLS in front, and say `behind_tls=True`"
        )
    listening = listen(host, port)
    hosts = LOOPBACK if local and not behind_tls else ()
    config = uvicorn.Config(
        application(lab, hosts=hosts),
        log_level="warning",
        proxy_headers=behind_tls,
        server_header=False,
        lifespan="off",
    )
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{listening.getsockname()[1]}/"
    announce(address)
    if lab.store is not None and not lab.store.accounts.has_administrator():
        token = lab.store.accounts.invite("", "administrator")
        announce(f"The first administrator opens an account here, once: {address}join/{token}")
    uvicorn.Server(config).run([listening])


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens, or say why there cannot be one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host, port))
        found.listen(128)
    except OverflowError:
        found.close()
        raise UsageError(f"`port={port}` must be a number from 0 to 65535.") from None
    except OSError as error:
        found.close()
        raise UsageError(
            f"port {port} of {host} cannot be used ({error.strerror or error}); choose another: `port=8001`."
        ) from None
    return found
