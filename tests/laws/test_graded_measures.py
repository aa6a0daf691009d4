"""Laws of the graded measures, for any run over elements graded as INEX graded them."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.builders import calm
from tests.oracles import (
    TOPICS,
    Campaign,
    campaigns,
    graded,
    highlighted,
    perfect_ranking,
    ranked,
    rankings,
    topic_scores,
)
from tests.oracles.xcg import QUANTISATIONS_2005, Element, contains

OVERLAPS = ("off", "on", "2006")
SCALE_FREE = (
    *("nxCG({})@1", "nxCG({})@2", "nxCG({})@5", "nxCG({})@50", "MAnxCG({})@3", "MAnxCG({})@20"),
    *("MAep({})", "iMAep({})", "ep({})@0.01", "ep({})@0.5", "ep({})@1"),
)
XCG = (*SCALE_FREE, "Q({})", "R({})")
quantisations = st.sampled_from(QUANTISATIONS_2005)
overlaps = st.sampled_from(OVERLAPS)


def with_run(campaign: Campaign, ranking: dict[str, list[Element]]) -> Campaign:
    return Campaign(campaign.assessed, ranking)


def xcg_scores(
    campaign: Campaign, quant: str, overlap: str, measures: tuple[str, ...] = XCG
) -> dict[str, list[float]]:
    """Return scores by topic, under the names without options."""
    names = {measure.format(f"quant={quant},overlap={overlap}"): measure for measure in measures}
    found = topic_scores(list(names), campaign.judgements, campaign.run)
    return {names[name]: values for name, values in found.items()}


@calm
@given(highlighted(), quantisations, overlaps, st.integers(0, 3))
def test_the_recall_base_itself_is_perfect(
    campaign: Campaign, quant: str, overlap: str, useless: int
) -> None:
    """The full one for overlap=off, else the ideal one; useless results after it do no harm."""
    perfect = {
        topic: [*perfect_ranking(campaign.values(topic, quant), overlap), *[("Z", "/a[1]")] * useless]
        for topic in TOPICS
    }
    for measure, by_topic in xcg_scores(with_run(campaign, perfect), quant, overlap).items():
        assert by_topic == [pytest.approx(1, abs=1e-12)] * len(TOPICS), measure


@calm
@given(campaigns(sizes=range(1, 40)), quantisations, overlaps)
def test_the_recall_base_of_any_grades_is_perfect(campaign: Campaign, quant: str, overlap: str) -> None:
    """Also of trees that no assessor would leave behind."""
    assume(all(any(campaign.values(topic, quant).values()) for topic in TOPICS))
    perfect = {topic: perfect_ranking(campaign.values(topic, quant), overlap) for topic in TOPICS}
    for measure, by_topic in xcg_scores(with_run(campaign, perfect), quant, overlap).items():
        assert by_topic == [pytest.approx(1, abs=1e-12)] * len(TOPICS), measure


@calm
@given(highlighted(), quantisations, overlaps)
def test_every_score_lies_between_0_and_1(campaign: Campaign, quant: str, overlap: str) -> None:
    for measure, by_topic in xcg_scores(campaign, quant, overlap).items():
        assert all(0 <= value <= 1 + 1e-12 for value in by_topic), (measure, by_topic)


@calm
@given(st.data(), st.sampled_from(("gen5", "genLifted", "binExh", "spec6")), st.sampled_from(("on", "2006")))
def test_many_near_misses_do_not_lift_a_score_above_1(data: st.DataObject, quant: str, overlap: str) -> None:
    """One article, mostly relevant, of up to 20 small paragraphs that are so too, and any order of them."""
    paragraphs = data.draw(st.lists(st.integers(1, 9), min_size=1, max_size=20), label="relevant of 10")
    size, rsize = 10 * len(paragraphs), sum(paragraphs)
    judgements = graded(
        f"A/a[1] 2 {rsize}/{size}",
        *(f"A/a[1]/p[{i}] {data.draw(st.sampled_from('?12'))} {r}/10" for i, r in enumerate(paragraphs, 1)),
    )
    order = data.draw(st.permutations([f"A/a[1]/p[{i}]" for i in range(1, len(paragraphs) + 1)]))
    run = ranked(*order[: len(order) // 2], "A/a[1]", *order[len(order) // 2 :])
    names = [measure.format(f"quant={quant},overlap={overlap}") for measure in XCG]
    for name, (value,) in topic_scores(names, judgements, run).items():
        assert 0 <= value <= 1 + 1e-12, name


def without_overlap(ranking: list[Element]) -> list[Element]:
    """Drop every result that overlaps an earlier one."""
    kept: list[Element] = []
    for element in ranking:
        if not any(element == k or contains(element, k) or contains(k, element) for k in kept):
            kept.append(element)
    return kept


@calm
@given(campaigns(sizes=range(1, 40)), quantisations)
def test_for_runs_without_overlap_2006_is_2005(campaign: Campaign, quant: str) -> None:
    """Nothing is seen twice, and no result lies above the ideal element of another."""
    disjoint = with_run(campaign, {t: without_overlap(list(r)) for t, r in campaign.ranking.items()})
    assert not any(contains(a, b) for r in disjoint.ranking.values() for a, b in combinations(r, 2))
    on, later = xcg_scores(disjoint, quant, "on"), xcg_scores(disjoint, quant, "2006")
    for measure in XCG:
        assert later[measure] == pytest.approx(on[measure], abs=1e-12, nan_ok=True), measure


def test_for_runs_with_overlap_it_is_not() -> None:
    """The law above is not empty: a section after its paragraph gains in 2006 alone."""
    judgements = graded("A/s[1] 2 8/8", "A/s[1]/p[1] 1 8/8")
    run = ranked("A/s[1]/p[1]", "A/s[1]")
    names = [f"nxCG(quant=gen5,overlap={overlap})@2" for overlap in ("on", "2006")]
    assert topic_scores(names, judgements, run) == dict(zip(names, ([0.5], [1]), strict=True))


@calm
@given(highlighted(), quantisations, overlaps, rankings(), st.data())
def test_irrelevant_results_at_the_end_never_raise_a_score(
    campaign: Campaign, quant: str, overlap: str, tail: list[Element], data: st.DataObject
) -> None:
    """In XCG they change nothing; a mean over the articles of the run falls with every new one."""
    longer = {}
    for topic in TOPICS:
        value = campaign.values(topic, quant)
        useless = [element for element in tail if not value.get(element)]
        longer[topic] = [*campaign.ranking[topic], *data.draw(st.permutations(useless))]
    before = xcg_scores(campaign, quant, overlap)
    assert xcg_scores(with_run(campaign, longer), quant, overlap) == before
    browse = ("MAep({},level=element)", "iMAep({},level=element)", "MAep({},level=element,clusters=relevant)")
    old = xcg_scores(campaign, quant, overlap, browse)
    new = xcg_scores(with_run(campaign, longer), quant, overlap, browse)
    for measure in browse:
        assert all(a <= b + 1e-12 for a, b in zip(new[measure], old[measure], strict=True)), measure
    assert new[browse[2]] == pytest.approx(old[browse[2]], abs=1e-12)


@calm
@given(highlighted(), quantisations, rankings(), st.data())
def test_articles_without_relevant_elements_never_raise_a_score(
    campaign: Campaign, quant: str, tail: list[Element], data: st.DataObject
) -> None:
    """Of the articles too: those that nobody judged, wherever they stand."""
    wider = {}
    for topic in TOPICS:
        longer = list(campaign.ranking[topic])
        for _, path in tail:
            longer.insert(data.draw(st.integers(0, len(longer))), ("Z", path))
        wider[topic] = longer
    measures = (
        "MAep({},level=article,score=max)",
        "nxCG({})@1",
        "nxCG({})@5",
        "MAnxCG({})@20",
        "MAep({})",
        "Q({})",
    )
    old = xcg_scores(campaign, quant, "off", measures)
    new = xcg_scores(with_run(campaign, wider), quant, "off", measures)
    for measure in measures:
        assert all(a <= b + 1e-12 for a, b in zip(new[measure], old[measure], strict=True)), measure


@calm
@given(highlighted(), quantisations, overlaps, st.data())
def test_only_the_order_within_a_topic_matters(
    campaign: Campaign, quant: str, overlap: str, data: st.DataObject
) -> None:
    """Topics may stand in any order, in the run even interleaved, and so may judged documents."""
    options = f"quant={quant},overlap={overlap}"
    names = [measure.format(options) for measure in XCG]
    names += [
        f"precall(quant={quant})",
        f"MAep({options},level=article,score=max)",
        f"MAep({options},level=element)",
    ]
    expected = topic_scores(names, campaign.judgements, campaign.run)

    queues = {topic: list(campaign.ranking[topic]) for topic in TOPICS}
    turns = data.draw(st.permutations([topic for topic in TOPICS for _ in queues[topic]]), label="turns")
    interleaved = ranked(*("{}:{}{}".format(topic, *queues[topic].pop(0)) for topic in turns))
    assert topic_scores(names, campaign.judgements, interleaved) == expected

    assessed = [(t, e, grade) for t, elements in campaign.assessed.items() for e, grade in elements.items()]
    shuffled = data.draw(st.permutations(assessed), label="assessments")
    judgements = graded(*(f"{t}:{doc}{path} {e} {r}/{s}" for t, (doc, path), (e, s, r) in shuffled))
    found = topic_scores(names, judgements, campaign.run)
    for name in names:
        assert found[name] == pytest.approx(expected[name], abs=1e-12), name


@calm
@given(highlighted(), quantisations, overlaps)
def test_a_topic_is_scored_as_if_it_were_the_only_one(campaign: Campaign, quant: str, overlap: str) -> None:
    both = xcg_scores(campaign, quant, overlap)
    for place, topic in enumerate(TOPICS):
        alone = Campaign({topic: campaign.assessed[topic]}, {topic: campaign.ranking[topic]})
        for measure, (value,) in xcg_scores(alone, quant, overlap).items():
            assert value == pytest.approx(both[measure][place], abs=1e-12), measure


@pytest.fixture(scope="module")
def doubled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A quantisation of one's own: twice gen5."""
    file = tmp_path_factory.mktemp("quantisation") / "doubled.toml"
    file.write_text('scale = "2005"\n[values]\n"1" = 2\n"2" = 4\n')
    return file


