"""Checking judgements: every kind of defect planted in good ones and found, nothing found in good ones."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import pytest

from inexlab.collection import Collection, open_collection
from inexlab.errors import InexlabError
from inexlab.judgements import read_judgements
from inexlab.judgements.read import Selection
from inexlab.judgements.validate import JudgementContext, check_judgements, judgement_rules
from inexlab.problems import Problem
from tests.mutations import mutated

HANDBOOK = Path(str(files("inexlab") / "handbook"))

# A: "Wie\n" 0-4, p[1] 4-14, p[2] 14-25, then one more character: 26. B: "ééé", 3 characters in 6 bytes.
# C: 11 characters, or 7 with white space merged. D: a section of a thousand and more characters.
DOCUMENTS = {
    "A": "<a><t>Wie\n</t><s><p>0123456789</p><p>abcdefghijk</p></s>\n</a>",
    "B": "<a><p>ééé</p></a>",
    "C": "<a><p>ab   \n c  d</p></a>",
    "D": f"<a><s>{'word ' * 240}</s></a>",
}


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Collection:
    folder = tmp_path_factory.mktemp("documents")
    for name, content in DOCUMENTS.items():
        (folder / f"{name}.xml").write_text(content, encoding="utf-8")
    return open_collection(folder)


def found(
    path: Path, collection: Collection | None = None, unit: str = "char", pools: tuple[str, ...] = ()
) -> list[Problem]:
    return list(check_judgements(path, JudgementContext(collection, unit), Selection(frozenset(pools))))


def assessed(*elements: str, doc: str = "A", inside: str = "") -> str:
    """Assessments of one document, one line for each element: `/path e s` (2004) or `/path e rsize/size`."""
    lines = []
    for element in elements:
        path, e, s = element.split()
        if "/" in s:
            rsize, _, size = s.partition("/")
            lines.append(f'<element path="{path}" exhaustivity="{e}" rsize="{rsize}" size="{size}"/>')
        elif s in "NSLE":
            lines.append(f'<path path="{path}" topicalrelevance="{e}" coverage="{s}"/>')
        else:
            lines.append(f'<path path="{path}" exhaustiveness="{e}" specificity="{s}"/>')
    body = "\n".join([*lines, *([inside] if inside else [])])
    return f'<assessments pool="7" topic="1">\n<file name="{doc}">\n{body}\n</file></assessments>'


def passage(start: str, end: str, size: int) -> str:
    return f'<passage start="{start}" end="{end}" size="{size}"/>'


WHOLE_2004 = ("/a[1] 2 1", "/a[1]/t[1] 0 0", "/a[1]/s[1] 2 2", "/a[1]/s[1]/p[1] 2 2", "/a[1]/s[1]/p[2] 0 0")
WHOLE_2005 = ("/a[1] 2 10/26", "/a[1]/s[1] 2 10/21", "/a[1]/s[1]/p[1] 1 10/10")
HIGHLIGHT = passage("/a[1]/s[1]/p[1]", "/a[1]/s[1]/p[1]", 10)


@dataclass(frozen=True)
class Planted:
    """A defect: the file that has it, the line it is on, and whether collection or topics show it."""

    content: str
    line: int | None
    collected: bool = False
    asked: tuple[str, ...] | None = None


DEFECTS: dict[str, list[Planted]] = {
    "unreadable": [
        Planted("1 Q0 A 10 26 4 4:10\n1 Q0 B x 3\n", 2),
        Planted("1 Q0 A 10 26 4 4:10\n1 Q0 B 2 3\n", 2),
        Planted("1 Q0 A 10 26 4 4:10\n1 Q0 B 2 3 0\n", 2),
        Planted('{"topic": "1", "doc": "A", "spans": [[4, 14]]}\n{"topic": "1", "doc": "B"}\n', 2),
        Planted(assessed("/a[1] 2 1", "/a[1]/t[1] 1 0"), 4),  # e = 0 if and only if s = 0
        Planted(assessed("/a[1] 2 1", "t[1] 1 1"), 4),
        Planted(assessed("/a[1] 2 1")[:-9], 4),
    ],
    "judged-twice": [
        Planted("1 Q0 A 10 26 4 4:10\n2 Q0 A 0 26\n1 Q0 A 0 26\n2 Q0 B 1 3 0 0:1\n", 3),
        Planted('{"topic": "1", "doc": "A", "spans": [[4, 14]]}\n' * 2, 2),
    ],
    "wrong-total": [
        Planted("1 Q0 B 1 3 0 0:1\n1 Q0 A 11 26 4 4:10\n", 2),
    ],
    "unsorted-passages": [
        Planted("1 Q0 B 1 3 0 0:1\n1 Q0 A 12 26 4 14:2 4:10\n", 2),
    ],
    "overlapping-passages": [
        Planted("1 Q0 B 1 3 0 0:1\n1 Q0 A 12 26 4 4:10 13:2\n", 2),
        Planted(
            assessed(
                *WHOLE_2005,
                inside=f"{HIGHLIGHT}\n"
                + passage("/a[1]/s[1]/p[1]/text()[1].5", "/a[1]/s[1]/p[1]/text()[1].7", 2),
            ),
            7,
            collected=True,
        ),
    ],
    "empty-passage": [
        Planted("1 Q0 B 1 3 0 0:1\n1 Q0 A 10 26 4 4:10 20:0\n", 2),
    ],
    "outside-document": [
        Planted("1 Q0 B 1 3 0 0:1\n1 Q0 A 10 26 4 17:10\n", 2),
        Planted("1 Q0 B 1 3 0 0:1\n1 Q0 A 10 26 27 4:10\n", 2),
        Planted('{"topic": "1", "doc": "B", "spans": [[0, 4]]}\n', 1, collected=True),
    ],
    "size-differs": [
        Planted("1 Q0 A 10 26 4 4:10\n2 Q0 A 10 25 4 4:10\n", 2),
    ],
    "no-entry-point": [
        Planted(
            '{"topic": "1", "doc": "A", "spans": [[4, 14]], "bep": 4}\n'
            '{"topic": "1", "doc": "B", "spans": [[0, 1]]}\n{"topic": "1", "doc": "C", "spans": []}\n',
            2,
        ),
    ],
    "nothing-relevant": [
        Planted("1 Q0 A 10 26 4 4:10\n2 Q0 A 0 26\n", None),
        Planted(assessed("/a[1] 0 0"), None),
    ],
    "assessed-twice": [
        Planted(assessed(*WHOLE_2005, WHOLE_2005[2]), 6),
        Planted(assessed(*WHOLE_2004, "/a/s 2 2"), 8),
    ],
    "grade-falls": [
        Planted(assessed("/a[1] 1 1", *WHOLE_2004[1:]), 3),
        Planted(assessed("/a[1] 2 10/26", "/a[1]/s[1] ? 10/21", "/a[1]/s[1]/p[1] 1 10/10"), 4),
    ],
    "missing-ancestor": [
        Planted(assessed(WHOLE_2005[0], WHOLE_2005[2]), 4),
    ],
    "incomplete": [
        Planted(assessed(*WHOLE_2004[:2], *WHOLE_2004[3:]), 3),  # the parent of p[1]
        Planted(assessed(*WHOLE_2004[:4]), 5, collected=True),  # the sibling of p[1]
        Planted(assessed(*WHOLE_2004[:3], *WHOLE_2004[4:]), 5),  # the child of s[1], as p[2] tells
        Planted(assessed(WHOLE_2004[0], *WHOLE_2004[2:]), 3, collected=True),  # the child of a[1]
    ],
    "specificity-range": [
        Planted(assessed(*WHOLE_2004[:2], "/a[1]/s[1] 2 3", *WHOLE_2004[3:]), 5, collected=True),
    ],
    "grade-mismatch": [
        Planted(assessed(*WHOLE_2005, "/a[1]/t[1] 1 0/4"), 6),
        Planted(assessed(*WHOLE_2005, "/a[1]/t[1] 0 4/4"), 6),
        Planted(assessed("/a[1] 2 L", "/a[1]/s[1] 2 N"), 4),
        Planted(assessed("/a[1] 2 L", "/a[1]/s[1] 0 E"), 4),
    ],
    "more-relevant-than-text": [
        Planted(assessed("/a[1] 2 12/26", "/a[1]/s[1] 2 12/21", "/a[1]/s[1]/p[1] 1 11/10"), 5),
    ],
    "larger-than-parent": [
        Planted(assessed(WHOLE_2005[0], "/a[1]/s[1] 2 10/27", WHOLE_2005[2]), 4),
        Planted(assessed(WHOLE_2005[0], "/a[1]/s[1] 2 11/21", WHOLE_2005[2]), 4),
    ],
    "large-too-small": [
        Planted(assessed("/a[1] 1 5/1200", "/a[1]/s[1] ? 5/1200", doc="D"), 4),
    ],
    "unknown-document": [
        Planted("1 Q0 A 10 26 4 4:10\n1 Q0 X 0 26\n", 2, collected=True),
    ],
    "wrong-docsize": [
        Planted("1 Q0 A 10 26 4 4:10\n1 Q0 B 0 4\n", 2, collected=True),
    ],
    "byte-offsets": [
        Planted("1 Q0 A 10 26 4 4:10\n1 Q0 B 2 6 0 0:2\n", 2, collected=True),
    ],
    "merged-white-space": [
        Planted("1 Q0 A 10 26 4 4:10\n1 Q0 C 2 6 0 0:2\n", 2, collected=True),
    ],
    "unknown-path": [
        Planted(assessed(*WHOLE_2005, "/a[1]/t[2] 0 0/4"), 6, collected=True),
        Planted(assessed(*WHOLE_2005, inside=f'{HIGHLIGHT}\n<best-entry-point path="/a[1]/x[1]"/>'), 7, True),
        Planted(
            assessed(*WHOLE_2005, inside=f"{HIGHLIGHT}\n" + passage("/a[1]/s[1]/p[2]", "/a[1]/t[1]", 1)),
            7,
            True,
        ),
    ],
    "wrong-size": [
        Planted(assessed(*WHOLE_2005[:2], "/a[1]/s[1]/p[1] 1 10/13"), 5, collected=True),
        Planted(
            assessed(*WHOLE_2005, inside=passage("/a[1]/s[1]/p[1]", "/a[1]/s[1]/p[1]", 8)), 6, collected=True
        ),
    ],
    "other-unit": [
        Planted(assessed("/a[1] 2 6/6", doc="B"), 3, collected=True),
        Planted(assessed("/a[1] 2 6/6", doc="C"), 3, collected=True),
    ],
    "wrong-highlight": [
        Planted(assessed("/a[1] 2 14/26", *WHOLE_2005[1:], inside=HIGHLIGHT), 3, collected=True),
        Planted(assessed(*WHOLE_2005[:2], "/a[1]/s[1]/p[1] 1 9/10", inside=HIGHLIGHT), 5, collected=True),
    ],
    "unknown-topic": [
        Planted("1 Q0 A 10 26 4 4:10\n8 Q0 A 10 26 4 4:10\n", None, asked=("1",)),
    ],
}


@pytest.mark.parametrize(
    ("kind", "planted"), [(kind, planted) for kind, each in DEFECTS.items() for planted in each]
)
def test_a_planted_defect_is_found_where_it_is_and_nothing_else(
    tmp_path: Path, collection: Collection, kind: str, planted: Planted
) -> None:
    file = tmp_path / "judgements"
    file.write_text(planted.content, encoding="utf-8")
    context = JudgementContext(collection if planted.collected else None, known_topics=planted.asked)
    problems = list(check_judgements(file, context))
    # the sum of rsize goes wrong with some of the defects, and a cut file has nothing relevant left
    others = {"outside-document": {"wrong-total"}, "unreadable": {"nothing-relevant"}}.get(kind, set())
    assert [(p.line, p.kind.name) for p in problems if p.kind.name not in others] == [(planted.line, kind)]


def test_every_rule_has_a_planted_defect() -> None:
    assert set(DEFECTS) == {"unreadable", *judgement_rules}


@pytest.mark.parametrize("name", list(judgement_rules))
def test_every_kind_says_what_it_means_and_what_to_do(name: str) -> None:
    kind = judgement_rules[name].kind
    assert kind.name == name
    assert kind.severity in ("error", "remark")
    assert len(kind.meaning) > 15
    assert kind.remedy.endswith(".")


CLEAN = {
    "qrels": "1 Q0 A 12 26 4 4:10 14:2\n1 Q0 B 0 3\n2 Q0 A 4 26 9 0:4\n",  # touching; a distant entry point
    "jsonl": '{"topic": "1", "doc": "A", "spans": [[4, 14]], "bep": 4, "size": 26}\n'
    '{"topic": "1", "doc": "B", "spans": []}\n',
    "2002": assessed("/a[1] 2 L", "/a[1]/s[1] 3 E", "/a[1]/t[1] 0 N"),
    "2004": assessed(*WHOLE_2004),
    "2005": assessed(*WHOLE_2005, "/a[1]/t[1] 0 0/4"),
    "2005, counted one too many": assessed("/a[1] 2 11/27", "/a[1]/s[1] 2 11/22", "/a[1]/s[1]/p[1] 1 11/11"),
    "2006": assessed(*WHOLE_2005, inside=f'{HIGHLIGHT}\n<best-entry-point path="/a[1]/s[1]/p[1]"/>'),
}


@pytest.mark.parametrize("name", CLEAN)
def test_nothing_is_found_in_good_judgements(tmp_path: Path, collection: Collection, name: str) -> None:
    file = tmp_path / "judgements"
    file.write_text(CLEAN[name], encoding="utf-8")
    read_judgements(file)
    assert found(file) == []
    assert found(file, collection) == []


def test_the_judgements_of_the_handbook_are_clean() -> None:
    assert found(HANDBOOK / "judgements.qrels") == []
    assert found(HANDBOOK / "judgements.qrels", open_collection(HANDBOOK / "articles")) == []


@pytest.mark.parametrize(
    ("unit", "qrels"),
    [
        ("byte", "1 Q0 A 10 26 4 4:10\n1 Q0 B 4 6 2 2:4\n"),
        ("merged", "1 Q0 A 10 26 4 4:10\n1 Q0 C 4 6 2 2:4\n"),
    ],
)
def test_the_unit_that_is_suggested_mends_it(
    tmp_path: Path, collection: Collection, unit: str, qrels: str
) -> None:
    file = tmp_path / "qrels"
    file.write_text(qrels)
    problems = found(file, collection)
    assert problems
    assert all(f"try `unit={unit}`" in problem.message for problem in problems)
    assert found(file, collection, unit) == []


def test_the_files_of_a_folder_are_one_set(tmp_path: Path) -> None:
    for pool in ("7", "8"):
        (tmp_path / f"pool-{pool}.xml").write_text(
            assessed(*WHOLE_2005).replace('pool="7"', f'pool="{pool}"')
        )
    assert {problem.kind.name for problem in found(tmp_path)} == {"unreadable", "judged-twice"}
    assert found(tmp_path, pools=("8",)) == []


def test_a_folder_with_one_bad_file_is_checked_to_the_end(tmp_path: Path) -> None:
    (tmp_path / "1.xml").write_text("<assessments")
    (tmp_path / "2.xml").write_text(assessed("/a[1] 1 1", *WHOLE_2004[1:]))
    problems = found(tmp_path)
    assert [(Path(p.file).name, p.kind.name) for p in problems][1:] == [("2.xml", "grade-falls")]
    assert problems[0].kind.severity == "unreadable"


def test_every_unreadable_row_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "qrels"
    file.write_text("1 Q0 A 10 26 4 4:10\n1 Q0 B\n1 Q0 C 0 x\n1 Q0 A 0 26\n")
    assert [(p.line, p.kind.name) for p in found(file)] == [
        (2, "unreadable"),
        (3, "unreadable"),
        (4, "judged-twice"),
    ]


def test_a_message_names_topic_and_document(tmp_path: Path) -> None:
    file = tmp_path / "qrels"
    file.write_text("7 Q0 A 11 26 4 4:10\n")
    (problem,) = found(file)
    assert problem.where == f"{file}:1"
    assert problem.message == "topic 7, document A: rsize is 11, the passages add up to 10"


GOOD = {**CLEAN, "handbook": (HANDBOOK / "judgements.qrels").read_text(encoding="utf-8")}


@pytest.mark.parametrize("name", GOOD)
def test_check_and_reader_agree_about_what_can_be_read(
    tmp_path: Path, collection: Collection, name: str
) -> None:
    """What a reader refuses has at least an error; what cannot be read is refused by the reader."""
    file = tmp_path / "damaged"
    refused = 0
    for number, content in enumerate(mutated(GOOD[name].encode(), name, 300)):
        file.write_bytes(content)
        try:
            read_judgements(file)
            readable = True
        except InexlabError:
            readable = False
        severities = {problem.kind.severity for problem in found(file, collection)}
        assert readable or severities & {"error", "unreadable"}, f"mutation {number}"
        assert not (readable and "unreadable" in severities), f"mutation {number}"
        refused += not readable
    assert 30 < refused < 290, "the damage is too mild or too hard to test anything"
