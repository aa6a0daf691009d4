"""Pools: `pool`, which says what to judge and by whom, and whether a pool can be used again."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Unpack

from inexlab.api.answers import Tables
from inexlab.api.inputs import Measures, Scoring, chosen, given_judgements, scoring
from inexlab.errors import UsageError
from inexlab.experiments.choices import choose_one
from inexlab.experiments.inputs import is_given
from inexlab.experiments.pooling import Pooling, pool_runs, relevant_documents
from inexlab.experiments.reusability import Reusability, check_reusability
from inexlab.judgements import read_judgements
from inexlab.output import refuse_unwritable
from inexlab.pooling.files import is_folder, pool_writers, write_pool
from inexlab.pooling.table import Pool
from inexlab.report.pooling import pool_grids, reusability_grids
from inexlab.report.tables import Grid
from inexlab.runs.objects import runs_of
from inexlab.statistics.procedure import Procedure
from inexlab.statistics.testing import Sampling


@dataclass(frozen=True, eq=False, repr=False)
class PoolResult(Tables):
    """A pool, and what each run and participant contributed to it: `alone` counts what nobody else returned.

    With judgements `relevant` counts documents with relevant text.
    """

    pool: Pool
    relevant: set[tuple[str, str]] | None = None
    notes: tuple[str, ...] = ()

    def grids(self, *, for_programs: bool = False) -> list[Grid]:  # noqa: ARG002 - the same for both
        """Return a table of runs, one of participants where they are known, one of assessors with a plan."""
        return pool_grids(self.pool, self.relevant)

    def __len__(self) -> int:
        return len(self.pool)

    def __repr__(self) -> str:
        return repr(self.pool)


@dataclass(frozen=True, eq=False, repr=False)
class ReusabilityResult(Tables):
    """What it changes to leave out each participant, and to pool less deeply."""

    found: Reusability
    notes: tuple[str, ...] = ()

    def grids(self, *, for_programs: bool = False) -> list[Grid]:
        """Return the tables of runs, of unjudged results by rank, and of shallower pools."""
        return reusability_grids(self.found, for_programs=for_programs)

    def __repr__(self) -> str:
        return f"Reusability({len(self.found.runs)} runs, {self.found.measure})"


@scoring
def pool(
    runs: object = None,
    measure: Measures = (),
    *,
    out: str | Path = "",
    to: str = "pool-jsonl",
    depth: int | None = None,
    documents: int | None = None,
    method: str = "",
    assessors: str | Path = "",
    double: float = 0.0,
    reserve: float = 0.0,
    judgements: object = None,
    leave_one_out: bool = False,
    test: str = "bootstrap",
    correction: str = "by",
    alpha: float = 0.05,
    resamples: int = 10_000,
    seed: int = 2006,
    **options: Unpack[Scoring],
) -> PoolResult | ReusabilityResult:
    """Pool runs: which documents to judge for each topic, by whom, and what each run contributed.

    `depth` takes the first so many results of each run (100), `documents` takes documents from runs in turn
    until there are so many. `assessors` is a file of lines `NAME N [TOPIC …]`: how many topics each takes,
    and which they asked for; `double` is the share of topics given to two, `reserve` the share kept back.
    `out` writes the pool.

    With `leave_one_out`, judgements and a measure: how scores, ranks and significant pairs change where what
    only one participant contributed is not judged, and where pools are shallower.

    >>> import inexlab
    >>> from pathlib import Path
    >>> runs = sorted(Path("demo/runs").glob("focused-*.*"))
    >>> found = inexlab.pool(runs, depth=5, out="pool.jsonl")
    >>> found
    Pool(6 topics, 32 documents)
    >>> found.to_pandas().columns.tolist()
    ['run', 'documents', 'alone']
    """
    choices = chosen(measure, options)
    pooling = Pooling.of(depth, documents, method)
    if leave_one_out:
        if str(out) or str(assessors):
            raise UsageError(
                "`leave_one_out=True` looks at what was judged: leave out `out=` and `assessors=`."
            )
        if judgements is None and not choices.campaign_file:
            raise UsageError("`leave_one_out=True` needs `judgements=FILE`, or a `campaign_file=`.")
        procedure = Procedure(test, correction, alpha, Sampling(resamples, seed))
        first = [] if judgements is None else [given_judgements(judgements)]
        experiment = choose_one([*first, *runs_of(runs)], choices)
        if not choices.measure and not experiment.name and experiment.preset is None:
            raise UsageError("name the measure to score by, for example `measure='MAiP'`.")
        experiment = experiment if choices.measure else experiment.by(experiment.measures[:1])
        found = check_reusability(experiment, pooling, procedure)
        return ReusabilityResult(found, (*experiment.notes, *found.notes))
    if choices.measure:
        raise UsageError("`measure=` says how to score: it is for `leave_one_out=True`.")
    pool_writers[to]
    if str(out):
        refuse_unwritable(out, folder=is_folder(to))
    made, found_documents = pool_runs(
        runs_of(runs), pooling, choices, assessors=assessors, double=double, reserve=reserve
    )
    relevant = None
    judged = given_judgements(judgements)
    if is_given(judged):
        relevant = relevant_documents(read_judgements(judged, pools=choices.pool))
    lost: tuple[str, ...] = ()
    if str(out):
        lost = write_pool(made, out, to, collection=found_documents)
    return PoolResult(made, relevant, (*made.notes, *lost))
