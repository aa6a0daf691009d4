"""Every model against brute force; phrases, signs, limits, ties; whole articles against bm25s."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path

import bm25s
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.errors import UnknownNameError, UsageError
from inexlab.index.analysis.words import tokens, words
from inexlab.index.build import build_index
from inexlab.index.index import Index, open_index
from inexlab.retrieval.candidates import Candidates
from inexlab.retrieval.model import Model, Statistics, Weighting, models, parse_weighting
from inexlab.retrieval.searching import search_articles, search_elements
from inexlab.retrieval.terms import query_terms
from inexlab.tables import Floats
from tests.examples import examples
from tests.oracles.elements import MODELS, score_units, weights
from tests.retrieval.trees import STOP, corpus_of, described, documents, indexed, of_elements, queries, terms

ARTICLES = Path(__file__).parents[2] / "src" / "inexlab" / "handbook" / "articles"


def candidate(frequency: list[int], length: int, different: int) -> Candidates:
    """Return one unit that is the only one of its document."""
    one = np.zeros(1, dtype=np.int32)
    return Candidates(
        one.astype(np.int64),
        one,
        np.array([frequency], dtype=np.int32),
        one - 1,
        one,
        one + length,
        one + different,
    )


def statistics(units_with: list[float], weight: list[float], **known: float) -> Statistics:
    return Statistics(
        units=int(known.get("units", 100)),
        mean_length=known.get("mean_length", 4.0),
        mean_terms=known.get("mean_terms", 10.0),
        tokens=int(known.get("tokens", 1000)),
        units_with=np.array(units_with),
        frequency=np.array(units_with) * 2,
        weight=np.array(weight),
    )


def test_lnu_ltu_equals_the_worked_example() -> None:
    """An element with xml three times and retrieval once, slope .2, pivot 10; N = 100, n = 5."""
    lnu_ltu = parse_weighting("lnu-ltu(slope=0.2,pivot=10)")
    assert lnu_ltu(candidate([3], 4, 2), statistics([5], [1]))[0] == pytest.approx(0.0539073, abs=5e-8)
    # the Lnu weights alone: ltu of a term with ln(N/n) = 1 and its normaliser taken away
    ltu = 1 / (0.8 * 10 + 0.2 * 1)
    for tf, weight in ((3, 0.1475565), (1, 0.0703114)):
        score = lnu_ltu(candidate([tf], 4, 2), statistics([100 / math.e], [1]))[0]
        assert score / ltu == pytest.approx(weight, abs=5e-8)


def test_the_pivot_is_that_of_the_collection_unless_given() -> None:
    one, known = candidate([3], 4, 2), statistics([5], [1], mean_terms=7.5)
    assert parse_weighting("lnu-ltu")(one, known) == parse_weighting("lnu-ltu(pivot=7.5)")(one, known)


def test_a_term_in_every_unit_weighs_nothing_in_lnu_ltu() -> None:
    assert parse_weighting("lnu-ltu")(candidate([3], 4, 2), statistics([100], [1]))[0] == 0


@pytest.mark.parametrize("model", MODELS)
@examples(10)
@given(texts=documents(), query=queries())
def test_every_model_equals_brute_force(model: str, texts: list[str], query: str) -> None:
    corpus = corpus_of(*texts)
    expected = score_units(corpus, weights(terms(query), STOP), model)
    with indexed(*texts) as index:
        assert index.units == len(corpus.units)
        ranking = search_elements(index, terms(query), parse_weighting(model))
        found = of_elements(corpus, ranking)
    assert set(found) == set(expected)
    assert ranking.score.tolist() == pytest.approx([expected[e] for e in found], rel=1e-9, abs=1e-12)
    keys = list(zip((-ranking.score).tolist(), ranking.element.tolist(), strict=True))
    assert keys == sorted(keys)


@examples(12)
@given(texts=documents(), query=queries(), parameters=st.sampled_from([
    "bm25(k1=0,b=0)", "bm25(k1=2,b=1)", "lnu-ltu(slope=0.7,pivot=3)", "lm-dirichlet(mu=3,article=0.5)",
    "lm-jm(element=0.1,article=0.8)", "gpx(k=2,one=0.9,many=0.1)",
]))  # fmt: skip
def test_parameters_are_those_of_the_formulas(texts: list[str], query: str, parameters: str) -> None:
    corpus = corpus_of(*texts)
    weighting = parse_weighting(parameters)
    expected = score_units(corpus, weights(terms(query), STOP), weighting.model.name, **weighting.parameters)
    with indexed(*texts) as index:
        ranking = search_elements(index, terms(query), weighting)
    got = dict(zip(of_elements(corpus, ranking), ranking.score.tolist(), strict=True))
    assert got == pytest.approx(expected, rel=1e-9, abs=1e-12)


@examples(12)
@given(texts=documents(), query=queries(), limit=st.integers(1, 12))
def test_a_limit_keeps_the_beginning(texts: list[str], query: str, limit: int) -> None:
    with indexed(*texts) as index:
        whole = search_elements(index, terms(query), parse_weighting("bm25"))
        part = search_elements(index, terms(query), parse_weighting("bm25"), limit=limit)
    assert part.element.tolist() == whole.element[:limit].tolist()
    assert part.score.tolist() == whole.score[:limit].tolist()


@pytest.mark.parametrize("model", [*MODELS, "lm-dirichlet(article=0.3)"])
def test_compiled_or_not_scores_are_the_same_to_the_last_digit(
    model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or a topic's scores would depend on how many others were searched for before."""
    build_index([(f.stem, f.name, f.read_bytes()) for f in ARTICLES.glob("*.xml")], tmp_path / "index")
    index = open_index(tmp_path / "index")
    for query in ('overlap of elements -score "unseen text"', "relevant assessors agree pool topic system"):
        scores = []
        for way in ("always", "never"):
            monkeypatch.setenv("INEXLAB_COMPILED", way)
            scores.append(search_elements(index, terms(query), parse_weighting(model)).score.tolist())
        assert scores[0] == scores[1]


