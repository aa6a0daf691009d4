"""Words that messages, tables and pages share: how things are counted, and what a column is called."""

from __future__ import annotations

SUBMITTED = "submitted to"  # the column with the task of each run, where runs are of several


def counted(count: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun; `plural` is for nouns that do not just take an s.

    >>> counted(1, "system"), counted(0, "topic"), counted(1_260, "hypothesis", "hypotheses")
    ('1 system', '0 topics', '1,260 hypotheses')
    """
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"
