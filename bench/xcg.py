"""Claims: reading XML runs, and scoring XCG, cost no more each than parsing them with lxml; linear in length.

Makes assessments like those of INEX 2005 (29 topics, elements graded 2, 1 and ?, with sizes) and 55 XML runs
of 1,500 results per topic. Scores them with all XCG measures, three quantisations, both overlaps. The floor
is `lxml.etree.parse` of the same files in the same run.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path

from lxml import etree

import inexlab
from _timing import claim
from inexlab.measures import parse

TOPICS, RESULTS, RUNS = 29, 1500, 55
ARTICLES_JUDGED, ARTICLES = 150, 16_819
QUANTS = ("gen5", "strict5", "genLifted")
Tree = dict[str, int]  # path -> size in characters


def make_article(random_: random.Random) -> Tree:
    """Return an article's elements: sections, subsections, paragraphs."""
    tree: Tree = {"/article[1]": 0, "/article[1]/bdy[1]": 0}
    for s in range(1, random_.randint(3, 7)):
        section = f"/article[1]/bdy[1]/sec[{s}]"
        tree[section] = 0
        for u in range(1, random_.randint(2, 4)):
            inside = f"{section}/ss1[{u}]" if u > 1 else section
            tree[inside] = 0
            for p in range(1, random_.randint(3, 8)):
                tree[f"{inside}/p[{p}]"] = random_.randint(80, 1500)
    for path in sorted(tree, key=len, reverse=True):
        parent = path.rpartition("/")[0]
        if parent:
            tree[parent] += tree[path]
    return tree


def make_assessments(folder: Path, random_: random.Random) -> dict[str, list[tuple[str, Tree]]]:
    """Write one assessment file per topic; return each topic's judged articles."""
    folder.mkdir()
    judged: dict[str, list[tuple[str, Tree]]] = {}
    for topic in range(202, 202 + TOPICS):
        files = []
        judged[str(topic)] = []
        for number in random_.sample(range(ARTICLES), ARTICLES_JUDGED):
            tree = make_article(random_)
            name = f"an/1995/a{number}"
            judged[str(topic)].append((name, tree))
            leaves = [p for p in tree if "/p[" in p]
            relevant = dict.fromkeys(random_.sample(leaves, random_.randint(0, len(leaves) // 2)), 0)
            rsize: Tree = {}
            for leaf in relevant:
                amount = tree[leaf] if random_.random() < 0.6 else random_.randint(1, tree[leaf])
                path = leaf
                while path:
                    rsize[path] = rsize.get(path, 0) + amount
                    path = path.rpartition("/")[0]
            rows = (
                f'<element path="{path}" exhaustivity="{random_.choice("2211?") if path in relevant else 2}"'
                f' size="{tree[path]}" rsize="{amount}"/>'
                for path, amount in rsize.items()
            )
            files.append(f'<file collection="ieee" name="{name}">{"".join(rows)}</file>')
        (folder / f"{topic}.xml").write_text(
            f'<assessments pool="1" topic="{topic}">{"".join(files)}</assessments>'
        )
    return judged


def make_run(path: Path, number: int, judged: dict[str, list[tuple[str, Tree]]], results: int) -> None:
    """Write one run: two thirds of its results in judged articles, the rest anywhere."""
    random_ = random.Random(number)
    topics = []
    for topic, articles in judged.items():
        rows = []
        for i in range(results):
            name, tree = random_.choice(articles)
            if i % 3 == 2:
                name = f"an/1996/a{random_.randrange(ARTICLES)}"
            place = random_.choice(list(tree))
            score = f"<rank>{i + 1}</rank><rsv>{1 - i / results:.6f}</rsv>"
            rows.append(f"<result><file>{name}</file><path>{place}</path>{score}</result>")
        topics.append(f'<topic topic-id="{topic}">{"".join(rows)}</topic>')
    path.write_text(
        f'<inex-submission participant-id="{number}" run-id="run{number}" task="CO.Thorough">'
        f"<description>made by a benchmark</description>{''.join(topics)}</inex-submission>"
    )


def measures() -> list[str]:
    """Return all XCG measures, with three quantisations and both overlaps."""
    names = []
    for quant in QUANTS:
        for overlap in ("off", "on"):
            inner = f"quant={quant},overlap={overlap}"
            names += [f"{m}({inner})" for m in ("MAep", "iMAep", "Q", "R")]
            names += [f"{m}({inner})@{k}" for m in ("nxCG", "MAnxCG") for k in (10, 25, 50)]
            names += [f"ep({inner})@{x}" for x in (0.1, 0.5, 1)]
    return [str(parse(name)) for name in names]


def times(judgements: inexlab.Judgements, files: list[Path]) -> tuple[float, float]:
    """Return the time to read the runs, and the time to score them once read."""
    reading = scoring = 0.0
    for file in files:
        begin = time.perf_counter()
        run = inexlab.read_run(file)
        reading += time.perf_counter() - begin
        begin = time.perf_counter()
        inexlab.evaluate(judgements, [run], measures())
        scoring += time.perf_counter() - begin
    return reading, scoring


def main() -> int:
    """Compare with the floor, then runs of half length with whole ones."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        judged = make_assessments(folder / "assessments", random.Random(2005))
        files = [folder / f"run{number}.xml" for number in range(RUNS)]
        for number, file in enumerate(files):
            make_run(file, number, judged, RESULTS)
        half = folder / "half.xml"
        make_run(half, 999, judged, RESULTS // 2)
        judgements = inexlab.read_judgements(folder / "assessments")
        times(judgements, [*files[:3], half])  # loads the compiled loops, builds the recall bases
        begin = time.perf_counter()
        for file in files:
            etree.parse(file)
        floor = time.perf_counter() - begin
        reading, scoring = times(judgements, files)
        whole = min(times(judgements, files[:1])[1] for _ in range(7))
        part = min(times(judgements, [half])[1] for _ in range(7))
        size = sum(file.stat().st_size for file in files) / 1e6
    print(f"{RUNS} runs, {size:.0f} MB: lxml {floor:.2f} s, scoring {scoring:.2f} s, reading {reading:.2f} s")
    print(f"one run of {RESULTS} results a topic {whole * 1e3:.1f} ms, of {RESULTS // 2} {part * 1e3:.1f} ms")
    passed = [
        claim("xml-runs-reading", reading / floor, 1, reading <= floor),
        claim("xcg-speed", scoring / floor, 1, scoring <= floor),
        claim("xcg-linear", whole / part, 2.2, whole <= 2.2 * part),
    ]
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
