"""A score taken apart: `explain`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Unpack

from inexlab.api.answers import Answer
from inexlab.api.inputs import Measures, Scoring, chosen, judgements_and_runs, one_run, scoring
from inexlab.collection import Collection
from inexlab.errors import UnknownNameError, UsageError
from inexlab.experiments import Choices, Entry, Experiment, choose_one
from inexlab.experiments.inputs import notes_of
from inexlab.experiments.scoring import explain as take_apart
from inexlab.judgements import Judgements
from inexlab.measures import Explanation
from inexlab.report.explanation import FORMATS, marked_text, write_explanation
from inexlab.report.tables import Grid
from inexlab.spans import Span
from inexlab.wording import counted


@dataclass(frozen=True, eq=False, repr=False)
class ExplainedScore(Explanation, Answer):
    """A topic's score taken apart, with the judgements and documents that it is made of.

    `rank` is the only row that is shown, 0 for all.
    """

    judgements: Judgements | None = None
    documents: Collection | None = None
    rank: int = 0

    def __repr__(self) -> str:
        value = "undefined" if self.value != self.value else f"{self.value:.4f}"
        of = f"{str(self.measure)!r} of {self.run} on topic {self.topic}"
        return f"Explanation({of}: {value}, {len(self)} rows)"

    def grid(self, *, for_programs: bool = False) -> Grid:
        """Return the rows of the score."""
        shown = self if for_programs else self._with_cut()
        rows = shown.rows()
        return Grid(
            list(shown.columns),
            [list(row.values()) for row in (rows[self.rank - 1 :][:1] if self.rank else rows)],
        )

    def text(self, output: str = "table", *, width: int = 100, marks: tuple[str, str] = ("[[", "]]")) -> str:  # noqa: ARG002
        """Return what the command line prints: table, json, csv, tsv or markdown.

        The text of a single result has what is highlighted in it between `marks`.
        """
        if output not in FORMATS:
            raise UnknownNameError("output format", output, FORMATS)
        people = output in ("table", "markdown")
        shown = self._with_cut() if people and not self.rank else self
        written = write_explanation(shown, output, rank=self.rank)
        return written + (self._marked(marks) if people else "")

    def _with_cut(self) -> Explanation:
        """Return the explanation with a column that says which ranks count, where there is a cut-off."""
        if self.cut is None:
            return self
        rank, *others = self.columns.items()
        counts = ["yes" if place <= self.cut else "no" for place in range(1, len(self) + 1)]
        return replace(self, columns=dict([rank, (f"in first {self.cut}", counts), *others]))

    def _marked(self, marks: tuple[str, str]) -> str:
        """Return the text of the only result, what assessors highlighted in it marked."""
        if not self.rank or self.documents is None or self.judgements is None:
            return ""
        row = self.rows()[self.rank - 1]
        doc, start, end = row["document"], row.get("start"), row.get("end")
        if not isinstance(start, int) or not isinstance(end, int) or doc not in self.documents:
            return ""
        spans = [j.spans for j in self.judgements if (j.topic, j.doc) == (self.topic, doc)]
        text = marked_text(self.documents[str(doc)].text, Span(start, end), spans[0] if spans else [], marks)
        return f"\n{text}\n"


@scoring
def explain(
    judgements: object = None,
    run: object = None,
    topic: str = "",
    measure: Measures = (),
    *,
    rank: int | None = None,
    first: int | None = None,
    **options: Unpack[Scoring],
) -> ExplainedScore:
    """Take a score apart: what each result of a topic adds, down to the number that `evaluate` gives.

    `rank` shows one result in full, `first` so many (all unless given). With a campaign file `run` is a run
    of the task, by its id or its file.

    >>> import inexlab
    >>> why = inexlab.explain(
    ...     "demo/judgements.qrels", "demo/runs/focused-paragraphs.txt", "2026001", "MAiP",
    ...     collection="demo/articles",
    ... )
    >>> why
    Explanation('MAiP' of paragraphs on topic 2026001: 0.3584, 30 rows)
    >>> bool(why.to_pandas()["score so far"].iloc[-1] == why.value)
    True
    """
    choices = chosen(measure, options)
    experiment = _one_run(judgements, run, choices)
    if not topic or not (choices.measure or choices.campaign_file):
        raise UsageError("give a topic and a measure: `topic=ID` and `measure=NAME`.")
    most = first or 0
    explanation, judged, documents = take_apart(experiment, topic, first=max(most, rank or 0) if most else 0)
    if rank and rank > len(explanation):
        raise UsageError(
            f"{explanation.run} has {counted(len(explanation), 'rank')} on topic {topic}, not `rank={rank}`."
        )
    parts = {name: getattr(explanation, name) for name in Explanation.__dataclass_fields__}
    parts["notes"] = (*experiment.notes, *notes_of(documents), *explanation.notes)
    return ExplainedScore(**parts, judgements=judged, documents=documents, rank=rank or 0)


def _one_run(judgements: object, run: object, choices: Choices) -> Experiment:
    """Return the experiment of one run by one measure: the official one where none is asked for."""
    if len(choices.measure) > 1:
        raise UsageError("only one measure can be explained; give one `measure=`.")
    if choices.campaign_file:
        experiment = choose_one([], choices)
        if judgements is not None or not isinstance(run, str | Path):
            raise UsageError("with `campaign_file=` give one run of the task, by its id or its file.")
        experiment = replace(experiment, runs=(_of_task(experiment, str(run)),))
    else:
        if judgements is None or run is None:
            raise UsageError("give judgements and one run.")
        experiment = choose_one(judgements_and_runs(judgements, [one_run(run)]), choices)
    return replace(experiment, measures=experiment.measures[:1])


def _of_task(experiment: Experiment, name: str) -> Entry:
    """Return the run of a task that is named by its id or its file."""
    known = []
    for entry in experiment.runs:
        run = entry.read(experiment.input_format)
        if name in (run.id, str(entry.file), entry.file.name):
            return replace(entry, run=run)
        known.append(run.id)
    raise UnknownNameError(f"run of task {experiment.name}", name, known)
