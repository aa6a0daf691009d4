"""The best units, found without scoring all, against all units scored: the same to the last digit."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from inexlab.index.index import Index
from inexlab.retrieval import around, bounding, counting, listing, offers, pruning, searching
from inexlab.retrieval.bounding import BoundTables, Scratch, _slide
from inexlab.retrieval.counting import Counting, counts_of
from inexlab.retrieval.engine import Engine, make_engine
from inexlab.retrieval.offers import Bounds, bounds, element_classes
from inexlab.retrieval.pruning import QueryProfile
from inexlab.retrieval.ranking import Ranking
from inexlab.retrieval.scoring import score_units, statistics_of
from inexlab.retrieval.structure import INTERPRETATIONS
from inexlab.retrieval.tasks import OVERLAPS, TASKS, for_task
from inexlab.retrieval.terms import query_terms
from inexlab.retrieval.unit import units_of
from inexlab.topics.nexi import parse_nexi
from inexlab.topics.query import Query
from tests.examples import examples
from tests.retrieval.trees import documents, indexed, queries, terms

MODELS = (
    "bm25", "bm25(k1=0,b=0)", "bm25(k1=2,b=1)", "lm-jm", "lm-jm(element=0.1,article=0.8)",
    "lm-dirichlet", "lm-dirichlet(mu=3,article=0.5)", "lnu-ltu", "lnu-ltu(slope=0.7,pivot=3)", "gpx",
)  # fmt: skip
UNITS = (
    "elements:*", "elements", "elements:p,a", "articles", "passages:30c", "sentences:2", "windows:3w/1w",
    "windows:12c", "auto",
)  # fmt: skip


def everything(engine: Engine, query: Query, task: str, overlap: str, limit: int) -> Ranking:
    """Return the results of a task from a ranking of all units, every one scored."""
    units = engine.units_for(query)
    ranking = engine.rank(query)
    if engine.distinct_texts and TASKS[task].overlapping and units.are_elements:
        ranking = ranking.at(engine._different(ranking))
    return for_task(engine.index, ranking, task, overlap, limit, units=units)


def the_same(engine: Engine, query: Query, task: str, overlap: str, limit: int) -> None:
    """Check that results are those of scoring everything."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pruning, "WORTH", 0)
        pruned = engine.answer(query, task, overlap, limit)
        for name, number in {"_FIRST": 1, "_STEP": 1, "_GROWTH": 1}.items():
            patch.setattr(pruning, name, number)  # so that few documents are visited in steps, too
        patch.setattr(counting, "_TRIED", 2)
        in_steps = engine.answer(query, task, overlap, limit)
        patch.setattr(listing, "PASS", 1 << 40)  # so that what a target names is listed at once
        patch.setattr(listing, "_LARGEST", 1)
        listed = engine.answer(query, task, overlap, limit)
    as_usual = engine.answer(query, task, overlap, limit)
    whole = everything(engine, query, task, overlap, limit)
    for some in (pruned, in_steps, listed, as_usual):
        assert some.element.tolist() == whole.element.tolist()
        assert some.score.tolist() == whole.score.tolist()
        assert some.document.tolist() == whole.document.tolist()


def structured() -> st.SearchStrategy[str]:
    """Draw NEXI: paths with clauses on any step."""
    tag = st.sampled_from(("a", "b", "p", "*", "(a|p)", "r"))
    clause = st.builds("about({}, {})".format, st.sampled_from((".", ".", ".//p", ".//b")), queries())
    joined = st.lists(clause, min_size=1, max_size=2).flatmap(
        lambda some: st.sampled_from(
            (" and ".join(some), " or ".join(some), f"({some[0]} or {some[-1]}) and {some[0]}")
        )
    )
    step = st.builds("//{}[{}]".format, tag, joined)
    return st.lists(step, min_size=1, max_size=2).map("".join)


DENSE = tuple(f"<r><p>{'bee ' * often}wax</p><a>{'wax ' * (often // 2)}</a></r>" for often in (17, 40, 300))


