"""Who judges which topic: what assessors asked for, some topics twice, some kept back for latecomers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from inexlab.errors import UsageError, nearest_name
from inexlab.files import Source, read_source
from inexlab.jsonl import json_row
from inexlab.wording import counted

_COLUMNS = "A line is NAME, the number of topics, and the topics asked for, if any: `anna 3 2009001 2009005`."


class Volunteer(NamedTuple):
    """An assessor: how many topics they take, and which they asked for."""

    name: str
    topics: int
    asked: tuple[str, ...] = ()


def read_volunteers(path: str | Path, topics: Sequence[str]) -> list[Volunteer]:
    """Read a file of assessors: lines `NAME N [TOPIC …]`, or JSON Lines `{"name", "topics", "asked"}`."""
    source = read_source(path)
    found: dict[str, Volunteer] = {}
    for number, line in enumerate(source.data.split(b"\n"), start=1):
        given = _volunteer(source, number, line)
        if given is None:
            continue
        if given.name in found:
            raise source.problem(f"{given.name} is listed twice", number, "Keep one line.")
        for topic in given.asked:
            if topic not in topics:
                near = nearest_name(topic, topics)
                fix = f"Did you mean {near}?" if near else f"Topics are {', '.join(topics[:5])} …"
                raise source.problem(f"{given.name} asked for {topic}, which no run returns", number, fix)
        found[given.name] = given
    if not found:
        raise source.problem("lists no assessors", fix=_COLUMNS)
    return list(found.values())


def _volunteer(source: Source, number: int, line: bytes) -> Volunteer | None:
    content = line.strip()
    if not content or content.startswith(b"#"):
        return None
    if content.startswith(b"{"):
        row = json_row(source, number, line)
        assert row is not None
        asked = row.get("asked") or []
        if not isinstance(asked, list) or not all(isinstance(t, str | int) for t in asked):
            raise source.problem("'asked' is not a list of topics", number)
        return Volunteer(
            row.string("name"), row.whole_number("topics"), tuple(dict.fromkeys(map(str, asked)))
        )
    try:
        name, count, *rest = content.decode().replace(",", " ").split()
        if not (count.isascii() and count.isdigit() and len(count) < 10):
            raise ValueError
    except ValueError:
        shown = content.decode(errors="replace")[:40]
        raise source.problem(f"{shown!r} is not an assessor", number, _COLUMNS) from None
    return Volunteer(name, int(count), tuple(dict.fromkeys(rest)))


def plan(
    topics: Sequence[str], volunteers: Sequence[Volunteer], *, double: float = 0.0, reserve: float = 0.0
) -> dict[str, tuple[str, ...]]:
    """Return who judges each topic; nobody judges one that is kept back.

    `double` is the share of all topics that two assessors judge, `reserve` the share kept back. Kept back are
    the last topics of those that the fewest asked for, judged twice those that the most asked for, then
    topics at equal distances. Everybody gets topics they asked for as far as others did not come before them
    in turn, then those that are left go to whoever has had the smallest share of what they take.

    >>> plan(["1", "2", "3", "4"], [Volunteer("anna", 2, ("3",)), Volunteer("bob", 3)], double=0.25)
    {'1': ('bob', 'anna'), '2': ('bob',), '3': ('anna',), '4': ('bob',)}
    """
    for name, share in (("double", double), ("reserve", reserve)):
        if not 0 <= share <= 1:
            raise UsageError(f"`{name}=` is {share:g}, expected a share of the topics from 0 to 1.")
    asking = {topic: sum(topic in v.asked for v in volunteers) for topic in topics}
    place = {topic: i for i, topic in enumerate(topics)}
    kept = set(sorted(topics, key=lambda t: (asking[t], -place[t]))[: round(reserve * len(topics))])
    open_topics = [topic for topic in topics if topic not in kept]
    twice = _spread(open_topics, asking, round(double * len(topics)))
    needed = {topic: 2 if topic in twice else 1 for topic in open_topics}
    _refuse_too_few(volunteers, needed, len(kept), len(twice))
    chosen = _assign(volunteers, needed)
    return {topic: tuple(chosen.get(topic, ())) for topic in topics}


def _spread(topics: Sequence[str], asking: Mapping[str, int], count: int) -> set[str]:
    """Return topics to judge twice: those several asked for, then some at equal distances."""
    if count > len(topics):
        raise UsageError(f"{count} topics are to be judged twice, and {len(topics)} are left to judge.")
    wanted = sorted((t for t in topics if asking[t] > 1), key=lambda t: -asking[t])[:count]
    others = [topic for topic in topics if topic not in wanted]
    more = count - len(wanted)
    return {*wanted, *(others[i * len(others) // more] for i in range(more))}


def _refuse_too_few(
    volunteers: Sequence[Volunteer], needed: Mapping[str, int], kept: int, twice: int
) -> None:
    offered, wanted = sum(v.topics for v in volunteers), sum(needed.values())
    if offered < wanted:
        raise UsageError(
            f"the assessors take {counted(offered, 'topic')} together, and {wanted} are to be given out "
            f"({len(needed)} topics, {twice} of them twice; {kept} kept back); "
            "raise their numbers or `reserve=`, or lower `double=`."
        )
    if twice and sum(v.topics > 0 for v in volunteers) < 2:
        raise UsageError("to judge topics twice takes two assessors; leave out `double=`.")


def _assign(volunteers: Sequence[Volunteer], needed: Mapping[str, int]) -> dict[str, list[str]]:
    takes = {v.name: v.topics for v in volunteers}
    given: dict[str, list[str]] = {v.name: [] for v in volunteers}
    judges: dict[str, list[str]] = {topic: [] for topic in needed}

    def free(name: str, topic: str) -> bool:
        return len(given[name]) < takes[name] and name not in judges[topic]

    def give(name: str, topic: str) -> None:
        given[name].append(topic)
        judges[topic].append(name)

    longest = max((len(v.asked) for v in volunteers), default=0)
    for turn in range(longest):  # everybody's first wish, then everybody's second
        for v in volunteers:
            topic = v.asked[turn] if turn < len(v.asked) else ""
            if topic in needed and len(judges[topic]) < needed[topic] and free(v.name, topic):
                give(v.name, topic)
    for topic in sorted(needed, key=lambda t: -needed[t]):  # those judged twice are the hardest to place
        while len(judges[topic]) < needed[topic]:
            able = [v.name for v in volunteers if free(v.name, topic)]
            if able:
                give(min(able, key=lambda name: len(given[name]) / takes[name]), topic)
            elif not _make_room(topic, takes, given, judges):
                raise UsageError(
                    f"topic {topic} cannot be given to {needed[topic]} assessors: nobody else has room; "
                    "lower `double=`, or spread what assessors take."
                )
    return judges


def _make_room(
    topic: str, takes: Mapping[str, int], given: dict[str, list[str]], judges: dict[str, list[str]]
) -> bool:
    """Give a topic to somebody whose hands are full, who passes one on, and so forth; False where nobody can.

    The shortest such chain is taken; nobody is in it twice, so whatever is passed on can be taken.
    """
    came: dict[str, tuple[str, str]] = {}  # an assessor: what they would take, and from whom
    waiting = [(topic, "")]
    while waiting:
        passed, giver = waiting.pop(0)
        for name in given:
            if name in came or name in judges[passed] or not takes[name]:
                continue
            came[name] = passed, giver
            if len(given[name]) == takes[name]:
                waiting += [(other, name) for other in given[name]]
                continue
            taker = name
            while taker:
                passed, giver = came[taker]
                given[taker].append(passed)
                judges[passed].append(taker)
                if giver:
                    given[giver].remove(passed)
                    judges[passed].remove(giver)
                taker = giver
            return True
    return False
