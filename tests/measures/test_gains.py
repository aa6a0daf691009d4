"""Gains: the worked examples of the papers' rules, and the rules themselves over any tree and any run."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.errors import UsageError
from inexlab.judgements import Judgements
from inexlab.judgements.quantisation import parse_quantisation
from inexlab.measures.elements import element_evidence
from inexlab.measures.gains import ANCESTORS, gains
from inexlab.policy import Policy
from inexlab.runs import Run
from tests.builders import calm
from tests.examples import examples
from tests.oracles import Campaign, both_ways, campaigns, graded, ranked, topic_scores
from tests.oracles.xcg import QUANTISATIONS_2005, Element, gains_focussed, gains_off, ideal_recall_base


def gains_of(judgements: Judgements, run: Run, quant: str, overlap: str, **options: Any) -> list[list[float]]:
    """Return the gains of a run's results, topic by topic."""
    evidence = element_evidence(run, judgements, Policy())
    found = gains(evidence, parse_quantisation(quant), overlap, **options).tolist()
    borders = evidence.results.results_from.tolist()
    return [found[first:last] for first, last in pairwise(borders)]


def gain_of(results: str, judgements: Judgements, quant: str, overlap: str, **options: Any) -> list[float]:
    """Return the gains of results of the one topic."""
    (found,) = gains_of(judgements, ranked(*results.split()), quant, overlap, **options)
    return found


class TestWorkedExample:
    """A section of 100 characters, value .6, with paragraphs of 40 and 60 characters, values 1 and .5.

    The path of p1 chooses p1, that of p2 the section; the section holds p1 and so is the ideal element.
    """

    judgements = graded("A/sec[1] 1 60/100", "A/sec[1]/p[1] 1 40/40", "A/sec[1]/p[2] 1 30/60")
    p1_then_sec = "A/sec[1]/p[1] A/sec[1]"

    def test_ideal_is_the_section(self) -> None:
        values = {("A", "s"): Fraction(3, 5), ("A", "s/p1"): Fraction(1), ("A", "s/p2"): Fraction(1, 2)}
        assert ideal_recall_base(values) == [("A", "s")]

    def test_gains_are_capped_at_the_value_of_the_section(self) -> None:
        assert gain_of(self.p1_then_sec, self.judgements, "gen5", "on") == [0.6, 0]

    def test_without_the_cap_on_ancestors_it_is_still_the_ideal_element_that_caps(self) -> None:
        assert gain_of(self.p1_then_sec, self.judgements, "gen5", "on", ancestors="none") == [0.6, 0]

    def test_half_tolerance_is_capped_as_well(self) -> None:
        """Worth .5 × (.5 × 40 + .5 × 60) / 100 + .5 × .6 = .55 then, but .6 is all there is."""
        assert gain_of(self.p1_then_sec, self.judgements, "gen5", "on", alpha=0.5) == [0.6, 0]

    def test_the_values_before_the_cap(self) -> None:
        """Two sections like this one below an article so good that it is ideal: now nothing is capped."""
        roomy = graded("A/a[1] 2 1000/1000", "A/a[1]/sec[1] 1 60/100", "A/a[1]/sec[1]/p[1] 1 40/40",
                       "A/a[1]/sec[1]/p[2] 1 30/60")  # fmt: skip
        results = "A/a[1]/sec[1]/p[1] A/a[1]/sec[1]"
        assert gain_of(results, roomy, "gen5", "on") == [1, pytest.approx(0.3)]
        assert gain_of(results, roomy, "gen5", "on", alpha=0.5) == [1, pytest.approx(0.55)]
        assert gain_of(results, roomy, "gen5", "on", alpha=0.0) == [1, pytest.approx(0.6)]

    def test_section_first_leaves_nothing(self) -> None:
        assert gain_of("A/sec[1] A/sec[1]/p[1] A/sec[1]/p[2]", self.judgements, "gen5", "on") == [0.6, 0, 0]

    def test_paragraph_by_paragraph_reaches_the_value_of_the_section(self) -> None:
        found = gain_of("A/sec[1]/p[2] A/sec[1]/p[1] A/sec[1]", self.judgements, "gen5", "on")
        assert found == [0.5, pytest.approx(0.1), 0]

    def test_overlap_off_pays_each_in_full(self) -> None:
        found = gain_of("A/sec[1]/p[1] A/sec[1] A/sec[1]/p[2]", self.judgements, "gen5", "off")
        assert found == [1, 0.6, 0.5]


