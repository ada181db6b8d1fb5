"""The example store in an SQLite file, whatever happens to the file.

How the file is used, and why:

- Every operation opens the file, does one short transaction, and closes it. An operation is rare (one ``fetch`` per
  property, a few ``save`` per failure) and opening costs a fraction of a millisecond; in return there is no connection to
  share between threads or to carry across a fork, and no lock is held while tests run.
- The journal is SQLite's default rollback journal, not a write-ahead log. A log pays off for many writers, and a store is
  hardly ever written; it needs shared memory, which network drives lack, and it leaves two more files behind. After a
  ``kill -9`` the next process that opens the file rolls the unfinished transaction back.
- Writers take the lock when they begin (``BEGIN IMMEDIATE``) and wait for each other for up to :data:`PATIENCE` seconds.
- The file is never deleted, moved or repaired: if it is damaged, or is not ours, it may be of value to somebody.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING

from everycase.errors import EverycaseWarning
from everycase.run.store import CAPACITY, DIRECTORY, PER_KEY, VARIABLE, MemoryStore, size_of

if TYPE_CHECKING:
    from sqlite3 import Connection, Error

PATIENCE = 5.0  # seconds to wait for another process that is writing
APPLICATION = 0x65766361  # "evca": tells our files from other people's
VERSION = 1  # of the tables below; a file with a higher one is left alone
TABLES = (
    # "used" counts upwards over the whole file, so recency needs no clock. Texts are stored as bytes: any str fits.
    "CREATE TABLE examples (id INTEGER PRIMARY KEY, key BLOB NOT NULL, blob BLOB NOT NULL, "
    "length INTEGER NOT NULL, size INTEGER NOT NULL, used INTEGER NOT NULL)",
    "CREATE INDEX examples_by_key ON examples (key)",
    "CREATE INDEX examples_by_use ON examples (used, size)",
    f"PRAGMA application_id = {APPLICATION}",
    f"PRAGMA user_version = {VERSION}",
)


class Unusable(Exception):
    """The file cannot be used for this operation; the message says why and what to do about it."""


class SqliteStore:
    """A store in an SQLite file. The file and its directory are made by the first ``save``.

    From the moment that the file fails it, a store keeps what is new in memory; it goes on reading what it can.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        per_key: int = PER_KEY,
        capacity: int = CAPACITY,
        patience: float = PATIENCE,
    ) -> None:
        self.path = Path(path)
        self.per_key = per_key
        self.capacity = capacity
        self.patience = patience
        self._readable = True
        self._writable = True
        self._warned = False
        self._memory = MemoryStore(per_key=per_key, capacity=capacity)
        self._gone: set[tuple[str, str]] = set()  # deleted, but the file could not be told so
        self._lock = RLock()

    def __repr__(self) -> str:
        return f"SqliteStore({str(self.path)!r})"

    def fetch(self, key: str) -> list[str]:
        with self._lock:
            kept = self._memory.fetch(key)
            if self._readable:
                try:
                    stored = self._fetch(key)
                except Unusable as problem:
                    self._readable = self._writable = False
                    self._warn(problem)
                else:
                    known = {*kept, *(blob for k, blob in self._gone if k == key)}
                    kept = sorted([*kept, *(blob for blob in stored if blob not in known)], key=len)
            return kept

    def save(self, key: str, blob: str) -> None:
        with self._lock:
            if not self._write(lambda: self._save(key, blob)):
                self._gone.discard((key, blob))
                self._memory.save(key, blob)

    def delete(self, key: str, blob: str) -> None:
        with self._lock:
            if not self._write(lambda: self._delete(key, blob)):
                self._gone.add((key, blob))
            self._memory.delete(key, blob)

    def close(self) -> None:
        """Nothing to let go of: the file is open only during an operation."""

    # --- the operations on the file -----------------------------------------------------------------------

    def _fetch(self, key: str) -> list[str]:
        if not self._exists():
            return []
        name = _encode(key)
        with self._transaction("BEGIN") as connection:
            if not _has_tables(connection):
                return []
            rows = connection.execute(
                "SELECT CAST(blob AS BLOB) FROM examples WHERE key = ? ORDER BY length, used DESC, id DESC",
                (name,),
            )
            blobs = [_decode(stored) for (stored,) in rows]
        if blobs and self._writable:
            # Only so that the capacity goes to examples that are of use: not worth waiting or warning for.
            with suppress(Unusable), self._transaction("BEGIN IMMEDIATE", patience=0) as connection:
                connection.execute(f"UPDATE examples SET used = {_NOW} WHERE key = ?", (name,))
        return blobs

    def _save(self, key: str, blob: str) -> None:
        self._make_directory()
        name, text = _encode(key), _encode(blob)
        with self._transaction("BEGIN IMMEDIATE", create=True) as connection:
            if not _has_tables(connection):
                for statement in TABLES:
                    connection.execute(statement)
            connection.execute("DELETE FROM examples WHERE key = ? AND blob = ?", (name, text))
            connection.execute(
                f"INSERT INTO examples (key, blob, length, size, used) VALUES (?, ?, ?, ?, {_NOW})",
                (name, text, len(blob), size_of(key, blob)),
            )
            connection.execute(
                "DELETE FROM examples WHERE id IN ("
                "SELECT id FROM examples WHERE key = ? ORDER BY used DESC, id DESC LIMIT -1 OFFSET ?)",
                (name, self.per_key),
            )
            (total,) = connection.execute("SELECT sum(size) FROM examples").fetchone()
            if total > self.capacity:
                connection.execute(
                    "DELETE FROM examples WHERE id IN (SELECT id FROM ("
                    "SELECT id, sum(size) OVER (ORDER BY used DESC, id DESC) AS until FROM examples) "
                    "WHERE until > ?)",
                    (self.capacity,),
                )

    def _delete(self, key: str, blob: str) -> None:
        if not self._exists():
            return
        with self._transaction("BEGIN IMMEDIATE") as connection:
            if _has_tables(connection):
                connection.execute(
                    "DELETE FROM examples WHERE key = ? AND blob = ?", (_encode(key), _encode(blob))
                )

    def _exists(self) -> bool:
        return os.path.exists(self.path)  # noqa: PTH110  (pathlib raises where the answer is not to be had)

    def _make_directory(self) -> None:
        directory = self.path.parent
        try:
            directory.mkdir(parents=True, exist_ok=True)
            ignore = directory / ".gitignore"
            # Only together with a new file: who takes the .gitignore away wants to commit the examples.
            if directory.name == DIRECTORY and not self._exists() and not ignore.exists():
                ignore.write_text("*\n", encoding="utf-8")
        except (OSError, ValueError) as error:
            raise Unusable(f"its directory cannot be written ({error}). {_ELSEWHERE}") from error

    @contextmanager
    def _transaction(
        self, begin: str, *, create: bool = False, patience: float | None = None
    ) -> Iterator[Connection]:
        try:
            import sqlite3  # here, because most runs never have an example to fetch
        except ImportError as error:
            raise Unusable(f"this Python was built without sqlite3 ({error}). {_WITHOUT}") from error
        wait = self.patience if patience is None else patience
        try:
            address = f"{self.path.absolute().as_uri()}?mode={'rwc' if create else 'rw'}"
            connection = sqlite3.connect(address, uri=True, timeout=wait, isolation_level=None)
            try:
                # Enough for a process that dies at any moment; the machine losing power may cost the last example.
                connection.execute("PRAGMA synchronous = NORMAL")
                connection.execute(begin)
                yield connection
                connection.execute("COMMIT")
            finally:
                connection.close()  # undoes what was not committed
        except sqlite3.Error as error:
            raise Unusable(_remedy(error)) from error
        except (OSError, ValueError) as error:
            raise Unusable(f"it cannot be opened ({error}). {_ELSEWHERE}") from error

    # --- when the file fails ------------------------------------------------------------------------------

    def _write(self, operation: Callable[[], None]) -> bool:
        """Whether the operation reached the file."""
        if self._writable:
            try:
                operation()
            except Unusable as problem:
                self._writable = False
                self._warn(problem)
        return self._writable

    def _warn(self, problem: Unusable) -> None:
        if self._warned:
            return
        self._warned = True
        message = f"The example store {self.path} is not used for new failing examples in this run: {problem}"
        try:
            warnings.warn(message, EverycaseWarning, stacklevel=2)
        except EverycaseWarning:
            # Warnings are errors here, but a store must never decide how a test ends.
            print(f"EverycaseWarning: {message}", file=sys.stderr)


