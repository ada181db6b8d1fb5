"""What a user's editor sees: the types that mypy reveals."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import everycase

EXPECTED = {
    "gen.integers()": "Gen[int]",
    "gen.floats(0, 1)": "Gen[float]",
    "gen.text()": "Gen[str]",
    "gen.lists(gen.integers())": "Gen[list[int]]",
    "gen.tuples(gen.integers(), gen.text())": "Gen[tuple[int, str]]",
    "gen.tuples(gen.none(), gen.text(), gen.booleans())": "Gen[tuple[None, str, bool]]",
    "gen.tuples()": "Gen[tuple[()]]",
    "gen.integers() * gen.text()": "Gen[tuple[int, str]]",
    "gen.integers() | gen.text()": "Gen[int | str]",
    "gen.one_of(gen.integers(), gen.text(), gen.none())": "Gen[int | str | None]",
    "gen.one_of([gen.integers(), gen.integers()])": "Gen[int]",
    "gen.frequency((1, gen.text()), (2, gen.text()))": "Gen[str]",
    "gen.sets(gen.integers())": "Gen[set[int]]",
    "gen.frozensets(gen.text())": "Gen[frozenset[str]]",
    "gen.dictionaries(gen.text(), gen.booleans())": "Gen[dict[str, bool]]",
    "gen.fixed_dictionaries({'a': gen.integers()})": "Gen[dict[str, int]]",
    "gen.permutations([1, 2])": "Gen[list[int]]",
    "gen.builds(Point, gen.integers())": "Gen[Point]",
    "gen.from_type(Point)": "Gen[Point]",
    "gen.sampled_from(['a', 'b'])": "Gen[str]",
    "gen.enums(Color)": "Gen[Color]",
    "gen.just(5)": "Gen[int]",
    "gen.dates()": "Gen[datetime.date]",
    "gen.integers().map(str)": "Gen[str]",
    "gen.integers().filter(bool)": "Gen[int]",
    "gen.integers().flatmap(lambda n: gen.lists(gen.text(), max_size=n))": "Gen[list[str]]",
    "gen.lists(gen.text()).sample(3)": "list[list[str]]",
    "intervals(5)": "Gen[tuple[int, int]]",
    "gen.data()": "Gen[everycase.gen.drawing.Data]",
}

PROGRAM = """
from enum import Enum
from everycase import gen

class Color(Enum):
    RED = 1

class Point:
    def __init__(self, x: int) -> None: ...

@gen.composite
def intervals(draw: gen.Draw, limit: int) -> tuple[int, int]:
    low = draw(gen.integers(0, limit))
    return low, draw(gen.integers(low, limit))

"""


@pytest.mark.slow
def test_types_are_as_precise_as_they_can_be(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM + "".join(f"reveal_type({call})\n" for call in EXPECTED))
    source = str(Path(everycase.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", f"--cache-dir={tmp_path}", str(program)],
        env={"MYPYPATH": source, "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    revealed = re.findall(r'Revealed type is "(.*)"', done.stdout)
    plain = [re.sub(r"builtins\.|everycase\.gen\.base\.|program\.", "", tp) for tp in revealed]
    assert dict(zip(EXPECTED, plain)) == EXPECTED, done.stdout + done.stderr
