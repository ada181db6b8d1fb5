"""Compaction: the lines of writers that are gone, as few lines that say the same."""

from __future__ import annotations

import json
import os
import socket
import uuid
from pathlib import Path

from everycase.campaign.log import FOLDER, VERSION, cannot_write, read_lines
from everycase.campaign.state import compacted, fold

#: Fewer bytes are not worth it.
WORTHWHILE = 64 << 20


def compact_dead(folder: Path, worthwhile: int = WORTHWHILE) -> None:
    """Compact what writers of this machine have left that do not live any more. Others may still be writing."""
    try:
        paths = [path for path in (folder / FOLDER).glob("*.jsonl") if _is_dead(path)]
        if sum(path.stat().st_size for path in paths) < worthwhile:
            return
        compact(folder, paths)
    except FileNotFoundError:
        return  # somebody else was faster
    except OSError as problem:
        raise cannot_write(folder, problem) from None


def compact(folder: Path, paths: list[Path]) -> Path:
    """Write what some files say into one, and take them away. A kill between the two leaves both, which say the same."""
    state = fold(read_lines(folder, paths))
    name = f"{_host()}-{os.getpid()}-{uuid.uuid4().hex[:8]}"
    draft = folder / FOLDER / f".{name}.draft"
    with draft.open("w", encoding="utf-8") as file:
        for line in compacted(state):
            file.write(json.dumps({**line, "v": VERSION}, separators=(",", ":")) + "\n")
        file.flush()
        os.fsync(file.fileno())
    whole = folder / FOLDER / f"compact-{name}.jsonl"
    draft.replace(whole)
    for path in paths:
        path.unlink(missing_ok=True)
    return whole


def _host() -> str:
    return socket.gethostname().split(".")[0]


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
