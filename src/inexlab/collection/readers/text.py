"""Plain text: paragraphs between blank lines. The canonical text is the text of the file, as it is.

The root is `plaintext`, a paragraph (`p`) the lines between blank lines, from the first character that is not
white space to the last. Blank lines and indentation belong to the root alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from inexlab.collection.entities import Entities
from inexlab.collection.reader import Events, Reader, TaggedSpan, decoded, document_readers, send_events

ROOT = "plaintext"
# lines with something in them, one after the other; possessive, so that what follows is looked at once
_PARAGRAPH = re.compile(r"[^\S\n]*+\S[^\n]*+(?:\n[^\S\n]*+\S[^\n]*+)*+")


def read_text(data: bytes, name: str, events: Events, _entities: Entities) -> None:
    """Tell the paragraphs of a text."""
    text = decoded(data, name)
    send_events(text, _parts(text), events)


def _parts(text: str) -> Iterator[TaggedSpan]:
    yield TaggedSpan(0, len(text), ROOT)
    for found in _PARAGRAPH.finditer(text):
        lines = found[0]
        start = found.start() + len(lines) - len(lines.lstrip())
        yield TaggedSpan(start, found.start() + len(lines.rstrip()), "p")


document_readers.add(
    "text", Reader("text", "plain text", (".txt",), lambda _head, _ending: False, read_text, ROOT)
)
