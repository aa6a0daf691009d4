"""Run the trials: `python -m soak [--share 0.1] [--seed N] [PART …]`."""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path

from soak.damage import damaged_indexes
from soak.disks import disks
from soak.kernels import kernels
from soak.kills import kills
from soak.laws import laws
from soak.readers import articles, queries, readers, scanner
from soak.replacing import readers_beside_writers
from soak.saves import saves

PARTS = {
    "readers": readers,
    "scanner": scanner,
    "articles": articles,
    "queries": queries,
    "laws": laws,
    "kernels": kernels,
    "kills": kills,
    "disks": disks,
    "damage": damaged_indexes,
    "replacing": readers_beside_writers,
    "saves": saves,
}


def main() -> None:
    """Run the parts that are asked for; end with 1 if anything broke."""
    parser = argparse.ArgumentParser(prog="soak", description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS], help="all of them, unless named")
    parser.add_argument("--share", type=float, default=1.0, help="of all trials (1)")
    parser.add_argument("--seed", type=int, default=None, help="of chance; a new one unless given")
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else random.randrange(10**6)
    print(f"seed {seed}, share {options.share:g}", flush=True)
    broken = 0
    for name in options.parts or PARTS:
        begin = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="soak-") as folder:
            figures, failures = PARTS[name](Path(folder), random.Random(f"{seed} {name}"), options.share)
        broken += len(failures)
        print(f"{name}: {figures}; {len(failures)} failures; {time.monotonic() - begin:.0f} s", flush=True)
        for failure in failures[:10]:
            print(f"  {failure}", flush=True)
    print(f"{'FAIL' if broken else 'PASS'}: {broken} failures")
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
