"""precall: the worked number, all orders of tied ranks, and the definition on any run."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.errors import InexlabError
from inexlab.measures import evaluate
from inexlab.runs import RunBuilder
from tests.builders import calm, score
from tests.oracles import graded, ranked, topic_scores
from tests.oracles.xcg import Element, others_met, precall, value_2004


class TestWorkedExample:
    """One rank of two relevant and two other elements."""

    judgements = graded("A/a[1] 3,3", "B/a[1] 3,3")
    tied = ranked("A/a[1] 7", "X/a[1] 7", "B/a[1] 7", "Y/a[1] 7")

    def test_half_of_the_recall_costs_two_thirds_of_an_element(self) -> None:
        assert others_met("RRNN", 1) == Fraction(2, 3)
        assert score("precall(quant=strict4)@0.5", self.judgements, self.tied) == pytest.approx(
            0.6, abs=1e-15
        )

    def test_all_of_it_costs_twice_that(self) -> None:
        assert others_met("RRNN", 2) == Fraction(4, 3)
        assert score("precall(quant=strict4)@1", self.judgements, self.tied) == pytest.approx(2 / (2 + 4 / 3))

    def test_average(self) -> None:
        """Up to recall .5 one element is wanted, above it two."""
        levels = [k / 50 for k in range(1, 101)]  # x n
        precision = [xn / (xn + (2 / 3 if xn <= 1 else 4 / 3)) for xn in levels]
        assert score("precall(quant=strict4)", self.judgements, self.tied) == pytest.approx(
            sum(precision) / 100
        )

    def test_a_tied_rank_costs_the_same_wherever_it_stands(self) -> None:
        """The printed divisor, the number of the rank, would make it cheaper further down."""
        before = [f"X/b[{i}] {100 - i}" for i in range(1, 10)]
        late = ranked(*before, "A/a[1] 7", "X/a[1] 7", "B/a[1] 7", "Y/a[1] 7")
        found = score("precall(quant=strict4)@0.5", self.judgements, late)
        assert found == pytest.approx(1 / (1 + 9 + 2 / 3))
        assert found != pytest.approx(1 / (1 + 9 + 1 * 2 / 10))

    @pytest.mark.parametrize(
        ("nnr", "others"), [("whole", 2 / 3), ("count", 2 / 3), ("mass", 1), ("mass+1", 2 / 3)]
    )
    def test_rival_readings(self, nnr: str, others: float) -> None:
        name = f"precall(quant=strict4,nnr={nnr})@0.5"
        assert score(name, self.judgements, self.tied) == pytest.approx(1 / (1 + others))

    def test_elements_of_unjudged_documents_are_no_duplicates_of_each_other(self) -> None:
        """Two others beside the only relevant element cost one element on average; one cost a half."""
        judgements = graded("A/a[1] 3,3")
        run = ranked("A/a[1] 7", "X/a[2] 7", "X/a[3] 7")
        assert score("precall(quant=strict4,duplicates=drop)@1", judgements, run) == pytest.approx(1 / 2)
        again = ranked("A/a[1] 7", "X/a[2] 7", "X/a[2] 7")
        assert score("precall(quant=strict4,duplicates=drop)@1", judgements, again) == pytest.approx(2 / 3)

    def test_rivals_part_where_values_are_graded(self) -> None:
        """Values 1 and .5 beside two others, .75 of 1.5 wanted: one of two elements, or less than one."""
        judgements = graded("A/a[1] 3,3", "B/a[1] 2,2")
        expected = {"whole": 2 / 3, "count": 0.75 * 2 / 3, "mass": 0.75 * 2 / 1.5, "mass+1": 0.75 * 2 / 2.5}
        for nnr, others in expected.items():
            found = score(f"precall(quant=gen4,nnr={nnr})@0.5", judgements, self.tied)
            assert found == pytest.approx(0.75 / (0.75 + others)), nnr


def test_recall_that_is_never_reached_has_precision_0() -> None:
    judgements = graded("A/a[1] 3,3", "B/a[1] 3,3")
    names = [f"precall(quant=strict4)@{x}" for x in ("0.5", "0.51", "1")]
    assert topic_scores(names, judgements, ranked("A/a[1] 1")) == dict(
        zip(names, ([1], [0], [0]), strict=True)
    )
    assert score("precall(quant=strict4)", judgements, ranked("A/a[1] 1")) == pytest.approx(0.5)


def test_ranks_go_by_score_not_by_place() -> None:
    judgements = graded("A/a[1] 3,3")
    assert score("precall(quant=strict4)@1", judgements, ranked("X/a[1] 0.2", "A/a[1] 0.9")) == 1
    assert score("precall(quant=strict4)@1", judgements, ranked("X/a[1] 0.9", "A/a[1] 0.2")) == 0.5
    assert score("precall(quant=strict4)@1", judgements, ranked("X/a[1] -0.2", "A/a[1] -0.9")) == 0.5


def test_the_limit_is_one_of_places_before_scores_are_looked_at() -> None:
    judgements, run = graded("A/a[1] 3,3"), ranked("X/a[1] 1", "Y/a[1] 2", "A/a[1] 3")
    assert score("precall(quant=strict4)", judgements, run) == 1
    assert score("precall(quant=strict4)", judgements, run, limit=2) == 0


def test_without_scores_every_result_is_a_rank_of_its_own() -> None:
    judgements = graded("A/a[1] 3,3", "B/a[1] 3,3")
    results = ("X/a[1]", "A/a[1]", "Y/a[1]", "B/a[1]")
    names = ["precall(quant=strict4)@0.5", "precall(quant=strict4)@1"]
    assert topic_scores(names, judgements, ranked(*results)) == dict(zip(names, ([0.5], [0.5]), strict=True))
    falling = [f"{result} {9 - place}" for place, result in enumerate(results)]
    whole = ["precall(quant=strict4)"]
    assert topic_scores(whole, judgements, ranked(*results)) == topic_scores(
        whole, judgements, ranked(*falling)
    )


class TestDuplicates:
    """A is returned twice before B."""

    judgements = graded("A/a[1] 3,3", "B/a[1] 3,3")
    run = ranked("A/a[1] 3", "A/a[1] 2", "B/a[1] 1")

    @pytest.mark.parametrize(("duplicates", "precision"), [("zero", 2 / 3), ("drop", 1), ("keep", 1)])
    def test_precision_at_full_recall(self, duplicates: str, precision: float) -> None:
        name = f"precall(quant=strict4,duplicates={duplicates})@1"
        assert score(name, self.judgements, self.run) == pytest.approx(precision)

    @pytest.mark.parametrize(("duplicates", "precision"), [("zero", 0), ("drop", 0), ("keep", 1)])
    def test_only_keep_reaches_recall_by_repetition(self, duplicates: str, precision: float) -> None:
        name = f"precall(quant=strict4,duplicates={duplicates})@1"
        assert score(name, self.judgements, ranked("A/a[1] 3", "A/a[1] 2")) == precision

    @pytest.mark.parametrize(
        "others", [("B/a[1] 1", "B/a[3] 1"), ("C/a[1] 1", "C/b[1] 1"), ("A/b 1", "A/c 1")]
    )
    def test_elements_nobody_judged_are_different_elements(self, others: tuple[str, str]) -> None:
        judgements = graded("A/a[1] 3,3", "B/a[2] 0,0")
        run = ranked("A/a[1] 1", *others)
        # one of three results is wanted: 1 / (1 + 1 × 2 / 2)
        assert score("precall(quant=strict4,duplicates=drop)@1", judgements, run) == pytest.approx(1 / 2)
        twice = ranked("A/a[1] 1", others[0], *others)
        assert score("precall(quant=strict4,duplicates=drop)@1", judgements, twice) == pytest.approx(1 / 2)
        assert score("precall(quant=strict4,duplicates=keep)@1", judgements, twice) == pytest.approx(2 / 5)

    def test_passages_of_documents_nobody_judged_are_different_by_their_text(self) -> None:
        builder = RunBuilder()
        builder.add("1", "A", 1, path="/a[1]")
        for span in ((0, 5), (5, 9), (0, 5)):
            builder.add("1", "X", 1, span=span)
        for until in ("/a[2]", "/a[3]", "/a[2]"):
            builder.add("1", "X", 1, path="/a[1]", until=until)
        for path in ("/a[1]", "/a", "/", "/", "nonsense", "other"):
            builder.add("1", "X", 1, path=path)
        found = score("precall(quant=strict4,duplicates=drop)@1", graded("A/a[1] 3,3"), builder.build("run"))
        assert found == pytest.approx(
            1 / (1 + 8 / 2)
        )  # 2 spans, 2 passages, /a[1], /, and two that are not a path

    def test_the_name_says_so_if_it_is_not_the_default(self) -> None:
        names = ["precall(quant=strict4,duplicates=zero,points=100)", "precall(quant=gen,duplicates=drop)"]
        found = evaluate(self.judgements, [self.run], names).scores
        printed = ["precall(quant=strict4)", "precall(quant=gen4,duplicates=drop)"]
        assert [str(scores.measure) for scores in found] == printed


def test_curve() -> None:
    judgements = graded("A/a[1] 3,3", "B/a[1] 2,2", "C/a[1] 1,1")
    run = ranked("A/a[1] 5", "X/a[1] 4", "B/a[1] 4", "Y/a[1] 3")
    curve = topic_scores(["precall(quant=sog)@*"], judgements, run)
    assert list(curve) == [f"precall(quant=sog)@{k / 100:g}" for k in range(1, 101)]
    average = sum(value for (value,) in curve.values()) / 100
    assert score("precall(quant=sog)", judgements, run) == pytest.approx(average, abs=1e-14)


def test_eleven_points() -> None:
    """At recall 0 the precision is that of the first rank; this one is relevant throughout."""
    judgements = graded("A/a[1] 3,3", "B/a[1] 3,3")
    run = ranked("A/a[1] 5", "X/a[1] 4", "B/a[1] 3")
    reached = [1] * 6 + [2 * x / 10 / (2 * x / 10 + 1) for x in range(6, 11)]
    assert score("precall(quant=strict4,points=11)", judgements, run) == pytest.approx(sum(reached) / 11)


def test_other_numbers_of_points() -> None:
    judgements = graded("A/a[1] 3,3", "B/a[1] 3,3")
    run = ranked("A/a[1] 5", "X/a[1] 4", "B/a[1] 3")
    assert score("precall(quant=strict4,points=2)", judgements, run) == pytest.approx((1 + 2 / 3) / 2)
    assert score("precall(quant=strict4,points=1)", judgements, run) == pytest.approx(2 / 3)


def test_topics() -> None:
    """A missing topic scores 0, one without relevant elements is left out, an unjudged one ignored."""
    judgements = graded("1:A/a[1] 3,3", "2:A/a[1] 3,3", "3:A/a[1] 2,3", "4:A")
    run = ranked("1:A/a[1] 1", "3:A/a[1] 1", "5:A/a[1] 1")
    for name in ("precall(quant=strict4)", "precall(quant=strict4)@0.3"):
        (scores,) = evaluate(judgements, [run], [name]).scores
        assert scores.values[0, :2].tolist() == [1, 0]
        assert [isnan(value) for value in scores.values[0, 2:]] == [True, True]
        assert scores.totals()[0] == 0.5


def test_judgements_of_every_year() -> None:
    """Short names mean the quantisation of the judgements' scale."""
    run = ranked("B/a[1] 2", "X/a[1] 2", "A/a[1] 1")
    for judgements, names in (
        (graded("A/a[1] 3E", "B/a[1] 3E"), ("strict2", "gen2")),
        (graded("A/a[1] 3,3", "B/a[1] 3,3"), ("strict4", "gen4")),
        (graded("A/a[1] 2 4/4", "B/a[1] 2 4/4"), ("strict5", "gen5")),
    ):
        found = evaluate(
            judgements, [run], ["precall(quant=strict)", "precall", "precall(quant=strict)@1"]
        ).scores
        assert [str(scores.measure) for scores in found[:2]] == [f"precall(quant={name})" for name in names]
        assert found[2].values.tolist() == [[pytest.approx(2 / 3)]]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("precall(quant=gen5)", "for judgements of 2005-2006, these are of 2003-2004"),
        ("precall(overlap=on)", "overlap"),
        ("precall(nnr=printed)", "printed"),
        ("precall(points=0)", "at least 1"),
        ("precall@1.1", "from 0 to 1"),
    ],
)
def test_what_cannot_be_meant_is_refused(name: str, message: str) -> None:
    with pytest.raises(InexlabError, match=message):
        evaluate(graded("A/a[1] 3,3"), [ranked("A/a[1]")], [name])