@calm
@given(campaign=highlighted(), overlap=overlaps)
def test_values_have_no_unit(doubled: Path, campaign: Campaign, overlap: str) -> None:
    """Doubled they leave everything unchanged but Q and R, where a bonus of 1 is added to them."""
    once = xcg_scores(campaign, "gen5", overlap)
    twice = xcg_scores(campaign, str(doubled), overlap)
    for measure in SCALE_FREE:
        assert twice[measure] == pytest.approx(once[measure], abs=1e-12), measure


def test_Q_and_R_feel_the_unit(doubled: Path) -> None:
    judgements = graded("A/a[1] 1 4/4", "B/a[1] 1 2/4")
    run = ranked("B/a[1]", "X/a[1]", "A/a[1]")
    names = [f"{name}(quant={quant})" for name in ("Q", "R") for quant in ("gen5", doubled)]
    q, q_doubled, r, r_doubled = (value for (value,) in topic_scores(names, judgements, run).values())
    # gains .5, 0, 1 beside 1, .5 give cbg 1.5, 1.5, 3.5 beside cig 1, 1.5, 1.5
    assert q == pytest.approx((1.5 / (1 + 1) + 3.5 / (1.5 + 3)) / 2)
    assert r == pytest.approx(1.5 / (1.5 + 2))
    # gains 1, 0, 2 beside 2, 1 give cbg 2, 2, 5 beside cig 2, 3, 3
    assert q_doubled == pytest.approx((2 / (2 + 1) + 5 / (3 + 3)) / 2)
    assert r_doubled == pytest.approx(2 / (3 + 2))


