"""Files in: one place that opens what users give us and says plainly why it cannot.

Accepts plain files, files packed by gzip, bzip2 or xz, and `-` for standard input, drops byte-order marks,
and refuses folders, empty files and binary content before any reader sees them. XML is passed on as it came:
its encoding is the XML parser's business.
"""

from __future__ import annotations

import bz2
import contextlib
import functools
import gzip
import io
import lzma
import re
import sys
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from inexlab.errors import InputError
from inexlab.limits import ALLOW_ANY_SIZE, TooLargeError, need_limits

GZIP = b"\x1f\x8b"
_PIECE = 1 << 20
_MARKS = (
    (b"\xff\xfe\0\0", "utf-32"),
    (b"\0\0\xfe\xff", "utf-32"),
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_CONTROL = bytes({*range(32)} - set(b"\t\n\v\f\r\x1b"))
_EBCDIC_XML = b"\x4c\x6f\xa7\x94"  # `<?xm` in every EBCDIC code page


@dataclass(frozen=True)
class _Packing:
    """A way to pack files: how such a file begins, and what reads it."""

    name: str
    begins: re.Pattern[bytes]
    open: Callable[[BinaryIO], Any]


_PACKINGS = (
    _Packing("gzip", re.compile(re.escape(GZIP)), lambda file: gzip.GzipFile(fileobj=file)),
    _Packing("bzip2", re.compile(rb"BZh[1-9](1AY&SY|\x17rE8P\x90)"), bz2.BZ2File),
    _Packing("xz", re.compile(re.escape(b"\xfd7zXZ\0")), lzma.LZMAFile),
)
_LONGEST_BEGINNING = 10  # bytes that tell how a file is packed


class _DamagedError(Exception):
    """A packed file that cannot be unpacked to its end."""


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
    for ending in (".gz", ".bz2", ".xz", ".jsonl", ".json", ".txt", ".xml", ".run"):
        stem = stem.removesuffix(ending)
    return stem


def read_bytes(path: str | Path) -> bytes:
    """Return the content of a file, unpacked, or raise an InputError that says why not."""
    name = str(path)
    with explained(path):
        if name == "-":
            data = sys.stdin.buffer.read()
        elif Path(path).is_dir():
            raise InputError("is a folder where a file is expected", file=name, fix="Give a file in it.")
        else:
            data = Path(path).read_bytes()
        if _packing_of(data) is None:
            return data
        return b"".join(unpacked_pieces(io.BufferedReader(io.BytesIO(data))))


def unpacked_pieces(
    file: io.BufferedReader, size: int = _PIECE, *, in_memory: bool = True
) -> Iterator[bytes]:
    """Yield the content of an open file in pieces, unpacked where it begins as a packed file does.

    All that users give us packed is unpacked here, within limits; `in_memory` says that all is kept.
    """
    packing = _packing_of(file.peek(_LONGEST_BEGINNING))
    if packing is None:
        while piece := file.read(size):
            yield piece
        return
    try:
        with packing.open(file) as unpacked:
            so_far = 0
            while piece := unpacked.read(size):
                so_far += len(piece)
                need_limits(so_far, _read_so_far(file), in_memory=in_memory)
                yield piece
    except (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile) as error:
        raise _DamagedError(f"damaged {packing.name} file ({error})") from None
    except OSError as error:
        if error.errno is not None:  # of the disk, not of bzip2
            raise
        raise _DamagedError(f"damaged {packing.name} file ({error})") from None


def _read_so_far(file: io.BufferedReader) -> int | None:
    """Return how many bytes of a file were read; of a pipe nobody knows."""
    return file.tell() if file.seekable() else None


def _packing_of(data: bytes) -> _Packing | None:
    return next((packing for packing in _PACKINGS if packing.begins.match(data)), None)


@contextlib.contextmanager
def explained(path: str | Path) -> Iterator[None]:
    """Turn errors of the operating system and of unpacking into an InputError that says how to fix it."""
    name = str(path)
    try:
        yield
    except (FileNotFoundError, NotADirectoryError):
        raise InputError("no such file", file=name, fix="Check the name and the folder.") from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(
            f"damaged gzip file ({error})", file=name, fix="Download or create it again."
        ) from None
    except _DamagedError as error:
        raise InputError(str(error), file=name, fix="Download or create it again.") from None
    except TooLargeError as error:
        raise too_large(name, error) from None
    except OSError as error:
        raise InputError(
            f"cannot be read ({error.strerror})", file=name, fix="Check its permissions."
        ) from None


def too_large(name: str, error: TooLargeError) -> InputError:
    """Return the error for a file that is larger than it may be."""
    fix = f"To read it anyway, {ALLOW_ANY_SIZE}."
    return InputError(str(error), file=name, fix=fix)


def read_source(path: str | Path) -> Source:
    """Return the content of a file of text or XML, without its byte-order mark."""
    data = read_bytes(path)
    name = shown_name(path)
    if begins_like_xml(data):
        return Source(name, data, is_xml=True)
    encoding = encoding_mark(data)
    if encoding is not None:
        try:
            data = data.decode(encoding).lstrip("\ufeff").encode()
        except UnicodeError as error:
            what = f"begins like {encoding} but is not ({getattr(error, 'reason', error)})"
            raise InputError(what, file=name, fix="Download or create it again.") from None
    need_text(data, name)
    return Source(name, data, is_xml=False)


def files_in(path: str | Path, kind: str) -> list[str | Path]:
    """Return the file itself, or all files in a folder and below it, of a kind such as `assessment`."""
    if not Path(path).is_dir():
        return [path]
    files: list[str | Path] = sorted(
        file
        for file in Path(path).rglob("*")
        if file.is_file() and not file.name.startswith(".") and file.suffix != ".dtd"
    )
    if not files:
        raise InputError("is an empty folder", file=str(path), fix=f"Give the folder of the {kind} files.")
    return files


def shown_name(path: str | Path) -> str:
    """Return what messages call a file."""
    return "standard input" if str(path) == "-" else str(path)


def need_text(data: bytes, name: str) -> None:
    """Refuse what is empty or binary."""
    if not data or data.isspace():
        raise InputError("is empty", file=name, fix="The file may be truncated.")
    head = data[:65536]
    if len(head.translate(None, _CONTROL)) < len(head):
        raise InputError("is binary, not text", file=name, fix="Give the text file it was made from.")


def encoding_mark(data: bytes) -> str | None:
    """Return the encoding that a byte-order mark announces, if there is one."""
    return next((encoding for mark, encoding in _MARKS if data.startswith(mark)), None)


def begins_like_xml(data: bytes) -> bool:
    """Whether the first character that is not white space is `<`, in whatever encoding."""
    head = data[:4096]
    encoding = encoding_mark(head)
    if encoding is not None:
        return head.decode(encoding, errors="ignore").lstrip("\ufeff \t\r\n").startswith("<")
    return head.startswith(_EBCDIC_XML) or head.replace(b"\0", b"").lstrip().startswith(b"<")
