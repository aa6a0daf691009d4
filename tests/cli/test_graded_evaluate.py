"""`inexlab evaluate` with assessments of 2002-2006: measures, campaigns, pools and EvalJ's configuration."""

from __future__ import annotations

import json
from collections.abc import Iterable

import pytest

from tests.cli.conftest import Command, Outcome, Write

# Worked by hand: the recall base has the values 1, .75, .5, .25; the run gains .5, 0, 1, .25, 0, .75.
VALUES = {"A": 4, "B": 3, "C": 2, "D": 1}
GAINS = ("C", "nothing", "A", "D", "unknown", "B")


def assessments(topic: str, pool: str, quarters: dict[str, int], kind: str = "CO+S") -> str:
    """Assessments in which the article of each document has so many quarters of relevant text."""
    files = "".join(
        f'<file collection="ieee" name="{doc}">'
        f'<element path="/article[1]" exhaustivity="1" size="400" rsize="{100 * share}"/></file>\n'
        for doc, share in quarters.items()
    )
    return (
        f'<?xml version="1.0"?>\n<assessments pool="{pool}" topic="{topic}" version="2">\n'
        f'<inex_topic topic_id="{topic}" query_type="{kind}"/>\n{files}'
        '<file collection="ieee" name="nothing"/></assessments>\n'
    )


def submission(id: str, task: str, *topics: tuple[str, Iterable[str]], path: str = "/article[1]") -> str:
    """A run of 2005 that returns the article of each document."""
    body = "".join(
        f'<topic topic-id="{topic}">'
        + "".join(
            f"<result><file>{doc}</file><path>{path}</path><rank>{rank}</rank></result>"
            for rank, doc in enumerate(docs, start=1)
        )
        + "</topic>\n"
        for topic, docs in topics
    )
    return (
        f'<inex-submission participant-id="24" run-id="{id}" task="{task}" query="automatic">'
        '<topic-fields title="yes" castitle="no" description="no" narrative="no"/>'
        f"<description>d</description><collections><collection>ieee</collection></collections>{body}"
        "</inex-submission>\n"
    )


def totals(done: Outcome) -> dict[tuple[str, str], float]:
    """The scores over all topics, by run and measure."""
    assert done.code == 0, done.err
    return {(row["run"], row["measure"]): row["value"] for row in json.loads(done.out)}


# Measures.

WORKED = {
    "nxCG@1": 0.5,
    "nxCG@2": 0.285714,
    "nxCG@3": 0.666667,
    "nxCG@4": 0.7,
    "nxCG@6": 1,
    "MAnxCG@4": 0.538095,
    "MAep": 0.555556,
    "iMAep": 0.539722,
    "Q": 0.728035,
    "R": 0.730769,
}


def test_the_worked_numbers(inexlab: Command, write: Write) -> None:
    judgements = write("a.xml", assessments("1", "10", VALUES))
    run = write("run.xml", submission("worked", "CO.Thorough", ("1", GAINS)))
    asked = [word for name in WORKED for word in ("-m", name)]
    found = totals(inexlab("evaluate", judgements, run, *asked, "-o", "json"))
    assert found == {("worked", name): pytest.approx(value, abs=1e-6) for name, value in WORKED.items()}


def test_short_names_of_quantisations_are_shown_in_full(call: Command, write: Write) -> None:
    judgements = write("a.xml", assessments("1", "10", VALUES))
    run = write("run.xml", submission("r", "CO.Thorough", ("1", "ABCD")))
    header = call(
        "evaluate", judgements, run, "-m", "Q(quant=gen)", "-m", "R(quant=strict)"
    ).out.splitlines()[0]
    assert header.split() == ["run", "Q(quant=gen5,overlap=off)", "R(quant=strict5,overlap=off)"]


