"""Every loop that writes into arrays says why it stays in them, and does where it comes closest to the end.

The loops of the index have tests of their own, in `tests/index/test_room.py`.
"""

from __future__ import annotations

import ast
import inspect
import pkgutil
import textwrap
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import inexlab
from inexlab.accelerate import Instruction, Kernel
from inexlab.index.collection import IndexedDocuments
from inexlab.judgements.elements import GradedElements
from inexlab.judgements.quantisation import parse_quantisation
from inexlab.judgements.recall_base import recall_base
from inexlab.measures import evaluate, reading
from inexlab.policy import Policy
from inexlab.retrieval import bounding, listing, pruning
from inexlab.retrieval.engine import make_engine
from inexlab.retrieval.model import parse_weighting
from inexlab.retrieval.ranking import Ranking, best
from inexlab.retrieval.searching import search_elements
from inexlab.retrieval.structure import INTERPRETATIONS, search_structure
from inexlab.retrieval.tasks import OVERLAPS, TASKS, for_task, without_overlap
from inexlab.retrieval.unit import units_of
from inexlab.runs import read_run
from inexlab.runs.formats import text_scan, xml_scan
from inexlab.scores import Scores
from inexlab.statistics import compare, resampling
from inexlab.statistics.testing import Sampling
from inexlab.tables import Names
from inexlab.topics.nexi import parse_nexi
from tests import bounds
from tests.bounds import checked_bounds
from tests.builders import a_run, judged, judgement_lines, results
from tests.collection.test_finding import all_at_once, one_by_one
from tests.examples import examples
from tests.laws.test_character_measures import SCORES
from tests.oracles import Campaign, campaigns, graded, ranked
from tests.retrieval.trees import PROFILE, documents, indexed, queries, structured, terms

few = examples(12)  # a checked loop is slow; `make soak` tries many more


def kernels() -> dict[str, Kernel[..., Any]]:
    """All loops there are, by module and name."""
    found: dict[str, Kernel[..., Any]] = {}
    for module in pkgutil.walk_packages(inexlab.__path__, "inexlab."):
        if module.name == "inexlab.__main__":
            continue
        loaded = import_module(module.name)
        for name, value in vars(loaded).items():
            is_loop = isinstance(value, Kernel) and not isinstance(value, Instruction)
            if is_loop and value.plain.__module__ == module.name:
                found[f"{module.name}.{name}"] = value
    return found


KERNELS = kernels()


