"""The layout that units are cut from: tokens, sentences, and runs of tokens that a unit may not leave.

A run is a row of tokens in one block: the innermost element around them that is not inline mark-up, or, in
the answers of a profile, the innermost answer. For windows it is all of a document but for what lies outside.
Which element is a block follows from its tags, from the root down, so it is decided once for each tag path.

Tags that a profile does not speak of are inline, or too short to be answers, by inference. Sentences in the
index end at all of these; where some are inline, they are found again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from inexlab.accelerate import Kernel
from inexlab.collection.profile import Profile, names_tag
from inexlab.index.blocks import Array
from inexlab.index.index import Index
from inexlab.index.inference import Inferred, inferred, kinds_with_inferred
from inexlab.index.places import PLAIN_TEXT, sentence_bytes
from inexlab.index.postings import decode
from inexlab.index.sentences import decode_spans
from inexlab.index.tag_table import INLINE
from inexlab.tables import Bytes, Codes, Ints

Runs = Literal["blocks", "answers", "documents"]

# what an element is: the same block as the one around it, in no block, or a block itself
SAME, NONE, BLOCK = range(3)
_TOKENS = 1 << 20  # of documents that are laid out at once
_DAMAGED = -1


class LayoutRules(NamedTuple):
    """What runs are, and whether what the profile leaves outside belongs to them.

    `apart` says that no passage goes on from one answer to the next, however short it is.
    """

    runs: Runs
    outside: bool = False
    apart: bool = False


@dataclass(frozen=True)
class Layout:
    """Some documents, laid out; tokens are counted from the first of them, `base` on the axis.

    `token_start` is the first character of each token. Runs and sentences come in the order of the text, with
    their first tokens, and the token after the last one of all; only those with a token are there. The
    characters of a run go from its first sentence to its last; of a document's first and last run, where runs
    are of documents, from its beginning and to its end. `least` characters has an answer, by the profile, and
    `least_passage` a passage in one. `document_first` are the first tokens of the documents.
    """

    base: int
    least: int
    least_passage: int
    document_first: Ints
    token_start: Codes
    run_first: Codes
    run_last: Codes
    run_start: Codes
    run_end: Codes
    sentence_first: Codes
    sentence_start: Codes
    sentence_end: Codes


def roles(index: Index, rules: LayoutRules) -> Bytes:
    """Return for each tag path what its elements are."""
    guide, profile, guess = index.guide, index.profile, inferred(index)
    inline = set(np.flatnonzero(kinds_with_inferred(index) == INLINE).tolist())
    role_of = _OF_RUNS[rules.runs]
    found = []
    for path in range(len(guide.tag)):
        tags = guide.tag_path(path)
        left_out = not rules.outside and any(names_tag(tag, profile.outside) for tag in tags)
        if left_out:
            found.append(NONE)
        elif int(guide.tag[path]) in inline and len(tags) > 1:
            found.append(SAME)
        else:
            found.append(role_of(tags, profile, guess))
    return np.array(found, dtype=np.uint8)


def _in_blocks(_tags: list[str], _profile: Profile, _guess: Inferred) -> int:
    return BLOCK


def _in_answers(tags: list[str], profile: Profile, guess: Inferred) -> int:
    """Say what an element is among answers: text in what is none belongs to the answer around it.

    Text in titles, names and the like belongs to no answer. Where nothing around is an answer by its tag,
    every element is a block that is not a title, and not too short.
    """
    here = tags[-1]
    if profile.answers and names_tag(here, profile.answers):
        return BLOCK
    if names_tag(here, profile.no_answers):
        return NONE
    above = next((tag for tag in reversed(tags[:-1]) if _matters(tag, profile)), None)
    if above is None:
        return SAME if here in guess.short and len(tags) > 1 else BLOCK
    if names_tag(above, profile.no_answers) and not names_tag(above, profile.answers):
        return NONE
    return SAME


def _matters(tag: str, profile: Profile) -> bool:
    return names_tag(tag, profile.answers) or names_tag(tag, profile.no_answers)


def _in_documents(tags: list[str], _profile: Profile, _guess: Inferred) -> int:
    return BLOCK if len(tags) == 1 else SAME


_OF_RUNS: dict[Runs, Callable[[list[str], Profile, Inferred], int]] = {
    "blocks": _in_blocks,
    "answers": _in_answers,
    "documents": _in_documents,
}


def lay_out(index: Index, rules: LayoutRules) -> Iterator[Layout]:
    """Yield all documents of an index, some at a time."""
    role = roles(index, rules)
    tokens, elements = index.document_tokens, index.document_elements
    starts_from = index.borders("document-token-starts", len(index.blocks("token-starts").values))
    sentences_from = index.borders("document-sentences", len(index.blocks("sentences").values))
    d, documents = 0, len(tokens) - 1
    while d < documents:
        last = d + 1
        while last < documents and tokens[last + 1] - tokens[d] <= _TOKENS:
            last += 1
        first_element, last_element = int(elements[d]), int(elements[last])
        starts = index.part("token-starts", int(starts_from[d]), int(starts_from[last]))
        sentences, ends = _sentences(index, d, last, sentences_from)
        count = int(tokens[last] - tokens[d])
        numbers = int(np.count_nonzero(sentences > 127))
        if int(np.count_nonzero(starts > 127)) != count or numbers % 2:
            raise index.damaged("token-starts", "sentences")
        rooms = [np.empty(count, dtype=np.int32) for _ in range(8)]
        back, first, held, length = (
            index.column(name, first_element, last_element)
            for name in ("parent", "first", "tokens", "length")
        )
        sizes = _lay_out.for_work(30 * count)(
            tokens[d : last + 1],
            elements[d : last + 1],
            starts,
            starts_from[d : last + 1],
            sentences,
            ends,
            role[index.guide.path[first_element:last_element]],
            back,
            first,
            held,
            length,
            rules.runs == "documents",
            np.empty(count, dtype=np.int64),
            np.empty(numbers, dtype=np.int32),
            (rooms[0], rooms[1], rooms[2], rooms[3], rooms[4], rooms[5], rooms[6], rooms[7]),
        )
        if sizes[0] == _DAMAGED:
            raise index.damaged("token-starts", "sentences", "element-first", "element-tokens")
        runs, kept = sizes
        filled = [rooms[0], *(room[:runs] for room in rooms[1:5]), *(room[:kept] for room in rooms[5:])]
        least = index.profile.least_answer, 0 if rules.apart else index.profile.least_passage
        yield Layout(int(tokens[d]), *least, tokens[d:last] - tokens[d], *filled)
        d = last


def _sentences(index: Index, first: int, last: int, borders: Ints) -> tuple[Bytes, Ints]:
    """Return the sentences of some documents, and where those of each begin and end.

    Those in the index; where tags are inline by inference, at which these end, they are found again.
    """
    kinds = kinds_with_inferred(index)
    of_tag = index.columns["tag"]
    if not inferred(index).inline:
        return index.part("sentences", int(borders[first]), int(borders[last])), borders[first : last + 1]
    found: list[Bytes] = []
    for d in range(first, last):
        elements = slice(*index.document_elements[d : d + 2].tolist())
        tag = of_tag[elements]
        if not np.any(kinds[tag] != index.tag_kinds[tag]):
            found.append(index.part("sentences", int(borders[d]), int(borders[d + 1])))
            continue
        start, length = (
            index.column(name, elements.start, elements.stop).astype(np.int32) for name in ("start", "length")
        )
        lines = index.tags[int(tag[0])] == PLAIN_TEXT
        found.append(
            sentence_bytes(index.text(d), kinds, tag.astype(np.int32), start, start + length, lines=lines)
        )
    return np.concatenate(found), np.cumsum([0, *map(len, found)])


@Kernel
def _lay_out(
    document_tokens: Ints,
    document_elements: Ints,
    starts: Bytes,
    starts_from: Ints,
    sentences: Bytes,
    sentences_from: Ints,
    role: Bytes,
    back: Array,
    first: Array,
    tokens: Array,
    length: Array,
    whole: bool,
    numbers: Ints,
    spans: Codes,
    out: tuple[Codes, Codes, Codes, Codes, Codes, Codes, Codes, Codes],
) -> tuple[int, int]:
    """Fill the columns of a layout; return how many runs and sentences there are, or -1 for a damaged index.

    The caller has counted the numbers in `starts`, as many as there are tokens, and in `sentences`,
    and made `numbers` and `spans` as long; every document's are decoded to the beginning of these. A run has
    a token at least, that is in no other run, and so has a sentence: all columns have a place for each token.
    """
    token_start, run_first, run_last, run_start, run_end, sent_first, sent_start, sent_end = out
    base, element_base = document_tokens[0], document_elements[0]
    longest = 0
    for d in range(len(document_tokens) - 1):
        longest = max(longest, document_elements[d + 1] - document_elements[d])
    stack = np.empty(longest + 1, dtype=np.int64)
    block = np.empty(longest + 1, dtype=np.int64)
    runs, kept = 0, 0
    for d in range(len(document_tokens) - 1):
        size = document_tokens[d + 1] - document_tokens[d]
        begin = document_tokens[d] - base
        a, b = starts_from[d] - starts_from[0], starts_from[d + 1] - starts_from[0]
        ends = 0
        for k in range(a, b):
            ends += starts[k] > 127
        if ends != size:
            return _DAMAGED, 0
        decode(starts, a, b, numbers)
        for k in range(size):
            token_start[begin + k] = numbers[k] + 1  # positions are counted from -1
        a, b = sentences_from[d] - sentences_from[0], sentences_from[d + 1] - sentences_from[0]
        count = decode_spans(sentences, a, b, spans)
        # sentences with a token: those that begin in it
        t, before = 0, kept
        for s in range(count):
            if t < size and token_start[begin + t] < spans[2 * s]:
                return _DAMAGED, 0
            if t < size and token_start[begin + t] < spans[2 * s + 1]:
                sent_first[kept] = begin + t
                sent_start[kept] = spans[2 * s]
                sent_end[kept] = spans[2 * s + 1]
                kept += 1
                while t < size and token_start[begin + t] < spans[2 * s + 1]:
                    t += 1
        if t < size:
            return _DAMAGED, 0
        # runs: tokens one after the other whose innermost element has the same block
        e0, e1 = document_elements[d] - element_base, document_elements[d + 1] - element_base
        document_runs = runs
        height, here = 0, 0
        for e in range(e0, e1 + 1):
            until = size
            if e < e1:
                until = np.int64(first[e])
                if until > size or np.int64(back[e]) > e - e0:
                    return _DAMAGED, 0
            while here < until and height > 0:
                top = stack[height - 1]
                stop = min(until, np.int64(first[top]) + np.int64(tokens[top]))
                if stop <= here:
                    height -= 1
                    continue
                of = block[top - e0]
                if of >= 0:
                    joins = (
                        runs > document_runs
                        and run_last[runs - 1] == begin + here
                        and run_start[runs - 1] == of
                    )
                    if not joins:
                        run_first[runs] = begin + here
                        run_start[runs] = of  # for now
                        runs += 1
                    run_last[runs - 1] = begin + stop
                here = stop
            here = max(here, until)
            if e == e1:
                break
            if role[e] == BLOCK:
                block[e - e0] = e - e0
            elif role[e] == NONE or back[e] == 0:
                block[e - e0] = -1
            else:
                block[e - e0] = block[e - np.int64(back[e]) - e0]
            if tokens[e] > 0:
                while (
                    height > 0
                    and np.int64(first[stack[height - 1]]) + np.int64(tokens[stack[height - 1]]) <= until
                ):
                    height -= 1
                stack[height] = e
                height += 1
        # characters of runs
        s = before
        for r in range(document_runs, runs):
            while s + 1 < kept and sent_first[s + 1] <= run_first[r]:
                s += 1
            run_start[r] = sent_start[s]
            while s + 1 < kept and sent_first[s + 1] < run_last[r]:
                s += 1
            run_end[r] = sent_end[s]
        if whole and runs > document_runs:
            if run_first[document_runs] == begin:
                run_start[document_runs] = 0
            if run_last[runs - 1] == begin + size:
                run_end[runs - 1] = length[e0]
    return runs, kept
