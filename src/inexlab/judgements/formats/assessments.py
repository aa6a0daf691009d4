"""Assessments of INEX 2002-2006 in XML: one file per topic and pool, elements with grades.

    2002       <path path="…" topicalrelevance="2" coverage="E"/>
    2003-2004  <path path="…" exhaustiveness="2" specificity="3"/>
    2005-2006  <element path="…" exhaustivity="1" size="900" rsize="321"/>, and from 2006
               <passage start="…" end="…" size="321"/> <best-entry-point path="…"/>

The reader goes by attributes, not by element names: any element with a `path` and a relevance is an
assessed element, since the exact spellings of 2002-2004 are not all verified. A `<file>` without
children was judged and holds nothing relevant.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from inexlab import xml_parser
from inexlab.errors import InputError
from inexlab.files import Source
from inexlab.judgements.assessor import KINDS, Assessor
from inexlab.judgements.elements import COVERAGE, TOO_SMALL, Scale, full_path
from inexlab.judgements.read import JudgementFormat, Selection, judgement_formats
from inexlab.judgements.table import ElementGrade, JudgementsBuilder

_ONE_POOL = "Two pools of one topic cannot be mixed: choose with `pool=`, or use `merge=`."
_ROOT = re.compile(r"<assessments[\s>]")


class _Assessments:
    """Follows the parser through one file of assessments."""

    def __init__(self, source: Source, builder: JudgementsBuilder, selection: Selection) -> None:
        self.source, self.builder, self.selection = source, builder, selection
        self.topic: str | None = None
        self.pool = ""
        self.query_type = ""
        self.doc: str | None = None
        self.skipped = False
        self.line: Callable[[], int] = lambda: 0

    def start(self, tag: str, attributes: xml_parser.Attributes) -> None:
        self.builder.at(self.line())
        try:
            self._start(tag, attributes)
        except InputError as error:
            self.builder.refuse(error)

    def _start(self, tag: str, attributes: xml_parser.Attributes) -> None:
        if tag == "assessments":
            pools = self.selection.pools
            self.pool = attributes.get("pool", "")
            self.skipped = bool(pools) and self.pool not in pools
            self.topic = self._topic(attributes)
            self.query_type = ""
            self.builder.by(self._assessor(attributes))
        elif tag == "inex_topic":
            self.query_type = attributes.get("query_type", "")
        elif self.skipped:
            return
        elif tag == "file":
            self._skip_other_kinds()
            if not self.skipped:
                self._start_file(attributes)
        elif self.doc is not None and self.topic is not None:
            self._start_inside(self.topic, self.doc, tag, attributes)

    def end(self, tag: str) -> None:
        if tag == "file":
            self.doc = None
        elif tag == "assessments" and self.topic is not None:
            if not self.skipped:
                self._skip_other_kinds()
            if self.skipped:
                return
            known = self.builder.add_topic(self.topic, self.pool)  # also where nothing in it was judged
            if not known and not self.selection.apart:
                other = f"topic {self.topic} was judged in another pool as well"
                self.builder.refuse(self._problem(other, _ONE_POOL))

    def _skip_other_kinds(self) -> None:
        """Leave assessments out whose topic is of another kind than the one asked for."""
        wanted = self.selection.query_type
        if not wanted:
            return
        kind = self.query_type or self.selection.query_types.get(self.topic or "", "")
        if not kind:
            what = f"does not say the query type of topic {self.topic}, but {wanted} is required"
            raise self._problem(what, "Give the topics: `topics=FILE`.")
        self.skipped = kind != wanted

    def _assessor(self, attributes: xml_parser.Attributes) -> Assessor | None:
        """Find who judged: X-Rai names nobody, but a pool was given to one assessor."""
        if name := attributes.get("assessor", ""):
            kind = attributes.get("assessor-kind", "person")
            if kind not in KINDS:
                raise self._problem(f"assessor-kind is {kind!r}, expected {' or '.join(KINDS)}")
            return Assessor(kind, name, attributes.get("assessor-version", ""))
        return Assessor("person", f"pool-{self.pool}") if self.selection.apart and self.pool else None

    def _topic(self, attributes: xml_parser.Attributes) -> str:
        """Find the topic: `topic` from 2005 on, before that an attribute other than the pool's."""
        for name in ("topic", "query", "topic_id", "topicid"):
            if attributes.get(name, "").strip():
                return attributes[name].strip()
        others = [value for name, value in attributes.items() if name not in ("pool", "version")]
        numbers = [found[0] for value in others if (found := re.search(r"\d+", value))]
        if not numbers:
            raise self._problem("<assessments> without a topic")
        return numbers[-1]

    def _start_file(self, attributes: xml_parser.Attributes) -> None:
        others = [value for key, value in attributes.items() if key != "collection"]
        name = attributes.get("name") or attributes.get("file") or next(iter(others), "")
        if not name or self.topic is None:
            raise self._problem("<file> without a name" if not name else "<file> outside <assessments>")
        if not self.builder.add(self.topic, name):
            raise self._problem(
                f"document {name} is judged a second time for topic {self.topic}",
                _ONE_POOL,
            )
        if attributes.get("collection"):
            self.builder.drop_collection()
        self.doc = name

    def _start_inside(self, topic: str, doc: str, tag: str, attributes: xml_parser.Attributes) -> None:
        if tag == "passage":
            start, end = (self._need(tag, attributes, name) for name in ("start", "end"))
            size = attributes.get("size", "")
            claimed = int(size) if size.isascii() and size.isdigit() and len(size) < 16 else None
            self.builder.add_passage(topic, doc, start, end, claimed)
        elif tag == "best-entry-point":
            self.builder.add_passage(topic, doc, self._need(tag, attributes, "path"), None)
        elif "path" in attributes and (graded := self._grade(attributes)) is not None:
            wrong = self.builder.add_element(topic, doc, *graded)
            if wrong:
                raise self._problem(wrong, "Keep one of them.")

    def _grade(self, attributes: xml_parser.Attributes) -> tuple[ElementGrade, Scale] | None:
        path = full_path(attributes["path"])
        if not path:
            raise self._problem(
                f"path {attributes['path']!r} is not the path of an element such as /article[1]/p[2]"
            )
        relevance = next((name for name in attributes if name.endswith("relevance")), None)
        if relevance is not None:
            coverage = attributes.get("coverage", "")[:1].upper()
            if not coverage or coverage not in COVERAGE:
                given = attributes.get("coverage", "")
                raise self._problem(f"coverage is {given!r}, expected one of {', '.join(COVERAGE)}")
            e = self._whole(attributes, relevance, 3)
            return ElementGrade(path, e, COVERAGE.index(coverage), 0, 0), "2002"
        if "exhaustiveness" in attributes:
            e, s = (self._whole(attributes, name, 3) for name in ("exhaustiveness", "specificity"))
            if (e == 0) != (s == 0):
                raise self._problem(
                    f"({e}, {s}) is not a valid grade: exhaustiveness is 0 if and only if specificity is"
                )
            return ElementGrade(path, e, s, 0, 0), "2004"
        if "exhaustivity" in attributes:
            e = TOO_SMALL if attributes["exhaustivity"] == "?" else self._whole(attributes, "exhaustivity", 2)
            size, rsize = (self._whole(attributes, name, 2**53) for name in ("size", "rsize"))
            return ElementGrade(path, e, -1, size, rsize), "2005"
        return None

    def _whole(self, attributes: xml_parser.Attributes, name: str, most: int) -> int:
        value = attributes.get(name, "")
        if not (value.isascii() and value.isdigit()) or len(value) > 16 or int(value) > most:
            kind = f"a grade from 0 to {most}" if most < 10 else "a number of characters"
            raise self._problem(f"{name} is {value!r}, expected {kind}")
        return int(value)

    def _need(self, tag: str, attributes: xml_parser.Attributes, name: str) -> str:
        if name not in attributes:
            raise self._problem(f"<{tag}> without the attribute {name}")
        return attributes[name]

    def _problem(self, what: str, fix: str = "") -> InputError:
        return self.source.problem(what, self.line(), fix)


def _recognises(source: Source) -> bool:
    return source.is_xml and _ROOT.search(xml_parser.beginning(source.data)) is not None


def _read(source: Source, builder: JudgementsBuilder, selection: Selection) -> None:
    assessments = _Assessments(source, builder, selection)

    def watch(line: Callable[[], int]) -> None:
        assessments.line = line

    def ignore_text(_text: str) -> None:
        pass

    xml_parser.parse(
        source.data, source.name, start=assessments.start, end=assessments.end, text=ignore_text, watch=watch
    )
    if assessments.topic is None:
        raise source.problem("has no <assessments>")


judgement_formats.add("assessments", JudgementFormat("assessments", _recognises, _read, selects=True))
