"""Campaigns on tests that pytest collects: fixtures, parameters, classes, coroutines, machines, adopted tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from everycase.campaign.log import Writer
from everycase.cli.root import root

EVERYCASE = [sys.executable, "-m", "everycase"]

SUITE = """
import asyncio
import unittest

import hypothesis
import hypothesis.strategies as st
import pytest

from everycase import gen, given, settings
from everycase.stateful import RuleBasedStateMachine, rule


@pytest.fixture
def limit(tmp_path):
    return 40


@given(gen.integers(0, 99))
def test_with_a_fixture(limit, profile_fixture, n):
    assert n < limit + profile_fixture


@pytest.mark.parametrize("step", [1, 2])
@given(n=gen.integers(0, 9))
def test_with_parameters(step, n):
    assert n + step > n


class TestClass:
    def setup_method(self):
        self.bound = 100

    @given(gen.integers(0, 99))
    def test_method(self, n):
        assert n < self.bound


class TestOld(unittest.TestCase):
    def setUp(self):
        self.bound = 50

    @given(gen.integers(0, 99))
    def test_old_method(self, n):
        self.assertLess(n, self.bound)


@hypothesis.given(st.integers(0, 200))
def test_of_hypothesis(n):
    hypothesis.assume(n != 100)
    assert n != 150


class Counter(RuleBasedStateMachine):
    n = 0

    @rule()
    def up(self):
        self.n += 1
        assert self.n < 3


TestCounter = Counter.TestCase
TestCounter.settings = settings(max_examples=50)


@pytest.mark.skip(reason="not today")
@given(gen.integers())
def test_skipped(n):
    pass


@pytest.mark.xfail(strict=True)
@given(gen.integers(0, 9))
def test_expected_to_fail_strictly(n):
    assert n < 5


@pytest.mark.xfail
@given(gen.integers(0, 9))
def test_expected_to_fail(n):
    assert n < 5


@given(gen.integers(0, 9))
async def test_without_a_plugin(n):
    pass


def test_plain():
    raise AssertionError("never run")
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = tmp_path_factory.mktemp("project")
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "tests").mkdir()
    (folder / "tests" / "conftest.py").write_text(
        "import pytest\n\n@pytest.fixture\ndef profile_fixture():\n    return 2\n"
    )
    (folder / "tests" / "test_suite.py").write_text(SUITE)
    return folder


def environment():
    return {
        key: value for key, value in os.environ.items() if not key.startswith(("PYTEST", "EVERYCASE", "CI"))
    }


def command(project, *arguments):
    """Run the command in its own process."""
    return subprocess.run(
        [*EVERYCASE, "campaign", *arguments], cwd=project, env=environment(), capture_output=True, text=True
    )


@pytest.fixture
def call(project, monkeypatch):
    """Run the command in this process, for calls that only read or that fail at once."""
    monkeypatch.chdir(project)
    for key in set(os.environ) - set(environment()):
        monkeypatch.delenv(key)
    return lambda *arguments: CliRunner().invoke(root, ["campaign", *arguments], prog_name="everycase")


@pytest.mark.slow
def test_a_suite_as_pytest_collects_it(project, call):
    ran = command(project, "run", "tests", "--into", "c", "--workers", "2", "--seed", "1")
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "Traceback" not in ran.stderr
    status = call("status", "c", "--json")
    assert status.exit_code == 1
    data = json.loads(status.stdout)
    found = {each["name"].partition("::")[2]: each for each in data["properties"]}
    assert data["workers_lost"] == 0
    assert [text.partition("::")[2] for text in data["problems"]] == [
        f"test_expected_to_fail{how}: pytest is told that it fails (xfail), so it is left out"
        for how in ("_strictly", "")
    ]
    alone = found.pop("test_without_a_plugin")
    assert (
        alone["verdict"] == "gave_up" and "async def functions are not natively supported" in alone["words"]
    )
    assert set(found) == {
        "test_with_a_fixture",
        "test_with_parameters[1]",
        "test_with_parameters[2]",
        "TestClass::test_method",
        "TestOld::test_old_method",
        "test_of_hypothesis",
        "TestCounter::runTest",
    }
    for name, each in found.items():
        assert {"name", "verdict", "tests", "discards", "best", "failures", "coverage"} <= set(each), name
    failed = {name for name, each in found.items() if each["verdict"] == "failed"}
    assert failed == {
        "test_with_a_fixture",
        "TestOld::test_old_method",
        "test_of_hypothesis",
        "TestCounter::runTest",
    }
    fixture = found["test_with_a_fixture"]
    assert (fixture["tests"], fixture["coverage"], fixture["failures"][0]["index"]) == (100, 1.0, 42)
    assert "n=42" in fixture["failures"][0]["input"]
    adopted = found["test_of_hypothesis"]
    assert (adopted["tests"], adopted["discards"], adopted["failures"][0]["index"]) == (200, 1, 150)
    assert found["TestCounter::runTest"]["failures"][0]["input"].count("state.up()") == 3
    # The next run of pytest begins with what was found.
    pytest_run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "tests", "-k", "fixture or old", "-p", "no:cacheprovider"],
        cwd=project,
        env=environment(),
        capture_output=True,
        text=True,
    )
    assert pytest_run.stdout.count("Remembered from an earlier run") == 2, pytest_run.stdout


@pytest.mark.slow
def test_the_command_and_its_exit_codes(project, call):
    target = "tests/test_suite.py::TestClass::test_method"
    ran = command(project, "run", target, "--into", "fine", "--workers", "1")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "test_method: passed, exhaustive: 100 of 100 values" in ran.stdout
    writer = Writer(project / "fine")
    writer.write({"kind": "none"})
    status = call("status", "fine", "--json")
    assert f"A run of this campaign is in progress: process {os.getpid()}" in status.stderr
    assert json.loads(status.stdout)["status"] == "passed"
    writer.close()
    for arguments, words in [
        (("run", "tests/nothing.py", "--into", "x"), "there is no file 'tests/nothing.py'"),
        (("run", "tests", "--into", "fine"), "the folder of another campaign"),
        (("status", "nowhere"), "there is no campaign in nowhere"),
        (("run", target, "--into", "tests"), "is not the folder of a campaign"),
        (("run", target, "--into", "y", "--share", "a"), "must be K/N"),
    ]:
        ran = call(*arguments)
        assert ran.exit_code == 2 and words in ran.stderr.replace("\n", " "), ran.stderr
        assert "Traceback" not in ran.stderr
    assert call("run", "--help").stdout.count("Examples") == 1
    assert not Path(project / "x" / "log").exists()
