"""Files of lines: where they are, writing them, and reading them again."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

from everycase.errors import InvalidArgument
from everycase.run.store import DIRECTORY, project_root

#: The folder beside the remembered failures.
FOLDER = "observed"

#: Lines are written in batches of this number, or after this number of seconds.
MANY, SOON = 500, 1.0


class LineFiles:
    """The two files that a run writes to: one line per test, and one line per run.

    Others may write to them at the same time: lines are appended several at once, each complete.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise InvalidArgument(
                f"observe={str(folder)!r} is not a directory that lines can be written to: {problem.strerror}"
            ) from None
        today = date.today().isoformat()
        self.tests = folder / f"{today}_testcases.jsonl"
        self.infos = folder / f"{today}_info.jsonl"
        self._lines: list[str] = []
        self._written = time.perf_counter()

    @staticmethod
    def for_run(observe: Any, root: Path | None) -> LineFiles:
        """The directory of the setting ``observe``, or the project's own."""
        if observe is True:
            return LineFiles(Path(root or project_root()) / DIRECTORY / FOLDER)
        return LineFiles(Path(observe))

    def test_case(self, line: str) -> None:
        self._lines.append(line)
        if len(self._lines) >= MANY or time.perf_counter() - self._written > SOON:
            self.close()

    def info(self, line: str) -> None:
        self.close()
        _append(self.infos, [line])

    def close(self) -> None:
        """Write the remaining lines."""
        lines, self._lines = self._lines, []
        self._written = time.perf_counter()
        if lines:
            _append(self.tests, lines)


def _append(file: Path, lines: list[str]) -> None:
    with file.open("ab", buffering=0) as opened:
        opened.write(("\n".join(lines) + "\n").encode("utf-8"))


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The lines of a file, or of all such files in a folder. An incomplete line of a killed run is left
    out."""
    if path.is_dir():
        for file in sorted(path.rglob("*.jsonl")):
            yield from read_lines(file)
        return
    with path.open(encoding="utf-8", errors="replace") as opened:
        for line in opened:
            try:
                found = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(found, dict) and "type" in found:
                yield found
