"""`inex_eval`: flags, layout, numbers and quirks of the official tool, derived by hand on a small campaign.

The numbers are chosen so that they can be written down without a computer: ratios with a power of two below,
and for Relevant in Context (β = 0.25) a precision of 1 with a recall of 1/16, where
F = 1.0625 × 1/16 / (0.0625 + 1/16) = 0.53125.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from inexlab.api.official import java_double

from .conftest import Command, Write

# Topics are printed in string order: 10, 11, 9. Topic 11 is in no run.
QRELS = """\
9 Q0 A 100 400 0 0:100
9 Q0 B 160 800 100 100:160
9 Q0 C 0 500
10 Q0 D 200 1000 50 50:200
11 Q0 E 64 64 0 0:64
"""

# The same with 156 instead of 160 characters of B, so that topic 9 has 256 relevant characters.
QRELS_256 = QRELS.replace("160 800 100 100:160", "156 800 100 100:156")

# With QRELS_256, topic 9: P = 1, 1/2, 256/512 at recall 100/256 = .39…, the same, and 1;
# topic 10: P = 50/100, 200/256 at recall .25 and 1. Topic 8 has no judgements.
FOCUSED = """\
9 Q0 A 1 0 focused 0 100
9 Q0 C 2 0 focused 0 100
10 Q0 D 1 0 focused 0 100
10 Q0 D 2 0 focused 100 156
9 Q0 B 3 0 focused 100 312
8 Q0 B 1 0 focused 0 312
"""

# Topic 9: documents A (the whole highlight, in two pieces), C, G (unjudged), B (1/16 of its highlight);
# topic 10: D (the whole highlight, in two pieces).
IN_CONTEXT = """\
9 Q0 A 1 0 ric 0 60
9 Q0 A 2 0 ric 60 40
9 Q0 C 3 0 ric 0 100
9 Q0 G 4 0 ric 0 100
9 Q0 B 5 0 ric 250 10
10 Q0 D 1 0 ric 50 100
10 Q0 D 2 0 ric 150 100
"""

# Distances from the best entry points: A 125 (score .75 with n = 500), B 250 (.5), D 500 (0).
BEST = """\
9 Q0 A 1 0 bic 125 1
9 Q0 C 2 0 bic 0 1
9 Q0 G 3 0 bic 0 1
9 Q0 B 4 0 bic 350 1
10 Q0 D 1 0 bic 550 1
"""


def values(out: str) -> dict[tuple[str, str], str]:
    """Return the lines of one block by label and topic."""
    lines = [line.split("\t") for line in out.splitlines() if not line.startswith("<")]
    return {(line[0], line[-2]): line[-1] for line in lines}


# --- the layout, byte for byte ---------------------------------------------------------------------------


def test_focused_output(inex_eval: Command, write: Write) -> None:
    # AiP of 10: .78125 at all 101 levels; of 9: 1 at the 40 levels up to .39, 1/2 at the other 61: 70.5/101
    done = inex_eval("-f", "-q", write("q", QRELS_256), write("run.txt", FOCUSED))
    expected = """\
<eval run-id="focused" file="run.txt">
num_ret		10	1
num_rel		10	1
num_rel_ret	10	1
ret_size	10	256
rel_size	10	200
rel_ret_size	10	200
iP[0.00]	10	0.78125
iP[0.01]	10	0.78125
iP[0.05]	10	0.78125
iP[0.10]	10	0.78125
AiP		10	0.78125
num_ret		9	3
num_rel		9	2
num_rel_ret	9	2
ret_size	9	512
rel_size	9	256
rel_ret_size	9	256
iP[0.00]	9	1.0
iP[0.01]	9	1.0
iP[0.05]	9	1.0
iP[0.10]	9	1.0
AiP		9	0.698019801980198
num_q		all	2
num_ret		all	4
num_rel		all	4
num_rel_ret	all	3
ret_size	all	768
rel_size	all	520
rel_ret_size	all	456
iP[0.00]	all	0.890625
iP[0.01]	all	0.890625
iP[0.05]	all	0.890625
iP[0.10]	all	0.890625
MAiP		all	0.739634900990099
"""
    levels = [0.890625] * 40 + [0.640625] * 61
    expected += "".join(f"ircl_prn.{level / 100:.2f}\tall\t{value}\n" for level, value in enumerate(levels))
    assert (done.code, done.err) == (0, "")
    assert done.out == expected + "</eval>\n"


def test_relevant_in_context_output(inex_eval: Command, write: Write) -> None:
    # topic 9: S = 1, 0, 0, .53125, so gP = 1, 1/2, 1/3, .3828125, and the last is repeated
    done = inex_eval("-r", "-q", write("q", QRELS), write("run.txt", IN_CONTEXT))
    expected = """\
