"""Claim: of 50 assessors who save at once, 95 % of the saves are on the disk within 500 ms.

Each sends 20 saves to one server on this computer, the next as soon as the last is answered: a save is a
judgement with a quoted highlight, checked against the document, in the log and synchronised to the disk. None
may be lost. The server runs in a process of its own; the times are those of the clients, which share the
machine with it.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from _timing import claim

sys.path.insert(0, str(Path(__file__).parents[1]))  # for what the tests do, too
from tests.web.load import lost, prepare

ASSESSORS, SAVES, BAR = 50, 20, 0.5


def main() -> None:
    """Serve a small campaign, and let everybody save."""
    with tempfile.TemporaryDirectory(prefix="bench-saves-") as folder:
        files, savers = prepare(Path(folder), ASSESSORS)
        words = [files.index, "--pool", files.pool, "--topics", files.topics, "--db", files.db, "--port", "0"]
        command = [sys.executable, "-c", "from inexlab.cli.start import inexlab; inexlab()", "serve"]
        with subprocess.Popen(
            [*command, *map(str, words)], cwd=folder, stdout=subprocess.PIPE, text=True
        ) as server:
            assert server.stdout is not None
            address = server.stdout.readline().strip()
            stop = threading.Event()
            threads = [threading.Thread(target=one.work, args=(address, stop, SAVES)) for one in savers]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            server.terminate()
        failures = lost(files, savers)
    times = [seconds for one in savers for seconds in one.seconds]
    [*_, slow] = statistics.quantiles(times, n=20)
    print(
        f"{len(times)} saves by {ASSESSORS} assessors: median {statistics.median(times) * 1000:.0f} ms, "
        f"95 % within {slow * 1000:.0f} ms, the slowest {max(times) * 1000:.0f} ms"
    )
    for failure in failures[:10]:
        print(f"  {failure}")
    passed = slow <= BAR and not failures and len(times) == ASSESSORS * SAVES
    sys.exit(0 if claim("saves", slow / BAR, 1, passed) else 1)


if __name__ == "__main__":
    main()
