"""The 1,216 articles that benchmarks of the index work on, where they are, and copies of them."""

from __future__ import annotations

import random
import re
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path, PurePath

import numpy as np

ARTICLES = Path(__file__).resolve().parents[2] / "shared" / "data" / "elife-1216.tar.xz"
CHANGED = 0.02  # of the words of a copy
_WORD = re.compile(rb"(?<![&\w-])[a-z]{4,}(?=[ ,.<])")  # neither in a tag nor in an entity, mostly


def articles(copies: int = 1) -> Iterator[tuple[str, str, bytes]]:
    """Yield every article, and copies under other ids: id, name, content.

    Two words in a hundred of a copy are other words: their letters are so many further in the alphabet.
    Leaves the program with a line where there are no articles.
    """
    if not ARTICLES.exists():
        print(f"skipped: {Path(sys.argv[0]).name} needs ../shared/data/{ARTICLES.name}")
        sys.exit(0)
    with tarfile.open(ARTICLES) as archive:
        for member in archive:
            content = archive.extractfile(member) if member.name.endswith(".xml") else None
            if content is not None:
                yield from _copies(PurePath(member.name).stem, member.name, content.read(), copies)


def _copies(id: str, name: str, content: bytes, copies: int) -> Iterator[tuple[str, str, bytes]]:
    yield id, name, content
    if copies == 1:
        return
    body = content.index(b"<article-title>")
    tags = [tag.span() for tag in re.finditer(rb"<[^>]*>", content)]
    in_tag = np.zeros(len(content), dtype=np.bool_)
    for start, end in tags:
        in_tag[start:end] = True
    words = [word.span() for word in _WORD.finditer(content, body) if not in_tag[word.start()]]
    letters = np.frombuffer(content, dtype=np.uint8)
    for copy in range(1, copies):
        changed = letters.copy()
        for start, end in random.Random(f"{id} {copy}").sample(words, int(CHANGED * len(words))):
            changed[start:end] = (letters[start:end] - ord("a") + copy) % 26 + ord("a")
        yield f"{id}-{copy}", f"{name}-{copy}", changed.tobytes()
