"""`inexlab assessors`: how far those who judged agree."""

from __future__ import annotations

import json
import random
from typing import Any

import krippendorff
import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score, jaccard_score, precision_recall_fscore_support

from .conftest import Command, Write

Row = dict[str, Any]


def lines(*rows: tuple[str, str, list[list[int]], Any], size: int = 10) -> str:
    """Return JSON Lines of topic, document, highlights and assessor."""
    return "".join(
        json.dumps({"topic": t, "doc": d, "spans": s, "size": size, **({"assessor": a} if a else {})}) + "\n"
        for t, d, s, a in rows
    )


ANNA = lines(("1", "A", [[0, 6]], ""), ("1", "B", [], ""), ("1", "C", [], ""), ("2", "A", [[0, 2]], ""))
BOB = lines(("1", "A", [[2, 8]], ""), ("1", "B", [[1, 2]], ""), ("1", "C", [], ""), ("2", "A", [[5, 7]], ""))


def estimates(out: str) -> dict[tuple[str, str, str], float | None]:
    """Return values by what they are of, the statistic and the average."""
    return {
        (row["of"], row["statistic"], row["average"]): row["value"] for row in json.loads(out) if "of" in row
    }


def test_by_hand(call: Command, write: Write) -> None:
    """A of topic 1: 4 of 6 characters in common; B: an empty side; A of topic 2: nothing in common."""
    done = call("assessors", write("anna.jsonl", ANNA), write("bob.jsonl", BOB), "-o", "json")
    assert done.code == 0
    found = estimates(done.out)
    # documents: both 2, bob alone 1, neither 1: p_o = 3/4, p_e = 2/4 · 3/4 + 2/4 · 1/4 = 1/2
    assert found["documents", "kappa", "pooled"] == pytest.approx(0.5)
    assert found["documents", "Jaccard", "pooled"] == pytest.approx(2 / 3)
    for name in ("precision", "recall", "F1"):
        assert found["text", name, "macro"] == pytest.approx((2 / 3 + 0) / 2 / 2)  # topic 2: 0
        assert found["text", name, "micro"] == pytest.approx(2 / 3 / 3)
    # 40 characters: both 4, anna alone 2 + 2, bob alone 2 + 1 + 2: p_e = (8 · 9 + 32 · 31) / 1600
    expected = (8 * 9 + 32 * 31) / 1600
    assert found["text", "kappa", "pooled"] == pytest.approx((31 / 40 - expected) / (1 - expected))
    assert found["text", "right document, wrong text", "pooled"] == 0.5
    assert found["text", "length ratio", "pooled"] == pytest.approx(8 / 8)
    assert found["text", "distance of edges", "macro"] == pytest.approx((2 + 5) / 2)
    assert found["text", "distance of entry points", "macro"] is None
    assert done.notes == [
        "anna, bob: 4 documents judged by two, on 2 topics",
        "95% intervals by bootstrap over documents, 10,000 resamples, seed 2006",
        "fewer than ten topics: the intervals say nothing of other topics",
    ]
    by_topic = call("assessors", "anna.jsonl", "bob.jsonl", "-q", "-o", "csv")
    assert [line.split(",")[:3] for line in by_topic.out.splitlines()[1:]] == [
        ["anna", "bob", "1"],
        ["anna", "bob", "2"],
    ]


