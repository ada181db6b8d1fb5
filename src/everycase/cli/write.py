"""``everycase write MODULE[.NAME]``: property tests for a module or some functions."""

from __future__ import annotations

import builtins
from importlib import import_module
from typing import Any

import click

from everycase.bridges.hypothesis.ghostwriting import ghostwrite
from everycase.cli.common import json_option, print_json
from everycase.errors import InvalidArgument

EXAMPLE = """\b
Examples:
  everycase write gzip
  everycase write json.dumps json.loads --roundtrip --except TypeError
  everycase write sorted --idempotent > test_sorted.py
"""


@click.command("write", epilog=EXAMPLE)
@click.argument("targets", metavar="MODULE[.NAME]...", nargs=-1, required=True)
@click.option("--roundtrip", "how", flag_value="roundtrip", help="The last function undoes the first.")
@click.option("--equivalent", "how", flag_value="equivalent", help="All functions return the same.")
@click.option("--idempotent", "how", flag_value="idempotent", help="A second call changes nothing.")
@click.option("--fuzz", "how", flag_value="fuzz", help="Only documented exceptions are raised.")
@click.option("--except", "raises", multiple=True, metavar="NAME", help="An exception that is allowed.")
@click.option("--style", type=click.Choice(["pytest", "unittest"]), default="pytest", show_default=True)
@json_option
def command(
    targets: tuple[str, ...], how: str | None, raises: tuple[str, ...], style: str, as_json: bool
) -> None:
    """Write property tests for functions, with generators from their annotations.

    Without an option, pairs and operations are found by their names: encode and decode, add and remove. The
    tests are a starting point to read and complete: they contain gen.nothing() where the annotations do not
    say what a function takes.
    """
    source = ghostwrite(
        [resolve(target) for target in targets], how or "magic", [_exception(name) for name in raises], style
    )
    if as_json:
        print_json({"targets": list(targets), "how": how or "magic", "source": source})
    else:
        click.echo(source, nl=False)


def resolve(target: str) -> Any:
    """A module or a name in it: import as much of the dotted name as possible, then follow attributes.

    >>> resolve("json.dumps").__name__
    'dumps'
    """
    parts = target.split(".")
    if not all(part.isidentifier() for part in parts):
        raise InvalidArgument(f"{target!r} is not MODULE or MODULE.NAME, such as json.dumps")
    if len(parts) == 1 and hasattr(builtins, target):
        return getattr(builtins, target)
    for count in range(len(parts), 0, -1):
        name = ".".join(parts[:count])
        try:
            found: Any = import_module(name)
        except ModuleNotFoundError as problem:
            if problem.name is None or not name.startswith(problem.name):
                raise InvalidArgument(f"importing {name} failed: {problem}") from None
            continue
        except Exception as problem:
            raise InvalidArgument(f"importing {name} failed: {type(problem).__name__}: {problem}") from None
        for part in parts[count:]:
            if not hasattr(found, part):
                raise InvalidArgument(f"{name} has no {part!r}")
            found = getattr(found, part)
        return found
    raise InvalidArgument(f"there is no module {parts[0]!r} that can be imported from here")


def _exception(name: str) -> type[Exception]:
    found = resolve(name)
    if not isinstance(found, type) or not issubclass(found, Exception):
        raise InvalidArgument(f"--except takes exceptions, but {name} is not one")
    return found
