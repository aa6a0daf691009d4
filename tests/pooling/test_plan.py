"""Who judges which topic."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inexlab.errors import InputError, UsageError
from inexlab.pooling.plan import Volunteer, plan, read_volunteers

TOPICS = [str(n) for n in range(1, 11)]
few = settings(deadline=None, max_examples=80)


def test_by_hand() -> None:
    """Of five topics 5 is kept back, which nobody asked for, and 2 judged twice, which two asked for."""
    people = [Volunteer("anna", 2, ("2", "3")), Volunteer("bob", 2, ("2",)), Volunteer("carl", 2)]
    found = plan(TOPICS[:5], people, double=0.2, reserve=0.2)
    assert found == {"1": ("carl",), "2": ("anna", "bob"), "3": ("anna",), "4": ("bob",), "5": ()}


def test_somebody_passes_a_topic_on_where_only_they_have_room() -> None:
    """Bob takes both 1 and 2, and each needs two: anna and carl have to share what is left."""
    people = [Volunteer("anna", 1, ("2",)), Volunteer("bob", 2), Volunteer("carl", 1, ("2",))]
    found = plan(["1", "2"], people, double=1.0)
    assert {topic: set(names) for topic, names in found.items()} in (
        {"1": {"bob", "anna"}, "2": {"bob", "carl"}},
        {"1": {"bob", "carl"}, "2": {"bob", "anna"}},
    )


@pytest.mark.parametrize(
    ("people", "shares", "message"),
    [
        (
            [Volunteer("a", 3)],
            {},
            r"take 3 topics together, and 10 are to be given out \(10 topics, 0",
        ),
        ([Volunteer("a", 20)], {"double": 0.5}, "takes two assessors"),
        ([Volunteer("a", 20), Volunteer("b", 1)], {"double": 0.5}, "cannot be given to 2 assessors"),
        ([Volunteer("a", 20)], {"double": 1.5}, "`double=` is 1.5, expected a share"),
        ([Volunteer("a", 20)], {"reserve": -1}, "`reserve=` is -1, expected a share"),
        (
            [Volunteer("a", 20), Volunteer("b", 9)],
            {"double": 0.8, "reserve": 0.5},
            "8 topics are to be judged",
        ),
    ],
)
def test_plans_that_nobody_can_make(people: list[Volunteer], shares: dict[str, float], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        plan(TOPICS, people, **shares)


volunteers = st.lists(
    st.tuples(st.integers(0, 10), st.lists(st.sampled_from(TOPICS), max_size=4, unique=True)),
    min_size=1,
    max_size=5,
)


@few
@given(volunteers, st.sampled_from([0.0, 0.1, 0.3, 0.5]), st.sampled_from([0.0, 0.2, 0.4]))
def test_laws(given_people: list[tuple[int, list[str]]], double: float, reserve: float) -> None:
    """Nobody judges more than they take, or a topic twice; shares hold; names do not matter."""
    people = [Volunteer(f"p{i}", n, tuple(asked)) for i, (n, asked) in enumerate(given_people)]
    kept, twice = round(reserve * 10), round(double * 10)
    # any so many topics, those judged twice first, need that many judges among all who may take them
    possible = twice <= 10 - kept and all(
        sum(min(person.topics, size) for person in people) >= size + min(size, twice)
        for size in range(1, 11 - kept)
    )
    try:
        found = plan(TOPICS, people, double=double, reserve=reserve)
    except UsageError:
        assert not possible
        return
    assert possible
    assert [len(names) for names in found.values()].count(2) == twice
    assert [len(names) for names in found.values()].count(0) == kept
    for person in people:
        assert sum(person.name in names for names in found.values()) <= person.topics
    assert all(len(set(names)) == len(names) for names in found.values())
    assert plan(TOPICS, people, double=double, reserve=reserve) == found
    renamed = [p._replace(name=f"x{p.name}") for p in people]
    again = plan(TOPICS, renamed, double=double, reserve=reserve)
    assert again == {topic: tuple(f"x{name}" for name in names) for topic, names in found.items()}


def test_files_of_assessors(tmp_path: Path) -> None:
    file = tmp_path / "who"
    file.write_text('# people\nanna 3 1, 2\n\n{"name": "bob b", "topics": 2, "asked": [3]}\n')
    assert read_volunteers(file, TOPICS) == [Volunteer("anna", 3, ("1", "2")), Volunteer("bob b", 2, ("3",))]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("anna\n", "line 1: 'anna' is not an assessor. A line is NAME"),
        ("anna three\n", "line 1: 'anna three' is not an assessor"),
        ("anna 1\nanna 2\n", "line 2: anna is listed twice"),
        ("anna 1 11\n", "line 1: anna asked for 11, which no run returns. Did you mean 1"),
        ("# nobody\n", "lists no assessors"),
        ('{"name": "a", "topics": 1, "asked": 7}\n', "'asked' is not a list"),
        ('{"name": "a"}\n', "'topics' is missing"),
    ],
)
def test_bad_files_of_assessors(content: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "who").write_text(content)
    with pytest.raises(InputError, match=message):
        read_volunteers(tmp_path / "who", TOPICS)
