"""TREC topics: `<top>`, `<num> Number: 301`, `<title> …`, `<desc> Description: …`, `</top>`.

They look like XML and are not: fields need no end tag, and `&` and `<` stand for themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from inexlab.files import Source
from inexlab.topics.read import TopicFormat, topic_formats
from inexlab.topics.table import Topic

_TOP = re.compile(rb"\s*(?:<[!?][^>]*>\s*)*(?:<topics>\s*)?<top>", re.IGNORECASE)
_TAG = re.compile(r"</?(top|num|dom|title|desc|narr|smry|con|fac|def|head)>", re.IGNORECASE)
# the label that repeats what the tag says
_LABEL = re.compile(
    r"\s*(?:Number|Topic|Domain|Description|Summary|Narrative|Concept\(s\)|Factor\(s\)|Definition\(s\))\s*:",
    re.IGNORECASE,
)
_OURS = {"title": "title", "desc": "description", "narr": "narrative", "con": "keywords"}


def _recognises(source: Source) -> bool:
    return _TOP.match(source.data[:4096]) is not None


def _read(source: Source) -> Iterator[Topic]:
    try:
        text = source.data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = source.data.decode("latin-1")  # as the disks of TREC were
    tags = list(_TAG.finditer(text))
    line = at = begun = 0
    inside = False
    fields: dict[str, str] = {}
    lines: dict[str, int] = {}
    for tag, following in zip(tags, [*tags[1:], None], strict=True):
        line += text.count("\n", at, tag.start())
        at = tag.start()
        name = tag[1].lower()
        if name == "top":
            closes = tag[0].startswith("</")
            if closes != inside:
                break  # a topic that does not end, or that did not begin
            inside = not closes
            if closes:
                yield _topic(source, fields, lines, begun)
            fields, lines, begun = {}, {}, line + 1
        elif inside and not tag[0].startswith("</"):
            content = text[tag.end() : following.start() if following else len(text)]
            label = _LABEL.match(content)
            value = content[label.end() if label else 0 :].strip()
            fields[name] = value
            lines[_OURS.get(name, name)] = line + 1 + content[: content.index(value)].count("\n")
    else:
        if not inside:
            return
    raise source.problem("<top> and </top> do not match", line + 1, fix="The file may be truncated.")


def _topic(source: Source, fields: dict[str, str], lines: dict[str, int], begun: int) -> Topic:
    id = (fields.pop("num", "").split() or [""])[0]
    if not id:
        raise source.problem("a topic without <num>", begun, fix="Give it a number.")
    own = {_OURS[name]: value for name, value in fields.items() if name in _OURS}
    extra = {name: value for name, value in fields.items() if name not in _OURS and value}
    return Topic(id, extra=extra, file=source.name, line=begun, lines=lines, **own)


topic_formats.add("trec", TopicFormat("trec", _recognises, _read))
