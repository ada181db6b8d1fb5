"""``everycase enumerate``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

SOURCE = """
from everycase import gen
trees = gen.deferred(lambda: gen.none() | gen.tuples(trees, trees))
digits = gen.integers(0, 9)
broken = digits.map(lambda n: [][n])
def made(): return gen.booleans()
odd = gen.integers().filter(lambda n: n % 2)
mixed = odd | gen.booleans()
number = 3
deep = gen.deferred(lambda: gen.none() | gen.tuples(deep))
huge = gen.just(16**5000)
@gen.dependent
def family(n): return gen.integers(0, n)
@gen.composite
def walked(draw):
    low = draw(gen.integers(0, 2))
    return low, draw(gen.integers(low, 2))
@gen.composite
def wide(draw):
    return draw(gen.integers(0, 99)), draw(gen.integers(0, 49))
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "shapes_to_enumerate.py"
    path.write_text(SOURCE)
    return str(path)


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("digits", ["--count"], "10"),
        ("trees", ["--count"], "infinitely many"),
        ("trees", ["--count", "--size", "15"], "9,694,845"),
        ("digits", ["--at", "7"], "7"),
        ("trees", ["--at", "1"], "(None, None)"),
        ("digits", ["--slice", "2:4"], "2\n3"),
        ("trees", ["--size", "2"], "(None, (None, None))\n((None, None), None)"),
        ("made", [], "False\nTrue"),
        ("odd", ["--slice", "0:3"], "-1\n1\n-3"),
        ("trees", ["--size", "3", "--slice", "0:1"], "(None, (None, (None, None)))"),
        ("trees", ["--size", "1", "--sample", "2"], "(None, None)\n(None, None)"),
        ("trees", ["--size", "3", "--at", "4"], "(((None, None), None), None)"),
        ("walked", ["--slice", "2:4"], "(0, 2)\n(1, 1)"),
        ("walked", ["--at", "3"], "(1, 1)"),
        ("wide", ["--at", "2500"], "(50, 0)"),
        ("wide", ["--slice", "2500:2502"], "(50, 0)\n(50, 1)"),
        ("odd", ["--at", "2"], "-3"),
        ("mixed", ["--slice", "0:4"], "False\nTrue\n-1\n1"),
        ("digits", ["--at", "-1"], "9"),
        ("digits", ["--slice", "8:99999999999999999999999"], "8\n9"),
        ("digits", ["--slice", "5:2"], ""),
        ("walked", ["--slice", "4:1" + "0" * 30], "(1, 2)\n(2, 2)"),
        ("walked", ["--slice", "1" + "0" * 30 + ":"], ""),
        ("walked", [], "(0, 0)\n(0, 1)\n(0, 2)\n(1, 1)\n(1, 2)\n(2, 2)"),
    ],
)
def test_values(call: Any, file: str, name: str, options: list[str], said: str) -> None:
    result = call("enumerate", f"{file}::{name}", *options)
    assert result.exit_code == 0, result.stderr
    assert result.stdout.strip() == said


def test_json_lines(call: Any, file: str) -> None:
    result = call("enumerate", f"{file}::trees", "--slice", "1:3", "--json")
    assert [json.loads(line) for line in result.stdout.splitlines()] == [
        {"index": 1, "repr": "(None, None)", "value": [None, None]},
        {"index": 2, "repr": "(None, (None, None))", "value": [None, [None, None]]},
    ]
    result = call("enumerate", f"{file}::digits", "--count", "--json")
    assert json.loads(result.stdout) == {"count": 10, "infinite": False}


@pytest.mark.parametrize(
    ("name", "number", "said"),
    [
        ("deep", 12_000, "<tuple, nested too deeply for Python to print it>"),
        ("huge", 0, "0x1" + "0" * 5000),
    ],
)
def test_values_that_python_does_not_write(call: Any, file: str, name: str, number: int, said: str) -> None:
    assert call("enumerate", f"{file}::{name}", "--at", number).stdout.strip() == said
    result = call("enumerate", f"{file}::{name}", "--at", number, "--json")
    assert json.loads(result.stdout) == {"index": number, "repr": said, "value": None}


def test_samples_are_decided_by_the_seed(call: Any, file: str) -> None:
    first = call("enumerate", f"{file}::digits", "--sample", "5", "--seed", "1").stdout
    assert len(first.splitlines()) == 5
    assert first == call("enumerate", f"{file}::digits", "--sample", "5", "--seed", "1").stdout


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("number", ["--count"], "not a generator"),
        ("family", ["--count"], "family needs arguments"),
        ("digits", ["--at", "10"], "out of range"),
        ("digits", ["--at", "1", "--count"], "give only one of"),
        ("digits", ["--slice", "x"], "write two numbers"),
        ("odd", ["--count"], "cannot be counted"),
        ("walked", ["--at", "1" + "0" * 30], "fewer values"),
        ("walked", ["--at", "6"], "fewer values"),
        ("walked", ["--at", "-1"], "cannot be counted"),
        ("walked", ["--size", "1"], "cannot be counted"),
    ],
)
def test_misuse(call: Any, file: str, name: str, options: list[str], said: str) -> None:
    result = call("enumerate", f"{file}::{name}", *options)
    assert result.exit_code == 2
    assert said in result.stderr


def test_an_index_error_of_the_users_own_is_not_taken_for_misuse(call: Any, file: str) -> None:
    result = call("enumerate", f"{file}::broken", "--at", "1")
    assert isinstance(result.exception, IndexError)
    assert "out of range: " not in result.stderr
