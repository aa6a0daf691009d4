"""Units of every kind: equal to brute force over just those texts, and kept beside the index."""

from __future__ import annotations

import functools
import json
import zlib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import bm25s
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.collection.profile import Profile
from inexlab.errors import UnknownNameError, UsageError
from inexlab.index import inference
from inexlab.index.build import build_index
from inexlab.index.index import Index, open_index
from inexlab.index.indexing import append_documents
from inexlab.index.inference import inferred
from inexlab.index.store import files_folder, size_of
from inexlab.retrieval.cut import Places
from inexlab.retrieval.layout import Layout, LayoutRules
from inexlab.retrieval.model import parse_weighting
from inexlab.retrieval.searching import search_units
from inexlab.retrieval.terms import query_terms
from inexlab.retrieval.unit import FlatUnits, FlatUnitSpec, parse_unit, unit_kinds, units_of
from inexlab.retrieval.units.elements import ElementUnits
from inexlab.retrieval.units.passages import pack
from tests.examples import examples
from tests.oracles import units as oracle
from tests.oracles.elements import MODELS, Corpus, score_units, weights
from tests.oracles.units import cut, guess
from tests.retrieval.trees import PROFILE, STOP, documents, indexed, queries, terms

ARTICLES = Path(__file__).parents[2] / "src" / "inexlab" / "handbook" / "articles"
# `p` and `b` can be answers, `title` and `a` never are; `out` is outside; answers have 8 characters.
ANSWERS = replace(
    PROFILE, answers=("p", "b", "r"), no_answers=("title", "a"), outside=("out",), least_answer=8
)
# Of no tag but these anything is said.
UNKNOWN = Profile("unknown", "for tests", inline=("i",), skip=("x",), no_answers=("title",), outside=("out",))
KINDS = (
    *("elements:*", "elements", "elements:p,a", "articles", "passages:12c", "passages:400c", "sentences:1"),
    *("sentences:2", "windows:3w", "windows:4w/1w", "windows:10c", "windows:15c/4c", "auto"),
)


def flat(index: Index, by: str) -> FlatUnits:
    units = units_of(index, by)
    assert isinstance(units, FlatUnits)
    return units


def corpus_of(*texts: str) -> Corpus:
    return Corpus(texts, inline=ANSWERS.inline, skip=ANSWERS.skip)


Place = tuple[int, int, int]


def by_place(places: Iterable[Place], scores: Iterable[float]) -> dict[Place, list[float]]:
    """Gather scores by place: two elements may have the same characters."""
    found: dict[Place, list[float]] = {}
    for place, score in zip(places, scores, strict=True):
        found.setdefault(place, []).append(score)
    return {place: sorted(of_place) for place, of_place in found.items()}


def check_units(texts: list[str], query: str, model: str, profile: Profile) -> None:
    """Hold all kinds of units against brute force."""
    # in every other document `b` is what lies outside
    texts = [
        text.replace("<b>", "<out>").replace("</b>", "</out>") if k % 2 else text
        for k, text in enumerate(texts)
    ]
    corpus = corpus_of(*texts)
    with indexed(*texts, profile=profile) as index:
        found = inferred(index)
        expected_guess = guess(corpus, profile)
        assert (found.inline, found.short) == (expected_guess.inline, expected_guess.short)
        units_by = {by: units_of(index, by) for by in KINDS}
        for limit in (12, 30):  # `auto` with passages that are shorter
            cut_short = functools.partial(_pack_answers, limit=limit)
            units_by[f"auto:{limit}"] = FlatUnitSpec(
                f"auto:{limit}", LayoutRules("answers"), cut_short
            ).units(index)
        for by, units in units_by.items():
            expected_units = cut(corpus, by, profile)
            scored = score_units(corpus, weights(terms(query), STOP), model, False, expected_units)
            expected = by_place(
                ((e.document, e.start, e.start + len(e.text)) for e in scored), scored.values()
            )
            assert units.count == len(expected_units), by
            ranking = search_units(units, terms(query), parse_weighting(model))
            columns = (ranking.document, *units.spans(ranking.element))
            places = zip(*(column.tolist() for column in columns), strict=True)
            found_places = by_place(places, ranking.score.tolist())
            assert found_places.keys() == expected.keys(), by
            for place, scores in expected.items():
                assert found_places[place] == pytest.approx(scores, rel=1e-9, abs=1e-12), by


