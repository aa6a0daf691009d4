"""XML runs of INEX 2005-2008: `<inex-submission><topic><result>`, with one of three result bodies.

    <result><file>996</file><path>/article[1]/body[1]/p[1]</path><rank>1</rank><rsv>3.1</rsv></result>
    <result><file>996</file><fol offset="120" length="45"/></result>
    <result><file>996</file><passage start="…/text()[1].10" end="…/text()[1].40"/></result>

Results count in file order. `rank` and `rsv` may be missing, and their numbers are not trusted to order
anything (some systems counted ranks from 0). The score is `rsv`, or minus the rank where only that is
complete. Large files are read by a compiled scanner; whatever it does not understand is left to the reader
here, which explains.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator

import numpy as np

from inexlab import xml_parser
from inexlab.accelerate import worth_compiling
from inexlab.errors import InputError
from inexlab.files import Source
from inexlab.runs.formats.xml_scan import MARK, RANK, RSV, scan
from inexlab.runs.read import RunFormat, run_formats
from inexlab.runs.rows import Rows, RunRow
from inexlab.runs.table import FROM_RANKS, Run, RunBuilder
from inexlab.streams import Stream
from inexlab.tables import Floats, Interner, Names

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
    """Follows the parser through one submission; `take` gets each result, `refuse` what cannot be read."""

    def __init__(
        self, source: Source, take: Callable[[RunRow], object], refuse: Callable[[InputError], object]
    ) -> None:
        self.source, self.take, self.refuse = source, take, refuse
        self.about: dict[str, str] = {}
        self.run_id: str | None = None
        self.topic: str | None = None
        self.result: dict[str, str] = {}
        self.in_result = False
        self.text: list[str] = []
        self.line: Callable[[], int] = lambda: 0

    def start(self, tag: str, attributes: xml_parser.Attributes) -> None:
        self.text.clear()
        try:
            self._start(tag, attributes)
        except InputError as error:
            self.in_result = False
            self.refuse(error)

    def _start(self, tag: str, attributes: xml_parser.Attributes) -> None:
        if tag == "inex-submission":
            if self.run_id is not None:
                raise self._problem("a second <inex-submission>", "One file holds one run: split it.")
            if "run-id" not in attributes:
                raise self._problem("<inex-submission> without the attribute run-id", "Give the run a name.")
            self.run_id = attributes["run-id"]
            known = {ours: attributes[theirs] for theirs, ours in ABOUT.items() if theirs in attributes}
            self.about.update(known)
        elif tag == "topic-fields":
            self.about["topic_fields"] = " ".join(f"{name}={value}" for name, value in attributes.items())
        elif tag == "topic":
            self.topic = self._attribute(tag, attributes, "topic-id")
        elif tag == "result":
            if self.topic is None:
                raise self._problem("<result> outside a <topic>")
            if self.in_result:
                raise self._problem("<result> inside a <result>")
            self.in_result, self.result = True, {}
        elif tag == "fol" and self.in_result:
            for name in ("offset", "length"):
                self.result[name] = self._attribute(tag, attributes, name)
        elif tag == "passage" and self.in_result:
            self.result["path"] = self._attribute(tag, attributes, "start")
            self.result["until"] = self._attribute(tag, attributes, "end")

    def end(self, tag: str) -> None:
        if tag == "result" and self.in_result:
            self.in_result = False
            try:
                self.take(self._result())
            except InputError as error:
                self.refuse(error)
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

    def _result(self) -> RunRow:
        result, doc, topic = self.result, self.result.get("file"), self.topic
        if not doc or topic is None:
            raise self._problem("a <result> without <file>")
        row = RunRow(self.line(), topic, doc, self._number("rank"), self._number("rsv"))
        if "offset" in result:
            row.start = self._characters("offset")
            row.end = row.start + self._characters("length")
        elif result.get("path"):
            row.path, row.until = result["path"], result.get("until")
        else:
            raise self._problem("a <result> without <path>, <fol> or <passage>")
        return row

    def _number(self, name: str) -> float:
        if name not in self.result:
            return float("nan")
        try:
            return _as_number(self.result[name])
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


def _as_number(text: str) -> float:
    """Read a number as other programs would: to them, `1_000` is none."""
    if "_" in text:
        raise ValueError
    return float(text)


def _recognises(source: Source) -> bool:
    return source.is_xml and "<inex-submission" in xml_parser.beginning(source.data)


def _parsing(submission: _Submission, data: bytes | Iterable[bytes]) -> Iterator[None]:
    """Parse a submission, yielding after every piece."""

    def watch(line: Callable[[], int]) -> None:
        submission.line = line

    yield from xml_parser.parsing(
        data,
        submission.source.name,
        start=submission.start,
        end=submission.end,
        text=submission.text.append,
        watch=watch,
    )
    if submission.run_id is None:
        raise submission.source.problem("has no <inex-submission>", fix="Check that it is a run.")


def _read(source: Source) -> Run:
    run = _read_fast(source) if worth_compiling(len(source.data) // 10) else None
    return _read_slowly(source) if run is None else run


def _read_slowly(source: Source) -> Run:
    """Read result by result, and say what is wrong with the first one that cannot be read."""
    builder = RunBuilder()
    rsv: list[float] = []
    rank: list[float] = []

    def take(row: RunRow) -> None:
        builder.add(row.topic, row.doc, span=row.span, path=row.path, until=row.until)
        rsv.append(row.score)
        rank.append(row.rank)

    submission = _Submission(source, take, _raise)
    for _piece in _parsing(submission, source.data):
        pass
    run = builder.build(submission.run_id or "", source.name, submission.about)
    return _with_scores(run, np.array(rsv), np.array(rank))


def _with_scores(run: Run, scores: Floats, ranks: Floats) -> Run:
    # one kind of score for the whole run: a mixture would order results by comparing ranks with scores
    by_rank = np.isnan(scores).any() and not np.isnan(ranks).any()
    if by_rank:
        return dataclasses.replace(run, score=-ranks, about={**run.about, "scores": FROM_RANKS})
    return dataclasses.replace(run, score=scores)


def _raise(error: InputError) -> None:
    raise error


class _Frame(_Submission):
    """Follows the parser through a submission whose results were cut out; knows where they were."""

    def __init__(self, source: Source) -> None:
        super().__init__(source, lambda _row: None, _raise)
        self.open: list[str] = []
        self.topics: list[str] = []

    def start(self, tag: str, attributes: xml_parser.Attributes) -> None:
        if tag == MARK:
            if self.topic is None or self.open[-1] != "topic":
                raise self._problem("results outside a <topic>")
            self.topics.append(self.topic)
        self.open.append(tag)
        super().start(tag, attributes)

    def end(self, tag: str) -> None:
        self.open.pop()
        super().end(tag)


def _read_fast(source: Source) -> Run | None:
    """Read with compiled code; None if the file holds anything out of the ordinary."""
    data = source.data
    read = scan(data)
    if read is None:
        return None
    frame, topics = _Frame(dataclasses.replace(source, data=read.frame)), Interner()
    try:
        for _piece in _parsing(frame, read.frame):
            pass
        for numbers, field in ((read.rank, RANK), (read.rsv, RSV)):
            for row in np.flatnonzero(np.isinf(numbers)).tolist():
                before, end = read.places[row, 2 * field : 2 * field + 2].tolist()
                numbers[row] = _as_number(data[before + 1 : end].decode())
    except (InputError, ValueError):
        return None
    codes = np.array([topics(topic) for topic in frame.topics], dtype=np.int32)
    run = Run(
        id=frame.run_id or "",
        topics=topics.names(),
        docs=Names(data, read.doc.begin, read.doc.end, read.doc.hashes),
        paths=Names(data, read.path.begin, read.path.end, read.path.hashes),
        topic=np.repeat(codes, read.counts),
        doc=read.doc.codes,
        score=read.rsv,
        start=read.start,
        end=read.end,
        path=read.path.codes,
        until=np.full(len(read.rsv), -1, dtype=np.int32),
        file=source.name,
        about=frame.about,
    )
    return _with_scores(run, read.rsv, read.rank)


def _rows(stream: Stream) -> Rows:
    found: list[RunRow | InputError] = []
    submission = _Submission(stream.head, found.append, found.append)

    def rows() -> Iterator[RunRow | InputError]:
        for _piece in _parsing(submission, stream.chunks()):
            submission.about["run_id"] = submission.run_id or ""
            yield from found
            found.clear()

    return Rows(rows(), submission.about)


run_formats.add("xml", RunFormat("xml", _recognises, _read, _rows))