def writes(kernel: Kernel[..., Any]) -> bool:
    """Whether a loop writes into arrays."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(kernel.plain)))
    targets = [
        target
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign | ast.AugAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
    ]
    parts = [part for t in targets for part in (t.elts if isinstance(t, ast.Tuple) else [t])]
    return any(isinstance(part, ast.Subscript) for part in parts)


WRITING = sorted(name for name, kernel in KERNELS.items() if writes(kernel))
HERE = [name for name in WRITING if not name.startswith("inexlab.index.")]


@pytest.mark.parametrize("name", WRITING)
def test_a_loop_that_writes_says_why_it_stays_in_its_arrays(name: str) -> None:
    source = inspect.getsource(KERNELS[name].plain)
    reason = any(word in source for word in (" room", " place", "as long as"))
    assert reason, f"say in {name} why it cannot run over, or what makes sure of it"


def test_there_are_loops() -> None:
    assert len(HERE) > 25
    assert "inexlab.measures.reading._read_down" in HERE


# --- measures of characters ------------------------------------------------------------------------------

POLICIES: list[dict[str, Any]] = [
    {},
    {"seen_text": "again", "denominator": "full", "recall_levels": "floor"},
    {"relevant_size": "stated", "outside": "clip", "unlocatable": 9},
]


@few
@example(found=["1:A[0,0)"], lines=["1:A 0:1"])
@example(
    found=[f"1:A[{k},{k + 1})" for k in range(0, 40, 2)] * 2, lines=["1:A 0:1 39:1"]
)  # as many stretches
@example(found=[f"1:A[{k},{k + 1})" for k in range(40, -1, -2)] + ["1:A[0,60)"], lines=["1:A 0:60"])
@example(found=[f"1:D{k}[0,5)" for k in range(30)], lines=["1:D29 0:5"])  # as many documents as results
@given(results(), judgement_lines(relevant=True))
def test_measures_of_characters(found: list[str], lines: list[str]) -> None:
    with checked_bounds(), pytest.MonkeyPatch.context() as patch:
        for crowd, policy in product((0, 64), POLICIES):
            patch.setattr(reading, "_CROWD", crowd)
            evaluate(
                judged(*lines),
                [a_run(*found)],
                [*SCORES, "num_ret", "num_rel_ret"],
                policy=Policy(**policy),
                need_judged_topics=False,
            )


# --- measures of documents -------------------------------------------------------------------------------

DOCUMENT_MEASURES = ["AP", "P@3", "RR", "nDCG", "nDCG@3", "Bpref", "AP(judged_only=True)", "NumRet"]


@few
@example(found=[f"1:D{k}[0,5)" for k in range(16)], lines=["1:D15 0:5"])  # as many documents as results
@example(found=["1:A[0,5)"] * 9, lines=["1:A 0:5", "2:A 0:5"])  # one document, and a topic without any
@example(found=["1:A[0,5)"], lines=[f"1:D{k} 0:5" for k in range(17)])  # more are relevant than returned
@given(results(), judgement_lines(relevant=True))
def test_measures_of_documents(found: list[str], lines: list[str]) -> None:
    with checked_bounds():
        evaluate(judged(*lines), [a_run(*found)], DOCUMENT_MEASURES, need_judged_topics=False)


# --- measures of elements --------------------------------------------------------------------------------

ELEMENT_MEASURES = [
    *(
        f"{name}(quant={quant},overlap={overlap}{more})@{cut}".removesuffix("@")
        for overlap in ("off", "on", "2006")
        for quant, more in (("gen5", ""), ("strict5", ",ideal=best-first"), ("spec6", ""))
        for name, cut in (("nxCG", "1"), ("nxCG", "50"), ("MAep", ""), ("ep", "0.5"), ("Q", ""), ("R", ""))
    ),
    "MAep(quant=gen5,overlap=on,level=element)",
    "MAep(quant=gen5,overlap=on,level=article)",
    *(f"MAep(quant=gen5,overlap=on,ancestors={how})" for how in ("max", "min", "none")),
    "precall(quant=gen5)",
    "precall(quant=strict5)",
]


@few
@given(campaigns(sizes=range(1, 20)))
def test_measures_of_elements(campaign: Campaign) -> None:
    with checked_bounds():
        evaluate(campaign.judgements, [campaign.run], ELEMENT_MEASURES, need_judged_topics=False)


# what is assessed, and what is returned: all there is, nothing, and what is beside, above and below it
CLOSEST = [
    (["A/a[1] 2 8/8"], ["A/a[1]"]),
    (["A/a[1] 2 8/8"], ["A/"]),
    (["A/a[1]/p[1] 2 8/8"], ["A/a[1]", "A/a[1]/p[1]/b[1]", "A/a[1]/p[2]", "A/a[1]/o[1]"]),
    (["A/a[1]/p[1] 2 8/8", "B/a[1] 1 4/8"], ["B/", "B/a[1]/z[9]", "A/z[1]", "A/a[1]"]),
    (
        ["A/a[1] 2 8/8", "A/a[1]/p[1] 2 4/4", "A/a[1]/p[1]/b[1] 1 2/2", "A/a[1]/p[2] 1 4/4"],
        ["A/a[1]/p[1]/b[1]", "A/a[1]/p[2]", "A/a[1]/p[1]", "A/a[1]", "A/a[1]"],
    ),
    ([f"A{'/a[1]' * depth} 1 1/1" for depth in range(1, 9)], [f"A{'/a[1]' * d}" for d in (8, 4, 9, 1)]),
]


@pytest.mark.parametrize(("assessed", "returned"), CLOSEST)
def test_elements_at_the_ends_of_their_columns(assessed: list[str], returned: list[str]) -> None:
    judgements = graded(*assessed)
    with checked_bounds():
        for order in (returned, returned[::-1]):
            evaluate(judgements, [ranked(*order)], ELEMENT_MEASURES, need_judged_topics=False)


@given(campaigns(sizes=range(1, 20)))
@few
def test_recall_bases(campaign: Campaign) -> None:
    elements = campaign.judgements.elements
    assert isinstance(elements, GradedElements)
    with checked_bounds():
        for ideal, quant in product(("official", "best-first"), ("gen5", "strict5")):
            chosen = parse_quantisation(quant).for_scale(elements.scale)
            recall_base(campaign.judgements, elements, chosen, ideal, True)


# --- significance ----------------------------------------------------------------------------------------

TESTS = ("bootstrap", "randomisation", "wilcoxon", "wilcoxon-normal", "t", "sign")
VALUES = st.sampled_from([0.0, 0.0, 0.25, 0.5, 0.5, 1.0, -1.0, 1e-300, 1e300])


@few
@example(values=[[0.0], [0.0]])  # nothing differs
@example(values=[[0.0] * 12, [float(2**k) for k in range(12)]])  # no ties: as many sums as there can be
@example(values=[[0.0] * 12, [1.0] * 12])  # all tied
@example(values=[[1e300, -1e300], [-1e300, 1e300]])
@given(
    st.integers(1, 12).flatmap(
        lambda n: st.lists(st.lists(VALUES, min_size=n, max_size=n), min_size=2, max_size=4)
    )
)
def test_significance(values: list[list[float]]) -> None:
    table = {f"s{k}": {str(t): v for t, v in enumerate(row)} for k, row in enumerate(values)}
    scores = Scores.of(table, "m")
    with checked_bounds(), np.errstate(all="ignore"):
        for test, alpha in product(TESTS, (0.05, 0.999)):
            for resamples in (20, 128, 130):  # loops over blocks of 64
                compare(scores, test=test, alpha=alpha, sampling=Sampling(resamples, 1))
        sums = np.array(values)
        limit = np.ones((len(sums), len(sums)))
        counts = resampling.count_one_by_one(sums, sums, -limit, limit, True)
        assert all(table.shape == limit.shape for table in counts)


# --- retrieval -------------------------------------------------------------------------------------------

STRUCTURED = (
    "//a[about(., bee)]",
    "//r//p[about(.//i, wax)]",
    "//r[about(., bee)]//*[about(., wax)]",
    "//a[.//p > 3]",
)
MODELS = ("bm25", "gpx", "lm-dirichlet(article=0.3)", "lm-jm", "lnu-ltu")


@few
@example(texts=["<r>bee wax <i>bee</i> wax</r>"], query='"bee wax"', with_structure=STRUCTURED[0])
@given(documents(), queries(), st.sampled_from(STRUCTURED))
def test_searches(texts: list[str], query: str, with_structure: str) -> None:
    with indexed(*texts) as index:
        assert len(index.guide.path)  # made by a loop of the index
        with checked_bounds():
            for model in MODELS:
                found = search_elements(index, terms(query), parse_weighting(model))
                for limit in {1, len(found) - 1, len(found)} - {0, -1}:
                    best(found.element, found.document, found.score, limit)
            for interpretation in INTERPRETATIONS:
                ranking = search_structure(
                    index, structured(with_structure), parse_weighting("bm25"), interpretation
                )
                for task, overlap in product(TASKS, OVERLAPS):
                    for_task(index, ranking, task, overlap, 3)


UNITS = (
    *("auto", "articles", "elements", "elements:p", "passages:1c", "passages:8c", "sentences:1"),
    *("sentences:2", "windows:1w", "windows:3w/1w", "windows:1c", "windows:8c/2c"),
)


@examples(5)
@example(texts=["<r>bee wax. Bee <i>bee</i>? Wax</r>"], query='bee "bee wax"', with_structure=STRUCTURED[0])
@example(texts=["<r/>", "<r>bee</r>"], query="bee", with_structure=STRUCTURED[1])
@given(documents(), queries(), st.sampled_from(STRUCTURED))
def test_searches_for_units(texts: list[str], query: str, with_structure: str) -> None:
    with indexed(*texts) as index, checked_bounds():
        for by in UNITS:
            engine = make_engine(
                index, "bm25", by=by, context="section=0.5,article=0.5", document_order="article"
            )
            for asked in (query, with_structure):
                for task in ("thorough", "focused", "relevant-in-context"):
                    engine.answer(parse_nexi(asked), task, limit=3)
            make_engine(index, "bm25", by=by, within=["//a"]).answer(parse_nexi(query), "thorough")


@pytest.mark.parametrize(("by", "model"), [("elements:*", "lm-jm"), ("windows:90w", "bm25")])
def test_searches_that_leave_out(by: str, model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Short and long units, more of them than there is room for at first, some with all positions."""
    monkeypatch.setattr(pruning, "WORTH", 0)
    monkeypatch.setattr(pruning, "_ROOM", 1)
    monkeypatch.setattr(pruning, "_FIRST", 2)
    texts = [f"<r><p>{'bee wax ' * (k % 4)}</p><p>{'bee hive wax ' * 30}</p></r>" for k in range(6)]
    with indexed(*texts, "<r>bee</r>", "<r><p>wax <i>bee</i></p> bee</r>") as index, checked_bounds():
        engine = make_engine(index, model, by=by)
        for query, task in (("bee wax", "thorough"), ('bee -wax "bee wax"', "focused")):
            for many in (0.3, -1.0):  # positions are told apart, and are not
                monkeypatch.setattr(bounding, "_MANY", many)
                assert len(engine.answer(parse_nexi(query), task, limit=1)) == 1


