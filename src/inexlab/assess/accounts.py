"""Accounts: who may sign in, by a password of which only a hash is kept, and links that invite people.

Whoever guesses passwords is stopped after a few: attempts are counted in the database, by account and by
address, before a password is looked at, so that neither many at once nor a restart gives more of them.
"""

from __future__ import annotations

import hashlib
import secrets
import sqlite3
import unicodedata
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from inexlab.assess.database import Database
from inexlab.errors import UsageError

if TYPE_CHECKING:
    from argon2 import PasswordHasher

ROLES = ("assessor", "administrator")
SHORTEST_PASSWORD = 10
_LONGEST_PASSWORD, _LONGEST_NAME = 1000, 100
_INVITED_FOR = 14 * 24 * 3600
# failed attempts within a quarter of an hour: of an account from one address, of it from any, from an address
_WINDOW = 15 * 60
_MOST_BY_BOTH, _MOST_BY_ACCOUNT, _MOST_BY_ADDRESS = 5, 20, 60
# a session ends when nobody has used it for so long, and in any case after so long
_IDLE, _LONGEST = 12 * 3600, 14 * 24 * 3600
_SEEN_AGAIN = 300  # how exactly it is known when a session was used last

Clock = Callable[[], float]


class Account(NamedTuple):
    """Somebody who may sign in."""

    name: str
    role: str
    active: bool = True


class Invitation(NamedTuple):
    """Whom a link invites; they choose a name where it has none."""

    name: str
    role: str
    is_reset: bool


class TooManyAttemptsError(Exception):
    """Too many wrong passwords; `wait` says for how many seconds no other is looked at."""

    def __init__(self, wait: float) -> None:
        super().__init__(wait)
        self.wait = wait


def digest(token: str) -> str:
    """Return what is kept of a token: long and random as it is, it needs no slow hash."""
    return hashlib.sha256(token.encode()).hexdigest()


class Passwords:
    """Hashes passwords with argon2, each in 64 MB; `cheap` is for tests."""

    def __init__(self, *, cheap: bool = False) -> None:
        self._cheap = cheap
        self._hasher: PasswordHasher | None = None
        self._nobodys = ""

    def _ready(self) -> PasswordHasher:
        if self._hasher is None:
            import argon2

            cheap = argon2.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
            self._hasher = cheap if self._cheap else argon2.PasswordHasher()
            self._nobodys = self._hasher.hash(secrets.token_hex())
        return self._hasher

    def hash(self, password: str) -> str:
        """Return the hash of a new password."""
        given = _normal(password)
        if len(given) < SHORTEST_PASSWORD:
            raise UsageError(f"A password has at least {SHORTEST_PASSWORD} characters.")
        if len(given) > _LONGEST_PASSWORD:
            raise UsageError(f"A password has at most {_LONGEST_PASSWORD} characters.")
        return self._ready().hash(given)

    def matches(self, password: str, hashed: str | None) -> bool:
        """Whether a password is the one of the hash; without one it takes as long to say no."""
        import argon2

        hasher = self._ready()
        try:
            return hasher.verify(hashed or self._nobodys, _normal(password)[:_LONGEST_PASSWORD])
        except (argon2.exceptions.VerificationError, argon2.exceptions.InvalidHashError):
            return False


def _normal(password: str) -> str:
    return unicodedata.normalize("NFC", password)


