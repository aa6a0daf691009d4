"""What is marked on the judging page: the words that the index has, and no others."""

from __future__ import annotations

from inexlab.index.build import Settings
from inexlab.index.index import Index
from inexlab.retrieval.document_words import document_words
from inexlab.web.lab import Lab
from inexlab.web.shelf import Shelf
from tests.retrieval.test_languages import indexed
from tests.retrieval.trees import PROFILE, terms

DOCUMENT = (
    "<r><title>Bees</title><p>Honey <i>C</i>++ and C++, 3.<i>14</i>, H<i>2</i>O</p><p>東京</p><p>都</p>"
    "<x>honey</x>20℃ C#<i>8</i> é<!--a--><!--b-->C++</r>"
)


def marked(index: Index, query: str) -> list[str]:
    lab = Lab(index)
    document = lab.document("d0")
    assert document is not None
    return [document.text[start:end] for start, end in Shelf(lab).matches("d0", tuple(terms(query)))]


def test_the_border_of_an_element_ends_a_word() -> None:
    with indexed(DOCUMENT) as index:
        assert marked(index, "honey") == ["Honey"]  # none of what is skipped
        assert marked(index, "bees") == ["Bees"]
        assert marked(index, "京都") == []
        assert marked(index, "東") == ["東"]
        assert marked(index, "C++") == ["C++"]
        assert marked(index, "h2o 20") == ["H2O", "20"]


def test_words_are_those_of_the_index() -> None:
    with indexed(DOCUMENT, given=Settings(PROFILE, "none")) as index:
        places = {p: index.terms[n] for n in range(len(index.terms)) for p in index.positions(n).tolist()}
        assert [word.token for word in document_words(index, 0).words] == [places[p] for p in sorted(places)]
