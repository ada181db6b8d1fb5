"""The example store: failing inputs are remembered between runs, so that they are tried first next time.

A store maps a key (a string that identifies one property) to blobs (printed traces, after a digest of the
test that they belong to). It is a convenience: whatever is wrong with its files, a run continues without it
and says so in one :class:`~everycase.errors.EverycaseWarning`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from threading import RLock
from types import EllipsisType
from typing import Protocol, runtime_checkable

from everycase.errors import InvalidArgument

DIRECTORY = ".everycase"
FOLDER = "examples"
VARIABLE = "EVERYCASE_DATABASE"
MARKERS = ("pyproject.toml", "setup.cfg", "tox.ini", ".git")

PER_KEY = 50  # examples of one property
CAPACITY = 20_000_000  # characters in all, counted by size_of


@runtime_checkable
class Store(Protocol):
    """What a run needs of a store; write your own class to keep examples elsewhere."""

    def fetch(self, key: str) -> list[str]:
        """The blobs saved under a key: shortest first, and among equally long ones the latest saved first."""

    def save(self, key: str, blob: str) -> None:
        """Remember a blob. If it is already there, it becomes the latest saved."""

    def delete(self, key: str, blob: str) -> None:
        """Forget a blob; nothing happens if it is not there."""

    def close(self) -> None:
        """Release all resources."""


class MemoryStore:
    """A store that lasts as long as the object.

    >>> store = MemoryStore()
    >>> store.save("test_sort", "long blob"); store.save("test_sort", "blob")
    >>> store.fetch("test_sort")
    ['blob', 'long blob']
    """

    def __init__(self, *, per_key: int = PER_KEY, capacity: int = CAPACITY) -> None:
        self.per_key = per_key
        self.capacity = capacity
        self._entries: dict[tuple[str, str], None] = {}  # least recently used first
        self._lock = RLock()

    def fetch(self, key: str) -> list[str]:
        with self._lock:
            found = [entry for entry in self._entries if entry[0] == key]
            for entry in found:
                self._use(entry)
        return sorted((blob for _, blob in reversed(found)), key=len)

    def save(self, key: str, blob: str) -> None:
        with self._lock:
            self._use((key, blob))
            same_key = [entry for entry in self._entries if entry[0] == key]
            for entry in same_key[: -self.per_key]:
                del self._entries[entry]
            total = sum(size_of(*entry) for entry in self._entries)
            for entry in list(self._entries):
                if total <= self.capacity:
                    break
                total -= size_of(*entry)
                del self._entries[entry]

    def delete(self, key: str, blob: str) -> None:
        with self._lock:
            self._entries.pop((key, blob), None)

    def close(self) -> None:
        """Nothing to release: saved examples stay until the object goes."""

    def _use(self, entry: tuple[str, str]) -> None:
        self._entries.pop(entry, None)
        self._entries[entry] = None


class NoStore:
    """The store that remembers nothing."""

    def fetch(self, key: str) -> list[str]:
        return []

    def save(self, key: str, blob: str) -> None:
        pass

    def delete(self, key: str, blob: str) -> None:
        pass

    def close(self) -> None:
        pass


def size_of(key: str, blob: str) -> int:
    """The size of an example for the capacity: its texts, and about as much as keeping track of it costs."""
    return 100 + len(key) + len(blob)


class FailureMemory:
    """The remembered failures of one property: blobs under its key in a store, each with a digest of the
    property at that time.

    A user's own store may raise anything; this must not decide how a test ends.
    """

    def __init__(self, store: Store, key: str, digest: Callable[[], str]) -> None:
        self.store = store
        self.key = key
        #: computed when it is needed: most runs remember nothing
        self._digest = digest

    def save(self, blob: str) -> None:
        with suppress(Exception):
            self.store.save(self.key, f"{self._digest()} {blob}")

    def delete(self, blob: str) -> None:
        """Forget a failure of the property as it is now."""
        with suppress(Exception):
            self.store.delete(self.key, f"{self._digest()} {blob}")

    def fetch(self) -> tuple[list[str], list[str]]:
        """The blobs of the property as it is now, and those that other versions of it left."""
        own: list[str] = []
        others: list[str] = []
        with suppress(Exception):
            for text in self.store.fetch(self.key):
                if isinstance(text, str):
                    digest, _, blob = text.rpartition(" ")
                    (own if digest == self._digest() else others).append(blob)
        return own, others


# --- which store ------------------------------------------------------------------------------------------


def open_store(
    where: str | os.PathLike[str] | Store | EllipsisType | None = ...,
    *,
    near: str | os.PathLike[str] | None = None,
    root: str | os.PathLike[str] | None = None,
) -> Store:
    """The store for a setting. Nothing is opened or created until it is used, and a bad directory is not an
    error.

    - a path: that directory. The string ``":memory:"``: in memory
    - None, or the string ``"none"``: no store
    - a store: that store
    - not given: the value of the environment variable ``EVERYCASE_DATABASE`` in the same form; if it is not
      set, the directory ``.everycase/examples`` at the top of the project: ``root``, or the project that the
      file ``near`` belongs to

    >>> open_store(None).fetch("test_sort")
    []
    """
    if where is ...:
        where = os.environ.get(VARIABLE) or Path(root or project_root(near)) / DIRECTORY / FOLDER
    if where is None or (isinstance(where, str) and where.strip().lower() == "none"):
        return NoStore()
    if isinstance(where, str | os.PathLike):
        name = os.fspath(where)
        if not isinstance(name, str) or not name:
            raise InvalidArgument(
                f"database must not be {where!r}: write the path of a directory as text, or None"
            )
        if name == ":memory:":
            return MemoryStore()
        return _at(_place(name))
    if isinstance(where, Store) and not isinstance(where, type):
        return where
    raise InvalidArgument(
        f"database must be a path, None, or a store with fetch, save, delete and close; got {where!r}. "
        'Write database=None for no store, database=".everycase/examples" for a directory.'
    )


def project_root(near: str | os.PathLike[str] | None = None) -> Path:
    """The nearest directory above ``near``, else above the current one, that looks like the top of a project.

    If there is none, the current directory.
    """
    here = _here()
    for start in (here / near if near is not None else here, here):
        for directory in (start, *start.parents):
            with suppress(OSError, ValueError):
                if any((directory / marker).exists() for marker in MARKERS):
                    return directory
    return here


def _here() -> Path:
    try:
        return Path.cwd()
    except OSError:  # the current directory was deleted
        return Path()


def _place(name: str) -> str:
    with suppress(RuntimeError):  # no home directory is known: the name is used as it is
        name = os.path.expanduser(name)  # noqa: PTH111  (pathlib raises in more cases)
    return str(_here() / name)


@lru_cache(maxsize=256)
def _at(path: str) -> Store:
    """One store per directory and process: the properties of a project share the memory, and one warning."""
    from everycase.run.directory_store import DirectoryStore

    return DirectoryStore(path)
