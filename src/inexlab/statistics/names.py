"""The full names of tests and corrections, for whatever people read."""

from __future__ import annotations

from inexlab.wording import counted

TESTS = {
    "bootstrap": "paired bootstrap test",
    "t": "Student's paired t-test",
    "wilcoxon": "Wilcoxon signed-rank test",
    "wilcoxon-normal": "Wilcoxon signed-rank test (normal approximation)",
    "sign": "sign test",
    "sign-normal": "sign test (normal approximation)",
    "randomisation": "paired randomisation test",
}
CORRECTIONS = {
    "by": "Benjamini–Yekutieli correction",
    "bh": "Benjamini–Hochberg correction",
    "holm": "Holm correction",
    "bonferroni": "Bonferroni correction",
    "none": "no correction",
}


def name_of_test(test: str) -> str:
    """Return the full name of a test; a plug-in's is as it is.

    >>> name_of_test("t"), name_of_test("mine")
    ("Student's paired t-test", 'mine test')
    """
    return TESTS.get(test, f"{test} test")


def name_of_correction(correction: str, hypotheses: int = 0) -> str:
    """Return the full name of a correction, with the number of hypotheses where there is one.

    >>> name_of_correction("by"), name_of_correction("holm", 12), name_of_correction("none", 12)
    ('Benjamini–Yekutieli correction', 'Holm correction for 12 hypotheses', '12 hypotheses, no correction')
    """
    name = CORRECTIONS.get(correction, f"{correction} correction")
    if not hypotheses:
        return name
    family = counted(hypotheses, "hypothesis", "hypotheses")
    return f"{family}, {name}" if correction == "none" else f"{name} for {family}"


def procedure(test: str, tail: str, correction: str, alpha: float, hypotheses: int = 0) -> str:
    """Say how systems are compared.

    >>> procedure("sign", "two", "by", 0.05)
    'sign test, two-tailed, Benjamini–Yekutieli correction, level 0.05'
    """
    how = name_of_test(test), f"{tail}-tailed", name_of_correction(correction, hypotheses), f"level {alpha:g}"
    return ", ".join(how)