def test_tie_goes_to_the_section_which_then_hides_the_better_paragraph() -> None:
    """The other example of the ideal recall base: sec .5 with p1 .5 and p2 1 keeps the section alone."""
    judgements = graded("A/sec[1] 1 2/4", "A/sec[1]/p[1] 1 1/2", "A/sec[1]/p[2] 1 2/2")
    assert gain_of("A/sec[1]/p[2] A/sec[1]/p[1]", judgements, "gen5", "on") == [0.5, 0]
    assert topic_scores(["nxCG(quant=gen5,overlap=on)@1"], judgements, ranked("A/sec[1]")) == {
        "nxCG(quant=gen5,overlap=on)@1": [1]
    }


class TestUnassessedResults:
    """Somebody who reads an element that nobody assessed has read what is in it."""

    judgements = graded("A/a[1] 1 32/64", "A/a[1]/s[1]/p[1] 1 16/16", "A/a[1]/s[2] 1 16/16")

    def test_one_above_shows_what_is_below(self) -> None:
        assert gain_of("A/a[1]/s[1] A/a[1]/s[1]/p[1] A/a[1]/s[2]", self.judgements, "gen5", "on") == [0, 0, 1]

    def test_one_below_shows_part_of_what_is_above(self) -> None:
        """The article is then worth its unseen child s[2], 16 characters of 64; s[1] was never assessed."""
        assert gain_of("A/a[1]/s[1]/p[1]/i[1] A/a[1]", self.judgements, "gen5", "on") == [0, 0.25]

    def test_a_path_that_exists_nowhere_is_part_of_what_would_be_above(self) -> None:
        assert gain_of("A/a[1]/s[99] A/a[1]", self.judgements, "gen5", "on") == [0, 0.25]

    def test_one_above_does_not_matter_in_2006(self) -> None:
        assert gain_of("A/a[1]/s[1] A/a[1]/s[1]/p[1]", self.judgements, "gen5", "2006") == [0, 1]

    def test_one_in_a_document_of_the_other_topic_does_not_matter(self) -> None:
        two = graded("1:A/a[1] 1 4/4", "2:B/a[1] 1 4/4")
        run = ranked("1:B/a[1]", "1:A/a[1]", "2:A/a[1]", "2:B/a[1]")
        assert gains_of(two, run, "gen5", "on") == [[0, 1], [0, 1]]


def test_numbers_of_steps_are_not_mixed_up() -> None:
    """`s[1]` is not an ancestor of `s[10]`'s paragraphs."""
    judgements = graded("A/a[1]/s[1] 1 8/8", "A/a[1]/s[10]/p[1] 1 8/8")
    assert gain_of("A/a[1]/s[1] A/a[1]/s[10]/p[1]", judgements, "gen5", "on") == [1, 1]


def test_a_step_without_number_is_the_first() -> None:
    judgements = graded("A/a[1]/s[1] 1 8/8", "A/a[1]/s[2] 1 4/8")
    assert gain_of("A/a/s A/a[1]/s[2] A/a/s[1]", judgements, "gen5", "on") == [1, 0.5, 0]


def test_a_whole_document_is_its_root() -> None:
    judgements = graded("A/a[1] 2 8/8", "A/a[1]/s[1] 1 8/8")
    assert gain_of("A/ A/a[1]/s[1]", judgements, "gen5", "on") == [2, 0]


def test_an_element_without_value_gains_nothing_for_its_parts() -> None:
    """Under strict5 the section is worthless, however good its unseen paragraph."""
    judgements = graded("A/s[1] 2 9/10", "A/s[1]/p[1] 2 4/4", "A/s[1]/p[2] 2 4/4")
    assert gain_of("A/s[1]/p[1] A/s[1] A/s[1]/p[2]", judgements, "strict5", "on") == [1, 0, 0]


