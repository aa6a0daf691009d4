"""Campaigns as ir_datasets has them: documents, queries, qrels and runs, one named tuple after the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from inexlab.api.inputs import Documents, given_collection, given_judgements, given_topics
from inexlab.collection import Collection
from inexlab.errors import UsageError
from inexlab.experiments import Experiment
from inexlab.experiments.choices import open_manifest
from inexlab.experiments.inputs import opened
from inexlab.judgements import Judgements, read_judgements
from inexlab.topics import Topics, read_topics


class Doc(NamedTuple):
    """A document and its text, of which spans count characters."""

    doc_id: str
    text: str

    def default_text(self) -> str:
        """Return the text."""
        return self.text


class InexQuery(NamedTuple):
    """A topic: its keyword query as `text`, and what else topics of INEX have."""

    query_id: str
    text: str
    castitle: str
    description: str
    narrative: str

    def default_text(self) -> str:
        """Return the keyword query."""
        return self.text


class InexQrel(NamedTuple):
    """A judged document: its grade, and the characters that were highlighted in it."""

    query_id: str
    doc_id: str
    relevance: int
    iteration: str
    spans: tuple[tuple[int, int], ...]


class InexScoredDoc(NamedTuple):
    """A result of a run: a document, and the part of it that is meant."""

    query_id: str
    doc_id: str
    score: float
    start: int | None
    end: int | None
    path: str | None


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """A campaign, or one of its tasks, with the methods of a dataset of ir_datasets.

    `docs_iter`, `queries_iter`, `qrels_iter` and `scoreddocs_iter` yield named tuples, and so do `docs`,
    `queries` and `qrels`. What they are made of is in `collection`, `topics` and `judgements`.
    """

    name: str
    collection: Collection | None = None
    topics: Topics | None = None
    judgements: Judgements | None = None
    task: Experiment | None = None

    def __repr__(self) -> str:
        given = {"docs": self.has_docs(), "queries": self.has_queries(), "qrels": self.has_qrels()}
        provides = [name for name, there in given.items() if there]
        return f"Dataset(id={self.name!r}, provides={provides})"

    def dataset_id(self) -> str:
        """Return what the dataset is called."""
        return self.name

    def has_docs(self) -> bool:
        """Whether there are documents."""
        return self.collection is not None

    def has_queries(self) -> bool:
        """Whether there are topics."""
        return self.topics is not None

    def has_qrels(self) -> bool:
        """Whether there are judgements."""
        return self.judgements is not None

    def has_scoreddocs(self) -> bool:
        """Whether there are runs."""
        return bool(self.task and self.task.runs)

    def docs_iter(self) -> Iterator[Doc]:
        """Yield every document with its text."""
        for id, document in self._documents().items():
            yield Doc(id, document.text)

    def docs_count(self) -> int:
        """Return how many documents there are."""
        return len(self._documents())

    def docs_store(self) -> Mapping[str, Any]:
        """Return the documents by id; `get` returns one, with its text and its elements."""
        return self._documents()

    def _documents(self) -> Collection:
        if self.collection is None:
            raise UsageError(f"{self.name} has no documents; give collection=.")
        return self.collection

    def queries_iter(self) -> Iterator[InexQuery]:
        """Yield every topic; where there is no keyword query, its text is the structured one."""
        if self.topics is None:
            raise UsageError(f"{self.name} has no topics; give topics=.")
        for topic in self.topics.values():
            text = topic.plain or topic.structured
            yield InexQuery(topic.id, text, topic.structured, topic.description, topic.narrative)

    def qrels_iter(self) -> Iterator[InexQrel]:
        """Yield every judged document; one with highlighted text has at least the relevance 1."""
        if self.judgements is None:
            raise UsageError(f"{self.name} has no judgements; give judgements=.")
        grades = self.judgements.document_grades.tolist()
        for judged, grade in zip(self.judgements, grades, strict=True):
            spans = tuple((span.start, span.end) for span in judged.spans)
            yield InexQrel(judged.topic, judged.doc, grade, "0", spans)

    def qrels_dict(self) -> dict[str, dict[str, int]]:
        """Return {query_id: {doc_id: relevance}}."""
        found: dict[str, dict[str, int]] = {}
        for qrel in self.qrels_iter():
            found.setdefault(qrel.query_id, {})[qrel.doc_id] = qrel.relevance
        return found

    def scoreddocs_iter(self, run: str = "") -> Iterator[InexScoredDoc]:
        """Yield every result of a run, the first unless named; without scores they fall with the rank."""
        if not self.has_scoreddocs() or self.task is None:
            raise UsageError(f"{self.name} has no runs.")
        for entry in self.task.runs:
            read = entry.read(self.task.input_format)
            if run in ("", read.id):
                for r in read:
                    score = -float(r.rank) if r.score != r.score else r.score
                    yield InexScoredDoc(r.topic, r.doc, score, r.start, r.end, r.path)
                return
        raise UsageError(f"{self.name} has no run {run!r}.")

    @property
    def docs(self) -> Iterator[Doc]:
        """The documents, to go through once."""
        return self.docs_iter()

    @property
    def queries(self) -> Iterator[InexQuery]:
        """The topics, to go through once."""
        return self.queries_iter()

    @property
    def qrels(self) -> Iterator[InexQrel]:
        """The judgements, to go through once."""
        return self.qrels_iter()


def dataset(
    campaign_file: str | Path = "",
    task: str = "",
    *,
    collection: Documents = None,
    topics: object = (),
    judgements: object = None,
) -> Dataset:
    """Return a campaign, to be gone through as a dataset of ir_datasets.

    It is named by its manifest (of several tasks, one is chosen by `task`), or by its parts.

    >>> import inexlab
    >>> demo = inexlab.dataset("demo/campaign.toml", "focused")
    >>> demo
    Dataset(id='Handbook of XML retrieval evaluation/focused', provides=['docs', 'queries', 'qrels'])
    >>> next(demo.queries_iter()).query_id, demo.docs_count()
    ('2026001', 8)
    >>> next(demo.qrels_iter())._fields
    ('query_id', 'doc_id', 'relevance', 'iteration', 'spans')
    """
    if not str(campaign_file):
        given = given_topics(topics)
        if collection is None and not given and judgements is None:
            raise UsageError("give a campaign file, or collection, topics and judgements.")
        return Dataset(
            "inexlab",
            opened(given_collection(collection)),
            read_topics(given) if given else None,
            read_judgements(given_judgements(judgements)) if judgements is not None else None,
        )
    also_given = collection is not None or given_topics(topics) or judgements is not None
    manifest = open_manifest(campaign_file, also_given)
    chosen = manifest.only(task)
    return Dataset(
        f"{manifest.title}/{chosen.name}",
        opened(manifest.collection),
        read_topics(list(manifest.topics)) if manifest.topics else None,
        read_judgements(chosen.judgements_file),
        chosen,
    )
