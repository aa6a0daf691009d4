"""nxCG, MAnxCG, ep/gr, MAep, iMAep, Q, R and Fetch & Browse: worked numbers, and the definitions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.errors import InexlabError, InputError, UsageError
from inexlab.judgements import Judgements
from inexlab.measures import evaluate, expand
from inexlab.runs.table import RunBuilder
from tests.builders import calm, score
from tests.oracles import Campaign, both_ways, campaigns, graded, ranked, topic_scores, xcg
from tests.oracles.xcg import BINARY, QUANTISATIONS_2005, Element

OVERLAPS = ("off", "on", "2006")
ORACLES: dict[str, Callable[[Sequence[Fraction], Sequence[Fraction]], Fraction]] = {
    "nxCG@1": lambda gains, ideal: xcg.nxcg(gains, ideal, 1),
    "nxCG@3": lambda gains, ideal: xcg.nxcg(gains, ideal, 3),
    "nxCG@25": lambda gains, ideal: xcg.nxcg(gains, ideal, 25),
    "MAnxCG@1": lambda gains, ideal: xcg.manxcg(gains, ideal, 1),
    "MAnxCG@4": lambda gains, ideal: xcg.manxcg(gains, ideal, 4),
    "MAnxCG@25": lambda gains, ideal: xcg.manxcg(gains, ideal, 25),
    "MAep": xcg.maep,
    "iMAep": xcg.imaep,
    "ep@0": lambda gains, ideal: xcg.ep(gains, ideal, Fraction(0)),
    "ep@0.25": lambda gains, ideal: xcg.ep(gains, ideal, Fraction(1, 4)),
    "ep@0.7": lambda gains, ideal: xcg.ep(gains, ideal, Fraction(7, 10)),
    "ep@1": lambda gains, ideal: xcg.ep(gains, ideal, Fraction(1)),
    "Q": xcg.q_measure,
    "R": xcg.r_measure,
}


def with_options(name: str, options: str) -> str:
    """Return `nxCG(OPTIONS)@3` for `nxCG@3`."""
    stem, at, cutoff = name.partition("@")
    return f"{stem}({options}){at}{cutoff}"


class TestWorkedExample:
    """The recall base has the values 1, .75, .5, .25; the run gains .5, 0, 1, .25, 0, .75."""

    judgements = graded("A/a[1] 1 4/4", "B/a[1] 1 3/4", "C/a[1] 1 2/4", "D/a[1] 1 1/4")
    run = ranked("C/a[1]", "X/a[1]", "A/a[1]", "D/a[1]", "C/a[2]", "B/a[1]")
    gains = tuple(Fraction(g) for g in ("1/2", "0", "1", "1/4", "0", "3/4"))
    ideal = tuple(Fraction(g) for g in ("1", "3/4", "1/2", "1/4"))

    def value(self, name: str, overlap: str = "off") -> float:
        return score(with_options(name, f"quant=gen5,overlap={overlap}"), self.judgements, self.run)

    def exact(self, name: str) -> float:
        return float(ORACLES[name](self.gains, self.ideal))

    @pytest.mark.parametrize("overlap", OVERLAPS)
    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("nxCG@1", 0.5),
            ("nxCG@2", 0.285714),
            ("nxCG@3", 0.666667),
            ("nxCG@4", 0.7),
            ("nxCG@5", 0.7),
            ("nxCG@6", 1),
            ("nxCG@1500", 1),
            ("MAnxCG@4", 0.538095),
            ("ep@0.2", 0.5),
            ("ep@0.6", 0.555556),
            ("ep@0.7", 0.5),
            ("ep@1", 0.666667),
            ("MAep", 0.555556),
            ("iMAep", 0.539722),
            ("Q", 0.728035),
            ("R", 0.730769),
        ],
    )
    def test_printed_number(self, name: str, overlap: str, value: float) -> None:
        """No two of these elements overlap: all three ways to handle overlap agree."""
        assert self.value(name, overlap) == pytest.approx(value, abs=5e-7)

    @pytest.mark.parametrize("name", ORACLES)
    def test_exact_number(self, name: str) -> None:
        assert self.value(name) == pytest.approx(self.exact(name), abs=1e-14)

    def test_natural_points(self) -> None:
        """What the oracle itself says of this example."""
        points = [("1/5", "1/2"), ("3/5", "5/9"), ("7/10", "1/2"), ("1", "2/3")]
        exact = [(Fraction(recall), Fraction(effort)) for recall, effort in points]
        assert xcg.natural_points(self.gains, self.ideal) == exact

    def test_between_points_and_before_the_first(self) -> None:
        assert self.value("ep@0.4") == pytest.approx((0.5 + 5 / 9) / 2)
        assert self.value("ep@0.1") == self.value("ep@0") == 0.5

    def test_what_the_misprints_would_give(self) -> None:
        """For the ideal ranking itself: R .619 with cbg in the denominator, Q .644 with a bonused cig."""
        assert float(xcg.r_measure(self.ideal, self.ideal, printed=True)) == pytest.approx(0.619, abs=5e-4)
        assert float(xcg.q_measure(self.ideal, self.ideal, bonused_cig=True)) == pytest.approx(
            0.644, abs=5e-4
        )
        perfect = ranked("A/a[1]", "B/a[1]", "C/a[1]", "D/a[1]")
        names = ["Q(quant=gen5)", "R(quant=gen5)"]
        assert topic_scores(names, self.judgements, perfect) == {name: [1] for name in names}

    def test_the_graphs(self) -> None:
        names = ["nxCG(quant=gen5)@*", "ep(quant=gen5)@*"]
        graph = topic_scores(names, self.judgements, self.run)
        assert list(graph)[:2] == ["nxCG(quant=gen5)@15", "nxCG(quant=gen5)@30"]
        assert list(graph)[99:102] == ["nxCG(quant=gen5)@1500", "ep(quant=gen5)@0.01", "ep(quant=gen5)@0.02"]
        assert len(graph) == 200
        efforts = [graph[f"ep(quant=gen5)@{k / 100:g}"][0] for k in range(1, 101)]
        assert sum(efforts) / 100 == pytest.approx(self.value("iMAep"), abs=1e-14)


def test_scores_stay_flat_after_the_end_of_either_list() -> None:
    judgements = graded("A/a[1] 1 4/4", "B/a[1] 1 2/4")
    names = [f"nxCG(quant=gen5)@{k}" for k in (1, 2, 3, 100)]
    short = topic_scores(names, judgements, ranked("B/a[1]"))
    assert list(short.values()) == [
        [0.5],
        [pytest.approx(1 / 3)],
        [pytest.approx(1 / 3)],
        [pytest.approx(1 / 3)],
    ]
    assert topic_scores(["MAnxCG(quant=gen5)@4"], judgements, ranked("B/a[1]")) == {
        "MAnxCG(quant=gen5)@4": [pytest.approx((1 / 2 + 1 / 3 + 1 / 3 + 1 / 3) / 4)]
    }


class TestNearMissesOutnumberIdealElements:
    """One ideal section of value 1; its paragraphs, 3/4 and 1/4, reach that value in two steps."""

    judgements = graded("A/s[1] 2 8/16", "A/s[1]/p[1] 1 6/8", "A/s[1]/p[2] 1 2/8")
    run = ranked("A/s[1]/p[1]", "A/s[1]/p[2]")

    def test_MAep_stays_within_1(self) -> None:
        assert score("MAep(quant=gen5,overlap=on)", self.judgements, self.run) == 5 / 8

    def test_divided_by_the_recall_base_it_does_not(self) -> None:
        assert score("MAep(quant=gen5,overlap=on,divisor=recall_base)", self.judgements, self.run) == 5 / 4

    def test_Q_stays_within_1(self) -> None:
        """(1.75 / 2 + 3 / 3) / 2, where the size of the recall base would give twice as much."""
        assert score("Q(quant=gen5,overlap=on)", self.judgements, self.run) == 15 / 16

    def test_Q_with_its_printed_divisor_does_not(self) -> None:
        assert score("Q(quant=gen5,overlap=on,divisor=recall_base)", self.judgements, self.run) == 15 / 8

    def test_another_ideal_recall_base_gives_another_score(self) -> None:
        """Best first the section is ideal too: it has the highest value. Of a lesser one paragraphs are."""
        assert score("MAep(quant=gen5,overlap=on,ideal=best-first)", self.judgements, self.run) == 5 / 8
        # gen5: the section is worth .5, its paragraphs 1 and .25: officially the section is ideal
        lesser = graded("A/s[1] 1 8/16", "A/s[1]/p[1] 1 8/8", "A/s[1]/p[2] 1 2/8")
        assert score("MAep(quant=gen5,overlap=on,ideal=best-first)", lesser, self.run) == 1
        swapped = ranked("A/s[1]/p[2]", "A/s[1]/p[1]")
        names = ("MAep(quant=gen5,overlap=on)", "MAep(quant=gen5,overlap=on,ideal=best-first)")
        found = [score(name, lesser, swapped) for name in names]
        assert found[0] != found[1]


# The definitions, in fractions, over any run.


def recall_base(value: xcg.Values, overlap: str) -> list[Fraction]:
    base = xcg.full_recall_base(value) if overlap == "off" else xcg.ideal_recall_base(value)
    return [value[element] for element in base]


def gains_of(campaign: Campaign, topic: str, quant: str, overlap: str, **options: Fraction) -> list[Fraction]:
    ranking = list(campaign.ranking.get(topic, ()))
    value = campaign.values(topic, quant)
    if overlap == "off":
        return xcg.gains_off(ranking, value)
    alpha = options.get("alpha", Fraction(1))
    return xcg.gains_focussed(ranking, value, campaign.sizes(topic), overlap, alpha=alpha)


def same(found: float, exact: Fraction | None) -> bool:
    """Compare a score with the exact one, None if that is undefined."""
    return isnan(found) if exact is None else abs(found - exact) < 1e-10


@both_ways
@calm
@given(campaigns(), st.sampled_from(QUANTISATIONS_2005), st.sampled_from(OVERLAPS))
def test_measures_by_definition(compiled: str, campaign: Campaign, quant: str, overlap: str) -> None:
    names = {with_options(name, f"quant={quant},overlap={overlap}"): name for name in ORACLES}
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("INEXLAB_COMPILED", compiled)
        found = topic_scores(list(names), campaign.judgements, campaign.run)
    for t, topic in enumerate(sorted(campaign.assessed)):
        ideal = recall_base(campaign.values(topic, quant), overlap)
        gains = gains_of(campaign, topic, quant, overlap)
        for full, name in names.items():
            exact = ORACLES[name](gains, ideal) if ideal else None
            assert same(found[full][t], exact), (full, topic, found[full][t], exact)


@calm
@given(campaigns(sizes=range(1, 60)), st.sampled_from(("gen5", "spec6")), st.sampled_from(("on", "2006")))
def test_sizes_that_no_float_divides_evenly_change_nothing(
    campaign: Campaign, quant: str, overlap: str
) -> None:
    """Sums of gains are rounded then, and what is left of an ideal element is 0 all the same."""
    names = {with_options(name, f"quant={quant},overlap={overlap}"): name for name in ORACLES}
    found = topic_scores(list(names), campaign.judgements, campaign.run)
    for t, topic in enumerate(sorted(campaign.assessed)):
        ideal = recall_base(campaign.values(topic, quant), overlap)
        gains = gains_of(campaign, topic, quant, overlap)
        for full, name in names.items():
            exact = ORACLES[name](gains, ideal) if ideal else None
            assert same(found[full][t], exact), (full, topic, found[full][t], exact)


@pytest.mark.parametrize("overlap", ["on", "2006"])
def test_a_used_up_ideal_element_leaves_no_rounding_residue(overlap: str) -> None:
    """.1 + .7 is a little less than .8 in floats; the third paragraph gains nothing: no recall point."""
    judgements = graded("A/a[1]/s[1] 2 80/100", *(f"A/a[1]/s[1]/p[{k}] 2 {r}" for k, r in PARTS.items()))
    run = ranked(*(f"A/a[1]/s[1]/p[{k}]" for k in PARTS))
    found = topic_scores([f"{m}(quant=spec6,overlap={overlap})" for m in ("MAep", "Q")], judgements, run)
    assert [scores[0] for scores in found.values()] == pytest.approx([0.3125, 0.8055555555555556], abs=1e-12)


PARTS = {1: "1/10", 2: "7/10", 3: "72/80"}


@calm
@given(campaigns(), st.sampled_from(("gen5", "binExh", "strict5")), st.sampled_from(("0", "0.5")))
def test_measures_of_tolerant_readers_by_definition(campaign: Campaign, quant: str, alpha: str) -> None:
    """They can gain more than the ideal list holds; it then stands at its end."""
    names = {with_options(name, f"quant={quant},overlap=on,alpha={alpha}"): name for name in ORACLES}
    found = topic_scores(list(names), campaign.judgements, campaign.run)
    for t, topic in enumerate(sorted(campaign.assessed)):
        ideal = recall_base(campaign.values(topic, quant), "on")
        gains = gains_of(campaign, topic, quant, "on", alpha=Fraction(alpha))
        for full, name in names.items():
            exact = ORACLES[name](gains, ideal) if ideal else None
            assert same(found[full][t], exact), (full, topic, found[full][t], exact)


@calm
@given(campaigns(), st.sampled_from(("gen5", "genLifted")), st.sampled_from(("on", "2006")))
def test_division_by_the_recall_base_by_definition(campaign: Campaign, quant: str, overlap: str) -> None:
    name = f"MAep(quant={quant},overlap={overlap},divisor=recall_base)"
    found = topic_scores([name], campaign.judgements, campaign.run)[name]
    for t, topic in enumerate(sorted(campaign.assessed)):
        ideal = recall_base(campaign.values(topic, quant), overlap)
        gains = gains_of(campaign, topic, quant, overlap)
        assert same(found[t], xcg.maep(gains, ideal, "recall_base") if ideal else None)


# Fetch & Browse


class TestFetchAndBrowse:
    """Articles A and B are relevant, with better elements inside; A's own value is lower than B's."""

    judgements = graded(
        *("A/a[1] 1 4/16", "A/a[1]/s[1] 2 4/4", "A/a[1]/s[2] 1 0/4"),
        *("B/a[1] 1 8/16", "B/a[1]/s[1] 1 8/8", "C/a[1] 0 0/16"),
    )
    run = ranked("X/a[1]", "A/a[1]/s[1]", "B/a[1]/s[2]", "A/a[1]", "B/a[1]")

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            # articles X A B gain 0 .25 .5; ideally .5 .25: i_ideal .5 at rank 2, 2 at rank 3
            ("MAep(quant=gen5,level=article)", (0.5 / 2 + 2 / 3) / 2),
            ("MAep(quant=gen5,level=article,score=article)", (0.5 / 2 + 2 / 3) / 2),
            # by the best inside they gain 0 2 1; ideally 2 1
            ("MAep(quant=gen5,level=article,score=max)", (1 / 2 + 2 / 3) / 2),
            # strict5 finds only A/s[1], inside A: a value by the best inside unless told otherwise
            ("MAep(quant=strict5,level=article)", 1 / 2),
            ("MAep(quant=strict5,level=article,score=max)", 1 / 2),
            # clusters X: 0; A: 2 and .25 of 2, .25; B: 0 and .5 of 1, .5
            ("MAep(quant=gen5,level=element)", (0 + 1 + (0.5 / 2) / 2) / 3),
            ("MAep(quant=gen5,level=element,clusters=run)", (0 + 1 + (0.5 / 2) / 2) / 3),
            ("MAep(quant=gen5,level=element,clusters=relevant)", (1 + (0.5 / 2) / 2) / 2),
            # without overlap A's section is all there is in A; B's article shows part of its ideal section:
            # s[2] was seen, s[1] is 8 of 16 characters, worth .5
            ("MAep(quant=gen5,overlap=on,level=element)", (0 + 1 + (0.5 / 2) / 1) / 3),
            # articles reach gr 1/3 at rank 2 with ep 1/4 and gr 1 at rank 3 with ep 2/3
            ("ep(quant=gen5,level=article)@0.2", 1 / 4),
            ("ep(quant=gen5,level=article)@1", 2 / 3),
            # in A everything is found in order; in B gr 1/3 is reached at rank 2 with ep 1/4, and no more
            ("ep(quant=gen5,level=element)@0.3", (0 + 1 + 1 / 4) / 3),
            ("ep(quant=gen5,level=element)@0.5", (0 + 1 + 0) / 3),
        ],
    )
    def test_worked_numbers(self, name: str, value: float) -> None:
        assert score(name, self.judgements, self.run) == pytest.approx(value, abs=1e-14)

    def test_articles_worth_nothing_themselves_leave_the_measure_undefined(self) -> None:
        name = "MAep(quant=strict5,level=article,score=article)"
        assert isnan(score(name, self.judgements, self.run))

    def test_articles_do_not_overlap(self) -> None:
        names = [f"{m}(quant=gen5,overlap={o},level=article)" for m in ("MAep", "iMAep") for o in OVERLAPS]
        found = list(topic_scores(names, self.judgements, self.run).values())
        assert found[0] == found[1] == found[2]
        assert found[3] == found[4] == found[5]

    def test_a_run_without_results_scores_0(self) -> None:
        names = [f"MAep(quant=gen5,level={level})" for level in ("article", "element")]
        names.append("MAep(quant=gen5,level=element,clusters=relevant)")
        judgements = graded("A/a[1] 1 4/16", "2:A/a[1] 2 4/4")
        found = topic_scores(names, judgements, ranked("2:A/a[1]"))
        assert {name: scores[0] for name, scores in found.items()} == dict.fromkeys(names, 0)

    def test_a_topic_without_relevant_elements_is_undefined(self) -> None:
        nothing = graded("A/a[1] 0 0/16")
        for level in ("article", "element"):
            assert isnan(score(f"MAep(quant=gen5,level={level})", nothing, ranked("A/a[1]")))

    def test_options_of_the_other_level_are_refused(self) -> None:
        for wrong in ("level=element,score=max", "level=article,clusters=relevant", "score=max"):
            with pytest.raises(UsageError, match="needs level="):
                score(f"MAep(quant=gen5,{wrong})", self.judgements, self.run)


EFFORTS = {"MAep": xcg.maep, "iMAep": xcg.imaep}


@both_ways
@calm
@given(campaigns(), st.sampled_from(QUANTISATIONS_2005), st.sampled_from(("auto", "article", "max")))
def test_article_level_by_definition(compiled: str, campaign: Campaign, quant: str, worth: str) -> None:
    best_inside = worth == "max" or (worth == "auto" and quant in BINARY)
    names = {f"{name}(quant={quant},level=article,score={worth})": name for name in EFFORTS}
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("INEXLAB_COMPILED", compiled)
        found = topic_scores(list(names), campaign.judgements, campaign.run)
    for t, topic in enumerate(sorted(campaign.assessed)):
        gains, ideal = xcg.article_gains(
            campaign.ranking.get(topic, ()),
            campaign.values(topic, quant),
            "max" if best_inside else "article",
        )
        for full, name in names.items():
            assert same(found[full][t], EFFORTS[name](gains, ideal) if ideal else None), (full, topic)


@both_ways
@calm
@given(campaigns(), st.sampled_from(QUANTISATIONS_2005), st.sampled_from(OVERLAPS), st.booleans())
def test_element_level_by_definition(
    compiled: str, campaign: Campaign, quant: str, overlap: str, only_relevant: bool
) -> None:
    clusters = "relevant" if only_relevant else "run"
    names = {f"{m}(quant={quant},overlap={overlap},level=element,clusters={clusters})": m for m in EFFORTS}
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("INEXLAB_COMPILED", compiled)
        found = topic_scores(list(names), campaign.judgements, campaign.run)
    for t, topic in enumerate(sorted(campaign.assessed)):
        for full, name in names.items():
            exact = _mean_over_articles(campaign, topic, quant, overlap, name, only_relevant)
            assert same(found[full][t], exact), (full, topic)


def _mean_over_articles(
    campaign: Campaign, topic: str, quant: str, overlap: str, name: str, only_relevant: bool
) -> Fraction | None:
    """Score every article as if there were no other."""
    elements = campaign.assessed[topic]
    relevant = {doc for (doc, _), value in campaign.values(topic, quant).items() if value > 0}
    in_run: list[Element] = list(campaign.ranking.get(topic, ()))
    docs = relevant if only_relevant else {doc for doc, _ in in_run}
    scores = []
    for doc in docs:
        alone = Campaign(
            {topic: {e: grade for e, grade in elements.items() if e[0] == doc}},
            {topic: [e for e in in_run if e[0] == doc]},
        )
        ideal = recall_base(alone.values(topic, quant), overlap)
        gains = gains_of(alone, topic, quant, overlap)
        scores.append(EFFORTS[name](gains, ideal) if ideal else Fraction(0))
    if not relevant:
        return None
    return sum(scores, Fraction(0)) / len(scores) if scores else Fraction(0)


# Topics, names, refusals

ALL_MEASURES = [
    *(with_options(name, f"quant=gen5,overlap={overlap}") for name in ORACLES for overlap in OVERLAPS),
    *(f"MAep(quant=gen5,level={level})" for level in ("article", "element")),
]


@pytest.mark.parametrize("name", ALL_MEASURES)
def test_topics(name: str) -> None:
    """A missing topic scores 0, one without a recall base is left out, an unjudged one ignored."""
    judgements = graded("1:A/a[1] 2 4/4", "2:A/a[1] 2 4/4", "3:A/a[1] 0 0/4", "4:A")
    run = ranked("1:A/a[1]", "3:A/a[1]", "4:A/a[1]", "5:A/a[1]")
    (scores,) = evaluate(judgements, [run], [name]).scores
    assert scores.topics == ("1", "2", "3", "4")
    assert scores.values[0, :2].tolist() == [1, 0]
    assert [isnan(value) for value in scores.values[0, 2:]] == [True, True]
    assert scores.totals()[0] == 0.5


def test_results_beyond_the_limit_do_not_count() -> None:
    judgements, run = graded("A/a[1] 2 4/4"), ranked("B/a[1]", "C/a[1]", "A/a[1]")
    assert score("MAep(quant=gen5)", judgements, run) == pytest.approx(1 / 3)
    assert score("MAep(quant=gen5)", judgements, run, limit=2) == 0
    long = ranked(*["B/a[1]"] * 1500, "A/a[1]")
    assert score("nxCG(quant=gen5)@2000", judgements, long) == 0
    assert score("nxCG(quant=gen5)@2000", judgements, long, limit=0) == 1


SCALES = [
    (graded("A/a[1] 3E", "B/a[1] 1S"), {"gen": "gen2", "strict": "strict2"}),
    (graded("A/a[1] 3,3", "B/a[1] 1,1"), {"gen": "gen4", "strict": "strict4"}),
    (graded("A/a[1] 2 4/4", "B/a[1] 1 1/4"), {"gen": "gen5", "strict": "strict5"}),
]


@pytest.mark.parametrize(("judgements", "names"), SCALES, ids=["2002", "2004", "2005"])
@pytest.mark.parametrize("short", ["gen", "strict"])
def test_short_names_of_quantisations_are_resolved_and_printed_so(
    judgements: Judgements, names: dict[str, str], short: str
) -> None:
    run = ranked("B/a[1]", "A/a[1]")
    evaluation = evaluate(judgements, [run], [f"nxCG(quant={short})@1", f"MAep(quant={names[short]})"])
    assert [str(scores.measure) for scores in evaluation.scores] == [
        f"nxCG(quant={names[short]},overlap=off)@1",
        f"MAep(quant={names[short]},overlap=off)",
    ]
    full = topic_scores([f"nxCG(quant={names[short]})@1"], judgements, run)
    assert evaluation.scores[0].values.tolist() == list(full.values())


def test_the_default_quantisation_is_the_generalised_one() -> None:
    (scores,) = evaluate(graded("A/a[1] 2 4/4"), [ranked("A/a[1]")], ["Q"]).scores
    assert str(scores.measure) == "Q(quant=gen5,overlap=off)"


def test_only_what_changes_the_number_is_printed() -> None:
    names = {
        "MAep(quant=gen5,overlap=on,alpha=1,ancestors=sum,divisor=max)": "MAep(quant=gen5,overlap=on)",
        "MAep(overlap=on,alpha=0.50,quant=gen5)": "MAep(quant=gen5,overlap=on,alpha=0.5)",
        "MAep(quant=gen5,level=article,score=max)": "MAep(quant=gen5,overlap=off,level=article,score=max)",
        "Q(quant=gen5,duplicates=keep)": "Q(quant=gen5,overlap=off,duplicates=keep)",
        "nxCG(quant=binExh(min_size=50))@5": "nxCG(quant=binExh(min_size=50),overlap=off)@5",
    }
    assert {name: str(expand(name)[0]) for name in names} == names


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nxCG(quant=gen5)", "needs a cut-off"),
        ("nxCG(quant=gen5)@0", "not a whole number from 1 to 1,000,000"),
        ("MAep(quant=gen5)@10", "takes no cut-off"),
        ("ep(quant=gen5)@1.5", "not a number from 0 to 1"),
        ("MAep(quant=gen5,overlap=on,alpha=1.5)", "at most 1"),
        ("MAep(quant=gen5,alpha=0.5)", "needs overlap=on"),
        ("MAep(quant=gen5,overlap=on,duplicates=keep)", "needs overlap=off"),
        ("MAep(quant=gen5,overlap=maybe)", "maybe"),
        ("MAep(quant=gen4)", "for judgements of 2003-2004, these are of 2005-2006"),
        ("MAep(quant=nonsense)", "nonsense"),
        ("MAep(quant=gen5,overlap=on,ideal=nonsense)", "nonsense"),
    ],
)
def test_what_cannot_be_meant_is_refused(name: str, message: str) -> None:
    with pytest.raises(InexlabError, match=message):
        evaluate(graded("A/a[1] 2 4/4"), [ranked("A/a[1]")], [name])


@pytest.mark.parametrize("overlap", ["on", "2006"])
@pytest.mark.parametrize(
    "name",
    [
        *("nxCG(overlap={})@10", "MAnxCG(overlap={})@10", "MAep(overlap={})", "iMAep(overlap={})"),
        *("ep(overlap={})@1", "Q(overlap={})", "R(overlap={})", "MAep(overlap={},level=element)"),
    ],
)
def test_overlap_is_refused_for_judgements_without_sizes(name: str, overlap: str) -> None:
    with pytest.raises(UsageError, match=f"overlap={overlap} needs the sizes of elements"):
        evaluate(graded("A/a[1] 3,3"), [ranked("A/a[1]")], [name.format(overlap)])


# Paths and documents as runs spell them


def test_one_element_in_two_spellings_is_one_element() -> None:
    judgements = graded("A/article[1] 2 10/20", "A/article[1]/sec[1] 2 10/10")
    full = ranked("A/article[1]/sec[1]", "A/article[1]/sec[1]")
    mixed = ranked("A/article[1]/sec[1]", "A/article/sec[01]")
    names = ["MAep(quant=gen5,overlap=off)", "nxCG(quant=gen5,overlap=on)@2", "precall(quant=gen5)"]
    assert topic_scores(names, judgements, mixed) == topic_scores(names, judgements, full)


def test_what_is_no_path_shows_nothing() -> None:
    judgements = graded("A/article[1] 2 10/20", "A/article[1]/sec[1] 2 10/10")
    names = ["nxCG(quant=gen5,overlap=on)@5", "nxCG(quant=gen5,overlap=off)@5"]
    found = topic_scores(names, judgements, ranked("A/article[1]/nope[7]", "A/article[1]/sec[1]"))
    builder = RunBuilder()
    for path in ("sec[1]", "/article[1]/sec[1]"):
        builder.add("1", "A", path=path)
    assert topic_scores(names, judgements, builder.build("run")) == found


def test_a_whole_document_is_the_root_of_its_own_document() -> None:
    judgements = graded("A/article[1] 2 10/10", "B/book[1] 2 10/10")
    (scores,) = topic_scores(["nxCG(quant=strict5,overlap=off)@2"], judgements, ranked("A/", "B/")).values()
    assert scores == [1.0]


@pytest.mark.parametrize("until", ["/article[1]/sec[2]", None])
def test_passages_are_no_elements(until: str | None) -> None:
    builder = RunBuilder()
    if until is None:
        builder.add("1", "A", span=(0, 5))
    else:
        builder.add("1", "A", path="/article[1]/sec[1]", until=until)
    with pytest.raises(InputError, match="gives passages where these measures need elements"):
        topic_scores(["MAep"], graded("A/article[1] 2 10/10"), builder.build("run"))


def test_overlapping_elements_are_counted_in_the_notes() -> None:
    judgements = graded("A/a[1] 2 10/20", "A/a[1]/s[1] 2 5/10", "A/a[1]/s[2] 2 5/10")
    run = ranked("A/a[1]/s[1]", "A/a[1]/s[2]", "A/a[1]", "A/a[1]/s[1]")
    notes = evaluate(judgements, [run], ["MAep(quant=gen5,overlap=on)"]).notes
    assert any(note.startswith("2 results overlapping earlier ones (elements)") for note in notes)
