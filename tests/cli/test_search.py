"""`inexlab search`: what people and programs see, and what is said where nothing can be found."""

from __future__ import annotations

import contextlib
import io
import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Command, Write


def test_for_people(call: Command, handbook_index: Path) -> None:
    query = "pooling documents nobody read -overlap"
    done = call("search", handbook_index, query, "-k", "2", "--by", "elements:*")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0].startswith("  1  ")
    assert "Pooling and the documents nobody read" in lines[0]
    assert lines[1].split() == ["pooling", "/article[1]/header[1]/title[1]"]
    assert "*Pooling* and the *documents* *nobody* *read*" in lines[2]
    assert lines[4].startswith("  2  ")
    assert len(lines) == 8
    assert not done.err


def test_what_a_query_took_is_said_beside_its_results(call: Command, handbook_index: Path) -> None:
    options = ("search", handbook_index, "pooling documents", "-k", "2")
    plain, profiled = call(*options), call(*options, "--profile-query")
    assert profiled.out == plain.out
    assert not plain.err
    assert re.search(
        "profile: all [1-9][0-9]* units with its words were scored, as there are few positions", profiled.err
    )


def test_passages_are_shown_whole(call: Command, handbook_index: Path) -> None:
    done = call("search", handbook_index, "pooling documents", "-k", "20", "-o", "json")
    found = json.loads(done.out)
    assert all(hit["end"] - hit["start"] <= 440 for hit in found)  # 400, and what is too short by itself
    assert all("/title[" not in hit["path"] for hit in found)
    for hit in found:
        shown = call("show", handbook_index, hit["doc"], hit["path"], "-o", "json")
        text = json.loads(shown.out)["text"]
        start = json.loads(shown.out)["start"]
        passage = text[hit["start"] - start : hit["end"] - start]
        assert passage.split() == hit["snippet"].split()


def test_options_of_results(call: Command, handbook_index: Path) -> None:
    def found(*options: str) -> list[dict[str, object]]:
        done = call("search", handbook_index, "overlap of elements", "-o", "json", "-k", "6", *options)
        assert done.code == 0, done.err
        return list(json.loads(done.out))

    assert [hit["rank"] for hit in found("--from", "3")] == [3, 4, 5, 6, 7, 8]
    assert len({hit["doc"] for hit in found("--per-document", "1")}) == len(found("--per-document", "1"))
    grouped = [hit["doc"] for hit in found("--group")]
    assert grouped == sorted(grouped, key=grouped.index)
    assert all("/section[" in str(hit["path"]) for hit in found("--within", "//section"))
    assert all("/section[" not in str(hit["path"]) for hit in found("--exclude", "//section"))
    assert all(
        str(hit["path"]).rpartition("/")[2].startswith("section[")
        for hit in found("--by", "elements:section")
    )
    assert found("--context", "section=1,article=0.5") != found()
    done = call("search", handbook_index, "overlap", "--from", "9999")
    assert (done.code, done.out, done.notes) == (0, "", ["there are fewer than 9,999 results"])


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--by", "passages:x"], "--by passages:x is not written as 'passages:400c'"),
        (["--by", "chunks"], "unknown kind of unit 'chunks'"),
        (["--per-document", "0"], "--per-document 0 must be a number >= 1, or all"),
        (["--context", "body=1"], "unknown part of the context 'body'"),
        (["--signs", "orders"], "unknown meaning of + and - 'orders'"),
        (["--within", "//"], "//"),
    ],
)
def test_options_that_cannot_be_used(
    call: Command, handbook_index: Path, options: list[str], complaint: str
) -> None:
    done = call("search", handbook_index, "overlap", *options)
    assert (done.code, complaint in done.err) == (2, True), done.err


@pytest.mark.parametrize("verb", ["search", "run"])
def test_units_are_explained(call: Command, verb: str) -> None:
    done = call(verb, "--by", "help")
    assert (done.code, done.err) == (0, "")
    for example in (
        "auto",
        "elements:p,sec",
        "passages:400c",
        "sentences:3",
        "windows:200w/100w",
        "articles",
    ):
        assert example in done.out


