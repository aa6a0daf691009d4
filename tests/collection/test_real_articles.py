"""Real JATS articles (eLife, CC BY or CC0): our text and elements are those of lxml."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from lxml import etree

from inexlab.collection import Collection, open_collection

ARTICLES = Path(__file__).parents[3] / "shared" / "data" / "elife-41.tar.xz"


@pytest.fixture(scope="module")
def articles() -> Collection:
    if not ARTICLES.exists():
        pytest.skip("the eLife articles (shared/data/elife-41.tar.xz) are not here")
    return open_collection(ARTICLES)


def test_all_articles_are_there(articles: Collection) -> None:
    assert len(articles) == 41


def test_text_and_elements_are_those_of_lxml(articles: Collection) -> None:
    elements = 0
    for id in articles:
        document = articles[id]
        root = etree.fromstring(
            _source(articles, id), etree.XMLParser(resolve_entities=False, no_network=True)
        )
        assert document.text == root.xpath("string()")
        number = 0
        offset_of = {0: 0}
        for event, node in etree.iterwalk(root, events=("start",)):
            assert event == "start"
            row = document.elements[number]
            prefix = f"{node.prefix}:" if node.prefix else ""
            assert row.tag == prefix + etree.QName(node).localname
            assert document.text[row.start : row.end] == node.xpath("string()")
            assert row.start >= offset_of.get(row.parent, 0)
            offset_of[number] = row.start
            number += 1
        assert number == len(document.elements)
        elements += number
    assert elements == 148_242


def test_every_path_leads_back_to_its_element(articles: Collection) -> None:
    for id in list(articles)[:5]:
        table = articles[id].elements
        paths = [table.path(number) for number in range(len(table))]
        assert max(Counter(paths).values()) == 1
        for number, path in enumerate(paths):
            assert table.find(path) == (table.start[number], table.end[number])


def _source(articles: Collection, id: str) -> bytes:
    return articles._files[id][1]()
