"""An index against the same worked out by hand and by brute force."""

from __future__ import annotations

import tempfile
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.collection.profile import Profile
from inexlab.errors import InputError, UsageError
from inexlab.index import build as build_module
from inexlab.index import index as index_module
from inexlab.index.build import Settings, build_index
from inexlab.index.index import Index, open_index
from inexlab.index.store import files_folder
from inexlab.index.tag_table import INLINE
from tests.examples import examples
from tests.index.xml_documents import KINDS, documents
from tests.oracles import index as oracle

PROFILE = Profile("test", "a test", inline=("b", "sub"), skip=("x:note",), document_titles=("title", "p"))
SETTINGS = Settings(PROFILE, "en", stop_words=frozenset({"the", "word"}))


def built(
    folder: str | Path, contents: Sequence[str | bytes], given: Settings = SETTINGS, name: str = "index"
) -> Index:
    out = Path(folder) / name
    data = [content.encode() if isinstance(content, str) else content for content in contents]
    build_index(((f"d{k}", f"d{k}.xml", content) for k, content in enumerate(data)), out, given)
    return open_index(out)


def test_by_hand(tmp_path: Path) -> None:
    index = built(
        tmp_path,
        [
            "<article><title>The  Bees\n dance</title><p>A bee <b>danc</b>ing, bees</p></article>",
            "<article><p>the H<sub>2</sub>O</p><x:note>bees</x:note></article>",
        ],
        Settings(PROFILE, "en"),
    )
    assert list(index.terms) == ["\x01a", "\x01the", "bee", "danc", "h2o"]
    # positions: 0 the 1 bees 2 dance | 3 a 4 bee 5 dancing 6 bees || 7 the 8 h2o
    assert [index.positions(term).tolist() for term in range(5)] == [[3], [0, 7], [1, 4, 6], [2, 5], [8]]
    assert index.term_frequency.tolist() == [1, 2, 3, 2, 1]
    assert index.term_elements.tolist() == [2, 4, 3, 3, 2]  # of bee article, title, p; of h2o article, p
    assert [index.tag(e) for e in range(8)] == ["article", "title", "p", "b", "article", "p", "sub", "x:note"]
    assert index.columns["first"].tolist() == [0, 0, 3, 5, 0, 0, 2, 2]
    assert index.columns["tokens"].tolist() == [7, 3, 4, 1, 2, 2, 0, 0]  # `dancing` begins in b
    assert index.columns["terms"].tolist() == [4, 3, 3, 0, 2, 2, 0, 0]
    assert (index.units, index.mean_tokens, index.mean_terms) == (5, 18 / 5, 14 / 5)
    assert index.languages == {"en": 9}
    assert list(index.documents) == ["d0", "d1"]
    assert list(index.titles) == ["The Bees dance", "the H2O"]
    assert index.text(1) == "the H2Obees"
    assert index.path(6) == "/article[1]/p[1]/sub[1]"
    assert index.find(1, "/article[1]/p[1]/sub[1]") == 6


def expected_terms(tokens: Sequence[str], given: Settings = SETTINGS) -> list[str]:
    return given.analyser.terms(tokens, "en")


@given(st.lists(documents(), min_size=1, max_size=4), st.integers(10, 60), st.sampled_from([0, 100, 1 << 20]))
@examples(20)
def test_against_brute_force(contents: list[str], segment: int, batch: int) -> None:
    try:
        for content in contents:
            oracle.read(content.encode(), KINDS)
    except InputError:  # not all of them are well-formed
        return
    compare_with_brute_force(contents, segment, batch)


@pytest.mark.parametrize("way", ["always", "never"])
@pytest.mark.parametrize("segment", [9, 1 << 20])
@pytest.mark.parametrize("depth", [7, 8, 14, 15, 16, 17, 31, 33, pytest.param(65, marks=pytest.mark.soak)])
def test_deep_documents_against_brute_force(
    monkeypatch: pytest.MonkeyPatch, way: str, segment: int, depth: int
) -> None:
    monkeypatch.setenv("INEXLAB_COMPILED", way)
    levels = range(depth)
    begins = "".join(f"<p>all w{k % 3} v{k % 7} <b>b{k % 5}</b> " for k in levels)
    ends = "".join(f"all w{k % 2} v{k % 5} u{k % 11}</p>" for k in levels)
    turns = "".join(f"<p>w{k % 3}</p> v{k % 7} <p><p>all u{k % 4}</p></p>" for k in levels)
    twice = f"<p>{2 * ('<p>' * depth + ends)}</p>"
    compare_with_brute_force([begins + ends, begins + turns + ends, twice], segment, 0)


