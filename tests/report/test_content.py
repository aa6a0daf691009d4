"""What a report is about: which measures are compared, and on which topics."""

from __future__ import annotations

import numpy as np
import pytest

from inexlab.errors import UsageError
from inexlab.measures import Evaluation, parse
from inexlab.report.content import MOST_CONDITIONS, conditions, statistics_of
from inexlab.statistics import compare
from inexlab.statistics.procedure import Procedure

from .campaign import MEASURES, SYSTEMS, TOPICS, a_task, an_evaluation


def test_the_first_measure_decides_and_counts_are_left_out() -> None:
    task = a_task()
    assert [m.name for m in task.matrices] == list(MEASURES[:2])
    assert task.comparison is not None
    assert task.comparison.matrix.name == "MAiP"
    assert task.comparison.matrix.topics == TOPICS[:-1]  # the last one is undefined
    assert [c.matrix.name for c in task.decisions] == list(MEASURES[:2])


def test_decisions_are_those_of_compare() -> None:
    task = a_task()
    assert task.comparison is not None
    expected = compare(task.matrices[0], test="t")
    assert task.comparison.better.tolist() == expected.better.tolist()
    assert task.comparison.better.any()
    assert task.decisions[0] is task.comparison  # not computed again


def _evaluation(*names: str, systems: int = 3) -> Evaluation:
    values = np.random.default_rng(1).random((systems, 4))
    names_of = tuple(f"s{i}" for i in range(systems))
    return Evaluation(tuple(parse(n).tabulate(names_of, ("1", "2", "3", "4"), values) for n in names), ())


def test_other_quantisations_of_the_first_measure_come_next() -> None:
    evaluation = _evaluation(
        "MAep(quant=gen5,overlap=off)",
        "nxCG(quant=gen5,overlap=off)@10",
        "MAep(quant=gen5,overlap=on)",
        "MAep(quant=strict5,overlap=off)",
        "MAep(quant=genLifted,overlap=off)",
    )
    matrices, _, decisions = statistics_of(evaluation, Procedure(test="t"))
    assert conditions(matrices) == [0, 3, 4, 1, 2]
    assert [d.matrix.name for d in decisions][1] == "MAep(quant=strict5,overlap=off)"


def test_there_are_only_so_many_conditions() -> None:
    evaluation = _evaluation(*(f"SpanP@{k}" for k in range(1, 12)))
    matrices, _, decisions = statistics_of(evaluation, Procedure(test="t"))
    assert len(matrices) == 11
    assert len(decisions) == MOST_CONDITIONS


def test_one_system_is_compared_with_nothing() -> None:
    matrices, comparison, decisions = statistics_of(_evaluation("MAiP", "iP@0", systems=1), Procedure())
    assert (len(matrices), comparison, decisions) == (2, None, [])


def test_nothing_defined_is_nothing_to_report() -> None:
    nowhere = parse("MAiP").tabulate(SYSTEMS, TOPICS, np.full((len(SYSTEMS), len(TOPICS)), np.nan))
    with pytest.raises(UsageError, match="nothing to report"):
        statistics_of(Evaluation((nowhere, an_evaluation().scores[2]), ()), Procedure())
