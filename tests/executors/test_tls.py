"""A cluster behind certificates: who has them runs tasks on it, and who has others is told in one line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import dask.config
import distributed
import pytest
import trustme

from inexlab.errors import UsageError
from inexlab.executors import SpreadTask, open_executor
from inexlab.executors import cluster as executor
from tests.executors.work import square

untyped: Any = distributed  # as its functions are


def write_certificates(folder: Path) -> dict[str, str]:
    """Write an authority and a certificate of its own; return what Dask's configuration calls them."""
    authority = trustme.CA()
    certificate = authority.issue_cert("127.0.0.1")
    folder.mkdir()
    authority.cert_pem.write_to_path(folder / "ca.pem")
    certificate.private_key_and_cert_chain_pem.write_to_path(folder / "node.pem")
    node = str(folder / "node.pem")
    names = {f"distributed.comm.tls.client.{what}": node for what in ("cert", "key")}
    return {"distributed.comm.tls.ca-file": str(folder / "ca.pem"), **names}


def configured(names: dict[str, str]) -> AbstractContextManager[object]:
    """Return a context in which these are the certificates."""
    made: AbstractContextManager[object] = dask.config.set(names)
    return made


@pytest.fixture
def certificates(tmp_path: Path) -> dict[str, str]:
    return write_certificates(tmp_path / "ours")


@pytest.fixture
def address(certificates: dict[str, str]) -> Iterator[str]:
    ca, node = (certificates[f"distributed.comm.tls.{name}"] for name in ("ca-file", "client.cert"))
    roles = {
        f"tls_{role}_{what}": node for role in ("scheduler", "worker", "client") for what in ("cert", "key")
    }
    with untyped.LocalCluster(
        n_workers=1,
        threads_per_worker=1,
        processes=False,
        protocol="tls://",
        host="127.0.0.1",
        dashboard_address=None,
        scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},
        security=untyped.Security(tls_ca_file=ca, require_encryption=True, **roles),
    ) as cluster:
        yield cluster.scheduler_address


def test_tasks_run_behind_certificates(certificates: dict[str, str], address: str) -> None:
    assert address.startswith("tls://")
    with configured(certificates), open_executor(address) as cluster:
        assert list(cluster.results([SpreadTask(str(k), square, (k,)) for k in range(4)])) == [0, 1, 4, 9]


def test_other_certificates_are_refused(
    tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executor, "CONNECT", 1)
    with (
        configured(write_certificates(tmp_path / "others")),
        pytest.raises(
            UsageError, match=rf"^what listens at {address} .*does not match.* the certificates\.$"
        ),
    ):
        open_executor(address)


def test_certificates_that_are_not_there(certificates: dict[str, str], tmp_path: Path) -> None:
    expected = r"^no connection to tls://127.0.0.1:9 \(%s\); Dask's configuration names the certificates"
    with pytest.raises(UsageError, match=expected % "no certificates are named"):
        open_executor("tls://127.0.0.1:9")
    certificates["distributed.comm.tls.ca-file"] = str(tmp_path / "nowhere.pem")
    with configured(certificates), pytest.raises(UsageError, match=expected % ".*No such file or directory"):
        open_executor("tls://127.0.0.1:9")
    (tmp_path / "nowhere.pem").write_text("not a certificate\n")
    with configured(certificates), pytest.raises(UsageError, match=expected % ".+"):
        open_executor("tls://127.0.0.1:9")
