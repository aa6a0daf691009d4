"""The full names of tests and corrections, for whatever people read."""

from __future__ import annotations

from inexlab.statistics.corrections import corrections
from inexlab.statistics.testing import significance_tests
from inexlab.wording import counted


def name_of_test(test: str) -> str:
    """Return the full name of a test.

    >>> name_of_test("t")
    "Student's paired t-test"
    """
    return significance_tests[test].title


def name_of_correction(correction: str, hypotheses: int = 0) -> str:
    """Return the full name of a correction, with the number of hypotheses where there is one.

    >>> name_of_correction("by"), name_of_correction("holm", 12), name_of_correction("none", 12)
    ('Benjamini–Yekutieli correction', 'Holm correction for 12 hypotheses', '12 hypotheses, no correction')
    """
    found = corrections[correction]
    if not hypotheses:
        return found.title
    family = counted(hypotheses, "hypothesis", "hypotheses")
    return f"{found.title} for {family}" if found.corrects else f"{family}, {found.title}"


def procedure(test: str, tail: str, correction: str, alpha: float, hypotheses: int = 0) -> str:
    """Say how systems are compared.

    >>> procedure("sign", "two", "by", 0.05)
    'sign test, two-tailed, Benjamini–Yekutieli correction, level 0.05'
    """
    how = name_of_test(test), f"{tail}-tailed", name_of_correction(correction, hypotheses), f"level {alpha:g}"
    return ", ".join(how)