def test_nor_does_it_hand_on_the_value_of_its_parts() -> None:
    """The section between article and paragraphs is too small to have a value: nothing is left."""
    section = ("A/a[1]/s[1] ? 4/4", "A/a[1]/s[1]/p[1] 1 2/2", "A/a[1]/s[1]/p[2] 1 2/2")
    judgements = graded("A/a[1] 2 8/8", *section)
    assert gain_of("A/a[1]/s[1]/p[1] A/a[1]", judgements, "gen5", "on") == [1, 0]
    assert gain_of("A/a[1]/s[1]/p[1] A/a[1]", judgements, "genLifted", "on") == [2, 0.5]


def test_what_is_left_may_be_worth_more_than_the_whole() -> None:
    """As printed: an article of e = 1 whose section of e = 2 is still unseen; sections are ideal."""
    judgements = graded("A/a[1] 1 8/16", "A/a[1]/s[1] 2 8/8", "A/a[1]/p[1] 1 2/2")
    assert gain_of("A/a[1]/p[1] A/a[1]", judgements, "gen5", "on") == [1, 1]


def test_own_text_of_a_partly_seen_element_is_worth_nothing() -> None:
    """Divided by the element's own 100 characters, not by the 20 of its children."""
    judgements = graded("A/s[1] 2 100/100", "A/s[1]/p[1] 1 10/10", "A/s[1]/p[2] 1 10/10")
    assert gain_of("A/s[1]/p[1] A/s[1]", judgements, "gen5", "on") == [1, pytest.approx(0.1)]


class TestElementAboveSeveralIdealOnes:
    """An article of value 1/4 above ideal sections of 1 and 1/2, of which the first is all but used up."""

    judgements = graded(
        "A/a[1] 1 64/256", "A/a[1]/s[1] 1 32/32", "A/a[1]/s[2] 1 16/32", "A/a[1]/s[1]/p[1] 1 15/16"
    )

    @pytest.mark.parametrize(
        ("ancestors", "gain"), [("sum", 0.25), ("max", 0.25), ("min", 0.0625), ("none", 0.25)]
    )
    def test_what_bounds_it_in_2006(self, ancestors: str, gain: float) -> None:
        found = gain_of("A/a[1]/s[1]/p[1] A/a[1]", self.judgements, "gen5", "2006", ancestors=ancestors)
        assert found == [0.9375, gain]

    @pytest.mark.parametrize(("ancestors", "gain"), [("sum", 0.0), ("none", 0.25)])
    def test_when_all_is_used_up(self, ancestors: str, gain: float) -> None:
        results = "A/a[1]/s[1] A/a[1]/s[2] A/a[1]"
        found = gain_of(results, self.judgements, "gen5", "2006", ancestors=ancestors)
        assert found == [1, 0.5, gain]

    def test_in_2006_it_uses_up_what_is_below(self) -> None:
        assert gain_of("A/a[1] A/a[1]/s[1] A/a[1]/s[2]", self.judgements, "gen5", "2006") == [
            0.25,
            0.75,
            0.25,
        ]

    def test_in_2005_it_uses_up_nothing(self) -> None:
        """Only what is inside an ideal element does; somebody who tolerates repetition gains it all."""
        results = "A/a[1] A/a[1]/s[1] A/a[1]/s[2]"
        assert gain_of(results, self.judgements, "gen5", "on", alpha=0.0) == [0.25, 1, 0.5]

    def test_in_2005_it_was_seen(self) -> None:
        assert gain_of("A/a[1] A/a[1]/s[1] A/a[1]/s[2]", self.judgements, "gen5", "on") == [0.25, 0, 0]