@calm
@given(st.data())
def test_precall_of_a_binary_run_without_ties_is_precision(data: st.DataObject) -> None:
    """Where x n is a whole number: the precision at the rank of the x n-th relevant element."""
    n = data.draw(st.sampled_from([1, 2, 4, 5, 8, 10, 20, 25]), label="n")
    relevant = [f"A/r[{i}]" for i in range(1, n + 1)]
    others = [f"A/n[{i}]" for i in range(1, data.draw(st.integers(0, 12), label="others") + 1)]
    missed = data.draw(st.integers(0, n), label="missed")
    ranking = data.draw(st.permutations([*relevant[missed:], *others]), label="ranking")
    judgements = graded(*(f"{element} 3,3" for element in relevant), "B/a[1] 0,0")
    with_scores = data.draw(st.booleans(), label="with scores")
    run = ranked("9:A/a[1]", *(f"{r} {50 - i}" if with_scores else r for i, r in enumerate(ranking)))
    found_at = [rank for rank, element in enumerate(ranking, 1) if element in relevant]
    for k in range(1, n + 1):
        level = f"{k / n:g}"
        assert Fraction(level) == Fraction(k, n)
        expected = k / found_at[k - 1] if k <= len(found_at) else 0
        (value,) = topic_scores([f"precall(quant=strict4)@{level}"], judgements, run).values()
        assert value == [pytest.approx(expected, abs=1e-12)]


@calm
@given(st.data())
def test_precall_never_rises_by_irrelevant_results(data: st.DataObject) -> None:
    """Whatever their score, also tied with relevant ones."""
    elements = [f"A/a[{i}]" for i in range(1, 6)]
    grades = ["3,3", *(data.draw(st.sampled_from(["3,3", "2,3", "2,2", "1,1"])) for _ in elements[1:])]
    judgements = graded(*(f"{element} {grade}" for element, grade in zip(elements, grades, strict=True)))
    scores = st.integers(-2, 2)
    found = data.draw(st.lists(st.sampled_from(elements), unique=True), label="found")
    run = ["9:A/a[1] 0", *(f"{element} {data.draw(scores)}" for element in found)]
    useless = [f"Z/a[{i}] {data.draw(scores)}" for i in range(1, data.draw(st.integers(2, 5)))]
    names = [f"precall(quant=sog,nnr={nnr})" for nnr in ("whole", "count", "mass", "mass+1")]
    names += ["precall(quant=strict4)", "precall(quant=gen4)@0.1", "precall(quant=gen4)@1"]
    before = topic_scores(names, judgements, ranked(*run))
    after = topic_scores(names, judgements, ranked(*run, *useless))
    for name in names:
        assert after[name][0] <= before[name][0] + 1e-12, name
