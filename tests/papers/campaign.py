"""A synthetic campaign: documents, topics, assessments of several years, and runs for all tasks of 2005.

30 content-only topics (201 to 230, of which 19 have a castitle), 8 content-and-structure topics (241 to 248)
with their children, 24 systems. Everything is made from one seed, and what the tests need to compute numbers
in another way is kept: the assessments by topic, the results of every run, the highlights.

Files, all below one folder:

    documents/*.xml                 the collection
    topics/cos/*.xml, topics/cas/*  topics of 2005; topics-2003/, topics-2004/: CAS topics of other years
    topics.xml                      the content-only topics in one file, as of 2006
    official/CO+S/topic-T/pool-P.xml, official/CAS/…  assessments of 2005, official/other: second assessors
    assessments-2002, assessments-2004               the same in the scales of these years
    judgements.qrels                the highlights, as of 2008 to 2010
    runs/TASK/*.xml                 runs of 2005
    inex2005.prop                   EvalJ's configuration
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

Element = tuple[str, str]  # document, path
Grade = tuple[str, int, int]  # exhaustivity, size, highlighted size
Node: TypeAlias = "str | tuple[str, Sequence[Node]]"  # text, or an element by tag and content
Run = Mapping[str, Sequence[Element]]  # results by topic

TOPICS = tuple(str(t) for t in range(201, 231))
WITH_CASTITLE = TOPICS[:19]
PARENTS = tuple(str(t) for t in range(241, 249))
SYSTEMS = 24
RESULTS = 20
CAS_TASKS = ("SSCAS", "SVCAS", "VSCAS", "VVCAS")
OTHER_TASKS = ("CO.Focussed", "COS.Thorough", "COS.Focussed", "CO.FetchBrowse", "COS.FetchBrowse", *CAS_TASKS)
RUNS_OF_OTHER_TASKS = 6
SECOND_ASSESSORS = ("241", "243")  # topics that were assessed twice

_FILLER = (
    *("system", "data", "model", "method", "result", "paper", "value", "table", "figure", "time", "user"),
    *("search", "text", "tree", "node", "field", "test", "case", "signal", "filter", "matrix", "graph"),
    *("query", "index", "cache", "thread", "kernel", "driver", "object", "class", "compiler", "network"),
)
_ORDER = {"?": 0, "1": 1, "2": 2}


@dataclass
class Document:
    """A document: its mark-up, and where in its text every element begins and ends."""

    id: str
    xml: str = ""
    spans: dict[str, tuple[int, int]] = field(default_factory=dict)


@dataclass
class Campaign:
    """All that was made; `grades` are assessments by topic, `runs` results by task and run."""

    folder: Path
    documents: dict[str, Document]
    castitles: dict[str, str]
    children: dict[str, list[str]]
    highlights: dict[str, dict[str, list[tuple[int, int]]]]
    grades: dict[str, dict[Element, Grade]]
    runs: dict[str, dict[str, Run]]
    pools: dict[str, str]


def _document(number: int, chance: random.Random, words: Mapping[tuple[int, int], list[str]]) -> Document:
    """Make an article of three sections, each with a heading and three paragraphs (two of them in ss1)."""
    document, at = Document(f"d{number:02}"), 0
    counts: dict[str, int] = {}
    parts: list[str] = []

    def element(parent: str, tag: str, content: Sequence[Node]) -> None:
        nonlocal at
        counts[f"{parent}/{tag}"] = counts.get(f"{parent}/{tag}", 0) + 1
        path, begin = f"{parent}/{tag}[{counts[f'{parent}/{tag}']}]", at
        parts.append(f"<{tag}>")
        for inner in content:
            if isinstance(inner, str):
                parts.append(inner)
                at += len(inner)
            else:
                element(path, *inner)
        parts.append(f"</{tag}>")
        document.spans[path] = (begin, at)

    def paragraph(place: int) -> Node:
        text = chance.choices(_FILLER, k=9) + words.get((number, place), [])
        chance.shuffle(text)
        return "p", [" ".join(text) + ". "]

    sections: list[Node] = [
        (
            "sec",
            [
                ("st", [" ".join(chance.choices(_FILLER, k=2)) + " "]),
                paragraph(3 * s),
                ("ss1", [paragraph(3 * s + 1), paragraph(3 * s + 2)]),
            ],
        )
        for s in range(3)
    ]
    year: Node = ("yr", [f"{1995 + number % 10} "])
    front: Node = ("fm", [("ti", [" ".join(chance.choices(_FILLER, k=3)) + " "]), year])
    element("", "article", [front, ("bdy", sections)])
    document.xml = '<?xml version="1.0"?>\n' + "".join(parts) + "\n"
    return document


def _paragraphs(document: Document) -> list[str]:
    return [path for path in document.spans if path.rpartition("/")[2].startswith("p[")]


def _assessed(
    document: Document, highlights: Sequence[tuple[int, int]], chance: random.Random
) -> dict[str, Grade]:
    """Grade every element that meets a highlight; what is around an element is at least as exhaustive."""
    grades: dict[str, Grade] = {}
    for path in sorted(document.spans, key=lambda p: -p.count("/")):
        begin, end = document.spans[path]
        rsize = sum(max(0, min(end, b) - max(begin, a)) for a, b in highlights)
        if not rsize:
            continue
        inside = [e for p, (e, _, _) in grades.items() if p.startswith(f"{path}/")]
        own = chance.choice("22111?") if path.rpartition("/")[2].startswith("p[") else "?"
        best = max([own, *inside], key=lambda e: _ORDER[e])
        if inside and best != "2" and chance.random() < 0.3:
            best = "2"
        grades[path] = (best, end - begin, rsize)
    return grades


def make_campaign(folder: Path, seed: int = 2006) -> Campaign:
    """Make the campaign and write its files."""
    chance = random.Random(seed)
    castitles, children = _structure()
    assessed = [*TOPICS, *PARENTS, *(child for of in children.values() for child in of)]
    wanted: dict[str, list[tuple[int, int]]] = {}  # topic -> documents and paragraphs with its words
    for topic in (*TOPICS, *PARENTS):
        documents = chance.sample(range(30), 6)
        wanted[topic] = [(d, p) for d in documents for p in chance.sample(range(9), chance.randint(1, 4))]
    for parent, of in children.items():
        for i, child in enumerate(of):  # a child is about some of its parent's documents, and another one
            documents = [d for d, _ in wanted[parent] if (d + i) % 3 or i == 0]
            wanted[child] = [w for w in wanted[parent] if w[0] in documents] + [(29 - i, 4)]
    strange = min(set(range(30)) - {d for d, _ in wanted["246"]})
    wanted[children["246"][1]] = [(strange, 0)]  # no document of 246 satisfies both children
    words: dict[tuple[int, int], list[str]] = {}
    for topic, places in wanted.items():
        for place in places:
            words.setdefault(place, []).extend(_words(topic)[: chance.randint(1, 2)])
    for topic in (*TOPICS, *PARENTS):  # words of the topic where it is not discussed
        for _ in range(5):
            words.setdefault((chance.randrange(30), chance.randrange(9)), []).append(_words(topic)[0])
    documents_made = [_document(number, chance, words) for number in range(30)]
    campaign = Campaign(folder, {d.id: d for d in documents_made}, castitles, children, {}, {}, {}, {})
    for topic in assessed:
        spans: dict[str, list[tuple[int, int]]] = {}
        grades: dict[Element, Grade] = {}
        for number in sorted({d for d, _ in wanted[topic]}):
            document = documents_made[number]
            paths = _paragraphs(document)
            for paragraph in sorted(p for d, p in wanted[topic] if d == number):
                begin, end = document.spans[paths[paragraph]]
                whole = chance.random() < 0.7
                spans.setdefault(document.id, []).append((begin, end if whole else (begin + end) // 2))
            for path, grade in _assessed(document, spans[document.id], chance).items():
                grades[document.id, path] = grade
        campaign.highlights[topic], campaign.grades[topic] = spans, grades
        campaign.pools[topic] = str(int(topic) + 100)
    _make_runs(campaign, chance)
    _write(campaign, chance)
    return campaign


def _words(topic: str) -> list[str]:
    """Words that only this topic has."""
    letters = "".join("abcdefghij"[int(digit)] for digit in topic)
    return [f"zeta{letters}", f"yota{letters}"]


def _structure() -> tuple[dict[str, str], dict[str, list[str]]]:
    """Return the castitles, of parents and children too, and the children of every parent."""
    castitles = {t: f"//article//sec[about(., {' '.join(_words(t))})]" for t in WITH_CASTITLE}
    children: dict[str, list[str]] = {parent: [] for parent in PARENTS}
    child = 251
    for parent in PARENTS:
        first, second = _words(parent)
        if parent == "247":
            castitles[parent] = f"//article//p[about(., {first})]"  # a single clause: no children
            continue
        if parent == "248":
            castitles[parent] = f"//bdy//*[about(., {first})]"
            continue
        castitles[parent] = f"//article[about(., {first})]//sec[about(., {second})]"
        for title in (f"//article[about(., {first})]", f"//article//sec[about(., {second})]"):
            castitles[str(child)] = title
            children[parent].append(str(child))
            child += 1
    return castitles, children


# --- runs ------------------------------------------------------------------------------------------------


def _make_runs(campaign: Campaign, chance: random.Random) -> None:
    quality = [0.25 + 0.6 * i / SYSTEMS for i in range(SYSTEMS)]
    chance.shuffle(quality)
    runs: dict[str, Run] = {}
    for system in range(SYSTEMS):
        taste = chance.choice(["article", "sec", "p", "any"])
        runs[f"s{system:02}"] = {
            topic: _ranking(campaign, topic, quality[system], taste, chance) for topic in TOPICS
        }
    campaign.runs["CO.Thorough"] = runs
    for task in OTHER_TASKS:
        topics = PARENTS if task in CAS_TASKS else TOPICS
        campaign.runs[task] = {}
        for system in range(RUNS_OF_OTHER_TASKS):
            taste = "sec" if task in ("SSCAS", "SVCAS") else chance.choice(["article", "p", "any"])
            good = 0.35 + 0.1 * system
            ranked = {topic: _ranking(campaign, topic, good, taste, chance) for topic in topics}
            if task.endswith("Focussed"):
                ranked = {topic: _without_overlap(results) for topic, results in ranked.items()}
            if task.endswith("FetchBrowse"):
                ranked = {topic: _by_document(results) for topic, results in ranked.items()}
            campaign.runs[task][f"{task.lower()}-{system}"] = ranked


def _ranking(
    campaign: Campaign, topic: str, quality: float, taste: str, chance: random.Random
) -> list[Element]:
    """Rank relevant elements and as many others by a score that is the better, the higher the quality."""
    grades = campaign.grades[topic]
    everything = [(d.id, path) for d in campaign.documents.values() for path in d.spans]
    candidates = [*grades, *(e for e in chance.sample(everything, len(grades)) if e not in grades)]

    def score(element: Element) -> float:
        relevant = 0.0
        if element in grades:
            e, size, rsize = grades[element]
            relevant = (0.4 + 0.3 * _ORDER[e]) * rsize / size
        liked = taste == "any" or element[1].rpartition("/")[2].startswith(f"{taste}[")
        return quality * relevant + 0.1 * liked + (1 - quality) * chance.random()

    return sorted(candidates, key=score, reverse=True)[:RESULTS]


def _without_overlap(results: Sequence[Element]) -> list[Element]:
    kept: list[Element] = []
    for doc, path in results:
        others = [other for d, other in kept if d == doc]
        if not any(f"{path}/".startswith(f"{o}/") or f"{o}/".startswith(f"{path}/") for o in others):
            kept.append((doc, path))
    return kept


def _by_document(results: Sequence[Element]) -> list[Element]:
    order = list(dict.fromkeys(doc for doc, _ in results))
    return sorted(results, key=lambda element: order.index(element[0]))


# --- files -----------------------------------------------------------------------------------------------


def _write(campaign: Campaign, chance: random.Random) -> None:
    for document in campaign.documents.values():
        _file(campaign, f"documents/{document.id}.xml", document.xml)
    _write_topics(campaign)
    for topic, grades in campaign.grades.items():
        kind = "CO+S" if topic in TOPICS else "CAS"
        text = _assessments_2005(campaign, topic, campaign.pools[topic], kind, grades)
        pool = f"topic-{topic}/pool-{campaign.pools[topic]}.xml"
        _file(campaign, f"official/{kind}/{pool}", text)
    for topic in SECOND_ASSESSORS:
        fewer = {e: grade for e, grade in campaign.grades[topic].items() if chance.random() < 0.7}
        pool = str(int(campaign.pools[topic]) + 100)
        text = _assessments_2005(campaign, topic, pool, "CAS", fewer)
        _file(campaign, f"official/other/topic-{topic}/pool-{pool}.xml", text)
    for topic in TOPICS:
        elements = {e: graded_2004(grade) for e, grade in campaign.grades[topic].items()}
        _file(campaign, f"assessments-2004/{topic}.xml", _assessments_2004(topic, elements))
        _file(campaign, f"assessments-2002/{topic}.xml", _assessments_2002(topic, elements))
    _file(campaign, "judgements.qrels", "".join(_qrels(campaign)))
    for task, runs in campaign.runs.items():
        for number, (id, run) in enumerate(runs.items()):
            text = _submission(task, id, str(11 + number // 2), run)
            _file(campaign, f"runs/{task}/{id}.xml", text)
    _file(campaign, "inex2005.prop", _configuration(campaign))


def _file(campaign: Campaign, name: str, text: str) -> None:
    path = campaign.folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _write_topics(campaign: Campaign) -> None:
    parent_of = {child: parent for parent, of in campaign.children.items() for child in of}
    for topic in campaign.grades:
        kind = "CO+S" if topic in TOPICS else "CAS"
        folder = "cos" if topic in TOPICS else "cas"
        title = f"<title>{' '.join(_words(topic))}</title>" if topic in TOPICS else ""
        cas = f"<castitle>{campaign.castitles[topic]}</castitle>" if topic in campaign.castitles else ""
        above = parent_of.get(topic, "")
        parent = f"<parent>{campaign.castitles[above]}</parent>" if above else ""
        text = (
            '<?xml version="1.0" encoding="ISO-8859-1"?>\n'
            f'<inex_topic topic_id="{topic}" query_type="{kind}" ct_no="{topic}">'
            f"{title}{cas}{parent}<description>About {topic}.</description>"
            f"<narrative>Relevant text is about {' '.join(_words(topic))}.</narrative></inex_topic>\n"
        )
        _file(campaign, f"topics/{folder}/{topic}.xml", text)
    of_2006 = "".join(
        f'<topic id="{t}" ct_no="{t}"><title>{" ".join(_words(t))}</title></topic>\n' for t in TOPICS
    )
    _file(campaign, "topics.xml", f"<inex-topic-file>\n{of_2006}</inex-topic-file>\n")
    others = {
        "2003": ["//article[.//yr = '2000']//sec[about(., 'a')]", "//p[about(., 'b')]"],
        "2004": [
            "//article[about(.,a) and about(.//ti,b)]//sec[about(.,c)]",
            "//sec[about(.,d)]//p[about(.,e)]",
        ],
    }
    for year, titles in others.items():
        for number, title in enumerate(titles, start=1):
            tag = "title" if year == "2003" else "castitle"
            inside = f"<{tag}>{title}</{tag}><description>d</description><narrative>n</narrative>"
            topic = f'<inex_topic topic_id="{year[2:]}{number}" query_type="CAS">{inside}</inex_topic>\n'
            _file(campaign, f"topics-{year}/{number}.xml", topic)
    _file(campaign, "candidates.txt", "".join(f"{t}\n" for t in range(200, 240)))


def _assessments_2005(
    campaign: Campaign, topic: str, pool: str, kind: str, grades: Mapping[Element, Grade]
) -> str:
    files = []
    for doc in campaign.documents:
        elements = "".join(
            f'<element path="{path}" exhaustivity="{e}" size="{size}" rsize="{rsize}"/>\n'
            for (d, path), (e, size, rsize) in grades.items()
            if d == doc
        )
        files.append(f'<file collection="ieee" name="{doc}">{elements}</file>\n')
    about = f'<inex_topic topic_id="{topic}" query_type="{kind}"/>'
    return f'<assessments pool="{pool}" topic="{topic}" version="2">\n{about}{"".join(files)}</assessments>\n'


def graded_2004(grade: Grade) -> tuple[int, int]:
    """Return exhaustivity and specificity of 2004, from 1 to 3, for a grade of 2005."""
    e, size, rsize = grade
    return _ORDER[e] + 1, 3 if rsize == size else 2 if 3 * rsize >= size else 1


def coverage_2002(exhaustivity: int, specificity: int) -> str:
    """Return a letter of coverage; what is highly relevant is never too small."""
    return {3: "E", 2: "L", 1: "L" if exhaustivity == 3 else "S"}[specificity]


def _by_file(elements: Mapping[Element, tuple[int, int]]) -> dict[str, dict[str, tuple[int, int]]]:
    found: dict[str, dict[str, tuple[int, int]]] = {}
    for (doc, path), grade in elements.items():
        found.setdefault(doc, {})[path] = grade
    return found


def _assessments_2004(topic: str, elements: Mapping[Element, tuple[int, int]]) -> str:
    files = "".join(
        f"<file file='{doc}'>"
        + "".join(
            f"<path exhaustiveness='{e}' specificity='{s}' path='{p}'/>" for p, (e, s) in inside.items()
        )
        + "</file>\n"
        for doc, inside in _by_file(elements).items()
    )
    return f"<assessments pool='{int(topic) + 100}' query='{topic}'>\n{files}</assessments>\n"


def _assessments_2002(topic: str, elements: Mapping[Element, tuple[int, int]]) -> str:
    files = "".join(
        f'<file file="{doc}">'
        + "".join(
            f'<path path="{p}" topicalrelevance="{e}" coverage="{coverage_2002(e, s)}"/>'
            for p, (e, s) in inside.items()
        )
        + "</file>\n"
        for doc, inside in _by_file(elements).items()
    )
    return f'<assessments topic="{topic}">\n{files}</assessments>\n'


def _qrels(campaign: Campaign) -> Iterable[str]:
    for topic in TOPICS:
        for doc, document in campaign.documents.items():
            spans = campaign.highlights[topic].get(doc, [])
            size = document.spans["/article[1]"][1]
            relevant = sum(b - a for a, b in spans)
            passages = "".join(f" {a}:{b - a}" for a, b in spans)
            tail = f" {spans[0][0]}{passages}" if spans else ""
            yield f"{topic} Q0 {doc} {relevant} {size}{tail}\n"


def _submission(task: str, id: str, participant: str, run: Run) -> str:
    topics = []
    for topic, results in run.items():
        listed = "".join(
            f"<result><file>{doc}</file><path>{path}</path><rank>{rank}</rank>"
            f"<rsv>{RESULTS + 1 - rank}</rsv></result>"
            for rank, (doc, path) in enumerate(results, start=1)
        )
        topics.append(f'<topic topic-id="{topic}">{listed}</topic>\n')
    return (
        f'<inex-submission participant-id="{participant}" run-id="{id}" task="{task}" query="automatic">\n'
        '<topic-fields title="yes" castitle="no" description="no" narrative="no"/>'
        "<description>synthetic</description><collections><collection>ieee</collection></collections>\n"
        f"{''.join(topics)}</inex-submission>\n"
    )


def _configuration(campaign: Campaign) -> str:
    """EvalJ's configuration of all tasks; COS tasks have the pools of the topics with a castitle."""
    pools = f"POOLS: {', '.join(campaign.pools[topic] for topic in WITH_CASTITLE)}\n"
    blocks = []
    for task in ("CO.Thorough", *OTHER_TASKS):
        kind = "CAS" if task in CAS_TASKS else "CO+S"
        overlap = "on" if task.endswith("Focussed") else "on, off" if task.endswith("FetchBrowse") else "off"
        folder = f"sets/{task}" if task in CAS_TASKS else "official/CO+S/*/"
        blocks.append(
            f"TASK: {task}\nMETRICS: {'ep/gr' if task.endswith('FetchBrowse') else 'nxCG, ep/gr, q'}\n"
            f"ALPHA: 1.0\nOVERLAP: {overlap}\nQUANT_FUNCTIONS: gen, strict, genLifted\nDCV: 10, 25, 50\n"
            f"ASSESSMENTS_DIR: {folder}\nQUERY_TYPE: {kind}\nSUBMISSIONRUNS_DIR: runs/*/\n"
            f"{pools if task.startswith('COS') else ''}"
        )
    return "\n".join(blocks)
