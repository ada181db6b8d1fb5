"""Compaction: the lines of dead writers as a few equivalent lines."""

from __future__ import annotations

import json
import os
import socket
import uuid
from collections.abc import Iterator
from pathlib import Path

from everycase.campaign.log import FOLDER, VERSION, cannot_write, number_out, read_lines, writing
from everycase.campaign.state import CampaignState, Line, fold

#: Fewer bytes are not worth it.
WORTHWHILE = 64 << 20


def compact_dead(folder: Path, worthwhile: int = WORTHWHILE) -> None:
    """Compact the files of writers on this machine that have died. Others may still be writing."""
    try:
        alive = writing(folder)  # another machine may have the same name
        paths = [
            path for path in (folder / FOLDER).glob("*.jsonl") if path.stem not in alive and _is_dead(path)
        ]
        if sum(path.stat().st_size for path in paths) < worthwhile:
            return
        compact(folder, paths)
    except FileNotFoundError:
        return  # another starter was faster
    except OSError as problem:
        raise cannot_write(folder, problem) from None


def compact(folder: Path, paths: list[Path]) -> Path:
    """Write the content of some files into one, and delete them. A kill between the two leaves both, which
    are equivalent."""
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


def compacted(state: CampaignState) -> Iterator[Line]:
    """The same state in few lines: one line per property and technique for all of its leases, and the other
    lines as they are."""
    yield from state.runs.values()
    yield from state.lost.values()
    for (name, fingerprint), progress in state.progress.items():
        common = {"property": name, "fingerprint": fingerprint}
        if progress.plan:
            yield progress.plan
        yield from progress.confirmed.values()
        yield from progress.died.values()
        for words, runs in sorted(progress.problems.items()):
            yield from ({"kind": "problem", **common, "words": words, "run": run} for run in sorted(runs))
        whole: Line = {
            "tests": progress.tests,
            "discards": progress.discards,
            "leases": progress.leases,
            "cpu": round(progress.cpu, 3),
            "seconds": round(progress.seconds, 3),
            "events": dict(progress.events),
            "labels": dict(progress.labels),
            "tables": progress.tables,
            "shares": [progress.share_tests, dict(progress.share_hits), progress.demands],
            "doubts": sorted(progress.doubts),
            "warnings": sorted(progress.warnings),
            "best": progress.best,
            "failures": list(progress.failures.values()),
            "rates": sorted(progress.rates.items()),
            "workers": progress.workers,
        }
        for technique, places in progress.booked.items():
            if not len(places):
                continue
            line = {
                "kind": "lease",
                **common,
                "technique": technique,
                "ranges": [[number_out(start), number_out(stop)] for start, stop in places],
                "ended": number_out(progress.ended.get(technique)),
                **whole,
            }
            # The figures are written once, with the first technique.
            whole = {"tests": 0, "leases": 0, "rates": [], "workers": {}}
            yield line
        for (island, round_), elites in progress.elites.items():
            yield {
                "kind": "lease",
                **common,
                "technique": "elites",
                "ranges": [],
                "tests": 0,
                "leases": 0,
                "rates": [],
                "workers": {},
                "island": island,
                "round": round_,
                "elites": elites,
            }


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