# Tied ranks, by trying all their orders.


@st.composite
def binary_ranks(draw: st.DrawFn) -> tuple[list[str], int]:
    """Ranks such as ["RN", "N", "RRN"], and how many relevant elements there are in all."""
    ranks = draw(st.lists(st.text("RN", min_size=1, max_size=6), max_size=4))
    found = sum(rank.count("R") for rank in ranks)
    return ranks, draw(st.sampled_from([n for n in (1, 2, 4, 5, 8, 10, 16, 20, 25) if n >= found]))


@calm
@given(binary_ranks())
def test_tied_ranks_cost_what_they_cost_on_average(given_ranks: tuple[list[str], int]) -> None:
    ranks, n = given_ranks
    judgements = graded(*(f"A/r[{i}] 3,3" for i in range(1, n + 1)))
    run = ranked("9:A/r[1]", *_results(ranks))
    for k in range(1, n + 1):
        level = f"{k / n:.4f}".rstrip("0").rstrip(".")
        assert Fraction(level) == Fraction(k, n)
        found = score(f"precall(quant=strict4)@{level}", judgements, run)
        assert found == pytest.approx(float(_expected(ranks, k)), abs=1e-12), (k, n)


def _results(ranks: Sequence[str]) -> list[str]:
    numbers = {"R": 0, "N": 0}
    results = []
    for place, rank in enumerate(ranks):
        for one in rank:
            numbers[one] += 1
            results.append(f"A/{one.lower()}[{numbers[one]}] {100 - place}")
    return results


