"""Agreement beyond chance: by hand, by laws, and as scikit-learn and krippendorff have it."""

from __future__ import annotations

import warnings

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from inexlab.statistics.chance import cohen_kappa, kappa_of_table, krippendorff_alpha

few = settings(deadline=None, max_examples=40)


def kappa(a: list[int], b: list[int]) -> float:
    pairs = list(zip(a, b, strict=True))
    return float(cohen_kappa(*(pairs.count(pair) for pair in ((1, 1), (1, 0), (0, 1), (0, 0)))))


def alpha(rows: list[list[int | None]]) -> float:
    """Return alpha of judgements: a row for each assessor, None where one did not judge."""
    ones = zeros = apart = 0.0
    for unit in zip(*rows, strict=True):
        said = [value for value in unit if value is not None]
        if len(said) > 1:
            c, m = sum(said), len(said)
            ones, zeros, apart = ones + c, zeros + m - c, apart + c * (m - c) / (m - 1)
    return float(krippendorff_alpha(ones, zeros, apart))


def test_constant_judgements_are_undefined() -> None:
    assert np.isnan(kappa([1, 1], [1, 1]))
    assert np.isnan(kappa([0, 0], [0, 0]))
    assert np.isnan(float(cohen_kappa(0, 0, 0, 0)))
    assert np.isnan(alpha([[1, 1], [1, 1]]))
    assert kappa([1, 1], [1, 0]) == 0  # one of them is constant: no better than chance
    assert kappa([1, 0], [0, 1]) == -1


def test_several_categories_by_hand() -> None:
    """Alike 6 of 10; margins (5, 3, 2) and (4, 4, 2): p_e = (20 + 12 + 4) / 100, kappa = 0.24 / 0.64."""
    table = np.array([[3.0, 2.0, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, 2.0]])
    table[1, 1] -= 0.0
    assert float(kappa_of_table(table)) == pytest.approx((7 * 10 - 36) / (100 - 36))


bits = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=2, max_size=30)


@few
@given(bits)
def test_kappa_as_scikit_learn(pairs: list[tuple[int, int]]) -> None:
    a, b = [x for x, _ in pairs], [y for _, y in pairs]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = cohen_kappa_score(a, b)
    assert kappa(a, b) == pytest.approx(theirs, nan_ok=True)
    assert kappa(b, a) == pytest.approx(kappa(a, b), nan_ok=True)
    assert kappa([1 - x for x in a], [1 - y for y in b]) == pytest.approx(kappa(a, b), nan_ok=True)
    if len(set(a)) == 2:
        assert kappa(a, a) == 1


@few
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=30))
def test_kappa_of_a_table_as_scikit_learn(pairs: list[tuple[int, int]]) -> None:
    table = np.zeros((4, 4))
    for x, y in pairs:
        table[x, y] += 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = cohen_kappa_score([x for x, _ in pairs], [y for _, y in pairs])
    assert float(kappa_of_table(table)) == pytest.approx(theirs, nan_ok=True)


values = st.one_of(st.none(), st.integers(0, 1))


@few
@given(
    st.integers(2, 4).flatmap(
        lambda n: st.lists(st.lists(values, min_size=8, max_size=8), min_size=n, max_size=n)
    )
)
def test_alpha_as_krippendorff(rows: list[list[int | None]]) -> None:
    data = np.array([[np.nan if v is None else v for v in row] for row in rows])
    pairable = [unit for unit in data.T if np.isfinite(unit).sum() > 1]
    known = {v for unit in pairable for v in unit if np.isfinite(v)}
    if len(known) < 2:
        assert np.isnan(alpha(rows))
        return
    theirs = krippendorff.alpha(reliability_data=data, level_of_measurement="nominal")
    assert alpha(rows) == pytest.approx(theirs)
    assert alpha(rows[::-1]) == pytest.approx(alpha(rows))
