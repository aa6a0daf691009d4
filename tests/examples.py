"""How many examples Hypothesis tries: some in `make test`, new ones every time, and more in `make soak`."""

from __future__ import annotations

import os

from hypothesis import settings

EXAMPLES = 30  # where a test does not say

settings.register_profile("test", max_examples=EXAMPLES)
settings.register_profile("soak", max_examples=int(os.environ.get("SOAK_EXAMPLES", EXAMPLES)))
settings.load_profile("test")


def examples(count: int) -> settings:
    """Return settings without a clock; `make soak` multiplies the number of examples, as all others."""
    profile = settings.default
    many = count * profile.max_examples // EXAMPLES if profile else count
    return settings(deadline=None, max_examples=max(1, many))
