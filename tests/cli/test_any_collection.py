"""`inexlab index` on collections of one's own: which files, ids and entities, and what was ignored."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from inexlab.index.index import open_index
from tests.cli.conftest import Command, Write

FILES = {
    "docs/a.dita": "<topic><title>Bees</title><body><p>The dance of bees.</p></body></topic>",
    "docs/guide.md": "# Guide\n\nAbout [bees](http://hive.example).\n",
    "docs/page.html": "<title>Page</title><p>bees<p>and more<script>hidden()</script>",
    "docs/note.txt": "One bee.\n\nTwo bees.\n",
    "docs/old/draft.xml": "<a>draft of bees</a>",
    "docs/style.css": "a { }",
    "docs/.git/x.xml": "<a/>",
}


@pytest.fixture(autouse=True)
def _files(write: Write) -> None:
    for name, content in FILES.items():
        write(name, content)


def facts(text: str) -> dict[str, object]:
    (found,) = json.loads(text)
    return dict(found)


def ids(folder: str = "index") -> list[str]:
    with open_index(folder) as index:
        return list(index.documents)


def test_all_kinds_of_documents(call: Command) -> None:
    done = call("index", "docs", "--out", "index", "-o", "json")
    assert done.code == 0
    assert ids() == ["a", "guide", "note", "draft", "page"]
    found = facts(done.out)
    assert (found["profile"], found["ignored"]) == ("dita+markdown+html", 2)
    assert found["ignored: .css, not a document"] == found["ignored: .xml, hidden"] == 1
    info = facts(call("index", "--info", "index", "-o", "json").out)
    assert info == {name: fact for name, fact in found.items() if name != "left out"}
    hits = json.loads(
        call("search", "index", "//p[about(., bees)]", "--interpretation", "SSCAS", "-o", "json").out
    )
    assert {hit["doc"] for hit in hits} == {"a", "guide", "note", "page"}
    assert json.loads(call("search", "index", "hive hidden", "-o", "json").out) == []  # nobody reads these


def test_kinds_of_documents_behind_many_of_another_kind(call: Command, write: Write) -> None:
    for number in range(7):
        write(f"mixed/a{number}.xml", f"<note><p>plain note number {number} here</p></note>")
    write("mixed/page.html", "<title>T</title><p>H<sub>2</sub>O and info<b>rm</b>ation")
    assert facts(call("index", "mixed", "--out", "index", "-o", "json").out)["profile"] == "html"
    hits = json.loads(call("search", "index", "information", "-o", "json").out)
    assert [hit["doc"] for hit in hits] == ["page"]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--include", "*.md"), ["guide"]),
        (("--include", "*.md", "--include", "old"), ["guide", "draft"]),
        (("--exclude", "old"), ["a", "guide", "note", "page"]),
        (("--exclude", "old/*.xml", "--exclude", "*.t*"), ["a", "guide", "page"]),
        (("--include", "*.x*", "--exclude", "old/"), None),
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_which_files(
    call: Command, options: tuple[str, ...], expected: list[str] | None, packed: bool, tmp_path: Path
) -> None:
    if packed:
        with zipfile.ZipFile(tmp_path / "docs.zip", "w") as archive:
            for name in sorted(FILES):
                archive.write(tmp_path / name, name.removeprefix("docs/"))
    done = call("index", "docs.zip" if packed else "docs", "--out", "index", *options)
    if expected is None:
        assert done.code == 2
        assert "holds no documents" in done.notes[-1]
    else:
        assert (done.code, ids()) == (0, expected)


def test_where_most_documents_are_left_out(call: Command, write: Write) -> None:
    for k in range(4):
        write(f"broken/{k}.xml", "<a>")
    write("broken/good.xml", "<a>good</a>")
    done = call("index", "broken", "--out", "index", "-o", "json")
    assert done.code == 1
    assert done.notes[0] == "4 of 5 documents were left out"
    assert facts(done.out)["ignored: .xml, not well-formed XML"] == 4
    assert ids() == ["good"]
    assert call("index", "docs", "--append", "--out", "index").code == 0
    write("broken/good.xml", "<a>better</a>")
    done = call("index", "broken", "--append", "--out", "index")  # many documents there do not make it better
    assert (done.code, done.notes[0]) == (1, "4 of 5 documents were left out")


def test_entities_of_files(call: Command, write: Write) -> None:
    write("manual/one.xml", "<a>&product; &unknown; &nbsp;</a>")
    write("manual/two.xml", "<a>&product;</a>")
    write("outside.txt", "<!ENTITY product 'Hive 2.0'>")
    done = call("index", "manual", "--out", "none", "--strict")
    assert done.code == 2
    assert done.notes[0].startswith(
        "manual/one.xml, line 1: the entity &product; is not declared. Name the file"
    )
    done = call("index", "manual", "--out", "index", "--entities", "outside.txt", "--entities", "drop")
    assert done.code == 0
    assert "note: 1 reference to undeclared entities left out: &unknown; 1" in done.notes
    assert open_index("index").text(0) == "Hive 2.0  \xa0"
    write("manual/names.ent", "<!ENTITY product 'from among the documents'>")
    done = call("index", "manual", "--out", "other", "--jobs", "2")
    assert ids("other") == ["two"]
    assert "note: entities are declared by a file among the documents (manual/names.ent)." in done.notes
    write("manual/names.ent", "<!ENTITY product '&product;'>")
    done = call("index", "manual", "--out", "third", "--entities", "drop")
    assert "note: its entities are not used: manual/names.ent: the entity 'product' refers to itself" in str(
        done.notes
    )
    assert call("index", "manual", "--out", "fourth", "--entities", "manual/names.ent").code == 2


def test_documents_replaced_and_removed(call: Command, write: Write) -> None:
    assert call("index", "docs", "--out", "index").code == 0
    write("docs/note.txt", "Three wasps.\n")
    write("docs/new.txt", "Four ants.\n")
    done = call("index", "docs/note.txt", "docs/new.txt", "--append", "--out", "index")
    assert (done.code, done.notes) == (0, ["note: replaced 1 document (note)."])
    assert ids() == ["a", "guide", "note", "draft", "page", "new"]
    assert call("show", "index", "note").out == "Three wasps.\n"
    done = call("index", "--remove", "draft", "page", "--out", "index")
    assert (done.code, done.notes) == (0, ["note: removed 2 documents (draft, page)."])
    assert ids() == ["a", "guide", "note", "new"]
    assert call("index", "--remove", "nobody", "--out", "index").code == 2
    assert call("index", "--remove", "a", "--out", "index", "--include", "x").code == 2


def test_a_look_before_indexing(call: Command, tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    done = call("index", "--look", "docs", "--exclude", "old", "-o", "json")
    assert done.code == 0
    tags = {row["tag"]: row for row in json.loads(done.out)}
    assert tags["p"] == {
        "tag": "p",
        "elements": 6,
        "documents": 4,
        "taken for": "unit",
        "example": "The dance of bees.",
    }
    assert (tags["link-target"]["taken for"], tags["title"]["taken for"]) == ("skipped", "unit, title")
    assert done.notes[0].startswith("4 documents looked at, profile dita+markdown+html (")
    assert "ignored: 1 .xml (excluded)" in done.notes
    shown = call("index", "--look", "docs").out
    assert "docs/a.dita:\ntopic\n  title: Bees\n  body\n    p: The dance of bees.\n" in shown
    assert sorted(tmp_path.rglob("*")) == before
    assert call("index", "--look", "docs", "--out", "x").code == 2


def test_a_note_where_ids_of_a_collection_are_paths(call: Command, write: Write) -> None:
    write("docs/old/note.txt", "One bee.\n")
    write("J", "1 Q0 old/note 3 9 0 0:3\n")
    done = call("recall-base", "J", "--quant", "spec6", "--collection", "docs", "-o", "json")
    assert done.code == 0
    assert "docs/note.txt and docs/old/note.txt are both called 'note'" in done.err


def test_parts_of_an_article_are_called_by_their_titles(call: Command, write: Write) -> None:
    stub = (
        "<front-stub><title-group><article-title>Author response</article-title></title-group></front-stub>"
    )
    title = "<title-group><article-title>Bees</article-title></title-group>"
    front = f"<front><article-meta>{title}</article-meta></front>"
    caption = "<caption><title>The hive.</title><p>Seen from afar.</p></caption>"
    figure = f"<fig><label>Figure 1.</label>{caption}</fig>"
    response = f"<sub-article>{stub}<body><p>We thank them.</p></body></sub-article>"
    write("jats/one.xml", f"<article>{front}<body><p>Text.</p>{figure}</body>{response}</article>")
    assert call("index", "jats", "--out", "index").code == 0

    def way(query: str) -> tuple[str, str]:
        done = call("search", "index", query, "--interpretation", "SSCAS", "-k", "1", "-o", "json")
        (hit,) = json.loads(done.out)
        return hit["title"], hit["breadcrumb"]

    assert way("//p[about(., thank)]") == ("Bees", "Author response")
    assert way("//caption//p[about(., afar)]") == ("Bees", "The hive.")
    shown = call("show", "index", "one", "/article/body/fig").out
    assert shown == "Figure 1. The hive.\nSeen from afar.\n"


def test_profiles(call: Command, write: Write) -> None:
    listed = json.loads(call("profiles", "-o", "json").out)
    assert {"profile": "jats", "for": "JATS journal articles"} in listed
    write("mine.toml", call("profiles", "docbook").out)
    assert call("index", "docs", "--profile", "mine.toml", "--out", "index").code == 0
    assert call("profiles", "nonsense").code == 2


def test_prefixes(call: Command, write: Write) -> None:
    body = "<w:p><w:r>un</w:r><w:r>broken</w:r></w:p><p>broken</p>"
    write("word/one.xml", f"<w:doc xmlns:w='urn:w'>{body}</w:doc>")
    write("word.toml", 'inline = ["w:r"]')
    assert call("index", "word", "--profile", "word.toml", "--out", "index", "--stopwords", "none").code == 0

    def found(query: str) -> list[str]:
        hits = json.loads(call("search", "index", query, "--interpretation", "SSCAS", "-o", "json").out)
        return sorted(hit["path"].rsplit("/", 1)[-1] for hit in hits)

    assert found("//p[about(., unbroken broken)]") == ["p[1]", "w:p[1]"]
    assert found("//w:p[about(., unbroken broken)]") == ["w:p[1]"]
    assert found("//x:p[about(., unbroken broken)]") == []
