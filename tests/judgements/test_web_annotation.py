"""Judgements as W3C Web Annotations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from inexlab.contents import contents_of
from inexlab.errors import InputError
from inexlab.files import read_source
from inexlab.judgements import Judgement, JudgementsBuilder, read_judgements, write_judgements
from inexlab.judgements.assessor import Assessor
from inexlab.judgements.elements import TOO_SMALL
from inexlab.spans import Span


def annotation(motivation: str = "highlighting", start: Any = 2, end: Any = 5, **more: Any) -> dict[str, Any]:
    return {
        "@context": "http://www.w3.org/ns/anno.jsonld",
        "type": "Annotation",
        "motivation": motivation,
        "body": {"type": "TextualBody", "purpose": "classifying", "value": "1"},
        "target": {"source": "A", "selector": {"type": "TextPositionSelector", "start": start, "end": end}},
        **more,
    }


def test_annotations_line_by_line_in_a_list_and_in_a_collection(tmp_path: Path) -> None:
    made = [
        annotation(),
        annotation(start=7, end=9),
        annotation("bookmarking", 3, 3),
        annotation("assessing", 0, 40),
    ]
    collection = {"@context": made[0]["@context"], "type": "AnnotationCollection", "first": {"items": made}}
    for number, text in enumerate(
        ("\n".join(map(json.dumps, made)), json.dumps(made), json.dumps(collection, indent=1))
    ):
        file = tmp_path / str(number)
        file.write_text(text)
        assert list(read_judgements(file)) == [Judgement("1", "A", (Span(2, 5), Span(7, 9)), 40, 3)]
        assert contents_of(read_source(file)) == "judgements"


def test_there_and_back(tmp_path: Path) -> None:
    builder = JudgementsBuilder()
    builder.by(Assessor("person", "anna"))
    builder.add("1", "A", [(0, 3), (5, 9)], size=12, bep=1)
    builder.add_exhaustivity("1", "A", {"/a[1]": 2, "/a[1]/p[1]": TOO_SMALL})
    builder.add("1", "B", [], size=7)
    builder.by(Assessor("model", "judge", "2"))
    builder.add("1", "A", [(1, 4)], size=12)
    builder.by(None)
    builder.add("2", "C", [])
    made = builder.build()
    assert write_judgements(made, tmp_path / "j.json", "web-annotation") == ()
    page = json.loads((tmp_path / "j.json").read_text())
    assert page["@context"] == "http://www.w3.org/ns/anno.jsonld"
    assert page["first"]["items"][1] == {
        "type": "Annotation",
        "creator": {"type": "Person", "name": "anna"},
        "motivation": "highlighting",
        "body": {"type": "TextualBody", "purpose": "classifying", "value": "1"},
        "target": {"source": "A", "selector": {"type": "TextPositionSelector", "start": 0, "end": 3}},
    }
    back = read_judgements(tmp_path / "j.json")
    assert list(back) == list(made)
    assert back.exhaustivity == made.exhaustivity


def test_highlights_by_paths(tmp_path: Path) -> None:
    one = {"type": "XPathSelector", "value": "/a[1]/p[1]"}
    two = {"type": "RangeSelector", "startSelector": one, "endSelector": {**one, "value": "/a[1]/p[2]"}}
    file = tmp_path / "j"
    file.write_text(
        "\n".join(
            json.dumps(annotation(target={"source": "A", "selector": selector})) for selector in (one, two)
        )
    )
    passages = read_judgements(file).passages
    assert [(p.start, p.end) for p in passages] == [
        ("/a[1]/p[1]", "/a[1]/p[1]"),
        ("/a[1]/p[1]", "/a[1]/p[2]"),
    ]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (annotation(start=5, end=2), r"\[5, 2\) is not a span"),
        (annotation(start="a"), r"\[a, 5\) is not a span"),
        (annotation(start=5, end=5), "a highlight of document A is empty"),
        (annotation(body=[]), "names no topic"),
        (annotation(target={}), "no target with a source"),
        ({"type": "AnnotationPage", "items": [{"type": "Note"}]}, "is not an annotation"),
        (annotation("voting"), "motivation 'voting' is not highlighting"),
        (annotation(creator={"type": "Person"}), "a creator has no name"),
        (
            annotation(target={"source": "A", "selector": {"type": "TextQuoteSelector", "exact": "x"}}),
            "given by TextQuoteSelector, not by a TextPositionSelector",
        ),
        (
            annotation("assessing", target={"source": "A", "selector": {"type": "XPathSelector"}}),
            "needs its path",
        ),
        ({"type": "AnnotationCollection", "first": "elsewhere"}, "without its items"),
    ],
)
def test_bad_annotations(given: dict[str, Any], message: str, tmp_path: Path) -> None:
    (tmp_path / "j").write_text(json.dumps(given))
    with pytest.raises(InputError, match=rf"j, line 1: .*{message}"):
        read_judgements(tmp_path / "j")