<eval run-id="ric" file="run.txt">
num_ret		10	1
num_rel		10	1
num_rel_ret	10	1
ret_size	10	200
rel_size	10	200
rel_ret_size	10	200
gP[1]		10	1.0
gR[1]		10	1.0
gP[2]		10	1.0
gR[2]		10	1.0
gP[3]		10	1.0
gR[3]		10	1.0
gP[5]		10	1.0
gR[5]		10	1.0
gP[10]		10	1.0
gR[10]		10	1.0
gP[25]		10	1.0
gR[25]		10	1.0
gP[50]		10	1.0
gR[50]		10	1.0
AgP		10	1.0
num_ret		9	4
num_rel		9	2
num_rel_ret	9	2
ret_size	9	310
rel_size	9	260
rel_ret_size	9	110
gP[1]		9	1.0
gR[1]		9	0.5
gP[2]		9	0.5
gR[2]		9	0.5
gP[3]		9	0.3333333333333333
gR[3]		9	0.5
gP[5]		9	0.3828125
gR[5]		9	1.0
gP[10]		9	0.3828125
gR[10]		9	1.0
gP[25]		9	0.3828125
gR[25]		9	1.0
gP[50]		9	0.3828125
gR[50]		9	1.0
AgP		9	0.69140625
num_q		all	2
num_ret		all	5
num_rel		all	4
num_rel_ret	all	3
ret_size	all	510
rel_size	all	524
rel_ret_size	all	310
MAgP		all	0.845703125
gP[1]		all	1.0
gR[1]		all	0.75
gP[2]		all	0.75
gR[2]		all	0.75
gP[3]		all	0.6666666666666666
gR[3]		all	0.75
gP[5]		all	0.69140625
gR[5]		all	1.0
gP[10]		all	0.69140625
gR[10]		all	1.0
gP[25]		all	0.69140625
gR[25]		all	1.0
gP[50]		all	0.69140625
gR[50]		all	1.0
ircl_prn.0.00	all	1.0
ircl_prn.0.10	all	1.0
ircl_prn.0.20	all	1.0
ircl_prn.0.30	all	1.0
ircl_prn.0.40	all	1.0
ircl_prn.0.50	all	1.0
ircl_prn.0.60	all	0.69140625
ircl_prn.0.70	all	0.69140625
ircl_prn.0.80	all	0.69140625
ircl_prn.0.90	all	0.69140625
ircl_prn.1.00	all	0.69140625
</eval>
"""
    assert (done.code, done.err) == (0, "")
    assert done.out == expected


def test_best_in_context_output(inex_eval: Command, write: Write) -> None:
    # topic 9: S = .75, 0, 0, .5, so gP = .75, .375, .25, .3125; the tool counts no characters here
    done = inex_eval("-b", "-q", write("q", QRELS), write("run.txt", BEST))
    expected = """\
