"""The 1,216 articles that benchmarks of the index work on, where they are."""

from __future__ import annotations

import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path, PurePath

ARTICLES = Path(__file__).resolve().parents[2] / "shared" / "data" / "elife-1216.tar.xz"


def articles() -> Iterator[tuple[str, str, bytes]]:
    """Yield every article: id, name, content; leave the program with a line where there are none."""
    if not ARTICLES.exists():
        print(f"skipped: {Path(sys.argv[0]).name} needs ../shared/data/{ARTICLES.name}")
        sys.exit(0)
    with tarfile.open(ARTICLES) as archive:
        for member in archive:
            content = archive.extractfile(member) if member.name.endswith(".xml") else None
            if content is not None:
                yield PurePath(member.name).stem, member.name, content.read()
