"""XML in any vocabulary: the canonical text is the character data of the root element in document order.

That is what XPath `string()` of the root gives. White space between tags counts; comments, processing
instructions, tags and attributes do not. Elements are named as they are written, prefix included.
"""

from __future__ import annotations

import re

from inexlab import xml_parser
from inexlab.collection.entities import Entities
from inexlab.collection.reader import Events, Reader, document_readers

_EXTENSIONS = (".xml", ".nxml", ".tei", ".dita", ".ditamap", ".dbk", ".docbook", ".xhtml", ".xht", ".fb2")
_DECLARATIONS = (".ent", ".dtd", ".mod")  # parts of document types, which may begin as documents do
_MISC = rb"(?:\s|<!--(?:(?!-->).)*+-->|<\?(?!php|=)(?:(?!\?>).)*+\?>)*+"
_XML = re.compile(rb"%s(?:<!DOCTYPE\s|<[A-Za-z_:\x80-\xff])" % _MISC, re.DOTALL)
_DECLARED = re.compile(rb"<\?xml\s", re.DOTALL)
_HTML = re.compile(rb"%s<(?:!DOCTYPE\s+html\b|html\b)" % _MISC, re.DOTALL | re.IGNORECASE)


def read_xml(data: bytes, name: str, events: Events, entities: Entities) -> None:
    """Tell what is in an XML document."""

    def start(tag: str, attributes: xml_parser.Attributes) -> None:
        events.start(tag)
        language = attributes.get("xml:lang", attributes.get("lang"))
        if language is not None:
            events.language(language)

    xml_parser.parse(
        data,
        name,
        start=start,
        end=events.end,
        text=events.text,
        entities=entities,
    )


def _is_xml(head: bytes, ending: str) -> bool:
    if ending in _DECLARATIONS:
        return False
    plain = xml_parser.beginning(head).encode().removeprefix(b"\xef\xbb\xbf").lstrip()
    if _DECLARED.match(plain):
        return True
    return bool(_XML.match(plain)) and not _HTML.match(plain)


document_readers.add("xml", Reader("xml", "XML", _EXTENSIONS, _is_xml, read_xml))
