"""Topics of a campaign: which there are, how many reach each stage, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from inexlab.collection import Collection
from inexlab.contents import contents_of
from inexlab.errors import UsageError
from inexlab.experiments.choices import open_manifest
from inexlab.experiments.inputs import notes_of, opened
from inexlab.experiments.manifest import Manifest
from inexlab.files import files_in, read_source
from inexlab.judgements import read_judgements
from inexlab.topics import Topics, read_topics
from inexlab.topics.equivalence import read_equivalence
from inexlab.topics.problems import TopicProblem, topic_problems
from inexlab.topics.read import topic_formats
from inexlab.topics.statistics import Survival, survival


@dataclass(frozen=True, eq=False)
class ExaminedTopics:
    """Topics by the file that they are from (or by the title of their campaign), and all `together`.

    `stages` has the ids of the topics that reached each stage: candidate, selected and assessed, those of
    them that are known.
    """

    parts: Mapping[str, Topics]
    together: Topics
    stages: Mapping[str, Sequence[str]]
    problems: Sequence[TopicProblem]
    notes: Sequence[str] = ()  # of the collection, such as that its ids are paths

    def survival(self) -> Survival:
        """Count the topics of each stage; a stage that is not known has none."""
        return survival(*(self.stages.get(stage, ()) for stage in ("candidate", "selected", "assessed")))

    @property
    def stage_notes(self) -> tuple[str, ...]:
        """What does not fit between the stages."""
        unexpected = self.survival().unexpected if "selected" in self.stages else ()
        return (f"assessed but not selected: {', '.join(unexpected)}",) if unexpected else ()

    @property
    def problem_notes(self) -> tuple[str, ...]:
        """The problems in words, with file and line."""
        return tuple(f"{p.file}, line {p.line}: topic {p.topic}: {p.problem}." for p in self.problems)


def examine_topics(
    files: Sequence[str | Path | Topics] = (),
    *,
    collection: Collection | str | Path | None = None,
    statistics: bool = False,
    problems: bool = False,
    candidate: Sequence[str | Path] = (),
    selected: Sequence[str | Path] = (),
    assessed: Sequence[str | Path] = (),
    campaign_file: str | Path = "",
    equivalence: str = "sections",
    input_format: str = "",
) -> ExaminedTopics:
    """Read topics and look for problems in them.

    With a collection the tags of queries are looked up, but for those that `equivalence` takes as equal.
    `candidate`, `selected` and `assessed` are files of topics, judgements or ids, for `statistics`. With a
    campaign file topics are those of its manifest, and so are the stages (for `statistics`) and the
    documents (for `problems`).
    """
    if statistics and problems:
        raise UsageError("give either `statistics=True` or `problems=True`.")
    stages: dict[str, list[str]] = {}
    if campaign_file:
        also_given = files or collection or candidate or selected or assessed or input_format
        manifest = open_manifest(campaign_file, also_given)
        if not manifest.topics:
            raise UsageError(f'{campaign_file} names no topics: add topics = ["FILE"].')
        together = read_topics(manifest.topics)
        parts = {manifest.title: together}
        stages = stages_of(manifest) if statistics else {}
        collection = manifest.collection if problems else None
    else:
        if not files:
            raise UsageError("give at least one file of topics, or a `campaign_file=`.")
        named = {"candidate": candidate, "selected": selected, "assessed": assessed}
        if any(named.values()) and not statistics:
            raise UsageError("`candidate=`, `selected=` and `assessed=` need `statistics=True`.")
        parts = {
            _name(file, place): read_topics(file, input_format or None)
            for place, file in enumerate(files, start=1)
        }
        for stage, paths in named.items():
            if paths:
                stages[stage] = list(dict.fromkeys(id for path in paths for id in topic_ids(path)))
        together = (
            next(iter(parts.values())) if len(parts) == 1 else read_topics(list(files), input_format or None)
        )
    equal = read_equivalence(equivalence)
    documents = opened(collection)
    found = topic_problems(together, None if documents is None else documents.tags(), equal)
    return ExaminedTopics(parts, together, stages, found, notes_of(documents))


def _name(given: str | Path | Topics, place: int) -> str:
    return f"topics {place}" if isinstance(given, Topics) else str(given)


def stages_of(manifest: Manifest) -> dict[str, list[str]]:
    """Return the topics of each stage that a manifest tells of; assessed are those judged in any set."""
    named_by_stage = {"candidate": manifest.candidate_topics, "selected": manifest.selected_topics}
    stages = {
        stage: [id for one in named for id in ([one] if isinstance(one, str) else topic_ids(one))]
        for stage, named in named_by_stage.items()
        if named
    }
    judged = [topic for path in manifest.judgements.values() for topic in read_judgements(path).topics]
    return {**stages, "assessed": list(dict.fromkeys(judged))}


def topic_ids(path: str | Path) -> list[str]:
    """Return the ids of topics in a file or folder: judgements, topics, or one id per line."""
    source = read_source(files_in(path, "topic")[0])
    if contents_of(source) == "judgements":
        return list(read_judgements(path).topics)
    if source.is_xml or any(known.recognises(source) for known in topic_formats.values()):
        return list(read_topics(path))
    lines = source.data.decode(errors="replace").splitlines()
    return [line.split()[0] for line in lines if line.strip() and not line.strip().startswith("#")]
