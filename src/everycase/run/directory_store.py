"""The example store in a directory: one file per example, robust against damage and concurrent use.

How the files are used, and why:

- An example is written to a temporary file and then renamed, which is atomic: a process that is killed at any
  moment leaves either the whole example or none, and two processes that write at the same time do not wait
  for each other. There is nothing to lock, to repair or to roll back, and it works on network drives.
- The directory has one folder for each key, named by a digest of it, and in it one file for each example, named by a digest
  of the example. Saving an example again writes the same file again.
- When there is too much, the oldest files are deleted first, by the time they were last written.
- A file that cannot be read as an example (damaged, too large, not a plain file) is skipped and left alone
  until it is the oldest. Only a limited number of files is read.
- An example that cannot be written is kept in memory and written together with the next one.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from threading import RLock
from typing import Any, NamedTuple

from everycase.errors import EverycaseWarning
from everycase.run.store import CAPACITY, DIRECTORY, PER_KEY, VARIABLE, MemoryStore

VERSION = 1  # of the files; files of a higher version are skipped
#: An example that takes more bytes than this is not read. (Examples of this size are almost never written.)
LARGEST = 4_000_000
#: Time limit for reading the examples of one key, in seconds, and maximum number of files to read.
PATIENCE = 0.5
MOST_FILES = 10_000
#: How many examples a process saves before it measures the whole store again.
SAVES_BETWEEN_LOOKS = 256
#: A file that a killed process began to write is removed after this many seconds.
ABANDONED = 3600


class Kept(NamedTuple):
    """A file that may be an example."""

    path: str
    written: int
    size: int


class DirectoryStore:
    """A store in a directory, which is created by the first ``save``."""

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        per_key: int = PER_KEY,
        capacity: int = CAPACITY,
    ) -> None:
        self.path = Path(path)
        self.per_key = per_key
        self.capacity = capacity
        self._warned = False
        self._memory = MemoryStore(per_key=per_key, capacity=capacity)
        self._unsaved: dict[tuple[str, str], None] = {}
        self._gone: set[tuple[str, str]] = set()  # deleted, but their files could not be deleted
        self._clock = 0
        self._room: int | None = None  # how much may be written before the store is measured again
        self._saves = 0
        self._lock = RLock()

    def __repr__(self) -> str:
        return f"DirectoryStore({str(self.path)!r})"

    # --- what a store does --------------------------------------------------------------------------------

    def fetch(self, key: str) -> list[str]:
        with self._lock:
            kept = self._memory.fetch(key)
            known = {*kept, *(text for k, text in self._gone if k == key)}
            try:
                stored = [text for text in self._read(key) if text not in known]
            except (OSError, ValueError) as error:
                self._warn(_remedy(error))
                stored = []
            return sorted([*kept, *stored], key=len)

    def save(self, key: str, blob: str) -> None:
        with self._lock:
            self._gone.discard((key, blob))
            try:
                self._write(key, blob)
            except (OSError, ValueError) as error:
                self._warn(_remedy(error))
                self._memory.save(key, blob)
                self._unsaved[key, blob] = None
            else:
                self._memory.delete(key, blob)
                self._flush()

    def delete(self, key: str, blob: str) -> None:
        with self._lock:
            self._memory.delete(key, blob)
            self._unsaved.pop((key, blob), None)
            folder = self._folder(key)
            try:
                os.unlink(os.path.join(folder, _digest(blob)))  # noqa: PTH108, PTH118  (pathlib refuses some names)
                os.rmdir(folder)  # noqa: PTH106  (which the system refuses unless it is empty)
            except (FileNotFoundError, NotADirectoryError):
                pass
            except (OSError, ValueError):
                if os.path.exists(os.path.join(folder, _digest(blob))):  # noqa: PTH110, PTH118
                    self._gone.add((key, blob))

    def close(self) -> None:
        """Nothing to release: files are open only during an operation."""

    # --- files --------------------------------------------------------------------------------------------

    def _folder(self, key: str) -> str:
        return os.path.join(self.path, _digest(key))  # noqa: PTH118

    def _read(self, key: str) -> list[str]:
        """The examples of a key, the latest first."""
        end = time.monotonic() + PATIENCE
        folder = self._folder(key)
        files = sorted(_files(folder), key=lambda file: (-file.written, file.path))
        found: list[str] = []
        for file in files[: 4 * self.per_key]:
            if time.monotonic() > end or len(found) == self.per_key:
                break
            text = _example(file.path, key)
            if text is not None:
                found.append(text)
        if found:
            with suppress(OSError):  # a used example is not old
                self._touch(folder)
        return found

    def _write(self, key: str, blob: str) -> None:
        self._make_directory()
        folder = self._folder(key)
        text = json.dumps({"everycase": VERSION, "key": key, "example": blob})
        name = os.path.join(folder, _digest(blob))  # noqa: PTH118
        beginning = os.path.join(folder, f".{os.getpid()}-{os.urandom(6).hex()}")  # noqa: PTH118
        for attempt in range(20):  # another process may delete an empty folder
            os.makedirs(folder, exist_ok=True)  # noqa: PTH103
            try:
                _write_file(beginning, text)
                self._touch(beginning)
                os.replace(beginning, name)  # noqa: PTH105
                self._touch(folder)
                break
            except FileNotFoundError:
                if attempt == 19:
                    raise
            except BaseException:
                with suppress(OSError):
                    os.unlink(beginning)  # noqa: PTH108
                raise
        self._make_room(folder, name, len(text))

    def _touch(self, path: str) -> None:
        """Mark this as the latest example. (The clock of a file system is coarse.)"""
        now = self._clock = max(time.time_ns(), self._clock + 1)
        os.utime(path, ns=(now, now))

    def _flush(self) -> None:
        """Write the examples that could not be written before."""
        for key, blob in list(self._unsaved):
            try:
                self._write(key, blob)
            except (OSError, ValueError):
                return
            del self._unsaved[key, blob]
            self._memory.delete(key, blob)

    def _make_room(self, folder: str, latest: str, size: int) -> None:
        """Delete the oldest examples if there is too much, but never the one that was just saved."""
        files = list(_files(folder))
        if len(files) > self.per_key:
            files.sort(key=lambda file: file.written)
            for file in files[: len(files) - self.per_key]:
                if file.path != latest:
                    _remove(file.path)
        self._saves += 1
        if self._room is not None:
            self._room -= size
        if self._room is None or self._room < 0 or self._saves % SAVES_BETWEEN_LOOKS == 0:
            self._look_at_all(latest)

    def _look_at_all(self, latest: str) -> None:
        folders: list[tuple[int, str]] = []
        with suppress(OSError), os.scandir(self.path) as entries:
            for entry in entries:
                with suppress(OSError):
                    if _NAME.fullmatch(entry.name) and entry.is_dir(follow_symlinks=False):
                        folders.append((entry.stat(follow_symlinks=False).st_mtime_ns, entry.path))
        total = 0
        long_ago = time.time() - ABANDONED
        for _, folder in sorted(folders, reverse=True):
            for file in sorted(_files(folder), key=lambda file: -file.written):
                total += file.size
                if total > self.capacity and file.path != latest:
                    total -= file.size
                    _remove(file.path)
            for path, status in _entries(folder, _BEGUN):
                if status.st_mtime < long_ago:
                    _remove(path)
            with suppress(OSError):
                os.rmdir(folder)  # noqa: PTH106
        self._room = self.capacity - total

    def _make_directory(self) -> None:
        if os.path.isdir(self.path):  # noqa: PTH112
            return
        self.path.mkdir(parents=True, exist_ok=True)
        above = self.path.parent
        # Only together with a new store: a user who deletes the .gitignore wants to commit the examples.
        if above.name == DIRECTORY and not (above / ".gitignore").exists():
            (above / ".gitignore").write_text("*\n", encoding="utf-8")

    # --- when the directory fails -------------------------------------------------------------------------

    def _warn(self, problem: str) -> None:
        if self._warned:
            return
        self._warned = True
        message = (
            f"The example store {self.path} cannot be used, so failures are only kept in memory: {problem}"
        )
        try:
            warnings.warn(message, EverycaseWarning, stacklevel=2)
        except EverycaseWarning:
            # Warnings are errors here, but a store must never decide how a test ends.
            print(f"EverycaseWarning: {message}", file=sys.stderr)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


#: The names of our files, so that nothing else in the directory is touched.
_NAME = re.compile(r"[0-9a-f]{32}")
_BEGUN = re.compile(r"\.[0-9]+-[0-9a-f]{12}")


def _entries(folder: str, names: re.Pattern[str]) -> Iterator[tuple[str, os.stat_result]]:
    """The plain files of a folder that have such names, up to a maximum number."""
    with suppress(FileNotFoundError), os.scandir(folder) as entries:
        for entry in islice(entries, MOST_FILES):
            with suppress(OSError):
                if names.fullmatch(entry.name):
                    status = entry.stat(follow_symlinks=False)
                    if stat.S_ISREG(status.st_mode):
                        yield entry.path, status


def _files(folder: str) -> Iterator[Kept]:
    for path, status in _entries(folder, _NAME):
        yield Kept(path, status.st_mtime_ns, status.st_size)


def _example(path: str, key: str) -> str | None:
    """The example in a file; None if there is none of this key."""
    try:
        # Non-blocking, in case it is no longer a plain file.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0))
        with os.fdopen(handle, "rb") as file:
            status = os.fstat(handle)
            if not stat.S_ISREG(status.st_mode) or status.st_size > LARGEST:
                return None
            data: Any = json.loads(file.read(LARGEST + 1))
        if data["everycase"] == VERSION and data["key"] == key and isinstance(data["example"], str):
            return str(data["example"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError, IndexError):
        pass
    return None


def _write_file(path: str, text: str) -> None:
    # Readable for everybody who may read the directory: a team may share it.
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    with os.fdopen(handle, "wb") as file:
        file.write(text.encode("ascii"))


def _remove(path: str) -> None:
    with suppress(OSError):
        os.unlink(path)  # noqa: PTH108


def _remedy(error: Exception) -> str:
    """What is wrong with the directory and what to do about it."""
    return f"{error}. Make it a directory that can be written, or set {VARIABLE} to another one (or to none)."
