"""In the neighbours' houses: ir_measures, PyTerrier, ir_datasets."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import pandas as pd
import pytest

import inexlab
from inexlab.errors import InexlabError

pytestmark = pytest.mark.usefixtures("here")

ir_measures: Any = pytest.importorskip("ir_measures", reason="ir_measures needs the extra `articles`")


def of_the_demo() -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return judgements and a run of passages as ir_measures has them, with their places."""
    judged = inexlab.read_judgements("demo/judgements.qrels").to_pandas(names="ir_measures")
    run = inexlab.read_run("demo/runs/focused-chunks.jsonl").to_pandas(names="ir_measures")
    return judged, run


@pytest.mark.parametrize("name", ["MAiP", "iP@0.01", "SpanP@5", "gP(score=F,beta=1)@5"])
def test_our_measures_in_ir_measures(name: str) -> None:
    judged, run = of_the_demo()
    measure = inexlab.to_ir_measures(name)
    assert str(measure) == str(inexlab.measures.parse(name))
    theirs = {m.query_id: m.value for m in ir_measures.iter_calc([measure], judged, run)}
    ours = inexlab.evaluate("demo/judgements.qrels", "demo/runs/focused-chunks.jsonl", name)[name]
    assert theirs == pytest.approx(ours["focused-chunks"])
    mean = ir_measures.calc_aggregate([measure], judged, run)[measure]
    assert mean == pytest.approx(float(ours.totals()[0]))


def test_our_measures_beside_theirs() -> None:
    judged, run = of_the_demo()
    documents = run.sort_values("score", ascending=False).drop_duplicates(["query_id", "doc_id"])
    both = ir_measures.calc_aggregate(
        [inexlab.to_ir_measures("Article(measure=AP)"), ir_measures.AP], judged, documents
    )
    values = list(both.values())
    assert values[0] == pytest.approx(values[1])


def test_a_query_without_judgements_counts_nothing() -> None:
    measure = inexlab.to_ir_measures("RR")
    run = {"1": {"a": 1.0}, "2": {"a": 1.0}}
    found = {m.query_id: m.value for m in ir_measures.iter_calc([measure], {"1": {"a": 1}}, run)}
    assert found["1"] == 1.0
    assert found.get("2", 0.0) == 0.0


def test_a_transformer_of_frames() -> None:
    search = inexlab.terrier_retriever("demo/index", limit=4)
    queries = pd.DataFrame(
        {
            "qid": ["1", "2", "3"],
            "query": ["overlap", "//section[about(., pooling)]", "xylophone"],
            "user": "me",
        }
    )
    found = search.transform(queries)
    assert list(found["qid"].unique()) == ["1", "2"]  # nothing is found for the last
    assert list(found.columns) == ["qid", "query", "user", "docno", "score", "rank", "path", "start", "end"]
    first = found[found["qid"] == "1"]
    assert list(first["rank"]) == [0, 1, 2, 3]
    hits = inexlab.search("demo/index", "overlap", 4, by="elements", per_document="all")
    assert first["path"].iloc[0] == hits[0].path
    every = inexlab.terrier_retriever("demo/index").transform(queries)
    places = set(zip(every["docno"], every["path"], every["score"], strict=True))
    assert {(hit.doc, hit.path, hit.score) for hit in hits} <= places
    assert (found[found["qid"] == "2"]["path"].str.contains("section")).any()
    assert search("overlap")["path"].tolist() == search.search("overlap")["path"].tolist()
    assert list(search.transform(queries[:0]).columns) == list(found.columns)
    assert search.transform(queries[2:]).empty
    with pytest.raises(InexlabError, match="queries: no column query; the columns are: qid"):
        search.transform(pd.DataFrame({"qid": ["1"]}))


def test_results_of_a_transformer_can_be_scored() -> None:
    topics = inexlab.read_topics("demo/topics.xml")
    queries = pd.DataFrame({"qid": list(topics), "query": [topic.plain for topic in topics.values()]})
    found = inexlab.terrier_retriever("demo/index").transform(queries)
    scores = inexlab.evaluate("demo/judgements.qrels", found, "MAiP")
    run = inexlab.make_run("demo/index", topics, task="focused", limit=1000)
    assert (
        scores.means()["run"]
        == inexlab.evaluate("demo/judgements.qrels", run, "MAiP").means()["bm25-focused"]
    )


def test_where_pyterrier_is_it_is_one_of_its_transformers(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in: Any = ModuleType("pyterrier")

    class Transformer:
        """What PyTerrier's own has to do with it: it is the base, and makes pipelines."""

        def __rshift__(self, other: Any) -> tuple[Any, Any]:
            return self, other

    stand_in.Transformer = Transformer
    monkeypatch.setitem(sys.modules, "pyterrier", stand_in)
    search: Any = inexlab.terrier_retriever("demo/index", limit=2)
    assert Transformer in type(search).__mro__
    assert (search >> "next")[1] == "next"
    assert len(search.search("overlap")) == 2


@pytest.mark.filterwarnings("ignore")  # which PyTerrier's own use of pandas gives
def test_a_pipeline_of_pyterrier() -> None:
    pt: Any = pytest.importorskip(
        "pyterrier", reason="PyTerrier is not installed: pip install 'inexlab[peers]'"
    )
    search = inexlab.terrier_retriever("demo/index", limit=10)
    assert isinstance(search, pt.Transformer)
    queries = pd.DataFrame({"qid": ["1"], "query": ["overlap of elements"]})
    assert len((search % 3).transform(queries)) == 3
    assert len((search >> pt.apply.doc_score(lambda row: -row["score"])).transform(queries)) == 10


def test_a_campaign_as_a_dataset() -> None:
    demo = inexlab.dataset("demo/campaign.toml", "focused")
    assert (demo.has_docs(), demo.has_queries(), demo.has_qrels(), demo.has_scoreddocs()) == (True,) * 4
    docs = {doc.doc_id: doc.text for doc in demo.docs_iter()}
    assert len(docs) == demo.docs_count() == 8
    assert docs == {doc.doc_id: doc.default_text() for doc in demo.docs}
    qrels = list(demo.qrels)
    judged = inexlab.read_judgements("demo/judgements.qrels")
    assert demo.qrels_dict() == judged.to_dict()
    marked = next(qrel for qrel in qrels if qrel.spans)
    start, end = marked.spans[0]
    assert docs[marked.doc_id][start:end].strip()
    assert [query.query_id for query in demo.queries] == list(inexlab.read_topics("demo/topics.xml"))
    run = list(demo.scoreddocs_iter())
    assert ir_measures.calc_aggregate([ir_measures.RR], demo.qrels_iter(), run)[ir_measures.RR] > 0
    assert next(demo.scoreddocs_iter()).query_id in {qrel.query_id for qrel in qrels}


def test_a_dataset_of_parts() -> None:
    judged = inexlab.dataset(judgements={"1": {"a": 2, "b": 0}})
    assert [tuple(qrel)[:3] for qrel in judged.qrels_iter()] == [("1", "a", 2), ("1", "b", 0)]
    for method in (judged.docs_iter, judged.queries_iter, judged.scoreddocs_iter):
        with pytest.raises(InexlabError, match="inexlab has no"):
            next(method())
    with pytest.raises(InexlabError, match="give a campaign file"):
        inexlab.dataset()
    with pytest.raises(InexlabError, match="choose a task"):
        inexlab.dataset("demo/campaign.toml")
    with pytest.raises(InexlabError, match="has no run 'nobody'"):
        next(inexlab.dataset("demo/campaign.toml", "focused").scoreddocs_iter("nobody"))
