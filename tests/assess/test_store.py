"""The record of assessments: what is kept, and how it is made again from the log."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.assess.database import Database
from inexlab.assess.record import Assessment, OutdatedSaveError, RefusedSaveError, Save, checked
from inexlab.assess.store import Store, open_store
from inexlab.errors import InputError
from inexlab.pooling import Pool, PooledDocument
from tests.examples import examples

POOL = Pool(
    tuple(PooledDocument(t, d) for t, docs in (("2", "abc"), ("10", "ab")) for d in docs),
    {"2": ("anna", "bob"), "10": ("anna",)},
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = open_store(tmp_path / "x.db", POOL, clock=lambda: 100.0, cheap_passwords=True)
    yield made
    made.close()


def save(store: Store, who: str, topic: str, doc: str, status: str = "done", seconds: float = 10.0) -> int:
    base = store.assessment(who, topic, doc).version
    marks = ((0, 3),) if status in ("done", "in progress") else ()
    return store.save((who, topic, doc), Save(f"{topic} {doc} {base}", base, marks, None, status, seconds))


def test_a_file_is_for_nobody_else(store: Store, tmp_path: Path) -> None:
    assert {file.stat().st_mode & 0o777 for file in tmp_path.iterdir()} == {0o600}
    with store.database.reading() as rows:
        assert rows.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert rows.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL


def test_progress_and_time_left(store: Store) -> None:
    assert [(p.topic, p.assessor, p.documents) for p in store.progress()] == [
        ("2", "anna", 3),
        ("2", "bob", 3),
        ("10", "anna", 2),
    ]
    assert store.progress("anna")[0].seconds_left is None
    save(store, "anna", "2", "b", seconds=30)
    save(store, "anna", "2", "c", "irrelevant", seconds=10)
    save(store, "anna", "2", "a", "in progress", seconds=7)
    first, second = store.progress("anna")
    assert first[2:] == (3, 2, 1, 1, 47.0, 20.0)  # one left, of 20 seconds each
    assert second.seconds_left == 40.0
    # of somebody who has finished nothing, the time is that of all
    assert next(p for p in store.progress("bob")).seconds_left == 60.0
    assert [(d.document, d.status, d.highlights) for d in store.to_judge("anna", "2")] == [
        ("a", "in progress", 1),
        ("b", "done", 1),
        ("c", "irrelevant", 0),
    ]


def test_what_comes_next(store: Store) -> None:
    assert store.next_document("anna", "2") == "a"
    assert store.next_document("anna", "2", "a") == "b"
    save(store, "anna", "2", "b")
    assert store.next_document("anna", "2", "a") == "c"
    assert store.next_document("anna", "2", "c") == "a"  # from the beginning again
    save(store, "anna", "2", "a", "in progress")
    save(store, "anna", "2", "c")
    assert store.next_document("anna", "2", "a") is None  # it is open already
    assert store.next_document("anna", "2", "b") == "a"
    save(store, "anna", "2", "a")
    assert store.next_document("anna", "2", "b") is None
    assert store.next_document("anna", "2", "nothing") is None
    assert store.next_document("anna", "7") is None


def test_a_plan_is_taken_over_once_and_then_changed_by_hand(store: Store) -> None:
    store.unassign("2", "bob")
    store.assign("10", "carl")
    store.adopt(POOL)  # the server is started again
    assert store.assignments() == {"2": ["anna"], "10": ["anna", "carl"]}
    store.adopt(Pool(POOL.documents, {"2": ("dora",), "10": ("anna",)}))  # another plan
    assert store.assignments() == {"2": ["anna", "dora"], "10": ["anna", "carl"]}


def test_names_are_spelt_as_accounts_are(store: Store) -> None:
    store.accounts.join(store.accounts.invite("Bob", "assessor"), "", "a long password")
    assert store.assignments()["2"] == ["anna", "Bob"]
    assert store.may_judge("Bob", "2", "a")
    save(store, "Bob", "2", "a")
    assert [p.finished for p in store.progress("Bob")] == [1]
    store.adopt(Pool(POOL.documents, {"2": ("BOB",), "10": ()}))
    assert store.assignments()["2"] == ["anna", "Bob"]


def test_a_larger_pool_and_a_smaller_one(store: Store) -> None:
    save(store, "anna", "2", "c")
    store.adopt(Pool((*POOL.documents, PooledDocument("2", "d")), POOL.assessors))
    assert store.progress("anna")[0].documents == 4
    store.adopt(Pool(POOL.documents[:2], POOL.assessors))
    assert store.progress("anna")[0].finished == 0
    assert store.assessment("anna", "2", "c").status == "done"  # nothing that was judged is gone


def test_the_log_can_neither_be_changed_nor_cut(store: Store) -> None:
    save(store, "anna", "2", "a")
    for change in ("UPDATE log SET status = 'irrelevant'", "DELETE FROM log"):
        with pytest.raises(sqlite3.IntegrityError, match="not changed"), store.database.writing() as rows:
            rows.execute(change)
    assert len(store.log()) == 1


_ASKED = st.tuples(
    st.sampled_from(["anna", "bob"]),
    st.sampled_from(["2", "10"]),
    st.sampled_from("ab"),
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=3),
    st.one_of(st.none(), st.integers(0, 12)),
    st.sampled_from(["unassessed", "in progress", "done", "irrelevant"]),
    st.integers(0, 2),
)


@examples(30)
@given(asked=st.lists(_ASKED, max_size=12))
def test_any_state_is_made_again_from_the_log(
    asked: list[Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Whatever is saved, refused or outdated: the log alone gives every state that there was."""
    store = open_store(tmp_path_factory.mktemp("store") / "x.db", POOL)
    states: list[dict[tuple[str, str, str], Assessment]] = [{}]
    with contextlib.closing(store.database), contextlib.suppress(StopIteration):
        for number, (who, topic, doc, spans, best, status, behind) in enumerate(asked):
            newest = store.assessment(who, topic, doc)
            wanted = Save(str(number), newest.version - behind, tuple(spans), best, status, number / 4)
            try:
                version = store.save((who, topic, doc), checked(wanted, "0123456789"))
            except (RefusedSaveError, OutdatedSaveError):
                assert store.assessments() == states[-1]
                continue
            said = Assessment(version, tuple(sorted(spans)), best, status, newest.seconds + number / 4)
            states.append({**states[-1], (who, topic, doc): said})
        assert store.assessments() == store.replay() == states[-1]
        assert [entry.number for entry in store.log()] == list(range(1, len(states)))
        for number, state in enumerate(states):
            assert store.replay(number) == state


