"""Quantisations: every table written out, exact numbers, names, and one's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.errors import InputError, UnknownNameError, UsageError
from inexlab.judgements.elements import COVERAGE, TOO_SMALL, GradedElements, Scale
from inexlab.judgements.quantisation import (
    Quantisation,
    parse_quantisation,
    quantisation,
    quantisations,
)
from inexlab.judgements.table import ElementGrade, JudgementsBuilder
from inexlab.tables import Floats
from tests.builders import calm


def graded(scale: Scale, grades: Sequence[tuple[int, int, int, int]], tag: str = "p") -> GradedElements:
    """Elements with these (exhaustivity, specificity, size, rsize), in a document each, so in this order."""
    builder = JudgementsBuilder()
    for number, grade in enumerate(grades):
        builder.add("1", f"d{number}")
        assert builder.add_element("1", f"d{number}", ElementGrade(f"/{tag}[1]", *grade), scale) is None
    elements = builder.build().elements
    assert elements is not None
    return elements


def pairs_of_2002(*pairs: str) -> GradedElements:
    """Elements with grades such as 3E."""
    return graded("2002", [(int(pair[0]), COVERAGE.index(pair[1]), 0, 0) for pair in pairs])


def pairs_of_2004(*pairs: tuple[int, int]) -> GradedElements:
    return graded("2004", [(e, s, 0, 0) for e, s in pairs])


def highlighted(*elements: tuple[str, int, int]) -> GradedElements:
    """Elements with (exhaustivity, relevant characters, characters)."""
    return graded(
        "2005", [(TOO_SMALL if e == "?" else int(e), -1, size, rsize) for e, rsize, size in elements]
    )


def values(name: str, elements: GradedElements) -> list[float]:
    found: list[float] = parse_quantisation(name).for_scale(elements.scale).values(elements).tolist()
    return found


# 2002: topical relevance 0-3, coverage none, too small, too large or exact.

TABLES_2002: dict[str, dict[str, float]] = {
    "strict2": {"0N": 0, "1S": 0, "1L": 0, "1E": 0, "2S": 0, "2L": 0, "2E": 0, "3L": 0, "3E": 1},
    "gen2": {
        "0N": 0,
        "1S": 0.25,
        "1L": 0.25,
        "1E": 0.5,
        "2S": 0.5,
        "2L": 0.5,
        "2E": 0.75,
        "3L": 0.75,
        "3E": 1,
    },
}


@pytest.mark.parametrize("name", TABLES_2002)
def test_the_tables_of_2002(name: str) -> None:
    table = TABLES_2002[name]
    assert dict(zip(table, values(name, pairs_of_2002(*table)), strict=True)) == table


@pytest.mark.parametrize("name", TABLES_2002)
def test_letters_that_no_table_has_are_worth_nothing(name: str) -> None:
    assert values(name, pairs_of_2002("0E", "1N", "2N", "3N")) == [0, 0, 0, 0]


# 2003 and 2004: exhaustivity and specificity, each 0-3. Rows are e, columns s = 1, 2, 3.

TABLES_2004: dict[str, dict[int, tuple[float, float, float]]] = {
    "strict4": {1: (0, 0, 0), 2: (0, 0, 0), 3: (0, 0, 1)},
    "gen4": {1: (0.25, 0.25, 0.5), 2: (0.5, 0.5, 0.75), 3: (0.75, 0.75, 1)},
    "sog": {1: (0.1, 0.25, 0.75), 2: (0.1, 0.5, 0.9), 3: (0.25, 0.75, 1)},
    "anyrel": {1: (1, 1, 1), 2: (1, 1, 1), 3: (1, 1, 1)},
    "s3_e321": {1: (0, 0, 1), 2: (0, 0, 1), 3: (0, 0, 1)},
    "s3_e32": {1: (0, 0, 0), 2: (0, 0, 1), 3: (0, 0, 1)},
    "e3_s321": {1: (0, 0, 0), 2: (0, 0, 0), 3: (1, 1, 1)},
    "e3_s32": {1: (0, 0, 0), 2: (0, 0, 0), 3: (0, 1, 1)},
}


@pytest.mark.parametrize("name", TABLES_2004)
def test_the_tables_of_2004(name: str) -> None:
    expected = {(e, s + 1): value for e, row in TABLES_2004[name].items() for s, value in enumerate(row)}
    expected[0, 0] = 0
    assert dict(zip(expected, values(name, pairs_of_2004(*expected)), strict=True)) == expected


# 2005 and 2006: exhaustivity ?, 0, 1 or 2; of 60 characters none, 20 or all are relevant: s = 0, 1/3, 1.

THIRD, TWO_THIRDS = 1 / 3, 2 / 3
NOTHING = (0, 0, 0)
TABLES_2005: dict[str, dict[str, tuple[float, float, float]]] = {
    "strict5": {"?": NOTHING, "0": NOTHING, "1": NOTHING, "2": (0, 0, 1)},
    "gen5": {"?": NOTHING, "0": NOTHING, "1": (0, THIRD, 1), "2": (0, TWO_THIRDS, 2)},
    "genLifted": {"?": (0, THIRD, 1), "0": NOTHING, "1": (0, TWO_THIRDS, 2), "2": (0, 1, 3)},
    "binExh": {"?": (0, THIRD, 1), "0": NOTHING, "1": (0, THIRD, 1), "2": (0, THIRD, 1)},
    "binExh(min_size=60)": {"?": (0, THIRD, 1), "0": NOTHING, "1": (0, THIRD, 1), "2": (0, THIRD, 1)},
    "binExh(min_size=61)": {"?": NOTHING, "0": NOTHING, "1": NOTHING, "2": NOTHING},
    "binExhNoSmall": {"?": NOTHING, "0": NOTHING, "1": (0, THIRD, 1), "2": (0, THIRD, 1)},
    "fullySpec": {"?": (0, 0, 1), "0": (0, 0, 1), "1": (0, 0, 1), "2": (0, 0, 1)},
    "spec6": {"?": (0, THIRD, 1), "0": (0, THIRD, 1), "1": (0, THIRD, 1), "2": (0, THIRD, 1)},
    "spec6(links=in)": {"?": (0, THIRD, 1), "0": (0, THIRD, 1), "1": (0, THIRD, 1), "2": (0, THIRD, 1)},
    "spec6(links=out)": {"?": (0, THIRD, 1), "0": (0, THIRD, 1), "1": (0, THIRD, 1), "2": (0, THIRD, 1)},
}


@pytest.mark.parametrize("name", TABLES_2005)
def test_the_tables_of_2005(name: str) -> None:
    expected = {
        (e, rsize): value
        for e, row in TABLES_2005[name].items()
        for rsize, value in zip((0, 20, 60), row, strict=True)
    }
    found = values(name, highlighted(*((e, rsize, 60) for e, rsize in expected)))
    assert dict(zip(expected, found, strict=True)) == expected


def test_every_registered_quantisation_has_its_table_here() -> None:
    written_out = {name.partition("(")[0] for name in (*TABLES_2002, *TABLES_2004, *TABLES_2005)}
    assert set(quantisations) == written_out


@pytest.mark.parametrize("name", TABLES_2005)
def test_an_element_without_text_is_worth_nothing(name: str) -> None:
    assert values(name, highlighted(("2", 0, 0), ("1", 0, 0), ("?", 0, 0))) == [0, 0, 0]


@pytest.mark.parametrize("min_size", [0, 1, 49, 50, 51])
def test_a_least_size_takes_the_place_of_too_small(min_size: int) -> None:
    found = values(f"binExh(min_size={min_size})", highlighted(("?", 25, 50), ("2", 10, 50), ("?", 9, 9)))
    assert found == [0.5 * (min_size <= 50), 0.2 * (min_size <= 50), 1.0 * (min_size <= 9)]


# The link filter of 2006.


@pytest.mark.parametrize("tag", ["collectionlink", "wikipedialink", "outsidelink", "weblink"])
def test_elements_that_are_links_can_be_left_out(tag: str) -> None:
    links = graded("2005", [(2, -1, 8, 2), (2, -1, 8, 8)], tag)
    assert values("spec6(links=out)", links) == [0, 0]
    assert values("spec6(links=in)", links) == [0.25, 1]
    assert values("spec6", links) == [0.25, 1]


def test_what_is_around_or_inside_a_link_is_untouched() -> None:
    builder = JudgementsBuilder()
    builder.add("1", "d")
    shares = {
        "/article[1]": 1,
        "/article[1]/p[1]": 2,
        "/article[1]/p[1]/collectionlink[12]": 4,
        "/article[1]/p[1]/collectionlink[12]/emph[1]": 3,
        "/article[1]/p[1]/linkage[1]": 4,
    }
    for path, rsize in shares.items():
        builder.add_element("1", "d", ElementGrade(path, 2, -1, 4, rsize), "2005")
    elements = builder.build().elements
    assert elements is not None
    found = dict(
        zip((elements.paths[c] for c in elements.path), values("spec6(links=out)", elements), strict=True)
    )
    assert found == {
        "/article[1]": 0.25,
        "/article[1]/p[1]": 0.5,
        "/article[1]/p[1]/collectionlink[12]": 0,
        "/article[1]/p[1]/collectionlink[12]/emph[1]": 0.75,
        "/article[1]/p[1]/linkage[1]": 1,
    }


# Exact numbers.


@pytest.mark.parametrize("name", ["strict5", "fullySpec"])
def test_wholly_relevant_is_a_matter_of_whole_characters(name: str) -> None:
    """In floating point (2**60 - 1) / 2**60 is 1."""
    big = 2**60
    assert (big - 1) / big == 1.0
    assert values(name, highlighted(("2", big - 1, big), ("2", big, big))) == [0, 1]


PRODUCTS: dict[str, Mapping[str, int]] = {
    "gen5": {"?": 0, "1": 1, "2": 2},
    "genLifted": {"?": 1, "1": 2, "2": 3},
    "binExh": {"?": 1, "1": 1, "2": 1},
    "spec6": {"?": 1, "1": 1, "2": 1},
}
an_element = st.integers(1, 10**6).flatmap(
    lambda size: st.tuples(st.sampled_from("?12"), st.integers(0, size), st.just(size))
)


@pytest.mark.parametrize("name", PRODUCTS)
@calm
@given(elements=st.lists(an_element, min_size=1, max_size=20), scale=st.integers(1, 1000))
def test_equal_rationals_are_equal_numbers_and_others_are_not(
    name: str, elements: list[tuple[str, int, int]], scale: int
) -> None:
    e, rsize, size = elements[0]
    elements = [*elements, (e, rsize * scale, size * scale)]
    exact = [PRODUCTS[name][e] * Fraction(rsize, size) for e, rsize, size in elements]
    found = values(name, highlighted(*elements))
    assert found == [float(value) for value in exact]
    assert len(set(found)) == len(set(exact))


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        ("gen5", ("1", 2, 3), ("2", 7, 21)),
        ("gen5", ("2", 3, 20), ("1", 3, 10)),
        ("genLifted", ("2", 1, 10), ("?", 3, 10)),
        ("genLifted", ("1", 7, 10), ("2", 14, 30)),
    ],
)
def test_ties_across_exhaustivity_are_ties(
    name: str, one: tuple[str, int, int], other: tuple[str, int, int]
) -> None:
    first, second = values(name, highlighted(one, other))
    assert first == second > 0


# Binary ones tell relevant from not relevant and nothing more.


def test_the_binary_ones_are_those_with_values_0_and_1_only() -> None:
    found = {name: set(table.values()) for name, table in TABLES_2002.items()}
    found |= {name: {v for row in table.values() for v in row} for name, table in TABLES_2004.items()}
    found |= {name: {v for row in table.values() for v in row} for name, table in TABLES_2005.items()}
    for name, numbers in found.items():
        if numbers != {0}:
            assert parse_quantisation(name).kind.binary == (numbers <= {0, 1}), name


# Names.


@pytest.mark.parametrize("name", [*TABLES_2002, *TABLES_2004, *TABLES_2005, "gen", "strict"])
def test_names_read_back(name: str) -> None:
    read = parse_quantisation(name)
    assert str(read) == name
    assert parse_quantisation(f"  {name} ") == read


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("binExh( min_size = 50 )", "binExh(min_size=50)"),
        ("binExh(min_size=050)", "binExh(min_size=50)"),
        ("binExh()", "binExh"),
        ("spec6 (links=out)", "spec6(links=out)"),
    ],
)
def test_names_are_printed_in_one_way(written: str, name: str) -> None:
    assert str(parse_quantisation(written)) == name


@pytest.mark.parametrize(
    ("short", "scale", "name"),
    [
        ("strict", "2002", "strict2"),
        ("strict", "2004", "strict4"),
        ("strict", "2005", "strict5"),
        ("gen", "2002", "gen2"),
        ("gen", "2004", "gen4"),
        ("gen", "2005", "gen5"),
        ("genLifted", "2005", "genLifted"),
        ("binExh(min_size=9)", "2005", "binExh(min_size=9)"),
    ],
)
def test_short_names_mean_the_one_of_the_scale(short: str, scale: Scale, name: str) -> None:
    assert str(parse_quantisation(short).for_scale(scale)) == name


@pytest.mark.parametrize(
    ("name", "scale", "its_years", "these", "fitting"),
    [
        ("gen5", "2004", "2005-2006", "2003-2004", [*TABLES_2004]),
        ("spec6(links=out)", "2002", "2005-2006", "2002", [*TABLES_2002]),
        ("sog", "2005", "2003-2004", "2005-2006", [name for name in TABLES_2005 if "(" not in name]),
        ("strict2", "2004", "2002", "2003-2004", [*TABLES_2004]),
    ],
)
def test_a_quantisation_for_another_scale_is_refused_with_the_fitting_ones(
    name: str, scale: Scale, its_years: str, these: str, fitting: list[str]
) -> None:
    with pytest.raises(UsageError) as refusal:
        parse_quantisation(name).for_scale(scale)
    message = str(refusal.value)
    assert (
        f"quantisation {name} is for judgements of {its_years}, these are of {these}; for them: " in message
    )
    listed = message.partition("for them: ")[2].rstrip(".").split(", ")
    assert sorted(listed) == sorted(fitting)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("gen6", "unknown quantisation 'gen6'"),
        ("genlifted", "did you mean 'genLifted'"),
        ("", "unknown quantisation ''"),
        ("binExh(min_size=3", "unknown quantisation"),
        ("gen5(min_size=3)", "unknown option of quantisation gen5 'min_size'"),
        ("binExh(least=3)", "unknown option of quantisation binExh 'least'. Known: min_size"),
        (
            "binExh(min_size=few)",
            "'min_size=few' of quantisation binExh is not understood; write min_size=NUMBER",
        ),
        ("binExh(min_size=-1)", "write min_size=NUMBER"),
        ("binExh(min_size=1.5)", "write min_size=NUMBER"),
        ("binExh(min_size)", "write min_size=NUMBER"),
        ("spec6(links=maybe)", "unknown links of quantisation spec6 'maybe'"),
    ],
)
def test_wrong_names_are_refused(name: str, message: str) -> None:
    with pytest.raises((UnknownNameError, UsageError)) as refusal:
        parse_quantisation(name)
    assert message in str(refusal.value)


# One's own, from a file.


def own(folder: Path, text: str) -> str:
    file = folder / "own.toml"
    file.write_text(text, encoding="utf-8")
    return str(file)


def test_ones_own_for_letters(tmp_path: Path) -> None:
    name = own(tmp_path, 'scale = "2002"\n[values]\n"3,E" = 1\n"2, L" = 0.4\n"1,S" = 0.2\n')
    assert values(name, pairs_of_2002("3E", "2L", "1S", "2E", "0N")) == [1, 0.4, 0.2, 0, 0]


def test_ones_own_for_grades(tmp_path: Path) -> None:
    name = own(tmp_path, 'scale = "2004"\n[values]\n"3,3" = 10\n"3, 1" = 0.3\n')
    assert values(name, pairs_of_2004((3, 3), (3, 1), (1, 3), (0, 0))) == [10, 0.3, 0, 0]


def test_ones_own_for_highlights_has_factors_of_specificity(tmp_path: Path) -> None:
    name = own(tmp_path, 'scale = "2005"\n[values]\n"2" = 4\n"?" = 0.5\n')
    found = values(name, highlighted(("2", 1, 4), ("2", 4, 4), ("?", 1, 2), ("1", 4, 4), ("0", 4, 4)))
    assert found == [1, 4, 0.25, 0, 0]


@pytest.mark.parametrize("entries", ['"2,1" = 5\n"2" = 1', '"2" = 1\n"2,1" = 5'], ids=["first", "last"])
def test_ones_own_for_highlights_may_single_out_the_wholly_relevant(entries: str, tmp_path: Path) -> None:
    name = own(tmp_path, f'scale = "2005"\n[values]\n{entries}\n"?,1" = 3\n')
    found = values(name, highlighted(("2", 1, 4), ("2", 4, 4), ("?", 4, 4), ("?", 3, 4), ("2", 0, 0)))
    assert found == [0.25, 5, 3, 0, 0]


@pytest.mark.parametrize(
    ("text", "binary"),
    [
        ('scale = "2004"\n[values]\n"3,3" = 1\n"3,2" = 1\n"1,1" = 0', True),
        ('scale = "2004"\n[values]\n"3,3" = 1\n"3,2" = 0.5', False),
        ('scale = "2005"\n[values]\n"2,1" = 1', True),
        ('scale = "2005"\n[values]\n"2" = 1', False),
    ],
)
def test_whether_ones_own_is_binary_is_seen_from_its_values(text: str, binary: bool, tmp_path: Path) -> None:
    assert parse_quantisation(own(tmp_path, text)).kind.binary is binary


PAIRS_2004 = [(0, 0), *((e, s) for e in (1, 2, 3) for s in (1, 2, 3))]


@calm
@given(
    table=st.dictionaries(st.sampled_from(PAIRS_2004), st.integers(0, 64).map(lambda n: n / 64), min_size=1)
)
def test_ones_own_table_is_looked_up_as_written(
    tmp_path_factory: pytest.TempPathFactory, table: dict[tuple[int, int], float]
) -> None:
    entries = "\n".join(f'"{e},{s}" = {value}' for (e, s), value in table.items())
    name = own(tmp_path_factory.getbasetemp(), f'scale = "2004"\n[values]\n{entries}\n')
    assert values(name, pairs_of_2004(*PAIRS_2004)) == [table.get(pair, 0) for pair in PAIRS_2004]


def test_ones_own_is_refused_on_another_scale(tmp_path: Path) -> None:
    name = own(tmp_path, 'scale = "2004"\n[values]\n"3,3" = 1\n')
    with pytest.raises(
        UsageError, match="is for judgements of 2003-2004, these are of 2005-2006; for them: "
    ):
        parse_quantisation(name).for_scale("2005")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        pytest.param("scale = 2004 = 3", "is not TOML", id="not TOML"),
        pytest.param('[values]\n"3,3" = 1', "does not hold a quantisation", id="no scale"),
        pytest.param(
            'scale = "2003"\n[values]\n"3,3" = 1', "does not hold a quantisation", id="no such scale"
        ),
        pytest.param(
            'scale = 2004\n[values]\n"3,3" = 1', "does not hold a quantisation", id="scale a number"
        ),
        pytest.param('scale = "2004"', "does not hold a quantisation", id="no values"),
        pytest.param('scale = "2004"\n[values]', "does not hold a quantisation", id="empty values"),
        pytest.param('scale = "2004"\nvalues = 3', "does not hold a quantisation", id="values no table"),
        pytest.param('scale = "2004"\n[values]\n"3" = 1', "the entry '3' = 1", id="one grade"),
        pytest.param('scale = "2004"\n[values]\n"3,E" = 1', "the entry '3,E' = 1", id="a letter in 2004"),
        pytest.param('scale = "2004"\n[values]\n"x,3" = 1', "the entry 'x,3' = 1", id="not a grade"),
        pytest.param('scale = "2004"\n[values]\n"?,3" = 1', "the entry '?,3' = 1", id="? in 2004"),
        pytest.param('scale = "2004"\n[values]\n"3,3,3" = 1', "the entry '3,3,3' = 1", id="three grades"),
        pytest.param('scale = "2004"\n[values]\n"-1,3" = 1', "the entry '-1,3' = 1", id="negative grade"),
        pytest.param('scale = "2002"\n[values]\n"3,X" = 1', "the entry '3,X' = 1", id="no such letter"),
        pytest.param('scale = "2002"\n[values]\n"3,3" = 1', "the entry '3,3' = 1", id="a grade in 2002"),
        pytest.param('scale = "2002"\n[values]\n"?,E" = 1', "the entry '?,E' = 1", id="? in 2002"),
        pytest.param('scale = "2005"\n[values]\n"1,2" = 1', "the entry '1,2' = 1", id="specificity of 2"),
        pytest.param('scale = "2005"\n[values]\n"1,E" = 1', "the entry '1,E' = 1", id="a letter in 2005"),
        pytest.param(
            'scale = "2005"\n[values]\n"1," = 1', "the entry '1,' = 1", id="nothing after the comma"
        ),
        pytest.param('scale = "2005"\n[values]\n"" = 1', "the entry '' = 1", id="nothing"),
        pytest.param('scale = "2004"\n[values]\n"3,3" = -1', "the entry '3,3' = -1", id="negative value"),
        pytest.param('scale = "2004"\n[values]\n"3,3" = "1"', "the entry '3,3' = '1'", id="text"),
        pytest.param('scale = "2004"\n[values]\n"3,3" = true', "the entry '3,3' = True", id="truth"),
        pytest.param('scale = "2004"\n[values]\n3.3 = 1', "the entry '3' = {'3': 1}", id="no quotes"),
    ],
)
def test_mistakes_in_ones_own_are_said_with_the_file_and_an_example(
    text: str, problem: str, tmp_path: Path
) -> None:
    name = own(tmp_path, text)
    with pytest.raises(InputError) as refusal:
        parse_quantisation(name)
    assert refusal.value.file == name
    assert refusal.value.problem.startswith(problem)
    assert refusal.value.fix == 'Write scale = "2004" and [values] with entries such as "3,3" = 1.'


def test_ones_own_must_be_text(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_bytes(b'scale = "\xff"')
    with pytest.raises(InputError, match="is not TOML"):
        parse_quantisation(str(file))


def test_ones_own_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"own\.toml: no such file"):
        parse_quantisation(str(tmp_path / "own.toml"))


# A plug-in of one file.


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a test register quantisations that the others do not see."""
    monkeypatch.setattr(quantisations, "_entries", {name: quantisations[name] for name in quantisations})


