"""Accounts: passwords of which only a hash is kept, links, sessions, and guesses that are stopped."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from inexlab.assess.accounts import Account, Invitation, Passwords, TooManyAttemptsError
from inexlab.assess.store import Store, open_store
from inexlab.errors import UsageError

PASSWORD = "a long enough password"


class Clock:
    now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> Iterator[Store]:
    made = open_store(tmp_path / "x.db", clock=clock, cheap_passwords=True)
    yield made
    made.close()


def add(store: Store, name: str, role: str = "assessor", password: str = PASSWORD) -> Account:
    return store.accounts.join(store.accounts.invite(name, role), "", password)


def test_a_link_opens_one_account_once(store: Store) -> None:
    token = store.accounts.invite("anna", "assessor")
    assert store.accounts.invitation(token) == Invitation("anna", "assessor", False)
    assert store.accounts.invited() == [("anna", "assessor", 1_000_000.0 + 14 * 86400)]
    assert store.accounts.join(token, "somebody else", PASSWORD) == Account("anna", "assessor")
    assert store.accounts.invitation(token) is None
    assert store.accounts.invited() == []
    with pytest.raises(UsageError, match="used, or has expired"):
        store.accounts.join(token, "", PASSWORD)
    assert store.accounts.all() == [Account("anna", "assessor")]


def test_a_link_expires_and_a_new_one_ends_it(store: Store, clock: Clock) -> None:
    first = store.accounts.invite("anna", "assessor")
    second = store.accounts.invite("Anna", "assessor")
    assert store.accounts.invitation(first) is None
    assert store.accounts.invitation(second)
    clock.now += 15 * 86400
    assert store.accounts.invitation(second) is None
    assert store.accounts.invited() == []


def test_the_first_administrator_chooses_a_name(store: Store) -> None:
    assert not store.accounts.has_administrator()
    add(store, "anna")
    token = store.accounts.invite("", "administrator")
    for name in ("", " root", "ro\not", "r" * 101):
        with pytest.raises(UsageError, match="A name has"):
            store.accounts.join(token, name, PASSWORD)
    with pytest.raises(UsageError, match="There is an account ANNA already"):
        store.accounts.join(token, "ANNA", PASSWORD)  # nobody takes over an account in this way
    assert store.accounts.join(token, "root", PASSWORD).role == "administrator"
    assert store.accounts.has_administrator()


def test_a_link_for_a_new_password_keeps_the_role_and_ends_sessions(store: Store) -> None:
    token = store.sessions.begin(add(store, "root", "administrator"))
    link = store.accounts.invite("root", "assessor")
    assert store.accounts.invitation(link) == Invitation("root", "administrator", True)
    store.accounts.join(link, "", "quite another password")
    assert store.sessions.account(token) is None
    assert store.accounts.sign_in("root", PASSWORD, "") is None
    assert store.accounts.sign_in("root", "quite another password", "") == Account("root", "administrator")


def test_of_secrets_only_hashes_are_kept(store: Store, tmp_path: Path) -> None:
    link = store.accounts.invite("bob", "assessor")
    session = store.sessions.begin(add(store, "anna"))
    store.backup(tmp_path / "copy.db")
    content = (tmp_path / "copy.db").read_bytes()
    assert b"$argon2id$" in content
    for secret in (PASSWORD, link, session):
        assert secret.encode() not in content


def test_passwords_cost_as_the_library_advises() -> None:
    hashed = Passwords().hash(PASSWORD)
    assert hashed.startswith("$argon2id$v=19$m=65536,t=3,p=4$")


@pytest.mark.parametrize(("password", "reason"), [("short", "at least 10"), ("x" * 1001, "at most 1000")])
def test_passwords_have_a_length(store: Store, password: str, reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        add(store, "anna", password=password)


def test_a_password_may_be_typed_in_two_ways(store: Store) -> None:
    add(store, "anna", password="pr\u00eat \u00e0 tout cela")
    assert store.accounts.sign_in("anna", "pre\u0302t a\u0300 tout cela", "")


def test_names_are_known_in_capitals_too(store: Store) -> None:
    add(store, "Anna")
    assert store.accounts.sign_in("ANNA", PASSWORD, "") == Account("Anna", "assessor")
    assert store.accounts.sign_in("anne", PASSWORD, "") is None


def test_guesses_are_stopped_and_a_restart_gives_no_more(store: Store, clock: Clock, tmp_path: Path) -> None:
    add(store, "anna")
    for _ in range(5):
        assert store.accounts.sign_in("anna", "wrong", "1.2.3.4") is None
    store.close()
    again = open_store(tmp_path / "x.db", clock=clock, cheap_passwords=True)
    with pytest.raises(TooManyAttemptsError) as refused:
        again.accounts.sign_in("Anna", PASSWORD, "1.2.3.4")  # the right one, too
    assert refused.value.wait == 900
    assert again.accounts.sign_in("anna", PASSWORD, "5.6.7.8")  # from where she sits, she comes in
    clock.now += 901
    assert again.accounts.sign_in("anna", PASSWORD, "1.2.3.4")
    again.close()


def test_guesses_from_many_addresses_or_of_many_names_are_stopped(store: Store) -> None:
    add(store, "anna")
    for i in range(20):
        store.accounts.sign_in("anna", "wrong", f"address {i}")
    with pytest.raises(TooManyAttemptsError):
        store.accounts.sign_in("anna", PASSWORD, "another address")
    for i in range(60):
        store.accounts.sign_in(f"name {i}", "wrong", "one address")
    with pytest.raises(TooManyAttemptsError):
        store.accounts.sign_in("bob", PASSWORD, "one address")


def test_guesses_at_once_are_counted_too(store: Store) -> None:
    add(store, "anna")
    looked_at: list[object] = []

    def guess() -> None:
        with contextlib.suppress(TooManyAttemptsError):
            looked_at.append(store.accounts.sign_in("anna", "wrong", "here"))

    threads = [threading.Thread(target=guess) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(looked_at) == 5


def test_signing_in_forgets_mistakes(store: Store) -> None:
    add(store, "anna")
    for _ in range(3):
        for _ in range(4):
            assert store.accounts.sign_in("anna", "wrong", "here") is None
        assert store.accounts.sign_in("anna", PASSWORD, "here")


def test_sessions_end_when_nobody_uses_them_and_after_two_weeks(store: Store, clock: Clock) -> None:
    anna = add(store, "anna")
    token = store.sessions.begin(anna)
    for _ in range(30):  # every eleven hours
        clock.now += 11 * 3600
        assert store.sessions.account(token) == anna
    clock.now += 11 * 3600
    assert store.sessions.account(token) is None
    other = store.sessions.begin(anna)
    clock.now += 12 * 3600 + 1
    assert store.sessions.account(other) is None
    third = store.sessions.begin(anna)
    store.sessions.end(third)
    assert store.sessions.account(third) is None
    assert store.sessions.account("") is None


def test_a_closed_account_is_out_at_once(store: Store) -> None:
    add(store, "root", "administrator")
    token = store.sessions.begin(add(store, "anna"))
    store.accounts.change("anna", active=False)
    assert store.sessions.account(token) is None
    assert store.accounts.sign_in("anna", PASSWORD, "") is None
    store.accounts.change("anna", active=True)
    assert store.accounts.sign_in("anna", PASSWORD, "")


def test_the_last_administrator_stays(store: Store) -> None:
    add(store, "root", "administrator")
    for change in ({"role": "assessor"}, {"active": False}):
        with pytest.raises(UsageError, match="last administrator"):
            store.accounts.change("root", **change)
    assert store.accounts.all() == [Account("root", "administrator")]
    add(store, "anna")
    store.accounts.change("anna", role="administrator")
    store.accounts.change("root", role="assessor")
    with pytest.raises(UsageError, match="no account"):
        store.accounts.change("nobody", role="assessor")


def test_a_new_password_takes_the_old_one(store: Store) -> None:
    token = store.sessions.begin(add(store, "anna"))
    with pytest.raises(UsageError, match="another one"):
        store.accounts.change_password("anna", "wrong", "quite another password")
    with pytest.raises(UsageError, match="at least 10"):
        store.accounts.change_password("anna", PASSWORD, "short")
    assert store.sessions.account(token)
    store.accounts.change_password("anna", PASSWORD, "quite another password")
    assert store.sessions.account(token) is None
    assert store.accounts.sign_in("anna", "quite another password", "")
