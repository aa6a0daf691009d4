"""Chunks of LangChain, LlamaIndex, Chonkie and Haystack, as these packages make them today."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import inexlab
from inexlab.chunks.pieces import pieces_of
from inexlab.chunks.placing import Placements, Sources, place_chunking
from inexlab.collection import Collection
from inexlab.runs.chunking import Chunking

RAG = Path(__file__).resolve().parents[3] / "shared" / "data" / "rag"
CORPORA = ("state_of_the_union", "wikitexts")
pytestmark = pytest.mark.filterwarnings("ignore")

# A text of our own, for where the corpora are not: sentences that come again, words of all kinds.
OWN = "".join(
    f"Paragraph {n // 3}: the {('cat', 'dog', 'owl')[n % 3]} sat on the mat, and nobody knew why.\n\n"
    "It had rained all day.  The river rose; the bridge held.\n"
    for n in range(60)
)


def text_of(name: str) -> str:
    file = RAG / f"{name}.md"
    return file.read_bytes().decode() if file.exists() else OWN


def corpus(**texts: str) -> Collection:
    return Collection("texts", {id: (f"{id}.txt", partial(bytes, t.encode())) for id, t in texts.items()})


def placed(chunks: Any, text: str, name: str = "doc") -> tuple[Chunking, Placements]:
    return place_chunking("chunks", pieces_of(chunks), Sources(corpus(**{name: text})))


def assert_all_placed(chunks: Any, text: str, name: str = "doc") -> Placements:
    chunking, report = placed(chunks, text, name)
    assert report.unplaced_count == 0
    assert len(chunking) > 0
    return report


@pytest.mark.parametrize("name", CORPORA)
@pytest.mark.parametrize(("size", "overlap"), [(400, 200), (100, 50)])
def test_langchain_with_words_places_all_although_offsets_are_false(
    name: str, size: int, overlap: int
) -> None:
    splitters = pytest.importorskip("langchain_text_splitters")
    splitter = splitters.RecursiveCharacterTextSplitter(
        chunk_size=size,
        chunk_overlap=overlap,
        length_function=lambda text: len(text.split()),
        add_start_index=True,
    )
    text = text_of(name)
    documents = splitter.create_documents([text], [{"source": f"corpus/{name}.md"}])
    assert any(document.metadata["start_index"] == -1 for document in documents)
    chunking, report = placed(documents, text, name)
    assert report.unplaced_count == 0
    assert report.total == len(documents)
    for document in documents:
        squeezed = "".join(document.page_content.split())
        found = zip(chunking.start.tolist(), chunking.end.tolist(), strict=True)
        assert any("".join(text[start:end].split()) == squeezed for start, end in found)


def test_langchain_with_characters_has_true_offsets() -> None:
    splitters = pytest.importorskip("langchain_text_splitters")
    splitter = splitters.RecursiveCharacterTextSplitter(chunk_size=400, chunk_overlap=0, add_start_index=True)
    report = assert_all_placed(splitter.create_documents([OWN], [{"source": "doc"}]), OWN)
    assert report.false_offsets <= report.total // 3  # of repeated texts `find` takes the first


def test_llama_index_nodes_and_nodes_with_scores() -> None:
    core = pytest.importorskip("llama_index.core")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from llama_index.core.node_parser import SentenceSplitter
        from llama_index.core.schema import NodeWithScore
    splitter = SentenceSplitter(chunk_size=128, chunk_overlap=16)
    text = text_of("state_of_the_union")
    nodes = splitter.get_nodes_from_documents([core.Document(text=text, doc_id="doc")])
    assert_all_placed(nodes, text)
    [piece] = pieces_of([NodeWithScore(node=nodes[3], score=0.5)])
    assert (piece.text, piece.doc, piece.score) == (nodes[3].text, "doc", 0.5)


def test_chonkie_chunks_and_those_with_context_in_their_text() -> None:
    chonkie = pytest.importorskip("chonkie")
    text = text_of("state_of_the_union")
    chunks = chonkie.RecursiveChunker(tokenizer="character", chunk_size=400).chunk(text)
    report = assert_all_placed(chunks, text)
    assert report.how["stated"] == report.total
    refined = chonkie.OverlapRefinery(tokenizer="character", context_size=50, method="suffix", merge=True)
    with_context = refined.refine(chunks)
    chunking, report = placed(with_context, text)
    assert report.unplaced_count == 0
    assert report.false_offsets > 0.9 * (report.total - 1)
    found = zip(chunking.start.tolist(), chunking.end.tolist(), strict=True)
    for chunk, (start, end) in zip(with_context, found, strict=True):
        assert text[start:end] == chunk.text


@pytest.mark.parametrize(("by", "size", "overlap"), [("word", 60, 15), ("sentence", 3, 1)])
def test_haystack_documents(by: str, size: int, overlap: int) -> None:
    pytest.importorskip("haystack")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from haystack import Document
        from haystack.components.preprocessors import DocumentSplitter
    splitter = DocumentSplitter(split_by=by, split_length=size, split_overlap=overlap)
    try:
        splitter.warm_up()
    except Exception as error:  # its model of sentences may have to be downloaded
        pytest.skip(f"the splitter cannot be made ready here: {error}")
    text = text_of("state_of_the_union")
    chunks = splitter.run(documents=[Document(content=text, meta={"source": "doc"})])["documents"]
    assert_all_placed(chunks, text)


def test_scoring_what_a_retriever_returned() -> None:
    splitters = pytest.importorskip("langchain_text_splitters")
    splitter = splitters.CharacterTextSplitter(separator="\n", chunk_size=120, chunk_overlap=0)
    chunks = splitter.create_documents([OWN], [{"source": "doc"}])
    quote = "Paragraph 7: the owl sat on the mat, and nobody knew why."
    best = next(chunk for chunk in chunks if quote in chunk.page_content)
    gold = [{"question": "Where was the owl?", "document": "doc", "quote": quote}]
    scores = inexlab.score_chunks(
        corpus(doc=OWN), gold, {"Where was the owl?": [(best, 0.9), (chunks[0], 0.1)]}, ["SpanR@1", "SpanP@1"]
    )
    assert scores.means()["chunks"]["SpanR@1"] == 1


@pytest.mark.parametrize("make", [list, tuple])
def test_texts_alone_are_placed_in_order(make: Callable[[Any], Any]) -> None:
    chunks = make(OWN[at : at + 90] for at in range(0, len(OWN), 90))
    chunking, report = placed(chunks, OWN)
    assert report.unplaced_count == 0
    assert chunking.start.tolist() == list(range(0, len(OWN), 90))
