"""Pages to search, to read and to judge, as the server makes them."""

from __future__ import annotations

import html
import json
import re

import pytest
from starlette.testclient import TestClient

from inexlab.collection import read_document
from inexlab.web.app import application
from inexlab.web.lab import Lab
from inexlab.web.reading import path_in_words
from tests.web.conftest import Served
from tests.web.test_rendering import text_nodes


@pytest.fixture
def reader(served: Served) -> TestClient:
    """Somebody in a reading room."""
    return TestClient(application(Lab(served.lab.index)))


def article(page: str) -> str:
    """Return the text of the document on a page."""
    [found] = re.findall(r"<article[^>]*>(.*)</article>", page, re.DOTALL)
    return "".join(text_nodes(found))


def test_the_first_page_of_a_reading_room_is_search(reader: TestClient) -> None:
    assert 'role="search"' in reader.get("/").text
    assert reader.get("/topics").status_code == 404


def test_results_say_where_they_are_and_lead_there(reader: TestClient, served: Served) -> None:
    page = reader.get("/search", params={"q": "bees dance"}).text
    links = [html.unescape(link) for link in re.findall(r'href="(/read/[^"]*start=[^"]*)"', page)]
    assert links
    document = re.match(r"/read/([^?]+)\?", links[0])
    assert document is not None
    read = reader.get(links[0]).text
    assert article(read) == served.text(document[1])
    found = re.search(r"start=(\d+)&end=(\d+)", links[0])
    assert found is not None
    marked = "".join(re.findall(r'<mark class="found"[^>]*>(.*?)</mark>', read, re.DOTALL))
    text = served.text(document[1])[int(found[1]) : int(found[2])]
    assert "".join(html.unescape(marked).split()) == "".join(text.split())


def test_options_of_a_search_are_those_of_the_command(reader: TestClient) -> None:
    given = {"q": "bees", "by": "elements:title", "per_document": "all"}
    page = reader.get("/search", params=given).text
    assert 'value="elements:title"' in page  # they stay in the form
    assert ">title<" in page
    nexi = reader.get("/search", params={"q": "//sec[about(., bees)]"}).text
    assert re.findall(r'<h2><a href="/read/(\w+)', nexi) == ["bees"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"by": "nonsense"}, "nonsense"),
        ({"model": "nonsense"}, "nonsense"),
        ({"per_document": "0"}, "must be a number"),
        ({"within": "]["}, "]["),
        ({"language": "xx"}, "xx"),
    ],
)
def test_what_cannot_be_searched_is_told_on_the_page(
    reader: TestClient, given: dict[str, str], said: str
) -> None:
    answer = reader.get("/search", params={"q": "bees", **given})
    assert answer.status_code == 400
    [problem] = re.findall(r'role="alert">(.*?)</p>', answer.text, re.DOTALL)
    assert said in html.unescape(problem)


def test_queries_are_shown_as_they_are_and_run_nothing(reader: TestClient) -> None:
    query = '"><script>alert(1)</script>'
    for path in ("/search", "/read/bees"):
        page = reader.get(path, params={"q": query}).text
        assert "<script>alert" not in page
        assert query in html.unescape(page)


def test_pages_of_results_follow_one_another(reader: TestClient) -> None:
    first = reader.get("/search", params={"q": "bees dance", "count": 1}).text
    [after] = re.findall(r'href="([^"]*)" rel="next"', first)
    second = reader.get(html.unescape(after)).text
    assert 'rel="prev"' in second
    assert re.findall(r'class="snippet">(.*?)</p>', first) != re.findall(r'class="snippet">(.*?)</p>', second)
    beyond = reader.get("/search", params={"q": "bees", "from": 10_000})
    assert "fewer than 10,000 results" in beyond.text


def test_links_that_were_changed_by_hand_still_show_the_document(reader: TestClient) -> None:
    for changed in ("start=5&end=2", "start=-1&end=9999999", "start=x&end=y", "path=/nothing[1]"):
        answer = reader.get(f"/read/bees?{changed}")
        assert answer.status_code == 200
        assert "<mark" not in answer.text
    assert "<mark" in reader.get("/read/bees", params={"path": "/article[1]/sec[1]"}).text


def test_a_document_that_is_not_there_is_told_with_the_nearest(reader: TestClient) -> None:
    answer = reader.get("/read/moth")
    assert answer.status_code == 404
    assert "Did you mean &#39;moths&#39;?" in answer.text


def test_the_judging_page_knows_what_it_has_to(served: Served) -> None:
    topic, document = next((d.topic, d.doc) for d in served.lab.pool or ())
    served.store.assign(topic, "anna")
    anna = served.person("anna")
    anna.save(topic, document, highlights=[served.highlight(document, 3, 9)])
    page = anna.get(f"/judge/{topic}/{document}").text
    assert article(page) == served.text(document)
    [data] = re.findall(r'<script type="application/json" id="knowledge">(.*?)</script>', page, re.DOTALL)
    known = json.loads(data)
    assert (known["version"], known["highlights"], known["status"]) == (1, [[3, 9]], "in progress")
    text = served.text(document)
    assert all(text[a:b].strip() == text[a:b] for a, b in known["sentences"])
    assert known["terms"]
    marks = anna.get(f"/judge/{topic}/{document}?view=marks").text
    assert article(marks) == text
    assert '<mark class="highlighted"' in marks


def test_nobody_judges_what_is_not_theirs(served: Served) -> None:
    topic, document = next((d.topic, d.doc) for d in served.lab.pool or ())
    bob = served.person("stranger")
    assert bob.get(f"/judge/{topic}/{document}").status_code == 403
    served.store.assign(topic, "stranger")
    assert bob.get(f"/judge/{topic}/nothing").status_code == 403


def test_places_are_told_in_words() -> None:
    assert path_in_words("/article[1]/bdy[1]/sec[2]/ip1[3]") == "ip1 3"
    assert path_in_words("/a[1]/w:p[4]") == "paragraph 4"
    assert path_in_words("nonsense") == ""


def test_a_document_in_another_language_says_so() -> None:
    from inexlab.collection.profile import read_profile
    from inexlab.web.rendering import render

    document = read_document(b"<a><p>Guten Tag</p></a>", "d")
    page = render(document, read_profile("plain"), languages={1: "de", 0: "not a language!"}).html()
    assert '<p class="lazy lazy-0" lang="de">' in page
    assert "not a language" not in page
