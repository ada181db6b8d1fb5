"""``everycase run FILE::TEST``: runs one property without pytest, with a live display."""

from __future__ import annotations

import inspect
import sys
import traceback
from contextlib import ExitStack
from difflib import get_close_matches
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from everycase import explore
from everycase.cli.common import FINE, FOUND, Target, json_option, load, print_json
from everycase.errors import InvalidArgument
from everycase.explore import Explorer
from everycase.report.progress import ProgressLine
from everycase.run.api import property_of
from everycase.run.asynchronous import own_loop
from everycase.run.property import MAKE_PROPERTY, Property
from everycase.run.render import failure_text, statistics, verdict
from everycase.run.report import Report
from everycase.run.runner import run
from everycase.run.settings import settings

EXAMPLE = """\b
Examples:
  everycase run tests/test_merge.py::test_merge_keeps_points
  everycase run tests/test_merge.py::TestMerge::test_sorted --seed 7 --max-examples 100000
  everycase run shop.checks:total_is_positive --explore exhaustive --json
"""


@click.command("run", epilog=EXAMPLE)
@click.argument("target", metavar="FILE::TEST")
@click.option("--seed", type=int, help="The random seed.")
@click.option("--max-examples", type=int, help="Maximum number of test cases.")
@click.option("--max-seconds", type=float, help="Time limit of the exploration.")
@click.option("--explore", "explorer", metavar="NAME", help="The explorer, such as random or exhaustive.")
@click.option("--statistics", "show_statistics", is_flag=True, help="Show events and sizes.")
@json_option
def command(
    target: str,
    seed: int | None,
    max_examples: int | None,
    max_seconds: float | None,
    explorer: str | None,
    show_statistics: bool,
    as_json: bool,
) -> None:
    """Run one property, without pytest.

    TEST is a function under @given, any function whose parameters have types, or a state machine. The options
    override the settings of the test. The exit code is 0 if it passed, 1 if not, 2 if it could not be run.
    """
    given = {"seed": seed, "max_examples": max_examples, "max_seconds": max_seconds}
    options: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    if explorer is not None:
        options["explore"] = find_explorer(explorer)
    if show_statistics:
        options["statistics"] = True
    prop, arguments = find_property(target, load(target))
    chosen = settings.combine(prop.spec.settings, settings.from_keywords(options))
    report = run_with_display(prop, arguments, chosen, quiet=as_json)
    if as_json:
        print_json(report.to_json())
    else:
        show(report, show_statistics)
    raise SystemExit(FINE if report.status == "passed" else FOUND)


def find_property(target: str, found: Target) -> tuple[Property, dict[str, Any]]:
    """The property that was named, and the arguments that are not generated (``self``)."""
    test = found.value
    if not hasattr(test, MAKE_PROPERTY) and (isinstance(test, type) or not callable(test)):
        raise InvalidArgument(f"{target} is {test!r}, but a property must be a function")
    prop = property_of(test)
    if not prop.gens:
        raise InvalidArgument(
            f"{target} has no generated arguments; decorate it with @given, or run it with pytest"
        )
    signature = inspect.signature(prop.function)
    rest = [
        p
        for p in signature.parameters.values()
        if p.name not in prop.gens
        and p.default is p.empty
        and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
    ]
    arguments: dict[str, Any] = {}
    if found.owner is not None and rest:
        arguments[rest.pop(0).name] = _instance(found.owner, prop.function.__name__)
    if rest:
        names = ", ".join(p.name for p in rest)
        raise InvalidArgument(
            f"{target} takes {names}, which is not generated. Fixtures and parameters come from pytest, so run it as "
            f"pytest {target}"
        )
    return prop, arguments


def _instance(owner: type, method: str) -> Any:
    import unittest

    try:
        return owner(method) if issubclass(owner, unittest.TestCase) else owner()
    except TypeError as problem:
        raise InvalidArgument(f"an instance of {owner.__name__} could not be made: {problem}") from None


def find_explorer(name: str) -> Explorer:
    """The explorer of this name, in any case, or one of your own as ``package.module:NAME``."""
    if ":" in name:
        candidate = load(name).value
        if not (isinstance(candidate, type) and issubclass(candidate, Explorer)):
            raise InvalidArgument(f"--explore {name} is {candidate!r}, which is not an explorer class")
        return candidate()
    known = {
        known.lower(): getattr(explore, known)
        for known in explore.__all__
        if isinstance(getattr(explore, known), type) and issubclass(getattr(explore, known), Explorer)
    }
    known.pop("explorer")
    if name.lower() not in known:
        near = get_close_matches(name.lower(), known, 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(sorted(known))}"
        raise InvalidArgument(f"--explore {name}: there is no such explorer; {hint}")
    found: Explorer = known[name.lower()]()
    return found


# --- running and showing --------------------------------------------------------------------------------


def run_with_display(
    prop: Property, arguments: dict[str, Any], chosen: settings, *, quiet: bool = False
) -> Report:
    """Run a property; on a terminal, show the progress."""
    call = prop.caller(arguments)
    console = Console(stderr=True)
    with ExitStack() as stack:
        if inspect.iscoroutinefunction(prop.function):
            call = stack.enter_context(own_loop(call))
        if quiet or not console.is_terminal:
            return run(prop, call, chosen)
        options = chosen.resolve()
        line = stack.enter_context(ProgressLine(sys.stderr, options.max_seconds, options.demanded))
        return run(prop, call, chosen, line)


def show(report: Report, show_statistics: bool = False) -> None:
    """The report as text, as pytest would show it: the frames of the test's own code, then the report."""
    console = Console(highlight=False)
    style = "green" if report.status == "passed" else "red"
    console.print(Text(f"{report.name}: {verdict(report)}", style=f"bold {style}"), soft_wrap=True)
    for failure in report.failures:
        click.echo()
        click.echo("".join(traceback.format_exception(failure.error)).rstrip())
        click.echo(failure_text(report, failure))
    if report.problem is not None and not report.failures:
        click.echo(f"{type(report.problem).__name__}: {report.problem}")
    for label, value in report.best.items():
        click.echo(f"best {label or 'utility'}: {value:g}")
    if show_statistics:
        click.echo(statistics(report))
        return
    if report.covered and not report.exhaustive:  # else the verdict says it already
        click.echo(f"covered: {report.covered}")
    for warning in report.warnings:
        click.echo(f"warning: {warning}")