def _expected(ranks: Sequence[str], k: int) -> Fraction:
    """Return k / (k + the expected number of others before the k-th relevant element)."""
    others = Fraction(0)
    wanted = k
    for rank in ranks:
        if rank.count("R") >= wanted:
            return k / (k + others + others_met(rank, wanted))
        wanted -= rank.count("R")
        others += rank.count("N")
    return Fraction(0)


# The definition, in fractions, over any run.

_ELEMENTS = [(doc, f"/a[{i}]") for doc in "AB" for i in range(1, 5)]
_OTHERS = [("A", "/z[1]"), ("B", "/a[1]/s[1]"), ("Z", "/a[1]")]
_GRADES = [(0, 0), *((e, s) for e in (1, 2, 3) for s in (1, 2, 3))]
Scored = tuple[Element, int]


@st.composite
def scored_runs(draw: st.DrawFn) -> tuple[dict[Element, tuple[int, int]], list[Scored]]:
    """Graded elements, and results with few different scores, in no order of them, some repeated."""
    elements = draw(st.lists(st.sampled_from(_ELEMENTS), min_size=1, unique=True))
    grades = {element: draw(st.sampled_from(_GRADES)) for element in elements}
    results = draw(
        st.lists(st.tuples(st.sampled_from([*_ELEMENTS, *_OTHERS]), st.integers(-2, 2)), max_size=12)
    )
    return grades, results


