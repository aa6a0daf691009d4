"""What is found out about documents before they are indexed: the profile that fits them, their entities."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from inexlab.collection.archives import packed_tar, paths_in_place
from inexlab.collection.documents import Documents, FileFilter, declared_among
from inexlab.collection.entities import Entities
from inexlab.collection.profile import Profile, chosen_profile, combined_profile
from inexlab.collection.reader import reader_by_name, reader_of
from inexlab.errors import InputError
from inexlab.index.build import Settings, profile_of
from inexlab.topics.equivalence import read_equivalence

Places = Sequence[str | Path]
Named = tuple[str, str, Callable[[], bytes]]  # a document: its id, its name, and a way to get its content


def with_profile(places: Places, settings: Settings) -> Settings:
    """Return settings with all that is known of documents before they are indexed."""
    entities = with_files_among(places, settings.entities)
    profile = settings.profile or find_profile(places, settings)
    read_equivalence(profile.equivalence)  # searches of the index will need it
    return replace(settings, profile=profile, ids=settings.ids or profile.ids, entities=entities)


def with_files_among(places: Places, entities: Entities) -> Entities:
    """Return entities that look into the `.ent` files among the documents when a name is not known."""
    return replace(entities, more=functools.partial(declared_among, [str(place) for place in places]))


def find_profile(places: Places, settings: Settings) -> Profile:
    """Return the built-in profile that fits most of the first documents, of every kind that there is."""
    guessed: dict[str, list[Profile]] = {}
    entities = Entities(settings.entities.declared, drop=True)

    def look_at(documents: Iterable[Named]) -> None:
        """Guess the profiles of the first documents, until there are enough alike."""
        for _, name, fetch in islice(documents, _LOOKED_AT):
            try:
                data = fetch()
                of_kind = guessed.setdefault(reader_of(name, data).name, [])
                of_kind.append(profile_of(data, name, entities))
            except InputError:
                continue
            if len(of_kind) >= _ALIKE and len({profile.name for profile in of_kind}) == 1:
                break

    look_at(Documents(places, file_filter=settings.file_filter))
    # names tell which other kinds there are; a packed archive would have to be unpacked to its end
    listed = [place for place in places if Path(place).is_dir() or not packed_tar(place)]
    for kind in sorted(_kinds_by_name(listed, settings.file_filter) - set(guessed)):
        documents = Documents(listed, file_filter=settings.file_filter)
        look_at(named for named in documents if _kind_by_name(named[1]) == kind)
    return combined_profile(
        [chosen_profile(profiles) for profiles in guessed.values()] or [chosen_profile(())]
    )


_LOOKED_AT, _ALIKE = 50, 5  # documents


def _kind_by_name(name: str) -> str:
    """Return which kind of document a name tells; empty if only a look into the file can tell."""
    reader = reader_by_name(name)
    return reader.name if reader else ""


def _kinds_by_name(places: Places, file_filter: FileFilter) -> set[str]:
    """Return which kinds of documents there are, as far as names of files tell."""
    kinds = set[str]()
    for place in map(Path, places):
        for path in paths_in_place(place):
            kind = _kind_by_name(path)
            if kind and kind not in kinds and not file_filter.reason_against(path):
                kinds.add(kind)
    return kinds
