"""Titles of documents: the first element with a tag that a profile names for it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from inexlab.collection.profile import names_tag
from inexlab.index.batch import Batch
from inexlab.index.scan import ELEMENTS


class TitleTags:
    """Which of the tags so far are those of titles, for each kind of title that a profile names."""

    def __init__(self, wanted: Sequence[str]) -> None:
        self._wanted, self._seen = wanted, 0
        self._codes: list[list[int]] = [[] for _ in wanted]

    def codes(self, tags: Sequence[str]) -> list[list[int]]:
        """Return the codes of the tags of titles, in the order of the profile."""
        for code in range(self._seen, len(tags)):
            for wanted, codes in zip(self._wanted, self._codes, strict=True):
                if names_tag(tags[code], (wanted,)):
                    codes.append(code)
        self._seen = len(tags)
        return self._codes


def title_of(batch: Batch, document: int, title_codes: list[list[int]]) -> str:
    """Return a document's title: the first element, in document order, with a tag that titles have."""
    first, last = (int(end[ELEMENTS]) for end in batch.ends[document : document + 2])
    for codes in title_codes:
        if codes:
            tags = batch.tag[first:last]
            is_title = tags == codes[0] if len(codes) == 1 else np.isin(tags, codes)
            element = first + int(is_title.argmax())
            if is_title[element - first]:
                start, end = int(batch.start[element]), int(batch.end[element])
                beginning = batch.text_of(document)[: 4 * end].tobytes().decode(errors="ignore")
                return " ".join(beginning[start:end].split())
    return ""
