"""Judgements brought in from files, and given out as the table that all formats are written from."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Callable
from typing import NamedTuple

from inexlab.assess import record
from inexlab.assess.record import FINISHED, RefusedSaveError, Save
from inexlab.assess.store import Store
from inexlab.errors import InputError, UsageError
from inexlab.judgements import Judgements
from inexlab.judgements.assessor import Assessor
from inexlab.judgements.table import Judgement, JudgementsBuilder
from inexlab.progress import reporting
from inexlab.tables import by_number_and_name


class Imported(NamedTuple):
    """How many judgements came in as new, were there already, replaced others, or were kept out by others."""

    new: int = 0
    same: int = 0
    replaced: int = 0
    kept: int = 0
    beside_pool: int = 0


def judgements_of(
    store: Store, size_of: Callable[[str], int | None], *, unfinished: bool = False
) -> tuple[Judgements, int]:
    """Return what everybody judged, and how many judgements are left out as they are not finished yet.

    `size_of` gives the length of a document. With `unfinished` those with highlights are not left out.
    """
    known = store.assessments()
    with store.database.reading() as rows:
        named = {
            label: Assessor(*who)
            for label, *who in rows.execute("SELECT label, kind, name, version FROM assessors")
        }
    builder, left_out = JudgementsBuilder(), 0
    topics = {topic: i for i, topic in enumerate(by_number_and_name({topic for _, topic, _ in known}))}
    in_order = sorted(known, key=lambda key: (topics[key[1]], key[2], key[0]))
    for key in reporting(in_order, "gathering", "judgements"):
        (assessor, topic, document), said = key, known[key]
        if said.status not in FINISHED and not (unfinished and said.highlights):
            left_out += said.status == "in progress"
            continue
        builder.by(named.get(assessor) or Assessor("person", assessor))
        builder.add(topic, document, said.highlights, size=size_of(document), bep=said.best_entry)
    return builder.build(str(store.database.path)), left_out


def add_judgements(
    store: Store,
    judgements: Judgements,
    *,
    author: str,
    size_of: Callable[[str], int | None],
    digest_of: Callable[[str], str | None],
    unnamed: str = "",
    replace: bool = False,
) -> Imported:
    """Bring judgements in, all or none: they go to the log as saves by `author`.

    `size_of` and `digest_of` give the length and the digest of a document's text, None of one that is not in
    the collection. Those that name no assessor are by `unnamed`. Where an assessor has judged a document
    already, and otherwise, that stays unless `replace`.
    """
    counts = dict.fromkeys(Imported._fields, 0)
    accounts = {account.name.lower(): account.name for account in store.accounts.all()}
    name = judgements.file or "judgements"
    with store.database.writing() as rows:
        for judged in judgements:
            size = size_of(judged.doc)
            if size is None:
                raise InputError(
                    f"document {judged.doc} of topic {judged.topic} is not in this collection",
                    file=name,
                    fix="Bring in judgements of this collection.",
                )
            key = _label(rows, judged.assessor, unnamed, accounts), judged.topic, judged.doc
            before = record.newest(rows, key)
            save = _save(judged, before.version, size, name)
            if before.status in FINISHED or before.highlights:
                if before[1:4] == (save.highlights, save.best_entry, save.status):
                    counts["same"] += 1
                    continue
                counts["replaced" if replace else "kept"] += 1
                if not replace:
                    continue
            else:
                counts["new"] += 1
            try:
                record.check_text(rows, judged.doc, digest_of(judged.doc) or "")
            except RefusedSaveError as refused:
                raise InputError(str(refused), file=name, fix="Serve the index it was judged with.") from None
            record.write(rows, key, save, author, store.now())
            pooled = "SELECT 1 FROM pooled WHERE topic = ? AND document = ?"
            counts["beside_pool"] += rows.execute(pooled, key[1:]).fetchone() is None
    return Imported(**counts)


def _label(
    rows: sqlite3.Connection, assessor: Assessor | None, unnamed: str, accounts: dict[str, str]
) -> str:
    """Return the name under which an assessor's judgements are kept."""
    if assessor is None:
        if not unnamed:
            raise UsageError("The file does not say who judged: say whose judgements they are.")
        return accounts.get(unnamed.lower(), unnamed)
    label = str(assessor)
    if assessor.kind == "person" and label.lower() in accounts:
        return accounts[label.lower()]
    rows.execute("INSERT OR IGNORE INTO assessors VALUES (?, ?, ?, ?)", (label, *assessor))
    return label


def _save(judged: Judgement, base: int, size: int, file: str) -> Save:
    highlights = tuple((int(start), int(end)) for start, end in judged.spans)
    best = judged.bep if highlights else None
    status = "done" if highlights else "irrelevant"
    save = Save(f"import {secrets.token_hex(12)}", base, highlights, best, status)
    try:
        return record.checked(save, "", length=size)
    except RefusedSaveError as refused:
        what = f"topic {judged.topic}, document {judged.doc}: {refused}"
        raise InputError(what, file=file, fix="Bring in judgements of this collection.") from None
