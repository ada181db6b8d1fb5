"""Reading runs back: from files of lines, ours or those of Hypothesis, as the data for a page."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from everycase.errors import InvalidArgument
from everycase.run.observing.line_files import read_lines
from everycase.run.observing.measure import measure
from everycase.run.observing.observer import MINIMAL
from everycase.run.observing.tally import Tally

#: The title of the line that contains a whole report.
REPORT_TITLE = "everycase report"

#: Maximum number of failures shown per run.
MOST_FAILURES = 10


def read_runs(path: Path) -> list[dict[str, Any]]:
    """The runs in a file of lines, or in a folder of such files; the earliest first."""
    if not path.exists():
        raise InvalidArgument(f"there is no file or folder {str(path)!r}")
    runs = runs_of(read_lines(path))
    if not runs:
        raise InvalidArgument(
            f"{str(path)!r} holds no lines about runs; settings(observe=True) and pytest --everycase-observe write some"
        )
    return runs


def runs_of(lines: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Runs from their lines: the report that a run wrote at its end if there is one, else a count of its
    tests."""
    told: dict[tuple[str, float], dict[str, Any]] = {}
    counted: dict[tuple[str, float], _RunFromTests] = {}
    for line in filter(_is_sound, lines):
        key = (str(line.get("property")), float(line.get("run_start") or 0))
        if line["type"] == "test_case":
            if key not in counted:
                counted[key] = _RunFromTests(key[0])
            counted[key].add(line)
        elif line.get("title") == REPORT_TITLE and _is_report(line.get("content")):
            told[key] = line["content"]
    keys = sorted({*told, *counted}, key=lambda key: (key[1], key[0]))
    return [told[key] if key in told else counted[key].as_data() for key in keys]


#: What the lines of all writers have, and of which types. Lines without it are left out, like incomplete ones.
_FIELDS: dict[str, tuple[type, ...]] = {"status": (str,), "how_generated": (str,), "representation": (str,)}
_OPTIONAL: dict[str, tuple[type, ...]] = {
    "run_start": (int, float),
    "status_reason": (str,),
    **dict.fromkeys(("metadata", "arguments", "timing", "features"), (dict,)),
}


def _is_sound(line: dict[str, Any]) -> bool:
    needed = _FIELDS if line["type"] == "test_case" else {}
    return all(isinstance(line.get(name), kinds) for name, kinds in needed.items()) and all(
        line.get(name) is None or isinstance(line[name], kinds) for name, kinds in _OPTIONAL.items()
    )


def _is_report(content: object) -> bool:
    needed = {"name": str, "status": str, "verdict": str, "examples": int, "discarded": int, "failures": list}
    return isinstance(content, dict) and all(
        isinstance(content.get(name), kind) for name, kind in needed.items()
    )


class _RunFromTests:
    """A run known only by the lines of its tests."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.tally = Tally()
        self.failures: dict[str, dict[str, Any]] = {}
        self.best: dict[str, float] = {}
        self.trajectory: list[tuple[int, str, float]] = []
        self.events: dict[str, int] = {}

    def add(self, line: dict[str, Any]) -> None:
        metadata = line.get("metadata") or {}
        own = metadata.get("everycase") or {}
        status = line["status"]
        if status == "failed":
            self._failed(line, metadata)
        if metadata.get("phase") in ("shrink", "explain") or line["how_generated"] == MINIMAL:
            return
        size, depth, classes = own.get("size"), own.get("depth"), own.get("constructors")
        if size is None:
            size, depth, classes = measure((line.get("arguments") or {}).values())
        seconds = float((line.get("timing") or {}).get("execute:test") or 0)
        reason = line.get("status_reason") or "discarded"
        self.tally.add(
            status,
            line["how_generated"],
            line["representation"],
            size,
            depth or 0,
            classes,
            seconds,
            reason if status == "gave_up" else "",
        )
        for label, value in (line.get("features") or {}).items():
            if label.startswith("target") and isinstance(value, int | float):
                name = label.removeprefix("target").removeprefix(":")
                if name not in self.best or value > self.best[name]:
                    self.best[name] = value
                    self.trajectory.append((self.tally.tests, name, value))
            elif status != "gave_up":
                self.events[label] = self.events.get(label, 0) + 1

    def _failed(self, line: dict[str, Any], metadata: dict[str, Any]) -> None:
        """The first input of each origin, replaced by the smallest that was shown for it."""
        origin = line.get("status_reason") or "failed"
        known = self.failures.get(origin)
        if known is None:
            if len(self.failures) >= MOST_FAILURES:
                return
            error = (metadata.get("traceback") or origin).strip().splitlines()[-1]
            known = self.failures[origin] = {
                "error": error,
                "call": line["representation"],
                "original": line["representation"],
                "notes": metadata.get("notes") or [],
                "found": f"{origin}, first seen at test {self.tally.tests + 1:,}",
                "shrink_trail": [],
                "tests": 0,
            }
        known["tests"] += 1
        if len(line["representation"]) < len(known["call"]) or line["how_generated"] == MINIMAL:
            known["call"] = line["representation"]
            known["shrink_trail"].append((known["tests"], len(known["call"])))

    def as_data(self) -> dict[str, Any]:
        tally = self.tally.as_data()
        discarded = tally["statuses"].get("gave_up", 0)
        examples = tally["tests"] - discarded
        failed = bool(self.failures)
        status = "failed" if failed else "passed" if examples else "gave_up"
        verdict = f"failed, {len(self.failures)} distinct" if failed else f"passed {examples:,} tests"
        if not examples and not failed:
            verdict = "nothing was tested"
        if discarded:
            verdict += f", {discarded:,} of {tally['tests']:,} inputs discarded"
        return {
            "name": self.name,
            "status": status,
            "verdict": f"{verdict}; counted from the lines of its tests",
            "examples": examples,
            "discarded": discarded,
            "seconds": tally["seconds"],
            "failures": list(self.failures.values()),
            "best": self.best,
            "trajectory": self.trajectory,
            "events": self.events,
            "tally": tally,
        }