class Way(NamedTuple):
    """What is asked of an index, and how."""

    query: str
    interpretation: str
    model: str
    by: str
    task: str
    overlap: str
    limit: int
    signs: str
    distinct: bool
    within: tuple[str, ...]
    exclude: tuple[str, ...]
    tags: str
    context: str
    seeds: int

    def check(self, index: Index) -> None:
        """Check that results are those of scoring everything."""
        engine = make_engine(
            index,
            self.model,
            self.interpretation,
            by=self.by,
            signs=self.signs,
            within=self.within,
            exclude=self.exclude,
            tags=self.tags,
            context=self.context,
            seed_documents=self.seeds,
        )
        engine = replace(engine, distinct_texts=self.distinct)
        the_same(engine, parse_nexi(self.query), self.task, self.overlap, self.limit)


def ways() -> st.SearchStrategy[Way]:
    query = queries() | structured()
    return st.builds(
        Way,
        query | query.map(accented),
        st.sampled_from(sorted(INTERPRETATIONS)),
        st.sampled_from(MODELS),
        st.sampled_from(UNITS),
        st.sampled_from(sorted(TASKS)),
        st.sampled_from(sorted(OVERLAPS)),
        st.integers(1, 6),
        st.sampled_from(("hints", "demands")),
        st.booleans(),
        st.sampled_from(((), (), ("//a",), ("p",))),
        st.sampled_from(((), (), ("//b",))),
        st.sampled_from(("", "", "a,p")),
        st.sampled_from(("", "", "section=0.5,article=0.2", "section=3", "article=1")),
        st.sampled_from((0, 0, 2)),
    )


def accented(text: str, often: int = -1) -> str:
    """Write the first so many bees, or all, with an accent."""
    return text.replace("bee", "bée", often)


@examples(8)
@given(
    texts=documents(most=6),
    accents=st.lists(st.integers(-1, 3), min_size=6, max_size=6),
    dense=st.lists(st.sampled_from(DENSE), max_size=2),
    some=st.lists(ways(), min_size=5, max_size=5),
)
def test_results_are_those_of_scoring_everything(
    texts: list[str], accents: list[int], dense: list[str], some: list[Way]
) -> None:
    with indexed(*map(accented, texts, accents), *dense) as index:
        for way in some:
            way.check(index)


FAR = f"<r><p>{'bee ' * 9}</p>{'<p>hive dance</p>' * 20}<p>{'wax ' * 9}</p></r>"
NEAR = f"<r>{'<p>hive dance</p>' * 20}<p>bee wax</p></r>"


@examples(8)
@example(texts=[FAR, FAR, NEAR], model="bm25", by="elements:*", query="bee wax", limit=1)
@example(texts=[FAR, FAR, NEAR], model="bm25", by="sentences:2", query="bee wax", limit=1)
@given(
    texts=documents(most=6),
    model=st.sampled_from(MODELS),
    by=st.sampled_from(UNITS),
    query=queries(),
    limit=st.integers(1, 3),
)
def test_results_are_the_same_where_most_positions_are_worth_a_look(
    texts: list[str], model: str, by: str, query: str, limit: int
) -> None:
    """There positions are told apart no further than by how near the next one is."""
    with indexed(*texts) as index:
        engine = make_engine(index, model, by=by)
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("INEXLAB_COMPILED", "never")
            for module, name, number in (
                (pruning, "WORTH", 0),
                (pruning, "_FIRST", 1),
                (bounding, "_MANY", -1.0),
                (bounding, "_TRY", 1 << 30),
            ):
                patch.setattr(module, name, number)
            pruned = engine.answer(parse_nexi(query), "thorough", limit=limit)
        whole = everything(engine, parse_nexi(query), "thorough", "correlation", limit)
    assert pruned.element.tolist() == whole.element.tolist()
    assert pruned.score.tolist() == whole.score.tolist()


@pytest.mark.parametrize(
    ("by", "query", "texts"),
    [
        ("windows:3w/2w", "bée wax", ["<r>wax bee hive bée wax bee dance</r>", "<r>wax hive dance</r>"]),
        (
            "windows:3w/1w",
            "resume honey",
            ["<r>red résumé blue green resume gold</r>", *["<r>pink lime honey grey</r>"] * 3],
        ),
    ],
)
def test_what_overlaps_is_decided_in_the_order_of_results(by: str, query: str, texts: list[str]) -> None:
    """Of windows with one score the one with more words as they are written excludes others."""
    with indexed(*texts) as index:
        engine = make_engine(index, "bm25", by=by)
        assert len(engine.answer(parse_nexi(query), "focused", limit=2)) == 2
        the_same(engine, parse_nexi(query), "focused", "correlation", 2)
        structured = f"//r[about(., {query})]"
        for interpretation in INTERPRETATIONS:
            engine = make_engine(index, "bm25", interpretation, by=by)
            the_same(engine, parse_nexi(structured), "focused", "correlation", 2)