<eval run-id="bic" file="run.txt">
num_ret		10	1
num_rel		10	1
num_rel_ret	10	1
ret_size	10	0
rel_size	10	200
rel_ret_size	10	0
gP[1]		10	0.0
gR[1]		10	1.0
gP[2]		10	0.0
gR[2]		10	1.0
gP[3]		10	0.0
gR[3]		10	1.0
gP[5]		10	0.0
gR[5]		10	1.0
gP[10]		10	0.0
gR[10]		10	1.0
gP[25]		10	0.0
gR[25]		10	1.0
gP[50]		10	0.0
gR[50]		10	1.0
AgP		10	0.0
num_ret		9	4
num_rel		9	2
num_rel_ret	9	2
ret_size	9	0
rel_size	9	260
rel_ret_size	9	0
gP[1]		9	0.75
gR[1]		9	0.5
gP[2]		9	0.375
gR[2]		9	0.5
gP[3]		9	0.25
gR[3]		9	0.5
gP[5]		9	0.3125
gR[5]		9	1.0
gP[10]		9	0.3125
gR[10]		9	1.0
gP[25]		9	0.3125
gR[25]		9	1.0
gP[50]		9	0.3125
gR[50]		9	1.0
AgP		9	0.53125
num_q		all	2
num_ret		all	5
num_rel		all	4
num_rel_ret	all	3
ret_size	all	0
rel_size	all	524
rel_ret_size	all	0
MAgP		all	0.265625
gP[1]		all	0.375
gR[1]		all	0.75
gP[2]		all	0.1875
gR[2]		all	0.75
gP[3]		all	0.125
gR[3]		all	0.75
gP[5]		all	0.15625
gR[5]		all	1.0
gP[10]		all	0.15625
gR[10]		all	1.0
gP[25]		all	0.15625
gR[25]		all	1.0
gP[50]		all	0.15625
gR[50]		all	1.0
ircl_prn.0.00	all	0.375
ircl_prn.0.10	all	0.375
ircl_prn.0.20	all	0.375
ircl_prn.0.30	all	0.375
ircl_prn.0.40	all	0.375
ircl_prn.0.50	all	0.375
ircl_prn.0.60	all	0.15625
ircl_prn.0.70	all	0.15625
ircl_prn.0.80	all	0.15625
ircl_prn.0.90	all	0.15625
ircl_prn.1.00	all	0.15625
</eval>
"""
    assert (done.code, done.err) == (0, "")
    assert done.out == expected


@pytest.mark.parametrize(
    ("flag", "run", "lines"), [("-f", FOCUSED, 115), ("-r", IN_CONTEXT, 35), ("-b", BEST, 35)]
)
def test_without_q_only_the_overall_block(
    call_inex_eval: Command, write: Write, flag: str, run: str, lines: int
) -> None:
    full = call_inex_eval(flag, "-q", write("q", QRELS), write("r", run)).out.splitlines()
    brief = call_inex_eval(flag, "q", "r").out.splitlines()
    assert brief == [line for line in full if line.startswith("<") or "\tall\t" in line]
    assert len(brief) == lines  # 113 or 33 numbers between the tags


# --- flags -----------------------------------------------------------------------------------------------


def test_c_averages_over_all_judged_topics(inex_eval: Command, write: Write) -> None:
    without = values(inex_eval("-r", "-q", write("q", QRELS), write("r", IN_CONTEXT)).out)
    all_topics = values(inex_eval("-r", "-c", "-q", "q", "r").out)
    assert ("AgP", "11") not in without
    assert all_topics["AgP", "11"] == all_topics["gP[50]", "11"] == all_topics["gR[50]", "11"] == "0.0"
    assert (without["num_q", "all"], all_topics["num_q", "all"]) == ("2", "3")
    assert float(all_topics["MAgP", "all"]) == pytest.approx(2 * 0.845703125 / 3, abs=1e-15)
    # relevant text is that of all judged topics either way
    for name, total in (("num_rel", "4"), ("rel_size", "524")):
        assert without[name, "all"] == all_topics[name, "all"] == total


def test_beta(call_inex_eval: Command, write: Write) -> None:
    # B: P = 1, R = 1/16; β = 1: 2/17; β = 0: precision alone; β = 2: 5/16 / (4 + 1/16) = 1/13
    write("q", QRELS)
    write("r", IN_CONTEXT)
    for beta, score in (("1", 2 / 17), ("0", 1.0), ("2.0", 1 / 13), ("0.25", 0.53125)):
        found = values(call_inex_eval("-r", "-q", "-beta", beta, "q", "r").out)
        assert float(found["gP[50]", "9"]) == pytest.approx((1 + score) / 4, abs=1e-15)
    assert call_inex_eval("-r", "-q", "-beta", "0.25", "q", "r") == call_inex_eval("-r", "-q", "q", "r")


def test_n(call_inex_eval: Command, write: Write) -> None:
    write("q", QRELS)
    write("r", BEST)
    for n, gains in (("1000", (0.875, 0.75, 0.5)), ("250", (0.5, 0.0, 0.0)), ("100", (0.0, 0.0, 0.0))):
        found = values(call_inex_eval("-b", "-q", "-n", n, "q", "r").out)
        assert float(found["gP[1]", "9"]) == gains[0]
        assert float(found["gP[50]", "9"]) == (gains[0] + gains[1]) / 4
        assert float(found["gP[1]", "10"]) == gains[2]
    assert call_inex_eval("-b", "-q", "-n", "500", "q", "r") == call_inex_eval("-b", "-q", "q", "r")


def test_flags_in_any_order(call_inex_eval: Command, write: Write) -> None:
    write("q", QRELS)
    write("r", IN_CONTEXT)
    expected = call_inex_eval("-r", "-c", "-q", "-beta", "1", "q", "r")
    assert expected.code == 0
    assert call_inex_eval("-beta", "1", "-q", "-c", "-r", "q", "r") == expected
    assert call_inex_eval("q", "r", "-r", "-q", "-beta", "1", "-c") == expected


@pytest.mark.parametrize(
    "arguments",
    [
        ("q", "r"),
        ("-f", "-r", "q", "r"),
        ("-f", "q"),
        ("-b", "-n", "0", "q", "r"),
        ("-b", "-n", "ten", "q", "r"),
        ("-r", "-beta", "-1", "q", "r"),
        ("-r", "-beta", "nan", "q", "r"),
        ("-x", "-f", "q", "r"),
    ],
)
def test_wrong_flags_exit_2(call_inex_eval: Command, write: Write, arguments: tuple[str, ...]) -> None:
    write("q", QRELS)
    write("r", FOCUSED)
    done = call_inex_eval(*arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.splitlines()[-1].startswith("inex_eval: error: ")


# --- quirks ----------------------------------------------------------------------------------------------


def one_document(write: Write, *spans: str, relevant: str = "0:100") -> tuple[str, str]:
    """Write a topic with one relevant document, and a run that returns these passages of it."""
    length = relevant.partition(":")[2]
    qrels = write("q", f"1 Q0 A {length} 1000 0 {relevant}\n")
    return qrels, write("r", "".join(f"1 Q0 A {rank} 0 one {span}\n" for rank, span in enumerate(spans)))


OVERLAPS = {
    "the earlier one begins inside": ("50 50", "0 60"),
    "the earlier one ends inside": ("0 50", "40 40"),
    "the earlier one lies inside": ("20 10", "0 60"),
    "the same passage again": ("0 50", "0 50"),
    "inside, with the same start": ("0 100", "0 50"),
    "inside, with the same end": ("0 100", "50 50"),
    "not with the last one": ("0 50", "60 10", "40 15"),
}


@pytest.mark.parametrize("mode", ["-f", "-r"])
@pytest.mark.parametrize("kind", OVERLAPS)
def test_overlap_is_refused(call_inex_eval: Command, write: Write, kind: str, mode: str) -> None:
    done = call_inex_eval(mode, "-q", *one_document(write, *OVERLAPS[kind]))
    assert (done.code, done.out) == (1, "")
    assert len(done.err.splitlines()) == 1
    assert done.err.startswith("inex_eval: ERROR: run one, topic 1, document A: ")
    assert "overlaps" in done.err


@pytest.mark.parametrize("spans", [("0 50", "50 50"), ("50 50", "0 50"), ("0 10", "90 10", "20 5")])
def test_passages_that_touch_do_not_overlap(
    call_inex_eval: Command, write: Write, spans: tuple[str, ...]
) -> None:
    assert call_inex_eval("-f", *one_document(write, *spans)).code == 0


@pytest.mark.parametrize("mode", ["-f", "-r"])
@pytest.mark.parametrize("empty", ["0 0", "50 0"])
def test_an_empty_passage_that_touches_another_is_accepted_in_both_orders(
    call_inex_eval: Command, write: Write, mode: str, empty: str
) -> None:
    """Nothing is in it, so it is no overlap; one that lies inside the new passage is, as for the tool."""
    for spans in (("0 50", empty), (empty, "0 50")):
        assert call_inex_eval(mode, *one_document(write, *spans)).code == 0
    assert call_inex_eval(mode, *one_document(write, "20 0", "0 50")).code == 1


def test_overlap_is_only_within_a_topic_and_document(call_inex_eval: Command, write: Write) -> None:
    write("q", "1 Q0 A 9 50 0 0:9\n2 Q0 A 9 50 0 0:9\n")
    run = write("r", "1 Q0 A 1 0 r 0 9\n1 Q0 B 2 0 r 0 9\n2 Q0 A 1 0 r 0 9\n")
    assert call_inex_eval("-f", "q", run).code == 0


@pytest.mark.parametrize("mode", ["-f", "-r"])
def test_a_passage_strictly_inside_slips_through_and_counts_twice(
    call_inex_eval: Command, write: Write, mode: str
) -> None:
    done = call_inex_eval(mode, "-q", *one_document(write, "0 128", "14 64"))
    assert (done.code, done.err) == (0, "")
    found = values(done.out)
    assert found["ret_size", "1"] == "192"
    assert found["rel_ret_size", "1"] == "164"
    assert found["rel_size", "1"] == "100"


def test_a_refused_run_does_not_stop_the_others(inex_eval: Command, write: Write) -> None:
    write("q", QRELS)
    first, last = write("first.txt", FOCUSED), write("last.txt", FOCUSED.replace("focused", "last"))
    refused = write("refused.txt", "9 Q0 A 1 0 twice 0 10\n9 Q0 A 2 0 twice 5 10\n")
    done = inex_eval("-f", "q", first, refused, last)
    assert done.code == 1
    assert done.out == inex_eval("-f", "q", first).out + inex_eval("-f", "q", last).out
    assert 'run-id="last" file="last.txt"' in done.out
    assert done.err == (
        "inex_eval: ERROR: run twice, topic 9, document A: 5:10 overlaps 0:10; "
        "`inexlab evaluate` scores such runs by unseen text\n"
    )


def test_interleaved_documents_are_refused_in_context_only(call_inex_eval: Command, write: Write) -> None:
    write("q", QRELS)
    run = write("r", "9 Q0 A 1 0 mixed 0 10\n9 Q0 B 2 0 mixed 0 10\n9 Q0 A 3 0 mixed 20 10\n")
    done = call_inex_eval("-r", "q", run)
    assert (done.code, done.out) == (1, "")
    assert "topic 9, document A: the results of a document are not together" in done.err
    assert call_inex_eval("-f", "q", run).code == 0


def test_two_entry_points_of_a_document_are_refused(call_inex_eval: Command, write: Write) -> None:
    write("q", QRELS)
    run = write("r", "9 Q0 A 1 0 two 0 10\n9 Q0 A 2 0 two 20 10\n")
    done = call_inex_eval("-b", "q", run)
    assert (done.code, done.out) == (1, "")
    assert "topic 9, document A: more than one result of a document" in done.err
    assert call_inex_eval("-r", "q", run).code == 0


@pytest.mark.parametrize("mark", ["X 0", "-1 -1", "X 77"])
def test_an_element_not_found_costs_18_characters(call_inex_eval: Command, write: Write, mark: str) -> None:
    found = values(call_inex_eval("-f", "-q", *one_document(write, mark, "0 46", relevant="0:46")).out)
    assert (found["ret_size", "1"], found["rel_ret_size", "1"]) == ("64", "46")
    assert found["iP[0.00]", "1"] == found["AiP", "1"] == "0.71875"  # 46 of 18 + 46


def test_an_entry_point_not_found_scores_0(call_inex_eval: Command, write: Write) -> None:
    found = values(call_inex_eval("-b", "-q", *one_document(write, "X 0")).out)
    assert (found["gP[1]", "1"], found["gR[1]", "1"]) == ("0.0", "1.0")


def test_recall_levels_are_decided_in_floating_point(call_inex_eval: Command, write: Write) -> None:
    # 100 × (29 / 100) is 28.999999999999996 in binary, so the level 0.29 is never reached
    found = values(call_inex_eval("-f", *one_document(write, "0 29")).out)
    assert (found["ircl_prn.0.28", "all"], found["ircl_prn.0.29", "all"]) == ("1.0", "0.0")
    found = values(call_inex_eval("-f", *one_document(write, "0 30")).out)
    assert (found["ircl_prn.0.30", "all"], found["ircl_prn.0.31", "all"]) == ("1.0", "0.0")


def test_rank_and_score_are_ignored(call_inex_eval: Command, write: Write) -> None:
    plain = call_inex_eval("-f", "-q", write("q", QRELS), write("r", FOCUSED))
    rows = [line.split() for line in FOCUSED.splitlines()]
    shuffled = "".join(
        " ".join([*row[:3], str(99 - i), f"{i}.5", *row[5:]]) + "\n" for i, row in enumerate(rows)
    )
    assert call_inex_eval("-f", "-q", "q", write("r", shuffled)) == plain


def test_there_is_no_limit_on_results(call_inex_eval: Command, write: Write) -> None:
    write("q", "1 Q0 A 100 1000 0 0:100\n")
    run = write("r", "".join(f"1 Q0 C{i} {i} 0 long 0 1\n" for i in range(1999)) + "1 Q0 A 2000 0 long 0 1\n")
    found = values(call_inex_eval("-f", "-q", "q", run).out)
    assert (found["num_ret", "1"], found["ret_size", "1"]) == ("2000", "2000")
    assert found["iP[0.00]", "1"] == "5.0E-4"  # 1 of 2,000


def test_rsize_is_taken_at_its_word(call_inex_eval: Command, write: Write) -> None:
    write("q", "1 Q0 A 128 1000 0 0:64\n")  # the highlights add up to 64
    found = values(call_inex_eval("-f", "-q", "q", write("r", "1 Q0 A 1 0 r 0 64\n")).out)
    assert (found["rel_size", "1"], found["rel_ret_size", "1"]) == ("128", "64")
    assert (found["ircl_prn.0.50", "all"], found["ircl_prn.0.51", "all"]) == ("1.0", "0.0")


def test_a_topic_without_relevant_text(call_inex_eval: Command, write: Write) -> None:
    write("q", QRELS + "7 Q0 A 0 400\n")
    focused = values(call_inex_eval("-f", "-q", "q", write("f", FOCUSED + "7 Q0 A 1 0 focused 0 9\n")).out)
    assert (focused["iP[0.01]", "7"], focused["AiP", "7"]) == ("0.0", "0.0")
    assert focused["num_q", "all"] == "3"
    assert float(focused["iP[0.01]", "all"]) == pytest.approx((0.78125 + 1.0 + 0.0) / 3, abs=1e-15)
    in_context = values(call_inex_eval("-r", "-q", "q", write("r", IN_CONTEXT + "7 Q0 A 1 0 ric 0 9\n")).out)
    assert in_context["AgP", "7"] == in_context["gR[1]", "7"] == "NaN"
    assert in_context["MAgP", "all"] == "NaN"
    assert in_context["AgP", "9"] == "0.69140625"


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("9 Q0 A 1 0 r", ": results are not offset and length in columns 7 and 8"),
        ("9 Q0 A 1 0 r /article[1]", ": results are not offset and length in columns 7 and 8"),
        ("9 Q0 A 1 0 r 100", ": results are not offset and length in columns 7 and 8"),
        ("9 Q0 A 1 0 r X", ": results are not offset and length in columns 7 and 8"),
        ("9 Q0 A 1 0 r 0 10 11", ", line 1: 9 columns"),
        ("9 Q0 A 1 0", ", line 1: 5 columns"),
        ("9 Q0 A 1 0 r -5 10", ", line 1: offset '-5' is negative"),
        ("9 Q0 A 1 0 r 5 -10", ", line 1: length '-10' is negative"),
        ("9 Q0 A 1 0 r 5 ten", ", line 1: length 'ten' is not a whole number"),
    ],
)
def test_only_offset_and_length_are_read(inex_eval: Command, write: Write, row: str, problem: str) -> None:
    done = inex_eval("-f", write("q", QRELS), write("bad.txt", row + "\n"))
    assert (done.code, done.out) == (2, "")
    assert len(done.err.splitlines()) == 1
    assert done.err.startswith(f"inex_eval: bad.txt{problem}")


@pytest.mark.parametrize(
    ("qrels", "place", "problem"),
    [
        ("9 Q0 A 100 400 0\n", "q, line 1: ", "6 columns"),
        (QRELS + "9 Q0 A 1 400 0 0:1\n", "q, line 6: ", "document A is judged a second time for topic 9"),
        ("", "q: ", "is empty"),
    ],
)
def test_bad_judgements_exit_2(
    inex_eval: Command, write: Write, qrels: str, place: str, problem: str
) -> None:
    done = inex_eval("-f", write("q", qrels), write("r", FOCUSED))
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"inex_eval: {place}{problem}")
    assert len(done.err.splitlines()) == 1


def test_a_closed_pipe_ends_quietly(tmp_path: Path, write: Write) -> None:
    write("q", QRELS)
    command: list[str | Path] = [
        Path(sys.executable).with_name("inex_eval"),
        "-f",
        "-q",
        "q",
        *[write("r", FOCUSED)] * 30,
    ]
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as closed:
        done = subprocess.run(command, cwd=tmp_path, stdout=closed, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


# --- numbers as Java prints them -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        (0.0, "0.0"),
        (1.0, "1.0"),
        (0.1, "0.1"),
        (1 / 3, "0.3333333333333333"),
        (0.001, "0.001"),
        (0.0009999, "9.999E-4"),
        (0.0001, "1.0E-4"),
        (9.61761397301916e-4, "9.61761397301916E-4"),  # from an output of the official tool
        (2**-14, "6.103515625E-5"),
        (1.5e-10, "1.5E-10"),
        (1e-100, "1.0E-100"),
        (123456.0, "123456.0"),
        (9999999.0, "9999999.0"),
        (10000000.0, "1.0E7"),
        (12345678.9, "1.23456789E7"),
        (1e22, "1.0E22"),
        (-0.00025, "-2.5E-4"),
        (float("nan"), "NaN"),
    ],
)
def test_doubles_are_written_as_in_java(value: float, printed: str) -> None:
    assert java_double(value) == printed


def test_small_numbers_reach_the_output_in_java_notation(inex_eval: Command, write: Write) -> None:
    # one relevant character in a passage of 16,384: 2 to the power of -14
    found = values(inex_eval("-f", "-q", *one_document(write, "99 16384")).out)
    assert found["iP[0.00]", "1"] == found["iP[0.01]", "1"] == "6.103515625E-5"
    assert found["iP[0.05]", "1"] == "0.0"


def test_means_add_up_topics_in_string_order(call_inex_eval: Command, write: Write) -> None:
    """As the official tool does; numpy's pairwise sum differs in the last digit."""
    topics = range(100, 300)
    write("q", "".join(f"{topic} Q0 A 10 100 0 0:10\n" for topic in topics))
    run = write("r", "".join(f"{topic} Q0 A 1 0 r 0 {topic - 89}\n" for topic in reversed(topics)))
    found = values(call_inex_eval("-f", "-q", "q", run).out)
    by_topic = [float(found["iP[0.00]", str(topic)]) for topic in topics]
    total = 0.0
    for value in by_topic:
        total += value
    assert total / 200 != float(np.sum(by_topic)) / 200, "too few topics to tell the difference"
    assert found["iP[0.00]", "all"] == java_double(total / 200)


