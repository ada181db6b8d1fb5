"""Every example in README.md and docs/ is run.

Each ``python`` block is executed; the blocks of a file share one module, from top to bottom. Tests under ``@given`` that a
block defines are called. A ``text`` block directly below shows what it must print, or how its test must fail (``...``
matches anything). A ``pycon`` block is a doctest in the same module. ``<!-- pytest -->`` above a block is for examples with
fixtures: the file is also run by pytest. ``<!-- no-run -->`` marks blocks that cannot be run on their own; they are counted.
"""

from __future__ import annotations

import contextlib
import doctest
import inspect
import io
import os
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import hypothesis
import pytest
from doc_blocks import Block, blocks

from everycase import settings
from everycase.run.property import PROPERTY

ROOT = Path(__file__).parents[2]
FILES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The main module, as if the examples were a script, so that forward references find its names."""
    monkeypatch.setattr(settings, "profiles", dict(settings.profiles))
    monkeypatch.setattr(settings, "profile", settings.profile)
    module = ModuleType("__main__")
    monkeypatch.setitem(sys.modules, "__main__", module)
    return module


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_examples_run(
    path: Path, module: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CI", "1")  # the seed comes from the name of the test, so a run can be repeated
    monkeypatch.setenv("EVERYCASE_DATABASE", str(tmp_path / "examples"))
    # How fast Hypothesis makes inputs depends on what else the machine does.
    hypothesis.settings.register_profile("docs", suppress_health_check=[hypothesis.HealthCheck.too_slow])
    hypothesis.settings.load_profile("docs")
    found = [b for b in blocks(path) if b.mark != "no-run" and b.language in ("python", "pycon")]
    for block in found:
        if block.mark == "pytest":
            continue
        if block.language == "pycon":
            run_session(block, module, path)
        else:
            run_block(block, module, path)
    if any(block.mark == "pytest" for block in found):
        run_with_pytest([b for b in found if b.language == "python" and b.expected is None], tmp_path)


def run_block(block: Block, module: ModuleType, path: Path) -> None:
    """Execute a block, call the tests it defines, and compare the output with the expected one."""
    before = dict(vars(module))
    # The blank lines make tracebacks point into the Markdown file.
    code = compile("\n" * (block.line - 1) + block.text, str(path), "exec", dont_inherit=True)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, vars(module))
        fresh = [
            value
            for name, value in vars(module).items()
            if isinstance(value, FunctionType) and before.get(name) is not value and hasattr(value, PROPERTY)
        ]
        for test in fresh:
            call(test, printed, may_fail=block.expected is not None)
    if block.expected is not None:
        compare(block.expected, printed.getvalue(), f"{path}:{block.line}")


def call(test: Any, printed: io.StringIO, *, may_fail: bool) -> None:
    needed = [p.name for p in inspect.signature(test).parameters.values() if p.default is p.empty]
    assert not needed, f"{test.__name__} needs {needed}: mark its block <!-- pytest -->"
    try:
        test()
    except Exception as problem:
        if not may_fail:
            raise
        printed.write(f"{type(problem).__name__}: {problem}\n".replace(": \n", "\n"))
        printed.write("\n".join(problem.__notes__) + "\n")


def run_session(block: Block, module: ModuleType, path: Path) -> None:
    """Run an interactive session in the module of the file."""
    session = doctest.DocTestParser().get_doctest(
        block.text, vars(module), path.name, str(path), block.line - 1
    )
    problems = io.StringIO()
    session.globs = vars(module)
    result = doctest.DocTestRunner(optionflags=FLAGS).run(session, out=problems.write, clear_globs=False)
    assert result.attempted and not result.failed, problems.getvalue()


def run_with_pytest(some: list[Block], folder: Path) -> None:
    """Run the blocks as one test file, whose tests must pass."""
    file = folder / "test_from_docs.py"
    file.write_text("\n\n".join(block.text for block in some), encoding="utf-8")
    installed = entry_points(group="pytest11", name="everycase")
    command = [
        sys.executable,
        "-m",
        "pytest",
        *([] if installed else ["-p", "everycase.bridges.pytest_plugin"]),
        "-q",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        str(folder),
        str(file),
    ]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


def compare(expected: str, printed: str, where: str) -> None:
    if not doctest.OutputChecker().check_output(expected, printed, FLAGS):
        pytest.fail(f"{where} printed\n{printed}\nand not\n{expected}", pytrace=False)


def test_few_examples_are_left_out() -> None:
    """Skipping an example must be a known exception."""
    left_out = [
        f"{path.relative_to(ROOT)}:{block.line}"
        for path in FILES
        for block in blocks(path)
        if block.mark == "no-run"
    ]
    assert len(left_out) <= 3, left_out