def test_ties_are_broken_by_the_order_of_the_collection() -> None:
    with indexed("<r><p>wax</p><p>bee</p><p>bee</p></r>", "<r><p>bee</p><p>wax</p></r>") as index:
        ranking = search_elements(index, terms("bee"), parse_weighting("bm25"))
        assert described(index, ranking)[:3] == [
            ("d0", "/r[1]/p[2]"),
            ("d0", "/r[1]/p[3]"),
            ("d1", "/r[1]/p[1]"),
        ]
        assert len(set(ranking.score[:3].tolist())) == 1
        two = search_elements(index, terms("bee"), parse_weighting("bm25"), limit=2)
        assert described(index, two) == [("d0", "/r[1]/p[2]"), ("d0", "/r[1]/p[3]")]


# --- whole articles ----------------------------------------------------------------------------------


def test_bm25_of_articles_equals_bm25s(tmp_path: Path) -> None:
    files = sorted(ARTICLES.glob("*.xml"))
    build_index([(f.stem, f.name, f.read_bytes()) for f in files], tmp_path / "index")
    index = open_index(tmp_path / "index")
    # the same tokens: those that the index has, document by document
    row = np.empty(index.tokens, dtype=np.int64)
    for number in range(len(index.terms)):
        row[index.positions(number)] = number
    borders = index.document_tokens.tolist()
    names = [[index.terms[t] for t in row[a:b].tolist()] for a, b in pairwise(borders)]
    peer = bm25s.BM25(k1=1.2, b=0.75, method="lucene", dtype="float64")
    peer.index(names, show_progress=False)
    for query in ("overlap", "best entry point score", "pool documents judged relevance", "bootstrap"):
        ranking = search_articles(index, terms(query), parse_weighting("bm25"))
        words_of_query = [name for name in query.split() if name in query_terms(index, terms(query)).names]
        expected = peer.get_scores(index.analyser.terms(words_of_query, "en"))
        got = np.zeros(len(files))
        got[ranking.document] = ranking.score
        assert got == pytest.approx(expected, abs=1e-6)
        assert len(ranking) == np.count_nonzero(expected)


# --- terms -------------------------------------------------------------------------------------------