def test_an_encoding_without_the_characters_shows_question_marks(inex_eval: Command, write: Write) -> None:
    write("q", QRELS)
    run = write("r", FOCUSED.replace("focused", "fökussiert"))
    done = inex_eval("-f", "q", run, env={"PYTHONIOENCODING": "ascii"})
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith('<eval run-id="f?kussiert" file="r">\n')


# --- a topic without relevant text -----------------------------------------------------------------------

# Topic 7 has judged documents and nothing relevant; the run has it, or has not.
EMPTY = QRELS_256 + "7 Q0 A 0 400\n7 Q0 B 0 800\n"
RANKS = (1, 2, 3, 5, 10, 25, 50)
LEVELS = [f"ircl_prn.{k / 10:.2f}" for k in range(11)]


def test_focused_scores_a_topic_without_relevant_text_0_and_counts_it(
    inex_eval: Command, write: Write
) -> None:
    run = write("run.txt", FOCUSED + "7 Q0 A 1 0 focused 0 100\n")
    found = values(inex_eval("-f", "-q", write("q", EMPTY), run).out)
    without = values(inex_eval("-f", "-q", write("q2", QRELS_256), write("run2.txt", FOCUSED)).out)
    for name in ("iP[0.00]", "iP[0.01]", "iP[0.05]", "iP[0.10]", "AiP"):
        assert found[name, "7"] == "0.0"
    assert (found["num_q", "all"], without["num_q", "all"]) == ("3", "2")
    for name in ("iP[0.00]", "MAiP", "ircl_prn.0.00", "ircl_prn.1.00"):
        assert float(found[name, "all"]) == pytest.approx(float(without[name, "all"]) * 2 / 3)


