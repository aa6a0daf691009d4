"""XML runs of INEX 2005-2008: `<inex-submission><topic><result>`, with one of three result bodies.

    <result><file>996</file><path>/article[1]/body[1]/p[1]</path><rank>1</rank><rsv>3.1</rsv></result>
    <result><file>996</file><fol offset="120" length="45"/></result>
    <result><file>996</file><passage start="…/text()[1].10" end="…/text()[1].40"/></result>

Results count in file order. `rank` and `rsv` may be missing, and their numbers are not trusted to order
anything (some systems counted ranks from 0). The score is `rsv`, or minus the rank where only that is
complete.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np

from inexlab import xml_parser
from inexlab.errors import InputError
from inexlab.files import Source
from inexlab.runs.read import RunFormat, run_formats
from inexlab.runs.table import Run, RunBuilder

ABOUT = {
    "participant-id": "participant",
    "task": "task",
    "query": "query",
    "submission-type": "submission_type",
    "topic-part": "topic_part",
    "result-type": "result_type",
}
_EXPECTED = "A result is <result><file>, then <path>, <fol> or <passage>, inside <topic topic-id>."
_TEXT_FIELDS = ("file", "path", "rank", "rsv", "description")


class _Submission:
    """Follows the parser through one submission and gathers its results."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.builder = RunBuilder()
        self.about: dict[str, str] = {}
        self.run_id: str | None = None
        self.topic: str | None = None
        self.result: dict[str, str] = {}
        self.rsv: list[float] = []
        self.rank: list[float] = []
        self.in_result = False
        self.text: list[str] = []
        self.line: Callable[[], int] = lambda: 0

    def start(self, tag: str, attributes: xml_parser.Attributes) -> None:
        self.text.clear()
        if tag == "inex-submission":
            if self.run_id is not None:
                raise self._problem("a second <inex-submission>", "One file holds one run: split it.")
            if "run-id" not in attributes:
                raise self._problem("<inex-submission> without the attribute run-id", "Give the run a name.")
            self.run_id = attributes["run-id"]
            self.about = {ours: attributes[theirs] for theirs, ours in ABOUT.items() if theirs in attributes}
        elif tag == "topic-fields":
            self.about["topic_fields"] = " ".join(f"{name}={value}" for name, value in attributes.items())
        elif tag == "topic":
            self.topic = self._attribute(tag, attributes, "topic-id")
        elif tag == "result":
            if self.topic is None:
                raise self._problem("<result> outside a <topic>")
            self.in_result, self.result = True, {}
        elif tag == "fol" and self.in_result:
            for name in ("offset", "length"):
                self.result[name] = self._attribute(tag, attributes, name)
        elif tag == "passage" and self.in_result:
            self.result["path"] = self._attribute(tag, attributes, "start")
            self.result["until"] = self._attribute(tag, attributes, "end")

    def end(self, tag: str) -> None:
        if tag == "result":
            self._add_result()
            self.in_result = False
        elif tag == "topic":
            self.topic = None
        elif tag in _TEXT_FIELDS and self.in_result:
            self.result[tag] = "".join(self.text).strip()
        elif tag == "description":
            self.about[tag] = "".join(self.text).strip()
        elif tag == "collection" and (name := "".join(self.text).strip()):
            # some systems repeat it in every topic
            named = dict.fromkeys([*self.about.get("collections", "").split(), *name.split()])
            self.about["collections"] = " ".join(named)

    def _add_result(self) -> None:
        result, doc, topic = self.result, self.result.get("file"), self.topic
        if not doc or topic is None:
            raise self._problem("a <result> without <file>")
        self.rsv.append(self._number("rsv") if "rsv" in result else float("nan"))
        self.rank.append(self._number("rank") if "rank" in result else float("nan"))
        if "offset" in result:
            offset, length = self._characters("offset"), self._characters("length")
            self.builder.add(topic, doc, span=(offset, offset + length))
        elif result.get("path"):
            self.builder.add(topic, doc, path=result["path"], until=result.get("until"))
        else:
            raise self._problem("a <result> without <path>, <fol> or <passage>")

    def _number(self, name: str) -> float:
        try:
            if "_" in self.result[name]:
                raise ValueError
            return float(self.result[name])
        except ValueError:
            raise self._problem(f"<{name}> {self.result[name]!r} is not a number") from None

    def _characters(self, name: str) -> int:
        value = self.result[name].strip()
        if not (value.isascii() and value.isdigit() and len(value) < 16):
            raise self._problem(f"{name} {value!r} is not a whole number of characters")
        return int(value)

    def _attribute(self, tag: str, attributes: xml_parser.Attributes, name: str) -> str:
        if name not in attributes:
            raise self._problem(f"<{tag}> without the attribute {name}")
        return attributes[name]

    def _problem(self, what: str, fix: str = _EXPECTED) -> InputError:
        return self.source.problem(what, self.line(), fix)


def _recognises(source: Source) -> bool:
    return source.is_xml and "<inex-submission" in xml_parser.beginning(source.data)


def _read(source: Source) -> Run:
    submission = _Submission(source)

    def watch(line: Callable[[], int]) -> None:
        submission.line = line

    xml_parser.parse(
        source.data,
        source.name,
        start=submission.start,
        end=submission.end,
        text=submission.text.append,
        watch=watch,
    )
    if submission.run_id is None:
        raise source.problem("has no <inex-submission>", fix="Check that it is a run.")
    run = submission.builder.build(submission.run_id, source.name, submission.about)
    rsv, rank = np.array(submission.rsv), np.array(submission.rank)
    # one kind of score for the whole run: a mixture would order results by comparing ranks with scores
    by_rank = np.isnan(rsv).any() and not np.isnan(rank).any()
    return dataclasses.replace(run, score=-rank if by_rank else rsv)


run_formats.add("xml", RunFormat("xml", _recognises, _read))