def test_the_way_to_a_section(call: Command, handbook_index: Path) -> None:
    done = call("search", handbook_index, "round robin target", "-k", "1")
    assert " › Building a pool" in done.out


def test_for_programs(call: Command, handbook_index: Path) -> None:
    query = "//section[about(., pooling)]"
    done = call("search", handbook_index, query, "--interpretation", "SVCAS", "-k", "3", "-o", "json")
    found = json.loads(done.out)
    assert [hit["rank"] for hit in found] == [1, 2, 3]
    assert all("/section[" in hit["path"].rpartition("/")[2] or "/section[" in hit["path"] for hit in found)
    assert {"rank", "score", "doc", "title", "path", "breadcrumb", "start", "end", "snippet", "marks"} == set(
        found[0]
    )
    for hit in found:
        shown = call("show", handbook_index, hit["doc"], hit["path"], "-o", "json")
        assert json.loads(shown.out)["start"] == hit["start"]


STOP_WORDS = "the query has stop words only; in quotes they are found as a phrase"


@pytest.mark.parametrize(
    "task", ["thorough", "focused", "fetch-browse", "relevant-in-context", "best-in-context"]
)
def test_tasks(call: Command, handbook_index: Path, task: str) -> None:
    done = call("search", handbook_index, "assessor", "--task", task, "--model", "lm-jm", "-o", "json")
    assert 0 < len(json.loads(done.out)) <= 10


@pytest.mark.parametrize(
    ("query", "note"),
    [
        ("xylophone", "nothing found: the index has no word of the query"),
        ("the of", "nothing found: the query has stop words only; in quotes they are found as a phrase"),
        (
            "the of -pooling",
            "nothing found: the query has stop words only; in quotes they are found as a phrase",
        ),
        ("-pooling", "nothing found: the query says only what is unwanted"),
        ("xylophone -pooling", "nothing found: the index has no word of the query"),
        ("//nothing[about(., pooling)]", "nothing found"),
    ],
)
@pytest.mark.parametrize("output", ["table", "json"])
def test_nothing_found(call: Command, handbook_index: Path, query: str, note: str, output: str) -> None:
    done = call("search", handbook_index, "--interpretation", "SSCAS", "-o", output, "--", query)
    assert done.code == 0
    assert done.out.strip() == ("[]" if output == "json" else "")
    assert done.notes == [note]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["x", "--model", "bm52"], "unknown retrieval model 'bm52'; did you mean 'bm25'?"),
        (["x", "--model", "bm25(k=1)"], "unknown parameter of bm25 'k'"),
        (["pool", "--model", "bm25(b=3)"], "bm25: k1 must be >= 0 and b from 0 to 1"),
        (["x", "--task", "focussed"], "unknown task 'focussed'; did you mean 'focused'?"),
        (["x", "--overlap", "parent"], "unknown method of overlap removal 'parent'"),
        (["//a[about(., x)]", "--interpretation", "SS"], "unknown interpretation 'SS'"),
        (["x", "-o", "xml"], "unknown output format 'xml'"),
        (["x", "-k", "0"], "--count"),
    ],
)
def test_what_cannot_be_used(
    call: Command, handbook_index: Path, arguments: list[str], complaint: str
) -> None:
    done = call("search", handbook_index, *arguments)
    assert done.code == 2
    assert complaint in done.err
    assert not done.out


def test_a_mistake_in_nexi_makes_a_bag_of_words(call: Command, handbook_index: Path) -> None:
    done = call("search", handbook_index, "//a[about(., pooling)")
    assert done.code == 0
    assert "ooling" in done.out
    assert "the query is not NEXI" in done.err
    assert "searched for its words" in done.err


def test_no_index(call: Command, tmp_path: Path) -> None:
    done = call("search", "nowhere", "x")
    assert (done.code, "no such index" in done.err) == (2, True)
    done = call("search", tmp_path, "x")
    assert (done.code, "it has no manifest" in done.err) == (2, True)