def test_all_clauses_say_which_words_are_exact() -> None:
    """Also those that it does not take to score the documents that were looked at last."""
    texts = ["<r><a><p>bee wax</p></a></r>", "<r><a><p>bée wax</p></a></r>", *["<r>bee wax</r>"] * 58]
    with indexed(*texts) as index:
        engine = make_engine(index, "bm25", "SSCAS")
        query = parse_nexi("//a[about(., bée)]//p[about(., wax)]")
        assert engine.answer(query, "thorough", limit=16).document.tolist() == [1, 0]
        the_same(engine, query, "thorough", "correlation", 16)


@examples(8)
@given(texts=documents(most=6), query=queries(), model=st.sampled_from(MODELS))
def test_sections_and_articles_score_what_they_do_among_all(texts: list[str], query: str, model: str) -> None:
    with indexed(*texts) as index:
        engine = make_engine(index, model)
        looked_up = query_terms(engine.analyser, terms(query))
        if not len(looked_up):
            return
        articles, sections = (units_of(index, by) for by in ("articles", "elements:a,b,p"))
        every = np.arange(len(index.guide.path))
        where = around.innermost_sections(index, every)
        one_by_one = around.SectionScores(index, looked_up, engine.weighting, QueryProfile())
        together = around._scores_at(sections, looked_up, engine.weighting, where, QueryProfile())
        assert one_by_one.at(where).tolist() == together.tolist()
        roots = index.document_elements[:-1]
        of_articles = around._scores_at(articles, looked_up, engine.weighting, roots, QueryProfile())
        alone = around.article_scores(index, looked_up, engine.weighting, QueryProfile())
        assert alone.tolist() == of_articles.tolist()
        most = one_by_one.most()
        if most is not None:
            documents = np.searchsorted(index.document_elements, every, side="right") - 1
            assert np.all(together <= most[documents])


@pytest.mark.parametrize("context", ["section=0.5", "article=0.5", "section=0.1,article=2"])
@pytest.mark.parametrize(
    "query", ["bee wax", "//p[about(., bee wax)]", "//r[about(., hive)]//a[about(., bee) and about(., wax)]"]
)
def test_what_is_around_units_is_bounded(context: str, query: str) -> None:
    with indexed(*many()) as index, pytest.MonkeyPatch.context() as patch:
        patch.setattr(pruning, "WORTH", 0)
        engine = make_engine(index, "bm25", context=context)
        for limit in (1, 4, 30):
            the_same(engine, parse_nexi(query), "focused", "correlation", limit)
        profile = QueryProfile()
        engine.answer(parse_nexi(query), "thorough", limit=1, profile=profile)
    assert not profile.everything
    if (context, query) == ("article=0.5", "bee wax"):  # sections bound less: any of a document may be around
        assert 0 < profile.scored < 240


@pytest.mark.parametrize("overlap", ["section", "child"])
@pytest.mark.parametrize("task", ["focused", "relevant-in-context"])
def test_what_counts_may_depend_on_all_that_is_in_a_document(overlap: str, task: str) -> None:
    """The best element of a document can be one that is not kept, and none of those kept among the best."""
    with indexed(*many(), *["<r>bee wax <p>bee</p></r>"] * 3) as index:
        engine = make_engine(index, "bm25")
        for limit in (1, 3, 7, 50):
            for query in ("bee wax", "//p[about(., bee wax)]", "//r[about(., hive)]//p[about(., bee)]"):
                the_same(engine, parse_nexi(query), task, overlap, limit)
        profile = profile_of(index, "bee wax", task=task, overlap=overlap)
    assert not profile.everything
    assert 0 < profile.scored < 240