@pytest.mark.parametrize(
    ("grades", "quant", "worth"),
    [
        ('topicalrelevance="3" coverage="E"', "strict", 1),
        ('topicalrelevance="3" coverage="L"', "gen", 0.75),
        ('exhaustiveness="3" specificity="3"', "strict", 1),
        ('exhaustiveness="2" specificity="2"', "gen", 0.5),
        ('exhaustiveness="2" specificity="1"', "sog", 0.1),
    ],
)
def test_precall_of_assessments_of_earlier_years(
    grades: str, quant: str, worth: float, call: Command, write: Write
) -> None:
    """Recall x of one element worth n asks for x·n; after a worthless result precall is x·n / (x·n + 1)."""
    text = f'<assessments topic="1"><file file="A"><path path="/article[1]" {grades}/></file></assessments>'
    judgements = write("a.xml", text)
    first = write("first.xml", submission("first", "CO", ("1", "AB")))
    second = write("second.xml", submission("second", "CO", ("1", "BA")))
    measure = f"precall(quant={quant})"
    found = totals(call("evaluate", judgements, first, second, "-m", measure, "-o", "json"))
    wanted = [x / 100 * worth for x in range(1, 101)]
    assert found["first", measure] == pytest.approx(1)
    assert found["second", measure] == pytest.approx(sum(x / (x + 1) for x in wanted) / 100)


def test_an_assessed_topic_that_the_run_does_not_have_scores_0(call: Command, write: Write) -> None:
    write("all/1.xml", assessments("1", "10", VALUES))
    write("all/2.xml", assessments("2", "20", VALUES))
    write("all/3.xml", assessments("3", "30", {}))
    run = write("run.xml", submission("r", "CO.Thorough", ("1", "ABCD"), ("9", "A")))
    done = call("evaluate", "all", run, "-m", "MAep", "-o", "json")
    assert totals(done) == {("r", "MAep"): 0.5}
    assert "means are over 2 of 3 judged topics" in done.notes
    assert "1 topic without anything relevant: 3" in done.notes


# Campaigns.


@pytest.mark.parametrize(
    ("campaign", "task", "count"),
    [("inex2005", "COS.Thorough", 30), ("inex2005", "CO.FetchBrowse", 24), ("inex2006", "focused", 8)],
)
def test_a_campaign_prints_its_measures(
    campaign: str, task: str, count: int, call: Command, write: Write
) -> None:
    judgements = write("a.xml", assessments("1", "10", VALUES))
    run = write("run.xml", submission("r", task, ("1", "ABCD")))
    found = totals(call("evaluate", judgements, run, "--campaign", campaign, "--task", task, "-o", "json"))
    assert len(found) == count
    graded = [value for (_, name), value in found.items() if "strict5" not in name]
    assert graded
    if "FetchBrowse" not in task:
        assert graded == [pytest.approx(1)] * len(graded)
    assert all(value is None for (_, name), value in found.items() if "strict5" in name)


def test_what_a_campaign_leaves_open_is_said(call: Command, write: Write) -> None:
    judgements = write("a.xml", assessments("1", "10", VALUES))
    run = write("run.xml", submission("r", "Thorough", ("1", "ABCD")))
    done = call("evaluate", judgements, run, "--campaign", "inex2006", "--task", "thorough")
    assert any(note.startswith("inex2006 thorough, unverified: links=out: ") for note in done.notes)
    assert "MAep(quant=spec6(links=out),overlap=off)?" in done.out
    assert "MAep(quant=spec6,overlap=off)?" not in done.out


# Pools.


@pytest.fixture
def two_pools(write: Write) -> str:
    """Topic 1, judged by two people, who disagree on what is best."""
    write("all/main/pool-10.xml", assessments("1", "10", {"A": 4, "B": 1}))
    write("all/others/pool-11.xml", assessments("1", "11", {"A": 1, "B": 4}))
    return "all"


def test_a_pool_can_be_chosen(call: Command, write: Write, two_pools: str) -> None:
    run = write("run.xml", submission("r", "CO.Thorough", ("1", "AB")))

    def first_rank(*pools: str) -> float:
        asked = [word for pool in pools for word in ("--pool", pool)]
        (value,) = totals(call("evaluate", two_pools, run, "-m", "nxCG@1", *asked, "-o", "json")).values()
        return value

    assert first_rank("10") == 1
    assert first_rank("11") == 0.25
    assert first_rank("11", "12") == 0.25


