"""The examples in every docstring of the package are run."""

from __future__ import annotations

import doctest
import importlib
import io
import pkgutil
from pathlib import Path

import pytest

import everycase

MODULES = sorted(
    ["everycase"]
    + [
        module.name
        for module in pkgutil.walk_packages(everycase.__path__, "everycase.")
        if not module.name.endswith("__main__")
    ]
)


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EVERYCASE_DATABASE", "none")
    module = importlib.import_module(name)
    problems = io.StringIO()
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for test in doctest.DocTestFinder(exclude_empty=True).find(module, name):
        # As in a shell: the package's own ``from __future__ import annotations`` is not the reader's.
        runner.run(test, compileflags=0, out=problems.write)
    assert not runner.failures, problems.getvalue()
