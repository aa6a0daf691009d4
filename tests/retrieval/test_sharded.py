"""A collection in shards against one index of all its documents: the same to the last digit."""

from __future__ import annotations

import contextlib
import json
import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import inexlab
from inexlab.errors import InputError, UsageError
from inexlab.executors import Processes, Threads
from inexlab.index.build import Settings, build_index
from inexlab.index.index import Index, open_index
from inexlab.index.sharded import ShardedIndex, facts_of, sharded, write_manifest
from inexlab.index.store import save_json
from inexlab.index.whole import RecentAnswers
from inexlab.retrieval import pruning
from inexlab.retrieval.answers import answers
from inexlab.retrieval.engine import Engine, make_engine
from inexlab.retrieval.runs import make_run
from inexlab.retrieval.sharded import ShardedEngine
from inexlab.retrieval.structure import INTERPRETATIONS
from inexlab.retrieval.tasks import OVERLAPS, TASKS, SearchTask
from inexlab.topics import Topic
from inexlab.topics.nexi import parse_nexi
from inexlab.topics.query import Query
from tests.examples import examples
from tests.retrieval.test_answers import Asked, asked, documents_and_copies
from tests.retrieval.test_pruning import MODELS, UNITS, structured
from tests.retrieval.trees import PROFILE, documents, queries

# of which much is to be inferred, and some lies outside
PROFILES = (PROFILE, replace(PROFILE, inline=(), sections=("a",), outside=("b",), least_passage=20))
Results = list[tuple[str, str, int, int, float]]


@contextlib.contextmanager
def indexes(
    texts: Sequence[str], borders: Sequence[int], settings: Settings
) -> Iterator[tuple[Index, Index]]:
    """Give one index of documents, and one in shards that end at some borders."""
    named = [(f"d{k}", f"d{k}.xml", text.encode()) for k, text in enumerate(texts)]
    with tempfile.TemporaryDirectory() as space:
        folder = Path(space)
        build_index(named, folder / "one", settings)
        yield open_index(folder / "one"), in_shards(named, borders, folder / "shards", settings)


def in_shards(named: Sequence[Any], borders: Sequence[int], out: Path, settings: Settings) -> Index:
    out.mkdir()
    ends = sorted({0, *(border for border in borders if border < len(named)), len(named)})
    names = [str(k) for k in range(len(ends) - 1)]
    for name, first, last in zip(names, ends, ends[1:], strict=False):
        build_index(named[first:last], out / name, settings)
    write_manifest(out, names, [facts_of(str(out / name)) for name in names], Counter())
    return open_index(out)


def results(engine: Engine, query: Query, task: str, overlap: str, limit: int) -> Results:
    """Return what a run would have."""
    if isinstance(engine, ShardedEngine):
        return next(engine.results([query], task, overlap, limit))
    units, ranking = engine.units_for(query), engine.answer(query, task, overlap, limit)
    columns = (
        ranking.document,
        units.elements(ranking.element),
        *units.spans(ranking.element),
        ranking.score,
    )
    rows = zip(*(column.tolist() for column in columns), strict=True)
    index = engine.index
    return [(index.documents[d], index.path(e), start, end, score) for d, e, start, end, score in rows]


accented = st.sampled_from(("hive", "hîve", "HÎVE"))


@examples(4)
@given(
    texts=documents(most=6),
    accents=st.lists(accented, min_size=6, max_size=6),
    borders=st.lists(st.integers(1, 5), max_size=4),
    profile=st.sampled_from(PROFILES),
    query=queries() | structured(),
    interpretation=st.sampled_from(sorted(INTERPRETATIONS)),
    model=st.sampled_from(MODELS),
    by=st.sampled_from(UNITS),
    task=st.sampled_from(sorted(TASKS)),
    overlap=st.sampled_from(sorted(OVERLAPS)),
    limit=st.integers(1, 6),
    signs=st.sampled_from(("hints", "demands")),
    distinct=st.booleans(),
    seeds=st.sampled_from((0, 0, 1, 2)),
    order=st.sampled_from(("best", "best", "article")),
    context=st.sampled_from(("", "", "section=0.5,article=0.2")),
    exact=st.booleans(),
    within=st.sampled_from(((), (), ("//a",))),
    worth=st.sampled_from((0, 6000)),
)
def test_shards_answer_as_one_index_does(
    texts: list[str],
    accents: list[str],
    borders: list[int],
    profile: Any,
    query: str,
    interpretation: str,
    model: str,
    by: str,
    task: str,
    overlap: str,
    limit: int,
    signs: str,
    distinct: bool,
    seeds: int,
    order: str,
    context: str,
    exact: bool,
    within: tuple[str, ...],
    worth: int,
) -> None:
    texts = [text.replace("hive", accent) for text, accent in zip(texts, accents, strict=False)]
    borders = [border for border in borders if "bee" in "".join(texts[:border])]
    asked = parse_nexi(query)
    settings = Settings(profile=profile, stop_words="english")
    with indexes(texts, borders, settings) as pair, pytest.MonkeyPatch.context() as patch:
        patch.setattr(pruning, "WORTH", worth)
        found = []
        for index in (*pair, sharded(pair[0])):
            engine = make_engine(
                index,
                model,
                interpretation,
                seed_documents=seeds,
                exact=exact,
                by=by,
                signs=signs,
                document_order=order,
                context=context,
                within=within,
            )
            found.append(results(replace(engine, distinct_texts=distinct), asked, task, overlap, limit))
        assert found[1] == found[0]
        assert found[2] == found[0]  # one index, taken for one with a single shard