def random_sets(seed: int, people: int, size: int = 60) -> list[dict[tuple[str, str], list[list[int]]]]:
    generator = random.Random(seed)
    found = []
    for _ in range(people):
        mine = {}
        for topic in ("1", "2", "3"):
            for doc in "ABCDE":
                if generator.random() < 0.85:
                    start = generator.randint(0, size // 2)
                    mine[topic, doc] = [[start, start + generator.randint(1, size // 2)]] * (
                        generator.random() < 0.7
                    )
        found.append(mine)
    return found


def expanded(spans: list[list[int]], size: int = 60) -> list[int]:
    return [int(any(a <= c < b for a, b in spans)) for c in range(size)]


def test_as_scikit_learn_on_expanded_characters(call: Command, write: Write) -> None:
    ours, theirs = random_sets(3, 2)
    for name, one in (("a.jsonl", ours), ("b.jsonl", theirs)):
        write(name, lines(*((t, d, s, "") for (t, d), s in one.items()), size=60))
    found = estimates(call("assessors", "a.jsonl", "b.jsonl", "-o", "json").out)
    common = sorted(ours.keys() & theirs.keys())
    relevant = [[int(bool(one[key])) for key in common] for one in (ours, theirs)]
    assert found["documents", "kappa", "pooled"] == pytest.approx(cohen_kappa_score(*relevant))
    assert found["documents", "Jaccard", "pooled"] == pytest.approx(jaccard_score(*relevant))
    either = [key for key in common if ours[key] or theirs[key]]
    characters = [(expanded(ours[key]), expanded(theirs[key])) for key in either]
    scores = [
        precision_recall_fscore_support(truth, said, average="binary", zero_division=0)[:3]
        for said, truth in characters
    ]
    for place, name in enumerate(("precision", "recall", "F1")):
        assert found["text", name, "micro"] == pytest.approx(np.mean([score[place] for score in scores]))
    of_topic = {t: [s[2] for key, s in zip(either, scores, strict=True) if key[0] == t] for t, _ in either}
    assert found["text", "F1", "macro"] == pytest.approx(
        np.mean([np.mean(values) for values in of_topic.values()])
    )
    everything = [[c for key in common for c in expanded(one[key])] for one in (ours, theirs)]
    assert found["text", "kappa", "pooled"] == pytest.approx(cohen_kappa_score(*everything))
    mirrored = estimates(call("assessors", "b.jsonl", "a.jsonl", "-o", "json").out)
    for key, value in found.items():
        other = {"precision": "recall", "recall": "precision"}.get(key[1], key[1])
        if key[1] != "length ratio":  # all others are symmetric
            assert mirrored[key[0], other, key[2]] == pytest.approx(value)


def test_alpha_as_krippendorff_on_expanded_characters(call: Command, write: Write) -> None:
    sets = random_sets(8, 3)
    rows = [(t, d, s, name) for name, one in zip("xyz", sets, strict=True) for (t, d), s in one.items()]
    done = call("assessors", write("all.jsonl", lines(*rows, size=60)), "-o", "json")
    together = {
        (row["of"], row["statistic"]): row["value"]
        for row in json.loads(done.out)
        if row["b"] is None and "statistic" in row
    }
    keys = sorted({key for one in sets for key in one if sum(key in other for other in sets) > 1})
    text = [
        [c for key in keys for c in (expanded(one[key]) if key in one else [np.nan] * 60)] for one in sets
    ]
    documents = [[float(bool(one[key])) if key in one else np.nan for key in keys] for one in sets]
    for what, data in (("text", text), ("documents", documents)):
        theirs = krippendorff.alpha(reliability_data=np.array(data), level_of_measurement="nominal")
        assert together[what, "alpha"] == pytest.approx(theirs)


def test_a_set_agrees_with_itself_and_names_do_not_matter(call: Command, write: Write) -> None:
    write("anna.jsonl", ANNA)
    write("zoe.jsonl", ANNA)
    write("y.jsonl", BOB)
    same = estimates(call("assessors", "anna.jsonl", "zoe.jsonl", "-o", "json").out)
    for key in (("documents", "kappa", "pooled"), ("text", "F1", "macro"), ("text", "kappa", "pooled")):
        assert same[key] == 1
    assert same["text", "distance of edges", "macro"] == 0
    first = call("assessors", "anna.jsonl", "y.jsonl", "-o", "json")
    second = call("assessors", "zoe.jsonl", "y.jsonl", "-o", "json")
    assert second.out == first.out.replace("anna", "zoe")


def test_elements(call: Command, write: Write) -> None:
    """p[1] is graded 1 by one and 2 by the other; the second alone has p[2]; of article both say 2."""
    article = '<element path="/a[1]" exhaustivity="2" size="10" rsize="{}"/>'
    text = '<assessments pool="{}" topic="1"><file name="A">{}</file><file name="B"/></assessments>'
    first = article.format(5) + '<element path="/a[1]/p[1]" exhaustivity="1" size="5" rsize="5"/>'
    second = article.format(10) + (
        '<element path="/a[1]/p[1]" exhaustivity="2" size="5" rsize="5"/>'
        '<element path="/a[1]/p[2]" exhaustivity="?" size="5" rsize="5"/>'
    )
    write("both/10.xml", text.format(10, first))
    write("both/11.xml", text.format(11, second))
    done = call("assessors", "both", "-o", "json")
    found = estimates(done.out)
    assert found["elements", "Jaccard", "pooled"] == pytest.approx(2 / 3)
    assert found["elements", "same exhaustivity", "pooled"] == 0.5
    assert found["elements", "difference of specificity", "pooled"] == pytest.approx((0.5 + 0 + 1) / 3)
    # of two elements (2, 2) and (1, 2): p_o = 1/2, p_e = 1/2 · 1 + 1/2 · 0
    assert found["elements", "kappa of exhaustivity", "pooled"] == pytest.approx(0)
    assert ("text", "F1", "macro") not in found
    assert "which text is highlighted is not known of pool-10, pool-11: give --collection DIR" in done.notes
    assert found["documents", "kappa", "pooled"] == 1


def test_the_effect_on_rankings(call: Command, write: Write) -> None:
    """Anna likes what r1 returns, bob what r2 does, on all of six topics: the ranking is turned round."""
    topics = [str(n) for n in range(1, 7)]
    write("anna.jsonl", lines(*((t, "A", [[0, 5]], "") for t in topics), *((t, "B", [], "") for t in topics)))
    write("bob.jsonl", lines(*((t, "B", [[0, 5]], "") for t in topics), *((t, "A", [], "") for t in topics)))
    for run, doc in (("r1", "A"), ("r2", "B")):
        write(f"{run}.txt", "".join(f"{t} Q0 {doc} 1 1.0 {run} 0 5\n" for t in topics))
    done = call(
        "assessors",
        "anna.jsonl",
        "bob.jsonl",
        "--runs",
        "r1.txt",
        "r2.txt",
        "-m",
        "SpanP",
        "--test",
        "t",
        "-o",
        "json",
    )
    assert done.code == 0
    [effect] = [row for row in json.loads(done.out) if row.get("tau") is not None]
    assert (effect["tau"], effect["tau ap"], effect["tau top"]) == (-1, -1, -1)
    assert (effect["significant a"], effect["significant b"], effect["both"], effect["swaps"]) == (1, 1, 0, 1)
    assert (effect["topics"], effect["systems"]) == (6, 2)


def test_the_alternative_annotator_test(call: Command, write: Write) -> None:
    """Two people and a model that highlights as they do, and one that highlights nothing."""
    generator = random.Random(4)
    rows = []
    for n in range(60):
        start = generator.randint(0, 40)
        topic, doc = str(n % 12), f"D{n}"
        for name in ("anna", "bob", "good"):
            shifted = start + generator.randint(-4, 4)
            kind = "model" if name == "good" else "person"
            rows.append((topic, doc, [[max(0, shifted), shifted + 20]], {"kind": kind, "name": name}))
        rows.append((topic, doc, [], {"kind": "model", "name": "lazy"}))
    write("all.jsonl", lines(*rows, size=100))
    good = call("assessors", "all.jsonl", "--candidate", "good")
    assert "good may stand for the people" in good.err
    lazy = call("assessors", "all.jsonl", "--candidate", "lazy", "-o", "json")
    assert "winning rate 0.00" in lazy.err
    tested = [row for row in json.loads(lazy.out) if row.get("person")]
    assert [(row["person"], row["items"], row["won"]) for row in tested] == [
        ("anna", 60, "no"),
        ("bob", 60, "no"),
    ]
    assert "intervals by bootstrap over topics" in good.err
    chosen = call("assessors", "all.jsonl", "--assessor", "kind=person", "-o", "csv")
    assert {line.split(",")[0] for line in chosen.out.splitlines()[1:]} == {"anna"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "give the judgements of two assessors or more"),
        (("anna.jsonl",), "nobody is named as assessor; to compare takes two"),
        (("anna.jsonl", "none.jsonl"), "none.jsonl: no such file"),
        (("anna.jsonl", "other.jsonl"), "no document is judged by two of the assessors"),
        (("anna.jsonl", "bob.jsonl", "--candidate", "carl"), "unknown assessor 'carl'"),
        (
            ("anna.jsonl", "bob.jsonl", "--candidate", "bob"),
            "the test of bob needs 2 people with 50 items each",
        ),
        (("anna.jsonl", "bob.jsonl", "--assessor", "ann"), "unknown assessor 'ann'; did you mean 'anna'"),
        (("anna.jsonl", "bob.jsonl", "--merge", "union"), "--merge makes one of several assessors"),
        (("anna.jsonl", "bob.jsonl", "-m", "MAiP"), "-m scores runs: give them with --runs"),
        (("anna.jsonl", "bob.jsonl", "--runs", "r.txt"), "name the measure to rank systems by"),
        (("anna.jsonl", "bob.jsonl", "--alpha", "2"), "2"),
        (("anna.jsonl", "bad.jsonl"), "bad.jsonl, line 1: [5, 2] is not a span"),
    ],
)
def test_what_cannot_be_compared(
    arguments: tuple[str, ...], message: str, call: Command, write: Write
) -> None:
    write("anna.jsonl", ANNA)
    write("bob.jsonl", BOB)
    write("other.jsonl", lines(("7", "A", [], "")))
    write("bad.jsonl", '{"topic": 1, "doc": "A", "spans": [[5, 2]]}\n')
    write("r.txt", "1 Q0 A 1 1.0 r 0 5\n")
    done = call("assessors", *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert done.err.count("\n") == 1
