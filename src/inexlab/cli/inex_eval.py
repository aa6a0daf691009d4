"""The command `inex_eval`: a drop-in for the official tool of INEX 2008-2010 (`inexlab.api.official`).

Same flags, same layout, same numbers. One addition: with -collection DIR results may be given by paths, which
are looked up in the documents. The official tool wanted them as offset and length.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence

from inexlab.cli.flags import with_flags
from inexlab.cli.terminal import replace_unencodable, run_and_exit, sanitised_output
from inexlab.errors import InexlabError, printable


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command, and leave the program."""
    run_and_exit("inex_eval", lambda: run_command(arguments))


def run_command(arguments: Sequence[str] | None = None) -> None:
    """Run the command and exit: 0 done, 1 a run was refused, 2 the input cannot be used."""
    replace_unencodable()
    options = _parser().parse_args(arguments)
    try:
        with sanitised_output():
            sys.exit(_evaluate_all(options))
    except InexlabError as error:
        print(f"inex_eval: {printable(with_flags(str(error), '-'))}", file=sys.stderr)
        sys.exit(2)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="inex_eval",
        description="Score runs as the official tool of INEX 2008-2010 did. See also: inexlab evaluate.",
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
    parser.add_argument("-q", action="store_true", help="also print the scores of every topic")
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
    from inexlab.api.official import OfficialOptions, official_blocks

    refused = 0
    chosen = OfficialOptions(options.mode, options.c, options.q, options.n, options.beta)
    for block in official_blocks(options.qrels, options.runs, chosen, options.collection):
        if block.note:
            print(f"inex_eval: {block.note}", file=sys.stderr)
        if block.refusal:
            print(f"inex_eval: ERROR: {block.refusal}", file=sys.stderr)
            refused = 1
        sys.stdout.write(block.text)
    return refused