@pytest.mark.parametrize("pools", [(), ("--pool", "10", "--pool", "11")])
def test_two_pools_of_one_topic_are_refused(
    pools: tuple[str, ...], call: Command, write: Write, two_pools: str
) -> None:
    run = write("run.xml", submission("r", "CO.Thorough", ("1", "AB")))
    done = call("evaluate", two_pools, run, "-m", "MAep", *pools)
    assert (done.code, done.out) == (2, "")
    (message,) = done.notes
    assert "pool-11.xml, line 4: document A is judged a second time for topic 1" in message
    assert "choose with --pool" in message


# EvalJ's configuration.

CONFIGURATION = """\
# as EvalJ read it
TASK: COS.Thorough
METRICS: nxCG, ep/gr, q
ALPHA: 1.0
OVERLAP: off
QUANT_FUNCTIONS: gen,
                 genLifted
DCV: 1, 2
ASSESSMENTS_DIR: ../official/*/
QUERY_TYPE: CO+S
SUBMISSIONRUNS_DIR: ../runs/*/
POOLS: 10, 20
"""
MEASURES = [
    *("nxCG(quant=QUANT,overlap=off)@1", "nxCG(quant=QUANT,overlap=off)@2"),
    *("MAnxCG(quant=QUANT,overlap=off)@1", "MAnxCG(quant=QUANT,overlap=off)@2"),
    *("MAep(quant=QUANT,overlap=off)", "iMAep(quant=QUANT,overlap=off)"),
    *("Q(quant=QUANT,overlap=off)", "R(quant=QUANT,overlap=off)"),
]


@pytest.fixture
def campaign(write: Write) -> str:
    """Three CO+S topics, one of them judged twice, and a CAS topic; three runs, two of them of the task."""
    write("official/main/1.xml", assessments("1", "10", {"A": 4, "B": 1}))
    write("official/main/2.xml", assessments("2", "20", {"C": 2}))
    write("official/main/3.xml", assessments("3", "30", {"D": 4}))
    write("official/main/4.xml", assessments("4", "20", {"D": 4}, kind="CAS"))
    write("official/others/1.xml", assessments("1", "11", {"A": 1, "B": 4}))
    topics = [("1", "AB"), ("2", "C"), ("3", "D"), ("4", "D")]
    write("runs/p1/best.xml", submission("best", "COS.Thorough", *topics))
    write("runs/p1/other.xml", submission("other", "CO.Thorough", *topics))
    write("runs/p2/worst.xml", submission("worst", "COS.Thorough", ("1", "BX"), ("2", "X"), ("3", "D")))
    return write("configurations/evalj.prop", CONFIGURATION)


def test_a_configuration_stands_for_judgements_runs_and_measures(inexlab: Command, campaign: str) -> None:
    done = inexlab("evaluate", "--config", campaign, "-o", "json")
    found = totals(done)
    names = [name.replace("QUANT", quant) for name in MEASURES for quant in ("gen", "genLifted")]
    assert set(found) == {(run, name) for run in ("best", "worst") for name in names}
    assert all(value == pytest.approx(1) for (run, _), value in found.items() if run == "best")
    assert found["worst", "nxCG(quant=gen,overlap=off)@1"] == pytest.approx((0.25 + 0) / 2)
    assert f"{campaign}: 2 of 3 runs are of task COS.Thorough" in done.notes
    assert "means are over 2 judged topics" in done.notes


def test_a_configuration_gives_what_the_command_line_gives(
    call: Command, campaign: str, write: Write
) -> None:
    write("chosen/1.xml", assessments("1", "10", {"A": 4, "B": 1}))
    write("chosen/2.xml", assessments("2", "20", {"C": 2}))
    names = [name.replace("QUANT", quant) for quant in ("gen", "genLifted") for name in MEASURES]
    asked = [word for name in names for word in ("-m", name)]
    by_hand = call("evaluate", "chosen", "runs/p1/best.xml", "runs/p2/worst.xml", *asked, "-q", "-o", "csv")
    by_file = call("evaluate", "--config", campaign, "-q", "-o", "csv")
    assert (by_hand.code, by_file.code) == (0, 0)
    assert sorted(by_file.out.splitlines()) == sorted(by_hand.out.splitlines())