@pytest.mark.parametrize(("flag", "rows"), [("-r", IN_CONTEXT), ("-b", BEST)])
@pytest.mark.parametrize("complete", [False, True])
def test_in_context_a_topic_without_relevant_text_that_the_run_has(
    inex_eval: Command, write: Write, flag: str, rows: str, complete: bool
) -> None:
    id = "ric" if flag == "-r" else "bic"
    options = (flag, "-q", *(["-c"] if complete else []))
    found = values(
        inex_eval(*options, write("q", EMPTY), write("run.txt", f"{rows}7 Q0 A 1 0 {id} 0 9\n")).out
    )
    without = values(inex_eval(*options, write("q2", QRELS_256), write("run2.txt", rows)).out)
    topics = int(without["num_q", "all"])
    assert found["num_q", "all"] == str(topics + 1)
    assert found["AgP", "7"] == found["MAgP", "all"] == "NaN"
    for k in RANKS:
        assert (found[f"gP[{k}]", "7"], found[f"gR[{k}]", "7"]) == ("0.0", "NaN")
        assert found[f"gR[{k}]", "all"] == "NaN"
        share = float(without[f"gP[{k}]", "all"]) * topics / (topics + 1)
        assert float(found[f"gP[{k}]", "all"]) == pytest.approx(share)
    for level in LEVELS:
        share = float(without[level, "all"]) * topics / (topics + 1)
        assert float(found[level, "all"]) == pytest.approx(share)


