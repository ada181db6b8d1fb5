"""docs/reference.md lists every public name, and nothing else."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest

import everycase
from everycase import Report, arrays, errors, explore, gen, stateful
from everycase.gen import Gen

PAGE = Path(__file__).parents[2] / "docs" / "reference.md"


def listed() -> dict[str, list[str]]:
    """The names in the first column of each section's table."""
    sections: dict[str, list[str]] = {}
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            names = sections.setdefault(line[3:], [])
        elif row := re.match(r"\| `(\w+)` \|", line):
            names.append(row[1])
    return sections


def members(cls: type) -> set[str]:
    return {name for name in vars(cls) if not name.startswith("_")}


PUBLIC = {
    "everycase": set(everycase.__all__),
    "everycase.gen": set(gen.__all__),
    "everycase.explore": set(explore.__all__),
    "everycase.arrays": set(arrays.__all__),
    "everycase.stateful": set(stateful.__all__),
    "everycase.errors": {
        name for name, value in vars(errors).items() if isinstance(value, type) and value.__name__ == name
    },
    "Report": members(Report) | {field.name for field in dataclasses.fields(Report)},
    "Gen": members(Gen) - set(Gen.__slots__),
}


@pytest.mark.parametrize("section", PUBLIC)
def test_the_reference_is_complete(section: str) -> None:
    names = listed()[section]
    assert len(names) == len(set(names))
    assert set(names) == PUBLIC[section]


def test_there_is_no_other_section() -> None:
    assert set(listed()) == set(PUBLIC)
