"""Read the fenced blocks of a Markdown file, with the HTML comment above each block."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from pathlib import Path

_FENCE = re.compile(r"^(?P<indent> *)(?P<ticks>`{3,})(?P<language>[a-z]*)[^`]*$")
_MARK = re.compile(r"^ *<!-- (?P<mark>no-run|pytest|output) -->$")


@dataclass
class Block:
    """One fenced block. ``line`` is the number of its first line of content; ``mark`` is the comment above it."""

    language: str
    text: str
    line: int
    mark: str = ""
    #: the expected output: the ``text`` block that follows with only blank lines between, or an earlier one marked "output"
    expected: str | None = None


def blocks(path: Path) -> list[Block]:
    """The fenced blocks of a file, in order."""
    found: list[Block] = []
    mark, previous, announced, lines = "", None, None, path.read_text(encoding="utf-8").splitlines()
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        marked, fence = _MARK.match(line), _FENCE.match(line)
        if marked:
            mark = marked["mark"]
        elif fence:
            start = number
            while lines[number].strip() != fence["ticks"]:
                number += 1
            text = textwrap.dedent("\n".join(lines[start:number])) + "\n"
            number += 1
            if mark == "output":
                announced = text
            elif fence["language"] == "text" and previous is not None:
                previous.expected = text
                previous = None
            else:
                previous = Block(fence["language"], text, start + 1, mark, announced)
                announced = None
                found.append(previous)
            mark = ""
        elif line.strip():
            mark, previous = "", None
    return found
