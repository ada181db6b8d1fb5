"""``everycase repair FILE::NAME``: write the branches that a generator is missing."""

from __future__ import annotations

import importlib
import linecache
import sys
from typing import Any

import click

from everycase.cli.common import FINE, FOUND, json_option, load, print_json
from everycase.complete.check import gaps
from everycase.complete.frontend.source import source_of
from everycase.complete.synthesis.cegis import STRATEGIES, repair
from everycase.complete.synthesis.result import Repair
from everycase.errors import InvalidArgument

EXAMPLE = """\b
Examples:
  everycase repair tests/generators.py::bsts
  everycase repair tests/generators.py::bsts --write
  everycase repair tests/generators.py::bsts --component tests/generators.py::between --max-seconds 120
"""


@click.command("repair", epilog=EXAMPLE)
@click.argument("target", metavar="FILE::NAME")
@click.option("--write", is_flag=True, help="Change the file if the patch is proved, then check the result.")
@click.option("--force", is_flag=True, help="With --write: also write a patch that is not proved.")
@click.option(
    "--component",
    "components",
    multiple=True,
    metavar="FILE::NAME",
    help="A function or generator that the patch may use.",
)
@click.option("--max-cost", type=int, default=40, show_default=True, help="Maximum cost of the patch.")
@click.option("--max-seconds", type=float, default=60.0, show_default=True, help="Time limit of the search.")
@click.option("--strategy", type=click.Choice(STRATEGIES), default="balanced", show_default=True)
@click.option("--smt-out", metavar="DIR", help="Write the solver's queries there, for anyone to check.")
@json_option
def command(
    target: str,
    write: bool,
    force: bool,
    components: tuple[str, ...],
    max_cost: int,
    max_seconds: float,
    strategy: str,
    smt_out: str | None,
    as_json: bool,
) -> None:
    """Write the branches that a generator is missing.

    Holes (...) are filled first. Prints a unified diff; --write changes the file and leaves every other byte as it
    was, but only if the patched generator is proved complete (--force writes the rest too). The exit code is 0 if it is
    proved (or nothing was missing), else 1.
    """
    if force and not write:
        raise InvalidArgument("--force only works with --write; give both")
    function = load(target).value
    result = repair(
        function,
        components=[load(c).value for c in components],
        max_cost=max_cost,
        max_seconds=max_seconds,
        strategy=strategy,
        smt_out=smt_out,
    )
    data: dict[str, Any] = result.to_json()
    refused = bool(write and result.diff and not result.proved and not force)
    if write and result.diff and not refused:
        data["written"] = _write(target, function, result)
    if as_json:
        print_json(data)
    else:
        click.echo(str(result).rstrip())
        if "written" in data:
            click.echo(f"written; checked again: {data['written']}")
        if refused:
            click.echo("not written, because the patch is not proved; --force writes it anyway")
    raise SystemExit(FINE if result.status in ("repaired", "nothing to repair") else FOUND)


def _write(target: str, function: Any, result: Repair) -> str:
    """Write the file, load it again, and ask again."""
    file = source_of(function).file
    result.write(file)
    linecache.checkcache(file)
    module = sys.modules.get(getattr(function, "__module__", ""))
    if module is None:
        raise InvalidArgument(f"{file} was written, but could not be loaded again to check it")
    importlib.reload(module)
    return gaps(load(target).value).headline
