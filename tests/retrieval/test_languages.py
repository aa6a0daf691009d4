"""Words of any language are found as people write them."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

import bm25s
import numpy as np
import pytest
import Stemmer

from inexlab.api.searching import search
from inexlab.errors import InputError, UnknownNameError
from inexlab.index import analysis
from inexlab.index.analysis.languages import LANGUAGES
from inexlab.index.analysis.words import words
from inexlab.index.build import Settings, build_index
from inexlab.index.index import Index, open_index
from inexlab.index.indexing import append_documents, index_documents, remove_documents
from inexlab.index.merge import merge_indexes
from inexlab.index.store import files_folder
from inexlab.retrieval.candidates import candidates
from inexlab.retrieval.model import parse_weighting
from inexlab.retrieval.searching import search_articles, search_elements
from inexlab.retrieval.terms import query_analyser, query_terms
from tests.retrieval.trees import PROFILE, terms

VOCABULARIES = Path(__file__).parents[3] / "shared" / "data" / "vocabularies"
BM25 = parse_weighting("bm25")


@contextlib.contextmanager
def indexed(*documents: str, given: Settings | None = None) -> Iterator[Index]:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "index"
        contents = [(f"d{k}", f"d{k}.xml", text.encode()) for k, text in enumerate(documents)]
        build_index(contents, out, given or Settings(PROFILE))
        yield open_index(out)


def found(index: Index, query: str, **how: object) -> list[str]:
    """The documents that answer a query, best first."""
    hits = search(index, query, 100, task="thorough", **how)  # type: ignore[arg-type]
    return list(dict.fromkeys(hit.doc for hit in hits))


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Herr Müller", "muller"),
        ("Herr Müller", "MÜLLER"),
        ("in der Straße", "strasse"),
        ("die STRASSE", "straße"),
        ("ein cafe\u0301 hier", "cafe"),
        ("ein cafe\u0301 hier", "café"),
        ("ein cafe hier", "café"),
        ("μῆνιν ἄειδε θεὰ", "μηνιν"),
        ("東京都に住む", "東京"),
        ("東京都に住む", "京都に"),
        ("東京都に住む", "都"),
        ("東京都に住む", "む"),
        ("ภาษาไทย", "ไทย"),
        ("ພາສາລາວ", "ລາວ"),
        ("ភាសាខ្មែរ", "ខ្មែរ"),
        ("မြန်မာဘာသာ", "ဘာသာ"),
        ("यह हिन्दी है", "हिन्दी"),
        ("infor\u00admation", "information"),
        ("information", "infor\u00admation"),
        ("I don't", "don't"),
        ("e.g. this", "e.g."),
        ("in C++ and", "C++"),
        ("is 3.14 today", "3.14"),
        ("an α-helix", "α-helix"),
        ("an α-helix", "helix"),
        ("of p53", "P53"),
        ("state-of-the-art", "state-of-the-art"),
        ("state of the art", "state-of-the-art"),
        ("doi 10.7554/eLife.00003", "10.7554/eLife.00003"),
        ("ＦＵＬＬ width", "full"),
        ("Ёлка", "елка"),
        ("Œuvres", "oeuvres"),
        ("ΟΔΟΣ", "οδός"),
        ("to be or not to be", '"to be or not to be"'),
    ],
)
def test_words_are_found_as_people_write_them(text: str, query: str) -> None:
    with indexed("<a>other words</a>", f"<a>{text}</a>") as index:
        assert found(index, query) == ["d1"]


def test_what_is_not_meant_is_not_found() -> None:
    with indexed("<a>C and C# 3 of 14</a>", "<a>in 1999</a>") as index:
        assert found(index, "C++") == []
        assert found(index, "3.14") == []
        assert found(index, "C#") == ["d0"]


def test_variants_are_one_term() -> None:
    with indexed("<a><p>muller müller</p><p>müller</p><p>x</p></a>", "<a>mueller</a>") as index:
        one = query_terms(index, terms("muller"))
        assert (one.names, one.frequency.tolist()) == (("muller",), [3])
        assert one.units_with.tolist() == [3]  # two paragraphs and their document, each once
        assert query_terms(index, terms("müller")).positions[0].tolist() == one.positions[0].tolist()
        exact = query_terms(query_analyser(index, exact=True), terms("muller"))
        assert (exact.frequency.tolist(), exact.units_with.tolist()) == ([1], [2])
        # as if there were no accents anywhere
        with indexed("<a><p>muller muller</p><p>muller</p><p>x</p></a>", "<a>mueller</a>") as plain:
            assert (
                search_elements(index, terms("müller"), BM25).score.tolist()
                == search_elements(plain, terms("muller"), BM25).score.tolist()
            )


def test_of_equal_scores_the_exact_form_comes_first() -> None:
    texts = ["<a>café x</a>", "<a>cafe x</a>", "<a>càfe x</a>"]
    with indexed(*texts) as index:
        assert found(index, "cafe") == ["d1", "d0", "d2"]
        assert found(index, "càfe") == ["d2", "d0", "d1"]
        assert found(index, "café") == ["d0", "d1", "d2"]
        assert found(index, "//a[about(., càfe)]") == ["d2", "d0", "d1"]
        assert found(index, "càfe", exact=True) == ["d2"]
        assert search(index, "cafe", 1)[0].doc == "d1"


@pytest.mark.parametrize(
    ("code", "plain", "accented", "others"),
    [
        ("de", "drucken", "drücken", "drücke"),
        ("de", "schon", "schön", "schöner"),
        ("es", "papa", "papá", "papás"),
        ("el", "νόμος", "νομός", "νομού"),
        ("fr", "mange", "mangé", "mangés"),
        ("tr", "sureci", "süreci", "süreç"),
    ],
)
def test_forms_are_told_apart_whatever_a_stemmer_takes_off(
    code: str, plain: str, accented: str, others: str
) -> None:
    texts = [f"<a xml:lang='{code}'>x {text}</a>" for text in (accented, plain, others)]
    with indexed(*texts) as index:
        assert set(found(index, plain)) == set(found(index, accented)) == {"d0", "d1", "d2"}
        assert (found(index, plain)[0], found(index, accented)[0]) == ("d1", "d0")
        assert found(index, plain, exact=True) == ["d1"]
        assert "d0" in found(index, accented, exact=True)
        assert "d1" not in found(index, accented, exact=True)
        scores = {
            hit.score for query in (plain, accented) for hit in search(index, query, 9, task="thorough")
        }
        assert len(scores) == 1  # one term


def test_stop_words_in_phrases_without_accents() -> None:
    text = "<a xml:lang='de'>Alles {} uns und nur {} dich</a>"
    with indexed(text.format("über", "für"), text.format("uber", "fur")) as index:
        assert set(found(index, '"für dich"')) == set(found(index, '"fur dich"')) == {"d0", "d1"}
        assert found(index, '"für dich"', exact=True) == ["d0"]
        assert found(index, '"alles über uns"')[0] == "d0"


def test_accents_do_not_matter_to_stemmers() -> None:
    """Whatever a stemmer makes of a word with accents and of the same without."""
    french = "<a xml:lang='fr'>les étés élégants étaient déjà passés, où les fenêtres s’ouvrirent</a>"
    with indexed("<a xml:lang='fr'>autre</a>", french) as index:
        for word in ("étés", "etes", "elegants", "passes", "fenetres", "fenetre", "FENÊTRE"):
            assert found(index, word) == ["d1"], word


def test_each_element_in_its_language() -> None:
    text = (
        "<a xml:lang='de'><p>Die Häuser</p><p lang='en'>The houses die</p><p xml:lang=''>the maisons</p></a>"
    )
    with indexed(text) as index:
        assert set(index.terms) == {"\x01die", "\x01the", "haus\x021ä", "hous", "die", "maison"}
        assert index.languages == {"en": 5, "de": 2}
        assert "/a[1]/p[2]" in [hit.path for hit in search(index, "die", language="en")]
        assert found(index, "Haus") == found(index, "house") == ["d0"]


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("en", "The cat sat on the mat and it was not happy with that."),
        ("de", "Der Hund ist nicht in dem Haus, aber er wird bald kommen."),
        ("fr", "Le chat est dans la maison et il ne veut pas sortir."),
        ("es", "El perro no está en la casa, pero los niños lo buscan."),
        ("it", "Il gatto non è nella casa, ma il cane che abbaia è con me."),
        ("pt", "O gato não está em casa, mas os meninos foram com ele."),
        ("nl", "De hond is niet in het huis maar hij komt met een kat."),
        ("sv", "Hunden är inte i huset men katten som jag har är där."),
        ("da", "Hunden er ikke i huset, men han kommer med en kat af jer."),
        ("fi", "Koira ei ole talossa, mutta kissa on ja se oli myös siellä."),
        ("ru", "Собака не в доме, но кошка и я были там, что это было."),
        ("el", "Ο σκύλος δεν είναι στο σπίτι και η γάτα με το παιδί."),
        ("pl", "Pies nie jest w domu, ale kot się bawi na podwórku i to już."),
        ("cs", "Pes není v domě, ale kočka se tam hraje a je to tak, že by."),
        ("hu", "A kutya nincs a házban, de a macska és az egér is ott van, hogy."),
        ("tr", "Köpek evde değil ama bir kedi ve bu fare çok güzel, ne için."),
        ("ar", "الكلب ليس في البيت و لكن القط على السطح من هذا الذي كان"),
        ("hi", "कुत्ता घर में नहीं है और बिल्ली के साथ यह भी है"),
    ],
)
def test_the_language_is_guessed(code: str, text: str) -> None:
    with indexed(f"<a>{text}</a>") as index:
        assert list(index.languages) == [code]


def test_a_language_for_all(tmp_path: Path) -> None:
    text = "<a xml:lang='fr'>Häuser der Straße</a>"
    with indexed(text, given=Settings(PROFILE, "de")) as index:
        assert set(index.terms) == {"haus\x021ä", "\x01der", "strass"}
        assert index.languages == {"de": 3}
    with indexed(text, given=Settings(PROFILE, "none")) as index:
        assert set(index.terms) == {"häuser", "der", "strasse"}
        assert found(index, "hauser") == ["d0"]
    with pytest.raises(UnknownNameError, match="unknown language 'xx'"):
        build_index([], tmp_path / "index", Settings(PROFILE, "xx"))


def test_the_language_of_a_query() -> None:
    with indexed("<a xml:lang='de'>ein Running Gag</a>", "<a xml:lang='en'>he runs</a>") as index:
        assert set(found(index, "running")) == {"d0", "d1"}
        assert found(index, "running", language="de") == ["d0"]
        assert found(index, "running", language="en") == ["d1"]
        with pytest.raises(UnknownNameError, match="unknown language of this index 'fr'"):
            found(index, "running", language="fr")


def test_every_stemmer_has_a_language() -> None:
    """But for other versions of two of them."""
    named = {one.stemmer for one in LANGUAGES.values()}
    assert {*Stemmer.algorithms()} - named == {"porter", "dutch_porter"}
    assert named <= {*Stemmer.algorithms()}


def test_stop_words_have_places() -> None:
    with indexed(
        "<a><t>To be or not to be</t><p>that is the question</p></a>",
        "<a>be to not or be to</a>",
        "<a>state of the art</a>",
        "<a>the state and the art of it</a>",
    ) as index:
        assert [hit.path for hit in search(index, '"to be or not to be"')] == ["/a[1]/t[1]"]
        assert found(index, '"state of the art"')[0] == "d2"
        assert found(index, '"the state and"') == ["d3", "d2"]
        assert found(index, "to be") == []
        assert found(index, '"that is the question"') == ["d0"]
        [hit] = search(index, '"to be or not to be"')
        assert [hit.snippet[a:b] for a, b in hit.marks] == ["To", "be", "or", "not", "to", "be"]


def test_a_run_is_a_phrase() -> None:
    with indexed(
        "<a>東京都に住む</a>", "<a>京都と東京</a>", "<a>東<i>京</i>都</a>", "<a><p>東京</p><p>都</p></a>"
    ) as index:
        assert found(index, "東京都")[:2] == ["d2", "d0"]
        assert query_terms(index, terms("東京都")).names == ("東京", "京都", "東京 京都")
        phrase = query_terms(index, terms("東京都")).positions[2]
        assert len(phrase) == 2  # nor across the border of an element
        [hit] = [hit for hit in search(index, "東京都") if hit.doc == "d0"]
        assert [hit.snippet[a:b] for a, b in hit.marks] == ["東京都"]


# --- what an index says --------------------------------------------------------------------------------


def test_another_analysis_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build_index([("d", "d.xml", b"<a>bee</a>")], tmp_path / "index")
    assert open_index(tmp_path / "index").manifest["analysis"] == analysis.analysis_name()
    monkeypatch.setattr(analysis, "VERSION", 0)
    with pytest.raises(InputError, match=r"another analysis of words \(3, .*; this is 0, .*Build it again"):
        open_index(tmp_path / "index")


DOCUMENTS = {
    "a": "<a xml:lang='de'><p>Die Häuser</p><p lang='en'>the houses, cafés</p></a>",
    "b": "<a><p>le café est dans la maison</p><p xml:lang='ja'>東京都</p></a>",
    "c": "<a><p>the naïve cafe in the house</p><p xml:lang='de'><p xml:lang=''>Müller</p></p></a>",
    "d": "<a>mu\u0308ller \r 3.14 C&#43;+</a>",
}


def test_languages_and_variants_merge_and_are_written_again(tmp_path: Path) -> None:
    def contents(name: str) -> dict[str, bytes]:
        return {file.name: file.read_bytes() for file in files_folder(tmp_path / name).iterdir()}

    def build(name: str, ids: str) -> None:
        documents = [(id, f"{id}.xml", DOCUMENTS[id].encode()) for id in ids]
        build_index(documents, tmp_path / name, Settings(PROFILE, ids="name"))

    for name in ("abcd", "ab", "cd", "acd"):
        build(name, name)
    merge_indexes([tmp_path / "ab", tmp_path / "cd"], tmp_path / "merged")
    assert contents("merged") == contents("abcd")
    remove_documents(["b"], tmp_path / "merged")
    assert contents("merged") == contents("acd")
    index = open_index(tmp_path / "merged")
    assert set(found(index, "muller")) == {"c", "d"}
    assert set(found(index, "cafe")) == {"a", "c"}


def test_append_keeps_the_analysis(tmp_path: Path) -> None:
    (tmp_path / "one.xml").write_text("<a>Häuser</a>", encoding="utf-8")
    (tmp_path / "two.xml").write_text("<a>the houses</a>", encoding="utf-8")
    index_documents([tmp_path / "one.xml"], tmp_path / "index", Settings(PROFILE, "de"))
    summary = append_documents([tmp_path / "two.xml"], tmp_path / "index")
    assert dict(summary.languages) == {"de": 3}


def test_english_without_folding_equals_bm25s() -> None:
    """The same tokens give the same scores."""
    texts = [
        "The bees dance in the dark hive; a café for bees, cafe or not.",
        "State-of-the-art dances of p53 and C++ 3.14, don't dance.",
        "Hives, hives, and the queen of the hive.",
        "A queen bee dances.",
    ]
    with indexed(*(f"<a>{text}</a>" for text in texts)) as index:
        how = query_analyser(index, exact=True)
        rows = [index.analyser.terms([word.token for word in words(text)], "en") for text in texts]
        peer = bm25s.BM25(k1=1.2, b=0.75, method="lucene", dtype="float64")
        peer.index(rows, show_progress=False)
        for query in ("bees", "dancing queen", "cafe", "café", "hive dark p53", "3.14"):
            ranking = search_articles(how, terms(query), BM25)
            got = np.zeros(len(texts))
            got[ranking.document] = ranking.score
            wanted = index.analyser.terms([word.token for word in words(query)], "en")
            assert got == pytest.approx(peer.get_scores(wanted), abs=1e-6), query


def test_tokens_of_plain_english_are_those_of_bm25s() -> None:
    """Of words of two letters or more, and without signs: bm25s leaves out shorter ones."""
    text = "The Bees DANCE in the dark hive: p53, café (or not) of 1999; no naïve wasps."
    peer = bm25s.tokenize(text, stopwords=[], return_ids=False, show_progress=False)
    assert [word.token for word in words(text)] == peer[0]


def test_units_of_variants_are_those_of_their_union() -> None:
    with indexed("<a><p>café</p><p>cafe</p><p>café cafe</p></a>") as index:
        one = query_terms(index, terms("cafe"))
        assert one.units_with.tolist() == [len(candidates(index, one.positions))] == [4]


def test_the_stop_words_of_a_query_are_those_of_its_language() -> None:
    german = "<a xml:lang='de'>Krieg war to or not</a>"
    with indexed(german, german, "<a xml:lang='en'>to be or not to be at war</a>") as index:
        assert found(index, '"to be or not to be"') == ["d2"]
        assert found(index, "war") == []  # to be, in German
        assert found(index, "war", language="en") == ["d2"]
        assert found(index, "not to be at war") == ["d2"]


# --- samples of real collections -----------------------------------------------------------------------

# what a query finds first: a part of the document's name, and a word of the snippet
SAMPLES = [
    ("αχιλλευς", "grc", "Ἀχιλλεὺς"),
    ("θεοι", "grc", "θεοί"),
    ("Σωκρατης", "grc", "Σωκράτης"),
    ("ανθρωπος", "grc", "ἄνθρωπος"),
    ("πολις", "grc", "πόλις"),
    ("ορεστης", "grc", "Ὀρέστης"),
    ("ΠΟΛΙΣ", "grc", "πόλις"),
    ("schloss", "kleist", "Schloß"),
    ("könig", "widmann", "König"),
    ("konig", "widmann", "König"),
    ("muller", "eng", "Müller"),
    ("strasse", "birch-pfeiffer", "Straße"),
    ("gluck", "sachs", "Glück"),
    ("madchen", "holz", "Mädchen"),
    ("fraulein", "kleist", "Fräulein"),
    ("häuser", "stramm", "Haus"),
    ("liebe", "hofmannsthal", "Liebe"),
    ("wrath", "eng", "wrath"),
    ("socrates", "eng", "Socrates"),
    ("platonic questions", "eng", "PLATONIC"),
    ('"the gods"', "eng", "gods"),
    ("tyrants", "eng", "tyrant"),
]


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Index:
    archives = [VOCABULARIES / f"{name}.tar.xz" for name in ("perseus", "gerdracor")]
    for archive in archives:
        if not archive.exists():
            pytest.skip(f"the samples (shared/data/vocabularies/{archive.name}) are not here")
    out = tmp_path_factory.mktemp("samples") / "index"
    index_documents(archives, out)
    return open_index(out)


def test_languages_of_samples(samples: Index) -> None:
    assert list(samples.languages)[:3] == ["de", "en", "grc"]


@pytest.mark.parametrize(("query", "document", "word"), SAMPLES)
def test_queries_over_samples(samples: Index, query: str, document: str, word: str) -> None:
    hits = search(samples, query, 5, by="elements:*")
    assert hits
    assert document in hits[0].doc
    marked = [hit.snippet[a:b] for hit in hits for a, b in hit.marks]
    assert word in marked or word.capitalize() in marked
