"""Chunks of a RAG system: `compare_chunks` compares chunkers, `score_chunks` scores what is returned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from inexlab.api.answers import FOR_PROGRAMS, Answer
from inexlab.api.comparing import ComparisonResult
from inexlab.api.inputs import Documents, Measures, Several, given_collection, given_topics, several
from inexlab.api.scoring import EvaluationResult
from inexlab.chunks.files import read_pieces
from inexlab.chunks.gold import Gold, read_gold
from inexlab.chunks.pieces import piece_of
from inexlab.chunks.placing import Sources, WithTexts, place_chunking, place_results
from inexlab.errors import UsageError
from inexlab.experiments import Entry, Experiment, Scored, score
from inexlab.experiments.chunks import (
    ChunkRuns,
    CutSpan,
    by_topic,
    chunk_runs,
    cut_spans,
    foreign_chunks,
    indexed,
)
from inexlab.experiments.inputs import opened
from inexlab.measures import Evaluation, Measure, expand
from inexlab.output import refuse_unwritable, write_file
from inexlab.policy import Policy
from inexlab.report.chunks import chunk_grids, chunk_table
from inexlab.report.content import ReportContent
from inexlab.report.cuts import cuts_of
from inexlab.report.gathering import report_content
from inexlab.report.grids import known_format, write_grid
from inexlab.report.page import write_page
from inexlab.report.tables import Grid
from inexlab.runs import Run
from inexlab.runs.chunking import Chunking
from inexlab.scores import Scores
from inexlab.statistics.procedure import Procedure
from inexlab.statistics.testing import Sampling
from inexlab.topics import read_topics

# At a budget chunkers are fair to each other: who cuts large chunks may not return more text.
DEFAULT_MEASURES = ("SpanR@1000c", "SpanP@1000c", "SpanIoU@1000c", "iP@0.01")
CHUNKERS = ("windows:400c", "passages:400c", "sentences:3")
SHARES = ("0.1", "0.25", "0.5", "0.75", "1")
_CEILINGS = ("SpanP", "SpanR", "SpanF", "SpanIoU")


@dataclass(frozen=True, eq=False, repr=False)
class ChunkComparison(Answer):
    """Chunkers compared: `result["SpanR@1000c"]` are scores, `comparisons` has the tests behind the groups.

    `ceilings` are what the best ranking of the same chunks would reach by the first measure, `sensitivity`
    has means by how much of a highlight a relevant chunk has. `cuts` says what each makes of each highlight.
    """

    scored: Scored
    comparisons: ComparisonResult
    ceilings: Scores | None
    sensitivity: Mapping[str, Mapping[str, float]]
    chunkings: Mapping[str, Chunking]
    cuts: tuple[CutSpan, ...]
    gold: Gold
    notes: tuple[str, ...] = ()

    def __getitem__(self, measure: str | Measure) -> Scores:
        """Return the scores by a measure, systems by topics."""
        return self.scored.evaluation[measure]

    @property
    def evaluation(self) -> Evaluation:
        """The scores by all measures asked for."""
        return self.scored.evaluation

    @property
    def scores(self) -> tuple[Scores, ...]:
        """The scores by each measure."""
        return self.evaluation.scores

    def __repr__(self) -> str:
        scores = self.scores[0]
        return f"Chunks({len(scores.systems)} chunkings, {len(scores.topics)} questions, by {scores.name})"

    def grid(self, *, for_programs: bool = False) -> Grid:
        """Return a chunking to a row."""
        return chunk_table(self._parts(), for_programs=for_programs)

    def text(self, output: str = "table", *, width: int = 100) -> str:
        """Return what the command line prints: table, json, csv, tsv, latex or markdown."""
        known_format(output)
        if output in FOR_PROGRAMS:
            return super().text(output, width=width)
        return "\n".join(write_grid(grid, output, width) for grid in chunk_grids(self._parts()))

    def _parts(self) -> dict[str, Any]:
        return {
            "scores": self.scores,
            "comparisons": list(self.comparisons),
            "ceilings": self.ceilings,
            "sensitivity": self.sensitivity,
            "sizes": {name: _size(chunking) for name, chunking in self.chunkings.items()},
            "whole": {name: _whole(self.cuts, name) for name in self.chunkings},
        }


def _size(chunking: Chunking) -> tuple[int, float]:
    return len(chunking), float((chunking.end - chunking.start).mean()) if len(chunking) else 0.0


def _whole(cuts: Sequence[CutSpan], name: str) -> float:
    """Return the share of highlights that are in one chunk."""
    return sum(span.share[name] >= 1 for span in cuts) / len(cuts) if cuts else 0.0


def compare_chunks(
    corpus: Documents,
    gold: object,
    chunker: Several = (),
    chunks: object = (),
    measure: Measures = (),
    *,
    topics: object = None,
    model: str = "bm25",
    limit: int = 100,
    test: str = "bootstrap",
    correction: str = "by",
    alpha: float = 0.05,
    resamples: int = 10_000,
    seed: int = 2006,
    title: str = "",
    out: str | Path = "",
) -> ChunkComparison:
    """Compare chunkers on a corpus, by one ranking on one index, with intervals, significance and ceilings.

    This is `inexlab chunks`. `corpus` is a folder, an archive or a file of documents, or an index; `gold` the
    text that answers questions, as `read_gold` reads it. A `chunker` is a kind of unit, such as
    `windows:400c`; `chunks` are those of other programs: files, or a dictionary of lists by name. Chunks with
    a topic are results, and are scored as they are. `out` writes a report.

    >>> import inexlab
    >>> gold = {"When do two results overlap?": ["they belong to the same document and share at least one"]}
    >>> found = inexlab.compare_chunks("demo/index", gold, ["windows:400c", "sentences:2"])
    >>> found
    Chunks(2 chunkings, 1 questions, by SpanR@1000c)
    >>> found.ceilings.totals().tolist()
    [1.0, 1.0]
    """
    if str(out):
        refuse_unwritable(out)
    procedure = Procedure(test, correction, alpha, Sampling(resamples, seed))
    foreign = foreign_chunks(chunks)
    named = [m for name in several(measure) or DEFAULT_MEASURES for m in _expanded(name)]
    with indexed(corpus) as index:
        from inexlab.index.collection import IndexedDocuments

        known = _with_questions(read_gold(gold, IndexedDocuments(index)), topics)
        cutters = several(chunker) or ([] if foreign else list(CHUNKERS))
        made = chunk_runs(index, known, cutters, foreign, model=model, limit=limit)
        experiment = Experiment(
            known.judgements,
            tuple(Entry(run) for run in made.runs),
            tuple(named),
            collection=made.collection,
            title=title or "Chunkers compared",
            notes=(*known.notes, *made.notes),
        )
        result = _compared(experiment, made, known, procedure)
        if str(out):
            content = report_content(experiment.title, [experiment], procedure)
            write_file(out, [write_page(_with_cuts(content, result, made)).encode()])
        return result


def _expanded(name: str | Measure) -> list[Measure]:
    return expand(name) if isinstance(name, str) else [name]


def _with_questions(gold: Gold, topics: object) -> Gold:
    """Return the gold with the questions of topic files."""
    given = given_topics(topics)
    if not given:
        return gold
    titles = {id: topic.title or topic.description for id, topic in read_topics(given).items()}
    return replace(gold, questions={**gold.questions, **titles})


def _compared(experiment: Experiment, made: ChunkRuns, gold: Gold, procedure: Procedure) -> ChunkComparison:
    """Score runs of chunkings, and what depends on the chunkings themselves."""
    measures, chunkings = experiment.measures, {r.id: r.chunking for r in made.runs if r.chunking is not None}
    every = len(chunkings) == len(made.runs)
    first = measures[0]
    ceiling = expand(f"Ceiling(measure={first})") if every and first.definition.name in _CEILINGS else []
    shares = [m for s in SHARES for m in expand(f"Chunk(measure=nDCG@10,rel={s})")] if _can_project() else []
    scored = score(experiment, also=[*ceiling, *shares])
    own = len(measures)
    scores = scored.evaluation.scores
    evaluation = replace(scored.evaluation, scores=scores[:own])
    matrices = [s.complete(common=True) for s in scores[:own] if s.total == "mean"]
    compared = [(m.name, procedure.compare(m)) for m in matrices if len(m.systems) > 1]
    systems = scores[0].systems
    sensitivity = {
        run: {
            share: float(table.totals()[k])
            for share, table in zip(SHARES if shares else (), scores[own + len(ceiling) :], strict=True)
        }
        for k, run in enumerate(systems)
    }
    return ChunkComparison(
        replace(scored, evaluation=evaluation),
        ComparisonResult(tuple(compared), {}),
        scores[own] if ceiling else None,
        sensitivity,
        chunkings,
        tuple(cut_spans(gold, list(chunkings.values()))),
        gold,
        scored.notes,
    )


def _can_project() -> bool:
    return find_spec("ir_measures") is not None


def _with_cuts(content: ReportContent, result: ChunkComparison, made: ChunkRuns) -> ReportContent:
    cuts = cuts_of(result.cuts, lambda doc: made.collection[doc].text, result.gold.questions)
    tasks = [replace(task, cuts=cuts) for task in content.tasks]
    return replace(content, tasks=tasks, titles={**content.titles, **result.gold.questions})


def score_chunks(
    corpus: Documents,
    gold: object,
    chunks: object,
    measure: Measures = (),
    *,
    chunking: object = None,
    policy: Policy | None = None,
) -> EvaluationResult:
    """Score the chunks that a system returned for each question, whatever program they are of.

    `chunks` are {question: [chunk, …]}, best first, or {system: {question: […]}}; a frame, records or a file
    with a topic or question in each row. A chunk is an object of LangChain, LlamaIndex, Chonkie or Haystack,
    a record with text, doc, start and end, or a text alone. `chunking` are all chunks that there are, for
    ceilings. What is in no document counts as returned and not relevant; the notes say how much that is.

    >>> import inexlab
    >>> gold = [{"question": "When?", "document": "overlap", "quote": "share at least one character"}]
    >>> returned = {"When?": ["they belong to the same document and share at least one character."]}
    >>> inexlab.score_chunks("demo/articles", gold, returned, ["SpanR@1", "SpanP@1"]).means()
    {'chunks': {'SpanR@1': 1.0, 'SpanP@1': 0.42...}}
    """
    documents = opened(given_collection(corpus))
    if documents is None:
        raise UsageError("name the corpus that the chunks are of.")
    known, sources = read_gold(gold, documents), Sources(documents)
    notes, texts = list(known.notes), dict[str, str]()
    every: Chunking | None = None
    if chunking is not None:
        every, placements = place_chunking("chunking", read_pieces(chunking), sources)
        notes += placements.notes("chunking", "left out")
    entries = []
    for name, results in _systems(chunks, known).items():
        run, placements = place_results(name, results, sources, every)
        notes += placements.notes(name, "counted as returned and not relevant")
        texts |= placements.unplaced
        entries.append(Entry(_complete(run)))
    experiment = Experiment(
        known.judgements,
        tuple(entries),
        tuple(m for name in several(measure) or DEFAULT_MEASURES for m in _expanded(name)),
        policy or Policy(),
        collection=WithTexts(documents, texts) if texts else documents,
        notes=tuple(notes),
    )
    return EvaluationResult((score(experiment),))


def _complete(run: Run) -> Run:
    if not len(run):
        raise UsageError(f"{run.id}: no chunks are returned for any question.")
    return run


def _systems(chunks: object, gold: Gold) -> dict[str, dict[str, list[Any]]]:
    """Return by system the chunks that it returned for each topic."""
    if isinstance(chunks, Mapping):
        if chunks and all(isinstance(inner, Mapping) for inner in chunks.values()):
            return {str(name): _of_questions(inner, gold) for name, inner in chunks.items()}
        return {"chunks": _of_questions(chunks, gold)}
    name = Path(chunks).stem if isinstance(chunks, str | Path) else "chunks"
    return {name: by_topic(read_pieces(chunks), gold, name)}


def _of_questions(chunks: Mapping[Any, Any], gold: Gold) -> dict[str, list[Any]]:
    return {
        gold.topic_of(str(question)): [piece_of(chunk, k) for k, chunk in enumerate(returned, start=1)]
        for question, returned in chunks.items()
    }