def _pack_answers(layout: Layout, limit: int) -> Places:
    return pack(layout, limit, layout.least, layout.least_passage)


@examples(10)
@given(texts=documents(), query=queries(), model=st.sampled_from(MODELS), least=st.sampled_from((0, 10)))
def test_every_model_on_every_unit_equals_brute_force(
    texts: list[str], query: str, model: str, least: int
) -> None:
    check_units(texts, query, model, replace(ANSWERS, least_passage=least))


@examples(10)
@given(texts=documents(), query=queries(), least=st.sampled_from((0, 10, 25)))
def test_units_of_tags_that_no_profile_speaks_of(texts: list[str], query: str, least: int) -> None:
    with pytest.MonkeyPatch.context() as patch:  # the trees are small
        for module in (inference, oracle):
            patch.setattr(module, "SHORT", 4)
            patch.setattr(module, "LEAST", 2)
        check_units(texts, query, "bm25", replace(UNKNOWN, least_passage=least))


@examples(10)
@given(texts=documents(), limit=st.integers(1, 40))
def test_every_token_of_a_block_is_in_one_passage(texts: list[str], limit: int) -> None:
    with indexed(*texts, profile=PROFILE) as index:
        cut_ = flat(index, f"passages:{limit}c").cut
        held = np.concatenate(
            [np.zeros(0, dtype=int), *(np.arange(a, b) for a, b in zip(cut_.first, cut_.last, strict=True))]
        )
        assert held.tolist() == list(range(index.tokens))
        # no longer than the limit, but for single words
        long = cut_.end - cut_.start > limit
        assert (cut_.last - cut_.first)[long].tolist() == [1] * int(long.sum())


@pytest.mark.parametrize(
    "by", ["passages:400c", "sentences:3", "windows:50w/25w", "windows:400c", "elements:p", "auto"]
)
def test_bm25_equals_bm25s(by: str, tmp_path: Path) -> None:
    files = sorted(ARTICLES.glob("*.xml"))
    build_index([(f.stem, f.name, f.read_bytes()) for f in files], tmp_path / "index")
    index = open_index(tmp_path / "index")
    units = units_of(index, by)
    row = np.full(index.tokens, -1, dtype=np.int64)
    for number in range(len(index.terms)):
        row[index.positions(number)] = number
    if isinstance(units, ElementUnits):
        assert units.chosen is not None
        which = np.flatnonzero(units.chosen)
        documents_ = np.searchsorted(index.document_elements, which, side="right") - 1
        first = index.columns["first"][which] + index.document_tokens[documents_]
        last = first + index.columns["tokens"][which]
    else:
        which, first, last = np.arange(units.count), flat(index, by).cut.first, flat(index, by).cut.last
    names = [[index.terms[t] for t in row[a:b].tolist() if t >= 0] for a, b in zip(first, last, strict=True)]
    peer = bm25s.BM25(k1=1.2, b=0.75, method="lucene", dtype="float64")
    peer.index(names, show_progress=False)
    for query in ("overlap", "best entry point score", "pool documents judged relevance", "bootstrap"):
        ranking = search_units(units, terms(query), parse_weighting("bm25"))
        words = [name for name in query.split() if name in query_terms(index, terms(query)).names]
        expected = peer.get_scores(index.analyser.terms(words, "en"))
        got = np.zeros(len(which))
        got[np.searchsorted(which, ranking.element)] = ranking.score
        assert got == pytest.approx(expected, abs=1e-6)
        assert len(ranking) == np.count_nonzero(expected)


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}


