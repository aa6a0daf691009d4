"""A server killed at random moments while assessors save: what it acknowledged is there."""

from __future__ import annotations

import random
from pathlib import Path

from tests.forks import serving
from tests.web.load import kill_under_load

from soak._trial import Result, some

_KILLS = 100


def saves(folder: Path, chance: random.Random, share: float) -> Result:
    """Kill a server under load, and start it again."""
    times = some(_KILLS, share)
    with serving() as server:
        saved, failures = kill_under_load(server, folder, chance, times)
    return f"{times} servers killed, {saved} saves acknowledged", failures
