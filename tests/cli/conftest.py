"""A folder with a file of properties, and a way to call the command line in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from everycase.cli.root import root

PROPERTIES = '''
"""Properties that the command line is tried on."""

import unittest

from everycase import assume, event, gen, given, maximize, note, settings
from everycase.explore import Explorer, Narrow


@given(gen.integers(0, 100))
def test_passes(n):
    assert n >= 0


@given(gen.lists(gen.integers(0, 1000)))
def test_fails(xs):
    note(f"the sum is {sum(xs)}")
    assert sum(xs) < 500


@given(gen.integers(0, 9), gen.booleans())
def test_small(n, flag):
    assert n < 10


@given(gen.integers(0, 1000))
@settings(max_examples=50)
def test_talks(n):
    assume(n % 2 == 0)
    event("multiple of four", n % 4 == 0)
    maximize(n, "largest")


@given(gen.integers(0, 1000))
def test_never_valid(n):
    assume(False)


@given(gen.integers())
def test_with_fixtures(tmp_path, capsys, n):
    pass


def annotated(n: int) -> bool:
    return n != 7


def test_without_given():
    pass


@given(gen.integers(0, 9))
async def test_asynchronous(n):
    assert n < 5


class TestClass:
    limit = 5

    @given(gen.integers(0, 9))
    def test_method(self, n):
        assert n < self.limit


class NeedsMore:
    def __init__(self, what):
        pass

    @given(gen.integers(0, 9))
    def test_method(self, n):
        pass


@given(gen.lists(gen.integers(0, 9)).filter(lambda xs: xs == sorted(xs) and type(xs) is list))
@settings(explore=Narrow(max_size=2))
def test_prunes_in_vain(xs):
    pass


class TestUnit(unittest.TestCase):
    @given(gen.integers(0, 9))
    def test_method(self, n):
        self.assertLess(n, 3)


class Sevens(Explorer):
    def explore(self, space):
        while True:
            case = space.sample()
            if case.args[0] % 7 == 0:
                yield case


number = 5
'''

Call = Callable[..., Result]


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Call]:
    """Run a command in a folder that holds ``properties_for_cli.py``."""
    (tmp_path / "properties_for_cli.py").write_text(PROPERTIES, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("EVERYCASE_DATABASE", "none")
    monkeypatch.delitem(__import__("sys").modules, "properties_for_cli", raising=False)
    yield lambda *args: CliRunner().invoke(root, list(args), prog_name="everycase")
    __import__("sys").modules.pop("properties_for_cli", None)
