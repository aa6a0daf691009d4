"""Small collections for tests: indexes of documents written out, and random trees with mixed content."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from hypothesis import strategies as st

from inexlab.collection.profile import Profile
from inexlab.index.build import Settings, build_index
from inexlab.index.index import Index, open_index
from inexlab.retrieval.ranking import Ranking
from inexlab.topics.nexi import parse_nexi
from inexlab.topics.query import CASQuery, COQuery, Term
from tests.oracles.elements import Corpus, Element

# `i` is inline, `x` is skipped; `title` is a title; of no other tag of the trees anything is to be inferred.
PROFILE = Profile(
    "test",
    "for tests",
    roots=("r",),
    inline=("i",),
    skip=("x",),
    titles=("title",),
    document_titles=("title",),
    sections=("a", "b", "p"),
)
STOP = frozenset({"the", "of"})
WORDS = ("bee", "wax", "hive", "dance", "queen", "the", "12")
FREQUENT = ("bee", "wax", "bee", "wax", "the", *WORDS)  # so that phrases of them are there


_WRITTEN = (*FREQUENT, "Bee", "Wax")  # some words may begin a sentence


@contextlib.contextmanager
def indexed(
    *documents: str, profile: Profile = PROFILE, stemmer: str = "none", stop_words: str = "english"
) -> Iterator[Index]:
    """Give an index of documents with the ids d0, d1 and so on."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "index"
        build_index(
            [(f"d{k}", f"d{k}.xml", text.encode()) for k, text in enumerate(documents)],
            out,
            Settings(profile=profile, stemmer=stemmer, stop_words=stop_words),
        )
        yield open_index(out)


def corpus_of(*documents: str) -> Corpus:
    """Read the same documents for the oracle."""
    return Corpus(documents, inline=PROFILE.inline, skip=PROFILE.skip)


def terms(query: str) -> tuple[Term, ...]:
    """Return the terms of a keyword query."""
    parsed = parse_nexi(query)
    assert isinstance(parsed, COQuery)
    return parsed.terms


def structured(query: str) -> CASQuery:
    """Return a structured query."""
    parsed = parse_nexi(query)
    assert isinstance(parsed, CASQuery)
    return parsed


def described(index: Index, ranking: Ranking) -> list[tuple[str, str]]:
    """Return documents and paths of a ranking."""
    rows = zip(ranking.element.tolist(), ranking.document.tolist(), strict=True)
    return [(index.documents[document], index.path(element)) for element, document in rows]


def of_elements(corpus: Corpus, ranking: Ranking) -> list[Element]:
    """Return the oracle's elements of a ranking: both number elements in the order of the collection."""
    return [corpus.elements[e] for e in ranking.element.tolist()]


@st.composite
def elements(draw: st.DrawFn, depth: int = 3, tags: Sequence[str] = ("a", "b", "p", "i", "i", "x")) -> str:
    """Draw an element with mixed content; words may run on from one piece to the next."""
    tag = draw(st.sampled_from(tags))
    pieces = [draw(_texts())]
    if depth:
        for _ in range(draw(st.integers(0, 3))):
            pieces += [draw(elements(depth - 1, tags)), draw(_texts())]
    return f"<{tag}>{''.join(pieces)}</{tag}>"


def _texts() -> st.SearchStrategy[str]:
    return st.lists(
        st.builds("{}{}".format, st.sampled_from(_WRITTEN), st.sampled_from((" ", " ", ", ", "", ". "))),
        max_size=4,
    ).map("".join)


def documents(most: int = 4) -> st.SearchStrategy[list[str]]:
    """Draw some documents of which the first has a word at least."""
    drawn = st.lists(st.lists(elements(), max_size=3), min_size=1, max_size=most)
    return drawn.map(
        lambda all_of_them: [
            f"<r>{'bee ' if not k else ''}{''.join(parts)}</r>" for k, parts in enumerate(all_of_them)
        ]
    )


def queries() -> st.SearchStrategy[str]:
    """Draw keyword queries with phrases, wanted and unwanted terms."""
    words = st.sampled_from(WORDS)
    phrase = st.lists(st.sampled_from(FREQUENT), min_size=2, max_size=3).map(
        lambda some: f'"{" ".join(some)}"'
    )
    hyphened = st.builds("{}-{}".format, words, words)
    term = st.builds("{}{}".format, st.sampled_from(("", "", "+", "-")), words | words | phrase | hyphened)
    return st.lists(term, min_size=1, max_size=4).map(" ".join)


def texts(many: Iterable[Element]) -> list[str]:
    """Return paths with the number of the document, for messages of failing tests."""
    return [f"{e.document}{e.path}" for e in many]
