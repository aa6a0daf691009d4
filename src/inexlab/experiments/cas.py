"""Content-and-structure topics: their judgement sets under four interpretations, and strict runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from inexlab.collection import Collection
from inexlab.errors import InputError, UsageError
from inexlab.experiments.choices import open_manifest
from inexlab.experiments.experiment import OffsetUnits
from inexlab.experiments.inputs import is_given, merged, notes_of, opened, with_graded_elements
from inexlab.judgements import Judgements, read_judgements
from inexlab.judgements.cas import CasSets, CasTopic, known_interpretation
from inexlab.judgements.cas_topics import from_specification, from_topics, targets_of_topics
from inexlab.judgements.quantisation import parse_quantisation
from inexlab.judgements.write import write_unchanged
from inexlab.output import new_folder, refuse_unwritable
from inexlab.progress import reporting
from inexlab.runs import read_run
from inexlab.runs.strict import conforming, write_rows
from inexlab.topics import Topics, read_topics
from inexlab.topics.equivalence import Equivalence, read_equivalence
from inexlab.topics.patterns import PathPattern
from inexlab.wording import counted


@dataclass(frozen=True, eq=False)
class CountedSets:
    """The judgement sets of topics, how many relevant elements each has, and what was assumed.

    `counts` is by topic and interpretation; None if a set is undefined.
    """

    sets: CasSets
    counts: Mapping[str, Mapping[str, int | None]]
    notes: tuple[str, ...] = ()


class StrictRun(NamedTuple):
    """How much of a run conforms to the targets of its topics."""

    run: str
    results: int
    conforming: int
    topics: int
    topics_with_results: int


@dataclass(frozen=True)
class StrictRuns:
    """What became of each run, and what was left out."""

    runs: Sequence[StrictRun]
    notes: tuple[str, ...] = ()


def cas_sets(
    judgements: Judgements | str | Path = "",
    *,
    topics: Sequence[str | Path | Topics] = (),
    spec: str = "",
    equivalence: str = "sections",
    quant: str = "gen",
    collection: Collection | str | Path | None = None,
    unit: Sequence[str] = (),
    pool: Sequence[str] = (),
    assessor: Sequence[str] = (),
    merge: str = "",
    campaign_file: str | Path = "",
    task: str = "",
) -> CountedSets:
    """Return the judgement sets of content-and-structure topics under the four interpretations.

    What topics demand is read off topic files, parents and children, or from a specification in JSON.
    Highlights need the collection. The quantisation decides which elements are counted as relevant. With
    a campaign file judgements, topics and collection are those of its task.
    """
    if campaign_file:
        manifest = open_manifest(campaign_file, is_given(judgements) or topics or collection)
        judgements = manifest.only(task).judgements_file
        topics, collection = () if spec else manifest.topics, manifest.collection
    equal, notes = _demands_from(is_given(judgements), topics, spec, equivalence)
    quantisation = parse_quantisation(quant)
    documents = opened(collection)
    read = read_judgements(judgements, pools=pool, assessor=assessor, apart=bool(merge))
    read = merged(read, merge, documents)
    judged, elements = with_graded_elements(read, documents, unit)
    name = read.file or "judgements"
    notes += [*notes_of(documents), *(f"{name}: {warning}" for warning in judged.warnings)]
    demanded: Mapping[str, CasTopic]
    if spec:
        demanded = from_specification(spec, equal)
    else:
        demanded, assumed = from_topics(read_topics(topics), judged.topics.codes, equal)
        notes += assumed
    sets = CasSets(judged, elements, demanded)
    if not sets.topics:
        fix = "Check that topics and judgements are of the same year."
        raise InputError("judges none of the topics with a structured query", file=judged.file, fix=fix)
    for id in demanded:
        if id not in sets.topics:
            notes.append(f"topic {id} is not judged: it has no sets")
        elif why := sets.undefined(id):
            notes.append(f"topic {id} has no VSCAS and no SSCAS set: {why}")
    resolved = quantisation.for_scale(elements.scale)
    notes.append(f"relevant elements are counted with {resolved}")
    value = resolved.values(elements)
    return CountedSets(sets, {id: sets.counts(id, value) for id in sorted(sets.topics)}, tuple(notes))


def write_cas_set(sets: CasSets, interpretation: str, out: str | Path) -> str:
    """Write the sets of one interpretation as a folder of assessments; return what was written, in words."""
    wanted = known_interpretation(interpretation)
    if all(sets.chosen(id, wanted) is None for id in sets.topics):
        raise UsageError(f"no topic has a {wanted} set: nothing is written.")
    chosen = sets.judgements_of(wanted)
    write_unchanged(chosen, out, f"assessments-{'2006' if chosen.passages else sets.elements.scale}")
    return f"{out}: {wanted} sets of {counted(len(chosen.topics), 'topic')}"


def make_strict_runs(
    runs: Sequence[str | Path] = (),
    *,
    out: str | Path,
    topics: Sequence[str | Path | Topics] = (),
    spec: str = "",
    equivalence: str = "sections",
    collection: Collection | str | Path | None = None,
    unit: Sequence[str] = (),
    campaign_file: str | Path = "",
    task: str = "",
) -> StrictRuns:
    """Write to a new folder, of each run, the results that conform to the target path of their topic.

    Results by offset need the collection. Strict runs keep the names and lines of their files; those in XML
    are written anew. With a campaign file runs, topics and collection are those of its task.
    """
    if not str(out):
        raise UsageError("give the folder to write the strict runs to: `out=DIR`.")
    refuse_unwritable(out, folder=True)
    if campaign_file:
        manifest = open_manifest(campaign_file, runs or topics or collection)
        runs = [entry.file for entry in manifest.only(task).runs]
        topics, collection = () if spec else manifest.topics, manifest.collection
    equal, notes = _demands_from(runs, topics, spec, equivalence)
    targets: Mapping[str, PathPattern | None]
    if spec:
        targets = {id: topic.target for id, topic in from_specification(spec, equal).items()}
    else:
        targets = targets_of_topics(read_topics(topics), equal)
    files = [str(run) for run in runs]
    names = [Path(file).name.removesuffix(".gz") for file in files]
    if "-" in files or len(set(names)) < len(names):
        raise UsageError("strict runs keep the names of their files: give files with different names.")
    units, documents = OffsetUnits.of(unit), opened(collection)
    notes += notes_of(documents)
    made = []
    with new_folder(out) as folder:
        for file, name in reporting(list(zip(files, names, strict=True)), "writing strict runs", "runs"):
            run = units.run_in_characters(read_run(file), documents)
            keep = np.flatnonzero(conforming(run, targets, documents))
            unknown = [topic for topic in run.topics if topic not in targets]
            if unknown:
                shown = ", ".join(unknown[:5]) + (" …" if len(unknown) > 5 else "")
                notes.append(f"{file}: topics not in the topic files, left out: {shown}")
            if len(keep):
                write_rows(run, keep, file, folder / name)
            else:
                notes.append(f"{file}: no result conforms, nothing is written")
            with_results = len(np.unique(run.topic[keep]))
            made.append(StrictRun(run.id, len(run), len(keep), len(run.topics), with_results))
    return StrictRuns(made, tuple(notes))


def _demands_from(
    files: object, topics: Sequence[str | Path | Topics], spec: str, equivalence: str
) -> tuple[Equivalence, list[str]]:
    """Return which tags are equal and what to say of that; refuse files or demands that are not named."""
    if not files:
        raise UsageError("give judgements, runs with `runs=True`, or a `campaign_file=`.")
    if bool(topics) == bool(spec):
        raise UsageError("give `topics=FILE` or `spec=FILE.json`.")
    equal = read_equivalence(equivalence)
    return equal, [f"equivalence {equivalence}, unverified: {equal.unverified}"] if equal.unverified else []
