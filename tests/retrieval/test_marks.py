"""What is marked is what the index found: its words, in their languages, and the words of its phrases."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import inexlab
from inexlab.collection.profile import Profile, read_profile
from inexlab.index.analysis.words import words
from inexlab.index.build import Settings
from inexlab.index.index import Index
from inexlab.retrieval.document_words import document_words
from inexlab.retrieval.matching import matches, matching
from inexlab.retrieval.phrases import phrase_positions
from inexlab.retrieval.snippets import text_with_breaks
from inexlab.retrieval.terms import query_analyser
from inexlab.spans import Span, union
from inexlab.topics.query import COQuery, Term
from inexlab.web.lab import Lab
from inexlab.web.shelf import Shelf
from tests.examples import examples
from tests.retrieval.test_languages import indexed
from tests.retrieval.test_sharded import indexes
from tests.retrieval.trees import PROFILE, terms

TABLE = (
    "<table><row><cell>3</cell><cell>.5 mm</cell><cell>alpha</cell><cell>&#x301;beta</cell>"
    "<cell>9</cell><cell>,000</cell></row></table>"
)
TWO_LANGUAGES = (
    '<r><p xml:lang="de">Die der das ist ein Haus die die.</p><p xml:lang="en">They die of it</p></r>'
)

search = functools.partial(inexlab.search, by="articles")


def marked(index: Index, query: str, **how: object) -> list[str]:
    """What is marked in the best result, which there is."""
    hit = search(index, query, **how)[0]  # type: ignore[arg-type]
    return [hit.snippet[start:end] for start, end in hit.marks]


@contextlib.contextmanager
def both(*texts: str, profile: Profile = PROFILE) -> Iterator[tuple[Index, Index]]:
    """Give one index of texts and another document, and the same in shards."""
    with indexes([*texts, "<r>wholly other</r>"], [1], Settings(profile)) as pair:
        yield pair


def test_signs_beyond_inline_mark_up_belong_to_no_word() -> None:
    text = (
        "<html><body><p>The vitamin <b>C</b>++ tastes good, as reference<sup>1</sup>,<sup>2</sup> says.</p>"
        "</body></html>"
    )
    with both(text, profile=read_profile("html")) as pair:
        for index in pair:
            [hit] = search(index, "C")
            assert hit.snippet == "The vitamin C++ tastes good, as reference1,2 says."
            assert hit.marks == ((12, 13),)
            assert search(index, "2")[0].marks == ((43, 44),)
            assert marked(index, "tastes reference1") == ["tastes", "reference1"]
            assert list(search(index, "C++")) == []


@pytest.mark.parametrize(
    ("query", "marks"),
    [
        ("3", (0, 1)),
        ("5", (3, 4)),
        ("alpha", (8, 13)),
        ("beta", (15, 19)),
        ("9", (20, 21)),
        ("000", (23, 26)),
    ],
)
def test_the_border_of_an_element_parts_signs_and_marks(query: str, marks: tuple[int, int]) -> None:
    with both(TABLE) as pair:
        for index in pair:
            [hit] = search(index, query)
            assert hit.snippet == "3 .5 mm alpha \u0301beta 9 ,000"
            assert hit.marks == (marks,)


def test_a_gap_where_words_would_run_together_and_not_before_punctuation() -> None:
    pieces = (
        "C",
        "++",
        "F",
        "#",
        "a",
        ", b",
        "c",
        "; d",
        "20",
        "\N{DEGREE CELSIUS}",
        "x",
        "\u00ad",
        "y",
        "z",
        ".",
    )
    with indexed(f"<r>{''.join(f'<a>{piece}</a>' for piece in pieces)}</r>") as index:
        assert text_with_breaks(index, 0) == "C ++ F # a, b c; d 20 \N{DEGREE CELSIUS} x\u00ad y z."


def test_a_word_is_marked_in_the_language_it_is_in() -> None:
    with both(TWO_LANGUAGES) as pair:
        for index in pair:
            [hit] = search(index, "die", language="en")
            assert hit.marks == ((39, 42),)
            assert hit.snippet[34:42] == "They die"
            assert marked(index, "haus") == ["Haus"]
    english = '<r xml:lang="en">More words in English than in German, which is not what they die of.</r>'
    with indexed(TWO_LANGUAGES, english) as index:
        assert Shelf(Lab(index)).matches("d0", terms("die")) == (Span(38, 41),)
        assert [hit.marks for hit in search(index, "die") if hit.doc == "d0"] == [((39, 42),)]


def test_no_language_is_the_one_that_is_guessed() -> None:
    text = '<r xml:lang="de">Die Häuser <i xml:lang="">the maisons</i> und der das die</r>'
    with both(text) as pair:
        for index in pair:
            assert marked(index, "maison", language="en") == ["maisons"]
            assert marked(index, "Haus maison") == ["Häuser", "maisons"]


def test_an_index_of_one_language_leaves_aside_what_elements_declare() -> None:
    with indexed(TWO_LANGUAGES, given=Settings(PROFILE, language="en")) as index:
        assert marked(index, "die") == ["Die", "die", "die", "die"]


def test_the_words_of_a_phrase_are_marked_where_they_stand_in_a_row() -> None:
    text = "<r>The state of the art is state-of-the-art, and art of the state is the art.</r>"
    with both(text) as pair:
        for index in pair:
            [hit] = search(index, "state-of-the-art")
            together = ["state", "of", "the", "art"]
            assert [hit.snippet[a:b] for a, b in hit.marks] == [*together, *together, "art", "state", "art"]
            assert hit.marks[:4] == ((4, 9), (10, 12), (13, 16), (17, 20))
            assert marked(index, '"of the"') == ["of", "the"] * 3
            assert marked(index, '"is the art"') == ["art", "art", "art", "is", "the", "art"]
            assert marked(index, 'state -"of the"', signs="hints") == ["state"] * 3
            unwanted = marked(index, '"the state" state -"art is"', signs="hints")
            assert unwanted == ["The", "state", "state", "the", "state"]


def test_phrases_of_stop_words_are_marked_in_their_language() -> None:
    one = '<r xml:lang="de">Alles über uns und nur für dich, nicht für mich oder dich. Lieder.</r>'
    two = '<r xml:lang="de">Für dich.</r>'
    with both(one, two, '<r xml:lang="en">The houses of the others.</r>') as pair:
        for index in pair:
            for query in ('"für dich"', '"FUR dich"'):
                long, short = sorted(search(index, query), key=lambda hit: hit.doc)
                assert long.marks == ((23, 26), (27, 31))
                assert short.marks == ((0, 3), (4, 8))
            assert marked(index, 'lieder "für dich"') == ["für", "dich", "Lieder"]
        spans = Shelf(Lab(pair[0])).matches("d0", terms('lieder "für dich"'))
        assert spans == (Span(23, 26), Span(27, 31), Span(59, 65))


def test_stop_words_of_a_phrase_are_shown_where_it_is() -> None:
    text = f"<r>To go or to be. Not the or of.{' Nothing more.' * 30} To be or not to be.</r>"
    with indexed(text) as index:
        assert marked(index, '"to be or not to be"') == ["To", "be", "or", "not", "to", "be"]


def test_a_phrase_ends_at_the_border_of_an_element_with_words() -> None:
    text = "<r><p>bee</p><p>wax <i>bee</i><br/><x>hive</x> wax</p><p>the <a>bee</a> wax</p></r>"
    with both(text) as pair:
        for index in pair:
            assert marked(index, '"the bee" wax', signs="hints") == ["bee", "wax", "bee", "wax", "bee", "wax"]
            assert marked(index, '"bee wax"') == ["bee", "wax", "bee", "wax", "bee", "wax"]
        found = document_words(pair[0], 0)
        analyser = query_analyser(pair[0])
        [phrase] = matching(analyser, terms('"bee wax"')).phrases
        row = matches(analyser, found, matching(analyser, terms('"bee wax"'))._replace(single={}))
        assert len(phrase) == 2
        assert [(word.start, word.token) for word in row] == [(7, "bee"), (15, "wax")]


def test_a_pair_of_letters_is_marked_as_far_as_it_is_in_the_passage() -> None:
    with indexed("<r>東京都に<i>住</i>む。 bees</r>") as index:
        analyser, run = query_analyser(index), matching(query_analyser(index), terms("京都"))

        def places(start: int, end: int) -> list[tuple[int, int]]:
            found = matches(analyser, document_words(index, 0, Span(start, end)), run)
            return [(word.start, word.end) for word in found]

        assert places(0, 6) == places(0, 2) == places(1, 2) == [(1, 3)]
        assert places(2, 6) == []  # it begins before
        for by, shown, mark in (("windows:2c", "東京", (1, 2)), ("windows:3c", "東京都", (1, 3))):
            [hit] = inexlab.search(index, "京都", by=by)
            assert (hit.snippet, hit.marks) == (shown, (mark,))


@pytest.mark.parametrize("element", [0, 1])
def test_words_of_a_stretch_are_those_of_the_document_that_begin_in_it(element: int) -> None:
    text = (
        "Bees C++, 3.14, 1,000<i>.5 a<b/>\u0301</i>東京都に<i>住</i>む。 "
        "<x>wax 5</x>C<!-- -->#x a.b+20\N{DEGREE CELSIUS}x ຫ<i>ນ</i>"
    )
    with indexed(f"<r><i>{text}</i></r>") as index:
        whole, (start, end) = document_words(index, 0).words, index.span(0)
        assert len(whole) > 15
        for a in range(start, end + 1):
            for b in range(a, end + 1):
                found = document_words(index, element, Span(a, b)).words
                assert found == [word for word in whole if a <= word.start < b]


_PIECES = (
    *("Bees dance", "the", "of the", "die", "Die Häuser", "café", "cafe", "C", "++", "#", "3", ".14", ","),
    *(
        "東京都",
        "に",
        "蜂",
        "ภาษา",
        "\u0301",
        "\u200b",
        "\N{DEGREE CELSIUS}",
        "ຫ",
        "ນ",
        "wax-hive",
        " ",
        " ",
        ". ",
    ),
)
_LANGUAGES = ("", "", "", ' xml:lang="de"', ' xml:lang="en"', ' xml:lang="ja"')


@st.composite
def _elements(draw: st.DrawFn, depth: int = 2) -> str:
    tag, language = draw(st.sampled_from("aaiiipx")), draw(st.sampled_from(_LANGUAGES))
    return f"<{tag}{language}>{draw(_contents(depth))}</{tag}>"


def _contents(depth: int) -> st.SearchStrategy[str]:
    texts = st.sampled_from(_PIECES)
    parts = texts | texts | _elements(depth - 1) if depth else texts
    return st.lists(parts, max_size=5).map("".join)


_DOCUMENTS = st.builds('<r xml:lang="{}">bees {}</r>'.format, st.sampled_from(("en", "de")), _contents(3))
_QUERIES = st.lists(st.sampled_from([piece for piece in _PIECES if words(piece)]), min_size=1, max_size=3)


@examples(60)
@given(texts=st.lists(_DOCUMENTS, min_size=1, max_size=2), query=_QUERIES, exact=st.booleans())
def test_what_is_marked_is_where_the_index_has_it(texts: list[str], query: list[str], exact: bool) -> None:
    with indexed(*texts) as index:
        analyser = query_analyser(index, exact=exact)
        rows = [document_words(index, int(root)) for root in index.document_elements[:-1]]
        assert [len(row.words) for row in rows] == np.diff(index.document_tokens).tolist()
        tokens = {word.token: row.text[word.start : word.end] for row in rows for word in row.words}
        for term in [*(Term((written,)) for written in tokens.values()), Term(tuple(query))]:
            wanted = matching(analyser, (term,))
            asked = [[wanted.single], *wanted.phrases] if wanted.single else wanted.phrases
            positions = {
                place + k
                for of in asked
                for place in phrase_positions(index, [_numbers(index, texts) for texts in of]).tolist()
                for k in range(len(of))
            }
            places = [
                (document, word.start)
                for document, row in enumerate(rows)
                for word in matches(analyser, row, wanted)
            ]
            every = [(document, word.start) for document, row in enumerate(rows) for word in row.words]
            assert places == [every[place] for place in sorted(positions)]


def _numbers(index: Index, texts: object) -> list[int]:
    return [index.term(text) for text in texts if index.term(text) >= 0]  # type: ignore[attr-defined]


@examples(30)
@given(text=_DOCUMENTS)
def test_every_word_by_itself_is_marked_in_what_is_shown(text: str) -> None:
    with indexed(text) as index:
        analyser, whole = query_analyser(index), document_words(index, 0)
        for written in {whole.text[word.start : word.end] for word in whole.words}:
            query = COQuery((Term((written,)),))
            for hit in search(index, query, 99, by="elements:*", per_document="all", task="thorough"):
                element, span = index.find(0, hit.path), Span(hit.start, hit.end)
                found = matches(analyser, document_words(index, element), matching(analyser, query.terms))
                clipped = union((word.start, min(word.end, span.end)) for word in found)
                shown = "".join(hit.snippet[start:end] for start, end in hit.marks)
                assert shown or len(text_with_breaks(index, element)) > 160
                if len(text_with_breaks(index, element)) <= 160:
                    assert shown == "".join(whole.text[start:end] for start, end in clipped)


@examples(50)
@given(texts=st.lists(st.sampled_from(_PIECES) | st.text(alphabet="C3.,+# (a\u0301東ຫນ℃\u200b", max_size=4)))
def test_what_is_shown_has_the_words_of_the_index(texts: list[str]) -> None:
    with indexed(f"<r>bees {''.join(f'<a>{text}</a>' for text in texts)}</r>") as index:
        cut = [word.token for word in words(text_with_breaks(index, 0))]
        assert cut == [word.token for word in document_words(index, 0).words]
