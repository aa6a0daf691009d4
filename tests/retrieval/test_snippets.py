"""What people see: titles, the way in words, snippets with marks; and the index's own view of elements."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest

import inexlab
from inexlab.retrieval.snippets import Hit, breadcrumb, text_with_breaks
from tests.retrieval.trees import corpus_of, indexed

ARTICLE = """<article><title>All about bees</title><body>
<sec><title>Methods</title><sec><title>Participants</title><p>Nine <i>hi</i>ves of bees took part.</p>
<list><p>Drones, too.</p></list></sec></sec>
<sec><title>A title that is much too long to be shown on the way to anything</title><p>Wax</p></sec>
<sec><p>No title</p></sec></body></article>"""


# elements as results: what passages are is in test_answers
search = functools.partial(inexlab.search, by="elements:*", per_document="all", signs="hints")


def marked(hit: Hit) -> list[str]:
    return [hit.snippet[start:end] for start, end in hit.marks]


def test_breadcrumb() -> None:
    with indexed(ARTICLE) as index:

        def way(path: str) -> str:
            return breadcrumb(index, index.find(0, path))

        sec = "/article[1]/body[1]/sec[1]/sec[1]"
        assert way(f"{sec}/p[1]") == "Methods › Participants"
        assert way(f"{sec}/list[1]/p[1]") == "Methods › Participants"
        assert way(sec) == way(f"{sec}/title[1]") == "Methods › Participants"
        assert way("/article[1]") == way("/article[1]/body[1]/sec[3]/p[1]") == ""
        assert (
            way("/article[1]/body[1]/sec[2]/p[1]") == "A title that is much too long to be show…"[:39] + "…"
        )


def test_hits() -> None:
    with indexed(ARTICLE) as index:
        best = search(index, "hives +drones -wax", 1, task="thorough", model="gpx")
        assert len(best) == 1
        first = search(index, "hives", task="focused")[0]
        assert (first.rank, first.doc) == (1, "d0")
        assert first.title == "All about bees"
        assert first.path == "/article[1]/body[1]/sec[1]/sec[1]/p[1]"
        assert first.breadcrumb == "Methods › Participants"
        assert first.snippet == "Nine hives of bees took part."
        assert index.text(0)[first.start : first.end] == first.snippet
        assert marked(first) == ["hives"]
        assert search(index, "nowhere") == []


def test_elements_part_words_in_snippets_and_inline_mark_up_does_not() -> None:
    text = "<r><title>Bees</title><p>dan<i>ce</i></p><p> wax</p><p/><p>hive</p></r>"
    with indexed(text) as index:
        assert text_with_breaks(index, 0) == "Bees dance wax hive"
        assert text_with_breaks(index, 1) == "Bees"
        [hit] = search(index, "bees dance wax hive")
        assert marked(hit) == ["Bees", "dance", "wax", "hive"]


def test_a_snippet_shows_the_most_different_terms() -> None:
    text = "bees " + "nothing " * 60 + "bees of wax\nand hive " + "else " * 60 + "bees bees bees"
    with indexed(f"<r>{text}</r>") as index:
        [hit] = search(index, "bees wax hive -else")
        assert marked(hit) == ["bees", "wax", "hive"]
        assert "\n" not in hit.snippet
        assert len(hit.snippet) <= 190
        assert hit.snippet.startswith("nothing")  # a little before the first match, from a whole word on


def test_words_match_by_their_stems() -> None:
    with indexed("<r>Dancing bees danced.</r>", stemmer="english") as index:
        assert marked(search(index, "dance")[0]) == ["Dancing", "danced"]


def test_paths_and_elements_of_the_index() -> None:
    corpus = corpus_of(ARTICLE)
    with indexed(ARTICLE, "<r>d0</r>") as index:
        for number, element in enumerate(corpus.elements):
            assert index.path(number) == element.path
            assert index.find(0, element.path) == number
            start, end = index.span(number)
            assert index.text(0)[start:end] == element.text
            assert index.document_of(number) == 0
        assert index.find(0, "/") == 0
        assert index.path(index.find(0, "/article/body/sec")) == "/article[1]/body[1]/sec[1]"
        for nowhere in (
            "/article[2]",
            "/article[1]/sec[1]",
            "/nothing",
            "/article[1]/body[1]/sec[4]",
            "x[",
            "/r[1]",
        ):
            assert index.find(0, nowhere) == -1
        assert index.find(1, "/r[1]") == len(corpus.elements)
        assert list(index.documents) == ["d0", "d1"]
        assert index.documents[-1] == "d1"
        assert index.documents[:1] == ["d0"]
        with pytest.raises(IndexError):
            index.documents[2]
        assert "2 documents" in repr(index)


def test_at_top_level(tmp_path: Path) -> None:
    with indexed(ARTICLE) as index:
        assert inexlab.search(index.folder, "wax", 1) == inexlab.search(
            inexlab.open_index(index.folder), "wax", 1
        )
    with pytest.raises(inexlab.InexlabError, match="no such index"):
        inexlab.open_index(tmp_path / "nowhere")


def test_skipped_parts_and_punctuation_in_snippets() -> None:
    text = "<r><p>bees (<q>wax</q>), hive<x> bees wax hive dance</x> dance</p></r>"
    with indexed(text) as index:
        assert text_with_breaks(index, 0) == "bees (wax), hive dance"
        assert text_with_breaks(index, 1) == text_with_breaks(index, 0)
        assert text_with_breaks(index, 0, skipped=True) == "bees (wax), hive bees wax hive dance dance"
        [hit] = search(index, "bees wax hive dance")
        assert marked(hit) == ["bees", "wax", "hive", "dance"]


def test_sentences_are_parted_and_brackets_stay_closed() -> None:
    with indexed("<r><p>Bees.</p><p>(A) wax (<q>x</q>)</p><p>“So”</p></r>") as index:
        assert text_with_breaks(index, 0) == "Bees. (A) wax (x) “So”"


def test_a_snippet_of_a_text_without_spaces_has_the_match_in_it() -> None:
    with indexed(f"<r>{'蜜蜂，' * 300}蜂蜡，{'蜜蜂，' * 300}</r>") as index:
        [hit] = search(index, "蜂蜡")
        assert marked(hit) == ["蜂蜡"]
        assert len(hit.snippet) <= 190


def test_the_title_of_the_document_is_no_part_of_the_way() -> None:
    title = "A title of an article that is so long that it would be cut"
    front = f"<front><title>{title}</title><p>bees</p></front>"
    text = f"<article>{front}<sec><title>Wax</title><p>hive</p></sec></article>"
    with indexed(text) as index:
        assert [search(index, word)[0].breadcrumb for word in ("bees", "hive")] == ["", "Wax"]
        assert search(index, "bees")[0].title == title
