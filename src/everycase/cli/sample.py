"""``everycase sample FILE::GEN``: a picture of what a generator makes."""

from __future__ import annotations

import json
from pathlib import Path

import click

from everycase.cli.common import FINE, find_generator, load, write_page
from everycase.errors import EverycaseError, InvalidArgument

EXAMPLE = """\b
Examples:
  everycase sample shapes.py::trees
  everycase sample shapes.py::trees --count 10000 --seed 1
  everycase sample shapes.py::trees --html trees.html
  everycase sample shapes.py::trees --json
"""


@click.command("sample", epilog=EXAMPLE)
@click.argument("target", metavar="FILE::GEN")
@click.option(
    "--count", "-n", type=click.IntRange(min=1), default=1000, show_default=True, help="Number of values."
)
@click.option("--seed", type=int, help="The random seed.")
@click.option(
    "--html",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the result as an HTML page to this file.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object with all counts.")
def command(target: str, count: int, seed: int | None, html: Path | None, as_json: bool) -> None:
    """Show what a generator makes: sizes, depths, frequent values, edge cases, examples.

    GEN is a generator, or a function without parameters that returns one. Exit codes: 0, or 2 for misuse.
    """
    gen = find_generator(target, load(target).value)
    try:
        found = gen.describe(count, seed=seed)
    except EverycaseError:
        raise
    except Exception as problem:  # raised by user code
        raise InvalidArgument(
            f"a value of {target} could not be made: {type(problem).__name__}: {problem}"
        ) from problem
    if html is not None:
        write_page(html, found.to_html())
    if as_json:
        print(json.dumps(found.to_json()))
    elif html is None:
        print(found)
    else:
        print(f"wrote {html}")
    raise SystemExit(FINE)