def many(count: int = 120) -> list[str]:
    """Return documents of which few have both words, and near each other in a few only."""
    near = "<r><a><p>bee wax</p></a><b>hive dance queen</b></r>"
    far = "<r><p>bee{}</p>{}<p>wax queen</p></r>"
    return [
        near if k % 20 == 7 else far.format(" hive" * (k % 7 + 3), "<b>dance queen</b>" * (k % 5 + 2))
        for k in range(count)
    ]


def profile_of(
    index: Index,
    query: str,
    model: str = "bm25",
    by: str = "elements:*",
    task: str = "thorough",
    overlap: str = "correlation",
) -> QueryProfile:
    profile = QueryProfile()
    engine = make_engine(index, model, by=by)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pruning, "WORTH", 0)
        engine.answer(parse_nexi(query), task, overlap, limit=1, profile=profile)
    return profile


@pytest.mark.parametrize("by", ["elements:*", "passages:400c"])
@pytest.mark.parametrize("task", ["thorough", "focused", "best-in-context"])
def test_what_cannot_be_among_the_best_is_not_scored(by: str, task: str) -> None:
    with indexed(*many()) as index:
        profile = profile_of(index, "bee wax", by=by, task=task)
    assert not profile.everything
    assert profile.documents == 120
    assert profile.positions == 240
    assert 0 < profile.reached <= profile.scored < 240


