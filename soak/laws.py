"""The laws of the test suite on more examples than `make test` has time for, and what it leaves out."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from pathlib import Path

from tests.examples import EXAMPLES

from soak._trial import Result, some

_ROOT = Path(__file__).parents[1]


def laws(folder: Path, chance: random.Random, share: float) -> Result:
    """Run all property tests, and all tests that are marked for the soak."""
    examples = some(6 * EXAMPLES, share)
    command = [
        *(sys.executable, "-m", "pytest", "tests", "-m", "hypothesis or soak", "-q", "--numprocesses", "2"),
        *(
            "--dist",
            "worksteal",
            "--hypothesis-profile",
            "soak",
            "--hypothesis-seed",
            str(chance.getrandbits(32)),
        ),
        *("--basetemp", str(folder / "tests"), "-p", "no:cacheprovider"),
    ]
    done = subprocess.run(
        command,
        cwd=_ROOT,
        env={**os.environ, "SOAK_EXAMPLES": str(examples)},
        capture_output=True,
        text=True,
        check=False,
    )
    lines = done.stdout.splitlines()
    failures = [line for line in lines if re.match("FAILED |ERROR ", line)]
    if done.returncode and not failures:
        failures = [f"pytest ended with {done.returncode}: {(done.stdout + done.stderr)[-500:]}"]
    return f"{examples:,} examples of each; {lines[-1] if lines else ''}", failures
