"""Laws of objects in the place of files: whatever form a run has, it is the same run."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from inexlab import Judgements, Run
from tests.builders import calm

NAMES = st.text(st.characters(blacklist_categories=["Cs"]), min_size=1).filter(str.strip)


@calm
@given(
    st.dictionaries(
        NAMES,
        st.dictionaries(NAMES, st.floats(-9, 9), min_size=1),
        min_size=1,
    )
)
def test_dictionaries_and_frames_are_the_same_run(scores: dict[str, dict[str, float]]) -> None:
    run = Run.of(scores)
    assert run.to_dict() == scores
    assert list(Run.of(run.to_pandas())) == list(run)
    assert list(Run.of(run.to_polars(names="pyterrier"))) == list(run)


@calm
@given(st.dictionaries(NAMES, st.dictionaries(NAMES, st.integers(-2, 9), min_size=1), min_size=1))
def test_dictionaries_and_frames_are_the_same_judgements(grades: dict[str, dict[str, int]]) -> None:
    judged = Judgements.of(grades)
    assert judged.to_dict() == grades
    assert Judgements.of(judged.to_pandas()).to_dict() == grades
    assert Judgements.of(judged.to_polars(names="ir_measures")).to_dict() == grades