@pytest.mark.parametrize(
    ("change", "best"),
    [
        (("POOLS: 10, 20", "POOL: 10, 20"), 1),
        (("POOLS: 10, 20", "POOLS: 11,\n20"), (0.25 + 1) / 2),
        (("POOLS: 10, 20", "POOLS: 10, 20, 30"), 1),
    ],
)
def test_pools_of_a_configuration(
    change: tuple[str, str], best: float, call: Command, campaign: str, write: Write
) -> None:
    assert change[0] in CONFIGURATION
    write(campaign, CONFIGURATION.replace(*change))
    found = totals(call("evaluate", "--config", campaign, "-o", "json"))
    assert found["best", "nxCG(quant=gen,overlap=off)@1"] == pytest.approx(best)


def test_the_task_selects_the_runs(call: Command, campaign: str, write: Write) -> None:
    write(campaign, CONFIGURATION.replace("COS.Thorough", "CO.Thorough"))
    done = call("evaluate", "--config", campaign, "-o", "json")
    assert {run for run, _ in totals(done)} == {"other"}
    assert f"{campaign}: 1 of 3 runs are of task CO.Thorough" in done.notes


def test_a_run_that_does_not_say_its_task_is_taken(call: Command, campaign: str, write: Write) -> None:
    write("runs/p2/plain.txt", "1 Q0 A 1 2.0 plain /article[1]\n")
    done = call("evaluate", "--config", campaign, "-o", "json")
    assert {run for run, _ in totals(done)} == {"best", "worst", "plain"}


def test_the_kind_of_topic_selects_the_topics(call: Command, campaign: str, write: Write) -> None:
    write(campaign, CONFIGURATION.replace("QUERY_TYPE: CO+S", "QUERY_TYPE: CAS"))
    write("runs/p2/worst.xml", submission("worst", "COS.Thorough", ("4", "D")))
    done = call("evaluate", "--config", campaign, "-q", "-o", "json")
    assert {row["topic"] for row in json.loads(done.out)} == {"4", "all"}


def test_fetch_and_browse_has_two_levels(call: Command, campaign: str, write: Write) -> None:
    text = CONFIGURATION.replace("COS.Thorough", "COS.FetchBrowse").replace("nxCG, ep/gr, q", "ep/gr")
    write(campaign, text.replace("OVERLAP: off", "OVERLAP: on, off"))
    write("runs/p1/browse.xml", submission("browse", "COS.FetchBrowse", ("1", "AB"), ("2", "C")))
    found = totals(call("evaluate", "--config", campaign, "-o", "json"))
    assert set(found) == {
        ("browse", f"{measure}(quant={quant},overlap={overlap},level={level})")
        for measure in ("MAep", "iMAep")
        for quant in ("gen", "genLifted")
        for overlap in ("on", "off")
        for level in ("article", "element")
    }
    assert list(found.values()) == [pytest.approx(1)] * len(found)