def test_small_scores_keep_their_digits(call: Command, handbook_index: Path) -> None:
    done = call("search", handbook_index, "assessor", "--model", "lnu-ltu(pivot=10000)", "-k", "2")
    scores = [float(line.split()[1]) for line in done.out.splitlines() if line[2:3].isdigit()]
    assert len(scores) == 2
    assert 0 < scores[1] < scores[0] < 0.0005


def test_the_title_of_the_document_is_said_once(call: Command, handbook_index: Path) -> None:
    done = call("search", handbook_index, "pooling documents nobody read", "-k", "1", "--by", "elements:*")
    assert done.out.splitlines()[0].count("Pooling and the documents nobody read") == 1


def test_lines_fit_the_terminal(call: Command, handbook_index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from inexlab.cli import search
    from inexlab.cli.terminal import quiet_on_broken_pipe

    monkeypatch.setattr(search, "terminal_width", lambda: 60)
    piped = call("search", handbook_index, "overlap of elements", "-k", "3").out
    assert "*Overlap*" in piped or "*overlap*" in piped
    assert max(map(len, piped.splitlines())) > 100  # one line each for programs that read lines
    with contextlib.redirect_stdout(_Terminal()) as terminal:
        quiet_on_broken_pipe(search.search)(str(handbook_index), "overlap of elements", 3)
    assert re.search(r"\033\[1m[Oo]verlap\033\[0m", terminal.getvalue())
    lines = re.sub(r"\033\[\dm", "", terminal.getvalue()).splitlines()
    assert max(len(line) for line in lines if "/article[1]" not in line) <= 60  # paths are left in one piece
    assert all(not line or line.startswith("   ") or line[2].isdigit() for line in lines)


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("verb", ["search", "run"])
def test_models_are_explained(call: Command, verb: str) -> None:
    done = call(verb, "--model", "help")
    assert (done.code, done.err) == (0, "")
    for name in (
        "bm25(k1=1.2,b=0.75)",
        "lnu-ltu(slope=0.2,pivot=0)",
        "lm-jm(element=0.4,article=0.2)",
        "mu=2500",
    ):
        assert name in done.out


def test_a_wrong_parameter_is_told_even_if_nothing_is_found(call: Command, handbook_index: Path) -> None:
    done = call("search", handbook_index, "xylophone", "--model", "bm25(b=3)")
    assert (done.code, done.out) == (2, "")
    assert "b from 0 to 1" in done.err


def test_no_document_gives_orders_to_the_terminal(call: Command, write: Write) -> None:
    write("bees.xml", "<r><title>Wax&#x9b;2J</title><p>bee&#x9b;31m \N{SOFT HYPHEN}hive&#x7f;</p></r>")
    assert call("index", "bees.xml", "--out", "index").code == 0
    for shown in (call("search", "index", "hive").out, call("show", "index", "bees").out):
        assert "bee\N{REPLACEMENT CHARACTER}31m" in shown
        assert not {"\x9b", "\x7f"} & set(shown)
    [hit] = json.loads(call("search", "index", "hive", "-o", "json").out)
    assert "\x9b" in hit["snippet"]  # programs get what is there


def test_the_language_of_a_query(call: Command, write: Write, tmp_path: Path) -> None:
    write(
        "texts/a.xml",
        "<text><p xml:lang='de'>Er war nicht da</p><p xml:lang='en'>at war</p>"
        "<p xml:lang='grc'>μῆνιν ἄειδε</p></text>",
    )
    index = tmp_path / "index"
    assert call("index", tmp_path / "texts", "--out", index).code == 0

    def words(query: str, language: str) -> list[str]:
        done = call("search", index, query, "--language", language, "--by", "elements:p", "-o", "json")
        return [hit["path"] for hit in json.loads(done.out)] if done.code == 0 else [done.err]

    assert words("war", "en") == ["/text[1]/p[2]"]
    assert words("war", "de") == []  # a stop word
    assert words("μηνιν", "grc") == ["/text[1]/p[3]"]
    assert "unknown language of this index 'fr'" in words("war", "fr")[0]