SETTINGS = Settings(profile=PROFILE, stemmer="none", stop_words="english")
TEXTS = [
    f"<r><title>No {k}</title><a><p>bee wax bee {'hive ' * (k % 3)}</p><p>queen bee</p></a>"
    f"<b>wax {'dance' if k % 2 else 'hive'} bee</b></r>"
    for k in range(9)
]


def test_shards_share_ties_as_one_index_does() -> None:
    """The documents are equal but for their ids, so that only their order tells them apart."""
    same = ["<r><a>bee wax</a><a>bee wax</a></r>"] * 7
    with indexes(same, [1, 2, 5], SETTINGS) as (one, parts):
        for task in sorted(TASKS):
            found = [
                results(make_engine(index, "bm25"), parse_nexi("bee"), task, "correlation", 4)
                for index in (one, parts)
            ]
            assert found[0] == found[1]
            assert [row[0] for row in found[1]] == sorted(row[0] for row in found[1])


@pytest.mark.parametrize("executor", [Threads(1), Threads(3)], ids=["one", "threads"])
def test_runs_of_many_topics_are_the_same(executor: Threads) -> None:
    words = ("bee", "wax", "hive", "queen", "dance", '"queen bee"', "+bee -hive")
    topics = [Topic(f"q{k}", title=f"{words[k % 7]} {words[(3 * k + 1) % 7]}") for k in range(70)]
    with indexes(TEXTS, [2, 3, 7], SETTINGS) as (one, parts):
        assert isinstance(parts, ShardedIndex)
        made = []
        for index in (one, parts):
            engine = make_engine(index, "lnu-ltu", by="elements")
            if isinstance(engine, ShardedEngine):
                engine = replace(engine, executor=executor)
            run = make_run(engine, topics, "r", task="relevant-in-context").run
            made.append(run.to_pandas().to_dict("list"))
        assert made[0] == made[1]


def page_of(index: Index, asked: Asked) -> list[list[Any]]:
    """Return the columns of what a page shows."""
    engine = make_engine(index, asked.model, "SVCAS", by=asked.by, signs="demands", context=asked.context)
    found = answers(
        engine,
        parse_nexi(asked.query),
        asked.task,
        asked.overlap,
        asked.wanted,
        begin=asked.begin,
        per_document=asked.most,
    )
    page = found.ranking
    columns = (page.document, *found.units.spans(page.element), page.score)
    return [column.tolist() for column in columns]


@examples(6)
@given(
    texts=documents_and_copies(),
    borders=st.lists(st.integers(1, 7), max_size=3),
    some=st.lists(asked(), min_size=3, max_size=3),
    worth=st.sampled_from((0, 6000)),
)
def test_pages_of_shards_are_those_of_one_index(
    texts: list[str], borders: list[int], some: list[Asked], worth: int
) -> None:
    borders = [border for border in borders if border < len(texts) and "bee" in "".join(texts[:border])]
    with indexes(texts, borders, SETTINGS) as pair, pytest.MonkeyPatch.context() as patch:
        patch.setattr(pruning, "WORTH", worth)
        for one in some:
            pages = [page_of(index, one) for index in pair]
            assert pages[0] == pages[1]


def test_texts_of_which_another_shard_has_better_copies_are_made_up_for() -> None:
    """The copies are hidden themselves, as their document has something better to show."""
    one = [
        "<r><p>bee</p><p>bee wax</p><p>bee hive dance</p></r>",
        "<r><p>bee a1 a2 a3 a4 a5 a6 a7 a8</p></r>",
    ]
    other = ["<r><p>bee wax</p></r>", "<r><p>bee hive dance</p></r>", "<r><p>bee b1 b2 b3 b4</p></r>"]
    asked = Asked("bee", "bm25", "elements:p", "focused", "correlation", "", 1, 2, 1)
    with indexes([*one, *other], [2], SETTINGS) as pair:
        for index in pair:
            assert page_of(index, asked)[0] == [0, 4]


