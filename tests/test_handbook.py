"""The built-in campaign is consistent, seen with the standard library's XML parser and plain arithmetic."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections import defaultdict
from collections.abc import Iterable, Iterator
from importlib.resources import files
from itertools import groupby, pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

HANDBOOK = Path(str(files("inexlab") / "handbook"))
FOCUSED = ["focused-paragraphs.txt", "focused-sections.txt", "focused-articles.txt", "focused-chunks.jsonl"]
IN_CONTEXT = ["in-context.xml", "in-context-paragraphs.txt", "in-context-sections.txt"]
ENTRY_POINTS = ["best-in-context.txt", "best-in-context-sections.txt"]
RUNS = [*FOCUSED, *IN_CONTEXT, *ENTRY_POINTS]
TOPICS = [f"202600{n}" for n in range(1, 7)]


class Article:
    """An article's text, and the place of each of its elements by XPath."""

    def __init__(self, path: Path) -> None:
        self.text = ""
        self.places: dict[str, tuple[int, int]] = {}
        root = ET.parse(path).getroot()
        self._visit(root, f"/{root.tag}[1]")

    def _visit(self, element: ET.Element, path: str) -> None:
        start = len(self.text)
        self.text += element.text or ""
        seen: dict[str, int] = defaultdict(int)
        for child in element:
            seen[child.tag] += 1
            self._visit(child, f"{path}/{child.tag}[{seen[child.tag]}]")
            self.text += child.tail or ""
        self.places[path] = (start, len(self.text))


ARTICLES = {path.stem: Article(path) for path in sorted((HANDBOOK / "articles").glob("*.xml"))}


class Judged(NamedTuple):
    topic: str
    doc: str
    rsize: int
    docsize: int
    bep: int | None
    passages: list[tuple[int, int]]


def _judgements() -> Iterator[Judged]:
    for line in (HANDBOOK / "judgements.qrels").read_text().splitlines():
        topic, q0, doc, rsize, docsize, *rest = line.split()
        assert q0 == "Q0"
        pairs = [pair.split(":") for pair in rest[1:]]
        passages = [(int(offset), int(offset) + int(length)) for offset, length in pairs]
        yield Judged(topic, doc, int(rsize), int(docsize), int(rest[0]) if rest else None, passages)


JUDGEMENTS = list(_judgements())


class Returned(NamedTuple):
    topic: str
    doc: str
    start: int
    end: int
    score: float


def results(run: str) -> Iterator[Returned]:
    """Read a run of the handbook; a path that its article does not have raises a KeyError."""
    path = HANDBOOK / "runs" / run
    if run.endswith(".jsonl"):
        for line in path.read_text().splitlines():
            row = json.loads(line)
            assert set(row) == {"topic", "doc", "start", "end", "score"}
            yield Returned(row["topic"], row["doc"], row["start"], row["end"], row["score"])
    elif run.endswith(".xml"):
        for topic in ET.parse(path).getroot().iter("topic"):
            for result in topic.iter("result"):
                doc, place = result.findtext("file", ""), result.findtext("path", "")
                rsv = float(result.findtext("rsv", ""))
                yield Returned(topic.attrib["topic-id"], doc, *ARTICLES[doc].places[place], rsv)
    else:
        for line in path.read_text().splitlines():
            topic_id, _, doc, _, score, _, *where = line.split()
            if where[0].startswith("/"):
                start, end = ARTICLES[doc].places[where[0]]
            else:
                start = int(where[0])
                end = start + (int(where[1]) if len(where) == 2 else 0)
            yield Returned(topic_id, doc, start, end, float(score))


def test_there_are_eight_articles_six_topics_nine_runs() -> None:
    assert len(ARTICLES) == 8
    assert sorted(path.name for path in (HANDBOOK / "runs").iterdir()) == sorted(RUNS)
    topics = ET.parse(HANDBOOK / "topics.xml").getroot()
    assert topics.tag == "inex-topic-file"
    assert [topic.attrib["id"] for topic in topics] == TOPICS
    for topic in topics:
        for part in ("title", "castitle", "phrasetitle", "description", "narrative"):
            assert topic.findtext(part, "").strip(), f"{topic.attrib['id']} has no {part}"


def test_the_readme_lists_every_file() -> None:
    listed = re.findall(r"^\| `([^`]+)` \|", (HANDBOOK / "README.md").read_text(), re.MULTILINE)
    assert listed[0] == "articles/*.xml"
    assert {*listed[1:]} == {
        "topics.xml",
        "judgements.qrels",
        "campaign.toml",
        *(f"runs/{run}" for run in RUNS),
    }
    assert all((HANDBOOK / name).is_file() for name in listed[1:])


def test_the_articles_put_offsets_to_the_test() -> None:
    sources = "".join(path.read_text() for path in (HANDBOOK / "articles").glob("*.xml"))
    for nasty in ("&amp;", "&lt;", "&#233;", "<!--", "<![CDATA["):
        assert nasty in sources
    characters = {character for article in ARTICLES.values() for character in article.text}
    assert any(0x80 <= ord(character) < 0x10000 for character in characters)
    assert any(ord(character) >= 0x10000 for character in characters)


def test_links_lead_to_articles() -> None:
    links = [
        link.attrib["to"]
        for path in (HANDBOOK / "articles").glob("*.xml")
        for link in ET.parse(path).iter("link")
    ]
    assert links
    assert set(links) <= set(ARTICLES)