@pytest.mark.parametrize(("flag", "rows"), [("-r", IN_CONTEXT), ("-b", BEST)])
def test_in_context_a_topic_without_relevant_text_that_the_run_lacks(
    inex_eval: Command, write: Write, flag: str, rows: str
) -> None:
    run = write("run.txt", rows)
    found = values(inex_eval(flag, "-q", "-c", write("q", EMPTY), run).out)
    without = values(inex_eval(flag, "-q", "-c", write("q2", QRELS_256), run).out)
    assert found["AgP", "7"] == found["MAgP", "all"] == "NaN"
    for k in RANKS:
        assert (found[f"gP[{k}]", "7"], found[f"gR[{k}]", "7"]) == ("0.0", "0.0")
        for name in ("gP", "gR"):
            share = float(without[f"{name}[{k}]", "all"]) * 3 / 4
            assert float(found[f"{name}[{k}]", "all"]) == pytest.approx(share)
    for level in LEVELS:
        assert float(found[level, "all"]) == pytest.approx(float(without[level, "all"]) * 3 / 4)
    alone = values(inex_eval(flag, "-q", write("q", EMPTY), run).out)
    assert ("AgP", "7") not in alone
    assert alone["MAgP", "all"] != "NaN"


# An addition: paths, with the documents.