class TestDuplicates:
    judgements = graded("A/a[1] 1 4/8", "B/a[1] 1 8/8")
    results = "A/a[1] B/a[1] A/a[1]"

    def test_the_later_one_gains_nothing(self) -> None:
        assert gain_of(self.results, self.judgements, "gen5", "off") == [0.5, 1, 0]
        assert gain_of(self.results, self.judgements, "gen5", "on") == [0.5, 1, 0]
        assert gain_of(self.results, self.judgements, "gen5", "2006") == [0.5, 1, 0]

    def test_kept_they_gain_again(self) -> None:
        """As equation 10 says literally; a run can then gain more than there is."""
        assert gain_of(self.results, self.judgements, "gen5", "off", duplicates="keep") == [0.5, 1, 0.5]
        measure = "nxCG(quant=gen5,overlap=off,duplicates=keep)@3"
        scores = topic_scores([measure], self.judgements, ranked(*self.results.split()))
        assert scores[measure] == [pytest.approx(4 / 3)]


def test_overlap_needs_sizes() -> None:
    for overlap in ("on", "2006"):
        for judgements in (graded("A/a[1] 3,3"), graded("A/a[1] 3E")):
            with pytest.raises(UsageError, match=f"overlap={overlap} needs the sizes of elements"):
                gain_of("A/a[1]", judgements, "gen", overlap)


def test_overlap_off_needs_none() -> None:
    assert gain_of("A/a[1] A/b[1]", graded("A/a[1] 3,3", "A/b[1] 2,1"), "gen", "off") == [1, 0.5]
    assert gain_of("A/a[1] A/b[1]", graded("A/a[1] 3E", "A/b[1] 1S"), "gen", "off") == [1, 0.25]


# The rules, in fractions, over any run.

thorough = examples(100)

ALPHAS = ("0", "1/2", "1")


def by_topic(campaign: Campaign, quant: str, overlap: str, **options: Any) -> list[list[Fraction]]:
    found = []
    for topic in sorted(campaign.assessed):
        ranking: list[Element] = list(campaign.ranking.get(topic, ()))
        value, size = campaign.values(topic, quant), campaign.sizes(topic)
        if overlap == "off":
            found.append(gains_off(ranking, value, **options))
        else:
            found.append(gains_focussed(ranking, value, size, overlap, **options))
    return found


@both_ways
@calm
@given(campaigns(), st.sampled_from(QUANTISATIONS_2005), st.booleans())
def test_overlap_off_by_definition(compiled: str, campaign: Campaign, quant: str, keep: bool) -> None:
    duplicates = "keep" if keep else "zero"
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("INEXLAB_COMPILED", compiled)
        found = gains_of(campaign.judgements, campaign.run, quant, "off", duplicates=duplicates)
    assert found == by_topic(campaign, quant, "off", keep=keep)


@both_ways
@thorough
@given(campaigns(), st.sampled_from(QUANTISATIONS_2005), st.sampled_from(ALPHAS), st.sampled_from(ANCESTORS))
def test_overlap_on_by_definition(
    compiled: str, campaign: Campaign, quant: str, alpha: str, ancestors: str
) -> None:
    """To the last bit: with sizes that are powers of 2 floating point is exact."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("INEXLAB_COMPILED", compiled)
        found = gains_of(
            campaign.judgements,
            campaign.run,
            quant,
            "on",
            alpha=float(Fraction(alpha)),
            ancestors=ancestors,
        )
    assert found == by_topic(campaign, quant, "on", alpha=Fraction(alpha), ancestors=ancestors)


@both_ways
@thorough
@given(campaigns(), st.sampled_from(QUANTISATIONS_2005), st.sampled_from(ANCESTORS))
def test_overlap_2006_by_definition(compiled: str, campaign: Campaign, quant: str, ancestors: str) -> None:
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("INEXLAB_COMPILED", compiled)
        found = gains_of(campaign.judgements, campaign.run, quant, "2006", ancestors=ancestors)
    assert found == by_topic(campaign, quant, "2006", ancestors=ancestors)


@calm
@given(campaigns(sizes=range(1, 60)), st.sampled_from(QUANTISATIONS_2005), st.sampled_from(("on", "2006")))
def test_focussed_gains_for_any_sizes(campaign: Campaign, quant: str, overlap: str) -> None:
    found = gains_of(campaign.judgements, campaign.run, quant, overlap)
    expected = by_topic(campaign, quant, overlap)
    for ours, exact in zip(found, expected, strict=True):
        assert ours == [pytest.approx(float(gain), abs=1e-12) for gain in exact]