def _with_values(
    grades: dict[Element, tuple[int, int]], results: Sequence[Scored], quant: str, duplicates: str
) -> list[tuple[float, Fraction]]:
    """Return score and value of every result that counts."""
    rows = []
    for i, (element, rsv) in enumerate(results):
        again = element in [earlier for earlier, _ in results[:i]]
        value = value_2004(quant, *grades.get(element, (0, 0)))
        if again and duplicates == "drop":
            continue
        rows.append((float(rsv), Fraction(0) if again and duplicates == "zero" else value))
    return rows


QUANTISATIONS = ("strict4", "gen4", "sog", "anyrel")
NNR = ("whole", "count", "mass", "mass+1")


@calm
@given(
    scored_runs(),
    st.sampled_from(QUANTISATIONS),
    st.sampled_from(NNR),
    st.sampled_from(("zero", "drop", "keep")),
)
def test_by_definition(
    drawn: tuple[dict[Element, tuple[int, int]], list[Scored]], quant: str, nnr: str, duplicates: str
) -> None:
    grades, results = drawn
    judgements = graded(*(f"{doc}{path} {e},{s}" for (doc, path), (e, s) in grades.items()))
    run = ranked("9:A/a[1] 1", *(f"{doc}{path} {rsv}" for (doc, path), rsv in results))
    n = sum((value_2004(quant, *pair) for pair in grades.values()), Fraction(0))
    rows = _with_values(grades, results, quant, duplicates)
    options = f"quant={quant},nnr={nnr},duplicates={duplicates}"
    names = {
        **{f"precall({options})@{float(x)}": [x] for x in (Fraction(1, 10), Fraction(1, 4), Fraction(1))},
        f"precall({options})": [Fraction(k, 100) for k in range(1, 101)],
        f"precall({options},points=4)": [Fraction(k, 4) for k in range(1, 5)],
    }
    found = topic_scores(list(names), judgements, run)
    for name, levels in names.items():
        (value,) = found[name]
        if not n:
            assert isnan(value)
            continue
        exact = sum((precall(rows, n, x, nnr) for x in levels), Fraction(0)) / len(levels)
        assert value == pytest.approx(float(exact), abs=1e-10), name