def test_phrases_are_neighbours_in_one_element() -> None:
    with indexed(
        "<r><p>bee dance</p><p>dance bee</p><p>bee</p><p>dance</p></r>",  # across a border: no phrase
        "<r><p>bee of the dance</p><p>bee <i>dance</i></p><p>bee<q/> dance</p><p>bee, wax dance</p></r>",
        "<r>bee</r>",
        "<r>dance</r>",  # nor from one document to the next
    ) as index:
        found = query_terms(index, terms('"bee dance"'))
        assert found.names == ("bee", "dance", "bee dance")
        assert found.frequency.tolist() == [8, 8, 3]
        around = [described_position(index, at) for at in found.positions[2].tolist()]
        assert around == [("d0", 0), ("d1", 4), ("d1", 6)]
        # the units that hold the phrase: three paragraphs, two documents
        assert found.units_with[2] == 5
        # stop words have their places
        found = query_terms(index, terms('"bee of the dance"'))
        assert found.names == ("bee", "dance", "bee of the dance")
        assert found.frequency.tolist() == [8, 8, 1]


def described_position(index: Index, at: int) -> tuple[str, int]:
    """Return the document of a position, and its place in it."""
    document = int(np.searchsorted(index.document_tokens, at, side="right")) - 1
    return index.documents[document], at - int(index.document_tokens[document])


def test_a_wanted_term_counts_twice_and_an_unwanted_one_against() -> None:
    with indexed("<r><p>bee wax</p><p>bee hive</p><p>bee queen</p></r>") as index:

        def paragraphs(query: str) -> list[str]:
            ranking = search_elements(index, terms(query), parse_weighting("bm25"))
            return [path for _, path in described(index, ranking) if "p" in path]

        assert paragraphs("bee wax +hive")[:2] == ["/r[1]/p[2]", "/r[1]/p[1]"]
        assert paragraphs("bee +wax hive")[:2] == ["/r[1]/p[1]", "/r[1]/p[2]"]
        assert paragraphs("bee -wax") == ["/r[1]/p[2]", "/r[1]/p[3]", "/r[1]/p[1]"]  # last, but there
        assert paragraphs("wax -bee") == ["/r[1]/p[1]"]  # what has unwanted terms alone is not an answer
        assert paragraphs("-wax") == []


@pytest.mark.parametrize("model", MODELS)
def test_an_unwanted_phrase_is_nothing_against_its_words(model: str) -> None:
    with indexed("<r><p>bee wax</p><p>wax bee</p><p>hive</p></r>") as index:

        def paragraphs(query: str) -> list[str]:
            ranking = search_elements(index, terms(query), parse_weighting(model))
            return [path for _, path in described(index, ranking) if "p" in path]

        assert query_terms(index, terms('hive -"bee wax"')).names == ("hive", "bee wax")
        assert paragraphs('bee -"bee wax"') == ["/r[1]/p[2]", "/r[1]/p[1]"]
        assert query_terms(index, terms('bee -"of the bee"')).names == ("bee",)


def test_a_word_of_two_tokens_is_a_phrase() -> None:
    with indexed("<r><p>x-ray</p><p>x ray</p><p>ray x</p></r>") as index:
        assert query_terms(index, terms("x-ray")).names == ("x", "ray", "x ray")
        assert query_terms(index, terms("ray -x-ray")).names == ("ray", "x ray")
        assert query_terms(index, terms("ray's")).names == ("ray",)
        ranking = search_elements(index, terms("ray -x-ray"), parse_weighting("bm25"))
        assert described(index, ranking)[0] == ("d0", "/r[1]/p[3]")


@pytest.mark.parametrize("model", MODELS)
def test_unwanted_terms_never_raise_a_score(model: str) -> None:
    text = "<r><p>bee hive</p><p>bee wax</p>" + "<p>wax wax</p>" * 5 + "</r>"
    with indexed(text) as index:
        ranking = search_elements(index, terms("bee -wax"), parse_weighting(model))
        paragraphs = [path for _, path in described(index, ranking) if "p" in path]
    assert paragraphs == ["/r[1]/p[1]", "/r[1]/p[2]"]


@pytest.mark.parametrize("query", ["unheardof", "the of", "the"])
@pytest.mark.parametrize("model", MODELS)
def test_a_query_without_an_indexed_word_finds_nothing(query: str, model: str) -> None:
    with indexed("<r>the bee</r>") as index:
        assert len(search_elements(index, terms(query), parse_weighting(model))) == 0
        assert len(search_articles(index, terms(query), parse_weighting(model))) == 0


def test_an_index_without_any_word_can_be_searched() -> None:
    with indexed("<r><p/></r>") as index:
        assert len(search_elements(index, terms("bee"), parse_weighting("bm25"))) == 0
        assert len(search_articles(index, terms("bee"), parse_weighting("lnu-ltu"))) == 0