def compare_with_brute_force(contents: list[str], segment: int, batch: int) -> None:
    texts = [oracle.read(content.encode(), KINDS) for content in contents]
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(build_module, "_SEGMENT", segment)  # several segments, as in a large collection,
        patch.setattr(build_module, "_BATCH", batch)  # where they do not all come at once
        index = built(folder, contents)
        axis: list[str] = []
        element = 0
        units_with: Counter[str] = Counter()
        for number, read in enumerate(texts):
            assert index.text(number) == read.text
            begin = len(axis)
            for e, (tag, parent, start, end) in enumerate(read.elements):
                terms = expected_terms(read.tokens_in(e))
                unit = KINDS.get(tag) != "inline"
                assert index.tag(element) == tag
                assert index.parent(element) == (parent + element - e if parent >= 0 else -1)
                assert index.span(element) == (start, end)
                assert index.columns["tokens"][element] == len(terms)
                assert index.columns["terms"][element] == (len(set(terms)) if unit else 0)
                kind = index.tag_kinds[index.columns["tag"][element]]
                assert (kind != INLINE) == unit
                inside = [k for k, (_, leaf) in enumerate(read.tokens) if e in read.ancestors(leaf)]
                if inside:
                    before = expected_terms([text for text, _ in read.tokens[: inside[0]]])
                    assert index.columns["first"][element] == len(before)
                units_with.update(set(terms) if unit else ())
                element += 1
            axis += expected_terms([text for text, _ in read.tokens])
            assert index.document_tokens[number : number + 2].tolist() == [begin, len(axis)]
        assert index.tokens == len(axis)
        assert list(index.terms) == sorted(set(axis))
        for term, text in enumerate(index.terms):
            places = [place for place, other in enumerate(axis) if other == text]
            assert index.positions(term).tolist() == places
            assert index.term_frequency[term] == len(places)
            assert index.term_elements[term] == units_with[text]


def test_segments_and_batches_do_not_show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    contents = [
        f"<article><p>the {' '.join(f'wé{j}' for j in range(k, k + 15))}</p>w{k}</article>" for k in range(5)
    ]
    at_once = files_folder(built(tmp_path / "once", contents).folder)
    for segment, batch, texts in ((20, 0, 99), (40, 0, 99), (40, 200, 99), (1000, 0, 99), (1000, 0, 10)):
        monkeypatch.setattr(build_module, "_SEGMENT", segment)
        monkeypatch.setattr(build_module, "_BATCH", batch)
        monkeypatch.setattr(build_module, "_TEXTS", texts)
        cut = files_folder(built(tmp_path / f"{segment}-{batch}-{texts}", contents).folder)
        files = sorted(file.name for file in at_once.iterdir())
        assert files == sorted(file.name for file in cut.iterdir())
        assert [(at_once / name).read_bytes() for name in files] == [
            (cut / name).read_bytes() for name in files
        ]


def test_compiled_or_not_it_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = "<article>" + "".join(f"<p>word{k} the É{k % 7}</p>" for k in range(300)) + "</article>"
    folders = []
    for way in ("always", "never"):
        monkeypatch.setenv("INEXLAB_COMPILED", way)
        index = built(tmp_path / way, [content, content])
        assert index.tokens == 1800
        assert index.positions(index.term("é3")).tolist() == [
            3 * k + 2 for k in range(600) if k % 300 % 7 == 3
        ]
        folders.append({file.name: file.read_bytes() for file in files_folder(index.folder).iterdir()})
    assert folders[0] == folders[1]