def test_one_index_has_all_units_and_is_not_built_again(tmp_path: Path) -> None:
    build_index([("d", "d.xml", b"<r><p>Bee wax. Bee hive!</p><p>Wax.</p></r>")], tmp_path / "index")
    index = open_index(tmp_path / "index")
    before, size = contents(files_folder(index.folder)), size_of(index.folder)
    counts = {by: units_of(index, by).count for by in KINDS}
    assert contents(files_folder(index.folder)) == before
    assert size_of(index.folder) == size  # what is kept beside it is not the index's
    again = open_index(tmp_path / "index")
    assert {by: units_of(again, by).count for by in KINDS} == counts


def test_a_cut_is_kept_beside_the_index_and_made_again_when_damaged(tmp_path: Path) -> None:
    build_index([("d", "d.xml", b"<r><p>Bee wax. Bee hive!</p><p>Wax.</p></r>")], tmp_path / "index")
    made = flat(open_index(tmp_path / "index"), "sentences:1").cut
    [folder] = (f for f in (files_folder(tmp_path / "index") / "units").iterdir() if f.is_dir())
    assert folder.name == "sentences_1"
    for damage in ("terms.bin", "cut.json", "first.bin"):
        (folder / damage).unlink()  # which stays as it is for those who have it open
        (folder / damage).write_bytes(b"x")
        again = flat(open_index(tmp_path / "index"), "sentences:1").cut
        for column in ("first", "last", "start", "end", "length", "terms", "near"):
            assert getattr(again, column).tolist() == getattr(made, column).tolist()
        assert (folder / damage).read_bytes() != b"x"


@pytest.mark.parametrize(
    ("column", "wrong"),
    [
        ("near", -(1 << 30)),
        ("first", -5),
        ("last", 1 << 40),
        ("length", -7),
        ("length", 1 << 30),
        ("terms", 0),
    ],
)
def test_a_cut_that_cannot_be_is_made_again_whatever_its_checksums_say(
    column: str, wrong: int, tmp_path: Path
) -> None:
    """Compiled loops trust it."""
    build_index([("d", "d.xml", b"<r><p>Bee wax. Bee hive!</p><p>Wax.</p></r>")], tmp_path / "index")
    made = flat(open_index(tmp_path / "index"), "sentences:1").cut
    file = files_folder(tmp_path / "index") / "units" / "sentences_1" / f"{column}.bin"
    values = np.full_like(getattr(made, column), wrong)
    file.unlink()  # which stays as it is for those who have it open
    file.write_bytes(values.data)
    content = json.loads((file.parent / "cut.json").read_text())
    content["columns"][column]["crc32"] = zlib.crc32(values.data)
    (file.parent / "cut.json").write_text(json.dumps(content))
    again = flat(open_index(tmp_path / "index"), "sentences:1").cut
    assert getattr(again, column).tolist() == getattr(made, column).tolist()


def test_an_index_that_is_replaced_has_other_units(tmp_path: Path) -> None:
    build_index([("d", "d.xml", b"<r><p>Bee wax.</p></r>")], tmp_path / "index")
    old = open_index(tmp_path / "index")
    (tmp_path / "e.xml").write_text("<r><p>Bee. Wax. Hive.</p></r>")
    append_documents([tmp_path / "e.xml"], tmp_path / "index")
    assert units_of(old, "sentences:1").count == 1  # which is kept where the new index is
    assert units_of(open_index(tmp_path / "index"), "sentences:1").count == 4


def test_a_cut_of_an_index_that_cannot_be_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build_index([("d", "d.xml", b"<r><p>Bee wax.</p></r>")], tmp_path / "index")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "mkdir", refuse)
    assert units_of(open_index(tmp_path / "index"), "passages:5c").count == 2


def spans(index: Index, by: str) -> list[str]:
    units = units_of(index, by)
    start, end = units.spans(np.arange(units.count))
    return [index.text(0)[a:b] for a, b in zip(start.tolist(), end.tolist(), strict=True)]