def test_elements_that_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many in one document as in none other, all around a word; more than there is room for at first."""
    monkeypatch.setattr(pruning, "WORTH", 0)
    monkeypatch.setattr(pruning, "_ROOM", 1)
    monkeypatch.setattr(listing, "PASS", 1 << 40)
    monkeypatch.setattr(listing, "_LARGEST", 1)
    nested = f"<r>{'<a>' * 9}bee{'</a>' * 9}</r>"
    with indexed(nested, "<r>bee</r>", "<r><a>wax</a> bee <a>bee</a> bee</r>") as index, checked_bounds():
        engine = make_engine(index, "bm25", "SVCAS")
        for query, count in (
            ("//a[about(., bee)]", 10),
            ("//r[about(., bee wax)]", 3),
            ("//a[about(., wax)]", 1),
        ):
            assert len(engine.answer(parse_nexi(query), "thorough", limit=20)) == count


@pytest.mark.parametrize("texts", [("short",), ("long", "short"), ("long", "long"), ("", "short", "")])
def test_passages_that_join_others(texts: tuple[str, ...]) -> None:
    parts = {"long": f"{'bee ' * 99}wax. Wax bee.", "short": "Wax.", "": ""}
    document = f"<r>{''.join(f'<p>{parts[text]}</p>' for text in texts)}</r>"
    with indexed(document, profile=replace(PROFILE, least_passage=40)) as index, checked_bounds():
        units = units_of(index, "auto")
        assert units.count == sum(text == "long" for text in texts) or units.count == 1


@pytest.mark.parametrize("overlap", OVERLAPS)
@pytest.mark.parametrize("wrong", [1, 2, 255])
def test_parents_before_the_first_element(overlap: str, wrong: int) -> None:
    """Whoever makes an index by hand can write that: no climb leaves the columns."""
    with indexed("<r>bee <a>wax <b>hive</b></a></r>") as index:
        back = (np.arange(len(index.unchecked_columns["parent"])) + wrong).astype(np.uint16)
        index.unchecked_columns["parent"] = back
        elements = np.arange(len(back), dtype=np.int64)
        ranking = Ranking(elements, np.zeros(len(back), dtype=np.int32), np.ones(len(back)))
        with checked_bounds():
            assert without_overlap(index, ranking, overlap).tolist() == elements.tolist()


# --- places in documents -----------------------------------------------------------------------------------

# as many steps as there is room for, all different, all the same; texts, points, and paths without any step
PLACES = [
    ["/r[1]"],
    ["/", "", "r", "//"],
    [f"/r[1]/a[{k}]" for k in range(1, 18)],
    [f"/r[1]/t{k}[1]/text()[{k}].{k}" for k in range(16)],
    ["/r[1]" + "/a[1]" * k for k in range(8, 0, -1)],
    ["/r[1]/text()[1]", "/r[1]/text()[9]", "/r[1]/a[1]/text()[1].0", "/r[1]/a[8]/text()[1].9"],
]


@pytest.mark.parametrize("paths", PLACES)
def test_places_asked_for(paths: list[str]) -> None:
    texts = ("<r/>", f"<r>{'<a>x</a>' * 17}</r>", f"<r>{'<a>x' * 8}{'</a>' * 8}</r>", "<r>x<a>y</a>z</r>")
    with indexed(*texts) as index:
        documents = IndexedDocuments(index)
        places = [(f"d{k}", path) for path in paths for k in range(len(texts))]
        assert all_at_once(documents, places) == one_by_one(documents, places)


# --- files -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rows", [1, 7, 8, 9, 16, 17])
@pytest.mark.parametrize("width", [6, 7, 8])
def test_text_runs_with_as_many_names_as_rows(rows: int, width: int, tmp_path: Path) -> None:
    more = {6: "", 7: " /a[1]/p[{}]", 8: " {} 1"}[width]
    lines = "".join(f"{k} Q0 d{k} 1 -{k}.5 r{more.format(k)}\n" for k in range(1, rows + 1))
    with checked_bounds():
        data, tag = (np.frombuffer(text, dtype=np.uint8) for text in (lines.encode(), b"r"))
        read = text_scan.scan(data, width, tag)
        assert read is not None
        assert len(read.topic.begin) == len(read.doc.begin) == rows
        for cut in range(1, 12):  # lines that end too early
            text_scan.scan(data[:-cut], width, tag)
    (tmp_path / "r").write_text(lines)
    assert len(read_run(tmp_path / "r")) == rows


@pytest.mark.parametrize("size", [63, 64, 65, 127, 128, 129])
@pytest.mark.parametrize("extra", [" ", "  x", "\t\t\t\t\t\t\t\t"])
def test_text_runs_with_more_columns_than_there_is_room_for(size: int, extra: str) -> None:
    """Room is made for the columns of all lines: a line with more must not be written behind it."""
    lines = "q Q0 " + "d" * (size - len("q Q0  1 1 r" + extra + "\n")) + " 1 1 r" + extra + "\n"
    assert len(lines) == size
    with checked_bounds():
        data, tag = (np.frombuffer(text, dtype=np.uint8) for text in (lines.encode(), b"r"))
        assert text_scan.scan(data, 6, tag) is None
        assert text_scan.scan(data[:0], 6, tag) is None


PLAIN = "<result><file>d{0}</file><path>/a[1]</path><rank>1</rank><rsv>0.5</rsv></result>"
SPAN = '<result><file>d{0}</file><rsv>.5</rsv><fol offset="0" length="9"/></result>'


@pytest.mark.parametrize("form", [PLAIN, SPAN])
@pytest.mark.parametrize("rows", [1, 8, 9])
@pytest.mark.parametrize("between", ["", "\n", "<x/>"])
def test_xml_runs_with_as_many_stretches_as_results(form: str, rows: int, between: str) -> None:
    data = between.join(form.format(k) for k in range(rows))
    with checked_bounds():
        read = xml_scan.scan(data.encode())
        assert read is not None
        assert read.counts.sum() == rows
        assert len(read.counts) == (rows if between == "<x/>" else 1)
        for cut in range(1, len(form) + 1, 7):  # ends in the midst of a result
            xml_scan.scan(data.encode()[:-cut])
        for odd in ("<result>", "<result><result>", "<result></result>", "<result/>", "<result><file>"):
            xml_scan.scan((data + odd).encode())
            xml_scan.scan((odd + data).encode())


@pytest.mark.parametrize("names", [1, 7, 8, 9, 15, 16, 17, 64, 65])
def test_tables_of_names(names: int) -> None:
    ours = Names.of([f"name{k}" for k in range(names)])
    others = Names.of([f"name{k}" for k in range(names, -1, -1)])
    with checked_bounds():
        assert ours.codes_in(others).tolist() == list(range(names, 0, -1))
        assert others.codes_in(ours).tolist() == [-1, *range(names - 1, -1, -1)]
        assert Names.of([""]).codes_in(ours).tolist() == [-1]


# --- all of them -----------------------------------------------------------------------------------------


def once(test: Any) -> Callable[..., None]:
    """Return a test of many examples as a function that tries one."""
    tried: Callable[..., None] = test.hypothesis.inner_test
    return tried


def test_every_loop_is_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever adds a loop adds it to one of the tests above, and an example of it here."""
    bounds.ran.clear()
    once(test_measures_of_characters)(["1:A[0,9)", "1:A[4,9)"], ["1:A 0:6"])
    once(test_measures_of_documents)(["1:A[0,9)", "1:B[4,9)"], ["1:A 0:6", "1:C 0:6"])
    test_elements_at_the_ends_of_their_columns(*CLOSEST[4])
    once(test_significance)([[0.0, 0.5, 0.5], [1.0, 0.0, 0.0], [0.1, 0.2, 0.4]])
    for structure in STRUCTURED:
        text = "<r>bee wax <i>bee</i> wax <a>bee <p>bee <i>wax</i></p></a><p>4</p></r>"
        once(test_searches)([text], 'bee -hive "bee wax"', structure)
        once(test_searches_for_units)([text], 'bee -hive "bee wax"', structure)
    for by, model in (("elements:*", "lm-jm"), ("windows:90w", "bm25")):
        test_searches_that_leave_out(by, model, monkeypatch)
    test_elements_that_are_listed(monkeypatch)
    test_passages_that_join_others(("long", "short"))
    test_text_runs_with_as_many_names_as_rows(2, 8, tmp_path)
    test_xml_runs_with_as_many_stretches_as_results(PLAIN, 2, "")
    test_tables_of_names(2)
    test_places_asked_for(PLACES[-1])
    assert set(HERE) - bounds.ran == set()


def test_checks_find_what_is_wrong() -> None:
    wrong = np.zeros(2, dtype=np.int32)

    def writes_before(array: Any) -> None:
        array[-1] = 1

    def writes_behind(array: Any) -> None:
        for k in range(3):
            array[k] = 1

    with checked_bounds():
        for function in (writes_before, writes_behind):
            with pytest.raises(IndexError, match="place"):
                Kernel(function)(wrong)
