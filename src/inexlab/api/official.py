"""Runs scored as the official tool of INEX 2008-2010 did: `inex_eval`.

Same layout, same numbers, its quirks included: it ignores rank and score, keeps all results, charges 18
characters for an element that was not found, decides recall levels in floating point, repeats the last gP
beyond the end of a list, and refuses a run with overlap as far as it notices (an earlier passage that begins
or ends inside the new one; a passage strictly inside an earlier one slips through and counts twice). Without
`c` it averages over the topics of the run, while num_rel and rel_size still count all topics.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from inexlab.api.answers import Text
from inexlab.api.inputs import Documents, given_collection, given_judgements
from inexlab.collection import Collection
from inexlab.errors import InexlabError, InputError, UnknownNameError
from inexlab.experiments.inputs import opened
from inexlab.judgements import Judgements, read_judgements
from inexlab.measures import Evaluation, evaluate
from inexlab.policy import OFFICIAL_TOOL
from inexlab.runs import Run, locate, read_run
from inexlab.runs.objects import runs_of

MODES = ("focused", "relevant", "best")
_COUNTS = ("num_ret", "num_rel", "num_rel_ret", "ret_size", "rel_size", "rel_ret_size")
_RANKS = (1, 2, 3, 5, 10, 25, 50)


class _RefusedRunError(InexlabError):
    """A run that the official tool gives no scores for."""


class OfficialOptions(NamedTuple):
    """The options of the tool: `mode` is -f, -r or -b, the others have its names."""

    mode: str = "focused"
    c: bool = False
    q: bool = False
    n: int = 500
    beta: str = "0.25"


class Block(NamedTuple):
    """What the tool prints of a run; a run that it gives no scores for has a refusal in place of a text."""

    run: str
    text: str = ""
    refusal: str = ""
    note: str = ""


@dataclass(frozen=True, eq=False, repr=False)
class OfficialResult(Text):
    """What the official tool prints of some runs, and the runs that it refuses."""

    blocks: tuple[Block, ...] = ()

    @property
    def refused(self) -> list[str]:
        """Why runs were refused, a line for each."""
        return [block.refusal for block in self.blocks if block.refusal]


def inex_eval(
    qrels: object,
    runs: object,
    mode: str = "focused",
    *,
    c: bool = False,
    q: bool = False,
    n: int = 500,
    beta: float | str = "0.25",
    collection: Documents = None,
) -> OfficialResult:
    """Score runs as the official tool of INEX 2008-2010 did; for all else there is `evaluate`.

    `mode` is focused, relevant (in context) or best (in context): the options -f, -r and -b. `c` averages
    over all judged topics, `q` has every topic's scores, `n` is the reach of an entry point, `beta` the
    weight of recall. With a collection, results may be given by paths.

    >>> import inexlab
    >>> run = "demo/runs/focused-sections.txt"
    >>> found = inexlab.inex_eval("demo/judgements.qrels", run, collection="demo/articles")
    >>> found.text().splitlines()[1].split()
    ['num_q', 'all', '6']
    """
    blocks = tuple(official_blocks(qrels, runs, OfficialOptions(mode, c, q, n, str(beta)), collection))
    notes = tuple(line for block in blocks for line in (block.note, block.refusal) if line)
    return OfficialResult("InexEval", "".join(block.text for block in blocks), notes, blocks)


def official_blocks(
    qrels: object, runs: object, options: OfficialOptions, collection: Documents = None
) -> Iterator[Block]:
    """Yield what the tool prints, run after run."""
    if options.mode not in MODES:
        raise UnknownNameError("mode", options.mode, MODES)
    given = given_judgements(qrels)
    judgements = given if isinstance(given, Judgements) else read_judgements(given, "qrels")
    documents = opened(given_collection(collection))
    for one in runs_of(runs):
        path = str(one) if isinstance(one, str | Path) else one.file or one.id
        run, note = _located(read_run(one, "text"), path, documents)
        try:
            block = _block(options, judgements, run, path, documents)
        except _RefusedRunError as error:
            yield Block(run.id, refusal=str(error), note=note)
            continue
        yield Block(run.id, "\n".join(block) + "\n", note=note)


def _located(run: Run, path: str, documents: Collection | None) -> tuple[Run, str]:
    """Return a run with offset and length of every result, of paths those that there are, and what to say."""
    in_memory = not run.file and not (run.start < 0).any()
    if run.about.get("columns") == "8" or in_memory:
        return run, ""
    if documents is None or not (run.path >= 0).any():
        raise InputError(
            "results are not offset and length in columns 7 and 8",
            file=path,
            fix="Give `collection=DIR` for paths, or use `inexlab evaluate`, which reads every form.",
        )
    found = locate(run, documents)
    missing = int((found.start < 0).sum())
    lost = f"; {missing:,} not found there, charged 18 characters each" if missing else ""
    addition = "paths looked up in the collection, an addition to the official tool"
    return found, f"{path}: {addition}{lost}"


def _block(
    options: OfficialOptions, judgements: Judgements, run: Run, path: str, documents: Collection | None
) -> list[str]:
    _refuse(options.mode, run)
    score = f"score=BEP,n={options.n}" if options.mode == "best" else f"score=F,beta={options.beta}"
    if options.mode == "focused":
        per_topic = ["iP@0", "iP@0.01", "iP@0.05", "iP@0.1", "MAiP"]
        curve = [f"iP@{k / 100}" for k in range(101)]
    else:
        per_topic = [f"{m}@{k}" for k in _RANKS for m in (f"gP({score})", "gR")] + [f"MAgP({score})"]
        curve = [f"igP({score})@{k / 10}" for k in range(11)]
    evaluation = evaluate(
        judgements,
        [run],
        [*_COUNTS, *per_topic, *curve],
        collection=documents,
        policy=dataclasses.replace(OFFICIAL_TOOL, order="file"),
        over="judged" if options.c else "run",
        need_judged_topics=False,
    )
    return list(_lines(options, judgements, run, path, evaluation, per_topic, curve))


def _refuse(mode: str, run: Run) -> None:
    """Raise if the tool gives up: overlap, a document in two places or, in -b, with two results."""
    passages: dict[tuple[int, int], list[tuple[int, int]]] = {}
    previous = (-1, -1)
    rows = zip(run.topic.tolist(), run.doc.tolist(), run.start.tolist(), run.end.tolist(), strict=True)
    for topic, doc, start, end in rows:
        key = (topic, doc)
        earlier = passages.setdefault(key, [])
        where = f"run {run.id}, topic {run.topics[topic]}, document {run.docs[doc]}"
        if mode == "best" and earlier:
            raise _RefusedRunError(f"{where}: more than one result of a document")
        if mode == "relevant" and earlier and key != previous:
            raise _RefusedRunError(f"{where}: the results of a document are not together")
        for other_start, other_end in earlier if mode != "best" and start >= 0 else ():
            begins_inside, ends_inside = start <= other_start < end, start < other_end <= end
            empty = other_start == other_end  # nothing is in it: where it only touches, there is no overlap
            if (begins_inside and ends_inside) if empty else (begins_inside or ends_inside):
                raise _RefusedRunError(
                    f"{where}: {start}:{end - start} overlaps {other_start}:{other_end - other_start}; "
                    "`inexlab evaluate` scores such runs by unseen text"
                )
        earlier.append((start, end))
        previous = key


def _lines(
    options: OfficialOptions,
    judgements: Judgements,
    run: Run,
    path: str,
    evaluation: Evaluation,
    per_topic: Sequence[str],
    curve: Sequence[str],
) -> Iterator[str]:
    # in string order, in which the tool prints topics and adds them up
    topics = sorted(t for t in judgements.topics if options.c or t in run.topics.codes)
    values = {
        scores.measure.given: dict(zip(judgements.topics, scores.values[0], strict=True))
        for scores in evaluation.scores
    }
    if options.mode != "focused":
        _without_relevant_text(values, judgements, run)
    if options.mode == "best":  # the tool does not count characters for entry points
        for name in ("ret_size", "rel_ret_size"):
            values[name] = dict.fromkeys(judgements.topics, 0.0)

    def mean(name: str) -> float:
        return float(np.cumsum([values[name][t] for t in topics])[-1] / len(topics)) if topics else math.nan

    yield f'<eval run-id="{run.id}" file="{path}">'
    for topic in topics if options.q else []:
        for name in _COUNTS:
            yield _line(name, topic, int(values[name][topic]))
        for name in per_topic:
            yield _line(_label(name), topic, values[name][topic])
    yield _line("num_q", "all", len(topics))
    relevant = judgements.stated
    totals = {"num_rel": int((relevant > 0).sum()), "rel_size": int(relevant.sum())}
    for name in _COUNTS:
        yield _line(name, "all", totals.get(name, int(sum(values[name][t] for t in topics))))
    overall = per_topic if options.mode == "focused" else [per_topic[-1], *per_topic[:-1]]
    for name in overall:
        yield _line(_label(name).replace("AiP", "MAiP").replace("AgP", "MAgP"), "all", mean(name))
    for name in curve:
        yield _line(f"ircl_prn.{float(name.rpartition('@')[2]):.2f}", "all", mean(name))
    yield "</eval>"


def _without_relevant_text(values: dict[str, dict[str, float]], judgements: Judgements, run: Run) -> None:
    """Set what the tool gives in context to topics without relevant text: it divides by 0, but not always.

    gP and its curve are 0, AgP is 0/0. gR is 0/0 too, unless the run does not have the topic.
    """
    for number, topic in enumerate(judgements.topics):
        rows = slice(*judgements.rows_from[number : number + 2])
        if judgements.stated[rows].any():
            continue
        for name in values:
            if name.startswith(("gP(", "igP(")) or (name.startswith("gR@") and topic not in run.topics.codes):
                values[name][topic] = 0.0


def _label(measure: str) -> str:
    """Turn a measure's name into the tool's: `iP@0.01` is iP[0.01], `gP(score=F,beta=1)@5` is gP[5]."""
    name, _, cutoff = measure.partition("@")
    name = name.partition("(")[0].removeprefix("M")
    return name if not cutoff else f"{name}[{float(cutoff):.2f}]" if name == "iP" else f"{name}[{cutoff}]"


def _line(name: str, topic: str, value: float) -> str:
    tabs = "\t" if len(name) >= 8 else "\t\t"
    return f"{name}{tabs}{topic}\t{value if isinstance(value, int) else java_double(float(value))}"


def java_double(value: float) -> str:
    """Write a number as Java prints a double: `1.0E-4`, `0.25`, `NaN`.

    >>> [java_double(x) for x in (0.0, 0.25, 1e-4, 123.0, 12345678.9, float("nan"))]
    ['0.0', '0.25', '1.0E-4', '123.0', '1.23456789E7', 'NaN']
    """
    if math.isnan(value):
        return "NaN"
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        return repr(value)
    digits, _, exponent = f"{value!r}".partition("e")
    if not exponent:
        digits, _, exponent = f"{value:.16e}".partition("e")
        for precision in range(17):
            shorter = f"{value:.{precision}e}"
            if float(shorter) == value:
                digits, _, exponent = shorter.partition("e")
                break
    return f"{digits if '.' in digits else digits + '.0'}E{int(exponent)}"
