"""Names of measures: what they parse to, how they print, and what is said about mistakes."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.errors import UnknownNameError, UsageError
from inexlab.judgements.quantisation import quantisations
from inexlab.judgements.recall_base import ideal_constructions
from inexlab.measures import Definition, Measure, Parameter, expand, parse
from inexlab.measures.measure import definitions
from inexlab.measures.sources import REFERENCES
from tests.builders import calm

ALL = definitions.values()


def _decimals(places: int = 18, most: int = 10**6) -> st.SearchStrategy[str]:
    return st.decimals(0, most, allow_nan=False, places=places).map(lambda d: f"{d:f}")


@st.composite
def _quantisations(draw: st.DrawFn) -> str:
    """Names of quantisations, short or with options."""
    kind = draw(st.none() | st.sampled_from(quantisations.values()))
    if kind is None:
        return draw(st.sampled_from(["gen", "strict"]))
    options = {
        name: draw(st.sampled_from(allowed) if isinstance(allowed, tuple) else st.integers(0, 10**9))
        for name, allowed in kind.options.items()
        if draw(st.booleans())
    }
    return kind.name + (f"({','.join(f'{k}={v}' for k, v in options.items())})" if options else "")


def _values(parameter: Parameter, of: str) -> st.SearchStrategy[str]:
    if parameter.name == "quant":
        return _quantisations()
    if parameter.name == "ideal":
        return st.sampled_from(list(ideal_constructions))
    if of == "Ceiling":
        return st.sampled_from(["SpanR", "SpanP@5", "SpanF@100c", "SpanIoU(unit=word)@20w"])
    if parameter.name == "measure":  # one of ir_measures, in its own full spelling
        return st.sampled_from(["AP", "P@10", "nDCG@5", "RR", "AP(rel=2)@100"])
    if parameter.choices:
        return st.sampled_from(parameter.choices)
    if isinstance(parameter.default, int):
        return st.integers(parameter.minimum, parameter.maximum or 10**9).map(str)
    return _decimals(most=parameter.maximum or 10**6)


@st.composite
def _names(draw: st.DrawFn) -> str:
    """Names of any measure, with any of its parameters in any order and a cut-off where one may stand."""
    definition: Definition = draw(st.sampled_from(ALL))
    chosen: dict[str, str] = {}
    effective: dict[str, object] = {}
    for parameter in definition.parameters:
        if parameter.when is not None and effective.get(parameter.when[0]) != parameter.when[1]:
            continue
        effective[parameter.name] = parameter.default
        if draw(st.booleans()):
            effective[parameter.name] = chosen[parameter.name] = draw(_values(parameter, definition.name))
    inner = ",".join(f"{key}={chosen[key]}" for key in draw(st.permutations(sorted(chosen))))
    name = definition.name + (f"({inner})" if inner else "")
    if definition.cutoff == "recall" or (definition.cutoff == "optional recall" and draw(st.booleans())):
        return f"{name}@{draw(st.decimals(0, 1, places=6)):f}"
    if definition.cutoff == "rank" or (definition.cutoff == "optional rank" and draw(st.booleans())):
        return f"{name}@{draw(st.integers(1, 10**6))}"
    if definition.cutoff == "optional rank or budget" and draw(st.booleans()):
        return f"{name}@{draw(st.integers(1, 10**6))}{draw(st.sampled_from(['', 'c', 'w']))}"
    return name


@calm
@given(_names())
def test_a_printed_name_parses_back_to_the_same_measure(name: str) -> None:
    measure = parse(name)
    again = parse(str(measure))
    assert again == measure
    assert hash(again) == hash(measure)
    assert str(again) == str(measure)
    assert measure.given == name


@calm
@given(_names())
def test_a_printed_name_holds_every_parameter_that_matters_in_the_order_of_the_definition(name: str) -> None:
    measure = parse(name)
    outermost = re.sub(r"(=\w+)\([^()]*\)", r"\1", str(measure))  # without options of what is inside
    printed = re.findall(r"(\w+)=", outermost)
    matters = [
        p.name
        for p in measure.definition.parameters
        if p.when is None or measure.parameters.get(p.when[0]) == p.when[1]
    ]
    assert list(measure.parameters) == matters
    quiet = {
        p.name
        for p in measure.definition.parameters
        if p.quiet and measure.parameters.get(p.name) == p.default
    }
    assert printed == [name for name in matters if name not in quiet]


@calm
@given(_decimals(), st.decimals(0, 1, places=18))
def test_decimals_are_read_and_printed_exactly(beta: str, level: Decimal) -> None:
    measure = parse(f"igP(score=F,beta={beta})@{level:f}")
    assert measure.parameters["beta"] == Fraction(beta)
    assert measure.cutoff == Fraction(level)
    found = re.fullmatch(r"igP\(score=F,beta=(.*)\)@(.*)", str(measure))
    assert found is not None
    assert (Decimal(found[1]), Decimal(found[2])) == (Decimal(beta), level)


@pytest.mark.parametrize(
    ("short", "full"),
    [
        ("MAgP", "MAgP(score=F,beta=1)"),
        ("MAgP()", "MAgP(score=F,beta=1)"),
        ("MAgP(beta=0.250)", "MAgP(score=F,beta=0.25)"),
        ("MAgP(beta=.25, score=F)", "MAgP(score=F,beta=0.25)"),
        ("MAgP(score=BEP)", "MAgP(score=BEP,n=500)"),
        ("gP(n=1000,score=BEP)@10", "gP(score=BEP,n=1000)@10"),
        ("gP(score=T2I)@5", "gP(score=T2I,tolerance=300)@5"),
        ("igP@0.10", "igP(score=F,beta=1)@0.1"),
        ("iP@0.00", "iP@0"),
        ("iP@1.", "iP@1"),
        ("iP@.01", "iP@0.01"),
        ("  iP @ 0.01 ", "iP@0.01"),
        ("gR@10.0", "gR@10"),
        ("SpanP", "SpanP"),
        ("SpanP@100", "SpanP@100"),
        ("HiXEvalP", "HiXEvalP(alpha=1)"),
        ("HiXEvalF(alpha=0.5)@20", "HiXEvalF(alpha=0.5)@20"),
        ("num_ret", "num_ret"),
        ("nxCG@10", "nxCG(quant=gen,overlap=off)@10"),
        ("nxCG(overlap=off,duplicates=zero,ideal=official)@10", "nxCG(quant=gen,overlap=off)@10"),
        ("nxCG(duplicates=keep)@10", "nxCG(quant=gen,overlap=off,duplicates=keep)@10"),
        ("MAep(overlap=on,alpha=1.0)", "MAep(quant=gen,overlap=on)"),
        ("MAep(overlap=on,alpha=0.50)", "MAep(quant=gen,overlap=on,alpha=0.5)"),
        ("MAep(level=element,quant=strict5)", "MAep(quant=strict5,overlap=off,level=element)"),
        ("nxCG(quant=binExh(min_size=50))@5", "nxCG(quant=binExh(min_size=50),overlap=off)@5"),
        ("nxCG(overlap=on,quant=binExh( min_size = 50 ))@5", "nxCG(quant=binExh(min_size=50),overlap=on)@5"),
        ("MAep(quant=spec6(links=out),overlap=on)", "MAep(quant=spec6(links=out),overlap=on)"),
        ("precall", "precall(quant=gen)"),
        ("precall(points=100)", "precall(quant=gen)"),
        ("precall(points=11,nnr=mass+1)", "precall(quant=gen,nnr=mass+1,points=11)"),
        ("precall(quant=sog)@0.50", "precall(quant=sog)@0.5"),
    ],
)
def test_short_forms_are_resolved(short: str, full: str) -> None:
    assert str(parse(short)) == full
    assert parse(short) == parse(full)


def test_different_parameters_make_different_measures() -> None:
    names = ["gP@1", "gP@2", "gP(beta=0.25)@1", "gP(score=BEP)@1", "gP(score=BEP,n=1000)@1", "gR@1"]
    assert len({parse(name) for name in names}) == len(names)


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("MAiQ", "MAiP"),
        ("magp", "MAgP"),
        ("ip@0.01", "iP"),
        ("spanr@5", "SpanR"),
        ("num_retrieved", "num_ret"),
    ],
)
def test_an_unknown_measure_is_answered_with_the_nearest_known_one(name: str, nearest: str) -> None:
    with pytest.raises(UnknownNameError, match=f"did you mean '{nearest}'"):
        parse(name)


def test_an_unknown_measure_like_no_other_is_answered_with_all_of_them() -> None:
    with pytest.raises(UnknownNameError) as caught:
        parse("xyzzyx")
    assert "did you mean" not in str(caught.value)
    assert caught.value.known[: len(ALL)] == [definition.name for definition in ALL]
    assert {"AP", "nDCG", "P", "RR"} < {*caught.value.known[len(ALL) :]}
    assert "alpha_nDCG" not in caught.value.known  # which needs a package that is not installed


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("MAgP(scores=F)", "unknown parameter of MAgP 'scores'; did you mean 'score'"),
        ("iP(beta=1)@0.1", "unknown parameter of iP 'beta'"),
        ("MAgP(score=f)", "unknown score of MAgP 'f'; did you mean 'F'"),
        ("MAgP(score=BEQ)", "unknown score of MAgP 'BEQ'; did you mean 'BEP'"),
    ],
)
def test_an_unknown_parameter_or_choice_is_named(name: str, message: str) -> None:
    with pytest.raises(UnknownNameError, match=re.escape(message)):
        parse(name)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("MAgP(score=BEP,beta=1)", "beta of MAgP needs score=F"),
        ("MAgP(score=F,n=500)", "n of MAgP needs score=BEP"),
        ("MAgP(n=500)", "n of MAgP needs score=BEP"),
        ("gP(score=BEP,tolerance=9)@1", "tolerance of gP needs score=T2I"),
        ("MAgP(beta=-1)", "beta=-1 of MAgP is not a number of at least 0"),
        ("MAgP(beta=one)", "beta=one of MAgP is not a number of at least 0"),
        ("MAgP(beta=²)", "beta=² of MAgP is not a number of at least 0"),
        ("HiXEvalP(alpha=1.01)", "alpha=1.01 of HiXEvalP is not a number of at least 0 and at most 1"),
        ("nxCG(overlap=on,alpha=2)@10", "alpha=2 of nxCG is not a number of at least 0 and at most 1"),
        ("nxCG(overlap=off,alpha=0.5)@10", "alpha of nxCG needs overlap=on"),
        ("MAgP(beta=1e3)", "beta=1e3 of MAgP is not a number of at least 0"),
        ("MAgP(score=BEP,n=0)", "n=0 of MAgP is not a whole number of at least 1"),
        ("MAgP(score=BEP,n=2.5)", "n=2.5 of MAgP is not a whole number of at least 1"),
        ("MAgP(beta)", "'beta' of MAgP is not understood"),
        ("MAgP(beta=)", "'beta=' of MAgP is not understood"),
        ("MAgP(beta=1,beta=1)", "'beta=1' of MAgP is not understood"),
    ],
)
def test_a_parameter_that_does_not_fit_is_explained(name: str, message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        parse(name)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("iP", "iP needs a cut-off, for example iP@0.01"),
        ("gP(score=F)", "gP(score=F) needs a cut-off, for example gP(score=F)@10"),
        ("gR", "gR needs a cut-off, for example gR@10"),
        ("MAiP@10", "MAiP takes no cut-off"),
        ("num_ret@10", "num_ret takes no cut-off"),
        ("iP@1.01", "the recall level of iP@1.01 is not a number from 0 to 1"),
        ("iP@-0.1", "the recall level of iP@-0.1 is not a number from 0 to 1"),
        ("iP@half", "the recall level of iP@half is not a number from 0 to 1"),
        ("precall@1.01", "the recall level of precall@1.01 is not a number from 0 to 1"),
        ("iP@*", "the recall level of iP@* is not a number from 0 to 1"),
        ("iP@²", "the recall level of iP@² is not a number from 0 to 1"),
        (f"gR@{'9' * 5000}", "is not a whole number from 1 to 1,000,000"),
        ("gP@0", "the rank of gP@0 is not a whole number from 1 to 1,000,000"),
        ("gR@1.5", "the rank of gR@1.5 is not a whole number from 1 to 1,000,000"),
        ("gP@5@6", "the rank of gP@5@6 is not a whole number from 1 to 1,000,000"),
        ("SpanP@ten", "the rank of SpanP@ten is not a whole number from 1 to 1,000,000"),
    ],
)
def test_a_missing_superfluous_or_impossible_cutoff_is_explained(name: str, message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        parse(name)


@pytest.mark.parametrize("name", ["", "@5", "iP@", "gP(score=F@5", "gP)@5", "1P@5", "iP[0.01]"])
def test_what_is_no_name_at_all_is_answered_with_the_form_of_a_name(name: str) -> None:
    with pytest.raises(UsageError, match=re.escape("write NAME, NAME@cutoff or NAME(key=value,…)@cutoff")):
        parse(name)


@pytest.mark.parametrize("definition", ALL, ids=lambda definition: definition.name)
def test_every_manual_page_has_a_summary_a_source_and_a_worked_example(definition: Definition) -> None:
    assert definition.summary.rstrip().endswith(".")
    assert "\nSource: " in definition.doc
    assert "\nExample: " in definition.doc


@pytest.mark.parametrize("short", REFERENCES)
def test_every_reference_is_cited_by_some_manual_page(short: str) -> None:
    assert any(short in definition.doc for definition in ALL)


# Curves.


def test_a_star_stands_for_the_points_of_the_curve() -> None:
    points = expand("iP@*")
    assert [str(measure) for measure in points][:3] == ["iP@0", "iP@0.01", "iP@0.02"]
    assert [measure.cutoff for measure in points] == [Fraction(k, 100) for k in range(101)]
    assert all(str(measure) == measure.given for measure in points)


@pytest.mark.parametrize("definition", [d for d in ALL if d.curve], ids=lambda definition: definition.name)
def test_every_curve_is_of_measures_that_can_be_asked_for_one_by_one(definition: Definition) -> None:
    points: list[Measure] = expand(f" {definition.name} @ *")
    assert len(set(points)) == len(definition.curve) >= 100
    assert [measure.cutoff for measure in points] == list(definition.curve)
    assert [parse(str(measure)) for measure in points] == points


def test_a_curve_keeps_the_parameters() -> None:
    names = [str(measure) for measure in expand("nxCG(overlap=on,quant=binExh(min_size=50))@*")]
    assert names[0] == "nxCG(quant=binExh(min_size=50),overlap=on)@15"


@pytest.mark.parametrize("name", ["MAgP", "gP(score=BEP)@10", "precall", "iP@0.5"])
def test_a_name_without_a_star_stands_for_itself(name: str) -> None:
    assert expand(name) == [parse(name)]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("MAiP@*", "MAiP has no curve, so not 'MAiP@*'; those with one: iP, "),
        ("gP(score=BEP)@*", "gP has no curve, so not 'gP(score=BEP)@*'"),
    ],
)
def test_a_measure_without_a_curve_names_those_with_one(name: str, message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        expand(name)


def test_mistakes_in_the_name_of_a_curve_are_those_of_any_name() -> None:
    with pytest.raises(UnknownNameError, match="unknown measure 'iPP'; did you mean 'iP'"):
        expand("iPP@*")
    with pytest.raises(UnknownNameError, match="unknown parameter of iP 'beta'"):
        expand("iP(beta=1)@*")
