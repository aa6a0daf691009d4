"""The command `inex_eval`: a drop-in for the official tool of INEX 2008-2010.

Same flags, same layout, same numbers, its quirks included: it ignores rank and score, keeps all
results, charges 18 characters for an element that was not found, decides recall levels in floating
point, repeats the last gP beyond the end of a list, and refuses a run with overlap as far as it notices
(an earlier passage that begins or ends inside the new one; a passage strictly inside an earlier one
slips through and counts twice). Without -c it averages over the topics of the run, while num_rel and
rel_size still count all topics.

One addition: with -collection DIR results may be given by paths, which are looked up in the documents. The
official tool wanted them as offset and length.
"""

from __future__ import annotations

import argparse
import dataclasses
import math
import re
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from inexlab.cli.terminal import be_printable, ending_well, harmless_output
from inexlab.errors import InexlabError, InputError, printable

if TYPE_CHECKING:
    from inexlab.collection import Collection
    from inexlab.judgements import Judgements
    from inexlab.measures import Evaluation
    from inexlab.runs import Run

_COUNTS = ("num_ret", "num_rel", "num_rel_ret", "ret_size", "rel_size", "rel_ret_size")
_RANKS = (1, 2, 3, 5, 10, 25, 50)


class _RefusedRunError(InexlabError):
    """A run that the official tool gives no scores for."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command, and leave the program."""
    ending_well("inex_eval", lambda: run_command(arguments))


def run_command(arguments: Sequence[str] | None = None) -> None:
    """Run the command and exit: 0 done, 1 a run was refused, 2 the input cannot be used."""
    be_printable()
    options = _parser().parse_args(arguments)
    try:
        with harmless_output():
            sys.exit(_evaluate_all(options))
    except InexlabError as error:
        print(f"inex_eval: {printable(str(error))}", file=sys.stderr)
        sys.exit(2)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="inex_eval",
        description="Score runs as the official tool of INEX 2008-2010 did; for all else: inexlab evaluate.",
        epilog="Example: inex_eval -f -q inex2009.qrels 664.txt",
        allow_abbrev=False,
    )
    mode = parser.add_mutually_exclusive_group(required=True)
    mode.add_argument("-f", dest="mode", action="store_const", const="focused", help="Focused task")
    mode.add_argument(
        "-r", dest="mode", action="store_const", const="relevant", help="Relevant in Context task"
    )
    mode.add_argument("-b", dest="mode", action="store_const", const="best", help="Best in Context task")
    parser.add_argument(
        "-c", action="store_true", help="average over all judged topics, not only those of the run"
    )
    parser.add_argument("-q", action="store_true", help="print every topic's scores too")
    parser.add_argument(
        "-n", type=_positive, default=500, metavar="INT", help="with -b: reach of an entry point (500)"
    )
    parser.add_argument(
        "-beta", type=_decimal, default="0.25", metavar="NUM", help="with -r: weight of recall (0.25)"
    )
    parser.add_argument(
        "-collection",
        metavar="DIR",
        default="",
        help="an addition to the official tool: the documents, for runs that give paths in column 7",
    )
    parser.add_argument("qrels", help="judgements: topic Q0 doc rsize docsize [bep offset:length …]")
    parser.add_argument(
        "runs",
        nargs="+",
        metavar="run",
        help="run: topic Q0 doc rank rsv run-id offset length (with -collection: path)",
    )
    return parser


def _positive(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,12}", text) or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return int(text)


def _decimal(text: str) -> str:
    if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{0,15})?|\.[0-9]{1,15}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of at least 0")
    return text


def _evaluate_all(options: argparse.Namespace) -> int:
    from inexlab.collection import open_collection
    from inexlab.judgements import read_judgements
    from inexlab.runs import read_run

    judgements = read_judgements(options.qrels, "qrels")
    documents = open_collection(options.collection) if options.collection else None
    refused = 0
    for path in options.runs:
        run = _located(read_run(path, "text"), path, documents)
        try:
            block = _block(options, judgements, run, path, documents)
        except _RefusedRunError as error:
            print(f"inex_eval: ERROR: {error}", file=sys.stderr)
            refused = 1
            continue
        sys.stdout.write("\n".join(block) + "\n")
    return refused


def _located(run: Run, path: str, documents: Collection | None) -> Run:
    """Return a run with offset and length of every result; of paths those that the documents have."""
    if run.about["columns"] == "8":
        return run
    if documents is None or not (run.path >= 0).any():
        raise InputError(
            "results are not offset and length in columns 7 and 8",
            file=path,
            fix="Give -collection DIR for paths, or use `inexlab evaluate`, which reads every form.",
        )
    from inexlab.runs.locate import locate

    found = locate(run, documents)
    missing = int((found.start < 0).sum())
    lost = f"; {missing:,} not found there, charged 18 characters each" if missing else ""
    addition = "paths looked up in the collection, an addition to the official tool"
    print(f"inex_eval: {path}: {addition}{lost}", file=sys.stderr)
    return found


def _block(
    options: argparse.Namespace, judgements: Judgements, run: Run, path: str, documents: Collection | None
) -> list[str]:
    from inexlab.measures import evaluate
    from inexlab.policy import OFFICIAL_TOOL

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
    """Raise where the tool gives up: overlap, a document in two places or, in -b, with two results."""
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
    options: argparse.Namespace,
    judgements: Judgements,
    run: Run,
    path: str,
    evaluation: Evaluation,
    per_topic: Sequence[str],
    curve: Sequence[str],
) -> Iterator[str]:
    import numpy as np

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
