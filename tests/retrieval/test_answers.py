"""What a person is given: different texts, few of a document, pages, filters, context, and never an error."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.api.searching import search
from inexlab.errors import InexlabError, UnknownNameError, UsageError
from inexlab.retrieval import by_document, counting, pruning
from inexlab.retrieval.answers import answers, parse_question
from inexlab.retrieval.context import Context, parse_context, parse_filter
from inexlab.retrieval.engine import Engine, make_engine
from inexlab.retrieval.ranking import Ranking
from inexlab.retrieval.runs import make_run
from inexlab.retrieval.snippets import Hit
from inexlab.retrieval.tasks import for_task
from inexlab.topics import Topic
from inexlab.topics.nexi import parse_nexi
from inexlab.topics.query import COQuery, Query
from tests.examples import examples
from tests.retrieval.test_pruning import structured
from tests.retrieval.trees import PROFILE, documents, indexed, queries

BEES = replace(PROFILE, answers=("p", "sec"), no_answers=("title",), outside=("refs",), sections=("sec",))
ARTICLE = (
    "<r><title>On bees</title><sec><title>Dances</title><p>Bees dance. Bees sing!</p><p>Bees wax.</p></sec>"
    "<sec><title>Hives</title><fig><p>A hive of bees.</p></fig><p>bees dance; bees sing</p></sec>"
    "<refs><p>Bees and hives: a book.</p></refs></r>"
)


def texts(hits: Sequence[Hit]) -> list[str]:
    return [hit.snippet for hit in hits]


def test_by_default_there_are_passages_of_answers() -> None:
    with indexed(ARTICLE, profile=BEES) as index:
        found = search(index, "bees", per_document="all")
        # two with the same words are one, titles are not answers, references are outside
        assert sorted(texts(found)) == ["A hive of bees.", "Bees dance. Bees sing!", "Bees wax."]
        assert len(search(index, "bees")) == 3
        first = next(hit for hit in found if hit.snippet.startswith("Bees dance"))
        assert (first.path, first.breadcrumb, first.title) == ("/r[1]/sec[1]/p[1]", "Dances", "On bees")
        assert [first.snippet[a:b] for a, b in first.marks] == ["Bees", "Bees"]
        assert index.text(0)[first.start : first.end] == first.snippet


def test_so_many_of_a_document() -> None:
    many = "<r>" + "".join(f"<p>bees {word}</p>" for word in ("one", "two", "three", "four", "five")) + "</r>"
    with indexed(many, "<r><p>bees here</p></r>", profile=BEES) as index:
        assert [hit.doc for hit in search(index, "bees")] == ["d0", "d0", "d0", "d1"]
        assert len(search(index, "bees", per_document="all")) == 6
        assert [hit.doc for hit in search(index, "bees", per_document=1)] == ["d0", "d1"]


def test_pages() -> None:
    many = "<r>" + "".join(f"<p>bees {'x ' * k}{k}</p>" for k in range(9)) + "</r>"
    with indexed(many, profile=BEES) as index:
        whole = search(index, "bees", per_document="all")
        page = search(index, "bees", 3, begin=4, per_document="all")
        assert [hit.rank for hit in page] == [4, 5, 6]
        assert page == whole[3:6]
        assert search(index, "bees", 3, begin=40, per_document="all") == []


def test_results_of_a_document_together() -> None:
    with indexed("<r><p>bees wax</p><p>bees</p></r>", "<r><p>bees wax x</p></r>", profile=BEES) as index:
        assert [hit.doc for hit in search(index, "bees wax")] == ["d0", "d1", "d0"]
        together = search(index, "bees wax", group=True)
        assert [(hit.doc, hit.rank) for hit in together] == [("d0", 1), ("d0", 3), ("d1", 2)]


def test_signs_are_demands() -> None:
    with indexed(ARTICLE, profile=BEES) as index:
        assert texts(search(index, "bees +wax")) == ["Bees wax."]
        assert texts(search(index, "bees -dance -hive")) == ["Bees wax."]
        assert texts(search(index, '+"bees dance"')) == ["Bees dance. Bees sing!"]
        assert search(index, "bees +unheardof") == []
        assert len(search(index, "bees +wax", signs="hints")) == 3
        assert texts(search(index, "//sec[about(., bees +wax)]")) == ["Bees wax."]


def test_a_target_is_a_demand_and_may_lie_outside() -> None:
    with indexed(ARTICLE, profile=BEES) as index:
        assert texts(search(index, "//fig[about(., bees)]")) == ["A hive of bees."]
        assert texts(search(index, "//refs[about(., bees)]")) == ["Bees and hives: a book."]
        assert texts(search(index, "//refs//p[about(., bees)]")) == ["Bees and hives: a book."]
        assert len(search(index, "//r[about(., bees)]")) == 3  # of which references are not part
        # what is not an answer is found as an element
        assert texts(search(index, "//title[about(., bees)]")) == ["On bees"]
        assert texts(search(index, "//sec[about(.//title, dances)]//p[about(., sing)]")) == [
            "Bees dance. Bees sing!"
        ]


def test_short_answers_share_a_passage_unless_a_target_is_named() -> None:
    with indexed(ARTICLE, profile=replace(BEES, least_passage=30)) as index:
        assert "Bees dance. Bees sing!Bees wax." in [
            index.text(0)[h.start : h.end] for h in search(index, "wax")
        ]
        assert texts(search(index, "//p[about(., wax)]")) == ["Bees wax."]
        assert texts(search(index, "//refs//p[about(., bees)]")) == ["Bees and hives: a book."]


def test_titles_are_found_where_nothing_else_is() -> None:
    with indexed(ARTICLE, profile=BEES) as index:
        assert texts(search(index, "dances")) == ["Dances"]


def test_filters_choose_results_and_leave_scores_alone() -> None:
    with indexed(ARTICLE, profile=BEES) as index:
        score = {hit.snippet: hit.score for hit in search(index, "bees hive")}
        for options, expected in (
            ({"within": ["//fig"]}, ["A hive of bees."]),
            ({"within": ["fig", "/r/sec/title"]}, ["A hive of bees."]),
            ({"exclude": ["//fig", "refs"]}, ["Bees dance. Bees sing!", "Bees wax."]),
            ({"tags": "p, x", "within": ["/r/sec/fig"]}, ["A hive of bees."]),
        ):
            found = search(index, "bees hive", **options)
            assert sorted(texts(found)) == expected
            assert all(hit.score == score[hit.snippet] for hit in found)


def test_evidence_from_around() -> None:
    text = "<r><sec><p>bees one</p><p>hive x</p></sec><sec><p>bees two</p><p>wax y</p></sec></r>"
    with indexed(text, "<r><sec><p>other</p></sec></r>", profile=BEES) as index:
        plain = {hit.snippet: hit.score for hit in search(index, "bees hive")}
        assert plain["bees one"] == plain["bees two"]
        around = {hit.snippet: hit.score for hit in search(index, "bees hive", context="section=0.5")}
        sections = {hit.path: hit.score for hit in search(index, "bees hive", by="elements:sec")}
        for name, section in (("bees one", 1), ("bees two", 2)):
            assert around[name] == pytest.approx(plain[name] + 0.5 * sections[f"/r[1]/sec[{section}]"])
        [article] = search(index, "bees hive", by="articles")
        added = {hit.snippet: hit.score for hit in search(index, "bees hive", context="article=2")}
        assert added["bees two"] == pytest.approx(plain["bees two"] + 2 * article.score)


def test_contexts_and_filters_that_cannot_be() -> None:
    assert parse_context("") == Context()
    with pytest.raises(UnknownNameError, match="part of the context"):
        parse_context("paragraph=1")
    for wrong in ("section=x", "section=-1", "article=nan", "section"):
        with pytest.raises(UsageError, match="context="):
            parse_context(wrong)
    with pytest.raises(UsageError, match="tags="):
        parse_filter((), (), "a,,b")
    with pytest.raises(InexlabError):
        parse_filter(("//",), (), "")


@examples(50)
@given(st.text(max_size=30) | st.text(st.sampled_from('/[]().,"+-ab |'), max_size=20))
def test_whatever_is_asked_is_never_an_error(text: str) -> None:
    parse_question(text)


def test_what_is_no_nexi_is_a_bag_of_words() -> None:
    assert parse_question("bees (and wax").query == COQuery(parse_nexi("bees and wax").terms)  # type: ignore[union-attr]
    broken, problem = parse_question("//sec[about(., bees")
    assert isinstance(broken, COQuery)
    assert problem
    assert {word for term in broken.terms for word in term.words} >= {"bees"}
    assert parse_question('"bees dance').query == parse_nexi("bees dance")
    with indexed(ARTICLE, profile=BEES) as index:
        assert texts(search(index, "wax? [really")) == ["Bees wax."]


TOPICS = [Topic("1", title="bees hive")]


def test_passages_in_runs() -> None:
    with indexed(ARTICLE, profile=BEES) as index:
        engine = make_engine(index, "bm25", by="sentences:1")
        spans = make_run(engine, TOPICS, "run", task="focused", notation="characters").run
        assert (spans.path < 0).all()
        assert (
            sorted(index.text(0)[a:b] for a, b in zip(spans.start, spans.end, strict=True))[0]
            == "A hive of bees."
        )
        both = make_run(engine, TOPICS, "run", task="focused").run
        assert len(both) == len(spans)
        assert "/r[1]/sec[2]/fig[1]/p[1]" in both.paths
        widened = make_run(engine, TOPICS, "run", task="focused", notation="paths")
        assert widened.widened == len(spans)
        assert len(widened.run) < len(spans)  # two sentences of a paragraph are that paragraph once
        assert len(set(widened.run.path.tolist())) == len(widened.run)


def test_documents_by_their_articles_scores() -> None:
    one = "<r><p>bees wax</p><p>" + "other " * 50 + "</p></r>"
    two = "<r><p>bees here wax x</p><p>bees there wax y</p></r>"
    with indexed(one, two, profile=BEES) as index:
        query = parse_nexi("bees wax")
        for order, expected in (("best", [0, 1]), ("article", [1, 0])):
            engine = make_engine(index, "bm25", by="passages:400c", document_order=order)
            found = engine.answer(query, "relevant-in-context")
            assert list(dict.fromkeys(found.document.tolist())) == expected


def test_seeds_have_a_model_of_their_own() -> None:
    many = [f"<r><p>bees {'wax ' * k}</p><p>{'x ' * (9 - k)}</p></r>" for k in range(5)]
    with indexed(*many, profile=BEES) as index:
        query = parse_nexi("bees wax")
        same = make_engine(index, "bm25", seed_documents=2)
        other = make_engine(index, "bm25", seed_documents=2, seed_model="lm-dirichlet(mu=1)")
        assert other.seed_weighting is not None
        expected = make_engine(index, "lm-dirichlet(mu=1)", seed_documents=2).seeds(query)
        assert other.seeds(query).tolist() == expected.tolist()  # type: ignore[union-attr]
        assert same.seeds(query) is not None


def test_overlapping_windows_are_focused() -> None:
    with indexed("<r>" + "bees wax hive dance queen " * 5 + "</r>", profile=BEES) as index:
        engine = make_engine(index, "bm25", by="windows:6w/2w")
        thorough, focused = (engine.answer(parse_nexi("bees"), task) for task in ("thorough", "focused"))
        assert len(focused) < len(thorough)
        start, end = engine.units.spans(focused.element)
        order = start.argsort()
        assert (start[order][1:] >= end[order][:-1]).all()


@pytest.mark.parametrize("interpretation", ["VVCAS", "SVCAS", "VSCAS", "SSCAS"])
def test_structure_with_passages(interpretation: str) -> None:
    with indexed(ARTICLE, profile=BEES) as index:
        engine = make_engine(index, "bm25", interpretation, by="passages:400c")
        found = engine.answer(parse_nexi("//sec[about(.//title, hives)]//p[about(., bees)]"), "focused")
        units = engine.units
        paths = [index.path(e) for e in units.elements(found.element).tolist()]
        if interpretation == "SSCAS":
            assert sorted(paths) == ["/r[1]/sec[2]/fig[1]/p[1]", "/r[1]/sec[2]/p[1]"]
        elif interpretation == "SVCAS":
            assert len(paths) == 4
            assert all("/p[" in path and "refs" not in path for path in paths)
        else:
            assert len(paths) >= 4


def all_pages(engine: Engine, query: Query, task: str, overlap: str, most: int) -> list[int]:
    """Return what pages show, one after the other, of a ranking of all units."""
    units = engine.units_for(query)
    ranking = for_task(engine.index, engine.rank(query), task, overlap, 1 << 30, units=units)
    seen: set[tuple[int, str]] = set()
    shown: list[int] = []
    of_document: Counter[int] = Counter()
    first, last = units.intervals(ranking.element)
    rows = (ranking.element, ranking.document, last.astype(np.int64) - first)
    for unit, document, count in zip(*(row.tolist() for row in rows), strict=True):
        start, end = units.span(unit)
        words = count, re.sub(r"[\W_]+", "", engine.index.text(document)[start:end].casefold())
        if words in seen:
            continue
        seen.add(words)
        if not most or of_document[document] < most:
            of_document[document] += 1
            shown.append(unit)
    return shown


def copies_of(text: str) -> st.SearchStrategy[str]:
    """Draw a document with what another has in it: as it is, in capitals, or with more around it."""
    return st.sampled_from(
        (
            text,
            re.sub(r"(>[^<]*)", lambda words: words[0].upper().replace(" ", "; "), text),
            text.replace("</r>", "<p>queen bee</p></r>"),
            text.replace("</r>", "<b>hive</b><p>bee wax dance</p></r>"),
        )
    )


@st.composite
def documents_and_copies(draw: st.DrawFn) -> list[str]:
    """Draw documents, and others that have much of the same text."""
    texts = draw(documents(most=4))
    copied = draw(st.lists(st.sampled_from(texts), max_size=4))
    return draw(st.permutations([*texts, *(draw(copies_of(text)) for text in copied)]))


class Asked(NamedTuple):
    """What is asked of an index for a page."""

    query: str
    model: str
    by: str
    task: str
    overlap: str
    context: str
    most: int
    wanted: int
    begin: int


def asked() -> st.SearchStrategy[Asked]:
    """Draw what is asked; with what is around them added, equal texts score differently."""
    return st.builds(
        Asked,
        queries() | structured(),
        st.sampled_from(("bm25", "lm-dirichlet(mu=3,article=0.5)", "gpx")),
        st.sampled_from(("elements:*", "auto", "windows:3w/1w", "sentences:1")),
        st.sampled_from(("focused", "thorough")),
        st.sampled_from(("correlation", "child")),
        st.sampled_from(("", "section=0.5", "article=2")),
        st.integers(0, 3),
        st.integers(1, 4),
        st.integers(1, 3),
    )


@examples(12)
@given(texts=documents_and_copies(), some=st.lists(asked(), min_size=4, max_size=4))
def test_pages_are_those_of_a_ranking_of_everything(texts: list[str], some: list[Asked]) -> None:
    """Few of a document, and no copies, also where a search need not score all."""
    with indexed(*texts) as index, pytest.MonkeyPatch.context() as patch:
        for name, number in {"WORTH": 0, "_FIRST": 1, "_STEP": 1, "_GROWTH": 1}.items():
            patch.setattr(pruning, name, number)
        for name in ("_FIRST", "_GROWTH"):
            patch.setattr(by_document, name, 1)
        patch.setattr(counting, "_TRIED", 2)
        for one in some:
            engine = make_engine(index, one.model, "SVCAS", by=one.by, signs="demands", context=one.context)
            query, (most, count, begin) = parse_nexi(one.query), one[-3:]
            page = answers(engine, query, one.task, one.overlap, count, begin=begin, per_document=most)
            engine = page.engine  # where passages have nothing, another one
            every = all_pages(engine, query, one.task, one.overlap, most)
            assert page.ranking.element.tolist() == every[begin - 1 : begin - 1 + count]


def test_a_page_of_few_results_per_document_takes_one_search() -> None:
    """However many of one document are better than all others."""
    one = "<r>" + "".join(f"<p>bees w{k}x</p>" for k in range(60)) + "</r>"
    others = [f"<r><p>bees and {k} other words of d{k} here</p></r>" for k in range(12)]
    searches, rank_all = [], Engine.rank

    def rank(engine: Engine, query: Query, *more: Any) -> Ranking:
        searches.append(query)
        return rank_all(engine, query, *more)

    with indexed(one, *others, profile=BEES) as index, pytest.MonkeyPatch.context() as patch:
        patch.setattr(Engine, "rank", rank)
        found = search(index, "bees", 10)
    assert [hit.doc for hit in found] == ["d0"] * 3 + [f"d{k}" for k in range(1, 8)]
    assert len(searches) == 1
