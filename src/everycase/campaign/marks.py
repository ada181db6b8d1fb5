"""Marks: a test records which input comes next, so that it is known if the process dies.

A mark is in memory that is shared through a file, so it survives the process.
"""

from __future__ import annotations

import json
import mmap
import struct
from pathlib import Path
from typing import Any

_FORM = struct.Struct("<?q")
_SIZE = 4096


class Mark:
    """The place and the test that a process has reached.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "mark"
    >>> Mark.read(file)
    (None, None)
    >>> Mark(file).set(10**30, 7); Mark.read(file)
    ((1000000000000000000000000000000, 7), None)
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.path.write_bytes(bytes(_SIZE))
        with self.path.open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), _SIZE)

    def set(self, place: int, test: int) -> None:
        """Record what comes next."""
        text = b"%d" % place
        memory = self._memory
        memory[0] = 0  # a reader must not see a part of it
        _FORM.pack_into(memory, 0, False, test)
        memory[_FORM.size : _FORM.size + len(text) + 1] = text + b"\0"
        memory[0] = 1

    def describe(self, what: dict[str, Any]) -> None:
        """Record the next input."""
        self.path.with_suffix(".input").write_text(json.dumps(what), encoding="utf-8")

    @staticmethod
    def read(path: str | Path) -> tuple[tuple[int, int] | None, dict[str, Any] | None]:
        """The last place and test, and the input as far as it was described."""
        path = Path(path)
        at = what = None
        try:
            data = path.read_bytes()
            there, test = _FORM.unpack_from(data)
            if there:
                at = int(data[_FORM.size :].split(b"\0", 1)[0]), test
            what = json.loads(path.with_suffix(".input").read_text(encoding="utf-8"))
        except (OSError, ValueError, struct.error):
            pass
        return at, what