def test_a_broken_document_is_left_out(tmp_path: Path) -> None:
    documents = [
        ("a", "a.xml", b"<a>one</a>"),
        ("b", "b.xml", b"<b>\n<c></b>"),
        ("c", "c.xml", b"<a>two</a>"),
    ]
    summary = build_index(documents, tmp_path / "index", SETTINGS)
    assert summary.documents == 2
    assert summary.skipped == ["b.xml, line 2: not well-formed XML (mismatched tag)."]
    index = open_index(tmp_path / "index")
    assert (list(index.documents), index.tags) == (["a", "c"], ["a"])


def test_strict_stops_and_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"b\.xml, line 1"):
        build_index(
            [("a", "a.xml", b"<a>one</a>"), ("b", "b.xml", b"<b>")],
            tmp_path / "index",
            Settings(PROFILE, strict=True),
        )
    assert list(tmp_path.iterdir()) == []


def test_two_documents_with_one_id(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"y/a\.xml: has the id 'a', as x/a\.xml\."):
        build_index([("a", "x/a.xml", b"<a/>"), ("a", "y/a.xml", b"<a/>")], tmp_path / "index", SETTINGS)
    assert list(tmp_path.iterdir()) == []


def test_nothing_to_index(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no document to index"):
        build_index([], tmp_path / "index", SETTINGS)
    with pytest.raises(UsageError, match=r"a\.xml, line 1: not well-formed"):
        build_index([("a", "a.xml", b"<a")], tmp_path / "index", SETTINGS)


def test_a_place_that_is_taken(tmp_path: Path) -> None:
    (tmp_path / "index").mkdir()
    with pytest.raises(UsageError, match="already exists"):
        build_index([("a", "a.xml", b"<a/>")], tmp_path / "index", SETTINGS)


def test_documents_without_words(tmp_path: Path) -> None:
    index = built(tmp_path, ["<a/>", "<a> <b>–</b> </a>"])
    assert (len(index.documents), len(index.terms), index.tokens, index.units) == (2, 0, 0, 0)
    assert index.term("a") == -1


@pytest.mark.parametrize(("met", "near"), [(1, 1), (2, 3), (4, 64), (1000, 64)])
def test_words_are_found_by_halves(
    met: int, near: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is kept in memory of the way to them, and however many are read together."""
    monkeypatch.setattr(index_module, "_MET", met)
    monkeypatch.setattr(index_module, "_NEAR", near)
    words = [f"w{k}x" for k in range(0, 200, 3)] + ["été", "中文"]
    index = built(tmp_path, [f"<a>{' '.join(words)}</a>"], Settings(PROFILE, stemmer="none"))
    texts = [text.encode() for text in index.terms]
    for _ in range(2):  # the second time the way is known
        for text in ("", *index.terms, *(f"w{k}" for k in range(200)), "été", "\U0010ffff"):
            assert index.terms.place(text) == bisect_left(texts, text.encode())
            assert index.term(text) == (texts.index(text.encode()) if text.encode() in texts else -1)


def test_the_profile_of_the_first_document(tmp_path: Path) -> None:
    jats = "<article><front><article-meta/></front><body><p>a<italic>b</italic></p></body></article>"
    index = built(tmp_path, ["<broken", jats], Settings(stop_words="none"))
    assert index.profile.name == "jats"
    assert list(index.terms) == ["ab"]


def test_stop_words_and_stemmers(tmp_path: Path) -> None:
    (tmp_path / "stop").write_text("Bees\nDance\n")
    content = "<a>Bees dancing and dances, häuser2 Häusern</a>"
    for number, (stemmer, stop, expected) in enumerate(
        [
            ("none", "none", ["and", "bees", "dances", "dancing", "häuser2", "häusern"]),
            ("english", "english", ["\x01and", "bee", "danc", "häuser2", "häusern"]),
            (
                "german",
                str(tmp_path / "stop"),
                ["\x01bees", "and", "danc", "dancing", "haus\x021ä", "häuser2"],
            ),
        ]
    ):
        given = Settings(PROFILE, stemmer=stemmer, stop_words=stop)
        index = built(tmp_path, [content], given, f"i{number}")
        assert list(index.terms) == expected
        assert index.analyser.terms(["bees", "häuser2"], "en") == given.analyser.terms(
            ["bees", "häuser2"], "en"
        )
