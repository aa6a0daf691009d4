"""Profiles: those that are built in, and files of one's own with whatever may be wrong in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from inexlab.collection.profile import (
    built_in_profiles,
    chosen_profile,
    combined_profile,
    guess_profile,
    kind_of_tag,
    read_profile,
)
from inexlab.errors import InputError, UnknownNameError
from inexlab.index.build import Settings
from inexlab.index.indexing import index_documents


def test_those_that_are_built_in() -> None:
    known = ("docbook", "dita", "html", "inex-ieee", "inex-wikipedia", "jats", "markdown", "plain", "tei")
    assert built_in_profiles() == tuple(sorted(known))
    for name in built_in_profiles():
        profile = read_profile(name)
        assert profile.name == name
        assert not set(profile.inline) & set(profile.roots + profile.titles + profile.document_titles)


@pytest.mark.parametrize(
    ("root", "tags", "name"),
    [
        ("article", {"front", "body"}, "jats"),
        ("article", {"fm", "bdy"}, "inex-ieee"),
        ("article", {"conversionwarning", "body"}, "inex-wikipedia"),
        ("TEI", {"teiHeader"}, "tei"),
        ("tei:TEI", {"tei:teiHeader"}, "tei"),
        ("refentry", {"refnamediv"}, "docbook"),
        ("db:book", {"db:para"}, "docbook"),
        ("task", {"taskbody"}, "dita"),
        ("html", {"body"}, "html"),
        ("markdown", {"p"}, "markdown"),
        ("plaintext", set(), "markdown"),
        ("article", {"p"}, "plain"),
        ("html", {"front"}, "plain"),
    ],
)
def test_guessed(root: str, tags: set[str], name: str) -> None:
    assert guess_profile(tags | {root}, root).name == name


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('ids = "paths"', r"mine\.toml: ids is 'paths'\. It can be name or path\."),
        ('inline = ["a", "b"]\nskip = ["b"]', r"mine\.toml: inline and skip both have 'b'\."),
        ('inline = "b"', r"mine\.toml: inline is not a list of tags\."),
        ("skip = [1]", r"mine\.toml: skip is not a list of tags\."),
        ("title = 1", r"mine\.toml: title is not a text\."),
        ('inlines = ["b"]', r"mine\.toml: the key 'inlines' is not known\."),
        ("title", r"mine\.toml: is not TOML"),
        ("", r"mine\.toml: is empty"),
        ('extends = "jat"', r"unknown profile 'jat'; did you mean 'jats'\?"),
        ('extends = ["jats"]', r"mine\.toml: extends is not a text\."),
        (
            'extends = "jats"\ninline = ["-b"]',
            r"mine\.toml: inline takes out 'b', which jats does not have there\. `inexlab profiles jats`",
        ),
    ],
)
def test_a_file_that_is_wrong(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "mine.toml").write_text(content)
    with pytest.raises((InputError, UnknownNameError), match=message):
        read_profile(str(tmp_path / "mine.toml"))


def test_one_that_extends_another(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(
        'extends = "jats"\ntitle = "Ours"\ninline = ["w:r", "-bold"]\nskip = ["ref-list", "xref"]\n'
        'titles = ["heading"]\nids = "path"\n'
    )
    jats, profile = read_profile("jats"), read_profile(str(mine))
    assert (profile.name, profile.title, profile.ids) == ("mine", "Ours", "path")
    assert set(profile.inline) == (set(jats.inline) | {"w:r"}) - {"bold", "xref"}
    assert profile.skip == ("ref-list", "xref")
    assert profile.titles == ("heading", *jats.titles)  # its own come first
    assert (profile.roots, profile.document_titles) == (jats.roots, jats.document_titles)


def test_one_that_extends_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.toml").write_text('extends = "b.toml"')
    (tmp_path / "b.toml").write_text('extends = "a.toml"')
    with pytest.raises(InputError, match=r"a\.toml: extends itself \(a\.toml → b\.toml → a\.toml\)"):
        read_profile("a.toml")


@pytest.mark.parametrize(
    ("tag", "kind"), [("r", "inline"), ("w:r", "inline"), ("m:t", "skip"), ("t", "unit"), ("w:t", "unit")]
)
def test_a_tag_without_prefix_means_all_of_that_name(tag: str, kind: str) -> None:
    assert kind_of_tag(tag, {"r": "inline", "m:t": "skip"}, "unit") == kind


def test_of_several_kinds_of_documents() -> None:
    dita, markdown, plain = (read_profile(name) for name in ("dita", "markdown", "plain"))
    both = combined_profile([dita, markdown, plain, dita])
    assert both.name == "dita+markdown"
    assert set(both.inline) == set(dita.inline) - set(markdown.skip)
    assert set(both.skip) == {*dita.skip, *markdown.skip}
    assert both.titles == (*dita.titles, *markdown.titles)
    assert combined_profile([plain]) == plain


def test_most_documents_decide() -> None:
    tei, plain = read_profile("tei"), read_profile("plain")
    assert chosen_profile([plain, tei, tei]) == tei
    assert chosen_profile([plain, tei]) == plain
    assert chosen_profile([]) == plain


def test_equivalent_tags_that_are_not_known_are_so_before_anything_is_indexed(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('equivalence = "nope"')
    (tmp_path / "a.xml").write_text("<a/>")
    with pytest.raises(UnknownNameError, match="unknown table of equivalent tags 'nope'"):
        index_documents(
            [tmp_path / "a.xml"], tmp_path / "index", Settings(read_profile(str(tmp_path / "mine.toml")))
        )
    assert not (tmp_path / "index").exists()
