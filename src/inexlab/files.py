"""Files in: one place that opens what users give us and says plainly why it cannot.

Accepts plain and gzipped files and `-` for standard input, drops byte-order marks, and refuses folders,
empty files and binary content before any reader sees them. XML is passed on as it came: its encoding is
the XML parser's business.
"""

from __future__ import annotations

import functools
import gzip
import io
import re
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path

from inexlab.errors import InputError

_GZIP = b"\x1f\x8b"
_MARKS = (
    (b"\xff\xfe\0\0", "utf-32"),
    (b"\0\0\xfe\xff", "utf-32"),
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_EBCDIC_XML = b"\x4c\x6f\xa7\x94"  # `<?xm` in every EBCDIC code page


@dataclass(frozen=True)
class Source:
    """The content of one input file and the name to use in messages: XML as it is, other text in UTF-8."""

    name: str
    data: bytes
    is_xml: bool

    @property
    def stem(self) -> str:
        """The file's name without folder and extensions."""
        return file_stem(self.name)

    @functools.cached_property
    def first_row(self) -> tuple[int, bytes]:
        """The number and the content of the first line that is neither blank nor a comment."""
        for number, line in enumerate(io.BytesIO(self.data), start=1):
            if (content := line.strip()) and not content.startswith(b"#"):
                return number, content
        return 1, b""

    def problem(self, what: str, line: int | None = None, fix: str = "") -> InputError:
        """Return the error that says what is wrong with this file, and where."""
        return InputError(what, file=self.name, line=line, fix=fix)


def file_stem(name: str) -> str:
    """Return a file's name without folder and extensions.

    >>> file_stem("runs/mine.jsonl.gz")
    'mine'
    """
    stem = Path(name).name
    for ending in (".gz", ".jsonl", ".json", ".txt", ".xml", ".run"):
        stem = stem.removesuffix(ending)
    return stem


def read_bytes(path: str | Path) -> bytes:
    """Return the content of a file, unzipped, or raise an InputError that says why not."""
    name = str(path)
    try:
        if name == "-":
            data = sys.stdin.buffer.read()
        elif Path(path).is_dir():
            raise InputError("is a folder where a file is expected", file=name, fix="Name a file in it.")
        else:
            data = Path(path).read_bytes()
        if data.startswith(_GZIP):
            data = gzip.decompress(data)
    except (FileNotFoundError, NotADirectoryError):
        raise InputError("no such file", file=name, fix="Check the name and the folder.") from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(f"damaged gzip file ({error})", file=name, fix="Fetch or make it again.") from None
    except OSError as error:
        raise InputError(
            f"cannot be read ({error.strerror})", file=name, fix="Check its permissions."
        ) from None
    return data


def read_source(path: str | Path) -> Source:
    """Return the content of a file of text or XML, without its byte-order mark."""
    data = read_bytes(path)
    name = "standard input" if str(path) == "-" else str(path)
    if _begins_like_xml(data):
        return Source(name, data, is_xml=True)
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            try:
                data = data.decode(encoding).lstrip("\ufeff").encode()
            except UnicodeError as error:
                what = f"begins like {encoding} but is not ({getattr(error, 'reason', error)})"
                raise InputError(what, file=name, fix="Fetch or make it again.") from None
            break
    if not data or data.isspace():
        raise InputError("is empty", file=name, fix="Check that it was written to the end.")
    if _CONTROL.search(data, 0, 65536):
        raise InputError("is binary, not text", file=name, fix="Name the text file it was made from.")
    return Source(name, data, is_xml=False)


def _begins_like_xml(data: bytes) -> bool:
    head = data[:4096]
    for mark, encoding in _MARKS:
        if head.startswith(mark):
            return head.decode(encoding, errors="ignore").lstrip("\ufeff \t\r\n").startswith("<")
    return head.startswith(_EBCDIC_XML) or head.replace(b"\0", b"").lstrip().startswith(b"<")
