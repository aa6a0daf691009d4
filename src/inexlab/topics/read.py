"""Reading topics: find out from the content which format they are in, and let that reader read them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from inexlab.errors import InputError
from inexlab.files import Source, files_in, read_source
from inexlab.frames import is_record
from inexlab.registry import Registry
from inexlab.topics.table import Topic, Topics


@dataclass(frozen=True)
class TopicFormat:
    """A format of topics: how to know it by its content, and how to read it."""

    name: str
    recognises: Callable[[Source], bool]
    read: Callable[[Source], Iterator[Topic]]


topic_formats: Registry[TopicFormat] = Registry("topic format", "inexlab.topics.formats")


def read_topics(path: str | Path | Sequence[object] | object, input_format: str | None = None) -> Topics:
    """Read topics in any format: INEX XML of 2002-2010, TREC, JSON Lines.

    A folder stands for all files in it and below: INEX had one file per topic until 2005. The format is
    detected from the content unless `input_format` names it. Topics in files of assessments are read too.
    Topics are returned as they are; a dictionary {topic: query}, a frame or records are made such.
    """
    paths = _given(path)
    found: dict[str, Topic] = {}
    for given in paths:
        for topic in _topics(given, input_format):
            known = found.setdefault(topic.id, topic)
            if known != topic:
                where = f"{known.file}, line {known.line}" if known.file else "what is given before"
                raise InputError(
                    f"topic {topic.id} is another one than in {where}",
                    file=topic.file or "topics",
                    line=topic.line or None,
                    fix="Keep one of them, or give one a new id.",
                )
    if not found:
        name = str(paths[0]) if len(paths) == 1 else "topics"
        raise InputError("holds no topics", file=name, fix="The file may be truncated.")
    return Topics(found.values())


def _given(path: object) -> Sequence[object]:
    """Return what is given, one by one: a list of files, of topics or of tables, or what stands alone."""
    if isinstance(path, list | tuple):
        records = bool(path) and all(is_record(one) and not isinstance(one, Topics) for one in path)
        return [path] if records else path
    return [path]


def _topics(given: object, input_format: str | None) -> Iterator[Topic]:
    if not isinstance(given, str | Path):
        from inexlab.topics.objects import topics_of

        yield from topics_of(given)
        return
    for file in files_in(given, "topic"):
        source = read_source(file)
        yield from topic_format(source, input_format).read(source)


def topic_format(source: Source, input_format: str | None = None) -> TopicFormat:
    """Return the format of a file of topics, or say that it is none."""
    if input_format is not None:
        return topic_formats[input_format]
    known = topic_formats.values()
    reader = next((f for f in reversed(known) if f.recognises(source)), None)  # plug-ins first
    if reader is None:
        raise source.problem(
            "is not topics in a known format",
            line=source.first_row[0],
            fix=f"Known formats: {', '.join(f.name for f in known)}; `input_format=` forces one.",
        )
    return reader
