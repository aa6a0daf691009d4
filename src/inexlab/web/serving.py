"""The laboratory served: `serve` opens it, and answers browsers until it is ended."""

from __future__ import annotations

import contextlib
import importlib.util
import secrets
import socket
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inexlab.errors import UsageError
from inexlab.index.index import Index
from inexlab.pooling import Pool
from inexlab.signals import until_terminated
from inexlab.topics import Topics

if TYPE_CHECKING:
    from inexlab.web.lab import Lab

LOOPBACK = ("127.0.0.1", "localhost", "::1")
_MISSING = "pages need the packages starlette, uvicorn, jinja2 and argon2-cffi: pip install 'inexlab[web]'."
_DEMO_POOL = 10  # documents of each topic

Say = Callable[[str], object]


def _announce(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _note(line: str) -> None:
    sys.stderr.write(f"{line}\n")


def serve(
    index: Index | str | Path = "",
    *,
    pool: Pool | str | Path = "",
    topics: Topics | Sequence[str | Path] | str | Path = (),
    campaign_file: str | Path = "",
    db: str | Path = "",
    host: str = "127.0.0.1",
    port: int = 8000,
    behind_tls: bool = False,
    export: str | Path = "",
    to: str = "jsonl",
    assessor: Sequence[str] | str = (),
    merge: str = "",
    unfinished: bool = False,
    backup: str | Path = "",
    link: str = "",
    announce: Say = _announce,
    note: Say = _note,
) -> None:
    """Serve the laboratory in a browser until it is ended: search, read, and judge by highlighting.

    Without `db` it is a reading room, where nobody signs in. With `db` the documents of the pool are judged,
    and all of it is kept in that file. `announce` gets the lines that say where it is, `note` what else
    there is to say; unless given, they are printed.

    `export` writes what was judged to a file or folder instead, and `backup` copies the database; both work
    while it is served. `to` is any format of judgements; `assessor` and `merge` choose among several
    assessors as in `convert`; with `unfinished` what is in progress is exported, too. `link` announces a link
    with which an account of that name gets a new password, or becomes a new administrator.

    >>> import inexlab
    >>> inexlab.serve("demo/index")  # doctest: +SKIP
    http://127.0.0.1:8000/
    """
    if link:
        _make_link(db, link, _address(host, port), announce)
        return
    if str(backup):
        _back_up(db, backup, note)
        if not str(export):
            return
    if not isinstance(index, Index) and not str(index):
        raise UsageError("give the index of the documents: inexlab serve INDEX.")
    if str(export):
        _export(index, db, export, to, assessor, merge, unfinished, note)
        return
    _needed()
    from inexlab.web.opening import open_lab

    if isinstance(topics, str | Path):
        topics = [topics] if str(topics) else []
    lab = open_lab(index, pool=pool, topics=topics, campaign_file=campaign_file, db=db, secure=behind_tls)
    if lab.store is None and lab.pool is not None:
        note("nothing can be judged without a database: give `db=FILE`")
    run(lab, host=host, port=port, announce=announce, note=note)


def serve_demo(
    *, host: str = "127.0.0.1", port: int = 8000, announce: Say = _announce, note: Say = _note
) -> None:
    """Serve the built-in campaign until it is ended; all is gone then.

    >>> import inexlab
    >>> inexlab.serve_demo()  # doctest: +SKIP
    Sign in as demo, with the password NIcw9Z0gZVnK
    http://127.0.0.1:8000/
    """
    _needed()
    from inexlab.api.indexing import build_index
    from inexlab.experiments.choices import Choices
    from inexlab.experiments.pooling import Pooling, pool_runs
    from inexlab.web.opening import open_lab

    with (
        as_file(files("inexlab") / "handbook") as handbook,
        tempfile.TemporaryDirectory(prefix="inexlab-") as name,
    ):
        folder = Path(name)
        build_index([handbook / "articles"], out=folder / "index")
        runs = sorted((handbook / "runs").glob("focused-*"))
        pooled = pool_runs(runs, Pooling.of(None, _DEMO_POOL), Choices(collection=handbook / "articles"))[0]
        planned = replace(pooled, assessors=dict.fromkeys(pooled.topics, ("demo",)))
        topics = [handbook / "topics.xml"]
        lab = open_lab(folder / "index", pool=planned, topics=topics, db=folder / "demo.db")
        assert lab.store is not None
        password = secrets.token_urlsafe(9)
        lab.store.accounts.join(lab.store.accounts.invite("demo", "administrator"), "", password)
        announce(f"Sign in as demo, with the password {password}")
        note("this is the built-in campaign; what you judge is gone when you end it")
        run(lab, host=host, port=port, announce=announce, note=note)


def run(lab: Lab, *, host: str, port: int, announce: Say, note: Say) -> None:
    """Answer browsers until a signal ends it."""
    with contextlib.ExitStack() as ends:
        if lab.store is not None:
            ends.callback(lab.store.close)
        listening = ends.enter_context(listen(host, port))
        _answer(lab, listening, host, announce, note)


def _answer(lab: Lab, listening: socket.socket, host: str, announce: Say, note: Say) -> None:
    import uvicorn

    from inexlab.web.app import application

    local = host in LOOPBACK
    if not local and not lab.secure:
        secrets_too = "" if lab.store is None else ", passwords too,"
        note(
            f"other computers can reach {host}, and all that is sent{secrets_too} travels in the clear: "
            "put a server with TLS in front, and say `behind_tls=True`"
        )
    config = uvicorn.Config(
        application(lab, hosts=LOOPBACK if local and not lab.secure else ()),
        log_level="warning",
        proxy_headers=lab.secure,
        server_header=False,
        lifespan="off",
        timeout_graceful_shutdown=5,
    )
    address = _address(host, listening.getsockname()[1])
    announce(address)
    if lab.store is not None and not lab.store.accounts.has_administrator():
        token = lab.store.accounts.invite("", "administrator")
        where = "behind the server with TLS: /" if lab.secure else f"here: {address}"
        announce(f"The first administrator opens an account, once, {where}join/{token}")
    with until_terminated():  # Ctrl-C is how it ends, when all answers are given
        uvicorn.Server(config).run([listening])


def _address(host: str, port: int) -> str:
    shown = "localhost" if host in ("0.0.0.0", "::") else f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}/"


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens, or say why there cannot be one."""
    found = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
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


def _needed() -> None:
    """Say what is missing, where the packages for pages are not installed."""
    for name in ("argon2", "jinja2", "python_multipart", "starlette", "uvicorn"):
        if importlib.util.find_spec(name) is None:
            raise UsageError(_MISSING)


def _existing(db: str | Path, option: str) -> Path:
    """Return the database that there is."""
    if not str(db):
        raise UsageError(f"`{option}=` is of a database: give `db=FILE`.")
    if not Path(db).is_file():
        raise UsageError(f"{db} is no database; `db=` names the one that was served.")
    return Path(db)


def _make_link(db: str | Path, name: str, address: str, announce: Say) -> None:
    from inexlab.assess.store import open_store

    store = open_store(_existing(db, "link"))
    try:
        known = store.accounts.find(name)
        token = store.accounts.invite(name, "administrator")
    finally:
        store.close()
    what = f"A new password for {known.name}" if known else f"An account for {name}, administrator"
    announce(f"{what}, once: {address}join/{token}")


def _back_up(db: str | Path, backup: str | Path, note: Say) -> None:
    from inexlab.assess.store import open_store

    store = open_store(_existing(db, "backup"))
    try:
        store.backup(backup)
    finally:
        store.close()
    note(f"{db} copied to {backup}")


def _export(
    index: Index | str | Path,
    db: str | Path,
    out: str | Path,
    to: str,
    assessor: Sequence[str] | str,
    merge: str,
    unfinished: bool,
    note: Say,
) -> None:
    _needed()
    from inexlab.assess.store import open_store
    from inexlab.index.sharded import open_one_index
    from inexlab.web.exchange import export
    from inexlab.web.lab import Lab
    from inexlab.web.opening import check_texts

    store = open_store(_existing(db, "export"))
    try:
        names: Any = [assessor] if isinstance(assessor, str) and assessor else assessor
        lab = Lab(open_one_index(index), store=store)
        check_texts(lab)
        for line in export(lab, out, to=to, assessor=names or (), merge=merge, unfinished=unfinished):
            note(line)
    finally:
        store.close()