def test_what_units_are() -> None:
    text = (
        "<r><title>On bees</title><p>Bees dance. They (often) do so. Wax <i>is</i> made</p>"
        "<out><p>Cited wax.</p></out><p>Short</p><p>Hives stand.</p></r>"
    )
    with indexed(text, profile=ANSWERS, stop_words="none") as index:
        assert spans(index, "passages:20c") == [
            *("On bees", "Bees dance.", "They (often) do so.", "Wax is made", "Short", "Hives stand."),
        ]
        assert spans(index, "passages:9c") == [
            *("On bees", "Bees ", "dance.", "They (", "often) ", "do so.", "Wax is ", "made", "Short"),
            *("Hives ", "stand."),
        ]
        assert spans(index, "sentences:2") == [
            "On bees", "Bees dance. They (often) do so.", "Wax is made", "Short", "Hives stand.",
        ]  # fmt: skip
        assert spans(index, "windows:4w") == [
            "On beesBees dance. ", "They (often) do so. ", "Wax is made", "ShortHives stand.",
        ]  # fmt: skip
        # what is too short, a title, or outside is not an answer
        assert spans(index, "auto") == ["Bees dance. They (often) do so. Wax is made", "Hives stand."]
        answers = units_of(index, "elements")
        assert isinstance(answers, ElementUnits)
        assert answers.chosen is not None
        assert [index.path(int(e)) for e in np.flatnonzero(answers.chosen)] == [
            "/r[1]", "/r[1]/p[1]", "/r[1]/p[3]",
        ]  # fmt: skip


def test_a_passage_knows_its_element() -> None:
    with indexed("<r><p>Bee wax. <i>Hive</i> five.</p>tail</r>", profile=PROFILE) as index:
        for by, paths in (
            ("sentences:1", ["/r[1]/p[1]"] * 2 + ["/r[1]"]),
            ("windows:3w", ["/r[1]/p[1]", "/r[1]"]),
        ):
            units = units_of(index, by)
            assert [index.path(e) for e in units.elements(np.arange(units.count)).tolist()] == paths


def test_names_of_units() -> None:
    assert sorted(unit_kinds) == ["articles", "auto", "elements", "passages", "sentences", "windows"]
    for by in KINDS:
        assert parse_unit(parse_unit(by).name).name == parse_unit(by).name
    assert parse_unit("passages").name == "passages:400c"
    assert parse_unit("elements:p, a").name == "elements:a,p"
    with pytest.raises(UnknownNameError, match="did you mean 'passages'"):
        parse_unit("passage:400c")


@pytest.mark.parametrize(
    "by",
    [
        *(
            "passages:400",
            "passages:c",
            "passages:0c",
            "passages:400w",
            "sentences:2c",
            "sentences:-1",
            "auto:3",
        ),
        *(
            "windows:5",
            "windows:5w/2c",
            "windows:5w/0w",
            "windows:5c/9c",
            "elements:p,,a",
            "elements:",
            "articles:x",
        ),
        *("passages:99999999999c", "windows:5w/"),
    ],
)
def test_units_that_cannot_be(by: str) -> None:
    with pytest.raises(UsageError, match=r"by|step"):
        parse_unit(by)


@pytest.mark.parametrize(
    ("by", "count"),
    [("passages:1c", 6), ("sentences:1", 6), ("windows:1w", 6), ("windows:1c", 6), ("windows:3w/1w", 4)],
)
def test_units_fill_their_room_to_the_last_place(
    by: str, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In plain Python writing beyond an array is an error; compiled, it would write over other memory."""
    monkeypatch.setenv("INEXLAB_COMPILED", "never")
    with indexed("<r>" + "".join(f"<p>{c}</p>" for c in "uvwxyz") + "</r>", stop_words="none") as index:
        units = flat(index, by)
        assert units.count == count  # as many as there are tokens, or windows that begin with another one
        ranking = search_units(units, terms("u v w x y z"), parse_weighting("bm25"))
        assert len(ranking) == count
        spans_ = [
            index.text(0)[a:b]
            for a, b in zip(*(c.tolist() for c in units.spans(np.arange(count))), strict=True)
        ]
        assert "".join(spans_)[:1] == "u"
