"""What runs are like, file by file: their size, overlap and granularity, and what of them is judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from inexlab.collection import Collection
from inexlab.errors import UnknownNameError, UsageError
from inexlab.experiments.choices import open_manifest
from inexlab.experiments.experiment import Units
from inexlab.experiments.inputs import notes_of, opened
from inexlab.judgements import read_judgements
from inexlab.measures.profile import VIEWS, Row
from inexlab.runs import locate, read_run
from inexlab.runs.order import order_notes
from inexlab.wording import SUBMITTED


@dataclass(frozen=True)
class RunProfile:
    """The rows of one run, and what is odd about it."""

    rows: Sequence[Row]
    notes: tuple[str, ...] = ()


def profile_runs(
    runs: Sequence[str | Path] = (),
    *,
    by: str = "run",
    judgements: str | Path = "",
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
        raise UnknownNameError("value of --by", by, VIEWS)
    if campaign_file:
        manifest = open_manifest(campaign_file, runs or judgements or collection or unit)
        documents = opened(manifest.collection)
        listed = {str(run.file): str(t.judgements_file) for t in manifest.chosen(task) for run in t.runs}
    else:
        if not runs:
            raise UsageError("name at least one run, or a --campaign-file.")
        documents = opened(collection)
        listed = dict.fromkeys(map(str, runs), str(judgements))
    units = Units.of(unit)
    sets = {
        name: units.judgements_in_characters(read_judgements(name), documents)
        for name in dict.fromkeys(listed.values())
        if name
    }
    profiles: list[RunProfile] = []
    tasks: list[str] = []
    for file, judged_by in listed.items():
        run = units.run_in_characters(read_run(file), documents)
        judged = sets.get(judged_by)
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
