"""The recall base of judgements, element by element, with counts of topics and of tags."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from inexlab.collection import Collection
from inexlab.errors import UnknownNameError, UsageError
from inexlab.experiments.choices import open_manifest
from inexlab.experiments.inputs import is_given, merged, notes_of, opened, with_graded_elements
from inexlab.judgements import Judgements, read_judgements
from inexlab.judgements.quantisation import parse_quantisation
from inexlab.judgements.recall_base import RelevantElement, known_ideal, recall_base, relevant_elements
from inexlab.wording import counted


@dataclass(frozen=True, eq=False)
class ListedRecallBase:
    """The elements of a recall base, and how many each topic has; `warnings` are of the judgements."""

    elements: Sequence[RelevantElement]
    by_topic: Counter[str]
    quantisation: str
    ideal: bool
    warnings: tuple[str, ...] = ()

    @property
    def by_tag(self) -> Counter[str]:
        """How many elements there are of each tag."""
        return Counter(e.path.rpartition("/")[2].partition("[")[0] for e in self.elements)

    @property
    def notes(self) -> tuple[str, ...]:
        """The warnings, and the counts in words."""
        kind = "ideal" if self.ideal else "full"
        counts = (("topic", self.by_topic.items()), ("tag", self.by_tag.most_common()))
        return (
            *self.warnings,
            f"{kind} recall base with {self.quantisation}: {counted(len(self.elements), 'element')}",
            *(f"by {what}: {', '.join(f'{n} {c:,}' for n, c in each) or 'none'}" for what, each in counts),
        )


def list_recall_base(
    judgements: Judgements | str | Path = "",
    *,
    quant: str = "gen",
    ideal: bool = False,
    construction: str = "official",
    topic: Sequence[str] = (),
    collection: Collection | str | Path | None = None,
    pool: Sequence[str] = (),
    assessor: Sequence[str] = (),
    merge: str = "",
    unit: Sequence[str] = (),
    campaign_file: str | Path = "",
    task: str = "",
) -> ListedRecallBase:
    """Return every element that counts under a quantisation, or the `ideal` ones among them.

    Highlights need the collection, to be turned into graded elements. `topic` names the topics that are
    wanted, all unless given. With a campaign file judgements and collection are those of its task.
    """
    if campaign_file:
        manifest = open_manifest(campaign_file, is_given(judgements) or collection or unit)
        alike = len({t.judgements_file for t in manifest.tasks.values()}) == 1
        judgements = (manifest.chosen(task)[0] if alike else manifest.only(task)).judgements_file
        collection = manifest.collection
    if not is_given(judgements):
        raise UsageError("give judgements, or a `campaign_file=`.")
    documents = opened(collection)
    read = read_judgements(judgements, pools=pool, assessor=assessor, apart=bool(merge))
    read = merged(read, merge, documents)
    judged, elements = with_graded_elements(read, documents, unit)
    for name in topic:
        if name not in judged.topics.codes:
            raise UnknownNameError("topic", name, judged.topics)
    resolved = parse_quantisation(quant).for_scale(elements.scale)
    base = recall_base(judged, elements, resolved, known_ideal(construction), ideal)
    counts = Counter({name: 0 for name in judged.topics if not topic or name in topic})
    found = list(relevant_elements(judged, elements, base, counts))
    counts.update(element.topic for element in found)
    warnings = (f"{read.file or 'judgements'}: {warning}" for warning in judged.warnings)
    return ListedRecallBase(found, counts, str(resolved), ideal, (*notes_of(documents), *warnings))