@pytest.mark.parametrize(
    "others", [("official",), ("official", "runs/p1/best.xml"), ("-m", "MAep"), ("--pool", "10")]
)
def test_nothing_is_given_beside_a_configuration(
    others: tuple[str, ...], call: Command, campaign: str
) -> None:
    done = call("evaluate", *others, "--config", campaign)
    assert (done.code, done.out) == (2, "")
    assert done.notes == ["--config names judgements, runs, pools and measures: do not give them as well."]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("COS.Thorough", "COS.Focussed"), "evalj.prop: names no run of the task COS.Focussed"),
        (("METRICS", "METRIC"), "evalj.prop, line 3: unknown key 'METRIC'; did you mean 'METRICS'?"),
        (("nxCG,", "XCG,"), "evalj.prop, line 3: unknown metric 'XCG'; did you mean 'nxCG'?"),
        (("../official", "../oficial"), "line 9: ASSESSMENTS_DIR ../oficial/*/ matches nothing"),
        (("../runs", "../rums"), "line 11: SUBMISSIONRUNS_DIR ../rums/*/ matches nothing"),
        (("SUBMISSIONRUNS_DIR: ../runs/*/\n", ""), "evalj.prop: SUBMISSIONRUNS_DIR is missing"),
        (("genLifted", "genLifter"), "unknown quantisation 'genLifter'; did you mean 'genLifted'?"),
        (("POOLS: 10, 20", "POOLS: 77"), "holds no judgements. Check the pools asked for."),
        (("POOLS: 10, 20", ""), "document A is judged a second time for topic 1"),
        (("gen,\n", "sog,\n"), "quantisation sog is for judgements of 2003-2004, these are of 2005-2006"),
    ],
)
def test_what_is_wrong_with_a_configuration_is_said(
    change: tuple[str, str], message: str, call: Command, campaign: str, write: Write
) -> None:
    assert change[0] in CONFIGURATION
    write(campaign, CONFIGURATION.replace(*change))
    done = call("evaluate", "--config", campaign)
    assert (done.code, done.out) == (2, "")
    assert message in done.notes[-1]


def test_a_configuration_that_is_not_there(call: Command) -> None:
    done = call("evaluate", "--config", "evalj.prop")
    assert (done.code, done.out) == (2, "")
    assert done.notes == ["evalj.prop: no such file. Check the name and the folder."]


# What does not fit together.


@pytest.mark.parametrize(
    ("measure", "message"),
    [
        ("nxCG(quant=gen5)@10", "quantisation gen5 is for judgements of 2005-2006, these are of 2003-2004"),
        (
            "nxCG(overlap=on)@10",
            "overlap=on needs the sizes of elements, which only judgements from 2005 on have",
        ),
        ("MAep(quant=nosuch)", "unknown quantisation 'nosuch'"),
        ("MAep(quant=own.toml)", "own.toml: no such file"),
    ],
)
def test_measures_that_judgements_of_2004_cannot_give(
    measure: str, message: str, call: Command, write: Write
) -> None:
    judgements = write(
        "a.xml",
        "<assessments query='1'><file file='A'>"
        "<path path='/article[1]' exhaustiveness='3' specificity='3'/></file></assessments>",
    )
    run = write("run.xml", submission("r", "CO", ("1", "A")))
    done = call("evaluate", judgements, run, "-m", measure)
    assert (done.code, done.out) == (2, "")
    assert message in done.notes[-1]


def test_ones_own_quantisation_in_a_measure(call: Command, write: Write) -> None:
    own = write("own.toml", 'scale = "2005"\n[values]\n"1" = 3\n')
    judgements = write("a.xml", assessments("1", "10", VALUES))
    run = write("run.xml", submission("r", "CO.Thorough", ("1", GAINS)))
    found = totals(call("evaluate", judgements, run, "-m", f"MAep(quant={own})", "-m", "MAep", "-o", "json"))
    assert found["r", f"MAep(quant={own})"] == pytest.approx(found["r", "MAep"])


def test_highlights_need_the_collection_for_measures_of_elements(call: Command, write: Write) -> None:
    judgements = write("a.qrels", "1 Q0 A 2 4 0 0:2\n")
    run = write("run.xml", submission("r", "Thorough", ("1", "A")))
    done = call("evaluate", judgements, run, "-m", "MAep")
    assert (done.code, done.out) == (2, "")
    assert "Give --collection DIR to derive them from highlights." in done.notes[-1]
    write("documents/A.xml", "<article><p>xy</p><p>zz</p></article>")
    done = call(
        "evaluate", judgements, run, "-m", "nxCG(quant=spec6)@2", "--collection", "documents", "-o", "json"
    )
    assert totals(done) == {("r", "nxCG(quant=spec6)@2"): pytest.approx(0.5 / 1.5)}