@pytest.mark.parametrize("by", ["elements:*", "passages:400c"])
def test_a_word_far_from_others_is_told_apart_where_most_are_near(
    by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three words in five begin what may be among the best; the others need not be looked at."""
    monkeypatch.setattr(pruning, "_FIRST", 1)
    text = "<r><p>bee wax</p><p>bee wax</p>{}<p>bee</p></r>".format("<p>hive dance queen hive</p>" * 150)
    with indexed(*[text] * 40) as index:
        profile = profile_of(index, "bee wax", by=by)
    assert profile.seen == 200
    assert profile.passed <= 5 + 3 * 39


@pytest.mark.parametrize(
    ("query", "interpretation"),
    [
        ("//p[about(., bee) and about(., wax)]", "SVCAS"),
        ("//p[about(., bee) or about(., wax)]", "SSCAS"),
        ("//p[(about(., bee) or about(., wax)) and about(., bee)]", "SVCAS"),
        ("//r[about(., wax)]//p[about(., bee) and about(., wax)]", "SVCAS"),
        ("//r[about(., wax)]//p[about(., bee) and about(., wax)]", "SSCAS"),
    ],
)
def test_clauses_bound_units_together(query: str, interpretation: str) -> None:
    """Not all units are scored that have the words of a clause."""
    with indexed(*many()) as index, pytest.MonkeyPatch.context() as patch:
        patch.setattr(pruning, "WORTH", 0)
        profile, everything = QueryProfile(), QueryProfile()
        engine = make_engine(index, "bm25", interpretation)
        engine.answer(parse_nexi(query), "thorough", limit=1, profile=profile)
        engine.rank(parse_nexi(query), profile=everything)
        the_same(engine, parse_nexi(query), "thorough", "correlation", 1)
    assert not profile.everything
    assert 0 < profile.reached <= profile.scored < everything.scored


def test_a_model_without_a_bound_scores_everything_and_says_so() -> None:
    with indexed(*many()) as index:
        assert profile_of(index, "bee wax", "gpx").everything == "gpx offers no bound"


def test_a_document_whose_root_is_mark_up_has_no_article_to_bound_by() -> None:
    with indexed("<i>bee <p>bee wax</p></i>", "<i>wax <p>bee</p><p>wax</p></i>") as index:
        assert profile_of(index, "bee wax").everything
        the_same(make_engine(index, "lm-jm"), parse_nexi("bee wax"), "thorough", "correlation", 1)


def test_few_positions_are_scored_without_bounds() -> None:
    with indexed(*many()) as index:
        profile = QueryProfile()
        make_engine(index, "bm25").answer(parse_nexi("bee"), "thorough", limit=1, profile=profile)
    assert profile.everything == "there are few positions of its terms"


def test_few_documents_for_many_results_are_scored_without_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pruning, "WORTH", 1)
    monkeypatch.setattr(searching, "_MANY", 1)
    reasons = []
    with indexed(*many()) as index:
        for limit in (60, 61):
            profile = QueryProfile()
            make_engine(index, "bm25").answer(parse_nexi("bee wax"), "thorough", limit=limit, profile=profile)
            reasons.append(profile.everything)
    assert reasons == ["", "there are few documents for so many results"]


def test_what_a_target_names_is_listed_when_it_is_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nested ones, in documents that have many of them, none, or only around or beside the words."""
    monkeypatch.setattr(pruning, "WORTH", 0)
    deep = "<a>bee " * 40 + "wax" + "</a> wax" * 40
    texts = [
        f"<r>{deep}</r>", "<r>bee wax</r>", "<r><a/><p>bee</p><a>wax<a/></a> bee</r>",
        "<r><a><a>bee wax</a></a></r>", "<r>wax <a>hive</a> bee</r>",
        *["<r><p>bee hive dance queen</p><p>wax</p></r>"] * 150,
    ]  # fmt: skip
    with indexed(*texts) as index:
        engine = make_engine(index, "bm25", "SVCAS")
        query = parse_nexi("//a[about(., bee wax)]")
        for _ in range(3):
            for task, limit in (("thorough", 3), ("focused", 5), ("thorough", 100)):
                the_same(engine, query, task, "correlation", limit)
        index.kept.clear()
        scored = []
        monkeypatch.setattr(listing, "PASS", 1)
        monkeypatch.setattr(listing, "_LARGEST", 8)
        for _ in range(3):
            profile = QueryProfile()
            engine.answer(query, "thorough", limit=100, profile=profile)
            scored.append(profile.scored)
        assert scored[0] > scored[-1] == 43
        assert [len(some.element) for some in index.kept["listed"].values()] == [44]


@pytest.mark.parametrize("model", ["bm25", "lm-jm", "lm-dirichlet(mu=3,article=0.5)", "lnu-ltu"])
@pytest.mark.parametrize("by", ["elements:*", "passages:400c"])
def test_what_documents_score_by_other_clauses_is_added_to_their_units(model: str, by: str) -> None:
    """Vaguely a clause above the target is about the document, which moves the border for its units."""
    queries = (
        "//r[about(., hive)]//p[about(., bee wax)]",
        "//r[about(., hive queen) and about(.//b, dance)]//p[about(.//a, bee -wax)]",
        "//r[about(., -hive)]//*[about(., hive) or about(., the)]//p[about(., wax)]",
    )
    with indexed(*many(60)) as index:
        for interpretation in ("SVCAS", "VVCAS"):
            engine = make_engine(index, model, interpretation, by=by)
            for query in queries:
                for limit in (1, 4, 30):
                    the_same(engine, parse_nexi(query), "thorough", "correlation", limit)
        profile = profile_of(index, queries[0], by=by)
    assert not profile.everything
    assert profile.scored < 60


def test_lists_take_no_more_room_than_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pruning, "WORTH", 0)
    monkeypatch.setattr(listing, "PASS", 1 << 40)
    monkeypatch.setattr(listing, "_LARGEST", 4)
    with indexed(*["<r><a>bee</a><b>bee</b><c>bee</c><d>bee wax</d><d/><d/><d/></r>"] * 3) as index:
        engine = make_engine(index, "bm25", "SVCAS")
        sizes = []
        for tag in ("a", "b", "c", "*", "a"):
            query = parse_nexi(f"//{tag}[about(., bee)]")
            the_same(engine, query, "thorough", "correlation", 2)
            known = index.kept["listed"].values()
            sizes.append([None if some is None else len(some.element) for some in known])
    # there is room for six of 24: two lists of three, and none of all
    assert sizes == [[3], [3, 3], [3, 3], [3, 3, None], [3, None, 3]]


@examples(20)
@given(data=st.data(), limit=st.integers(1, 4))
def test_the_best_that_count_are_those_among_all(data: st.DataObject, limit: int) -> None:
    """However few of the best count, and however many have the same score."""
    size = data.draw(st.integers(0, 60))
    scores = np.array(data.draw(st.lists(st.integers(0, 9), min_size=size, max_size=size)), dtype=np.float64)
    document = np.array(data.draw(st.lists(st.integers(0, 3), min_size=size, max_size=size)), dtype=np.int32)
    counted = Counting(lambda some: np.sort(np.unique(some.document, return_index=True)[1]))
    counts = counts_of(counted, lambda _units: None)
    assert counts is not None
    found = sorted(counts.likely(np.arange(size), document, scores, limit), reverse=True)
    best = sorted((scores[document == d].max() for d in set(document.tolist())), reverse=True)
    assert found[:limit] == best[:limit]


