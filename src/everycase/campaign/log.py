"""The log of a campaign: append-only JSON lines below ``DIR/log``, one file per writer.

A writer is one starter of a campaign, on any machine. It appends to its own file, so no writer waits for
another, and the folder may be on a network file system or be merged from several places. A line is either
complete or ignored: a kill leaves at most one torn line at the end of a file, which readers skip.
"""

from __future__ import annotations

import errno
import json
import os
import socket
import uuid
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from everycase.errors import CampaignProblem

#: The version of the lines; a folder of another version is an error.
VERSION = 1

FOLDER = "log"
ABOUT = "campaign.json"

#: A number of more digits than this is written as text: other programs read JSON numbers as floats.
EXACT = 1 << 53


def number_out(number: int | None) -> int | str | None:
    """A number in a form that JSON keeps exactly: large ones as decimal text."""
    return str(number) if number is not None and abs(number) >= EXACT else number


def number_in(number: Any) -> Any:
    """What :func:`number_out` has written."""
    return int(number) if isinstance(number, str) else number


def new_name() -> str:
    """The name of a writer, which says where it runs."""
    return f"{_host()}-{os.getpid()}-{uuid.uuid4().hex[:8]}"


def _host() -> str:
    return socket.gethostname().split(".")[0]


class Writer:
    """Appends lines to a file of its own."""

    def __init__(self, folder: Path) -> None:
        self.name = new_name()
        self.path = folder / FOLDER / f"{self.name}.jsonl"
        self._file: Any = None

    def write(self, *lines: dict[str, Any]) -> None:
        """Append lines; they are on their way to the disk when this returns."""
        text = "".join(json.dumps({"v": VERSION, **line}, separators=(",", ":")) + "\n" for line in lines)
        try:
            if self._file is None:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self._file = self.path.open("ab", buffering=0)
                _lock(self._file)  # until it is closed, however that happens
            data = memoryview(text.encode())
            while data:
                data = data[self._file.write(data) :]
        except OSError as problem:
            raise cannot_write(self.path.parent.parent, problem) from None

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


def _lock(file: Any) -> bool:
    """Take the lock of a file; False if another process has it. If there are no file locks it counts as
    taken."""
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except (ImportError, OSError):
        pass
    return True


def writing(folder: Path) -> list[str]:
    """The writers that currently have their file open, as far as their machine tells."""
    found = []
    for path in sorted((folder / FOLDER).glob("*.jsonl")):
        try:
            with path.open("rb") as file:
                if not _lock(file):
                    found.append(path.stem)
        except OSError:  # it was compacted away, or we may not open it
            continue
    return found


def files_of_dead(folder: Path) -> list[Path]:
    """The files of writers on this machine that have died."""
    alive = writing(folder)  # another machine may have the same name
    return [path for path in (folder / FOLDER).glob("*.jsonl") if path.stem not in alive and _is_dead(path)]


def _is_dead(path: Path) -> bool:
    """Whether the writer of a file is a process of this machine that has ended."""
    parts = path.stem.removeprefix("compact-").rsplit("-", 2)
    if path.stem.startswith("compact-"):
        return True
    if len(parts) != 3 or parts[0] != _host() or not parts[1].isdigit():
        return False
    try:
        os.kill(int(parts[1]), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return int(parts[1]) == os.getpid()


def write_instead(folder: Path, paths: list[Path], lines: Iterable[dict[str, Any]]) -> None:
    """Write lines that say the same as some files, and delete these. A kill between the two leaves both, which are
    equivalent."""
    name = new_name()
    draft = folder / FOLDER / f".{name}.draft"
    with draft.open("w", encoding="utf-8") as file:
        for line in lines:
            file.write(json.dumps({**line, "v": VERSION}, separators=(",", ":")) + "\n")
        file.flush()
        os.fsync(file.fileno())
    draft.replace(folder / FOLDER / f"compact-{name}.jsonl")
    for path in paths:
        path.unlink(missing_ok=True)


def cannot_write(folder: Path, problem: OSError) -> CampaignProblem:
    """The error when a folder accepts no more lines."""
    if problem.errno in (errno.ENOSPC, errno.EDQUOT):
        remedy = "free some space, and run the same command again"
    else:
        remedy = "make it writable, or choose another folder, and run the command again"
    return CampaignProblem(
        f"the folder {folder} cannot be written ({problem.strerror or problem}): {remedy}. What was logged "
        "so far is kept"
    )


class LogLines:
    """The complete lines of writers, read from the disk each time."""

    def __init__(self, folder: Path, paths: list[Path] | None = None) -> None:
        self.folder, self.paths = folder, paths

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for path in sorted((self.folder / FOLDER).glob("*.jsonl")) if self.paths is None else self.paths:
            try:
                file = path.open("rb")
            except FileNotFoundError:  # it was compacted away, and its lines are in another file
                continue
            with file:
                for text in file:
                    try:
                        found = json.loads(text)
                    except ValueError:  # torn by a kill, or by a full disk
                        continue
                    if isinstance(found, dict) and found.get("v") == VERSION:
                        yield found


def read_lines(folder: Path, paths: list[Path] | None = None) -> LogLines:
    """Every whole line of every writer, or of some."""
    return LogLines(folder, paths)


def read_about(folder: Path) -> dict[str, Any] | None:
    """The campaign that a folder belongs to; None if it does not exist or is empty."""
    about = folder / ABOUT
    try:
        found = json.loads(about.read_text(encoding="utf-8"))
    except FileNotFoundError:
        if folder.is_dir() and any(folder.iterdir()):
            raise CampaignProblem(
                f"{folder} is not the folder of a campaign: it has files, but no {ABOUT}. Choose a new "
                "folder, or one that "
                "everycase campaign run created"
            ) from None
        return None
    except NotADirectoryError:
        raise CampaignProblem(
            f"{folder} is a file, but a campaign is kept in a folder; choose another name"
        ) from None
    except (OSError, ValueError) as problem:
        raise CampaignProblem(f"{about} cannot be read ({problem}); choose another folder") from None
    if not isinstance(found, dict) or found.get("version") != VERSION:
        theirs = found.get("version") if isinstance(found, dict) else None
        raise CampaignProblem(
            f"{folder} has version {theirs} of the campaign log, but this everycase writes version "
            f"{VERSION}; continue with the "
            "everycase that started it, or choose a new folder"
        )
    return found


def write_about(folder: Path, about: dict[str, Any]) -> None:
    """Begin a campaign: everything is written, or nothing."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        draft = folder / f".{ABOUT}.{uuid.uuid4().hex[:8]}"
        draft.write_text(json.dumps({"version": VERSION, **about}, indent=2) + "\n", encoding="utf-8")
        draft.replace(folder / ABOUT)
    except (FileExistsError, NotADirectoryError):
        raise CampaignProblem(
            f"{folder} is a file, but a campaign is kept in a folder; choose another name"
        ) from None
    except OSError as problem:
        raise cannot_write(folder, problem) from None
