"""What runs are like, file by file: their size, overlap and granularity, and what of them is judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from inexlab.collection import Collection
from inexlab.errors import UnknownNameError, UsageError
from inexlab.experiments.choices import open_manifest
from inexlab.experiments.experiment import OffsetUnits
from inexlab.experiments.inputs import merged, notes_of, opened
from inexlab.judgements import Judgements, read_judgements
from inexlab.measures.profile import VIEWS, ProfileRow
from inexlab.progress import reporting
from inexlab.runs import Run, locate, read_run
from inexlab.runs.order import order_notes
from inexlab.wording import SUBMITTED


@dataclass(frozen=True)
class RunProfile:
    """The rows of one run, and what is odd about it."""

    rows: Sequence[ProfileRow]
    notes: tuple[str, ...] = ()


def profile_runs(
    runs: Sequence[Run | str | Path] = (),
    *,
    by: str = "run",
    judgements: Judgements | str | Path = "",
    collection: Collection | str | Path | None = None,
    unit: Sequence[str] = (),
    campaign_file: str | Path = "",
    task: str = "",
) -> list[RunProfile]:
    """Return the profile of each run: one row, or one for each tag, depth or range of ranks (`by`).

    Judgements say how much of the runs they cover, the collection how long results are. With a campaign
    file runs, judgements and collection are those of its tasks, or of one of them.
    """
    if by not in VIEWS:
        raise UnknownNameError("value of `by=`", by, VIEWS)
    listed: dict[
        str, tuple[Run | str | Path, Judgements | str | Path]
    ]  # by the names of runs and their files
    if campaign_file:
        given = runs or (judgements if isinstance(judgements, Judgements) else str(judgements))
        manifest = open_manifest(campaign_file, given or collection or unit)
        documents = opened(manifest.collection)
        listed = {
            str(run.file): (run.file, t.judgements_file) for t in manifest.chosen(task) for run in t.runs
        }
    else:
        if not runs:
            raise UsageError("give at least one run, or a `campaign_file=`.")
        documents = opened(collection)
        listed = {run.id if isinstance(run, Run) else str(run): (run, judgements) for run in runs}
    units = OffsetUnits.of(unit)
    sets: dict[int | str, Judgements] = {}
    profiles: list[RunProfile] = []
    tasks: list[str] = []
    for given_run, judged_by in reporting(list(listed.values()), "reading runs", "runs"):
        judged = None
        if isinstance(judged_by, Judgements) or str(judged_by):
            key = id(judged_by) if isinstance(judged_by, Judgements) else str(judged_by)
            if key not in sets:
                # what anybody judged is judged
                read = read_judgements(judged_by)
                sets[key] = merged(units.judgements_in_characters(read, documents), "union", documents)
            judged = sets[key]
        run = units.run_in_characters(read_run(given_run), documents)
        if documents is not None:
            run = locate(run, documents, judged.size_of if judged else None)
        rows = list(VIEWS[by](run, judged, documents))
        tasks.append(run.about.get("task", ""))
        of_collection = [] if profiles else notes_of(documents)
        notes = (*of_collection, *(f"{run.id}: {note}" for note in order_notes(run)))
        profiles.append(RunProfile(rows, notes))
    if len(set(tasks) - {""}) < 2:
        return profiles
    named = ({SUBMITTED: task} for task in tasks)
    return [
        replace(profile, rows=[{"run": row["run"], **task, **row} for row in profile.rows])
        for profile, task in zip(profiles, named, strict=True)
    ]