class Accounts:
    """The accounts of a database."""

    def __init__(self, database: Database, clock: Clock, passwords: Passwords) -> None:
        self._database, self._clock, self._passwords = database, clock, passwords

    def all(self) -> list[Account]:
        """Return all accounts, by name."""
        with self._database.reading() as rows:
            found = rows.execute("SELECT name, role, active FROM accounts ORDER BY name").fetchall()
        return [Account(name, role, bool(active)) for name, role, active in found]

    def find(self, name: str) -> Account | None:
        """Return an account by its name."""
        with self._database.reading() as rows:
            return _account(rows, name)

    def has_administrator(self) -> bool:
        """Whether anybody can administer."""
        return any(a.active and a.role == "administrator" for a in self.all())

    def invite(self, name: str, role: str) -> str:
        """Return the token of a link with which somebody sets a password, once; links before it end.

        Without a name they choose it themselves. Of an account that there is already it is a new password.
        """
        if role not in ROLES:
            raise UsageError(f"there is no role {role!r}.")
        name = name and _checked_name(name)
        token = secrets.token_urlsafe(24)
        with self._database.writing() as rows:
            known = _account(rows, name)
            rows.execute(
                "DELETE FROM invitations WHERE name IS ? OR expires < ?", (name or None, self._clock())
            )
            rows.execute(
                "INSERT INTO invitations VALUES (?, ?, ?, ?)",
                (digest(token), name or None, known.role if known else role, self._clock() + _INVITED_FOR),
            )
        return token

    def invited(self) -> list[tuple[str, str, float]]:
        """Return who is invited and has not come yet: name, role, until when."""
        with self._database.reading() as rows:
            return rows.execute(
                "SELECT name, role, expires FROM invitations WHERE expires >= ? AND name IS NOT NULL "
                "AND name NOT IN (SELECT name FROM accounts) ORDER BY name",
                (self._clock(),),
            ).fetchall()

    def invitation(self, token: str) -> Invitation | None:
        """Return what a link is for; None if it was used, has expired or never was."""
        with self._database.reading() as rows:
            return self._invitation(rows, token)

    def _invitation(self, rows: sqlite3.Connection, token: str) -> Invitation | None:
        found = rows.execute(
            "SELECT name, role FROM invitations WHERE digest = ? AND expires >= ?",
            (digest(token), self._clock()),
        ).fetchone()
        if found is None:
            return None
        name, role = found
        return Invitation(name or "", role, bool(name) and _account(rows, name) is not None)

    def join(self, token: str, name: str, password: str) -> Account:
        """Make the account that a link is for, or give it a new password; the link is used up."""
        hashed = self._passwords.hash(password)
        with self._database.writing() as rows:
            invitation = self._invitation(rows, token)
            if invitation is None:
                raise UsageError("This link was used, or has expired. Ask an administrator for a new one.")
            chosen = invitation.name or _checked_name(name)
            if not invitation.name and _account(rows, chosen) is not None:
                raise UsageError(f"There is an account {chosen} already; choose another name.")
            rows.execute("DELETE FROM invitations WHERE digest = ?", (digest(token),))
            rows.execute(
                "INSERT INTO accounts (name, role, password, made) VALUES (?, ?, ?, ?) "
                "ON CONFLICT (name) DO UPDATE SET password = excluded.password",
                (chosen, invitation.role, hashed, self._clock()),
            )
            spell_as_accounts(rows)
            rows.execute("DELETE FROM sessions WHERE account = ?", (chosen,))
            rows.execute("DELETE FROM attempts WHERE account = ?", (chosen,))
            made = _account(rows, chosen)
        assert made is not None
        return made

    def sign_in(self, name: str, password: str, address: str) -> Account | None:
        """Return the account, if the password is right; raise where there were too many attempts."""
        now = self._clock()
        with self._database.writing() as rows:
            wait = _wait(rows, name, address, now)
            if wait:
                raise TooManyAttemptsError(wait)
            rows.execute("DELETE FROM attempts WHERE at < ?", (now - _WINDOW,))
            rows.execute("INSERT INTO attempts VALUES (?, ?, ?)", (name[:_LONGEST_NAME], address, now))
            found = rows.execute(
                "SELECT name, role, password FROM accounts WHERE name = ? AND active", (name,)
            ).fetchone()
        if not self._passwords.matches(password, found and found[2]):
            return None
        with self._database.writing() as rows:
            rows.execute("DELETE FROM attempts WHERE account = ? AND address = ?", (name, address))
        return Account(found[0], found[1])

    def change_password(self, name: str, old: str, new: str) -> None:
        """Give an account a new password, whose old one is known, and end its sessions."""
        with self._database.reading() as rows:
            found = rows.execute("SELECT password FROM accounts WHERE name = ?", (name,)).fetchone()
        if not self._passwords.matches(old, found and found[0]):
            raise UsageError("The password you have now is another one.")
        hashed = self._passwords.hash(new)
        with self._database.writing() as rows:
            rows.execute("UPDATE accounts SET password = ? WHERE name = ?", (hashed, name))
            rows.execute("DELETE FROM sessions WHERE account = ?", (name,))

    def change(self, name: str, *, role: str = "", active: bool | None = None) -> None:
        """Change what an account may do; one that is closed is signed out. One administrator stays."""
        with self._database.writing() as rows:
            known = _account(rows, name)
            if known is None or (role and role not in ROLES):
                raise UsageError(f"there is no account {name!r}, or no role {role!r}.")
            changed = known._replace(
                role=role or known.role, active=known.active if active is None else active
            )
            rows.execute(
                "UPDATE accounts SET role = ?, active = ? WHERE name = ?",
                (changed.role, changed.active, known.name),
            )
            if not changed.active:
                rows.execute("DELETE FROM sessions WHERE account = ?", (known.name,))
            [left] = rows.execute(
                "SELECT count(*) FROM accounts WHERE role = 'administrator' AND active"
            ).fetchone()
            if not left:
                raise UsageError("The last administrator has to stay one.")