@pytest.mark.usefixtures("registry")
def test_a_plug_in_is_one_function() -> None:
    @quantisation("squared", "2005", at_least=0, of=("relevant", "all"))
    def squared(elements: GradedElements, at_least: int = 0, of: str = "relevant") -> Floats:
        """s², from a size on."""
        relevant = (elements.size >= at_least) & ((elements.exhaustivity != 0) | (of == "all"))
        return np.where(relevant, (elements.rsize / elements.size) ** 2, 0.0)

    elements = highlighted(("2", 1, 2), ("0", 1, 2), ("?", 2, 4))
    assert values("squared", elements) == [0.25, 0, 0.25]
    assert values("squared(at_least=3)", elements) == [0, 0, 0.25]
    assert values("squared(of=all)", elements) == [0.25, 0.25, 0.25]
    assert parse_quantisation("squared").kind.doc == "s², from a size on."
    with pytest.raises(UsageError, match=r"for them: .*genLifted.*, squared"):
        parse_quantisation("sog").for_scale("2005")
    with pytest.raises(ValueError, match="two quantisations are called 'squared'"):
        quantisation("squared", "2005")(squared)


@pytest.mark.parametrize(
    "text", ["binExh(min_size=²)", "binExh(min_size=1,min_size=2)", f"binExh(min_size={'9' * 5000})"]
)
def test_options_that_make_no_sense_are_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_quantisation(text)


