"""Tasks: what is kept of a ranking, and in which order; Flex; runs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.errors import QueryError, UnknownNameError, UsageError
from inexlab.index.index import Index
from inexlab.retrieval.engine import make_engine
from inexlab.retrieval.queries import queries_of, query_of
from inexlab.retrieval.ranking import Ranking
from inexlab.retrieval.runs import Notation, changed_by_seeding, make_run
from inexlab.retrieval.tasks import OVERLAPS, TASKS, for_task
from inexlab.topics import Topic
from inexlab.topics.nexi import parse_nexi
from tests.examples import examples
from tests.oracles.elements import MODELS
from tests.retrieval.test_structure import cas_queries
from tests.retrieval.trees import described, documents, indexed, queries


def ranking_of(index: Index, **scores: float) -> Ranking:
    """Return a ranking of elements of the only document, given by tag and number such as `p2`."""
    paths = {
        "".join(c for c in index.path(e).rpartition("/")[2] if c.isalnum()): e
        for e in range(len(index.columns["tag"]))
    }
    order = sorted(scores, key=lambda name: (-scores[name], paths[name]))
    return Ranking(
        np.array([paths[name] for name in order], dtype=np.int64),
        np.zeros(len(order), dtype=np.int32),
        np.array([scores[name] for name in order]),
    )


def kept(index: Index, overlap: str, **scores: float) -> list[str]:
    focused = for_task(index, ranking_of(index, **scores), "focused", overlap)
    return [path.rpartition("/")[2] for _, path in described(index, focused)]


ARTICLE = "<article><body><sec><p>bee</p><p>wax</p></sec><note>hive</note></body></article>"


def test_ways_to_remove_overlap_by_hand() -> None:
    with indexed(ARTICLE) as index:
        scores = {"article1": 3.0, "body1": 5.0, "sec1": 2.0, "p1": 1.0, "p2": 4.0, "note1": 0.5}
        assert kept(index, "correlation", **scores) == ["body[1]"]
        # neither the body nor the article: the best below them on each path
        assert kept(index, "section", **scores) == ["p[2]", "p[1]", "note[1]"]
        assert kept(index, "section", **scores | {"sec1": 4.5}) == ["sec[1]", "note[1]"]
        assert kept(index, "child", **scores) == ["p[2]", "p[1]", "note[1]"]
        assert kept(index, "child", sec1=2.0, note1=9.0, body1=10.0) == ["note[1]", "sec[1]"]
        # the whole, where nothing in it was found
        assert kept(index, "section", article1=1.0, body1=2.0) == ["body[1]"]


def test_of_two_with_one_score_the_inner_one_is_kept() -> None:
    with indexed(ARTICLE) as index:
        assert kept(index, "correlation", body1=1.0, sec1=1.0, p2=1.0) == ["p[2]"]
        assert kept(index, "section", body1=1.0, sec1=1.0, p1=1.0) == ["p[1]"]


def overlaps(index: Index, one: int, other: int) -> bool:
    """Whether two elements are the same or one is in the other."""
    around = [one]
    while index.parent(around[-1]) >= 0:
        around.append(index.parent(around[-1]))
    return other in around or (one != other and one < other and overlaps(index, other, one))


@examples(8)
@given(
    texts=documents(3),
    query=queries(),
    overlap=st.sampled_from(list(OVERLAPS)),
    task=st.sampled_from(list(TASKS)),
)
def test_laws_of_tasks(texts: list[str], query: str, overlap: str, task: str) -> None:
    with indexed(*texts) as index:
        engine = make_engine(index, "bm25")
        everything = engine.rank(parse_nexi(query))
        found = engine.answer(parse_nexi(query), task, overlap)
        elements = found.element.tolist()
        assert set(elements) <= set(everything.element.tolist())
        assert len(set(elements)) == len(elements)
        if task in ("focused", "relevant-in-context"):
            for element in everything.element.tolist():
                touching = [e for e in elements if overlaps(index, element, e)]
                # nothing kept overlaps; whatever was left out overlaps something kept
                assert touching == [element] if element in elements else touching
        score = dict(zip(everything.element.tolist(), everything.score.tolist(), strict=True))
        if task == "focused" and overlap == "correlation":
            for element in set(score) - set(elements):  # a better one, or an inner one as good, was kept
                assert any(
                    score[e] > score[element] or (score[e] == score[element] and e > element)
                    for e in elements
                    if overlaps(index, element, e)
                )
        if task in ("thorough", "focused", "best-in-context"):
            assert found.score.tolist() == sorted(found.score.tolist(), reverse=True)
        docs = found.document.tolist()
        groups = [doc for k, doc in enumerate(docs) if not k or docs[k - 1] != doc]
        best: dict[int, float] = {}
        for doc, value in zip(everything.document.tolist(), everything.score.tolist(), strict=True):
            best.setdefault(doc, value)
        if task in ("fetch-browse", "relevant-in-context", "best-in-context"):
            assert len(set(groups)) == len(groups)
        if task in ("fetch-browse", "best-in-context"):
            assert [best[doc] for doc in groups] == sorted((best[doc] for doc in groups), reverse=True)
        if task == "relevant-in-context":
            keys = list(zip((groups.index(doc) for doc in docs), elements, strict=True))
            assert keys == sorted(keys)
        if task == "best-in-context":
            assert len(docs) == len(set(everything.document.tolist()))
        if task in ("thorough", "fetch-browse"):
            assert set(elements) == set(everything.element.tolist())


def without_overlap_slowly(found: list[tuple[str, str, float]], overlap: str) -> list[tuple[str, str]]:
    """Keep one element on every path, by looking at all pairs: `found` has documents, paths and scores."""

    def around(one: tuple[str, str, float], other: tuple[str, str, float]) -> bool:
        return one[0] == other[0] and other[1].startswith(f"{one[1]}/")

    left, kept = list(found), []
    while left:
        # what nothing is preferred to: the inner one of equals, else whatever comes first
        pool = left
        if overlap == "child":
            pool = [one for one in left if not any(around(one, other) for other in left)]
        elif overlap == "section":
            pool = [one for one in left if one[1].count("/") > 1 and "/body[" not in one[1][-8:]] or left
        score = max(one[2] for one in pool)
        equals = [one for one in pool if one[2] == score]
        chosen = next(one for one in equals if not any(around(one, other) for other in equals))
        kept.append(chosen)
        left = [one for one in left if one != chosen and not around(one, chosen) and not around(chosen, one)]
    return [one[:2] for one in found if one in kept]


@pytest.mark.parametrize("overlap", OVERLAPS)
@examples(10)
@given(texts=documents(3), query=queries(), model=st.sampled_from(MODELS))
def test_overlap_is_removed_as_by_looking_at_all_pairs(
    overlap: str, texts: list[str], query: str, model: str
) -> None:
    with indexed(*(text.replace("<b>", "<body>").replace("</b>", "</body>") for text in texts)) as index:
        engine = make_engine(index, model)
        everything = engine.rank(parse_nexi(query))
        rows = [
            (*place, score)
            for place, score in zip(described(index, everything), everything.score.tolist(), strict=True)
        ]
        expected = without_overlap_slowly(rows, overlap)
        assert described(index, engine.answer(parse_nexi(query), "focused", overlap)) == expected
        in_context = described(index, engine.answer(parse_nexi(query), "relevant-in-context", overlap))
        order = list(dict.fromkeys(doc for doc, _ in expected))
        assert sorted(in_context) == sorted(expected)
        assert list(dict.fromkeys(doc for doc, _ in in_context)) == order


@examples(10)
@given(texts=documents(3), query=queries(), task=st.sampled_from(list(TASKS)), limit=st.integers(1, 6))
def test_limits(texts: list[str], query: str, task: str, limit: int) -> None:
    with indexed(*texts) as index:
        engine = make_engine(index, "bm25")
        some = engine.answer(parse_nexi(query), task, limit=limit)
        every = engine.answer(parse_nexi(query), task)
    assert len(some) == min(limit, len(every))
    if task in ("thorough", "focused", "best-in-context"):
        assert some.element.tolist() == every.element[:limit].tolist()


def test_unknown_names() -> None:
    with indexed("<r>bee</r>") as index:
        engine = make_engine(index, "bm25")
        with pytest.raises(UnknownNameError, match="did you mean 'focused'"):
            engine.answer(parse_nexi("bee"), "focussed")
        with pytest.raises(UnknownNameError, match="did you mean 'child'"):
            engine.answer(parse_nexi("bee"), "focused", "children")
        with pytest.raises(UnknownNameError, match="interpretation"):
            make_engine(index, "bm25", "strict")
        with pytest.raises(UnknownNameError, match="did you mean 'title'"):
            query_of(Topic("1", title="bee"), "titel")


# --- Flex --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", MODELS)
@examples(8)
@given(texts=documents(), query=queries() | cas_queries())
def test_with_all_documents_seeded_nothing_changes(model: str, texts: list[str], query: str) -> None:
    with indexed(*texts) as index:
        engine = make_engine(index, model)
        asked = parse_nexi(query)
        enough = replace(engine, seed_documents=len(texts))
        every, some = engine.rank(asked), enough.rank(asked)
        assert some.element.tolist() == every.element.tolist()
        assert some.score.tolist() == every.score.tolist()
        for task in TASKS:
            assert changed_by_seeding(enough, [asked], 1500, task).queries == 0


@pytest.mark.parametrize(
    "query",
    ["//p[. = 'bee']", "//r[about(., bee -wax)]//p[about(., wax)]", "//p[about(., bee) or about(., -bee)]"],
)
def test_no_document_with_a_wanted_term_is_lost_to_seeding(query: str) -> None:
    with indexed("<r><p>bee</p></r>", "<r><p>wax</p></r>", "<r><p>wax bee</p></r>") as index:
        every, some = (
            make_engine(index, "bm25", seed_documents=seeds).rank(parse_nexi(query)) for seeds in (0, 3)
        )
        assert len(every)
        assert some.element.tolist() == every.element.tolist()


@examples(10)
@given(texts=documents(), query=queries(), seeds=st.integers(1, 3))
def test_seeding_leaves_out_documents_and_changes_no_score(texts: list[str], query: str, seeds: int) -> None:
    with indexed(*texts) as index:
        every = make_engine(index, "lnu-ltu")
        some = replace(every, seed_documents=seeds)
        asked = parse_nexi(query)
        chosen = some.seeds(asked)
        assert chosen is not None
        assert len(chosen) <= seeds
        whole, part = every.rank(asked), some.rank(asked)
        left = np.isin(whole.document, chosen)
        assert part.element.tolist() == whole.element[left].tolist()
        assert part.score.tolist() == whole.score[left].tolist()
        changes = changed_by_seeding(some, [asked], 1500)
        assert changes.queries == int(not left.all())
        if changes.queries:
            assert changes.rank == int(np.flatnonzero(~left)[0]) + 1


def test_the_report_of_what_seeding_changes() -> None:
    with indexed("<r><p>bee bee</p></r>", "<r><p>bee wax</p></r>", "<r>hive</r>") as index:
        engine = make_engine(index, "bm25", seed_documents=1)
        asked = [parse_nexi("bee"), parse_nexi("hive")]
        assert changed_by_seeding(engine, asked, 1500) == (1, 2, 3)  # two elements of d0, then d1's
        assert changed_by_seeding(engine, asked, 2) == (0, 2, 0)
        # of d0 one element is left when overlap is removed: then d1 is missed
        assert changed_by_seeding(engine, asked, 2, "focused") == (1, 2, 2)
        assert changed_by_seeding(engine, asked, 2, "best-in-context") == (1, 2, 2)


# --- runs --------------------------------------------------------------------------------------------


def test_a_run_has_paths_spans_and_falling_scores() -> None:
    topics = [Topic("1", title="bee"), Topic("2", title="nowhere"), Topic("3", castitle="//p[about(., wax)]")]
    with indexed("<r>a<p>bee</p><p>bee wax</p></r>", "<r><p>bee</p></r>") as index:
        engine = make_engine(index, "bm25")
        for task in TASKS:
            made = make_run(engine, topics, "mine", task=task)
            assert made.without_query == ["3"]
            assert made.without_results == ["2"]
            assert made.run.id == "mine"
            results = list(made.run)
            scores = [result.score for result in results]
            assert scores == sorted(scores, reverse=True)
            for result in results:
                document = index.document_numbers[result.doc]
                span = index.span(index.find(document, str(result.path)))
                end = span.start if task == "best-in-context" else span.end
                assert (result.start, result.end) == (span.start, end)
        with pytest.raises(UsageError, match="nothing was found"):
            make_run(engine, topics[1:2], "mine")
        with pytest.raises(UsageError, match="no topic has a keywords"):
            make_run(engine, topics, "mine", query="keywords")


@pytest.mark.parametrize("task", ["thorough", "fetch-browse"])
def test_by_characters_a_limit_counts_different_texts(task: str) -> None:
    text = "<r><s><p>bee</p></s><s><p>bee</p></s><s><p>bee wax</p></s></r>"
    with indexed(text, text) as index:
        engine = make_engine(index, "bm25")

        def rows(limit: int, notation: Notation) -> list[tuple[str, int | None, int | None]]:
            made = make_run(engine, [Topic("1", title="bee")], "r", task=task, limit=limit, notation=notation)
            return [(result.doc, result.start, result.end) for result in made.run]

        assert len(rows(4, "characters")) == len(set(rows(4, "characters"))) == 4
        assert len(rows(100, "characters")) == 8
        assert len(rows(100, "both")) == 14
        assert set(rows(100, "both")) == set(rows(100, "characters"))


def test_which_query_a_field_is() -> None:
    topic = Topic("1", title="//a[about(., x)]", description="What is /this/ - or that?")
    assert query_of(topic, "title") is None  # a structured title, as in 2003
    assert str(query_of(topic, "castitle")) == "//a[about(., x)]"
    assert "that?" in str(query_of(topic, "description"))
    with pytest.raises(QueryError, match=r"t.xml, line 7: castitle of topic 9, column 16: expected") as error:
        query_of(Topic("9", castitle="//a[about(., x)", file="t.xml", line=7), "castitle")
    assert str(error.value).endswith("\n  //a[about(., x)\n                 ^")


def test_quotation_marks_that_belong_to_no_phrase() -> None:
    """As in phrasetitles of INEX 2009: one mark too few, or one too many."""
    topics = [
        Topic("7", phrasetitle='-"wild bee" "bee wax" honey comb" "queen bee"'),
        Topic("12", phrasetitle='"dance of bees", "cause of "wax" "bee hive"'),
        Topic("13", phrasetitle='"bee wax"'),
        Topic("14", phrasetitle='bees "'),
        Topic("15", title='"bee'),
    ]
    found = queries_of(topics, "phrasetitle")
    assert [str(found.of_topic[topic]) for topic in ("7", "12", "13", "14")] == [
        '-"wild bee" "bee wax" honey comb "queen bee"',
        '"dance of bees" cause of "wax" "bee hive"',
        '"bee wax"',
        "bees",
    ]
    assert found.of_topic["15"] is None
    assert found.unbalanced_quotes == ["7", "12", "14"]
    assert queries_of(topics, "title").unbalanced_quotes == ["15"]
    with pytest.raises(QueryError, match="no word between"):
        queries_of([Topic("16", title='""')], "title")
    with pytest.raises(QueryError, match="never closed"):
        queries_of([Topic("17", castitle='//a[about(., "b)]')], "castitle")
