"""What models offer to bound units by: whatever unit there can be, it scores no more."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.retrieval.candidates import Candidates
from inexlab.retrieval.engine import make_engine
from inexlab.retrieval.model import Model, Statistics, Weighting, models, parse_weighting
from inexlab.retrieval.offers import bounds, classes_of_lengths, element_classes
from inexlab.tables import Floats
from inexlab.topics.nexi import parse_nexi
from tests.examples import examples
from tests.retrieval.test_pruning import the_same
from tests.retrieval.trees import indexed

TOKENS = 170_000
BOUNDED = (
    "bm25", "bm25(k1=0,b=0)", "bm25(k1=2,b=1)", "lm-jm", "lm-dirichlet(mu=3,article=0.5)", "lnu-ltu",
    "lnu-ltu(pivot=30)", "lnu-ltu(slope=0.9,pivot=2)", "steep",
)  # fmt: skip


def steep(c: Candidates, s: Statistics) -> Floats:
    """A model that falls as fast with the length as it rises: where both grow, scores fall."""
    scores: Floats = (s.weight * np.log1p(c.frequency)).sum(axis=1) / c.length
    return scores


@pytest.fixture(autouse=True, scope="module")
def plug_in() -> Iterator[None]:
    models.add("steep", Model("steep", steep, bound=steep))
    yield
    del models._entries["steep"]
    models._foreign.remove("steep")


def statistics(units_with: float = 5000.0) -> Statistics:
    one = np.ones(1)
    return Statistics(25_000, 20.0, 30.0, TOKENS, units_with * one, 6000.0 * one, one)


def unit(often: int, length: int, different: int, article: tuple[int, int]) -> Candidates:
    """A unit that has a term so often, in an article that has it at least as often, and is as long."""
    of_article, tokens = article
    column = [
        np.array([number], dtype=np.int32) for number in (0, often, -1, 0, length, different, of_article)
    ]
    document, frequency, parent, root, lengths, terms, in_article = column
    return Candidates(
        np.zeros(1, dtype=np.int64),
        document,
        frequency[:, None],
        parent,
        root,
        lengths,
        terms,
        in_article[:, None],
        np.array([tokens], dtype=np.int32),
    )


def bound_of(weighting: Weighting, length: int, often: int, *, cut: bool = False) -> tuple[float, float]:
    """Return what bounds a unit, in whatever article, and what its rounding is made up by."""
    classes = element_classes(TOKENS)
    if cut:  # where units have fewer tokens with a term than they reach over
        lengths = np.array([2, 5, length, length + 3])
        classes = classes_of_lengths(lengths, 2 * lengths)
    offered = bounds(weighting, statistics(), classes)
    assert offered is not None
    tables = offered.tables
    value = tables.value.reshape(len(tables.widest), 1, tables.levels, tables.frequencies)
    which = classes.of[min(length, len(classes.of) - 1)]
    return float(value[which, 0, -1, min(often, tables.frequencies - 1)]), offered.margin()


@pytest.mark.parametrize("model", BOUNDED)
@examples(30)
@given(data=st.data())
def test_a_unit_scores_no_more_than_its_bound(model: str, data: st.DataObject) -> None:
    """However often it has a term, and however few other words."""
    weighting = parse_weighting(model)
    often = data.draw(st.integers(1, 40) | st.integers(200, 1200) | st.integers(1, TOKENS))
    length = data.draw(st.integers(often, min(2 * often + 40, TOKENS)))
    different = data.draw(st.integers(1, length - often + 1))
    article = data.draw(st.integers(often, TOKENS)), TOKENS
    score = weighting(unit(often, length, different, article), statistics())[0]
    # what has the term fewer times is bounded by what its document has
    more = data.draw(st.integers(often, TOKENS))
    cut = data.draw(st.booleans())
    bound, margin = bound_of(weighting, length, more, cut=cut)
    assert score <= bound + margin


def test_a_long_unit_with_hardly_anything_but_a_word_is_bounded() -> None:
    """What has a word a thousand times scores more by lnu-ltu than what is all that word, and longer."""
    weighting = parse_weighting("lnu-ltu(pivot=30)")
    score = weighting(unit(1000, 1040, 29, (1000, 1040)), statistics())[0]
    assert score <= bound_of(weighting, 1040, 1000)[0]


def test_a_best_unit_with_a_word_a_thousand_times_is_found() -> None:
    words = [f"w{k}x" for k in range(28)]
    few = " ".join(words)
    decoy = f"<r><p>bee bee {few}</p>" + f"<q>bee {few}</q>" * 260 + "</r>"
    big = f"<r><p>{'bee ' * 1000}{few} {' '.join(words[:12])}</p></r>"
    other = "<r>" + "<z>wax</z>" * 20_000 + "</r>"
    with indexed(big, *[decoy] * 20, other) as index:
        engine = make_engine(index, "lnu-ltu(pivot=30)")
        the_same(engine, parse_nexi("bee"), "thorough", "correlation", 1)


def test_the_best_units_of_a_plug_in_with_a_bound_are_found() -> None:
    """It has to rise with the frequency and fall with the length, and that is all."""
    other = "w x y z v"
    often = f"<r><p>bee bee {other}</p>" + f"<q>bee {' '.join([other] * 6)}</q>" * 14 + "</r>"
    best = f"<r><p>{'bee ' * 17}</p>" + f"<q>{' '.join([other] * 9)}</q>" * 3 + "</r>"
    texts = [f"<r><p>{'bee ' * k}</p><p>{'bee ' * (k // 2)} wax</p></r>" for k in (1, 5, 17, 40, 300)]
    with indexed(best, *[often] * 20) as index:
        engine = make_engine(index, "steep")
        the_same(engine, parse_nexi("bee"), "thorough", "correlation", 1)
        assert index.tag(int(engine.answer(parse_nexi("bee"), "thorough", limit=1).element[0])) == "p"
    with indexed(*texts) as index:
        for by in ("elements:*", "passages:400c", "elements:p"):
            for limit in (1, 3, 8):
                engine = make_engine(index, "steep", by=by)
                the_same(engine, parse_nexi("bee wax"), "thorough", "correlation", limit)