def test_words_are_cut_as_the_index_cuts_them() -> None:
    text = "Ελληνική ΟΔΟΣ, naïve H2O\u00a0İ ﬁ e\u0301te 中文 x_y " + "long" * 14
    with indexed(f"<r>{text}</r>", stop_words="none") as index:
        assert sorted(index.terms) == sorted(set(tokens(text)))
    assert [text[word.start : word.end] for word in words(text)][:4] == ["Ελληνική", "ΟΔΟΣ", "naïve", "H2O"]


# --- names of models ---------------------------------------------------------------------------------


def test_names_of_models() -> None:
    assert sorted(models) == sorted(MODELS)
    assert str(parse_weighting("bm25(k1=0.9, b=0.75)")) == "bm25(k1=0.9)"
    assert str(parse_weighting("lm-jm()")) == "lm-jm"
    assert all(model.doc for model in models.values())


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("bm52", "unknown retrieval model 'bm52'; did you mean 'bm25'?"),
        ("bm25(k=1)", "unknown parameter of bm25 'k'; did you mean 'k1'?"),
    ],
)
def test_unknown_names(name: str, complaint: str) -> None:
    with pytest.raises(UnknownNameError, match=complaint.replace("?", r"\?")):
        parse_weighting(name)


@pytest.mark.parametrize(
    "name", ["bm25(k1=1", "bm25(k1=x)", "bm25(k1)", "bm25(k1=nan)", "bm25(k1=inf)", "a b", ""]
)
def test_malformed_models(name: str) -> None:
    with pytest.raises(UsageError):
        parse_weighting(name)


@pytest.mark.parametrize(
    "name",
    [
        "bm25(k1=-1)",
        "bm25(b=2)",
        "lnu-ltu(slope=2)",
        "lnu-ltu(pivot=-1)",
        "lnu-ltu(slope=-1)",
        "lm-jm(element=0.9)",
        "lm-jm(element=1)",
        "lm-jm(element=0,article=0)",
        "lm-dirichlet(mu=0)",
        "lm-dirichlet(article=1)",
        "gpx(k=0)",
        "gpx(k=-1)",
        "gpx(one=-0.1)",
        "gpx(many=1.1)",
    ],
)
def test_parameters_out_of_range(name: str) -> None:
    with pytest.raises(UsageError, match=f"{name.partition('(')[0]}: .* must be"):
        parse_weighting(name)  # before anything is searched


@pytest.mark.parametrize("compiled", ["always", "never"])
@pytest.mark.parametrize("name", ["lm-dirichlet(mu=1e-320)", "gpx(k=1e308)"])
def test_scores_that_are_no_numbers(name: str, compiled: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INEXLAB_COMPILED", compiled)
    with indexed("<r>bee wax hive</r>", "<r>bee</r>") as index, pytest.raises(UsageError, match="not finite"):
        search_elements(index, terms("bee wax hive"), parse_weighting(name))


def test_a_model_from_outside_may_keep_and_change_what_it_is_given() -> None:
    """Candidates are buffers that the next query overwrites; models of others get copies."""
    seen: list[tuple[Candidates, Statistics]] = []

    def greedy(candidates: Candidates, statistics: Statistics) -> Floats:
        seen.append((candidates, statistics))
        return candidates.length.astype(np.float64)

    def destructive(candidates: Candidates, statistics: Statistics) -> Floats:
        scores = candidates.frequency @ statistics.weight
        for column in (candidates.element, candidates.document, candidates.frequency, statistics.weight):
            column.fill(0)
        return np.asarray(scores)

    keeping, ruining = (Weighting(Model(f.__name__, f), {}) for f in (greedy, destructive))
    with indexed("<r><p>bee wax</p></r>", "<r><p>hive hive</p><p>hive</p></r>") as index:
        expected = described(index, search_elements(index, terms("hive"), parse_weighting("bm25")))
        search_elements(index, terms("bee"), keeping)
        [(first, statistics)] = seen
        kept = [first.element.tolist(), first.frequency.tolist(), statistics.weight.tolist()]
        search_elements(index, terms("hive"), ruining)
        assert [first.element.tolist(), first.frequency.tolist(), statistics.weight.tolist()] == kept
        assert described(index, search_elements(index, terms("hive"), parse_weighting("bm25"))) == expected
        documents_found = search_elements(index, terms("hive"), ruining).document.tolist()
        assert documents_found == [1] * len(documents_found) != []
