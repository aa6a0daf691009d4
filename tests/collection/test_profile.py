"""Profiles: those that are built in, and files of one's own with whatever may be wrong in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from inexlab.collection.profile import built_in_profiles, guess_profile, read_profile
from inexlab.errors import InputError, UnknownNameError
from inexlab.index.build import Settings
from inexlab.index.indexing import index_documents


def test_those_that_are_built_in() -> None:
    assert built_in_profiles() == ["inex-ieee", "inex-wikipedia", "jats", "plain", "tei"]
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
    ],
)
def test_a_file_that_is_wrong(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "mine.toml").write_text(content)
    with pytest.raises(InputError, match=message):
        read_profile(str(tmp_path / "mine.toml"))


def test_equivalent_tags_that_are_not_known_are_so_before_anything_is_indexed(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('equivalence = "nope"')
    (tmp_path / "a.xml").write_text("<a/>")
    with pytest.raises(UnknownNameError, match="unknown table of equivalent tags 'nope'"):
        index_documents(
            [tmp_path / "a.xml"], tmp_path / "index", Settings(read_profile(str(tmp_path / "mine.toml")))
        )
    assert not (tmp_path / "index").exists()