ARTICLE = "<article><sec>Ten chars.</sec><sec>Ten more c.</sec></article>"  # sections 0:10 and 10:11


@pytest.mark.parametrize("mode", ["-f", "-r"])
def test_paths_with_a_collection_score_as_their_offsets_do(
    call_inex_eval: Command, write: Write, mode: str
) -> None:
    write("docs/A.xml", ARTICLE)
    write("q", "1 Q0 A 11 21 10 10:11\n")
    by_path = write("paths", "1 Q0 A 1 2 r /article[1]/sec[2]\n1 Q0 A 2 1 r /article[1]/sec[1]\n")
    by_offset = write("offsets", "1 Q0 A 1 2 r 10 11\n1 Q0 A 2 1 r 0 10\n")
    done = call_inex_eval(mode, "-q", "-collection", "docs", "q", by_path)
    assert done.code == 0
    assert done.out == call_inex_eval(mode, "-q", "q", by_offset).out.replace("offsets", "paths")
    assert done.err == (
        "inex_eval: paths: paths looked up in the collection, an addition to the official tool\n"
    )


def test_a_path_that_is_not_there_costs_18_characters(call_inex_eval: Command, write: Write) -> None:
    write("docs/A.xml", ARTICLE)
    write("q", "1 Q0 A 11 21 10 10:11\n")
    run = write("r", "1 Q0 A 1 2 r /article[1]/sec[2]\n1 Q0 A 2 1 r /article[1]/sec[7]\n1 Q0 A 3 0 r X\n")
    done = call_inex_eval("-f", "-q", "-collection", "docs", "q", run)
    assert values(done.out)["ret_size", "1"] == str(11 + 18 + 18)
    assert done.err.endswith("; 2 not found there, charged 18 characters each\n")


def test_overlapping_paths_are_refused_too(call_inex_eval: Command, write: Write) -> None:
    write("docs/A.xml", ARTICLE)
    write("q", "1 Q0 A 11 21 10 10:11\n")
    run = write("r", "1 Q0 A 1 2 r /article[1]/sec[2]\n1 Q0 A 2 1 r /article[1]\n")
    done = call_inex_eval("-f", "-collection", "docs", "q", run)
    assert (done.code, done.out) == (1, "")
    assert "0:21 overlaps 10:11" in done.err


def test_a_single_offset_stays_refused_with_a_collection(call_inex_eval: Command, write: Write) -> None:
    write("docs/A.xml", ARTICLE)
    write("q", "1 Q0 A 11 21 10 10:11\n")
    done = call_inex_eval("-b", "-collection", "docs", "q", write("r", "1 Q0 A 1 2 r 100\n"))
    assert done.code == 2
    assert "results are not offset and length in columns 7 and 8" in done.err