def test_a_repeated_element_that_nobody_assessed_is_dropped_too() -> None:
    run = ranked("A/b[1] 3", "A/b[1] 2", "A/a[1] 1")
    found = topic_scores(["precall(quant=strict4,duplicates=drop)@1"], graded("A/a[1] 3,3"), run)
    assert list(found.values()) == [[pytest.approx(1 / 2)]]


@pytest.mark.parametrize(
    ("results", "at_zero"),
    [(["A/a[1] 1"], 1), (["A/b[1] 2", "A/a[1] 1"], 0), (["A/b[1] 1", "A/a[1] 1"], 0), (["A/b[1] 1"], 0)],
    ids=["relevant first", "not relevant first", "tied", "nothing relevant"],
)
def test_recall_0_is_the_limit_from_above(results: list[str], at_zero: float) -> None:
    found = topic_scores(["precall(quant=strict4)@0"], graded("A/a[1] 3,3"), ranked(*results))
    assert list(found.values()) == [[at_zero]]


def test_a_run_without_all_scores_counts_in_file_order() -> None:
    run = ranked("A/a[1] -5", "A/b[1]", "A/c[1] -7")
    found = topic_scores(["precall(quant=strict4)"], graded("A/a[1] 3,3"), run)
    assert list(found.values()) == [[pytest.approx(1.0)]]
