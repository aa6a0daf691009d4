"""What the verbs are given: options that all verbs that score share, and objects in the place of paths."""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, TypedDict, TypeVar

from inexlab.api.answers import Answer
from inexlab.api.several import Several as Several
from inexlab.api.several import several as several
from inexlab.collection import Collection
from inexlab.collection.entities import given_entities, using_entities
from inexlab.errors import UsageError
from inexlab.experiments import Choices, TopicList
from inexlab.experiments.tables import Given
from inexlab.frames import column_names, is_frame
from inexlab.judgements import Judgements
from inexlab.measures import Evaluation, Measure
from inexlab.policy import Policy
from inexlab.runs import Run
from inexlab.runs.objects import runs_of
from inexlab.scores import Scores, scores_of
from inexlab.topics import Topics, read_topics

Measures = str | Measure | Iterable[str | Measure]
Documents = Any  # a Collection, an Index, or the path of either; None if there are none

F = TypeVar("F", bound=Callable[..., Any])


class Scoring(TypedDict, total=False):
    """The options that all verbs that score share, besides `measure`; each means the same in all of them."""

    campaign: str
    task: str
    campaign_file: str | Path
    config: str | Path
    collection: Documents
    entities: Several
    topics: object
    over: Several
    limit: int | None
    policy: Policy | Mapping[str, object] | Several
    pool: Several
    assessor: Several
    merge: str
    unit: Several
    input_format: str
    run_names: str
    jobs: int


def scoring(verb: F) -> F:
    """Show the options of scoring in the signature of a verb, which takes them as `**options`."""
    signature = inspect.signature(verb)
    own = [p for p in signature.parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD]
    defaults = {"entities": (), **{field.name: field.default for field in fields(Choices)}}
    shared = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=defaults[name], annotation=kind)
        for name, kind in Scoring.__annotations__.items()
    ]
    whole = signature.replace(parameters=[*own, *shared])

    @functools.wraps(verb)
    def checked(*args: Any, **kwargs: Any) -> Any:
        whole.bind(*args, **kwargs)  # raises TypeError for an unknown option
        with using_given_entities(kwargs.pop("entities", ())):
            return verb(*args, **kwargs)

    checked.__signature__ = whole  # type: ignore[attr-defined]
    return checked  # type: ignore[return-value]


def with_entities(verb: F) -> F:
    """Give a verb that takes a collection the option `entities`, as `build_index` has it."""
    signature = inspect.signature(verb)
    added = inspect.Parameter("entities", inspect.Parameter.KEYWORD_ONLY, default=(), annotation="Several")

    @functools.wraps(verb)
    def run(*args: Any, entities: Several = (), **kwargs: Any) -> Any:
        with using_given_entities(entities):
            return verb(*args, **kwargs)

    run.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[*signature.parameters.values(), added]
    )
    return run  # type: ignore[return-value]


@contextlib.contextmanager
def using_given_entities(entities: Several) -> Iterator[None]:
    """Let documents of collections that are opened now refer to entities, where some are given."""
    files = several(entities)
    with using_entities(given_entities(files)) if files else contextlib.nullcontext():
        yield


def chosen(measure: Measures, options: Scoring) -> Choices:
    """Return the options as the experiments take them."""
    given: dict[str, Any] = dict(options)
    for name in ("pool", "unit", "assessor"):
        if name in given:
            given[name] = several(given[name])
    if "topics" in given:
        given["topics"] = given_topics(given["topics"])
    if "collection" in given:
        given["collection"] = given_collection(given["collection"])
    if not isinstance(given.get("over", "judged"), str):
        given["over"] = TopicList(tuple(map(str, given["over"])))
    if isinstance(policy := given.get("policy"), Mapping):
        given["policy"] = [f"{name}={value}" for name, value in policy.items()]
    elif isinstance(policy, str):
        given["policy"] = [policy]
    return Choices(measure=several(measure), **given)


def given_collection(documents: Documents) -> Collection | str | Path | None:
    """Return the documents: those of an index, a collection, or where they are; None if none are given."""
    if documents is None or isinstance(documents, Collection | str | Path):
        return documents if isinstance(documents, Collection) or str(documents or "") else None
    from inexlab.index.collection import IndexedDocuments
    from inexlab.index.index import Index

    if not isinstance(documents, Index):
        what = type(documents).__name__
        raise UsageError(f"collection is {what}, expected a path, a collection or an index.")
    return IndexedDocuments(documents)


def given_topics(topics: object) -> list[str | Path | Topics]:
    """Return topics and files of topics, from one or several."""
    if topics is None or isinstance(topics, str | Path):
        return [topics] if topics and str(topics) else []
    if isinstance(topics, list | tuple) and all(isinstance(one, str | Path | Topics) for one in topics):
        return list(topics)
    return [read_topics(topics)]


def given_judgements(judgements: object) -> Judgements | str | Path:
    """Return judgements, or where they are; nothing if none are given."""
    if judgements is None:
        return ""
    return judgements if isinstance(judgements, str | Path | Judgements) else Judgements.of(judgements)


def files_of(judgements: object, runs: object) -> list[Given]:
    """Return what verbs that score are given: judgements, then runs; or scores."""
    if (scores := _scores(judgements)) is not None:
        if runs is not None and len(more := several(runs)):
            return [*scores, *(table for one in more for table in _scores(one) or [])]
        return list(scores)
    found: list[Given] = list(runs_of(runs))
    if judgements is None:
        return found
    listed = judgements if isinstance(judgements, list | tuple) else ()
    if listed and all(isinstance(one, str | Path) for one in listed):  # files of scores
        return [*listed, *found]
    return [given_judgements(judgements), *found]


def judgements_and_runs(judgements: object, runs: object) -> list[Judgements | Run | str | Path]:
    """Return judgements, then runs; judgements may be missing where something else names them."""
    first = [] if judgements is None else [given_judgements(judgements)]
    return [*first, *runs_of(runs)]


def _scores(given: object) -> list[Scores] | None:
    """Return tables of scores, where these are given: as a value, a frame, or records."""
    if isinstance(given, Scores):
        return [given]
    if isinstance(given, Evaluation | Answer) and hasattr(given, "scores"):
        return list(given.scores)
    if isinstance(given, list | tuple) and given and all(isinstance(one, Scores) for one in given):
        return list(given)
    names = column_names(given) if is_frame(given) or isinstance(given, list | tuple) else set()
    if names and "doc" not in names and {"topic", "value"} <= names:
        return scores_of(given)
    return None


def one_run(run: object, what: str = "a run") -> Run | str | Path:
    """Return the only run that is given, or its path."""
    runs = runs_of(run)
    if len(runs) != 1:
        raise UsageError(f"give {what}; got {len(runs)}.")
    return runs[0]


def paths(given: object) -> Sequence[str | Path]:
    """Return one or several paths."""
    return several(given)