def test_a_search_of_shards_shows_the_same_hits() -> None:
    with indexes(TEXTS, [1, 4], SETTINGS) as (one, parts):
        for query in ("queen hive", "//a[about(., queen)]", "nowhere", '"bee nowhere"', "-bee", "the"):
            hits = [inexlab.search(index, query, 5, by="auto", profile_query=True) for index in (one, parts)]
            assert list(hits[0]) == list(hits[1])
            assert hits[0].notes[:-1] == hits[1].notes[:-1]
        assert inexlab.show(parts, "d7").content == inexlab.show(one, "d7").content
        for index in (one, parts):
            folder = re.escape(str(index.folder))
            with pytest.raises(UsageError, match=rf"^{folder} has no document 'd7x'; did you mean 'd7'\?$"):
                inexlab.show(index, "d7x")  # which is like one that is not in the first shard
            for wrong in ({"count": 0}, {"count": -1}, {"begin": 0}):
                with pytest.raises(UsageError, match=r"^`(count|begin)=(0|-1)` must be >= 1\.$"):
                    inexlab.search(index, "bee", **wrong)  # type: ignore[arg-type]  # went on for ever
            for limit in (0, -1):
                with pytest.raises(UsageError, match=rf"^`limit={limit}` must be >= 1\.$"):
                    inexlab.make_run(index, {"q": "bee"}, limit=limit)  # which left out the last results


def test_what_needs_one_index_is_refused() -> None:
    plug_in = SearchTask("odd", lambda _units, ranking, _overlap, _limit: ranking)
    with indexes(TEXTS, [4], SETTINGS) as (_, parts), pytest.MonkeyPatch.context() as patch:
        with pytest.raises(UsageError, match="is an index in shards, and this takes one index"):
            inexlab.build_index(["d1"], parts.folder, remove=True)
        with pytest.raises(UsageError, match="is an index in shards"):
            parts.positions(0)
        patch.setitem(TASKS._entries, "odd", plug_in)
        with pytest.raises(UsageError, match="the task odd does not say how results"):
            make_engine(parts, "bm25").answer(parse_nexi("bee"), "odd")


def test_damage_to_shards_is_named() -> None:
    with indexes(TEXTS, [4], SETTINGS) as (one, parts):
        manifest = parts.folder / "manifest.json"
        right = manifest.read_text()
        manifest.write_text(right.replace('"documents": 9', '"documents": 8'))
        with pytest.raises(InputError, match="its manifest is damaged"):
            open_index(parts.folder)
        for key, wrong in (
            ("shards", []),
            ("shards", [{"place": "memory://1", "identity": 1, "documents": 9}]),
            ("shards", [{"place": "../one", "identity": 1, "documents": 9}]),
            ("shards", 3),
            ("roots", [1]),
            ("tokens", "many"),
            ("inferred", None),
        ):
            save_json(manifest, {**json.loads(right), key: wrong})  # with a checksum that is right
            with pytest.raises(InputError, match="its manifest is damaged"):
                open_index(parts.folder)
        manifest.write_text(right)
        (parts.folder / "1").rename(parts.folder / "gone")
        with pytest.raises(InputError, match="1: no such index"):
            inexlab.search(parts.folder, "bee")
        one.folder.rename(parts.folder / "1")
        with pytest.raises(InputError, match="shard 1 is not the one that the manifest names"):
            inexlab.search(parts.folder, "bee")


def test_processes_search_shards_too() -> None:
    with indexes(TEXTS, [4], SETTINGS) as (one, parts), Processes(2) as executor:
        engine = make_engine(parts, "bm25")
        assert isinstance(engine, ShardedEngine)
        asked = parse_nexi("queen bee")
        there = results(replace(engine, executor=executor), asked, "focused", "correlation", 5)
        assert there == results(make_engine(one, "bm25"), asked, "focused", "correlation", 5)


def test_what_nobody_asks_for_lately_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RecentAnswers, "most", 30)
    texts = [f"<article><p>bee w{k} w{k % 7} hive</p></article>" for k in range(20)]
    with indexes(texts, [6, 13], Settings()) as (one, shards):
        assert isinstance(shards, ShardedIndex)
        for k in range(40):
            words = f"bee w{k % 20} hive x{k}"
            assert list(inexlab.search(shards, words)) == list(inexlab.search(one, words))
            assert 0 < len(shards.whole.answers) < 120
