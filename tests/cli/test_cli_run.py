"""``everycase run``: its output, its exit codes, and its messages about wrong calls."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from everycase import check, gen, maximize
from everycase.cli.root import root
from everycase.report.progress import ProgressLine
from everycase.run.api import property_of
from everycase.run.runner import run
from everycase.run.settings import settings

FILE = "properties_for_cli.py"


def test_a_passing_property(call: Any) -> None:
    result = call("run", f"{FILE}::test_passes", "--max-examples", "50", "--explore", "random")
    assert result.exit_code == 0
    assert result.stdout == (
        "properties_for_cli.test_passes: passed 50 tests; the budget of 50 tests was used up\n"
    )


def test_a_failing_property_gets_the_whole_report(call: Any) -> None:
    result = call("run", f"{FILE}::test_fails", "--seed", "3")
    assert result.exit_code == 1
    assert "properties_for_cli.test_fails: failed at test" in result.stdout
    assert "Traceback" in result.stdout and "assert sum(xs) < 500" in result.stdout
    assert "test_fails(xs=[500])" in result.stdout
    assert "note: the sum is 500" in result.stdout
    assert "@reproduce(" in result.stdout
    assert "seed=3" in result.stdout
    # only the user's frames
    assert "runner.py" not in result.stdout


def test_json_is_the_report_and_nothing_else(call: Any) -> None:
    result = call("run", f"{FILE}::test_fails", "--seed", "3", "--json")
    assert result.exit_code == 1
    data = json.loads(result.stdout)
    assert data["status"] == "failed" and data["seed"] == 3
    assert data["failures"][0]["call"] == "test_fails(xs=[500])"


def test_the_same_seed_gives_the_same_run(call: Any) -> None:
    one, two = (
        json.loads(call("run", f"{FILE}::test_talks", "--seed", "9", "--json").stdout) for _ in range(2)
    )
    for data in one, two:
        del data["seconds"]
    assert one == two


def test_a_failure_is_remembered_for_the_next_run(call: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVERYCASE_DATABASE", "examples")
    call("run", f"{FILE}::test_fails", "--seed", "3")
    again = json.loads(call("run", f"{FILE}::test_fails", "--seed", "4", "--json").stdout)
    assert again["failed_at"] == 1
    assert "remembered" in again["stopped"]


def test_options_win_over_the_settings_of_the_test(call: Any) -> None:
    plain = json.loads(call("run", f"{FILE}::test_talks", "--json").stdout)
    more = json.loads(call("run", f"{FILE}::test_talks", "--json", "--max-examples", "60").stdout)
    assert (plain["examples"], more["examples"]) == (50, 60)


def test_what_was_covered_and_what_to_know(call: Any) -> None:
    for options in ((), ("--statistics",)):
        lines = call("run", f"{FILE}::test_prunes_in_vain", *options).stdout
        assert lines.count("covered: all 66 values up to size 2") == 1
        assert lines.count("warning: the precondition cannot be used for pruning") == 1


def test_statistics(call: Any) -> None:
    result = call("run", f"{FILE}::test_talks", "--statistics", "--seed", "1")
    assert result.exit_code == 0
    assert "multiple of four: True" in result.stdout
    assert "best largest: " in result.stdout
    assert "choices per input" in result.stdout


def test_exhaustive(call: Any) -> None:
    result = call("run", f"{FILE}::test_small", "--explore", "exhaustive")
    assert result.exit_code == 0
    assert "passed, exhaustive: 20 of 20" in result.stdout


def test_an_explorer_of_ones_own(call: Any) -> None:
    result = call(
        "run",
        f"{FILE}::test_passes",
        "--explore",
        "properties_for_cli:Sevens",
        "--json",
        "--max-examples",
        "10",
    )
    data = json.loads(result.stdout)
    assert (data["explorer"], data["examples"]) == ("Sevens()", 10)


def test_giving_up_is_not_fine(call: Any) -> None:
    result = call("run", f"{FILE}::test_never_valid")
    assert result.exit_code == 1
    assert "gave up" in result.stdout and "none of" in result.stdout


@pytest.mark.parametrize(
    ("target", "counterexample"),
    [
        (f"{FILE}::TestClass::test_method", "test_method(n=5)"),
        ("properties_for_cli:TestClass.test_method", "test_method(n=5)"),
        (f"{FILE}::TestUnit::test_method", "test_method(n=3)"),
        (f"{FILE}::test_asynchronous", "test_asynchronous(n=5)"),
        ("properties_for_cli:annotated", "annotated(n=7)"),
    ],
)
def test_ways_to_name_a_property(call: Any, target: str, counterexample: str) -> None:
    result = call("run", target, "--json", "--seed", "0", "--max-examples", "20000")
    assert result.exit_code == 1, result.output
    assert json.loads(result.stdout)["failures"][0]["call"] == counterexample


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["run"], "Missing argument 'FILE::TEST'"),
        (["run", f"{FILE}::test_pases"], "did you mean 'test_passes'?"),
        (["run", f"{FILE}::givn"], "its tests are test_passes"),  # not the imported name it resembles
        (["run", f"{FILE}::zzz"], "its tests are test_passes, test_fails"),
        (["run", "properties_for_cly.py::test_passes"], "did you mean 'properties_for_cli.py'?"),
        (["run", "nowhere/at_all.py::test"], "there is no file 'nowhere/at_all.py'"),
        (["run", FILE], "write FILE::NAME"),
        (["run", f"{FILE}::"], "write FILE::NAME"),
        (["run", "no_such_package.thing:test"], "there is no module 'no_such_package.thing'"),
        (["run", f"{FILE}::TestClass::test_metod"], "in class TestClass; did you mean 'test_method'?"),
        (["run", f"{FILE}::TestClass"], "a property must be a function"),
        (["run", f"{FILE}::number"], "a property must be a function"),
        (["run", f"{FILE}::test_without_given"], "no generated arguments"),
        (["run", f"{FILE}::NeedsMore::test_method"], "an instance of NeedsMore could not be made"),
        (["run", f"{FILE}::test_with_fixtures"], "takes tmp_path, capsys, which is not generated"),
        (["run", f"{FILE}::test_passes", "--explore", "exhaustiv"], "did you mean exhaustive?"),
        (["run", f"{FILE}::test_passes", "--explore", "zzz"], "there are anneal"),
        (["run", f"{FILE}::test_passes", "--explore", "explorer"], "no such explorer"),
        (["run", f"{FILE}::test_passes", "--explore", "json:dumps"], "not an explorer class"),
        (["run", f"{FILE}::test_passes", "--max-examples", "0"], "max_examples=0 must be at least 1"),
        (["run", f"{FILE}::test_passes", "--max-seconds", "-1"], "max_seconds must be a positive number"),
        (["run", f"{FILE}::test_passes", "--seed", "x"], "'x' is not a valid integer"),
        (["rum", f"{FILE}::test_passes"], "did you mean 'run'?"),
        (["frobnicate"], "there is no command 'frobnicate'; there are demo, run"),
    ],
)
def test_misuse_is_one_line_and_exit_code_2(call: Any, arguments: list[str], said: str) -> None:
    result = call(*arguments)
    assert result.exit_code == 2
    assert said in result.stderr
    assert "Traceback" not in result.output
    assert arguments[0] != "run" or result.stderr.startswith("Usage: everycase run [OPTIONS] FILE::TEST")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import no_such_thing_here\n", "No module named 'no_such_thing_here'"),
        ("def broken(:\n", "(line 1 of"),
        ("x = 1\n1 / 0\n", "ZeroDivisionError: division by zero (line 2 of"),
    ],
)
def test_a_file_that_cannot_be_imported(call: Any, text: str, said: str) -> None:
    Path("does_not_import.py").write_text(text, encoding="utf-8")
    result = call("run", "does_not_import.py::test")
    assert result.exit_code == 2
    assert "does_not_import.py cannot be imported" in result.stderr
    assert said in result.stderr


def test_a_file_with_the_name_of_another_module(call: Any) -> None:
    Path("json.py").write_text("def own(n: bool) -> bool:\n    return True\n", encoding="utf-8")
    result = call("run", "json.py::own")
    assert result.exit_code == 0, result.output


def test_a_file_in_a_package_can_import_its_neighbours(call: Any) -> None:
    package = Path("shop_for_cli")
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "prices.py").write_text("LIMIT = 4\n", encoding="utf-8")
    (package / "checks.py").write_text(
        "from .prices import LIMIT\n\ndef below(flag: bool) -> bool:\n    return LIMIT > 3\n",
        encoding="utf-8",
    )
    result = call("run", "shop_for_cli/checks.py::below")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("shop_for_cli.checks.below: passed, exhaustive: 2 of 2")


def test_every_command_has_help_with_an_example(call: Any) -> None:
    from everycase.cli import COMMANDS

    listing = call("--help")
    assert listing.exit_code == 0
    for name in COMMANDS:
        assert name in listing.stdout
        text = call(name, "--help").stdout
        assert f"everycase {name}" in text.split("Examples:")[1]
        assert "--json" in text


def test_the_live_display_shows_tests_discards_and_the_best_utility(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    written = Terminal()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")

    def talks(n: int) -> None:
        maximize(n, "largest")

    prop = property_of(talks, (gen.integers(0, 10**6).filter(lambda n: n % 2),))
    chosen = settings(seed=1, max_examples=1000, database=None)
    with ProgressLine(written, chosen.resolve().max_seconds, chosen.resolve().demanded) as line:
        report = run(prop, prop.caller({}), chosen, line)
    shown = written.getvalue()
    assert "of 1,000 tests" in shown
    assert "best largest" in shown
    # Watching changes nothing.
    same = check(prop.function, *prop.gens.values(), seed=1, max_examples=1000, database=None)
    assert (same.examples, same.best) == (report.examples, report.best)


def test_without_click_there_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text("raise ModuleNotFoundError('No module named click', name='click')\n")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    done = subprocess.run(
        [sys.executable, "-m", "everycase", "demo"], capture_output=True, text=True, env=environment
    )
    assert done.returncode == 2
    assert (
        done.stderr
        == "the command line needs the extra cli: pip install '.[cli]' in a checkout of everycase\n"
    )
    assert done.stdout == ""


def test_help_imports_no_command() -> None:
    program = (
        "import sys\nfrom everycase.cli.root import root\n"
        "try:\n    root(['--help'])\nexcept SystemExit:\n    pass\n"
        "assert not [m for m in sys.modules if m in ('everycase.cli.run', 'everycase.cli.demo')]\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.returncode == 0, done.stderr


def test_ctrl_c_is_neither_a_finding_nor_misuse(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(click.Group, "invoke", interrupted)
    ended = CliRunner().invoke(root, ["demo"])
    assert (ended.exit_code, ended.stderr) == (130, "Interrupted.\n")