_NOW = "(SELECT coalesce(max(used), 0) + 1 FROM examples)"
_ELSEWHERE = f"Make it writable, or set {VARIABLE} to another file (or to none)."
_WITHOUT = f"Set {VARIABLE}=none to run without a store."


def _has_tables(connection: Connection) -> bool:
    """Whether the file has our tables; False if it is empty, Unusable if it is somebody else's or too new."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    if application == APPLICATION:
        if version > VERSION:
            raise Unusable(
                f"it was written by a newer everycase (version {version} of the file; this one reads up to {VERSION}). "
                f"Update everycase, or set {VARIABLE} to another file."
            )
        return True
    if application or version or connection.execute("SELECT 1 FROM sqlite_master").fetchone():
        raise Unusable(f"it is a database of another program. Set {VARIABLE} to another file.")
    return False


def _remedy(error: Error) -> str:
    """What is wrong with the file and what to do about it."""
    match getattr(error, "sqlite_errorcode", 0) & 0xFF:  # the primary code; the rest is detail
        case 11 | 26:
            return f"it is damaged ({error}). It was left as it is; delete it or move it away to start a new one."
        case 3 | 8 | 14 | 23:
            return f"it cannot be written ({error}). {_ELSEWHERE}"
        case 5 | 6:
            return f"another process keeps it locked ({error}). Close that program."
        case 13:
            return f"there is no space left ({error}). Free some space, or set {VARIABLE} to another file."
        case 10:
            return f"the disk refused to read or write ({error}). Is it full? {_WITHOUT}"
        case _:
            return f"it is not as everycase left it ({error}). Delete it or move it away to start a new one."


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _decode(stored: bytes) -> str:
    return stored.decode("utf-8", "surrogatepass")