@given(spans=st.lists(st.tuples(st.integers(-2, 12), st.integers(-2, 12)), max_size=4))
def test_highlights_are_accepted_where_they_are_disjoint_parts_of_the_text(
    spans: list[tuple[int, int]],
) -> None:
    text = "a\U0001f41dc\u0301defghi"
    marked = [i for start, end in spans for i in range(start, end)]
    fits = all(0 <= start < end <= len(text) for start, end in spans) and len(set(marked)) == len(marked)
    quotes = [text[max(0, start) : max(0, end)] for start, end in spans]
    given_save = Save("k", 0, tuple(spans), None, "in progress")
    if fits:
        assert checked(given_save, text, quotes).highlights == tuple(sorted(spans))
    else:
        with pytest.raises(RefusedSaveError):
            checked(given_save, text, quotes)


def test_a_backup_is_whole_while_others_write(store: Store, tmp_path: Path) -> None:
    stop = threading.Event()

    def write() -> None:
        while not stop.is_set():
            save(store, "anna", "2", "a", "in progress")

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(3):
            while len(store.log()) < 2:
                pass
            store.backup(tmp_path / "copy.db")
    finally:
        stop.set()
        writer.join()
    assert not list(tmp_path.glob("*.part"))
    assert (tmp_path / "copy.db").stat().st_mode & 0o777 == 0o600
    assert not (tmp_path / "copy.db-wal").exists()
    with contextlib.closing(sqlite3.connect(tmp_path / "copy.db")) as rows:
        assert rows.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    copy = open_store(tmp_path / "copy.db")
    with contextlib.closing(copy.database):
        assert copy.name == store.name
        assert 2 <= len(copy.log()) <= len(store.log())
        assert copy.log() == store.log()[: len(copy.log())]
        assert copy.replay() == copy.assessments()


def test_a_backup_has_to_be_another_file(store: Store, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is the database itself"):
        store.backup(tmp_path / "x.db")
    with pytest.raises(InputError, match="cannot be written"):
        store.backup(tmp_path / "nowhere" / "copy.db")
    with pytest.raises(InputError, match="cannot be written"):
        store.backup(tmp_path)


def _other_program(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as rows:
        rows.execute("CREATE TABLE theirs (x)")


def _other_version(path: Path) -> None:
    Database(path).close()
    with contextlib.closing(sqlite3.connect(path)) as rows:
        rows.execute("PRAGMA user_version = 99")


@pytest.mark.parametrize(
    ("prepare", "reason"),
    [
        (
            lambda path: path.write_text("no database at all, but a text of some length" * 100),
            "not a database",
        ),
        (_other_program, "belongs to another program"),
        (_other_version, "of version 99, and this is 1"),
        (lambda path: path.mkdir(), "Is a directory"),
    ],
)
def test_a_file_of_something_else_is_refused(
    tmp_path: Path, prepare: Callable[[Path], object], reason: str
) -> None:
    prepare(tmp_path / "other")
    with pytest.raises(InputError, match=reason):
        open_store(tmp_path / "other")
    with pytest.raises(InputError, match="No such file or directory"):
        open_store(tmp_path / "nowhere" / "x.db")


def test_writing_together_undoes_only_what_fails(store: Store) -> None:
    def half(rows: sqlite3.Connection) -> None:
        rows.execute("INSERT INTO about VALUES ('half', 'done')")
        raise KeyError("half")

    results: dict[int, object] = {}
    inside = threading.Barrier(9)

    def one(number: int) -> None:
        inside.wait()
        try:
            results[number] = (
                store.database.write_together(half)
                if number % 2
                else store.save(
                    ("anna", "2", f"d{number}"), Save("k" + str(number), 0, (), None, "irrelevant")
                )
            )
        except KeyError as error:
            results[number] = error

    threads = [threading.Thread(target=one, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    inside.wait()
    for thread in threads:
        thread.join()
    assert [results[n] for n in (0, 2, 4, 6)] == [1] * 4
    assert all(isinstance(results[n], KeyError) for n in (1, 3, 5, 7))
    assert len(store.log()) == 4
    with store.database.reading() as rows:
        assert rows.execute("SELECT * FROM about WHERE key = 'half'").fetchone() is None


def test_nobody_is_told_of_what_cannot_be_committed(store: Store) -> None:
    """As on a full disk: the save fails, and the next one works."""
    with store.database.writing() as rows:
        rows.execute("PRAGMA max_page_count = 1")
    writer = store.database._writer
    [pages] = writer.execute("PRAGMA page_count").fetchone()
    writer.execute(f"PRAGMA max_page_count = {pages}")
    large = Save("large", 0, tuple((i, i + 1) for i in range(0, 100_000, 2)), None, "done")
    with pytest.raises(sqlite3.Error):
        store.save(("anna", "2", "a"), large)
    assert store.log() == []
    writer.execute("PRAGMA max_page_count = 1000000")
    assert store.save(("anna", "2", "a"), large) == 1