def test_a_document_is_visited_once() -> None:
    with indexed(*many()) as index, pytest.MonkeyPatch.context() as patch:
        patch.setattr(pruning, "_ROOM", 1)
        profile = profile_of(index, "bee wax")
    assert profile.visited <= profile.documents


def test_units_with_equal_scores_at_the_border_are_all_found() -> None:
    """Or their order, by exact words and then by the collection, would depend on what was visited first."""
    texts = [f"<r><p>{'bée' if k % 9 == 5 else 'bee'} wax</p></r>" for k in range(40)]
    with indexed(*texts) as index:
        for limit in (1, 3, 5, 39):
            the_same(make_engine(index, "bm25"), parse_nexi("bée wax"), "thorough", "correlation", limit)


@pytest.mark.parametrize("model", [model for model in MODELS if model != "gpx"])
@examples(3)
@given(texts=documents(), query=queries())
def test_no_unit_scores_more_than_its_bound(model: str, texts: list[str], query: str) -> None:
    """The promise of a model: the sum of its terms' bounds, for the class of lengths that a unit is in."""
    with indexed(*texts) as index:
        engine = make_engine(index, model)
        looked_up = query_terms(engine.analyser, terms(query))
        found, scores = score_units(engine.units, looked_up, engine.weighting, unwanted_alone=True)
        if not len(found):
            return
        classes = element_classes(index.longest_document)
        statistics = statistics_of(engine.units, looked_up, looked_up.units_with)
        offered = bounds(engine.weighting, statistics, classes)
        assert offered is not None
        tables = offered.tables
        shape = (len(tables.widest), len(looked_up), tables.levels, tables.frequencies)
        value = tables.value.reshape(shape)
        for c in range(len(found)):
            which = int(np.searchsorted(classes.least, found.length[c], side="right")) - 1
            most = sum(
                value[which, t, -1 if statistics.weight[t] > 0 else 0, min(int(tf), tables.frequencies - 1)]
                for t, tf in enumerate(found.frequency[c])
            )
            assert scores[c] <= most + offered.margin()


def test_the_margin_makes_up_for_rounding_in_documents_with_many_positions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each position is added to a sum and taken away, so that errors of rounding add up."""
    monkeypatch.setattr(offers, "MARGIN", 0.0)
    random = np.random.default_rng(2006)
    count, width, frequencies = 20_000, 40, 64
    often = np.arange(frequencies)
    value = np.stack([weight * often / (often + 1.2) for weight in (0.3, 0.1)])
    gain = np.diff(value, append=value[:, -1:])
    tables = BoundTables(
        value.reshape(-1), gain.reshape(-1), np.full(3, width), np.array([0, 1]), 1, frequencies
    )
    place = np.sort(random.choice(4 * count, count, replace=False))
    term = random.integers(0, 2, count).astype(np.int32)
    exact = np.zeros(count)
    for t in range(2):
        of_term = place[term == t]
        held = np.searchsorted(of_term, place + width) - np.searchsorted(of_term, place)
        exact += value[t, held]

    no_levels = np.zeros((0, 2), dtype=np.uint8)

    def lost(border: float, margin: float) -> int:
        """Return how many positions are not marked that reach a border."""
        passing = np.zeros(count, dtype=np.int32)
        scratch = Scratch(place, term, passing, *(np.zeros(2, dtype=np.int64) for _ in range(4)))
        _slide(count, 0, 0, no_levels, tables, border - margin, scratch, 1)
        return int(np.count_nonzero((exact >= border) & (passing == 0)))

    offered = Bounds(tables, float(value.max(axis=1).sum()))
    borders = np.unique(exact)[::25].tolist()
    assert any(lost(border, 0.0) for border in borders)
    assert not any(lost(border, offered.margin(count)) for border in borders)
