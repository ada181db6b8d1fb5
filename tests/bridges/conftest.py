from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from pkgutil import walk_packages
from unittest import mock  # noqa: F401 (see below)

import pytest

import everycase
from everycase import bridges, choices, enumeration, explore, gen
from everycase import run as run_room

# pytester unloads the modules that a run inside this process imported, but objects made from them stay. So everything that
# such a run may import is imported here.
for room in (bridges, choices, enumeration, explore, gen, run_room):
    for module in walk_packages(room.__path__, f"{room.__name__}."):
        import_module(module.name)

INSTALLED = bool(entry_points(group="pytest11", name="everycase"))

HEADER = """
import asyncio
import pytest
import unittest
from unittest import mock
from everycase import HealthCheck, Phase, assume, check, event, find, gen, given, note, example, settings
"""


@pytest.fixture(name="run")
def run_pytest(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Callable[..., pytest.RunResult]:
    """Run pytest with the plugin on a test module. The source gets the usual imports."""
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("EVERYCASE_DATABASE", raising=False)
    # Whether everycase is installed or found through a relative path: other processes must find it too.
    source = str(Path(everycase.__file__).parents[1])
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([source, os.environ.get("PYTHONPATH", "")]))
    pytester.makeini("[pytest]\nasyncio_default_fixture_loop_scope = function\n")

    def start_pytest(
        source: str | None, *options: str, process: bool = False, hypothesis: bool = False
    ) -> pytest.RunResult:
        if source is not None:
            pytester.makepyfile(test_inner=HEADER + source)
        loaded = [] if INSTALLED else ["-p", "everycase.bridges.pytest_plugin"]
        off = [] if hypothesis else ["-p", "no:hypothesispytest"]
        start = pytester.runpytest_subprocess if process else pytester.runpytest_inprocess
        return start(*loaded, *off, "-p", "no:cacheprovider", *options)

    return start_pytest