@pytest.mark.parametrize(
    "content",
    [
        'scale = ["2004"]\n[values]\n"3,3" = 1\n',
        'scale = "2004"\n[values]\n"²,3" = 1\n',
        'scale = "2004"\n[values]\n"7,3" = 1\n',
        'scale = "2002"\n[values]\n"3" = 1\n',
        'scale = "2002"\n[values]\n"3,SL" = 1\n',
        'scale = "2005"\n[values]\n"2,0" = 1\n',
        'scale = "2004"\n[values]\n"3,3" = nan\n',
        'scale = "2004"\n[values]\n"3,3" = inf\n',
    ],
)
def test_a_table_of_ones_own_is_read_strictly(content: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(content)
    with pytest.raises(InputError, match=r"mine\.toml"):
        parse_quantisation(str(file))


def test_decimal_factors_are_rounded_once(tmp_path: Path) -> None:
    """3/10 and 9/30 are the same specificity, so their tenths are the same value."""
    file = tmp_path / "mine.toml"
    file.write_text('scale = "2005"\n[values]\n"2" = 0.1\n')
    builder = JudgementsBuilder()
    builder.add("1", "A")
    for path, size, rsize in (("/a[1]", 30, 9), ("/a[1]/p[1]", 10, 3)):
        builder.add_element("1", "A", ElementGrade(path, 2, -1, size, rsize), "2005")
    elements = builder.build().elements
    assert elements is not None
    first, second = Quantisation(str(file)).values(elements)
    assert first == second


@pytest.mark.parametrize(
    "text",
    [
        f'scale = "2004"\n[values]\n"3,3" = {"1" * 5000}\n',
        f'scale = "2004"\n[values]\n"3,3" = 0x{"f" * 5000}\n',
        f'scale = "2004"\n[values]\n"3,3" = {"[" * 3000}\n',
        'scale = "2004"\n[values]\n"3,3" = 1e9\n',
        'scale = "2004"\n[values]\n"3,3" = nan\n',
    ],
)
def test_numbers_out_of_all_proportion_are_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError, match=r"is not TOML|is not understood"):
        parse_quantisation(own(tmp_path, text))


def test_a_factor_with_many_digits_does_not_overflow(tmp_path: Path) -> None:
    third = own(tmp_path, 'scale = "2005"\n[values]\n"1" = 0.3333333333333333\n')
    elements = graded("2005", [(1, -1, 2_000_000, 1_000_000)])
    assert values(third, elements) == pytest.approx([1 / 6], rel=1e-15)