class Sessions:
    """Who is signed in: a cookie is known by its digest."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database, self._clock = database, clock

    def begin(self, account: Account) -> str:
        """Return the token of a new session."""
        token, now = secrets.token_urlsafe(32), self._clock()
        with self._database.writing() as rows:
            rows.execute("DELETE FROM sessions WHERE seen < ? OR began < ?", (now - _IDLE, now - _LONGEST))
            rows.execute("INSERT INTO sessions VALUES (?, ?, ?, ?)", (digest(token), account.name, now, now))
        return token

    def account(self, token: str) -> Account | None:
        """Return whose session it is; None if it has ended."""
        now = self._clock()
        with self._database.reading() as rows:
            found = rows.execute(
                "SELECT accounts.name, role, seen FROM sessions JOIN accounts ON account = accounts.name "
                "WHERE digest = ? AND active AND seen >= ? AND began >= ?",
                (digest(token), now - _IDLE, now - _LONGEST),
            ).fetchone()
        if found is None:
            return None
        if found[2] < now - _SEEN_AGAIN:
            with self._database.writing() as rows:
                rows.execute("UPDATE sessions SET seen = ? WHERE digest = ?", (now, digest(token)))
        return Account(found[0], found[1])

    def end(self, token: str) -> None:
        """End a session."""
        with self._database.writing() as rows:
            rows.execute("DELETE FROM sessions WHERE digest = ?", (digest(token),))


def _account(rows: sqlite3.Connection, name: str) -> Account | None:
    found = rows.execute("SELECT name, role, active FROM accounts WHERE name = ?", (name,)).fetchone()
    return Account(found[0], found[1], bool(found[2])) if found else None


def spell_as_accounts(rows: sqlite3.Connection) -> None:
    """Write the names of those who judge a topic as their accounts do: a plan may have them in capitals."""
    rows.execute(
        "UPDATE assignments SET assessor = (SELECT name FROM accounts WHERE name = assessor) "
        "WHERE assessor IN (SELECT name FROM accounts)"
    )


def _checked_name(name: str) -> str:
    name = unicodedata.normalize("NFC", name)
    if not name or name != name.strip() or len(name) > _LONGEST_NAME or not name.isprintable():
        raise UsageError(f"A name has 1 to {_LONGEST_NAME} characters, and no spaces around it.")
    return name


def _wait(rows: sqlite3.Connection, name: str, address: str, now: float) -> float:
    """Return for how many seconds no password is looked at."""
    since = now - _WINDOW
    limits = (
        (_MOST_BY_BOTH, "account = ? AND address = ?", (name, address)),
        (_MOST_BY_ACCOUNT, "account = ?", (name,)),
        (_MOST_BY_ADDRESS, "address = ?", (address,)),
    )
    wait = 0.0
    for most, condition, values in limits:
        times = rows.execute(
            f"SELECT at FROM attempts WHERE at >= ? AND {condition} ORDER BY at DESC LIMIT ?",
            (since, *values, most),
        ).fetchall()
        if len(times) == most:
            wait = max(wait, times[-1][0] + _WINDOW - now)
    return wait