def test_documents_are_judged_once_and_known() -> None:
    pairs = [(judged.topic, judged.doc) for judged in JUDGEMENTS]
    assert len(set(pairs)) == len(pairs)
    assert sorted({topic for topic, _ in pairs}) == TOPICS
    assert {doc for _, doc in pairs} == set(ARTICLES)


def test_unjudged_documents_are_those_the_readme_names() -> None:
    judged = {topic: {j.doc for j in JUDGEMENTS if j.topic == topic} for topic in TOPICS}
    unjudged = {
        topic: len(ARTICLES) - len(docs) for topic, docs in judged.items() if len(docs) < len(ARTICLES)
    }
    assert unjudged == {"2026002": 1, "2026005": 2}


@pytest.mark.parametrize("judged", JUDGEMENTS, ids=lambda judged: f"{judged.topic} {judged.doc}")
def test_a_judgement_fits_its_article(judged: Judged) -> None:
    text = ARTICLES[judged.doc].text
    assert judged.docsize == len(text)
    assert judged.rsize == sum(end - start for start, end in judged.passages)
    assert (judged.rsize > 0) == bool(judged.passages) == (judged.bep is not None)
    assert all(0 <= start < end <= len(text) for start, end in judged.passages)
    assert all(one[1] <= other[0] for one, other in pairwise(judged.passages))
    assert judged.bep is None or 0 <= judged.bep < len(text)
    for start, end in judged.passages:  # highlights begin and end with words, not with white space
        assert text[start:end] == text[start:end].strip()


def test_every_topic_has_relevant_text() -> None:
    assert {judged.topic for judged in JUDGEMENTS if judged.rsize} == set(TOPICS)


def _by_topic_and_document(rows: Iterable[Returned]) -> dict[tuple[str, str], list[tuple[int, int]]]:
    spans = defaultdict(list)
    for row in rows:
        spans[row.topic, row.doc].append((row.start, row.end))
    return spans


@pytest.mark.parametrize("run", RUNS)
def test_results_lie_inside_their_articles(run: str) -> None:
    rows = list(results(run))
    assert [topic for topic, _ in groupby(row.topic for row in rows)] == TOPICS
    for row in rows:
        assert 0 <= row.start <= row.end <= len(ARTICLES[row.doc].text)
        assert row.start < row.end or run in ENTRY_POINTS


@pytest.mark.parametrize("run", [*FOCUSED, *IN_CONTEXT])
def test_results_do_not_overlap(run: str) -> None:
    for spans in _by_topic_and_document(results(run)).values():
        assert all(one[1] <= other[0] for one, other in pairwise(sorted(spans)))


@pytest.mark.parametrize("run", [*FOCUSED, *IN_CONTEXT[1:], *ENTRY_POINTS])
def test_scores_fall(run: str) -> None:
    for _, rows in groupby(results(run), key=lambda row: row.topic):
        scores = [row.score for row in rows]
        assert scores == sorted(scores, reverse=True)


def test_ranks_count_from_one() -> None:
    for run in RUNS:
        if run.endswith(".txt"):
            columns = [line.split() for line in (HANDBOOK / "runs" / run).read_text().splitlines()]
            for _, rows in groupby(columns, key=lambda row: row[0]):
                ranks = [int(row[3]) for row in rows]
                assert ranks == list(range(1, len(ranks) + 1))
            assert len({row[5] for row in columns}) == 1


def test_runs_are_what_the_readme_says() -> None:
    whole = _by_topic_and_document(results("focused-articles.txt"))
    assert all(spans == [(0, len(ARTICLES[doc].text))] for (_, doc), spans in whole.items())
    for row in results("focused-chunks.jsonl"):
        assert row.start % 300 == 0
        assert row.end == min(row.start + 300, len(ARTICLES[row.doc].text))


@pytest.mark.parametrize("run", ENTRY_POINTS)
def test_a_document_has_one_entry_point(run: str) -> None:
    assert all(len(spans) == 1 for spans in _by_topic_and_document(results(run)).values())


@pytest.mark.parametrize("run", IN_CONTEXT)
def test_the_results_of_a_document_stand_together(run: str) -> None:
    in_context = list(results(run))
    blocks = [key for key, _ in groupby((row.topic, row.doc) for row in in_context)]
    assert len(blocks) == len(set(blocks))
    for spans in _by_topic_and_document(in_context).values():
        assert spans == sorted(spans), "in document order"


@pytest.mark.parametrize("unit", ["paragraphs", "sections"])
def test_runs_in_context_are_the_focused_ones_grouped(unit: str) -> None:
    focused = list(results(f"focused-{unit}.txt"))
    grouped = list(results(f"in-context-{unit}.txt"))
    assert sorted(row[:4] for row in grouped) == sorted(row[:4] for row in focused)
    first: dict[tuple[str, str], Returned] = {}
    for row in focused:
        first.setdefault((row.topic, row.doc), row)
    assert list(dict.fromkeys((row.topic, row.doc) for row in grouped)) == list(first)
    assert all(row.score == first[row.topic, row.doc].score for row in grouped)
    if unit == "sections":
        starts = [(row.topic, row.doc, row.start) for row in results("best-in-context-sections.txt")]
        assert starts == [(row.topic, row.doc, row.start) for row in first.values()]


def test_sections_are_elements_of_the_articles() -> None:
    for row in results("focused-sections.txt"):
        assert (row.start, row.end) in ARTICLES[row.doc].places.values()
